#include "base/hash.h"

#include <string.h>

// Odd multipliers with no pattern in their bits: the leading 64 bits after the point of the square roots of 2, 3, 5 and
// 7, the last bit set.
static const uint64_t SPREAD_LOW = 0x6a09e667f3bcc909u;
static const uint64_t SPREAD_HIGH = 0xbb67ae8584caa73bu;
static const uint64_t FOLD = 0x3c6ef372fe94f82bu;
static const uint64_t START = 0xa54ff53a5f1d36f1u;

static uint64_t scramble(uint64_t word)
{
    word *= SPREAD_LOW;
    word ^= word >> 31; // a product carries change upwards only; the shift brings it down again
    return word * SPREAD_HIGH;
}

static uint64_t fold(uint64_t state, uint64_t word)
{
    state = (state ^ scramble(word)) * FOLD;
    return state ^ state >> 32;
}

// The bits of a double, one pattern for every value.
static uint64_t canonical_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = value == 0 ? 0 : bits;
    return value != value ? 0x7ff8000000000000u : bits;
}

static uint64_t little_endian_word(const unsigned char *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        word |= (uint64_t)bytes[i] << (8 * i);
    }
    return word;
}

cg_hash cg_hash_begin(void)
{
    return (cg_hash){.state = START, .word_count = 0};
}

void cg_hash_add_u64(cg_hash *hash, uint64_t value)
{
    hash->state = fold(hash->state, value);
    hash->word_count++;
}

void cg_hash_add_double(cg_hash *hash, double value)
{
    cg_hash_add_u64(hash, canonical_bits(value));
}

void cg_hash_add_doubles(cg_hash *hash, const double *values, size_t count)
{
    uint64_t state = hash->state; // kept out of memory, since `values` might lie anywhere
    for (size_t i = 0; i < count; i++) {
        state = fold(state, canonical_bits(values[i]));
    }
    hash->state = state;
    hash->word_count += count;
}

void cg_hash_add_bytes(cg_hash *hash, const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    uint64_t state = hash->state;
    size_t left = count;
    for (; left >= 8; left -= 8, next += 8) {
        state = fold(state, little_endian_word(next, 8));
    }
    hash->state = left > 0 ? fold(state, little_endian_word(next, left)) : state;
    hash->word_count += count / 8 + (left > 0);
    cg_hash_add_u64(hash, count);
}

uint64_t cg_hash_end(const cg_hash *hash)
{
    uint64_t result = fold(hash->state, hash->word_count);
    result = (result ^ result >> 29) * SPREAD_HIGH;
    result = (result ^ result >> 32) * SPREAD_LOW;
    return result ^ result >> 31;
}
