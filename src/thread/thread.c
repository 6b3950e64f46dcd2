#include "thread/thread.h"

#include <string.h>

#include "base/frame.h"
#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "thread/model.h"
#include "thread/part.h"
#include "thread/slide.h"
#include "thread/strength.h"

// Table 4.1 of the source, which has no limits of lengths and no margin.
static cg_spring_options spring_options_default(void)
{
    cg_mass_spring_def table = cg_mass_spring_def_table(4, 30);
    return (cg_spring_options){.forces = table.model,
                               .point_mass = table.mass,
                               .linear_spring = table.linear_spring,
                               .quadratic_spring = table.quadratic_spring,
                               .linear_damper = table.linear_damper,
                               .torsional_spring = table.torsional_spring,
                               .torsional_damper = table.torsional_damper,
                               .swivel_damper = table.swivel_damper,
                               .shortest = 0.9,
                               .longest = 1.1,
                               .repulsion_spring = 100,
                               .repulsion_damper = 5,
                               .margin = 0.02};
}

cg_thread_def cg_thread_def_default(void)
{
    return (cg_thread_def){
        .radius = 0.11e-3,
        .youngs_modulus = 2.5e9,
        .poisson_ratio = 0.4,
        .density = 1140,
        .stretch_stiffness = CG_FROM_MATERIAL,
        .bend_stiffness = CG_FROM_MATERIAL,
        .twist_stiffness = CG_FROM_MATERIAL,
        .linear_density = CG_FROM_MATERIAL,
        .friction = 0.2,
        .drag = 10,
        .inertia = CG_TRUE_MASS,
        .yield_share = 0.5,
        .springs = spring_options_default(),
        .links = {.carry = 0.9, .margin = 0.02},
    };
}

static bool in_range(double value, double low, double high)
{
    return value >= low && value <= high; // false for a NaN
}

// A stiffness that is given, or asked to be derived.
static bool is_given_or_derived(double value, double low)
{
    return value == CG_FROM_MATERIAL || in_range(value, low, 1e15);
}

static cg_status check_material(const cg_thread_def *def)
{
    if (!in_range(def->radius, 1e-9, 1)) {
        return cg_error(CG_BAD_INPUT, "radius is %g m; expected 1e-9 to 1", def->radius);
    }
    if (!in_range(def->youngs_modulus, 1e-3, 1e15)) {
        return cg_error(CG_BAD_INPUT, "youngs_modulus is %g Pa; expected 1e-3 to 1e15", def->youngs_modulus);
    }
    if (!in_range(def->poisson_ratio, -1, 0.5) || def->poisson_ratio == -1) {
        return cg_error(CG_BAD_INPUT, "poisson_ratio is %g; expected above -1, at most 0.5", def->poisson_ratio);
    }
    if (!in_range(def->density, 1e-3, 1e6)) {
        return cg_error(CG_BAD_INPUT, "density is %g kg/m3; expected 1e-3 to 1e6", def->density);
    }
    if (!is_given_or_derived(def->stretch_stiffness, 1e-12)) {
        return cg_error(CG_BAD_INPUT, "stretch_stiffness is %g N; expected above 0", def->stretch_stiffness);
    }
    if (!is_given_or_derived(def->bend_stiffness, 0)) {
        return cg_error(CG_BAD_INPUT, "bend_stiffness is %g N m2; expected 0 or more", def->bend_stiffness);
    }
    if (!is_given_or_derived(def->twist_stiffness, 0)) {
        return cg_error(CG_BAD_INPUT, "twist_stiffness is %g N m2; expected 0 or more", def->twist_stiffness);
    }
    if (!is_given_or_derived(def->linear_density, 1e-15)) {
        return cg_error(CG_BAD_INPUT, "linear_density is %g kg/m; expected above 0", def->linear_density);
    }
    if (!in_range(def->breaking_force, 0, 1e9)) {
        return cg_error(CG_BAD_INPUT, "breaking_force is %g N; expected 0 or more", def->breaking_force);
    }
    if (!in_range(def->yield_share, 0, 0.9)) {
        return cg_error(CG_BAD_INPUT, "yield_share is %g; expected 0 to 0.9", def->yield_share);
    }
    return cg_ok();
}

// A set is a curved rest shape that comes about, and needs what such a shape does.
static cg_status check_memory(const cg_thread_def *def)
{
    bool is_derived = def->yield_moment == CG_FROM_MATERIAL;
    if (!is_derived && def->yield_moment != 0 && !in_range(def->yield_moment, 1e-30, 1e15)) {
        return cg_error(CG_BAD_INPUT, "yield_moment is %g N m; expected 0, or above 0", def->yield_moment);
    }
    if (is_derived && !(def->breaking_force > 0 && def->yield_share > 0)) {
        return cg_error(CG_BAD_INPUT,
                        "yield_moment is to come from a breaking_force of %g N and a yield_share of %g; "
                        "expected both above 0",
                        def->breaking_force, def->yield_share);
    }
    bool is_curved = def->rest_shape != NULL || def->yield_moment != 0;
    if (is_curved && def->twist_stiffness == 0) {
        return cg_error(CG_BAD_INPUT, "twist_stiffness is 0 with a %s; a curved thread needs one above 0",
                        def->rest_shape != NULL ? "rest_shape" : "yield_moment");
    }
    return cg_ok();
}

static cg_status check_motion(const cg_thread_def *def)
{
    if (!in_range(def->drag, 0, 1e9)) {
        return cg_error(CG_BAD_INPUT, "drag is %g 1/s; expected 0 or more", def->drag);
    }
    if (!in_range(def->friction, 0, 100)) {
        return cg_error(CG_BAD_INPUT, "friction is %g; expected 0 or more", def->friction);
    }
    if (!in_range(def->damping_time, 0, 1e6)) {
        return cg_error(CG_BAD_INPUT, "damping_time is %g s; expected 0 or more", def->damping_time);
    }
    if (def->inertia != CG_TRUE_MASS && def->inertia != CG_LOW_MASS) {
        return cg_error(CG_BAD_INPUT, "inertia is %d; expected CG_TRUE_MASS or CG_LOW_MASS", (int)def->inertia);
    }
    if (def->inertia == CG_LOW_MASS && def->drag <= 0) {
        return cg_error(CG_BAD_INPUT, "drag is 0 with CG_LOW_MASS; without mass only drag bounds the motion");
    }
    for (int e = 0; e < 2; e++) {
        if (def->ends[e].kind < CG_END_FREE || def->ends[e].kind > CG_END_CLAMPED) {
            return cg_error(CG_BAD_INPUT, "ends[%d].kind is %d; expected a cg_end_kind", e, (int)def->ends[e].kind);
        }
        if (!v3_is_finite(def->ends[e].direction) || !in_range(def->ends[e].turn, -1e6, 1e6)) {
            return cg_error(CG_BAD_INPUT, "ends[%d] has a direction or turn that is not finite", e);
        }
    }
    return cg_ok();
}

static cg_status check_points(const cg_vec3 *points, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (!v3_is_finite(points[i]) || !(v3_dot(points[i], points[i]) <= 1e12)) {
            return cg_error(CG_BAD_INPUT, "%s[%d] is (%g, %g, %g); expected finite, within 1e6 m of the origin", name,
                            i, points[i].x, points[i].y, points[i].z);
        }
    }
    return cg_ok();
}

// Rest lengths as given, else from the rest shape, else from the start shape.
static double rest_length_of(const cg_thread_def *def, int segment)
{
    const cg_vec3 *shape = def->rest_shape ? def->rest_shape : def->positions;
    return def->rest_lengths ? def->rest_lengths[segment] : v3_distance(shape[segment + 1], shape[segment]);
}

static cg_status check_lengths(const cg_thread_def *def)
{
    for (int i = 0; i < def->vertex_count - 1; i++) {
        double length = rest_length_of(def, i);
        if (!in_range(length, CG_THREAD_SHORTEST, CG_THREAD_LONGEST)) {
            const char *source = def->rest_lengths ? "rest_lengths" : (def->rest_shape ? "rest_shape" : "positions");
            return cg_error(CG_BAD_INPUT, "segment %d has rest length %g m from %s; expected 1e-9 to 1e6", i, length,
                            source);
        }
    }
    return cg_ok();
}

static cg_status check_spacing(const cg_thread_def *def)
{
    const cg_spacing *spacing = &def->spacing;
    if (!spacing->follow) {
        return cg_ok();
    }
    double fine = spacing->fine != 0 ? spacing->fine : def->radius;
    if (!in_range(fine, 1e-8, 1e6)) {
        return cg_error(CG_BAD_INPUT, "spacing.fine is %g m; expected 1e-8 to 1e6, or 0 for the radius", fine);
    }
    if (spacing->coarse != 0 && !in_range(spacing->coarse, fine, 1e6)) {
        return cg_error(CG_BAD_INPUT, "spacing.coarse is %g m; expected %g, which is fine, to 1e6, or 0",
                        spacing->coarse, fine);
    }
    int most = spacing->max_vertices;
    if (most != 0 && (most < def->vertex_count || most > 1000000)) {
        return cg_error(CG_BAD_INPUT,
                        "spacing.max_vertices is %d; expected %d, which is vertex_count, to 1000000, or 0", most,
                        def->vertex_count);
    }
    return cg_ok();
}

static cg_status check_slip(const cg_slip *slip)
{
    if (slip->law == CG_SLIP_CAPSTAN || slip->law == CG_SLIP_PORTAL) {
        return cg_ok();
    }
    if (slip->law != CG_SLIP_NEEDLE && slip->law != CG_SLIP_TENSION) {
        return cg_error(CG_BAD_INPUT, "slip.law is %d; expected 0 to %d", (int)slip->law, CG_SLIP_PORTAL);
    }
    if (!(in_range(slip->per_force, 0, 1) && slip->per_force > 0)) {
        return cg_error(CG_BAD_INPUT, "slip.per_force is %g m/N; expected above 0 and at most 1", slip->per_force);
    }
    if (!in_range(slip->per_turn, 0, 1)) {
        return cg_error(CG_BAD_INPUT, "slip.per_turn is %g m/N; expected 0 to 1", slip->per_turn);
    }
    if (!in_range(slip->friction, 0, 1e6)) {
        return cg_error(CG_BAD_INPUT, "slip.friction is %g N; expected 0 to 1e6", slip->friction);
    }
    return cg_ok();
}

static cg_status check_def(const cg_thread_def *def)
{
    if (def->vertex_count < 2 || def->vertex_count > 1000000) {
        return cg_error(CG_BAD_INPUT, "vertex_count is %d; expected 2 to 1000000", def->vertex_count);
    }
    if (def->positions == NULL) {
        return cg_error(CG_BAD_INPUT, "positions is NULL; expected %d points", def->vertex_count);
    }
    cg_status status = check_points(def->positions, def->vertex_count, "positions");
    if (status.code == CG_OK && def->rest_shape != NULL) {
        status = check_points(def->rest_shape, def->vertex_count, "rest_shape");
    }
    status = status.code == CG_OK ? check_lengths(def) : status;
    status = status.code == CG_OK ? check_material(def) : status;
    status = status.code == CG_OK ? check_motion(def) : status;
    status = status.code == CG_OK ? check_spacing(def) : status;
    status = status.code == CG_OK ? check_slip(&def->slip) : status;
    status = status.code == CG_OK ? cg_model_check_def(def) : status;
    return status.code == CG_OK ? check_memory(def) : status;
}

static void lay_out(cg_thread *thread, cg_arena *arena)
{
    int vertices = thread->most_vertices, segments = vertices - 1;
    int targets = thread->has_rest_shape ? vertices : 0, damped = thread->damping_time > 0 ? vertices : 0;
    int following = thread->spacing.follow ? vertices : 0;
    thread->rest_length = cg_arena_push_array(arena, double, segments);
    thread->arc = cg_arena_push_array(arena, double, vertices);
    thread->joint_length = cg_arena_push_array(arena, double, vertices);
    thread->stretch_rate = cg_arena_push_array(arena, double, segments);
    thread->bend_rate = cg_arena_push_array(arena, double, vertices);
    thread->rest_ahead = cg_arena_push_array(arena, cg_vec3, targets);
    thread->rest_behind = cg_arena_push_array(arena, cg_vec3, targets);
    thread->mass = cg_arena_push_array(arena, double, vertices);
    thread->added_mass = cg_arena_push_array(arena, double, vertices);
    cg_shape_layout(&thread->shape, vertices, arena);
    cg_shape_layout(&thread->trial, vertices, arena);
    thread->velocity = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->earlier = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->earlier_velocity = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->origin = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->coasting = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->force = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->moment = cg_arena_push_array(arena, cg_vec3, segments);
    thread->held = cg_arena_push_array(arena, bool, vertices);
    thread->target = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->hold_force = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->start = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->start_length = cg_arena_push_array(arena, double, segments);
    thread->damp_ahead = cg_arena_push_array(arena, cg_vec3, damped);
    thread->damp_behind = cg_arena_push_array(arena, cg_vec3, damped);
    thread->applied = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->rhs = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->contact = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->move = cg_arena_push_array(arena, cg_vec3, vertices);
    thread->foreseen_pull = cg_arena_push_array(arena, double, segments);
    thread->spin = cg_arena_push_array(arena, double, segments);
    thread->start_angle = cg_arena_push_array(arena, double, segments);
    thread->contact_torque = cg_arena_push_array(arena, double, segments);
    thread->turn = cg_arena_push_array(arena, double, segments);
    thread->roll = cg_arena_push_array(arena, cg_roll_row, segments);
    thread->rows = cg_arena_push_array(arena, cg_band_row, vertices);
    thread->held_rows = cg_arena_push_array(arena, cg_held_row, vertices);
    thread->wanted = cg_arena_push_array(arena, double, following);
    thread->mark = cg_arena_push_array(arena, unsigned char, following);
    cg_band_layout(&thread->factor, vertices, arena);
}

// What is left open becomes a number.
static cg_spacing complete_spacing(const cg_thread_def *def)
{
    enum { MORE_VERTICES = 1000, MOST_VERTICES = 1000000 };
    cg_spacing spacing = def->spacing;
    int room = def->vertex_count < MOST_VERTICES - MORE_VERTICES ? def->vertex_count + MORE_VERTICES : MOST_VERTICES;
    spacing.fine = spacing.fine > 0 ? spacing.fine : def->radius;
    spacing.coarse = spacing.coarse > 0 ? spacing.coarse : 16 * spacing.fine;
    spacing.max_vertices = spacing.max_vertices > 0 ? spacing.max_vertices : room;
    return spacing.follow ? spacing : (cg_spacing){.max_vertices = def->vertex_count};
}

static cg_thread *allocate(const cg_thread_def *def, const cg_allocator *allocator)
{
    cg_thread *thread = cg_memory_take(allocator, sizeof *thread);
    if (thread == NULL) {
        return NULL;
    }
    thread->allocator = *allocator;
    thread->vertex_count = def->vertex_count;
    thread->segment_count = def->vertex_count - 1;
    thread->spacing = complete_spacing(def);
    thread->slip = def->slip;
    thread->most_vertices = thread->spacing.max_vertices;
    thread->is_edited = thread->spacing.follow;
    thread->has_rest_shape = def->rest_shape != NULL || def->yield_moment != 0;
    thread->damping_time = def->damping_time;
    thread->breaking_force = def->breaking_force;
    thread->yield_share = def->yield_share;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(thread, &arena);
    size_t bytes = cg_arena_used(&arena);
    thread->memory = cg_memory_take(allocator, bytes);
    if (thread->memory == NULL) {
        cg_memory_give(allocator, thread);
        return NULL;
    }
    cg_arena_init(&arena, thread->memory, bytes);
    lay_out(thread, &arena);
    cg_band_resize(&thread->factor, thread->vertex_count);
    return thread;
}

// A solid round section: A = pi r^2, I = pi r^4 / 4, J = 2 I, G = E / (2 (1 + nu)).
static void set_stiffnesses(cg_thread *thread, const cg_thread_def *def)
{
    double r2 = def->radius * def->radius, area = CG_PI * r2, inertia = 0.25 * area * r2;
    double shear = def->youngs_modulus / (2 * (1 + def->poisson_ratio));
    thread->radius = def->radius;
    thread->stretch_stiffness =
        def->stretch_stiffness == CG_FROM_MATERIAL ? def->youngs_modulus * area : def->stretch_stiffness;
    thread->bend_stiffness =
        def->bend_stiffness == CG_FROM_MATERIAL ? def->youngs_modulus * inertia : def->bend_stiffness;
    thread->twist_stiffness = def->twist_stiffness == CG_FROM_MATERIAL ? shear * 2 * inertia : def->twist_stiffness;
    thread->linear_density = def->linear_density == CG_FROM_MATERIAL ? def->density * area : def->linear_density;
    thread->friction = def->friction;
    thread->drag = def->drag;
    thread->inertia = def->inertia;
    thread->yield_moment = def->yield_moment != CG_FROM_MATERIAL
                               ? def->yield_moment
                               : cg_strength_yield_moment(def->radius, def->breaking_force, def->yield_share);
}

void cg_thread_update_masses(cg_thread *thread)
{
    bool is_even = cg_thread_has_springs(thread); // its ends weigh as much as all others
    for (int i = 0; i < thread->vertex_count; i++) {
        double length = is_even ? thread->rest_length[0] : thread->joint_length[i];
        thread->mass[i] = thread->linear_density * length + thread->added_mass[i];
    }
}

void cg_thread_update_lengths(cg_thread *thread)
{
    for (int i = 0; i < thread->segment_count; i++) {
        thread->arc[i + 1] = thread->arc[i] + thread->rest_length[i];
        thread->stretch_rate[i] = thread->stretch_stiffness / thread->rest_length[i];
    }
    for (int i = 0; i < thread->vertex_count; i++) {
        double before = i > 0 ? thread->rest_length[i - 1] : 0;
        double after = i < thread->segment_count ? thread->rest_length[i] : 0;
        thread->joint_length[i] = 0.5 * (before + after);
        thread->bend_rate[i] = thread->bend_stiffness / thread->joint_length[i];
    }
    if (thread->slide != NULL) {
        cg_slide_set_rates(thread);
    }
}

int cg_thread_segment_at_arc(const cg_thread *thread, double arc, double *fraction)
{
    int low = 0, high = thread->segment_count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (thread->arc[middle + 1] >= arc) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    double share = (arc - thread->arc[low]) / thread->rest_length[low];
    *fraction = share < 0 ? 0.0 : (share > 1 ? 1.0 : share);
    return low;
}

// Components of a tangent in the frame of a segment: along the director, across it, along the segment.
static cg_vec3 components_of(cg_vec3 tangent, cg_vec3 segment, cg_vec3 director)
{
    return v3(v3_dot(tangent, director), v3_dot(tangent, v3_cross(segment, director)), v3_dot(tangent, segment));
}

// What bends by no more than the rounding of points that lie in a line is straight.
static cg_vec3 straightened(cg_vec3 ahead)
{
    static const double ROUNDING = 1e-10; // [rad]
    return fabs(ahead.x) < ROUNDING && fabs(ahead.y) < ROUNDING && ahead.z > 0 ? v3(0, 0, 1) : ahead;
}

// The rest shape is kept as what each segment sees of its neighbour, in frames that do not twist along the rest shape.
static void set_rest_shape(cg_thread *thread, const cg_vec3 *points)
{
    cg_vec3 t0 = v3_unit_or(v3_sub(points[1], points[0]), v3(1, 0, 0)), u0 = v3_any_normal(t0);
    for (int j = 1; j < thread->segment_count; j++) {
        cg_vec3 t1 = v3_unit_or(v3_sub(points[j + 1], points[j]), t0);
        cg_vec3 u1 = parallel_transport(u0, t0, t1);
        u1 = v3_unit_or(v3_add_scaled(u1, -v3_dot(u1, t1), t1), v3_any_normal(t1));
        thread->rest_ahead[j] = straightened(components_of(t1, t0, u0));
        thread->rest_behind[j] = straightened(components_of(t0, t1, u1));
        t0 = t1;
        u0 = u1;
    }
}

// The rest of a thread that has no set yet.
static void set_straight(cg_thread *thread)
{
    for (int j = 1; j < thread->segment_count; j++) {
        thread->rest_ahead[j] = thread->rest_behind[j] = v3(0, 0, 1);
    }
}

// Directions for segments that start without a length: as the segment before, or the next one that has a direction.
static void seed_tangents(cg_thread *thread, const cg_vec3 *points)
{
    cg_vec3 *tangent = thread->shape.tangent, known = v3(1, 0, 0);
    for (int i = thread->segment_count - 1; i >= 0; i--) {
        known = v3_unit_or(v3_sub(points[i + 1], points[i]), known);
    }
    for (int i = 0; i < thread->segment_count; i++) {
        known = tangent[i] = v3_unit_or(v3_sub(points[i + 1], points[i]), known);
    }
}

void cg_thread_place(cg_thread *thread, const cg_vec3 *positions, const cg_vec3 *velocities)
{
    size_t bytes = sizeof(cg_vec3) * (size_t)thread->vertex_count;
    memcpy(thread->shape.position, positions, bytes);
    memset(thread->velocity, 0, bytes);
    if (velocities != NULL) {
        memcpy(thread->velocity, velocities, bytes);
    }
    memcpy(thread->target, positions, bytes);
    cg_thread_lay_out(thread);
}

void cg_thread_lay_out(cg_thread *thread)
{
    thread->remembers = 0;
    memset(thread->spin, 0, sizeof *thread->spin * (size_t)thread->segment_count);
    seed_tangents(thread, thread->shape.position);
    cg_shape_measure(thread, &thread->shape, &thread->shape);
}

cg_status cg_thread_create(const cg_thread_def *def, const cg_allocator *allocator, cg_thread **out)
{
    *out = NULL;
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    cg_thread *thread = allocate(def, allocator);
    if (thread == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a thread of %d vertices", def->vertex_count);
    }
    set_stiffnesses(thread, def);
    for (int i = 0; i < thread->segment_count; i++) {
        thread->rest_length[i] = rest_length_of(def, i);
    }
    cg_thread_update_lengths(thread);
    cg_thread_update_masses(thread);
    if (def->rest_shape != NULL) {
        set_rest_shape(thread, def->rest_shape);
    } else if (thread->has_rest_shape) {
        set_straight(thread);
    }
    cg_thread_place(thread, def->positions, NULL);
    if (!cg_model_create(thread, def)) {
        cg_thread_destroy(thread);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a thread of %d vertices", def->vertex_count);
    }
    if (thread->model != NULL) { // a chain is laid out with its links alike
        memcpy(thread->target, thread->shape.position, sizeof(cg_vec3) * (size_t)thread->vertex_count);
        cg_thread_lay_out(thread);
    }
    cg_twist_refresh(thread);
    for (int e = 0; e < 2; e++) {
        cg_end_hold hold = def->ends[e];
        hold.position = thread->shape.position[e == CG_START ? 0 : def->vertex_count - 1];
        if (hold.kind != CG_END_FREE) {
            cg_thread_hold_end(thread, (cg_end)e, &hold);
        }
    }
    *out = thread;
    return cg_ok();
}

cg_status cg_thread_create_spare(const cg_thread *thread, const cg_allocator *allocator, cg_thread **spare)
{
    const cg_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = 2;
    def.positions = points;
    def.rest_shape = thread->has_rest_shape ? points : NULL;
    def.damping_time = thread->damping_time;
    // With a spacing that follows it has all arrays, and room for as many vertices as there can be.
    def.spacing = (cg_spacing){.follow = true, .max_vertices = thread->most_vertices};
    *spare = allocate(&def, allocator);
    if (*spare == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a part of %d vertices", thread->most_vertices);
    }
    cg_thread_take_material(thread, *spare);
    return cg_ok();
}

void cg_thread_destroy(cg_thread *thread)
{
    if (thread != NULL) {
        cg_allocator allocator = thread->allocator;
        cg_memory_give(&allocator, thread->model);
        cg_slide_destroy(thread);
        cg_memory_give(&allocator, thread->memory);
        cg_memory_give(&allocator, thread);
    }
}
