// SHA-256 (FIPS 180-4), by which files are named where they came from.
#ifndef CATGUT_SUPPORT_SHA256_H
#define CATGUT_SUPPORT_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CG_SHA256_TEXT = 65 }; // bytes of a hash as text, with its end

// A hash in the making. Make it with cg_sha256_begin.
typedef struct cg_sha256 {
    uint32_t state[8];
    unsigned char block[64];
    uint64_t bytes; // taken so far
} cg_sha256;

cg_sha256 cg_sha256_begin(void);
void cg_sha256_add(cg_sha256 *hash, const void *bytes, size_t size);
// The hash of all that was added, as 64 hexadecimal digits.
void cg_sha256_end(cg_sha256 *hash, char text[CG_SHA256_TEXT]);
// That of a file, and how many bytes it has; false, with errno set, when it cannot be read.
bool cg_sha256_of_file(const char *path, char text[CG_SHA256_TEXT], uint64_t *bytes);

#endif
