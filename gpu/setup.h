// Worlds to measure and to compare with: the set-ups of docs/gpu.md.
#ifndef CATGUT_GPU_SETUP_H
#define CATGUT_GPU_SETUP_H

#include "gpu/gpu.h"

// A world of a kind: its law, and places that the caller gives back. Velocities are nothing.
typedef struct cg_gpu_setup {
    cg_gpu_law law;
    int nodes;
    cg_vec3 *places;
    unsigned char *fixed;
} cg_gpu_setup;

// A square cloth of half a metre and 0.2 kg, flat, held by two corners, a hand at a third one; dt^2 k / m is about 1
// at 64 x 64. It falls on a ball.
cg_status cg_setup_cloth(int columns, int rows, double step, cg_gpu_setup *setup);
// The same without ball and hand, hung by the two corners and pushed a little out of its plane.
cg_status cg_setup_hung_cloth(int columns, int rows, double step, cg_gpu_setup *setup);
// A thread of half a metre along x, fixed at its start, a hand at its end that waits there. As stiff as explicit steps
// of that length bear.
cg_status cg_setup_springs(int points, int model, double step, cg_gpu_setup *setup);
// A straight suture of that many vertices, 1 mm apart, pinned at its start, along x; pushed sideways at its end.
cg_status cg_setup_rod(int vertices, int passes, bool all_passes, double step, cg_gpu_setup *setup);
void cg_setup_free(cg_gpu_setup *setup);

// Makes a batch of `worlds` of them, all alike.
cg_status cg_setup_batch(cg_gpu *gpu, const cg_gpu_setup *setup, cg_gpu_kind kind, int worlds, bool is_float,
                         cg_batch **batch);

#endif
