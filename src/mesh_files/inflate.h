// What is packed in mesh files: zlib (RFC 1950 and 1951) and base64 (RFC 4648).
#ifndef CATGUT_MESH_FILES_INFLATE_H
#define CATGUT_MESH_FILES_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

// Unpacks a zlib stream into exactly `size` bytes. NULL when it went well, else a sentence of what was found.
const char *cg_inflate_zlib(const unsigned char *packed, size_t packed_size, unsigned char *bytes, size_t size);
// The same of a gzip file, whose unpacked size its last four bytes tell.
const char *cg_inflate_gzip(const unsigned char *packed, size_t packed_size, unsigned char *bytes, size_t size);

// Bytes of base64 text, `wanted` at most; blanks are passed over, padding may come in the middle, where two pieces were
// joined. How many there were; fewer than wanted where the text ends or something else begins.
size_t cg_base64_decode(const char *text, const char *end, unsigned char *bytes, size_t wanted);

#endif
