// The logarithm against that of libm, which is right to the last bit or nearly so.
// label: golden
#include "base/logarithm.h"

#include <math.h>

#include "base/hash.h"
#include "harness.h"

static double ulps(double actual, double expected)
{
    double next = nextafter(fabs(expected), INFINITY) - fabs(expected);
    return fabs(actual - expected) / next;
}

TEST(known_values)
{
    CHECK(cg_log(1) == 0);
    CHECK_NEAR(cg_log(2), 0.69314718055994530942, 1.2e-16);
    CHECK_NEAR(cg_log(10), 2.30258509299404568402, 4.5e-16);
    CHECK(cg_log(0) == -INFINITY);
    CHECK(isnan(cg_log(-1)));
    CHECK(isnan(cg_log(NAN)));
    CHECK(cg_log(INFINITY) == INFINITY);
    CHECK_NEAR(cg_log(4.9406564584124654e-324), -744.44007192138126231, 2e-13);
}

TEST(agrees_with_libm)
{
    uint64_t random = 7;
    double far = 0, near = 0;
    for (int i = 0; i < 20000; i++) {
        double x = ldexp(test_random(&random, 1, 2), test_random_int(&random, -1000, 1000));
        far = fmax(far, ulps(cg_log(x), log(x)));
        double y = test_random(&random, 0.6, 1.6);
        near = fmax(near, ulps(cg_log(y), log(y)));
    }
    CHECK(far <= 1);
    CHECK(near <= 2);
}

TEST(the_same_bits_with_every_compiler)
{
    uint64_t random = 11;
    cg_hash hash = cg_hash_begin();
    for (int i = 0; i < 1000; i++) {
        cg_hash_add_double(&hash, cg_log(test_random(&random, 0, 1000)));
    }
    CHECK_GOLDEN(cg_hash_end(&hash));
}
