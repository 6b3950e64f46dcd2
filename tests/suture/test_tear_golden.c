// label: golden
// A bite that tears to the edge, the thread that comes clear of the tear, and a scalpel through its tail: the same bits
// with every compiler.
#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "tear_rig.h"
#include "thread/slide.h"
#include "world/world.h"

enum { MOST_POINTS = 200 };
static const double TAIL = 12e-3, THICK = 2e-3, BITE = 2e-3;

typedef struct rig {
    cg_world *world;
    cg_tissue_id sheet;
    cg_thread_id thread;
    cg_hand_id hands[2], scalpel;
} rig;

static void add_sheet(rig *r)
{
    cg_tissue_def sheet = cg_tissue_def_default();
    sheet.size = v3(12e-3, 8e-3, 0);
    sheet.pose.position = v3(0, -4e-3, 0); // its edge is at y = 0
    sheet.layers[0].thickness = THICK;
    sheet.layers[0].material.young = 500e3;
    sheet.layers[0].material.tear_resistance = 150;
    sheet.spacing = 2e-3;
    sheet.max_nodes = 600;
    sheet.fix_bottom = false;
    CHECK_STR(cg_world_add_tissue(r->world, &sheet, &r->sheet).message, "");
    int count;
    const cg_vec3 *home = cg_tissue_homes(r->world, r->sheet, &count);
    for (int i = 0; i < count; i++) {
        if (home[i].y < -7e-3) {
            CHECK_STR(cg_tissue_fix(r->world, r->sheet, i, true).message, "");
        }
    }
}

static void add_thread(rig *r)
{
    cg_thread_def thread = cg_thread_def_default();
    cg_stitch_def stitch = cg_stitch_def_default();
    cg_vec3 points[MOST_POINTS],
        corners[4] = {v3(0, TAIL, 1e-3), v3(0.3e-3, -BITE, 0), v3(0.1e-3, -BITE, -THICK), v3(0, TAIL, -THICK - 1e-3)};
    thread.vertex_count = rig_lay_points(corners, 4, 0.5e-3, points);
    thread.positions = points;
    thread.drag = 100;
    thread.spacing = (cg_spacing){.follow = true, .fine = 0.5e-3, .coarse = 0.5e-3};
    CHECK_STR(cg_world_add_thread(r->world, &thread, &r->thread).message, "");
    CHECK_STR(cg_world_reserve_parts(r->world, r->thread, 1).message, "");
    stitch.thread = r->thread;
    stitch.tissue = r->sheet;
    stitch.points = corners + 1;
    stitch.point_count = 2;
    CHECK_STR(cg_world_add_stitch(r->world, &stitch).message, "");
    for (int end = 0; end < 2; end++) {
        cg_hand_def hand = cg_hand_def_default();
        hand.pose.position = corners[3 * end];
        CHECK_STR(cg_world_add_hand(r->world, &hand, &r->hands[end]).message, "");
        CHECK_STR(cg_hand_close(r->world, r->hands[end]).message, "");
        cg_transform to = {v3_add(hand.pose.position, v3(0, 8e-3, 0)), quat_identity()};
        CHECK_STR(cg_hand_move(r->world, r->hands[end], to, 0.1).message, "");
    }
}

static void add_scalpel(rig *r)
{
    cg_hand_def scalpel = cg_hand_def_default();
    scalpel.tool = CG_TOOL_SCALPEL;
    scalpel.edge = v3(0, 0, 4e-3);
    scalpel.blade_width = 0; // the edge alone
    scalpel.pose.position = v3(-3e-3, 15e-3, -1e-3);
    CHECK_STR(cg_world_add_hand(r->world, &scalpel, &r->scalpel).message, "");
    CHECK_STR(cg_hand_close(r->world, r->scalpel).message, "");
    cg_transform to = {v3(3e-3, 15e-3, -1e-3), quat_identity()};
    CHECK_STR(cg_hand_move(r->world, r->scalpel, to, 0.01).message, "");
}

TEST(a_tear_to_the_edge_and_a_slice_make_the_same_bits)
{
    rig r = {0};
    cg_world_def def = cg_world_def_default();
    int through = 0;
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    add_sheet(&r);
    add_thread(&r);
    for (int k = 0; k < 150; k++) {
        const cg_tissue_tear *tears;
        if (k == 130) {
            add_scalpel(&r);
        }
        cg_world_step(r.world);
        through += cg_world_tears(r.world, &tears) > 0 && tears[0].is_through;
    }
    CHECK_INT(through, 1);
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    CHECK_INT(cg_world_count_threads(r.world), 2);
    CHECK_STR(cg_mesh_validate(cg_world_find_tissue(r.world, r.sheet)->mesh).message, "");
    CHECK_GOLDEN(cg_world_state_hash(r.world));
    cg_world_destroy(r.world);
}
