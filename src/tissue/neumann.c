// The Neumann filter as a way to move a tissue; tissue/cloth.h has the maths and the phases.
//
// The series for A^-1 = D^-1/2 (1 + N + N^2 + ...) D^-1/2 has a limit where the spectral radius of N = 1 - D^-1/2 A
// D^-1/2, which is that of 1 - D^-1 A, is below 1. Springs that pull their ends together alone make A diagonally
// dominant, and then every row of |1 - D^-1 A| sums to less than 1: nothing else has to be looked at. Where a row does
// not, as with springs against bending, the radius is found by products with N: for a symmetric matrix |N x| / |x|
// rises towards it.
#include "tissue/neumann.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "tissue/make_parts.h"
#include "tissue/tissue.h"

// [s] Nobody's steps are longer.
static const double LONGEST_STEP = 0.005;
enum { MOST_PRODUCTS = 2000 };

cg_cloth_law cg_neumann_longest_law(const cg_tissue_def *def)
{
    int columns = cg_make_steps(def->size.x, def->spacing) + 1, rows = cg_make_steps(def->size.y, def->spacing) + 1;
    double a = def->size.x / (columns - 1), b = def->size.y / (rows - 1);
    const cg_tissue_layer *layer = &def->layers[0];
    return (cg_cloth_law){.columns = columns,
                          .rows = rows,
                          .odd = 1,
                          .across = a,
                          .along = b,
                          .slant = sqrt(a * a + b * b),
                          .stiffness = CG_MAKE_CLOTH_SHARE * layer->material.young * layer->thickness,
                          .mass =
                              layer->material.density * layer->thickness * def->size.x * def->size.y / (columns * rows),
                          .step = LONGEST_STEP,
                          .damping = def->damping,
                          .drag = def->drag,
                          .most_stretch = def->most_stretch,
                          .ball = def->ball,
                          .ball_radius = def->ball_radius,
                          .floor = def->floor,
                          .has_floor = def->has_floor,
                          .friction = def->friction,
                          .hand = -1,
                          .is_turned = 1};
}

void cg_neumann_lay_out(cg_neumann *neumann, const cg_tissue_def *def, cg_arena *arena)
{
    cg_cloth_law law = cg_neumann_longest_law(def);
    int nodes = law.columns * law.rows;
    neumann->vectors = cg_arena_push_array(arena, cg_vec3, cg_cloth_scratch_vectors(&law));
    neumann->numbers = cg_arena_push_array(arena, double, cg_cloth_scratch_numbers(&law));
    neumann->fixed = cg_arena_push_array(arena, unsigned char, nodes);
    neumann->push = cg_arena_push_array(arena, cg_vec3, nodes);
    neumann->start = cg_arena_push_array(arena, cg_vec3, nodes);
    neumann->ground = cg_arena_push_array(arena, double, nodes);
}

// Of the rows of |1 - D^-1 A| the largest sum.
static double largest_row(const cg_neumann_matrix *a)
{
    double largest = 0;
    for (int i = 0; i < a->count; i++) {
        double diagonal = 0, sum = 0;
        for (int at = a->first[i]; at < a->first[i + 1]; at++) {
            diagonal += a->column[at] == i ? a->value[at] : 0;
            sum += a->column[at] == i ? 0 : fabs(a->value[at]);
        }
        largest = !(diagonal > 0) ? HUGE_VAL : fmax(largest, sum / diagonal);
    }
    return largest;
}

double cg_neumann_radius(const cg_neumann_matrix *a, int products, double *work)
{
    double bound = largest_row(a), radius = 0, *x = work, *y = work + a->count;
    if (bound < 1 || bound == HUGE_VAL) {
        return bound;
    }
    // A start that is neither smooth nor of one sign, so that no eigenvector is missing in it.
    for (int i = 0; i < a->count; i++) {
        x[i] = 1 + 0.5 * (double)((unsigned)i * 2654435761u >> 16 & 1023u) / 1023 - 1.6 * (i % 2);
    }
    for (int k = 0; k < products && radius < 1; k++) {
        double before = 0, after = 0, other = 0;
        // x is D^1/2 times the vector: N in this form is D^-1 (L + L^T)
        for (int i = 0; i < a->count; i++) {
            double sum = 0, diagonal = 1;
            for (int at = a->first[i]; at < a->first[i + 1]; at++) {
                bool is_own = a->column[at] == i;
                diagonal = is_own ? a->value[at] : diagonal;
                sum -= is_own ? 0 : a->value[at] * x[a->column[at]];
            }
            y[i] = sum / diagonal;
            before += diagonal * x[i] * x[i];
            after += diagonal * y[i] * y[i];
            other = fmax(other, fabs(y[i]));
        }
        radius = before > 0 ? sqrt(after / before) : 0;
        for (int i = 0; i < a->count && other > 0; i++) {
            x[i] = y[i] / other;
        }
    }
    return radius;
}

cg_status cg_neumann_check(const cg_neumann_matrix *a, double *work)
{
    double radius = cg_neumann_radius(a, MOST_PRODUCTS, work);
    return radius < 1
               ? cg_ok()
               : cg_error(CG_BAD_INPUT,
                          "the Neumann solver cannot make this step: the spectral radius of 1 - D^-1 A is %.4g; it "
                          "must be below 1 (a shorter step, or the implicit solver)",
                          radius);
}

// Fills the matrix of a law, with room for nine entries a row.
static void fill_matrix(const cg_cloth_law *law, int *first, int *column, double *value)
{
    double s = law->step / law->mass * (law->step + law->damping) * law->stiffness;
    int at = 0, count = law->columns * law->rows;
    for (cg_cloth_walk walk = cg_cloth_walk_from(law, 0, 1); walk.node < count; cg_cloth_walk_on(law, &walk)) {
        int own = at++;
        first[walk.node] = own;
        value[own] = 1 + law->step * law->drag;
        column[own] = walk.node;
        cg_cloth_around around = cg_cloth_look(law, &walk);
        for (int k = 0; k < 8; k++) {
            if (cg_cloth_is_there(&around, k)) {
                column[at] = walk.node + cg_cloth_step(law, k);
                value[at++] = -s;
                value[own] += s;
            }
        }
    }
    first[count] = at;
}

cg_status cg_neumann_check_law(const cg_cloth_law *law, const cg_allocator *allocator)
{
    size_t count = (size_t)law->columns * (size_t)law->rows;
    size_t numbers = 11 * count * sizeof(double), integers = (10 * count + 1) * sizeof(int);
    void *memory = cg_memory_take(allocator, numbers + integers);
    if (memory == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the matrix of a cloth of %zu nodes", count);
    }
    double *value = memory;
    int *first = (int *)((char *)memory + numbers), *column = first + count + 1;
    fill_matrix(law, first, column, value);
    cg_status status = cg_neumann_check(&(cg_neumann_matrix){(int)count, first, column, value}, value + 9 * count);
    cg_memory_give(allocator, memory);
    return status;
}

// Forces of hands, of others and of pushes, and what holds nodes to the ground.
static void gather(cg_tissue *tissue)
{
    const cg_mesh *mesh = tissue->mesh;
    cg_neumann *neumann = tissue->neumann;
    bool has_fixed = false;
    for (int i = 0; i < mesh->node_count; i++) {
        neumann->start[i] = mesh->position[i];
        neumann->ground[i] = 0;
        neumann->push[i] = tissue->was_added ? v3_add(tissue->push[i], tissue->added[i]) : tissue->push[i];
        neumann->fixed[i] = mesh->fixed[i];
        has_fixed = has_fixed || mesh->fixed[i];
        if (mesh->fixed[i]) {
            tissue->velocity[i] = v3_scale(1 / tissue->time_step, v3_sub(tissue->target[i], mesh->position[i]));
        }
    }
    for (const cg_tissue_grip *grip = tissue->grips; grip != NULL; grip = grip->next) {
        for (int k = 0; k < grip->count; k++) {
            int i = grip->nodes[k];
            cg_vec3 beyond = v3_sub(mesh->position[i], grip->places[k]);
            neumann->push[i] = v3_add(neumann->push[i], v3_add_scaled(grip->forces[k], -grip->slope, beyond));
            neumann->ground[i] += grip->slope;
        }
    }
    neumann->law.has_fixed = has_fixed;
    neumann->law.step = tissue->time_step;
    neumann->law.gravity = tissue->gravity;
}

// [m] How far the node goes that goes farthest; HUGE_VAL when a number is not finite.
static double furthest_of(const cg_tissue *tissue)
{
    double most = 0;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        double far = v3_distance(tissue->mesh->position[i], tissue->neumann->start[i]);
        bool is_sound = v3_is_finite(tissue->mesh->position[i]) && v3_is_finite(tissue->velocity[i]) && far < HUGE_VAL;
        most = is_sound ? fmax(most, far) : HUGE_VAL;
    }
    return most;
}

static void take_reactions(cg_tissue *tissue)
{
    cg_neumann *neumann = tissue->neumann;
    cg_cloth_law *law = &neumann->law;
    int count = law->columns * law->rows;
    for (cg_cloth_walk at = cg_cloth_walk_from(law, 0, 1); at.node < count; cg_cloth_walk_on(law, &at)) {
        bool fixed = tissue->mesh->fixed[at.node];
        cg_cloth_pull pull = fixed ? cg_cloth_pull_at(law, &neumann->cloth, &at) : (cg_cloth_pull){0};
        cg_vec3 force = v3_add(pull.force, v3_add_scaled(tissue->push[at.node], law->mass, law->gravity));
        tissue->reaction[at.node] = fixed ? cg_tissue_known_reaction(force) : v3_zero();
    }
}

void cg_tissue_step_neumann(cg_tissue *tissue)
{
    // A cloth that moves by less in a step, in shares of its spacing, stands still.
    const double still = 1e-13;
    cg_neumann *neumann = tissue->neumann;
    cg_mesh *mesh = tissue->mesh;
    gather(tissue);
    cg_cloth *cloth = &neumann->cloth;
    *cloth = (cg_cloth){.place = mesh->position,
                        .velocity = tissue->velocity,
                        .fixed = neumann->law.has_fixed ? neumann->fixed : NULL,
                        .push = neumann->push,
                        .ground = neumann->ground};
    cg_cloth_deal(&neumann->law, cloth, neumann->vectors, neumann->numbers);
    for (int phase = 0; phase < CG_CLOTH_PHASES; phase++) {
        cg_cloth_phase(&neumann->law, cloth, phase, 0, 1);
    }
    double furthest = furthest_of(tissue);
    tissue->is_refused = !(furthest < HUGE_VAL);
    tissue->is_resting = furthest < still * neumann->law.across;
    for (int i = 0; i < mesh->node_count; i++) {
        if (tissue->is_refused) {
            mesh->position[i] = neumann->start[i];
            tissue->velocity[i] = v3_zero();
        } else if (mesh->fixed[i]) {
            mesh->position[i] = tissue->target[i];
        }
    }
    tissue->stats.iterations = 2;
    take_reactions(tissue);
}
