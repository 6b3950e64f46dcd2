// Chains cut into runs of eight segments, with bounding spheres: which segments can be near each other at all.
//
// Segments are put into slots: run 0 of a chain has its segments 0 to 7, and so on; a run never holds segments of two
// chains, and slots past the end of a chain are empty. The order of slots is the order of (chain, segment). Spheres are
// kept at three levels: slots, runs, and blocks of eight runs. At each level four are compared at once, in single
// precision: lengths are in units of half the size of the scene, so CG_RUN_SLACK covers all rounding, and what is found
// is always a little too much, never too little. An empty slot has a centre that is not a number: it is near nothing.
//
// With a motion every sphere also has a mean displacement and a spread around it: two spheres can only meet during the
// motion if their centres are nearer than the radii, the length of the difference of mean displacements and both
// spreads. Common motion costs nothing.
#ifndef CATGUT_COLLIDE_RUNS_H
#define CATGUT_COLLIDE_RUNS_H

#include "base/arena.h"
#include "collide/chains.h"
#include "collide/spheres.h"

enum { CG_RUN_LENGTH = 8 };

// In units of cg_runs.unit: several times what rounding to single precision can do.
#define CG_RUN_SLACK 4e-6f

typedef struct cg_runs {
    int chain_capacity, run_capacity;
    int run_count, slot_count;
    bool is_moving;
    double unit;       // [m] length of one unit
    cg_vec3 middle;    // [m] of the scene
    cg_vec3 mean_move; // [m] what displacements are counted from

    int *first_run;     // per chain, and one more
    int *chain_of;      // per run
    int *first_far;     // per slot: slot of the first later segment of the chain that is not near by arc length
    int *straight_runs; // per run: how many runs of the chain from here on are in line as one piece
    cg_spheres slots, runs, blocks;

    // While visiting: the runs near one run, one after another.
    cg_spheres near;
    int *near_runs;
} cg_runs;

// What is told of a pair of slots a < b that may be near; they are not near along one chain.
typedef void cg_slot_pair_visitor(void *context, int a, int b);

// Lays out runs for up to `max_chains` chains with up to `max_segments` segments in all; `with_motion` where moves will
// be given.
void cg_runs_layout(cg_runs *runs, int max_chains, int max_segments, bool with_motion, cg_arena *arena);

// Fills everything from the chains; `moves` NULL or, for each chain, a displacement for each point. Without a rule what
// is near along a chain is not worked out, and pairs must not be visited. `unit` is at least `least_unit` [m], above 0.
// Segments that are not finite stay empty. False when the chains do not fit.
bool cg_runs_build(cg_runs *runs, const cg_chain *chains, const cg_vec3 *const *moves, int count,
                   const cg_neighbour_rule *rule, double least_unit);

// Calls `tell` for all pairs of slots whose spheres are nearer than `reach` [m]. Runs in line are left out when
// `skip_straight`. Returns the number of comparisons.
long cg_runs_visit(cg_runs *runs, double reach, bool skip_straight, cg_slot_pair_visitor *tell, void *context);

// The same for two runs g <= h alone.
long cg_runs_visit_two(const cg_runs *runs, int g, int h, float reach, bool skip_straight, cg_slot_pair_visitor *tell,
                       void *context);

// How many runs of the chain from this one on, two at most, go along its chord for `straightness` of their rest length
// or more, each segment of them: any two segments of such a piece are farther apart along the chord than straightness
// times the arc between them, so it holds no pair. Runs farther on are seldom near.
int cg_straight_runs(const cg_chain *chain, int run, double straightness);

// A length [m] in units, rounded so that nothing is missed.
float cg_runs_reach(const cg_runs *runs, double reach);

static inline int slot_chain(const cg_runs *runs, int slot)
{
    return runs->chain_of[slot / CG_RUN_LENGTH];
}

static inline int slot_segment(const cg_runs *runs, int slot)
{
    return slot - CG_RUN_LENGTH * runs->first_run[slot_chain(runs, slot)];
}

#endif
