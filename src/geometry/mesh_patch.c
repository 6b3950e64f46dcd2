#include "geometry/mesh_patch.h"

#include <math.h>
#include <string.h>

#include "geometry/mesh_edit.h"
#include "geometry/mesh_parts.h"

// [of the mass] Rounding of what a split makes of it.
static const double MASS_ROUNDING = 1e-9;

static int corner(const cg_mesh_patch *patch, int k)
{
    return patch->nodes[CG_PATCH_CORNER + k % 3];
}

static int beyond(const cg_mesh_patch *patch, int k)
{
    return patch->nodes[CG_PATCH_BEYOND + k];
}

static int middle(const cg_mesh_patch *patch, int k)
{
    return patch->nodes[CG_PATCH_MIDDLE + k];
}

static int find_triangle(const cg_mesh *mesh, int a, int b, int c)
{
    const int nodes[3] = {a, b, c};
    return cg_mesh_find_triangle(mesh, nodes);
}

// The link of a patch that has that number, which a side has only without its hole; -1: none.
static int outer_link(const cg_mesh *mesh, const cg_mesh_patch *patch, int outer)
{
    int k = outer / 2;
    return beyond(patch, k) >= 0 ? cg_mesh_find_link(mesh, beyond(patch, k), corner(patch, k + outer % 2)) : -1;
}

// --- noting ---

void cg_mesh_patch_note(const cg_mesh *mesh, int triangle, cg_mesh_patch *patch)
{
    const int *n = mesh->triangles[triangle].nodes;
    memset(patch, 0, sizeof *patch);
    for (int k = 0; k < CG_PATCH_NODES; k++) {
        patch->nodes[k] = k < 3 ? n[k] : -1;
    }
    patch->masses[0] = mesh->triangles[triangle].mass;
    for (int k = 0; k < 3; k++) {
        int other = cg_mesh_triangle_across(mesh, n[k], n[(k + 1) % 3]);
        patch->before[CG_PATCH_SIDE + k] = mesh->links[cg_mesh_find_link(mesh, n[k], n[(k + 1) % 3])];
        for (int c = 0; c < 3 && other >= 0; c++) {
            if (mesh->triangles[other].nodes[c] != n[k] && mesh->triangles[other].nodes[c] != n[(k + 1) % 3]) {
                patch->nodes[CG_PATCH_BEYOND + k] = mesh->triangles[other].nodes[c];
                patch->corner_beyond[k] = c;
            }
        }
        patch->masses[1 + k] = other >= 0 ? mesh->triangles[other].mass : 0;
    }
    for (int outer = 0; outer < 6; outer++) {
        int link = outer_link(mesh, patch, outer);
        patch->before[CG_PATCH_OUTER + outer] = link >= 0 ? mesh->links[link] : (cg_mesh_link){.rest = 0};
    }
}

void cg_mesh_patch_split(const cg_mesh *mesh, int hole, const int middles[3], cg_mesh_patch *patch)
{
    patch->nodes[CG_PATCH_HOLE] = hole;
    for (int k = 0; k < 3; k++) {
        patch->nodes[CG_PATCH_MIDDLE + k] = middles[k];
        patch->after[CG_PATCH_SIDE + k] = patch->before[CG_PATCH_SIDE + k];
    }
    for (int outer = 0; outer < 6; outer++) {
        int link = outer_link(mesh, patch, outer);
        patch->after[CG_PATCH_OUTER + outer] = link >= 0 ? mesh->links[link] : (cg_mesh_link){.rest = 0};
    }
}

// --- looking ---

bool cg_mesh_patch_triangles(const cg_mesh *mesh, const cg_mesh_patch *patch, int triangles[CG_PATCH_TRIANGLES])
{
    int hole = patch->nodes[CG_PATCH_HOLE];
    bool are_there = true;
    for (int k = 0; k < 3; k++) {
        int from = corner(patch, k), to = corner(patch, k + 1), half = middle(patch, k), far = beyond(patch, k);
        triangles[2 * k] = find_triangle(mesh, from, half, hole);
        triangles[2 * k + 1] = find_triangle(mesh, half, to, hole);
        triangles[6 + 2 * k] = far >= 0 ? find_triangle(mesh, from, half, far) : -1;
        triangles[7 + 2 * k] = far >= 0 ? find_triangle(mesh, half, to, far) : -1;
        are_there = are_there && triangles[2 * k] >= 0 && triangles[2 * k + 1] >= 0 &&
                    (far < 0 || (triangles[6 + 2 * k] >= 0 && triangles[7 + 2 * k] >= 0));
    }
    return are_there;
}

static int count_places(const int *first, const int *next, int node)
{
    int count = 0;
    for (int at = first[node]; at >= 0; at = next[at]) {
        count++;
    }
    return count;
}

// All nodes are there, and those of the split are no two the same.
static bool has_nodes(const cg_mesh *mesh, const cg_mesh_patch *patch)
{
    for (int i = 0; i < CG_PATCH_NODES; i++) {
        bool is_beyond = i >= CG_PATCH_BEYOND && i < CG_PATCH_HOLE;
        if (patch->nodes[i] >= mesh->node_count || (patch->nodes[i] < 0 && !is_beyond)) {
            return false;
        }
        for (int j = 0; j < i; j++) {
            bool are_both_beyond = is_beyond && j >= CG_PATCH_BEYOND;
            if (!are_both_beyond && patch->nodes[i] == patch->nodes[j]) {
                return false;
            }
        }
    }
    return true;
}

// Nobody else has come to what was added.
static bool has_nothing_more(const cg_mesh *mesh, const cg_mesh_patch *patch)
{
    int hole = patch->nodes[CG_PATCH_HOLE];
    bool is_so = mesh->cell_count == 0 && count_places(mesh->first_triangle, mesh->next_triangle, hole) == 6 &&
                 count_places(mesh->first_link, mesh->next_link, hole) == 6;
    for (int k = 0; k < 3 && is_so; k++) {
        bool has_far = beyond(patch, k) >= 0;
        is_so = count_places(mesh->first_triangle, mesh->next_triangle, middle(patch, k)) == (has_far ? 4 : 2) &&
                count_places(mesh->first_link, mesh->next_link, middle(patch, k)) == (has_far ? 4 : 3) &&
                cg_mesh_find_link(mesh, corner(patch, k), corner(patch, k + 1)) < 0;
    }
    return is_so;
}

static bool is_same_link(const cg_mesh_link *a, const cg_mesh_link *b)
{
    return a->rest == b->rest && a->stiffness == b->stiffness && a->own == b->own && a->strength == b->strength &&
           a->stiffening == b->stiffening && a->kind == b->kind;
}

bool cg_mesh_patch_is_whole(const cg_mesh *mesh, const cg_mesh_patch *patch)
{
    int triangles[CG_PATCH_TRIANGLES];
    double before = 0, now = 0;
    if (!has_nodes(mesh, patch) || !cg_mesh_patch_triangles(mesh, patch, triangles) || !has_nothing_more(mesh, patch)) {
        return false;
    }
    for (int i = 0; i < CG_PATCH_TRIANGLES; i++) {
        before += i < 4 ? patch->masses[i] : 0;
        now += triangles[i] >= 0 ? mesh->triangles[triangles[i]].mass : 0;
    }
    for (int outer = 0; outer < 6; outer++) {
        int link = outer_link(mesh, patch, outer);
        if (beyond(patch, outer / 2) >= 0 &&
            (link < 0 || !is_same_link(&mesh->links[link], &patch->after[CG_PATCH_OUTER + outer]))) {
            return false;
        }
    }
    return fabs(now - before) <= MASS_ROUNDING * before;
}

// --- undoing ---

static void put_link(cg_mesh *mesh, int link, const cg_mesh_link *values)
{
    cg_mesh_link *item = &mesh->links[link];
    const int ends[2] = {item->ends[0], item->ends[1]};
    *item = *values;
    item->ends[0] = ends[0];
    item->ends[1] = ends[1];
}

static void put_triangle(cg_mesh *mesh, int triangle, const int nodes[3], double mass)
{
    for (int k = 0; k < 3; k++) {
        cg_mesh_set_triangle_node(mesh, triangle, k, nodes[k]);
    }
    mesh->triangles[triangle].mass = mass;
}

// The parts that kept the numbers of what was split: of the triangle that at its second corner, of others and of sides
// those at the first.
static void put_triangles(cg_mesh *mesh, const cg_mesh_patch *patch, const int triangles[CG_PATCH_TRIANGLES],
                          int kept[4])
{
    const int whole[3] = {corner(patch, 0), corner(patch, 1), corner(patch, 2)};
    kept[0] = triangles[2];
    put_triangle(mesh, kept[0], whole, patch->masses[0]);
    for (int k = 0; k < 3; k++) {
        kept[1 + k] = triangles[6 + 2 * k];
        if (kept[1 + k] >= 0) {
            int c = patch->corner_beyond[k], nodes[3];
            nodes[c] = beyond(patch, k);
            nodes[(c + 1) % 3] = corner(patch, k + 1);
            nodes[(c + 2) % 3] = corner(patch, k);
            put_triangle(mesh, kept[1 + k], nodes, patch->masses[1 + k]);
        }
    }
}

// From the highest number down: the last item, which gets the free number, is then never one that is still to go.
static void drop_all(cg_mesh *mesh, int *items, int count, void (*drop)(cg_mesh *mesh, int item))
{
    for (int left = count; left > 0; left--) {
        int largest = 0;
        for (int i = 1; i < left; i++) {
            largest = items[i] > items[largest] ? i : largest;
        }
        int item = items[largest];
        items[largest] = items[left - 1];
        drop(mesh, item);
    }
}

static void drop_triangles(cg_mesh *mesh, const int triangles[CG_PATCH_TRIANGLES], const int kept[4])
{
    int gone[CG_PATCH_TRIANGLES], count = 0;
    for (int i = 0; i < CG_PATCH_TRIANGLES; i++) {
        bool stays = triangles[i] < 0;
        for (int k = 0; k < 4; k++) {
            stays = stays || triangles[i] == kept[k];
        }
        if (!stays) {
            gone[count++] = triangles[i];
        }
    }
    drop_all(mesh, gone, count, cg_mesh_drop_triangle);
}

static void undo_links(cg_mesh *mesh, const cg_mesh_patch *patch)
{
    int gone[CG_PATCH_LINKS + 3], count = 0, hole = patch->nodes[CG_PATCH_HOLE];
    for (int k = 0; k < 3; k++) {
        gone[count++] = cg_mesh_find_link(mesh, hole, corner(patch, k));
        gone[count++] = cg_mesh_find_link(mesh, hole, middle(patch, k));
        gone[count++] = cg_mesh_find_link(mesh, middle(patch, k), corner(patch, k + 1));
        if (beyond(patch, k) >= 0) {
            gone[count++] = cg_mesh_find_link(mesh, middle(patch, k), beyond(patch, k));
        }
        int side = cg_mesh_find_link(mesh, corner(patch, k), middle(patch, k));
        cg_mesh_set_link_ends(mesh, side, corner(patch, k), corner(patch, k + 1));
        put_link(mesh, side, &patch->before[CG_PATCH_SIDE + k]);
    }
    for (int outer = 0; outer < 6; outer++) {
        int link = outer_link(mesh, patch, outer);
        if (link >= 0) {
            put_link(mesh, link, &patch->before[CG_PATCH_OUTER + outer]);
        }
    }
    drop_all(mesh, gone, count, cg_mesh_drop_link);
}

bool cg_mesh_patch_undo(cg_mesh *mesh, const cg_mesh_patch *patch)
{
    int triangles[CG_PATCH_TRIANGLES], kept[4], gone[4];
    if (!cg_mesh_patch_is_whole(mesh, patch) || !cg_mesh_patch_triangles(mesh, patch, triangles)) {
        return false;
    }
    mesh->topology_version++;
    put_triangles(mesh, patch, triangles, kept);
    drop_triangles(mesh, triangles, kept);
    undo_links(mesh, patch);
    for (int i = CG_PATCH_CORNER; i < CG_PATCH_HOLE; i++) {
        if (patch->nodes[i] >= 0) {
            mesh->mass[patch->nodes[i]] = cg_mesh_gathered_mass(mesh, patch->nodes[i]);
        }
    }
    memcpy(gone, &patch->nodes[CG_PATCH_HOLE], sizeof gone);
    drop_all(mesh, gone, 4, cg_mesh_drop_node);
    return true;
}

// --- state ---

static bool is_sound_link(const cg_mesh_link *link)
{
    return link->rest > 0 && link->rest < HUGE_VAL && link->stiffness >= 0 && link->stiffness < HUGE_VAL &&
           link->own == link->stiffness && link->strength >= 0 && link->strength < HUGE_VAL && link->stiffening >= 0 &&
           link->stiffening < HUGE_VAL;
}

bool cg_mesh_patch_is_sound(const cg_mesh *mesh, const cg_mesh_patch *patch)
{
    bool is_sound = patch->masses[0] > 0 && patch->masses[0] < HUGE_VAL;
    for (int i = 0; i < CG_PATCH_NODES; i++) {
        is_sound = is_sound && patch->nodes[i] < mesh->node_count;
    }
    for (int k = 0; k < 3 && is_sound; k++) {
        bool has_far = beyond(patch, k) >= 0;
        is_sound = is_sound_link(&patch->before[CG_PATCH_SIDE + k]) &&
                   (!has_far || (patch->masses[1 + k] > 0 && patch->masses[1 + k] < HUGE_VAL &&
                                 is_sound_link(&patch->before[CG_PATCH_OUTER + 2 * k]) &&
                                 is_sound_link(&patch->before[CG_PATCH_OUTER + 2 * k + 1])));
    }
    return is_sound;
}

static void visit_values(cg_archive *archive, cg_mesh_link *link)
{
    int kind = (int)link->kind;
    cg_archive_double(archive, &link->rest);
    cg_archive_double(archive, &link->stiffness);
    cg_archive_double(archive, &link->own);
    cg_archive_double(archive, &link->strength);
    cg_archive_double(archive, &link->stiffening);
    cg_archive_int(archive, &kind, 0, CG_LINK_KIND_COUNT - 1);
    link->kind = (cg_mesh_link_kind)kind;
}

void cg_mesh_patch_visit(cg_archive *archive, cg_mesh_patch *patch, int most_nodes)
{
    for (int i = 0; i < CG_PATCH_NODES; i++) {
        cg_archive_int(archive, &patch->nodes[i], -1, most_nodes - 1);
    }
    for (int k = 0; k < 3; k++) {
        cg_archive_int(archive, &patch->corner_beyond[k], 0, 2);
    }
    cg_archive_doubles(archive, patch->masses, 4);
    for (int i = 0; i < CG_PATCH_LINKS; i++) {
        visit_values(archive, &patch->before[i]);
        visit_values(archive, &patch->after[i]);
    }
}
