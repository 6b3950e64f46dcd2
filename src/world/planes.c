// The seed's contact of threads with tissue in a step of the world, in worlds with `linear_contact` (laws/plane.h):
// the planes are laid before threads begin their step, in which each is a grip of one vertex, and looked at when all
// motion is made. What threads pressed with in the last step the tissue bears in this one.
#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "laws/plane.h"
#include "world/world.h"

// [radii] What is farther away is another vertex, or another place, than the one that touched.
static const double MOST_AWAY = 10;

// Threads in a stitch keep our contact: their holes are in the tissue.
static bool may_touch(const cg_thread_slot *slot)
{
    return slot != NULL && !slot->is_spare && !slot->is_led && slot->thread->model == NULL &&
           slot->thread->slide == NULL;
}

static bool may_be_touched(const cg_tissue_slot *slot)
{
    return slot != NULL && !slot->is_led && slot->surface != NULL;
}

// Relocates a contact of the last step, whose force the tissue bears now. False when a side of it is gone.
static bool go_on(cg_world *world, cg_plane_contact *contact)
{
    const cg_thread_slot *thread = cg_pool_get(&world->threads, contact->thread);
    const cg_tissue_slot *tissue = cg_pool_get(&world->tissues, contact->tissue);
    if (!may_touch(thread) || !may_be_touched(tissue) || contact->vertex >= thread->thread->vertex_count) {
        return false;
    }
    double radius = thread->thread->radius;
    const cg_mesh_point point = {contact->triangle, {contact->weights[0], contact->weights[1], contact->weights[2]}};
    cg_tissue_push_point(tissue->tissue, &point, v3_scale(-contact->force, contact->normal));
    cg_vec3 x = thread->thread->shape.position[contact->vertex];
    return cg_plane_relocate(tissue->tissue->mesh, x, radius, contact) < MOST_AWAY * radius;
}

static bool is_known(const cg_world *world, const cg_plane_contact *contact)
{
    for (int i = 0; i < world->plane_count; i++) {
        const cg_plane_contact *known = &world->planes[i];
        if (known->vertex == contact->vertex && known->thread.index == contact->thread.index &&
            known->tissue.index == contact->tissue.index) {
            return true;
        }
    }
    return false;
}

static void find_on(cg_world *world, const cg_thread_slot *thread, const cg_tissue_slot *tissue)
{
    cg_plane_contact found = {.thread = cg_pool_handle_of(&world->threads, thread),
                              .tissue = cg_pool_handle_of(&world->tissues, tissue)};
    for (found.vertex = 0; found.vertex < thread->thread->vertex_count; found.vertex++) {
        cg_vec3 x = thread->thread->shape.position[found.vertex];
        if (!cg_plane_find(tissue->surface, x, thread->thread->radius, &found) || is_known(world, &found)) {
            continue;
        }
        if (world->plane_count < CG_WORLD_MOST_PLANES) {
            world->planes[world->plane_count++] = found;
        } else {
            world->stats.lost_contacts++;
        }
    }
}

static void find_all(cg_world *world)
{
    for (cg_tissue_slot *t = cg_world_first_tissue(world); t != NULL; t = cg_world_next_tissue(world, t)) {
        if (!may_be_touched(t) || !cg_tissue_surface_fit_tree(t->surface)) {
            continue;
        }
        for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
            if (may_touch(s)) {
                find_on(world, s, t);
            }
        }
    }
}

void cg_world_begin_planes(cg_world *world, const cg_step_context *context)
{
    int kept = 0;
    if (world->planes == NULL) {
        return;
    }
    for (int i = 0; i < world->plane_count; i++) {
        if (go_on(world, &world->planes[i])) {
            world->planes[kept++] = world->planes[i];
        }
    }
    world->plane_count = kept;
    find_all(world);
    for (int i = 0; i < world->plane_count; i++) {
        const cg_thread_slot *slot = cg_pool_get(&world->threads, world->planes[i].thread);
        cg_plane_grip(&world->planes[i], world->def.linear_contact, slot->thread, context->time_step);
    }
}

// Contacts change places in the array: threads must not know them by these any more. They are the first of the grips.
static void forget_grips(cg_world *world)
{
    for (int i = world->plane_count - 1; i >= 0; i--) {
        const cg_thread_slot *slot = cg_pool_get(&world->threads, world->planes[i].thread);
        assert(slot->thread->grips == &world->planes[i].grip);
        slot->thread->grips = world->planes[i].grip.next;
    }
}

// One that held its vertex back was glued for this step, and is no more.
void cg_world_finish_planes(cg_world *world)
{
    int kept = 0;
    forget_grips(world);
    for (int i = 0; i < world->plane_count; i++) {
        cg_plane_contact *contact = &world->planes[i];
        const cg_thread_slot *slot = cg_pool_get(&world->threads, contact->thread);
        cg_vec3 x = slot->thread->shape.position[contact->vertex];
        contact->force = v3_dot(cg_plane_force(contact, world->def.linear_contact, x), contact->normal);
        if (contact->force >= 0) {
            world->planes[kept++] = *contact;
        }
    }
    world->plane_count = kept;
}

void cg_world_follow_planes(const cg_tissue_slot *edited, const cg_mesh_numbers *numbers)
{
    cg_world *world = edited->world;
    int kept = 0;
    for (int i = 0; i < world->plane_count; i++) {
        cg_plane_contact *contact = &world->planes[i];
        bool is_of_it = cg_pool_get(&world->tissues, contact->tissue) == edited;
        int now = !is_of_it ? contact->triangle : (numbers != NULL ? numbers->triangle_now[contact->triangle] : -1);
        if (now >= 0) {
            contact->triangle = now;
            world->planes[kept++] = *contact;
        }
    }
    world->plane_count = kept;
}

void cg_world_drop_loose_planes(cg_world *world)
{
    int kept = 0;
    for (int i = 0; i < world->plane_count; i++) {
        const cg_plane_contact *contact = &world->planes[i];
        if (cg_pool_get(&world->threads, contact->thread) != NULL &&
            cg_pool_get(&world->tissues, contact->tissue) != NULL) {
            world->planes[kept++] = *contact;
        }
    }
    world->plane_count = kept;
}

// State

// [N] No force is larger.
static const double MOST_FORCE = 1e12;
static const double UNIT_OFF = 1e-6;

static bool is_sound(const cg_world *world, const cg_plane_contact *c)
{
    const cg_thread_slot *thread = cg_pool_get(&world->threads, c->thread);
    const cg_tissue_slot *tissue = cg_pool_get(&world->tissues, c->tissue);
    const double *w = c->weights;
    return may_touch(thread) && may_be_touched(tissue) && c->vertex < thread->thread->vertex_count &&
           c->triangle < tissue->tissue->mesh->triangle_count && w[0] >= 0 && w[1] >= 0 && w[2] >= 0 &&
           fabs(w[0] + w[1] + w[2] - 1) <= UNIT_OFF && c->force >= 0 && c->force <= MOST_FORCE &&
           fabs(v3_length(c->normal) - 1) <= UNIT_OFF;
}

bool cg_world_planes_are_sound(const cg_world *world)
{
    for (int i = 0; i < world->plane_count; i++) {
        if (!is_sound(world, &world->planes[i])) {
            return false;
        }
    }
    return true;
}

static void visit_plane(cg_archive *archive, cg_world *world, cg_plane_contact *contact)
{
    contact->thread = cg_world_visit_item(archive, &world->threads, contact->thread);
    contact->tissue = cg_world_visit_item(archive, &world->tissues, contact->tissue);
    cg_archive_int(archive, &contact->vertex, 0, 1 << 30);
    cg_archive_int(archive, &contact->triangle, 0, 1 << 30);
    for (int k = 0; k < 3; k++) {
        cg_archive_double(archive, &contact->weights[k]);
    }
    cg_archive_vec3(archive, &contact->normal);
    cg_archive_double(archive, &contact->force);
}

// A world without the seed's contacts has the state that it had before there were any.
void cg_world_visit_planes(cg_archive *archive, cg_world *world)
{
    if (world->planes == NULL) {
        return;
    }
    bool is_loading = archive->mode == CG_ARCHIVE_LOAD;
    int count = cg_archive_length(archive, world->plane_count, CG_WORLD_MOST_PLANES);
    for (int i = 0; i < count; i++) {
        cg_plane_contact contact = i < world->plane_count ? world->planes[i] : (cg_plane_contact){0};
        visit_plane(archive, world, &contact);
        if (is_loading && cg_archive_is_ok(archive)) {
            world->planes[i] = contact;
            world->plane_count = i + 1;
        }
    }
    if (is_loading && cg_archive_is_ok(archive)) {
        world->plane_count = count;
    }
}
