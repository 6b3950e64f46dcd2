// Knots in a world of their own, for the tests of contact: tied from the curves of src/knot, driven by hands or loads,
// and looked at by brute force.
#ifndef CATGUT_TESTS_KNOT_RIG_H
#define CATGUT_TESTS_KNOT_RIG_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "collide/crossing.h"
#include "geometry/closest.h"
#include "harness.h"
#include "knot/curves.h"
#include "knot/determinant.h"

typedef struct knot_rig {
    cg_world *world;
    cg_curve curve;
    cg_thread_id threads[2];
    int first[2]; // place of each thread's first point in `start`
    cg_vec3 *start;
    int point_count; // of all threads
    double radius;
} knot_rig;

static inline void knot_rig_free(knot_rig *rig)
{
    cg_world_destroy(rig->world);
    free(rig->start);
    *rig = (knot_rig){0};
}

// Ties the knot of `curve_def` in threads made as `thread_def` says. Points, counts and radius come from the curve.
static inline bool knot_rig_tie(knot_rig *rig, const cg_curve_def *curve_def, const cg_world_def *world_def,
                                const cg_thread_def *thread_def)
{
    *rig = (knot_rig){.radius = curve_def->radius};
    cg_status status = cg_curve_make(curve_def, NULL, 0, &rig->curve);
    CHECK_STR(status.message, "");
    rig->point_count = rig->curve.point_count[0] + (rig->curve.thread_count > 1 ? rig->curve.point_count[1] : 0);
    rig->start = calloc((size_t)rig->point_count, sizeof *rig->start);
    if (!CHECK(rig->start != NULL)) {
        return false;
    }
    status = cg_curve_make(curve_def, rig->start, rig->point_count, &rig->curve);
    CHECK_STR(status.message, "");
    status = cg_world_create(world_def, &rig->world);
    CHECK_STR(status.message, "");
    for (int t = 0; t < rig->curve.thread_count && status.code == CG_OK; t++) {
        cg_thread_def def = *thread_def;
        rig->first[t] = t == 0 ? 0 : rig->curve.point_count[0];
        def.radius = curve_def->radius;
        def.vertex_count = rig->curve.point_count[t];
        def.positions = rig->start + rig->first[t];
        status = cg_world_add_thread(rig->world, &def, &rig->threads[t]);
        CHECK_STR(status.message, "");
    }
    return status.code == CG_OK;
}

// Vertices of a thread now: another number than at the start when its spacing follows.
static inline int knot_rig_count(const knot_rig *rig, int thread)
{
    int count;
    cg_thread_positions(rig->world, rig->threads[thread], &count);
    return count;
}

// The vertex that a hand or load pulls at: end 0 or 1 of the knot.
static inline int knot_rig_pulled_vertex(const knot_rig *rig, int end, cg_thread_id *thread)
{
    cg_curve_end pulled = rig->curve.pulled[end];
    *thread = rig->threads[pulled.thread];
    return pulled.last ? knot_rig_count(rig, pulled.thread) - 1 : 0;
}

// A dead load [N] on both ends in the coming step, apart from each other.
static inline void knot_rig_load(knot_rig *rig, double force)
{
    for (int end = 0; end < 2; end++) {
        cg_thread_id thread;
        int vertex = knot_rig_pulled_vertex(rig, end, &thread);
        cg_thread_push_vertex(rig->world, thread, vertex, v3_scale(force, rig->curve.pull[end]));
    }
}

static inline void knot_rig_copy_points(const knot_rig *rig, cg_vec3 *points)
{
    for (int t = 0; t < rig->curve.thread_count; t++) {
        memcpy(points + rig->first[t], cg_thread_positions(rig->world, rig->threads[t], NULL),
               sizeof *points * (size_t)rig->curve.point_count[t]);
    }
}

// Largest motion [m] of a vertex from earlier points.
static inline double knot_rig_moved(const knot_rig *rig, const cg_vec3 *before)
{
    double most = 0;
    for (int t = 0; t < rig->curve.thread_count; t++) {
        const cg_vec3 *points = cg_thread_positions(rig->world, rig->threads[t], NULL);
        for (int i = 0; i < rig->curve.point_count[t]; i++) {
            double moved = v3_distance(points[i], before[rig->first[t] + i]);
            most = moved > most || isnan(moved) ? moved : most;
        }
    }
    return most;
}

// The determinant of the knot of one thread; 0 when it cannot be told.
static inline long long knot_rig_determinant(const knot_rig *rig)
{
    uint64_t determinant = 0;
    cg_status status = cg_knot_determinant(cg_thread_positions(rig->world, rig->threads[0], NULL),
                                           knot_rig_count(rig, 0), NULL, &determinant);
    return status.code == CG_OK ? (long long)determinant : 0;
}

// The deepest overlap of any two segments that are no neighbours, in diameters, by looking at all pairs. Segments are
// neighbours while the rest arc between them is below pi radii: less thread cannot turn round and touch itself.
static inline double knot_rig_overlap(const knot_rig *rig)
{
    double diameter = 2 * rig->radius, least = diameter;
    for (int ta = 0; ta < rig->curve.thread_count; ta++) {
        for (int tb = ta; tb < rig->curve.thread_count; tb++) {
            const cg_vec3 *a = cg_thread_positions(rig->world, rig->threads[ta], NULL);
            const cg_vec3 *b = cg_thread_positions(rig->world, rig->threads[tb], NULL);
            const double *rest = cg_thread_rest_lengths(rig->world, rig->threads[ta], NULL);
            int count_a = knot_rig_count(rig, ta), count_b = knot_rig_count(rig, tb);
            for (int i = 0; i + 1 < count_a; i++) {
                double arc = 0, length = v3_distance(a[i], a[i + 1]);
                for (int j = ta == tb ? i + 2 : 0; j + 1 < count_b; j++) {
                    arc += ta == tb ? rest[j - 1] : 0;
                    if (ta == tb && arc < 3.14159265358979 * rig->radius) {
                        continue;
                    }
                    double reach = least + length + v3_distance(b[j], b[j + 1]);
                    if (v3_distance(a[i], b[j]) < reach) {
                        cg_closest closest = cg_closest_segments(a[i], a[i + 1], b[j], b[j + 1]);
                        double distance = sqrt(closest.squared_distance);
                        least = distance < least ? distance : least;
                    }
                }
            }
        }
    }
    return 1 - least / diameter;
}

// How many pairs of segments of one thread, three apart or more, passed through each other on the straight way from
// `before` to now. (Two apart, a segment that passes through the other only turns a kink over.)
static inline int knot_rig_crossings(const knot_rig *rig, const cg_vec3 *before)
{
    const cg_vec3 *now = cg_thread_positions(rig->world, rig->threads[0], NULL);
    int crossings = 0;
    for (int i = 0; i + 1 < rig->curve.point_count[0]; i++) {
        cg_moving_segment a = {{before[i], before[i + 1]}, {now[i], now[i + 1]}};
        double way_a = v3_distance(before[i], now[i]) + v3_distance(before[i + 1], now[i + 1]);
        for (int j = i + 3; j + 1 < rig->curve.point_count[0]; j++) {
            double reach = way_a + v3_distance(before[j], now[j]) + v3_distance(before[j + 1], now[j + 1]) +
                           v3_distance(now[i], now[i + 1]) + v3_distance(now[j], now[j + 1]) + 4 * rig->radius;
            if (v3_distance(now[i], now[j]) < reach) {
                cg_moving_segment b = {{before[j], before[j + 1]}, {now[j], now[j + 1]}};
                crossings += cg_crossing_find(&a, &b, 1e-12).count > 0;
            }
        }
    }
    return crossings;
}

// The parameters of MicroSim's knot test in SI units: r = l0 = 0.5 mm, EA 200 N, EI 1e-8 N m2, no mass; a free vertex
// moves by 37.35 mm under 40 mN (the unit of force there) in a step of 5 ms.
static inline cg_thread_def knot_seed_thread(double friction)
{
    cg_thread_def def = cg_thread_def_default();
    double resistance = 0.04 / 37.35e-3 * 5e-3; // [N s/m] of a vertex
    def.stretch_stiffness = 200;
    def.bend_stiffness = 1e-8;
    def.twist_stiffness = 0;
    def.linear_density = 1e-3;
    def.inertia = CG_LOW_MASS;
    def.drag = resistance / (def.linear_density * 0.5e-3);
    def.friction = friction;
    return def;
}

static inline cg_world_def knot_seed_world(void)
{
    cg_world_def def = cg_world_def_default();
    def.time_step = 5e-3;
    def.gravity = v3_zero();
    def.max_contacts = 200;
    return def;
}

// The tail that makes a curve have `vertices` points in its first thread.
static inline void knot_fit_tail(cg_curve_def *def, int vertices)
{
    cg_curve curve;
    for (int round = 0; round < 3; round++) {
        cg_curve_make(def, NULL, 0, &curve);
        def->tail += 0.5 * (vertices - curve.point_count[0]) * def->spacing;
    }
}

#endif
