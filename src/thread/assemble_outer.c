// The rows of a plain thread, from both ends at once: lane 0 walks from the start, lane 1 from the finish, where it
// sees the mirrored thread (tangents point the other way, "next" is the vertex before). The formulas are those of
// assemble.c and bend.h. Rows are complete when they are written, so nothing is read back and added to.
#include "linalg/lanes.h"
#include "linalg/wide.h"
#include "thread/assemble.h"

typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

CG_WIDE_BODY lanes3 lanes3_of(cg_vec3 a, cg_vec3 b)
{
    return (lanes3){lanes_of(a.x, b.x), lanes_of(a.y, b.y), lanes_of(a.z, b.z)};
}

CG_WIDE_BODY lanes3 lanes3_add_scaled(lanes3 a, lanes s, lanes3 b)
{
    return (lanes3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

CG_WIDE_BODY lanes3 lanes3_scale(lanes s, lanes3 a)
{
    return (lanes3){s * a.x, s * a.y, s * a.z};
}

CG_WIDE_BODY lanes3 lanes3_sub(lanes3 a, lanes3 b)
{
    return (lanes3){a.x - b.x, a.y - b.y, a.z - b.z};
}

CG_WIDE_BODY lanes lanes3_dot(lanes3 a, lanes3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// A segment as the walk sees it: its tangent, and the stretch energy's slope and second derivative.
typedef struct walked_segment {
    lanes3 tangent;
    lanes inverse;
    lanes firmness;
    lanes projection; // 1, or 0 when collapsed
    lanes3 pull;
    lanes h[6];
} walked_segment;

CG_WIDE_BODY walked_segment segment_at(const cg_thread *thread, int k)
{
    const cg_thread_shape *shape = &thread->shape;
    int m = thread->segment_count - 1 - k;
    walked_segment s;
    cg_vec3 b = shape->tangent[m];
    s.tangent = lanes3_of(shape->tangent[k], (cg_vec3){-b.x, -b.y, -b.z});
    s.inverse = lanes_of(shape->inverse[k], shape->inverse[m]);
    s.firmness = lanes_of(shape->firmness[k], shape->firmness[m]);
    s.projection = lanes_of(shape->firmness[k] < 1.0 ? 0.0 : 1.0, shape->firmness[m] < 1.0 ? 0.0 : 1.0);
    lanes rest = lanes_of(thread->rest_length[k], thread->rest_length[m]);
    lanes stiffness = lanes_of(thread->stretch_rate[k], thread->stretch_rate[m]);
    lanes excess = lanes_of(shape->length[k], shape->length[m]) - rest;
    lanes across = lanes_of(thread->foreseen_pull[k], thread->foreseen_pull[m]) * s.inverse;
    across = thread->cautious ? lanes_max(across, lanes_both(0.0)) : across;
    lanes3 t = s.tangent, along = lanes3_scale(stiffness - across, t);
    s.pull = lanes3_scale(stiffness * excess, t);
    s.h[0] = across + along.x * t.x;
    s.h[1] = along.x * t.y;
    s.h[2] = along.x * t.z;
    s.h[3] = across + along.y * t.y;
    s.h[4] = along.y * t.z;
    s.h[5] = across + along.z * t.z;
    return s;
}

// What is gathered for a vertex before its row is complete.
typedef struct open_row {
    lanes diagonal[6];
    lanes next[9];
    lanes3 rhs;
} open_row;

CG_WIDE_BODY open_row vertex_at(const cg_thread *thread, int k)
{
    int m = thread->vertex_count - 1 - k;
    cg_inertia_rates rates = cg_inertia_rates_of(thread);
    lanes mass = lanes_of(thread->mass[k], thread->mass[m]);
    lanes inertia = mass * rates.by_square, drag = mass * rates.by_step, own = inertia + drag, none = lanes_both(0.0);
    lanes3 moved = lanes3_sub(lanes3_of(thread->shape.position[k], thread->shape.position[m]),
                              lanes3_of(thread->origin[k], thread->origin[m]));
    lanes3 coasted = lanes3_of(thread->coasting[k], thread->coasting[m]);
    open_row row = {.diagonal = {own, none, none, own, none, own}};
    row.rhs = lanes3_of(thread->applied[k], thread->applied[m]);
    row.rhs = lanes3_add_scaled(row.rhs, inertia, lanes3_sub(coasted, moved));
    row.rhs = lanes3_add_scaled(row.rhs, -drag, moved);
    return row;
}

CG_WIDE_BODY void add_segment(open_row *here, open_row *ahead, const walked_segment *s)
{
    static const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    for (int e = 0; e < 6; e++) {
        here->diagonal[e] += s->h[e];
        ahead->diagonal[e] += s->h[e];
    }
    for (int e = 0; e < 9; e++) {
        here->next[e] -= s->h[full[e]];
    }
    here->rhs = lanes3_add_scaled(here->rhs, lanes_both(1.0), s->pull);
    ahead->rhs = lanes3_sub(ahead->rhs, s->pull);
}

CG_WIDE_BODY void projector(lanes k, lanes p, lanes3 t, lanes out[6])
{
    lanes3 s = lanes3_scale(-k * p, t);
    out[0] = k + s.x * t.x;
    out[1] = s.x * t.y;
    out[2] = s.x * t.z;
    out[3] = k + s.y * t.y;
    out[4] = s.y * t.z;
    out[5] = k + s.z * t.z;
}

// As bend_own_derivative: exact where the segment has not collapsed, else the projector.
CG_WIDE_BODY void own_derivative(lanes k, const walked_segment *s, lanes3 other, bool exact, lanes out[6])
{
    if (!exact) {
        projector(k, s->projection, s->tangent, out);
        return;
    }
    lanes3 t = s->tangent;
    lanes p = s->projection, c = lanes3_dot(t, other);
    lanes whole = k * (p * c + (1.0 - p));
    lanes3 a = lanes3_scale(k * p, lanes3_add_scaled(other, -1.5 * c, t));
    out[0] = whole + 2.0 * a.x * t.x;
    out[1] = a.x * t.y + a.y * t.x;
    out[2] = a.x * t.z + a.z * t.x;
    out[3] = whole + 2.0 * a.y * t.y;
    out[4] = a.y * t.z + a.z * t.y;
    out[5] = whole + 2.0 * a.z * t.z;
}

CG_WIDE_BODY lanes3 pull_back(const walked_segment *s, lanes scale, lanes3 r)
{
    lanes3 across = lanes3_add_scaled(r, -s->projection * lanes3_dot(s->tangent, r), s->tangent);
    return lanes3_scale(scale * s->inverse, across);
}

// -k/(l0 l1) P1 P0
CG_WIDE_BODY void coupling(lanes k, const walked_segment *s0, const walked_segment *s1, lanes h10[9])
{
    lanes3 t0 = s0->tangent, t1 = s1->tangent;
    lanes c = -k * s0->inverse * s1->inverse;
    lanes3 left1 = lanes3_scale(-c * s1->projection, t1);
    lanes3 lean = lanes3_add_scaled(t0, -s1->projection * lanes3_dot(t1, t0), t1);
    lanes3 left0 = lanes3_scale(-c * s0->projection, lean);
    h10[0] = c + left1.x * t1.x + left0.x * t0.x;
    h10[1] = left1.x * t1.y + left0.x * t0.y;
    h10[2] = left1.x * t1.z + left0.x * t0.z;
    h10[3] = left1.y * t1.x + left0.y * t0.x;
    h10[4] = c + left1.y * t1.y + left0.y * t0.y;
    h10[5] = left1.y * t1.z + left0.y * t0.z;
    h10[6] = left1.z * t1.x + left0.z * t0.x;
    h10[7] = left1.z * t1.y + left0.z * t0.y;
    h10[8] = c + left1.z * t1.z + left0.z * t0.z;
}

CG_WIDE_BODY void add_joint(open_row *a, open_row *b, open_row *c, lanes k, const walked_segment *s0,
                            const walked_segment *s1, bool exact, lanes h10[9])
{
    static const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    lanes h00[6], h11[6];
    lanes3 soft0 = lanes3_scale(s0->firmness, s0->tangent), soft1 = lanes3_scale(s1->firmness, s1->tangent);
    lanes3 r = lanes3_sub(soft1, soft0);
    lanes3 g0 = pull_back(s0, -k, r), g1 = pull_back(s1, k, r);
    own_derivative(k * s0->inverse * s0->inverse, s0, soft1, exact, h00);
    own_derivative(k * s1->inverse * s1->inverse, s1, soft0, exact, h11);
    coupling(k, s0, s1, h10);
    static const int first[6] = {0, 1, 2, 4, 5, 8}, mirrored[6] = {0, 3, 6, 4, 7, 8};
    for (int e = 0; e < 6; e++) {
        a->diagonal[e] += h00[e];
        b->diagonal[e] += h00[e] + h11[e] - (h10[first[e]] + h10[mirrored[e]]);
        c->diagonal[e] += h11[e];
    }
    for (int e = 0; e < 9; e++) {
        a->next[e] += h10[e] - h00[full[e]];
        b->next[e] += h10[e] - h11[full[e]];
    }
    a->rhs = lanes3_add_scaled(a->rhs, lanes_both(1.0), g0);
    b->rhs = lanes3_add_scaled(b->rhs, lanes_both(1.0), lanes3_sub(g1, g0));
    c->rhs = lanes3_sub(c->rhs, g1);
}

CG_WIDE_BODY void store_row(cg_thread *thread, int k, const open_row *row, const lanes h10[9])
{
    int m = thread->vertex_count - 1 - k;
    cg_band_row *start = &thread->rows[k], *finish = &thread->rows[m];
    for (int e = 0; e < 6; e++) {
        start->diagonal[e] = row->diagonal[e][0];
        finish->diagonal[e] = row->diagonal[e][1];
    }
    static const int transposed[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8};
    for (int e = 0; e < 9; e++) {
        start->next[e] = row->next[e][0];
        finish[-1].next[transposed[e]] = row->next[e][1];
        start->second[e] = -h10[e][0];
        finish[-2].second[transposed[e]] = -h10[e][1];
    }
    thread->rhs[k] = (cg_vec3){row->rhs.x[0], row->rhs.y[0], row->rhs.z[0]};
    thread->rhs[m] = (cg_vec3){row->rhs.x[1], row->rhs.y[1], row->rhs.z[1]};
}

CG_WIDE_BODY void cg_assemble_outer_body(cg_thread *thread, int count)
{
    bool exact = !thread->cautious;
    walked_segment behind = segment_at(thread, 0);
    open_row here = vertex_at(thread, 0), ahead = vertex_at(thread, 1);
    add_segment(&here, &ahead, &behind);
    for (int k = 0; k < count; k++) {
        int joint = k + 1, mirrored = thread->vertex_count - 2 - k;
        lanes stiffness = lanes_of(thread->bend_rate[joint], thread->bend_rate[mirrored]);
        lanes h10[9];
        walked_segment front = segment_at(thread, k + 1);
        open_row beyond = vertex_at(thread, k + 2);
        add_segment(&ahead, &beyond, &front);
        add_joint(&here, &ahead, &beyond, stiffness, &behind, &front, exact, h10);
        store_row(thread, k, &here, (const lanes *)h10);
        behind = front;
        here = ahead;
        ahead = beyond;
    }
}
CG_WIDE_PAIR(extern, cg_assemble_outer, (cg_thread * thread, int count), (thread, count))
