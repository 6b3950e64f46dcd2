// MicroSim's recursion for the coupling of contacts.
//
// A force on vertex n moves the vertices before it by x_i = P_i x_{i+1} + PP_i x_{i+2} and those after it by
// x_i = M_i x_{i-1} + MM_i x_{i-2}; the matrices follow from the blocks of A by elimination from either end. At n
// itself both meet:
//
//     x_{n+1} = N x_n,   N = (1 - MM_{n+1} PP_{n-1})^-1 (M_{n+1} + MM_{n+1} P_{n-1})       x_{n-1} the same mirrored
//     G_nn = (D_n + O++ MM_{n+2} + O-- PP_{n-2} + (O- + O-- P_{n-2}) N' + (O+ + O++ M_{n+2}) N)^-1
//
// From touched vertex to touched vertex a pair (G_ni, G_n,i+1) goes on by a product of steps that is the same for every
// n. One walk goes up and one goes down. In the end each pair of contacts sums sixteen blocks, two vertices on each of
// two sides for both.
#include "bench/seed_coupling.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"

bool cg_seed_coupling_make(cg_seed_coupling *seed, int count, int most)
{
    size_t vertices = (size_t)count, places = (size_t)most;
    size_t matrices = 4 * vertices + places * places + places;
    seed->count = count;
    seed->most = most;
    seed->memory = calloc(1, matrices * sizeof(cg_mat3) + (vertices + places) * sizeof(int));
    if (seed->memory == NULL) {
        return false;
    }
    seed->plus = seed->memory;
    seed->plus2 = seed->plus + count;
    seed->minus = seed->plus2 + count;
    seed->minus2 = seed->minus + count;
    seed->green = seed->minus2 + count;
    seed->ahead = seed->green + most * most;
    seed->place = (int *)(seed->ahead + most);
    seed->touched = seed->place + count;
    return true;
}

void cg_seed_coupling_free(cg_seed_coupling *seed)
{
    free(seed->memory);
    seed->memory = NULL;
}

static cg_mat3 at(const cg_seed_coupling *seed, const cg_mat3 *list, int vertex)
{
    return vertex >= 0 && vertex < seed->count ? list[vertex] : m3_zero();
}

// Of any matrix, by its cofactors: the columns of the inverse are cross products of the rows.
static cg_mat3 inverse(cg_mat3 a)
{
    cg_vec3 x = m3_row(a, 0), y = m3_row(a, 1), z = m3_row(a, 2);
    return m3_scale(1 / m3_determinant(a), m3_from_columns(v3_cross(y, z), v3_cross(z, x), v3_cross(x, y)));
}

static cg_mat3 plus_product(cg_mat3 sum, cg_mat3 a, cg_mat3 b)
{
    return m3_add(sum, m3_multiply(a, b));
}

// The block of A in row i and column i + offset; zero outside.
static cg_mat3 block(const cg_seed_coupling *seed, const cg_band_row *rows, int i, int offset)
{
    int low = offset < 0 ? i + offset : i, high = offset < 0 ? i : i + offset;
    if (low < 0 || high >= seed->count) {
        return m3_zero();
    }
    cg_mat3 out;
    if (offset == 0) {
        const double *d = rows[i].diagonal;
        return m3_from_rows((cg_vec3){d[0], d[1], d[2]}, (cg_vec3){d[1], d[3], d[4]}, (cg_vec3){d[2], d[4], d[5]});
    }
    const double *b = high - low == 1 ? rows[low].next : rows[low].second;
    out = m3_from_rows((cg_vec3){b[0], b[1], b[2]}, (cg_vec3){b[3], b[4], b[5]}, (cg_vec3){b[6], b[7], b[8]});
    return offset < 0 ? out : m3_transpose(out);
}

// One step of the elimination from the end that lies at -way: near is the relation to the next vertex of the walk, far
// the one to the vertex after it.
static void eliminate(const cg_seed_coupling *seed, const cg_band_row *rows, int i, int way, cg_mat3 *near,
                      cg_mat3 *far)
{
    cg_mat3 last_near = at(seed, near, i - way), last_far = at(seed, far, i - way);
    cg_mat3 far_block = block(seed, rows, i, -2 * way);
    cg_mat3 turned = plus_product(block(seed, rows, i, -way), far_block, at(seed, near, i - 2 * way));
    cg_mat3 pivot = plus_product(block(seed, rows, i, 0), far_block, at(seed, far, i - 2 * way));
    cg_mat3 k = m3_scale(-1, inverse(plus_product(pivot, turned, last_near)));
    near[i] = m3_multiply(k, plus_product(block(seed, rows, i, way), turned, last_far));
    far[i] = m3_multiply(k, block(seed, rows, i, 2 * way));
}

// Motion of the neighbour of n at +way, for a unit motion of n.
static cg_mat3 neighbour(const cg_seed_coupling *seed, int n, int way)
{
    const cg_mat3 *ahead = way > 0 ? seed->minus : seed->plus, *ahead2 = way > 0 ? seed->minus2 : seed->plus2;
    const cg_mat3 *behind = way > 0 ? seed->plus : seed->minus, *behind2 = way > 0 ? seed->plus2 : seed->minus2;
    cg_mat3 a2 = at(seed, ahead2, n + way);
    cg_mat3 loop = m3_sub(m3_identity(), m3_multiply(a2, at(seed, behind2, n - way)));
    return m3_multiply(inverse(loop), plus_product(at(seed, ahead, n + way), a2, at(seed, behind, n - way)));
}

static cg_mat3 own(const cg_seed_coupling *seed, const cg_band_row *rows, int n)
{
    cg_mat3 up2 = block(seed, rows, n, 2), down2 = block(seed, rows, n, -2);
    cg_mat3 sum = plus_product(block(seed, rows, n, 0), up2, at(seed, seed->minus2, n + 2));
    sum = plus_product(sum, down2, at(seed, seed->plus2, n - 2));
    cg_mat3 down = plus_product(block(seed, rows, n, -1), down2, at(seed, seed->plus, n - 2));
    cg_mat3 up = plus_product(block(seed, rows, n, 1), up2, at(seed, seed->minus, n + 2));
    sum = plus_product(sum, down, neighbour(seed, n, -1));
    return inverse(plus_product(sum, up, neighbour(seed, n, 1)));
}

// The four blocks that take the pair at vertex `from` to the pair at vertex `to`.
static void steps_between(const cg_seed_coupling *seed, int from, int to, int way, cg_mat3 h[4])
{
    const cg_mat3 *near = way > 0 ? seed->minus : seed->plus, *far = way > 0 ? seed->minus2 : seed->plus2;
    h[0] = h[3] = m3_identity();
    h[1] = h[2] = m3_zero();
    for (int i = from; i != to; i += way) {
        // The pair at i + way: its first is the second at i, its second comes by the step to i + 2 way.
        cg_mat3 n = at(seed, near, i + 2 * way), f = at(seed, far, i + 2 * way);
        cg_mat3 third = plus_product(m3_multiply(n, h[2]), f, h[0]),
                fourth = plus_product(m3_multiply(n, h[3]), f, h[1]);
        h[0] = h[2];
        h[1] = h[3];
        h[2] = third;
        h[3] = fourth;
    }
}

static void walk(cg_seed_coupling *seed, const cg_band_row *rows, int way)
{
    int count = seed->touched_count, first = way > 0 ? 0 : count - 1;
    for (int k = 0; k < count; k++) {
        int p = first + way * k, i = seed->touched[p];
        cg_mat3 h[4];
        steps_between(seed, k > 0 ? seed->touched[p - way] : i, i, way, h);
        for (int q = first; q != p; q += way) {
            cg_mat3 *row = seed->green + (size_t)q * (size_t)seed->most, last = row[p - way], next = seed->ahead[q];
            row[p] = plus_product(m3_multiply(h[0], last), h[1], next);
            seed->ahead[q] = plus_product(m3_multiply(h[2], last), h[3], next);
        }
        cg_mat3 *mine = &seed->green[(size_t)p * (size_t)seed->most + (size_t)p];
        *mine = own(seed, rows, i);
        seed->ahead[p] = m3_multiply(neighbour(seed, i, way), *mine);
    }
}

static void list_touched(cg_seed_coupling *seed, const cg_coupling_point *points, int point_count)
{
    seed->touched_count = 0;
    for (int i = 0; i < seed->count; i++) {
        seed->place[i] = -1;
    }
    for (int p = 0; p < point_count; p++) {
        seed->place[points[p].vertex] = seed->place[points[p].vertex + 1] = 0;
    }
    for (int i = 0; i < seed->count && seed->touched_count < seed->most; i++) {
        if (seed->place[i] == 0) {
            seed->place[i] = seed->touched_count;
            seed->touched[seed->touched_count++] = i;
        }
    }
}

// Adds what the force at one point moves at another: four vertices, in the axes of both contacts.
static void add_points(const cg_seed_coupling *seed, const cg_coupling_point *a, const cg_coupling_point *b,
                       const double *axes, int stride, double *coupling)
{
    const cg_mat3 *near = seed->green + (size_t)seed->place[b->vertex] * (size_t)seed->most, *far = near + seed->most;
    int place = seed->place[a->vertex];
    cg_mat3 from_near = m3_add(m3_scale(a->near, near[place]), m3_scale(a->far, near[place + 1]));
    cg_mat3 from_far = m3_add(m3_scale(a->near, far[place]), m3_scale(a->far, far[place + 1]));
    cg_mat3 moved = m3_add(m3_scale(b->near, from_near), m3_scale(b->far, from_far));
    for (int c = 0; c < 3; c++) {
        const double *push = axes + 9 * b->contact + 3 * c;
        cg_vec3 motion = m3_apply(moved, (cg_vec3){push[0], push[1], push[2]});
        for (int r = 0; r < 3; r++) {
            const double *along = axes + 9 * a->contact + 3 * r;
            coupling[(size_t)(3 * a->contact + r) * (size_t)stride + (size_t)(3 * b->contact + c)] +=
                along[0] * motion.x + along[1] * motion.y + along[2] * motion.z;
        }
    }
}

void cg_seed_coupling_find(cg_seed_coupling *seed, const cg_band_row *rows, const cg_coupling_point *points,
                           int point_count, const double *axes, int contact_count, double *coupling)
{
    size_t size = 3 * (size_t)contact_count;
    memset(coupling, 0, size * size * sizeof *coupling);
    list_touched(seed, points, point_count);
    for (int i = 0; i < seed->count; i++) {
        eliminate(seed, rows, i, 1, seed->plus, seed->plus2);
    }
    for (int i = seed->count - 1; i >= 0; i--) {
        eliminate(seed, rows, i, -1, seed->minus, seed->minus2);
    }
    walk(seed, rows, 1);
    walk(seed, rows, -1);
    for (int a = 0; a < point_count; a++) {
        for (int b = 0; b < point_count; b++) {
            add_points(seed, &points[a], &points[b], axes, (int)size, coupling);
        }
    }
}
