// How it works.
//
// Sine and cosine. The angle is brought to x = n pi/2 + r with |r| at most a little over pi/4, r kept as a sum of two
// doubles, high + low, because near a multiple of pi/2 the leading bits of x cancel. There
//     sin r = r + r^3 S(r^2),    cos r = 1 - r^2/2 + r^4 C(r^2).
//
// Arc tangent. For 0 <= q = y/x <= 1 take c = k/8 with -0.047 <= q - c < 0.079; then
//     atan q = atan c + atan t,    t = (y - c x) / (x + c y),    |t| < 0.0785,
//     atan t = t + t^3 A(t^2),
// with atan c from a table. The limits are uneven because t is less exact for c > 0 than for c = 0, where it is the
// quotient itself: it must be small beside the sum. The other octants follow by reflection in the diagonals and axes.
//
// Where the coefficients come from. Each of S, C and A is the polynomial of its degree with the smallest largest error
// relative to the function, found by Remez exchange in 200-bit arithmetic: solve for the coefficients that make the
// error equal and alternating at n + 1 points, move the points to where the error is largest, repeat. The lowest
// coefficient is then rounded to a double and kept, and the others are found again for what is left, and so on, so that
// each makes up for the rounding of those before. What remains, relative to the function: sine 2^-57.2, cosine 2^-61,
// arc tangent 2^-66. Parts of pi/2, 2/pi and the table are rounded from the same arithmetic at 1400 bits.
#include "base/trig.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// A number kept as the sum of two doubles.
typedef struct pair {
    double high, low;
} pair;

static const pair PI_PAIR = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const pair HALF_PI_PAIR = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// ---- exact sums and products

// high + low = a + b exactly.
static pair exact_sum(double a, double b)
{
    double sum = a + b;
    double b_taken = sum - a;
    double a_taken = sum - b_taken;
    return (pair){sum, (a - a_taken) + (b - b_taken)};
}

// a = high + low, each with so few bits that products of them are exact.
static pair halves(double a)
{
    double spread = 0x1.0000002p+27 * a;
    double high = spread - (spread - a);
    return (pair){high, a - high};
}

// high + low = a b exactly, for factors of moderate size.
static pair exact_product(double a, double b)
{
    double product = a * b;
    pair x = halves(a), y = halves(b);
    double rest = ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low;
    return (pair){product, rest};
}

// ---- reduction of an angle: angle = (quarter + 4 m) pi/2 + rest

typedef struct reduced {
    pair rest;
    unsigned quarter; // 0 to 3
} reduced;

// For |angle| < 2^20, so that the number of quarter turns has at most 20 bits. pi/2 is cut in parts of 33 bits and a
// tail; a part times the number of turns is exact, and so is the first difference.
static reduced reduce_moderate(double angle)
{
    const double part_1 = 0x1.921fb544p+0, part_2 = 0x1.0b4611a6p-34, part_3 = 0x1.3198a2ep-69;
    const double tail = 0x1.b839a252049c1p-104;
    const double to_integer = 0x1.8p+52; // adding it rounds to an integer, since no bits after the point are left
    double turns = (angle * 0x1.45f306dc9c883p-1 + to_integer) - to_integer;
    pair first = exact_sum(angle - turns * part_1, -(turns * part_2));
    pair second = exact_sum(first.high, -(turns * part_3));
    double low = (first.low + second.low) - turns * tail;
    return (reduced){exact_sum(second.high, low), (unsigned)(int)turns & 3u};
}

enum {
    WINDOW_WORDS = 7,                 // words of 2/pi that matter for one angle
    PRODUCT_WORDS = WINDOW_WORDS + 2, // that many times a mantissa of two words
};

// 2/pi after the point, the leading word first: enough for the largest double.
static const uint32_t TWO_OVER_PI[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046,
};

// product = mantissa times the window of 2/pi that starts at `first_word`; the lowest word of the product first.
static void multiply_window(uint64_t mantissa, int first_word, uint32_t product[PRODUCT_WORDS])
{
    memset(product, 0, PRODUCT_WORDS * sizeof product[0]);
    const uint32_t factor[2] = {(uint32_t)mantissa, (uint32_t)(mantissa >> 32)};
    for (int i = 0; i < WINDOW_WORDS; i++) {
        uint64_t word = TWO_OVER_PI[first_word + WINDOW_WORDS - 1 - i];
        uint64_t carry = 0;
        for (int j = 0; j < 2; j++) {
            carry += word * factor[j] + product[i + j];
            product[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + 2] = (uint32_t)carry;
    }
}

// 64 bits of the product from bit `from` up; bits outside it are 0.
static uint64_t bits_from(const uint32_t product[PRODUCT_WORDS], int from)
{
    uint64_t result = 0;
    for (int i = 0; i < PRODUCT_WORDS; i++) {
        int shift = 32 * i - from;
        if (shift >= 0 && shift < 64) {
            result |= (uint64_t)product[i] << shift;
        } else if (shift < 0 && shift > -32) {
            result |= (uint64_t)product[i] >> -shift;
        }
    }
    return result;
}

// Turns the product into minus itself, modulo its size.
static void negate(uint32_t product[PRODUCT_WORDS])
{
    uint64_t carry = 1;
    for (int i = 0; i < PRODUCT_WORDS; i++) {
        carry += (uint32_t)~product[i];
        product[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

// The lowest `point` bits of the product as a fraction below 1/2, in two doubles of 53 bits each.
static pair fraction(const uint32_t product[PRODUCT_WORDS], int point)
{
    int top = point; // one above the highest bit that is set; no double makes the fraction as small as 2^-64
    while (top > point - 64 && (bits_from(product, top - 1) & 1) == 0) {
        top--;
    }
    double high = (double)(bits_from(product, top - 53) & 0x1fffffffffffffu);
    double low = (double)(bits_from(product, top - 106) & 0x1fffffffffffffu);
    // 2^(top - 53 - point), a power of two that is far from the ends of the range of doubles
    uint64_t bits = (uint64_t)(1023 + top - 53 - point) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return (pair){high * scale, low * scale * 0x1p-53};
}

// For |angle| >= 2^20: integer arithmetic with as many bits of 2/pi as the angle asks for. Words of 2/pi that add only
// whole turns are left out, and so are those beyond the window, which add less than 2^-137 to the fraction; no double
// lies so near to a multiple of pi/2 that it would matter.
static reduced reduce_large(double angle)
{
    uint64_t bits;
    memcpy(&bits, &angle, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1075; // |angle| = mantissa 2^exponent
    uint64_t mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    int first_word = exponent < 2 ? 0 : (exponent - 2) / 32;
    int point = 32 * (first_word + WINDOW_WORDS) - exponent; // bits of the product after the binary point

    uint32_t product[PRODUCT_WORDS];
    multiply_window(mantissa, first_word, product);
    unsigned quarter = (unsigned)(bits_from(product, point) & 3);
    bool is_rounded_up = (bits_from(product, point - 1) & 1) != 0;
    if (is_rounded_up) {
        quarter++;
        negate(product); // 1 - fraction, to be taken away
    }
    pair part = fraction(product, point);
    pair rest = exact_product(part.high, HALF_PI_PAIR.high);
    rest.low += part.high * HALF_PI_PAIR.low + part.low * HALF_PI_PAIR.high;

    bool is_negative = bits >> 63 != 0;
    double sign = is_rounded_up != is_negative ? -1.0 : 1.0;
    return (reduced){{sign * rest.high, sign * rest.low}, (is_negative ? 0u - quarter : quarter) & 3u};
}

static reduced reduce(double angle)
{
    if (fabs(angle) <= 0x1.921fb54442d18p-1) {
        return (reduced){{angle, 0}, 0};
    }
    return fabs(angle) < 0x1p+20 ? reduce_moderate(angle) : reduce_large(angle);
}

// ---- sine and cosine

static double sine_near_zero(pair r)
{
    if (fabs(r.high) < 0x1p-27) {
        return r.low == 0 ? r.high
                          : r.high + r.low; // r^3/6 is too small to be seen; adding +0 would lose the sign of -0
    }
    double z = r.high * r.high;
    double s = 0x1.5d92197d18793p-33;
    s = -0x1.ae5e626ab886ap-26 + z * s;
    s = 0x1.71de357063283p-19 + z * s;
    s = -0x1.a01a019c028acp-13 + z * s;
    s = 0x1.111111110f798p-7 + z * s;
    s = -0x1.5555555555548p-3 + z * s;
    return r.high + (r.high * z * s + r.low * (1 - 0.5 * z));
}

static double cosine_near_zero(pair r)
{
    double z = r.high * r.high;
    double c = -0x1.8f9b0feb93968p-37;
    c = 0x1.1ee9cc15286afp-29 + z * c;
    c = -0x1.27e4f7e4fde21p-22 + z * c;
    c = 0x1.a01a019c8b24ep-16 + z * c;
    c = -0x1.6c16c16c15034p-10 + z * c;
    c = 0x1.555555555554bp-5 + z * c;
    double half = 0.5 * z;
    double main = 1 - half;
    double lost = (1 - main) - half; // what the difference above has rounded away
    return main + (lost + (z * z * c - r.high * r.low));
}

static bool is_finite(double value)
{
    return value - value == 0;
}

// sin(quarter pi/2 + rest)
static double turned_sine(unsigned quarter, pair rest)
{
    double value = (quarter & 1u) != 0 ? cosine_near_zero(rest) : sine_near_zero(rest);
    return (quarter & 2u) != 0 ? -value : value;
}

double cg_sin(double angle)
{
    if (!is_finite(angle)) {
        return (double)NAN;
    }
    reduced r = reduce(angle);
    return turned_sine(r.quarter, r.rest);
}

double cg_cos(double angle)
{
    if (!is_finite(angle)) {
        return (double)NAN;
    }
    reduced r = reduce(angle);
    return turned_sine(r.quarter + 1, r.rest);
}

void cg_sincos(double angle, double *sine, double *cosine)
{
    if (!is_finite(angle)) {
        *sine = *cosine = (double)NAN;
        return;
    }
    reduced r = reduce(angle);
    *sine = turned_sine(r.quarter, r.rest);
    *cosine = turned_sine(r.quarter + 1, r.rest);
}

// ---- inverse functions

// atan(k/8)
static const pair ATAN_OF_EIGHTHS[9] = {
    {0, 0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

// offset + sign atan(small / large), for 0 <= small <= large, large finite and above 0
static double offset_atan(pair offset, double sign, double small, double large)
{
    // Away from the ends of the range, so that sums do not overflow and products keep their bits. What the small one
    // can lose in this is too little to be seen in the result.
    double scale = large > 0x1p+900 ? 0x1p-120 : (large < 0x1p-900 ? 0x1p+120 : 1.0);
    small *= scale;
    large *= scale;
    int k = (int)(8 * (small / large) + 0.375);
    double c = 0.125 * k;
    double t = (small - c * large) / (large + c * small);
    double z = t * t;
    double a = 0x1.35a9f0a0d3ceep-4;
    a = -0x1.74525bbdd2a09p-4 + z * a;
    a = 0x1.c71c6760cababp-4 + z * a;
    a = -0x1.249249220ad5fp-3 + z * a;
    a = 0x1.999999999909dp-3 + z * a;
    a = -0x1.5555555555555p-2 + z * a;
    pair known = exact_sum(offset.high, sign * ATAN_OF_EIGHTHS[k].high);
    double correction = (known.low + offset.low) + sign * (ATAN_OF_EIGHTHS[k].low + t * z * a);
    return known.high + (sign * t + correction);
}

// The angle of (x, y) for y >= 0, where x is -x_size or x_size; neither is NaN.
static double angle_above(double y, double x_size, bool x_is_negative)
{
    const double infinity = (double)INFINITY;
    if (y == infinity || x_size == infinity) {
        y = y == infinity; // only which of them is infinite counts
        x_size = x_size == infinity;
    }
    if (y == 0) {
        return x_is_negative ? CG_PI : 0;
    }
    if (y > x_size) {
        return offset_atan(HALF_PI_PAIR, x_is_negative ? 1.0 : -1.0, x_size, y);
    }
    const pair none = {0, 0};
    return offset_atan(x_is_negative ? PI_PAIR : none, x_is_negative ? -1.0 : 1.0, y, x_size);
}

double cg_atan2(double y, double x)
{
    if (y != y || x != x) {
        return (double)NAN;
    }
    double angle = angle_above(fabs(y), fabs(x), signbit(x) != 0);
    return signbit(y) != 0 ? -angle : angle;
}

double cg_atan(double ratio)
{
    return cg_atan2(ratio, 1);
}

// The other leg of a right triangle with hypotenuse 1; NaN when `leg` is longer. The factors keep what 1 - leg^2 loses.
static double other_leg(double leg)
{
    return sqrt((1 - leg) * (1 + leg));
}

double cg_asin(double sine)
{
    return cg_atan2(sine, other_leg(sine));
}

double cg_acos(double cosine)
{
    return cg_atan2(other_leg(cosine), cosine);
}

// x = n ln 2 + r, |r| <= ln 2 / 2; the first part of ln 2 has so few bits that n times it is exact.
double cg_exp(double x)
{
    const double first = 0x1.62e42fee00000p-1, rest = 0x1.a39ef35793c76p-33, inverse = 0x1.71547652b82fep0;
    if (!(x < 709.78)) {
        return x != x ? x : HUGE_VAL;
    }
    if (x < -708) {
        return 0;
    }
    int n = (int)(x * inverse + (x < 0 ? -0.5 : 0.5));
    double low = (double)n * rest, high = x - (double)n * first, r = high - low, sum = 1;
    for (int k = 13; k > 1; k--) {
        sum = 1 + r * sum / k;
    }
    double value = 1 + (r * sum + ((high - r) - low));
    for (double by = n < 0 ? 0.5 : 2; n != 0; n += n < 0 ? 1 : -1) {
        value *= by;
    }
    return value;
}
