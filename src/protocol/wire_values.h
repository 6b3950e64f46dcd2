// Numbers as messages have them. A frame has no room for what is not finite.
#ifndef CATGUT_PROTOCOL_WIRE_VALUES_H
#define CATGUT_PROTOCOL_WIRE_VALUES_H

#include "catgut/protocol.h"

static inline float cg_wire_float(double value)
{
    return value > -1e30 && value < 1e30 ? (float)value : 0.0f;
}

static inline cg_value_vec3 cg_wire_vec3(cg_vec3 v)
{
    return (cg_value_vec3){cg_wire_float(v.x), cg_wire_float(v.y), cg_wire_float(v.z)};
}

static inline cg_value_quat cg_wire_quat(cg_quat q)
{
    return (cg_value_quat){cg_wire_float(q.x), cg_wire_float(q.y), cg_wire_float(q.z), cg_wire_float(q.w)};
}

#endif
