// What needles and stitches did: bites, how the needle went through, what the thread does to the tissue.
//
// A bite is a hole that the tip of a needle makes in a surface. It is known by its home, the place in the shape in
// which the tissue was made, which stays while tissue is pulled about; marks that a task draws on the skin are such
// places too. A hole of the skin is on the top of a pad or the outside of a vessel; one of a lip lies inside the wound.
#ifndef CATGUT_TASK_SEWING_H
#define CATGUT_TASK_SEWING_H

#include "task/task.h"

enum {
    CG_SEEN_NEEDLES = 4,  // the first of a scene; others are not watched
    CG_SEEN_HOLES = 64,   // at a moment; others are not watched
    CG_SEEN_TISSUES = 16, // the first of a scene; others are not watched
    CG_SEEN_BITES = 256   // of an attempt; later ones are not watched
};

// A needle at one moment.
typedef struct cg_seen_needle {
    cg_recorded_needle is;
    cg_transform pose;
    uint32_t held_by; // bit i: both jaws of hand i press on it
} cg_seen_needle;

// What a moment has of needles and stitches. Surfaces are those of a frame, NULL where a session is watched: there
// nothing is measured that needs them.
typedef struct cg_sewing_moment {
    bool known; // recordings of older formats do not say it
    int needle_count, hole_count;
    cg_seen_needle needles[CG_SEEN_NEEDLES];
    cg_recorded_hole holes[CG_SEEN_HOLES];
    const cg_recorded_surface *surfaces;
    int surface_count;
    bool has_camera; // it is known where it is
    cg_camera camera;
    bool cuts; // a blade is inside tissue, a hook burns, or an operation cut some by now
} cg_sewing_moment;

// A hole that a tip made.
typedef struct cg_bite {
    cg_recorded_hole hole; // as it was last
    double made_at;        // [s]
    double angle;          // [rad] between needle and surface when it was made: pi/2 is upright
    double edge;           // [m] at home from the edge of the wound; -1: not known
    bool is_there;         // the needle is in it now
    bool withdrawn;        // the needle went back out of it
} cg_bite;

// A needle over time.
typedef struct cg_sewn_needle {
    uint32_t held_by;                 // hands that hold it, as far as is sure: jaws may lose it for a moment
    double seen_at[32];               // [s] by hand: when its jaws pressed on it last
    bool was_held;                    // ever
    double lost_at;                   // [s] nothing held it any more; negative: something does, or never did
    bool was_inside;                  // the tip, at the last moment
    cg_vec3 centre, axis;             // of its circle when the tip went in last
    double arc_deviation, arc_off_at; // [m] farthest that the tip was off that circle inside, [s]
} cg_sewn_needle;

// The surface of a tissue over time.
typedef struct cg_seen_surface {
    uint64_t version;  // plus one; 0: not seen yet
    double first, now; // [m2] of wound and cuts, both sides; first: 0 of what was not there at first
} cg_seen_surface;

typedef struct cg_sewing {
    const cg_goal_stitch *goal; // NULL: none
    bool known;                 // moments told of needles and stitches
    bool has_needle, pierced;
    cg_sewn_needle needles[CG_SEEN_NEEDLES];
    cg_bite bites[CG_SEEN_BITES];
    int bite_count;
    int anchor_count;                     // of threads, at the last moment
    double tension;                       // [N] largest at them then
    double anchor_force, anchor_force_at; // [N] largest of all moments, [s]
    int regrasps, drops;
    double regrasp_at, drop_at; // [s] of the first; -1: none
    uint64_t first_version;     // of the surface of the first tissue, plus one; 0: not seen
    bool torn;                  // it changed
    bool has_surfaces, has_cut; // surfaces were seen; a tool cut tissue, so what was torn is not known
    cg_seen_surface seen[CG_SEEN_TISSUES];
    double torn_at;   // [s] first; -1: not
    bool has_view;    // the camera was known while there was a needle
    double out, last; // [s] that the tip of a needle was out of view; the last moment
    double out_at;    // [s] first; -1: never
} cg_sewing;

void cg_sewing_begin(cg_sewing *sewing, const cg_goal_stitch *goal);
// Takes the next moment; `closed` has the hands that are told to be closed.
void cg_sewing_see(cg_sewing *sewing, const cg_sewing_moment *moment, uint32_t closed, double time);
// [m] from a mark to the nearest hole of the skin that was not given up, and its bite; -1 when there is none.
double cg_sewing_off_mark(const cg_sewing *sewing, cg_vec3 mark, int *bite);
// True when all marks are pierced, enough holes hold the thread, and the needle is out, as far as the goal asks for it.
bool cg_sewing_is_sewn(const cg_sewing *sewing);
// Which marks are pierced, by bits.
uint64_t cg_sewing_marks_reached(const cg_sewing *sewing);
// Fills in all measures but those of the wound and of knots.
void cg_sewing_measure(const cg_sewing *sewing, cg_measures *measures);
// The score of FLS, after all others, where the task has what its rules speak of: marks, a wound and a knot. A knot of
// another name than the one asked for slips, none at all has come open.
void cg_sewing_measure_fls(const cg_sewing *sewing, cg_measures *measures);

// True for a part of the surface that is skin: the top of a pad, the outside of a vessel.
bool cg_is_skin(int side);

#endif
