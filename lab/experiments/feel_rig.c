#include "experiments/feel_rig.h"

#include "support/vector.h"

static cg_status open_ports(cg_feel_rig *rig, const cg_feel_def *def)
{
    cg_feel_def defs[CG_FEEL_RIG_HANDS] = {*def, *def};
    cg_status status = {.code = CG_OK};
    for (int i = 0; i < rig->count && status.code == CG_OK; i++) {
        cg_practice_def person = cg_practice_def_default();
        person.device = def->device;
        person.delay = def->delay;
        rig->seen[i] = cg_hand_get_state(rig->world, rig->hands[i]).pose.position;
        status = cg_practice_create(&person, rig->seen[i], &rig->practices[i]);
    }
    return status.code == CG_OK ? cg_feel_create(defs, rig->count, &rig->feel) : status;
}

bool cg_feel_rig_open(cg_feel_rig *rig, cg_world *world, const cg_hand_id *hands, int count, const cg_feel_def *def,
                      cg_report *report)
{
    *rig = (cg_feel_rig){.world = world, .count = count};
    for (int i = 0; i < count; i++) {
        rig->hands[i] = hands[i];
    }
    cg_status status = open_ports(rig, def);
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
        return false;
    }
    for (int i = 0; i < count; i++) {
        cg_transform device = {rig->seen[i], {0, 0, 0, 1}};
        cg_feel_align(rig->feel, i, device, cg_hand_get_state(world, hands[i]).pose);
    }
    return true;
}

void cg_feel_rig_close(cg_feel_rig *rig)
{
    for (int i = 0; i < rig->count; i++) {
        cg_practice_destroy(rig->practices[i]);
    }
    cg_feel_destroy(rig->feel);
    cg_world_destroy(rig->world);
}

void cg_feel_rig_play(cg_feel_rig *rig, const cg_vec3 *wanted)
{
    cg_vec3 samples[CG_FEEL_RIG_HANDS];
    for (int i = 0; i < rig->count; i++) {
        samples[i] = cg_practice_read(rig->practices[i]);
        cg_practice_write(rig->practices[i], cg_feel_step(rig->feel, i, &samples[i]).force);
        cg_transform device = {rig->seen[i], {0, 0, 0, 1}};
        cg_hand_move(rig->world, rig->hands[i], cg_feel_command(rig->feel, i, device), 0);
    }
    cg_world_step(rig->world);
    for (int i = 0; i < rig->count; i++) {
        cg_hand_state state = cg_hand_get_state(rig->world, rig->hands[i]);
        cg_feel_news news = cg_feel_news_of(rig->seen[i], &state);
        cg_feel_tell(rig->feel, i, &news);
        rig->seen[i] = samples[i];
        cg_practice_step(rig->practices[i], wanted[i]);
    }
}

double cg_feel_rig_force(const cg_feel_rig *rig, int hand)
{
    return vec_length(cg_practice_get_state(rig->practices[hand]).motors);
}
