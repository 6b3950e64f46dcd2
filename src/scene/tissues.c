// Soft tissue of a scene. Whatever cg_world_add_tissue would refuse is refused here, where the place in the file is
// known; the springs are made when a world is built.
#include <math.h>
#include <string.h>

#include "catgut/surface.h"
#include "scene/reader.h"
#include "tissue/make.h"
#include "tissue/tissue.h"

// What is known of the tissue that is being read.
typedef struct tissue_reader {
    cg_scene_reader *r;
    const cg_json_value *value; // the object
    cg_tissue_spec spec;
    uint64_t given;
    cg_tissue_def def;
    cg_fill_report fill;
} tissue_reader;

// Materials

static bool find_kind(tissue_reader *t, const cg_json_value *at, const char *name, cg_tissue_kind *kind)
{
    char suggestion[64];
    if (cg_tissue_catalogue_find(name, kind, suggestion, sizeof suggestion)) {
        return true;
    }
    return suggestion[0] != '\0'
               ? cg_error_at_value(t->r->error, at, "found \"%s\", which is not in the catalogue; did you mean \"%s\"?",
                                   name, suggestion)
               : cg_error_at_value(t->r->error, at,
                                   "found \"%s\", which is not in the catalogue; expected one such as \"skin\" (see "
                                   "catgut list tissues)",
                                   name);
}

static double given_or(uint64_t given, const char *name, double written, double otherwise)
{
    return cg_scene_is_given(&cg_type_layer, given, name) ? written : otherwise;
}

// Fields that are given win over the catalogue.
static bool read_layer(tissue_reader *t, const cg_json_value *value, cg_tissue_layer *layer, int *region)
{
    cg_layer_spec spec = cg_layer_spec_default();
    uint64_t given;
    cg_tissue_kind kind;
    if (!cg_scene_read_fields(&cg_type_layer, value, &spec, &given, t->r->error)) {
        return false;
    }
    *layer = (cg_tissue_layer){
        spec.thickness,
        {spec.young, spec.density, spec.strength, spec.stiffening, spec.toughness, spec.tear_resistance}};
    *region = spec.region;
    if (spec.material == NULL) {
        return true;
    }
    if (!find_kind(t, cg_json_find(value, "material"), spec.material, &kind)) {
        return false;
    }
    layer->thickness = given_or(given, "thickness", spec.thickness, kind.thickness.value);
    layer->material.young = given_or(given, "youngs_modulus", spec.young, kind.youngs_modulus.value);
    layer->material.density = given_or(given, "density", spec.density, kind.density.value);
    layer->material.strength = given_or(given, "strength", spec.strength, kind.strength.value);
    layer->material.stiffening = given_or(given, "stiffening", spec.stiffening, kind.stiffening.value);
    layer->material.toughness = given_or(given, "toughness", spec.toughness, kind.toughness.value);
    layer->material.tear_resistance =
        given_or(given, "tear_resistance", spec.tear_resistance, kind.tear_resistance.value);
    return true;
}

static bool read_layers(tissue_reader *t)
{
    const cg_json_value *list = t->spec.layers;
    if (list == NULL) {
        return true;
    }
    if (list->count > 1 && t->def.shape != CG_TISSUE_PAD && t->def.shape != CG_TISSUE_VOLUME) {
        return cg_error_at_value(t->r->error, list, "found %d layers; expected one, as only a pad or volume has more",
                                 list->count);
    }
    t->def.layer_count = list->count;
    for (int i = 0; i < list->count; i++) {
        if (!read_layer(t, list->as.items[i], &t->def.layers[i], &t->def.layer_regions[i])) {
            return false;
        }
    }
    return true;
}

// Shapes

static bool read_wound(tissue_reader *t, const cg_json_value *value)
{
    cg_wound_spec spec = {0};
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_wound, value, &spec, &given, t->r->error)) {
        return false;
    }
    cg_tissue_def *def = &t->def;
    def->wound = (cg_wound_kind)(spec.kind + 1);
    def->wound_length = spec.length;
    def->wound_width = spec.width;
    def->wound_depth = spec.depth;
    if (spec.length >= def->size.x) {
        return cg_error_at_value(t->r->error, cg_json_find(value, "length"),
                                 "found a wound of %g m in a pad of %g m; expected a shorter one", spec.length,
                                 def->size.x);
    }
    const cg_json_value *width = cg_json_find(value, "width");
    if (def->wound == CG_WOUND_ELLIPSE && !(spec.width > 0 && spec.width <= 0.7 * def->size.y)) {
        return cg_error_at_value(t->r->error, width != NULL ? width : value,
                                 "found an ellipse %g m wide in a pad of %g m; expected above 0 and at most 0.7 of it",
                                 spec.width, def->size.y);
    }
    if (def->wound == CG_WOUND_STRAIGHT && spec.width > 0) {
        return cg_error_at_value(t->r->error, width,
                                 "found the width of a straight wound; expected none: it opens by tension");
    }
    return true;
}

static bool read_pad(tissue_reader *t, const cg_json_value *value)
{
    cg_pad_spec spec = cg_pad_spec_default();
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_pad, value, &spec, &given, t->r->error)) {
        return false;
    }
    t->def.size = (cg_vec3){spec.length, spec.width, 0};
    t->def.tension = spec.tension;
    return spec.wound == NULL || read_wound(t, spec.wound);
}

static bool read_vessel(tissue_reader *t, const cg_json_value *value)
{
    cg_vessel_spec spec = {0};
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_vessel, value, &spec, &given, t->r->error)) {
        return false;
    }
    if (!(spec.wall <= 0.9 * spec.radius)) {
        return cg_error_at_value(t->r->error, cg_json_find(value, "wall"),
                                 "found a wall of %g m in a vessel of radius %g m; expected at most 0.9 of it",
                                 spec.wall, spec.radius);
    }
    if (spec.gap >= spec.length) {
        return cg_error_at_value(t->r->error, cg_json_find(value, "gap"),
                                 "found a gap of %g m in a vessel of %g m; expected a shorter one", spec.gap,
                                 spec.length);
    }
    if (spec.slit > 0.9 * spec.length || (spec.slit > 0 && spec.gap > 0)) {
        return cg_error_at_value(t->r->error, cg_json_find(value, "slit"),
                                 "found a slit of %g m in a vessel of %g m; expected at most 0.9 of it, and no gap",
                                 spec.slit, spec.length);
    }
    if (spec.slit_width > (spec.slit > 0 ? spec.radius : 0)) {
        return cg_error_at_value(t->r->error, cg_json_find(value, "slit_width"),
                                 "found a slit that gapes by %g m; expected a slit, and at most the radius",
                                 spec.slit_width);
    }
    t->def.slit = spec.slit;
    t->def.slit_width = spec.slit_width;
    t->def.radius = spec.radius;
    t->def.wall = spec.wall;
    t->def.length = spec.length;
    t->def.gap = spec.gap;
    return true;
}

static bool read_box(tissue_reader *t, const cg_json_value *value)
{
    cg_lattice_spec spec = {{0}};
    uint64_t given;
    bool fine = cg_scene_read_fields(&cg_type_lattice, value, &spec, &given, t->r->error);
    t->def.size = spec.size;
    return fine;
}

static bool read_grid(tissue_reader *t, const cg_json_value *value)
{
    cg_grid_spec spec = {0};
    uint64_t given;
    bool fine = cg_scene_read_fields(&cg_type_grid, value, &spec, &given, t->r->error);
    t->def.size = (cg_vec3){spec.length, spec.width, 0};
    t->def.ball = spec.ball_position;
    t->def.ball_radius = spec.ball_radius;
    t->def.floor = spec.floor;
    t->def.has_floor = fine && cg_scene_is_given(&cg_type_grid, given, "floor");
    return fine;
}

// The surface goes into memory of the scene.
static bool keep_surface(tissue_reader *t, const cg_surface *surface)
{
    cg_vec3 *nodes = cg_scene_take(t->r, (size_t)surface->node_count, sizeof *nodes);
    int(*triangles)[3] = cg_scene_take(t->r, (size_t)surface->triangle_count, sizeof *triangles);
    if (nodes == NULL || triangles == NULL) {
        return false;
    }
    memcpy(nodes, surface->nodes, (size_t)surface->node_count * sizeof *nodes);
    memcpy(triangles, surface->triangles, (size_t)surface->triangle_count * sizeof *triangles);
    if (surface->told_sides > 0) {
        int *sides = cg_scene_take(t->r, (size_t)surface->triangle_count, sizeof *sides);
        for (int i = 0; i < surface->triangle_count && sides != NULL; i++) {
            sides[i] = surface->sides[i] >= 0 ? surface->sides[i] : CG_SIDE_TOP;
        }
        t->def.sides = sides;
        if (sides == NULL) {
            return false;
        }
    }
    t->def.nodes = nodes;
    t->def.node_count = surface->node_count;
    t->def.triangles = (const int(*)[3])triangles;
    t->def.triangle_count = surface->triangle_count;
    return true;
}

static bool read_mesh(tissue_reader *t, const cg_json_value *value)
{
    cg_surface *surface = cg_scene_read_surface(t->r, value);
    bool fine = surface != NULL && keep_surface(t, surface);
    cg_surface_free(surface);
    return fine;
}

static bool read_shape(tissue_reader *t)
{
    const cg_tissue_spec *spec = &t->spec;
    if (spec->pad != NULL) {
        t->def.shape = CG_TISSUE_PAD;
        return read_pad(t, spec->pad);
    }
    if (spec->vessel != NULL) {
        t->def.shape = CG_TISSUE_VESSEL;
        return read_vessel(t, spec->vessel);
    }
    if (spec->box != NULL) {
        t->def.shape = CG_TISSUE_BOX;
        return read_box(t, spec->box);
    }
    if (spec->grid != NULL) {
        t->def.shape = CG_TISSUE_GRID;
        return read_grid(t, spec->grid);
    }
    if (spec->mesh != NULL) {
        t->def.shape = CG_TISSUE_MESH;
        return read_mesh(t, spec->mesh);
    }
    t->def.shape = CG_TISSUE_VOLUME;
    t->def.volume = spec->volume != NULL ? cg_scene_read_volume(t->r, spec->volume)
                                         : cg_scene_read_fill(t->r, spec->fill, &t->fill);
    return t->def.volume != NULL;
}

static bool choose_model(tissue_reader *t)
{
    static const char *const words[] = {"lattice", "skin", "sheet"};
    cg_tissue_shape shape = t->def.shape;
    cg_tissue_model model = shape == CG_TISSUE_GRID   ? CG_TISSUE_SHEET
                            : shape == CG_TISSUE_MESH ? CG_TISSUE_SKIN
                                                      : CG_TISSUE_LATTICE;
    bool is_given = cg_scene_is_given(&cg_type_tissue, t->given, "model");
    bool is_shell = is_given && model == CG_TISSUE_LATTICE && t->spec.model == (int)CG_TISSUE_SKIN;
    t->def.model = is_shell ? CG_TISSUE_SKIN : model;
    return !is_given || is_shell || t->spec.model == (int)model ||
           cg_error_at_value(t->r->error, cg_json_find(t->value, "model"),
                             "found the model \"%s\"; expected \"%s\", the one for this shape", words[t->spec.model],
                             words[model]);
}

// Most nodes that a shape can get; a text of a few bytes can ask for very many.
static double estimated_nodes(const cg_tissue_def *def)
{
    const double a = def->spacing;
    double depth = 0;
    for (int i = 0; i < def->layer_count; i++) {
        depth += ceil(def->layers[i].thickness / a) + 1;
    }
    switch (def->shape) {
    case CG_TISSUE_PAD:
        return (def->size.x / a + 3) * (def->size.y / a + 3) * (depth + 1);
    case CG_TISSUE_BOX:
        return (def->size.x / a + 2) * (def->size.y / a + 2) * (def->size.z / a + 2);
    case CG_TISSUE_GRID:
        return (def->size.x / a + 2) * (def->size.y / a + 2);
    case CG_TISSUE_VESSEL:
        return (def->length / a + 4) * (7 * def->radius / a + 8) * (def->wall / a + 3);
    case CG_TISSUE_VOLUME:
        return def->volume->node_count;
    default:
        return def->node_count;
    }
}

static bool check_size(tissue_reader *t)
{
    cg_scene *scene = t->r->scene;
    double nodes = estimated_nodes(&t->def);
    double room = nodes > t->def.max_nodes ? nodes : t->def.max_nodes;
    if (!(room <= CG_SCENE_NODES - scene->node_count)) {
        const cg_json_value *spacing = cg_json_find(t->value, "spacing");
        return cg_error_at_value(t->r->error, spacing != NULL ? spacing : t->value,
                                 "found tissue of about %.0f nodes; expected at most %d in a scene", room,
                                 CG_SCENE_NODES);
    }
    scene->node_count += (int)room;
    return true;
}

// What only the generator knows: whether the triangles of a file make a surface, and how many nodes there are exactly.
static bool try_to_make(tissue_reader *t)
{
    cg_mesh *mesh = NULL;
    cg_status status = cg_tissue_def_check(&t->def);
    if (status.code == CG_OK &&
        (t->def.shape == CG_TISSUE_MESH || t->def.shape == CG_TISSUE_VOLUME || t->def.max_nodes > 0)) {
        status = cg_make_mesh(&t->def, &t->r->scene->allocator, &mesh);
        cg_mesh_destroy(mesh);
    }
    t->r->code = status.code == CG_OUT_OF_MEMORY ? CG_OUT_OF_MEMORY : t->r->code;
    return status.code == CG_OK ||
           cg_error_at_value(t->r->error, t->value, "found tissue that cannot be made: %s", status.message);
}

static cg_scene_tissue *new_tissue(cg_scene_reader *r, const cg_json_value *value)
{
    cg_scene *scene = r->scene;
    if (scene->tissue_count == CG_SCENE_TISSUES) {
        cg_error_at_value(r->error, value, "found one tissue more; expected at most %d in a scene", CG_SCENE_TISSUES);
        return NULL;
    }
    return &scene->tissues[scene->tissue_count];
}

bool cg_scene_read_tissue(cg_scene_reader *r, const cg_json_value *value)
{
    tissue_reader t = {.r = r, .value = value, .spec = cg_tissue_spec_default(), .def = cg_tissue_def_default()};
    cg_scene_tissue *tissue = new_tissue(r, value);
    if (tissue == NULL || !cg_scene_read_fields(&cg_type_tissue, value, &t.spec, &t.given, r->error) ||
        !cg_scene_choose_name(r, &r->tissue_names, value, "tissue", r->scene->tissue_count + 1, &tissue->name) ||
        !cg_scene_read_rotation(t.spec.rotation, &t.def.pose.rotation, r->error) || !read_shape(&t) ||
        !read_layers(&t) || !choose_model(&t)) {
        return false;
    }
    t.def.pose.position = t.spec.position;
    t.def.solver = (cg_tissue_solver)t.spec.solver;
    t.def.spacing = t.spec.spacing;
    t.def.friction = t.spec.friction;
    t.def.damping = t.spec.damping;
    t.def.drag = t.spec.drag;
    t.def.home = t.spec.home;
    t.def.pre_length = t.spec.pre_length;
    t.def.most_stretch = t.spec.most_stretch;
    t.def.pressure = t.spec.pressure;
    t.def.bond_strength = t.spec.bond_strength;
    t.def.pierce_force = t.spec.pierce_force;
    t.def.pierce_cut = t.spec.pierce_cut;
    t.def.pierce_drag = t.spec.pierce_drag;
    t.def.thread_grip = t.spec.thread_grip;
    t.def.tear_force = t.spec.tear_force;
    t.def.fix_rim = t.spec.fix_rim;
    t.def.fix_bottom = t.spec.fix_bottom;
    t.def.iterations = t.spec.iterations;
    t.def.max_nodes = t.spec.max_nodes;
    if (!check_size(&t) || !try_to_make(&t)) {
        return false;
    }
    tissue->def = t.def;
    tissue->fill = t.fill;
    tissue->place = cg_scene_place_of(r, value);
    r->scene->tissue_count++;
    return true;
}

int cg_scene_tissue_count(const cg_scene *scene)
{
    return scene->tissue_count;
}

const char *cg_scene_tissue_name(const cg_scene *scene, int index)
{
    return index >= 0 && index < scene->tissue_count ? scene->tissues[index].name : NULL;
}
