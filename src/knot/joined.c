#include "knot/joined.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "knot/straighten.h"
#include "knot/throws.h"

enum {
    SPHERE_STEPS = 12, // points of the joining line on either side of its highest point
    MOST_DIRECTIONS = 12
};

static const double SPHERE = 3; // radius of the joining line, in radii of both threads

typedef struct frame {
    cg_vec3 centre;
    double radius;
} frame;

static frame frame_of(const cg_knot_thread *threads)
{
    cg_vec3 sum = v3_zero();
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < threads[k].count; i++) {
            sum = v3_add_scaled(sum, 1.0 / threads[k].count, threads[k].points[i]);
        }
    }
    frame f = {v3_scale(0.5, sum), 0};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < threads[k].count; i++) {
            double distance = v3_distance(threads[k].points[i], f.centre);
            f.radius = distance > f.radius ? distance : f.radius;
        }
    }
    return f;
}

static cg_vec3 end_point(const cg_knot_thread *thread, bool last)
{
    return thread->points[last ? thread->count - 1 : 0];
}

// The way an end points, from a piece of thread of a twentieth of the radius.
static cg_vec3 end_way(const cg_knot_thread *thread, bool last, double piece)
{
    int end = last ? thread->count - 1 : 0, step = last ? -1 : 1, i = end + step;
    while (i + step >= 0 && i + step < thread->count && v3_distance(thread->points[i], thread->points[end]) < piece) {
        i += step;
    }
    return v3_unit_or(v3_sub(thread->points[end], thread->points[i]), v3(1, 0, 0));
}

// Where the ray from a point inside leaves the sphere, as a direction from the centre.
static cg_vec3 exit_direction(frame f, cg_vec3 from, cg_vec3 way)
{
    cg_vec3 w = v3_sub(from, f.centre);
    double big = SPHERE * f.radius, b = v3_dot(w, way), c = v3_dot(w, w) - big * big;
    double along = -b + sqrt(b * b - c);
    return v3_unit_or(v3_add_scaled(w, along, way), way);
}

// Directions from a to b on the sphere, a included, b not.
static int add_arc(frame f, cg_vec3 a, cg_vec3 b, cg_vec3 *to)
{
    for (int i = 0; i < SPHERE_STEPS; i++) {
        double share = (double)i / SPHERE_STEPS;
        cg_vec3 between = v3_add_scaled(v3_scale(1 - share, a), share, b);
        to[i] = v3_add_scaled(f.centre, SPHERE * f.radius, v3_unit_or(between, a));
    }
    return SPHERE_STEPS;
}

// The first thread up to the given end, the joining line, and the second thread from the given end on.
static int join(const cg_knot_thread *threads, frame f, bool last0, bool last1, cg_vec3 *to)
{
    int n = 0;
    for (int i = 0; i < threads[0].count; i++) {
        to[n++] = threads[0].points[last0 ? i : threads[0].count - 1 - i];
    }
    cg_vec3 others = v3_add(end_point(&threads[0], !last0), end_point(&threads[1], !last1));
    cg_vec3 own = v3_add(end_point(&threads[0], last0), end_point(&threads[1], last1));
    cg_vec3 first = exit_direction(f, end_point(&threads[0], last0), end_way(&threads[0], last0, 0.05 * f.radius));
    cg_vec3 second = exit_direction(f, end_point(&threads[1], last1), end_way(&threads[1], last1, 0.05 * f.radius));
    cg_vec3 top = v3_unit_or(v3_sub(own, others), v3(0, 0, 1));
    n += add_arc(f, first, top, to + n);
    n += add_arc(f, top, second, to + n);
    to[n++] = v3_add_scaled(f.centre, SPHERE * f.radius, second);
    for (int i = 0; i < threads[1].count; i++) {
        to[n++] = threads[1].points[last1 ? threads[1].count - 1 - i : i];
    }
    return n;
}

// Both threads closed each for itself: the link that they are.
static cg_status read_link(cg_reader *r, const cg_knot_thread *threads, cg_knot_report *report)
{
    cg_point_chain chains[2];
    cg_dropped dropped = {0};
    cg_vec3 *room = r->points;
    for (int k = 0; k < 2; k++) {
        memcpy(room, threads[k].points, (size_t)threads[k].count * sizeof *room);
        int kept = cg_chain_drop_repeats(room, threads[k].count, threads[k].closed, &dropped);
        if (kept < (threads[k].closed ? 3 : 2)) {
            return cg_error(CG_BAD_INPUT, "thread %d has no length", k + 1);
        }
        chains[k] = (cg_point_chain){room, kept, threads[k].closed};
        room += threads[k].count;
    }
    r->picture.margin = 4 * dropped.farthest;
    cg_picture_answer answer = CG_PICTURE_UNCLEAR;
    for (int i = 0; i < MOST_DIRECTIONS && answer == CG_PICTURE_UNCLEAR; i++) {
        answer = cg_picture_draw(&r->picture, chains, 2, cg_picture_direction(i));
    }
    if (answer == CG_PICTURE_UNCLEAR) {
        return cg_error(CG_BAD_INPUT, "the threads touch: over and under cannot be told");
    }
    snprintf(report->name, sizeof report->name, "unknown");
    report->determinant = UINT64_MAX;
    report->chirality = CG_KNOT_UNTOLD;
    cg_diagram *d = &r->diagram;
    if (answer != CG_PICTURE_CLEAR || !cg_diagram_from_picture(d, &r->picture)) {
        return cg_ok();
    }
    int sum = 0;
    for (int c = 0; c < d->crossing_count; c++) {
        sum += d->chain[2 * c] != d->chain[2 * c + 1] ? cg_diagram_sign(d, c) : 0;
    }
    report->linking = sum / 2;
    d->random = 1;
    d->operations = 0;
    d->budget = r->budget;
    cg_diagram_simplify(d, r->stir_rounds);
    report->crossings = d->crossing_count;
    cg_polynomial jones;
    if (!cg_polynomial_jones(d, &r->polynomials, &jones)) {
        return cg_ok();
    }
    cg_table_match match = cg_table_find_link(&jones);
    if (match.knot >= 0) {
        const cg_table_entry *entry = cg_table_link_at(match.knot);
        cg_polynomial reversed;
        cg_polynomial_reverse(&jones, &reversed);
        bool amphichiral = cg_polynomial_equal(&jones, &reversed);
        snprintf(report->name, sizeof report->name, "%s%d^2_%d", match.mirror && !amphichiral ? "m" : "",
                 entry->crossings, entry->index);
        snprintf(report->common, sizeof report->common, "%s", entry->common ? entry->common : "");
        report->crossings = entry->crossings;
        report->chirality = amphichiral ? CG_KNOT_AMPHICHIRAL : (match.mirror ? CG_KNOT_LEFT : CG_KNOT_RIGHT);
        // Links of so few crossings are told apart by their polynomials.
        report->certain = threads[0].closed && threads[1].closed && d->crossing_count <= 6 && dropped.longest_run <= 1;
    }
    return cg_ok();
}

// One choice of ends.
typedef struct choice {
    cg_reading reading;
    cg_throw_row row; // empty when it is no row of throws
    int largest;      // crossings of the largest knot that a closure gave
    bool last0, last1;
    double
        free_length[4]; // [m] from the middle of the knot: joined end and tail of the first thread, then of the second
} choice;

static double length_between(const cg_vec3 *points, int from, int to)
{
    double length = 0;
    for (int i = from + 1; i <= to; i++) {
        length += v3_distance(points[i - 1], points[i]);
    }
    return length;
}

// Crossings of a knot in the table, or those that are left in the picture.
static int size_of(const cg_reading *reading)
{
    int sum = reading->complete ? 0 : reading->crossings;
    for (int i = 0; reading->complete && i < reading->factor_count; i++) {
        sum += cg_table_entry_at(reading->factor[i].knot)->crossings;
    }
    return sum;
}

// Closes the tails in all ways until one gives a row of throws: tails that cross each other may be wound around each
// other by one closure and not by the next. Notes the largest knot seen.
static bool find_row(cg_reader *r, const cg_vec3 *joined, int count, choice *c)
{
    static const cg_closure order[CG_CLOSURE_COUNT] = {CG_CLOSURE_STRAIGHT, CG_CLOSURE_RADIAL, CG_CLOSURE_VIEWER,
                                                       CG_CLOSURE_VIEWER_2, CG_CLOSURE_VIEWER_3};
    for (int i = 0; i < CG_CLOSURE_COUNT; i++) {
        if (!cg_reader_draw(r, joined, count, false, order[i], false, &c->reading)) {
            continue;
        }
        cg_reader_read(r, &c->reading);
        c->largest = size_of(&c->reading) > c->largest ? size_of(&c->reading) : c->largest;
        if (cg_throws_find(r, joined, count, &c->reading, &c->row)) {
            return true;
        }
    }
    return false;
}

static void try_choice(cg_reader *r, const cg_knot_thread *threads, frame f, cg_vec3 *joined, choice *c)
{
    int count = join(threads, f, c->last0, c->last1, joined);
    int end0 = threads[0].count - 1, start1 = count - threads[1].count;
    if (!find_row(r, joined, count, c)) {
        c->row.count = 0;
        return;
    }
    int inner = 0, outer = c->row.count - 1;
    // Throws lie on both threads: one strand before the joining line, one behind it.
    if (c->row.front[inner] > end0 || c->row.back[inner] < start1) {
        c->row.count = 0;
        return;
    }
    // Both ends of a thread are measured from the middle of the knot.
    int middle0 = (c->row.front[inner] + c->row.front[outer]) / 2;
    int middle1 = (c->row.back[inner] + c->row.back[outer]) / 2;
    c->free_length[0] = length_between(joined, middle0, end0);
    c->free_length[1] = length_between(joined, 0, middle0);
    c->free_length[2] = length_between(joined, start1, middle1);
    c->free_length[3] = length_between(joined, middle1, count - 1);
}

// Which end of a thread is pulled: told, or the longer one when it is clearly longer, or the joined one.
static bool joined_end_is_pulled(const choice *c, const cg_knot_thread *threads, int k)
{
    bool last = k ? c->last1 : c->last0;
    if (threads[k].pull != CG_KNOT_PULL_UNKNOWN) {
        return (threads[k].pull == CG_KNOT_PULL_LAST) == last;
    }
    return c->free_length[2 * k] * 1.05 >= c->free_length[2 * k + 1];
}

static void tell_choice(cg_reader *r, const cg_knot_thread *threads, frame f, const choice *c, cg_vec3 *joined,
                        cg_knot_report *report)
{
    int count = join(threads, f, c->last0, c->last1, joined);
    cg_reading_tell(&c->reading, report);
    cg_throws_tell(&c->row, joined, count, report);
    // Where a tail ends inside the knot, not all ways to carry it on give the same.
    report->ways = CG_CLOSURE_COUNT;
    report->agreeing = 0;
    for (int i = 0; i < CG_CLOSURE_COUNT; i++) {
        cg_reading other;
        if (cg_reader_draw(r, joined, count, false, (cg_closure)i, false, &other)) {
            cg_reader_read(r, &other);
            report->agreeing += cg_readings_agree(&c->reading, &other);
        }
    }
    report->certain = report->agreeing == report->ways && c->reading.proven;
    bool across = joined_end_is_pulled(c, threads, 0) != joined_end_is_pulled(c, threads, 1);
    const cg_knot_throw *t = report->throws;
    // Pulled across, a strand soon is straight: that makes it no slip knot.
    if (across && report->throw_count == 2 && t[0].wraps == 1 && t[1].wraps == 1) {
        snprintf(report->common, sizeof report->common, t[0].sense == t[1].sense ? "grief" : "thief");
    }
}

cg_status cg_joined_identify(cg_reader *reader, const cg_knot_thread *threads, cg_vec3 *joined, cg_knot_report *report)
{
    cg_status status = read_link(reader, threads, report);
    if (status.code != CG_OK || threads[0].closed || threads[1].closed) {
        return status;
    }
    frame f = frame_of(threads);
    choice best = {.row.count = 0};
    int best_pulled = -1, largest = 0;
    for (int i = 0; i < 4; i++) {
        choice c = {.last0 = i & 1, .last1 = i >> 1};
        try_choice(reader, threads, f, joined, &c);
        largest = c.largest > largest ? c.largest : largest;
        if (c.row.count == 0) {
            continue;
        }
        // Of the two that show the same knot from either side, the one joined at the pulled ends tells the order.
        int pulled = joined_end_is_pulled(&c, threads, 0) + joined_end_is_pulled(&c, threads, 1);
        if (c.row.count > best.row.count || (c.row.count == best.row.count && pulled > best_pulled)) {
            best = c;
            best_pulled = pulled;
        }
    }
    if (best.row.count > 0) {
        int linking = report->linking;
        memset(report, 0, sizeof *report);
        tell_choice(reader, threads, f, &best, joined, report);
        report->linking = linking;
        // Joined by the wrong ends, a granny looks like one throw of the other hand.
        report->certain = report->certain && (best.row.count > 1 || largest <= size_of(&best.reading));
    } else {
        report->ways = report->agreeing = 1;
    }
    return cg_ok();
}
