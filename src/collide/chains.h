// What the finders look at: chains of segments with a thickness, and pairs of their segments. No physics.
//
// Segment i of a chain goes from point i to point i + 1; with a radius it is a capsule. Several chains are an array;
// a segment is named by the number of its chain and its own number. Every list of pairs or contacts is in the order of
// (chain_a, segment_a, chain_b, segment_b), where side a comes before side b in this same order.
//
// Neighbours along one chain never count as touching. A pair of segments i < j of one chain is left out
//   - while the rest arc between them, arc[j] - arc[i + 1], is below excluded_arc radii. A thread that turns round as
//     tightly as its thickness allows needs pi radii for it, so no real contact is lost;
//   - while all between them is at one hole and their arc is below CG_HOLE_ARC radii;
//   - while their distance is more than `straightness` times that arc: then the piece between them is nearly straight,
//     and it is near itself only because it is one piece.
#ifndef CATGUT_COLLIDE_CHAINS_H
#define CATGUT_COLLIDE_CHAINS_H

#include <stdbool.h>

#include "base/trig.h"
#include "base/vec3.h"

typedef struct cg_chain {
    const cg_vec3 *points;       // [m] `count` points
    int count;                   // at least 1; a chain of one point has no segments
    double radius;               // [m] above 0
    const double *arc;           // [m] rest arc length at each point, never falling
    const unsigned char *hidden; // per segment a cg_hiding; NULL: all are seen
} cg_chain;

// What a segment does not touch, because it goes through holes in a surface.
typedef enum cg_hiding {
    CG_SEEN,
    CG_AT_HOLE, // no surface
    CG_INSIDE   // nor another segment inside: such a span goes straight from hole to hole, and may lie bare where the
                // tissue between them is pressed in
} cg_hiding;

static inline bool is_hidden(const cg_chain *chain, int segment)
{
    return chain->hidden != NULL && chain->hidden[segment] != CG_SEEN;
}

static inline bool is_in_span(const cg_chain *chain, int segment)
{
    return chain->hidden != NULL && chain->hidden[segment] == CG_INSIDE;
}

typedef struct cg_segment_pair {
    int chain_a, segment_a;
    int chain_b, segment_b;
} cg_segment_pair;

// True when both segments of a pair are inside: they do not touch each other.
static inline bool are_in_spans(const cg_chain *chains, const cg_segment_pair *pair)
{
    return is_in_span(&chains[pair->chain_a], pair->segment_a) && is_in_span(&chains[pair->chain_b], pair->segment_b);
}

// Which pairs of one chain are neighbours.
typedef struct cg_neighbour_rule {
    double excluded_arc; // [radii] 0: only segments that share a point are neighbours
    double straightness; // in (0, 1]; 0: this rule is off
} cg_neighbour_rule;

#define CG_EXCLUDED_ARC CG_PI
#define CG_STRAIGHTNESS 0.9
// [radii] A hole is no clamp: the thread may turn there at a point, and its two sides overlap beside it however tight
// it is. At 150 degrees they do so for 7.7 radii.
#define CG_HOLE_ARC 10

static inline cg_neighbour_rule neighbour_rule_default(void)
{
    return (cg_neighbour_rule){CG_EXCLUDED_ARC, CG_STRAIGHTNESS};
}

// Rest arc length between segments i < j of a chain: from the end of i to the start of j.
static inline double arc_between(const cg_chain *chain, int i, int j)
{
    return chain->arc[j] - chain->arc[i + 1];
}

// True when segments i < j of one chain are the two sides of one hole: nothing but its mouth is between them. If one of
// them is inside, then as far as the mouth goes: there no surface keeps the other one off it, as it does farther out.
static inline bool are_at_one_hole(const cg_chain *chain, int i, int j)
{
    bool are_near =
        is_in_span(chain, i) || is_in_span(chain, j) || arc_between(chain, i, j) < CG_HOLE_ARC * chain->radius;
    bool all = are_near && is_hidden(chain, i) && is_hidden(chain, j);
    for (int k = i + 1; k < j && all; k++) {
        all = chain->hidden[k] == CG_AT_HOLE;
    }
    return all;
}

// True when segments i < j of one chain are neighbours by arc length. Segments that share a point always are.
static inline bool are_near_by_arc(const cg_chain *chain, int i, int j, const cg_neighbour_rule *rule)
{
    return j <= i + 1 || arc_between(chain, i, j) < rule->excluded_arc * chain->radius || are_at_one_hole(chain, i, j);
}

// True when segments i < j of one chain, `distance` apart, are two ends of a nearly straight piece.
static inline bool are_in_line(const cg_chain *chain, int i, int j, double distance, const cg_neighbour_rule *rule)
{
    return rule->straightness > 0 && distance > rule->straightness * arc_between(chain, i, j);
}

// -1, 0 or 1 as a comes before b, is b, or comes after it in the order of lists.
static inline int compare_pairs(const cg_segment_pair *a, const cg_segment_pair *b)
{
    const int difference[4] = {
        (a->chain_a > b->chain_a) - (a->chain_a < b->chain_a),
        (a->segment_a > b->segment_a) - (a->segment_a < b->segment_a),
        (a->chain_b > b->chain_b) - (a->chain_b < b->chain_b),
        (a->segment_b > b->segment_b) - (a->segment_b < b->segment_b),
    };
    for (int i = 0; i < 4; i++) {
        if (difference[i] != 0) {
            return difference[i];
        }
    }
    return 0;
}

#endif
