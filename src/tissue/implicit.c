// The default way to move: implicit Euler, linearised once a step.
//
//     A d = b     A = M (1/h^2 + drag/h) + K + C/h + slopes of grips
//                 b = M v/h + forces at the start of the step (springs, volume, home, gravity, pushes, grips)
//     x' = x + d,  v' = d/h
//
// A tissue in equilibrium has b = 0 and stays where it is to the last bit, whatever the solver leaves undone. K is
// positive (springs.h), so any step is stable; a linear step can still be too long for a shape that turns on the way.
// So no two linked nodes move against each other by more than MOST_APART of the rest length: the whole motion is
// shortened until they do not. What is left of the way is made in the next steps.
//
// Fixed nodes have their motion prescribed. Their rows are not solved, but kept: what is missing in them is what holds
// the node. It is the force in double precision at the start of the step, and the change during the step in single.
#include <math.h>

#include "base/vec3.h"
#include "tissue/tissue.h"

static const double MOST_APART = 0.4;
// [m] Beyond it a motion counts as not finite: velocities and places that follow from it must be numbers.
static const double MOST_MOVE = 1e100;
// Cells that are not squeezed keep their volume when their nodes move against each other by less than this share of the
// shortest link.
static const double HARMLESS_APART = 0.02;
// The solver ends when the residual is this share of the first one. What is left is done in the next steps: a pad that
// is pulled goes 94 % of the way that an exact step would go, with 4 iterations instead of 11.
static const double TOLERANCE = 0.25;
// A tissue falls asleep when no node moves further in a step than this share of its shortest link, and none would under
// the forces that are left. It is far above rounding, and far below what is needed for forces that balance to 1e-9.
static const double SLEEP_SHARE = 1e-13;

typedef struct step_sums {
    double largest_force;
    double fastest;   // [m/s]
    double check;     // 0, or not a number
    bool is_moving;   // a fixed node has a way to go
    bool is_restless; // a free node has a way to go, or moves
} step_sums;

static double largest_of(cg_vec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    double xy = x > y ? x : y;
    return xy > z ? xy : z;
}

static bool is_apart(cg_vec3 a, cg_vec3 b)
{
    return a.x != b.x || a.y != b.y || a.z != b.z;
}

static cg_vec3 force_on(const cg_tissue *tissue, int node)
{
    const cg_wide *force = &tissue->springs.force[node];
    return v3(force->xy[0], force->xy[1], force->z[0]);
}

static void set_force(cg_tissue *tissue, int node, cg_vec3 force)
{
    tissue->springs.force[node] = (cg_wide){{force.x, force.y}, {force.z, 0}};
}

// Inertia, gravity, pushes and home springs of a node; forces of grips are there already.
static void complete_node(cg_tissue *tissue, int i, double inverse_step)
{
    const cg_mesh *mesh = tissue->mesh;
    cg_springs *springs = &tissue->springs;
    double mass = mesh->mass[i], home = springs->home_stiffness[i];
    cg_vec3 force = v3_add_scaled(v3_add(force_on(tissue, i), tissue->push[i]), mass, tissue->gravity);
    if (tissue->has_held) {
        force = v3_add(force, tissue->held[i]);
    }
    if (home > 0) {
        force = v3_add_scaled(force, -home, v3_sub(mesh->position[i], mesh->home[i]));
    }
    force = v3_add_scaled(force, mass * inverse_step, tissue->velocity[i]);
    double ground = mass * (inverse_step + tissue->drag) * inverse_step + home * (1 + tissue->damping * inverse_step);
    springs->ground[i] += (float)ground;
    set_force(tissue, i, force);
}

static void sum_node(const cg_tissue *tissue, int i, double still, step_sums *sums)
{
    double size = largest_of(force_on(tissue, i)), speed = largest_of(tissue->velocity[i]);
    sums->largest_force = size > sums->largest_force ? size : sums->largest_force;
    sums->fastest = speed > sums->fastest ? speed : sums->fastest;
    sums->check += 0 * (size + speed);
    if (tissue->mesh->fixed[i]) {
        sums->is_moving = sums->is_moving || is_apart(tissue->target[i], tissue->mesh->position[i]);
    } else {
        double firm = (double)tissue->springs.ground[i] + tissue->springs.own_stiffness[i];
        sums->is_restless = sums->is_restless || size > still * firm;
    }
}

static void add_grips(cg_tissue *tissue)
{
    for (const cg_tissue_grip *grip = tissue->grips; grip != NULL; grip = grip->next) {
        for (int k = 0; k < grip->count; k++) {
            int i = grip->nodes[k];
            cg_vec3 beyond = v3_sub(tissue->mesh->position[i], grip->places[k]);
            cg_vec3 force = v3_add_scaled(grip->forces[k], -grip->slope, beyond);
            set_force(tissue, i, v3_add(force_on(tissue, i), force));
            tissue->springs.ground[i] += (float)grip->slope;
        }
    }
}

static void assemble(cg_tissue *tissue)
{
    cg_springs *springs = &tissue->springs;
    const cg_mesh *mesh = tissue->mesh;
    double damping = tissue->damping / tissue->time_step;
    cg_springs_place(springs, mesh->position);
    bool is_strained = cg_springs_linearise(springs, damping) || springs->has_flat;
    springs->squeezed_count = 0;
    tissue->stats.squeezed_cells = is_strained ? cg_springs_squeeze(springs, true) : 0;
    cg_springs_swell(springs, mesh, tissue->pressure, true);
    cg_springs_bend(springs, mesh, tissue->pierced, true, damping);
    for (int i = 0; i < mesh->node_count; i++) {
        springs->ground[i] = 0;
    }
    add_grips(tissue);
    for (int i = 0; i < mesh->node_count; i++) {
        complete_node(tissue, i, 1 / tissue->time_step);
    }
}

// All that push an island see it as it would be without them.
static void add_pushers(cg_tissue *island)
{
    for (cg_tissue *t = island; t != NULL; t = t->next_joined) {
        for (cg_tissue_pusher *p = t->pushers; p != NULL; p = p->next) {
            p->push(p->context);
        }
    }
    for (cg_tissue *t = island; t != NULL; t = t->next_joined) {
        const cg_row_list **end = &t->springs.pushed;
        for (cg_tissue_pusher *p = t->pushers; p != NULL; p = p->next) {
            if (p->list.count > 0) {
                *end = &p->list;
                end = &p->list.next;
            }
        }
        cg_springs_add_rows(&t->springs);
    }
}

static step_sums assemble_island(cg_tissue *island)
{
    step_sums sums = {0};
    for (cg_tissue *t = island; t != NULL; t = t->next_joined) {
        assemble(t);
        t->springs.next = t->next_joined != NULL ? &t->next_joined->springs : NULL;
    }
    add_pushers(island);
    for (cg_tissue *t = island; t != NULL; t = t->next_joined) {
        double still = SLEEP_SHARE * t->springs.shortest, fastest = sums.fastest;
        sums.fastest = 0;
        for (int i = 0; i < t->mesh->node_count; i++) {
            sum_node(t, i, still, &sums);
        }
        sums.is_restless = sums.is_restless || !(sums.fastest * t->time_step <= still);
        sums.fastest = fastest > sums.fastest ? fastest : sums.fastest;
    }
    return sums;
}

cg_vec3 cg_tissue_node_urge(const cg_tissue *tissue, int node)
{
    if (tissue->mesh->fixed[node]) {
        return v3_sub(tissue->target[node], tissue->mesh->position[node]);
    }
    cg_float4 s = tissue->springs.diagonal[2 * node], c = tissue->springs.diagonal[2 * node + 1];
    double xy = (double)c[0], yz = (double)c[1], zx = (double)c[2];
    double firm = (double)tissue->springs.ground[node] + 1e-5 * ((double)s[0] + (double)s[1] + (double)s[2]);
    cg_mat3 block = {{{(double)s[0] + firm, xy, zx}, {xy, (double)s[1] + firm, yz}, {zx, yz, (double)s[2] + firm}}};
    cg_mat3 inverse;
    return m3_invert(block, &inverse) ? m3_apply(inverse, force_on(tissue, node)) : v3_zero();
}

double cg_tissue_node_stiffness(const cg_tissue *tissue, int node)
{
    double inertia = tissue->mesh->mass[node] / (tissue->time_step * tissue->time_step);
    return tissue->springs.own_stiffness[node] + inertia;
}

// 2^-e with 2^(e-1) <= value < 2^e; 1 for 0.
static double power_below(double value)
{
    int exponent = 0;
    frexp(value, &exponent);
    exponent = exponent > 1000 ? 1000 : (exponent < -1000 ? -1000 : exponent);
    return ldexp(1, -exponent);
}

// Hands forces and motions to the solver, in units that make the largest about 1.
static void begin_solve(cg_tissue *tissue, const step_sums *sums)
{
    cg_springs *springs = &tissue->springs;
    const cg_mesh *mesh = tissue->mesh;
    double scale = tissue->scale = power_below(sums->largest_force);
    double speed_scale = sums->fastest > 0 ? power_below(sums->fastest) : 0;
    for (int i = 0; i < mesh->node_count; i++) {
        bool fixed = mesh->fixed[i];
        springs->first_residual[i] = springs->residual[i] = cg_pack(scale, force_on(tissue, i));
        cg_vec3 way = fixed ? v3_sub(tissue->target[i], mesh->position[i]) : v3_zero();
        springs->move[i] = cg_pack(scale, way);
        springs->coast[i] = cg_pack(fixed ? 0 : speed_scale, tissue->velocity[i]);
    }
}

static void begin_solve_of_island(cg_tissue *island, const step_sums *sums)
{
    island->solve = (cg_solve){.tolerance = TOLERANCE, .has_coast = sums->fastest > 0, .is_moving = sums->is_moving};
    for (cg_tissue *t = island; t != NULL; t = t->next_joined) {
        int *most = &island->solve.most_iterations;
        *most = t->iterations > *most ? t->iterations : *most;
        cg_springs_invert_blocks(&t->springs, t->mesh->fixed);
        t->springs.piece_count = cg_tissue_find_pieces(t);
        t->springs.piece = t->piece;
        cg_springs_begin_flight(&t->springs, t->mesh->fixed);
        begin_solve(t, sums);
    }
    cg_springs_find_flight(&island->springs);
}

void cg_tissue_predict_implicit(cg_tissue *tissue)
{
    step_sums sums = assemble_island(tissue);
    bool is_refused = !(sums.check == 0), is_resting = !is_refused && !sums.is_moving && !sums.is_restless;
    for (cg_tissue *t = tissue; t != NULL; t = t->next_joined) {
        t->is_refused = is_refused;
        t->is_resting = is_resting;
    }
    if (is_refused || is_resting) {
        return;
    }
    begin_solve_of_island(tissue, &sums);
    cg_springs_solve(&tissue->springs, &tissue->solve);
}

static double largest_added(const cg_tissue *island)
{
    double largest = 0;
    for (const cg_tissue *t = island; t != NULL; t = t->next_joined) {
        for (int i = 0; i < t->mesh->node_count && t->was_added; i++) {
            double size = largest_of(t->added[i]);
            largest = size > largest ? size : largest;
        }
    }
    return largest;
}

// New forces may be far larger than those that the scale was made for. Powers of two change no digit.
static void make_room(cg_tissue *tissue, double largest)
{
    cg_springs *springs = &tissue->springs;
    double scale = power_below(largest);
    if (scale < tissue->scale) {
        cg_float4 ratio = cg_all4((float)(scale / tissue->scale));
        for (int i = 0; i < tissue->mesh->node_count; i++) {
            springs->move[i] *= ratio;
            springs->residual[i] *= ratio;
            springs->first_residual[i] *= ratio;
        }
        tissue->scale = scale;
    }
}

// Forces of others, as far as they differ from those of the last step: the solver goes on where it was. A tissue in
// equilibrium with them finds no difference and stays exactly where it is.
static void take_added(cg_tissue *tissue, double largest)
{
    cg_springs *springs = &tissue->springs;
    make_room(tissue, largest);
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        cg_vec3 now = tissue->was_added ? tissue->added[i] : v3_zero();
        cg_vec3 difference = tissue->has_held ? v3_sub(now, tissue->held[i]) : now;
        cg_float4 more = cg_pack(tissue->scale, difference);
        springs->residual[i] += more;
        springs->first_residual[i] += more;
        set_force(tissue, i, v3_add(force_on(tissue, i), difference));
    }
}

// Forces of others are known: the solver goes on, from the start when the island was at rest and no matrix was made.
static void solve_on(cg_tissue *island)
{
    double largest = largest_added(island);
    if (island->is_resting) {
        begin_solve_of_island(island, &(step_sums){.largest_force = largest});
    }
    for (cg_tissue *t = island; t != NULL; t = t->next_joined) {
        t->is_resting = false;
        take_added(t, largest);
    }
    int before = island->solve.iterations;
    cg_springs_solve_on(&island->springs, &island->solve);
    island->solve.iterations += before;
}

// [m] how far the node goes that goes furthest; not a number when one is not.
static double furthest_move(const cg_tissue *tissue)
{
    const cg_springs *springs = &tissue->springs;
    float largest = 0, check = 0;
    for (int i = 0; i < springs->node_count; i++) {
        float square = cg_dot4(springs->move[i], springs->move[i])[0];
        largest = square > largest ? square : largest;
        check += 0 * square;
    }
    return sqrt((double)(largest + check)) / tissue->scale;
}

// The largest motion of the neighbours of a node against it, squared, over the rest length of the link.
static double furthest_around(const cg_springs *springs, int node)
{
    double worst = 0;
    for (int at = springs->first_neighbour[node]; at < springs->first_neighbour[node + 1]; at++) {
        const cg_neighbour *n = &springs->neighbours[at];
        cg_float4 apart = springs->move[node] - springs->move[n->node];
        double ratio = (double)cg_dot4(apart, apart)[0] / (n->rest * n->rest);
        worst = ratio > worst ? ratio : worst;
    }
    return worst;
}

// The largest motion of two linked nodes against each other, over the rest length of the link; any number that is not
// larger than HARMLESS_APART, when it is not. One of two that are farther apart moves by half of that.
static double furthest_apart(const cg_tissue *tissue)
{
    const cg_springs *springs = &tissue->springs;
    double worst = 0, least = 0.49 * HARMLESS_APART * springs->shortest * tissue->scale;
    int fast = 0, most = springs->node_count / 4;
    for (int i = 0; i < springs->node_count && fast <= most; i++) {
        if ((double)cg_dot4(springs->move[i], springs->move[i])[0] > least * least) {
            double here = furthest_around(springs, i);
            worst = here > worst ? here : worst;
            fast++;
        }
    }
    if (fast <= most) {
        return sqrt(worst) / tissue->scale;
    }
    for (int row = 0; row < springs->row_count; row++) {
        cg_float4 here = springs->move[springs->row_node[row]];
        for (int s = 2 * springs->first_pair[row]; s < 2 * springs->first_pair[row + 1]; s++) {
            cg_float4 apart = here - springs->move[springs->other[s]];
            double rest = springs->pairs[s / 2].rest[s % 2];
            double ratio = (double)cg_dot4(apart, apart)[0] / (rest * rest);
            worst = ratio > worst ? ratio : worst;
        }
    }
    return sqrt(worst) / tissue->scale;
}

// The share of the motion that is made; 0 when it is not finite. Motions so small that no cell can be harmed by them
// are found out cheaply.
static double share_of_move(cg_tissue *tissue, bool *is_finite)
{
    cg_springs *springs = &tissue->springs;
    double furthest = furthest_move(tissue), share = 1, apart = 2 * furthest / springs->shortest;
    tissue->stats.mended_cells = 0;
    *is_finite = furthest < MOST_MOVE;
    if (!*is_finite) {
        return 0;
    }
    if (springs->shortest > 0 && apart > HARMLESS_APART) {
        apart = furthest_apart(tissue);
        share = apart > MOST_APART ? MOST_APART / apart : 1;
    }
    bool is_large = apart > HARMLESS_APART;
    if (springs->squeezed_count > 0 || (springs->cell_count > 0 && is_large)) {
        double harmless = is_large ? HARMLESS_APART * springs->shortest : 0;
        share *= cg_springs_keep_cells(springs, tissue->mesh->fixed, share / tissue->scale, harmless,
                                       &tissue->stats.mended_cells);
    }
    return share;
}

// Returns the square of the largest speed.
static double move_block(cg_tissue *tissue, double share, int first, int end)
{
    cg_springs *springs = &tissue->springs;
    cg_mesh *mesh = tissue->mesh;
    double back = 1 / tissue->scale, rate = share / tissue->time_step, fastest = 0;
    for (int i = first; i < end; i++) {
        cg_float4 m = springs->move[i], change = springs->residual[i] - springs->first_residual[i];
        cg_vec3 move = v3(back * (double)m[0], back * (double)m[1], back * (double)m[2]);
        cg_vec3 velocity = tissue->velocity[i] = v3_scale(rate, move);
        double square = v3_dot(velocity, velocity);
        fastest = square <= fastest ? fastest : square;
        tissue->reaction[i] = v3_zero();
        if (mesh->fixed[i]) {
            cg_vec3 during = v3(back * (double)change[0], back * (double)change[1], back * (double)change[2]);
            tissue->reaction[i] = cg_tissue_known_reaction(v3_add(force_on(tissue, i), during));
            move = v3_sub(tissue->target[i], mesh->position[i]);
        }
        mesh->position[i] =
            share == 1 && mesh->fixed[i] ? tissue->target[i] : v3_add_scaled(mesh->position[i], share, move);
    }
    return fastest;
}

static void move_nodes(cg_tissue *tissue, double share)
{
    int count = tissue->mesh->node_count;
    double fastest = 0;
    for (int first = 0; first < count; first += CG_TISSUE_BLOCK) {
        int end = first + CG_TISSUE_BLOCK < count ? first + CG_TISSUE_BLOCK : count;
        double square = move_block(tissue, share, first, end);
        tissue->travel[first / CG_TISSUE_BLOCK] += sqrt(square) * tissue->time_step * (1 + 1e-6);
        fastest = square > fastest ? square : fastest;
    }
    tissue->fastest = sqrt(fastest);
}

static void stand_still(cg_tissue *tissue)
{
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        tissue->velocity[i] = v3_zero();
    }
    tissue->fastest = 0;
}

// What all of an island does: forces of others, and the share of the motion that all of it makes.
static void finish_island(cg_tissue *island)
{
    bool has_changed = false, is_finite = !island->is_refused;
    for (const cg_tissue *t = island; t != NULL; t = t->next_joined) {
        has_changed = has_changed || t->was_added || t->has_held;
    }
    if (has_changed && !island->is_refused) {
        solve_on(island);
    }
    double share = island->is_refused ? 0 : 1;
    for (cg_tissue *t = island; t != NULL && share > 0 && !island->is_resting; t = t->next_joined) {
        double part = share_of_move(t, &is_finite);
        share = part < share ? part : share;
    }
    for (cg_tissue *t = island; t != NULL; t = t->next_joined) {
        t->share = share;
        t->is_refused = !is_finite;
    }
}

void cg_tissue_finish_implicit(cg_tissue *tissue)
{
    if (tissue->island == NULL) {
        finish_island(tissue);
    }
    if (tissue->is_resting) {
        for (int i = 0; i < tissue->mesh->node_count; i++) {
            tissue->reaction[i] = tissue->mesh->fixed[i] ? force_on(tissue, i) : v3_zero();
        }
        stand_still(tissue);
        return;
    }
    if (tissue->share > 0) {
        move_nodes(tissue, tissue->share);
    } else {
        stand_still(tissue);
    }
    const cg_solve *solve = tissue->island != NULL ? &tissue->island->solve : &tissue->solve;
    tissue->stats.iterations = solve->iterations;
    tissue->stats.residual = solve->share;
    tissue->stats.share = tissue->share;
    tissue->stats.shortened_steps += tissue->share < 1;
}
