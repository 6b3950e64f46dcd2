// Answers to forces at single places of a chain of vertices, four at once.
//
// Each is what cg_band_solve gives, bit for bit: the same operations in the same order. But a sweep along a chain waits
// for its own last block most of the time, and has two lanes to fill a register with; here the four right-hand sides
// fill it, and the chains follow each other. Before the first force there is nothing: those blocks are left out.
#include <string.h>

#include "linalg/band.h"
#include "linalg/wide.h"

enum { FOUR = CG_BAND_PUSHES };
// A number of each right-hand side.
typedef cg_double4 four;

typedef struct job {
    const cg_band_factor *factor;
    cg_band_push pushes[FOUR];
    cg_vec3 *x[FOUR];
    four *work; // 3 for each vertex of both chains
} job;

static four *work_of(const job *j, int lane)
{
    return j->work + (lane == 0 ? 0 : 3 * j->factor->chains[0]);
}

static int vertex_at(const cg_band_factor *factor, int lane, int k)
{
    return lane == 0 ? k : factor->count - 1 - k;
}

// The next place at or behind k where a force acts in the chain of a lane; its length when there is none.
static int next_force(const job *j, int lane, int k)
{
    int next = j->factor->chains[lane];
    for (int i = 0; i < 2 * FOUR; i++) {
        int place = vertex_at(j->factor, lane, j->pushes[i / 2].vertex + i % 2); // mirroring undoes itself
        next = place >= k && place < next ? place : next;
    }
    return next;
}

static void load_forces(const job *j, int vertex, four forces[3])
{
    memset(forces, 0, 3 * sizeof *forces);
    for (int i = 0; i < FOUR; i++) {
        int end = vertex - j->pushes[i].vertex;
        for (int e = 0; e < 3 && (end == 0 || end == 1); e++) {
            forces[e][i] = (&j->pushes[i].force[end].x)[e];
        }
    }
}

// block[...] of a lane times a vector, as a row or a column of it.
#define ROW(block, r, lane, x)                                                                                         \
    ((block)[3 * (r)][lane] * (x)[0] + (block)[3 * (r) + 1][lane] * (x)[1] + (block)[3 * (r) + 2][lane] * (x)[2])
#define COLUMN(block, c, lane, x)                                                                                      \
    ((block)[c][lane] * (x)[0] + (block)[3 + (c)][lane] * (x)[1] + (block)[6 + (c)][lane] * (x)[2])

// Forward substitution; near and far are what is already subtracted from the next two blocks.
CG_WIDE_BODY void sweep_inwards(const job *j, int lane, four near[3], four far[3])
{
    const four nothing = {0, 0, 0, 0};
    int begin = next_force(j, lane, 0), force_at = begin, end = j->factor->chains[lane];
    four n0 = nothing, n1 = nothing, n2 = nothing, f0 = nothing, f1 = nothing, f2 = nothing, forces[3];
    four *work = work_of(j, lane);
    memset(work, 0, sizeof(four) * 3 * (size_t)begin);
    for (int k = begin; k < end; k++) {
        const cg_band_pair *pair = &j->factor->pairs[k];
        four y[3];
        if (k == force_at) {
            load_forces(j, vertex_at(j->factor, lane, k), forces);
            force_at = next_force(j, lane, k + 1);
            y[0] = n0 + forces[0];
            y[1] = n1 + forces[1];
            y[2] = n2 + forces[2];
        } else {
            y[0] = n0 + nothing;
            y[1] = n1 + nothing;
            y[2] = n2 + nothing;
        }
        y[1] -= pair->lower[0][lane] * y[0];
        y[2] -= pair->lower[1][lane] * y[0] + pair->lower[2][lane] * y[1];
        n0 = f0 - ROW(pair->next, 0, lane, y);
        n1 = f1 - ROW(pair->next, 1, lane, y);
        n2 = f2 - ROW(pair->next, 2, lane, y);
        f0 = nothing - ROW(pair->second, 0, lane, y);
        f1 = nothing - ROW(pair->second, 1, lane, y);
        f2 = nothing - ROW(pair->second, 2, lane, y);
        memcpy(work + 3 * k, y, sizeof y);
    }
    near[0] = n0;
    near[1] = n1;
    near[2] = n2;
    far[0] = f0;
    far[1] = f1;
    far[2] = f2;
}

// Backward substitution; near and far are the two blocks further inside.
CG_WIDE_BODY void sweep_outwards(const job *j, int lane, const four near[3], const four far[3])
{
    four n[3] = {near[0], near[1], near[2]}, f[3] = {far[0], far[1], far[2]};
    for (int k = j->factor->chains[lane] - 1; k >= 0; k--) {
        const cg_band_pair *pair = &j->factor->pairs[k];
        const four *y = work_of(j, lane) + 3 * k;
        four h0 = y[0] * pair->pivot_inverse[0][lane], h1 = y[1] * pair->pivot_inverse[1][lane];
        four h2 = y[2] * pair->pivot_inverse[2][lane];
        h0 -= COLUMN(pair->second, 0, lane, f);
        h1 -= COLUMN(pair->second, 1, lane, f);
        h2 -= COLUMN(pair->second, 2, lane, f);
        h0 -= COLUMN(pair->next, 0, lane, n);
        h1 -= COLUMN(pair->next, 1, lane, n);
        h2 -= COLUMN(pair->next, 2, lane, n);
        h1 -= pair->lower[2][lane] * h2;
        h0 -= pair->lower[0][lane] * h1 + pair->lower[1][lane] * h2;
        int vertex = vertex_at(j->factor, lane, k);
        for (int i = 0; i < FOUR; i++) {
            j->x[i][vertex] = (cg_vec3){h0[i], h1[i], h2[i]};
        }
        f[0] = n[0];
        f[1] = n[1];
        f[2] = n[2];
        n[0] = h0;
        n[1] = h1;
        n[2] = h2;
    }
}

// Lane 0 meets the first core block first, lane 1 the second.
CG_WIDE_BODY void go_in(const job *j, int lane, double cores[FOUR][6])
{
    four near[3] = {0}, far[3] = {0};
    sweep_inwards(j, lane, near, far);
    for (int i = 0; i < FOUR; i++) {
        for (int e = 0; e < 3; e++) {
            cores[i][3 * lane + e] += near[e][i];
            cores[i][3 * (1 - lane) + e] += far[e][i];
        }
    }
}

CG_WIDE_BODY void go_out(const job *j, int lane, double cores[FOUR][6])
{
    four near[3] = {0}, far[3] = {0};
    for (int i = 0; i < FOUR; i++) {
        for (int e = 0; e < 3; e++) {
            near[e][i] = cores[i][3 * lane + e];
            far[e][i] = cores[i][3 * (1 - lane) + e];
        }
    }
    sweep_outwards(j, lane, near, far);
}

static void begin_cores(const job *j, double cores[FOUR][6])
{
    four forces[3];
    for (int block = 0; block < 2; block++) {
        load_forces(j, j->factor->core_first + block, forces);
        for (int i = 0; i < FOUR; i++) {
            for (int e = 0; e < 3; e++) {
                cores[i][3 * block + e] = forces[e][i];
            }
        }
    }
}

static void solve_cores(const job *j, double cores[FOUR][6])
{
    for (int i = 0; i < FOUR; i++) {
        cg_band_solve_core(j->factor, cores[i]);
        memcpy(&j->x[i][j->factor->core_first], cores[i], sizeof cores[i]);
    }
}

// The longer chain comes last, as in cg_band_solve: sums in the core depend on it.
CG_WIDE_BODY void answer_body(const job *j)
{
    int last = j->factor->chains[0] >= j->factor->chains[1] ? 0 : 1;
    double cores[FOUR][6];
    begin_cores(j, cores);
    if (last == 0) { // written out twice, so that each sweep knows its lane
        go_in(j, 1, cores);
        go_in(j, 0, cores);
    } else {
        go_in(j, 0, cores);
        go_in(j, 1, cores);
    }
    solve_cores(j, cores);
    go_out(j, 0, cores);
    go_out(j, 1, cores);
}
CG_WIDE_PAIR(static, answer, (const job *j), (j))

static void answer_one(const cg_band_factor *factor, const cg_band_push *push, cg_vec3 *x)
{
    memset(x, 0, sizeof *x * (size_t)factor->count);
    memcpy(x + push->vertex, push->force, sizeof push->force);
    cg_band_solve(factor, x, x);
}

void cg_band_answer_pushes(const cg_band_factor *factor, const cg_band_push *pushes, int count, cg_vec3 *const *x)
{
    int first = 0;
    for (; first + 1 < count; first += FOUR) {
        job j = {.factor = factor, .work = (four *)factor->push_work};
        for (int i = 0; i < FOUR; i++) { // the last one again where there are fewer
            int at = first + i < count ? first + i : count - 1;
            j.pushes[i] = pushes[at];
            j.x[i] = x[at];
        }
        answer(&j);
    }
    if (first < count) {
        answer_one(factor, &pushes[first], x[first]);
    }
}
