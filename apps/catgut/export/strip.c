// Shapes as a picture: one pose fills it, several are panels of a strip, in rows, all seen from the same place at the
// same scale.
#include "export/formats.h"
#include "export/part_picture.h"
#include "support/vector.h"

static const double THINNEST = 1.3; // [px] radius that still shows which thread lies above

cg_rgb cg_export_colour(int thread)
{
    static const cg_rgb colours[] = {
        {0.16, 0.45, 0.72}, {0.85, 0.42, 0.12}, {0.10, 0.60, 0.46}, {0.70, 0.35, 0.58}, {0.78, 0.58, 0.10}};
    return colours[thread % (int)(sizeof colours / sizeof colours[0])];
}

cg_rgb cg_export_skin(int side)
{
    // top, bottom, rim, groove, outer, inner: as cg_tissue_side_name
    static const cg_rgb colours[] = {{0.87, 0.68, 0.57}, {0.90, 0.78, 0.52}, {0.91, 0.76, 0.55},
                                     {0.74, 0.34, 0.31}, {0.82, 0.50, 0.45}, {0.66, 0.25, 0.24}};
    return colours[side >= 0 && side < 6 ? side : 0];
}

// How the panels lie.
typedef struct layout {
    size_t count, columns, rows;
    double panel_width, panel_height; // [px]
    double margin, foot;              // [px] around the threads in a panel; below all panels
} layout;

static layout lay_out(size_t count)
{
    if (count < 2) {
        return (layout){
            .count = 1, .columns = 1, .rows = 1, .panel_width = 960, .panel_height = 584, .margin = 56, .foot = 56};
    }
    // As many columns as leave the fewest places empty, few rather than many.
    size_t columns = count < 3 ? count : 3, empty = (columns - count % columns) % columns;
    for (size_t more = columns + 1; more <= 6; more++) {
        size_t left = (more - count % more) % more;
        if (left < empty) {
            columns = more;
            empty = left;
        }
    }
    double width = columns < 4 ? 400 : 1200 / (double)columns;
    return (layout){.count = count,
                    .columns = columns,
                    .rows = (count + columns - 1) / columns,
                    .panel_width = width,
                    .panel_height = 0.9 * width,
                    .margin = 26,
                    .foot = 52};
}

// Two opposite corners of the box around the points seen so far, in the axes of the picture.
typedef struct extent {
    cg_vec3 low, high;
    bool any;
} extent;

static void extend_by_points(extent *e, const cg_tube_camera *camera, const cg_vec3 *points, int count)
{
    for (int i = 0; i < count; i++) {
        cg_vec3 seen = {vec_dot(camera->right, points[i]), vec_dot(camera->up, points[i]), 0};
        if (!e->any) {
            e->low = e->high = seen;
            e->any = true;
        }
        e->low = (cg_vec3){fmin(e->low.x, seen.x), fmin(e->low.y, seen.y), 0};
        e->high = (cg_vec3){fmax(e->high.x, seen.x), fmax(e->high.y, seen.y), 0};
    }
}

// Tissue alone, where there is some and not everything is wanted: threads and tools end far away.
static void extend(extent *e, const cg_tube_camera *camera, const cg_poses *poses, const cg_pose *pose, bool all)
{
    bool wide = all || pose->tissue_count == 0;
    for (int thread = 0; wide && thread < pose->thread_count; thread++) {
        extend_by_points(e, camera, cg_pose_points(pose, thread), cg_pose_vertex_count(pose, thread));
    }
    for (int part = 0; all && part < pose->part_count; part++) {
        cg_vec3 ends[2];
        cg_part_axis(&pose->parts[part], ends);
        extend_by_points(e, camera, ends, 2);
    }
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        const cg_vec3 *nodes = cg_pose_nodes(pose, tissue);
        extend_by_points(e, camera, nodes, nodes ? poses->tissues[tissue].node_count : 0);
    }
}

// A camera that shows the extent in the first panel.
static void fit(cg_tube_camera *camera, const extent *e, const layout *l)
{
    // The corners of the box, put back into the world: fitting them is fitting everything.
    cg_vec3 corners[2], r = camera->right, u = camera->up;
    for (int i = 0; i < 2; i++) {
        cg_vec3 c = i ? e->high : e->low;
        corners[i] = vec_add(vec_scale(c.x, r), vec_scale(c.y, u));
    }
    double head = l->count > 1 ? 30 : 0; // room for the time
    cg_camera_fit(camera, corners, 2, l->margin, l->margin + head, l->panel_width - 2 * l->margin,
                  l->panel_height - 2 * l->margin - head);
}

static bool draw_pose(const cg_poses *poses, const cg_pose *pose, cg_tube_camera camera, double thicker, FILE *out)
{
    cg_tubes tubes = {0};
    for (int thread = 0; thread < pose->thread_count; thread++) {
        double pixels = poses->threads[thread].radius * thicker * camera.scale;
        cg_tube_look look = {.colour = cg_export_colour(thread),
                             .radius = pixels > THINNEST ? pixels : THINNEST,
                             .opacity = 1,
                             .roundness = 1};
        if (cg_pose_vertex_count(pose, thread) > 1) {
            cg_tubes_add(&tubes, &camera, cg_pose_points(pose, thread), cg_pose_vertex_count(pose, thread), look);
        }
    }
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        const cg_vec3 *nodes = cg_pose_nodes(pose, tissue);
        const cg_pose_tissue *about = &poses->tissues[tissue];
        for (int i = 0; nodes && i < about->triangle_count; i++) {
            const int *corner = about->triangles[i].nodes;
            cg_vec3 corners[3] = {nodes[corner[0]], nodes[corner[1]], nodes[corner[2]]};
            cg_tubes_add_triangle(&tubes, &camera, corners, cg_export_skin(about->triangles[i].side));
        }
    }
    for (int part = 0; part < pose->part_count; part++) {
        cg_part_draw(&pose->parts[part], &camera, &tubes);
    }
    bool good = !tubes.failed;
    cg_tubes_draw(&tubes, out);
    return good;
}

static void draw_frame(const layout *l, size_t place, double time, FILE *out)
{
    double x = l->panel_width * (double)(place % l->columns), y = l->panel_height * (double)(place / l->columns);
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\" fill=\"none\" stroke=\"#e2dfd8\"/>\n",
            x + 5, y + 5, l->panel_width - 10, l->panel_height - 10);
    char label[48];
    snprintf(label, sizeof label, "%.4g s", time);
    cg_svg_text_on_ground(out, x + 18, y + 27, (cg_text_style){.size = 14, .weight = 600}, label);
}

// What reaches out of its panel ends there: a picture within the picture, in the same coordinates.
static void begin_panel(const layout *l, size_t place, FILE *out)
{
    double x = l->panel_width * (double)(place % l->columns), y = l->panel_height * (double)(place / l->columns);
    double edge = l->count > 1 ? 6 : 0, width = l->panel_width - 2 * edge, height = l->panel_height - 2 * edge;
    fprintf(out, "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" viewBox=\"%.1f %.1f %.1f %.1f\">\n",
            x + edge, y + edge, width, height, x + edge, y + edge, width, height);
}

static bool draw_panel(const cg_poses *poses, const cg_pose *pose, const layout *l, size_t place, cg_tube_camera camera,
                       double thicker, FILE *out)
{
    camera.x += l->panel_width * (double)(place % l->columns);
    camera.y += l->panel_height * (double)(place / l->columns);
    begin_panel(l, place, out);
    bool good = draw_pose(poses, pose, camera, thicker, out);
    fputs("</svg>\n", out);
    if (l->count > 1) {
        draw_frame(l, place, pose->time, out);
    }
    return good;
}

static bool measure(const cg_poses *poses, const layout *l, const cg_tube_camera *camera, bool all, extent *e,
                    FILE *err)
{
    for (size_t k = 0; k < l->count; k++) {
        cg_pose pose;
        if (!poses->fetch(poses->context, cg_pose_spaced(k, l->count, poses->count), &pose, err)) {
            return false;
        }
        extend(e, camera, poses, &pose, all);
    }
    return true;
}

// What is to be seen, in words.
static void describe(const cg_poses *poses, const layout *l, char *text, size_t size)
{
    const cg_origin *origin = poses->origin;
    int length = snprintf(text, size, "%zu shape%s of %d thread%s and %d tissue%s", l->count, l->count == 1 ? "" : "s",
                          poses->thread_count, poses->thread_count == 1 ? "" : "s", poses->tissue_count,
                          poses->tissue_count == 1 ? "" : "s");
    if (origin && length > 0 && (size_t)length < size) {
        snprintf(text + length, size - (size_t)length, " of the scene %s, from the recording %s (sha256 %s)",
                 origin->scene, origin->recording, origin->recording_hash);
    }
}

bool cg_export_svg(const cg_poses *poses, const cg_strip_look *look, FILE *out, FILE *err)
{
    if (poses->count == 0) {
        fputs("catgut export: there is no pose to draw\n", err);
        return false;
    }
    layout l = lay_out(poses->count < look->max_poses ? poses->count : look->max_poses);
    cg_tube_camera camera = cg_camera_of_view(look->view);
    extent e = {0};
    if (!measure(poses, &l, &camera, look->frame_all, &e, err)) {
        return false;
    }
    fit(&camera, &e, &l);
    double width = l.panel_width * (double)l.columns, height = l.panel_height * (double)l.rows + l.foot;
    const char *what = poses->tissue_count > 0 ? "threads and tissues" : "threads";
    char title[64];
    snprintf(title, sizeof title, "%s%s", what, l.count > 1 ? " at several times" : "");
    char seen[400];
    describe(poses, &l, seen, sizeof seen);
    cg_svg_begin(out, width, height, title, seen);
    bool good = true;
    for (size_t k = 0; k < l.count && good; k++) {
        cg_pose pose;
        good = poses->fetch(poses->context, cg_pose_spaced(k, l.count, poses->count), &pose, err);
        if (!good) {
            return false;
        }
        good = draw_panel(poses, &pose, &l, k, camera, look->thicker, out);
    }
    if (!good) {
        fputs("catgut export: no memory left for the picture\n", err);
    }
    char label[32];
    double length = cg_scale_bar_length(camera.scale, 160, label, sizeof label);
    cg_svg_scale_bar(out, l.margin, height - (l.count > 1 ? 16 : 26), length, label);
    cg_svg_end(out);
    return good;
}
