// Definitions in double precision become laws in the precision of the kernels, number by number: gpu/side.h comes
// first.
#ifndef CATGUT_GPU_LAWS_H
#define CATGUT_GPU_LAWS_H

#include "gpu/view.h"

enum { CG_GPU_MOST_NUMBERS = 40 };

// clang-format off
#define CG_CLOTH_INTEGERS(law, F) \
    F((law)->columns) F((law)->rows) F((law)->odd) F((law)->has_floor) F((law)->has_fixed) F((law)->hand) \
    F((law)->is_turned)
#define CG_CLOTH_NUMBERS(law, F) \
    F((law)->across) F((law)->along) F((law)->slant) F((law)->stiffness) F((law)->mass) F((law)->step) \
    F((law)->damping) F((law)->drag) F((law)->most_stretch) F((law)->gravity.x) F((law)->gravity.y) \
    F((law)->gravity.z) F((law)->ball.x) F((law)->ball.y) F((law)->ball.z) F((law)->ball_radius) F((law)->floor) \
    F((law)->friction) F((law)->hand_place.x) F((law)->hand_place.y) F((law)->hand_place.z) \
    F((law)->hand_velocity.x) F((law)->hand_velocity.y) F((law)->hand_velocity.z) F((law)->hand_spring) \
    F((law)->hand_damper)
#define CG_SPRING_INTEGERS(law, F) F((law)->points) F((law)->model) F((law)->has_floor) F((law)->hand)
#define CG_SPRING_NUMBERS(law, F) \
    F((law)->mass) F((law)->rest_length) F((law)->linear_spring) F((law)->quadratic_spring) F((law)->linear_damper) \
    F((law)->torsional_spring) F((law)->torsional_damper) F((law)->swivel_damper) F((law)->step) F((law)->drag) \
    F((law)->gravity.x) F((law)->gravity.y) F((law)->gravity.z) F((law)->radius) F((law)->floor) \
    F((law)->friction) F((law)->hand_place.x) F((law)->hand_place.y) F((law)->hand_place.z) \
    F((law)->hand_velocity.x) F((law)->hand_velocity.y) F((law)->hand_velocity.z) F((law)->hand_spring) \
    F((law)->hand_damper)
#define CG_ROD_INTEGERS(law, F) F((law)->vertices) F((law)->passes) F((law)->all_passes) F((law)->is_held)
#define CG_ROD_NUMBERS(law, F) \
    F((law)->length) F((law)->stretch) F((law)->bend) F((law)->mass) F((law)->step) F((law)->drag) \
    F((law)->gravity.x) F((law)->gravity.y) F((law)->gravity.z) F((law)->push.x) F((law)->push.y) F((law)->push.z)
// clang-format on

// A law as numbers and back.
typedef struct cg_gpu_numbers {
    int integers[CG_GPU_MOST_NUMBERS];
    cg_gpu_number numbers[CG_GPU_MOST_NUMBERS];
} cg_gpu_numbers;

#define CG_GPU_OUT_INTEGER(field) out->integers[n++] = (field);
#define CG_GPU_OUT_NUMBER(field) out->numbers[k++] = (field);
#define CG_GPU_IN_INTEGER(field) (field) = in->integers[n++];
#define CG_GPU_IN_NUMBER(field) (field) = (double)in->numbers[k++];

static inline void cg_gpu_flatten(cg_gpu_kind kind, const cg_gpu_law *law, cg_gpu_numbers *out)
{
    int n = 0, k = 0;
    if (kind == CG_GPU_CLOTH) {
        CG_CLOTH_INTEGERS(&law->cloth, CG_GPU_OUT_INTEGER)
        CG_CLOTH_NUMBERS(&law->cloth, CG_GPU_OUT_NUMBER)
    } else if (kind == CG_GPU_SPRINGS) {
        CG_SPRING_INTEGERS(&law->springs, CG_GPU_OUT_INTEGER)
        CG_SPRING_NUMBERS(&law->springs, CG_GPU_OUT_NUMBER)
    } else {
        CG_ROD_INTEGERS(&law->rod, CG_GPU_OUT_INTEGER)
        CG_ROD_NUMBERS(&law->rod, CG_GPU_OUT_NUMBER)
    }
}

static inline void cg_gpu_raise(cg_gpu_kind kind, const cg_gpu_numbers *in, cg_gpu_law *law)
{
    int n = 0, k = 0;
    if (kind == CG_GPU_CLOTH) {
        CG_CLOTH_INTEGERS(&law->cloth, CG_GPU_IN_INTEGER)
        CG_CLOTH_NUMBERS(&law->cloth, CG_GPU_IN_NUMBER)
    } else if (kind == CG_GPU_SPRINGS) {
        CG_SPRING_INTEGERS(&law->springs, CG_GPU_IN_INTEGER)
        CG_SPRING_NUMBERS(&law->springs, CG_GPU_IN_NUMBER)
    } else {
        CG_ROD_INTEGERS(&law->rod, CG_GPU_IN_INTEGER)
        CG_ROD_NUMBERS(&law->rod, CG_GPU_IN_NUMBER)
    }
}

#endif
