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

// A measure of what is still tied: wraps of all throws, other knots by their crossings. -1 when it cannot be told.
static int tied(const cg_reading *reading)
{
    if (!reading->readable || !reading->complete) {
        return -1;
    }
    int sum = 0;
    for (int i = 0; i < reading->factor_count; i++) {
        sum += cg_table_entry_at(reading->factor[i].knot)->crossings / 2;
    }
    return sum;
}

// The reading in the middle: of five closures the one with the median of what is tied; three that agree are enough.
static void read_piece_of_thread(cg_reader *r, const cg_vec3 *points, int count, cg_reading *reading)
{
    static const cg_closure order[CG_CLOSURE_COUNT] = {CG_CLOSURE_STRAIGHT, CG_CLOSURE_RADIAL, CG_CLOSURE_VIEWER,
                                                       CG_CLOSURE_VIEWER_2, CG_CLOSURE_VIEWER_3};
    cg_reading readings[CG_CLOSURE_COUNT];
    int place[CG_CLOSURE_COUNT], told = 0; // readable ones, by what is tied
    memset(reading, 0, sizeof *reading);
    for (int i = 0; i < CG_CLOSURE_COUNT; i++) {
        if (!cg_reader_draw(r, points, count, false, order[i], false, &readings[i])) {
            continue;
        }
        cg_reader_read(r, &readings[i]);
        int same = 1, left = tied(&readings[i]);
        for (int j = 0; j < told; j++) {
            same += cg_readings_agree(&readings[i], &readings[place[j]]);
        }
        if (same == 3) {
            *reading = readings[i];
            return;
        }
        if (left >= 0) {
            int j = told++;
            for (; j > 0 && tied(&readings[place[j - 1]]) > left; j--) {
                place[j] = place[j - 1];
            }
            place[j] = i;
        }
    }
    if (told > 0) {
        *reading = readings[place[told / 2]];
    }
}

static bool same_factor(const cg_factor *a, const cg_factor *b)
{
    return a->knot == b->knot && a->mirror == b->mirror;
}

// A thread shortened from one end.
typedef struct scan {
    cg_reader *reader;
    const cg_vec3 *points;
    int count;
    bool from_last;
} scan;

// How many points must be lost until less than `before` is tied, halving what is unsure: more than `low` are needed,
// all but two are enough.
static int find_loss(const scan *s, int before, int low, cg_reading *after)
{
    int high = s->count - 2;
    memset(after, 0, sizeof *after);
    after->readable = after->complete = true; // two points hold no knot
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        cg_reading reading;
        read_piece_of_thread(s->reader, s->from_last ? s->points : s->points + middle, s->count - middle, &reading);
        int left = tied(&reading);
        if (left >= 0 && left < before) {
            high = middle;
            *after = reading;
        } else {
            low = middle;
        }
    }
    return high;
}

// A throw while it comes undone: a double one becomes a single one before it is gone.
typedef struct undoing {
    cg_factor now, whole;
} undoing;

// Takes out of `parts` what is not in the reading any more. Returns the number of parts gone, -1 when the change is
// none that shortening makes. *gone becomes the one that is gone.
static int take_out(undoing *parts, int *count, const cg_reading *after, cg_factor *gone)
{
    bool used[CG_READING_FACTORS] = {false};
    int kept = 0, lost = 0, other = -1;
    undoing missing = {{0}, {0}};
    for (int i = 0; i < *count; i++) {
        int match = -1;
        for (int j = 0; j < after->factor_count && match < 0; j++) {
            match = !used[j] && same_factor(&after->factor[j], &parts[i].now) ? j : -1;
        }
        if (match >= 0) {
            used[match] = true;
            parts[kept++] = parts[i];
        } else {
            missing = parts[i];
            lost++;
        }
    }
    for (int j = 0; j < after->factor_count; j++) {
        if (!used[j]) {
            if (other >= 0) {
                return -1;
            }
            other = j;
        }
    }
    *count = kept;
    *gone = missing.whole;
    if (other < 0) {
        return lost;
    }
    // One part more than expected: the missing one with fewer turns.
    const cg_factor *less = &after->factor[other];
    if (lost != 1 || less->half_turns == 0 || less->mirror != missing.now.mirror ||
        less->half_turns >= missing.now.half_turns) {
        return -1;
    }
    missing.now = *less;
    parts[(*count)++] = missing;
    return 0;
}

// Fills the parts in the order in which they come undone, and the places. False when the order cannot be told.
static bool undo(const scan *s, const cg_reading *whole, cg_factor *factors, int *places)
{
    undoing parts[CG_READING_FACTORS];
    int count = whole->factor_count, found = 0, low = 0, before = tied(whole);
    for (int i = 0; i < count; i++) {
        parts[i] = (undoing){whole->factor[i], whole->factor[i]};
    }
    while (count > 0) {
        cg_reading after;
        cg_factor gone;
        int place = find_loss(s, before, low, &after), lost = take_out(parts, &count, &after, &gone);
        if (lost < 0 || lost > 1) {
            return false;
        }
        if (lost == 1) {
            factors[found] = gone;
            places[found++] = place;
        }
        before = tied(&after);
        low = place - 1;
    }
    return true;
}

bool cg_throws_find(cg_reader *reader, const cg_vec3 *points, int count, const cg_reading *reading, cg_throw_row *row)
{
    int n = reading->factor_count;
    row->count = 0;
    row->separate = false;
    if (!reading->readable || !reading->complete || n == 0) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (reading->factor[i].half_turns == 0) {
            return false;
        }
    }
    cg_factor from_first[CG_READING_FACTORS], from_last[CG_READING_FACTORS];
    int first_places[CG_READING_FACTORS], last_places[CG_READING_FACTORS];
    scan first = {reader, points, count, false}, last = {reader, points, count, true};
    if (!undo(&first, reading, from_first, first_places) || !undo(&last, reading, from_last, last_places)) {
        return false;
    }
    // Upon each other, the innermost throw is lost at about the same place from both ends, or earlier from each than
    // from the other; in a row, the knot lost last from the first end is the one lost first from the last end.
    int span = count - 1 - last_places[0] - first_places[0];
    int overlap = first_places[n - 1] - (count - 1 - last_places[n - 1]);
    if (n > 1 && 2 * overlap > span) {
        row->separate = true;
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (!same_factor(&from_first[i], &from_last[i])) {
            return false;
        }
        row->factor[n - 1 - i] = from_first[i];
        row->front[n - 1 - i] = first_places[i];
        row->back[n - 1 - i] = count - 1 - last_places[i];
    }
    row->count = n;
    return true;
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

// Marks hitches: a strand that is straight from one throw to the next, while the other one is not. Returns whether one
// and the same strand is straight through all throws.
static bool mark_hitches(const cg_throw_row *row, const cg_vec3 *points, int count, cg_knot_report *report)
{
    const double straight = 0.95;
    int front_straight = 0, back_straight = 0;
    for (int i = 0; i + 1 < report->throw_count; i++) {
        double front = straightness(points, row->front[i + 1], row->front[i]);
        double back = straightness(points, row->back[i], row->back[i + 1] < count ? row->back[i + 1] : count - 1);
        bool hitch = (front > straight) != (back > straight);
        front_straight += hitch && front > straight;
        back_straight += hitch && back > straight;
        if (hitch) {
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
