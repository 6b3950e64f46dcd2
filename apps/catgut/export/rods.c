#include "export/rods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/part_picture.h"
#include "support/vector.h"

enum { NAME_BYTES = 160 };
// [radii] Parts whose ends are nearer to each other are one rod.
static const double TOGETHER = 0.2;

typedef struct cg_rod {
    cg_pose_label label; // of its first part
    int parts;
    double radius; // [m] of the thickest of them
    char name[NAME_BYTES];
} cg_rod;

static bool is_of(const cg_pose_label *a, const cg_pose_label *b)
{
    return a->place == b->place && a->tool == b->tool;
}

double cg_pose_rod_radius(const cg_rigid_part *part)
{
    const cg_shape *shape = &part->shape;
    return shape->kind == CG_SHAPE_BOX ? fmin(shape->half_extents.x, shape->half_extents.y) : shape->radius;
}

int cg_pose_rod_parts(const cg_pose *pose, int first)
{
    int count = 1;
    for (; first + count < pose->part_count; count++) {
        cg_vec3 last[2], next[2];
        const cg_rigid_part *parts = &pose->parts[first + count - 1];
        cg_part_axis(&parts[0], last);
        cg_part_axis(&parts[1], next);
        if (!is_of(&pose->labels[first], &pose->labels[first + count]) ||
            vec_distance(last[1], next[0]) > TOGETHER * cg_pose_rod_radius(&parts[0])) {
            break;
        }
    }
    return count;
}

static int find_rod(const cg_rod_poses *rods, const cg_pose_label *label)
{
    for (int i = 0; i < rods->count; i++) {
        if (is_of(&rods->rods[i].label, label) && rods->rods[i].label.number == label->number) {
            return i;
        }
    }
    return -1;
}

static void name_rod(cg_rod *rod)
{
    const cg_pose_label *label = &rod->label;
    if (label->tool != NULL) {
        snprintf(rod->name, sizeof rod->name, "%s %s %d", label->owner, label->tool, label->number + 1);
    } else if (label->number == 0) {
        snprintf(rod->name, sizeof rod->name, "%s", label->owner);
    } else {
        snprintf(rod->name, sizeof rod->name, "%s %d", label->owner, label->number + 1);
    }
}

static bool add_rod(cg_rod_poses *rods, const cg_pose *pose, int first, int parts)
{
    if (rods->count == rods->room) {
        int room = 2 * rods->room + 16;
        cg_rod *larger = realloc(rods->rods, (size_t)room * sizeof *larger);
        if (!larger) {
            return false;
        }
        rods->rods = larger;
        rods->room = room;
    }
    cg_rod *rod = &rods->rods[rods->count++];
    *rod = (cg_rod){.label = pose->labels[first], .parts = parts};
    for (int i = first; i < first + parts; i++) {
        rod->radius = fmax(rod->radius, cg_pose_rod_radius(&pose->parts[i]));
    }
    name_rod(rod);
    return true;
}

static bool note_rods(cg_rod_poses *rods, const cg_pose *pose)
{
    for (int first = 0, parts; first < pose->part_count; first += parts) {
        int known = find_rod(rods, &pose->labels[first]);
        parts = known >= 0 ? rods->rods[known].parts : cg_pose_rod_parts(pose, first);
        if (known < 0 && !add_rod(rods, pose, first, parts)) {
            return false;
        }
    }
    return true;
}

// Points of the rod of this number; none when it is not there now.
static int put_rod(const cg_rod *rod, const cg_pose *pose, cg_vec3 *points)
{
    int first = 0;
    while (first < pose->part_count &&
           (!is_of(&pose->labels[first], &rod->label) || pose->labels[first].number != rod->label.number)) {
        first++;
    }
    if (first + rod->parts > pose->part_count) {
        return 0;
    }
    for (int i = 0; i < rod->parts; i++) {
        cg_part_axis(&pose->parts[first + i], points + i); // its end is the start of the next
    }
    return rod->parts + 1;
}

static bool fetch(void *context, size_t index, cg_pose *pose, FILE *err)
{
    cg_rod_poses *rods = context;
    if (!rods->all.fetch(rods->all.context, index, pose, err)) {
        return false;
    }
    int threads = pose->thread_count, first = threads > 0 ? pose->starts[0] : 0;
    size_t points = threads > 0 ? (size_t)(pose->starts[threads] - first) : 0, more = 0;
    for (int i = 0; i < rods->count; i++) {
        more += (size_t)rods->rods[i].parts + 1;
    }
    if (points + more > rods->point_room) {
        cg_vec3 *larger = realloc(rods->points, (points + more) * sizeof *larger);
        if (!larger) {
            fputs("catgut export: no memory left for bodies and tools\n", err);
            return false;
        }
        rods->points = larger;
        rods->point_room = points + more;
    }
    if (points > 0) {
        memcpy(rods->points, pose->points + first, points * sizeof *rods->points);
    }
    for (int i = 0; i <= rods->all.thread_count; i++) {
        rods->starts[i] = threads > 0 ? pose->starts[i < threads ? i : threads] - first : 0;
    }
    for (int i = 0; i < rods->count; i++) {
        int *start = &rods->starts[rods->all.thread_count + i];
        start[1] = start[0] + put_rod(&rods->rods[i], pose, rods->points + start[0]);
    }
    pose->thread_count = rods->all.thread_count + rods->count;
    pose->starts = rods->starts;
    pose->points = rods->points;
    return true;
}

// Of a thread; rods have nothing to measure.
static void measure(void *context, int thread, cg_pose_measure *measures, int count)
{
    cg_rod_poses *rods = context;
    if (thread < rods->all.thread_count) {
        rods->all.measure(rods->all.context, thread, measures, count);
    }
}

static bool forces(void *context, cg_vec3 *on_points, cg_vec3 *on_nodes)
{
    cg_rod_poses *rods = context;
    return rods->all.forces(rods->all.context, on_points, on_nodes);
}

bool cg_poses_with_rods(cg_rod_poses *rods, const cg_poses *looked, const cg_poses *all, cg_poses *poses, FILE *err)
{
    *rods = (cg_rod_poses){.all = *all};
    bool good = true;
    for (size_t i = 0; i < looked->count && good; i++) {
        cg_pose pose;
        if (!looked->fetch(looked->context, i, &pose, err)) {
            return false;
        }
        good = note_rods(rods, &pose);
    }
    size_t count = (size_t)(all->thread_count + rods->count);
    rods->threads = calloc(count + 1, sizeof *rods->threads);
    rods->starts = calloc(count + 1, sizeof *rods->starts);
    if (!good || !rods->threads || !rods->starts) {
        fputs("catgut export: no memory left for bodies and tools\n", err);
        return false;
    }
    for (int i = 0; i < all->thread_count; i++) {
        rods->threads[i] = all->threads[i];
    }
    for (int i = 0; i < rods->count; i++) {
        rods->threads[all->thread_count + i] =
            (cg_pose_thread){.name = rods->rods[i].name,
                             .kind = rods->rods[i].label.tool != NULL ? "tool" : "body",
                             .radius = rods->rods[i].radius,
                             .is_rod = true};
    }
    *poses = *all;
    if (rods->count > 0) {
        poses->thread_count = (int)count;
        poses->threads = rods->threads;
        poses->fetch = fetch;
        poses->measure = all->measure ? measure : NULL;
        poses->forces = all->forces ? forces : NULL;
        poses->context = rods;
    }
    return true;
}

void cg_rod_poses_free(cg_rod_poses *rods)
{
    free(rods->rods);
    free(rods->threads);
    free(rods->starts);
    free(rods->points);
    *rods = (cg_rod_poses){0};
}
