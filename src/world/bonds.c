// Tissue that sticks to tissue in a world: its part in the step, and the public look at it.
#include "base/status.h"
#include "base/vec3.h"
#include "world/world.h"

cg_status cg_world_make_bonds(cg_world *world, cg_tissue *tissue, const cg_tissue_surface *surface,
                              const cg_tissue_def *def, cg_bond_set **bonds)
{
    bool can_stick = def->bond_strength > 0 && tissue->solver == CG_TISSUE_IMPLICIT;
    return can_stick ? cg_bond_create(tissue, def->bond_strength, surface->thickness, &world->def.allocator, bonds)
                     : cg_ok();
}

void cg_world_list_bonds(cg_world *world)
{
    world->bond_set_count = 0;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        if (s->bonds != NULL) {
            s->bonds->place = (int)cg_pool_handle_of(&world->tissues, s).index;
            world->bond_sets[world->bond_set_count++] = s->bonds;
            cg_bond_forget_lists(s->bonds);
        }
    }
}

static void count_lost(cg_world *world, int lost)
{
    world->stats.broken_bonds += (uint64_t)lost;
}

void cg_world_drop_bonds(cg_world *world, cg_tissue_slot *slot)
{
    if (slot->bonds != NULL) {
        int place = slot->bonds->place, lost = slot->bonds->count;
        slot->bonds->count = 0;
        for (int i = 0; i < world->bond_set_count; i++) {
            lost += cg_bond_drop_other(world->bond_sets[i], place);
        }
        count_lost(world, lost);
        cg_bond_destroy(slot->bonds);
        slot->bonds = NULL;
    }
}

void cg_world_begin_bonds(cg_world *world)
{
    cg_bond_begin(world->bond_sets, world->bond_set_count);
}

void cg_world_finish_bonds(cg_world *world)
{
    cg_world_stats *stats = &world->stats;
    for (int i = 0; i < world->bond_set_count; i++) {
        count_lost(world, cg_bond_note(world->bond_sets[i]));
    }
    stats->made_bonds += (uint64_t)cg_bond_find(world->bond_sets, world->bond_set_count);
    stats->bonds = 0;
    for (int i = 0; i < world->bond_set_count; i++) {
        stats->bonds += world->bond_sets[i]->count;
    }
}

void cg_world_follow_bonds(cg_world *world, const cg_tissue_slot *edited, uint64_t from, bool is_lost)
{
    for (int i = 0; i < world->bond_set_count && edited->bonds != NULL; i++) {
        count_lost(world, cg_bond_follow_edits(world->bond_sets[i], edited->bonds, from, is_lost));
    }
}

void cg_world_part_bonds(cg_world *world, cg_tissue_slot *from, cg_tissue_slot *to, const int *number)
{
    if (from->bonds == NULL || to->bonds == NULL) {
        return;
    }
    to->bonds->thickness = from->bonds->thickness;
    for (int i = 0; i < world->bond_set_count; i++) {
        if (world->bond_sets[i] != from->bonds) {
            count_lost(world, cg_bond_follow_piece(world->bond_sets[i], from->bonds, to->bonds, number));
        }
    }
    count_lost(world, cg_bond_follow_piece(from->bonds, from->bonds, to->bonds, number));
}

// The public calls

static cg_tissue_slot *find_slot(const cg_world *world, cg_tissue_id id)
{
    return cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
}

int cg_tissue_bond_count(const cg_world *world, cg_tissue_id id)
{
    const cg_tissue_slot *slot = find_slot(world, id);
    return slot != NULL && slot->bonds != NULL ? slot->bonds->count : 0;
}

static cg_tissue_id id_at(const cg_world *world, int place)
{
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        cg_handle handle = cg_pool_handle_of(&world->tissues, s);
        if ((int)handle.index == place) {
            return (cg_tissue_id){handle.index, handle.generation};
        }
    }
    return (cg_tissue_id){0, 0};
}

bool cg_tissue_get_bond(const cg_world *world, cg_tissue_id id, int index, cg_tissue_bond *bond)
{
    if (index < 0 || index >= cg_tissue_bond_count(world, id)) {
        return false;
    }
    const cg_bond *found = &find_slot(world, id)->bonds->bonds[index];
    double left = cohesion_strength_left(found->law, found->worst);
    *bond = (cg_tissue_bond){.node = found->node,
                             .other = id_at(world, found->other),
                             .triangle = found->triangle,
                             .weights = {found->weights[0], found->weights[1], found->weights[2]},
                             .force = found->force,
                             .area = found->area,
                             .strength = found->law.strength,
                             .damage = 1 - left / found->law.strength};
    return true;
}

cg_status cg_tissue_merge_bonds(cg_world *world, cg_tissue_id id, int *merged)
{
    const cg_tissue_slot *slot = find_slot(world, id);
    int ignored;
    merged = merged != NULL ? merged : &ignored;
    *merged = 0;
    if (slot == NULL) {
        return cg_error(CG_BAD_HANDLE, "tissue id (%u, %u) names no tissue of this world", id.index, id.generation);
    }
    if (slot->bonds != NULL) {
        *merged = cg_bond_merge(slot->bonds);
        cg_world_forget_tear_ways(world, slot); // they were at home, which has moved
    }
    if (*merged == 0) {
        return cg_error(CG_BAD_INPUT, "no two nodes of the tissue stick and lie on each other");
    }
    return cg_ok();
}
