// The largest safe fraction of a motion: which pairs have to be walked, and what comes out of all walks together.
#include "collide/safe_motion.h"

#include "collide/runs.h"
#include "collide/walk.h"
#include "geometry/cover.h"

// Pairs below freeze d, to be looked at again where the motion ends. More of them than this, and nothing moves.
enum { FROZEN_CAPACITY = 512, FROZEN_ROUNDS = 8 };

// Two segments, or the first of them and a shape.
typedef struct frozen_pair {
    cg_segment_pair pair;
    int shape;    // -1: none
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
    const cg_motion_finder *finder;
    cg_safe_motion result;
} cg_motion_work;

void cg_motion_finder_layout(cg_motion_finder *finder, int max_chains, int max_segments, cg_arena *arena)
{
    cg_motion_work measured; // stands in for the work while the arena has no memory
    finder->near = NULL;
    finder->limit = 1;
    finder->exempt = NULL;
    finder->exempt_count = 0;
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
            cg_vec3 change_of = v3_sub(work->moves[c][i + 1], work->moves[c][i]);
            double most = work->rule->turn * (chain->arc[i + 1] - chain->arc[i]);
            if (v3_dot(change_of, change_of) < 0.99 * most * most) {
                continue;
            }
            double change = v3_length(change_of);
            if (most > 0 && change * work->result.fraction > most) {
                limit_to(work, most / change, CG_LIMIT_TURN, (cg_segment_pair){c, i, c, i}, -1);
            }
        }
    }
}

static void remember_frozen(cg_motion_work *work, cg_segment_pair pair, int shape, double level)
{
    if (work->result.frozen < FROZEN_CAPACITY) {
        work->frozen[work->result.frozen++] = (frozen_pair){pair, shape, level};
    } else {
        work->result.cut_off++;
        limit_to(work, 0, shape < 0 ? CG_LIMIT_PAIR : CG_LIMIT_SHAPE, pair, shape);
    }
}

// Pairs of segments

static cg_segment_pair pair_of_slots(const cg_motion_work *work, int a, int b)
{
    const cg_runs *runs = &work->runs;
    return (cg_segment_pair){slot_chain(runs, a), slot_segment(runs, a), slot_chain(runs, b), slot_segment(runs, b)};
}

static cg_moving_sides sides_of(const cg_motion_work *work, const cg_segment_pair *pair)
{
    const cg_vec3 *p = work->chains[pair->chain_a].points + pair->segment_a;
    const cg_vec3 *q = work->chains[pair->chain_b].points + pair->segment_b;
    const cg_vec3 *u = work->moves[pair->chain_a] + pair->segment_a;
    const cg_vec3 *v = work->moves[pair->chain_b] + pair->segment_b;
    // Common motion is taken out, and places are counted from one corner: relative ones keep more digits.
    return (cg_moving_sides){2,
                             2,
                             {v3_zero(), v3_sub(p[1], p[0])},
                             {v3_sub(q[0], p[0]), v3_sub(q[1], p[0])},
                             {v3_zero(), v3_sub(u[1], u[0])},
                             {v3_sub(v[0], u[0]), v3_sub(v[1], u[0])}};
}

// Looks that the walk of the next pair may make.
static int looks_left(const cg_motion_work *work)
{
    enum { VERY_FEW = 4 };
    const cg_motion_rule *rule = work->rule;
    return work->result.looks < rule->enough_looks || rule->max_looks < VERY_FEW ? rule->max_looks : VERY_FEW;
}

// `known` is a distance that the segments have at least, but for rounding.
static void walk_segments(cg_motion_work *work, const cg_segment_pair *pair, double known, bool is_second_time)
{
    cg_safe_motion *result = &work->result;
    double d = work->chains[pair->chain_a].radius + work->chains[pair->chain_b].radius;
    cg_moving_sides sides = sides_of(work, pair);
    double speed = cg_moving_sides_speed(&sides);
    if (speed * result->fraction <= 1e-13 * d || speed * result->fraction < known - (1 + 1e-9) * d) {
        return;
    }
    if (are_in_spans(work->chains, pair)) {
        return;
    }
    cg_sides_closest closest = cg_moving_sides_closest(&sides, 0);
    double start = sqrt(closest.squared_distance);
    result->looks++;
    if (start < 1e-9 * d) {
        return;
    }
    cg_walk_levels levels = cg_walk_levels_for(work->rule, start, d, false);
    if (speed * result->fraction <= start - levels.level) {
        return;
    }
    if (levels.is_frozen && !is_second_time) {
        remember_frozen(work, *pair, -1, levels.level);
    }
    cg_walk walk = cg_walk_sides(&sides, &closest, speed, &levels, result->fraction, looks_left(work));
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
        walk_segments(work, &pair, 0, false);
    }
}

// A pair that is at least so far apart, skipped when it could not meet even if both sides went straight for each other.
static void walk_known(cg_motion_work *work, const cg_segment_pair *pair, double distance, double furthest)
{
    double d = work->chains[pair->chain_a].radius + work->chains[pair->chain_b].radius;
    if (work->result.fraction > 0 && distance < (1 + 1e-9) * d + 2 * furthest * work->result.fraction) {
        work->result.pairs++;
        walk_segments(work, pair, distance, false);
    }
}

// The pairs that are close, and where the motion is long those that are listed too, in the order in which all would be
// visited: so the result is the same to the last bit.
static void walk_near_pairs(cg_motion_work *work, const cg_near *near, bool is_long, double furthest)
{
    int listed = 0, listed_count = is_long ? near->listed_count : 0;
    for (int k = 0; k <= near->close_count; k++) {
        const cg_close_pair *close = k < near->close_count ? &near->close[k] : NULL;
        for (; listed < listed_count; listed++) {
            const cg_segment_pair *pair = &near->listed[listed];
            int order = close ? compare_pairs(pair, &close->pair) : -1;
            if (order >= 0) {
                listed += order == 0;
                break;
            }
            const cg_chain *a = &work->chains[pair->chain_a], *b = &work->chains[pair->chain_b];
            walk_known(work, pair, (1 - 1e-9) * close_distance(near, a, b), furthest);
        }
        if (close) {
            walk_known(work, &close->pair, sqrt(close->closest.squared_distance), furthest);
        }
    }
}

// Segments and shapes

static cg_moving_segment_ends ends_of(const cg_motion_work *work, const cg_segment_pair *pair)
{
    const cg_vec3 *p = work->chains[pair->chain_a].points + pair->segment_a;
    const cg_vec3 *u = work->moves[pair->chain_a] + pair->segment_a;
    return (cg_moving_segment_ends){{p[0], p[1]}, {u[0], u[1]}};
}

static void walk_segment_and_shape(cg_motion_work *work, const cg_segment_pair *pair, int shape,
                                   const cg_shape_motion *motion, bool is_second_time)
{
    cg_safe_motion *result = &work->result;
    double d = work->chains[pair->chain_a].radius;
    cg_moving_segment_ends segment = ends_of(work, pair);
    double start = cg_shape_walk_distance(motion, &segment, 0);
    result->looks++;
    cg_walk_levels levels = cg_walk_levels_for(work->rule, start, d, true);
    if (levels.is_frozen && !is_second_time) {
        remember_frozen(work, *pair, shape, levels.level);
    }
    cg_walk walk = cg_walk_shape(motion, &segment, &levels, result->fraction, looks_left(work));
    result->looks += walk.looks;
    result->cut_off += walk.is_cut_off;
    limit_to(work, walk.reached, CG_LIMIT_SHAPE, *pair, shape);
}

// A shape on its way: what does not depend on the segment.
typedef struct shape_way {
    cg_shape_motion motion;
    cg_transform start;
    cg_cover cover; // where it starts
    double size;
} shape_way;

static shape_way shape_way_of(const cg_moving_shape *shape)
{
    cg_transform start = moving_shape_start(shape);
    return (shape_way){cg_shape_motion_of(shape), start, cover_of(&shape->shape, &start), cg_shape_size(&shape->shape)};
}

static double sum_of_parts(cg_vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

// No less than cg_shape_motion_bound, and without a root.
static double rough_bound(const cg_shape_motion *motion, cg_vec3 point, cg_vec3 move, double radius, double spread)
{
    double w = sum_of_parts(v3_sub(move, motion->shift)) + spread;
    double far = sum_of_parts(v3_sub(point, motion->shape->before.position)) + w + radius, turn = motion->turn;
    return w + turn * far + turn * w + 0.5 * (turn * turn + motion->turn_change) * far;
}

// True when the sphere `number` of a level can come nearer to the shape than the radius it holds for its chain.
static bool sphere_can_touch(const cg_motion_work *work, const cg_spheres *level, int number, const shape_way *way)
{
    const cg_runs *runs = &work->runs;
    const cg_shape_motion *motion = &way->motion;
    if (level->x[number] != level->x[number]) {
        return false;
    }
    cg_vec3 centre = v3_add_scaled(runs->middle, runs->unit, v3(level->x[number], level->y[number], level->z[number]));
    cg_vec3 move = v3(level->ux[number], level->uy[number], level->uz[number]);
    move = v3_add_scaled(runs->mean_move, runs->unit, move);
    double slack = runs->unit * (double)CG_RUN_SLACK;
    double radius = runs->unit * (double)level->radius[number] + slack;
    double spread = runs->unit * (double)level->spread[number] + slack;
    if (cover_is_off_ball(&way->cover, centre, radius, rough_bound(motion, centre, move, radius, spread))) {
        return false;
    }
    double reach = radius + cg_shape_motion_bound(motion, centre, move, radius, spread);
    if (v3_distance(centre, way->start.position) - way->size > reach) {
        return false;
    }
    return cg_shape_distance_point(&motion->shape->shape, &way->start, centre).distance <= reach;
}

static bool is_exempt(const cg_motion_work *work, const cg_segment_pair *itself, int shape)
{
    for (int i = 0; i < work->finder->exempt_count; i++) {
        if (motion_is_exempt(&work->finder->exempt[i], itself->chain_a, itself->segment_a, shape)) {
            return true;
        }
    }
    return false;
}

static void walk_run(cg_motion_work *work, int run, int shape, const shape_way *way)
{
    for (int slot = CG_RUN_LENGTH * run; slot < CG_RUN_LENGTH * (run + 1) && work->result.fraction > 0; slot++) {
        if (sphere_can_touch(work, &work->runs.slots, slot, way)) {
            cg_segment_pair itself = pair_of_slots(work, slot, slot);
            if (!is_exempt(work, &itself, shape)) {
                work->result.pairs++;
                walk_segment_and_shape(work, &itself, shape, &way->motion, false);
            }
        }
    }
}

// Most shapes are far from most of a thread: blocks of eight runs are looked at before their runs.
static void walk_shapes(cg_motion_work *work, int shape_count)
{
    const cg_runs *runs = &work->runs;
    for (int k = 0; k < shape_count; k++) {
        shape_way way = shape_way_of(&work->shapes[k]);
        for (int first = 0; first < runs->run_count; first += CG_RUN_LENGTH) {
            int left = runs->run_count - first, end = first + (left < CG_RUN_LENGTH ? left : CG_RUN_LENGTH);
            bool is_near = sphere_can_touch(work, &runs->blocks, first / CG_RUN_LENGTH, &way);
            for (int r = first; is_near && r < end; r++) {
                if (sphere_can_touch(work, &runs->runs, r, &way)) {
                    walk_run(work, r, k, &way);
                }
            }
        }
    }
}

// All together

static double frozen_distance(const cg_motion_work *work, const frozen_pair *frozen, double time)
{
    if (frozen->shape >= 0) {
        cg_shape_motion motion = cg_shape_motion_of(&work->shapes[frozen->shape]);
        cg_moving_segment_ends segment = ends_of(work, &frozen->pair);
        return cg_shape_walk_distance(&motion, &segment, time);
    }
    cg_moving_sides sides = sides_of(work, &frozen->pair);
    return cg_moving_sides_distance(&sides, time);
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
            if (frozen->shape >= 0) {
                cg_shape_motion motion = cg_shape_motion_of(&work->shapes[frozen->shape]);
                walk_segment_and_shape(work, &frozen->pair, frozen->shape, &motion, true);
            } else {
                walk_segments(work, &frozen->pair, 0, true);
            }
        }
    }
    if (!is_settled) {
        limit_to(work, 0, result->limit, result->pair, result->shape);
    }
}

// What is near along a chain is asked of pairs only.
static bool build_runs(cg_motion_work *work, int count, bool for_pairs)
{
    double largest = 1e-30;
    for (int c = 0; c < count; c++) {
        largest = work->chains[c].radius > largest ? work->chains[c].radius : largest;
    }
    const cg_neighbour_rule by_arc = {work->rule->neighbours.excluded_arc, 0};
    return cg_runs_build(&work->runs, work->chains, work->moves, count, for_pairs ? &by_arc : NULL, largest);
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
    work->finder = finder;
    work->result = (cg_safe_motion){.fraction = finder->limit, .limit = CG_LIMIT_NONE, .shape = -1};
    double furthest = 0;
    bool is_finite = all_finite(chains, moves, count);
    cg_near_cover cover =
        is_finite && finder->near ? cg_near_covers(finder->near, chains, moves, count, &furthest) : CG_NEAR_ANY;
    if (is_finite && cover == CG_NEAR_ANY && finder->near && shape_count == 0 &&
        cg_near_stays_clear(finder->near, chains, moves, count)) {
        cover = CG_NEAR_CLOSE;
    }
    bool is_ready =
        is_finite && ((cover != CG_NEAR_ANY && shape_count == 0) || build_runs(work, count, cover == CG_NEAR_ANY));
    if (!is_ready) {
        work->result.fraction = 0;
        work->result.limit = CG_LIMIT_BAD;
        return work->result;
    }
    limit_turns(work, count);
    walk_shapes(work, shape_count);
    if (cover == CG_NEAR_ANY) {
        cg_runs_visit(&work->runs, 0, false, visit_slots, work);
    } else {
        walk_near_pairs(work, finder->near, cover == CG_NEAR_LISTED, furthest);
    }
    settle_frozen(work);
    return work->result;
}
