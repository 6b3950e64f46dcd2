// The host with a clock of our own: how it keeps time, and what it does when steps are dearer than their time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "host.h"

static const char scene_text[] =
    "{\"threads\": [{\"name\": \"a\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.02, 0, 0]}}, "
    "\"vertices\": 5, \"start\": \"pinned\"}]}";

// With tissue instead, where a test asks for it.
static const char tissue_text[] = "{\"tissues\": [{\"pad\": {\"length\": 0.008, \"width\": 0.008}}]}";
static bool wants_tissue;

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
static int frames, speed_events, errors, closed_with;
static cg_wire_frame last_frame;
static uint32_t acknowledged;
static int surfaces, frames_without_surface;
static uint32_t surface_version, surface_nodes;
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
    errors += message.kind == CG_MESSAGE_error;
    if (message.kind == CG_MESSAGE_surface) {
        surfaces++;
        surface_version = message.as.surface.topology_version;
        surface_nodes = message.as.surface.nodes.count;
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

static void set_rate(void *context, int client, double rate)
{
    (void)context;
    (void)client;
    (void)rate;
}

static bool is_ending(void *context)
{
    (void)context;
    return false;
}

static const cg_wire_scene_name *list_scenes(void *context, int *count)
{
    static const cg_wire_scene_name names[] = {{.name = "a", .title = ""}};
    (void)context;
    *count = 1;
    return names;
}

static bool load_scene(void *context, const char *name, cg_scene **scene, char *why)
{
    cg_scene_error error;
    (void)context;
    (void)name;
    const char *text = wants_tissue ? tissue_text : scene_text;
    cg_status status = cg_scene_read(text, strlen(text), "a", NULL, NULL, scene, &error);
    snprintf(why, CG_HOST_WHY_BYTES, "%s", error.message);
    return status.code == CG_OK;
}

static cg_host *make_host(void)
{
    char why[CG_HOST_WHY_BYTES] = "";
    cg_host_def def = {.files = {.list_scenes = list_scenes, .load_scene = load_scene},
                       .program = "test",
                       .frame_rate = 50,
                       .clock = read_clock,
                       .send = send_to,
                       .publish = publish,
                       .hang_up = hang_up,
                       .set_rate = set_rate,
                       .is_ending = is_ending};
    now = 100;
    frames = speed_events = errors = closed_with = 0;
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
    cg_host_join(host, 0);
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
