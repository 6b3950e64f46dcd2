// Implicit Euler as in src/tissue/implicit.c, linearised in each step, the way one would write it first:
//
//     A d = b,   A = M (1/h^2 + drag/h) + K + C/h + the hold's slope,   b = M v/h + forces
//
// A is a sparse matrix of 3 x 3 blocks in single precision, row by row, both triangles; conjugate gradients begin with
// the motion of the last step and have the diagonal as preconditioner. They end when the residual, so measured, is
// ENOUGH of the first one: with that the largest error of a coordinate, against a solve to the last digit, is that of
// the library's step.
#include "bench/plain_springs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"

static const float ENOUGH = 0.12F;
enum { MOST_ITERATIONS = 100 };

struct cg_plain_springs {
    const cg_mesh *mesh;
    double damping, drag;
    int nodes, blocks, iterations;
    int *first, *column; // of the blocks in each row
    int (*place)[4];     // of each link: its blocks ii, ij, ji, jj
    float (*block)[9];
    cg_vec3 *position, *velocity, *force;
    float *move, *residual, *ahead, *response, *scaled, *inverse; // three a node
};

static void *take(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

void cg_plain_springs_destroy(cg_plain_springs *plain)
{
    if (plain == NULL) {
        return;
    }
    void *arrays[] = {plain->first,    plain->column, plain->place,  plain->block,    plain->position,
                      plain->velocity, plain->force,  plain->move,   plain->residual, plain->ahead,
                      plain->response, plain->scaled, plain->inverse};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        free(arrays[k]);
    }
    free(plain);
}

// Where the block of two nodes is.
static int block_at(const cg_plain_springs *plain, int row, int column)
{
    int at = plain->first[row];
    while (plain->column[at] != column) {
        at++;
    }
    return at;
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// The pattern: each node and its neighbours, in order.
static void lay_out_blocks(cg_plain_springs *plain)
{
    const cg_mesh *mesh = plain->mesh;
    int count = 0;
    for (int i = 0; i < plain->nodes; i++) {
        plain->first[i] = count;
        plain->column[count++] = i;
        for (int at = mesh->first_link[i]; at >= 0; at = mesh->next_link[at]) {
            plain->column[count++] = mesh->links[at / 2].ends[1 - at % 2];
        }
        qsort(&plain->column[plain->first[i]], (size_t)(count - plain->first[i]), sizeof(int), by_number);
    }
    plain->first[plain->nodes] = count;
    for (int k = 0; k < mesh->link_count; k++) {
        const int *ends = mesh->links[k].ends;
        for (int side = 0; side < 4; side++) {
            plain->place[k][side] = block_at(plain, ends[side / 2], ends[side % 2]);
        }
    }
}

cg_plain_springs *cg_plain_springs_create(const cg_mesh *mesh, double damping, double drag)
{
    cg_plain_springs *plain = calloc(1, sizeof *plain);
    if (plain == NULL) {
        return NULL;
    }
    size_t nodes = (size_t)mesh->node_count, blocks = nodes + 2 * (size_t)mesh->link_count;
    plain->mesh = mesh;
    plain->damping = damping;
    plain->drag = drag;
    plain->nodes = mesh->node_count;
    plain->blocks = (int)blocks;
    plain->first = take(nodes + 1, sizeof(int));
    plain->column = take(blocks, sizeof(int));
    plain->place = take((size_t)mesh->link_count, sizeof *plain->place);
    plain->block = take(blocks, sizeof *plain->block);
    plain->position = take(nodes, sizeof(cg_vec3));
    plain->velocity = take(nodes, sizeof(cg_vec3));
    plain->force = take(nodes, sizeof(cg_vec3));
    float **vectors[] = {&plain->move,     &plain->residual, &plain->ahead,
                         &plain->response, &plain->scaled,   &plain->inverse};
    bool is_full = plain->first && plain->column && plain->place && plain->block && plain->position &&
                   plain->velocity && plain->force;
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        *vectors[k] = take(3 * nodes, sizeof(float));
        is_full = is_full && *vectors[k] != NULL;
    }
    if (!is_full) {
        cg_plain_springs_destroy(plain);
        return NULL;
    }
    memcpy(plain->position, mesh->position, nodes * sizeof(cg_vec3));
    lay_out_blocks(plain);
    return plain;
}

// A link: its force, and what it puts into the matrix.
static void add_link(cg_plain_springs *plain, int k, double time_step)
{
    const cg_mesh_link *link = &plain->mesh->links[k];
    int i = link->ends[0], j = link->ends[1];
    cg_vec3 u = v3_sub(plain->position[j], plain->position[i]);
    double length = v3_length(u), longer = length - link->rest, strain = longer > 0 ? longer / link->rest : 0;
    double curve = link->stiffening * strain * strain, pull = link->stiffness * longer * (1 + curve);
    cg_vec3 n = v3_scale(1 / length, u);
    plain->force[i] = v3_add_scaled(plain->force[i], pull, n);
    plain->force[j] = v3_add_scaled(plain->force[j], -pull, n);
    double across = pull > 0 ? pull / length : 0;
    double along = link->stiffness * (1 + 3 * curve + plain->damping / time_step) - across;
    const double d[3] = {n.x, n.y, n.z};
    for (int e = 0; e < 9; e++) {
        float value = (float)(along * d[e / 3] * d[e % 3] + (e % 4 == 0 ? across : 0));
        plain->block[plain->place[k][0]][e] += value;
        plain->block[plain->place[k][1]][e] -= value;
        plain->block[plain->place[k][2]][e] -= value;
        plain->block[plain->place[k][3]][e] += value;
    }
}

static void add_to_diagonal(cg_plain_springs *plain, int node, double value)
{
    float *block = plain->block[block_at(plain, node, node)];
    for (int axis = 0; axis < 3; axis++) {
        block[4 * axis] += (float)value;
    }
}

static void assemble(cg_plain_springs *plain, double h, cg_vec3 gravity, const cg_plain_hold *hold)
{
    memset(plain->block, 0, (size_t)plain->blocks * sizeof *plain->block);
    memset(plain->force, 0, (size_t)plain->nodes * sizeof *plain->force);
    for (int k = 0; k < plain->mesh->link_count; k++) {
        add_link(plain, k, h);
    }
    for (int i = 0; i < plain->nodes; i++) {
        double mass = plain->mesh->mass[i];
        cg_vec3 more = v3_add_scaled(gravity, 1 / h, plain->velocity[i]);
        plain->force[i] = v3_add_scaled(plain->force[i], mass, more);
        add_to_diagonal(plain, i, mass * (1 / h + plain->drag) / h);
    }
    int held = hold->node;
    cg_vec3 apart = v3_sub(hold->place, plain->position[held]);
    plain->force[held] = v3_add_scaled(plain->force[held], hold->stiffness, apart);
    add_to_diagonal(plain, held, hold->stiffness + hold->damping / h);
}

static void multiply(const cg_plain_springs *plain, const float *vector, float *product)
{
    for (int i = 0; i < plain->nodes; i++) {
        float x = 0, y = 0, z = 0;
        for (int at = plain->first[i]; at < plain->first[i + 1]; at++) {
            const float *b = plain->block[at], *v = &vector[3 * plain->column[at]];
            x += b[0] * v[0] + b[1] * v[1] + b[2] * v[2];
            y += b[3] * v[0] + b[4] * v[1] + b[5] * v[2];
            z += b[6] * v[0] + b[7] * v[1] + b[8] * v[2];
        }
        product[3 * i] = x;
        product[3 * i + 1] = y;
        product[3 * i + 2] = z;
    }
}

static float dot(const cg_plain_springs *plain, const float *a, const float *b)
{
    float sum[4] = {0, 0, 0, 0};
    int count = 3 * plain->nodes, i = 0;
    for (; i + 4 <= count; i += 4) {
        for (int k = 0; k < 4; k++) {
            sum[k] += a[i + k] * b[i + k];
        }
    }
    for (; i < count; i++) {
        sum[0] += a[i] * b[i];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The first guess, what it leaves, and the inverse of the diagonal; zero where a node is fixed.
static void begin(cg_plain_springs *plain, double h)
{
    for (int i = 0; i < plain->nodes; i++) {
        const float *block = plain->block[block_at(plain, i, i)];
        const double v[3] = {plain->velocity[i].x, plain->velocity[i].y, plain->velocity[i].z};
        for (int axis = 0; axis < 3; axis++) {
            bool free = !plain->mesh->fixed[i];
            plain->inverse[3 * i + axis] = free ? 1 / block[4 * axis] : 0;
            plain->move[3 * i + axis] = free ? (float)(h * v[axis]) : 0;
        }
    }
    multiply(plain, plain->move, plain->response);
    for (int i = 0; i < plain->nodes; i++) {
        const double f[3] = {plain->force[i].x, plain->force[i].y, plain->force[i].z};
        for (int axis = 0; axis < 3; axis++) {
            int at = 3 * i + axis;
            plain->residual[at] = (float)f[axis] - plain->response[at];
            plain->scaled[at] = plain->inverse[at] * plain->residual[at];
            plain->ahead[at] = plain->scaled[at];
        }
    }
}

static void solve(cg_plain_springs *plain)
{
    int count = 3 * plain->nodes;
    float first = dot(plain, plain->residual, plain->scaled), last = first;
    for (plain->iterations = 0; plain->iterations < MOST_ITERATIONS && last > ENOUGH * ENOUGH * first;
         plain->iterations++) {
        multiply(plain, plain->ahead, plain->response);
        for (int k = 0; k < count; k++) {
            plain->response[k] = plain->inverse[k] > 0 ? plain->response[k] : 0;
        }
        float step = last / dot(plain, plain->ahead, plain->response);
        for (int k = 0; k < count; k++) {
            plain->move[k] += step * plain->ahead[k];
            plain->residual[k] -= step * plain->response[k];
            plain->scaled[k] = plain->inverse[k] * plain->residual[k];
        }
        float now = dot(plain, plain->residual, plain->scaled), keep = now / last;
        last = now;
        for (int k = 0; k < count; k++) {
            plain->ahead[k] = plain->scaled[k] + keep * plain->ahead[k];
        }
    }
}

void cg_plain_springs_step(cg_plain_springs *plain, double time_step, cg_vec3 gravity, const cg_plain_hold *hold)
{
    assemble(plain, time_step, gravity, hold);
    begin(plain, time_step);
    solve(plain);
    for (int i = 0; i < plain->nodes; i++) {
        cg_vec3 move = v3((double)plain->move[3 * i], (double)plain->move[3 * i + 1], (double)plain->move[3 * i + 2]);
        plain->position[i] = v3_add(plain->position[i], move);
        plain->velocity[i] = v3_scale(1 / time_step, move);
    }
}

const cg_vec3 *cg_plain_springs_places(const cg_plain_springs *plain)
{
    return plain->position;
}

int cg_plain_springs_iterations(const cg_plain_springs *plain)
{
    return plain->iterations;
}
