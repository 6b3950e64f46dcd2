// The inside of a recorder: recorder.c gathers and writes chunks, recorder_frames.c makes frames.
#ifndef CATGUT_RECORD_RECORDER_PARTS_H
#define CATGUT_RECORD_RECORDER_PARTS_H

#include "record/chunk.h"
#include "record/head.h"
#include "record/surface_keeper.h"

// Items gathered for one chunk.
typedef struct cg_item_buffer {
    unsigned char *bytes;
    size_t room, used;
    uint32_t count;
    uint64_t first_step;
} cg_item_buffer;

// Items of which there is one for each frame.
typedef struct cg_items_beside {
    cg_item_buffer items;
    uint64_t bytes, count; // written so far, beside those that are gathered; and of all
} cg_items_beside;

// Frames gathered for one chunk: what stands before them, the first frame with all its planes, and the planes of the
// others, as many as they need; see frame_code.h. Room for `capacity` frames of all bodies: the
// threads, then the tissues.
typedef struct cg_frame_buffer {
    unsigned char *bytes; // room for what stands before the first frame, and all the rest behind it
    size_t front_room;
    size_t number_count; // 3 per vertex of the bodies that are present
    int capacity, count;
    int plane_count; // of all frames but the first
    int exponent;
    int *vertex_counts;  // per body of the present block; 0 when it is not there
    int own_counts;      // of these, numbers that differ from that in the head
    int32_t *numbers[2]; // the last frame, and room for the next
    uint32_t *residuals;
    uint32_t *steps; // after the first
    double *times;
    uint64_t first_step;
} cg_frame_buffer;

struct cg_recorder {
    cg_recorder_def def;
    cg_status status;
    void *memory;
    uint64_t step; // made so far
    uint32_t sequence;
    int thread_count;    // as in the head
    int tissue_count;    // the same
    int body_count;      // threads, then tissues; more than the head has where tissues came later
    int *most_vertices;  // per body, as in the head; 0 of one that is not in it
    size_t vertex_count; // of all bodies at their most
    cg_item_buffer operations, events, hashes;
    uint64_t small_bytes; // of these three, written so far
    cg_items_beside hands, bodies, sutures;
    cg_frame_buffer frames;
    cg_surface_keeper surfaces;
    unsigned char *key;
    size_t key_room;
    unsigned char *squeezed;
    size_t squeezed_room;
    uint64_t last_frame_step, last_hash_step;
    bool changed_since_step; // operations were noted after the last step
    cg_recording_totals totals;
};

// recorder.c
bool cg_recorder_is_good(const cg_recorder *recorder);
// Writes a chunk, squeezed where there is a codec, room to squeeze into, and something gained.
void cg_recorder_write_chunk(cg_recorder *recorder, cg_chunk chunk, const void *payload, size_t size);
// Writes all that is gathered.
void cg_recorder_flush(cg_recorder *recorder);
// False when a tissue came for which there is no room.
bool cg_recorder_has_room(const cg_recorder *recorder, const cg_world *world);
// Makes that room.
void cg_recorder_make_room(cg_recorder *recorder, const cg_world *world);

// recorder_frames.c
// Takes a frame, with what is new of the surfaces of tissues before it.
void cg_recorder_take_frame(cg_recorder *recorder, const cg_world *world);
// Writes the frames that are gathered; there are some.
void cg_recorder_flush_frames(cg_recorder *recorder);

#endif
