// A knot or link as a map of crossings on a sphere, and moves that make it simpler without changing it.
//
// A crossing has four half-edges, numbered counterclockwise from one of the two that belong to the strand below: 0 and
// 2 are below, 1 and 3 above. Half-edge k of crossing c is the number 4 c + k; `mate` says which half-edge stands at
// the other end of the edge, `out` whether the thread leaves the crossing there. Going straight on is adding 2 (mod 4).
//
//              2                The sign is + when the thread leaves through 1 and 2, or through 3 and 0:
//          3 --|-- 1            turning the strand above counterclockwise by less than half a turn lays
//              0                it upon the strand below.
//
// The one move used is the pass move: a stretch of thread that only passes over (or only under) others is lifted off
// and laid along the way that crosses the fewest edges. It contains the first and second Reidemeister move, and with
// ways of equal length the third.
#ifndef CATGUT_KNOT_DIAGRAM_H
#define CATGUT_KNOT_DIAGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "knot/projection.h"

typedef struct cg_diagram {
    int crossing_count;
    int room;           // most crossings that fit
    int loose;          // closed strands without a crossing
    int *mate;          // per half-edge
    unsigned char *out; // per half-edge: the thread leaves its crossing here
    int *chain;         // per crossing: which chain the strand below and the strand above belong to
    // Work of the moves.
    int *face;           // per half-edge: the face to the left of one who leaves the crossing there
    int *edge_of_face;   // per face: one of its half-edges
    int *cost, *came_by; // per face: edges crossed to get there, and the half-edge last crossed
    int *queue;          // faces to look at, twice as many as there are
    unsigned char *mark; // per half-edge
    int *run;            // crossings of the stretch that is moved
    int *way;            // half-edges it is to cross
    int *renumber;       // per crossing
    int face_count;
    uint64_t random;      // state of the choice among equal ways: fixed start, so that runs repeat
    long long operations; // faces and crossings touched by moves since the layout
    long long budget;     // moves stop when operations exceed it
} cg_diagram;

// Takes the arrays of a diagram from an arena.
void cg_diagram_layout(cg_diagram *diagram, int room, cg_arena *arena);

// The diagram of a picture. False when it has too many crossings.
bool cg_diagram_from_picture(cg_diagram *diagram, const cg_picture *picture);

// +1 or -1.
int cg_diagram_sign(const cg_diagram *diagram, int crossing);

// Numbers the faces; fills `face` and `face_count`.
void cg_diagram_find_faces(cg_diagram *diagram);

// Makes the diagram simpler until no pass move removes a crossing. `rounds` times moves of equal length stir it up
// before the next try.
void cg_diagram_simplify(cg_diagram *diagram, int rounds);

// Cuts sums of knots apart: two edges between the same two faces are cut and joined crosswise until there are none
// left. part[c] becomes the number of the piece that crossing c then belongs to; returns how many pieces there are.
int cg_diagram_split(cg_diagram *diagram, int *part);

// Copies the crossings of one piece into a diagram of its own.
void cg_diagram_piece(const cg_diagram *diagram, const int *part, int piece, cg_diagram *to);

// The invariants of the map, for tests: mates are mutual, ins and outs agree, Euler's formula holds for every connected
// piece. False when broken.
bool cg_diagram_is_sound(cg_diagram *diagram);

#endif
