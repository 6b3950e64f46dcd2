// Bites that tear.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "geometry/mesh.h"
#include "harness.h"
#include "tear_rig.h"
#include "thread/slide.h"
#include "world/world.h"

enum { MOST_POINTS = 400 };
static const double SPACING = 0.5e-3, TAIL = 20e-3, THICK = 3e-3;

// A thread through a sheet from top to bottom, so far from the edge at y = 0, both ends drawn out over that edge.
typedef struct rig {
    cg_world *world;
    cg_tissue_id sheet;
    cg_thread_id thread;
    double drawn; // [m]
} rig;

static cg_tissue_def sheet_of(double resistance)
{
    cg_tissue_def sheet = cg_tissue_def_default();
    sheet.size = v3(24e-3, 16e-3, 0);
    sheet.pose.position = v3(0, -8e-3, 0); // its edge is at y = 0
    sheet.layers[0].thickness = THICK;
    sheet.layers[0].material.young = 1e6;
    sheet.layers[0].material.tear_resistance = resistance;
    sheet.spacing = 1.5e-3;
    sheet.max_nodes = 4000;
    sheet.fix_bottom = false;
    return sheet;
}

static void hold_far_edge(rig *r)
{
    int count;
    const cg_vec3 *home = cg_tissue_homes(r->world, r->sheet, &count);
    for (int i = 0; i < count; i++) {
        if (home[i].y < -15e-3) {
            CHECK_INT(cg_tissue_fix(r->world, r->sheet, i, true).code, CG_OK);
        }
    }
}

static void hold_ends(rig *r)
{
    for (int end = 0; end < 2; end++) {
        double up = end == 0 ? 1e-3 : -THICK - 1e-3;
        cg_end_hold hold = {.kind = CG_END_PINNED, .position = v3(0, TAIL + r->drawn, up)};
        CHECK_INT(cg_thread_set_end(r->world, r->thread, end == 0 ? CG_START : CG_FINISH, &hold).code, CG_OK);
    }
}

// A thread along four corners, which a stitch can hold.
static cg_thread_def thread_along(const cg_vec3 corners[4], cg_vec3 points[MOST_POINTS])
{
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = rig_lay_points(corners, 4, SPACING, points);
    thread.positions = points;
    thread.drag = 100;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    return thread;
}

// `low` is where the second hole is: at the bottom of the sheet, or in the face of its edge.
static bool make_rig_with(rig *r, const cg_tissue_def *sheet, double bite, cg_vec3 low, double time_step)
{
    cg_world_def world = cg_world_def_default();
    cg_vec3 points[MOST_POINTS],
        corners[4] = {v3(0, TAIL, 1e-3), v3(0.1e-3, -bite, 0), low, v3(0, TAIL, -THICK - 1e-3)};
    cg_thread_def thread = thread_along(corners, points);
    *r = (rig){0};
    world.gravity = v3_zero();
    world.time_step = time_step;
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.points = corners + 1;
    stitch.point_count = 2;
    if (!CHECK_STR(cg_world_create(&world, &r->world).message, "") ||
        !CHECK_STR(cg_world_add_tissue(r->world, sheet, &r->sheet).message, "") ||
        !CHECK_STR(cg_world_add_thread(r->world, &thread, &r->thread).message, "")) {
        return false;
    }
    stitch.thread = r->thread;
    stitch.tissue = r->sheet;
    hold_far_edge(r);
    hold_ends(r);
    return CHECK_STR(cg_world_add_stitch(r->world, &stitch).message, "");
}

static bool make_rig(rig *r, const cg_tissue_def *sheet, double bite)
{
    return make_rig_with(r, sheet, bite, v3(0.1e-3, -bite, -THICK), 1e-3);
}

static void step(rig *r)
{
    r->drawn += 20e-6; // 20 mm/s
    hold_ends(r);
    cg_world_step(r->world);
}

static double force_on_bite(const rig *r)
{
    cg_anchor a = {0}, b = {0};
    bool is_there = cg_world_get_anchor(r->world, 0, &a) && cg_world_get_anchor(r->world, 1, &b);
    return is_there ? v3_length(v3_add(a.force, b.force)) : 0;
}

static void check_mesh(const rig *r, double mass)
{
    const cg_tissue *tissue = cg_world_find_tissue(r->world, r->sheet);
    CHECK_STR(cg_mesh_validate(tissue->mesh).message, "");
    CHECK_NEAR(cg_mesh_total_mass(tissue->mesh), mass, 1e-9 * mass);
}

// Steps until a bite tears; the tear, or one that takes no force when nothing did.
static cg_tissue_tear draw_until_torn(rig *r, int steps)
{
    const cg_tissue_tear *tears;
    int count = 0;
    for (int k = 0; k < steps && count == 0; k++) {
        step(r);
        count = cg_world_tears(r->world, &tears);
    }
    return count > 0 ? tears[0] : (cg_tissue_tear){0};
}

// Nodes at home in the face of the edge that lie on another one.
static int count_doubled_at_edge(const rig *r)
{
    int count, doubled = 0;
    const cg_vec3 *home = cg_tissue_homes(r->world, r->sheet, &count);
    for (int i = 0; i < count; i++) {
        for (int k = i + 1; k < count && fabs(home[i].y) < 1e-6; k++) {
            doubled += v3_distance(home[i], home[k]) == 0;
        }
    }
    return doubled;
}

TEST(a_bite_tears_at_its_force_steps_down_and_comes_free_at_the_edge)
{
    rig r;
    cg_tissue_def sheet = sheet_of(0);
    sheet.tear_force = 2;
    if (!make_rig(&r, &sheet, 5e-3)) {
        return;
    }
    double mass = cg_tissue_get_summary(r.world, r.sheet).mass, least = 2;
    int begun = 0, last = -1000, through = 0, down = 0;
    for (int k = 0; k < 1000 && through == 0; k++) {
        const cg_tissue_tear *tears;
        step(&r);
        if (cg_world_tears(r.world, &tears) > 0 && tears[0].is_first) {
            CHECK_NEAR(v3_length(tears[0].pull), 2, 0.05);
            CHECK_NEAR(tears[0].bears, 2, 0);
            begun++;
            last = k;
            least = 2;
        }
        least = fmin(least, force_on_bite(&r));
        down += k == last + 20 && least < 1;
        through = cg_world_tears(r.world, &tears) > 0 && tears[0].is_through;
    }
    CHECK(begun >= 4); // it rises again each time
    CHECK(down >= begun - 2);
    CHECK_INT(through, 1);
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    check_mesh(&r, mass);
    CHECK_INT(count_doubled_at_edge(&r), 3); // the edge is parted from top to bottom
    CHECK_INT(cg_tissue_piece_count(r.world, r.sheet), 1);
    cg_tissue_summary s = cg_tissue_get_summary(r.world, r.sheet);
    CHECK_NEAR(s.torn_length, 5e-3, 0.6e-3);
    CHECK_NEAR(s.torn_area, 5e-3 * THICK, 0.6e-3 * THICK);
    for (int k = 0; k < 200; k++) {
        step(&r); // the thread is free
    }
    cg_world_stats stats = cg_world_get_stats(r.world);
    CHECK(stats.recovered_steps == 0);
    CHECK(stats.unfinished_steps <= 5); // what comes free is not caught in the tissue
    const cg_thread *thread = cg_world_find_thread(r.world, r.thread);
    CHECK_INT(thread->slide->freed_count, 0);
    cg_world_destroy(r.world);
}

// [N] that a bite bears by the law, as it is found when it tears.
static double bears_at(double bite, const cg_tissue_def *sheet)
{
    rig r;
    cg_tissue_tear tear = {0};
    if (make_rig(&r, sheet, bite)) {
        tear = draw_until_torn(&r, 600);
        CHECK_NEAR(v3_length(tear.pull), tear.bears, 0.05 * tear.bears);
    }
    cg_world_destroy(r.world);
    return tear.bears;
}

TEST(it_takes_more_force_farther_from_the_edge_by_the_square_root)
{
    cg_tissue_def sheet = sheet_of(500);
    static const double bites[3] = {1e-3, 3e-3, 6e-3};
    for (int k = 0; k < 3; k++) {
        double expected = 500 * THICK * sqrt(bites[k] / 5e-3);
        CHECK_NEAR(bears_at(bites[k], &sheet), expected, 0.05 * expected);
    }
    sheet.layers[0].material.strength = 100e3; // at 1 mm the plug before the thread is sheared off earlier
    CHECK_NEAR(bears_at(1e-3, &sheet), 100e3 * 1e-3 * THICK, 0.05 * 0.3);
}

TEST(layers_tear_by_their_own_resistance)
{
    cg_tissue_def sheet = sheet_of(600);
    sheet.layers[0].thickness = THICK * 3 / 8; // whole eighths, at which spans are looked at
    sheet.layers[1] = sheet.layers[0];
    sheet.layers[1].thickness = THICK * 5 / 8;
    sheet.layers[1].material.tear_resistance = 120;
    sheet.layer_count = 2;
    double expected = THICK * (600 * 3.0 / 8 + 120 * 5.0 / 8);
    CHECK_NEAR(bears_at(5e-3, &sheet), expected, 0.05 * expected);
    sheet.layers[1].material.tear_resistance = 0; // one that never tears holds the bite
    rig r;
    if (make_rig(&r, &sheet, 5e-3)) {
        CHECK_NEAR(draw_until_torn(&r, 200).bears, 0, 0);
        CHECK(force_on_bite(&r) > 3);
    }
    cg_world_destroy(r.world);
}

TEST(a_bite_through_the_lip_climbs_it_and_comes_free)
{
    rig r;
    cg_tissue_def sheet = sheet_of(500);
    if (!make_rig_with(&r, &sheet, 4e-3, v3(0.1e-3, 0, -2e-3), 1e-3)) {
        return;
    }
    double mass = cg_tissue_get_summary(r.world, r.sheet).mass, height = -2e-3;
    bool is_through = false;
    for (int k = 0; k < 1000 && !is_through; k++) {
        const cg_tissue_tear *tears;
        cg_anchor low;
        step(&r);
        if (cg_world_get_anchor(r.world, 1, &low)) {
            const cg_mesh *mesh = cg_world_find_tissue(r.world, r.sheet)->mesh;
            const int *n = mesh->triangles[low.triangle].nodes;
            double now = 0;
            for (int i = 0; i < 3; i++) {
                now += low.weights[i] * mesh->home[n[i]].z;
            }
            CHECK(now >= height - 0.2e-3); // it goes up in the face of the edge
            height = now;
        }
        is_through = cg_world_tears(r.world, &tears) > 0 && tears[0].is_through;
    }
    CHECK(is_through);
    CHECK(height > -1e-3);
    CHECK(count_doubled_at_edge(&r) >= 1);
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    check_mesh(&r, mass);
    cg_world_destroy(r.world);
}

TEST(a_tear_that_is_smaller_than_the_mesh_parts_the_edge_all_the_same)
{
    rig r;
    cg_tissue_def sheet = sheet_of(500);
    if (!make_rig_with(&r, &sheet, 1.2e-3, v3(0.1e-3, 0, -0.8e-3), 1e-3)) {
        return;
    }
    double mass = cg_tissue_get_summary(r.world, r.sheet).mass;
    for (int k = 0; k < 400 && cg_world_anchor_count(r.world) > 0; k++) {
        step(&r);
    }
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    CHECK(count_doubled_at_edge(&r) >= 1);
    check_mesh(&r, mass);
    cg_world_destroy(r.world);
}

TEST(a_tear_with_as_many_spans_as_there_may_be_parts_the_edge)
{
    rig r;
    cg_tissue_def sheet = sheet_of(500);
    if (!make_rig(&r, &sheet, 3e-3)) {
        return;
    }
    cg_pulled_bite bite = {
        .home = {{v3(0.1e-3, -0.7e-3, 0), v3(0.1e-3, -0.7e-3, -0.7e-3)}}, .force = 1, .way = v3(0, 1, 0)};
    cg_tear_ahead ahead = {.force = 1, .farthest = 0.7e-3};
    cg_tear tear = {.is_used = true, .count = CG_TEAR_MOST, .fixed = CG_TEAR_MOST};
    cg_mesh_point holes[2];
    for (int i = 0; i < CG_TEAR_MOST; i++) {
        tear.track[i] = bite.home; // none but the one that is to come is at the edge
    }
    cg_tissue *tissue = cg_world_find_tissue(r.world, r.sheet);
    CHECK_INT(cg_tear_go_on(&tear, tissue, &bite, &ahead, 4e-3, 0.1e-3, holes), CG_TEAR_THROUGH);
    CHECK(count_doubled_at_edge(&r) >= 1);
    cg_world_destroy(r.world);
}

TEST(a_torn_world_is_restored_and_goes_on_to_the_bit)
{
    rig r, other;
    cg_tissue_def sheet = sheet_of(500);
    if (!make_rig(&r, &sheet, 3e-3) || !make_rig(&other, &sheet, 3e-3)) {
        return;
    }
    CHECK(draw_until_torn(&r, 600).is_first);
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    CHECK_STR(cg_world_restore(other.world, bytes, size).message, "");
    other.drawn = r.drawn;
    bool is_through = false;
    for (int k = 0; k < 300; k++) {
        const cg_tissue_tear *tears;
        step(&r);
        step(&other);
        CHECK(cg_world_state_hash(r.world) == cg_world_state_hash(other.world));
        is_through = is_through || (cg_world_tears(r.world, &tears) > 0 && tears[0].is_through);
    }
    CHECK(is_through);
    CHECK(cg_tissue_get_summary(other.world, other.sheet).torn_length > 2e-3);
    free(bytes);
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}

static void check_restores_itself(const rig *r)
{
    size_t size = cg_world_snapshot_size(r->world);
    void *bytes = malloc(size);
    uint64_t hash = cg_world_state_hash(r->world);
    CHECK_STR(cg_world_snapshot(r->world, bytes, size).message, "");
    CHECK_STR(cg_world_restore(r->world, bytes, size).message, "");
    CHECK(cg_world_state_hash(r->world) == hash);
    free(bytes);
}

TEST(a_mesh_without_room_holds_the_thread)
{
    static const double time_steps[2] = {1e-3, 14e-3}; // the second: the first step of a tear cuts to the edge
    for (int n = 0; n < 2; n++) {
        rig r;
        cg_tissue_def sheet = sheet_of(500);
        sheet.max_nodes = 612; // as many as it begins with
        if (!make_rig_with(&r, &sheet, 3e-3, v3(0.1e-3, -3e-3, -THICK), time_steps[n])) {
            return;
        }
        double mass = cg_tissue_get_summary(r.world, r.sheet).mass;
        uint64_t version = 0;
        int told = 0;
        for (int k = 0; k < 400; k++) {
            const cg_tissue_tear *tears;
            step(&r);
            told += cg_world_tears(r.world, &tears) > 0 && (n == 1 || k > 350);
            version = k == 350 ? cg_tissue_topology_version(r.world, r.sheet) : version;
        }
        CHECK(force_on_bite(&r) > 1.5 * 500 * THICK * sqrt(3.0 / 5)); // it would have torn
        CHECK_INT(told, 0);
        CHECK(cg_tissue_get_summary(r.world, r.sheet).torn_length <= (n == 0 ? 3e-3 : 0)); // the first ones need none
        CHECK(cg_tissue_topology_version(r.world, r.sheet) == version);                    // it is not tried again
        CHECK_INT(cg_world_anchor_count(r.world), 2);
        check_mesh(&r, mass);
        check_restores_itself(&r);
        cg_world_destroy(r.world);
    }
}

// Nodes at home that lie on another one, farther than this from a place along the edge; all, below 0.
static int count_doubled_beyond(const rig *r, double x, double distance)
{
    int count, doubled = 0;
    const cg_vec3 *home = cg_tissue_homes(r->world, r->sheet, &count);
    for (int i = 0; i < count; i++) {
        for (int k = i + 1; k < count && fabs(home[i].x - x) > distance; k++) {
            doubled += v3_distance(home[i], home[k]) == 0;
        }
    }
    return doubled;
}

TEST(a_tear_goes_on_where_it_is_when_home_has_moved)
{
    static const double moved = 6e-3;
    rig r;
    cg_tissue_def sheet = sheet_of(500);
    sheet.bond_strength = 1e3;
    if (!make_rig(&r, &sheet, 3e-3)) {
        return;
    }
    CHECK(draw_until_torn(&r, 600).is_first);
    cg_mesh *mesh = cg_world_find_tissue(r.world, r.sheet)->mesh;
    for (int i = 0; i < mesh->node_count; i++) { // as settling does after pieces have gone elsewhere
        mesh->home[i] = v3_add(mesh->home[i], v3(moved, 0, 0));
    }
    cg_tissue_merge_bonds(r.world, r.sheet, NULL);
    for (int k = 0; k < 400 && cg_world_anchor_count(r.world) > 0; k++) {
        step(&r);
    }
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    CHECK(count_doubled_beyond(&r, moved, -1) > 0);
    CHECK_INT(count_doubled_beyond(&r, moved, 2e-3), 0);
    cg_world_destroy(r.world);
}

static cg_code restore_other(const rig *from, const rig *to)
{
    size_t size = cg_world_snapshot_size(from->world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(from->world, bytes, size).message, "");
    cg_code code = cg_world_restore(to->world, bytes, size).code;
    free(bytes);
    return code;
}

static int count_hidden(const cg_thread *thread, double from, double to)
{
    int hidden = 0;
    for (int i = 0; i < thread->segment_count; i++) {
        hidden += thread->arc[i] > from && thread->arc[i + 1] < to && thread->slide->hidden[i] != 0;
    }
    return hidden;
}

// Threads beside that of the rig, each with a bite as far from the edge.
static void add_bites(rig *r, int count, double bite)
{
    for (int k = 0; k < count; k++) {
        cg_vec3 points[MOST_POINTS];
        double x = 2e-3 * (k + 1);
        const cg_vec3 corners[4] = {v3(x, TAIL, 1e-3), v3(x, -bite, 0), v3(x, -bite, -THICK),
                                    v3(x, TAIL, -THICK - 1e-3)};
        cg_thread_def thread = thread_along(corners, points);
        cg_stitch_def stitch = cg_stitch_def_default();
        CHECK_STR(cg_world_add_thread(r->world, &thread, &stitch.thread).message, "");
        stitch.tissue = r->sheet;
        stitch.points = corners + 1;
        stitch.point_count = 2;
        CHECK_STR(cg_world_add_stitch(r->world, &stitch).message, "");
        for (int end = 0; end < 2; end++) {
            cg_end_hold hold = {.kind = CG_END_PINNED, .position = v3_add(corners[3 * end], v3(0, 0.4e-3, 0))};
            CHECK_INT(cg_thread_set_end(r->world, stitch.thread, end == 0 ? CG_START : CG_FINISH, &hold).code, CG_OK);
        }
    }
}

TEST(bites_are_told_with_their_pull_and_what_they_bear)
{
    enum { OTHERS = 2, ROOM = 8 };
    rig r;
    cg_tissue_def sheet = sheet_of(500);
    cg_tissue_bite bites[ROOM] = {0}, fewer[ROOM] = {0};
    if (!make_rig(&r, &sheet, 3e-3)) {
        return;
    }
    add_bites(&r, OTHERS, 3e-3);
    for (int k = 0; k < 10; k++) {
        step(&r);
    }
    CHECK_INT(cg_world_get_bites(r.world, bites, ROOM), 1 + OTHERS);
    CHECK_NEAR(v3_length(bites[0].pull), force_on_bite(&r), 0.1 * force_on_bite(&r));
    for (int k = 0; k <= OTHERS; k++) {
        double bears = 500 * THICK * sqrt(3e-3 / 5e-3);
        CHECK_INT(bites[k].thread.index, r.thread.index + (unsigned)k); // in their order
        CHECK(bites[k].tissue.index == r.sheet.index && bites[k].pull.y > 0);
        CHECK_NEAR(bites[k].bears, bears, 0.05 * bears);
        CHECK_NEAR(bites[k].position.x, k == 0 ? 0.1e-3 : 2e-3 * k, 0.2e-3);
        CHECK_INT(cg_world_get_bites(r.world, fewer, k), k); // as many as there is room for, the same
        CHECK(k == 0 || memcmp(&fewer[k - 1].pull, &bites[k - 1].pull, sizeof fewer->pull) == 0);
    }
    cg_world_destroy(r.world);
    sheet = sheet_of(0); // it never tears
    if (make_rig(&r, &sheet, 3e-3)) {
        step(&r);
        CHECK_INT(cg_world_get_bites(r.world, bites, ROOM), 0);
    }
    cg_world_destroy(r.world);
}

TEST(what_lies_between_two_torn_bites_is_not_free)
{
    rig r, other;
    cg_tissue_def sheet = sheet_of(500);
    if (!make_rig(&r, &sheet, 3e-3) || !make_rig(&other, &sheet, 3e-3)) {
        return;
    }
    cg_thread *thread = cg_world_find_thread(r.world, r.thread);
    cg_world_free_thread(thread, 3e-3, 4e-3);
    cg_world_free_thread(thread, 14e-3, 15e-3);
    cg_world_free_thread(thread, 4e-3, 5e-3); // meets the first
    cg_thread_update_lengths(thread);
    CHECK_INT(thread->slide->freed_count, 2);
    CHECK(count_hidden(thread, 2.9e-3, 5.1e-3) >= 3 && count_hidden(thread, 13.5e-3, 15.5e-3) >= 2);
    CHECK_INT(count_hidden(thread, 7e-3, 12e-3), 0);
    CHECK_INT(restore_other(&r, &other), CG_OK);
    CHECK(cg_world_state_hash(r.world) == cg_world_state_hash(other.world));
    step(&r); // they are clear of the sheet
    CHECK_INT(thread->slide->freed_count, 0);
    for (int k = 0; k < 2 * CG_MOST_FREED; k++) { // more than there is room for: some are one
        cg_world_free_thread(thread, 1e-3 * k, 1e-3 * k + 0.1e-3);
    }
    CHECK(thread->slide->freed_count >= 1 && thread->slide->freed_count <= CG_MOST_FREED);
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}

TEST(tears_that_cannot_be_are_refused)
{
    rig r, other;
    cg_tissue_def sheet = sheet_of(500);
    if (!make_rig(&r, &sheet, 3e-3) || !make_rig(&other, &sheet, 3e-3)) {
        return;
    }
    CHECK(draw_until_torn(&r, 600).is_first);
    cg_tear *tear = &r.world->tears[0];
    cg_tissue_slot *slot = cg_world_first_tissue(r.world);
    double *forged[5] = {&tear->area, &tear->length, &tear->track[0].ends[1].y, &slot->torn_length, &slot->torn_area};
    CHECK_INT(restore_other(&r, &other), CG_OK);
    for (int k = 0; k < 5; k++) {
        double kept = *forged[k];
        *forged[k] = -1e200;
        CHECK_INT(restore_other(&r, &other), CG_BAD_INPUT);
        *forged[k] = kept;
    }
    cg_thread_slide *slide = cg_world_find_thread(r.world, r.thread)->slide;
    cg_thread_anchor *third = &slide->anchors[slide->count++]; // of no bite, and then of one that has two already
    *third = third[-1];
    third->vertex += 5;
    third->straight[0] = third->straight[1] = false;
    third->tear = 0;
    CHECK_INT(restore_other(&r, &other), CG_OK);
    third->tear = 1;
    CHECK_INT(restore_other(&r, &other), CG_BAD_INPUT);
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}

TEST(a_step_that_tears_takes_no_memory)
{
    rig r;
    cg_tissue_def sheet = sheet_of(500);
    if (!make_rig(&r, &sheet, 3e-3)) {
        return;
    }
    CHECK(draw_until_torn(&r, 600).is_first);
    long before = test_allocations();
    for (int k = 0; k < 100; k++) {
        step(&r);
    }
    CHECK_INT(test_allocations() - before, 0);
    CHECK(cg_tissue_get_summary(r.world, r.sheet).torn_length > 1e-3);
    cg_world_destroy(r.world);
}
