// Between steps: which pivots are eliminated together, and where everything lies.
#include <string.h>

#include "constraint/fronts.h"

// A front takes the next pivot when the zeros that it stores then are below this share of its entries; while it is
// narrow a larger share pays, since few pivots in a large front are mostly moving of entries. Without zeros a step of
// `experiment dae_cost` (12 and 24 nodes a side) is slower by 10 %, with 0.25 and 0.45 by 5 to 10 %, with 0.35 and 0.6
// by 10 to 50 %.
#define ZEROS_OF_WIDE 0.15
#define ZEROS_OF_NARROW 0.30
enum { NARROW = 16 };

// What planning works on. Numbers of pivots but for `order`; the tree's parent of a column is the first row below it.
typedef struct plan {
    int count;
    const int *begins, *entry_rows; // of the matrix, by unknowns
    int *order, *place;             // unknown of each pivot; pivot of each unknown
    int *parent;                    // -1: none
    int *child, *next;              // lists of children
    int *mark, *work;
    int *below; // how many rows a column of the factor has below its pivot
    size_t *row_begins;
    int *rows;
} plan;

static void number_pivots(plan *p)
{
    for (int k = 0; k < p->count; k++) {
        p->place[p->order[k]] = k;
    }
}

// The tree of elimination (Liu): `mark` holds shortcuts to the highest ancestor so far.
static void make_tree(plan *p)
{
    for (int k = 0; k < p->count; k++) {
        p->parent[k] = p->mark[k] = -1;
    }
    for (int k = 0; k < p->count; k++) {
        int column = p->order[k];
        for (int e = p->begins[column]; e < p->begins[column + 1]; e++) {
            int i = p->place[p->entry_rows[e]];
            while (i < k) {
                int up = p->mark[i];
                p->mark[i] = k;
                if (up < 0) {
                    p->parent[i] = k;
                    break;
                }
                i = up;
            }
        }
    }
}

// Renumbers the pivots so that each comes right after its descendants: the same factors, in a better order.
static void sort_by_tree(plan *p)
{
    for (int k = 0; k < p->count; k++) {
        p->child[k] = -1;
    }
    int roots = -1, written = 0;
    for (int k = p->count - 1; k >= 0; k--) {
        int *list = p->parent[k] < 0 ? &roots : &p->child[p->parent[k]];
        p->next[k] = *list;
        *list = k;
    }
    for (int root = roots; root >= 0; root = p->next[root]) {
        int at = root;
        while (at >= 0) { // down to the first leaf, up when all children are done
            if (p->child[at] >= 0) {
                int down = p->child[at];
                p->child[at] = p->next[down];
                at = down;
            } else {
                p->work[written++] = p->order[at];
                at = at == root ? -1 : p->parent[at];
            }
        }
    }
    memcpy(p->order, p->work, (size_t)p->count * sizeof *p->order);
}

// Walks over all entries of the factor below the diagonal, row by row: with `rows` it lists them, without it counts.
static void walk_factor(plan *p)
{
    for (int k = 0; k < p->count; k++) {
        p->mark[k] = -1;
        p->below[k] = 0;
    }
    for (int row = 0; row < p->count; row++) {
        int unknown = p->order[row];
        p->mark[row] = row;
        for (int e = p->begins[unknown]; e < p->begins[unknown + 1]; e++) {
            for (int k = p->place[p->entry_rows[e]]; k >= 0 && k < row && p->mark[k] != row; k = p->parent[k]) {
                p->mark[k] = row;
                if (p->rows) {
                    p->rows[p->row_begins[k] + (size_t)p->below[k]] = row;
                }
                p->below[k]++;
            }
        }
    }
}

static bool list_rows(plan *p, const cg_allocator *allocator)
{
    walk_factor(p);
    p->row_begins[0] = 0;
    for (int k = 0; k < p->count; k++) {
        p->row_begins[k + 1] = p->row_begins[k] + (size_t)p->below[k];
    }
    p->rows = cg_memory_take(allocator, p->row_begins[p->count] * sizeof *p->rows);
    if (p->rows) {
        walk_factor(p);
    }
    return p->rows != NULL;
}

// Whether the pivots from `first` to `last` and the one after them make one front.
static bool belongs(const plan *p, int first, int last, double *zeros)
{
    if (p->parent[last] != last + 1) {
        return false;
    }
    double width = last + 2 - first, more = 1 + p->below[last + 1] - p->below[last];
    double now = *zeros + more * (width - 1), entries = 0.5 * width * width + width * p->below[last + 1];
    if (now > (width <= NARROW ? ZEROS_OF_NARROW : ZEROS_OF_WIDE) * entries) {
        return false;
    }
    *zeros = now;
    return true;
}

// Finds the fronts; without `list` it only counts them.
static int find_fronts(const plan *p, cg_front *list)
{
    int count = 0;
    for (int first = 0, last; first < p->count; first = last + 1, count++) {
        double zeros = 0;
        for (last = first; last + 1 < p->count && belongs(p, first, last, &zeros);) {
            last++;
        }
        if (list) {
            list[count] = (cg_front){.first = first,
                                     .width = last + 1 - first,
                                     .below = p->below[last],
                                     .parent = p->parent[last], // a pivot, for now
                                     .last_child = -1,
                                     .previous = -1};
        }
    }
    return count;
}

static int place_in(const cg_fronts *fronts, const cg_front *front, int pivot)
{
    if (pivot < front->first + front->width) {
        return pivot - front->first;
    }
    const int *rows = fronts->rows + front->rows;
    int low = 0, high = front->below - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (rows[middle] < pivot) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return front->width + low;
}

// Lists of rows, parents, places of factors and updates; `front_of` of each pivot is filled.
static bool lay_out(cg_fronts *fronts, const plan *p, int *front_of)
{
    size_t rows = 0, factors = 0, top = 0, most_updates = 0, most_work = 0;
    for (int f = 0; f < fronts->front_count; f++) {
        cg_front *front = &fronts->fronts[f];
        size_t width = (size_t)front->width, below = (size_t)front->below;
        for (int k = 0; k < front->width; k++) {
            front_of[front->first + k] = f;
        }
        front->rows = rows;
        rows += below;
        front->left = factors;
        front->right = factors + (width + below) * width;
        factors += (width + below) * width + width * below;
        size_t work = (width + below) * cg_front_stride(front);
        most_work = work > most_work ? work : most_work;
        double w = front->width, b = front->below;
        fronts->operations += w * (2.0 / 3 * w * w + 2 * w * b + 2 * b * b);
    }
    for (int f = 0; f < fronts->front_count; f++) { // parents are known now
        cg_front *front = &fronts->fronts[f];
        front->parent = front->parent < 0 ? -1 : front_of[front->parent];
        if (front->parent >= 0) {
            front->previous = fronts->fronts[front->parent].last_child;
            fronts->fronts[front->parent].last_child = f;
        }
        // A front's children lie on top of the stack of updates; its own takes their place.
        for (int child = front->last_child; child >= 0; child = fronts->fronts[child].previous) {
            top = fronts->fronts[child].update;
        }
        front->update = top;
        top += (size_t)front->below * (size_t)front->below;
        most_updates = top > most_updates ? top : most_updates;
    }
    fronts->rows = cg_memory_take(&fronts->allocator, rows * sizeof *fronts->rows);
    fronts->in_parent = cg_memory_take(&fronts->allocator, rows * sizeof *fronts->in_parent);
    fronts->factors = cg_memory_take(&fronts->allocator, factors * sizeof(double));
    fronts->updates = cg_memory_take(&fronts->allocator, most_updates * sizeof(double));
    fronts->work = cg_memory_take(&fronts->allocator, most_work * sizeof(double));
    fronts->vector = cg_memory_take(&fronts->allocator, 2 * (size_t)p->count * sizeof(double));
    return fronts->rows && fronts->in_parent && fronts->factors && fronts->updates && fronts->work && fronts->vector;
}

static void fill_rows(cg_fronts *fronts, const plan *p)
{
    for (int f = 0; f < fronts->front_count; f++) {
        const cg_front *front = &fronts->fronts[f];
        const int *rows = p->rows + p->row_begins[front->first + front->width - 1];
        memcpy(fronts->rows + front->rows, rows, (size_t)front->below * sizeof *rows);
    }
    for (int f = 0; f < fronts->front_count; f++) {
        const cg_front *front = &fronts->fronts[f];
        for (int k = 0; k < front->below; k++) {
            size_t at = front->rows + (size_t)k;
            fronts->in_parent[at] = place_in(fronts, &fronts->fronts[front->parent], fronts->rows[at]);
        }
    }
}

static int first_of(const plan *p, int row, int column)
{
    int a = p->place[row], b = p->place[column];
    return a < b ? a : b;
}

// Sorts the entries of the matrix by front: that of the earlier of row and column.
static bool sort_entries(cg_fronts *fronts, const plan *p, const int *front_of)
{
    size_t count = (size_t)p->begins[p->count];
    fronts->entry_from = cg_memory_take(&fronts->allocator, count * sizeof *fronts->entry_from);
    fronts->entry_at = cg_memory_take(&fronts->allocator, count * sizeof *fronts->entry_at);
    if (!fronts->entry_from || !fronts->entry_at) {
        return false;
    }
    for (int column = 0; column < p->count; column++) {
        for (int e = p->begins[column]; e < p->begins[column + 1]; e++) {
            fronts->fronts[front_of[first_of(p, p->entry_rows[e], column)]].entry_count++;
        }
    }
    for (int f = 0, at = 0; f < fronts->front_count; f++) {
        fronts->fronts[f].first_entry = at;
        at += fronts->fronts[f].entry_count;
        fronts->fronts[f].entry_count = 0;
    }
    for (int column = 0; column < p->count; column++) {
        for (int e = p->begins[column]; e < p->begins[column + 1]; e++) {
            cg_front *front = &fronts->fronts[front_of[first_of(p, p->entry_rows[e], column)]];
            int at = front->first_entry + front->entry_count++;
            int i = place_in(fronts, front, p->place[p->entry_rows[e]]);
            int j = place_in(fronts, front, p->place[column]);
            fronts->entry_from[at] = e;
            fronts->entry_at[at] = i * (int)cg_front_stride(front) + j;
        }
    }
    return true;
}

static bool make_fronts(cg_fronts *fronts, plan *p)
{
    number_pivots(p);
    make_tree(p);
    sort_by_tree(p);
    number_pivots(p);
    make_tree(p);
    if (!list_rows(p, &fronts->allocator)) {
        return false;
    }
    fronts->front_count = find_fronts(p, NULL);
    fronts->fronts = cg_memory_take(&fronts->allocator, (size_t)fronts->front_count * sizeof *fronts->fronts);
    if (!fronts->fronts) {
        return false;
    }
    find_fronts(p, fronts->fronts);
    if (!lay_out(fronts, p, p->work)) {
        return false;
    }
    fill_rows(fronts, p);
    return sort_entries(fronts, p, p->work);
}

bool cg_fronts_plan(cg_fronts *fronts, int count, const int *begins, const int *rows, const int *order,
                    const cg_allocator *allocator)
{
    size_t n = (size_t)count;
    *fronts = (cg_fronts){.count = count, .allocator = *allocator};
    int *numbers = cg_memory_take(allocator, 7 * n * sizeof *numbers);
    size_t *row_begins = cg_memory_take(allocator, (n + 1) * sizeof *row_begins);
    fronts->order = cg_memory_take(allocator, n * sizeof *fronts->order);
    bool is_planned = numbers && row_begins && fronts->order;
    if (is_planned) {
        memcpy(fronts->order, order, n * sizeof *order);
        plan p = {.count = count,
                  .begins = begins,
                  .entry_rows = rows,
                  .order = fronts->order,
                  .place = numbers,
                  .parent = numbers + n,
                  .child = numbers + 2 * n,
                  .next = numbers + 3 * n,
                  .mark = numbers + 4 * n,
                  .work = numbers + 5 * n,
                  .below = numbers + 6 * n,
                  .row_begins = row_begins};
        is_planned = make_fronts(fronts, &p);
        cg_memory_give(allocator, p.rows);
    }
    cg_memory_give(allocator, numbers);
    cg_memory_give(allocator, row_begins);
    if (!is_planned) {
        cg_fronts_free(fronts);
    }
    return is_planned;
}

void cg_fronts_free(cg_fronts *fronts)
{
    void *const arrays[] = {fronts->order,    fronts->fronts,  fronts->rows,    fronts->in_parent, fronts->entry_from,
                            fronts->entry_at, fronts->factors, fronts->updates, fronts->work,      fronts->vector};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        cg_memory_give(&fronts->allocator, arrays[i]);
    }
    *fronts = (cg_fronts){.allocator = fronts->allocator};
}
