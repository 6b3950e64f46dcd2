// label: slow
// Rough hands: pulling and pressing at up to 1 m/s with limited force, on pad and vessel, at steps of 1 and 5 ms. No
// number may fail to be finite, no cell may be left inside out, and what was let go must come home.
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "harness.h"
#include "tissue/tissue.h"

typedef struct rough_hand {
    cg_tissue_hold hold;
    cg_vec3 offset[CG_TISSUE_MOST_GRIPPED]; // of each node from the hand
    cg_vec3 place, velocity;
    int steps_left;
} rough_hand;

static cg_vec3 random_vector(uint64_t *state, double size)
{
    cg_vec3 v;
    v.x = test_random(state, -size, size);
    v.y = test_random(state, -size, size);
    v.z = test_random(state, -size, size);
    return v;
}

// Takes hold of a node and its neighbours, and sets off in some direction.
static void grasp(rough_hand *hand, const cg_tissue *tissue, double h, uint64_t *random)
{
    const cg_springs *springs = &tissue->springs;
    int node = test_random_int(random, 0, tissue->mesh->node_count - 1);
    int most = test_random_int(random, 1, 8);
    hand->hold = (cg_tissue_hold){.count = 1, .nodes = {node}, .stiffness = 2000, .damping = 2};
    for (int at = springs->first_neighbour[node]; at < springs->first_neighbour[node + 1]; at++) {
        if (hand->hold.count < most) {
            hand->hold.nodes[hand->hold.count++] = springs->neighbours[at].node;
        }
    }
    hand->hold.most_force = test_random(random, 0.1, 5);
    hand->place = tissue->mesh->position[node];
    for (int k = 0; k < hand->hold.count; k++) {
        hand->offset[k] = v3_sub(tissue->mesh->position[hand->hold.nodes[k]], hand->place);
    }
    double speed = test_random(random, 0.05, 1);
    hand->velocity = v3_scale(speed, v3_unit_or(random_vector(random, 1), v3(0, 0, 1)));
    hand->steps_left = (int)(test_random(random, 0.005, 0.06) / h);
}

static void move_hand(rough_hand *hand, double h)
{
    hand->place = v3_add_scaled(hand->place, h, hand->velocity);
    for (int k = 0; k < hand->hold.count; k++) {
        hand->hold.targets[k] = v3_add(hand->place, hand->offset[k]);
        hand->hold.speeds[k] = hand->velocity;
    }
    hand->steps_left--;
}

static double furthest_from_home(const cg_tissue *tissue, const cg_vec3 *rest)
{
    double furthest = 0;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        double distance = v3_distance(tissue->mesh->position[i], rest[i]);
        furthest = distance <= furthest ? furthest : distance; // also when it is not a number
    }
    return furthest;
}

// Lets go and waits. Returns how many steps it took to fall asleep.
static int release(cg_tissue *tissue, double h)
{
    int steps = 0;
    for (; steps < 20000 && !tissue->asleep; steps++) {
        cg_tissue_step(tissue, h, v3_zero());
    }
    return steps;
}

static void handle_roughly(const cg_tissue_def *def, double h, int steps, uint64_t seed)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    CHECK_STR(cg_tissue_create(def, &allocator, &tissue).message, "");
    if (tissue == NULL) {
        return;
    }
    release(tissue, h);
    size_t bytes = (size_t)tissue->mesh->node_count * sizeof(cg_vec3);
    cg_vec3 *rest = malloc(bytes);
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        rest[i] = tissue->mesh->position[i];
    }
    rough_hand hands[2] = {{.steps_left = 0}, {.steps_left = 0}};
    uint64_t random = seed;
    int until_release = 400, worst_wait = 0, inverted;
    for (int step = 0; step < steps; step++) {
        cg_tissue_grip grips[2];
        for (int k = 0; k < 2; k++) {
            if (hands[k].steps_left <= 0) {
                grasp(&hands[k], tissue, h, &random);
            }
            move_hand(&hands[k], h);
            grips[k] = cg_tissue_grip_of(tissue, &hands[k].hold, h);
        }
        grips[0].next = &grips[1];
        tissue->grips = grips;
        cg_tissue_step(tissue, h, v3_zero());
        tissue->grips = NULL;
        if (--until_release == 0 || step == steps - 1) {
            int waited = release(tissue, h);
            worst_wait = waited > worst_wait ? waited : worst_wait;
            cg_tissue_smallest_cell(tissue, &inverted);
            if (!CHECK_INT(inverted, 0) || !CHECK_NEAR(furthest_from_home(tissue, rest), 0, 1e-9)) {
                break;
            }
            hands[0].steps_left = hands[1].steps_left = 0;
            until_release = 400;
        }
    }
    CHECK(worst_wait < 20000);
    CHECK_INT(tissue->stats.recovered_steps, 0);
    free(rest);
    cg_tissue_destroy(tissue);
}

static cg_tissue_def small_pad(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(20e-3, 16e-3, 0);
    def.layers[0].thickness = 6e-3;
    return def;
}

static cg_tissue_def small_vessel(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_VESSEL;
    def.radius = 4e-3;
    def.wall = 1.5e-3;
    def.length = 20e-3;
    def.spacing = 2e-3;
    def.fix_rim = true;
    return def;
}

TEST(a_pad_survives_rough_hands)
{
    int steps = test_count(test_is_sanitized() ? 800 : 4000, 25000);
    cg_tissue_def def = small_pad();
    handle_roughly(&def, 1e-3, steps, 1);
    handle_roughly(&def, 5e-3, steps, 2);
}

TEST(a_vessel_survives_rough_hands)
{
    int steps = test_count(test_is_sanitized() ? 800 : 4000, 25000);
    cg_tissue_def def = small_vessel();
    handle_roughly(&def, 1e-3, steps, 3);
    handle_roughly(&def, 5e-3, steps, 4);
}
