// The links of a mesh as springs: neighbours of each node, and rows of springs, four at a time.
//
// An edit changes a few links of many. What is compiled is compared with what was compiled last, link by link and node
// by node; neighbours and rows that come out the same are moved to their new places, and only the others are made.
#include "tissue/links.h"

#include <string.h>

#include "base/vec3.h"

// What changed

static bool is_known(const cg_known_link *known, const cg_mesh_link *link)
{
    return known->ends[0] == link->ends[0] && known->ends[1] == link->ends[1] && known->rest == link->rest &&
           known->stiffness == link->stiffness && known->stiffening == link->stiffening;
}

static void mark_nodes(cg_springs *springs, const cg_mesh *mesh)
{
    unsigned char *changed = springs->strained; // free outside a step
    for (int i = 0; i < mesh->node_count; i++) {
        bool is_new = i >= springs->made_count;
        bool is_moved = is_new || memcmp(&springs->made_at[i], &mesh->home[i], sizeof *mesh->home) != 0;
        changed[i] = (unsigned char)((is_moved ? CG_NODE_MOVED : 0) | (is_new ? CG_NODE_RELINKED : 0));
        springs->made_at[i] = mesh->home[i];
    }
}

static void mark_ends(cg_springs *springs, const int ends[2], int node_count)
{
    for (int k = 0; k < 2; k++) {
        if (ends[k] < node_count) {
            springs->strained[ends[k]] |= CG_NODE_RELINKED;
        }
    }
}

static void mark_links(cg_springs *springs, const cg_mesh *mesh)
{
    springs->shortest = mesh->link_count > 0 ? mesh->links[0].rest : 0;
    for (int k = 0; k < mesh->link_count; k++) {
        const cg_mesh_link *link = &mesh->links[k];
        springs->shortest = link->rest < springs->shortest ? link->rest : springs->shortest;
        if (k < springs->known_count && is_known(&springs->known[k], link)) {
            continue;
        }
        if (k < springs->known_count) {
            mark_ends(springs, springs->known[k].ends, mesh->node_count);
        }
        mark_ends(springs, link->ends, mesh->node_count);
        springs->known[k] =
            (cg_known_link){{link->ends[0], link->ends[1]}, link->rest, link->stiffness, link->stiffening};
    }
    for (int k = mesh->link_count; k < springs->known_count; k++) {
        mark_ends(springs, springs->known[k].ends, mesh->node_count);
    }
    springs->known_count = mesh->link_count;
}

static bool is_relinked(const cg_springs *springs, int node)
{
    return springs->strained[node] & CG_NODE_RELINKED;
}

// Neighbours

// Where the neighbours of each node begin.
static void place_neighbours(const cg_springs *springs, const cg_mesh *mesh, int *start)
{
    int next = 0;
    for (int i = 0; i < springs->node_count; i++) {
        start[i] = next;
        if (!is_relinked(springs, i)) {
            next += springs->first_neighbour[i + 1] - springs->first_neighbour[i];
            continue;
        }
        for (int at = mesh->first_link[i]; at >= 0; at = mesh->next_link[at]) {
            next++;
        }
    }
}

static void move_neighbours(cg_springs *springs, int node, int to)
{
    int from = springs->first_neighbour[node], count = springs->first_neighbour[node + 1] - from;
    memmove(springs->neighbours + to, springs->neighbours + from, (size_t)count * sizeof *springs->neighbours);
}

// Those that go down are moved from the first on, those that go up from the last: none is written over before.
static void move_all_neighbours(cg_springs *springs, const int *start)
{
    for (int i = 0; i < springs->node_count; i++) {
        if (!is_relinked(springs, i) && start[i] < springs->first_neighbour[i]) {
            move_neighbours(springs, i, start[i]);
        }
    }
    for (int i = springs->node_count - 1; i >= 0; i--) {
        if (!is_relinked(springs, i) && start[i] > springs->first_neighbour[i]) {
            move_neighbours(springs, i, start[i]);
        }
    }
    memcpy(springs->first_neighbour, start, (size_t)springs->node_count * sizeof *start);
    springs->first_neighbour[springs->node_count] = 2 * springs->known_count;
}

static void put_neighbours(cg_springs *springs, const cg_mesh *mesh, int node)
{
    cg_neighbour *n = springs->neighbours + springs->first_neighbour[node];
    for (int at = mesh->first_link[node]; at >= 0; at = mesh->next_link[at]) {
        const cg_mesh_link *link = &mesh->links[at / 2];
        *n++ = (cg_neighbour){.rest = link->rest,
                              .stiffness = link->stiffness,
                              .curve = link->stiffening / (link->rest * link->rest),
                              .node = link->ends[1 - at % 2],
                              .link = at / 2};
    }
}

static void sort_neighbours(cg_neighbour *n, int count)
{
    for (int i = 1; i < count; i++) {
        cg_neighbour moving = n[i];
        int at = i;
        for (; at > 0 && n[at - 1].node > moving.node; at--) {
            n[at] = n[at - 1];
        }
        n[at] = moving;
    }
}

static void sum_stiffness(cg_springs *springs, int node)
{
    double sum = 0;
    for (int at = springs->first_neighbour[node]; at < springs->first_neighbour[node + 1]; at++) {
        sum += springs->neighbours[at].stiffness;
    }
    springs->own_stiffness[node] = sum;
}

static void list_neighbours(cg_springs *springs, const cg_mesh *mesh)
{
    int *start = springs->order; // free outside a step
    place_neighbours(springs, mesh, start);
    move_all_neighbours(springs, start);
    for (int i = 0; i < springs->node_count; i++) {
        int first = springs->first_neighbour[i];
        if (is_relinked(springs, i)) {
            put_neighbours(springs, mesh, i);
            sort_neighbours(springs->neighbours + first, springs->first_neighbour[i + 1] - first);
            sum_stiffness(springs, i);
        }
    }
}

// Rows

// Writes a spring into a lane of a four; without one, a spring that does nothing.
static void put_spring(cg_springs *springs, int spring, int other, const cg_neighbour *n, double made)
{
    cg_spring_four *four = &springs->fours[spring / 4];
    int lane = spring % 4;
    four->rest[lane] = n != NULL ? n->rest : 1;
    four->stiffness[lane] = n != NULL ? n->stiffness : 0;
    four->curve[lane] = n != NULL ? (float)n->curve : 0;
    four->made[lane] = (float)made;
    springs->end[spring] = cg_end_of(other);
}

static int link_count_of(const cg_springs *springs, int node)
{
    return springs->first_neighbour[node + 1] - springs->first_neighbour[node];
}

static bool owns(const cg_springs *springs, int node, int other)
{
    int own = link_count_of(springs, node), others = link_count_of(springs, other);
    return own > others || (own == others && node < other);
}

// A row is another one when its node, or one at the other end of a link, is elsewhere or has other links: who owns a
// link depends on how many both have.
static void mark_rows(cg_springs *springs)
{
    for (int i = 0; i < springs->node_count; i++) {
        if (springs->strained[i] & (CG_NODE_MOVED | CG_NODE_RELINKED)) {
            springs->strained[i] |= CG_NODE_REROWED;
            for (int at = springs->first_neighbour[i]; at < springs->first_neighbour[i + 1]; at++) {
                springs->strained[springs->neighbours[at].node] |= CG_NODE_REROWED;
            }
        }
    }
}

static bool is_rerowed(const cg_springs *springs, int node)
{
    return springs->strained[node] & CG_NODE_REROWED;
}

// Where the rows of nodes were and are to be, in fours, and how many springs each has, made even; all three are free
// while links are listed.
typedef struct row_places {
    int *from, *to, *springs;
} row_places;

static int fours_of(int springs)
{
    return (springs + 3) / 4;
}

static void place_rows(const cg_springs *springs, row_places places)
{
    int old = 0, next = 0;
    for (int i = 0; i < springs->node_count; i++) {
        while (old < springs->row_count && springs->row_node[old] < i) {
            old++;
        }
        bool had_row = old < springs->row_count && springs->row_node[old] == i;
        int count = 0;
        places.from[i] = had_row ? springs->first_four[old] : 0;
        if (is_rerowed(springs, i)) {
            for (int at = springs->first_neighbour[i]; at < springs->first_neighbour[i + 1]; at++) {
                count += owns(springs, i, springs->neighbours[at].node);
            }
            count = (count + 1) / 2 * 2;
        } else if (had_row) {
            count = springs->last_spring[old] - 4 * springs->first_four[old];
        }
        places.to[i] = next;
        places.springs[i] = count;
        next += fours_of(count);
    }
}

static void move_row(cg_springs *springs, row_places places, int node)
{
    size_t from = (size_t)places.from[node], to = (size_t)places.to[node];
    size_t fours = (size_t)fours_of(places.springs[node]);
    memmove(springs->fours + to, springs->fours + from, fours * sizeof *springs->fours);
    memmove(springs->end + 4 * to, springs->end + 4 * from, 4 * fours * sizeof *springs->end);
}

// As neighbours are moved.
static void move_all_rows(cg_springs *springs, row_places places)
{
    for (int i = 0; i < springs->node_count; i++) {
        if (!is_rerowed(springs, i) && places.to[i] < places.from[i]) {
            move_row(springs, places, i);
        }
    }
    for (int i = springs->node_count - 1; i >= 0; i--) {
        if (!is_rerowed(springs, i) && places.to[i] > places.from[i]) {
            move_row(springs, places, i);
        }
    }
}

static void make_row(cg_springs *springs, const cg_mesh *mesh, int node, int first)
{
    int spring = first;
    for (int at = springs->first_neighbour[node]; at < springs->first_neighbour[node + 1]; at++) {
        const cg_neighbour *n = &springs->neighbours[at];
        if (owns(springs, node, n->node)) {
            put_spring(springs, spring++, n->node, n, v3_distance(mesh->home[node], mesh->home[n->node]));
        }
    }
    while (spring % 4 != 0) {
        put_spring(springs, spring++, node, NULL, 0); // of no length, as it is made: it is never strained
    }
}

static void list_rows(cg_springs *springs, const cg_mesh *mesh)
{
    row_places places = {springs->marked, springs->order, springs->row_springs};
    int row = 0, fours = 0;
    mark_rows(springs);
    place_rows(springs, places);
    move_all_rows(springs, places);
    for (int i = 0; i < springs->node_count; i++) {
        if (places.springs[i] > 0) {
            if (is_rerowed(springs, i)) {
                make_row(springs, mesh, i, 4 * places.to[i]);
            }
            springs->row_node[row] = i;
            springs->first_four[row] = places.to[i];
            springs->last_spring[row++] = 4 * places.to[i] + places.springs[i];
            fours = places.to[i] + fours_of(places.springs[i]);
        }
    }
    springs->first_four[row] = fours;
    springs->row_count = row;
}

void cg_springs_list_links(cg_springs *springs, const cg_mesh *mesh)
{
    springs->node_count = mesh->node_count;
    mark_nodes(springs, mesh);
    mark_links(springs, mesh);
    list_neighbours(springs, mesh);
    list_rows(springs, mesh);
    springs->made_count = mesh->node_count;
}
