#include "knot/throws.h"

#include <stdio.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "geometry/closest.h"

// Appends text, as much as fits.
static void append(char *to, size_t room, const char *text)
{
    size_t length = strlen(to);
    if (length + 1 < room) {
        snprintf(to + length, room - length, "%s", text);
    }
}

static double length_between(const cg_vec3 *points, int from, int to)
{
    double length = 0;
    for (int i = from + 1; i <= to; i++) {
        length += v3_distance(points[i - 1], points[i]);
    }
    return length;
}

// What a chord lacks of the length of its piece of thread: 0 when straight, 1 when it comes back to where it began.
static double bend_of(const cg_vec3 *points, int from, int to)
{
    double length = length_between(points, from, to);
    return length > 0 ? 1 - v3_distance(points[from], points[to]) / length : 1;
}

// How near two pieces of the thread come to each other: about a diameter in a throw that is drawn tight. Of long pieces
// the ends towards the inner throw are enough, where `to` and `other_from` lie side by side.
static double distance_of_pieces(const cg_vec3 *points, int from, int to, int other_from, int other_to)
{
    enum { MOST_POINTS = 40 };
    from = from > to - MOST_POINTS ? from : to - MOST_POINTS;
    other_to = other_to < other_from + MOST_POINTS ? other_to : other_from + MOST_POINTS;
    double least = v3_distance(points[from], points[other_from]);
    least *= least;
    for (int i = from; i < to; i++) {
        for (int j = other_from; j < other_to; j++) {
            double square = cg_closest_segments(points[i], points[i + 1], points[j], points[j + 1]).squared_distance;
            least = square < least ? square : least;
        }
    }
    return sqrt(least);
}

// The first point at least `way` from the point `from`, along the thread towards `limit`, or `limit`.
static int point_farther(const cg_vec3 *points, int from, int limit, double way)
{
    int step = limit < from ? -1 : 1, at = from;
    for (double gone = 0; at != limit && gone < way; at += step) {
        gone += v3_distance(points[at], points[at + step]);
    }
    return at;
}

// How far a piece of thread turns in all [rad], seen in chords of at least `chord`, so that noise does not add up.
static double turning_of(const cg_vec3 *points, int from, int to, double chord)
{
    double sum = 0;
    cg_vec3 last = points[from], before = v3_zero();
    for (int i = from + 1; i <= to; i++) {
        if (v3_distance(points[i], last) >= chord) {
            cg_vec3 way = v3_unit_or(v3_sub(points[i], last), before);
            if (v3_dot(before, before) > 0) {
                sum += cg_atan2(v3_length(v3_cross(before, way)), v3_dot(before, way));
            }
            before = way;
            last = points[i];
        }
    }
    return sum;
}

// A strand from the outer of two throws to the inner one.
typedef struct strand {
    double bend;    // up to the inner throw and on through it
    double turning; // [rad] from throw to throw
} strand;

// Where a throw comes undone is its middle, so a strand that only turns back farther in looks straight up to there: it
// is followed by a few distances of the strands more, but not far round the loop below, which may be a narrow one.
static void look_at_strands(const cg_throw_row *row, int inner, const cg_vec3 *points, int count, strand *front,
                            strand *back)
{
    const double beyond = 5, share_of_loop = 0.125;
    int front_to = row->front[inner], front_from = row->front[inner + 1], back_from = row->back[inner];
    int back_to = row->back[inner + 1] < count ? row->back[inner + 1] : count - 1;
    int middle = row->front[0] + (row->back[0] - row->front[0]) / 2;
    double apart = distance_of_pieces(points, front_from, front_to, back_from, back_to);
    double most = share_of_loop * length_between(points, row->front[0], row->back[0]);
    double farther = beyond * apart < most ? beyond * apart : most;
    front->bend = bend_of(points, front_from, point_farther(points, front_to, middle, farther));
    front->turning = turning_of(points, front_from, front_to, 0.5 * apart);
    back->bend = bend_of(points, point_farther(points, back_from, middle, farther), back_to);
    back->turning = turning_of(points, back_from, back_to, 0.5 * apart);
}

// Whether one strand is straight and the other one winds around it. Of hitches that the simulation makes, tight or not,
// the straight strand bends by up to 0.03 and the other one turns by 6 or more, 12 before they are drawn up. In a
// square or granny knot both turn alike, when tight; when it is loose, laid with one hand around a taut strand, or half
// turned over and held so, one of them turns by up to 4.6 more, and nearly always the other one bends by 0.1 and more.
static bool winds_around(const strand *straight, const strand *other)
{
    const double most_bent = 0.1, contrast = 3, least_winding = 5.2;
    return straight->bend < most_bent && contrast * straight->bend < other->bend &&
           other->turning - straight->turning > least_winding;
}

// Marks hitches. Returns whether one and the same strand is straight through all throws.
static bool mark_hitches(const cg_throw_row *row, const cg_vec3 *points, int count, cg_knot_report *report)
{
    int front_straight = 0, back_straight = 0;
    for (int i = 0; i + 1 < report->throw_count; i++) {
        strand front, back;
        look_at_strands(row, i, points, count, &front, &back);
        bool front_hitch = winds_around(&front, &back), back_hitch = winds_around(&back, &front);
        front_straight += front_hitch;
        back_straight += back_hitch;
        if (front_hitch || back_hitch) {
            report->throws[i].hitch = report->throws[i + 1].hitch = true;
        }
    }
    int pairs = report->throw_count - 1;
    return pairs > 0 && (front_straight == pairs || back_straight == pairs);
}

// The word for a row of throws.
static const char *word_for(const cg_knot_throw *t, int count, bool slides)
{
    int same = 0, opposite = 0, singles = 0;
    for (int i = 0; i < count; i++) {
        singles += t[i].wraps == 1;
        if (i > 0) {
            same += t[i].sense == t[i - 1].sense;
            opposite += t[i].sense != t[i - 1].sense;
        }
    }
    if (count == 1) {
        static const char *const overhand[] = {"overhand", "double overhand", "triple overhand", "quadruple overhand"};
        return overhand[t[0].wraps <= 4 ? t[0].wraps - 1 : 3];
    }
    if (slides) {
        return opposite > 0 ? "slip" : "half hitches";
    }
    if (singles == count) {
        return same == 0 ? "square" : (opposite == 0 ? "granny" : "square and granny throws");
    }
    if (t[0].wraps > 1 && singles == count - 1) {
        return same == 0 ? "surgeon's" : "surgeon's, crossed";
    }
    return same == 0 ? "multiple throws" : "multiple throws, crossed";
}

static cg_knot_throw throw_of(const cg_factor *factor)
{
    // Every twisted knot of the table is left-handed as named.
    return (cg_knot_throw){factor->half_turns / 2, factor->mirror ? 1 : -1, false};
}

void cg_throws_tell(const cg_throw_row *row, const cg_vec3 *points, int count, cg_knot_report *report)
{
    report->throw_count = row->count < CG_KNOT_MAX_THROWS ? row->count : CG_KNOT_MAX_THROWS;
    report->throws_text[0] = report->common[0] = 0;
    for (int i = 0; i < report->throw_count; i++) {
        report->throws[i] = throw_of(&row->factor[i]);
    }
    bool slides = mark_hitches(row, points, count, report);
    for (int i = 0; i < report->throw_count; i++) {
        const cg_knot_throw *t = &report->throws[i];
        const char *link = i == 0 ? "" : (t->sense == t[-1].sense ? "x" : "=");
        char text[24];
        if (t->hitch && t->wraps == 1) {
            snprintf(text, sizeof text, "%sS", link);
        } else {
            snprintf(text, sizeof text, "%s%d%s", link, t->wraps, t->hitch ? "S" : "");
        }
        append(report->throws_text, sizeof report->throws_text, text);
    }
    append(report->common, sizeof report->common, word_for(report->throws, report->throw_count, slides));
}

void cg_throws_tell_separate(const cg_reading *reading, cg_knot_report *report)
{
    snprintf(report->common, sizeof report->common, "%d knots in a row", reading->factor_count);
}

// What people call a knot of these parts, when nothing is known of their order.
static void tell_common(const cg_reading *reading, cg_knot_report *report)
{
    report->common[0] = 0;
    if (reading->factor_count == 0) {
        append(report->common, sizeof report->common, "no knot");
        return;
    }
    int twisted = 0, doubles = 0;
    cg_knot_throw throws[CG_READING_FACTORS];
    for (int i = 0; i < reading->factor_count; i++) {
        twisted += reading->factor[i].half_turns > 0;
        throws[i] = throw_of(&reading->factor[i]);
        doubles += throws[i].wraps > 1;
    }
    if (twisted == reading->factor_count && (twisted == 1 || (twisted == 2 && doubles == 0))) {
        append(report->common, sizeof report->common, word_for(throws, twisted, false));
    } else if (reading->factor_count == 1) {
        const char *common = cg_table_entry_at(reading->factor[0].knot)->common;
        append(report->common, sizeof report->common, common ? common : "");
    } else {
        char text[32];
        snprintf(text, sizeof text, "%d knots", reading->factor_count);
        append(report->common, sizeof report->common, text);
    }
}

void cg_reading_tell(const cg_reading *reading, cg_knot_report *report)
{
    report->name[0] = 0;
    report->determinant = reading->determinant;
    report->crossings = reading->crossings;
    report->chirality = CG_KNOT_UNTOLD;
    if (!reading->readable || !reading->complete) {
        append(report->name, sizeof report->name, "unknown");
        return;
    }
    report->crossings = 0;
    if (reading->factor_count == 0) {
        append(report->name, sizeof report->name, "0_1");
    }
    for (int i = 0; i < reading->factor_count; i++) {
        const cg_table_entry *entry = cg_table_entry_at(reading->factor[i].knot);
        char part[40];
        snprintf(part, sizeof part, "%s%s%d_%d", i > 0 ? "#" : "", reading->factor[i].mirror ? "m" : "",
                 entry->crossings, entry->index);
        append(report->name, sizeof report->name, part);
        report->crossings += entry->crossings;
    }
    if (reading->palindromic) {
        report->chirality = CG_KNOT_AMPHICHIRAL;
    } else {
        report->chirality = reading->lean < 0 ? CG_KNOT_LEFT : (reading->lean > 0 ? CG_KNOT_RIGHT : CG_KNOT_CHIRAL);
    }
    tell_common(reading, report);
}
