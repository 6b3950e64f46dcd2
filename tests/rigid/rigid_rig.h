// Bodies and worlds for the tests of rigid bodies.
#ifndef CATGUT_TESTS_RIGID_RIG_H
#define CATGUT_TESTS_RIGID_RIG_H

#include <math.h>

#include "base/transform.h"
#include "base/trig.h"
#include "catgut/catgut.h"
#include "harness.h"

enum { ARC_PARTS = 16 };

static inline cg_world *make_world(double time_step, cg_vec3 gravity)
{
    cg_world_def def = cg_world_def_default();
    def.time_step = time_step;
    def.gravity = gravity;
    cg_world *world = NULL;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    return world;
}

static inline cg_rigid_part part_of(cg_shape_kind kind, double radius, double half_length, cg_vec3 half_extents)
{
    return (cg_rigid_part){{kind, radius, half_length, half_extents}, transform_identity()};
}

static inline cg_rigid_part box_part(double x, double y, double z)
{
    return part_of(CG_SHAPE_BOX, 0, 0, v3(x, y, z));
}

static inline cg_rigid_part capsule_part(double radius, double half_length)
{
    return part_of(CG_SHAPE_CAPSULE, radius, half_length, v3_zero());
}

static inline cg_rigid_part ball_part(double radius)
{
    return part_of(CG_SHAPE_SPHERE, radius, 0, v3_zero());
}

// A half circle in the plane y = 0, as a needle is.
static inline void arc_parts(cg_rigid_part parts[ARC_PARTS], double arc_radius, double radius)
{
    for (int i = 0; i < ARC_PARTS; i++) {
        double sine, cosine, half_sine, half_cosine;
        cg_sincos(CG_PI * (i + 0.5) / ARC_PARTS, &sine, &cosine);
        cg_sincos(0.5 * CG_PI / ARC_PARTS, &half_sine, &half_cosine);
        cg_vec3 along = v3(-sine, 0, cosine);
        parts[i] = capsule_part(radius, arc_radius * half_sine / half_cosine);
        parts[i].pose.position = v3(arc_radius * cosine, 0, arc_radius * sine);
        parts[i].pose.rotation = quat_between(v3(0, 0, 1), along);
    }
}

static inline cg_rigid_id add_body(cg_world *world, cg_rigid_def def, const cg_rigid_part *parts, int count)
{
    cg_rigid_id id;
    def.parts = parts;
    def.part_count = count;
    CHECK_STR(cg_world_add_rigid(world, &def, &id).message, "");
    return id;
}

static inline cg_shape_id add_shape(cg_world *world, cg_shape shape, cg_transform pose, double friction)
{
    cg_shape_id id;
    cg_shape_def def = {shape, pose, friction};
    CHECK_STR(cg_world_add_shape(world, &def, &id).message, "");
    return id;
}

static inline cg_rigid_info info_of(const cg_world *world, cg_rigid_id id)
{
    cg_rigid_info info = {0};
    CHECK(cg_rigid_get_info(world, id, &info));
    return info;
}

// Drawn one by one: the order in which arguments are evaluated differs between compilers.
static inline cg_quat random_rotation(uint64_t *state)
{
    double x = test_random(state, -1, 1), y = test_random(state, -1, 1), z = test_random(state, -1, 1);
    return quat_normalise(quat(x, y, z, test_random(state, -1, 1)));
}

static inline cg_vec3 random_vector(uint64_t *state, double size)
{
    double x = test_random(state, -size, size), y = test_random(state, -size, size);
    return v3(x, y, test_random(state, -size, size));
}

// How far the farthest point of the body that is looked at (a corner of a large cube about its centre) moves in a step.
static inline double motion_of_step(cg_world *world, cg_rigid_id id)
{
    cg_transform before = cg_rigid_get_pose(world, id);
    cg_world_step(world);
    cg_transform after = cg_rigid_get_pose(world, id);
    double most = 0;
    for (int i = 0; i < 8; i++) {
        cg_vec3 corner = v3(i & 1 ? 0.01 : -0.01, i & 2 ? 0.01 : -0.01, i & 4 ? 0.01 : -0.01);
        double moved = v3_distance(transform_point(before, corner), transform_point(after, corner));
        most = moved > most ? moved : most;
    }
    return most;
}

#endif
