#include "tool/solid.h"

#include <math.h>

#include "base/transform.h"

// Rods of a blade.
enum { BLADE_RODS = 4 };
// [radii] How far each rod of a blade begins behind the one before it: that makes a point.
static const double SLANT = 1.5;
// [edges] No rod of a blade is thinner: its axis is cut into a bounded number of pieces (collide/rod_chains.h).
static const double THINNEST = 0.01;
// [edges] Where the neck of a scalpel ends and its handle begins.
static const double NECK = 1.4;
// [m] Handles.
static const double HANDLE_RADIUS = 1.5e-3, HANDLE_LENGTH = 80e-3;
// [m] The wire of a hook is 0.8 of what it burns, and within these; never thicker than this share of its foot.
static const double WIRE = 0.8, THINNEST_WIRE = 0.25e-3, THICKEST_WIRE = 1.2e-3, MOST_WIRE = 0.25;
// [feet] The corners of a hook: end of the foot, heel, and where the shaft begins.
static const cg_vec3 FOOT = {-1, 0, 0}, HEEL = {-1.375, 0, 0.54}, TOP = {-0.5, 0, 3.33};

bool cg_tool_is_solid(cg_hand_tool tool, const cg_hand_def *def)
{
    return (tool == CG_TOOL_SCALPEL && def->blade_width > 0) || (tool == CG_TOOL_HOOK && def->hook_length > 0);
}

cg_quat cg_solid_blade_turn(const cg_hand_def *def)
{
    return quat_between(v3(0, 0, 1), v3_unit_or(def->edge, v3(0, 0, 1)));
}

// A rod whose axis goes from one point to another.
static cg_rigid_part rod_between(cg_vec3 from, cg_vec3 to, double radius)
{
    cg_vec3 way = v3_sub(to, from);
    double half = 0.5 * v3_length(way);
    return (cg_rigid_part){{.kind = CG_SHAPE_CAPSULE, .radius = radius, .half_length = half},
                           {v3_add_scaled(from, 0.5, way), quat_between(v3(0, 0, 1), v3_unit_or(way, v3(0, 0, 1)))}};
}

// The same along z from one end of it all to the other.
static cg_rigid_part rod_along(double x, double from, double to, double radius)
{
    double middle = 0.5 * (from + to), half = fmax(0.5 * (to - from) - radius, 0);
    return rod_between(v3(x, 0, middle - half), v3(x, 0, middle + half), radius);
}

// One body, of parts that are given in axes turned by `turn` from the frame; it is described about `middle` of them.
static void add_body(cg_jaws *solid, int number, int first, int count, cg_vec3 middle, cg_quat turn, double friction)
{
    for (int i = first; i < first + count; i++) {
        solid->parts[i].pose.position = v3_sub(solid->parts[i].pose.position, middle);
    }
    solid->drive.closed[number] = (cg_transform){quat_rotate(turn, middle), turn};
    cg_jaws_make_body(solid, number, &solid->parts[first], count, friction);
}

static void make_scalpel(cg_jaws *solid, const cg_hand_def *def)
{
    double length = v3_length(def->edge), r = fmax(0.5 * def->blade_width / BLADE_RODS, THINNEST * length);
    double middle = -BLADE_RODS * r, neck = NECK * length;
    cg_quat turn = cg_solid_blade_turn(def);
    cg_rigid_part *parts = solid->parts;
    for (int k = 0; k < BLADE_RODS; k++) {
        parts[k] = rod_along(-(2 * k + 1) * r, fmin(SLANT * r * k, 0.5 * length), length, r);
    }
    parts[BLADE_RODS] = rod_along(middle, length, fmax(neck, length + 4 * r), 2 * r);
    parts[BLADE_RODS + 1] = rod_along(middle, neck, neck + HANDLE_LENGTH, HANDLE_RADIUS);
    add_body(solid, CG_SOLID_WORKING, 0, BLADE_RODS, v3(middle, 0, 0.5 * length), turn, def->rod_friction);
    add_body(solid, CG_SOLID_NECK, BLADE_RODS, 1, parts[BLADE_RODS].pose.position, turn, def->rod_friction);
    add_body(solid, CG_SOLID_HANDLE, BLADE_RODS + 1, 1, parts[BLADE_RODS + 1].pose.position, turn, def->rod_friction);
}

static void make_hook(cg_jaws *solid, const cg_hand_def *def)
{
    double s = def->hook_length;
    double wire = fmin(fmin(fmax(WIRE * def->hook_radius, THINNEST_WIRE), THICKEST_WIRE), MOST_WIRE * s);
    cg_vec3 foot = v3_scale(s, FOOT), heel = v3_scale(s, HEEL), top = v3_scale(s, TOP);
    cg_rigid_part *parts = solid->parts;
    parts[0] = rod_between(v3_zero(), foot, wire);
    parts[1] = rod_between(foot, heel, wire);
    parts[2] = rod_between(heel, top, wire);
    parts[3] = rod_along(top.x, top.z, top.z + HANDLE_LENGTH, HANDLE_RADIUS);
    add_body(solid, CG_SOLID_WORKING, 0, 1, parts[0].pose.position, quat_identity(), def->rod_friction);
    add_body(solid, CG_SOLID_NECK, 1, 2, parts[2].pose.position, quat_identity(), def->rod_friction);
    add_body(solid, CG_SOLID_HANDLE, 3, 1, parts[3].pose.position, quat_identity(), def->rod_friction);
}

void cg_solid_make(cg_jaws *solid, cg_hand_tool tool, const cg_hand_def *def, cg_transform frame)
{
    *solid = (cg_jaws){0};
    solid->drive.axis = v3(0, 1, 0);
    if (tool == CG_TOOL_SCALPEL) {
        make_scalpel(solid, def);
    } else {
        make_hook(solid, def);
    }
    solid->drive.count = CG_DRIVE_BODIES;
    cg_drive_put(&solid->drive, frame, 0);
}
