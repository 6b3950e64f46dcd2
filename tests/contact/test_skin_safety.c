// label: slow
// Threads dragged over tissue by rough hands. Two hands of the world tug at the ends of a thread that lies on a pad, a
// wound, a vessel or a sheet: each is told to be at a point that moves at up to 5 m/s, above the tissue or deep in it,
// and changes its way at random and at once. Whatever they do, no segment crosses a triangle (all pairs are asked), no
// cell is turned inside out, all numbers are finite, few steps end unfinished, and when the hands lift the thread it
// comes free.
#include <math.h>
#include <stdio.h>

#include "../rigid/rigid_rig.h"
#include "skin_rig.h"

// A thread that stands still would be safe too.
static const double MOST_UNFINISHED = 0.01;
enum { POINTS = 61 };

typedef struct rig {
    cg_world *world;
    cg_tissue_id tissue;
    cg_thread_id thread;
    cg_hand_id hands[2];
    double radius, length;
} rig;

typedef struct way {
    cg_vec3 home, point, velocity;
    int steps_left;
} way;

static bool make_rig(rig *r, ground kind, double radius, double height)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def tissue = tissue_of(kind);
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[POINTS];
    r->radius = radius;
    r->length = 24e-3;
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3(0.4e-3, r->length * (i / (POINTS - 1.0) - 0.5), height + 1.2 * radius);
    }
    thread.vertex_count = POINTS;
    thread.positions = points;
    thread.radius = radius;
    thread.friction = 0.3;
    bool made = CHECK_STR(cg_world_create(&world, &r->world).message, "") &&
                CHECK_STR(cg_world_add_tissue(r->world, &tissue, &r->tissue).message, "") &&
                CHECK_STR(cg_world_add_thread(r->world, &thread, &r->thread).message, "");
    for (int side = 0; side < 2 && made; side++) {
        r->hands[side] = add_holding_hand(r->world, radius, points[side == 0 ? 4 : POINTS - 5]);
    }
    return made;
}

static void change_way(way *w, double top, uint64_t *random)
{
    double speed = 0.02 * pow(250, test_random(random, 0, 1));
    cg_vec3 to =
        v3(test_random(random, -7e-3, 7e-3), test_random(random, -9e-3, 9e-3), top + test_random(random, -2e-3, 7e-3));
    w->velocity = v3_scale(speed, v3_unit_or(v3_sub(to, w->point), v3(0, 0, 1)));
    w->steps_left = 1 + (int)(v3_distance(to, w->point) / (speed * 1e-3));
    w->steps_left = w->steps_left > 150 ? 150 : w->steps_left;
}

static void command(rig *r, int side, cg_vec3 place)
{
    cg_transform pose = {place, {0, 0, 0, 1}};
    CHECK_STR(cg_hand_move(r->world, r->hands[side], pose, 0).message, "");
}

static int count_crossings(const rig *r)
{
    return crossings_of(r->world, r->tissue, cg_thread_positions(r->world, r->thread, NULL), POINTS);
}

static bool is_finite(const rig *r)
{
    int nodes;
    const cg_vec3 *y = cg_tissue_positions(r->world, r->tissue, &nodes);
    return all_finite(y, nodes) && all_finite(cg_thread_positions(r->world, r->thread, NULL), POINTS);
}

// Hands go up, and take the thread along.
static void lift(rig *r, way *ways, double top)
{
    for (int step = 0; step < 600; step++) {
        for (int side = 0; side < 2; side++) {
            cg_vec3 aim = v3(0, side == 0 ? -10e-3 : 10e-3, top + 30e-3), up = v3_sub(aim, ways[side].point);
            double left = v3_length(up), most = 0.2e-3;
            ways[side].point = left > most ? v3_add_scaled(ways[side].point, most / left, up) : aim;
            command(r, side, ways[side].point);
        }
        cg_world_step(r->world);
        CHECK(step % 20 != 0 || count_crossings(r) == 0);
    }
}

static void drag(ground kind, double radius, uint64_t seed)
{
    rig r;
    double top = ground_top(kind);
    uint64_t random = seed;
    int steps = test_counts(800, 250, 6000), crossings = 0, touched = 0;
    if (!make_rig(&r, kind, radius, top)) {
        return;
    }
    way ways[2] = {0};
    for (int side = 0; side < 2; side++) {
        ways[side].point = cg_hand_get_state(r.world, r.hands[side]).pose.position;
    }
    for (int step = 0; step < steps && crossings == 0; step++) {
        for (int side = 0; side < 2; side++) {
            way *w = &ways[side];
            if (w->steps_left-- <= 0) {
                change_way(w, top, &random);
            }
            w->point = v3_add_scaled(w->point, 1e-3, w->velocity);
            command(&r, side, w->point);
        }
        cg_world_step(r.world);
        crossings += count_crossings(&r);
        touched += contacts_with_tissue(r.world) > 0;
    }
    cg_world_stats stats = cg_world_get_stats(r.world);
    bool good = CHECK_INT(crossings, 0) && CHECK(is_finite(&r));
    good = CHECK((double)stats.unfinished_steps <= MOST_UNFINISHED * steps) && good;
    good = CHECK(touched > steps / 20) && good;
    good = CHECK_INT(cg_tissue_get_summary(r.world, r.tissue).inverted_cells, 0) && good;
    good = CHECK_INT((int)(stats.recovered_steps + stats.recovered_tissue_steps), 0) && good;
    if (!good || test_is_full()) {
        printf("    kind %d, radius %g mm, seed %d: touched in %d of %d steps, %d unfinished, %d lost\n", (int)kind,
               1e3 * radius, (int)seed, touched, steps, (int)stats.unfinished_steps, (int)stats.lost_contacts);
    }
    lift(&r, ways, top);
    // Under a sheet, which nothing lies on, a thread may have got caught.
    CHECK(kind == SHEET || contacts_with_tissue(r.world) == 0);
    cg_world_destroy(r.world);
}

static void drag_all_sizes(ground kind)
{
    const double radii[4] = {0.11e-3, 0.5e-3, 0.035e-3, 0.0125e-3};
    for (int k = 0; k < 4; k++) {
        for (int seed = 1; seed <= test_count(1, 3); seed++) {
            drag(kind, radii[k], (uint64_t)seed);
        }
    }
}

TEST(over_a_pad)
{
    drag_all_sizes(PAD);
}

TEST(over_a_wound)
{
    drag_all_sizes(WOUND);
}

TEST(over_a_vessel)
{
    drag_all_sizes(VESSEL);
}

TEST(over_a_sheet)
{
    drag_all_sizes(SHEET);
}

// A sheet that leaps up at a thread whose ends are clamped, steps of a millisecond; a ball flies at that speed above.
// Returns in how many of them the thread carried something.
static int leap_at_a_thread(const cg_tissue_def *tissue, double gravity, double speed, int steps)
{
    const cg_rigid_part ball = ball_part(1e-3);
    cg_thread_def thread = cg_thread_def_default();
    cg_rigid_def flying = cg_rigid_def_default();
    cg_tissue_id sheet;
    cg_thread_id over;
    cg_vec3 points[POINTS];
    cg_world *world = make_world(1e-3, v3(0, 0, gravity));
    int touched = 0;
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3(0.4e-3, 10e-3 * (i / (POINTS - 1.0) - 0.5), 0.4e-3);
    }
    thread.vertex_count = POINTS;
    thread.positions = points;
    thread.radius = 0.0125e-3;
    thread.ends[CG_START].kind = thread.ends[CG_FINISH].kind = CG_END_CLAMPED;
    flying.mass = 60e-6;
    flying.pose.position = v3(0, 0, 15e-3);
    cg_rigid_id id = add_body(world, flying, &ball, 1);
    CHECK_STR(cg_world_add_tissue(world, tissue, &sheet).message, "");
    CHECK_STR(cg_world_add_thread(world, &thread, &over).message, "");
    for (int step = 0; step < steps; step++) {
        CHECK_INT(cg_rigid_set_state(world, id, flying.pose, v3(speed, 0, 0), v3_zero()).code, CG_OK);
        cg_world_step(world);
        CHECK_INT(crossings_of(world, sheet, cg_thread_positions(world, over, NULL), POINTS), 0);
        touched += contacts_with_tissue(world) > 0;
    }
    cg_world_destroy(world);
    return touched;
}

// Something that flies past, fast and far above, has more pairs in its reach than find room in a list. The sheet must
// ask for the thread all the same before it moves.
TEST(a_sheet_is_stopped_while_something_flies_past)
{
    cg_tissue_def tissue = tissue_of(SHEET);
    tissue.spacing = 0.8e-3;
    CHECK(leap_at_a_thread(&tissue, 1000, 10, 10) > 2);
}

// It bears no forces of others and knows its motion only when it has made it: then it stops short.
TEST(a_sheet_without_inertia_is_stopped_too)
{
    cg_tissue_def tissue = tissue_of(SHEET);
    tissue.solver = CG_TISSUE_QUASI_STATIC;
    CHECK_INT(leap_at_a_thread(&tissue, 100, 0, 60), 0);
}
