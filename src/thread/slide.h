// Anchors: where a thread goes through holes in something soft, and slides through them. docs/suturing.md has the
// maths.
//
// An anchor is a vertex of the thread whose arc length is free: thread goes from the segment before it to the one
// behind it, which changes their rest lengths and nothing else. At the vertex the thread does not resist bending: a
// hole is no clamp. Between two anchors whose span is straight there is one segment, which pulls and does not push.
//
// What holds an anchor is told before each pass: a stiffness K and the place from which it pulls back. Slip is an
// unknown of the pass, one number for each anchor, with the capstan law between the pulls on its two sides:
//
//     slip > 0  (thread goes to the side behind):   T1 = k T0 + grip      k = exp(friction * wrap)
//     slip < 0  (to the side before):               T0 = k T1 + grip
//     slip = 0:                                     neither side pulls more than that
//
// and with a least length of every segment at an anchor: where thread would be drawn out of it below that, a force
// between the two ends of its material, which does not act in space, adds to its pull.
#ifndef CATGUT_THREAD_SLIDE_H
#define CATGUT_THREAD_SLIDE_H

#include "base/mat3.h"
#include "thread/thread.h"

enum { CG_MOST_ANCHORS = 24, CG_MOST_SLIDE_SEGMENTS = 2 * CG_MOST_ANCHORS };

typedef struct cg_thread_anchor {
    // state
    int vertex;
    int tissue;        // that it is in: number among the tissues of a world, in order of creation
    int triangle;      // of its surface
    double weights[3]; // of the corners
    double friction;   // coefficient between thread and tissue
    double grip;       // [N] that it takes to slide where nothing is wrapped
    bool straight[2];  // the span before it, behind it: one segment that goes straight to the next anchor
    cg_vec3 force;     // [N] of the thread on what holds it
    double slip;       // [m] of thread that went from before it to behind it in this step
    bool has_slid_on;  // onto the thread, beyond the mouth at its end (slide_laws.c; not by the capstan law)
    double handed;     // [m] likewise: slip of the anchor beside it that this one was in the way of
    int tear;          // of the world, that this anchor and the other one of its bite make, from 1; 0: none

    // within a step
    cg_mat3 stiffness; // [N/m] K
    cg_vec3 target;    // [m]
    double wrap;       // [rad] angle by which the thread turns here
    double ratio;      // k
    int sides[2];      // the segments before and behind, as numbers in cg_thread_slide.segments
    int way;           // of the slip: -1, 0 or 1
    bool counts[2];    // the pull on that side is above 0
    double slide;      // [m] of this pass
    bool is_driven;    // its slip is not solved for: its law gave it before the step...
    double drift;      // [m] ...and it is this
    int given;         // the way for which contacts were told how it gives way
    cg_vec3 out;       // of a portal: the way in which the thread leaves the tissue
    bool is_aimed;     // that is known
    bool is_jammed;    // it slides no farther in this pass: contacts find no solution, whichever way it goes
} cg_thread_anchor;

// Stretches of a thread that came free of tears and are not clear of tissue yet: as many as it has bites.
enum { CG_MOST_FREED = CG_MOST_ANCHORS / 2 };

typedef struct cg_thread_stretch {
    double from, to; // [m] arc lengths
} cg_thread_stretch;

// Stretches that touch no tissue in a step, at most: beside anchors, freed, and at both ends.
enum { CG_MOST_VEILED = CG_MOST_ANCHORS + CG_MOST_FREED + 2 };

typedef struct cg_thread_slide {
    void *memory;
    bool is_bad; // the state that was loaded last had anchors that cannot be; they are left out
    int count;
    cg_thread_anchor anchors[CG_MOST_ANCHORS]; // in order of vertices
    bool follows[2];                           // its start, its end: a needle draws it
    double mouth[2];                           // [m] from its start, its end: it follows a needle, and touches no
                                               // tissue, since the needle comes to a hole
    int freed_count;
    cg_thread_stretch freed[CG_MOST_FREED]; // state: they touch no tissue until they are clear of it
    unsigned char *hidden;                  // per segment of the thread: what it does not touch (collide/chains.h)
    int veiled_count;
    cg_thread_stretch veiled[CG_MOST_VEILED]; // what was hidden in the step that ends

    // within a pass: the segments at anchors
    int segment_count;
    int segments[CG_MOST_SLIDE_SEGMENTS];
    bool shortest[CG_MOST_SLIDE_SEGMENTS]; // its length is the least
    double press[CG_MOST_SLIDE_SEGMENTS];  // [N] the force by which it is
    bool pulls_only[CG_MOST_SLIDE_SEGMENTS];
    bool slack[CG_MOST_SLIDE_SEGMENTS];   // it does not pull
    double loose[CG_MOST_SLIDE_SEGMENTS]; // [m] how much longer it would have to be to do so: below 0
    double pull[CG_MOST_SLIDE_SEGMENTS];  // [N] its tension when nothing slides
    double rate[CG_MOST_SLIDE_SEGMENTS][CG_MOST_SLIDE_SEGMENTS]; // [N/m] tension of one for length of another
    double give[CG_MOST_SLIDE_SEGMENTS][CG_MOST_SLIDE_SEGMENTS]; // [m/N] length of one for pull on another, by slip
    bool is_uneven; // give is not symmetric: something slides with friction
    uint64_t given; // for which guess of who slides which way (cg_slide_guess)
    cg_vec3 *basis; // per segment: motion of all vertices for each metre that it is longer
    double *system; // of the slips of a pass
} cg_thread_slide;

// Makes room for anchors on a thread; does nothing when there is.
cg_status cg_slide_create(cg_thread *thread);
void cg_slide_destroy(cg_thread *thread);
void cg_slide_visit_state(cg_archive *archive, cg_thread *thread);
void cg_slide_after_load(cg_thread *thread);
bool cg_slide_is_sound(const cg_thread *thread);
static inline int cg_slide_count(const cg_thread *thread)
{
    return thread->slide != NULL ? thread->slide->count : 0;
}

// [m] No segment at an anchor gets shorter.
double cg_slide_least_length(const cg_thread *thread);
// [m] What of a thread is nearer to a hole touches no tissue.
double cg_slide_mouth(const cg_thread *thread);
// True when the segment lies between two anchors, or inside what the last one of its end goes through.
bool cg_slide_is_straight(const cg_thread *thread, int segment);

// slide.c: the verbs of a step. After rest lengths have changed: their stiffnesses, and no bending at anchors; and what
// is hidden now. Within a step nothing comes to be seen: it may be in tissue.
void cg_slide_set_rates(cg_thread *thread);
void cg_slide_begin_step(cg_thread *thread);
// What holds the anchors, added to the rows.
void cg_slide_add_rows(cg_thread *thread);
// Rest lengths change by a share of the slip of this pass; and make a share of what they did in this step.
void cg_slide_take(cg_thread *thread, double share);
void cg_slide_take_share(cg_thread *thread, double share);
void cg_slide_shorten(cg_thread *thread, double share);
void cg_slide_stand(cg_thread *thread);
void cg_slide_finish_step(cg_thread *thread);
// True when a segment that is seen now was hidden, or some of it, in the step that ends.
bool cg_slide_is_unveiled(const cg_thread *thread, int segment);
// True when the next pass would slide by next to nothing.
bool cg_slide_settles(const cg_thread *thread);

// slide_solve.c
// Once the matrix is factored: how the thread moves for the length of each segment at an anchor.
void cg_slide_find_responses(cg_thread *thread);
// The slips of this pass, once its motion without them is known; adds what they do to thread->move, and finds the
// forces on what holds the anchors.
void cg_slide_solve(cg_thread *thread);
// Fills `give` for the slips as they were solved: anchors that slide give way to what else pulls the thread. Friction
// at a hole hands a part of a pull on, to one side: then lengths do not follow pulls symmetrically.
void cg_slide_find_give(cg_thread *thread);
// Anchors slide no farther in this pass that went one way when contacts were told how they give way and go another now.
// Returns how many; and all are free again.
int cg_slide_jam_turned(cg_thread *thread);
void cg_slide_free_jammed(cg_thread *thread);
bool cg_slide_is_jammed(const cg_thread *thread);
// The guess of who slides which way, which segments are at their least length and which are slack, as a number: equal
// ones have the same give.
uint64_t cg_slide_guess(const cg_thread *thread);

// slide_rest.c: what is bent at rest goes with the material. After rest lengths have changed by the slips of a step:
void cg_slide_carry_rest(cg_thread *thread);
// Between steps: takes a length of thread through a vertex, from the segment before it to the one behind.
void cg_slide_pass(cg_thread *thread, int vertex, double length);
// Segments at the vertex get the lengths that they have.
void cg_slide_fit_lengths(cg_thread *thread, int vertex);

// slide_laws.c: threads whose law is not the capstan law.
// [m] What the law says of anchor k after the last step, with what was handed on to it.
double cg_slide_lawful_slip(const cg_thread *thread, int k);
// Before a step: fills in the drifts of all anchors, which keep their order, and what is handed on for the next step.
void cg_slide_find_drifts(cg_thread *thread);

// portal.c: threads whose bites are portals. Anchors k and k + 1 with a straight span between them are a bite; their
// vertices are outside, beside the holes, and the thread does not slide but is taken through vertex by vertex.
static inline bool cg_slide_is_portal(const cg_thread *thread)
{
    return thread->slide != NULL && thread->slip.law == CG_SLIP_PORTAL;
}
bool cg_portal_is_bite(const cg_thread *thread, int k);
// The segment of a bite is no spring in space.
void cg_portal_set_rates(cg_thread *thread);
void cg_portal_add_rows(cg_thread *thread);
// With the motion of this pass.
void cg_portal_find_forces(cg_thread *thread);
double cg_portal_energy(const cg_thread *thread, const cg_vec3 *position); // [J]
double cg_portal_pull(const cg_thread *thread, int k);                     // [N] of bite k, in the last step
// After a step: vertices that went into a hole come out at the other one of its bite. Returns how many bites an end of
// the thread has left.
int cg_portal_let_through(cg_thread *thread);
// Anchors that were laid with their vertices at the holes: these are drawn out of the tissue.
void cg_portal_open(cg_thread *thread, int first, int count);

// slide_side.c: inside or outside, by the parity of holes. Stretches are 0 before the first anchor, k + 1 behind
// anchor k.
// False when both ends were drawn in: nobody knows by parity alone, and cg_slide_is_inside says no more than which
// stretches are on the same side.
bool cg_slide_knows_sides(const cg_thread *thread);
bool cg_slide_is_inside(const cg_thread *thread, int stretch);
// The stretch of a segment, or the one behind a vertex.
int cg_slide_stretch_of(const cg_thread *thread, int segment);
bool cg_slide_is_at_hole(const cg_thread *thread, int vertex);

// slide_edit.c: spacing. Anchors keep their vertices.
void cg_slide_follow_splits(cg_thread *thread);
void cg_slide_follow_merges(cg_thread *thread);
// True when a hand, a hold or something soft has the vertex.
bool cg_slide_is_held(const cg_thread *thread, int vertex);
// True for vertices that only the rule for anchors takes out: they, and those beside them.
bool cg_slide_keeps(const cg_thread *thread, int vertex);
// Marks vertices beside anchors that come too near, with their motion to the line between their neighbours, and
// segments that have grown too long. Return how many.
int cg_slide_mark_merges(cg_thread *thread);
int cg_slide_mark_splits(cg_thread *thread);
// An end of the thread has come to the last anchor: it is out of it. Returns how many anchors went.
int cg_slide_let_go(cg_thread *thread);
// Whether a cut leaves all anchors whole: none is cut off with nothing on one side, nor a straight span, which is
// inside what it goes through. And what goes with the part behind it, before the thread is parted.
struct cg_thread_cut;
bool cg_slide_may_cut(const cg_thread *thread, const struct cg_thread_cut *cut);
void cg_slide_part(cg_thread *thread, const struct cg_thread_cut *cut, cg_thread *rest);
// Takes an anchor out.
void cg_slide_take_out(cg_thread *thread, int k);
// Takes out those of a tissue, which goes: those behind it get another number.
void cg_slide_drop(cg_thread *thread, int tissue);

#endif
