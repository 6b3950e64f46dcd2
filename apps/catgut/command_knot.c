// catgut knot: names the knot in a file of points or in a recording.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/nearest.h"
#include "base/status.h"
#include "catgut/knot.h"
#include "export/source.h"
#include "knot/curves.h"
#include "knot/table.h"
#include "support/arguments.h"
#include "support/json.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_knot = {
    .name = "knot",
    .usage = "FILE [--thread NAME] [--post NAME] [--pull ENDS] [--json]\n       catgut knot --make KNOT [--threads N]",
    .summary = "name the knot in a thread, or in two",
    .help =
        "FILE is a text with one point \"x y z\" in metres a line (a blank line starts a second thread, # a comment),\n"
        "or a recording or snapshot of \"catgut run\": then its last shape is named, and for one thread also when the\n"
        "name changed. At most 20000 points. A thread in a text whose last point is the same as its first is "
        "closed.\n\n"
        "  --thread NAME  only this thread of a recording\n"
        "  --post NAME    this thread is a post that the other one is tied around (in a text: thread_1 or thread_2)\n"
        "  --pull ENDS    which end of each of two threads is pulled: two letters, f for the first point and l\n"
        "                 for the last one, such as ff; without it the longer ends\n"
        "  --json         one JSON object: name, common, crossings, determinant, chirality, throws, certain, ...\n"
        "  --make KNOT    print the points of a knot instead: straight, overhand, figure-eight, reef, granny, thief,\n"
        "                 grief, surgeon or slip; or a knot of the table, 3_1 to 8_21 and 9_1, m before a mirror "
        "image\n"
        "  --threads N    of that knot: 1 (as usual) or 2; thief and grief have two\n\n"
        "Names are those of Rolfsen's table, m before a mirror image, # between parts. docs/knots.md says more.\n",
    .run = run,
};

enum { MOST_CHANGES = 1000 }; // of the name, kept of a recording

// When a thread got another name.
typedef struct change {
    double time; // [s]
    char name[72];
} change;

// What is known at the end.
typedef struct finding {
    cg_knot_report report;
    int thread_count;
    bool recorded;
    double time; // [s] of the shape
    change *changes;
    int change_count;
} finding;

static const char *chirality_word(cg_knot_chirality chirality)
{
    static const char *const words[] = {"amphichiral", "left", "right", "chiral", "unknown"};
    return words[chirality];
}

static void print_json(const finding *found, FILE *out)
{
    const cg_knot_report *report = &found->report;
    int thread_count = found->thread_count;
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
    if (found->recorded) {
        cg_json_number_member(&json, "time", found->time);
        cg_json_name(&json, "changes");
        cg_json_begin_array(&json);
        for (int i = 0; i < found->change_count; i++) {
            cg_json_begin_line_object(&json);
            cg_json_number_member(&json, "time", found->changes[i].time);
            cg_json_string_member(&json, "name", found->changes[i].name);
            cg_json_end_object(&json);
        }
        cg_json_end_array(&json);
    }
    cg_json_end_object(&json);
}

static void print_words(const finding *found, FILE *out)
{
    const cg_knot_report *report = &found->report;
    int thread_count = found->thread_count;
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
    for (int i = 0; i < found->change_count; i++) {
        fprintf(out, "  from %9.4f s  %s\n", found->changes[i].time, found->changes[i].name);
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

static bool same_point(cg_vec3 a, cg_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Which thread of the source has this name; -1, with a message, for none.
static int find_thread(const cg_poses *poses, const char *path, const char *name, FILE *err)
{
    for (int i = 0; i < poses->thread_count; i++) {
        if (strcmp(poses->threads[i].name, name) == 0) {
            return i;
        }
    }
    fprintf(err, "%s: found no thread \"%s\", expected", path, name);
    for (int i = 0; i < poses->thread_count && i < 20; i++) {
        fprintf(err, "%s \"%s\"", i > 0 ? "," : "", poses->threads[i].name);
    }
    fputc('\n', err);
    return -1;
}

// Takes the threads of a pose, or only one of them. Returns how many, 0 with a message when they are too many or none.
static int take_threads(const cg_pose *pose, int only, int post, const char *path, bool may_be_closed,
                        cg_knot_thread *threads, FILE *err)
{
    int count = 0, total = 0;
    for (int i = 0; i < pose->thread_count; i++) {
        int points = cg_pose_vertex_count(pose, i);
        if (points == 0 || (only >= 0 && i != only && i != post)) {
            continue;
        }
        total++;
        if (count < CG_KNOT_MAX_THREADS) {
            cg_knot_thread *t = &threads[count++];
            t->points = cg_pose_points(pose, i);
            t->count = points;
            t->fixed = i == post;
            if (may_be_closed && points > 3 && same_point(t->points[0], t->points[points - 1])) {
                t->closed = true;
                t->count--;
            }
        }
    }
    if (total != count || count == 0) {
        fprintf(err, "%s: found %d threads, expected one or two; --thread NAME chooses one of a recording\n", path,
                total);
        return 0;
    }
    return count;
}

// Follows one thread through all shapes of a recording and notes when its name changes.
static bool follow(const cg_poses *poses, int thread, finding *found, FILE *err)
{
    cg_knot_tracker *tracker = NULL;
    found->changes = calloc(MOST_CHANGES, sizeof *found->changes);
    if (!found->changes) {
        fputs("catgut knot: no memory left\n", err);
        return false;
    }
    bool good = true;
    for (size_t i = 0; good && i < poses->count; i++) {
        cg_pose pose;
        good = poses->fetch(poses->context, i, &pose, err);
        int points = good ? cg_pose_vertex_count(&pose, thread) : 0;
        if (points == 0) {
            continue;
        }
        if (!tracker && cg_knot_tracker_create(CG_KNOT_MAX_POINTS, NULL, &tracker).code != CG_OK) {
            fputs("catgut knot: no memory left\n", err);
            good = false;
            continue;
        }
        cg_knot_report report;
        if (cg_knot_tracker_update(tracker, cg_pose_points(&pose, thread), points, &report).code != CG_OK) {
            continue;
        }
        bool first = found->change_count == 0;
        if ((first || strcmp(found->changes[found->change_count - 1].name, report.name) != 0) &&
            found->change_count < MOST_CHANGES) {
            change *c = &found->changes[found->change_count++];
            c->time = pose.time;
            memcpy(c->name, report.name, sizeof c->name);
        }
    }
    cg_knot_tracker_destroy(tracker);
    return good;
}

// The one thread that is there at the end; -1 when there are more.
static int single_thread(const cg_pose *pose, int only)
{
    int found = -1, count = 0;
    for (int i = 0; i < pose->thread_count; i++) {
        if (cg_pose_vertex_count(pose, i) > 0 && (only < 0 || only == i)) {
            found = i;
            count++;
        }
    }
    return count == 1 ? found : -1;
}

// The words of the command line.
typedef struct choices {
    const char *thread, *post, *pull;
} choices;

static bool name_source(cg_export_source *source, const char *path, const choices *words, finding *found, FILE *err)
{
    const cg_poses *poses = &source->poses;
    int only = words->thread[0] ? find_thread(poses, path, words->thread, err) : -1;
    int post = words->post[0] ? find_thread(poses, path, words->post, err) : -1;
    if ((words->thread[0] && only < 0) || (words->post[0] && post < 0)) {
        return false;
    }
    if (poses->count == 0) {
        fprintf(err, "%s: found no shape in it\n", path);
        return false;
    }
    cg_pose pose;
    found->recorded = source->recording != NULL;
    if (!poses->fetch(poses->context, poses->count - 1, &pose, err)) {
        return false;
    }
    int single = found->recorded ? single_thread(&pose, only) : -1;
    if (single >= 0 &&
        (!follow(poses, single, found, err) || !poses->fetch(poses->context, poses->count - 1, &pose, err))) {
        return false;
    }
    cg_knot_thread threads[CG_KNOT_MAX_THREADS] = {{0}};
    found->time = pose.time;
    found->thread_count = take_threads(&pose, only, post, path, !found->recorded, threads, err);
    if (found->thread_count == 0 || !read_pull(words->pull, threads, err)) {
        return false;
    }
    cg_status status = cg_knot_identify(threads, found->thread_count, NULL, &found->report);
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", path, status.message);
        return false;
    }
    return true;
}

// Says which knot was probably meant, or where the names are.
static cg_status unknown_knot(const char *name)
{
    static char table[2 * CG_TABLE_KNOTS][16];
    const char *names[CG_CURVE_KIND_COUNT + 2 * CG_TABLE_KNOTS];
    int count = 0;
    for (int kind = 0; kind < CG_CURVE_KIND_COUNT; kind++) {
        names[count++] = cg_curve_kind_name((cg_curve_kind)kind);
    }
    for (int i = 0; i < 2 * CG_TABLE_KNOTS; i++) {
        const cg_table_entry *entry = cg_table_entry_at(i / 2);
        snprintf(table[i], sizeof table[i], "%s%d_%d", i % 2 ? "m" : "", entry->crossings, entry->index);
        names[count++] = table[i];
    }
    const char *nearest = cg_nearest_word(name, names, count);
    if (nearest) {
        return cg_error(CG_BAD_INPUT, "there is no knot \"%.40s\"; did you mean \"%s\"?", name, nearest);
    }
    return cg_error(CG_BAD_INPUT, "there is no knot \"%.40s\"; \"catgut help knot\" lists them", name);
}

// A knot by its name: a curve of the workshop, or a line of the table. False when there is none of that name.
static cg_status make_curve(const char *name, int threads, cg_vec3 *points, int room, cg_curve *curve)
{
    cg_curve_def def = cg_curve_def_default();
    def.thread_count = threads;
    def.tail = 4e-3;
    def.free_tail = 1.5e-3;
    for (int kind = 0; kind < CG_CURVE_KIND_COUNT; kind++) {
        if (strcmp(name, cg_curve_kind_name((cg_curve_kind)kind)) == 0) {
            def.kind = (cg_curve_kind)kind;
            return cg_curve_make(&def, points, room, curve);
        }
    }
    def.mirror = name[0] == 'm';
    for (int i = 0; i < CG_TABLE_KNOTS; i++) {
        const cg_table_entry *entry = cg_table_entry_at(i);
        char own[16];
        snprintf(own, sizeof own, "%d_%d", entry->crossings, entry->index);
        if (strcmp(name + def.mirror, own) == 0) {
            signed char letters[16];
            int count = cg_table_letters(entry->word, letters, 16);
            return cg_curve_make_braid(&def, letters, count, entry->strands, points, room, curve);
        }
    }
    return unknown_knot(name);
}

static int make_knot(const char *name, const char *threads, FILE *out, FILE *err)
{
    enum { MAKE_ROOM = 20000 };
    int count = strcmp(threads, "2") == 0 ? 2 : (strcmp(threads, "1") == 0 ? 1 : 0);
    cg_vec3 *points = count > 0 ? calloc(MAKE_ROOM, sizeof *points) : NULL;
    if (count == 0) {
        fprintf(err, "catgut knot: found --threads \"%s\", expected 1 or 2\n", threads);
        return CG_EXIT_BAD_INPUT;
    }
    if (!points) {
        fputs("catgut knot: no memory left\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    cg_curve curve;
    cg_status status = make_curve(name, count, points, MAKE_ROOM, &curve);
    if (status.code != CG_OK) {
        fprintf(err, "catgut knot: %s\n", status.message);
    } else {
        fprintf(out, "# %s\n", name);
        for (int i = 0; i < curve.point_count[0] + curve.point_count[1]; i++) {
            fprintf(out, "%s%.9g %.9g %.9g\n", i > 0 && i == curve.point_count[0] ? "\n" : "", points[i].x, points[i].y,
                    points[i].z);
        }
    }
    free(points);
    return status.code == CG_OK ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    bool as_json = false;
    const char *path = NULL, *make = "", *threads = "1";
    choices choice = {.thread = "", .post = "", .pull = ""};
    const cg_option options[] = {
        {.name = "--json", .flag = &as_json},
        {.name = "--pull", .value = &choice.pull},
        {.name = "--thread", .value = &choice.thread},
        {.name = "--post", .value = &choice.post},
        {.name = "--make", .value = &make},
        {.name = "--threads", .value = &threads},
    };
    cg_arguments arguments = {.command = "knot", .options = options, .option_count = 6, .max_words = 1, .words = &path};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (make[0] && arguments.word_count == 0) {
        return make_knot(make, threads, out, err);
    }
    if (arguments.word_count == 0) {
        fputs("catgut knot: a FILE to read is needed\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    cg_export_source source = {0};
    finding found = {0};
    bool good = cg_export_source_open(&source, path, 0, false, CG_RERUN_NEVER, err) &&
                name_source(&source, path, &choice, &found, err);
    if (good && as_json) {
        print_json(&found, out);
    } else if (good) {
        print_words(&found, out);
    }
    free(found.changes);
    cg_export_source_close(&source);
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}
