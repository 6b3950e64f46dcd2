// Threads that stick to tissue in a world: the public calls, their part in the step, their state.
#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "catgut/adhesion.h"
#include "contact/fibre.h"
#include "world/world.h"

cg_adhesion_def cg_adhesion_def_default(void)
{
    return (cg_adhesion_def){.strength = 30, .reach = 0.2e-3};
}

static cg_status check(const cg_world *world, const cg_adhesion_def *def, const cg_thread *thread,
                       const cg_tissue_slot *slot)
{
    if (thread == NULL || slot == NULL) {
        return cg_error(CG_BAD_HANDLE, "an adhesion names no %s of this world", thread == NULL ? "thread" : "tissue");
    }
    if (world->touch_memory == NULL || slot->skin == NULL || slot->tissue->solver != CG_TISSUE_IMPLICIT) {
        return cg_error(CG_BAD_INPUT, "an adhesion needs a world with contacts and a tissue with the implicit solver");
    }
    const cg_thread_slot *own = cg_pool_get(&world->threads, (cg_handle){def->thread.index, def->thread.generation});
    if (thread->is_edited || thread->model != NULL || own->is_led) {
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

cg_status cg_world_add_adhesion(cg_world *world, const cg_adhesion_def *def)
{
    cg_thread *thread = cg_world_find_thread(world, def->thread);
    cg_tissue_slot *slot = cg_pool_get(&world->tissues, (cg_handle){def->tissue.index, def->tissue.generation});
    cg_status status = check(world, def, thread, slot);
    status = status.code == CG_OK ? make_room(world) : status;
    int before = world->fibre_count;
    for (int i = 0; status.code == CG_OK && i < thread->vertex_count; i++) {
        cg_fibre fibre;
        bool is_meant = thread->arc[i] >= def->from && (def->to == 0 || thread->arc[i] <= def->to);
        if (!is_meant || !make_fibre(world, def, thread, i, &fibre)) {
            continue;
        }
        if (world->fibre_count == CG_WORLD_MOST_FIBRES) {
            status = cg_error(CG_FULL, "more than %d vertices of the world stick to tissue", CG_WORLD_MOST_FIBRES);
        } else {
            world->fibres[world->fibre_count++] = fibre;
        }
    }
    if (status.code == CG_OK && world->fibre_count == before) {
        status = cg_error(CG_BAD_INPUT, "no vertex of the thread there is within %g m of the tissue",
                          thread->radius + CG_BOND_END * def->reach);
    }
    world->fibre_count = status.code == CG_OK ? world->fibre_count : before;
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
    for (int c = 0; c < set->thread_count; c++) {
        if (set->threads[c] == thread) {
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
    if (thread == NULL || tissue == NULL) {
        return false;
    }
    fibre->chain = chain_of(&world->touches, thread->thread);
    fibre->skin = cg_world_tissue_number(world, tissue);
    return fibre->chain >= 0 && fibre->skin < world->touches.skin_count;
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
    world->touches.fibres = world->fibres;
    world->touches.fibre_count = world->fibre_count;
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
        cg_thread *thread = set->threads[world->fibres[i].chain];
        assert(thread->grips == &world->fibres[i].grip);
        thread->grips = world->fibres[i].grip.next;
    }
}

void cg_world_finish_adhesions(cg_world *world)
{
    forget_grips(world);
    keep(world, still_holds);
    world->touches.fibre_count = 0;
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

// State

// [N], [N/m], [m] No number of a fibre is larger.
static const double MOST = 1e12;

bool cg_world_adhesions_are_sound(const cg_world *world)
{
    for (int i = 0; i < world->fibre_count; i++) {
        const cg_fibre *f = &world->fibres[i];
        const cg_thread_slot *thread = cg_pool_get(&world->threads, f->thread);
        const cg_tissue_slot *tissue = cg_pool_get(&world->tissues, f->tissue);
        if (thread == NULL || tissue == NULL || thread->is_spare || thread->is_led || thread->thread->is_edited ||
            tissue->skin == NULL || tissue->tissue->solver != CG_TISSUE_IMPLICIT ||
            f->vertex >= thread->thread->vertex_count || f->triangle >= tissue->tissue->mesh->triangle_count) {
            return false;
        }
        double weights = fabs(f->weights[0]) + fabs(f->weights[1]) + fabs(f->weights[2]);
        bool is_law =
            f->law.strength > 0 && f->law.strength <= MOST && f->law.stiffness > 0 && f->law.stiffness <= MOST;
        if (!(weights <= 2) || !(f->rest >= 0 && f->rest <= MOST) || !(f->worst >= 0) || !is_law ||
            !(v3_length(f->force) <= MOST)) {
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

// A world that never had any has the state that it had before there were adhesions.
void cg_world_visit_adhesions(cg_archive *archive, cg_world *world)
{
    if (world->fibres == NULL) {
        return;
    }
    int count = cg_archive_length(archive, world->fibre_count, CG_WORLD_MOST_FIBRES);
    for (int i = 0; i < count; i++) {
        cg_fibre fibre = i < world->fibre_count ? world->fibres[i] : (cg_fibre){0};
        visit_fibre(archive, world, &fibre);
        if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
            world->fibres[i] = fibre;
            world->fibre_count = i + 1;
        }
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        world->fibre_count = count;
    }
}
