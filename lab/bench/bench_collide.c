// Finding contacts: the methods of the broad phase beside each other and beside the spatial hash of the seed, closest
// points, the cubic test, contacts, and the safe fraction of a motion. Looks inside the library: none of it has a
// public face.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "collide/broad.h"
#include "collide/contacts.h"
#include "collide/crossing.h"
#include "collide/safe_motion.h"
#include "geometry/closest.h"
#include "support/json.h"

enum { SCENES = 3, METHODS = 4, PARTS = 4, MOST_POINTS = 2001, MOST_PAIRS = 20000, MOST_CONTACTS = 5000 };

static const double SECONDS_EACH = 0.3;
static const char *const METHOD_NAMES[METHODS] = {"brute", "sweep", "tree", "hash"};
static const char *const PART_NAMES[PARTS] = {"closest", "cubic", "contacts", "safe_motion"};

// A thread and everything that looks at it. Lengths are those of the seed's tests, in millimetres.
typedef struct scene {
    cg_chain chain;
    cg_vec3 points[MOST_POINTS], moves[MOST_POINTS];
    double arc[MOST_POINTS];
    double reach;
    cg_broad broad[METHODS];
    cg_pair_list pairs;
    cg_contact_finder finder;
    cg_contact_list contacts;
    cg_motion_finder motion;
    cg_safe_motion safe;
    double sink; // results go here, so that no work can be left out
    void *memory;
} scene;

// One row: a scene and what is done with it.
typedef struct row {
    scene *s;
    int index, repeats; // a sample is the mean of some repeats: one alone is too short for the clock
    cg_broad *broad;
} row;

typedef struct collide_bench {
    scene scenes[SCENES];
    row rows[SCENES * (METHODS + PARTS)];
    cg_bench bench;
    int pair_counts[SCENES][METHODS];
} collide_bench;

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static cg_vec3 random_vector(uint64_t *state)
{
    double x = uniform(state) - 0.5, y = uniform(state) - 0.5;
    return v3(x, y, uniform(state) - 0.5);
}

// Fills in the arc lengths and gives every vertex a smooth motion of about half a segment.
static void finish_scene(scene *s, int points, double radius, double reach)
{
    uint64_t state = 7;
    cg_vec3 drift = v3_zero();
    for (int i = 0; i < points; i++) {
        s->arc[i] = i == 0 ? 0 : s->arc[i - 1] + v3_distance(s->points[i], s->points[i - 1]);
        drift = v3_add_scaled(v3_scale(0.9, drift), 0.05, random_vector(&state));
        s->moves[i] = drift;
    }
    s->chain = (cg_chain){s->points, points, radius, s->arc, NULL};
    s->reach = reach;
}

// A thread of 199 segments with an overhand knot pulled so tight that it touches itself.
static void make_knot(scene *s)
{
    enum { POINTS = 200, TAIL = 84 };
    for (int i = 0; i < POINTS; i++) {
        // A trefoil cut open where it is outermost, with straight tails.
        double share = (double)(i - TAIL) / (POINTS - 1 - 2 * TAIL), t = 6.283185307179586 * share;
        double inside = share < 0 ? 0 : (share > 1 ? 6.283185307179586 : t);
        double away = 0.5 * (share < 0 ? i - TAIL : (share > 1 ? i - (POINTS - 1 - TAIL) : 0));
        s->points[i] = v3(0.55 * (sin(inside) + 2 * sin(2 * inside)) + away,
                          0.55 * (cos(inside) - 2 * cos(2 * inside)) + (share > 1 ? 1.1 : 0), -0.9 * sin(3 * inside));
    }
    finish_scene(s, POINTS, 0.5, 0.3);
}

// A thread that wanders about in a ball.
static void make_tangle(scene *s, int points, double ball)
{
    uint64_t state = 11;
    cg_vec3 p = v3_zero(), heading = v3(1, 0, 0), turn = v3(0, 0, 1);
    for (int i = 0; i < points; i++) {
        s->points[i] = p;
        p = v3_add_scaled(p, 0.5, heading);
        turn = v3_unit_or(v3_add_scaled(turn, 0.6, random_vector(&state)), turn);
        heading = v3_unit_or(v3_add_scaled(heading, 0.35, v3_cross(turn, heading)), heading);
        if (v3_length(p) > ball) {
            heading = v3_unit_or(v3_add_scaled(heading, -0.5 / v3_length(p), p), heading);
        }
    }
    finish_scene(s, points, 0.1, 0.4);
}

static void lay_out(scene *s, cg_arena *arena)
{
    for (int m = 0; m < METHODS; m++) {
        cg_broad_layout(&s->broad[m], 1, MOST_POINTS, MOST_PAIRS, arena);
        s->broad[m].method = (cg_broad_method)(CG_BROAD_BRUTE + m);
    }
    cg_pair_list_layout(&s->pairs, MOST_PAIRS, arena);
    cg_contact_finder_layout(&s->finder, MOST_CONTACTS, arena);
    cg_contact_list_layout(&s->contacts, MOST_CONTACTS, arena);
    cg_motion_finder_layout(&s->motion, 1, MOST_POINTS, arena);
}

static bool take_memory(scene *s)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(s, &arena);
    size_t bytes = cg_arena_used(&arena);
    s->memory = cg_memory_take(&(cg_allocator){0}, bytes);
    if (!s->memory) {
        return false;
    }
    cg_arena_init(&arena, s->memory, bytes);
    lay_out(s, &arena);
    return true;
}

// What is timed

static double time_broad(void *state)
{
    row *r = state;
    double start = cg_thread_cpu_seconds();
    for (int k = 0; k < r->repeats; k++) {
        cg_broad_find(r->broad, &r->s->chain, 1, r->s->reach, &r->s->pairs);
    }
    return (cg_thread_cpu_seconds() - start) / r->repeats;
}

static double time_closest(void *state)
{
    row *r = state;
    const scene *s = r->s;
    double sum = 0, start = cg_thread_cpu_seconds();
    for (int k = 0; k < r->repeats; k++) {
        for (int i = 0; i < s->pairs.count; i++) {
            const cg_vec3 *a = s->points + s->pairs.items[i].segment_a, *b = s->points + s->pairs.items[i].segment_b;
            sum += cg_closest_segments(a[0], a[1], b[0], b[1]).squared_distance;
        }
    }
    r->s->sink += sum;
    return (cg_thread_cpu_seconds() - start) / r->repeats;
}

static cg_moving_segment moving_segment(const scene *s, int i)
{
    const cg_vec3 *p = s->points + i, *u = s->moves + i;
    return (cg_moving_segment){{p[0], p[1]}, {v3_add(p[0], u[0]), v3_add(p[1], u[1])}};
}

static double time_cubic(void *state)
{
    row *r = state;
    const scene *s = r->s;
    int count = 0;
    double start = cg_thread_cpu_seconds();
    for (int k = 0; k < r->repeats; k++) {
        for (int i = 0; i < s->pairs.count; i++) {
            cg_moving_segment a = moving_segment(s, s->pairs.items[i].segment_a);
            cg_moving_segment b = moving_segment(s, s->pairs.items[i].segment_b);
            count += cg_crossing_find(&a, &b, 1e-9).count;
        }
    }
    r->s->sink += count;
    return (cg_thread_cpu_seconds() - start) / r->repeats;
}

static double time_contacts(void *state)
{
    row *r = state;
    scene *s = r->s;
    cg_contact_rule rule = contact_rule_default();
    double start = cg_thread_cpu_seconds();
    for (int k = 0; k < r->repeats; k++) {
        cg_contacts_find(&s->finder, &rule, &s->chain, &s->pairs, NULL, &s->contacts);
    }
    return (cg_thread_cpu_seconds() - start) / r->repeats;
}

static double time_safe_motion(void *state)
{
    row *r = state;
    scene *s = r->s;
    cg_motion_rule rule = motion_rule_default();
    rule.freeze = 0; // the scenes overlap as they are drawn
    rule.turn = 0;
    const cg_vec3 *moves[1] = {s->moves};
    double start = cg_thread_cpu_seconds();
    for (int k = 0; k < r->repeats; k++) {
        s->safe = cg_safe_motion_find(&s->motion, &rule, &s->chain, moves, 1, NULL, 0);
    }
    return (cg_thread_cpu_seconds() - start) / r->repeats;
}

static void leave(void *state)
{
    (void)state;
}

static bool set_up(collide_bench *b)
{
    static double (*const parts[PARTS])(void *) = {time_closest, time_cubic, time_contacts, time_safe_motion};
    make_knot(&b->scenes[0]);
    make_tangle(&b->scenes[1], 601, 6);
    make_tangle(&b->scenes[2], 2001, 9);
    int rows = 0;
    for (int k = 0; k < SCENES; k++) {
        scene *s = &b->scenes[k];
        if (!take_memory(s)) {
            return false;
        }
        for (int m = 0; m < METHODS + PARTS; m++) {
            row *r = &b->rows[rows++];
            *r = (row){s, m, k == 0 ? 20 : (k == 1 ? 5 : 1), m < METHODS ? &s->broad[m] : NULL};
            cg_subject subject = {.vertices = s->chain.count, .release = leave, .state = r};
            subject.sample = m < METHODS ? time_broad : parts[m - METHODS];
            snprintf(subject.name, sizeof subject.name, "collide/%s/%d",
                     m < METHODS ? METHOD_NAMES[m] : PART_NAMES[m - METHODS], s->chain.count - 1);
            cg_bench_add(&b->bench, subject);
            if (m < METHODS) {
                time_broad(r);
                b->pair_counts[k][m] = s->pairs.count;
                if (s->pairs.lost != 0 || s->pairs.count != b->pair_counts[k][0]) {
                    cg_bench_fail(&b->bench, subject.name, "finds other pairs than the first method");
                }
            }
        }
        cg_contact_rule rule = {.least_slope = 2};
        if (!cg_contacts_find(&s->finder, &rule, &s->chain, &s->pairs, NULL, &s->contacts)) {
            cg_bench_fail(&b->bench, "collide/contacts", "found no room for the contacts");
        }
    }
    return true;
}

// What is printed

// Each scene: pairs, and the time of the hash over that of each method; pairs a microsecond of the parts.
typedef struct figures {
    double over_method[METHODS];
    double closest_per_us, cubic_per_us;
} figures;

static const cg_subject *subject_of(const collide_bench *b, int scene_number, int index)
{
    return &b->bench.subjects[scene_number * (METHODS + PARTS) + index];
}

static figures work_out(const collide_bench *b, int k)
{
    figures f;
    enum { HASH = METHODS - 1 };
    for (int m = 0; m < METHODS; m++) {
        f.over_method[m] = subject_of(b, k, HASH)->median / subject_of(b, k, m)->median;
    }
    double pairs = b->pair_counts[k][0];
    f.closest_per_us = 1e-6 * pairs / subject_of(b, k, METHODS)->median;
    f.cubic_per_us = 1e-6 * pairs / subject_of(b, k, METHODS + 1)->median;
    return f;
}

static void print_table(const collide_bench *b, const char *machine, FILE *out)
{
    fprintf(out, "%s\n\nmedian [us] of all pairs nearer than the reach\n", machine);
    fprintf(out, "%9s %7s | %9s %9s %9s %9s | hash over brute, sweep, tree\n", "segments", "pairs", "brute", "sweep",
            "tree", "hash");
    for (int k = 0; k < SCENES; k++) {
        figures f = work_out(b, k);
        fprintf(out, "%9d %7d |", b->scenes[k].chain.count - 1, b->pair_counts[k][0]);
        for (int m = 0; m < METHODS; m++) {
            fprintf(out, " %9.2f", 1e6 * subject_of(b, k, m)->median);
        }
        fprintf(out, " | %.1f, %.1f, %.1f\n", f.over_method[0], f.over_method[1], f.over_method[2]);
    }
    fprintf(out, "\n%9s | %12s %12s | %9s %9s | %12s %9s %9s\n", "segments", "closest /us", "cubic /us", "contacts",
            "us", "safe motion", "looks", "us");
    for (int k = 0; k < SCENES; k++) {
        figures f = work_out(b, k);
        const scene *s = &b->scenes[k];
        fprintf(out, "%9d | %12.1f %12.1f | %9d %9.2f | %12.3f %9d %9.2f\n", s->chain.count - 1, f.closest_per_us,
                f.cubic_per_us, s->contacts.count, 1e6 * subject_of(b, k, METHODS + 2)->median, s->safe.fraction,
                s->safe.looks, 1e6 * subject_of(b, k, METHODS + 3)->median);
    }
}

static void print_json(const collide_bench *b, const char *machine, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "machine", machine);
    cg_json_name(&json, "results");
    cg_json_begin_array(&json);
    for (int i = 0; i < b->bench.count; i++) {
        const cg_subject *subject = &b->bench.subjects[i];
        cg_json_begin_line_object(&json);
        cg_json_string_member(&json, "name", subject->name);
        cg_json_number_member(&json, "median_us", 1e6 * subject->median);
        cg_json_number_member(&json, "p99_us", 1e6 * subject->p99);
        cg_json_number_member(&json, "worst_us", 1e6 * subject->worst);
        cg_json_number_member(&json, "pairs", b->pair_counts[i / (METHODS + PARTS)][0]);
        cg_json_end_object(&json);
    }
    cg_json_end_array(&json);
    cg_json_name(&json, "ratios");
    cg_json_begin_array(&json);
    for (int k = 0; k < SCENES; k++) {
        figures f = work_out(b, k);
        for (int m = 0; m < METHODS + 1; m++) {
            char name[64];
            snprintf(name, sizeof name, m < METHODS - 1 ? "hash_over_%s/%d" : "%s_per_us/%d",
                     m < METHODS - 1 ? METHOD_NAMES[m] : PART_NAMES[m - METHODS + 1], b->scenes[k].chain.count - 1);
            cg_json_begin_line_object(&json);
            cg_json_string_member(&json, "name", name);
            cg_json_number_member(&json, "value",
                                  m < METHODS - 1 ? f.over_method[m]
                                                  : (m == METHODS - 1 ? f.closest_per_us : f.cubic_per_us));
            cg_json_end_object(&json);
        }
    }
    cg_json_end_array(&json);
    cg_bench_write_troubles(&b->bench, &json);
    cg_json_end_object(&json);
}

int cg_bench_collide(bool as_json, const char *machine, FILE *out, FILE *err)
{
    collide_bench *b = calloc(1, sizeof *b);
    bool good = b && set_up(b);
    if (good) {
        cg_bench_measure(&b->bench, SECONDS_EACH);
        good = !b->bench.failed;
        (as_json ? print_json : print_table)(b, machine, out);
    } else {
        fputs("catgut bench: collide: no memory left\n", err);
    }
    if (b) {
        cg_bench_print_troubles(&b->bench, err);
        cg_bench_free(&b->bench);
        for (int k = 0; k < SCENES; k++) {
            cg_memory_give(&(cg_allocator){0}, b->scenes[k].memory);
        }
    }
    free(b);
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_RESULT;
}
