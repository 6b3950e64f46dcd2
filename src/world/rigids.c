// The public calls on rigid bodies, and their part in the step where nothing touches.
#include "base/status.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "catgut/needle.h"
#include "geometry/shape.h"
#include "world/world.h"

static cg_rigid *find_rigid(const cg_world *world, cg_rigid_id id)
{
    return cg_pool_get(&world->rigids, (cg_handle){id.index, id.generation});
}

static cg_status bad_handle(cg_rigid_id id)
{
    return cg_error(CG_BAD_HANDLE, "rigid id (%u, %u) names no body of this world", id.index, id.generation);
}

static cg_status refuse_led(void)
{
    return cg_error(CG_BAD_INPUT, "the body is moved by constraints");
}

cg_status cg_world_add_rigid(cg_world *world, const cg_rigid_def *def, cg_rigid_id *id)
{
    *id = (cg_rigid_id){0, 0};
    cg_rigid made;
    cg_status status = cg_rigid_init(&made, def, &world->def.allocator);
    if (status.code != CG_OK) {
        return status;
    }
    cg_handle handle;
    cg_rigid *body = cg_pool_take(&world->rigids, &handle);
    if (body == NULL) {
        cg_rigid_clear(&made);
        return cg_error(CG_FULL, "the world already has its %d rigid bodies", world->def.max_rigids);
    }
    *body = made;
    status = cg_world_fit_touches(world);
    if (status.code != CG_OK) {
        cg_rigid_clear(body);
        cg_pool_give(&world->rigids, handle);
        return status;
    }
    *id = (cg_rigid_id){handle.index, handle.generation};
    return status;
}

cg_status cg_world_remove_rigid(cg_world *world, cg_rigid_id id)
{
    cg_rigid *body = find_rigid(world, id);
    if (body == NULL) {
        return bad_handle(id);
    }
    if (body->is_led) {
        return refuse_led();
    }
    cg_world_let_go_of_body(world, body);
    cg_rigid_clear(body);
    cg_pool_give(&world->rigids, (cg_handle){id.index, id.generation});
    return cg_world_fit_touches(world);
}

bool cg_rigid_is_valid(const cg_world *world, cg_rigid_id id)
{
    return find_rigid(world, id) != NULL;
}

cg_transform cg_rigid_get_pose(const cg_world *world, cg_rigid_id id)
{
    const cg_rigid *body = find_rigid(world, id);
    return body != NULL ? cg_rigid_made_pose(body, body->now) : transform_identity();
}

int cg_rigid_get_part_count(const cg_world *world, cg_rigid_id id)
{
    const cg_rigid *body = find_rigid(world, id);
    return body != NULL ? body->part_count : 0;
}

bool cg_rigid_get_part(const cg_world *world, cg_rigid_id id, int index, cg_rigid_part *part)
{
    const cg_rigid *body = find_rigid(world, id);
    if (body == NULL || index < 0 || index >= body->part_count) {
        return false;
    }
    *part = body->parts[index];
    part->pose = transform_compose(body->now, part->pose);
    return true;
}

bool cg_rigid_get_info(const cg_world *world, cg_rigid_id id, cg_rigid_info *info)
{
    const cg_rigid *body = find_rigid(world, id);
    if (body == NULL) {
        return false;
    }
    *info = (cg_rigid_info){.motion = body->is_free ? CG_RIGID_FREE : CG_RIGID_DRIVEN,
                            .mass = body->mass,
                            .centre = body->now.position,
                            .velocity = body->velocity,
                            .spin = cg_rigid_spin(body),
                            .angular_momentum = body->momentum,
                            .kinetic_energy = cg_rigid_kinetic_energy(body),
                            .force = body->force,
                            .torque = body->torque};
    return true;
}

bool cg_rigid_get_needle(const cg_world *world, cg_rigid_id id, cg_needle *needle)
{
    const cg_rigid *body = find_rigid(world, id);
    if (body == NULL || !body->is_needle) {
        return false;
    }
    *needle = body->needle;
    return true;
}

bool cg_rigid_get_needle_state(const cg_world *world, cg_rigid_id id, cg_needle_state *state)
{
    cg_needle needle;
    if (!cg_rigid_get_needle(world, id, &needle)) {
        return false;
    }
    cg_rigid_part point;
    cg_transform pose = cg_rigid_get_pose(world, id);
    cg_vec3 ahead = v3_neg(transform_vector(pose, cg_needle_tangent(&needle, 0)));
    cg_rigid_get_part(world, id, 0, &point);
    cg_vec3 first = transform_point(pose, cg_needle_place(&needle, 0));
    *state = (cg_needle_state){.tip = v3_add_scaled(first, point.shape.radius, ahead),
                               .tip_direction = ahead,
                               .end = transform_point(pose, cg_needle_place(&needle, needle.arc)),
                               .end_direction = transform_vector(pose, cg_needle_tangent(&needle, needle.arc)),
                               .centre = pose.position,
                               .axis = transform_vector(pose, v3(0, 1, 0))};
    return true;
}

cg_status cg_rigid_push(cg_world *world, cg_rigid_id id, cg_vec3 force, cg_vec3 point)
{
    cg_rigid *body = find_rigid(world, id);
    if (body == NULL) {
        return bad_handle(id);
    }
    if (!body->is_free) {
        return cg_error(CG_BAD_INPUT, "the body is driven; expected a free one");
    }
    if (!cg_rigid_is_within(force, 1e9) || !cg_rigid_is_within(point, 1e6)) {
        return cg_error(CG_BAD_INPUT, "force or point is not finite, or above 1e9 N or 1e6 m");
    }
    cg_vec3 push = v3_add(body->push, force);
    cg_vec3 moment = v3_add(body->moment, v3_cross(v3_sub(point, body->now.position), force));
    if (!cg_rigid_is_within(push, CG_RIGID_FARTHEST) || !cg_rigid_is_within(moment, CG_RIGID_MOST_MOMENT)) {
        return cg_error(CG_BAD_INPUT, "all pushes of a step together are above %g N", CG_RIGID_FARTHEST);
    }
    body->push = push;
    body->moment = moment;
    return cg_ok();
}

static cg_transform normalised(cg_transform pose)
{
    pose.rotation = quat_normalise(pose.rotation);
    return pose;
}

cg_status cg_rigid_move(cg_world *world, cg_rigid_id id, cg_transform pose)
{
    cg_rigid *body = find_rigid(world, id);
    if (body == NULL) {
        return bad_handle(id);
    }
    if (body->is_led) {
        return refuse_led();
    }
    if (body->is_free) {
        return cg_error(CG_BAD_INPUT, "the body moves freely; expected a driven one");
    }
    cg_status status = cg_shape_check_pose(&pose);
    if (status.code == CG_OK) {
        body->target = cg_rigid_centre_pose(body, normalised(pose));
    }
    return status;
}

cg_status cg_rigid_set_state(cg_world *world, cg_rigid_id id, cg_transform pose, cg_vec3 velocity, cg_vec3 spin)
{
    cg_rigid *body = find_rigid(world, id);
    if (body == NULL) {
        return bad_handle(id);
    }
    if (!body->is_free || !cg_rigid_is_within(velocity, 1e4) || !cg_rigid_is_within(spin, 1e6)) {
        return cg_error(CG_BAD_INPUT, "expected a free body, at most 1e4 m/s and 1e6 rad/s");
    }
    cg_status status = cg_shape_check_pose(&pose);
    if (status.code == CG_OK) {
        cg_world_let_go_of_body(world, body);
        body->start = body->now = body->target = cg_rigid_centre_pose(body, normalised(pose));
        body->velocity = velocity;
        cg_rigid_set_spin(body, spin);
    }
    return status;
}

// Within a step

int cg_world_list_rigids(const cg_world *world, bool free, cg_rigid **list)
{
    int count = 0;
    for (cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        if (r->is_free == free) {
            list[count++] = r;
        }
    }
    return count;
}

cg_rigid_id cg_world_name_rigid(const cg_world *world, const cg_rigid *body)
{
    for (cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        if (r == body) {
            cg_handle handle = cg_pool_handle_of(&world->rigids, r);
            return (cg_rigid_id){handle.index, handle.generation};
        }
    }
    return (cg_rigid_id){0, 0};
}

cg_rigid_id cg_world_rigid_at(const cg_world *world, int place)
{
    if (place < 0 || place >= world->rigids.capacity || !world->rigids.places[place].is_taken) {
        return (cg_rigid_id){0, 0};
    }
    return (cg_rigid_id){(unsigned)place + 1, world->rigids.places[place].generation};
}

void cg_world_move_rigids(cg_world *world, const cg_step_context *context)
{
    for (cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        if (r->is_free) {
            cg_rigid_begin_step(r, context->time_step, context->gravity);
            cg_rigid_respond(r);
            cg_rigid_refuse_bad_move(r);
        }
        r->now = r->target;
    }
}

void cg_world_finish_rigids(cg_world *world)
{
    for (cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        if (r->is_free) {
            world->stats.recovered_steps += r->refused;
            cg_rigid_finish_step(r);
        }
    }
}
