#include "constraint/sheet.h"

#include "base/mat3.h"
#include "base/status.h"

enum { STRIDE = CG_ELEMENT_MOST };

cg_status cg_sheet_init(cg_sheet *sheet, const cg_mesh *mesh, double mass_damping, double stiffness_damping,
                        const cg_allocator *allocator)
{
    if (!(mass_damping >= 0 && stiffness_damping >= 0 && mass_damping + stiffness_damping < 1e30)) {
        return cg_error(CG_BAD_INPUT, "damping of a sheet must not be below 0");
    }
    *sheet = (cg_sheet){.node_count = mesh->node_count,
                        .spring_count = mesh->link_count,
                        .triangle_count = mesh->triangle_count,
                        .mass_damping = mass_damping,
                        .stiffness_damping = stiffness_damping,
                        .allocator = *allocator};
    sheet->mass = cg_memory_take(allocator, (size_t)mesh->node_count * sizeof *sheet->mass);
    sheet->start = cg_memory_take(allocator, (size_t)mesh->node_count * sizeof *sheet->start);
    sheet->springs = cg_memory_take(allocator, (size_t)mesh->link_count * sizeof *sheet->springs);
    sheet->triangles = cg_memory_take(allocator, (size_t)mesh->triangle_count * sizeof *sheet->triangles);
    if (!sheet->mass || !sheet->start || !sheet->springs || !sheet->triangles) {
        cg_sheet_free(sheet);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a sheet of %d nodes", mesh->node_count);
    }
    for (int i = 0; i < mesh->node_count; i++) {
        sheet->mass[i] = mesh->mass[i];
        sheet->start[i] = mesh->position[i];
    }
    for (int i = 0; i < mesh->link_count; i++) {
        const cg_mesh_link *link = &mesh->links[i];
        sheet->springs[i] = (cg_spring){{link->ends[0], link->ends[1]}, link->stiffness, link->rest};
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        for (int c = 0; c < 3; c++) {
            sheet->triangles[i][c] = mesh->triangles[i].nodes[c];
        }
    }
    return cg_ok();
}

void cg_sheet_free(cg_sheet *sheet)
{
    cg_memory_give(&sheet->allocator, sheet->mass);
    cg_memory_give(&sheet->allocator, sheet->start);
    cg_memory_give(&sheet->allocator, sheet->springs);
    cg_memory_give(&sheet->allocator, sheet->triangles);
    sheet->mass = NULL;
    sheet->start = NULL;
    sheet->springs = NULL;
    sheet->triangles = NULL;
}

void cg_node_forces(double mass, double mass_damping, const cg_element_state *state, const cg_element_wish *wish,
                    cg_element_answer *answer)
{
    const double weight[3] = {wish->gravity.x, wish->gravity.y, wish->gravity.z};
    for (int c = 0; c < CG_NODE_UNKNOWNS; c++) {
        answer->f[c] += mass * (weight[c] - state->a[c] - mass_damping * state->v[c]);
        answer->matrix[c * STRIDE + c] += mass * (wish->mass + mass_damping * wish->damping);
    }
}

static cg_vec3 between(const double *x)
{
    return v3(x[3] - x[0], x[4] - x[1], x[5] - x[2]);
}

double cg_spring_energy(const cg_spring *spring, const double *x)
{
    double longer = v3_length(between(x)) - spring->rest;
    return 0.5 * spring->stiffness * longer * longer;
}

// On the second end acts -(k (L - rest) + beta k L') n with n the direction and L' = n . v:
//     K = k n n^T + k (1 - rest/L) (I - n n^T) + beta k (n w^T + L' (I - n n^T)) / L,   w = v - n L',    D = beta k n
//     n^T.
void cg_spring_forces(const cg_spring *spring, double stiffness_damping, const cg_element_state *state,
                      const cg_element_wish *wish, cg_element_answer *answer)
{
    cg_vec3 apart = between(state->x), speed = between(state->v);
    double length = v3_length(apart), k = spring->stiffness, c = stiffness_damping * k;
    if (!(length > 1e-12 * spring->rest)) {
        return; // no direction, no force: as good as any while two nodes lie on each other
    }
    cg_vec3 n = v3_scale(1 / length, apart);
    double rate = v3_dot(n, speed), pull = k * (length - spring->rest) + c * rate;
    cg_vec3 side = v3_add_scaled(speed, -rate, n), push = v3_scale(pull, n);
    const double force[6] = {push.x, push.y, push.z, -push.x, -push.y, -push.z};
    for (int i = 0; i < CG_SPRING_UNKNOWNS; i++) {
        answer->f[i] += force[i];
    }
    if (wish->stiffness == 0 && wish->damping == 0) {
        return;
    }
    cg_mat3 along = m3_outer(n, n), across = m3_sub(m3_identity(), along);
    cg_mat3 matrix = m3_scale(wish->stiffness * k + wish->damping * c, along);
    matrix = m3_add(matrix, m3_scale(wish->stiffness * pull / length, across));
    matrix = m3_add(matrix, m3_scale(wish->stiffness * c / length, m3_outer(n, side)));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double value = matrix.m[i][j];
            answer->matrix[i * STRIDE + j] += value;
            answer->matrix[(3 + i) * STRIDE + 3 + j] += value;
            answer->matrix[i * STRIDE + 3 + j] -= value;
            answer->matrix[(3 + i) * STRIDE + j] -= value;
        }
    }
}
