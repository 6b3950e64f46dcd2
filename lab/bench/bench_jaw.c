// The closed jaws of forceps lie on a fine pad, pressed in by three quarters of a millimetre, and are drawn to and fro
// along it: some sixty rows of tool and tissue in the friction problem of every step.
#include <stdio.h>
#include <stdlib.h>

#include "base/quat.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "bench/bench.h"
#include "catgut/catgut.h"

enum { FEWEST_ROWS = 50, LOWERING = 400, SETTLING = 200 };
static const double STEP = 1e-3, ABOVE = 5e-3, DEEP = 0.75e-3, WAY = 1e-3; // [s], [m]

typedef struct jaw_bench {
    cg_world *world;
    cg_tissue_id pad;
    cg_hand_id hand;
    cg_transform pose;
    int steps;
} jaw_bench;

static void release(void *state)
{
    jaw_bench *b = state;
    if (b != NULL) {
        cg_world_destroy(b->world);
        free(b);
    }
}

static void step(jaw_bench *b, double height, double along)
{
    b->pose.position = v3(along, 0, height);
    cg_hand_move(b->world, b->hand, b->pose, 0);
    cg_world_step(b->world);
}

static double sample(void *state)
{
    jaw_bench *b = state;
    double sine, cosine, begun = cg_thread_cpu_seconds();
    cg_sincos(2 * CG_PI * STEP * (b->steps++ % 1000), &sine, &cosine);
    step(b, -DEEP, WAY * sine);
    return cg_thread_cpu_seconds() - begun;
}

static bool add_pad(jaw_bench *b)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(40e-3, 16e-3, 0);
    def.spacing = 1e-3;
    def.layers[0].thickness = 4e-3;
    def.friction = 0.3;
    return cg_world_add_tissue(b->world, &def, &b->pad).code == CG_OK;
}

// Along the pad, above it.
static bool add_hand(jaw_bench *b)
{
    cg_hand_def def = cg_hand_def_default();
    def.tool = CG_TOOL_FORCEPS;
    def.pose = b->pose = (cg_transform){v3(0, 0, ABOVE), quat_between(v3(0, 0, 1), v3(1, 0, 0))};
    return cg_world_add_hand(b->world, &def, &b->hand).code == CG_OK && cg_hand_close(b->world, b->hand).code == CG_OK;
}

static jaw_bench *make(void)
{
    jaw_bench *b = calloc(1, sizeof *b);
    cg_world_def def = cg_world_def_default();
    def.time_step = STEP;
    if (b == NULL || cg_world_create(&def, &b->world).code != CG_OK || !add_pad(b) || !add_hand(b)) {
        release(b);
        return NULL;
    }
    for (int k = 0; k < LOWERING + SETTLING; k++) {
        double share = k < LOWERING ? (double)k / LOWERING : 1;
        step(b, ABOVE - share * (ABOVE + DEEP), 0);
    }
    if (cg_world_get_stats(b->world).working_contacts < FEWEST_ROWS) {
        release(b);
        return NULL;
    }
    return b;
}

void cg_bench_add_jaw(cg_bench *bench)
{
    cg_subject subject = {.name = "lay/jaw", .sample = sample, .release = release};
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    jaw_bench *b = make();
    if (b == NULL) {
        cg_bench_fail(bench, subject.name, "the world could not be made, or the jaws do not lie on the pad");
        return;
    }
    subject.state = b;
    cg_tissue_positions(b->world, b->pad, &subject.vertices);
    cg_bench_add(bench, subject);
}
