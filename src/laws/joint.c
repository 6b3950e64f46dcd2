#include "laws/joint.h"

#include <assert.h>
#include <string.h>

#include "base/mat3.h"
#include "base/vec3.h"
#include "linalg/wide.h"

// Finding

static int segment_of(const cg_thread *thread, int end)
{
    return end == 0 ? 0 : thread->vertex_count - 2;
}

static cg_vec3 end_of(const cg_thread *thread, int end)
{
    return thread->shape.position[end == 0 ? 0 : thread->vertex_count - 1];
}

static void add_joint(cg_touch_set *set, const cg_touch_joint *joint)
{
    const cg_thread *thread = set->cast.threads[joint->thread];
    const cg_rigid *body = set->cast.rigids[joint->rigid];
    cg_touch touch = {.pair = {cg_chain_of(CG_BODY_THREAD, joint->thread), segment_of(thread, joint->end),
                               cg_chain_of(CG_BODY_RIGID, joint->rigid), CG_JOINT_FEATURE},
                      .kind = CG_JOINT_ROW,
                      .fraction = {joint->end == 0 ? 0 : 1, 0},
                      .point = {end_of(thread, joint->end), transform_point(body->now, joint->point)},
                      .radius = thread->radius,
                      .working = true};
    cg_touch_add(set, &touch, v3(1, 0, 0));
}

void cg_touch_find_joints(cg_touch_set *set)
{
    for (int j = 0; j < set->cast.joint_count; j++) {
        add_joint(set, &set->cast.joints[j]);
    }
}

cg_vec3 cg_touch_joint_gap(const cg_touch *touch)
{
    assert(touch_is_joint(touch));
    return v3_sub(touch->point[0], touch->point[1]);
}

// Solving

// What is kept of a joint that was taken out: c_j, Q_jj^-1, and the rows Q_jc.
typedef struct taken {
    double *motion, *inverse, *rows;
} taken;

static taken taken_at(const cg_touch_set *set, int j)
{
    double *start = set->problem.joint_rows + (size_t)j * (size_t)(12 + 9 * set->room.touches);
    return (taken){start, start + 3, start + 12};
}

// The inverse of the block of three rows on the diagonal; zero where nothing can move: such a joint bears no force.
static void invert_block(const double *block, size_t stride, bool is_uneven, double *inverse)
{
    cg_mat3 a, b = m3_zero();
    double values[9];
    for (size_t i = 0; i < 3; i++) {
        memcpy(values + 3 * i, block + i * stride, 3 * sizeof(double));
    }
    memcpy(&a, values, sizeof a);
    if (!(is_uneven ? m3_invert_any(a, &b) : m3_invert(a, &b))) {
        b = m3_zero();
    }
    memcpy(inverse, &b, 9 * sizeof(double));
}

// y = S x, of three.
static void apply3(const double *s, const double *x, double *y)
{
    for (int i = 0; i < 3; i++) {
        y[i] = s[3 * i] * x[0] + s[3 * i + 1] * x[1] + s[3 * i + 2] * x[2];
    }
}

// Q_rj S of a row r.
static void weigh(const cg_touch_set *set, const double *row, size_t r, size_t size, taken kept, double *by)
{
    if (set->problem.is_uneven) {
        const double *s = kept.inverse, *own = row + size;
        for (int i = 0; i < 3; i++) {
            by[i] = own[0] * s[i] + own[1] * s[3 + i] + own[2] * s[6 + i];
        }
    } else {
        const double column[3] = {kept.rows[r], kept.rows[size + r], kept.rows[2 * size + r]};
        apply3(kept.inverse, column, by);
    }
}

// row -= by[0] rows_0 + by[1] rows_1 + by[2] rows_2
CG_WIDE_BODY void subtract_rows_body(double *row, const double *rows, size_t size, const double *by)
{
    const double *second = rows + size, *third = second + size;
    double a = by[0], b = by[1], c = by[2];
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        QUAD_OUT(row + i) -= a * QUAD(rows + i) + b * QUAD(second + i) + c * QUAD(third + i);
    }
    for (; i < size; i++) {
        row[i] -= a * rows[i] + b * second[i] + c * third[i];
    }
}
CG_WIDE_PAIR(static, subtract_rows, (double *row, const double *rows, size_t size, const double *by),
             (row, rows, size, by))

// Takes the last touch of a problem of `w` + 1 out of the others.
static void take_out(cg_touch_set *set, int w, taken kept)
{
    size_t stride = 3 * (size_t)set->problem.working_count, size = 3 * (size_t)w;
    double *own = set->problem.coupling + size * stride;
    invert_block(own + size, stride, set->problem.is_uneven, kept.inverse);
    memcpy(kept.motion, set->problem.free_motion + size, 3 * sizeof(double));
    for (size_t i = 0; i < 3; i++) {
        memcpy(kept.rows + i * size, own + i * stride, size * sizeof(double));
    }
    for (size_t r = 0; r < size; r++) {
        double *row = set->problem.coupling + r * stride, by[3];
        weigh(set, row, r, size, kept, by);
        subtract_rows(row, kept.rows, size, by);
        set->problem.free_motion[r] -= by[0] * kept.motion[0] + by[1] * kept.motion[1] + by[2] * kept.motion[2];
    }
}

int cg_touch_take_joints_out(cg_touch_set *set)
{
    assert(set->problem.working_count <= set->room.touches);
    int left = set->problem.working_count;
    for (; left > 0 && touch_is_bilateral(&set->rows.touches[set->problem.working[left - 1]]); left--) {
        take_out(set, left - 1, taken_at(set, set->problem.working_count - left));
    }
    size_t size = 3 * (size_t)left, stride = 3 * (size_t)set->problem.working_count;
    for (size_t r = 1; r < size && left < set->problem.working_count; r++) {
        memmove(set->problem.coupling + r * size, set->problem.coupling + r * stride, size * sizeof(double));
    }
    return left;
}

void cg_touch_solve_joints(cg_touch_set *set)
{
    int first = set->problem.working_count;
    while (first > 0 && touch_is_bilateral(&set->rows.touches[set->problem.working[first - 1]])) {
        first--;
    }
    for (int w = first; w < set->problem.working_count; w++) {
        taken kept = taken_at(set, set->problem.working_count - 1 - w);
        size_t size = 3 * (size_t)w;
        double sum[3];
        for (size_t i = 0; i < 3; i++) {
            sum[i] = -kept.motion[i];
            for (size_t c = 0; c < size; c++) {
                sum[i] -= kept.rows[i * size + c] * set->problem.force[c];
            }
        }
        apply3(kept.inverse, sum, set->problem.force + size);
    }
}
