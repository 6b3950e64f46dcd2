// label: golden
// The wide walks over springs and nodes, and the same files compiled without them: the same bits.
#include <string.h>

#include "base/vec3.h"
#include "harness.h"
#include "tissue/tissue.h"

// The files once more, under other names and without their wide halves.
#define cg_springs_place plain_place
#define cg_springs_force plain_force
#define cg_springs_mark_row plain_mark_row
#define cg_springs_mark_all plain_mark_all
#define cg_springs_energy plain_energy
#define cg_springs_linearise plain_linearise
#define cg_springs_invert_blocks plain_invert_blocks
#define cg_springs_multiply_ground plain_multiply_ground
#define cg_springs_multiply plain_multiply
#define cg_springs_solve plain_solve
#define cg_springs_solve_on plain_solve_on
#define cg_tissue_predict_implicit plain_predict_implicit
#define cg_tissue_apart_share plain_apart_share
#define cg_tissue_answer_implicit plain_answer_implicit
#define cg_tissue_finish_implicit plain_finish_implicit
#define cg_tissue_node_urge plain_node_urge
#define cg_tissue_node_stiffness plain_node_stiffness
void plain_place(cg_springs *springs, const cg_vec3 *position);
void plain_force(cg_springs *springs);
void plain_mark_row(cg_springs *springs, int row);
void plain_mark_all(cg_springs *springs);
double plain_energy(const cg_springs *springs);
void plain_linearise(cg_springs *springs, double damping);
void plain_invert_blocks(cg_springs *springs, const bool *fixed);
void plain_multiply_ground(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response);
void plain_multiply(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response);
void plain_solve(cg_springs *springs, cg_solve *solve);
void plain_solve_on(cg_springs *springs, cg_solve *solve);
void plain_predict_implicit(cg_tissue *tissue);
void plain_answer_implicit(cg_tissue *island);
void plain_finish_implicit(cg_tissue *tissue);
cg_vec3 plain_node_urge(const cg_tissue *tissue, int node);
double plain_node_stiffness(const cg_tissue *tissue, int node);
#undef CG_WIDE_TARGET
#undef CG_HAS_WIDE
#define CG_WIDE_TARGET
#define CG_HAS_WIDE 0
// clang-format off
#include "tissue/force.c"
#include "tissue/matrix.c"
#include "tissue/multiply.c"
#include "tissue/conjugate.c"
#include "tissue/implicit.c"
// clang-format on

static cg_tissue *make(bool is_free)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(14e-3, 10e-3, 0);
    def.layers[0] = (cg_tissue_layer){4e-3, {.young = 30e3, .density = 1100, .stiffening = 3}};
    def.wound = CG_WOUND_STRAIGHT;
    def.wound_length = 6e-3;
    def.wound_depth = 2e-3;
    def.tension = 0.05;
    def.fix_bottom = !is_free;
    def.fix_rim = false;
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    CHECK_STR(cg_tissue_create(&def, &allocator, &tissue).message, "");
    return tissue;
}

static bool same_places(const cg_tissue *a, const cg_tissue *b)
{
    size_t bytes = (size_t)a->mesh->node_count * sizeof(cg_vec3);
    return memcmp(a->mesh->position, b->mesh->position, bytes) == 0 && memcmp(a->velocity, b->velocity, bytes) == 0 &&
           memcmp(a->reaction, b->reaction, bytes) == 0;
}

// A node of the top.
static int held_node(const cg_tissue *tissue)
{
    int best = 0;
    for (int i = 1; i < tissue->mesh->node_count; i++) {
        double distance = v3_distance(tissue->mesh->home[i], v3(3e-3, 2e-3, 0));
        best = distance < v3_distance(tissue->mesh->home[best], v3(3e-3, 2e-3, 0)) ? i : best;
    }
    return best;
}

// Pressed in until cells are squeezed, and let go.
static void step(cg_tissue *tissue, int number, bool plain)
{
    int node = held_node(tissue);
    cg_tissue_hold hold = {.count = 1, .nodes = {node}, .stiffness = 800, .damping = 0.5, .most_force = 8};
    hold.targets[0] = v3_add(tissue->mesh->home[node], v3_scale(number * 1e-4, v3(0.3, 0.1, -1)));
    cg_tissue_grip grip = cg_tissue_grip_of(tissue, &hold, 1e-3);
    tissue->grips = number < 60 ? &grip : NULL;
    cg_tissue_begin_step(tissue, 1e-3, v3(0, 0, -9.81));
    if (plain) {
        plain_predict_implicit(tissue);
        plain_finish_implicit(tissue);
    } else {
        cg_tissue_predict(tissue);
        cg_tissue_finish_step(tissue);
    }
    tissue->grips = NULL;
}

TEST(wide_walks_have_the_bits_of_plain_ones)
{
    for (int is_free = 0; is_free < 2; is_free++) {
        cg_tissue *wide = make(is_free), *plain = make(is_free);
        int differing = 0, squeezed = 0;
        for (int number = 0; number < 100; number++) {
            step(wide, number, false);
            step(plain, number, true);
            differing += !same_places(wide, plain);
            squeezed += wide->stats.squeezed_cells;
        }
        CHECK_INT(differing, 0);
        CHECK(is_free || squeezed > 0);
        CHECK(cg_springs_energy(&wide->springs) > 0);
        cg_tissue_destroy(wide);
        cg_tissue_destroy(plain);
    }
}
