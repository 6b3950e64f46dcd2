// A hand as the step sees it.
//
//     advance      the command moves on; a hand that holds nothing follows it
//     grip         what the hand does to the stretch it holds becomes a grip of the thread (thread/grips.c)
//     feel         once the thread has moved: where the hand is now, and what it felt
//
// Invariants
//   1. a hand that holds (count > 0) is closed, holds at least two vertices, and its thread lives.
//   2. stretches of different hands share no vertex.
//   3. a hand that holds a patch of tissue (patch_count > 0) is closed, holds no thread, and its tissue lives.
//   4. a hand that holds a needle is closed, holds nothing else, and has no tool with a body: its drive leads the
//   needle.
#ifndef CATGUT_TOOL_HAND_H
#define CATGUT_TOOL_HAND_H

#include "base/archive.h"
#include "base/pool.h"
#include "catgut/hand.h"
#include "rows/touch.h"
#include "thread/thread.h"
#include "tissue/tissue.h"
#include "tool/blade.h"
#include "tool/burn.h"
#include "tool/jaws.h"
#include "tool/solid.h"

typedef struct cg_hand {
    cg_hand_def def;

    // state
    cg_transform goal;      // the last pose it was told
    double time_left;       // [s] until the command is there
    cg_transform command;   // where it is told to be now
    cg_transform pose;      // where it is
    cg_vec3 velocity, spin; // [m/s], [rad/s]
    cg_vec3 force, torque;  // [N], [N m] of the thread on the hand in the last step
    cg_hand_tool tool;      // that it carries; def.tool is the first one
    bool closed;
    bool is_slipping, has_slipped;        // tissue slides in its jaws; slid out of them
    double slip_speed;                    // [m/s] in the last step; 0 when it does not slip
    bool has_slid;                        // what it holds has slid: the two that follow are there
    cg_vec3 jaw;                          // [m] the middle of the jaws in its frame
    double jaw_reach;                     // [m] from there to their ends
    cg_jaws jaws;                         // of a tool that has bodies: a rod, a blade or hook, or a shaft and jaws
    cg_blade blade;                       // of a scalpel
    cg_handle thread;                     // place and generation of the thread it holds; zero: none
    int first, count;                     // vertices it holds
    cg_vec3 local[CG_HAND_MOST_VERTICES]; // the held vertices or nodes in the hand's frame
    cg_handle tissue;                     // place and generation of the tissue it holds; zero: none
    int patch_count;                      // nodes it holds
    int patch[CG_TISSUE_MOST_GRIPPED];
    cg_handle needle; // place and generation of the needle it holds; zero: none. jaws.drive leads it

    // within a step
    cg_transform start; // where it was
    cg_transform last_command;
    cg_thread_grip grip;
    cg_tissue_grip tissue_grip;
    cg_vec3 needle_load; // [N] weight of a needle that it holds, and what pushes it from outside
    double hold_limit;   // [N] what friction of the jaws holds at most
    double first_arc;    // [m] where its first vertex is, while vertices come and go
    cg_vec3 bond_forces[CG_HAND_MOST_VERTICES];
} cg_hand;

// A stretch of a thread that a hand could grasp.
typedef struct cg_reached {
    double distance; // [m] from the hand to the surface of the thread
    int segment;     // where it is nearest
    double fraction;
} cg_reached;

// hand_reach.c: where a thread is nearest to a hand. False when that is out of its reach, or not nearer than
// `*reached`.
bool cg_hand_reaches(const cg_hand *hand, const cg_thread *thread, cg_reached *reached);
// The same for a segment of something that is so thick: how far it is [m].
bool cg_hand_reaches_segment(const cg_hand *hand, const cg_vec3 ends[2], double radius, double *distance);
// Whether a place is in the box between the arms of one that grasps so.
bool cg_hand_is_between_arms(const cg_hand *hand, cg_vec3 place);
// The vertices around that place which the jaw holds. `taken` says which are held already; false when one of the two
// nearest is.
bool cg_hand_choose_stretch(const cg_hand *hand, const cg_thread *thread, const cg_reached *reached,
                            bool (*taken)(const void *context, int vertex), const void *context, int *first,
                            int *count);
// Takes hold of a stretch as it lies.
void cg_hand_take(cg_hand *hand, const cg_thread *thread, cg_handle handle, int first, int count);
// Where the surface of a tissue is nearest to a hand [m]. False when that is out of its reach, or not nearer than
// `*distance`.
bool cg_hand_reaches_tissue(const cg_hand *hand, const cg_mesh *mesh, double *distance, cg_mesh_point *point);
// Takes hold of the patch of surface around a point, as it lies. False, and it holds nothing, when all of it is fixed.
bool cg_hand_take_patch(cg_hand *hand, const cg_mesh *mesh, cg_handle handle, const cg_mesh_point *point);
// What it holds of a tissue follows edits of the mesh, from this entry of the log on; false, and it holds nothing, when
// nothing of the patch is left or the log has forgotten.
bool cg_hand_follow_patch(cg_hand *hand, const cg_mesh *mesh, uint64_t from);
// A piece of the tissue it holds has moved to another one. Nodes have the numbers `number` now: n in the old tissue,
// -1 - n in the other. It keeps what is in the tissue of which it has more nodes.
void cg_hand_follow_piece(cg_hand *hand, const int *number, cg_handle other);
// Takes out of the patch the nodes that are marked by -1. False, and it holds nothing, when none is left.
bool cg_hand_close_ranks(cg_hand *hand);
bool cg_hand_has_node(const cg_hand *hand, int node);
// Forgets what it holds.
void cg_hand_let_go(cg_hand *hand);

// The verbs of a step. `thread` or `tissue` is what the hand holds.
void cg_hand_advance(cg_hand *hand, const cg_step_context *context);
void cg_hand_grip(cg_hand *hand, const cg_thread *thread, const cg_step_context *context);
void cg_hand_feel(cg_hand *hand, const cg_thread *thread, const cg_step_context *context);
// `friction` is the tissue's coefficient.
void cg_hand_grip_patch(cg_hand *hand, const cg_tissue *tissue, double friction, const cg_step_context *context);
void cg_hand_feel_patch(cg_hand *hand, const cg_tissue *tissue, const cg_step_context *context);
// hand_slip.c: what friction of the jaws holds at most [N]; infinite for a hand out of which nothing slips.
double cg_hand_hold_limit(const cg_hand *hand, double friction);
// The patch slides in the jaws when the pull [N] at it would be above that.
void cg_hand_slide(cg_hand *hand, cg_vec3 pull, const cg_step_context *context);
// Lets go of nodes that slid out of the jaws and takes those that came into them.
void cg_hand_change_patch(cg_hand *hand, const cg_mesh *mesh);
// hand_body.c: tools that touch: probes, solid ones (solid.h), and those with jaws
bool cg_tool_has_body(cg_hand_tool tool, const cg_hand_def *def);
bool cg_hand_has_body(const cg_hand *hand);
bool cg_hand_has_jaws(const cg_hand *hand);
bool cg_hand_is_solid(const cg_hand *hand);
// Puts the tool where the hand is, open.
void cg_hand_make_body(cg_hand *hand);
// How mass, spring and damper lead a hand: how far it coasts [m], what pulls there [N], and how firm it is [N/m].
typedef struct cg_hand_lead {
    cg_vec3 coast, pull;
    double firm;
} cg_hand_lead;
cg_hand_lead cg_hand_lead_of(const cg_hand *hand, const cg_step_context *context);
// How its drive is led in this step; and once it has moved: where the hand is, and what it felt. `is_free`: nobody
// moved it, as nothing can touch it.
void cg_hand_push_body(cg_hand *hand, const cg_step_context *context);
void cg_hand_feel_body(cg_hand *hand, bool is_free, const cg_step_context *context);

// hand_needle.c: a needle in a grasper without jaws. Where it is nearest to the hand [m]; false when that is out of its
// reach, or not nearer than `*distance`.
bool cg_hand_reaches_needle(const cg_hand *hand, const cg_rigid *needle, double *distance);
bool cg_hand_holds_needle(const cg_hand *hand);
// Takes hold of it as it lies; or so that it is there in the hand's frame.
void cg_hand_take_needle(cg_hand *hand, cg_rigid *needle, cg_handle handle);
void cg_hand_lead_needle(cg_hand *hand, cg_rigid *needle, cg_handle handle, const cg_transform *local);
void cg_hand_drop_needle(cg_hand *hand);
// Its part in how the drive is led.
void cg_hand_load_needle(cg_hand *hand, const cg_step_context *context);
void cg_hand_visit_needle(cg_archive *archive, cg_hand *hand, bool holds);
// Whether it can hold this one, as a state that was loaded says; NULL: there is none.
bool cg_hand_may_hold(const cg_hand *hand, const cg_rigid *needle);

// hand_port.c: the turn nearest to this one by which the shaft of a tool goes from the tip through the port; itself for
// a hand without one. And how far the tip is from the port [m].
cg_quat cg_hand_through_port(const cg_hand *hand, cg_vec3 tip, cg_quat rotation);
double cg_hand_insertion(const cg_hand *hand);

// hand_cut.c: scalpel and hook
// Where the edge is when the hand is there.
cg_edge cg_hand_edge(const cg_hand *hand, cg_transform pose);
// Where a hand that carries an edge without a body goes in this step.
cg_vec3 cg_hand_cut_on(const cg_hand *hand, const cg_step_context *context);
// The force [N] across its edge by which the blade of a hand that is led so is held back in this step.
cg_vec3 cg_hand_blade_force(const cg_hand *hand, const cg_hand_lead *lead);
// What the blade did to the hand, beside what touches its body.
void cg_hand_feel_blade(cg_hand *hand);
// Whether edge or tip of a scalpel with a body press on tissue so that they go in, when the hand is closed.
bool cg_hand_bites(const cg_hand *hand, const cg_touch_set *touches);
// A thread that lies on the edge of such a scalpel, pressed so hard that it parts there: its number among those that
// touch, and where [m]; -1 when there is none.
int cg_hand_slices(const cg_hand *hand, const cg_touch_set *touches, double *arc);
// The blade has left its tissue.
void cg_hand_leave_tissue(cg_hand *hand);
// The tip of the hook and its way in this step.
cg_burn cg_hand_burn(const cg_hand *hand);

// [s] in which the part of a rotation that nothing holds follows its command.
#define CG_HAND_TURN_TIME 5e-3

// What spring and damper of a hand pull with when it coasts, and how that falls ahead of coasting.
typedef struct cg_hand_coupling {
    cg_vec3 pull;
    double slope;
} cg_hand_coupling;
cg_hand_coupling cg_hand_couple(const cg_hand_def *def, double scale, double h, cg_vec3 to, cg_vec3 to_velocity,
                                cg_vec3 at, cg_vec3 velocity);
// The turn from a to b as a vector [rad], for small ones.
cg_vec3 cg_turn_between(cg_quat a, cg_quat b);
// Puts the hand where it is at the end of a step; velocity and spin follow.
void cg_hand_arrive(cg_hand *hand, cg_transform pose, double inverse_step);
// How the hand is turned at the end of a step when only its command turns it.
cg_quat cg_hand_turned(const cg_hand *hand, double time_step);

// All state of a hand. The thread is known by its place alone.
void cg_hand_visit_state(cg_archive *archive, cg_hand *hand);
// What it holds of a tissue; the world walks over it where there is tissue.
void cg_hand_visit_patch(cg_archive *archive, cg_hand *hand);

#endif
