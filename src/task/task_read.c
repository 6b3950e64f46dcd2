// Reads task files: the tables of their fields, and what tables cannot say.
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "scene/fields.h"
#include "scene/units.h"
#include "task/task.h"

#define AT(type, member) .offset = offsetof(type, member)
#define COUNT(fields) (int)(sizeof fields / sizeof fields[0])

// Farther away than this [m] nothing is placed.
#define FAR 1e3

typedef struct task_spec {
    const char *schema, *title, *scene, *expert;
    const cg_json_value *instructions, *goal, *rubric, *mistakes, *vary;
    double time_limit; // [s]
    double pass;
} task_spec;

typedef struct goal_spec {
    const cg_json_value *targets, *line, *knot, *items, *stitch;
} goal_spec;

typedef struct criterion_spec {
    int measure;
    const cg_json_value *bands;
    bool must, done;
    double need;
    const char *advice;
} criterion_spec;

typedef struct mistake_spec {
    const char *script;
    int measure;
} mistake_spec;

static const char *const drawing_words[] = {"closed", "cutting", "touching", NULL}; // as cg_drawing
static const char *const measure_words[] = {
#define CG_MEASURE(id, unit, better, text, advice) #id,
#include "catgut/measures.def"
#undef CG_MEASURE
    NULL};

// clang-format off
static const cg_scene_field targets_fields[] = {
    {.name = "centre", .kind = CG_SCENE_VECTOR, AT(cg_goal_targets, centre), .unit = "m", .low = -FAR, .high = FAR,
     .preset = "[0, 0, 0]", .text = "the middle of the ball"},
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_goal_targets, radius), .unit = "m", .low = 0, .high = 10,
     .above_low = true, .required = true, .text = "radius of the ball"},
    {.name = "count", .kind = CG_SCENE_INTEGER, AT(cg_goal_targets, count), .low = 1, .high = CG_TASK_MOST_TARGETS,
     .required = true, .text = "how many targets there are"},
    {.name = "size", .kind = CG_SCENE_QUANTITY, AT(cg_goal_targets, size), .unit = "m", .low = 0, .high = 1,
     .above_low = true, .required = true, .text = "radius of a target: a tip that comes nearer to its middle touches it"},
    {.name = "facing", .kind = CG_SCENE_VECTOR, AT(cg_goal_targets, facing), .unit = "", .low = -1e6, .high = 1e6,
     .preset = "[0, 0, 1]", .text = "the side of the ball that they are on"},
    {.name = "spread", .kind = CG_SCENE_QUANTITY, AT(cg_goal_targets, spread), .unit = "rad", .low = 0, .high = CG_PI,
     .above_low = true, .preset = "\"80 deg\"", .text = "largest angle from there"},
};
static const cg_scene_type type_targets = {.name = "targets", .text = "Spheres on a ball, at places that the seed of an "
    "attempt chooses; touched by a tip they are gone.", .fields = targets_fields, .field_count = COUNT(targets_fields)};

static const cg_scene_field line_fields[] = {
    {.name = "points", .kind = CG_SCENE_POINTS, AT(cg_goal_line, given), .low = 2, .high = CG_TASK_MOST_TARGETS,
     .text = "the corners of the line"},
    {.name = "retrace", .kind = CG_SCENE_FLAG, AT(cg_goal_line, retrace),
     .text = "true: the line is what the first hand draws, and the others follow it"},
    {.name = "least", .kind = CG_SCENE_QUANTITY, AT(cg_goal_line, least), .unit = "m", .low = 0, .high = 10, .preset = "0",
     .text = "a line that a hand draws counts when it is as long as this"},
    {.name = "while", .kind = CG_SCENE_WORD, AT(cg_goal_line, drawing), .words = drawing_words, .preset = "\"closed\"",
     .text = "when a tip draws: while its hand is closed, its scalpel cuts, or it feels more than 10 mN"},
    {.name = "tolerance", .kind = CG_SCENE_QUANTITY, AT(cg_goal_line, tolerance), .unit = "m", .low = 0, .high = 1,
     .above_low = true, .required = true, .text = "a part of the line is followed when the tip came nearer than this"},
    {.name = "across", .kind = CG_SCENE_VECTOR, AT(cg_goal_line, across), .unit = "", .low = -1e6, .high = 1e6,
     .preset = "[0, 0, 0]", .text = "distances along this direction do not count, as the depth of a cut; zero: all count"},
};
static const cg_scene_type type_line = {.name = "a line", .text = "A line to draw or cut along.", .fields = line_fields,
    .field_count = COUNT(line_fields), .one_of = {"points", "retrace"}};

static const cg_scene_field knot_fields[] = {
    {.name = "name", .kind = CG_SCENE_TEXT, AT(cg_goal_knot, name), .low = 1, .high = 71, .required = true,
     .text = "as \"catgut knot\" names it: \"square\", \"3_1\", \"no knot\", or its throws: \"2=1=1\""},
    {.name = "thread", .kind = CG_SCENE_TEXT, AT(cg_goal_knot, thread), .low = 1, .high = 255,
     .text = "the thread; without it the first of the scene"},
    {.name = "hold", .kind = CG_SCENE_QUANTITY, AT(cg_goal_knot, hold), .unit = "s", .low = 0, .high = 60,
     .preset = "\"0.5 s\"", .text = "how long it must be there after all hands let go"},
};
static const cg_scene_type type_knot = {.name = "a knot", .text = "A knot that a thread must end in.",
    .fields = knot_fields, .field_count = COUNT(knot_fields)};

static const cg_scene_field items_fields[] = {
    {.name = "position", .kind = CG_SCENE_VECTOR, AT(cg_goal_items, position), .unit = "m", .low = -FAR, .high = FAR,
     .required = true, .text = "middle of the bottom of the receptacle, a cylinder along z"},
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_goal_items, radius), .unit = "m", .low = 0, .high = 10,
     .above_low = true, .required = true, .text = "radius of the receptacle"},
    {.name = "height", .kind = CG_SCENE_QUANTITY, AT(cg_goal_items, height), .unit = "m", .low = 0, .high = 10,
     .above_low = true, .required = true, .text = "its height"},
};
static const cg_scene_type type_items = {.name = "items", .text = "All threads of the scene must be put into a receptacle.",
    .fields = items_fields, .field_count = COUNT(items_fields)};

static const cg_scene_field stitch_fields[] = {
    {.name = "marks", .kind = CG_SCENE_POINTS, AT(cg_goal_stitch, given_marks), .low = 1, .high = CG_TASK_MOST_TARGETS,
     .text = "places on the skin that the needle must go through, in the shape in which the tissue is made"},
    {.name = "size", .kind = CG_SCENE_QUANTITY, AT(cg_goal_stitch, size), .unit = "m", .low = 0, .high = 1,
     .above_low = true, .preset = "\"1 mm\"", .text = "a mark is met when a hole is nearer than this"},
    {.name = "holes", .kind = CG_SCENE_INTEGER, AT(cg_goal_stitch, holes), .low = 0, .high = 64, .preset = "0",
     .text = "that a thread must go through, of skin and of lips"},
    {.name = "out", .kind = CG_SCENE_FLAG, AT(cg_goal_stitch, out), .preset = "false",
     .text = "true: no needle may be in the tissue any more"},
    {.name = "wound", .kind = CG_SCENE_POINTS, AT(cg_goal_stitch, given_wound), .low = 2, .high = 2,
     .text = "two places along the wound between which it must be closed; at five places it is looked at"},
    {.name = "depth", .kind = CG_SCENE_QUANTITY, AT(cg_goal_stitch, depth), .unit = "m", .low = 0, .high = 1,
     .above_low = true, .preset = "\"3 mm\"", .text = "to which the lips are looked at: at its bottom a wound is closed"},
    {.name = "gap", .kind = CG_SCENE_QUANTITY, AT(cg_goal_stitch, gap), .unit = "m", .low = 0, .high = 1,
     .preset = "\"1 mm\"", .text = "the wound is closed when it is open no farther"},
    {.name = "knot", .kind = CG_SCENE_TEXT, AT(cg_goal_stitch, knot.name), .low = 1, .high = 63,
     .text = "that the thread must have, by name or throws, with all hands open; without it none is asked for"},
    {.name = "thread", .kind = CG_SCENE_TEXT, AT(cg_goal_stitch, knot.thread), .low = 1, .high = 255,
     .text = "the thread that has it; without it the first of the scene"},
    {.name = "knots", .kind = CG_SCENE_INTEGER, AT(cg_goal_stitch, knot.count), .low = 1, .high = CG_TASK_MOST_KNOTS,
     .text = "in how many threads of the scene, or parts that were cut off, it must be, instead of in one"},
    {.name = "hold", .kind = CG_SCENE_QUANTITY, AT(cg_goal_stitch, knot.hold), .unit = "s", .low = 0, .high = 60,
     .preset = "\"0.5 s\"", .text = "how long all of this must be so"},
};
static const cg_scene_type type_stitch = {.name = "a stitch", .text = "What is to be sewn in the first tissue.",
    .fields = stitch_fields, .field_count = COUNT(stitch_fields)};

static const cg_scene_field goal_fields[] = {
    {.name = "targets", .kind = CG_SCENE_OBJECT, AT(goal_spec, targets), .type = &type_targets, .text = "targets to touch"},
    {.name = "line", .kind = CG_SCENE_OBJECT, AT(goal_spec, line), .type = &type_line, .text = "a line to follow"},
    {.name = "knot", .kind = CG_SCENE_OBJECT, AT(goal_spec, knot), .type = &type_knot, .text = "a knot to tie, or none"},
    {.name = "items", .kind = CG_SCENE_OBJECT, AT(goal_spec, items), .type = &type_items, .text = "things to put away"},
    {.name = "stitch", .kind = CG_SCENE_OBJECT, AT(goal_spec, stitch), .type = &type_stitch, .text = "what is to be sewn"},
};
static const cg_scene_type type_goal = {.name = "a goal", .text = "What ends a task.", .fields = goal_fields,
    .field_count = COUNT(goal_fields), .exactly_one = true};

static const cg_scene_field criterion_fields[] = {
    {.name = "measure", .kind = CG_SCENE_WORD, AT(criterion_spec, measure), .words = measure_words, .required = true,
     .text = "what is measured"},
    {.name = "bands", .kind = CG_SCENE_INPUTS, AT(criterion_spec, bands), .low = 2, .high = CG_TASK_MOST_BANDS,
     .required = true, .text = "pairs [value, points], values rising; straight between them, and the same beyond the ends"},
    {.name = "must", .kind = CG_SCENE_FLAG, AT(criterion_spec, must), .preset = "false",
     .text = "without a point here the task is not passed"},
    {.name = "need", .kind = CG_SCENE_QUANTITY, AT(criterion_spec, need), .unit = "", .low = 0, .high = 1, .preset = "0",
     .text = "share of the points here without which the task is not passed"},
    {.name = "done", .kind = CG_SCENE_FLAG, AT(criterion_spec, done), .preset = "false",
     .text = "says how much was done, as targets_reached, coverage and knot_right always do; the points of all other lines "
             "are for that share"},
    {.name = "advice", .kind = CG_SCENE_TEXT, AT(criterion_spec, advice), .low = 1, .high = 255,
     .text = "what to do when this cost most; without it that of the measure"},
};
static const cg_scene_type type_criterion = {.name = "a line of the rubric", .text = "What a measure is worth.",
    .fields = criterion_fields, .field_count = COUNT(criterion_fields)};

static const cg_scene_field mistake_fields[] = {
    {.name = "script", .kind = CG_SCENE_TEXT, AT(mistake_spec, script), .low = 1, .high = 63, .required = true,
     .text = "a script that fails"},
    {.name = "measure", .kind = CG_SCENE_WORD, AT(mistake_spec, measure), .words = measure_words, .required = true,
     .text = "the measure that its advice must be about"},
};
static const cg_scene_type type_mistake = {.name = "a mistake", .text = "A script that does the task badly.",
    .fields = mistake_fields, .field_count = COUNT(mistake_fields)};

static const cg_scene_field vary_fields[] = {
    {.name = "threads", .kind = CG_SCENE_TEXTS, AT(cg_variation, threads), .low = 0, .high = CG_TASK_MOST_NAMES,
     .text = "names of threads that stand elsewhere in every attempt"},
    {.name = "shapes", .kind = CG_SCENE_TEXTS, AT(cg_variation, shapes), .low = 0, .high = CG_TASK_MOST_NAMES,
     .text = "the same of rigid shapes"},
    {.name = "bodies", .kind = CG_SCENE_TEXTS, AT(cg_variation, bodies), .low = 0, .high = CG_TASK_MOST_NAMES,
     .text = "the same of rigid bodies"},
    {.name = "hands", .kind = CG_SCENE_TEXTS, AT(cg_variation, hands), .low = 0, .high = CG_TASK_MOST_NAMES,
     .text = "the same of hands"},
    {.name = "goal", .kind = CG_SCENE_FLAG, AT(cg_variation, goal), .preset = "false",
     .text = "true: what the goal speaks of goes along"},
    {.name = "shift", .kind = CG_SCENE_VECTOR, AT(cg_variation, shift), .unit = "m", .low = 0, .high = 10,
     .preset = "[0, 0, 0]", .text = "how far at most, to either side"},
    {.name = "turn", .kind = CG_SCENE_QUANTITY, AT(cg_variation, turn), .unit = "rad", .low = 0, .high = CG_PI,
     .preset = "0", .text = "how far it turns about z at most, to either side"},
    {.name = "about", .kind = CG_SCENE_VECTOR, AT(cg_variation, about), .unit = "m", .low = -FAR, .high = FAR,
     .preset = "[0, 0, 0]", .text = "the place about which it turns"},
};
static const cg_scene_type type_vary = {.name = "a variation", .text = "What stands elsewhere in every attempt, together.",
    .fields = vary_fields, .field_count = COUNT(vary_fields)};

static const cg_scene_field task_fields[] = {
    {.name = "$schema", .kind = CG_SCENE_TEXT, AT(task_spec, schema), .low = 0, .high = 1000, .text = "for editors"},
    {.name = "title", .kind = CG_SCENE_TEXT, AT(task_spec, title), .low = 1, .high = 120, .required = true,
     .text = "one line about the task"},
    {.name = "scene", .kind = CG_SCENE_TEXT, AT(task_spec, scene), .low = 1, .high = 63, .required = true,
     .text = "the name of its scene, whose start is that of the task"},
    {.name = "instructions", .kind = CG_SCENE_TEXTS, AT(task_spec, instructions), .low = 1,
     .high = CG_TASK_MOST_INSTRUCTIONS, .required = true, .text = "what to do, sentence by sentence"},
    {.name = "time_limit", .kind = CG_SCENE_QUANTITY, AT(task_spec, time_limit), .unit = "s", .low = 0, .high = 3600,
     .above_low = true, .preset = "\"300 s\"", .text = "when an attempt is over, whatever was reached"},
    {.name = "goal", .kind = CG_SCENE_OBJECT, AT(task_spec, goal), .type = &type_goal, .required = true,
     .text = "what ends it"},
    {.name = "vary", .kind = CG_SCENE_OBJECTS, AT(task_spec, vary), .type = &type_vary, .low = 0,
     .high = CG_TASK_MOST_VARIATIONS, .text = "what stands elsewhere in every attempt, as its seed draws it"},
    {.name = "rubric", .kind = CG_SCENE_OBJECTS, AT(task_spec, rubric), .type = &type_criterion, .low = 1,
     .high = CG_TASK_MOST_CRITERIA, .required = true, .text = "what measures are worth"},
    {.name = "pass", .kind = CG_SCENE_QUANTITY, AT(task_spec, pass), .unit = "", .low = 0, .high = 1, .preset = "0.7",
     .text = "share of all points that is needed to pass"},
    {.name = "expert", .kind = CG_SCENE_TEXT, AT(task_spec, expert), .low = 1, .high = 63,
     .text = "a script that does it well"},
    {.name = "mistakes", .kind = CG_SCENE_OBJECTS, AT(task_spec, mistakes), .type = &type_mistake, .low = 0,
     .high = CG_TASK_MOST_MISTAKES, .text = "scripts that do it badly"},
};
static const cg_scene_type type_task = {.name = "a task", .text = "A task.", .fields = task_fields,
    .field_count = COUNT(task_fields)};
// clang-format on

// Goals

// Places, each another one than the one before; *count of them, none where they are not given.
static bool read_points(const cg_json_value *given, cg_vec3 *points, int *count, cg_scene_error *error)
{
    *count = given != NULL ? given->count : 0;
    for (int i = 0; i < *count; i++) {
        if (!cg_json_vector(given->as.items[i], "m", &points[i], error)) {
            return false;
        }
        if (i > 0 && !(v3_distance(points[i], points[i - 1]) > 0)) {
            return cg_error_at_value(error, given->as.items[i],
                                     "found the point before it again; expected one that is elsewhere");
        }
    }
    return true;
}

static bool read_line(const cg_json_value *object, cg_goal_line *line, cg_scene_error *error)
{
    if (line->given == NULL && !line->retrace) {
        return cg_error_at_value(error, cg_json_find(object, "retrace"), "found false; expected true, or \"points\"");
    }
    line->across = v3_unit_or(line->across, v3_zero());
    return read_points(line->given, line->points, &line->count, error);
}

static bool read_stitch(const cg_json_value *object, cg_goal_stitch *stitch, cg_scene_error *error)
{
    int ends;
    uint64_t given;
    *stitch = (cg_goal_stitch){.size = 1e-3, .depth = 3e-3, .gap = 1e-3, .knot = {.hold = 0.5}};
    if (!cg_scene_read_fields(&type_stitch, object, stitch, &given, error)) {
        return false;
    }
    stitch->has_wound = stitch->given_wound != NULL;
    if (stitch->given_marks == NULL && !stitch->has_wound && stitch->holes == 0) {
        return cg_error_at_value(error, object, "found nothing to be sewn; expected \"marks\", \"holes\" or \"wound\"");
    }
    if (stitch->knot.count > 0 && (stitch->knot.name == NULL || stitch->knot.thread != NULL)) {
        return cg_error_at_value(error, cg_json_find(object, "knots"),
                                 "found a number of knots; expected \"knot\" with it, and no \"thread\"");
    }
    return read_points(stitch->given_marks, stitch->marks, &stitch->mark_count, error) &&
           read_points(stitch->given_wound, stitch->wound, &ends, error);
}

static bool read_goal(const cg_json_value *value, cg_goal *goal, cg_scene_error *error)
{
    goal_spec spec = {0};
    uint64_t given;
    if (!cg_scene_read_fields(&type_goal, value, &spec, &given, error)) {
        return false;
    }
    if (spec.targets != NULL) {
        goal->kind = CG_GOAL_TARGETS;
        goal->targets = (cg_goal_targets){.facing = {0, 0, 1}, .spread = CG_PI * 80 / 180};
        return cg_scene_read_fields(&type_targets, spec.targets, &goal->targets, &given, error);
    }
    if (spec.knot != NULL) {
        goal->kind = CG_GOAL_KNOT;
        goal->knot.hold = 0.5;
        return cg_scene_read_fields(&type_knot, spec.knot, &goal->knot, &given, error);
    }
    if (spec.items != NULL) {
        goal->kind = CG_GOAL_ITEMS;
        return cg_scene_read_fields(&type_items, spec.items, &goal->items, &given, error);
    }
    if (spec.stitch != NULL) {
        goal->kind = CG_GOAL_STITCH;
        return read_stitch(spec.stitch, &goal->stitch, error);
    }
    goal->kind = CG_GOAL_LINE;
    return cg_scene_read_fields(&type_line, spec.line, &goal->line, &given, error) &&
           read_line(spec.line, &goal->line, error);
}

// The rubric

static bool read_band(const cg_json_value *band, const char *unit, double *at, double *points, cg_scene_error *error)
{
    if (band->kind != CG_JSON_ARRAY || band->count != 2) {
        return cg_error_at_value(error, band, "found %s%s; expected a pair [value, points]",
                                 cg_json_kind_name(band->kind),
                                 band->kind == CG_JSON_ARRAY ? " of another length" : "");
    }
    const cg_json_value *worth = band->as.items[1];
    if (!cg_json_quantity(band->as.items[0], unit, at, error) || !cg_json_quantity(worth, "", points, error)) {
        return false;
    }
    return (*points >= 0 && *points <= 1000) ||
           cg_error_at_value(error, worth, "found %g points; expected 0 to 1000", *points);
}

// Values rise, and more of what is better never gives fewer points.
static bool check_band(const cg_criterion *criterion, int i, const cg_json_value *band, cg_scene_error *error)
{
    const cg_measure_info *info = cg_measure_get_info(criterion->measure);
    if (i == 0) {
        return true;
    }
    if (!(criterion->at[i] > criterion->at[i - 1])) {
        return cg_error_at_value(error, band, "found a value that is not above the one before; expected rising values");
    }
    double more = criterion->points[i] - criterion->points[i - 1];
    if (info->higher_is_better ? more < 0 : more > 0) {
        return cg_error_at_value(error, band, "found %s points for a higher %s; expected %s, as %s is better",
                                 more < 0 ? "fewer" : "more", info->name, more < 0 ? "no fewer" : "no more",
                                 info->higher_is_better ? "more of it" : "less of it");
    }
    return true;
}

static bool read_criterion(const cg_json_value *value, cg_criterion *criterion, cg_scene_error *error)
{
    criterion_spec spec = {0};
    uint64_t given;
    if (!cg_scene_read_fields(&type_criterion, value, &spec, &given, error)) {
        return false;
    }
    criterion->measure = spec.measure;
    criterion->must = spec.must || spec.need > 0;
    criterion->need = spec.need;
    criterion->is_done = spec.done || spec.measure == CG_MEASURE_targets_reached ||
                         spec.measure == CG_MEASURE_coverage || spec.measure == CG_MEASURE_knot_right;
    criterion->advice = spec.advice;
    const char *unit = cg_measure_get_info(spec.measure)->unit;
    for (int i = 0; i < spec.bands->count; i++) {
        const cg_json_value *band = spec.bands->as.items[i];
        if (!read_band(band, unit, &criterion->at[i], &criterion->points[i], error) ||
            !check_band(criterion, i, band, error)) {
            return false;
        }
    }
    criterion->band_count = spec.bands->count;
    return cg_criterion_most(criterion) > 0 ||
           cg_error_at_value(error, spec.bands, "found no points for any value; expected some");
}

static bool read_rubric(const cg_json_value *list, cg_task *task, cg_scene_error *error)
{
    for (int i = 0; i < list->count; i++) {
        cg_criterion *criterion = &task->criteria[i];
        if (!read_criterion(list->as.items[i], criterion, error)) {
            return false;
        }
        for (int k = 0; k < i; k++) {
            if (task->criteria[k].measure == criterion->measure) {
                return cg_error_at_value(error, list->as.items[i],
                                         "found the measure %s a second time; expected it once",
                                         measure_words[criterion->measure]);
            }
        }
    }
    task->criterion_count = list->count;
    return true;
}

// A mistake must be one that the rubric can show.
static bool read_mistakes(const cg_json_value *list, cg_task *task, cg_scene_error *error)
{
    for (int i = 0; list != NULL && i < list->count; i++) {
        mistake_spec spec = {0};
        uint64_t given;
        bool is_worth = false;
        if (!cg_scene_read_fields(&type_mistake, list->as.items[i], &spec, &given, error)) {
            return false;
        }
        for (int k = 0; k < task->criterion_count; k++) {
            is_worth = is_worth || task->criteria[k].measure == spec.measure;
        }
        if (!is_worth) {
            return cg_error_at_value(error, list->as.items[i], "found the measure %s; expected one of the rubric",
                                     measure_words[spec.measure]);
        }
        task->mistakes[task->mistake_count++] = (cg_mistake){spec.script, spec.measure};
    }
    return true;
}

static bool are_names(const cg_json_value *list, cg_scene_error *error)
{
    for (int i = 0; list != NULL && i < list->count; i++) {
        const cg_json_value *item = list->as.items[i];
        if (item->kind != CG_JSON_STRING || strlen(item->as.string) > CG_TASK_MOST_NAME) {
            return cg_error_at_value(error, item, "found %s; expected a name of at most %d bytes",
                                     cg_json_kind_name(item->kind), CG_TASK_MOST_NAME);
        }
    }
    return true;
}

static bool read_variations(const cg_json_value *list, cg_task *task, cg_scene_error *error)
{
    for (int i = 0; list != NULL && i < list->count; i++) {
        cg_variation *variation = &task->variations[task->variation_count++];
        uint64_t given;
        if (!cg_scene_read_fields(&type_vary, list->as.items[i], variation, &given, error) ||
            !are_names(variation->threads, error) || !are_names(variation->shapes, error) ||
            !are_names(variation->bodies, error) || !are_names(variation->hands, error)) {
            return false;
        }
    }
    return true;
}

static bool read_instructions(const cg_json_value *list, cg_task *task, cg_scene_error *error)
{
    for (int i = 0; i < list->count; i++) {
        const cg_json_value *item = list->as.items[i];
        if (item->kind != CG_JSON_STRING) {
            return cg_error_at_value(error, item, "found %s; expected a sentence", cg_json_kind_name(item->kind));
        }
        task->instructions[task->instruction_count++] = item->as.string;
    }
    return true;
}

static bool read_task(cg_task *task, cg_scene_error *error)
{
    const cg_json_value *root = cg_json_root(task->tree);
    task_spec spec = {.time_limit = 300, .pass = 0.7};
    uint64_t given;
    if (root->kind != CG_JSON_OBJECT) {
        return cg_error_at_value(error, root, "found %s; expected an object", cg_json_kind_name(root->kind));
    }
    if (!cg_scene_read_fields(&type_task, root, &spec, &given, error)) {
        return false;
    }
    task->title = spec.title;
    task->scene = spec.scene;
    task->expert = spec.expert;
    task->time_limit = spec.time_limit;
    task->pass = spec.pass;
    return read_instructions(spec.instructions, task, error) && read_goal(spec.goal, &task->goal, error) &&
           read_variations(spec.vary, task, error) && read_rubric(spec.rubric, task, error) &&
           read_mistakes(spec.mistakes, task, error);
}

cg_status cg_task_read(const char *text, size_t size, const char *name, const cg_allocator *allocator, cg_task **out,
                       cg_scene_error *error)
{
    cg_allocator chosen = allocator != NULL ? *allocator : (cg_allocator){0};
    *out = NULL;
    *error = (cg_scene_error){.line = 1, .column = 1};
    cg_scene_error_file(error, name);
    cg_task *task = cg_memory_take(&chosen, sizeof *task);
    if (task == NULL) {
        cg_scene_error_at(error, 1, 1, "no memory for the task");
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a task");
    }
    task->allocator = chosen;
    cg_hash hash = cg_hash_begin();
    cg_hash_add_bytes(&hash, text, size);
    task->rules = cg_hash_end(&hash);
    cg_code code = cg_json_tree_read(text, size, name, &chosen, &task->tree, error);
    code = code == CG_OK && !read_task(task, error) ? CG_BAD_INPUT : code;
    if (code != CG_OK) {
        cg_task_free(task);
        return cg_error(code, "%s:%d:%d: %.120s", error->file, error->line, error->column, error->message);
    }
    *out = task;
    return cg_ok();
}

void cg_task_free(cg_task *task)
{
    if (task != NULL) {
        cg_allocator allocator = task->allocator;
        cg_json_tree_free(task->tree);
        cg_memory_give(&allocator, task);
    }
}

// What was read

uint64_t cg_task_rules(const cg_task *task)
{
    return task->rules;
}

const char *cg_task_title(const cg_task *task)
{
    return task->title;
}

const char *cg_task_scene(const cg_task *task)
{
    return task->scene;
}

const char *cg_task_instruction(const cg_task *task, int index)
{
    return index >= 0 && index < task->instruction_count ? task->instructions[index] : NULL;
}

double cg_task_time_limit(const cg_task *task)
{
    return task->time_limit;
}

const char *cg_task_expert(const cg_task *task)
{
    return task->expert;
}

bool cg_task_mistake(const cg_task *task, int index, const char **script, int *measure)
{
    if (index < 0 || index >= task->mistake_count) {
        return false;
    }
    *script = task->mistakes[index].script;
    *measure = task->mistakes[index].measure;
    return true;
}
