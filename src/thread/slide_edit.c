// Vertices beside anchors. Thread that goes through a hole makes the segment on one side of it shorter and that on the
// other longer. One rule for both, and nothing else edits there: what lies between "too short" and "too long" is wider
// than what an edit changes, so nothing is edited where nothing slides.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "thread/part.h"
#include "thread/slide.h"

// Of the segment next to it: shorter, it is joined to that; longer, it is halved.
static const double SHORT = 1, LONG = 2;
// [slips of the last step] Likewise: a segment must be much longer than what goes through a hole in a step.
static const double SHORT_SLIPS = 4, LONG_SLIPS = 12;
// [least lengths] An end segment that is shorter belongs to the one beside it.
static const double STUMP = 2;
// [least lengths] The end of the thread is this near to its last anchor: it goes out.
static const double OUT = 1.01;
// [least lengths] A cut leaves so much thread before or behind an anchor: it does not go out at once.
static const double LEFT = 4;

void cg_slide_follow_splits(cg_thread *thread)
{
    for (int k = 0; k < cg_slide_count(thread); k++) {
        int vertex = thread->slide->anchors[k].vertex, before = 0;
        for (int i = 0; i < vertex; i++) {
            before += thread->mark[i] != 0;
        }
        thread->slide->anchors[k].vertex = vertex + before;
    }
}

void cg_slide_follow_merges(cg_thread *thread)
{
    for (int k = 0; k < cg_slide_count(thread); k++) {
        int vertex = thread->slide->anchors[k].vertex, before = 0;
        for (int i = 0; i < vertex; i++) {
            before += thread->mark[i] != 0;
        }
        thread->slide->anchors[k].vertex = vertex - before;
    }
}

bool cg_slide_keeps(const cg_thread *thread, int vertex)
{
    for (int k = 0; k < cg_slide_count(thread); k++) {
        int away = vertex - thread->slide->anchors[k].vertex;
        if (away >= -1 && away <= 1) {
            return true;
        }
    }
    return false;
}

static bool is_anchor(const cg_thread *thread, int vertex)
{
    for (int k = 0; k < cg_slide_count(thread); k++) {
        if (thread->slide->anchors[k].vertex == vertex) {
            return true;
        }
    }
    return false;
}

bool cg_slide_is_held(const cg_thread *thread, int vertex)
{
    bool held = thread->held[vertex];
    for (const cg_thread_grip *grip = thread->grips; grip != NULL; grip = grip->next) {
        held = held || (vertex >= grip->first && vertex < grip->first + grip->count);
    }
    return held;
}

static bool is_gripped(const cg_thread *thread, int vertex)
{
    return cg_slide_is_held(thread, vertex) || thread->added_mass[vertex] > 0;
}

// Whether something at an end keeps it from going through a hole: a hand or hold, or a mass. What a cut took away is
// added to its ends (part.h) and is no more than a segment and some radii of thread.
static bool stays_outside(const cg_thread *thread, int end)
{
    double stump = thread->linear_density * (thread->spacing.coarse + 8 * thread->radius);
    return cg_slide_is_held(thread, end) || thread->added_mass[end] > stump;
}

// The segment on a side of an anchor, the vertex at its other end, and the segment beyond that.
typedef struct side_of_anchor {
    int edge, outer, beyond; // beyond is -1 at an end of the thread
    double least;            // [m] it may be no shorter
} side_of_anchor;

static side_of_anchor side_at(const cg_thread *thread, const cg_thread_anchor *a, int side)
{
    side_of_anchor s = {.edge = a->vertex - 1 + side, .outer = a->vertex - 1 + 2 * side};
    int beyond = s.outer - 1 + side;
    s.beyond = beyond >= 0 && beyond < thread->segment_count ? beyond : -1;
    s.least = SHORT_SLIPS * fabs(a->slip);
    return s;
}

static bool is_too_short(const cg_thread *thread, const side_of_anchor *s)
{
    double edge = thread->rest_length[s->edge], beyond = thread->rest_length[s->beyond];
    bool is_last = s->outer == 1 || s->outer == thread->vertex_count - 2;
    bool is_stump = is_last && beyond < STUMP * cg_slide_least_length(thread);
    return is_stump || edge < fmax(SHORT * beyond, s->least);
}

static cg_vec3 way_to_line(const cg_thread *thread, int vertex)
{
    const cg_vec3 *x = thread->shape.position;
    const double *rest = thread->rest_length;
    double share = rest[vertex - 1] / (rest[vertex - 1] + rest[vertex]);
    cg_vec3 on_line = v3_add_scaled(x[vertex - 1], share, v3_sub(x[vertex + 1], x[vertex - 1]));
    return v3_sub(on_line, x[vertex]);
}

// Nothing slides at a portal: its segments keep their lengths.
static int count_sliding(const cg_thread *thread)
{
    return cg_slide_is_portal(thread) ? 0 : cg_slide_count(thread);
}

int cg_slide_mark_merges(cg_thread *thread)
{
    int count = 0;
    for (int k = 0; k < count_sliding(thread); k++) {
        for (int side = 0; side < 2; side++) {
            side_of_anchor s = side_at(thread, &thread->slide->anchors[k], side);
            if (s.beyond < 0 || is_anchor(thread, s.outer) || is_gripped(thread, s.outer) ||
                !is_too_short(thread, &s)) {
                continue;
            }
            if (!thread->mark[s.outer - 1] && !thread->mark[s.outer] && !thread->mark[s.outer + 1]) {
                thread->mark[s.outer] = 1;
                thread->move[s.outer] = way_to_line(thread, s.outer);
                count++;
            }
        }
    }
    return count;
}

int cg_slide_mark_splits(cg_thread *thread)
{
    int count = 0, room = thread->most_vertices - thread->vertex_count;
    for (int k = 0; k < count_sliding(thread); k++) {
        const cg_thread_anchor *a = &thread->slide->anchors[k];
        for (int side = 0; side < 2; side++) {
            side_of_anchor s = side_at(thread, a, side);
            double rest = thread->rest_length[s.edge];
            double next = s.beyond >= 0 && !is_anchor(thread, s.outer) ? thread->rest_length[s.beyond] : HUGE_VAL;
            double longest = fmax(LONG * fmin(next, thread->spacing.coarse), LONG_SLIPS * fabs(a->slip));
            if (rest > longest && !a->straight[side] && thread->mark[s.edge] == 0 && count < room) {
                thread->mark[s.edge] = 1;
                count++;
            }
        }
    }
    return count;
}

static void take_out(cg_thread_slide *slide, int k)
{
    if (k > 0 && k + 1 < slide->count) { // the last one of an end leaves the span that it had inside
        slide->anchors[k - 1].straight[1] = slide->anchors[k + 1].straight[0] = false;
    }
    memmove(&slide->anchors[k], &slide->anchors[k + 1], sizeof slide->anchors[0] * (size_t)(slide->count - k - 1));
    slide->count--;
}

int cg_slide_let_go(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    int before = cg_slide_count(thread);
    double out = OUT * cg_slide_least_length(thread);
    if (cg_slide_is_portal(thread)) {
        return cg_portal_let_through(thread);
    }
    for (int side = 0; side < 2 && cg_slide_count(thread) > 0; side++) {
        int k = side == 0 ? 0 : slide->count - 1, end = side == 0 ? 0 : thread->vertex_count - 1;
        side_of_anchor s = side_at(thread, &slide->anchors[k], side);
        if (s.outer == end && !stays_outside(thread, end) && thread->rest_length[s.edge] <= out) {
            take_out(slide, k);
        }
    }
    if (before > cg_slide_count(thread)) {
        cg_thread_update_lengths(thread);
    }
    return before - cg_slide_count(thread);
}

void cg_slide_take_out(cg_thread *thread, int k)
{
    take_out(thread->slide, k);
    cg_thread_update_lengths(thread);
}

void cg_slide_drop(cg_thread *thread, int tissue)
{
    for (int k = cg_slide_count(thread) - 1; k >= 0; k--) {
        cg_thread_anchor *a = &thread->slide->anchors[k];
        if (a->tissue == tissue) {
            take_out(thread->slide, k);
        } else if (a->tissue > tissue) {
            a->tissue--;
        }
    }
    if (thread->slide != NULL) {
        cg_thread_update_lengths(thread);
    }
}

// An anchor of the first part has thread behind it, up to the cut; one of the second part before it.
bool cg_slide_may_cut(const cg_thread *thread, const cg_thread_cut *cut)
{
    double least = LEFT * cg_slide_least_length(thread);
    bool may = true;
    for (int k = 0; k < cg_slide_count(thread) && may; k++) {
        const cg_thread_anchor *a = &thread->slide->anchors[k];
        double behind = cut->ends[0] - thread->arc[a->vertex], before = thread->arc[a->vertex] - cut->ends[1];
        bool is_at_first = a->vertex == cut->count - 2 && a->straight[1];
        bool is_at_second = a->vertex == cut->offset + 1 && a->straight[0];
        may = (behind >= least && !is_at_first) || (before >= least && !is_at_second);
    }
    return may;
}

// The second part begins at this arc length; what the first one names beyond its end is nowhere.
static void part_freed(const cg_thread_slide *slide, double start, cg_thread_slide *rest)
{
    rest->freed_count = 0;
    for (int k = 0; slide != NULL && k < slide->freed_count; k++) {
        cg_thread_stretch freed = {slide->freed[k].from - start, slide->freed[k].to - start};
        if (freed.to > 0) {
            rest->freed[rest->freed_count++] = (cg_thread_stretch){freed.from > 0 ? freed.from : 0, freed.to};
        }
    }
}

void cg_slide_part(cg_thread *thread, const cg_thread_cut *cut, cg_thread *rest)
{
    int kept = 0;
    if (rest->slide != NULL) {
        rest->slide->count = 0; // of an earlier life
        rest->slide->follows[0] = rest->slide->follows[1] = false;
        rest->slide->mouth[0] = rest->slide->mouth[1] = 0;
        part_freed(thread->slide, cut->ends[1], rest->slide);
    }
    for (int k = 0; k < cg_slide_count(thread); k++) {
        cg_thread_anchor a = thread->slide->anchors[k];
        if (a.vertex < cut->count - 1) {
            thread->slide->anchors[kept++] = a;
        } else {
            assert(rest->slide != NULL && a.vertex > cut->offset);
            a.vertex -= cut->offset;
            rest->slide->anchors[rest->slide->count++] = a;
        }
    }
    if (thread->slide != NULL) {
        thread->slide->count = kept;
    }
}
