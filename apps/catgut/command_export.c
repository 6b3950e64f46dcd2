// catgut export: a picture of threads given as text.
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "app.h"
#include "support/arguments.h"
#include "support/polyline.h"
#include "support/svg.h"
#include "support/tube.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_export = {
    .name = "export",
    .usage = "FILE OUT.svg [--view x|y|z|iso] [--radius METRES]",
    .summary = "draw threads from a text file as SVG",
    .help = "FILE holds one point \"x y z\" in metres a line; a blank line starts a new thread, # a comment.\n"
            "At most 1000000 points, 10000 threads and 4096 bytes a line.\n\n"
            "  --view V      look along x, y or z, or from a corner (iso); default iso\n"
            "  --radius R    of the thread in metres; default 0.00011 (3-0). Very thin threads are drawn thicker.\n",
    .run = run,
};

static const double WIDTH = 960, HEIGHT = 640, MARGIN = 56;
static const double THINNEST = 1.3; // [px] radius that still shows which thread lies above

static bool read_view(const char *word, cg_view *view, FILE *err)
{
    static const char *const names[] = {"x", "y", "z", "iso"};
    static const cg_view views[] = {CG_VIEW_X, CG_VIEW_Y, CG_VIEW_Z, CG_VIEW_ISO};
    for (int i = 0; i < 4; i++) {
        if (strcmp(word, names[i]) == 0) {
            *view = views[i];
            return true;
        }
    }
    fprintf(err, "catgut export: found --view \"%s\", expected x, y, z or iso\n", word);
    return false;
}

static bool read_threads(const char *path, cg_polylines *threads, FILE *err)
{
    FILE *in = fopen(path, "rb");
    if (!in) {
        fprintf(err, "%s:1:1: the file cannot be opened (%s)\n", path, strerror(errno));
        return false;
    }
    bool good = cg_polylines_read(in, path, threads, err);
    fclose(in);
    return good;
}

static bool draw(const cg_polylines *threads, cg_view view, double radius, FILE *out)
{
    static const cg_rgb colours[] = {
        {0.16, 0.45, 0.72}, {0.85, 0.42, 0.12}, {0.10, 0.60, 0.46}, {0.70, 0.35, 0.58}, {0.78, 0.58, 0.10}};
    cg_camera camera = cg_camera_of_view(view);
    cg_camera_fit(&camera, threads->points, threads->point_count, MARGIN, MARGIN, WIDTH - 2 * MARGIN,
                  HEIGHT - 2 * MARGIN - 28);
    double pixels = radius * camera.scale;
    cg_tube_look look = {.radius = pixels > THINNEST ? pixels : THINNEST, .opacity = 1, .roundness = 1};
    cg_tubes tubes = {0};
    for (int i = 0; i < threads->thread_count; i++) {
        look.colour = colours[i % (int)(sizeof colours / sizeof colours[0])];
        int start = threads->starts[i];
        cg_tubes_add(&tubes, &camera, threads->points + start, threads->starts[i + 1] - start, look);
    }
    bool good = !tubes.failed;
    cg_svg_begin(out, WIDTH, HEIGHT, "threads");
    cg_tubes_draw(&tubes, out);
    char label[32];
    double length = cg_scale_bar_length(camera.scale, 160, label, sizeof label);
    cg_svg_scale_bar(out, MARGIN, HEIGHT - 26, length, label);
    cg_svg_end(out);
    return good && !ferror(out);
}

static bool write_picture(const cg_polylines *threads, cg_view view, double radius, const char *path, FILE *err)
{
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(err, "catgut export: %s cannot be written (%s)\n", path, strerror(errno));
        return false;
    }
    bool good = draw(threads, view, radius, file);
    good = fclose(file) == 0 && good;
    if (!good) {
        fprintf(err, "catgut export: %s could not be written in full\n", path);
    }
    return good;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    const char *view_word = "iso", *radius_word = "0.00011";
    const cg_option options[] = {
        {.name = "--view", .value = &view_word},
        {.name = "--radius", .value = &radius_word},
    };
    const char *paths[2];
    cg_arguments arguments = {
        .command = "export", .options = options, .option_count = 2, .max_words = 2, .words = paths};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    cg_view view;
    double radius;
    if (arguments.word_count != 2) {
        fputs("catgut export: a FILE to read and a picture OUT.svg to write are needed\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    if (!read_view(view_word, &view, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (!cg_read_number(radius_word, &radius) || !(radius > 0 && radius <= 1)) {
        fprintf(err, "catgut export: found --radius \"%s\", expected metres above 0 and at most 1\n", radius_word);
        return CG_EXIT_BAD_INPUT;
    }
    cg_polylines threads;
    if (!read_threads(paths[0], &threads, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    bool good = write_picture(&threads, view, radius, paths[1], err);
    if (good) {
        fprintf(out, "%s: %d thread%s, %d points\n", paths[1], threads.thread_count,
                threads.thread_count == 1 ? "" : "s", threads.point_count);
    }
    cg_polylines_free(&threads);
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}
