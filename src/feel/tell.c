// What a step of the world tells a port becomes a local law (feel/law.h).
//
// The step had the device at x0 as its command and the force F on its hand. Scaled for the device that is f at x0. How
// f grows with the way is seen from one news to the next: g = df/dx along f. Against a rigid thing nothing moves but
// the spring of the hand, so g is at most
//
//     K = force_scale hand_stiffness motion_scale,
//
// and less for what gives way. Where K is more than the device bears, L (cg_device_stiffness), a spring of
// 1/L - 1/K stands between the device and the world: the law has the stiffness k = 1 / (1/g + 1/L - 1/K) and at x0 the
// force f k / g. So a rigid thing feels like L, what is much softer like itself, and nothing is stiffer than L.
//
// A surface that is left stays where it was, for a hand that comes back before the next news; it goes as soon as the
// world says that it is not there any more, or the hand is elsewhere.
#include "base/transform.h"
#include "feel/feel.h"

static const double LEAST_FORCE = 2e-4; // [N] at the device; a two-hundredth of what people notice
static const double SOFTEST =
    0.1; // of K or L, the lesser: a law of less would claim more energy than a constant force has
static const double STEPS_TO_SEE = 4;    // encoder steps over which growth is looked at
static const double LEAST_TO_SEE = 2e-5; // [m] the same for a device of any resolution
static const double GAIN = 0.4;          // of a new look at growth
static const double KEPT_GAP = 4e-3;     // [m] at the device: a surface further away is forgotten
static const double KEPT_ASIDE = 3e-3;   // [m] and one that was touched that far aside
static const int LONGEST = 100;          // periods that a law takes to its goal at most
static const int SHORTEST = 4;           // and at least

double cg_port_limit(const cg_port *port)
{
    return cg_device_stiffness(&port->def.device, port->def.period, port->def.delay);
}

// K above.
static double rigid_growth(const cg_port *port)
{
    return port->def.force_scale * port->def.hand_stiffness * port->def.motion_scale;
}

void cg_port_forget(cg_port *port)
{
    port->law = port->goal = (cg_law){.stiffness = 1};
    port->steps_left = 0;
    port->has_news = false;
    port->torque_goal = v3_zero();
}

static double within(double value, double least, double most)
{
    return value > least ? (value < most ? value : most) : least; // the least for what is no number
}

// Looks how the force grew since the last look.
static void watch(cg_port *port, cg_vec3 place, cg_vec3 force, cg_vec3 normal, bool first)
{
    double rigid = rigid_growth(port), limit = cg_port_limit(port);
    double least = STEPS_TO_SEE * port->def.device.resolution;
    least = least > LEAST_TO_SEE ? least : LEAST_TO_SEE;
    double way = v3_dot(normal, v3_sub(port->seen_place, place));
    double more = v3_dot(normal, v3_sub(force, port->seen_force));
    bool far = way > least || way < -least;
    if (far) {
        double grew = within(more / way, SOFTEST * (rigid < limit ? rigid : limit), rigid);
        port->grows = first ? grew : port->grows + GAIN * (grew - port->grows);
        port->seen_place = place;
        port->seen_force = force;
    } else if (first) {
        port->grows = rigid;
    }
}

static cg_law touching(cg_port *port, cg_vec3 place, cg_vec3 force, double size, bool holds)
{
    cg_vec3 normal = v3_scale(1 / size, force);
    double rigid = rigid_growth(port), limit = cg_port_limit(port);
    watch(port, place, force, normal, !port->goal.is_there);
    port->touched_at = place;
    double between = rigid > limit ? 1 / limit - 1 / rigid : 0;
    double stiffness = 1 / (1 / port->grows + between), share = stiffness / port->grows;
    return (cg_law){.origin = place,
                    .force = v3_scale(share, force),
                    .normal = normal,
                    .push = share * size,
                    .stiffness = stiffness,
                    .cap = port->law.cap,
                    .holds = holds,
                    .is_there = true};
}

// No force at `place`: a surface that was there is at most as far out as that.
static cg_law left(cg_port *port, cg_vec3 place)
{
    cg_law kept = port->goal;
    port->seen_place = place;
    port->seen_force = v3_zero();
    if (kept.is_there && !kept.holds) {
        cg_vec3 aside = v3_sub(place, port->touched_at);
        aside = v3_add_scaled(aside, -v3_dot(aside, kept.normal), kept.normal);
        kept = cg_law_moved(&kept, place);
        kept.push = kept.push < 0 ? kept.push : 0;
        kept.is_there = kept.push > -kept.stiffness * KEPT_GAP && v3_length(aside) < KEPT_ASIDE;
    } else {
        kept.is_there = false;
    }
    kept.origin = place;
    return kept;
}

cg_feel_news cg_feel_news_of(cg_vec3 position, const cg_hand_state *hand)
{
    bool in_jaws = hand->has_jaws && hand->jaw_forces[0] > 0 && hand->jaw_forces[1] > 0;
    return (cg_feel_news){.position = position,
                          .force = hand->force,
                          .torque = hand->torque,
                          .holds = hand->vertex_count > 0 || hand->node_count > 0 || in_jaws};
}

void cg_feel_tell(cg_feel *feel, int index, const cg_feel_news *news)
{
    if (index < 0 || index >= feel->count || !v3_is_finite(news->position) || !v3_is_finite(news->force) ||
        !v3_is_finite(news->torque)) {
        return;
    }
    cg_port *port = &feel->ports[index];
    cg_vec3 force = v3_scale(port->def.force_scale, quat_rotate_back(port->def.axes, news->force));
    double size = v3_length(force);
    port->goal =
        size > LEAST_FORCE ? touching(port, news->position, force, size, news->holds) : left(port, news->position);
    port->law = cg_law_moved(&port->law, news->position);
    port->torque_goal = v3_scale(port->def.torque_scale, quat_rotate_back(port->def.axes, news->torque));
    int interval = port->has_news && port->steps_since < LONGEST ? port->steps_since : SHORTEST;
    port->steps_left = interval > SHORTEST ? interval : SHORTEST;
    port->steps_since = 0;
    port->has_news = true;
}
