// A needle is picked up from a table or a pad of tissue at some point of its arc, lifted, turned, handed to the other
// driver and put down: by jaws and friction alone. Needle, place, turn, grip and friction are drawn from a seed.
#include <math.h>
#include <stdint.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_handover = {
    .name = "handover",
    .summary = "needles are picked up, turned, handed to the other driver and put down, by friction alone",
    .source = "needles of 1/4 to 5/8 of a circle, frictions 0.1 to 0.4, drawn from a seed",
    .run = run,
};

enum { PIECES = 16 };
static const double PI = 3.14159265358979323846;
static const double RADIUS = 0.3e-3;                     // [m] of the needle
static const double TO_TIP = 3.7e-3;                     // [m] from the needle to the middle of the jaws
static const double GENTLE = 1;                          // [N] with which the second driver takes it
static const double TILT = 0.45;                         // [rad] of each driver away from the other
static const double ARCS[4] = {0.25, 0.375, 0.5, 0.625}; // of a circle

// What it lies on.
typedef struct ground {
    const char *name;
    double young;  // [Pa] of a pad; 0: a table
    uint64_t seed; // of the first variation
    int count;     // of variations, and of those that are asked for with --thorough
    int most;
} ground;

static const ground GROUNDS[] = {
    {"table", 0, 1, 8, 200}, {"pad of 100 kPa", 100e3, 3001, 2, 20}, {"pad of 400 kPa", 400e3, 4001, 2, 20}};

typedef struct rig {
    uint64_t random;
    cg_world *world;
    cg_rigid_id needle;
    cg_hand_id hands[2];
    double arc, length, friction;
    double shares[2]; // of the arc, where each hand takes it
} rig;

static double draw(rig *r, double low, double high)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(r->random >> 11) * 0x1p-53;
}

static cg_quat about(cg_vec3 axis, double angle)
{
    double sine = sin(0.5 * angle);
    return (cg_quat){sine * axis.x, sine * axis.y, sine * axis.z, cos(0.5 * angle)};
}

// From axes of unit length.
static cg_quat quat_of(cg_vec3 x, cg_vec3 y, cg_vec3 z)
{
    double trace = x.x + y.y + z.z;
    cg_quat q = {y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace};
    if (trace < -0.5) { // about an axis that lies where x, y or z is turned over least
        q = x.x > y.y && x.x > z.z ? (cg_quat){1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y}
            : y.y > z.z            ? (cg_quat){x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y, z.x - x.z}
                                   : (cg_quat){z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y, x.y - y.x};
    }
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (cg_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

static cg_vec3 turned(cg_quat q, cg_vec3 v)
{
    cg_vec3 axis = vec(q.x, q.y, q.z), once = vec_scale(2, vec_cross(axis, v));
    return vec_add(vec_add(v, vec_scale(q.w, once)), vec_cross(axis, once));
}

// A row of capsules about the origin, flat on the table, from x on towards y.
static void lay_arc(cg_rigid_part parts[PIECES], double radius, double angle)
{
    for (int i = 0; i < PIECES; i++) {
        double at = angle * (i + 0.5) / PIECES, half = radius * tan(0.5 * angle / PIECES);
        cg_vec3 along = vec(-sin(at), cos(at), 0);
        parts[i] = (cg_rigid_part){
            {.kind = CG_SHAPE_CAPSULE, .radius = RADIUS, .half_length = half},
            {vec_scale(radius, vec(cos(at), sin(at), 0)), about(vec_unit(vec_cross(vec(0, 0, 1), along)), 0.5 * PI)}};
    }
}

static cg_status add_ground(const rig *r, const ground *on)
{
    cg_shape_def table = cg_shape_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_shape_id shape;
    cg_tissue_id tissue;
    pad.size = vec(90e-3, 90e-3, 0); // nothing is put down beside it
    pad.layers[0].thickness = 6e-3;
    pad.layers[0].material.young = on->young;
    pad.spacing = 7.5e-3;
    pad.friction = table.friction = r->friction;
    return on->young > 0 ? cg_world_add_tissue(r->world, &pad, &tissue) : cg_world_add_shape(r->world, &table, &shape);
}

static bool build(rig *r, const ground *on)
{
    cg_world_def world = cg_world_def_default();
    cg_rigid_def def = cg_rigid_def_default();
    cg_rigid_part parts[PIECES];
    world.gravity = vec(0, 0, -9.81);
    r->arc = ARCS[(int)draw(r, 0, 4)];
    r->length = draw(r, 14e-3, 24e-3);
    r->friction = draw(r, 0.1, 0.4);
    r->shares[1] = draw(r, 0.2, 0.8);
    // The other one takes it near the far end: on short needles two drivers have no room beside each other.
    r->shares[0] = r->shares[1] < 0.5 ? fmax(r->shares[1] + 0.4, 0.88) : fmin(r->shares[1] - 0.4, 0.12);
    lay_arc(parts, r->length / (2 * PI * r->arc), 2 * PI * r->arc);
    def.parts = parts;
    def.part_count = PIECES;
    def.mass = 2.5 * r->length * 1e-3; // 2.5 mg a millimetre
    def.friction = r->friction;
    def.pose =
        (cg_transform){{draw(r, -10e-3, 10e-3), draw(r, -10e-3, 10e-3), RADIUS}, about(vec(0, 0, 1), draw(r, -PI, PI))};
    bool done = cg_world_create(&world, &r->world).code == CG_OK && add_ground(r, on).code == CG_OK &&
                cg_world_add_rigid(r->world, &def, &r->needle).code == CG_OK;
    for (int i = 0; i < 2 && done; i++) {
        cg_hand_def hand = cg_hand_def_default();
        hand.tool = CG_TOOL_NEEDLE_DRIVER;
        hand.pose.position = vec(i == 0 ? -60e-3 : 60e-3, 0, i == 0 ? 200e-3 : 40e-3); // over the shaft of the other
        done = cg_world_add_hand(r->world, &hand, &r->hands[i]).code == CG_OK;
    }
    return done;
}

static void step(rig *r, double seconds)
{
    for (int i = 0; i < (int)(1e3 * seconds + 0.5); i++) {
        cg_world_step(r->world);
    }
}

// Where the needle is at a share of its arc, and along which direction.
static cg_vec3 point_of(const rig *r, double share, cg_vec3 *along)
{
    cg_rigid_part part;
    int index = (int)(share * PIECES);
    cg_rigid_get_part(r->world, r->needle, index, &part);
    *along = turned(part.pose.rotation, vec(0, 0, 1));
    double off = (2 * (share * PIECES - index) - 1) * part.shape.half_length;
    return vec_add(part.pose.position, vec_scale(off, *along));
}

// The pose of a driver over its point of the needle, its shaft tilted away from that of the other by `tilt`, and so far
// [m] back along it.
static cg_transform pose_over(const rig *r, int hand, double tilt, double back)
{
    cg_vec3 along, ignored, here = point_of(r, r->shares[hand], &along);
    cg_vec3 away = vec_sub(here, point_of(r, r->shares[1 - hand], &ignored));
    away.z = 0;
    cg_vec3 shaft = vec_add(vec(0, 0, cos(tilt)), vec_scale(sin(tilt), vec_unit(away)));
    shaft = vec_unit(vec_sub(shaft, vec_scale(vec_dot(shaft, along), along)));
    cg_quat rotation = quat_of(along, vec_cross(shaft, along), shaft);
    return (cg_transform){vec_add(here, vec_scale(back, shaft)), rotation};
}

static void go(rig *r, int hand, cg_transform pose, double seconds)
{
    cg_hand_move(r->world, r->hands[hand], pose, seconds);
    step(r, seconds + 0.1);
}

// Along its own shaft.
static void back_away(rig *r, int hand, double way)
{
    cg_transform pose = cg_hand_get_state(r->world, r->hands[hand]).command;
    pose.position = vec_add(pose.position, vec_scale(way, turned(pose.rotation, vec(0, 0, 1))));
    go(r, hand, pose, 0.4);
}

// With a force [N]; 0 is the usual one.
static void set_jaws(rig *r, int hand, double opening, double force)
{
    cg_hand_set_jaws(r->world, r->hands[hand], opening, force);
    step(r, 0.2);
}

static bool is_held(const rig *r, int hand)
{
    bool jaws[3] = {false};
    cg_contact_info contact;
    for (int i = 0; cg_world_get_contact(r->world, i, &contact); i++) {
        if (contact.hand.index == r->hands[hand].index && vec_dot(contact.force, contact.normal) > 0) {
            jaws[contact.jaw] = true;
        }
    }
    return jaws[1] && jaws[2];
}

// Carries the needle with a driver: up by `lift` and turned about its own point by `turn` about an axis.
static void carry(rig *r, int hand, cg_vec3 shift, cg_vec3 axis, double turn)
{
    cg_transform pose = cg_hand_get_state(r->world, r->hands[hand]).command;
    cg_quat q = about(axis, turn), p = pose.rotation;
    cg_vec3 a = vec(q.x, q.y, q.z), b = vec(p.x, p.y, p.z), c = vec_cross(a, b);
    pose.rotation = (cg_quat){q.w * b.x + p.w * a.x + c.x, q.w * b.y + p.w * a.y + c.y, q.w * b.z + p.w * a.z + c.z,
                              q.w * p.w - vec_dot(a, b)};
    pose.position = vec_add(pose.position, shift);
    go(r, hand, pose, 0.6);
}

// How far the whole of it went well: 4 when all did.
static int hand_over(rig *r)
{
    int done = 0;
    step(r, 0.1);
    go(r, 1, pose_over(r, 1, 0, 20e-3), 0.6);
    go(r, 1, pose_over(r, 1, 0, TO_TIP), 0.4);
    set_jaws(r, 1, 0, 0);
    cg_vec3 away, ignored, other = point_of(r, r->shares[0], &ignored), here = point_of(r, r->shares[1], &away);
    // The driver leans away from where the other one comes, and the needle with it.
    cg_vec3 lean = vec_unit(vec_cross(vec(0, 0, 1), vec_sub(here, other)));
    carry(r, 1, vec(0, 0, 30e-3), lean, TILT);
    done += is_held(r, 1) && point_of(r, r->shares[1], &ignored).z > 20e-3;
    // The other one comes from far above, along its shaft, so that it does not meet the first one; takes it gently, so
    // that it does not turn in the jaws that hold it, and firmly once these have let go.
    go(r, 0, pose_over(r, 0, TILT, 120e-3), 0.5);
    go(r, 0, pose_over(r, 0, TILT, 20e-3), 0.5);
    go(r, 0, pose_over(r, 0, TILT, TO_TIP - 1e-3), 0.4);
    set_jaws(r, 0, 0, GENTLE);
    done += is_held(r, 0) && is_held(r, 1);
    set_jaws(r, 1, 1, 0);
    set_jaws(r, 0, 0, 0);
    back_away(r, 1, 30e-3);
    done += is_held(r, 0) && !is_held(r, 1);
    // And back down to the table, as far as its lowest point allows.
    double lowest = 1;
    for (int i = 0; i <= 8; i++) {
        lowest = fmin(lowest, point_of(r, 0.124 * i, &ignored).z);
    }
    carry(r, 0, vec(0, 0, 1e-3 - lowest), vec(0, 0, 1), 0.3);
    set_jaws(r, 0, 1, 0);
    back_away(r, 0, 30e-3);
    step(r, 0.5);
    cg_rigid_info info = {0};
    cg_rigid_get_info(r->world, r->needle, &info);
    bool lies = info.centre.z < 2e-3 && info.centre.z > -1e-3 && vec_length(info.velocity) < 1e-3;
    return done + (lies && !is_held(r, 0));
}

static void run_on(cg_report *report, const ground *on, int count)
{
    int good = 0;
    double unfinished = 0, steps = 0;
    for (int i = 0; i < count; i++) {
        rig r = {.random = (uint64_t)i + on->seed};
        draw(&r, 0, 1);
        if (build(&r, on)) {
            int done = hand_over(&r);
            cg_world_stats stats = cg_world_get_stats(r.world);
            good += done == 4;
            unfinished += (double)stats.unfinished_steps;
            steps += (double)stats.step_count;
        } else {
            cg_report_trouble(report, "the world could not be built");
        }
        cg_world_destroy(r.world);
    }
    cg_report_check(report, count, good, 0, "1", "%s: handed over and put down, of %d", on->name, count);
    cg_report_check(report, 0, steps > 0 ? unfinished / steps : 1, 0.01, "1", "%s: of all steps, unfinished", on->name);
}

static void run(cg_report *report)
{
    for (int k = 0; k < 3; k++) {
        run_on(report, &GROUNDS[k], report->thorough ? GROUNDS[k].most : GROUNDS[k].count);
    }
}
