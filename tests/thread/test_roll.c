// The turning of the material under torques: springs against finite differences of the energy, the chain of springs
// against dense arithmetic.
#include "thread/roll.h"
#include "thread_rig.h"

enum { COUNT = 9, SEGMENTS = COUNT - 1 };

typedef struct variant {
    cg_end_kind start, finish;
    bool rest_shape, low_mass;
} variant;

static const variant VARIANTS[] = {
    {CG_END_FREE, CG_END_FREE, false, false},   {CG_END_CLAMPED, CG_END_FREE, false, false},
    {CG_END_FREE, CG_END_CLAMPED, false, true}, {CG_END_CLAMPED, CG_END_CLAMPED, false, false},
    {CG_END_CLAMPED, CG_END_FREE, true, false}, {CG_END_PINNED, CG_END_PINNED, false, true},
};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS };

// A bent thread whose material is turned at random, in the middle of a step.
static cg_thread *make_rolling(const variant *v, const cg_step_context *context, uint64_t *random)
{
    cg_vec3 points[COUNT], rest[COUNT];
    wander(points, COUNT, 0.5, random);
    wander(rest, COUNT, 0.4, random);
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = COUNT;
    def.positions = points;
    def.rest_shape = v->rest_shape ? rest : NULL;
    def.radius = 0.3;
    def.stretch_stiffness = 5;
    def.bend_stiffness = 2;
    def.twist_stiffness = 1.5;
    def.linear_density = 0.7;
    def.drag = 3;
    def.inertia = v->low_mass ? CG_LOW_MASS : CG_TRUE_MASS;
    def.ends[CG_START].kind = v->start;
    def.ends[CG_FINISH] = (cg_end_hold){.kind = v->finish, .turn = 0.7};
    cg_thread *thread = make_thread(&def);
    cg_roll_start(thread);
    CHECK(thread->rolling && thread->twisting);
    cg_thread_begin_step(thread, context);
    for (int i = 0; i < SEGMENTS; i++) {
        thread->turn[i] = test_random(random, -0.5, 0.5);
    }
    cg_thread_move_share(thread, 1);
    memcpy(thread->start_angle, thread->shape.angle, sizeof(double) * SEGMENTS); // no inertia so far
    return thread;
}

// Elastic energy with two segments turned a little further.
static double energy_at(cg_thread *thread, int i, double turn_i, int j, double turn_j)
{
    memset(thread->turn, 0, sizeof(double) * SEGMENTS);
    thread->turn[i] += turn_i;
    thread->turn[j] += turn_j;
    memcpy(thread->trial.position, thread->shape.position, sizeof(cg_vec3) * COUNT);
    cg_shape_measure(thread, &thread->trial, &thread->shape);
    cg_twist_follow(thread, &thread->trial, &thread->shape, 1);
    cg_thread_energy energy = cg_thread_energy_of(thread, &thread->trial, v3_zero());
    return energy.bend + energy.twist;
}

TEST(torques_are_the_slope_of_the_energy)
{
    uint64_t random = 3;
    cg_step_context context = make_context(0.8);
    for (int n = 0; n < VARIANT_COUNT; n++) {
        cg_thread *thread = make_rolling(&VARIANTS[n], &context, &random);
        cg_roll_assemble(thread, &context);
        cg_roll_foresee(thread, &thread->shape);
        double h = 1e-5;
        for (int i = 0; i < SEGMENTS; i++) {
            double slope = (energy_at(thread, i, h, i, 0) - energy_at(thread, i, -h, i, 0)) / (2 * h);
            double inertia = cg_roll_inertia(thread, i), spin_part = VARIANTS[n].low_mass ? 0 : inertia / 0.64;
            spin_part *= context.time_step * thread->spin[i];
            CHECK_NEAR(thread->roll[i].downhill - spin_part, -slope, 1e-8);
        }
        cg_thread_destroy(thread);
    }
}

// The matrix of the step by finite differences of the energy, and inertia.
static void dense_matrix(cg_thread *thread, const variant *v, double time_step, double out[SEGMENTS][SEGMENTS])
{
    double h = 1e-3; // the twist of a straight thread is quadratic: no error from a large difference
    for (int i = 0; i < SEGMENTS; i++) {
        for (int j = 0; j < SEGMENTS; j++) {
            double pp = energy_at(thread, i, h, j, h), mm = energy_at(thread, i, -h, j, -h);
            double pm = energy_at(thread, i, h, j, -h), mp = energy_at(thread, i, -h, j, h);
            out[i][j] = (pp + mm - pm - mp) / (4 * h * h);
        }
        double rate = 3 / time_step + (v->low_mass ? 0 : 1 / (time_step * time_step));
        out[i][i] += cg_roll_inertia(thread, i) * rate;
    }
}

TEST(turns_solve_the_equations_of_the_energy)
{
    uint64_t random = 4;
    for (int n = 0; n < VARIANT_COUNT; n++) {
        double matrix[SEGMENTS][SEGMENTS], torque[SEGMENTS], step = n % 2 == 0 ? 0.8 : 20;
        cg_step_context context = make_context(step);
        if (VARIANTS[n].rest_shape) {
            continue; // its curvature is clipped on purpose
        }
        cg_thread *thread = make_rolling(&VARIANTS[n], &context, &random);
        dense_matrix(thread, &VARIANTS[n], step, matrix);
        cg_roll_assemble(thread, &context);
        cg_roll_foresee(thread, &thread->shape);
        for (int i = 0; i < SEGMENTS; i++) {
            torque[i] = thread->contact_torque[i] = test_random(&random, -1, 1);
        }
        cg_roll_solve(thread);
        for (int i = 0; i < SEGMENTS; i++) {
            double sum = 0;
            for (int j = 0; j < SEGMENTS; j++) {
                sum += matrix[i][j] * thread->turn[j];
            }
            CHECK_NEAR(sum, torque[i] + thread->roll[i].downhill, 1e-7);
        }
        cg_thread_destroy(thread);
    }
}

TEST(compliance_and_shares_are_columns_of_the_inverse)
{
    uint64_t random = 5;
    cg_step_context context = make_context(0.8);
    for (int n = 0; n < VARIANT_COUNT; n++) {
        cg_thread *thread = make_rolling(&VARIANTS[n], &context, &random);
        cg_roll_assemble(thread, &context);
        cg_roll_foresee(thread, &thread->shape);
        for (int i = 0; i < SEGMENTS; i++) {
            thread->roll[i].downhill = 0;
        }
        for (int at = 0; at < SEGMENTS; at++) {
            memset(thread->contact_torque, 0, sizeof(double) * SEGMENTS);
            thread->contact_torque[at] = 1;
            cg_roll_solve(thread);
            double turn = cg_roll_compliance(thread, at);
            for (int i = at; i >= 0; i--) {
                CHECK_NEAR(turn, thread->turn[i], 1e-12 * fabs(turn));
                turn *= i > 0 ? cg_roll_share_before(thread, i) : 1;
            }
        }
        cg_thread_destroy(thread);
    }
}

// A thread that nothing holds gets all of a torque as angular momentum, however stiff it is against twist.
TEST(a_free_thread_takes_a_torque_as_angular_momentum)
{
    uint64_t random = 6;
    double step = 1e-3;
    cg_step_context context = make_context(step);
    for (double stiffness = 1; stiffness < 1e11; stiffness *= 1e5) {
        cg_vec3 points[COUNT];
        wander(points, COUNT, 0.5, &random);
        cg_thread_def def = cg_thread_def_default();
        def.vertex_count = COUNT;
        def.positions = points;
        def.twist_stiffness = stiffness;
        def.radius = 0.1;
        def.linear_density = 1;
        def.drag = 0;
        cg_thread *thread = make_thread(&def);
        cg_roll_start(thread);
        cg_thread_begin_step(thread, &context);
        thread->contact_torque[2] = 1;
        cg_roll_assemble(thread, &context);
        cg_roll_foresee(thread, &thread->shape);
        cg_roll_solve(thread);
        double momentum = 0;
        for (int i = 0; i < SEGMENTS; i++) {
            momentum += cg_roll_inertia(thread, i) * thread->turn[i] / step;
        }
        CHECK_NEAR(momentum, step * 1, 1e-12 * step);
        cg_thread_destroy(thread);
    }
}
