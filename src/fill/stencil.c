// The part of a tetrahedron of the lattice that is inside, as one to three cells.
//
// Corners are inside (plus), outside (minus) or on the surface. Without a plus nothing is filled, without a minus
// everything. Else cuts take the place of the minus corners: one plus gives a tetrahedron, two plus, one minus and one
// on the surface a pyramid, three plus or two and two a prism. Faces with two plus and a minus have four corners, whose
// diagonal both cells at the face must choose alike: of a long and a short cut edge it joins the cut of the long one to
// the plus end of the short one; of two short ones the parity of the coordinates decides. Among the diagonals of a
// prism one corner has then two or none, so that it can be cut into three. The side of four cuts lies outside: the
// better of its diagonals is taken.
#include <math.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "fill/stuff_parts.h"

int cg_fill_add_node(cg_fill_cells *cells, cg_vec3 place, bool cut)
{
    if (cells->node_count == cells->node_room) {
        int room = cells->node_room == 0 ? 1024 : 2 * cells->node_room;
        size_t count = (size_t)cells->node_count;
        if (!cg_memory_grow(cells->allocator, (void **)&cells->cut, count * sizeof *cells->cut,
                            (size_t)room * sizeof *cells->cut) ||
            !cg_memory_grow(cells->allocator, (void **)&cells->nodes, count * sizeof *cells->nodes,
                            (size_t)room * sizeof *cells->nodes)) {
            cells->is_out_of_memory = true;
            return 0;
        }
        cells->node_room = room;
    }
    cells->nodes[cells->node_count] = place;
    cells->cut[cells->node_count] = cut;
    return cells->node_count++;
}

static double six_volumes(const cg_fill_cells *cells, int a, int b, int c, int d)
{
    const cg_vec3 *x = cells->nodes;
    return v3_dot(v3_cross(v3_sub(x[b], x[a]), v3_sub(x[c], x[a])), v3_sub(x[d], x[a]));
}

void cg_fill_add_cell(cg_fill_cells *cells, int a, int b, int c, int d)
{
    if (cells->is_out_of_memory) {
        return;
    }
    if (cells->cell_count == cells->cell_room) {
        int room = cells->cell_room == 0 ? 4096 : 2 * cells->cell_room;
        if (!cg_memory_grow(cells->allocator, (void **)&cells->cells, (size_t)cells->cell_count * sizeof *cells->cells,
                            (size_t)room * sizeof *cells->cells)) {
            cells->is_out_of_memory = true;
            return;
        }
        cells->cell_room = room;
    }
    bool is_left = six_volumes(cells, a, b, c, d) < 0;
    int *cell = cells->cells[cells->cell_count++];
    cell[0] = a;
    cell[1] = b;
    cell[2] = is_left ? d : c;
    cell[3] = is_left ? c : d;
}

void cg_fill_cells_clear(cg_fill_cells *cells)
{
    cg_memory_give(cells->allocator, cells->nodes);
    cg_memory_give(cells->allocator, cells->cut);
    cg_memory_give(cells->allocator, cells->cells);
    cells->nodes = NULL;
    cells->cut = NULL;
    cells->cells = NULL;
    cells->node_count = cells->cell_count = 0;
}

// --- corners and cuts as nodes ---

static int sign_of(const struct cg_stuff *s, const int at[4])
{
    int index = cg_fill_point(&s->lattice, at), point = s->point_of[index];
    return point >= 0 ? s->points[point].sign : (s->inside[index] != 0 ? 1 : -1);
}

static int corner_node(struct cg_stuff *s, const int at[4])
{
    int index = cg_fill_point(&s->lattice, at), point = s->point_of[index];
    if (s->node_of[index] == 0) {
        cg_vec3 place = point >= 0 ? s->points[point].place : cg_fill_place(&s->lattice, at);
        bool cut = point >= 0 && s->points[point].sign == 0 && s->points[point].is_piece;
        s->node_of[index] = cg_fill_add_node(s->out, place, cut) + 1;
    }
    return s->node_of[index] - 1;
}

static int direction_of(const int from[4], const int to[4])
{
    int other[4];
    for (int d = from[0] == to[0] ? 0 : 6;; d++) {
        cg_stuff_neighbour(from, d, other);
        if (other[1] == to[1] && other[2] == to[2] && other[3] == to[3]) {
            return d;
        }
    }
}

static int cut_node(struct cg_stuff *s, const int plus[4], const int minus[4])
{
    const struct cg_stuff_point *point = &s->points[s->point_of[cg_fill_point(&s->lattice, plus)]];
    struct cg_stuff_cut *cut = &s->cuts[point->cuts[direction_of(plus, minus)]];
    if (cut->node < 0) {
        cut->node = cg_fill_add_node(s->out, cut->place, cut->is_piece);
    }
    return cut->node;
}

// --- stencils ---

// Whether the diagonal of the face of a and b inside and c outside starts at a, and so ends in the cut of b and c.
static bool starts_at_first(const int a[4], const int b[4], const int c[4])
{
    bool is_long_a = a[0] == c[0], is_long_b = b[0] == c[0];
    if (is_long_a != is_long_b) {
        return is_long_b;
    }
    int greater = 0;
    for (int k = 1; k < 4; k++) {
        greater += 2 * a[k] + a[0] > 2 * c[k] + c[0];
    }
    return greater % 2 == 0;
}

// A pyramid over a, b, q, p in order, with the diagonal from a to q or from b to p.
static void add_pyramid(struct cg_stuff *s, int apex, const int base[4], bool from_first)
{
    if (from_first) {
        cg_fill_add_cell(s->out, apex, base[0], base[1], base[2]);
        cg_fill_add_cell(s->out, apex, base[0], base[2], base[3]);
    } else {
        cg_fill_add_cell(s->out, apex, base[0], base[1], base[3]);
        cg_fill_add_cell(s->out, apex, base[1], base[2], base[3]);
    }
}

// A prism with ends a and b; the diagonal of side k, from a[k] to a[k + 1], starts at a[k] or at a[k + 1].
static void add_prism(struct cg_stuff *s, const int a[3], const int b[3], const bool starts[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (starts[i] && !starts[k]) { // both diagonals at the sides of a[i] start there
            int base[4] = {a[j], a[k], b[k], b[j]};
            cg_fill_add_cell(s->out, a[i], b[0], b[1], b[2]);
            add_pyramid(s, a[i], base, starts[j]);
            return;
        }
    }
}

// The least of the angles of a cell and of what they lack to 180 degrees, as 1 less the largest cosine.
static double goodness(const cg_fill_cells *cells, const int n[4])
{
    static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    cg_vec3 normals[4];
    double most = 0;
    for (int f = 0; f < 4; f++) {
        cg_vec3 a = cells->nodes[n[faces[f][0]]], b = cells->nodes[n[faces[f][1]]], c = cells->nodes[n[faces[f][2]]];
        normals[f] = v3_unit_or(v3_cross(v3_sub(b, a), v3_sub(c, a)), v3(1, 0, 0));
        for (int g = 0; g < f; g++) {
            most = fmax(most, fabs(v3_dot(normals[f], normals[g])));
        }
    }
    return 1 - most;
}

// Two plus and two minus: ends are a plus and its two cuts. The side between the cuts is free.
static void add_wedge(struct cg_stuff *s, const int *plus[2], const int *minus[2])
{
    int a[3] = {corner_node(s, plus[0]), cut_node(s, plus[0], minus[0]), cut_node(s, plus[0], minus[1])};
    int b[3] = {corner_node(s, plus[1]), cut_node(s, plus[1], minus[0]), cut_node(s, plus[1], minus[1])};
    bool starts[3] = {starts_at_first(plus[0], plus[1], minus[0]), false, !starts_at_first(plus[0], plus[1], minus[1])};
    int from = s->out->cell_count;
    double best = -1;
    bool picked = false;
    for (int way = 0; way < 2; way++) {
        starts[1] = way == 1;
        add_prism(s, a, b, starts);
        double worst = s->out->cell_count > from ? 2 : -1;
        for (int cell = from; cell < s->out->cell_count; cell++) {
            worst = fmin(worst, goodness(s->out, s->out->cells[cell]));
        }
        if (worst > best) {
            best = worst;
            picked = way == 1;
        }
        s->out->cell_count = from;
    }
    starts[1] = picked;
    add_prism(s, a, b, starts);
}

static void add_pieces(struct cg_stuff *s, const int *plus[4], int pluses, const int *minus[4], int minuses,
                       const int *on[4], int ons)
{
    if (pluses == 1) {
        int n[4], count = 0;
        n[count++] = corner_node(s, plus[0]);
        for (int i = 0; i < minuses; i++) {
            n[count++] = cut_node(s, plus[0], minus[i]);
        }
        for (int i = 0; i < ons; i++) {
            n[count++] = corner_node(s, on[i]);
        }
        cg_fill_add_cell(s->out, n[0], n[1], n[2], n[3]);
    } else if (pluses == 2 && minuses == 1) {
        int base[4] = {corner_node(s, plus[0]), corner_node(s, plus[1]), cut_node(s, plus[1], minus[0]),
                       cut_node(s, plus[0], minus[0])};
        add_pyramid(s, corner_node(s, on[0]), base, starts_at_first(plus[0], plus[1], minus[0]));
    } else if (pluses == 2) {
        add_wedge(s, plus, minus);
    } else {
        int a[3], b[3];
        bool starts[3];
        for (int i = 0; i < 3; i++) {
            a[i] = corner_node(s, plus[i]);
            b[i] = cut_node(s, plus[i], minus[0]);
            starts[i] = starts_at_first(plus[i], plus[(i + 1) % 3], minus[0]);
        }
        add_prism(s, a, b, starts);
    }
}

void cg_stuff_cell(struct cg_stuff *s, const int corners[4][4])
{
    const int *plus[4], *minus[4], *on[4];
    int pluses = 0, minuses = 0, ons = 0;
    for (int i = 0; i < 4; i++) {
        int sign = sign_of(s, corners[i]);
        if (sign > 0) {
            plus[pluses++] = corners[i];
        } else if (sign < 0) {
            minus[minuses++] = corners[i];
        } else {
            on[ons++] = corners[i];
        }
    }
    if (pluses > 0 && minuses == 0) {
        int n[4];
        for (int i = 0; i < 4; i++) {
            n[i] = corner_node(s, corners[i]);
        }
        cg_fill_add_cell(s->out, n[0], n[1], n[2], n[3]);
    } else if (pluses > 0) {
        add_pieces(s, plus, pluses, minus, minuses, on, ons);
    }
}
