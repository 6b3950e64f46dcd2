#include "support/surface_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/scene_files.h"

enum { MOST_BYTES = 512 * 1024 * 1024 };

// The bytes of a mesh file, and of what belongs to it.
typedef struct mesh_bytes {
    char *bytes, *beside;
    cg_surface_def def;
    size_t size;
} mesh_bytes;

static void give(mesh_bytes *mesh)
{
    free(mesh->bytes);
    free(mesh->beside);
}

// Where the bytes are of no known format the name decides, so that the error tells what is wrong in it.
static cg_surface_format format_of(const mesh_bytes *mesh, const char *path)
{
    cg_surface_format told, named;
    bool is_named = cg_surface_format_of_name(path, &named);
    return cg_surface_format_of_bytes(mesh->bytes, mesh->size, &told) ? told : (is_named ? named : CG_SURFACE_TOLD);
}

static bool load(const char *path, cg_surface_format format, mesh_bytes *mesh, cg_scene_error *error)
{
    char why[128];
    *mesh = (mesh_bytes){.def = cg_surface_def_default()};
    mesh->bytes = cg_file_read(path, MOST_BYTES, &mesh->size, why, sizeof why);
    if (mesh->bytes == NULL) {
        char sentence[160];
        snprintf(sentence, sizeof sentence, "the mesh %s", why);
        cg_scene_error_set(error, path, sentence);
        return false;
    }
    mesh->def.format = format == CG_SURFACE_TOLD ? format_of(mesh, path) : format;
    size_t length = strlen(path);
    char *node = mesh->def.format == CG_SURFACE_TETGEN && length > 4 ? malloc(length + 2) : NULL;
    if (node != NULL) { // TetGen has nodes and cells in two files
        memcpy(node, path, length - 4);
        strcpy(node + length - 4, ".node");
        mesh->beside = cg_file_read(node, MOST_BYTES, &mesh->def.beside_size, why, sizeof why);
        mesh->def.beside = mesh->beside;
        free(node);
    }
    return true;
}

bool cg_surface_load(const char *path, cg_surface_format format, cg_surface **surface, cg_scene_error *error)
{
    mesh_bytes mesh;
    *surface = NULL;
    if (!load(path, format, &mesh, error)) {
        return false;
    }
    bool good = cg_surface_read(mesh.bytes, mesh.size, path, &mesh.def, surface, error).code == CG_OK;
    give(&mesh);
    return good;
}

bool cg_mesh_load(const char *path, cg_surface **surface, cg_volume **volume, cg_surface_format *format,
                  cg_scene_error *error)
{
    mesh_bytes mesh;
    *surface = NULL;
    *volume = NULL;
    if (!load(path, CG_SURFACE_TOLD, &mesh, error)) {
        return false;
    }
    *format = mesh.def.format;
    bool good = cg_volume_read(mesh.bytes, mesh.size, path, &mesh.def, volume, error).code == CG_OK;
    if (!good) { // no cells: triangles, or an error that is told as theirs
        good = cg_surface_read(mesh.bytes, mesh.size, path, &mesh.def, surface, error).code == CG_OK;
    }
    give(&mesh);
    return good;
}

double cg_surface_extent(const cg_surface *surface)
{
    cg_vec3 low = surface->nodes[0], high = low;
    for (int i = 1; i < surface->node_count; i++) {
        cg_vec3 p = surface->nodes[i];
        low = (cg_vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (cg_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}
