// Contacts of threads without compliance; beads.h says what they are.
#include "laws/beads.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "geometry/closest.h"

// [radii] A look reaches this much farther than asked for. Less: trees are built more often. More: more pairs to look
// at.
static const double SPARE = 0.2;

void cg_beads_layout(cg_beads *beads, int threads, int segments, int pairs, cg_arena *arena)
{
    beads->most_threads = threads;
    beads->most_segments = segments;
    beads->most_pairs = pairs;
    beads->threads = cg_arena_push_array(arena, cg_thread *, threads);
    beads->root = cg_arena_push_array(arena, int, threads);
    // each level is half of the one below it, rounded up: below two spheres and a level's one a segment
    beads->spheres = cg_arena_push_array(arena, cg_bead_sphere, 2 * segments + 32 * threads);
    beads->pairs = cg_arena_push_array(arena, cg_segment_pair, pairs);
    beads->gaps = cg_arena_push_array(arena, double, pairs);
    beads->touches = cg_arena_push_array(arena, cg_bead_touch, pairs);
    beads->reach = -1;
    beads->seen_vertices = cg_arena_push_array(arena, int, threads);
    beads->seen = cg_arena_push_array(arena, cg_vec3, segments + threads);
}

// --- trees of spheres ---

static cg_bead_sphere around(const cg_bead_sphere *a, const cg_bead_sphere *b)
{
    cg_vec3 way = v3_sub(b->centre, a->centre);
    double apart = v3_length(way);
    if (apart + b->radius <= a->radius) {
        return *a;
    }
    if (apart + a->radius <= b->radius) {
        return *b;
    }
    double radius = 0.5 * (apart + a->radius + b->radius);
    return (cg_bead_sphere){v3_add_scaled(a->centre, (radius - a->radius) / apart, way), radius};
}

static void build_leaves(const cg_thread *thread, cg_bead_sphere *leaves)
{
    const cg_vec3 *x = thread->shape.position;
    for (int i = 0; i < thread->segment_count; i++) {
        double half = 0.5 * v3_distance(x[i], x[i + 1]);
        leaves[i] = (cg_bead_sphere){v3_scale(0.5, v3_add(x[i], x[i + 1])), half + thread->radius};
    }
}

// Bottom-up. Returns how many spheres it took.
static int build_tree(const cg_thread *thread, cg_bead_sphere *spheres)
{
    build_leaves(thread, spheres);
    int below = 0, count = thread->segment_count;
    while (count > 1) {
        int next = below + count, half = (count + 1) / 2;
        for (int k = 0; k < half; k++) {
            const cg_bead_sphere *pair = &spheres[below + 2 * k];
            spheres[next + k] = 2 * k + 1 < count ? around(&pair[0], &pair[1]) : pair[0];
        }
        below = next;
        count = half;
    }
    return below + 1;
}

// Levels of a tree: far more than the segments that fit into memory have.
enum { MOST_LEVELS = 32 };

// A tree as it is walked: where the spheres of each level begin, and how many there are; leaves are level 0.
typedef struct tree {
    const cg_thread *thread;
    int chain, levels;
    const cg_bead_sphere *first[MOST_LEVELS];
    int count[MOST_LEVELS];
} tree;

static tree tree_of(const cg_beads *beads, int chain)
{
    tree t = {.thread = beads->threads[chain], .chain = chain};
    const cg_bead_sphere *at = beads->spheres + beads->root[chain];
    int count = t.thread->segment_count;
    do {
        t.first[t.levels] = at;
        t.count[t.levels++] = count;
        at += count;
        count = (count + 1) / 2;
    } while (t.count[t.levels - 1] > 1);
    return t;
}

// Two trees that are walked at once, or one with itself.
typedef struct walker {
    cg_beads *beads;
    const tree *a, *b;
    double reach;   // [m]
    cg_chain chain; // of tree a
    cg_neighbour_rule rule;
} walker;

static void add_pair(const walker *w, int i, int j)
{
    const cg_thread *of_a = w->a->thread, *of_b = w->b->thread;
    cg_beads *beads = w->beads;
    if (of_a == of_b && are_near_by_arc(&w->chain, i, j, &w->rule)) {
        return;
    }
    const cg_vec3 *p = of_a->shape.position + i, *q = of_b->shape.position + j;
    double limit = of_a->radius + of_b->radius + w->reach;
    double square = cg_closest_segments(p[0], p[1], q[0], q[1]).squared_distance;
    if (square > limit * limit) {
        return;
    }
    if (beads->pair_count == beads->most_pairs) {
        beads->lost++;
        return;
    }
    beads->gaps[beads->pair_count] = sqrt(square) - (limit - w->reach);
    beads->pairs[beads->pair_count++] = (cg_segment_pair){w->a->chain, i, w->b->chain, j};
}

// True when all segments below two spheres of one thread, the first before the second, are neighbours along it: where
// segments are shorter than the thread is thick those are most of the spheres that meet.
static bool are_all_near(const walker *w, int level_a, int i, int level_b, int j)
{
    int first = i << level_a, last = ((j + 1) << level_b) - 1, end = w->a->count[0] - 1;
    return w->a == w->b && are_near_by_arc(&w->chain, first, last < end ? last : end, &w->rule);
}

static inline bool may_meet(const walker *w, int level_a, int i, int level_b, int j)
{
    const cg_bead_sphere *first = w->a->first[level_a] + i, *second = w->b->first[level_b] + j;
    double limit = first->radius + second->radius + w->reach;
    cg_vec3 way = v3_sub(second->centre, first->centre);
    return !(v3_dot(way, way) > limit * limit) && !are_all_near(w, level_a, i, level_b, j);
}

// The numbers of a sphere's children on the level below, from `first` to before `end`; of one that is not parted
// itself.
typedef struct children {
    int level, first, end;
} children;

static children children_of(const tree *t, int level, int number, bool parted)
{
    if (!parted) {
        return (children){level, number, number + 1};
    }
    int end = 2 * number + 2, count = t->count[level - 1];
    return (children){level - 1, 2 * number, end < count ? end : count};
}

// Two spheres that may meet: of each tree the level and the number there. The larger one is parted, or both.
static void walk_two(const walker *w, int level_a, int i, int level_b, int j)
{
    if (level_a == 0 && level_b == 0) {
        add_pair(w, i, j);
        return;
    }
    children of_a = children_of(w->a, level_a, i, level_a >= level_b);
    children of_b = children_of(w->b, level_b, j, level_b >= level_a);
    for (int k = of_a.first; k < of_a.end; k++) {
        for (int m = of_b.first; m < of_b.end; m++) {
            if (may_meet(w, of_a.level, k, of_b.level, m)) {
                walk_two(w, of_a.level, k, of_b.level, m);
            }
        }
    }
}

// What is below a sphere, with itself: only what comes later.
static void walk_one(const walker *w, int level, int i)
{
    if (level == 0) {
        return;
    }
    int child = 2 * i;
    walk_one(w, level - 1, child);
    if (child + 1 < w->a->count[level - 1]) {
        if (may_meet(w, level - 1, child, level - 1, child + 1)) {
            walk_two(w, level - 1, child, level - 1, child + 1);
        }
        walk_one(w, level - 1, child + 1);
    }
}

static void walk_trees(cg_beads *beads, const tree *a, const tree *b, double reach)
{
    const cg_thread *thread = a->thread;
    walker w = {.beads = beads,
                .a = a,
                .b = b,
                .reach = reach * fmin(thread->radius, b->thread->radius),
                .chain = {.points = thread->shape.position,
                          .count = thread->vertex_count,
                          .radius = thread->radius,
                          .arc = thread->arc},
                .rule = neighbour_rule_default()};
    if (a == b) {
        walk_one(&w, a->levels - 1, 0);
    } else if (may_meet(&w, a->levels - 1, 0, b->levels - 1, 0)) {
        walk_two(&w, a->levels - 1, 0, b->levels - 1, 0);
    }
}

static void list_pairs(cg_beads *beads, double reach)
{
    int used = 0;
    beads->pair_count = beads->lost = 0;
    for (int c = 0; c < beads->thread_count; c++) {
        beads->root[c] = used;
        used += build_tree(beads->threads[c], beads->spheres + used);
    }
    for (int c = 0; c < beads->thread_count; c++) {
        tree of_c = tree_of(beads, c);
        for (int d = c; d < beads->thread_count; d++) {
            if (of_c.thread->model != NULL || beads->threads[d]->model != NULL) {
                tree other = d == c ? of_c : tree_of(beads, d);
                walk_trees(beads, &of_c, d == c ? &of_c : &other, reach);
            }
        }
    }
}

// --- lists that serve again ---

static void note_seen(cg_beads *beads)
{
    cg_vec3 *seen = beads->seen;
    for (int c = 0; c < beads->thread_count; c++) {
        int count = beads->threads[c]->vertex_count;
        memcpy(seen, beads->threads[c]->shape.position, sizeof *seen * (size_t)count);
        beads->seen_vertices[c] = count;
        seen += count;
    }
}

// [m] How far the farthest vertex is from where the last look saw it; HUGE_VAL when that looked at other threads.
static double farthest_from_seen(const cg_beads *beads)
{
    const cg_vec3 *seen = beads->seen;
    double most = 0; // squared
    for (int c = 0; c < beads->thread_count; c++) {
        const cg_thread *thread = beads->threads[c];
        if (thread->vertex_count != beads->seen_vertices[c]) {
            return HUGE_VAL;
        }
        for (int i = 0; i < thread->vertex_count; i++) {
            cg_vec3 way = v3_sub(thread->shape.position[i], seen[i]);
            double square = v3_dot(way, way);
            most = square > most ? square : most;
        }
        seen += thread->vertex_count;
    }
    return sqrt(most);
}

// True while no two of the threads can have come nearer by more than SPARE since the last look.
static bool serves_again(const cg_beads *beads, double reach)
{
    double least = HUGE_VAL;
    for (int c = 0; c < beads->thread_count; c++) {
        least = fmin(least, beads->threads[c]->radius);
    }
    return beads->reach == reach && farthest_from_seen(beads) <= 0.5 * SPARE * least;
}

void cg_beads_look(cg_beads *beads, double reach)
{
    assert(!(reach < 0));
    if (serves_again(beads, reach)) {
        return;
    }
    list_pairs(beads, reach + SPARE);
    beads->reach = beads->lost == 0 ? reach : -1;
    if (beads->lost > 0) { // without spare pairs there may be room
        list_pairs(beads, reach);
    }
    note_seen(beads);
}

// --- one contact ---

// A side of a contact: a segment and a place on it, or a standing one.
typedef struct side {
    cg_thread *thread; // NULL: it stands
    int segment;
    double weight[2]; // of its ends at the contact
    bool free[2];     // ends that may move
    bool feels;       // impulses move it
    cg_vec3 velocity; // [m/s] at the contact
} side;

static side side_of(cg_thread *thread, int segment, double fraction, bool moves)
{
    side s = {.thread = moves ? thread : NULL, .segment = segment, .weight = {1 - fraction, fraction}};
    const cg_vec3 *v = (thread->model != NULL ? thread->model->velocity : thread->velocity) + segment;
    s.velocity = v3_add_scaled(v3_scale(1 - fraction, v[0]), fraction, v[1]);
    for (int k = 0; k < 2; k++) {
        s.free[k] = moves && cg_model_is_free(thread, segment + k);
    }
    s.feels = moves && cg_thread_has_springs(thread);
    return s;
}

// By how much the contact's point goes when the free ends do by 1.
static double mobility(const side *s)
{
    return (s->free[0] ? s->weight[0] : 0) + (s->free[1] ? s->weight[1] : 0);
}

static void shift(const side *s, cg_vec3 way)
{
    for (int k = 0; k < 2; k++) {
        if (s->free[k]) {
            cg_vec3 *x = &s->thread->shape.position[s->segment + k];
            *x = v3_add(*x, way);
        }
    }
}

// Moves the sides apart by `distance`, both alike: r - d/2 + eps/2 where all ends are free. Next to a hold it takes
// more, up to a bound. Returns how far each end went [m].
static double displace(const side *a, const side *b, cg_vec3 normal, double distance)
{
    const double least = 0.25;
    double sum = mobility(a) + mobility(b), each = distance / fmax(sum, least);
    if (!(sum > 0)) {
        return 0;
    }
    shift(a, v3_scale(each, normal));
    shift(b, v3_scale(-each, normal));
    return each;
}

// [1/kg] How much faster the sides part for an impulse of 1 between them.
static double lightness(const side *s)
{
    double sum = 0;
    for (int k = 0; k < 2 && s->feels; k++) {
        sum += s->free[k] ? s->weight[k] * s->weight[k] / s->thread->mass[s->segment + k] : 0;
    }
    return sum;
}

static double square_weights(const side *s)
{
    return s->thread != NULL ? s->weight[0] * s->weight[0] + s->weight[1] * s->weight[1] : 0;
}

// (4.4) to (4.7): velocities of the ends.
static void kick(const side *s, cg_vec3 impulse)
{
    for (int k = 0; k < 2 && s->feels; k++) {
        if (s->free[k]) {
            cg_vec3 *v = &s->thread->model->velocity[s->segment + k];
            *v = v3_add_scaled(*v, s->weight[k] / s->thread->mass[s->segment + k], impulse);
        }
    }
}

typedef struct contact_law {
    double spring, damper, friction;
} contact_law;

// The repulsion (2.9) over a time as an impulse by (4.3), and friction (2.11) with it. It is bounded by what stops the
// approach and the overlap within that time: with a light thread the printed damper would turn it round.
static void repel(const side *a, const side *b, const contact_law *law, double time, cg_bead_touch *touch)
{
    cg_vec3 normal = touch->normal, relative = v3_sub(a->velocity, b->velocity);
    double parting = v3_dot(relative, normal), light = lightness(a) + lightness(b);
    double force = law->spring * touch->overlap - law->damper * parting;
    double squares = square_weights(a) + square_weights(b);
    if (!(force > 0) || !(light > 0) || !(squares > 0)) {
        return;
    }
    int sides = (a->thread != NULL) + (b->thread != NULL);
    double impulse = sides * force * time / squares; // (4.3)
    impulse = fmin(impulse, fmax(0, touch->overlap / time - parting) / light);
    cg_vec3 slide = v3_sub(relative, v3_scale(parting, normal));
    double speed = v3_length(slide), rub = law->friction * impulse, stop = speed / light;
    touch->slides = rub < stop;
    rub = fmin(rub, stop);
    cg_vec3 all = v3_add_scaled(v3_scale(impulse, normal), -rub, v3_unit_or(slide, v3_zero()));
    kick(a, all);
    kick(b, v3_neg(all));
    touch->repulsion = impulse / time;
    touch->friction = rub / time;
}

static contact_law law_of(const cg_thread *a, const cg_thread *b)
{
    const cg_thread *thread = cg_thread_has_springs(a) ? a : b;
    const cg_spring_options *options = &thread->model->springs;
    return (contact_law){options->repulsion_spring, options->repulsion_damper, sqrt(a->friction * b->friction)};
}

static double margin_of(const cg_thread *thread)
{
    if (thread->model == NULL) {
        return 0;
    }
    const cg_model *model = thread->model;
    double share = model->kind == CG_THREAD_CHAIN ? model->link_options.margin : model->springs.margin;
    return share * thread->radius;
}

static void note(cg_beads *beads, const cg_bead_touch *touch)
{
    if (beads->touch_count < beads->most_pairs) {
        beads->touches[beads->touch_count++] = *touch;
    } else {
        beads->lost++;
    }
}

// Whether this call may move a thread: all with springs, or one chain.
static bool may_move(const cg_thread *thread, const cg_thread *only)
{
    return only != NULL ? thread == only : cg_thread_has_springs(thread);
}

// `moved` [m] is how far any vertex may be from where it was seen.
static bool part_pair(cg_beads *beads, const cg_segment_pair *pair, const cg_thread *only, double time, double *moved)
{
    cg_thread *a = beads->threads[pair->chain_a], *b = beads->threads[pair->chain_b];
    const cg_vec3 *p = a->shape.position + pair->segment_a, *q = b->shape.position + pair->segment_b;
    double d = a->radius + b->radius;
    cg_closest at = cg_closest_segments(p[0], p[1], q[0], q[1]);
    if (!(at.squared_distance < d * d)) {
        return false;
    }
    double distance = sqrt(at.squared_distance);
    cg_vec3 across = v3_any_normal(v3_unit_or(v3_sub(p[1], p[0]), v3(1, 0, 0)));
    cg_bead_touch touch = {.pair = *pair, .overlap = d - distance, .normal = v3_unit_or(v3_sub(at.a, at.b), across)};
    side of_a = side_of(a, pair->segment_a, at.s, may_move(a, only));
    side of_b = side_of(b, pair->segment_b, at.t, may_move(b, only));
    *moved += displace(&of_a, &of_b, touch.normal, touch.overlap + fmax(margin_of(a), margin_of(b)));
    if (time > 0 && (of_a.feels || of_b.feels)) {
        contact_law law = law_of(a, b);
        repel(&of_a, &of_b, &law, time, &touch);
    }
    if (time > 0) {
        note(beads, &touch);
    }
    return true;
}

int cg_beads_part(cg_beads *beads, const cg_thread *only, double time)
{
    assert(!(time < 0));
    int count = 0;
    double moved = farthest_from_seen(beads);
    beads->touch_count = time > 0 ? 0 : beads->touch_count;
    for (int k = 0; k < beads->pair_count; k++) {
        const cg_segment_pair *pair = &beads->pairs[k];
        const cg_thread *a = beads->threads[pair->chain_a], *b = beads->threads[pair->chain_b];
        bool may_touch = !(beads->gaps[k] > 2 * moved); // both sides may have come
        if (may_touch && (may_move(a, only) || may_move(b, only))) {
            count += part_pair(beads, pair, only, time, &moved);
        }
    }
    return count;
}

bool cg_beads_part_wall(cg_beads *beads, cg_thread *thread, const cg_bead_wall *wall, double time)
{
    assert(wall->contact != NULL && !(time < 0));
    const cg_shape_contact *contact = wall->contact;
    if (!(contact->gap < 0)) {
        return false;
    }
    cg_bead_touch touch = {.pair = {contact->chain, contact->segment, -1, contact->shape},
                           .overlap = -contact->gap,
                           .normal = contact->normal};
    side of_thread = side_of(thread, contact->segment, contact->t, true);
    side standing = {.velocity = wall->velocity};
    displace(&of_thread, &standing, touch.normal, touch.overlap + margin_of(thread));
    if (of_thread.feels) {
        contact_law law = {thread->model->springs.repulsion_spring, thread->model->springs.repulsion_damper,
                           wall->friction};
        repel(&of_thread, &standing, &law, time, &touch);
    }
    note(beads, &touch);
    return true;
}
