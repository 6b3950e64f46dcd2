// No energy appears in a step that nothing drives.
//
// A step is linearised once. Nodes of a tissue that turns fast go straight on instead of around, which stretches its
// springs by half the square of the angle; all of that is energy that was not there: 0.46 of the whole for a block that
// spins at 21 rad/s in steps of 5 ms, 8e-4 in steps of 1 ms. Where nothing acts but gravity, the energy before and
// after the motion is known, and what appeared is taken from the velocities, seen from the flight of each piece:
// momentum stays. Motions so small that nothing can appear are not looked at.
#include <math.h>

#include "base/vec3.h"
#include "tissue/tissue.h"

// Nodes that move by less than this share of the shortest link: what can appear then is below 1e-6 of the energy.
static const double HARMLESS_SHARE = 2e-4;

bool cg_tissue_is_undriven(const cg_tissue *tissue)
{
    bool is_alone = tissue->island == NULL && tissue->next_joined == NULL;
    bool is_pushed = tissue->springs.pushed != NULL || tissue->grips != NULL || tissue->is_pushed;
    return is_alone && !is_pushed && !tissue->was_added && !tissue->has_held && !tissue->solve.is_moving &&
           !(tissue->home > 0) && tissue->springs.bent_count == 0;
}

bool cg_tissue_may_gain(const cg_tissue *tissue, double furthest)
{
    return furthest > HARMLESS_SHARE * tissue->springs.shortest && cg_tissue_is_undriven(tissue);
}

double cg_tissue_energy_at(cg_tissue *tissue, cg_wide *room, const cg_vec3 *position)
{
    cg_springs *springs = &tissue->springs;
    const cg_mesh *mesh = tissue->mesh;
    cg_wide *start = springs->place; // others want to know it after the step
    springs->place = room;
    cg_springs_place(springs, position);
    double sum = cg_springs_energy(springs) + cg_springs_squeeze_energy(springs) +
                 cg_springs_swell_energy(springs, mesh, tissue->pressure);
    springs->place = start;
    for (int i = 0; i < mesh->node_count; i++) {
        double mass = mesh->mass[i];
        cg_vec3 v = tissue->velocity[i];
        sum += mass * (0.5 * v3_dot(v, v) - v3_dot(tissue->gravity, position[i]));
    }
    return sum;
}

// Mean velocities of the pieces, and the energy of what moves against them.
static double find_flights(cg_tissue *tissue)
{
    cg_flight *flight = tissue->springs.flight;
    const cg_mesh *mesh = tissue->mesh;
    for (int k = 0; k < tissue->springs.piece_count; k++) {
        flight[k].sum = v3_zero();
        flight[k].firm = 0;
    }
    for (int i = 0; i < mesh->node_count; i++) {
        cg_flight *own = &flight[tissue->piece[i]];
        own->sum = v3_add_scaled(own->sum, mesh->mass[i], tissue->velocity[i]);
        own->firm += mesh->mass[i];
    }
    double inner = 0;
    for (int k = 0; k < tissue->springs.piece_count; k++) {
        bool is_free = !flight[k].is_held && flight[k].firm > 0;
        flight[k].sum = is_free ? v3_scale(1 / flight[k].firm, flight[k].sum) : v3_zero();
    }
    for (int i = 0; i < mesh->node_count; i++) {
        cg_vec3 v = v3_sub(tissue->velocity[i], flight[tissue->piece[i]].sum);
        inner += 0.5 * mesh->mass[i] * v3_dot(v, v);
    }
    return inner;
}

bool cg_tissue_take_gain(cg_tissue *tissue, double before)
{
    double gain = cg_tissue_energy_at(tissue, tissue->springs.force, tissue->mesh->position) - before;
    if (!(gain > 0)) {
        return false;
    }
    double inner = find_flights(tissue), share = inner > gain ? sqrt(1 - gain / inner) : 0;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        cg_vec3 flight = tissue->springs.flight[tissue->piece[i]].sum;
        cg_vec3 own = v3_sub(tissue->velocity[i], flight);
        tissue->velocity[i] = v3_add_scaled(flight, share, own);
    }
    tissue->fastest = -1;
    return true;
}
