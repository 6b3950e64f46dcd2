// A session: the world of a scene, the operations that come from the scene, a file or a hand, and a recording of all.
//
// Everything that drives a world step by step goes through here, so that runs, replays, servers and scripts agree on
// what happens in which order. Before a step come the operations of the scene, then those of the input text, then those
// of a script (catgut/script.h), then those that were submitted, each in their own order.
//
//     cg_session_def def = cg_session_def_default();
//     cg_scene_error error;
//     cg_session *session;
//     cg_status status = cg_session_create(&def, scene, &session, &error);
//     while (running) {
//         cg_session_submit(session, &operation); // for a step to come
//         cg_session_step(session);
//     }
//     cg_session_destroy(session);
#ifndef CATGUT_SESSION_H
#define CATGUT_SESSION_H

#include "catgut/api.h"
#include "catgut/operation.h"
#include "catgut/pull.h"
#include "catgut/recording.h"
#include "catgut/scene.h"
#include "catgut/status.h"
#include "catgut/world.h"

CG_API_BEGIN

// A world being stepped. Made by cg_session_create.
typedef struct cg_session cg_session;

// Everything that makes a session, besides its scene. Start from cg_session_def_default.
typedef struct cg_session_def {
    const char *inputs;      // text of timed inputs (docs/inputs.md), not kept; NULL: none
    size_t inputs_size;      // bytes of it
    const char *inputs_name; // what errors call it; NULL: "inputs"
    bool skip_scene_inputs;  // the scene's own inputs are left out, as for a replay
    int queue_capacity;      // submitted operations that can wait, 1 to 1000000
    double (*clock)(void);   // [s] for the timers of the world's stages; NULL: no timers. Never affects the motion.
    cg_allocator allocator;  // for the session and its world; not used in a step
} cg_session_def;

// No input text, the scene's own inputs, 4096 waiting operations.
cg_session_def cg_session_def_default(void);

// Makes the world of a scene and reads the inputs for it. On failure *session is NULL; when a text is to blame *error
// says where, otherwise its message is empty. The scene must live as long as the session.
cg_status cg_session_create(const cg_session_def *def, const cg_scene *scene, cg_session **session,
                            cg_scene_error *error);
// Ends a session and its world; a recording that is under way is finished. NULL is allowed.
void cg_session_destroy(cg_session *session);

// The scene that it was made of.
const cg_scene *cg_session_scene(const cg_session *session);
// The world, to look at.
const cg_world *cg_session_world(const cg_session *session);
// The handle of a thread by its place in the scene; a zero handle when it was removed or never was.
cg_thread_id cg_session_thread(const cg_session *session, int place);

// The same for a hand.
cg_hand_id cg_session_hand(const cg_session *session, int place);
// The same for a rigid shape.
cg_shape_id cg_session_shape(const cg_session *session, int place);
// The same for a tissue.
cg_tissue_id cg_session_tissue(const cg_session *session, int place);

// [s] the present time step.
double cg_session_time_step(const cg_session *session);

// Takes an operation for the step it names, which must not be over. CG_FULL when too many wait; such a one, and one
// that is late, counts as refused.
cg_status cg_session_submit(cg_session *session, const cg_operation *operation);
// Applies an operation at once, before the next step, whatever step it names.
cg_status cg_session_apply(cg_session *session, const cg_operation *operation);
// Applies what is due and makes one step. Allocates nothing, but for an `expect knot` of a script while it names one,
// and an operation that separates a tissue.
void cg_session_step(cg_session *session);
// Puts the world into a state of cg_world_snapshot and drops operations that wait. Not while recording or with inputs.
cg_status cg_session_restore(cg_session *session, const void *bytes, size_t size);

// Brings a new session of a recording's scene, made without its inputs, to the last whole state in the recording at or
// before a step, or leaves it at the start when there is none; never behind an operation that separated a tissue, from
// which on the recording has to be run. *next becomes the number of the first operation of the
// recording that is still to be applied. CG_MISMATCH for a recording of another motion (cg_recording_check_versions).
cg_status cg_session_jump(cg_session *session, cg_recording *recording, uint64_t step, size_t *next);

// A state of a session to go back to: its world, its inputs under way and the operations that wait. Made by
// cg_session_keep.
typedef struct cg_session_state cg_session_state;
// Copies the present state. Give it back with cg_session_state_free before the session ends.
cg_status cg_session_keep(const cg_session *session, cg_session_state **state);
// Whether the session can go back to a state: CG_OK, or why not. Changes nothing.
cg_status cg_session_check_return(const cg_session *session, const cg_session_state *state);
// Goes back to a state of this session. Not while recording; a script is no part of it and runs on as it is. On failure
// nothing changes.
cg_status cg_session_return(cg_session *session, const cg_session_state *state);
// How often the session went to another state, by cg_session_restore, cg_session_jump or cg_session_return. Whoever
// keeps something of a state looks again when this changed: versions of topologies may come a second time then.
uint64_t cg_session_state_changes(const cg_session *session);
// Gives a state back. NULL is allowed.
void cg_session_state_free(cg_session_state *state);

// Starts to record: all from the beginning, before any operation; or from the present state on, when the world has made
// steps.
cg_status cg_session_record(cg_session *session, const cg_recorder_def *def);
// Notes in the recording, if one is under way, and in what is kept of the last minutes that something happened; at
// most 255 bytes of the text are kept.
void cg_session_note(cg_session *session, const char *text);
// Loads the knot in a thread by its place in the scene, -1: the first, or both where there are two, on a copy of it
// (catgut/pull.h), and notes what came of it as an event. Of a thread that was cut the part that has throws is loaded.
// The world stays as it is. Takes memory, and the time of some hundred steps.
cg_status cg_session_pull_test(cg_session *session, int thread, cg_pull_result *result);
// How the recording goes: the first trouble, or CG_OK.
cg_status cg_session_recording_status(const cg_session *session);
// Ends the recording; CG_OK when all of it was written or none was under way.
cg_status cg_session_end_recording(cg_session *session);

// What a session keeps of the last minutes.
typedef struct cg_past_def {
    double seconds;      // simulated: all is kept for half of it, nothing for longer
    size_t most_bytes;   // of memory for one recording; there are two
    cg_codec codec;      // zero: none. What it points to stays as long as the session
    const char *program; // who records, for people; stays as long as the session
} cg_past_def;

// From now on keeps the last minutes in memory, whether or not it records. Steps may take memory then.
cg_status cg_session_keep_past(cg_session *session, const cg_past_def *def);
// [s] simulated that are kept; 0 when nothing is. A session that went to another state keeps what came after that.
double cg_session_past_seconds(const cg_session *session);
// Writes what is kept as a recording that begins in the middle of the world, and goes on keeping. False when nothing is
// kept or `write` fails.
bool cg_session_write_past(cg_session *session, bool (*write)(void *context, const void *bytes, size_t size),
                           void *context);

// What happened to operations so far.
typedef struct cg_session_stats {
    uint64_t steps;   // made by the world
    uint64_t applied; // operations that took effect
    uint64_t refused; // operations that did not; the first of them can be had by cg_session_refusal
    int waiting;      // submitted operations for steps to come
} cg_session_stats;

// An operation that was refused.
typedef struct cg_refusal {
    uint64_t step;          // steps made by then
    cg_operation_kind kind; // what it wanted to do
    cg_status status;       // why not
} cg_refusal;

// Counts so far.
cg_session_stats cg_session_get_stats(const cg_session *session);
// One of the first 16 refusals, from 0; false for others.
bool cg_session_refusal(const cg_session *session, int index, cg_refusal *refusal);

CG_API_END
#endif
