// Rigid bodies in the problem of contacts: they go where they are told, whatever pushes them.
#include "base/transform.h"
#include "contact/touch.h"

static bool is_there(const cg_touch_set *set, int body, int feature)
{
    (void)feature;
    return body < set->rigid_count;
}

// Where the point of a body that is now at `point` stands in another pose.
static cg_vec3 carried(const cg_rigid *body, cg_vec3 point, const cg_transform *pose)
{
    return transform_point(*pose, transform_point_back(body->now, point));
}

static cg_vec3 motion(const cg_touch_set *set, const cg_site *site)
{
    const cg_rigid *body = set->rigids[site->body];
    return v3_sub(carried(body, site->point, &body->target), site->point);
}

static cg_vec3 moved(const cg_touch_set *set, const cg_site *site)
{
    const cg_rigid *body = set->rigids[site->body];
    return v3_sub(site->point, carried(body, site->point, &body->start));
}

static void clear(cg_touch_set *set)
{
    for (int k = 0; k < set->rigid_count; k++) {
        set->rigids[k]->force = set->rigids[k]->torque = v3_zero();
    }
}

static void push(cg_touch_set *set, const cg_site *site, cg_vec3 force)
{
    cg_rigid *body = set->rigids[site->body];
    cg_vec3 arm = v3_sub(site->point, body->now.position);
    body->force = v3_add(body->force, force);
    body->torque = v3_add(body->torque, v3_cross(arm, force));
}

static void respond(cg_touch_set *set)
{
    (void)set;
}

const cg_body_verbs cg_rigid_verbs = {
    .is_there = is_there, .motion = motion, .moved = moved, .clear = clear, .push = push, .respond = respond};
