// Surfaces of a scene, from mesh files that it names.
#include <string.h>

#include "scene/reader.h"

cg_surface *cg_scene_read_surface(cg_scene_reader *r, const cg_json_value *value)
{
    cg_mesh_spec spec = cg_mesh_spec_default();
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_mesh, value, &spec, &given, r->error)) {
        return NULL;
    }
    const cg_json_value *at = cg_json_find(value, "file");
    cg_surface_def def = cg_surface_def_default();
    def.scale = spec.unit;
    def.max_nodes = CG_SCENE_NODES;
    def.max_triangles = 2 * CG_SCENE_NODES;
    def.allocator = r->scene->allocator;
    if (!cg_surface_format_of_name(spec.file, &def.format)) {
        cg_error_at_value(r->error, at, "found \"%.100s\"; expected a file that ends in .obj, .stl, .wrl or .vrml",
                          spec.file);
        return NULL;
    }
    int source = cg_scene_open_source(r, spec.file, at);
    if (source < 0) {
        return NULL;
    }
    const cg_scene_source_text *text = &r->scene->sources[source];
    cg_scene_enter_source(r, source);
    char name[sizeof r->error->file];
    memcpy(name, r->error->file, sizeof name);
    cg_surface *surface;
    cg_code code = cg_surface_read(text->text, text->size, name, &def, &surface, r->error).code;
    r->code = code == CG_OUT_OF_MEMORY ? code : r->code;
    if (code == CG_OK) {
        cg_scene_enter_source(r, r->open_files[r->depth - 1]);
    }
    return surface;
}
