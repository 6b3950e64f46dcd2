// What must hold of the set of touches: it does after every step of a world that has rows of every kind, and each of
// twenty single corruptions of each part is found.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "rows/validate.h"
#include "world/world.h"

typedef const char *find_fault(const cg_touch_set *set);

// A needle with its thread halfway through a pad, and beside it two threads that cross, one of them on a free ball and
// on a shape, and the ball on the shape.
typedef struct rig {
    cg_world *world;
    cg_rigid_id needle;
    double radius;            // [m] of the needle
    int seen[CG_TOUCH_KINDS]; // rows of each kind, over all steps
} rig;

static bool add_pad_and_needle(rig *r)
{
    cg_tissue_def pad = cg_tissue_def_default();
    cg_rigid_def body = cg_rigid_def_default();
    cg_needle needle = cg_needle_default();
    cg_tissue_id tissue;
    pad.size = v3(20e-3, 16e-3, 0);
    pad.layers[0].thickness = 6e-3;
    pad.layers[0].material.young = 200e3;
    pad.fix_rim = true;
    pad.fix_bottom = false;
    pad.pierce_force = 0.5;
    pad.pierce_cut = 0.1;
    pad.pierce_drag = 30;
    body.needle = &needle;
    body.mass = 0.5;
    body.pose.position = v3(0.3e-3, 0.2e-3, 2.5e-3);
    r->radius = needle.radius;
    return CHECK_STR(cg_world_add_tissue(r->world, &pad, &tissue).message, "") &&
           CHECK_STR(cg_world_add_rigid(r->world, &body, &r->needle).message, "");
}

static cg_thread_id add_thread(rig *r, cg_vec3 from, cg_vec3 along, int count)
{
    cg_vec3 points[64];
    cg_thread_def thread = cg_thread_def_default();
    cg_thread_id id = {0, 0};
    for (int i = 0; i < count; i++) {
        points[i] = v3_add_scaled(from, i, along);
    }
    thread.positions = points;
    thread.vertex_count = count;
    thread.drag = 100;
    thread.spacing = (cg_spacing){.follow = true, .fine = 0.5e-3, .coarse = 0.5e-3};
    CHECK_STR(cg_world_add_thread(r->world, &thread, &id).message, "");
    return id;
}

static bool add_swaged_thread(rig *r)
{
    cg_needle_state state;
    cg_needle needle;
    cg_rigid_get_needle_state(r->world, r->needle, &state);
    cg_rigid_get_needle(r->world, r->needle, &needle);
    cg_thread_id thread = add_thread(r, state.end, v3(-0.5e-3, 0, 0.1e-3), 41);
    cg_vec3 place = cg_needle_place(&needle, needle.arc);
    return CHECK_STR(cg_thread_swage(r->world, thread, CG_START, r->needle, place).message, "");
}

// The two threads are pressed together by the ground below and their own weight.
static bool add_heap(rig *r)
{
    const cg_vec3 here = v3(0.1, 0, 0);
    cg_shape_def ground = {.shape = {.kind = CG_SHAPE_HALF_SPACE}, .pose = transform_identity(), .friction = 0.3};
    cg_shape_id shape;
    cg_rigid_part part = {.shape = {.kind = CG_SHAPE_SPHERE, .radius = 1e-3}, .pose = transform_identity()};
    cg_rigid_def ball = cg_rigid_def_default();
    cg_rigid_id body;
    ball.parts = &part;
    ball.part_count = 1;
    ball.mass = 1e-3;
    ball.pose.position = v3(here.x, 2e-3, -19e-3);
    ground.pose.position = v3(0, 0, -20e-3);
    cg_status status = cg_world_add_shape(r->world, &ground, &shape);
    add_thread(r, v3_add(here, v3(-5e-3, 0, -19.8e-3)), v3(0.5e-3, 0, 0), 21);
    add_thread(r, v3_add(here, v3(0, -5e-3, -19.5e-3)), v3(0, 0.5e-3, 0), 21);
    return CHECK_STR(status.message, "") && CHECK_STR(cg_world_add_rigid(r->world, &ball, &body).message, "");
}

static void drive(rig *r)
{
    const double speed = 90e-3;
    cg_transform pose = cg_rigid_get_pose(r->world, r->needle);
    cg_rigid_info info;
    cg_rigid_get_info(r->world, r->needle, &info);
    cg_vec3 spin = v3(0, speed / r->radius, 0), velocity = v3_cross(spin, v3_sub(info.centre, pose.position));
    CHECK_STR(cg_rigid_set_state(r->world, r->needle, pose, velocity, spin).message, "");
    cg_world_step(r->world);
}

static bool make_rig(rig *r)
{
    enum { STEPS = 70 };
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 120;
    if (!CHECK_STR(cg_world_create(&def, &r->world).message, "") || !add_pad_and_needle(r) || !add_swaged_thread(r) ||
        !add_heap(r)) {
        return false;
    }
    for (int i = 0; i < STEPS; i++) {
        drive(r);
        cg_touch_set *set = &r->world->touches;
        cg_touch_list_chains(set); // vertices come and go behind the passes, and the next step begins so
        for (int k = 0; k < set->rows.count; k++) {
            r->seen[set->rows.touches[k].kind]++;
        }
        const char *fault = cg_cast_fault(set);
        fault = fault != NULL ? fault : cg_rows_fault(set);
        fault = fault != NULL ? fault : cg_search_fault(set);
        fault = fault != NULL ? fault : cg_islands_fault(set);
        CHECK_STR(fault != NULL ? fault : "", "");
    }
    return true;
}

static int found; // corruptions

// One corruption: it is found, and once it is taken back all is well.
#define SPOIL(place, value)                                                                                            \
    do {                                                                                                               \
        unsigned char kept[sizeof(place)];                                                                             \
        memcpy(kept, &(place), sizeof kept);                                                                           \
        CHECK(fault(set) == NULL);                                                                                     \
        (place) = (value);                                                                                             \
        bool is_found = fault(set) != NULL;                                                                            \
        CHECK(is_found);                                                                                               \
        found += is_found;                                                                                             \
        memcpy(&(place), kept, sizeof kept);                                                                           \
        CHECK(fault(set) == NULL);                                                                                     \
    } while (0)

static int first_of(const cg_touch_set *set, cg_touch_kind kind)
{
    for (int i = 0; i < set->rows.count; i++) {
        if (set->rows.touches[i].kind == kind) {
            return i;
        }
    }
    CHECK(false);
    return 0;
}

TEST(a_world_with_rows_of_every_kind_is_sound_after_every_step)
{
    rig r = {0};
    if (make_rig(&r)) {
        const cg_touch_set *set = &r.world->touches;
        const cg_touch_kind kinds[] = {CG_THREADS_ROW, CG_RIGID_ROW, CG_SKIN_ROW,
                                       CG_JOINT_ROW,   CG_GUIDE_ROW, CG_DRAG_ROW};
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            CHECK(r.seen[kinds[i]] > 0);
        }
        cg_touch_validate(set);
    }
    cg_world_destroy(r.world);
}

TEST(what_is_wrong_with_the_cast_is_found)
{
    rig r = {0};
    find_fault *fault = cg_cast_fault;
    found = 0;
    if (make_rig(&r)) {
        cg_touch_set *set = &r.world->touches;
        cg_cast *cast = &set->cast;
        cg_channel *channel = &cast->channels[0];
        SPOIL(cast->thread_count, set->room.threads + 1);
        SPOIL(cast->thread_count, -1);
        SPOIL(cast->threads[0]->number, 1);
        SPOIL(cast->threads[1], cast->threads[0]);
        SPOIL(cast->threads[2], NULL);
        SPOIL(cast->chains[0].count, cast->chains[0].count + 1);
        SPOIL(cast->chains[1].radius, 2 * cast->chains[1].radius);
        SPOIL(cast->rigid_count, set->room.rigids + 1);
        SPOIL(cast->rigids[0]->number, 2);
        SPOIL(cast->rigids[1], cast->rigids[0]);
        SPOIL(cast->first_free, cast->first_free + 1);
        SPOIL(cast->rigids[cast->first_free]->is_free, false);
        SPOIL(cast->part_count, cast->part_count - 1);
        SPOIL(cast->parts[2].part, 0);
        SPOIL(cast->parts[1].body, 0);
        SPOIL(cast->rod_count, set->room.rods + 1);
        SPOIL(cast->rods[0].body, 0);
        SPOIL(cast->rods[1].first_point, 0);
        SPOIL(cast->rods[0].first_moving, 0);
        SPOIL(cast->joints[0].thread, cast->thread_count);
        SPOIL(cast->joints[0].end, 2);
        SPOIL(cast->joints[0].first_part, cast->joints[0].first_part + 1);
        SPOIL(cast->skin_count, CG_TOUCH_MOST_SKINS + 1);
        SPOIL(cast->skins[0], NULL);
        SPOIL(channel->rigid, cast->rigid_count);
        SPOIL(channel->points[0].skin, 1);
        SPOIL(channel->points[0].cell, channel->points[0].cell < 0 ? 0 : -1);
        CHECK(found >= 20);
    }
    cg_world_destroy(r.world);
}

TEST(what_is_wrong_with_rows_is_found)
{
    rig r = {0};
    find_fault *fault = cg_rows_fault;
    found = 0;
    if (make_rig(&r)) {
        cg_touch_set *set = &r.world->touches;
        cg_touch_rows *rows = &set->rows;
        cg_touch *contact = &rows->touches[first_of(set, CG_THREADS_ROW)];
        cg_touch *joint = &rows->touches[first_of(set, CG_JOINT_ROW)];
        cg_touch *guide = &rows->touches[first_of(set, CG_GUIDE_ROW)];
        cg_touch *drag = &rows->touches[first_of(set, CG_DRAG_ROW)];
        SPOIL(rows->count, rows->most + 1);
        SPOIL(rows->count, -1);
        SPOIL(rows->before_count, rows->most + 1);
        SPOIL(rows->before, rows->touches);
        SPOIL(rows->guides, rows->guides + 1);
        SPOIL(rows->channel_rows, rows->guides);
        SPOIL(contact->kind, CG_SELF_ROW);
        SPOIL(joint->kind, CG_RIGID_ROW);
        SPOIL(guide->kind, CG_DRAG_ROW);
        SPOIL(drag->kind, CG_NONE_ROW);
        SPOIL(contact->pair.chain_b, set->cast.thread_count);
        SPOIL(contact->pair.segment_a, -1);
        SPOIL(contact->pair.segment_b, set->cast.threads[contact->pair.chain_b]->vertex_count);
        SPOIL(drag->pair.chain_b, cg_chain_of(CG_BODY_TISSUE, 1));
        SPOIL(rows->touches[0].pair.chain_a, rows->touches[rows->count - 1].pair.chain_a);
        SPOIL(contact->axes[0], v3(0, 0, 2));
        SPOIL(contact->axes[1], contact->axes[0]);
        SPOIL(contact->radius, 0);
        SPOIL(contact->friction, -0.1);
        SPOIL(contact->fraction[0], 1.5);
        SPOIL(contact->fraction[1], -0.5);
        SPOIL(contact->cap, 1);
        SPOIL(contact->own_give, 1e-3);
        SPOIL(guide->bias, 1);
        CHECK(found >= 20);
    }
    cg_world_destroy(r.world);
}

TEST(what_is_wrong_with_searches_is_found)
{
    rig r = {0};
    find_fault *fault = cg_search_fault;
    found = 0;
    if (make_rig(&r)) {
        cg_touch_set *set = &r.world->touches;
        cg_search *search = &set->search;
        SPOIL(search->searches, -1);
        SPOIL(search->found.count, search->found.capacity + 1);
        SPOIL(search->found.count, -1);
        SPOIL(search->last.count, search->last.capacity + 1);
        SPOIL(search->found_shapes.count, search->found_shapes.capacity + 1);
        SPOIL(search->found_skin.count, search->found_skin.capacity + 1);
        SPOIL(search->near.close_count, search->near.close_capacity + 1);
        SPOIL(search->stopper_count, CG_TOUCH_MOST_STOPPERS + 1);
        SPOIL(search->stopper_count, -1);
        SPOIL(search->motion.near, NULL);
        SPOIL(search->motion.exempt, NULL);
        SPOIL(search->motion.exempt_count, set->cast.joint_count + 1);
        SPOIL(search->motion.limit, 1.5);
        SPOIL(search->exempt[0].chain, 1);
        SPOIL(search->exempt[0].first_segment, -1);
        SPOIL(search->exempt[0].last_segment, set->cast.threads[set->cast.joints[0].thread]->vertex_count);
        SPOIL(search->exempt[0].first_shape, 0);
        SPOIL(search->motion_rule.keep, 2);
        SPOIL(search->motion_rule.freeze, 1);
        SPOIL(search->motion_rule.give, -1);
        search->stoppers[0] = (cg_segment_pair){0, 0, 1, 0};
        search->stopper_count = 1;
        SPOIL(search->stoppers[0].chain_b, set->cast.thread_count);
        SPOIL(search->stoppers[0].segment_a, 1000);
        CHECK(found >= 20);
    }
    cg_world_destroy(r.world);
}

TEST(what_is_wrong_with_islands_is_found)
{
    rig r = {0};
    find_fault *fault = cg_islands_fault;
    found = 0;
    if (make_rig(&r)) {
        cg_touch_set *set = &r.world->touches;
        cg_islands *islands = &set->islands;
        const cg_touch *crossing = &set->rows.touches[first_of(set, CG_THREADS_ROW)];
        const cg_touch *joint = &set->rows.touches[first_of(set, CG_JOINT_ROW)];
        int a = crossing->pair.chain_a, b = crossing->pair.chain_b, last = cg_mover_count(set) - 1;
        int needle = touch_mover(set, joint, 1), skins = cg_skin_node(set);
        SPOIL(islands->head[a], -1);
        SPOIL(islands->head[0], 1);
        SPOIL(islands->head[b], b);
        SPOIL(islands->head[b], last);
        SPOIL(islands->head[needle], needle);
        SPOIL(islands->head[needle], a);
        SPOIL(islands->head[skins], -2);
        SPOIL(islands->head[skins], cg_mover_count(set));
        SPOIL(islands->head[skins], -1);
        SPOIL(islands->head[skins], b);
        SPOIL(islands->group[0], -1);
        SPOIL(islands->group[0], 1);
        SPOIL(islands->group[skins], skins + 1);
        SPOIL(islands->group[b], b);
        SPOIL(islands->progress[0].whole, -1);
        SPOIL(islands->progress[a].idle, -1);
        SPOIL(islands->progress[b].limited, -1);
        SPOIL(islands->progress[needle].most, -1);
        SPOIL(islands->progress[skins].share, 1.5);
        SPOIL(islands->progress[last].share, -0.5);
        SPOIL(islands->on_skin, false);
        CHECK(found >= 20);
    }
    cg_world_destroy(r.world);
}

// The problem of the island of the needle as it would be solved, with nobody done.
static int set_up_problem(cg_touch_set *set)
{
    cg_problem *problem = &set->problem;
    problem->solved = touch_island(set, &set->rows.touches[first_of(set, CG_JOINT_ROW)]);
    problem->working_count = 0;
    for (int m = 0; m < cg_mover_count(set); m++) {
        *mover_done(set, m) = false;
    }
    for (int bilateral = 0; bilateral < 2; bilateral++) {
        for (int i = 0; i < set->rows.count; i++) {
            const cg_touch *touch = &set->rows.touches[i];
            if (touch->working && touch_is_bilateral(touch) == bilateral &&
                touch_island(set, touch) == problem->solved) {
                int w = problem->working_count++;
                problem->working[w] = i;
                memcpy(problem->axes + 9 * w, touch->axes, sizeof touch->axes);
                problem->friction[w] = touch->friction;
            }
        }
    }
    return problem->working_count;
}

TEST(what_is_wrong_with_a_problem_is_found)
{
    rig r = {0};
    find_fault *fault = cg_problem_fault;
    found = 0;
    if (make_rig(&r) && CHECK(set_up_problem(&r.world->touches) >= 4)) {
        cg_touch_set *set = &r.world->touches;
        cg_problem *problem = &set->problem;
        int last = problem->working_count - 1;
        const cg_touch *crossing = &set->rows.touches[first_of(set, CG_THREADS_ROW)];
        cg_touch *first = &set->rows.touches[problem->working[0]];
        SPOIL(problem->working_count, -1);
        SPOIL(problem->working_count, set->room.touches + 1);
        SPOIL(problem->solved, -1);
        SPOIL(problem->solved, cg_mover_count(set));
        SPOIL(problem->solved, crossing->pair.chain_b);
        SPOIL(problem->working[0], -1);
        SPOIL(problem->working[0], set->rows.count);
        SPOIL(problem->working[1], problem->working[0]);
        SPOIL(problem->working[last], problem->working[0]);
        SPOIL(problem->working[0], problem->working[last]);
        SPOIL(problem->working[0], (int)(crossing - set->rows.touches));
        SPOIL(first->working, false);
        SPOIL(first->axes[0], v3(0, 1, 0));
        SPOIL(first->friction, 2);
        SPOIL(problem->axes[5], 3);
        SPOIL(problem->friction[last], -1);
        SPOIL(*mover_done(set, touch_mover(set, first, 0)), true);
        SPOIL(problem->options.tolerance, 0);
        SPOIL(problem->options.tolerance, NAN);
        SPOIL(problem->options.max_iterations, 0);
        SPOIL(problem->options.max_pivots, -1);
        SPOIL(problem->options.patience, -1);
        SPOIL(set->islands.head[problem->solved], cg_mover_count(set));
        CHECK(found >= 20);
        problem->solved = -1;
    }
    cg_world_destroy(r.world);
}
