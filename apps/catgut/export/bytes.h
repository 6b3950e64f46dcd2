// Bytes of binary files, lowest byte first on every machine.
#ifndef CATGUT_EXPORT_BYTES_H
#define CATGUT_EXPORT_BYTES_H

#include <stdint.h>
#include <string.h>

static inline unsigned char *cg_put_bits32(unsigned char *to, uint32_t bits)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (unsigned char)(bits >> 8 * i);
    }
    return to + 4;
}

static inline unsigned char *cg_put_bits64(unsigned char *to, uint64_t bits)
{
    to = cg_put_bits32(to, (uint32_t)bits);
    return cg_put_bits32(to, (uint32_t)(bits >> 32));
}

static inline unsigned char *cg_put_float(unsigned char *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return cg_put_bits32(to, bits);
}

#endif
