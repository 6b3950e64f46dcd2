// Whole steps of a thread, and the part of them that is linear algebra.
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "catgut/catgut.h"
#include "support/special.h"
#include "support/vector.h"

typedef enum scene_kind {
    SCENE_HANGING, // 0.3 m of 3-0 nylon let go from one clamp
    SCENE_CONTACT, // the same in a world with contacts, as is the default
    SCENE_TWISTED, // the same, clamped at both ends, one of them turned five times
    SCENE_BENCH_A  // the stiff thread that other engines were measured with
} scene_kind;

typedef struct scene {
    cg_world *world;
    int steps;
    unsigned char *start; // the world as it was made; it goes back there now and then, so that it never falls asleep
    size_t start_size;
} scene;

static double time_step(void *state)
{
    scene *s = state;
    if (++s->steps % 1000 == 0) {
        cg_world_restore(s->world, s->start, s->start_size);
    }
    double start = cg_thread_cpu_seconds();
    cg_world_step(s->world);
    return cg_thread_cpu_seconds() - start;
}

static double time_linear_part(void *state)
{
    scene *s = state;
    time_step(s);
    cg_world_stats stats = cg_world_get_stats(s->world);
    return stats.stage_seconds[CG_STAGE_ASSEMBLE] + stats.stage_seconds[CG_STAGE_FACTOR] +
           stats.stage_seconds[CG_STAGE_SOLVE];
}

static void release_scene(void *state)
{
    scene *s = state;
    cg_world_destroy(s->world);
    free(s->start);
    free(s);
}

static void describe(scene_kind kind, cg_thread_def *def, double *length)
{
    *length = 0.3;
    def->ends[CG_START] = (cg_end_hold){.kind = CG_END_CLAMPED};
    if (kind == SCENE_TWISTED) {
        def->ends[CG_FINISH] = (cg_end_hold){.kind = CG_END_CLAMPED, .turn = 10 * CG_PI};
    } else if (kind == SCENE_BENCH_A) {
        *length = 0.2;
        def->radius = 0.15e-3;
        def->youngs_modulus = 2e9;
        def->density = 1150;
    }
}

static bool add_thread(scene *s, scene_kind kind, int vertices)
{
    cg_thread_def def = cg_thread_def_default();
    double length;
    describe(kind, &def, &length);
    cg_vec3 *positions = calloc((size_t)vertices, sizeof *positions);
    if (!positions) {
        return false;
    }
    for (int i = 0; i < vertices; i++) {
        double share = (double)i / (vertices - 1);
        // A twisted thread starts with some slack, so that it has room to coil.
        double sag = kind == SCENE_TWISTED ? 0.05 * length * sin(CG_PI * share) : 0;
        positions[i] = vec(length * share, 0, -sag);
    }
    def.vertex_count = vertices;
    def.positions = positions;
    cg_thread_id id;
    cg_status status = cg_world_add_thread(s->world, &def, &id);
    free(positions);
    return status.code == CG_OK;
}

// Without contacts, but for the kind whose rows show what they cost where nothing is near.
static scene *make_scene(scene_kind kind, int vertices, double (*clock)(void))
{
    scene *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    cg_world_def def = cg_world_def_default();
    def.clock = clock;
    def.max_threads = 1;
    def.max_contacts = kind == SCENE_CONTACT ? def.max_contacts : 0;
    bool good = cg_world_create(&def, &s->world).code == CG_OK && add_thread(s, kind, vertices);
    if (good) {
        s->start_size = cg_world_snapshot_size(s->world);
        s->start = malloc(s->start_size);
        good = s->start && cg_world_snapshot(s->world, s->start, s->start_size).code == CG_OK;
    }
    if (!good) {
        release_scene(s);
        return NULL;
    }
    return s;
}

static void add(cg_bench *bench, const char *group, scene_kind kind, int vertices, bool linear_part)
{
    cg_subject subject = {.vertices = vertices, .sample = linear_part ? time_linear_part : time_step};
    snprintf(subject.name, sizeof subject.name, "thread/%s/%d", group, vertices);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    // Reading the clock costs something, so only those who need the stages get it.
    subject.state = make_scene(kind, vertices, linear_part ? cg_thread_cpu_seconds : NULL);
    subject.release = release_scene;
    if (!subject.state) {
        cg_bench_fail(bench, subject.name, "the world could not be made");
        return;
    }
    cg_bench_add(bench, subject);
}

void cg_bench_add_threads(cg_bench *bench)
{
    static const int sizes[] = {50, 200, 600, 2000};
    for (int i = 0; i < 4; i++) {
        add(bench, "kirchhoff", SCENE_HANGING, sizes[i], false);
    }
    for (int i = 0; i < 4; i++) {
        add(bench, "assemble_factor_solve", SCENE_HANGING, sizes[i], true);
    }
    for (int i = 0; i < 4; i++) {
        add(bench, "contact", SCENE_CONTACT, sizes[i], false);
    }
    add(bench, "twisted", SCENE_TWISTED, 600, false);
    for (int i = 0; i < 3; i++) {
        add(bench, "bench_a", SCENE_BENCH_A, sizes[i], false);
    }
}
