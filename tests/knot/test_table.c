// The table agrees with what is published, and nothing of up to nine crossings can be taken for something else.
#include <stdlib.h>
#include <string.h>

#include "braids.h"
#include "harness.h"
#include "knot/diagram.h"
#include "knot/table.h"

enum { ROOM = 96 };

// Memory for one diagram and work space, and the polynomials of the table as its braid words give them.
typedef struct desk {
    void *memory;
    cg_diagram diagram;
    cg_polynomial_work work;
    cg_polynomial jones[CG_TABLE_KNOTS], mirrored[CG_TABLE_KNOTS], alexander[CG_TABLE_KNOTS];
} desk;

static void braid(desk *d, const char *word, int strands)
{
    signed char letters[ROOM];
    int count = cg_table_letters(word, letters, ROOM);
    CHECK(diagram_from_braid(&d->diagram, letters, count, strands));
}

static void set_up(desk *d)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    for (int round = 0; round < 2; round++) {
        cg_diagram_layout(&d->diagram, ROOM, &arena);
        cg_polynomial_layout(&d->work, &arena);
        if (round == 0) {
            size_t bytes = cg_arena_used(&arena);
            d->memory = aligned_alloc(64, bytes);
            if (!d->memory) {
                abort();
            }
            cg_arena_init(&arena, d->memory, bytes);
        }
    }
    for (int i = 0; i < CG_TABLE_KNOTS; i++) {
        const cg_table_entry *entry = cg_table_entry_at(i);
        braid(d, entry->word, entry->strands);
        CHECK(cg_polynomial_jones(&d->diagram, &d->work, &d->jones[i]));
        CHECK(cg_polynomial_alexander(&d->diagram, &d->work, &d->alexander[i]));
        cg_polynomial_reverse(&d->jones[i], &d->mirrored[i]);
    }
}

TEST(determinants_are_those_of_the_literature)
{
    static const int expected[CG_TABLE_KNOTS] = {3,  5,  5,  7,  9,  11, 13, 7,  11, 13, 15, 17, 19, 21, 13, 17, 17, 19,
                                                 21, 23, 23, 25, 25, 27, 27, 29, 29, 31, 33, 35, 37, 45, 3,  9,  15, 9};
    desk d;
    set_up(&d);
    for (int i = 0; i < CG_TABLE_KNOTS; i++) {
        CHECK_INT(cg_polynomial_size_at_minus_one(&d.jones[i]), expected[i]);
        CHECK_INT(cg_polynomial_size_at_minus_one(&d.alexander[i]), expected[i]);
        long long jones = 0, alexander = 0;
        for (int k = 0; k < d.jones[i].count; k++) {
            jones += d.jones[i].coefficient[k];
        }
        for (int k = 0; k < d.alexander[i].count; k++) {
            alexander += d.alexander[i].coefficient[k];
        }
        CHECK_INT(jones, 1);
        CHECK_INT(alexander, 1);
    }
    free(d.memory);
}

// Published polynomials of some knots: lowest power and coefficients.
typedef struct published {
    int knot, jones_low, jones[10], jones_count, alexander[7], alexander_count;
} published;

TEST(polynomials_are_those_of_the_literature)
{
    static const published list[] = {
        {0, -4, {-1, 1, 0, 1}, 4, {1, -1, 1}, 3},
        {1, -2, {1, -1, 1, -1, 1}, 5, {-1, 3, -1}, 3},
        {3, -6, {-1, 1, -1, 2, -1, 1}, 6, {2, -3, 2}, 3},
        {9, 2, {1, -1, 2, -2, 3, -2, 1, -1}, 8, {2, -3, 3, -3, 2}, 5},
        {22, -4, {1, -2, 3, -4, 5, -4, 3, -2, 1}, 9, {-1, 3, -5, 7, -5, 3, -1}, 7},
        {32, 3, {1, 0, 1, 0, 0, -1}, 6, {1, -1, 0, 1, 0, -1, 1}, 7},
        {33, -5, {-1, 1, -1, 2, -1, 2, -1}, 7, {1, -2, 3, -2, 1}, 5},
    };
    desk d;
    set_up(&d);
    for (int i = 0; i < (int)(sizeof list / sizeof list[0]); i++) {
        const published *p = &list[i];
        const cg_polynomial *jones = &d.jones[p->knot], *alexander = &d.alexander[p->knot];
        CHECK_INT(jones->low, p->jones_low);
        CHECK_INT(jones->count, p->jones_count);
        for (int k = 0; k < p->jones_count; k++) {
            CHECK_INT(jones->coefficient[k], p->jones[k]);
        }
        CHECK_INT(alexander->count, p->alexander_count);
        for (int k = 0; k < p->alexander_count; k++) {
            CHECK_INT(alexander->coefficient[k], p->alexander[k]);
        }
    }
    free(d.memory);
}

static bool is_amphichiral(const desk *d, int knot)
{
    return cg_polynomial_equal(&d->jones[knot], &d->mirrored[knot]);
}

TEST(knots_that_are_their_own_mirror_image)
{
    static const int own[][2] = {{4, 1}, {6, 3}, {8, 3}, {8, 9}, {8, 12}, {8, 17}, {8, 18}};
    desk d;
    set_up(&d);
    for (int i = 0; i < CG_TABLE_KNOTS; i++) {
        const cg_table_entry *entry = cg_table_entry_at(i);
        bool expected = false;
        for (int k = 0; k < 7; k++) {
            expected = expected || (own[k][0] == entry->crossings && own[k][1] == entry->index);
        }
        CHECK_INT(is_amphichiral(&d, i), expected);
    }
    free(d.memory);
}

// Rolfsen's knots of nine crossings as closed braids.
static const struct {
    int strands;
    const char *word;
} NINE[] = {
    {2, "AAAAAAAAA"},    {5, "AAABaBCbCDcD"}, {3, "aaaaaaabAb"},  {4, "AAAAABaBCbC"},  {5, "aabAbbcBcdCd"},
    {3, "AAAAAABaBB"},   {4, "AAAABaBCbCC"},  {5, "AAbAbcBDcD"},  {3, "AAAAABaBBB"},   {4, "aabAbbbbcBc"},
    {4, "aaaaBacBc"},    {5, "AAbACbCDcD"},   {4, "aaaabAbbcBc"}, {5, "aabACbCdCd"},   {5, "aaabACbdCd"},
    {3, "aaaabbAbbb"},   {4, "aBaBBBcBc"},    {4, "AAABaBBBCbC"}, {5, "aBaBBCbdCd"},   {4, "AAAbACbCC"},
    {5, "aabAbCbdCd"},   {4, "AbAbCbbbC"},    {4, "AAABaBBCbCC"}, {4, "AAbACbbbC"},    {5, "AAbACBBdCd"},
    {4, "aaaBaBcBc"},    {4, "AAbAbbCbC"},    {4, "AAbACbbCC"},   {4, "aBBcBaBcB"},    {4, "AAbbAbCbC"},
    {4, "AAbAbCbCC"},    {4, "aaBaBacBc"},    {4, "AbAbbACbC"},   {4, "AbAbCbAbC"},    {5, "AABaBBCbbDcBDC"},
    {4, "aaaBaacBc"},    {5, "AAbACbadCbCd"}, {4, "AABBcBaBCCB"}, {5, "aabACBadcBcd"}, {4, "AbACbACbC"},
    {5, "AABacbbDCbCD"}, {4, "aaaBAAcBc"},    {4, "aaabaaCbC"},   {4, "AAABaacBc"},    {4, "AABaBACbC"},
    {4, "AbAbCBaBC"},    {4, "AbAbcbAbc"},    {4, "aabAbaCbAbC"}, {4, "aabaaCbAbcc"},
};

TEST(no_knot_of_nine_crossings_is_taken_for_one_of_the_table)
{
    desk d;
    set_up(&d);
    CHECK_INT(sizeof NINE / sizeof NINE[0], 49);
    int reduced = 0;
    for (int i = 1; i < 49; i++) {
        braid(&d, NINE[i].word, NINE[i].strands);
        cg_polynomial jones, alexander;
        CHECK(cg_polynomial_jones(&d.diagram, &d.work, &jones));
        CHECK(cg_polynomial_alexander(&d.diagram, &d.work, &alexander));
        CHECK_INT(cg_table_find(&jones, &alexander).knot, -1);
        CHECK(!(jones.count == 1 && alexander.count == 1));
        // All have diagrams of nine crossings; the moves find one, as good as always.
        cg_diagram_simplify(&d.diagram, 40);
        CHECK(cg_diagram_is_sound(&d.diagram));
        CHECK(d.diagram.crossing_count >= 9 && d.diagram.crossing_count <= 10);
        reduced += d.diagram.crossing_count == 9;
    }
    CHECK(reduced >= 47);
    free(d.memory);
}

// The constants of the table are those of its braid words, too.
TEST(no_two_lines_of_the_table_and_no_sum_look_alike)
{
    desk d;
    set_up(&d);
    for (int i = 0; i < CG_TABLE_KNOTS; i++) {
        cg_table_match match = cg_table_find(&d.jones[i], &d.alexander[i]);
        CHECK_INT(match.knot, i);
        CHECK(!match.mirror);
        match = cg_table_find(&d.mirrored[i], &d.alexander[i]);
        CHECK_INT(match.knot, i);
        CHECK_INT(match.mirror, !is_amphichiral(&d, i));
    }
    // Sums of two with at most nine crossings; 4_1#4_1 has the Jones polynomial of 8_9.
    int checked = 0;
    for (int i = 0; i < CG_TABLE_KNOTS; i++) {
        for (int j = i; j < CG_TABLE_KNOTS; j++) {
            if (cg_table_entry_at(i)->crossings + cg_table_entry_at(j)->crossings > 9) {
                continue;
            }
            for (int mirror = 0; mirror < 4; mirror++) {
                cg_polynomial jones, alexander;
                const cg_polynomial *a = mirror & 1 ? &d.mirrored[i] : &d.jones[i];
                const cg_polynomial *b = mirror & 2 ? &d.mirrored[j] : &d.jones[j];
                CHECK(cg_polynomial_multiply(a, b, &jones));
                CHECK(cg_polynomial_multiply(&d.alexander[i], &d.alexander[j], &alexander));
                CHECK_INT(cg_table_find(&jones, &alexander).knot, -1);
                checked++;
            }
        }
    }
    CHECK(checked >= 40);
    free(d.memory);
}

// The sum over all 2^c ways to join the half-edges, loop by loop: Jones by brute force, in powers of A.
static void brute_force_bracket(const cg_diagram *d, long long *sums, int middle)
{
    int n = d->crossing_count;
    for (unsigned choice = 0; choice < 1u << n; choice++) {
        bool seen[4 * 12] = {false};
        int loops = 0, power = 0;
        for (int c = 0; c < n; c++) {
            power += choice >> c & 1 ? 1 : -1;
        }
        for (int h = 0; h < 4 * n; h++) {
            int walk = h;
            loops += !seen[h];
            while (!seen[walk]) {
                seen[walk] = true;
                // Joined 0-1, 2-3 with weight A; 1-2, 3-0 with weight 1/A.
                int k = walk & 3, partner = choice >> (walk >> 2) & 1 ? k ^ 1 : 3 - k;
                walk = (walk & ~3) | partner;
                seen[walk] = true;
                walk = d->mate[walk];
            }
        }
        // (-A^2 - A^-2)^(loops - 1)
        long long term = (loops - 1) % 2 ? -1 : 1;
        for (int k = 0; k < loops; k++) {
            sums[middle + power + 2 * (loops - 1) - 4 * k] += term;
            term = term * (loops - 1 - k) / (k + 1);
        }
    }
}

TEST(jones_by_strips_agrees_with_the_sum_over_all_states)
{
    desk d;
    set_up(&d);
    uint64_t state = 3;
    for (int round = 0; round < test_count(60, 1000); round++) {
        int strands = test_random_int(&state, 2, 4), count = test_random_int(&state, strands, 10);
        signed char letters[16];
        for (int i = 0; i < count; i++) {
            int letter = test_random_int(&state, 1, strands - 1);
            letters[i] = (signed char)(test_random(&state, 0, 1) < 0.5 ? -letter : letter);
        }
        CHECK(diagram_from_braid(&d.diagram, letters, count, strands));
        bool knot = d.diagram.loose == 0;
        for (int c = 0; c < 2 * count; c++) {
            knot = knot && d.diagram.chain[c] == 0;
        }
        if (!knot) {
            continue;
        }
        enum { MIDDLE = 100 };
        long long sums[2 * MIDDLE + 1] = {0};
        brute_force_bracket(&d.diagram, sums, MIDDLE);
        int writhe = 0;
        for (int c = 0; c < count; c++) {
            writhe += letters[c] > 0 ? 1 : -1;
        }
        cg_polynomial jones;
        CHECK(cg_polynomial_jones(&d.diagram, &d.work, &jones));
        for (int power = -MIDDLE; power <= MIDDLE; power++) {
            // t^k = A^-4k; the bracket is to be multiplied by (-A^3)^-w.
            int shifted = power - 3 * writhe;
            long long value = writhe % 2 ? -sums[MIDDLE + power] : sums[MIDDLE + power];
            if (shifted % 4 != 0) {
                CHECK_INT(value, 0);
                continue;
            }
            int k = -shifted / 4 - jones.low;
            CHECK_INT(k >= 0 && k < jones.count ? jones.coefficient[k] : 0, value);
        }
    }
    free(d.memory);
}

TEST(moves_keep_the_knot)
{
    desk d;
    set_up(&d);
    uint64_t state = 9;
    int removed = 0;
    for (int round = 0; round < test_count(200, 5000); round++) {
        int strands = test_random_int(&state, 2, 5), count = test_random_int(&state, strands, 24);
        signed char letters[32];
        for (int i = 0; i < count; i++) {
            int letter = test_random_int(&state, 1, strands - 1);
            letters[i] = (signed char)(test_random(&state, 0, 1) < 0.5 ? -letter : letter);
        }
        CHECK(diagram_from_braid(&d.diagram, letters, count, strands));
        CHECK(cg_diagram_is_sound(&d.diagram));
        int loose = d.diagram.loose;
        cg_polynomial before, after;
        bool known = cg_polynomial_jones(&d.diagram, &d.work, &before);
        d.diagram.random = (uint64_t)round + 1;
        cg_diagram_simplify(&d.diagram, 1 + round % 4);
        CHECK(cg_diagram_is_sound(&d.diagram));
        CHECK(d.diagram.loose >= loose);
        removed += count - d.diagram.crossing_count;
        // A link that falls apart changes what is called its power of t; compare where both are of one kind.
        if (known && d.diagram.loose == loose) {
            CHECK(cg_polynomial_jones(&d.diagram, &d.work, &after));
            CHECK(cg_polynomial_equal(&before, &after));
        }
    }
    CHECK(removed > 100);
    free(d.memory);
}

TEST(links_of_two_threads)
{
    desk d;
    set_up(&d);
    for (int i = 0; i < CG_TABLE_LINKS; i++) {
        const cg_table_entry *entry = cg_table_link_at(i);
        braid(&d, entry->word, entry->strands);
        cg_polynomial jones;
        CHECK(cg_polynomial_jones(&d.diagram, &d.work, &jones));
        CHECK_INT(cg_table_find_link(&jones).knot, i);
        // Directions of the threads do not matter: turn the second one round.
        for (int h = 0; h < 4 * d.diagram.crossing_count; h++) {
            if (d.diagram.chain[2 * (h >> 2) + (h & 1)] == 1) {
                d.diagram.out[h] = !d.diagram.out[h];
            }
        }
        cg_polynomial turned;
        CHECK(cg_polynomial_jones(&d.diagram, &d.work, &turned));
        CHECK(cg_polynomial_equal(&jones, &turned));
    }
    free(d.memory);
}
