// The surface of a tissue as others touch it: thickness shrinks and grows by node and follows edits, the tree holds all
// triangles wherever they go, and a tissue goes back along its way.
#include "tissue/surface.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "geometry/mesh_edit.h"
#include "harness.h"

typedef struct rig {
    cg_tissue *pad;
    cg_tissue_surface *surface;
} rig;

static rig make_rig(void)
{
    rig r = {0};
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(12e-3, 10e-3, 0);
    def.layers[0].thickness = 4e-3;
    def.fix_bottom = false;
    cg_allocator allocator = cg_memory_default();
    CHECK_STR(cg_tissue_create(&def, &allocator, &r.pad).message, "");
    CHECK_STR(cg_tissue_surface_create(r.pad, def.friction, &allocator, &r.surface).message, "");
    return r;
}

static void destroy_rig(rig *r)
{
    cg_tissue_surface_destroy(r->surface);
    cg_tissue_destroy(r->pad);
}

TEST(thickness_shrinks_at_once_and_grows_in_a_tenth_of_a_second)
{
    rig r = make_rig();
    const double third[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    int node = r.pad->mesh->triangles[0].nodes[1];
    double whole = cg_tissue_surface_thickness(r.surface, 0, third);
    CHECK_NEAR(whole, r.surface->thickness, 1e-12 * whole);
    cg_tissue_surface_shrink(r.surface, node, 0.1);
    cg_tissue_surface_shrink(r.surface, node, 0.5); // never more than it has
    CHECK_NEAR(cg_tissue_surface_thickness(r.surface, 0, third), 0.7 * whole, 1e-12 * whole);
    cg_tissue_surface_grow(r.surface, 0.05);
    CHECK_NEAR(r.surface->growth[node], 0.6, 1e-12);
    CHECK(!r.surface->is_grown);
    cg_tissue_surface_grow(r.surface, 0.05);
    CHECK_NEAR(cg_tissue_surface_thickness(r.surface, 0, third), whole, 1e-12 * whole);
    CHECK(r.surface->is_grown);
    destroy_rig(&r);
}

// A node that an edit adds has the whole thickness; what a node has goes with it when its number changes.
TEST(shares_follow_the_edits_of_the_mesh)
{
    rig r = make_rig();
    cg_mesh *mesh = r.pad->mesh;
    int last = mesh->node_count - 1, added = -1, found = 0, cells[64], count = 0;
    cg_vec3 home = mesh->home[last];
    cg_tissue_surface_shrink(r.surface, last, 0.25);
    for (int at = mesh->first_cell[0]; at >= 0 && count < 64; at = mesh->next_cell[at]) {
        cells[count++] = at / 4;
    }
    CHECK_STR(cg_mesh_remove_cells(mesh, cells, count).message, "");
    cg_tissue_surface_follow_edits(r.surface);
    r.surface->growth[mesh->node_count] = 0.5; // of one that was there before
    cg_mesh_point point = {.triangle = 5, .weights = {0.3, 0.3, 0.4}};
    CHECK_STR(cg_mesh_split_triangle(mesh, point, &added).message, "");
    cg_tissue_surface_follow_edits(r.surface);
    for (int i = 0; i < mesh->node_count; i++) {
        bool is_last = v3_distance(mesh->home[i], home) == 0;
        CHECK_NEAR(r.surface->growth[i], is_last ? 0.25 : 1, 0);
        found += is_last && i != last;
    }
    CHECK_INT(found, 1);
    destroy_rig(&r);
}

// Each triangle is in its leaf: to the slack when the tree follows, exactly when it is fitted.
static double farthest_outside(const rig *r)
{
    const cg_sphere_tree *tree = &r->surface->tree;
    double most = 0;
    for (int t = 0; t < r->pad->mesh->triangle_count; t++) {
        const cg_tree_sphere *leaf = &tree->spheres[tree->slot_count + tree->slot_of[t]];
        for (int k = 0; k < 3; k++) {
            cg_vec3 x = r->pad->mesh->position[r->pad->mesh->triangles[t].nodes[k]];
            most = fmax(most, v3_distance(x, leaf->centre) - leaf->radius);
        }
    }
    return most;
}

TEST(the_tree_follows_a_pad_that_falls)
{
    rig r = make_rig();
    for (int step = 0; step < 60; step++) {
        cg_tissue_step(r.pad, 1e-3, v3(0, 0, -9.81));
        CHECK(cg_tissue_surface_follow_tree(r.surface));
        CHECK(farthest_outside(&r) <= r.surface->tree.slack * (1 + 1e-9));
    }
    CHECK(cg_tissue_surface_fit_tree(r.surface));
    CHECK(farthest_outside(&r) < 1e-12);
    destroy_rig(&r);
}

TEST(a_tissue_goes_back_along_its_way)
{
    rig r = make_rig();
    cg_mesh *mesh = r.pad->mesh;
    cg_vec3 start[2000];
    CHECK(mesh->node_count <= 2000);
    for (int step = 0; step < 20; step++) {
        memcpy(start, mesh->position, (size_t)mesh->node_count * sizeof *start);
        cg_tissue_step(r.pad, 1e-3, v3(0, 0, -9.81));
    }
    cg_vec3 end = mesh->position[7], velocity = r.pad->velocity[7];
    r.pad->asleep = true;
    cg_tissue_take_share(r.pad, start, 0.25);
    CHECK(v3_distance(mesh->position[7], v3_add_scaled(v3_scale(0.75, start[7]), 0.25, end)) < 1e-15);
    CHECK_NEAR(r.pad->velocity[7].z, 0.25 * velocity.z, 1e-15);
    CHECK_NEAR(cg_tissue_fastest(r.pad), 0.25 * fabs(velocity.z), 1e-6);
    CHECK(!r.pad->asleep);
    destroy_rig(&r);
}
