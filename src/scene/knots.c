// Knots as shapes of threads. The curve is measured first, so that the thread gets exactly the vertices it asks for;
// each of them then lies on the curve itself.
#include <math.h>
#include <string.h>

#include "base/transform.h"
#include "scene/reader.h"
#include "scene/shapes.h"

// Segments that a knot is measured with: many times as many as a thread can have, so that a rounded count is right.
static const double MEASURING_SEGMENTS = 1e7;

static bool cannot_be_made(cg_scene_reader *reader, const cg_json_value *at, cg_status status)
{
    reader->code = status.code == CG_OUT_OF_MEMORY ? CG_OUT_OF_MEMORY : reader->code;
    return cg_error_at_value(reader->error, at, "found a knot that cannot be laid: %s", status.message);
}

// Kinds that are tied in one thread, in two, or in both ways.
static bool check_strand(cg_scene_reader *reader, const cg_json_value *value, cg_curve_kind kind, bool has_strand)
{
    bool one_only = kind == CG_CURVE_OVERHAND || kind == CG_CURVE_FIGURE_EIGHT || kind == CG_CURVE_SLIP;
    bool two_only = kind == CG_CURVE_THIEF || kind == CG_CURVE_GRIEF;
    if (one_only && has_strand) {
        return cg_error_at_name(reader->error, cg_json_find(value, "strand"),
                                "found a strand of the knot \"%s\", which is tied in one thread; expected none",
                                cg_curve_kind_name(kind));
    }
    if (two_only && !has_strand) {
        return cg_error_at_value(reader->error, cg_json_find(value, "kind"),
                                 "found \"%s\", a knot in two threads, without a strand; expected \"strand\": 1 or 2",
                                 cg_curve_kind_name(kind));
    }
    return true;
}

static bool check_gap(cg_scene_reader *reader, const cg_json_value *value, double gap, double radius)
{
    return gap == 0 || gap >= 2 * radius ||
           cg_error_at_value(reader->error, cg_json_find(value, "gap"),
                             "found gap = %.9g m; expected 0 or a diameter of the thread, %.9g m, or more", gap,
                             2 * radius);
}

// How long each strand is, by how many points of a small spacing it takes.
static bool measure(cg_scene_reader *reader, const cg_json_value *value, cg_scene_curve *curve)
{
    cg_curve_def *def = &curve->knot;
    cg_curve counted;
    double gap = def->gap > 0 ? def->gap : 6 * def->radius;
    double tails = def->tail + (def->free_tail > 0 ? def->free_tail : def->tail);
    def->spacing = (tails + 10 * def->loop_radius + 200 * gap) / MEASURING_SEGMENTS;
    cg_status status = cg_curve_make(def, NULL, 0, &counted);
    if (status.code != CG_OK) {
        return cannot_be_made(reader, value, status);
    }
    for (int i = 0; i < counted.thread_count; i++) {
        curve->strand_lengths[i] = (counted.point_count[i] - 1) * def->spacing;
    }
    curve->length = curve->strand_lengths[curve->strand];
    return true;
}

bool cg_scene_read_knot(cg_scene_reader *reader, const cg_json_value *value, double radius, cg_scene_curve *curve)
{
    cg_knot_spec spec = cg_knot_spec_default();
    uint64_t given;
    *curve = (cg_scene_curve){.kind = CG_SCENE_CURVE_KNOT};
    if (!cg_scene_read_fields(&cg_type_knot, value, &spec, &given, reader->error)) {
        return false;
    }
    cg_curve_kind kind = (cg_curve_kind)(spec.kind + 1); // the words leave out the straight thread
    if (!check_strand(reader, value, kind, spec.strand > 0) || !check_gap(reader, value, spec.gap, radius) ||
        !cg_scene_read_rotation(spec.rotation, &curve->pose.rotation, reader->error)) {
        return false;
    }
    if (reader->scene->knot_count == CG_SCENE_KNOTS) {
        return cg_error_at_value(reader->error, value, "found one knot more; expected at most %d in a scene",
                                 CG_SCENE_KNOTS);
    }
    reader->scene->knot_count++;
    curve->pose.position = spec.position;
    curve->strand = spec.strand > 0 ? spec.strand - 1 : 0;
    curve->knot = (cg_curve_def){.kind = kind,
                                 .thread_count = spec.strand > 0 ? 2 : 1,
                                 .mirror = spec.mirror,
                                 .radius = radius,
                                 .gap = spec.gap,
                                 .loop_radius = spec.loop_radius,
                                 .tail = spec.tail,
                                 .free_tail = spec.free_tail};
    return measure(reader, value, curve);
}

bool cg_scene_sample_knot(cg_scene_reader *reader, const cg_json_value *at, const cg_scene_curve *curve, int count,
                          cg_vec3 *points)
{
    cg_curve_def def = curve->knot;
    cg_curve made;
    def.spacing = curve->length / (count - 1);
    double room = 4; // for rounding
    for (int i = 0; i < def.thread_count; i++) {
        room += ceil(curve->strand_lengths[i] / def.spacing) + 1;
    }
    if (room > 4.0 * CG_SCENE_VERTICES) {
        return cg_error_at_value(reader->error, at, "found a knot whose other strand has %.0f vertices; expected fewer",
                                 room);
    }
    cg_vec3 *both = cg_scene_take(reader, (size_t)room, sizeof *both);
    if (both == NULL) {
        return false;
    }
    cg_status status = cg_curve_make(&def, both, (int)room, &made);
    if (status.code != CG_OK) {
        return cannot_be_made(reader, at, status);
    }
    if (made.point_count[curve->strand] != count) {
        return cg_error_at_value(reader->error, at, "found a knot of %d vertices instead of %d; expected fewer",
                                 made.point_count[curve->strand], count);
    }
    const cg_vec3 *laid = both + (curve->strand > 0 ? made.point_count[0] : 0);
    for (int i = 0; i < count; i++) {
        points[i] = transform_point(curve->pose, laid[i]);
    }
    return true;
}
