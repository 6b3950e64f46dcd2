// Structures: bodies of a world that are joined by constraints. What moves them may be left out of a build, so the
// world knows it as a table of functions (solve/structure.h) alone.
//
// A thread or tissue of a structure keeps its place in its pool, for everybody who looks; cg_world_first_thread and
// cg_world_first_tissue pass it over, so the world's step does not know it. A body is a driven one from then on.
#include "base/status.h"
#include "base/vec3.h"
#include "thread/slide.h"
#include "world/world.h"

static const cg_structure_functions *known_functions;

void cg_use_structures(const cg_structure_functions *functions)
{
    known_functions = functions;
}

cg_structure_def cg_structure_def_default(void)
{
    return (cg_structure_def){.index = 3,
                              .multipliers = CG_MULTIPLIERS_UNKNOWN,
                              .residual = 1e-12,
                              .violation = 1e-12,
                              .iterations = 20,
                              .keep_factors = true,
                              .project_places = true,
                              .project_velocities = true};
}

// --- finding ---

static cg_thread_slot *find_thread_slot(const cg_world *world, cg_thread_id id)
{
    return cg_pool_get(&world->threads, (cg_handle){id.index, id.generation});
}

static cg_tissue_slot *find_tissue_slot(const cg_world *world, cg_tissue_id id)
{
    return cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
}

static cg_rigid *find_rigid(const cg_world *world, cg_rigid_id id)
{
    return cg_pool_get(&world->rigids, (cg_handle){id.index, id.generation});
}

static bool find_hand(const cg_world *world, cg_hand_id id, cg_transform *pose)
{
    const cg_hand *hand = cg_pool_get(&world->hands, (cg_handle){id.index, id.generation});
    if (hand != NULL) {
        *pose = hand->pose;
    }
    return hand != NULL;
}

// --- taking over ---

static void take_thread(cg_world *world, cg_thread_id id)
{
    cg_thread_slot *slot = find_thread_slot(world, id);
    if (slot != NULL && !slot->is_led) {
        cg_world_let_go_of(world, (cg_handle){id.index, id.generation});
        slot->is_led = true;
    }
}

static void take_body(cg_world *world, cg_rigid_id id)
{
    cg_rigid *body = find_rigid(world, id);
    if (body != NULL) {
        body->is_free = false;
        body->is_led = true;
    }
}

// A tissue that the world does not move touches nothing, and nothing sticks to it.
static void take_tissue(cg_world *world, cg_tissue_id id)
{
    cg_tissue_slot *slot = find_tissue_slot(world, id);
    if (slot == NULL || slot->is_led) {
        return;
    }
    cg_world_let_go_of_tissue(world, (cg_handle){id.index, id.generation});
    cg_world_drop_bonds(world, slot);
    cg_world_drop_anchors(world, slot); // there are none in it, but tissues behind it move up
    slot->is_led = true;
    if (slot->meet != NULL) {
        cg_meet_remove(world->meets, slot->meet);
    }
    cg_world_forget_skins(world);
    cg_skin_destroy(slot->skin);
    cg_meet_body_destroy(slot->meet);
    cg_press_destroy(slot->press);
    cg_tissue_surface_destroy(slot->surface);
    slot->skin = NULL;
    slot->meet = NULL;
    slot->press = NULL;
    slot->surface = NULL;
    cg_world_list_bonds(world);
}

static void take_over(cg_world *world, const cg_structure_def *def)
{
    for (int i = 0; i < 2 * def->constraint_count; i++) {
        const cg_constraint_site *site = &def->constraints[i / 2].sites[i % 2];
        take_thread(world, site->thread);
        take_body(world, site->body);
        take_tissue(world, site->tissue);
    }
    for (int i = 0; i < def->thread_count; i++) {
        take_thread(world, def->threads[i].thread);
    }
    for (int i = 0; i < 2 * def->contact_count; i++) {
        take_thread(world, def->contacts[i / 2].threads[i % 2]);
    }
    for (int i = 0; i < def->stitching_count; i++) {
        take_thread(world, def->stitchings[i].thread);
        take_tissue(world, def->stitchings[i].tissue);
    }
}

static cg_status check_thread(const cg_world *world, cg_thread_id id)
{
    cg_handle handle = {id.index, id.generation};
    const cg_thread_slot *slot = cg_pool_get(&world->threads, handle);
    bool is_plain = slot == NULL || (slot->thread->model == NULL && cg_slide_count(slot->thread) == 0 &&
                                     !cg_world_is_swaged(world, handle) && !cg_world_has_parts(world, slot) &&
                                     !cg_world_has_adhesions(world, slot, NULL));
    return is_plain ? cg_ok()
                    : cg_error(CG_BAD_INPUT, "constraints take a thread that is stitched, swaged, of springs or links, "
                                             "sticks to tissue or can be cut; expected none of these");
}

static cg_status check_tissue(const cg_world *world, cg_tissue_id id)
{
    const cg_tissue_slot *slot = find_tissue_slot(world, id);
    bool is_plain = slot == NULL || slot->is_led ||
                    (!cg_world_is_stitched(world, slot) && !cg_world_has_adhesions(world, NULL, slot));
    return is_plain ? cg_ok()
                    : cg_error(CG_BAD_INPUT, "constraints take a tissue that a thread goes through or sticks to; "
                                             "expected one without stitches and adhesions");
}

// What constraints cannot take over; whether the rest is there is looked at when the structure is made.
static cg_status check_what_is_taken(const cg_world *world, const cg_structure_def *def)
{
    cg_status status = cg_ok();
    for (int i = 0; i < 2 * def->constraint_count && status.code == CG_OK; i++) {
        const cg_constraint_site *site = &def->constraints[i / 2].sites[i % 2];
        status = check_thread(world, site->thread);
        status = status.code == CG_OK ? check_tissue(world, site->tissue) : status;
    }
    for (int i = 0; i < def->thread_count && status.code == CG_OK; i++) {
        status = check_thread(world, def->threads[i].thread);
    }
    for (int i = 0; i < 2 * def->contact_count && status.code == CG_OK; i++) {
        status = check_thread(world, def->contacts[i / 2].threads[i % 2]);
    }
    for (int i = 0; i < def->stitching_count && status.code == CG_OK; i++) {
        status = check_thread(world, def->stitchings[i].thread);
        status = status.code == CG_OK ? check_tissue(world, def->stitchings[i].tissue) : status;
    }
    return status;
}

static cg_step_context context_of(const cg_world *world)
{
    return (cg_step_context){.time_step = world->def.time_step, .gravity = world->def.gravity};
}

cg_status cg_world_add_structure(cg_world *world, const cg_structure_def *def)
{
    if (known_functions == NULL) {
        return cg_error(CG_BAD_INPUT, "constraints need SuiteSparse, and this program was built without them; "
                                      "\"scripts/setup run\" installs it for the next build");
    }
    if (world->structure != NULL) {
        return cg_error(CG_FULL, "the world has a structure already; expected one for all constraints");
    }
    cg_status status = check_what_is_taken(world, def);
    if (status.code != CG_OK) {
        return status;
    }
    cg_structure_finder finder = {.world = world,
                                  .thread = cg_world_find_thread,
                                  .body = find_rigid,
                                  .tissue = cg_world_find_tissue,
                                  .hand = find_hand};
    cg_step_context context = context_of(world);
    void *made;
    status = known_functions->make(def, &finder, &context, &world->def.allocator, &made);
    if (status.code != CG_OK) {
        return status;
    }
    world->structure = made;
    world->structure_functions = known_functions;
    take_over(world, def);
    return cg_world_fit_touches(world);
}

void cg_world_destroy_structure(cg_world *world)
{
    if (world->structure != NULL) {
        world->structure_functions->destroy(world->structure);
        world->structure = NULL;
    }
    for (cg_thread_slot *s = cg_pool_first(&world->threads); s != NULL; s = cg_pool_next(&world->threads, s)) {
        s->is_led = false;
    }
    for (cg_tissue_slot *s = cg_pool_first(&world->tissues); s != NULL; s = cg_pool_next(&world->tissues, s)) {
        s->is_led = false;
    }
}

// --- what is not allowed ---

cg_status cg_world_check_tissue_is_own(const cg_world *world, cg_tissue_id id)
{
    const cg_tissue_slot *slot = find_tissue_slot(world, id);
    return slot != NULL && slot->is_led ? cg_error(CG_BAD_INPUT, "the tissue is moved by constraints") : cg_ok();
}

// --- its part in a step ---

cg_status cg_world_make_ready(cg_world *world)
{
    return world->structure != NULL ? world->structure_functions->make_ready(world->structure) : cg_ok();
}

void cg_world_move_structure(cg_world *world, const cg_step_context *context)
{
    if (world->structure != NULL) {
        uint64_t failed = world->structure_functions->info(world->structure).failed_steps;
        cg_world_make_ready(world);
        world->structure_functions->step(world->structure, context);
        world->stats.recovered_steps += world->structure_functions->info(world->structure).failed_steps - failed;
    }
}

// --- state ---

void cg_world_visit_structure(cg_archive *archive, cg_world *world)
{
    // A world without a structure has the state that it had before there were any.
    if (world->structure != NULL) {
        world->structure_functions->visit_state(archive, world->structure);
    }
}

cg_status cg_world_structure_after_load(cg_world *world)
{
    return world->structure != NULL ? world->structure_functions->after_load(world->structure) : cg_ok();
}

// --- looking ---

bool cg_world_get_structure(const cg_world *world, cg_structure_info *info)
{
    *info = world->structure != NULL ? world->structure_functions->info(world->structure) : (cg_structure_info){0};
    return world->structure != NULL;
}

bool cg_structure_get_force(const cg_world *world, int constraint, cg_vec3 *force)
{
    *force = v3_zero();
    return world->structure != NULL && world->structure_functions->force(world->structure, constraint, force);
}

bool cg_structure_get_stitch(const cg_world *world, int stitching, double *arc)
{
    *arc = 0;
    return world->structure != NULL && world->structure_functions->stitch(world->structure, stitching, arc);
}
