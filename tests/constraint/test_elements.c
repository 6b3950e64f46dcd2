// Forces of spans, bodies, nodes and springs, and their derivatives, against finite differences of energies and forces.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "constraint/bspline.h"
#include "constraint/rigid_element.h"
#include "constraint/sheet.h"
#include "constraint/spline_thread.h"
#include "harness.h"

enum { STATES = 200 };

// Some element, as a function of its state.
typedef struct subject {
    const cg_spline *spline;
    const cg_dae_rigid_def *rigid;
    const cg_spring *spring;
    int span, count;
} subject;

static const cg_vec3 gravity = {0.3, -9.81, 1.1};

static void forces_of(const subject *of, const cg_element_state *state, const double weights[3],
                      cg_element_answer *answer)
{
    cg_element_wish wish = {weights[0], weights[1], weights[2], gravity};
    memset(answer, 0, sizeof *answer);
    if (of->spline) {
        cg_spline_forces(of->spline, of->span, state, &wish, answer);
    } else if (of->rigid) {
        cg_dae_rigid_forces(of->rigid, state, &wish, answer);
    } else if (of->spring) {
        cg_spring_forces(of->spring, 0.02, state, &wish, answer);
    } else {
        cg_node_forces(0.7, 1.3, state, &wish, answer);
    }
}

// The largest difference of a column of the matrix from the central difference of the forces, over the largest entry of
// the matrix. which: 0 by a, 1 by v, 2 by x.
static double derivative_error(const subject *of, const cg_element_state *state, int which, double step)
{
    double weights[3] = {0, 0, 0}, worst = 0, largest = 0;
    weights[which] = 1;
    cg_element_answer exact;
    forces_of(of, state, weights, &exact);
    for (int j = 0; j < of->count; j++) {
        cg_element_answer there[2];
        for (int side = 0; side < 2; side++) {
            cg_element_state moved = *state;
            double *to = which == 0 ? moved.a : (which == 1 ? moved.v : moved.x);
            to[j] += side == 0 ? -step : step;
            const double nothing[3] = {0, 0, 0};
            forces_of(of, &moved, nothing, &there[side]);
        }
        for (int i = 0; i < of->count; i++) {
            double slope = -(there[1].f[i] - there[0].f[i]) / (2 * step);
            worst = fmax(worst, fabs(exact.matrix[i * CG_ELEMENT_MOST + j] - slope));
            largest = fmax(largest, fabs(exact.matrix[i * CG_ELEMENT_MOST + j]));
        }
    }
    return largest > 0 ? worst / largest : worst;
}

static void random_numbers(uint64_t *seed, double size, int count, double *to)
{
    for (int i = 0; i < count; i++) {
        to[i] = test_random(seed, -size, size);
    }
}

// A thread of soft round numbers, so that all three energies are of one size.
static cg_spline_def soft_def(void)
{
    cg_spline_def def = cg_spline_def_default();
    def.control_count = 7;
    def.length = 4;
    def.radius = 0.5;
    def.density = 2;
    def.young = 3;
    def.mass_damping = 0.4;
    def.stiffness_damping = 0.1;
    return def;
}

// States of span 2 near the straight thread, bent by `bend`, twisted by `twist`.
static void random_span(uint64_t *seed, double bend, double twist, cg_element_state *state)
{
    memset(state, 0, sizeof *state);
    random_numbers(seed, bend, 16, state->x);
    for (int i = 0; i < 4; i++) {
        state->x[4 * i] += i;
        state->x[4 * i + 3] = test_random(seed, -twist, twist);
    }
    random_numbers(seed, 1, 16, state->v);
    random_numbers(seed, 1, 16, state->a);
}

TEST(a_span_has_the_force_of_its_energy)
{
    cg_spline_def def = soft_def();
    cg_allocator allocator = cg_memory_default();
    cg_spline spline;
    if (!CHECK(cg_spline_init(&spline, &def, &allocator).code == CG_OK)) {
        return;
    }
    uint64_t seed = 1;
    double worst = 0;
    for (int k = 0; k < STATES; k++) {
        cg_element_state state;
        random_span(&seed, k % 4 == 0 ? 0 : 0.3, 1, &state);
        subject of = {.spline = &spline, .span = k % 4, .count = 16};
        memset(state.v, 0, sizeof state.v);
        memset(state.a, 0, sizeof state.a);
        cg_element_wish wish = {0};
        cg_element_answer answer = {0};
        cg_spline_forces(&spline, of.span, &state, &wish, &answer);
        for (int i = 0; i < 16; i++) {
            double step = 1e-5, energy[2];
            for (int side = 0; side < 2; side++) {
                cg_element_state moved = state;
                moved.x[i] += side == 0 ? -step : step;
                energy[side] = cg_spline_energy(&spline, of.span, moved.x);
            }
            worst = fmax(worst, fabs(answer.f[i] + (energy[1] - energy[0]) / (2 * step)));
        }
    }
    CHECK_NEAR(worst, 0, 1e-8); // forces are of the order of one
    cg_spline_free(&spline);
}

TEST(a_span_has_the_derivatives_of_its_forces)
{
    cg_spline_def def = soft_def();
    cg_allocator allocator = cg_memory_default();
    cg_spline spline;
    if (!CHECK(cg_spline_init(&spline, &def, &allocator).code == CG_OK)) {
        return;
    }
    uint64_t seed = 2;
    double worst[3] = {0};
    for (int k = 0; k < STATES; k++) {
        cg_element_state state;
        int span = k % 4;
        random_span(&seed, k % 4 == 0 ? 0 : 0.3, 1, &state); // every fourth is straight
        cg_spline_begin_span(&spline, span, state.x);
        if (k % 4 == 1) {
            cg_spline_end_span(&spline, span, state.x); // frames that are twisted and carried
            random_span(&seed, 0.3, 1, &state);
        }
        for (int which = 0; which < 3; which++) {
            subject of = {.spline = &spline, .span = span, .count = 16};
            worst[which] = fmax(worst[which], derivative_error(&of, &state, which, 1e-5));
        }
    }
    for (int which = 0; which < 3; which++) {
        CHECK_NEAR(worst[which], 0, 1e-6);
    }
    cg_spline_free(&spline);
}

TEST(a_rigid_body_has_the_derivatives_of_its_forces)
{
    cg_dae_rigid_def def = cg_dae_rigid_def_box((cg_vec3){1, 0.5, 0.2}, 3);
    def.mass_damping = 0.7;
    uint64_t seed = 3;
    double worst[3] = {0};
    for (int k = 0; k < STATES; k++) {
        cg_element_state state = {{0}, {0}, {0}};
        random_numbers(&seed, 1, 7, state.x);
        random_numbers(&seed, 1, 7, state.v);
        random_numbers(&seed, 1, 7, state.a);
        for (int which = 0; which < 3; which++) {
            subject of = {.rigid = &def, .count = 7};
            worst[which] = fmax(worst[which], derivative_error(&of, &state, which, 1e-5));
        }
    }
    for (int which = 0; which < 3; which++) {
        CHECK_NEAR(worst[which], 0, 1e-6);
    }
}

// Newton and Euler: a body that turns freely has I w' + w x I w = 0 in its own axes.
TEST(a_free_body_obeys_euler)
{
    cg_dae_rigid_def def = cg_dae_rigid_def_box((cg_vec3){1, 0.5, 0.2}, 3);
    uint64_t seed = 4;
    for (int k = 0; k < 50; k++) {
        cg_quat q = quat_normalise(quat(test_random(&seed, -1, 1), test_random(&seed, -1, 1), test_random(&seed, -1, 1),
                                        test_random(&seed, -1, 1)));
        cg_vec3 w = v3(test_random(&seed, -2, 2), test_random(&seed, -2, 2), test_random(&seed, -2, 2));
        cg_vec3 i = def.inertia, l = v3(i.x * w.x, i.y * w.y, i.z * w.z), gyro = v3_cross(w, l);
        cg_vec3 turn = v3(-gyro.x / i.x, -gyro.y / i.y, -gyro.z / i.z);
        // q' = q (w/2), q'' = q' (w/2) + q (w'/2)
        cg_quat rate = quat_multiply(q, quat(w.x / 2, w.y / 2, w.z / 2, 0));
        cg_quat bend = quat_multiply(rate, quat(w.x / 2, w.y / 2, w.z / 2, 0));
        cg_quat more = quat_multiply(q, quat(turn.x / 2, turn.y / 2, turn.z / 2, 0));
        cg_element_state state = {{0, 0, 0, q.x, q.y, q.z, q.w}, {0, 0, 0, rate.x, rate.y, rate.z, rate.w}, {0}};
        const double acceleration[4] = {bend.x + more.x, bend.y + more.y, bend.z + more.z, bend.w + more.w};
        memcpy(state.a + 3, acceleration, sizeof acceleration);
        cg_element_wish wish = {0};
        cg_element_answer answer = {0};
        cg_dae_rigid_forces(&def, &state, &wish, &answer);
        // What is left must be along q, where the constraint of unit length holds it.
        double along = q.x * answer.f[3] + q.y * answer.f[4] + q.z * answer.f[5] + q.w * answer.f[6];
        const double unit[4] = {q.x, q.y, q.z, q.w};
        for (int c = 0; c < 4; c++) {
            CHECK_NEAR(answer.f[3 + c] - along * unit[c], 0, 1e-12);
        }
        cg_vec3 spin = cg_dae_rigid_spin(state.x, state.v);
        CHECK_NEAR(v3_distance(spin, w), 0, 1e-12);
    }
}

TEST(springs_and_nodes_have_the_derivatives_of_their_forces)
{
    cg_spring spring = {{0, 1}, 40, 0.8};
    uint64_t seed = 5;
    double worst = 0, energy_error = 0;
    for (int k = 0; k < STATES; k++) {
        cg_element_state state = {{0}, {0}, {0}};
        random_numbers(&seed, 1, 6, state.x);
        state.x[3] += 2;
        random_numbers(&seed, 1, 6, state.v);
        random_numbers(&seed, 1, 6, state.a);
        for (int which = 0; which < 3; which++) {
            subject node = {.count = 3}, link = {.spring = &spring, .count = 6};
            worst = fmax(worst, derivative_error(&node, &state, which, 1e-5));
            worst = fmax(worst, derivative_error(&link, &state, which, 1e-5));
        }
        memset(state.v, 0, sizeof state.v);
        cg_element_wish wish = {0};
        cg_element_answer answer = {0};
        cg_spring_forces(&spring, 0, &state, &wish, &answer);
        for (int i = 0; i < 6; i++) {
            cg_element_state up = state, down = state;
            up.x[i] += 1e-5;
            down.x[i] -= 1e-5;
            double slope = (cg_spring_energy(&spring, up.x) - cg_spring_energy(&spring, down.x)) / 2e-5;
            energy_error = fmax(energy_error, fabs(answer.f[i] + slope));
        }
    }
    CHECK_NEAR(worst, 0, 1e-6);
    CHECK_NEAR(energy_error, 0, 1e-7);
}

// The mass of all spans is that of the thread; a thread that turns as a whole has the energy of its spin.
TEST(the_mass_of_a_thread_is_exact)
{
    cg_spline_def def = cg_spline_def_default();
    cg_allocator allocator = cg_memory_default();
    cg_spline spline;
    if (!CHECK(cg_spline_init(&spline, &def, &allocator).code == CG_OK)) {
        return;
    }
    double mass = 0, spin = 0;
    for (int span = 0; span < spline.span_count; span++) {
        cg_element_state state = {{0}, {0}, {0}};
        for (int i = 0; i < 4; i++) {
            state.x[4 * i] = i;
        }
        cg_element_wish wish = {.mass = 1};
        cg_element_answer answer = {0};
        cg_spline_forces(&spline, span, &state, &wish, &answer);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                mass += answer.matrix[(4 * i + 1) * CG_ELEMENT_MOST + 4 * j + 1];
                spin += answer.matrix[(4 * i + 3) * CG_ELEMENT_MOST + 4 * j + 3];
            }
        }
    }
    double pi = 3.14159265358979323846, area = pi * def.radius * def.radius, true_mass = def.density * area * 0.2;
    CHECK_NEAR(mass / true_mass, 1, 1e-12);
    CHECK_NEAR(spin / (true_mass * def.radius * def.radius / 2), 1, 1e-12);
    cg_spline_free(&spline);
}
