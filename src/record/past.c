#include "record/past.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { FIRST_ROOM = 256 * 1024, HASH_EVERY = 1024 };
static const double LEAST_SECONDS = 1.0; // simulated, that a recording must last to be worth its beginning

// One recording in memory.
typedef struct past_part {
    cg_past *past;         // whose it is
    cg_recorder *recorder; // NULL: not begun
    unsigned char *bytes;
    size_t used, room;
    double begun; // [s] simulated
} past_part;

struct cg_past {
    cg_allocator allocator;
    cg_past_def def;
    const cg_scene *scene;
    past_part parts[2];
    int older;    // of the two
    bool gave_up; // there is too little room to begin any more
};

// Takes the bytes of a recorder; false when there is no room left for them.
static bool take_bytes(void *context, const void *bytes, size_t size)
{
    past_part *part = context;
    cg_past *past = part->past;
    if (size > past->def.most_bytes - part->used) {
        return false;
    }
    size_t room = part->room > 0 ? part->room : FIRST_ROOM;
    while (room - part->used < size) {
        room *= 2;
    }
    void *grown = part->bytes;
    if (room > part->room && !cg_memory_grow(&past->allocator, &grown, part->used, room)) {
        return false;
    }
    part->bytes = grown;
    part->room = room;
    memcpy(part->bytes + part->used, bytes, size);
    part->used += size;
    return true;
}

static void end_part(past_part *part)
{
    cg_recorder_finish(part->recorder, NULL);
    part->recorder = NULL;
    part->used = 0;
}

// What cannot be recorded, as a world that lost a thread of its scene, is not kept.
static void begin_part(past_part *part, const cg_world *world)
{
    cg_recorder_def def = cg_recorder_def_default();
    end_part(part);
    def.write = take_bytes;
    def.context = part;
    def.codec = part->past->def.codec;
    def.hash_every = HASH_EVERY;
    def.program = part->past->def.program;
    def.allocator = part->past->allocator;
    part->begun = cg_world_time(world);
    if (cg_recorder_create_here(&def, part->past->scene, world, &part->recorder).code != CG_OK) {
        part->recorder = NULL;
        part->used = 0;
    }
}

void cg_past_restart(cg_past *past, const cg_world *world)
{
    past->older = 0;
    past->gave_up = false;
    begin_part(&past->parts[0], world);
    end_part(&past->parts[1]);
}

cg_status cg_past_create(const cg_past_def *def, const cg_scene *scene, const cg_world *world,
                         const cg_allocator *allocator, cg_past **out)
{
    cg_past *past = *out = cg_memory_take(allocator, sizeof *past);
    if (past == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory to keep what happens");
    }
    *past = (cg_past){.allocator = *allocator, .def = *def, .scene = scene};
    past->parts[0].past = past->parts[1].past = past;
    cg_past_restart(past, world);
    return cg_ok();
}

void cg_past_destroy(cg_past *past)
{
    if (past == NULL) {
        return;
    }
    cg_allocator allocator = past->allocator;
    for (int i = 0; i < 2; i++) {
        end_part(&past->parts[i]);
        cg_memory_give(&allocator, past->parts[i].bytes);
    }
    cg_memory_give(&allocator, past);
}

void cg_past_note_operation(cg_past *past, const cg_operation *operation)
{
    assert(operation != NULL);
    for (int i = 0; i < 2; i++) {
        if (past->parts[i].recorder != NULL) {
            cg_recorder_note_operation(past->parts[i].recorder, operation);
        }
    }
}

void cg_past_note_event(cg_past *past, const char *text)
{
    for (int i = 0; i < 2; i++) {
        if (past->parts[i].recorder != NULL) {
            cg_recorder_note_event(past->parts[i].recorder, text);
        }
    }
}

static double age(const past_part *part, const cg_world *world)
{
    return part->recorder != NULL ? cg_world_time(world) - part->begun : 0;
}

static bool is_broken(const past_part *part)
{
    return part->recorder == NULL || cg_recorder_status(part->recorder).code != CG_OK;
}

// Begins anew, unless there was no room even for a second: every beginning costs a whole state, and that in a step.
static void begin_again(past_part *part, const cg_world *world)
{
    cg_past *past = part->past;
    past->gave_up = past->gave_up || (part->recorder != NULL && is_broken(part) && age(part, world) < LEAST_SECONDS);
    if (past->gave_up) {
        end_part(part);
    } else {
        begin_part(part, world);
    }
}

void cg_past_note_step(cg_past *past, const cg_world *world)
{
    for (int i = 0; i < 2; i++) {
        past_part *part = &past->parts[i];
        if (part->recorder != NULL) {
            cg_recorder_note_step(part->recorder, world);
        }
    }
    past_part *older = &past->parts[past->older], *younger = &past->parts[1 - past->older];
    bool is_over = is_broken(older);
    if (younger->recorder == NULL ? age(older, world) >= past->def.seconds / 2 : is_broken(younger)) {
        begin_again(younger, world);
    }
    if (younger->recorder != NULL && (is_over || age(older, world) >= past->def.seconds)) {
        begin_again(older, world);
        past->older = 1 - past->older;
    } else if (older->recorder != NULL && is_over) {
        begin_again(older, world); // it alone took all the room
    }
}

double cg_past_seconds(const cg_past *past, const cg_world *world)
{
    return age(&past->parts[past->older], world);
}

bool cg_past_write(cg_past *past, const cg_world *world, bool (*write)(void *context, const void *bytes, size_t size),
                   void *context)
{
    assert(write != NULL);
    past_part *part = &past->parts[past->older];
    if (part->recorder == NULL) {
        return false;
    }
    bool good = cg_recorder_finish(part->recorder, world).code == CG_OK && write(context, part->bytes, part->used);
    part->recorder = NULL;
    begin_part(part, world);
    past->older = past->parts[1 - past->older].recorder != NULL ? 1 - past->older : past->older;
    return good;
}
