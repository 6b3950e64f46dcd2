#include "thread/yield.h"

#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "thread/twist.h"

// [yield moments] A joint that has just yielded bears one, but for rounding, which must not make it yield again.
static const double BEYOND_ROUNDING = 1 + 1e-9;

static cg_vec3 mirrored(cg_vec3 components)
{
    return v3(-components.x, -components.y, components.z);
}

// The direction of p. Tangents that are opposite, twisted against each other by half a turn, have none: then as at
// rest.
static cg_vec3 present_direction(const cg_thread *thread, int joint)
{
    const cg_thread_shape *shape = &thread->shape;
    cg_vec3 ahead = cg_twist_components(shape, joint - 1, shape->tangent[joint]);
    cg_vec3 behind = cg_twist_components(shape, joint, shape->tangent[joint - 1]);
    return v3_unit_or(v3_add(ahead, mirrored(behind)), thread->rest_ahead[joint]);
}

double cg_thread_elastic_turn(const cg_thread *thread, int joint)
{
    return v3_distance(thread->rest_ahead[joint], present_direction(thread, joint));
}

// True when the turns at rest and now are together below `chord`, in whatever planes: nearly always, and found without
// the frames. Of tangents more than a right angle apart p may point farther away than they do.
static bool is_surely_elastic(const cg_thread *thread, int joint, double chord)
{
    const cg_vec3 *tangent = &thread->shape.tangent[joint - 1];
    cg_vec3 turn = v3_sub(tangent[1], tangent[0]), rest = v3_sub(thread->rest_ahead[joint], v3(0, 0, 1));
    bool is_blunt = v3_dot(tangent[0], tangent[1]) > 0;
    return is_blunt && 2 * (v3_dot(turn, turn) + v3_dot(rest, rest)) <= chord * chord;
}

// `from` taken along the shortest arc to unit `to`, until the chord between them is `chord`, below 2. Opposite
// directions have no shortest arc: none is taken.
static cg_vec3 taken_near(cg_vec3 from, cg_vec3 to, double chord)
{
    cg_vec3 across = v3_add_scaled(from, -v3_dot(from, to), to);
    double length = v3_length(across), cosine = 1 - 0.5 * chord * chord;
    if (!(length > (v3_dot(from, to) < 0 ? 1e-9 : 0))) {
        return from;
    }
    double sine = chord * sqrt(1 - 0.25 * chord * chord);
    cg_vec3 there = v3_add_scaled(v3_scale(cosine, to), sine / length, across);
    return v3_unit_or(there, from);
}

// A segment that is crushed has no direction of its own, and leaves no set.
static bool has_direction(const cg_thread *thread, int segment)
{
    return thread->shape.firmness[segment] >= 1;
}

static bool yield_at(cg_thread *thread, int joint)
{
    double chord = thread->yield_moment / thread->bend_rate[joint];
    if (!(chord < 2) || is_surely_elastic(thread, joint, chord) || !has_direction(thread, joint - 1) ||
        !has_direction(thread, joint)) {
        return false;
    }
    cg_vec3 now = present_direction(thread, joint);
    if (!(v3_distance(thread->rest_ahead[joint], now) > BEYOND_ROUNDING * chord)) {
        return false;
    }
    thread->rest_ahead[joint] = taken_near(thread->rest_ahead[joint], now, chord);
    thread->rest_behind[joint] = mirrored(thread->rest_ahead[joint]);
    return true;
}

int cg_thread_yield(cg_thread *thread)
{
    int yielded = 0;
    assert(thread->yield_moment > 0 && thread->has_rest_shape && thread->twisting);
    for (int j = 1; j < thread->segment_count; j++) {
        yielded += yield_at(thread, j);
    }
    return yielded;
}
