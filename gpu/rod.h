// Free Kirchhoff threads: the implicit step of thread/motion.c for a straight, untwisted thread that nothing touches
// and that something pushes (to first order in time), with stretch and bending linearised as thread/assemble.c does,
// and the matrix eliminated from both ends towards two vertices in the middle (linalg/band.h). Nothing of the matrix is
// kept: a row is assembled when it is eliminated, from the places of five vertices.
//
// Thirty-two rods stand side by side, number by number, in the scratch of a group. Each has two lanes, one from the
// start and one from the finish; a lane walks its half in the order of elimination, k = 0 at its end. Of a row k are
// kept
//
//     next = A(k + 1, k) P^-1    second = A(k + 2, k) P^-1    y = P^-1 r        P the pivot block
//
// Phases of a step: begin; then for each pass eliminate, core, back, settle; then finish.
#ifndef CATGUT_GPU_ROD_H
#define CATGUT_GPU_ROD_H

#include "base/vec3.h"
#include "thread/bend.h"

enum { CG_RODS_A_GROUP = 32, CG_ROD_ROW = 21, CG_ROD_CARRY = 28, CG_ROD_PASS_PHASES = 4 };

typedef struct cg_rod_law {
    int vertices;    // 6 or more
    int passes;      // most of a step
    int all_passes;  // all of them are made, converged or not
    int is_held;     // its first vertex stays where it is
    double length;   // [m] of a segment at rest
    double stretch;  // [N] EA
    double bend;     // [N m2] EI
    double mass;     // [kg] of a vertex; half of it at the ends
    double step;     // [s]
    double drag;     // [1/s]
    cg_vec3 gravity; // [m/s2]
    cg_vec3 push;    // [N] on the last vertex
} cg_rod_law;

typedef struct cg_rod {
    cg_vec3 *place, *velocity;
    double *numbers; // of its place in the group; each number is CG_RODS_A_GROUP behind the one before
} cg_rod;

// Where things stand among the numbers of a rod.
typedef struct cg_rod_layout {
    int rows, start, pull, carry, state, count;
} cg_rod_layout;

// Numbers of the state: motion of the two middle vertices, what the lanes found, flags.
enum {
    CG_ROD_CORE = 0,
    CG_ROD_MISSED = 6,
    CG_ROD_PULLS = 9,
    CG_ROD_PASSES = 12,
    CG_ROD_DONE,
    CG_ROD_CAUTIOUS,
    CG_ROD_AGAIN,
    CG_ROD_ALL_PASSES,  // of all steps so far
    CG_ROD_MOST_PASSES, // of one of them
    CG_ROD_STATE
};

static inline cg_rod_layout cg_rod_lay_out(int vertices)
{
    cg_rod_layout at;
    at.rows = 0;
    at.start = CG_ROD_ROW * vertices;
    at.pull = at.start + 3 * vertices;
    at.carry = at.pull + vertices;
    at.state = at.carry + 2 * CG_ROD_CARRY;
    at.count = at.state + CG_ROD_STATE;
    return at;
}

static inline double *cg_rod_number(const cg_rod *rod, int at)
{
    return rod->numbers + (size_t)at * CG_RODS_A_GROUP;
}

static inline cg_vec3 cg_rod_read(const cg_rod *rod, int at)
{
    return v3(*cg_rod_number(rod, at), *cg_rod_number(rod, at + 1), *cg_rod_number(rod, at + 2));
}

static inline void cg_rod_write(const cg_rod *rod, int at, cg_vec3 v)
{
    *cg_rod_number(rod, at) = v.x;
    *cg_rod_number(rod, at + 1) = v.y;
    *cg_rod_number(rod, at + 2) = v.z;
}

// Vertices that a lane eliminates, and the number of its vertex k.
static inline int cg_rod_chain(const cg_rod_law *law, int side)
{
    int first = (law->vertices - 2) / 2;
    return side == 0 ? first : law->vertices - 2 - first;
}

static inline int cg_rod_vertex(const cg_rod_law *law, int side, int k)
{
    return side == 0 ? k : law->vertices - 1 - k;
}

static inline int cg_rod_segment(const cg_rod_law *law, int side, int k)
{
    return side == 0 ? k : law->vertices - 2 - k;
}

// A segment as bending sees it, and its length.
typedef struct cg_rod_span {
    bend_side side;
    double length;
} cg_rod_span;

static inline cg_rod_span cg_rod_span_of(cg_vec3 from, cg_vec3 to)
{
    cg_rod_span span;
    cg_vec3 way = v3_sub(to, from);
    span.length = v3_length(way);
    span.side.inverse = 1 / span.length;
    span.side.tangent = v3_scale(span.side.inverse, way);
    span.side.firmness = 1;
    return span;
}

// What is known of the rows to come: D and right-hand side of the next two, and what couples them.
typedef struct cg_rod_carry {
    double diagonal[6], next[9], after[6];
    cg_vec3 force, force_after;
} cg_rod_carry;

// xx xy xz yy yz zz as a full block.
static inline int cg_rod_entry(int row, int column)
{
    int low = row < column ? row : column, high = row < column ? column : row;
    return low == 0 ? high : low + high + 1;
}

// Inertia, drag and weight of a vertex.
static inline void cg_rod_add_vertex(const cg_rod_law *law, const cg_rod *rod, const cg_rod_layout *at, int i,
                                     double diagonal[6], cg_vec3 *force)
{
    bool is_end = i == 0 || i + 1 == law->vertices;
    double mass = is_end ? law->mass / 2 : law->mass, rate = 1 / law->step;
    double inertia = mass * (rate * rate), drag = mass * (law->drag * rate);
    cg_vec3 moved = v3_sub(rod->place[i], cg_rod_read(rod, at->start + 3 * i));
    cg_vec3 coasting = v3_scale(law->step, rod->velocity[i]);
    cg_vec3 applied = v3_scale(mass, law->gravity);
    applied = i + 1 == law->vertices ? v3_add(applied, law->push) : applied;
    *force = v3_add(*force, v3_add_scaled(v3_add_scaled(applied, inertia, v3_sub(coasting, moved)), -drag, moved));
    diagonal[0] += inertia + drag;
    diagonal[3] += inertia + drag;
    diagonal[5] += inertia + drag;
}

// Second derivative of the stretch of a segment, and its pull on the vertex before it.
static inline cg_vec3 cg_rod_stretch(const cg_rod_law *law, const cg_rod_span *span, double foreseen, bool cautious,
                                     double h[6])
{
    double k = law->stretch / law->length, tension = k * (span->length - law->length);
    double across = foreseen > 0 || !cautious ? foreseen * span->side.inverse : 0;
    cg_vec3 t = span->side.tangent, s = v3_scale(k - across, t);
    h[0] = across + s.x * t.x;
    h[1] = s.x * t.y;
    h[2] = s.x * t.z;
    h[3] = across + s.y * t.y;
    h[4] = s.y * t.z;
    h[5] = across + s.z * t.z;
    return v3_scale(tension, t);
}

// A pivot block: its unit triangle and inverse pivots. `weak` counts those that had to be raised.
typedef struct cg_rod_pivot {
    double yx, zx, zy, i0, i1, i2;
} cg_rod_pivot;

static inline double cg_rod_raised(double pivot, double least, int *weak)
{
    *weak += !(pivot > least);
    return pivot > least ? pivot : least;
}

static inline cg_rod_pivot cg_rod_factor(const double s[6], int *weak)
{
    cg_rod_pivot p;
    double least = (s[0] + s[3] + s[5]) / 2500000000000000; // a share of 4e-16
    p.i0 = 1 / cg_rod_raised(s[0], least, weak);
    p.yx = s[1] * p.i0;
    p.zx = s[2] * p.i0;
    p.i1 = 1 / cg_rod_raised(s[3] - p.yx * s[1], least, weak);
    double rest = s[4] - p.yx * s[2];
    p.zy = rest * p.i1;
    p.i2 = 1 / cg_rod_raised(s[5] - p.zx * s[2] - p.zy * rest, least, weak);
    return p;
}

// Three numbers times the inverse of the pivot block.
static inline cg_vec3 cg_rod_divide(const cg_rod_pivot *p, cg_vec3 b)
{
    double y1 = b.y - b.x * p->yx, y2 = b.z - b.x * p->zx - y1 * p->zy;
    double z = y2 * p->i2, y = y1 * p->i1 - z * p->zy, x = b.x * p->i0 - y * p->yx - z * p->zx;
    return v3(x, y, z);
}

static inline cg_vec3 cg_rod_row_of(const double block[9], int row)
{
    return v3(block[3 * row], block[3 * row + 1], block[3 * row + 2]);
}

// Takes the row with these blocks out of the rows to come, and keeps what solving needs at `to`.
static inline void cg_rod_take_out(const cg_rod *rod, int to, const double diagonal[6], const double next[9],
                                   const double second[9], cg_vec3 force, cg_rod_carry *carry, int *weak)
{
    cg_rod_pivot pivot = cg_rod_factor(diagonal, weak);
    cg_vec3 n[3], s[3];
    for (int r = 0; r < 3; r++) {
        n[r] = cg_rod_divide(&pivot, cg_rod_row_of(next, r));
        s[r] = cg_rod_divide(&pivot, cg_rod_row_of(second, r));
        cg_rod_write(rod, to + 3 * r, n[r]);
        cg_rod_write(rod, to + 9 + 3 * r, s[r]);
    }
    cg_rod_write(rod, to + 18, cg_rod_divide(&pivot, force));
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            cg_vec3 column = cg_rod_row_of(next, c);
            if (r <= c) {
                carry->diagonal[cg_rod_entry(r, c)] -= v3_dot(n[r], column);
                carry->after[cg_rod_entry(r, c)] -= v3_dot(s[r], cg_rod_row_of(second, c));
            }
            carry->next[3 * r + c] -= v3_dot(s[r], column);
        }
    }
    carry->force = v3_sub(carry->force, v3(v3_dot(n[0], force), v3_dot(n[1], force), v3_dot(n[2], force)));
    carry->force_after = v3_sub(carry->force_after, v3(v3_dot(s[0], force), v3_dot(s[1], force), v3_dot(s[2], force)));
}

static inline void cg_rod_clear(double *numbers, int count)
{
    for (int e = 0; e < count; e++) {
        numbers[e] = 0;
    }
}

// The row of vertex k, from what is carried, its segment to the next and the joint behind that; what these give the
// rows to come goes into `carry`.
static inline void cg_rod_assemble(const double h[6], cg_vec3 pull, const bend_response *bend, cg_rod_carry *carry,
                                   double diagonal[6], double next[9], double second[9], cg_vec3 *force)
{
    cg_rod_carry ahead;
    *force = v3_add(carry->force, v3_add(pull, bend->gradient0));
    for (int e = 0; e < 6; e++) {
        diagonal[e] = carry->diagonal[e] + h[e] + bend->h00[e];
        ahead.after[e] = bend->h11[e];
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            int e = 3 * r + c, full = cg_rod_entry(r, c);
            next[e] = carry->next[e] - h[full] + (bend->h10[e] - bend->h00[full]);
            second[e] = -bend->h10[e];
            ahead.next[e] = bend->h10[e] - bend->h11[full];
            if (r <= c) {
                double both = bend->h10[3 * r + c] + bend->h10[3 * c + r];
                ahead.diagonal[full] = carry->after[full] + h[full] + (bend->h00[full] + bend->h11[full] - both);
            }
        }
    }
    ahead.force = v3_add(v3_sub(carry->force_after, pull), v3_sub(bend->gradient1, bend->gradient0));
    ahead.force_after = v3_neg(bend->gradient1);
    *carry = ahead;
}

static inline void cg_rod_eliminate(const cg_rod_law *law, const cg_rod *rod, int side)
{
    cg_rod_layout at = cg_rod_lay_out(law->vertices);
    bool cautious = *cg_rod_number(rod, at.state + CG_ROD_CAUTIOUS) > 0;
    int chain = cg_rod_chain(law, side), weak = 0;
    cg_rod_carry carry;
    cg_rod_clear(carry.diagonal, 6);
    cg_rod_clear(carry.next, 9);
    cg_rod_clear(carry.after, 6);
    carry.force = carry.force_after = v3_zero();
    cg_vec3 here = rod->place[cg_rod_vertex(law, side, 1)];
    cg_rod_span span = cg_rod_span_of(rod->place[cg_rod_vertex(law, side, 0)], here);
    for (int k = 0; k < chain; k++) {
        int i = cg_rod_vertex(law, side, k);
        cg_vec3 there = rod->place[cg_rod_vertex(law, side, k + 2)], force;
        cg_rod_span ahead = cg_rod_span_of(here, there);
        double h[6], diagonal[6], next[9], second[9];
        cg_vec3 pull =
            cg_rod_stretch(law, &span, *cg_rod_number(rod, at.pull + cg_rod_segment(law, side, k)), cautious, h);
        bend_response bend = bend_straight(law->bend / law->length, span.side, ahead.side, !cautious);
        cg_rod_assemble(h, pull, &bend, &carry, diagonal, next, second, &force);
        cg_rod_add_vertex(law, rod, &at, i, diagonal, &force);
        if (law->is_held && i == 0) {
            cg_rod_clear(diagonal, 6);
            cg_rod_clear(next, 9);
            cg_rod_clear(second, 9);
            diagonal[0] = diagonal[3] = diagonal[5] = 1;
            force = v3_zero();
        }
        cg_rod_take_out(rod, at.rows + CG_ROD_ROW * i, diagonal, next, second, force, &carry, &weak);
        span = ahead;
        here = there;
    }
    int to = at.carry + side * CG_ROD_CARRY;
    for (int e = 0; e < 9; e++) {
        if (e < 6) {
            *cg_rod_number(rod, to + e) = carry.diagonal[e];
            *cg_rod_number(rod, to + 15 + e) = carry.after[e];
        }
        *cg_rod_number(rod, to + 6 + e) = carry.next[e];
    }
    cg_rod_write(rod, to + 21, carry.force);
    cg_rod_write(rod, to + 24, carry.force_after);
    *cg_rod_number(rod, to + 27) = weak;
}

// What a segment will miss of its length, and the pull that it is led to: of thread/motion.c's lengths_are_foreseen.
static inline void cg_rod_foresee(const cg_rod_law *law, const cg_rod *rod, int pull_at, const cg_rod_span *span,
                                  cg_vec3 change, double *missed, double *most)
{
    double k = law->stretch / law->length, along = v3_dot(span->side.tangent, change), ahead = span->length + along;
    double across = v3_dot(change, change) - along * along, miss = k * across / (2 * fabs(ahead));
    double pull = k * (ahead - law->length);
    *missed = miss > *missed ? miss : *missed;
    *most = fabs(pull) > *most ? fabs(pull) : *most;
    *cg_rod_number(rod, pull_at) = pull;
}

// The two vertices in the middle, by the lane of the start.
static inline void cg_rod_solve_core(const cg_rod_law *law, const cg_rod *rod)
{
    cg_rod_layout at = cg_rod_lay_out(law->vertices);
    bool cautious = *cg_rod_number(rod, at.state + CG_ROD_CAUTIOUS) > 0;
    int c = cg_rod_chain(law, 0), start = at.carry, finish = at.carry + CG_ROD_CARRY;
    int weak = *cg_rod_number(rod, start + 27) + *cg_rod_number(rod, finish + 27) > 0;
    cg_rod_span span = cg_rod_span_of(rod->place[c], rod->place[c + 1]);
    double h[6], first[6], last[6], next[9];
    cg_vec3 pull = cg_rod_stretch(law, &span, *cg_rod_number(rod, at.pull + c), cautious, h);
    cg_vec3 force = v3_add(v3_add(cg_rod_read(rod, start + 21), cg_rod_read(rod, finish + 24)), pull);
    cg_vec3 force_last = v3_sub(v3_add(cg_rod_read(rod, start + 24), cg_rod_read(rod, finish + 21)), pull);
    for (int e = 0; e < 6; e++) {
        first[e] = *cg_rod_number(rod, start + e) + *cg_rod_number(rod, finish + 15 + e) + h[e];
        last[e] = *cg_rod_number(rod, start + 15 + e) + *cg_rod_number(rod, finish + e) + h[e];
    }
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            next[3 * r + k] = *cg_rod_number(rod, start + 6 + 3 * r + k) + *cg_rod_number(rod, finish + 6 + 3 * k + r) -
                              h[cg_rod_entry(r, k)];
        }
    }
    cg_rod_add_vertex(law, rod, &at, c, first, &force);
    cg_rod_add_vertex(law, rod, &at, c + 1, last, &force_last);
    cg_rod_pivot pivot = cg_rod_factor(first, &weak);
    cg_vec3 n[3];
    for (int r = 0; r < 3; r++) {
        n[r] = cg_rod_divide(&pivot, cg_rod_row_of(next, r));
    }
    for (int r = 0; r < 3; r++) {
        for (int k = r; k < 3; k++) {
            last[cg_rod_entry(r, k)] -= v3_dot(n[r], cg_rod_row_of(next, k));
        }
    }
    force_last = v3_sub(force_last, v3(v3_dot(n[0], force), v3_dot(n[1], force), v3_dot(n[2], force)));
    cg_rod_pivot pivot_last = cg_rod_factor(last, &weak);
    cg_vec3 move_last = cg_rod_divide(&pivot_last, force_last), move = cg_rod_divide(&pivot, force);
    move = v3_sub(move, v3(n[0].x * move_last.x + n[1].x * move_last.y + n[2].x * move_last.z,
                           n[0].y * move_last.x + n[1].y * move_last.y + n[2].y * move_last.z,
                           n[0].z * move_last.x + n[1].z * move_last.y + n[2].z * move_last.z));
    // the exact matrix where it is positive; where it is not, all is made again with the cautious one
    bool again = weak > 0 && !cautious;
    *cg_rod_number(rod, at.state + CG_ROD_AGAIN) = again;
    if (again) {
        *cg_rod_number(rod, at.state + CG_ROD_CAUTIOUS) = 1;
        return;
    }
    cg_rod_write(rod, at.state + CG_ROD_CORE, move);
    cg_rod_write(rod, at.state + CG_ROD_CORE + 3, move_last);
    double missed = 0, most = 0;
    cg_rod_foresee(law, rod, at.pull + c, &span, v3_sub(move_last, move), &missed, &most);
    *cg_rod_number(rod, at.state + CG_ROD_MISSED + 2) = missed;
    *cg_rod_number(rod, at.state + CG_ROD_PULLS + 2) = most;
}

// From the middle outwards: each lane moves the vertices of its half.
static inline void cg_rod_go_back(const cg_rod_law *law, const cg_rod *rod, int side)
{
    cg_rod_layout at = cg_rod_lay_out(law->vertices);
    if (*cg_rod_number(rod, at.state + CG_ROD_AGAIN) > 0) {
        return;
    }
    int chain = cg_rod_chain(law, side), i = cg_rod_vertex(law, side, chain);
    cg_vec3 next = cg_rod_read(rod, at.state + CG_ROD_CORE + 3 * side);
    cg_vec3 second = cg_rod_read(rod, at.state + CG_ROD_CORE + 3 * (1 - side)), before = rod->place[i];
    double missed = 0, most = 0;
    rod->place[i] = v3_add(before, next);
    for (int k = chain - 1; k >= 0; k--) {
        i = cg_rod_vertex(law, side, k);
        int row = at.rows + CG_ROD_ROW * i;
        cg_vec3 move = cg_rod_read(rod, row + 18), here = rod->place[i];
        move = v3_add_scaled(move, -next.x, cg_rod_read(rod, row));
        move = v3_add_scaled(move, -next.y, cg_rod_read(rod, row + 3));
        move = v3_add_scaled(move, -next.z, cg_rod_read(rod, row + 6));
        move = v3_add_scaled(move, -second.x, cg_rod_read(rod, row + 9));
        move = v3_add_scaled(move, -second.y, cg_rod_read(rod, row + 12));
        move = v3_add_scaled(move, -second.z, cg_rod_read(rod, row + 15));
        cg_rod_span span = cg_rod_span_of(here, before);
        cg_rod_foresee(law, rod, at.pull + cg_rod_segment(law, side, k), &span, v3_sub(next, move), &missed, &most);
        rod->place[i] = v3_add(here, move);
        second = next;
        next = move;
        before = here;
    }
    *cg_rod_number(rod, at.state + CG_ROD_MISSED + side) = missed;
    *cg_rod_number(rod, at.state + CG_ROD_PULLS + side) = most;
}

static inline double cg_rod_largest(const cg_rod *rod, int at)
{
    double a = *cg_rod_number(rod, at), b = *cg_rod_number(rod, at + 1), c = *cg_rod_number(rod, at + 2);
    double most = a > b ? a : b;
    return most > c ? most : c;
}

static inline void cg_rod_settle(const cg_rod_law *law, const cg_rod *rod)
{
    cg_rod_layout at = cg_rod_lay_out(law->vertices);
    double *passes = cg_rod_number(rod, at.state + CG_ROD_PASSES);
    if (*cg_rod_number(rod, at.state + CG_ROD_AGAIN) > 0) {
        return;
    }
    *passes += 1;
    double missed = cg_rod_largest(rod, at.state + CG_ROD_MISSED), most = cg_rod_largest(rod, at.state + CG_ROD_PULLS);
    double small = law->stretch / 1000000, share = most / 100;
    bool is_settled = !law->all_passes && missed < (share > small ? share : small);
    *cg_rod_number(rod, at.state + CG_ROD_DONE) = is_settled || *passes >= law->passes;
}

static inline bool cg_rod_is_done(const cg_rod_law *law, const cg_rod *rod)
{
    cg_rod_layout at = cg_rod_lay_out(law->vertices);
    return *cg_rod_number(rod, at.state + CG_ROD_DONE) > 0;
}

// The half of the vertices that a lane copies at the start and the end of a step.
static inline void cg_rod_begin(const cg_rod_law *law, const cg_rod *rod, int side)
{
    cg_rod_layout at = cg_rod_lay_out(law->vertices);
    for (int k = 0; k <= cg_rod_chain(law, side); k++) {
        int i = cg_rod_vertex(law, side, k);
        cg_rod_write(rod, at.start + 3 * i, rod->place[i]);
    }
    for (int i = side; i + 1 < law->vertices; i += 2) {
        double length = v3_distance(rod->place[i], rod->place[i + 1]);
        *cg_rod_number(rod, at.pull + i) = law->stretch / law->length * (length - law->length);
    }
    for (int e = CG_ROD_PASSES; side == 0 && e <= CG_ROD_AGAIN; e++) {
        *cg_rod_number(rod, at.state + e) = 0;
    }
}

static inline void cg_rod_finish(const cg_rod_law *law, const cg_rod *rod, int side)
{
    cg_rod_layout at = cg_rod_lay_out(law->vertices);
    for (int k = 0; k <= cg_rod_chain(law, side); k++) {
        int i = cg_rod_vertex(law, side, k);
        cg_vec3 way = v3_sub(rod->place[i], cg_rod_read(rod, at.start + 3 * i));
        rod->velocity[i] = v3_scale(1 / law->step, way);
    }
    double passes = *cg_rod_number(rod, at.state + CG_ROD_PASSES);
    double *all = cg_rod_number(rod, at.state + CG_ROD_ALL_PASSES);
    double *most = cg_rod_number(rod, at.state + CG_ROD_MOST_PASSES);
    if (side == 0) {
        *all += passes;
        *most = passes > *most ? passes : *most;
    }
}

// Phase 0 begins, 1 to CG_ROD_PASS_PHASES are a pass, the next one finishes.
static inline void cg_rod_phase(const cg_rod_law *law, const cg_rod *rod, int phase, int side)
{
    bool is_pass = phase >= 1 && phase <= CG_ROD_PASS_PHASES;
    if (is_pass && cg_rod_is_done(law, rod) && phase != CG_ROD_PASS_PHASES) {
        return;
    }
    switch (phase) {
    case 0:
        cg_rod_begin(law, rod, side);
        break;
    case 1:
        cg_rod_eliminate(law, rod, side);
        break;
    case 2:
        if (side == 0) {
            cg_rod_solve_core(law, rod);
        }
        break;
    case 3:
        cg_rod_go_back(law, rod, side);
        break;
    case 4:
        if (side == 0 && !cg_rod_is_done(law, rod)) {
            cg_rod_settle(law, rod);
        }
        break;
    default:
        cg_rod_finish(law, rod, side);
        break;
    }
}

#endif
