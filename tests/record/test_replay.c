// label: golden
// The commands run and replay, and a recording that every compiler must replay to the bit.
#define _POSIX_C_SOURCE 200809L

#include "app/run_app.h"
#include "base/hash.h"
#include "catgut/recording.h"
#include "harness.h"
#include "support/record_file.h"

#define GOLDEN CATGUT_SOURCE_DIR "/tests/record/golden"
#define FIRST_FORMAT CATGUT_SOURCE_DIR "/tests/record/format1.cgr"

TEST(the_golden_recording_replays)
{
    app_run run = run_app("replay " GOLDEN ".cgr --json");
    CHECK_STR(run.err, "");
    CHECK_INT(run.code, 0);
    CHECK(contains(run.out, "\"agrees\": true") && contains(run.out, "\"hashes_agreeing\": 116"));
    app_run_free(&run);
    run = run_app("replay " GOLDEN ".cgr --from 100");
    CHECK_INT(run.code, 0);
    app_run_free(&run);
}

// Text of a member of an object, as it stands in the JSON.
static void find_member(const char *json, const char *name, char value[64])
{
    const char *at = strstr(json, name);
    value[0] = '\0';
    if (CHECK(at != NULL)) {
        sscanf(at + strlen(name), "\": %63[^,\n]", value);
    }
}

// Running the scene now gives what the recording of then ends with.
TEST(the_golden_scene_ends_as_recorded)
{
    app_run run = run_app("run " GOLDEN ".json --json");
    char hash[64], expected[64];
    CHECK_INT(run.code, 0);
    find_member(run.out, "state_hash", hash);
    app_run_free(&run);
    cg_record_reader reader;
    if (!CHECK(cg_record_reader_open(&reader, GOLDEN ".cgr", stderr))) {
        return;
    }
    uint64_t step, number;
    CHECK(cg_recording_hash(reader.recording, cg_recording_hash_count(reader.recording) - 1, &step, &number));
    CHECK_INT(step, 115);
    snprintf(expected, sizeof expected, "\"0x%016llx\"", (unsigned long long)number);
    CHECK_STR(hash, expected);
    cg_record_reader_close(&reader);
}

static int format_of(const char *path)
{
    cg_record_reader reader;
    if (!CHECK(cg_record_reader_open(&reader, path, stderr))) {
        return 0;
    }
    int format = cg_recording_get_info(reader.recording).format_version;
    CHECK_STR(cg_recording_damage(reader.recording), "");
    cg_record_reader_close(&reader);
    return format;
}

TEST(formats_have_their_numbers)
{
    CHECK_INT(format_of(FIRST_FORMAT), 1);
    CHECK_INT(format_of(CATGUT_SOURCE_DIR "/tests/app/kept/touch.cgr"), 3);
    CHECK_INT(format_of(CATGUT_SOURCE_DIR "/tests/record/format4.cgr"), 4); // jaws and bodies are new in it
    CHECK_INT(format_of(GOLDEN ".cgr"), 5);                                 // and sutures in this
}

// A recording of the first format, whose states and motion were others: what it shows is there, a cut in a pad beside a
// thread; that it cannot be run again is said with all numbers.
TEST(recordings_of_the_first_format_can_be_watched)
{
    cg_record_reader reader;
    if (!CHECK(cg_record_reader_open(&reader, FIRST_FORMAT, stderr))) {
        return;
    }
    cg_recording_info info = cg_recording_get_info(reader.recording);
    CHECK_STR(cg_recording_damage(reader.recording), "");
    CHECK(info.format_version == 1 && info.state_version == 1 && info.motion_version == 1);
    CHECK_INT(cg_recording_check_versions(reader.recording).code, CG_MISMATCH);
    size_t frames = cg_recording_frame_count(reader.recording);
    CHECK_INT(frames, 7);
    cg_recorded_frame frame;
    CHECK_STR(cg_recording_frame(reader.recording, 0, &frame).message, "");
    int before = frame.node_counts[0];
    CHECK_STR(cg_recording_frame(reader.recording, frames - 1, &frame).message, "");
    CHECK(frame.node_counts[0] > before && frame.vertex_counts[0] == 9);
    cg_record_reader_close(&reader);
    char expected[128];
    snprintf(expected, sizeof expected, "motion 1 and states 1; this program has motion %d and states %d",
             CG_MOTION_VERSION, CG_SNAPSHOT_VERSION);
    app_run run = run_app("replay " FIRST_FORMAT);
    CHECK_INT(run.code, 1);
    CHECK(contains(run.err, expected));
    app_run_free(&run);
    run = run_app("knot " FIRST_FORMAT);
    CHECK_INT(run.code, 0);
    app_run_free(&run);
}

TEST(run_says_what_happened)
{
    app_run run = run_app("run " GOLDEN ".json --json --seconds 0.02");
    CHECK_INT(run.code, 0);
    CHECK_STR(run.err, "");
    static const char *const members[] = {
        "steps",   "dt",   "simulated_seconds", "wall_seconds", "state_hash",  "warnings",    "realtime_factor",
        "threads", "name", "vertices",          "length",       "rest_length", "max_stretch", "max_tension"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "\"%s\":", members[i]);
        CHECK(contains(run.out, quoted));
    }
    char steps[64];
    find_member(run.out, "steps", steps);
    CHECK_STR(steps, "20");
    app_run_free(&run);
    run = run_app("run " GOLDEN ".json");
    CHECK_INT(run.code, 0);
    CHECK(contains(run.out, "inputs of all kinds") && contains(run.out, "gone: removed"));
    app_run_free(&run);
}

TEST(run_tells_of_cuts_and_burns)
{
    static const char scene[] =
        "{\"duration\": \"0.15 s\", \"gravity\": [0, 0, 0], \"tissues\": [{\"name\": \"pad\", \"pad\": {\"length\": "
        "\"20 "
        "mm\", \"width\": \"10 mm\"}, \"layers\": [{\"thickness\": \"4 mm\"}]}], \"hands\": [{\"name\": \"left\", "
        "\"tool\": \"hook\", \"hook\": {\"power\": \"900 W\", \"length\": 0}, \"position\": [\"5 mm\", \"3 mm\", 0]}, "
        "{\"name\": "
        "\"right\", \"tool\": \"scalpel\", \"scalpel\": {\"edge\": [0, 0, \"20 mm\"]}, \"position\": [\"-14 mm\", "
        "\"-0.3 "
        "mm\", \"-10 mm\"]}], \"inputs\": [{\"at\": 0, \"close_hand\": {\"hand\": \"left\"}}, {\"at\": 0, "
        "\"close_hand\": "
        "{\"hand\": \"right\"}}, {\"at\": 0, \"move_hand\": {\"hand\": \"right\", \"position\": [\"14 mm\", \"-0.3 "
        "mm\", "
        "\"-10 mm\"], \"time\": \"0.1 s\"}}]}";
    char folder[64], words[512], path[128], value[64];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/cut.json", folder);
    write_text(path, scene, strlen(scene));
    snprintf(words, sizeof words, "run %s", path);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK(contains(run.out, "  scalpels cut ") && contains(run.out, " mg burnt away\n"));
    app_run_free(&run);
    snprintf(words, sizeof words, "run %s --json", path);
    run = run_app(words);
    find_member(run.out, "cut_area", value);
    CHECK(atof(value) > 30e-6 && atof(value) < 100e-6); // the whole section has 80 mm2
    find_member(run.out, "burnt_mass", value);
    CHECK(atof(value) > 1e-6 && atof(value) < 0.15 * 900 / 2.5e6);
    CHECK(contains(run.out, "\"pieces\": "));
    app_run_free(&run);
    // Where nothing was cut nothing is said.
    snprintf(words, sizeof words, "run %s --seconds 0.001", path);
    run = run_app(words);
    CHECK(!contains(run.out, "scalpels") && !contains(run.out, "burnt"));
    app_run_free(&run);
    unlink(path);
    remove_scratch(folder);
}

// A thread slides down a slope once its friction is lowered by an input; recorded and replayed.
TEST(changed_friction_is_recorded_and_replayed)
{
    static const char scene[] =
        "{\"duration\": \"0.3 s\", \"gravity\": [5, 0, -8.5], \"threads\": [{\"name\": "
        "\"thread\", \"friction\": 0.9, \"shape\": {\"line\": {\"from\": [0, 0, \"0.12 mm\"], \"to\": [0, \"10 mm\", "
        "\"0.12 mm\"]}}, \"vertices\": 11}], \"shapes\": [{\"half_space\": {}, \"friction\": 1}]%s}";
    static const char inputs[] = ", \"inputs\": [{\"at\": \"0.1 s\", \"set_friction\": {\"thread\": \"thread\", "
                                 "\"friction\": 0.1}}]";
    char folder[64], words[512], path[128], text[1024], hashes[2][64];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/slope.json", folder);
    for (int lowered = 0; lowered < 2; lowered++) {
        snprintf(text, sizeof text, scene, lowered ? inputs : "");
        write_text(path, text, strlen(text));
        snprintf(words, sizeof words, "run %s --record %s/a.cgr --json", path, folder);
        app_run run = run_app(words);
        CHECK_INT(run.code, 0);
        CHECK_STR(run.err, "");
        find_member(run.out, "state_hash", hashes[lowered]);
        app_run_free(&run);
    }
    CHECK(strcmp(hashes[0], hashes[1]) != 0);
    snprintf(words, sizeof words, "replay %s/a.cgr", folder);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK(contains(run.out, "agrees: "));
    app_run_free(&run);
    unlink(path);
    snprintf(path, sizeof path, "%s/a.cgr", folder);
    unlink(path);
    remove_scratch(folder);
}

TEST(record_and_replay_agree_through_files)
{
    char folder[64], words[512], path[128];
    make_scratch(folder);
    for (int every = 1; every <= 7; every += 6) {
        snprintf(words, sizeof words, "run " GOLDEN ".json --record %s/a.cgr --frame-every %d", folder, every);
        app_run run = run_app(words);
        CHECK_INT(run.code, 0);
        CHECK_STR(run.err, "");
        app_run_free(&run);
        snprintf(path, sizeof path, "%s/a.cgr.part", folder);
        CHECK(access(path, F_OK) != 0);
        snprintf(words, sizeof words, "replay %s/a.cgr", folder);
        run = run_app(words);
        CHECK_INT(run.code, 0);
        CHECK(contains(run.out, "agrees: "));
        app_run_free(&run);
    }
    snprintf(path, sizeof path, "%s/a.cgr", folder);
    unlink(path);
    remove_scratch(folder);
}

// The golden recording with its bytes changed by the callback, replayed.
static app_run replay_changed(size_t (*change)(unsigned char *bytes, size_t size))
{
    char folder[64], path[128], words[256];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/a.cgr", folder);
    static unsigned char bytes[1 << 20];
    FILE *file = fopen(GOLDEN ".cgr", "rb");
    size_t size = file != NULL ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    write_text(path, (const char *)bytes, change(bytes, size));
    snprintf(words, sizeof words, "replay %s", path);
    app_run run = run_app(words);
    unlink(path);
    remove_scratch(folder);
    return run;
}

static size_t cut_end(unsigned char *bytes, size_t size)
{
    (void)bytes;
    return size - 30;
}

static size_t cut_half(unsigned char *bytes, size_t size)
{
    (void)bytes;
    return size / 2;
}

static size_t flip_late(unsigned char *bytes, size_t size)
{
    bytes[size - 100] ^= 1;
    return size;
}

static size_t flip_head(unsigned char *bytes, size_t size)
{
    bytes[100] ^= 1;
    return size;
}

static size_t flip_version(unsigned char *bytes, size_t size)
{
    bytes[8] = 6;
    cg_hash hash = cg_hash_begin();
    cg_hash_add_bytes(&hash, bytes, 12);
    uint64_t checksum = cg_hash_end(&hash);
    for (int i = 0; i < 4; i++) {
        bytes[12 + i] = (unsigned char)(checksum >> 8 * i);
    }
    return size;
}

static size_t no_recording(unsigned char *bytes, size_t size)
{
    memset(bytes, 'x', size);
    return size;
}

TEST(damaged_recordings_are_replayed_as_far_as_they_go)
{
    static const struct {
        size_t (*change)(unsigned char *bytes, size_t size);
        int code;
        const char *part;
    } cases[] = {
        {cut_end, 1, "cut off"},
        {cut_half, 1, "cut off"},
        {flip_late, 1, "damaged at"},
        {flip_head, 2, "the head cannot be read"},
        {flip_version, 2, "format version 6; this program reads 1 to 5"},
        {no_recording, 2, "this is no recording"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        app_run run = replay_changed(cases[i].change);
        CHECK_INT(run.code, cases[i].code);
        if (!CHECK(contains(run.err, cases[i].part))) {
            fprintf(stderr, "case %zu said: %s", i, run.err);
        }
        app_run_free(&run);
    }
}

TEST(bad_words_end_with_2)
{
    static const struct {
        const char *words, *part;
    } cases[] = {
        {"run", "name a scene"},
        {"run /nowhere/scene.json", "/nowhere/scene.json:"},
        {"run " GOLDEN ".json --seconds x", "expected 0 to 1e9"},
        {"run " GOLDEN ".json --seconds -1", "expected 0 to 1e9"},
        {"run " GOLDEN ".json --frame-every 2", "--record is missing"},
        {"run " GOLDEN ".json --record /tmp/a.cgr --frame-every 0", "1 or more"},
        {"run " GOLDEN ".json --record /nowhere/a.cgr", "/nowhere/a.cgr: cannot be written"},
        {"run " GOLDEN ".json --inputs /nowhere/i.json", "/nowhere/i.json: the inputs"},
        {"run " GOLDEN ".json --inputs " GOLDEN ".json", ".json:4:1: found an object; expected an array of inputs"},
        {"run " GOLDEN ".cgr", ".cgr:1:"},
        {"replay", "name a recording"},
        {"replay /nowhere/a.cgr", "/nowhere/a.cgr"},
        {"replay " GOLDEN ".json", "no recording"},
        {"replay " GOLDEN ".cgr --from 1000", "at most 115"},
        {"replay " GOLDEN ".cgr --from 1.5", "expected a step"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        app_run run = run_app(cases[i].words);
        CHECK_INT(run.code, 2);
        if (!CHECK(contains(run.err, cases[i].part))) {
            fprintf(stderr, "%s said: %s", cases[i].words, run.err);
        }
        CHECK_STR(run.out, "");
        app_run_free(&run);
    }
}
