// A needle hits a block in flight, with friction: what acts between two bodies takes nothing away from both together.
#include <math.h>

#include "rigid_rig.h"

typedef struct pair {
    cg_world *world;
    cg_rigid_id bodies[2];
} pair;

static pair make_pair(double time_step)
{
    pair p = {.world = make_world(time_step, v3_zero())};
    cg_needle shape = cg_needle_default();
    cg_rigid_def needle = cg_rigid_def_default(), block = needle;
    needle.needle = &shape;
    needle.mass = 2e-3;
    needle.friction = block.friction = 0.3;
    needle.velocity = v3(0.3, 0, 0.05);
    needle.spin = v3(2, 5, 1);
    CHECK_STR(cg_world_add_rigid(p.world, &needle, &p.bodies[0]).message, "");
    cg_rigid_part box = box_part(6e-3, 4e-3, 3e-3);
    block.mass = 3e-3;
    block.pose = (cg_transform){v3(30e-3, 1e-3, 2e-3), quat_from_axis_angle(v3(1, 2, 3), 0.7)};
    block.velocity = v3(-0.2, 0.01, 0);
    p.bodies[1] = add_body(p.world, block, &box, 1);
    return p;
}

static cg_vec3 momentum_of(const pair *p, cg_vec3 *angular)
{
    cg_vec3 sum = v3_zero();
    *angular = v3_zero();
    for (int i = 0; i < 2; i++) {
        cg_rigid_info body = info_of(p->world, p->bodies[i]);
        sum = v3_add_scaled(sum, body.mass, body.velocity);
        cg_vec3 about = v3_scale(body.mass, v3_cross(body.centre, body.velocity));
        *angular = v3_add(*angular, v3_add(body.angular_momentum, about));
    }
    return sum;
}

// The share of angular momentum that is lost; checks that they touched and that the momentum stays.
static double lost_in_impact(double time_step)
{
    pair p = make_pair(time_step);
    cg_vec3 angular, first_angular, first = momentum_of(&p, &first_angular);
    int touching = 0;
    for (int step = 0; step * time_step < 0.4; step++) {
        cg_world_step(p.world);
        touching += v3_length(info_of(p.world, p.bodies[0]).force) > 0;
    }
    cg_vec3 last = momentum_of(&p, &angular);
    CHECK(touching > 0);
    CHECK_NEAR(v3_distance(last, first) / (2e-3 * 0.3), 0, 1e-12);
    cg_world_destroy(p.world);
    return v3_distance(angular, first_angular) / v3_length(first_angular);
}

TEST(an_impact_keeps_the_momentum_and_loses_less_angular_momentum_the_shorter_the_step)
{
    double coarse = lost_in_impact(1e-3), fine = lost_in_impact(0.25e-3);
    CHECK(fine < 0.01);
    CHECK(fine < 0.5 * coarse || coarse < 1e-3);
}

TEST(an_impact_keeps_the_angular_momentum)
{
    KNOWN_FAULT("3.3 % of it are lost at 1 ms, 0.8 % at 0.25 ms");
    CHECK_NEAR(lost_in_impact(1e-3), 0, 1e-3);
    CHECK_NEAR(lost_in_impact(0.25e-3), 0, 1e-3);
}
