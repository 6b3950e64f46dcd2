#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"

#include "find/skin_rows.h"
#include "island/island.h"
#include "island/solve.h"
#include "island/turns.h"
#include "laws/body.h"
#include "laws/guide.h"
#include "laws/joint.h"
#include "laws/pinch.h"
#include "laws/roll.h"
#include "rows/validate.h"

// A touch that is not yet closed joins the problem when the old forces alone would bring it nearer than this (radii).
static const double JOIN = 0.02;
// And only when it is nearer than this now: the problem is solved for those that carried, and what closes all the same
// is missed and joins then. Old forces that act one segment further along move a stiff knot wildly, and would call
// twice as many as carry in the end.
static const double NEAR = 0.005;
// One that was left out is missed when it would overlap by more than this (radii).
static const double MISSED = 0.01;
// A friction problem is solved to this share of the motion that the old forces would leave, where that is less than the
// tolerance asks: else every step of a thread at rest may slip by the tolerance, and a held knot creeps (numerics N45).
static const double CALM_SHARE = 0.002;
// But no further than this (radii), where rounding begins.
static const double FINEST = 1e-10;
// A touch that sticks remembers how far it has drifted all the same, up to this (radii): errors of single steps are
// then taken back instead of adding up. More would be a play that a sliding thread has to take up when it turns back.
static const double MOST_DRIFT = 0.005;
// Taken back in a step, of the drift. All of it at once makes neighbours that stick rock against each other.
static const double DRIFT_SHARE = 0.1;
// Nearly all touches of a problem carry, so above this residual (radii) the interior-point method comes first.
static const double FAR = 0.02;
// A pass ahead is never the last one: it is solved to this residual (radii).
static const double ROUGH = 0.02;
// What the turn of a body leaves open at a joint counts so many times: joints close to some nanometres.
static const double JOINT_FIRMNESS = 100;
// [rad] A tool that turns by more than this in a pass goes elsewhere than its rows say.
static const double MOST_FORESEEN_TURN = 0.3;
enum { MOST_ROUNDS = 5 };
// Problems of an island that are solved again because threads slide otherwise than they were solved for.
enum { MOST_TURNS = 20 };
// A friction problem is begun again only with work for so many sweeps at least.
enum { FEWEST_SWEEPS = 10 };
// Multiply-adds by entry of the coupling, to fill it, to find the groups in it and to copy theirs.
enum { WORK_OF_COUPLING = 12 };

static int64_t entries_of_coupling(const cg_touch_set *set)
{
    int64_t columns = 3 * (int64_t)set->problem.working_count;
    return columns * columns;
}

bool cg_touch_may_go_on(const cg_touch_set *set)
{
    int64_t least = (WORK_OF_COUPLING + FEWEST_SWEEPS) * entries_of_coupling(set);
    return set->stats.work + least < CG_TOUCH_MOST_WORK;
}

cg_vec3 cg_touch_relative_move(const cg_touch_set *set, const cg_touch *touch)
{
    cg_site here = touch_site(touch, 0), there = touch_site(touch, 1);
    cg_vec3 apart =
        v3_sub(cg_body_kinds[here.kind]->motion(set, &here), cg_body_kinds[there.kind]->motion(set, &there));
    return set->cast.rolling ? v3_add(apart, cg_touch_roll_move(set, touch)) : apart;
}

// The same for earlier passes of this step: friction acts on the slip of the whole step.
static cg_vec3 slip_so_far(const cg_touch_set *set, const cg_touch *touch)
{
    cg_site here = touch_site(touch, 0), there = touch_site(touch, 1);
    cg_vec3 apart = v3_sub(cg_body_kinds[here.kind]->moved(set, &here), cg_body_kinds[there.kind]->moved(set, &there));
    return set->cast.rolling ? v3_add(apart, cg_touch_roll_so_far(set, touch)) : apart;
}

cg_vec3 cg_touch_slip_taken_back(const cg_touch_set *set, const cg_touch *touch)
{
    return v3_add_scaled(slip_so_far(set, touch), DRIFT_SHARE, touch->drift);
}

// It is not to be solved: it belongs to another island, or both of its sides are done in this step and its force stays.
static bool is_done(const cg_touch_set *set, const cg_touch *touch)
{
    int mover = touch_mover(set, touch, 0);
    return *mover_done(set, mover) || !is_solved(set, mover);
}

void cg_touch_move_under_forces(cg_touch_set *set)
{
    for (int kind = 0; kind < CG_BODY_KINDS; kind++) {
        cg_body_kinds[kind]->clear(set);
    }
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        bool is_part = set->problem.solved < 0 || touch_island(set, touch) == set->problem.solved;
        for (int side = 0; touch->working && is_part && side < 2; side++) {
            cg_site site = touch_site(touch, side);
            cg_body_kinds[site.kind]->push(set, &site, side == 0 ? touch->force : v3_neg(touch->force));
        }
    }
    if (set->cast.rolling) {
        cg_touch_roll_push(set);
    }
    for (int kind = 0; kind < CG_BODY_KINDS; kind++) {
        cg_body_kinds[kind]->respond(set);
    }
}

// Gap after the motion.
static double gap_after(const cg_touch_set *set, const cg_touch *touch)
{
    return touch->gap + v3_dot(touch->axes[0], cg_touch_relative_move(set, touch));
}

// Takes those out of the problem that are farthest from touching, until the others fit: what lies deepest has to be
// pushed apart first, or it sinks in until nothing may move any more.
static void leave_out_farthest(cg_touch_set *set, int count)
{
    for (; count > set->room.touches; count--) {
        cg_touch *farthest = NULL;
        for (int i = 0; i < set->rows.count; i++) {
            cg_touch *touch = &set->rows.touches[i];
            if (touch->working && touch_is_contact(touch) && !is_done(set, touch) &&
                (farthest == NULL || touch->gap >= farthest->gap)) {
                farthest = touch;
            }
        }
        if (farthest == NULL) {
            return; // joints alone, and there are no more of them than fit
        }
        farthest->working = false;
        farthest->force = v3_zero();
        set->stats.lost++;
    }
}

static void list_working(cg_touch_set *set, bool joints)
{
    for (int i = 0; i < set->rows.count && (!joints || set->cast.joint_count + set->rows.guides > 0); i++) {
        const cg_touch *touch = &set->rows.touches[i];
        if (touch->working && touch_is_bilateral(touch) == joints && !is_done(set, touch)) {
            set->problem.working[set->problem.working_count++] = i;
        }
    }
}

// Touches nearer than `limit` radii after the motion join, if they are nearer than `near` radii now. Returns by how
// many the problem has grown.
static int join_closing(cg_touch_set *set, double limit, double near)
{
    int before = 0, joined = 0;
    for (int i = 0; i < set->rows.count; i++) {
        cg_touch *touch = &set->rows.touches[i];
        double radius = cg_touch_radius(set, touch);
        if (is_done(set, touch)) {
            continue;
        }
        before += touch->working;
        if (!touch->working && touch->gap < near * radius && gap_after(set, touch) < limit * radius) {
            touch->working = true;
            joined++;
        }
    }
    leave_out_farthest(set, before + joined);
    set->problem.working_count = 0;
    list_working(set, false);
    list_working(set, true);
    return set->problem.working_count - before;
}

static void build_coupling(cg_touch_set *set)
{
    size_t columns = 3 * (size_t)set->problem.working_count;
    set->stats.work += WORK_OF_COUPLING * entries_of_coupling(set);
    set->problem.is_uneven = false;
    for (int w = 0; w < set->problem.working_count; w++) {
        memcpy(set->problem.axes + 9 * w, set->rows.touches[set->problem.working[w]].axes, 9 * sizeof(double));
    }
    for (int kind = 0; kind < CG_BODY_KINDS; kind++) {
        cg_body_kinds[kind]->couple(set);
    }
    if (set->cast.rolling) {
        cg_touch_roll_couple(set);
    }
    if (set->rows.channel_rows > 0) {
        cg_touch_mask_channels(set);
    }
    for (int w = 0; w < set->problem.working_count; w++) {
        set->problem.coupling[3 * (size_t)w * (columns + 1)] +=
            cg_touch_squeeze_give(set, &set->rows.touches[set->problem.working[w]]);
    }
}

void cg_touch_couple(cg_touch_set *set)
{
    assert(set->problem.working_count <= set->room.touches);
    build_coupling(set);
}

static bool is_ahead(const cg_touch_set *set, const cg_touch *touch)
{
    return set->islands.progress[touch_mover(set, touch, 0)].is_ahead;
}

// Rows of the coupling that are summed up side by side: each sum has to wait for its own last term only.
enum { ROWS_AT_ONCE = 12 };

static inline __attribute__((always_inline)) void take_off_rows(cg_touch_set *set, size_t first, size_t count)
{
    size_t columns = 3 * (size_t)set->problem.working_count;
    const double *rows = set->problem.coupling + first * columns, *force = set->problem.force;
    double sum[ROWS_AT_ONCE] = {0};
    for (size_t c = 0; c < columns; c++) {
        for (size_t r = 0; r < count; r++) {
            sum[r] += rows[r * columns + c] * force[c];
        }
    }
    for (size_t r = 0; r < count; r++) {
        set->problem.free_motion[first + r] -= sum[r];
    }
}

// What the present forces do at the touches is taken off their motions.
static void take_off_effect(cg_touch_set *set)
{
    size_t columns = 3 * (size_t)set->problem.working_count, first = 0;
    for (; first + ROWS_AT_ONCE <= columns; first += ROWS_AT_ONCE) {
        take_off_rows(set, first, ROWS_AT_ONCE);
    }
    for (; first < columns; first += 3) {
        take_off_rows(set, first, 3);
    }
}

// How much of an overlap is taken back: half of it in a step. A thread that sweeps past a free body comes nearer by its
// turn times its slide, which no row foresees: such a pass is stopped after a small share of its way, gives up some of
// the distance, and takes back next to nothing, until the pair is so near that nothing may move. So after a pass that
// was stopped, half of it is taken back in a share as small as that one; up to so many times as fast. Not between jaws,
// which would push a thread out.
static const double MOST_HURRY = 200;

static double part_taken_back(const cg_touch_set *set, const cg_touch *touch)
{
    int body = touch_body(touch, 1, CG_BODY_RIGID);
    if (touch_thread(touch, 0) < 0 || body < set->cast.first_free || set->cast.rigids[body]->drive != NULL) {
        return 0.5;
    }
    double share = set->islands.progress[touch_mover(set, touch, 0)].share;
    return share * MOST_HURRY > 1 ? 0.5 / share : 0.5 * MOST_HURRY;
}

// The gap of a touch that was found ahead is none that could be taken back.
double cg_touch_gap_taken_back(const cg_touch_set *set, const cg_touch *touch)
{
    bool is_open = touch->gap > 0 || is_ahead(set, touch);
    return (is_open ? 1 : part_taken_back(set, touch)) * touch->gap;
}

// c = motion under the present forces, less what those forces do; the normal part with the gap, the tangential part
// with the slip of earlier passes and some of the drift.
static void fill_problem(cg_touch_set *set)
{
    for (int w = 0; w < set->problem.working_count; w++) {
        const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        cg_vec3 move = cg_touch_relative_move(set, touch);
        cg_vec3 slip = cg_touch_slip_taken_back(set, touch);
        double *motion = set->problem.free_motion + 3 * w, *force = set->problem.force + 3 * w;
        motion[0] = v3_dot(touch->axes[0], move) + cg_touch_gap_taken_back(set, touch);
        for (int k = 0; k < 3; k++) {
            motion[k] = k == 0 ? motion[0] : v3_dot(touch->axes[k], v3_add(move, slip));
            force[k] = v3_dot(touch->axes[k], touch->force);
        }
        motion[0] += cg_touch_squeeze_give(set, touch) * force[0]; // no motion has it
        if (touch_is_joint(touch)) {
            cg_vec3 apart = v3_add(move, cg_touch_joint_gap(touch));
            for (int k = 0; k < 3; k++) {
                motion[k] = v3_dot(touch->axes[k], apart);
            }
        }
        if (set->rows.channel_rows > 0) {
            cg_touch_fill_channel(set, w, move, slip, motion, force);
        }
        set->problem.friction[w] = touch->friction;
    }
    take_off_effect(set);
}

static void take_forces(cg_touch_set *set)
{
    cg_touch_solve_joints(set);
    for (int w = 0; w < set->problem.working_count; w++) {
        cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        touch->force = v3_zero();
        for (int k = 0; k < 3; k++) {
            if (k == 1 || !touch_is_drag(touch)) { // the others of a drag are none
                touch->force = v3_add_scaled(touch->force, set->problem.force[3 * w + k] + touch->bias, touch->axes[k]);
            }
        }
    }
}

// The radius of the thinnest thread that has a part in the problem.
static double length_scale(const cg_touch_set *set)
{
    double least = HUGE_VAL;
    for (int w = 0; w < set->problem.working_count; w++) {
        least = fmin(least, cg_touch_radius(set, &set->rows.touches[set->problem.working[w]]));
    }
    return least;
}

// How far the friction problem has to be solved, in radii, and how far it should be.
static double enough_for(const cg_touch_set *set)
{
    return set->islands.progress[set->problem.solved].is_ahead && set->problem.options.tolerance < ROUGH
               ? ROUGH
               : set->problem.options.tolerance;
}

static double tolerance_for(const cg_touch_set *set)
{
    double furthest = 0, enough = enough_for(set);
    for (int w = 0; w < set->problem.working_count; w++) {
        const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        double motion = touch_is_bilateral(touch)
                            ? 0
                            : v3_length(v3_add(cg_touch_relative_move(set, touch), slip_so_far(set, touch)));
        furthest = motion > furthest ? motion : furthest;
    }
    double calm = CALM_SHARE * furthest / length_scale(set);
    calm = calm > FINEST ? calm : FINEST;
    return calm < enough && !set->islands.progress[set->problem.solved].is_ahead ? calm : enough;
}

static void count_solve(cg_touch_set *set, const cg_friction_result *result)
{
    set->stats.iterations += result->iterations;
    set->stats.pivots += result->pivots;
    set->stats.work += result->work;
}

// What is left of the step's work for a friction problem; never less than what the hardest one of a knot needs, so that
// the forces of a step that has to end are right all the same. Tangles of more contacts get a few sweeps.
static int64_t work_left(const cg_touch_set *set)
{
    bool is_tangle = set->problem.working_count > CG_FRICTION_NEWTON_LIMIT;
    int64_t left = CG_TOUCH_MOST_WORK - set->stats.work;
    int64_t least = is_tangle ? FEWEST_SWEEPS * entries_of_coupling(set) : CG_TOUCH_PROBLEM_WORK;
    return left > least ? left : least;
}

// Friction problems have their coupling by columns.
static void turn_coupling(cg_touch_set *set, int contacts)
{
    size_t size = 3 * (size_t)contacts;
    for (size_t r = 0; set->problem.is_uneven && r < size; r++) {
        for (size_t c = 0; c < r; c++) {
            double kept = set->problem.coupling[r * size + c];
            set->problem.coupling[r * size + c] = set->problem.coupling[c * size + r];
            set->problem.coupling[c * size + r] = kept;
        }
    }
}

// From the old forces, and where that fails, which is rare, from none: the way there is another one.
static void solve_friction(cg_touch_set *set)
{
    int contacts = cg_touch_take_joints_out(set);
    turn_coupling(set, contacts);
    cg_friction_problem problem = {
        contacts,          set->problem.coupling, set->problem.free_motion, set->problem.friction,
        length_scale(set), set->problem.force,    set->problem.is_uneven};
    if (contacts == 0) {
        take_forces(set);
        return;
    }
    cg_friction_options options = set->problem.options;
    options.tolerance = tolerance_for(set);
    options.enough = enough_for(set);
    options.far = FAR;
    options.max_work = work_left(set);
    cg_friction_result result = cg_friction_solve(&problem, &options, &set->problem.friction_work);
    count_solve(set, &result);
    take_forces(set);
    if (!(result.residual <= options.enough) && cg_touch_may_go_on(set)) {
        options.max_work = work_left(set);
        memset(set->problem.force, 0, 3 * sizeof(double) * (size_t)set->problem.working_count);
        cg_friction_result again = cg_friction_solve(&problem, &options, &set->problem.friction_work);
        count_solve(set, &again);
        if (again.residual < result.residual) {
            result = again;
            take_forces(set);
        }
    }
    if (!set->islands.progress[set->problem.solved].is_ahead) {
        set->stats.unconverged += !(result.residual <= options.enough);
        set->stats.residual = result.residual > set->stats.residual ? result.residual : set->stats.residual;
    }
}

// Touches that did not push are out of the problem until they close.
static void rest_idle(cg_touch_set *set)
{
    for (int i = 0; i < set->rows.count; i++) {
        cg_touch *touch = &set->rows.touches[i];
        bool pushes = v3_dot(touch->force, touch->axes[0]) > 0 || !touch_is_contact(touch);
        if (touch->working && !is_done(set, touch) && !pushes) {
            touch->working = false;
            touch->force = v3_zero();
        }
    }
}

static double bend_at(const cg_touch_set *set, const cg_touch *touch)
{
    double bend = 0;
    for (int side = 0; side < 2; side++) {
        cg_site site = touch_site(touch, side);
        bend += cg_body_kinds[site.kind]->bend != NULL ? cg_body_kinds[site.kind]->bend(set, &site) : 0.0;
    }
    return bend;
}

// Both sides are round: where they slide along each other the gap opens by the square of it. A turn adds its own.
static double missed_gap(const cg_touch_set *set, const cg_touch *touch)
{
    double radius = cg_touch_radius(set, touch);
    if (touch_is_joint(touch)) {
        double open = v3_length(v3_add(cg_touch_joint_gap(touch), cg_touch_relative_move(set, touch)));
        return JOINT_FIRMNESS * (open + bend_at(set, touch)) / radius;
    }
    cg_vec3 slide = cg_touch_relative_move(set, touch);
    if (!touch_is_contact(touch)) {
        return touch_is_guide(touch) ? cg_touch_guide_missed(touch, slide) + bend_at(set, touch) / radius : 0;
    }
    slide = v3_add_scaled(slide, -v3_dot(slide, touch->axes[0]), touch->axes[0]);
    slide = touch_skin(touch) >= 0 ? cg_touch_skin_slide(set, touch, slide) : slide;
    return v3_dot(slide, slide) / (4 * radius * radius) + bend_at(set, touch) / radius;
}

static void note_result(cg_touch_set *set)
{
    set->stats.working = 0;
    for (int i = 0; i < set->rows.count; i++) {
        cg_touch *touch = &set->rows.touches[i];
        set->stats.working += touch->working && touch_is_contact(touch);
        touch->missed = touch->working && !is_done(set, touch) ? missed_gap(set, touch) : 0.0;
    }
}

// True when the old forces turn a tool farther than any row foresees. They are those of a problem that was not solved,
// as of a wedge that friction locks: what they do would be taken off a motion that they do not make, so that they grow
// from pass to pass and nothing moves any more.
static bool is_tool_thrown_round(const cg_touch_set *set)
{
    bool is_any = false;
    for (int k = set->cast.first_free; k < set->cast.rigid_count && !is_any; k++) {
        const cg_rigid *body = set->cast.rigids[k];
        bool is_going = is_solved(set, set->cast.thread_count + k - set->cast.first_free) && !body->done;
        is_any = is_going && body->drive != NULL && v3_length(body->way) > MOST_FORESEEN_TURN;
    }
    return is_any;
}

static void forget_forces(cg_touch_set *set)
{
    for (int i = 0; i < set->rows.count; i++) {
        cg_touch *touch = &set->rows.touches[i];
        touch->force = is_done(set, touch) ? touch->force : v3_zero();
    }
    cg_touch_move_under_forces(set);
}

// The problem of one island. What was left out and closes all the same joins, and it is solved again; likewise where
// threads slide otherwise than it was solved for. Without work for that the forces stay as they were solved last.
static void solve_island(cg_touch_set *set, int head)
{
    set->problem.solved = head;
    if (is_tool_thrown_round(set)) {
        forget_forces(set);
    }
    join_closing(set, JOIN, NEAR);
    for (int round = 0, turns = 0; set->problem.working_count > 0 && round < MOST_ROUNDS;) {
        cg_touch_keep_forces(set);
        build_coupling(set);
        fill_problem(set);
        assert(cg_problem_fault(set) == NULL);
        solve_friction(set);
        cg_touch_move_under_forces(set);
        set->stats.rounds++;
        bool is_again = cg_touch_has_turned(set);
        if (is_again && cg_touch_may_go_on(set)) {
            is_again = (turns < MOST_TURNS && cg_touch_go_down(set)) || cg_touch_jam(set);
        } else if (!is_again) {
            is_again = turns < MOST_TURNS && cg_touch_is_open_when_jammed(set);
        }
        if (join_closing(set, -MISSED, HUGE_VAL) <= 0 && !is_again) {
            break;
        }
        if (!cg_touch_may_go_on(set)) {
            set->stats.unconverged++; // what joined has no force yet, or what turned is open
            break;
        }
        turns += is_again;
        round += !is_again;
    }
    set->problem.solved = -1;
}

// What is led feels the forces of all islands.
static void load_led_bodies(cg_touch_set *set)
{
    for (int k = 0; k < set->cast.first_free; k++) {
        set->cast.rigids[k]->force = set->cast.rigids[k]->torque = v3_zero();
    }
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        cg_site site = touch_site(touch, 1);
        if (touch->working && site.kind == CG_BODY_RIGID && site.body < set->cast.first_free) {
            cg_rigid_verbs.push(set, &site, v3_neg(touch->force));
        }
    }
}

// And so do threads with a model.
static void load_models(cg_touch_set *set)
{
    for (int c = 0; c < set->cast.thread_count; c++) {
        if (set->cast.threads[c]->model != NULL) {
            memset(set->cast.threads[c]->contact, 0, sizeof(cg_vec3) * (size_t)set->cast.threads[c]->vertex_count);
        }
    }
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        for (int side = 0; touch->working && side < 2; side++) {
            cg_site site = touch_site(touch, side);
            if (site.kind == CG_BODY_THREAD && set->cast.threads[site.body]->model != NULL) {
                cg_thread_verbs.push(set, &site, side == 0 ? touch->force : v3_neg(touch->force));
            }
        }
    }
}

void cg_touch_solve(cg_touch_set *set)
{
    assert(set->problem.solved < 0);
    cg_touch_free_jammed(set);
    cg_touch_move_under_forces(set);
    rest_idle(set);
    set->stats.rounds = 0;
    cg_coupling_begin(&set->problem.coupling_work);
    for (int head = 0; head < cg_mover_count(set); head++) {
        if (set->islands.head[head] == head && !*mover_done(set, head)) {
            solve_island(set, head);
        }
    }
    cg_coupling_end(&set->problem.coupling_work);
    load_led_bodies(set);
    load_models(set);
    note_result(set);
}

// The drift of a touch after the step: what lies across the normal, shortened to its bound; none when it let go.
static cg_vec3 next_drift(const cg_touch_set *set, const cg_touch *touch)
{
    if (!touch->working || !touch_is_contact(touch) || !(v3_dot(touch->force, touch->axes[0]) > 0)) {
        return v3_zero();
    }
    double most = MOST_DRIFT * cg_touch_radius(set, touch);
    cg_vec3 drift = v3_add(touch->drift, slip_so_far(set, touch));
    drift = v3_add_scaled(drift, -v3_dot(drift, touch->axes[0]), touch->axes[0]);
    double length = v3_length(drift);
    return length > most ? v3_scale(most / length, drift) : drift;
}

void cg_touch_end_step(cg_touch_set *set)
{
    assert(set->problem.solved < 0);
    for (int i = 0; i < set->rows.count; i++) {
        set->rows.touches[i].drift = next_drift(set, &set->rows.touches[i]);
    }
}
