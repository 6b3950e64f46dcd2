#include "knot/throws.h"

#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

// Appends text, as much as fits.
static void append(char *to, size_t room, const char *text)
{
    size_t length = strlen(to);
    if (length + 1 < room) {
        snprintf(to + length, room - length, "%s", text);
    }
}

// Chord over length of a piece of thread: 1 when straight.
static double straightness(const cg_vec3 *points, int from, int to)
{
    double length = 0;
    for (int i = from + 1; i <= to; i++) {
        length += v3_distance(points[i - 1], points[i]);
    }
    return length > 0 ? v3_distance(points[from], points[to]) / length : 0;
}

// Marks hitches: a strand that is straight from one throw to the next, while the other one is not, clearly: what a
// chord lacks in length is compared, since in throws far apart both strands are straight for the most part. Returns
// whether one and the same strand is straight through all throws.
static bool mark_hitches(const cg_throw_row *row, const cg_vec3 *points, int count, cg_knot_report *report)
{
    const double most_bent = 0.1, contrast = 3;
    int front_straight = 0, back_straight = 0;
    for (int i = 0; i + 1 < report->throw_count; i++) {
        double front = 1 - straightness(points, row->front[i + 1], row->front[i]);
        double back = 1 - straightness(points, row->back[i], row->back[i + 1] < count ? row->back[i + 1] : count - 1);
        bool front_hitch = front < most_bent && contrast * front < back;
        bool back_hitch = back < most_bent && contrast * back < front;
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
