// catgut export: shapes of threads and tissues as tables, series for ParaView, meshes for Blender, pictures.
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "app.h"
#include "base/nearest.h"
#include "export/even.h"
#include "export/formats.h"
#include "export/rods.h"
#include "export/source.h"
#include "export/wishes.h"
#include "support/json.h"
#include "support/out_file.h"
#include "support/package.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_export = {
    .name = "export",
    .usage =
        "FILE OUT [--to csv|vtk|glb|svg] [--table points|hands|run|sutures] [--every N] [--at SECONDS,...]\n"
        "       [--thread NAME] [--points N] [--tension] [--cells] [--as-recorded] [--poses N] [--view x|y|z|iso]\n"
        "       [--frame tissue|all] [--radius METRES] [--thicker FACTOR] [--hands] [--force] [--json]",
    .summary =
        "write threads, tissues, bodies and tools of a recording, or a text or mesh file, as a table, VTK, glTF or SVG",
    .help =
        "FILE is a recording (\"catgut run SCENE --record FILE\"), a mesh in metres (.obj .stl .wrl .vrml), or a\n"
        "text with one point \"x y z\" in metres a line; a blank line starts a new thread, # a comment. At most\n"
        "1000000 points, 10000 threads and 4096 bytes a line.\n\n"
        "  --to F        csv: a table, as --table says\n"
        "                vtk: OUT.pvd, which ParaView opens, and a folder OUT with a file a shape; or one shape\n"
        "                OUT.vtp, or the cells of tissues at one time OUT.vtu\n"
        "                glb: tubes that move by shape keys, which Blender and glTF viewers open\n"
        "                svg: a picture, or a strip of pictures\n"
        "                Without it the ending of OUT says which (.csv .pvd .vtp .vtu .glb .svg). OUT may be -,\n"
        "                the standard output.\n"
        "  --table T     csv: points (default), one row a point; hands: openings and forces; run: pulls, contacts,\n"
        "                gap, energies and trouble by time; sutures: needles and holes\n"
        "  --every N     only every Nth shape of the recording; default 1\n"
        "  --at T,T,...  only the shapes nearest to these times in seconds, 64 at most\n"
        "  --thread T    only the thread with this name, no tissue, bodies or tools\n"
        "  --points N    csv, vtk: N points on each thread, evenly along it at rest, in all shapes\n"
        "  --tension     csv, vtk: pull and strain of threads too, forces of contacts; repeats the run\n"
        "  --cells       vtk: the cells of tissues beside each shape (.vtu); repeats the run\n"
        "  --as-recorded  never repeat the run, which arc lengths at rest need where vertices come and go\n"
        "  --hands       the same as --table hands\n"
        "  --poses N     glb, svg: this many shapes, equally spaced in time; default 32 in glb, 8 in svg\n"
        "  --view V      svg: look along x, y or z, or from a corner (iso); default iso\n"
        "  --frame F     svg: what is in the picture: tissue, with room around it (default where there is some), "
        "or all\n"
        "  --radius R    glb, svg: of the threads, in metres; default that of the recording, or 0.00011 (3-0)\n"
        "  --thicker X   glb, svg: draw threads X times as thick; default 1. A picture never draws them too thin "
        "to see.\n"
        "  --force       write over a file that is no export of catgut in this format\n"
        "  --json        say what was written as JSON\n\n"
        "Beside OUT comes OUT.package.json: which files belong together, their hashes, columns with units, and what\n"
        "they were made from.\n",
    .run = run,
};

typedef cg_export_wishes wishes;

static bool find_thread(const cg_poses *poses, const char *name, int *found, FILE *err)
{
    const char *nearest = NULL;
    *found = -1;
    for (int i = 0; i < poses->thread_count && name; i++) {
        if (strcmp(poses->threads[i].name, name) == 0) {
            *found = i;
            return true;
        }
        const char *candidates[] = {nearest ? nearest : poses->threads[i].name, poses->threads[i].name};
        nearest = cg_nearest_word(name, candidates, 2);
    }
    if (name) {
        fprintf(err, "catgut export: there is no thread \"%s\"", name);
        fprintf(err, nearest ? "; did you mean \"%s\"?\n" : "; the first is \"%s\"\n",
                nearest                   ? nearest
                : poses->thread_count > 0 ? poses->threads[0].name
                                          : "");
    }
    return !name;
}

// How many of the shapes are in what is written: pictures and meshes take some of many.
static size_t shapes_written(const cg_poses *poses, const wishes *w)
{
    size_t usual = w->format == CG_EXPORT_GLB ? 32 : 8;
    bool pictures = w->format == CG_EXPORT_GLB || w->format == CG_EXPORT_SVG;
    bool some = pictures && (w->poses > 0 || w->moment_count == 0);
    size_t most = !some ? poses->count : w->poses > 0 ? w->poses : usual;
    return poses->count < most ? poses->count : most;
}

static bool is_series(const wishes *w)
{
    return w->format == CG_EXPORT_VTK && w->vtk == CG_EXPORT_SERIES;
}

static cg_vtk_series series_of(const cg_poses *poses, const wishes *w, cg_recording_poses *recording)
{
    return (cg_vtk_series){
        .stem = w->out, .count = poses->count, .cells = w->cells, .force = w->force, .recording = recording};
}

static bool write_table(const cg_poses *poses, const wishes *w, cg_recording_poses *recording, FILE *file, FILE *err)
{
    switch (w->table) {
    case CG_EXPORT_HANDS:
        return cg_export_hands_csv(poses, file, err);
    case CG_EXPORT_RUN:
        return cg_export_run_csv(poses, recording, file, err);
    case CG_EXPORT_SUTURES:
        return cg_export_sutures_csv(poses, recording, file, err);
    default:
        return cg_export_csv(poses, file, err);
    }
}

static bool write_one_file(const cg_poses *poses, const wishes *w, cg_recording_poses *recording, FILE *file, FILE *err)
{
    if (w->format == CG_EXPORT_CSV) {
        return write_table(poses, w, recording, file, err);
    }
    if (w->format == CG_EXPORT_VTK) {
        cg_pose pose;
        return poses->fetch(poses->context, 0, &pose, err) &&
               (w->vtk == CG_EXPORT_ONE_INSIDE ? cg_export_vtu(poses, &pose, recording, file, err)
                                               : cg_export_vtp(poses, &pose, file, err));
    }
    if (w->format == CG_EXPORT_GLB) {
        cg_glb_look look = {.max_poses = shapes_written(poses, w), .sides = 8, .thicker = w->thicker};
        return cg_export_glb(poses, &look, file, err);
    }
    cg_strip_look look = {
        .max_poses = shapes_written(poses, w), .view = w->view, .thicker = w->thicker, .frame_all = w->frame_all};
    return cg_export_svg(poses, &look, file, err);
}

// A file that could not be written in full is taken away again.
static bool write_file(const cg_poses *poses, const wishes *w, cg_recording_poses *recording, FILE *err)
{
    static const cg_out_kind kinds[] = {[CG_EXPORT_CSV] = CG_OUT_CSV,
                                        [CG_EXPORT_VTK] = CG_OUT_VTK,
                                        [CG_EXPORT_GLB] = CG_OUT_GLB,
                                        [CG_EXPORT_SVG] = CG_OUT_SVG};
    char why[CG_OUT_WHY_BYTES];
    cg_out_file out;
    if (!cg_out_open(&out, w->out, kinds[w->format], w->force, why)) {
        fprintf(err, "%s: %s\n", w->out, why);
        return false;
    }
    bool good = write_one_file(poses, w, recording, out.file, err);
    if (good && !cg_out_finish(&out)) {
        fprintf(err, "%s: cannot be written in full (%s)\n", w->out, strerror(errno));
        good = false;
    }
    cg_out_abandon(&out, false);
    return good;
}

// Where it came from, beside what was written.

static const cg_column VTK_ARRAYS[] = {
    {"points", "number", "m", "places"},
    {"arc_length", "number", "m", "along a thread as it is stretched, from its start"},
    {"arc_rest", "number", "m", "along a thread at rest, from its start"},
    {"strain", "number", "1", "length over rest length, less 1; mean of the segments that meet there"},
    {"tension", "number", "N", "pull, mean of the segments that meet there; negative when pushed"},
    {"contact_force", "number", "N", "of all contacts on the point"},
    {"displacement", "number", "m", "of a node of a tissue from where it was made"},
    {"velocity", "number", "m/s", "of a node; in .vtu"},
    {"volume_ratio", "number", "1", "volume of a cell over that which it was made with; in .vtu"},
    {"TimeValue", "number", "s", "simulated time"},
};

static void pack_files(cg_package *package, const cg_poses *poses, const wishes *w, cg_recording_poses *recording)
{
    static const cg_table *const tables[] = {[CG_EXPORT_POINTS] = &cg_table_of_points,
                                             [CG_EXPORT_HANDS] = &cg_table_of_hands,
                                             [CG_EXPORT_RUN] = &cg_table_of_run,
                                             [CG_EXPORT_SUTURES] = &cg_table_of_sutures};
    int arrays = (int)(sizeof VTK_ARRAYS / sizeof VTK_ARRAYS[0]);
    char path[4096];
    if (w->format == CG_EXPORT_CSV) {
        cg_package_file(package, w->out, tables[w->table]->what, tables[w->table]->columns, tables[w->table]->count);
    } else if (w->format == CG_EXPORT_GLB) {
        cg_package_file(package, w->out, "shapes as a moving mesh, in metres, y up", NULL, 0);
    } else if (w->format == CG_EXPORT_SVG) {
        cg_package_file(package, w->out, "shapes as a picture", NULL, 0);
    } else if (!is_series(w)) {
        cg_package_file(package, w->out, "one shape", VTK_ARRAYS, arrays);
    } else {
        cg_vtk_series series = series_of(poses, w, recording);
        cg_vtk_series_name(&series, path, sizeof path);
        cg_package_file(package, path, "names the files of a series with their times", NULL, 0);
        for (size_t i = 0; i < 2 * poses->count; i++) {
            if (i % 2 <= w->cells && cg_vtk_part_name(&series, i / 2, i % 2, path, sizeof path)) {
                cg_package_file(package, path, i % 2 ? "cells of tissues" : "one shape", VTK_ARRAYS, arrays);
            }
        }
    }
}

// The file that the package is named by.
static void name_result(const wishes *w, char path[4096 + 8])
{
    snprintf(path, 4096 + 8, "%s%s", w->out, is_series(w) ? ".pvd" : "");
}

static bool write_package(const cg_poses *poses, const wishes *w, cg_recording_poses *recording, cg_package *package,
                          FILE *err)
{
    char path[4096 + 8];
    const cg_origin *origin = poses->origin;
    cg_package_source(package, origin ? "recording" : "points", w->in);
    if (origin && origin->scene_hash[0] != '\0') {
        cg_package_source_text(package, "scene", origin->scene, origin->scene_hash);
    }
    if (origin) {
        cg_package_fact(package, "recorded_by", origin->recorded_by);
    }
    pack_files(package, poses, w, recording);
    name_result(w, path);
    return cg_package_write(package, path, w->force, err);
}

static bool write_out(const cg_poses *poses, const wishes *w, cg_recording_poses *recording, cg_package *package,
                      FILE *out, FILE *err)
{
    char path[4096 + 8];
    name_result(w, path);
    if (w->format == CG_EXPORT_VTK && !is_series(w) && poses->count > 1) {
        fprintf(err,
                "%s: found %zu shapes, expected one in such a file: --at SECONDS names one, a name that ends in .pvd "
                "takes all\n",
                w->out, poses->count);
        return false;
    }
    if (strcmp(w->out, "-") == 0) {
        return write_one_file(poses, w, recording, out, err);
    }
    if (!cg_package_may_write(path, w->force, err)) {
        return false;
    }
    cg_vtk_series series = series_of(poses, w, recording);
    return (is_series(w) ? cg_export_vtk_series(poses, &series, err) : write_file(poses, w, recording, err)) &&
           write_package(poses, w, recording, package, err);
}

// What was written

static void name_files_json(const cg_poses *poses, const wishes *w, cg_json *json)
{
    char path[4096 + 8];
    cg_vtk_series series = series_of(poses, w, NULL);
    name_result(w, path);
    cg_json_string_member(json, "file", path);
    cg_json_name(json, "files");
    cg_json_begin_array(json);
    cg_json_string(json, path);
    for (size_t i = 0; is_series(w) && i < 2 * poses->count; i++) {
        if (i % 2 <= w->cells && cg_vtk_part_name(&series, i / 2, i % 2, path, sizeof path)) {
            cg_json_string(json, path);
        }
    }
    cg_json_end_array(json);
}

static void report_json(const cg_poses *poses, const wishes *w, int points, int rods, const char *damage, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    name_files_json(poses, w, &json);
    cg_json_string_member(&json, "format", cg_export_format_names[w->format]);
    cg_json_number_member(&json, "shapes", (double)shapes_written(poses, w));
    cg_json_number_member(&json, "shapes_there", (double)poses->count);
    cg_json_number_member(&json, "threads", poses->thread_count - rods);
    cg_json_number_member(&json, "tissues", poses->tissue_count);
    cg_json_number_member(&json, "points", points);
    cg_json_number_member(&json, "rods", rods);
    cg_json_name(&json, "warnings");
    cg_json_begin_array(&json);
    if (damage[0]) {
        cg_json_string(&json, damage);
    }
    cg_json_end_array(&json);
    cg_json_end_object(&json);
}

static void report_words(const cg_poses *poses, const wishes *w, int points, int rods, FILE *out)
{
    size_t shapes = shapes_written(poses, w);
    if (is_series(w)) {
        fprintf(out, "%s.pvd, which names %zu file%s in %s: ", w->out, (w->cells ? 2 : 1) * poses->count,
                poses->count == 1 && !w->cells ? "" : "s", w->out);
    } else {
        fprintf(out, "%s: ", w->out);
    }
    int threads = poses->thread_count - rods;
    fprintf(out, "%d thread%s, %d points", threads, threads == 1 ? "" : "s", points);
    if (poses->tissue_count > 0) {
        fprintf(out, ", %d tissue%s", poses->tissue_count, poses->tissue_count == 1 ? "" : "s");
    }
    if (rods > 0) {
        fprintf(out, ", %d rod%s of bodies and tools", rods, rods == 1 ? "" : "s");
    }
    if (shapes < poses->count) {
        fprintf(out, ", %zu of %zu shapes (--poses N takes more)", shapes, poses->count);
    } else if (poses->count > 1) {
        fprintf(out, ", %zu shapes", poses->count);
    }
    fputc('\n', out);
}

// Points of the first shape. Asked for before anything is written: a run is repeated forward only.
static bool count_points(const cg_poses *poses, int *points, FILE *err)
{
    cg_pose first;
    if (!poses->fetch(poses->context, 0, &first, err)) {
        return false;
    }
    *points = first.thread_count > 0 ? first.starts[first.thread_count] - first.starts[0] : 0;
    *points += first.tissue_count > 0 ? first.node_starts[first.tissue_count] : 0;
    return true;
}

// The shapes that are wanted, of those that are there.
static bool choose(const cg_export_source *source, const wishes *w, cg_pose_choice *choice, FILE *err)
{
    *choice = (cg_pose_choice){.all = source->poses, .every = w->every};
    bool good = find_thread(&source->poses, w->thread, &choice->thread, err);
    for (size_t i = 0; i < w->moment_count && source->poses.count > 0 && good; i++) {
        good = cg_pose_choice_add(choice, w->moments[i], err);
    }
    if (good && source->poses.count == 0) {
        fprintf(err, "%s: found no shapes, expected at least one\n", w->in);
        good = false;
    }
    return good;
}

static bool export_source(const cg_export_source *source, const wishes *w, cg_package *package, FILE *out, FILE *err)
{
    if (source->damage[0]) {
        fprintf(err, "%s: %s; what comes before is written\n", w->in, source->damage);
    }
    cg_pose_choice choice;
    if (!choose(source, w, &choice, err)) {
        return false;
    }
    cg_even_poses even = {0};
    cg_rod_poses rods = {0};
    cg_poses chosen = cg_poses_choose(&choice), poses = chosen, all;
    if (w->points > 0) {
        poses = cg_poses_even(&even, &chosen, (int)w->points);
    }
    all = poses;
    int points = 0;
    // Pictures and meshes draw bodies and tools themselves; tables of other things than points have none.
    bool with_rods = choice.thread < 0 &&
                     (w->format == CG_EXPORT_VTK || (w->format == CG_EXPORT_CSV && w->table == CG_EXPORT_POINTS));
    bool good = (!with_rods || cg_poses_with_rods(&rods, &chosen, &poses, &all, err)) &&
                count_points(&all, &points, err) && write_out(&all, w, source->recording, package, out, err);
    if (good && strcmp(w->out, "-") != 0) { // else what was written is there
        if (w->json) {
            report_json(&all, w, points, rods.count, source->damage, out);
        } else {
            report_words(&all, w, points, rods.count, out);
        }
    }
    cg_rod_poses_free(&rods);
    cg_even_poses_free(&even);
    return good;
}

// Whether the run has to be made again for what is wanted.
static cg_rerun_wish rerun_wish(const wishes *w)
{
    bool csv = w->format == CG_EXPORT_CSV, vtk = w->format == CG_EXPORT_VTK;
    if (w->tension || w->cells || (vtk && w->vtk == CG_EXPORT_ONE_INSIDE) || (csv && w->table == CG_EXPORT_RUN)) {
        return CG_RERUN_ALWAYS;
    }
    bool arcs = vtk || (csv && w->table == CG_EXPORT_POINTS);
    return arcs && !w->as_recorded ? CG_RERUN_IF_NEEDED : CG_RERUN_NEVER;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    wishes w;
    if (!cg_export_read_wishes(&w, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    bool only_recorded =
        rerun_wish(&w) == CG_RERUN_ALWAYS || (w.format == CG_EXPORT_CSV && w.table != CG_EXPORT_POINTS);
    cg_export_source source = {0};
    cg_package *package = cg_package_begin("export", count, words);
    bool good = cg_export_source_open(&source, w.in, w.radius, only_recorded, rerun_wish(&w), err) &&
                export_source(&source, &w, package, out, err);
    bool differs = good && cg_recording_poses_differ(source.recording);
    if (differs) {
        fprintf(err, "%s: the run could not be repeated to the bit; what it would tell is left out where it differs\n",
                w.in);
    }
    cg_export_source_close(&source);
    cg_package_free(package);
    return !good ? CG_EXIT_BAD_INPUT : differs ? CG_EXIT_BAD_RESULT : CG_EXIT_DONE;
}
