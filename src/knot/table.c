#include "knot/table.h"

#include <stddef.h>

// Rolfsen's knots as closed braids; capitals are inverse letters.
static const cg_table_entry KNOTS[CG_TABLE_KNOTS] = {
    {3, 1, 2, "AAA", "trefoil"},
    {4, 1, 3, "AbAb", "figure-eight"},
    {5, 1, 2, "AAAAA", "double overhand"},
    {5, 2, 3, "AAABaB", NULL},
    {6, 1, 4, "AABacBc", "stevedore"},
    {6, 2, 3, "AAAbAb", NULL},
    {6, 3, 3, "AAbAbb", NULL},
    {7, 1, 2, "AAAAAAA", "triple overhand"},
    {7, 2, 4, "AAABaBCbC", NULL},
    {7, 3, 3, "aaaaabAb", NULL},
    {7, 4, 4, "aabAbbcBc", NULL},
    {7, 5, 3, "AAAABaBB", NULL},
    {7, 6, 4, "AAbACbC", NULL},
    {7, 7, 4, "aBaBcBc", NULL},
    {8, 1, 5, "AABaBCbdCd", NULL},
    {8, 2, 3, "AAAAAbAb", NULL},
    {8, 3, 5, "AABacBcdCd", NULL},
    {8, 4, 4, "AAAbAbcBc", NULL},
    {8, 5, 3, "aaaBaaaB", NULL},
    {8, 6, 4, "AAAABacBc", NULL},
    {8, 7, 3, "aaaaBaBB", NULL},
    {8, 8, 4, "aaabACbCC", NULL},
    {8, 9, 3, "AAAbAbbb", NULL},
    {8, 10, 3, "aaaBaaBB", NULL},
    {8, 11, 4, "AABaBBcBc", NULL},
    {8, 12, 5, "AbACbdCd", NULL},
    {8, 13, 4, "AAbAbbcBc", NULL},
    {8, 14, 4, "AAABaBcBc", NULL},
    {8, 15, 4, "AAbACBBBC", NULL},
    {8, 16, 3, "AAbAAbAb", NULL},
    {8, 17, 3, "AAbAbAbb", NULL},
    {8, 18, 3, "AbAbAbAb", NULL},
    {8, 19, 3, "aaabaaab", NULL},
    {8, 20, 3, "aaaBAAAB", NULL},
    {8, 21, 3, "AAABaaBB", NULL},
    {9, 1, 2, "AAAAAAAAA", NULL},
};

static const cg_table_entry LINKS[CG_TABLE_LINKS] = {
    {0, 1, 2, "", "not linked"},          {2, 1, 2, "aa", "Hopf link"}, {4, 1, 2, "aaaa", "Solomon's knot"},
    {5, 1, 3, "aBaBB", "Whitehead link"}, {6, 1, 2, "aaaaaa", NULL},
};

// A polynomial as cg_polynomial has it, with room for no more than the table needs.
typedef struct table_polynomial {
    int low, count;
    int coefficient[13];
} table_polynomial;

// clang-format off
static const table_polynomial JONES[CG_TABLE_KNOTS] = {
    {-4, 4, {-1, 1, 0, 1}}, // 3_1
    {-2, 5, {1, -1, 1, -1, 1}}, // 4_1
    {-7, 6, {-1, 1, -1, 1, 0, 1}}, // 5_1
    {-6, 6, {-1, 1, -1, 2, -1, 1}}, // 5_2
    {-4, 7, {1, -1, 1, -2, 2, -1, 1}}, // 6_1
    {-5, 7, {1, -2, 2, -2, 2, -1, 1}}, // 6_2
    {-3, 7, {-1, 2, -2, 3, -2, 2, -1}}, // 6_3
    {-10, 8, {-1, 1, -1, 1, -1, 1, 0, 1}}, // 7_1
    {-8, 8, {-1, 1, -1, 2, -2, 2, -1, 1}}, // 7_2
    {2, 8, {1, -1, 2, -2, 3, -2, 1, -1}}, // 7_3
    {1, 8, {1, -2, 3, -2, 3, -2, 1, -1}}, // 7_4
    {-9, 8, {-1, 2, -3, 3, -3, 3, -1, 1}}, // 7_5
    {-6, 8, {-1, 2, -3, 4, -3, 3, -2, 1}}, // 7_6
    {-3, 8, {-1, 3, -3, 4, -4, 3, -2, 1}}, // 7_7
    {-6, 9, {1, -1, 1, -2, 2, -2, 2, -1, 1}}, // 8_1
    {-8, 9, {1, -2, 2, -3, 3, -2, 2, -1, 1}}, // 8_2
    {-4, 9, {1, -1, 2, -3, 3, -3, 2, -1, 1}}, // 8_3
    {-5, 9, {1, -2, 3, -3, 3, -3, 2, -1, 1}}, // 8_4
    {0, 9, {1, -1, 3, -3, 3, -4, 3, -2, 1}}, // 8_5
    {-7, 9, {1, -2, 3, -4, 4, -4, 3, -1, 1}}, // 8_6
    {-2, 9, {-1, 2, -2, 4, -4, 4, -3, 2, -1}}, // 8_7
    {-3, 9, {-1, 2, -3, 5, -4, 4, -3, 2, -1}}, // 8_8
    {-4, 9, {1, -2, 3, -4, 5, -4, 3, -2, 1}}, // 8_9
    {-2, 9, {-1, 2, -3, 5, -4, 5, -4, 2, -1}}, // 8_10
    {-7, 9, {1, -2, 3, -5, 5, -4, 4, -2, 1}}, // 8_11
    {-4, 9, {1, -2, 4, -5, 5, -5, 4, -2, 1}}, // 8_12
    {-3, 9, {-1, 3, -4, 5, -5, 5, -3, 2, -1}}, // 8_13
    {-7, 9, {1, -3, 4, -5, 6, -5, 4, -2, 1}}, // 8_14
    {-10, 9, {1, -3, 4, -6, 6, -5, 5, -2, 1}}, // 8_15
    {-6, 9, {-1, 3, -5, 6, -6, 6, -4, 3, -1}}, // 8_16
    {-4, 9, {1, -3, 5, -6, 7, -6, 5, -3, 1}}, // 8_17
    {-4, 9, {1, -4, 6, -7, 9, -7, 6, -4, 1}}, // 8_18
    {3, 6, {1, 0, 1, 0, 0, -1}}, // 8_19
    {-5, 7, {-1, 1, -1, 2, -1, 2, -1}}, // 8_20
    {-7, 7, {1, -2, 2, -3, 3, -2, 2}}, // 8_21
    {-13, 10, {-1, 1, -1, 1, -1, 1, -1, 1, 0, 1}}, // 9_1
};

static const table_polynomial ALEXANDER[CG_TABLE_KNOTS] = {
    {-1, 3, {1, -1, 1}}, // 3_1
    {-1, 3, {-1, 3, -1}}, // 4_1
    {-2, 5, {1, -1, 1, -1, 1}}, // 5_1
    {-1, 3, {2, -3, 2}}, // 5_2
    {-1, 3, {-2, 5, -2}}, // 6_1
    {-2, 5, {-1, 3, -3, 3, -1}}, // 6_2
    {-2, 5, {1, -3, 5, -3, 1}}, // 6_3
    {-3, 7, {1, -1, 1, -1, 1, -1, 1}}, // 7_1
    {-1, 3, {3, -5, 3}}, // 7_2
    {-2, 5, {2, -3, 3, -3, 2}}, // 7_3
    {-1, 3, {4, -7, 4}}, // 7_4
    {-2, 5, {2, -4, 5, -4, 2}}, // 7_5
    {-2, 5, {-1, 5, -7, 5, -1}}, // 7_6
    {-2, 5, {1, -5, 9, -5, 1}}, // 7_7
    {-1, 3, {-3, 7, -3}}, // 8_1
    {-3, 7, {-1, 3, -3, 3, -3, 3, -1}}, // 8_2
    {-1, 3, {-4, 9, -4}}, // 8_3
    {-2, 5, {-2, 5, -5, 5, -2}}, // 8_4
    {-3, 7, {-1, 3, -4, 5, -4, 3, -1}}, // 8_5
    {-2, 5, {-2, 6, -7, 6, -2}}, // 8_6
    {-3, 7, {1, -3, 5, -5, 5, -3, 1}}, // 8_7
    {-2, 5, {2, -6, 9, -6, 2}}, // 8_8
    {-3, 7, {-1, 3, -5, 7, -5, 3, -1}}, // 8_9
    {-3, 7, {1, -3, 6, -7, 6, -3, 1}}, // 8_10
    {-2, 5, {-2, 7, -9, 7, -2}}, // 8_11
    {-2, 5, {1, -7, 13, -7, 1}}, // 8_12
    {-2, 5, {2, -7, 11, -7, 2}}, // 8_13
    {-2, 5, {-2, 8, -11, 8, -2}}, // 8_14
    {-2, 5, {3, -8, 11, -8, 3}}, // 8_15
    {-3, 7, {1, -4, 8, -9, 8, -4, 1}}, // 8_16
    {-3, 7, {-1, 4, -8, 11, -8, 4, -1}}, // 8_17
    {-3, 7, {-1, 5, -10, 13, -10, 5, -1}}, // 8_18
    {-3, 7, {1, -1, 0, 1, 0, -1, 1}}, // 8_19
    {-2, 5, {1, -2, 3, -2, 1}}, // 8_20
    {-2, 5, {-1, 4, -5, 4, -1}}, // 8_21
    {-4, 9, {1, -1, 1, -1, 1, -1, 1, -1, 1}}, // 9_1
};

static const table_polynomial LINK_JONES[CG_TABLE_LINKS] = {
    {-1, 3, {-1, 0, -1}}, // 0^2_1
    {-2, 5, {-1, 0, 0, 0, -1}}, // 2^2_1
    {-3, 9, {-1, 0, 0, 0, -1, 0, 1, 0, -1}}, // 4^2_1
    {-7, 11, {1, 0, -2, 0, 1, 0, -2, 0, 1, 0, -1}}, // 5^2_1
    {-4, 13, {-1, 0, 0, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1}}, // 6^2_1
};
// clang-format on

const cg_table_entry *cg_table_entry_at(int knot)
{
    return &KNOTS[knot];
}

const cg_table_entry *cg_table_link_at(int link)
{
    return &LINKS[link];
}

int cg_table_letters(const char *word, signed char *letters, int room)
{
    int count = 0;
    for (; word[count] && count < room; count++) {
        bool inverse = word[count] < 'a';
        letters[count] = (signed char)(inverse ? -(word[count] - 'A' + 1) : word[count] - 'a' + 1);
    }
    return count;
}

static bool is_equal(const cg_polynomial *a, const table_polynomial *b)
{
    bool equal = a->low == b->low && a->count == b->count;
    for (int i = 0; equal && i < b->count; i++) {
        equal = a->coefficient[i] == b->coefficient[i];
    }
    return equal;
}

cg_table_match cg_table_find(const cg_polynomial *jones, const cg_polynomial *alexander)
{
    cg_polynomial mirrored;
    cg_polynomial_reverse(jones, &mirrored);
    for (int i = 0; i < CG_TABLE_KNOTS; i++) {
        if (is_equal(alexander, &ALEXANDER[i])) {
            if (is_equal(jones, &JONES[i])) {
                return (cg_table_match){i, false};
            }
            if (is_equal(&mirrored, &JONES[i])) {
                return (cg_table_match){i, true};
            }
        }
    }
    return (cg_table_match){-1, false};
}

cg_table_match cg_table_find_link(const cg_polynomial *jones)
{
    cg_polynomial mirrored;
    cg_polynomial_reverse(jones, &mirrored);
    for (int i = 0; i < CG_TABLE_LINKS; i++) {
        if (is_equal(jones, &LINK_JONES[i])) {
            return (cg_table_match){i, false};
        }
        if (is_equal(&mirrored, &LINK_JONES[i])) {
            return (cg_table_match){i, true};
        }
    }
    return (cg_table_match){-1, false};
}
