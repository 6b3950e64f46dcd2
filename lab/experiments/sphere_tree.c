// Sphere trees as Brown et al. measured theirs (section 3.3): what a dent in a grid of 20,000 triangles costs, and what
// it costs to see whether a ball of 1,024 triangles touches a square of 8,192, from far away to deep inside.
//
// Times vary from machine to machine: they are drawn beside the published ones, and `catgut bench sphere_tree` has
// them. What passes or fails here are counts and answers: each sphere above a deformed triangle is fitted exactly once,
// hits and misses are those of the geometry, and pairs are those of a loop over all triangles.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "experiments/experiment.h"
#include "experiments/surface_rig.h"
#include "geometry/triangle.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_sphere_tree = {
    .name = "sphere_tree",
    .summary = "maintenance and queries of sphere trees over surfaces that deform",
    .source = "Brown et al., section 3.3 and figure 4: 60 us a deformed triangle; 60 ms a query at its worst",
    .run = run,
};

static void add_count(cg_report *report, double expected, double measured, double tolerance, const char *name)
{
    cg_quantity quantity = {
        .published = CG_UNPUBLISHED, .expected = expected, .measured = measured, .tolerance = tolerance, .unit = "1"};
    cg_report_add(report, quantity, "%s", name);
}

// Spheres with a deformed triangle below them: flags of leaves carried up, nothing of the tree's own marks.
static int count_above(const cg_sphere_tree *tree, bool *is_above)
{
    int count = 0;
    for (int node = 2 * tree->slot_count - 1; node > 0; node--) {
        if (node < tree->slot_count) {
            is_above[node] = is_above[2 * node] || is_above[2 * node + 1];
        }
        count += is_above[node];
    }
    return count;
}

// `dents` at a time, a hundred times. Adds up deformed triangles and fitted spheres; returns the spheres too many or
// too few.
static int maintain(cg_surface_rig *grid, int dents, bool *flags, long *triangles, long *spheres)
{
    uint64_t state = 5;
    int wrong = 0;
    cg_surface_rig_reset(grid);
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < dents; k++) {
            double reach = cg_surface_rig_random(&state, 1, 10);
            cg_surface_rig_dent(grid, reach, 1, k > 0, &state);
        }
        for (int k = 0; k < 2 * grid->tree.slot_count; k++) {
            flags[k] = false;
        }
        *triangles += cg_surface_rig_deformed(grid, flags + grid->tree.slot_count);
        int fitted = cg_surface_rig_maintain(grid);
        *spheres += fitted;
        wrong += abs(fitted - count_above(&grid->tree, flags));
    }
    return wrong;
}

static void run_maintenance(cg_report *report)
{
    cg_surface_rig grid;
    bool *flags = NULL;
    if (!cg_surface_rig_grid(&grid, 100, 100) ||
        !(flags = malloc(2 * (size_t)grid.tree.slot_capacity * sizeof *flags))) {
        cg_report_trouble(report, "no memory left");
        cg_surface_rig_free(&grid);
        return;
    }
    long triangles[2] = {0, 0}, spheres[2] = {0, 0};
    int wrong[2];
    for (int i = 0; i < 2; i++) {
        wrong[i] = maintain(&grid, i == 0 ? 1 : 10, flags, &triangles[i], &spheres[i]);
    }
    add_count(report, 0, wrong[0], 0, "dents: spheres fitted twice, for nothing or not at all");
    add_count(report, 0, wrong[1], 0, "scattered dents: the same");
    // When all deform there are so many spheres a triangle; a dent has some more, around its rim and up to the root.
    int filled = 0;
    for (int node = 1; node < 2 * grid.tree.slot_count; node++) {
        filled += grid.tree.used[node] > 0;
    }
    double all = (double)filled / grid.triangle_count;
    add_count(report, all, (double)spheres[0] / (double)triangles[0], 0.2, "dents: spheres fitted a deformed triangle");
    add_count(report, all, (double)spheres[1] / (double)triangles[1], 0.2, "scattered dents: the same");
    free(flags);
    cg_surface_rig_free(&grid);
}

// The ball's centre is at height 1 + separation over the square.
static cg_transform ball_pose(double separation)
{
    return (cg_transform){v3(0.01, 0.02, 1 + separation), quat_identity()};
}

// CPU time of one query, the fastest of some [s].
static double time_query(const cg_surface_rig *square, const cg_surface_rig *ball, double separation)
{
    double fastest = INFINITY;
    cg_transform pose = ball_pose(separation);
    for (int i = 0; i < 7; i++) {
        cg_triangle_pair hit;
        double begin = cg_thread_cpu_seconds();
        cg_sphere_tree_find_hit(&square->tree, &ball->tree, &pose, &hit, NULL);
        fastest = fmin(fastest, cg_thread_cpu_seconds() - begin);
    }
    return fastest;
}

// Heights of the square under the ball may differ once it is dented: then there is no closed answer, and only the cost
// is looked at.
static long pass_through(const cg_surface_rig *square, const cg_surface_rig *ball, cg_plot *plot, cg_hue hue,
                         const char *label, int *wrong)
{
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, hue, label);
    long most = 0;
    for (int i = 0; i <= 160; i++) {
        // From 64 away to 1 inside, most of them near the surface.
        double x = 1 - i / 80.0, separation = x > 0 ? 64 * x * x * x * x : x;
        cg_transform pose = ball_pose(separation);
        cg_triangle_pair hit;
        long compared;
        bool is_hit = cg_sphere_tree_find_hit(&square->tree, &ball->tree, &pose, &hit, &compared);
        most = compared > most ? compared : most;
        // The lowest node of the ball is its pole, at height `separation`.
        *wrong += is_hit != (pose.position.z - 1 <= 0);
        if (separation < 3) {
            cg_plot_add_point(plot, series, separation, 1e3 * time_query(square, ball, separation));
        }
    }
    return most;
}

static void run_queries(cg_report *report)
{
    cg_surface_rig square, ball = {0};
    if (!cg_surface_rig_grid(&square, 64, 8) || !cg_surface_rig_ball(&ball, 17, 32, 1)) {
        cg_report_trouble(report, "no memory left");
    } else {
        int number =
            cg_report_add_plot(report, "A ball through a square", "separation [units]", "time of a query [ms]");
        cg_plot *plot = &report->plots[number];
        plot->log_y = true;
        snprintf(plot->subtitle, sizeof plot->subtitle,
                 "1,024 and 8,192 triangles; first hit or none; CPU time, fastest of seven");
        int wrong = 0, unknown = 0;
        long most = pass_through(&square, &ball, plot, CG_BLUE, "measured", &wrong);
        uint64_t state = 11;
        for (int i = 0; i < 40; i++) {
            cg_surface_rig_dent(&square, 1, 0.1, i > 0, &state);
        }
        cg_surface_rig_maintain(&square);
        long most_dented = pass_through(&square, &ball, plot, CG_ORANGE, "measured, square with 40 dents", &unknown);
        int published = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_INK, "published, worst (400 MHz Pentium II)");
        cg_plot_add_point(plot, published, -1, 60);
        cg_plot_add_point(plot, published, 3, 60);
        double all = (double)square.triangle_count * ball.triangle_count;
        add_count(report, 0, wrong, 0, "ball through square: wrong answers of 161");
        add_count(report, 0, (double)most / all, 0.005, "most pairs of spheres compared, of all pairs");
        add_count(report, 0, (double)most_dented / all, 0.01, "the same, square with 40 dents");
    }
    cg_surface_rig_free(&square);
    cg_surface_rig_free(&ball);
}

// One case: two dented grids through each other, the pairs of the tree and those of a loop. Returns how many differ.
static int differing_pairs(cg_surface_rig *a, cg_surface_rig *b, cg_triangle_list *found, uint64_t *state)
{
    for (int i = 0; i < 4; i++) {
        cg_surface_rig_dent(i % 2 ? a : b, cg_surface_rig_random(state, 1, 4), 0.5, i > 1, state);
    }
    cg_surface_rig_maintain(a);
    cg_surface_rig_maintain(b);
    double tilt = cg_surface_rig_random(state, -1, 1), height = cg_surface_rig_random(state, -1, 1);
    cg_transform pose = {v3(0, 0, height), quat_normalise(quat(tilt, 0.3 * tilt, 0, 1))};
    const double margin = 0.05;
    cg_sphere_tree_find_pairs(&a->tree, &b->tree, &pose, margin, found);
    int next = 0, wrong = found->lost;
    for (int i = 0; i < a->triangle_count; i++) {
        for (int k = 0; k < b->triangle_count; k++) {
            cg_vec3 p[3], q[3];
            tree_triangle(&a->tree, i, p);
            tree_triangle(&b->tree, k, q);
            for (int c = 0; c < 3; c++) {
                q[c] = transform_point(pose, q[c]);
            }
            bool is_near = sqrt(cg_closest_triangles(p, q).squared_distance) <= margin;
            bool is_found = next < found->count && found->items[next].a == i && found->items[next].b == k;
            next += is_found;
            wrong += is_near != is_found;
        }
    }
    return wrong + (found->count - next);
}

static void run_comparison(cg_report *report)
{
    enum { FOUND = 20000 };
    cg_surface_rig a, b = {0};
    cg_triangle_list found = {.capacity = FOUND, .items = malloc(FOUND * sizeof *found.items)};
    if (!cg_surface_rig_grid(&a, 10, 10) || !cg_surface_rig_grid(&b, 8, 8) || !found.items) {
        cg_report_trouble(report, "no memory left");
    } else {
        uint64_t state = 17;
        int cases = report->thorough ? 2000 : 40, wrong = 0;
        long total = 0;
        for (int i = 0; i < cases; i++) {
            wrong += differing_pairs(&a, &b, &found, &state);
            total += found.count;
        }
        add_count(report, 0, wrong, 0, "pairs unlike those of a loop over all triangles");
        add_count(report, 1, total > cases, 0, "there were pairs to find");
    }
    free(found.items);
    cg_surface_rig_free(&a);
    cg_surface_rig_free(&b);
}

static void run(cg_report *report)
{
    run_maintenance(report);
    run_queries(report);
    run_comparison(report);
}
