#include <string.h>

#include "base/frame.h"
#include "base/vec3.h"
#include "thread/thread.h"

static void copy_block(const double from[9], bool transposed, double to[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            to[3 * r + c] = from[transposed ? 3 * c + r : 3 * r + c];
        }
    }
}

static cg_vec3 apply_block(const double b[9], cg_vec3 v)
{
    return v3(b[0] * v.x + b[1] * v.y + b[2] * v.z, b[3] * v.x + b[4] * v.y + b[5] * v.z,
              b[6] * v.x + b[7] * v.y + b[8] * v.z);
}

static cg_vec3 apply_transposed(const double b[9], cg_vec3 v)
{
    return v3(b[0] * v.x + b[3] * v.y + b[6] * v.z, b[1] * v.x + b[4] * v.y + b[7] * v.z,
              b[2] * v.x + b[5] * v.y + b[8] * v.z);
}

static void save_row(const cg_thread *thread, int vertex, cg_held_row *saved)
{
    const cg_band_row *rows = thread->rows;
    const double *d = rows[vertex].diagonal;
    double full[9] = {d[0], d[1], d[2], d[1], d[3], d[4], d[2], d[4], d[5]};
    memset(saved, 0, sizeof *saved);
    copy_block(full, false, saved->blocks[2]);
    if (vertex >= 2) {
        copy_block(rows[vertex - 2].second, false, saved->blocks[0]);
    }
    if (vertex >= 1) {
        copy_block(rows[vertex - 1].next, false, saved->blocks[1]);
    }
    if (vertex + 1 < thread->vertex_count) {
        copy_block(rows[vertex].next, true, saved->blocks[3]);
    }
    if (vertex + 2 < thread->vertex_count) {
        copy_block(rows[vertex].second, true, saved->blocks[4]);
    }
    saved->force = thread->rhs[vertex];
}

// The neighbours feel the known motion as a force; the coupling is then cut on both sides, so the matrix stays
// symmetric.
static void eliminate(cg_thread *thread, int vertex, const cg_held_row *saved)
{
    cg_band_row *rows = thread->rows;
    cg_vec3 motion = v3_sub(thread->target[vertex], thread->shape.position[vertex]);
    for (int k = -2; k <= 2; k++) {
        int other = vertex + k;
        if (k != 0 && other >= 0 && other < thread->vertex_count) {
            thread->rhs[other] = v3_sub(thread->rhs[other], apply_transposed(saved->blocks[2 + k], motion));
        }
    }
    if (vertex >= 2) {
        memset(rows[vertex - 2].second, 0, sizeof rows[0].second);
    }
    if (vertex >= 1) {
        memset(rows[vertex - 1].next, 0, sizeof rows[0].next);
    }
    memset(rows[vertex].next, 0, sizeof rows[0].next);
    memset(rows[vertex].second, 0, sizeof rows[0].second);
    double *d = rows[vertex].diagonal, scale = d[0] + d[3] + d[5];
    d[0] = d[3] = d[5] = scale;
    d[1] = d[2] = d[4] = 0;
}

void cg_thread_eliminate_holds(cg_thread *thread)
{
    int count = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        if (thread->held[i]) {
            save_row(thread, i, &thread->held_rows[count++]);
        }
    }
    // Rows are saved before any is cut: a hold must know its coupling to a held neighbour, to find its force. That
    // neighbour's share of the right-hand side is overwritten, so the order of elimination does not matter.
    count = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        if (thread->held[i]) {
            eliminate(thread, i, &thread->held_rows[count++]);
        }
    }
    for (int i = 0; i < thread->vertex_count; i++) {
        if (thread->held[i]) {
            const double *d = thread->rows[i].diagonal;
            thread->rhs[i] = v3_scale(d[0], v3_sub(thread->target[i], thread->shape.position[i]));
        }
    }
}

void cg_thread_find_hold_forces(cg_thread *thread)
{
    int count = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        if (!thread->held[i]) {
            thread->hold_force[i] = v3_zero();
            continue;
        }
        const cg_held_row *saved = &thread->held_rows[count++];
        cg_vec3 force = v3_neg(v3_add(saved->force, thread->contact[i]));
        for (int k = -2; k <= 2; k++) {
            if (i + k >= 0 && i + k < thread->vertex_count) {
                force = v3_add(force, apply_block(saved->blocks[2 + k], thread->move[i + k]));
            }
        }
        thread->hold_force[i] = force;
    }
}

void cg_thread_hold_end(cg_thread *thread, cg_end end, const cg_end_hold *hold)
{
    cg_thread_end *own = &thread->ends[end];
    int vertex = end == CG_START ? 0 : thread->vertex_count - 1;
    int segment = end == CG_START ? 0 : thread->segment_count - 1;
    bool was_clamped = own->hold.kind == CG_END_CLAMPED;
    cg_vec3 before = was_clamped ? own->hold.direction : thread->shape.tangent[segment];
    own->hold = *hold;
    thread->remembers = 0;
    own->hold.direction = v3_unit_or(hold->direction, before);
    thread->held[vertex] = hold->kind != CG_END_FREE;
    if (thread->held[vertex]) {
        thread->target[vertex] = hold->position;
    }
    if (was_clamped) {
        own->director = parallel_transport(own->director, before, own->hold.direction);
    } else {
        cg_twist_attach(thread, end);
    }
    cg_twist_refresh(thread);
}

void cg_thread_release_vertex(cg_thread *thread, int vertex)
{
    thread->held[vertex] = false;
    thread->remembers = 0;
    thread->hold_force[vertex] = v3_zero();
    for (int e = 0; e < 2; e++) {
        if (vertex == (e == CG_START ? 0 : thread->vertex_count - 1)) {
            thread->ends[e].hold.kind = CG_END_FREE;
        }
    }
    cg_twist_refresh(thread);
}
