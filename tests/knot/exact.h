// Polygons with whole-number corners, judged without rounding: whether they touch themselves, and two invariants of the
// knot that they are. Nothing here is shared with the code under test.
//
// A picture is taken along a whole-number direction d. Segments A B and C D with u = B - A, v = D - C, w = C - A cross
// in it when their flat pictures do; then A + s u and C + t v differ by l d with l = det(u, v, w) / det(u, v, d), so
// the second one is above when l > 0.
//
// Determinant: the matrix of colourings, 2 for the arc above and -1 for the two below, without a row and a column,
// modulo a prime. v2, the second coefficient of Conway's polynomial: the sum of products of signs over pairs of
// crossings that are met as over, under, under, over, the first and third pass being those of one crossing (Polyak and
// Viro's formula).
#ifndef CATGUT_TESTS_KNOT_EXACT_H
#define CATGUT_TESTS_KNOT_EXACT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { EXACT_ROOM = 400, EXACT_CROSSINGS = 300 };

__extension__ typedef __int128 exact_wide;

typedef struct exact_point {
    int64_t x, y, z; // below 2^38
} exact_point;

// What is known of a closed polygon.
typedef struct exact_knot {
    bool touches;         // a corner or strand lies upon another strand
    bool told;            // the rest could be computed
    int crossings;        // in the picture
    uint64_t determinant; // modulo 1000000007, without sign
    int v2;
} exact_knot;

static inline exact_point exact_sub(exact_point a, exact_point b)
{
    return (exact_point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline bool exact_same(exact_point a, exact_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline exact_wide exact_det(exact_point a, exact_point b, exact_point c)
{
    return (exact_wide)a.x * ((exact_wide)b.y * c.z - (exact_wide)b.z * c.y) -
           (exact_wide)a.y * ((exact_wide)b.x * c.z - (exact_wide)b.z * c.x) +
           (exact_wide)a.z * ((exact_wide)b.x * c.y - (exact_wide)b.y * c.x);
}

static inline int exact_sign(exact_wide x)
{
    return (x > 0) - (x < 0);
}

// Whether r, on the line of p and q in a picture, lies between them.
static inline bool exact_between(exact_point p, exact_point q, exact_point r, exact_point d)
{
    // Along the picture: u and v coordinates of the picture, one of which differs.
    exact_wide pu = (exact_wide)p.x * d.z - (exact_wide)p.z * d.x, qu = (exact_wide)q.x * d.z - (exact_wide)q.z * d.x;
    exact_wide ru = (exact_wide)r.x * d.z - (exact_wide)r.z * d.x;
    exact_wide pv = (exact_wide)p.y * d.z - (exact_wide)p.z * d.y, qv = (exact_wide)q.y * d.z - (exact_wide)q.z * d.y;
    exact_wide rv = (exact_wide)r.y * d.z - (exact_wide)r.z * d.y;
    return exact_sign(ru - pu) * exact_sign(ru - qu) <= 0 && exact_sign(rv - pv) * exact_sign(rv - qv) <= 0;
}

// How two segments look along d: 0 apart, 1 crossing at inner points, 2 anything in between.
static inline int exact_look(exact_point a, exact_point b, exact_point c, exact_point e, exact_point d)
{
    exact_point u = exact_sub(b, a), v = exact_sub(e, c);
    int c_side = exact_sign(exact_det(u, exact_sub(c, a), d)), e_side = exact_sign(exact_det(u, exact_sub(e, a), d));
    int a_side = exact_sign(exact_det(v, exact_sub(a, c), d)), b_side = exact_sign(exact_det(v, exact_sub(b, c), d));
    if (c_side * e_side > 0 || a_side * b_side > 0) {
        return 0;
    }
    if (c_side * e_side < 0 && a_side * b_side < 0) {
        return 1;
    }
    bool meet = (c_side == 0 && exact_between(a, b, c, d)) || (e_side == 0 && exact_between(a, b, e, d)) ||
                (a_side == 0 && exact_between(c, e, a, d)) || (b_side == 0 && exact_between(c, e, b, d));
    return meet ? 2 : 0;
}

// Whether two segments have a point in common. They must lie in one plane, and meet in a picture that keeps the plane.
static inline bool exact_meet(exact_point a, exact_point b, exact_point c, exact_point e)
{
    static const exact_point directions[3] = {{131, 257, 769}, {-409, 83, 523}, {211, -577, 307}};
    exact_point u = exact_sub(b, a), v = exact_sub(e, c), w = exact_sub(c, a);
    if (exact_det(u, v, w) != 0) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        exact_point d = directions[i];
        bool keeps = exact_det(u, v, d) != 0 || exact_det(u, w, d) != 0 || exact_det(v, w, d) != 0;
        if (keeps || i == 2) {
            return exact_look(a, b, c, e, d) != 0; // all on one line: any direction will do
        }
    }
    return false;
}

typedef struct exact_pass {
    int crossing, segment;
    long double along;
    bool over;
} exact_pass;

static inline int exact_compare(const void *a, const void *b)
{
    const exact_pass *p = a, *q = b;
    if (p->segment != q->segment) {
        return p->segment - q->segment;
    }
    return (p->along > q->along) - (p->along < q->along);
}

static inline uint64_t exact_power(uint64_t base, uint64_t exponent)
{
    const uint64_t prime = 1000000007;
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        result = exponent & 1 ? result * base % prime : result;
        base = base * base % prime;
    }
    return result;
}

static inline uint64_t exact_determinant(const exact_pass *passes, int crossings)
{
    const uint64_t prime = 1000000007;
    static uint64_t m[EXACT_CROSSINGS][EXACT_CROSSINGS];
    int arc = 0;
    for (int i = 0; i < crossings; i++) {
        for (int j = 0; j < crossings; j++) {
            m[i][j] = 0;
        }
    }
    for (int i = 0; i < 2 * crossings; i++) {
        uint64_t *row = m[passes[i].crossing];
        if (passes[i].over) {
            row[arc] = (row[arc] + 2) % prime;
        } else {
            row[arc] = (row[arc] + prime - 1) % prime;
            arc = (arc + 1) % crossings;
            row[arc] = (row[arc] + prime - 1) % prime;
        }
    }
    uint64_t product = 1;
    int n = crossings - 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        while (pivot < n && m[pivot][k] == 0) {
            pivot++;
        }
        if (pivot == n) {
            return 0;
        }
        for (int j = 0; j < n; j++) {
            uint64_t kept = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = kept;
        }
        product = product * m[k][k] % prime;
        uint64_t inverse = exact_power(m[k][k], prime - 2);
        for (int i = k + 1; i < n; i++) {
            uint64_t factor = m[i][k] * inverse % prime;
            for (int j = k; factor != 0 && j < n; j++) {
                m[i][j] = (m[i][j] + (prime - factor) * m[k][j]) % prime;
            }
        }
    }
    return product < prime - product ? product : prime - product;
}

static inline int exact_v2(const exact_pass *passes, const int *signs, int crossings)
{
    int first[EXACT_CROSSINGS], second[EXACT_CROSSINGS], sum = 0;
    for (int c = 0; c < crossings; c++) {
        first[c] = -1;
    }
    for (int i = 0; i < 2 * crossings; i++) {
        int c = passes[i].crossing;
        *(first[c] < 0 ? &first[c] : &second[c]) = i;
    }
    for (int i = 0; i < crossings; i++) {
        for (int j = 0; j < crossings; j++) {
            bool crosswise = first[i] < first[j] && first[j] < second[i] && second[i] < second[j];
            if (crosswise && passes[first[i]].over && !passes[first[j]].over) {
                sum += signs[i] * signs[j];
            }
        }
    }
    return sum;
}

// The picture of a closed polygon along d. False when it is unclear or too large.
static inline bool exact_picture(const exact_point *p, int count, exact_point d, exact_knot *knot)
{
    static exact_pass passes[2 * EXACT_CROSSINGS];
    static int signs[EXACT_CROSSINGS];
    int n = 0;
    for (int i = 0; i < count; i++) {
        for (int j = i + 2; j < count; j++) {
            exact_point a = p[i], b = p[i + 1], c = p[j], e = p[(j + 1) % count];
            int seen = i == 0 && j == count - 1 ? 0 : exact_look(a, b, c, e, d);
            if (seen == 2 || (seen == 1 && n == EXACT_CROSSINGS)) {
                return false;
            }
            if (seen == 0) {
                continue;
            }
            exact_point u = exact_sub(b, a), v = exact_sub(e, c), w = exact_sub(c, a);
            exact_wide turn = exact_det(u, v, d);
            bool second_over = exact_sign(exact_det(u, v, w)) * exact_sign(turn) > 0;
            passes[2 * n] = (exact_pass){n, i, (long double)exact_det(w, v, d) / (long double)turn, !second_over};
            passes[2 * n + 1] = (exact_pass){n, j, (long double)exact_det(w, u, d) / (long double)turn, second_over};
            // Seen against d, the one above turns to the one below counterclockwise when (over x under) . d > 0.
            signs[n++] = (turn > 0) == !second_over ? 1 : -1;
        }
    }
    qsort(passes, 2 * (size_t)n, sizeof passes[0], exact_compare);
    for (int i = 1; i < 2 * n; i++) {
        if (passes[i].segment == passes[i - 1].segment && passes[i].along - passes[i - 1].along < 1e-15L) {
            return false;
        }
    }
    knot->crossings = n;
    knot->determinant = n < 2 ? 1 : exact_determinant(passes, n);
    knot->v2 = exact_v2(passes, signs, n);
    return true;
}

static inline bool exact_is_short(exact_point a, exact_point b, int64_t most)
{
    exact_point d = exact_sub(b, a);
    return llabs(d.x) <= most && llabs(d.y) <= most && llabs(d.z) <= most;
}

// Judges a closed polygon. No two corners in a row may be the same. Two segments on either side of a short one, whose
// parts are at most `most`, may meet: that is a curl at a tip, and the knot is the same whichever way it is.
static inline exact_knot exact_judge(const exact_point *p, int count, int64_t most)
{
    exact_knot knot = {.touches = false};
    for (int i = 0; i < count; i++) {
        for (int j = i + 2; j < count && !knot.touches; j++) {
            bool tip = (j == i + 2 && exact_is_short(p[i + 1], p[j], most)) ||
                       (j == count - 2 && i == 0 && exact_is_short(p[j + 1], p[0], most)) ||
                       (j == count - 1 && i == 1 && exact_is_short(p[0], p[1], most));
            if ((i != 0 || j != count - 1) && !tip) {
                knot.touches = exact_meet(p[i], p[i + 1], p[j], p[(j + 1) % count]);
            }
        }
    }
    static const exact_point directions[6] = {{101, 211, 887},  {-367, 149, 641}, {53, -419, 733},
                                              {-241, -17, 599}, {307, 97, 479},   {23, 61, 1013}};
    for (int i = 0; i < 6 && !knot.touches && !knot.told; i++) {
        knot.told = exact_picture(p, count, directions[i], &knot);
    }
    return knot;
}

#endif
