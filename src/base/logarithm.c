#include "base/logarithm.h"

#include <math.h>

// x = m 2^e with m in [sqrt(1/2), sqrt(2)), and log m = 2 artanh s with s = (m - 1) / (m + 1): a series in s^2 <=
// 0.0295 whose term 13 is below the last bit. ln 2 comes in two parts, the first with 32 bits, so that e times it is
// exact.
double cg_log(double x)
{
    const double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
    if (!(x > 0)) {
        return x == 0 ? -INFINITY : NAN;
    }
    if (x == INFINITY) {
        return x;
    }
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m += m;
        exponent--;
    }
    double f = m - 1, s = f / (m + 1), z = s * s, sum = 0;
    for (int k = 25; k >= 3; k -= 2) {
        sum = (sum + 1.0 / k) * z;
    }
    // log m = f - s (f - 2 sum): f is exact, and what follows is smaller than it
    double correction = s * (f - 2 * sum);
    return exponent * ln2_high + (f + (exponent * ln2_low - correction));
}
