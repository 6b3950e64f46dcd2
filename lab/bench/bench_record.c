// What recording costs: a thread of 600 vertices, every step a frame, every 16 steps a hash. A sample is the mean over
// 64 steps, after which the recorder has written a whole chunk; the bytes are copied once, as a file would do.
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "catgut/session.h"
#include "support/zstd_codec.h"

enum { VERTICES = 600, STEPS_A_SAMPLE = 64, SINK_BYTES = 4 << 20 };

static const char SCENE[] = "{\"threads\": [{\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"0.3 m\", 0, 0]}}, "
                            "\"vertices\": 600, \"start\": \"clamped\"}]}";

// What is timed.
typedef enum record_part { PART_STEP, PART_PLAIN, PART_ZSTD } record_part;

typedef struct record_bench {
    record_part part;
    cg_scene *scene;
    cg_world *world;
    cg_recorder *recorder;
    cg_codec codec;
    unsigned char *sink, *start;
    size_t start_size;
    int samples;
} record_bench;

static bool copy_to_sink(void *context, const void *bytes, size_t size)
{
    record_bench *self = context;
    memcpy(self->sink, bytes, size < SINK_BYTES ? size : SINK_BYTES);
    return true;
}

static double sample(void *state)
{
    record_bench *self = state;
    double steps = 0, notes = 0, clock = 0; // reading the clock costs half a microsecond, which is not the recorder's
    if (++self->samples % 16 == 0) {        // so that the thread never hangs still
        cg_world_restore(self->world, self->start, self->start_size);
    }
    for (int i = 0; i < STEPS_A_SAMPLE; i++) {
        double begun = cg_thread_cpu_seconds();
        cg_world_step(self->world);
        double made = cg_thread_cpu_seconds();
        cg_recorder_note_step(self->recorder, self->world);
        double noted = cg_thread_cpu_seconds();
        clock += cg_thread_cpu_seconds() - noted;
        steps += made - begun;
        notes += noted - made;
    }
    return ((self->part == PART_STEP ? steps : notes) - clock) / STEPS_A_SAMPLE;
}

static void release(void *state)
{
    record_bench *self = state;
    cg_recorder_finish(self->recorder, self->world);
    cg_world_destroy(self->world);
    cg_scene_free(self->scene);
    cg_zstd_free(&self->codec);
    free(self->sink);
    free(self->start);
    free(self);
}

static bool make(record_bench *self)
{
    cg_scene_error error;
    self->sink = malloc(SINK_BYTES);
    self->codec = self->part == PART_ZSTD ? cg_zstd_create() : (cg_codec){0};
    if (!self->sink || (self->part == PART_ZSTD && self->codec.id == 0) ||
        cg_scene_read(SCENE, sizeof SCENE - 1, "bench", NULL, NULL, &self->scene, &error).code != CG_OK ||
        cg_scene_build(self->scene, NULL, &self->world).code != CG_OK) {
        return false;
    }
    self->start_size = cg_world_snapshot_size(self->world);
    self->start = malloc(self->start_size);
    cg_recorder_def def = cg_recorder_def_default();
    def.write = copy_to_sink;
    def.context = self;
    def.codec = self->codec;
    def.frame_every = 1;
    return self->start && cg_world_snapshot(self->world, self->start, self->start_size).code == CG_OK &&
           cg_recorder_create(&def, self->scene, self->world, &self->recorder).code == CG_OK;
}

void cg_bench_add_recording(cg_bench *bench)
{
    static const char *const names[] = {"record/step/600", "record/plain/600", "record/zstd/600"};
    for (int part = PART_STEP; part <= PART_ZSTD; part++) {
        cg_subject subject = {.vertices = VERTICES, .sample = sample, .release = release};
        strcpy(subject.name, names[part]);
        if (!cg_bench_wants(bench, subject.name)) {
            continue;
        }
        record_bench *self = calloc(1, sizeof *self);
        if (self) {
            self->part = (record_part)part;
        }
        if (!self || !make(self)) {
            cg_bench_fail(bench, subject.name, "the recording could not be begun");
            if (self) {
                release(self);
            }
            continue;
        }
        subject.state = self;
        cg_bench_add(bench, subject);
    }
}
