// How far thread slides through its anchors in a pass.
//
// The pass moves the thread by dx = A^-1 b when nothing slides. A segment e at an anchor that is longer by dl pulls
// less, by its stiffness EA/l times dl, so that all vertices go by q_e dl with
//
//     A q_e = EA/l (t at its second vertex, -t at its first),
//
// and its pull and that of the others change by W dl,  W_ef = EA/l_e (t_e . (q_f at second - q_f at first) - [e = f]).
// Slips d change lengths by P d: -1 for the segment before an anchor, +1 for the one behind. So the law at every anchor
// is linear in d as long as it is known which way it slides, and which segments are at their least length; that is
// found by trying (principal pivoting): solve for the present guess, turn what it breaks, all at once first, then one
// by one in a fixed order, which ends where the law has one solution. Slack spans come first in that order: one that
// pushes, which none does, moves what is beside it the wrong way, and anchors there would turn for ever.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec3.h"
#include "thread/slide.h"

// Guesses that are turned all at once, and at most.
enum { TURNS_AT_ONCE = 8, MOST_TURNS = 64 };
// Of the pulls: a law that is broken by less is kept. Where a thread is slack all its pulls are next to none, and what
// is left of them is rounding: so the same share of its stiffness is none either.
static const double ROUNDING = 1e-12;
// [lengths] likewise; [radii] of what has slid or is too long.
static const double LENGTH_ROUNDING = 1e-12;

void cg_slide_find_responses(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    cg_band_push pushes[CG_MOST_SLIDE_SEGMENTS];
    cg_vec3 *answers[CG_MOST_SLIDE_SEGMENTS];
    for (int f = 0; f < slide->segment_count; f++) {
        int i = slide->segments[f];
        cg_vec3 push = v3_scale(thread->stretch_rate[i], thread->shape.tangent[i]);
        answers[f] = slide->basis + (size_t)f * (size_t)thread->most_vertices;
        pushes[f] =
            (cg_band_push){i, {thread->held[i] ? v3_zero() : v3_neg(push), thread->held[i + 1] ? v3_zero() : push}};
    }
    cg_band_answer_pushes(&thread->factor, pushes, slide->segment_count, answers);
    for (int f = 0; f < slide->segment_count; f++) {
        const cg_vec3 *q = answers[f];
        for (int e = 0; e < slide->segment_count; e++) {
            int j = slide->segments[e];
            double longer = v3_dot(thread->shape.tangent[j], v3_sub(q[j + 1], q[j]));
            slide->rate[e][f] = thread->stretch_rate[j] * (longer - (e == f ? 1.0 : 0.0));
        }
    }
}

// One equation for each anchor, for each segment at its least length, and for each that is slack, in rows of the
// system; columns are slips, forces at the shortest segments, what slack ones are too long by, and right-hand sides.
typedef struct equations {
    int size, stride;
    int press_column[CG_MOST_SLIDE_SEGMENTS]; // per segment; -1: none
    int loose_column[CG_MOST_SLIDE_SEGMENTS]; // likewise
    double *row0;
} equations;

static double *row_of(const equations *eq, int row)
{
    return eq->row0 + (size_t)row * (size_t)eq->stride;
}

// A segment is kept at its least length by what slides at its ends; where nothing does, its length is what it is.
static bool can_be_shortest(const cg_thread_slide *slide, int e)
{
    for (int k = 0; k < slide->count; k++) {
        const cg_thread_anchor *a = &slide->anchors[k];
        if (a->way != 0 && (a->sides[0] == e || a->sides[1] == e)) {
            return true;
        }
    }
    return false;
}

// What an anchor that is not solved for goes by in this pass: to where it was, or to where its law says.
static double given_slide(const cg_thread_anchor *a)
{
    return a->is_jammed ? 0 : (a->is_driven ? a->drift - a->slip : -a->slip);
}

static equations begin_equations(cg_thread_slide *slide, int sides)
{
    equations eq = {.size = slide->count, .row0 = slide->system};
    for (int e = 0; e < slide->segment_count; e++) {
        slide->shortest[e] = slide->shortest[e] && can_be_shortest(slide, e);
        eq.press_column[e] = slide->shortest[e] ? eq.size++ : -1;
        eq.loose_column[e] = slide->slack[e] ? eq.size++ : -1;
    }
    eq.stride = eq.size + sides;
    memset(eq.row0, 0, sizeof(double) * (size_t)eq.size * (size_t)eq.stride);
    return eq;
}

// Adds `share` of the pull of a segment to a row.
static void add_pull(const cg_thread_slide *slide, const equations *eq, int row, int e, double share)
{
    double *r = row_of(eq, row);
    for (int k = 0; k < slide->count; k++) {
        const int *sides = slide->anchors[k].sides;
        r[k] += share * (slide->rate[e][sides[1]] - slide->rate[e][sides[0]]);
    }
    for (int f = 0; f < slide->segment_count; f++) {
        if (eq->loose_column[f] >= 0) {
            r[eq->loose_column[f]] += share * slide->rate[e][f];
        }
    }
}

// The same of the pull that the law sees: with the force of one that is at its least length.
static void add_felt_pull(const cg_thread_slide *slide, const equations *eq, int row, int e, double share)
{
    add_pull(slide, eq, row, e, share);
    if (eq->press_column[e] >= 0) {
        row_of(eq, row)[eq->press_column[e]] += share;
    }
}

// What slides feels the pull on the side that it leaves, unless that one pushes. A span that can only pull never does,
// and the force that keeps a segment at its least length is felt: else nothing would say how large it is.
static bool is_felt(const cg_thread_slide *slide, const cg_thread_anchor *a, int side)
{
    return slide->pulls_only[a->sides[side]] || slide->shortest[a->sides[side]];
}

// Before the guess is solved for: of a segment that turned.
static void count_felt(cg_thread_slide *slide)
{
    for (int k = 0; k < slide->count; k++) {
        cg_thread_anchor *a = &slide->anchors[k];
        int low = a->way > 0 ? 0 : 1;
        a->counts[low] = a->counts[low] || is_felt(slide, a, low);
    }
}

static void fill_equations(const cg_thread *thread, const equations *eq)
{
    const cg_thread_slide *slide = thread->slide;
    for (int k = 0; k < slide->count; k++) {
        const cg_thread_anchor *a = &slide->anchors[k];
        if (a->way == 0) {
            row_of(eq, k)[k] = 1;
            continue;
        }
        int low = a->way > 0 ? 0 : 1;
        add_felt_pull(slide, eq, k, a->sides[1 - low], 1);
        if (a->counts[low]) {
            add_felt_pull(slide, eq, k, a->sides[low], -a->ratio);
        }
    }
    for (int e = 0; e < slide->segment_count; e++) {
        for (int k = 0; k < slide->count && eq->press_column[e] >= 0; k++) {
            const int *sides = slide->anchors[k].sides;
            row_of(eq, eq->press_column[e])[k] = sides[0] == e ? -1 : (sides[1] == e ? 1 : 0);
        }
        if (eq->loose_column[e] >= 0) {
            add_pull(slide, eq, eq->loose_column[e], e, 1);
        }
    }
}

// What the rows are to be, in the column behind the unknowns.
static void fill_side(const cg_thread *thread, const equations *eq)
{
    const cg_thread_slide *slide = thread->slide;
    for (int k = 0; k < slide->count; k++) {
        const cg_thread_anchor *a = &slide->anchors[k];
        int low = a->way > 0 ? 0 : 1;
        double kept = a->counts[low] ? a->ratio * slide->pull[a->sides[low]] : 0;
        row_of(eq, k)[eq->size] = a->way == 0 ? given_slide(a) : a->grip - slide->pull[a->sides[1 - low]] + kept;
    }
    for (int e = 0; e < slide->segment_count; e++) {
        if (eq->press_column[e] >= 0) {
            double length = thread->rest_length[slide->segments[e]];
            row_of(eq, eq->press_column[e])[eq->size] = cg_slide_least_length(thread) - length;
        }
        if (eq->loose_column[e] >= 0) {
            row_of(eq, eq->loose_column[e])[eq->size] = -slide->pull[e];
        }
    }
}

static void swap_rows(const equations *eq, int a, int b)
{
    for (int c = 0; a != b && c < eq->stride; c++) {
        double kept = row_of(eq, a)[c];
        row_of(eq, a)[c] = row_of(eq, b)[c];
        row_of(eq, b)[c] = kept;
    }
}

// Solves for all right-hand sides in place, with the largest pivots. False when there is none.
static bool solve_equations(const equations *eq)
{
    for (int p = 0; p < eq->size; p++) {
        int best = p;
        for (int r = p + 1; r < eq->size; r++) {
            best = fabs(row_of(eq, r)[p]) > fabs(row_of(eq, best)[p]) ? r : best;
        }
        swap_rows(eq, p, best);
        double *pivot = row_of(eq, p);
        if (!(fabs(pivot[p]) > 0 && fabs(pivot[p]) < HUGE_VAL)) {
            return false;
        }
        for (int c = eq->stride - 1; c >= p; c--) {
            pivot[c] /= pivot[p];
        }
        for (int r = 0; r < eq->size; r++) {
            double *row = row_of(eq, r), by = row[p];
            for (int c = p; r != p && by != 0 && c < eq->stride; c++) {
                row[c] -= by * pivot[c];
            }
        }
    }
    return true;
}

static bool solve_guess(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    equations eq = begin_equations(slide, 1);
    count_felt(slide);
    fill_equations(thread, &eq);
    fill_side(thread, &eq);
    if (!solve_equations(&eq)) {
        return false;
    }
    for (int k = 0; k < slide->count; k++) {
        slide->anchors[k].slide = row_of(&eq, k)[eq.size];
    }
    for (int e = 0; e < slide->segment_count; e++) {
        slide->press[e] = eq.press_column[e] >= 0 ? row_of(&eq, eq.press_column[e])[eq.size] : 0;
        slide->loose[e] = eq.loose_column[e] >= 0 ? row_of(&eq, eq.loose_column[e])[eq.size] : 0;
    }
    return true;
}

// [m] by which a segment gets longer by the slips.
static double growth_of(const cg_thread_slide *slide, int e)
{
    double growth = 0;
    for (int k = 0; k < slide->count; k++) {
        const cg_thread_anchor *a = &slide->anchors[k];
        growth += a->sides[1] == e ? a->slide : (a->sides[0] == e ? -a->slide : 0);
    }
    return growth;
}

// How much longer all segments are by slips, and by what slack ones are too long.
typedef struct growths {
    double by[CG_MOST_SLIDE_SEGMENTS];
} growths;

static growths growths_of(const cg_thread_slide *slide)
{
    growths all = {.by = {0}};
    for (int f = 0; f < slide->segment_count; f++) {
        all.by[f] = growth_of(slide, f) + slide->loose[f];
    }
    return all;
}

static double pull_after(const cg_thread_slide *slide, const growths *all, int e)
{
    double pull = slide->pull[e];
    for (int f = 0; f < slide->segment_count; f++) {
        pull += slide->rate[e][f] * all->by[f];
    }
    return pull;
}

static double felt_pull(const cg_thread_slide *slide, const growths *all, int e)
{
    return (slide->slack[e] ? 0 : pull_after(slide, all, e)) + slide->press[e];
}

// [N] What is none.
static double no_pull(const cg_thread *thread)
{
    return ROUNDING * thread->stretch_stiffness;
}

// Which way an anchor is to slide after the last solution.
static int wanted_way(const cg_thread *thread, const cg_thread_anchor *a, const double pulls[2])
{
    double after = a->slip + a->slide;
    if (a->is_driven || a->is_jammed) {
        return 0;
    }
    if (a->way != 0) {
        return a->way * after < -LENGTH_ROUNDING * thread->radius ? 0 : a->way;
    }
    double spare = ROUNDING * (fabs(pulls[0]) + fabs(pulls[1])) + no_pull(thread);
    for (int low = 0; low < 2; low++) {
        double most = a->ratio * fmax(pulls[low], 0) + a->grip;
        if (pulls[1 - low] > most + spare) {
            return low == 0 ? 1 : -1;
        }
    }
    return 0;
}

// Each turns the guesses of its kind that the last solution breaks; the first only, when it is late. They return how
// many, with those `turned` before.

static int turn_slack(const cg_thread *thread, const growths *all, bool is_late, int turned)
{
    cg_thread_slide *slide = thread->slide;
    for (int e = 0; e < slide->segment_count && !(is_late && turned > 0); e++) {
        double spare = ROUNDING * fabs(slide->pull[e]) + no_pull(thread);
        bool slack = slide->slack[e] ? slide->loose[e] <= LENGTH_ROUNDING * thread->radius
                                     : slide->pulls_only[e] && pull_after(slide, all, e) < -spare;
        turned += slack != slide->slack[e];
        slide->slack[e] = slack;
    }
    return turned;
}

static int turn_shortest(const cg_thread *thread, bool is_late, int turned)
{
    cg_thread_slide *slide = thread->slide;
    double least = cg_slide_least_length(thread);
    for (int e = 0; e < slide->segment_count && !(is_late && turned > 0); e++) {
        double rest = thread->rest_length[slide->segments[e]];
        bool shortest = slide->shortest[e] ? slide->press[e] >= -no_pull(thread)
                                           : rest + growth_of(slide, e) < least - LENGTH_ROUNDING * rest;
        turned += shortest != slide->shortest[e];
        slide->shortest[e] = shortest;
    }
    return turned;
}

static int turn_anchors(const cg_thread *thread, const growths *all, bool is_late, int turned)
{
    cg_thread_slide *slide = thread->slide;
    for (int k = 0; k < slide->count && !(is_late && turned > 0); k++) {
        cg_thread_anchor *a = &slide->anchors[k];
        double pulls[2] = {felt_pull(slide, all, a->sides[0]), felt_pull(slide, all, a->sides[1])};
        int way = wanted_way(thread, a, pulls), low = way > 0 ? 0 : 1;
        bool counts = is_felt(slide, a, low) || pulls[low] >= (a->counts[low] ? -no_pull(thread) : no_pull(thread));
        turned += way != a->way || (way != 0 && counts != a->counts[low]);
        a->way = way;
        a->counts[low] = counts;
    }
    return turned;
}

// True when there was none to turn.
static bool turn_guesses(cg_thread *thread, bool is_late)
{
    growths all = growths_of(thread->slide); // guesses change no slip
    int turned = turn_slack(thread, &all, is_late, 0);
    turned = turn_shortest(thread, is_late, turned);
    return turn_anchors(thread, &all, is_late, turned) == 0;
}

// Nothing slides in this pass, and what slid before in this step goes back.
static void stick(cg_thread_slide *slide)
{
    for (int k = 0; k < slide->count; k++) {
        slide->anchors[k].way = 0;
        slide->anchors[k].slide = given_slide(&slide->anchors[k]);
    }
    memset(slide->shortest, 0, sizeof slide->shortest);
    memset(slide->slack, 0, sizeof slide->slack);
    memset(slide->press, 0, sizeof slide->press);
    memset(slide->loose, 0, sizeof slide->loose);
}

static bool try_guesses(cg_thread *thread, int at_once)
{
    for (int turn = 0; turn < MOST_TURNS && solve_guess(thread); turn++) {
        if (turn_guesses(thread, turn >= at_once)) {
            return true;
        }
    }
    return false;
}

// What an anchor feels of a segment: one that can only pull does not push.
static double plain_pull(const cg_thread_slide *slide, const growths *all, int e)
{
    double pull = pull_after(slide, all, e);
    return slide->pulls_only[e] && pull < 0 ? 0 : pull;
}

// Where the slip of one anchor leads while the others stay: on to where the law holds, or back, but not beyond nothing.
static double slip_alone(const cg_thread_slide *slide, const growths *all, const cg_thread_anchor *a)
{
    int before = a->sides[0], after = a->sides[1];
    double slip = a->slip + a->slide, p0 = plain_pull(slide, all, before), p1 = plain_pull(slide, all, after);
    double d0 = slide->rate[before][after] - slide->rate[before][before];
    double d1 = slide->rate[after][after] - slide->rate[after][before];
    double on = p1 - a->ratio * fmax(p0, 0) - a->grip, back = p0 - a->ratio * fmax(p1, 0) - a->grip;
    if (slip > 0 || (slip == 0 && on > 0)) {
        return fmax(0, slip + on / (a->ratio * d0 - d1));
    }
    return slip < 0 || back > 0 ? fmin(0, slip - back / (d0 - a->ratio * d1)) : 0;
}

// Anchor by anchor, until nothing changes: slower, and no span gives way or presses, but it always leads somewhere.
static void slide_one_by_one(cg_thread *thread)
{
    enum { SWEEPS = 200 };
    cg_thread_slide *slide = thread->slide;
    double least = cg_slide_least_length(thread), most = 1;
    stick(slide);
    growths all = growths_of(slide);
    for (int sweep = 0; sweep < SWEEPS && most > 1e-9 * thread->radius; sweep++) {
        most = 0;
        for (int k = 0; k < slide->count; k++) {
            cg_thread_anchor *a = &slide->anchors[k];
            if (a->is_driven || a->is_jammed) {
                continue;
            }
            double way = slip_alone(slide, &all, a) - a->slip - a->slide;
            int shrinks = a->sides[way > 0 ? 0 : 1];
            double room = fmax(0, thread->rest_length[slide->segments[shrinks]] + growth_of(slide, shrinks) - least);
            way = fabs(way) > room ? copysign(room, way) : way;
            a->slide += way;
            for (int side = 0; side < 2; side++) {
                all.by[a->sides[side]] = growth_of(slide, a->sides[side]) + slide->loose[a->sides[side]];
            }
            a->way = a->slip + a->slide > 0 ? 1 : (a->slip + a->slide < 0 ? -1 : 0);
            most = fmax(most, fabs(way));
        }
    }
}

// The guesses of the last pass may lead round in a circle: then anew from where nothing slides, one by one.
static void find_slips(cg_thread *thread)
{
    if (try_guesses(thread, TURNS_AT_ONCE)) {
        return;
    }
    stick(thread->slide);
    if (!try_guesses(thread, 0)) {
        slide_one_by_one(thread);
    }
}

static void find_forces(cg_thread *thread)
{
    for (int k = 0; k < thread->slide->count; k++) {
        cg_thread_anchor *a = &thread->slide->anchors[k];
        cg_vec3 there = v3_add(thread->shape.position[a->vertex], thread->move[a->vertex]);
        a->force = m3_apply(a->stiffness, v3_sub(there, a->target));
    }
}

// Goes by two vectors at a time: one after the other would read and write all the motions once more for each.
static void add_two(double *restrict move, const double *restrict q, double by, const double *restrict next,
                    double then, int count)
{
    for (int i = 0; i < count; i++) {
        move[i] = (move[i] + by * q[i]) + then * next[i];
    }
}

static void add_one(double *restrict move, const double *restrict q, double by, int count)
{
    for (int i = 0; i < count; i++) {
        move[i] = move[i] + by * q[i];
    }
}

// The motion by what segments at anchors get longer.
static void follow_slips(cg_thread *thread)
{
    const cg_thread_slide *slide = thread->slide;
    const growths all = growths_of(slide);
    const double *waiting = NULL;
    double *move = &thread->move[0].x, by = 0;
    int count = 3 * thread->vertex_count;
    for (int e = 0; e < slide->segment_count; e++) {
        const double *q = &slide->basis[(size_t)e * (size_t)thread->most_vertices].x;
        double growth = all.by[e];
        if (growth != 0 && waiting != NULL) {
            add_two(move, waiting, by, q, growth, count);
            waiting = NULL;
        } else if (growth != 0) {
            waiting = q;
            by = growth;
        }
    }
    if (waiting != NULL) {
        add_one(move, waiting, by, count);
    }
}

void cg_slide_solve(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    const cg_thread_shape *shape = &thread->shape;
    if (cg_slide_is_portal(thread)) {
        cg_portal_find_forces(thread);
        return;
    }
    for (int e = 0; e < slide->segment_count; e++) {
        int i = slide->segments[e];
        double longer = v3_dot(shape->tangent[i], v3_sub(thread->move[i + 1], thread->move[i]));
        slide->pull[e] = thread->stretch_rate[i] * (shape->length[i] + longer - thread->rest_length[i]);
    }
    find_slips(thread);
    follow_slips(thread);
    find_forces(thread);
}

uint64_t cg_slide_guess(const cg_thread *thread)
{
    const cg_thread_slide *slide = thread->slide;
    cg_hash guess = cg_hash_begin();
    for (int k = 0; k < slide->count; k++) {
        const cg_thread_anchor *a = &slide->anchors[k];
        bool counts = a->way != 0 && a->counts[a->way > 0 ? 0 : 1]; // where nothing slides neither side is asked
        cg_hash_add_u64(&guess, (uint64_t)(a->way + 1) + (counts ? 4 : 0));
    }
    for (int e = 0; e < slide->segment_count; e++) {
        cg_hash_add_u64(&guess, (slide->shortest[e] ? 1u : 0u) + (slide->slack[e] ? 2u : 0u));
    }
    return cg_hash_end(&guess);
}

int cg_slide_jam_turned(cg_thread *thread)
{
    int jammed = 0;
    for (int k = 0; k < thread->slide->count; k++) {
        cg_thread_anchor *a = &thread->slide->anchors[k];
        if (a->way != a->given && !a->is_jammed) {
            a->is_jammed = true;
            a->way = 0;
            jammed++;
        }
    }
    return jammed;
}

bool cg_slide_is_jammed(const cg_thread *thread)
{
    bool is_any = false;
    for (int k = 0; k < cg_slide_count(thread) && !is_any; k++) {
        is_any = thread->slide->anchors[k].is_jammed;
    }
    return is_any;
}

void cg_slide_free_jammed(cg_thread *thread)
{
    for (int k = 0; k < thread->slide->count; k++) {
        thread->slide->anchors[k].is_jammed = false;
    }
}

// A force elsewhere changes the pull of segment f by what q_f is there; the equations of the laws then say how far
// anchors slide.
void cg_slide_find_give(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    int segments = slide->segment_count;
    equations eq = begin_equations(slide, segments);
    slide->given = cg_slide_guess(thread);
    slide->is_uneven = false;
    if (segments == 0) {
        return;
    }
    fill_equations(thread, &eq);
    for (int k = 0; k < slide->count; k++) {
        cg_thread_anchor *a = &slide->anchors[k];
        int low = a->way > 0 ? 0 : 1;
        a->given = a->way;
        if (a->way != 0) {
            row_of(&eq, k)[eq.size + a->sides[1 - low]] = -1;
            row_of(&eq, k)[eq.size + a->sides[low]] = a->counts[low] ? a->ratio : 0;
            slide->is_uneven = slide->is_uneven || !(a->counts[low] && a->ratio == 1);
        }
    }
    for (int e = 0; e < segments; e++) {
        if (eq.loose_column[e] >= 0) {
            row_of(&eq, eq.loose_column[e])[eq.size + e] = -1;
        }
    }
    bool is_solved = solve_equations(&eq);
    for (int e = 0; e < segments; e++) {
        for (int f = 0; f < segments; f++) {
            slide->give[e][f] = is_solved && eq.loose_column[e] >= 0 ? row_of(&eq, eq.loose_column[e])[eq.size + f] : 0;
            for (int k = 0; k < slide->count && is_solved; k++) {
                const int *sides = slide->anchors[k].sides;
                double by = row_of(&eq, k)[eq.size + f];
                slide->give[e][f] += sides[1] == e ? by : (sides[0] == e ? -by : 0);
            }
        }
    }
}
