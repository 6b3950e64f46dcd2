// Hands that devices lead: their samples become operations of the coming step, so that recordings hold them, and what
// the step does to the hand goes back.
#include <stdio.h>
#include <string.h>

#include "host_inside.h"

// Samples more than this since the last step: the simulation is slower than the device. The way is then spread over
// SPREAD steps; at once it would be a blow.
enum { LATE = 3, SPREAD = 4 };
static const double OPENING_STEP = 0.004; // less is no news for jaws

uint32_t cg_host_state_number(const cg_host *host)
{
    return host->generation * 65536u + (uint32_t)cg_session_state_changes(host->session);
}

// What devices know it by: also another one whenever the clock stopped or started, for devices went on meanwhile.
static uint32_t world_number(const cg_host *host)
{
    return cg_host_state_number(host) + host->rests;
}

static void operate(cg_host *host, cg_operation operation)
{
    operation.step = cg_host_steps(host);
    if (cg_session_apply(host->session, &operation).code != CG_OK) {
        host->told_refused++; // a device says the same again in a millisecond: nobody needs to know of each
    }
}

static void move(cg_host *host, int hand, const cg_device_sample *sample, bool is_late)
{
    double time = is_late ? SPREAD * cg_session_time_step(host->session) : 0;
    operate(host, (cg_operation){.kind = CG_OPERATION_move_hand,
                                 .as.move_hand = {.hand = hand,
                                                  .position = sample->command.position,
                                                  .rotation = sample->command.rotation,
                                                  .time = time}});
}

static void close_and_open(cg_host *host, int hand, cg_led_hand *led, const cg_device_sample *sample)
{
    cg_hand_state state = cg_hand_get_state(cg_session_world(host->session), cg_session_hand(host->session, hand));
    if (sample->has_opening && state.has_jaws) {
        double more = sample->opening - led->opening;
        if (!led->has_opening || more > OPENING_STEP || more < -OPENING_STEP) {
            operate(host, (cg_operation){.kind = CG_OPERATION_set_jaws,
                                         .as.set_jaws = {.hand = hand, .opening = sample->opening}});
            led->opening = sample->opening;
            led->has_opening = true;
        }
        return;
    }
    bool closes = sample->closes || (sample->has_opening && sample->opening < 0.5);
    if (closes && !led->closed) {
        operate(host, (cg_operation){.kind = CG_OPERATION_close_hand, .as.close_hand = {.hand = hand}});
    } else if (!closes && led->closed) {
        operate(host, (cg_operation){.kind = CG_OPERATION_open_hand, .as.open_hand = {.hand = hand}});
    }
    led->closed = closes;
}

// What was told to jaws and fingers: that of another world, or of a device that was away, says nothing.
static void forget_grip(cg_led_hand *led)
{
    led->closed = led->has_opening = false;
}

// A device came or went: all are told, and who drove the hand does not any more.
static void tell_change(cg_host *host, int hand, cg_led_hand *led, const cg_device_sample *sample)
{
    char text[256];
    const char *name = cg_scene_hand_name(host->scene, hand);
    bool again = sample->is_here && led->is_here;
    if (sample->is_here) {
        snprintf(text, sizeof text, "a device leads the %s hand: %s%s", name, sample->name,
                 again ? ", plugged in again" : "");
    } else {
        snprintf(
            text, sizeof text,
            "the device of the %s hand is unplugged: %u samples, %u bad or late, %.1f ms between two at most, %.1f mJ",
            name, sample->samples, sample->unread, 1e3 * sample->longest, 1e3 * sample->health.energy);
    }
    cg_host_send_event(host, CG_CHOICE_event_kind_note, text);
    led->is_here = sample->is_here;
    cg_host_set_driver(host, hand, -1);
    led->arrivals = sample->arrivals;
    forget_grip(led);
    led->number = sample->number;
}

static int hand_count(const cg_host *host)
{
    int count = cg_scene_hand_count(host->scene);
    return count < CG_DEVICES_MOST_HANDS ? count : CG_DEVICES_MOST_HANDS;
}

// Of the hand that it leads in the coming step.
static void lead(cg_host *host, int hand, cg_led_hand *led, const cg_device_sample *sample)
{
    if (led->state != cg_host_state_number(host)) {
        forget_grip(led);
        led->state = cg_host_state_number(host);
    }
    move(host, hand, sample, sample->number - led->number > LATE);
    close_and_open(host, hand, led, sample);
    led->number = sample->number;
    led->device = sample->device;
}

void cg_host_lead_hands(cg_host *host)
{
    host->rests += host->is_resting;
    host->is_resting = false;
    for (int hand = 0; host->def.read_device != NULL && hand < hand_count(host); hand++) {
        cg_led_hand *led = &host->led[hand];
        cg_device_sample sample = {0};
        host->def.read_device(host->def.context, hand, &sample);
        if (sample.is_here != led->is_here || (sample.is_here && sample.arrivals != led->arrivals)) {
            tell_change(host, hand, led, &sample);
        }
        led->leads = sample.is_here && sample.world == world_number(host);
        if (led->leads) {
            lead(host, hand, led, &sample);
        }
    }
}

void cg_host_rest_devices(cg_host *host)
{
    // Whoever makes steps one by one does not stop the world between them.
    if (!host->is_resting && host->mode != CG_CHOICE_mode_lockstep) {
        host->is_resting = true;
        host->rests++;
    }
    if (host->told_world != world_number(host)) {
        for (int hand = 0; hand < CG_DEVICES_MOST_HANDS; hand++) {
            host->led[hand].leads = false;
        }
        cg_host_tell_devices(host);
    }
}

void cg_host_tell_devices(cg_host *host)
{
    host->told_world = world_number(host);
    for (int hand = 0; host->def.tell_device != NULL && hand < CG_DEVICES_MOST_HANDS; hand++) {
        cg_led_hand *led = &host->led[hand];
        cg_device_news news = {.is_there = hand < hand_count(host), .world = world_number(host)};
        if (news.is_there) {
            const cg_world *world = cg_session_world(host->session);
            cg_hand_id id = cg_session_hand(host->session, hand);
            cg_hand_state state = cg_hand_get_state(world, id);
            cg_hand_def def;
            news.is_there = cg_hand_get_def(world, id, &def);
            news.stiffness = news.is_there ? def.stiffness : 0;
            news.has_port = news.is_there && def.has_port;
            news.port = news.has_port ? def.port : (cg_vec3){0, 0, 0};
            news.pose = state.pose;
            news.is_felt = led->leads;
            news.felt = cg_feel_news_of(led->device, &state);
            snprintf(news.name, sizeof news.name, "%s", cg_scene_hand_name(host->scene, hand));
        }
        host->def.tell_device(host->def.context, hand, &news);
    }
}

bool cg_host_is_led(const cg_host *host, int hand)
{
    return hand >= 0 && hand < CG_DEVICES_MOST_HANDS && host->led[hand].is_here;
}
