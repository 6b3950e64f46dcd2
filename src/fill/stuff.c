// Isosurface stuffing on a lattice of two cubic grids (Labelle and Shewchuk, 2007).
//
// A point of one grid is in the middle of a cube of the other. Edges join a point to its six neighbours in its own grid
// (long ones, h) and to the eight corners of its cube in the other (short ones, 0.866 h); four points, two neighbours
// of each grid, are a tetrahedron. Where an edge crosses the surface it has a cut. A point with a cut very near moves
// onto it; then each tetrahedron is filled by the part of it that is inside, by one of a few stencils. What a stencil
// leaves open, the diagonals of faces with four corners, is chosen by rules that both cells at a face know.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "fill/stuff_parts.h"

// A cut nearer than this share of its edge moves the point: bounds of angles follow from the two.
#define NEAR_LONG 0.24999
#define NEAR_SHORT 0.41189
#define SHORT_EDGE 0.86602540378443865

// The neighbour of a point in one of 14 directions: 0 to 5 along the axes, 6 to 13 by the signs of the three.
void cg_stuff_neighbour(const int at[4], int direction, int other[4])
{
    memcpy(other, at, 4 * sizeof *other);
    if (direction < 6) {
        other[1 + direction / 2] += direction % 2 == 0 ? 1 : -1;
        return;
    }
    other[0] = 1 - at[0];
    for (int k = 0; k < 3; k++) {
        int up = (direction - 6) >> k & 1;
        other[1 + k] += at[0] == 0 ? up - 1 : up;
    }
}

static int opposite(int direction)
{
    return direction < 6 ? direction ^ 1 : 6 + (7 ^ (direction - 6));
}

static bool is_inner(const cg_fill_lattice *lattice, const int at[4])
{
    for (int k = 0; k < 3; k++) {
        if (at[1 + k] < 1 || at[1 + k] > lattice->n[k] - 2) {
            return false;
        }
    }
    return true;
}

// --- points with cuts ---

static bool add_point(struct cg_stuff *s, const int at[4], int index)
{
    if (s->point_count == s->point_room) {
        int room = s->point_room == 0 ? 1024 : 2 * s->point_room;
        if (!cg_memory_grow(s->allocator, (void **)&s->points, (size_t)s->point_count * sizeof *s->points,
                            (size_t)room * sizeof *s->points)) {
            return false;
        }
        s->point_room = room;
    }
    struct cg_stuff_point *point = &s->points[s->point_count];
    *point = (struct cg_stuff_point){.sign = s->inside[index] != 0 ? 1 : -1};
    memcpy(point->at, at, sizeof point->at);
    point->place = cg_fill_place(&s->lattice, at);
    for (int d = 0; d < 14; d++) {
        point->cuts[d] = -1;
    }
    s->point_of[index] = s->point_count++;
    return true;
}

static bool find_points(struct cg_stuff *s)
{
    int at[4], other[4], index = 0;
    for (at[0] = 0; at[0] < 2; at[0]++) {
        for (at[3] = 0; at[3] < s->lattice.n[2]; at[3]++) {
            for (at[2] = 0; at[2] < s->lattice.n[1]; at[2]++) {
                for (at[1] = 0; at[1] < s->lattice.n[0]; at[1]++, index++) {
                    bool has_cut = false;
                    for (int d = 0; d < 14 && !has_cut && is_inner(&s->lattice, at); d++) {
                        cg_stuff_neighbour(at, d, other);
                        has_cut = s->inside[cg_fill_point(&s->lattice, other)] != s->inside[index];
                    }
                    s->point_of[index] = -1;
                    if (has_cut && !add_point(s, at, index)) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

// How far a point is from the surface; asked once.
static double distance_of(struct cg_stuff *s, struct cg_stuff_point *point)
{
    if (!point->has_distance) {
        double h = s->lattice.h;
        point->distance = fmax(sqrt(cg_fill_nearest(s->tree, point->place, 4 * h * h)), 1e-6 * h);
        point->has_distance = true;
    }
    return point->distance;
}

// Where the surface crosses the way from p, which is inside of it, to q.
static double share_of_surface(struct cg_stuff *s, struct cg_stuff_point *p, struct cg_stuff_point *q)
{
    double to_p = distance_of(s, p), to_q = distance_of(s, q), length = v3_distance(p->place, q->place);
    if (to_p + to_q <= 1.6 * length) {
        return to_p / (to_p + to_q);
    }
    double low = 0, high = 1; // no triangle is near: the edge passes a hole
    for (int step = 0; step < 8; step++) {
        double middle = 0.5 * (low + high);
        cg_vec3 at = v3_add_scaled(p->place, middle, v3_sub(q->place, p->place));
        if (fabs(cg_fill_winding(s->tree, at)) > 0.5) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

static bool add_cut(struct cg_stuff *s, struct cg_stuff_point *a, struct cg_stuff_point *b, int direction)
{
    if (s->cut_count == s->cut_room) {
        int room = s->cut_room == 0 ? 4096 : 2 * s->cut_room;
        if (!cg_memory_grow(s->allocator, (void **)&s->cuts, (size_t)s->cut_count * sizeof *s->cuts,
                            (size_t)room * sizeof *s->cuts)) {
            return false;
        }
        s->cut_room = room;
    }
    struct cg_stuff_point *in = a->sign > 0 ? a : b, *out = a->sign > 0 ? b : a;
    bool leaves = s->lattice.inside[cg_fill_point(&s->lattice, out->at)] == 0;
    double share = leaves ? share_of_surface(s, in, out) : 1;
    double piece = cg_fill_leave_piece(s->def, in->place, out->place);
    bool is_piece = piece < share || !leaves;
    share = is_piece ? fmin(piece, 1) : share;
    s->cuts[s->cut_count] = (struct cg_stuff_cut){
        .place = v3_add_scaled(in->place, share, v3_sub(out->place, in->place)), .is_piece = is_piece, .node = -1};
    a->cuts[direction] = s->cut_count;
    b->cuts[opposite(direction)] = s->cut_count++;
    return true;
}

static bool find_cuts(struct cg_stuff *s)
{
    for (int i = 0; i < s->point_count; i++) {
        for (int d = 0; d < 14; d++) {
            int other[4];
            bool is_once = d < 6 ? d % 2 == 0 : s->points[i].at[0] == 0;
            cg_stuff_neighbour(s->points[i].at, d, other);
            int to = is_once ? s->point_of[cg_fill_point(&s->lattice, other)] : -1;
            if (to >= 0 && s->points[to].sign != s->points[i].sign && !add_cut(s, &s->points[i], &s->points[to], d)) {
                return false;
            }
        }
    }
    return true;
}

// Points with a cut very near move onto it; their other cuts are no more.
static void warp(struct cg_stuff *s)
{
    double h = s->lattice.h;
    for (int i = 0; i < s->point_count; i++) {
        struct cg_stuff_point *point = &s->points[i];
        int best = -1;
        double least = HUGE_VAL;
        for (int d = 0; d < 14; d++) {
            double far = point->cuts[d] < 0 ? HUGE_VAL : v3_distance(s->cuts[point->cuts[d]].place, point->place);
            if (far < (d < 6 ? NEAR_LONG * h : NEAR_SHORT * SHORT_EDGE * h) && far < least) {
                least = far;
                best = point->cuts[d];
            }
        }
        if (best < 0) {
            continue;
        }
        for (int d = 0; d < 14; d++) {
            int other[4];
            if (point->cuts[d] >= 0) {
                cg_stuff_neighbour(point->at, d, other);
                s->points[s->point_of[cg_fill_point(&s->lattice, other)]].cuts[opposite(d)] = -1;
                point->cuts[d] = -1;
            }
        }
        point->place = s->cuts[best].place;
        point->is_piece = s->cuts[best].is_piece;
        point->sign = 0;
    }
}

// --- the lattice ---

// Box of what is to be filled.
static void box_of(const cg_fill_shape *shape, const cg_fill_def *def, cg_vec3 *low, cg_vec3 *high)
{
    *low = shape->low;
    *high = shape->high;
    if (def->piece == CG_FILL_ALL) {
        return;
    }
    cg_vec3 half = def->piece == CG_FILL_BOX ? def->half : v3(def->radius, def->radius, def->radius);
    cg_vec3 a = v3_sub(def->centre, half), b = v3_add(def->centre, half);
    *low = v3(fmax(low->x, a.x), fmax(low->y, a.y), fmax(low->z, a.z));
    *high = v3(fmin(high->x, b.x), fmin(high->y, b.y), fmin(high->z, b.z));
}

static double steps_of(double length, double h)
{
    return length > 0 ? floor(length / h) + 5 : 5;
}

double cg_fill_lattice_points(const cg_fill_shape *shape, const cg_fill_def *def, double h)
{
    cg_vec3 low, high;
    box_of(shape, def, &low, &high);
    return 2 * steps_of(high.x - low.x, h) * steps_of(high.y - low.y, h) * steps_of(high.z - low.z, h);
}

static void lay_lattice(struct cg_stuff *s, double h)
{
    // beside the middle by odd shares, so that flat sides do not fall on points
    static const double aside[3] = {0.0137, 0.0071, 0.0219};
    cg_vec3 low, high, origin;
    box_of(s->tree->shape, s->def, &low, &high);
    s->lattice.h = h;
    s->lattice.n[0] = (int)steps_of(high.x - low.x, h);
    s->lattice.n[1] = (int)steps_of(high.y - low.y, h);
    s->lattice.n[2] = (int)steps_of(high.z - low.z, h);
    origin = v3_scale(0.5, v3_add(low, high));
    origin.x -= 0.5 * h * (s->lattice.n[0] - 0.5) - aside[0] * h;
    origin.y -= 0.5 * h * (s->lattice.n[1] - 0.5) - aside[1] * h;
    origin.z -= 0.5 * h * (s->lattice.n[2] - 0.5) - aside[2] * h;
    s->lattice.origin = origin;
}

// What is inside of the surface and of the piece.
static int count_inside(struct cg_stuff *s, size_t count)
{
    int total = 0, at[4], index = 0;
    memcpy(s->inside, s->lattice.inside, count);
    for (at[0] = 0; at[0] < 2; at[0]++) {
        for (at[3] = 0; at[3] < s->lattice.n[2]; at[3]++) {
            for (at[2] = 0; at[2] < s->lattice.n[1]; at[2]++) {
                for (at[1] = 0; at[1] < s->lattice.n[0]; at[1]++, index++) {
                    if (s->inside[index] != 0 && !cg_fill_is_in_piece(s->def, cg_fill_place(&s->lattice, at))) {
                        s->inside[index] = 0;
                    }
                    total += s->inside[index] != 0;
                }
            }
        }
    }
    return total;
}

// A tetrahedron for each of the four edges around the middle of every long edge of the second grid.
static void fill_cells(struct cg_stuff *s)
{
    static const int ring[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    int at[4] = {1, 0, 0, 0};
    for (at[3] = 0; at[3] < s->lattice.n[2] - 1; at[3]++) {
        for (at[2] = 0; at[2] < s->lattice.n[1] - 1; at[2]++) {
            for (at[1] = 0; at[1] < s->lattice.n[0] - 1; at[1]++) {
                for (int axis = 0; axis < 3; axis++) {
                    int corners[4][4];
                    memcpy(corners[0], at, sizeof at);
                    cg_stuff_neighbour(at, 2 * axis, corners[1]);
                    if (at[1 + axis] >= s->lattice.n[axis] - 2) {
                        continue;
                    }
                    for (int turn = 0; turn < 4; turn++) {
                        for (int k = 0; k < 2; k++) {
                            int *corner = corners[2 + k];
                            memcpy(corner, at, sizeof at);
                            corner[0] = 0;
                            corner[1 + axis]++;
                            corner[1 + (axis + 1) % 3] += ring[(turn + k) % 4][0];
                            corner[1 + (axis + 2) % 3] += ring[(turn + k) % 4][1];
                        }
                        cg_stuff_cell(s, (const int(*)[4])corners);
                    }
                }
            }
        }
    }
}

bool cg_fill_stuff(const cg_fill_tree *tree, const cg_fill_def *def, double h, cg_fill_cells *cells)
{
    struct cg_stuff s = {.allocator = tree->shape->allocator, .tree = tree, .def = def, .out = cells};
    *cells = (cg_fill_cells){.allocator = s.allocator};
    lay_lattice(&s, h);
    size_t count = 2 * (size_t)s.lattice.n[0] * (size_t)s.lattice.n[1] * (size_t)s.lattice.n[2];
    s.lattice.inside = cg_memory_take(s.allocator, count);
    s.inside = cg_memory_take(s.allocator, count);
    s.point_of = cg_memory_take(s.allocator, count * sizeof *s.point_of);
    s.node_of = cg_memory_take(s.allocator, count * sizeof *s.node_of);
    bool good = s.lattice.inside != NULL && s.inside != NULL && s.point_of != NULL && s.node_of != NULL &&
                cg_fill_signs(tree, &s.lattice);
    if (good) {
        cells->inside_volume = 0.5 * h * h * h * count_inside(&s, count);
        cells->undecided = s.lattice.undecided;
        good = find_points(&s) && find_cuts(&s);
    }
    if (good) {
        warp(&s);
        fill_cells(&s);
        good = !cells->is_out_of_memory;
    }
    cg_memory_give(s.allocator, s.lattice.inside);
    cg_memory_give(s.allocator, s.inside);
    cg_memory_give(s.allocator, s.point_of);
    cg_memory_give(s.allocator, s.node_of);
    cg_memory_give(s.allocator, s.points);
    cg_memory_give(s.allocator, s.cuts);
    if (!good) {
        cg_fill_cells_clear(cells);
    }
    return good;
}
