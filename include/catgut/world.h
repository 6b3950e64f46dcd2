// A world holds threads and moves them by fixed time steps.
//
// Repeatable: the same calls give the same bits. A step allocates nothing, reads no clock and does no I/O.
#ifndef CATGUT_WORLD_H
#define CATGUT_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include "catgut/math.h"
#include "catgut/status.h"
#include "catgut/thread.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cg_world cg_world;

// Where memory comes from. Leave both functions NULL for malloc and free.
typedef struct cg_allocator {
    void *(*allocate)(void *context, size_t bytes); // zeroed or not; aligned for any type
    void (*release)(void *context, void *memory);
    void *context;
} cg_allocator;

// Everything that makes a world. Start from cg_world_def_default.
typedef struct cg_world_def {
    double time_step;        // [s] above 0, at most 0.1
    cg_vec3 gravity;         // [m/s2]
    int newton_passes;       // 1 to 100: most linearisations of one step
    double newton_tolerance; // [m] passes end when the last one moved every vertex by less; 0: all passes are run
    bool line_search;        // each pass is shortened until it lowers the energy of the step
    int max_threads;         // 1 to 10000
    cg_allocator allocator;
    double (*clock)(void); // [s] read between stages for the timers; NULL: no timers. Never affects the motion.
} cg_world_def;

// The stages of a step, in order.
typedef enum cg_stage {
    CG_STAGE_BEGIN,    // hands, pushes and user commands take effect
    CG_STAGE_ASSEMBLE, // forces and matrix
    CG_STAGE_FACTOR,   // the matrix factored
    CG_STAGE_SOLVE,    // the motion of this pass
    CG_STAGE_MOVE,     // how much of it is taken, the move itself, frames carried along and twist relaxed
    CG_STAGE_FINISH,   // velocities, statistics
    CG_STAGE_COUNT
} cg_stage;

// What the last step did, and what has gone wrong so far. Trouble is counted here, never hidden.
typedef struct cg_world_stats {
    uint64_t step_count;                  // steps since the world was made
    double stage_seconds[CG_STAGE_COUNT]; // time of the last step by stage; 0 without a clock
    int passes;                           // most Newton passes of a thread in the last step
    double last_correction;               // [m] largest motion of a vertex in the last pass of the last step
    double shortest_move;                 // smallest share of a pass taken in the last step, 0 to 1
    uint64_t unconverged_steps;           // steps that ended with a correction above the tolerance
    uint64_t energy_limited_steps;        // steps whose velocity was lowered so that no energy appears
    uint64_t recovered_steps;             // thread steps refused because a number was not finite: it stood still
} cg_world_stats;

// 1 ms, gravity along -z, one pass, no line search, 64 threads.
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

// Changes the time step, gravity or the Newton options between steps.
cg_status cg_world_set_time_step(cg_world *world, double time_step);
cg_status cg_world_set_gravity(cg_world *world, cg_vec3 gravity);
cg_status cg_world_set_newton(cg_world *world, int passes, double tolerance, bool line_search);

// A number made from every bit of state that can influence the future. Equal states have equal hashes.
uint64_t cg_world_state_hash(const cg_world *world);
// Bytes that a snapshot needs now.
size_t cg_world_snapshot_size(const cg_world *world);
// Writes the whole state into `bytes`, which has room for `size`.
cg_status cg_world_snapshot(const cg_world *world, void *bytes, size_t size);
// Takes the state back. The world must hold the same threads as when the snapshot was taken; on failure nothing
// changes.
cg_status cg_world_restore(cg_world *world, const void *bytes, size_t size);

// Adds a thread; between steps only.
cg_status cg_world_add_thread(cg_world *world, const cg_thread_def *def, cg_thread_id *id);
// Removes a thread; its id becomes invalid.
cg_status cg_world_remove_thread(cg_world *world, cg_thread_id id);
// True while the id names a thread of this world.
bool cg_thread_is_valid(const cg_world *world, cg_thread_id id);

// Positions [m] of all vertices, valid until the thread is removed; NULL for a bad id. `count` may be NULL.
const cg_vec3 *cg_thread_positions(const cg_world *world, cg_thread_id id, int *count);
// Velocities [m/s] of all vertices.
const cg_vec3 *cg_thread_velocities(const cg_world *world, cg_thread_id id, int *count);
// Rest lengths [m] of all segments; `count` becomes the number of segments.
const double *cg_thread_rest_lengths(const cg_world *world, cg_thread_id id, int *count);
// Puts the thread somewhere else, at the given velocities (NULL: at rest). Holds move along with their vertices.
cg_status cg_thread_set_state(cg_world *world, cg_thread_id id, const cg_vec3 *positions, const cg_vec3 *velocities);

// Pull [N] in each segment, negative when pushed; `tensions` has room for `count` values, the number of segments.
cg_status cg_thread_tensions(const cg_world *world, cg_thread_id id, double *tensions, int count);
// Twisting moment [N m] at each vertex; `torques` has room for `count` values, the number of vertices.
cg_status cg_thread_torques(const cg_world *world, cg_thread_id id, double *torques, int count);
// Energies [J]; gravity is counted from the origin.
cg_thread_energy cg_thread_get_energy(const cg_world *world, cg_thread_id id);
cg_thread_summary cg_thread_get_summary(const cg_world *world, cg_thread_id id);

// Force [N] on a vertex during the next step; several add up.
cg_status cg_thread_push_vertex(cg_world *world, cg_thread_id id, int vertex, cg_vec3 force);
// Force [N] at a point of a segment (fraction 0 to 1) during the next step.
cg_status cg_thread_push_segment(cg_world *world, cg_thread_id id, int segment, double fraction, cg_vec3 force);
// Moment [N m] on a segment during the next step. Only the part across the segment acts; it bends, it does not twist.
cg_status cg_thread_push_moment(cg_world *world, cg_thread_id id, int segment, cg_vec3 moment);
// A mass [kg] fixed to a vertex, in addition to the thread's own (a bead, a needle). Replaces the one set before.
cg_status cg_thread_set_added_mass(cg_world *world, cg_thread_id id, int vertex, double mass);

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

#ifdef __cplusplus
}
#endif
#endif
