#include "thread/strength.h"

#include <math.h>

#include "base/trig.h"
#include "base/vec3.h"

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
static double plastic_moment(const cg_thread *thread)
{
    return 4 * thread->radius * thread->breaking_force / (3 * CG_PI);
}

static double tension_of(const cg_thread *thread, int segment)
{
    return thread->stretch_stiffness * (thread->shape.length[segment] / thread->rest_length[segment] - 1);
}

double cg_thread_safe_pull(const cg_thread *thread)
{
    return cg_strength_left(thread->yield_share) * thread->breaking_force;
}

cg_section_load cg_thread_section_load(const cg_thread *thread, int vertex)
{
    double length = 0.5 * (thread->rest_length[vertex - 1] + thread->rest_length[vertex]);
    double bend = v3_distance(thread->shape.tangent[vertex], thread->shape.tangent[vertex - 1]) / length;
    double most = plastic_moment(thread);
    cg_section_load load = {.tension = fmax(tension_of(thread, vertex - 1), tension_of(thread, vertex)),
                            .moment = fmin(thread->bend_stiffness * bend, thread->yield_share * most)};
    load.use = load.tension / (cg_strength_left(load.moment / most) * thread->breaking_force);
    return load;
}
