// Rows that join two points, of one tissue or of two: what they do, by balance and by closed form.
#include <math.h>

#include "base/vec3.h"
#include "harness.h"
#include "tissue/tissue.h"

static cg_tissue *make_block(cg_vec3 place)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_BOX;
    def.size = v3(4e-3, 4e-3, 4e-3);
    def.fix_bottom = false;
    def.iterations = 400;
    def.pose.position = place;
    cg_allocator allocator = cg_memory_default();
    cg_tissue *block;
    CHECK_STR(cg_tissue_create(&def, &allocator, &block).message, "");
    return block;
}

static cg_vec3 momentum_of(const cg_tissue *tissue)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        sum = v3_add_scaled(sum, tissue->mesh->mass[i], tissue->velocity[i]);
    }
    return sum;
}

// One bond between a point of a triangle of the first tissue and one of the other, or of the same one.
typedef struct bond {
    cg_tissue *first, *second;
    int triangles[2];
    double stiffness;
    cg_tissue_row row;
    cg_tissue_pusher pusher;
    cg_vec3 start[2][200];
} bond;

static const double SHARES[2][3] = {{0.5, 0.3, 0.2}, {0.1, 0.1, 0.8}};

static cg_vec3 apart(const bond *b)
{
    const cg_tissue *sides[2] = {b->first, b->second};
    cg_vec3 sum = v3_zero();
    for (int k = 0; k < 6; k++) {
        const cg_mesh *mesh = sides[k / 3]->mesh;
        cg_vec3 x = mesh->position[mesh->triangles[b->triangles[k / 3]].nodes[k % 3]];
        sum = v3_add_scaled(sum, (k < 3 ? 1 : -1) * SHARES[k / 3][k % 3], x);
    }
    return sum;
}

static void push(void *context)
{
    bond *b = context;
    const cg_tissue *sides[2] = {b->first, b->second};
    bool is_one = b->first == b->second;
    b->row = (cg_tissue_row){.count = 6,
                             .own_count = is_one ? 6 : 3,
                             .other = is_one ? NULL : &b->second->springs,
                             .normal = v3(0, 0, 1),
                             .along = b->stiffness,
                             .across = b->stiffness,
                             .force = v3_scale(-b->stiffness, apart(b))};
    for (int k = 0; k < 6; k++) {
        const cg_mesh *mesh = sides[k / 3]->mesh;
        b->row.nodes[k] = mesh->triangles[b->triangles[k / 3]].nodes[k % 3];
        b->row.weights[k] = (k < 3 ? 1 : -1) * SHARES[k / 3][k % 3];
    }
    b->pusher.list = (cg_row_list){.rows = &b->row, .count = 1};
}

static void step(bond *b, cg_vec3 gravity)
{
    cg_tissue *sides[2] = {b->first, b->second};
    int count = b->first == b->second ? 1 : 2;
    for (int k = 0; k < count; k++) {
        cg_tissue_begin_step(sides[k], 1e-3, gravity);
        CHECK(sides[k]->mesh->node_count <= 200);
        for (int i = 0; i < sides[k]->mesh->node_count; i++) {
            b->start[k][i] = sides[k]->mesh->position[i];
        }
    }
    b->pusher = (cg_tissue_pusher){.push = push, .context = b, .keeps_awake = true};
    cg_tissue_add_pusher(b->first, &b->pusher);
    if (count == 2) {
        cg_tissue_join(b->first, b->second);
    }
    for (int k = 0; k < count; k++) {
        cg_tissue_predict(sides[k]);
    }
    for (int k = 0; k < count; k++) {
        cg_tissue_finish_step(sides[k]);
    }
}

TEST(a_bond_inside_a_tissue_or_between_two_makes_no_momentum)
{
    for (int count = 1; count <= 2; count++) {
        bond b = {.first = make_block(v3_zero()), .triangles = {3, 40}, .stiffness = 200};
        b.second = count == 2 ? make_block(v3(9e-3, 1e-3, 2e-3)) : b.first;
        double made = 0, most = 0;
        for (int n = 0; n < 100; n++) {
            step(&b, v3_zero());
            cg_vec3 part = momentum_of(b.first), sum = count == 2 ? v3_add(part, momentum_of(b.second)) : part;
            made = fmax(made, v3_length(sum));
            most = fmax(most, v3_length(v3_scale(1e-3 * b.stiffness, apart(&b))));
        }
        CHECK(most > 1e-6);
        CHECK(made < 5e-3 * most); // what the solver leaves undone in a step
        if (count == 2) {
            cg_tissue_destroy(b.second);
        }
        cg_tissue_destroy(b.first);
    }
}

// A block that hangs by a bond from one whose nodes are all fixed: the bond carries its weight.
TEST(a_bond_carries_what_hangs_on_it)
{
    bond b = {.first = make_block(v3_zero()), .second = make_block(v3(0, 0, -6e-3)), .stiffness = 50};
    for (int i = 0; i < b.first->mesh->node_count; i++) {
        cg_tissue_fix_node(b.first, i, true);
    }
    b.second->drag = 200;
    double weight = 9.81 * cg_mesh_total_mass(b.second->mesh);
    for (int n = 0; n < 3000; n++) {
        step(&b, v3(0, 0, -9.81));
    }
    cg_row_side own = {b.start[0], b.first->mesh->position}, other = {b.start[1], b.second->mesh->position};
    cg_vec3 force = cg_tissue_row_force(&b.row, &own, &other);
    CHECK_NEAR(force.z, -weight, 1e-9 * weight);
    CHECK_NEAR(force.x, 0, 1e-9 * weight);
    CHECK_NEAR(v3_length(apart(&b)), weight / b.stiffness, 1e-9 * weight / b.stiffness);
    cg_vec3 held = v3_zero();
    for (int i = 0; i < b.first->mesh->node_count; i++) {
        held = v3_add(held, b.first->reaction[i]);
    }
    CHECK_NEAR(held.z, -2 * weight, 1e-6 * weight);
    cg_tissue_destroy(b.first);
    cg_tissue_destroy(b.second);
}
