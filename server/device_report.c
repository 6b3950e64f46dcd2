// How devices do, for all who watch: now and then while there are any, and at once when one comes or goes.
#include "host_inside.h"

static const double LOOK = 0.05; // [s] from one look to the next
static const double TELL = 0.25; // [s] from one report to the next

// The sample as clients see it.
static cg_wire_device_state report_of(int hand, const cg_device_sample *sample)
{
    const cg_device_health *health = &sample->health;
    return (cg_wire_device_state){.hand = (uint16_t)hand,
                                  .name = sample->name,
                                  .here = sample->is_here,
                                  .arrivals = sample->arrivals,
                                  .samples = sample->samples,
                                  .unread = sample->unread,
                                  .rate = (float)health->rate,
                                  .late = (float)health->late,
                                  .longest = (float)sample->longest,
                                  .loop_late = (float)health->loop_late,
                                  .force = (float)health->force,
                                  .stiffness = (float)health->stiffness,
                                  .limit = (float)health->limit,
                                  .energy = (float)health->energy,
                                  .account = (float)health->account,
                                  .capped = health->capped,
                                  .withheld = health->withheld};
}

// One comes, goes, or has gone and come again since the last report.
static bool is_news(cg_told_device *told, const cg_device_sample *sample)
{
    bool is_new = told->is_here != sample->is_here || told->arrivals != sample->arrivals;
    told->is_here = sample->is_here;
    told->arrivals = sample->arrivals;
    return is_new;
}

static void tell(cg_host *host, const cg_device_sample samples[CG_DEVICES_MOST_HANDS])
{
    cg_wire_device_state states[CG_DEVICES_MOST_HANDS];
    cg_message message = {.kind = CG_MESSAGE_devices};
    uint32_t count = 0;
    for (int hand = 0; hand < CG_DEVICES_MOST_HANDS; hand++) {
        if (samples[hand].arrivals > 0) {
            states[count++] = report_of(hand, &samples[hand]);
        }
    }
    message.as.devices.devices.items = states;
    message.as.devices.devices.count = count;
    if (count > 0) {
        cg_host_send(host, -1, &message);
    }
}

double cg_host_report_devices(cg_host *host, double now)
{
    if (host->def.read_device == NULL || now < host->next_look) {
        return host->def.read_device == NULL ? now + 1 : host->next_look;
    }
    cg_device_sample samples[CG_DEVICES_MOST_HANDS] = {{.is_here = false}};
    bool news = false;
    for (int hand = 0; hand < CG_DEVICES_MOST_HANDS; hand++) {
        host->def.read_device(host->def.context, hand, &samples[hand]);
        news |= is_news(&host->told_devices[hand], &samples[hand]);
    }
    if (news || now >= host->next_report) {
        tell(host, samples);
        host->next_report = now + TELL;
    }
    host->next_look = now + LOOK;
    return host->next_look;
}
