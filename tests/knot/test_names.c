// label: slow
// Every knot of the table, its mirror image, sums and tangled unknots, in random shapes: all named right.
#include <stdio.h>
#include <string.h>

#include "catgut/knot.h"
#include "harness.h"
#include "knot/curves.h"
#include "knot/determinant.h"
#include "knot/table.h"
#include "knot/tangle.h"

static tangle shape;

// Appends the knot of a braid, upside down mirrored when asked, behind what is there. Units of about one.
static bool append_braid(const char *word, int strands, bool mirror)
{
    static cg_vec3 points[TANGLE_ROOM];
    signed char letters[16];
    int letter_count = cg_table_letters(word, letters, 16);
    cg_curve_def def = {.radius = 0.1, .tail = 1.0, .spacing = 0.85, .mirror = mirror};
    cg_curve curve;
    cg_status status = cg_curve_make_braid(&def, letters, letter_count, strands, points, TANGLE_ROOM, &curve);
    if (!CHECK_STR(status.message, "")) {
        return false;
    }
    double shift = shape.count > 0 ? shape.points[shape.count - 1].x + 0.5 - points[0].x : 0;
    for (int i = 0; i < curve.point_count[0]; i++) {
        shape.points[shape.count++] = v3_add(points[i], v3(shift, 0, 0));
    }
    return true;
}

// Brings the shape to the middle with a size of about 1.
static void centre(void)
{
    cg_vec3 sum = v3_zero();
    double size = 0;
    for (int i = 0; i < shape.count; i++) {
        sum = v3_add_scaled(sum, 1.0 / shape.count, shape.points[i]);
    }
    for (int i = 0; i < shape.count; i++) {
        shape.points[i] = v3_sub(shape.points[i], sum);
        double d = v3_length(shape.points[i]);
        size = d > size ? d : size;
    }
    for (int i = 0; i < shape.count; i++) {
        shape.points[i] = v3_scale(1 / size, shape.points[i]);
    }
}

// Closes the shape far above, tangles it as a closed polygon, and cuts it somewhere; or tangles it with its ends out.
static void randomise(uint64_t *state, int round)
{
    shape.closed = round % 2 == 0;
    if (shape.closed) {
        cg_vec3 first = shape.points[0], last = shape.points[shape.count - 1];
        double up = 0.4 * (last.x - first.x);
        shape.points[shape.count++] = v3(last.x + 0.5, last.y + up, 0.3);
        shape.points[shape.count++] = v3(first.x - 0.5, first.y + up, -0.3);
    }
    tangle_stretch(&shape, state);
    centre();
    if (!shape.closed) {
        // Ends well outside, so that nothing can be laid around them.
        for (int k = 0; k < 2; k++) {
            int end = k ? shape.count - 1 : 0, next = k ? shape.count - 2 : 1;
            cg_vec3 way = v3_unit_or(v3_sub(shape.points[end], shape.points[next]), v3_zero());
            shape.points[end] = v3_add_scaled(shape.points[end], 3, way);
        }
    }
    tangle_up(&shape, 60 + 20 * (round % 7), round % 5, 0.8, 2e-3, state);
    if (shape.closed) {
        tangle_cut(&shape, test_random_int(state, 0, shape.count - 1));
    }
}

static cg_knot_report identify(void)
{
    cg_knot_thread thread = {.points = shape.points, .count = shape.count};
    cg_knot_report report;
    CHECK_STR(cg_knot_identify(&thread, 1, NULL, &report).message, "");
    return report;
}

// Names a knot in many shapes and checks the name, or its mirrored form, each time. Returns how many were certain.
static int check_shapes(const char *const words[], const int strands[], int parts, const bool mirrors[],
                        const char *name, int rounds, uint64_t seed)
{
    int wrong = 0, certain = 0;
    uint64_t state = seed;
    for (int round = 0; round < rounds; round++) {
        shape.count = 0;
        for (int i = 0; i < parts; i++) {
            append_braid(words[i], strands[i], mirrors[i]);
        }
        randomise(&state, round);
        cg_knot_report report = identify();
        if (strcmp(report.name, name) != 0) {
            printf("%s, round %d: named %s (%d of %d closures, certain %d)\n", name, round, report.name,
                   report.agreeing, report.ways, report.certain);
            wrong++;
        }
        certain += report.certain;
        if (round % 2 == 0) {
            // A loop that was cut: its determinant by the matrix of the picture as it is, nothing simplified.
            uint64_t determinant = 0;
            CHECK_STR(cg_knot_determinant_closed(shape.points, shape.count, NULL, &determinant).message, "");
            CHECK_INT(report.determinant, determinant);
        }
    }
    CHECK_INT(wrong, 0);
    return certain;
}

TEST(every_knot_up_to_eight_crossings_and_its_mirror)
{
    int rounds = test_count(4, 1000), certain = 0, all = 0;
    for (int i = 0; i < CG_TABLE_KNOTS; i++) {
        const cg_table_entry *entry = cg_table_entry_at(i);
        // Knots that are their own mirror image have one name: known from the literature, not from our polynomials.
        static const int amphichiral[][2] = {{4, 1}, {6, 3}, {8, 3}, {8, 9}, {8, 12}, {8, 17}, {8, 18}};
        bool own_mirror = false;
        for (int k = 0; k < 7; k++) {
            own_mirror = own_mirror || (amphichiral[k][0] == entry->crossings && amphichiral[k][1] == entry->index);
        }
        for (int mirror = 0; mirror < 2; mirror++) {
            char name[16];
            snprintf(name, sizeof name, "%s%d_%d", mirror && !own_mirror ? "m" : "", entry->crossings, entry->index);
            bool mirrors[1] = {mirror};
            certain += check_shapes(&entry->word, &entry->strands, 1, mirrors, name, rounds / 2, (uint64_t)(7 * i + 1));
            all += rounds / 2;
        }
    }
    printf("%d of %d certain\n", certain, all);
    CHECK(certain > all / 2);
}

TEST(sums_of_knots)
{
    static const struct {
        const char *words[3], *name;
        int strands[3], parts;
        bool mirrors[3];
    } sums[] = {
        {{"AAA", "AAA", NULL}, "3_1#m3_1", {2, 2, 0}, 2, {false, true, false}},
        {{"AAA", "AAA", NULL}, "3_1#3_1", {2, 2, 0}, 2, {false, false, false}},
        {{"AAA", "AAA", NULL}, "m3_1#m3_1", {2, 2, 0}, 2, {true, true, false}},
        {{"AbAb", "AAA", NULL}, "3_1#4_1", {3, 2, 0}, 2, {false, false, false}},
        {{"AbAb", "AbAb", NULL}, "4_1#4_1", {3, 3, 0}, 2, {false, true, false}},
        {{"AAABaB", "AAAAA", "AAA"}, "m3_1#5_1#m5_2", {3, 2, 2}, 3, {true, false, true}},
    };
    for (int i = 0; i < 6; i++) {
        const char *words[3] = {sums[i].words[0], sums[i].words[1], sums[i].words[2]};
        check_shapes(words, sums[i].strands, sums[i].parts, sums[i].mirrors, sums[i].name, test_count(6, 1000),
                     (uint64_t)(1000 + i));
    }
}

// Crossings as seen along z: segment by segment.
static int count_crossings(const tangle *t)
{
    int crossings = 0;
    for (int i = 0; i + 1 < t->count; i++) {
        for (int j = i + 2; j + 1 < t->count; j++) {
            cg_vec3 a = t->points[i], b = t->points[i + 1], c = t->points[j], d = t->points[j + 1];
            double s1 = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
            double s2 = (b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x);
            double s3 = (d.x - c.x) * (a.y - c.y) - (d.y - c.y) * (a.x - c.x);
            double s4 = (d.x - c.x) * (b.y - c.y) - (d.y - c.y) * (b.x - c.x);
            crossings += s1 * s2 < 0 && s3 * s4 < 0;
        }
    }
    return crossings;
}

TEST(tangled_unknots)
{
    uint64_t state = 77;
    int wanted = test_count(40, 1000), found = 0, wrong = 0, certain = 0, most = 0;
    for (int round = 0; found < wanted && round < 40 * wanted; round++) {
        shape.count = 24;
        shape.closed = true;
        for (int i = 0; i < shape.count; i++) {
            double angle = 2 * 3.14159265358979 * i / shape.count;
            shape.points[i] = v3(0.7 * cos(angle), 0.7 * sin(angle), 0.05 * cos(3 * angle));
        }
        tangle_up(&shape, 400, 0, 1.0, 2e-3, &state);
        tangle_cut(&shape, test_random_int(&state, 0, shape.count - 1));
        int crossings = count_crossings(&shape);
        if (crossings < 20 || crossings > 60) {
            continue;
        }
        found++;
        most = crossings > most ? crossings : most;
        cg_knot_report report = identify();
        if (strcmp(report.name, "0_1") != 0) {
            printf("unknot of %d crossings named %s (%d of %d)\n", crossings, report.name, report.agreeing,
                   report.ways);
            wrong++;
        }
        certain += report.certain;
    }
    printf("%d unknots, up to %d crossings, %d certain\n", found, most, certain);
    CHECK_INT(found, wanted);
    CHECK_INT(wrong, 0);
}
