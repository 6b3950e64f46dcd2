// Cloth of Shi 2008, 5.3: a grid of equal masses and equal springs, moved by an implicit step whose matrix is never
// solved but filtered with two terms of its Neumann series. Every function here is a phase of the step as one of many
// lanes does it: the same source is compiled for processors and for graphics processors (gpu/), so it keeps to
// what C and C++ share, takes nothing but its arguments, and ends at every place where all lanes must have arrived.
//
// Springs go along the axes of the grid and, from every second node, along both diagonals, so that a node has 2, 3, 4,
// 5 or 8 neighbours: H of (5.2). With s = h^2 k (1 + damping / h) / m and g what holds a node to the ground (a hand,
// drag)
//
//     A = 1 + G - s H/k     D its diagonal     W = 2 D^-1 - D^-1 A D^-1
//     y = D^-1 b            (W b)_i = y_i + s D_i^-1 (sum of y over the neighbours)
//
// Fixed nodes have y = 0. What two terms leave out, D^-1/2 (N^2 + N^3 + ...) D^-1/2 with N = 1 - D^-1/2 A D^-1/2, is
// positive, so the filter never pushes farther than the implicit step: it is stable wherever that is; and W b = 0 only
// where b = 0, so cloth comes to rest where the forces balance.
//
// A force that is the same everywhere is not made smaller by A, but by W. So the motion as a whole is put right: of all
// nodes by u, as A sees it, a = A 1; and of cloth that nothing fixes by a turn about its middle, for springs have no
// torque, but what W makes of them has. With p = 1 + g, f = b without the part of (5.1) that is no force between two
// nodes
//
//     u = (sum b - sum a W b) / sum a
//     w = (sum p (r^2 - r r^T))^-1 sum r x (f - p W b)        r from the centre, sum p r = 0
//
// Then nodes move, links that are too long are drawn together in two passes, each node by a share of what its links ask
// for (no order is needed), and nodes in the ball or below the floor are put on the surface; what that does across the
// surface is kept below friction times what it does along the normal.
#ifndef CATGUT_TISSUE_CLOTH_H
#define CATGUT_TISSUE_CLOTH_H

#include "base/vec3.h"

// Phases of a step.
enum { CG_CLOTH_PHASES = 8 };
// Sums over all nodes.
enum { CG_CLOTH_SUMS = 8 };

// The eight neighbours one after the other, not in a loop: their steps and lengths are constants then.
#if defined(__CUDACC__)
#define CG_CLOTH_UNROLL // it does so by itself
#elif defined(__clang__)
#define CG_CLOTH_UNROLL _Pragma("clang loop unroll(full)")
#else
#define CG_CLOTH_UNROLL _Pragma("GCC unroll 8")
#endif

// What a cloth is and what acts on it.
typedef struct cg_cloth_law {
    int columns, rows;     // of nodes
    int odd;               // diagonals start at nodes whose column plus row is odd (1) or even (0)
    double across, along;  // [m] rest length along a row, along a column
    double slant;          // [m] of a diagonal
    double stiffness;      // [N/m] of every spring
    double mass;           // [kg] of every node
    double step;           // [s]
    double damping;        // [s] of stretching, as in cg_tissue_def
    double drag;           // [1/s]
    double most_stretch;   // of a rest length; 0: any
    cg_vec3 gravity;       // [m/s2]
    cg_vec3 ball;          // [m] centre
    double ball_radius;    // [m] of the surface on which nodes lie; 0: there is none
    double floor;          // [m] height (z) on which nodes lie
    int has_floor;         //
    double friction;       // with both
    int has_fixed;         // some node is fixed
    int hand;              // the node that a hand holds; -1: none
    cg_vec3 hand_place;    // [m] where its tool is
    cg_vec3 hand_velocity; // [m/s]
    double hand_spring;    // [N/m] virtual coupling
    double hand_damper;    // [N s/m]
    int is_turned;         // the motion as a whole is put right; 0: as the filter leaves it, for comparison
} cg_cloth_law;

// Its arrays, one entry a node where nothing else is said.
typedef struct cg_cloth {
    cg_vec3 *place, *velocity;  // [m], [m/s]
    const unsigned char *fixed; // moves at its velocity, whatever pulls; NULL: none does
    const cg_vec3 *push;        // [N]; NULL: none
    const double *ground;       // [N/m] beside the hand; NULL: none. `push` has its force
    // within a step
    cg_vec3 *answer;                   // y
    cg_vec3 *force;                    // f h / m
    cg_vec3 *filtered;                 // W b
    cg_vec3 *ahead[2];                 // [m] places while links are drawn together
    double *inverse, *firm, *standing; // D^-1, p, a
    cg_vec3 *group_sums, *bundle_sums; // CG_CLOTH_SUMS for each group of nodes, and of groups
    cg_vec3 *sums;                     // CG_CLOTH_SUMS
    cg_vec3 *hand_force;               // [N] one: of the hand in the step
} cg_cloth;

// Nodes and numbers of scratch that cg_cloth_place deals out.
static inline long cg_cloth_scratch_vectors(const cg_cloth_law *law)
{
    long nodes = (long)law->columns * law->rows;
    return 5 * nodes + (long)CG_CLOTH_SUMS * (nodes / 2 + nodes / 4 + 4) + 1;
}

static inline long cg_cloth_scratch_numbers(const cg_cloth_law *law)
{
    return 3L * law->columns * law->rows;
}

static inline void cg_cloth_deal(const cg_cloth_law *law, cg_cloth *cloth, cg_vec3 *vectors, double *numbers)
{
    long nodes = (long)law->columns * law->rows;
    cloth->answer = vectors;
    cloth->force = vectors + nodes;
    cloth->filtered = vectors + 2 * nodes;
    cloth->ahead[0] = vectors + 3 * nodes;
    cloth->ahead[1] = vectors + 4 * nodes;
    cloth->sums = vectors + 5 * nodes;
    cloth->hand_force = cloth->sums + CG_CLOTH_SUMS;
    cloth->group_sums = cloth->hand_force + 1;
    cloth->bundle_sums = cloth->group_sums + (long)CG_CLOTH_SUMS * (nodes / 2 + 1); // a group has 2 nodes or more
    cloth->inverse = numbers;
    cloth->firm = numbers + nodes;
    cloth->standing = numbers + 2 * nodes;
}

// A walk of one lane over its nodes.
typedef struct cg_cloth_walk {
    int node, column, row;
    int lane_count, columns_on, rows_on;
} cg_cloth_walk;

static inline cg_cloth_walk cg_cloth_walk_from(const cg_cloth_law *law, int lane, int lane_count)
{
    cg_cloth_walk walk;
    walk.node = lane;
    walk.row = lane / law->columns;
    walk.column = lane - walk.row * law->columns;
    walk.lane_count = lane_count;
    walk.rows_on = lane_count / law->columns;
    walk.columns_on = lane_count - walk.rows_on * law->columns;
    return walk;
}

static inline void cg_cloth_walk_on(const cg_cloth_law *law, cg_cloth_walk *walk)
{
    walk->node += walk->lane_count;
    walk->row += walk->rows_on;
    walk->column += walk->columns_on;
    if (walk->column >= law->columns) {
        walk->column -= law->columns;
        walk->row++;
    }
}

// The neighbours of a node: eight places of which some are none. Even places lie along the axes.
//
typedef struct cg_cloth_around {
    int there; // a bit for each place
} cg_cloth_around;

static inline cg_cloth_around cg_cloth_look(const cg_cloth_law *law, const cg_cloth_walk *at)
{
    // right, right up, up, left up, left, left down, down, right down
    cg_cloth_around around;
    around.there = ((at->column + at->row) & 1) == law->odd ? 0xff : 0x55;
    around.there &= at->column > 0 ? 0xff : ~0x38;
    around.there &= at->column + 1 < law->columns ? 0xff : ~0x83;
    around.there &= at->row > 0 ? 0xff : ~0xe0;
    around.there &= at->row + 1 < law->rows ? 0xff : ~0x0e;
    return around;
}

static inline bool cg_cloth_is_there(const cg_cloth_around *around, int k)
{
    return (around->there >> k & 1) != 0;
}

static inline int cg_cloth_step(const cg_cloth_law *law, int k)
{
    // two bits each, plus one
    int right = (int)(0x901Au >> (2 * k) & 3u) - 1, up = (int)(0x01A9u >> (2 * k) & 3u) - 1;
    return right + up * law->columns;
}

static inline double cg_cloth_rest(const cg_cloth_law *law, int k)
{
    return k % 2 != 0 ? law->slant : (k % 4 == 0 ? law->across : law->along);
}

// What the springs of a node do to it.
typedef struct cg_cloth_pull {
    cg_vec3 force;   // [N]
    cg_vec3 dragged; // [m/s] sum of what its neighbours are faster by
    int near, held;  // neighbours, and those that are fixed
} cg_cloth_pull;

static inline cg_cloth_pull cg_cloth_pull_at(const cg_cloth_law *law, const cg_cloth *cloth, const cg_cloth_walk *at)
{
    cg_cloth_pull pull;
    pull.force = pull.dragged = v3_zero();
    pull.near = pull.held = 0;
    cg_vec3 x = cloth->place[at->node], v = cloth->velocity[at->node];
    cg_cloth_around around = cg_cloth_look(law, at);
    CG_CLOTH_UNROLL
    for (int k = 0; k < 8; k++) {
        if (cg_cloth_is_there(&around, k)) {
            int j = at->node + cg_cloth_step(law, k);
            cg_vec3 way = v3_sub(cloth->place[j], x), apart = v3_sub(cloth->velocity[j], v);
            double length = v3_length(way), inverse = length > 0 ? 1 / length : 0;
            double longer = length - cg_cloth_rest(law, k) + law->damping * (v3_dot(way, apart) * inverse);
            pull.force = v3_add_scaled(pull.force, law->stiffness * longer * inverse, way);
            pull.dragged = v3_add(pull.dragged, apart);
            pull.near++;
            pull.held += cloth->fixed != NULL && cloth->fixed[j];
        }
    }
    return pull;
}

// Forces, and what a node would do by itself.
static inline void cg_cloth_feel(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lane_count)
{
    int count = law->columns * law->rows;
    double rate = law->step / law->mass, viscous = law->step * law->stiffness;
    double s = rate * (law->step + law->damping) * law->stiffness;
    for (cg_cloth_walk at = cg_cloth_walk_from(law, lane, lane_count); at.node < count; cg_cloth_walk_on(law, &at)) {
        int i = at.node;
        if (cloth->fixed != NULL && cloth->fixed[i]) {
            cloth->answer[i] = cloth->force[i] = cloth->filtered[i] = v3_zero();
            cloth->inverse[i] = cloth->firm[i] = cloth->standing[i] = 0;
            continue;
        }
        cg_cloth_pull pull = cg_cloth_pull_at(law, cloth, &at);
        cg_vec3 x = cloth->place[i], v = cloth->velocity[i];
        cg_vec3 force = v3_add_scaled(pull.force, law->mass, law->gravity);
        if (cloth->push != NULL) {
            force = v3_add(force, cloth->push[i]);
        }
        double ground = law->mass * law->drag;
        force = v3_add_scaled(force, -ground, v);
        if (i == law->hand) {
            cg_vec3 lag = v3_sub(law->hand_place, v3_add_scaled(x, law->step, v));
            force = v3_add_scaled(force, law->hand_spring, lag);
            force = v3_add_scaled(force, law->hand_damper, v3_sub(law->hand_velocity, v));
            ground = ground + law->step * law->hand_spring + law->hand_damper;
        }
        if (cloth->ground != NULL) {
            force = v3_add_scaled(force, -law->step * cloth->ground[i], v);
            ground = ground + law->step * cloth->ground[i];
        }
        double firm = 1 + rate * ground, inverse = 1 / (firm + s * pull.near);
        cg_vec3 f = v3_scale(rate, force);
        cloth->force[i] = f;
        cloth->inverse[i] = inverse;
        cloth->firm[i] = firm;
        cloth->standing[i] = firm + s * pull.held;
        cloth->answer[i] = v3_scale(inverse, v3_add_scaled(f, rate * viscous, pull.dragged));
    }
}

// W b.
static inline void cg_cloth_filter(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lane_count)
{
    int count = law->columns * law->rows;
    double s = law->step / law->mass * (law->step + law->damping) * law->stiffness;
    for (cg_cloth_walk at = cg_cloth_walk_from(law, lane, lane_count); at.node < count; cg_cloth_walk_on(law, &at)) {
        cg_vec3 sum = v3_zero();
        cg_cloth_around around = cg_cloth_look(law, &at);
        CG_CLOTH_UNROLL
        for (int k = 0; k < 8; k++) {
            if (cg_cloth_is_there(&around, k)) {
                sum = v3_add(sum, cloth->answer[at.node + cg_cloth_step(law, k)]);
            }
        }
        cloth->filtered[at.node] = v3_add_scaled(cloth->answer[at.node], s * cloth->inverse[at.node], sum);
    }
}

// Adds one node to all sums. Places are reckoned from that of the first node, so that little is lost far from the
// origin.
static inline void cg_cloth_add_node(const cg_cloth *cloth, int i, cg_vec3 sums[CG_CLOTH_SUMS])
{
    double p = cloth->firm[i], inverse = cloth->inverse[i], by_itself = inverse > 0 ? 1 / inverse : 0;
    cg_vec3 r = v3_sub(cloth->place[i], cloth->place[0]), filtered = cloth->filtered[i], pr = v3_scale(p, r);
    cg_vec3 missed = v3_add_scaled(cloth->force[i], -p, filtered);
    sums[0] = v3_add(sums[0], pr);
    sums[1] = v3_add(sums[1], v3(pr.x * r.x, pr.y * r.y, pr.z * r.z));
    sums[2] = v3_add(sums[2], v3(pr.x * r.y, pr.y * r.z, pr.z * r.x));
    sums[3] = v3_add_scaled(sums[3], by_itself, cloth->answer[i]);
    sums[4] = v3_add_scaled(sums[4], cloth->standing[i], filtered);
    sums[5] = v3_add(sums[5], v3_cross(r, missed));
    sums[6] = v3_add(sums[6], missed);
    sums[7] = v3_add(sums[7], v3(p, cloth->standing[i], 0));
}

// Sums are made in three levels of groups of this size, so that their bits do not depend on the lanes: of nodes, of
// those groups, of all. The third root of the number of nodes.
static inline int cg_cloth_group(const cg_cloth_law *law)
{
    int nodes = law->columns * law->rows, size = 2;
    while ((long)size * size * size < nodes) {
        size++;
    }
    return size;
}

static inline int cg_cloth_least(int a, int b)
{
    return a < b ? a : b;
}

static inline void cg_cloth_sum_nodes(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lane_count)
{
    int count = law->columns * law->rows, size = cg_cloth_group(law), groups = (count + size - 1) / size;
    for (int group = lane; group < groups; group += lane_count) {
        cg_vec3 sums[CG_CLOTH_SUMS];
        for (int k = 0; k < CG_CLOTH_SUMS; k++) {
            sums[k] = v3_zero();
        }
        int end = cg_cloth_least(count, (group + 1) * size);
        for (int i = group * size; i < end; i++) {
            cg_cloth_add_node(cloth, i, sums);
        }
        for (int k = 0; k < CG_CLOTH_SUMS; k++) {
            cloth->group_sums[k * groups + group] = sums[k];
        }
    }
}

// One lane a sum and group.
static inline void cg_cloth_sum_groups(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lane_count)
{
    int count = law->columns * law->rows, size = cg_cloth_group(law), groups = (count + size - 1) / size;
    int bundles = (groups + size - 1) / size;
    for (int at = lane; at < CG_CLOTH_SUMS * bundles; at += lane_count) {
        int sum = at / bundles, bundle = at - sum * bundles, end = cg_cloth_least(groups, (bundle + 1) * size);
        cg_vec3 total = v3_zero();
        for (int group = bundle * size; group < end; group++) {
            total = v3_add(total, cloth->group_sums[sum * groups + group]);
        }
        cloth->bundle_sums[at] = total;
    }
}

static inline void cg_cloth_sum_all(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lane_count)
{
    int count = law->columns * law->rows, size = cg_cloth_group(law), groups = (count + size - 1) / size;
    int bundles = (groups + size - 1) / size;
    for (int sum = lane; sum < CG_CLOTH_SUMS; sum += lane_count) {
        cg_vec3 total = v3_zero();
        for (int bundle = 0; bundle < bundles; bundle++) {
            total = v3_add(total, cloth->bundle_sums[sum * bundles + bundle]);
        }
        cloth->sums[sum] = total;
    }
}

// The motion of all as one piece.
typedef struct cg_cloth_whole {
    cg_vec3 shift, turn, centre; // [m/s], [1/s], [m] from the first node's place
} cg_cloth_whole;

static inline cg_vec3 cg_cloth_turn(const cg_cloth *cloth, cg_vec3 centre)
{
    const cg_vec3 *sums = cloth->sums;
    double weight = sums[7].x;
    // about the centre
    cg_vec3 torque = v3_sub(sums[5], v3_cross(centre, sums[6]));
    double xx = sums[1].x - weight * centre.x * centre.x, yy = sums[1].y - weight * centre.y * centre.y;
    double zz = sums[1].z - weight * centre.z * centre.z, xy = sums[2].x - weight * centre.x * centre.y;
    double yz = sums[2].y - weight * centre.y * centre.z, zx = sums[2].z - weight * centre.z * centre.x;
    double a = yy + zz, b = zz + xx, c = xx + yy;
    // the inverse of [a -xy -zx; -xy b -yz; -zx -yz c] by its cofactors
    double aa = b * c - yz * yz, ab = xy * c + yz * zx, ac = xy * yz + b * zx;
    double bb = a * c - zx * zx, bc = a * yz + xy * zx, cc = a * b - xy * xy;
    double size = a + b + c, determinant = a * aa - xy * ab - zx * ac;
    if (!(determinant * 1000000000 > size * size * size)) { // all in a line, or a point
        return v3_zero();
    }
    cg_vec3 turn = v3(aa * torque.x + ab * torque.y + ac * torque.z, ab * torque.x + bb * torque.y + bc * torque.z,
                      ac * torque.x + bc * torque.y + cc * torque.z);
    return v3_scale(1 / determinant, turn);
}

static inline cg_cloth_whole cg_cloth_find_whole(const cg_cloth_law *law, const cg_cloth *cloth)
{
    const cg_vec3 *sums = cloth->sums;
    cg_cloth_whole whole;
    whole.shift = whole.turn = whole.centre = v3_zero();
    if (!law->is_turned || !(sums[7].y > 0)) {
        return whole;
    }
    whole.shift = v3_scale(1 / sums[7].y, v3_sub(sums[3], sums[4]));
    if (!law->has_fixed) {
        whole.centre = v3_scale(1 / sums[7].x, sums[0]);
        whole.turn = cg_cloth_turn(cloth, whole.centre);
    }
    return whole;
}

// Velocities, and where the nodes go by them. Nobody reads a velocity of another node here.
static inline void cg_cloth_go(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lane_count)
{
    int count = law->columns * law->rows;
    cg_cloth_whole whole = cg_cloth_find_whole(law, cloth);
    for (int i = lane; i < count; i += lane_count) {
        if (cloth->fixed == NULL || !cloth->fixed[i]) {
            cg_vec3 r = v3_sub(v3_sub(cloth->place[i], cloth->place[0]), whole.centre);
            cg_vec3 whole_motion = v3_add(whole.shift, v3_cross(whole.turn, r));
            cloth->velocity[i] = v3_add(cloth->velocity[i], v3_add(cloth->filtered[i], whole_motion));
        }
        cloth->ahead[0][i] = v3_add_scaled(cloth->place[i], law->step, cloth->velocity[i]);
        if (i == law->hand) {
            // by the coupling at the end of the motion, as it was taken; what draws links together does not feel it
            cg_vec3 lag = v3_scale(law->hand_spring, v3_sub(law->hand_place, cloth->ahead[0][i]));
            cg_vec3 slower = v3_sub(law->hand_velocity, cloth->velocity[i]);
            *cloth->hand_force = v3_add_scaled(lag, law->hand_damper, slower);
        }
    }
}

// Where a node is drawn by those of its links that are too long. A quarter of the way: with eight links a node at most,
// two neighbours never change places.
static inline cg_vec3 cg_cloth_drawn(const cg_cloth_law *law, const cg_cloth *cloth, const cg_cloth_walk *at,
                                     const cg_vec3 *places)
{
    cg_vec3 x = places[at->node], drawn = x;
    if (!(law->most_stretch > 0) || (cloth->fixed != NULL && cloth->fixed[at->node])) {
        return x;
    }
    cg_cloth_around around = cg_cloth_look(law, at);
    CG_CLOTH_UNROLL
    for (int k = 0; k < 8; k++) {
        if (cg_cloth_is_there(&around, k)) {
            int j = at->node + cg_cloth_step(law, k);
            cg_vec3 way = v3_sub(places[j], x);
            double most = law->most_stretch * cg_cloth_rest(law, k), square = v3_dot(way, way);
            if (square > most * most) {
                double share = (1 - most / sqrt(square)) / 8;
                share = cloth->fixed != NULL && cloth->fixed[j] ? 2 * share : share;
                drawn = v3_add_scaled(drawn, share, way);
            }
        }
    }
    return drawn;
}

static inline void cg_cloth_draw(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lane_count)
{
    int count = law->columns * law->rows;
    for (cg_cloth_walk at = cg_cloth_walk_from(law, lane, lane_count); at.node < count; cg_cloth_walk_on(law, &at)) {
        cloth->ahead[1][at.node] = cg_cloth_drawn(law, cloth, &at, cloth->ahead[0]);
    }
}

// A node that came to be `depth` below a surface is put on it, and slides less on its way from `start`.
static inline cg_vec3 cg_cloth_put_on(cg_vec3 place, cg_vec3 start, cg_vec3 normal, double depth, double friction)
{
    cg_vec3 put = v3_add_scaled(place, depth, normal), way = v3_sub(put, start);
    cg_vec3 slide = v3_add_scaled(way, -v3_dot(way, normal), normal);
    double length = v3_length(slide), most = friction * depth;
    double share = length > most ? most / length : 1;
    return v3_add_scaled(put, -share, slide);
}

static inline cg_vec3 cg_cloth_outside(const cg_cloth_law *law, cg_vec3 place, cg_vec3 start)
{
    if (law->has_floor && place.z < law->floor) {
        place = cg_cloth_put_on(place, start, v3(0, 0, 1), law->floor - place.z, law->friction);
    }
    cg_vec3 out = v3_sub(place, law->ball);
    double square = v3_dot(out, out);
    if (square < law->ball_radius * law->ball_radius) {
        double length = sqrt(square);
        cg_vec3 normal = length > 0 ? v3_scale(1 / length, out) : v3(0, 0, 1);
        place = cg_cloth_put_on(place, start, normal, law->ball_radius - length, law->friction);
        // friction went along the plane that touches the ball
        out = v3_sub(place, law->ball);
        length = v3_length(out);
        if (length < law->ball_radius && length > 0) {
            place = v3_add_scaled(law->ball, law->ball_radius / length, out);
        }
    }
    return place;
}

static inline void cg_cloth_land(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lane_count)
{
    int count = law->columns * law->rows;
    double per_second = 1 / law->step;
    for (cg_cloth_walk at = cg_cloth_walk_from(law, lane, lane_count); at.node < count; cg_cloth_walk_on(law, &at)) {
        int i = at.node;
        cg_vec3 place = cg_cloth_drawn(law, cloth, &at, cloth->ahead[1]);
        if (cloth->fixed == NULL || !cloth->fixed[i]) {
            place = cg_cloth_outside(law, place, cloth->place[i]);
            cg_vec3 more = v3_sub(place, cloth->ahead[0][i]);
            cloth->velocity[i] = v3_add_scaled(cloth->velocity[i], per_second, more);
        }
        cloth->place[i] = place;
    }
}

// One phase of one lane; all lanes have to be through with it before any begins the next.
static inline void cg_cloth_phase(const cg_cloth_law *law, const cg_cloth *cloth, int phase, int lane, int lane_count)
{
    switch (phase) {
    case 0:
        cg_cloth_feel(law, cloth, lane, lane_count);
        break;
    case 1:
        cg_cloth_filter(law, cloth, lane, lane_count);
        break;
    case 2:
        cg_cloth_sum_nodes(law, cloth, lane, lane_count);
        break;
    case 3:
        cg_cloth_sum_groups(law, cloth, lane, lane_count);
        break;
    case 4:
        cg_cloth_sum_all(law, cloth, lane, lane_count);
        break;
    case 5:
        cg_cloth_go(law, cloth, lane, lane_count);
        break;
    case 6:
        cg_cloth_draw(law, cloth, lane, lane_count);
        break;
    default:
        cg_cloth_land(law, cloth, lane, lane_count);
        break;
    }
}

#endif
