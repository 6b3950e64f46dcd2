// What is safe for a tissue and the threads and bodies that touch it: shares of motions by true distance. See skin.h.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "find/skin.h"
#include "find/skin_parts.h"

cg_skin_surface cg_skin_surface_now(const cg_skin *skin)
{
    const cg_tissue *tissue = skin->tissue;
    bool is_solid = tissue->mesh->cell_count > 0 || tissue->springs.is_closed;
    return (cg_skin_surface){&skin->surface->tree, skin->now, is_solid};
}

// Of what is not clear of the tissue.
static double longest_move(const cg_skin *skin, const cg_chain *chains, const cg_skin_way *way)
{
    double longest = way->others;
    for (int c = 0; c < way->count && way->moves != NULL; c++) {
        double most = 0;
        for (int i = 0; i < chains[c].count; i++) {
            most = skin_larger(most, way->moves[c][i]);
        }
        double there = sqrt(most);
        longest = there <= longest || cg_skin_is_clear(skin, &chains[c], there) ? longest : there;
    }
    return longest;
}

// [links, and radii] Nothing goes farther than this in a pass beside a tissue.
static const double MOST_LINKS = 4, MOST_RADII = 8;

double cg_skin_most_share(cg_skin *skin, const cg_chain *chains, int count, const cg_skin_way *way)
{
    double most = MOST_LINKS * skin->tissue->springs.shortest + MOST_RADII * cg_skin_thickest(chains, count);
    double longest = longest_move(skin, chains, way) + cg_skin_nodes_go(skin);
    return longest > most ? most / longest : 1;
}

// Where pairs within reach of the whole motion are more than there is room for, a part of it is walked.
static const double PART = 0.25, LEAST_PART = 1e-3;

cg_skin_walk cg_skin_walk_share(cg_skin *skin, const cg_chain *chains, int count, const cg_skin_way *way, double limit)
{
    assert(way->count <= count);
    double longest = longest_move(skin, chains, way);
    for (double part = limit; part > LEAST_PART * limit; part *= PART) {
        double moved = cg_skin_cover_share(skin, chains, count, part * longest, part);
        if (moved >= 0) {
            cg_skin_surface surface = cg_skin_surface_now(skin);
            cg_skin_motion motion = {way->moves, skin->moves, way->count};
            return way->count == 0
                       ? (cg_skin_walk){part, -1, 0}
                       : cg_skin_walk_pairs(&surface, chains, &motion, &skin->pairs, moved, &skin->rule, part);
        }
    }
    return (cg_skin_walk){0, -1, 0};
}

double cg_skin_settle(cg_skin *skin, const cg_chain *chains, int count)
{
    const cg_mesh *mesh = skin->tissue->mesh;
    for (int i = 0; i < mesh->node_count; i++) {
        skin->moves[i] = v3_sub(mesh->position[i], skin->now[i]);
    }
    cg_skin_note_moved(skin);
    return cg_skin_walk_share(skin, chains, count, &(cg_skin_way){NULL, count, 0}, 1).share;
}

// No cell may be left with less than this share of its volume.
static const double LEAST_VOLUME = 0.02;

bool cg_skin_stop(cg_skin *skin, double share)
{
    assert(!(share < 0) && !(share > 1));
    cg_tissue *tissue = skin->tissue;
    cg_mesh *mesh = tissue->mesh;
    for (int i = 0; i < mesh->node_count; i++) {
        skin->foreseen[i] = mesh->position[i];
        mesh->position[i] = v3_add_scaled(skin->now[i], share, skin->moves[i]);
    }
    int folded;
    if (share > 0 && cg_tissue_smallest_cell(tissue, &folded) < LEAST_VOLUME) {
        memcpy(mesh->position, skin->foreseen, sizeof *mesh->position * (size_t)mesh->node_count);
        return false;
    }
    for (int i = 0; i < mesh->node_count; i++) {
        tissue->velocity[i] = v3_scale(1 / tissue->time_step, v3_sub(mesh->position[i], skin->start[i]));
    }
    tissue->fastest = -1;
    tissue->stats.shortened_steps++;
    cg_tissue_wake(tissue);
    return true;
}

double cg_skin_whole_share(cg_skin *skin, const cg_chain *starts, int count, const cg_skin_way *way)
{
    const cg_tissue *tissue = skin->tissue;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        skin->now[i] = skin->start[i];
        skin->moves[i] = v3_sub(tissue->mesh->position[i], skin->start[i]);
    }
    cg_skin_note_moved(skin);
    return cg_skin_walk_share(skin, starts, count, way, 1).share;
}
