#include "rigid/rigid.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "geometry/shape.h"

cg_rigid_def cg_rigid_def_default(void)
{
    return (cg_rigid_def){.mass = 1e-3, .pose = transform_identity(), .friction = 0.2};
}

static cg_status check_part(const cg_rigid_part *part)
{
    if (part->shape.kind == CG_SHAPE_HALF_SPACE) {
        return cg_error(CG_BAD_INPUT, "a half space is no part of a body");
    }
    cg_status status = cg_shape_check(&part->shape);
    return status.code == CG_OK ? cg_shape_check_pose(&part->pose) : status;
}

static cg_status check_def(const cg_rigid_def *def)
{
    if (def->part_count < 1 || def->part_count > CG_RIGID_MOST_PARTS || def->parts == NULL) {
        return cg_error(CG_BAD_INPUT, "part_count is %d; expected 1 to %d", def->part_count, CG_RIGID_MOST_PARTS);
    }
    for (int i = 0; i < def->part_count; i++) {
        cg_status status = check_part(&def->parts[i]);
        if (status.code != CG_OK) {
            return status;
        }
    }
    if (def->motion != CG_RIGID_FREE && def->motion != CG_RIGID_DRIVEN) {
        return cg_error(CG_BAD_INPUT, "motion is %d; expected a cg_rigid_motion", (int)def->motion);
    }
    if (!(def->mass >= 1e-9 && def->mass <= 1e6)) {
        return cg_error(CG_BAD_INPUT, "mass is %g kg; expected 1e-9 to 1e6", def->mass);
    }
    if (!cg_rigid_is_within(def->velocity, 1e4) || !cg_rigid_is_within(def->spin, 1e6)) {
        return cg_error(CG_BAD_INPUT, "velocity or spin of a body is not finite, or above 1e4 m/s or 1e6 rad/s");
    }
    if (!(def->friction >= 0 && def->friction <= 100)) {
        return cg_error(CG_BAD_INPUT, "friction is %g; expected 0 or more", def->friction);
    }
    return cg_shape_check_pose(&def->pose);
}

static void copy_parts(cg_rigid *body, const cg_rigid_def *def)
{
    for (int i = 0; i < body->part_count; i++) {
        body->parts[i] = def->parts[i];
        body->parts[i].pose.rotation = quat_normalise(def->parts[i].pose.rotation);
    }
}

// Parts are counted from the centre of mass.
static void shift_parts(cg_rigid *body)
{
    for (int i = 0; i < body->part_count; i++) {
        cg_rigid_part *part = &body->parts[i];
        part->pose.position = v3_sub(part->pose.position, body->centre);
        double far = v3_length(part->pose.position) + cg_shape_size(&part->shape);
        body->reach = far > body->reach ? far : body->reach;
    }
}

static cg_status weigh(cg_rigid *body, double kilograms)
{
    cg_rigid_mass mass = cg_rigid_mass_of(body->parts, body->part_count, kilograms);
    body->mass = kilograms;
    body->centre = mass.centre;
    body->inertia = mass.inertia;
    if (!(mass.volume > 0) || !m3_invert(mass.inertia, &body->inverse_inertia)) {
        return cg_error(CG_BAD_INPUT, "the parts of a body are too small, or too far apart, to tell its inertia");
    }
    return cg_ok();
}

static cg_status init(cg_rigid *body, const cg_rigid_def *def, const cg_allocator *allocator)
{
    *body = (cg_rigid){.allocator = *allocator};
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    body->parts = cg_memory_take(allocator, (size_t)def->part_count * sizeof *body->parts);
    if (body->parts == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a body of %d parts", def->part_count);
    }
    body->part_count = def->part_count;
    copy_parts(body, def);
    status = weigh(body, def->mass);
    if (status.code != CG_OK) {
        cg_rigid_clear(body);
        return status;
    }
    shift_parts(body);
    cg_transform made = {def->pose.position, quat_normalise(def->pose.rotation)};
    body->start = body->now = body->target = cg_rigid_centre_pose(body, made);
    body->friction = def->friction;
    body->is_free = def->motion == CG_RIGID_FREE;
    body->velocity = body->is_free ? def->velocity : v3_zero();
    cg_rigid_set_spin(body, body->is_free ? def->spin : v3_zero());
    return cg_ok();
}

cg_status cg_rigid_init(cg_rigid *body, const cg_rigid_def *def, const cg_allocator *allocator)
{
    if (def->needle == NULL) {
        return init(body, def, allocator);
    }
    cg_rigid_part parts[CG_RIGID_MOST_PARTS];
    cg_rigid_def made = *def;
    cg_status status = cg_needle_check(def->needle);
    if (status.code == CG_OK && def->parts != NULL) {
        status = cg_error(CG_BAD_INPUT, "a body is a needle or has parts; found both");
    }
    if (status.code == CG_OK) {
        made.parts = parts;
        made.part_count = cg_needle_parts(def->needle, parts);
        status = init(body, &made, allocator);
    }
    if (status.code == CG_OK) {
        body->is_needle = true;
        body->needle = *def->needle;
    }
    return status;
}

void cg_rigid_clear(cg_rigid *body)
{
    cg_memory_give(&body->allocator, body->parts);
    body->parts = NULL;
}

static cg_vec3 turned(const cg_mat3 *matrix, cg_quat rotation, cg_vec3 v)
{
    return quat_rotate(rotation, m3_apply(*matrix, quat_rotate_back(rotation, v)));
}

cg_vec3 cg_rigid_spin(const cg_rigid *body)
{
    return turned(&body->inverse_inertia, body->now.rotation, body->momentum);
}

void cg_rigid_set_spin(cg_rigid *body, cg_vec3 spin)
{
    body->momentum = turned(&body->inertia, body->now.rotation, spin);
}

double cg_rigid_kinetic_energy(const cg_rigid *body)
{
    return 0.5 * (body->mass * v3_dot(body->velocity, body->velocity) + v3_dot(body->momentum, cg_rigid_spin(body)));
}

static void visit_pose(cg_archive *archive, cg_transform *pose)
{
    cg_archive_vec3(archive, &pose->position);
    cg_archive_quat(archive, &pose->rotation);
}

void cg_rigid_visit_state(cg_archive *archive, cg_rigid *body)
{
    cg_archive_count(archive, body->is_free, "bodies that move freely, of this one");
    visit_pose(archive, &body->now);
    if (body->is_free) {
        cg_archive_vec3(archive, &body->velocity);
        cg_archive_vec3(archive, &body->momentum);
        cg_archive_vec3(archive, &body->push);
        cg_archive_vec3(archive, &body->moment);
    } else {
        visit_pose(archive, &body->target);
    }
}

static bool is_pose(const cg_transform *pose)
{
    return cg_rigid_is_within(pose->position, CG_RIGID_FARTHEST) &&
           fabs(quat_dot(pose->rotation, pose->rotation) - 1) < 1e-9;
}

bool cg_rigid_is_sound(const cg_rigid *body)
{
    return is_pose(&body->now) && is_pose(&body->target) && cg_rigid_is_within(body->velocity, CG_RIGID_FASTEST) &&
           cg_rigid_is_within(body->momentum, CG_RIGID_MOST_MOMENT) &&
           cg_rigid_is_within(body->push, CG_RIGID_FARTHEST) && cg_rigid_is_within(body->moment, CG_RIGID_MOST_MOMENT);
}
