// Every force against finite differences of its energy, and every second derivative against finite differences of the
// force or of the residuals it is made of.
#include "thread/assemble.h"
#include "thread/bend.h"
#include "thread/rest.h"
#include "thread_rig.h"

typedef struct variant {
    const char *name;
    double bend_stiffness, twist_stiffness, damping_time, drag;
    bool rest_shape, clamped, turned, collapsed, low_mass;
    bool straight; // the rest shape is, behind its first bends
} variant;

static const variant VARIANTS[] = {
    {"stretch", 0, 0, 0, 0, false, false, false, false, false, false},
    {"bend", 2, 0, 0, 0, false, false, false, false, false, false},
    {"clamped", 2, 0, 0, 0, false, true, false, false, false, false},
    {"drag", 2, 0, 0, 3, false, true, false, false, false, false},
    {"low mass", 2, 0, 0, 3, false, true, false, false, true, false},
    {"damped", 2, 0, 0.7, 3, false, true, false, false, false, false},
    {"twisted", 2, 1.5, 0, 0, false, true, true, false, false, false},
    {"rest shape", 2, 1.5, 0, 0, true, false, false, false, false, false},
    {"everything", 2, 1.5, 0.7, 3, true, true, true, false, false, false},
    {"collapsed", 2, 0, 0.7, 3, false, true, false, true, false, false},
    {"straight in part", 2, 1.5, 0.7, 3, true, true, true, false, false, true},
};

static cg_thread *make_variant(const variant *v, int count, uint64_t *random)
{
    cg_vec3 points[16], rest[16];
    double lengths[16];
    wander(points, count, 0.5, random);
    wander(rest, count, 0.4, random);
    for (int i = 3; v->straight && i < count; i++) {
        rest[i] = v3_add_scaled(rest[2], i - 2, v3_sub(rest[2], rest[1]));
    }
    for (int i = 0; i < count - 1; i++) {
        lengths[i] = test_random(random, 0.8, 1.3);
    }
    if (v->collapsed) {
        // Two segments far below a tenth of their rest length, one of them at an end.
        points[1] = v3_add_scaled(points[0], 0.05, v3_unit_or(random_vector(random, 1), v3(1, 0, 0)));
        points[4] = v3_add_scaled(points[3], 0.03, v3_unit_or(random_vector(random, 1), v3(1, 0, 0)));
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = count;
    def.positions = points;
    def.rest_lengths = lengths;
    def.rest_shape = v->rest_shape ? rest : NULL;
    def.stretch_stiffness = 5;
    def.bend_stiffness = v->bend_stiffness;
    def.twist_stiffness = v->rest_shape && v->twist_stiffness == 0 ? 1 : v->twist_stiffness;
    def.linear_density = 0.7;
    def.drag = v->drag;
    def.damping_time = v->damping_time;
    def.inertia = v->low_mass ? CG_LOW_MASS : CG_TRUE_MASS;
    if (v->clamped) {
        def.ends[CG_START] = (cg_end_hold){.kind = CG_END_CLAMPED, .direction = random_vector(random, 1)};
        def.ends[CG_FINISH] = (cg_end_hold){.kind = CG_END_CLAMPED, .direction = random_vector(random, 1)};
        def.ends[CG_FINISH].turn = v->turned ? 2.5 : 0;
    }
    return make_thread(&def);
}

// Begins a step, then moves away from its start, as after a first pass.
static void begin_and_displace(cg_thread *thread, const cg_step_context *context, bool keep_short, uint64_t *random)
{
    for (int i = 0; i < thread->vertex_count; i++) {
        thread->velocity[i] = random_vector(random, 1);
        thread->force[i] = random_vector(random, 1);
    }
    cg_thread_begin_step(thread, context);
    for (int i = 0; i < thread->vertex_count; i++) {
        thread->move[i] = random_vector(random, keep_short ? 0.005 : 0.05);
        thread->target[i] = v3_add(thread->shape.position[i], thread->move[i]);
    }
    cg_thread_move(thread, context);
}

// Something soft holds four vertices of the thread, and three of them are held once more.
static void grip(cg_thread *thread, uint64_t *random)
{
    static cg_vec3 bonds[2][3];
    static cg_thread_grip grips[2];
    for (int g = 0; g < 2; g++) {
        grips[g] = (cg_thread_grip){.first = 1, .count = 4 - g, .slope = 0.7 + g, .bond_slope = 1.3 - g};
        grips[g].force = random_vector(random, 1);
        for (int b = 0; b < 3; b++) {
            bonds[g][b] = random_vector(random, 1);
        }
        grips[g].bond_forces = bonds[g];
    }
    grips[0].next = &grips[1];
    thread->grips = &grips[0];
}

// A thread that is bent at one place and straight elsewhere: the straight joints are known as such, whatever the
// rounding of their points, and the others are not.
TEST(straight_joints_of_a_bent_thread)
{
    uint64_t random = 5;
    cg_thread *thread = make_variant(&VARIANTS[10], 12, &random);
    CHECK(thread->has_rest_shape);
    for (int j = 1; j < thread->segment_count; j++) {
        CHECK_INT(cg_rest_is_straight(thread, j), j > 1);
    }
    cg_thread_destroy(thread);
}

TEST(gradient_agrees_with_finite_differences)
{
    uint64_t random = 1;
    for (size_t n = 0; n < sizeof VARIANTS / sizeof *VARIANTS; n++) {
        for (int count = 6; count <= 12; count += 3) {
            cg_step_context context = make_context(0.8);
            cg_thread *thread = make_variant(&VARIANTS[n], count, &random);
            begin_and_displace(thread, &context, VARIANTS[n].collapsed, &random);
            if (count == 9) {
                grip(thread, &random);
            }
            for (int k = 0; thread->twisting && k < 30; k++) {
                cg_twist_relax(thread, &thread->shape);
            }
            cg_thread_assemble(thread, &context);
            cg_vec3 downhill[16];
            memcpy(downhill, thread->rhs, sizeof(cg_vec3) * (size_t)count);
            for (int i = 0; i < 3 * count; i++) {
                double slope = numerical_slope(thread, &context, i / 3, i % 3, VARIANTS[n].collapsed ? 2e-6 : 1e-5);
                if (!CHECK_NEAR((&downhill[0].x)[i], -slope, 2e-7 * (1 + fabs(slope)))) {
                    CHECK_STR("variant", VARIANTS[n].name);
                }
            }
            cg_thread_destroy(thread);
        }
    }
}

// Finite differences of the force are the exact second derivative. Where nothing is left out (stretched, straight) the
// matrix must equal it.
static void compare_matrix(cg_thread *thread, const cg_step_context *context, double tolerance)
{
    int count = thread->vertex_count;
    cg_vec3 column[16], unit[16], plus[16];
    cg_band_row rows[16];
    cg_thread_assemble(thread, context);
    memcpy(rows, thread->rows, sizeof(cg_band_row) * (size_t)count);
    for (int c = 0; c < 3 * count; c++) {
        double h = 1e-6;
        memset(unit, 0, sizeof unit);
        (&unit[0].x)[c] = 1;
        cg_band_multiply(rows, count, unit, column);
        for (int side = 0; side < 2; side++) {
            double *x = &(&thread->shape.position[0].x)[c], kept = *x;
            *x += side == 0 ? h : -h;
            cg_shape_measure(thread, &thread->shape, &thread->shape);
            cg_thread_assemble(thread, context);
            for (int i = 0; i < count; i++) {
                plus[i] = side == 0 ? v3_neg(thread->rhs[i]) : v3_add(plus[i], thread->rhs[i]);
            }
            *x = kept;
        }
        cg_shape_measure(thread, &thread->shape, &thread->shape);
        for (int i = 0; i < 3 * count; i++) {
            double want = (&plus[0].x)[i] / (2 * h), got = (&column[0].x)[i];
            CHECK_NEAR(got, want, tolerance * (1 + fabs(want)));
        }
    }
}

TEST(matrix_is_exact_for_a_stretched_chain)
{
    uint64_t random = 7;
    cg_step_context context = make_context(0.8);
    cg_thread *thread = make_variant(&(variant){.name = "chain", .drag = 2}, 9, &random);
    for (int i = 0; i < thread->vertex_count; i++) {
        thread->shape.position[i] = v3_scale(1.6, thread->shape.position[i]);
    }
    cg_shape_measure(thread, &thread->shape, &thread->shape);
    cg_thread_begin_step(thread, &context);
    compare_matrix(thread, &context, 1e-7);
    grip(thread, &random);
    compare_matrix(thread, &context, 1e-7);
    cg_thread_destroy(thread);
}

TEST(matrix_is_exact_for_a_straight_stretched_rod)
{
    cg_vec3 points[10];
    double lengths[9];
    for (int i = 0; i < 10; i++) {
        points[i] = v3_scale(i < 5 ? i : 5 + 1.4 * (i - 5), v3(0.48, 0.6, 0.64));
        lengths[i < 9 ? i : 8] = 0.7;
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = 10;
    def.positions = points;
    def.rest_lengths = lengths;
    def.stretch_stiffness = 5;
    def.bend_stiffness = 2;
    def.linear_density = 0.7;
    def.ends[CG_START].kind = CG_END_CLAMPED;
    def.ends[CG_FINISH].kind = CG_END_PINNED;
    cg_thread *thread = make_thread(&def);
    cg_step_context context = make_context(0.8);
    cg_thread_begin_step(thread, &context);
    compare_matrix(thread, &context, 1e-6);
    cg_thread_destroy(thread);
}

// Bent, stretched and pushed, with the tensions of the present shape: nothing is left out.
TEST(matrix_is_exact_for_a_bent_rod)
{
    uint64_t random = 17;
    cg_step_context context = make_context(0.8);
    for (int trial = 0; trial < 20; trial++) {
        variant v = {.name = "bent", .bend_stiffness = 2, .drag = 2, .clamped = trial % 2 == 1};
        cg_thread *thread = make_variant(&v, trial < 10 ? 9 : 16, &random);
        cg_thread_begin_step(thread, &context);
        thread->cautious = false;
        compare_matrix(thread, &context, 1e-6);
        cg_thread_destroy(thread);
    }
}

// Residuals of one joint, with targets that follow their segment by the smallest rotation.
static void residuals(double k, cg_vec3 s0, cg_vec3 s1, cg_vec3 base0, cg_vec3 base1, cg_vec3 ahead, cg_vec3 behind,
                      cg_vec3 out[2])
{
    cg_vec3 t0 = v3_unit_or(s0, base0), t1 = v3_unit_or(s1, base1);
    // Smallest rotation by Rodrigues' formula, written apart from the library's.
    cg_vec3 axis0 = v3_cross(base0, t0), axis1 = v3_cross(base1, t1);
    double c0 = v3_dot(base0, t0), c1 = v3_dot(base1, t1);
    cg_vec3 a = v3_add(v3_add_scaled(v3_scale(c0, ahead), 1, v3_cross(axis0, ahead)),
                       v3_scale(v3_dot(axis0, ahead) / (1 + c0), axis0));
    cg_vec3 b = v3_add(v3_add_scaled(v3_scale(c1, behind), 1, v3_cross(axis1, behind)),
                       v3_scale(v3_dot(axis1, behind) / (1 + c1), axis1));
    double weight = sqrt(0.5 * k);
    out[0] = v3_scale(weight, v3_sub(t1, a));
    out[1] = v3_scale(weight, v3_sub(t0, b));
}

TEST(bending_matrix_is_the_square_of_its_residuals)
{
    uint64_t random = 3;
    for (int trial = 0; trial < 50; trial++) {
        cg_vec3 s[2] = {random_vector(&random, 1), random_vector(&random, 1)};
        cg_vec3 t0 = v3_unit_or(s[0], v3(1, 0, 0)), t1 = v3_unit_or(s[1], v3(1, 0, 0));
        bool straight = trial % 2 == 0;
        cg_vec3 ahead = straight ? t0 : v3_unit_or(random_vector(&random, 1), t0);
        cg_vec3 behind = straight ? t1 : v3_unit_or(random_vector(&random, 1), t1);
        bend_side s0 = {t0, 1 / v3_length(s[0]), 1}, s1 = {t1, 1 / v3_length(s[1]), 1};
        bend_response general = cg_bend_with_targets(1.7, s0, s1, ahead, behind);
        bend_response got = straight ? bend_straight(1.7, s0, s1, false) : general;
        double jacobian[6][6];
        for (int c = 0; c < 6; c++) {
            cg_vec3 r[2][2];
            double h = 1e-6, *x = &(&s[c / 3].x)[c % 3], kept = *x;
            for (int side = 0; side < 2; side++) {
                *x = kept + (side == 0 ? h : -h);
                residuals(1.7, s[0], s[1], t0, t1, ahead, behind, r[side]);
            }
            *x = kept;
            for (int i = 0; i < 6; i++) {
                jacobian[i][c] = ((&r[0][0].x)[i] - (&r[1][0].x)[i]) / (2 * h);
            }
        }
        static const int symmetric[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
        for (int e = 0; e < 9; e++) {
            double want00 = 0, want11 = 0, want10 = 0;
            for (int i = 0; i < 6; i++) {
                want00 += jacobian[i][e / 3] * jacobian[i][e % 3];
                want11 += jacobian[i][3 + e / 3] * jacobian[i][3 + e % 3];
                want10 += jacobian[i][3 + e / 3] * jacobian[i][e % 3];
            }
            CHECK_NEAR(got.h00[symmetric[e]], want00, 1e-7 * (1 + fabs(want00)));
            CHECK_NEAR(got.h11[symmetric[e]], want11, 1e-7 * (1 + fabs(want11)));
            CHECK_NEAR(got.h10[e], want10, 1e-7 * (1 + fabs(want10)));
            CHECK_NEAR(got.h10[e], general.h10[e], 1e-9 * (1 + fabs(want10)));
        }
    }
}

// The walk from both ends gives the rows of the plain one, collapsed segments included.
TEST(both_ways_of_assembling_agree)
{
    uint64_t random = 21;
    for (int count = 12; count <= 41; count++) {
        cg_vec3 points[41], plain_rhs[41];
        double lengths[40];
        cg_band_row plain[41];
        wander(points, count, 0.6, &random);
        for (int i = 0; i < count - 1; i++) {
            lengths[i] = test_random_int(&random, 0, 4) == 0 ? 15 : test_random(&random, 0.7, 1.3);
        }
        cg_thread_def def = cg_thread_def_default();
        def.vertex_count = count;
        def.positions = points;
        def.rest_lengths = lengths;
        def.stretch_stiffness = 5;
        def.bend_stiffness = 2;
        def.linear_density = 0.7;
        cg_thread *thread = make_thread(&def);
        cg_step_context context = make_context(0.8);
        begin_and_displace(thread, &context, false, &random);
        cg_assemble_vertices(thread, &context, 0, count - 1);
        memcpy(plain, thread->rows, sizeof *plain * (size_t)count);
        memcpy(plain_rhs, thread->rhs, sizeof *plain_rhs * (size_t)count);
        memset(thread->rows, 0xff, sizeof *plain * (size_t)count);
        int outer = (count - 4) / 2;
        cg_assemble_vertices(thread, &context, outer, count - 1 - outer);
        cg_assemble_outer(thread, outer);
        for (int i = 0; i < count; i++) {
            const double *want = plain[i].diagonal, *got = thread->rows[i].diagonal;
            int values = i + 2 < count ? 24 : (i + 1 < count ? 15 : 6);
            for (int e = 0; e < values; e++) {
                CHECK_NEAR(got[e], want[e], 1e-13 * (1 + fabs(want[0])));
            }
            CHECK_NEAR(v3_distance(thread->rhs[i], plain_rhs[i]), 0, 1e-12);
        }
        cg_thread_destroy(thread);
    }
}

// Crushed, folded and twisted at random: x^T A x of the cautious matrix must stay at or above the inertia part.
TEST(matrix_never_repels)
{
    uint64_t random = 9;
    for (int trial = 0; trial < 200; trial++) {
        cg_step_context context = make_context(0.8);
        const variant *v = &VARIANTS[(size_t)trial % (sizeof VARIANTS / sizeof *VARIANTS)];
        cg_thread *thread = make_variant(v, 12, &random);
        for (int i = 0; i < thread->vertex_count; i++) {
            thread->shape.position[i] = v3_add(v3_scale(0.3, thread->shape.position[i]), random_vector(&random, 0.3));
        }
        cg_shape_measure(thread, &thread->shape, &thread->shape);
        cg_thread_begin_step(thread, &context);
        thread->cautious = true;
        cg_thread_assemble(thread, &context);
        for (int probe = 0; probe < 20; probe++) {
            cg_vec3 x[12], y[12];
            double product = 0, inertia = 0;
            for (int i = 0; i < 12; i++) {
                x[i] = random_vector(&random, 1);
            }
            cg_band_multiply(thread->rows, 12, x, y);
            for (int i = 0; i < 12; i++) {
                double by_mass = (v->low_mass ? 0 : 1 / (0.8 * 0.8)) + v->drag / 0.8;
                product += v3_dot(x[i], y[i]);
                inertia += thread->mass[i] * by_mass * v3_dot(x[i], x[i]);
            }
            CHECK(product >= inertia * (1 - 1e-12) - 1e-12);
        }
        cg_thread_destroy(thread);
    }
}
