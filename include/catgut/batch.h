// Many worlds of one scene or task in one process, commanded and observed as rows of numbers.
//
// A world takes an action (where its hands go), makes some steps, and gives an observation of fixed size. All worlds of
// a call are independent pieces of work: the batch starts no thread, it hands pieces to whoever runs them
// (cg_worlds_runner; the pool of catgut/workers_batch.h, or one after the other). Each world has the same bits as if it
// were alone.
//
//     cg_worlds_def def = cg_worlds_def_default();
//     def.scene = scene;
//     def.world_count = 64;
//     cg_worlds *batch;
//     cg_status status = cg_worlds_create(&def, &batch);
//     cg_worlds_reset(batch, NULL, NULL, observations);
//     cg_worlds_step(batch, NULL, actions, observations, outcomes);
//
// Inputs of the scene are left out: actions take their place.
#ifndef CATGUT_BATCH_H
#define CATGUT_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catgut/api.h"
#include "catgut/scene.h"
#include "catgut/session.h"
#include "catgut/status.h"
#include "catgut/task.h"

CG_API_BEGIN

// The worlds. Made by cg_worlds_create.
typedef struct cg_worlds cg_worlds;
// A state of one of its worlds, with its attempt. Made by cg_worlds_keep.
typedef struct cg_worlds_state cg_worlds_state;

// What can be observed, one for each line of observations.def.
typedef enum cg_observable {
#define CG_OBSERVABLE(name, place, width, counted, text) CG_OBSERVE_##name,
#include "catgut/observations.def"
#undef CG_OBSERVABLE
    CG_OBSERVE_COUNT // how many there are
} cg_observable;

// One thing that is observed.
typedef struct cg_observed {
    cg_observable what; // which
    int place;          // of the thread, hand, tissue or body in the scene
    int count;          // of points, 1 to 10000, where it is counted
    cg_vec3 point;      // [m] of a wound
    cg_vec3 along;      // its way
    double depth;       // [m] down to which it is looked at
} cg_observed;

// How many numbers it is; 0 for what cannot be observed.
int cg_observed_width(const cg_observed *observed);
// The name of an observable, as in observations.def; NULL for none.
const char *cg_observable_name(int what);
// Writes what is observed in a session. `reached` are the targets that are done, by bits; `task` may be NULL.
void cg_observe(const cg_session *session, const cg_task *task, uint64_t seed, uint64_t reached,
                const cg_observed *observed, int count, double *numbers);

// A piece of work, by its number.
typedef void cg_worlds_piece(void *work, size_t number);

// Who runs pieces of work. All zero: the caller, one after the other.
typedef struct cg_worlds_runner {
    // Calls piece(work, number) once for each number below the count, by any threads, and returns when all returned.
    void (*run)(void *context, size_t count, cg_worlds_piece *piece, void *work);
    // Begins piece(work, number) beside the caller. A number is not begun again before it was waited for.
    void (*begin)(void *context, cg_worlds_piece *piece, void *work, size_t number);
    // Returns when the piece of that number has returned.
    void (*wait)(void *context, size_t number);
    void *context; // handed to all three
} cg_worlds_runner;

// Numbers of an action for each hand of the scene: position [m], the first two columns of its rotation, opening 0 to 1.
// A hand without jaws closes below an opening of 0.5. Its command goes there evenly in the steps of the action.
#define CG_WORLDS_ACTION 10

// Everything that makes a batch. Start from cg_worlds_def_default. What is pointed to stays as long as the batch.
typedef struct cg_worlds_def {
    const cg_scene *scene; // of all worlds; NULL where make_scene makes them
    // Makes the scene of a seed, for worlds that differ; called from pieces of work, for different worlds at once. The
    // batch frees it. NULL: all have `scene`.
    cg_status (*make_scene)(void *context, int world, uint64_t seed, cg_scene **scene);
    void *scene_context;         // handed to make_scene
    const cg_task *task;         // attempted in every world; NULL: none
    const char *task_name;       // how recordings call it; NULL where there is no task
    int world_count;             // 1 to 100000
    int steps;                   // of a world in a step of the batch, 1 to 1000000
    const cg_observed *observed; // in the order of an observation
    int observed_count;          // of them; 0: observations are empty
    cg_worlds_runner runner;     // who runs pieces of work
    cg_allocator allocator;      // for all of it; used by several threads where the runner has them
} cg_worlds_def;

// One world, one step, nothing observed.
cg_worlds_def cg_worlds_def_default(void);

// How a world fares after a step.
typedef struct cg_worlds_outcome {
    bool over;                // the attempt is: nothing more counts
    bool reached;             // by its goal
    double time;              // [s] of the world
    uint64_t steps;           // of the world
    uint64_t recovered;       // motions of threads and tissues refused so far because a number was not finite
    uint64_t reached_targets; // of the attempt, by bits
} cg_worlds_outcome;

// Makes the worlds, each with its number as seed.
cg_status cg_worlds_create(const cg_worlds_def *def, cg_worlds **batch);
// Ends them. Nothing that was sent is under way any more, or it is waited for. NULL is allowed.
void cg_worlds_destroy(cg_worlds *batch);
// How many worlds there are.
int cg_worlds_count(const cg_worlds *batch);
// Numbers of an observation of one world.
int cg_worlds_observation_width(const cg_worlds *batch);
// Numbers of an action of one world.
int cg_worlds_action_width(const cg_worlds *batch);
// The session of a world, to look at, or to change between steps (cg_session_apply). A reset may make a new one. NULL
// for a bad number.
cg_session *cg_worlds_session(const cg_worlds *batch, int world);
// How a world fares.
cg_worlds_outcome cg_worlds_get_outcome(const cg_worlds *batch, int world);
// The seed of a world's last reset.
uint64_t cg_worlds_seed(const cg_worlds *batch, int world);

// Begins worlds anew: those with a true in `mask` (NULL: all), with the seed of their place in `seeds` (NULL: the seed
// they have). Rows of `observations` (world by world, may be NULL) are written for these alone. Nothing of what was
// before is left: the state of a new world of that seed, to the bit.
cg_status cg_worlds_reset(cg_worlds *batch, const bool *mask, const uint64_t *seeds, double *observations);

// Makes a step: a row of `actions` for each world (NULL: hands go on as they were told), rows of `observations` and
// `outcomes` (may be NULL) are written. Worlds with a false in `mask` are left as they are, and so are their rows. The
// first trouble by number of world; the others have made their step.
cg_status cg_worlds_step(cg_worlds *batch, const bool *mask, const double *actions, double *observations,
                         cg_worlds_outcome *outcomes);

// Hands actions over, one row for each of `count` worlds, and returns at once where the runner has threads.
// CG_BAD_INPUT, with nothing sent, for a world that is under way already.
cg_status cg_worlds_send(cg_worlds *batch, const int *worlds, int count, const double *actions);
// Waits until `count` of the worlds that were sent are done, first those that are, and writes their numbers into
// `worlds`, and their rows, in this order. Returns how many: fewer when fewer are under way.
int cg_worlds_receive(cg_worlds *batch, int count, int *worlds, double *observations, cg_worlds_outcome *outcomes);

// Keeps the state of a world: world, attempt and seed.
cg_status cg_worlds_keep(const cg_worlds *batch, int world, cg_worlds_state **state);
// Brings a world to a state that was kept of any world of this batch.
cg_status cg_worlds_return(cg_worlds *batch, int world, const cg_worlds_state *state);
// Gives a state back; before its batch ends. NULL is allowed.
void cg_worlds_state_free(cg_worlds_state *state);

// Plays actions from kept states: for each of `count` states (by place, NULL entries are refused) `steps` rows of
// actions, one state after the other in `actions`. Observations and outcomes are as many rows, in the same order.
// Worlds are used as they come and left where they ended.
cg_status cg_worlds_rollout(cg_worlds *batch, const cg_worlds_state *const *states, int count, const double *actions,
                            int steps, double *observations, cg_worlds_outcome *outcomes);

// Measures the attempt of a world as it is now (cg_attempt_measure).
cg_status cg_worlds_measure(cg_worlds *batch, int world, cg_measures *measures);

CG_API_END

#endif
