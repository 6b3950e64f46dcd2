#include "knot/spline.h"

#include <stddef.h>

enum {
    FINE = 24, // pieces per control point, for lengths
    COARSE = 6 // pieces per control point, for distances
};

void cg_spline_clear(cg_spline *spline)
{
    spline->count = 0;
    spline->overflowed = false;
}

void cg_spline_add(cg_spline *spline, cg_vec3 point)
{
    if (spline->count == CG_SPLINE_ROOM) {
        spline->overflowed = true;
        return;
    }
    spline->control[spline->count++] = point;
}

void cg_spline_reverse(cg_spline *spline)
{
    for (int i = 0, j = spline->count - 1; i < j; i++, j--) {
        cg_vec3 kept = spline->control[i];
        spline->control[i] = spline->control[j];
        spline->control[j] = kept;
    }
}

double cg_spline_end(const cg_spline *spline)
{
    return spline->count - 3;
}

cg_vec3 cg_spline_point(const cg_spline *spline, double u)
{
    int i = (int)u;
    i = i < 0 ? 0 : (i > spline->count - 4 ? spline->count - 4 : i);
    double t = u - i, r = 1 - t;
    const cg_vec3 *p = &spline->control[i];
    double w0 = r * r * r / 6, w1 = (3 * t * t * t - 6 * t * t + 4) / 6;
    double w2 = (3 * r * r * r - 6 * r * r + 4) / 6, w3 = t * t * t / 6;
    cg_vec3 sum = v3_scale(w0, p[0]);
    sum = v3_add_scaled(sum, w1, p[1]);
    sum = v3_add_scaled(sum, w2, p[2]);
    return v3_add_scaled(sum, w3, p[3]);
}

static cg_vec3 piece_point(const cg_spline *spline, int piece, int pieces_each)
{
    return cg_spline_point(spline, (double)piece / pieces_each);
}

double cg_spline_length(const cg_spline *spline)
{
    double length = 0;
    cg_vec3 before = piece_point(spline, 0, FINE);
    for (int i = 1; i <= FINE * (spline->count - 3); i++) {
        cg_vec3 now = piece_point(spline, i, FINE);
        length += v3_distance(before, now);
        before = now;
    }
    return length;
}

double cg_spline_gap(const cg_spline *first, const cg_spline *second)
{
    double least = 1e300;
    int n = COARSE * (first->count - 3), m = COARSE * (second->count - 3);
    for (int i = 0; i <= n; i++) {
        cg_vec3 p = piece_point(first, i, COARSE);
        int start = first == second ? i + 1 : 0;
        double along = 0;
        cg_vec3 before = first == second ? p : piece_point(second, 0, COARSE);
        for (int j = start; j <= m; j++) {
            cg_vec3 q = piece_point(second, j, COARSE);
            along += v3_distance(before, q);
            before = q;
            double distance = v3_distance(p, q);
            if (distance < least && (first != second || along >= 1.5 * distance)) {
                least = distance;
            }
        }
    }
    return least;
}

// The curve with its two straight pieces, walked piece by piece. Unscaled.
typedef struct walk {
    const cg_spline *spline;
    double after; // length of the last straight piece
    cg_vec3 from; // present piece
    cg_vec3 to;
    int piece; // 0 is the first tail
} walk;

static bool next_piece(walk *w)
{
    int pieces = FINE * (w->spline->count - 3);
    w->from = w->to;
    w->piece++;
    if (w->piece <= pieces) {
        w->to = piece_point(w->spline, w->piece, FINE);
        return true;
    }
    if (w->piece == pieces + 1) {
        const cg_vec3 *end = &w->spline->control[w->spline->count - 1];
        cg_vec3 way = v3_sub(end[0], end[-2]); // the direction of the curve at its end
        w->to = v3_add_scaled(w->from, w->after, v3_unit_or(way, v3(1, 0, 0)));
        return true;
    }
    return false;
}

int cg_spline_resample(const cg_spline *spline, double scale, double before, double after, double spacing,
                       cg_vec3 *points, int room)
{
    double length = scale * cg_spline_length(spline) + before + after;
    int segments = (int)(length / spacing + 0.5);
    segments = segments < 1 ? 1 : segments;
    double step = length / segments / scale;
    cg_vec3 begin = piece_point(spline, 0, FINE);
    cg_vec3 way = v3_unit_or(v3_sub(spline->control[0], spline->control[2]), v3(-1, 0, 0));
    walk w = {spline, after / scale, v3_add_scaled(begin, before / scale, way), begin, 0};
    double done = 0; // length of all pieces before the present one
    for (int i = 0; i <= segments && i < room; i++) {
        double wanted = i * step, piece = v3_distance(w.from, w.to);
        while (wanted > done + piece) {
            done += piece;
            if (!next_piece(&w)) {
                w.from = w.to; // rounding: the very end
                done = wanted;
                piece = 0;
                break;
            }
            piece = v3_distance(w.from, w.to);
        }
        double share = piece > 0 ? (wanted - done) / piece : 1;
        points[i] = v3_scale(scale, v3_add_scaled(w.from, share, v3_sub(w.to, w.from)));
    }
    return segments + 1;
}
