// Mass, centre and inertia of parts, against sums over small cubes of space.
#include "geometry/shape.h"
#include "rigid/rigid.h"
#include "rigid_rig.h"

typedef struct sums {
    double volume;
    cg_vec3 first;
    double second[3][3];
} sums;

// Adds the middles of small blocks that lie in the part.
static void add_cubes(sums *s, const cg_rigid_part *part, int across)
{
    double r = part->shape.radius;
    cg_vec3 half = part->shape.kind == CG_SHAPE_BOX       ? part->shape.half_extents
                   : part->shape.kind == CG_SHAPE_CAPSULE ? v3(r, r, r + part->shape.half_length)
                                                          : v3(r, r, r);
    double cube = 8 * half.x * half.y * half.z / (across * across * across);
    for (int i = 0; i < across * across * across; i++) {
        cg_vec3 share =
            v3_scale(2.0 / across, v3(i % across + 0.5, i / across % across + 0.5, i / across / across + 0.5));
        cg_vec3 local = v3((share.x - 1) * half.x, (share.y - 1) * half.y, (share.z - 1) * half.z);
        if (cg_shape_local_distance_point(&part->shape, local).distance <= 0) {
            cg_vec3 p = transform_point(part->pose, local);
            const double x[3] = {p.x, p.y, p.z};
            s->volume += cube;
            s->first = v3_add_scaled(s->first, cube, p);
            for (int k = 0; k < 9; k++) {
                s->second[k / 3][k % 3] += cube * x[k / 3] * x[k % 3];
            }
        }
    }
}

static void check_parts(const cg_rigid_part *parts, int count)
{
    const double mass = 0.37;
    sums s = {0};
    for (int i = 0; i < count; i++) {
        add_cubes(&s, &parts[i], 90);
    }
    cg_rigid_mass found = cg_rigid_mass_of(parts, count, mass);
    cg_vec3 c = v3_scale(1 / s.volume, s.first);
    const double centre[3] = {c.x, c.y, c.z};
    double density = mass / s.volume, trace = 0, largest = 0;
    for (int k = 0; k < 3; k++) {
        trace += density * s.second[k][k] - mass * centre[k] * centre[k];
    }
    largest = trace;
    CHECK_NEAR(found.volume, s.volume, 5e-3 * s.volume);
    CHECK(v3_distance(found.centre, c) < 5e-3 * sqrt(trace / mass));
    for (int k = 0; k < 9; k++) {
        double spread = density * s.second[k / 3][k % 3] - mass * centre[k / 3] * centre[k % 3];
        CHECK_NEAR(found.inertia.m[k / 3][k % 3], (k / 3 == k % 3 ? trace : 0) - spread, 5e-3 * largest);
    }
}

TEST(inertia_of_each_kind_is_that_of_its_small_cubes)
{
    uint64_t state = 1;
    cg_rigid_part parts[3] = {ball_part(0.7), capsule_part(0.4, 0.9), box_part(0.3, 0.8, 0.5)};
    for (int i = 0; i < 3; i++) {
        check_parts(&parts[i], 1);
        parts[i].pose = (cg_transform){random_vector(&state, 1), random_rotation(&state)};
        check_parts(&parts[i], 1);
    }
}

TEST(inertia_of_several_parts_is_that_of_their_small_cubes)
{
    uint64_t state = 2;
    for (int round = 0; round < 4; round++) {
        cg_rigid_part parts[4];
        for (int i = 0; i < 4; i++) {
            parts[i] = part_of(i % 3 == 0   ? CG_SHAPE_BOX
                               : i % 3 == 1 ? CG_SHAPE_CAPSULE
                                            : CG_SHAPE_SPHERE,
                               test_random(&state, 0.1, 0.5), test_random(&state, 0, 0.6),
                               v3(test_random(&state, 0.1, 0.5), test_random(&state, 0.1, 0.5), 0.3));
            parts[i].pose = (cg_transform){random_vector(&state, 1), random_rotation(&state)};
        }
        check_parts(parts, 4);
    }
}

TEST(a_body_stands_where_it_was_put_though_its_centre_is_elsewhere)
{
    uint64_t state = 3;
    cg_world *world = make_world(1e-3, v3_zero());
    cg_rigid_part parts[2] = {box_part(0.01, 0.01, 0.01), ball_part(0.004)};
    parts[1].pose.position = v3(0.03, 0.01, 0);
    cg_rigid_def def = cg_rigid_def_default();
    def.pose = (cg_transform){random_vector(&state, 1), random_rotation(&state)};
    cg_rigid_id id = add_body(world, def, parts, 2);
    cg_transform pose = cg_rigid_get_pose(world, id);
    CHECK(v3_distance(pose.position, def.pose.position) < 1e-15);
    cg_rigid_part part;
    CHECK(cg_rigid_get_part(world, id, 1, &part));
    CHECK(v3_distance(part.pose.position, transform_point(def.pose, v3(0.03, 0.01, 0))) < 1e-15);
    CHECK(v3_distance(info_of(world, id).centre, def.pose.position) > 1e-3);
    cg_world_destroy(world);
}

TEST(bad_bodies_are_refused_with_a_sentence)
{
    cg_world *world = make_world(1e-3, v3_zero());
    cg_rigid_part box = box_part(0.01, 0.01, 0.01), bad[3] = {box, box, box};
    cg_rigid_id id;
    cg_rigid_def def = cg_rigid_def_default();
    CHECK_STR(cg_world_add_rigid(world, &def, &id).message, "part_count is 0; expected 1 to 64");
    bad[0].shape.kind = CG_SHAPE_HALF_SPACE;
    bad[1].shape.half_extents.y = 0;
    bad[2].pose.rotation = quat(0, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
        def.parts = &bad[i];
        def.part_count = 1;
        CHECK_INT(cg_world_add_rigid(world, &def, &id).code, CG_BAD_INPUT);
        CHECK_INT(id.index, 0);
    }
    def.parts = &box;
    def.mass = 0;
    CHECK_STR(cg_world_add_rigid(world, &def, &id).message, "mass is 0 kg; expected 1e-9 to 1e6");
    def.mass = 1e-3;
    def.spin = v3(0, NAN, 0);
    CHECK_INT(cg_world_add_rigid(world, &def, &id).code, CG_BAD_INPUT);
    CHECK(!cg_rigid_is_valid(world, id));
    CHECK_INT(cg_world_remove_rigid(world, id).code, CG_BAD_HANDLE);
    cg_world_destroy(world);
}
