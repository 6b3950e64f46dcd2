#include "igtl.h"

#include <math.h>
#include <string.h>

static const uint64_t POLYNOMIAL = 0x42F0E1EBA9EA3693u;
// Of a header.
enum { VERSION_AT = 0, TYPE_AT = 2, TYPE_BYTES = 12, NAME_AT = 14, SIZE_AT = 42, CRC_AT = 50 };
enum { TRANSFORM_BYTES = 48, SENSOR_HEAD = 10 };
// Of the extended header that bodies begin with since version 2: its own size, and those of the metadata at the end.
enum { EXTENDED_BYTES = 12, INDEX_SIZE_AT = 2, METADATA_SIZE_AT = 4 };

uint64_t cg_igtl_crc(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t crc = 0;
    for (size_t i = 0; i < size; i++) {
        crc ^= (uint64_t)at[i] << 56;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc >> 63) != 0 ? crc << 1 ^ POLYNOMIAL : crc << 1;
        }
    }
    return crc;
}

static uint64_t read_big(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

static double read_f32(const unsigned char *at)
{
    uint32_t bits = (uint32_t)read_big(at, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double read_f64(const unsigned char *at)
{
    uint64_t bits = read_big(at, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double determinant(const double m[9])
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

// The rotation of a matrix whose columns have unit length and are square to each other; false for any other, and for
// one that mirrors.
static bool read_rotation(const double m[9], cg_quat *turn)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double dot = m[3 * i] * m[3 * k] + m[3 * i + 1] * m[3 * k + 1] + m[3 * i + 2] * m[3 * k + 2];
            if (!(fabs(dot - (i == k)) < 1e-3)) {
                return false;
            }
        }
    }
    // Columns are x, y, z: of the four ways to the quaternion the one with the largest divisor.
    double xx = m[0], yy = m[4], zz = m[8];
    double squares[4] = {1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz};
    int most = 0;
    for (int i = 1; i < 4; i++) {
        most = squares[i] > squares[most] ? i : most;
    }
    double xy = m[1] + m[3], xz = m[2] + m[6], yz = m[5] + m[7];
    double wx = m[5] - m[7], wy = m[6] - m[2], wz = m[1] - m[3];
    double rows[4][4] = {
        {squares[0], xy, xz, wx}, {xy, squares[1], yz, wy}, {xz, yz, squares[2], wz}, {wx, wy, wz, squares[3]}};
    const double *q = rows[most];
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    *turn = (cg_quat){q[0] / length, q[1] / length, q[2] / length, q[3] / length};
    return determinant(m) > 0;
}

static bool read_transform(const unsigned char *body, size_t size, cg_transform *pose)
{
    double numbers[12];
    if (size != TRANSFORM_BYTES) {
        return false;
    }
    for (int i = 0; i < 12; i++) {
        numbers[i] = read_f32(body + 4 * i);
        if (!(fabs(numbers[i]) < 1e5)) {
            return false;
        }
    }
    pose->position = (cg_vec3){1e-3 * numbers[9], 1e-3 * numbers[10], 1e-3 * numbers[11]}; // from mm
    return read_rotation(numbers, &pose->rotation);
}

static bool read_sensor(const unsigned char *body, size_t size, double *value)
{
    if (size < SENSOR_HEAD + 8 || size != SENSOR_HEAD + 8 * (size_t)body[0]) {
        return false;
    }
    *value = read_f64(body + SENSOR_HEAD);
    return isfinite(*value);
}

static bool is_type(const unsigned char *header, const char *type)
{
    size_t length = strlen(type);
    return memcmp(header + TYPE_AT, type, length) == 0 && header[TYPE_AT + length] == '\0';
}

// What stands between the extended header and the metadata; false when they do not fit into the body.
static bool find_content(const unsigned char **body, size_t *size)
{
    if (*size < EXTENDED_BYTES) {
        return false;
    }
    uint64_t extended = read_big(*body, 2);
    uint64_t metadata = read_big(*body + INDEX_SIZE_AT, 2) + read_big(*body + METADATA_SIZE_AT, 4);
    if (extended < EXTENDED_BYTES || extended + metadata > *size) {
        return false;
    }
    *body += extended;
    *size -= (size_t)(extended + metadata);
    return true;
}

static bool read_message(const unsigned char *bytes, size_t body_size, cg_igtl_message *message)
{
    const unsigned char *body = bytes + CG_IGTL_HEADER_BYTES;
    if (cg_igtl_crc(body, body_size) != read_big(bytes + CRC_AT, 8)) {
        return false;
    }
    if (read_big(bytes + VERSION_AT, 2) >= 2 && !find_content(&body, &body_size)) {
        return false;
    }
    memcpy(message->name, bytes + NAME_AT, CG_IGTL_NAME_BYTES);
    message->name[CG_IGTL_NAME_BYTES] = '\0';
    if (is_type(bytes, "TRANSFORM")) {
        message->kind = CG_IGTL_TRANSFORM;
        return read_transform(body, body_size, &message->pose);
    }
    if (is_type(bytes, "STT_SENSOR") || is_type(bytes, "STP_SENSOR")) {
        message->kind = is_type(bytes, "STT_SENSOR") ? CG_IGTL_START : CG_IGTL_STOP;
        return true;
    }
    message->kind = is_type(bytes, "SENSOR") ? CG_IGTL_SENSOR : CG_IGTL_OTHER;
    return message->kind == CG_IGTL_OTHER || read_sensor(body, body_size, &message->value);
}

static void write_big(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        at[i] = (unsigned char)(value >> 8 * (bytes - 1 - i));
    }
}

void cg_igtl_write_force(unsigned char bytes[CG_IGTL_FORCE_BYTES], const char *name, const double numbers[6])
{
    unsigned char *body = bytes + CG_IGTL_HEADER_BYTES;
    size_t size = CG_IGTL_FORCE_BYTES - CG_IGTL_HEADER_BYTES, length = strlen(name);
    memset(bytes, 0, CG_IGTL_FORCE_BYTES);
    write_big(bytes + VERSION_AT, 1, 2);
    memcpy(bytes + TYPE_AT, "SENSOR", 6);
    memcpy(bytes + NAME_AT, name, length < CG_IGTL_NAME_BYTES ? length : CG_IGTL_NAME_BYTES);
    write_big(bytes + SIZE_AT, size, 8);
    body[0] = 6;
    for (int i = 0; i < 6; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        write_big(body + SENSOR_HEAD + 8 * i, bits, 8);
    }
    write_big(bytes + CRC_AT, cg_igtl_crc(body, size), 8);
}

unsigned char *cg_igtl_room(cg_igtl_stream *stream, size_t *room)
{
    *room = sizeof stream->bytes - stream->size;
    return stream->bytes + stream->size;
}

void cg_igtl_came(cg_igtl_stream *stream, size_t count)
{
    stream->size += count;
}

cg_igtl_result cg_igtl_next(cg_igtl_stream *stream, cg_igtl_message *message)
{
    *message = (cg_igtl_message){.kind = CG_IGTL_OTHER};
    if (stream->size < CG_IGTL_HEADER_BYTES) {
        return CG_IGTL_WAITS;
    }
    uint64_t version = read_big(stream->bytes + VERSION_AT, 2), body = read_big(stream->bytes + SIZE_AT, 8);
    if (version < 1 || version > 2 || body > CG_IGTL_MOST_BODY) {
        return CG_IGTL_BROKEN;
    }
    size_t whole = CG_IGTL_HEADER_BYTES + (size_t)body;
    if (stream->size < whole) {
        return CG_IGTL_WAITS;
    }
    bool good = read_message(stream->bytes, (size_t)body, message);
    stream->size -= whole;
    memmove(stream->bytes, stream->bytes + whole, stream->size);
    stream->skipped += !good;
    return good && message->kind != CG_IGTL_OTHER ? CG_IGTL_MESSAGE : CG_IGTL_SKIPPED;
}
