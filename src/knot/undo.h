// How a row of throws comes undone.
//
// A part in which two strands wind around each other by 3, 5, 7 half turns is a throw with 1, 2, 3 wraps. The parts
// alone do not tell their order, nor whether they were tied upon each other or one behind the other: all that is the
// same to topology. So the thread is shortened in thought, from its first end and from its last one, and it is noted
// where each part comes undone. Throws upon each other are undone in the same order from both ends, the outermost
// first, and every place from the first end comes before every place from the last; knots in a row are undone in
// opposite orders.
//
// The places are found by halving. A search can be made picture by picture, so that a thread that moves can be searched
// a little in every call; the points it looks at must stay as they are until it ends.
#ifndef CATGUT_KNOT_UNDO_H
#define CATGUT_KNOT_UNDO_H

#include "knot/reader.h"

// Throws upon each other, in order of tying: the innermost first.
typedef struct cg_throw_row {
    int count;
    cg_factor factor[CG_READING_FACTORS];
    int front[CG_READING_FACTORS]; // the point from whose loss on the throw is undone, when shortened from the first
                                   // end
    int back[CG_READING_FACTORS];  // the same from the last end
    bool separate;                 // no throws upon each other, but knots one behind the other
} cg_throw_row;

// A throw while it comes undone: a double one becomes a single one before it is gone.
typedef struct cg_undoing {
    cg_factor now, whole;
} cg_undoing;

// The parts that are left of a thread that gets shorter.
typedef struct cg_undoing_list {
    int count;
    cg_undoing part[CG_READING_FACTORS];
} cg_undoing_list;

// One reading of a shortened thread: several closures until three agree.
typedef struct cg_piece_reading {
    cg_reading readings[CG_CLOSURE_COUNT];
    int place[CG_CLOSURE_COUNT]; // readable ones, by what is tied
    int told, next;
} cg_piece_reading;

// A shortened thread that was read.
typedef struct cg_probe {
    int lost; // points
    cg_reading reading;
} cg_probe;

// What is left to look at when nothing is undone before a stretch whose readings make no sense.
typedef struct cg_doubt {
    int low, high;
    bool doubted; // `high` itself is the begin of such a stretch
    cg_reading after;
} cg_doubt;

enum { CG_SEARCH_PROBES = 48, CG_SEARCH_DOUBTS = 4 }; // kept for the parts to come

// A search under way.
typedef struct cg_throw_search {
    const cg_vec3 *points;
    int count;
    int factor_count;
    cg_factor factor[CG_READING_FACTORS]; // of the whole thread
    int end;                              // 0: shortened from the first end, 1: from the last one, 2: done
    bool failed;                          // the parts do not come undone one by one
    cg_undoing_list parts;                // still tied
    int low, high;                        // points lost: at `low` nothing of `parts` is undone, at `high` something is
    int asked;                            // points lost in the piece that is being read
    cg_reading after;                     // at `high`
    bool doubted;                         // no sense is made of `high`: whether something is undone there is open
    int doubt_count;
    cg_doubt doubts[CG_SEARCH_DOUBTS];
    cg_piece_reading piece;
    int probe_count;
    cg_probe probes[CG_SEARCH_PROBES];
    int found;
    cg_factor order[2][CG_READING_FACTORS];
    int places[2][CG_READING_FACTORS];
    int unordered[2]; // the first of two in `order` that came undone at once; -1: none
} cg_throw_search;

// Whether a reading is made of throws alone, so that a search makes sense.
bool cg_reading_has_throws(const cg_reading *reading);

// Starts a search in a thread whose whole knot is `reading`, one of throws alone.
void cg_throw_search_begin(cg_throw_search *search, const cg_vec3 *points, int count, const cg_reading *reading);
// Looks at one picture. Returns whether there is more to do.
bool cg_throw_search_step(cg_throw_search *search, cg_reader *reader);
// The result of a search that is done. False when the throws are not in one row.
bool cg_throw_search_end(const cg_throw_search *search, cg_throw_row *row);

// A whole search. False when there are no throws, or they are not in one row. Uses the reader for other readings.
bool cg_throws_find(cg_reader *reader, const cg_vec3 *points, int count, const cg_reading *reading, cg_throw_row *row);

#endif
