#include "find/beside_joint.h"

#include <assert.h>

#include "base/vec3.h"

// [radii of rod and thread together] A thread that comes out of the end of a needle lies so far beside it. More of it
// than this has contacts as anything else; with less, a thread that leaves the needle at an angle is pushed off it.
static const double BESIDE = 2;

// The segments of the thread that begin within the length that lies beside the needle: at least one.
static void note_segments(const cg_thread *thread, const cg_touch_joint *joint, double length, cg_motion_exempt *exempt)
{
    int last = thread->vertex_count - 2, count = 1;
    double whole = thread->arc[thread->vertex_count - 1];
    while (count <= last) {
        double arc = joint->end == 0 ? thread->arc[count] : whole - thread->arc[last + 1 - count];
        if (!(arc < length)) {
            break;
        }
        count++;
    }
    exempt->first_segment = joint->end == 0 ? 0 : last + 1 - count;
    exempt->last_segment = joint->end == 0 ? count - 1 : last;
}

// And the parts of the body that are nearer to the joint than that.
static void note_parts(const cg_touch_set *set, const cg_touch_joint *joint, cg_motion_exempt *exempt)
{
    const cg_rigid *body = set->cast.rigids[joint->rigid];
    const cg_thread *thread = set->cast.threads[joint->thread];
    double length = 0;
    exempt->first_shape = joint->first_part;
    exempt->shapes = 0;
    for (int i = 0; i < body->part_count; i++) {
        const cg_rigid_part *part = &body->parts[i];
        double beside = BESIDE * (cg_rod_radius(&part->shape) + thread->radius);
        if (cg_shape_distance_point(&part->shape, &part->pose, joint->point).distance < beside) {
            exempt->shapes |= (uint64_t)1 << i;
            length = beside > length ? beside : length;
        }
    }
    note_segments(thread, joint, length, exempt);
}

void cg_touch_note_exempt(cg_touch_set *set)
{
    for (int j = 0; j < set->cast.joint_count; j++) {
        set->search.exempt[j].chain = set->cast.joints[j].thread;
        note_parts(set, &set->cast.joints[j], &set->search.exempt[j]);
    }
    set->search.motion.exempt = set->search.exempt;
    set->search.motion.exempt_count = set->cast.joint_count;
}

bool cg_touch_is_beside_joint(const cg_touch_set *set, int thread, int segment, int part)
{
    assert(thread >= 0 && thread < set->cast.thread_count);
    assert(part >= 0 && part < set->cast.part_count);
    for (int j = 0; j < set->cast.joint_count; j++) {
        if (motion_is_exempt(&set->search.exempt[j], thread, segment, part)) {
            return true;
        }
    }
    return false;
}

bool cg_touch_find_behind_joint(const cg_touch_set *set, int joint, int part, cg_shape_contact *contact)
{
    assert(joint >= 0 && joint < set->cast.joint_count);
    assert(part >= 0 && part < set->cast.part_count);
    const cg_motion_exempt *exempt = &set->search.exempt[joint];
    const cg_chain *chain = &set->cast.chains[exempt->chain];
    bool is_start = set->cast.joints[joint].end == 0;
    int segment = is_start ? exempt->last_segment + 1 : exempt->first_segment - 1, vertex = segment + !is_start;
    if (!motion_is_exempt(exempt, exempt->chain, exempt->first_segment, part) || segment < 0 ||
        segment + 1 >= chain->count) {
        return false;
    }
    const cg_placed_shape *placed = &set->cast.placed[part];
    cg_shape_distance near = cg_shape_distance_point(&placed->shape, &placed->pose, chain->points[vertex]);
    cg_vec3 on = v3_sub(chain->points[segment + is_start], chain->points[vertex]);
    double t = is_start ? 0 : 1;
    if (v3_dot(on, near.normal) < 0) { // it comes nearer behind it
        near = cg_shape_distance_segment(&placed->shape, &placed->pose, chain->points[segment],
                                         chain->points[segment + 1]);
        t = near.t;
        if (v3_distance(near.point, chain->points[vertex]) >= contact_rule_default().close * chain->radius) {
            return false; // and is found as any other: no contact of what lies beside the joint takes its place
        }
    }
    *contact = (cg_shape_contact){
        .shape = part,
        .chain = exempt->chain,
        .segment = segment,
        .t = t,
        .point = near.point,
        .surface = near.surface,
        .distance = near.distance,
        .gap = near.distance - chain->radius,
        .normal = near.normal,
    };
    return true;
}
