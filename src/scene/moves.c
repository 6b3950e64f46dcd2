// Moves: things that stand elsewhere than where a text puts them. They are made once all is read, before anything that
// depends on where things are (stitches, adhesions) is built.
#include <string.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "scene/reader.h"

// A turn about z through `about`, then a shift.
static cg_transform pose_of(const cg_move_spec *spec)
{
    cg_quat turn = quat_from_axis_angle(v3(0, 0, 1), spec->turn);
    return (cg_transform){v3_add(v3_sub(spec->about, quat_rotate(turn, spec->about)), spec->shift), turn};
}

static bool move_thread(cg_scene_reader *reader, cg_scene_thread *thread, cg_transform pose)
{
    cg_thread_def *def = &thread->def;
    cg_vec3 *moved = cg_scene_take(reader, (size_t)def->vertex_count, sizeof *moved);
    if (moved == NULL) {
        return false;
    }
    for (int i = 0; i < def->vertex_count; i++) {
        moved[i] = transform_point(pose, def->positions[i]);
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

// Moves what has this name; false when there is none.
typedef bool (*move_named)(cg_scene_reader *reader, const char *name, cg_transform pose);

static bool move_thread_named(cg_scene_reader *reader, const char *name, cg_transform pose)
{
    cg_scene *scene = reader->scene;
    for (int i = 0; i < scene->thread_count; i++) {
        if (scene->threads[i].part_of == 0 && strcmp(scene->threads[i].name, name) == 0) {
            return move_thread(reader, &scene->threads[i], pose);
        }
    }
    return false;
}

static bool move_shape_named(cg_scene_reader *reader, const char *name, cg_transform pose)
{
    cg_scene *scene = reader->scene;
    for (int i = 0; i < scene->shape_count; i++) {
        if (strcmp(scene->shapes[i].name, name) == 0) {
            scene->shapes[i].def.pose = transform_compose(pose, scene->shapes[i].def.pose);
            return true;
        }
    }
    return false;
}

static bool move_body_named(cg_scene_reader *reader, const char *name, cg_transform pose)
{
    cg_scene *scene = reader->scene;
    for (int i = 0; i < scene->body_count; i++) {
        if (strcmp(scene->bodies[i].name, name) == 0) {
            move_body(&scene->bodies[i].def, pose);
            return true;
        }
    }
    return false;
}

static bool move_hand_named(cg_scene_reader *reader, const char *name, cg_transform pose)
{
    cg_scene *scene = reader->scene;
    for (int i = 0; i < scene->hand_count; i++) {
        if (strcmp(scene->hands[i].name, name) == 0) {
            scene->hands[i].def.pose = transform_compose(pose, scene->hands[i].def.pose);
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
        bool is_text = name->kind == CG_JSON_STRING;
        if (is_text && move(reader, name->as.string, pose)) {
            continue;
        }
        return reader->code != CG_OUT_OF_MEMORY && // which is told already
               cg_error_at_value(reader->error, name, "found %.60s; expected the name of a %s of this scene",
                                 is_text ? name->as.string : cg_json_kind_name(name->kind), what);
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
    cg_transform pose = pose_of(&spec);
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
    return true;
}
