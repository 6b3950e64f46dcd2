// The classical fourth-order Runge-Kutta method, explicit: accurate and without damping of its own, but it needs steps
// shorter than about 2.8 over the highest frequency w of the tissue. For comparison. A step is made in `iterations`
// parts, or in as many more as it takes to stay below that. No node swings faster than
//
//     w^2 = max (2 sum of its links' stiffness + home spring + grip) / mass
//
// while links are near their rest length; squeezed cells and links that stiffen may double w. Damping t and drag c fade
// at up to t w^2 + c, which has the same bound.
//
//     x' = v,   v' = F(x, v)/m,   F: springs, their damping, squeezed cells, pressure, torsion, home springs, drag,
//                                    gravity, pushes, grips
//
// Fixed nodes move evenly to their targets.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "tissue/tissue.h"

static void add_force(cg_springs *springs, int node, cg_vec3 force)
{
    springs->force[node].xy += (lanes){force.x, force.y};
    springs->force[node].z += (lanes){force.z, 0};
}

// t k n n^T (v_j - v_i) of every link.
static void add_damping(cg_tissue *tissue, const cg_vec3 *velocity)
{
    cg_springs *springs = &tissue->springs;
    for (int i = 0; i < springs->node_count; i++) {
        for (int at = springs->first_neighbour[i]; at < springs->first_neighbour[i + 1]; at++) {
            const cg_neighbour *n = &springs->neighbours[at];
            if (n->node > i) {
                cg_vec3 u = v3_sub(cg_wide_point(springs->place[n->node]), cg_wide_point(springs->place[i]));
                cg_vec3 direction = v3_unit_or(u, v3_zero());
                double rate = v3_dot(direction, v3_sub(velocity[n->node], velocity[i]));
                cg_vec3 force = v3_scale(tissue->damping * n->stiffness * rate, direction);
                add_force(springs, i, force);
                add_force(springs, n->node, v3_neg(force));
            }
        }
    }
}

static void add_grips(cg_tissue *tissue)
{
    for (const cg_tissue_grip *grip = tissue->grips; grip != NULL; grip = grip->next) {
        for (int k = 0; k < grip->count; k++) {
            int i = grip->nodes[k];
            cg_vec3 beyond = v3_sub(cg_wide_point(tissue->springs.place[i]), grip->places[k]);
            add_force(&tissue->springs, i, v3_add_scaled(grip->forces[k], -grip->slope, beyond));
        }
    }
}

// All forces at the places and velocities given.
static void gather_forces(cg_tissue *tissue, const cg_vec3 *place, const cg_vec3 *velocity)
{
    cg_springs *springs = &tissue->springs;
    const cg_mesh *mesh = tissue->mesh;
    cg_springs_place(springs, place);
    cg_springs_force(springs);
    cg_springs_mark_all(springs);
    tissue->stats.squeezed_cells = cg_springs_squeeze(springs, false);
    cg_springs_swell(springs, mesh, tissue->pressure, false);
    cg_springs_bend(springs, mesh, tissue->pierced, false, 0);
    if (tissue->damping > 0) {
        add_damping(tissue, velocity);
    }
    add_grips(tissue);
    for (int i = 0; i < mesh->node_count; i++) {
        double mass = mesh->mass[i];
        cg_vec3 force = v3_add_scaled(tissue->push[i], mass, tissue->gravity);
        force = v3_add_scaled(force, -mass * tissue->drag, velocity[i]);
        force = v3_add_scaled(force, -springs->home_stiffness[i], v3_sub(place[i], mesh->home[i]));
        add_force(springs, i, force);
    }
}

static cg_vec3 acceleration(const cg_tissue *tissue, int node)
{
    double mass = tissue->mesh->mass[node];
    return tissue->mesh->fixed[node] ? v3_zero() : v3_scale(1 / mass, cg_wide_point(tissue->springs.force[node]));
}

// One part of a step, of length h: saved 0, 1: places and velocities at its start; 2, 3: those of a stage.
static void make_part(cg_tissue *tissue, double h)
{
    static const double reach[4] = {0.5, 0.5, 1, 0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    cg_mesh *mesh = tissue->mesh;
    cg_vec3 **saved = tissue->springs.saved;
    size_t bytes = (size_t)mesh->node_count * sizeof(cg_vec3);
    for (int k = 0; k < 4; k++) {
        memcpy(saved[k], k % 2 == 0 ? mesh->position : tissue->velocity, bytes);
    }
    for (int stage = 0; stage < 4; stage++) {
        gather_forces(tissue, saved[2], saved[3]);
        for (int i = 0; i < mesh->node_count; i++) {
            cg_vec3 speed = saved[3][i], rate = acceleration(tissue, i);
            mesh->position[i] = v3_add_scaled(mesh->position[i], h * weight[stage], speed);
            tissue->velocity[i] = v3_add_scaled(tissue->velocity[i], h * weight[stage], rate);
            saved[2][i] = v3_add_scaled(saved[0][i], h * reach[stage], speed);
            saved[3][i] = v3_add_scaled(saved[1][i], h * reach[stage], rate);
        }
    }
}

// What holds a fixed node has also to speed its mass up; over a step at an even speed it does not.
static void take_reactions(cg_tissue *tissue)
{
    gather_forces(tissue, tissue->mesh->position, tissue->velocity);
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        bool fixed = tissue->mesh->fixed[i];
        tissue->reaction[i] = fixed ? cg_tissue_known_reaction(cg_wide_point(tissue->springs.force[i])) : v3_zero();
    }
}

// [m] No node that is free goes farther in a step: it blew up. The tissue stands still for this step then.
static const double FARTHEST_MOVE = 1;

static bool has_blown_up(const cg_tissue *tissue, const cg_vec3 *start)
{
    const cg_mesh *mesh = tissue->mesh;
    bool good = true;
    for (int i = 0; i < mesh->node_count; i++) {
        bool is_near = mesh->fixed[i] || v3_distance(mesh->position[i], start[i]) <= FARTHEST_MOVE;
        good = good && is_near && v3_is_finite(mesh->position[i]) && v3_is_finite(tissue->velocity[i]);
    }
    return !good;
}

// [1/s2] The square of w.
static double fastest_swing(const cg_tissue *tissue)
{
    const cg_mesh *mesh = tissue->mesh;
    double fastest = 0, grip = 0;
    for (const cg_tissue_grip *g = tissue->grips; g != NULL; g = g->next) {
        grip = g->slope > grip ? g->slope : grip;
    }
    for (int i = 0; i < mesh->node_count; i++) {
        double sum = tissue->springs.home_stiffness[i] + grip;
        for (int at = mesh->first_link[i]; at >= 0; at = mesh->next_link[at]) {
            sum += 2 * mesh->links[at / 2].stiffness;
        }
        fastest = !mesh->fixed[i] && sum / mesh->mass[i] > fastest ? sum / mesh->mass[i] : fastest;
    }
    return fastest;
}

double cg_tissue_explicit_parts(const cg_tissue *tissue, double time_step)
{
    const double most = 2.5; // of 2.785 on the imaginary axis, 2.83 on the real one
    double square = fastest_swing(tissue), rate = 2 * sqrt(square) + tissue->damping * square + tissue->drag;
    return ceil(time_step * rate / most);
}

void cg_tissue_step_runge_kutta(cg_tissue *tissue)
{
    cg_mesh *mesh = tissue->mesh;
    cg_vec3 *start = tissue->added; // free once the forces of others are among the pushes
    double h = tissue->time_step;
    for (int i = 0; i < mesh->node_count; i++) {
        if (tissue->was_added) {
            tissue->push[i] = v3_add(tissue->push[i], tissue->added[i]);
            tissue->is_pushed = true;
        }
        start[i] = mesh->position[i];
        if (mesh->fixed[i]) {
            tissue->velocity[i] = v3_scale(1 / h, v3_sub(tissue->target[i], mesh->position[i]));
        }
    }
    double needed = cg_tissue_explicit_parts(tissue, h);
    int most = needed < CG_TISSUE_MOST_PARTS ? (int)needed : CG_TISSUE_MOST_PARTS;
    int parts = tissue->iterations > most ? tissue->iterations : most;
    for (int k = 0; k < parts; k++) {
        make_part(tissue, h / parts);
    }
    tissue->is_refused = has_blown_up(tissue, start);
    for (int i = 0; i < mesh->node_count; i++) {
        if (tissue->is_refused) {
            mesh->position[i] = start[i];
            tissue->velocity[i] = v3_zero();
        } else if (mesh->fixed[i]) {
            mesh->position[i] = tissue->target[i];
        }
    }
    tissue->stats.iterations = parts;
    take_reactions(tissue);
}
