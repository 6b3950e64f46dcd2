// The last minutes of a session, kept in memory as recordings that begin in the middle of a world.
//
// Two recorders write side by side, begun half of the time apart. The older one is what can be had at any moment: it
// goes back by half of the time at least once so much has passed, and by all of it at most. When it is too old, or has
// no room left, it begins anew, and the other is the older one then.
#ifndef CATGUT_RECORD_PAST_H
#define CATGUT_RECORD_PAST_H

#include "catgut/recording.h"
#include "catgut/session.h"

typedef struct cg_past cg_past;

// NULL with a status when there is no memory.
cg_status cg_past_create(const cg_past_def *def, const cg_scene *scene, const cg_world *world,
                         const cg_allocator *allocator, cg_past **past);
// NULL is allowed.
void cg_past_destroy(cg_past *past);

// As for a recorder.
void cg_past_note_operation(cg_past *past, const cg_operation *operation);
void cg_past_note_event(cg_past *past, const char *text);
void cg_past_note_step(cg_past *past, const cg_world *world);
// The world is in another state now: what was before does not lead there.
void cg_past_restart(cg_past *past, const cg_world *world);

// [s] simulated that can be had.
double cg_past_seconds(const cg_past *past, const cg_world *world);
// Writes what is kept as a whole recording, and goes on. False when there is nothing, or it could not be written.
bool cg_past_write(cg_past *past, const cg_world *world, bool (*write)(void *context, const void *bytes, size_t size),
                   void *context);

#endif
