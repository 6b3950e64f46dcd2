// Strain limiting of skins and sheets: after a step, links that are longer than they may be are drawn together.
//
// Springs give way in proportion to the force; skin and cloth hardly stretch beyond a certain length. Each link longer
// than `most_stretch` rest lengths is shortened to that, its middle staying where it is; where one end is fixed, the
// other makes the whole way. Threads that touch the tissue know nothing of this: then nodes that bear their forces
// stay, and others go no farther than they may be near. A few sweeps over the links, in their order; what is left is
// for the next step. The velocities follow, so that the stretch that was taken away does not come back.
#include "base/vec3.h"
#include "tissue/tissue.h"

enum { SWEEPS = 4 };
// [rest length] How much a link is shortened in a sweep beside threads.
static const double MOST_BESIDE_THREADS = 0.002;

static bool is_held(const cg_tissue *tissue, int node)
{
    const cg_vec3 *force = &tissue->added[node];
    bool is_loaded = tissue->was_added && (force->x != 0 || force->y != 0 || force->z != 0);
    return tissue->mesh->fixed[node] || is_loaded;
}

static bool limit_link(cg_tissue *tissue, const cg_mesh_link *link)
{
    cg_mesh *mesh = tissue->mesh;
    int a = link->ends[0], b = link->ends[1];
    double most = tissue->most_stretch * link->rest;
    cg_vec3 u = v3_sub(mesh->position[b], mesh->position[a]);
    double square = v3_dot(u, u);
    if (square <= most * most || (is_held(tissue, a) && is_held(tissue, b))) {
        return false;
    }
    double share_a = is_held(tissue, a) ? 0 : (is_held(tissue, b) ? 1 : 0.5);
    double length = sqrt(square), by = length - most, farthest = MOST_BESIDE_THREADS * link->rest;
    by = tissue->was_added && by > farthest ? farthest : by;
    cg_vec3 shorter = tissue->was_added ? v3_scale(by / length, u) : v3_scale(1 - most / length, u);
    double rate = 1 / tissue->time_step;
    cg_vec3 move_a = v3_scale(share_a, shorter), move_b = v3_scale(share_a - 1, shorter);
    mesh->position[a] = v3_add(mesh->position[a], move_a);
    mesh->position[b] = v3_add(mesh->position[b], move_b);
    tissue->velocity[a] = v3_add_scaled(tissue->velocity[a], rate, move_a);
    tissue->velocity[b] = v3_add_scaled(tissue->velocity[b], rate, move_b);
    return true;
}

int cg_tissue_limit_stretch(cg_tissue *tissue)
{
    int first = 0;
    tissue->fastest = -1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        int count = 0;
        for (int k = 0; k < tissue->mesh->link_count; k++) {
            const cg_mesh_link *link = &tissue->mesh->links[k];
            count += link->kind != CG_LINK_BEND && limit_link(tissue, link);
        }
        first = sweep == 0 ? count : first;
        if (count == 0) {
            break;
        }
    }
    return first;
}
