// A thread let fall on a pad: what it weighs there, how still it lies, and from which slope on it slides. Beside it the
// seed's linear force, on a pad that is held: it lies as deep as its weight presses, and slides on any slope.
#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_lay = {
    .name = "lay",
    .summary = "a thread on a pad of soft tissue: weight, rest, and the slope on which it slides",
    .source = "balance of forces; Coulomb: it slides when the tangent of the slope is above mu",
    .run = run,
};

enum { VERTICES = 101, PADS = 3 };
static const double youngs[PADS] = {5e3, 100e3, 1e6}; // [Pa]
static const double spacing = 0.4e-3, mu = 0.3, time_step = 1e-3;

typedef struct rig {
    cg_world *world;
    cg_thread_id thread;
    cg_tissue_id pad;
    double weight; // [N]
} rig;

// `stiffness` of the seed's law [N/m]; 0: ours.
static bool build(rig *r, double young, double stiffness)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        points[i] = vec(0.3e-3, spacing * (i - VERTICES / 2), 2 * thread.radius);
    }
    world.time_step = time_step;
    world.linear_contact = stiffness;
    pad.size = vec(30e-3, 50e-3, 0);
    pad.layers[0].material.young = young;
    pad.friction = thread.friction = mu;
    thread.vertex_count = VERTICES;
    thread.positions = points;
    r->weight =
        CG_PI * thread.radius * thread.radius * thread.density * spacing * (VERTICES - 1) * vec_length(world.gravity);
    return cg_world_create(&world, &r->world).code == CG_OK &&
           cg_world_add_tissue(r->world, &pad, &r->pad).code == CG_OK &&
           cg_world_add_thread(r->world, &thread, &r->thread).code == CG_OK;
}

static void run_for(rig *r, double seconds)
{
    for (int k = 0; k < (int)(seconds / time_step + 0.5); k++) {
        cg_world_step(r->world);
    }
}

static double force_on_thread(const rig *r)
{
    double sum = 0;
    for (int i = 0; i < cg_world_contact_count(r->world); i++) {
        cg_contact_info contact;
        cg_world_get_contact(r->world, i, &contact);
        sum += contact.threads[0].index != 0 ? contact.force.z : 0;
    }
    return sum;
}

static double motion_of_a_step(rig *r)
{
    cg_vec3 before[VERTICES];
    double most = 0;
    for (int i = 0; i < VERTICES; i++) {
        before[i] = cg_thread_positions(r->world, r->thread, NULL)[i];
    }
    cg_world_step(r->world);
    for (int i = 0; i < VERTICES; i++) {
        cg_vec3 way = vec_sub(cg_thread_positions(r->world, r->thread, NULL)[i], before[i]);
        most = fmax(most, vec_length(way));
    }
    return most;
}

// How far it goes in 0.2 s once gravity leans that much to the side.
static double slip_on_slope(rig *r, double tangent)
{
    double g = vec_length(cg_world_def_default().gravity), cosine = 1 / sqrt(1 + tangent * tangent);
    cg_world_set_gravity(r->world, vec(g * cosine * tangent, 0, -g * cosine));
    run_for(r, 0.1);
    double before = cg_thread_positions(r->world, r->thread, NULL)[VERTICES / 2].x;
    run_for(r, 0.2);
    return cg_thread_positions(r->world, r->thread, NULL)[VERTICES / 2].x - before;
}

// On a pad that is held, the middle of the thread lies below the surface of the spheres by what one vertex weighs.
static void lay_by_seed(cg_report *report)
{
    const double stiffness = 100;
    rig r = {0};
    if (!build(&r, youngs[2], stiffness)) {
        cg_report_trouble(report, "the world could not be built");
    } else {
        int nodes = cg_tissue_get_summary(r.world, r.pad).node_count;
        for (int i = 0; i < nodes; i++) {
            cg_tissue_fix(r.world, r.pad, i, true);
        }
        run_for(&r, 1.5);
        double radius = cg_thread_def_default().radius, expected = r.weight / (VERTICES - 1) / stiffness;
        double depth = radius - cg_thread_positions(r.world, r.thread, NULL)[VERTICES / 2].z;
        cg_report_add(
            report,
            (cg_quantity){
                .published = CG_UNPUBLISHED, .expected = expected, .measured = depth, .tolerance = 0.01, .unit = "m"},
            "depth by the seed's linear force");
        bool slides = slip_on_slope(&r, 0.5 * mu) > 1e-5;
        cg_report_check(report, 1, slides, 0.01, "1", "slides by the seed's linear force on a slope of 0.5 mu");
    }
    cg_world_destroy(r.world);
}

static void run(cg_report *report)
{
    for (int k = 0; k < PADS; k++) {
        rig r = {0};
        if (!build(&r, youngs[k], 0)) {
            cg_report_trouble(report, "the world could not be built");
        } else {
            run_for(&r, 0.6);
            double off = force_on_thread(&r) - r.weight;
            cg_report_check(report, 0, off, 1e-9, "N", "force less weight, %g kPa", 1e-3 * youngs[k]);
            cg_report_check(report, 0, motion_of_a_step(&r), 1e-9, "m", "motion in a step, %g kPa", 1e-3 * youngs[k]);
        }
        cg_world_destroy(r.world);
    }
    const double slopes[2] = {0.98, 1.02};
    for (int k = 0; k < 2; k++) {
        rig r = {0};
        if (!build(&r, youngs[2], 0)) {
            cg_report_trouble(report, "the world could not be built");
        } else {
            run_for(&r, 0.3);
            bool slides = slip_on_slope(&r, slopes[k] * mu) > 1e-5;
            cg_report_check(report, k, slides, 0.01, "1", "slides on a slope of %g mu", slopes[k]);
        }
        cg_world_destroy(r.world);
    }
    lay_by_seed(report);
}
