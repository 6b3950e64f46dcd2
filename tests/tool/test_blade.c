// A blade that moves through tissue: what it cuts does not depend on how fast it goes, it leaves no bridges, it is
// felt.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "harness.h"
#include "tool/blade.h"

static const double STEP = 1e-3;

static cg_tissue *make(cg_tissue_def def)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    CHECK_STR(cg_tissue_create(&def, &allocator, &tissue).message, "");
    return tissue;
}

static cg_tissue_def pad_def(double spacing)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(24e-3, 12e-3, 0);
    def.spacing = spacing;
    def.layers[0].thickness = 4e-3;
    def.max_nodes = 6000;
    return def;
}

// Moves the edge by `way` at a speed [m/s]; the tissue moves along.
static void draw(cg_blade *blade, cg_tissue *tissue, cg_edge *edge, cg_vec3 way, double speed)
{
    int steps = (int)ceil(v3_length(way) / (speed * STEP));
    cg_vec3 each = v3_scale(1.0 / steps, way);
    for (int i = 0; i < steps; i++) {
        cg_edge after = {v3_add(edge->tip, each), v3_add(edge->heel, each)};
        cg_tissue_step(tissue, STEP, v3_zero());
        cg_blade_sweep(blade, tissue, *edge, after, STEP);
        *edge = after;
    }
}

// The farthest node at home, along x, that a cut doubled.
static double end_of_cut(const cg_mesh *mesh)
{
    double x = -1;
    for (int i = 0; i < mesh->node_count; i++) {
        for (int j = i + 1; j < mesh->node_count; j++) {
            if (v3_distance(mesh->home[i], mesh->home[j]) < 1e-12) {
                x = fmax(x, mesh->home[i].x);
            }
        }
    }
    return x;
}

static double widest_gap(const cg_mesh *mesh)
{
    double widest = 0;
    for (int i = 0; i < mesh->node_count; i++) {
        for (int j = i + 1; j < mesh->node_count; j++) {
            if (v3_distance(mesh->home[i], mesh->home[j]) < 1e-12) {
                widest = fmax(widest, v3_distance(mesh->position[i], mesh->position[j]));
            }
        }
    }
    return widest;
}

// Lowered into the pad, drawn along it and lifted again, at speeds of two orders: the same area within some percent of
// the same strip cut in one call, no more new nodes, and not beyond the blade.
TEST(a_cut_does_not_depend_on_the_speed_of_the_blade)
{
    const double depth = 2.6e-3, x = -7e-3, y = 0.31e-3, length = 13e-3;
    cg_tissue *whole = make(pad_def(1e-3));
    int nodes = whole->mesh->node_count;
    cg_vec3 path[2] = {{x, y, 1e-3}, {x + length, y, 1e-3}}, down[2] = {{0, 0, -1e-3 - depth}, {0, 0, -1e-3 - depth}};
    cg_mesh_blade strip = {.path = path, .down = down, .count = 2, .snap = 0.3};
    cg_mesh_cut_result result;
    CHECK_STR(cg_tissue_cut_along(whole, &strip, &result).message, "");
    int splits = whole->mesh->node_count - nodes;
    CHECK(result.area > 0.6 * length * depth && result.area < 1.05 * length * depth);
    const double speeds[] = {0.03, 0.3, 3};
    for (int k = test_is_sanitized() ? 1 : 0; k < 3; k++) {
        cg_tissue *pad = make(pad_def(1e-3));
        cg_blade blade;
        cg_edge edge = {{x, y, 3e-3}, {x, y, 11e-3}};
        cg_blade_begin(&blade);
        draw(&blade, pad, &edge, v3(0, 0, -3e-3 - depth), speeds[k]);
        CHECK(blade.area == 0); // along itself it cuts nothing
        draw(&blade, pad, &edge, v3(length, 0, 0), speeds[k]);
        CHECK_NEAR(blade.inside, depth, 0.15 * depth);
        double reached = blade.track[blade.count - 1].tip.x, end = end_of_cut(pad->mesh);
        CHECK(end < reached + 0.3e-3 && end > reached - 1.5e-3);
        draw(&blade, pad, &edge, v3(0, 0, 3e-3 + depth), speeds[k]);
        CHECK(blade.inside == 0 && blade.count == 0);
        cg_blade_end(&blade, pad);
        CHECK_NEAR(blade.area, result.area, 0.08 * result.area);
        CHECK(pad->mesh->node_count - nodes < 1.1 * splits);
        CHECK(blade.cuts < 60 && blade.full == 0);
        CHECK_STR(cg_mesh_validate(pad->mesh).message, "");
        CHECK_INT(pad->stats.recovered_steps, 0);
        cg_tissue_destroy(pad);
    }
    cg_tissue_destroy(whole);
}

static int cut_through(cg_tissue_def def, cg_edge edge, cg_vec3 way, double speed)
{
    cg_tissue *tissue = make(def);
    cg_blade blade;
    cg_blade_begin(&blade);
    draw(&blade, tissue, &edge, way, speed);
    cg_blade_end(&blade, tissue);
    CHECK_STR(cg_mesh_validate(tissue->mesh).message, "");
    int pieces = cg_tissue_find_pieces(tissue);
    cg_tissue_destroy(tissue);
    return pieces;
}

// However far it goes in a step, and whichever way it is turned.
TEST(a_fast_blade_leaves_no_bridge)
{
    cg_tissue_def pad = pad_def(2e-3), vessel = pad, box = pad, grid = pad;
    cg_edge upright = {{-20e-3, 0.7e-3, -8e-3}, {-20e-3, 0.7e-3, 8e-3}}; // drawn along x
    cg_edge level = {{-20e-3, 0.7e-3, 9e-3}, {20e-3, 0.7e-3, 9e-3}};     // brought down flat
    cg_edge across = {{0.9e-3, -20e-3, 15e-3}, {0.9e-3, 20e-3, 15e-3}};
    vessel.shape = CG_TISSUE_VESSEL;
    vessel.radius = 4e-3;
    vessel.wall = 1.5e-3;
    vessel.length = 20e-3;
    vessel.spacing = 1.5e-3;
    box.shape = CG_TISSUE_BOX;
    box.size.z = 6e-3;
    grid.shape = CG_TISSUE_GRID;
    grid.model = CG_TISSUE_SHEET;
    grid.layers[0].thickness = 0.5e-3;
    pad.layers[0].material.toughness = box.layers[0].material.toughness = 0;
    vessel.layers[0].material.toughness = grid.layers[0].material.toughness = 0; // nothing moves away from the blade
    const double speeds[] = {0.3, 2, 40};
    for (int k = test_is_sanitized() ? 1 : 0; k < 3; k++) {
        CHECK_INT(cut_through(pad, upright, v3(40e-3, 0, 0), speeds[k]), 2);
        CHECK_INT(cut_through(pad, level, v3(0, 0, -20e-3), speeds[k]), 2);
        CHECK_INT(cut_through(box, level, v3(0, 0, -40e-3), speeds[k]), 2);
        CHECK_INT(cut_through(vessel, across, v3(0, 0, -30e-3), speeds[k]), 2);
        CHECK_INT(cut_through(grid, upright, v3(40e-3, 0, 0), speeds[k]), 2);
        CHECK_INT(cut_through(grid, level, v3(0, 0, -20e-3), speeds[k]), 2);
    }
}

// Work of the blade is toughness by area; the tissue gets the opposite of what the blade feels.
TEST(a_blade_is_held_back_by_the_toughness_of_what_it_cuts)
{
    cg_tissue_def def = pad_def(1e-3);
    def.layers[0].material.young = 1e6;
    def.layers[0].material.toughness = 400;
    cg_tissue *pad = make(def);
    cg_blade blade;
    cg_edge edge = {{-16e-3, 0.2e-3, -6e-3}, {-16e-3, 0.2e-3, 4e-3}};
    double work = 0, way = 0;
    cg_blade_begin(&blade);
    while (edge.tip.x < 6e-3) {
        cg_vec3 before = edge.tip;
        draw(&blade, pad, &edge, v3(0.1e-3, 0, 0), 0.1);
        cg_vec3 pushed = v3_zero();
        for (int i = 0; i < pad->mesh->node_count; i++) {
            pushed = v3_add(pushed, pad->push[i]);
        }
        CHECK(v3_length(v3_add(pushed, blade.force)) < 1e-12);
        CHECK(fabs(blade.force.z) < 1e-9); // never along the edge
        if (edge.tip.x > -6e-3) {
            work -= v3_dot(blade.force, v3_sub(edge.tip, before));
            way += edge.tip.x - before.x;
        }
    }
    CHECK_NEAR(work / way, 400 * 4e-3, 0.12 * 400 * 4e-3);
    cg_tissue_destroy(pad);
}

// Behind the blade the cut opens by the tension of the skin, while the blade goes on.
TEST(a_cut_opens_behind_the_blade)
{
    cg_tissue_def def = pad_def(1.5e-3);
    def.fix_bottom = false;
    def.fix_rim = true;
    def.tension = 0.1;
    cg_tissue *pad = make(def);
    cg_blade blade;
    cg_edge edge = {{-6e-3, 0.2e-3, -6e-3}, {-6e-3, 0.2e-3, 4e-3}};
    cg_blade_begin(&blade);
    draw(&blade, pad, &edge, v3(6e-3, 0, 0), 0.05);
    double half = widest_gap(pad->mesh);
    draw(&blade, pad, &edge, v3(6e-3, 0, 0), 0.05);
    double whole = widest_gap(pad->mesh);
    // twice the length opens twice as far, 2 L e in a wide sheet; the ends of the cut are a grain short
    CHECK(half > 0.3e-3 && half < 1.2e-3);
    CHECK(whole > 1.3 * half && whole < 2.4e-3);
    cg_tissue_destroy(pad);
}

static size_t save(cg_blade *blade, unsigned char *bytes, size_t room)
{
    cg_archive archive = cg_archive_to_save(bytes, room);
    cg_archive_begin(&archive, 1);
    cg_blade_visit_state(&archive, blade);
    CHECK_STR(cg_archive_end(&archive).message, "");
    return cg_archive_size(&archive);
}

TEST(a_blade_that_was_saved_goes_on_with_the_same_bits)
{
    static unsigned char bytes[2][16384];
    cg_tissue *pad = make(pad_def(2e-3));
    cg_blade blade, other;
    cg_edge edge = {{-14e-3, 0.2e-3, -2e-3}, {-14e-3, 0.2e-3, 4e-3}};
    cg_blade_begin(&blade);
    draw(&blade, pad, &edge, v3(9e-3, 0, 0), 0.2);
    CHECK(blade.count > 1);
    size_t size = save(&blade, bytes[0], sizeof bytes[0]);
    memset(&other, 0, sizeof other);
    cg_archive archive = cg_archive_to_load(bytes[0], size);
    cg_archive_begin(&archive, 1);
    cg_blade_visit_state(&archive, &other);
    CHECK_STR(cg_archive_end(&archive).message, "");
    CHECK(save(&other, bytes[1], sizeof bytes[1]) == size && memcmp(bytes[0], bytes[1], size) == 0);
    // Both go on, each in its own pad that was cut alike.
    cg_tissue *twin = make(pad_def(2e-3));
    cg_blade first;
    cg_edge twin_edge = {{-14e-3, 0.2e-3, -2e-3}, {-14e-3, 0.2e-3, 4e-3}};
    cg_blade_begin(&first);
    draw(&first, twin, &twin_edge, v3(9e-3, 0, 0), 0.2);
    uint64_t cuts = blade.cuts;
    draw(&blade, pad, &edge, v3(10e-3, 1e-3, 0.5e-3), 0.2);
    draw(&other, twin, &twin_edge, v3(10e-3, 1e-3, 0.5e-3), 0.2);
    cg_blade_end(&blade, pad);
    cg_blade_end(&other, twin);
    CHECK(blade.cuts > cuts && blade.area > 0);
    size = save(&blade, bytes[0], sizeof bytes[0]);
    CHECK(save(&other, bytes[1], sizeof bytes[1]) == size && memcmp(bytes[0], bytes[1], size) == 0);
    int nodes = pad->mesh->node_count;
    CHECK_INT(twin->mesh->node_count, nodes);
    CHECK(memcmp(pad->mesh->position, twin->mesh->position, (size_t)nodes * sizeof *pad->mesh->position) == 0);
    cg_tissue_destroy(twin);
    cg_tissue_destroy(pad);
}

// Numbers that are none, a blade of no length, standing still, a blade left in when it ends, a full mesh.
TEST(no_blade_breaks_the_mesh)
{
    cg_tissue_def def = pad_def(2e-3);
    def.max_nodes = 310;
    cg_tissue *pad = make(def);
    cg_blade blade;
    cg_edge in = {{0, 0.2e-3, -3e-3}, {0, 0.2e-3, 5e-3}}, out = {{20e-3, 0.2e-3, -3e-3}, {20e-3, 0.2e-3, 5e-3}};
    cg_edge bad = in, point = {in.tip, in.tip};
    bad.heel.y = NAN;
    cg_blade_begin(&blade);
    cg_blade_sweep(&blade, pad, in, bad, STEP);
    cg_blade_sweep(&blade, pad, bad, in, STEP);
    cg_blade_sweep(&blade, pad, in, in, STEP);
    cg_blade_sweep(&blade, pad, point, point, STEP);
    cg_blade_sweep(&blade, pad, point, (cg_edge){out.tip, out.tip}, STEP);
    CHECK_INT(cg_tissue_find_pieces(pad), 1);
    CHECK(blade.area == 0);
    cg_blade_sweep(&blade, pad, (cg_edge){{-1e5, 0, 0}, {-1e5, 0, 1}}, (cg_edge){{1e5, 0, 0}, {1e5, 0, 1}}, STEP);
    CHECK_STR(cg_mesh_validate(pad->mesh).message, "");
    for (int k = 0; k < 8; k++) {
        double y = -5e-3 + 1.3e-3 * k;
        cg_edge from = {{-20e-3, y, -6e-3}, {-20e-3, y, 6e-3}}, to = {{20e-3, -y, -6e-3}, {20e-3, -y, 6e-3}};
        cg_blade_sweep(&blade, pad, from, to, STEP);
        cg_blade_end(&blade, pad);
        CHECK_STR(cg_mesh_validate(pad->mesh).message, "");
        cg_tissue_step(pad, STEP, v3(0, 0, -9.81));
    }
    CHECK(blade.full > 0);
    CHECK_INT(pad->stats.recovered_steps, 0);
    cg_blade_end(&blade, NULL);
    cg_tissue_destroy(pad);
}
