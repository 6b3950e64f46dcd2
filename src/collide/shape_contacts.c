// Contacts of chains with rigid shapes. See collide/contacts.h.
//
// Along a segment the distance to a convex shape has one minimum: inside the segment, or at an end. A vertex is a
// contact when the distance does not fall into a segment beside it faster than the tolerance; it gives way when both
// segments beside it have their minimum inside (a thread wound around a rod).
#include "collide/contacts.h"

#include "geometry/closest.h"
#include "geometry/cover.h"

enum { RUN = 8 };

void cg_shape_contact_list_layout(cg_shape_contact_list *list, int capacity, cg_arena *arena)
{
    *list = (cg_shape_contact_list){.capacity = capacity};
    list->items = cg_arena_push_array(arena, cg_shape_contact, capacity);
}

// One chain and one shape.
typedef struct search {
    const cg_contact_rule *rule;
    const cg_chain *chain;
    const cg_placed_shape *placed;
    int shape, chain_number;
    double reach;
    cg_cover cover;            // of the shape
    const cg_run_ball *balls;  // around the runs of the chain; NULL: not known
    const cg_run_ball *blocks; // around those of all chains
    int first_ball;            // of the chain, among those of all
    cg_shape_contact_list *found;
    int capacity; // contacts that the list may have when this chain is done
    int first;    // where this chain's contacts begin
} search;

// A vertex or segment, its distance, and whether a segment has its minimum inside.
typedef struct place {
    cg_shape_distance nearest;
    bool is_inside;
} place;

static cg_shape_distance at_vertex(const search *s, int vertex)
{
    return cg_shape_distance_point(&s->placed->shape, &s->placed->pose, s->chain->points[vertex]);
}

// Segment i, whose ends are `start` and `end` away.
static place at_segment(const search *s, int i, double start, double end)
{
    const cg_vec3 *p = s->chain->points + i;
    place at = {cg_shape_distance_segment(&s->placed->shape, &s->placed->pose, p[0], p[1]), false};
    double lower_end = start < end ? start : end;
    at.is_inside = at.nearest.t > 0 && at.nearest.t < 1 && at.nearest.distance < lower_end - 1e-9 * s->chain->radius;
    return at;
}

static cg_vec3 direction_of(const cg_chain *chain, int segment)
{
    return v3_unit_or(v3_sub(chain->points[segment + 1], chain->points[segment]), v3_zero());
}

static bool vertex_stays(const search *s, int vertex, cg_vec3 normal)
{
    const cg_chain *chain = s->chain;
    bool has_before = vertex > 0, has_after = vertex + 1 < chain->count;
    cg_vec3 before = has_before ? direction_of(chain, vertex - 1) : v3_zero();
    cg_vec3 after = has_after ? direction_of(chain, vertex) : v3_zero();
    double tolerance = has_before && has_after ? s->rule->turn_share * v3_distance(before, after) : 0;
    tolerance = tolerance < s->rule->most_slope ? tolerance : s->rule->most_slope;
    tolerance = tolerance > s->rule->least_slope ? tolerance : s->rule->least_slope;
    return v3_dot(before, normal) <= tolerance && -v3_dot(after, normal) <= tolerance;
}

static double arc_of(const cg_chain *chain, int segment, double t)
{
    return chain->arc[segment] + t * (chain->arc[segment + 1] - chain->arc[segment]);
}

static void add(search *s, int segment, double t, const cg_shape_distance *nearest)
{
    cg_shape_contact_list *found = s->found;
    if (found->count == s->capacity) {
        found->lost++;
        return;
    }
    found->items[found->count++] =
        (cg_shape_contact){s->shape,       s->chain_number,  segment,           t,
                           nearest->point, nearest->surface, nearest->distance, nearest->distance - s->chain->radius,
                           nearest->normal};
}

// True when a contact that stays, before (step -1) or after (1) the one given, is nearer along the chain than the
// spacing.
static bool has_kept_beside(const search *s, const bool *dropped, int number, int step)
{
    const cg_shape_contact *items = s->found->items + s->first;
    double here = arc_of(s->chain, items[number].segment, items[number].t), spacing = s->rule->close * s->chain->radius;
    for (int k = number + step; k >= 0 && k < s->found->count - s->first; k += step) {
        if (fabs(arc_of(s->chain, items[k].segment, items[k].t) - here) >= spacing) {
            return false;
        }
        if (!dropped[k]) {
            return true;
        }
    }
    return false;
}

// Thins the contacts of this chain with this shape, the nearest first.
static void thin(cg_contact_finder *finder, search *s)
{
    int count = s->found->count - s->first, kept = 0;
    cg_shape_contact *items = s->found->items + s->first;
    for (int i = 0; i < count; i++) {
        finder->key[i] = items[i].distance;
        finder->dropped[i] = true;
    }
    cg_contact_finder_sort(finder, count);
    for (int i = 0; i < count; i++) {
        int number = finder->order[i];
        finder->dropped[number] =
            has_kept_beside(s, finder->dropped, number, -1) || has_kept_beside(s, finder->dropped, number, 1);
    }
    for (int i = 0; i < count; i++) {
        if (!finder->dropped[i]) {
            items[kept++] = items[i];
        }
    }
    s->found->count = s->first + kept;
}

static cg_run_ball ball_around(const cg_chain *chain, int first, int last)
{
    const cg_vec3 *points = chain->points;
    cg_vec3 centre = v3_scale(0.5, v3_add(points[first], points[last]));
    double radius = 0;
    for (int i = first; i <= last; i++) {
        cg_vec3 away = v3_sub(centre, points[i]);
        double squared = v3_dot(away, away);
        radius = squared > radius ? squared : radius;
    }
    return (cg_run_ball){centre, sqrt(radius)};
}

// The last vertex of a run, the first one of the next.
static int end_of_run(const cg_chain *chain, int first)
{
    return first + RUN < chain->count - 1 ? first + RUN : chain->count - 1;
}

static int count_runs(const cg_chain *chain)
{
    return chain->count > 1 ? (chain->count - 2) / RUN + 1 : 0;
}

// Around balls, with so much to spare that rounding cannot leave anything out.
static cg_run_ball block_around(const cg_run_ball *balls, int count)
{
    cg_vec3 centre = v3_scale(0.5, v3_add(balls[0].centre, balls[count - 1].centre));
    double radius = 0;
    for (int i = 0; i < count; i++) {
        double reach = v3_distance(centre, balls[i].centre) + balls[i].radius;
        radius = reach <= radius ? radius : reach;
    }
    return (cg_run_ball){centre, (1 + 1e-9) * radius};
}

// The same for all shapes. Chains that find no room have none.
static void note_balls(cg_contact_finder *finder, const cg_chain *chains, int count)
{
    cg_run_ball *ball = finder->balls;
    for (int c = 0; c < count && ball - finder->balls + count_runs(&chains[c]) <= finder->most_balls; c++) {
        for (int first = 0; first + 1 < chains[c].count; first += RUN) {
            *ball++ = ball_around(&chains[c], first, end_of_run(&chains[c], first));
        }
    }
    for (int first = 0, all = (int)(ball - finder->balls); first < all; first += CG_BLOCK_OF_BALLS) {
        int left = all - first;
        finder->blocks[first / CG_BLOCK_OF_BALLS] =
            block_around(finder->balls + first, left < CG_BLOCK_OF_BALLS ? left : CG_BLOCK_OF_BALLS);
    }
}

// True when what lies in the ball can be nearer than the limit.
static bool ball_is_near(const search *s, const cg_run_ball *ball, double limit)
{
    return !cover_is_off_ball(&s->cover, ball->centre, ball->radius, limit) &&
           cg_shape_distance_point(&s->placed->shape, &s->placed->pose, ball->centre).distance - ball->radius < limit;
}

// A vertex that is looked at: how far it is at least, and where it is once that is not enough. No distance along a
// thread changes by more than the way, so what is far is passed over.
typedef struct looked_at {
    cg_shape_distance nearest;
    double least; // [m] its distance when it is measured
    bool is_measured;
} looked_at;

// Shares of lengths by which rounding could mislead.
static const double SPARE = 1e-9;

static void measure(const search *s, int vertex, looked_at *v)
{
    if (!v->is_measured) {
        *v = (looked_at){.nearest = at_vertex(s, vertex), .is_measured = true};
        v->least = v->nearest.distance;
    }
}

// The one behind vertex i: measured unless it cannot be nearer than the limit.
static looked_at look_on(const search *s, int i, const looked_at *v, double length, double limit)
{
    looked_at next = {.least = v->least - (1 + SPARE) * length};
    if (!(next.least >= (1 + SPARE) * limit)) {
        measure(s, i + 1, &next);
    }
    return next;
}

// Segment i: none where no place of it can be nearer than the limit.
static place look_between(const search *s, int i, looked_at *start, looked_at *end, double length, double limit)
{
    if (start->least + end->least - (1 + SPARE) * length >= 2 * (1 + SPARE) * limit) {
        return (place){.is_inside = false};
    }
    measure(s, i, start);
    measure(s, i + 1, end);
    return at_segment(s, i, start->least, end->least);
}

static double length_of(const search *s, int segment)
{
    return v3_distance(s->chain->points[segment], s->chain->points[segment + 1]);
}

static void search_run(search *s, int first, int last, double limit)
{
    const cg_chain *chain = s->chain;
    place before = {.is_inside = false};
    looked_at vertex = {.is_measured = false};
    measure(s, first, &vertex);
    if (first > 0) {
        looked_at previous = {.least = vertex.least - (1 + SPARE) * length_of(s, first - 1)};
        before = look_between(s, first - 1, &previous, &vertex, length_of(s, first - 1), limit);
    }
    for (int i = first; i <= last; i++) {
        bool has_after = i + 1 < chain->count;
        double length = has_after ? length_of(s, i) : 0;
        looked_at next = has_after ? look_on(s, i, &vertex, length, limit) : vertex;
        place after = {.is_inside = false};
        if (has_after) {
            after = look_between(s, i, &vertex, &next, length, limit);
        }
        bool is_between = before.is_inside && after.is_inside;
        if (vertex.least < limit && !is_between && vertex_stays(s, i, vertex.nearest.normal)) {
            add(s, has_after ? i : i - 1, has_after ? 0 : 1, &vertex.nearest);
        }
        if (after.is_inside && after.nearest.distance < limit) {
            add(s, i, after.nearest.t, &after.nearest);
        }
        before = after;
        vertex = next;
    }
}

// Of the whole block of a run; not of numbers that are none.
static bool is_block_far(const search *s, int run, double limit)
{
    const cg_run_ball *block = &s->blocks[(s->first_ball + run) / CG_BLOCK_OF_BALLS];
    return cover_is_off_ball(&s->cover, block->centre, block->radius, limit) ||
           cg_shape_distance_point(&s->placed->shape, &s->placed->pose, block->centre).distance - block->radius >=
               limit;
}

// The first run of the chain in the next block.
static int end_of_block(const search *s, int run)
{
    int end = (s->first_ball + run) / CG_BLOCK_OF_BALLS * CG_BLOCK_OF_BALLS + CG_BLOCK_OF_BALLS - s->first_ball;
    return end < count_runs(s->chain) ? end : count_runs(s->chain);
}

static void search_runs(search *s, int run, int end_run, double limit)
{
    const cg_chain *chain = s->chain;
    for (int first = RUN * run; first < RUN * end_run; first += RUN) {
        // A run has the vertices first .. last and the segments that begin there; the last run also the last vertex.
        int end = end_of_run(chain, first), last = end == chain->count - 1 ? end : end - 1;
        cg_run_ball ball = s->balls ? s->balls[first / RUN] : ball_around(chain, first, end);
        if (ball_is_near(s, &ball, limit)) {
            search_run(s, first, last, limit);
        }
    }
}

static void search_chain(search *s)
{
    double limit = s->chain->radius + s->reach;
    int runs = count_runs(s->chain);
    for (int run = 0, end; run < runs; run = end) {
        end = s->balls ? end_of_block(s, run) : runs;
        if (!s->balls || !is_block_far(s, run, limit)) {
            search_runs(s, run, end, limit);
        }
    }
}

bool cg_shape_contacts_find(cg_contact_finder *finder, const cg_contact_rule *rule, const cg_chain *chains, int count,
                            const cg_placed_shape *shapes, int shape_count, double reach, cg_shape_contact_list *found)
{
    found->count = 0;
    found->lost = 0;
    note_balls(finder, chains, count);
    for (int k = 0; k < shape_count; k++) {
        cg_cover cover = cover_of(&shapes[k].shape, &shapes[k].pose);
        for (int c = 0, runs = 0; c < count; runs += count_runs(&chains[c++])) {
            int left = found->capacity - found->count, room = left < finder->capacity ? left : finder->capacity;
            bool has_balls = runs + count_runs(&chains[c]) <= finder->most_balls;
            search s = {rule,
                        &chains[c],
                        &shapes[k],
                        k,
                        c,
                        reach,
                        cover,
                        has_balls ? finder->balls + runs : NULL,
                        finder->blocks,
                        runs,
                        found,
                        found->count + room,
                        found->count};
            search_chain(&s);
            if (rule->close > 0) {
                thin(finder, &s);
            }
        }
    }
    return found->lost == 0;
}
