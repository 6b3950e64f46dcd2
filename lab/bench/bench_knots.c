// What knots cost: whole steps of knots in the states that matter, and the parts of a step beside other ways to do
// them.
//
//   knots/overhand/N       MicroSim's knot test: tight under 1 N, standing still; N vertices
//   knots/tightening/N     the same from the loose knot until it is tight, over and over
//   knots/reef/200         the same with a reef knot of two threads
//   knots/suture_c         the stiff suture of bench C: E 2 GPa, 0.2 m, radius 0.32 mm, 201 vertices, pulled at 20 mm/s
//   knots/pulled, held, held_8, carried   300 mm of 3-0 nylon, segments of one radius in the 70 mm about the knot and
//   up
//                          to ten elsewhere, steps of 1 ms; pulled at 0.1 m/s, held at 3 and 8 N, carried at 0.3 m/s
//   knots/square_slides/SIZE/MU   the same 300 mm tied in a square knot with a loop of 100 mm whose far point is held,
//                          as in the experiment sliding_reef: each hand goes to 0.1 m/s in 20 ms, the first 150 ms over
//                          and over; of 3-0 and, all lengths in proportion, of 5-0 nylon, at three frictions
//   knots/square_held      that of 3-0 pulled on until the tails carry 4 N, then held
//   knots/travel           half a knot round a post; the thread is drawn through at 0.1 m/s, so that the knot travels
//   along
//                          it, and segments have to be of one radius all along
//   knots/follow/...       the same with spacing that follows the knot
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "experiments/knot_rig.h"
#include "support/special.h"
#include "support/vector.h"

typedef enum drive_kind {
    DRIVE_LOAD,    // a dead load of 1 N
    DRIVE_TIGHTEN, // the same, from the start again and again
    DRIVE_PULL,    // hands pull apart, from the start again and again
    DRIVE_SLIDE,   // the same, and the hands start gently
    DRIVE_HOLD,    // hands stand still after having pulled
    DRIVE_CARRY,   // hands move together, with jerks
    DRIVE_TRAVEL   // one hand draws the thread through a knot, the other gives
} drive_kind;

typedef struct knot_scene {
    cg_knot_rig rig;
    drive_kind drive;
    double speed;     // [m/s] of each hand
    double most_way;  // [m] of each hand
    double start_way; // [m] where the hands begin
    int steps, most_steps;
    unsigned char *start;
    size_t start_size;
    uint64_t random;
    cg_vec3 carried, velocity;
    double overlap; // [diameters] the deepest seen
} knot_scene;

static void release_scene(void *state)
{
    knot_scene *s = state;
    cg_knot_rig_close(&s->rig);
    free(s->start);
    free(s);
}

static double random_share(knot_scene *s)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(s->random >> 11) / 9007199254740992.0;
}

// Both hands go the same way at 0.3 m/s, and change it at once every 24 to 136 ms; never further than 30 mm.
static void carry(knot_scene *s)
{
    if (s->steps % (24 + (int)(112 * random_share(s))) == 0 || vec_length(s->carried) > 0.03) {
        cg_vec3 way = vec(random_share(s) - 0.5, random_share(s) - 0.5, random_share(s) - 0.5);
        way = vec_length(s->carried) > 0.03 ? vec_scale(-1, s->carried) : way;
        s->velocity = vec_scale(0.3, vec_unit(way));
    }
    s->carried = vec_add(s->carried, vec_scale(s->rig.setup.world.time_step, s->velocity));
    for (int end = 0; end < 2; end++) {
        cg_thread_id thread;
        int vertex = cg_knot_rig_end(&s->rig, end, &thread), inwards = vertex == 0 ? 1 : -1;
        for (int h = 0; h < 4; h++, vertex += inwards) {
            cg_vec3 from = s->rig.start[inwards > 0 ? h : s->rig.point_count - 1 - h];
            from = vec_add(from, vec_scale(s->rig.way, s->rig.curve.pull[end]));
            cg_thread_hold(s->rig.world, thread, vertex, vec_add(from, s->carried));
        }
    }
}

// Both ends go the way of the first pull; the knot stays at the post.
static void draw_through(knot_scene *s)
{
    s->carried = vec_add(s->carried, vec_scale(s->speed * s->rig.setup.world.time_step, s->rig.curve.pull[0]));
    for (int end = 0; end < 2; end++) {
        cg_thread_id thread;
        int vertex = cg_knot_rig_end(&s->rig, end, &thread);
        cg_vec3 from = s->rig.start[vertex == 0 ? 0 : s->rig.point_count - 1];
        cg_thread_hold(s->rig.world, thread, vertex, vec_add(from, s->carried));
    }
}

// Both hands reach their speed in 20 ms, along half a cosine.
static void slide(knot_scene *s)
{
    double start = 0.02, time = (s->steps % s->most_steps + 1) * s->rig.setup.world.time_step;
    cg_knot_rig_pull(&s->rig, time < start ? 0.5 * s->speed * (1 - cos(CG_PI * time / start)) : s->speed);
}

static void drive_scene(knot_scene *s)
{
    switch (s->drive) {
    case DRIVE_LOAD:
    case DRIVE_TIGHTEN:
        cg_knot_rig_load(&s->rig, 1);
        break;
    case DRIVE_PULL:
        cg_knot_rig_hold(&s->rig, fmin(s->most_way, s->rig.way + s->speed * s->rig.setup.world.time_step));
        break;
    case DRIVE_SLIDE:
        slide(s);
        break;
    case DRIVE_CARRY:
        carry(s);
        break;
    case DRIVE_TRAVEL:
        draw_through(s);
        break;
    case DRIVE_HOLD:
        break;
    }
}

static double time_step(void *state)
{
    knot_scene *s = state;
    if (++s->steps % s->most_steps == 0) {
        cg_world_restore(s->rig.world, s->start, s->start_size);
        s->rig.way = s->start_way;
        s->carried = vec(0, 0, 0);
    }
    drive_scene(s);
    double start = cg_thread_cpu_seconds();
    cg_world_step(s->rig.world);
    double seconds = cg_thread_cpu_seconds() - start;
    if (s->drive == DRIVE_SLIDE && s->steps % 10 == 0) { // all pairs are looked at, which takes long
        s->overlap = fmax(s->overlap, cg_knot_rig_overlap(&s->rig));
    }
    return seconds;
}

static double deepest_overlap(void *state)
{
    return ((knot_scene *)state)->overlap;
}

static bool remember_start(knot_scene *s)
{
    s->start_way = s->rig.way;
    s->start_size = cg_world_snapshot_size(s->rig.world);
    s->start = malloc(s->start_size);
    return s->start && cg_world_snapshot(s->rig.world, s->start, s->start_size).code == CG_OK;
}

static knot_scene *make_scene(const cg_knot_setup *setup, drive_kind drive, int most_steps)
{
    knot_scene *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->drive = drive;
    s->most_steps = most_steps;
    if (!cg_knot_rig_open(&s->rig, setup, NULL)) {
        release_scene(s);
        return NULL;
    }
    return s;
}

static void add_scene(cg_bench *bench, const char *name, knot_scene *scene)
{
    if (!scene || !remember_start(scene)) {
        cg_bench_fail(bench, name, "the knot could not be made");
        if (scene) {
            release_scene(scene);
        }
        return;
    }
    int vertices = 0;
    for (int t = 0; t < scene->rig.curve.thread_count; t++) {
        vertices += cg_knot_rig_point_count(&scene->rig, t);
    }
    cg_subject subject = {.vertices = vertices, .sample = time_step, .release = release_scene, .state = scene};
    subject.simulated = scene->speed > 0 ? scene->rig.setup.world.time_step : 0; // where there are hands
    if (scene->drive == DRIVE_SLIDE) {
        subject.least = scene->most_steps; // the whole slide, not its hard beginning
        subject.overlap = deepest_overlap;
    }
    snprintf(subject.name, sizeof subject.name, "%s", name);
    cg_bench_add(bench, subject);
}

static void add_seed_knot(cg_bench *bench, const char *group, cg_curve_kind kind, int threads, int vertices,
                          drive_kind drive)
{
    char name[64];
    snprintf(name, sizeof name, "knots/%s/%d", group, vertices);
    if (!cg_bench_wants(bench, name)) {
        return;
    }
    cg_knot_setup setup = cg_knot_seed_setup(kind, threads, vertices / threads, 0.3);
    knot_scene *s = make_scene(&setup, drive, drive == DRIVE_TIGHTEN ? 100 : 1000);
    for (int step = 0; s && drive == DRIVE_LOAD && step < 600; step++) {
        cg_knot_rig_load(&s->rig, 1);
        cg_world_step(s->rig.world);
    }
    add_scene(bench, name, s);
}

// Bench C of the comparison with other engines: from loose until the ends are 0.9 of the length apart.
static void add_suture_c(cg_bench *bench)
{
    if (!cg_bench_wants(bench, "knots/suture_c")) {
        return;
    }
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_OVERHAND, 1, 0.32e-3, 0.3);
    setup.thread.youngs_modulus = 2e9;
    setup.thread.density = 1180;
    setup.curve.spacing = 1e-3;
    setup.curve.gap = 8 * setup.curve.radius;
    setup.vertices = 201;
    knot_scene *s = make_scene(&setup, DRIVE_PULL, 0);
    if (s) {
        s->speed = 0.02;
        s->most_way = 0.5 * (0.9 * 0.2 - cg_knot_rig_distance(&s->rig));
        s->most_steps = 200 + (int)(s->most_way / (s->speed * setup.world.time_step));
    }
    add_scene(bench, "knots/suture_c", s);
}

// Makes the whole so long [m]. Returns the length of the knot itself, 0 when it cannot be tied.
static double fit_to_length(cg_knot_setup *setup, double length)
{
    cg_curve curve;
    setup->curve.tail = 0;
    if (cg_curve_make(&setup->curve, NULL, 0, &curve).code != CG_OK) {
        return 0;
    }
    double knot = curve.point_count[0] * setup->curve.spacing;
    setup->curve.tail = 0.5 * (length - knot);
    return knot;
}

// 300 mm of 3-0 nylon; segments of one radius in 70 mm about the knot, ten radii in the tails. Spacing that follows
// starts from eight radii in the tails, with as much as the knot itself needs.
static knot_scene *make_true_scale(drive_kind drive, bool follow)
{
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_OVERHAND, 1, 0.11e-3, 0.3);
    setup.curve.spacing = setup.curve.radius;
    setup.thread.spacing = (cg_spacing){.follow = follow};
    setup.coarse = (follow ? 8 : 10) * setup.curve.radius;
    double knot = fit_to_length(&setup, 0.3);
    setup.fine_tail = follow ? 0 : fmax(0, 0.5 * (0.07 - knot));
    knot_scene *s = knot > 0 ? make_scene(&setup, drive, 1000) : NULL;
    if (s) {
        s->speed = 0.1;
        s->most_way = 1;
        s->random = 7;
    }
    return s;
}

// Pulls at 0.1 m/s until the hands feel so much. Returns the number of steps.
static int pull_until(knot_scene *s, double newtons)
{
    int step = 0;
    for (; step < 1000 && (step == 0 || cg_knot_rig_tension(&s->rig, 0) < newtons); step++) {
        cg_knot_rig_pull(&s->rig, s->speed);
        cg_world_step(s->rig.world);
    }
    return step;
}

static void add_true_scale(cg_bench *bench, const char *name, drive_kind drive, double newtons, bool follow)
{
    if (!cg_bench_wants(bench, name)) {
        return;
    }
    knot_scene *s = make_true_scale(drive, follow);
    if (s && drive == DRIVE_PULL) { // how long it takes, then from the start
        s->most_steps = pull_until(s, newtons);
        knot_scene *again = make_true_scale(drive, follow);
        if (again) {
            again->most_steps = s->most_steps;
        }
        release_scene(s);
        s = again;
    } else if (s) {
        pull_until(s, newtons);
    }
    add_scene(bench, name, s);
}

static const double RADIUS_3_0 = 0.11e-3, RADIUS_5_0 = 0.0625e-3; // [m]

// The square knot of the experiment sliding_reef, whose tails make the whole 300 mm long; of a finer thread all of it
// is smaller.
static void add_square(cg_bench *bench, const char *name, drive_kind drive, double radius, double friction, bool follow)
{
    if (!cg_bench_wants(bench, name)) {
        return;
    }
    double size = radius / RADIUS_3_0;
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_REEF, 1, radius, friction);
    setup.curve.loop_radius = 0.1 * size / (2 * CG_PI);
    setup.curve.spacing = setup.curve.radius;
    setup.thread.spacing = (cg_spacing){.follow = follow};
    setup.coarse = (follow ? 8 : 10) * setup.curve.radius;
    setup.fine_tail = 8e-3 * size;
    setup.world.max_contacts = 300;
    setup.settle = 0.1;
    setup.settle_friction = 0;
    setup.hold_middle = true;
    int steps = drive == DRIVE_SLIDE ? 150 : 1000;
    knot_scene *s = fit_to_length(&setup, 0.3 * size) > 0 ? make_scene(&setup, drive, steps) : NULL;
    if (s) {
        s->speed = 0.1;
    }
    if (s && drive == DRIVE_HOLD) {
        pull_until(s, 4);
    }
    add_scene(bench, name, s);
}

static void add_slides(cg_bench *bench)
{
    static const double frictions[3] = {0.2, 0.3, 0.45};
    for (int k = 0; k < 3; k++) {
        char name[64];
        snprintf(name, sizeof name, "knots/square_slides/3-0/%g", frictions[k]);
        add_square(bench, name, DRIVE_SLIDE, RADIUS_3_0, frictions[k], false);
        snprintf(name, sizeof name, "knots/square_slides/5-0/%g", frictions[k]);
        add_square(bench, name, DRIVE_SLIDE, RADIUS_5_0, frictions[k], false);
    }
    add_square(bench, "knots/follow/square_slides", DRIVE_SLIDE, RADIUS_3_0, 0.3, true);
}

// Half a knot round a post of 2 mm; 300 mm of thread are drawn through it for 80 mm, over and over.
static void add_travel(cg_bench *bench, const char *name, bool follow)
{
    if (!cg_bench_wants(bench, name)) {
        return;
    }
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_OVERHAND, 1, 0.11e-3, 0.1);
    setup.world.gravity = vec(0, 0, 0);
    setup.curve.loop_radius = 2.5e-3;
    setup.curve.spacing = (follow ? 2 : 1) * setup.curve.radius;
    setup.coarse = follow ? 8 * setup.curve.radius : 0;
    setup.thread.spacing = (cg_spacing){.follow = follow};
    knot_scene *s = fit_to_length(&setup, 0.3) > 0 ? make_scene(&setup, DRIVE_TRAVEL, 800) : NULL;
    if (s) {
        cg_shape_def post = cg_shape_def_default();
        cg_shape_id id;
        post.shape = (cg_shape){.kind = CG_SHAPE_CAPSULE, .radius = 2e-3, .half_length = 5e-3};
        post.pose.position = vec(0, 1.75e-3, 0);
        post.friction = 0.1;
        cg_world_add_shape(s->rig.world, &post, &id);
        for (int step = 0; step < 100; step++) {
            draw_through(s);
            cg_world_step(s->rig.world);
        }
        s->speed = 0.1;
    }
    add_scene(bench, name, s);
}

void cg_bench_add_knots(cg_bench *bench)
{
    add_seed_knot(bench, "overhand", CG_CURVE_OVERHAND, 1, 200, DRIVE_LOAD);
    add_seed_knot(bench, "overhand", CG_CURVE_OVERHAND, 1, 600, DRIVE_LOAD);
    add_seed_knot(bench, "tightening", CG_CURVE_OVERHAND, 1, 200, DRIVE_TIGHTEN);
    add_seed_knot(bench, "tightening", CG_CURVE_OVERHAND, 1, 600, DRIVE_TIGHTEN);
    add_seed_knot(bench, "reef", CG_CURVE_REEF, 2, 200, DRIVE_LOAD);
    add_suture_c(bench);
    for (int follow = 0; follow < 2; follow++) {
        add_true_scale(bench, follow ? "knots/follow/pulled" : "knots/pulled", DRIVE_PULL, 3, follow);
        add_true_scale(bench, follow ? "knots/follow/held" : "knots/held", DRIVE_HOLD, 3, follow);
        add_true_scale(bench, follow ? "knots/follow/held_8" : "knots/held_8", DRIVE_HOLD, 8, follow);
        add_true_scale(bench, follow ? "knots/follow/carried" : "knots/carried", DRIVE_CARRY, 3, follow);
        add_square(bench, follow ? "knots/follow/square_held" : "knots/square_held", DRIVE_HOLD, RADIUS_3_0, 0.3,
                   follow);
    }
    add_slides(bench);
    add_travel(bench, "knots/follow/travel", true);
    add_travel(bench, "knots/travel", false);
    cg_bench_add_worst(bench);
    cg_bench_add_knot_parts(bench);
}
