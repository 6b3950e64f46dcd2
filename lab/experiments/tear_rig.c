#include "experiments/tear_rig.h"

#include <math.h>

#include "support/vector.h"

enum { MOST_POINTS = 1000 };
static const double SPACING = 0.5e-3; // [m] of the thread

cg_tear_setup cg_tear_setup_sheet(const cg_tissue_layer *layer, double bite, double spacing)
{
    cg_tissue_def sheet = cg_tissue_def_default();
    sheet.size = vec(24e-3, 16e-3, 0);
    sheet.pose.position = vec(0, -8e-3, 0);
    sheet.layers[0] = *layer;
    sheet.spacing = spacing;
    sheet.fix_bottom = false;
    sheet.max_nodes = 6000;
    double low = -layer->thickness, up = 0.05; // the ends leave the sheet a little
    cg_vec3 over = vec(0, sqrt(1 - up * up), up), under = vec(0, sqrt(1 - up * up), -up);
    return (cg_tear_setup){.tissue = sheet,
                           .held = -15e-3,
                           .holes = {vec(0.1e-3, -bite, 0), vec(0.1e-3, -bite, low)},
                           .ways = {over, under},
                           .tail = 25e-3,
                           .radius = 0.1e-3,
                           .speed = 20e-3};
}

static cg_vec3 end_of(const cg_tear_rig *rig, int end)
{
    const cg_tear_setup *s = &rig->setup;
    return vec_add(s->holes[end], vec_scale(s->tail + rig->drawn, s->ways[end]));
}

static int lay_points(const cg_vec3 corners[4], cg_vec3 *points)
{
    int n = 0;
    for (int k = 0; k < 3; k++) {
        cg_vec3 way = vec_sub(corners[k + 1], corners[k]);
        int parts = (int)ceil(vec_length(way) / SPACING);
        for (int i = 0; i < parts && n + 1 < MOST_POINTS; i++) {
            points[n++] = vec_add(corners[k], vec_scale((double)i / parts, way));
        }
    }
    points[n++] = corners[3];
    return n;
}

static void hold_ends(cg_tear_rig *rig)
{
    for (int end = 0; end < 2; end++) {
        cg_end_hold hold = {.kind = CG_END_PINNED, .position = end_of(rig, end)};
        cg_thread_set_end(rig->world, rig->thread, end == 0 ? CG_START : CG_FINISH, &hold);
    }
}

static cg_status add_thread(cg_tear_rig *rig)
{
    const cg_tear_setup *s = &rig->setup;
    cg_vec3 points[MOST_POINTS], corners[4] = {end_of(rig, 0), s->holes[0], s->holes[1], end_of(rig, 1)};
    cg_thread_def thread = cg_thread_def_default();
    thread.positions = points;
    thread.vertex_count = lay_points(corners, points);
    thread.radius = s->radius;
    thread.drag = 100;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    thread.breaking_force = s->breaks;
    cg_status status = cg_world_add_thread(rig->world, &thread, &rig->thread);
    if (status.code == CG_OK && s->breaks > 0) {
        status = cg_world_reserve_parts(rig->world, rig->thread, 2);
    }
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.thread = rig->thread;
    stitch.tissue = rig->tissue;
    stitch.points = s->holes;
    stitch.point_count = 2;
    return status.code == CG_OK ? cg_world_add_stitch(rig->world, &stitch) : status;
}

static void hold_far_nodes(cg_tear_rig *rig)
{
    int count;
    const cg_vec3 *home = cg_tissue_homes(rig->world, rig->tissue, &count);
    for (int i = 0; i < count; i++) {
        if (home[i].y < rig->setup.held) {
            cg_tissue_fix(rig->world, rig->tissue, i, true);
        }
    }
}

bool cg_tear_rig_make(cg_tear_rig *rig, const cg_tear_setup *setup, cg_report *report)
{
    *rig = (cg_tear_rig){.setup = *setup};
    cg_world_def world = cg_world_def_default();
    world.gravity = vec(0, 0, 0);
    cg_status status = cg_world_create(&world, &rig->world);
    status = status.code == CG_OK ? cg_world_add_tissue(rig->world, &setup->tissue, &rig->tissue) : status;
    status = status.code == CG_OK ? add_thread(rig) : status;
    if (status.code != CG_OK) {
        cg_report_trouble(report, "the bite could not be made: %s", status.message);
        cg_tear_rig_free(rig);
        return false;
    }
    hold_far_nodes(rig);
    hold_ends(rig);
    return true;
}

void cg_tear_rig_free(cg_tear_rig *rig)
{
    cg_world_destroy(rig->world);
    rig->world = NULL;
}

// What both holes bear together, less what lies along the span: that squeezes, and does not tear.
static double force_across(const cg_tear_rig *rig)
{
    cg_anchor a, b;
    if (!cg_world_get_anchor(rig->world, 0, &a) || !cg_world_get_anchor(rig->world, 1, &b)) {
        return 0;
    }
    cg_vec3 sum = vec_add(a.force, b.force), span = vec_sub(b.position, a.position);
    double share = vec_dot(sum, span) / vec_dot(span, span);
    return vec_length(vec_sub(sum, vec_scale(share, span)));
}

void cg_tear_rig_step(cg_tear_rig *rig)
{
    const cg_tissue_tear *tears;
    const cg_thread_break *breaks;
    rig->drawn += rig->setup.speed * 1e-3;
    if (!rig->is_broken) {
        hold_ends(rig);
    }
    cg_world_step(rig->world);
    rig->is_broken = rig->is_broken || cg_world_breaks(rig->world, &breaks) > 0;
    rig->force = force_across(rig);
    rig->is_torn = cg_world_tears(rig->world, &tears) > 0;
    rig->tear = rig->is_torn ? tears[0] : (cg_tissue_tear){0};
}
