// Threads that stick to tissue in a world: the public calls, their part in the step, their state.
#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "catgut/adhesion.h"
#include "laws/fibre.h"
#include "world/world.h"

cg_adhesion_def cg_adhesion_def_default(void)
{
    return (cg_adhesion_def){.strength = 30, .reach = 0.2e-3};
}

// Who may stick, when it is made and when it is loaded: fibres name vertices by number, so these must stay.
static bool may_stick(const cg_thread_slot *slot)
{
    return !slot->is_spare && !slot->is_led && !slot->thread->is_edited && slot->thread->model == NULL;
}

static bool may_be_stuck_to(const cg_tissue_slot *slot)
{
    return slot->skin != NULL && !slot->is_led && slot->tissue->solver == CG_TISSUE_IMPLICIT;
}

static cg_status check(const cg_world *world, const cg_adhesion_def *def, const cg_thread_slot *thread,
                       const cg_tissue_slot *tissue)
{
    if (thread == NULL || thread->is_spare || tissue == NULL) {
        return cg_error(CG_BAD_HANDLE, "an adhesion names no %s of this world", tissue == NULL ? "tissue" : "thread");
    }
    if (world->touch_memory == NULL || !may_be_stuck_to(tissue)) {
        return cg_error(CG_BAD_INPUT, "an adhesion needs a world with contacts and a tissue with the implicit solver "
                                      "and without constraints");
    }
    if (!may_stick(thread)) {
        return cg_error(CG_BAD_INPUT, "a thread that sticks to tissue must be a rod whose vertices stay: no spacing "
                                      "that follows, no parts to be cut off, no constraints");
    }
    if (!(def->from >= 0 && def->to >= 0 && def->to <= 1e6 && (def->to == 0 || def->to > def->from))) {
        return cg_error(CG_BAD_INPUT, "an adhesion goes from %g m to %g m; expected 0 or more, and rising", def->from,
                        def->to);
    }
    if (!(def->strength > 0 && def->strength <= 1e6 && def->reach > 0 && def->reach <= 1)) {
        return cg_error(CG_BAD_INPUT, "an adhesion bears %g N/m at %g m; expected above 0, to 1e6 N/m and 1 m",
                        def->strength, def->reach);
    }
    return cg_ok();
}

// [m] of the thread that a vertex stands for.
static double share_of(const cg_thread *thread, int vertex)
{
    double before = vertex > 0 ? thread->rest_length[vertex - 1] : 0;
    double behind = vertex < thread->segment_count ? thread->rest_length[vertex] : 0;
    return 0.5 * (before + behind);
}

// False when the surface is too far away.
static bool make_fibre(const cg_world *world, const cg_adhesion_def *def, const cg_thread *thread, int vertex,
                       cg_fibre *fibre)
{
    *fibre = (cg_fibre){.thread = {def->thread.index, def->thread.generation},
                        .tissue = {def->tissue.index, def->tissue.generation},
                        .vertex = vertex};
    fibre->rest =
        cg_tissue_nearest(world, def->tissue, thread->shape.position[vertex], &fibre->triangle, fibre->weights);
    fibre->law.strength = def->strength * share_of(thread, vertex);
    fibre->law.stiffness = fibre->law.strength / def->reach;
    return fibre->rest >= 0 && fibre->rest <= thread->radius + CG_BOND_END * def->reach;
}

static cg_status make_room(cg_world *world)
{
    size_t bytes = sizeof *world->fibres * CG_WORLD_MOST_FIBRES;
    world->fibres = world->fibres != NULL ? world->fibres : cg_memory_take(&world->def.allocator, bytes);
    return world->fibres != NULL ? cg_ok() : cg_error(CG_OUT_OF_MEMORY, "no memory for adhesions");
}

// Those of one call; when it fails some may be there.
static cg_status make_fibres(cg_world *world, const cg_adhesion_def *def, const cg_thread *thread)
{
    int before = world->fibre_count;
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_fibre fibre;
        bool is_meant = thread->arc[i] >= def->from && (def->to == 0 || thread->arc[i] <= def->to);
        if (!is_meant || !make_fibre(world, def, thread, i, &fibre)) {
            continue;
        }
        if (world->fibre_count == CG_WORLD_MOST_FIBRES) {
            return cg_error(CG_FULL, "more than %d vertices of the world stick to tissue", CG_WORLD_MOST_FIBRES);
        }
        world->fibres[world->fibre_count++] = fibre;
    }
    return world->fibre_count > before
               ? cg_ok()
               : cg_error(CG_BAD_INPUT, "no vertex of the thread there is within %g m of the tissue",
                          thread->radius + CG_BOND_END * def->reach);
}

cg_status cg_world_add_adhesion(cg_world *world, const cg_adhesion_def *def)
{
    const cg_thread_slot *thread = cg_pool_get(&world->threads, (cg_handle){def->thread.index, def->thread.generation});
    cg_tissue_slot *tissue = cg_pool_get(&world->tissues, (cg_handle){def->tissue.index, def->tissue.generation});
    bool had_room = world->fibres != NULL;
    int before = world->fibre_count;
    cg_status status = check(world, def, thread, tissue);
    status = status.code == CG_OK ? make_room(world) : status;
    status = status.code == CG_OK ? make_fibres(world, def, thread->thread) : status;
    if (status.code == CG_OK) {
        cg_skin_forget(tissue->skin); // nodes that bear the new fibres may not be among those it lists
        cg_tissue_wake(tissue->tissue);
        return status;
    }
    world->fibre_count = before;
    if (!had_room) { // whether there is any tells which states the world can load
        cg_memory_give(&world->def.allocator, world->fibres);
        world->fibres = NULL;
    }
    return status;
}

// Looking

int cg_world_adhesion_count(const cg_world *world)
{
    return world->fibre_count;
}

bool cg_world_get_adhesion(const cg_world *world, int index, cg_adhesion *adhesion)
{
    if (index < 0 || index >= world->fibre_count) {
        return false;
    }
    const cg_fibre *fibre = &world->fibres[index];
    const cg_tissue_slot *slot = cg_pool_get(&world->tissues, fibre->tissue);
    const cg_mesh_point point = {fibre->triangle, {fibre->weights[0], fibre->weights[1], fibre->weights[2]}};
    double left = cohesion_strength_left(fibre->law, fibre->worst);
    *adhesion = (cg_adhesion){.thread = {fibre->thread.index, fibre->thread.generation},
                              .tissue = {fibre->tissue.index, fibre->tissue.generation},
                              .vertex = fibre->vertex,
                              .position = slot != NULL ? cg_tissue_point_place(slot->tissue, &point) : v3_zero(),
                              .force = fibre->force,
                              .strength = fibre->law.strength,
                              .damage = 1 - left / fibre->law.strength};
    return true;
}

// The step

static int chain_of(const cg_touch_set *set, const cg_thread *thread)
{
    for (int c = 0; c < set->cast.thread_count; c++) {
        if (set->cast.threads[c] == thread) {
            return c;
        }
    }
    return -1;
}

// Finds both sides in the contacts; false when one of them is gone.
static bool find_sides(const cg_world *world, cg_fibre *fibre)
{
    const cg_thread_slot *thread = cg_pool_get(&world->threads, fibre->thread);
    const cg_tissue_slot *tissue = cg_pool_get(&world->tissues, fibre->tissue);
    if (thread == NULL || tissue == NULL || !may_stick(thread) || !may_be_stuck_to(tissue)) {
        return false;
    }
    fibre->chain = chain_of(&world->touches, thread->thread);
    fibre->skin = cg_world_tissue_number(world, tissue);
    return fibre->chain >= 0 && fibre->skin < world->touches.cast.skin_count;
}

// Keeps those that `stays` says of, in their order.
static void keep(cg_world *world, bool (*stays)(const cg_world *world, cg_fibre *fibre))
{
    int kept = 0;
    for (int i = 0; i < world->fibre_count; i++) {
        if (stays(world, &world->fibres[i])) {
            world->fibres[kept++] = world->fibres[i];
        }
    }
    world->fibre_count = kept;
}

void cg_world_begin_adhesions(cg_world *world, const cg_step_context *context)
{
    keep(world, find_sides);
    world->touches.cast.fibres = world->fibres;
    world->touches.cast.fibre_count = world->fibre_count;
    if (world->fibre_count > 0) {
        cg_touch_begin_fibres(&world->touches, context);
    }
}

static bool still_holds(const cg_world *world, cg_fibre *fibre)
{
    return cg_fibre_note(&world->touches, fibre);
}

// Fibres change places in the array: threads must not know them by these any more. They were told last, so theirs are
// the first of the grips.
static void forget_grips(const cg_world *world)
{
    const cg_touch_set *set = &world->touches;
    for (int i = world->fibre_count - 1; i >= 0; i--) {
        cg_thread *thread = set->cast.threads[world->fibres[i].chain];
        assert(thread->grips == &world->fibres[i].grip);
        thread->grips = world->fibres[i].grip.next;
    }
}

void cg_world_finish_adhesions(cg_world *world)
{
    forget_grips(world);
    keep(world, still_holds);
    world->touches.cast.fibre_count = 0;
}

void cg_world_follow_adhesions(const cg_tissue_slot *edited, const cg_mesh_numbers *numbers)
{
    cg_world *world = edited->world;
    int kept = 0;
    for (int i = 0; i < world->fibre_count; i++) {
        cg_fibre *fibre = &world->fibres[i];
        bool is_of_it = cg_pool_get(&world->tissues, fibre->tissue) == edited;
        int now = !is_of_it ? fibre->triangle : (numbers != NULL ? numbers->triangle_now[fibre->triangle] : -1);
        if (now >= 0) {
            fibre->triangle = now;
            world->fibres[kept++] = *fibre;
        }
    }
    world->fibre_count = kept;
}

static bool has_sides(const cg_world *world, cg_fibre *fibre)
{
    return cg_pool_get(&world->threads, fibre->thread) != NULL && cg_pool_get(&world->tissues, fibre->tissue) != NULL;
}

void cg_world_drop_loose_adhesions(cg_world *world)
{
    keep(world, has_sides);
}

bool cg_world_has_adhesions(const cg_world *world, const cg_thread_slot *thread, const cg_tissue_slot *tissue)
{
    for (int i = 0; i < world->fibre_count; i++) {
        const cg_fibre *fibre = &world->fibres[i];
        if ((thread != NULL && cg_pool_get(&world->threads, fibre->thread) == thread) ||
            (tissue != NULL && cg_pool_get(&world->tissues, fibre->tissue) == tissue)) {
            return true;
        }
    }
    return false;
}

// State

// [N], [N/m], [m] No number of a fibre is larger.
static const double MOST = 1e12;

// How far the sum of the weights may be from 1.
static const double WEIGHTS_OFF = 1e-6;

static bool is_on(const cg_fibre *f, const cg_thread_slot *thread, const cg_tissue_slot *tissue)
{
    return thread != NULL && tissue != NULL && may_stick(thread) && may_be_stuck_to(tissue) &&
           f->vertex < thread->thread->vertex_count && f->triangle < tissue->tissue->mesh->triangle_count;
}

static bool is_size(double value)
{
    return value >= 0 && value <= MOST;
}

static bool is_sound(const cg_world *world, const cg_fibre *f)
{
    const double *w = f->weights;
    return is_on(f, cg_pool_get(&world->threads, f->thread), cg_pool_get(&world->tissues, f->tissue)) &&
           fabs(w[0]) + fabs(w[1]) + fabs(w[2]) <= 2 && fabs(w[0] + w[1] + w[2] - 1) <= WEIGHTS_OFF &&
           is_size(f->rest) && is_size(f->worst) && is_size(f->law.strength) && f->law.strength > 0 &&
           is_size(f->law.stiffness) && f->law.stiffness > 0 && is_size(v3_length(f->force));
}

bool cg_world_adhesions_are_sound(const cg_world *world)
{
    for (int i = 0; i < world->fibre_count; i++) {
        if (!is_sound(world, &world->fibres[i])) {
            return false;
        }
    }
    return true;
}

static void visit_fibre(cg_archive *archive, cg_world *world, cg_fibre *fibre)
{
    fibre->thread = cg_world_visit_item(archive, &world->threads, fibre->thread);
    fibre->tissue = cg_world_visit_item(archive, &world->tissues, fibre->tissue);
    cg_archive_int(archive, &fibre->vertex, 0, 1 << 30);
    cg_archive_int(archive, &fibre->triangle, 0, 1 << 30);
    for (int k = 0; k < 3; k++) {
        cg_archive_double(archive, &fibre->weights[k]);
    }
    cg_archive_double(archive, &fibre->rest);
    cg_archive_double(archive, &fibre->law.strength);
    cg_archive_double(archive, &fibre->law.stiffness);
    cg_archive_double(archive, &fibre->worst);
    cg_archive_vec3(archive, &fibre->force);
}

// A world without any has the state that it had before there were adhesions. They are the last of the state, so bytes
// that end before them are of such a world.
static bool has_none(const cg_archive *archive, const cg_world *world)
{
    bool is_reading = archive->mode == CG_ARCHIVE_LOAD || archive->mode == CG_ARCHIVE_CHECK;
    return world->fibres == NULL || (is_reading ? archive->used == archive->size : world->fibre_count == 0);
}

void cg_world_visit_adhesions(cg_archive *archive, cg_world *world)
{
    bool is_loading = archive->mode == CG_ARCHIVE_LOAD;
    int count = has_none(archive, world) ? 0 : cg_archive_length(archive, world->fibre_count, CG_WORLD_MOST_FIBRES);
    for (int i = 0; i < count; i++) {
        cg_fibre fibre = i < world->fibre_count ? world->fibres[i] : (cg_fibre){0};
        visit_fibre(archive, world, &fibre);
        if (is_loading && cg_archive_is_ok(archive)) {
            world->fibres[i] = fibre;
            world->fibre_count = i + 1;
        }
    }
    if (is_loading && cg_archive_is_ok(archive)) {
        world->fibre_count = count;
    }
}
