// catgut bench: what steps and their parts cost on this machine.
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "base/nearest.h"
#include "bench/bench.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/origin.h"

static int run(int count, char **words, FILE *out, FILE *err);
static void each_name(void (*heed)(void *context, const char *name), void *context);

const cg_command cg_command_bench = {
    .name = "bench",
    .usage = "[NAME] [--json] [--problems DIR]",
    .summary = "measure what a step costs on this machine",
    .help =
        "NAME is a row or the beginning of one, up to a slash: thread, thread/kirchhoff, thread/kirchhoff/600.\n"
        "The groups are thread, linalg, lapack, record, knots, names, tissue, press and meet; without a NAME all of\n"
        "them are measured, which takes a minute or two and 7 GB of memory. Times are CPU times of the program's own\n"
        "thread.\n"
        "\"friction\" is a bench of its own: the friction solvers on stored problems of a knot. So are \"collide\":\n"
        "finding contacts, by several methods, \"sphere_tree\": surfaces that deform, and \"tie\": scripted\n"
        "procedures, by the steps of their scripts (tie/square, tie/surgeon, tie/stitch); and \"gpu\": cloths and "
        "threads\n"
        "in batches on a core and, where the build has one, on a graphics processor.\n\n"
        "  --json           print one JSON object instead of a table\n"
        "  --problems DIR   the folder of the friction problems; otherwise the environment's CATGUT_PROBLEMS,\n"
        "                   or tests/solve/problems\n\n"
        "Ratios are worked out from rows of the same run; those whose rows are left out are left out too. A row that\n"
        "cannot be measured is named with the reason, in \"failed\" of the JSON too, and the exit code is 1.\n",
    .run = run,
    .each_name = each_name,
};

static const double SECONDS_EACH = 0.3;

typedef struct ratio {
    char name[96];
    double value;
} ratio;

// Grows as it needs to.
typedef struct ratio_list {
    ratio *items;
    int count, capacity;
    bool failed; // no memory left
} ratio_list;

static void add_ratio(ratio_list *list, const char *name, double value)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 16;
        ratio *larger = realloc(list->items, (size_t)capacity * sizeof *larger);
        if (!larger) {
            list->failed = true;
            return;
        }
        list->items = larger;
        list->capacity = capacity;
    }
    ratio *next = &list->items[list->count++];
    snprintf(next->name, sizeof next->name, "%s", name);
    next->value = value;
}

// Time per vertex of one row over that of another.
static bool per_vertex(const cg_bench *bench, const char *above, const char *below, double *value)
{
    const cg_subject *a = cg_bench_find(bench, above), *b = cg_bench_find(bench, below);
    if (!a || !b) {
        return false;
    }
    *value = a->median / a->vertices / (b->median / b->vertices);
    return true;
}

// How much faster than the clock rows run, and how deep threads sank into each other meanwhile.
static void work_out_real_time(const cg_bench *bench, ratio_list *ratios)
{
    char name[96];
    for (int i = 0; i < bench->count; i++) {
        const cg_subject *row = &bench->subjects[i];
        if (row->simulated > 0) { // every sample counts
            snprintf(name, sizeof name, "real_time_factor/%s", row->name);
            add_ratio(ratios, name, row->simulated / row->mean);
        }
        if (row->overlap) {
            snprintf(name, sizeof name, "overlap_in_diameters/%s", row->name);
            add_ratio(ratios, name, row->overlap(row->state));
        }
    }
}

// Rows that are made to be compared: the seed's algorithms beside ours, and what is beside something else or near
// nothing with what it costs alone.
static void work_out_pairs(const cg_bench *bench, ratio_list *ratios)
{
    static const struct {
        const char *name, *above, *below;
    } pairs[] = {{"many_solves_over_coupling/100", "knots/many_solves/100", "knots/coupling/100"},
                 {"recursion_over_coupling/100", "knots/recursion/100", "knots/coupling/100"},
                 {"hash_over_broad/600", "knots/hash/600", "knots/broad/600"},
                 {"row_form_over_column_form/50", "knots/row_form/50", "knots/column_form/50"},
                 {"fixed_over_follow/pulled", "knots/pulled", "knots/follow/pulled"},
                 {"fixed_over_follow/held", "knots/held", "knots/follow/held"},
                 {"fixed_over_follow/carried", "knots/carried", "knots/follow/carried"},
                 {"fine_over_follow/travel", "knots/travel", "knots/follow/travel"},
                 {"beside_over_alone/cord", "beside/cord", "beside/alone"},
                 {"beside_over_alone/needle", "beside/needle", "beside/alone"},
                 {"nothing_near_over_apart/lay", "lay/above", "lay/apart"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const cg_subject *above = cg_bench_find(bench, pairs[i].above), *below = cg_bench_find(bench, pairs[i].below);
        if (above && below) {
            add_ratio(ratios, pairs[i].name, above->median / below->median);
        }
    }
}

static void work_out_ratios(const cg_bench *bench, ratio_list *ratios)
{
    work_out_pairs(bench, ratios);
    work_out_real_time(bench, ratios);
    double value;
    if (per_vertex(bench, "thread/kirchhoff/600", "thread/kirchhoff/200", &value)) {
        add_ratio(ratios, "time_per_vertex_600_over_200", value);
    }
    if (per_vertex(bench, "thread/contact/600", "thread/kirchhoff/600", &value)) {
        add_ratio(ratios, "contact_where_nothing_is_near/600", value);
    }
    if (per_vertex(bench, "thread/kirchhoff/2000", "thread/kirchhoff/200", &value)) {
        add_ratio(ratios, "time_per_vertex_2000_over_200", value);
    }
    if (per_vertex(bench, "tissue/step/40000", "tissue/step/2000", &value)) {
        add_ratio(ratios, "time_per_node_40000_over_2000", value);
    }
    if (per_vertex(bench, "tissue/force/40000", "tissue/force/2000", &value)) {
        add_ratio(ratios, "force_per_node_40000_over_2000", value);
    }
    static const char *const plain_names[3][3] = {{"plain_over_step/2000", "tissue/plain/2000", "tissue/step/2000"},
                                                  {"plain_over_step/8000", "tissue/plain/8000", "tissue/step/8000"},
                                                  {"plain_over_step/40000", "tissue/plain/40000", "tissue/step/40000"}};
    for (int k = 0; k < 3; k++) {
        const cg_subject *above = cg_bench_find(bench, plain_names[k][1]);
        const cg_subject *below = cg_bench_find(bench, plain_names[k][2]);
        if (above && below) {
            add_ratio(ratios, plain_names[k][0], above->median / below->median);
        }
    }
    const cg_subject *sweep = cg_bench_find(bench, "tissue/sweep/8000");
    if (sweep) {
        add_ratio(ratios, "sweeps_in_a_thirtieth/8000", 1.0 / 30 / sweep->median);
    }
    const cg_subject *factor = cg_bench_find(bench, "linalg/factor/600");
    const cg_subject *solve = cg_bench_find(bench, "linalg/solve/600");
    const cg_subject *dpbtrf = cg_bench_find(bench, "lapack/dpbtrf/600");
    const cg_subject *dpbtrs = cg_bench_find(bench, "lapack/dpbtrs/600");
    if (factor && solve && dpbtrf && dpbtrs) {
        value = (dpbtrf->median + dpbtrs->median) / (factor->median + solve->median);
        add_ratio(ratios, "lapack_over_catgut_factor_solve/600", value);
    }
    const cg_subject *step = cg_bench_find(bench, "record/step/600");
    const cg_subject *plain = cg_bench_find(bench, "record/plain/600");
    const cg_subject *zstd = cg_bench_find(bench, "record/zstd/600");
    if (step && plain && zstd) {
        add_ratio(ratios, "recording_over_step/plain/600", plain->median / step->median);
        add_ratio(ratios, "recording_over_1_kHz/plain/600", plain->median / 1e-3);
        add_ratio(ratios, "recording_over_1_kHz/zstd/600", zstd->median / 1e-3);
    }
    const cg_subject *bench_a = cg_bench_find(bench, "thread/bench_a/600");
    if (bench_a) {
        add_ratio(ratios, "real_time_factor/bench_a/600", 1e-3 / bench_a->median); // its step is 1 ms
    }
}

static void print_json(const cg_bench *bench, const char *machine, const ratio_list *ratios, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    char now[32];
    cg_time_now(now);
    cg_json_string_member(&json, "program", cg_program_words());
    cg_json_string_member(&json, "created", now);
    cg_json_string_member(&json, "machine", machine);
    cg_json_name(&json, "results");
    cg_json_begin_array(&json);
    for (int i = 0; i < bench->count; i++) {
        const cg_subject *subject = &bench->subjects[i];
        cg_json_begin_line_object(&json);
        cg_json_string_member(&json, "name", subject->name);
        cg_json_number_member(&json, "median_us", 1e6 * subject->median);
        cg_json_number_member(&json, "p99_us", 1e6 * subject->p99);
        cg_json_number_member(&json, "worst_us", 1e6 * subject->worst);
        cg_json_number_member(&json, "samples", subject->count);
        cg_json_end_object(&json);
    }
    cg_json_end_array(&json);
    cg_json_name(&json, "ratios");
    cg_json_begin_array(&json);
    for (int i = 0; i < ratios->count; i++) {
        cg_json_begin_line_object(&json);
        cg_json_string_member(&json, "name", ratios->items[i].name);
        cg_json_number_member(&json, "value", ratios->items[i].value);
        cg_json_end_object(&json);
    }
    cg_json_end_array(&json);
    cg_bench_write_troubles(bench, &json);
    cg_json_end_object(&json);
}

static void print_table(const cg_bench *bench, const char *machine, const ratio_list *ratios, FILE *out)
{
    fprintf(out, "%s\n\n%-36s %12s %12s %12s %9s\n", machine, "", "median [us]", "p99 [us]", "worst [us]", "samples");
    for (int i = 0; i < bench->count; i++) {
        const cg_subject *subject = &bench->subjects[i];
        fprintf(out, "%-36s %12.2f %12.2f %12.2f %9d\n", subject->name, 1e6 * subject->median, 1e6 * subject->p99,
                1e6 * subject->worst, subject->count);
    }
    fputc('\n', out);
    for (int i = 0; i < ratios->count; i++) {
        fprintf(out, "%-44s %12.3f\n", ratios->items[i].name, ratios->items[i].value);
    }
}

// Rows, and each group of them once.
typedef struct name_list {
    void (*heed)(void *context, const char *name);
    void *context;
    char group[64]; // the last one
} name_list;

static void hand_on(void *context, const char *name, bool is_row)
{
    name_list *list = context;
    bool is_group = strchr(name, '/') == NULL && strcmp(name, list->group) != 0;
    if (is_group) {
        snprintf(list->group, sizeof list->group, "%s", name);
    }
    if (is_row || is_group) {
        list->heed(list->context, name);
    }
}

static void each_name(void (*heed)(void *context, const char *name), void *context)
{
    name_list list = {.heed = heed, .context = context};
    cg_bench_each_name(hand_on, &list);
}

// The nearest of the names that a bench has.
typedef struct search {
    const char *word;
    char best[64];
} search;

static void compare(void *context, const char *name, bool is_row)
{
    (void)is_row;
    search *s = context;
    const char *candidates[2] = {s->best, name};
    const char *nearest = cg_nearest_word(s->word, candidates + (s->best[0] == '\0'), s->best[0] == '\0' ? 1 : 2);
    if (nearest == name) {
        snprintf(s->best, sizeof s->best, "%s", name);
    }
}

static int complain_unknown(const char *name, FILE *err)
{
    if (strncmp(name, "lapack", 6) == 0 && !cg_bench_has_lapack()) {
        fputs("catgut bench: this program was built without LAPACK\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    search s = {.word = name};
    cg_bench_each_name(compare, &s);
    fprintf(err, "catgut bench: there is nothing called \"%s\"; ", name);
    fprintf(err, s.best[0] ? "did you mean \"%s\"?\n" : "see \"catgut help bench\"%s\n", s.best);
    return CG_EXIT_BAD_INPUT;
}

// Measures all that is in the bench and prints it.
static int measure(cg_bench *bench, const char *machine, bool as_json, FILE *out, FILE *err)
{
    bool told = err == stderr && isatty(fileno(stderr));
    cg_bench_warm_up(bench);
    if (told) {
        double expected = cg_bench_expected_seconds(bench, SECONDS_EACH);
        fprintf(err, "measuring %d rows: about %.0f s of CPU time\n", bench->count, ceil(expected));
    }
    cg_bench_measure(bench, SECONDS_EACH);
    ratio_list ratios = {0};
    work_out_ratios(bench, &ratios);
    if (ratios.failed) {
        cg_bench_fail(bench, "ratios", "no memory left");
    }
    (as_json ? print_json : print_table)(bench, machine, &ratios, out);
    free(ratios.items);
    if (!cg_bench_has_lapack() && !bench->filter) {
        fputs("catgut bench: built without LAPACK, so the comparison with it is left out\n", err);
    }
    cg_bench_print_troubles(bench, err);
    return bench->failed ? CG_EXIT_BAD_RESULT : CG_EXIT_DONE;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    bool as_json = false;
    const char *name = NULL;
    const char *problems = NULL;
    const cg_option options[] = {{.name = "--json", .flag = &as_json}, {.name = "--problems", .value = &problems}};
    cg_arguments arguments = {
        .command = "bench", .options = options, .option_count = 2, .max_words = 1, .words = &name};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    char machine[512];
    cg_describe_machine(machine, sizeof machine);
    if (name && strcmp(name, "friction") == 0) {
        return cg_bench_friction(problems, as_json, machine, out, err);
    }
    if (name && strcmp(name, "collide") == 0 && !problems) {
        return cg_bench_collide(as_json, machine, out, err);
    }
    if (name && strcmp(name, "gpu") == 0 && !problems) {
        return cg_bench_gpu(as_json, machine, out, err);
    }
    if (name && strcmp(name, "sphere_tree") == 0 && !problems) {
        return cg_bench_sphere_tree(as_json, machine, out, err);
    }
    if (name && cg_bench_is_tie(name) && !problems) {
        return cg_bench_tie(name, as_json, machine, out, err);
    }
    if (problems) {
        fputs("catgut bench: --problems goes with \"friction\" only\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    cg_bench bench = {.filter = name};
    if (err == stderr && isatty(fileno(stderr))) {
        fputs("making what is to be measured\n", err);
    }
    cg_bench_add_all(&bench);
    if (bench.count == 0 && !bench.failed) {
        return complain_unknown(name, err);
    }
    int code = measure(&bench, machine, as_json, out, err);
    cg_bench_free(&bench);
    return code;
}
