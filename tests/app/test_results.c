// What is written says where it came from, with the right hashes and no path of the machine; a point of a thread can be
// followed through a table; steel keeps its size in a glb.
#include "run_app.h"

#include <math.h>

#include "export/even.h"
#include "glb_check.h"
#include "harness.h"
#include "json_check.h"
#include "support/cell.h"
#include "support/sha256.h"

static void run_words(const char *words, int code)
{
    app_run run = run_app(words);
    if (!CHECK_INT(run.code, code)) {
        printf("%s: %s%s\n", words, run.out, run.err);
    }
    app_run_free(&run);
}

static void run_in(const char *folder, const char *format, int code)
{
    char words[900] = "";
    for (const char *at = format; *at; at++) {
        char one[2] = {*at, '\0'};
        strncat(words, *at == '@' ? folder : one, sizeof words - strlen(words) - 1);
    }
    run_words(words, code);
}

static void put_scene(const char *folder, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/scene.json", folder);
    write_text(path, text, strlen(text));
}

static char *read_in(const char *folder, const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = read_text(path);
    CHECK(text != NULL);
    return text ? text : calloc(1, 1);
}

// The examples of FIPS 180-4, and lengths around a block.
TEST(hashes_are_those_of_the_standard)
{
    static const struct {
        const char *text;
        int times;
        const char *hash;
    } cases[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (int i = 0; i < 4; i++) {
        char text[CG_SHA256_TEXT];
        cg_sha256 hash = cg_sha256_begin();
        for (int k = 0; k < cases[i].times; k++) {
            cg_sha256_add(&hash, cases[i].text, strlen(cases[i].text));
        }
        cg_sha256_end(&hash, text);
        CHECK_STR(text, cases[i].hash);
    }
}

// Every file of a package is there, as long as it says, with the hash that it says; a column with numbers has a unit.
static void check_package(const char *folder, const char *name, int files)
{
    char *text = read_in(folder, name);
    CHECK(json_is_valid(text));
    CHECK(!contains(text, folder)); // no path of the machine
    CHECK(json_is_string(json_member(text, "profile"), "data-package"));
    CHECK(json_member(json_member(text, "made_by"), "commit") != NULL);
    const char *resources = json_member(text, "resources");
    CHECK_INT(json_count(resources), files);
    for (int i = 0; i < files; i++) {
        const char *resource = json_item(resources, i), *at = json_member(resource, "path");
        char path[300], hash[CG_SHA256_TEXT], expected[CG_SHA256_TEXT + 8];
        uint64_t bytes = 0;
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(at + 1, "\""), at + 1);
        CHECK(cg_sha256_of_file(path, hash, &bytes));
        snprintf(expected, sizeof expected, "sha256:%s", hash);
        CHECK(json_is_string(json_member(resource, "hash"), expected));
        CHECK_NEAR(strtod(json_member(resource, "bytes"), NULL), (double)bytes, 0);
        const char *schema = json_member(resource, "schema"), *fields = schema ? json_member(schema, "fields") : NULL;
        for (int k = 0; fields && json_item(fields, k); k++) {
            const char *field = json_item(fields, k);
            CHECK(!json_is_string(json_member(field, "type"), "number") || json_member(field, "unit") != NULL);
            CHECK(json_member(field, "description") != NULL);
        }
    }
    free(text);
}

TEST(what_is_written_says_where_it_came_from)
{
    char folder[64];
    make_scratch(folder);
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    run_in(folder, "run two-threads --seconds 0.05 --record @/a.cgr --snapshot @/end.cgr --stages @/cost.csv", 0);
    run_in(folder, "export @/a.cgr @/a.csv", 0);
    run_in(folder, "export @/a.cgr @/run.csv --table run", 0);
    run_in(folder, "export @/a.cgr @/sutures.csv --table sutures", 0);
    run_in(folder, "export @/a.cgr @/hands.csv --hands", 0);
    run_in(folder, "export @/a.cgr @/a.glb", 0);
    run_in(folder, "export @/a.cgr @/a.svg", 0);
    run_in(folder, "export @/a.cgr @/a.pvd --tension", 0);
    run_in(folder, "experiment catenary --plot @", 0);
    static const char *const names[] = {"a.cgr",     "end.cgr", "cost.csv", "a.csv", "run.csv",     "sutures.csv",
                                        "hands.csv", "a.glb",   "a.svg",    "a.pvd", "catenary.svg"};
    static const int files[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 6, 2};
    for (int i = 0; i < 11; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.package.json", names[i]);
        check_package(folder, name, files[i]);
    }
    // The recording that a table names is found by its hash, and so is the scene.
    char hash[CG_SHA256_TEXT], path[128];
    uint64_t bytes;
    snprintf(path, sizeof path, "%s/a.cgr", folder);
    CHECK(cg_sha256_of_file(path, hash, &bytes));
    char *table = read_in(folder, "a.csv.package.json"), *glb = read_in(folder, "a.pvd.package.json");
    CHECK(contains(table, hash) && contains(glb, hash));
    CHECK(cg_sha256_of_file("scenes/two-threads.json", hash, &bytes));
    CHECK(contains(table, hash) && contains(table, "\"two-threads.json\""));
    free(table);
    free(glb);
    CHECK(remove_scratch(folder));
}

// A number behind so many commas; NAN for an empty cell.
static double cell(const char *line, int place)
{
    for (int i = 0; i < place; i++) {
        line += strcspn(line, ",\n");
        line += *line == ',';
    }
    return *line == ',' || *line == '\n' || *line == '\0' ? NAN : strtod(line, NULL);
}

// A thread whose vertices come and go: the arc lengths at rest of each shape rise from 0 to the same length, and a
// point at a fixed arc length goes smoothly, where the vertex of that number jumps.
TEST(a_point_of_a_thread_can_be_followed)
{
    char folder[64];
    make_scratch(folder);
    put_scene(folder, "{\"duration\": \"0.2 s\", \"threads\": [{\"suture\": \"4-0 nylon\", \"spacing\": \"0.5 mm\",\n"
                      " \"follow\": {\"fine\": \"0.5 mm\", \"coarse\": \"4 mm\"}, \"start\": \"pinned\", \"shape\":\n"
                      " {\"line\": {\"from\": [0, 0, 0], \"to\": [\"40 mm\", 0, 0]}}}]}");
    run_in(folder, "run @/scene.json --record @/a.cgr", 0);
    run_in(folder, "export @/a.cgr @/a.csv", 0);
    run_in(folder, "export @/a.cgr @/even.csv --points 50", 0);
    char *text = read_in(folder, "a.csv");
    double before = -1, end = -1, step = -1;
    int fewest = 1 << 20, most = 0, count = 0, rows = 0;
    for (char *line = strtok(text, "\n"); (line = strtok(NULL, "\n")) != NULL; rows++) {
        double now = cell(line, 1), arc = cell(line, 5), strain = cell(line, 9);
        if (now != step) {
            fewest = count > 0 && count < fewest ? count : fewest;
            CHECK(end < 0 || fabs(before - end) < 1e-12);
            end = step >= 0 ? before : end;
            CHECK_NEAR(arc, 0, 0);
            count = 0;
        } else if (!CHECK(arc > before)) {
            break;
        }
        CHECK(isfinite(strain) && fabs(strain) < 0.2);
        before = arc;
        step = now;
        most = ++count > most ? count : most;
    }
    CHECK(fewest < most && rows > 200); // vertices do come and go
    free(text);
    text = read_in(folder, "even.csv");
    rows = 0;
    for (char *line = strtok(text, "\n"); (line = strtok(NULL, "\n")) != NULL; rows++) {
        CHECK_NEAR(cell(line, 5), end * (rows % 50) / 49, 1e-12);
    }
    CHECK(rows > 0 && rows % 50 == 0);
    free(text);
    CHECK(remove_scratch(folder));
}

// A thread that hangs by one end and is still: at arc length s its tension is the weight of what is below.
TEST(strain_and_tension_are_those_of_a_hanging_thread)
{
    char folder[64];
    make_scratch(folder);
    put_scene(folder,
              "{\"threads\": [{\"vertices\": 11, \"start\": \"pinned\", \"radius\": \"1 mm\", \"youngs_modulus\":\n"
              " \"1 MPa\", \"density\": 1000, \"damping_time\": 0.1, \"drag\": 30, \"shape\": {\"line\": {\"from\":\n"
              " [0, 0, 0], \"to\": [0, 0, \"-100 mm\"]}}}]}");
    run_in(folder, "run @/scene.json --seconds 3 --record @/a.cgr", 0);
    run_in(folder, "export @/a.cgr @/a.csv --tension --at 3", 0);
    char *text = read_in(folder, "a.csv"), *line = strtok(text, "\n");
    const double area = 3.14159265358979 * 1e-6, modulus = 1e6, weight = area * 0.1 * 1000 * 9.81;
    for (int i = 0; i < 11 && CHECK((line = strtok(NULL, "\n")) != NULL); i++) {
        // The mean of the segments at a vertex, each of which carries what is below its middle.
        double share = i == 0 ? 0.95 : i == 10 ? 0.05 : 1 - 0.1 * i;
        CHECK_NEAR(cell(line, 10), weight * share, 2e-3 * weight);
        CHECK_NEAR(cell(line, 9), weight * share / (area * modulus), 2e-3 * weight / (area * modulus));
    }
    free(text);
    CHECK(remove_scratch(folder));
}

static glb_accessor output_of(const glb_file *glb, int node, const char *path, glb_accessor *times)
{
    const char *animation = json_item(json_member(glb->json, "animations"), 0), *sampler;
    const char *channels = json_member(animation, "channels");
    glb_accessor values = {0};
    for (int i = 0; json_item(channels, i); i++) {
        const char *target = json_member(json_item(channels, i), "target");
        if (glb_int(target, "node") == node && glb_is_word(target, "path", path)) {
            glb_find_channel((glb_file *)(uintptr_t)glb, animation, json_item(channels, i), times, &values, &sampler);
        }
    }
    return values;
}

// Steel is a node that turns and goes: its mesh has no shape key, so whatever a viewer puts between two keys it keeps
// its size; the keys are where the body was.
TEST(steel_keeps_its_size_in_a_glb)
{
    static unsigned char bytes[1 << 18];
    char folder[64], path[128];
    make_scratch(folder);
    put_scene(
        folder,
        "{\"gravity\": [0, 0, 0], \"duration\": \"40 ms\", \"max_contacts\": 20, \"bodies\": [{\"name\": \"rod\",\n"
        " \"parts\": [{\"capsule\": {\"radius\": \"0.5 mm\", \"half_length\": \"2 mm\"}}],\n"
        " \"velocity\": [0, \"0.1 m/s\", 0], \"spin\": [\"50 rad/s\", 0, 0]}]}");
    run_in(folder, "run @/scene.json --record @/a.cgr --frame-every 10", 0);
    run_in(folder, "export @/a.cgr @/a.glb", 0);
    snprintf(path, sizeof path, "%s/a.glb", folder);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    fclose(file);
    glb_file glb;
    CHECK(glb_check(&glb, bytes, size));
    CHECK_STR(glb.fault, "");
    const char *mesh = json_item(json_member(glb.json, "meshes"), 0);
    CHECK(glb_is_word(mesh, "name", "rod"));
    CHECK(json_member(json_item(json_member(mesh, "primitives"), 0), "targets") == NULL);
    CHECK(contains(glb.json, "\"name\": \"steel\"") && contains(glb.json, "\"recording_sha256\""));
    glb_accessor points, times, places = output_of(&glb, 1, "translation", &times);
    glb_accessor turns = output_of(&glb, 1, "rotation", &times);
    CHECK(glb_find(&glb, glb_int(json_member(json_item(json_member(mesh, "primitives"), 0), "attributes"), "POSITION"),
                   &points));
    double low = 0, high = 0;
    for (int i = 0; i < points.count; i++) {
        low = fmin(low, (double)glb_float(points.at + 12 * i + 8));
        high = fmax(high, (double)glb_float(points.at + 12 * i + 8));
    }
    CHECK_NEAR(high - low, 4e-3, 4e-9);
    CHECK_INT(places.count, 5);
    for (int k = 0; k < places.count && turns.count == places.count; k++) {
        double time = (double)glb_float(times.at + 4 * k);
        CHECK_NEAR((double)glb_float(places.at + 12 * k + 4), 0.1 * time, 1e-7);
        CHECK_NEAR(fabs((double)glb_float(turns.at + 16 * k)), sin(25 * time), 3e-4); // half of the angle
    }
    free(glb.json);
    CHECK(remove_scratch(folder));
}

TEST(older_parts_of_a_series_are_taken_away_and_notes_stay)
{
    char folder[64], path[128];
    make_scratch(folder);
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    run_in(folder, "run two-threads --seconds 0.2 --record @/a.cgr", 0);
    run_in(folder, "export @/a.cgr @/s.pvd", 0);
    snprintf(path, sizeof path, "%s/s/s_0012.vtp", folder);
    CHECK_INT(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/s/s_0999.vtp", folder);
    write_text(path, "my notes", 8);
    run_in(folder, "export @/a.cgr @/s.pvd --every 6", 0);
    CHECK_INT(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/s/s_0002.vtp", folder);
    CHECK_INT(access(path, F_OK), 0);
    for (int i = 3; i < 14; i++) {
        snprintf(path, sizeof path, "%s/s/s_%04d.vtp", folder, i);
        CHECK(access(path, F_OK) != 0);
    }
    CHECK(remove_scratch(folder));
}

// The tip of a needle goes in: depth and force come up in the table, with holes where the surface is.
TEST(sutures_have_a_table)
{
    char folder[64];
    make_scratch(folder);
    put_scene(
        folder,
        "{\"gravity\": [0, 0, 0], \"max_contacts\": 100, \"bodies\": [{\"name\": \"needle\", \"needle\": \"RB-1\",\n"
        " \"mass\": \"2 g\", \"position\": [0, 0, \"1.5 mm\"], \"velocity\": [0, 0, \"-0.4 m/s\"]}], \"tissues\":\n"
        " [{\"pad\": {\"length\": \"16 mm\", \"width\": \"8 mm\"}, \"spacing\": \"2 mm\",\n"
        " \"pierce_force\": \"20 mN\"}]}");
    run_in(folder, "run @/scene.json --seconds 0.02 --record @/a.cgr --frame-every 1", 0);
    run_in(folder, "export @/a.cgr @/a.csv --table sutures", 0);
    char *text = read_in(folder, "a.csv");
    double force = 0, depth = 0;
    int holes = 0;
    for (char *line = strtok(text, "\n"); (line = strtok(NULL, "\n")) != NULL;) {
        if (strstr(line, ",needle,needle,")) {
            force = fmax(force, cell(line, 8));
            depth = fmax(depth, cell(line, 7));
        } else if (strstr(line, ",needle_hole,")) {
            holes++;
            CHECK(fabs(cell(line, 12)) < 2e-3); // near the top of the pad
            CHECK_NEAR(cell(line, 15), 0, 1e-6);
        }
    }
    CHECK(force > 0.02 && depth > 1e-3 && holes > 0); // it goes in at 20 mN
    free(text);
    CHECK(remove_scratch(folder));
}

TEST(the_standard_output_takes_a_table)
{
    char folder[64], words[200];
    make_scratch(folder);
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    run_in(folder, "run two-threads --seconds 0.02 --record @/a.cgr", 0);
    snprintf(words, sizeof words, "export %s/a.cgr - --to csv --table run", folder);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK(strncmp(run.out, "time,step,largest_tension,", 26) == 0);
    CHECK(access("-", F_OK) != 0);
    app_run_free(&run);
    CHECK(remove_scratch(folder));
}

static char *as_cell(const char *name)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    cg_cell_write(name, out);
    fclose(out);
    return text;
}

TEST(names_in_tables_have_one_rule)
{
    static const char *const names[][2] = {{"plain", "plain"}, {"=1+1", "'=1+1"},
                                           {"a,b", "\"a,b\""}, {"@\"x\"", "\"'@\"\"x\"\"\""},
                                           {"", ""},           {" a", "\" a\""}};
    for (int i = 0; i < 6; i++) {
        char *text = as_cell(names[i][0]);
        CHECK_STR(text, names[i][1]);
        free(text);
    }
}
