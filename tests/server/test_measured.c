// What takes long is done by others: the host goes on, and tells what was measured when it is done.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "host.h"
#include "host_inside.h"
#include "host_stubs.h"

static const char scene_text[] = "{\"threads\": [{\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.02, 0, 0]}}, "
                                 "\"vertices\": 5, \"start\": \"pinned\"}]}";

static double now;

static double read_clock(void)
{
    return now;
}

static bool load_scene(void *context, const char *name, cg_scene **scene, char *why)
{
    (void)context;
    (void)name;
    return read_scene(scene_text, scene, why);
}

// What was said to client 0.
static int told, done, faults;
static char last_told[64], last_fault[CG_HOST_WHY_BYTES];
static double decode_room[1 << 12];

static void send_to(void *context, int client, const void *bytes, size_t size)
{
    cg_message message;
    (void)context;
    (void)client;
    if (!CHECK(cg_message_decode(&message, bytes, size, decode_room, sizeof decode_room))) {
        return;
    }
    if (message.kind == CG_MESSAGE_training) {
        told++;
        snprintf(last_told, sizeof last_told, "%.*s", (int)message.as.training.json.count,
                 (const char *)message.as.training.json.items);
    }
    done += message.kind == CG_MESSAGE_done;
    if (message.kind == CG_MESSAGE_error) {
        faults++;
        snprintf(last_fault, sizeof last_fault, "%s", message.as.error.message);
    }
}

static void publish(void *context, const void *bytes, size_t size, const uint32_t *acknowledged)
{
    (void)context;
    (void)bytes;
    (void)size;
    (void)acknowledged;
}

static void hang_up(void *context, int client, int code, const char *reason)
{
    (void)context;
    (void)client;
    (void)code;
    (void)reason;
}

static bool ends;

static bool is_ending(void *context)
{
    (void)context;
    return ends;
}

// Another thread, played by the test: pieces wait until it works on them.
static void *waiting[4], *finished[4];
static int waiting_count, finished_count;

static bool work_later(void *context, void *piece)
{
    (void)context;
    if (waiting_count == 4) {
        return false;
    }
    waiting[waiting_count++] = piece;
    return true;
}

static void *take_done(void *context)
{
    (void)context;
    void *first = finished_count > 0 ? finished[0] : NULL;
    finished_count -= first != NULL;
    memmove(finished, finished + 1, (size_t)finished_count * sizeof finished[0]);
    return first;
}

static void work(void)
{
    for (int i = 0; i < waiting_count; i++) {
        cg_host_work(waiting[i]);
        finished[finished_count++] = waiting[i];
    }
    waiting_count = 0;
}

static int measured, scored;

static bool score(void *ended, char *why)
{
    (void)why;
    scored += ended != NULL;
    return true;
}

static char *tell(void *context, const cg_wire_ask_training *asked, size_t *size, char *why)
{
    (void)context;
    measured++;
    if (asked->number == 0) {
        snprintf(why, CG_HOST_WHY_BYTES, "there is no attempt of that number");
        return NULL;
    }
    char *json = malloc(64);
    *size = (size_t)snprintf(json, 64, "{\"number\": %d, \"task\": \"%s\"}", (int)asked->number, asked->task);
    return json;
}

static cg_host *start(bool later)
{
    char why[CG_HOST_WHY_BYTES];
    cg_host_def def = {.files = {.list_scenes = list_scenes, .load_scene = load_scene},
                       .training = {.tell = tell, .score = score},
                       .program = "test",
                       .frame_rate = 60,
                       .most_bytes = 1 << 20,
                       .clock = read_clock,
                       .send = send_to,
                       .publish = publish,
                       .hang_up = hang_up,
                       .set_rate = set_rate,
                       .work_later = later ? work_later : NULL,
                       .take_done = later ? take_done : NULL,
                       .is_ending = is_ending};
    cg_host *host = cg_host_create(&def, "a", why);
    told = done = faults = measured = scored = 0;
    now = 1;
    CHECK(host != NULL);
    return host;
}

static void say(cg_host *host, int client, cg_message *message)
{
    unsigned char bytes[512];
    size_t size = cg_message_encode(message, bytes, sizeof bytes);
    CHECK(size > 0);
    cg_host_receive(host, client, bytes, size);
}

static void join(cg_host *host)
{
    cg_message hello = {.kind = CG_MESSAGE_hello,
                        .as.hello = {.request = 1, .version = CG_PROTOCOL_VERSION, .name = "test", .token = ""}};
    cg_host_join(host, 0, false);
    say(host, 0, &hello);
    told = done = faults = 0;
}

static void ask(cg_host *host, uint64_t number)
{
    cg_message message = {
        .kind = CG_MESSAGE_ask_training,
        .as.ask_training = {
            .request = 7, .kind = CG_CHOICE_training_kind_result, .task = "untie", .trainee = "", .number = number}};
    say(host, 0, &message);
}

TEST(the_world_goes_on_while_a_recording_is_measured)
{
    cg_host *host = start(true);
    join(host);
    ask(host, 3);
    uint64_t before = cg_host_steps(host);
    double next = 0;
    for (int i = 0; i < 50; i++) {
        now += 1e-3;
        next = cg_host_run(host, now);
    }
    CHECK(cg_host_steps(host) > before + 10);
    CHECK(next <= now + 5e-3 + 1e-9); // it looks again soon
    CHECK_INT(told + done + faults, 0);
    work();
    cg_host_run(host, now);
    CHECK_INT(told, 1);
    CHECK_INT(done, 1);
    CHECK_STR(last_told, "{\"number\": 3, \"task\": \"untie\"}");
    ask(host, 0);
    work();
    cg_host_run(host, now);
    CHECK_INT(faults, 1);
    CHECK_STR(last_fault, "there is no attempt of that number");
    CHECK_INT(host->pieces, 0);
    cg_host_destroy(host);
}

TEST(nobody_is_told_what_another_asked_for)
{
    cg_host *host = start(true);
    join(host);
    ask(host, 3);
    cg_host_leave(host, 0);
    join(host); // somebody else, at the same place
    work();
    cg_host_run(host, now);
    CHECK_INT(told + done + faults, 0);
    ask(host, 4);
    work();
    cg_host_destroy(host); // what nobody took is freed
    CHECK_INT(told, 0);
}

TEST(too_much_at_once_is_refused)
{
    cg_host *host = start(true);
    join(host);
    for (int i = 0; i < 5; i++) {
        now += 2; // more often than a client may ask
        ask(host, 3);
    }
    CHECK_INT(faults, 1);
    CHECK_STR(last_fault, "too much is being measured; ask again");
    work();
    cg_host_run(host, now);
    CHECK_INT(told, 4);
    cg_host_destroy(host);
}

TEST(without_another_thread_it_is_measured_at_once)
{
    cg_host *host = start(false);
    join(host);
    ask(host, 3);
    CHECK_INT(told, 1);
    CHECK_INT(done, 1);
    ask(host, 0);
    CHECK_INT(faults, 1);
    cg_host_destroy(host);
}

// What nobody will hear is not measured any more; what somebody did is scored.
TEST(only_scores_are_made_when_the_program_ends)
{
    cg_host *host = start(true);
    cg_trying trying = {.client = 0, .number = 5};
    int attempt = 0;
    join(host);
    ask(host, 3);
    cg_host_score(host, &attempt, &trying);
    CHECK_INT(waiting_count, 2);
    ends = true;
    work();
    ends = false;
    CHECK_INT(measured, 0);
    CHECK_INT(scored, 1);
    cg_host_destroy(host);
}
