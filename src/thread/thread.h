// The implicit Kirchhoff thread: what it is made of, and the verbs that the world's step calls. docs/thread.md has the
// maths.
//
// Words
//   vertex i          0 .. vertex_count - 1
//   segment i         from vertex i to vertex i + 1
//   joint j           at vertex j, between segment j - 1 and segment j. Joints 0 and vertex_count - 1 exist only at a
//                     clamped end, between the clamp's direction and the end segment, over half a segment: with it the
//                     bending moments are summed by the trapezoidal rule, and a clamped rod converges at second order.
//
// Invariants (checked by cg_thread_validate in debug builds)
//   1. rest lengths, masses and joint lengths are positive; every number of the state is finite.
//   2. shape.tangent[i] is unit length; it keeps its last value while a segment has no length.
//   3. shape.director[i] is unit length and across shape.tangent[i] while the thread is twisting.
//   4. a pinned or clamped end's vertex is held.
#ifndef CATGUT_THREAD_THREAD_H
#define CATGUT_THREAD_THREAD_H

#include "base/archive.h"
#include "base/arena.h"
#include "base/memory.h"
#include "catgut/status.h"
#include "catgut/thread.h"
#include "linalg/band.h"

// A segment shorter than this share of its rest length counts as collapsed: its tangent fades to zero in the bending
// energy instead of spinning ever faster. Larger values soften threads that are crushed on purpose; smaller ones let a
// start with coincident vertices build stiffnesses that double precision cannot carry.
#define CG_COLLAPSED_SHARE 0.1

// [m] Rest lengths of segments. Shorter ones build stiffnesses that double precision cannot carry beside the others.
#define CG_THREAD_SHORTEST 1e-9
#define CG_THREAD_LONGEST 1e6
// [m] No vertex goes farther from the origin: a step that leads there is refused, and so is a state that comes from
// there. Lengths stay finite and their squares too.
#define CG_THREAD_FARTHEST 1e12

// Where the thread is and what follows from it alone.
typedef struct cg_thread_shape {
    cg_vec3 *position; // per vertex
    double *length;    // per segment
    double *inverse;   // per segment: 1 / max(length, CG_COLLAPSED_SHARE * rest length)
    double *firmness;  // per segment: 1, or length * inverse when collapsed
    cg_vec3 *tangent;  // per segment

    cg_vec3 *director;       // per segment: reference direction across the tangent, carried along in time
    double *reference_twist; // per joint: turn of the references from one segment to the next
    double *angle;           // per segment: turn of the material against its reference
    double *torque;          // per joint: twisting moment [N m]
} cg_thread_shape;

// How an end is held, with the frame of the clamp.
typedef struct cg_thread_end {
    cg_end_hold hold;
    cg_vec3 director; // reference direction of the clamp, across hold.direction
} cg_thread_end;

// Blocks and force of a held vertex as they stood before it was taken out of the equations.
typedef struct cg_held_row {
    double blocks[5][9]; // A(i, i - 2) .. A(i, i + 2)
    cg_vec3 force;
} cg_held_row;

// A stretch that something soft holds, as a step sees it (grips.c). It belongs to what holds the thread.
typedef struct cg_thread_grip {
    const struct cg_thread_grip *next; // of the same thread
    int first, count;                  // vertices
    cg_vec3 force;                     // [N] on each vertex, if it coasts
    double slope;                      // [N/m] how the force falls with each metre ahead of coasting
    double along;                      // [N/m] and by how much more along `axis`; 0 for most
    cg_vec3 axis;                      // unit
    const cg_vec3 *bond_forces;        // [N] per segment of the stretch, on its far end and against it on its near one
    double bond_slope;                 // [N/m]
    double turn;                       // [rad] of the material about its tangents in this step, where it can turn
    double mass;                       // [kg] of what holds, on each vertex; its inertia is in `slope`
} cg_thread_grip;

// One segment in the chain of springs that turn it about its tangent (roll.c).
typedef struct cg_roll_row {
    double inertia;       // [N m] torque of inertia and drag, or of a grip
    double downhill;      // [N m] the same and that of the shape
    double ground;        // [N m/rad] inertia and what else holds the segment by itself
    double before, after; // [N m/rad] all that stands before it and after it
} cg_roll_row;

typedef struct cg_thread {
    cg_allocator allocator;
    void *memory;
    struct cg_model *model; // NULL: a Kirchhoff thread (model.h)
    int number;             // among those that take part in contacts (rows/cast.h); it may be that of another by now

    int vertex_count;
    int segment_count;
    int most_vertices; // room
    bool is_edited;    // vertices come and go: its spacing follows, or it can be cut
    double radius;
    double friction;          // coefficient against itself and others
    double stretch_stiffness; // EA
    double bend_stiffness;    // EI
    double twist_stiffness;   // GJ
    double linear_density;
    double drag;
    double damping_time;
    double breaking_force; // of a straight pull; 0: it never breaks (strength.h)
    double yield_share;
    double yield_moment; // [N m] beyond which a bend stays (yield.h); 0: never. Above 0 implies has_rest_shape
    cg_inertia inertia;
    bool has_rest_shape; // rest_ahead and rest_behind are there
    cg_spacing spacing;  // its lengths filled in
    cg_slip slip;

    double *rest_length;  // per segment
    double *arc;          // per vertex: rest arc length from the start
    double *joint_length; // per joint: half of the segments that meet there
    double *stretch_rate; // per segment [N/m]: EA over its rest length
    double *bend_rate;    // per joint [N m]: EI over its length
    cg_vec3 *rest_ahead;  // per joint: rest tangent of segment j in the frame of segment j - 1
    cg_vec3 *rest_behind; // per joint: rest tangent of segment j - 1 in the frame of segment j
    double *mass;         // per vertex, added mass included
    double *added_mass;   // per vertex

    // state
    cg_thread_shape shape;
    cg_vec3 *velocity;
    double remembers; // [s] length of the step before this one, if that was smooth; else 0
    cg_vec3 *earlier; // per vertex: position and velocity at its start, while it remembers (inertia.c)
    cg_vec3 *earlier_velocity;
    cg_vec3 *force;  // per vertex: pushes of the coming step
    cg_vec3 *moment; // per segment: moments of the coming step
    bool *held;      // per vertex
    cg_vec3 *target; // per vertex: where a held vertex goes
    cg_vec3 *hold_force;
    cg_thread_end ends[2];
    uint64_t topology_version; // vertices put in or taken out so far
    bool twisting;             // directors and angles are kept: something can hold a twist, or the rest shape is curved
    bool rolling; // friction turns the material: the angles are unknowns of the step (roll.c); implies twisting
    double *spin; // per segment [rad/s]: turning of the material about the tangent; of a rolling thread

    struct cg_thread_slide *slide; // anchors through which it slides (slide.h); NULL: it never had any

    // set anew before each step
    const cg_thread_grip *grips; // the first; NULL: none

    // within a step
    cg_thread_shape trial;
    cg_vec3 *start;       // positions at the start of the step
    bool second_order;    // this step looks back to the one before (inertia.c)
    double step_length;   // [s] its k
    cg_vec3 *origin;      // per vertex: its w
    cg_vec3 *coasting;    // per vertex: its k u, where inertia alone leads from there
    double *start_length; // per segment, for damping
    cg_vec3 *damp_ahead;  // per joint: where the start of the step would put tangent j, seen from segment j - 1
    cg_vec3 *damp_behind; // per joint: where it would put tangent j - 1, seen from segment j
    cg_vec3 start_spin;   // [kg m2/s] angular momentum at the start of the step, of a thread in free flight
    cg_vec3 *applied;     // per vertex: outer forces of this step, gravity included
    cg_vec3 *rhs;
    cg_vec3 *contact; // per vertex: forces of what touches the thread, found in this pass
    cg_vec3 *move;
    double *foreseen_pull;  // per segment [N]: tension as the last pass foresaw it, for the matrix (assemble.c)
    double *start_angle;    // per segment: angle at the start of the step, of a rolling thread
    double *contact_torque; // per segment: torques about the tangent of what touches the thread, found in this pass
    double *turn;           // per segment: turn of the material in this pass
    cg_roll_row *roll;      // per segment
    bool foreseen;          // the torques of this pass are those of the shape to which it leads
    cg_band_row *rows;
    cg_band_factor factor;
    cg_held_row *held_rows; // per held vertex, in order
    double start_energy;    // [J] kinetic, elastic and gravity, of an isolated thread
    bool isolated;          // no push, no moving hold, and it has a mass: energy must not grow
    bool touched;           // something touches it with a force: the exact matrix is no good then (docs/thread.md)
    bool cautious;          // the matrix of this pass leaves out all that could make it negative (assemble.c)
    bool settles;           // the coming motion of a pass is the last one
    bool done;              // its motion, and that of all it touches, has converged
    bool gave_up;           // done without that: no other pass is allowed
    bool refused;           // a number was not finite: the thread stands still for this step
    double correction;      // [m] largest motion of a vertex in the last pass
    double share;
    int passes;

    // between steps, of a thread whose spacing follows
    double *wanted;      // per segment: how long it may be
    unsigned char *mark; // per segment how to split it, or per vertex whether it goes (thread/spacing.h)
} cg_thread;

// What a step needs to know, worked out once.
typedef struct cg_step_context {
    double time_step;
    double inverse_step;
    cg_vec3 gravity;
    bool line_search;
    double tolerance;
} cg_step_context;

// thread.c: making and unmaking
cg_status cg_thread_create(const cg_thread_def *def, const cg_allocator *allocator, cg_thread **thread);
void cg_thread_destroy(cg_thread *thread);
// state.c: the state as one list
void cg_thread_visit_state(cg_archive *archive, cg_thread *thread);
void cg_thread_after_load(cg_thread *thread);
// The invariants above, and whether all is where it can be: CG_BAD_INPUT with a sentence about the first that does not
// hold. A state that was loaded may be anything.
cg_status cg_thread_check(const cg_thread *thread);
void cg_thread_validate(const cg_thread *thread);
// thread.c: placing, and what follows from rest lengths
void cg_thread_place(cg_thread *thread, const cg_vec3 *positions, const cg_vec3 *velocities);
// Tangents and lengths of positions that were set, without spin.
void cg_thread_lay_out(cg_thread *thread);
void cg_thread_update_masses(cg_thread *thread);
// Arc lengths, joint lengths and the stiffnesses of segments and joints, from the rest lengths.
void cg_thread_update_lengths(cg_thread *thread);

// The segment at an arc length at rest, the first of two, and where on it; the end beyond an end.
int cg_thread_segment_at_arc(const cg_thread *thread, double arc, double *fraction);

// shape.c: what follows from positions
void cg_shape_layout(cg_thread_shape *shape, int vertex_count, cg_arena *arena);
// Lengths and tangents of `shape` from its positions; a segment without length keeps the tangent of `before`.
void cg_shape_measure(const cg_thread *thread, cg_thread_shape *shape, const cg_thread_shape *before);

// twist.c: frames and twist
// Starts twist anew: frames without any twist along the present shape.
void cg_twist_reset(cg_thread *thread);
// Gives the clamp at an end the material as it lies there, so that a turn of zero adds no twist.
void cg_twist_attach(cg_thread *thread, cg_end end);
// Decides whether the thread can hold a twist, and starts one when that is new.
void cg_twist_refresh(cg_thread *thread);
// Forgets all frames and angles, of the trial shape too.
void cg_twist_forget(cg_thread *thread);
// Carries the directors from `before` to `shape` and lets the angles relax; those of a rolling thread go that share of
// thread->turn instead.
void cg_twist_follow(const cg_thread *thread, cg_thread_shape *shape, const cg_thread_shape *before, double share);
// Lets the angles relax where they are.
void cg_twist_relax(const cg_thread *thread, cg_thread_shape *shape);
// The unloaded tangents at a joint in world axes, for a thread with a rest shape.
void cg_twist_rest_tangents(const cg_thread *thread, const cg_thread_shape *shape, int joint, cg_vec3 *ahead,
                            cg_vec3 *behind);

// energy.c
cg_thread_energy cg_thread_energy_of(const cg_thread *thread, const cg_thread_shape *shape, cg_vec3 gravity);
// [N] Pull in a segment, negative when pushed. What hangs slack in tissue bears nothing.
double cg_thread_tension(const cg_thread *thread, int segment);
// [J] What cg_thread_energy_of counts as stretch of spans that hang slack in tissue: they hold none.
double cg_thread_slack_energy(const cg_thread *thread);
// Kinetic, elastic and gravity [J].
double cg_thread_total_energy(const cg_thread *thread, cg_vec3 gravity);
// What one implicit step minimises: elastic energy, work of the applied forces, inertia, drag and damping.
double cg_thread_step_potential(const cg_thread *thread, const cg_thread_shape *shape, const cg_step_context *context);

// assemble.c: forces and matrix at the present shape
void cg_thread_assemble(cg_thread *thread, const cg_step_context *context);

// holds.c
// Takes held vertices out of the equations: they move to their targets, the others feel it.
void cg_thread_eliminate_holds(cg_thread *thread);
// The forces that it takes, once the motion is known.
void cg_thread_find_hold_forces(cg_thread *thread);
// True while a held vertex is not where it is to go.
bool cg_thread_holds_move(const cg_thread *thread);
void cg_thread_hold_end(cg_thread *thread, cg_end end, const cg_end_hold *hold);
void cg_thread_release_vertex(cg_thread *thread, int vertex);

// grips.c
// What the grips add to the rows and to the right-hand side.
void cg_thread_add_grips(cg_thread *thread, const cg_step_context *context);
// What they add to the step's potential.
double cg_thread_grip_potential(const cg_thread *thread, const cg_thread_shape *shape, const cg_step_context *context);
// [N] what a grip does to one of its vertices at the present shape. Not after the step has been finished.
cg_vec3 cg_thread_grip_force(const cg_thread *thread, const cg_thread_grip *grip, const cg_step_context *context,
                             int vertex);

// inertia.c
void cg_inertia_begin(cg_thread *thread, const cg_step_context *context);
// Something touches the thread in this step after all.
void cg_inertia_to_first_order(cg_thread *thread, const cg_step_context *context);
// The velocities at the end of the step.
void cg_inertia_finish(cg_thread *thread, const cg_step_context *context);

// spin.c: at the start of a step, and once its velocities are known
void cg_spin_note(cg_thread *thread);
void cg_spin_keep(cg_thread *thread, const cg_step_context *context);
// Scales velocities: those that change the shape; and those of spin and flight as a whole, of a thread that flies.
typedef struct cg_thread_pace {
    double swing, spin, flight; // 0 to 1
} cg_thread_pace;
void cg_thread_slow_down(cg_thread *thread, cg_thread_pace pace);
// Kinetic energy [J] of the flight and of the spin as a whole; 0 where something holds or touches the thread.
typedef struct cg_flight_energy {
    double flying, spinning;
} cg_flight_energy;
cg_flight_energy cg_thread_flight_energy(const cg_thread *thread);

// motion.c: the verbs of a step
void cg_thread_begin_step(cg_thread *thread, const cg_step_context *context);
void cg_thread_factorise(cg_thread *thread, const cg_step_context *context);
void cg_thread_solve(cg_thread *thread);
// Makes the motion of this pass a share of what it is.
void cg_thread_shorten(cg_thread *thread, double share);
// A thread whose motion is not finite stands still for this step.
void cg_thread_refuse_bad_move(cg_thread *thread);
void cg_thread_move(cg_thread *thread, const cg_step_context *context);
// A step to second order begins its passes where inertia leads: it aims there, and goes when the way is free.
void cg_thread_aim_ahead(cg_thread *thread, const cg_step_context *context);
void cg_thread_go_ahead(cg_thread *thread);
// Takes a given share of the motion, without a search.
void cg_thread_move_share(cg_thread *thread, double share);
// True when the pass after the one that is solved would move the thread by next to nothing.
bool cg_thread_settles(const cg_thread *thread, const cg_step_context *context);
void cg_thread_finish_step(cg_thread *thread, const cg_step_context *context);
// Puts every vertex where thread->move takes it, between steps: velocities stay, holds keep their targets.
void cg_thread_shift(cg_thread *thread);
// After the passes: of what the thread did in this step it makes this share, on the straight way from its start.
void cg_thread_take_share(cg_thread *thread, double share);

#endif
