// A 64-bit hash of numbers, the same on every machine.
//
// The stream is a sequence of 64-bit words. Bytes are packed eight to a word, the first one lowest, so that the order
// of bytes in the machine does not matter. Each word is scrambled by two multiplications, then folded into the state by
// a third. For a given state the fold is one to one in the word, and for a given word one to one in the state: streams
// that differ in one word never collide. The end mixes in the number of words and spreads every bit over the result.
//
// A double is hashed by value: all NaN are one value, and -0 is the same as +0. Two states that compare equal are
// equal. Not made to resist an adversary.
#ifndef CATGUT_BASE_HASH_H
#define CATGUT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct cg_hash {
    uint64_t state;
    uint64_t word_count;
} cg_hash;

cg_hash cg_hash_begin(void);
void cg_hash_add_u64(cg_hash *hash, uint64_t value);
void cg_hash_add_double(cg_hash *hash, double value);
// The same as adding the values one by one. The count is not part of the stream.
void cg_hash_add_doubles(cg_hash *hash, const double *values, size_t count);
// The count is part of the stream, after the bytes.
void cg_hash_add_bytes(cg_hash *hash, const void *bytes, size_t count);
// The hash of all that was added. The stream may go on afterwards.
uint64_t cg_hash_end(const cg_hash *hash);

#endif
