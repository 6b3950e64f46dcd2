// Bites by the portal springs of the MicroSim text (3.5.2), instead of holes that a thread slides through. See slide.h.
//
// A bite is a pair of anchors, at s and e. None of the thread is inside: vertex i is the last one before s, vertex
// i + 1 the first one behind e, and the rest length l of the segment between them lies outside, some of it at either
// hole. With t_s and t_e the ways in which the thread leaves the holes, towards vertices i - 2 and i + 3, which stand
// for a step,
//
//     E = k/2 (d_s + d_e - l)^2 + k |a_s|^2 + k |a_e|^2        k = EA / l
//     d_s = (p_i - s) . t_s     a_s = p_i - s - d_s t_s        and likewise p_i+1 at e
//
// The first term is the spring through the bite, the others hold the vertices on the lines through the holes. (The text
// has the stiffness of the spring, an energy, as that of the lines too; here both are k.) A vertex that goes through
// the plane across t_s at s comes out at e, as far from it as it went in. Nothing rubs.
//
// While the thread is solved for, s and e stand where tissue would be by the forces of the step before. Tissue gets
// what the thread gives to both vertices, half of it at each hole, whichever hole it came from.
#include <assert.h>

#include "base/vec3.h"
#include "thread/slide.h"

// Vertices, counted from the hole, towards which the thread leaves it: the near ones sway.
enum { FAR_VERTEX = 2 };

// What the energy knows of one hole.
typedef struct mouth {
    int vertex;
    cg_vec3 out;    // t
    double along;   // [m] d
    cg_vec3 astray; // [m] a
} mouth;

static mouth mouth_of(const cg_thread_anchor *a, cg_vec3 position)
{
    cg_vec3 from = v3_sub(position, a->target);
    double along = v3_dot(from, a->out);
    return (mouth){a->vertex, a->out, along, v3_add_scaled(from, -along, a->out)};
}

static double rate_of(const cg_thread *thread, const cg_thread_anchor *bite)
{
    return thread->stretch_stiffness / thread->rest_length[bite[0].vertex];
}

// [N] With the vertices at those places of their mouths.
static double pull_of(const cg_thread *thread, const cg_thread_anchor *bite, const mouth *s, const mouth *e)
{
    return rate_of(thread, bite) * (s->along + e->along - thread->rest_length[bite[0].vertex]);
}

bool cg_portal_is_bite(const cg_thread *thread, int k)
{
    const cg_thread_slide *slide = thread->slide;
    return cg_slide_is_portal(thread) && k >= 0 && k + 1 < slide->count && slide->anchors[k].straight[1];
}

void cg_portal_set_rates(cg_thread *thread)
{
    for (int k = 0; k < thread->slide->count; k++) {
        if (cg_portal_is_bite(thread, k)) {
            thread->stretch_rate[thread->slide->anchors[k].vertex] = 0;
        }
    }
}

// A vertex between the hole and the end of the thread, so many farther out than that of the anchor.
static int vertex_beyond(const cg_thread *thread, const cg_thread_anchor *a, int side)
{
    int vertex = a->vertex + (side == 0 ? -FAR_VERTEX : FAR_VERTEX);
    return vertex < 0 ? 0 : (vertex >= thread->vertex_count ? thread->vertex_count - 1 : vertex);
}

static void aim(const cg_thread *thread, cg_thread_anchor *a, int side)
{
    cg_vec3 far = thread->shape.position[vertex_beyond(thread, a, side)];
    cg_vec3 near = thread->shape.position[a->vertex];
    cg_vec3 out = v3_unit_or(v3_sub(far, near), v3(0, 0, 1));
    a->out = v3_unit_or(v3_sub(far, a->target), out);
    a->is_aimed = true;
}

double cg_portal_pull(const cg_thread *thread, int k)
{
    const cg_thread_anchor *bite = &thread->slide->anchors[k];
    mouth s = mouth_of(&bite[0], thread->shape.position[bite[0].vertex]);
    mouth e = mouth_of(&bite[1], thread->shape.position[bite[1].vertex]);
    return bite[0].is_aimed ? pull_of(thread, bite, &s, &e) : 0;
}

double cg_portal_energy(const cg_thread *thread, const cg_vec3 *position)
{
    double sum = 0;
    for (int k = 0; k < cg_slide_count(thread); k++) {
        const cg_thread_anchor *bite = &thread->slide->anchors[k];
        if (cg_portal_is_bite(thread, k) && bite[0].is_aimed) {
            mouth s = mouth_of(&bite[0], position[bite[0].vertex]), e = mouth_of(&bite[1], position[bite[1].vertex]);
            double excess = s.along + e.along - thread->rest_length[bite[0].vertex];
            double aside = v3_dot(s.astray, s.astray) + v3_dot(e.astray, e.astray);
            sum += rate_of(thread, bite) * (0.5 * excess * excess + aside);
        }
    }
    return sum;
}

// Of the thread on the bite, at both holes together, is the slope of the energy by both vertices.
static cg_vec3 slope_at(const mouth *m, double pull, double rate)
{
    return v3_add_scaled(v3_scale(pull, m->out), 2 * rate, m->astray);
}

// k t t^T + 2 k (1 - t t^T)
static void add_diagonal(double *diagonal, double rate, cg_vec3 t)
{
    const double upper[6] = {t.x * t.x, t.x * t.y, t.x * t.z, t.y * t.y, t.y * t.z, t.z * t.z};
    for (int e = 0; e < 6; e++) {
        bool is_square = e == 0 || e == 3 || e == 5;
        diagonal[e] += rate * ((is_square ? 2 : 0) - upper[e]);
    }
}

static void add_bite(cg_thread *thread, const cg_thread_anchor *bite)
{
    double rate = rate_of(thread, bite);
    mouth s = mouth_of(&bite[0], thread->shape.position[bite[0].vertex]);
    mouth e = mouth_of(&bite[1], thread->shape.position[bite[1].vertex]);
    double pull = pull_of(thread, bite, &s, &e);
    const double out_s[3] = {s.out.x, s.out.y, s.out.z}, out_e[3] = {e.out.x, e.out.y, e.out.z};
    assert(e.vertex == s.vertex + 1 && "a bite has no vertex inside");
    add_diagonal(thread->rows[s.vertex].diagonal, rate, s.out);
    add_diagonal(thread->rows[e.vertex].diagonal, rate, e.out);
    for (int n = 0; n < 9; n++) {
        thread->rows[s.vertex].next[n] += rate * out_e[n / 3] * out_s[n % 3];
    }
    thread->rhs[s.vertex] = v3_sub(thread->rhs[s.vertex], slope_at(&s, pull, rate));
    thread->rhs[e.vertex] = v3_sub(thread->rhs[e.vertex], slope_at(&e, pull, rate));
}

void cg_portal_add_rows(cg_thread *thread)
{
    for (int k = 0; k < thread->slide->count; k++) {
        cg_thread_anchor *bite = &thread->slide->anchors[k];
        if (!cg_portal_is_bite(thread, k)) {
            continue;
        }
        for (int side = 0; side < 2 && !bite[side].is_aimed; side++) {
            aim(thread, &bite[side], side);
        }
        add_bite(thread, bite);
    }
}

void cg_portal_find_forces(cg_thread *thread)
{
    for (int k = 0; k < thread->slide->count; k++) {
        cg_thread_anchor *bite = &thread->slide->anchors[k];
        if (!cg_portal_is_bite(thread, k)) {
            continue;
        }
        mouth m[2];
        for (int side = 0; side < 2; side++) {
            int vertex = bite[side].vertex;
            m[side] = mouth_of(&bite[side], v3_add(thread->shape.position[vertex], thread->move[vertex]));
        }
        double rate = rate_of(thread, bite);
        double pull = pull_of(thread, bite, &m[0], &m[1]);
        cg_vec3 sum = v3_add(slope_at(&m[0], pull, rate), slope_at(&m[1], pull, rate));
        bite[0].force = bite[1].force = v3_scale(0.5, sum);
    }
}

// Vertices that go through

// What is left of the thread on a side of the bite after its next vertex has gone through: false when that is too
// little for an anchor, or another bite is there.
static bool has_room(const cg_thread *thread, int k, int side)
{
    const cg_thread_slide *slide = thread->slide;
    int next = slide->anchors[k + side].vertex + (side == 0 ? -1 : 1);
    int first = k > 0 ? slide->anchors[k - 1].vertex + 1 : 1;
    int last = k + 2 < slide->count ? slide->anchors[k + 2].vertex - 1 : thread->vertex_count - 2;
    return side == 0 ? next >= first : next <= last;
}

static void shift_bite(cg_thread_anchor *bite, int by, double length)
{
    for (int side = 0; side < 2; side++) {
        bite[side].vertex += by;
        bite[side].slip -= by * length;
    }
}

// Takes the vertex that went into the hole of a side through the bite.
static void transport(cg_thread *thread, cg_thread_anchor *bite, int side)
{
    const cg_thread_anchor *in = &bite[side], *out = &bite[1 - side];
    int vertex = in->vertex;
    double deep = -mouth_of(in, thread->shape.position[vertex]).along;
    double speed = -v3_dot(thread->velocity[vertex], in->out);
    double length = thread->rest_length[bite[0].vertex];
    thread->shape.position[vertex] = v3_add_scaled(out->target, deep, out->out);
    thread->velocity[vertex] = v3_scale(speed, out->out);
    shift_bite(bite, side == 0 ? -1 : 1, length);
}

static bool goes_in(const cg_thread *thread, const cg_thread_anchor *a)
{
    return a->is_aimed && !cg_slide_is_held(thread, a->vertex) &&
           mouth_of(a, thread->shape.position[a->vertex]).along < 0;
}

// The last two vertices of an end are drawn in: the thread is out of the bite. What is left of it lies before the other
// hole, inside; that it touches no tissue until it is clear is for the world to see.
static void leave(cg_thread *thread, int k, int side)
{
    const cg_thread_anchor *bite = &thread->slide->anchors[k], *out = &bite[1 - side];
    int vertex = bite[side].vertex, end = side == 0 ? 0 : thread->vertex_count - 1;
    double deep = -mouth_of(&bite[side], thread->shape.position[vertex]).along;
    double length = thread->rest_length[side == 0 ? end : end - 1];
    thread->shape.position[vertex] = v3_add_scaled(out->target, deep, out->out);
    thread->shape.position[end] = v3_add_scaled(out->target, deep - length, out->out);
    thread->velocity[vertex] = thread->velocity[end] = v3_zero();
    cg_slide_take_out(thread, k + 1);
    cg_slide_take_out(thread, k);
}

// Returns how many bites the thread has left.
static int let_through(cg_thread *thread, int k, bool *is_changed)
{
    for (int side = 0; side < 2; side++) {
        cg_thread_anchor *bite = &thread->slide->anchors[k];
        int outermost = side == 0 ? 1 : thread->vertex_count - 2;
        if (!goes_in(thread, &bite[side])) {
            continue;
        }
        if (has_room(thread, k, side)) {
            transport(thread, bite, side);
            *is_changed = true;
            return 0;
        }
        if (bite[side].vertex == outermost && !cg_slide_is_held(thread, side == 0 ? 0 : thread->vertex_count - 1)) {
            leave(thread, k, side);
            *is_changed = true;
            return 1;
        }
    }
    return 0;
}

// A hole whose other one went with its tissue holds nothing.
static bool take_out_lone(cg_thread *thread)
{
    for (int k = cg_slide_count(thread) - 1; k >= 0; k--) {
        if (!cg_portal_is_bite(thread, k) && !cg_portal_is_bite(thread, k - 1)) {
            cg_slide_take_out(thread, k);
            return true;
        }
    }
    return false;
}

int cg_portal_let_through(cg_thread *thread)
{
    bool is_changed = false;
    int left = 0;
    while (take_out_lone(thread)) {
        left++;
    }
    for (int k = cg_slide_count(thread) - 1; k >= 0; k--) {
        left += cg_portal_is_bite(thread, k) ? let_through(thread, k, &is_changed) : 0;
    }
    if (is_changed) {
        cg_thread_update_lengths(thread);
        cg_thread_lay_out(thread);
    }
    return left;
}

// Laying

void cg_portal_open(cg_thread *thread, int first, int count)
{
    for (int k = first; k < first + count; k++) {
        if (!cg_portal_is_bite(thread, k)) {
            continue;
        }
        int i = thread->slide->anchors[k].vertex;
        double *rest = thread->rest_length;
        cg_vec3 *x = thread->shape.position;
        double half = 0.5 * (rest[i - 1] < rest[i + 1] ? rest[i - 1] : rest[i + 1]);
        x[i] = v3_add_scaled(x[i], half, v3_unit_or(v3_sub(x[i - 1], x[i]), v3_zero()));
        x[i + 1] = v3_add_scaled(x[i + 1], half, v3_unit_or(v3_sub(x[i + 2], x[i + 1]), v3_zero()));
        rest[i - 1] -= half;
        rest[i + 1] -= half;
        rest[i] = 2 * half;
    }
    cg_thread_update_lengths(thread);
    cg_thread_update_masses(thread);
    cg_thread_lay_out(thread);
}
