#define _POSIX_C_SOURCE 200809L // open_memstream

// The table of a sweep: a file of SQLite, to which rows come as they are done.
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

// In the head of our files ("cgSW"), so that those of others are not taken for ours.
enum { APPLICATION_ID = 0x63675357, BUSY_MILLISECONDS = 10000 };

struct cg_sweep_table {
    const cg_sweep *sweep;
    sqlite3 *file;
    sqlite3_stmt *insert;
    unsigned char *done; // a bit for each row
    int64_t done_count;
};

// Columns

static const char *const column_types[] = {
#define CG_SWEEP_COLUMN(name, kind, text) #name " " #kind,
    CG_SWEEP_COLUMNS
#undef CG_SWEEP_COLUMN
};
enum { COLUMN_COUNT = sizeof column_types / sizeof column_types[0] };

// A pointer, or anything else, as the name of a column.
static void quote(const char *name, char quoted[2 * CG_SWEEP_MOST_POINTER + 3])
{
    char *to = quoted;
    *to++ = '"';
    for (const char *c = name; *c != '\0'; c++) {
        if (*c == '"') {
            *to++ = '"';
        }
        *to++ = *c;
    }
    *to++ = '"';
    *to = '\0';
}

static void write_columns(const cg_sweep *sweep, FILE *to)
{
    char quoted[2 * CG_SWEEP_MOST_POINTER + 3];
    fputs("CREATE TABLE run (number INTEGER PRIMARY KEY", to);
    for (int i = 0; i < sweep->field_count; i++) {
        quote(sweep->fields[i].pointer, quoted);
        fprintf(to, ", %s TEXT", quoted);
    }
    fputs(", seed INTEGER, script TEXT", to);
    for (int i = 0; i < COLUMN_COUNT - CG_SWEEP_COLUMNS_OF_HOST; i++) {
        fprintf(to, ", %s", column_types[i]);
    }
    for (int i = 0; sweep->task != NULL && i < CG_MEASURE_COUNT; i++) {
        quote(cg_measure_get_info(i)->name, quoted);
        fprintf(to, ", %s number", quoted);
    }
    for (int i = COLUMN_COUNT - CG_SWEEP_COLUMNS_OF_HOST; i < COLUMN_COUNT; i++) {
        fprintf(to, ", %s", column_types[i]);
    }
    fputs(")", to);
}

static int column_count(const cg_sweep *sweep)
{
    return 3 + sweep->field_count + COLUMN_COUNT + (sweep->task != NULL ? CG_MEASURE_COUNT : 0);
}

// The file

static bool fail(cg_sweep_table *table, const char *path, FILE *err)
{
    fprintf(err, "%s: the table: %s\n", path, sqlite3_errmsg(table->file));
    return false;
}

static int64_t ask(cg_sweep_table *table, const char *query)
{
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;
    if (sqlite3_prepare_v2(table->file, query, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        number = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return number;
}

static bool begin_file(cg_sweep_table *table)
{
    char *text = NULL, head[160];
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL) {
        return false;
    }
    write_columns(table->sweep, to);
    fclose(to);
    snprintf(head, sizeof head,
             "PRAGMA application_id=%d; CREATE TABLE design (key INTEGER); INSERT INTO design VALUES (%lld);",
             APPLICATION_ID, (long long)(int64_t)table->sweep->key);
    bool good = sqlite3_exec(table->file, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(table->file, head, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(table->file, text, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(table->file, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    free(text);
    return good;
}

static bool read_done(cg_sweep_table *table)
{
    sqlite3_stmt *statement = NULL;
    bool good = sqlite3_prepare_v2(table->file, "SELECT number FROM run", -1, &statement, NULL) == SQLITE_OK;
    while (good && sqlite3_step(statement) == SQLITE_ROW) {
        int64_t row = sqlite3_column_int64(statement, 0);
        if (row >= 0 && row < table->sweep->row_count && !cg_sweep_table_has(table, row)) {
            table->done[row / 8] |= (unsigned char)(1u << (row % 8));
            table->done_count++;
        }
    }
    sqlite3_finalize(statement);
    return good;
}

static bool prepare_insert(cg_sweep_table *table)
{
    char text[4096] = "INSERT OR REPLACE INTO run VALUES (?";
    size_t length = strlen(text);
    for (int i = 1; i < column_count(table->sweep) && length + 4 < sizeof text; i++, length += 2) {
        memcpy(text + length, ",?", 3);
    }
    memcpy(text + length, ")", 2);
    return sqlite3_prepare_v2(table->file, text, -1, &table->insert, NULL) == SQLITE_OK;
}

static bool open_file(cg_sweep_table *table, const char *path, FILE *err)
{
    if (sqlite3_open(path, &table->file) != SQLITE_OK) {
        return fail(table, path, err);
    }
    sqlite3_busy_timeout(table->file, BUSY_MILLISECONDS);
    int64_t id = ask(table, "PRAGMA application_id");
    int64_t tables = ask(table, "SELECT count(*) FROM sqlite_master");
    if (tables == 0 ? !begin_file(table) : id < 0) {
        return fail(table, path, err);
    }
    if (tables != 0 && id != APPLICATION_ID) {
        fprintf(err, "%s: it is no table of a sweep; choose another name\n", path);
        return false;
    }
    if (ask(table, "SELECT key FROM design") != (int64_t)table->sweep->key) {
        fprintf(err,
                "%s: it has rows of another design (or scene, script or motion version); choose another name, or "
                "take it away\n",
                path);
        return false;
    }
    return (read_done(table) && prepare_insert(table)) || fail(table, path, err);
}

cg_sweep_table *cg_sweep_table_open(const char *path, const cg_sweep *sweep, FILE *err)
{
    cg_sweep_table *table = calloc(1, sizeof *table);
    unsigned char *done = calloc((size_t)(sweep->row_count / 8 + 1), 1);
    if (table == NULL || done == NULL) {
        fputs("no memory for a table\n", err);
        free(table);
        free(done);
        return NULL;
    }
    table->sweep = sweep;
    table->done = done;
    if (!open_file(table, path, err)) {
        cg_sweep_table_close(table);
        return NULL;
    }
    return table;
}

void cg_sweep_table_close(cg_sweep_table *table)
{
    if (table != NULL) {
        sqlite3_finalize(table->insert);
        sqlite3_close(table->file);
        free(table->done);
        free(table);
    }
}

bool cg_sweep_table_has(const cg_sweep_table *table, int64_t row)
{
    return (table->done[row / 8] >> (row % 8)) & 1;
}

int64_t cg_sweep_table_done(const cg_sweep_table *table)
{
    return table->done_count;
}

// Rows

static void bind_number(sqlite3_stmt *to, int column, const cg_sweep_number *value)
{
    if (isnan(*value)) {
        sqlite3_bind_null(to, column);
    } else {
        sqlite3_bind_double(to, column, *value);
    }
}

static void bind_count(sqlite3_stmt *to, int column, const cg_sweep_count *value)
{
    if (*value < 0) {
        sqlite3_bind_null(to, column);
    } else {
        sqlite3_bind_int64(to, column, *value);
    }
}

static void bind_word(sqlite3_stmt *to, int column, const cg_sweep_word *value)
{
    sqlite3_bind_text(to, column, *value, -1, SQLITE_TRANSIENT);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// Columns in the order of write_columns: those of the host are behind the measures.
static void bind_result(const cg_sweep *sweep, sqlite3_stmt *to, const cg_sweep_result *result, int column)
{
    int place = 0, measures = sweep->task != NULL ? CG_MEASURE_COUNT : 0;
    int behind = column + COLUMN_COUNT - CG_SWEEP_COLUMNS_OF_HOST;
#define CG_SWEEP_COLUMN(name, kind, text)                                                                              \
    bind_##kind(to, column + place + (column + place >= behind ? measures : 0), &result->name);                        \
    place++;
    CG_SWEEP_COLUMNS
#undef CG_SWEEP_COLUMN
    for (int i = 0; i < measures; i++) {
        bind_number(to, behind + i, &result->measures[i]);
    }
}

bool cg_sweep_table_add(cg_sweep_table *table, const cg_sweep_result *result, FILE *err)
{
    cg_sweep_row row;
    cg_sweep_get_row(table->sweep, result->row, &row);
    sqlite3_stmt *to = table->insert;
    sqlite3_reset(to);
    sqlite3_bind_int64(to, 1, result->row);
    int column = 2;
    for (int i = 0; i < table->sweep->field_count; i++) {
        sqlite3_bind_text(to, column++, row.values[i], -1, SQLITE_TRANSIENT);
    }
    sqlite3_bind_int64(to, column++, (int64_t)row.seed);
    sqlite3_bind_text(to, column++, last_part(table->sweep->scripts[row.script]), -1, SQLITE_TRANSIENT);
    bind_result(table->sweep, to, result, column);
    if (sqlite3_step(to) != SQLITE_DONE) {
        fprintf(err, "the table: row %lld: %s\n", (long long)result->row, sqlite3_errmsg(table->file));
        return false;
    }
    if (!cg_sweep_table_has(table, result->row)) {
        table->done[result->row / 8] |= (unsigned char)(1u << (result->row % 8));
        table->done_count++;
    }
    return true;
}

// As CSV

static void write_cell(sqlite3_stmt *row, int column, FILE *out)
{
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
        break;
    case SQLITE_INTEGER:
        fprintf(out, "%lld", (long long)sqlite3_column_int64(row, column));
        break;
    case SQLITE_FLOAT:
        fprintf(out, "%.17g", sqlite3_column_double(row, column));
        break;
    default: {
        const char *text = (const char *)sqlite3_column_text(row, column);
        bool plain = strpbrk(text, ",\"\n\r") == NULL;
        fputs(plain ? "" : "\"", out);
        for (const char *c = text; *c != '\0'; c++) {
            fputs(*c == '"' ? "\"" : "", out);
            fputc(*c, out);
        }
        fputs(plain ? "" : "\"", out);
    }
    }
}

bool cg_sweep_table_write(cg_sweep_table *table, bool plain, FILE *out)
{
    sqlite3_stmt *row = NULL;
    int columns = column_count(table->sweep) - (plain ? CG_SWEEP_COLUMNS_OF_HOST : 0), code;
    if (sqlite3_prepare_v2(table->file, "SELECT * FROM run ORDER BY number", -1, &row, NULL) != SQLITE_OK) {
        return false;
    }
    for (int i = 0; i < columns; i++) {
        fprintf(out, "%s%s", i > 0 ? "," : "", sqlite3_column_name(row, i));
    }
    fputs("\n", out);
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++) {
            fputs(i > 0 ? "," : "", out);
            write_cell(row, i, out);
        }
        fputs("\n", out);
    }
    sqlite3_finalize(row);
    return code == SQLITE_DONE && !ferror(out);
}
