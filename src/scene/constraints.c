// Constraints of a scene: names become ids of the world that is built from it, in which everything is new, so that the
// thing in place i has the id (i + 1, 1).
#include <string.h>

#include "scene/constraint_specs.h"
#include "scene/reader.h"

enum { FIRST_GENERATION = 1 };

typedef const char *(*name_at)(const cg_scene *scene, int index);

// The place of the thing that a member names, plus one; 0, with the error filled, when there is none.
static unsigned find_name(cg_scene_reader *reader, const cg_json_value *object, const char *member, name_at names,
                          int count)
{
    const cg_json_value *value = cg_json_find(object, member);
    for (int i = 0; i < count; i++) {
        if (strcmp(names(reader->scene, i), value->as.string) == 0) {
            return (unsigned)i + 1;
        }
    }
    const char *what = strcmp(member, "first") == 0 || strcmp(member, "second") == 0 ? "thread" : member;
    cg_error_at_value(reader->error, value, "found \"%.60s\"; expected the name of a %s of the scene", value->as.string,
                      what);
    return 0;
}

static bool find_thread(cg_scene_reader *reader, const cg_json_value *object, const char *member, cg_thread_id *id)
{
    id->index = find_name(reader, object, member, cg_scene_thread_name, reader->scene->thread_count);
    id->generation = FIRST_GENERATION;
    return id->index != 0;
}

static bool find_body(cg_scene_reader *reader, const cg_json_value *object, cg_rigid_id *id)
{
    id->index = find_name(reader, object, "body", cg_scene_body_name, reader->scene->body_count);
    id->generation = FIRST_GENERATION;
    return id->index != 0;
}

static bool find_tissue(cg_scene_reader *reader, const cg_json_value *object, cg_tissue_id *id)
{
    id->index = find_name(reader, object, "tissue", cg_scene_tissue_name, reader->scene->tissue_count);
    id->generation = FIRST_GENERATION;
    return id->index != 0;
}

static bool find_hand(cg_scene_reader *reader, const cg_json_value *object, cg_hand_id *id)
{
    id->index = find_name(reader, object, "hand", cg_scene_hand_name, reader->scene->hand_count);
    id->generation = FIRST_GENERATION;
    return id->index != 0;
}

// --- joints ---

static bool read_site(cg_scene_reader *reader, const cg_json_value *value, cg_constraint_site *site)
{
    cg_site_spec spec = {0};
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_site, value, &spec, &given, reader->error)) {
        return false;
    }
    site->arc = spec.arc;
    if (cg_scene_is_given(&cg_type_site, given, "place")) {
        site->has_place = true;
        site->place = spec.place;
    }
    return spec.body != NULL     ? find_body(reader, value, &site->body)
           : spec.thread != NULL ? find_thread(reader, value, "thread", &site->thread)
                                 : find_tissue(reader, value, &site->tissue);
}

static bool read_joint(cg_scene_reader *reader, const cg_json_value *value, cg_constraint_def *def)
{
    cg_joint_spec spec = cg_joint_spec_default();
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_joint, value, &spec, &given, reader->error) ||
        !cg_scene_has_direction(value, spec.axis, reader->error)) {
        return false;
    }
    def->kind = (cg_constraint_kind)spec.kind;
    def->axis = spec.axis;
    def->index = spec.index;
    for (int i = 0; i < spec.between->count; i++) {
        if (!read_site(reader, spec.between->as.items[i], &def->sites[i])) {
            return false;
        }
    }
    for (int i = 0; i < 2 && cg_scene_is_given(&cg_type_joint, given, "position"); i++) {
        if (!def->sites[i].has_place) {
            def->sites[i].has_place = true;
            def->sites[i].place = spec.position;
        }
    }
    return spec.hand == NULL || find_hand(reader, value, &def->hand);
}

static bool read_joints(cg_scene_reader *reader, const cg_json_value *list, cg_scene_structure *structure)
{
    int count = list != NULL ? list->count : 0;
    cg_constraint_def *defs = cg_scene_take(reader, (size_t)count + 1, sizeof *defs);
    structure->def.constraints = defs;
    structure->def.constraint_count = count;
    bool fine = defs != NULL;
    for (int i = 0; fine && i < count; i++) {
        fine = read_joint(reader, list->as.items[i], &defs[i]);
    }
    return fine;
}

// --- threads ---

static bool read_splines(cg_scene_reader *reader, const cg_json_value *list, cg_scene_structure *structure)
{
    int count = list != NULL ? list->count : 0;
    cg_structure_thread *threads = cg_scene_take(reader, (size_t)count + 1, sizeof *threads);
    structure->def.threads = threads;
    structure->def.thread_count = count;
    bool fine = threads != NULL;
    for (int i = 0; fine && i < count; i++) {
        cg_spline_spec spec = {0};
        uint64_t given;
        const cg_json_value *item = list->as.items[i];
        fine = cg_scene_read_fields(&cg_type_spline, item, &spec, &given, reader->error) &&
               find_thread(reader, item, "thread", &threads[i].thread);
        threads[i].control_points = spec.control_points;
    }
    return fine;
}

static bool read_contacts(cg_scene_reader *reader, const cg_json_value *list, cg_scene_structure *structure)
{
    int count = list != NULL ? list->count : 0;
    cg_structure_contact *contacts = cg_scene_take(reader, (size_t)count + 1, sizeof *contacts);
    structure->def.contacts = contacts;
    structure->def.contact_count = count;
    bool fine = contacts != NULL;
    for (int i = 0; fine && i < count; i++) {
        cg_touching_spec spec = {0};
        uint64_t given;
        const cg_json_value *item = list->as.items[i];
        fine = cg_scene_read_fields(&cg_type_touching, item, &spec, &given, reader->error) &&
               find_thread(reader, item, "first", &contacts[i].threads[0]) &&
               find_thread(reader, item, "second", &contacts[i].threads[1]);
    }
    return fine;
}

static bool read_stitches(cg_scene_reader *reader, const cg_json_value *list, cg_scene_structure *structure)
{
    int count = list != NULL ? list->count : 0;
    cg_stitching_def *stitchings = cg_scene_take(reader, (size_t)count + 1, sizeof *stitchings);
    structure->def.stitchings = stitchings;
    structure->def.stitching_count = count;
    bool fine = stitchings != NULL;
    for (int i = 0; fine && i < count; i++) {
        cg_sewing_spec spec = {0};
        uint64_t given;
        const cg_json_value *item = list->as.items[i];
        fine = cg_scene_read_fields(&cg_type_sewing, item, &spec, &given, reader->error) &&
               find_thread(reader, item, "thread", &stitchings[i].thread) &&
               find_tissue(reader, item, &stitchings[i].tissue);
        stitchings[i].tip = (cg_end)spec.tip;
        stitchings[i].threshold = spec.threshold;
    }
    return fine;
}

// --- all of them ---

static bool read_solver(cg_scene_reader *reader, const cg_json_value *value, cg_structure_def *def)
{
    cg_solver_spec spec = cg_solver_spec_default();
    uint64_t given;
    bool fine = value == NULL || cg_scene_read_fields(&cg_type_solver, value, &spec, &given, reader->error);
    def->multipliers = (cg_structure_multipliers)spec.multipliers;
    def->residual = spec.residual;
    def->violation = spec.violation;
    def->iterations = spec.iterations;
    def->keep_factors = spec.keep_factors;
    def->project_places = spec.project_places;
    def->project_velocities = spec.project_velocities;
    return fine;
}

bool cg_scene_note_constraints(cg_scene_reader *reader, const cg_json_value *value)
{
    cg_scene_structure *structure = &reader->scene->structure;
    if (value == NULL) {
        return true;
    }
    if (structure->text != NULL) {
        return cg_error_at_value(reader->error, value, "found constraints in a second file; expected all in one");
    }
    structure->text = value;
    structure->place = cg_scene_place_of(reader, value);
    return true;
}

bool cg_scene_read_constraints(cg_scene_reader *reader)
{
    cg_scene_structure *structure = &reader->scene->structure;
    if (structure->text == NULL) {
        return true;
    }
    cg_scene_enter_source(reader, structure->place.source);
    cg_constraints_spec spec = cg_constraints_spec_default();
    uint64_t given;
    structure->def = cg_structure_def_default();
    if (!cg_scene_read_fields(&cg_type_constraints, structure->text, &spec, &given, reader->error)) {
        return false;
    }
    structure->def.index = spec.index;
    return read_solver(reader, spec.solver, &structure->def) && read_splines(reader, spec.splines, structure) &&
           read_joints(reader, spec.joints, structure) && read_contacts(reader, spec.contacts, structure) &&
           read_stitches(reader, spec.stitches, structure);
}
