// The quasi-static way to move: no inertia, every node in its place of equilibrium, as far as the sweeps of a step go.
//
// A sweep visits the free nodes one after another and moves each by
//     x += W D^-1 f,     f the force on it now, D its own stiffness (its block of the matrix, springs.h), W over 1
// with the newest positions of its neighbours. Nodes are ordered as a wave runs through the links: those next to nodes
// that were displaced, then their neighbours, and so on. With the cutout, a sweep ends at the first level in which no
// node moved further than a threshold, so that what is far from the hands costs nothing.
//
// What was displaced: nodes that are gripped or pushed, and fixed nodes that are not at home. Without any, the wave
// starts from all fixed nodes.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "tissue/tissue.h"

// W: a wave of corrections runs on a little further than the forces ask. Above 1.6 sweeps begin to overshoot in meshes
// with strong springs beside weak ones.
static const double OVERSHOOT = 1.4;

// Gathers the links of a node, two at a time.
typedef struct node_sums {
    lanes fx, fy, fz;
    lanes xx, yy, zz, xy, yz, zx, all;
} node_sums;

static inline void add_pair(node_sums *sums, const cg_springs *springs, cg_wide here, int pair)
{
    const cg_spring_pair *p = &springs->around[pair];
    cg_wide a = springs->place[springs->around_node[2 * pair]], b = springs->place[springs->around_node[2 * pair + 1]];
    lanes x = {a.xy[0], b.xy[0]}, y = {a.xy[1], b.xy[1]}, z = {a.z[0], b.z[0]};
    x -= here.xy[0];
    y -= here.xy[1];
    z -= here.z[0];
    lanes square = x * x + y * y + z * z;
    lanes length = {sqrt(square[0]), sqrt(square[1])};
    lanes inverse = 1.0 / lanes_max(length, 1e-6 * p->rest);
    lanes longer = length - p->rest, stretched = lanes_max(longer, lanes_both(0));
    lanes curve = p->curve * stretched * stretched;
    lanes pull = p->stiffness * longer * (1.0 + curve) * inverse;
    lanes across = lanes_max(pull, lanes_both(0));
    lanes along = (p->stiffness * (1.0 + 3.0 * curve) - across) * inverse * inverse;
    sums->fx += pull * x;
    sums->fy += pull * y;
    sums->fz += pull * z;
    lanes ax = along * x, ay = along * y, az = along * z;
    sums->xx += ax * x;
    sums->yy += ay * y;
    sums->zz += az * z;
    sums->xy += ax * y;
    sums->yz += ay * z;
    sums->zx += az * x;
    sums->all += across;
}

static double both(lanes v)
{
    return v[0] + v[1];
}

// Moves a node towards its equilibrium under the outer force; returns the square of how far.
static double relax_node(cg_springs *springs, int node, cg_vec3 outer, double ground)
{
    node_sums sums;
    memset(&sums, 0, sizeof sums);
    cg_wide here = springs->place[node];
    for (int pair = springs->first_around[node]; pair < springs->first_around[node + 1]; pair++) {
        add_pair(&sums, springs, here, pair);
    }
    double firm = both(sums.all) + ground;
    double xx = both(sums.xx) + firm, yy = both(sums.yy) + firm, zz = both(sums.zz) + firm;
    double share = 1e-5 * (xx + yy + zz); // of a direction in which springs have no stiffness
    cg_mat3 block = {{{xx + share, 0, 0}, {both(sums.xy), yy + share, 0}, {both(sums.zx), both(sums.yz), zz + share}}};
    m3_factors factors;
    if (!m3_factor(block, &factors)) {
        return 0;
    }
    cg_vec3 force = v3_add(outer, v3(both(sums.fx), both(sums.fy), both(sums.fz)));
    cg_vec3 move = v3_scale(OVERSHOOT, m3_solve(&factors, force));
    springs->place[node].xy += (lanes){move.x, move.y};
    springs->place[node].z += (lanes){move.z, 0};
    return v3_dot(move, move);
}

static bool is_away(cg_vec3 a, cg_vec3 b)
{
    return a.x != b.x || a.y != b.y || a.z != b.z;
}

// Marks where the wave starts.
static void mark_seeds(const cg_tissue *tissue, unsigned char *seed)
{
    const cg_mesh *mesh = tissue->mesh;
    bool any = tissue->grips != NULL;
    for (int i = 0; i < mesh->node_count; i++) {
        seed[i] = (mesh->fixed[i] && is_away(tissue->target[i], mesh->home[i])) || is_away(tissue->push[i], v3_zero());
        any = any || seed[i];
    }
    for (const cg_tissue_grip *grip = tissue->grips; grip != NULL; grip = grip->next) {
        for (int k = 0; k < grip->count; k++) {
            seed[grip->nodes[k]] = 1;
        }
    }
    for (int i = 0; i < mesh->node_count && !any; i++) {
        seed[i] = mesh->fixed[i];
    }
}

// Nodes level by level, the seeds first. What no wave reaches comes last, as a level of its own.
static void order_nodes(cg_springs *springs)
{
    int count = 0;
    for (int i = 0; i < springs->node_count; i++) {
        springs->level[i] = springs->is_seed[i] ? 0 : -1;
        if (springs->is_seed[i]) {
            springs->order[count++] = i;
        }
    }
    int last = 0;
    for (int done = 0; done < count; done++) {
        int i = springs->order[done];
        last = springs->level[i];
        for (int at = springs->first_neighbour[i]; at < springs->first_neighbour[i + 1]; at++) {
            int j = springs->neighbours[at].node;
            if (springs->level[j] < 0) {
                springs->level[j] = last + 1;
                springs->order[count++] = j;
            }
        }
    }
    for (int i = 0; i < springs->node_count; i++) {
        if (springs->level[i] < 0) {
            springs->level[i] = last + 1;
            springs->order[count++] = i;
        }
    }
    springs->is_ordered = true;
}

// The order is a function of the seeds and the mesh alone; it is made anew when one of them has changed.
static void update_order(cg_tissue *tissue)
{
    cg_springs *springs = &tissue->springs;
    size_t count = (size_t)springs->node_count;
    mark_seeds(tissue, springs->strained);
    if (!springs->is_ordered || memcmp(springs->strained, springs->is_seed, count) != 0) {
        memcpy(springs->is_seed, springs->strained, count);
        order_nodes(springs);
    }
}

// What acts on a node from outside: a force, and how it falls with each metre.
static cg_vec3 outer_force(const cg_tissue *tissue, int node, double *ground)
{
    const cg_mesh *mesh = tissue->mesh;
    const cg_wide *place = &tissue->springs.place[node];
    cg_vec3 here = v3(place->xy[0], place->xy[1], place->z[0]);
    cg_vec3 force = v3_add_scaled(tissue->push[node], mesh->mass[node], tissue->gravity);
    double home = tissue->springs.home_stiffness[node];
    force = v3_add_scaled(force, -home, v3_sub(here, mesh->home[node]));
    *ground = home;
    if (!tissue->springs.is_seed[node]) {
        return force;
    }
    for (const cg_tissue_grip *grip = tissue->grips; grip != NULL; grip = grip->next) {
        for (int k = 0; k < grip->count; k++) {
            if (grip->nodes[k] == node) {
                cg_vec3 beyond = v3_sub(here, grip->places[k]);
                force = v3_add(force, v3_add_scaled(grip->forces[k], -grip->slope, beyond));
                *ground += grip->slope;
            }
        }
    }
    return force;
}

// One sweep; returns how many nodes it visited.
static int sweep(cg_tissue *tissue, double threshold)
{
    cg_springs *springs = &tissue->springs;
    int level = 0, visited = 0;
    double furthest = 0;
    bool has_moved = true;
    for (int k = 0; k < springs->node_count; k++) {
        int i = springs->order[k];
        if (springs->level[i] != level) {
            if (level > 0 && !has_moved) {
                break;
            }
            level = springs->level[i];
            furthest = 0;
        }
        if (tissue->mesh->fixed[i]) {
            continue;
        }
        double ground;
        cg_vec3 outer = outer_force(tissue, i, &ground);
        double square = relax_node(springs, i, outer, ground);
        furthest = square > furthest ? square : furthest;
        has_moved = furthest > threshold * threshold || threshold == 0;
        visited++;
    }
    return visited;
}

static bool take_places(cg_tissue *tissue)
{
    cg_mesh *mesh = tissue->mesh;
    double check = 0, rate = 1 / tissue->time_step;
    for (int i = 0; i < mesh->node_count; i++) {
        const cg_wide *place = &tissue->springs.place[i];
        check += 0 * (place->xy[0] + place->xy[1] + place->z[0]);
    }
    for (int i = 0; i < mesh->node_count; i++) {
        const cg_wide *place = &tissue->springs.place[i];
        cg_vec3 here = check == 0 ? v3(place->xy[0], place->xy[1], place->z[0]) : mesh->position[i];
        tissue->velocity[i] = v3_scale(rate, v3_sub(here, mesh->position[i]));
        mesh->position[i] = here;
    }
    return check == 0;
}

static void take_reactions(cg_tissue *tissue)
{
    cg_springs_force(&tissue->springs);
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        const cg_wide *force = &tissue->springs.force[i];
        double ground;
        cg_vec3 own = v3(force->xy[0], force->xy[1], force->z[0]);
        tissue->reaction[i] = tissue->mesh->fixed[i] ? v3_add(own, outer_force(tissue, i, &ground)) : v3_zero();
    }
}

void cg_tissue_step_quasi_static(cg_tissue *tissue)
{
    cg_springs *springs = &tissue->springs;
    cg_mesh *mesh = tissue->mesh;
    for (int i = 0; i < mesh->node_count && tissue->was_added; i++) {
        tissue->push[i] = v3_add(tissue->push[i], tissue->added[i]);
        tissue->is_pushed = true;
    }
    update_order(tissue);
    cg_springs_place(springs, mesh->position);
    for (int i = 0; i < mesh->node_count; i++) {
        if (mesh->fixed[i]) {
            springs->place[i] = (cg_wide){{tissue->target[i].x, tissue->target[i].y}, {tissue->target[i].z, 0}};
        }
    }
    tissue->stats.visited_nodes = 0;
    for (int k = 0; k < tissue->iterations; k++) {
        int visited = sweep(tissue, tissue->cutout);
        tissue->stats.visited_nodes += visited;
    }
    tissue->stats.iterations = tissue->iterations;
    tissue->is_refused = !take_places(tissue);
    take_reactions(tissue);
}
