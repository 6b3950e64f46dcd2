// Inside or outside of what a thread goes through, by the parity of its holes. See slide.h.
//
// Anchors part a thread into stretches; from each to the next the side changes. A stretch that is not straight lies or
// hangs as any thread does: it is outside. So one of these tells the side of all of them. Where every one is straight
// (both ends were drawn in behind their last holes) there is none: nobody knows by parity alone.
#include "thread/slide.h"

// A stretch that is outside: 0 before the first anchor, k + 1 behind anchor k; -1: none is known to be.
static int find_outside(const cg_thread_slide *slide)
{
    for (int k = 0; k < slide->count; k++) {
        for (int side = 0; side < 2; side++) {
            if (!slide->anchors[k].straight[side]) {
                return k + side;
            }
        }
    }
    return slide->count == 0 ? 0 : -1;
}

bool cg_slide_knows_sides(const cg_thread *thread)
{
    return thread->slide == NULL || find_outside(thread->slide) >= 0;
}

bool cg_slide_is_inside(const cg_thread *thread, int stretch)
{
    return thread->slide != NULL && (stretch - find_outside(thread->slide)) % 2 != 0;
}

int cg_slide_stretch_of(const cg_thread *thread, int segment)
{
    int stretch = 0;
    while (stretch < cg_slide_count(thread) && thread->slide->anchors[stretch].vertex <= segment) {
        stretch++;
    }
    return stretch;
}

bool cg_slide_is_at_hole(const cg_thread *thread, int vertex)
{
    int stretch = cg_slide_stretch_of(thread, vertex);
    return stretch > 0 && thread->slide->anchors[stretch - 1].vertex == vertex;
}
