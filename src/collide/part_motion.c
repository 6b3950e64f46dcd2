// How much of a motion two rigid parts can make. See collide/parts.h and collide/safe_motion.h.
#include "collide/parts.h"
#include "collide/walk.h"

static cg_vec3 centre_of(const cg_moving_shape *moving)
{
    return moving_shape_start(moving).position;
}

// No point of the part goes farther than this, but for the shift of its body.
static double turn_room(const cg_moving_shape *moving, const cg_shape_motion *motion)
{
    double arm = moving->is_part ? v3_length(moving->part.position) : 0;
    return motion->turn * (arm + cg_shape_size(&moving->shape));
}

static bool can_meet(const cg_shape_motion *a, const cg_shape_motion *b, double rounding)
{
    const cg_moving_shape *sa = a->shape, *sb = b->shape;
    double room = v3_length(v3_sub(a->shift, b->shift)) + rounding, turned = turn_room(sa, a);
    if (sb->shape.kind == CG_SHAPE_HALF_SPACE) {
        // In its axes; one that turns meets anything.
        cg_transform pose = moving_shape_start(sb);
        double height = cg_shape_distance_point(&sb->shape, &pose, centre_of(sa)).distance;
        return b->turn > 0 || height - cg_shape_size(&sa->shape) <= room + turned;
    }
    double sizes = cg_shape_size(&sa->shape) + cg_shape_size(&sb->shape);
    return v3_distance(centre_of(sa), centre_of(sb)) <= sizes + room + turned + turn_room(sb, b);
}

// The rods of one moving part against the solid of the other.
static void walk_rods(const cg_shape_motion *carrier, const cg_shape_motion *solid, double d,
                      const cg_motion_rule *rule, cg_part_motion *motion)
{
    const cg_moving_shape *part = carrier->shape;
    cg_rods rods = cg_rods_of(&part->shape);
    double deeper = rods.radius - d; // distances are measured as if the rods were as thin as d
    for (int i = 0; i < rods.edge_count && motion->fraction > 0; i++) {
        cg_carried_segment segment = {carrier, {rods.corners[rods.edges[i][0]], rods.corners[rods.edges[i][1]]}};
        for (int k = 0; part->is_part && k < 2; k++) {
            segment.ends[k] = transform_point(part->part, segment.ends[k]);
        }
        double start = cg_shape_walk_carried_distance(solid, &segment, 0) - deeper;
        cg_walk_levels levels = cg_walk_levels_for(rule, start, d, true);
        levels.level += deeper;
        motion->frozen += levels.is_frozen;
        cg_walk walk = cg_walk_shape_carried(solid, &segment, &levels, motion->fraction, rule->max_looks);
        motion->looks += walk.looks + 1;
        motion->fraction = walk.reached < motion->fraction ? walk.reached : motion->fraction;
    }
}

void cg_part_motion_limit(const cg_moving_shape *a, const cg_moving_shape *b, const cg_motion_rule *rule,
                          cg_part_motion *motion)
{
    double of_a = cg_rod_radius(&a->shape), of_b = cg_rod_radius(&b->shape), d = of_a < of_b ? of_a : of_b;
    cg_shape_motion motion_a = cg_shape_motion_of(a), motion_b = cg_shape_motion_of(b);
    if (!can_meet(&motion_a, &motion_b, d)) {
        return;
    }
    // The distance of a round rod to a solid is that of the two parts; two boxes need their edges both ways.
    bool a_is_box = a->shape.kind == CG_SHAPE_BOX, b_is_box = b->shape.kind == CG_SHAPE_BOX;
    bool by_a = !a_is_box || b_is_box || b->shape.kind == CG_SHAPE_HALF_SPACE;
    bool by_b = b->shape.kind != CG_SHAPE_HALF_SPACE && a_is_box;
    if (by_a) {
        walk_rods(&motion_a, &motion_b, d, rule, motion);
    }
    if (by_b) {
        walk_rods(&motion_b, &motion_a, d, rule, motion);
    }
}
