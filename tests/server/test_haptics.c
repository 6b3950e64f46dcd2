// The thread of devices with real sockets on loopback, and a simulation beside it: nothing waits for time to pass, all
// for what the other side says.
#define _GNU_SOURCE

#include "haptics.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "device_packet.h"
#include "harness.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// A simulation with one hand at rest, on which a sample that goes down presses.
typedef struct rig {
    cg_haptics *haptics;
    pthread_t thread;
    atomic_bool ends;
    atomic_int led; // steps that a device led
} rig;

static void *simulate(void *context)
{
    rig *r = context;
    while (!atomic_load(&r->ends)) {
        cg_device_sample sample;
        cg_device_news news = {
            .is_there = true, .world = 1, .name = "left", .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .stiffness = 1000};
        cg_haptics_read(r->haptics, 1, 0, &sample);
        news.is_felt = sample.is_here;
        news.felt = (cg_feel_news){.position = sample.device, .force = {0, 0, -1000 * sample.command.position.z}};
        cg_haptics_tell(r->haptics, 1, 0, &news);
        atomic_fetch_add(&r->led, sample.is_here);
        struct timespec pause = {.tv_nsec = 1000000};
        nanosleep(&pause, NULL);
    }
    return NULL;
}

static void begin(rig *r)
{
    cg_haptics_def def = {.device_port = 0, .tracker_port = 0, .clock = now};
    memset(r, 0, sizeof *r);
    r->haptics = cg_haptics_create(&def, stderr);
    CHECK(r->haptics != NULL);
    CHECK(cg_haptics_device_port(r->haptics) > 0 && cg_haptics_tracker_port(r->haptics) > 0);
    CHECK_INT(pthread_create(&r->thread, NULL, simulate, r), 0);
}

static void end(rig *r)
{
    atomic_store(&r->ends, true);
    pthread_join(r->thread, NULL);
    cg_haptics_destroy(r->haptics);
}

static int call(int kind, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval limit = {.tv_sec = 30};
    int made = socket(AF_INET, kind, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    CHECK_INT(connect(made, (const struct sockaddr *)&address, sizeof address), 0);
    return made;
}

static void write_packet(unsigned char bytes[CG_DEVICE_PACKET_BYTES], uint32_t number, float z)
{
    static const float ONE = 1;
    memset(bytes, 0, CG_DEVICE_PACKET_BYTES);
    memcpy(bytes, "cgdv", 4);
    bytes[4] = 1;
    memcpy(bytes + 8, &number, sizeof number); // the machines of the tests are little-endian
    memcpy(bytes + 24, &z, sizeof z);
    memcpy(bytes + 40, &ONE, sizeof ONE);
}

// Sends a sample and waits for its force; [N] upwards.
static float feel(int device, uint32_t number, float z)
{
    unsigned char packet[CG_DEVICE_PACKET_BYTES], answer[CG_FORCE_PACKET_BYTES + 1];
    uint32_t answered = 0;
    float force = 0;
    write_packet(packet, number, z);
    CHECK_INT(send(device, packet, sizeof packet, 0), CG_DEVICE_PACKET_BYTES);
    CHECK_INT(recv(device, answer, sizeof answer, 0), CG_FORCE_PACKET_BYTES);
    memcpy(&answered, answer + 8, sizeof answered);
    memcpy(&force, answer + 20, sizeof force);
    CHECK_INT(answered, number);
    return force;
}

// Each sample gets its force; pressed down, it is pushed up; junk between them changes nothing.
TEST(samples_get_forces)
{
    rig r;
    begin(&r);
    int device = call(SOCK_DGRAM, cg_haptics_device_port(r.haptics));
    uint32_t number = 0;
    float most = 0;
    // Until the simulation has led, then 3 mm down within 300 samples, and on until something is felt: how long that
    // takes is the machine's affair.
    while (atomic_load(&r.led) < 20) {
        feel(device, ++number, 0);
    }
    for (int i = 0; i < 300 || (most < 0.05f && i < 100000); i++) {
        float force = feel(device, ++number, -1e-5f * (float)(i < 300 ? i : 300 - i % 100));
        most = force > most ? force : most;
        CHECK(force <= 3.3f);
        send(device, "junk", 4, 0);
    }
    CHECK(most > 0.05f);
    close(device);
    end(&r);
}

TEST(junk_ends_the_connection_of_a_tracker)
{
    rig r;
    begin(&r);
    int tracker = call(SOCK_STREAM, cg_haptics_tracker_port(r.haptics));
    unsigned char junk[200];
    memset(junk, 0xff, sizeof junk);
    CHECK_INT(send(tracker, junk, sizeof junk, 0), (int)sizeof junk);
    CHECK(recv(tracker, junk, sizeof junk, 0) <= 0);
    close(tracker);
    end(&r);
}

TEST(a_port_that_is_taken_is_told)
{
    cg_haptics_def def = {.device_port = 0, .tracker_port = -1, .clock = now};
    cg_haptics *first = cg_haptics_create(&def, stderr);
    FILE *words = tmpfile();
    CHECK(first != NULL && words != NULL);
    def.device_port = cg_haptics_device_port(first);
    CHECK(cg_haptics_create(&def, words) == NULL);
    CHECK(ftell(words) > 0);
    fclose(words);
    cg_haptics_destroy(first);
}

// Somebody else sends for a hand that has its device, more and at the same time: the device keeps all its answers, and
// the other gets none. The clock stands still, so that nobody counts as silent however busy the machine is.
static double stopped(void)
{
    return 1;
}

static bool is_answered(int device, uint32_t number)
{
    unsigned char answer[CG_FORCE_PACKET_BYTES + 1];
    uint32_t answered = 0;
    if (!CHECK_INT(recv(device, answer, sizeof answer, 0), CG_FORCE_PACKET_BYTES)) {
        return false;
    }
    memcpy(&answered, answer + 8, sizeof answered);
    return CHECK_INT(answered, number);
}

TEST(a_stranger_does_not_starve_a_device)
{
    cg_haptics_def def = {.device_port = 0, .tracker_port = -1, .clock = stopped};
    cg_haptics *haptics = cg_haptics_create(&def, stderr);
    CHECK(haptics != NULL);
    int device = call(SOCK_DGRAM, cg_haptics_device_port(haptics));
    int stranger = call(SOCK_DGRAM, cg_haptics_device_port(haptics));
    unsigned char packet[CG_DEVICE_PACKET_BYTES];
    feel(device, 1, 0);
    for (uint32_t number = 2; number < 200; number++) {
        write_packet(packet, number, 0);
        send(device, packet, sizeof packet, 0);
        for (uint32_t i = 0; i < 8; i++) {
            write_packet(packet, 8 * number + i, 0.05f);
            send(stranger, packet, sizeof packet, 0);
        }
        if (!is_answered(device, number)) {
            break;
        }
    }
    CHECK(recv(stranger, packet, sizeof packet, MSG_DONTWAIT) < 0);
    // What is no packet is counted for whoever leads a hand, and what is late too.
    cg_device_sample sample = {0};
    write_packet(packet, 7, 0);
    send(device, packet, sizeof packet, 0);
    send(device, "junk", 4, 0);
    send(stranger, "junk", 4, 0);
    feel(device, 1000, 0);
    for (int i = 0; i < 10000 && sample.samples < 200; i++) {
        struct timespec pause = {.tv_nsec = 1000000};
        nanosleep(&pause, NULL);
        cg_haptics_read(haptics, 1, 0, &sample);
    }
    CHECK_INT(sample.unread, 2);
    close(device);
    close(stranger);
    cg_haptics_destroy(haptics);
}
