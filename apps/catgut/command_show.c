// catgut show: a minute with a suture thread.
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "show/show.h"
#include "support/arguments.h"
#include "support/folder.h"
#include "support/out_file.h"
#include "support/plot_files.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_show = {
    .name = "show",
    .usage = "[--out DIR] [--force]",
    .summary = "see a suture thread fall, swing and coil, and the numbers behind it",
    .help = "Simulates two threads for a few seconds, says in plain words what happened and draws it.\n\n"
            "  --out DIR     where show.svg goes; default: the present folder\n"
            "  --force       write over a show.svg that is no picture of catgut\n",
    .run = run,
};

static double off_percent(double measured, double exact)
{
    return 100 * fabs(measured / exact - 1);
}

static void tell(const cg_show_fall *fall, const cg_show_twist *twist, FILE *out)
{
    fprintf(out, "A 3-0 nylon suture thread, %.0f cm long, was clamped at one end and let go from the horizontal.\n",
            100 * fall->length);
    fprintf(out, "It fell, swung and came to rest with its tip %.2f mm down; exact theory (the heavy elastica) says\n",
            1e3 * fall->tip_drop);
    fprintf(out, "%.2f mm, so it is off by %.3f %%.\n", 1e3 * fall->exact_tip_drop,
            off_percent(fall->tip_drop, fall->exact_tip_drop));
    fprintf(out, "The %.0f seconds of its motion, %d vertices at steps of 1 ms, took %.2f s: %.0f times faster than\n",
            fall->simulated_seconds, CG_SHOW_VERTICES, fall->simulated_seconds / fall->real_time_factor,
            fall->real_time_factor);
    fputs("real time.\n\n", out);
    fputs("The same thread, clamped straight at both ends, was twisted at one of them (gravity off). It left its\n",
          out);
    fprintf(out, "line at %.3f turns; theory (tan x = x) says %.3f, so it is off by %.2f %%.\n", twist->buckling_turns,
            twist->exact_buckling_turns, off_percent(twist->buckling_turns, twist->exact_buckling_turns));
    const cg_show_stage *last = &twist->stages[CG_SHOW_STAGES - 1];
    fprintf(out,
            "With %.1f turns in it and its ends brought %.0f %% closer it winds into a coil that stands at up to\n",
            last->turns, 100 * last->approach);
    fprintf(out, "%.0f degrees to the line between the clamps.\n\n", twist->steepest_angle);
}

// What is drawn.
typedef struct scene_of_show {
    const cg_show_fall *fall;
    const cg_show_twist *twist;
} scene_of_show;

static void draw(const void *context, FILE *out)
{
    const scene_of_show *scene = context;
    cg_show_draw(scene->fall, scene->twist, out);
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    const char *folder = ".";
    bool force = false;
    const cg_option options[] = {{.name = "--out", .value = &folder}, {.name = "--force", .flag = &force}};
    cg_arguments arguments = {.command = "show", .options = options, .option_count = 2};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (!cg_make_folder(folder)) {
        fprintf(err, "catgut show: the folder %s cannot be made (%s)\n", folder, strerror(errno));
        return CG_EXIT_BAD_INPUT;
    }
    cg_report report = {0};
    cg_show_fall *fall = calloc(1, sizeof *fall);
    cg_show_twist *twist = calloc(1, sizeof *twist);
    int code = CG_EXIT_BAD_RESULT;
    if (!fall || !twist || !cg_show_run_fall(fall, &report) || !cg_show_run_twist(twist, &report)) {
        fprintf(err, "catgut show: %s\n", report.trouble[0] ? report.trouble : "no memory left");
    } else {
        tell(fall, twist, out);
        char path[4096];
        scene_of_show scene = {fall, twist};
        snprintf(path, sizeof path, "%s/show.svg", folder);
        cg_package *package = cg_package_begin("show", count, words);
        bool drawn = cg_package_may_write(path, force, err) && cg_save_file(path, CG_OUT_SVG, force, draw, &scene, err);
        cg_package_file(package, path, "a suture thread falls, another is twisted", NULL, 0);
        drawn = drawn && cg_package_write(package, path, force, err);
        cg_package_free(package);
        code = drawn ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
        if (drawn) {
            fprintf(out, "The picture: %s\n", path);
        }
    }
    free(fall);
    free(twist);
    cg_report_free(&report);
    return code;
}
