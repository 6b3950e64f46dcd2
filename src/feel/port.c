// Ports: made, and laid over the world.
#include "base/memory.h"
#include "base/status.h"
#include "base/transform.h"
#include "feel/feel.h"

// [J] That may come out before anything went in: what a hand at rest may feel at once. The port's energy stays above
// -1 mJ with it and with what samples of finite resolution hide.
static const double ALLOWANCE = 0.5e-3;

cg_feel_def cg_feel_def_default(cg_device_kind kind)
{
    cg_feel_def def = {.device = cg_device_get(kind),
                       .period = 1e-3,
                       .hand_stiffness = 1000,
                       .motion_scale = 1,
                       .force_scale = 1,
                       .torque_scale = 1,
                       .axes = {0, 0, 0, 1},
                       .port = {0, 0, 0.15}};
    def.force_cap = def.device.max_force;
    return def;
}

static bool is_above(double value, double least, double most)
{
    return value > least && value <= most; // false for what is no number
}

static cg_status check_device(const cg_device_def *device)
{
    if (!is_above(device->max_force, 0, 1e3) || !is_above(device->lasting_force, 0, device->max_force) ||
        !(device->max_torque >= 0 && device->max_torque <= 1e3)) {
        return cg_error(CG_BAD_INPUT, "a device has forces above 0, lasting ones at most the greatest");
    }
    if (!is_above(device->max_stiffness, 0, 1e6) || !is_above(device->damping, 0, 1e3) ||
        !is_above(device->mass, 0, 1e2) || !(device->friction >= 0 && device->friction <= 1e2) ||
        !(device->resolution >= 0 && device->resolution <= 1e-2)) {
        return cg_error(CG_BAD_INPUT, "a device has stiffness, damping and mass above 0, friction and resolution not "
                                      "below");
    }
    cg_vec3 arms = device->tip_stiffness;
    if (!is_above(arms.x, 0, 1e7) || !is_above(arms.y, 0, 1e7) || !is_above(arms.z, 0, 1e7)) {
        return cg_error(CG_BAD_INPUT, "the arms of a device have a stiffness above 0 along each axis");
    }
    return cg_ok();
}

static cg_status check_def(const cg_feel_def *def)
{
    cg_status status = check_device(&def->device);
    if (status.code != CG_OK) {
        return status;
    }
    if (!(def->period >= 1e-4 && def->period <= 1e-2)) {
        return cg_error(CG_BAD_INPUT, "period is %g s; it must be 1e-4 to 1e-2", def->period);
    }
    if (!(def->delay >= 0 && def->delay <= 0.05)) {
        return cg_error(CG_BAD_INPUT, "delay is %g s; it must be 0 to 0.05", def->delay);
    }
    if (!is_above(def->hand_stiffness, 0, 1e9) || !is_above(def->motion_scale, 0, 1e6) ||
        !is_above(def->force_scale, 0, 1e6) || !is_above(def->force_cap, 0, 1e3) ||
        !(def->torque_scale >= 0 && def->torque_scale <= 1e6)) {
        return cg_error(CG_BAD_INPUT, "hand_stiffness, scales and force_cap must be above 0");
    }
    if (!v3_is_finite(def->port) || !v3_is_finite(v3(def->axes.x, def->axes.y, def->axes.z)) ||
        !(def->axes.w - def->axes.w == 0)) {
        return cg_error(CG_BAD_INPUT, "axes and port must be finite");
    }
    return cg_ok();
}

static void begin(cg_port *port, const cg_feel_def *def)
{
    *port = (cg_port){.def = *def, .missed = CG_FEEL_AWAY};
    port->def.axes = quat_normalise(def->axes);
    port->device_turn = port->hand.rotation = quat_identity();
    cg_port_forget(port);
}

cg_status cg_feel_replace(cg_feel *feel, int port, const cg_feel_def *def)
{
    if (port < 0 || port >= feel->count) {
        return cg_error(CG_BAD_INPUT, "port %d is not there; there are %d", port, feel->count);
    }
    cg_status status = check_def(def);
    if (status.code == CG_OK) {
        begin(&feel->ports[port], def);
    }
    return status;
}

cg_status cg_feel_create(const cg_feel_def *defs, int count, cg_feel **feel)
{
    *feel = NULL;
    if (count < 1 || count > CG_FEEL_MOST_PORTS) {
        return cg_error(CG_BAD_INPUT, "%d ports; there may be 1 to %d", count, CG_FEEL_MOST_PORTS);
    }
    for (int i = 0; i < count; i++) {
        cg_status status = check_def(&defs[i]);
        if (status.code != CG_OK) {
            return status;
        }
    }
    cg_allocator allocator = cg_memory_default();
    cg_feel *made = cg_memory_take(&allocator, sizeof *made);
    if (made == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for ports");
    }
    made->count = count;
    made->account = ALLOWANCE;
    for (int i = 0; i < count; i++) {
        begin(&made->ports[i], &defs[i]);
    }
    *feel = made;
    return cg_ok();
}

void cg_feel_destroy(cg_feel *feel)
{
    cg_allocator allocator = cg_memory_default();
    cg_memory_give(&allocator, feel);
}

void cg_feel_align(cg_feel *feel, int port, cg_transform device, cg_transform hand)
{
    if (port >= 0 && port < feel->count) {
        feel->ports[port].device_origin = device.position;
        feel->ports[port].device_turn = device.rotation;
        feel->ports[port].hand = hand;
    }
}

// An instrument that goes through the port: its handle, +z, points there; the rest of its turn is the device's.
static cg_quat through_port(cg_vec3 port, cg_vec3 tip, cg_quat turn)
{
    cg_vec3 handle = quat_rotate(turn, v3(0, 0, 1));
    cg_vec3 along = v3_unit_or(v3_sub(port, tip), handle);
    return quat_normalise(quat_multiply(quat_between(handle, along), turn));
}

cg_transform cg_feel_command(const cg_feel *feel, int index, cg_transform device)
{
    if (index < 0 || index >= feel->count) {
        return (cg_transform){{0, 0, 0}, {0, 0, 0, 1}};
    }
    const cg_port *port = &feel->ports[index];
    cg_quat axes = port->def.axes;
    cg_vec3 way = quat_rotate(axes, v3_sub(device.position, port->device_origin));
    // The turn since it was aligned, in the axes of the world.
    cg_quat since = quat_multiply(device.rotation, quat_conjugate(port->device_turn));
    since = quat_multiply(quat_multiply(axes, since), quat_conjugate(axes));
    cg_transform wanted = {v3_add_scaled(port->hand.position, port->def.motion_scale, way),
                           quat_normalise(quat_multiply(since, port->hand.rotation))};
    if (port->def.device.pivots) {
        wanted.rotation = through_port(port->def.port, wanted.position, wanted.rotation);
    }
    return wanted;
}

cg_transform cg_feel_foresee(cg_transform before, double before_time, cg_transform last, double last_time, double time,
                             double most)
{
    double between = last_time - before_time, ahead = time - last_time;
    ahead = ahead < most ? ahead : most;
    if (!(between > 0 && ahead > 0)) {
        return last;
    }
    double share = ahead / between;
    cg_quat turn = quat_multiply(last.rotation, quat_conjugate(before.rotation));
    double sign = turn.w < 0 ? -2 : 2;
    cg_vec3 spin = v3_scale(sign * share, v3(turn.x, turn.y, turn.z));
    return (cg_transform){v3_add_scaled(last.position, share, v3_sub(last.position, before.position)),
                          quat_normalise(quat_multiply(quat_from_vector(spin), last.rotation))};
}

cg_feel_state cg_feel_get_state(const cg_feel *feel, int index)
{
    if (index < 0 || index >= feel->count) {
        return (cg_feel_state){0};
    }
    const cg_port *port = &feel->ports[index];
    double lasting = port->def.device.lasting_force;
    return (cg_feel_state){.present = port->missed < CG_FEEL_AWAY,
                           .force = port->force,
                           .stiffness = port->law.is_there ? port->law.stiffness : 0,
                           .limit = cg_port_limit(port),
                           .energy = port->energy,
                           .account = feel->account,
                           .steps = port->steps,
                           .withheld = port->withheld,
                           .capped = port->capped,
                           .heat = port->heat / (lasting * lasting)};
}
