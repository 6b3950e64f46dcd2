#include "constraint/fronts.h"

#include <math.h>
#include <string.h>

#include "linalg/wide.h"

// Pivots are eliminated this many at a time: so many numbers of a row and rows of the factor fit into registers.
enum { GROUP = 4 };

// --- the dense work of a front ---

// Rows `from` to `to` (not with it) of a front less the product of their entries in the columns k ... k + GROUP - 1 and
// the rows k ...; columns from k + GROUP on, two rows at a time.
CG_WIDE_BODY void subtract_group_body(double *front, size_t stride, size_t k, size_t from, size_t to)
{
    const double *u = front + k * stride;
    for (size_t i = from; i < to; i += 2) {
        double *first = front + i * stride, *second = i + 1 < to ? first + stride : first;
        quad a0 = {first[k], first[k], first[k], first[k]}, b0 = {second[k], second[k], second[k], second[k]};
        quad a1 = {first[k + 1], first[k + 1], first[k + 1], first[k + 1]};
        quad b1 = {second[k + 1], second[k + 1], second[k + 1], second[k + 1]};
        quad a2 = {first[k + 2], first[k + 2], first[k + 2], first[k + 2]};
        quad b2 = {second[k + 2], second[k + 2], second[k + 2], second[k + 2]};
        quad a3 = {first[k + 3], first[k + 3], first[k + 3], first[k + 3]};
        quad b3 = {second[k + 3], second[k + 3], second[k + 3], second[k + 3]};
        for (size_t j = k + GROUP; j < stride; j += 4) {
            quad u0 = QUAD(u + j), u1 = QUAD(u + stride + j), u2 = QUAD(u + 2 * stride + j);
            quad u3 = QUAD(u + 3 * stride + j);
            quad a = QUAD(first + j) - a0 * u0 - a1 * u1 - a2 * u2 - a3 * u3;
            quad b = QUAD(second + j) - b0 * u0 - b1 * u1 - b2 * u2 - b3 * u3;
            QUAD_OUT(first + j) = a;
            QUAD_OUT(second + j) = b;
        }
    }
}

CG_WIDE_PAIR(static, subtract_group, (double *front, size_t stride, size_t k, size_t from, size_t to),
             (front, stride, k, from, to))

// One pivot after another: each row below less its multiple, in the columns up to `end`.
static bool eliminate(double *front, size_t stride, size_t k, size_t height, size_t end)
{
    const double *pivots = front + k * stride;
    double inverse = 1 / pivots[k];
    for (size_t i = k + 1; i < height; i++) {
        double *row = front + i * stride, share = row[k] * inverse;
        row[k] = share;
        for (size_t j = k + 1; j < end; j++) {
            row[j] -= share * pivots[j];
        }
    }
    return isfinite(inverse);
}

// The group's own rows right of it: each less its multiples of those above.
static void finish_group(double *front, size_t stride, size_t k)
{
    for (size_t i = k + 1; i < k + GROUP; i++) {
        double *row = front + i * stride;
        for (size_t above = k; above < i; above++) {
            const double *other = front + above * stride;
            double share = row[above];
            for (size_t j = k + GROUP; j < stride; j++) {
                row[j] -= share * other[j];
            }
        }
    }
}

static bool factor_front(const cg_front *front, double *work)
{
    size_t width = (size_t)front->width, height = width + (size_t)front->below, stride = cg_front_stride(front);
    bool is_sound = true;
    size_t k = 0;
    for (; k + GROUP <= width; k += GROUP) {
        for (size_t pivot = k; pivot < k + GROUP; pivot++) {
            is_sound = eliminate(work, stride, pivot, height, k + GROUP) && is_sound;
        }
        finish_group(work, stride, k);
        subtract_group(work, stride, k, k + GROUP, height);
    }
    for (; k < width; k++) {
        is_sound = eliminate(work, stride, k, height, stride) && is_sound;
    }
    return is_sound;
}

// --- fronts ---

// The front's own entries of the matrix, and the updates of its children.
static void gather(const cg_fronts *fronts, const cg_front *front, const double *values)
{
    size_t stride = cg_front_stride(front), height = (size_t)(front->width + front->below);
    double *work = fronts->work;
    memset(work, 0, height * stride * sizeof *work);
    for (int e = front->first_entry; e < front->first_entry + front->entry_count; e++) {
        work[fronts->entry_at[e]] += values[fronts->entry_from[e]];
    }
    for (int c = front->last_child; c >= 0; c = fronts->fronts[c].previous) {
        const cg_front *child = &fronts->fronts[c];
        const int *at = fronts->in_parent + child->rows;
        const double *update = fronts->updates + child->update;
        for (int i = 0; i < child->below; i++, update += child->below) {
            double *row = work + (size_t)at[i] * stride;
            for (int j = 0; j < child->below; j++) {
                row[at[j]] += update[j];
            }
        }
    }
}

static void keep(const cg_fronts *fronts, const cg_front *front)
{
    size_t stride = cg_front_stride(front), width = (size_t)front->width, below = (size_t)front->below;
    double *left = fronts->factors + front->left, *right = fronts->factors + front->right;
    double *update = fronts->updates + front->update;
    for (size_t i = 0; i < width + below; i++) {
        const double *row = fronts->work + i * stride;
        memcpy(left + i * width, row, width * sizeof *left);
        double *to = i < width ? right + i * below : update + (i - width) * below;
        memcpy(to, row + width, below * sizeof *to);
    }
    for (size_t k = 0; k < width; k++) {
        left[k * width + k] = 1 / left[k * width + k];
    }
}

bool cg_fronts_factor(cg_fronts *fronts, const double *values)
{
    bool is_sound = true;
    for (int f = 0; f < fronts->front_count; f++) {
        const cg_front *front = &fronts->fronts[f];
        gather(fronts, front, values);
        is_sound = factor_front(front, fronts->work) && is_sound;
        keep(fronts, front);
    }
    return is_sound;
}

// --- solving ---

CG_WIDE_BODY double dot(const double *a, const double *b, int count)
{
    quad sum = {0, 0, 0, 0};
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        sum += QUAD(a + k) * QUAD(b + k);
    }
    double rest = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (; k < count; k++) {
        rest += a[k] * b[k];
    }
    return rest;
}

static void go_down(const cg_fronts *fronts, const cg_front *front, double *x)
{
    const double *left = fronts->factors + front->left;
    const int *rows = fronts->rows + front->rows;
    double *mine = x + front->first;
    for (int i = 1; i < front->width; i++) {
        mine[i] -= dot(left + (size_t)i * (size_t)front->width, mine, i);
    }
    left += (size_t)front->width * (size_t)front->width;
    for (int i = 0; i < front->below; i++, left += front->width) {
        x[rows[i]] -= dot(left, mine, front->width);
    }
}

static void go_up(const cg_fronts *fronts, const cg_front *front, double *x, double *others)
{
    const double *left = fronts->factors + front->left, *right = fronts->factors + front->right;
    const int *rows = fronts->rows + front->rows;
    double *mine = x + front->first;
    for (int j = 0; j < front->below; j++) {
        others[j] = x[rows[j]];
    }
    for (int i = front->width - 1; i >= 0; i--) {
        const double *row = left + (size_t)i * (size_t)front->width;
        double sum = mine[i] - dot(right + (size_t)i * (size_t)front->below, others, front->below);
        sum -= dot(row + i + 1, mine + i + 1, front->width - i - 1);
        mine[i] = sum * row[i];
    }
}

void cg_fronts_solve(cg_fronts *fronts, double *b)
{
    double *x = fronts->vector, *others = x + fronts->count;
    for (int k = 0; k < fronts->count; k++) {
        x[k] = b[fronts->order[k]];
    }
    for (int f = 0; f < fronts->front_count; f++) {
        go_down(fronts, &fronts->fronts[f], x);
    }
    for (int f = fronts->front_count - 1; f >= 0; f--) {
        go_up(fronts, &fronts->fronts[f], x, others);
    }
    for (int k = 0; k < fronts->count; k++) {
        b[fronts->order[k]] = x[k];
    }
}
