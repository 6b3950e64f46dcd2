// Moves: things that stand elsewhere than where a text puts them. They are made once all is read, before anything that
// depends on where things are (stitches, adhesions) is built.
#include <math.h>
#include <string.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "scene/reader.h"
#include "scene/tables.h"

// Moves add up, so what they make of a place is held to what a text may say of one.
static bool check_place(cg_scene_reader *reader, const cg_json_value *name, cg_vec3 place)
{
    if (fabs(place.x) <= FAR && fabs(place.y) <= FAR && fabs(place.z) <= FAR) {
        return true;
    }
    return cg_error_at_value(reader->error, name,
                             "found %.60s at (%g, %g, %g) m; expected at most %g m along each axis", name->as.string,
                             place.x, place.y, place.z, FAR);
}

// Once, by all of its moves together: a text may name a long thread thousands of times.
static bool move_thread(cg_scene_reader *reader, cg_scene_thread *thread)
{
    cg_transform pose = thread->move;
    cg_thread_def *def = &thread->def;
    cg_vec3 *moved = cg_scene_take(reader, (size_t)def->vertex_count, sizeof *moved);
    if (moved == NULL) {
        return false;
    }
    for (int i = 0; i < def->vertex_count; i++) {
        moved[i] = transform_point(pose, def->positions[i]);
        if (!check_place(reader, thread->moved_by, moved[i])) {
            return false;
        }
    }
    def->positions = moved;
    for (int end = 0; end < 2; end++) {
        def->ends[end].direction = transform_vector(pose, def->ends[end].direction);
    }
    return true;
}

static void move_body(cg_rigid_def *def, cg_transform pose)
{
    def->pose = transform_compose(pose, def->pose);
    def->velocity = transform_vector(pose, def->velocity);
    def->spin = transform_vector(pose, def->spin);
}

// Moves what has this name, and says where it is then (NULL: this is not known yet); false when there is none.
typedef bool (*move_named)(cg_scene *scene, const cg_json_value *name, cg_transform pose, const cg_vec3 **place);

static bool move_thread_named(cg_scene *scene, const cg_json_value *name, cg_transform pose, const cg_vec3 **place)
{
    *place = NULL;
    for (int i = 0; i < scene->thread_count; i++) {
        cg_scene_thread *thread = &scene->threads[i];
        if (thread->part_of == 0 && strcmp(thread->name, name->as.string) == 0) {
            thread->move = thread->moved_by != NULL ? transform_compose(pose, thread->move) : pose;
            thread->moved_by = name;
            return true;
        }
    }
    return false;
}

static bool move_shape_named(cg_scene *scene, const cg_json_value *name, cg_transform pose, const cg_vec3 **place)
{
    for (int i = 0; i < scene->shape_count; i++) {
        if (strcmp(scene->shapes[i].name, name->as.string) == 0) {
            scene->shapes[i].def.pose = transform_compose(pose, scene->shapes[i].def.pose);
            *place = &scene->shapes[i].def.pose.position;
            return true;
        }
    }
    return false;
}

static bool move_body_named(cg_scene *scene, const cg_json_value *name, cg_transform pose, const cg_vec3 **place)
{
    for (int i = 0; i < scene->body_count; i++) {
        if (strcmp(scene->bodies[i].name, name->as.string) == 0) {
            move_body(&scene->bodies[i].def, pose);
            *place = &scene->bodies[i].def.pose.position;
            return true;
        }
    }
    return false;
}

static bool move_hand_named(cg_scene *scene, const cg_json_value *name, cg_transform pose, const cg_vec3 **place)
{
    for (int i = 0; i < scene->hand_count; i++) {
        if (strcmp(scene->hands[i].name, name->as.string) == 0) {
            scene->hands[i].def.pose = transform_compose(pose, scene->hands[i].def.pose);
            *place = &scene->hands[i].def.pose.position;
            return true;
        }
    }
    return false;
}

static bool move_all(cg_scene_reader *reader, const cg_json_value *names, const char *what, move_named move,
                     cg_transform pose)
{
    for (int i = 0; names != NULL && i < names->count; i++) {
        const cg_json_value *name = names->as.items[i];
        const cg_vec3 *place = NULL;
        bool is_text = name->kind == CG_JSON_STRING;
        if (!is_text || !move(reader->scene, name, pose, &place)) {
            return cg_error_at_value(reader->error, name, "found %.60s; expected the name of a %s of this scene",
                                     is_text ? name->as.string : cg_json_kind_name(name->kind), what);
        }
        if (place != NULL && !check_place(reader, name, *place)) {
            return false;
        }
    }
    return true;
}

static bool read_move(cg_scene_reader *reader, const cg_json_value *value)
{
    cg_move_spec spec = cg_move_spec_default();
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_move, value, &spec, &given, reader->error)) {
        return false;
    }
    cg_transform pose = transform_about(spec.about, spec.turn, spec.shift);
    return move_all(reader, spec.threads, "thread", move_thread_named, pose) &&
           move_all(reader, spec.shapes, "shape", move_shape_named, pose) &&
           move_all(reader, spec.bodies, "body", move_body_named, pose) &&
           move_all(reader, spec.hands, "hand", move_hand_named, pose);
}

bool cg_scene_read_moves(cg_scene_reader *reader)
{
    const cg_json_value *list = reader->scene->moves;
    cg_scene_enter_source(reader, 0);
    for (int i = 0; list != NULL && i < list->count; i++) {
        if (!read_move(reader, list->as.items[i])) {
            return false;
        }
    }
    for (int i = 0; i < reader->scene->thread_count; i++) {
        cg_scene_thread *thread = &reader->scene->threads[i];
        if (thread->moved_by != NULL && !move_thread(reader, thread)) {
            return false;
        }
    }
    return true;
}
