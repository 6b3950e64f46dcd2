// A world that rests: what it needs to go on later, when its host has ended. Its scene and the whole state of the
// world; of a recording that is shown its name and the step; and what had just happened, as a recording.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_inside.h"

size_t cg_host_kept_size(const cg_host_kept *kept)
{
    return kept->size + kept->before_size;
}

void cg_host_kept_free(cg_host_kept *kept)
{
    cg_scene_free(kept->scene);
    free(kept->bytes);
    free(kept->before);
    *kept = (cg_host_kept){.scene = NULL};
}

static bool keep_world(const cg_host *host, cg_host_kept *kept)
{
    const cg_world *world = cg_session_world(host->session);
    kept->size = cg_world_snapshot_size(world);
    kept->bytes = malloc(kept->size);
    return kept->bytes != NULL && cg_world_snapshot(world, kept->bytes, kept->size).code == CG_OK;
}

bool cg_host_keep(cg_host *host, cg_host_kept *kept)
{
    *kept = (cg_host_kept){.was_running = host->mode == CG_CHOICE_mode_running};
    bool good = true;
    if (host->player.recording != NULL) {
        cg_recorded_frame frame;
        good = cg_recording_frame(host->player.recording, host->player.frame, &frame).code == CG_OK;
        kept->step = good ? frame.step : 0;
        kept->is_shown = true;
    } else {
        good = keep_world(host, kept);
    }
    if (!good) {
        cg_host_kept_free(kept);
        return false;
    }
    snprintf(kept->name, sizeof kept->name, "%s", host->scene_name);
    cg_host_end_world(host);
    kept->before = host->before.bytes;
    kept->before_size = host->before.size;
    host->before = (cg_host_bytes){.bytes = NULL};
    if (!kept->is_shown) {
        kept->scene = host->scene;
        host->scene = NULL;
    }
    return true;
}

bool cg_host_take_up(cg_host *host, cg_host_kept *kept)
{
    cg_answer answer;
    if (kept->is_shown) {
        answer = cg_player_open(host, kept->name);
        if (answer.fault == 0) {
            answer = cg_player_seek(host, kept->step);
        }
    } else {
        cg_scene *scene = kept->scene;
        kept->scene = NULL;
        answer = cg_host_begin_world(host, scene, kept->name, true, false);
        // The states that the new world begins with are its own: a world whose parts changed cannot be made anew.
        if (answer.fault == 0 && cg_session_restore(host->session, kept->bytes, kept->size).code != CG_OK) {
            answer = cg_answer_fault(CG_CHOICE_fault_failed, "it had other parts than its scene");
        }
        host->mode = kept->was_running ? CG_CHOICE_mode_running : CG_CHOICE_mode_paused;
    }
    cg_host_forget_before(host);
    host->before = (cg_host_bytes){.bytes = kept->before, .size = kept->before_size};
    kept->before = NULL;
    cg_host_kept_free(kept);
    cg_host_restart_clock(host);
    return answer.fault == 0;
}
