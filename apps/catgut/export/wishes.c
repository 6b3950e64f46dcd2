#include "export/wishes.h"

#include <string.h>

#include "support/arguments.h"
#include "support/out_file.h"

const char *const cg_export_format_names[CG_EXPORT_FORMATS] = {"csv", "vtk", "glb", "svg"};

// Which of the names a word is; -1 for none.
static int find_word(const char *word, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(word, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_view(const char *word, cg_view *view, FILE *err)
{
    static const char *const names[] = {"x", "y", "z", "iso"};
    static const cg_view views[] = {CG_VIEW_X, CG_VIEW_Y, CG_VIEW_Z, CG_VIEW_ISO};
    int found = find_word(word, names, 4);
    if (found < 0) {
        fprintf(err, "catgut export: found --view \"%s\", expected x, y, z or iso\n", word);
        return false;
    }
    *view = views[found];
    return true;
}

// A number between bounds; NULL leaves the value as it is.
static bool read_value(const char *option, const char *word, double low, double high, const char *expected,
                       double *value, FILE *err)
{
    double number;
    if (!word) {
        return true;
    }
    if (!cg_read_number(word, &number) || !(number >= low && number <= high)) {
        fprintf(err, "catgut export: found %s \"%s\", expected %s\n", option, word, expected);
        return false;
    }
    *value = number;
    return true;
}

static bool read_count(const char *option, const char *word, double high, const char *expected, size_t *count,
                       FILE *err)
{
    double value = (double)*count;
    if (!read_value(option, word, 1, high, expected, &value, err)) {
        return false;
    }
    if (value != (double)(size_t)value) {
        fprintf(err, "catgut export: found %s \"%s\", expected %s\n", option, word, expected);
        return false;
    }
    *count = (size_t)value;
    return true;
}

// Times between commas; NULL is none.
static bool read_moments(const char *words, cg_export_wishes *w, FILE *err)
{
    for (const char *at = words; at;) {
        size_t length = strcspn(at, ",");
        char word[64] = "";
        memcpy(word, at, length < sizeof word ? length : 0);
        double *moment = &w->moments[w->moment_count];
        if (w->moment_count == CG_POSE_MOST_MOMENTS || !cg_read_number(word, moment) || !(*moment >= 0)) {
            fprintf(err, "catgut export: found --at \"%s\", expected up to %d times in seconds, as 0.5,1,2.25\n", words,
                    CG_POSE_MOST_MOMENTS);
            return false;
        }
        w->moment_count++;
        at = at[length] ? at + length + 1 : NULL;
    }
    return true;
}

static bool read_frame(const char *word, bool *all, FILE *err)
{
    static const char *const names[] = {"tissue", "all"};
    int found = find_word(word, names, 2);
    if (found < 0) {
        fprintf(err, "catgut export: found --frame \"%s\", expected tissue or all\n", word);
    }
    *all = found == 1;
    return found >= 0;
}

// What an ending means. A series is named by its .pvd; .vtp is one shape, .vtu the cells of one.
typedef struct ending {
    const char *text;
    cg_export_format format;
    cg_export_vtk vtk;
} ending;
static const ending ENDINGS[] = {{".csv", CG_EXPORT_CSV, 0},
                                 {".glb", CG_EXPORT_GLB, 0},
                                 {".svg", CG_EXPORT_SVG, 0},
                                 {".pvd", CG_EXPORT_VTK, CG_EXPORT_SERIES},
                                 {".vtp", CG_EXPORT_VTK, CG_EXPORT_ONE_SHAPE},
                                 {".vtu", CG_EXPORT_VTK, CG_EXPORT_ONE_INSIDE}};

// Format by its name, or by the ending of the output, which is cut off the name of a series.
static bool read_format(const char *word, cg_export_wishes *w, FILE *err)
{
    char *dot = strrchr(w->out, '.');
    const ending *found = NULL;
    for (size_t i = 0; i < sizeof ENDINGS / sizeof ENDINGS[0] && dot; i++) {
        found = strcmp(dot, ENDINGS[i].text) == 0 ? &ENDINGS[i] : found;
    }
    int place = word ? find_word(word, cg_export_format_names, CG_EXPORT_FORMATS) : found ? (int)found->format : -1;
    if (dot && strcmp(dot, ".vtk") == 0 && (!word || place == CG_EXPORT_VTK)) {
        fputs(
            "catgut export: .vtk is an older format of VTK; name the output .vtp (one shape), .pvd (a series) or .vtu "
            "(the cells of tissues)\n",
            err);
        return false;
    }
    if (place < 0) {
        fprintf(err,
                word ? "catgut export: found --to \"%s\", expected csv, vtk, glb or svg\n"
                     : "catgut export: %s does not say its format; name it: --to csv, vtk, glb or svg\n",
                word ? word : w->out);
        return false;
    }
    w->format = (cg_export_format)place;
    w->vtk = found && found->format == w->format ? found->vtk : CG_EXPORT_SERIES;
    if (w->format == CG_EXPORT_VTK && w->vtk == CG_EXPORT_SERIES && found && found->format == CG_EXPORT_VTK) {
        *dot = '\0';
    }
    return true;
}

static bool read_table(const char *word, bool hands, cg_export_wishes *w, FILE *err)
{
    static const char *const names[] = {"points", "hands", "run", "sutures"};
    int found = word ? find_word(word, names, 4) : hands ? CG_EXPORT_HANDS : CG_EXPORT_POINTS;
    if (found < 0) {
        fprintf(err, "catgut export: found --table \"%s\", expected points, hands, run or sutures\n", word);
        return false;
    }
    w->table = (cg_export_table)found;
    return true;
}

static bool refuse(bool wrong, const char *what, FILE *err)
{
    if (wrong) {
        fprintf(err, "catgut export: found %s\n", what);
    }
    return wrong;
}

// What does not go together.
static bool check_wishes(const cg_export_wishes *w, bool table_asked, FILE *err)
{
    bool csv = w->format == CG_EXPORT_CSV, vtk = w->format == CG_EXPORT_VTK;
    bool points = csv && w->table == CG_EXPORT_POINTS, standard = strcmp(w->out, "-") == 0;
    return !refuse(w->tension && !points && !vtk, "--tension, expected it with vtk or the points of csv only", err) &&
           !refuse(table_asked && !csv, "--table or --hands, expected it with csv only", err) &&
           !refuse(w->cells && (!vtk || w->vtk != CG_EXPORT_SERIES), "--cells, expected it with a series of vtk only",
                   err) &&
           !refuse(w->points == 1, "--points 1, expected 2 or more", err) &&
           !refuse(w->points > 0 && !points && !vtk, "--points, expected it with vtk or the points of csv only", err) &&
           !refuse(w->thread && csv && !points, "--thread, expected it with shapes", err) &&
           !refuse(w->as_recorded && (w->tension || w->cells || (vtk && w->vtk == CG_EXPORT_ONE_INSIDE) ||
                                      (csv && w->table == CG_EXPORT_RUN)),
                   "--as-recorded, expected none with what only the run itself tells", err) &&
           !refuse(standard && vtk && w->vtk == CG_EXPORT_SERIES, "a series to the standard output, expected one file",
                   err) &&
           !refuse(standard && w->json, "--json with the standard output, expected one of them", err);
}

bool cg_export_read_wishes(cg_export_wishes *w, int count, char **words, FILE *err)
{
    const char *to = NULL, *every = NULL, *poses = NULL, *view = "iso", *radius = NULL, *thicker = NULL;
    const char *at = NULL, *frame = "tissue", *table = NULL, *points = NULL;
    bool hands = false;
    *w = (cg_export_wishes){.every = 1, .thicker = 1};
    const cg_option options[] = {
        {.name = "--to", .value = &to},
        {.name = "--every", .value = &every},
        {.name = "--poses", .value = &poses},
        {.name = "--thread", .value = &w->thread},
        {.name = "--view", .value = &view},
        {.name = "--radius", .value = &radius},
        {.name = "--thicker", .value = &thicker},
        {.name = "--tension", .flag = &w->tension},
        {.name = "--json", .flag = &w->json},
        {.name = "--force", .flag = &w->force},
        {.name = "--at", .value = &at},
        {.name = "--frame", .value = &frame},
        {.name = "--hands", .flag = &hands},
        {.name = "--table", .value = &table},
        {.name = "--points", .value = &points},
        {.name = "--cells", .flag = &w->cells},
        {.name = "--as-recorded", .flag = &w->as_recorded},
    };
    const char *paths[2];
    cg_arguments arguments = {.command = "export",
                              .options = options,
                              .option_count = (int)(sizeof options / sizeof options[0]),
                              .max_words = 2,
                              .words = paths};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return false;
    }
    if (arguments.word_count != 2) {
        fputs("catgut export: a FILE to read and a file OUT to write are needed\n", err);
        return false;
    }
    w->in = paths[0];
    if (strcmp(paths[0], paths[1]) == 0 || cg_same_file(paths[0], paths[1])) {
        fprintf(err, "catgut export: %s would be written over; choose another OUT\n", w->in);
        return false;
    }
    if (strlen(paths[1]) >= sizeof w->out) {
        fputs("catgut export: the name of the output is too long\n", err);
        return false;
    }
    memcpy(w->out, paths[1], strlen(paths[1]) + 1);
    return read_view(view, &w->view, err) && read_frame(frame, &w->frame_all, err) && read_moments(at, w, err) &&
           read_value("--radius", radius, 1e-9, 1, "metres above 0 and at most 1", &w->radius, err) &&
           read_value("--thicker", thicker, 1e-3, 1e6, "a factor from 0.001 to 1000000", &w->thicker, err) &&
           read_count("--every", every, 1e9, "a whole number from 1", &w->every, err) &&
           read_count("--poses", poses, 1000, "a whole number from 1 to 1000", &w->poses, err) &&
           read_count("--points", points, 1e5, "a whole number from 2 to 100000", &w->points, err) &&
           read_table(table, hands, w, err) && read_format(to, w, err) && check_wishes(w, table || hands, err);
}
