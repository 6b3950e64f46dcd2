// Clients are told when a thread breaks and when a bite tears, so that a page can say it.
#include <math.h>
#include <stdio.h>

#include "catgut/suture.h"
#include "host_inside.h"

// [s] of the world. A bite that tears in steps begins again many times a second: that is told once.
static const double TELL_AGAIN = 1;

static double size_of(cg_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static void tell_break(cg_host *host, const cg_thread_break *broken)
{
    char text[CG_HOST_WHY_BYTES];
    snprintf(text, sizeof text, "A thread broke at %.3g N.", broken->tension);
    cg_host_send_event(host, CG_CHOICE_event_kind_broke, text);
}

static void tell_tear(cg_host *host, const cg_tissue_tear *tear, double time)
{
    char text[CG_HOST_WHY_BYTES];
    uint32_t state = cg_host_state_number(host); // after a reset or an undo the same tear is another one
    bool is_old = host->torn_in == state && time < host->torn_until;
    if (tear->is_through) {
        snprintf(text, sizeof text, "A stitch tore out: %.3g mm.", 1e3 * tear->length);
        cg_host_send_event(host, CG_CHOICE_event_kind_tear, text);
    } else if (tear->is_first && !is_old) {
        snprintf(text, sizeof text, "A stitch tears the tissue, at %.3g N.", size_of(tear->pull));
        cg_host_send_event(host, CG_CHOICE_event_kind_tear, text);
        host->torn_until = time + TELL_AGAIN;
        host->torn_in = state;
    }
}

void cg_host_tell_mishaps(cg_host *host)
{
    const cg_world *world = cg_session_world(host->session);
    const cg_thread_break *breaks;
    const cg_tissue_tear *tears;
    int broken = cg_world_breaks(world, &breaks), torn = cg_world_tears(world, &tears);
    for (int k = 0; k < broken; k++) {
        tell_break(host, &breaks[k]);
    }
    for (int k = 0; k < torn; k++) {
        tell_tear(host, &tears[k], cg_world_time(world));
    }
}
