// Rigid parts as a surface that deforms meets them: chains along their rods (collide/parts.h), so that a needle lies on
// skin by the same places as a thread does (collide/skin_contacts.h), and how far such a rod and a triangle can move.
//
// A capsule is its axis, in pieces no longer than CG_ROD_PIECE radii: vertices of a chain stand for its middle where
// the surface is nearly flat. Capsules that follow each other end to end, as in an arc, are one chain: each joint is
// one vertex. A sphere is a chain without length, a box its twelve edges, each a chain of its own.
#ifndef CATGUT_COLLIDE_ROD_CHAINS_H
#define CATGUT_COLLIDE_ROD_CHAINS_H

#include "catgut/rigid.h"
#include "collide/parts.h"
#include "collide/skin_contacts.h"

#define CG_ROD_PIECE 8.0
enum { CG_ROD_MOST_PIECES = 16, CG_ROD_MOST_EDGES = 12 };
// The most chains and points that one part can ask for.
enum { CG_ROD_MOST_POINTS = CG_ROD_MOST_EDGES * (CG_ROD_MOST_PIECES + 1) };

typedef struct cg_rod_chain {
    int part, part_count; // of the body; they follow each other
    int edge;             // of a box; 0
    int pieces;           // of each part
    int first_point;      // among those of the body
    int point_count;
    double radius;     // [m]
    bool owns_ends[2]; // its first and last vertex are no other chain's
} cg_rod_chain;

// How many chains and points the parts have at most.
int cg_rod_chains_room(const cg_rigid_part *parts, int count, int *points);
// The chains of the parts of a body, points in its axes. Returns how many.
int cg_rod_chains_of(const cg_rigid_part *parts, int count, cg_rod_chain *chains, cg_vec3 *points);

// Which part a segment of a chain belongs to, and which place on it (behind those of collide/parts.h).
typedef enum cg_rod_site { CG_ROD_START, CG_ROD_END, CG_ROD_SEGMENT, CG_ROD_SITES } cg_rod_site;
enum { CG_ROD_PLACES = CG_ROD_SITES * CG_ROD_MOST_EDGES * CG_ROD_MOST_PIECES };
static inline int rod_part(const cg_rod_chain *chain, int segment)
{
    return chain->part + segment / chain->pieces;
}

static inline int rod_place(const cg_rod_chain *chain, int segment, cg_rod_site site)
{
    int piece = chain->edge * CG_ROD_MOST_PIECES + segment % chain->pieces;
    return CG_PLACE_COUNT + CG_ROD_SITES * piece + (int)site;
}

// A piece of a rod that a body carries, and what it may do.
typedef struct cg_rod_piece {
    const cg_moving_shape *body; // whose motion it makes; its own shape is not looked at
    cg_vec3 ends[2];             // [m] in the axes of the body
    double radius;               // [m]
} cg_rod_piece;

// A triangle whose corners go along straight lines.
typedef struct cg_rod_triangle {
    cg_vec3 corners[3], moves[3]; // [m]
} cg_rod_triangle;

// [m] No point of a body goes farther in its motion, if none is farther than `arm` from what it turns about.
double cg_rod_way(const cg_moving_shape *body, double arm);
// True when the axis keeps away from the triangle as the rule says along the whole of motions of which no two points go
// farther than `way` together: by the distance along the normal of the triangle, which is found at once.
bool cg_rod_stays_off(const cg_rod_piece *piece, const cg_rod_triangle *triangle, const cg_motion_rule *rule,
                      double way);
// The share of both motions, up to `limit`, on which the axis keeps away from the triangle as the rule says, with d the
// radius as counted, beside the rest of it (collide/skin_contacts.h). Counts the distances that it computes.
double cg_rod_walk(const cg_rod_piece *piece, const cg_rod_triangle *triangle, const cg_motion_rule *rule, double limit,
                   int *looks);

#endif
