// Crumbs and hinges of a filling.
//
// Cells that no face joins to the rest are parts; those of less than a hundredth of the cells are crumbs and left out.
// Where walls or gaps are thinner than about 1.25 spacings the outside may touch itself at a node: then the node
// becomes as many as there are groups of cells round it that faces join. Edges at which the outside still meets itself
// are counted.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fill/fill_parts.h"

static const int sides[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}; // the face across from each corner

struct face {
    int nodes[3];
    int cell, side;
};

struct edge {
    int low, high;
};

struct tidy {
    cg_fill_cells *cells;
    int (*across)[4]; // cell across each face; -1: none
    int *label, *queue, *first, *list, *renumbered;
};

static int compare_faces(const void *a, const void *b)
{
    const struct face *x = a, *y = b;
    for (int k = 0; k < 3; k++) {
        if (x->nodes[k] != y->nodes[k]) {
            return x->nodes[k] < y->nodes[k] ? -1 : 1;
        }
    }
    return x->cell != y->cell ? (x->cell < y->cell ? -1 : 1) : x->side - y->side;
}

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return x->low != y->low ? (x->low < y->low ? -1 : 1) : (x->high != y->high ? (x->high < y->high ? -1 : 1) : 0);
}

static void sort_three(int n[3])
{
    for (int pass = 0; pass < 3; pass++) {
        int k = pass % 2;
        if (n[k] > n[k + 1]) {
            int swapped = n[k];
            n[k] = n[k + 1];
            n[k + 1] = swapped;
        }
    }
}

static bool find_across(struct tidy *t)
{
    int count = 4 * t->cells->cell_count;
    struct face *faces = cg_memory_take(t->cells->allocator, (size_t)count * sizeof *faces);
    if (faces == NULL) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        faces[i].cell = i / 4;
        faces[i].side = i % 4;
        for (int k = 0; k < 3; k++) {
            faces[i].nodes[k] = t->cells->cells[i / 4][sides[i % 4][k]];
        }
        sort_three(faces[i].nodes);
        t->across[i / 4][i % 4] = -1;
    }
    qsort(faces, (size_t)count, sizeof *faces, compare_faces);
    for (int i = 0; i + 1 < count; i++) {
        if (memcmp(faces[i].nodes, faces[i + 1].nodes, sizeof faces[i].nodes) == 0) {
            t->across[faces[i].cell][faces[i].side] = faces[i + 1].cell;
            t->across[faces[i + 1].cell][faces[i + 1].side] = faces[i].cell;
        }
    }
    cg_memory_give(t->cells->allocator, faces);
    return true;
}

// Labels the cells that faces join to one; how many there are.
static int walk(struct tidy *t, int start, int label)
{
    int queued = 0;
    t->queue[queued++] = start;
    t->label[start] = label;
    for (int at = 0; at < queued; at++) {
        for (int side = 0; side < 4; side++) {
            int other = t->across[t->queue[at]][side];
            if (other >= 0 && t->label[other] < 0) {
                t->label[other] = label;
                t->queue[queued++] = other;
            }
        }
    }
    return queued;
}

// Cells of crumbs get the label -2.
static void find_parts(struct tidy *t)
{
    int count = t->cells->cell_count, label = 0;
    for (int cell = 0; cell < count; cell++) {
        t->label[cell] = -1;
    }
    for (int cell = 0; cell < count; cell++) {
        if (t->label[cell] != -1) {
            continue;
        }
        int size = walk(t, cell, label++);
        bool is_crumb = 100.0 * size < count;
        t->cells->left_out_parts += is_crumb;
        t->cells->large_parts += !is_crumb;
        for (int i = 0; is_crumb && i < size; i++) {
            t->label[t->queue[i]] = -2;
        }
    }
}

static void drop_crumbs(struct tidy *t)
{
    cg_fill_cells *cells = t->cells;
    int kept = 0, nodes = 0;
    for (int cell = 0; cell < cells->cell_count; cell++) {
        if (t->label[cell] >= 0) {
            memmove(cells->cells[kept++], cells->cells[cell], sizeof *cells->cells);
        }
    }
    cells->cell_count = kept;
    memset(t->renumbered, 0, (size_t)cells->node_count * sizeof *t->renumbered);
    for (int i = 0; i < 4 * kept; i++) {
        t->renumbered[cells->cells[i / 4][i % 4]] = 1;
    }
    for (int node = 0; node < cells->node_count; node++) {
        if (t->renumbered[node] != 0) {
            cells->nodes[nodes] = cells->nodes[node];
            cells->cut[nodes] = cells->cut[node];
            t->renumbered[node] = nodes++;
        }
    }
    cells->node_count = nodes;
    for (int i = 0; i < 4 * kept; i++) {
        cells->cells[i / 4][i % 4] = t->renumbered[cells->cells[i / 4][i % 4]];
    }
}

// Cells at each node, one list after the other.
static void list_cells(struct tidy *t)
{
    const cg_fill_cells *cells = t->cells;
    memset(t->first, 0, ((size_t)cells->node_count + 1) * sizeof *t->first);
    for (int i = 0; i < 4 * cells->cell_count; i++) {
        t->first[cells->cells[i / 4][i % 4] + 1]++;
    }
    for (int node = 0; node < cells->node_count; node++) {
        t->first[node + 1] += t->first[node];
        t->renumbered[node] = t->first[node];
    }
    for (int i = 0; i < 4 * cells->cell_count; i++) {
        t->list[t->renumbered[cells->cells[i / 4][i % 4]]++] = i / 4;
    }
}

// Groups of the cells at a node that faces at the node join; all but the first get a node of their own.
static void split_node(struct tidy *t, int node)
{
    cg_fill_cells *cells = t->cells;
    int from = t->first[node], to = t->first[node + 1], groups = 0;
    for (int i = from; i < to; i++) {
        t->label[t->list[i]] = -1;
    }
    for (int i = from; i < to; i++) {
        if (t->label[t->list[i]] >= 0) {
            continue;
        }
        int queued = 0, copy = node;
        if (groups > 0) {
            copy = cg_fill_add_node(cells, cells->nodes[node], cells->cut[node]);
            cells->split_hinges++;
        }
        t->queue[queued++] = t->list[i];
        t->label[t->list[i]] = groups++;
        for (int at = 0; at < queued; at++) {
            int cell = t->queue[at], corner = 0;
            while (cells->cells[cell][corner] != node) {
                corner++;
            }
            for (int side = 0; side < 4; side++) {
                int other = side == corner ? -1 : t->across[cell][side];
                if (other >= 0 && t->label[other] < 0) {
                    t->label[other] = groups - 1;
                    t->queue[queued++] = other;
                }
            }
        }
        for (int at = 0; at < queued; at++) {
            for (int corner = 0; corner < 4 && copy != node; corner++) {
                int *n = &cells->cells[t->queue[at]][corner];
                *n = *n == node ? copy : *n;
            }
        }
    }
    for (int i = from; i < to; i++) { // others at their nodes look for what has no label
        t->label[t->list[i]] = 0;
    }
}

// Edges with more than two outer faces.
static bool count_hinges(struct tidy *t)
{
    const cg_fill_cells *cells = t->cells;
    int count = 0;
    struct edge *edges = cg_memory_take(cells->allocator, 12 * (size_t)cells->cell_count * sizeof *edges);
    if (edges == NULL) {
        return false;
    }
    for (int i = 0; i < 4 * cells->cell_count; i++) {
        for (int k = 0; k < 3 && t->across[i / 4][i % 4] < 0; k++) {
            int a = cells->cells[i / 4][sides[i % 4][k]], b = cells->cells[i / 4][sides[i % 4][(k + 1) % 3]];
            edges[count++] = (struct edge){a < b ? a : b, a < b ? b : a};
        }
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int at = 0, end; at < count; at = end) {
        for (end = at; end < count && compare_edges(&edges[end], &edges[at]) == 0; end++) {
        }
        t->cells->hinges += end - at > 2;
    }
    cg_memory_give(cells->allocator, edges);
    return true;
}

bool cg_fill_tidy(cg_fill_cells *cells)
{
    size_t count = (size_t)cells->cell_count, nodes = (size_t)cells->node_count;
    struct tidy t = {.cells = cells};
    t.across = cg_memory_take(cells->allocator, count * sizeof *t.across);
    t.label = cg_memory_take(cells->allocator, count * sizeof *t.label);
    t.queue = cg_memory_take(cells->allocator, count * sizeof *t.queue);
    t.list = cg_memory_take(cells->allocator, 4 * count * sizeof *t.list);
    t.first = cg_memory_take(cells->allocator, (nodes + 1) * sizeof *t.first);
    t.renumbered = cg_memory_take(cells->allocator, nodes * sizeof *t.renumbered);
    bool good = t.across != NULL && t.label != NULL && t.queue != NULL && t.list != NULL && t.first != NULL &&
                t.renumbered != NULL && find_across(&t);
    if (good) {
        find_parts(&t);
        drop_crumbs(&t);
        good = find_across(&t); // cells have other numbers now
    }
    if (good) {
        list_cells(&t);
        int before = cells->node_count;
        for (int cell = 0; cell < cells->cell_count; cell++) {
            t.label[cell] = 0;
        }
        for (int node = 0; node < before; node++) {
            split_node(&t, node);
        }
        good = !cells->is_out_of_memory && count_hinges(&t);
    }
    cg_memory_give(cells->allocator, t.across);
    cg_memory_give(cells->allocator, t.label);
    cg_memory_give(cells->allocator, t.queue);
    cg_memory_give(cells->allocator, t.list);
    cg_memory_give(cells->allocator, t.first);
    cg_memory_give(cells->allocator, t.renumbered);
    return good;
}
