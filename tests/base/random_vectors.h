// Random vectors. Drawn one by one: the order in which arguments are evaluated differs between compilers.
#ifndef CATGUT_TESTS_BASE_RANDOM_VECTORS_H
#define CATGUT_TESTS_BASE_RANDOM_VECTORS_H

#include "base/vec3.h"
#include "harness.h"

static inline cg_vec3 random_vector(uint64_t *random)
{
    double x = test_random(random, -1, 1);
    double y = test_random(random, -1, 1);
    double z = test_random(random, -1, 1);
    return v3(x, y, z);
}

static inline cg_vec3 random_unit(uint64_t *random)
{
    cg_vec3 v;
    do {
        v = random_vector(random);
    } while (v3_length(v) < 0.1 || v3_length(v) > 1);
    return v3_scale(1 / v3_length(v), v);
}

#endif
