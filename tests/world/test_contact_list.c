// One list of contacts, of whatever touches and by whichever solver.
#include <math.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

typedef struct heap {
    cg_world *world;
    cg_tissue_id pad, block;
    cg_thread_id thread;
    cg_shape_id ball;
} heap;

static cg_tissue_id add_tissue(cg_world *world, cg_vec3 size, cg_vec3 place, bool is_held)
{
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue_id id;
    def.size = v3(size.x, size.y, 0);
    def.layers[0].thickness = size.z;
    def.fix_bottom = is_held;
    def.pose.position = place;
    CHECK_STR(cg_world_add_tissue(world, &def, &id).message, "");
    return id;
}

// A ball pressed into a pad, a block and a thread that lie on it.
static heap make_heap(void)
{
    enum { COUNT = 9 };
    heap h;
    cg_world_def def = cg_world_def_default();
    CHECK_STR(cg_world_create(&def, &h.world).message, "");
    h.pad = add_tissue(h.world, v3(30e-3, 16e-3, 4e-3), v3_zero(), true);
    h.block = add_tissue(h.world, v3(6e-3, 6e-3, 4e-3), v3(10e-3, 0, 4.15e-3), false);
    cg_vec3 points[COUNT];
    cg_thread_def thread = cg_thread_def_default();
    for (int i = 0; i < COUNT; i++) {
        points[i] = v3(-2e-3, 1e-3 * (i - COUNT / 2), 1.05 * thread.radius);
    }
    thread.vertex_count = COUNT;
    thread.positions = points;
    CHECK_STR(cg_world_add_thread(h.world, &thread, &h.thread).message, "");
    cg_shape_def ball = cg_shape_def_default();
    ball.shape.kind = CG_SHAPE_SPHERE;
    ball.shape.radius = 2e-3;
    ball.pose.position = v3(-10e-3, 0, 2.1e-3);
    CHECK_STR(cg_world_add_shape(h.world, &ball, &h.ball).message, "");
    ball.pose.position.z = 1.6e-3;
    CHECK_STR(cg_shape_move(h.world, h.ball, ball.pose).message, "");
    for (int step = 0; step < 150; step++) {
        cg_world_step(h.world);
    }
    return h;
}

static int sides_of(const cg_contact_info *c)
{
    int sides = (c->shape.index != 0) + (c->hand.index != 0);
    for (int k = 0; k < 2; k++) {
        sides += (c->threads[k].index != 0) + (c->bodies[k].index != 0) + (c->tissues[k].index != 0);
        CHECK((c->tissues[k].index != 0) == (c->triangles[k] >= 0));
    }
    return sides;
}

TEST(one_list_has_the_contacts_of_all_pairs)
{
    heap h = make_heap();
    int of_threads = 0, of_shapes = 0, of_tissues = 0, count = 0;
    cg_vec3 on_ball = v3_zero(), on_thread = v3_zero(), on_block = v3_zero();
    cg_contact_info c;
    for (; cg_world_get_contact(h.world, count, &c); count++) {
        CHECK_INT(sides_of(&c), 2);
        CHECK_NEAR(v3_length(c.normal), 1, 1e-9);
        bool is_press = c.shape.index != 0, is_meet = c.tissues[0].index != 0 && c.tissues[1].index != 0;
        of_threads += c.threads[0].index != 0;
        of_shapes += is_press && c.tissues[0].index == h.pad.index;
        of_tissues += is_meet;
        on_thread = c.threads[0].index != 0 ? v3_add(on_thread, c.force) : on_thread;
        on_ball = is_press ? v3_sub(on_ball, c.force) : on_ball;
    }
    CHECK_INT(cg_world_contact_count(h.world), count);
    CHECK(of_threads > 0 && of_shapes > 0 && of_tissues > 0 && of_threads + of_shapes + of_tissues == count);
    CHECK(!cg_world_get_contact(h.world, count, &c) && !cg_world_get_contact(h.world, -1, &c));
    cg_vec3 force, torque;
    CHECK_STR(cg_shape_get_load(h.world, h.ball, &force, &torque).message, "");
    CHECK(on_ball.z > 0.01 && v3_distance(on_ball, force) < 1e-12);
    CHECK(on_thread.z > 0);

    // A tissue has its own, and is their first side.
    int of_pad = 0, of_block = 0;
    for (; cg_tissue_get_contact(h.world, h.pad, of_pad, &c); of_pad++) {
        CHECK(c.tissues[0].index == h.pad.index);
    }
    for (; cg_tissue_get_contact(h.world, h.block, of_block, &c); of_block++) {
        CHECK(c.tissues[0].index == h.block.index && c.tissues[1].index == h.pad.index && c.normal.z > 0.5);
        on_block = v3_add(on_block, c.force);
    }
    CHECK(of_pad == count && of_block == of_tissues && cg_tissue_contact_count(h.world, h.pad) == of_pad);
    double weight = 9.81 * cg_tissue_get_summary(h.world, h.block).mass;
    CHECK_NEAR(on_block.z, weight, 0.05 * weight);
    cg_world_destroy(h.world);
}
