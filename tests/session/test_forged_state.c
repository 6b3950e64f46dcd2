// States that no world ever had, with checksums that are right: a snapshot or a recording may come from anybody. They
// are refused with a sentence and the world stays as it was; or, where nothing tells them from true ones, the world
// goes on with them and holds all that worlds hold.
#include "base/hash.h"
#include "session_rig.h"
#include "world/world.h"
#include "worlds.h"

enum { HEADER = 32, WORD = 8 };

static void put_word(unsigned char *to, uint64_t word)
{
    for (int i = 0; i < WORD; i++) {
        to[i] = (unsigned char)(word >> (8 * i));
    }
}

static void seal(unsigned char *bytes, size_t size)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_bytes(&hash, bytes + HEADER, size - HEADER);
    put_word(bytes + 3 * WORD, cg_hash_end(&hash));
}

// What is written instead of a word of the state.
static uint64_t forged(uint64_t word, uint64_t *seed)
{
    static const double numbers[] = {0, -1, 1, 1e-300, 1e300, -1e-9, 1e12, 0.5, -0.0};
    double number;
    uint64_t bits;
    memcpy(&number, &word, sizeof number);
    switch (test_random_int(seed, 0, 5)) {
    case 0:
        return word + 1;
    case 1:
        return word - 1;
    case 2:
        return test_random_bits(seed);
    case 3:
        number = -number;
        break;
    case 4:
        number *= test_random(seed, 0.5, 2);
        break;
    default:
        number = numbers[test_random_int(seed, 0, 8)];
        break;
    }
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

// What must hold after every step.
static bool is_finite(const cg_world *world)
{
    bool finite = true;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int i = 0; i < s->thread->vertex_count; i++) {
            finite = finite && v3_is_finite(s->thread->shape.position[i]) && v3_is_finite(s->thread->velocity[i]);
        }
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        for (int i = 0; i < s->tissue->mesh->node_count; i++) {
            finite = finite && v3_is_finite(s->tissue->mesh->position[i]) && v3_is_finite(s->tissue->velocity[i]);
        }
    }
    return CHECK(finite);
}

static bool is_sound(const cg_world *world)
{
    bool sound = true;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        sound = CHECK_STR(cg_thread_check(s->thread).message, "") && sound;
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        sound = CHECK_STR(cg_tissue_check(s->tissue).message, "") && sound;
    }
    return sound;
}

// Returns how many of the forged states were refused.
static int forge(const char *text, int count, int warm_up)
{
    cg_scene *scene = rig_scene(text);
    cg_session *session = rig_session(scene, NULL);
    const cg_world *world = cg_session_world(session);
    for (int i = 0; i < warm_up; i++) {
        cg_session_step(session);
    }
    size_t size = cg_world_snapshot_size(world);
    unsigned char *whole = malloc(size), *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(world, whole, size).message, "");
    uint64_t hash = cg_world_state_hash(world), seed = 1;
    int refused = 0;
    bool good = true;
    for (int k = 0; k < count && good; k++) {
        memcpy(bytes, whole, size);
        unsigned char *word =
            bytes + HEADER + WORD * (size_t)test_random_int(&seed, 0, (int)(size - HEADER) / WORD - 1);
        uint64_t was = 0;
        for (int i = 0; i < WORD; i++) {
            was |= (uint64_t)word[i] << (8 * i);
        }
        put_word(word, forged(was, &seed));
        seal(bytes, size);
        if (cg_session_restore(session, bytes, size).code != CG_OK) {
            refused++;
            good = CHECK_HASH(cg_world_state_hash(world), hash);
            continue;
        }
        good = is_sound(world);
        cg_session_step(session);
        cg_session_step(session);
        good = is_finite(world) && CHECK_STR(cg_session_restore(session, whole, size).message, "") && good;
    }
    free(whole);
    free(bytes);
    cg_session_destroy(session);
    cg_scene_free(scene);
    return refused;
}

TEST(forged_threads)
{
    int count = test_counts(2000, 400, 200000);
    CHECK(forge(WORLD_THREADS, count, 3) > count / 8);
}

static int vertices_after(const char *text, int steps)
{
    cg_scene *scene = rig_scene(text);
    cg_session *session = rig_session(scene, NULL);
    int count = 0;
    for (int i = 0; i < steps; i++) {
        cg_session_step(session);
    }
    cg_thread_positions(cg_session_world(session), cg_session_thread(session, 0), &count);
    cg_session_destroy(session);
    cg_scene_free(scene);
    return count;
}

// The state that is forged has vertices that came on the way.
TEST(forged_knots)
{
    CHECK(vertices_after(WORLD_KNOT, 3) != vertices_after(WORLD_KNOT, 0));
    int count = test_counts(100, 25, 20000);
    CHECK(forge(WORLD_KNOT, count, 3) > count / 8);
}

TEST(forged_wounds)
{
    int count = test_counts(400, 75, 20000);
    CHECK(forge(WORLD_WOUND, count, 30) > count / 8);
}

TEST(forged_tissue_of_other_solvers)
{
    int count = test_counts(400, 75, 20000);
    CHECK(forge(WORLD_QUIET, count, 3) > count / 8);
}

// What a debug build ended with an assertion for, and a release build went on with.
TEST(rest_lengths_and_masses_below_zero_are_refused)
{
    cg_scene *scene = rig_scene(WORLD_THREADS);
    cg_session *honest = rig_session(scene, NULL), *liar = rig_session(scene, NULL);
    uint64_t hash = cg_world_state_hash(cg_session_world(honest));
    for (int k = 0; k < 4; k++) {
        cg_thread *thread = cg_world_first_thread(cg_session_world(liar))->thread;
        double *lie = k < 2 ? &thread->rest_length[3] : &thread->added_mass[3], truth = *lie;
        *lie = k % 2 == 0 ? -1e-3 : (k == 1 ? 0 : -1e9);
        size_t size = cg_world_snapshot_size(cg_session_world(liar));
        void *bytes = malloc(size);
        CHECK_STR(cg_world_snapshot(cg_session_world(liar), bytes, size).message, "");
        CHECK_INT(cg_session_restore(honest, bytes, size).code, CG_BAD_INPUT);
        CHECK_HASH(cg_world_state_hash(cg_session_world(honest)), hash);
        *lie = truth;
        free(bytes);
    }
    cg_session_destroy(honest);
    cg_session_destroy(liar);
    cg_scene_free(scene);
}
