// Hands that devices lead, with a clock and devices of our own: what a pause, another world and held buttons do.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "host_inside.h"
#include "host_stubs.h"

static const char scene_text[] =
    "{\"threads\": [{\"name\": \"a\", \"shape\": {\"line\": "
    "{\"from\": [0, 0, 0], \"to\": [0.02, 0, 0]}}, \"vertices\": 5, \"start\": \"pinned\"}], "
    "\"hands\": [{\"name\": \"left\", \"position\": [0, 0, 0.01], \"port\": [0, 0.02, 0.1]}]}";

static double now;
static int errors;
static cg_device_sample device; // as the thread of devices would leave it
static cg_device_news told;
static int tellings;
static int reports; // of how devices do
static cg_wire_device_state reported;

static double read_clock(void)
{
    return now;
}

static void send_to(void *context, int client, const void *bytes, size_t size)
{
    cg_message message;
    static double room[1 << 12];
    (void)context;
    (void)client;
    if (cg_message_decode(&message, bytes, size, room, sizeof room)) {
        errors += message.kind == CG_MESSAGE_error;
        if (message.kind == CG_MESSAGE_devices) {
            CHECK_INT(message.as.devices.devices.count, 1);
            reported = message.as.devices.devices.items[0];
            reports++;
        }
    }
}

static void publish(void *context, const void *bytes, size_t size, const uint32_t *all)
{
    (void)context;
    (void)bytes;
    (void)size;
    (void)all;
}

static void hang_up(void *context, int client, int code, const char *reason)
{
    (void)context;
    (void)client;
    (void)code;
    (void)reason;
}

static bool load_scene(void *context, const char *name, cg_scene **scene, char *why)
{
    (void)context;
    (void)name;
    return read_scene(scene_text, scene, why);
}

static void read_device(void *context, int hand, cg_device_sample *sample)
{
    (void)context;
    *sample = hand == 0 ? device : (cg_device_sample){0};
}

static void tell_device(void *context, int hand, const cg_device_news *news)
{
    (void)context;
    if (hand == 0) {
        told = *news;
        tellings++;
    }
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
                       .read_device = read_device,
                       .tell_device = tell_device};
    now = 100;
    errors = tellings = reports = 0;
    device = (cg_device_sample){.is_here = true, .arrivals = 1, .name = "omni", .command.rotation = {0, 0, 0, 1}};
    cg_host *host = cg_host_create(&def, "a", why);
    if (!CHECK(host != NULL)) {
        printf("%s\n", why);
        exit(1);
    }
    cg_host_join(host, 0, false);
    say(host, (cg_message){.kind = CG_MESSAGE_hello, .as.hello = {.version = CG_PROTOCOL_VERSION}});
    return host;
}

// The device is at `x` of its own; it is laid over the hand anew when the news are of another world.
static double laid_at;

static void sample(double x)
{
    if (device.world != told.world || device.number == 0) {
        laid_at = x - told.pose.position.x;
        device.world = told.world;
    }
    device.number++;
    device.device = (cg_vec3){x, 0, 0};
    device.command.position = (cg_vec3){x - laid_at, told.pose.position.y, told.pose.position.z};
}

// So many milliseconds with a sample in each.
static void live(cg_host *host, int milliseconds, double x)
{
    for (int i = 0; i < milliseconds; i++) {
        sample(x);
        now += 1e-3;
        while (cg_host_run(host, now) <= now) {
        }
    }
}

static cg_hand_state hand_of(const cg_host *host)
{
    return cg_hand_get_state(cg_session_world(host->session), cg_session_hand(host->session, 0));
}

TEST(news_have_the_port_of_the_hand)
{
    cg_host *host = make_host();
    live(host, 10, 0);
    CHECK(told.has_port);
    CHECK_NEAR(told.port.y, 0.02, 1e-15);
    CHECK_NEAR(told.port.z, 0.1, 1e-15);
    cg_host_destroy(host);
}

// Clients are told how a device does four times a second, paused or not, and at once when it is unplugged.
TEST(how_a_device_does_is_told)
{
    cg_host *host = make_host();
    device.health = (cg_device_health){.rate = 1000, .late = 1e-4, .energy = 2e-3, .capped = 7};
    live(host, 1000, 0);
    CHECK(reports >= 4 && reports <= 6);
    CHECK(reported.here == 1 && reported.arrivals == 1 && reported.capped == 7);
    CHECK_NEAR(reported.rate, 1000, 0);
    CHECK_NEAR(reported.late, 1e-4, 1e-9);
    CHECK_NEAR(reported.energy, 2e-3, 1e-9);
    say(host, (cg_message){.kind = CG_MESSAGE_pause});
    live(host, 500, 0);
    CHECK(reports >= 6 && reports <= 8);
    int before = reports;
    device.is_here = false;
    live(host, 60, 0);
    CHECK(reports > before && reported.here == 0);
    device = (cg_device_sample){0}; // a server that never had one says nothing
    before = reports;
    live(host, 1000, 0);
    CHECK_INT(reports, before);
    cg_host_destroy(host);
}

// Paused, the device is told that its hand feels nothing; what it does meanwhile does not move the hand when the world
// goes on.
TEST(a_pause_is_told_and_its_way_is_not_made_up_for)
{
    cg_host *host = make_host();
    live(host, 300, 0.005);
    live(host, 300, 0.007);
    CHECK_NEAR(hand_of(host).pose.position.x, 0.002, 1e-4);
    CHECK(told.is_felt);
    uint32_t world = told.world;
    say(host, (cg_message){.kind = CG_MESSAGE_pause});
    live(host, 5, 0.007);
    CHECK(!told.is_felt && told.world != world);
    int before = tellings;
    world = told.world;
    live(host, 500, 0.05);
    CHECK_INT(tellings, before); // once is enough
    say(host, (cg_message){.kind = CG_MESSAGE_go});
    live(host, 300, 0.05);
    CHECK(told.is_felt && told.world != world);
    CHECK_NEAR(hand_of(host).pose.position.x, 0.002, 1e-4);
    live(host, 300, 0.051);
    CHECK_NEAR(hand_of(host).pose.position.x, 0.003, 1e-4);
    CHECK_INT(errors, 0);
    cg_host_destroy(host);
}

// Another world is told though no step is made in it.
TEST(a_world_that_is_new_is_told_while_paused)
{
    cg_host *host = make_host();
    live(host, 50, 0.005);
    say(host, (cg_message){.kind = CG_MESSAGE_pause});
    live(host, 5, 0.005);
    uint32_t world = told.world;
    say(host, (cg_message){.kind = CG_MESSAGE_reset});
    live(host, 5, 0.005);
    CHECK(!told.is_felt && told.world != world);
    CHECK_INT(errors, 0);
    cg_host_destroy(host);
}

// A button that is held through a reset closes the hand of the new world too.
TEST(a_held_button_closes_the_hand_of_the_next_world)
{
    cg_host *host = make_host();
    device.closes = true;
    live(host, 50, 0);
    CHECK(hand_of(host).closed);
    say(host, (cg_message){.kind = CG_MESSAGE_reset});
    CHECK(!hand_of(host).closed);
    live(host, 50, 0);
    CHECK(hand_of(host).closed);
    // Let go of in a pause: open when the world goes on.
    say(host, (cg_message){.kind = CG_MESSAGE_pause});
    live(host, 5, 0);
    device.closes = false;
    live(host, 5, 0);
    say(host, (cg_message){.kind = CG_MESSAGE_go});
    live(host, 50, 0);
    CHECK(!hand_of(host).closed);
    cg_host_destroy(host);
}
