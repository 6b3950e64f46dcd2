#include <string.h>

#include "experiments/rig.h"
#include "show/show.h"
#include "support/special.h"
#include "support/statistics.h"
#include "support/vector.h"

// Turns of the end and approach of the ends in the four stages of the picture. Farther than this the coil would snap
// and its legs touch, which the thread cannot feel yet.
static const double stage_turns[CG_SHOW_STAGES] = {1.9, 2.1, 2.1, 2.1};
static const double stage_approach[CG_SHOW_STAGES] = {0, 0.03, 0.2, 0.43};

static void describe(cg_rod *rod, cg_show_twist *twist)
{
    cg_thread_def nylon = cg_thread_def_default();
    double area = CG_PI * nylon.radius * nylon.radius;
    *rod = cg_rod_default();
    rod->vertex_count = CG_SHOW_VERTICES;
    rod->length = twist->length;
    rod->bend = nylon.youngs_modulus * area * nylon.radius * nylon.radius / 4;
    rod->twist = rod->bend / (1 + nylon.poisson_ratio);
    rod->stretch = nylon.youngs_modulus * area;
    rod->start = rod->finish = CG_END_CLAMPED;
    rod->start_direction = rod->finish_direction = vec(1, 0, 0);
    rod->sluggishness = 200;
}

static bool move_end(cg_rig *rig, double turns, double approach)
{
    cg_end_hold hold = cg_thread_get_end(rig->world, rig->thread, CG_FINISH);
    hold.turn = 2 * CG_PI * turns;
    hold.position = vec(rig->rod.length * (1 - approach), 0, 0);
    cg_status status = cg_thread_set_end(rig->world, rig->thread, CG_FINISH, &hold);
    if (status.code != CG_OK) {
        cg_report_trouble(rig->report, "moving an end: %s", status.message);
    }
    return status.code == CG_OK && cg_rig_settle(rig, 1e-8, 4000);
}

static double off_line(const cg_rig *rig)
{
    double largest = 0;
    for (int i = 0; i < rig->rod.vertex_count; i++) {
        cg_vec3 point = cg_rig_points(rig)[i];
        largest = fmax(largest, hypot(point.y, point.z));
    }
    return largest;
}

// Just beyond buckling the square of the deflection grows in proportion to the turns in excess, so a smooth curve
// through the squares leads back to where the thread left its line. The ends do not approach, so the deflection stays
// below the thickness of the thread: only stretch makes room for it.
static bool find_buckling(cg_rig *rig, cg_show_twist *twist)
{
    enum { STEPS = 64 };
    double turns[STEPS], squares[STEPS];
    int count = 0;
    for (int i = 0; i < STEPS; i++) {
        double now = 1.9 + 0.005 * i;
        if (!move_end(rig, now, 0)) {
            return false;
        }
        double aside = off_line(rig);
        if (aside > 1e-4 * rig->rod.length) {
            turns[count] = now;
            squares[count++] = aside * aside;
        }
    }
    if (count < 8) {
        cg_report_trouble(rig->report, "the twisted thread did not leave its line");
        return false;
    }
    twist->buckling_turns = cg_fit_zero(turns, squares, count, turns[0]);
    return true;
}

// A line of the material along the thread: carried from segment to segment without turning, plus the twist of the
// torque.
static void find_directors(cg_show_stage *stage, const cg_rig *rig)
{
    double twist_per_length = stage->torque / rig->rod.twist;
    double segment = rig->rod.length / (CG_SHOW_VERTICES - 1), angle = 0;
    cg_vec3 carried = vec(0, 0, 1);
    for (int i = 0; i < CG_SHOW_VERTICES; i++) {
        int before = i > 0 ? i - 1 : 0, after = i + 1 < CG_SHOW_VERTICES ? i + 1 : i;
        cg_vec3 along = vec_unit(vec_sub(stage->points[after], stage->points[before]));
        carried = vec_unit(vec_sub(carried, vec_scale(vec_dot(carried, along), along)));
        stage->directors[i] = vec_add(vec_scale(cos(angle), carried), vec_scale(sin(angle), vec_cross(along, carried)));
        angle += twist_per_length * segment;
    }
}

static void keep_stage(cg_show_stage *stage, const cg_rig *rig, int number)
{
    stage->turns = stage_turns[number];
    stage->approach = stage_approach[number];
    stage->torque = cg_rig_mean_torque(rig);
    memcpy(stage->points, cg_rig_points(rig), sizeof stage->points);
    find_directors(stage, rig);
}

static double steepest_angle(const cg_show_stage *stage)
{
    double steepest = 0;
    for (int i = 0; i + 1 < CG_SHOW_VERTICES; i++) {
        cg_vec3 along = vec_sub(stage->points[i + 1], stage->points[i]);
        steepest = fmax(steepest, atan2(hypot(along.y, along.z), along.x));
    }
    return steepest * 180 / CG_PI;
}

static bool run_stages(cg_rig *rig, cg_show_twist *twist)
{
    enum { WAY = 60 };
    double turns = 0, approach = 0;
    for (int k = 0; k < CG_SHOW_STAGES; k++) {
        double turns_before = turns, approach_before = approach;
        for (int i = 1; i <= WAY; i++) {
            double share = (double)i / WAY;
            turns = turns_before + share * (stage_turns[k] - turns_before);
            approach = approach_before + share * (stage_approach[k] - approach_before);
            if (!move_end(rig, turns, approach)) {
                return false;
            }
        }
        keep_stage(&twist->stages[k], rig, k);
    }
    twist->steepest_angle = steepest_angle(&twist->stages[CG_SHOW_STAGES - 1]);
    return true;
}

static bool with_new_rig(cg_show_twist *twist, cg_report *report, bool (*use)(cg_rig *rig, cg_show_twist *twist))
{
    cg_rod rod;
    cg_rig rig;
    describe(&rod, twist);
    bool good = cg_rig_open(&rig, &rod, report);
    if (good) {
        // A breath of air, a millionth of what would bend the thread by its length: nothing leaves a line unprompted.
        double breath = 1e-6 * rod.bend / (rod.length * rod.length);
        cg_rig_push(&rig, CG_SHOW_VERTICES * 2 / 5, vec(0, 0.3 * breath, breath));
        good = use(&rig, twist);
    }
    cg_rig_close(&rig);
    return good;
}

bool cg_show_run_twist(cg_show_twist *twist, cg_report *report)
{
    cg_thread_def nylon = cg_thread_def_default();
    twist->length = 0.2;
    twist->exact_buckling_turns = 2 * cg_root_of_tan_x_equals_x() * (1 + nylon.poisson_ratio) / (2 * CG_PI);
    return with_new_rig(twist, report, find_buckling) && with_new_rig(twist, report, run_stages);
}
