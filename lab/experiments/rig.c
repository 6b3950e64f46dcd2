#include "experiments/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/statistics.h"
#include "support/vector.h"

cg_rod cg_rod_default(void)
{
    double bend = 3.15e-7, length = 0.2;
    return (cg_rod){
        .vertex_count = 200,
        .length = length,
        .bend = bend,
        .twist = bend / 1.3,
        .stretch = 1e8 * bend / (length * length),
        .linear_density = 45e-6,
        .inertia = CG_LOW_MASS,
        .sluggishness = 1e-3,
        .time_step = 0.1,
        .passes = 1,
        .line_search = true,
    };
}

static bool check(cg_rig *rig, cg_status status, const char *what)
{
    if (status.code != CG_OK) {
        cg_report_trouble(rig->report, "%s: %s", what, status.message);
    }
    return status.code == CG_OK;
}

static bool open_world(cg_rig *rig)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 0; // theories of a rod alone
    def.time_step = rig->rod.time_step;
    def.gravity = rig->rod.gravity;
    def.newton_passes = rig->rod.passes;
    def.newton_tolerance = 1e-14 * rig->rod.length;
    def.line_search = rig->rod.line_search;
    def.max_threads = 1;
    return check(rig, cg_world_create(&def, &rig->world), "making the world");
}

static void lay_straight(cg_vec3 *positions, const cg_rod *rod)
{
    for (int i = 0; i < rod->vertex_count; i++) {
        positions[i] = vec(rod->length * i / (rod->vertex_count - 1), 0, 0);
    }
}

static bool add_rod(cg_rig *rig, const cg_vec3 *positions, double *rest_lengths)
{
    const cg_rod *rod = &rig->rod;
    for (int i = 0; i + 1 < rod->vertex_count; i++) {
        rest_lengths[i] = vec_distance(positions[i], positions[i + 1]) * (1 + rod->squeeze);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = rod->vertex_count;
    def.positions = positions;
    def.rest_lengths = rest_lengths;
    def.stretch_stiffness = rod->stretch;
    def.bend_stiffness = rod->bend;
    def.twist_stiffness = rod->twist;
    def.linear_density = rod->linear_density;
    def.inertia = rod->inertia;
    double per_mass = rod->bend / (rod->linear_density * pow(rod->length, 4));
    def.drag = rod->inertia == CG_LOW_MASS ? rod->sluggishness * per_mass * rod->time_step : rod->drag;
    def.damping_time = 0;
    def.ends[CG_START] = (cg_end_hold){.kind = rod->start, .direction = rod->start_direction};
    def.ends[CG_FINISH] = (cg_end_hold){.kind = rod->finish, .direction = rod->finish_direction};
    return check(rig, cg_world_add_thread(rig->world, &def, &rig->thread), "adding the rod");
}

bool cg_rig_open(cg_rig *rig, const cg_rod *rod, cg_report *report)
{
    *rig = (cg_rig){.rod = *rod, .report = report};
    size_t count = (size_t)rod->vertex_count;
    rig->before = calloc(count, sizeof *rig->before);
    double *rest_lengths = calloc(count, sizeof *rest_lengths);
    bool good = rig->before && rest_lengths;
    if (!good) {
        cg_report_trouble(report, "no memory left");
    }
    if (good) {
        if (rod->positions) {
            memcpy(rig->before, rod->positions, count * sizeof *rig->before);
        } else {
            lay_straight(rig->before, rod);
        }
        good = open_world(rig) && add_rod(rig, rig->before, rest_lengths);
    }
    free(rest_lengths);
    rig->rod.positions = NULL; // the caller's array may be gone by the next look
    return good;
}

void cg_rig_close(cg_rig *rig)
{
    cg_world_destroy(rig->world);
    free(rig->before);
    rig->world = NULL;
    rig->before = NULL;
}

const cg_vec3 *cg_rig_points(const cg_rig *rig)
{
    return cg_thread_positions(rig->world, rig->thread, NULL);
}

cg_vec3 cg_rig_tip(const cg_rig *rig)
{
    return cg_rig_points(rig)[rig->rod.vertex_count - 1];
}

void cg_rig_clear_loads(cg_rig *rig)
{
    rig->load_count = 0;
}

static void add_load(cg_rig *rig, bool is_moment, int place, cg_vec3 value)
{
    if (rig->load_count == CG_RIG_MAX_LOADS) {
        cg_report_trouble(rig->report, "more loads than the rig holds");
        return;
    }
    rig->loads[rig->load_count].is_moment = is_moment;
    rig->loads[rig->load_count].place = place;
    rig->loads[rig->load_count].value = value;
    rig->load_count++;
}

void cg_rig_push(cg_rig *rig, int vertex, cg_vec3 force)
{
    add_load(rig, false, vertex, force);
}

void cg_rig_push_moment(cg_rig *rig, int segment, cg_vec3 moment)
{
    add_load(rig, true, segment, moment);
}

void cg_rig_turn_end(cg_rig *rig, cg_end end, double turn)
{
    cg_end_hold hold = cg_thread_get_end(rig->world, rig->thread, end);
    hold.turn = turn;
    check(rig, cg_thread_set_end(rig->world, rig->thread, end, &hold), "turning an end");
}

void cg_rig_step(cg_rig *rig)
{
    const cg_vec3 *points = cg_rig_points(rig);
    memcpy(rig->before, points, (size_t)rig->rod.vertex_count * sizeof *points);
    for (int i = 0; i < rig->load_count; i++) {
        cg_status status =
            rig->loads[i].is_moment
                ? cg_thread_push_moment(rig->world, rig->thread, rig->loads[i].place, rig->loads[i].value)
                : cg_thread_push_vertex(rig->world, rig->thread, rig->loads[i].place, rig->loads[i].value);
        check(rig, status, "pushing the rod");
    }
    cg_world_step(rig->world);
    points = cg_rig_points(rig);
    rig->last_move = 0;
    for (int i = 0; i < rig->rod.vertex_count; i++) {
        double move = vec_distance(points[i], rig->before[i]);
        if (!(move <= rig->last_move)) { // a NaN counts as motion too
            rig->last_move = move;
        }
    }
}

bool cg_rig_settle(cg_rig *rig, double share, int most)
{
    // A rod with mass stands still for a moment at each turn of its swing.
    int wanted = rig->rod.inertia == CG_TRUE_MASS ? 50 : 2, quiet = 0;
    for (int i = 0; i < most; i++) {
        cg_rig_step(rig);
        quiet = rig->last_move <= share * rig->rod.length ? quiet + 1 : 0;
        if (quiet == wanted) {
            return true;
        }
    }
    cg_report_trouble(rig->report, "not at rest after %d steps: the last one moved %.2g m", most, rig->last_move);
    return false;
}

// Motion of the last step in the chosen directions, one number a coordinate.
static void last_motion(const cg_rig *rig, cg_vec3 directions, cg_vec3 *motion)
{
    const cg_vec3 *points = cg_rig_points(rig);
    for (int i = 0; i < rig->rod.vertex_count; i++) {
        cg_vec3 moved = vec_sub(points[i], rig->before[i]);
        motion[i] = vec(directions.x * moved.x, directions.y * moved.y, directions.z * moved.z);
    }
}

double cg_rig_growth(cg_rig *rig, cg_vec3 directions)
{
    // Differences from step to step are looked at, not places: what does not move (a rod that may turn about its clamp,
    // a small bend that the load itself makes) then drops out.
    enum { MOST = 400, LEAST = 40 };
    int count = rig->rod.vertex_count;
    cg_vec3 *motion = calloc(2 * (size_t)count, sizeof *motion);
    if (!motion) {
        cg_report_trouble(rig->report, "no memory left");
        return NAN;
    }
    double factor = NAN;
    int unchanged = 0; // steps in a row; a single one may be a turning point on the way
    for (int step = 0; step < MOST && unchanged < 3; step++) {
        cg_vec3 *now = motion + (step % 2 ? count : 0), *last = motion + (step % 2 ? 0 : count);
        cg_rig_step(rig);
        last_motion(rig, directions, now);
        double both = 0, square = 0;
        for (int i = 0; i < count; i++) {
            both += vec_dot(now[i], last[i]);
            square += vec_dot(last[i], last[i]);
        }
        double previous = factor;
        factor = both / square;
        unchanged = step > LEAST && fabs(factor - previous) < 1e-7 ? unchanged + 1 : 0;
    }
    free(motion);
    return factor;
}

double cg_critical_load(const double *loads, const double *factors, int count, double near)
{
    enum { MOST = 16 };
    double excess[MOST];
    count = count < MOST ? count : MOST;
    for (int i = 0; i < count; i++) {
        excess[i] = factors[i] - 1;
    }
    return cg_fit_zero(loads, excess, count, near);
}

double cg_rig_mean_tension(const cg_rig *rig)
{
    int count = rig->rod.vertex_count - 1;
    double *tensions = calloc((size_t)count, sizeof *tensions);
    double mean = NAN;
    if (tensions && cg_thread_tensions(rig->world, rig->thread, tensions, count).code == CG_OK) {
        mean = 0;
        for (int i = 0; i < count; i++) {
            mean += tensions[i] / count;
        }
    }
    free(tensions);
    return mean;
}

double cg_rig_mean_torque(const cg_rig *rig)
{
    int count = rig->rod.vertex_count;
    double *torques = calloc((size_t)count, sizeof *torques);
    double mean = NAN;
    if (torques && cg_thread_torques(rig->world, rig->thread, torques, count).code == CG_OK) {
        mean = 0;
        for (int i = 1; i + 1 < count; i++) {
            mean += torques[i] / (count - 2);
        }
    }
    free(torques);
    return mean;
}

void cg_crossings_add(cg_crossings *crossings, double time, double value)
{
    if (crossings->started && (crossings->last_value < 0) != (value < 0)) {
        double share = crossings->last_value / (crossings->last_value - value);
        crossings->latest = crossings->last_time + share * (time - crossings->last_time);
        if (crossings->count == 0) {
            crossings->first = crossings->latest;
        }
        crossings->count++;
    }
    crossings->started = true;
    crossings->last_time = time;
    crossings->last_value = value;
}

double cg_crossings_period(const cg_crossings *crossings)
{
    return crossings->count < 2 ? NAN : 2 * (crossings->latest - crossings->first) / (crossings->count - 1);
}
