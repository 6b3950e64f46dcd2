#include "record/frame_code.h"

#include <assert.h>
#include <string.h>

double cg_frame_quantum(int exponent)
{
    assert(exponent >= -1000 && exponent <= 1000);
    double quantum = 1;
    for (int i = 0; i < exponent; i++) {
        quantum *= 2.0;
    }
    for (int i = 0; i > exponent; i--) {
        quantum *= 0.5;
    }
    return quantum;
}

// Adding 1.5 * 2^52 makes a double's last bit worth 1: the sum is rounded to a whole number, which then stands in its
// low bits. The distance of its bit pattern from that of 1.5 * 2^52 is the number itself, for any that fits; for any
// that does not, and for what is not finite, the distance does not fit in 32 bits either. This needs no branch and no
// conversion, so compilers make vector code of it.
bool cg_frame_quantise(const cg_vec3 *points, size_t count, int exponent, int32_t *numbers)
{
    const double big = 6755399441055744.0;
    const uint64_t big_bits = 0x4338000000000000u;
    const double scale = cg_frame_quantum(-exponent);
    const double *coordinates = &points->x;
    uint64_t outside = 0;
    for (size_t i = 0; i < 3 * count; i++) {
        double shifted = coordinates[i] * scale + big;
        uint64_t bits;
        memcpy(&bits, &shifted, sizeof bits);
        uint64_t distance = bits - big_bits;
        outside |= (distance + 0x80000000u) >> 32;
        uint32_t low = (uint32_t)distance;
        memcpy(&numbers[i], &low, sizeof low);
    }
    return outside == 0;
}

static uint32_t fold_sign(uint32_t r)
{
    return r << 1 ^ (0u - (r >> 31));
}

static uint32_t unfold_sign(uint32_t z)
{
    return z >> 1 ^ (0u - (z & 1));
}

static uint32_t first_residuals(const int32_t *now, size_t number_count, uint32_t *residuals)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < number_count; i++) {
        residuals[i] = fold_sign((uint32_t)now[i] - (i >= 3 ? (uint32_t)now[i - 3] : 0));
        bits |= residuals[i];
    }
    return bits;
}

uint32_t cg_frame_residuals(const int32_t *restrict now, const int32_t *restrict before, size_t number_count,
                            uint32_t *restrict residuals)
{
    if (before == NULL) {
        return first_residuals(now, number_count, residuals);
    }
    uint32_t bits = 0;
    for (size_t i = 0; i < number_count && i < 3; i++) {
        residuals[i] = fold_sign((uint32_t)now[i] - (uint32_t)before[i]);
        bits |= residuals[i];
    }
    for (size_t i = 3; i < number_count; i++) {
        uint32_t here = (uint32_t)now[i] - (uint32_t)before[i];
        uint32_t neighbour = (uint32_t)now[i - 3] - (uint32_t)before[i - 3];
        residuals[i] = fold_sign(here - neighbour);
        bits |= residuals[i];
    }
    return bits;
}

int cg_frame_planes_for(uint32_t bits)
{
    return bits > 0xffffff ? 4 : bits > 0xffff ? 3 : bits > 0xff ? 2 : bits > 0 ? 1 : 0;
}

void cg_frame_write_planes(const uint32_t *restrict residuals, size_t number_count, unsigned char *restrict planes,
                           size_t plane_size, int plane_count)
{
    assert(plane_count >= 0 && plane_count <= CG_FRAME_PLANES);
    assert(plane_size >= number_count);
    for (int p = 0; p < plane_count; p++) {
        unsigned char *restrict plane = planes + (size_t)p * plane_size;
        const int shift = 8 * p;
        for (size_t i = 0; i < number_count; i++) {
            plane[i] = (unsigned char)(residuals[i] >> shift);
        }
    }
}

void cg_frame_read_planes(int32_t *numbers, size_t number_count, const unsigned char *planes, size_t plane_size,
                          int plane_count)
{
    assert(plane_count >= 0 && plane_count <= CG_FRAME_PLANES);
    assert(plane_size >= number_count);
    uint32_t differences[3] = {0, 0, 0}; // of the last vertex
    for (size_t i = 0; i < number_count; i++) {
        uint32_t z = 0;
        for (int p = 0; p < plane_count; p++) {
            z |= (uint32_t)planes[(size_t)p * plane_size + i] << (8 * p);
        }
        differences[i % 3] += unfold_sign(z);
        uint32_t sum = (uint32_t)numbers[i] + differences[i % 3];
        memcpy(&numbers[i], &sum, sizeof sum);
    }
}
