// Numbers of single precision as bytes of a recording.
#ifndef CATGUT_RECORD_FLOATS_H
#define CATGUT_RECORD_FLOATS_H

#include "base/bytes.h"
#include "catgut/math.h"

// What is no number, or too large for one, is written as 0: the reader would refuse the whole item.
static inline void cg_put_float(cg_byte_sink *sink, double value)
{
    float narrow = value > -1e30 && value < 1e30 ? (float)value : 0.0f;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    cg_put_u32(sink, bits);
}

static inline void cg_put_vec3(cg_byte_sink *sink, cg_vec3 value)
{
    cg_put_float(sink, value.x);
    cg_put_float(sink, value.y);
    cg_put_float(sink, value.z);
}

static inline void cg_put_pose(cg_byte_sink *sink, const cg_transform *pose)
{
    cg_put_vec3(sink, pose->position);
    cg_put_float(sink, pose->rotation.x);
    cg_put_float(sink, pose->rotation.y);
    cg_put_float(sink, pose->rotation.z);
    cg_put_float(sink, pose->rotation.w);
}

// A number that is not finite makes the whole item bad.
static inline double cg_take_float(cg_byte_source *source)
{
    uint32_t bits = cg_take_u32(source);
    float narrow;
    memcpy(&narrow, &bits, sizeof narrow);
    source->good = source->good && narrow - narrow == 0;
    return narrow;
}

static inline cg_vec3 cg_take_vec3(cg_byte_source *source)
{
    cg_vec3 value;
    value.x = cg_take_float(source);
    value.y = cg_take_float(source);
    value.z = cg_take_float(source);
    return value;
}

static inline cg_transform cg_take_pose(cg_byte_source *source)
{
    cg_transform pose;
    pose.position = cg_take_vec3(source);
    pose.rotation.x = cg_take_float(source);
    pose.rotation.y = cg_take_float(source);
    pose.rotation.z = cg_take_float(source);
    pose.rotation.w = cg_take_float(source);
    return pose;
}

#endif
