#include "record/suture_items.h"

#include <assert.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "catgut/needle.h"
#include "catgut/suture.h"
#include "geometry/triangle.h"
#include "operation/fields.h"
#include "record/floats.h"
#include "world/world.h"

enum { OF_THREAD = 1, INWARD = 2, ALL_HOLE_FLAGS = 3 };

// What is there

// A contact between a jaw and something, seen from there.
static void see_contact(const cg_contact_info *contact, int pressed[3][2], int jaw)
{
    cg_rigid_id body = contact->bodies[0].index != 0 ? contact->bodies[0] : contact->bodies[1];
    if (contact->threads[0].index != 0) {
        pressed[0][jaw] = (int)contact->threads[0].index;
    } else if (contact->triangles[1] >= 0) {
        pressed[1][jaw] = (int)contact->tissues[1].index;
    } else if (body.index != 0) {
        pressed[2][jaw] = (int)body.index;
    }
}

// [N] With which a contact presses on a jaw, away from the other one. What is wound around both presses the other way.
static double pressed_open(const cg_contact_info *contact, cg_quat turn)
{
    cg_vec3 opens = quat_rotate(turn, v3(0, contact->jaw == 1 ? -1 : 1, 0)); // the way that this jaw opens
    bool is_first = contact->threads[0].index == 0 && contact->bodies[0].index == 0;
    return (is_first ? 1 : -1) * v3_dot(contact->force, opens);
}

cg_recorded_grip cg_jaws_grip(const cg_world *world, int hand)
{
    int pressed[3][2] = {{0}}; // thread, tissue and body, by jaw: places plus 1
    cg_quat turn = cg_hand_get_state(world, cg_operation_hand(world, hand)).pose.rotation;
    cg_contact_info contact;
    for (int i = 0; cg_world_get_contact(world, i, &contact); i++) {
        bool is_jaw = (int)contact.hand.index == hand + 1 && (contact.jaw == 1 || contact.jaw == 2);
        if (is_jaw && pressed_open(&contact, turn) > 0) {
            see_contact(&contact, pressed, contact.jaw - 1);
        }
    }
    int held[3];
    for (int kind = 0; kind < 3; kind++) {
        held[kind] = pressed[kind][0] != 0 ? pressed[kind][1] - 1 : -1;
    }
    return (cg_recorded_grip){.hand = hand, .thread = held[0], .tissue = held[1], .body = held[2]};
}

// Where a hole is in the surface as it was made.
static void find_home(const cg_world *world, cg_tissue_id id, cg_recorded_hole *hole)
{
    const cg_mesh *mesh = cg_world_find_tissue(world, id)->mesh;
    const cg_mesh_triangle *triangle = &mesh->triangles[hole->triangle];
    cg_vec3 corners[3];
    hole->home = v3_zero();
    for (int k = 0; k < 3; k++) {
        corners[k] = mesh->home[triangle->nodes[k]];
        hole->home = v3_add_scaled(hole->home, hole->weights[k], corners[k]);
    }
    hole->side = (int)triangle->side;
    hole->normal = v3_unit_or(triangle_normal(corners), v3(0, 0, 1));
}

static void add_needle_holes(const cg_world *world, cg_rigid_id id, int body, cg_suture_item *item)
{
    cg_needle_hole hole;
    for (int k = 0; item->hole_count < CG_RECORDED_MOST_HOLES && cg_rigid_get_hole(world, id, k, &hole); k++) {
        cg_recorded_hole *to = &item->holes[item->hole_count++];
        *to = (cg_recorded_hole){.owner = body,
                                 .tissue = (int)hole.tissue.index - 1,
                                 .triangle = hole.triangle,
                                 .weights = {hole.weights[0], hole.weights[1], hole.weights[2]},
                                 .arc = hole.arc,
                                 .inward = hole.inward,
                                 .force = hole.force};
        find_home(world, hole.tissue, to);
    }
}

static void add_needles(const cg_world *world, cg_suture_item *item)
{
    cg_needle needle;
    for (int i = 0; i < CG_RECORDED_MOST_BODIES && item->needle_count < CG_RECORDED_MOST_NEEDLES; i++) {
        cg_rigid_id id = cg_world_rigid_at(world, i);
        cg_piercing piercing;
        if (!cg_rigid_is_valid(world, id) || !cg_rigid_get_needle(world, id, &needle) ||
            !cg_rigid_get_piercing(world, id, &piercing)) {
            continue;
        }
        item->needles[item->needle_count++] = (cg_recorded_needle){.body = i,
                                                                   .radius = needle.radius,
                                                                   .arc = needle.arc,
                                                                   .is_inside = piercing.is_inside,
                                                                   .depth = piercing.depth,
                                                                   .tip_force = piercing.tip_force};
        add_needle_holes(world, id, i, item);
    }
}

static void add_anchors(const cg_world *world, cg_suture_item *item)
{
    cg_anchor anchor;
    for (int k = 0; item->hole_count < CG_RECORDED_MOST_HOLES && cg_world_get_anchor(world, k, &anchor); k++) {
        cg_recorded_hole *to = &item->holes[item->hole_count++];
        *to = (cg_recorded_hole){.is_of_thread = true,
                                 .owner = (int)anchor.thread.index - 1,
                                 .tissue = (int)anchor.tissue.index - 1,
                                 .triangle = anchor.triangle,
                                 .weights = {anchor.weights[0], anchor.weights[1], anchor.weights[2]},
                                 .arc = anchor.arc,
                                 .force = anchor.force,
                                 .tension = {anchor.tension[0], anchor.tension[1]}};
        find_home(world, anchor.tissue, to);
    }
}

static void add_grips(const cg_world *world, cg_suture_item *item)
{
    for (int i = 0; i < CG_RECORDED_MOST_HANDS; i++) {
        cg_hand_id id = cg_operation_hand(world, i);
        if (!cg_hand_is_valid(world, id) || !cg_hand_get_state(world, id).has_jaws) {
            continue;
        }
        cg_recorded_grip grip = cg_jaws_grip(world, i);
        if (grip.thread >= 0 || grip.tissue >= 0 || grip.body >= 0) {
            item->grips[item->grip_count++] = grip;
        }
    }
}

bool cg_sutures_are_there(const cg_world *world)
{
    return cg_world_first_tissue(world) != NULL || cg_pool_first(&world->rigids) != NULL;
}

void cg_sutures_take(const cg_world *world, cg_suture_item *item)
{
    item->needle_count = item->hole_count = item->grip_count = 0;
    add_needles(world, item);
    add_anchors(world, item);
    add_grips(world, item);
}

// Writing

static void put_needle(cg_byte_sink *sink, const cg_recorded_needle *needle)
{
    cg_put_u16(sink, (unsigned)needle->body);
    cg_put_u8(sink, needle->is_inside);
    cg_put_float(sink, needle->radius);
    cg_put_float(sink, needle->arc);
    cg_put_float(sink, needle->depth);
    cg_put_float(sink, needle->tip_force);
}

static void put_hole(cg_byte_sink *sink, const cg_recorded_hole *hole)
{
    cg_put_u8(sink, (hole->is_of_thread ? OF_THREAD : 0) | (hole->inward ? INWARD : 0));
    cg_put_u8(sink, (unsigned)hole->side);
    cg_put_u16(sink, (unsigned)hole->owner);
    cg_put_u16(sink, (unsigned)hole->tissue);
    cg_put_u32(sink, (uint32_t)hole->triangle);
    for (int k = 0; k < 3; k++) {
        cg_put_float(sink, hole->weights[k]);
    }
    cg_put_vec3(sink, hole->home);
    cg_put_vec3(sink, hole->normal);
    cg_put_float(sink, hole->arc);
    cg_put_vec3(sink, hole->force);
    cg_put_float(sink, hole->tension[0]);
    cg_put_float(sink, hole->tension[1]);
}

static void put_grip(cg_byte_sink *sink, const cg_recorded_grip *grip)
{
    cg_put_u8(sink, (unsigned)grip->hand);
    cg_put_u32(sink, (uint32_t)grip->thread);
    cg_put_u32(sink, (uint32_t)grip->tissue);
    cg_put_u32(sink, (uint32_t)(grip->body < CG_RECORDED_MOST_BODIES ? grip->body : -1)); // beyond: left out
}

void cg_sutures_put(cg_byte_sink *sink, uint64_t step, const cg_suture_item *item)
{
    assert(item->needle_count >= 0 && item->needle_count <= CG_RECORDED_MOST_NEEDLES);
    assert(item->hole_count >= 0 && item->hole_count <= CG_RECORDED_MOST_HOLES);
    assert(item->grip_count >= 0 && item->grip_count <= CG_RECORDED_MOST_HANDS);
    cg_put_u64(sink, step);
    cg_put_u8(sink, (unsigned)item->needle_count);
    for (int i = 0; i < item->needle_count; i++) {
        put_needle(sink, &item->needles[i]);
    }
    cg_put_u16(sink, (unsigned)item->hole_count);
    for (int i = 0; i < item->hole_count; i++) {
        put_hole(sink, &item->holes[i]);
    }
    cg_put_u8(sink, (unsigned)item->grip_count);
    for (int i = 0; i < item->grip_count; i++) {
        put_grip(sink, &item->grips[i]);
    }
}

void cg_sutures_write(cg_byte_sink *sink, uint64_t step, const cg_world *world)
{
    cg_suture_item item;
    cg_sutures_take(world, &item);
    cg_sutures_put(sink, step, &item);
}

// Reading

static cg_recorded_needle take_needle(cg_byte_source *source)
{
    cg_recorded_needle needle = {.body = cg_take_u16(source)};
    unsigned inside = cg_take_u8(source);
    needle.is_inside = inside;
    needle.radius = cg_take_float(source);
    needle.arc = cg_take_float(source);
    needle.depth = cg_take_float(source);
    needle.tip_force = cg_take_float(source);
    source->good = source->good && needle.body < CG_RECORDED_MOST_BODIES && inside <= 1 && needle.radius > 0;
    return needle;
}

static cg_recorded_hole take_hole(cg_byte_source *source)
{
    unsigned flags = cg_take_u8(source);
    cg_recorded_hole hole = {.is_of_thread = flags & OF_THREAD, .inward = flags & INWARD, .side = cg_take_u8(source)};
    hole.owner = cg_take_u16(source);
    hole.tissue = cg_take_u16(source);
    uint32_t triangle = cg_take_u32(source);
    for (int k = 0; k < 3; k++) {
        hole.weights[k] = cg_take_float(source);
    }
    hole.home = cg_take_vec3(source);
    hole.normal = cg_take_vec3(source);
    hole.arc = cg_take_float(source);
    hole.force = cg_take_vec3(source);
    hole.tension[0] = cg_take_float(source);
    hole.tension[1] = cg_take_float(source);
    int most = hole.is_of_thread ? (int)CG_RECORDED_MOST_THREADS : (int)CG_RECORDED_MOST_BODIES;
    source->good = source->good && flags <= ALL_HOLE_FLAGS && hole.side < CG_SIDE_COUNT && hole.owner < most &&
                   hole.tissue < CG_RECORDED_MOST_TISSUES && triangle < CG_RECORDED_MOST_TRIANGLES;
    hole.triangle = source->good ? (int)triangle : 0;
    return hole;
}

// A place, -1 for none.
static int take_place(cg_byte_source *source, uint32_t most)
{
    uint32_t place = cg_take_u32(source);
    source->good = source->good && (place == UINT32_MAX || place < most);
    return place < most ? (int)place : -1;
}

static cg_recorded_grip take_grip(cg_byte_source *source)
{
    cg_recorded_grip grip = {.hand = cg_take_u8(source)};
    grip.thread = take_place(source, CG_RECORDED_MOST_THREADS);
    grip.tissue = take_place(source, CG_RECORDED_MOST_TISSUES);
    grip.body = take_place(source, CG_RECORDED_MOST_BODIES);
    source->good = source->good && grip.hand < CG_RECORDED_MOST_HANDS;
    return grip;
}

// A number of things that there is room for.
static int take_count(cg_byte_source *source, unsigned count, unsigned most)
{
    source->good = source->good && count <= most;
    return source->good ? (int)count : 0;
}

bool cg_sutures_read(cg_byte_source *source, uint64_t *step, cg_suture_item *item)
{
    cg_suture_item unused;
    cg_suture_item *to = item != NULL ? item : &unused;
    *step = cg_take_u64(source);
    to->needle_count = take_count(source, cg_take_u8(source), CG_RECORDED_MOST_NEEDLES);
    for (int i = 0; i < to->needle_count && source->good; i++) {
        to->needles[i] = take_needle(source);
    }
    to->hole_count = take_count(source, cg_take_u16(source), CG_RECORDED_MOST_HOLES);
    for (int i = 0; i < to->hole_count && source->good; i++) {
        to->holes[i] = take_hole(source);
    }
    to->grip_count = take_count(source, cg_take_u8(source), CG_RECORDED_MOST_HANDS);
    for (int i = 0; i < to->grip_count && source->good; i++) {
        to->grips[i] = take_grip(source);
    }
    return source->good;
}
