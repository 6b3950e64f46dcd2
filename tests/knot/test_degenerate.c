// Shapes in which something lies exactly upon something, or nearly so: corners on a grid, straight runs, repeated
// points, folds, corners upon strands. Either a clear error, or an answer; never a wrong one that is certain.
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/knot.h"
#include "exact.h"
#include "harness.h"
#include "knot/curves.h"

static exact_point corners[EXACT_ROOM];
static cg_vec3 points[3 * EXACT_ROOM];

// Names with at most seven crossings: determinant and v2, from the literature.
static const struct {
    const char *name;
    int determinant, v2;
} KNOWN[] = {{"0_1", 1, 0},  {"3_1", 3, 1},   {"4_1", 5, -1}, {"5_1", 5, 3},  {"5_2", 7, 2},
             {"6_1", 9, -2}, {"6_2", 11, -1}, {"6_3", 13, 1}, {"7_1", 7, 6},  {"7_2", 11, 3},
             {"7_3", 13, 5}, {"7_4", 15, 4},  {"7_5", 17, 4}, {"7_6", 19, 1}, {"7_7", 21, -1}};

// The invariants that a name stands for. False when a part is larger.
static bool known(const char *name, uint64_t *determinant, int *v2)
{
    char copy[80];
    snprintf(copy, sizeof copy, "%s", name);
    *determinant = 1;
    *v2 = 0;
    for (char *part = strtok(copy, "#"); part; part = strtok(NULL, "#")) {
        int found = -1;
        for (int i = 0; i < 15; i++) {
            found = strcmp(part + (part[0] == 'm'), KNOWN[i].name) == 0 ? i : found;
        }
        if (found < 0) {
            return false;
        }
        *determinant *= (uint64_t)KNOWN[found].determinant;
        *v2 += KNOWN[found].v2;
    }
    return true;
}

static void swap_mirror(const char *name, char *to)
{
    // Parts are in order of the table, mirror images behind; so compare as lists: m3_1 and 3_1 change places.
    static const char *const own[] = {"0_1", "4_1", "6_3", "8_3", "8_9", "8_12", "8_17", "8_18"};
    char copy[80], plain[8][16];
    bool mirror[8];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", name);
    for (char *part = strtok(copy, "#"); part && count < 8; part = strtok(NULL, "#"), count++) {
        mirror[count] = part[0] != 'm';
        snprintf(plain[count], sizeof plain[count], "%s", part + (part[0] == 'm'));
        for (int i = 0; i < 8; i++) {
            mirror[count] = mirror[count] && strcmp(plain[count], own[i]) != 0;
        }
    }
    to[0] = 0;
    for (int i = 0; i < count;) {
        int end = i;
        while (end < count && strcmp(plain[end], plain[i]) == 0) {
            end++;
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int k = i; k < end; k++) {
                if (mirror[k] == (pass == 1)) {
                    snprintf(to + strlen(to), 80 - strlen(to), "%s%s%s", to[0] ? "#" : "", pass ? "m" : "", plain[k]);
                }
            }
        }
        i = end;
    }
}

// What came of many shapes.
typedef struct tally {
    int shapes, touching, refused, uncertain, certain, knotted;
} tally;

// Copies the corners as they are given to the code: scaled, shifted, some repeated, some with a point in between.
static int copy_corners(int count, bool closed, double unit, cg_vec3 shift, bool mirror, uint64_t *state)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        exact_point p = corners[i], q = corners[(i + 1) % count];
        cg_vec3 here = v3((double)p.x * unit, (double)p.y * unit, (double)p.z * unit);
        cg_vec3 next = v3((double)q.x * unit, (double)q.y * unit, (double)q.z * unit);
        here = v3_add(mirror ? v3(here.x, here.y, -here.z) : here, shift);
        next = v3_add(mirror ? v3(next.x, next.y, -next.z) : next, shift);
        int kind = test_random_int(state, 0, 9);
        points[n++] = here;
        if (kind < 2) {
            points[n++] = here;
        }
        if (kind == 3 && (closed || i + 1 < count)) {
            points[n++] = v3_scale(0.5, v3_add(here, next)); // without rounding: corners are even
        }
    }
    return n;
}

// Names the corners, closed or with the two last ones left out, and holds it against what is known.
static void attack(int count, bool closed, double unit, cg_vec3 shift, tally *t, uint64_t *state)
{
    // In the shapes that are moved a little, corners that nearly repeat are up to 8 apart; elsewhere no two are.
    exact_knot truth = exact_judge(corners, count, unit < 0.01 ? 8 : 0);
    int used = closed ? count : count - 2;
    cg_knot_report report[2];
    cg_status status[2];
    for (int mirror = 0; mirror < 2; mirror++) {
        cg_knot_thread thread = {.points = points, .closed = closed};
        thread.count = copy_corners(used, closed, unit, shift, mirror, state);
        status[mirror] = cg_knot_identify(&thread, 1, NULL, &report[mirror]);
        CHECK(status[mirror].code == CG_OK || (status[mirror].code == CG_BAD_INPUT && status[mirror].message[0]));
    }
    t->shapes++;
    t->touching += truth.touches;
    if (status[0].code != CG_OK) {
        t->refused++;
        return;
    }
    t->uncertain += !report[0].certain;
    if (!report[0].certain) {
        return;
    }
    t->certain++;
    if (!CHECK(!truth.touches) || !truth.told) {
        return;
    }
    uint64_t determinant;
    int v2;
    t->knotted += strcmp(report[0].name, "0_1") != 0;
    CHECK_INT(report[0].determinant, truth.determinant);
    if (known(report[0].name, &determinant, &v2)) {
        CHECK_INT(determinant, truth.determinant);
        CHECK_INT(v2, truth.v2);
    }
    if (status[1].code == CG_OK && report[1].certain) {
        char expected[80];
        swap_mirror(report[0].name, expected);
        CHECK_STR(report[1].name, expected);
    }
}

// Corners at random on a small grid, no two in a row the same; even numbers.
static void random_corners(int from, int to, int size, uint64_t *state)
{
    for (int i = from; i < to; i++) {
        do {
            int64_t x = 2 * test_random_int(state, -size, size);
            int64_t y = 2 * test_random_int(state, -size, size);
            corners[i] = (exact_point){x, y, 2 * test_random_int(state, -size, size)};
        } while (i > 0 && exact_same(corners[i], corners[i - 1]));
    }
}

// Ends far outside on both sides and a way around: the corners in between are an open thread.
static int add_way_around(int count, int64_t far)
{
    corners[0] = (exact_point){-far, 2, 4};
    corners[count - 1] = (exact_point){far, -4, 2};
    corners[count] = (exact_point){4 * far, 16 * far, 2};
    corners[count + 1] = (exact_point){-4 * far, 16 * far, 0};
    return count + 2;
}

static void report_tally(const char *what, const tally *t)
{
    printf("%s: %d shapes, %d touch themselves; %d refused, %d uncertain, %d certain (%d knotted)\n", what, t->shapes,
           t->touching, t->refused, t->uncertain, t->certain, t->knotted);
}

TEST(corners_on_a_grid)
{
    for (int closed = 0; closed < 2; closed++) {
        tally t = {0};
        uint64_t state = 31;
        for (int trial = 0; trial < test_count(150, 20000); trial++) {
            int count = test_random_int(&state, 5, 26), size = test_random_int(&state, 1, 9);
            random_corners(0, count, size, &state);
            if (exact_same(corners[0], corners[count - 1])) {
                continue;
            }
            int all = closed ? count : add_way_around(count, 40);
            attack(all, closed, 1.0, v3_zero(), &t, &state);
        }
        report_tally(closed ? "closed" : "open", &t);
        CHECK(t.certain > t.shapes / 20 && t.touching > t.shapes / 20);
    }
}

TEST(corners_nearly_upon_strands)
{
    // The same, then moved by one part in 3e7 or in 3e11 of their size: an answer may be found for the first, and must
    // be right; the second is below what may be told.
    static const int64_t scales[2] = {10000000, 1000000000};
    for (int s = 0; s < 2; s++) {
        tally t = {0};
        uint64_t state = 77;
        for (int trial = 0; trial < test_count(150, 8000); trial++) {
            int count = test_random_int(&state, 5, 20), closed = trial % 2;
            random_corners(0, count, 3, &state);
            for (int i = 1; i < count - 1 && trial % 4 > 1; i += 2) {
                // Now and then a corner nearly repeats the one before.
                corners[i] = test_random_int(&state, 0, 1) == 0 ? corners[i - 1] : corners[i];
            }
            for (int i = 0; i < count; i++) {
                int64_t dx = 2 * test_random_int(&state, -1, 1), dy = 2 * test_random_int(&state, -1, 1);
                corners[i].x = scales[s] * corners[i].x + dx;
                corners[i].y = scales[s] * corners[i].y + dy;
                corners[i].z = scales[s] * corners[i].z + 2 * test_random_int(&state, -1, 1);
                corners[i].x += i > 0 && exact_same(corners[i], corners[i - 1]) ? 4 : 0;
            }
            if (exact_same(corners[0], corners[count - 1])) {
                continue;
            }
            attack(closed ? count : add_way_around(count, 16 * scales[s]), closed, 1e-3, v3_zero(), &t, &state);
        }
        report_tally(s ? "moved by 3e-11" : "moved by 3e-8", &t);
        CHECK(t.certain > 0);
    }
}

TEST(far_from_the_origin)
{
    // Whole numbers stay whole: only what is computed from them is rounded.
    tally t = {0};
    uint64_t state = 5;
    for (int trial = 0; trial < test_count(100, 10000); trial++) {
        int count = test_random_int(&state, 6, 24), closed = trial % 2;
        random_corners(0, count, 4, &state);
        if (exact_same(corners[0], corners[count - 1])) {
            continue;
        }
        cg_vec3 shift = v3(9e8, -7e8, trial % 3 ? 8e8 : 0);
        attack(closed ? count : add_way_around(count, 40), closed, 1.0, shift, &t, &state);
    }
    report_tally("shifted", &t);
    CHECK(t.certain > t.shapes / 20);
}

TEST(knots_on_a_grid)
{
    // Knots of the workshop with their corners moved to a grid, coarser and coarser until strands meet.
    tally t = {0};
    uint64_t state = 12;
    static cg_vec3 curve_points[2000];
    for (int trial = 0; trial < test_count(30, 1500); trial++) {
        cg_curve_def def = cg_curve_def_default();
        int kind = test_random_int(&state, CG_CURVE_OVERHAND, CG_CURVE_GRANNY);
        def.kind = (cg_curve_kind)kind;
        def.spacing *= test_random(&state, 4, 8);
        cg_curve curve;
        if (cg_curve_make(&def, curve_points, 2000, &curve).code != CG_OK || curve.point_count[0] > EXACT_ROOM - 8) {
            continue;
        }
        double grid = test_random(&state, 0.5, 12) / def.radius;
        int count = 1;
        for (int i = 0; i < curve.point_count[0]; i++) {
            cg_vec3 p = v3_scale(0.1 * grid, curve_points[i]);
            exact_point q = {2 * llround(p.x), 2 * llround(p.y), 2 * llround(p.z)};
            if (count == 1 || !exact_same(q, corners[count - 1])) {
                corners[count++] = q;
            }
        }
        int64_t side = corners[1].x < corners[count - 1].x ? 1 : -1, far = 2 * llround(20 * grid * def.radius + 400);
        corners[0] = (exact_point){-side * far, corners[1].y, corners[1].z};
        corners[count] = (exact_point){side * far, corners[count - 1].y, corners[count - 1].z};
        corners[count + 1] = (exact_point){4 * side * far, 16 * far, 2};
        corners[count + 2] = (exact_point){-4 * side * far, 16 * far, 0};
        attack(count + 3, false, 1.0 / 64, v3_zero(), &t, &state);
    }
    report_tally("knots", &t);
    CHECK(t.knotted > 0 && t.touching > 0);
}
