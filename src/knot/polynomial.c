#include "knot/polynomial.h"

#include <string.h>

bool cg_polynomial_equal(const cg_polynomial *a, const cg_polynomial *b)
{
    return a->low == b->low && a->count == b->count &&
           memcmp(a->coefficient, b->coefficient, (size_t)a->count * sizeof a->coefficient[0]) == 0;
}

void cg_polynomial_reverse(const cg_polynomial *a, cg_polynomial *reversed)
{
    cg_polynomial copy = *a;
    reversed->count = copy.count;
    reversed->low = -(copy.low + copy.count - 1);
    for (int i = 0; i < copy.count; i++) {
        reversed->coefficient[i] = copy.coefficient[copy.count - 1 - i];
    }
}

bool cg_polynomial_multiply(const cg_polynomial *a, const cg_polynomial *b, cg_polynomial *product)
{
    if (a->count + b->count - 1 > CG_POLYNOMIAL_ROOM || a->count == 0 || b->count == 0) {
        return false;
    }
    cg_polynomial sum = {a->low + b->low, a->count + b->count - 1, {0}};
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++) {
            sum.coefficient[i + j] += a->coefficient[i] * b->coefficient[j];
        }
    }
    *product = sum;
    return true;
}

uint64_t cg_polynomial_size_at_minus_one(const cg_polynomial *a)
{
    long long sum = 0;
    for (int i = 0; i < a->count; i++) {
        sum += i & 1 ? -a->coefficient[i] : a->coefficient[i];
    }
    return sum < 0 ? (uint64_t)-sum : (uint64_t)sum;
}

// ---- Alexander ----

static const uint64_t PRIME = 2147483647;

static uint64_t power_modulo(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
    }
    return result;
}

static uint64_t determinant(uint64_t *m, int n)
{
    uint64_t product = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        while (pivot < n && m[pivot * n + k] == 0) {
            pivot++;
        }
        if (pivot == n) {
            return 0;
        }
        if (pivot != k) {
            for (int j = k; j < n; j++) {
                uint64_t kept = m[k * n + j];
                m[k * n + j] = m[pivot * n + j];
                m[pivot * n + j] = kept;
            }
            product = PRIME - product;
        }
        product = product * m[k * n + k] % PRIME;
        uint64_t inverse = power_modulo(m[k * n + k], PRIME - 2);
        for (int i = k + 1; i < n; i++) {
            uint64_t factor = m[i * n + k] ? PRIME - m[i * n + k] * inverse % PRIME : 0;
            for (int j = k; factor && j < n; j++) {
                m[i * n + j] = (m[i * n + j] + factor * m[k * n + j]) % PRIME;
            }
        }
    }
    return product;
}

// Numbers the arcs: each half-edge gets the arc it belongs to. An arc ends where it passes below.
static void number_arcs(const cg_diagram *d, int *arc)
{
    int start = d->out[0] ? 0 : 2, walk = start, number = 0;
    do {
        arc[walk] = number;
        int in = d->mate[walk];
        arc[in] = number;
        if (!(in & 1)) {
            number++;
        }
        walk = in ^ 2;
    } while (walk != start);
}

// Row of a crossing: (1 - t) for the arc above, t and -1 for the arcs below to its left and right.
static uint64_t alexander_at(const cg_diagram *d, const int *arc, uint64_t t, uint64_t *m)
{
    int n = d->crossing_count - 1;
    memset(m, 0, (size_t)n * (size_t)n * sizeof *m);
    for (int c = 0; c < n; c++) {
        const unsigned char *out = d->out + 4 * c;
        // Looking along the strand above, the left hand side: half-edge 2 when it leaves by 1, else half-edge 0.
        int left = out[1] ? 2 : 0;
        int columns[3] = {arc[4 * c + 1], arc[4 * c + left], arc[4 * c + (left ^ 2)]};
        uint64_t values[3] = {(1 + PRIME - t) % PRIME, t, PRIME - 1};
        for (int k = 0; k < 3; k++) {
            if (columns[k] < n) {
                m[c * n + columns[k]] = (m[c * n + columns[k]] + values[k]) % PRIME;
            }
        }
    }
    return determinant(m, n);
}

// From values at t = 1 .. count: Newton's divided differences, then the powers.
static void interpolate(uint64_t *values, int count, uint64_t *powers)
{
    for (int k = 1; k < count; k++) {
        uint64_t inverse = power_modulo((uint64_t)k, PRIME - 2);
        for (int i = count - 1; i >= k; i--) {
            values[i] = (values[i] + PRIME - values[i - 1]) % PRIME * inverse % PRIME;
        }
    }
    memset(powers, 0, (size_t)count * sizeof *powers);
    for (int k = count - 1; k >= 0; k--) {
        // powers = powers (t - (k + 1)) + values[k]
        for (int i = count - 1; i >= 0; i--) {
            uint64_t lower = i > 0 ? powers[i - 1] : 0;
            powers[i] = (lower + (PRIME - (uint64_t)(k + 1)) * powers[i]) % PRIME;
        }
        powers[0] = (powers[0] + values[k]) % PRIME;
    }
}

bool cg_polynomial_alexander(const cg_diagram *diagram, cg_polynomial_work *work, cg_polynomial *alexander)
{
    int count = diagram->crossing_count;
    *alexander = (cg_polynomial){0, 1, {1}};
    if (count > CG_POLYNOMIAL_MAX_CROSSINGS) {
        return false;
    }
    if (count < 3) {
        return true;
    }
    uint64_t values[CG_POLYNOMIAL_MAX_CROSSINGS], powers[CG_POLYNOMIAL_MAX_CROSSINGS];
    number_arcs(diagram, work->arc);
    for (int i = 0; i < count; i++) {
        values[i] = alexander_at(diagram, work->arc, (uint64_t)(i + 1), work->matrix);
    }
    interpolate(values, count, powers);
    int first = 0, last = count - 1;
    while (first < count && powers[first] == 0) {
        first++;
    }
    while (last > first && powers[last] == 0) {
        last--;
    }
    long long sum = 0;
    alexander->count = first < count ? last - first + 1 : 0;
    for (int i = 0; i < alexander->count; i++) {
        uint64_t p = powers[first + i];
        alexander->coefficient[i] = p > PRIME / 2 ? (long long)p - (long long)PRIME : (long long)p;
        sum += alexander->coefficient[i];
    }
    for (int i = 0; sum < 0 && i < alexander->count; i++) {
        alexander->coefficient[i] = -alexander->coefficient[i];
    }
    alexander->low = -(alexander->count - 1) / 2;
    return true;
}
