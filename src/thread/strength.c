#include "thread/strength.h"

#include <math.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "thread/yield.h"

// By Newton's method, from above: it converges for every start and takes no function of the machine's library.
static double cube_root(double value)
{
    double root = 1;
    for (int turn = 0; turn < 60 && root > 0; turn++) {
        double next = (2 * root + value / (root * root)) / 3;
        if (!(next < root)) {
            break;
        }
        root = next;
    }
    return root;
}

double cg_strength_left(double moment_share)
{
    if (!(moment_share > 1e-15)) {
        return 1;
    }
    if (moment_share >= 1) {
        return 0;
    }
    double sine = cube_root(moment_share), angle = cg_asin(sine);
    return 1 - (2 * angle - 2 * sine * sqrt(1 - sine * sine)) / CG_PI;
}

// [N m] of a section that yields everywhere at the stress at which it breaks.
static double plastic_moment(double radius, double breaking_force)
{
    return 4 * radius * breaking_force / (3 * CG_PI);
}

double cg_strength_yield_moment(double radius, double breaking_force, double yield_share)
{
    return yield_share * plastic_moment(radius, breaking_force);
}

static double tension_of(const cg_thread *thread, int segment)
{
    return thread->stretch_stiffness * (thread->shape.length[segment] / thread->rest_length[segment] - 1);
}

double cg_thread_safe_pull(const cg_thread *thread)
{
    return cg_strength_left(thread->yield_share) * thread->breaking_force;
}

// Without its length: the turn of the tangents as a chord. The bend that a thread has at rest bears no moment.
static double turn_at(const cg_thread *thread, int vertex)
{
    return thread->has_rest_shape ? cg_thread_elastic_turn(thread, vertex)
                                  : v3_distance(thread->shape.tangent[vertex], thread->shape.tangent[vertex - 1]);
}

cg_section_load cg_thread_section_load(const cg_thread *thread, int vertex)
{
    double length = 0.5 * (thread->rest_length[vertex - 1] + thread->rest_length[vertex]);
    double bend = turn_at(thread, vertex) / length;
    double most = plastic_moment(thread->radius, thread->breaking_force);
    double yields = cg_strength_yield_moment(thread->radius, thread->breaking_force, thread->yield_share);
    cg_section_load load = {.tension = fmax(tension_of(thread, vertex - 1), tension_of(thread, vertex)),
                            .moment = fmin(thread->bend_stiffness * bend, yields)};
    load.use = load.tension / (cg_strength_left(load.moment / most) * thread->breaking_force);
    return load;
}
