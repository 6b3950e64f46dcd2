#include "record/chunk.h"

#include <assert.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/status.h"

// "catgut", and two bytes that a transfer as text would spoil. A state snapshot begins otherwise.
static const unsigned char MAGIC[8] = {'c', 'a', 't', 'g', 'u', 't', 0x89, '\n'};
static const uint32_t CHUNK_MARK = 0x6b6e6863u; // "chnk"

const char *cg_chunk_name(cg_chunk_kind kind)
{
    static const char *const names[CG_CHUNK_KIND_COUNT] = {"nothing", "head",   "sources", "operations", "events",
                                                           "frames",  "hashes", "key",     "end",        "surfaces",
                                                           "changes", "hands",  "bodies",  "sutures"};
    return (unsigned)kind < CG_CHUNK_KIND_COUNT ? names[kind] : "unknown";
}

uint64_t cg_chunk_checksum(const void *bytes, size_t size)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_bytes(&hash, bytes, size);
    return cg_hash_end(&hash);
}

void cg_preamble_write(unsigned char bytes[CG_PREAMBLE_BYTES])
{
    cg_byte_sink sink = cg_write_to(bytes, CG_PREAMBLE_BYTES);
    cg_put_bytes(&sink, MAGIC, sizeof MAGIC);
    cg_put_u32(&sink, CG_RECORDING_VERSION);
    cg_put_u32(&sink, (uint32_t)cg_chunk_checksum(bytes, 12));
}

bool cg_recording_begins(const void *bytes, size_t size)
{
    return size >= sizeof MAGIC && memcmp(bytes, MAGIC, sizeof MAGIC) == 0;
}

cg_status cg_preamble_check(const void *bytes, size_t size, int *version)
{
    assert(version != NULL);
    cg_byte_source source = cg_read_from(bytes, size);
    cg_take_bytes(&source, sizeof MAGIC);
    uint32_t found = cg_take_u32(&source);
    uint32_t checksum = cg_take_u32(&source);
    if (!cg_recording_begins(bytes, size)) {
        return cg_error(CG_BAD_INPUT, "this is no recording: it does not begin as one");
    }
    if (!source.good || checksum != (uint32_t)cg_chunk_checksum(bytes, 12)) {
        return cg_error(CG_BAD_INPUT, "the first %d bytes of the recording are damaged or cut off", CG_PREAMBLE_BYTES);
    }
    if (found < CG_RECORDING_OLDEST_VERSION || found > CG_RECORDING_VERSION) {
        return cg_error(CG_MISMATCH, "the recording has format version %u; this program reads %d to %d",
                        (unsigned)found, CG_RECORDING_OLDEST_VERSION, CG_RECORDING_VERSION);
    }
    *version = (int)found;
    return cg_ok();
}

void cg_chunk_write_header(const cg_chunk *chunk, unsigned char bytes[CG_CHUNK_HEADER_BYTES])
{
    cg_byte_sink sink = cg_write_to(bytes, CG_CHUNK_HEADER_BYTES);
    cg_put_u32(&sink, CHUNK_MARK);
    cg_put_u32(&sink, chunk->sequence);
    cg_put_u16(&sink, (unsigned)chunk->kind);
    cg_put_u16(&sink, chunk->codec);
    cg_put_u32(&sink, chunk->item_count);
    cg_put_u64(&sink, chunk->first_step);
    cg_put_u64(&sink, chunk->last_step);
    cg_put_u32(&sink, chunk->raw_size);
    cg_put_u32(&sink, chunk->stored_size);
    cg_put_u64(&sink, chunk->payload_checksum);
    cg_put_u64(&sink, cg_chunk_checksum(bytes, CG_CHUNK_HEADER_BYTES - 8));
}

// Most bytes of a chunk of that kind once expanded; frames are held against the head by whoever reads them.
static uint32_t most_raw_bytes(cg_chunk_kind kind)
{
    bool small = kind == CG_CHUNK_OPERATIONS || kind == CG_CHUNK_EVENTS || kind == CG_CHUNK_HASHES ||
                 kind == CG_CHUNK_HEAD || kind == CG_CHUNK_END || kind == CG_CHUNK_HANDS || kind == CG_CHUNK_BODIES ||
                 kind == CG_CHUNK_SUTURES;
    return small ? CG_SMALL_CHUNK_MOST_BYTES : CG_CHUNK_MOST_BYTES;
}

static cg_status check_fields(const cg_chunk *chunk)
{
    if (chunk->kind < CG_CHUNK_HEAD || chunk->kind >= CG_CHUNK_KIND_COUNT) {
        return cg_error(CG_BAD_INPUT, "a chunk of unknown kind %d", (int)chunk->kind);
    }
    const char *name = cg_chunk_name(chunk->kind);
    if (chunk->raw_size > most_raw_bytes(chunk->kind)) {
        return cg_error(CG_BAD_INPUT, "the %s chunk claims %u bytes; at most %u are allowed", name,
                        (unsigned)chunk->raw_size, (unsigned)most_raw_bytes(chunk->kind));
    }
    if (chunk->codec == 0 && chunk->raw_size != chunk->stored_size) {
        return cg_error(CG_BAD_INPUT, "the %s chunk has two sizes though it is not squeezed", name);
    }
    if (chunk->first_step > chunk->last_step || chunk->last_step > CG_RECORDED_MOST_STEPS) {
        return cg_error(CG_BAD_INPUT, "the %s chunk has impossible steps", name);
    }
    return cg_ok();
}

cg_status cg_chunk_read(const void *bytes, size_t size, cg_chunk *chunk)
{
    assert(chunk != NULL);
    cg_byte_source source = cg_read_from(bytes, size);
    uint32_t mark = cg_take_u32(&source);
    chunk->sequence = cg_take_u32(&source);
    chunk->kind = (cg_chunk_kind)cg_take_u16(&source);
    chunk->codec = cg_take_u16(&source);
    chunk->item_count = cg_take_u32(&source);
    chunk->first_step = cg_take_u64(&source);
    chunk->last_step = cg_take_u64(&source);
    chunk->raw_size = cg_take_u32(&source);
    chunk->stored_size = cg_take_u32(&source);
    chunk->payload_checksum = cg_take_u64(&source);
    uint64_t header_checksum = cg_take_u64(&source);
    if (!source.good) {
        return cg_error(CG_BAD_INPUT, "it is cut off inside the header of a chunk");
    }
    if (mark != CHUNK_MARK || header_checksum != cg_chunk_checksum(bytes, CG_CHUNK_HEADER_BYTES - 8)) {
        return cg_error(CG_BAD_INPUT, "the header of a chunk is damaged");
    }
    cg_status status = check_fields(chunk);
    if (status.code != CG_OK) {
        return status;
    }
    chunk->payload = cg_take_bytes(&source, chunk->stored_size);
    if (chunk->payload == NULL) {
        return cg_error(CG_BAD_INPUT, "it is cut off inside a chunk (%s)", cg_chunk_name(chunk->kind));
    }
    if (chunk->payload_checksum != cg_chunk_checksum(chunk->payload, chunk->stored_size)) {
        return cg_error(CG_BAD_INPUT, "a chunk is damaged (%s)", cg_chunk_name(chunk->kind));
    }
    return cg_ok();
}

const unsigned char *cg_chunk_expand(const cg_chunk *chunk, const cg_codec *codec, void *to)
{
    if (chunk->codec == 0) {
        return chunk->payload;
    }
    if (codec->expand == NULL || codec->id != chunk->codec) {
        return NULL;
    }
    size_t got = codec->expand(codec->context, chunk->payload, chunk->stored_size, to, chunk->raw_size);
    return got == chunk->raw_size && got > 0 ? to : NULL;
}
