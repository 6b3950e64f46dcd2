// The largest safe fraction of a motion: which pairs have to be walked, and what comes out of all walks together.
#include "collide/safe_motion.h"

#include "collide/runs.h"
#include "collide/walk.h"

// Pairs below freeze d, to be looked at again where the motion ends. More of them than this, and nothing moves.
enum { FROZEN_CAPACITY = 512, FROZEN_ROUNDS = 8 };

// A pair of slots, or a slot and a shape (b < 0: shape ~b).
typedef struct frozen_pair {
    int a, b;
    double level; // lowest distance allowed where the motion ends
} frozen_pair;

typedef struct cg_motion_work {
    cg_runs runs;
    frozen_pair *frozen;

    // Of the call under way.
    const cg_motion_rule *rule;
    const cg_chain *chains;
    const cg_vec3 *const *moves;
    const cg_moving_shape *shapes;
    cg_safe_motion result;
} cg_motion_work;

void cg_motion_finder_layout(cg_motion_finder *finder, int max_chains, int max_segments, cg_arena *arena)
{
    cg_motion_work measured; // stands in for the work while the arena has no memory
    finder->work = cg_arena_push_array(arena, cg_motion_work, 1);
    cg_motion_work *work = finder->work ? finder->work : &measured;
    cg_runs_layout(&work->runs, max_chains, max_segments, true, arena);
    work->frozen = cg_arena_push_array(arena, frozen_pair, FROZEN_CAPACITY);
}

static bool all_finite(const cg_chain *chains, const cg_vec3 *const *moves, int count)
{
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < chains[c].count; i++) {
            if (!v3_is_finite(chains[c].points[i]) || !v3_is_finite(moves[c][i])) {
                return false;
            }
        }
    }
    return true;
}

static void limit_to(cg_motion_work *work, double fraction, cg_motion_limit limit, cg_segment_pair pair, int shape)
{
    if (fraction < work->result.fraction) {
        work->result.fraction = fraction;
        work->result.limit = limit;
        work->result.pair = pair;
        work->result.shape = shape;
    }
}

static void limit_turns(cg_motion_work *work, int count)
{
    for (int c = 0; c < count && work->rule->turn > 0; c++) {
        const cg_chain *chain = &work->chains[c];
        for (int i = 0; i + 1 < chain->count; i++) {
            double change = v3_distance(work->moves[c][i + 1], work->moves[c][i]);
            double most = work->rule->turn * (chain->arc[i + 1] - chain->arc[i]);
            if (most > 0 && change * work->result.fraction > most) {
                limit_to(work, most / change, CG_LIMIT_TURN, (cg_segment_pair){c, i, c, i}, -1);
            }
        }
    }
}

static void remember_frozen(cg_motion_work *work, int a, int b, double level, cg_motion_limit limit,
                            cg_segment_pair pair)
{
    if (work->result.frozen < FROZEN_CAPACITY) {
        work->frozen[work->result.frozen++] = (frozen_pair){a, b, level};
    } else {
        work->result.cut_off++;
        limit_to(work, 0, limit, pair, b < 0 ? ~b : -1);
    }
}

// Pairs of segments

static cg_segment_pair pair_of_slots(const cg_motion_work *work, int a, int b)
{
    const cg_runs *runs = &work->runs;
    return (cg_segment_pair){slot_chain(runs, a), slot_segment(runs, a), slot_chain(runs, b), slot_segment(runs, b)};
}

static cg_moving_pair moving_pair_of(const cg_motion_work *work, const cg_segment_pair *pair)
{
    const cg_vec3 *p = work->chains[pair->chain_a].points + pair->segment_a;
    const cg_vec3 *q = work->chains[pair->chain_b].points + pair->segment_b;
    const cg_vec3 *u = work->moves[pair->chain_a] + pair->segment_a;
    const cg_vec3 *v = work->moves[pair->chain_b] + pair->segment_b;
    // Common motion is taken out, and places are counted from one corner: relative ones keep more digits.
    return (cg_moving_pair){{v3_zero(), v3_sub(p[1], p[0])},
                            {v3_sub(q[0], p[0]), v3_sub(q[1], p[0])},
                            {v3_zero(), v3_sub(u[1], u[0])},
                            {v3_sub(v[0], u[0]), v3_sub(v[1], u[0])}};
}

static void walk_slots(cg_motion_work *work, int a, int b, const cg_segment_pair *pair, bool is_second_time)
{
    cg_safe_motion *result = &work->result;
    double d = work->chains[pair->chain_a].radius + work->chains[pair->chain_b].radius;
    cg_moving_pair moving = moving_pair_of(work, pair);
    double speed = cg_moving_pair_speed(&moving);
    if (speed * result->fraction <= 1e-13 * d) {
        return;
    }
    double start = cg_moving_pair_distance(&moving, 0);
    result->looks++;
    if (start < 1e-9 * d) {
        return;
    }
    cg_walk_levels levels = cg_walk_levels_for(work->rule, start, d, false);
    if (speed * result->fraction <= start - levels.level) {
        return;
    }
    if (levels.is_frozen && !is_second_time) {
        remember_frozen(work, a, b, levels.level, CG_LIMIT_PAIR, *pair);
    }
    cg_walk walk = cg_walk_pair(&moving, &levels, result->fraction, work->rule->max_looks);
    result->looks += walk.looks;
    result->cut_off += walk.is_cut_off;
    limit_to(work, walk.reached, CG_LIMIT_PAIR, *pair, -1);
}

static void visit_slots(void *context, int a, int b)
{
    cg_motion_work *work = context;
    if (work->result.fraction > 0) {
        cg_segment_pair pair = pair_of_slots(work, a, b);
        work->result.pairs++;
        walk_slots(work, a, b, &pair, false);
    }
}

// Segments and shapes

static cg_moving_segment_ends ends_of_slot(const cg_motion_work *work, int slot)
{
    int chain = slot_chain(&work->runs, slot), i = slot_segment(&work->runs, slot);
    const cg_vec3 *p = work->chains[chain].points + i, *u = work->moves[chain] + i;
    return (cg_moving_segment_ends){{p[0], p[1]}, {u[0], u[1]}};
}

static void walk_slot_and_shape(cg_motion_work *work, int slot, int shape, const cg_shape_motion *motion,
                                bool is_second_time)
{
    cg_safe_motion *result = &work->result;
    int chain = slot_chain(&work->runs, slot), i = slot_segment(&work->runs, slot);
    cg_segment_pair pair = {chain, i, chain, i};
    double d = work->chains[chain].radius;
    cg_moving_segment_ends segment = ends_of_slot(work, slot);
    double start = cg_shape_walk_distance(motion, &segment, 0);
    result->looks++;
    cg_walk_levels levels = cg_walk_levels_for(work->rule, start, d, true);
    if (levels.is_frozen && !is_second_time) {
        remember_frozen(work, slot, ~shape, levels.level, CG_LIMIT_SHAPE, pair);
    }
    cg_walk walk = cg_walk_shape(motion, &segment, &levels, result->fraction, work->rule->max_looks);
    result->looks += walk.looks;
    result->cut_off += walk.is_cut_off;
    limit_to(work, walk.reached, CG_LIMIT_SHAPE, pair, shape);
}

// From the centre to the farthest point of the shape; infinite for a half space.
static double shape_size(const cg_shape *shape)
{
    switch (shape->kind) {
    case CG_SHAPE_SPHERE:
        return shape->radius;
    case CG_SHAPE_CAPSULE:
        return shape->radius + shape->half_length;
    case CG_SHAPE_BOX:
        return v3_length(shape->half_extents);
    case CG_SHAPE_HALF_SPACE:
        break;
    }
    return INFINITY;
}

// True when the sphere `number` of a level can come nearer to the shape than the radius it holds for its chain.
static bool sphere_can_touch(const cg_motion_work *work, const cg_spheres *level, int number,
                             const cg_shape_motion *motion, double size)
{
    const cg_runs *runs = &work->runs;
    if (level->x[number] != level->x[number]) {
        return false;
    }
    cg_vec3 centre = v3_add_scaled(runs->middle, runs->unit, v3(level->x[number], level->y[number], level->z[number]));
    cg_vec3 move = v3(level->ux[number], level->uy[number], level->uz[number]);
    move = v3_add_scaled(runs->mean_move, runs->unit, move);
    double slack = runs->unit * (double)CG_RUN_SLACK;
    double radius = runs->unit * (double)level->radius[number] + slack;
    double spread = runs->unit * (double)level->spread[number] + slack;
    double reach = radius + cg_shape_motion_bound(motion, centre, move, radius, spread);
    cg_transform pose = motion->shape->before;
    if (v3_distance(centre, pose.position) - size > reach) {
        return false;
    }
    return cg_shape_distance_point(&motion->shape->shape, &pose, centre).distance <= reach;
}

static void walk_shapes(cg_motion_work *work, int shape_count)
{
    const cg_runs *runs = &work->runs;
    for (int k = 0; k < shape_count; k++) {
        cg_shape_motion motion = cg_shape_motion_of(&work->shapes[k]);
        double size = shape_size(&work->shapes[k].shape);
        for (int r = 0; r < runs->run_count; r++) {
            if (!sphere_can_touch(work, &runs->runs, r, &motion, size)) {
                continue;
            }
            for (int slot = CG_RUN_LENGTH * r; slot < CG_RUN_LENGTH * (r + 1) && work->result.fraction > 0; slot++) {
                if (sphere_can_touch(work, &runs->slots, slot, &motion, size)) {
                    work->result.pairs++;
                    walk_slot_and_shape(work, slot, k, &motion, false);
                }
            }
        }
    }
}

// All together

static double frozen_distance(const cg_motion_work *work, const frozen_pair *frozen, double time)
{
    if (frozen->b < 0) {
        cg_shape_motion motion = cg_shape_motion_of(&work->shapes[~frozen->b]);
        cg_moving_segment_ends segment = ends_of_slot(work, frozen->a);
        return cg_shape_walk_distance(&motion, &segment, time);
    }
    cg_segment_pair pair = pair_of_slots(work, frozen->a, frozen->b);
    cg_moving_pair moving = moving_pair_of(work, &pair);
    return cg_moving_pair_distance(&moving, time);
}

// A frozen pair was looked at where its own walk ended; another pair may have ended the motion earlier, where the
// frozen one dips by its margin. Repeated in thousands of steps that would add up, so it is not allowed.
static void settle_frozen(cg_motion_work *work)
{
    cg_safe_motion *result = &work->result;
    bool is_settled = result->frozen == 0;
    for (int round = 0; round < FROZEN_ROUNDS && !is_settled && result->fraction > 0; round++) {
        is_settled = true;
        for (int k = 0; k < result->frozen && result->fraction > 0; k++) {
            const frozen_pair *frozen = &work->frozen[k];
            double distance = frozen_distance(work, frozen, result->fraction);
            result->looks++;
            if (distance >= frozen->level) {
                continue;
            }
            is_settled = false;
            if (frozen->b < 0) {
                cg_shape_motion motion = cg_shape_motion_of(&work->shapes[~frozen->b]);
                walk_slot_and_shape(work, frozen->a, ~frozen->b, &motion, true);
            } else {
                cg_segment_pair pair = pair_of_slots(work, frozen->a, frozen->b);
                walk_slots(work, frozen->a, frozen->b, &pair, true);
            }
        }
    }
    if (!is_settled) {
        limit_to(work, 0, result->limit, result->pair, result->shape);
    }
}

cg_safe_motion cg_safe_motion_find(cg_motion_finder *finder, const cg_motion_rule *rule, const cg_chain *chains,
                                   const cg_vec3 *const *moves, int count, const cg_moving_shape *shapes,
                                   int shape_count)
{
    cg_motion_work *work = finder->work;
    work->rule = rule;
    work->chains = chains;
    work->moves = moves;
    work->shapes = shapes;
    work->result = (cg_safe_motion){.fraction = 1, .limit = CG_LIMIT_NONE, .shape = -1};
    double largest = 1e-30;
    for (int c = 0; c < count; c++) {
        largest = chains[c].radius > largest ? chains[c].radius : largest;
    }
    const cg_neighbour_rule by_arc = {rule->neighbours.excluded_arc, 0};
    if (!all_finite(chains, moves, count) || !cg_runs_build(&work->runs, chains, moves, count, &by_arc, largest)) {
        work->result.fraction = 0;
        work->result.limit = CG_LIMIT_BAD;
        return work->result;
    }
    limit_turns(work, count);
    walk_shapes(work, shape_count);
    cg_runs_visit(&work->runs, 0, false, visit_slots, work);
    settle_frozen(work);
    return work->result;
}
