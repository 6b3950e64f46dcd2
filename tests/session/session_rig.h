// A small scene with inputs, a place in memory to record to, and a way to make recordings of it.
#ifndef CATGUT_TESTS_SESSION_RIG_H
#define CATGUT_TESTS_SESSION_RIG_H

#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/session.h"
#include "harness.h"

// Three threads: one hangs, one is turned and drawn together by ramps, one is held, pushed and let go.
static const char RIG_SCENE[] =
    "{\n"
    "  \"title\": \"three threads\",\n"
    "  \"duration\": \"0.2 s\",\n"
    "  \"threads\": [\n"
    "    {\"name\": \"hanging\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"40 mm\", 0, 0]}},\n"
    "     \"vertices\": 21, \"start\": \"clamped\"},\n"
    "    {\"name\": \"turned\", \"shape\": {\"line\": {\"from\": [0, \"1 cm\", 0], \"to\": [\"40 mm\", \"1 cm\", "
    "0]}},\n"
    "     \"vertices\": 17, \"start\": \"clamped\", \"finish\": \"clamped\"},\n"
    "    {\"name\": \"loose\", \"shape\": {\"line\": {\"from\": [0, \"2 cm\", 0], \"to\": [\"30 mm\", \"2 cm\", 0]}},\n"
    "     \"vertices\": 13},\n"
    "  ],\n"
    "  \"inputs\": [\n"
    "    {\"from\": 0, \"to\": \"0.1 s\", \"set_end\": {\"thread\": \"turned\", \"end\": \"finish\", \"turn\": \"2 "
    "rad\",\n"
    "     \"position\": [\"30 mm\", \"1 cm\", 0]}},\n"
    "    {\"at\": 0, \"hold\": {\"thread\": \"loose\", \"vertex\": 0, \"target\": [0, \"2 cm\", 0]}},\n"
    "    {\"from\": \"20 ms\", \"to\": \"60 ms\", \"hold\": {\"thread\": \"loose\", \"vertex\": 0, \"target\": [0, \"2 "
    "cm\", \"1 cm\"]}},\n"
    "    {\"during\": [\"30 ms\", \"50 ms\"], \"push_vertex\": {\"thread\": \"loose\", \"vertex\": -1, \"force\": [0, "
    "\"0.1 mN\", 0]}},\n"
    "    {\"at\": \"80 ms\", \"release\": {\"thread\": \"loose\", \"vertex\": 0}},\n"
    "    {\"at\": \"90 ms\", \"set_added_mass\": {\"thread\": \"hanging\", \"vertex\": -1, \"mass\": \"10 mg\"}},\n"
    "  ],\n"
    "}\n";

static inline cg_scene *rig_scene(const char *text)
{
    cg_scene *scene;
    cg_scene_error error;
    cg_status status = cg_scene_read(text, strlen(text), "rig.json", NULL, NULL, &scene, &error);
    if (!CHECK_STR(status.message, "")) {
        exit(1);
    }
    return scene;
}

static inline cg_session *rig_session(const cg_scene *scene, const char *inputs)
{
    cg_session_def def = cg_session_def_default();
    cg_session *session;
    cg_scene_error error;
    def.inputs = inputs;
    def.inputs_size = inputs != NULL ? strlen(inputs) : 0;
    cg_status status = cg_session_create(&def, scene, &session, &error);
    if (!CHECK_STR(status.message, "")) {
        exit(1);
    }
    return session;
}

// Bytes that grow, of fixed room so that writing takes no memory.
typedef struct rig_bytes {
    unsigned char *bytes;
    size_t size, room;
} rig_bytes;

static inline rig_bytes rig_bytes_make(size_t room)
{
    rig_bytes bytes = {.bytes = malloc(room), .room = room};
    if (bytes.bytes == NULL) {
        abort();
    }
    return bytes;
}

static inline bool rig_write(void *context, const void *bytes, size_t size)
{
    rig_bytes *to = context;
    if (size > to->room - to->size) {
        return false;
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return true;
}

// A codec of the tests: runs of equal bytes as (count, byte).
static inline size_t rig_squeeze(void *context, const void *from, size_t size, void *to, size_t room)
{
    const unsigned char *in = from;
    unsigned char *out = to;
    size_t used = 0;
    (void)context;
    for (size_t i = 0; i < size;) {
        size_t run = 1;
        while (i + run < size && in[i + run] == in[i] && run < 255) {
            run++;
        }
        if (used + 2 > room) {
            return 0;
        }
        out[used++] = (unsigned char)run;
        out[used++] = in[i];
        i += run;
    }
    return used;
}

static inline size_t rig_expand(void *context, const void *from, size_t size, void *to, size_t room)
{
    const unsigned char *in = from;
    size_t used = 0;
    (void)context;
    for (size_t i = 0; i + 1 < size; i += 2) {
        if (in[i] > room - used) {
            return 0;
        }
        memset((unsigned char *)to + used, in[i + 1], in[i]);
        used += in[i];
    }
    return used;
}

static const cg_codec RIG_CODEC = {.id = 77, .squeeze = rig_squeeze, .expand = rig_expand};

static inline cg_recorder_def rig_recorder_def(rig_bytes *to)
{
    cg_recorder_def def = cg_recorder_def_default();
    def.write = rig_write;
    def.context = to;
    def.program = "rig 1";
    return def;
}

// A recording of `steps` steps of a scene.
static inline rig_bytes rig_record(const char *scene_text, const char *inputs, int steps, int every, cg_codec codec)
{
    rig_bytes bytes = rig_bytes_make(4 << 20);
    cg_scene *scene = rig_scene(scene_text);
    cg_session *session = rig_session(scene, inputs);
    cg_recorder_def def = rig_recorder_def(&bytes);
    def.frame_every = every;
    def.hash_every = every;
    def.key_every = 4 * every;
    def.codec = codec;
    cg_status status = cg_session_record(session, &def);
    CHECK_STR(status.message, "");
    for (int step = 0; step < steps; step++) {
        cg_session_step(session);
    }
    status = cg_session_end_recording(session);
    CHECK_STR(status.message, "");
    cg_session_destroy(session);
    cg_scene_free(scene);
    return bytes;
}

// Runs a recording again from the last state before a step; false at the first hash that differs.
static inline bool rig_replays(const rig_bytes *bytes, uint64_t from, uint64_t *started)
{
    cg_recording *recording;
    cg_scene *scene;
    cg_scene_error error;
    CHECK_STR(cg_recording_open(bytes->bytes, bytes->size, NULL, NULL, &recording).message, "");
    CHECK_STR(cg_recording_damage(recording), "");
    CHECK_STR(cg_recording_scene(recording, NULL, &scene, &error).message, "");
    cg_session_def def = cg_session_def_default();
    def.skip_scene_inputs = true;
    cg_session *session;
    CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "");
    size_t next = 0, hash_index = 0;
    bool same = CHECK_STR(cg_session_jump(session, recording, from, &next).message, "");
    *started = cg_session_get_stats(session).steps;
    uint64_t at = *started, step, hash;
    cg_operation operation;
    for (; at <= cg_recording_step_count(recording) && same; at++) {
        while (cg_recording_hash(recording, hash_index, &step, &hash) && step <= at) {
            same = same && (step < at || CHECK_HASH(cg_world_state_hash(cg_session_world(session)), hash));
            hash_index++;
        }
        for (; cg_recording_operation(recording, next, &operation) && operation.step == at; next++) {
            same = CHECK_STR(cg_session_apply(session, &operation).message, "") && same;
        }
        cg_session_step(session);
    }
    cg_session_destroy(session);
    cg_scene_free(scene);
    cg_recording_close(recording);
    return same;
}

#endif
