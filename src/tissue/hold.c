// Hands of limited force, as grips of a tissue.
//
// A hand holds n nodes, each by a spring k/n and a damper c/n to its own target, which moves with the hand. Towards the
// end of a step they pull with
//     f = q (k/n (t - x') + c/n (w - v')),    t target, w its velocity, x' and v' of the node.
// q is 1, or what keeps the sum of the pulls at the start of the step at the most that the hand may do. Spring and
// damper are weakened alike, so the pull falls to nothing as the node arrives, and no hand shoots past its target,
// however strong. At rest it is the smaller of spring and limit. A hold that slips has a limit for its pull at the
// patch as a whole, too; that q is found where the nodes would be if they kept their velocities.
#include "base/vec3.h"
#include "tissue/tissue.h"

// Jaws without friction hold nothing; what is left of the pull says where the patch would be drawn.
static const double LEAST_SHARE = 1e-9;

// [N] what the hold would do to the patch as a whole if its nodes kept their velocities.
static double drag_of(const cg_tissue *tissue, const cg_tissue_hold *hold, double time_step)
{
    cg_vec3 apart = v3_zero(), speed = v3_zero();
    for (int k = 0; k < hold->count; k++) {
        cg_vec3 velocity = tissue->velocity[hold->nodes[k]];
        cg_vec3 coasted = v3_add_scaled(tissue->mesh->position[hold->nodes[k]], time_step, velocity);
        apart = v3_add(apart, v3_sub(hold->targets[k], coasted));
        speed = v3_add(speed, v3_sub(hold->speeds[k], velocity));
    }
    return v3_length(v3_add_scaled(v3_scale(hold->stiffness, apart), hold->damping, speed)) / hold->count;
}

cg_tissue_grip cg_tissue_grip_of(const cg_tissue *tissue, const cg_tissue_hold *hold, double time_step)
{
    cg_tissue_grip grip = {.count = hold->count};
    double stiffness = hold->stiffness / hold->count, damping = hold->damping / hold->count, sum = 0;
    for (int k = 0; k < hold->count; k++) {
        cg_vec3 apart = v3_sub(hold->targets[k], tissue->mesh->position[hold->nodes[k]]);
        sum += v3_length(v3_add_scaled(v3_scale(stiffness, apart), damping, hold->speeds[k]));
    }
    double share = sum > hold->most_force ? hold->most_force / sum : 1;
    double drag = hold->slips ? drag_of(tissue, hold, time_step) : 0;
    share = drag * share > hold->most_drag ? hold->most_drag / drag : share;
    grip.share = share = share > LEAST_SHARE ? share : LEAST_SHARE;
    grip.slope = share * (stiffness + damping / time_step);
    for (int k = 0; k < hold->count; k++) {
        cg_vec3 place = tissue->mesh->position[hold->nodes[k]];
        cg_vec3 pull = v3_scale(stiffness, v3_sub(hold->targets[k], place));
        grip.nodes[k] = hold->nodes[k];
        grip.places[k] = place;
        grip.forces[k] = v3_scale(share, v3_add_scaled(pull, damping, hold->speeds[k]));
    }
    return grip;
}

cg_vec3 cg_tissue_grip_force(const cg_tissue *tissue, const cg_tissue_grip *grip)
{
    cg_vec3 sum = v3_zero();
    for (int k = 0; k < grip->count; k++) {
        cg_vec3 beyond = v3_sub(tissue->mesh->position[grip->nodes[k]], grip->places[k]);
        sum = v3_add(sum, v3_add_scaled(grip->forces[k], -grip->slope, beyond));
    }
    return sum;
}
