#include "tool/hand.h"

#include <math.h>
#include <string.h>

#include "base/transform.h"

cg_hand_def cg_hand_def_default(void)
{
    // Critical damping: 2 sqrt(1000 N/m 0.02 kg) = 8.94 N s/m.
    return (cg_hand_def){.pose = {{0, 0, 0}, {0, 0, 0, 1}},
                         .mass = 0.02,
                         .stiffness = 1000,
                         .damping = 9,
                         .max_force = 10,
                         .turn_stiffness = 0.05,
                         .max_torque = 0.02,
                         .reach = 3e-3,
                         .jaw_length = 4e-3,
                         .tool = CG_TOOL_GRASPER,
                         .grip = 5,
                         .jaw_friction = 0.8,
                         .rod_radius = 1.5e-3,
                         .rod_length = 80e-3,
                         .rod_friction = 0.2,
                         .edge = {0, 0, 8e-3},
                         .blade_width = 2.7e-3,
                         .hook_radius = 0.5e-3,
                         .hook_power = 30,
                         .hook_length = 2.4e-3};
}

// Whether a vertex is in the jaws of a hand that took the thread at `here` [m].
static bool is_in_jaws(const cg_hand *hand, const cg_thread *thread, double here, int vertex)
{
    return hand->def.grasp == CG_GRASP_ARMS ? cg_hand_is_between_arms(hand, thread->shape.position[vertex])
                                            : fabs(thread->arc[vertex] - here) <= 0.5 * hand->def.jaw_length;
}

// From the two vertices of the nearest segment the stretch grows to both sides, the nearer vertex first, as long as it
// stays in the jaws: within half a jaw of the nearest place, or between the arms.
bool cg_hand_choose_stretch(const cg_hand *hand, const cg_thread *thread, const cg_reached *reached,
                            bool (*taken)(const void *context, int vertex), const void *context, int *first, int *count)
{
    int low = reached->segment, high = reached->segment + 1;
    if (taken(context, low) || taken(context, high)) {
        return false;
    }
    double here = thread->arc[low] + reached->fraction * thread->rest_length[low];
    while (high - low + 1 < CG_HAND_MOST_VERTICES) {
        bool has_below = low > 0 && !taken(context, low - 1) && is_in_jaws(hand, thread, here, low - 1);
        bool has_above =
            high + 1 < thread->vertex_count && !taken(context, high + 1) && is_in_jaws(hand, thread, here, high + 1);
        if (!has_below && !has_above) {
            break;
        }
        if (!has_above || (has_below && here - thread->arc[low - 1] <= thread->arc[high + 1] - here)) {
            low--;
        } else {
            high++;
        }
    }
    *first = low;
    *count = high - low + 1;
    return true;
}

void cg_hand_take(cg_hand *hand, const cg_thread *thread, cg_handle handle, int first, int count)
{
    hand->thread = handle;
    hand->first = first;
    hand->count = count;
    for (int k = 0; k < count; k++) {
        hand->local[k] = transform_point_back(hand->pose, thread->shape.position[first + k]);
    }
}

void cg_hand_let_go(cg_hand *hand)
{
    hand->thread = (cg_handle){0, 0};
    hand->first = hand->count = 0;
    hand->tissue = (cg_handle){0, 0};
    hand->patch_count = 0;
    cg_hand_drop_needle(hand);
    hand->force = hand->torque = v3_zero();
    hand->is_slipping = hand->has_slid = false;
    hand->slip_speed = hand->jaw_reach = 0;
    hand->jaw = v3_zero();
    memset(hand->local, 0, sizeof hand->local);
}

static void visit_pose(cg_archive *archive, cg_transform *pose)
{
    cg_archive_vec3(archive, &pose->position);
    cg_archive_quat(archive, &pose->rotation);
}

// What else of a hand there is to visit: nothing, that what it holds has slid, or a needle.
typedef enum manner { STILL, SLID, WITH_NEEDLE } manner;

static void visit_manner(cg_archive *archive, cg_hand *hand, cg_hand_tool *tool, manner *what)
{
    manner now = cg_hand_holds_needle(hand) ? WITH_NEEDLE : (hand->has_slid ? SLID : STILL);
    cg_archive_bool(archive, &hand->closed);
    cg_archive_bool(archive, &hand->has_slipped);
    cg_archive_bool(archive, &hand->is_slipping);
    *tool = (cg_hand_tool)cg_archive_choice(archive, (int)hand->tool, 0, CG_TOOL_COUNT - 1);
    *what = (manner)cg_archive_choice(archive, (int)now, STILL, WITH_NEEDLE);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        hand->tool = *tool;
        hand->has_slid = *what == SLID;
    }
}

// What a saved state leaves out is as in a hand that has just taken its tool.
static void forget_unsaved(cg_hand *hand)
{
    hand->slip_speed = hand->jaw_reach = 0;
    hand->jaw = v3_zero();
    cg_blade_begin(&hand->blade);
}

void cg_hand_visit_state(cg_archive *archive, cg_hand *hand)
{
    int place = (int)hand->thread.index;
    visit_pose(archive, &hand->goal);
    cg_archive_double(archive, &hand->time_left);
    visit_pose(archive, &hand->command);
    visit_pose(archive, &hand->pose);
    cg_archive_vec3(archive, &hand->velocity);
    cg_archive_vec3(archive, &hand->spin);
    cg_archive_vec3(archive, &hand->force);
    cg_archive_vec3(archive, &hand->torque);
    cg_hand_tool tool;
    manner what;
    visit_manner(archive, hand, &tool, &what);
    cg_archive_int(archive, &place, 0, 10000);
    cg_archive_int(archive, &hand->first, 0, 1000000);
    int count = cg_archive_length(archive, hand->count, CG_HAND_MOST_VERTICES);
    cg_archive_vec3s(archive, hand->local, (size_t)count);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        hand->thread = (cg_handle){(unsigned)place, 0}; // the world knows the generation
        hand->count = count;
    }
    if (archive->mode == CG_ARCHIVE_LOAD) {
        forget_unsaved(hand);
    }
    if (what == SLID) {
        cg_archive_double(archive, &hand->slip_speed);
        cg_archive_vec3(archive, &hand->jaw);
        cg_archive_double(archive, &hand->jaw_reach);
    }
    cg_hand_visit_needle(archive, hand, what == WITH_NEEDLE);
    if (tool == CG_TOOL_SCALPEL) {
        cg_blade_visit_state(archive, &hand->blade);
    }
    if (cg_tool_has_body(tool, &hand->def)) {
        if (archive->mode == CG_ARCHIVE_LOAD) {
            cg_hand_make_body(hand);
        }
        bool has_jaws = cg_jaws_shape_of(tool, hand->def.grasp) != NULL;
        cg_jaws_visit_state(archive, &hand->jaws, tool == CG_TOOL_PROBE ? 1 : CG_DRIVE_BODIES, has_jaws);
    }
    if (tool == CG_TOOL_SCALPEL && cg_tool_is_solid(tool, &hand->def)) {
        cg_archive_bool(archive, &hand->jaws.bodies[CG_SOLID_WORKING].in_cut);
    }
}
