// Contacts of threads without compliance; beads.h says what they are.
#include "contact/beads.h"

#include <math.h>

#include "base/vec3.h"
#include "geometry/closest.h"

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
    beads->touches = cg_arena_push_array(arena, cg_bead_touch, pairs);
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

// A sphere of a tree: its level and its number there.
typedef struct place {
    const tree *tree;
    int level, number;
} place;

static const cg_bead_sphere *sphere_at(const place *at)
{
    return at->tree->first[at->level] + at->number;
}

// The children of a sphere; returns how many.
static int children_of(const place *at, place children[2])
{
    int size = at->tree->count[at->level - 1], count = 0;
    for (int k = 0; k < 2 && 2 * at->number + k < size; k++) {
        children[count++] = (place){at->tree, at->level - 1, 2 * at->number + k};
    }
    return count;
}

static void add_pair(cg_beads *beads, const place *a, const place *b, double reach)
{
    const cg_thread *of_a = a->tree->thread, *of_b = b->tree->thread;
    cg_chain chain = {of_a->shape.position, of_a->vertex_count, of_a->radius, of_a->arc, NULL};
    cg_neighbour_rule rule = neighbour_rule_default();
    int i = a->number, j = b->number;
    if (of_a == of_b && are_near_by_arc(&chain, i, j, &rule)) {
        return;
    }
    const cg_vec3 *p = of_a->shape.position + i, *q = of_b->shape.position + j;
    double limit = of_a->radius + of_b->radius + reach;
    if (cg_closest_segments(p[0], p[1], q[0], q[1]).squared_distance > limit * limit) {
        return;
    }
    if (beads->pair_count == beads->most_pairs) {
        beads->lost++;
        return;
    }
    beads->pairs[beads->pair_count++] = (cg_segment_pair){a->tree->chain, i, b->tree->chain, j};
}

// Two copies of the trees, from the top; within one thread only what comes later.
static void walk(cg_beads *beads, const place *a, const place *b, double reach)
{
    bool same = a->tree == b->tree && a->level == b->level && a->number == b->number;
    const cg_bead_sphere *first = sphere_at(a), *second = sphere_at(b);
    double limit = first->radius + second->radius + reach;
    cg_vec3 way = v3_sub(second->centre, first->centre);
    if (!same && v3_dot(way, way) > limit * limit) {
        return;
    }
    if (a->level == 0 && b->level == 0) {
        if (!same) {
            add_pair(beads, a, b, reach);
        }
        return;
    }
    place of_a[2], of_b[2];
    bool split_a = same || a->level >= b->level, split_b = same || b->level > a->level;
    int count_a = split_a ? children_of(a, of_a) : 1, count_b = split_b ? children_of(b, of_b) : 1;
    for (int k = 0; k < count_a; k++) {
        for (int m = same ? k : 0; m < count_b; m++) {
            walk(beads, split_a ? &of_a[k] : a, split_b ? &of_b[m] : b, reach);
        }
    }
}

void cg_beads_look(cg_beads *beads, double reach)
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
                const tree *of_d = d == c ? &of_c : &other;
                double least = fmin(of_c.thread->radius, of_d->thread->radius);
                place a = {&of_c, of_c.levels - 1, 0}, b = {of_d, of_d->levels - 1, 0};
                walk(beads, &a, &b, reach * least);
            }
        }
    }
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
// more, up to a bound.
static void displace(const side *a, const side *b, cg_vec3 normal, double distance)
{
    const double least = 0.25;
    double sum = mobility(a) + mobility(b);
    if (sum > 0) {
        double each = distance / fmax(sum, least);
        shift(a, v3_scale(each, normal));
        shift(b, v3_scale(-each, normal));
    }
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

static bool part_pair(cg_beads *beads, const cg_segment_pair *pair, const cg_thread *only, double time)
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
    displace(&of_a, &of_b, touch.normal, touch.overlap + fmax(margin_of(a), margin_of(b)));
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
    int count = 0;
    beads->touch_count = time > 0 ? 0 : beads->touch_count;
    for (int k = 0; k < beads->pair_count; k++) {
        const cg_segment_pair *pair = &beads->pairs[k];
        const cg_thread *a = beads->threads[pair->chain_a], *b = beads->threads[pair->chain_b];
        if (may_move(a, only) || may_move(b, only)) {
            count += part_pair(beads, pair, only, time);
        }
    }
    return count;
}

bool cg_beads_part_wall(cg_beads *beads, cg_thread *thread, const cg_bead_wall *wall, double time)
{
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
