// What the page is told of tasks and progress, as JSON.
#define _POSIX_C_SOURCE 200809L // open_memstream

#include "training/tell.h"

#include <stdlib.h>
#include <string.h>

#include "support/scene_files.h"
#include "training/curves.h"
#include "training/report.h"

enum { MOST_CURRICULUM_BYTES = 64 * 1024 };

// All attempts by trainee and task, as the logbook has them.
typedef struct history {
    cg_curves curves;
} history;

static bool read_history(const cg_training_service *service, history *self, char *why)
{
    cg_logbook *book;
    char told[CG_LOGBOOK_WHY] = "";
    *self = (history){0};
    if (!cg_training_open_book(service, &book, why)) {
        return false;
    }
    bool good = cg_curves_read(&self->curves, book, NULL, NULL, told);
    cg_logbook_close(book);
    if (!good) {
        snprintf(why, CG_HOST_WHY_BYTES, "%s", told);
        cg_curves_free(&self->curves);
    }
    return good;
}

static const cg_curve_group *find_group(const history *self, const char *trainee, const char *task)
{
    for (int i = 0; i < self->curves.count; i++) {
        const cg_curve_group *group = &self->curves.groups[i];
        if (strcmp(group->trainee, trainee) == 0 && strcmp(group->task, task) == 0) {
            return group;
        }
    }
    return NULL;
}

// Groups are sorted by trainee. Those who do scripts are nobody to choose, but the expert to compare with.
static void tell_trainees(cg_json *json, const history *self)
{
    const char *last = "";
    cg_json_name(json, "trainees");
    cg_json_begin_array(json);
    for (int i = 0; i < self->curves.count; i++) {
        const char *name = self->curves.groups[i].trainee;
        if (strcmp(name, last) != 0) {
            cg_json_string(json, name);
        }
        last = name;
    }
    cg_json_end_array(json);
}

static void tell_summary(cg_json *json, const cg_curve_group *group)
{
    cg_curve_summary summary = group != NULL ? cg_curve_summarise(group) : (cg_curve_summary){0};
    cg_json_number_member(json, "attempts", summary.finished);
    cg_json_number_member(json, "passed", summary.passed);
    cg_json_number_member(json, "best", summary.best);
    cg_json_number_member(json, "last", summary.last);
    cg_json_number_member(json, "last_seconds", summary.last_seconds);
}

// The curriculum: a text beside the tasks, a name a line, with headings behind "#".

typedef struct curriculum {
    char *text;
    char **names; // of all tasks that are here, without endings
    int count;
    bool *told;
} curriculum;

static char *read_order(const char *folder)
{
    char path[CG_MOST_PATH + 32], why[128];
    size_t size;
    snprintf(path, sizeof path, "%s/curriculum.txt", folder);
    return cg_file_read(path, MOST_CURRICULUM_BYTES, &size, why, sizeof why);
}

static bool read_curriculum(curriculum *self)
{
    char folder[CG_MOST_PATH - 64], tasks[CG_MOST_PATH];
    *self = (curriculum){0};
    if (!cg_scene_folder(folder, sizeof folder)) {
        return false;
    }
    snprintf(tasks, sizeof tasks, "%s/tasks", folder);
    self->names = cg_names_in(tasks, CG_NAMED_TASK, &self->count);
    self->told = calloc((size_t)self->count + 1, sizeof *self->told);
    self->text = read_order(tasks);
    for (int i = 0; i < self->count; i++) {
        self->names[i][strlen(self->names[i]) - strlen(".json")] = '\0';
    }
    return self->names != NULL && self->told != NULL;
}

static void end_curriculum(curriculum *self)
{
    cg_names_free(self->names, self->count);
    free(self->told);
    free(self->text);
}

static void tell_one(cg_json *json, const char *name, const char *group, const history *done, const char *trainee)
{
    char path[CG_MOST_PATH], why[CG_HOST_WHY_BYTES] = "";
    cg_task *task;
    bool good = cg_training_task(name, path, &task, why);
    cg_json_begin_object(json);
    cg_json_string_member(json, "name", name);
    cg_json_string_member(json, "group", group);
    cg_json_string_member(json, "title", good ? cg_task_title(task) : name);
    cg_json_string_member(json, "scene", good ? cg_task_scene(task) : NULL);
    cg_json_string_member(json, "error", good ? NULL : why);
    tell_summary(json, find_group(done, trainee, name));
    cg_json_end_object(json);
    cg_task_free(task);
}

static void tell_named(cg_json *json, curriculum *self, const char *name, const char *group, const history *done,
                       const char *trainee)
{
    for (int i = 0; i < self->count; i++) {
        if (strcmp(self->names[i], name) == 0 && !self->told[i]) {
            self->told[i] = true;
            tell_one(json, name, group, done, trainee);
        }
    }
}

// Those of the curriculum in its order, then all others.
static void tell_in_order(cg_json *json, curriculum *self, const history *done, const char *trainee)
{
    const char *group = "Tasks";
    char *rest = NULL;
    for (char *line = self->text != NULL ? strtok_r(self->text, "\n", &rest) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char *word = line + strspn(line, " \t");
        word[strcspn(word, "\r")] = '\0';
        if (word[0] == '#') {
            group = word + 1 + strspn(word + 1, " ");
        } else {
            tell_named(json, self, word, group, done, trainee);
        }
    }
    for (int i = 0; i < self->count; i++) {
        tell_named(json, self, self->names[i], self->text != NULL ? "Others" : group, done, trainee);
    }
}

static bool tell_tasks(const cg_training_service *service, const cg_wire_ask_training *asked, cg_json *json, char *why)
{
    history done;
    curriculum list;
    if (!read_history(service, &done, why)) {
        return false;
    }
    bool good = read_curriculum(&list);
    if (!good) {
        snprintf(why, CG_HOST_WHY_BYTES, "there is no folder of tasks");
    } else {
        tell_trainees(json, &done);
        cg_json_name(json, "tasks");
        cg_json_begin_array(json);
        tell_in_order(json, &list, &done, asked->trainee);
        cg_json_end_array(json);
    }
    end_curriculum(&list);
    cg_curves_free(&done.curves);
    return good;
}

// One task

static void tell_point(cg_json *json, cg_vec3 point)
{
    cg_json_begin_array(json);
    cg_json_number(json, point.x);
    cg_json_number(json, point.y);
    cg_json_number(json, point.z);
    cg_json_end_array(json);
}

static void tell_points(cg_json *json, const char *name, const cg_vec3 *points, int count)
{
    cg_json_name(json, name);
    cg_json_begin_array(json);
    for (int i = 0; i < count; i++) {
        tell_point(json, points[i]);
    }
    cg_json_end_array(json);
}

void cg_tell_marks(cg_json *json, const cg_task_marks *marks)
{
    cg_json_name(json, "marks");
    cg_json_begin_object(json);
    tell_points(json, "targets", marks->targets, marks->target_count);
    cg_json_number_member(json, "target_size", marks->target_size);
    tell_points(json, "line", marks->line, marks->line_count);
    cg_json_number_member(json, "line_tolerance", marks->line_tolerance);
    if (marks->has_dish) {
        cg_json_name(json, "dish");
        tell_point(json, marks->dish);
        cg_json_number_member(json, "dish_radius", marks->dish_radius);
        cg_json_number_member(json, "dish_height", marks->dish_height);
    }
    cg_json_string_member(json, "knot", marks->knot);
    cg_json_end_object(json);
}

static void tell_rubric(cg_json *json, const cg_task *task)
{
    cg_measures nothing = {.of = {{0}}};
    cg_score score = cg_task_score(task, &nothing);
    cg_json_number_member(json, "most", score.most);
    cg_json_number_member(json, "needed", score.pass_points);
    cg_json_name(json, "rubric");
    cg_json_begin_array(json);
    for (int i = 0; i < score.line_count; i++) {
        const cg_score_line *line = &score.lines[i];
        cg_json_begin_object(json);
        cg_json_string_member(json, "measure", cg_measure_get_info(line->measure)->name);
        cg_json_string_member(json, "text", cg_measure_get_info(line->measure)->text);
        cg_json_number_member(json, "most", line->most);
        cg_json_boolean_member(json, "must", line->must);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

static void tell_scripts(cg_json *json, const cg_task *task)
{
    const char *script;
    int measure;
    cg_json_string_member(json, "expert", cg_task_expert(task));
    cg_json_name(json, "mistakes");
    cg_json_begin_array(json);
    for (int i = 0; cg_task_mistake(task, i, &script, &measure); i++) {
        cg_json_begin_object(json);
        cg_json_string_member(json, "script", script);
        cg_json_string_member(json, "measure", cg_measure_get_info(measure)->name);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

static void tell_briefing(cg_json *json, const char *name, const char *path, const cg_task *task, uint64_t seed)
{
    cg_json_string_member(json, "name", name);
    cg_json_string_member(json, "title", cg_task_title(task));
    cg_json_string_member(json, "scene", cg_task_scene(task));
    cg_json_string_member(json, "file", path);
    cg_json_number_member(json, "time_limit", cg_task_time_limit(task));
    cg_json_name(json, "instructions");
    cg_json_begin_array(json);
    for (int i = 0; cg_task_instruction(task, i) != NULL; i++) {
        cg_json_string(json, cg_task_instruction(task, i));
    }
    cg_json_end_array(json);
    tell_rubric(json, task);
    tell_scripts(json, task);
    cg_task_marks marks = cg_task_get_marks(task, seed);
    cg_tell_marks(json, &marks);
}

// With all that the task names: a teacher sees what is wrong with its scene or scripts here.
static bool tell_task(const cg_training_service *service, const cg_wire_ask_training *asked, cg_json *json, char *why)
{
    char path[CG_MOST_PATH];
    cg_task *task;
    cg_scene_error error = {0};
    history done;
    if (!cg_training_task(asked->task, path, &task, why)) {
        return false;
    }
    bool good = cg_task_check(path, &error);
    if (!good) {
        cg_scene_error_say(&error, why, CG_HOST_WHY_BYTES);
    }
    good = good && read_history(service, &done, why);
    if (good) {
        tell_briefing(json, asked->task, path, task, asked->number);
        tell_summary(json, find_group(&done, asked->trainee, asked->task));
        cg_json_boolean_member(json, "has_way", find_group(&done, CG_EXPERT_NAME, asked->task) != NULL);
        cg_curves_free(&done.curves);
    }
    cg_task_free(task);
    return good;
}

// Progress

// Of each finished attempt: number, when, share of the points, seconds, passed.
static void tell_attempts(cg_json *json, const cg_curve_group *group)
{
    cg_json_begin_array(json);
    for (int i = 0; group != NULL && i < group->count; i++) {
        const cg_curve_attempt *attempt = &group->attempts[i];
        if (attempt->finished) {
            cg_json_begin_array(json);
            cg_json_number(json, (double)attempt->id);
            cg_json_number(json, (double)attempt->started);
            cg_json_number(json, attempt->most > 0 ? attempt->points / attempt->most : 0);
            cg_json_number(json, attempt->seconds);
            cg_json_boolean(json, attempt->passed);
            cg_json_string(json, attempt->worst);
            cg_json_end_array(json);
        }
    }
    cg_json_end_array(json);
}

static void tell_expert(cg_json *json, const cg_curve_group *group)
{
    cg_curve_summary summary = group != NULL ? cg_curve_summarise(group) : (cg_curve_summary){0};
    cg_json_name(json, "expert");
    if (summary.finished == 0) {
        cg_json_string(json, NULL);
        return;
    }
    cg_json_begin_object(json);
    cg_json_number_member(json, "share", summary.last);
    cg_json_number_member(json, "seconds", summary.last_seconds);
    cg_json_end_object(json);
}

static void tell_curve(cg_json *json, const history *done, const cg_curve_group *group)
{
    char path[CG_MOST_PATH], unused[CG_HOST_WHY_BYTES];
    cg_task *task;
    bool good = cg_training_task(group->task, path, &task, unused);
    cg_json_begin_object(json);
    cg_json_string_member(json, "name", group->task);
    cg_json_string_member(json, "title", good ? cg_task_title(task) : group->task);
    cg_measures nothing = {.of = {{0}}};
    cg_score score = good ? cg_task_score(task, &nothing) : (cg_score){.most = 1};
    cg_json_number_member(json, "pass", score.most > 0 ? score.pass_points / score.most : 0);
    tell_expert(json, find_group(done, CG_EXPERT_NAME, group->task));
    cg_json_name(json, "attempts");
    tell_attempts(json, group);
    cg_json_end_object(json);
    cg_task_free(task);
}

static bool tell_progress(const cg_training_service *service, const cg_wire_ask_training *asked, cg_json *json,
                          char *why)
{
    history done;
    if (!read_history(service, &done, why)) {
        return false;
    }
    cg_json_string_member(json, "trainee", asked->trainee);
    tell_trainees(json, &done);
    cg_json_name(json, "tasks");
    cg_json_begin_array(json);
    for (int i = 0; i < done.curves.count; i++) {
        const cg_curve_group *group = &done.curves.groups[i];
        if (strcmp(group->trainee, asked->trainee) == 0 && cg_curve_summarise(group).finished > 0) {
            tell_curve(json, &done, group);
        }
    }
    cg_json_end_array(json);
    cg_curves_free(&done.curves);
    return true;
}

static bool tell(cg_training_service *service, const cg_wire_ask_training *asked, cg_json *json, char *why)
{
    switch (asked->kind) {
    case CG_CHOICE_training_kind_tasks:
        return tell_tasks(service, asked, json, why);
    case CG_CHOICE_training_kind_task:
        return tell_task(service, asked, json, why);
    case CG_CHOICE_training_kind_progress:
        return tell_progress(service, asked, json, why);
    case CG_CHOICE_training_kind_result:
        return cg_tell_result(service, asked->number, json, why);
    case CG_CHOICE_training_kind_way:
        return cg_tell_way(service, asked->task, json, why);
    default:
        snprintf(why, CG_HOST_WHY_BYTES, "found kind %d of training; expected 0 to %d", asked->kind,
                 CG_CHOICE_training_kind_way);
        return false;
    }
}

char *cg_training_tell(void *context, const cg_wire_ask_training *asked, size_t *size, char *why)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL) {
        snprintf(why, CG_HOST_WHY_BYTES, "no memory left");
        return NULL;
    }
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    bool good = tell(context, asked, &json, why);
    cg_json_end_object(&json);
    good = fclose(out) == 0 && good;
    if (!good) {
        free(text);
        return NULL;
    }
    return text;
}
