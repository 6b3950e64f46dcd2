// The parts of a recording that are not rows of items: its head, the scene's texts, its totals.
#ifndef CATGUT_RECORD_HEAD_H
#define CATGUT_RECORD_HEAD_H

#include "base/bytes.h"
#include "catgut/recording.h"

// What the whole recording holds; the payload of the end.
typedef struct cg_recording_totals {
    uint64_t steps, operations, events, frames, hashes, keys;
} cg_recording_totals;

enum { CG_TOTALS_BYTES = 48 };

void cg_totals_write(const cg_recording_totals *totals, unsigned char bytes[CG_TOTALS_BYTES]);
bool cg_totals_read(cg_recording_totals *totals, const void *bytes, size_t size);

// Texts are a length of 2 bytes, the bytes, and a zero byte, so that they can be used where they stand.
void cg_put_text(cg_byte_sink *sink, const char *text, size_t length);
// NULL when it does not end where it should.
const char *cg_take_text(cg_byte_source *source);
// Bytes of the text, at most `most`, never ending inside a character of UTF-8.
size_t cg_text_length(const char *text, size_t most);

// Whether a thread or tissue is there in a chunk of frames: not, with as many vertices or nodes as the head says, or
// with a number of its own.
typedef enum cg_frame_presence { CG_FRAME_ABSENT, CG_FRAME_PRESENT, CG_FRAME_OWN_COUNT } cg_frame_presence;

// Bytes before the planes of a chunk of frames: number of planes, exponent, which threads and tissues are there, own
// numbers of vertices, steps, times.
size_t cg_frame_front_bytes(int body_count, int own_counts, int frame_count);

// Most bytes of the head.
size_t cg_head_size(const cg_scene *scene);
// Writes the head and returns its bytes.
size_t cg_head_write(const cg_recorder_def *def, const cg_scene *scene, const cg_world *world, void *bytes,
                     size_t room);
// Reads a head of the format version that info->format_version says; *info and texts point into the bytes. The threads
// follow in *threads, one for each cg_head_take_thread; then the tissues: how many, and one for each
// cg_head_take_tissue.
bool cg_head_read(cg_recording_info *info, cg_byte_source *threads, const void *bytes, size_t size);
bool cg_head_take_thread(cg_byte_source *threads, cg_recorded_thread *thread);
bool cg_head_take_tissue_count(cg_byte_source *tissues, cg_recording_info *info);
bool cg_head_take_tissue(cg_byte_source *tissues, cg_recorded_tissue *tissue);

size_t cg_sources_size(const cg_scene *scene);
void cg_sources_write(const cg_scene *scene, void *bytes, size_t room);
// Reads a scene from its texts.
cg_status cg_sources_read(const void *bytes, size_t size, const cg_allocator *allocator, cg_scene **scene,
                          cg_scene_error *error);

#endif
