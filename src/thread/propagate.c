// Force propagation along a thread (Shi 2008, 4.2): what a hand pulls with goes on where a segment can give no more.
//
// The source calls both (4.1) and (4.2) what is propagated; its figures, and the sum of forces, say that the part along
// the segment goes on and the part across it stays and moves the vertex. It says nothing of the sign: a force that
// relieves a segment is not handed on.
#include <math.h>

#include "base/vec3.h"
#include "thread/model.h"

int cg_propagate_force(const cg_length_limits *limits, int vertices, const cg_vec3 *position, const cg_vec3 *expected,
                       int vertex, int step, cg_vec3 pull, cg_vec3 *force)
{
    int passed = 0;
    for (int at = vertex; at + step >= 0 && at + step < vertices; at += step) {
        cg_vec3 along = v3_unit_or(v3_sub(position[at], position[at + step]), v3_zero()); // towards the hand
        double length = v3_distance(expected[at], expected[at + step]), part = v3_dot(pull, along);
        bool is_pulled = length > limits->longest && part > 0, is_pushed = length < limits->shortest && part < 0;
        if (!is_pulled && !is_pushed) {
            break; // condition A
        }
        cg_vec3 goes_on = v3_scale(part, along);              // (4.1)
        force[at] = v3_add(force[at], v3_sub(pull, goes_on)); // (4.2)
        pull = goes_on;
        passed++;
        if (at + step == 0 || at + step == vertices - 1) { // nobody to hand it on to
            force[at + step] = v3_add(force[at + step], pull);
            return passed;
        }
    }
    int last = vertex + step * passed;
    force[last] = v3_add(force[last], pull);
    return passed;
}

// A segment at its limit goes no farther: an impulse along it, on both of its ends, takes what would lengthen or
// shorten it, and energy with it. (All of it from the vertex that follows, as if the other one were held, gives energy
// wherever that one is the faster: a knot in two hands at 5 m/s went from 50 J to 16 kJ within 6 ms.) Not the way it
// was moved by over the time, which after a contact moved it apart would be any speed.
static void stop_beyond(cg_model *model, int at, int next, cg_vec3 along, bool is_long)
{
    double parting = v3_dot(v3_sub(model->velocity[next], model->velocity[at]), along);
    double light = model->lightness[at] + model->lightness[next];
    if ((is_long ? parting > 0 : parting < 0) && light > 0) {
        cg_vec3 impulse = v3_scale(parting / light, along);
        model->velocity[at] = v3_add_scaled(model->velocity[at], model->lightness[at], impulse);
        model->velocity[next] = v3_add_scaled(model->velocity[next], -model->lightness[next], impulse);
    }
}

cg_length_limits cg_length_limits_at(const cg_length_limits *limits, int segment)
{
    if (limits->were == NULL) {
        return *limits;
    }
    double length = v3_distance(limits->were[segment], limits->were[segment + 1]);
    return (cg_length_limits){fmin(limits->shortest, length), fmax(limits->longest, length), NULL};
}

void cg_propagate_lengths(cg_thread *thread, const cg_length_limits *limits, int vertex, int last)
{
    cg_vec3 *position = thread->shape.position;
    int step = last > vertex ? 1 : -1;
    for (int at = vertex; at != last; at += step) {
        cg_vec3 way = v3_sub(position[at + step], position[at]), along = v3_unit_or(way, v3(0, 0, -1));
        cg_length_limits of_it = cg_length_limits_at(limits, step > 0 ? at : at - 1);
        double length = v3_length(way), wanted = fmin(fmax(length, of_it.shortest), of_it.longest);
        if (wanted != length) {
            position[at + step] = v3_add_scaled(position[at], wanted, along);
            stop_beyond(thread->model, at, at + step, along, length > wanted);
        }
    }
}
