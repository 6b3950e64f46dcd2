// Making a thread of what the scene says: material from the catalogue and the fields, vertices along the shape, ends,
// beads. Whatever cg_world_add_thread would refuse is refused here, where the place in the file is known.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "scene/reader.h"
#include "scene/shapes.h"
#include "scene/units.h"
#include "thread/strength.h"

// What is known of the thread that is being read.
typedef struct thread_reader {
    cg_scene_reader *r;
    const cg_json_value *value; // the object
    cg_thread_spec spec;
    uint64_t given;
    cg_thread_def def;
    double breaking_force; // [N] of the suture; 0: none is named
} thread_reader;

static bool is_given(const thread_reader *t, const char *name)
{
    return cg_scene_is_given(&cg_type_thread, t->given, name);
}

// Material

static bool find_suture(thread_reader *t, cg_suture *suture)
{
    const cg_json_value *at = cg_json_find(t->value, "suture");
    char suggestion[64];
    if (cg_catalogue_find(t->spec.suture, suture, suggestion, sizeof suggestion)) {
        return true;
    }
    if (suggestion[0] != '\0') {
        return cg_error_at_value(t->r->error, at, "found \"%s\", which is not in the catalogue; did you mean \"%s\"?",
                                 t->spec.suture, suggestion);
    }
    return cg_error_at_value(t->r->error, at,
                             "found \"%s\", which is not in the catalogue; expected one such as \"3-0 nylon\" (see "
                             "catgut list materials)",
                             t->spec.suture);
}

// Fields that are given win over the suture, before a braid's bending stiffness is worked out from them.
static bool take_suture(thread_reader *t)
{
    cg_suture suture;
    if (!find_suture(t, &suture)) {
        return false;
    }
    const cg_thread_spec *spec = &t->spec;
    double suture_diameter = suture.diameter.value;
    if (is_given(t, "radius") || is_given(t, "diameter")) {
        suture.diameter.value = 2 * t->def.radius;
    }
    suture.youngs_modulus.value = is_given(t, "youngs_modulus") ? spec->youngs_modulus : suture.youngs_modulus.value;
    suture.poisson_ratio.value = is_given(t, "poisson_ratio") ? spec->poisson_ratio : suture.poisson_ratio.value;
    double thicker = suture.diameter.value / suture_diameter;
    t->breaking_force = suture.breaking_force.value * thicker * thicker;
    suture.density.value = is_given(t, "density") ? spec->density : suture.density.value;
    cg_suture_apply(&suture, &t->def);
    return true;
}

// A field that the law of the thread does not know would be without effect, and nobody would be told.
static bool choose_slip(thread_reader *t)
{
    static const struct {
        const char *field;
        cg_slip_law first; // law that knows it
    } known[] = {
        {"slip_per_force", CG_SLIP_NEEDLE}, {"slip_friction", CG_SLIP_NEEDLE}, {"slip_per_turn", CG_SLIP_TENSION}};
    const cg_thread_spec *spec = &t->spec;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (is_given(t, known[i].field) && ((cg_slip_law)spec->slip < known[i].first || spec->slip == CG_SLIP_PORTAL)) {
            return cg_error_at_value(t->r->error, cg_json_find(t->value, known[i].field),
                                     "found \"%s\" with a \"slip\" that does not know it; expected \"tension\"%s",
                                     known[i].field, known[i].first == CG_SLIP_NEEDLE ? " or \"needle\"" : "");
        }
    }
    t->def.slip = (cg_slip){(cg_slip_law)spec->slip, spec->slip_per_force, spec->slip_per_turn, spec->slip_friction};
    return true;
}

static bool choose_material(thread_reader *t)
{
    const cg_thread_spec *spec = &t->spec;
    cg_thread_def *def = &t->def;
    def->radius = is_given(t, "diameter") ? 0.5 * spec->diameter : spec->radius;
    def->youngs_modulus = spec->youngs_modulus;
    def->poisson_ratio = spec->poisson_ratio;
    def->density = spec->density;
    if (is_given(t, "suture") && !take_suture(t)) {
        return false;
    }
    def->stretch_stiffness = is_given(t, "stretch_stiffness") ? spec->stretch_stiffness : def->stretch_stiffness;
    def->bend_stiffness = is_given(t, "bend_stiffness") ? spec->bend_stiffness : def->bend_stiffness;
    def->twist_stiffness = is_given(t, "twist_stiffness") ? spec->twist_stiffness : def->twist_stiffness;
    def->linear_density = is_given(t, "linear_density") ? spec->linear_density : def->linear_density;
    def->drag = spec->drag;
    def->damping_time = spec->damping_time;
    def->friction = is_given(t, "friction") ? spec->friction : def->friction;
    def->inertia = (cg_inertia)spec->inertia;
    if (!choose_slip(t)) {
        return false;
    }
    if (def->inertia == CG_LOW_MASS && def->drag <= 0) {
        return cg_error_at_value(t->r->error, cg_json_find(t->value, "drag"),
                                 "found no drag with inertia \"low_mass\"; expected a drag above 0, which alone bounds "
                                 "the motion");
    }
    return true;
}

static double strength_of(const thread_reader *t)
{
    return is_given(t, "breaking_force") ? t->spec.breaking_force : t->breaking_force;
}

// What a thread must have that breaks or takes a set: `field` asks for it, `what` says what it does.
static bool check_strength(const thread_reader *t, const char *field, const char *what)
{
    const cg_json_value *at = cg_json_find(t->value, field);
    if (!(strength_of(t) > 0)) {
        return cg_error_at_value(
            t->r->error, at, "found a thread %s, but neither breaking_force nor suture; expected one of them", what);
    }
    if (t->def.model != CG_THREAD_KIRCHHOFF) {
        return cg_error_at_value(t->r->error, at, "found a thread of springs or links %s; expected model \"kirchhoff\"",
                                 what);
    }
    return true;
}

static bool choose_strength(thread_reader *t)
{
    if (!t->spec.breaks) {
        return true;
    }
    t->def.breaking_force = strength_of(t);
    t->def.yield_share = t->spec.yield_share;
    return check_strength(t, "breaks", "that breaks");
}

static bool choose_memory(thread_reader *t)
{
    if (!t->spec.memory) {
        return true;
    }
    if (!check_strength(t, "memory", "with memory")) {
        return false;
    }
    if (!(t->spec.yield_share > 0)) {
        return cg_error_at_value(t->r->error, cg_json_find(t->value, "yield_share"),
                                 "found a yield_share of 0 in a thread with memory; expected one above 0");
    }
    if (t->def.twist_stiffness == 0) {
        return cg_error_at_value(t->r->error, cg_json_find(t->value, "twist_stiffness"),
                                 "found no twist_stiffness in a thread with memory; one that stays bent needs one "
                                 "above 0");
    }
    t->def.yield_moment = cg_strength_yield_moment(t->def.radius, strength_of(t), t->spec.yield_share);
    return true;
}

// Shapes

static bool read_corners(cg_scene_reader *r, const cg_json_value *list, cg_scene_curve *curve)
{
    cg_vec3 *points = cg_scene_take(r, (size_t)list->count, sizeof *points);
    if (points == NULL) {
        return false;
    }
    for (int i = 0; i < list->count; i++) {
        const cg_json_value *item = list->as.items[i];
        if (!cg_json_vector(item, "m", &points[i], r->error)) {
            return false;
        }
        if (!(fabs(points[i].x) <= 1e5 && fabs(points[i].y) <= 1e5 && fabs(points[i].z) <= 1e5)) {
            return cg_error_at_value(r->error, item, "found a point more than 1e5 m away; expected a nearer one");
        }
    }
    *curve = cg_scene_curve_polyline(points, list->count);
    return true;
}

static bool read_corner_file(cg_scene_reader *r, const char *path, const cg_json_value *at, cg_scene_curve *curve)
{
    int source = cg_scene_open_source(r, path, at), count = 0;
    if (source < 0) {
        return false;
    }
    const cg_scene_source_text *text = &r->scene->sources[source];
    cg_scene_enter_source(r, source);
    if (!cg_points_read(text->text, text->size, CG_SCENE_VERTICES, NULL, &count, r->error)) {
        return false;
    }
    cg_vec3 *points = cg_scene_take(r, (size_t)count, sizeof *points);
    if (points == NULL || !cg_points_read(text->text, text->size, CG_SCENE_VERTICES, points, &count, r->error)) {
        return false;
    }
    cg_scene_enter_source(r, r->open_files[r->depth - 1]);
    *curve = cg_scene_curve_polyline(points, count);
    return true;
}

static bool read_shape(thread_reader *t, const cg_json_value *value, cg_scene_curve *curve)
{
    cg_scene_reader *r = t->r;
    cg_shape_spec shape = {0};
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_shape, value, &shape, &given, r->error)) {
        return false;
    }
    if (shape.line != NULL) {
        cg_line_spec line = {0};
        bool fine = cg_scene_read_fields(&cg_type_line, shape.line, &line, &given, r->error);
        *curve = cg_scene_curve_line(&line);
        return fine;
    }
    if (shape.circle != NULL) {
        cg_circle_spec circle = cg_circle_spec_default();
        bool fine = cg_scene_read_fields(&cg_type_circle, shape.circle, &circle, &given, r->error);
        *curve = cg_scene_curve_circle(&circle);
        return fine && cg_scene_has_direction(shape.circle, circle.axis, r->error);
    }
    if (shape.helix != NULL) {
        cg_helix_spec helix = cg_helix_spec_default();
        bool fine = cg_scene_read_fields(&cg_type_helix, shape.helix, &helix, &given, r->error);
        *curve = cg_scene_curve_helix(&helix);
        return fine && cg_scene_has_direction(shape.helix, helix.axis, r->error);
    }
    if (shape.knot != NULL) {
        return cg_scene_read_knot(r, shape.knot, t->def.radius, curve);
    }
    if (shape.points != NULL) {
        return read_corners(r, shape.points, curve);
    }
    return read_corner_file(r, shape.file, value->as.items[0], curve);
}

// How many vertices the thread gets. As a double, because a tiny spacing can ask for more than an int holds.
static double count_vertices(const thread_reader *t, const cg_scene_curve *curve)
{
    enum { MOST_UNASKED = 1001 };
    // A length that is a whole number of spacings must not be one segment more by rounding.
    const double nearly = 1 - 1e-9;
    if (is_given(t, "vertices")) {
        return t->spec.vertices;
    }
    if (is_given(t, "spacing")) {
        return fmax(1, ceil(curve->length / t->spec.spacing * nearly)) + 1;
    }
    if (curve->kind == CG_SCENE_CURVE_POLYLINE) {
        return curve->point_count;
    }
    if (curve->kind == CG_SCENE_CURVE_KNOT) { // tight bends need short segments
        return fmax(1, ceil(curve->length / (2 * t->def.radius) * nearly)) + 1;
    }
    return fmin(fmax(1, ceil(curve->length / (20 * t->def.radius) * nearly)) + 1, MOST_UNASKED);
}

static bool sample(thread_reader *t, const cg_scene_curve *curve, const cg_json_value *at, const cg_vec3 **points)
{
    int count = t->def.vertex_count;
    cg_vec3 *sampled = cg_scene_take(t->r, (size_t)count, sizeof *sampled);
    if (sampled == NULL) {
        return false;
    }
    bool as_given = curve->kind == CG_SCENE_CURVE_POLYLINE && curve->point_count == count && !is_given(t, "vertices") &&
                    !is_given(t, "spacing");
    if (as_given) {
        memcpy(sampled, curve->points, (size_t)count * sizeof *sampled);
    } else if (curve->kind == CG_SCENE_CURVE_KNOT) {
        if (!cg_scene_sample_knot(t->r, at, curve, count, sampled)) {
            return false;
        }
    } else {
        cg_scene_curve_sample(curve, count, sampled);
    }
    for (int i = 1; i < count; i++) {
        double length = v3_distance(sampled[i - 1], sampled[i]);
        if (!(length >= 1e-9 && length <= 1e6)) {
            return cg_error_at_value(t->r->error, at,
                                     "found vertices %d and %d of the thread %g m apart; expected 1e-9 to 1e6 m", i - 1,
                                     i, length);
        }
    }
    *points = sampled;
    return true;
}

// Segments far shorter than the thread is thick add nothing to its shape, but each of them meets hundreds of others:
// where threads touch, steps would take seconds. [radii]
static const double SHORTEST_SEGMENT = 0.1;

static bool check_segments(const thread_reader *t, double length)
{
    double each = length / (t->def.vertex_count - 1), least = SHORTEST_SEGMENT * t->def.radius;
    if (t->r->scene->world_def.max_contacts == 0 || each >= least) {
        return true;
    }
    const cg_json_value *asked = cg_json_find(t->value, is_given(t, "spacing") ? "spacing" : "vertices");
    return cg_error_at_value(t->r->error, asked != NULL ? asked : t->value,
                             "found segments of %g m in a thread of radius %g m; expected a tenth of the radius or "
                             "more, or \"max_contacts\": 0",
                             each, t->def.radius);
}

static bool choose_shape(thread_reader *t)
{
    cg_scene_curve curve;
    cg_scene *scene = t->r->scene;
    if (!read_shape(t, t->spec.shape, &curve)) {
        return false;
    }
    double count = count_vertices(t, &curve);
    if (count > CG_SCENE_VERTICES - scene->vertex_count) {
        return cg_error_at_value(t->r->error, t->value,
                                 "found %.0f vertices, %.0f with the threads before; expected at most %d in a scene",
                                 count, count + scene->vertex_count, CG_SCENE_VERTICES);
    }
    t->def.vertex_count = (int)count;
    scene->vertex_count += t->def.vertex_count;
    return sample(t, &curve, t->spec.shape, &t->def.positions) && check_segments(t, curve.length);
}

// A polygon with the segments of the thread that turns by their length over the radius from one to the next. It may
// go round many times: only its bends count.
static bool lay_in_packet(thread_reader *t)
{
    cg_thread_def *def = &t->def;
    double radius = t->spec.packet_radius, heading = 0, before = 0;
    cg_vec3 *points = cg_scene_take(t->r, (size_t)def->vertex_count, sizeof *points);
    if (points == NULL) {
        return false;
    }
    points[0] = v3_zero();
    for (int i = 1; i < def->vertex_count; i++) {
        double length = v3_distance(def->positions[i - 1], def->positions[i]);
        if (length > radius) {
            return cg_error_at_value(t->r->error, cg_json_find(t->value, "packet_radius"),
                                     "found a packet_radius of %g m with segments of %g m; expected at least as much",
                                     radius, length);
        }
        heading += i > 1 ? 0.5 * (before + length) / radius : 0;
        points[i] = v3_add_scaled(points[i - 1], length, v3(cg_cos(heading), cg_sin(heading), 0));
        before = length;
    }
    def->rest_shape = points;
    return true;
}

static bool choose_rest(thread_reader *t)
{
    cg_thread_def *def = &t->def;
    const cg_scene_choice *rest = &t->spec.rest;
    if (rest->object != NULL) {
        cg_scene_curve curve;
        if (!read_shape(t, rest->object, &curve) || !sample(t, &curve, rest->object, &def->rest_shape)) {
            return false;
        }
    } else if (rest->word == CG_REST_AS_PLACED) {
        def->rest_shape = def->positions;
    } else if (is_given(t, "packet_radius") && !lay_in_packet(t)) {
        return false;
    }
    if (def->rest_shape != NULL && def->twist_stiffness == 0) {
        return cg_error_at_value(t->r->error, cg_json_find(t->value, "twist_stiffness"),
                                 "found no twist_stiffness with a rest shape; a curved thread needs one above 0");
    }
    return true;
}

// Vertices that may come count as vertices of the scene: there is memory for them.
static bool choose_spacing(thread_reader *t)
{
    cg_scene *scene = t->r->scene;
    cg_follow_spec spec = {0};
    uint64_t given;
    if (t->spec.follow == NULL) {
        return true;
    }
    if (!cg_scene_read_fields(&cg_type_follow, t->spec.follow, &spec, &given, t->r->error)) {
        return false;
    }
    double fine = spec.fine > 0 ? spec.fine : t->def.radius;
    if (spec.coarse > 0 && spec.coarse < fine) {
        return cg_error_at_value(t->r->error, cg_json_find(t->spec.follow, "coarse"),
                                 "found coarse %g m below fine, %g m; expected at least that", spec.coarse, fine);
    }
    if (fine < 1e-8) {
        return cg_error_at_value(t->r->error, t->spec.follow,
                                 "found a radius of %g m for the length of fine segments; expected 1e-8 m or more",
                                 fine);
    }
    int count = t->def.vertex_count, most = spec.max_vertices > 0 ? spec.max_vertices : count + 1000;
    if (most < count) {
        return cg_error_at_value(t->r->error, cg_json_find(t->spec.follow, "max_vertices"),
                                 "found room for %d vertices; expected %d or more, which the thread has at the start",
                                 most, count);
    }
    if (most - count > CG_SCENE_VERTICES - scene->vertex_count) {
        return cg_error_at_value(
            t->r->error, t->spec.follow,
            "found room for %d vertices, %d with the threads before; expected at most %d in a scene", most,
            most - count + scene->vertex_count, CG_SCENE_VERTICES);
    }
    scene->vertex_count += most - count;
    t->def.spacing = (cg_spacing){.follow = true, .fine = fine, .coarse = spec.coarse, .max_vertices = most};
    return true;
}

// Models

static bool refuse_with_model(const thread_reader *t, const char *field, const char *why)
{
    return cg_error_at_value(t->r->error, cg_json_find(t->value, field),
                             "found \"%s\" with this \"model\" of a thread; %s", field, why);
}

static bool choose_model(thread_reader *t)
{
    cg_thread_def *def = &t->def;
    uint64_t given;
    def->model = (cg_thread_model)t->spec.model;
    if (t->spec.springs != NULL && def->model != CG_THREAD_MASS_SPRING) {
        return refuse_with_model(t, "springs", "expected \"mass-spring\"");
    }
    if (t->spec.links != NULL && def->model != CG_THREAD_CHAIN) {
        return refuse_with_model(t, "links", "expected \"chain\"");
    }
    if (def->model != CG_THREAD_KIRCHHOFF && def->spacing.follow) {
        return refuse_with_model(t, "follow", "only a \"kirchhoff\" thread can have it");
    }
    if (def->model != CG_THREAD_KIRCHHOFF && def->rest_shape != NULL) {
        return refuse_with_model(t, is_given(t, "rest") ? "rest" : "packet_radius",
                                 "only a \"kirchhoff\" thread can have one");
    }
    static const char *const ends[2] = {"start", "finish"};
    for (int e = 0; e < 2; e++) {
        if (def->model != CG_THREAD_KIRCHHOFF && def->ends[e].kind == CG_END_CLAMPED) {
            return refuse_with_model(t, ends[e], "it has no directions to be clamped; expected \"pinned\"");
        }
    }
    bool fine = t->spec.springs == NULL ||
                cg_scene_read_fields(&cg_type_springs, t->spec.springs, &def->springs, &given, t->r->error);
    return fine && (t->spec.links == NULL ||
                    cg_scene_read_fields(&cg_type_links, t->spec.links, &def->links, &given, t->r->error));
}

// Ends and beads

static bool choose_end(thread_reader *t, cg_end end)
{
    const cg_scene_choice *choice = &t->spec.ends[end];
    cg_end_hold *hold = &t->def.ends[end];
    hold->kind = (cg_end_kind)choice->word;
    if (choice->object == NULL) {
        return true;
    }
    cg_end_spec spec = {0};
    cg_clamp_spec clamp = {0};
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_end, choice->object, &spec, &given, t->r->error) ||
        !cg_scene_read_fields(&cg_type_clamp, spec.clamped, &clamp, &given, t->r->error)) {
        return false;
    }
    *hold = (cg_end_hold){.kind = CG_END_CLAMPED, .direction = clamp.direction, .turn = clamp.turn};
    return true;
}

static bool read_masses(thread_reader *t, cg_scene_thread *thread)
{
    const cg_json_value *list = t->spec.masses;
    if (list == NULL || list->count == 0) {
        return true;
    }
    cg_mass_spec *masses = cg_scene_take(t->r, (size_t)list->count, sizeof *masses);
    if (masses == NULL) {
        return false;
    }
    for (int i = 0; i < list->count; i++) {
        const cg_json_value *item = list->as.items[i];
        uint64_t given;
        if (!cg_scene_read_fields(&cg_type_mass, item, &masses[i], &given, t->r->error)) {
            return false;
        }
        int count = t->def.vertex_count, vertex = masses[i].vertex;
        masses[i].vertex += vertex < 0 ? count : 0;
        if (masses[i].vertex < 0 || masses[i].vertex >= count) {
            return cg_error_at_value(t->r->error, cg_json_find(item, "vertex"),
                                     "found vertex %d of a thread of %d vertices; expected %d to %d", vertex, count,
                                     -count, count - 1);
        }
    }
    thread->masses = masses;
    thread->mass_count = list->count;
    return true;
}

// The thread

static cg_scene_thread *new_thread(cg_scene_reader *r, const cg_json_value *value)
{
    cg_scene *scene = r->scene;
    if (scene->thread_count == CG_SCENE_THREADS) {
        cg_error_at_value(r->error, value, "found one thread more; expected at most %d in a scene", CG_SCENE_THREADS);
        return NULL;
    }
    if (scene->thread_count == scene->thread_capacity) {
        int capacity = scene->thread_capacity > 0 ? 2 * scene->thread_capacity : 8;
        cg_scene_thread *larger = cg_scene_take(r, (size_t)capacity, sizeof *larger);
        if (larger == NULL) {
            return NULL;
        }
        if (scene->thread_count > 0) {
            memcpy(larger, scene->threads, (size_t)scene->thread_count * sizeof *larger);
        }
        scene->threads = larger;
        scene->thread_capacity = capacity;
    }
    return &scene->threads[scene->thread_count];
}

bool cg_scene_read_thread(cg_scene_reader *r, const cg_json_value *value)
{
    thread_reader t = {.r = r, .value = value, .spec = cg_thread_spec_default(), .def = cg_thread_def_default()};
    cg_scene_thread *thread = new_thread(r, value);
    if (thread == NULL || !cg_scene_read_fields(&cg_type_thread, value, &t.spec, &t.given, r->error) ||
        !cg_scene_choose_name(r, &r->thread_names, value, "thread", r->scene->thread_count + 1, &thread->name) ||
        !choose_material(&t) || !choose_shape(&t) || !choose_spacing(&t) || !choose_rest(&t) ||
        !choose_end(&t, CG_START) || !choose_end(&t, CG_FINISH) || !choose_model(&t) || !choose_strength(&t) ||
        !choose_memory(&t) || !read_masses(&t, thread)) {
        return false;
    }
    thread->def = t.def;
    thread->cuts = t.spec.breaks && t.spec.cuts == 0 ? 1 : t.spec.cuts;
    thread->part_of = 0;
    r->scene->thread_count++;
    return true;
}

// Parts

static bool add_part(cg_scene_reader *r, int whole, int number)
{
    enum { ROOM_FOR_NUMBER = 8 };
    const char *name = r->scene->threads[whole].name;
    size_t room = strlen(name) + ROOM_FOR_NUMBER;
    char *made = cg_scene_take(r, room, 1);
    cg_scene_thread *part = new_thread(r, cg_json_root(r->scene->trees[0]));
    if (made == NULL || part == NULL) {
        return false;
    }
    snprintf(made, room, "%s-%d", name, number);
    if (!cg_scene_is_new_name(r, &r->thread_names, cg_json_root(r->scene->trees[0]), "thread", made)) {
        return false;
    }
    *part = (cg_scene_thread){.name = made, .def = r->scene->threads[whole].def, .part_of = whole + 1};
    r->scene->thread_count++;
    return true;
}

bool cg_scene_add_parts(cg_scene_reader *r)
{
    int wholes = r->scene->thread_count;
    bool fine = true;
    for (int i = 0; i < wholes && fine; i++) {
        for (int k = 0; k < r->scene->threads[i].cuts && fine; k++) {
            fine = add_part(r, i, k + 2);
        }
    }
    return fine;
}
