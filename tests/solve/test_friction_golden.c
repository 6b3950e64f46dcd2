// label: golden
// Solutions to the bit, for every compiler and optimisation level. A change of these numbers needs its reason.
#include "base/hash.h"
#include "friction_rig.h"

static uint64_t hash_of(rig_solver solver, int max_iterations)
{
    static const char *const files[] = {"m3h1_p220", "m3h1_p260", "m2h25_p800", "m2h1_p150"};
    cg_hash hash = cg_hash_begin();
    for (int i = 0; i < 4; i++) {
        rig r = rig_read(files[i]);
        cg_friction_options options = cg_friction_options_default();
        options.max_iterations = max_iterations;
        options.tolerance = 1e-5;
        memcpy(r.force, r.start, 3 * (size_t)r.problem.count * sizeof(double));
        cg_friction_result result = solver(&r.problem, &options, &r.work);
        cg_hash_add_doubles(&hash, r.force, 3 * (size_t)r.problem.count);
        cg_hash_add_double(&hash, result.residual);
        cg_hash_add_u64(&hash, (uint64_t)result.iterations);
        cg_hash_add_u64(&hash, (uint64_t)result.pivots);
        rig_free(&r);
    }
    return cg_hash_end(&hash);
}

TEST(sweeps)
{
    CHECK_GOLDEN(hash_of(cg_friction_sweep, 300));
}

TEST(nncg)
{
    CHECK_GOLDEN(hash_of(cg_friction_nncg, 300));
}

TEST(newton_with_rescue)
{
    CHECK_GOLDEN(hash_of(cg_friction_solve, 2000));
}
