// Hangs ten centimetres of suture by one end and prints where the tip comes to rest.
#include <catgut/catgut.h>
#include <stdio.h>

int main(void)
{
    cg_vec3 points[51] = {{0, 0, 0}};
    for (int i = 0; i <= 50; i++) {
        points[i].x = 0.002 * i; // starts out level
    }
    cg_world_def world_def = cg_world_def_default();
    cg_thread_def thread_def = cg_thread_def_default(); // 3-0 nylon
    thread_def.vertex_count = 51;
    thread_def.positions = points;
    thread_def.drag = 10; // a dense fluid: it comes to rest soon
    thread_def.ends[CG_START].kind = CG_END_PINNED;

    cg_world *world = NULL;
    cg_thread_id thread;
    cg_status status = cg_world_create(&world_def, &world);
    if (status.code == CG_OK) {
        status = cg_world_add_thread(world, &thread_def, &thread);
    }
    if (status.code != CG_OK) {
        fprintf(stderr, "%s\n", status.message);
        cg_world_destroy(world);
        return 1;
    }
    for (int step = 0; step < 5000; step++) {
        cg_world_step(world);
    }
    const cg_vec3 *shape = cg_thread_positions(world, thread, NULL);
    printf("after %.0f s the tip hangs %.2f mm below the hand\n", cg_world_time(world), -1e3 * shape[50].z);
    cg_world_destroy(world);
    return 0;
}
