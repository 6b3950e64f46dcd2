#define _POSIX_C_SOURCE 200809L

#include "support/package.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "catgut/version.h"
#include "catgut/world.h"
#include "support/json.h"
#include "support/origin.h"
#include "support/out_file.h"

enum { MOST_SOURCES = 8, MOST_FACTS = 8, NAME_BYTES = 256 };

typedef struct source {
    char role[24], name[NAME_BYTES], hash[CG_SHA256_TEXT];
} source;

typedef struct packed_file {
    char *path;
    const char *what;
    const cg_column *columns;
    int column_count;
} packed_file;

struct cg_package {
    char command[32];
    char *words; // of the command line, each with its end, without folders
    size_t words_size;
    source sources[MOST_SOURCES];
    int source_count;
    char facts[MOST_FACTS][2][64];
    int fact_count;
    packed_file *files;
    size_t file_count, file_room;
    bool failed; // memory ran out
};

cg_package *cg_package_begin(const char *command, int count, char *const *words)
{
    cg_package *package = calloc(1, sizeof *package);
    if (!package) {
        return NULL;
    }
    snprintf(package->command, sizeof package->command, "%s", command);
    size_t size = 0;
    for (int i = 0; i < count; i++) {
        size += strlen(words[i]) + 1;
    }
    package->words = malloc(size + 1);
    for (int i = 0; i < count && package->words; i++) {
        const char *name = cg_path_name(words[i]);
        memcpy(package->words + package->words_size, name, strlen(name) + 1);
        package->words_size += strlen(name) + 1;
    }
    package->failed = !package->words;
    return package;
}

void cg_package_free(cg_package *package)
{
    for (size_t i = 0; package && i < package->file_count; i++) {
        free(package->files[i].path);
    }
    if (package) {
        free(package->files);
        free(package->words);
    }
    free(package);
}

void cg_package_source_text(cg_package *package, const char *role, const char *name, const char *hash)
{
    if (package && package->source_count < MOST_SOURCES) {
        source *s = &package->sources[package->source_count++];
        snprintf(s->role, sizeof s->role, "%s", role);
        snprintf(s->name, sizeof s->name, "%s", name);
        snprintf(s->hash, sizeof s->hash, "%s", hash);
    }
}

void cg_package_source(cg_package *package, const char *role, const char *path)
{
    char hash[CG_SHA256_TEXT];
    uint64_t bytes;
    if (path && cg_sha256_of_file(path, hash, &bytes)) {
        cg_package_source_text(package, role, cg_path_name(path), hash);
    }
}

void cg_package_fact(cg_package *package, const char *name, const char *value)
{
    if (package && package->fact_count < MOST_FACTS) {
        snprintf(package->facts[package->fact_count][0], sizeof package->facts[0][0], "%s", name);
        snprintf(package->facts[package->fact_count++][1], sizeof package->facts[0][1], "%s", value);
    }
}

void cg_package_file(cg_package *package, const char *path, const char *what, const cg_column *columns, int count)
{
    if (!package || package->failed) {
        return;
    }
    if (package->file_count == package->file_room) {
        size_t room = 2 * package->file_room + 4;
        packed_file *more = realloc(package->files, room * sizeof *more);
        package->failed = !more;
        if (!more) {
            return;
        }
        package->files = more;
        package->file_room = room;
    }
    char *copy = strdup(path);
    package->failed = !copy;
    if (copy) {
        package->files[package->file_count++] = (packed_file){copy, what, columns, count};
    }
}

// ---- as JSON ----

// What the format lets a name be: small letters, digits, dots, dashes and underscores.
static void write_name(cg_json *json, const char *text)
{
    char name[NAME_BYTES];
    size_t length = 0;
    for (; *text && length + 1 < sizeof name; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = c < 128 && (isalnum(c) || strchr("._-", c));
        name[length++] = plain ? (char)tolower(c) : '-';
    }
    name[length] = '\0';
    cg_json_string_member(json, "name", name);
}

static const char *media_type(const char *path)
{
    static const char *const types[][2] = {{".csv", "text/csv"},
                                           {".svg", "image/svg+xml"},
                                           {".glb", "model/gltf-binary"},
                                           {".json", "application/json"},
                                           {".pvd", "application/xml"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(dot, types[i][0]) == 0) {
            return types[i][1];
        }
    }
    return "application/octet-stream";
}

static void write_columns(cg_json *json, const packed_file *file, bool is_table)
{
    cg_json_name(json, is_table ? "schema" : "arrays");
    if (is_table) {
        cg_json_begin_object(json);
        cg_json_name(json, "fields");
    }
    cg_json_begin_array(json);
    for (int i = 0; i < file->column_count; i++) {
        const cg_column *column = &file->columns[i];
        cg_json_begin_line_object(json);
        cg_json_string_member(json, "name", column->name);
        cg_json_string_member(json, "type", column->type);
        if (column->unit) {
            cg_json_string_member(json, "unit", column->unit);
        }
        cg_json_string_member(json, "description", column->what);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
    if (is_table) {
        cg_json_name(json, "missingValues");
        cg_json_begin_array(json);
        cg_json_string(json, "");
        cg_json_end_array(json);
        cg_json_end_object(json);
    }
}

// Files are named from where the package lies: the others lie in a folder of its name.
static bool write_resource(cg_json *json, const packed_file *file, size_t folder_length, FILE *err)
{
    char hash[CG_SHA256_TEXT], text[CG_SHA256_TEXT + 8];
    uint64_t bytes;
    if (!cg_sha256_of_file(file->path, hash, &bytes)) {
        fprintf(err, "%s: cannot be read for its hash (%s)\n", file->path, strerror(errno));
        return false;
    }
    const char *path = file->path + folder_length, *type = media_type(path);
    bool is_table = strcmp(type, "text/csv") == 0;
    cg_json_begin_object(json);
    write_name(json, path);
    cg_json_string_member(json, "path", path);
    if (is_table) {
        cg_json_string_member(json, "profile", "tabular-data-resource");
        cg_json_string_member(json, "encoding", "utf-8");
    }
    cg_json_string_member(json, "mediatype", type);
    cg_json_string_member(json, "description", file->what);
    cg_json_number_member(json, "bytes", (double)bytes);
    snprintf(text, sizeof text, "sha256:%s", hash);
    cg_json_string_member(json, "hash", text);
    if (file->column_count > 0) {
        write_columns(json, file, is_table);
    }
    cg_json_end_object(json);
    return true;
}

static void write_sources(cg_json *json, const cg_package *package)
{
    cg_json_name(json, "sources");
    cg_json_begin_array(json);
    for (int i = 0; i < package->source_count; i++) {
        const source *s = &package->sources[i];
        char hash[CG_SHA256_TEXT + 8];
        snprintf(hash, sizeof hash, "sha256:%s", s->hash);
        cg_json_begin_line_object(json);
        cg_json_string_member(json, "title", s->name);
        cg_json_string_member(json, "role", s->role);
        cg_json_string_member(json, "hash", hash);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

static void write_making(cg_json *json, const cg_package *package)
{
    char machine[320];
    cg_describe_machine(machine, sizeof machine);
    cg_json_name(json, "made_by");
    cg_json_begin_object(json);
    cg_json_string_member(json, "program", "catgut " CG_VERSION);
    cg_json_string_member(json, "commit", cg_program_commit());
    cg_json_number_member(json, "motion_version", CG_MOTION_VERSION);
    cg_json_number_member(json, "state_version", CG_SNAPSHOT_VERSION);
    cg_json_string_member(json, "machine", machine);
    cg_json_string_member(json, "command", package->command);
    cg_json_name(json, "options");
    cg_json_begin_array(json);
    for (size_t at = 0; at < package->words_size; at += strlen(package->words + at) + 1) {
        cg_json_string(json, package->words + at);
    }
    cg_json_end_array(json);
    for (int i = 0; i < package->fact_count; i++) {
        cg_json_string_member(json, package->facts[i][0], package->facts[i][1]);
    }
    cg_json_end_object(json);
}

static bool write_package(const cg_package *package, const char *beside, FILE *out, FILE *err)
{
    const char *name = cg_path_name(beside);
    size_t folder_length = (size_t)(name - beside);
    char now[32];
    bool good = true;
    cg_time_now(now);
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "profile", "data-package");
    write_name(&json, name);
    cg_json_string_member(&json, "created", now);
    cg_json_name(&json, "licenses");
    cg_json_begin_array(&json);
    cg_json_begin_line_object(&json);
    cg_json_string_member(&json, "name", "Apache-2.0");
    cg_json_string_member(&json, "path", "https://www.apache.org/licenses/LICENSE-2.0");
    cg_json_string_member(&json, "title", "Apache License 2.0, of the program and its scenes");
    cg_json_end_object(&json);
    cg_json_end_array(&json);
    write_making(&json, package);
    write_sources(&json, package);
    cg_json_name(&json, "resources");
    cg_json_begin_array(&json);
    for (size_t i = 0; i < package->file_count && good; i++) {
        good = write_resource(&json, &package->files[i], folder_length, err);
    }
    cg_json_end_array(&json);
    cg_json_end_object(&json);
    return good;
}

// ---- the file ----

static bool name_package(const char *beside, char path[4096], FILE *err)
{
    int length = snprintf(path, 4096, "%s.package.json", beside);
    if (length < 4096) {
        return true;
    }
    fprintf(err, "%s: the name is too long\n", beside);
    return false;
}

// What is no ordinary file, as a pipe, has nothing beside it.
static bool is_beside_a_file(const char *beside)
{
    struct stat about;
    return strcmp(beside, "-") != 0 && (stat(beside, &about) != 0 || S_ISREG(about.st_mode));
}

bool cg_package_may_write(const char *beside, bool force, FILE *err)
{
    char path[4096], why[CG_OUT_WHY_BYTES];
    if (!is_beside_a_file(beside)) {
        return true;
    }
    if (!name_package(beside, path, err)) {
        return false;
    }
    if (!cg_out_may_write(path, CG_OUT_PACKAGE, force, why)) {
        fprintf(err, "%s: %s\n", path, why);
        return false;
    }
    return true;
}

bool cg_package_write(const cg_package *package, const char *beside, bool force, FILE *err)
{
    char path[4096], why[CG_OUT_WHY_BYTES];
    cg_out_file out;
    if (!is_beside_a_file(beside)) {
        return true;
    }
    if (!package || package->failed) {
        fprintf(err, "%s: no memory left to say where it came from\n", beside);
        return false;
    }
    if (!name_package(beside, path, err)) {
        return false;
    }
    if (!cg_out_open(&out, path, CG_OUT_PACKAGE, force, why)) {
        fprintf(err, "%s: %s\n", path, why);
        return false;
    }
    bool good = write_package(package, beside, out.file, err);
    if (good && !cg_out_finish(&out)) {
        fprintf(err, "%s: cannot be written in full (%s)\n", path, strerror(errno));
        good = false;
    }
    cg_out_abandon(&out, false);
    return good;
}
