// What devices and trackers may say, as bytes, and what the thread of devices makes of it: without sockets, in a time
// of our own.
#include <math.h>
#include <string.h>

#include "harness.h"
#include "lines.h"

static void put_f32(unsigned char *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; i++) {
        at[i] = (unsigned char)(bits >> 8 * i);
    }
}

// An Omni for the hand 1, 2 cm to the right.
static void write_packet(unsigned char bytes[CG_DEVICE_PACKET_BYTES], uint32_t number)
{
    memset(bytes, 0, CG_DEVICE_PACKET_BYTES);
    memcpy(bytes, "cgdv", 4);
    bytes[4] = 1;
    bytes[6] = 1;
    bytes[8] = (unsigned char)number;
    bytes[12] = 3;
    put_f32(bytes + 16, 0.02f);
    put_f32(bytes + 40, 1);
    put_f32(bytes + 44, 0.25f);
    put_f32(bytes + 48, 0.001f);
}

TEST(a_packet_is_read)
{
    unsigned char bytes[CG_DEVICE_PACKET_BYTES];
    cg_device_packet packet;
    write_packet(bytes, 7);
    CHECK(cg_device_packet_read(&packet, bytes, sizeof bytes));
    CHECK_INT(packet.hand, 1);
    CHECK_INT(packet.kind, CG_DEVICE_OMNI);
    CHECK_INT(packet.number, 7);
    CHECK(packet.closes && packet.has_opening);
    CHECK_NEAR(packet.pose.position.x, 0.02, 1e-8);
    CHECK_NEAR(packet.pose.rotation.w, 1, 1e-12);
    CHECK_NEAR(packet.opening, 0.25, 1e-8);
    CHECK_NEAR(packet.delay, 0.001, 1e-8);
}

TEST(bad_packets_are_none)
{
    static const struct {
        int at;
        float value;
    } BAD[] = {{16, NAN}, {20, INFINITY}, {24, 11}, {40, 0}, {40, 3}, {44, 1.5f}, {44, NAN}, {48, -1}, {48, 0.06f}};
    unsigned char bytes[CG_DEVICE_PACKET_BYTES + 1];
    cg_device_packet packet;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        write_packet(bytes, 1);
        put_f32(bytes + BAD[i].at, BAD[i].value);
        CHECK(!cg_device_packet_read(&packet, bytes, CG_DEVICE_PACKET_BYTES));
    }
    static const int PLACES[] = {0, 4, 5, 13};
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        write_packet(bytes, 1);
        bytes[PLACES[i]] = 98;
        CHECK(!cg_device_packet_read(&packet, bytes, CG_DEVICE_PACKET_BYTES));
    }
    write_packet(bytes, 1);
    bytes[6] = CG_FEEL_MOST_PORTS;
    CHECK(!cg_device_packet_read(&packet, bytes, CG_DEVICE_PACKET_BYTES));
    write_packet(bytes, 1);
    bytes[7] = CG_DEVICE_COUNT;
    CHECK(!cg_device_packet_read(&packet, bytes, CG_DEVICE_PACKET_BYTES));
    write_packet(bytes, 1);
    for (size_t size = 0; size <= sizeof bytes; size++) {
        CHECK(cg_device_packet_read(&packet, bytes, size) == (size == CG_DEVICE_PACKET_BYTES));
    }
}

static cg_device_news news_at(cg_vec3 place, const char *name, uint32_t world)
{
    cg_device_news news = {.is_there = true, .world = world, .pose = {place, {0, 0, 0, 1}}, .stiffness = 1000};
    strcpy(news.name, name);
    return news;
}

static cg_device_packet packet_at(uint32_t number, double x)
{
    return (cg_device_packet){.hand = 1, .number = number, .pose = {{x, 0, 0}, {0, 0, 0, 1}}};
}

// A device comes, leads its hand from where that is, presses on something, and is unplugged and plugged in again.
TEST(a_device_comes_and_goes)
{
    cg_lines lines;
    cg_feel_force force = {0};
    double now = 1;
    CHECK(cg_lines_open(&lines));
    cg_line *line = &lines.lines[1];
    cg_device_packet packet = packet_at(10, 0.5);
    CHECK(cg_lines_sample(&lines, &packet, 77, now, &force));
    CHECK(!line->sample.is_here); // the world has no such hand, or has not said so yet
    cg_device_news news = news_at((cg_vec3){0, 0, 0.1}, "right", 3);
    cg_lines_tell(&lines, 1, &news);
    for (uint32_t i = 11; i < 400; i++) {
        packet = packet_at(i, 0.5 - 1e-5 * (i < 200 ? i - 11 : 189));
        now += 1e-3;
        CHECK(cg_lines_sample(&lines, &packet, 77, now, &force));
        cg_lines_tick(&lines, now);
        news.is_felt = true;
        news.felt =
            (cg_feel_news){.position = packet.pose.position, .force = {1000 * (0.5 - packet.pose.position.x), 0, 0}};
        cg_lines_tell(&lines, 1, &news);
    }
    CHECK(line->sample.is_here);
    CHECK_INT(line->sample.arrivals, 1);
    CHECK_NEAR(line->sample.command.position.x, -1.89e-3, 1e-12);
    CHECK_NEAR(line->sample.command.position.z, 0.1, 1e-12);
    CHECK(force.force.x > 0.9); // of 1.89 N; the device bears 560 N/m of the 1000
    // Late ones and those of others are not heard.
    packet = packet_at(399, 0.9);
    CHECK(!cg_lines_sample(&lines, &packet, 77, now, &force));
    packet = packet_at(5, 0.9);
    CHECK(!cg_lines_sample(&lines, &packet, 77, now, &force));
    packet = packet_at(1000, 0.9);
    CHECK(!cg_lines_sample(&lines, &packet, 78, now, &force));
    CHECK_INT(line->sample.unread, 2);
    CHECK_NEAR(line->sample.command.position.x, -1.89e-3, 1e-12);
    // Silence.
    for (int i = 0; i < 11; i++) {
        now += 1e-3;
        cg_lines_tick(&lines, now);
    }
    CHECK(!line->sample.is_here);
    CHECK(cg_feel_get_state(lines.feel, 1).force.x == 0);
    // A packet that was held up does not bring it back: it would lay the device where it was long ago.
    packet = packet_at(390, 0.9);
    CHECK(!cg_lines_sample(&lines, &packet, 77, now, &force));
    CHECK(!line->sample.is_here);
    // Again, elsewhere, by another sender and from its first number on: the hand stays.
    news.pose.position.x = 0.03;
    news.is_felt = false;
    cg_lines_tell(&lines, 1, &news);
    packet = packet_at(1, -0.2);
    CHECK(cg_lines_sample(&lines, &packet, 78, now, &force));
    CHECK(line->sample.is_here);
    CHECK_INT(line->sample.arrivals, 2);
    CHECK_NEAR(line->sample.command.position.x, 0.03, 1e-12);
    CHECK(force.force.x == 0);
    // Another world: laid over its hand anew.
    news = news_at((cg_vec3){0.07, 0, 0}, "right", 4);
    cg_lines_tell(&lines, 1, &news);
    packet = packet_at(2, -0.3);
    CHECK(cg_lines_sample(&lines, &packet, 78, now, &force));
    CHECK_NEAR(line->sample.command.position.x, 0.07, 1e-12);
    CHECK_INT(line->sample.world, 4);
    cg_lines_close(&lines);
}

// A thread that is held draws on the device; then the world is another one. Nothing of the pull may be left, though no
// step is made and the samples go on.
TEST(a_world_that_is_gone_is_not_felt)
{
    cg_lines lines;
    cg_feel_force force = {0};
    double now = 1;
    CHECK(cg_lines_open(&lines));
    cg_device_news news = news_at((cg_vec3){0, 0, 0}, "right", 3);
    cg_lines_tell(&lines, 1, &news);
    for (uint32_t i = 1; i < 500; i++) {
        cg_device_packet packet = packet_at(i, 1e-5 * (i < 200 ? i : 200));
        now += 1e-3;
        CHECK(cg_lines_sample(&lines, &packet, 77, now, &force));
        news.is_felt = true;
        news.felt = (cg_feel_news){
            .position = packet.pose.position, .force = {-1000 * packet.pose.position.x, 0, 0}, .holds = true};
        cg_lines_tell(&lines, 1, &news);
    }
    CHECK(force.force.x < -0.9);
    news = news_at((cg_vec3){0.01, 0, 0}, "right", 4);
    cg_lines_tell(&lines, 1, &news);
    for (uint32_t i = 500; i < 520; i++) {
        cg_device_packet packet = packet_at(i, 2e-3);
        now += 1e-3;
        CHECK(cg_lines_sample(&lines, &packet, 77, now, &force));
    }
    CHECK_NEAR(force.force.x, 0, 0);
    CHECK_NEAR(lines.lines[1].sample.command.position.x, 0.01, 1e-12);
    cg_lines_close(&lines);
}

// An instrument that pivots does so in the port of its hand, also when the next scene has it elsewhere.
TEST(an_instrument_pivots_in_the_port_of_its_hand)
{
    static const cg_vec3 PORTS[] = {{0.02, -0.03, 0.1}, {-0.04, 0, 0.12}};
    cg_lines lines;
    cg_feel_force force;
    CHECK(cg_lines_open(&lines));
    for (uint32_t i = 0; i < 2; i++) {
        cg_device_news news = news_at((cg_vec3){0, 0, 0}, "right", 1 + i);
        news.has_port = true;
        news.port = PORTS[i];
        cg_lines_tell(&lines, 1, &news);
        cg_device_packet packet = packet_at(i + 1, 0.01);
        packet.kind = CG_DEVICE_VLI;
        CHECK(cg_lines_sample(&lines, &packet, 77, 1 + 1e-3 * i, &force));
        cg_quat q = lines.lines[1].sample.command.rotation; // its +z, against the way from the hand to the port
        cg_vec3 z = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)};
        double far = sqrt(PORTS[i].x * PORTS[i].x + PORTS[i].y * PORTS[i].y + PORTS[i].z * PORTS[i].z);
        CHECK_NEAR(z.x, PORTS[i].x / far, 1e-12);
        CHECK_NEAR(z.y, PORTS[i].y / far, 1e-12);
        CHECK_NEAR(z.z, PORTS[i].z / far, 1e-12);
    }
    cg_lines_close(&lines);
}

// Writes size and checksum of the body into the header before it.
static void seal(unsigned char *bytes, size_t size)
{
    uint64_t crc = cg_igtl_crc(bytes + CG_IGTL_HEADER_BYTES, size);
    for (int i = 0; i < 8; i++) {
        bytes[42 + i] = (unsigned char)((uint64_t)size >> (56 - 8 * i));
        bytes[50 + i] = (unsigned char)(crc >> (56 - 8 * i));
    }
}

// Writes an OpenIGTLink message: header and body.
static size_t write_igtl(unsigned char *bytes, const char *type, const char *name, const unsigned char *body,
                         size_t size)
{
    memset(bytes, 0, CG_IGTL_HEADER_BYTES);
    bytes[1] = 1;
    strcpy((char *)bytes + 2, type);
    strcpy((char *)bytes + 14, name);
    memcpy(bytes + CG_IGTL_HEADER_BYTES, body, size);
    seal(bytes, size);
    return CG_IGTL_HEADER_BYTES + size;
}

static void put_big(unsigned char *at, float value)
{
    unsigned char little[4];
    put_f32(little, value);
    for (int i = 0; i < 4; i++) {
        at[i] = little[3 - i];
    }
}

// A turn by `angle` about z, at a place in mm.
static size_t write_transform(unsigned char *bytes, const char *name, double angle, double x)
{
    float c = (float)cos(angle), s = (float)sin(angle);
    float numbers[12] = {c, s, 0, -s, c, 0, 0, 0, 1, (float)x, 20, 30};
    unsigned char body[48];
    for (int i = 0; i < 12; i++) {
        put_big(body + 4 * i, numbers[i]);
    }
    return write_igtl(bytes, "TRANSFORM", name, body, sizeof body);
}

static void feed(cg_igtl_stream *stream, const unsigned char *bytes, size_t size)
{
    size_t room;
    unsigned char *to = cg_igtl_room(stream, &room);
    if (CHECK(room >= size)) {
        memcpy(to, bytes, size);
        cg_igtl_came(stream, size);
    }
}

TEST(the_checksum_is_that_of_ecma_182)
{
    CHECK_HASH(cg_igtl_crc("123456789", 9), 0x6c40df5f0b497347u);
}

// Byte by byte, all angles, and with one of another kind between.
TEST(poses_of_trackers)
{
    cg_igtl_stream stream = {.size = 0};
    cg_igtl_message message;
    for (int i = 0; i < 24; i++) {
        unsigned char bytes[256];
        double angle = -3.1 + 0.27 * i;
        size_t size = write_igtl(bytes, "STATUS", "x", (const unsigned char *)"abc", 3);
        feed(&stream, bytes, size);
        CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_SKIPPED);
        size = write_transform(bytes, "left", angle, 10);
        for (size_t k = 0; k + 1 < size; k++) {
            feed(&stream, bytes + k, 1);
            CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_WAITS);
        }
        feed(&stream, bytes + size - 1, 1);
        CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_MESSAGE);
        CHECK_INT(message.kind, CG_IGTL_TRANSFORM);
        CHECK_STR(message.name, "left");
        CHECK_NEAR(message.pose.position.x, 0.01, 1e-8);
        CHECK_NEAR(message.pose.position.z, 0.03, 1e-8);
        double sign = message.pose.rotation.w * cos(0.5 * angle) < 0 ? -1 : 1;
        CHECK_NEAR(sign * message.pose.rotation.z, sin(0.5 * angle), 1e-6);
        CHECK_NEAR(sign * message.pose.rotation.w, cos(0.5 * angle), 1e-6);
    }
    CHECK_INT(stream.skipped, 0);
}

// The pose of write_transform in a message of version 2: an extended header of `extended` bytes before it, an index and
// metadata of the sizes that are named behind it, of which `there` bytes are really there.
static size_t write_version_2(unsigned char *bytes, size_t extended, unsigned index, unsigned metadata, size_t there)
{
    unsigned char body[256] = {0};
    unsigned char pose[CG_IGTL_HEADER_BYTES + 48];
    write_transform(pose, "left", 0.5, 10);
    body[1] = (unsigned char)extended;
    body[3] = (unsigned char)index;
    for (int i = 0; i < 4; i++) {
        body[4 + i] = (unsigned char)(metadata >> (24 - 8 * i));
    }
    memcpy(body + extended, pose + CG_IGTL_HEADER_BYTES, 48);
    size_t size = write_igtl(bytes, "TRANSFORM", "left", body, extended + 48 + there);
    bytes[1] = 2;
    return size;
}

TEST(poses_with_extended_header_and_metadata)
{
    static const struct {
        size_t extended;
        unsigned index, metadata;
        size_t there;
        cg_igtl_result result;
    } CASES[] = {
        {12, 0, 0, 0, CG_IGTL_MESSAGE},    {12, 2, 0, 2, CG_IGTL_MESSAGE},    {12, 10, 30, 40, CG_IGTL_MESSAGE},
        {16, 10, 30, 40, CG_IGTL_MESSAGE}, // a later, longer one
        {12, 10, 30, 39, CG_IGTL_SKIPPED}, {12, 10, 29, 40, CG_IGTL_SKIPPED}, {12, 0, 0xffffffffu, 0, CG_IGTL_SKIPPED},
        {12, 255, 0, 0, CG_IGTL_SKIPPED},  {8, 0, 0, 0, CG_IGTL_SKIPPED},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        unsigned char bytes[512];
        cg_igtl_stream stream = {.size = 0};
        cg_igtl_message message;
        size_t size = write_version_2(bytes, CASES[i].extended, CASES[i].index, CASES[i].metadata, CASES[i].there);
        feed(&stream, bytes, size);
        CHECK_INT(cg_igtl_next(&stream, &message), CASES[i].result);
        CHECK_INT(stream.size, 0);
        if (CASES[i].result == CG_IGTL_MESSAGE) {
            CHECK_NEAR(message.pose.position.x, 0.01, 1e-8);
            CHECK_NEAR(message.pose.rotation.z, sin(0.25), 1e-6);
        }
    }
    unsigned char bytes[256];
    cg_igtl_stream stream = {.size = 0};
    cg_igtl_message message;
    size_t size = write_igtl(bytes, "TRANSFORM", "left", (const unsigned char *)"\0\014", 2); // not even that
    bytes[1] = 2;
    feed(&stream, bytes, size);
    CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_SKIPPED);
}

// Square columns of unit length that no turn gives: one axis, or all three, the other way round.
TEST(mirrors_are_no_poses)
{
    for (int mirrored = 0; mirrored < 4; mirrored++) {
        unsigned char bytes[256], body[48] = {0};
        cg_igtl_stream stream = {.size = 0};
        cg_igtl_message message;
        for (int i = 0; i < 3; i++) {
            put_big(body + 16 * i, i == mirrored || mirrored == 3 ? -1 : 1);
        }
        feed(&stream, bytes, write_igtl(bytes, "TRANSFORM", "left", body, sizeof body));
        CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_SKIPPED);
        CHECK_INT(stream.skipped, 1);
    }
}

TEST(bad_messages_of_trackers)
{
    cg_igtl_stream stream = {.size = 0};
    cg_igtl_message message;
    unsigned char bytes[256];
    size_t size = write_transform(bytes, "left", 1, 10);
    bytes[CG_IGTL_HEADER_BYTES + 40] ^= 1; // a wrong checksum
    feed(&stream, bytes, size);
    CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_SKIPPED);
    unsigned char body[48] = {0}; // no rotation
    size = write_igtl(bytes, "TRANSFORM", "left", body, sizeof body);
    feed(&stream, bytes, size);
    CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_SKIPPED);
    size = write_igtl(bytes, "TRANSFORM", "left", body, 47);
    feed(&stream, bytes, size);
    CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_SKIPPED);
    body[0] = 200; // a sensor that promises more numbers than it has
    size = write_igtl(bytes, "SENSOR", "left", body, 18);
    feed(&stream, bytes, size);
    CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_SKIPPED);
    CHECK_INT(stream.skipped, 4);
    size = write_transform(bytes, "left", 1, 10);
    bytes[1] = 9; // another version
    feed(&stream, bytes, size);
    CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_BROKEN);
    stream.size = 0;
    write_transform(bytes, "left", 1, 10);
    bytes[43] = 1; // longer than anything
    feed(&stream, bytes, CG_IGTL_HEADER_BYTES);
    CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_BROKEN);
}

static double length_of_turn(cg_quat q)
{
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

// Bytes of the body are changed and the checksum is made right again, so that what reads bodies gets to see them.
TEST(junk_of_trackers)
{
    uint64_t random = 1;
    int read = 0, passed_over = 0;
    for (int i = 0; i < test_count(2000, 200000); i++) {
        cg_igtl_stream stream = {.size = 0};
        cg_igtl_message message;
        unsigned char bytes[512];
        size_t size = i % 2 == 0 ? write_transform(bytes, "left", 1, 10) : write_version_2(bytes, 12, 10, 30, 40);
        for (int k = 0; k < 1 + i % 3; k++) {
            int at = test_random_int(&random, CG_IGTL_HEADER_BYTES, (int)size - 1);
            bytes[at] = (unsigned char)test_random_int(&random, 0, 255);
        }
        seal(bytes, size - CG_IGTL_HEADER_BYTES);
        feed(&stream, bytes, size);
        cg_igtl_result result = cg_igtl_next(&stream, &message);
        CHECK_INT(stream.size, 0);
        if (result == CG_IGTL_MESSAGE) {
            cg_vec3 at = message.pose.position;
            CHECK(fabs(at.x) < 100 && fabs(at.y) < 100 && fabs(at.z) < 100);
            CHECK_NEAR(length_of_turn(message.pose.rotation), 1, 1e-9);
        }
        read += result == CG_IGTL_MESSAGE;
        passed_over += result == CG_IGTL_SKIPPED;
    }
    CHECK(read > 100 && passed_over > 100);
}

// A tracked instrument at 100 Hz: its hand goes on between poses, its opening is that of the sensor, and it is gone
// when its connection is.
TEST(a_tracker_leads_a_hand)
{
    cg_lines lines;
    double now = 1;
    CHECK(cg_lines_open(&lines));
    cg_device_news news = news_at((cg_vec3){0, 0, 0}, "left", 1);
    cg_lines_tell(&lines, 0, &news);
    cg_line *line = &lines.lines[0];
    cg_igtl_message pose = {.kind = CG_IGTL_TRANSFORM, .name = "left", .pose = {{0.3, 0, 0}, {0, 0, 0, 1}}};
    cg_igtl_message other = pose, opening = {.kind = CG_IGTL_SENSOR, .name = "left", .value = 0.3};
    strcpy(other.name, "nobody");
    cg_lines_track(&lines, &other, 5, now);
    for (int i = 0; i < 20; i++) {
        pose.pose.position.x = 0.3 + 1e-3 * i;
        cg_lines_track(&lines, &pose, 5, now);
        for (int k = 0; k < 10; k++) {
            cg_lines_tick(&lines, now + 1e-3 * k);
            if (i > 1) {
                CHECK_NEAR(line->sample.command.position.x, 1e-3 * i + 1e-4 * k, 1e-9);
            }
        }
        now += 0.01;
    }
    cg_lines_track(&lines, &opening, 5, now);
    CHECK(line->sample.is_here && line->sample.has_opening);
    CHECK_NEAR(line->sample.opening, 0.3, 0);
    cg_lines_leave(&lines, 6);
    CHECK(line->sample.is_here);
    cg_lines_leave(&lines, 5);
    CHECK(!line->sample.is_here);
    cg_lines_track(&lines, &pose, 7, now);
    CHECK(line->sample.is_here);
    CHECK_INT(line->sample.arrivals, 2);
    cg_lines_tick(&lines, now + 0.3); // silent
    CHECK(!line->sample.is_here);
    cg_lines_close(&lines);
}

// An instrument that goes at 0.1 m/s, 100 poses a second, but the network brings two at a time: its hand does not leap
// ahead of it.
TEST(poses_that_come_together_are_no_leap)
{
    cg_lines lines;
    double now = 1;
    CHECK(cg_lines_open(&lines));
    cg_device_news news = news_at((cg_vec3){0, 0, 0}, "left", 1);
    cg_lines_tell(&lines, 0, &news);
    cg_igtl_message pose = {.kind = CG_IGTL_TRANSFORM, .name = "left", .pose = {{0, 0, 0}, {0, 0, 0, 1}}};
    for (int i = 0; i < 200; i++) {
        pose.pose.position.x = 1e-3 * i;
        cg_lines_track(&lines, &pose, 5, now);
        now += i % 2 == 0 ? 0.1e-3 : 0;
        for (int k = 0; k < 20 && i % 2 == 1; k++) {
            now += 1e-3;
            cg_lines_tick(&lines, now);
            double ahead = lines.lines[0].sample.command.position.x - pose.pose.position.x;
            CHECK(ahead > -1e-9 && ahead < 5e-3); // 2 mm would be right
        }
    }
    cg_lines_close(&lines);
}

// A tracked instrument of 100 poses a second goes down on something rigid, in a world with a step every 20 ms: asked
// for, its force comes every millisecond and goes evenly from one step to the next.
TEST(the_force_of_a_tracker_is_interpolated)
{
    cg_lines lines;
    double now = 1, most = 0, last = 0;
    int changes = 0;
    CHECK(cg_lines_open(&lines));
    cg_device_news news = news_at((cg_vec3){0, 0, 0}, "left", 1);
    cg_lines_tell(&lines, 0, &news);
    cg_line *line = &lines.lines[0];
    cg_igtl_message pose = {.kind = CG_IGTL_TRANSFORM, .name = "left", .pose = {{0, 0, 0}, {0, 0, 0, 1}}};
    cg_igtl_message start = {.kind = CG_IGTL_START, .name = "left"}, stop = {.kind = CG_IGTL_STOP, .name = "left"};
    for (int i = 0; i < 2000; i++) {
        pose.pose.position.z = -1e-5 * (i < 200 ? 0 : i < 1200 ? i - 200 : 1000);
        if (i % 10 == 0) {
            cg_lines_track(&lines, &pose, 5, now);
        }
        if (i == 10 || i == 1500) { // asked for again, it is no other one
            cg_lines_track(&lines, &start, 5, now);
        }
        cg_lines_tick(&lines, now);
        if (i % 20 == 0) {
            news.is_felt = true;
            news.felt = (cg_feel_news){.position = line->sample.device, .force = {0, 0, -1000 * line->sample.device.z}};
            cg_lines_tell(&lines, 0, &news);
        }
        changes += line->out.force.z != last;
        most = fabs(line->out.force.z - last) > most ? fabs(line->out.force.z - last) : most;
        last = line->out.force.z;
        now += 1e-3;
    }
    CHECK(last > 0.2);
    CHECK_NEAR(last, 0.01 * cg_feel_get_state(lines.feel, 0).limit, 0.02);
    CHECK(changes > 700); // not every 20 ms only
    CHECK(most < 0.02);
    CHECK_NEAR(line->sample.command.position.z, -0.01, 1e-4); // the hand goes where it is led
    CHECK(line->sample.health.force > 0.2 && line->sample.health.limit > 0);
    cg_lines_track(&lines, &stop, 5, now);
    cg_lines_tick(&lines, now);
    CHECK(!line->wants_force && line->sample.is_here);
    CHECK(line->sample.health.force == 0 && line->sample.health.limit == 0);
    cg_lines_close(&lines);
}

// Twenty poses of a sender, 50 a second; whether it gets force then.
static bool gets_force(cg_lines *lines, uint64_t owner, double *now)
{
    cg_igtl_message pose = {.kind = CG_IGTL_TRANSFORM, .name = "left", .pose = {{0, 0, 0}, {0, 0, 0, 1}}};
    for (int i = 0; i < 20; i++) {
        *now += 0.02;
        cg_lines_track(lines, &pose, owner, *now);
        cg_lines_tick(lines, *now + 1e-3);
    }
    CHECK(lines->lines[0].sample.is_here && lines->lines[0].owner == owner);
    return lines->lines[0].wants_force;
}

// Who asks for forces before it leads its hand gets them when it does, again when it was silent for a while, and not
// once its connection has ended.
TEST(a_wish_for_force_lasts_as_long_as_its_connection)
{
    cg_lines lines;
    double now = 1;
    CHECK(cg_lines_open(&lines));
    cg_device_news news = news_at((cg_vec3){0, 0, 0}, "left", 1);
    cg_lines_tell(&lines, 0, &news);
    cg_igtl_message start = {.kind = CG_IGTL_START, .name = "left"}, stop = {.kind = CG_IGTL_STOP, .name = "left"};
    cg_lines_track(&lines, &start, 5, now);
    CHECK(gets_force(&lines, 5, &now));
    double limit = cg_device_stiffness(&(cg_device_def){.max_stiffness = 700, .damping = 0.35}, 1e-3, 0.02);
    CHECK_NEAR(cg_feel_get_state(lines.feel, 0).limit, limit, 0.15 * limit); // of poses 20 ms apart
    now += 0.3;
    cg_lines_tick(&lines, now);
    CHECK(!lines.lines[0].sample.is_here); // silent
    CHECK(!gets_force(&lines, 6, &now));   // another one, which did not ask
    cg_lines_leave(&lines, 6);
    CHECK(gets_force(&lines, 5, &now));
    cg_lines_track(&lines, &stop, 6, now);
    CHECK(gets_force(&lines, 5, &now));
    cg_lines_track(&lines, &stop, 5, now);
    CHECK(!gets_force(&lines, 5, &now));
    cg_lines_track(&lines, &start, 5, now);
    CHECK(gets_force(&lines, 5, &now));
    cg_lines_leave(&lines, 5);
    CHECK(!gets_force(&lines, 5, &now));
    cg_lines_close(&lines);
}

TEST(a_force_is_a_message)
{
    unsigned char bytes[CG_IGTL_FORCE_BYTES];
    const double numbers[6] = {0.25, -1, 2, 0, 0, 1e-3};
    cg_igtl_stream stream = {.size = 0};
    cg_igtl_message message;
    size_t room;
    cg_igtl_write_force(bytes, "left", numbers);
    memcpy(cg_igtl_room(&stream, &room), bytes, sizeof bytes);
    cg_igtl_came(&stream, sizeof bytes);
    CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_MESSAGE);
    CHECK_INT(message.kind, CG_IGTL_SENSOR);
    CHECK_STR(message.name, "left");
    CHECK_NEAR(message.value, 0.25, 0);
    CHECK_INT(cg_igtl_next(&stream, &message), CG_IGTL_WAITS);
}

// So many of `count` as late as `late`, the others in time.
static void fill(cg_tardy *tardy, int count, int late_ones, double late)
{
    for (int i = 0; i < count; i++) {
        cg_tardy_add(tardy, i < late_ones ? late : 10e-6);
    }
}

TEST(lateness_is_counted)
{
    cg_tardy tardy = {.count = 0};
    CHECK(cg_tardy_quantile(&tardy, 0.999) == 0);
    fill(&tardy, 10000, 9, 5e-3);
    CHECK(cg_tardy_quantile(&tardy, 0.999) <= 20e-6);
    fill(&tardy, 1000, 100, 3.01e-3);
    CHECK_NEAR(cg_tardy_quantile(&tardy, 0.999), 3.01e-3, 20e-6);
    fill(&tardy, 1000, 100, 0.7); // beyond all bins
    CHECK(cg_tardy_quantile(&tardy, 0.999) == 0.7);
    CHECK_INT(tardy.count, 12000);
    cg_tardy_add(&tardy, NAN);
    cg_tardy_add(&tardy, -1);
    CHECK(tardy.longest == 0.7);
}

// A device of 1 kHz, one sample in 200 half a millisecond late, presses on something harder than it bears: all of it is
// told, and stays told when it is unplugged.
TEST(how_a_device_does_is_measured)
{
    cg_lines lines;
    cg_feel_force force = {0};
    double now = 1;
    CHECK(cg_lines_open(&lines));
    const cg_device_health *health = &lines.lines[1].sample.health;
    cg_device_news news = news_at((cg_vec3){0, 0, 0}, "right", 3);
    cg_lines_tell(&lines, 1, &news);
    for (uint32_t i = 1; i <= 3000; i++) {
        cg_device_packet packet = packet_at(i, -1e-5 * (i < 1000 ? i : 1000));
        double time = now + (i % 200 == 0 ? 0.5e-3 : 0);
        CHECK(cg_lines_sample(&lines, &packet, 77, time, &force));
        cg_lines_note_late(&lines, i % 500 == 0 ? 0.2e-3 : 0);
        cg_lines_tick(&lines, time);
        news.is_felt = true;
        news.felt = (cg_feel_news){.position = packet.pose.position, .force = {-1000 * packet.pose.position.x, 0, 0}};
        cg_lines_tell(&lines, 1, &news);
        now += 1e-3;
    }
    CHECK_NEAR(health->rate, 1000, 2);
    CHECK_NEAR(health->late, 0.5e-3, 0.04e-3);
    CHECK_NEAR(health->loop_late, 0.2e-3, 0.02e-3);
    CHECK(health->force > 0.88 && health->force < 3.3); // 10 mm deep: as much as an Omni has that warms up
    CHECK(health->capped > 1000);
    CHECK_NEAR(health->limit, cg_device_stiffness(&(cg_device_def){.max_stiffness = 700, .damping = 0.35}, 1e-3, 0), 1);
    CHECK(health->energy > 5e-3 && health->account > 0);
    for (int i = 0; i < 11; i++) {
        now += 1e-3;
        cg_lines_tick(&lines, now);
    }
    CHECK(!lines.lines[1].sample.is_here && lines.lines[1].sample.samples == 3000);
    CHECK(health->rate > 990 && health->capped > 1000);
    CHECK(health->force == 0 && health->stiffness == 0);
    cg_lines_close(&lines);
}
