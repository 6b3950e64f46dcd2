#include "knot/projection.h"

#include "base/trig.h"
#include "geometry/closest.h"

// A segment of the picture: two points (x, y) and their heights towards the viewer.
typedef struct flat {
    double ax, ay, az, bx, by, bz;
    double min_x, max_x, min_y, max_y;
    int chain;
    int index;   // within its chain
    bool on_top; // part of a closing line at the viewer: over everything
} flat;

static const double TOO_NEAR = 1e-9; // of the extent; see the header

void cg_picture_layout(cg_picture *picture, int segment_room, int crossing_room, int chain_room, cg_arena *arena)
{
    picture->segment_room = segment_room;
    picture->crossing_room = crossing_room;
    picture->chain_room = chain_room;
    picture->margin = 0;
    picture->passes = cg_arena_push_array(arena, cg_pass, 2 * crossing_room);
    picture->sign = cg_arena_push_array(arena, signed char, crossing_room);
    picture->first_pass = cg_arena_push_array(arena, int, chain_room + 1);
    picture->flat = cg_arena_push_array(arena, struct flat, segment_room);
    picture->order = cg_arena_push_array(arena, int, segment_room);
    picture->spare_order = cg_arena_push_array(arena, int, segment_room);
}

cg_vec3 cg_picture_direction(int index)
{
    // Steps of the golden ratio in height and of another irrational in angle; both sequences fill evenly.
    double a = 0.2360679774997897 + 0.6180339887498949 * index, b = 0.1543217 + 0.7548776662466927 * index;
    double height = 1.94 * (a - (double)(long long)a) - 0.97, sine, cosine;
    cg_sincos(2 * CG_PI * (b - (double)(long long)b), &sine, &cosine);
    double across = sqrt(1 - height * height);
    return v3(across * cosine, across * sine, height);
}

static void set_flat(flat *s, cg_vec3 a, cg_vec3 b)
{
    s->ax = a.x;
    s->ay = a.y;
    s->az = a.z;
    s->bx = b.x;
    s->by = b.y;
    s->bz = b.z;
    s->min_x = a.x < b.x ? a.x : b.x;
    s->max_x = a.x < b.x ? b.x : a.x;
    s->min_y = a.y < b.y ? a.y : b.y;
    s->max_y = a.y < b.y ? b.y : a.y;
}

// Adds one segment.
static void add_flat(cg_picture *picture, int *count, cg_vec3 a, cg_vec3 b, int chain, bool on_top)
{
    flat *s = &picture->flat[*count];
    bool starts_chain = *count == 0 || s[-1].chain != chain;
    set_flat(s, a, b);
    s->chain = chain;
    s->index = starts_chain ? 0 : s[-1].index + 1;
    s->on_top = on_top;
    *count += 1;
}

// The closing line of an open chain, with a bend to the side: a straight one would lie upon a straight thread.
static void add_closing_line(cg_picture *picture, int *count, cg_vec3 last, cg_vec3 first, int chain)
{
    double dx = first.x - last.x, dy = first.y - last.y;
    cg_vec3 bend = v3(0.5 * (last.x + first.x) - 0.137 * dy, 0.5 * (last.y + first.y) + 0.137 * dx, last.z);
    add_flat(picture, count, last, bend, chain, true);
    add_flat(picture, count, bend, first, chain, true);
}

// Fills picture->flat; returns the number of segments, or -1 when there are too many.
static int flatten(cg_picture *picture, const cg_point_chain *chains, int chain_count, cg_vec3 direction)
{
    cg_vec3 up = v3_unit_or(direction, v3(0, 0, 1)), right = v3_any_normal(up), ahead = v3_cross(up, right);
    // Seen from a point of their own: far from the origin a product of coordinates would lose what tells them apart.
    cg_vec3 origin = chains[0].points[0];
    int count = 0;
    for (int c = 0; c < chain_count; c++) {
        const cg_point_chain *chain = &chains[c];
        if (chain->count >= picture->segment_room - count) {
            return -1;
        }
        cg_vec3 first = v3_zero(), before = v3_zero();
        for (int i = 0; i < chain->count; i++) {
            cg_vec3 p = v3_sub(chain->points[i], origin), now = v3(v3_dot(right, p), v3_dot(ahead, p), v3_dot(up, p));
            if (i == 0) {
                first = now;
            } else {
                add_flat(picture, &count, before, now, c, false);
            }
            before = now;
        }
        if (chain->closed) {
            add_flat(picture, &count, before, first, c, false);
        } else {
            add_closing_line(picture, &count, before, first, c);
        }
    }
    return count;
}

// Ties by number, so that there is one order.
static bool starts_before(const flat *f, int a, int b)
{
    return f[a].min_x < f[b].min_x || (f[a].min_x == f[b].min_x && a < b);
}

static int end_of_run(const int *order, const flat *f, int from, int count)
{
    int i = from + 1;
    while (i < count && starts_before(f, order[i - 1], order[i])) {
        i++;
    }
    return i;
}

// Turns descending runs around.
static void turn_runs(int *order, const flat *f, int count)
{
    for (int from = 0; from < count;) {
        int end = from + 1;
        while (end < count && !starts_before(f, order[end - 1], order[end])) {
            end++;
        }
        for (int i = from, j = end - 1; i < j; i++, j--) {
            int kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        from = end - from > 1 ? end : end_of_run(order, f, from, count);
    }
}

static void merge_runs(const int *from, int *to, const flat *f, int start, int middle, int end)
{
    int i = start, j = middle;
    for (int k = start; k < end; k++) {
        bool left = j >= end || (i < middle && starts_before(f, from[i], from[j]));
        to[k] = left ? from[i++] : from[j++];
    }
}

// Sorts the segments by their left ends. A thread runs to and fro: few runs, already in order, which are merged in
// pairs. Leaves the result in picture->order.
static void sort_by_left_end(cg_picture *picture, int count)
{
    for (int i = 0; i < count; i++) {
        picture->order[i] = i;
    }
    turn_runs(picture->order, picture->flat, count);
    for (int runs = 2; runs > 1;) {
        runs = 0;
        for (int start = 0, end; start < count; start = end, runs++) {
            int middle = end_of_run(picture->order, picture->flat, start, count);
            end = middle < count ? end_of_run(picture->order, picture->flat, middle, count) : count;
            merge_runs(picture->order, picture->spare_order, picture->flat, start, middle, end);
        }
        int *sorted = picture->spare_order;
        picture->spare_order = picture->order;
        picture->order = sorted;
    }
}

// Segments that share a vertex meet there and nowhere else, unless one lies back upon the other.
static bool are_neighbours(const flat *a, const flat *b, const cg_point_chain *chains)
{
    if (a->chain != b->chain) {
        return false;
    }
    int gap = a->index < b->index ? b->index - a->index : a->index - b->index;
    const cg_point_chain *chain = &chains[a->chain];
    return gap == 1 || gap == (chain->closed ? chain->count - 1 : chain->count);
}

static double turn(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

// Where points were moved, what counts is how near two strands come in space: seen from the side, one may be high above
// the other and yet near to it. `rise` is their distance along the view, n the third part of the product of both.
static bool is_within_margin(const flat *a, const flat *b, double rise, double n, double margin)
{
    if (margin == 0) {
        return false;
    }
    cg_vec3 u = v3(a->bx - a->ax, a->by - a->ay, a->bz - a->az), v = v3(b->bx - b->ax, b->by - b->ay, b->bz - b->az);
    return fabs(rise * n) <= margin * v3_length(v3_cross(u, v));
}

// Whether an end of one segment comes near to the other one in the picture.
static bool an_end_is_near(const flat *a, const flat *b, double near)
{
    cg_vec3 a0 = v3(a->ax, a->ay, 0), a1 = v3(a->bx, a->by, 0), b0 = v3(b->ax, b->ay, 0), b1 = v3(b->bx, b->by, 0);
    const cg_vec3 ends[4][3] = {{a0, b0, b1}, {a1, b0, b1}, {b0, a0, a1}, {b1, a0, a1}};
    for (int i = 0; i < 4; i++) {
        cg_vec3 closest;
        cg_closest_on_segment(ends[i][0], ends[i][1], ends[i][2], &closest);
        if (v3_distance(ends[i][0], closest) <= near) {
            return true;
        }
    }
    return false;
}

// Looks at one pair. Adds a crossing when their pictures cross.
static cg_picture_answer look_at(cg_picture *picture, int i, int j, double near, const cg_point_chain *chains)
{
    const flat *a = &picture->flat[i], *b = &picture->flat[j];
    double ux = a->bx - a->ax, uy = a->by - a->ay, vx = b->bx - b->ax, vy = b->by - b->ay;
    double wx = b->ax - a->ax, wy = b->ay - a->ay;
    double n = turn(ux, uy, vx, vy);
    double a_length = sqrt(ux * ux + uy * uy), b_length = sqrt(vx * vx + vy * vy);
    if (are_neighbours(a, b, chains)) {
        return CG_PICTURE_CLEAR; // one vertex in common: straight lines through it meet nowhere else
    }
    // Signed distances of the ends of each from the line of the other.
    double b0 = turn(ux, uy, wx, wy), b1 = b0 + n, a0 = turn(vx, vy, -wx, -wy), a1 = a0 - n;
    double ea = near * a_length, eb = near * b_length;
    if ((b0 > ea && b1 > ea) || (b0 < -ea && b1 < -ea) || (a0 > eb && a1 > eb) || (a0 < -eb && a1 < -eb)) {
        return CG_PICTURE_CLEAR;
    }
    if (fabs(b0) <= ea || fabs(b1) <= ea || fabs(a0) <= eb || fabs(a1) <= eb) {
        // Near to a line, but perhaps past the end of the segment.
        if (an_end_is_near(a, b, near)) {
            return CG_PICTURE_UNCLEAR;
        }
        if ((b0 > 0) == (b1 > 0) || (a0 > 0) == (a1 > 0)) {
            return CG_PICTURE_CLEAR;
        }
        double noise = 1e-3; // of what is near: far above rounding, so that a sign can be trusted
        if (fabs(b0) <= noise * ea || fabs(b1) <= noise * ea || fabs(a0) <= noise * eb || fabs(a1) <= noise * eb) {
            return CG_PICTURE_UNCLEAR;
        }
    }
    if (picture->crossing_count == picture->crossing_room) {
        return CG_PICTURE_TOO_LARGE;
    }
    double s = turn(wx, wy, vx, vy) / n, t = turn(wx, wy, ux, uy) / n;
    bool a_over;
    if (a->on_top || b->on_top) {
        a_over = a->on_top && (!b->on_top || a->chain > b->chain);
    } else {
        double rise = a->az + s * (a->bz - a->az) - b->az - t * (b->bz - b->az);
        if (fabs(rise) <= near || is_within_margin(a, b, rise, n, picture->margin)) {
            return CG_PICTURE_UNCLEAR;
        }
        a_over = rise > 0;
    }
    int c = picture->crossing_count++;
    picture->sign[c] = (signed char)((n > 0) == a_over ? 1 : -1);
    picture->passes[2 * c] = (cg_pass){c, a_over, i, s};
    picture->passes[2 * c + 1] = (cg_pass){c, !a_over, j, t};
    return CG_PICTURE_CLEAR;
}

static bool pass_before(const cg_pass *a, const cg_pass *b)
{
    return a->segment != b->segment ? a->segment < b->segment : a->along < b->along;
}

// Heap sort: no recursion, no worst case.
static void sift_pass(cg_pass *p, int root, int count)
{
    cg_pass moved = p[root];
    for (;;) {
        int child = 2 * root + 1;
        if (child >= count) {
            break;
        }
        if (child + 1 < count && pass_before(&p[child], &p[child + 1])) {
            child++;
        }
        if (!pass_before(&moved, &p[child])) {
            break;
        }
        p[root] = p[child];
        root = child;
    }
    p[root] = moved;
}

static void sort_passes(cg_pass *p, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--) {
        sift_pass(p, i, count);
    }
    for (int i = count - 1; i > 0; i--) {
        cg_pass top = p[0];
        p[0] = p[i];
        p[i] = top;
        sift_pass(p, 0, i);
    }
}

// Two crossings upon the same spot of a strand cannot be put in order.
static bool passes_are_apart(const cg_picture *picture, double near)
{
    for (int i = 1; i < 2 * picture->crossing_count; i++) {
        const cg_pass *p = &picture->passes[i - 1], *q = &picture->passes[i];
        if (p->segment == q->segment) {
            const flat *f = &picture->flat[p->segment];
            double length = fabs(f->bx - f->ax) + fabs(f->by - f->ay);
            if ((q->along - p->along) * length <= near) {
                return false;
            }
        }
    }
    return true;
}

static double extent_of(const flat *f, int count)
{
    double min_x = f[0].min_x, max_x = f[0].max_x, min_y = f[0].min_y, max_y = f[0].max_y;
    for (int i = 1; i < count; i++) {
        min_x = f[i].min_x < min_x ? f[i].min_x : min_x;
        max_x = f[i].max_x > max_x ? f[i].max_x : max_x;
        min_y = f[i].min_y < min_y ? f[i].min_y : min_y;
        max_y = f[i].max_y > max_y ? f[i].max_y : max_y;
    }
    double width = max_x - min_x, height = max_y - min_y;
    return width > height ? width : height;
}

static void find_first_passes(cg_picture *picture, int chain_count)
{
    int at = 0;
    for (int c = 0; c < chain_count; c++) {
        while (at < 2 * picture->crossing_count && picture->flat[picture->passes[at].segment].chain < c) {
            at++;
        }
        picture->first_pass[c] = at;
    }
    picture->first_pass[chain_count] = 2 * picture->crossing_count;
    picture->chain_count = chain_count;
}

cg_picture_answer cg_picture_draw(cg_picture *picture, const cg_point_chain *chains, int chain_count, cg_vec3 direction)
{
    picture->crossing_count = 0;
    int count = chain_count <= picture->chain_room ? flatten(picture, chains, chain_count, direction) : -1;
    if (count <= 0) {
        picture->chain_count = 0;
        return CG_PICTURE_TOO_LARGE;
    }
    const flat *f = picture->flat;
    double near = TOO_NEAR * extent_of(f, count) + picture->margin;
    sort_by_left_end(picture, count);
    for (int p = 0; p < count; p++) {
        int i = picture->order[p];
        double right_end = f[i].max_x + near, bottom = f[i].min_y - near, top = f[i].max_y + near;
        for (int q = p + 1; q < count && f[picture->order[q]].min_x <= right_end; q++) {
            int j = picture->order[q];
            if (f[j].min_y > top || f[j].max_y < bottom) {
                continue;
            }
            cg_picture_answer answer =
                i < j ? look_at(picture, i, j, near, chains) : look_at(picture, j, i, near, chains);
            if (answer != CG_PICTURE_CLEAR) {
                return answer;
            }
        }
    }
    sort_passes(picture->passes, 2 * picture->crossing_count);
    find_first_passes(picture, chain_count);
    return passes_are_apart(picture, near) ? CG_PICTURE_CLEAR : CG_PICTURE_UNCLEAR;
}
