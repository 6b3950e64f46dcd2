// Anchors of threads in tissue, as rows of the problem of contacts. See tie.h.
#include "laws/tie.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mat3.h"
#include "base/vec3.h"
#include "linalg/wide.h"
#include "thread/slide.h"

// [stretch stiffnesses] How stiff a point that cannot move holds the thread: off by a ten thousandth of what the thread
// itself gives.
static const double RIGID = 1e4;
// [radii] As for touches (island/skins.c).
static const double MOST_STRAY = 0.1;

static int corner_of(const cg_skin *skin, const cg_thread_anchor *a, int k)
{
    return skin->tissue->mesh->triangles[a->triangle].nodes[k];
}

void cg_touch_note_ties(cg_touch_set *set)
{
    for (int k = 0; k < set->cast.skin_count; k++) {
        set->cast.skins[k]->tie_count = set->cast.skins[k]->lost_ties = 0;
    }
    for (int c = 0; c < set->cast.thread_count; c++) {
        for (int i = 0; i < cg_slide_count(set->cast.threads[c]); i++) {
            const cg_thread_anchor *a = &set->cast.threads[c]->slide->anchors[i];
            cg_skin *skin = set->cast.skins[a->tissue];
            if (skin->tie_count < CG_SKIN_MOST_TIES) {
                skin->tied[skin->tie_count++] = a->triangle;
            } else {
                skin->lost_ties++;
            }
        }
    }
}

// D = sum of w^2 C over the corners.
static cg_mat3 own_give(cg_skin *skin, const cg_thread_anchor *a)
{
    cg_mat3 give = m3_zero();
    for (int k = 0; k < 3; k++) {
        double w = a->weights[k];
        give = m3_add(give, m3_scale(w * w, *cg_skin_give(skin, corner_of(skin, a, k))));
    }
    return give;
}

// Where the point would be without the force of its own anchor.
static cg_vec3 free_place(cg_skin *skin, const cg_thread_anchor *a, cg_mat3 own)
{
    const cg_tissue *tissue = skin->tissue;
    cg_vec3 place = v3_neg(m3_apply(own, a->force));
    for (int k = 0; k < 3; k++) {
        int n = corner_of(skin, a, k);
        cg_vec3 to = v3_add(skin->start[n], skin->foreseen[n]);
        cg_vec3 more = tissue->has_held ? v3_sub(skin->force[n], tissue->held[n]) : skin->force[n];
        to = v3_add(to, m3_apply(*cg_skin_give(skin, n), more));
        place = v3_add_scaled(place, a->weights[k], to);
    }
    return place;
}

// Where the point goes by the forces of the step before: portals are told no more (thread/portal.c).
static cg_vec3 late_place(const cg_skin *skin, const cg_thread_anchor *a)
{
    cg_vec3 place = v3_zero();
    for (int k = 0; k < 3; k++) {
        int n = corner_of(skin, a, k);
        place = v3_add_scaled(place, a->weights[k], v3_add(skin->start[n], skin->foreseen[n]));
    }
    return place;
}

static void aim_tie(cg_thread *thread, cg_skin *skin, cg_thread_anchor *a)
{
    if (cg_slide_is_portal(thread)) {
        a->target = late_place(skin, a);
        return;
    }
    cg_mat3 give = own_give(skin, a);
    double least = thread->stretch_rate[a->vertex] > thread->stretch_rate[a->vertex - 1]
                       ? thread->stretch_rate[a->vertex]
                       : thread->stretch_rate[a->vertex - 1];
    double rigid = RIGID * (least > 0 ? least : thread->stretch_stiffness / thread->rest_length[a->vertex]);
    a->target = free_place(skin, a, give);
    if (!m3_invert(give, &a->stiffness)) {
        a->stiffness = m3_diagonal(rigid, rigid, rigid);
    }
}

void cg_touch_aim_ties(cg_touch_set *set)
{
    for (int c = 0; c < set->cast.thread_count; c++) {
        cg_thread *thread = set->cast.threads[c];
        for (int i = 0; !thread->done && i < cg_slide_count(thread); i++) {
            cg_thread_anchor *a = &thread->slide->anchors[i];
            aim_tie(thread, set->cast.skins[a->tissue], a);
        }
    }
}

void cg_touch_push_ties(cg_touch_set *set, int thread)
{
    assert(thread >= 0 && thread < set->cast.thread_count);
    for (int i = 0; i < cg_slide_count(set->cast.threads[thread]) && skins_are_asked(set); i++) {
        const cg_thread_anchor *a = &set->cast.threads[thread]->slide->anchors[i];
        cg_skin_push(set->cast.skins[a->tissue], a->triangle, a->weights, a->force);
    }
}

// Puts the motion of a side of a touch for each metre of length of the segments at anchors, in the shares `by`, into
// its row of `rows`: along its axes.
static void add_reach(const cg_touch_set *set, const cg_thread *thread, int w, int side, const double *by, double *rows)
{
    const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
    int vertex = touch_segment(touch, side);
    double sign = side == 0 ? 1.0 : -1.0, fraction = touch->fraction[side];
    cg_vec3 moved = v3_zero();
    for (int f = 0; f < thread->slide->segment_count; f++) {
        const cg_vec3 *q = thread->slide->basis + (size_t)f * (size_t)thread->most_vertices;
        if (by[f] != 0) {
            moved = v3_add_scaled(moved, by[f] * (1 - fraction), q[vertex]);
            moved = v3_add_scaled(moved, by[f] * fraction, q[vertex + 1]);
        }
    }
    for (int k = 0; k < 3; k++) {
        rows[3 * w + k] += sign * v3_dot(touch->axes[k], moved);
    }
}

static void fill_reach(const cg_touch_set *set, int chain, const double *by, double *rows)
{
    memset(rows, 0, sizeof(double) * 3 * (size_t)set->problem.working_count);
    for (int w = 0; w < set->problem.working_count; w++) {
        for (int side = 0; side < 2; side++) {
            if (touch_thread(&set->rows.touches[set->problem.working[w]], side) == chain) {
                add_reach(set, set->cast.threads[chain], w, side, by, rows);
            }
        }
    }
}

// row += by[0] vectors[0], then by[1] vectors[1] and so on: each entry sees them one by one, in one pass over the row.
CG_WIDE_BODY void add_vectors_body(double *row, int columns, const double *by, const double *const *vectors, int count)
{
    int c = 0;
    for (; c + 8 <= columns; c += 8) {
        quad here = QUAD(row + c), next = QUAD(row + c + 4);
        for (int v = 0; v < count; v++) {
            here += by[v] * QUAD(vectors[v] + c);
            next += by[v] * QUAD(vectors[v] + c + 4);
        }
        QUAD_OUT(row + c) = here;
        QUAD_OUT(row + c + 4) = next;
    }
    for (; c < columns; c++) {
        double sum = row[c];
        for (int v = 0; v < count; v++) {
            sum += by[v] * vectors[v][c];
        }
        row[c] = sum;
    }
}
CG_WIDE_PAIR(static, add_vectors, (double *row, int columns, const double *by, const double *const *vectors, int count),
             (row, columns, by, vectors, count))

// Q += J q B (J q)^T for `count` segments from `first` on, one after the other.
static void couple_segments(cg_touch_set *set, int thread, int first, int count)
{
    const cg_thread_slide *slide = set->cast.threads[thread]->slide;
    int columns = 3 * set->problem.working_count;
    double *reach = set->problem.slip_rows, *answers = reach + CG_SLIPS_AT_ONCE * columns;
    for (int s = 0; s < count; s++) {
        double own[CG_MOST_SLIDE_SEGMENTS] = {0};
        own[first + s] = 1;
        fill_reach(set, thread, own, reach + s * columns);
        fill_reach(set, thread, slide->give[first + s], answers + s * columns);
    }
    for (int r = 0; r < columns; r++) {
        double by[CG_SLIPS_AT_ONCE];
        const double *vectors[CG_SLIPS_AT_ONCE];
        int felt = 0;
        for (int s = 0; s < count; s++) {
            if (reach[s * columns + r] != 0) {
                by[felt] = reach[s * columns + r];
                vectors[felt++] = answers + s * columns;
            }
        }
        if (felt > 0) {
            add_vectors(set->problem.coupling + (size_t)r * (size_t)columns, columns, by, vectors, felt);
        }
    }
}

void cg_touch_couple_slips(cg_touch_set *set, int thread)
{
    assert(set->cast.threads[thread]->slide != NULL);
    cg_thread_slide *slide = set->cast.threads[thread]->slide;
    cg_slide_find_give(set->cast.threads[thread]);
    set->problem.is_uneven = set->problem.is_uneven || slide->is_uneven;
    for (int first = 0; first < slide->segment_count; first += CG_SLIPS_AT_ONCE) {
        int left = slide->segment_count - first;
        couple_segments(set, thread, first, left < CG_SLIPS_AT_ONCE ? left : CG_SLIPS_AT_ONCE);
    }
}

bool cg_touch_ties_as_foreseen(cg_touch_set *set, int skin, double *work, double *load)
{
    assert(skin >= 0 && skin < set->cast.skin_count);
    bool is_near = true;
    for (int c = 0; c < set->cast.thread_count; c++) {
        cg_thread *thread = set->cast.threads[c];
        for (int i = 0; i < cg_slide_count(thread); i++) {
            const cg_thread_anchor *a = &thread->slide->anchors[i];
            if (a->tissue != skin || cg_slide_is_portal(thread)) {
                continue;
            }
            // As for touches: away from the force counts as above 0.
            cg_vec3 away = cg_skin_point_strayed(set->cast.skins[skin], a->triangle, a->weights);
            *work -= v3_dot(a->force, away);
            *load += v3_length(a->force);
            if (v3_length(away) > MOST_STRAY * thread->radius) {
                thread->settles = is_near = false;
            }
        }
    }
    return is_near;
}
