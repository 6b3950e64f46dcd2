#define _POSIX_C_SOURCE 200809L // fmemopen

#include "training/service.h"

#include <stdlib.h>
#include <string.h>

#include "catgut/script.h"
#include "support/scene_files.h"

enum { MOST_SCRIPT_BYTES = 1024 * 1024 };

// Names come from clients: letters, digits, - and _ make no path.
static bool is_plain_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    size_t length = strlen(name);
    return length > 0 && length < 80 && strspn(name, letters) == length;
}

static bool say(const cg_scene_error *error, char *why)
{
    cg_scene_error_say(error, why, CG_HOST_WHY_BYTES);
    return false;
}

bool cg_training_task(const char *name, char path[CG_MOST_PATH], cg_task **task, char *why)
{
    cg_scene_error error = {0};
    *task = NULL;
    if (!is_plain_name(name)) {
        snprintf(why, CG_HOST_WHY_BYTES, "there is no task of that name");
        return false;
    }
    return (cg_find_named(name, CG_NAMED_TASK, path, &error) && cg_task_load(path, task, &error)) || say(&error, why);
}

// The logbook

bool cg_training_open_book(const cg_training_service *service, cg_logbook **book, char *why)
{
    cg_log_page page = {.logbook = service->logbook};
    char told[CG_LOGBOOK_WHY] = "";
    if (cg_log_page_find(&page, told) && cg_logbook_open(page.path, book, told)) {
        return true;
    }
    snprintf(why, CG_HOST_WHY_BYTES, "the logbook %.200s: %s", page.path, told);
    return false;
}

typedef struct search {
    int64_t wanted;
    bool found;
    cg_noted_attempt *to;
} search;

static bool look_at(void *context, const cg_logged *attempt)
{
    search *self = context;
    if (attempt->id != self->wanted) {
        return true;
    }
    cg_noted_attempt *to = self->to;
    *to = (cg_noted_attempt){.id = attempt->id,
                             .seed = attempt->seed,
                             .started = attempt->started,
                             .points = attempt->points,
                             .most = attempt->most,
                             .seconds = attempt->seconds,
                             .passed = attempt->passed};
    snprintf(to->trainee, sizeof to->trainee, "%s", attempt->trainee);
    snprintf(to->task, sizeof to->task, "%s", attempt->task);
    snprintf(to->state, sizeof to->state, "%s", attempt->state);
    snprintf(to->recording, sizeof to->recording, "%s", attempt->recording != NULL ? attempt->recording : "");
    self->found = true;
    return false;
}

bool cg_training_find(const cg_training_service *service, uint64_t number, cg_noted_attempt *found, char *why)
{
    cg_logbook *book;
    char told[CG_LOGBOOK_WHY] = "";
    search self = {.wanted = (int64_t)number, .to = found};
    if (!cg_training_open_book(service, &book, why)) {
        return false;
    }
    bool good = cg_logbook_each(book, NULL, NULL, look_at, &self, told);
    cg_logbook_close(book);
    if (!good || !self.found) {
        snprintf(why, CG_HOST_WHY_BYTES, "%s", good ? "there is no attempt of that number" : told);
    }
    return good && self.found;
}

// Attempts

static void forget(cg_training_service *service)
{
    cg_log_page_end(&service->page);
    cg_task_free(service->task);
    free(service->script);
    service->task = NULL;
    service->script = NULL;
    service->files->record = NULL;
}

// A script that the task names: the expert's, or one of its mistakes.
static bool is_script_of(const cg_task *task, const char *script)
{
    const char *expert = cg_task_expert(task), *mistake;
    bool is_named = expert != NULL && strcmp(script, expert) == 0;
    int measure;
    for (int i = 0; !is_named && cg_task_mistake(task, i, &mistake, &measure); i++) {
        is_named = strcmp(script, mistake) == 0;
    }
    return is_named;
}

static bool read_script(cg_training_service *service, const char *task_path, const char *script, char *why)
{
    cg_scene_error error = {0};
    char told[128];
    if (!is_script_of(service->task, script)) {
        snprintf(why, CG_HOST_WHY_BYTES, "the task has no script of that name");
        return false;
    }
    if (!cg_task_script(task_path, script, service->script_path, &error)) {
        return say(&error, why);
    }
    service->script = cg_file_read(service->script_path, MOST_SCRIPT_BYTES, &service->script_size, told, sizeof told);
    if (service->script == NULL) {
        cg_scene_error_set(&error, service->script_path, told);
        return say(&error, why);
    }
    return true;
}

static bool read_scene(const cg_training_service *service, uint64_t seed, cg_scene **scene, char *why)
{
    cg_scene_error error = {0};
    bool good = cg_task_load_scene(service->task, seed, scene, &error);
    if (good && service->script != NULL &&
        cg_script_check(service->script, service->script_size, service->script_path, *scene, NULL, &error).code !=
            CG_OK) {
        cg_scene_free(*scene);
        *scene = NULL;
        good = false;
    }
    return good || say(&error, why);
}

// In the logbook, with a place for the recording: the next one that is begun goes there.
static bool begin_page(cg_training_service *service, uint64_t seed, char *why)
{
    char told[CG_LOGBOOK_WHY] = "";
    service->page = (cg_log_page){.trainee = service->trainee, .logbook = service->logbook};
    if (!cg_log_page_begin(&service->page, service->name, seed, true, told)) {
        snprintf(why, CG_HOST_WHY_BYTES, "the logbook %.200s: %s", service->page.path, told);
        return false;
    }
    service->files->record = service->page.recording;
    return true;
}

// Who does it: of a person the name that it gave, of a script the one that the logbook has for such scripts, whatever
// the client says.
static bool name_trainee(cg_training_service *service, const cg_wire_begin_attempt *asked, char *why)
{
    const char *name = asked->trainee, *expert = cg_task_expert(service->task);
    size_t length = strlen(name);
    if (asked->script[0] != '\0') {
        bool is_expert = expert != NULL && strcmp(asked->script, expert) == 0;
        name = is_expert ? CG_EXPERT_NAME : CG_EXAMPLES_NAME;
    } else if (length == 0 || length > CG_MOST_TRAINEE) {
        snprintf(why, CG_HOST_WHY_BYTES, "found a name of %zu bytes; expected 1 to %d", length, CG_MOST_TRAINEE);
        return false;
    } else if (strcmp(name, CG_EXPERT_NAME) == 0 || strcmp(name, CG_EXAMPLES_NAME) == 0) {
        snprintf(why, CG_HOST_WHY_BYTES, "%s is not the name of a person: scripts are noted under it", name);
        return false;
    }
    snprintf(service->trainee, sizeof service->trainee, "%s", name);
    return true;
}

// All that can be wrong with what is asked, but for what the logbook says.
static bool prepare(cg_training_service *service, const cg_wire_begin_attempt *asked, cg_scene **scene, char *why)
{
    char path[CG_MOST_PATH];
    if (asked->seed > INT64_MAX) {
        snprintf(why, CG_HOST_WHY_BYTES, "found a seed beyond 2^63");
        return false;
    }
    snprintf(service->name, sizeof service->name, "%s", asked->task);
    return cg_training_task(asked->task, path, &service->task, why) && name_trainee(service, asked, why) &&
           (asked->script[0] == '\0' || read_script(service, path, asked->script, why)) &&
           read_scene(service, asked->seed, scene, why);
}

// Would it begin? Looks beside the attempt that is under way, which stays.
static bool check(void *context, const cg_wire_begin_attempt *asked, char *why)
{
    const cg_training_service *service = context;
    cg_training_service *trial = calloc(1, sizeof *trial);
    cg_scene *scene = NULL;
    cg_logbook *book = NULL;
    if (trial == NULL) {
        snprintf(why, CG_HOST_WHY_BYTES, "no memory");
        return false;
    }
    bool good = prepare(trial, asked, &scene, why) && cg_training_open_book(service, &book, why);
    if (book != NULL) {
        cg_logbook_close(book);
    }
    cg_scene_free(scene);
    cg_task_free(trial->task);
    free(trial->script);
    free(trial);
    return good;
}

static bool begin(void *context, const cg_wire_begin_attempt *asked, cg_host_plan *plan, char *why)
{
    cg_training_service *service = context;
    cg_scene *scene = NULL;
    forget(service);
    if (!prepare(service, asked, &scene, why) || !begin_page(service, asked->seed, why)) {
        cg_scene_free(scene);
        forget(service);
        return false;
    }
    snprintf(service->scene_name, sizeof service->scene_name, "%s", cg_task_scene(service->task));
    *plan = (cg_host_plan){.task = service->task,
                           .task_name = service->name,
                           .scene = scene,
                           .scene_name = service->scene_name,
                           .script = service->script,
                           .script_size = service->script_size,
                           .script_name = service->script_path,
                           .number = (uint64_t)service->page.attempt};
    return true;
}

// An attempt that ended: what its score needs, apart from the service, which begins the next one meanwhile.
typedef struct ended_attempt {
    cg_log_page page;
    cg_task *task;
} ended_attempt;

static void drop(void *context)
{
    forget(context);
}

static void *finish(void *context, char *why)
{
    cg_training_service *service = context;
    ended_attempt *ended = service->page.book != NULL ? calloc(1, sizeof *ended) : NULL;
    if (ended != NULL) {
        ended->page = service->page;
        ended->task = service->task;
        service->page.book = NULL;
        service->task = NULL;
    } else {
        snprintf(why, CG_HOST_WHY_BYTES, "the attempt cannot be noted");
    }
    forget(service);
    return ended;
}

static bool measure(const ended_attempt *ended, cg_measures *measures, char *why)
{
    cg_record_reader reader = {0};
    char said[CG_HOST_WHY_BYTES] = "";
    FILE *complaints = fmemopen(said, sizeof said, "w");
    bool good = complaints != NULL && cg_record_reader_open(&reader, ended->page.recording, complaints);
    if (complaints != NULL) {
        fclose(complaints);
    }
    snprintf(why, CG_HOST_WHY_BYTES, "%s", said);
    if (good) {
        cg_status status = cg_measure_recording(reader.recording, ended->task, NULL, measures);
        good = status.code == CG_OK;
        snprintf(why, CG_HOST_WHY_BYTES, "%s", status.message);
    }
    cg_record_reader_close(&reader);
    return good;
}

// Measures the recording that ended and notes its score. The thread of the world may be in other functions meanwhile.
static bool score(void *context, char *why)
{
    ended_attempt *ended = context;
    cg_measures measures;
    char told[CG_LOGBOOK_WHY] = "";
    bool good = measure(ended, &measures, why);
    if (good) {
        cg_score points = cg_task_score(ended->task, &measures);
        good =
            cg_logbook_finish(ended->page.book, ended->page.attempt, &points, &measures, ended->page.recording, told);
        snprintf(why, CG_HOST_WHY_BYTES, "%s", told);
    }
    cg_log_page_end(&ended->page);
    cg_task_free(ended->task);
    free(ended);
    return good;
}

static bool find_recording(void *context, uint64_t number, char *path, size_t room, char *why)
{
    cg_noted_attempt noted;
    if (!cg_training_find(context, number, &noted, why)) {
        return false;
    }
    snprintf(path, room, "%s", noted.recording);
    snprintf(why, CG_HOST_WHY_BYTES, "that attempt has no recording");
    return noted.recording[0] != '\0';
}

cg_host_training cg_training_service_table(cg_training_service *service)
{
    service->files->find_attempt = find_recording;
    service->files->attempts = service;
    return (cg_host_training){.context = service,
                              .tell = cg_training_tell,
                              .check = check,
                              .begin = begin,
                              .drop = drop,
                              .finish = finish,
                              .score = score};
}

void cg_training_service_end(cg_training_service *service)
{
    forget(service);
    free(service->last);
    service->last = NULL;
}
