// Cuts through a tissue that moves, and its pieces.
//
// A piece that is moved to a tissue of its own takes all its state along: places, velocities, masses, targets and
// forces are copied bit by bit, in ascending order of numbers, as the mesh does it; of what is left, the last node gets
// the number of one that goes, from the highest number down. Both tissues go on as the one would have.
#include "base/status.h"
#include "base/vec3.h"
#include "tissue/make.h"
#include "tissue/tissue.h"

// Parts of an edge are not made shorter than this share of the grain: springs as stiff as these are no trouble for an
// implicit step (tests/world/test_cut.c), and a place that is cut again and again does not fill the mesh.
static const double LEAST_EDGE = 0.15;

static void keep_up(void *context)
{
    cg_tissue_follow_edits(context);
}

cg_status cg_tissue_cut_along(cg_tissue *tissue, const cg_mesh_blade *blade, cg_mesh_cut_result *result)
{
    if (tissue->solver == CG_TISSUE_NEUMANN) {
        return cg_error(CG_BAD_INPUT, "a cloth of the Neumann solver cannot be cut: its springs are those of a grid");
    }
    cg_mesh_blade followed = *blade;
    cg_tissue_adapt(tissue); // edits of before
    followed.least = LEAST_EDGE * tissue->grain;
    followed.keep_up = keep_up;
    followed.context = tissue;
    cg_status status = cg_mesh_cut(tissue->mesh, &followed, result);
    cg_tissue_adapt(tissue);
    return status;
}

int cg_tissue_find_pieces(cg_tissue *tissue)
{
    if (tissue->pieces_version != tissue->mesh->topology_version) {
        tissue->piece_count = cg_mesh_find_pieces(tissue->mesh, tissue->piece);
        tissue->pieces_version = tissue->mesh->topology_version;
    }
    return tissue->piece_count;
}

cg_status cg_tissue_make_room(cg_tissue *tissue, int node, const cg_tissue_def *def, const cg_allocator *allocator,
                              cg_tissue **made)
{
    const cg_mesh *mesh = tissue->mesh;
    *made = NULL;
    cg_tissue_find_pieces(tissue);
    int wanted = tissue->piece[node], nodes = 0, links = 0, cells = 0, triangles = 0;
    for (int i = 0; i < mesh->node_count; i++) {
        nodes += tissue->piece[i] == wanted;
    }
    for (int i = 0; i < mesh->link_count; i++) {
        links += tissue->piece[mesh->links[i].ends[0]] == wanted;
    }
    for (int i = 0; i < mesh->cell_count; i++) {
        cells += tissue->piece[mesh->cells[i].nodes[0]] == wanted;
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        triangles += tissue->piece[mesh->triangles[i].nodes[0]] == wanted;
    }
    double more = def->max_nodes > 0 ? def->max_nodes - nodes : nodes / 2;
    cg_mesh_limits limits = cg_make_limits(nodes, links, cells, triangles, more);
    cg_mesh *empty;
    cg_status status = cg_mesh_create(allocator, &limits, &empty);
    if (status.code == CG_OK) {
        status = cg_tissue_adopt(empty, def, allocator, made);
    }
    return status;
}

static void copy_node(cg_tissue *to, int i, const cg_tissue *from, int j)
{
    to->velocity[i] = from->velocity[j];
    to->push[i] = from->push[j];
    to->held[i] = from->held[j];
    to->target[i] = from->target[j];
    to->reaction[i] = from->reaction[j];
    to->pierced[i] = from->pierced[j];
    to->heat[i] = from->heat[j];
}

// State of the piece goes behind the first nodes of the other tissue, and that of what is left to its new numbers.
static void move_state(cg_tissue *tissue, int count, int wanted, cg_tissue *into, int first, int *number)
{
    int next = first, left = count;
    int *place = tissue->piece; // from here on: which node is at a number
    for (int i = 0; i < count; i++) {
        bool goes = tissue->piece[i] == wanted;
        number[i] = goes ? -1 - next : i;
        if (goes) {
            copy_node(into, next++, tissue, i);
        }
        place[i] = i;
    }
    for (int i = count - 1; i >= 0; i--) {
        if (number[i] < 0) {
            left--;
            if (i != left) {
                copy_node(tissue, i, tissue, left);
                place[i] = place[left];
                number[place[i]] = i;
            }
        }
    }
    tissue->pieces_version = into->pieces_version = 0;
}

// What is said of the tissue as a whole is true of each piece.
static void copy_whole(cg_tissue *to, const cg_tissue *from)
{
    to->grain = from->grain;
    to->longest = from->longest;
    to->firmness = from->firmness;
    to->cutout = from->cutout;
    to->is_pushed = from->is_pushed;
    to->has_held = from->has_held;
    to->is_heated = from->is_heated;
    to->slept_step = from->slept_step;
    to->slept_gravity = from->slept_gravity;
}

static void compile_again(cg_tissue *tissue, bool asleep)
{
    tissue->followed = tissue->mesh->edit_count; // move_state has done it
    tissue->is_compiled = false;
    cg_tissue_adapt(tissue);
    tissue->asleep = asleep;
}

cg_status cg_tissue_take_piece(cg_tissue *tissue, int node, cg_tissue *into, int *number)
{
    cg_tissue_adapt(tissue);
    if (cg_tissue_find_pieces(tissue) < 2) {
        return cg_error(CG_BAD_INPUT, "the tissue is in one piece; expected two or more");
    }
    bool asleep = tissue->asleep;
    int count = tissue->mesh->node_count, first = into->mesh->node_count, wanted = tissue->piece[node];
    cg_status status = cg_mesh_take_piece(tissue->mesh, node, into->mesh);
    if (status.code == CG_OK) {
        move_state(tissue, count, wanted, into, first, number);
        copy_whole(into, tissue);
        compile_again(tissue, asleep);
        compile_again(into, asleep);
    }
    return status;
}
