#define _GNU_SOURCE // F_OFD_SETLK: a lock of this logbook, not of the whole process

#include "training/logbook.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "catgut/version.h"
#include "support/folder.h"

// In the head of our files ("cgLB"), so that those of others are not taken for ours.
enum { APPLICATION_ID = 0x63674c42, BUSY_MILLISECONDS = 10000 };

// What turns version i into i + 1. Never change an entry: files of that version are out there.
static const char *const migrations[CG_LOGBOOK_VERSION] = {
    "CREATE TABLE trainee (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, added INTEGER NOT NULL) STRICT;"
    "CREATE TABLE attempt (id INTEGER PRIMARY KEY AUTOINCREMENT, trainee INTEGER NOT NULL REFERENCES trainee (id),"
    " task TEXT NOT NULL, seed INTEGER NOT NULL, started INTEGER NOT NULL, program TEXT NOT NULL,"
    " state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'interrupted')),"
    " seconds REAL, points REAL, most REAL, passed INTEGER, worst TEXT, recording TEXT) STRICT;"
    "CREATE TABLE measure (attempt INTEGER NOT NULL REFERENCES attempt (id), name TEXT NOT NULL, value REAL NOT NULL,"
    " at REAL, PRIMARY KEY (attempt, name)) STRICT, WITHOUT ROWID;",
    "CREATE INDEX attempt_by_task ON attempt (task, trainee, id);",
};

static const char UNREADABLE[] = "the logbook cannot be read";

struct cg_logbook {
    sqlite3 *file;
    int locks;       // descriptor of the file with the locks
    int64_t current; // the attempt that is under way; 0: none
};

static bool fail(const cg_logbook *book, const char *doing, char *why)
{
    snprintf(why, CG_LOGBOOK_WHY, "%s: %s", doing, sqlite3_errmsg(book->file));
    return false;
}

static bool execute(cg_logbook *book, const char *text)
{
    return sqlite3_exec(book->file, text, NULL, NULL, NULL) == SQLITE_OK;
}

// A logbook that another program changes just now, or that may not be written, is a logbook all the same.
static bool fail_to_begin(const cg_logbook *book, char *why)
{
    bool is_other = sqlite3_errcode(book->file) == SQLITE_NOTADB;
    return fail(book, is_other ? "it is no logbook" : "the logbook cannot be changed", why);
}

static bool begin_change(cg_logbook *book, char *why)
{
    return execute(book, "BEGIN IMMEDIATE") || fail_to_begin(book, why);
}

// Ends a change: all of it, or when something went wrong nothing.
static bool end_change(cg_logbook *book, bool good, const char *doing, char *why)
{
    if (good && execute(book, "COMMIT")) {
        return true;
    }
    fail(book, doing, why);
    execute(book, "ROLLBACK");
    return false;
}

static int64_t number_of(cg_logbook *book, const char *query)
{
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;
    if (sqlite3_prepare_v2(book->file, query, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        number = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return number;
}

// Locks

static bool lock_attempt(const cg_logbook *book, int64_t attempt, bool locked)
{
    struct flock lock = {.l_type = locked ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET, .l_start = attempt, .l_len = 1};
    return fcntl(book->locks, F_OFD_SETLK, &lock) == 0;
}

// Attempts that nobody works on any more. Inside a change, so that none can begin meanwhile.
static bool mark_interrupted(cg_logbook *book)
{
    sqlite3_stmt *running = NULL, *mark = NULL;
    bool good = sqlite3_prepare_v2(book->file, "SELECT id FROM attempt WHERE state = 'running'", -1, &running, NULL) ==
                    SQLITE_OK &&
                sqlite3_prepare_v2(book->file, "UPDATE attempt SET state = 'interrupted' WHERE id = ?", -1, &mark,
                                   NULL) == SQLITE_OK;
    int stepped = SQLITE_DONE;
    while (good && (stepped = sqlite3_step(running)) == SQLITE_ROW) {
        int64_t attempt = sqlite3_column_int64(running, 0);
        if (lock_attempt(book, attempt, true)) {
            sqlite3_bind_int64(mark, 1, attempt);
            good = sqlite3_step(mark) == SQLITE_DONE && sqlite3_reset(mark) == SQLITE_OK;
            lock_attempt(book, attempt, false);
        }
    }
    good = good && stepped == SQLITE_DONE;
    sqlite3_finalize(running);
    sqlite3_finalize(mark);
    return good;
}

// Opening

bool cg_logbook_usual_path(char path[CG_LOGBOOK_PATH])
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int written = data != NULL && data[0] == '/' ? snprintf(path, CG_LOGBOOK_PATH, "%s/catgut/progress.db", data)
                  : home != NULL && home[0] == '/'
                      ? snprintf(path, CG_LOGBOOK_PATH, "%s/.local/share/catgut/progress.db", home)
                      : 0;
    return written > 0 && written < CG_LOGBOOK_PATH;
}

static bool make_folder_of(const char *path, char *why)
{
    char folder[CG_LOGBOOK_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL || slash == folder) {
        return true;
    }
    *slash = '\0';
    if (!cg_make_folder(folder)) {
        snprintf(why, CG_LOGBOOK_WHY, "the folder of the logbook cannot be made: %s", strerror(errno));
        return false;
    }
    return true;
}

// Brings the file to the present version, in one change with everything that was missing.
static bool migrate(cg_logbook *book, char *why)
{
    int64_t version = number_of(book, "PRAGMA user_version"), id = number_of(book, "PRAGMA application_id");
    int64_t tables = number_of(book, "SELECT count(*) FROM sqlite_master");
    char head[96];
    if (version < 0 || tables < 0) {
        return fail(book, "it is no logbook", why);
    }
    if (id != APPLICATION_ID && tables > 0) {
        snprintf(why, CG_LOGBOOK_WHY, "found a database of another program, expected a logbook of catgut");
        return false;
    }
    if (version > CG_LOGBOOK_VERSION) {
        snprintf(why, CG_LOGBOOK_WHY, "found version %lld of the logbook, expected at most %d: a newer catgut wrote it",
                 (long long)version, CG_LOGBOOK_VERSION);
        return false;
    }
    bool good = true;
    for (int64_t i = version; good && i < CG_LOGBOOK_VERSION; i++) {
        good = execute(book, migrations[i]);
    }
    snprintf(head, sizeof head, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
             CG_LOGBOOK_VERSION);
    return (good && (version == CG_LOGBOOK_VERSION || execute(book, head))) ||
           fail(book, "the logbook cannot be brought to its present version", why);
}

static bool open_file(cg_logbook *book, const char *path, char *why)
{
    char locks[CG_LOGBOOK_PATH + 8];
    snprintf(locks, sizeof locks, "%s.lock", path);
    if (sqlite3_open_v2(path, &book->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK) {
        return fail(book, "it cannot be opened", why);
    }
    sqlite3_busy_timeout(book->file, BUSY_MILLISECONDS);
    book->locks = open(locks, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (book->locks < 0) {
        snprintf(why, CG_LOGBOOK_WHY, "its file of locks cannot be made: %s", strerror(errno));
        return false;
    }
    if (!execute(book, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL")) {
        return fail_to_begin(book, why);
    }
    if (!begin_change(book, why)) {
        return false;
    }
    if (!migrate(book, why)) {
        execute(book, "ROLLBACK");
        return false;
    }
    return end_change(book, mark_interrupted(book), UNREADABLE, why);
}

bool cg_logbook_open(const char *path, cg_logbook **out, char why[CG_LOGBOOK_WHY])
{
    cg_logbook *book = calloc(1, sizeof *book);
    *out = NULL;
    if (book == NULL) {
        snprintf(why, CG_LOGBOOK_WHY, "no memory left");
        return false;
    }
    book->locks = -1;
    if (strlen(path) >= CG_LOGBOOK_PATH) {
        snprintf(why, CG_LOGBOOK_WHY, "found a path of %zu bytes, expected fewer than %d", strlen(path),
                 CG_LOGBOOK_PATH);
        cg_logbook_close(book);
        return false;
    }
    if (!make_folder_of(path, why) || !open_file(book, path, why)) {
        cg_logbook_close(book);
        return false;
    }
    *out = book;
    return true;
}

void cg_logbook_close(cg_logbook *book)
{
    if (book == NULL) {
        return;
    }
    if (book->locks >= 0) {
        close(book->locks); // and with it all its locks
    }
    sqlite3_close(book->file);
    free(book);
}

// Attempts

// NULL is one that could not be prepared.
static int step(sqlite3_stmt *statement)
{
    return statement != NULL ? sqlite3_step(statement) : SQLITE_ERROR;
}

static bool run_once(sqlite3_stmt *statement)
{
    bool good = step(statement) == SQLITE_DONE;
    return sqlite3_finalize(statement) == SQLITE_OK && good;
}

static sqlite3_stmt *prepare(cg_logbook *book, const char *text)
{
    sqlite3_stmt *statement = NULL;
    return sqlite3_prepare_v2(book->file, text, -1, &statement, NULL) == SQLITE_OK ? statement : NULL;
}

static bool add_trainee(cg_logbook *book, const char *name)
{
    sqlite3_stmt *add = prepare(book, "INSERT INTO trainee (name, added) VALUES (?, ?) ON CONFLICT DO NOTHING");
    sqlite3_bind_text(add, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(add, 2, (int64_t)time(NULL));
    return run_once(add);
}

static bool add_attempt(cg_logbook *book, const char *trainee, const char *task, uint64_t seed)
{
    sqlite3_stmt *add = prepare(book, "INSERT INTO attempt (trainee, task, seed, started, program, state) "
                                      "SELECT id, ?, ?, ?, ?, 'running' FROM trainee WHERE name = ?");
    sqlite3_bind_text(add, 1, task, -1, SQLITE_STATIC);
    sqlite3_bind_int64(add, 2, (int64_t)seed);
    sqlite3_bind_int64(add, 3, (int64_t)time(NULL));
    sqlite3_bind_text(add, 4, "catgut " CG_VERSION, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 5, trainee, -1, SQLITE_STATIC);
    return run_once(add);
}

bool cg_logbook_begin(cg_logbook *book, const char *trainee, const char *task, uint64_t seed, int64_t *attempt,
                      char why[CG_LOGBOOK_WHY])
{
    if (book->current != 0) {
        snprintf(why, CG_LOGBOOK_WHY, "an attempt is under way already");
        return false;
    }
    if (!begin_change(book, why)) {
        return false;
    }
    bool good = add_trainee(book, trainee) && add_attempt(book, trainee, task, seed);
    *attempt = sqlite3_last_insert_rowid(book->file);
    // Before others can see it: an attempt without its lock would be marked as interrupted.
    good = good && lock_attempt(book, *attempt, true);
    if (!end_change(book, good, "the attempt cannot be begun", why)) {
        return false;
    }
    book->current = *attempt;
    return true;
}

static bool add_measures(cg_logbook *book, int64_t attempt, const cg_measures *measures)
{
    sqlite3_stmt *add = prepare(book, "INSERT INTO measure (attempt, name, value, at) VALUES (?, ?, ?, ?)");
    bool good = add != NULL;
    for (int i = 0; good && i < CG_MEASURE_COUNT; i++) {
        const cg_measured *got = &measures->of[i];
        if (!got->known) {
            continue;
        }
        sqlite3_bind_int64(add, 1, attempt);
        sqlite3_bind_text(add, 2, cg_measure_get_info(i)->name, -1, SQLITE_STATIC);
        sqlite3_bind_double(add, 3, got->value);
        if (got->at >= 0) {
            sqlite3_bind_double(add, 4, got->at);
        } else {
            sqlite3_bind_null(add, 4);
        }
        good = sqlite3_step(add) == SQLITE_DONE && sqlite3_reset(add) == SQLITE_OK;
    }
    return sqlite3_finalize(add) == SQLITE_OK && good;
}

static bool set_score(cg_logbook *book, int64_t attempt, const cg_score *score, double seconds, const char *recording)
{
    sqlite3_stmt *set = prepare(book, "UPDATE attempt SET state = 'finished', seconds = ?, points = ?, most = ?, "
                                      "passed = ?, worst = ?, recording = ? WHERE id = ? AND state = 'running'");
    int worst = score->worst >= 0 ? score->lines[score->worst].measure : -1;
    sqlite3_bind_double(set, 1, seconds);
    sqlite3_bind_double(set, 2, score->points);
    sqlite3_bind_double(set, 3, score->most);
    sqlite3_bind_int(set, 4, score->passed);
    sqlite3_bind_text(set, 5, worst >= 0 ? cg_measure_get_info(worst)->name : NULL, -1, SQLITE_STATIC);
    sqlite3_bind_text(set, 6, recording, -1, SQLITE_STATIC);
    sqlite3_bind_int64(set, 7, attempt);
    return run_once(set) && sqlite3_changes(book->file) == 1;
}

bool cg_logbook_finish(cg_logbook *book, int64_t attempt, const cg_score *score, const cg_measures *measures,
                       const char *recording, char why[CG_LOGBOOK_WHY])
{
    if (!begin_change(book, why)) {
        return false;
    }
    bool good = add_measures(book, attempt, measures) &&
                set_score(book, attempt, score, measures->end - measures->begin, recording);
    if (!end_change(book, good, "the attempt cannot be finished", why)) {
        return false;
    }
    lock_attempt(book, attempt, false);
    book->current = 0;
    return true;
}

// Telling

// A file that only looks like ours may lack what ours always hold.
static bool say_foreign(char *why)
{
    snprintf(why, CG_LOGBOOK_WHY, "it is no logbook: an attempt in it lacks what every attempt has");
    return false;
}

static bool read_attempt(sqlite3_stmt *row, cg_logged *attempt, char *why)
{
    *attempt = (cg_logged){.id = sqlite3_column_int64(row, 0),
                           .trainee = (const char *)sqlite3_column_text(row, 1),
                           .task = (const char *)sqlite3_column_text(row, 2),
                           .state = (const char *)sqlite3_column_text(row, 3),
                           .seed = sqlite3_column_int64(row, 4),
                           .started = sqlite3_column_int64(row, 5),
                           .seconds = sqlite3_column_double(row, 6),
                           .points = sqlite3_column_double(row, 7),
                           .most = sqlite3_column_double(row, 8),
                           .passed = sqlite3_column_int(row, 9) != 0,
                           .worst = (const char *)sqlite3_column_text(row, 10),
                           .recording = (const char *)sqlite3_column_text(row, 11)};
    return (attempt->trainee != NULL && attempt->task != NULL && attempt->state != NULL) || say_foreign(why);
}

bool cg_logbook_each(cg_logbook *book, const char *trainee, const char *task,
                     bool (*heed)(void *context, const cg_logged *attempt), void *context, char why[CG_LOGBOOK_WHY])
{
    sqlite3_stmt *rows =
        prepare(book, "SELECT attempt.id, trainee.name, task, state, seed, started, seconds, points, most, passed, "
                      "worst, recording FROM attempt JOIN trainee ON trainee.id = attempt.trainee "
                      "WHERE (?1 IS NULL OR trainee.name = ?1) AND (?2 IS NULL OR task = ?2) ORDER BY attempt.id");
    sqlite3_bind_text(rows, 1, trainee, -1, SQLITE_STATIC);
    sqlite3_bind_text(rows, 2, task, -1, SQLITE_STATIC);
    int stepped;
    bool is_good = true, goes_on = true;
    while (is_good && goes_on && (stepped = step(rows)) != SQLITE_DONE) {
        cg_logged attempt;
        is_good = stepped == SQLITE_ROW ? read_attempt(rows, &attempt, why) : fail(book, UNREADABLE, why);
        goes_on = is_good && heed(context, &attempt);
    }
    sqlite3_finalize(rows);
    return is_good;
}

static bool read_measure(sqlite3_stmt *row, cg_measures *measures, char *why)
{
    const char *name = (const char *)sqlite3_column_text(row, 0);
    int which = name != NULL ? cg_measure_find(name) : -1;
    if (which >= 0) {
        bool has_moment = sqlite3_column_type(row, 2) != SQLITE_NULL;
        measures->of[which] = (cg_measured){.known = true,
                                            .value = sqlite3_column_double(row, 1),
                                            .at = has_moment ? sqlite3_column_double(row, 2) : -1};
    }
    return name != NULL || say_foreign(why);
}

bool cg_logbook_measures(cg_logbook *book, int64_t attempt, cg_measures *measures, char why[CG_LOGBOOK_WHY])
{
    sqlite3_stmt *rows = prepare(book, "SELECT name, value, at FROM measure WHERE attempt = ?");
    *measures = (cg_measures){0};
    sqlite3_bind_int64(rows, 1, attempt);
    int stepped;
    bool is_good = true;
    while (is_good && (stepped = step(rows)) != SQLITE_DONE) {
        is_good = stepped == SQLITE_ROW ? read_measure(rows, measures, why) : fail(book, UNREADABLE, why);
    }
    sqlite3_finalize(rows);
    return is_good;
}

bool cg_logbook_is_sound(cg_logbook *book)
{
    sqlite3_stmt *row = prepare(book, "PRAGMA integrity_check");
    bool sound =
        row != NULL && sqlite3_step(row) == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(row, 0), "ok") == 0;
    sqlite3_finalize(row);
    return sound;
}
