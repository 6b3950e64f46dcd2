// catgut knot: names the knot in a file of points.
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "app.h"
#include "catgut/knot.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/polyline.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_knot = {
    .name = "knot",
    .usage = "FILE [--json] [--pull ENDS]",
    .summary = "name the knot in a thread, or in two",
    .help = "FILE holds one point \"x y z\" in metres a line; a blank line starts a second thread, # a comment.\n"
            "At most 20000 points. A thread whose last point is the same as its first one is closed.\n\n"
            "  --json         one JSON object: name, common, crossings, determinant, chirality, throws, certain, ...\n"
            "  --pull ENDS    which end of each of two threads is pulled: two letters, f for the first point and l\n"
            "                 for the last one, such as ff; without it the longer ends\n\n"
            "Names are those of Rolfsen's table, m before a mirror image, # between parts. docs/knots.md says more.\n",
    .run = run,
};

static const char *chirality_word(cg_knot_chirality chirality)
{
    static const char *const words[] = {"amphichiral", "left", "right", "chiral", "unknown"};
    return words[chirality];
}

static void print_json(const cg_knot_report *report, int thread_count, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "name", report->name);
    cg_json_string_member(&json, "common", report->common);
    cg_json_number_member(&json, "crossings", report->crossings);
    cg_json_name(&json, "determinant");
    if (report->determinant == UINT64_MAX) {
        cg_json_string(&json, NULL);
    } else {
        cg_json_number(&json, (double)report->determinant);
    }
    cg_json_string_member(&json, "chirality", chirality_word(report->chirality));
    cg_json_name(&json, "throws");
    cg_json_begin_array(&json);
    for (int i = 0; i < report->throw_count; i++) {
        const cg_knot_throw *t = &report->throws[i];
        cg_json_begin_line_object(&json);
        cg_json_number_member(&json, "wraps", t->wraps);
        cg_json_string_member(&json, "sense", t->sense > 0 ? "right" : "left");
        cg_json_boolean_member(&json, "hitch", t->hitch);
        cg_json_end_object(&json);
    }
    cg_json_end_array(&json);
    cg_json_string_member(&json, "notation", report->throws_text);
    cg_json_number_member(&json, "threads", thread_count);
    if (thread_count == 2) {
        cg_json_number_member(&json, "linking", report->linking);
    }
    cg_json_number_member(&json, "closures", report->ways);
    cg_json_number_member(&json, "closures_agreeing", report->agreeing);
    cg_json_boolean_member(&json, "certain", report->certain);
    cg_json_end_object(&json);
}

static void print_words(const cg_knot_report *report, int thread_count, FILE *out)
{
    fprintf(out, "%s", report->name);
    if (report->common[0]) {
        fprintf(out, " (%s)", report->common);
    }
    fprintf(out, "\n  crossings    %d\n", report->crossings);
    if (report->determinant != UINT64_MAX) {
        fprintf(out, "  determinant  %llu\n", (unsigned long long)report->determinant);
    }
    fprintf(out, "  chirality    %s\n", chirality_word(report->chirality));
    if (report->throw_count > 0) {
        fprintf(out, "  throws       %s:", report->throws_text);
        for (int i = 0; i < report->throw_count; i++) {
            fprintf(out, "%s %s-handed%s", i > 0 ? "," : "", report->throws[i].sense > 0 ? "right" : "left",
                    report->throws[i].hitch ? " hitch" : "");
        }
        fputc('\n', out);
    }
    if (thread_count == 2) {
        fprintf(out, "  linking      %d\n", report->linking);
    }
    fprintf(out, "  certain      %s (%d of %d ways to close it agree)\n", report->certain ? "yes" : "no",
            report->agreeing, report->ways);
}

static bool read_pull(const char *word, cg_knot_thread *threads, FILE *err)
{
    if (word[0] == 0) {
        return true;
    }
    bool good = strlen(word) == 2 && strspn(word, "fl") == 2;
    for (int i = 0; good && i < 2; i++) {
        threads[i].pull = word[i] == 'f' ? CG_KNOT_PULL_FIRST : CG_KNOT_PULL_LAST;
    }
    if (!good) {
        fprintf(err, "catgut knot: found --pull \"%s\", expected ff, fl, lf or ll\n", word);
    }
    return good;
}

static bool read_file(const char *path, cg_polylines *lines, FILE *err)
{
    FILE *in = fopen(path, "rb");
    if (!in) {
        fprintf(err, "%s:1:1: the file cannot be opened (%s)\n", path, strerror(errno));
        return false;
    }
    bool good = cg_polylines_read(in, path, lines, err);
    fclose(in);
    return good;
}

static bool same_point(cg_vec3 a, cg_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Fills the threads from the file. False, with a message, when there are too many.
static bool take_threads(const cg_polylines *lines, const char *path, cg_knot_thread *threads, FILE *err)
{
    if (lines->thread_count < 1 || lines->thread_count > CG_KNOT_MAX_THREADS) {
        fprintf(err, "%s:1:1: found %d threads, expected one or two\n", path, lines->thread_count);
        return false;
    }
    for (int i = 0; i < lines->thread_count; i++) {
        threads[i].points = lines->points + lines->starts[i];
        threads[i].count = lines->starts[i + 1] - lines->starts[i];
        if (threads[i].count > 3 && same_point(threads[i].points[0], threads[i].points[threads[i].count - 1])) {
            threads[i].closed = true;
            threads[i].count--;
        }
    }
    return true;
}

static int name_threads(const cg_polylines *lines, const char *path, const char *pull, bool as_json, FILE *out,
                        FILE *err)
{
    cg_knot_thread threads[CG_KNOT_MAX_THREADS] = {{0}};
    if (!take_threads(lines, path, threads, err) || !read_pull(pull, threads, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    cg_knot_report report;
    cg_status status = cg_knot_identify(threads, lines->thread_count, NULL, &report);
    if (status.code != CG_OK) {
        fprintf(err, "%s:1:1: %s\n", path, status.message);
        return CG_EXIT_BAD_INPUT;
    }
    if (as_json) {
        print_json(&report, lines->thread_count, out);
    } else {
        print_words(&report, lines->thread_count, out);
    }
    return CG_EXIT_DONE;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    bool as_json = false;
    const char *pull = "", *path = NULL;
    const cg_option options[] = {
        {.name = "--json", .flag = &as_json},
        {.name = "--pull", .value = &pull},
    };
    cg_arguments arguments = {.command = "knot", .options = options, .option_count = 2, .max_words = 1, .words = &path};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (!path) {
        fputs("catgut knot: a FILE to read is needed\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    cg_polylines lines;
    if (!read_file(path, &lines, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    int code = name_threads(&lines, path, pull, as_json, out, err);
    cg_polylines_free(&lines);
    return code;
}
