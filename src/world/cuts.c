// Tissue that is cut in a world: the public calls, and who follows what they change.
//
// Edits are made between steps, or in the last stage of one. The arrays of the tissue follow at once, and with them
// hands that hold a patch and all contacts; those of what an edit touched are found anew in the next step.
#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "world/world.h"

static cg_status bad_handle(cg_tissue_id id)
{
    return cg_error(CG_BAD_HANDLE, "tissue id (%u, %u) names no tissue of this world", id.index, id.generation);
}

static bool holds(const cg_world *world, const cg_hand *hand, const cg_tissue_slot *slot)
{
    return hand->patch_count > 0 && cg_pool_get(&world->tissues, hand->tissue) == slot;
}

void cg_world_watch_edits(void *slot, uint64_t from, bool is_lost)
{
    const cg_tissue_slot *edited = slot;
    cg_world *world = edited->world;
    for (cg_hand *h = cg_pool_first(&world->hands); h != NULL; h = cg_pool_next(&world->hands, h)) {
        if (holds(world, h, edited)) {
            if (is_lost) {
                cg_hand_let_go(h);
            } else {
                cg_hand_follow_patch(h, edited->tissue->mesh, from);
            }
        }
    }
    bool is_followed = edited->press != NULL && cg_press_follow_edits(edited->press, from, is_lost);
    if (edited->skin != NULL) {
        cg_touch_renumber_skin(&world->touches, edited->skin, is_followed ? &edited->press->numbers : NULL);
    }
    if (edited->meet != NULL && is_followed && world->meets != NULL) {
        cg_meet_renumber(world->meets, edited->meet, &edited->press->numbers);
    } else if (edited->meet != NULL) {
        cg_tissue_surface_follow_edits(edited->surface); // now: nodes that came are state
        if (world->meets != NULL) {
            cg_meet_forget(world->meets);
        }
    }
    cg_world_follow_bonds(world, edited, from, is_lost);
    cg_world_follow_anchors(edited, is_followed ? &edited->press->numbers : NULL);
    cg_world_follow_channels(edited, is_followed ? &edited->press->numbers : NULL);
    cg_world_follow_planes(edited, is_followed ? &edited->press->numbers : NULL);
    cg_world_follow_adhesions(edited, is_followed ? &edited->press->numbers : NULL);
}

static cg_status check_path(const cg_vec3 *path, const cg_vec3 *down, int count)
{
    if (count < 2 || count > CG_TISSUE_MOST_PATH) {
        return cg_error(CG_BAD_INPUT, "the path of a cut has %d points; expected 2 to %d", count, CG_TISSUE_MOST_PATH);
    }
    for (int i = 0; i < count; i++) {
        if (!(v3_length(path[i]) <= 1e6) || !(v3_length(down[i]) <= 1e6)) {
            return cg_error(CG_BAD_INPUT, "point %d of the path of a cut is not within 1e6 m of the origin", i);
        }
    }
    return cg_ok();
}

cg_status cg_tissue_cut(cg_world *world, cg_tissue_id id, const cg_vec3 *path, const cg_vec3 *down, int count,
                        cg_tissue_cut_result *result)
{
    cg_tissue_cut_result ignored;
    result = result != NULL ? result : &ignored;
    *result = (cg_tissue_cut_result){0};
    cg_tissue_slot *slot = cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
    if (slot == NULL) {
        return bad_handle(id);
    }
    cg_status status = cg_world_check_tissue_is_own(world, id);
    status = status.code == CG_OK ? check_path(path, down, count) : status;
    if (status.code != CG_OK) {
        return status;
    }
    cg_mesh_blade blade = {.path = path, .down = down, .count = count, .snap = CG_MESH_SNAP};
    cg_mesh_cut_result cut;
    status = cg_tissue_cut_along(slot->tissue, &blade, &cut);
    result->splits = cut.splits;
    result->parted = cut.parted;
    result->area = cut.area + cut.length * slot->def.layers[0].thickness;
    result->pieces = cg_tissue_find_pieces(slot->tissue);
    return status;
}

double cg_tissue_char(const cg_world *world, cg_tissue_id id, int node)
{
    const cg_tissue *tissue = cg_world_find_tissue(world, id);
    return tissue != NULL && node >= 0 && node < tissue->mesh->node_count ? cg_burn_char(tissue, node) : 0;
}

int cg_tissue_piece_count(const cg_world *world, cg_tissue_id id)
{
    cg_tissue *tissue = cg_world_find_tissue(world, id); // remembers what it finds
    return tissue != NULL ? cg_tissue_find_pieces(tissue) : 0;
}

int cg_tissue_piece_of(const cg_world *world, cg_tissue_id id, int node)
{
    cg_tissue *tissue = cg_world_find_tissue(world, id);
    if (tissue == NULL || node < 0 || node >= tissue->mesh->node_count) {
        return -1;
    }
    cg_tissue_find_pieces(tissue);
    return tissue->piece[node];
}

static void move_piece(cg_world *world, cg_tissue_slot *slot, int node, cg_tissue_slot *other, int *number)
{
    // There are two pieces and the other tissue was made for this one: nothing can fail.
    cg_tissue_take_piece(slot->tissue, node, other->tissue, number);
    for (cg_hand *h = cg_pool_first(&world->hands); h != NULL; h = cg_pool_next(&world->hands, h)) {
        if (holds(world, h, slot)) {
            cg_hand_follow_piece(h, number, cg_pool_handle_of(&world->tissues, other));
        }
    }
    if (slot->press != NULL) {
        slot->press->count = 0; // found anew in the next step
        cg_mesh_numbers_take(&slot->press->numbers, slot->tissue->mesh);
        cg_mesh_numbers_take(&other->press->numbers, other->tissue->mesh);
        other->surface->thickness = slot->surface->thickness;
    }
    if (world->meets != NULL) {
        cg_meet_forget(world->meets);
    }
    cg_world_part_bonds(world, slot, other, number);
}

cg_status cg_world_separate_tissue(cg_world *world, cg_tissue_id id, int node, cg_tissue_id *separated)
{
    *separated = (cg_tissue_id){0, 0};
    cg_tissue_slot *slot = cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
    if (slot == NULL) {
        return bad_handle(id);
    }
    cg_status own = cg_world_check_tissue_is_own(world, id);
    if (own.code != CG_OK) {
        return own;
    }
    if (cg_world_is_stitched(world, slot)) {
        return cg_error(CG_BAD_INPUT, "a thread goes through the tissue; expected one without stitches");
    }
    cg_tissue *tissue = slot->tissue, *made;
    int count = tissue->mesh->node_count;
    if (node < 0 || node >= count) {
        return cg_error(CG_BAD_INPUT, "node is %d; expected 0 to %d", node, count - 1);
    }
    if (cg_tissue_find_pieces(tissue) < 2) {
        return cg_error(CG_BAD_INPUT, "the tissue is in one piece; expected two or more");
    }
    int *number = cg_memory_take(&world->def.allocator, (size_t)count * sizeof *number);
    if (number == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the piece of a tissue");
    }
    cg_status status = cg_tissue_make_room(tissue, node, &slot->def, &world->def.allocator, &made);
    if (status.code == CG_OK) {
        status = cg_world_place_tissue(world, made, &slot->def, separated);
    }
    if (status.code == CG_OK) {
        move_piece(world, slot, node,
                   cg_pool_get(&world->tissues, (cg_handle){separated->index, separated->generation}), number);
    }
    cg_memory_give(&world->def.allocator, number);
    return status;
}

// --- tools that are carried ---

void cg_world_sweep_blade(cg_world *world, cg_blade *blade, cg_edge before, cg_edge after)
{
    double time_step = world->def.time_step;
    cg_tissue_slot *slot = cg_pool_get(&world->tissues, blade->tissue);
    if (slot != NULL) {
        cg_blade_sweep(blade, slot->tissue, before, after, time_step);
    } else {
        cg_blade_end(blade, NULL);
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL && blade->count == 0;
         s = cg_world_next_tissue(world, s)) {
        if (s != slot) {
            cg_blade_sweep(blade, s->tissue, before, after, time_step);
            blade->tissue = cg_pool_handle_of(&world->tissues, s);
        }
    }
    blade->tissue = blade->count > 0 ? blade->tissue : (cg_handle){0, 0};
}

void cg_world_end_blade(cg_world *world, cg_blade *blade)
{
    cg_tissue_slot *slot = cg_pool_get(&world->tissues, blade->tissue);
    cg_blade_end(blade, slot != NULL ? slot->tissue : NULL);
    blade->tissue = (cg_handle){0, 0};
}

cg_burn_result cg_world_sweep_hook(cg_world *world, const cg_burn *burn)
{
    cg_burn_result sum = {0}, one;
    double near = 0; // [kg]
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        near += cg_burn_near(s->tissue, burn);
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        cg_burn part = *burn;
        part.power *= cg_burn_near(s->tissue, burn) / near; // not a number where there is nothing: not heated
        cg_burn_step(s->tissue, &part, world->def.time_step, &one);
        sum.removed += one.removed;
        sum.mass += one.mass;
        sum.heat += one.heat;
        sum.is_full = sum.is_full || one.is_full;
    }
    return sum;
}
