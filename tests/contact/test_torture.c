// label: slow
// Threads of all sizes and a needle thrown at pad, wound, vessel and sheet at up to 10 m/s, all in one world, or the
// thread dragged over the tissue, and down into a wound and out on its other side, by two hands as fast. Whatever they
// do: no segment crosses a triangle (all pairs are asked after every step), no cell is turned inside out, all numbers
// are finite, fewer than 1 % of all steps end unfinished, and all comes free in the end.
//
// CATGUT_ROUND=N runs round N alone, CATGUT_SEED=N has other throws and ways in all of them.
#include <stdio.h>
#include <stdlib.h>

#include "../rigid/rigid_rig.h"
#include "skin_rig.h"

static const double MOST_UNFINISHED = 0.01;
static const double FASTEST = 10; // [m/s]
enum { POINTS = 49, THROW = 100 };
static const double LENGTH = 20e-3;
static const double radii[] = {0.0125e-3, 0.035e-3, 0.11e-3, 0.25e-3, 0.5e-3};
enum { RADII = sizeof radii / sizeof *radii };

typedef struct rig {
    ground kind;
    cg_world *world;
    cg_tissue_id tissue;
    cg_thread_id thread;
    cg_rigid_id needle;
    cg_hand_id hands[2];
    bool has_hands;
    uint64_t random;
} rig;

typedef struct count {
    int steps, unfinished, crossings, touched, caught;
} count;

static cg_vec3 random_aim(rig *r)
{
    return v3(test_random(&r->random, -6e-3, 6e-3), test_random(&r->random, -5e-3, 5e-3), ground_top(r->kind));
}

static cg_vec3 towards(rig *r, cg_vec3 from)
{
    double speed = 0.3 * pow(FASTEST / 0.3, test_random(&r->random, 0, 1));
    return v3_scale(speed, v3_unit_or(v3_sub(random_aim(r), from), v3(0, 0, -1)));
}

static void throw_thread(rig *r)
{
    cg_vec3 points[POINTS], velocities[POINTS], middle = v3(0, 0, ground_top(r->kind) + 8e-3);
    double angle = test_random(&r->random, 0, 6.28);
    cg_vec3 along = v3(cos(angle), sin(angle), 0), velocity = towards(r, middle);
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3_add_scaled(middle, LENGTH * (i / (POINTS - 1.0) - 0.5), along);
        velocities[i] = v3_add(velocity, random_vector(&r->random, 0.1));
    }
    CHECK_STR(cg_thread_set_state(r->world, r->thread, points, velocities).message, "");
}

static void throw_needle(rig *r)
{
    cg_transform pose = {v3(0, 0, ground_top(r->kind) + 20e-3), random_rotation(&r->random)};
    cg_vec3 velocity = towards(r, pose.position);
    CHECK_STR(cg_rigid_set_state(r->world, r->needle, pose, velocity, random_vector(&r->random, 200)).message, "");
}

static void add_hands(rig *r, double radius)
{
    const cg_vec3 *x = cg_thread_positions(r->world, r->thread, NULL);
    for (int side = 0; side < 2; side++) {
        r->hands[side] = add_holding_hand(r->world, radius, x[side == 0 ? 4 : POINTS - 5]);
    }
    r->has_hands = true;
}

static bool make_rig(rig *r, ground kind, double radius, bool has_hands, uint64_t seed)
{
    cg_tissue_def tissue = tissue_of(kind);
    cg_thread_def thread = cg_thread_def_default();
    cg_rigid_def needle = cg_rigid_def_default();
    cg_rigid_part parts[ARC_PARTS];
    cg_vec3 points[POINTS];
    *r = (rig){.kind = kind, .random = seed, .world = make_world(1e-3, v3(0, 0, -9.81))};
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3(0.4e-3, LENGTH * (i / (POINTS - 1.0) - 0.5), ground_top(kind) + 1.2 * radius);
    }
    thread.vertex_count = POINTS;
    thread.positions = points;
    thread.radius = radius;
    thread.friction = needle.friction = 0.3;
    needle.mass = 60e-6;
    needle.pose.position = v3(0, 0, ground_top(kind) + 30e-3);
    arc_parts(parts, 5e-3, 0.25e-3);
    r->needle = add_body(r->world, needle, parts, ARC_PARTS);
    bool made = CHECK_STR(cg_world_add_tissue(r->world, &tissue, &r->tissue).message, "") &&
                CHECK_STR(cg_world_add_thread(r->world, &thread, &r->thread).message, "");
    if (made && has_hands) {
        add_hands(r, radius);
    }
    return made;
}

// Where a hand goes next: over the tissue or into it; with a wound through it, from side to side.
static cg_vec3 next_aim(rig *r, int side, int turn)
{
    cg_vec3 aim = random_aim(r);
    if (r->kind == WOUND && turn % 3 == 1) {
        return v3(0.4 * aim.x, 0, -2.5e-3);
    }
    aim.y = r->kind == WOUND && turn % 3 == 2 ? (turn % 2 == side ? -9e-3 : 9e-3) : 1.6 * aim.y;
    aim.z += test_random(&r->random, -2e-3, 7e-3);
    return aim;
}

typedef struct way {
    cg_vec3 point, aim;
    double speed;
    int turn;
} way;

static void lead(rig *r, int side, way *w)
{
    cg_vec3 left = v3_sub(w->aim, w->point);
    double most = 1e-3 * w->speed, far = v3_length(left);
    w->point = far > most ? v3_add_scaled(w->point, most / far, left) : w->aim;
    if (far <= most) {
        w->aim = next_aim(r, side, w->turn++);
        w->speed = 0.02 * pow(FASTEST / 0.02, test_random(&r->random, 0, 1));
    }
    CHECK_STR(cg_hand_move(r->world, r->hands[side], (cg_transform){w->point, {0, 0, 0, 1}}, 0).message, "");
}

static int crossings_of_needle(const rig *r)
{
    cg_rigid_part part;
    int crossings = 0;
    for (int k = 0; cg_rigid_get_part(r->world, r->needle, k, &part); k++) {
        cg_vec3 half = quat_rotate(part.pose.rotation, v3(0, 0, part.shape.half_length));
        const cg_vec3 ends[2] = {v3_sub(part.pose.position, half), v3_add(part.pose.position, half)};
        crossings += crossings_of(r->world, r->tissue, ends, 2);
    }
    return crossings;
}

static void step_and_look(rig *r, count *sum)
{
    int nodes, vertices;
    cg_world_step(r->world);
    const cg_vec3 *x = cg_thread_positions(r->world, r->thread, &vertices);
    const cg_vec3 *y = cg_tissue_positions(r->world, r->tissue, &nodes);
    sum->crossings += crossings_of(r->world, r->tissue, x, vertices) + crossings_of_needle(r);
    sum->touched += contacts_with_tissue(r->world) > 0;
    sum->steps++;
    CHECK(all_finite(x, vertices) && all_finite(y, nodes));
}

// Hands that go up take the thread along; what was thrown falls upwards. Under a sheet, round a vessel, all may hang.
static void let_go(rig *r, way ways[2], count *sum)
{
    CHECK_STR(cg_world_set_gravity(r->world, v3(0, 0, 20)).message, "");
    for (int side = 0; side < 2; side++) {
        ways[side].aim = v3(0, side == 0 ? -9e-3 : 9e-3, ground_top(r->kind) + 40e-3);
        ways[side].speed = 0.2;
    }
    for (int step = 0; step < 300; step++) {
        for (int side = 0; side < 2 && r->has_hands; side++) {
            lead(r, side, &ways[side]);
            ways[side].aim = v3(0, side == 0 ? -9e-3 : 9e-3, ground_top(r->kind) + 40e-3);
            ways[side].speed = 0.2;
        }
        cg_world_step(r->world);
    }
    sum->caught += contacts_with_tissue(r->world) > 0;
    CHECK(r->kind == VESSEL || r->kind == SHEET || contacts_with_tissue(r->world) == 0);
}

static void torture(rig *r, int steps, count *sum)
{
    way ways[2] = {0};
    int before = sum->crossings;
    for (int side = 0; side < 2 && r->has_hands; side++) {
        ways[side].point = ways[side].aim = cg_hand_get_state(r->world, r->hands[side]).pose.position;
        ways[side].speed = 1;
    }
    for (int step = 0; step < steps && sum->crossings == before; step++) {
        if (step % THROW == 0) {
            throw_needle(r);
        }
        if (step % THROW == 0 && !r->has_hands) {
            throw_thread(r);
        }
        for (int side = 0; side < 2 && r->has_hands; side++) {
            lead(r, side, &ways[side]);
        }
        step_and_look(r, sum);
    }
    cg_world_stats stats = cg_world_get_stats(r->world);
    if (sum->crossings > before) {
        printf("    crossed: tissue %d, %s\n", (int)r->kind, r->has_hands ? "dragged" : "thrown");
    }
    sum->unfinished += (int)stats.unfinished_steps;
    CHECK_INT(sum->crossings, before);
    CHECK_INT(cg_tissue_get_summary(r->world, r->tissue).inverted_cells, 0);
    CHECK_INT((int)(stats.recovered_steps + stats.recovered_tissue_steps), 0);
    let_go(r, ways, sum);
}

static int number_of(const char *name, int usual)
{
    const char *value = getenv(name);
    return value != NULL ? (int)strtol(value, NULL, 10) : usual;
}

static bool begin_round(rig *r, int round)
{
    uint64_t seed = (uint64_t)round + 1 + 1000 * (uint64_t)number_of("CATGUT_SEED", 0);
    return make_rig(r, (ground)(round % GROUNDS), radii[round % RADII], round / GROUNDS % 2 == 1, seed);
}

TEST(nothing_passes_and_all_comes_free)
{
    count sum = {0};
    int rounds = test_counts(8, 4, 200), steps = test_counts(100, 60, 500), only = number_of("CATGUT_ROUND", -1);
    for (int round = only < 0 ? 0 : only; round < (only < 0 ? rounds : only + 1); round++) {
        rig r;
        if (!begin_round(&r, round)) {
            return;
        }
        torture(&r, steps, &sum);
        if (test_is_full()) {
            printf("    round %d, radius %g mm: %d of %d steps unfinished so far\n", round, 1e3 * radii[round % RADII],
                   sum.unfinished, sum.steps);
        }
        cg_world_destroy(r.world);
    }
    CHECK(sum.touched > sum.steps / 10);
    CHECK((double)sum.unfinished < MOST_UNFINISHED * sum.steps);
    printf(
        "    %d steps, tissue touched in %d, %d unfinished, %d crossings, %d of %d rounds hang on a vessel or sheet\n",
        sum.steps, sum.touched, sum.unfinished, sum.crossings, sum.caught, rounds);
}

// A fine thread that is swept past a needle turns as it slides, and comes nearer than its contacts foresee, pass by
// pass; these two rounds left 7 of 240 steps unfinished before the distance was taken back as fast.
TEST(fine_threads_swept_past_a_needle_go_on)
{
    const int swept[2] = {15, 46};
    count sum = {0};
    for (int k = 0; k < 2; k++) {
        rig r;
        if (!begin_round(&r, swept[k])) {
            return;
        }
        torture(&r, test_counts(120, 60, 500), &sum);
        cg_world_destroy(r.world);
    }
    CHECK((double)sum.unfinished < MOST_UNFINISHED * sum.steps);
}
