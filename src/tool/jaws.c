#include "tool/jaws.h"

#include <math.h>

#include "geometry/shape.h"

// [m] A jaw that presses on something is drawn so far beyond where it is told to be closed. Less makes the force of a
// half closed tool rise more steeply; more, and fine things need several steps of pressing.
static const double TRAVEL = 0.2e-3;
// [kg] of each jaw, for the opening alone: the hand has the mass of the whole tool.
static const double JAW_MASS = 2e-3;
// [1/s] How fast the opening that is told goes to its goal, in whole openings.
static const double FASTEST = 10;
// A ratchet holds from 0 until it is told to open by more than this.
static const double RELEASE = 0.5;
// [m] How far before the tips the arms end.
static const double TIP = 0.5e-3;
// [N] Of grips of 0, so that jaws still go where they are told.
static const double LEAST_FORCE = 1e-3;

static const cg_jaws_shape GRASPER = {.length = 12e-3,
                                      .width = 3e-3,
                                      .rail = 0.35e-3,
                                      .thickness = 1.4e-3,
                                      .hinge = 16e-3,
                                      .opening = 8e-3,
                                      .shaft_radius = 2.5e-3,
                                      .shaft_length = 80e-3};
static const cg_jaws_shape NEEDLE_DRIVER = {.length = 8e-3,
                                            .width = 2.5e-3,
                                            .rail = 0.25e-3,
                                            .thickness = 1.4e-3,
                                            .hinge = 14e-3,
                                            .opening = 6e-3,
                                            .shaft_radius = 2.5e-3,
                                            .shaft_length = 80e-3,
                                            .has_ratchet = true};
static const cg_jaws_shape FORCEPS = {.length = 8e-3,
                                      .width = 1.6e-3,
                                      .rail = 0.25e-3,
                                      .thickness = 0.8e-3,
                                      .hinge = 70e-3,
                                      .opening = 8e-3,
                                      .shaft_radius = 2e-3,
                                      .shaft_length = 20e-3};
static const cg_jaws_shape SCISSORS = {.length = 14e-3,
                                       .width = 0.6e-3,
                                       .rail = 0.3e-3,
                                       .thickness = 1.6e-3,
                                       .aside = 0.3e-3,
                                       .overlap = 0.8e-3,
                                       .hinge = 12e-3,
                                       .opening = 8e-3,
                                       .shaft_radius = 2e-3,
                                       .shaft_length = 80e-3};

const cg_jaws_shape *cg_jaws_shape_of(cg_hand_tool tool, cg_hand_grasp grasp)
{
    switch (tool) {
    case CG_TOOL_GRASPER:
        return grasp == CG_GRASP_JAWS ? &GRASPER : NULL;
    case CG_TOOL_NEEDLE_DRIVER:
        return &NEEDLE_DRIVER;
    case CG_TOOL_FORCEPS:
        return &FORCEPS;
    case CG_TOOL_SCISSORS:
        return &SCISSORS;
    case CG_TOOL_PROBE:
    case CG_TOOL_SCALPEL:
    case CG_TOOL_HOOK:
    case CG_TOOL_SUTURE_PASSER:
    case CG_TOOL_COUNT:
        break;
    }
    return NULL;
}

// Of the opening of the drive: metres at the middle of the jaws, by how much it takes for one.
static double lever_of(const cg_jaws_shape *shape)
{
    return shape->hinge > 0 ? shape->hinge : 1.0;
}

// A rod along z.
static cg_rigid_part rod_part(double radius, double from, double to)
{
    double half = to - from > 2 * radius ? 0.5 * (to - from) - radius : 0;
    cg_rigid_part part = {{.kind = CG_SHAPE_CAPSULE, .radius = radius, .half_length = half}, transform_identity()};
    part.pose.position.z = 0.5 * (from + to);
    return part;
}

void cg_jaws_make_body(cg_jaws *jaws, int number, cg_rigid_part *parts, int count, double friction)
{
    cg_rigid *body = &jaws->bodies[number];
    *body = (cg_rigid){.parts = parts, .part_count = count, .friction = friction, .is_free = true};
    body->mass = JAW_MASS;
    body->inertia = body->inverse_inertia = m3_identity(); // its drive moves it, these do not
    for (int i = 0; i < count; i++) {
        body->reach = fmax(body->reach, v3_length(parts[i].pose.position) + cg_shape_size(&parts[i].shape));
    }
    body->drive = &jaws->drive;
    jaws->drive.bodies[number] = body;
}

// A rod along z at a place across it.
static cg_rigid_part rod_at(double x, double y, double radius, double from, double to)
{
    cg_rigid_part part = rod_part(radius, from, to);
    part.pose.position.x = x;
    part.pose.position.y = y;
    return part;
}

// Rails and arm, in the axes of the frame when it is closed.
static void make_jaw(cg_jaws *jaws, int number, double friction)
{
    const cg_jaws_shape *shape = jaws->shape;
    cg_rigid_part *parts = &jaws->parts[1 + 3 * (number - 1)];
    double side = number == 1 ? -1 : 1, r = shape->rail, thick = 0.5 * shape->thickness, half = 0.5 * shape->length;
    bool is_blade = shape->aside > 0;
    double across = is_blade ? 0 : 0.5 * shape->width - r, behind = is_blade ? shape->thickness - r : r;
    double back = shape->hinge > half ? shape->hinge : half, over = shape->overlap;
    double rails =
        is_blade ? half : back; // without a shoulder that would catch a turn of thread on its way to the tips
    parts[0] = rod_at(-across, side * (r - over), r, -half, rails);
    parts[1] = rod_at(across, side * (behind - over), r, -half, rails);
    parts[2] = rod_at(0, side * (thick - over), thick < r || is_blade ? r : thick, is_blade ? half : TIP - half, back);
    jaws->drive.closed[number] = (cg_transform){v3(side * shape->aside, 0, 0), quat_identity()};
    cg_jaws_make_body(jaws, number, parts, 3, friction);
}

void cg_jaws_make(cg_jaws *jaws, const cg_jaws_shape *shape, const cg_hand_def *def, cg_transform frame)
{
    *jaws = (cg_jaws){.shape = shape, .goal = 1, .told = 1, .force = def->grip};
    double begin = shape->hinge > 0 ? shape->hinge : 0.5 * shape->length;
    jaws->parts[0] = rod_part(shape->shaft_radius, 0, shape->shaft_length);
    jaws->parts[0].pose.position = v3_zero();
    jaws->drive.closed[0] = (cg_transform){v3(0, 0, begin + 0.5 * shape->shaft_length), quat_identity()};
    cg_jaws_make_body(jaws, 0, &jaws->parts[0], 1, def->rod_friction);
    make_jaw(jaws, 1, def->jaw_friction);
    make_jaw(jaws, 2, def->jaw_friction);
    jaws->drive.count = CG_DRIVE_BODIES;
    jaws->drive.is_hinged = shape->hinge > 0;
    // About x, what lies before the hinge goes to +y when it turns to the other side.
    jaws->drive.axis = jaws->drive.is_hinged ? v3(1, 0, 0) : v3(0, 1, 0);
    jaws->drive.hinge = v3(0, 0, shape->hinge);
    cg_drive_put(&jaws->drive, frame, shape->opening / lever_of(shape));
}

void cg_jaws_make_rod(cg_jaws *jaws, const cg_hand_def *def, cg_transform frame)
{
    double radius = def->rod_radius, length = def->rod_length;
    *jaws = (cg_jaws){0};
    cg_shape rod = {.kind = CG_SHAPE_CAPSULE, .radius = radius, .half_length = 0.5 * length};
    cg_shape ball = {.kind = CG_SHAPE_SPHERE, .radius = radius};
    jaws->parts[0] = (cg_rigid_part){length > 0 ? rod : ball, transform_identity()};
    jaws->drive.closed[0] = (cg_transform){v3(0, 0, radius + 0.5 * length), quat_identity()};
    cg_jaws_make_body(jaws, 0, &jaws->parts[0], 1, def->rod_friction);
    jaws->drive.count = 1;
    jaws->drive.axis = v3(0, 1, 0);
    cg_drive_put(&jaws->drive, frame, 0);
}

void cg_jaws_set(cg_jaws *jaws, double opening, double force)
{
    jaws->goal = opening;
    jaws->force = force;
}

double cg_jaws_opening(const cg_jaws *jaws)
{
    return cg_drive_opening(&jaws->drive) * lever_of(jaws->shape) / jaws->shape->opening;
}

static void go_on(cg_jaws *jaws, double time_step)
{
    double most = FASTEST * time_step, way = jaws->goal - jaws->told;
    jaws->told = fabs(way) <= most ? jaws->goal : jaws->told + (way > 0 ? most : -most);
    jaws->is_latched = jaws->shape->has_ratchet && (jaws->is_latched ? jaws->goal <= RELEASE : jaws->told <= 0);
}

// [m] Where the jaws are drawn to.
static double wanted_opening(const cg_jaws *jaws)
{
    double told = jaws->is_latched ? 0 : jaws->told;
    bool presses = jaws->felt[0] > 0 && jaws->felt[1] > 0;
    return told * jaws->shape->opening - (presses ? (1 - told) * TRAVEL : 0);
}

// Spring, damper and mass of the opening, as hand_step.c has them of a hand.
void cg_jaws_lead(cg_jaws *jaws, double h)
{
    if (jaws->shape == NULL) {
        return;
    }
    go_on(jaws, h);
    double lever = lever_of(jaws->shape), square = lever * lever;
    double force = jaws->force > LEAST_FORCE ? jaws->force : LEAST_FORCE;
    double stiffness = force / TRAVEL, damping = 2 * sqrt(stiffness * JAW_MASS);
    double stretch = wanted_opening(jaws) / lever - cg_drive_opening(&jaws->drive) - h * jaws->speed;
    double pull = square * (stiffness * stretch - damping * jaws->speed);
    double share = fabs(pull) > force * lever ? force * lever / fabs(pull) : 1;
    double firm = square * (0.5 * JAW_MASS / (h * h) + share * (stiffness + damping / h));
    jaws->drive.open = (cg_lead){.coast = h * jaws->speed, .pull = share * pull, .give = 1 / firm};
}

void cg_jaws_feel(cg_jaws *jaws, double time_step)
{
    if (jaws->shape == NULL) {
        return;
    }
    double lever = lever_of(jaws->shape), opening = cg_drive_opening(&jaws->drive);
    jaws->speed = jaws->bodies[0].refused ? 0 : (opening - jaws->drive.start_opening) / time_step;
    for (int side = 0; side < 2; side++) {
        jaws->felt[side] = jaws->drive.sides[side] / lever;
    }
}

void cg_jaws_visit_state(cg_archive *archive, cg_jaws *jaws, int bodies, bool has_jaws)
{
    for (int k = 0; k < bodies; k++) {
        cg_archive_vec3(archive, &jaws->bodies[k].now.position);
        cg_archive_quat(archive, &jaws->bodies[k].now.rotation);
    }
    if (!has_jaws) {
        return;
    }
    double *numbers[] = {&jaws->goal, &jaws->told, &jaws->force, &jaws->speed, &jaws->felt[0], &jaws->felt[1]};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        cg_archive_double(archive, numbers[i]);
    }
    cg_archive_bool(archive, &jaws->is_latched);
}

bool cg_jaws_are_sound(const cg_jaws *jaws)
{
    bool sound = jaws->goal >= 0 && jaws->goal <= 1 && jaws->told >= 0 && jaws->told <= 1;
    sound = sound && jaws->force >= 0 && jaws->force <= 1e6 && fabs(jaws->speed) <= CG_RIGID_FASTEST;
    sound = sound && isfinite(jaws->felt[0]) && isfinite(jaws->felt[1]);
    for (int k = 0; k < jaws->drive.count; k++) {
        cg_quat turn = jaws->bodies[k].now.rotation;
        sound = sound && cg_rigid_is_within(jaws->bodies[k].now.position, CG_RIGID_FARTHEST) &&
                fabs(quat_dot(turn, turn) - 1) < 1e-9;
    }
    return sound;
}

int cg_tool_get_parts(cg_hand_tool tool, cg_hand_grasp grasp, cg_transform pose, double opening,
                      cg_rigid_part parts[CG_TOOL_MOST_PARTS], int numbers[CG_TOOL_MOST_PARTS])
{
    const cg_jaws_shape *shape = cg_jaws_shape_of(tool, grasp);
    cg_hand_def def = {0};
    cg_jaws jaws;
    int count = 0;
    if (shape == NULL) {
        return 0;
    }
    cg_jaws_make(&jaws, shape, &def, pose);
    cg_drive_put(&jaws.drive, pose, opening * shape->opening / lever_of(shape));
    for (int k = 0; k < CG_DRIVE_BODIES; k++) {
        const cg_rigid *body = &jaws.bodies[k];
        for (int i = 0; i < body->part_count; i++) {
            parts[count] = body->parts[i];
            parts[count].pose = transform_compose(body->now, body->parts[i].pose);
            numbers[count++] = k;
        }
    }
    return count;
}
