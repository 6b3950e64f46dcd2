#include "export/poses.h"

#include <math.h>
#include <stdlib.h>

int cg_pose_vertex_count(const cg_pose *pose, int thread)
{
    return thread < pose->thread_count ? pose->starts[thread + 1] - pose->starts[thread] : 0;
}

const cg_vec3 *cg_pose_points(const cg_pose *pose, int thread)
{
    return cg_pose_vertex_count(pose, thread) > 0 ? pose->points + pose->starts[thread] : NULL;
}

const char *cg_pose_kind(const cg_pose_thread *thread)
{
    return thread->kind ? thread->kind : "thread";
}

void cg_pose_measures(const cg_poses *poses, const cg_pose *pose, int thread, cg_pose_measure *measures)
{
    int count = cg_pose_vertex_count(pose, thread);
    for (int i = 0; i < count; i++) {
        measures[i] = (cg_pose_measure){NAN, NAN, NAN};
    }
    if (poses->measure && count > 0) {
        poses->measure(poses->context, thread, measures, count);
    }
}

const cg_vec3 *cg_pose_nodes(const cg_pose *pose, int tissue)
{
    bool there = tissue < pose->tissue_count && pose->node_starts[tissue + 1] > pose->node_starts[tissue];
    return there ? pose->nodes + pose->node_starts[tissue] : NULL;
}

size_t cg_pose_spaced(size_t place, size_t wanted, size_t count)
{
    if (wanted >= count) {
        return place;
    }
    return wanted < 2 ? 0 : (place * (count - 1) + (wanted - 1) / 2) / (wanted - 1);
}

static bool fetch_chosen(void *context, size_t index, cg_pose *pose, FILE *err)
{
    cg_pose_choice *choice = context;
    size_t place = choice->moment_count > 0 ? choice->moments[index] : index * choice->every;
    if (!choice->all.fetch(choice->all.context, place, pose, err)) {
        return false;
    }
    if (choice->thread >= 0) {
        int count = cg_pose_vertex_count(pose, choice->thread);
        pose->points = cg_pose_points(pose, choice->thread);
        choice->starts[0] = 0;
        choice->starts[1] = count;
        pose->starts = choice->starts;
        pose->thread_count = 1;
        pose->tissue_count = 0;
        pose->part_count = pose->hand_count = 0;
    }
    return true;
}

bool cg_pose_choice_add(cg_pose_choice *choice, double time, FILE *err)
{
    const cg_poses *all = &choice->all;
    cg_pose pose = {0};
    size_t low = 0, high = all->count; // the first that is not before the time
    double before = -INFINITY, after = INFINITY;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (!all->fetch(all->context, middle, &pose, err)) {
            return false;
        }
        if (pose.time < time) {
            low = middle + 1;
            before = pose.time;
        } else {
            high = middle;
            after = pose.time;
        }
    }
    bool is_before = low > 0 && time - before < after - time;
    size_t found = is_before ? low - 1 : low, place = choice->moment_count++;
    for (; place > 0 && choice->moments[place - 1] > found; place--) { // a run is repeated forward
        choice->moments[place] = choice->moments[place - 1];
    }
    choice->moments[place] = found;
    return true;
}

static bool forces_chosen(void *context, cg_vec3 *on_points, cg_vec3 *on_nodes)
{
    cg_pose_choice *choice = context;
    return choice->all.forces(choice->all.context, on_points, on_nodes);
}

static void measure_chosen(void *context, int thread, cg_pose_measure *measures, int count)
{
    cg_pose_choice *choice = context;
    choice->all.measure(choice->all.context, choice->thread >= 0 ? choice->thread : thread, measures, count);
}

cg_poses cg_poses_choose(cg_pose_choice *choice)
{
    bool one = choice->thread >= 0;
    size_t count = (choice->all.count + choice->every - 1) / choice->every;
    return (cg_poses){.count = choice->moment_count > 0 ? choice->moment_count : count,
                      .thread_count = one ? 1 : choice->all.thread_count,
                      .threads = choice->all.threads + (one ? choice->thread : 0),
                      .tissue_count = one ? 0 : choice->all.tissue_count,
                      .tissues = choice->all.tissues,
                      .fetch = fetch_chosen,
                      .forces = !one && choice->all.forces ? forces_chosen : NULL,
                      .measure = choice->all.measure ? measure_chosen : NULL,
                      .context = choice,
                      .origin = choice->all.origin};
}

static bool fetch_polylines(void *context, size_t index, cg_pose *pose, FILE *err)
{
    (void)index;
    (void)err;
    const cg_polyline_poses *source = context;
    *pose = (cg_pose){.thread_count = source->polylines->thread_count,
                      .starts = source->polylines->starts,
                      .points = source->polylines->points};
    return true;
}

bool cg_poses_of_polylines(cg_polyline_poses *source, const cg_polylines *polylines, double radius, cg_poses *poses)
{
    size_t count = (size_t)polylines->thread_count;
    *source = (cg_polyline_poses){.polylines = polylines};
    source->threads = calloc(count, sizeof *source->threads);
    source->names = calloc(count, sizeof *source->names);
    if (!source->threads || !source->names) {
        cg_polyline_poses_free(source);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        snprintf(source->names[i], sizeof source->names[i], "thread_%zu", i + 1);
        source->threads[i] = (cg_pose_thread){.name = source->names[i], .radius = radius};
    }
    *poses = (cg_poses){.count = 1,
                        .thread_count = polylines->thread_count,
                        .threads = source->threads,
                        .fetch = fetch_polylines,
                        .context = source};
    return true;
}

void cg_polyline_poses_free(cg_polyline_poses *source)
{
    free(source->threads);
    free(source->names);
    *source = (cg_polyline_poses){0};
}
