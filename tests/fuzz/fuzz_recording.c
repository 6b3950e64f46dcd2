// Fuzzes the reader of recordings: whatever the bytes, reading ends, stays inside them and gives all memory back.
//
// Checksums keep most inputs out, so the input is also tried with right ones: its first bytes say which chunk of a
// small recording gets the rest of it as its payload.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/session.h"
#include "catgut/task.h"
#include "geometry/mesh_edit.h"
#include "record/chunk.h"
#include "world/world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t copy_expand(void *context, const void *from, size_t size, void *to, size_t room)
{
    (void)context;
    if (size > room) {
        return 0;
    }
    memcpy(to, from, size);
    memset((char *)to + size, 0, room - size); // as a codec that fills its room
    return room;
}

// A task that looks at all that recordings tell of needles, wounds and knots; read once.
static const cg_task *stitch_task(void)
{
    static cg_task *task;
    static const char text[] =
        "{\"title\": \"t\", \"scene\": \"s\", \"instructions\": [\"Go.\"], \"goal\": {\"stitch\": {\"marks\": "
        "[[0, 0, 0], [\"2 mm\", 0, 0]], \"holes\": 2, \"out\": true, \"wound\": [[\"-1 mm\", 0, 0], [\"1 mm\", 0, "
        "0]], \"knot\": \"square\"}}, \"rubric\": [{\"measure\": \"time\", \"bands\": [[1, 2], [3, 0]]}]}";
    cg_scene_error error;
    if (task == NULL && cg_task_read(text, sizeof text - 1, "t", NULL, &task, &error).code != CG_OK) {
        abort();
    }
    return task;
}

static void read_all(const void *bytes, size_t size)
{
    cg_codec codec = {.id = 1, .expand = copy_expand};
    cg_recording *recording;
    if (cg_recording_open(bytes, size, &codec, NULL, &recording).code != CG_OK) {
        return;
    }
    cg_operation operation;
    for (size_t i = 0; i < 1000 && cg_recording_operation(recording, i, &operation); i++) {
    }
    uint64_t step, hash;
    const char *text;
    for (size_t i = 0; i < 1000 && cg_recording_hash(recording, i, &step, &hash); i++) {
    }
    size_t length = 0;
    for (size_t i = 0; i < 1000 && cg_recording_event(recording, i, &step, &text); i++) {
        length += strlen(text);
    }
    if (length == SIZE_MAX) {
        abort(); // so that the texts are really read
    }
    cg_recorded_frame frame;
    for (size_t i = 0; i < 200 && i < cg_recording_frame_count(recording); i++) {
        if (cg_recording_frame(recording, i, &frame).code != CG_OK) {
            continue;
        }
        for (int t = 0; t < frame.tissue_count; t++) {
            const cg_recorded_surface *surface = &frame.surfaces[t];
            for (int k = 0; k < 3 * surface->triangle_count; k++) {
                if (surface->corners[k] < 0 || surface->corners[k] >= surface->node_count) {
                    abort();
                }
            }
            for (int k = 0; k < surface->triangle_count; k++) {
                if (surface->sides[k] >= CG_SIDE_COUNT) {
                    abort();
                }
            }
        }
    }
    const void *key;
    size_t key_size;
    cg_recording_key(recording, UINT64_MAX, &step, &key, &key_size);
    cg_scene *scene;
    cg_scene_error error;
    if (cg_recording_scene(recording, NULL, &scene, &error).code == CG_OK) {
        cg_scene_free(scene);
    }
    static cg_measures measures;
    cg_measure_recording(recording, NULL, NULL, &measures);
    cg_measure_recording(recording, stitch_task(), NULL, &measures);
    cg_recording_close(recording);
}

typedef struct growing_bytes {
    unsigned char bytes[1 << 17];
    size_t size;
} growing_bytes;

static bool append(void *context, const void *bytes, size_t size)
{
    growing_bytes *to = context;
    if (size > sizeof to->bytes - to->size) {
        return false;
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return true;
}

// A small recording of a few steps, made once.
static const growing_bytes *small_recording(void)
{
    static growing_bytes whole;
    static const char text[] = "{\"threads\": [{\"name\": \"a\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": "
                               "[\"8 mm\", 0, 0]}}, \"vertices\": 5}], \"tissues\": [{\"grid\": {\"length\": 0.004, "
                               "\"width\": 0.004}}], \"inputs\": [{\"during\": [0, 1], "
                               "\"push_vertex\": {\"thread\": \"a\", \"vertex\": 0, \"force\": [0, 0, 0]}}]}";
    if (whole.size > 0) {
        return &whole;
    }
    cg_scene *scene;
    cg_scene_error error;
    cg_session *session;
    cg_session_def session_def = cg_session_def_default();
    cg_recorder_def def = cg_recorder_def_default();
    def.write = append;
    def.context = &whole;
    def.frame_every = def.hash_every = 1;
    def.key_every = 4;
    if (cg_scene_read(text, sizeof text - 1, "a", NULL, NULL, &scene, &error).code != CG_OK ||
        cg_session_create(&session_def, scene, &session, &error).code != CG_OK ||
        cg_session_record(session, &def).code != CG_OK) {
        abort();
    }
    cg_operation bad = {.kind = CG_OPERATION_release, .as.release = {3, 3}};
    cg_session_apply(session, &bad); // makes an event
    for (int step = 0; step < 6; step++) {
        if (step % 2 == 1) { // surfaces change
            int triangle = step;
            const cg_world *world = cg_session_world(session);
            cg_mesh_remove_triangles(cg_world_find_tissue(world, cg_session_tissue(session, 0))->mesh, &triangle, 1);
        }
        cg_session_step(session);
    }
    cg_session_destroy(session);
    cg_scene_free(scene);
    return &whole;
}

// The small recording with chunk data[0] replaced: data[1] squeezed or not, data[2] items, the rest payload.
static void try_with_right_checksums(const uint8_t *data, size_t size)
{
    static growing_bytes changed;
    const growing_bytes *whole = small_recording();
    size_t at = CG_PREAMBLE_BYTES;
    changed.size = 0;
    append(&changed, whole->bytes, CG_PREAMBLE_BYTES);
    cg_chunk chunk;
    for (int i = 0; cg_chunk_read(whole->bytes + at, whole->size - at, &chunk).code == CG_OK; i++) {
        unsigned char header[CG_CHUNK_HEADER_BYTES];
        at += CG_CHUNK_HEADER_BYTES + (size_t)chunk.stored_size;
        if (i == data[0] % 24) {
            chunk.payload = data + 3;
            chunk.stored_size = (uint32_t)(size - 3);
            chunk.raw_size = chunk.stored_size + (data[1] % 2) * data[1];
            chunk.codec = data[1] % 2;
            chunk.item_count = data[2] < 128 ? chunk.item_count : data[2] - 128u;
            chunk.payload_checksum = cg_chunk_checksum(chunk.payload, chunk.stored_size);
        }
        cg_chunk_write_header(&chunk, header);
        if (!append(&changed, header, sizeof header) || !append(&changed, chunk.payload, chunk.stored_size)) {
            return;
        }
    }
    read_all(changed.bytes, changed.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_all(data, size);
    if (size >= 3) {
        try_with_right_checksums(data, size);
    }
    return 0;
}
