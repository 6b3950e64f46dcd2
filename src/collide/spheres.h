// Bounding spheres in arrays, compared four at a time in single precision.
//
// Every x86-64 (and WebAssembly) has registers of four floats, and each lane rounds as a lone float would, so the
// result does not depend on the machine. A sphere whose centre is not a number is near nothing.
#ifndef CATGUT_COLLIDE_SPHERES_H
#define CATGUT_COLLIDE_SPHERES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct cg_spheres {
    float *x, *y, *z, *radius;
    float *ux, *uy, *uz, *spread; // mean displacement and how far it is from that of any point; NULL without a motion
} cg_spheres;

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_bits __attribute__((vector_size(16)));

static inline four four_of(float value)
{
    return (four){value, value, value, value};
}

// From any address.
static inline four four_at(const float *from)
{
    four value;
    memcpy(&value, from, sizeof value);
    return value;
}

// Bit k is set where lane k of a comparison is true.
static inline int four_mask(four_bits answer)
{
#if defined(__SSE__)
    return __builtin_ia32_movmskps((four)answer);
#else
    return (answer[0] & 1) | (answer[1] & 2) | (answer[2] & 4) | (answer[3] & 8);
#endif
}

// The lowest bit that is set, which is taken away.
static inline int take_bit(int *bits)
{
    int lowest = __builtin_ctz((unsigned)*bits);
    *bits &= *bits - 1;
    return lowest;
}

// One sphere, in all lanes, with the reach in its radius and its spread too.
typedef struct sphere_probe {
    four x, y, z, limit, ux, uy, uz;
} sphere_probe;

static inline __attribute__((always_inline)) sphere_probe probe_of(const cg_spheres *spheres, int i, float reach,
                                                                   bool is_moving)
{
    sphere_probe probe = {.x = four_of(spheres->x[i]),
                          .y = four_of(spheres->y[i]),
                          .z = four_of(spheres->z[i]),
                          .limit = four_of(spheres->radius[i] + reach)};
    if (is_moving) {
        probe.limit = four_of(spheres->radius[i] + reach + spheres->spread[i]);
        probe.ux = four_of(spheres->ux[i]);
        probe.uy = four_of(spheres->uy[i]);
        probe.uz = four_of(spheres->uz[i]);
    }
    return probe;
}

// Bit k is set when sphere first + k can be near the probe. `is_moving` is a constant where this is called: without a
// motion nothing is paid for it.
static inline __attribute__((always_inline)) int probe_four(const sphere_probe *probe, const cg_spheres *spheres,
                                                            int first, bool is_moving)
{
    four x = four_at(spheres->x + first) - probe->x;
    four y = four_at(spheres->y + first) - probe->y;
    four z = four_at(spheres->z + first) - probe->z;
    four limit = four_at(spheres->radius + first) + probe->limit;
    if (is_moving) {
        four ux = four_at(spheres->ux + first) - probe->ux;
        four uy = four_at(spheres->uy + first) - probe->uy;
        four uz = four_at(spheres->uz + first) - probe->uz;
        four uu = ux * ux + uy * uy + uz * uz;
        four u = {sqrtf(uu[0]), sqrtf(uu[1]), sqrtf(uu[2]), sqrtf(uu[3])};
        limit += u + four_at(spheres->spread + first);
    }
    return four_mask((four_bits)(x * x + y * y + z * z < limit * limit));
}

#endif
