// Forces and steps of the mass-spring thread; mass_spring.h says what they are.
#include "thread/mass_spring.h"

#include <math.h>
#include <stddef.h>

#include "base/trig.h"
#include "base/vec3.h"

static const double PI = 3.14159265358979323846;

// Joints straighter than this, or folded back so far, have no plane.
static const double LEAST_SINE = 1e-9;

// A segment with its direction.
typedef struct span {
    cg_vec3 along; // unit
    double length;
} span;

static span span_of(const cg_vec3 *position, int segment)
{
    cg_vec3 way = v3_sub(position[segment + 1], position[segment]);
    double length = v3_length(way);
    return (span){v3_unit_or(way, v3_zero()), length}; // without a length it pulls at nothing
}

cg_mass_spring_def cg_mass_spring_def_table(int model, int vertices)
{
    return (cg_mass_spring_def){.model = model,
                                .mass = 0.05,
                                .rest_length = 0.5 / (vertices - 1),
                                .linear_spring = 800,
                                .quadratic_spring =
                                    400e3, // half of model 4's stretch under 30 points' own weight asks for 310e3
                                .linear_damper = 1,
                                .torsional_spring = 10,
                                .torsional_damper = 0.05,
                                .swivel_damper = 0.2};
}

static bool has_torsional_spring(const cg_mass_spring_def *def)
{
    return def->model >= 2;
}

static bool has_torsional_damper(const cg_mass_spring_def *def)
{
    return def->model >= 3;
}

static bool has_swivel_damper(const cg_mass_spring_def *def)
{
    return def->model >= 4;
}

static bool is_quadratic(const cg_mass_spring_def *def)
{
    return def->model >= 5;
}

// [N] Of the linear spring.
static double spring_pull(const cg_mass_spring_def *def, double length)
{
    double strain = (length - def->rest_length) / def->rest_length;
    return is_quadratic(def) ? def->quadratic_spring * strain * fabs(strain) : def->linear_spring * strain;
}

double cg_mass_spring_largest_step(const cg_mass_spring_def *def, double most_bend, double most_strain)
{
    double l = def->rest_length,
           stretch = is_quadratic(def) ? 2 * def->quadratic_spring * most_strain : def->linear_spring;
    double length = def->sine_directions ? cg_sin(fmin(most_bend, PI / 2)) : 1;
    double stiffness = 4 * stretch / l, damping = 4 * def->linear_damper;
    if (has_torsional_spring(def)) {
        // second differences of neighbours: the shortest wave has sixteen times the square of one
        stiffness += 16 * def->torsional_spring * length / (PI * l * l);
    }
    if (has_torsional_damper(def)) {
        damping += 16 * def->torsional_damper * length * length / (l * l);
    }
    if (has_swivel_damper(def)) {
        damping += 8 * def->swivel_damper * length * length / l;
    }
    double w2 = stiffness / def->mass, g = damping / def->mass;
    return 4 / (g + sqrt(g * g + 4 * w2)); // the positive root, without a difference of large numbers
}

// [N] Of spring and damper.
static double pull_of(const cg_mass_spring_def *def, const span *s, const cg_vec3 *velocity, int segment)
{
    double rate = v3_dot(v3_sub(velocity[segment + 1], velocity[segment]), s->along);
    return spring_pull(def, s->length) + def->linear_damper * rate;
}

double cg_mass_spring_pull(const cg_mass_spring_def *def, const cg_vec3 *position, const cg_vec3 *velocity, int segment)
{
    span s = span_of(position, segment);
    return pull_of(def, &s, velocity, segment);
}

// A bent joint: the directions in which its ends are pushed straight, the one across its plane, and the angle.
typedef struct joint {
    span before, after;
    cg_vec3 back, ahead, across; // t of the ends before and after, s: unit length, or the sine's
    double angle;
} joint;

// False where the joint has no plane.
static bool bend_joint(const cg_mass_spring_def *def, const span *before, const span *after, joint *j)
{
    j->before = *before;
    j->after = *after;
    cg_vec3 cross = v3_cross(j->before.along, j->after.along);
    double sine = v3_length(cross);
    if (!(sine > LEAST_SINE)) {
        return false;
    }
    j->across = def->sine_directions ? cross : v3_scale(1 / sine, cross);
    j->back = v3_cross(j->before.along, j->across);
    j->ahead = v3_cross(j->after.along, j->across);
    j->angle = cg_atan2(sine, v3_dot(j->before.along, j->after.along));
    return true;
}

// Pushes the ends of a joint, and its middle against them.
static void push_joint(cg_vec3 *force, int vertex, cg_vec3 back, cg_vec3 ahead)
{
    force[vertex - 1] = v3_add(force[vertex - 1], back);
    force[vertex + 1] = v3_add(force[vertex + 1], ahead);
    force[vertex] = v3_sub(force[vertex], v3_add(back, ahead));
}

static void add_joint_forces(const cg_mass_spring_def *def, const span *before, const span *after,
                             const cg_vec3 *velocity, int vertex, cg_vec3 *force)
{
    joint j;
    if (!bend_joint(def, before, after, &j)) {
        return;
    }
    double arm_back = 1 / j.before.length, arm_ahead = 1 / j.after.length;
    double moment = def->torsional_spring * j.angle / PI, sign = def->as_printed ? 1 : -1;
    cg_vec3 of_back = v3_sub(velocity[vertex - 1], velocity[vertex]);
    cg_vec3 of_ahead = v3_sub(velocity[vertex + 1], velocity[vertex]);
    if (has_torsional_damper(def)) {
        double rate = v3_dot(of_back, j.back) * arm_back + v3_dot(of_ahead, j.ahead) * arm_ahead;
        moment += sign * def->torsional_damper * rate;
    }
    push_joint(force, vertex, v3_scale(moment * arm_back, j.back), v3_scale(moment * arm_ahead, j.ahead));
    if (has_swivel_damper(def)) {
        double k = sign * def->swivel_damper;
        push_joint(force, vertex, v3_scale(k * arm_back * v3_dot(of_back, j.across), j.across),
                   v3_scale(k * arm_ahead * v3_dot(of_ahead, j.across), j.across));
    }
}

static bool are_held(const bool *held, int first, int count)
{
    int k = 0;
    while (held != NULL && k < count && held[first + k]) {
        k++;
    }
    return k == count;
}

void cg_mass_spring_add_forces(const cg_mass_spring_def *def, int vertices, const cg_vec3 *position,
                               const cg_vec3 *velocity, const bool *held, cg_vec3 *force)
{
    for (int i = 0; i + 1 < vertices; i++) {
        if (!are_held(held, i, 2)) {
            span s = span_of(position, i);
            double pull = pull_of(def, &s, velocity, i);
            force[i] = v3_add_scaled(force[i], pull, s.along);
            force[i + 1] = v3_add_scaled(force[i + 1], -pull, s.along);
        }
    }
    span before = span_of(position, 0);
    for (int i = 1; i + 1 < vertices && has_torsional_spring(def); i++) {
        span after = span_of(position, i);
        if (!are_held(held, i - 1, 3)) {
            add_joint_forces(def, &before, &after, velocity, i, force);
        }
        before = after;
    }
}

double cg_mass_spring_stretch_energy(const cg_mass_spring_def *def, int vertices, const cg_vec3 *position)
{
    double sum = 0;
    for (int i = 0; i + 1 < vertices; i++) {
        double strain = (span_of(position, i).length - def->rest_length) / def->rest_length;
        sum += def->rest_length * (is_quadratic(def) ? def->quadratic_spring * fabs(strain) * strain * strain / 3
                                                     : def->linear_spring * strain * strain / 2);
    }
    return sum;
}

double cg_mass_spring_bend_energy(const cg_mass_spring_def *def, int vertices, const cg_vec3 *position)
{
    double sum = 0;
    joint j;
    for (int i = 1; i + 1 < vertices && has_torsional_spring(def); i++) {
        span before = span_of(position, i - 1), after = span_of(position, i);
        sum += bend_joint(def, &before, &after, &j) ? def->torsional_spring * j.angle * j.angle / (2 * PI) : 0;
    }
    return sum;
}

void cg_mass_spring_step(const cg_mass_spring_def *def, int vertices, cg_vec3 *position, cg_vec3 *velocity,
                         cg_vec3 *force, const bool *held, double time_step)
{
    cg_mass_spring_add_forces(def, vertices, position, velocity, held, force);
    for (int i = 0; i < vertices; i++) {
        if (held != NULL && held[i]) {
            velocity[i] = v3_zero();
        } else {
            velocity[i] = v3_add_scaled(velocity[i], time_step / def->mass, force[i]);
            position[i] = v3_add_scaled(position[i], time_step, velocity[i]);
        }
    }
}
