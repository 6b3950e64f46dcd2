#include "knot/undo.h"

#include <string.h>

enum { MOST_ASIDE = 4 }; // pieces tried behind one whose reading makes no sense

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

// Reads a piece of thread with one more closure. True when the answer is there: three closures that agree, or the one
// of all with the median of what is tied.
static bool read_piece(cg_piece_reading *piece, cg_reader *r, const cg_vec3 *points, int count, cg_reading *answer)
{
    static const cg_closure order[CG_CLOSURE_COUNT] = {CG_CLOSURE_STRAIGHT, CG_CLOSURE_RADIAL, CG_CLOSURE_VIEWER,
                                                       CG_CLOSURE_VIEWER_2, CG_CLOSURE_VIEWER_3};
    int i = piece->next++;
    cg_reading *now = &piece->readings[i];
    if (cg_reader_draw(r, points, count, false, order[i], false, now)) {
        cg_reader_read(r, now);
        int same = 1, left = tied(now);
        for (int j = 0; j < piece->told; j++) {
            same += cg_readings_agree(now, &piece->readings[piece->place[j]]);
        }
        if (same == 3) {
            *answer = *now;
            return true;
        }
        if (left >= 0) {
            int j = piece->told++;
            for (; j > 0 && tied(&piece->readings[piece->place[j - 1]]) > left; j--) {
                piece->place[j] = piece->place[j - 1];
            }
            piece->place[j] = i;
        }
    }
    if (piece->next < CG_CLOSURE_COUNT) {
        return false;
    }
    memset(answer, 0, sizeof *answer);
    if (piece->told > 0) {
        *answer = piece->readings[piece->place[piece->told / 2]];
    }
    return true;
}

static bool same_factor(const cg_factor *a, const cg_factor *b)
{
    return a->knot == b->knot && a->mirror == b->mirror;
}

// Whether a part of the reading can be what is left of a throw.
static bool is_less(const cg_factor *now, const cg_factor *before)
{
    return now->half_turns > 0 && now->half_turns < before->half_turns && now->mirror == before->mirror;
}

// Keeps of `parts` those that the reading has as they were; the others go to `missing`. Returns the number of parts
// that the reading has besides, *other becomes the last of them.
static int keep_known(cg_undoing_list *parts, const cg_reading *after, cg_undoing_list *missing, int *other)
{
    bool used[CG_READING_FACTORS] = {false};
    int kept = 0, unknown = 0;
    missing->count = 0;
    for (int i = 0; i < parts->count; i++) {
        int match = -1;
        for (int j = 0; j < after->factor_count && match < 0; j++) {
            match = !used[j] && same_factor(&after->factor[j], &parts->part[i].now) ? j : -1;
        }
        if (match >= 0) {
            used[match] = true;
            parts->part[kept++] = parts->part[i];
        } else {
            missing->part[missing->count++] = parts->part[i];
        }
    }
    for (int j = 0; j < after->factor_count; j++) {
        unknown += !used[j];
        *other = used[j] ? *other : j;
    }
    parts->count = kept;
    return unknown;
}

// Takes out of `parts` what is not in the reading any more, and puts it in `gone`. False when the change is none that
// shortening makes: a part that was not there before must be one of the missing with fewer turns.
static bool take_out(cg_undoing_list *parts, const cg_reading *after, cg_undoing_list *gone)
{
    int other = -1, unknown = keep_known(parts, after, gone, &other);
    if (unknown == 0) {
        return true;
    }
    int like = 0, which = -1;
    for (int i = 0; i < gone->count; i++) {
        bool fits = is_less(&after->factor[other], &gone->part[i].now);
        like += fits;
        which = fits ? i : which;
    }
    if (unknown > 1 || like != 1) {
        return false;
    }
    parts->part[parts->count++] = (cg_undoing){after->factor[other], gone->part[which].whole};
    for (int i = which; i + 1 < gone->count; i++) {
        gone->part[i] = gone->part[i + 1];
    }
    gone->count--;
    return true;
}

// What a shortened thread says of the parts that were left before.
typedef enum verdict { STILL_TIED, UNDONE, SENSELESS } verdict;

static verdict judge(const cg_undoing_list *before, const cg_reading *reading)
{
    if (!reading->readable || !reading->complete) {
        return SENSELESS;
    }
    bool used[CG_READING_FACTORS] = {false}, explained[CG_READING_FACTORS] = {false};
    int count = 0, same = 0;
    // Parts that are as they were first, then those with fewer turns than before.
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < reading->factor_count; i++) {
            const cg_factor *now = &reading->factor[i];
            for (int j = 0; j < before->count && !explained[i]; j++) {
                const cg_factor *part = &before->part[j].now;
                if (!used[j] && (round == 0 ? same_factor(now, part) : is_less(now, part))) {
                    used[j] = explained[i] = true;
                    same += round == 0;
                    count++;
                }
            }
        }
    }
    if (count < reading->factor_count) {
        return SENSELESS; // an end inside the knot makes another one for a moment
    }
    return same == before->count ? STILL_TIED : UNDONE;
}

bool cg_reading_has_throws(const cg_reading *reading)
{
    bool throws = reading->readable && reading->complete && reading->factor_count > 0;
    for (int i = 0; throws && i < reading->factor_count; i++) {
        throws = reading->factor[i].half_turns > 0;
    }
    return throws;
}

// More than `low` points must be lost until the next part is undone; all but two are enough. What was read before for
// other parts narrows it.
static void begin_halving(cg_throw_search *s, int low)
{
    s->low = low;
    s->high = s->count - 2;
    s->doubted = false;
    s->doubt_count = 0;
    memset(&s->after, 0, sizeof s->after);
    s->after.readable = s->after.complete = true; // two points hold no knot
    for (int i = 0; i < s->probe_count; i++) {
        const cg_probe *p = &s->probes[i];
        if (p->lost > s->low && p->lost < s->high && judge(&s->parts, &p->reading) == UNDONE) {
            s->high = p->lost;
            s->after = p->reading;
        }
    }
    for (int i = 0; i < s->probe_count; i++) {
        const cg_probe *p = &s->probes[i];
        if (p->lost > s->low && p->lost < s->high && judge(&s->parts, &p->reading) == STILL_TIED) {
            s->low = p->lost;
        }
    }
    s->asked = s->low + (s->high - s->low) / 2;
    s->piece.told = s->piece.next = 0;
}

static void begin_end(cg_throw_search *s, int end)
{
    s->end = end;
    s->found = 0;
    s->probe_count = 0;
    s->parts.count = s->factor_count;
    for (int i = 0; i < s->factor_count; i++) {
        s->parts.part[i] = (cg_undoing){s->factor[i], s->factor[i]};
    }
    begin_halving(s, 0);
}

void cg_throw_search_begin(cg_throw_search *search, const cg_vec3 *points, int count, const cg_reading *reading)
{
    memset(search, 0, sizeof *search);
    search->points = points;
    search->count = count;
    search->factor_count = reading->factor_count;
    memcpy(search->factor, reading->factor, sizeof search->factor);
    search->unordered[0] = search->unordered[1] = -1;
    begin_end(search, 0);
}

// The first place behind all at which nothing of `parts` was undone.
static int first_place_of_doubt(const cg_throw_search *s)
{
    int place = 1;
    for (int i = 0; i < s->probe_count; i++) {
        const cg_probe *p = &s->probes[i];
        if (p->lost < s->high && p->lost >= place && judge(&s->parts, &p->reading) == STILL_TIED) {
            place = p->lost + 1;
        }
    }
    return place;
}

// The place where something is undone is known: notes it and goes on to the next one, or to the other end. In a tight
// knot an end may go through one throw while it is still inside of another, and no reading between makes sense: then
// two are gone at once. They came undone from where readings made no sense any more to where they do again; which of
// them was first, the other end must tell.
static void note_place(cg_throw_search *s)
{
    cg_undoing_list gone;
    int first = first_place_of_doubt(s);
    bool is_known = take_out(&s->parts, &s->after, &gone), are_two = gone.count == 2;
    if (!is_known || gone.count > 2 || (are_two && s->unordered[s->end] >= 0)) {
        s->failed = true;
        return;
    }
    s->unordered[s->end] = are_two ? s->found : s->unordered[s->end];
    for (int i = 0; i < gone.count; i++) {
        s->order[s->end][s->found] = gone.part[i].whole;
        s->places[s->end][s->found++] = are_two && i == 0 ? first : s->high;
    }
    if (s->parts.count > 0) {
        begin_halving(s, s->high - 1);
    } else if (s->end == 0) {
        begin_end(s, 1);
    } else {
        s->end = 2;
    }
}

// No reading around the middle makes sense: an end goes through the knot there. The next part may have come undone
// before that, so what lies before is looked at first, and what lies behind is kept for later.
static void doubt(cg_throw_search *s, int middle)
{
    if (s->doubt_count < CG_SEARCH_DOUBTS) {
        s->doubts[s->doubt_count++] = (cg_doubt){s->asked, s->high, s->doubted, s->after};
        s->high = middle;
        s->doubted = true;
    } else {
        s->low = s->asked;
    }
}

// Nothing was undone before the doubtful stretch.
static void go_on_behind_doubt(cg_throw_search *s)
{
    const cg_doubt *left = &s->doubts[--s->doubt_count];
    s->low = left->low;
    s->high = left->high;
    s->doubted = left->doubted;
    s->after = left->after;
    s->asked = s->low + (s->high - s->low) / 2;
}

// The piece that was asked for has been read.
static void take_answer(cg_throw_search *s, const cg_reading *answer)
{
    int middle = s->low + (s->high - s->low) / 2;
    verdict said = judge(&s->parts, answer);
    s->piece.told = s->piece.next = 0;
    if (said != SENSELESS && s->probe_count < CG_SEARCH_PROBES) {
        s->probes[s->probe_count++] = (cg_probe){s->asked, *answer};
    }
    if (said == SENSELESS && s->asked + 1 < s->high && s->asked < middle + MOST_ASIDE) {
        s->asked++;
        return;
    }
    if (said == UNDONE) {
        s->high = s->asked;
        s->after = *answer;
        s->doubted = false;
        s->doubt_count = 0;
    } else if (said == SENSELESS) {
        doubt(s, middle);
    } else {
        s->low = s->asked;
    }
    s->asked = s->low + (s->high - s->low) / 2;
}

bool cg_throw_search_step(cg_throw_search *search, cg_reader *reader)
{
    if (search->end > 1 || search->failed) {
        return false;
    }
    if (search->high - search->low <= 1 && search->doubted) {
        go_on_behind_doubt(search);
        return true;
    }
    if (search->high - search->low <= 1) {
        note_place(search);
        return search->end <= 1 && !search->failed;
    }
    cg_reading answer;
    const cg_vec3 *from = search->end == 0 ? search->points + search->asked : search->points;
    if (read_piece(&search->piece, reader, from, search->count - search->asked, &answer)) {
        take_answer(search, &answer);
    }
    return true;
}

// The order in which throws come undone from one end, two that went at once as the other end has them.
static void order_from(const cg_throw_search *search, int end, cg_factor order[CG_READING_FACTORS])
{
    int pair = search->unordered[end];
    memcpy(order, search->order[end], sizeof search->order[end]);
    if (pair >= 0 && same_factor(&order[pair], &search->order[1 - end][pair + 1])) {
        cg_factor first = order[pair + 1];
        order[pair + 1] = order[pair];
        order[pair] = first;
    }
}

bool cg_throw_search_end(const cg_throw_search *search, cg_throw_row *row)
{
    int n = search->factor_count, count = search->count;
    memset(row, 0, sizeof *row);
    bool is_order_known = search->unordered[0] < 0 || search->unordered[0] != search->unordered[1];
    if (search->failed || search->end != 2 || !is_order_known) {
        return false;
    }
    const int *first_places = search->places[0], *last_places = search->places[1];
    // Upon each other, the innermost throw is lost at about the same place from both ends, or earlier from each than
    // from the other; in a row, the knot lost last from the first end is the one lost first from the last end.
    int span = count - 1 - last_places[0] - first_places[0];
    int overlap = first_places[n - 1] - (count - 1 - last_places[n - 1]);
    if (n > 1 && 2 * overlap > span) {
        row->separate = true;
        return false;
    }
    cg_factor order[2][CG_READING_FACTORS];
    order_from(search, 0, order[0]);
    order_from(search, 1, order[1]);
    for (int i = 0; i < n; i++) {
        if (!same_factor(&order[0][i], &order[1][i])) {
            return false;
        }
        row->factor[n - 1 - i] = order[0][i];
        row->front[n - 1 - i] = first_places[i];
        row->back[n - 1 - i] = count - 1 - last_places[i];
    }
    row->count = n;
    return true;
}

bool cg_throws_find(cg_reader *reader, const cg_vec3 *points, int count, const cg_reading *reading, cg_throw_row *row)
{
    memset(row, 0, sizeof *row);
    if (!cg_reading_has_throws(reading)) {
        return false;
    }
    cg_throw_search search;
    cg_throw_search_begin(&search, points, count, reading);
    while (cg_throw_search_step(&search, reader)) {
    }
    return cg_throw_search_end(&search, row);
}
