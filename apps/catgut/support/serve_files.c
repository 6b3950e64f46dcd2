#define _POSIX_C_SOURCE 200809L

#include "support/serve_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "support/folder.h"
#include "support/scene_files.h"
#include "support/scene_names.h"
#include "support/zstd_codec.h"

static const char recording_end[] = ".cgr";

// Names come from clients: letters, digits, - and _ make no path.
static bool is_plain_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    size_t length = strlen(name);
    return length > 0 && length <= 100 && strspn(name, letters) == length;
}

// Scenes

// A scene is called by its file, without folder and ending.
static size_t name_of(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash != NULL ? slash + 1 : path;
    size_t length = strlen(*name);
    return length > 5 && strcmp(*name + length - 5, ".json") == 0 ? length - 5 : length;
}

static bool add_scene(cg_serve_files *files, const char *path, cg_scene_error *error)
{
    cg_scene *scene;
    const char *name;
    size_t length = name_of(path, &name);
    if (files->scene_count == CG_SERVE_MOST_SCENES || !cg_scene_load(path, &scene, error)) {
        return false;
    }
    char *kept = strndup(name, length), *title = strdup(cg_scene_title(scene)), *place = strdup(path);
    cg_scene_free(scene);
    if (kept == NULL || title == NULL || place == NULL) {
        free(kept);
        free(title);
        free(place);
        return false;
    }
    files->scenes[files->scene_count] = (cg_wire_scene_name){.name = kept, .title = title};
    files->paths[files->scene_count++] = place;
    return true;
}

static int find_scene(const cg_serve_files *files, const char *name)
{
    for (int i = 0; i < files->scene_count; i++) {
        if (strcmp(files->scenes[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void add_folder(cg_serve_files *files)
{
    int count;
    if (!cg_scene_folder(files->folder, sizeof files->folder)) {
        return;
    }
    char **names = cg_names_in(files->folder, CG_NAMED_SCENE, &count);
    for (int i = 0; names != NULL && i < count; i++) {
        char path[4096 + 512], name[256];
        cg_scene_error error; // a scene that is not right is left out
        snprintf(path, sizeof path, "%s/%s", files->folder, names[i]);
        snprintf(name, sizeof name, "%.*s", (int)strlen(names[i]) - 5, names[i]);
        if (find_scene(files, name) < 0) {
            add_scene(files, path, &error);
        }
    }
    cg_names_free(names, count);
}

const char *cg_serve_files_begin(cg_serve_files *files, const char *scene, const char *recordings, FILE *err)
{
    cg_scene_error error;
    char path[CG_MOST_PATH];
    snprintf(files->recordings, sizeof files->recordings, "%s", recordings);
    if (scene != NULL) {
        if (!cg_find_named(scene, CG_NAMED_SCENE, path, &error) || !add_scene(files, path, &error)) {
            cg_scene_error_print(&error, err);
            return NULL;
        }
    }
    add_folder(files);
    if (files->scene_count == 0) {
        fputs("catgut serve: found no scenes; name one with --scene\n", err);
        return NULL;
    }
    int usual = find_scene(files, "overhand");
    return files->scenes[scene != NULL || usual < 0 ? 0 : usual].name;
}

static const cg_wire_scene_name *list_scenes(void *context, int *count)
{
    cg_serve_files *files = context;
    *count = files->scene_count;
    return files->scenes;
}

static bool load_scene(void *context, const char *name, cg_scene **scene, char *why)
{
    cg_serve_files *files = context;
    cg_scene_error error;
    int place = find_scene(files, name);
    *scene = NULL;
    if (place < 0) {
        snprintf(why, CG_HOST_WHY_BYTES, "there is no scene of that name");
        return false;
    }
    if (!cg_scene_load(files->paths[place], scene, &error)) {
        cg_scene_error_say(&error, why, CG_HOST_WHY_BYTES);
        return false;
    }
    return true;
}

// Scripts stand beside the scenes.
static char *read_script(void *context, const char *name, size_t *size, char *why)
{
    const cg_serve_files *files = context;
    char path[4096 + 512];
    snprintf(why, CG_HOST_WHY_BYTES, "there is no script of that name");
    if (!is_plain_name(name) || files->folder[0] == '\0') {
        return NULL;
    }
    snprintf(path, sizeof path, "%s/scripts/%s.script", files->folder, name);
    return cg_file_read(path, CG_PROTOCOL_MOST_CLIENT_BYTES, size, why, CG_HOST_WHY_BYTES);
}

// Recordings

// Runs a function that complains to a file, and keeps the first line of what it said.
typedef struct complaint {
    char *text;
    size_t size;
    FILE *file;
} complaint;

static FILE *begin_complaint(complaint *self)
{
    *self = (complaint){0};
    self->file = open_memstream(&self->text, &self->size);
    return self->file != NULL ? self->file : stderr;
}

static void end_complaint(complaint *self, char *why)
{
    if (self->file == NULL) {
        return;
    }
    fclose(self->file);
    if (self->size > 0) {
        snprintf(why, CG_HOST_WHY_BYTES, "%.*s", (int)strcspn(self->text, "\n"), self->text);
    }
    free(self->text);
}

static void forget_recordings(cg_serve_files *files)
{
    for (int i = 0; i < files->found_count; i++) {
        free((char *)(uintptr_t)files->found[i].name);
    }
    files->found_count = 0;
}

static int compare_recordings(const void *a, const void *b)
{
    return strcmp(((const cg_wire_recording_name *)a)->name, ((const cg_wire_recording_name *)b)->name);
}

static void note_recording(cg_serve_files *files, const char *file)
{
    size_t length = strlen(file), end = sizeof recording_end - 1;
    char path[4096 + 512], name[256];
    struct stat about;
    if (length <= end || strcmp(file + length - end, recording_end) != 0 || length - end >= sizeof name) {
        return;
    }
    memcpy(name, file, length - end);
    name[length - end] = '\0';
    snprintf(path, sizeof path, "%s/%s", files->recordings, file);
    if (!is_plain_name(name) || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        return;
    }
    char *kept = strdup(name);
    if (kept != NULL) {
        files->found[files->found_count++] = (cg_wire_recording_name){.name = kept, .bytes = (uint64_t)about.st_size};
    }
}

static const cg_wire_recording_name *list_recordings(void *context, int *count)
{
    cg_serve_files *files = context;
    forget_recordings(files);
    DIR *folder = opendir(files->recordings);
    const struct dirent *entry;
    while (folder != NULL && files->found_count < CG_SERVE_MOST_RECORDINGS && (entry = readdir(folder)) != NULL) {
        note_recording(files, entry->d_name);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    qsort(files->found, (size_t)files->found_count, sizeof files->found[0], compare_recordings);
    *count = files->found_count;
    return files->found;
}

// The file that a client means: one of the folder of recordings, or that of an attempt.
static bool find_recording(const cg_serve_files *files, const char *name, char *path, size_t room, char *why)
{
    static const char attempt[] = "attempt:";
    const char *number = name + sizeof attempt - 1;
    if (files->find_attempt != NULL && strncmp(name, attempt, sizeof attempt - 1) == 0 &&
        strspn(number, "0123456789") == strlen(number) && strlen(number) > 0 && strlen(number) < 16) {
        return files->find_attempt(files->attempts, strtoull(number, NULL, 10), path, room, why);
    }
    snprintf(why, CG_HOST_WHY_BYTES, "there is no recording of that name");
    snprintf(path, room, "%s/%s%s", files->recordings, name, recording_end);
    return is_plain_name(name);
}

static cg_recording *open_recording(void *context, const char *name, char *why)
{
    cg_serve_files *files = context;
    char path[4096 + 512];
    if (!find_recording(files, name, path, sizeof path, why)) {
        return NULL;
    }
    cg_record_reader *reader = &files->readers[files->readers[0].recording != NULL];
    complaint said;
    bool good = cg_record_reader_open(reader, path, begin_complaint(&said));
    end_complaint(&said, why);
    if (!good) {
        cg_record_reader_close(reader);
        return NULL;
    }
    return reader->recording;
}

static void close_recording(void *context, cg_recording *recording)
{
    cg_serve_files *files = context;
    cg_record_reader_close(&files->readers[files->readers[0].recording != recording]);
}

// A name that no recording has: the time of day, and a number when that is not enough.
static bool find_name(const cg_serve_files *files, char *name)
{
    char stamp[64], of[16] = "", path[4096 + 512];
    struct stat about;
    if (files->session > 1) {
        snprintf(of, sizeof of, "-s%d", files->session);
    }
    time_t now = time(NULL);
    struct tm day;
    localtime_r(&now, &day);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &day);
    for (int i = 1; i < 1000; i++) {
        snprintf(name, 256, i == 1 ? "%s%s" : "%s%s-%d", stamp, of, i);
        snprintf(path, sizeof path, "%s/%s%s", files->recordings, name, recording_end);
        if (stat(path, &about) != 0) {
            return true;
        }
    }
    return false;
}

static bool begin_recording(void *context, const char *name, cg_recorder_def *def, char *taken, char *why)
{
    cg_serve_files *files = context;
    char path[4096 + 512];
    if (files->record != NULL) {
        snprintf(taken, 256, "%s", files->record);
        snprintf(path, sizeof path, "%s", files->record);
        files->record = NULL;
    } else {
        snprintf(taken, 256, "%s", name);
        if (!cg_make_folder(files->recordings) || (name[0] == '\0' && !find_name(files, taken))) {
            snprintf(why, CG_HOST_WHY_BYTES, "the folder of recordings cannot be made");
            return false;
        }
        if (!is_plain_name(taken)) {
            snprintf(why, CG_HOST_WHY_BYTES, "a name has letters, digits, - and _, 100 at most");
            return false;
        }
        snprintf(path, sizeof path, "%s/%s%s", files->recordings, taken, recording_end);
        struct stat about;
        if (stat(path, &about) == 0) {
            snprintf(why, CG_HOST_WHY_BYTES, "there is a recording of that name already");
            return false;
        }
    }
    complaint said;
    bool good = cg_record_writer_open(&files->writer, path, files->force, begin_complaint(&said));
    end_complaint(&said, why);
    if (good) {
        *def = cg_record_writer_def(&files->writer);
    }
    return good;
}

static bool end_recording(void *context, cg_status status, char *why)
{
    cg_serve_files *files = context;
    complaint said;
    snprintf(why, CG_HOST_WHY_BYTES, "%llu bytes", (unsigned long long)files->writer.bytes);
    bool good = cg_record_writer_close(&files->writer, status, begin_complaint(&said));
    end_complaint(&said, why);
    return good;
}

void cg_serve_files_copy(cg_serve_files *files, const cg_serve_files *from, int session)
{
    snprintf(files->folder, sizeof files->folder, "%s", from->folder);
    snprintf(files->recordings, sizeof files->recordings, "%s", from->recordings);
    memcpy(files->scenes, from->scenes, sizeof files->scenes);
    memcpy(files->paths, from->paths, sizeof files->paths);
    files->scene_count = from->scene_count;
    files->force = from->force;
    files->borrows_scenes = true;
    files->session = session;
}

void cg_serve_files_end(cg_serve_files *files)
{
    for (int i = 0; i < files->scene_count && !files->borrows_scenes; i++) {
        free((char *)(uintptr_t)files->scenes[i].name);
        free((char *)(uintptr_t)files->scenes[i].title);
        free(files->paths[i]);
    }
    forget_recordings(files);
    cg_zstd_free(&files->codec);
}

cg_host_files cg_serve_files_table(cg_serve_files *files)
{
    files->codec = files->codec.id == 0 ? cg_zstd_create() : files->codec;
    return (cg_host_files){.context = files,
                           .list_scenes = list_scenes,
                           .load_scene = load_scene,
                           .read_script = read_script,
                           .list_recordings = list_recordings,
                           .open_recording = open_recording,
                           .close_recording = close_recording,
                           .begin_recording = begin_recording,
                           .codec = files->codec,
                           .end_recording = end_recording};
}
