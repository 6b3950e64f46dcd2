// The public calls on rigid shapes.
#include "base/quat.h"
#include "base/status.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "geometry/shape.h"
#include "world/world.h"

cg_shape_def cg_shape_def_default(void)
{
    return (cg_shape_def){.shape = {.kind = CG_SHAPE_HALF_SPACE}, .pose = transform_identity(), .friction = 0.2};
}

static cg_status check_def(const cg_shape_def *def)
{
    cg_status status = cg_shape_check(&def->shape);
    if (status.code == CG_OK && !(def->friction >= 0 && def->friction <= 100)) {
        return cg_error(CG_BAD_INPUT, "friction is %g; expected 0 or more", def->friction);
    }
    return status.code == CG_OK ? cg_shape_check_pose(&def->pose) : status;
}

static cg_rigid *find_shape(const cg_world *world, cg_shape_id id)
{
    return cg_pool_get(&world->shapes, (cg_handle){id.index, id.generation});
}

static cg_status bad_handle(cg_shape_id id)
{
    return cg_error(CG_BAD_HANDLE, "shape id (%u, %u) names no shape of this world", id.index, id.generation);
}

static cg_transform normalised(cg_transform pose)
{
    pose.rotation = quat_normalise(pose.rotation);
    return pose;
}

static bool is_in_tissue(const cg_mesh *mesh, cg_vec3 place)
{
    double ignored[4];
    bool is_in = false;
    for (int cell = 0; cell < mesh->cell_count && !is_in; cell++) {
        is_in = cg_mesh_is_in_cell(mesh, cell, place, ignored);
    }
    return is_in;
}

static bool surface_is_within(const cg_mesh *mesh, const cg_shape *shape, const cg_transform *pose, double distance)
{
    bool is_within = false;
    for (int t = 0; t < mesh->triangle_count && !is_within; t++) {
        const int *n = mesh->triangles[t].nodes;
        const cg_vec3 corners[3] = {mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]]};
        is_within = cg_shape_distance_triangle(shape, pose, corners).nearest.distance <= distance;
    }
    return is_within;
}

bool cg_world_tissue_meets(const cg_world *world, const cg_shape *shape, const cg_transform *pose, double thicknesses)
{
    bool meets = false, has_middle = shape->kind != CG_SHAPE_HALF_SPACE;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL && !meets; s = cg_world_next_tissue(world, s)) {
        double thickness = s->surface != NULL ? s->surface->thickness : 0;
        meets = surface_is_within(s->tissue->mesh, shape, pose, thicknesses * thickness) ||
                (has_middle && is_in_tissue(s->tissue->mesh, pose->position));
    }
    return meets;
}

cg_status cg_world_add_shape(cg_world *world, const cg_shape_def *def, cg_shape_id *id)
{
    *id = (cg_shape_id){0, 0};
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    cg_handle handle;
    cg_rigid *shape = cg_pool_take(&world->shapes, &handle);
    if (shape == NULL) {
        return cg_error(CG_FULL, "the world already has its %d shapes", world->def.max_shapes);
    }
    cg_transform pose = normalised(def->pose);
    *shape = (cg_rigid){
        .shape = def->shape, .friction = def->friction, .start = pose, .now = pose, .target = pose, .told = pose};
    *id = (cg_shape_id){handle.index, handle.generation};
    cg_world_forget_presses(world);
    return cg_world_fit_touches(world);
}

cg_status cg_world_remove_shape(cg_world *world, cg_shape_id id)
{
    if (!cg_pool_give(&world->shapes, (cg_handle){id.index, id.generation})) {
        return bad_handle(id);
    }
    cg_world_forget_presses(world);
    return cg_world_fit_touches(world);
}

bool cg_shape_is_valid(const cg_world *world, cg_shape_id id)
{
    return find_shape(world, id) != NULL;
}

cg_status cg_shape_move(cg_world *world, cg_shape_id id, cg_transform pose)
{
    cg_rigid *shape = find_shape(world, id);
    if (shape == NULL) {
        return bad_handle(id);
    }
    cg_status status = cg_shape_check_pose(&pose);
    if (status.code == CG_OK) {
        shape->told = normalised(pose);
        // Without contacts nothing is in its way.
        bool is_free = world->touch_memory == NULL && !cg_world_has_presses(world);
        shape->now = is_free ? shape->told : shape->now;
    }
    return status;
}

bool cg_shape_get(const cg_world *world, cg_shape_id id, cg_shape *out)
{
    const cg_rigid *shape = find_shape(world, id);
    if (shape == NULL) {
        return false;
    }
    *out = shape->shape;
    return true;
}

cg_transform cg_shape_get_pose(const cg_world *world, cg_shape_id id)
{
    const cg_rigid *shape = find_shape(world, id);
    return shape != NULL ? shape->now : transform_identity();
}

cg_status cg_shape_get_load(const cg_world *world, cg_shape_id id, cg_vec3 *force, cg_vec3 *torque)
{
    const cg_rigid *shape = find_shape(world, id);
    if (shape == NULL) {
        return bad_handle(id);
    }
    if (force != NULL) {
        *force = shape->force;
    }
    if (torque != NULL) {
        *torque = shape->torque;
    }
    return cg_ok();
}

// Within a step

void cg_world_aim_shapes(cg_world *world)
{
    for (cg_rigid *s = cg_pool_first(&world->shapes); s != NULL; s = cg_pool_next(&world->shapes, s)) {
        s->target = s->told;
    }
}

int cg_world_list_shapes(const cg_world *world, cg_rigid **list)
{
    int count = 0;
    for (cg_rigid *s = cg_pool_first(&world->shapes); s != NULL; s = cg_pool_next(&world->shapes, s)) {
        list[count++] = s;
    }
    return count;
}

bool cg_world_name_shape(const cg_world *world, int number, cg_shape_id *shape)
{
    *shape = (cg_shape_id){0, 0};
    for (cg_rigid *s = cg_pool_first(&world->shapes); s != NULL; s = cg_pool_next(&world->shapes, s)) {
        if (number-- == 0) {
            cg_handle handle = cg_pool_handle_of(&world->shapes, s);
            *shape = (cg_shape_id){handle.index, handle.generation};
            return true;
        }
    }
    return false;
}
