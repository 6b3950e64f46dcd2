// The default step: rest, weight, return, hands of limited force, the same bits after a snapshot.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "harness.h"
#include "tissue/tissue.h"

static const cg_vec3 gravity = {0, 0, -9.81};

static cg_tissue *make_tissue(const cg_tissue_def *def)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    cg_status status = cg_tissue_create(def, &allocator, &tissue);
    CHECK_STR(status.message, "");
    return tissue;
}

// The free node of the top nearest to the middle.
static int middle_of(const cg_tissue *tissue)
{
    const cg_mesh *mesh = tissue->mesh;
    int best = -1;
    double least = 1;
    for (int i = 0; i < mesh->node_count; i++) {
        double distance = v3_length(mesh->home[i]);
        if (distance < least && !mesh->fixed[i]) {
            least = distance;
            best = i;
        }
    }
    return best;
}

static int settle(cg_tissue *tissue, double h, cg_vec3 g, int most)
{
    int steps = 0;
    while (!tissue->asleep && steps < most) {
        cg_tissue_step(tissue, h, g);
        steps++;
    }
    return steps;
}

static cg_vec3 sum_of(const cg_vec3 *vectors, int count)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < count; i++) {
        sum = v3_add(sum, vectors[i]);
    }
    return sum;
}

TEST(a_pad_carries_its_weight_and_sleeps)
{
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue *pad = make_tissue(&def);
    if (pad == NULL) {
        return;
    }
    CHECK(settle(pad, 1e-3, gravity, 3000) < 3000);
    double weight = 1100 * 40e-3 * 30e-3 * 5e-3 * 9.81;
    cg_vec3 held = sum_of(pad->reaction, pad->mesh->node_count);
    CHECK_NEAR(held.z, -weight, 1e-9 * weight);
    CHECK_NEAR(held.x, 0, 1e-9 * weight);
    CHECK_NEAR(held.y, 0, 1e-9 * weight);
    // Asleep, a step changes nothing; without gravity it wakes and goes home.
    cg_vec3 before = pad->mesh->position[0];
    cg_tissue_step(pad, 1e-3, gravity);
    CHECK(pad->asleep && before.x == pad->mesh->position[0].x);
    cg_tissue_step(pad, 1e-3, v3_zero());
    CHECK(!pad->asleep);
    CHECK(settle(pad, 1e-3, v3_zero(), 3000) < 3000);
    for (int i = 0; i < pad->mesh->node_count; i++) {
        CHECK_NEAR(v3_distance(pad->mesh->position[i], pad->mesh->home[i]), 0, 1e-12);
    }
    cg_tissue_destroy(pad);
}

TEST(a_hand_of_limited_force_pulls_no_harder)
{
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue *pad = make_tissue(&def);
    if (pad == NULL) {
        return;
    }
    int node = middle_of(pad);
    cg_tissue_hold hold = {.count = 1, .nodes = {node}, .stiffness = 2000, .damping = 1, .most_force = 0.2};
    hold.targets[0] = v3_add(pad->mesh->position[node], v3(0, 0, 5e-3));
    cg_vec3 force = v3_zero();
    for (int step = 0; step < 1500; step++) {
        cg_tissue_grip grip = cg_tissue_grip_of(pad, &hold, 1e-3);
        pad->grips = &grip;
        cg_tissue_step(pad, 1e-3, v3_zero());
        force = cg_tissue_grip_force(pad, &grip);
        pad->grips = NULL;
    }
    CHECK_NEAR(v3_length(force), 0.2, 1e-9);
    cg_vec3 held = sum_of(pad->reaction, pad->mesh->node_count);
    CHECK_NEAR(v3_distance(held, force), 0, 1e-9 * v3_length(force));
    CHECK(pad->mesh->position[node].z > 1e-4);
    cg_tissue_destroy(pad);
}

TEST(forces_found_after_the_prediction_count_as_pushes_do)
{
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue *early = make_tissue(&def), *late = make_tissue(&def);
    cg_mesh_point point = {.weights = {0.2, 0.3, 0.5}};
    for (int t = 0; t < early->mesh->triangle_count; t++) {
        point.triangle = early->mesh->triangles[t].side == CG_SIDE_TOP ? t : point.triangle;
    }
    cg_vec3 force = v3(0.02, 0.01, -0.05);
    for (int step = 0; step < 300; step++) { // until both have come to rest
        cg_tissue_push_point(early, &point, force);
        cg_tissue_step(early, 1e-3, gravity);
        cg_tissue_begin_step(late, 1e-3, gravity);
        cg_tissue_predict(late);
        cg_tissue_add_force(late, &point, force);
        cg_tissue_finish_step(late);
    }
    cg_vec3 a = cg_tissue_point_place(early, &point), b = cg_tissue_point_place(late, &point);
    cg_vec3 home = v3_zero();
    for (int k = 0; k < 3; k++) {
        home =
            v3_add_scaled(home, point.weights[k], early->mesh->home[early->mesh->triangles[point.triangle].nodes[k]]);
    }
    CHECK(v3_distance(a, home) > 1e-5);
    CHECK_NEAR(v3_distance(a, b), 0, 1e-6 * v3_distance(a, home));
    cg_tissue_destroy(early);
    cg_tissue_destroy(late);
}

// A tissue that was asked for its answer, twice, moves as one that was not, and as its answer said; and it gives way by
// no more than the estimate of its nodes on the soft side.
TEST(an_answer_is_what_is_done)
{
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue *asked = make_tissue(&def), *other = make_tissue(&def);
    int node = middle_of(asked), count = asked->mesh->node_count;
    for (int step = 0; step < 20; step++) {
        cg_vec3 force = v3(0.01, 0, -0.002 * step);
        cg_tissue_begin_step(other, 1e-3, gravity);
        cg_tissue_predict(other);
        cg_tissue_add_node_force(other, node, force);
        cg_tissue_finish_step(other);
        cg_tissue_begin_step(asked, 1e-3, gravity);
        cg_tissue_predict(asked);
        cg_vec3 before = cg_tissue_node_foreseen(asked, node), start = asked->mesh->position[node];
        cg_vec3 more = asked->has_held ? v3_sub(force, asked->held[node]) : force;
        for (int k = 0; k < 2; k++) {
            cg_tissue_forget_forces(asked);
            cg_tissue_add_node_force(asked, node, force);
            cg_tissue_answer(asked);
        }
        cg_vec3 foreseen = cg_tissue_node_foreseen(asked, node);
        double made = v3_dot(more, v3_sub(foreseen, before));
        double most = v3_dot(more, m3_apply(cg_tissue_node_compliance(asked, node, 1e-3), more));
        CHECK(made > 0 && made <= most);
        cg_tissue_finish_step(asked);
        CHECK_NEAR(v3_distance(v3_add(start, foreseen), asked->mesh->position[node]), 0, 1e-15);
        CHECK(memcmp(asked->mesh->position, other->mesh->position, (size_t)count * sizeof(cg_vec3)) == 0);
    }
    cg_tissue_destroy(asked);
    cg_tissue_destroy(other);
}

TEST(what_is_foreseen_comes_true)
{
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue *pad = make_tissue(&def);
    cg_mesh_point point = {.triangle = 7, .weights = {0.1, 0.6, 0.3}};
    for (int step = 0; step < 20; step++) {
        cg_tissue_push_node(pad, middle_of(pad), v3(0.1, 0, 0.1));
        cg_tissue_begin_step(pad, 1e-3, gravity);
        cg_tissue_predict(pad);
        cg_vec3 before = cg_tissue_point_place(pad, &point), foreseen = cg_tissue_point_foreseen(pad, &point);
        cg_tissue_finish_step(pad);
        cg_vec3 place = cg_tissue_point_place(pad, &point);
        CHECK_NEAR(v3_distance(place, foreseen), 0, 1e-15);
        CHECK_NEAR(v3_distance(v3_scale(1e-3, cg_tissue_point_velocity(pad, &point)), v3_sub(place, before)), 0, 1e-15);
    }
    cg_tissue_destroy(pad);
}

static uint64_t hash_of(cg_tissue *tissue)
{
    cg_archive archive = cg_archive_to_hash();
    cg_archive_begin(&archive, 1);
    cg_tissue_visit_state(&archive, tissue);
    CHECK(cg_archive_end(&archive).code == CG_OK);
    return cg_archive_hash(&archive);
}

// Brings b, made as a was, to the state of a by way of a snapshot.
static void copy_state(cg_tissue *a, cg_tissue *b)
{
    cg_archive measure = cg_archive_to_measure();
    cg_archive_begin(&measure, 1);
    cg_tissue_visit_state(&measure, a);
    size_t size = cg_archive_size(&measure);
    void *bytes = malloc(size);
    cg_archive save = cg_archive_to_save(bytes, size);
    cg_archive_begin(&save, 1);
    cg_tissue_visit_state(&save, a);
    CHECK(cg_archive_end(&save).code == CG_OK);
    cg_archive load = cg_archive_to_load(bytes, size);
    cg_archive_begin(&load, 1);
    cg_tissue_visit_state(&load, b);
    CHECK(cg_archive_end(&load).code == CG_OK);
    cg_tissue_after_load(b);
    free(bytes);
}

TEST(a_snapshot_goes_on_with_the_same_bits)
{
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue *a = make_tissue(&def), *b = make_tissue(&def);
    int node = middle_of(a);
    for (int step = 0; step < 30; step++) {
        cg_tissue_push_node(a, node, v3(0, 0.1, 0.1));
        cg_tissue_step(a, 1e-3, gravity);
    }
    copy_state(a, b);
    for (int step = 0; step < 30; step++) {
        cg_tissue_push_node(a, node, v3(0.1, 0, 0.1));
        cg_tissue_push_node(b, node, v3(0.1, 0, 0.1));
        cg_tissue_step(a, 1e-3, gravity);
        cg_tissue_step(b, 1e-3, gravity);
        CHECK_HASH(hash_of(a), hash_of(b));
    }
    cg_tissue_destroy(a);
    cg_tissue_destroy(b);
}

// Sweeps end early, each where the wave fades: later ones reach nodes that earlier ones of the step did not.
TEST(sweeps_go_on_with_the_same_bits_after_a_snapshot)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_BOX;
    def.size = v3(0.02, 0.02, 0.01);
    def.solver = CG_TISSUE_QUASI_STATIC;
    def.iterations = 10;
    cg_tissue *a = make_tissue(&def), *b = NULL;
    a->cutout *= 10;
    int node = middle_of(a);
    for (int step = 0; step < 240; step++) {
        if (step < 40) { // another one that has never made a step
            cg_tissue_destroy(b);
            b = make_tissue(&def);
            b->cutout = a->cutout;
            copy_state(a, b);
        }
        cg_vec3 push = v3(0.256 * (step % 11), 0, 0.256 * (step % 5));
        cg_tissue_push_node(a, node, push);
        cg_tissue_push_node(b, node, push);
        cg_tissue_step(a, 1e-3, v3_zero());
        cg_tissue_step(b, 1e-3, v3_zero());
        CHECK_HASH(hash_of(a), hash_of(b));
    }
    cg_tissue_destroy(a);
    cg_tissue_destroy(b);
}
