// What is observed of a world, as a row of numbers.
#include <math.h>
#include <string.h>

#include "base/mat3.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/vec3.h"
#include "batch/batch.h"
#include "catgut/suture.h"
#include "record/suture_items.h"
#include "world/world.h"

enum { MOST_POINTS = 10000 };

typedef struct observable {
    const char *name;
    int width;
    bool counted;
} observable;

static const observable observables[CG_OBSERVE_COUNT] = {
#define CG_OBSERVABLE(name, place, width, counted, text) [CG_OBSERVE_##name] = {#name, width, counted},
#include "catgut/observations.def"
#undef CG_OBSERVABLE
};

const char *cg_observable_name(int what)
{
    return what >= 0 && what < CG_OBSERVE_COUNT ? observables[what].name : NULL;
}

int cg_observed_width(const cg_observed *observed)
{
    if (observed->what < 0 || observed->what >= CG_OBSERVE_COUNT) {
        return 0;
    }
    const observable *about = &observables[observed->what];
    if (!about->counted) {
        return about->width;
    }
    return observed->count >= 1 && observed->count <= MOST_POINTS ? about->width * observed->count : 0;
}

// Pieces of rows

static void put_vector(double *numbers, cg_vec3 v)
{
    numbers[0] = v.x;
    numbers[1] = v.y;
    numbers[2] = v.z;
}

static void put_pose(double *numbers, cg_transform pose)
{
    cg_mat3 turn = quat_to_mat3(pose.rotation);
    put_vector(numbers, pose.position);
    put_vector(numbers + 3, m3_column(turn, 0));
    put_vector(numbers + 6, m3_column(turn, 1));
}

static void put_holds(const cg_session *session, int place, const cg_hand_state *state, double *numbers)
{
    bool thread = state->thread.index != 0, tissue = state->tissue.index != 0, body = state->body.index != 0;
    if (state->has_jaws) {
        cg_recorded_grip grip = cg_jaws_grip(cg_session_world(session), place);
        thread = grip.thread >= 0;
        tissue = grip.tissue >= 0;
        body = grip.body >= 0;
    }
    numbers[0] = thread;
    numbers[1] = tissue;
    numbers[2] = body;
}

static void observe_hand(const cg_session *session, const cg_observed *observed, double *numbers)
{
    cg_hand_id id = cg_session_hand(session, observed->place);
    cg_hand_state state = cg_hand_get_state(cg_session_world(session), id);
    switch (observed->what) {
    case CG_OBSERVE_hand_pose:
        put_pose(numbers, state.pose);
        break;
    case CG_OBSERVE_hand_opening:
        numbers[0] = state.has_jaws ? state.opening : !state.closed;
        break;
    case CG_OBSERVE_hand_force:
        put_vector(numbers, state.force);
        break;
    default:
        put_holds(session, observed->place, &state, numbers);
        break;
    }
}

// The arc length of a point of `count` that are spread evenly; one alone is in the middle.
static double arc_of(int point, int count, double length)
{
    return count > 1 ? length * point / (count - 1) : 0.5 * length;
}

static void observe_thread(const cg_session *session, const cg_observed *observed, double *numbers)
{
    const cg_world *world = cg_session_world(session);
    cg_thread_id id = cg_session_thread(session, observed->place);
    int vertices = 0;
    const cg_vec3 *points = cg_thread_positions(world, id, &vertices);
    const double *arcs = cg_thread_arcs(world, id, NULL);
    if (points == NULL) {
        return;
    }
    for (int i = 0; i < observed->count; i++) {
        double share;
        int segment = cg_thread_segment_at(world, id, arc_of(i, observed->count, arcs[vertices - 1]), &share);
        put_vector(numbers + 3 * i,
                   v3_add_scaled(points[segment], share, v3_sub(points[segment + 1], points[segment])));
    }
}

static void observe_tensions(const cg_session *session, const cg_observed *observed, double *numbers)
{
    const cg_world *world = cg_session_world(session);
    cg_thread_id id = cg_session_thread(session, observed->place);
    cg_allocator allocator = {0};
    int vertices = 0;
    const double *arcs = cg_thread_arcs(world, id, &vertices);
    double *tensions = arcs != NULL ? cg_memory_take(&allocator, (size_t)vertices * sizeof *tensions) : NULL;
    if (tensions == NULL || cg_thread_tensions(world, id, tensions, vertices - 1).code != CG_OK) {
        cg_memory_give(&allocator, tensions);
        return;
    }
    for (int i = 0; i < observed->count; i++) {
        double arc = arc_of(i, observed->count, arcs[vertices - 1]);
        numbers[i] = tensions[cg_thread_segment_at(world, id, arc, NULL)];
    }
    cg_memory_give(&allocator, tensions);
}

static void observe_anchors(const cg_session *session, const cg_observed *observed, double *numbers)
{
    const cg_world *world = cg_session_world(session);
    cg_thread_id id = cg_session_thread(session, observed->place);
    cg_anchor anchor;
    for (int i = 0; cg_world_get_anchor(world, i, &anchor); i++) {
        if (anchor.thread.index == id.index) {
            numbers[0] += 1;
            numbers[1] = fmax(numbers[1], v3_length(anchor.force));
        }
    }
}

static void observe_body(const cg_session *session, const cg_observed *observed, double *numbers)
{
    const cg_world *world = cg_session_world(session);
    cg_rigid_id id = cg_world_rigid_at(world, observed->place);
    cg_rigid_info info;
    cg_piercing piercing;
    if (observed->what == CG_OBSERVE_body_pose) {
        put_pose(numbers, cg_rigid_get_pose(world, id));
    } else if (observed->what == CG_OBSERVE_body_motion && cg_rigid_get_info(world, id, &info)) {
        put_vector(numbers, info.velocity);
        put_vector(numbers + 3, info.spin);
    } else if (observed->what == CG_OBSERVE_needle_inside && cg_rigid_get_piercing(world, id, &piercing)) {
        numbers[0] = piercing.is_inside;
        numbers[1] = piercing.depth;
        numbers[2] = piercing.tip_force;
    }
}

static void observe_wound(const cg_session *session, const cg_observed *observed, double *numbers)
{
    cg_wound_gap gap = cg_tissue_wound_gap(cg_session_world(session), cg_session_tissue(session, observed->place),
                                           observed->point, observed->along, observed->depth);
    numbers[0] = gap.is_there ? gap.least : -1;
    numbers[1] = gap.is_there ? gap.top : -1;
    numbers[2] = gap.is_there ? gap.step : -1;
}

static void observe_targets(const cg_task *task, uint64_t seed, uint64_t reached, int count, double *numbers)
{
    if (task == NULL) {
        return;
    }
    cg_task_marks marks = cg_task_get_marks(task, seed);
    const cg_vec3 *places = marks.target_count > 0 ? marks.targets : marks.line;
    int there = marks.target_count > 0 ? marks.target_count : marks.line_count;
    for (int i = 0; i < count && i < there; i++) {
        put_vector(numbers + 4 * i, places[i]);
        numbers[4 * i + 3] = (double)((reached >> i) & 1);
    }
    if (there == 0 && marks.has_dish && count > 0) {
        put_vector(numbers, marks.dish);
    }
}

static void observe_one(const cg_session *session, const cg_task *task, uint64_t seed, uint64_t reached,
                        const cg_observed *observed, double *numbers)
{
    switch (observed->what) {
    case CG_OBSERVE_time:
        numbers[0] = cg_world_time(cg_session_world(session));
        break;
    case CG_OBSERVE_hand_pose:
    case CG_OBSERVE_hand_opening:
    case CG_OBSERVE_hand_force:
    case CG_OBSERVE_hand_holds:
        observe_hand(session, observed, numbers);
        break;
    case CG_OBSERVE_thread_points:
        observe_thread(session, observed, numbers);
        break;
    case CG_OBSERVE_thread_tensions:
        observe_tensions(session, observed, numbers);
        break;
    case CG_OBSERVE_body_pose:
    case CG_OBSERVE_body_motion:
    case CG_OBSERVE_needle_inside:
        observe_body(session, observed, numbers);
        break;
    case CG_OBSERVE_wound:
        observe_wound(session, observed, numbers);
        break;
    case CG_OBSERVE_targets:
        observe_targets(task, seed, reached, observed->count, numbers);
        break;
    case CG_OBSERVE_anchors:
        observe_anchors(session, observed, numbers);
        break;
    default:
        break;
    }
}

void cg_observe(const cg_session *session, const cg_task *task, uint64_t seed, uint64_t reached,
                const cg_observed *observed, int count, double *numbers)
{
    for (int i = 0; i < count; i++) {
        int width = cg_observed_width(&observed[i]);
        memset(numbers, 0, (size_t)width * sizeof *numbers);
        observe_one(session, task, seed, reached, &observed[i], numbers);
        numbers += width;
    }
}
