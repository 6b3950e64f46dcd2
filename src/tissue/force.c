// Forces of springs. springs.h has the formulas.
//
// Everything here is plain arithmetic on the lanes of registers, in a fixed order.
#include <math.h>
#include <string.h>

#include "tissue/spring_state.h"

void cg_springs_place(cg_springs *springs, const cg_vec3 *position)
{
    for (int i = 0; i < springs->node_count; i++) {
        springs->place[i] = (cg_wide){{position[i].x, position[i].y}, {position[i].z, 0}};
    }
}

static void mark(cg_springs *springs, int node)
{
    if (!springs->strained[node]) {
        springs->strained[node] = 1;
        springs->marked[springs->marked_count++] = node;
    }
}

// A spring of the row is strained: which ones, and so which nodes.
CG_WIDE_BODY void cg_springs_mark_row_body(cg_springs *springs, int row)
{
    int i = springs->row_node[row];
    cg_double4 here = CG_WIDE_AT(springs->place, i);
    for (int four = springs->first_four[row]; four < springs->first_four[row + 1]; four++) {
        cg_four_state s;
        cg_bits4 beyond = {0, 0, 0, 0};
        cg_stretch_four(&s, springs->place, &here, &springs->fours[four], &springs->end[4 * four]);
        cg_look_at_strain(&s, &springs->fours[four], &beyond);
        for (int k = 0; k < 4; k++) {
            if (beyond[k] != 0) {
                mark(springs, i);
                mark(springs, cg_end_node(springs->end[4 * four + k]));
            }
        }
    }
}
CG_WIDE_PAIR(extern, cg_springs_mark_row, (cg_springs * springs, int row), (springs, row))

CG_WIDE_BODY void cg_springs_force_body(cg_springs *springs)
{
    const cg_wide *place = springs->place;
    cg_wide *force = springs->force;
    memset(force, 0, (size_t)springs->node_count * sizeof *force);
    for (int row = 0; row < springs->row_count; row++) {
        int i = springs->row_node[row], last = springs->first_four[row + 1];
        cg_double4 here = CG_WIDE_AT(place, i), sum = {0, 0, 0, 0};
        for (int four = springs->first_four[row]; four < last; four++) {
            const uint32_t *ends = &springs->end[4 * four], end[4] = {ends[0], ends[1], ends[2], ends[3]};
            cg_four_state s;
            cg_stretch_four(&s, place, &here, &springs->fours[four], end);
            cg_pull_ends(force, &s, end, &sum);
        }
        *(cg_double4 *)&force[i] += sum;
    }
}
CG_WIDE_PAIR(extern, cg_springs_force, (cg_springs * springs), (springs))

void cg_springs_mark_all(cg_springs *springs)
{
    for (int i = 0; i < springs->node_count; i++) {
        springs->strained[i] = 1;
        springs->marked[i] = i;
    }
    springs->marked_count = springs->node_count;
}

CG_WIDE_BODY void add_energy_body(const cg_springs *springs, double *total)
{
    double sum = 0;
    for (int row = 0; row < springs->row_count; row++) {
        cg_double4 here = CG_WIDE_AT(springs->place, springs->row_node[row]);
        for (int four = springs->first_four[row]; four < springs->first_four[row + 1]; four++) {
            const cg_spring_four *p = &springs->fours[four];
            cg_four_state s;
            cg_stretch_four(&s, springs->place, &here, p, &springs->end[4 * four]);
            cg_double4 half = 0.5 * p->stiffness * s.longer * s.longer * (1.0 + 0.5 * s.square);
            sum += (half[0] + half[1]) + (half[2] + half[3]);
        }
    }
    *total += sum;
}
CG_WIDE_PAIR(static, add_energy, (const cg_springs *springs, double *total), (springs, total))

double cg_springs_energy(const cg_springs *springs)
{
    double total = 0;
    add_energy(springs, &total);
    return total;
}
