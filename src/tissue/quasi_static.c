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
#include "tissue/spring_state.h"
#include "tissue/tissue.h"

// W: a wave of corrections runs on a little further than the forces ask. Above 1.6 sweeps begin to overshoot in meshes
// with strong springs beside weak ones.
static const double OVERSHOOT = 1.4;

// A node moves by this share of the shortest link in one sweep at most. Across a flat sheet springs have no stiffness
// until they are stretched; without the limit the first weight on it throws its nodes off for ever.
static const float MOST_MOVE = 0.5F;

// A node's stiffness changes little from sweep to sweep: it is worked out in the first two of a step, when things move
// most, and in every eighth one; for a node that a later sweep is the first to reach, there. What an earlier step found
// is never used: it is not part of the state.
static bool needs_block(int sweep)
{
    return sweep < 2 || sweep % 8 == 0;
}

// Gathers the links of a node: the force in double, the block, which only sets the pace, in single precision.
typedef struct node_sums {
    lanes xy, z;
    lanes across;
    cg_float4 straight, crossed; // xx yy zz, xy yz zx
} node_sums;

static inline void add_force(node_sums *sums, const cg_spring_state *s)
{
    for (int k = 0; k < 2; k++) {
        sums->xy += s->pull[k] * s->xy[k];
        sums->z += s->pull[k] * s->z[k];
    }
}

static inline void add_block(node_sums *sums, const cg_spring_state *s, const cg_spring_pair *p)
{
    lanes across = lanes_max(s->pull, lanes_both(0));
    cg_float2 along = cg_narrow((p->stiffness * (1.0 + 3.0 * s->square) - across) * s->inverse * s->inverse);
    for (int k = 0; k < 2; k++) {
        cg_float4 d = __builtin_shufflevector(cg_narrow(s->xy[k]), cg_narrow(s->z[k]), 0, 1, 2, 3);
        cg_float4 scaled = cg_all4(along[k]) * d;
        sums->straight += scaled * d;
        sums->crossed += scaled * cg_turn4(d);
    }
    sums->across += across;
}

// Keeps the inverse of the block that was gathered; zero when it has none.
static void keep_inverse(cg_springs *springs, int node, const node_sums *sums, double ground)
{
    cg_float4 s = sums->straight, c = sums->crossed;
    // A share of the trace for directions in which springs have no stiffness.
    double firm = (sums->across[0] + sums->across[1] + ground) + 1e-5 * (double)(s[0] + s[1] + s[2]);
    cg_mat3 block = {{{(double)s[0] + firm, 0, 0},
                      {(double)c[0], (double)s[1] + firm, 0},
                      {(double)c[2], (double)c[1], (double)s[2] + firm}}};
    cg_mat3 inverse;
    m3_invert(block, &inverse);
    double(*m)[3] = inverse.m;
    springs->diagonal[2 * node] = (cg_float4){(float)m[0][0], (float)m[1][1], (float)m[2][2], 0};
    springs->diagonal[2 * node + 1] = (cg_float4){(float)m[1][0], (float)m[2][1], (float)m[2][0], 0};
}

static inline node_sums gather(const cg_springs *springs, int node, int at, bool with_block)
{
    node_sums sums = {{0, 0}, {0, 0}, {0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    cg_wide here = springs->place[node];
    for (int pair = springs->first_around[at]; pair < springs->first_around[at + 1]; pair++) {
        const cg_spring_pair *p = &springs->around[pair];
        cg_spring_state s = cg_stretch(springs->place, here, p, &springs->around_node[2 * pair]);
        add_force(&sums, &s);
        if (with_block) {
            add_block(&sums, &s, p);
        }
    }
    return sums;
}

// Moves the node at a place of the order towards its equilibrium under the outer force; returns the square of how far.
static double relax_node(cg_springs *springs, int node, int at, cg_vec3 outer, double ground, bool with_block)
{
    node_sums sums = with_block ? gather(springs, node, at, true) : gather(springs, node, at, false);
    if (with_block) {
        keep_inverse(springs, node, &sums, ground);
    }
    cg_vec3 f = v3_scale(OVERSHOOT, v3_add(outer, v3(sums.xy[0], sums.xy[1], sums.z[0])));
    // In single precision to the end: gcc 12 takes a double that was narrowed and widened again for the one it was.
    cg_float4 m = cg_apply_block(&springs->diagonal[2 * node], (cg_float4){(float)f.x, (float)f.y, (float)f.z, 0});
    float square = m[0] * m[0] + m[1] * m[1] + m[2] * m[2], most = MOST_MOVE * (float)springs->shortest;
    if (square > most * most) {
        m *= cg_all4(most / sqrtf(square));
        square = most * most;
    }
    springs->place[node].xy += (lanes){(double)m[0], (double)m[1]};
    springs->place[node].z += (lanes){(double)m[2], 0};
    return (double)square;
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
    cg_springs_list_around(springs);
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
    *ground = home;
    if (home > 0) {
        force = v3_add_scaled(force, -home, v3_sub(here, mesh->home[node]));
    }
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
static int sweep(cg_tissue *tissue, double threshold, bool with_block)
{
    cg_springs *springs = &tissue->springs;
    int level = 0, visited = 0;
    double furthest = 0;
    bool has_moved = true;
    unsigned char *has_block = springs->strained; // in this step; nothing else uses the marks in it
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
        bool is_new = with_block || !has_block[i];
        double square = relax_node(springs, i, k, outer, ground, is_new);
        has_block[i] = 1;
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
        cg_vec3 all = tissue->mesh->fixed[i] ? v3_add(own, outer_force(tissue, i, &ground)) : v3_zero();
        tissue->reaction[i] = cg_tissue_known_reaction(all);
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
    memset(springs->strained, 0, (size_t)springs->node_count);
    tissue->stats.visited_nodes = 0;
    for (int k = 0; k < tissue->iterations; k++) {
        int visited = sweep(tissue, tissue->cutout, needs_block(k));
        tissue->stats.visited_nodes += visited;
    }
    tissue->stats.iterations = tissue->iterations;
    tissue->is_refused = !take_places(tissue);
    take_reactions(tissue);
}
