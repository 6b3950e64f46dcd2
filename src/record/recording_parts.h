// The inside of a recording that is being read: recording.c opens and checks it, recording_items.c gets
// things out, recording_surfaces.c the surfaces of tissues.
#ifndef CATGUT_RECORD_RECORDING_PARTS_H
#define CATGUT_RECORD_RECORDING_PARTS_H

#include "record/chunk.h"
#include "record/head.h"
#include "record/surface_code.h"
#include "record/suture_items.h"

// A chunk, and the number of the first of its items in the whole recording.
typedef struct cg_stored_chunk {
    cg_chunk chunk;
    size_t first_item;
} cg_stored_chunk;

// The chunks of one kind, in order.
typedef struct cg_chunk_list {
    cg_stored_chunk *chunks;
    size_t count, room;
    size_t item_count;
} cg_chunk_list;

// Bytes that grow. Unlike other memory they are kept until the recording is closed.
typedef struct cg_byte_room {
    unsigned char *bytes;
    size_t size;
} cg_byte_room;

// One chunk expanded, and a place in it, so that going through its items in order costs little.
typedef struct cg_expanded_chunk {
    size_t number; // of the chunk in its list, plus one; 0: none yet
    cg_byte_room room;
    const unsigned char *bytes; // raw
    size_t item, offset;        // an item and where it begins
} cg_expanded_chunk;

// The frame that was asked for last.
typedef struct cg_frame_reader {
    cg_expanded_chunk expanded; // `item` is the last frame that was made
    cg_byte_room body_memory;   // holds what there is per body
    cg_byte_room memory;        // holds numbers and coordinates
    int32_t *numbers;
    float *coordinates;
    const float **vertices; // per body: the threads, then the tissues
    int *vertex_counts;
    int body_count;
    size_t number_count; // of the present chunk
    int own_counts;      // numbers of vertices that it gives itself
    int plane_count, exponent;
    double error;
} cg_frame_reader;

// A surface as it is kept to apply changes to, and its homes [m] as they are handed out.
typedef struct cg_read_surface {
    cg_kept_surface kept;
    float *homes;
    bool is_new; // changed since it was made ready to be handed out
} cg_read_surface;

// The surfaces of tissues at one place among the chunks.
typedef struct cg_surface_reader {
    uint32_t reached; // number of the last chunk that was applied; 0: none
    int count;        // places of tissues; 0: not known
    cg_read_surface surfaces[CG_RECORDED_MOST_TISSUES];
    cg_recorded_surface told[CG_RECORDED_MOST_TISSUES];
    cg_byte_room expanded, work_memory;
    cg_surface_work work;
} cg_surface_reader;

struct cg_recording {
    cg_allocator allocator;
    cg_codec codec;
    cg_recording_info info;
    cg_recorded_thread *threads;
    cg_recorded_tissue tissues[CG_RECORDED_MOST_TISSUES];
    size_t vertex_count; // of all threads, and nodes of all tissues
    uint64_t step_count;
    char damage[256];
    cg_chunk sources;
    bool has_sources;
    cg_chunk_list lists[CG_CHUNK_KIND_COUNT]; // by kind
    cg_expanded_chunk *expanded;              // by kind; apart, since looking things up does not change a recording
    cg_frame_reader frames;
    cg_surface_reader surfaces;
    cg_recorded_hand hands[CG_RECORDED_MOST_HANDS]; // of the frame that was asked for last
    cg_recorded_body bodies[CG_RECORDED_MOST_BODIES];
    cg_suture_item sutures;
};

// Makes sure of `size` bytes; false when there is no memory. The bytes before are lost.
bool cg_byte_room_ensure(cg_byte_room *room, size_t size, const cg_allocator *allocator);
// Expands a chunk; NULL when it cannot be done.
const unsigned char *cg_expand_into(const cg_recording *recording, const cg_chunk *chunk, cg_byte_room *room);

// Readers of one item from the front of a source; false when it is none.
bool cg_take_operation(cg_byte_source *source, cg_operation *operation);
bool cg_take_event(cg_byte_source *source, uint64_t *step, const char **text);
bool cg_take_hash(cg_byte_source *source, uint64_t first_step, uint64_t *step, uint64_t *hash);

// recording_surfaces.c
// Makes the surfaces those of the chunk of frames with this number; false when they are not well formed.
bool cg_recording_surfaces_at(cg_recording *recording, uint32_t sequence);
// Lists them in recording->surfaces.told.
void cg_recording_list_surfaces(cg_recording *recording);
void cg_recording_free_surfaces(cg_recording *recording);

#endif
