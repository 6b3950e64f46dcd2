// One walk over the state of an object that saves it, loads it, hashes it or measures it.
//
// An object lists its state once, in a function that calls cg_archive_... for every field. What the walk does is chosen
// by how the archive was made, so saving, loading and hashing cannot drift apart:
//
//     static void visit_rope(cg_archive *archive, struct rope *rope)
//     {
//         cg_archive_count(archive, (size_t)rope->count, "vertices of a rope");
//         cg_archive_vec3s(archive, rope->positions, (size_t)rope->count);
//         cg_archive_double(archive, &rope->turn);
//     }
//
//     cg_archive archive = cg_archive_to_save(bytes, size);
//     cg_archive_begin(&archive, VERSION);
//     visit_rope(&archive, rope);
//     cg_status status = cg_archive_end(&archive);
//
// Only a load writes to the object; the pointers are not const because of it. Loading never creates or resizes: the
// object must already have the shape of the saved one, which cg_archive_count verifies. To restore all or nothing, walk
// twice over the same bytes: once with cg_archive_to_check, which compares counts, bounds and ranges like a load but
// writes nothing, and then, when that ended well, with cg_archive_to_load.
//
// The first trouble is remembered and reported by cg_archive_end; after it a load reads and writes nothing more.
//
// Bytes: a header of 32 (magic, version, bytes of payload, checksum of payload), then the payload without gaps.
// Everything is little-endian; a double is its 64 bits, kept exactly, the sign of a zero too.
#ifndef CATGUT_BASE_ARCHIVE_H
#define CATGUT_BASE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "catgut/math.h"
#include "catgut/status.h"

#define CG_ARCHIVE_HEADER_SIZE 32

typedef enum cg_archive_mode {
    CG_ARCHIVE_SAVE,
    CG_ARCHIVE_LOAD,
    CG_ARCHIVE_CHECK, // a load that writes nothing
    CG_ARCHIVE_HASH,
    CG_ARCHIVE_MEASURE
} cg_archive_mode;

typedef struct cg_archive {
    cg_archive_mode mode;
    unsigned char *output;      // save: where the bytes go
    const unsigned char *input; // load, check: where they come from
    size_t size;                // bytes of the buffer
    size_t used;                // bytes so far; a save that is out of room goes on counting, to say how many it needs
    cg_hash hash;               // hash: the stream so far
    cg_status status;           // the first trouble
} cg_archive;

cg_archive cg_archive_to_save(void *bytes, size_t size);
cg_archive cg_archive_to_load(const void *bytes, size_t size);
cg_archive cg_archive_to_check(const void *bytes, size_t size);
cg_archive cg_archive_to_hash(void);
cg_archive cg_archive_to_measure(void);

// Starts the walk: writes, verifies or counts the header. A load finds out here whether magic, version, size and
// checksum are right. The hash leaves the header out: it depends on the state alone.
void cg_archive_begin(cg_archive *archive, uint64_t version);
// Ends the walk and reports the first trouble: CG_BAD_INPUT for damaged bytes or a buffer that is too small,
// CG_MISMATCH for bytes of another version or of an object of another shape.
cg_status cg_archive_end(cg_archive *archive);

// False once there was trouble.
bool cg_archive_is_ok(const cg_archive *archive);
// Bytes of header and payload so far.
size_t cg_archive_size(const cg_archive *archive);
// The hash of all that was visited; of a hashing archive only.
uint64_t cg_archive_hash(const cg_archive *archive);

void cg_archive_u64(cg_archive *archive, uint64_t *value);
void cg_archive_bool(cg_archive *archive, bool *value);
// An int or an enum's number. A loaded one outside [low, high] is trouble and is not taken.
void cg_archive_int(cg_archive *archive, int *value, int low, int high);
// An int that tells what else is visited. Returns the saved one for a load or check (`low` when it is out of range,
// which is trouble), the present one otherwise.
int cg_archive_choice(cg_archive *archive, int present, int low, int high);
// A loaded one that is infinite or not a number is trouble and is not taken: no state has one.
void cg_archive_double(cg_archive *archive, double *value);
void cg_archive_doubles(cg_archive *archive, double *values, size_t count);
void cg_archive_vec3(cg_archive *archive, cg_vec3 *value);
void cg_archive_vec3s(cg_archive *archive, cg_vec3 *values, size_t count);
void cg_archive_quat(cg_archive *archive, cg_quat *value);
void cg_archive_bytes(cg_archive *archive, void *bytes, size_t count);
// The length of a list that may be longer or shorter than the present one, up to `most`. Returns how many items to
// visit: the saved length for a load or check (0 when it is out of range, which is trouble), the present one otherwise.
int cg_archive_length(cg_archive *archive, int present, int most);
// A number that is part of the object's shape. A load compares it with the present one and never changes it.
void cg_archive_count(cg_archive *archive, size_t present, const char *what);

#endif
