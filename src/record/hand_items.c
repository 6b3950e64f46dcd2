#include "record/hand_items.h"

#include <assert.h>

#include "operation/fields.h"
#include "record/floats.h"
#include "world/world.h"

enum { CLOSED = 1, SLIPPING = 2, SLIPPED = 4, JAWS = 8, LATCHED = 16, ALL_FLAGS = 31 };

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
    cg_put_pose(sink, &hand->pose);
    cg_put_vec3(sink, hand->command.position);
    cg_put_vec3(sink, hand->force);
    cg_put_vec3(sink, hand->torque);
    cg_put_float(sink, hand->slip_speed);
    cg_put_float(sink, hand->grip);
    cg_put_float(sink, hand->edge_inside);
    if (hand->has_jaws) {
        cg_put_float(sink, hand->opening);
        cg_put_float(sink, hand->jaw_forces[0]);
        cg_put_float(sink, hand->jaw_forces[1]);
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
    assert(sink->good);
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
    state->pose = cg_take_pose(source);
    state->command.position = cg_take_vec3(source);
    state->command.rotation = state->pose.rotation;
    state->force = cg_take_vec3(source);
    state->torque = cg_take_vec3(source);
    state->slip_speed = cg_take_float(source);
    state->grip = cg_take_float(source);
    state->edge_inside = cg_take_float(source);
    if (state->has_jaws) {
        state->opening = cg_take_float(source);
        state->jaw_forces[0] = cg_take_float(source);
        state->jaw_forces[1] = cg_take_float(source);
    }
}

bool cg_hands_read(cg_byte_source *source, uint64_t *step, cg_recorded_hand *hands, int *count)
{
    assert(count != NULL && step != NULL);
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
    assert(sink->good);
    cg_put_u64(sink, step);
    cg_put_u16(sink, (unsigned)cg_bodies_count(world));
    for (int i = 0; i < CG_RECORDED_MOST_BODIES; i++) {
        cg_rigid_id id = cg_world_rigid_at(world, i);
        if (cg_rigid_is_valid(world, id)) {
            cg_transform pose = cg_rigid_get_pose(world, id);
            cg_put_u16(sink, (unsigned)i);
            cg_put_pose(sink, &pose);
        }
    }
}

bool cg_bodies_read(cg_byte_source *source, uint64_t *step, cg_recorded_body *bodies, int *count)
{
    assert(count != NULL && step != NULL);
    *step = cg_take_u64(source);
    *count = cg_take_u16(source);
    source->good = source->good && *count <= CG_RECORDED_MOST_BODIES;
    for (int i = 0, before = -1; i < *count && source->good; i++) {
        cg_recorded_body body = {.body = cg_take_u16(source)};
        body.pose = cg_take_pose(source);
        source->good = source->good && body.body > before && body.body < CG_RECORDED_MOST_BODIES;
        before = body.body;
        if (bodies != NULL) {
            bodies[i] = body;
        }
    }
    return source->good;
}
