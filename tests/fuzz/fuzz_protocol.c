// Messages of clients, good and bad, in any order: the reader, the host and the session behind it. The input is a row
// of messages: client (1 byte: its low two bits; 0x80 leaves first), size (2 bytes), bytes. Two bits of the first byte
// say how many turns the host makes after it.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

// No contacts: folded threads would keep the friction solvers busy, which are not meant here.
static const char scene_text[] = "{\"max_contacts\": 0, \"threads\": [{\"name\": \"a\", \"shape\": {\"line\": "
                                 "{\"from\": [0,0,0], \"to\": [0.02,0,0]}}, \"vertices\": 5,"
                                 "\"start\": \"pinned\"}], \"shapes\": [{\"name\": \"s\", \"sphere\": {\"radius\": "
                                 "0.001}, \"position\": [0,0,-0.1]}], \"tissues\": [{\"name\": \"t\", \"pad\": "
                                 "{\"length\": 0.004, \"width\": 0.004}, \"position\": [0,0,-0.05]}]}";

// The host's time, which goes on by a millisecond a turn.
static double now;

static double read_clock(void)
{
    return now;
}

static const cg_wire_scene_name *list_scenes(void *context, int *count)
{
    static const cg_wire_scene_name names[] = {{.name = "a", .title = "b"}};
    (void)context;
    *count = 1;
    return names;
}

static bool load_scene(void *context, const char *name, cg_scene **scene, char *why)
{
    cg_scene_error error;
    (void)context;
    (void)why;
    return strcmp(name, "a") == 0 &&
           cg_scene_read(scene_text, sizeof scene_text - 1, "a", NULL, NULL, scene, &error).code == CG_OK;
}

static char *read_script(void *context, const char *name, size_t *size, char *why)
{
    (void)context;
    (void)name;
    (void)size;
    (void)why;
    return NULL;
}

static const cg_wire_recording_name *list_recordings(void *context, int *count)
{
    (void)context;
    *count = 0;
    return NULL;
}

// One recording in memory, which can be watched once it is whole.
static unsigned char *recorded;
static size_t recorded_size;

static cg_recording *open_recording(void *context, const char *name, char *why)
{
    (void)context;
    (void)name;
    (void)why;
    cg_recording *opened = NULL;
    if (recorded == NULL || cg_recording_open(recorded, recorded_size, NULL, NULL, &opened).code != CG_OK) {
        return NULL;
    }
    return opened;
}

static void close_recording(void *context, cg_recording *recording)
{
    (void)context;
    cg_recording_close(recording);
}

static bool write_recording(void *context, const void *bytes, size_t size)
{
    (void)context;
    unsigned char *larger = realloc(recorded, recorded_size + size);
    if (larger == NULL) {
        return false;
    }
    memcpy(larger + recorded_size, bytes, size);
    recorded = larger;
    recorded_size += size;
    return true;
}

static void forget_recording(void)
{
    free(recorded);
    recorded = NULL;
    recorded_size = 0;
}

static bool begin_recording(void *context, const char *name, cg_recorder_def *def, char *taken, char *why)
{
    (void)context;
    (void)name;
    (void)taken;
    (void)why;
    forget_recording();
    def->write = write_recording;
    return true;
}

static bool end_recording(void *context, cg_status status, char *why)
{
    (void)context;
    (void)why;
    return status.code == CG_OK;
}

static double room[1 << 16];

// Everything that goes out must be a message.
static void check_message(const void *bytes, size_t size)
{
    cg_message message;
    if (!cg_message_decode(&message, bytes, size, room, sizeof room) || message.kind <= CG_MESSAGE_FROM_SERVER) {
        abort();
    }
}

static void send_to(void *context, int client, const void *bytes, size_t size)
{
    (void)context;
    (void)client;
    check_message(bytes, size);
}

static void publish(void *context, const void *bytes, size_t size, const uint32_t *acknowledged)
{
    (void)context;
    (void)acknowledged;
    check_message(bytes, size);
}

static void hang_up(void *context, int client, int code, const char *reason)
{
    (void)reason;
    if (code < 1000) {
        abort();
    }
    ((bool *)context)[client] = false;
}

static void set_rate(void *context, int client, double rate)
{
    (void)context;
    (void)client;
    if (!(rate >= 0)) {
        abort();
    }
}

static bool is_ending(void *context)
{
    (void)context;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool here[4] = {false};
    char why[CG_HOST_WHY_BYTES];
    now = 1;
    cg_host_def def = {.files = {.list_scenes = list_scenes,
                                 .load_scene = load_scene,
                                 .read_script = read_script,
                                 .list_recordings = list_recordings,
                                 .open_recording = open_recording,
                                 .close_recording = close_recording,
                                 .begin_recording = begin_recording,
                                 .end_recording = end_recording},
                       .program = "fuzz",
                       .frame_rate = 60,
                       .clock = read_clock,
                       .context = here,
                       .send = send_to,
                       .publish = publish,
                       .hang_up = hang_up,
                       .set_rate = set_rate,
                       .is_ending = is_ending};
    cg_host *host = cg_host_create(&def, "a", why);
    if (host == NULL) {
        abort();
    }
    while (size >= 3) {
        int client = data[0] & 3, turns = data[0] >> 2 & 3;
        size_t length = (size_t)data[1] | (size_t)data[2] << 8;
        if ((data[0] & 0x80) != 0 && here[client]) {
            cg_host_leave(host, client);
            here[client] = false;
        }
        if (!here[client]) {
            cg_host_join(host, client, false);
            here[client] = true;
        }
        length = length < size - 3 ? length : size - 3;
        cg_host_receive(host, client, data + 3, length);
        data += 3 + length;
        size -= 3 + length;
        for (int i = 0; i < 1 << (2 * turns); i++) {
            now += 0.001;
            cg_host_run(host, now);
        }
    }
    cg_host_destroy(host);
    forget_recording();
    return 0;
}
