#include "experiments/cord_rig.h"

cg_thread_def cg_cord_def(const cg_vec3 *points, int count, double friction)
{
    cg_thread_def def = cg_thread_def_default();
    def.model = CG_THREAD_MASS_SPRING;
    def.springs.sine_directions = true;
    def.radius = CG_CORD_RADIUS;
    def.drag = 0;
    def.friction = friction;
    def.vertex_count = count;
    def.positions = points;
    return def;
}

cg_world *cg_cord_world(const cg_thread_def *def, cg_vec3 gravity, bool touches, cg_thread_id *thread,
                        cg_report *report)
{
    cg_world_def world_def = cg_world_def_default();
    world_def.gravity = gravity;
    world_def.max_contacts = touches ? world_def.max_contacts : 0;
    cg_world *world = NULL;
    cg_status status = cg_world_create(&world_def, &world);
    status = status.code == CG_OK ? cg_world_add_thread(world, def, thread) : status;
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
        cg_world_destroy(world);
        return NULL;
    }
    return world;
}

cg_hand_id cg_cord_take(cg_world *world, cg_vec3 at, double max_force, cg_report *report)
{
    cg_hand_def def = cg_hand_def_default();
    cg_hand_id hand = {0, 0};
    def.pose.position = at;
    def.mass = 0.2;
    def.stiffness = 1200; // table 4.1
    def.damping = 30;
    def.max_force = max_force;
    def.turn_stiffness = 0;
    cg_status status = cg_world_add_hand(world, &def, &hand);
    status = status.code == CG_OK ? cg_hand_close(world, hand) : status;
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
    }
    return hand;
}
