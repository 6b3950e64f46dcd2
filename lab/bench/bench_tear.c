// Steps in which something gives way in skin of some 2,300 nodes: a bite tears out over the lip of a wound, a thread
// breaks. A sample is such a step, or the one behind it, in which what the mesh may touch is listed anew; the steps
// that lead there are not timed. When it is over, the world goes back to before it.
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "catgut/catgut.h"
#include "experiments/tear_rig.h"
#include "support/vector.h"

// The world is kept every so many steps until something gives way, at first within so many; from there so many are
// made.
enum { KEEP_EVERY = 20, MOST_DRAWN = 2000, MOST_STEPS = 80 };

typedef struct tear_bench {
    cg_tear_rig rig;
    void *before; // the world to go back to
    size_t size;
    double drawn; // [m] there
    int steps;    // since then
    bool gave;    // something gave way in the last step
    bool is_over; // the thread is free, or was drawn long enough
} tear_bench;

static cg_tear_setup setup_of(bool is_break)
{
    cg_tissue_def skin = cg_tissue_def_default();
    skin.size = vec(50e-3, 36e-3, 0);
    skin.layers[0].thickness = 2e-3;
    skin.layers[0].material.young = 500e3;
    skin.layers[0].material.tear_resistance = is_break ? 0 : 1850;
    skin.wound = CG_WOUND_ELLIPSE;
    skin.wound_length = 40e-3;
    skin.wound_width = 4e-3;
    skin.wound_depth = 2e-3;
    skin.spacing = 1.5e-3;
    skin.fix_rim = true;
    skin.fix_bottom = false;
    skin.max_nodes = 8000;
    return (cg_tear_setup){.tissue = skin,
                           .held = -1,
                           .holes = {vec(5.1e-3, -6e-3, 0), vec(5.1e-3, -2e-3, -1.2e-3)},
                           .ways = {vec(-0.05, 0.75, 0.66), vec(0.05, 0.75, 0.66)},
                           .tail = 25e-3,
                           .radius = 0.1e-3,
                           .breaks = is_break ? 1 : 0,
                           .speed = 20e-3};
}

static void release(void *state)
{
    tear_bench *b = state;
    if (b) {
        cg_tear_rig_free(&b->rig);
        free(b->before);
    }
    free(b);
}

// What the last step did.
static void look(tear_bench *b)
{
    const cg_tissue_tear *tears;
    const cg_thread_break *breaks;
    cg_anchor anchor;
    bool is_broken = cg_world_breaks(b->rig.world, &breaks) > 0;
    b->gave = is_broken || cg_world_tears(b->rig.world, &tears) > 0;
    b->is_over = b->is_over || is_broken || !cg_world_get_anchor(b->rig.world, 0, &anchor) || ++b->steps > MOST_STEPS;
}

static void go_back(tear_bench *b)
{
    cg_world_restore(b->rig.world, b->before, b->size);
    b->rig.drawn = b->drawn;
    b->rig.is_broken = false;
    b->steps = 0;
    b->gave = b->is_over = false;
}

static double sample(void *state)
{
    tear_bench *b = state;
    double seconds;
    bool was;
    do {
        if (b->is_over && !b->gave) {
            go_back(b);
        }
        double begun = cg_thread_cpu_seconds();
        cg_tear_rig_step(&b->rig);
        seconds = cg_thread_cpu_seconds() - begun;
        was = b->gave;
        look(b);
    } while (!was && !b->gave);
    return seconds;
}

static bool keep(tear_bench *b)
{
    free(b->before);
    b->size = cg_world_snapshot_size(b->rig.world);
    b->before = malloc(b->size);
    b->drawn = b->rig.drawn;
    return b->before != NULL && cg_world_snapshot(b->rig.world, b->before, b->size).code == CG_OK;
}

// Keeps the world less than KEEP_EVERY steps before something gives way. False when nothing does.
static bool draw_until_it_gives(tear_bench *b)
{
    for (int k = 0; k < MOST_DRAWN; k++) {
        if (k % KEEP_EVERY == 0 && !keep(b)) {
            return false;
        }
        cg_tear_rig_step(&b->rig);
        look(b);
        if (b->gave) {
            return true;
        }
    }
    return false;
}

// NULL, and why, when it cannot be made.
static tear_bench *make(bool is_break, const char **why)
{
    tear_bench *b = calloc(1, sizeof *b);
    cg_tear_setup setup = setup_of(is_break);
    cg_report report = {0};
    *why = "the world could not be made";
    if (b == NULL || !cg_tear_rig_make(&b->rig, &setup, &report)) {
        release(b);
        return NULL;
    }
    *why = "nothing gave way";
    if (!draw_until_it_gives(b)) {
        release(b);
        return NULL;
    }
    go_back(b);
    return b;
}

static void add(cg_bench *bench, const char *name, bool is_break)
{
    cg_subject subject = {.sample = sample, .release = release};
    const char *why;
    snprintf(subject.name, sizeof subject.name, "tear/%s", name);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    tear_bench *b = make(is_break, &why);
    if (b == NULL) {
        cg_bench_fail(bench, subject.name, why);
        return;
    }
    subject.state = b;
    cg_tissue_positions(b->rig.world, b->rig.tissue, &subject.vertices);
    cg_bench_add(bench, subject);
}

void cg_bench_add_tear(cg_bench *bench)
{
    add(bench, "tissue", false);
    add(bench, "thread", true);
}
