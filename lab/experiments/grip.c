// Jaws that hold by friction alone: a thread that is drawn through them pulls with 2 mu N, a lip of firm skin likewise,
// and a needle stays up to that pull and no further, N being what the list of contacts has for each jaw.
#include <math.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_grip = {
    .name = "grip",
    .summary = "jaws hold thread, needle and tissue by friction: they slip at 2 mu N",
    .source = "Coulomb's law between two jaws",
    .run = run,
};

enum { VERTICES = 121 };
static const double SPACING = 0.5e-3, FRICTION = 0.2; // [m]
static const double LIP_HEIGHT = 2e-3;                // [m] of the middle of the jaws above the top of a lip
static const cg_hand_tool TOOLS[] = {CG_TOOL_NEEDLE_DRIVER, CG_TOOL_FORCEPS, CG_TOOL_GRASPER};
static const char *const NAMES[] = {"driver", "forceps", "grasper"};

typedef struct rig {
    cg_world *world;
    cg_hand_id hand;
    cg_thread_id thread;
    cg_rigid_id needle;
    cg_tissue_id tissue;
    double friction; // of jaws and what they hold
} rig;

static bool build(rig *r, cg_hand_tool tool, double grip, double jaw_friction, double height)
{
    cg_world_def world = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    world.gravity = vec(0, 0, 0);
    hand.tool = tool;
    hand.grasp = CG_GRASP_JAWS;
    hand.grip = grip;
    hand.jaw_friction = jaw_friction;
    hand.pose.position.z = height;
    r->friction = sqrt(FRICTION * jaw_friction);
    return cg_world_create(&world, &r->world).code == CG_OK &&
           cg_world_add_hand(r->world, &hand, &r->hand).code == CG_OK;
}

// Along x through the jaws, held at its start.
static bool add_thread(rig *r, double radius)
{
    cg_vec3 points[VERTICES];
    cg_thread_def def = cg_thread_def_default();
    for (int i = 0; i < VERTICES; i++) {
        points[i] = vec(SPACING * (i - 40), 0, 0);
    }
    def.positions = points;
    def.vertex_count = VERTICES;
    def.radius = radius;
    def.friction = FRICTION;
    return cg_world_add_thread(r->world, &def, &r->thread).code == CG_OK &&
           cg_thread_hold(r->world, r->thread, 0, points[0]).code == CG_OK;
}

static bool add_needle(rig *r)
{
    cg_rigid_part rod = {{.kind = CG_SHAPE_CAPSULE, .radius = 0.3e-3, .half_length = 8e-3},
                         {{0, 0, 0}, {0, sqrt(0.5), 0, sqrt(0.5)}}};
    cg_rigid_def def = cg_rigid_def_default();
    def.parts = &rod;
    def.part_count = 1;
    def.mass = 60e-6;
    def.friction = FRICTION;
    return cg_world_add_rigid(r->world, &def, &r->needle).code == CG_OK;
}

static void step(rig *r, int steps)
{
    for (int i = 0; i < steps; i++) {
        cg_world_step(r->world);
    }
}

// [N] Of both jaws together, by the list of contacts.
static double pressed(const rig *r)
{
    double sum = 0;
    cg_contact_info contact;
    for (int i = 0; cg_world_get_contact(r->world, i, &contact); i++) {
        sum += contact.jaw > 0 ? vec_dot(contact.force, contact.normal) : 0;
    }
    return sum;
}

static void draw_thread(cg_report *report, int tool, double radius, double grip, double jaw_friction)
{
    enum { SETTLE = 600, COUNT = 400 };
    rig r = {0};
    if (build(&r, TOOLS[tool], grip, jaw_friction, 0) && add_thread(&r, radius)) {
        cg_transform goal = {{10e-3, 0, 0}, {0, 0, 0, 1}};
        double held = 0, normal = 0;
        cg_hand_set_jaws(r.world, r.hand, 0, 0);
        step(&r, 200);
        cg_hand_move(r.world, r.hand, goal, 1);
        step(&r, SETTLE);
        for (int i = 0; i < COUNT; i++) {
            step(&r, 1);
            held += vec_length(cg_thread_hold_force(r.world, r.thread, 0)) / COUNT;
            normal += 0.5 * pressed(&r) / COUNT;
        }
        cg_report_check(report, 2 * r.friction * normal, held, 0.05, "N",
                        "%s, thread of %g mm, %g N, mu %.2f: slips at", NAMES[tool], 2e3 * radius, grip, r.friction);
        cg_report_check(report, grip, normal, 0.05, "N", "%s, thread of %g mm: each jaw presses", NAMES[tool],
                        2e3 * radius);
    } else {
        cg_report_trouble(report, "the world could not be built");
    }
    cg_world_destroy(r.world);
}

// The pull is raised until the needle goes.
static void draw_needle(cg_report *report, int tool, double grip, double jaw_friction)
{
    rig r = {0};
    if (build(&r, TOOLS[tool], grip, jaw_friction, 0) && add_needle(&r)) {
        double pull = 0, slip = 0, normal = 0, rate = 2e-4 * grip;
        cg_hand_set_jaws(r.world, r.hand, 0, 0);
        step(&r, 300);
        while (slip < 0.1e-3 && pull < 10 * grip) {
            normal = 0.5 * pressed(&r);
            pull += rate;
            cg_rigid_push(r.world, r.needle, vec(pull, 0, 0), cg_rigid_get_pose(r.world, r.needle).position);
            step(&r, 1);
            slip = cg_rigid_get_pose(r.world, r.needle).position.x - cg_hand_get_state(r.world, r.hand).pose.position.x;
        }
        cg_report_check(report, 2 * r.friction * normal, pull, 0.05, "N", "%s, needle, %g N, mu %.2f: slips at",
                        NAMES[tool], grip, r.friction);
    } else {
        cg_report_trouble(report, "the world could not be built");
    }
    cg_world_destroy(r.world);
}

// A lip of skin that stands up, 4 mm thick, its foot fixed: along x through the jaws. Softer than this the rails plough
// (docs/tools.md).
static bool add_lip(rig *r)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = vec(24e-3, 4e-3, 0);
    def.layers[0].thickness = 6e-3;
    def.layers[0].material.young = 2e6;
    def.spacing = 1e-3;
    def.friction = FRICTION;
    return cg_world_add_tissue(r->world, &def, &r->tissue).code == CG_OK;
}

static void draw_tissue(cg_report *report, int tool, double grip, double jaw_friction)
{
    enum { SETTLE = 75, COUNT = 200 }; // in these it goes over four nodes
    rig r = {0};
    if (build(&r, TOOLS[tool], grip, jaw_friction, LIP_HEIGHT) && add_lip(&r)) {
        cg_transform goal = {{6e-3, 0, LIP_HEIGHT}, {0, 0, 0, 1}};
        double felt = 0, held = 0, normal = 0;
        cg_hand_set_jaws(r.world, r.hand, 0, 0);
        step(&r, 400);
        cg_hand_move(r.world, r.hand, goal, 0.3);
        step(&r, SETTLE);
        for (int i = 0; i < COUNT; i++) {
            step(&r, 1);
            felt -= cg_hand_get_state(r.world, r.hand).force.x / COUNT;
            held += cg_tissue_get_summary(r.world, r.tissue).reaction.x / COUNT;
            normal += 0.5 * pressed(&r) / COUNT;
        }
        cg_report_check(report, 2 * r.friction * normal, felt, 0.05, "N", "%s, lip of skin, %g N, mu %.2f: slips at",
                        NAMES[tool], grip, r.friction);
        cg_report_check(report, felt, held, 0.05, "N", "%s, lip of skin: what holds its foot", NAMES[tool]);
    } else {
        cg_report_trouble(report, "the world could not be built");
    }
    cg_world_destroy(r.world);
}

static void run(cg_report *report)
{
    for (int tool = 0; tool < 3; tool++) {
        draw_thread(report, tool, 0.1e-3, 2, 0.5);
        draw_needle(report, tool, 5, 0.5);
        draw_needle(report, tool, 2, 0.2);
        draw_tissue(report, tool, 0.3, 0.5);
    }
    draw_thread(report, 0, 0.25e-3, 5, 0.5);
    draw_thread(report, 0, 0.1e-3, 5, 0.2);
    draw_thread(report, 0, 0.025e-3, 0.2, 0.5);
}
