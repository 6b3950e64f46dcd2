// Stitches and adhesions of a scene: threads and tissues by name, points as they are given.
#include <math.h>
#include <string.h>

#include "catgut/suture.h"
#include "scene/reader.h"
#include "scene/units.h"

static bool read_points(cg_scene_reader *reader, const cg_json_value *list, cg_stitch_def *def)
{
    cg_vec3 *points = cg_scene_take(reader, (size_t)list->count, sizeof *points);
    bool fine = points != NULL;
    for (int i = 0; fine && i < list->count; i++) {
        const cg_json_value *item = list->as.items[i];
        fine = cg_json_vector(item, "m", &points[i], reader->error);
        if (fine && !(fabs(points[i].x) <= 1e5 && fabs(points[i].y) <= 1e5 && fabs(points[i].z) <= 1e5)) {
            return cg_error_at_value(reader->error, item, "found a point more than 1e5 m away; expected a nearer one");
        }
    }
    def->points = points;
    def->point_count = list->count;
    return fine;
}

static bool find_thread(const cg_scene *scene, const char *name, int *number)
{
    for (*number = 0; *number < scene->thread_count; ++*number) {
        if (strcmp(scene->threads[*number].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool find_tissue(const cg_scene *scene, const char *name, int *number)
{
    for (*number = 0; *number < scene->tissue_count; ++*number) {
        if (strcmp(scene->tissues[*number].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// What joins the two, by their names.
typedef struct named_pair {
    const char *thread, *tissue;
} named_pair;

static bool find_both(cg_scene_reader *reader, const cg_json_value *value, named_pair names, int *thread, int *tissue)
{
    if (!find_thread(reader->scene, names.thread, thread)) {
        return cg_error_at_value(reader->error, cg_json_find(value, "thread"),
                                 "found \"%s\"; expected the name of a thread before", names.thread);
    }
    if (!find_tissue(reader->scene, names.tissue, tissue)) {
        return cg_error_at_value(reader->error, cg_json_find(value, "tissue"),
                                 "found \"%s\"; expected the name of a tissue before", names.tissue);
    }
    return true;
}

bool cg_scene_read_stitch(cg_scene_reader *reader, const cg_json_value *value)
{
    cg_scene *scene = reader->scene;
    cg_stitch_spec spec = cg_stitch_spec_default();
    uint64_t given;
    if (scene->stitch_count == CG_SCENE_STITCHES) {
        return cg_error_at_value(reader->error, value, "found one stitch more; expected at most %d in a scene",
                                 CG_SCENE_STITCHES);
    }
    cg_scene_stitch *stitch = &scene->stitches[scene->stitch_count];
    stitch->def = cg_stitch_def_default();
    if (!cg_scene_read_fields(&cg_type_stitch, value, &spec, &given, reader->error) ||
        !read_points(reader, spec.points, &stitch->def)) {
        return false;
    }
    if (!find_both(reader, value, (named_pair){spec.thread, spec.tissue}, &stitch->thread, &stitch->tissue)) {
        return false;
    }
    stitch->place = cg_scene_place_of(reader, value);
    stitch->def.friction = spec.friction;
    stitch->def.grip = spec.grip;
    scene->stitch_count++;
    return true;
}

bool cg_scene_read_adhesion(cg_scene_reader *reader, const cg_json_value *value)
{
    cg_scene *scene = reader->scene;
    cg_adhesion_spec spec = cg_adhesion_spec_default();
    uint64_t given;
    if (scene->adhesion_count == CG_SCENE_ADHESIONS) {
        return cg_error_at_value(reader->error, value, "found one adhesion more; expected at most %d in a scene",
                                 CG_SCENE_ADHESIONS);
    }
    cg_scene_adhesion *adhesion = &scene->adhesions[scene->adhesion_count];
    if (!cg_scene_read_fields(&cg_type_adhesion, value, &spec, &given, reader->error) ||
        !find_both(reader, value, (named_pair){spec.thread, spec.tissue}, &adhesion->thread, &adhesion->tissue)) {
        return false;
    }
    adhesion->place = cg_scene_place_of(reader, value);
    adhesion->def = spec.def;
    scene->adhesion_count++;
    return true;
}
