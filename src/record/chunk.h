// The chunks of a recording: what stands around the bytes of each. docs/recording.md has the whole format.
//
// A recording is a preamble of 16 bytes and a row of chunks, each a header of 56 bytes and a payload, which may be
// squeezed. Header and payload have their own checksums, and chunks are numbered, so that nothing can be damaged, lost
// or swapped unnoticed. All numbers lowest byte first.
#ifndef CATGUT_RECORD_CHUNK_H
#define CATGUT_RECORD_CHUNK_H

#include "catgut/recording.h"

enum {
    CG_RECORDING_VERSION = 5, // that is written; 4 is without sutures, 3 without bodies and jaws, 2 without hands
    CG_RECORDING_OLDEST_VERSION = 1, // that is read: without versions of state and motion in the head
    CG_PREAMBLE_BYTES = 16,
    CG_CHUNK_HEADER_BYTES = 56,
};

// What a chunk holds. The numbers are part of the format.
typedef enum cg_chunk_kind {
    CG_CHUNK_HEAD = 1,       // what the recording is of; the first chunk, never squeezed
    CG_CHUNK_SOURCES = 2,    // the texts of the scene; the second chunk
    CG_CHUNK_OPERATIONS = 3, // operations
    CG_CHUNK_EVENTS = 4,     // things that happened, in words
    CG_CHUNK_FRAMES = 5,     // shapes
    CG_CHUNK_HASHES = 6,     // state hashes; ends a row of chunks that together reach to its last step
    CG_CHUNK_KEY = 7,        // a snapshot of the world
    CG_CHUNK_END = 8,        // totals; the last chunk
    CG_CHUNK_SURFACES = 9,   // surfaces of all tissues, for the frames that follow
    CG_CHUNK_CHANGES = 10,   // what changed of them since; no more bytes than the surfaces, all since them together
    CG_CHUNK_HANDS = 11,     // what the hands did, one item for each frame
    CG_CHUNK_BODIES = 12,    // where the rigid bodies were, one item for each frame
    CG_CHUNK_SUTURES = 13,   // needles, holes and what jaws hold, one item for each frame
    CG_CHUNK_KIND_COUNT
} cg_chunk_kind;

// Sizes that no chunk of ours reaches. They bound what a hostile one can make us do.
enum {
    CG_CHUNK_MOST_BYTES = 256 * 1024 * 1024, // of a source chunk, a key or surfaces
    CG_SMALL_CHUNK_MOST_BYTES = 1024 * 1024, // of operations, events, hashes, totals
    CG_RECORDED_MOST_THREADS = 10000,        // as a world has them
    CG_RECORDED_MOST_TISSUES = 64,           // the same
    CG_RECORDED_MOST_VERTICES = 4 * 1024 * 1024,
    CG_RECORDED_MOST_TRIANGLES = 16 * 1024 * 1024, // of a tissue
    CG_RECORDED_MOST_HANDS = 64,                   // hands beyond are left out
    CG_RECORDED_MOST_BODIES = 256,                 // bodies beyond are left out
    CG_RECORDED_MOST_NEEDLES = 32,                 // needles beyond are left out
    CG_RECORDED_MOST_HOLES = 256,                  // holes beyond are left out
    CG_FRAMES_PER_CHUNK = 64,                      // most
    CG_TEXT_MOST_BYTES = 255                       // of an event, a name
};

// Operations, events and hashes of a whole recording, expanded: an hour of two hands at 1 kHz. As much again for what
// hands did, for bodies and for sutures. They are all looked at when a recording is opened, so this also bounds the
// time that a hostile one can take.
#define CG_SMALL_MOST_BYTES ((uint64_t)1 << 29)
// A step number above this is nonsense.
#define CG_RECORDED_MOST_STEPS ((uint64_t)1 << 52)

typedef struct cg_chunk {
    cg_chunk_kind kind;
    uint32_t sequence; // 0 for the head, then 1, 2, ...
    uint32_t codec;
    uint32_t item_count; // operations, events, frames, hashes; else 1
    uint64_t first_step; // of the first item; for operations the steps made before it
    uint64_t last_step;  // steps made when the chunk was written
    uint32_t raw_size;
    uint32_t stored_size;
    uint64_t payload_checksum;
    const unsigned char *payload; // stored bytes, when read
} cg_chunk;

const char *cg_chunk_name(cg_chunk_kind kind);
// A checksum of bytes.
uint64_t cg_chunk_checksum(const void *bytes, size_t size);

void cg_preamble_write(unsigned char bytes[CG_PREAMBLE_BYTES]);
// CG_OK, CG_BAD_INPUT for bytes that are no recording, CG_MISMATCH for another version.
cg_status cg_preamble_check(const void *bytes, size_t size, int *version);

void cg_chunk_write_header(const cg_chunk *chunk, unsigned char bytes[CG_CHUNK_HEADER_BYTES]);
// Reads and checks the header at the front of `bytes`, and the payload behind it against its checksum.
cg_status cg_chunk_read(const void *bytes, size_t size, cg_chunk *chunk);
// The payload, expanded by the codec into `to` if it is squeezed (room for raw_size); NULL when that fails.
const unsigned char *cg_chunk_expand(const cg_chunk *chunk, const cg_codec *codec, void *to);

#endif
