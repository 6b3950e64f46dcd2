// Making thread models, and what is alike for all of them; model.h says what they are.
#include "thread/model.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/vec3.h"

// Share of the largest stable step that is taken: contacts and hands stiffen a thread a little.
static const double STABLE_SHARE = 0.8;
// [rad] Joints of a thread in use bend up to this: what its largest step is asked for.
static const double MOST_BEND = 1.6;
enum { MOST_SUB_STEPS = 10000 };

static const double PI = 3.14159265358979323846;

typedef struct range {
    const char *name, *unit;
    double value, low, high;
} range;

static cg_status check_ranges(const range *ranges, int count)
{
    for (int i = 0; i < count; i++) {
        const range *r = &ranges[i];
        if (!(r->value >= r->low && r->value <= r->high)) {
            return cg_error(CG_BAD_INPUT, "%s is %g %s; expected %g to %g", r->name, r->value, r->unit, r->low,
                            r->high);
        }
    }
    return cg_ok();
}

static cg_status check_springs(const cg_spring_options *s)
{
    const range ranges[] = {
        {"springs.forces", "", s->forces, 1, 5},
        {"springs.point_mass", "kg", s->point_mass, 1e-15, 1e6},
        {"springs.linear_spring", "N", s->linear_spring, 1e-12, 1e15},
        {"springs.quadratic_spring", "N", s->quadratic_spring, 1e-12, 1e15},
        {"springs.linear_damper", "N s/m", s->linear_damper, 0, 1e12},
        {"springs.torsional_spring", "N m", s->torsional_spring, 0, 1e12},
        {"springs.torsional_damper", "N m s", s->torsional_damper, 0, 1e12},
        {"springs.swivel_damper", "N s", s->swivel_damper, 0, 1e12},
        {"springs.shortest", "rest lengths", s->shortest, 0.1, 1},
        {"springs.longest", "rest lengths", s->longest, 1, 10},
        {"springs.repulsion_spring", "N/m", s->repulsion_spring, 0, 1e12},
        {"springs.repulsion_damper", "N s/m", s->repulsion_damper, 0, 1e12},
        {"springs.margin", "radii", s->margin, 0, 1},
        {"springs.sub_steps", "", s->sub_steps, 0, MOST_SUB_STEPS},
    };
    return check_ranges(ranges, (int)(sizeof ranges / sizeof *ranges));
}

static cg_status check_links(const cg_link_options *links)
{
    const range ranges[] = {
        {"links.carry", "", links->carry, 0, 1},
        {"links.margin", "radii", links->margin, 0, 1},
    };
    return check_ranges(ranges, (int)(sizeof ranges / sizeof *ranges));
}

cg_status cg_model_check_def(const cg_thread_def *def)
{
    if (def->model == CG_THREAD_KIRCHHOFF) {
        return cg_ok();
    }
    if (def->model != CG_THREAD_MASS_SPRING && def->model != CG_THREAD_CHAIN) {
        return cg_error(CG_BAD_INPUT, "model is %d; expected a cg_thread_model", (int)def->model);
    }
    if (def->rest_shape != NULL || def->spacing.follow || def->yield_moment != 0) {
        return cg_error(CG_BAD_INPUT,
                        "a thread of springs or links has a rest shape, a yield moment or a spacing that follows; only "
                        "a Kirchhoff thread can");
    }
    for (int e = 0; e < 2; e++) {
        if (def->ends[e].kind == CG_END_CLAMPED) {
            return cg_error(CG_BAD_INPUT,
                            "ends[%d] of a thread of springs or links is clamped; it has no directions: pin it", e);
        }
    }
    return def->model == CG_THREAD_MASS_SPRING ? check_springs(&def->springs) : check_links(&def->links);
}

static void lay_out(cg_model *model, int vertices, cg_arena *arena)
{
    int nodes = model->kind == CG_THREAD_CHAIN ? vertices : 0, points = vertices - nodes;
    model->velocity = cg_arena_push_array(arena, cg_vec3, vertices);
    model->force = cg_arena_push_array(arena, cg_vec3, vertices);
    model->before = cg_arena_push_array(arena, cg_vec3, vertices);
    model->lightness = cg_arena_push_array(arena, double, points);
    model->stands = cg_arena_push_array(arena, bool, points);
    model->goal = cg_arena_push_array(arena, cg_vec3, nodes);
    model->led = cg_arena_push_array(arena, cg_link_hold, nodes);
    model->links.row = cg_arena_push_array(arena, double, nodes);
    model->links.slope = cg_arena_push_array(arena, double, nodes);
    model->links.before = cg_arena_push_array(arena, cg_vec3, nodes);
    model->links.kept = cg_arena_push_array(arena, cg_vec3, nodes);
}

// One block: the model itself and its arrays behind it.
static cg_model *allocate(const cg_thread *thread, cg_thread_model kind)
{
    cg_model measured = {.kind = kind};
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_arena_push(&arena, 1, sizeof measured);
    lay_out(&measured, thread->vertex_count, &arena);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(&thread->allocator, bytes);
    if (memory == NULL) {
        return NULL;
    }
    cg_arena_init(&arena, memory, bytes);
    cg_model *model = cg_arena_push(&arena, 1, sizeof *model);
    model->kind = kind;
    lay_out(model, thread->vertex_count, &arena);
    return model;
}

// All segments are alike: the length of the whole is kept.
static double mean_length(cg_thread *thread)
{
    double mean = thread->arc[thread->vertex_count - 1] / thread->segment_count;
    for (int i = 0; i < thread->segment_count; i++) {
        thread->rest_length[i] = mean;
    }
    return mean;
}

static void make_springs(cg_thread *thread, const cg_thread_def *def, double length)
{
    cg_model *model = thread->model;
    const cg_spring_options *s = &def->springs;
    model->springs = *s;
    model->law = (cg_mass_spring_def){.model = s->forces,
                                      .mass = s->point_mass,
                                      .rest_length = length,
                                      .linear_spring = s->linear_spring,
                                      .quadratic_spring = s->quadratic_spring,
                                      .linear_damper = s->linear_damper,
                                      .torsional_spring = s->torsional_spring,
                                      .torsional_damper = s->torsional_damper,
                                      .swivel_damper = s->swivel_damper,
                                      .sine_directions = s->sine_directions,
                                      .as_printed = s->as_printed};
    // What others ask of a thread's stiffness, near rest.
    thread->stretch_stiffness = s->linear_spring;
    thread->bend_stiffness = s->forces > 1 ? s->torsional_spring * length / PI : 0;
    thread->linear_density = s->point_mass / length;
}

static void make_links(cg_thread *thread, const cg_thread_def *def, double length)
{
    cg_model *model = thread->model;
    model->link_options = def->links;
    model->links.nodes = thread->vertex_count;
    model->links.length = length;
    model->links.position = thread->shape.position;
    cg_chain_mend(thread);
}

bool cg_model_create(cg_thread *thread, const cg_thread_def *def)
{
    if (def->model == CG_THREAD_KIRCHHOFF) {
        return true;
    }
    thread->model = allocate(thread, def->model);
    if (thread->model == NULL) {
        return false;
    }
    double length = mean_length(thread);
    if (def->model == CG_THREAD_MASS_SPRING) {
        make_springs(thread, def, length);
    } else {
        make_links(thread, def, length);
    }
    cg_thread_update_lengths(thread);
    cg_thread_update_masses(thread);
    return true;
}

void cg_model_begin_step(cg_thread *thread)
{
    cg_model *model = thread->model;
    size_t bytes = sizeof(cg_vec3) * (size_t)thread->vertex_count;
    memcpy(thread->start, thread->shape.position, bytes);
    memcpy(model->before, thread->shape.position, bytes); // a step of one part, unless its maker notes more
    memcpy(model->velocity, thread->velocity, bytes);
    memset(thread->move, 0, bytes);
    model->links.position = thread->shape.position;
    model->share = 0;
    model->stops = 0;
    model->is_taut = model->is_stopped = false;
    thread->done = thread->settles = true; // it takes no part in the passes of others
    thread->refused = thread->touched = thread->cautious = thread->isolated = thread->second_order = false;
    thread->correction = 0;
    thread->share = 1;
    thread->passes = 0;
}

static bool is_gripped(const cg_thread *thread, int vertex)
{
    const cg_thread_grip *grip = thread->grips;
    while (grip != NULL && !(vertex >= grip->first && vertex < grip->first + grip->count)) {
        grip = grip->next;
    }
    return grip != NULL;
}

void cg_model_finish_step(cg_thread *thread, const cg_step_context *context)
{
    const cg_model *model = thread->model;
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 way = v3_sub(thread->shape.position[i], thread->start[i]);
        // What a contact moves out of the way keeps its velocity (laws/beads.h); a hand goes where its vertices go.
        bool flies = (model->kind == CG_THREAD_MASS_SPRING || model->link_options.dynamic) && !is_gripped(thread, i);
        cg_vec3 now = flies ? model->velocity[i] : v3_scale(context->inverse_step, way);
        thread->velocity[i] = thread->refused ? v3_zero() : now;
    }
    memset(thread->force, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
    memset(thread->moment, 0, sizeof(cg_vec3) * (size_t)thread->segment_count);
}

int cg_model_sub_steps(const cg_thread *thread, double time)
{
    const cg_model *model = thread->model;
    if (model->kind == CG_THREAD_CHAIN) {
        return 1;
    }
    if (model->springs.sub_steps > 0) {
        return model->springs.sub_steps;
    }
    double strain = fmax(model->springs.longest - 1, 1 - model->springs.shortest);
    double longest = STABLE_SHARE * cg_mass_spring_largest_step(&model->law, MOST_BEND, strain);
    double count = ceil(time / longest);
    return count < MOST_SUB_STEPS ? (int)fmax(count, 1) : MOST_SUB_STEPS;
}

double cg_model_reach(cg_thread *thread, const cg_step_context *context, double time)
{
    const cg_model *model = thread->model;
    bool has_forces = model->kind == CG_THREAD_MASS_SPRING;
    double most = 0, share = time * context->inverse_step;
    if (has_forces) {
        cg_springs_find_forces(thread, context);
    }
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 faster = has_forces ? v3_scale(time / thread->mass[i], model->force[i]) : v3_zero();
        cg_vec3 velocity = v3_add(model->velocity[i], faster);
        double led = thread->held[i] ? v3_distance(thread->target[i], thread->start[i]) : 0;
        most = fmax(most, fmax(time * v3_length(velocity), share * led));
    }
    for (const cg_thread_grip *grip = thread->grips; grip != NULL; grip = grip->next) {
        most = fmax(most, grip->slope > 0 ? share * v3_length(grip->force) / grip->slope : 0);
    }
    return most;
}

double cg_model_stretch_energy(const cg_thread *thread, const cg_vec3 *position)
{
    const cg_model *model = thread->model;
    return model->kind == CG_THREAD_MASS_SPRING
               ? cg_mass_spring_stretch_energy(&model->law, thread->vertex_count, position)
               : 0;
}

double cg_model_bend_energy(const cg_thread *thread, const cg_vec3 *position)
{
    const cg_model *model = thread->model;
    return model->kind == CG_THREAD_MASS_SPRING
               ? cg_mass_spring_bend_energy(&model->law, thread->vertex_count, position)
               : 0;
}

double cg_model_tension(const cg_thread *thread, int segment)
{
    const cg_model *model = thread->model;
    return model->kind == CG_THREAD_MASS_SPRING
               ? cg_mass_spring_pull(&model->law, thread->shape.position, thread->velocity, segment)
               : 0;
}
