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
#include <string.h>

#include "base/vec3.h"
#include "tissue/tissue.h"

static const double MOST_APART = 0.4;
// [m] Beyond it a motion counts as not finite: velocities and places that follow from it must be numbers.
static const double MOST_MOVE = 1e100;
// Cells that are not squeezed keep their volume when their nodes move against each other by less than this share of the
// shortest link.
static const double HARMLESS_APART = 0.02;
// The solver ends when the residual is this share of the first one. What is left is done in the next steps. A pad that
// is pulled up and down by 3 mm is nowhere farther than 0.42 um from where exact steps (21 iterations) would have it,
// with 3.4 iterations. 0.35 takes 2.7 and has it as near, but what jaws feel of tissue that slides out of them is then
// 6 % off instead of 4 %; 0.5 takes 1.9 iterations and is 0.58 um off.
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

#define FORCE4(tissue, i) (*(cg_double4 *)&(tissue)->springs.force[i])
#define VECTOR4(v) ((cg_double4){(v).x, (v).y, (v).z, 0})
#define ABSOLUTE4(v) ((cg_double4)((cg_bits4)(v)&INT64_MAX))

// Inertia, gravity and pushes of all nodes; forces of grips are there already.
CG_WIDE_BODY void complete_nodes_body(cg_tissue *tissue)
{
    const cg_mesh *mesh = tissue->mesh;
    float *ground = tissue->springs.ground;
    double rate = 1 / tissue->time_step, firm = (rate + tissue->drag) * rate;
    cg_double4 gravity = VECTOR4(tissue->gravity);
    for (int i = 0; i < mesh->node_count; i++) {
        double mass = mesh->mass[i];
        cg_double4 v = VECTOR4(tissue->velocity[i]), push = VECTOR4(tissue->push[i]);
        FORCE4(tissue, i) += push + mass * (gravity + rate * v);
        ground[i] += (float)(mass * firm);
    }
}
CG_WIDE_PAIR(static, complete_nodes, (cg_tissue * tissue), (tissue))

// Forces of others as they were, and home springs, where there are such.
static void add_held_and_home(cg_tissue *tissue)
{
    const cg_mesh *mesh = tissue->mesh;
    cg_springs *springs = &tissue->springs;
    for (int i = 0; i < mesh->node_count && tissue->has_held; i++) {
        set_force(tissue, i, v3_add(force_on(tissue, i), tissue->held[i]));
    }
    for (int i = 0; i < mesh->node_count && tissue->home > 0; i++) {
        double home = springs->home_stiffness[i];
        cg_vec3 away = v3_sub(mesh->position[i], mesh->home[i]);
        set_force(tissue, i, v3_add_scaled(force_on(tissue, i), -home, away));
        springs->ground[i] += (float)(home * (1 + tissue->damping / tissue->time_step));
    }
}

// Largest force and speed, by components, and whether a free node has a force that would move it further than `still`.
CG_WIDE_BODY void sum_nodes_body(const cg_tissue *tissue, double still, step_sums *sums)
{
    const cg_springs *springs = &tissue->springs;
    const bool *fixed = tissue->mesh->fixed;
    cg_double4 largest = {0, 0, 0, 0}, fastest = largest, check = largest;
    cg_bits4 restless = {0, 0, 0, 0};
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        cg_double4 force = ABSOLUTE4(FORCE4(tissue, i)), speed = ABSOLUTE4(VECTOR4(tissue->velocity[i]));
        largest = CG_LARGER_OF_4(force, largest);
        fastest = CG_LARGER_OF_4(speed, fastest);
        check += 0.0 * (force + speed);
        double most = still * ((double)springs->ground[i] + springs->own_stiffness[i]);
        restless |= (cg_bits4)(force > (fixed[i] ? INFINITY : most));
    }
    sums->largest_force = largest_of(v3(largest[0], largest[1], largest[2]));
    sums->fastest = largest_of(v3(fastest[0], fastest[1], fastest[2]));
    sums->check = check[0] + check[1] + check[2];
    sums->is_restless = (restless[0] | restless[1] | restless[2]) != 0;
}
CG_WIDE_PAIR(static, sum_nodes, (const cg_tissue *tissue, double still, step_sums *sums), (tissue, still, sums))

static bool has_way_to_go(const cg_tissue *tissue)
{
    const cg_mesh *mesh = tissue->mesh;
    for (int i = 0; i < mesh->node_count; i++) {
        if (mesh->fixed[i] && is_apart(tissue->target[i], mesh->position[i])) {
            return true;
        }
    }
    return false;
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
    cg_springs_linearise(springs, damping);
    tissue->stats.squeezed_cells = cg_springs_squeeze(springs, true);
    cg_springs_swell(springs, mesh, tissue->pressure, true);
    cg_springs_bend(springs, mesh, tissue->pierced, true, damping);
    memset(springs->ground, 0, ((size_t)mesh->node_count + 1) * sizeof *springs->ground);
    add_grips(tissue);
    complete_nodes(tissue);
    add_held_and_home(tissue);
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
        double still = SLEEP_SHARE * t->springs.shortest;
        step_sums own;
        sum_nodes(t, still, &own);
        sums.is_restless = sums.is_restless || own.is_restless || !(own.fastest * t->time_step <= still);
        sums.is_moving = sums.is_moving || has_way_to_go(t);
        sums.largest_force = own.largest_force > sums.largest_force ? own.largest_force : sums.largest_force;
        sums.fastest = own.fastest > sums.fastest ? own.fastest : sums.fastest;
        sums.check += own.check;
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

#define NARROW4(v) __builtin_convertvector(v, cg_float4)

// Hands forces and motions to the solver, in units that make the largest about 1.
CG_WIDE_BODY void begin_solve_of_body(cg_tissue *tissue, double scale, double speed_scale)
{
    cg_springs *springs = &tissue->springs;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        cg_double4 force = scale * FORCE4(tissue, i), coast = speed_scale * VECTOR4(tissue->velocity[i]);
        springs->first_residual[i] = springs->residual[i] = NARROW4(force);
        springs->coast[i] = NARROW4(coast);
    }
}
CG_WIDE_PAIR(static, begin_solve_of, (cg_tissue * tissue, double scale, double speed_scale),
             (tissue, scale, speed_scale))

static void begin_solve(cg_tissue *tissue, const step_sums *sums)
{
    cg_springs *springs = &tissue->springs;
    const cg_mesh *mesh = tissue->mesh;
    double scale = tissue->scale = power_below(sums->largest_force);
    begin_solve_of(tissue, scale, sums->fastest > 0 ? power_below(sums->fastest) : 0);
    memset(springs->move, 0, (size_t)mesh->node_count * sizeof *springs->move);
    for (int i = 0; i < mesh->node_count; i++) {
        if (mesh->fixed[i]) {
            springs->move[i] = cg_pack(scale, v3_sub(tissue->target[i], mesh->position[i]));
            springs->coast[i] = cg_all4(0);
        }
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

// True when forces have come or gone that would move a node farther than what sleeping allows.
static bool has_news(const cg_tissue *tissue)
{
    const cg_springs *springs = &tissue->springs;
    double still = SLEEP_SHARE * springs->shortest;
    for (int i = 0; i < tissue->mesh->node_count && (tissue->was_added || tissue->has_held); i++) {
        cg_vec3 now = tissue->was_added ? tissue->added[i] : v3_zero();
        double news = largest_of(tissue->has_held ? v3_sub(now, tissue->held[i]) : now);
        if (!tissue->mesh->fixed[i] && !(news <= still * ((double)springs->ground[i] + springs->own_stiffness[i]))) {
            return true;
        }
    }
    return false;
}

void cg_tissue_answer_implicit(cg_tissue *island)
{
    bool is_new = false;
    for (const cg_tissue *t = island; t != NULL; t = t->next_joined) {
        is_new = is_new || has_news(t);
    }
    if (is_new && !island->is_refused) {
        solve_on(island);
    }
}

// The square of how far the node goes that goes furthest, in the solver's units; not a number when one is not.
CG_WIDE_BODY void find_furthest_body(const cg_springs *springs, double *furthest)
{
    cg_float8 largest = {0, 0, 0, 0, 0, 0, 0, 0}, check = largest;
    for (int i = 0; i < springs->node_count; i += 2) {
        cg_float8 m = *(const cg_float8 *)&springs->move[i], square = m * m;
        square = CG_SUM3_OF_8(square);
        largest = CG_LARGER_OF_8(square, largest);
        check += 0.0F * square;
    }
    *furthest = (double)((largest[0] < largest[4] ? largest[4] : largest[0]) + (check[0] + check[4]));
}
CG_WIDE_PAIR(static, find_furthest, (const cg_springs *springs, double *furthest), (springs, furthest))

// [m]
static double furthest_move(const cg_tissue *tissue)
{
    double square;
    find_furthest(&tissue->springs, &square);
    return sqrt(square) / tissue->scale;
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
        for (int s = 4 * springs->first_four[row]; s < 4 * springs->first_four[row + 1]; s++) {
            cg_float4 apart = here - springs->move[cg_end_node(springs->end[s])];
            double rest = springs->fours[s / 4].rest[s % 4];
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
    double furthest = tissue->furthest = furthest_move(tissue), share = 1, apart = 2 * furthest / springs->shortest;
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

double cg_tissue_apart_share(const cg_tissue *island)
{
    double share = 1;
    for (const cg_tissue *t = island; t != NULL && !island->is_resting && !island->is_refused; t = t->next_joined) {
        double shortest = t->springs.shortest;
        if (shortest > 0 && 2 * furthest_move(t) / shortest > HARMLESS_APART) {
            double apart = furthest_apart(t), part = apart > MOST_APART ? MOST_APART / apart : 1;
            share = part < share ? part : share;
        }
    }
    return share;
}

// Moves some free nodes, and tells the square of the largest speed. Fixed ones are moved, too, and mended later.
CG_WIDE_BODY void move_block_body(cg_tissue *tissue, double share, int first, int end, double *square)
{
    double back = 1 / tissue->scale, rate = share / tissue->time_step;
    cg_double4 fastest = {0, 0, 0, 0};
    for (int i = first; i < end; i++) {
        cg_double4 move = back * __builtin_convertvector(tissue->springs.move[i], cg_double4), velocity = rate * move;
        cg_vec3 *position = &tissue->mesh->position[i];
        cg_double4 place = VECTOR4(*position) + share * move, speed = velocity * velocity;
        speed = CG_SUM3_OF_4(speed);
        fastest = CG_LARGER_OF_4(speed, fastest);
        tissue->velocity[i] = v3(velocity[0], velocity[1], velocity[2]);
        *position = v3(place[0], place[1], place[2]);
    }
    *square = largest_of(v3(fastest[0], fastest[1], fastest[2]));
}
CG_WIDE_PAIR(static, move_block, (cg_tissue * tissue, double share, int first, int end, double *square),
             (tissue, share, first, end, square))

// Fixed nodes go straight to their targets, and feel what is missing in their rows.
static void move_fixed(cg_tissue *tissue, double share, int node, cg_vec3 before)
{
    const cg_springs *springs = &tissue->springs;
    double back = 1 / tissue->scale;
    cg_float4 change = springs->residual[node] - springs->first_residual[node];
    cg_vec3 during = v3(back * (double)change[0], back * (double)change[1], back * (double)change[2]);
    tissue->reaction[node] = cg_tissue_known_reaction(v3_add(force_on(tissue, node), during));
    cg_vec3 target = tissue->target[node];
    tissue->mesh->position[node] = share == 1 ? target : v3_add_scaled(before, share, v3_sub(target, before));
}

static void move_nodes(cg_tissue *tissue, double share)
{
    int count = tissue->mesh->node_count;
    double fastest = 0;
    memset(tissue->reaction, 0, (size_t)count * sizeof *tissue->reaction);
    for (int first = 0; first < count; first += CG_TISSUE_BLOCK) {
        int end = first + CG_TISSUE_BLOCK < count ? first + CG_TISSUE_BLOCK : count;
        double square;
        move_block(tissue, share, first, end, &square);
        tissue->travel[first / CG_TISSUE_BLOCK] += sqrt(square) * tissue->time_step * (1 + 1e-6);
        fastest = square > fastest ? square : fastest;
    }
    for (int i = 0; i < count; i++) {
        if (tissue->mesh->fixed[i]) {
            move_fixed(tissue, share, i, cg_wide_point(tissue->springs.place[i]));
        }
    }
    // Rounded up: no node is faster.
    tissue->fastest = sqrt(fastest) * (1 + 1e-15);
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
        has_changed = has_changed || (!t->is_answered && (t->was_added || t->has_held));
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
    bool has_gained = false;
    if (tissue->share > 0) {
        bool may_gain = cg_tissue_may_gain(tissue, tissue->furthest);
        double before = may_gain ? cg_tissue_energy_at(tissue, tissue->springs.place, tissue->mesh->position) : 0;
        move_nodes(tissue, tissue->share);
        has_gained = may_gain && cg_tissue_take_gain(tissue, before);
    } else {
        stand_still(tissue);
    }
    const cg_solve *solve = tissue->island != NULL ? &tissue->island->solve : &tissue->solve;
    tissue->stats.iterations = solve->iterations;
    tissue->stats.residual = solve->share;
    tissue->stats.share = tissue->share;
    tissue->stats.shortened_steps += tissue->share < 1 || has_gained;
}
