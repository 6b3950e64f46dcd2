// A knot in thread of 1 mm without inertia, pulled by loads at the ends that the curve names.
#ifndef CATGUT_TESTS_KNOT_RIG_H
#define CATGUT_TESTS_KNOT_RIG_H

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "knot/curves.h"

enum { ROOM = 2000 };

static cg_vec3 points[ROOM];

// What is tied.
typedef struct rig_def {
    cg_curve_kind kind;
    int threads;
    double friction;
    bool follow; // the spacing follows the knot
    bool post;   // in the loop of one thread
} rig_def;

typedef struct rig {
    cg_world *world;
    cg_curve curve;
    cg_thread_id threads[2];
} rig;

static const double POST_RADIUS = 4e-3, THREAD_RADIUS = 0.5e-3;

// The thread comes from above around the post, or from the left in a slip knot.
static void stand_post(rig *r, const rig_def *def)
{
    bool slip = def->kind == CG_CURVE_SLIP;
    int count = r->curve.point_count[0];
    cg_vec3 outermost = points[count / 2];
    for (int i = count / 5; i < count * 4 / 5; i++) {
        bool farther = slip ? points[i].x < outermost.x : points[i].y > outermost.y;
        outermost = farther ? points[i] : outermost;
    }
    double inside = POST_RADIUS + 3 * THREAD_RADIUS;
    cg_shape_def post = cg_shape_def_default();
    post.shape = (cg_shape){.kind = CG_SHAPE_CAPSULE, .radius = POST_RADIUS, .half_length = 30e-3};
    post.pose.position = v3_add(outermost, slip ? v3(inside, 0, 0) : v3(0, -inside, 0));
    post.friction = def->friction;
    cg_shape_id id;
    CHECK_STR(cg_world_add_shape(r->world, &post, &id).message, "");
}

static bool tie(rig *r, rig_def what)
{
    cg_curve_def curve = cg_curve_def_default();
    curve.kind = what.kind;
    curve.thread_count = what.threads;
    curve.radius = curve.spacing = THREAD_RADIUS;
    curve.gap = 4 * curve.radius;
    curve.loop_radius = what.post ? POST_RADIUS + 4 * THREAD_RADIUS : 0;
    curve.tail = 30e-3;
    curve.free_tail = what.threads == 2 ? 15e-3 : 0;
    CHECK_STR(cg_curve_make(&curve, points, ROOM, &r->curve).message, "");
    cg_world_def world = cg_world_def_default();
    world.time_step = 5e-3;
    world.gravity = v3_zero();
    world.max_contacts = 300;
    r->world = NULL;
    if (!CHECK_STR(cg_world_create(&world, &r->world).message, "")) {
        return false;
    }
    for (int t = 0; t < what.threads; t++) {
        cg_thread_def def = cg_thread_def_default();
        def.vertex_count = r->curve.point_count[t];
        def.positions = points + (t ? r->curve.point_count[0] : 0);
        def.radius = curve.radius;
        def.stretch_stiffness = 200;
        def.bend_stiffness = 1e-8;
        def.twist_stiffness = 0;
        def.linear_density = 1e-3;
        def.inertia = CG_LOW_MASS;
        def.drag = 0.04 / 37.35e-3 * world.time_step / (def.linear_density * curve.spacing);
        def.friction = what.friction;
        def.spacing = (cg_spacing){.follow = what.follow, .fine = 0.5 * curve.radius};
        CHECK_STR(cg_world_add_thread(r->world, &def, &r->threads[t]).message, "");
    }
    if (what.post) {
        stand_post(r, &what);
    }
    return true;
}

// Pulls at the k-th of the ends that the curve names.
static void pull_end(rig *r, int k, cg_vec3 force)
{
    cg_curve_end end = r->curve.pulled[k];
    int count;
    cg_thread_positions(r->world, r->threads[end.thread], &count);
    cg_thread_push_vertex(r->world, r->threads[end.thread], end.last ? count - 1 : 0, force);
}

#endif
