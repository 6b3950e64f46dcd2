// How much of a motion two rigid parts can make. See collide/parts.h and collide/safe_motion.h.
#include "collide/parts.h"
#include "collide/walk.h"

cg_part_way cg_part_way_of(const cg_moving_shape *moving)
{
    cg_transform start = moving_shape_start(moving);
    double arm = moving->is_part ? v3_length(moving->part.position) : 0;
    cg_part_way way = {.motion = cg_shape_motion_of(moving),
                       .start = cover_of(&moving->shape, &start),
                       .size = cg_shape_size(&moving->shape),
                       .radius = cg_rod_radius(&moving->shape)};
    way.reach = arm + way.size;
    return way;
}

// No point of the part goes farther than this, but for the shift of its body.
static double turn_room(const cg_part_way *way)
{
    return way->motion.turn * way->reach;
}

static bool is_half_space(const cg_part_way *way)
{
    return way->motion.shape->shape.kind == CG_SHAPE_HALF_SPACE;
}

static bool can_meet(const cg_part_way *a, const cg_part_way *b, double rounding)
{
    double room = v3_length(v3_sub(a->motion.shift, b->motion.shift)) + rounding, turned = turn_room(a);
    if (is_half_space(b)) {
        // In its axes; one that turns meets anything.
        const cg_moving_shape *solid = b->motion.shape;
        cg_transform pose = moving_shape_start(solid);
        double height = cg_shape_distance_point(&solid->shape, &pose, a->start.middle).distance;
        return b->motion.turn > 0 || height - a->size <= room + turned;
    }
    return v3_distance(a->start.middle, b->start.middle) <= a->size + b->size + room + turned + turn_room(b);
}

static bool is_round(const cg_part_way *way)
{
    cg_shape_kind kind = way->motion.shape->shape.kind;
    return kind == CG_SHAPE_SPHERE || kind == CG_SHAPE_CAPSULE;
}

// True when the first stride of a walk of the rod of one round part is known to go all the way, by the bounds that the
// walk has itself (walk.c), or larger ones.
static bool is_out_of_reach(const cg_part_way *a, const cg_part_way *b, double d)
{
    const cg_shape_motion *ma = &a->motion, *mb = &b->motion;
    double apart = v3_length(v3_sub(ma->shift, mb->shift));
    double between = v3_distance(ma->shape->before.position, mb->shape->before.position);
    double w = apart + ma->turn * a->reach, y = between + apart + a->reach;
    double bend = 2 * mb->turn * w + (mb->turn * mb->turn + mb->turn_change) * y +
                  (ma->turn * ma->turn + ma->turn_change) * a->reach;
    return covers_are_apart(&a->start, &b->start, w + mb->turn * y + 0.5 * bend + d);
}

// The rods of one moving part against the solid of the other.
static void walk_rods(const cg_shape_motion *carrier, const cg_shape_motion *solid, double d,
                      const cg_motion_rule *rule, cg_part_motion *motion)
{
    const cg_moving_shape *part = carrier->shape;
    cg_rods rods = cg_rods_of(&part->shape);
    double skin;
    cg_moving_shape core = *solid->shape;
    core.shape = cg_core_of(&solid->shape->shape, &skin);
    cg_shape_motion core_motion = *solid;
    core_motion.shape = &core;
    double deeper = rods.radius + skin - d; // distances are measured as if the two together were as thin as d
    for (int i = 0; i < rods.edge_count && motion->fraction > 0; i++) {
        cg_carried_segment segment = {carrier, {rods.corners[rods.edges[i][0]], rods.corners[rods.edges[i][1]]}};
        for (int k = 0; part->is_part && k < 2; k++) {
            segment.ends[k] = transform_point(part->part, segment.ends[k]);
        }
        double start = cg_shape_walk_carried_distance(&core_motion, &segment, 0) - deeper;
        cg_walk_levels levels = cg_walk_levels_for(rule, start, d, true);
        levels.level += deeper;
        motion->frozen += levels.is_frozen;
        cg_walk walk = cg_walk_shape_carried(&core_motion, &segment, &levels, motion->fraction, rule->max_looks);
        motion->looks += walk.looks + 1;
        motion->fraction = walk.reached < motion->fraction ? walk.reached : motion->fraction;
    }
}

void cg_part_motion_limit(const cg_part_way *a, const cg_part_way *b, const cg_motion_rule *rule,
                          cg_part_motion *motion)
{
    double d = a->radius < b->radius ? a->radius : b->radius;
    if (!can_meet(a, b, d)) {
        return;
    }
    if (is_round(a) && is_round(b) && is_out_of_reach(a, b, d)) {
        motion->looks += motion->fraction > 0; // one it would have made
        return;
    }
    // The distance of a round rod to a solid is that of the two parts; two boxes need their edges both ways.
    bool a_is_box = a->motion.shape->shape.kind == CG_SHAPE_BOX, b_is_box = b->motion.shape->shape.kind == CG_SHAPE_BOX;
    bool by_a = !a_is_box || b_is_box || is_half_space(b);
    bool by_b = !is_half_space(b) && a_is_box;
    if (by_a) {
        walk_rods(&a->motion, &b->motion, d, rule, motion);
    }
    if (by_b) {
        walk_rods(&b->motion, &a->motion, d, rule, motion);
    }
}
