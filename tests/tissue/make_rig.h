// Tissues for the tests of the generators and of the edits, and a linear elastic oracle: the stiffness of a mesh of
// springs under small displacements, solved by conjugate gradients. Nothing here knows how the library computes forces.
#ifndef CATGUT_TESTS_TISSUE_MAKE_RIG_H
#define CATGUT_TESTS_TISSUE_MAKE_RIG_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "harness.h"
#include "tissue/make.h"

static inline cg_tissue_def rig_def(cg_tissue_shape shape)
{
    cg_tissue_def def = {.shape = shape,
                         .model = CG_TISSUE_LATTICE,
                         .pose = transform_identity(),
                         .size = v3(0.020, 0.016, 0.004),
                         .spacing = 0.002,
                         .layer_count = 1,
                         .radius = 0.004,
                         .wall = 0.0015,
                         .length = 0.020,
                         .wound_length = 0.012,
                         .wound_width = 0.004,
                         .wound_depth = 0.004,
                         .pre_length = 0.8};
    def.layers[0] = (cg_tissue_layer){0.006, {.young = 50e3, .density = 1100, .strength = 1e6, .stiffening = 2}};
    return def;
}

static inline cg_mesh *rig_make(const cg_tissue_def *def)
{
    cg_allocator allocator = cg_memory_default();
    cg_mesh *mesh = NULL;
    cg_status status = cg_make_mesh(def, &allocator, &mesh);
    CHECK_STR(status.message, "");
    if (mesh != NULL) {
        status = cg_mesh_validate(mesh);
        CHECK_STR(status.message, "");
    }
    return mesh;
}

// f = K u for small displacements u from home; links at rest there.
static inline void rig_forces(const cg_mesh *mesh, const cg_vec3 *u, cg_vec3 *f)
{
    memset(f, 0, (size_t)mesh->node_count * sizeof *f);
    for (int link = 0; link < mesh->link_count; link++) {
        const cg_mesh_link *item = &mesh->links[link];
        int a = item->ends[0], b = item->ends[1];
        cg_vec3 n = v3_unit_or(v3_sub(mesh->home[b], mesh->home[a]), v3(0, 0, 0));
        cg_vec3 pull = v3_scale(item->stiffness * v3_dot(n, v3_sub(u[b], u[a])), n);
        f[a] = v3_sub(f[a], pull);
        f[b] = v3_add(f[b], pull);
    }
}

// Solves K u = 0 for the free components (free[3 n + d]) with the others as they are in u. Returns the residual share.
static inline double rig_relax(const cg_mesh *mesh, cg_vec3 *u, const bool *is_free)
{
    int n = 3 * mesh->node_count;
    size_t bytes = (size_t)n * sizeof(double);
    double *r = malloc(bytes), *p = malloc(bytes), *q = malloc(bytes), *x = (double *)u;
    rig_forces(mesh, u, (cg_vec3 *)r);
    double rr = 0;
    for (int i = 0; i < n; i++) {
        r[i] = is_free[i] ? -r[i] : 0;
        p[i] = r[i];
        rr += r[i] * r[i];
    }
    double start = rr;
    for (int pass = 0; pass < 4000 && rr > 1e-20 * start; pass++) {
        rig_forces(mesh, (cg_vec3 *)p, (cg_vec3 *)q);
        double pq = 0;
        for (int i = 0; i < n; i++) {
            q[i] = is_free[i] ? q[i] : 0;
            pq += p[i] * q[i];
        }
        double alpha = rr / pq, before = rr;
        rr = 0;
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            rr += r[i] * r[i];
        }
        for (int i = 0; i < n; i++) {
            p[i] = r[i] + rr / before * p[i];
        }
    }
    free(r);
    free(p);
    free(q);
    return start > 0 ? sqrt(rr / start) : 0;
}

// [Pa] Young's modulus of a block along the axis d (0, 1, 2): its ends are moved apart by the strain 1e-3, the rest is
// free.
static inline double rig_modulus(const cg_mesh *mesh, int d)
{
    size_t count = (size_t)mesh->node_count;
    cg_vec3 *u = calloc(count, sizeof *u), *f = calloc(count, sizeof *f);
    bool *is_free = malloc(3 * count * sizeof *is_free);
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    for (size_t i = 0; i < 3 * count; i++) {
        double x = ((const double *)mesh->home)[i];
        low[i % 3] = x < low[i % 3] ? x : low[i % 3];
        high[i % 3] = x > high[i % 3] ? x : high[i % 3];
        is_free[i] = true;
    }
    double pull = 0;
    for (size_t node = 0; node < count; node++) {
        double x = ((const double *)mesh->home)[3 * node + (size_t)d];
        ((double *)u)[3 * node + (size_t)d] = 1e-3 * (x - low[d]);
        is_free[3 * node + (size_t)d] = x > low[d] + 1e-9 && x < high[d] - 1e-9;
    }
    CHECK(rig_relax(mesh, u, is_free) < 1e-9);
    rig_forces(mesh, u, f);
    for (size_t node = 0; node < count; node++) {
        double x = ((const double *)mesh->home)[3 * node + (size_t)d];
        pull += x >= high[d] - 1e-9 ? ((double *)f)[3 * node + (size_t)d] : 0;
    }
    free(u);
    free(f);
    free(is_free);
    int e = (d + 1) % 3, g = (d + 2) % 3;
    return pull / ((high[e] - low[e]) * (high[g] - low[g])) / 1e-3;
}

#endif
