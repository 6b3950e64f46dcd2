// The state of a mesh in snapshots and hashes: items in order, and the log. The lists of places follow from the items.
#include "base/status.h"
#include "geometry/mesh.h"
#include "geometry/mesh_parts.h"

static int visit_choice(cg_archive *archive, int value, int count)
{
    cg_archive_int(archive, &value, 0, count - 1);
    return value;
}

static void visit_link(cg_archive *archive, cg_mesh_link *link, int nodes)
{
    cg_archive_int(archive, &link->ends[0], 0, nodes - 1);
    cg_archive_int(archive, &link->ends[1], 0, nodes - 1);
    cg_archive_double(archive, &link->rest);
    cg_archive_double(archive, &link->stiffness);
    cg_archive_double(archive, &link->own);
    cg_archive_double(archive, &link->strength);
    cg_archive_double(archive, &link->stiffening);
    link->kind = (cg_mesh_link_kind)visit_choice(archive, (int)link->kind, CG_LINK_KIND_COUNT);
}

static void visit_cell(cg_archive *archive, cg_mesh_cell *cell, int nodes)
{
    for (int corner = 0; corner < 4; corner++) {
        cg_archive_int(archive, &cell->nodes[corner], 0, nodes - 1);
    }
    cg_archive_doubles(archive, cell->share, 6);
    cg_archive_double(archive, &cell->mass);
    cg_archive_int(archive, &cell->layer, 0, CG_MESH_MOST);
}

static void visit_triangle(cg_archive *archive, cg_mesh_triangle *triangle, int nodes, int cells)
{
    for (int corner = 0; corner < 3; corner++) {
        cg_archive_int(archive, &triangle->nodes[corner], 0, nodes - 1);
    }
    cg_archive_int(archive, &triangle->cell, -1, cells - 1);
    cg_archive_double(archive, &triangle->mass);
    triangle->side = (cg_mesh_side)visit_choice(archive, (int)triangle->side, CG_SIDE_COUNT);
}

static void visit_edit(cg_archive *archive, cg_mesh_edit *edit)
{
    edit->kind = (cg_mesh_edit_kind)visit_choice(archive, (int)edit->kind, CG_EDIT_KIND_COUNT);
    cg_archive_int(archive, &edit->item, 0, CG_MESH_MOST);
    for (int i = 0; i < 3; i++) {
        cg_archive_int(archive, &edit->from[i], -1, CG_MESH_MOST);
    }
    cg_archive_doubles(archive, edit->weights, 3);
    cg_archive_u64(archive, &edit->version);
}

static void visit_log(cg_mesh *mesh, cg_archive *archive)
{
    uint64_t room = (uint64_t)mesh->limits.edits;
    uint64_t count = mesh->edit_count;
    int kept = cg_archive_length(archive, (int)(count < room ? count : room), mesh->limits.edits);
    cg_archive_u64(archive, &count);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        mesh->edit_count = count;
    }
    for (uint64_t i = count - (uint64_t)kept; i != count && cg_archive_is_ok(archive); i++) {
        visit_edit(archive, &mesh->edits[i % room]);
    }
    cg_archive_u64(archive, &mesh->topology_version);
    cg_archive_double(archive, &mesh->removed_mass);
}

void cg_mesh_visit_state(cg_mesh *mesh, cg_archive *archive)
{
    int nodes = cg_archive_length(archive, mesh->node_count, mesh->limits.nodes);
    int links = cg_archive_length(archive, mesh->link_count, mesh->limits.links);
    int cells = cg_archive_length(archive, mesh->cell_count, mesh->limits.cells);
    int triangles = cg_archive_length(archive, mesh->triangle_count, mesh->limits.triangles);
    cg_archive_vec3s(archive, mesh->home, (size_t)nodes);
    cg_archive_vec3s(archive, mesh->position, (size_t)nodes);
    cg_archive_doubles(archive, mesh->mass, (size_t)nodes);
    for (int node = 0; node < nodes; node++) {
        cg_archive_bool(archive, &mesh->fixed[node]);
    }
    for (int link = 0; link < links; link++) {
        visit_link(archive, &mesh->links[link], nodes);
    }
    for (int cell = 0; cell < cells; cell++) {
        visit_cell(archive, &mesh->cells[cell], nodes);
    }
    for (int triangle = 0; triangle < triangles; triangle++) {
        visit_triangle(archive, &mesh->triangles[triangle], nodes, cells);
    }
    visit_log(mesh, archive);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        mesh->node_count = nodes;
        mesh->link_count = links;
        mesh->cell_count = cells;
        mesh->triangle_count = triangles;
        cg_mesh_make_lists(mesh);
    }
}
