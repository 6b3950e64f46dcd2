// Cloth of Shi 2008, 5.3: a grid of equal masses and equal springs, moved by an implicit step whose matrix is never
// solved but filtered with two terms of its Neumann series. Every function here is a phase of the step as one of many
// lanes does it: the same source is compiled for processors and for graphics processors (gpu/), so it keeps to what C
// and C++ share, takes nothing but its arguments, and ends at every place where all lanes must have arrived.
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
enum { CG_CLOTH_PHASES = 7 };
// Sums over a row of nodes.
enum { CG_CLOTH_SUMS = 8 };

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
    cg_vec3 *row_sums;                 // CG_CLOTH_SUMS for each row
    cg_vec3 *sums;                     // CG_CLOTH_SUMS
} cg_cloth;

// Nodes and numbers of scratch that cg_cloth_place deals out.
static inline long cg_cloth_scratch_vectors(const cg_cloth_law *law)
{
    long nodes = (long)law->columns * law->rows;
    return 5 * nodes + (long)CG_CLOTH_SUMS * (law->rows + 1);
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
    cloth->row_sums = vectors + 5 * nodes;
    cloth->sums = cloth->row_sums + (long)CG_CLOTH_SUMS * law->rows;
    cloth->inverse = numbers;
    cloth->firm = numbers + nodes;
    cloth->standing = numbers + 2 * nodes;
}

// A walk of one lane over its nodes.
typedef struct cg_cloth_walk {
    int node, column, row;
    int lanes, columns_on, rows_on;
} cg_cloth_walk;

static inline cg_cloth_walk cg_cloth_walk_from(const cg_cloth_law *law, int lane, int lanes)
{
    cg_cloth_walk walk;
    walk.node = lane;
    walk.row = lane / law->columns;
    walk.column = lane - walk.row * law->columns;
    walk.lanes = lanes;
    walk.rows_on = lanes / law->columns;
    walk.columns_on = lanes - walk.rows_on * law->columns;
    return walk;
}

static inline void cg_cloth_walk_on(const cg_cloth_law *law, cg_cloth_walk *walk)
{
    walk->node += walk->lanes;
    walk->row += walk->rows_on;
    walk->column += walk->columns_on;
    if (walk->column >= law->columns) {
        walk->column -= law->columns;
        walk->row++;
    }
}

// The neighbours of a node: eight places of which some are none. Even places lie along the axes.
static inline bool cg_cloth_has_neighbour(const cg_cloth_law *law, const cg_cloth_walk *at, int k, int *neighbour)
{
    // right, right up, up, left up, left, left down, down, right down: steps as two bits each, plus one
    int right = (int)(0x901Au >> (2 * k) & 3u) - 1, up = (int)(0x01A9u >> (2 * k) & 3u) - 1;
    int column = at->column + right, row = at->row + up;
    *neighbour = at->node + right + up * law->columns;
    bool is_inside = column >= 0 && column < law->columns && row >= 0 && row < law->rows;
    return is_inside && (k % 2 == 0 || ((at->column + at->row) & 1) == law->odd);
}

static inline double cg_cloth_rest(const cg_cloth_law *law, int k)
{
    return k % 2 != 0 ? law->slant : (k % 4 == 0 ? law->across : law->along);
}

// Forces, and what a node would do by itself.
static inline void cg_cloth_feel(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lanes)
{
    int count = law->columns * law->rows;
    double rate = law->step / law->mass, viscous = law->step * law->stiffness;
    double s = rate * (law->step + law->damping) * law->stiffness;
    for (cg_cloth_walk at = cg_cloth_walk_from(law, lane, lanes); at.node < count; cg_cloth_walk_on(law, &at)) {
        int i = at.node;
        if (cloth->fixed != NULL && cloth->fixed[i]) {
            cloth->answer[i] = cloth->force[i] = cloth->filtered[i] = v3_zero();
            cloth->inverse[i] = cloth->firm[i] = cloth->standing[i] = 0;
            continue;
        }
        cg_vec3 x = cloth->place[i], v = cloth->velocity[i], dragged = v3_zero();
        cg_vec3 force = v3_scale(law->mass, law->gravity);
        if (cloth->push != NULL) {
            force = v3_add(force, cloth->push[i]);
        }
        int near = 0, held = 0;
        for (int k = 0; k < 8; k++) {
            int j;
            if (cg_cloth_has_neighbour(law, &at, k, &j)) {
                cg_vec3 way = v3_sub(cloth->place[j], x), apart = v3_sub(cloth->velocity[j], v);
                double length = v3_length(way), inverse = length > 0 ? 1 / length : 0;
                double pull = length - cg_cloth_rest(law, k) + law->damping * (v3_dot(way, apart) * inverse);
                force = v3_add_scaled(force, law->stiffness * pull * inverse, way);
                dragged = v3_add(dragged, apart);
                near++;
                held += cloth->fixed != NULL && cloth->fixed[j];
            }
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
        double firm = 1 + rate * ground, inverse = 1 / (firm + s * near);
        cg_vec3 f = v3_scale(rate, force);
        cloth->force[i] = f;
        cloth->inverse[i] = inverse;
        cloth->firm[i] = firm;
        cloth->standing[i] = firm + s * held;
        cloth->answer[i] = v3_scale(inverse, v3_add_scaled(f, rate * viscous, dragged));
    }
}

// W b.
static inline void cg_cloth_filter(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lanes)
{
    int count = law->columns * law->rows;
    double s = law->step / law->mass * (law->step + law->damping) * law->stiffness;
    for (cg_cloth_walk at = cg_cloth_walk_from(law, lane, lanes); at.node < count; cg_cloth_walk_on(law, &at)) {
        cg_vec3 sum = v3_zero();
        for (int k = 0; k < 8; k++) {
            int j;
            if (cg_cloth_has_neighbour(law, &at, k, &j)) {
                sum = v3_add(sum, cloth->answer[j]);
            }
        }
        cloth->filtered[at.node] = v3_add_scaled(cloth->answer[at.node], s * cloth->inverse[at.node], sum);
    }
}

// One node's part of a sum. Places are reckoned from that of the first node, so that little is lost far from the
// origin.
static inline cg_vec3 cg_cloth_term(const cg_cloth *cloth, int sum, int i)
{
    double p = cloth->firm[i], inverse = cloth->inverse[i];
    cg_vec3 r = v3_sub(cloth->place[i], cloth->place[0]);
    switch (sum) {
    case 0:
        return v3_scale(p, r);
    case 1:
        return v3(p * r.x * r.x, p * r.y * r.y, p * r.z * r.z);
    case 2:
        return v3(p * r.x * r.y, p * r.y * r.z, p * r.z * r.x);
    case 3:
        return inverse > 0 ? v3_scale(1 / inverse, cloth->answer[i]) : v3_zero();
    case 4:
        return v3_scale(cloth->standing[i], cloth->filtered[i]);
    case 5:
        return v3_cross(r, v3_add_scaled(cloth->force[i], -p, cloth->filtered[i]));
    case 6:
        return v3_add_scaled(cloth->force[i], -p, cloth->filtered[i]);
    default:
        return v3(p, cloth->standing[i], 0);
    }
}

// Rows, one lane a row and sum: in the order of their nodes, whatever the lanes.
static inline void cg_cloth_sum_rows(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lanes)
{
    for (int at = lane; at < CG_CLOTH_SUMS * law->rows; at += lanes) {
        int sum = at / law->rows, row = at - sum * law->rows;
        cg_vec3 total = v3_zero();
        for (int column = 0; column < law->columns; column++) {
            total = v3_add(total, cg_cloth_term(cloth, sum, row * law->columns + column));
        }
        cloth->row_sums[at] = total;
    }
}

static inline void cg_cloth_sum_all(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lanes)
{
    for (int sum = lane; sum < CG_CLOTH_SUMS; sum += lanes) {
        cg_vec3 total = v3_zero();
        for (int row = 0; row < law->rows; row++) {
            total = v3_add(total, cloth->row_sums[sum * law->rows + row]);
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
static inline void cg_cloth_go(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lanes)
{
    int count = law->columns * law->rows;
    cg_cloth_whole whole = cg_cloth_find_whole(law, cloth);
    for (int i = lane; i < count; i += lanes) {
        if (cloth->fixed == NULL || !cloth->fixed[i]) {
            cg_vec3 r = v3_sub(v3_sub(cloth->place[i], cloth->place[0]), whole.centre);
            cg_vec3 whole_motion = v3_add(whole.shift, v3_cross(whole.turn, r));
            cloth->velocity[i] = v3_add(cloth->velocity[i], v3_add(cloth->filtered[i], whole_motion));
        }
        cloth->ahead[0][i] = v3_add_scaled(cloth->place[i], law->step, cloth->velocity[i]);
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
    for (int k = 0; k < 8; k++) {
        int j;
        if (cg_cloth_has_neighbour(law, at, k, &j)) {
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

static inline void cg_cloth_draw(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lanes)
{
    int count = law->columns * law->rows;
    for (cg_cloth_walk at = cg_cloth_walk_from(law, lane, lanes); at.node < count; cg_cloth_walk_on(law, &at)) {
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

static inline void cg_cloth_land(const cg_cloth_law *law, const cg_cloth *cloth, int lane, int lanes)
{
    int count = law->columns * law->rows;
    double per_second = 1 / law->step;
    for (cg_cloth_walk at = cg_cloth_walk_from(law, lane, lanes); at.node < count; cg_cloth_walk_on(law, &at)) {
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
static inline void cg_cloth_phase(const cg_cloth_law *law, const cg_cloth *cloth, int phase, int lane, int lanes)
{
    switch (phase) {
    case 0:
        cg_cloth_feel(law, cloth, lane, lanes);
        break;
    case 1:
        cg_cloth_filter(law, cloth, lane, lanes);
        break;
    case 2:
        cg_cloth_sum_rows(law, cloth, lane, lanes);
        break;
    case 3:
        cg_cloth_sum_all(law, cloth, lane, lanes);
        break;
    case 4:
        cg_cloth_go(law, cloth, lane, lanes);
        break;
    case 5:
        cg_cloth_draw(law, cloth, lane, lanes);
        break;
    default:
        cg_cloth_land(law, cloth, lane, lanes);
        break;
    }
}

#endif
