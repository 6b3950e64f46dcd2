// A suture passer and the thread in its eye: taken through a pad either way, its holes are the thread's; taken back the
// way it came, they are not. The shaft pierces and drags as a needle does, so what is looked at here is the eye.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "operation/fields.h"

// [m]
static const double PAD_BOTTOM = -5e-3, EYE_BEHIND = 2.5e-3;

typedef struct rig {
    cg_scene *scene;
    cg_world *world;
    cg_hand_id hand;
    cg_thread_id thread;
} rig;

// A pad of 5 mm, and the end of a thread at a height [mm] beside the axis of the passer, whose tip begins at another.
static rig make_rig(double end, double tip)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "{\"gravity\": [0, 0, 0], \"max_contacts\": 300, \"threads\": [{\"name\": \"thread\", \"suture\": \"3-0 "
        "nylon\", "
        "\"spacing\": \"0.5 mm\", \"drag\": 30, \"friction\": 0.1, \"follow\": {\"fine\": \"0.5 mm\", \"coarse\": "
        "\"0.5 mm\"}, \"shape\": {\"line\": {\"from\": [\"0.85 mm\", 0, \"%g mm\"], \"to\": [\"50 mm\", 0, \"%g "
        "mm\"]}}}], "
        "\"tissues\": [{\"name\": \"pad\", \"pad\": {\"length\": \"26 mm\", \"width\": \"26 mm\"}, "
        "\"layers\": [{\"material\": \"skin\", \"youngs_modulus\": \"200 kPa\", \"thickness\": \"2 mm\"}, "
        "{\"material\": "
        "\"fat\", \"youngs_modulus\": \"20 kPa\", \"thickness\": \"3 mm\"}], \"spacing\": \"2 mm\", \"fix_rim\": true, "
        "\"fix_bottom\": false, \"friction\": 0.1, \"pierce_force\": \"0.3 N\", \"pierce_cut\": \"0.08 N\", "
        "\"pierce_drag\": \"15 N/m\"}], \"hands\": [{\"name\": \"right\", \"tool\": \"suture_passer\", \"position\": "
        "[0, 0, \"%g mm\"], \"reach\": \"1.5 mm\", \"max_force\": \"8 N\", \"stiffness\": \"3000 N/m\", "
        "\"turn_stiffness\": 0.5, \"max_torque\": 0.1}]}",
        end, end + (end > 0 ? 8 : -8), tip);
    rig r = {0};
    cg_scene_error error;
    if (!CHECK_STR(cg_scene_read(text, strlen(text), "passer", NULL, NULL, &r.scene, &error).message, "") ||
        !CHECK_STR(cg_scene_build(r.scene, NULL, &r.world).message, "")) {
        exit(1);
    }
    r.hand = cg_operation_hand(r.world, 0);
    r.thread = cg_operation_thread(r.world, 0);
    return r;
}

static void end_rig(const rig *r)
{
    CHECK_INT(cg_world_get_stats(r->world).unfinished_steps, 0);
    CHECK_INT(cg_world_get_stats(r->world).refused_handovers, 0);
    CHECK_INT(cg_world_get_stats(r->world).recovered_steps, 0);
    cg_world_destroy(r->world);
    cg_scene_free(r->scene);
}

// The tip goes to a height [mm], by 10 mm in a second.
static void go(const rig *r, double height)
{
    cg_transform pose = cg_hand_get_state(r->world, r->hand).command;
    double time = fabs(1e-3 * height - pose.position.z) / 10e-3;
    pose.position.z = 1e-3 * height;
    CHECK_STR(cg_hand_move(r->world, r->hand, pose, time).message, "");
    for (int i = 0; i < (int)(1000 * time) + 50; i++) {
        cg_world_step(r->world);
    }
}

static double end_height(const rig *r)
{
    int count;
    return cg_thread_positions(r->world, r->thread, &count)[0].z;
}

static bool holds(const rig *r)
{
    return cg_hand_get_state(r->world, r->hand).vertex_count > 0;
}

static void close_on(const rig *r, bool something)
{
    CHECK_STR(cg_hand_close(r->world, r->hand).message, "");
    CHECK(cg_hand_get_state(r->world, r->hand).closed);
    CHECK_INT(holds(r), something);
}

static void let_go(const rig *r)
{
    CHECK_STR(cg_hand_open(r->world, r->hand).message, "");
    CHECK(!holds(r));
}

TEST(a_thread_is_taken_through_a_pad_and_let_go)
{
    rig r = make_rig(27.5, 25);
    close_on(&r, true);
    cg_hand_state state = cg_hand_get_state(r.world, r.hand);
    CHECK_INT(state.thread.index, r.thread.index);
    CHECK_INT(state.first_vertex, 0);
    CHECK_INT(state.body.index, 0); // its shaft is its own
    go(&r, 1);
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    go(&r, -5.5); // the eye is in the pad
    CHECK_INT(cg_world_anchor_count(r.world), 1);
    go(&r, -14);
    CHECK_INT(cg_world_anchor_count(r.world), 2);
    CHECK_NEAR(end_height(&r), -14e-3 + EYE_BEHIND, 0.2e-3);
    let_go(&r);
    go(&r, 15); // the passer is out, and the thread stays
    CHECK_INT(cg_world_anchor_count(r.world), 2);
    CHECK(end_height(&r) < PAD_BOTTOM - 3e-3);
    end_rig(&r);
}

TEST(a_thread_on_the_other_side_is_drawn_back_through_the_pad)
{
    rig r = make_rig(-11.5, 10);
    close_on(&r, false); // it is far away
    let_go(&r);
    go(&r, -14);
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    close_on(&r, true);
    go(&r, -7); // the eye is in the pad, the tip below it
    CHECK_INT(cg_world_anchor_count(r.world), 1);
    go(&r, 12);
    CHECK_INT(cg_world_anchor_count(r.world), 2);
    CHECK_NEAR(end_height(&r), 12e-3 + EYE_BEHIND, 0.2e-3);
    let_go(&r);
    go(&r, 25);
    CHECK_INT(cg_world_anchor_count(r.world), 2);
    CHECK(end_height(&r) > 10e-3);
    end_rig(&r);
}

// While the eye is in the pad the thread is straight from there to its hole, and goes back with it.
TEST(an_eye_that_goes_back_the_way_it_came_gives_its_hole_back)
{
    const double depths[] = {-4.5, -6, -7};
    for (int i = 0; i < test_counts(3, 1, 3); i++) {
        rig r = make_rig(27.5, 25);
        close_on(&r, true);
        go(&r, depths[i]);
        CHECK_INT(cg_world_anchor_count(r.world), 1);
        go(&r, 10);
        CHECK_INT(cg_world_anchor_count(r.world), 0);
        CHECK(holds(&r));
        CHECK_NEAR(end_height(&r), 10e-3 + EYE_BEHIND, 0.3e-3);
        end_rig(&r);
    }
}

TEST(a_state_with_a_thread_in_the_eye_has_the_same_future)
{
    rig a = make_rig(27.5, 25), b = make_rig(27.5, 25);
    close_on(&a, true);
    go(&a, -6); // between both holes
    size_t size = cg_world_snapshot_size(a.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(a.world, bytes, size).message, "");
    CHECK_STR(cg_world_restore(b.world, bytes, size).message, "");
    free(bytes);
    CHECK(holds(&b));
    CHECK_HASH(cg_world_state_hash(b.world), cg_world_state_hash(a.world));
    rig *both[] = {&a, &b};
    for (int i = 0; i < 2; i++) {
        go(both[i], -14);
        let_go(both[i]);
        go(both[i], 5);
        CHECK_INT(cg_world_anchor_count(both[i]->world), 2);
    }
    CHECK_HASH(cg_world_state_hash(b.world), cg_world_state_hash(a.world));
    end_rig(&a);
    end_rig(&b);
}

TEST(a_passer_belongs_to_its_hand)
{
    rig r = make_rig(27.5, 25);
    CHECK(strstr(cg_hand_set_tool(r.world, r.hand, CG_TOOL_PROBE).message, "belongs to its hand") != NULL);
    cg_hand_def def = cg_hand_def_default();
    cg_hand_id other;
    def.pose.position = v3(30e-3, 0, 30e-3);
    CHECK_STR(cg_world_add_hand(r.world, &def, &other).message, "");
    CHECK(strstr(cg_hand_set_tool(r.world, other, CG_TOOL_SUTURE_PASSER).message, "belongs to its hand") != NULL);
    close_on(&r, true);
    CHECK_STR(cg_world_remove_hand(r.world, r.hand).message, ""); // its shaft goes with it, and the thread is free
    cg_swage_info info;
    CHECK(!cg_thread_get_swage(r.world, r.thread, CG_START, &info));
    for (int i = 0; i < 20; i++) {
        cg_world_step(r.world);
    }
    CHECK_NEAR(end_height(&r), 27.5e-3, 1e-4);
    end_rig(&r);
    cg_world *bare;
    cg_world_def world = cg_world_def_default();
    world.max_contacts = 0;
    CHECK_STR(cg_world_create(&world, &bare).message, "");
    def.tool = CG_TOOL_SUTURE_PASSER;
    CHECK(strstr(cg_world_add_hand(bare, &def, &other).message, "needs contacts") != NULL);
    cg_world_destroy(bare);
}
