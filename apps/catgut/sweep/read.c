// Designs of sweeps, read from files.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/version.h"
#include "scene/json.h"
#include "support/scene_files.h"
#include "sweep/sweep.h"
#include "sweep/text.h"
#include "training/task_files.h"

enum { MOST_BYTES = 8 * 1024 * 1024 };

// Sets an error at a value; false, to be returned.
static bool wrong(cg_scene_error *error, const char *path, const cg_json_value *value, const char *why)
{
    cg_scene_error_set(error, path, why);
    error->line = value->line;
    error->column = value->column;
    return false;
}

typedef struct reading {
    cg_sweep *sweep;
    const char *path;
    cg_scene_error *error;
} reading;

static bool read_grid(reading *r, const cg_json_value *grid)
{
    for (int i = 0; i < grid->count; i++) {
        const cg_json_value *list = grid->as.items[i];
        if (r->sweep->field_count == CG_SWEEP_MOST_FIELDS) {
            return wrong(r->error, r->path, list, "found more fields than 32; expected fewer");
        }
        cg_sweep_field *field = &r->sweep->fields[r->sweep->field_count++];
        if (list->kind != CG_JSON_ARRAY || list->count < 1 || list->count > CG_SWEEP_MOST_VALUES) {
            return wrong(r->error, r->path, list, "expected the values of this field, a list of 1 to 10000");
        }
        if (list->name[0] != '/' || strlen(list->name) >= sizeof field->pointer) {
            return wrong(r->error, r->path, list, "the name of a field is a JSON pointer, \"/threads/0/friction\"");
        }
        strcpy(field->pointer, list->name);
        field->values = calloc((size_t)list->count, sizeof *field->values);
        field->count = list->count;
        for (int k = 0; field->values != NULL && k < list->count; k++) {
            if (!cg_json_print(list->as.items[k], field->values[k], sizeof field->values[k])) {
                return wrong(r->error, r->path, list->as.items[k],
                             "found a value of more than 95 bytes; expected less");
            }
        }
        if (field->values == NULL) {
            return wrong(r->error, r->path, list, "no memory");
        }
    }
    return true;
}

// A number, or one with a unit: "2 mm".
static bool read_bound(const cg_json_value *value, double *number, char unit[16])
{
    unit[0] = '\0';
    if (value->kind == CG_JSON_NUMBER) {
        *number = value->as.number;
        return true;
    }
    char *end;
    if (value->kind != CG_JSON_STRING) {
        return false;
    }
    *number = strtod(value->as.string, &end);
    while (*end == ' ') {
        end++;
    }
    return end != value->as.string && isfinite(*number) && strlen(end) < 16 && strcpy(unit, end) != NULL;
}

static bool read_drawn(reading *r, const cg_json_value *fields, bool by_ratio)
{
    for (int i = 0; i < fields->count; i++) {
        const cg_json_value *list = fields->as.items[i];
        cg_sweep_field *field = &r->sweep->fields[r->sweep->field_count];
        char unit[16];
        if (r->sweep->field_count == CG_SWEEP_MOST_FIELDS || list->name[0] != '/' ||
            strlen(list->name) >= sizeof field->pointer) {
            return wrong(r->error, r->path, list, "expected up to 32 fields, each by its JSON pointer");
        }
        strcpy(field->pointer, list->name);
        field->by_ratio = by_ratio;
        if (list->kind != CG_JSON_ARRAY || list->count != 2 ||
            !read_bound(list->as.items[0], &field->low, field->unit) ||
            !read_bound(list->as.items[1], &field->high, unit) || strcmp(unit, field->unit) != 0 ||
            !(field->low <= field->high) || (by_ratio && !(field->low > 0))) {
            return wrong(
                r->error, r->path, list,
                "expected two numbers of one unit, [least, most], between which it is drawn; above 0 in \"log\"");
        }
        r->sweep->field_count++;
    }
    return true;
}

static bool read_whole(const cg_json_value *value, double least, double most, double *number)
{
    *number = value->kind == CG_JSON_NUMBER ? value->as.number : NAN;
    return *number >= least && *number <= most && *number == floor(*number);
}

static bool read_random(reading *r, const cg_json_value *random)
{
    double count = 0, seed = 1;
    for (int i = 0; i < random->count; i++) {
        const cg_json_value *member = random->as.items[i];
        bool good = true;
        if (strcmp(member->name, "count") == 0) {
            good = read_whole(member, 1, CG_SWEEP_MOST_ROWS, &count);
        } else if (strcmp(member->name, "seed") == 0) {
            good = read_whole(member, 0, 9e15, &seed);
        } else if (strcmp(member->name, "fields") == 0 || strcmp(member->name, "log") == 0) {
            if (!read_drawn(r, member, member->name[0] == 'l')) {
                return false;
            }
        } else {
            return wrong(r->error, r->path, member, "expected count, seed, fields or log");
        }
        if (!good) {
            return wrong(r->error, r->path, member, "expected a whole number: count from 1, seed from 0");
        }
    }
    if (count < 1) {
        return wrong(r->error, r->path, random, "how many are to be drawn is missing: \"count\"");
    }
    r->sweep->draw_count = (int)count;
    r->sweep->draw_seed = (uint64_t)seed;
    return true;
}

// [1, 2, 3], or {"from": 1, "to": 200}.
static bool read_seeds(reading *r, const cg_json_value *value)
{
    double from, to;
    const cg_json_value *first = cg_json_find(value, "from"), *last = cg_json_find(value, "to");
    bool is_range = first != NULL && last != NULL && read_whole(first, 0, 9e15, &from) &&
                    read_whole(last, from, from + CG_SWEEP_MOST_VALUES - 1, &to);
    int count = is_range ? (int)(to - from) + 1 : value->kind == CG_JSON_ARRAY ? value->count : 0;
    if (count < 1 || count > CG_SWEEP_MOST_VALUES) {
        return wrong(r->error, r->path, value, "expected seeds: [1, 2, 3] or {\"from\": 1, \"to\": 200}, up to 10000");
    }
    free(r->sweep->seeds);
    r->sweep->seeds = calloc((size_t)count, sizeof *r->sweep->seeds);
    r->sweep->seed_count = count;
    for (int i = 0; r->sweep->seeds != NULL && i < count; i++) {
        double seed = is_range ? from + i : NAN;
        if (!is_range && !read_whole(value->as.items[i], 0, 9e15, &seed)) {
            return wrong(r->error, r->path, value->as.items[i], "expected a whole number, 0 or more");
        }
        r->sweep->seeds[i] = (uint64_t)seed;
    }
    return r->sweep->seeds != NULL || wrong(r->error, r->path, value, "no memory");
}

static bool find_script(reading *r, const cg_json_value *value, char path[CG_MOST_PATH])
{
    if (value->kind != CG_JSON_STRING) {
        return wrong(r->error, r->path, value, "expected the name of a script");
    }
    return r->sweep->task_path[0] != '\0' ? cg_task_script(r->sweep->task_path, value->as.string, path, r->error)
                                          : cg_find_named(value->as.string, CG_NAMED_SCRIPT, path, r->error);
}

static bool read_scripts(reading *r, const cg_json_value *value)
{
    bool is_one = value->kind == CG_JSON_STRING;
    int count = is_one ? 1 : value->kind == CG_JSON_ARRAY ? value->count : 0;
    if (count < 1 || count > CG_SWEEP_MOST_VALUES) {
        return wrong(r->error, r->path, value, "expected the name of a script, or a list of them");
    }
    free(r->sweep->scripts);
    r->sweep->scripts = calloc((size_t)count, sizeof *r->sweep->scripts);
    r->sweep->script_count = r->sweep->scripts != NULL ? count : 0;
    for (int i = 0; i < r->sweep->script_count; i++) {
        if (!find_script(r, is_one ? value : value->as.items[i], r->sweep->scripts[i])) {
            return false;
        }
    }
    return r->sweep->scripts != NULL || wrong(r->error, r->path, value, "no memory");
}

static bool read_seconds(reading *r, const cg_json_value *value)
{
    char unit[16];
    bool good = read_bound(value, &r->sweep->seconds, unit);
    double scale = unit[0] == '\0' || strcmp(unit, "s") == 0 ? 1 : strcmp(unit, "ms") == 0 ? 1e-3 : NAN;
    r->sweep->seconds *= scale;
    if (!good || !(r->sweep->seconds >= 0 && r->sweep->seconds <= 1e6)) {
        return wrong(r->error, r->path, value, "expected how long a run lasts, \"2 s\" or \"20 ms\"");
    }
    return true;
}

// What is run comes before all that speaks of it, wherever it stands in the file.
static bool read_subject(reading *r, const cg_json_value *root)
{
    cg_sweep *sweep = r->sweep;
    const cg_json_value *scene = cg_json_find(root, "scene"), *task = cg_json_find(root, "task");
    const cg_json_value *one = scene != NULL ? scene : task;
    if ((scene == NULL) == (task == NULL) || one->kind != CG_JSON_STRING) {
        return wrong(r->error, r->path, root, "expected either a \"scene\" or a \"task\", by its name or file");
    }
    if (scene != NULL) {
        return cg_find_named(scene->as.string, CG_NAMED_SCENE, sweep->scene, r->error);
    }
    return cg_find_named(task->as.string, CG_NAMED_TASK, sweep->task_path, r->error) &&
           cg_task_load(sweep->task_path, &sweep->task, r->error) &&
           cg_find_named(cg_task_scene(sweep->task), CG_NAMED_SCENE, sweep->scene, r->error);
}

static bool read_members(reading *r, const cg_json_value *root)
{
    static const struct {
        const char *name;
        bool (*read)(reading *, const cg_json_value *);
    } members[] = {{"grid", read_grid},       {"random", read_random},  {"seeds", read_seeds},
                   {"scripts", read_scripts}, {"script", read_scripts}, {"seconds", read_seconds}};
    for (int i = 0; i < root->count; i++) {
        const cg_json_value *member = root->as.items[i];
        bool known = strcmp(member->name, "scene") == 0 || strcmp(member->name, "task") == 0;
        for (size_t k = 0; k < sizeof members / sizeof members[0]; k++) {
            if (strcmp(member->name, members[k].name) == 0) {
                known = true;
                if (!members[k].read(r, member)) {
                    return false;
                }
            }
        }
        if (!known) {
            return wrong(r->error, r->path, member,
                         "expected scene, task, grid, random, seeds, script, scripts or seconds");
        }
    }
    return true;
}

// What was not said.
static bool read_rest(reading *r, const cg_json_value *root)
{
    cg_sweep *sweep = r->sweep;
    if (sweep->seeds == NULL) {
        sweep->seeds = calloc(1, sizeof *sweep->seeds);
        sweep->seed_count = 1;
    }
    if (sweep->scripts == NULL) {
        const char *expert = sweep->task != NULL ? cg_task_expert(sweep->task) : NULL;
        sweep->scripts = calloc(1, sizeof *sweep->scripts);
        sweep->script_count = 1;
        if (sweep->scripts != NULL && expert != NULL &&
            !cg_task_script(sweep->task_path, expert, sweep->scripts[0], r->error)) {
            return false;
        }
    }
    if (sweep->seeds == NULL || sweep->scripts == NULL) {
        return wrong(r->error, r->path, root, "no memory");
    }
    double rows = (double)sweep->draw_count * sweep->seed_count * sweep->script_count;
    for (int i = 0; i < sweep->field_count; i++) {
        rows *= sweep->fields[i].count > 0 ? sweep->fields[i].count : 1;
    }
    if (rows > CG_SWEEP_MOST_ROWS) {
        return wrong(r->error, r->path, root, "found a design of more than ten million runs; expected fewer");
    }
    sweep->row_count = (int64_t)rows;
    return true;
}

static uint64_t mix_file(uint64_t key, const char *path, bool *good)
{
    char why[128];
    size_t size;
    char *text = cg_file_read(path, MOST_BYTES, &size, why, sizeof why);
    *good = *good && text != NULL;
    key = text != NULL ? cg_text_mix(key, text, size) : key;
    free(text);
    return key;
}

// The design, the scene, scripts and task as they are now, and the motion of this program.
static bool make_key(cg_sweep *sweep, const char *text, size_t size)
{
    bool good = true;
    uint64_t key = cg_text_mix(CG_MOTION_VERSION, text, size);
    key = cg_text_mix(key, sweep->scene_text, sweep->scene_size);
    for (int i = 0; i < sweep->script_count; i++) {
        key = sweep->scripts[i][0] != '\0' ? mix_file(key, sweep->scripts[i], &good) : key;
    }
    sweep->key = sweep->task != NULL ? key ^ cg_task_rules(sweep->task) : key;
    return good;
}

static bool load_tree(reading *r, const cg_json_value *root, const char *text, size_t size)
{
    char why[160];
    if (!read_subject(r, root) || !read_members(r, root) || !read_rest(r, root)) {
        return false;
    }
    r->sweep->scene_text = cg_file_read(r->sweep->scene, MOST_BYTES, &r->sweep->scene_size, why, sizeof why);
    if (r->sweep->scene_text == NULL) {
        cg_scene_error_set(r->error, r->sweep->scene, why);
        return false;
    }
    if (!make_key(r->sweep, text, size)) {
        cg_scene_error_set(r->error, r->path, "a script cannot be read");
        return false;
    }
    // The first and the last row are made once, so that a pointer that leads nowhere is found before a night is over.
    for (int i = 0; i < 2; i++) {
        cg_sweep_row row;
        cg_scene *scene = NULL;
        cg_sweep_get_row(r->sweep, i == 0 ? 0 : r->sweep->row_count - 1, &row);
        if (!cg_sweep_scene(r->sweep, &row, &scene, r->error)) {
            return false;
        }
        cg_scene_free(scene);
    }
    return true;
}

bool cg_sweep_load(const char *path, cg_sweep *sweep, cg_scene_error *error)
{
    char why[160];
    size_t size;
    cg_json_tree *tree = NULL;
    *sweep = (cg_sweep){.seconds = -1, .draw_count = 1};
    *error = (cg_scene_error){0};
    char *text = cg_file_read(path, MOST_BYTES, &size, why, sizeof why);
    if (text == NULL) {
        cg_scene_error_set(error, path, why);
        return false;
    }
    reading r = {.sweep = sweep, .path = path, .error = error};
    bool good = cg_json_tree_read(text, size, path, NULL, &tree, error) == CG_OK;
    if (good && cg_json_root(tree)->kind != CG_JSON_OBJECT) {
        good = wrong(error, path, cg_json_root(tree), "expected an object");
    }
    good = good && load_tree(&r, cg_json_root(tree), text, size);
    cg_json_tree_free(tree);
    free(text);
    if (!good) {
        cg_sweep_free(sweep);
    }
    return good;
}

void cg_sweep_free(cg_sweep *sweep)
{
    for (int i = 0; i < sweep->field_count; i++) {
        free(sweep->fields[i].values);
    }
    free(sweep->seeds);
    free(sweep->scripts);
    free(sweep->scene_text);
    cg_task_free(sweep->task);
    *sweep = (cg_sweep){0};
}
