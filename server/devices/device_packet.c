#include "device_packet.h"

#include <math.h>
#include <string.h>

static const char FROM_DEVICE[4] = {'c', 'g', 'd', 'v'}, TO_DEVICE[4] = {'c', 'g', 'f', 'o'};
static const double FARTHEST = 10;                        // [m] that any device reaches
enum { CLOSES = 1, HAS_OPENING = 2, SESSION_SHIFT = 16 }; // the session stands above the flags; 0: the first

static uint32_t read_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static double read_f32(const unsigned char *at)
{
    uint32_t bits = read_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void write_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (unsigned char)(value >> 8 * i);
    }
}

static void write_f32(unsigned char *at, double value)
{
    float rounded = (float)value;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    write_u32(at, bits);
}

static cg_vec3 read_vector(const unsigned char *at)
{
    return (cg_vec3){read_f32(at), read_f32(at + 4), read_f32(at + 8)};
}

static void write_vector(unsigned char *at, cg_vec3 vector)
{
    write_f32(at, vector.x);
    write_f32(at + 4, vector.y);
    write_f32(at + 8, vector.z);
}

static bool is_near(double value, double most)
{
    return value >= -most && value <= most; // false for what is no number
}

// Its rotation becomes unit length; false when it is none.
static bool check_pose(cg_transform *pose)
{
    cg_vec3 at = pose->position;
    cg_quat *turn = &pose->rotation;
    double square = turn->x * turn->x + turn->y * turn->y + turn->z * turn->z + turn->w * turn->w;
    if (!is_near(at.x, FARTHEST) || !is_near(at.y, FARTHEST) || !is_near(at.z, FARTHEST) ||
        !(square > 0.25 && square < 4)) {
        return false;
    }
    double s = 1 / sqrt(square);
    *turn = (cg_quat){s * turn->x, s * turn->y, s * turn->z, s * turn->w};
    return true;
}

bool cg_device_packet_read(cg_device_packet *packet, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    if (size != CG_DEVICE_PACKET_BYTES || memcmp(at, FROM_DEVICE, sizeof FROM_DEVICE) != 0 ||
        (at[4] | at[5] << 8) != CG_DEVICE_PACKET_VERSION || at[6] >= CG_FEEL_MOST_PORTS || at[7] >= CG_DEVICE_COUNT) {
        return false;
    }
    uint32_t word = read_u32(at + 12), flags = word & 0xffff, session = word >> SESSION_SHIFT;
    *packet = (cg_device_packet){
        .session = session > 0 ? (int)session : 1,
        .hand = at[6],
        .kind = (cg_device_kind)at[7],
        .number = read_u32(at + 8),
        .closes = (flags & CLOSES) != 0,
        .has_opening = (flags & HAS_OPENING) != 0,
        .pose.position = read_vector(at + 16),
        .pose.rotation = {read_f32(at + 28), read_f32(at + 32), read_f32(at + 36), read_f32(at + 40)},
        .opening = read_f32(at + 44),
        .delay = read_f32(at + 48)};
    return flags <= (CLOSES | HAS_OPENING) && packet->opening >= 0 && packet->opening <= 1 && packet->delay >= 0 &&
           packet->delay <= 0.05 && check_pose(&packet->pose);
}

void cg_force_packet_write(unsigned char bytes[CG_FORCE_PACKET_BYTES], int hand, bool leads, uint32_t number,
                           cg_feel_force force, const cg_feel_state *state)
{
    memset(bytes, 0, CG_FORCE_PACKET_BYTES);
    memcpy(bytes, TO_DEVICE, sizeof TO_DEVICE);
    bytes[4] = CG_DEVICE_PACKET_VERSION;
    bytes[6] = (unsigned char)hand;
    bytes[7] = leads;
    write_u32(bytes + 8, number);
    write_vector(bytes + 12, force.force);
    write_vector(bytes + 24, force.torque);
    write_f32(bytes + 36, state->stiffness);
    write_f32(bytes + 40, state->energy);
    write_f32(bytes + 44, state->account);
}
