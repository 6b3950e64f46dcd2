#include "experiments/knot_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/closest.h"
#include "knot/determinant.h"
#include "support/special.h"
#include "support/vector.h"
#include "world/world.h"

enum { HAND_VERTICES = 4 }; // a hand holds a direction too

static cg_knot_setup any_setup(cg_curve_kind kind, int threads)
{
    cg_knot_setup setup = {
        .curve = cg_curve_def_default(), .world = cg_world_def_default(), .thread = cg_thread_def_default()};
    setup.curve.kind = kind;
    setup.curve.thread_count = threads;
    setup.world.max_threads = 2;
    setup.world.max_contacts = 200;
    return setup;
}

cg_knot_setup cg_knot_seed_setup(cg_curve_kind kind, int threads, int vertices, double friction)
{
    cg_knot_setup setup = any_setup(kind, threads);
    setup.vertices = vertices;
    setup.curve.radius = setup.curve.spacing = 0.5e-3;
    setup.curve.gap = 3 * setup.curve.radius;
    setup.world.time_step = 5e-3;
    setup.world.gravity = vec(0, 0, 0);
    double resistance = 0.04 / 37.35e-3 * setup.world.time_step; // [N s/m] of a vertex
    setup.thread.stretch_stiffness = 200;
    setup.thread.bend_stiffness = 1e-8;
    setup.thread.twist_stiffness = 0;
    setup.thread.linear_density = 1e-3;
    setup.thread.inertia = CG_LOW_MASS;
    setup.thread.drag = resistance / (setup.thread.linear_density * setup.curve.spacing);
    setup.thread.friction = setup.settle_friction = friction;
    return setup;
}

cg_knot_setup cg_knot_suture_setup(cg_curve_kind kind, int threads, double radius, double friction)
{
    cg_knot_setup setup = any_setup(kind, threads);
    setup.curve.radius = radius;
    setup.curve.spacing = 2 * radius;
    setup.curve.gap = 4 * radius;
    setup.curve.tail = 300 * radius;
    setup.thread.friction = setup.settle_friction = friction;
    setup.thread.drag = 10;
    return setup;
}

// So many NNCG iterations and no Newton. The tolerance that says whether a problem must be tried again is without
// limit.
void cg_knot_limit_solver(cg_world *world, int iterations)
{
    cg_friction_options *options = &world->touches.problem.options;
    options->max_iterations = options->min_iterations = iterations;
    options->max_newton_steps = 0;
    options->tolerance = HUGE_VAL; // above it a problem would be tried again
}

static bool check(cg_report *report, cg_status status, const char *what)
{
    if (status.code != CG_OK && report != NULL) {
        cg_report_trouble(report, "%s: %s", what, status.message);
    }
    return status.code == CG_OK;
}

// Makes the tails as long as the wanted number of vertices needs.
static void fit_tails(cg_knot_setup *setup)
{
    cg_curve curve;
    for (int round = 0; setup->vertices > 0 && round < 3; round++) {
        if (cg_curve_make(&setup->curve, NULL, 0, &curve).code == CG_OK) {
            setup->curve.tail += 0.5 * (setup->vertices - curve.point_count[0]) * setup->curve.spacing;
        }
    }
}

// Leaves out points of a thread's tails, which are straight, so that segments grow by 15 % from one to the next up to
// the coarse spacing. Returns how many are left.
static int thin_tails(const cg_knot_setup *setup, cg_vec3 *points, int count)
{
    bool *keep = calloc((size_t)count, sizeof *keep);
    if (keep == NULL) {
        return count;
    }
    int plain = (int)((setup->curve.tail - setup->fine_tail) / setup->curve.spacing);
    for (int i = 0; i < count; i++) {
        keep[i] = i >= plain && i < count - plain;
    }
    double step = setup->curve.spacing, next = plain;
    for (int i = plain; i > 0; i--) {
        if (i <= next) {
            keep[i] = keep[count - 1 - i] = true;
            step = fmin(1.15 * step, setup->coarse);
            next = i - step / setup->curve.spacing;
        }
    }
    for (int i = 0; i < HAND_VERTICES; i++) {
        keep[i] = keep[count - 1 - i] = true;
    }
    int left = 0;
    for (int i = 0; i < count; i++) {
        if (keep[i]) {
            points[left++] = points[i];
        }
    }
    free(keep);
    return left;
}

// Fills `start` with the points of all threads.
static bool lay_curve(cg_knot_rig *rig, cg_report *report)
{
    cg_curve *curve = &rig->curve;
    if (!check(report, cg_curve_make(&rig->setup.curve, NULL, 0, curve), "counting the knot's points")) {
        return false;
    }
    int count = curve->point_count[0] + curve->point_count[1];
    rig->start = calloc(2 * (size_t)count, sizeof *rig->start);
    if (rig->start == NULL ||
        !check(report, cg_curve_make(&rig->setup.curve, rig->start, count, curve), "laying the knot")) {
        return false;
    }
    rig->before = rig->start + count;
    for (int t = 0, from = 0, to = 0; t < curve->thread_count; t++) {
        int length = curve->point_count[t];
        memmove(rig->start + to, rig->start + from, sizeof *rig->start * (size_t)length);
        from += length;
        if (rig->setup.coarse > 0) {
            curve->point_count[t] = thin_tails(&rig->setup, rig->start + to, length);
        }
        rig->first[t] = to;
        to += curve->point_count[t];
        rig->point_count = to;
    }
    return true;
}

// The world with its threads, shaped as `start` says.
static bool make_world(cg_knot_rig *rig, const cg_world_def *world, const cg_thread_def *thread,
                       const double *rest_lengths, cg_report *report)
{
    bool good = check(report, cg_world_create(world, &rig->world), "making the world");
    for (int t = 0; good && t < rig->curve.thread_count; t++) {
        cg_thread_def def = *thread;
        def.radius = rig->setup.curve.radius;
        def.vertex_count = rig->curve.point_count[t];
        def.positions = rig->start + rig->first[t];
        def.rest_lengths = rest_lengths + rig->first[t];
        good = check(report, cg_world_add_thread(rig->world, &def, &rig->threads[t]), "adding a thread");
    }
    if (good && rig->setup.iterations > 0) {
        cg_knot_limit_solver(rig->world, rig->setup.iterations);
    }
    int middle = rig->curve.point_count[0] / 2;
    if (good && rig->setup.hold_middle) {
        cg_thread_hold(rig->world, rig->threads[0], middle, rig->start[middle]);
    }
    return good;
}

// Lets a stiff curve find its shape in a world of its own, and takes that shape as the start.
static bool settle(cg_knot_rig *rig, const double *rest_lengths, cg_report *report)
{
    cg_world_def world = rig->setup.world;
    cg_thread_def thread = rig->setup.thread;
    world.time_step = 5e-4;
    thread.drag = 1000;
    thread.friction = rig->setup.settle_friction;
    thread.spacing.follow = false; // points keep their numbers
    bool good = make_world(rig, &world, &thread, rest_lengths, report);
    int steps = (int)(rig->setup.settle / world.time_step);
    for (int step = 0; good && step < steps; step++) {
        cg_knot_rig_hold(rig, 0);
        cg_world_step(rig->world);
    }
    for (int t = 0; good && t < rig->curve.thread_count; t++) {
        memcpy(rig->start + rig->first[t], cg_knot_rig_points(rig, t),
               sizeof *rig->start * (size_t)rig->curve.point_count[t]);
    }
    cg_world_destroy(rig->world);
    rig->world = NULL;
    return good;
}

bool cg_knot_rig_identify(const cg_knot_rig *rig, cg_knot_report *name)
{
    cg_knot_thread threads[2] = {{0}};
    for (int t = 0; t < rig->curve.thread_count; t++) {
        threads[t].points = cg_knot_rig_points(rig, t);
        threads[t].count = cg_knot_rig_point_count(rig, t);
    }
    for (int end = 0; end < 2 && rig->curve.thread_count == 2; end++) {
        cg_curve_end pulled = rig->curve.pulled[end];
        threads[pulled.thread].pull = pulled.last ? CG_KNOT_PULL_LAST : CG_KNOT_PULL_FIRST;
    }
    return cg_knot_identify(threads, rig->curve.thread_count, NULL, name).code == CG_OK;
}

// The namer must be certain that it is the knot of the setup, with as many throws. Only where somebody is told.
static bool certify(const cg_knot_rig *rig, cg_report *report)
{
    static const char *const names[CG_CURVE_KIND_COUNT] = {
        [CG_CURVE_OVERHAND] = "overhand", [CG_CURVE_FIGURE_EIGHT] = "figure-eight",
        [CG_CURVE_REEF] = "square",       [CG_CURVE_GRANNY] = "granny",
        [CG_CURVE_THIEF] = "thief",       [CG_CURVE_GRIEF] = "grief",
        [CG_CURVE_SURGEON] = "surgeon's", [CG_CURVE_SLIP] = "slip"};
    const char *wanted = names[rig->setup.curve.kind];
    int throws = rig->setup.curve.throws;
    if (wanted == NULL || throws == 1 || report == NULL) {
        return true;
    }
    cg_knot_report name;
    bool told = cg_knot_rig_identify(rig, &name);
    if (told && name.certain && strcmp(name.common, wanted) == 0 && (throws == 0 || name.throw_count == throws)) {
        return true;
    }
    cg_report_trouble(report, "a %s knot was wanted, the namer reads %s", wanted, told ? name.throws_text : "nothing");
    return false;
}

bool cg_knot_rig_open(cg_knot_rig *rig, const cg_knot_setup *setup, cg_report *report)
{
    *rig = (cg_knot_rig){.setup = *setup, .tails_held = setup->hold_tails && setup->curve.thread_count == 2};
    fit_tails(&rig->setup);
    if (!lay_curve(rig, report)) {
        return false;
    }
    double *rest_lengths = calloc((size_t)rig->point_count, sizeof *rest_lengths);
    if (rest_lengths == NULL) {
        return false;
    }
    for (int i = 0; i + 1 < rig->point_count; i++) {
        rest_lengths[i] = vec_distance(rig->start[i], rig->start[i + 1]);
    }
    bool good = (setup->settle == 0 || settle(rig, rest_lengths, report)) &&
                make_world(rig, &setup->world, &setup->thread, rest_lengths, report) && certify(rig, report);
    free(rest_lengths);
    return good;
}

void cg_knot_rig_close(cg_knot_rig *rig)
{
    cg_world_destroy(rig->world);
    free(rig->start);
    rig->world = NULL;
    rig->start = rig->before = NULL;
}

static int vertex_of(const cg_knot_rig *rig, cg_curve_end end, cg_thread_id *thread)
{
    *thread = rig->threads[end.thread];
    return end.last ? cg_knot_rig_point_count(rig, end.thread) - 1 : 0;
}

int cg_knot_rig_end(const cg_knot_rig *rig, int end, cg_thread_id *thread)
{
    return vertex_of(rig, rig->curve.pulled[end], thread);
}

const cg_vec3 *cg_knot_rig_points(const cg_knot_rig *rig, int thread)
{
    return cg_thread_positions(rig->world, rig->threads[thread], NULL);
}

int cg_knot_rig_point_count(const cg_knot_rig *rig, int thread)
{
    int count;
    cg_thread_positions(rig->world, rig->threads[thread], &count);
    return count;
}

// Where the points of an end began, outermost first when walked by *inwards.
static const cg_vec3 *start_of(const cg_knot_rig *rig, cg_curve_end end, int *inwards)
{
    *inwards = end.last ? -1 : 1;
    return rig->start + rig->first[end.thread] + (end.last ? rig->curve.point_count[end.thread] - 1 : 0);
}

// The way in which a tail points; measured over a few segments.
static cg_vec3 tail_direction(const cg_knot_rig *rig, cg_curve_end end)
{
    int inwards;
    const cg_vec3 *start = start_of(rig, end, &inwards);
    return vec_unit(vec_sub(start[0], start[HAND_VERTICES * inwards]));
}

static void hold_end(cg_knot_rig *rig, cg_curve_end end, cg_vec3 moved)
{
    cg_thread_id thread;
    int inwards, vertex = vertex_of(rig, end, &thread);
    const cg_vec3 *start = start_of(rig, end, &inwards);
    for (int h = 0; h < HAND_VERTICES; h++) {
        cg_thread_hold(rig->world, thread, vertex + h * inwards, vec_add(start[h * inwards], moved));
    }
}

static void hold_tails(cg_knot_rig *rig)
{
    for (int end = 0; end < 2 && rig->tails_held; end++) {
        cg_curve_end tail = rig->curve.tails[end];
        hold_end(rig, tail, vec_scale(rig->tail_way, tail_direction(rig, tail)));
    }
}

void cg_knot_rig_hold(cg_knot_rig *rig, double way)
{
    rig->way = way;
    for (int end = 0; end < 2; end++) {
        hold_end(rig, rig->curve.pulled[end], vec_scale(way, rig->curve.pull[end]));
    }
    hold_tails(rig);
}

void cg_knot_rig_pull_tails(cg_knot_rig *rig, double speed)
{
    rig->tail_way += speed * rig->setup.world.time_step;
    hold_tails(rig);
}

void cg_knot_rig_free_tails(cg_knot_rig *rig)
{
    for (int end = 0; end < 2 && rig->tails_held; end++) {
        cg_thread_id thread;
        int vertex = vertex_of(rig, rig->curve.tails[end], &thread), inwards = vertex == 0 ? 1 : -1;
        for (int h = 0; h < HAND_VERTICES; h++) {
            cg_thread_release(rig->world, thread, vertex + h * inwards);
        }
    }
    rig->tails_held = false;
}

void cg_knot_rig_set_friction(cg_knot_rig *rig, double friction)
{
    for (int t = 0; t < rig->curve.thread_count; t++) {
        cg_thread_set_friction(rig->world, rig->threads[t], friction);
    }
}

void cg_knot_rig_pull(cg_knot_rig *rig, double speed)
{
    rig->tail_way += speed * rig->setup.world.time_step;
    cg_knot_rig_hold(rig, rig->way + speed * rig->setup.world.time_step);
}

void cg_knot_rig_load(cg_knot_rig *rig, double force)
{
    for (int end = 0; end < 2; end++) {
        cg_thread_id thread;
        int vertex = cg_knot_rig_end(rig, end, &thread);
        cg_thread_push_vertex(rig->world, thread, vertex, vec_scale(force, rig->curve.pull[end]));
    }
}

// The largest motion by the velocities: when vertices come and go there is nothing to compare with.
static double motion_by_velocity(const cg_knot_rig *rig)
{
    double most = 0;
    for (int t = 0; t < rig->curve.thread_count; t++) {
        int count;
        const cg_vec3 *velocities = cg_thread_velocities(rig->world, rig->threads[t], &count);
        for (int i = 0; i < count; i++) {
            double moved = rig->setup.world.time_step * vec_length(velocities[i]);
            most = moved <= most ? most : moved;
        }
    }
    return most;
}

void cg_knot_rig_step(cg_knot_rig *rig)
{
    if (rig->setup.thread.spacing.follow) {
        cg_world_step(rig->world);
        rig->last_move = motion_by_velocity(rig);
        return;
    }
    for (int t = 0; t < rig->curve.thread_count; t++) {
        memcpy(rig->before + rig->first[t], cg_knot_rig_points(rig, t),
               sizeof *rig->before * (size_t)rig->curve.point_count[t]);
    }
    cg_world_step(rig->world);
    rig->last_move = 0;
    for (int t = 0; t < rig->curve.thread_count; t++) {
        const cg_vec3 *points = cg_knot_rig_points(rig, t);
        for (int i = 0; i < rig->curve.point_count[t]; i++) {
            double moved = vec_distance(points[i], rig->before[rig->first[t] + i]);
            if (!(moved <= rig->last_move)) { // a NaN counts as motion too
                rig->last_move = moved;
            }
        }
    }
}

static double tension_of(const cg_knot_rig *rig, cg_curve_end end, cg_vec3 direction)
{
    cg_thread_id thread;
    int vertex = vertex_of(rig, end, &thread), inwards = vertex == 0 ? 1 : -1;
    double tension = 0;
    for (int h = 0; h < HAND_VERTICES; h++, vertex += inwards) {
        tension += vec_dot(cg_thread_hold_force(rig->world, thread, vertex), direction);
    }
    return tension;
}

double cg_knot_rig_tension(const cg_knot_rig *rig, int end)
{
    return tension_of(rig, rig->curve.pulled[end], rig->curve.pull[end]);
}

double cg_knot_rig_tail_tension(const cg_knot_rig *rig, int end)
{
    return tension_of(rig, rig->curve.tails[end], tail_direction(rig, rig->curve.tails[end]));
}

double cg_knot_rig_distance(const cg_knot_rig *rig)
{
    cg_vec3 ends[2];
    for (int end = 0; end < 2; end++) {
        cg_thread_id thread;
        int vertex = cg_knot_rig_end(rig, end, &thread);
        ends[end] = cg_thread_positions(rig->world, thread, NULL)[vertex];
    }
    return vec_distance(ends[0], ends[1]);
}

double cg_knot_rig_stretch(const cg_knot_rig *rig)
{
    double stretch = 0;
    for (int t = 0; t < rig->curve.thread_count; t++) {
        cg_thread_summary summary = cg_thread_get_summary(rig->world, rig->threads[t]);
        stretch += summary.length - summary.rest_length;
    }
    return stretch;
}

// The least distance of the axes of two threads, or of one with itself; pairs further apart than `least` do not count.
static double least_distance(const cg_knot_rig *rig, int ta, int tb, double least)
{
    const cg_vec3 *a = cg_knot_rig_points(rig, ta), *b = cg_knot_rig_points(rig, tb);
    const double *rest = cg_thread_rest_lengths(rig->world, rig->threads[ta], NULL);
    double neighbours = CG_PI * rig->setup.curve.radius;
    int count_a = cg_knot_rig_point_count(rig, ta), count_b = cg_knot_rig_point_count(rig, tb);
    for (int i = 0; i + 1 < count_a; i++) {
        double arc = 0, length = vec_distance(a[i], a[i + 1]);
        for (int j = ta == tb ? i + 2 : 0; j + 1 < count_b; j++) {
            arc += ta == tb ? rest[j - 1] : neighbours;
            if (arc < neighbours || vec_distance(a[i], b[j]) > least + length + vec_distance(b[j], b[j + 1])) {
                continue;
            }
            double squared = cg_closest_segments(a[i], a[i + 1], b[j], b[j + 1]).squared_distance;
            least = fmin(least, sqrt(squared));
        }
    }
    return least;
}

double cg_knot_rig_overlap(const cg_knot_rig *rig)
{
    double diameter = 2 * rig->setup.curve.radius, least = diameter;
    for (int ta = 0; ta < rig->curve.thread_count; ta++) {
        for (int tb = ta; tb < rig->curve.thread_count; tb++) {
            least = least_distance(rig, ta, tb, least);
        }
    }
    return 1 - least / diameter;
}

uint64_t cg_knot_rig_determinant(const cg_knot_rig *rig)
{
    uint64_t determinant = 0;
    cg_status status =
        cg_knot_determinant(cg_knot_rig_points(rig, 0), cg_knot_rig_point_count(rig, 0), NULL, &determinant);
    return status.code == CG_OK ? determinant : 0;
}

double cg_knot_rig_length_in_knot(const cg_knot_rig *rig)
{
    int first = cg_knot_rig_point_count(rig, 0), last = 0;
    for (int i = 0; i < cg_world_contact_count(rig->world); i++) {
        cg_contact_info contact;
        cg_world_get_contact(rig->world, i, &contact);
        for (int side = 0; side < 2 && vec_length(contact.force) > 0; side++) {
            if (contact.threads[side].index == rig->threads[0].index) {
                first = contact.segments[side] < first ? contact.segments[side] : first;
                last = contact.segments[side] > last ? contact.segments[side] : last;
            }
        }
    }
    const double *rest = cg_thread_rest_lengths(rig->world, rig->threads[0], NULL);
    double length = 0;
    for (int i = first; i < last; i++) {
        length += rest[i];
    }
    return length;
}
