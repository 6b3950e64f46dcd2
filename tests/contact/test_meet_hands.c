// label: slow
// Hands that take hold of tissue at random, pull it into itself at up to 1 m/s or at once, and let go: nothing crosses.
#include "meet_rig.h"

// A tissue that hands pull about, and where they take it: somewhere near its wound.
typedef struct scene {
    cg_world *world;
    cg_tissue_id tissue;
    cg_hand_id hands[2];
    int left[2];  // steps until each does something else
    double reach; // [m] of their ways from where they took hold
    double near;  // [m] half the width of the strip about x = 0 or y = 0 that they take hold in
    bool is_vessel;
    uint64_t seed;
} scene;

static scene make_scene(const cg_tissue_def *def, uint64_t seed)
{
    scene s = {.world = meet_world(v3(0, 0, -9.81)), .reach = 8e-3, .near = 4e-3, .seed = seed};
    s.is_vessel = def->shape == CG_TISSUE_VESSEL;
    s.tissue = meet_add(s.world, def);
    cg_hand_def hand = cg_hand_def_default();
    hand.grip = 0; // the patch never slips out: all that 10 N do
    for (int k = 0; k < 2; k++) {
        CHECK_STR(cg_world_add_hand(s.world, &hand, &s.hands[k]).message, "");
    }
    return s;
}

// A node of the surface near the wound, on the side of the hand.
static cg_vec3 choose_place(scene *s, int hand)
{
    const cg_vec3 *x = cg_tissue_positions(s->world, s->tissue, NULL),
                  *home = cg_tissue_homes(s->world, s->tissue, NULL);
    int triangles = cg_tissue_triangle_count(s->world, s->tissue);
    for (;;) {
        int nodes[3], node;
        cg_tissue_get_triangle(s->world, s->tissue, (int)test_random(&s->seed, 0, triangles), nodes, NULL);
        node = nodes[0];
        double across = s->is_vessel ? home[node].x : home[node].y;
        if (fabs(across) < s->near && (across > 0) == (hand == 1)) {
            return x[node];
        }
    }
}

static cg_transform pose_at(cg_vec3 place)
{
    return (cg_transform){place, {0, 0, 0, 1}};
}

// A hand without anything goes to the tissue at once and closes; one that holds something goes on, or lets go.
static void command(scene *s, int hand)
{
    cg_hand_state state = cg_hand_get_state(s->world, s->hands[hand]);
    double what = test_random(&s->seed, 0, 1);
    if (state.node_count == 0) {
        cg_transform place = pose_at(choose_place(s, hand));
        CHECK_STR(cg_hand_open(s->world, s->hands[hand]).message, "");
        CHECK_STR(cg_hand_move(s->world, s->hands[hand], place, 0).message, "");
        if (v3_distance(state.pose.position, place.position) < 3e-3 || state.lag < 1e-3) {
            CHECK_STR(cg_hand_close(s->world, s->hands[hand]).message, "");
        }
        s->left[hand] = 20;
    } else if (what < 0.1) {
        CHECK_STR(cg_hand_open(s->world, s->hands[hand]).message, "");
        s->left[hand] = 50;
    } else {
        cg_vec3 way;
        way.x = test_random(&s->seed, -s->reach, s->reach);
        way.y = test_random(&s->seed, -s->reach, s->reach);
        way.z = test_random(&s->seed, -s->reach, s->reach);
        double speed = test_random(&s->seed, 0.05, 1), time = what < 0.3 ? 0 : v3_length(way) / speed;
        CHECK_STR(cg_hand_move(s->world, s->hands[hand], pose_at(v3_add(state.pose.position, way)), time).message, "");
        s->left[hand] = (int)test_random(&s->seed, 10, 60);
    }
}

static void let_go(const scene *s)
{
    for (int k = 0; k < 2; k++) {
        CHECK_STR(cg_hand_open(s->world, s->hands[k]).message, "");
    }
}

// The step after which something crossed first; -1: none did.
static int pull_about(scene *s, int steps, meet_watch *w)
{
    int first = -1;
    for (int step = 0; step < steps + 300 && first < 0; step++) {
        for (int k = 0; k < 2 && step < steps; k++) {
            if (s->left[k]-- <= 0) {
                command(s, k);
            }
        }
        if (step == steps) {
            let_go(s);
        }
        cg_world_step(s->world);
        if (step % 2 == 0) {
            meet_look(s->world, &s->tissue, 1, w);
        }
        first = w->crossings > 0 ? step : -1;
    }
    return first;
}

static void check_hands(const cg_tissue_def *def, int steps, uint64_t seed)
{
    scene s = make_scene(def, seed);
    meet_watch w = {.is_finite = true};
    CHECK_INT(pull_about(&s, test_count(test_is_sanitized() ? 60 : steps, 20000), &w), -1);
    CHECK_INT(w.inverted, 0);
    CHECK(w.is_finite);
    CHECK(w.most_force > 0 || test_is_sanitized()); // those few steps may pass without
    cg_world_destroy(s.world);
}

TEST(halves_of_a_vessel_that_hands_pull_into_each_other_never_cross)
{
    cg_tissue_def vessel = cg_tissue_def_default();
    vessel.shape = CG_TISSUE_VESSEL;
    vessel.radius = 4e-3;
    vessel.wall = 1e-3;
    vessel.length = 24e-3;
    vessel.gap = 2e-3;
    vessel.spacing = 1.5e-3;
    vessel.fix_rim = true;
    vessel.fix_bottom = false;
    check_hands(&vessel, 300, 1);
}

TEST(lips_of_a_wound_that_hands_pull_about_never_cross)
{
    for (int k = 0; k < 2; k++) {
        cg_tissue_def pad = meet_pad(20e-3, 16e-3, 4e-3);
        pad.wound = k == 0 ? CG_WOUND_ELLIPSE : CG_WOUND_STRAIGHT;
        pad.wound_length = 12e-3;
        pad.wound_width = 3e-3;
        pad.wound_depth = 3e-3;
        check_hands(&pad, 200, k == 0 ? 2 : 6);
    }
}
