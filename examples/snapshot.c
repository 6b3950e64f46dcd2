// Saves the state of a world, goes on, takes the state back and goes on again: both futures are the same to the bit.
#include <catgut/catgut.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static cg_status make_world(cg_world **world)
{
    cg_vec3 points[41] = {{0, 0, 0}};
    for (int i = 0; i <= 40; i++) {
        points[i].x = 0.002 * i;
    }
    cg_world_def world_def = cg_world_def_default();
    cg_thread_def thread_def = cg_thread_def_default();
    thread_def.vertex_count = 41;
    thread_def.positions = points;
    thread_def.ends[CG_START].kind = CG_END_CLAMPED;
    cg_status status = cg_world_create(&world_def, world);
    if (status.code == CG_OK) {
        cg_thread_id thread;
        status = cg_world_add_thread(*world, &thread_def, &thread);
    }
    return status;
}

static uint64_t run(cg_world *world, int steps)
{
    for (int step = 0; step < steps; step++) {
        cg_world_step(world);
    }
    return cg_world_state_hash(world);
}

int main(void)
{
    cg_world *world = NULL;
    cg_status status = make_world(&world);
    if (status.code != CG_OK) {
        fprintf(stderr, "%s\n", status.message);
        cg_world_destroy(world);
        return 1;
    }
    uint64_t saved = run(world, 100);
    size_t size = cg_world_snapshot_size(world);
    void *bytes = malloc(size);
    if (!bytes) {
        cg_world_destroy(world);
        return 1;
    }
    status = cg_world_snapshot(world, bytes, size);
    uint64_t first = run(world, 200);
    if (status.code == CG_OK) {
        status = cg_world_restore(world, bytes, size);
    }
    uint64_t restored = cg_world_state_hash(world);
    uint64_t second = run(world, 200);
    printf("restored at %s state, %s future\n", restored == saved ? "the same" : "ANOTHER",
           first == second ? "the same" : "ANOTHER");
    printf("the state moved on: %s\n", first != saved ? "yes" : "NO");
    free(bytes);
    cg_world_destroy(world);
    return status.code == CG_OK && restored == saved && first == second ? 0 : 1;
}
