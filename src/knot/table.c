#include "knot/table.h"

#include <stddef.h>
#include <string.h>

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

// Follows the threads and numbers them.
static void number_threads(cg_diagram *d)
{
    int chain = 0;
    for (int s = 0; s < 2 * d->crossing_count; s++) {
        d->chain[s] = -1;
    }
    for (int s = 0; s < 2 * d->crossing_count; s++) {
        if (d->chain[s] >= 0) {
            continue;
        }
        int start = 4 * (s / 2) + (s & 1), walk = d->out[start] ? start ^ 2 : start;
        start = walk;
        do {
            int strand = 2 * (walk >> 2) + (walk & 1);
            d->chain[strand] = chain;
            walk = d->mate[walk ^ 2];
        } while (walk != start);
        chain++;
    }
}

bool cg_diagram_from_braid(cg_diagram *diagram, const signed char *letters, int count, int strands)
{
    enum { MOST_STRANDS = 16 };
    int top[MOST_STRANDS], bottom[MOST_STRANDS];
    if (count > diagram->room || strands > MOST_STRANDS) {
        return false;
    }
    for (int i = 0; i < strands; i++) {
        top[i] = bottom[i] = -1;
    }
    diagram->crossing_count = count;
    diagram->loose = 0;
    for (int c = 0; c < count; c++) {
        bool positive = letters[c] > 0;
        int left = (positive ? letters[c] : -letters[c]) - 1;
        // Strands run upwards; half-edges counterclockwise from the lower end of the strand below.
        int lower_left = 4 * c + (positive ? 3 : 0), lower_right = 4 * c + (positive ? 0 : 1);
        const int ends[2] = {lower_left, lower_right};
        for (int k = 0; k < 2; k++) {
            diagram->out[ends[k]] = 0;
            diagram->out[ends[k] ^ 2] = 1;
            if (top[left + k] < 0) {
                bottom[left + k] = ends[k];
            } else {
                diagram->mate[top[left + k]] = ends[k];
                diagram->mate[ends[k]] = top[left + k];
            }
        }
        top[left] = lower_right ^ 2;
        top[left + 1] = lower_left ^ 2;
    }
    for (int i = 0; i < strands; i++) {
        if (top[i] < 0) {
            diagram->loose++;
        } else {
            diagram->mate[top[i]] = bottom[i];
            diagram->mate[bottom[i]] = top[i];
        }
    }
    number_threads(diagram);
    return true;
}

void cg_table_layout(cg_table *table, cg_arena *arena)
{
    table->jones = cg_arena_push_array(arena, cg_polynomial, CG_TABLE_KNOTS);
    table->mirrored = cg_arena_push_array(arena, cg_polynomial, CG_TABLE_KNOTS);
    table->alexander = cg_arena_push_array(arena, cg_polynomial, CG_TABLE_KNOTS);
    table->link_jones = cg_arena_push_array(arena, cg_polynomial, CG_TABLE_LINKS);
}

void cg_table_fill(cg_table *table, cg_diagram *diagram, cg_polynomial_work *work)
{
    signed char letters[16];
    for (int i = 0; i < CG_TABLE_KNOTS; i++) {
        int count = cg_table_letters(KNOTS[i].word, letters, 16);
        cg_diagram_from_braid(diagram, letters, count, KNOTS[i].strands);
        cg_polynomial_jones(diagram, work, &table->jones[i]);
        cg_polynomial_alexander(diagram, work, &table->alexander[i]);
        cg_polynomial_reverse(&table->jones[i], &table->mirrored[i]);
    }
    for (int i = 0; i < CG_TABLE_LINKS; i++) {
        int count = cg_table_letters(LINKS[i].word, letters, 16);
        cg_diagram_from_braid(diagram, letters, count, LINKS[i].strands);
        cg_polynomial_jones(diagram, work, &table->link_jones[i]);
    }
}

cg_table_match cg_table_find(const cg_table *table, const cg_polynomial *jones, const cg_polynomial *alexander)
{
    for (int i = 0; i < CG_TABLE_KNOTS; i++) {
        if (cg_polynomial_equal(alexander, &table->alexander[i])) {
            if (cg_polynomial_equal(jones, &table->jones[i])) {
                return (cg_table_match){i, false};
            }
            if (cg_polynomial_equal(jones, &table->mirrored[i])) {
                return (cg_table_match){i, true};
            }
        }
    }
    return (cg_table_match){-1, false};
}

cg_table_match cg_table_find_link(const cg_table *table, const cg_polynomial *jones)
{
    cg_polynomial mirrored;
    cg_polynomial_reverse(jones, &mirrored);
    for (int i = 0; i < CG_TABLE_LINKS; i++) {
        if (cg_polynomial_equal(jones, &table->link_jones[i])) {
            return (cg_table_match){i, false};
        }
        if (cg_polynomial_equal(&mirrored, &table->link_jones[i])) {
            return (cg_table_match){i, true};
        }
    }
    return (cg_table_match){-1, false};
}

bool cg_table_is_amphichiral(const cg_table *table, int knot)
{
    return cg_polynomial_equal(&table->jones[knot], &table->mirrored[knot]);
}
