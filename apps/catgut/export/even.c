#include "export/even.h"

#include <math.h>
#include <stdlib.h>

#include "support/vector.h"

// Arc lengths to go by: at rest, or where these are not known of the thread as it lies.
static void take_arcs(const cg_vec3 *points, int count, cg_pose_measure *measures, double *arcs)
{
    bool known = true;
    for (int i = 0; i < count; i++) {
        known = known && isfinite(measures[i].arc);
    }
    for (int i = 0; i < count; i++) {
        arcs[i] = known ? measures[i].arc : i > 0 ? arcs[i - 1] + vec_distance(points[i - 1], points[i]) : 0;
    }
}

static double between(double a, double b, double share)
{
    return a + share * (b - a);
}

static void spread(const cg_even_poses *even, const cg_vec3 *points, const cg_pose_measure *measures,
                   const double *arcs, int count, int first)
{
    int segment = 0;
    for (int k = 0; k < even->points; k++) {
        double at = arcs[0] + (arcs[count - 1] - arcs[0]) * k / (even->points - 1);
        while (segment + 2 < count && at > arcs[segment + 1]) {
            segment++;
        }
        const cg_pose_measure *a = &measures[segment], *b = a + 1;
        double length = arcs[segment + 1] - arcs[segment];
        double share = length > 0 ? fmin(fmax((at - arcs[segment]) / length, 0), 1) : 0;
        even->places[first + k] =
            vec_add(points[segment], vec_scale(share, vec_sub(points[segment + 1], points[segment])));
        even->measures[first + k] =
            (cg_pose_measure){between(a->arc, b->arc, share), between(a->strain, b->strain, share),
                              between(a->tension, b->tension, share)};
    }
}

static bool spread_thread(const cg_even_poses *even, const cg_pose *pose, int thread, int first)
{
    int count = cg_pose_vertex_count(pose, thread);
    cg_pose_measure *measures = calloc((size_t)count, sizeof *measures);
    double *arcs = calloc((size_t)count, sizeof *arcs);
    if (measures && arcs) {
        cg_pose_measures(&even->all, pose, thread, measures);
        take_arcs(cg_pose_points(pose, thread), count, measures, arcs);
        spread(even, cg_pose_points(pose, thread), measures, arcs, count, first);
    }
    bool good = measures && arcs;
    free(measures);
    free(arcs);
    return good;
}

static bool fetch(void *context, size_t index, cg_pose *pose, FILE *err)
{
    cg_even_poses *even = context;
    size_t threads = (size_t)even->all.thread_count, room = threads * (size_t)even->points + 1;
    if (!even->starts) {
        even->starts = calloc(threads + 1, sizeof *even->starts);
        even->places = calloc(room, sizeof *even->places);
        even->measures = calloc(room, sizeof *even->measures);
    }
    if (!even->all.fetch(even->all.context, index, pose, err)) {
        return false;
    }
    bool good = even->starts && even->places && even->measures;
    int first = 0;
    for (int thread = 0; thread < pose->thread_count && good; thread++) {
        even->starts[thread] = first;
        if (cg_pose_vertex_count(pose, thread) > 1) {
            good = spread_thread(even, pose, thread, first);
            first += even->points;
        }
    }
    if (!good) {
        fputs("catgut export: no memory left for the points of threads\n", err);
        return false;
    }
    even->starts[pose->thread_count] = first;
    pose->starts = even->starts;
    pose->points = even->places;
    return true;
}

static void measure(void *context, int thread, cg_pose_measure *measures, int count)
{
    const cg_even_poses *even = context;
    for (int i = 0; i < count; i++) {
        measures[i] = even->measures[even->starts[thread] + i];
    }
}

cg_poses cg_poses_even(cg_even_poses *even, const cg_poses *all, int points)
{
    *even = (cg_even_poses){.all = *all, .points = points};
    cg_poses poses = *all;
    poses.fetch = fetch;
    poses.measure = measure;
    poses.forces = NULL; // they are those of vertices
    poses.context = even;
    return poses;
}

void cg_even_poses_free(cg_even_poses *even)
{
    free(even->starts);
    free(even->places);
    free(even->measures);
    *even = (cg_even_poses){0};
}
