// Needles as arcs: see catgut/needle.h. VTE 2.3.2 has the point by its angle (2.37) and the gimbal angles (2.38).
#include "catgut/needle.h"

#include <math.h>

#include "base/quat.h"
#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"

// Of the diameter: how thick the very tip is taken to be. A point without thickness could not be kept out of anything.
static const double TIP_SHARE = 0.2;

cg_needle cg_needle_default(void)
{
    return (cg_needle){.arc = CG_PI,
                       .radius = 17e-3 / CG_PI,
                       .diameter = 0.6e-3,
                       .point_length = 3.6e-3,
                       .point = CG_POINT_TAPER,
                       .pieces = 16};
}

cg_status cg_needle_check(const cg_needle *needle)
{
    if (!(needle->arc >= 0.1 && needle->arc <= 6)) {
        return cg_error(CG_BAD_INPUT, "the arc of a needle is %g rad; expected 0.1 to 6", needle->arc);
    }
    if (!(needle->radius > 1e-6 && needle->radius <= 1)) {
        return cg_error(CG_BAD_INPUT, "the radius of a needle is %g m; expected 1e-6 to 1", needle->radius);
    }
    if (!(needle->diameter >= 1e-6 && needle->diameter <= needle->radius)) {
        return cg_error(CG_BAD_INPUT, "the diameter of a needle is %g m; expected 1e-6 to its radius, %g",
                        needle->diameter, needle->radius);
    }
    if (!(needle->point_length >= 0 && needle->point_length <= cg_needle_length(needle))) {
        return cg_error(CG_BAD_INPUT, "the point of a needle is %g m long; expected 0 to its length, %g",
                        needle->point_length, cg_needle_length(needle));
    }
    if (needle->pieces < 4 || needle->pieces > CG_RIGID_MOST_PARTS) {
        return cg_error(CG_BAD_INPUT, "a needle has %d pieces; expected 4 to %d", needle->pieces, CG_RIGID_MOST_PARTS);
    }
    return cg_ok();
}

double cg_needle_length(const cg_needle *needle)
{
    return needle->arc * needle->radius;
}

double cg_needle_mass(const cg_needle *needle, double density)
{
    double section = 0.25 * CG_PI * needle->diameter * needle->diameter;
    double cone = (1 + TIP_SHARE + TIP_SHARE * TIP_SHARE) / 3; // of a rod as thick and long
    return density * section * (cg_needle_length(needle) - (1 - cone) * needle->point_length);
}

cg_vec3 cg_needle_place(const cg_needle *needle, double angle)
{
    double sine, cosine;
    cg_sincos(angle, &sine, &cosine);
    return v3(needle->radius * cosine, 0, needle->radius * sine);
}

cg_vec3 cg_needle_tangent(const cg_needle *needle, double angle)
{
    (void)needle; // one circle has the tangents of any other
    double sine, cosine;
    cg_sincos(angle, &sine, &cosine);
    return v3(-sine, 0, cosine);
}

double cg_needle_angle(const cg_needle *needle, cg_vec3 point)
{
    double angle = cg_atan2(point.z, point.x), middle = 0.5 * needle->arc;
    // Counted from the middle of the arc, so that what lies beyond an end is nearest to that end.
    double from_middle = angle - middle;
    from_middle -= from_middle > CG_PI ? 2 * CG_PI : 0;
    from_middle += from_middle < -CG_PI ? 2 * CG_PI : 0;
    return middle + (from_middle > middle ? middle : (from_middle < -middle ? -middle : from_middle));
}

static double radius_at(const cg_needle *needle, double arc_length)
{
    double share = arc_length < needle->point_length ? arc_length / needle->point_length : 1;
    return 0.5 * needle->diameter * (TIP_SHARE + (1 - TIP_SHARE) * share);
}

int cg_needle_parts(const cg_needle *needle, cg_rigid_part parts[CG_RIGID_MOST_PARTS])
{
    double each = needle->arc / needle->pieces, half_sine, half_cosine;
    cg_sincos(0.5 * each, &half_sine, &half_cosine);
    for (int i = 0; i < needle->pieces; i++) {
        double angle = (i + 0.5) * each;
        parts[i].shape = (cg_shape){.kind = CG_SHAPE_CAPSULE,
                                    .radius = radius_at(needle, angle * needle->radius),
                                    .half_length = needle->radius * half_sine / half_cosine};
        parts[i].pose.position = cg_needle_place(needle, angle);
        parts[i].pose.rotation = quat_between(v3(0, 0, 1), cg_needle_tangent(needle, angle));
    }
    return needle->pieces;
}

cg_quat cg_needle_gimbal(double z, double x, double y)
{
    cg_quat about_z = quat_from_axis_angle(v3(0, 0, 1), z), about_x = quat_from_axis_angle(v3(1, 0, 0), x);
    cg_quat about_y = quat_from_axis_angle(v3(0, 1, 0), y);
    return quat_normalise(quat_multiply(about_y, quat_multiply(about_x, about_z)));
}

// R of the top has R[1][2] = -sin x; R[0][2], R[2][2] = cos x (sin y, cos y); R[1][0], R[1][1] = cos x (sin z, cos z).
void cg_needle_gimbal_angles(cg_quat rotation, double angles[3])
{
    const double locked = 1e-12; // cos x so small tells nothing of the other two
    cg_mat3 r = quat_to_mat3(quat_normalise(rotation));
    double sine = -r.m[1][2], cosine = sqrt(r.m[1][0] * r.m[1][0] + r.m[1][1] * r.m[1][1]);
    angles[1] = cg_atan2(sine, cosine);
    if (cosine > locked) {
        angles[0] = cg_atan2(r.m[1][0], r.m[1][1]);
        angles[2] = cg_atan2(r.m[0][2], r.m[2][2]);
    } else {
        angles[0] = 0;
        angles[2] = cg_atan2(-r.m[2][0], r.m[0][0]);
    }
}
