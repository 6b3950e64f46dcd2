#include "session/mishaps.h"

#include <assert.h>
#include <stdio.h>

#include "base/vec3.h"
#include "catgut/suture.h"
#include "catgut/thread.h"

enum { TEXT_BYTES = 160 };

static void tell_tear(const cg_world *world, const cg_tissue_tear *tear, char text[TEXT_BYTES])
{
    unsigned thread = tear->thread.index - 1, tissue = tear->tissue.index - 1;
    double length, area;
    cg_tissue_get_torn(world, tear->tissue, &length, &area);
    int used = tear->is_through ? snprintf(text, TEXT_BYTES, "torn out: thread %u of tissue %u", thread, tissue)
                                : snprintf(text, TEXT_BYTES, "torn: tissue %u by thread %u at %.4g N", tissue, thread,
                                           v3_length(tear->pull));
    snprintf(text + used, (size_t)(TEXT_BYTES - used), "; so far %.5g mm, %.5g mm2", 1e3 * length, 1e6 * area);
}

void cg_tell_mishaps(const cg_world *world, void (*tell)(void *context, const char *text), void *context)
{
    assert(tell != NULL);
    const cg_tissue_tear *tears;
    const cg_thread_break *breaks;
    int torn = cg_world_tears(world, &tears), broken = cg_world_breaks(world, &breaks);
    char text[TEXT_BYTES];
    for (int i = 0; i < torn; i++) {
        if (tears[i].is_first || tears[i].is_through) {
            tell_tear(world, &tears[i], text);
            tell(context, text);
        }
    }
    for (int i = 0; i < broken; i++) {
        snprintf(text, sizeof text, "broke: thread %u at %.4g N", breaks[i].thread.index - 1, breaks[i].tension);
        tell(context, text);
    }
}
