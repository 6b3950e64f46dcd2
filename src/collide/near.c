#include "collide/near.h"

#include <string.h>

#include "collide/runs.h"
#include "geometry/box.h"

// [radii, of the thinnest chain] How far points may move before pairs are listed anew: as far as they did the last time
// and a little more, within these bounds. Past the upper one listing them each time is cheaper.
static const double LEAST_MARGIN = 0.25, MOST_MARGIN = 1.5, MORE = 1.25;
// Where nothing is near, a margin may be wide, as long as what lies two runs further on stays out of the list. That is
// eight segments away or more; so many are left to the margin.
static const double WIDE_MARGIN = 12, MUCH_MORE = 3, SEGMENTS_OF_MARGIN = 3;
// Lists are longer than what is close.
enum { LISTED_PER_CLOSE = 4 };

typedef struct cg_near_work {
    cg_runs runs;
    cg_chain *wide; // the chains, as thick as what is near reaches

    int unlisted;  // pairs that found no room in the list
    double margin; // [m] by which points may move before it has to be made anew
    double moved;  // [m] by which they had when they were last looked at

    // What they were listed for, and what was last looked at.
    int *counts;
    double *radii;
    int chain_count, segment_count;
    double *arc;          // rest arc lengths of all points, one chain after another
    cg_vec3 *then, *seen; // all points
    bool is_listed, is_seen;

    int *far;       // per point: the first later segment of the chain that is not near by arc length
    int *straight;  // per run: how many runs from here on, up to two, are in line
    bool *is_open;  // per chain: when it was last looked at, nothing was near to it that comes later in the lists
    int near_count; // pairs that were near in this look, hidden or not
} cg_near_work;

void cg_near_layout(cg_near *near, int max_chains, int max_segments, int max_pairs, double reach, cg_arena *arena)
{
    *near = (cg_near){.rule = neighbour_rule_default(), .reach = reach, .close_capacity = max_pairs};
    near->close = cg_arena_push_array(arena, cg_close_pair, max_pairs);
    cg_near_work measured; // stands in for the work while the arena has no memory
    near->work = cg_arena_push_array(arena, cg_near_work, 1);
    cg_near_work *work = near->work ? near->work : &measured;
    *work = (cg_near_work){0};
    near->listed_capacity = LISTED_PER_CLOSE * max_pairs;
    near->listed = cg_arena_push_array(arena, cg_segment_pair, near->listed_capacity);
    int points = max_segments + max_chains;
    cg_runs_layout(&work->runs, max_chains, max_segments, false, arena);
    work->wide = cg_arena_push_array(arena, cg_chain, max_chains);
    work->counts = cg_arena_push_array(arena, int, max_chains);
    work->radii = cg_arena_push_array(arena, double, max_chains);
    work->arc = cg_arena_push_array(arena, double, points);
    work->then = cg_arena_push_array(arena, cg_vec3, points);
    work->seen = cg_arena_push_array(arena, cg_vec3, points);
    work->far = cg_arena_push_array(arena, int, points);
    work->straight = cg_arena_push_array(arena, int, work->runs.run_capacity);
    work->is_open = cg_arena_push_array(arena, bool, max_chains);
}

// Whether the chains are those of the list, and how they have moved

static bool are_same_chains(const cg_near_work *work, const cg_chain *chains, int count)
{
    bool same = work->is_listed && work->chain_count == count;
    const double *arc = work->arc;
    for (int c = 0; c < count && same; c++) {
        same = work->counts[c] == chains[c].count && work->radii[c] == chains[c].radius &&
               memcmp(arc, chains[c].arc, sizeof(double) * (size_t)chains[c].count) == 0;
        arc += chains[c].count;
    }
    return same;
}

static bool are_at(const cg_vec3 *places, const cg_chain *chains, int count)
{
    bool same = true;
    for (int c = 0; c < count && same; c++) {
        same = memcmp(places, chains[c].points, sizeof(cg_vec3) * (size_t)chains[c].count) == 0;
        places += chains[c].count;
    }
    return same;
}

static void note_places(cg_vec3 *places, const cg_chain *chains, int count)
{
    for (int c = 0; c < count; c++) {
        memcpy(places, chains[c].points, sizeof(cg_vec3) * (size_t)chains[c].count);
        places += chains[c].count;
    }
}

// How far a point has moved against the common motion since the pairs were listed, at most.
static double moved_since(const cg_near_work *work, const cg_chain *chains, int count)
{
    cg_box all = box_of_nothing();
    const cg_vec3 *then = work->then;
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < chains[c].count; i++) {
            box_take(&all, v3_sub(chains[c].points[i], then[i]));
        }
        then += chains[c].count;
    }
    return box_half_size(&all);
}

// Listing

static double thinnest(const cg_chain *chains, int count)
{
    double least = INFINITY;
    for (int c = 0; c < count; c++) {
        least = chains[c].radius < least ? chains[c].radius : least;
    }
    return least;
}

static void note_chains(cg_near *near, const cg_chain *chains, int count)
{
    cg_near_work *work = near->work;
    double *arc = work->arc;
    int *far = work->far;
    work->chain_count = count;
    for (int c = 0; c < count; c++) {
        const cg_chain *chain = &chains[c];
        work->counts[c] = chain->count;
        work->radii[c] = chain->radius;
        work->is_open[c] = false;
        memcpy(arc, chain->arc, sizeof(double) * (size_t)chain->count);
        for (int i = 0, from = 0; i + 1 < chain->count; i++) {
            from = from > i + 2 ? from : i + 2;
            while (from + 1 < chain->count && are_near_by_arc(chain, i, from, &near->rule)) {
                from++;
            }
            far[i] = from;
        }
        arc += chain->count;
        far += chain->count;
    }
    note_places(work->then, chains, count);
}

// Pairs of one run, and of one and the next, change with every bend of the thread: they are looked at each time. So
// lists begin two runs further on.
static void skip_neighbours(cg_near_work *work, int count)
{
    cg_runs *runs = &work->runs;
    const int *far = work->far;
    for (int c = 0; c < count; c++) {
        int first = CG_RUN_LENGTH * runs->first_run[c];
        for (int i = 0; i + 1 < work->counts[c]; i++) {
            int beyond = CG_RUN_LENGTH * (i / CG_RUN_LENGTH + 2);
            runs->first_far[first + i] = first + (far[i] > beyond ? far[i] : beyond);
        }
        far += work->counts[c];
    }
}

static void list_slots(void *context, int a, int b)
{
    cg_near *near = context;
    const cg_runs *runs = &near->work->runs;
    if (near->listed_count == near->listed_capacity) {
        near->work->unlisted++;
        return;
    }
    near->listed[near->listed_count++] =
        (cg_segment_pair){slot_chain(runs, a), slot_segment(runs, a), slot_chain(runs, b), slot_segment(runs, b)};
}

// Each chain is taken to be thicker by half of what makes a pair close, and by the margin.
static bool list_pairs(cg_near *near, const cg_chain *chains, int count, double margin)
{
    cg_near_work *work = near->work;
    double unit = 1e-30;
    for (int c = 0; c < count && c < work->runs.chain_capacity; c++) {
        work->wide[c] = chains[c];
        work->wide[c].radius = (1 + 0.5 * near->reach) * chains[c].radius + margin;
        unit = work->wide[c].radius > unit ? work->wide[c].radius : unit;
    }
    work->is_listed = work->is_seen = false;
    near->listed_count = work->unlisted = 0;
    work->margin = margin;
    near->builds++;
    const cg_neighbour_rule none = {0, 0};
    if (count > work->runs.chain_capacity || !cg_runs_build(&work->runs, work->wide, NULL, count, &none, unit)) {
        return false;
    }
    note_chains(near, chains, count);
    skip_neighbours(work, count);
    cg_runs_visit(&work->runs, 0, false, list_slots, near);
    work->is_listed = work->unlisted == 0;
    return true;
}

static double shortest_spacing(const cg_chain *chains, int count)
{
    double least = INFINITY;
    for (int c = 0; c < count; c++) {
        double spacing = (chains[c].arc[chains[c].count - 1] - chains[c].arc[0]) / (chains[c].count - 1);
        least = spacing < least ? spacing : least;
    }
    return least;
}

static double widest_margin(const cg_chain *chains, int count, double radius)
{
    double room = SEGMENTS_OF_MARGIN * shortest_spacing(chains, count) - 2 * radius;
    double most = room < WIDE_MARGIN * radius ? room : WIDE_MARGIN * radius;
    return most > MOST_MARGIN * radius ? most : MOST_MARGIN * radius;
}

// As far as points moved since the last time they will move again.
static double next_margin(double moved, double radius, double most, double more)
{
    double margin = more * moved;
    if (!(margin > LEAST_MARGIN * radius) || moved > most) {
        return LEAST_MARGIN * radius;
    }
    return margin < most ? margin : most;
}

static bool bring_up_to_date(cg_near *near, const cg_chain *chains, int count)
{
    cg_near_work *work = near->work;
    double radius = thinnest(chains, count);
    bool is_lonely = false;
    work->moved = 0;
    if (are_same_chains(work, chains, count)) {
        work->moved = moved_since(work, chains, count);
        is_lonely = near->listed_count == 0;
        if (work->moved <= work->margin) {
            return true;
        }
    }
    double most = is_lonely ? widest_margin(chains, count, radius) : MOST_MARGIN * radius;
    double margin = next_margin(work->moved, radius, most, is_lonely ? MUCH_MORE : MORE);
    work->moved = 0;
    bool fits = list_pairs(near, chains, count, margin);
    if (fits && work->unlisted > 0 && margin > LEAST_MARGIN * radius) {
        fits = list_pairs(near, chains, count, LEAST_MARGIN * radius);
    }
    return fits;
}

// Looking

static void look_at_pair(cg_near *near, const cg_chain *chains, const cg_segment_pair *pair)
{
    const cg_chain *a = &chains[pair->chain_a], *b = &chains[pair->chain_b];
    const cg_vec3 *p = a->points + pair->segment_a, *q = b->points + pair->segment_b;
    double limit = close_distance(near, a, b);
    if (are_apart_along_middles(p, q, limit)) {
        return;
    }
    cg_closest closest = cg_closest_segments(p[0], p[1], q[0], q[1]);
    if (!(closest.squared_distance < limit * limit)) {
        return;
    }
    near->work->near_count++;
    if (are_in_spans(chains, pair)) {
        return;
    }
    if (near->close_count == near->close_capacity) {
        near->lost++;
        return;
    }
    near->close[near->close_count++] = (cg_close_pair){*pair, closest};
}

// All pairs of one segment: those of its own run and the next, then those that are listed from number `k` on. Returns
// the number of the next one's.
static int look_at_segment(cg_near *near, const cg_chain *chains, int chain, int segment, int far, int straight, int k)
{
    int run = segment / CG_RUN_LENGTH, end = CG_RUN_LENGTH * (run + 2), after = CG_RUN_LENGTH * (run + straight);
    int segments = chains[chain].count - 1;
    for (int j = far > after ? far : after; j < end && j < segments; j++) {
        look_at_pair(near, chains, &(cg_segment_pair){chain, segment, chain, j});
    }
    for (; k < near->listed_count && near->listed[k].chain_a == chain && near->listed[k].segment_a == segment; k++) {
        look_at_pair(near, chains, &near->listed[k]);
    }
    return k;
}

// A chain that stands as it was last seen, with nothing near (one that is done, or at rest): of its pairs only those
// that are listed are looked at.
static int look_past_chain(cg_near *near, const cg_chain *chains, int chain, int k)
{
    for (; k < near->listed_count && near->listed[k].chain_a == chain; k++) {
        look_at_pair(near, chains, &near->listed[k]);
    }
    return k;
}

bool cg_near_look(cg_near *near, const cg_chain *chains, int count)
{
    cg_near_work *work = near->work;
    near->close_count = 0;
    near->lost = 0;
    if (!bring_up_to_date(near, chains, count)) {
        near->lost = -1;
        return false;
    }
    const int *far = work->far;
    const cg_vec3 *seen = work->seen;
    int k = 0, run = 0;
    for (int c = 0; c < count; c++) {
        bool stands = work->is_open[c] && are_at(seen, &chains[c], 1);
        work->near_count = 0;
        for (int i = 0; i + 1 < chains[c].count && !stands; i++) {
            if (i % CG_RUN_LENGTH == 0) {
                work->straight[run++] = cg_straight_runs(&chains[c], i / CG_RUN_LENGTH, near->rule.straightness);
            }
            k = look_at_segment(near, chains, c, i, far[i], work->straight[run - 1], k);
        }
        if (stands) {
            k = look_past_chain(near, chains, c, k);
            run += (chains[c].count - 1 + CG_RUN_LENGTH - 1) / CG_RUN_LENGTH;
        }
        work->is_open[c] = work->near_count == 0;
        far += chains[c].count;
        seen += chains[c].count;
    }
    near->lost += work->unlisted;
    note_places(work->seen, chains, count);
    work->is_seen = near->lost == 0;
    return work->is_seen;
}

// Motions

// [radii] What is at least between segments of a straight piece that are not near by arc length.
static double straight_room(const cg_near *near)
{
    double room = near->rule.straightness * near->rule.excluded_arc - 2;
    return room < near->reach ? room : near->reach;
}

// True when no two segments of a run and the next that are not close can come to touch. Along a straight run they are
// as far apart as `straightness` and the arc left out say, else as what is not close is; and they approach by no more
// than what the motions differ by along the way.
static bool stays_open(const cg_near *near, const cg_chain *chain, const cg_vec3 *moves, int run, bool is_straight)
{
    double room = is_straight ? straight_room(near) : near->reach, sum = 0;
    int first = CG_RUN_LENGTH * run, last = first + 2 * CG_RUN_LENGTH;
    for (int i = first; i < last && i + 1 < chain->count; i++) {
        sum += v3_distance(moves[i + 1], moves[i]);
    }
    return sum < room * chain->radius;
}

static bool all_runs_stay_open(const cg_near *near, const cg_chain *chains, const cg_vec3 *const *moves, int count)
{
    const int *straight = near->work->straight;
    for (int c = 0; c < count; c++) {
        for (int r = 0; CG_RUN_LENGTH * r + 1 < chains[c].count; r++) {
            if (!stays_open(near, &chains[c], moves[c], r, *straight++ > 0)) {
                return false;
            }
        }
    }
    return true;
}

cg_near_cover cg_near_covers(const cg_near *near, const cg_chain *chains, const cg_vec3 *const *moves, int count,
                             double *furthest)
{
    const cg_near_work *work = near->work;
    if (!work->is_seen || !are_same_chains(work, chains, count) || !are_at(work->seen, chains, count)) {
        return CG_NEAR_ANY;
    }
    cg_box all = box_of_nothing();
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < chains[c].count; i++) {
            box_take(&all, moves[c][i]);
        }
    }
    *furthest = box_half_size(&all) * (1 + 1e-9);
    double radius = thinnest(chains, count);
    double close = 0.5 * near->reach * radius, listed = close + work->margin - work->moved;
    bool is_short = 2 * *furthest < straight_room(near) * radius;
    if (*furthest > listed || !(is_short || all_runs_stay_open(near, chains, moves, count))) {
        return CG_NEAR_ANY;
    }
    return *furthest > close ? CG_NEAR_LISTED : CG_NEAR_CLOSE;
}

// Motions from the last look on, wherever the points stand now

// The ways of all points since `places`, until now and until the end of the motion: between the two they are straight,
// so a box that holds both ends holds all of it.
static double longest_way(const cg_vec3 *places, const cg_chain *chains, const cg_vec3 *const *moves, int count)
{
    cg_box all = box_of_nothing();
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < chains[c].count; i++) {
            cg_vec3 so_far = v3_sub(chains[c].points[i], places[i]);
            box_take(&all, so_far);
            box_take(&all, v3_add(so_far, moves[c][i]));
        }
        places += chains[c].count;
    }
    return box_half_size(&all) * (1 + 1e-9);
}

// What the ways of one end of a segment and of the other differ by, summed over a run; now, or at the end of the motion
// if there are any.
static double change_along(const cg_vec3 *seen, const cg_chain *chain, const cg_vec3 *moves, int run)
{
    double sum = 0;
    int first = CG_RUN_LENGTH * run, last = first + CG_RUN_LENGTH;
    for (int i = first; i < last && i + 1 < chain->count; i++) {
        cg_vec3 change = v3_sub(v3_sub(chain->points[i + 1], chain->points[i]), v3_sub(seen[i + 1], seen[i]));
        change = moves ? v3_add(change, v3_sub(moves[i + 1], moves[i])) : change;
        sum += v3_length(change);
    }
    return sum;
}

// The same question as all_runs_stay_open, for the ways since the last look.
static bool all_runs_stayed_open(const cg_near *near, const cg_chain *chains, const cg_vec3 *const *moves, int count)
{
    const cg_vec3 *seen = near->work->seen;
    for (int c = 0; c < count; c++) {
        const cg_chain *chain = &chains[c];
        double room = straight_room(near) * chain->radius, before = 0;
        for (int r = 0; CG_RUN_LENGTH * r + 1 < chain->count; r++) {
            double now = change_along(seen, chain, NULL, r), then = change_along(seen, chain, moves[c], r);
            double most = now > then ? now : then;
            if (!((before + most) * (1 + 1e-9) < room)) {
                return false;
            }
            before = most;
        }
        seen += chain->count;
    }
    return true;
}

bool cg_near_stays_clear(const cg_near *near, const cg_chain *chains, const cg_vec3 *const *moves, int count)
{
    const cg_near_work *work = near->work;
    if (!work->is_seen || near->close_count > 0 || !are_same_chains(work, chains, count)) {
        return false;
    }
    double radius = thinnest(chains, count);
    if (2 * longest_way(work->seen, chains, moves, count) < straight_room(near) * radius) {
        return true;
    }
    return near->listed_count == 0 &&
           longest_way(work->then, chains, moves, count) < 0.5 * near->reach * radius + work->margin &&
           all_runs_stayed_open(near, chains, moves, count);
}
