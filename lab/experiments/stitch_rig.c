#include "experiments/stitch_rig.h"

#include <math.h>
#include <string.h>

#include "support/vector.h"

enum { MOST_POINTS = 2000 };
static const double END = 30e-3;  // [m] from the wound to the ends of the thread
static const double ASIDE = 1e-3; // [m] by which the ends pass each other
static const double LAID = 0.35;  // [rad] the least by which they are laid up

cg_stitch_setup cg_stitch_setup_default(void)
{
    return (cg_stitch_setup){.skin = 100e3,
                             .tension = 0.1,
                             .width = 4e-3,
                             .bite = 5e-3,
                             .depth = 2.5e-3,
                             .up = 20 * 3.14159265358979 / 180,
                             .friction = 0.15,
                             .skin_friction = 0.3,
                             .spacing = 0.5e-3,
                             .pad_spacing = 2e-3,
                             .time_step = 1e-3};
}

static cg_tissue_def pad_of(const cg_stitch_setup *s)
{
    cg_tissue_def pad = cg_tissue_def_default();
    pad.size = vec(50e-3, 40e-3, 0);
    pad.layers[0].material.young = s->skin;
    pad.layers[0].material.stiffening = s->stiffening;
    pad.layers[0].thickness = 8e-3;
    if (s->fat > 0) {
        pad.layers[0].thickness = 2e-3;
        pad.layers[1] = pad.layers[0];
        pad.layers[1].thickness = 6e-3;
        pad.layers[1].material.young = s->fat;
        pad.layers[1].material.stiffening = 0;
        pad.layer_count = 2;
    }
    pad.wound = CG_WOUND_ELLIPSE;
    pad.wound_length = 26e-3;
    pad.wound_width = s->width;
    pad.wound_depth = 6e-3;
    pad.tension = s->tension;
    pad.spacing = s->pad_spacing;
    pad.fix_rim = true;
    pad.fix_bottom = false;
    pad.friction = s->skin_friction;
    return pad;
}

// The holes as they are now: where the plane of the stitch cuts the lips.
static void find_holes(const cg_stitch_rig *rig, cg_vec3 holes[4])
{
    const cg_stitch_setup *s = &rig->setup;
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? -1 : 1, best = INFINITY;
        int nodes;
        const cg_vec3 *now = cg_tissue_positions(rig->world, rig->pad, &nodes);
        const cg_vec3 *home = cg_tissue_homes(rig->world, rig->pad, NULL);
        // How far the lip has gone: as the node whose home is nearest to its edge.
        cg_vec3 edge = vec(0, sign * s->width / 2, 0), moved = vec(0, 0, 0);
        for (int i = 0; i < nodes; i++) {
            double away = vec_length(vec_sub(home[i], edge));
            if (away < best) {
                best = away;
                moved = vec_sub(now[i], home[i]);
            }
        }
        cg_vec3 top = vec(0, sign * (s->width / 2 + s->bite) + moved.y, 0);
        cg_vec3 wall = vec(0, sign * s->width / 2 + moved.y, -s->depth);
        holes[side == 0 ? 0 : 3] = top;
        holes[side == 0 ? 1 : 2] = wall;
    }
    for (int k = 0; k < 4; k++) {
        int triangle;
        double weights[3];
        cg_tissue_nearest(rig->world, rig->pad, holes[k], &triangle, weights);
        int corners[3];
        cg_tissue_get_triangle(rig->world, rig->pad, triangle, corners, NULL);
        const cg_vec3 *now = cg_tissue_positions(rig->world, rig->pad, NULL);
        holes[k] = vec(0, 0, 0);
        for (int c = 0; c < 3; c++) {
            holes[k] = vec_add(holes[k], vec_scale(weights[c], now[corners[c]]));
        }
    }
}

// Points along straight lines between corners, no farther apart than the spacing.
static int lay_points(const cg_vec3 *corners, int count, double spacing, cg_vec3 *points)
{
    int n = 0;
    for (int k = 0; k + 1 < count; k++) {
        cg_vec3 way = vec_sub(corners[k + 1], corners[k]);
        int parts = (int)ceil(vec_length(way) / spacing);
        for (int i = 0; i < parts && n + 1 < MOST_POINTS; i++) {
            points[n++] = vec_add(corners[k], vec_scale((double)i / parts, way));
        }
    }
    points[n++] = corners[count - 1];
    return n;
}

// In which an end is drawn, that many radians up.
static cg_vec3 direction_of(int side, double up)
{
    double aside = ASIDE / END, sign = side == 0 ? 1 : -1;
    return vec_scale(1 / sqrt(1 + aside * aside), vec(-sign * aside, sign * cos(up), sin(up)));
}

static cg_status lay_stitch(cg_stitch_rig *rig)
{
    cg_vec3 holes[4], points[MOST_POINTS];
    find_holes(rig, holes);
    // Above the lips, which a wound that opens lifts: ends that are drawn along the skin are lowered onto them.
    double up = rig->setup.up > LAID ? rig->setup.up : LAID;
    cg_vec3 corners[6] = {
        vec_add(holes[0], vec_scale(END, direction_of(0, up))), holes[0], holes[1], holes[2], holes[3],
        vec_add(holes[3], vec_scale(END, direction_of(1, up)))};
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = lay_points(corners, 6, rig->setup.spacing, points);
    thread.positions = points;
    thread.friction = rig->setup.skin_friction;
    thread.drag = 100;
    thread.spacing = (cg_spacing){.follow = true, .fine = rig->setup.spacing, .coarse = rig->setup.spacing};
    cg_status status = cg_world_add_thread(rig->world, &thread, &rig->thread);
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.thread = rig->thread;
    stitch.tissue = rig->pad;
    stitch.points = holes;
    stitch.point_count = 4;
    stitch.friction = rig->setup.friction;
    return status.code == CG_OK ? cg_world_add_stitch(rig->world, &stitch) : status;
}

bool cg_stitch_rig_make(cg_stitch_rig *rig, const cg_stitch_setup *setup, cg_report *report)
{
    *rig = (cg_stitch_rig){.setup = *setup};
    for (int side = 0; side < 2; side++) {
        rig->out[side] = direction_of(side, setup->up);
    }
    cg_world_def world = cg_world_def_default();
    world.time_step = setup->time_step;
    world.gravity = vec(0, 0, 0);
    cg_tissue_def pad = pad_of(setup);
    cg_status status = cg_world_create(&world, &rig->world);
    status = status.code == CG_OK ? cg_world_add_tissue(rig->world, &pad, &rig->pad) : status;
    for (int k = 0; status.code == CG_OK && k < (int)(0.6 / setup->time_step); k++) {
        cg_world_step(rig->world);
    }
    status = status.code == CG_OK ? lay_stitch(rig) : status;
    if (status.code != CG_OK) {
        cg_report_trouble(report, "the stitch could not be made: %s", status.message);
        cg_stitch_rig_free(rig);
        return false;
    }
    rig->open = cg_stitch_rig_holes(rig);
    return true;
}

void cg_stitch_rig_free(cg_stitch_rig *rig)
{
    cg_world_destroy(rig->world);
    rig->world = NULL;
}

void cg_stitch_rig_step(cg_stitch_rig *rig, double force)
{
    int count;
    cg_thread_positions(rig->world, rig->thread, &count);
    cg_thread_push_vertex(rig->world, rig->thread, 0, vec_scale(force, rig->out[0]));
    cg_thread_push_vertex(rig->world, rig->thread, count - 1, vec_scale(force, rig->out[1]));
    cg_world_step(rig->world);
}

double cg_stitch_rig_holes(const cg_stitch_rig *rig)
{
    cg_anchor a, b;
    bool there = cg_world_get_anchor(rig->world, 1, &a) && cg_world_get_anchor(rig->world, 2, &b);
    return there ? vec_length(vec_sub(a.position, b.position)) : NAN;
}

cg_wound_gap cg_stitch_rig_gap(const cg_stitch_rig *rig)
{
    return cg_tissue_wound_gap(rig->world, rig->pad, vec(0.05e-3, 0, 0), vec(1, 0, 0), 2e-3);
}

double cg_stitch_rig_motion(const cg_stitch_rig *rig)
{
    int nodes;
    const cg_vec3 *velocity = cg_tissue_velocities(rig->world, rig->pad, &nodes);
    double most = 0;
    for (int i = 0; i < nodes; i++) {
        most = fmax(most, vec_length(velocity[i]));
    }
    return most * rig->setup.time_step;
}

cg_vec3 cg_stitch_rig_reaction(const cg_stitch_rig *rig)
{
    return cg_tissue_get_summary(rig->world, rig->pad).reaction;
}
