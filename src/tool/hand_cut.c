// A hand that carries a scalpel or a cautery hook: both do what they do while it is closed, in the last stage of a
// step, along the way that the hand went in it. The hook feels nothing. The blade drags at the tissue by a spring that
// gives way (blade.c), and that acts on the hand in the next step: with F of the last one, g its firmness and R the
// most that it bears, across the edge
//
//     (m/h^2 + q s) a = q p + F',    F' = F - g (x' - x), no longer than R,    a = x' - x - h v.
//
// So the spring is part of the hand's own step and no hand chatters at it; at rest, x' = x, it is F.
//
// What touches their bodies acts in the same step (hand_body.c). A blade with a body goes into tissue by its edge or
// its tip: where one of them presses on it, by less than 60 degrees off the way that it looks. From then on tissue does
// not touch the blade (`in_cut`), until none of it is in there. Sides and back press, as the neck and the handle always
// do.
#include <math.h>

#include "base/transform.h"
#include "tool/hand.h"
#include "tool/shears.h"

// Cosine of that angle.
static const double BITING = 0.5;
// [diameters] What presses on a thread so near is one push.
static const double ONE_PUSH = 4;

cg_edge cg_hand_edge(const cg_hand *hand, cg_transform pose)
{
    return (cg_edge){pose.position, transform_point(pose, hand->def.edge)};
}

// What of a vector is across the edge.
static cg_vec3 across(cg_vec3 v, cg_vec3 along)
{
    return v3_add_scaled(v, -v3_dot(v, along), along);
}

cg_vec3 cg_hand_blade_force(const cg_hand *hand, const cg_hand_lead *lead)
{
    double g = hand->blade.firmness, most = hand->blade.resists;
    cg_vec3 along = v3_unit_or(transform_vector(hand->pose, hand->def.edge), v3_zero());
    cg_vec3 led = v3_add_scaled(across(lead->coast, along), 1 / lead->firm, across(lead->pull, along)); // without it
    cg_vec3 force = v3_add_scaled(across(hand->blade.force, along), -g, led);
    force = v3_scale(lead->firm / (lead->firm + g), force);
    double length = v3_length(force);
    return length > most ? v3_scale(most / length, force) : force;
}

cg_vec3 cg_hand_cut_on(const cg_hand *hand, const cg_step_context *context)
{
    cg_hand_lead lead = cg_hand_lead_of(hand, context);
    cg_vec3 pull = v3_add(lead.pull, cg_hand_blade_force(hand, &lead));
    return v3_add_scaled(v3_add(hand->pose.position, lead.coast), 1 / lead.firm, pull);
}

void cg_hand_feel_blade(cg_hand *hand)
{
    cg_vec3 along = v3_unit_or(transform_vector(hand->pose, hand->def.edge), v3_zero()), force = hand->blade.force;
    cg_vec3 arm = v3_scale(0.5 * hand->blade.inside, along); // it is in the tissue up to there
    bool is_solid = cg_hand_is_solid(hand);
    hand->force = is_solid ? v3_add(force, hand->jaws.drive.force) : force;
    hand->torque = is_solid ? v3_add(v3_cross(arm, force), hand->jaws.drive.torque) : v3_cross(arm, force);
}

static const cg_rigid *blade_of(const cg_hand *hand)
{
    return &hand->jaws.bodies[CG_SOLID_WORKING];
}

// [N] With which a touch of the blade and something else presses; `*normal` is the way that the other is pushed in, in
// the axes of the blade. 0 when it is no such touch.
static double pressed_by_blade(const cg_hand *hand, const cg_touch_set *set, const cg_touch *touch, cg_vec3 *normal)
{
    for (int side = 0; side < 2; side++) {
        int rigid = touch_body(touch, side, CG_BODY_RIGID);
        if (rigid >= 0 && set->cast.rigids[rigid] == blade_of(hand) && !touch_is_joint(touch) && touch->working) {
            cg_vec3 away = side == 0 ? v3_neg(touch->axes[0]) : touch->axes[0];
            *normal = transform_vector_back(blade_of(hand)->now, away);
            return v3_dot(touch->force, touch->axes[0]);
        }
    }
    return 0;
}

bool cg_hand_bites(const cg_hand *hand, const cg_touch_set *touches)
{
    bool bites = false;
    for (int i = 0; i < touches->rows.count && !bites; i++) {
        const cg_touch *touch = &touches->rows.touches[i];
        cg_vec3 push;
        bites = touch_skin(touch) >= 0 && pressed_by_blade(hand, touches, touch, &push) > 0 &&
                (push.x > BITING || -push.z > BITING);
    }
    return bites;
}

static double arc_of(const cg_touch_set *set, const cg_touch *touch)
{
    const cg_thread *thread = set->cast.threads[touch_thread(touch, 0)];
    int segment = touch_segment(touch, 0);
    return thread->arc[segment] + touch->fraction[0] * thread->rest_length[segment];
}

// [N] With which the edge presses on a thread at a touch, across itself and forward.
static double pressed_by_edge(const cg_hand *hand, const cg_touch_set *set, const cg_touch *touch)
{
    cg_vec3 push;
    double force = touch_thread(touch, 0) >= 0 ? pressed_by_blade(hand, set, touch, &push) : 0;
    return force > 0 && push.x > BITING ? force : 0;
}

int cg_hand_slices(const cg_hand *hand, const cg_touch_set *touches, double *arc)
{
    for (int i = 0; i < touches->rows.count; i++) {
        const cg_touch *touch = &touches->rows.touches[i];
        int thread = touch_thread(touch, 0);
        double sum = pressed_by_edge(hand, touches, touch), here = sum > 0 ? arc_of(touches, touch) : 0;
        for (int k = 0; k < touches->rows.count && sum > 0; k++) {
            const cg_touch *other = &touches->rows.touches[k];
            bool is_near = k != i && touch_thread(other, 0) == thread && pressed_by_edge(hand, touches, other) > 0 &&
                           fabs(arc_of(touches, other) - here) < 2 * ONE_PUSH * touches->cast.threads[thread]->radius;
            sum += is_near ? pressed_by_edge(hand, touches, other) : 0;
        }
        if (sum > 0 && sum > cg_thread_cut_force(touches->cast.threads[thread]->radius)) {
            *arc = here;
            return thread;
        }
    }
    return -1;
}

void cg_hand_leave_tissue(cg_hand *hand)
{
    hand->blade.tissue = (cg_handle){0, 0};
    hand->force = hand->torque = v3_zero();
}

cg_burn cg_hand_burn(const cg_hand *hand)
{
    return (cg_burn){.before = hand->start.position,
                     .after = hand->pose.position,
                     .radius = hand->def.hook_radius,
                     .power = hand->def.hook_power};
}
