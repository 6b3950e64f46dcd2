// A batch from inside: its worlds, and what each has of its own. Pieces of work touch one world each.
#ifndef CATGUT_BATCH_BATCH_H
#define CATGUT_BATCH_BATCH_H

#include <stdatomic.h>

#include "catgut/batch.h"

// One world.
typedef struct cg_one_world {
    cg_scene *own_scene; // made for its seed; NULL: the scene of the batch
    cg_session *session;
    cg_attempt *attempt;            // NULL: there is no task
    cg_session_state *first;        // as it was made, to begin anew by
    cg_attempt_past *first_attempt; // likewise
    uint64_t made_with;             // the seed that `first` is of
    uint64_t seed;
    cg_status trouble;        // of its last piece of work
    bool under_way;           // sent and not received
    double *action;           // a row that was sent
    double *observation;      // a row to be received
    cg_worlds_state *state;   // of a rollout
    cg_worlds_outcome before; // what the statistics said when it began
} cg_one_world;

struct cg_worlds {
    cg_worlds_def def;
    cg_scene_error error; // of a scene that could not be made
    cg_one_world *worlds;
    cg_observed *observed; // a copy
    double *rows;          // of actions and observations of all worlds
    int hand_count;
    int action_width, observation_width;
    // Worlds that are done and were not received, in the order in which they ended: a ring with a place for each.
    atomic_int *done;
    atomic_size_t done_end; // places given out
    size_t done_begin;      // the first that was not received
    int *sent;              // worlds under way, in the order in which they were sent
    int sent_count;
};

struct cg_worlds_state {
    cg_allocator allocator;
    uint64_t seed;
    void *world;
    size_t size;
    cg_attempt_past *attempt;
};

// Makes the world of a seed, or begins it anew where it is there.
cg_status cg_worlds_begin_world(cg_worlds *batch, int world, uint64_t seed);
void cg_worlds_end_world(cg_worlds *batch, int world);
// One step of one world, by its rows; `action` and `observation` may be NULL.
cg_status cg_worlds_step_world(cg_worlds *batch, int world, const double *action, double *observation);
void cg_worlds_observe_world(const cg_worlds *batch, int world, double *observation);
// Runs pieces, by whoever does that.
void cg_worlds_run(cg_worlds *batch, size_t count, cg_worlds_piece *piece, void *work);
// The first trouble of the worlds that a mask names, by number.
cg_status cg_worlds_trouble(const cg_worlds *batch, const bool *mask);

#endif
