// The host with a clock of our own: how it keeps time, and what it does when steps are dearer than their time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_edit.h"
#include "harness.h"
#include "host.h"
#include "host_inside.h"
#include "host_stubs.h"
#include "world/world.h"

static const char scene_text[] = "{\"newton\": {\"passes\": 1}, "
                                 "\"threads\": [{\"name\": \"a\", \"shape\": {\"line\": "
                                 "{\"from\": [0, 0, 0], \"to\": [0.02, 0, 0]}}, "
                                 "\"vertices\": 5, \"start\": \"pinned\"}]}";

// With tissue instead, where a test asks for it.
static const char tissue_text[] = "{\"tissues\": [{\"pad\": {\"length\": 0.008, \"width\": 0.008}}]}";
static const char fine_text[] = "{\"tissues\": [{\"pad\": {\"length\": 0.012, \"width\": 0.01}, \"spacing\": 0.001}]}";
// A thread that breaks under its own weight.
static const char weak_text[] = "{\"threads\": [{\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0, 0, -0.1]}}, "
                                "\"vertices\": 21, \"start\": \"pinned\", \"breaks\": true, "
                                "\"breaking_force\": 2e-5}]}";
// A thread through the edge of a pad, drawn out over it by two hands: it tears.
static const char torn_text[] =
    "{\"gravity\": [0, 0, 0], \"threads\": [{\"name\": \"a\", \"suture\": \"3-0 nylon\", \"spacing\": 0.0005, "
    "\"drag\": 30, \"follow\": {\"fine\": 0.0005, \"coarse\": 0.0005}, \"shape\": {\"points\": [[-0.001, 0.009, "
    "0.003], "
    "[0.0001, 0.0025, 0], [0.0001, 0.004, -0.001], [0.001, 0.009, 0.003]]}}], "
    "\"tissues\": [{\"name\": \"skin\", \"pad\": {\"length\": 0.008, \"width\": 0.008}, \"tear_force\": 0.1, "
    "\"spacing\": 0.001}], \"stitches\": [{\"thread\": \"a\", \"tissue\": \"skin\", "
    "\"points\": [[0.0001, 0.0025, 0], [0.0001, 0.004, -0.001]]}], "
    "\"hands\": [{\"name\": \"left\", \"position\": [-0.001, 0.009, 0.003], \"max_force\": 1.5}, "
    "{\"name\": \"right\", \"position\": [0.001, 0.009, 0.003], \"max_force\": 1.5}], "
    "\"inputs\": [{\"at\": 0, \"close_hand\": {\"hand\": \"left\"}}, {\"at\": 0, \"close_hand\": {\"hand\": "
    "\"right\"}}, "
    "{\"at\": 0.01, \"move_hand\": {\"hand\": \"left\", \"position\": [-0.001, 0.013, 0.003], \"time\": 0.1}}, "
    "{\"at\": 0.01, \"move_hand\": {\"hand\": \"right\", \"position\": [0.001, 0.013, 0.003], \"time\": 0.1}}]}";
static bool wants_tissue, wants_fine, wants_weak, wants_torn;

// Time goes by while the clock is looked at: before and after a step, and between its stages.
static double now, look_cost;
static int looks;

static double read_clock(void)
{
    looks++;
    now += look_cost;
    return now;
}

// What the host sent.
static int frames, speed_events, errors, closed_with, breaks;
static int tears;        // that were told as they began
static double most_pull; // [of what it bears] of the bites that frames had
static double torn_area; // [m2] that the last frame told
static char last_break[CG_HOST_WHY_BYTES];
static char last_error[CG_HOST_WHY_BYTES];
static cg_wire_frame last_frame;
static uint32_t acknowledged;
static int surfaces, frames_without_surface;
static uint32_t surface_version, surface_nodes;
static int surface_changes;
static size_t change_bytes, surface_bytes; // of the last
static bool has_bad_change;
static double scene_duration; // of the last
static double decode_room[1 << 16];

static void take(const void *bytes, size_t size)
{
    cg_message message;
    if (!CHECK(cg_message_decode(&message, bytes, size, decode_room, sizeof decode_room))) {
        return;
    }
    if (message.kind == CG_MESSAGE_event && message.as.event.kind == CG_CHOICE_event_kind_speed) {
        speed_events++;
    }
    if (message.kind == CG_MESSAGE_event && message.as.event.kind == CG_CHOICE_event_kind_broke) {
        breaks++;
        snprintf(last_break, sizeof last_break, "%s", message.as.event.message);
    }
    if (message.kind == CG_MESSAGE_event && message.as.event.kind == CG_CHOICE_event_kind_tear) {
        tears += strstr(message.as.event.message, "A stitch tears the tissue") != NULL;
    }
    if (message.kind == CG_MESSAGE_frame) {
        const cg_wire_frame *frame = &message.as.frame;
        for (uint32_t i = 0; i < frame->bites.count; i++) {
            cg_value_vec3 pull = frame->bites.items[i].pull;
            double force = sqrt(pull.x * pull.x + pull.y * pull.y + pull.z * pull.z);
            most_pull = fmax(most_pull, force / frame->bites.items[i].bears);
        }
        torn_area = frame->torn.count > 0 ? frame->torn.items[0].area : 0;
    }
    if (message.kind == CG_MESSAGE_error) {
        errors++;
        snprintf(last_error, sizeof last_error, "%s", message.as.error.message);
    }
    if (message.kind == CG_MESSAGE_scene) {
        scene_duration = message.as.scene.duration;
    }
    if (message.kind == CG_MESSAGE_surface) {
        surfaces++;
        surface_version = message.as.surface.topology_version;
        surface_nodes = message.as.surface.nodes.count;
        surface_bytes = size;
    }
    if (message.kind == CG_MESSAGE_surface_change) {
        surface_changes++;
        has_bad_change = has_bad_change || message.as.surface_change.topology_version != surface_version + 1;
        surface_version = message.as.surface_change.topology_version;
        surface_nodes = message.as.surface_change.node_count;
        change_bytes = size;
    }
    if (message.kind == CG_MESSAGE_frame && message.as.frame.tissues.count > 0) {
        const cg_wire_tissue_state *tissue = &message.as.frame.tissues.items[0];
        frames_without_surface +=
            tissue->topology_version != surface_version || tissue->positions.count != 3 * surface_nodes;
    }
    if (message.kind == CG_MESSAGE_frame) {
        last_frame = message.as.frame;
    }
}

static void send_to(void *context, int client, const void *bytes, size_t size)
{
    (void)context;
    (void)client;
    take(bytes, size);
}

static void publish(void *context, const void *bytes, size_t size, const uint32_t *all)
{
    (void)context;
    take(bytes, size);
    acknowledged = all[0];
    frames++;
}

static void hang_up(void *context, int client, int code, const char *reason)
{
    (void)context;
    (void)client;
    (void)reason;
    closed_with = code;
}

static bool is_ending(void *context)
{
    (void)context;
    return false;
}

static bool load_scene(void *context, const char *name, cg_scene **scene, char *why)
{
    (void)context;
    (void)name;
    return read_scene(wants_torn     ? torn_text
                      : wants_weak   ? weak_text
                      : wants_fine   ? fine_text
                      : wants_tissue ? tissue_text
                                     : scene_text,
                      scene, why);
}

// A recording in memory.
static unsigned char recorded[1 << 22];
static size_t recorded_size;
static int recordings_left; // that can be begun

static bool write_recorded(void *context, const void *bytes, size_t size)
{
    (void)context;
    if (size > sizeof recorded - recorded_size) {
        return false;
    }
    memcpy(recorded + recorded_size, bytes, size);
    recorded_size += size;
    return true;
}

static bool begin_recording(void *context, const char *name, cg_recorder_def *def, char *name_taken, char *why)
{
    (void)context;
    if (strcmp(name, "impossible") == 0 || recordings_left == 0) {
        snprintf(why, CG_HOST_WHY_BYTES, "it cannot be written");
        return false;
    }
    recordings_left--;
    recorded_size = 0;
    def->write = write_recorded;
    snprintf(name_taken, 256, "%s", name);
    return true;
}

static bool end_recording(void *context, cg_status status, char *why)
{
    (void)context;
    (void)why;
    return CHECK_STR(status.message, "");
}

static cg_recording *open_recording(void *context, const char *name, char *why)
{
    cg_recording *opened = NULL;
    (void)context;
    if (strcmp(name, "missing") == 0) {
        snprintf(why, CG_HOST_WHY_BYTES, "there is no recording of that name");
        return NULL;
    }
    cg_status status = cg_recording_open(recorded, recorded_size, NULL, NULL, &opened);
    if (status.code != CG_OK) {
        snprintf(why, CG_HOST_WHY_BYTES, "%s", status.message);
    }
    return opened;
}

static void close_recording(void *context, cg_recording *recording)
{
    (void)context;
    cg_recording_close(recording);
}

static cg_host *make_host(void)
{
    char why[CG_HOST_WHY_BYTES] = "";
    cg_host_def def = {.files = {.list_scenes = list_scenes,
                                 .load_scene = load_scene,
                                 .begin_recording = begin_recording,
                                 .end_recording = end_recording,
                                 .open_recording = open_recording,
                                 .close_recording = close_recording},
                       .program = "test",
                       .frame_rate = 50,
                       .clock = read_clock,
                       .send = send_to,
                       .publish = publish,
                       .hang_up = hang_up,
                       .set_rate = set_rate,
                       .is_ending = is_ending};
    now = 100;
    recordings_left = 1000;
    frames = speed_events = errors = closed_with = breaks = tears = 0;
    most_pull = torn_area = 0;
    last_frame = (cg_wire_frame){0};
    cg_host *host = cg_host_create(&def, "a", why);
    if (!CHECK(host != NULL)) {
        printf("%s\n", why);
        exit(1);
    }
    return host;
}

static void say(cg_host *host, cg_message message)
{
    static uint32_t request;
    unsigned char bytes[1024];
    message.as.request = ++request;
    size_t size = cg_message_encode(&message, bytes, sizeof bytes);
    CHECK(size > 0);
    cg_host_receive(host, 0, bytes, size);
}

static void join(cg_host *host)
{
    cg_host_join(host, 0, false);
    say(host, (cg_message){.kind = CG_MESSAGE_hello, .as.hello = {.version = CG_PROTOCOL_VERSION}});
}

// Lets so many seconds go by, as the simulation thread does: it sleeps until it is wanted again. Returns the steps
// made.
static uint64_t live(cg_host *host, double seconds)
{
    uint64_t before = last_frame.step;
    double until = now + seconds;
    while (now < until) {
        double next = cg_host_run(host, now);
        now = next > now ? next : now;
    }
    return last_frame.step - before;
}

TEST(the_world_keeps_time)
{
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    live(host, 0.5);
    frames = 0;
    uint64_t steps = live(host, 2);
    CHECK(steps >= 1980 && steps <= 2020); // the last frame is up to 20 ms old
    CHECK(frames >= 99 && frames <= 101);
    CHECK_NEAR(last_frame.behind, 0, 1e-9);
    CHECK_NEAR(last_frame.real_time, 1, 0.01);
    CHECK_INT(speed_events, 0);
    cg_host_destroy(host);
}

TEST(clients_are_told_when_a_thread_breaks)
{
    wants_weak = true;
    cg_host *host = make_host();
    wants_weak = false;
    join(host);
    look_cost = 0;
    live(host, 0.5);
    CHECK_INT(breaks, 1);
    CHECK(strstr(last_break, "A thread broke at ") == last_break);
    cg_host_destroy(host);
}

// A tear is told once a second, but that of another state of the world anew, though it is at the same time.
TEST(clients_are_told_when_a_stitch_tears)
{
    wants_torn = true;
    cg_host *host = make_host();
    wants_torn = false;
    join(host);
    look_cost = 0;
    say(host, (cg_message){.kind = CG_MESSAGE_snapshot, .as.snapshot = {.slot = 0}});
    live(host, 0.2);
    CHECK_INT(tears, 1);
    CHECK(most_pull > 0.2 && most_pull < 1.5); // it is seen to be near to tearing, and that it tore
    CHECK(torn_area > 0);
    say(host, (cg_message){.kind = CG_MESSAGE_restore, .as.restore = {.slot = 0}});
    live(host, 0.2);
    CHECK_INT(tears, 2);
    say(host, (cg_message){.kind = CG_MESSAGE_reset});
    live(host, 0.2);
    CHECK_INT(tears, 3);
    CHECK_INT(errors, 0);
    cg_host_destroy(host);
}

TEST(slow_motion_is_slow_by_its_factor)
{
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    say(host, (cg_message){.kind = CG_MESSAGE_slow_motion, .as.slow_motion = {.factor = 0.125}});
    live(host, 0.5);
    uint64_t steps = live(host, 4);
    CHECK(steps >= 495 && steps <= 505);
    CHECK_INT(speed_events, 0);
    cg_host_destroy(host);
}

// What is given up is counted in seconds of the clock, in slow motion too: 250 steps a second are wanted, each costs
// 8 ms, so half of every second is lost.
TEST(slow_motion_falls_behind_by_the_clock)
{
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    looks = 0;
    uint64_t counted = live(host, 1);
    say(host, (cg_message){.kind = CG_MESSAGE_slow_motion, .as.slow_motion = {.factor = 0.25}});
    look_cost = 8e-3 * (double)counted / looks;
    live(host, 2);
    double before = last_frame.behind;
    uint64_t steps = live(host, 8);
    CHECK_NEAR(last_frame.behind - before, 4, 0.2);
    CHECK(steps >= 970 && steps <= 1030);
    cg_host_destroy(host);
}

static size_t add_gravity(unsigned char *bytes, size_t room, double z)
{
    cg_operation operation = {.kind = CG_OPERATION_set_gravity, .as.set_gravity = {{0, 0, z}}};
    return cg_operation_encode(&operation, bytes, room);
}

// A hold of a vertex that is not there stands between two changes of gravity.
TEST(an_answer_says_which_operations_took_effect)
{
    cg_host *host = make_host();
    join(host);
    unsigned char bytes[3 * CG_OPERATION_MOST_BYTES];
    cg_operation bad = {.kind = CG_OPERATION_hold, .as.hold = {0, 1000, {0, 0, 0}}};
    size_t size = add_gravity(bytes, sizeof bytes, -1);
    size += cg_operation_encode(&bad, bytes + size, sizeof bytes - size);
    size += add_gravity(bytes + size, sizeof bytes - size, -2);
    cg_message operate = {.kind = CG_MESSAGE_operate};
    operate.as.operate.operations.items = bytes;
    operate.as.operate.operations.count = (uint32_t)size;
    say(host, operate);
    CHECK_INT(errors, 1);
    CHECK(strstr(last_error, "hold: ") == last_error);
    CHECK(strstr(last_error, " (refused of 3: number 2; the others took effect)") != NULL);
    CHECK_NEAR(cg_session_world(host->session)->def.gravity.z, -2, 0);
    cg_host_destroy(host);
}

// Opening what is not there changes nothing: not the world that runs, nor the recording that is shown or written.
TEST(a_recording_that_cannot_be_opened_changes_nothing)
{
    static const cg_message missing = {.kind = CG_MESSAGE_open_recording, .as.open_recording = {.name = "missing"}};
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    live(host, 0.1);
    say(host, (cg_message){.kind = CG_MESSAGE_start_recording, .as.start_recording = {.name = "one"}});
    live(host, 0.1);
    say(host, missing);
    CHECK(errors == 1 && host->recording && host->mode == CG_CHOICE_mode_running);
    CHECK(live(host, 0.1) > 50);
    say(host, (cg_message){.kind = CG_MESSAGE_open_recording, .as.open_recording = {.name = "one"}});
    CHECK(errors == 1 && !host->recording && host->mode == CG_CHOICE_mode_watching);
    say(host, (cg_message){.kind = CG_MESSAGE_seek, .as.seek = {.step = 60}});
    const cg_recording *shown = host->player.recording;
    size_t frame = host->player.frame;
    say(host, missing);
    CHECK(errors == 2 && host->mode == CG_CHOICE_mode_watching && frame > 0);
    CHECK(host->player.recording == shown && host->player.frame == frame);
    say(host, (cg_message){.kind = CG_MESSAGE_open_recording, .as.open_recording = {.name = "one"}});
    CHECK(errors == 2 && host->player.recording != shown && host->player.frame == 0);
    cg_host_destroy(host);
}

// Steps of 4 ms for a world that wants 1000 of them a second: a quarter of real time, said once, never more than 50 ms
// to make up for, and an operation is in the next frame but one at the latest.
TEST(dear_steps_do_not_spiral)
{
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    looks = 0;
    uint64_t counted = live(host, 1);
    look_cost = 4e-3 * (double)counted / looks;
    live(host, 3);
    uint64_t steps = live(host, 5);
    CHECK(steps >= 1200 && steps <= 1300);
    CHECK_NEAR(last_frame.real_time, 0.25, 0.02);
    CHECK_NEAR(last_frame.step_seconds, 4e-3, 6e-4); // the first look of a step is before it begins
    CHECK_NEAR(last_frame.behind, 8 * 0.75 - 0.05, 0.2);
    CHECK_INT(speed_events, 1);

    unsigned char bytes[CG_OPERATION_MOST_BYTES];
    cg_operation operation = {.kind = CG_OPERATION_set_gravity, .as.set_gravity = {{0, 0, -1}}};
    cg_message operate = {.kind = CG_MESSAGE_operate};
    operate.as.operate.operations.items = bytes;
    operate.as.operate.operations.count = (uint32_t)cg_operation_encode(&operation, bytes, sizeof bytes);
    uint32_t last = acknowledged;
    say(host, operate);
    live(host, 0.045); // two frames
    CHECK(acknowledged != last);

    // Once steps are cheap again, what is made up for is 50 ms and no more.
    look_cost = 0;
    live(host, 0.1);
    steps = live(host, 1);
    CHECK(steps >= 980 && steps <= 1020);
    live(host, 2);
    CHECK_INT(speed_events, 2);
    CHECK_INT(errors, 0);
    cg_host_destroy(host);
}

TEST(a_long_sleep_is_not_made_up_for)
{
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    live(host, 0.5);
    now += 3600; // the machine slept
    uint64_t steps = live(host, 0.5);
    CHECK(steps >= 480 && steps <= 580);
    cg_host_destroy(host);
}

TEST(orders_cannot_make_frames_without_end)
{
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    say(host, (cg_message){.kind = CG_MESSAGE_pause});
    live(host, 0.1);
    frames = 0;
    for (int i = 0; i < 1000; i++) {
        say(host, (cg_message){.kind = CG_MESSAGE_take_hand});
        cg_host_run(host, now);
        now += 1e-4; // 10,000 orders a second
    }
    CHECK(frames >= 10 && frames <= 4 * 50 / 10 + 1); // a tenth of a second
    cg_host_destroy(host);
}

// What is no message ends the connection, and what comes from it afterwards is not looked at.
TEST(after_a_bad_message_nothing_counts)
{
    cg_host *host = make_host();
    join(host);
    cg_host_receive(host, 0, "garbage", 7);
    CHECK_INT(closed_with, CG_CLOSE_BAD_MESSAGE);
    errors = 0;
    say(host, (cg_message){.kind = CG_MESSAGE_pause});
    look_cost = 0;
    CHECK(live(host, 0.5) > 400);
    CHECK_INT(errors, 0);
    cg_host_destroy(host);
}

TEST(a_surface_is_told_before_frames_show_it)
{
    wants_tissue = true;
    surfaces = frames_without_surface = 0;
    cg_host *host = make_host();
    join(host);
    CHECK(surfaces > 0);
    look_cost = 0;
    live(host, 0.2);
    CHECK(frames > 0 && last_frame.tissues.count == 1);
    surfaces = 0;
    say(host, (cg_message){.kind = CG_MESSAGE_reset}); // another world: told again
    CHECK_INT(surfaces, 1);
    live(host, 0.2);
    CHECK_INT(frames_without_surface, 0);
    cg_host_destroy(host);
    wants_tissue = false;
}

// The pad cut open a little further with every call.
static void cut_further(cg_host *host, int times)
{
    cg_mesh *mesh = cg_world_find_tissue(cg_session_world(host->session), cg_session_tissue(host->session, 0))->mesh;
    double to = -5e-3 + 0.35e-3 * times;
    cg_vec3 path[2] = {{-7e-3, 0.3e-3, 1e-4}, {to, 0.3e-3, 1e-4}}, down[2] = {{0, 0, -3e-3}, {0, 0, -3e-3}};
    cg_mesh_blade blade = {.path = path, .down = down, .count = 2, .at_home = true, .snap = 0.1};
    cg_mesh_cut_result result;
    cg_mesh_cut(mesh, &blade, &result);
}

TEST(a_recording_that_cannot_be_begun_leaves_the_world_alone)
{
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    live(host, 0.5);
    uint64_t before = last_frame.step;
    say(host, (cg_message){.kind = CG_MESSAGE_start_recording, .as.start_recording = {.name = "impossible"}});
    CHECK_INT(errors, 1);
    live(host, 0.1);
    CHECK(before > 400 && last_frame.step > before); // not back at its beginning
    say(host, (cg_message){.kind = CG_MESSAGE_start_recording, .as.start_recording = {.name = "possible"}});
    live(host, 0.1);
    CHECK(last_frame.step < 200);
    CHECK_INT(errors, 1);
    cg_host_destroy(host);
}

static const cg_message keep_first = {.kind = CG_MESSAGE_snapshot, .as.snapshot = {.slot = 0}};
static const cg_message return_to_first = {.kind = CG_MESSAGE_restore, .as.restore = {.slot = 0}};
static const cg_message save_past = {.kind = CG_MESSAGE_save_past};

// What was before a return and what happened since: each is kept until it was written.
TEST(a_past_that_cannot_be_written_is_kept)
{
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    say(host, keep_first);
    live(host, 1.5);
    say(host, return_to_first);
    live(host, 2);
    recordings_left = 0;
    size_t size = host->before.size;
    say(host, save_past);
    CHECK_INT(errors, 1);
    CHECK(size > 0 && host->before.size == size && cg_session_past_seconds(host->session) > 1.9);
    recordings_left = 1; // for what was before
    say(host, save_past);
    CHECK_INT(errors, 2);
    CHECK(host->before.size > 0 && cg_session_past_seconds(host->session) < 0.1);
    recordings_left = 1;
    say(host, save_past);
    CHECK_INT(errors, 2);
    CHECK(recordings_left == 0 && host->before.bytes == NULL);
    cg_recording *recording = open_recording(NULL, "", NULL);
    CHECK(recording != NULL && cg_recording_step_count(recording) > 1900);
    cg_recording_close(recording);
    cg_host_destroy(host);
}

TEST(a_refused_return_leaves_the_past_whole)
{
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    say(host, keep_first);
    live(host, 1.5);
    say(host, (cg_message){.kind = CG_MESSAGE_start_recording, .as.start_recording = {.name = "one"}});
    live(host, 2);
    size_t size = host->before.size;
    say(host, return_to_first); // not while recording
    CHECK_INT(errors, 1);
    CHECK(size > 0 && host->before.size == size && cg_session_past_seconds(host->session) > 1.9);
    cg_host_destroy(host);
}

// Of a recording that begins in the middle of a world and was cut off there may be a frame and no step.
TEST(a_recording_cut_off_at_its_first_frame_has_no_duration)
{
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    live(host, 1.5);
    say(host, save_past);
    live(host, 1.5);
    say(host, save_past);
    size_t whole = recorded_size;
    int without_steps = 0;
    // Such places are in the first kilobyte; the rest is looked at here and there.
    for (recorded_size = 200; recorded_size < whole; recorded_size += recorded_size < 2000 ? 50 : 997) {
        errors = 0;
        say(host, (cg_message){.kind = CG_MESSAGE_open_recording, .as.open_recording = {.name = "one"}});
        if (errors == 0) {
            without_steps += cg_recording_step_count(host->player.recording) < cg_player_first_step(host);
            CHECK(scene_duration >= 0 && scene_duration < 2);
        }
    }
    printf("%d without steps\n", without_steps);
    CHECK(without_steps > 0);
    cg_host_destroy(host);
}

TEST(a_cut_is_told_before_frames_show_it_live_and_recorded)
{
    enum { CUTS = 16 };
    wants_fine = true;
    cg_host *host = make_host();
    join(host);
    look_cost = 0;
    say(host, (cg_message){.kind = CG_MESSAGE_start_recording, .as.start_recording = {.name = "cut"}});
    CHECK_INT(errors, 0);
    surfaces = surface_changes = frames_without_surface = 0;
    has_bad_change = false;
    for (int i = 0; i < CUTS; i++) {
        cut_further(host, i);
        live(host, 0.04);
    }
    CHECK_INT(frames_without_surface, 0);
    CHECK_INT(surfaces, 0);
    CHECK(surface_changes >= 8 && !has_bad_change);
    int live_changes = surface_changes;
    uint32_t live_nodes = surface_nodes;
    say(host, (cg_message){.kind = CG_MESSAGE_end_recording});
    // Watched: forwards, backwards and in leaps, with the surface of each moment.
    say(host, (cg_message){.kind = CG_MESSAGE_open_recording, .as.open_recording = {.name = "cut"}});
    CHECK_INT(errors, 0);
    CHECK(surface_nodes < live_nodes); // whole again
    uint32_t first_nodes = surface_nodes;
    surfaces = surface_changes = 0;
    say(host, (cg_message){.kind = CG_MESSAGE_play, .as.play = {.speed = 1}});
    live(host, 0.04 * CUTS + 0.5);
    CHECK_INT(surface_nodes, live_nodes);
    CHECK(surface_changes >= live_changes / 2 && surfaces == 0);
    join(host); // a second hello: all of it is told as it is shown
    CHECK_INT(surface_nodes, live_nodes);
    say(host, (cg_message){.kind = CG_MESSAGE_play, .as.play = {.speed = -4}});
    live(host, 0.04 * CUTS / 4 + 0.5);
    CHECK_INT(surface_nodes, first_nodes);
    for (uint64_t leap = 0; leap < 12; leap++) {
        say(host, (cg_message){.kind = CG_MESSAGE_seek, .as.seek = {.step = 137 * leap * leap % (40 * CUTS)}});
        live(host, 0.05);
    }
    CHECK_INT(frames_without_surface, 0);
    CHECK(!has_bad_change);
    // A part of the small pad is far below the whole.
    CHECK(change_bytes < surface_bytes);
    cg_host_destroy(host);
    wants_fine = false;
}
