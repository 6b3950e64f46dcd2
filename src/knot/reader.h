// From a chain of points to the parts of its knot: one closure, one picture, one simplified diagram.
#ifndef CATGUT_KNOT_READER_H
#define CATGUT_KNOT_READER_H

#include "catgut/knot.h"
#include "knot/diagram.h"
#include "knot/polynomial.h"
#include "knot/table.h"

// How an open thread is closed; see catgut/knot.h.
typedef enum cg_closure {
    CG_CLOSURE_VIEWER,   // towards the viewer of the picture, three directions
    CG_CLOSURE_VIEWER_2, //
    CG_CLOSURE_VIEWER_3, //
    CG_CLOSURE_STRAIGHT, // both ends carried on the way they point
    CG_CLOSURE_RADIAL,   // both ends away from the middle of the thread
    CG_CLOSURE_COUNT
} cg_closure;

enum { CG_READING_FACTORS = 12 };

// One part of a knot that is not a sum itself.
typedef struct cg_factor {
    int knot;       // line of the table, -1 when it is not there
    bool mirror;    // its mirror image
    int half_turns; // two strands wound around each other by so many half turns (3, 5, 7, 9); 0 for other knots
} cg_factor;

// What one closure gave.
typedef struct cg_reading {
    uint64_t code;                        // of the picture: equal codes, equal knots
    bool readable;                        // false: too tangled, or no clear picture
    int factor_count;                     // 0 for no knot
    cg_factor factor[CG_READING_FACTORS]; // in the order of the table
    int crossings;                        // of the simplified diagram
    uint64_t determinant;                 // UINT64_MAX when not computed
    int lean;                             // of the Jones polynomial: lowest plus highest power
    bool palindromic;                     // Jones polynomial of its own mirror image
    bool complete;                        // all factors are in the table
    bool proven;                          // and no other knot can be meant
} cg_reading;

// Memory for reading.
typedef struct cg_reader {
    int point_room, crossing_room;
    cg_picture picture;
    cg_diagram diagram, piece;
    cg_polynomial_work polynomials;
    cg_vec3 *points; // the chain that is looked at: closed in thought, straightened
    int *part;       // per crossing
    int count;
    bool may_hide;    // so many points were dropped for being near to each other that they might touch or hide a knot
    long long budget; // for the simplification of one diagram
    int stir_rounds;
} cg_reader;

void cg_reader_layout(cg_reader *reader, int point_room, int crossing_room, cg_arena *arena);
// To be called once after the layout.
void cg_reader_start(cg_reader *reader);

// Takes memory for a reader and makes it ready. NULL when there is none; give the block back with cg_memory_give.
void *cg_reader_take(cg_reader *reader, int point_room, int crossing_room, const cg_allocator *allocator);

// Draws a thread with a closure. True when the picture is clear; reading->code is set. `straighten` first takes out all
// vertices that can be missed.
bool cg_reader_draw(cg_reader *reader, const cg_vec3 *points, int count, bool closed, cg_closure closure,
                    bool straighten, cg_reading *reading);

// Reads the picture just drawn.
void cg_reader_read(cg_reader *reader, cg_reading *reading);

// Whether two readings name the same knot.
bool cg_readings_agree(const cg_reading *a, const cg_reading *b);

#endif
