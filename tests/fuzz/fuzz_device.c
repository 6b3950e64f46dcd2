// Fuzzes what devices and trackers say: whatever the bytes, they are refused or lead a hand to a finite place.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_finite(const cg_lines *lines)
{
    for (int i = 0; i < CG_DEVICES_MOST_HANDS; i++) {
        cg_vec3 at = lines->lines[i].sample.command.position, force = cg_feel_get_state(lines->feel, i).force;
        if (!isfinite(at.x + at.y + at.z) || !isfinite(force.x + force.y + force.z)) {
            abort();
        }
    }
}

// Makes the first message one that is whole and has the checksum of its body: bytes that are guessed never do.
static void seal(unsigned char *bytes, size_t size)
{
    enum { SIZE_AT = 42, CRC_AT = 50 };
    if (size < CG_IGTL_HEADER_BYTES) {
        return;
    }
    uint64_t body = size - CG_IGTL_HEADER_BYTES, crc = cg_igtl_crc(bytes + CG_IGTL_HEADER_BYTES, body);
    for (int i = 0; i < 8; i++) {
        bytes[SIZE_AT + i] = (unsigned char)(body >> (56 - 8 * i));
        bytes[CRC_AT + i] = (unsigned char)(crc >> (56 - 8 * i));
    }
}

// What a tracker says, as it is or sealed.
static void track(cg_lines *lines, const uint8_t *data, size_t size, double now, bool sealed)
{
    cg_igtl_stream stream = {.size = 0};
    cg_igtl_message message;
    size_t room;
    unsigned char *to = cg_igtl_room(&stream, &room);
    size_t fits = size < room ? size : room;
    memcpy(to, data, fits);
    if (sealed) {
        seal(to, fits);
    }
    cg_igtl_came(&stream, fits);
    cg_igtl_result result;
    while ((result = cg_igtl_next(&stream, &message)) == CG_IGTL_MESSAGE || result == CG_IGTL_SKIPPED) {
        if (result == CG_IGTL_MESSAGE) {
            cg_lines_track(lines, &message, 2, now);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cg_lines lines;
    cg_device_news news = {
        .is_there = true, .world = 1, .name = "left", .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .stiffness = 1000};
    double now = 0;
    if (!cg_lines_open(&lines)) {
        return 0;
    }
    cg_lines_tell(&lines, 0, &news);
    for (size_t at = 0; at + CG_DEVICE_PACKET_BYTES <= size; at += CG_DEVICE_PACKET_BYTES) {
        cg_device_packet packet;
        cg_feel_force force;
        now += 1e-3;
        if (cg_device_packet_read(&packet, data + at, CG_DEVICE_PACKET_BYTES)) {
            cg_lines_sample(&lines, &packet, 1, now, &force);
        }
        cg_lines_tick(&lines, now);
    }
    track(&lines, data, size, now, false);
    track(&lines, data, size, now, true);
    check_finite(&lines);
    cg_lines_close(&lines);
    return 0;
}
