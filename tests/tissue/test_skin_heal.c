// Holes of a skin that heal: the mesh is as it was.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "harness.h"
#include "make_rig.h"
#include "tissue/tissue.h"

static cg_tissue *make_skin(void)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue *tissue = NULL;
    def.model = CG_TISSUE_SKIN;
    def.size = v3(0.016, 0.012, 0);
    def.layers[0].thickness = 0.004;
    def.spacing = 0.002;
    def.wound = CG_WOUND_ELLIPSE;
    def.wound_length = 0.008;
    def.wound_width = 0.003;
    def.wound_depth = 0.002;
    def.fix_bottom = false;
    def.max_nodes = 2000;
    CHECK_STR(cg_tissue_create(&def, &allocator, &tissue).message, "");
    return tissue;
}

// Two triangles that share an edge: all other edges are open.
static cg_tissue *make_open_skin(void)
{
    static const cg_vec3 nodes[4] = {{0, 0, 0}, {2e-3, 0, 0}, {2e-3, 2e-3, 0}, {0, 2e-3, 0}};
    static const int triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    cg_allocator allocator = cg_memory_default();
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue *tissue = NULL;
    def.shape = CG_TISSUE_MESH;
    def.model = CG_TISSUE_SKIN;
    def.nodes = nodes;
    def.node_count = 4;
    def.triangles = triangles;
    def.triangle_count = 2;
    def.max_nodes = 100;
    CHECK_STR(cg_tissue_create(&def, &allocator, &tissue).message, "");
    return tissue;
}

static cg_mesh *copy_of(const cg_tissue *tissue)
{
    cg_allocator allocator = cg_memory_default();
    cg_mesh *copy = NULL;
    CHECK_STR(cg_mesh_create(&allocator, &tissue->mesh->limits, &copy).message, "");
    CHECK(cg_mesh_copy(copy, tissue->mesh));
    return copy;
}

static bool is_same_vector(cg_vec3 a, cg_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Which node of a mesh is at home where a node of another is; no two are at the same place.
static int node_like(const cg_mesh *mesh, const cg_mesh *other, int node)
{
    int found = mesh->node_count - 1;
    while (found >= 0 && !is_same_vector(mesh->home[found], other->home[node])) {
        found--;
    }
    return found;
}

static bool is_same_link(const cg_mesh_link *a, const cg_mesh_link *b)
{
    return a->rest == b->rest && a->stiffness == b->stiffness && a->own == b->own && a->strength == b->strength &&
           a->stiffening == b->stiffening && a->kind == b->kind;
}

// The same mesh, but for the numbers of its items.
static bool is_same_mesh(const cg_mesh *mesh, const cg_mesh *before)
{
    bool is_same = mesh->node_count == before->node_count && mesh->link_count == before->link_count &&
                   mesh->triangle_count == before->triangle_count;
    int *now = malloc(sizeof *now * (size_t)before->node_count);
    for (int i = 0; i < before->node_count && is_same; i++) {
        now[i] = node_like(mesh, before, i);
        is_same = now[i] >= 0 && mesh->fixed[now[i]] == before->fixed[i] &&
                  fabs(mesh->mass[now[i]] - before->mass[i]) <= 1e-14 * before->mass[i];
    }
    for (int i = 0; i < before->link_count && is_same; i++) {
        int link = cg_mesh_find_link(mesh, now[before->links[i].ends[0]], now[before->links[i].ends[1]]);
        is_same = link >= 0 && is_same_link(&mesh->links[link], &before->links[i]);
    }
    for (int i = 0; i < before->triangle_count && is_same; i++) {
        const int *n = before->triangles[i].nodes, nodes[3] = {now[n[0]], now[n[1]], now[n[2]]};
        int t = cg_mesh_find_triangle(mesh, nodes);
        is_same = t >= 0 && memcmp(mesh->triangles[t].nodes, nodes, sizeof nodes) == 0 &&
                  mesh->triangles[t].mass == before->triangles[i].mass &&
                  mesh->triangles[t].side == before->triangles[i].side;
    }
    free(now);
    return is_same;
}

// And these too: all bits.
static bool is_same_to_the_bit(const cg_mesh *mesh, const cg_mesh *before)
{
    bool is_same = is_same_mesh(mesh, before);
    for (int i = 0; i < before->node_count && is_same; i++) {
        is_same = is_same_vector(mesh->home[i], before->home[i]) && mesh->mass[i] == before->mass[i] &&
                  is_same_vector(mesh->position[i], before->position[i]);
    }
    for (int i = 0; i < before->link_count && is_same; i++) {
        is_same = memcmp(mesh->links[i].ends, before->links[i].ends, sizeof mesh->links[i].ends) == 0;
    }
    for (int i = 0; i < before->triangle_count && is_same; i++) {
        is_same = memcmp(mesh->triangles[i].nodes, before->triangles[i].nodes, sizeof mesh->triangles[i].nodes) == 0;
    }
    return is_same;
}

static double random_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

static cg_mesh_point random_point(unsigned *seed, int triangle)
{
    double a = random_number(seed), b = random_number(seed), c = random_number(seed) + 1e-3, sum = a + b + c;
    return (cg_mesh_point){triangle, {a / sum, b / sum, 1 - a / sum - b / sum}};
}

// One hole in each triangle, over the edges of the pad and of its wound too.
TEST(one_hole_heals_to_the_bit)
{
    cg_tissue *skin = make_skin();
    cg_mesh *before = copy_of(skin);
    unsigned seed = 1;
    int wrong = 0, split = 0;
    for (int t = 0; t < before->triangle_count; t++) {
        cg_mesh_point point = random_point(&seed, t);
        wrong += !cg_tissue_pierce_skin(skin, &point, t % 2 == 0) || skin->hole_count != 1;
        split += skin->holes[0].is_split;
        wrong += cg_tissue_check(skin).code != CG_OK || !skin->pierced[cg_tissue_node_of_point(skin, &point)];
        wrong += !cg_tissue_heal(skin, 0) || skin->hole_count != 0;
        wrong += cg_tissue_check(skin).code != CG_OK || !is_same_to_the_bit(skin->mesh, before);
    }
    for (int i = 0; i < before->node_count; i++) {
        wrong += skin->pierced[i];
    }
    CHECK_INT(wrong, 0);
    CHECK(split > before->triangle_count / 2);
    cg_mesh_destroy(before);
    cg_tissue_destroy(skin);
}

// At an open edge nothing is beyond.
TEST(a_hole_at_an_open_edge_heals)
{
    cg_tissue *skin = make_open_skin();
    cg_mesh *before = copy_of(skin);
    cg_mesh_point point = {0, {0.4, 0.3, 0.3}};
    CHECK(cg_tissue_pierce_skin(skin, &point, false));
    CHECK_INT(skin->mesh->triangle_count, 8);
    CHECK(cg_tissue_heal(skin, 0));
    CHECK_STR(cg_tissue_check(skin).message, "");
    CHECK(is_same_to_the_bit(skin->mesh, before));
    cg_mesh_destroy(before);
    cg_tissue_destroy(skin);
}

// Many holes, in each other's triangles, healed in any order as far as they can: in the end all are.
TEST(holes_in_holes_heal_in_some_order)
{
    unsigned seed = 5;
    int rounds = test_count(20, 500), waited = 0, wrong = 0;
    for (int k = 0; k < rounds; k++) {
        cg_tissue *skin = make_skin();
        cg_mesh *before = copy_of(skin);
        int count = 2 + k % 12, middle = (int)(random_number(&seed) * before->triangle_count);
        for (int i = 0; i < count; i++) {
            // near to the first one: in a triangle at its nodes, or in one that it was split into
            int node = skin->mesh->triangles[middle].nodes[i % 3], at = skin->mesh->first_triangle[node];
            cg_mesh_point point = random_point(&seed, at / 3);
            wrong += !cg_tissue_pierce_skin(skin, &point, false);
        }
        CHECK_STR(cg_tissue_check(skin).message, "");
        for (int tries = 0; tries < 2000 && skin->hole_count > 0; tries++) {
            int hole = (int)(random_number(&seed) * skin->hole_count), had = skin->hole_count;
            bool can = cg_tissue_can_heal(skin, hole), is_healed = cg_tissue_heal(skin, hole);
            wrong += can != is_healed || skin->hole_count != had - is_healed;
            waited += !is_healed;
            wrong += is_healed && cg_tissue_check(skin).code != CG_OK;
        }
        CHECK_INT(skin->hole_count, 0);
        wrong += !is_same_mesh(skin->mesh, before);
        cg_mesh_destroy(before);
        cg_tissue_destroy(skin);
    }
    CHECK_INT(wrong, 0);
    CHECK(waited > rounds); // the order counts
}

// A hole that is in the way of another's healing, and one whose surroundings were changed for good.
TEST(a_hole_waits_or_stays)
{
    cg_tissue *skin = make_skin();
    cg_mesh *before = copy_of(skin);
    cg_mesh_point first = {40, {0.4, 0.3, 0.3}};
    CHECK(cg_tissue_pierce_skin(skin, &first, false));
    int middle = skin->holes[0].patch.nodes[CG_PATCH_MIDDLE];
    cg_mesh_point second = cg_tissue_point_of_node(skin, middle, v3_zero());
    CHECK(cg_tissue_pierce_skin(skin, &second, false));
    CHECK_INT(skin->hole_count, 2);
    CHECK(!skin->holes[1].is_split && skin->pierced[middle]);
    CHECK(!cg_tissue_can_heal(skin, 0) && !cg_tissue_heal(skin, 0));
    CHECK(cg_tissue_heal(skin, 1) && !skin->pierced[middle]);
    int ends[2] = {skin->holes[0].patch.nodes[0], skin->holes[0].patch.nodes[CG_PATCH_BEYOND]}, node;
    int outer = cg_mesh_find_link(skin->mesh, ends[0], ends[1]);
    cg_mesh_link honest = skin->mesh->links[outer];
    skin->mesh->links[outer].rest *= 1.5;
    CHECK(!cg_tissue_heal(skin, 0));
    skin->mesh->links[outer] = honest;
    CHECK_STR(cg_mesh_split_edge(skin->mesh, ends[0], ends[1], 0.5, &node).message, "");
    cg_tissue_adapt(skin);
    CHECK(!cg_tissue_heal(skin, 0));
    CHECK_INT(skin->hole_count, 1);
    cg_mesh_destroy(before);
    cg_tissue_destroy(skin);
}

// Holes that are known are as many as there is room for, and one that has lost a node is known no more.
TEST(holes_are_forgotten)
{
    cg_tissue *skin = make_skin();
    unsigned seed = 3;
    for (int k = 0; k < 2 * CG_SKIN_MOST_HOLES; k++) {
        cg_mesh_point point = {(int)(random_number(&seed) * skin->mesh->triangle_count), {0.4, 0.3, 0.3}};
        CHECK(cg_tissue_pierce_skin(skin, &point, false));
    }
    CHECK_INT(skin->hole_count, CG_SKIN_MOST_HOLES);
    int node = skin->holes[0].patch.nodes[CG_PATCH_HOLE], gone[64], count = 0;
    for (int at = skin->mesh->first_triangle[node]; at >= 0; at = skin->mesh->next_triangle[at]) {
        gone[count++] = at / 3;
    }
    CHECK_STR(cg_mesh_remove_triangles(skin->mesh, gone, count).message, "");
    cg_tissue_adapt(skin);
    CHECK(skin->hole_count < CG_SKIN_MOST_HOLES);
    CHECK_STR(cg_tissue_check(skin).message, "");
    cg_tissue_destroy(skin);
}

// [m] A hole that is lifted out of its triangle.
TEST(bulge)
{
    cg_tissue *skin = make_skin();
    cg_mesh_point point = {40, {0.4, 0.3, 0.3}};
    CHECK(cg_tissue_pierce_skin(skin, &point, true));
    CHECK_NEAR(cg_tissue_hole_bulge(skin, 0), 0, 1e-12);
    int node = cg_tissue_node_of_point(skin, &point);
    const int *n = skin->holes[0].patch.nodes;
    const cg_vec3 *x = skin->mesh->position;
    cg_vec3 up = v3_unit_or(v3_cross(v3_sub(x[n[1]], x[n[0]]), v3_sub(x[n[2]], x[n[0]])), v3_zero());
    skin->mesh->position[node] = v3_add_scaled(x[node], 0.1e-3, up);
    CHECK_NEAR(cg_tissue_hole_bulge(skin, 0), 0.1e-3, 1e-9);
    cg_tissue_destroy(skin);
}
