#include "rough/rough_world.h"

#include <math.h>
#include <stdlib.h>

#include "base/quat.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catalogue.h"

enum { MOST_POINTS = 400, HOLES = 4, PARTS = 8 };
static const double SPACING = 0.5e-3, END = 20e-3; // [m] of threads; of a stitch on either side
static const double WOUND_LENGTH = 16e-3, WOUND_WIDTH = 3e-3, BITE = 4e-3, DEPTH = 2e-3; // [m]
static const cg_vec3 HOME = {0, -45e-3, 60e-3};   // where hands begin, side by side
static const cg_vec3 AWAY = {0, -120e-3, 150e-3}; // and where they are led in the end
static const double APART = 40e-3, REACH = 60e-3;

const char *cg_rough_kind_name(cg_rough_kind kind)
{
    static const char *const names[CG_ROUGH_KINDS] = {"whole pad", "wound", "cut pad", "vessel", "skin"};
    return names[kind];
}

static double draw(cg_rough_world *rough, double low, double high)
{
    return cg_draw_between(&rough->draw, low, high);
}

static cg_vec3 draw_vector(cg_rough_world *rough, double size)
{
    double x = draw(rough, -size, size), y = draw(rough, -size, size);
    return v3(x, y, draw(rough, -size, size));
}

// Even in the logarithm: as often soft as hard. By roots alone, the same on every machine.
static double draw_stiffness(cg_rough_world *rough, double low, double high)
{
    double share = draw(rough, 0, 1), value = low, ratio = high / low;
    for (int bit = 0; bit < 30; bit++) {
        ratio = sqrt(ratio);
        share *= 2;
        if (share >= 1) {
            value *= ratio;
            share -= 1;
        }
    }
    return value;
}

static cg_tissue_def tissue_def(cg_rough_world *rough)
{
    cg_tissue_def def = cg_tissue_def_default();
    double skin = draw_stiffness(rough, 30e3, 800e3);
    def.size = v3(draw(rough, 26e-3, 40e-3), draw(rough, 28e-3, 36e-3), 0);
    def.spacing = draw(rough, 1.8e-3, 2.6e-3);
    def.layer_count = 2;
    def.layers[0] = (cg_tissue_layer){2e-3, {.young = skin, .density = 1100, .toughness = 1000, .stiffening = 10}};
    def.layers[1] = (cg_tissue_layer){6e-3, {.young = skin / 8, .density = 950, .toughness = 300}};
    def.fix_rim = true;
    def.friction = draw(rough, 0.1, 0.6);
    def.pierce_force = draw(rough, 0.15, 0.4);
    def.pierce_cut = 0.3 * def.pierce_force;
    def.pierce_drag = 15;
    switch (rough->kind) {
    case CG_ROUGH_WOUND:
        def.wound = CG_WOUND_ELLIPSE;
        def.wound_length = WOUND_LENGTH;
        def.wound_width = WOUND_WIDTH;
        def.wound_depth = 5e-3;
        def.tension = draw(rough, 0, 0.06);
        break;
    case CG_ROUGH_VESSEL:
        def.shape = CG_TISSUE_VESSEL;
        def.layer_count = 1;
        def.layers[0].thickness = 1.5e-3;
        def.radius = draw(rough, 5e-3, 7e-3);
        def.wall = 1.5e-3;
        def.length = 30e-3;
        def.spacing = 1.5e-3;
        def.fix_bottom = false;
        break;
    case CG_ROUGH_SKIN:
        def.model = CG_TISSUE_SKIN;
        def.layer_count = 1;
        def.layers[0].thickness = 6e-3;
        break;
    case CG_ROUGH_WHOLE_PAD:
    case CG_ROUGH_CUT_PAD:
    case CG_ROUGH_KINDS:
        break;
    }
    return def;
}

// A cut along x through the skin and into the fat: its lips lie on each other until something parts them.
static cg_status cut(cg_rough_world *rough)
{
    enum { COUNT = 9 };
    cg_vec3 path[COUNT], down[COUNT];
    for (int i = 0; i < COUNT; i++) {
        path[i] = v3(WOUND_LENGTH * ((double)i / (COUNT - 1) - 0.5), 0, 1e-3);
        down[i] = v3(0, 0, -5e-3);
    }
    return cg_tissue_cut(rough->world, rough->tissue, path, down, COUNT, NULL);
}

static int lay(const cg_vec3 *corners, int count, cg_vec3 *points)
{
    int n = 0;
    for (int k = 0; k + 1 < count; k++) {
        cg_vec3 way = v3_sub(corners[k + 1], corners[k]);
        int parts = (int)ceil(v3_length(way) / SPACING);
        for (int i = 0; i < parts && n + 1 < MOST_POINTS; i++) {
            points[n++] = v3_add_scaled(corners[k], (double)i / parts, way);
        }
    }
    points[n++] = corners[count - 1];
    return n;
}

static cg_thread_def thread_def(const cg_suture *suture, const cg_vec3 *points, int count)
{
    cg_thread_def def = cg_thread_def_default();
    cg_suture_apply(suture, &def);
    def.positions = points;
    def.vertex_count = count;
    def.drag = 10;
    def.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = 2 * SPACING};
    return def;
}

// Where the surface is below or above a place.
static cg_vec3 on_surface(const cg_rough_world *rough, cg_vec3 place)
{
    int triangle, corners[3];
    double weights[3];
    cg_vec3 at = v3_zero();
    cg_tissue_nearest(rough->world, rough->tissue, place, &triangle, weights);
    if (!cg_tissue_get_triangle(rough->world, rough->tissue, triangle, corners, NULL)) {
        return place;
    }
    const cg_vec3 *nodes = cg_tissue_positions(rough->world, rough->tissue, NULL);
    for (int k = 0; k < 3; k++) {
        at = v3_add_scaled(at, weights[k], nodes[corners[k]]);
    }
    return at;
}

// Across the wound where there is one, else a bite of its own into the skin and out again.
static cg_status lay_stitch(cg_rough_world *rough, const cg_suture *suture, double along)
{
    cg_vec3 holes[HOLES], corners[HOLES + 2], points[MOST_POINTS];
    int count = 0;
    bool gapes = rough->kind == CG_ROUGH_WOUND;
    double half = WOUND_WIDTH / 2;
    holes[count++] = on_surface(rough, v3(along, -half - BITE, 0));
    if (gapes) {
        holes[count++] = on_surface(rough, v3(along, -half, -DEPTH));
        holes[count++] = on_surface(rough, v3(along, half, -DEPTH));
    }
    holes[count++] = on_surface(rough, v3(along, half + BITE, 0));
    corners[0] = v3_add(holes[0], v3(-0.1 * END, -END, 0.4 * END));
    for (int i = 0; i < count; i++) {
        corners[i + 1] = holes[i];
    }
    corners[count + 1] = v3_add(holes[count - 1], v3(0.1 * END, END, 0.4 * END));
    cg_thread_def thread = thread_def(suture, points, lay(corners, count + 2, points));
    cg_stitch_def stitch = cg_stitch_def_default();
    cg_status status = cg_world_add_thread(rough->world, &thread, &stitch.thread);
    stitch.tissue = rough->tissue;
    stitch.points = holes;
    stitch.point_count = count;
    stitch.friction = draw(rough, 0.1, 0.3);
    status = status.code == CG_OK ? cg_world_add_stitch(rough->world, &stitch) : status;
    return status.code == CG_OK ? cg_world_reserve_parts(rough->world, stitch.thread, 2) : status;
}

// A needle that lies over the tissue with its thread behind it.
static cg_status add_needle(cg_rough_world *rough, const cg_suture *suture)
{
    cg_needle needle = cg_needle_default();
    needle.arc = draw(rough, 2.0, 3.5);
    needle.radius = draw(rough, 4e-3, 8e-3);
    needle.diameter = draw(rough, 0.4e-3, 0.8e-3);
    cg_rigid_def def = cg_rigid_def_default();
    def.needle = &needle;
    def.mass = cg_needle_mass(&needle, 7900);
    def.friction = 0.3;
    def.pose.position = v3(draw(rough, -8e-3, 8e-3), draw(rough, -8e-3, 8e-3), 22e-3);
    def.pose.rotation = quat_from_axis_angle(v3(0, 0, 1), draw(rough, -3, 3));
    cg_status status = cg_world_add_rigid(rough->world, &def, &rough->needle);
    cg_vec3 tail = cg_needle_place(&needle, needle.arc), way = cg_needle_tangent(&needle, needle.arc);
    cg_vec3 start = v3_add(def.pose.position, quat_rotate(def.pose.rotation, tail));
    way = quat_rotate(def.pose.rotation, way);
    cg_vec3 corners[3] = {start, v3_add_scaled(start, 15e-3, way),
                          v3_add(start, v3(60e-3 * (way.x > 0 ? 1 : -1), 0, 20e-3))};
    cg_vec3 points[MOST_POINTS];
    cg_thread_def thread = thread_def(suture, points, lay(corners, 3, points));
    status = status.code == CG_OK ? cg_world_add_thread(rough->world, &thread, &rough->needle_thread) : status;
    status = status.code == CG_OK ? cg_thread_swage(rough->world, rough->needle_thread, CG_START, rough->needle, tail)
                                  : status;
    return status.code == CG_OK ? cg_world_reserve_parts(rough->world, rough->needle_thread, 2) : status;
}

static cg_status add_hand(cg_rough_world *rough, int number)
{
    static const cg_hand_tool tools[] = {CG_TOOL_NEEDLE_DRIVER, CG_TOOL_FORCEPS, CG_TOOL_GRASPER, CG_TOOL_SCISSORS,
                                         CG_TOOL_PROBE};
    cg_hand_def def = cg_hand_def_default();
    rough->tools[number] = tools[cg_draw_below(&rough->draw, 5)];
    def.tool = rough->tools[number];
    def.grasp = CG_GRASP_JAWS;
    def.pose.position = v3_add(HOME, v3(APART * (number - 1), 0, 0));
    def.max_force = draw(rough, 3, 10);
    def.stiffness = draw(rough, 800, 3000);
    def.grip = draw(rough, 3, 12);
    rough->next[number] = draw(rough, 0, 0.3);
    return cg_world_add_hand(rough->world, &def, &rough->hands[number]);
}

cg_status cg_rough_begin(cg_rough_world *rough, uint64_t seed, int number, cg_rough_times times)
{
    *rough = (cg_rough_world){.draw = cg_draw_begin(seed, number), .times = times};
    rough->kind = (cg_rough_kind)cg_draw_below(&rough->draw, CG_ROUGH_KINDS);
    bool can_be_sewn = rough->kind != CG_ROUGH_VESSEL && rough->kind != CG_ROUGH_SKIN;
    rough->stitches = can_be_sewn ? cg_draw_below(&rough->draw, 3) : 0;
    static const char *const sutures[] = {"2-0 silk", "3-0 nylon", "4-0 polypropylene", "5-0 nylon"};
    cg_suture suture;
    if (!cg_catalogue_find(sutures[cg_draw_below(&rough->draw, 4)], &suture, NULL, 0)) {
        return (cg_status){.code = CG_BAD_INPUT, .message = "the catalogue has no such suture"};
    }
    rough->breaking_pull = suture.breaking_force.value;
    rough->radius = 0.5 * suture.diameter.value;
    cg_world_def world = cg_world_def_default();
    world.gravity = v3(0, 0, draw(rough, 0, 1) < 0.5 ? -9.81 : 0);
    world.max_contacts = 400;
    world.max_threads = CG_ROUGH_MOST_THREADS;
    cg_status status = cg_world_create(&world, &rough->world);
    cg_tissue_def tissue = tissue_def(rough);
    status = status.code == CG_OK ? cg_world_add_tissue(rough->world, &tissue, &rough->tissue) : status;
    if (status.code == CG_OK && rough->kind == CG_ROUGH_CUT_PAD) {
        status = cut(rough);
    }
    for (int i = 0; i < rough->stitches && status.code == CG_OK; i++) {
        status = lay_stitch(rough, &suture, rough->stitches == 1 ? 0 : 5e-3 * (2 * i - 1));
    }
    status = status.code == CG_OK ? add_needle(rough, &suture) : status;
    for (int i = 0; i < CG_ROUGH_HANDS && status.code == CG_OK; i++) {
        status = add_hand(rough, i);
    }
    return status;
}

void cg_rough_end(cg_rough_world *rough)
{
    cg_world_destroy(rough->world);
    rough->world = NULL;
}

int cg_rough_threads(const cg_rough_world *rough, cg_thread_id threads[CG_ROUGH_MOST_THREADS])
{
    int count = 0;
    for (unsigned place = 1; place <= CG_ROUGH_MOST_THREADS; place++) {
        for (unsigned generation = 0; generation < PARTS; generation++) {
            cg_thread_id id = {place, generation};
            if (cg_thread_is_valid(rough->world, id)) {
                threads[count++] = id;
                break;
            }
        }
    }
    return count;
}

static cg_vec3 draw_anywhere(cg_rough_world *rough)
{
    return v3_add(draw_vector(rough, 18e-3), v3(0, 0, 12e-3));
}

// The needle, a thread, or anywhere in and over the tissue; what has flown off is not followed.
static cg_vec3 draw_goal(cg_rough_world *rough)
{
    cg_vec3 goal = draw_anywhere(rough);
    double what = draw(rough, 0, 1);
    cg_vec3 shift = draw_vector(rough, 1.5e-3);
    cg_thread_id threads[CG_ROUGH_MOST_THREADS];
    int count = cg_rough_threads(rough, threads), parts = cg_rigid_get_part_count(rough->world, rough->needle),
        vertices;
    cg_rigid_part part;
    cg_vec3 place = v3(INFINITY, 0, 0);
    if (what < 0.35 && parts > 0) {
        cg_rigid_get_part(rough->world, rough->needle, cg_draw_below(&rough->draw, parts), &part);
        place = v3_add(part.pose.position, shift);
    } else if (what < 0.7 && count > 0) {
        cg_thread_id thread = threads[cg_draw_below(&rough->draw, count)];
        const cg_vec3 *points = cg_thread_positions(rough->world, thread, &vertices);
        place = v3_add(points[cg_draw_below(&rough->draw, vertices)], shift);
    }
    return v3_length(place) < REACH ? place : goal;
}

static void lead(cg_rough_world *rough, int number)
{
    cg_hand_id hand = rough->hands[number];
    cg_vec3 from = cg_hand_get_state(rough->world, hand).pose.position, goal = draw_goal(rough);
    double slow = draw(rough, 0, 1), speed = 0.05 + 2.95 * slow * slow * slow;
    double lasts = fmin(v3_distance(from, goal) / speed, 1);
    cg_vec3 turn = draw_vector(rough, 0.6);
    cg_transform pose = {goal, quat_from_vector(turn)};
    cg_hand_move(rough->world, hand, pose, lasts);
    double act = draw(rough, 0, 1);
    if (act < 0.4) {
        cg_hand_close(rough->world, hand);
    } else if (act < 0.6) {
        cg_hand_open(rough->world, hand);
    }
    rough->next[number] = cg_world_time(rough->world) + lasts + draw(rough, 0, 0.15);
}

void cg_rough_step(cg_rough_world *rough)
{
    double time = cg_world_time(rough->world);
    bool leaves = time >= rough->times.rough;
    for (int i = 0; i < CG_ROUGH_HANDS; i++) {
        if (time < rough->next[i]) {
            continue;
        }
        if (!leaves) {
            lead(rough, i);
        } else {
            cg_hand_open(rough->world, rough->hands[i]);
            cg_transform pose = {v3_add(AWAY, v3(APART * (i - 1), 0, 0)), quat_identity()};
            cg_hand_move(rough->world, rough->hands[i], pose, 0.8);
            rough->next[i] = INFINITY;
        }
    }
    cg_world_step(rough->world);
}
