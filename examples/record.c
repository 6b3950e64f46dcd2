// Reads a scene from a text, runs and records it, then reads the recording: the shapes in it, and the state hashes that
// another run must repeat to the bit. A program would write the bytes to a file; here they stay in memory.
#include <catgut/catgut.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char TEXT[] = "{\n"
                           "  // comments, units and trailing commas are allowed\n"
                           "  \"title\": \"a thread swings\",\n"
                           "  \"duration\": \"0.2 s\",\n"
                           "  \"threads\": [{\n"
                           "    \"name\": \"swinging\", \"suture\": \"3-0 nylon\",\n"
                           "    \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"80 mm\", 0, 0]}},\n"
                           "    \"vertices\": 41, \"start\": \"pinned\",\n"
                           "  }],\n"
                           "}\n";

typedef struct buffer {
    char *bytes;
    size_t size;
} buffer;

static bool append(void *context, const void *bytes, size_t size)
{
    buffer *to = (buffer *)context;
    char *larger = (char *)realloc(to->bytes, to->size + size);
    if (!larger) {
        return false;
    }
    memcpy(larger + to->size, bytes, size);
    to->bytes = larger;
    to->size += size;
    return true;
}

// Runs the scene to its end; records it when `to` is not NULL. Returns the state hash, 0 when it fails.
static uint64_t run(const cg_scene *scene, buffer *to)
{
    cg_session_def def = cg_session_def_default();
    cg_session *session = NULL;
    cg_scene_error error;
    cg_status status = cg_session_create(&def, scene, &session, &error);
    if (status.code == CG_OK && to) {
        cg_recorder_def recorder = cg_recorder_def_default(); // a frame every 16 steps
        recorder.write = append;
        recorder.context = to;
        status = cg_session_record(session, &recorder);
    }
    uint64_t hash = 0;
    if (status.code == CG_OK) {
        for (int step = 0; step < 200; step++) {
            cg_session_step(session);
        }
        hash = cg_world_state_hash(cg_session_world(session));
        status = cg_session_end_recording(session);
    }
    if (status.code != CG_OK) {
        fprintf(stderr, "%s\n", status.message);
    }
    cg_session_destroy(session);
    return status.code == CG_OK ? hash : 0;
}

static void show(const buffer *from, uint64_t last_hash)
{
    cg_recording *recording = NULL;
    cg_status status = cg_recording_open(from->bytes, from->size, NULL, NULL, &recording);
    if (status.code != CG_OK) {
        fprintf(stderr, "%s\n", status.message);
        return;
    }
    size_t frames = cg_recording_frame_count(recording), hashes = cg_recording_hash_count(recording);
    for (size_t i = 0; i < frames; i += 4) {
        cg_recorded_frame frame;
        if (cg_recording_frame(recording, i, &frame).code == CG_OK) {
            const float *tip = frame.vertices[0] + 3 * (frame.vertex_counts[0] - 1);
            printf("%.3f s: tip at %.1f mm, %.1f mm high\n", frame.time, 1e3 * (double)tip[0], 1e3 * (double)tip[2]);
        }
    }
    uint64_t step = 0, hash = 0;
    if (hashes > 0) {
        cg_recording_hash(recording, hashes - 1, &step, &hash);
    }
    printf("%d steps, last hash %s\n", (int)cg_recording_step_count(recording),
           hash == last_hash ? "agrees" : "DIFFERS");
    cg_recording_close(recording);
}

int main(void)
{
    cg_scene *scene = NULL;
    cg_scene_error error;
    if (cg_scene_read(TEXT, strlen(TEXT), "swing", NULL, NULL, &scene, &error).code != CG_OK) {
        fprintf(stderr, "%s:%d:%d: %s\n", error.file, error.line, error.column, error.message);
        return 1;
    }
    buffer recorded = {NULL, 0};
    uint64_t first = run(scene, &recorded), second = run(scene, NULL);
    show(&recorded, first);
    printf("a second run ends in %s\n", first == second ? "the same state" : "ANOTHER STATE");
    free(recorded.bytes);
    cg_scene_free(scene);
    return first != 0 && first == second ? 0 : 1;
}
