// The knots that have names: Rolfsen's table up to eight crossings, and 9_1, as braid words, with their polynomials. A
// test computes them from the words by the same code that looks at threads. All of it is constant: any number of
// threads may look things up at once.
//
// Chirality. The name without m is the knot as drawn in Rolfsen's table; so 3_1 is the left-handed trefoil and m3_1 the
// right-handed one.
//
// How sure. No two different knots with diagrams of at most nine crossings, mirror images and sums included, have the
// same Jones and the same Alexander polynomial; from ten crossings on some do (10_132 and 5_1). So a name is proven
// when the diagram could be reduced to nine crossings or fewer. No knot with a diagram of up to 24 crossings has the
// Jones polynomial 1 except the unknot.
#ifndef CATGUT_KNOT_TABLE_H
#define CATGUT_KNOT_TABLE_H

#include "knot/polynomial.h"

enum {
    CG_TABLE_PROVEN_CROSSINGS = 9,
    CG_TABLE_UNKNOT_CROSSINGS = 24,
    CG_TABLE_KNOTS = 36, // 3_1 to 8_21, and 9_1
    CG_TABLE_LINKS = 5
};

// A line of the table.
typedef struct cg_table_entry {
    int crossings, index; // Rolfsen's: 8 and 19 for 8_19
    int strands;          // of the braid
    const char *word;   // letters: a is strand 1 around strand 2 right-handed, A left-handed, b strand 2 around 3, ...
    const char *common; // what sailors or mathematicians call it, or NULL
} cg_table_entry;

// What the table says to a pair of polynomials.
typedef struct cg_table_match {
    int knot;    // line of the table; -1 for none
    bool mirror; // its mirror image
} cg_table_match;

const cg_table_entry *cg_table_entry_at(int knot);
// Links of two threads, in the same form; index is that of Rolfsen's crossings^2_index.
const cg_table_entry *cg_table_link_at(int link);

// The knot with these polynomials.
cg_table_match cg_table_find(const cg_polynomial *jones, const cg_polynomial *alexander);
// The line of a link, its mirror counted too; -1 for none.
cg_table_match cg_table_find_link(const cg_polynomial *jones);

// Reads a word of the table into letters, at most `room`; returns how many.
int cg_table_letters(const char *word, signed char *letters, int room);

#endif
