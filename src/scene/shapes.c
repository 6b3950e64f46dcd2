#include "scene/shapes.h"

#include <math.h>

#include "base/number.h"
#include "base/trig.h"
#include "base/vec3.h"

cg_scene_curve cg_scene_curve_line(const cg_line_spec *spec)
{
    return (cg_scene_curve){
        .kind = CG_SCENE_CURVE_LINE, .length = v3_distance(spec->from, spec->to), .from = spec->from, .to = spec->to};
}

cg_scene_curve cg_scene_curve_polyline(const cg_vec3 *points, int count)
{
    cg_scene_curve curve = {.kind = CG_SCENE_CURVE_POLYLINE, .points = points, .point_count = count};
    for (int i = 1; i < count; i++) {
        curve.length += v3_distance(points[i - 1], points[i]);
    }
    return curve;
}

// An arc about an axis, starting towards a direction; any across the axis when that one has no part across it.
static cg_scene_curve arc(cg_vec3 centre, cg_vec3 axis, cg_vec3 towards, double radius, double angle, double climb)
{
    cg_vec3 unit = v3_unit_or(axis, v3(0, 0, 1));
    // Made unit first, so that what rounding leaves of a direction along the axis is small beside 1.
    cg_vec3 direction = v3_unit_or(towards, v3_zero());
    cg_vec3 across = v3_add_scaled(direction, -v3_dot(direction, unit), unit);
    cg_vec3 first = v3_length(across) > 1e-9 ? v3_unit_or(across, unit) : v3_any_normal(unit);
    double around = radius * angle;
    return (cg_scene_curve){.kind = CG_SCENE_CURVE_ARC,
                            .length = sqrt(around * around + climb * climb),
                            .centre = centre,
                            .first = first,
                            .second = v3_cross(unit, first),
                            .axis = unit,
                            .radius = radius,
                            .angle = angle,
                            .climb = climb};
}

cg_scene_curve cg_scene_curve_circle(const cg_circle_spec *spec)
{
    return arc(spec->centre, spec->axis, spec->towards, spec->radius, spec->angle, 0);
}

cg_scene_curve cg_scene_curve_helix(const cg_helix_spec *spec)
{
    double turns = spec->turns;
    return arc(spec->centre, spec->axis, spec->towards, spec->radius, 2 * CG_PI * turns, spec->pitch * fabs(turns));
}

static cg_vec3 arc_point(const cg_scene_curve *curve, double share)
{
    double sine, cosine;
    cg_sincos(curve->angle * share, &sine, &cosine);
    cg_vec3 point = v3_add_scaled(curve->centre, curve->radius * cosine, curve->first);
    point = v3_add_scaled(point, curve->radius * sine, curve->second);
    return v3_add_scaled(point, curve->climb * share, curve->axis);
}

static cg_vec3 between(cg_vec3 from, cg_vec3 to, double share)
{
    return v3_add_scaled(v3_scale(1 - share, from), share, to);
}

static void sample_polyline(const cg_scene_curve *curve, int count, cg_vec3 *points)
{
    int piece = 0;     // from points[piece] to points[piece + 1]
    double before = 0; // length of the pieces before it
    double piece_length = v3_distance(curve->points[0], curve->points[1]);
    for (int i = 0; i < count; i++) {
        double wanted = curve->length * ((double)i / (count - 1));
        while (before + piece_length < wanted && piece + 2 < curve->point_count) {
            before += piece_length;
            piece++;
            piece_length = v3_distance(curve->points[piece], curve->points[piece + 1]);
        }
        double share = piece_length > 0 ? (wanted - before) / piece_length : 0;
        points[i] = between(curve->points[piece], curve->points[piece + 1], share < 1 ? share : 1);
    }
    points[count - 1] = curve->points[curve->point_count - 1];
}

void cg_scene_curve_sample(const cg_scene_curve *curve, int count, cg_vec3 *points)
{
    if (curve->kind == CG_SCENE_CURVE_POLYLINE) {
        sample_polyline(curve, count, points);
        return;
    }
    for (int i = 0; i < count; i++) {
        double share = (double)i / (count - 1);
        points[i] =
            curve->kind == CG_SCENE_CURVE_LINE ? between(curve->from, curve->to, share) : arc_point(curve, share);
    }
}

// Files of points

typedef struct point_reader {
    const char *at, *end, *line_start;
    int line;
    cg_scene_error *error;
} point_reader;

static int column_of(const point_reader *r)
{
    return (int)(r->at - r->line_start) + 1;
}

static void skip_blanks(point_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) {
        r->at++;
    }
}

static bool at_line_end(const point_reader *r)
{
    return r->at >= r->end || *r->at == '\n' || *r->at == '#';
}

static bool read_coordinate(point_reader *r, double *value)
{
    size_t length;
    skip_blanks(r);
    if (at_line_end(r)) {
        return cg_scene_error_at(r->error, r->line, column_of(r),
                                 "found the end of the line; expected x y z in metres");
    }
    bool fine = cg_number_scan(r->at, (size_t)(r->end - r->at), &length) == CG_NUMBER_FINE &&
                cg_number_value(r->at, length, 0, value);
    const char *behind = r->at + (fine ? length : 0);
    bool separate =
        behind >= r->end || *behind == ' ' || *behind == '\t' || *behind == '\r' || *behind == '\n' || *behind == '#';
    if (!fine || !separate || !(fabs(*value) <= 1e5)) {
        int shown = 0;
        while (shown < 40 && shown < r->end - r->at && r->at[shown] > ' ' && r->at[shown] <= '~') {
            shown++;
        }
        return cg_scene_error_at(r->error, r->line, column_of(r),
                                 "found \"%.*s\"; expected a coordinate in metres, such as 0.012", shown, r->at);
    }
    r->at = behind;
    return true;
}

static bool read_point(point_reader *r, cg_vec3 *point)
{
    if (!read_coordinate(r, &point->x) || !read_coordinate(r, &point->y) || !read_coordinate(r, &point->z)) {
        return false;
    }
    skip_blanks(r);
    return at_line_end(r) ||
           cg_scene_error_at(r->error, r->line, column_of(r), "found a fourth word; expected x y z and no more");
}

// Passes the rest of a line and its end.
static void next_line(point_reader *r)
{
    while (r->at < r->end && *r->at != '\n') {
        r->at++;
    }
    r->at += r->at < r->end;
    r->line_start = r->at;
    r->line++;
}

bool cg_points_read(const char *text, size_t size, int most, cg_vec3 *points, int *count, cg_scene_error *error)
{
    point_reader r = {.at = text, .end = text + size, .line_start = text, .line = 1, .error = error};
    int found = 0;
    bool ended = false; // a blank line came behind the points
    for (; r.at < r.end; next_line(&r)) {
        skip_blanks(&r);
        if (at_line_end(&r)) {
            ended = ended || (found > 0 && (r.at >= r.end || *r.at == '\n'));
            continue;
        }
        if (ended) {
            return cg_scene_error_at(
                error, r.line, column_of(&r),
                "found points behind a blank line, a second thread; expected one thread in a file");
        }
        if (found == most) {
            return cg_scene_error_at(error, r.line, column_of(&r), "found one point more; expected at most %d", most);
        }
        cg_vec3 point;
        if (!read_point(&r, &point)) {
            return false;
        }
        if (points != NULL) {
            points[found] = point;
        }
        found++;
    }
    *count = found;
    return found >= 2 || cg_scene_error_at(error, r.line, 1, "found %d points; expected two or more", found);
}
