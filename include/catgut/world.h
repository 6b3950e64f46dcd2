// A world holds threads and tissues and moves them by fixed time steps.
//
// Repeatable: the same calls give the same bits. A step allocates nothing, reads no clock and does no I/O. (With
// constraints, what takes memory happens between steps: cg_world_make_ready in catgut/structure.h.)
#ifndef CATGUT_WORLD_H
#define CATGUT_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/shape.h"
#include "catgut/status.h"
#include "catgut/thread.h"

CG_API_BEGIN

// Threads, tissues and all that moves them.
typedef struct cg_world cg_world;

// Where memory comes from. Leave both functions NULL for malloc and free.
typedef struct cg_allocator {
    void *(*allocate)(void *context, size_t bytes); // zeroed or not; aligned for any type
    void (*release)(void *context, void *memory);   // takes back what allocate gave
    void *context;                                  // handed to both
} cg_allocator;

// Names a hand in a world (catgut/hand.h). Zero-initialised, it names none.
typedef struct cg_hand_id {
    unsigned index;      // place in the pool, plus one
    unsigned generation; // tells a new hand from an old one at the same place
} cg_hand_id;

// Names a tissue in a world (catgut/tissue.h). Zero-initialised, it names none.
typedef struct cg_tissue_id {
    unsigned index;      // place in the pool, plus one
    unsigned generation; // tells a new tissue from an old one at the same place
} cg_tissue_id;

// Names a rigid body in a world (catgut/rigid.h). Zero-initialised, it names none.
typedef struct cg_rigid_id {
    unsigned index;      // place in the pool, plus one
    unsigned generation; // tells a new body from an old one at the same place
} cg_rigid_id;

// Everything that makes a world. Start from cg_world_def_default.
typedef struct cg_world_def {
    double time_step;        // [s] above 0, at most 0.1
    cg_vec3 gravity;         // [m/s2]
    int newton_passes;       // 1 to 100: most linearisations of one step; it ends sooner once its motion has converged
    double newton_tolerance; // [m] converged: the last pass moved every vertex by less; 0: by size (docs/thread.md)
    bool line_search;        // each pass is shortened until it lowers the energy of the step; not with contacts
    bool friction_torque;    // with contacts: friction acts at the surface of threads and turns them, rolls and twists
    double linear_contact;   // [N/m] 0 to 1e9. Above 0, with contacts, and for comparison only: threads touch tissue as
                             // in MicroSim, by spheres at their vertices and a linear force without friction this firm
    int max_threads;         // 1 to 10000
    int max_contacts; // 0 to 400: contacts of threads that can carry force at once, 200 by default; 0: nothing is felt
    int max_shapes;   // 0 to 1000: rigid shapes
    int max_hands;    // 0 to 64: hands
    int max_tissues;  // 0 to 64: tissues
    int max_rigids;   // 0 to 1000: rigid bodies
    cg_allocator allocator; // zero: malloc and free
    double (*clock)(void);  // [s] read between stages for the timers; NULL: no timers. Never affects the motion.
} cg_world_def;

// The stages of a step, in order.
typedef enum cg_stage {
    CG_STAGE_BEGIN,    // hands, pushes and user commands take effect
    CG_STAGE_PREDICT,  // where shapes press tissue, and how it moves
    CG_STAGE_FIND,     // where threads touch themselves and each other
    CG_STAGE_ASSEMBLE, // forces and matrix
    CG_STAGE_FACTOR,   // the matrix factored
    CG_STAGE_SOLVE,    // the motion of this pass, and the forces of contact and friction
    CG_STAGE_LIMIT,    // how much of it is safe
    CG_STAGE_MOVE,     // how much of it is taken, the move itself, frames carried along and twist relaxed
    CG_STAGE_TISSUE,   // tissue moves; where shapes press it, as far as is safe
    CG_STAGE_FINISH,   // velocities, statistics
    CG_STAGE_FOLLOW,   // segments split and merged, of threads whose spacing follows
    CG_STAGE_COUNT     // how many there are
} cg_stage;

// What the last step did, and what has gone wrong so far. Trouble is counted here, never hidden.
typedef struct cg_world_stats {
    uint64_t step_count;                  // steps since the world was made
    double stage_seconds[CG_STAGE_COUNT]; // time of the last step by stage; 0 without a clock
    int passes;                           // most Newton passes of a thread in the last step
    double last_correction;               // [m] largest motion of a vertex in the last pass of the last step
    double shortest_move;                 // smallest share of a pass taken in the last step, 0 to 1
    uint64_t unconverged_steps;           // thread steps that ended before their motion had converged
    uint64_t energy_limited_steps;        // steps whose velocity was lowered so that no energy appears
    uint64_t recovered_steps;             // thread steps refused because a number was not finite: it stood still

    int contacts;              // near contacts in the last pass of the last step
    int working_contacts;      // of these, in the friction problem
    int friction_iterations;   // sweeps over the contacts in the last step
    int friction_pivots;       // exchanges of the pivoting solver in the last step
    double friction_residual;  // worst of the last step, in radii
    double hold_lag;           // [m] largest distance of a held vertex from its target after the last step
    uint64_t unfinished_steps; // steps whose motion could not be made whole: hands lag behind
    uint64_t rough_steps;      // steps with a friction problem above its tolerance
    uint64_t lost_contacts;    // contacts that found no room
    uint64_t model_stops;      // motions of threads of springs or links that were cut short so that nothing is passed

    int edits;                  // segments split and vertices taken out in the last step
    uint64_t refused_edits;     // segments that should have been split, but the thread had no room for a vertex
    uint64_t jammed_slides;     // steps that ended with a thread held at a hole through which it would have slid
    uint64_t refused_handovers; // steps in which a thread could not take a hole: 24 anchors, or no room for a vertex

    int tissue_iterations;           // most of a tissue's solver in the last step
    double tissue_residual;          // what its solver left of the first residual in the last step, 0 to 1; the worst
    int squeezed_cells;              // cells of tissues pushed back in the last step, having lost most of their volume
    uint64_t shortened_tissue_steps; // tissue steps whose motion was shortened so that no cell folds
    uint64_t recovered_tissue_steps; // tissue steps refused because a number was not finite: it stood still

    int bonds;             // places where tissue sticks to tissue, after the last step
    uint64_t made_bonds;   // so far
    uint64_t broken_bonds; // so far: drawn too far, or lost with what they held
} cg_world_stats;

// 1 ms, gravity along -z, at most 12 passes, no line search, 64 threads, 64 shapes, 8 hands, 8 tissues, 64 bodies, 200
// contacts.
cg_world_def cg_world_def_default(void);

// Makes a world. On failure *world is NULL.
cg_status cg_world_create(const cg_world_def *def, cg_world **world);
// Ends a world and all in it. NULL is allowed.
void cg_world_destroy(cg_world *world);

// Moves everything by one time step.
void cg_world_step(cg_world *world);
// [s] simulated so far.
double cg_world_time(const cg_world *world);
// Statistics of the last step and since the start.
cg_world_stats cg_world_get_stats(const cg_world *world);
// The name of a stage, as in the documentation.
const char *cg_stage_name(cg_stage stage);

// Changes the time step [s], above 0 and at most 0.1; between steps only.
cg_status cg_world_set_time_step(cg_world *world, double time_step);
// Changes gravity [m/s2]; between steps only.
cg_status cg_world_set_gravity(cg_world *world, cg_vec3 gravity);
// Changes what newton_passes, newton_tolerance [m] and line_search of the definition say; between steps only.
cg_status cg_world_set_newton(cg_world *world, int passes, double tolerance, bool line_search);

// A number made from every bit of state that can influence the future. Equal states have equal hashes.
uint64_t cg_world_state_hash(const cg_world *world);
// The layout of snapshots, and with it what state hashes mean. Raised whenever either changes; a snapshot of another
// version is refused with both numbers.
#define CG_SNAPSHOT_VERSION 5
// What a step does. Raised whenever the same state and the same operations lead to another future; a recording of
// another version is watched as it was, and not run again.
#define CG_MOTION_VERSION 13

// Bytes that a snapshot needs now.
size_t cg_world_snapshot_size(const cg_world *world);
// Writes the whole state into `bytes`, which has room for `size`.
cg_status cg_world_snapshot(const cg_world *world, void *bytes, size_t size);
// Takes the state back. The world must hold the same threads and tissues as when the snapshot was taken; on failure
// nothing changes.
cg_status cg_world_restore(cg_world *world, const void *bytes, size_t size);

// Adds a thread; between steps only.
cg_status cg_world_add_thread(cg_world *world, const cg_thread_def *def, cg_thread_id *id);
// Removes a thread; its id becomes invalid.
cg_status cg_world_remove_thread(cg_world *world, cg_thread_id id);
// Keeps places and memory for parts of a thread: it and its parts can be cut so many times more. Takes memory; cutting
// does not.
cg_status cg_world_reserve_parts(cg_world *world, cg_thread_id id, int count);
// Cuts a thread in two at an arc length at rest [m]. It keeps what is before the cut; *part is what is behind it, a
// thread like any other. Contacts, hands and holds go on at the part that they are on. CG_FULL when no part is left,
// CG_BAD_INPUT within about a radius of an end.
cg_status cg_world_cut_thread(cg_world *world, cg_thread_id id, double arc, cg_thread_id *part);
// A thread that broke in the last step.
typedef struct cg_thread_break {
    cg_thread_id thread, part; // what is before the break, and what is behind it
    double arc;                // [m] of the break at rest, along the whole
    double tension;            // [N] of the section that broke
    double moment;             // [N m] and its bending moment, no more than the yielding section has
} cg_thread_break;
// How many broke in the last step, and which: at most one break of a thread in a step. The list is valid until the next
// step.
int cg_world_breaks(const cg_world *world, const cg_thread_break **breaks);
// True while the id names a thread of this world.
bool cg_thread_is_valid(const cg_world *world, cg_thread_id id);

// A place where two of threads, bodies, tools, shapes and tissues touch, or nearly do, as the last step left it. Each
// side is one of them; what a side is not names none there.
typedef struct cg_contact_info {
    cg_thread_id threads[2]; // may be the same
    cg_rigid_id bodies[2];   //
    cg_tissue_id tissues[2]; // may be the same
    cg_shape_id shape;       // one of the sides; names none when neither is a shape
    cg_hand_id hand;         // whose tool a side is (of two tools, the second); names none when there is none
    int jaw;                 // of the hand's tool: 0 for the shaft, 1 and 2 for the jaws
    int segments[2];         // of the threads; of bodies the part
    double fractions[2];     // where on the segment, 0 to 1
    int triangles[2];        // of the surfaces of tissues; -1: none
    double weights[2][3];    // of their corners; sum 1
    cg_vec3 points[2];       // [m] on the axes of threads, or on the surface of what else it is
    cg_vec3 normal;          // unit, from the second to the first
    double gap;              // [m] between the surfaces when the step was solved; negative: they overlapped
    cg_vec3 force;           // [N] on the first; on the second acts the opposite
} cg_contact_info;

// The number of contacts of the last step, of all pairs: those of threads, bodies and tools first, then of tissues with
// shapes, then of tissues with themselves and each other.
int cg_world_contact_count(const cg_world *world);
// One of them; false for a bad index.
bool cg_world_get_contact(const cg_world *world, int index, cg_contact_info *contact);

// Adds a rigid shape; between steps only. It is felt when max_contacts is above 0.
cg_status cg_world_add_shape(cg_world *world, const cg_shape_def *def, cg_shape_id *id);
// Removes a shape; its id becomes invalid.
cg_status cg_world_remove_shape(cg_world *world, cg_shape_id id);
// True while the id names a shape of this world.
bool cg_shape_is_valid(const cg_world *world, cg_shape_id id);
// Sends a shape to a pose. It is there at the end of the next step, unless a thread that cannot give way stops it.
cg_status cg_shape_move(cg_world *world, cg_shape_id id, cg_transform pose);
// Where a shape is now; no rotation about the origin for a bad id.
cg_transform cg_shape_get_pose(const cg_world *world, cg_shape_id id);
// What a shape is; false for a bad id.
bool cg_shape_get(const cg_world *world, cg_shape_id id, cg_shape *shape);
// What threads did to a shape in the last step: force [N] and torque [N m] about its position. Either may be NULL.
cg_status cg_shape_get_load(const cg_world *world, cg_shape_id id, cg_vec3 *force, cg_vec3 *torque);

// From where a world is looked at. Nothing in a step depends on it, and it is no part of snapshots and hashes.
typedef struct cg_camera {
    cg_vec3 position; // [m]
    cg_vec3 target;   // [m] what it looks at
    cg_vec3 up;       // direction that is up in the picture
} cg_camera;

// Moves the camera.
cg_status cg_world_set_camera(cg_world *world, const cg_camera *camera);
// Where it is; at (0, -0.3, 0.2) m, looking at the origin, z up, until it is moved.
cg_camera cg_world_get_camera(const cg_world *world);

// Positions [m] of all vertices, valid until the next step; NULL for a bad id. `count` may be NULL.
const cg_vec3 *cg_thread_positions(const cg_world *world, cg_thread_id id, int *count);
// Velocities [m/s] of all vertices.
const cg_vec3 *cg_thread_velocities(const cg_world *world, cg_thread_id id, int *count);
// Rest lengths [m] of all segments; `count` becomes the number of segments.
const double *cg_thread_rest_lengths(const cg_world *world, cg_thread_id id, int *count);
// Arc lengths [m] of all vertices along the thread at rest, from 0 at the start.
const double *cg_thread_arcs(const cg_world *world, cg_thread_id id, int *count);
// The vertex nearest to an arc length [m] at rest; of two the first. -1 for a bad id or a number that is not finite.
int cg_thread_vertex_at(const cg_world *world, cg_thread_id id, double arc);
// The segment at an arc length [m] at rest, and in *fraction (may be NULL) where on it, 0 to 1; beyond the ends, the
// end. -1 for a bad id or a number that is not finite.
int cg_thread_segment_at(const cg_world *world, cg_thread_id id, double arc, double *fraction);
// How many vertices were put in or taken out so far (cg_spacing): while it stays, vertices keep their numbers.
uint64_t cg_thread_topology_version(const cg_world *world, cg_thread_id id);
// The most vertices that the thread can have; 0 for a bad id.
int cg_thread_max_vertices(const cg_world *world, cg_thread_id id);
// Puts the thread somewhere else, at the given velocities (NULL: at rest). Holds move along with their vertices;
// hands let go.
cg_status cg_thread_set_state(cg_world *world, cg_thread_id id, const cg_vec3 *positions, const cg_vec3 *velocities);
// The same for one vertex alone; all others stay as they are. Once every vertex was put somewhere, the thread is as
// cg_thread_set_state would have left it.
cg_status cg_thread_set_vertex(cg_world *world, cg_thread_id id, int vertex, cg_vec3 position, cg_vec3 velocity);

// Pull [N] in each segment, negative when pushed; `tensions` has room for `count` values, the number of segments.
cg_status cg_thread_tensions(const cg_world *world, cg_thread_id id, double *tensions, int count);
// Twisting moment [N m] at each vertex; `torques` has room for `count` values, the number of vertices.
cg_status cg_thread_torques(const cg_world *world, cg_thread_id id, double *torques, int count);
// Turn [rad] of the material about each segment's tangent since the thread was placed; `turns` has room for `count`
// values, the number of segments. All zero when nothing can twist or turn the thread.
cg_status cg_thread_turns(const cg_world *world, cg_thread_id id, double *turns, int count);
// How the material is turned about the thread: *director becomes a unit vector across the first segment that is fixed
// to the material, and `twist` [rad] the turn of each segment's material against a frame that is carried along from
// there without twist. `count` is the number of segments. False, with nothing written, for a bad id or count or when
// nothing holds a twist.
bool cg_thread_get_material(const cg_world *world, cg_thread_id id, cg_vec3 *director, double *twist, int count);
// Energies [J]; gravity is counted from the origin.
cg_thread_energy cg_thread_get_energy(const cg_world *world, cg_thread_id id);
// Lengths, largest stretch and loads; all zero for a bad id.
cg_thread_summary cg_thread_get_summary(const cg_world *world, cg_thread_id id);

// Force [N] on a vertex during the next step; several add up.
cg_status cg_thread_push_vertex(cg_world *world, cg_thread_id id, int vertex, cg_vec3 force);
// Force [N] at a point of a segment (fraction 0 to 1) during the next step.
cg_status cg_thread_push_segment(cg_world *world, cg_thread_id id, int segment, double fraction, cg_vec3 force);
// Moment [N m] on a segment during the next step. Only the part across the segment acts; it bends, it does not twist.
cg_status cg_thread_push_moment(cg_world *world, cg_thread_id id, int segment, cg_vec3 moment);
// A mass [kg] fixed to a vertex, in addition to the thread's own (a bead, a needle). Replaces the one set before.
cg_status cg_thread_set_added_mass(cg_world *world, cg_thread_id id, int vertex, double mass);

// Changes the coefficient of friction, 0 to 100, from the next step on.
cg_status cg_thread_set_friction(cg_world *world, cg_thread_id id, double friction);
// The present one; 0 for a bad id.
double cg_thread_get_friction(const cg_world *world, cg_thread_id id);

// Holds a vertex. It reaches `target` [m] at the end of the next step and stays there until moved or released.
cg_status cg_thread_hold(cg_world *world, cg_thread_id id, int vertex, cg_vec3 target);
// Lets go of a held vertex. An end that is pinned or clamped becomes free.
cg_status cg_thread_release(cg_world *world, cg_thread_id id, int vertex);
// Holds, moves or frees an end.
cg_status cg_thread_set_end(cg_world *world, cg_thread_id id, cg_end end, const cg_end_hold *hold);
// How an end is held now.
cg_end_hold cg_thread_get_end(const cg_world *world, cg_thread_id id, cg_end end);
// Force [N] that the hold put on a vertex in the last step; zero when it is not held.
cg_vec3 cg_thread_hold_force(const cg_world *world, cg_thread_id id, int vertex);

CG_API_END

#endif
