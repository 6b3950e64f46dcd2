#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "scene/fields.h"
#include "scene/reader.h"
#include "world/world.h"

// All texts of a scene together.
enum { MOST_SOURCE_BYTES = 2 * CG_JSON_TREE_BYTES };

// Memory

void *cg_scene_take(cg_scene_reader *reader, size_t count, size_t size)
{
    size_t bytes;
    cg_scene *scene = reader->scene;
    bool fits = cg_memory_multiply(count, size, &bytes) && bytes < SIZE_MAX - CG_MEMORY_ALIGNMENT;
    cg_scene_block *block = fits ? cg_memory_take(&scene->allocator, bytes + CG_MEMORY_ALIGNMENT) : NULL;
    if (block == NULL) {
        reader->code = CG_OUT_OF_MEMORY;
        cg_scene_error_at(reader->error, 1, 1, "no memory for the scene");
        return NULL;
    }
    block->next = scene->blocks;
    scene->blocks = block;
    return (unsigned char *)block + CG_MEMORY_ALIGNMENT; // so that the piece is as aligned as the block
}

static char *copy_bytes(cg_scene_reader *reader, const char *bytes, size_t size)
{
    char *copy = cg_scene_take(reader, size + 1, 1);
    if (copy != NULL && size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

void cg_scene_free(cg_scene *scene)
{
    if (scene == NULL) {
        return;
    }
    for (int i = 0; i < scene->tree_count; i++) {
        cg_json_tree_free(scene->trees[i]);
    }
    cg_allocator allocator = scene->allocator;
    for (cg_scene_block *block = scene->blocks, *next; block != NULL; block = next) {
        next = block->next;
        cg_memory_give(&allocator, block);
    }
    cg_memory_give(&allocator, scene);
}

// Sources

cg_scene_place cg_scene_place_of(const cg_scene_reader *reader, const cg_json_value *value)
{
    return (cg_scene_place){reader->open_files[reader->depth - 1], value->line, value->column};
}

static void name_source(const cg_scene *scene, int source, cg_scene_error *error)
{
    const char *slash = strrchr(scene->name, '/');
    if (source == 0 || slash == NULL) {
        cg_scene_error_file(error, source == 0 ? scene->name : scene->sources[source].path);
        return;
    }
    char joined[1024];
    snprintf(joined, sizeof joined, "%.*s%s", (int)(slash + 1 - scene->name), scene->name, scene->sources[source].path);
    cg_scene_error_file(error, joined);
}

void cg_scene_enter_source(cg_scene_reader *reader, int source)
{
    name_source(reader->scene, source, reader->error);
}

// Keeps a copy of a text. `value` is where it is mentioned; NULL for the scene itself.
static int add_source(cg_scene_reader *reader, const char *path, const char *text, size_t size,
                      const cg_json_value *value)
{
    cg_scene *scene = reader->scene;
    if (scene->source_count == CG_SCENE_FILES) {
        cg_error_at_value(reader->error, value, "found one file more; expected at most %d in a scene", CG_SCENE_FILES);
        return -1;
    }
    if (size > CG_JSON_TREE_BYTES || size > MOST_SOURCE_BYTES - scene->source_bytes) {
        cg_scene_error_at(reader->error, value != NULL ? value->line : 1, value != NULL ? value->column : 1,
                          "found a text of %zu bytes; expected at most %d, and %d for all files together", size,
                          CG_JSON_TREE_BYTES, MOST_SOURCE_BYTES);
        return -1;
    }
    cg_scene_source_text *source = &scene->sources[scene->source_count];
    source->path = copy_bytes(reader, path, strlen(path));
    source->text = source->path != NULL ? copy_bytes(reader, text, size) : NULL;
    source->size = size;
    scene->source_bytes += size;
    return source->text != NULL ? scene->source_count++ : -1;
}

static int find_source(const cg_scene *scene, const char *path)
{
    for (int i = 0; i < scene->source_count; i++) {
        if (strcmp(scene->sources[i].path, path) == 0) {
            return i;
        }
    }
    return -1;
}

int cg_scene_open_source(cg_scene_reader *reader, const char *path, const cg_json_value *value)
{
    char joined[256];
    const char *why, *text;
    size_t size;
    const char *from = reader->scene->sources[reader->open_files[reader->depth - 1]].path;
    if (!cg_scene_join_path(from, path, joined, sizeof joined, &why)) {
        cg_error_at_value(reader->error, value, "found the path \"%.100s\", which %s", path, why);
        return -1;
    }
    int known = find_source(reader->scene, joined);
    if (known >= 0) {
        return known;
    }
    const cg_scene_files *files = reader->files;
    if (files == NULL || files->open == NULL || !files->open(files->context, joined, &text, &size)) {
        cg_error_at_value(reader->error, value, "found the path \"%.100s\"; there is no such file to read", path);
        return -1;
    }
    int source = add_source(reader, joined, text, size, value);
    if (files->release != NULL) {
        files->release(files->context, text);
    }
    return source;
}

// Reading

static bool read_file(cg_scene_reader *reader, int source);

static bool read_include(cg_scene_reader *reader, const cg_json_value *item)
{
    if (item->kind != CG_JSON_STRING) {
        return cg_error_at_value(reader->error, item, "found %s; expected the path of a scene file",
                                 cg_json_kind_name(item->kind));
    }
    int source = cg_scene_open_source(reader, item->as.string, item);
    for (int i = 0; source >= 0 && i < reader->depth; i++) {
        if (reader->open_files[i] == source) {
            return cg_error_at_value(reader->error, item,
                                     "found \"%.100s\", which includes this file; expected no cycle", item->as.string);
        }
    }
    if (source >= 0 && reader->depth > CG_SCENE_NESTING) {
        return cg_error_at_value(reader->error, item, "found includes nested more than %d deep; expected fewer",
                                 CG_SCENE_NESTING);
    }
    if (source < 0 || !read_file(reader, source)) {
        return false;
    }
    cg_scene_enter_source(reader, reader->open_files[reader->depth - 1]);
    return true;
}

static bool read_newton(cg_scene_reader *reader, const cg_json_value *value, cg_newton_spec *newton)
{
    uint64_t given;
    *newton = cg_newton_spec_default();
    return value == NULL || cg_scene_read_fields(&cg_type_newton, value, newton, &given, reader->error);
}

static bool has_control_character(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7F) {
            return true;
        }
    }
    return false;
}

static bool keep_settings(cg_scene_reader *reader, const cg_json_value *root, const cg_scene_spec *spec,
                          const cg_newton_spec *newton)
{
    if (has_control_character(spec->title)) {
        return cg_error_at_value(reader->error, cg_json_find(root, "title"),
                                 "found a control character in the title; expected one line of text");
    }
    if (reader->depth > 1) {
        return true; // only the threads, rigid shapes, bodies, hands and tissues of an included file count
    }
    cg_scene *scene = reader->scene;
    scene->title = spec->title;
    scene->duration = spec->duration;
    scene->inputs = spec->inputs;
    scene->moves = spec->moves;
    scene->world_def.time_step = spec->time_step;
    scene->world_def.gravity = spec->gravity;
    scene->world_def.friction_torque = spec->friction_torque;
    scene->world_def.linear_contact = spec->linear_contact;
    scene->world_def.max_contacts = spec->max_contacts;
    scene->world_def.newton_passes = newton->passes;
    scene->world_def.newton_tolerance = newton->tolerance;
    scene->world_def.line_search = newton->line_search;
    return true;
}

static bool read_contents(cg_scene_reader *reader, const cg_json_value *root)
{
    cg_scene_spec spec = cg_scene_spec_default();
    cg_newton_spec newton;
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_scene, root, &spec, &given, reader->error) ||
        !read_newton(reader, spec.newton, &newton) || !keep_settings(reader, root, &spec, &newton)) {
        return false;
    }
    for (int i = 0; spec.include != NULL && i < spec.include->count; i++) {
        if (!read_include(reader, spec.include->as.items[i])) {
            return false;
        }
    }
    for (int i = 0; spec.threads != NULL && i < spec.threads->count; i++) {
        if (!cg_scene_read_thread(reader, spec.threads->as.items[i])) {
            return false;
        }
    }
    for (int i = 0; spec.shapes != NULL && i < spec.shapes->count; i++) {
        if (!cg_scene_read_rigid(reader, spec.shapes->as.items[i])) {
            return false;
        }
    }
    for (int i = 0; spec.bodies != NULL && i < spec.bodies->count; i++) {
        if (!cg_scene_read_body(reader, spec.bodies->as.items[i])) {
            return false;
        }
    }
    if (!cg_scene_note_constraints(reader, spec.constraints)) {
        return false;
    }
    reader->scene->hands_given = reader->scene->hands_given || spec.hands != NULL;
    for (int i = 0; spec.hands != NULL && i < spec.hands->count; i++) {
        if (!cg_scene_read_hand(reader, spec.hands->as.items[i])) {
            return false;
        }
    }
    for (int i = 0; spec.tissues != NULL && i < spec.tissues->count; i++) {
        if (!cg_scene_read_tissue(reader, spec.tissues->as.items[i])) {
            return false;
        }
    }
    for (int i = 0; spec.stitches != NULL && i < spec.stitches->count; i++) {
        if (!cg_scene_read_stitch(reader, spec.stitches->as.items[i])) {
            return false;
        }
    }
    for (int i = 0; spec.adhesions != NULL && i < spec.adhesions->count; i++) {
        if (!cg_scene_read_adhesion(reader, spec.adhesions->as.items[i])) {
            return false;
        }
    }
    return true;
}

// Reads one file and what it includes. A file that is included twice is read twice, from the same text.
static bool read_file(cg_scene_reader *reader, int source)
{
    cg_scene *scene = reader->scene;
    if (scene->tree_count == CG_SCENE_FILES) {
        return cg_scene_error_at(reader->error, 1, 1, "found one include more; expected at most %d in a scene",
                                 CG_SCENE_FILES);
    }
    cg_scene_enter_source(reader, source);
    char name[sizeof reader->error->file];
    memcpy(name, reader->error->file, sizeof name);
    const cg_scene_source_text *text = &scene->sources[source];
    cg_json_tree *tree;
    cg_code code = cg_json_tree_read(text->text, text->size, name, &scene->allocator, &tree, reader->error);
    if (code != CG_OK) {
        reader->code = code;
        return false;
    }
    scene->trees[scene->tree_count++] = tree;
    reader->open_files[reader->depth++] = source;
    bool fine = read_contents(reader, cg_json_root(tree));
    reader->depth--;
    return fine;
}

static cg_code read_all(cg_scene_reader *reader, const char *text, size_t size, const char *name)
{
    cg_scene *scene = reader->scene;
    const char *slash = strrchr(name, '/');
    scene->name = copy_bytes(reader, name, strlen(name));
    bool fine = scene->name != NULL && add_source(reader, slash != NULL ? slash + 1 : name, text, size, NULL) == 0 &&
                read_file(reader, 0) && cg_scene_add_parts(reader);
    if (fine && !scene->hands_given) {
        cg_scene_add_usual_hands(scene);
    }
    fine = fine && cg_scene_read_moves(reader) && cg_scene_read_constraints(reader);
    return fine ? CG_OK : reader->code;
}

cg_status cg_scene_read(const char *text, size_t size, const char *name, const cg_scene_files *files,
                        const cg_allocator *allocator, cg_scene **scene, cg_scene_error *error)
{
    cg_scene_error own_error;
    error = error != NULL ? error : &own_error;
    *error = (cg_scene_error){.line = 1, .column = 1};
    *scene = NULL;
    cg_scene_error_file(error, name);
    cg_allocator chosen = allocator != NULL ? *allocator : (cg_allocator){0};
    if (!cg_memory_is_usable(&chosen)) {
        cg_scene_error_at(error, 1, 1, "the allocator has one of its two functions only");
        return cg_error(CG_BAD_INPUT, "%s", error->message);
    }
    cg_scene *made = cg_memory_take(&chosen, sizeof *made);
    cg_scene_reader *reader = cg_memory_take(&chosen, sizeof *reader);
    cg_code code = CG_OUT_OF_MEMORY;
    cg_scene_error_at(error, 1, 1, "no memory for the scene");
    if (made != NULL && reader != NULL) {
        reader->scene = made;
        reader->files = files;
        reader->error = error;
        reader->code = CG_BAD_INPUT;
        made->allocator = chosen;
        made->title = "";
        made->world_def = cg_world_def_default();
        code = read_all(reader, text, size, name);
        cg_scene_free(code != CG_OK ? made : NULL);
    } else {
        cg_memory_give(&chosen, made);
    }
    cg_memory_give(&chosen, reader);
    if (code != CG_OK) {
        return cg_error(code, "%s:%d:%d: %s", error->file, error->line, error->column, error->message);
    }
    *error = (cg_scene_error){0};
    *scene = made;
    return cg_ok();
}

// Building

static cg_status add_thread(cg_world *world, const cg_scene_thread *thread, cg_thread_id *id)
{
    cg_status status = cg_world_add_thread(world, &thread->def, id);
    for (int i = 0; status.code == CG_OK && i < thread->mass_count; i++) {
        status = cg_thread_set_added_mass(world, *id, thread->masses[i].vertex, thread->masses[i].mass);
    }
    return status;
}

// `thread` is the one that is swaged to it, if any.
static cg_status add_body(cg_world *world, const cg_scene_body *body, cg_thread_id thread)
{
    cg_rigid_id id;
    cg_status status = cg_world_add_rigid(world, &body->def, &id);
    if (status.code == CG_OK && body->thread >= 0) {
        status = cg_thread_swage(world, thread, body->end, id, cg_needle_place(&body->needle, body->needle.arc));
    }
    return status;
}

// Places of threads are counted through: first all threads, then their parts, as the scene lists them.
static cg_status reserve_parts(const cg_scene *scene, cg_world *world)
{
    cg_status status = cg_ok();
    for (int i = 0; i < scene->thread_count && status.code == CG_OK; i++) {
        cg_thread_id id = {(unsigned)i + 1, 1};
        status = scene->threads[i].cuts > 0 ? cg_world_reserve_parts(world, id, scene->threads[i].cuts) : status;
    }
    return status;
}

// Threads and tissues of a world that was just built are in the order of the scene.
static cg_thread_id name_thread(const cg_world *world, int number)
{
    const cg_thread_slot *thread = cg_world_first_thread(world);
    for (int i = 0; i < number; i++) {
        thread = cg_world_next_thread(world, thread);
    }
    cg_handle handle = cg_pool_handle_of(&world->threads, thread);
    return (cg_thread_id){handle.index, handle.generation};
}

static cg_tissue_id name_tissue(const cg_world *world, int number)
{
    cg_handle handle = cg_pool_handle_of(&world->tissues, cg_world_tissue_at(world, number));
    return (cg_tissue_id){handle.index, handle.generation};
}

static cg_status add_stitch(cg_world *world, const cg_scene_stitch *stitch)
{
    cg_stitch_def def = stitch->def;
    def.thread = name_thread(world, stitch->thread);
    def.tissue = name_tissue(world, stitch->tissue);
    return cg_world_add_stitch(world, &def);
}

static cg_status add_adhesion(cg_world *world, const cg_scene_adhesion *adhesion)
{
    cg_adhesion_def def = adhesion->def;
    def.thread = name_thread(world, adhesion->thread);
    def.tissue = name_tissue(world, adhesion->tissue);
    return cg_world_add_adhesion(world, &def);
}

// Bad input is told with its place. Hands of a scene that does not speak of hands have none.
static void tell_place(const cg_scene *scene, const cg_scene_place *place, cg_status status, cg_scene_error *error)
{
    if (status.code == CG_BAD_INPUT && place->line > 0) {
        name_source(scene, place->source, error);
        cg_scene_error_at(error, place->line, place->column, "%s", status.message);
    }
}

// Contacts push tissue out of a shape only when it is not far inside: a start that they cannot mend is refused.
static cg_status check_shape_places(const cg_scene *scene, const cg_world *world, cg_scene_error *error)
{
    cg_status status = cg_ok();
    for (int i = 0; status.code == CG_OK && i < scene->shape_count && cg_world_has_presses(world); i++) {
        const cg_shape_def *def = &scene->shapes[i].def;
        if (cg_world_tissue_meets(world, &def->shape, &def->pose, -1)) {
            status = cg_error(CG_BAD_INPUT, "found the shape \"%.40s\" in tissue; expected a free place",
                              scene->shapes[i].name);
            tell_place(scene, &scene->shapes[i].place, status, error);
        }
    }
    return status;
}

cg_status cg_scene_build(const cg_scene *scene, const cg_allocator *allocator, cg_world **world)
{
    cg_scene_error error;
    cg_status status = cg_scene_build_at(scene, allocator, world, &error);
    return error.message[0] == '\0'
               ? status
               : cg_error(status.code, "%s:%d:%d: %s", error.file, error.line, error.column, error.message);
}

cg_status cg_scene_build_at(const cg_scene *scene, const cg_allocator *allocator, cg_world **world,
                            cg_scene_error *error)
{
    *error = (cg_scene_error){0};
    cg_thread_id swaged[CG_SCENE_BODIES] = {{0, 0}};
    cg_world_def def = scene->world_def;
    def.allocator = allocator != NULL ? *allocator : (cg_allocator){0};
    def.max_threads = scene->thread_count > def.max_threads ? scene->thread_count : def.max_threads;
    def.max_shapes = scene->shape_count > def.max_shapes ? scene->shape_count : def.max_shapes;
    def.max_hands = scene->hand_count > def.max_hands ? scene->hand_count : def.max_hands;
    def.max_tissues = scene->tissue_count > def.max_tissues ? scene->tissue_count : def.max_tissues;
    cg_status status = cg_world_create(&def, world);
    // Shapes first: adding one is cheap while there are no threads.
    for (int i = 0; status.code == CG_OK && i < scene->shape_count; i++) {
        cg_shape_id id;
        status = cg_world_add_shape(*world, &scene->shapes[i].def, &id);
    }
    for (int i = 0; status.code == CG_OK && i < scene->thread_count; i++) {
        cg_thread_id id = {0, 0};
        status = scene->threads[i].part_of == 0 ? add_thread(*world, &scene->threads[i], &id) : cg_ok();
        for (int k = 0; k < scene->body_count; k++) {
            swaged[k] = scene->bodies[k].thread == i ? id : swaged[k];
        }
    }
    status = status.code == CG_OK ? reserve_parts(scene, *world) : status;
    for (int i = 0; status.code == CG_OK && i < scene->body_count; i++) {
        status = add_body(*world, &scene->bodies[i], swaged[i]);
        tell_place(scene, &scene->bodies[i].place, status, error);
    }
    for (int i = 0; status.code == CG_OK && i < scene->tissue_count; i++) {
        cg_tissue_id id;
        status = cg_world_add_tissue(*world, &scene->tissues[i].def, &id);
        tell_place(scene, &scene->tissues[i].place, status, error);
    }
    if (status.code == CG_OK) {
        status = check_shape_places(scene, *world, error);
    }
    for (int i = 0; status.code == CG_OK && i < scene->stitch_count; i++) {
        status = add_stitch(*world, &scene->stitches[i]);
        tell_place(scene, &scene->stitches[i].place, status, error);
    }
    for (int i = 0; status.code == CG_OK && i < scene->adhesion_count; i++) {
        status = add_adhesion(*world, &scene->adhesions[i]);
        tell_place(scene, &scene->adhesions[i].place, status, error);
    }
    for (int i = 0; status.code == CG_OK && i < scene->hand_count; i++) {
        cg_hand_id id;
        status = cg_world_add_hand(*world, &scene->hands[i].def, &id);
        tell_place(scene, &scene->hands[i].place, status, error);
    }
    if (status.code == CG_OK && scene->structure.text != NULL) {
        status = cg_world_add_structure(*world, &scene->structure.def);
        tell_place(scene, &scene->structure.place, status, error);
    }
    if (status.code != CG_OK) {
        cg_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

// Looking at a scene

static const cg_scene_thread *thread_at(const cg_scene *scene, int index)
{
    return index >= 0 && index < scene->thread_count ? &scene->threads[index] : NULL;
}

bool cg_scene_has_constraints(const cg_scene *scene)
{
    return scene->structure.text != NULL;
}

const char *cg_scene_title(const cg_scene *scene)
{
    return scene->title;
}

double cg_scene_duration(const cg_scene *scene)
{
    return scene->duration;
}

int cg_scene_thread_count(const cg_scene *scene)
{
    return scene->thread_count;
}

const char *cg_scene_thread_name(const cg_scene *scene, int index)
{
    const cg_scene_thread *thread = thread_at(scene, index);
    return thread != NULL ? thread->name : NULL;
}

double cg_scene_thread_radius(const cg_scene *scene, int index)
{
    const cg_scene_thread *thread = thread_at(scene, index);
    return thread != NULL ? thread->def.radius : 0;
}

double cg_scene_thread_length(const cg_scene *scene, int index)
{
    const cg_scene_thread *thread = thread_at(scene, index);
    double length = 0;
    for (int i = 0; thread != NULL && i + 1 < thread->def.vertex_count; i++) {
        const cg_thread_def *def = &thread->def;
        const cg_vec3 *points = def->rest_shape != NULL ? def->rest_shape : def->positions;
        length += def->rest_lengths != NULL ? def->rest_lengths[i] : v3_distance(points[i], points[i + 1]);
    }
    return length;
}

int cg_scene_thread_vertices(const cg_scene *scene, int index)
{
    const cg_scene_thread *thread = thread_at(scene, index);
    return thread != NULL ? thread->def.vertex_count : 0;
}

int cg_scene_body_count(const cg_scene *scene)
{
    return scene->body_count;
}

const char *cg_scene_body_name(const cg_scene *scene, int index)
{
    return index >= 0 && index < scene->body_count ? scene->bodies[index].name : NULL;
}

double cg_scene_needle_radius(const cg_scene *scene, int index)
{
    return index >= 0 && index < scene->body_count ? scene->bodies[index].needle.radius : 0;
}

int cg_scene_shape_count(const cg_scene *scene)
{
    return scene->shape_count;
}

const char *cg_scene_shape_name(const cg_scene *scene, int index)
{
    return index >= 0 && index < scene->shape_count ? scene->shapes[index].name : NULL;
}

int cg_scene_source_count(const cg_scene *scene)
{
    return scene->source_count;
}

bool cg_scene_source(const cg_scene *scene, int index, const char **path, const char **text, size_t *size)
{
    if (index < 0 || index >= scene->source_count) {
        return false;
    }
    *path = scene->sources[index].path;
    *text = scene->sources[index].text;
    *size = scene->sources[index].size;
    return true;
}

const cg_json_value *cg_scene_inputs(const cg_scene *scene)
{
    return scene->inputs;
}

const char *cg_scene_name(const cg_scene *scene)
{
    return scene->name;
}
