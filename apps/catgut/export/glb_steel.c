#include "export/glb_steel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"
#include "export/glb_parts.h"
#include "export/part_picture.h"
#include "export/rods.h"
#include "export/tube_mesh.h"
#include "support/vector.h"

enum { SIDES = 8, KEY_BYTES = 4 + 12 + 16, SCALE_KEYS = 4 };

bool cg_glb_rigid_has(const cg_glb_rigid *rigid, const cg_pose_label *label)
{
    const cg_pose_label *own = &rigid->label;
    return own->place == label->place && own->tool == label->tool &&
           (own->tool == NULL || own->number == label->number);
}

static cg_glb_rigid *find(const cg_glb_rigids *rigids, const cg_pose_label *label)
{
    for (int i = 0; i < rigids->count; i++) {
        if (cg_glb_rigid_has(&rigids->items[i], label)) {
            return &rigids->items[i];
        }
    }
    return NULL;
}

// The parts of a node in a pose, from one on, that lie end to end: how many. Of a tool each is a node.
static int row_of(const cg_glb_rigid *rigid, const cg_pose *pose, int first)
{
    return rigid->label.tool ? 1 : cg_pose_rod_parts(pose, first);
}

// How large the mesh of a node is, which is made of a tube for each row of its parts.
static void measure_mesh(cg_glb_rigid *rigid, const cg_pose *pose)
{
    for (int i = 0; i < pose->part_count;) {
        int row = cg_glb_rigid_has(rigid, &pose->labels[i]) ? row_of(rigid, pose, i) : 0;
        if (row > 0) {
            rigid->vertices += cg_tube_mesh_vertex_count(row + 1, SIDES);
            rigid->indices += cg_tube_mesh_index_count(row + 1, SIDES);
        }
        i += row > 0 ? row : 1;
    }
}

static cg_glb_rigid *add(cg_glb_rigids *rigids, const cg_pose_label *label, size_t pose_count)
{
    if (rigids->count == rigids->room) {
        int room = 2 * rigids->room + 8;
        cg_glb_rigid *more = realloc(rigids->items, (size_t)room * sizeof *more);
        if (!more) {
            return NULL;
        }
        rigids->items = more;
        rigids->room = room;
    }
    cg_glb_rigid *rigid = &rigids->items[rigids->count++];
    *rigid = (cg_glb_rigid){.label = *label};
    if (label->tool) {
        snprintf(rigid->name, sizeof rigid->name, "%s %s %d", label->owner, label->tool, label->number + 1);
    } else {
        snprintf(rigid->name, sizeof rigid->name, "%s", label->owner);
    }
    rigid->there = calloc(pose_count, sizeof *rigid->there);
    rigid->poses = calloc(pose_count, sizeof *rigid->poses);
    return rigid->there && rigid->poses ? rigid : NULL;
}

bool cg_glb_rigids_look(cg_glb_rigids *rigids, const cg_pose *pose, size_t key, size_t pose_count)
{
    rigids->pose_count = pose_count;
    for (int i = 0; i < pose->part_count; i++) {
        cg_glb_rigid *rigid = find(rigids, &pose->labels[i]);
        if (!rigid) {
            rigid = add(rigids, &pose->labels[i], pose_count);
            if (!rigid) {
                return false;
            }
            measure_mesh(rigid, pose);
            rigid->first = key;
        }
        if (!rigid->there[key]) { // the first of its parts
            rigid->there[key] = true;
            rigid->poses[key] = pose->parts[i].pose;
            rigid->poses[key].rotation = quat_normalise(rigid->poses[key].rotation);
        }
    }
    return true;
}

// The pose that stands for one: itself, the last one before it that is there, or the first one behind it.
static size_t stand_in(const cg_glb_rigid *rigid, size_t pose)
{
    size_t at = pose;
    while (at > 0 && !rigid->there[at]) {
        at--;
    }
    while (!rigid->there[at]) {
        at++;
    }
    return at;
}

cg_transform cg_glb_rigid_at(const cg_glb_rigid *rigid, size_t pose)
{
    cg_transform at = rigid->poses[stand_in(rigid, 0)];
    for (size_t k = 1; k <= pose; k++) {
        cg_transform next = rigid->poses[stand_in(rigid, k)];
        if (quat_dot(at.rotation, next.rotation) < 0) {
            cg_quat q = next.rotation;
            next.rotation = quat(-q.x, -q.y, -q.z, -q.w);
        }
        at = next;
    }
    return at;
}

size_t cg_glb_rigids_room(const cg_glb_rigids *rigids, size_t pose_count, double *bytes)
{
    for (int i = 0; i < rigids->count; i++) {
        const cg_glb_rigid *rigid = &rigids->items[i];
        *bytes += 24.0 * (double)rigid->vertices + 4.0 * (double)rigid->indices;
        *bytes += (double)(KEY_BYTES * pose_count) + 16.0 * ((double)pose_count + SCALE_KEYS);
    }
    return 8 * (size_t)rigids->count;
}

// The points of a row of parts in the frame of the node.
static void put_row(const cg_pose *pose, int first, int row, cg_transform frame, cg_vec3 *points)
{
    for (int i = 0; i < row; i++) {
        cg_part_axis(&pose->parts[first + i], points + i); // its end is the start of the next
    }
    for (int i = 0; i <= row; i++) {
        points[i] = quat_rotate_back(frame.rotation, vec_sub(points[i], frame.position));
    }
}

static bool add_mesh(cg_glb_scene *s, cg_glb_rigid *rigid, const cg_pose *pose, size_t key)
{
    float *values = malloc(6 * rigid->vertices * sizeof *values);
    uint32_t *indices = malloc(rigid->indices * sizeof *indices);
    cg_vec3 *points = malloc(((size_t)pose->part_count + 1) * sizeof *points);
    size_t vertex = 0, index = 0;
    bool good = values && indices && points;
    for (int i = 0; good && i < pose->part_count;) {
        int row = cg_glb_rigid_has(rigid, &pose->labels[i]) ? row_of(rigid, pose, i) : 0;
        if (row > 0) {
            cg_vec3 across = {0, 0, 0};
            double radius = 0;
            for (int k = i; k < i + row; k++) {
                radius = fmax(radius, cg_pose_rod_radius(&pose->parts[k]));
            }
            put_row(pose, i, row, rigid->poses[key], points);
            cg_tube_mesh_shape(points, row + 1, SIDES, radius, &across, values + 3 * vertex,
                               values + 3 * (rigid->vertices + vertex));
            cg_tube_mesh_indices(row + 1, SIDES, indices + index);
            size_t count = cg_tube_mesh_index_count(row + 1, SIDES);
            for (size_t k = index; k < index + count; k++) {
                indices[k] += (uint32_t)vertex;
            }
            index += count;
            vertex += cg_tube_mesh_vertex_count(row + 1, SIDES);
        }
        i += row > 0 ? row : 1;
    }
    if (good) {
        rigid->base = s->accessor_count;
        cg_glb_add_floats(s, values, NULL, rigid->vertices, 3, CG_GLB_VERTEX_DATA, true);
        cg_glb_add_floats(s, values + 3 * rigid->vertices, NULL, rigid->vertices, 3, CG_GLB_VERTEX_DATA, false);
        cg_glb_add_indices(s, indices, rigid->indices);
    }
    free(values);
    free(indices);
    free(points);
    return good;
}

bool cg_glb_add_rigids(cg_glb_scene *s, const cg_pose *pose, size_t key)
{
    bool good = true;
    for (int i = 0; i < s->rigids.count && good; i++) {
        good = s->rigids.items[i].first != key || add_mesh(s, &s->rigids.items[i], pose, key);
    }
    return good;
}

// Size 1 where it is there, 0 where it is not; a key at each change. Nothing for one that is there all the time.
static void add_scales(cg_glb_scene *s, cg_glb_rigid *rigid, const float *times, float *values, float *keys)
{
    size_t count = 0;
    for (size_t k = 0; k < s->pose_count; k++) {
        if (k == 0 || rigid->there[k] != rigid->there[k - 1]) {
            keys[count] = times[k];
            values[3 * count] = values[3 * count + 1] = values[3 * count + 2] = rigid->there[k];
            count++;
        }
    }
    if (count > 1 || !rigid->there[0]) {
        rigid->shown_times = s->accessor_count;
        cg_glb_add_floats(s, keys, NULL, count, 1, CG_GLB_NO_TARGET, true);
        cg_glb_add_floats(s, values, NULL, count, 3, CG_GLB_NO_TARGET, false);
    }
}

bool cg_glb_move_rigids(cg_glb_scene *s)
{
    float *times = malloc(6 * s->pose_count * sizeof *times), *values = times ? times + 2 * s->pose_count : NULL;
    size_t shared = 0; // accessor of the times of all
    if (!times) {
        return false;
    }
    cg_glb_fill_times(s, 0, s->pose_count, times);
    for (int i = 0; i < s->rigids.count; i++) {
        cg_glb_rigid *rigid = &s->rigids.items[i];
        if (i == 0) {
            shared = s->accessor_count;
            cg_glb_add_floats(s, times, NULL, s->pose_count, 1, CG_GLB_NO_TARGET, true);
        }
        rigid->times = shared;
        rigid->places = s->accessor_count;
        for (int turns = 0; turns < 2; turns++) {
            for (size_t k = 0; k < s->pose_count; k++) {
                cg_transform at = cg_glb_rigid_at(rigid, k);
                const double numbers[2][4] = {{at.position.x, at.position.y, at.position.z, 0},
                                              {at.rotation.x, at.rotation.y, at.rotation.z, at.rotation.w}};
                for (int c = 0; c < 3 + turns; c++) {
                    values[(size_t)(3 + turns) * k + (size_t)c] = (float)numbers[turns][c];
                }
            }
            cg_glb_add_floats(s, values, NULL, s->pose_count, 3 + turns, CG_GLB_NO_TARGET, false);
        }
        add_scales(s, rigid, times, values, times + s->pose_count);
    }
    free(times);
    return true;
}

void cg_glb_rigids_free(cg_glb_rigids *rigids)
{
    for (int i = 0; i < rigids->count; i++) {
        free(rigids->items[i].there);
        free(rigids->items[i].poses);
    }
    free(rigids->items);
    *rigids = (cg_glb_rigids){0};
}
