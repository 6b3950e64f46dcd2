// Impulses of contacts: the coupling through the step's matrix, and the two complementarity problems.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "constraint/contact_work.h"

// Pivots that a problem may take.
enum { PIVOTS = 4 * CG_DAE_CONTACTS_MOST };

int cg_dae_get_contacts(const cg_dae *dae, const cg_dae_contact **contacts)
{
    *contacts = dae->contacts;
    return dae->contact_count;
}

double cg_dae_contact_force(const cg_dae *dae, int pair)
{
    cg_vec3 sum = v3_zero();
    for (int k = 0; k < dae->contact_count; k++) {
        const cg_dae_contact *contact = &dae->contacts[k];
        sum = v3_add_scaled(sum, contact->pair == pair ? contact->impulse : 0, contact->normal);
    }
    return v3_length(sum) / dae->def.time_step;
}

void cg_dae_note_touched(cg_dae *dae)
{
    for (int k = 0; k < dae->pair_count; k++) {
        dae->pairs[k].touched = cg_dae_contact_force(dae, k) > 0;
    }
}

void cg_dae_clear_contacts(cg_dae *dae)
{
    dae->contact_count = 0;
    memset(dae->contact_force, 0, (size_t)dae->unknown_count * sizeof *dae->contact_force);
}

// to += scale H^T; both parts are sums of nodes.
static void add_gradient(const cg_dae *dae, const cg_dae_contact *contact, double scale, double *to)
{
    const double n[3] = {contact->normal.x, contact->normal.y, contact->normal.z};
    for (int side = 0; side < 2; side++) {
        const cg_part *part = &contact->parts[side];
        for (int i = 0; i < 3 * part->node_count; i++) {
            int at = part->nodes[i / 3] + i % 3;
            to[at] += dae->held[at] ? 0 : (side == 0 ? scale : -scale) * part->weights[i / 3] * n[i % 3];
        }
    }
}

// H u
static double along_gradient(const cg_dae *dae, const cg_dae_contact *contact, const double *u)
{
    const double n[3] = {contact->normal.x, contact->normal.y, contact->normal.z};
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        const cg_part *part = &contact->parts[side];
        for (int i = 0; i < 3 * part->node_count; i++) {
            int at = part->nodes[i / 3] + i % 3;
            sum += dae->held[at] ? 0 : (side == 0 ? 1 : -1) * part->weights[i / 3] * n[i % 3] * u[at];
        }
    }
    return sum;
}

static double *column_of(const cg_dae *dae, int contact)
{
    return dae->contact_columns + (size_t)contact * (size_t)dae->size;
}

bool cg_dae_couple_contacts(cg_dae *dae)
{
    int count = dae->contact_count;
    for (int j = 0; j < count; j++) {
        memset(dae->residual, 0, (size_t)dae->size * sizeof *dae->residual);
        add_gradient(dae, &dae->contacts[j], 1, dae->residual);
        if (!cg_dae_solve(dae)) {
            return false;
        }
        memcpy(column_of(dae, j), dae->solution, (size_t)dae->size * sizeof *dae->solution);
        for (int i = 0; i < count; i++) {
            dae->coupling[i * CG_DAE_CONTACTS_MOST + j] = along_gradient(dae, &dae->contacts[i], column_of(dae, j));
        }
    }
    return true;
}

// z >= 0, q + K z >= 0: with each contact scaled by its own K, and all by the largest q. False when the method found no
// solution; z is zero then.
static bool solve_problem(cg_dae *dae, const double *q, const bool *guess, double *z)
{
    int count = dae->contact_count;
    double scale[CG_DAE_CONTACTS_MOST], largest = 0;
    for (int i = 0; i < count; i++) {
        double own = dae->coupling[i * CG_DAE_CONTACTS_MOST + i];
        scale[i] = own > 0 ? 1 / sqrt(own) : 0;
        largest = fmax(largest, fabs(scale[i] * q[i]));
        z[i] = 0;
    }
    if (!(largest > 0)) {
        return true;
    }
    cg_lcp_begin(&dae->lcp, count);
    for (int i = 0; i < count; i++) {
        double *row = cg_lcp_row(&dae->lcp, i);
        for (int j = 0; j < count; j++) {
            row[j] = scale[i] * scale[j] * dae->coupling[i * CG_DAE_CONTACTS_MOST + j];
        }
        row[count + 1] = scale[i] * q[i] / largest;
    }
    int pivots = 0;
    bool is_solved = cg_lcp_solve(&dae->lcp, count, guess, PIVOTS, z, &pivots) == CG_LCP_SOLVED;
    for (int i = 0; i < count; i++) {
        z[i] = is_solved ? z[i] * scale[i] * largest : 0;
    }
    dae->stats.contact_troubles += is_solved ? 0 : 1;
    return is_solved;
}

double cg_dae_solve_places(cg_dae *dae, double h)
{
    double q[CG_DAE_CONTACTS_MOST] = {0}, z[CG_DAE_CONTACTS_MOST] = {0}, change = 0;
    bool guess[CG_DAE_CONTACTS_MOST] = {false};
    int count = dae->contact_count;
    for (int i = 0; i < count; i++) {
        q[i] = dae->contacts[i].gap / h;
        for (int j = 0; j < count; j++) {
            q[i] -= dae->coupling[i * CG_DAE_CONTACTS_MOST + j] * dae->contacts[j].impulse;
        }
        guess[i] = q[i] < 0;
    }
    solve_problem(dae, q, guess, z);
    memset(dae->contact_force, 0, (size_t)dae->unknown_count * sizeof *dae->contact_force);
    for (int i = 0; i < count; i++) {
        change = fmax(change, fabs(z[i] - dae->contacts[i].impulse));
        dae->contacts[i].impulse = z[i];
        add_gradient(dae, &dae->contacts[i], z[i] / h, dae->contact_force);
    }
    return change;
}

void cg_dae_solve_velocities(cg_dae *dae)
{
    double q[CG_DAE_CONTACTS_MOST] = {0}, y[CG_DAE_CONTACTS_MOST] = {0};
    bool guess[CG_DAE_CONTACTS_MOST] = {false};
    for (int i = 0; i < dae->contact_count; i++) {
        const cg_dae_contact *contact = &dae->contacts[i];
        bool touches = !dae->pairs[contact->pair].touched && (contact->impulse > 0 || contact->gap <= 0);
        q[i] = touches ? along_gradient(dae, contact, dae->v) : 1; // others may come as they like
        guess[i] = q[i] < 0;
    }
    solve_problem(dae, q, guess, y);
    for (int i = 0; i < dae->contact_count; i++) {
        const double *column = column_of(dae, i);
        for (int k = 0; y[i] > 0 && k < dae->unknown_count; k++) {
            dae->v[k] += y[i] * column[k];
        }
        dae->contacts[i].impulse += y[i];
    }
}
