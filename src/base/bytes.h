// Numbers as bytes, lowest byte first, and a reader and a writer that never leave their bytes.
#ifndef CATGUT_BASE_BYTES_H
#define CATGUT_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Bytes still to be read. Reading past the end gives zero and clears `good`, so that one check at the end will do.
typedef struct cg_byte_source {
    const unsigned char *next;
    size_t left;
    bool good;
} cg_byte_source;

// Room still to be written to. What does not fit is left out and clears `good`.
typedef struct cg_byte_sink {
    unsigned char *next;
    size_t left;
    bool good;
} cg_byte_sink;

static inline cg_byte_source cg_read_from(const void *bytes, size_t size)
{
    return (cg_byte_source){.next = bytes, .left = size, .good = true};
}

static inline cg_byte_sink cg_write_to(void *bytes, size_t room)
{
    return (cg_byte_sink){.next = bytes, .left = room, .good = true};
}

// The next `count` bytes, or NULL when there are not so many.
static inline const unsigned char *cg_take_bytes(cg_byte_source *source, size_t count)
{
    if (!source->good || count > source->left) {
        source->good = false;
        return NULL;
    }
    const unsigned char *bytes = source->next;
    source->next += count;
    source->left -= count;
    return bytes;
}

static inline uint64_t cg_take_unsigned(cg_byte_source *source, size_t count)
{
    const unsigned char *bytes = cg_take_bytes(source, count);
    if (bytes == NULL) {
        return 0;
    }
    uint64_t value = 0; // compilers make one load of this
    for (size_t i = 0; i < count; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

static inline uint8_t cg_take_u8(cg_byte_source *source)
{
    return (uint8_t)cg_take_unsigned(source, 1);
}

static inline uint16_t cg_take_u16(cg_byte_source *source)
{
    return (uint16_t)cg_take_unsigned(source, 2);
}

static inline uint32_t cg_take_u32(cg_byte_source *source)
{
    return (uint32_t)cg_take_unsigned(source, 4);
}

static inline uint64_t cg_take_u64(cg_byte_source *source)
{
    return cg_take_unsigned(source, 8);
}

static inline double cg_take_double(cg_byte_source *source)
{
    uint64_t bits = cg_take_u64(source);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void cg_put_bytes(cg_byte_sink *sink, const void *bytes, size_t count)
{
    if (!sink->good || count > sink->left) {
        sink->good = false;
        return;
    }
    if (count > 0) {
        memcpy(sink->next, bytes, count);
    }
    sink->next += count;
    sink->left -= count;
}

static inline void cg_put_unsigned(cg_byte_sink *sink, uint64_t value, size_t count)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
    cg_put_bytes(sink, bytes, count);
}

static inline void cg_put_u8(cg_byte_sink *sink, unsigned value)
{
    cg_put_unsigned(sink, value, 1);
}

static inline void cg_put_u16(cg_byte_sink *sink, unsigned value)
{
    cg_put_unsigned(sink, value, 2);
}

static inline void cg_put_u32(cg_byte_sink *sink, uint32_t value)
{
    cg_put_unsigned(sink, value, 4);
}

static inline void cg_put_u64(cg_byte_sink *sink, uint64_t value)
{
    cg_put_unsigned(sink, value, 8);
}

static inline void cg_put_double(cg_byte_sink *sink, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    cg_put_u64(sink, bits);
}

#endif
