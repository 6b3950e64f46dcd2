#include "constraint/rigid_element.h"

#include "base/quat.h"
#include "base/status.h"
#include "base/vec3.h"

enum { STRIDE = CG_ELEMENT_MOST, TURN = CG_DAE_RIGID_TURN };

cg_dae_rigid_def cg_dae_rigid_def_box(cg_vec3 size, double density)
{
    double mass = density * size.x * size.y * size.z, k = mass / 12;
    double xx = size.x * size.x, yy = size.y * size.y, zz = size.z * size.z;
    return (cg_dae_rigid_def){.mass = mass,
                              .inertia = v3(k * (yy + zz), k * (zz + xx), k * (xx + yy)),
                              .rotation = quat_identity(),
                              .unit_index = 3};
}

cg_status cg_dae_rigid_check(const cg_dae_rigid_def *def)
{
    double least = fmin(fmin(def->inertia.x, def->inertia.y), def->inertia.z);
    if (!(def->mass > 0 && def->mass < 1e30 && least > 0 && v3_is_finite(def->inertia))) {
        return cg_error(CG_BAD_INPUT, "mass and inertia of a rigid body must be above 0 and finite");
    }
    if (!v3_is_finite(def->position) || !v3_is_finite(def->velocity) || !v3_is_finite(def->angular_velocity)) {
        return cg_error(CG_BAD_INPUT, "place or velocity of a rigid body is not finite");
    }
    double unit = quat_dot(def->rotation, def->rotation);
    if (!(fabs(unit - 1) < 1e-6)) {
        return cg_error(CG_BAD_INPUT, "the rotation of a rigid body has the length %g squared; expected 1", unit);
    }
    if (!(def->mass_damping >= 0 && def->mass_damping < 1e30)) {
        return cg_error(CG_BAD_INPUT, "mass_damping is %g; it must not be below 0", def->mass_damping);
    }
    return cg_ok();
}

void cg_dae_rigid_start(const cg_dae_rigid_def *def, double *x, double *v)
{
    cg_quat q = quat_normalise(def->rotation);
    cg_vec3 w = v3_scale(0.5, def->angular_velocity);
    cg_quat rate = quat_multiply(quat(w.x, w.y, w.z, 0), q);
    const double place[7] = {def->position.x, def->position.y, def->position.z, q.x, q.y, q.z, q.w};
    const double speed[7] = {def->velocity.x, def->velocity.y, def->velocity.z, rate.x, rate.y, rate.z, rate.w};
    for (int i = 0; i < CG_DAE_RIGID_UNKNOWNS; i++) {
        x[i] = place[i];
        v[i] = speed[i];
    }
}

// E(p): e(p, s) = p_w s_v - s_w p_v - p_v x s_v.
static void fill_e(const double p[4], double e[3][4])
{
    const double rows[3][4] = {{p[3], p[2], -p[1], -p[0]}, {-p[2], p[3], p[0], -p[1]}, {p[1], -p[0], p[3], -p[2]}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            e[i][j] = rows[i][j];
        }
    }
}

static void times_e(double e[3][4], const double s[4], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = e[i][0] * s[0] + e[i][1] * s[1] + e[i][2] * s[2] + e[i][3] * s[3];
    }
}

cg_vec3 cg_dae_rigid_spin(const double *x, const double *v)
{
    double e[3][4], w[3];
    fill_e(x + TURN, e);
    times_e(e, v + TURN, w);
    return v3(2 * w[0], 2 * w[1], 2 * w[2]);
}

double cg_dae_rigid_energy(const cg_dae_rigid_def *def, const double *x, const double *v)
{
    cg_vec3 w = cg_dae_rigid_spin(x, v);
    double turning = def->inertia.x * w.x * w.x + def->inertia.y * w.y * w.y + def->inertia.z * w.z * w.z;
    return 0.5 * (def->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + turning);
}

// matrix += scale E(p)^T I E(q)
static void add_product(double scale, double p[3][4], const double inertia[3], double q[3][4], double *matrix)
{
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            double sum = 0;
            for (int c = 0; c < 3; c++) {
                sum += p[c][i] * inertia[c] * q[c][j];
            }
            matrix[i * STRIDE + j] += scale * sum;
        }
    }
}

// matrix += scale S(z), S(z) p = E(p)^T z
static void add_turned(double scale, const double z[3], double *matrix)
{
    for (int j = 0; j < 4; j++) {
        double unit[4] = {0}, e[3][4];
        unit[j] = 1;
        fill_e(unit, e);
        for (int i = 0; i < 4; i++) {
            matrix[i * STRIDE + j] += scale * (e[0][i] * z[0] + e[1][i] * z[1] + e[2][i] * z[2]);
        }
    }
}

static void add_force(double scale, double e[3][4], const double z[3], double *f)
{
    for (int i = 0; i < 4; i++) {
        f[i] += scale * (e[0][i] * z[0] + e[1][i] * z[1] + e[2][i] * z[2]);
    }
}

static void add_turning(const cg_dae_rigid_def *def, const cg_element_state *state, const cg_element_wish *wish,
                        cg_element_answer *answer)
{
    const double inertia[3] = {def->inertia.x, def->inertia.y, def->inertia.z};
    const double *q = state->x + TURN, *v = state->v + TURN, *a = state->a + TURN;
    double alpha = def->mass_damping, mu = 4 * (inertia[0] + inertia[1] + inertia[2]) / 3;
    double e_q[3][4], e_v[3][4], e_a[3][4], push[3], spin[3];
    fill_e(q, e_q);
    fill_e(v, e_v);
    fill_e(a, e_a);
    times_e(e_q, a, push);
    times_e(e_q, v, spin);
    for (int c = 0; c < 3; c++) {
        push[c] *= inertia[c];
        spin[c] *= inertia[c];
    }
    double *f = answer->f + TURN, *matrix = answer->matrix + TURN * STRIDE + TURN;
    double along = q[0] * a[0] + q[1] * a[1] + q[2] * a[2] + q[3] * a[3];
    add_force(-4, e_q, push, f);
    add_force(-8, e_v, spin, f);
    add_force(-4 * alpha, e_q, spin, f);
    for (int i = 0; i < 4; i++) {
        f[i] -= mu * along * q[i];
        matrix[i * STRIDE + i] += wish->stiffness * mu * along;
        for (int j = 0; j < 4; j++) {
            matrix[i * STRIDE + j] += mu * q[i] * (wish->mass * q[j] + wish->stiffness * a[j]);
        }
    }
    add_product(4 * (wish->mass + alpha * wish->damping), e_q, inertia, e_q, matrix);
    // by v
    add_turned(8 * wish->damping, spin, matrix);
    add_product(8 * wish->damping, e_v, inertia, e_q, matrix);
    // by q: d e(q, s) / dq = -E(s)
    add_turned(4 * wish->stiffness, push, matrix);
    add_product(-4 * wish->stiffness, e_q, inertia, e_a, matrix);
    add_product(-8 * wish->stiffness, e_v, inertia, e_v, matrix);
    add_turned(4 * alpha * wish->stiffness, spin, matrix);
    add_product(-4 * alpha * wish->stiffness, e_q, inertia, e_v, matrix);
}

void cg_dae_rigid_forces(const cg_dae_rigid_def *def, const cg_element_state *state, const cg_element_wish *wish,
                         cg_element_answer *answer)
{
    const double weight[3] = {wish->gravity.x, wish->gravity.y, wish->gravity.z};
    for (int c = 0; c < 3; c++) {
        answer->f[c] += def->mass * (weight[c] - state->a[c] - def->mass_damping * state->v[c]);
        answer->matrix[c * STRIDE + c] += def->mass * (wish->mass + def->mass_damping * wish->damping);
    }
    add_turning(def, state, wish, answer);
}
