// Threads whose number of vertices changes, as meshes whose number of points does not.
#define _POSIX_C_SOURCE 200809L

#include "export/resample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/formats.h"
#include "glb_check.h"
#include "harness.h"

enum { MOST = 200 };

// Points on a half circle of radius 1: every `coarse`, but every `fine` between two shares of the length.
static int half_circle(cg_vec3 *points, double coarse, double fine, double from, double to)
{
    int count = 0;
    for (double share = 0; share < 1 - 1e-9; share += share >= from - 1e-9 && share < to - 1e-9 ? fine : coarse) {
        points[count++] = (cg_vec3){cos(3.14159265358979 * share), sin(3.14159265358979 * share), 0};
    }
    points[count++] = (cg_vec3){-1, 0, 0};
    return count;
}

TEST(places_are_as_dense_as_the_densest_pose)
{
    static cg_resample resample;
    static cg_vec3 first[MOST], second[MOST], out[2 * MOST];
    int count_a = half_circle(first, 0.05, 0.01, 0.2, 0.4), count_b = half_circle(second, 0.05, 0.01, 0.6, 0.7);
    cg_resample_look(&resample, first, count_a);
    cg_resample_look(&resample, second, count_b);
    CHECK(cg_resample_end(&resample));
    if (!CHECK(resample.shares != NULL && resample.count < 2 * MOST)) {
        return;
    }
    // 0.7 of the length at 1/20, 0.3 of it at 1/100, and the one more at the end; borders of the parts count twice.
    CHECK(resample.count >= 45 && resample.count <= 55);
    CHECK(resample.shares[0] == 0 && resample.shares[resample.count - 1] == 1);
    for (int k = 1; k < resample.count; k++) {
        double middle = 0.5 * (resample.shares[k] + resample.shares[k - 1]);
        double apart = resample.shares[k] - resample.shares[k - 1];
        bool is_fine = (middle > 0.21 && middle < 0.39) || (middle > 0.61 && middle < 0.69);
        CHECK(apart > 0 && apart < (is_fine ? 0.0105 : 0.0525));
    }
    cg_resample_points(&resample, first, count_a, out);
    for (int k = 0; k < resample.count; k++) {
        // On the chords of the circle, at the place that the share says.
        double radius = hypot(out[k].x, out[k].y), angle = atan2(out[k].y, out[k].x) / 3.14159265358979;
        CHECK(radius <= 1 + 1e-12 && radius > cos(0.5 * 0.05 * 3.2));
        CHECK_NEAR(angle, resample.shares[k], 0.003);
    }
    CHECK(out[0].x == 1 && out[resample.count - 1].x == -1);
    free(resample.shares);
}

TEST(the_same_number_in_all_poses_needs_no_places)
{
    static cg_resample resample;
    static cg_vec3 points[MOST];
    int count = half_circle(points, 0.05, 0.05, 0, 1);
    cg_resample_look(&resample, points, count);
    cg_resample_look(&resample, points, count);
    CHECK(cg_resample_end(&resample) && resample.shares == NULL);
}

// A row of poses whose vertices change, one of them without length.
typedef struct pose_row {
    cg_vec3 points[4][MOST];
    int starts[4][2];
} pose_row;

static bool fetch(void *context, size_t index, cg_pose *pose, FILE *err)
{
    pose_row *row = context;
    (void)err;
    *pose = (cg_pose){.step = index,
                      .time = 0.1 * (double)index,
                      .thread_count = 1,
                      .starts = row->starts[index],
                      .points = row->points[index]};
    return true;
}

TEST(glb_takes_a_thread_whose_vertices_come_and_go)
{
    static pose_row row;
    row.starts[0][1] = half_circle(row.points[0], 0.1, 0.1, 0, 1);
    row.starts[1][1] = half_circle(row.points[1], 0.1, 0.02, 0.3, 0.5);
    row.starts[2][1] = 3; // all three at the origin
    row.starts[3][1] = half_circle(row.points[3], 0.1, 0.02, 0.5, 0.7);
    cg_pose_thread thread = {.name = "soft", .radius = 0.01};
    cg_poses poses = {.count = 4, .thread_count = 1, .threads = &thread, .fetch = fetch, .context = &row};
    cg_glb_look look = {.max_poses = 32, .sides = 6, .thicker = 1};
    char *written = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&written, &size);
    CHECK(out != NULL && cg_export_glb(&poses, &look, out, stderr));
    fclose(out);
    glb_file file;
    CHECK(glb_check(&file, (const unsigned char *)written, size));
    CHECK_STR(file.fault, "");
    const char *mesh = json_item(json_member(file.json, "meshes"), 0);
    CHECK_INT(glb_length(json_member(json_item(json_member(mesh, "primitives"), 0), "targets")), 3);
    free(file.json);
    free(written);
}
