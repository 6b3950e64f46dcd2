// catgut experiment: published experiments, expected against measured.
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "base/nearest.h"
#include "experiments/table.h"
#include "support/arguments.h"
#include "support/folder.h"
#include "support/json.h"
#include "support/origin.h"
#include "support/plot_files.h"

static int run(int count, char **words, FILE *out, FILE *err);
static void each_name(void (*heed)(void *context, const char *name), void *context);

const cg_command cg_command_experiment = {
    .name = "experiment",
    .usage = "[NAME[/PART]...|all] [--long] [--seed N] [--json] [--plot DIR] [--force]",
    .summary = "run experiments whose answer is known and compare",
    .help =
        "Without a name the experiments are listed. Of some a part can be run by itself: tie/stitch/3.\n\n"
        "  --long        more cases and finer steps, where an experiment has them: minutes instead of seconds\n"
        "  --seed N      draw variations from another seed than the one that judges, where they are drawn\n"
        "  --json        print one JSON object instead of tables\n"
        "  --plot DIR    write SVG plots of measured against theory into DIR, their curves as tables beside them\n"
        "  --force       let --plot write over files that are no pictures of catgut\n\n"
        "A quantity passes when |measured - expected| <= tolerance * |expected|; where 0 is expected the tolerance\n"
        "is absolute. \"expected\" is worked out from the theory when the experiment runs; \"published\" is as\n"
        "printed by others. Exit code 0: all pass, 1: an experiment is off its band.\n",
    .run = run,
    .each_name = each_name,
};

static void list(FILE *out)
{
    for (int i = 0; i < CG_EXPERIMENT_COUNT; i++) {
        fprintf(out, "%-18s %s\n", cg_experiments[i]->name, cg_experiments[i]->summary);
    }
}

static void each_name(void (*heed)(void *context, const char *name), void *context)
{
    for (int i = 0; i < CG_EXPERIMENT_COUNT; i++) {
        heed(context, cg_experiments[i]->name);
    }
}

// An experiment that is asked for, whole or one of its parts.
typedef struct wanted {
    const cg_experiment *experiment;
    const char *part; // NULL: all of it
} wanted;

// Those that exist, but not in this build.
static const char *const left_out[] = {
#define CG_EXPERIMENT(name)
#define CG_EXPERIMENT_LEFT_OUT(name) #name,
#include "experiments/experiments.def"
#undef CG_EXPERIMENT_LEFT_OUT
#undef CG_EXPERIMENT
    NULL};

static bool complain(const char *name, FILE *err)
{
    for (int i = 0; left_out[i] != NULL; i++) {
        if (strcmp(name, left_out[i]) == 0) {
            fprintf(err,
                    "catgut experiment: %s needs SuiteSparse, and this program was built without it; \"scripts/setup "
                    "run\" installs it for the next build\n",
                    name);
            return false;
        }
    }
    const char *known[CG_EXPERIMENT_COUNT];
    for (int k = 0; k < CG_EXPERIMENT_COUNT; k++) {
        known[k] = cg_experiments[k]->name;
    }
    const char *nearest = cg_nearest_word(name, known, CG_EXPERIMENT_COUNT);
    fprintf(err, "catgut experiment: there is no experiment \"%s\"; ", name);
    fprintf(err, nearest ? "did you mean \"%s\"?\n" : "\"catgut experiment\" lists them%s\n", nearest ? nearest : "");
    return false;
}

// Turns NAME or NAME/PART into an experiment.
static bool choose_one(const char *word, wanted *chosen, FILE *err)
{
    char name[64];
    const char *slash = strchr(word, '/');
    snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - word) : (int)strlen(word), word);
    *chosen = (wanted){cg_experiment_find(name), slash ? slash + 1 : NULL};
    if (!chosen->experiment) {
        return complain(name, err);
    }
    if (chosen->part && !chosen->experiment->has_part) {
        fprintf(err, "catgut experiment: %s has no parts\n", name);
        return false;
    }
    if (chosen->part && !chosen->experiment->has_part(chosen->part)) {
        fprintf(err, "catgut experiment: %s has no part \"%s\"; expected %s\n", name, chosen->part,
                chosen->experiment->parts);
        return false;
    }
    return true;
}

// Turns names into experiments; "all" stands for the whole list.
static int choose(const char *const *names, int name_count, wanted *chosen, FILE *err)
{
    for (int i = 0; i < name_count; i++) {
        if (strcmp(names[i], "all") == 0) {
            for (int k = 0; k < CG_EXPERIMENT_COUNT; k++) {
                chosen[k] = (wanted){.experiment = cg_experiments[k]};
            }
            return CG_EXPERIMENT_COUNT;
        }
        if (!choose_one(names[i], &chosen[i], err)) {
            return -1;
        }
    }
    return name_count;
}

// A seed means nothing to an experiment that draws nothing.
static bool takes_seed(const wanted *chosen, int count, const char *seed, FILE *err)
{
    for (int i = 0; i < count; i++) {
        if (seed && !chosen[i].experiment->is_drawn) {
            fprintf(err, "catgut experiment: %s draws nothing from a seed\n", chosen[i].experiment->name);
            return false;
        }
    }
    return true;
}

static void print_cell(FILE *out, double value)
{
    if (isfinite(value)) {
        fprintf(out, " %12.6g", value);
    } else {
        fprintf(out, " %12s", "-");
    }
}

static void print_report(const cg_experiment *experiment, const cg_report *report, FILE *out)
{
    fprintf(out, "%s - %s\n", experiment->name, experiment->summary);
    fprintf(out, "  %s\n", experiment->source);
    fprintf(out, "  %-56s %12s %12s %12s %9s %9s  %-10s\n", "", "published", "expected", "measured", "off by",
            "allowed", "unit");
    for (int i = 0; i < report->quantity_count; i++) {
        const cg_quantity *q = &report->quantities[i];
        fprintf(out, "  %-56s", q->name);
        print_cell(out, q->published);
        print_cell(out, q->expected);
        print_cell(out, q->measured);
        // Where 0 is expected there is nothing to be a share of: the numbers are in the quantity's unit.
        if (q->expected == 0) {
            fprintf(out, " %9.2g %9.2g", cg_quantity_error(q), q->tolerance);
        } else {
            fprintf(out, " %7.3f %% %7.3g %%", 100 * cg_quantity_error(q), 100 * q->tolerance);
        }
        fprintf(out, "  %-10s %s\n", q->unit, cg_quantity_passes(q) ? "pass" : "FAIL");
    }
    if (report->trouble[0]) {
        fprintf(out, "  trouble: %s\n", report->trouble);
    }
    fprintf(out, "  %s\n\n", cg_report_passes(report) ? "pass" : "FAIL");
}

static void print_json(cg_json *json, const cg_experiment *experiment, const cg_report *report)
{
    cg_json_begin_object(json);
    cg_json_string_member(json, "name", experiment->name);
    cg_json_string_member(json, "source", experiment->source);
    cg_json_boolean_member(json, "pass", cg_report_passes(report));
    cg_json_name(json, "quantities");
    cg_json_begin_array(json);
    for (int i = 0; i < report->quantity_count; i++) {
        const cg_quantity *q = &report->quantities[i];
        cg_json_begin_line_object(json);
        cg_json_string_member(json, "name", q->name);
        cg_json_number_member(json, "published", q->published);
        cg_json_number_member(json, "expected", q->expected);
        cg_json_number_member(json, "measured", q->measured);
        cg_json_number_member(json, "tolerance", q->tolerance);
        cg_json_string_member(json, "tolerance_is", q->expected == 0 ? "absolute" : "relative");
        cg_json_boolean_member(json, "pass", cg_quantity_passes(q));
        cg_json_string_member(json, "unit", q->unit);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
    cg_json_end_object(json);
}

// The command line, read.
typedef struct wishes {
    bool thorough, as_json, force;
    const char *folder; // for plots; NULL: none
    uint64_t seed;      // 0: the experiment's own
    int word_count;     // of the command line
    char *const *words;
} wishes;

static bool write_plots(const cg_experiment *experiment, const cg_report *report, const wishes *w, FILE *err)
{
    bool good = true;
    for (int i = 0; i < report->plot_count && good; i++) {
        const cg_plot *plot = &report->plots[i];
        char path[4096], seed[24];
        cg_package *package = cg_package_begin("experiment", w->word_count, w->words);
        snprintf(seed, sizeof seed, "%llu", (unsigned long long)w->seed);
        cg_package_fact(package, "experiment", experiment->name);
        cg_package_fact(package, "seed", w->seed != 0 ? seed : "its own");
        int length = snprintf(path, sizeof path, "%s/%s%s%s.svg", w->folder, experiment->name, plot->name[0] ? "_" : "",
                              plot->name);
        good = length > 0 && (size_t)length < sizeof path;
        if (!good) {
            fprintf(err, "%s: the name is too long\n", path);
        }
        good = good && cg_plot_save(plot, path, w->force, package, err);
        cg_package_free(package);
    }
    return good;
}

// What made it, and how.
static void begin_json(cg_json *json, const wishes *w)
{
    char text[320];
    cg_json_begin_object(json);
    cg_json_string_member(json, "program", cg_program_words());
    cg_time_now(text);
    cg_json_string_member(json, "created", text);
    cg_describe_machine(text, sizeof text);
    cg_json_string_member(json, "machine", text);
    cg_json_boolean_member(json, "long", w->thorough);
    snprintf(text, sizeof text, "%llu", (unsigned long long)w->seed);
    cg_json_string_member(json, "seed", w->seed != 0 ? text : NULL);
}

static int run_chosen(const wanted *chosen, int count, const wishes *w, FILE *out, FILE *err)
{
    bool show_progress = err == stderr && isatty(fileno(stderr));
    bool all_pass = true, plots_good = true;
    cg_json json = cg_json_start(out);
    if (w->as_json) {
        begin_json(&json, w);
        cg_json_name(&json, "experiments");
        cg_json_begin_array(&json);
    }
    for (int i = 0; i < count; i++) {
        if (show_progress) {
            fprintf(err, "\r\033[K[%d/%d] %s", i + 1, count, chosen[i].experiment->name);
        }
        cg_report report = {.thorough = w->thorough, .part = chosen[i].part, .seed = w->seed};
        chosen[i].experiment->run(&report);
        if (show_progress) {
            fputs("\r\033[K", err);
        }
        all_pass = all_pass && cg_report_passes(&report);
        if (w->as_json) {
            print_json(&json, chosen[i].experiment, &report);
            if (report.trouble[0]) {
                fprintf(err, "%s: %s\n", chosen[i].experiment->name, report.trouble);
            }
        } else {
            print_report(chosen[i].experiment, &report, out);
        }
        fflush(out);
        plots_good = plots_good && (!w->folder || write_plots(chosen[i].experiment, &report, w, err));
        cg_report_free(&report);
    }
    if (w->as_json) {
        cg_json_end_array(&json);
        cg_json_end_object(&json);
    }
    return !plots_good ? CG_EXIT_BAD_INPUT : all_pass ? CG_EXIT_DONE : CG_EXIT_BAD_RESULT;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    wishes w = {.word_count = count, .words = words};
    const char *seed = NULL;
    const cg_option options[] = {
        {.name = "--long", .flag = &w.thorough}, {.name = "--seed", .value = &seed},
        {.name = "--json", .flag = &w.as_json},  {.name = "--plot", .value = &w.folder},
        {.name = "--force", .flag = &w.force},
    };
    const char *names[CG_EXPERIMENT_COUNT];
    cg_arguments arguments = {.command = "experiment",
                              .options = options,
                              .option_count = 5,
                              .max_words = CG_EXPERIMENT_COUNT,
                              .words = names};
    if (!cg_arguments_read(&arguments, count, words, err) || !cg_read_seed(&arguments, seed, 0, &w.seed, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (arguments.word_count == 0) {
        if (w.as_json || w.folder || w.thorough || w.force || seed) {
            fputs("catgut experiment: name an experiment, or all\n", err);
            return CG_EXIT_BAD_INPUT;
        }
        list(out);
        return CG_EXIT_DONE;
    }
    wanted chosen[CG_EXPERIMENT_COUNT];
    int chosen_count = choose(names, arguments.word_count, chosen, err);
    if (chosen_count < 0 || !takes_seed(chosen, chosen_count, seed, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (w.folder && !cg_make_folder(w.folder)) {
        fprintf(err, "catgut experiment: the folder %s cannot be made (%s)\n", w.folder, strerror(errno));
        return CG_EXIT_BAD_INPUT;
    }
    return run_chosen(chosen, chosen_count, &w, out, err);
}
