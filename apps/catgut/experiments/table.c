#include "experiments/table.h"

#include <string.h>

// In the order in which they are listed and run.
#define FOR_EACH_EXPERIMENT(apply)                                                                                     \
    apply(stretch) apply(cantilever_tip) apply(cantilever_weight) apply(moment_circle) apply(euler_buckling)           \
        apply(post_buckling) apply(catenary) apply(hanging_chain) apply(bending_frequency) apply(torque_buckling)      \
            apply(michell_ring) apply(localised_helix) apply(bench_a) apply(bench_b) apply(knot_security)              \
                apply(knot_dissolve) apply(knot_snug) apply(sliding_reef) apply(overhand_law) apply(torsion)           \
                    apply(pull_tight) apply(knot_pull) apply(solver_scaling) apply(coupling_time) apply(frame_time)    \
                        apply(capstan) apply(quasi_static) apply(modulus) apply(gaping) apply(cut) apply(drop)         \
                            apply(sphere_tree) apply(press) apply(stick)

// Those of src/constraint, which may be left out of a build.
#ifdef CATGUT_HAVE_CONSTRAINT
#define FOR_EACH_OF_CONSTRAINT(apply) apply(spline_rod) apply(dae_index) apply(structures) apply(dae_cost)
#else
#define FOR_EACH_OF_CONSTRAINT(apply)
#endif

#define DECLARE(name) extern const cg_experiment cg_experiment_##name;
FOR_EACH_EXPERIMENT(DECLARE)
FOR_EACH_OF_CONSTRAINT(DECLARE)

#define ADDRESS(name) &cg_experiment_##name,
const cg_experiment *const cg_experiments[] = {FOR_EACH_EXPERIMENT(ADDRESS) FOR_EACH_OF_CONSTRAINT(ADDRESS)};
const int cg_experiment_count = sizeof cg_experiments / sizeof cg_experiments[0];

const cg_experiment *cg_experiment_find(const char *name)
{
    for (int i = 0; i < cg_experiment_count; i++) {
        if (strcmp(cg_experiments[i]->name, name) == 0) {
            return cg_experiments[i];
        }
    }
    return NULL;
}
