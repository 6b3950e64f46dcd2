// Holes in a skin heal once nothing goes through them any more: what was split is as it was before (VTE 3.3).
//
// Holes are undone in any order, but one whose surroundings another hole has changed waits until that has healed. Where
// a tear or a blade has passed they never heal.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "geometry/triangle.h"
#include "tissue/tissue.h"

static int node_of(const cg_skin_hole *hole)
{
    return hole->patch.nodes[CG_PATCH_HOLE];
}

cg_skin_hole cg_tissue_hole_at(int node)
{
    cg_skin_hole hole;
    memset(&hole, 0, sizeof hole);
    for (int i = 0; i < CG_PATCH_NODES; i++) {
        hole.patch.nodes[i] = i == CG_PATCH_HOLE ? node : -1;
    }
    return hole;
}

static int find_hole(const cg_tissue *tissue, int node)
{
    int found = tissue->hole_count - 1;
    while (found >= 0 && node_of(&tissue->holes[found]) != node) {
        found--;
    }
    return found;
}

// A node that is a hole already is the same hole.
void cg_tissue_note_hole(cg_tissue *tissue, const cg_skin_hole *hole)
{
    if (tissue->hole_count < tissue->hole_room && find_hole(tissue, node_of(hole)) < 0) {
        tissue->holes[tissue->hole_count++] = *hole;
    }
}

static void forget_hole(cg_tissue *tissue, int hole)
{
    tissue->hole_count--;
    memmove(&tissue->holes[hole], &tissue->holes[hole + 1],
            sizeof *tissue->holes * (size_t)(tissue->hole_count - hole));
}

// Not while a node that goes is another hole.
bool cg_tissue_can_heal(const cg_tissue *tissue, int hole)
{
    const cg_skin_hole *at = &tissue->holes[hole];
    for (int k = 0; k < 3 && at->is_split; k++) {
        if (find_hole(tissue, at->patch.nodes[CG_PATCH_MIDDLE + k]) >= 0) {
            return false;
        }
    }
    return !at->is_split || cg_mesh_patch_is_whole(tissue->mesh, &at->patch);
}

static double distance_from(const cg_mesh *mesh, cg_vec3 place, const int nodes[3])
{
    const cg_vec3 corners[3] = {mesh->position[nodes[0]], mesh->position[nodes[1]], mesh->position[nodes[2]]};
    return sqrt(cg_closest_point_triangle(place, corners).squared_distance);
}

double cg_tissue_hole_bulge(const cg_tissue *tissue, int hole)
{
    const cg_mesh *mesh = tissue->mesh;
    const int *n = tissue->holes[hole].patch.nodes;
    double most = 0;
    for (int i = CG_PATCH_HOLE; i < CG_PATCH_NODES && tissue->holes[hole].is_split; i++) {
        cg_vec3 place = mesh->position[n[i]];
        double least = distance_from(mesh, place, n);
        for (int k = 0; k < 3; k++) {
            if (n[CG_PATCH_BEYOND + k] >= 0) {
                const int nodes[3] = {n[(k + 1) % 3], n[k], n[CG_PATCH_BEYOND + k]};
                least = fmin(least, distance_from(mesh, place, nodes));
            }
        }
        most = fmax(most, least);
    }
    return most;
}

bool cg_tissue_heal(cg_tissue *tissue, int hole)
{
    const cg_skin_hole healed = tissue->holes[hole];
    cg_tissue_adapt(tissue);
    if (!cg_tissue_can_heal(tissue, hole) || (healed.is_split && !cg_mesh_patch_undo(tissue->mesh, &healed.patch))) {
        return false;
    }
    forget_hole(tissue, hole);
    if (healed.is_split) {
        cg_tissue_adapt(tissue);
    } else {
        cg_tissue_pierce_node(tissue, node_of(&healed), false);
    }
    return true;
}

static bool follow_hole(const cg_mesh *mesh, uint64_t from, cg_skin_hole *hole)
{
    int *nodes = hole->patch.nodes, before[CG_PATCH_NODES];
    memcpy(before, nodes, sizeof before);
    if (!cg_mesh_follow_nodes(mesh, from, nodes, CG_PATCH_NODES)) {
        return false;
    }
    for (int i = 0; i < CG_PATCH_NODES; i++) {
        if (before[i] >= 0 && (nodes[i] < 0 || nodes[i] >= mesh->node_count)) {
            return false;
        }
    }
    return true;
}

void cg_tissue_follow_holes(cg_tissue *tissue, uint64_t from, bool is_lost)
{
    for (int i = tissue->hole_count - 1; i >= 0; i--) {
        if (is_lost || !follow_hole(tissue->mesh, from, &tissue->holes[i])) {
            forget_hole(tissue, i);
        }
    }
}

// Hashes of a skin without holes do not know of them.
void cg_tissue_visit_holes(cg_archive *archive, cg_tissue *tissue)
{
    if (tissue->hole_room == 0 || (archive->mode == CG_ARCHIVE_HASH && tissue->hole_count == 0)) {
        return;
    }
    int count = cg_archive_length(archive, tissue->hole_count, tissue->hole_room);
    for (int i = 0; i < count; i++) {
        cg_skin_hole hole = tissue->holes[i];
        cg_archive_bool(archive, &hole.is_split);
        cg_mesh_patch_visit(archive, &hole.patch, tissue->mesh->limits.nodes);
        if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
            tissue->holes[i] = hole;
        }
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        tissue->hole_count = count;
    }
}

bool cg_tissue_holes_are_sound(const cg_tissue *tissue)
{
    for (int i = 0; i < tissue->hole_count; i++) {
        const cg_skin_hole *hole = &tissue->holes[i];
        bool is_there = node_of(hole) >= 0 && node_of(hole) < tissue->mesh->node_count;
        if (!is_there || find_hole(tissue, node_of(hole)) != i ||
            (hole->is_split && !cg_mesh_patch_is_sound(tissue->mesh, &hole->patch))) {
            return false;
        }
    }
    return true;
}
