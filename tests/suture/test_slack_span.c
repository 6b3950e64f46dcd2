// The part of a thread inside tissue goes straight from hole to hole. When the holes come nearer to each other than it
// is long, it hangs slack there: it bears nothing, holds no energy, and nothing of it is told as pushed.
#include <math.h>

#include "stitch_rig.h"

// The least tension [N] of all segments, and the largest of those that are pulled.
static void extremes(const rig *r, double *least, double *most)
{
    int count;
    cg_thread_positions(r->world, r->thread, &count);
    double tensions[MOST_POINTS];
    *least = *most = 0;
    if (CHECK(count <= MOST_POINTS)) {
        CHECK_STR(cg_thread_tensions(r->world, r->thread, tensions, count - 1).message, "");
        for (int i = 0; i + 1 < count; i++) {
            *least = fmin(*least, tensions[i]);
            *most = fmax(*most, tensions[i]);
        }
    }
}

TEST(a_slack_span_inside_tissue_is_told_as_bearing_nothing)
{
    rig r;
    double least, most, pushed = 0, pulled = 0, stretch = 0;
    if (!make_rig(&r, 100e3)) {
        return;
    }
    for (int step = 0; step < 300; step++) { // drawn taut, then let go of: the lips go home over a slack thread
        double pull = step < 120 ? 0.3 : 0;
        step_with(&r, v3_scale(pull, r.out[0]), v3_scale(pull, r.out[1]));
        extremes(&r, &least, &most);
        pushed = fmin(pushed, least);
        pulled = fmax(pulled, most);
        stretch = step < 150 ? stretch : fmax(stretch, cg_thread_get_energy(r.world, r.thread).stretch);
    }
    CHECK(pulled > 0.2);
    CHECK(pushed > -0.02);
    CHECK(stretch < 1e-7);
    cg_world_destroy(r.world);
}
