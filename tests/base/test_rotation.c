// Matrices, quaternions and transforms against plain loops, Rodrigues' formula and each other.
#include <math.h>
#include <string.h>

#include "base/mat3.h"
#include "base/quat.h"
#include "base/transform.h"
#include "harness.h"
#include "random_vectors.h"

static cg_mat3 random_matrix(uint64_t *random)
{
    cg_vec3 a = random_vector(random), b = random_vector(random), c = random_vector(random);
    return m3_from_rows(a, b, c);
}

static cg_quat random_rotation(uint64_t *random)
{
    cg_vec3 axis = random_unit(random);
    return quat_from_axis_angle(axis, test_random(random, -7, 7));
}

static double matrix_distance(cg_mat3 a, cg_mat3 b)
{
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            largest = fmax(largest, fabs(a.m[i][j] - b.m[i][j]));
        }
    }
    return largest;
}

static double rotation_distance(cg_quat a, cg_quat b)
{
    return matrix_distance(quat_to_mat3(a), quat_to_mat3(b));
}

// A turn about a unit axis by the formula of Rodrigues with the machine's own trigonometry.
static cg_vec3 rodrigues(cg_vec3 v, cg_vec3 axis, double angle)
{
    cg_vec3 turned = v3_add_scaled(v3_scale(cos(angle), v), sin(angle), v3_cross(axis, v));
    return v3_add_scaled(turned, (1 - cos(angle)) * v3_dot(axis, v), axis);
}

TEST(products_of_matrices)
{
    uint64_t random = 1;
    for (int trial = 0; trial < 1000; trial++) {
        cg_mat3 a = random_matrix(&random), b = random_matrix(&random), product = m3_zero(), transposed = m3_zero();
        cg_vec3 v = random_vector(&random);
        const double from[3] = {v.x, v.y, v.z};
        double to[3] = {0, 0, 0}, back[3] = {0, 0, 0};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                to[i] += a.m[i][j] * from[j];
                back[i] += a.m[j][i] * from[j];
                transposed.m[i][j] = a.m[j][i];
                for (int k = 0; k < 3; k++) {
                    product.m[i][j] += a.m[i][k] * b.m[k][j];
                }
            }
        }
        CHECK_NEAR(matrix_distance(m3_multiply(a, b), product), 0, 1e-15);
        CHECK_NEAR(matrix_distance(m3_transpose(a), transposed), 0, 0);
        CHECK_NEAR(v3_distance(m3_apply(a, v), v3(to[0], to[1], to[2])), 0, 1e-15);
        CHECK_NEAR(v3_distance(m3_apply_transposed(a, v), v3(back[0], back[1], back[2])), 0, 1e-15);
        CHECK_NEAR(matrix_distance(m3_multiply(a, m3_identity()), a), 0, 0);
        CHECK_NEAR(matrix_distance(m3_sub(m3_add(a, b), m3_scale(2, b)), m3_sub(a, b)), 0, 1e-15);
        for (int i = 0; i < 3; i++) {
            CHECK(m3_row(a, i).y == a.m[i][1] && m3_column(a, i).y == a.m[1][i]);
        }
    }
}

TEST(outer_and_cross_products)
{
    uint64_t random = 2;
    for (int trial = 0; trial < 1000; trial++) {
        cg_vec3 a = random_vector(&random), b = random_vector(&random), v = random_vector(&random);
        CHECK_NEAR(v3_distance(m3_apply(m3_outer(a, b), v), v3_scale(v3_dot(b, v), a)), 0, 1e-15);
        CHECK_NEAR(v3_distance(m3_apply(m3_cross(a), v), v3_cross(a, v)), 0, 1e-15);
        cg_mat3 columns = m3_from_columns(a, b, v);
        CHECK_NEAR(m3_determinant(columns), v3_dot(v3_cross(a, b), v), 1e-15);
        CHECK_NEAR(v3_distance(m3_apply(columns, v3(0, 1, 0)), b), 0, 0);
    }
    CHECK_NEAR(m3_determinant(m3_diagonal(2, 3, 4)), 24, 0);
}

// B^T B + s I is positive definite; the solution is put back, and the inverse is compared with cofactors.
TEST(solves_of_positive_definite_matrices)
{
    uint64_t random = 3;
    for (int trial = 0; trial < 2000; trial++) {
        cg_mat3 b = random_matrix(&random);
        double shift = ldexp(1, -test_random_int(&random, 0, 10));
        cg_mat3 a = m3_add(m3_multiply(m3_transpose(b), b), m3_diagonal(shift, shift, shift));
        cg_vec3 right = random_vector(&random);
        m3_factors factors;
        CHECK(m3_factor(a, &factors));
        CHECK_NEAR(v3_distance(m3_apply(a, m3_solve(&factors, right)), right), 0, 2e-15 / shift);
        cg_mat3 inverse, cofactors;
        CHECK(m3_invert(a, &inverse));
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                int r = (j + 1) % 3, s = (j + 2) % 3, p = (i + 1) % 3, q = (i + 2) % 3;
                cofactors.m[i][j] = (a.m[r][p] * a.m[s][q] - a.m[r][q] * a.m[s][p]) / m3_determinant(a);
                CHECK(inverse.m[i][j] == inverse.m[j][i]);
            }
        }
        CHECK_NEAR(matrix_distance(inverse, cofactors), 0, 1e-14 / (shift * shift));
        CHECK_NEAR(matrix_distance(m3_multiply(a, inverse), m3_identity()), 0, 4e-15 / shift);
    }
}

TEST(only_the_lower_triangle_is_read)
{
    cg_mat3 full = {{{4, 1, 2}, {1, 5, 3}, {2, 3, 6}}}, lower = {{{4, 99, 99}, {1, 5, 99}, {2, 3, 6}}};
    cg_mat3 a, b;
    CHECK(m3_invert(full, &a));
    CHECK(m3_invert(lower, &b));
    CHECK_NEAR(matrix_distance(a, b), 0, 0);
    CHECK_NEAR(matrix_distance(m3_multiply(full, a), m3_identity()), 0, 1e-15);
}

TEST(matrices_that_are_not_positive_definite_are_refused)
{
    cg_mat3 inverse;
    CHECK(!m3_invert(m3_zero(), &inverse));
    CHECK(!m3_invert(m3_diagonal(-1, 1, 1), &inverse));
    CHECK(!m3_invert(m3_diagonal(1, -1, 1), &inverse));
    CHECK(!m3_invert(m3_diagonal(1, 1, -1), &inverse));
    CHECK(!m3_invert(m3_diagonal(1, 1, (double)NAN), &inverse));
    CHECK(!m3_invert((cg_mat3){{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}}, &inverse));
    CHECK(!m3_invert(m3_outer(v3(1, 2, 3), v3(1, 2, 3)), &inverse));
    CHECK_NEAR(matrix_distance(inverse, m3_zero()), 0, 0);
}

TEST(any_matrix_is_inverted)
{
    uint64_t random = 4;
    cg_mat3 inverse;
    for (int trial = 0; trial < 2000; trial++) {
        cg_mat3 a = random_matrix(&random);
        double size = fabs(m3_determinant(a));
        CHECK(m3_invert_any(a, &inverse));
        CHECK_NEAR(matrix_distance(m3_multiply(a, inverse), m3_identity()), 0, 1e-14 / size);
        CHECK_NEAR(matrix_distance(m3_multiply(inverse, a), m3_identity()), 0, 1e-14 / size);
    }
    CHECK(m3_invert_any((cg_mat3){{{0, 2, 0}, {0, 0, 4}, {1, 0, 0}}}, &inverse));
    CHECK_NEAR(matrix_distance(inverse, (cg_mat3){{{0, 0, 1}, {0.5, 0, 0}, {0, 0.25, 0}}}), 0, 0);
    CHECK(!m3_invert_any((cg_mat3){{{1, 2, 3}, {2, 4, 6}, {0, 1, 1}}}, &inverse));
    CHECK(!m3_invert_any(m3_diagonal(1, 1, (double)NAN), &inverse));
    CHECK(!m3_invert_any(m3_zero(), &inverse));
    CHECK_NEAR(matrix_distance(inverse, m3_zero()), 0, 0);
}

TEST(quaternions_turn_as_rodrigues_says)
{
    uint64_t random = 4;
    for (int trial = 0; trial < 5000; trial++) {
        cg_vec3 axis = random_unit(&random), v = random_vector(&random);
        double angle = test_random(&random, -10, 10);
        cg_quat q = quat_from_axis_angle(axis, angle);
        cg_vec3 expected = rodrigues(v, axis, angle);
        CHECK_NEAR(quat_dot(q, q), 1, 1e-15);
        CHECK_NEAR(v3_distance(quat_rotate(q, v), expected), 0, 5e-15);
        CHECK_NEAR(v3_distance(m3_apply(quat_to_mat3(q), v), expected), 0, 5e-15);
        CHECK_NEAR(v3_distance(quat_rotate_back(q, quat_rotate(q, v)), v), 0, 5e-15);
        CHECK_NEAR(m3_determinant(quat_to_mat3(q)), 1, 5e-15);
    }
    cg_vec3 quarter = quat_rotate(quat_from_axis_angle(v3(0, 0, 1), CG_HALF_PI), v3(1, 0, 0));
    CHECK_NEAR(v3_distance(quarter, v3(0, 1, 0)), 0, 1e-15); // right-handed
}

TEST(a_product_is_one_turn_after_the_other)
{
    uint64_t random = 5;
    for (int trial = 0; trial < 5000; trial++) {
        cg_quat a = random_rotation(&random), b = random_rotation(&random);
        cg_vec3 v = random_vector(&random);
        CHECK_NEAR(v3_distance(quat_rotate(quat_multiply(a, b), v), quat_rotate(a, quat_rotate(b, v))), 0, 5e-15);
        cg_mat3 product = m3_multiply(quat_to_mat3(a), quat_to_mat3(b));
        CHECK_NEAR(matrix_distance(quat_to_mat3(quat_multiply(a, b)), product), 0, 5e-15);
        CHECK_NEAR(rotation_distance(quat_multiply(a, quat_conjugate(a)), quat_identity()), 0, 5e-15);
    }
}

// All branches: random turns, and turns by pi and nearly pi about each axis.
TEST(a_matrix_gives_its_quaternion_back)
{
    uint64_t random = 6;
    for (int trial = 0; trial < 5000; trial++) {
        cg_quat q = random_rotation(&random);
        if (trial % 2 == 0) {
            int along = trial / 2 % 3;
            cg_vec3 axis = v3_add_scaled(v3(along == 0, along == 1, along == 2), 1e-3, random_vector(&random));
            double angle = CG_PI + (trial % 4 == 0 ? 0 : test_random(&random, -1e-6, 1e-6));
            q = quat_from_axis_angle(v3_unit_or(axis, v3(1, 0, 0)), angle);
        }
        cg_quat back = quat_from_mat3(quat_to_mat3(q));
        CHECK_NEAR(quat_dot(back, back), 1, 1e-15);
        CHECK_NEAR(fabs(quat_dot(back, q)), 1, 2e-15);
        CHECK_NEAR(rotation_distance(back, q), 0, 5e-15);
    }
    CHECK(quat_from_mat3(m3_identity()).w == 1);
}

TEST(the_rotation_between_two_directions)
{
    uint64_t random = 7;
    for (int trial = 0; trial < 5000; trial++) {
        cg_vec3 from = random_unit(&random), to = random_unit(&random);
        cg_quat q = quat_between(from, to);
        CHECK_NEAR(v3_distance(quat_rotate(q, from), to), 0, 1e-14);
        cg_vec3 axis = v3_cross(from, to);
        CHECK_NEAR(v3_distance(quat_rotate(q, axis), axis), 0, 1e-14); // the smallest: what is across stays
        CHECK_NEAR(2 * cg_acos(fmin(q.w, 1)), acos(v3_dot(from, to)), 1e-7);
        cg_quat half = quat_between(from, v3_neg(from)); // opposite
        CHECK_NEAR(quat_dot(half, half), 1, 1e-14);
        CHECK_NEAR(v3_distance(quat_rotate(half, from), v3_neg(from)), 0, 1e-14);
        double lean = ldexp(1, -test_random_int(&random, 1, 40));
        cg_vec3 nearly = v3_unit_or(v3_add_scaled(v3_neg(from), lean, random_unit(&random)), from);
        cg_quat almost = quat_between(from, nearly);
        CHECK_NEAR(quat_dot(almost, almost), 1, 1e-14);
        CHECK_NEAR(v3_distance(quat_rotate(almost, from), nearly), 0, 1e-11);
        cg_quat none = quat_between(from, from);
        CHECK_NEAR(rotation_distance(none, quat_identity()), 0, 0);
    }
}

TEST(normalising)
{
    cg_quat q = quat_normalise(quat(2, -4, 4, 8));
    CHECK_NEAR(q.x, 0.2, 1e-16);
    CHECK_NEAR(q.y, -0.4, 1e-16);
    CHECK_NEAR(q.w, 0.8, 2e-16);
    CHECK(quat_normalise(quat(0, 0, 0, 0)).w == 1);
    CHECK(quat_normalise(quat((double)NAN, 0, 0, 1)).x == 0);
    CHECK(quat_normalise(quat((double)INFINITY, 0, 0, 1)).w == 1);
}

TEST(blending_two_rotations)
{
    uint64_t random = 8;
    for (int trial = 0; trial < 1000; trial++) {
        cg_quat a = random_rotation(&random), b = random_rotation(&random);
        CHECK_NEAR(rotation_distance(quat_nlerp(a, b, 0), a), 0, 5e-15);
        CHECK_NEAR(rotation_distance(quat_nlerp(a, b, 1), b), 0, 5e-15);
        cg_quat minus = quat(-b.x, -b.y, -b.z, -b.w);
        CHECK_NEAR(rotation_distance(quat_nlerp(a, b, 0.3), quat_nlerp(a, minus, 0.3)), 0, 5e-15);
        cg_vec3 axis = random_unit(&random);
        double angle = test_random(&random, -3, 3);
        cg_quat middle = quat_nlerp(quat_identity(), quat_from_axis_angle(axis, angle), 0.5);
        CHECK_NEAR(rotation_distance(middle, quat_from_axis_angle(axis, 0.5 * angle)), 0, 5e-15);
    }
}

TEST(poses)
{
    uint64_t random = 9;
    for (int trial = 0; trial < 2000; trial++) {
        cg_transform a = {random_vector(&random), random_rotation(&random)};
        cg_transform b = {random_vector(&random), random_rotation(&random)};
        cg_vec3 p = random_vector(&random), q = random_vector(&random);
        cg_vec3 expected = v3_add(a.position, m3_apply(quat_to_mat3(a.rotation), p));
        CHECK_NEAR(v3_distance(transform_point(a, p), expected), 0, 5e-15);
        cg_vec3 difference = v3_sub(transform_point(a, p), transform_point(a, q));
        CHECK_NEAR(v3_distance(transform_vector(a, v3_sub(p, q)), difference), 0, 5e-15);
        cg_vec3 both = transform_point(a, transform_point(b, p));
        CHECK_NEAR(v3_distance(transform_point(transform_compose(a, b), p), both), 0, 5e-15);
        CHECK_NEAR(v3_distance(transform_point_back(a, transform_point(a, p)), p), 0, 5e-15);
        CHECK_NEAR(v3_distance(transform_vector_back(a, transform_vector(a, p)), p), 0, 5e-15);
        CHECK_NEAR(v3_distance(transform_point(transform_inverse(a), transform_point(a, p)), p), 0, 5e-15);
        cg_transform none = transform_compose(a, transform_inverse(a));
        CHECK_NEAR(v3_length(none.position), 0, 5e-15);
        CHECK_NEAR(rotation_distance(none.rotation, transform_identity().rotation), 0, 5e-15);
    }
}
