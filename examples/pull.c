// Two hands hold a thread by its ends; the right one pulls it longer by a hundredth. Prints what the hands feel.
#include <catgut/catgut.h>
#include <stdio.h>

enum { VERTICES = 101, LAST = VERTICES - 1 };
static const double LENGTH = 0.1; // [m] 100 segments of 1 mm

static int give_up(cg_world *world, const cg_status *status)
{
    fprintf(stderr, "%s: %s\n", cg_code_name(status->code), status->message);
    cg_world_destroy(world);
    return 1;
}

int main(void)
{
    cg_vec3 points[VERTICES] = {{0, 0, 0}};
    for (int i = 0; i < VERTICES; i++) {
        points[i].x = 0.001 * i;
    }
    cg_world_def world_def = cg_world_def_default();
    world_def.gravity.z = 0;
    cg_thread_def thread_def = cg_thread_def_default();
    thread_def.vertex_count = VERTICES;
    thread_def.positions = points;
    thread_def.drag = 50;
    cg_world *world = NULL;
    cg_thread_id thread;
    cg_status status = cg_world_create(&world_def, &world);
    if (status.code == CG_OK) {
        status = cg_world_add_thread(world, &thread_def, &thread);
    }
    if (status.code == CG_OK) {
        status = cg_thread_hold(world, thread, 0, points[0]);
    }
    // A held vertex follows the hand: it is told before each step where to be at the end of it.
    for (int step = 1; step <= 2000 && status.code == CG_OK; step++) {
        double pulled = step < 1000 ? step / 1000.0 : 1;
        cg_vec3 hand = {LENGTH * (1 + 0.01 * pulled), 0, 0};
        status = cg_thread_hold(world, thread, LAST, hand);
        cg_world_step(world);
        if (step % 500 == 0) {
            cg_vec3 left = cg_thread_hold_force(world, thread, 0);
            cg_vec3 right = cg_thread_hold_force(world, thread, LAST);
            printf("%.1f s: longer by %.2f mm, left hand %.3f N, right hand %.3f N\n", cg_world_time(world),
                   1e3 * (hand.x - LENGTH), left.x, right.x);
        }
    }
    if (status.code != CG_OK) {
        return give_up(world, &status);
    }
    cg_thread_summary summary = cg_thread_get_summary(world, thread);
    printf("stretched by %.2f %%, tension at most %.3f N\n", 100 * summary.max_stretch, summary.max_tension);
    cg_world_destroy(world);
    return 0;
}
