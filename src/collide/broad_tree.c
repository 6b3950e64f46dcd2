// A tree of boxes over runs of segments. The runs of a chain are neighbours in space, so the tree over their numbers is
// a good one and never has to be built: only its boxes are refitted. Two trees of one scene are the same tree, walked
// against itself.
#include "collide/broad_work.h"

// Pairs of nodes that wait. Each step takes one and adds at most four, and goes down one level of at most 31.
enum { STACK = 256 };

void cg_box_tree_layout(cg_box_tree *tree, int runs, cg_arena *arena)
{
    tree->leaf_count = 1;
    while (tree->leaf_count < runs) {
        tree->leaf_count *= 2;
    }
    tree->boxes = cg_arena_push_array(arena, cg_box, 2 * (size_t)tree->leaf_count);
}

static const cg_box EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void enclose(cg_box *box, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = low[k] < box->low[k] ? low[k] : box->low[k];
        box->high[k] = high[k] > box->high[k] ? high[k] : box->high[k];
    }
}

// Around the segments and half the reach. An empty slot adds nothing: comparisons with what is not a number are false.
static cg_box box_of_run(const cg_broad_work *work, int run, float grow)
{
    const cg_runs *runs = &work->runs;
    cg_box box = EMPTY;
    const cg_chain *chain = &work->chains[runs->chain_of[run]];
    int first = slot_segment(runs, CG_RUN_LENGTH * run), last = first + CG_RUN_LENGTH;
    last = last < chain->count - 1 ? last : chain->count - 1;
    double scale = 1 / runs->unit;
    grow += (float)(scale * chain->radius);
    for (int i = first; i <= last; i++) {
        cg_vec3 p = v3_scale(scale, v3_sub(chain->points[i], runs->middle));
        float low[3] = {(float)p.x - grow, (float)p.y - grow, (float)p.z - grow};
        float high[3] = {(float)p.x + grow, (float)p.y + grow, (float)p.z + grow};
        enclose(&box, low, high);
    }
    return box;
}

static bool overlap(const cg_box *a, const cg_box *b)
{
    return (a->low[0] <= b->high[0]) & (a->low[1] <= b->high[1]) & (a->low[2] <= b->high[2]) &
           (b->low[0] <= a->high[0]) & (b->low[1] <= a->high[1]) & (b->low[2] <= a->high[2]);
}

// Only as many leaves as this scene needs.
static int refit(cg_broad_work *work, int leaves, float grow)
{
    cg_box_tree *tree = &work->tree;
    for (int r = 0; r < leaves; r++) {
        tree->boxes[leaves + r] = r < work->runs.run_count ? box_of_run(work, r, grow) : EMPTY;
    }
    for (int n = leaves - 1; n > 0; n--) {
        cg_box box = tree->boxes[2 * n];
        enclose(&box, tree->boxes[2 * n + 1].low, tree->boxes[2 * n + 1].high);
        tree->boxes[n] = box;
    }
    return leaves;
}

long cg_box_tree_visit(cg_broad_work *work)
{
    const cg_runs *runs = &work->runs;
    if (runs->run_count == 0) {
        return 0;
    }
    int leaves = 1;
    while (leaves < runs->run_count) {
        leaves *= 2;
    }
    float reach = cg_runs_reach(runs, work->reach);
    refit(work, leaves, 0.5f * reach + CG_RUN_SLACK);
    const cg_box *boxes = work->tree.boxes;
    cg_slot_pair stack[STACK] = {{1, 1}};
    int waiting = 1;
    long tests = 0;
    while (waiting > 0) {
        cg_slot_pair nodes = stack[--waiting];
        int a = nodes.a, b = nodes.b;
        tests++;
        if (!overlap(&boxes[a], &boxes[b])) { // an empty box does not even overlap itself
            continue;
        }
        if (a >= leaves) {
            tests += cg_runs_visit_two(runs, a - leaves, b - leaves, reach, true, cg_broad_visit, work);
            continue;
        }
        stack[waiting++] = (cg_slot_pair){2 * a + 1, 2 * b + 1};
        stack[waiting++] = (cg_slot_pair){2 * a, 2 * b + 1};
        if (a != b) {
            stack[waiting++] = (cg_slot_pair){2 * a + 1, 2 * b};
        }
        stack[waiting++] = (cg_slot_pair){2 * a, 2 * b};
    }
    return tests;
}
