// The flight of pieces that nothing holds.
//
// The solver ends long before its residual r = b - A d is zero, and what it leaves undone first is what is soft: of all
// motions of a free piece its flight as a whole. A pad that wobbles would fall with a third of gravity. Springs, cells
// and pressure do not resist a common motion u of a piece; only inertia, drag and what is tied to the ground do, g_i of
// each node: A u = g u. So the flight that is missing is known without a solve,
//
//     u = sum r_i / sum g_i,    d_i <- d_i + u,
//
// and afterwards the forces on a piece sum to its change of momentum. Directions p whose sum g_i p_i is zero are
// conjugate to it and leave it so. Pieces that rows push are left alone: there a flight is not free.
#include "base/vec3.h"
#include "tissue/springs.h"

static void hold(cg_springs *springs, int node)
{
    springs->flight[springs->piece[node]].is_held = true;
}

static void hold_pushed(cg_springs *springs)
{
    for (const cg_row_list *list = springs->pushed; list != NULL; list = list->next) {
        for (int r = 0; r < list->count; r++) {
            const cg_tissue_row *row = &list->rows[r];
            for (int k = 0; k < row->count; k++) {
                hold(k < row->own_count ? springs : row->other, row->nodes[k]);
            }
        }
    }
}

// Sums up a vector over each piece, as it is or with what each node is tied to the ground by.
static void gather(cg_springs *springs, const cg_float4 *vector, bool is_tied)
{
    for (int k = 0; k < springs->piece_count; k++) {
        springs->flight[k].sum = v3_zero();
    }
    for (int i = 0; i < springs->node_count; i++) {
        cg_flight *flight = &springs->flight[springs->piece[i]];
        double weight = is_tied ? (double)springs->ground[i] : 1;
        cg_float4 v = vector[i];
        flight->sum = v3_add_scaled(flight->sum, weight, v3((double)v[0], (double)v[1], (double)v[2]));
    }
}

static cg_float4 flight_of(const cg_springs *springs, int node)
{
    const cg_flight *flight = &springs->flight[springs->piece[node]];
    return cg_pack(flight->is_held ? 0 : 1 / flight->firm, flight->sum);
}

void cg_springs_begin_flight(cg_springs *springs, const bool *fixed)
{
    for (int k = 0; k < springs->piece_count; k++) {
        springs->flight[k] = (cg_flight){0};
    }
    for (int i = 0; i < springs->node_count; i++) {
        if (fixed[i]) {
            hold(springs, i);
        }
    }
    bool has_free = false;
    for (int k = 0; k < springs->piece_count; k++) {
        has_free = has_free || !springs->flight[k].is_held;
    }
    for (int i = 0; i < springs->node_count && has_free; i++) {
        springs->flight[springs->piece[i]].firm += (double)springs->ground[i];
    }
}

void cg_springs_find_flight(cg_springs *first)
{
    for (cg_springs *s = first; s != NULL; s = s->next) {
        hold_pushed(s);
    }
    for (cg_springs *s = first; s != NULL; s = s->next) {
        s->is_flying = false;
        for (int k = 0; k < s->piece_count; k++) {
            s->is_flying = s->is_flying || !s->flight[k].is_held;
        }
    }
}

void cg_springs_take_flight(cg_springs *first)
{
    for (cg_springs *s = first; s != NULL; s = s->next) {
        if (s->is_flying) {
            gather(s, s->residual, false);
            for (int i = 0; i < s->node_count; i++) {
                cg_float4 flight = flight_of(s, i);
                s->move[i] += flight;
                s->residual[i] -= cg_all4(s->ground[i]) * flight;
            }
        }
    }
}

void cg_springs_drop_flight(cg_springs *first, cg_vector vector, cg_vector response)
{
    for (cg_springs *s = first; s != NULL; s = s->next) {
        cg_float4 *dropped = cg_vector_of(s, vector);
        if (s->is_flying) {
            gather(s, dropped, true);
            for (int i = 0; i < s->node_count; i++) {
                cg_float4 flight = flight_of(s, i);
                dropped[i] -= flight;
                if (response != CG_NO_VECTOR) {
                    cg_vector_of(s, response)[i] -= cg_all4(s->ground[i]) * flight;
                }
            }
        }
    }
}
