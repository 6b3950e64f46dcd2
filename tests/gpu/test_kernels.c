// Kernels of cloth and spring thread on a processor: their order does not matter, they do what theory and the library
// say, and worlds of a batch know nothing of each other. What a device does is compared with this by scripts/gpu-run.
#include "gpu/setup.h"

#include "base/trig.h"
#include "harness.h"
#include "thread/mass_spring.h"

#define CHECK_OK(call) CHECK_STR((call).message, "")

typedef struct run {
    cg_gpu_kind kind;
    bool is_float;
    int worlds, lanes, steps;
    uint64_t order;
} run;

static cg_gpu_setup make_setup(cg_gpu_kind kind)
{
    cg_gpu_setup setup;
    CHECK_OK(kind == CG_GPU_CLOTH ? cg_setup_cloth(9, 7, 0.002, &setup) : cg_setup_springs(23, 5, 0.001, &setup));
    return setup;
}

// Places and velocities of the last world after the run.
static cg_vec3 *result_of(const cg_gpu_setup *setup, const run *r)
{
    cg_gpu *gpu;
    cg_batch *batch;
    CHECK_OK(cg_gpu_open(&(cg_gpu_def){.order = r->order, .lanes = r->lanes}, &gpu));
    CHECK_OK(cg_setup_batch(gpu, setup, r->kind, r->worlds, r->is_float, &batch));
    CHECK_OK(cg_batch_step(batch, r->steps));
    cg_vec3 *result = calloc(2 * (size_t)setup->nodes, sizeof *result);
    CHECK_OK(cg_batch_read(batch, r->worlds - 1, 1, result, result + setup->nodes));
    cg_batch_destroy(batch);
    cg_gpu_close(gpu);
    return result;
}

static double furthest(const cg_vec3 *a, const cg_vec3 *b, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, v3_distance(a[i], b[i]));
    }
    return most;
}

static void check_orders(cg_gpu_kind kind)
{
    cg_gpu_setup setup = make_setup(kind);
    size_t bytes = 2 * (size_t)setup.nodes * sizeof(cg_vec3);
    cg_vec3 *plain = result_of(&setup, &(run){.kind = kind, .worlds = 1, .lanes = 1, .steps = 300});
    CHECK(v3_distance(plain[setup.nodes / 2], setup.places[setup.nodes / 2]) > 1e-3);
    static const int lanes[] = {1, 5, 32, 64, 300};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        run shuffled = {.kind = kind, .worlds = 3, .lanes = lanes[seed % 5], .steps = 300, .order = 77 * seed};
        cg_vec3 *other = result_of(&setup, &shuffled);
        CHECK_INT(memcmp(plain, other, bytes), 0);
        free(other);
    }
    free(plain);
    cg_setup_free(&setup);
}

TEST(lanes_and_worlds_in_any_order_give_the_same_cloth)
{
    check_orders(CG_GPU_CLOTH);
}

TEST(lanes_and_worlds_in_any_order_give_the_same_thread)
{
    check_orders(CG_GPU_SPRINGS);
}

static void check_single(cg_gpu_kind kind)
{
    cg_gpu_setup setup;
    CHECK_OK(kind == CG_GPU_CLOTH ? cg_setup_hung_cloth(32, 32, 0.001, &setup)
                                  : cg_setup_springs(101, 4, 0.001, &setup));
    cg_vec3 *fine = result_of(&setup, &(run){.kind = kind, .worlds = 1, .steps = 1000});
    cg_vec3 *coarse = result_of(&setup, &(run){.kind = kind, .worlds = 1, .steps = 1000, .is_float = true});
    double apart = furthest(fine, coarse, setup.nodes);
    printf("single precision is %.3g m off after 1,000 steps\n", apart);
    CHECK(apart > 0); // it is another precision
    CHECK(apart < 1e-4 * 0.5);
    free(fine);
    free(coarse);
    cg_setup_free(&setup);
}

TEST(cloth_in_single_precision_is_within_1e_4_of_its_size)
{
    check_single(CG_GPU_CLOTH);
}

TEST(thread_in_single_precision_is_within_1e_4_of_its_size)
{
    check_single(CG_GPU_SPRINGS);
}

TEST(an_angle_is_that_of_the_library)
{
    double worst = 0;
    for (int k = 1; k < 1000; k++) {
        double angle = 3.14159265358979 * k / 1000, s = cg_sin(angle), c = cg_cos(angle);
        worst = fmax(worst, fabs(cg_spring_angle(s, c) / cg_atan2(s, c) - 1));
        worst = fmax(worst, fabs(cg_spring_angle(1e-7 * s, 1e-7 * c) / cg_atan2(s, c) - 1));
    }
    CHECK(worst < 1e-15 * 4);
}

// The same springs by the library, which hands forces out instead of gathering them.
TEST(a_gathered_thread_moves_as_the_library_says)
{
    for (int model = 1; model <= 5; model++) {
        cg_gpu_setup setup;
        CHECK_OK(cg_setup_springs(21, model, 0.001, &setup));
        cg_spring_law *law = &setup.law.springs;
        law->hand = -1;
        law->has_floor = 0;
        cg_vec3 place[21], velocity[21] = {{0}};
        bool held[21] = {true};
        for (int i = 0; i < 21; i++) {
            setup.places[i].z += 0.002 * cg_sin(1.7 * i);
            setup.places[i].y += 0.002 * cg_cos(2.9 * i * i);
            place[i] = setup.places[i];
        }
        cg_vec3 *result = result_of(&setup, &(run){.kind = CG_GPU_SPRINGS, .worlds = 1, .steps = 500});
        const cg_mass_spring_def def = {model,
                                        law->mass,
                                        law->rest_length,
                                        law->linear_spring,
                                        law->quadratic_spring,
                                        law->linear_damper,
                                        law->torsional_spring,
                                        law->torsional_damper,
                                        law->swivel_damper,
                                        false,
                                        false};
        for (int step = 0; step < 500; step++) {
            cg_vec3 force[21];
            for (int i = 0; i < 21; i++) {
                force[i] = v3_add_scaled(v3_scale(law->mass, law->gravity), -law->mass * law->drag, velocity[i]);
            }
            cg_mass_spring_step(&def, 21, place, velocity, force, held, law->step);
        }
        CHECK(v3_distance(place[20], setup.places[20]) > 0.1);
        CHECK(furthest(place, result, 21) < 1e-9);
        free(result);
        cg_setup_free(&setup);
    }
}

// Worlds with laws of their own, at any place in batches of any size, do what they do alone.
TEST(a_world_of_a_batch_does_what_it_does_alone)
{
    cg_gpu_setup setup = make_setup(CG_GPU_CLOTH);
    cg_gpu *gpu;
    CHECK_OK(cg_gpu_open(&(cg_gpu_def){.order = 5, .lanes = 16}, &gpu));
    static const int sizes[] = {1, 7, 60};
    size_t nodes = (size_t)setup.nodes;
    cg_vec3 *alone = calloc(nodes, sizeof *alone), *within = calloc(nodes, sizeof *within);
    for (int k = 0; k < 3; k++) {
        int worlds = sizes[k], own = worlds / 2;
        cg_batch *batch;
        CHECK_OK(cg_setup_batch(gpu, &setup, CG_GPU_CLOTH, worlds, false, &batch));
        cg_gpu_law *laws = calloc((size_t)worlds, sizeof *laws);
        for (int w = 0; w < worlds; w++) {
            laws[w] = setup.law;
            laws[w].cloth.stiffness = w == own ? 31 : 40 + w;
        }
        unsigned char *mask = calloc((size_t)worlds, 1);
        CHECK_OK(cg_batch_set(batch, NULL, &(cg_batch_values){.laws = laws}));
        CHECK_OK(cg_batch_step(batch, 100));
        CHECK_OK(cg_batch_read(batch, own, 1, k == 0 ? alone : within, NULL));
        CHECK(k == 0 || memcmp(alone, within, nodes * sizeof *alone) == 0);
        // the other ones begin anew, and this one goes on; then it too
        for (int w = 0; w < worlds; w++) {
            mask[w] = w != own;
        }
        CHECK_OK(cg_batch_reset(batch, mask));
        CHECK_OK(cg_batch_read(batch, own, 1, within, NULL));
        CHECK_INT(memcmp(alone, within, nodes * sizeof *alone), 0);
        if (worlds > 1) {
            CHECK_OK(cg_batch_read(batch, 0, 1, within, NULL));
            CHECK_INT(memcmp(setup.places, within, nodes * sizeof *alone), 0);
        }
        CHECK_OK(cg_batch_reset(batch, NULL));
        CHECK_OK(cg_batch_step(batch, 100));
        CHECK_OK(cg_batch_read(batch, own, 1, within, NULL));
        CHECK_INT(memcmp(alone, within, nodes * sizeof *alone), 0);
        free(mask);
        free(laws);
        cg_batch_destroy(batch);
    }
    free(alone);
    free(within);
    cg_gpu_close(gpu);
    cg_setup_free(&setup);
}

// A hand that is told apart from the law does what one in the law does.
TEST(a_touched_world_is_stepped_with_the_hand)
{
    cg_gpu_setup setup = make_setup(CG_GPU_CLOTH);
    cg_gpu *gpu;
    cg_batch *touched, *plain;
    CHECK_OK(cg_gpu_open(&(cg_gpu_def){0}, &gpu));
    CHECK_OK(cg_setup_batch(gpu, &setup, CG_GPU_CLOTH, 1, false, &touched));
    setup.law.cloth.hand_place.z += 0.05;
    CHECK_OK(cg_setup_batch(gpu, &setup, CG_GPU_CLOTH, 1, false, &plain));
    cg_vec3 to = setup.law.cloth.hand_place, end = {0, 0, 0};
    cg_gpu_hand hand = {1, {to.x, to.y, to.z}, {0, 0, 0}};
    cg_gpu_held held;
    for (int step = 0; step < 50; step++) {
        CHECK_OK(cg_batch_touch(touched, &hand, &held));
    }
    CHECK_OK(cg_batch_step(plain, 50));
    cg_vec3 *places = calloc((size_t)setup.nodes, sizeof *places);
    CHECK_OK(cg_batch_read(plain, 0, 1, places, NULL));
    end = places[setup.law.cloth.hand];
    CHECK_INT(held.step, 50);
    CHECK(held.place[0] == end.x && held.place[1] == end.y && held.place[2] == end.z);
    CHECK(v3_distance(end, setup.places[setup.law.cloth.hand]) > 1e-4);
    free(places);
    cg_batch_destroy(touched);
    cg_batch_destroy(plain);
    cg_gpu_close(gpu);
    cg_setup_free(&setup);
}

TEST(what_cannot_be_is_refused)
{
    cg_gpu *gpu;
    cg_batch *batch;
    CHECK_OK(cg_gpu_open(&(cg_gpu_def){0}, &gpu));
    CHECK_INT(cg_batch_make(gpu, &(cg_batch_def){.kind = CG_GPU_CLOTH, .worlds = 0}, &batch).code, CG_BAD_INPUT);
    CHECK_INT(
        cg_batch_make(gpu, &(cg_batch_def){.kind = CG_GPU_CLOTH, .worlds = 1, .columns = 1, .rows = 5}, &batch).code,
        CG_BAD_INPUT);
    CHECK_INT(cg_batch_make(gpu, &(cg_batch_def){.kind = CG_GPU_SPRINGS, .worlds = 1, .points = 1}, &batch).code,
              CG_BAD_INPUT);
    CHECK_OK(cg_batch_make(gpu, &(cg_batch_def){.kind = CG_GPU_SPRINGS, .worlds = 2, .points = 5}, &batch));
    CHECK_INT(cg_batch_step(batch, 1).code, CG_BAD_INPUT); // no laws
    cg_gpu_law laws[2] = {{.springs = {.points = 5, .mass = 1, .step = 1e-3, .hand = 5}}};
    CHECK_INT(cg_batch_set(batch, NULL, &(cg_batch_values){.laws = laws}).code, CG_BAD_INPUT);
    laws[0].springs.hand = -1;
    laws[1] = laws[0];
    laws[1].springs.mass = 0;
    CHECK_INT(cg_batch_set(batch, NULL, &(cg_batch_values){.laws = laws}).code, CG_BAD_INPUT);
    CHECK_INT(cg_batch_read(batch, 1, 2, NULL, NULL).code, CG_BAD_INPUT);
    cg_gpu_held held;
    CHECK_INT(cg_batch_touch(batch, NULL, &held).code, CG_BAD_INPUT);
    cg_batch_destroy(batch);
    cg_gpu_close(gpu);
    if (!cg_gpu_is_built()) {
        cg_status status = cg_gpu_open(&(cg_gpu_def){.where = CG_GPU_DEVICE}, &gpu);
        CHECK_INT(status.code, CG_BAD_INPUT);
        CHECK(strstr(status.message, "without CUDA") != NULL);
    }
}
