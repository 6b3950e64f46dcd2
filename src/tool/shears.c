#include "tool/shears.h"

#include <math.h>

#include "base/transform.h"
#include "base/vec3.h"

// [J/m2] of threads under steel blades: that of tough polymers, by order of magnitude. More, and fine scissors do not
// part thick threads with their usual 5 N.
static const double TOUGHNESS = 2e3;
double cg_thread_cut_force(double radius)
{
    return TOUGHNESS * 2 * radius;
}

// [diameters] Edges are no farther apart on a thread that crosses them squarely: contacts keep things apart by some per
// cent of a radius. One that crosses slantwise keeps them apart by as much more as they are beside each other.
static const double CLOSE = 1.05;
// [m] Nothing is cut nearer to an end: what is shorter than the blades are thick slips out between them.
static double shortest_piece(const cg_jaws *jaws)
{
    return 2 * jaws->shape->aside;
}

bool cg_jaws_cut(const cg_jaws *jaws)
{
    return jaws->shape != NULL && jaws->shape->aside > 0;
}

// A place where a blade pushes a thread towards the other one.
typedef struct push {
    int thread;
    double arc;   // [m]
    cg_vec3 at;   // [m] middle of the thread, in the frame of the tool
    double force; // [N]
} push;

static double arc_of(const cg_touch_set *set, const cg_touch *touch)
{
    const cg_thread *thread = set->cast.threads[touch_thread(touch, 0)];
    int segment = touch_segment(touch, 0);
    return thread->arc[segment] + touch->fraction[0] * thread->rest_length[segment];
}

// What a touch is to a blade, 0 (at -y, pushes to +y) or 1; false when it is something else.
static bool find_push(const cg_jaws *jaws, const cg_transform *frame, const cg_touch_set *set, const cg_touch *touch,
                      int blade, push *found)
{
    int thread = touch_thread(touch, 0), rigid = touch_body(touch, 1, CG_BODY_RIGID);
    if (thread < 0 || rigid < 0 || touch_is_joint(touch) || set->cast.rigids[rigid] != &jaws->bodies[1 + blade]) {
        return false;
    }
    cg_vec3 inward = transform_vector(*frame, v3(0, blade == 0 ? 1 : -1, 0));
    *found =
        (push){thread, arc_of(set, touch), transform_point_back(*frame, touch->point[0]), v3_dot(touch->force, inward)};
    return found->force > 0 && v3_dot(touch->axes[0], inward) > 0 && fabs(found->at.z) <= 0.5 * jaws->shape->length;
}

// [m] Where the edge of a blade is across it, y, so far along.
static double edge_at(const cg_jaws *jaws, const cg_transform *frame, int blade, double along)
{
    const cg_rigid *body = &jaws->bodies[1 + blade];
    cg_transform rail = transform_compose(body->now, body->parts[0].pose);
    cg_vec3 middle = transform_point_back(*frame, rail.position);
    cg_vec3 axis = transform_vector_back(*frame, transform_vector(rail, v3(0, 0, 1)));
    double side = blade == 0 ? 1 : -1;
    return middle.y + axis.y * (along - middle.z) / axis.z + side * body->parts[0].shape.radius;
}

// [N] All that a blade pushes a stretch of a thread with.
static double push_near(const cg_jaws *jaws, const cg_transform *frame, const cg_touch_set *set, int blade,
                        const push *at, double reach)
{
    double sum = 0;
    for (int i = 0; i < set->rows.count; i++) {
        push p;
        if (find_push(jaws, frame, set, &set->rows.touches[i], blade, &p) && p.thread == at->thread &&
            fabs(p.arc - at->arc) <= reach) {
            sum += p.force;
        }
    }
    return sum;
}

// [m] Where the thread goes through the plane between the blades, or comes nearest to it.
static double place_between(const push *a, const push *b)
{
    double way = b->at.x - a->at.x, share = way > 0 ? -a->at.x / way : 0.5;
    return a->arc + fmin(fmax(share, 0), 1) * (b->arc - a->arc);
}

// [N] What the tool presses with at rest, so far along: a blade that comes with a jerk may push harder for a moment,
// but not by the work that a cut takes.
static double closing_force(const cg_jaws *jaws, double along)
{
    return jaws->force * jaws->shape->hinge / (jaws->shape->hinge - along);
}

// Whether the thread is parted between a push of each blade.
static bool parts(const cg_jaws *jaws, const cg_transform *frame, const cg_touch_set *set, const push *a, const push *b,
                  cg_shears_cut *cut)
{
    const cg_thread *thread = set->cast.threads[a->thread];
    double thick = 2 * thread->radius, along = 0.5 * (a->at.z + b->at.z), least = shortest_piece(jaws);
    double reach = 2 * (2 * jaws->shape->aside + thick), whole = thread->arc[thread->vertex_count - 1];
    if (a->thread != b->thread || fabs(a->arc - b->arc) > reach) {
        return false;
    }
    *cut = (cg_shears_cut){a->thread, place_between(a, b),
                           edge_at(jaws, frame, 1, along) - edge_at(jaws, frame, 0, along)};
    double force = fmin(push_near(jaws, frame, set, 0, a, reach), push_near(jaws, frame, set, 1, b, reach));
    force = fmin(force, closing_force(jaws, along));
    bool is_between = cut->opening <= CLOSE * thick + 2 * jaws->shape->aside;
    return is_between && cut->arc > least && cut->arc < whole - least &&
           (force > cg_thread_cut_force(thread->radius) || cut->opening < 0);
}

bool cg_shears_find(const cg_jaws *jaws, const cg_touch_set *set, cg_shears_cut *cut)
{
    cg_transform frame = cg_drive_frame(&jaws->drive);
    bool found = false, is_opening = jaws->goal > jaws->told;
    for (int i = 0; i < set->rows.count && !is_opening; i++) {
        push a, b;
        if (!find_push(jaws, &frame, set, &set->rows.touches[i], 0, &a)) {
            continue;
        }
        for (int k = 0; k < set->rows.count; k++) {
            cg_shears_cut here;
            if (find_push(jaws, &frame, set, &set->rows.touches[k], 1, &b) && parts(jaws, &frame, set, &a, &b, &here) &&
                !(found && cut->opening <= here.opening)) {
                *cut = here;
                found = true;
            }
        }
    }
    return found;
}
