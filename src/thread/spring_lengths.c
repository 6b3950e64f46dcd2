// Lengths of a mass-spring thread that hands or holds pull at: kept within its limits in every sub-step, and again
// after contacts have moved it or the way was not free.
//
// Aim: no segment leaves its limits that was within them before the part of a step. A segment that was beyond them (as
// it was made, or set) goes no farther, and its spring brings it back. Where vertices stand, since contacts leave no
// way, all else follows them, the hand that pulls too: it cannot draw a thread out of a tight knot. Without that a knot
// that jammed beside a hand let it go on, and springs were drawn out to 27 times their length; and a loop that contacts
// had stretched round another strand was drawn back through it in every part, and stood for ever.
//
// It is not ensured: sweeps and rounds are few, and where they end too early a segment stays beyond its limits until
// the next part; nothing counts that. Held vertices that are told to be farther apart than the limits allow are moved,
// wherever they were before.
#include <math.h>

#include "base/vec3.h"
#include "thread/model.h"

// Rounding must not make a segment longer than it may be: the limits are kept with this share to spare.
static const double SPARE = 1e-9;
// Sweeps from both sides between two vertices that lead; a stretch that needs more, one that is nearly straight, stands
// or stays beyond its limits.
enum { MOST_SWEEPS = 64 };
// Rounds in which vertices that would be too far from standing ones come to stand too: each may leave a neighbour too
// far. The knots of tests/contact/test_safety.c at its default counts need one, and are the same with 1, 2, 4 and 16.
enum { MOST_ROUNDS = 4 };
// Of its longest, from where on a segment is taut: less than 1 by more than SPARE, since a segment at its limit has
// that. It decides what is counted, not what moves; with 0.99 and 1 - 1e-7 those knots count the same.
static const double TAUT = 0.999;

cg_length_limits cg_springs_limits(const cg_thread *thread)
{
    const cg_model *model = thread->model;
    double length = model->law.rest_length;
    return (cg_length_limits){model->springs.shortest * length * (1 + SPARE),
                              model->springs.longest * length * (1 - SPARE), NULL};
}

static int next_held(const cg_thread *thread, int from, int step)
{
    int i = from + step;
    while (i >= 0 && i < thread->vertex_count && !thread->held[i]) {
        i += step;
    }
    return i;
}

static bool is_within(const cg_thread *thread, const cg_length_limits *limits, int segment)
{
    const cg_vec3 *x = thread->shape.position;
    double length = v3_distance(x[segment], x[segment + 1]);
    if (length <= limits->longest && length >= limits->shortest) {
        return true; // as most are, wherever they were
    }
    cg_length_limits of_it = cg_length_limits_at(limits, segment);
    return length <= of_it.longest * (1 + SPARE) && length >= of_it.shortest * (1 - SPARE);
}

// Held vertices that would ask for more length than there is between them give way, the later one.
static void keep_holds_apart(cg_thread *thread, const cg_length_limits *limits, int first, int next)
{
    cg_vec3 *x = thread->shape.position;
    cg_vec3 way = v3_sub(x[next], x[first]);
    double length = v3_length(way), most = (next - first) * limits->longest;
    double least = next == first + 1 ? limits->shortest : 0, wanted = fmin(fmax(length, least), most);
    if (wanted != length) {
        x[next] = v3_add_scaled(x[first], wanted, v3_unit_or(way, v3(0, 0, -1)));
    }
}

// Vertices between two that lead follow both, by sweeps from either side. False where those were not enough.
static bool fit_between(cg_thread *thread, const cg_length_limits *limits, int first, int next)
{
    for (int k = 0; k < MOST_SWEEPS && next > first + 1; k++) {
        cg_propagate_lengths(thread, limits, next, first + 1);
        if (is_within(thread, limits, first)) {
            return true;
        }
        cg_propagate_lengths(thread, limits, first, next - 1);
        if (is_within(thread, limits, next - 1)) {
            return true;
        }
    }
    return next == first + 1 && is_within(thread, limits, first);
}

// Held vertices lead last: no other vertex moves them, only each other.
static void limit_from_holds(cg_thread *thread, const cg_length_limits *limits)
{
    int last = thread->vertex_count - 1, held = next_held(thread, -1, 1);
    if (held > last) {
        return;
    }
    cg_propagate_lengths(thread, limits, held, 0);
    for (int next = next_held(thread, held, 1); next <= last; held = next, next = next_held(thread, next, 1)) {
        keep_holds_apart(thread, limits, held, next);
        fit_between(thread, limits, held, next);
    }
    if (held < last) {
        cg_propagate_lengths(thread, limits, held, last);
    }
}

static bool is_pulled(const cg_thread *thread)
{
    return thread->grips != NULL || next_held(thread, -1, 1) < thread->vertex_count;
}

static bool are_within(const cg_thread *thread, const cg_length_limits *limits)
{
    for (int i = 0; i < thread->segment_count; i++) {
        if (!is_within(thread, limits, i)) {
            return false;
        }
    }
    return true;
}

// Condition C: from each hand in turn, towards both ends, or up to what is held.
void cg_springs_limit_lengths(cg_thread *thread)
{
    cg_length_limits limits = cg_springs_limits(thread);
    if (!is_pulled(thread) || are_within(thread, &limits)) {
        return;
    }
    limits.were = thread->model->before;
    for (const cg_thread_grip *grip = thread->grips; grip != NULL; grip = grip->next) {
        for (int step = -1; step < 2 && !thread->held[grip->first]; step += 2) {
            int last = next_held(thread, grip->first, step) - step;
            cg_propagate_lengths(thread, &limits, grip->first, last);
        }
    }
    limit_from_holds(thread, &limits);
}

// --- what stands ---

void cg_springs_stand(cg_thread *thread, int first, int last, double share)
{
    cg_model *model = thread->model;
    for (int i = first; i <= last; i++) {
        cg_vec3 way = v3_sub(thread->shape.position[i], model->before[i]);
        thread->shape.position[i] = v3_add_scaled(model->before[i], share, way);
        model->velocity[i] = v3_scale(share, model->velocity[i]);
        model->lightness[i] = 0;
        model->stands[i] = true;
    }
}

static int next_leading(const cg_thread *thread, int from)
{
    int i = from + 1;
    while (i < thread->vertex_count && !thread->held[i] && !thread->model->stands[i]) {
        i++;
    }
    return i;
}

// [m] Between two vertices, all segments as long as they may be.
static double most_between(const cg_length_limits *limits, int first, int next)
{
    double sum = 0;
    for (int i = first; i < next; i++) {
        sum += cg_length_limits_at(limits, i).longest;
    }
    return sum;
}

// A round from all that lead. True when nothing more had to stand.
static bool follow_leading(cg_thread *thread, const cg_length_limits *limits)
{
    const cg_vec3 *x = thread->shape.position;
    int last = thread->vertex_count - 1, lead = next_leading(thread, -1);
    bool is_done = true;
    cg_propagate_lengths(thread, limits, lead, 0);
    for (int next = next_leading(thread, lead); next <= last; lead = next, next = next_leading(thread, next)) {
        bool has_room = v3_distance(x[lead], x[next]) <= most_between(limits, lead, next);
        if (!has_room || !fit_between(thread, limits, lead, next)) {
            is_done = is_done && thread->model->stands[lead] && thread->model->stands[next];
            cg_springs_stand(thread, lead, next, 0);
        }
    }
    if (lead < last) {
        cg_propagate_lengths(thread, limits, lead, last);
    }
    return is_done;
}

void cg_springs_keep_lengths(cg_thread *thread)
{
    cg_length_limits limits = cg_springs_limits(thread);
    limits.were = thread->model->before;
    int last = thread->vertex_count - 1;
    bool has_lead = next_leading(thread, -1) <= last;
    if ((!has_lead && thread->grips == NULL) || are_within(thread, &limits)) {
        return;
    }
    if (!has_lead) {
        cg_propagate_lengths(thread, &limits, thread->grips->first, 0);
        cg_propagate_lengths(thread, &limits, thread->grips->first, last);
        return;
    }
    bool is_kept = false;
    for (int k = 0; k < MOST_ROUNDS && !is_kept; k++) {
        is_kept = follow_leading(thread, &limits) || are_within(thread, &limits);
    }
}

// True when a segment from vertex `first` to `last` is at its longest.
static bool is_taut_between(const cg_thread *thread, int first, int last)
{
    const cg_vec3 *x = thread->shape.position;
    double longest = TAUT * thread->model->springs.longest * thread->model->law.rest_length;
    for (int i = first > 0 ? first : 0; i < last && i < thread->segment_count; i++) {
        if (v3_distance(x[i], x[i + 1]) >= longest) {
            return true;
        }
    }
    return false;
}

bool cg_springs_stand_slack(const cg_thread *thread)
{
    const bool *stands = thread->model->stands;
    for (int i = 0; i < thread->vertex_count; i++) {
        int first = i;
        while (i < thread->vertex_count && stands[i]) {
            i++;
        }
        if (i > first && !is_taut_between(thread, first - 1, i)) {
            return true;
        }
    }
    return false;
}
