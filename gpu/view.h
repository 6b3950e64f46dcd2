// What a step of a batch works on, and how a kind of world finds its share of it. Compiled for both precisions and both
// kinds of processor; gpu/side.h comes first.
#ifndef CATGUT_GPU_VIEW_H
#define CATGUT_GPU_VIEW_H

#include "gpu/kind.h"
#include "gpu/rod.h"
#include "gpu/spring_thread.h"
#include "tissue/cloth.h"

// A law of any kind, in the precision of the kernels.
typedef union cg_gpu_law {
    cg_cloth_law cloth;
    cg_spring_law springs;
    cg_rod_law rod;
} cg_gpu_law;

// What the hand of one world is told apart from its law.
static inline void cg_gpu_take_hand(const cg_gpu_view *view, const cg_gpu_hand *hand, cg_gpu_law *law)
{
    cg_vec3 place = v3((double)hand->place[0], (double)hand->place[1], (double)hand->place[2]);
    cg_vec3 velocity = v3((double)hand->velocity[0], (double)hand->velocity[1], (double)hand->velocity[2]);
    if (view->kind == CG_GPU_CLOTH) {
        law->cloth.hand_place = place;
        law->cloth.hand_velocity = velocity;
    } else {
        law->springs.hand_place = place;
        law->springs.hand_velocity = velocity;
    }
}

static inline cg_vec3 *cg_gpu_places(const cg_gpu_view *view, int world)
{
    return (cg_vec3 *)view->state + (size_t)world * 2 * (size_t)view->nodes;
}

static inline const cg_gpu_law *cg_gpu_law_of(const cg_gpu_view *view, int world)
{
    return (const cg_gpu_law *)view->laws + world;
}

static inline cg_cloth cg_gpu_cloth_of(const cg_gpu_view *view, const cg_cloth_law *law, int world)
{
    cg_cloth cloth;
    cg_vec3 *places = cg_gpu_places(view, world);
    char *scratch = (char *)view->scratch + (size_t)world * view->scratch_bytes;
    cloth.place = places;
    cloth.velocity = places + view->nodes;
    cloth.fixed = law->has_fixed ? view->fixed + (size_t)world * (size_t)view->nodes : NULL;
    cloth.push = NULL;
    cloth.ground = NULL;
    cg_vec3 *vectors = (cg_vec3 *)scratch;
    cg_cloth_deal(law, &cloth, vectors, (double *)(vectors + cg_cloth_scratch_vectors(law)));
    return cloth;
}

static inline cg_spring_thread cg_gpu_thread_of(const cg_gpu_view *view, int world)
{
    cg_spring_thread thread;
    cg_vec3 *places = cg_gpu_places(view, world);
    thread.place = places;
    thread.velocity = places + view->nodes;
    thread.fixed = view->fixed + (size_t)world * (size_t)view->nodes;
    thread.back = (cg_vec3 *)((char *)view->scratch + (size_t)world * view->scratch_bytes);
    thread.ahead = thread.back + view->nodes;
    thread.pull = thread.ahead + view->nodes;
    return thread;
}

// A rod of a group of CG_RODS_A_GROUP.
static inline cg_rod cg_gpu_rod_of(const cg_gpu_view *view, int world)
{
    cg_rod rod;
    int group = world / CG_RODS_A_GROUP;
    char *scratch = (char *)view->scratch + (size_t)group * CG_RODS_A_GROUP * view->scratch_bytes;
    rod.place = cg_gpu_places(view, world);
    rod.velocity = rod.place + view->nodes;
    rod.numbers = (double *)scratch + (world - group * CG_RODS_A_GROUP);
    return rod;
}

// Pieces of a batch that know nothing of each other: worlds, or groups of rods; and the phases of a step of one.
static inline int cg_gpu_units(const cg_gpu_view *view)
{
    return view->kind == CG_GPU_RODS ? (view->worlds + CG_RODS_A_GROUP - 1) / CG_RODS_A_GROUP : view->worlds;
}

static inline int cg_gpu_phases(const cg_gpu_view *view)
{
    int phases = 2 + CG_ROD_PASS_PHASES * view->passes;
    phases = view->kind == CG_GPU_CLOTH ? (int)CG_CLOTH_PHASES : phases;
    return view->kind == CG_GPU_SPRINGS ? (int)CG_SPRING_PHASES : phases;
}

// Phases of rods are counted through all passes of a step.
static inline int cg_gpu_rod_phase(const cg_gpu_view *view, int phase)
{
    bool is_last = phase + 1 == cg_gpu_phases(view);
    return phase == 0 ? 0 : (is_last ? CG_ROD_PASS_PHASES + 1 : 1 + (phase - 1) % CG_ROD_PASS_PHASES);
}

// [N] What the hand of a world did in its last step.
static inline cg_vec3 cg_gpu_hand_force(const cg_gpu_view *view, const cg_gpu_law *law, int world)
{
    if (view->kind == CG_GPU_CLOTH) {
        cg_cloth cloth = cg_gpu_cloth_of(view, &law->cloth, world);
        return law->cloth.hand >= 0 ? *cloth.hand_force : v3_zero();
    }
    cg_spring_thread thread = cg_gpu_thread_of(view, world);
    return cg_spring_hand_force(&law->springs, &thread);
}

#endif
