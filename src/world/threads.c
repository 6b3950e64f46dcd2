// The public calls on threads: handles and arguments are checked here, the work is done in src/thread.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "thread/model.h"
#include "thread/roll.h"
#include "world/world.h"

static cg_status bad_handle(cg_thread_id id)
{
    return cg_error(CG_BAD_HANDLE, "thread id (%u, %u) names no thread of this world", id.index, id.generation);
}

static cg_status bad_index(const char *what, int index, int count)
{
    return cg_error(CG_BAD_INPUT, "%s is %d; expected 0 to %d", what, index, count - 1);
}

static cg_status bad_vector(const char *what, cg_vec3 v)
{
    return cg_error(CG_BAD_INPUT, "%s is (%g, %g, %g); expected finite numbers below 1e12", what, v.x, v.y, v.z);
}

static bool is_sane(cg_vec3 v)
{
    return v3_is_finite(v) && v3_dot(v, v) <= 1e24;
}

static bool is_place(cg_vec3 v)
{
    return v3_is_finite(v) && v3_dot(v, v) <= 1e12;
}

cg_thread *cg_world_find_thread(const cg_world *world, cg_thread_id id)
{
    cg_thread_slot *slot = cg_pool_get(&world->threads, (cg_handle){id.index, id.generation});
    return slot != NULL && !slot->is_spare ? slot->thread : NULL;
}

// Constraints move it: what they hold cannot be changed, but ends that are held may be led.
static bool is_led(const cg_world *world, cg_thread_id id)
{
    const cg_thread_slot *slot = cg_pool_get(&world->threads, (cg_handle){id.index, id.generation});
    return slot != NULL && slot->is_led;
}

static cg_status refuse_led(void)
{
    return cg_error(CG_BAD_INPUT, "the thread is moved by constraints; only ends that they hold can be led");
}

static bool is_held_end(const cg_thread *thread, int vertex)
{
    return (vertex == 0 && thread->ends[CG_START].hold.kind != CG_END_FREE) ||
           (vertex == thread->vertex_count - 1 && thread->ends[CG_FINISH].hold.kind != CG_END_FREE);
}

cg_status cg_world_add_thread(cg_world *world, const cg_thread_def *def, cg_thread_id *id)
{
    *id = (cg_thread_id){0, 0};
    cg_handle handle;
    cg_thread_slot *slot = cg_pool_take(&world->threads, &handle);
    if (slot == NULL) {
        return cg_error(CG_FULL, "the world already has its %d threads", world->def.max_threads);
    }
    cg_status status = cg_thread_create(def, &world->def.allocator, &slot->thread);
    if (status.code != CG_OK) {
        cg_pool_give(&world->threads, handle);
        return status;
    }
    slot->root = ++world->roots;
    if (world->def.friction_torque && world->def.max_contacts > 0 && slot->thread->model == NULL) {
        cg_roll_start(slot->thread);
    }
    status = cg_world_fit_touches(world);
    status = status.code == CG_OK ? cg_world_fit_models(world) : status;
    if (status.code != CG_OK) {
        cg_thread_destroy(slot->thread);
        cg_pool_give(&world->threads, handle);
        if (world->touch_memory != NULL) {
            cg_world_list_touch_threads(world);
        }
        return status;
    }
    *id = (cg_thread_id){handle.index, handle.generation};
    return status;
}

cg_status cg_world_remove_thread(cg_world *world, cg_thread_id id)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (is_led(world, id)) {
        return refuse_led();
    }
    const cg_thread_slot *slot = cg_pool_get(&world->threads, (cg_handle){id.index, id.generation});
    unsigned root = slot->root;
    cg_world_let_go_of(world, (cg_handle){id.index, id.generation});
    cg_thread_destroy(thread);
    cg_pool_give(&world->threads, (cg_handle){id.index, id.generation});
    cg_world_drop_loose_planes(world);
    cg_world_drop_loose_adhesions(world);
    cg_world_drop_spares(world, root);
    cg_status status = cg_world_fit_touches(world);
    return status.code == CG_OK ? cg_world_fit_models(world) : status;
}

bool cg_thread_is_valid(const cg_world *world, cg_thread_id id)
{
    return cg_world_find_thread(world, id) != NULL;
}

static void give_count(int *count, int value)
{
    if (count != NULL) {
        *count = value;
    }
}

const cg_vec3 *cg_thread_positions(const cg_world *world, cg_thread_id id, int *count)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    give_count(count, thread != NULL ? thread->vertex_count : 0);
    return thread != NULL ? thread->shape.position : NULL;
}

const cg_vec3 *cg_thread_velocities(const cg_world *world, cg_thread_id id, int *count)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    give_count(count, thread != NULL ? thread->vertex_count : 0);
    return thread != NULL ? thread->velocity : NULL;
}

const double *cg_thread_rest_lengths(const cg_world *world, cg_thread_id id, int *count)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    give_count(count, thread != NULL ? thread->segment_count : 0);
    return thread != NULL ? thread->rest_length : NULL;
}

const double *cg_thread_arcs(const cg_world *world, cg_thread_id id, int *count)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    give_count(count, thread != NULL ? thread->vertex_count : 0);
    return thread != NULL ? thread->arc : NULL;
}

int cg_thread_segment_at(const cg_world *world, cg_thread_id id, double arc, double *fraction)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    double share = 0;
    int segment = thread != NULL && fabs(arc) <= 1e12 ? cg_thread_segment_at_arc(thread, arc, &share) : -1;
    if (fraction != NULL) {
        *fraction = share;
    }
    return segment;
}

int cg_thread_vertex_at(const cg_world *world, cg_thread_id id, double arc)
{
    double fraction;
    int segment = cg_thread_segment_at(world, id, arc, &fraction);
    return segment >= 0 && fraction > 0.5 ? segment + 1 : segment;
}

uint64_t cg_thread_topology_version(const cg_world *world, cg_thread_id id)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    return thread != NULL ? thread->topology_version : 0;
}

int cg_thread_max_vertices(const cg_world *world, cg_thread_id id)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    return thread != NULL ? thread->most_vertices : 0;
}

// Once the vertices of a thread are somewhere else: hands let go, ends are held where they are, and twist begins anew.
static void settle_placed(cg_world *world, cg_thread_id id, cg_thread *thread)
{
    cg_world_let_go_of(world, (cg_handle){id.index, id.generation});
    for (int e = 0; e < 2; e++) {
        thread->ends[e].hold.position = thread->shape.position[e == CG_START ? 0 : thread->vertex_count - 1];
    }
    if (thread->twisting) {
        cg_twist_reset(thread);
    }
}

cg_status cg_thread_set_state(cg_world *world, cg_thread_id id, const cg_vec3 *positions, const cg_vec3 *velocities)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (is_led(world, id)) {
        return refuse_led();
    }
    for (int i = 0; i < thread->vertex_count; i++) {
        if (!is_place(positions[i])) {
            return bad_vector("a position", positions[i]);
        }
        if (velocities != NULL && !is_sane(velocities[i])) {
            return bad_vector("a velocity", velocities[i]);
        }
    }
    cg_thread_place(thread, positions, velocities);
    settle_placed(world, id, thread);
    return cg_ok();
}

cg_status cg_thread_set_vertex(cg_world *world, cg_thread_id id, int vertex, cg_vec3 position, cg_vec3 velocity)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (is_led(world, id)) {
        return refuse_led();
    }
    if (vertex < 0 || vertex >= thread->vertex_count) {
        return bad_index("vertex", vertex, thread->vertex_count);
    }
    if (!is_place(position) || !is_sane(velocity)) {
        return bad_vector(is_place(position) ? "a velocity" : "a position", is_place(position) ? velocity : position);
    }
    thread->shape.position[vertex] = thread->target[vertex] = position;
    thread->velocity[vertex] = velocity;
    cg_thread_lay_out(thread);
    settle_placed(world, id, thread);
    return cg_ok();
}

cg_status cg_thread_tensions(const cg_world *world, cg_thread_id id, double *tensions, int count)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (count != thread->segment_count) {
        return cg_error(CG_BAD_INPUT, "room for %d tensions; expected %d", count, thread->segment_count);
    }
    for (int i = 0; i < count; i++) {
        tensions[i] = cg_thread_tension(thread, i);
    }
    return cg_ok();
}

cg_status cg_thread_torques(const cg_world *world, cg_thread_id id, double *torques, int count)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (count != thread->vertex_count) {
        return cg_error(CG_BAD_INPUT, "room for %d torques; expected %d", count, thread->vertex_count);
    }
    memcpy(torques, thread->shape.torque, sizeof(double) * (size_t)count);
    return cg_ok();
}

cg_status cg_thread_turns(const cg_world *world, cg_thread_id id, double *turns, int count)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (count != thread->segment_count) {
        return cg_error(CG_BAD_INPUT, "room for %d turns; expected %d", count, thread->segment_count);
    }
    for (int i = 0; i < count; i++) {
        turns[i] = thread->twisting ? thread->shape.angle[i] : 0.0;
    }
    return cg_ok();
}

bool cg_thread_get_material(const cg_world *world, cg_thread_id id, cg_vec3 *director, double *twist, int count)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL || !thread->twisting || count != thread->segment_count) {
        return false;
    }
    const cg_thread_shape *shape = &thread->shape;
    cg_vec3 across = v3_cross(shape->tangent[0], shape->director[0]);
    *director =
        v3_add(v3_scale(cg_cos(shape->angle[0]), shape->director[0]), v3_scale(cg_sin(shape->angle[0]), across));
    twist[0] = 0;
    for (int i = 1; i < count; i++) {
        twist[i] = twist[i - 1] + shape->angle[i] - shape->angle[i - 1] + shape->reference_twist[i];
    }
    return true;
}

cg_thread_energy cg_thread_get_energy(const cg_world *world, cg_thread_id id)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return (cg_thread_energy){0};
    }
    cg_thread_energy energy = cg_thread_energy_of(thread, &thread->shape, world->def.gravity);
    energy.stretch -= cg_thread_slack_energy(thread);
    return energy;
}

cg_thread_summary cg_thread_get_summary(const cg_world *world, cg_thread_id id)
{
    cg_thread_summary summary = {0};
    const cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return summary;
    }
    summary.vertex_count = thread->vertex_count;
    for (int i = 0; i < thread->segment_count; i++) {
        double stretch = thread->shape.length[i] / thread->rest_length[i] - 1.0;
        summary.rest_length += thread->rest_length[i];
        summary.length += thread->shape.length[i];
        summary.max_stretch = i == 0 || stretch > summary.max_stretch ? stretch : summary.max_stretch;
    }
    summary.max_tension = thread->stretch_stiffness * summary.max_stretch;
    for (int i = 0; thread->model != NULL && i < thread->segment_count; i++) {
        summary.max_tension =
            i == 0 ? cg_thread_tension(thread, i) : fmax(summary.max_tension, cg_thread_tension(thread, i));
    }
    for (int j = 0; j < thread->vertex_count; j++) {
        double torque = fabs(thread->shape.torque[j]);
        summary.torque = torque > summary.torque ? torque : summary.torque;
    }
    return summary;
}

cg_status cg_thread_push_vertex(cg_world *world, cg_thread_id id, int vertex, cg_vec3 force)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (vertex < 0 || vertex >= thread->vertex_count) {
        return bad_index("vertex", vertex, thread->vertex_count);
    }
    if (!is_sane(force)) {
        return bad_vector("force", force);
    }
    thread->force[vertex] = v3_add(thread->force[vertex], force);
    return cg_ok();
}

cg_status cg_thread_push_segment(cg_world *world, cg_thread_id id, int segment, double fraction, cg_vec3 force)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (segment < 0 || segment >= thread->segment_count) {
        return bad_index("segment", segment, thread->segment_count);
    }
    if (!(fraction >= 0 && fraction <= 1)) {
        return cg_error(CG_BAD_INPUT, "fraction is %g; expected 0 to 1", fraction);
    }
    if (!is_sane(force)) {
        return bad_vector("force", force);
    }
    thread->force[segment] = v3_add_scaled(thread->force[segment], 1.0 - fraction, force);
    thread->force[segment + 1] = v3_add_scaled(thread->force[segment + 1], fraction, force);
    return cg_ok();
}

cg_status cg_thread_push_moment(cg_world *world, cg_thread_id id, int segment, cg_vec3 moment)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (is_led(world, id)) {
        return refuse_led();
    }
    if (segment < 0 || segment >= thread->segment_count) {
        return bad_index("segment", segment, thread->segment_count);
    }
    if (!is_sane(moment)) {
        return bad_vector("moment", moment);
    }
    thread->moment[segment] = v3_add(thread->moment[segment], moment);
    return cg_ok();
}

cg_status cg_thread_set_added_mass(cg_world *world, cg_thread_id id, int vertex, double mass)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (is_led(world, id)) {
        return refuse_led();
    }
    if (vertex < 0 || vertex >= thread->vertex_count) {
        return bad_index("vertex", vertex, thread->vertex_count);
    }
    if (!(mass >= 0 && mass <= 1e6)) {
        return cg_error(CG_BAD_INPUT, "mass is %g kg; expected 0 to 1e6", mass);
    }
    thread->added_mass[vertex] = mass;
    cg_thread_update_masses(thread);
    return cg_ok();
}

cg_status cg_thread_set_friction(cg_world *world, cg_thread_id id, double friction)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (!(friction >= 0 && friction <= 100)) {
        return cg_error(CG_BAD_INPUT, "friction is %g; expected 0 to 100", friction);
    }
    thread->friction = friction;
    return cg_ok();
}

double cg_thread_get_friction(const cg_world *world, cg_thread_id id)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    return thread != NULL ? thread->friction : 0;
}

cg_status cg_thread_hold(cg_world *world, cg_thread_id id, int vertex, cg_vec3 target)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (vertex < 0 || vertex >= thread->vertex_count) {
        return bad_index("vertex", vertex, thread->vertex_count);
    }
    if (!is_place(target)) {
        return bad_vector("target", target);
    }
    if (is_led(world, id) && !is_held_end(thread, vertex)) {
        return refuse_led();
    }
    thread->remembers =
        thread->held[vertex] ? thread->remembers : 0.0; // a vertex that is taken hold of has no smooth past
    thread->held[vertex] = true;
    thread->target[vertex] = target;
    for (int e = 0; e < 2; e++) {
        if (vertex == (e == CG_START ? 0 : thread->vertex_count - 1)) {
            thread->ends[e].hold.position = target;
        }
    }
    return cg_ok();
}

cg_status cg_thread_release(cg_world *world, cg_thread_id id, int vertex)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (is_led(world, id)) {
        return refuse_led();
    }
    if (vertex < 0 || vertex >= thread->vertex_count) {
        return bad_index("vertex", vertex, thread->vertex_count);
    }
    cg_thread_release_vertex(thread, vertex);
    return cg_ok();
}

cg_status cg_thread_set_end(cg_world *world, cg_thread_id id, cg_end end, const cg_end_hold *hold)
{
    cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL) {
        return bad_handle(id);
    }
    if (end != CG_START && end != CG_FINISH) {
        return cg_error(CG_BAD_INPUT, "end is %d; expected CG_START or CG_FINISH", (int)end);
    }
    if (hold->kind < CG_END_FREE || hold->kind > CG_END_CLAMPED) {
        return cg_error(CG_BAD_INPUT, "kind is %d; expected a cg_end_kind", (int)hold->kind);
    }
    if (!is_place(hold->position) || !is_sane(hold->direction) || !(fabs(hold->turn) <= 1e6)) {
        return cg_error(CG_BAD_INPUT, "position, direction or turn of an end is not a finite number in range");
    }
    if (thread->model != NULL && hold->kind == CG_END_CLAMPED) {
        return cg_error(CG_BAD_INPUT,
                        "a thread of springs or links has no directions: an end can be pinned, not clamped");
    }
    bool only_moves = hold->kind == thread->ends[end].hold.kind && v3_length(hold->direction) == 0;
    if (is_led(world, id) && !only_moves) {
        return refuse_led();
    }
    cg_thread_hold_end(thread, end, hold);
    return cg_ok();
}

cg_end_hold cg_thread_get_end(const cg_world *world, cg_thread_id id, cg_end end)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    bool known = thread != NULL && (end == CG_START || end == CG_FINISH);
    return known ? thread->ends[end].hold : (cg_end_hold){0};
}

cg_vec3 cg_thread_hold_force(const cg_world *world, cg_thread_id id, int vertex)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    bool known = thread != NULL && vertex >= 0 && vertex < thread->vertex_count;
    return known ? thread->hold_force[vertex] : v3_zero();
}
