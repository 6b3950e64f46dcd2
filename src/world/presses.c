// Tissues and rigid shapes in a step of the world. Where they touch as data: contact_list.c.
//
// Shapes are led: they have no unknowns, so what they do to tissue is compliant rows of its own solve
// (find/press.h), as what tissue does to tissue is. Where tissue stops a shape, its way in this step is shortened
// (target), and what is left (told) is tried again in the next. Should threads stop it earlier, tissue that has moved
// before them makes the same share of its motion; the walk has found all of that motion safe.
#include <math.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "world/world.h"

// Rounds in which shapes that are stopped are shortened one by one; after them everything stops together.
enum { MOST_ROUNDS = 4 };
// Of the way that is safe. The rest keeps a round from ending exactly where the last one did.
static const double SAFE_PART = 0.98;

bool cg_world_has_presses(const cg_world *world)
{
    return world->def.max_contacts > 0 && world->tissues.count > 0 && world->shapes.count > 0;
}

void cg_world_forget_presses(cg_world *world)
{
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        if (s->press != NULL) {
            cg_press_forget(s->press);
        }
    }
}

void cg_world_note_shapes(cg_world *world)
{
    cg_press_shapes *shapes = &world->press_shapes;
    shapes->count = cg_world_list_shapes(world, world->listed_shapes);
    for (int k = 0; k < shapes->count; k++) {
        const cg_rigid *s = world->listed_shapes[k];
        shapes->moving[k] = (cg_moving_shape){.shape = s->shape, .before = s->now, .after = s->target};
        shapes->friction[k] = s->friction;
        shapes->way[k] = 1;
    }
}

static void shorten_way(cg_world *world, int shape, double way)
{
    cg_moving_shape *moving = &world->press_shapes.moving[shape];
    moving->after = world->listed_shapes[shape]->target = cg_moving_shape_pose(moving, way);
}

void cg_world_ease_shapes(cg_world *world)
{
    for (int k = 0; k < world->press_shapes.count; k++) {
        if (world->press_shapes.way[k] < 1) {
            shorten_way(world, k, world->press_shapes.way[k]);
        }
    }
}

static bool is_same_pose(const cg_transform *a, const cg_transform *b)
{
    return a->position.x == b->position.x && a->position.y == b->position.y && a->position.z == b->position.z &&
           a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->rotation.w == b->rotation.w;
}

static double walk_all(cg_world *world)
{
    double share = 1;
    for (int k = 0; k < world->press_shapes.count; k++) {
        world->press_shapes.way[k] = 1;
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        double safe = s->press != NULL ? cg_press_walk(s->press, &world->press_shapes) : 1;
        share = safe < share ? safe : share;
    }
    return share;
}

// Shortens the way of all shapes by this, or else each by its own. True when one moves and was shortened.
static bool shorten_ways(cg_world *world, double all)
{
    bool changed = false;
    for (int k = 0; k < world->press_shapes.count; k++) {
        const cg_moving_shape *moving = &world->press_shapes.moving[k];
        double way = all < 1 ? all : world->press_shapes.way[k] * SAFE_PART;
        bool is_stopped = all < 1 || world->press_shapes.way[k] < 1;
        if (is_stopped && !is_same_pose(&moving->before, &moving->after)) {
            shorten_way(world, k, way);
            changed = true;
        }
    }
    return changed;
}

// Tissues that shapes or tissues are near to.
static void take_share_near(cg_world *world, double share)
{
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        bool is_near = s->press != NULL && (s->press->is_near || (s->meet->is_near && !s->tissue->asleep));
        if (is_near) {
            cg_tissue_take_share(s->tissue, s->meet->start, share);
        }
    }
}

double cg_world_check_presses(cg_world *world)
{
    for (int k = 0; k < world->press_shapes.count; k++) {
        const cg_rigid *s = world->listed_shapes[k];
        world->press_shapes.moving[k] = (cg_moving_shape){.shape = s->shape, .before = s->start, .after = s->now};
    }
    return walk_all(world);
}

void cg_world_limit_presses(cg_world *world)
{
    double share = walk_all(world);
    bool is_stopped = share < 1;
    for (int round = 0; round < MOST_ROUNDS && share < 1 && shorten_ways(world, 1); round++) {
        share = walk_all(world);
    }
    if (share < 1) {
        shorten_ways(world, share);
        take_share_near(world, share);
    }
    world->stats.unfinished_steps += is_stopped;
}

static double chord(cg_quat a, cg_quat b)
{
    cg_quat d = {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
    return sqrt(quat_dot(d, d));
}

// The share of its way of this step that a shape has gone.
static double share_gone(const cg_rigid *s)
{
    if (is_same_pose(&s->now, &s->target)) {
        return 1;
    }
    double shift = v3_distance(s->start.position, s->target.position);
    double share = shift > 0 ? v3_distance(s->start.position, s->now.position) / shift
                             : chord(s->start.rotation, s->now.rotation) / chord(s->start.rotation, s->target.rotation);
    return share < 1 ? share : 1;
}

// What touching the tissue does to the shapes.
static void load_shapes(cg_world *world, cg_rigid **shapes)
{
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        for (int i = 0; s->press != NULL && i < s->press->count; i++) {
            const cg_touch *press = &s->press->presses[i];
            cg_rigid *shape = shapes[press_shape(press)];
            cg_vec3 arm = v3_sub(press->point[0], shape->now.position);
            shape->force = v3_sub(shape->force, press->force);
            shape->torque = v3_sub(shape->torque, v3_cross(arm, press->force));
        }
    }
}

void cg_world_finish_presses(cg_world *world, bool has_moved)
{
    double share = 1;
    for (int k = 0; k < world->press_shapes.count; k++) {
        cg_rigid *s = world->listed_shapes[k];
        if (world->touch_memory == NULL) {
            s->start = s->now;
            s->now = s->target;
            s->force = s->torque = v3_zero();
        }
        share = fmin(share, share_gone(s));
    }
    if (has_moved && share < 1) {
        take_share_near(world, share);
    }
    load_shapes(world, world->listed_shapes);
}
