// Mass, centre and inertia of a row of parts of even density.
#include "base/trig.h"
#include "rigid/rigid.h"

// One part about its own centre, for density 1.
typedef struct part_mass {
    double volume;
    cg_vec3 moments; // about its own axes
} part_mass;

static part_mass mass_of_sphere(double r)
{
    double volume = 4.0 / 3.0 * CG_PI * r * r * r, moment = 0.4 * volume * r * r;
    return (part_mass){volume, {moment, moment, moment}};
}

// A cylinder, and two half spheres at its ends; l is its whole length.
static part_mass mass_of_capsule(double r, double l)
{
    double cylinder = CG_PI * r * r * l, caps = 4.0 / 3.0 * CG_PI * r * r * r;
    double along = cylinder * 0.5 * r * r + caps * 0.4 * r * r;
    double across = cylinder * (l * l / 12 + 0.25 * r * r) + caps * (0.4 * r * r + 0.25 * l * l + 3.0 / 8.0 * l * r);
    return (part_mass){cylinder + caps, {across, across, along}};
}

static part_mass mass_of_box(cg_vec3 h)
{
    double volume = 8 * h.x * h.y * h.z, third = volume / 3;
    return (part_mass){
        volume, {third * (h.y * h.y + h.z * h.z), third * (h.z * h.z + h.x * h.x), third * (h.x * h.x + h.y * h.y)}};
}

static part_mass mass_of_shape(const cg_shape *shape)
{
    switch (shape->kind) {
    case CG_SHAPE_SPHERE:
        return mass_of_sphere(shape->radius);
    case CG_SHAPE_CAPSULE:
        return mass_of_capsule(shape->radius, 2 * shape->half_length);
    case CG_SHAPE_BOX:
        return mass_of_box(shape->half_extents);
    case CG_SHAPE_HALF_SPACE:
        break;
    }
    return (part_mass){0, {0, 0, 0}};
}

// The same moments seen from other axes, about a point from which the part is `away`.
static cg_mat3 seen_from(const part_mass *part, cg_quat rotation, cg_vec3 away)
{
    cg_mat3 turn = quat_to_mat3(rotation);
    cg_mat3 own = m3_diagonal(part->moments.x, part->moments.y, part->moments.z);
    own = m3_multiply(m3_multiply(turn, own), m3_transpose(turn));
    double square = v3_dot(away, away);
    cg_mat3 shifted = m3_sub(m3_diagonal(square, square, square), m3_outer(away, away));
    return m3_add(own, m3_scale(part->volume, shifted));
}

cg_rigid_mass cg_rigid_mass_of(const cg_rigid_part *parts, int count, double mass)
{
    cg_rigid_mass sum = {0};
    for (int i = 0; i < count; i++) {
        double volume = mass_of_shape(&parts[i].shape).volume;
        sum.volume += volume;
        sum.centre = v3_add_scaled(sum.centre, volume, parts[i].pose.position);
    }
    sum.centre = v3_scale(1 / sum.volume, sum.centre);
    for (int i = 0; i < count; i++) {
        part_mass part = mass_of_shape(&parts[i].shape);
        cg_vec3 away = v3_sub(parts[i].pose.position, sum.centre);
        sum.inertia = m3_add(sum.inertia, seen_from(&part, parts[i].pose.rotation, away));
    }
    sum.inertia = m3_scale(mass / sum.volume, sum.inertia);
    return sum;
}
