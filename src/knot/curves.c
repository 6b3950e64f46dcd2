// Control points are laid down in units of the radius at which strands wind around each other, then splined, measured,
// scaled and resampled. Directions: x right, y up, z towards the reader.
#include "knot/curves.h"

#include <stddef.h>

#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "knot/spline.h"

static const double HALF_TURN = 2.5;       // length of half a turn of two strands around each other
static const double HITCH_HALF_TURN = 1.6; // the same where one strand is straight ...
static const double HITCH_RADIUS = 1.9;    // ... and the other winds around it
static const double THROW_DISTANCE = 5.0;  // from throw to throw
static const double TURN_ROOM = 2.2;       // how far a side bulges out

typedef struct throw
{
    int half_turns; // 3 for a single one, 5 for a double
    int sense;      // +1 right-handed, -1 left-handed
}
throw;

cg_curve_def cg_curve_def_default(void)
{
    return (cg_curve_def){
        .kind = CG_CURVE_OVERHAND, .thread_count = 1, .radius = 0.11e-3, .tail = 20e-3, .spacing = 0.11e-3};
}

const char *cg_curve_kind_name(cg_curve_kind kind)
{
    static const char *const names[] = {"straight", "overhand", "figure-eight", "reef", "granny",
                                        "thief",    "grief",    "surgeon",      "slip"};
    return kind >= 0 && kind < CG_CURVE_KIND_COUNT ? names[kind] : "unknown";
}

// One strand of a throw whose middle is at height y: from upper left to lower right, or from upper right to lower left.
static void add_winding(cg_spline *s, throw t, double y, bool from_left)
{
    int steps = 5 * t.half_turns;
    double length = HALF_TURN * t.half_turns;
    for (int i = 0; i <= steps; i++) {
        double share = (double)(from_left ? i : steps - i) / steps, sine, cosine;
        cg_sincos(CG_PI * t.half_turns * share, &sine, &cosine);
        double side = from_left ? 1 : -1;
        // Right-handed: like a common screw, y turns to z on the way along x.
        cg_spline_add(s, v3(length * (share - 0.5), y + side * cosine, side * t.sense * sine));
    }
}

// From one throw to the next at the right (side 1) or left (-1): half widths `from` and `to`, first at height y.
static void add_side(cg_spline *s, double side, double from, double to, double y)
{
    double out = (from > to ? from : to) + TURN_ROOM, middle = y - 0.5 * THROW_DISTANCE;
    cg_spline_add(s, v3(side * (from + 1.4), y - 1, 0));
    cg_spline_add(s, v3(side * out, middle + 0.9, 0));
    cg_spline_add(s, v3(side * out, middle - 0.9, 0));
    cg_spline_add(s, v3(side * (to + 1.4), y - THROW_DISTANCE + 1, 0));
}

static double half_width(throw t)
{
    return 0.5 * HALF_TURN * t.half_turns;
}

// From above the first throw down to the straight end below the last one, for the strand that comes from the left or
// from the right. Starts at the throw itself.
static void add_down(cg_spline *s, const throw *throws, int count, bool from_left)
{
    double y = 0;
    for (int i = 0; i < count; i++) {
        add_winding(s, throws[i], y, from_left);
        double side = from_left ? 1 : -1;
        if (i + 1 < count) {
            add_side(s, side, half_width(throws[i]), half_width(throws[i + 1]), y);
        } else {
            for (int k = 1; k <= 3; k++) {
                cg_spline_add(s, v3(side * (half_width(throws[i]) + 1.6 * k), y - 1, 0));
            }
        }
        from_left = !from_left;
        y -= THROW_DISTANCE;
    }
}

// The loop above the first throw, from its upper left corner over the top to its upper right one.
static void add_loop(cg_spline *s, double width, double radius)
{
    double smallest = 1.1 * (width + 2.4);
    radius = radius > smallest ? radius : smallest;
    double centre = 2.9 + 0.42 * radius; // the circle ends 25 degrees below its middle, above the corners
    int steps = 24;
    cg_spline_add(s, v3(-(width + 1.6), 1.1, 0));
    for (int i = 0; i <= steps; i++) {
        double sine, cosine;
        cg_sincos(CG_PI * (205.0 - 230.0 * i / steps) / 180.0, &sine, &cosine);
        cg_spline_add(s, v3(radius * cosine, centre + radius * sine, 0));
    }
    cg_spline_add(s, v3(width + 1.6, 1.1, 0));
}

// A straight end that comes from the side to the first throw.
static void add_standing(cg_spline *s, double width, double side)
{
    for (int k = 3; k >= 1; k--) {
        cg_spline_add(s, v3(side * (width + 1.6 * k), 1, 0));
    }
}

// Throws in one thread: up from its first end, round the loop, and down to its last end.
static void one_thread_throws(cg_spline *s, const throw *throws, int count, double loop_radius)
{
    add_down(s, throws, count, true);
    cg_spline_reverse(s);
    add_loop(s, half_width(throws[0]), loop_radius);
    add_down(s, throws, count, false);
}

static void two_thread_throws(cg_spline *a, cg_spline *b, const throw *throws, int count)
{
    add_standing(a, half_width(throws[0]), -1);
    add_down(a, throws, count, true);
    add_standing(b, half_width(throws[0]), 1);
    add_down(b, throws, count, false);
}

// One turn and a half around the x axis, leftwards, about x = middle, starting in front or at the back (start +1, -1).
static void add_hitch(cg_spline *s, double middle, int sense, double start)
{
    int steps = 18;
    double length = 3 * HITCH_HALF_TURN;
    for (int i = 0; i <= steps; i++) {
        double share = (double)i / steps, sine, cosine;
        cg_sincos(3 * CG_PI * share, &sine, &cosine);
        cg_spline_add(s, v3(middle + length * (0.5 - share), start * HITCH_RADIUS * cosine,
                            -start * sense * HITCH_RADIUS * sine));
    }
}

// A half circle from height `from` to height `to`, beyond x: to the right of a positive x, to the left of a negative
// one.
static void add_turn_back(cg_spline *s, double x, double from, double to)
{
    double out = x > 0 ? 1 : -1, lean = 0.15 * (to - from);
    cg_spline_add(s, v3(x + out * 1.1, from, 0));
    cg_spline_add(s, v3(x + out * 2.7, from + lean, 0));
    cg_spline_add(s, v3(x + out * 2.7, to - lean, 0));
    cg_spline_add(s, v3(x + out * 1.1, to, 0));
}

// Two half hitches around a straight strand: from the short end, through the second hitch, the first one, round the
// loop on the left, and out along the straight strand to the right.
static void slip_knot(cg_spline *s, int first_sense, int second_sense, double loop_radius)
{
    double half = 1.5 * HITCH_HALF_TURN, apart = 2 * half + 9.5, r = HITCH_RADIUS, far_out = r + 2.6;
    // Written from the loop on, then turned round.
    cg_spline_add(s, v3(-half - 1, far_out, 0));
    cg_spline_add(s, v3(0, far_out, 0));
    add_turn_back(s, half, far_out, r);
    add_hitch(s, 0, first_sense, 1);
    add_turn_back(s, -half, -r, -far_out);
    cg_spline_add(s, v3(0.25 * apart, -far_out, 0));
    cg_spline_add(s, v3(0.75 * apart, -far_out, 0));
    add_turn_back(s, apart + half, -far_out, -r);
    add_hitch(s, apart, second_sense, -1);
    cg_spline_add(s, v3(apart - half - 1.2, r + 0.1, 0));
    cg_spline_add(s, v3(apart - half - 2.4, r + 1.2, 0));
    for (int k = 1; k <= 3; k++) {
        cg_spline_add(s, v3(apart - half - 2.5, r + 1.4 + 1.6 * k, 0));
    }
    cg_spline_reverse(s);
    // The loop: a circle at the left, open by a third, whose ends run into the two strands.
    double smallest = 4.5, radius = loop_radius > smallest ? loop_radius : smallest;
    double centre_x = -half - 5 - 0.9 * radius, centre_y = 0.5 * far_out;
    int steps = 20;
    for (int i = 0; i <= steps; i++) {
        double sine, cosine;
        cg_sincos(CG_PI * (1.0 + 4.0 * i / steps) / 3.0, &sine, &cosine);
        cg_spline_add(s, v3(centre_x + radius * cosine, centre_y + radius * sine, 0));
    }
    cg_spline_add(s, v3(-half - 1.8, 0, 0));
    for (int i = 0; i <= 8; i++) {
        cg_spline_add(s, v3(-half + i * (apart + 2 * half) / 8, 0, 0));
    }
    for (int k = 1; k <= 3; k++) {
        cg_spline_add(s, v3(apart + half + 1.6 * k + 1.5, 0, 0));
    }
}

// What a strand of a closed braid does in one sector: it goes from one lane to another, over, under or level.
typedef struct lane_change {
    int to;
    int over; // +1 over, -1 under, 0 alone
} lane_change;

static lane_change change_of_lane(int lane, int letter)
{
    int lower = (letter < 0 ? -letter : letter) - 1;
    if (lane == lower) {
        return (lane_change){lower + 1, letter > 0 ? 1 : -1};
    }
    if (lane == lower + 1) {
        return (lane_change){lower, letter > 0 ? -1 : 1};
    }
    return (lane_change){lane, 0};
}

// Walks once through the whole closed braid, from the opening in the outermost lane back to it. False when it comes
// back before it has been in all lanes: more than one thread.
static bool braid_walk(cg_spline *s, const signed char *letters, int letter_count, int strand_count)
{
    const double lane_width = 2.2, height = 1.5, sector_length = 5.0, opening = 1.5;
    double sectors = letter_count + opening, inner = sectors * sector_length / (2 * CG_PI);
    inner = inner > 3.5 ? inner : 3.5;
    double sector = 2 * CG_PI / sectors, outer = inner + lane_width * (strand_count - 1);
    int lane = strand_count - 1, rounds = 0;
    for (int k = 3; k >= 1; k--) {
        cg_spline_add(s, v3(-outer * 0.5 - 1.6 * k - 2, outer + 3.4, 0));
    }
    cg_spline_add(s, v3(-outer * 0.5 - 0.2, outer + 3.0, 0));
    do {
        for (int i = 0; i < letter_count; i++) {
            lane_change change = change_of_lane(lane, letters[i]);
            for (int k = 0; k < 4; k++) {
                double share = 0.25 * k, sine, cosine;
                double smooth = share * share * (3 - 2 * share), bump = share * (1 - share) * 4;
                cg_sincos(CG_HALF_PI + sector * (i + share + 0.5 * opening), &sine, &cosine);
                double radius = inner + lane_width * (lane + smooth * (change.to - lane));
                cg_spline_add(s, v3(radius * cosine, radius * sine, height * change.over * bump));
            }
            lane = change.to;
        }
        rounds++;
        if (lane != strand_count - 1) {
            for (int k = 0; k < 6; k++) {
                double sine, cosine, radius = inner + lane_width * lane;
                cg_sincos(CG_HALF_PI + sector * (letter_count + opening * (0.5 + k / 6.0)), &sine, &cosine);
                cg_spline_add(s, v3(radius * cosine, radius * sine, 0));
            }
        }
    } while (lane != strand_count - 1 && rounds <= strand_count);
    cg_spline_add(s, v3(outer * 0.5 + 0.2, outer + 3.0, 0));
    for (int k = 1; k <= 3; k++) {
        cg_spline_add(s, v3(outer * 0.5 + 1.6 * k + 2, outer + 3.4, 0));
    }
    return rounds == strand_count;
}

static cg_status check(const cg_curve_def *def)
{
    if (!(def->radius > 0 && def->radius < 1) || !(def->spacing > 0 && def->spacing < 1)) {
        return cg_error(CG_BAD_INPUT, "radius and spacing of a knot curve must be above 0 and below 1 m");
    }
    if (!(def->tail >= 0 && def->tail < 1e3) || !(def->free_tail >= 0 && def->free_tail < 1e3) ||
        !(def->loop_radius >= 0 && def->loop_radius < 1e3)) {
        return cg_error(CG_BAD_INPUT, "tail and loop radius of a knot curve must be 0 or more and below 1000 m");
    }
    if (!(def->gap == 0 || (def->gap >= 2 * def->radius && def->gap < 10))) {
        return cg_error(CG_BAD_INPUT, "the gap of a knot curve must be 0 or from one diameter to 10 m");
    }
    return cg_ok();
}

static void mirror(cg_spline *s)
{
    for (int i = 0; i < s->count; i++) {
        s->control[i].z = -s->control[i].z;
    }
}

// Whether a thread of a knot in two threads is pulled at its first end: all are, except the second one of a knot that
// is pulled across.
static bool pulls_first(const cg_curve_def *def, int thread)
{
    return thread == 0 || (def->kind != CG_CURVE_THIEF && def->kind != CG_CURVE_GRIEF);
}

// Scales and resamples one spline or two, and fills in everything but the ends.
static cg_status finish(const cg_curve_def *def, cg_spline *splines, int thread_count, double unit_gap, cg_vec3 *points,
                        int room, cg_curve *curve)
{
    double gap = def->gap > 0 ? def->gap : 6 * def->radius, scale = gap / unit_gap;
    int total = 0;
    for (int i = 0; i < thread_count; i++) {
        if (splines[i].overflowed) {
            return cg_error(CG_FULL, "the knot curve has too many control points");
        }
        if (def->mirror) {
            mirror(&splines[i]);
        }
        double free_tail = thread_count == 2 && def->free_tail > 0 ? def->free_tail : def->tail;
        double tails[2] = {pulls_first(def, i) ? def->tail : free_tail, pulls_first(def, i) ? free_tail : def->tail};
        double length = scale * cg_spline_length(&splines[i]) + tails[0] + tails[1];
        if (length / def->spacing > 1e8) {
            return cg_error(CG_BAD_INPUT, "the knot curve would have more than 100000000 points");
        }
        int left = points ? room - total : 0;
        int count = cg_spline_resample(&splines[i], scale, tails[0], tails[1], def->spacing,
                                       points ? points + total : NULL, left > 0 ? left : 0);
        if (points && count > left) {
            return cg_error(CG_FULL, "the knot curve needs room for %d points and more", total + count);
        }
        curve->point_count[i] = count;
        total += count;
    }
    curve->thread_count = thread_count;
    curve->gap = gap;
    curve->scale = scale;
    return cg_ok();
}

// Measured on the smallest form of a knot, so that a larger loop does not change its size.
static double unit_gap_of(const cg_spline *splines, int thread_count)
{
    double gap = cg_spline_gap(&splines[0], &splines[0]);
    if (thread_count == 2) {
        double other = cg_spline_gap(&splines[1], &splines[1]), between = cg_spline_gap(&splines[0], &splines[1]);
        gap = other < gap ? other : gap;
        gap = between < gap ? between : gap;
    }
    return gap;
}

enum { MOST_THROWS = 6 };

static int throws_of(const cg_curve_def *def, throw throws[MOST_THROWS])
{
    cg_curve_kind kind = def->kind;
    bool same = kind == CG_CURVE_GRANNY || kind == CG_CURVE_GRIEF;
    for (int i = 0; i < MOST_THROWS; i++) {
        throws[i] = (throw){kind == CG_CURVE_SURGEON && i == 0 ? 5 : 3, same || i % 2 == 0 ? 1 : -1};
    }
    int usual = kind == CG_CURVE_OVERHAND ? 1 : (kind == CG_CURVE_SURGEON ? 3 : 2);
    return def->throws > 0 ? def->throws : usual;
}

static bool has_throws(cg_curve_kind kind)
{
    return kind == CG_CURVE_OVERHAND || (kind >= CG_CURVE_REEF && kind <= CG_CURVE_SURGEON);
}

static void lay(const cg_curve_def *def, double loop_radius, cg_spline splines[2])
{
    static const signed char eight[] = {-1, 2, -1, 2};
    throw throws[MOST_THROWS];
    int count = throws_of(def, throws);
    cg_spline_clear(&splines[0]);
    cg_spline_clear(&splines[1]);
    switch (def->kind) {
    case CG_CURVE_STRAIGHT:
        for (int k = -2; k <= 2; k++) {
            cg_spline_add(&splines[0], v3(0.01 * k, 0, 0));
        }
        break;
    case CG_CURVE_FIGURE_EIGHT:
        braid_walk(&splines[0], eight, 4, 3);
        break;
    case CG_CURVE_SLIP:
        slip_knot(&splines[0], 1, -1, loop_radius);
        break;
    default:
        if (def->thread_count == 2) {
            two_thread_throws(&splines[0], &splines[1], throws, count);
        } else {
            one_thread_throws(&splines[0], throws, count, loop_radius);
        }
    }
}

// Which ends are pulled, and which way.
static void name_ends(const cg_curve_def *def, cg_curve *curve)
{
    bool two = curve->thread_count == 2, across = !pulls_first(def, 1);
    cg_curve_end first = {0, false}, second = {two ? 1 : 0, two ? across : true};
    curve->pulled[0] = first;
    curve->pulled[1] = second;
    curve->tails[0] = two ? (cg_curve_end){0, true} : first;
    curve->tails[1] = two ? (cg_curve_end){1, !across} : second;
    // One thread: its first end is that of the strand which began at the upper left, so it leaves right after one throw
    // and left after two.
    throw throws[MOST_THROWS];
    bool starts_right = !two && has_throws(def->kind) && throws_of(def, throws) % 2 == 1;
    double side = starts_right ? 1 : -1;
    curve->pull[0] = def->kind == CG_CURVE_SLIP ? v3(0, 1, 0) : v3(side, 0, 0);
    curve->pull[1] = v3(-side, 0, 0);
}

cg_status cg_curve_make(const cg_curve_def *def, cg_vec3 *points, int room, cg_curve *curve)
{
    *curve = (cg_curve){0};
    cg_status status = check(def);
    if (status.code != CG_OK) {
        return status;
    }
    bool one_only = def->kind <= CG_CURVE_FIGURE_EIGHT || def->kind == CG_CURVE_SLIP;
    bool two_only = def->kind == CG_CURVE_THIEF || def->kind == CG_CURVE_GRIEF;
    bool known = def->kind >= 0 && def->kind < CG_CURVE_KIND_COUNT;
    if (!known || !(def->thread_count == 1 ? !two_only : def->thread_count == 2 && !one_only)) {
        return cg_error(CG_BAD_INPUT, "there is no %s knot in %d threads", cg_curve_kind_name(def->kind),
                        def->thread_count);
    }
    if (def->throws < 0 || def->throws > MOST_THROWS || (def->throws > 0 && (!has_throws(def->kind) || two_only))) {
        return cg_error(CG_BAD_INPUT, "a %s knot cannot have %d throws", cg_curve_kind_name(def->kind), def->throws);
    }
    static _Thread_local cg_spline splines[2];
    lay(def, 0, splines);
    double unit_gap = def->kind == CG_CURVE_STRAIGHT ? 1 : unit_gap_of(splines, def->thread_count);
    double gap = def->gap > 0 ? def->gap : 6 * def->radius;
    lay(def, def->loop_radius * unit_gap / gap, splines);
    status = finish(def, splines, def->thread_count, unit_gap, points, room, curve);
    if (status.code == CG_OK) {
        name_ends(def, curve);
    }
    return status;
}

cg_status cg_curve_make_braid(const cg_curve_def *def, const signed char *letters, int letter_count, int strand_count,
                              cg_vec3 *points, int room, cg_curve *curve)
{
    *curve = (cg_curve){0};
    cg_status status = check(def);
    if (status.code != CG_OK) {
        return status;
    }
    if (letter_count < 0 || letter_count > 64 || strand_count < 1 || strand_count > 8) {
        return cg_error(CG_BAD_INPUT, "a braid has at most 64 letters and 8 strands");
    }
    for (int i = 0; i < letter_count; i++) {
        if (letters[i] == 0 || letters[i] >= strand_count || letters[i] <= -strand_count) {
            return cg_error(CG_BAD_INPUT, "letter %d of the braid names no pair of strands", i);
        }
    }
    static _Thread_local cg_spline spline;
    cg_spline_clear(&spline);
    if (!braid_walk(&spline, letters, letter_count, strand_count)) {
        return cg_error(CG_BAD_INPUT, "the closed braid is more than one thread");
    }
    status = finish(def, &spline, 1, cg_spline_gap(&spline, &spline), points, room, curve);
    curve->pulled[1].last = curve->tails[1].last = true;
    curve->pull[0] = v3(-1, 0, 0);
    curve->pull[1] = v3(1, 0, 0);
    return status;
}
