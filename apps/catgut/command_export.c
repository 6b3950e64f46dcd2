// catgut export: shapes of threads and tissues as tables, series for ParaView, meshes for Blender, pictures.
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "app.h"
#include "base/nearest.h"
#include "export/formats.h"
#include "export/rods.h"
#include "export/source.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/out_file.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_export = {
    .name = "export",
    .usage =
        "FILE OUT [--to csv|vtk|glb|svg] [--every N] [--at SECONDS,...] [--thread NAME] [--poses N]\n"
        "       [--view x|y|z|iso] [--frame tissue|all] [--tension] [--hands] [--radius METRES] [--thicker FACTOR]\n"
        "       [--force] [--json]",
    .summary =
        "write threads, tissues, bodies and tools of a recording, or a text or mesh file, as a table, VTK, glTF or SVG",
    .help = "FILE is a recording (\"catgut run SCENE --record FILE\"), a mesh in metres (.obj .stl .wrl .vrml), or a\n"
            "text with one point \"x y z\" in metres a line; a blank line starts a new thread, # a comment. At most\n"
            "1000000 points, 10000 threads and 4096 bytes a line.\n\n"
            "  --to F        csv: a table time,step,thread,vertex,x,y,z, a line for each vertex\n"
            "                vtk: a series OUT_0000.vtp, ... and OUT.pvd, which ParaView opens\n"
            "                glb: tubes that move by shape keys, which Blender and glTF viewers open\n"
            "                svg: a picture, or a strip of pictures\n"
            "                Without it the ending of OUT says which (.csv .pvd .vtp .vtk .glb .svg).\n"
            "  --every N     only every Nth shape of the recording; default 1\n"
            "  --at T,T,...  only the shapes nearest to these times in seconds, 64 at most\n"
            "  --thread T    only the thread with this name, no tissue, bodies or tools\n"
            "  --hands       csv: the hands instead, with openings and forces\n"
            "  --tension     vtk: the pull in the thread too; repeats the run of the recording\n"
            "  --poses N     glb, svg: this many shapes, equally spaced in time; default 32 in glb, 8 in svg\n"
            "  --view V      svg: look along x, y or z, or from a corner (iso); default iso\n"
            "  --frame F     svg: what is in the picture: tissue, with room around it (default where there is some), "
            "or all\n"
            "  --radius R    glb, svg: of the threads, in metres; default that of the recording, or 0.00011 (3-0)\n"
            "  --thicker X   glb, svg: draw threads X times as thick; default 1. A picture never draws them too thin "
            "to see.\n"
            "  --force       write over a file that is no export of catgut in this format\n"
            "  --json        say what was written as JSON\n",
    .run = run,
};

typedef enum format { FORMAT_CSV, FORMAT_VTK, FORMAT_GLB, FORMAT_SVG, FORMAT_COUNT } format;
static const char *const format_names[FORMAT_COUNT] = {"csv", "vtk", "glb", "svg"};

// The command line, read.
typedef struct wishes {
    const char *in;
    char out[4096]; // the file to write; of a series its stem
    format format;
    size_t every;
    double moments[CG_POSE_MOST_MOMENTS]; // [s] the shapes nearest to these
    size_t moment_count;                  // 0: all times
    size_t poses;                         // 0: as usual for the format
    const char *thread;                   // NULL: all
    cg_view view;
    bool frame_all;
    double radius; // [m] 0: as the file says
    double thicker;
    bool tension, hands, json, force;
} wishes;

// Which of the names a word is; -1 for none.
static int find_word(const char *word, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(word, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_view(const char *word, cg_view *view, FILE *err)
{
    static const char *const names[] = {"x", "y", "z", "iso"};
    static const cg_view views[] = {CG_VIEW_X, CG_VIEW_Y, CG_VIEW_Z, CG_VIEW_ISO};
    int found = find_word(word, names, 4);
    if (found < 0) {
        fprintf(err, "catgut export: found --view \"%s\", expected x, y, z or iso\n", word);
        return false;
    }
    *view = views[found];
    return true;
}

// A number between bounds; NULL leaves the value as it is.
static bool read_value(const char *option, const char *word, double low, double high, const char *expected,
                       double *value, FILE *err)
{
    double number;
    if (!word) {
        return true;
    }
    if (!cg_read_number(word, &number) || !(number >= low && number <= high)) {
        fprintf(err, "catgut export: found %s \"%s\", expected %s\n", option, word, expected);
        return false;
    }
    *value = number;
    return true;
}

static bool read_count(const char *option, const char *word, double high, const char *expected, size_t *count,
                       FILE *err)
{
    double value = (double)*count;
    if (!read_value(option, word, 1, high, expected, &value, err)) {
        return false;
    }
    if (value != (double)(size_t)value) {
        fprintf(err, "catgut export: found %s \"%s\", expected %s\n", option, word, expected);
        return false;
    }
    *count = (size_t)value;
    return true;
}

// Times between commas; NULL is none.
static bool read_moments(const char *words, wishes *w, FILE *err)
{
    for (const char *at = words; at;) {
        size_t length = strcspn(at, ",");
        char word[64] = "";
        memcpy(word, at, length < sizeof word ? length : 0);
        double *moment = &w->moments[w->moment_count];
        if (w->moment_count == CG_POSE_MOST_MOMENTS || !cg_read_number(word, moment) || !(*moment >= 0)) {
            fprintf(err, "catgut export: found --at \"%s\", expected up to %d times in seconds, as 0.5,1,2.25\n", words,
                    CG_POSE_MOST_MOMENTS);
            return false;
        }
        w->moment_count++;
        at = at[length] ? at + length + 1 : NULL;
    }
    return true;
}

static bool read_frame(const char *word, bool *all, FILE *err)
{
    static const char *const names[] = {"tissue", "all"};
    int found = find_word(word, names, 2);
    if (found < 0) {
        fprintf(err, "catgut export: found --frame \"%s\", expected tissue or all\n", word);
    }
    *all = found == 1;
    return found >= 0;
}

// Format by its name, or by the ending of the output.
static bool read_format(const char *word, const char *out, format *found, FILE *err)
{
    static const char *const endings[] = {".csv", ".vtk", ".glb", ".svg", ".vtp", ".pvd"};
    static const format meant[] = {FORMAT_CSV, FORMAT_VTK, FORMAT_GLB, FORMAT_SVG, FORMAT_VTK, FORMAT_VTK};
    const char *dot = strrchr(out, '.');
    int place = word ? find_word(word, format_names, FORMAT_COUNT) : dot ? find_word(dot, endings, 6) : -1;
    if (place >= 0) {
        *found = word ? (format)place : meant[place];
        return true;
    }
    if (word) {
        fprintf(err, "catgut export: found --to \"%s\", expected csv, vtk, glb or svg\n", word);
    } else {
        fprintf(err, "catgut export: %s does not say its format; name it: --to csv, vtk, glb or svg\n", out);
    }
    return false;
}

static bool check_tension(const wishes *w, FILE *err)
{
    if (w->tension && w->format != FORMAT_VTK) {
        fprintf(err, "catgut export: found --tension with %s, expected it with vtk only\n", format_names[w->format]);
        return false;
    }
    if (w->hands && w->format != FORMAT_CSV) {
        fprintf(err, "catgut export: found --hands with %s, expected it with csv only\n", format_names[w->format]);
        return false;
    }
    return true;
}

static bool read_wishes(wishes *w, int count, char **words, FILE *err)
{
    const char *to = NULL, *every = NULL, *poses = NULL, *view = "iso", *radius = NULL, *thicker = NULL;
    const char *at = NULL, *frame = "tissue";
    *w = (wishes){.every = 1, .thicker = 1};
    const cg_option options[] = {
        {.name = "--to", .value = &to},           {.name = "--every", .value = &every},
        {.name = "--poses", .value = &poses},     {.name = "--thread", .value = &w->thread},
        {.name = "--view", .value = &view},       {.name = "--radius", .value = &radius},
        {.name = "--thicker", .value = &thicker}, {.name = "--tension", .flag = &w->tension},
        {.name = "--json", .flag = &w->json},     {.name = "--force", .flag = &w->force},
        {.name = "--at", .value = &at},           {.name = "--frame", .value = &frame},
        {.name = "--hands", .flag = &w->hands},
    };
    const char *paths[2];
    cg_arguments arguments = {.command = "export",
                              .options = options,
                              .option_count = (int)(sizeof options / sizeof options[0]),
                              .max_words = 2,
                              .words = paths};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return false;
    }
    if (arguments.word_count != 2) {
        fputs("catgut export: a FILE to read and a file OUT to write are needed\n", err);
        return false;
    }
    w->in = paths[0];
    if (strcmp(paths[0], paths[1]) == 0 || cg_same_file(paths[0], paths[1])) {
        fprintf(err, "catgut export: %s would be written over; choose another OUT\n", w->in);
        return false;
    }
    if (strlen(paths[1]) >= sizeof w->out) {
        fputs("catgut export: the name of the output is too long\n", err);
        return false;
    }
    memcpy(w->out, paths[1], strlen(paths[1]) + 1);
    return read_view(view, &w->view, err) && read_frame(frame, &w->frame_all, err) && read_moments(at, w, err) &&
           read_value("--radius", radius, 1e-9, 1, "metres above 0 and at most 1", &w->radius, err) &&
           read_value("--thicker", thicker, 1e-3, 1e6, "a factor from 0.001 to 1000000", &w->thicker, err) &&
           read_count("--every", every, 1e9, "a whole number from 1", &w->every, err) &&
           read_count("--poses", poses, 1000, "a whole number from 1 to 1000", &w->poses, err) &&
           read_format(to, w->out, &w->format, err) && check_tension(w, err);
}

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

// A series is named by its stem: OUT without an ending that says vtk.
static void cut_vtk_ending(char *path)
{
    char *dot = strrchr(path, '.');
    if (dot && dot != path && dot[-1] != '/' &&
        (strcmp(dot, ".pvd") == 0 || strcmp(dot, ".vtp") == 0 || strcmp(dot, ".vtk") == 0)) {
        *dot = '\0';
    }
}

// How many of the shapes are in what is written: pictures and meshes take some of many.
static size_t shapes_written(const cg_poses *poses, const wishes *w)
{
    size_t usual = w->format == FORMAT_GLB ? 32 : 8;
    bool some = (w->format == FORMAT_GLB || w->format == FORMAT_SVG) && (w->poses > 0 || w->moment_count == 0);
    size_t most = !some ? poses->count : w->poses > 0 ? w->poses : usual;
    return poses->count < most ? poses->count : most;
}

static bool write_one_file(const cg_poses *poses, const wishes *w, FILE *file, FILE *err)
{
    if (w->format == FORMAT_CSV) {
        return w->hands ? cg_export_hands_csv(poses, file, err) : cg_export_csv(poses, file, err);
    }
    if (w->format == FORMAT_GLB) {
        cg_glb_look look = {.max_poses = shapes_written(poses, w), .sides = 8, .thicker = w->thicker};
        return cg_export_glb(poses, &look, file, err);
    }
    cg_strip_look look = {
        .max_poses = shapes_written(poses, w), .view = w->view, .thicker = w->thicker, .frame_all = w->frame_all};
    return cg_export_svg(poses, &look, file, err);
}

// A file that could not be written in full is taken away again.
static bool write_out(const cg_poses *poses, const wishes *w, FILE *err)
{
    static const cg_out_kind kinds[] = {
        [FORMAT_CSV] = CG_OUT_CSV, [FORMAT_GLB] = CG_OUT_GLB, [FORMAT_SVG] = CG_OUT_SVG};
    char why[CG_OUT_WHY_BYTES];
    cg_out_file out;
    if (w->format == FORMAT_VTK) {
        return cg_export_vtk_series(poses, w->out, w->force, err);
    }
    if (!cg_out_open(&out, w->out, kinds[w->format], w->force, why)) {
        fprintf(err, "%s: %s\n", w->out, why);
        return false;
    }
    bool good = write_one_file(poses, w, out.file, err);
    if (good && !cg_out_finish(&out)) {
        fprintf(err, "%s: cannot be written in full (%s)\n", w->out, strerror(errno));
        good = false;
    }
    cg_out_abandon(&out, false);
    return good;
}

// What was written

static void name_files_json(const cg_poses *poses, const wishes *w, cg_json *json)
{
    char path[4096];
    bool series = w->format == FORMAT_VTK;
    if (series) {
        cg_vtk_series_name(w->out, path, sizeof path);
    }
    cg_json_string_member(json, "file", series ? path : w->out);
    cg_json_name(json, "files");
    cg_json_begin_array(json);
    cg_json_string(json, series ? path : w->out);
    for (size_t i = 0; series && i < poses->count; i++) {
        cg_vtk_part_name(w->out, i, poses->count, path, sizeof path);
        cg_json_string(json, path);
    }
    cg_json_end_array(json);
}

static void report_json(const cg_poses *poses, const wishes *w, int points, int rods, const char *damage, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    name_files_json(poses, w, &json);
    cg_json_string_member(&json, "format", format_names[w->format]);
    cg_json_number_member(&json, "shapes", (double)shapes_written(poses, w));
    cg_json_number_member(&json, "shapes_there", (double)poses->count);
    cg_json_number_member(&json, "threads", poses->thread_count);
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
    char first[4096], last[4096];
    size_t shapes = shapes_written(poses, w);
    if (w->format == FORMAT_VTK) {
        cg_vtk_part_name(w->out, 0, poses->count, first, sizeof first);
        cg_vtk_part_name(w->out, poses->count - 1, poses->count, last, sizeof last);
        fprintf(out, "%s.pvd, which names %s", w->out, first);
        fprintf(out, poses->count > 1 ? " to %s: " : "%s: ", poses->count > 1 ? last : "");
    } else {
        fprintf(out, "%s: ", w->out);
    }
    fprintf(out, "%d thread%s, %d points", poses->thread_count, poses->thread_count == 1 ? "" : "s", points);
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

static bool report(const cg_poses *poses, const wishes *w, int rods, const char *damage, FILE *out, FILE *err)
{
    cg_pose first;
    if (!poses->fetch(poses->context, 0, &first, err)) {
        return false;
    }
    int points = first.thread_count > 0 ? first.starts[first.thread_count] - first.starts[0] : 0;
    points += first.tissue_count > 0 ? first.node_starts[first.tissue_count] : 0;
    if (w->json) {
        report_json(poses, w, points, rods, damage, out);
    } else {
        report_words(poses, w, points, rods, out);
    }
    return true;
}

static bool export_source(const cg_export_source *source, const wishes *w, FILE *out, FILE *err)
{
    if (source->damage[0]) {
        fprintf(err, "%s: %s; what comes before is written\n", w->in, source->damage);
    }
    cg_pose_choice choice = {.all = source->poses, .every = w->every};
    if (!find_thread(&source->poses, w->thread, &choice.thread, err)) {
        return false;
    }
    for (size_t i = 0; i < w->moment_count && source->poses.count > 0; i++) {
        if (!cg_pose_choice_add(&choice, w->moments[i], err)) {
            return false;
        }
    }
    cg_poses poses = cg_poses_choose(&choice);
    if (poses.count == 0) {
        fprintf(err, "%s: found no shapes, expected at least one\n", w->in);
        return false;
    }
    // Pictures draw bodies and tools themselves.
    cg_rod_poses rods = {0};
    cg_poses with_rods = poses;
    bool good = w->format == FORMAT_SVG || choice.thread >= 0 || cg_poses_with_rods(&rods, &poses, &with_rods, err);
    good = good && write_out(&with_rods, w, err) && report(&poses, w, rods.count, source->damage, out, err);
    cg_rod_poses_free(&rods);
    return good;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    wishes w;
    if (!read_wishes(&w, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (w.format == FORMAT_VTK) {
        cut_vtk_ending(w.out);
    }
    cg_export_source source = {0};
    bool good = cg_export_source_open(&source, w.in, w.radius, w.tension, err) && export_source(&source, &w, out, err);
    bool differs = good && cg_recording_poses_differ(source.recording);
    if (differs) {
        fprintf(err, "%s: the run could not be repeated to the bit; tension is left out where it differs\n", w.in);
    }
    cg_export_source_close(&source);
    return !good ? CG_EXIT_BAD_INPUT : differs ? CG_EXIT_BAD_RESULT : CG_EXIT_DONE;
}
