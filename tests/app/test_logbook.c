// The logbook: what is finished stays, whatever happens to the program that writes it.
#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "run_app.h"
#include "training/curves.h"
#include "training/logbook.h"

typedef struct place {
    char folder[64], path[96];
} place;

static place new_place(void)
{
    place p;
    make_scratch(p.folder);
    snprintf(p.path, sizeof p.path, "%s/book.db", p.folder);
    return p;
}

static void leave(const place *p)
{
    static const char *const endings[] = {"", ".lock", "-journal"};
    for (int i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", p->path, endings[i]);
        remove(path);
    }
    CHECK(rmdir(p->folder) == 0);
}

static cg_logbook *open_book(const place *p)
{
    cg_logbook *book;
    char why[CG_LOGBOOK_WHY] = "";
    CHECK(cg_logbook_open(p->path, &book, why));
    CHECK_STR(why, "");
    return book;
}

// How many attempts there are in each state, and the last of them.
typedef struct tally {
    int finished, interrupted, running;
    cg_logged last;
    char state[16], worst[32];
} tally;

static bool count_one(void *context, const cg_logged *attempt)
{
    tally *t = context;
    t->finished += strcmp(attempt->state, "finished") == 0;
    t->interrupted += strcmp(attempt->state, "interrupted") == 0;
    t->running += strcmp(attempt->state, "running") == 0;
    t->last = *attempt;
    snprintf(t->state, sizeof t->state, "%s", attempt->state);
    snprintf(t->worst, sizeof t->worst, "%s", attempt->worst != NULL ? attempt->worst : "");
    return true;
}

static tally count(cg_logbook *book, const char *trainee, const char *task)
{
    tally t = {0};
    char why[CG_LOGBOOK_WHY];
    CHECK(cg_logbook_each(book, trainee, task, count_one, &t, why));
    return t;
}

static cg_score score_of(double points)
{
    cg_score score = {.line_count = 1, .points = points, .most = 100, .worst = 0};
    score.lines[0].measure = CG_MEASURE_misses;
    return score;
}

TEST(attempts_are_kept)
{
    place p = new_place();
    cg_logbook *book = open_book(&p);
    char why[CG_LOGBOOK_WHY];
    int64_t attempt;
    cg_score score = score_of(42);
    cg_measures measures = {.begin = 1, .end = 4};
    measures.of[CG_MEASURE_misses] = (cg_measured){true, 3, 2.5};
    CHECK(cg_logbook_begin(book, "ann", "touch", 7, &attempt, why));
    CHECK_INT(count(book, NULL, NULL).running, 1);
    CHECK(!cg_logbook_begin(book, "ann", "touch", 7, &attempt, why)); // one at a time
    CHECK(cg_logbook_finish(book, attempt, &score, &measures, "a.cgr", why));
    CHECK(!cg_logbook_finish(book, attempt, &score, &measures, "a.cgr", why)); // once
    CHECK(cg_logbook_begin(book, "Zoë \"o'\" %", "knot", 1, &attempt, why));
    CHECK(cg_logbook_finish(book, attempt, &score, &measures, NULL, why));
    cg_logbook_close(book);
    book = open_book(&p);
    CHECK_INT(count(book, NULL, NULL).finished, 2);
    CHECK_INT(count(book, "ann", NULL).finished, 1);
    CHECK_INT(count(book, "ann", "knot").finished, 0);
    CHECK_INT(count(book, "nobody", NULL).finished, 0);
    CHECK_INT(count(book, "Zoë \"o'\" %", "knot").finished, 1);
    tally t = count(book, NULL, "touch");
    CHECK_NEAR(t.last.points, 42, 0);
    CHECK_NEAR(t.last.seconds, 3, 0);
    CHECK_INT(t.last.seed, 7);
    CHECK_STR(t.worst, "misses");
    CHECK(cg_logbook_measures(book, t.last.id, &measures, why));
    CHECK(measures.of[CG_MEASURE_misses].known);
    CHECK_NEAR(measures.of[CG_MEASURE_misses].value, 3, 0);
    CHECK_NEAR(measures.of[CG_MEASURE_misses].at, 2.5, 0);
    CHECK(!measures.of[CG_MEASURE_time].known); // it was not before
    cg_logbook_close(book);
    leave(&p);
}

TEST(an_attempt_under_way_is_not_interrupted_by_others)
{
    place p = new_place();
    cg_logbook *one = open_book(&p);
    char why[CG_LOGBOOK_WHY];
    int64_t attempt;
    CHECK(cg_logbook_begin(one, "ann", "touch", 1, &attempt, why));
    cg_logbook *other = open_book(&p);
    CHECK_INT(count(other, NULL, NULL).running, 1);
    cg_logbook_close(one); // without finishing
    cg_logbook_close(other);
    other = open_book(&p);
    CHECK_INT(count(other, NULL, NULL).interrupted, 1);
    cg_logbook_close(other);
    leave(&p);
}

static void execute(const char *path, const char *text)
{
    sqlite3 *file;
    CHECK(sqlite3_open(path, &file) == SQLITE_OK);
    CHECK(sqlite3_exec(file, text, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(file);
}

static void refuse(const place *p, const char *message)
{
    cg_logbook *book;
    char why[CG_LOGBOOK_WHY] = "";
    CHECK(!cg_logbook_open(p->path, &book, why));
    CHECK(book == NULL);
    if (!CHECK(contains(why, message))) {
        printf("said: %s\n", why);
    }
}

TEST(an_old_logbook_is_brought_up_to_date)
{
    place p = new_place();
    // Version 1, as its program made it, with an attempt in it.
    execute(p.path,
            "CREATE TABLE trainee (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, added INTEGER NOT NULL) STRICT;"
            "CREATE TABLE attempt (id INTEGER PRIMARY KEY AUTOINCREMENT, trainee INTEGER NOT NULL REFERENCES trainee "
            "(id), task TEXT NOT NULL, seed INTEGER NOT NULL, started INTEGER NOT NULL, program TEXT NOT NULL, state "
            "TEXT NOT NULL CHECK (state IN ('running', 'finished', 'interrupted')), seconds REAL, points REAL, most "
            "REAL, passed INTEGER, worst TEXT, recording TEXT) STRICT;"
            "CREATE TABLE measure (attempt INTEGER NOT NULL REFERENCES attempt (id), name TEXT NOT NULL, value REAL "
            "NOT NULL, at REAL, PRIMARY KEY (attempt, name)) STRICT, WITHOUT ROWID;"
            "INSERT INTO trainee VALUES (1, 'ann', 0);"
            "INSERT INTO attempt VALUES (1, 1, 'knot', 5, 0, 'catgut 0', 'finished', 9, 88, 100, 1, NULL, NULL);"
            "PRAGMA application_id = 1667714114; PRAGMA user_version = 1;");
    cg_logbook *book = open_book(&p);
    CHECK_NEAR(count(book, "ann", "knot").last.points, 88, 0);
    CHECK(cg_logbook_is_sound(book));
    cg_logbook_close(book);
    sqlite3 *file;
    sqlite3_stmt *row = NULL;
    sqlite3_open(p.path, &file);
    sqlite3_prepare_v2(file, "PRAGMA user_version", -1, &row, NULL);
    CHECK(sqlite3_step(row) == SQLITE_ROW);
    CHECK_INT(sqlite3_column_int(row, 0), CG_LOGBOOK_VERSION);
    sqlite3_finalize(row);
    sqlite3_close(file);
    execute(p.path, "PRAGMA user_version = 99");
    refuse(&p, "found version 99 of the logbook");
    leave(&p);
}

TEST(other_files_are_left_alone)
{
    place p = new_place();
    execute(p.path, "CREATE TABLE theirs (x)");
    refuse(&p, "a database of another program");
    write_text(p.path, "this is no database at all, only a text that is long enough", 59);
    refuse(&p, "not a database");
    leave(&p);
}

// A file with our mark and our tables, in which anything may be missing.
TEST(a_file_that_only_looks_like_ours_is_refused)
{
    place p = new_place();
    execute(p.path,
            "CREATE TABLE trainee (id INTEGER PRIMARY KEY, name);"
            "CREATE TABLE attempt (id INTEGER PRIMARY KEY, trainee, task, seed, started, program, state, seconds, "
            "points, most, passed, worst, recording);"
            "CREATE TABLE measure (attempt, name, value, at);"
            "INSERT INTO trainee VALUES (1, 'ann');"
            "INSERT INTO measure VALUES (1, NULL, 2, 3);"
            "PRAGMA application_id = 1667714114; PRAGMA user_version = 2;");
    static const char *const attempts[] = {"(1, 1, NULL, 1, 0, '', 'finished', 1, 1, 1, 1, NULL, NULL)",
                                           "(1, 1, 'knot', 1, 0, '', NULL, 1, 1, 1, 1, NULL, NULL)",
                                           "(1, 2, 'knot', 1, 0, '', 'finished', 1, 1, 1, 1, NULL, NULL)"};
    execute(p.path, "INSERT INTO trainee VALUES (2, NULL)");
    for (int i = 0; i < 3; i++) {
        char text[200], why[CG_LOGBOOK_WHY] = "";
        snprintf(text, sizeof text, "DELETE FROM attempt; INSERT INTO attempt VALUES %s", attempts[i]);
        execute(p.path, text);
        cg_logbook *book = open_book(&p);
        cg_curves curves = {0};
        CHECK(!cg_curves_read(&curves, book, NULL, NULL, why));
        CHECK(contains(why, "it is no logbook"));
        cg_measures measures;
        why[0] = '\0';
        CHECK(!cg_logbook_measures(book, 1, &measures, why));
        CHECK(contains(why, "it is no logbook"));
        cg_curves_free(&curves);
        cg_logbook_close(book);
    }
    leave(&p);
}

// It is told as it is, not as another file: a folder where SQLite wants its journal keeps it from writing.
TEST(a_logbook_that_cannot_be_changed_is_a_logbook)
{
    place p = new_place();
    char journal[128], *path = malloc(2 * CG_LOGBOOK_PATH);
    cg_logbook *book = open_book(&p);
    cg_logbook_close(book);
    snprintf(journal, sizeof journal, "%s-journal", p.path);
    CHECK(mkdir(journal, 0777) == 0);
    refuse(&p, "the logbook cannot be changed: ");
    CHECK(rmdir(journal) == 0);
    memset(path, 'a', 2 * CG_LOGBOOK_PATH - 1);
    path[2 * CG_LOGBOOK_PATH - 1] = '\0';
    char why[CG_LOGBOOK_WHY] = "";
    CHECK(!cg_logbook_open(path, &book, why));
    CHECK_STR(why, "found a path of 8191 bytes, expected fewer than 4096");
    free(path);
    leave(&p);
}

// Starts the writer, lets it work for some milliseconds, kills it. Returns the last number that it told as finished.
static long long write_and_kill(const place *p, long nanoseconds)
{
    int pipes[2];
    CHECK(pipe(pipes) == 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        close(pipes[0]);
        close(pipes[1]);
        execl(CATGUT_FIXTURE_DIR "/fixture_logbook", "fixture_logbook", p->path, (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    const struct timespec pause = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    // It may be slow to begin: the time runs from its first number on.
    FILE *told = fdopen(pipes[0], "r");
    long long last = 0, number;
    if (fscanf(told, "%lld", &number) == 1) {
        last = number;
    }
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    while (fscanf(told, "%lld", &number) == 1) {
        last = number;
    }
    fclose(told);
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    return last;
}

TEST(a_kill_at_any_moment_loses_nothing)
{
    place p = new_place();
    uint64_t random = 31;
    int kills = test_count(test_is_sanitized() ? 5 : 20, 200), before = 0, interrupted = 0;
    for (int i = 0; i < kills; i++) {
        long long told = write_and_kill(&p, 1000 * (long)test_random_int(&random, 0, 200000));
        cg_logbook *book = open_book(&p);
        tally t = count(book, NULL, NULL);
        CHECK(cg_logbook_is_sound(book));
        CHECK_INT(t.running, 0);
        CHECK(t.interrupted <= interrupted + 1); // at most the one that was under way
        CHECK(t.finished >= before);
        if (told > 0) { // what it told as finished is there, with its last measure
            static cg_measures measures;
            char why[CG_LOGBOOK_WHY];
            CHECK(cg_logbook_measures(book, told, &measures, why));
            CHECK_NEAR(measures.of[CG_MEASURE_COUNT - 1].value, (double)told + CG_MEASURE_COUNT - 1, 0);
        }
        before = t.finished;
        interrupted = t.interrupted;
        cg_logbook_close(book);
    }
    CHECK(before > 0);
    CHECK(interrupted > 0); // or the kills met no attempt under way, and nothing was tried
    printf("%d kills: %d attempts finished, %d interrupted\n", kills, before, interrupted);
    leave(&p);
}
