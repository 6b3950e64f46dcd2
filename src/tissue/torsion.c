// Torsion springs at pierced nodes: what a thread pulls out of a surface must not make a needle-thin spike.
//
// A pierced node p has pairs of neighbours a and b that lie on opposite sides of it at home. With the directions
// u = (p - a)/|p - a| and w = (b - p)/|b - p|, the energy of a pair is
//     e = s (1 - u . w) = s/2 |u - w|^2,      about s/2 angle^2,
// the torque s sin(angle). Forces: on a  -s (w - (u . w) u)/|p - a|,  on b  s (u - (u . w) w)/|b - p|,  on p the
// opposite of both. The matrix is s J^T J, J the derivative of u - w.
#include <math.h>

#include "base/vec3.h"
#include "tissue/springs.h"

// Stiffness s of a pair over (stiffness of the links at the node) x (product of the two edges at home). With 0.1 a node
// that is pulled out of a flat surface feels about as much from torsion as from its links once these point its way.
static const double TORSION_SHARE = 0.1;
// Edges are opposite when the cosine between them at home is below this.
static const double OPPOSITE = -0.7;

typedef struct bend_state {
    int nodes[3]; // a, p, b
    cg_vec3 u, w;
    double before, after; // lengths
    double stiffness;
} bend_state;

static bool take_pair(const cg_springs *springs, const cg_mesh *mesh, int a, int p, int b, bend_state *state)
{
    cg_vec3 u = v3_sub(cg_wide_point(springs->place[p]), cg_wide_point(springs->place[a]));
    cg_vec3 w = v3_sub(cg_wide_point(springs->place[b]), cg_wide_point(springs->place[p]));
    double before = v3_length(u), after = v3_length(w);
    double home_before = v3_distance(mesh->home[p], mesh->home[a]);
    double home_after = v3_distance(mesh->home[b], mesh->home[p]);
    // An edge without length has no direction.
    if (before < 1e-3 * home_before || after < 1e-3 * home_after) {
        return false;
    }
    *state = (bend_state){.nodes = {a, p, b},
                          .u = v3_scale(1 / before, u),
                          .w = v3_scale(1 / after, w),
                          .before = before,
                          .after = after,
                          .stiffness = TORSION_SHARE * springs->own_stiffness[p] * home_before * home_after};
    return true;
}

// The neighbour of p that lies most opposite to a at home; -1: none does.
static int opposite_of(const cg_springs *springs, const cg_mesh *mesh, int p, int a)
{
    int best = -1;
    double least = OPPOSITE;
    cg_vec3 u = v3_unit_or(v3_sub(mesh->home[a], mesh->home[p]), v3_zero());
    for (int at = springs->first_neighbour[p]; at < springs->first_neighbour[p + 1]; at++) {
        int b = springs->neighbours[at].node;
        double cosine = v3_dot(u, v3_unit_or(v3_sub(mesh->home[b], mesh->home[p]), v3_zero()));
        if (cosine < least) {
            least = cosine;
            best = b;
        }
    }
    return best;
}

static void add_force(cg_springs *springs, int node, cg_vec3 force)
{
    springs->force[node].xy += (lanes){force.x, force.y};
    springs->force[node].z += (lanes){force.z, 0};
}

static void bend(cg_springs *springs, const bend_state *s)
{
    double cosine = v3_dot(s->u, s->w);
    cg_vec3 on_a = v3_scale(-s->stiffness / s->before, v3_add_scaled(s->w, -cosine, s->u));
    cg_vec3 on_b = v3_scale(s->stiffness / s->after, v3_add_scaled(s->u, -cosine, s->w));
    add_force(springs, s->nodes[0], on_a);
    add_force(springs, s->nodes[2], on_b);
    add_force(springs, s->nodes[1], v3_neg(v3_add(on_a, on_b)));
}

// A share of the identity in the blocks stands for the projections: it is never too small, and only preconditions.
static void put_bent(cg_springs *springs, const bend_state *s, double damping)
{
    double root = sqrt(s->stiffness * (1 + damping));
    cg_bent *bent = &springs->bent[springs->bent_count++];
    *bent = (cg_bent){.nodes = {s->nodes[0], s->nodes[1], s->nodes[2]},
                      .before = cg_pack(1, s->u),
                      .after = cg_pack(1, s->w),
                      .turn_before = (float)(root / s->before),
                      .turn_after = (float)(root / s->after)};
    float before = bent->turn_before, after = bent->turn_after, both = before + after;
    springs->diagonal[2 * s->nodes[0]] += cg_all4(before * before);
    springs->diagonal[2 * s->nodes[1]] += cg_all4(both * both);
    springs->diagonal[2 * s->nodes[2]] += cg_all4(after * after);
}

// Calls for each pair of each pierced node, in order.
typedef void (*visit_pair)(cg_springs *springs, const bend_state *state, void *context);

static void visit_pairs(cg_springs *springs, const cg_mesh *mesh, const bool *pierced, visit_pair visit, void *context)
{
    for (int p = 0; p < springs->node_count; p++) {
        if (!pierced[p]) {
            continue;
        }
        for (int at = springs->first_neighbour[p]; at < springs->first_neighbour[p + 1]; at++) {
            int a = springs->neighbours[at].node, b = opposite_of(springs, mesh, p, a);
            bool is_mutual = b >= 0 && opposite_of(springs, mesh, p, b) == a;
            bend_state state;
            if (b >= 0 && (a < b || !is_mutual) && take_pair(springs, mesh, a, p, b, &state)) {
                visit(springs, &state, context);
            }
        }
    }
}

typedef struct bend_task {
    bool matrix;
    double damping;
} bend_task;

static void do_pair(cg_springs *springs, const bend_state *state, void *context)
{
    const bend_task *task = context;
    bend(springs, state);
    if (task->matrix && springs->bent_count < springs->bent_room) {
        put_bent(springs, state, task->damping);
    }
}

void cg_springs_bend(cg_springs *springs, const cg_mesh *mesh, const bool *pierced, bool matrix, double damping)
{
    bend_task task = {matrix, damping};
    springs->bent_count = 0;
    visit_pairs(springs, mesh, pierced, do_pair, &task);
}

static void add_energy(cg_springs *springs, const bend_state *state, void *context)
{
    double *sum = context;
    (void)springs;
    *sum += state->stiffness * (1 - v3_dot(state->u, state->w));
}

double cg_springs_bend_energy(cg_springs *springs, const cg_mesh *mesh, const bool *pierced)
{
    double sum = 0;
    visit_pairs(springs, mesh, pierced, add_energy, &sum);
    return sum;
}

// The part of d across the unit direction t.
static cg_float4 across(cg_float4 d, cg_float4 t)
{
    return d - cg_dot4(d, t) * t;
}

void cg_springs_multiply_bent(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response)
{
    for (int k = 0; k < springs->bent_count; k++) {
        const cg_bent *bent = &springs->bent[k];
        cg_float4 before = cg_all4(bent->turn_before), after = cg_all4(bent->turn_after);
        int a = bent->nodes[0], p = bent->nodes[1], b = bent->nodes[2];
        cg_float4 turn = before * across(ahead[p] - ahead[a], bent->before);
        turn -= after * across(ahead[b] - ahead[p], bent->after);
        cg_float4 at_a = before * across(turn, bent->before), at_b = after * across(turn, bent->after);
        response[a] -= at_a;
        response[b] -= at_b;
        response[p] += at_a + at_b;
    }
}
