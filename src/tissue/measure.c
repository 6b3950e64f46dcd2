// What can be asked of a tissue: points of its surface, how far they give way, energies, cells.
//
// Compliance. A force on a point of a triangle, with weights w_i on its nodes, moves the point in a step by
// J A^-1 J^T f. The blocks of A on the diagonal alone give sum w_i^2 A_ii^-1. That is too stiff, since neighbours give
// way as well: by 1.3 to 2.5 in lattices. What couples to a tissue must take it as softer than it is rather than
// stiffer, or both swing against each other; so the estimate is divided by CG_SOFT_SIDE.
#include <math.h>

#include "base/vec3.h"
#include "tissue/tissue.h"

#define CG_SOFT_SIDE 0.4

static cg_vec3 weigh(const cg_vec3 *values, const int nodes[3], const double weights[3])
{
    cg_vec3 sum = v3_scale(weights[0], values[nodes[0]]);
    sum = v3_add_scaled(sum, weights[1], values[nodes[1]]);
    return v3_add_scaled(sum, weights[2], values[nodes[2]]);
}

cg_vec3 cg_tissue_point_place(const cg_tissue *tissue, const cg_mesh_point *point)
{
    return weigh(tissue->mesh->position, tissue->mesh->triangles[point->triangle].nodes, point->weights);
}

cg_vec3 cg_tissue_point_velocity(const cg_tissue *tissue, const cg_mesh_point *point)
{
    return weigh(tissue->velocity, tissue->mesh->triangles[point->triangle].nodes, point->weights);
}

cg_vec3 cg_tissue_node_foreseen(const cg_tissue *tissue, int node)
{
    if (tissue->asleep || tissue->is_resting || tissue->is_refused || tissue->solver == CG_TISSUE_QUASI_STATIC) {
        return v3_zero();
    }
    if (tissue->solver == CG_TISSUE_RUNGE_KUTTA || tissue->solver == CG_TISSUE_NEUMANN) {
        return v3_scale(tissue->time_step, tissue->velocity[node]);
    }
    cg_float4 m = tissue->springs.move[node];
    return v3_scale(1 / tissue->scale, v3((double)m[0], (double)m[1], (double)m[2]));
}

void cg_tissue_foresee_nodes(const cg_tissue *tissue, double share, cg_vec3 *motions)
{
    int count = tissue->mesh->node_count;
    if (tissue->solver != CG_TISSUE_IMPLICIT || tissue->asleep || tissue->is_resting || tissue->is_refused) {
        for (int i = 0; i < count; i++) {
            motions[i] = v3_scale(share, cg_tissue_node_foreseen(tissue, i));
        }
        return;
    }
    double back = 1 / tissue->scale;
    for (int i = 0; i < count; i++) {
        cg_float4 m = tissue->springs.move[i];
        motions[i] = v3_scale(share, v3_scale(back, v3((double)m[0], (double)m[1], (double)m[2])));
    }
}

cg_vec3 cg_tissue_point_foreseen(const cg_tissue *tissue, const cg_mesh_point *point)
{
    cg_vec3 place = cg_tissue_point_place(tissue, point);
    if (tissue->asleep || tissue->is_resting || tissue->is_refused || tissue->solver == CG_TISSUE_QUASI_STATIC) {
        return place;
    }
    if (tissue->solver == CG_TISSUE_RUNGE_KUTTA || tissue->solver == CG_TISSUE_NEUMANN) {
        return v3_add_scaled(place, tissue->time_step, cg_tissue_point_velocity(tissue, point));
    }
    const int *nodes = tissue->mesh->triangles[point->triangle].nodes;
    for (int k = 0; k < 3; k++) {
        cg_float4 m = tissue->springs.move[nodes[k]];
        cg_vec3 move = v3((double)m[0], (double)m[1], (double)m[2]);
        place = v3_add_scaled(place, point->weights[k] / tissue->scale, move);
    }
    return place;
}

// The block of a node on the diagonal of the matrix of a step, from the mesh alone.
static cg_mat3 block_of(const cg_tissue *tissue, int node, double h)
{
    const cg_mesh *mesh = tissue->mesh;
    bool has_mass = tissue->solver != CG_TISSUE_QUASI_STATIC;
    double ground = has_mass ? mesh->mass[node] * (1 / h + tissue->drag) / h : 0, stiffness = 0;
    cg_mat3 block = m3_zero();
    for (int at = mesh->first_link[node]; at >= 0; at = mesh->next_link[at]) {
        const cg_mesh_link *link = &mesh->links[at / 2];
        cg_vec3 u = v3_sub(mesh->position[link->ends[1]], mesh->position[link->ends[0]]);
        double length = v3_length(u), least = 1e-6 * link->rest, inverse = 1 / (length > least ? length : least);
        double longer = length - link->rest, stretched = longer > 0 ? longer / link->rest : 0;
        double square = link->stiffening * stretched * stretched;
        double pull = link->stiffness * longer * (1 + square) * inverse, across = pull > 0 ? pull : 0;
        double damping = has_mass ? tissue->damping / h : 0;
        double along = link->stiffness * (1 + 3 * square + damping) - across;
        block = m3_add(block, m3_scale(along * inverse * inverse, m3_outer(u, u)));
        stiffness += link->stiffness;
        ground += across;
    }
    ground += tissue->home * stiffness;
    // As in the preconditioner: a direction without any stiffness is not endlessly soft.
    ground += 1e-5 * stiffness;
    return m3_add(block, m3_diagonal(ground, ground, ground));
}

// Of the links alone: squeezed cells make a node's own block stiff, but its neighbours go along.
cg_mat3 cg_tissue_loose_compliance(const cg_tissue *tissue, int node, double time_step)
{
    cg_mat3 inverse;
    bool gives = m3_invert(block_of(tissue, node, time_step), &inverse);
    return gives ? m3_scale(1 / CG_SOFT_SIDE, inverse) : m3_zero();
}

cg_mat3 cg_tissue_node_compliance(const cg_tissue *tissue, int node, double time_step)
{
    return tissue->mesh->fixed[node] ? m3_zero() : cg_tissue_loose_compliance(tissue, node, time_step);
}

cg_mat3 cg_tissue_point_compliance(const cg_tissue *tissue, const cg_mesh_point *point, double time_step)
{
    const int *nodes = tissue->mesh->triangles[point->triangle].nodes;
    cg_mat3 sum = m3_zero();
    for (int k = 0; k < 3; k++) {
        cg_mat3 inverse;
        if (!tissue->mesh->fixed[nodes[k]] && m3_invert(block_of(tissue, nodes[k], time_step), &inverse)) {
            sum = m3_add(sum, m3_scale(point->weights[k] * point->weights[k] / CG_SOFT_SIDE, inverse));
        }
    }
    return sum;
}

double cg_tissue_fastest(const cg_tissue *tissue)
{
    double fastest = 0;
    for (int i = 0; i < tissue->mesh->node_count && tissue->fastest < 0; i++) {
        double square = v3_dot(tissue->velocity[i], tissue->velocity[i]);
        fastest = square <= fastest ? fastest : square;
    }
    return tissue->fastest < 0 ? sqrt(fastest) : tissue->fastest;
}

double cg_tissue_elastic_energy(cg_tissue *tissue)
{
    cg_springs *springs = &tissue->springs;
    const cg_mesh *mesh = tissue->mesh;
    cg_springs_place(springs, mesh->position);
    double sum = cg_springs_energy(springs) + cg_springs_squeeze_energy(springs) +
                 cg_springs_swell_energy(springs, mesh, tissue->pressure) +
                 cg_springs_bend_energy(springs, mesh, tissue->pierced);
    for (int i = 0; i < mesh->node_count; i++) {
        cg_vec3 away = v3_sub(mesh->position[i], mesh->home[i]);
        sum += 0.5 * springs->home_stiffness[i] * v3_dot(away, away);
    }
    return sum;
}

double cg_tissue_kinetic_energy(const cg_tissue *tissue)
{
    double sum = 0;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        sum += 0.5 * tissue->mesh->mass[i] * v3_dot(tissue->velocity[i], tissue->velocity[i]);
    }
    return sum;
}

double cg_tissue_smallest_cell(const cg_tissue *tissue, int *inverted)
{
    const cg_mesh *mesh = tissue->mesh;
    double smallest = 1;
    *inverted = 0;
    for (int k = 0; k < mesh->cell_count; k++) {
        double made = cg_mesh_cell_volume(mesh, k, mesh->home), now = cg_mesh_cell_volume(mesh, k, mesh->position);
        *inverted += !(now > 0);
        smallest = now / made < smallest ? now / made : smallest;
    }
    return smallest;
}
