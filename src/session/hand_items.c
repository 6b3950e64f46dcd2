#include "session/hand_items.h"

#include <string.h>

#include "session/operation_fields.h"
#include "world/world.h"

enum { CLOSED = 1, SLIPPING = 2, SLIPPED = 4, JAWS = 8, LATCHED = 16, ALL_FLAGS = 31 };

// What is no number, or too large for one, is written as 0: the reader would refuse the whole item.
static void put_float(cg_byte_sink *sink, double value)
{
    float narrow = value > -1e30 && value < 1e30 ? (float)value : 0.0f;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    cg_put_u32(sink, bits);
}

static void put_vec3(cg_byte_sink *sink, cg_vec3 value)
{
    put_float(sink, value.x);
    put_float(sink, value.y);
    put_float(sink, value.z);
}

// A number that is not finite makes the whole item bad.
static double take_float(cg_byte_source *source)
{
    uint32_t bits = cg_take_u32(source);
    float narrow;
    memcpy(&narrow, &bits, sizeof narrow);
    source->good = source->good && narrow - narrow == 0;
    return narrow;
}

static cg_vec3 take_vec3(cg_byte_source *source)
{
    cg_vec3 value;
    value.x = take_float(source);
    value.y = take_float(source);
    value.z = take_float(source);
    return value;
}

static void put_pose(cg_byte_sink *sink, const cg_transform *pose)
{
    put_vec3(sink, pose->position);
    put_float(sink, pose->rotation.x);
    put_float(sink, pose->rotation.y);
    put_float(sink, pose->rotation.z);
    put_float(sink, pose->rotation.w);
}

static cg_transform take_pose(cg_byte_source *source)
{
    cg_transform pose;
    pose.position = take_vec3(source);
    pose.rotation.x = take_float(source);
    pose.rotation.y = take_float(source);
    pose.rotation.z = take_float(source);
    pose.rotation.w = take_float(source);
    return pose;
}

static void put_hand(cg_byte_sink *sink, int place, const cg_hand_state *hand)
{
    cg_put_u8(sink, (unsigned)place);
    cg_put_u8(sink, (unsigned)hand->tool);
    cg_put_u8(sink, (hand->closed ? CLOSED : 0) | (hand->is_slipping ? SLIPPING : 0) |
                        (hand->has_slipped ? SLIPPED : 0) | (hand->has_jaws ? JAWS : 0) |
                        (hand->is_latched ? LATCHED : 0));
    cg_put_u32(sink, hand->thread.index - 1u);
    cg_put_u32(sink, hand->tissue.index - 1u);
    cg_put_u32(sink, (uint32_t)hand->first_vertex);
    cg_put_u32(sink, (uint32_t)hand->vertex_count);
    put_pose(sink, &hand->pose);
    put_vec3(sink, hand->command.position);
    put_vec3(sink, hand->force);
    put_vec3(sink, hand->torque);
    put_float(sink, hand->slip_speed);
    put_float(sink, hand->grip);
    put_float(sink, hand->edge_inside);
    if (hand->has_jaws) {
        put_float(sink, hand->opening);
        put_float(sink, hand->jaw_forces[0]);
        put_float(sink, hand->jaw_forces[1]);
    }
}

int cg_hands_count(const cg_world *world)
{
    int count = 0;
    for (int i = 0; i < CG_RECORDED_MOST_HANDS; i++) {
        count += cg_hand_is_valid(world, cg_operation_hand(world, i));
    }
    return count;
}

void cg_hands_write(cg_byte_sink *sink, uint64_t step, const cg_world *world)
{
    cg_put_u64(sink, step);
    cg_put_u8(sink, (unsigned)cg_hands_count(world));
    for (int i = 0; i < CG_RECORDED_MOST_HANDS; i++) {
        cg_hand_id id = cg_operation_hand(world, i);
        if (cg_hand_is_valid(world, id)) {
            cg_hand_state state = cg_hand_get_state(world, id);
            put_hand(sink, i, &state);
        }
    }
}

// What a hand holds: -1 for none.
static uint32_t take_held(cg_byte_source *source, uint32_t most)
{
    uint32_t place = cg_take_u32(source);
    source->good = source->good && (place == UINT32_MAX || place < most);
    return place + 1u;
}

static void take_hand(cg_byte_source *source, cg_recorded_hand *hand)
{
    *hand = (cg_recorded_hand){.hand = cg_take_u8(source)};
    cg_hand_state *state = &hand->state;
    unsigned tool = cg_take_u8(source), flags = cg_take_u8(source);
    source->good = source->good && hand->hand < CG_RECORDED_MOST_HANDS && tool < CG_TOOL_COUNT && flags <= ALL_FLAGS;
    state->tool = (cg_hand_tool)tool;
    state->closed = flags & CLOSED;
    state->is_slipping = flags & SLIPPING;
    state->has_slipped = flags & SLIPPED;
    state->has_jaws = flags & JAWS;
    state->is_latched = flags & LATCHED;
    state->thread.index = take_held(source, CG_RECORDED_MOST_THREADS);
    state->tissue.index = take_held(source, CG_RECORDED_MOST_TISSUES);
    state->first_vertex = (int)(cg_take_u32(source) & INT32_MAX);
    state->vertex_count = (int)(cg_take_u32(source) & INT32_MAX);
    state->pose = take_pose(source);
    state->command.position = take_vec3(source);
    state->command.rotation = state->pose.rotation;
    state->force = take_vec3(source);
    state->torque = take_vec3(source);
    state->slip_speed = take_float(source);
    state->grip = take_float(source);
    state->edge_inside = take_float(source);
    if (state->has_jaws) {
        state->opening = take_float(source);
        state->jaw_forces[0] = take_float(source);
        state->jaw_forces[1] = take_float(source);
    }
}

bool cg_hands_read(cg_byte_source *source, uint64_t *step, cg_recorded_hand *hands, int *count)
{
    *step = cg_take_u64(source);
    *count = cg_take_u8(source);
    source->good = source->good && *count <= CG_RECORDED_MOST_HANDS;
    for (int i = 0, before = -1; i < *count && source->good; i++) {
        cg_recorded_hand hand;
        take_hand(source, &hand);
        source->good = source->good && hand.hand > before;
        before = hand.hand;
        if (hands != NULL) {
            hands[i] = hand;
        }
    }
    return source->good;
}

// Bodies

int cg_bodies_count(const cg_world *world)
{
    int count = 0;
    for (int i = 0; i < CG_RECORDED_MOST_BODIES; i++) {
        count += cg_rigid_is_valid(world, cg_world_rigid_at(world, i));
    }
    return count;
}

void cg_bodies_write(cg_byte_sink *sink, uint64_t step, const cg_world *world)
{
    cg_put_u64(sink, step);
    cg_put_u16(sink, (unsigned)cg_bodies_count(world));
    for (int i = 0; i < CG_RECORDED_MOST_BODIES; i++) {
        cg_rigid_id id = cg_world_rigid_at(world, i);
        if (cg_rigid_is_valid(world, id)) {
            cg_transform pose = cg_rigid_get_pose(world, id);
            cg_put_u16(sink, (unsigned)i);
            put_pose(sink, &pose);
        }
    }
}

bool cg_bodies_read(cg_byte_source *source, uint64_t *step, cg_recorded_body *bodies, int *count)
{
    *step = cg_take_u64(source);
    *count = cg_take_u16(source);
    source->good = source->good && *count <= CG_RECORDED_MOST_BODIES;
    for (int i = 0, before = -1; i < *count && source->good; i++) {
        cg_recorded_body body = {.body = cg_take_u16(source)};
        body.pose = take_pose(source);
        source->good = source->good && body.body > before && body.body < CG_RECORDED_MOST_BODIES;
        before = body.body;
        if (bodies != NULL) {
            bodies[i] = body;
        }
    }
    return source->good;
}
