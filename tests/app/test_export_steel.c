// Rigid bodies and tools of a recording in pictures: where they were, before or behind the tissue, at the moments asked
// for.
#include "run_app.h"

#include <math.h>

#include "glb_check.h"
#include "harness.h"
#include "vtk_check.h"

// Seen from above: a pad of 12 x 8 mm, a rod over it that goes along y by 100 mm/s, one below it, and a driver far
// away. Both rods lie along x.
static const char scene_text[] =
    "{\"gravity\": [0, 0, 0], \"duration\": \"20 ms\", \"max_contacts\": 20,\n"
    "\"bodies\": [{\"parts\": [{\"capsule\": {\"radius\": \"0.5 mm\", \"half_length\": \"2 mm\"}}],\n"
    "  \"position\": [\"1 mm\", \"-2 mm\", \"5 mm\"], \"rotation\": {\"axis\": [0, 1, 0], \"angle\": \"90 deg\"},\n"
    "  \"velocity\": [0, \"0.1 m/s\", 0]},\n"
    " {\"parts\": [{\"capsule\": {\"radius\": \"0.5 mm\", \"half_length\": \"1 mm\"}}],\n"
    "  \"position\": [0, 0, \"-20 mm\"], \"rotation\": {\"axis\": [0, 1, 0], \"angle\": \"90 deg\"}}],\n"
    "\"hands\": [{\"name\": \"far\", \"tool\": \"needle_driver\", \"position\": [\"60 mm\", 0, \"30 mm\"],\n"
    "  \"rotation\": {\"axis\": [0, 1, 0], \"angle\": \"90 deg\"}}],\n"
    "\"tissues\": [{\"name\": \"pad\", \"pad\": {\"length\": \"12 mm\", \"width\": \"8 mm\"},\n"
    " \"layers\": [{\"thickness\": \"4 mm\"}], \"fix_rim\": true}]}";

// The rods and triangles of a picture, in the order in which they are painted.
typedef struct drawn {
    int under_count, over_count, triangles; // strokes before the first triangle, behind the last, triangles
    double low, high, across;               // [px] of the strokes behind the last, along x; their mean y
    double tissue_width;                    // [px]
} drawn;

// Of one panel of a picture.
static drawn read_panel(const char *text, int panel)
{
    const char *at = strstr(text, "<svg x=");
    for (int i = 0; i < panel && at; i++) {
        at = strstr(at + 1, "<svg x=");
    }
    const char *end = at ? strstr(at, "</svg>") : NULL;
    CHECK(end != NULL);
    drawn d = {.low = INFINITY, .high = -INFINITY};
    double left = INFINITY, right = -INFINITY;
    for (; at && end && (at = strstr(at, "<path d=\"")) != NULL && at < end; at++) {
        double x0, y0, x1, y1;
        CHECK_INT(sscanf(at, "<path d=\"M%lf %lfL%lf %lf", &x0, &y0, &x1, &y1), 4);
        if (strstr(at, "fill=") && strstr(at, "fill=") < strchr(at, '\n')) {
            d.triangles++;
            left = fmin(left, fmin(x0, x1));
            right = fmax(right, fmax(x0, x1));
            d.over_count = 0;
            d.low = INFINITY;
            d.high = -INFINITY;
            d.across = 0;
        } else if (d.triangles == 0) {
            d.under_count++;
        } else if (x0 < 800) { // the driver is outside of all panels
            d.low = fmin(d.low, fmin(x0, x1));
            d.high = fmax(d.high, fmax(x0, x1));
            d.across = (d.across * d.over_count + (y0 + y1) / 2) / (d.over_count + 1);
            d.over_count++;
        }
    }
    d.tissue_width = right - left;
    return d;
}

static char *export_picture(const char *folder, const char *options)
{
    char words[320], path[96];
    snprintf(path, sizeof path, "%s/out.svg", folder);
    snprintf(words, sizeof words, "export %s/run.cgr %s --view z %s", folder, path, options);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK_STR(run.err, "");
    app_run_free(&run);
    char *text = read_text(path);
    CHECK(text && xml_fault(text, NULL) == NULL);
    remove(path);
    return text;
}

static void record(const char *folder)
{
    char path[96], words[320];
    snprintf(path, sizeof path, "%s/scene.json", folder);
    write_text(path, scene_text, sizeof scene_text - 1);
    snprintf(words, sizeof words, "run %s --record %s/run.cgr --frame-every 4", path, folder);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    app_run_free(&run);
    remove(path);
}

TEST(bodies_are_drawn_where_they_were)
{
    char folder[64], path[96];
    make_scratch(folder);
    record(folder);
    char *text = export_picture(folder, "--at 0,0.0131");
    CHECK(contains(text, ">0 s</text>") && contains(text, ">0.012 s</text>"));
    // Two panels of 400 x 360: 12 mm in 348 pixels, the middle of the tissue at 200 and 195.
    const double scale = 29000;
    drawn first = read_panel(text, 0), second = read_panel(text, 1);
    CHECK(first.under_count > 0 && first.over_count > 0 && first.triangles > 0);
    CHECK_NEAR(first.tissue_width, 12e-3 * scale, 0.2);
    CHECK_NEAR((first.low + first.high) / 2, 200 + 1e-3 * scale, 0.5);
    CHECK_NEAR(first.high - first.low, 4.5e-3 * scale, 10); // strokes are painted over each other's ends
    CHECK_NEAR(first.across, 195 + 2e-3 * scale, 3);        // its shine lies towards the light
    CHECK_NEAR(second.across - first.across, -0.1 * 0.012 * scale, 0.5);
    free(text);
    text = export_picture(folder, "--at 0,0.02 --frame all");
    CHECK(read_panel(text, 0).tissue_width < 0.2 * first.tissue_width); // the shaft of the driver is in it
    free(text);
    snprintf(path, sizeof path, "%s/run.cgr", folder);
    remove(path);
    CHECK(remove_scratch(folder));
}

static char *export_text(const char *folder, const char *name, const char *options)
{
    char words[320], path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(words, sizeof words, "export %s/run.cgr %s %s", folder, path, options);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK_STR(run.err, "");
    app_run_free(&run);
    char *text = read_text(path);
    CHECK(text != NULL);
    remove(path);
    return text;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        count++;
    }
    return count;
}

// The line of a table that begins with a word, as numbers behind its `skipped` commas.
static void read_line(const char *text, const char *begin, int skipped, double *numbers, int count)
{
    const char *at = strstr(text, begin);
    if (!CHECK(at != NULL)) {
        return;
    }
    for (int i = 0; i < skipped; i++) {
        at = strchr(at, ',') + 1;
    }
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtod(at, &end);
        at = end + 1;
    }
}

static unsigned char bytes[1 << 21];

static size_t read_bytes(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) {
        fclose(file);
    }
    return size;
}

// Rods beside the pad: two bodies, and seven parts of the driver.
static void check_meshes(const char *folder)
{
    char words[320], path[96];
    snprintf(path, sizeof path, "%s/out.glb", folder);
    snprintf(words, sizeof words, "export %s/run.cgr %s", folder, path);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    app_run_free(&run);
    glb_file glb;
    CHECK(glb_check(&glb, bytes, read_bytes(path)));
    CHECK_STR(glb.fault, "");
    CHECK_INT(glb_length(json_member(glb.json, "meshes")), 10);
    CHECK(contains(glb.json, "\"far needle_driver 7\"") && contains(glb.json, "\"body-2\""));
    free(glb.json);
    remove(path);
    snprintf(path, sizeof path, "%s/out.pvd", folder);
    snprintf(words, sizeof words, "export %s/run.cgr %s --at 0", folder, path);
    run = run_app(words);
    CHECK_INT(run.code, 0);
    app_run_free(&run);
    remove(path);
    snprintf(path, sizeof path, "%s/out/out_0000.vtp", folder);
    vtk_piece *piece = calloc(1, sizeof *piece);
    size_t size = read_bytes(path);
    vtk_read((const char *)bytes, size, piece);
    CHECK_STR(piece->fault ? piece->fault : "", "");
    CHECK_INT(piece->lines, 9);
    CHECK_NEAR(piece->coordinates.values[2], 5e-3, 1e-8); // there is no thread before the first rod
    free(piece);
    remove(path);
}

// Behind threads and tissues: the ends of each rod where they were; hands with opening and forces.
TEST(tables_and_meshes_have_bodies_tools_and_hands)
{
    char folder[64], path[96];
    double at[3], hand[21];
    make_scratch(folder);
    record(folder);
    char *text = export_text(folder, "out.csv", "--at 0,0.012");
    read_line(text, "\n0,0,body,body-1,0,", 6, at, 3);
    CHECK_NEAR(fabs(at[0] - 1e-3), 2e-3, 1e-8);
    CHECK_NEAR(at[1], -2e-3, 1e-8);
    CHECK_NEAR(at[2], 5e-3, 1e-8);
    read_line(text, "\n0.012,12,body,body-1,1,", 6, at, 3);
    CHECK_NEAR(at[1], -2e-3 + 0.1 * 0.012, 1e-6);
    CHECK_INT(count_of(text, ",body-2,"), 4);
    CHECK_INT(count_of(text, ",far needle_driver 1,"), 4);
    CHECK_INT(count_of(text, ",far needle_driver 7,"), 4);
    free(text);
    text = export_text(folder, "out.csv", "--hands --at 0");
    read_line(text, "\n0,0,far,needle_driver,0,", 5, hand, 12);
    CHECK_NEAR(hand[0], 60e-3, 1e-8);
    CHECK_NEAR(hand[7], 60e-3, 1e-8);
    CHECK_NEAR(hand[11], 1, 1e-6); // wide open
    free(text);
    check_meshes(folder);
    app_run run = run_app("export a.cgr b.glb --hands");
    CHECK_INT(run.code, 2);
    CHECK(contains(run.err, "expected it with csv only"));
    app_run_free(&run);
    snprintf(path, sizeof path, "%s/run.cgr", folder);
    remove(path);
    CHECK(remove_scratch(folder));
}

TEST(bad_moments_and_frames_are_refused)
{
    static const char *const bad[] = {"--at now", "--at 1,,2", "--at -1", "--at 1,", "--frame threads"};
    for (int i = 0; i < 5; i++) {
        char words[96];
        snprintf(words, sizeof words, "export a.cgr b.svg %s", bad[i]);
        app_run run = run_app(words);
        CHECK_INT(run.code, 2);
        CHECK(contains(run.err, "expected"));
        app_run_free(&run);
    }
}
