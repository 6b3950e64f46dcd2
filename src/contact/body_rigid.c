// Rigid bodies in the problem of contacts. Those that are led go where they are told, whatever pushes them. A free one
// has six unknowns, so that forces at two of its points see each other by mass and inertia alone: with a the arm of a
// touch and n one of its axes,
//
//     Q += s s' (n . n' h^2 / m  +  (a x n) . h^2 I^-1 (a' x n')),      s the sign of the side.
#include "base/transform.h"
#include "contact/touch.h"

static bool is_there(const cg_touch_set *set, int body, int feature)
{
    bool is_body = body < set->rigid_count && feature <= CG_JOINT_FEATURE;
    return is_body && cg_feature_part(feature) < cg_rigid_part_count(set->rigids[body]);
}

// Where the point of a body that is now at `point` stands in another pose.
static cg_vec3 carried(const cg_rigid *body, cg_vec3 point, const cg_transform *pose)
{
    return transform_point(*pose, transform_point_back(body->now, point));
}

// To first order for a free one: a wheel that rolls comes no nearer to the ground.
static cg_vec3 motion(const cg_touch_set *set, const cg_site *site)
{
    const cg_rigid *body = set->rigids[site->body];
    return body->is_free ? cg_rigid_motion_at(body, site->point)
                         : v3_sub(carried(body, site->point, &body->target), site->point);
}

static cg_vec3 moved(const cg_touch_set *set, const cg_site *site)
{
    const cg_rigid *body = set->rigids[site->body];
    return body->is_free ? cg_rigid_moved_at(body, site->point)
                         : v3_sub(site->point, carried(body, site->point, &body->start));
}

static double bend(const cg_touch_set *set, const cg_site *site)
{
    const cg_rigid *body = set->rigids[site->body];
    return body->is_free ? cg_rigid_bend_at(body, site->point) : 0.0;
}

// What is led feels the forces of all islands, and no island asks what it feels: it is told when all are solved.
static bool takes_forces(const cg_touch_set *set, int number)
{
    return set->solved < 0 ||
           (number >= set->first_free && is_solved(set, set->thread_count + number - set->first_free));
}

static void clear(cg_touch_set *set)
{
    for (int k = 0; k < set->rigid_count; k++) {
        if (!takes_forces(set, k)) {
            continue;
        }
        set->rigids[k]->force = set->rigids[k]->torque = v3_zero();
    }
}

static void push(cg_touch_set *set, const cg_site *site, cg_vec3 force)
{
    cg_rigid *body = set->rigids[site->body];
    if (!takes_forces(set, site->body)) {
        return;
    }
    cg_vec3 arm = v3_sub(site->point, body->now.position);
    body->force = v3_add(body->force, force);
    body->torque = v3_add(body->torque, v3_cross(arm, force));
}

static void respond(cg_touch_set *set)
{
    for (int k = set->first_free; k < set->rigid_count; k++) {
        if (takes_forces(set, k)) {
            cg_rigid_respond(set->rigids[k]);
        }
    }
}

// The points of one body in the problem.
static int gather_points(const cg_touch_set *set, int number)
{
    int count = 0;
    const cg_rigid *body = set->rigids[number];
    for (int w = 0; w < set->working_count; w++) {
        const cg_touch *touch = &set->touches[set->working[w]];
        for (int side = 0; side < 2; side++) {
            if (touch_body(touch, side, CG_BODY_RIGID) != number) {
                continue;
            }
            cg_rigid_point *point = &set->rigid_points[count++];
            cg_vec3 arm = v3_sub(touch->point[side], body->now.position);
            point->touch = w;
            point->sign = side == 0 ? 1.0 : -1.0;
            for (int k = 0; k < 3; k++) {
                point->lever[k] = v3_cross(arm, touch->axes[k]);
                point->turned[k] = m3_apply(body->turning, point->lever[k]);
            }
        }
    }
    return count;
}

// Adds how a force at `b` moves `a`, and the other way round where they are two.
static void add_blocks(cg_touch_set *set, const cg_rigid_point *a, const cg_rigid_point *b, double give)
{
    size_t columns = 3 * (size_t)set->working_count;
    const cg_vec3 *of_a = set->touches[set->working[a->touch]].axes, *of_b = set->touches[set->working[b->touch]].axes;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double moves = a->sign * b->sign * (give * v3_dot(of_a[i], of_b[k]) + v3_dot(a->lever[i], b->turned[k]));
            size_t row = 3 * (size_t)a->touch + (size_t)i, column = 3 * (size_t)b->touch + (size_t)k;
            set->coupling[row * columns + column] += moves;
            if (a != b) {
                set->coupling[column * columns + row] += moves;
            }
        }
    }
}

static void couple(cg_touch_set *set)
{
    for (int k = set->first_free; k < set->rigid_count; k++) {
        const cg_rigid *body = set->rigids[k];
        double give = body->time_step * body->time_step / body->mass;
        int count = gather_points(set, k);
        for (int a = 0; a < count; a++) {
            for (int b = a; b < count; b++) {
                add_blocks(set, &set->rigid_points[a], &set->rigid_points[b], give);
            }
        }
    }
}

const cg_body_verbs cg_rigid_verbs = {.is_there = is_there,
                                      .motion = motion,
                                      .moved = moved,
                                      .bend = bend,
                                      .clear = clear,
                                      .push = push,
                                      .respond = respond,
                                      .couple = couple};
