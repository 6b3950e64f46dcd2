#include "lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SILENT = 1.5e-3;                             // [s] without a sample: a period of the port is missed
static const double TRACKER_GONE = 0.25;                         // [s] without a pose: the instrument is gone
static const double FORGOTTEN = 1;                               // [s] after which a sender may count from anew
static const double TRACKER_AHEAD = 0.02;                        // [s] that it is foreseen at most
static const double TRACKER_PERIOD = 0.01, DEVICE_PERIOD = 1e-3; // [s] until it is seen how often samples come
static const double WINDOW = 1;                                  // [s] over which samples are counted
static const double SHARE = 0.999;                               // of what comes late
static const double LEARNS = 1.0 / 64;                           // of a new time between two samples

enum { RHYTHM = 16 }; // poses after which it is known how far apart they are

bool cg_lines_open(cg_lines *lines)
{
    cg_feel_def defs[CG_DEVICES_MOST_HANDS];
    memset(lines, 0, sizeof *lines);
    for (int i = 0; i < CG_DEVICES_MOST_HANDS; i++) {
        defs[i] = cg_feel_def_default(CG_DEVICE_OMNI);
    }
    return cg_feel_create(defs, CG_DEVICES_MOST_HANDS, &lines->feel).code == CG_OK;
}

void cg_lines_close(cg_lines *lines)
{
    cg_feel_destroy(lines->feel);
}

// It gets forces.
static bool feels(const cg_line *line)
{
    return line->kind == CG_LINE_DEVICE || (line->kind == CG_LINE_TRACKER && line->wants_force);
}

void cg_lines_tell(cg_lines *lines, int hand, const cg_device_news *news)
{
    cg_line *line = &lines->lines[hand];
    line->news = *news;
    if (news->is_felt && feels(line) && line->is_laid && line->sample.world == news->world) {
        cg_feel_tell(lines->feel, hand, &news->felt);
    } else if (feels(line) && line->is_laid && line->sample.world != news->world) {
        // What pushed or drew is gone.
        cg_feel_tell(lines->feel, hand, &(cg_feel_news){.position = line->device.position});
    }
}

// Lays the device over the hand where that is now, if there is one and it is not done.
static void lay(cg_lines *lines, int hand)
{
    cg_line *line = &lines->lines[hand];
    if (!line->news.is_there) {
        line->is_laid = false;
    } else if (!line->is_laid || line->sample.world != line->news.world) {
        cg_feel_align(lines->feel, hand, line->device, line->news.pose);
        line->sample.world = line->news.world;
        line->is_laid = true;
    }
    line->sample.is_here = line->is_laid;
    line->sample.device = line->device.position;
    line->sample.command = cg_feel_command(lines->feel, hand, line->device);
}

static void end(cg_line *line)
{
    line->kind = CG_LINE_FREE;
    line->is_laid = line->sample.is_here = false;
    line->sample.health.force = line->sample.health.stiffness = 0;
}

// A sender takes a line that is free.
static void begin(cg_lines *lines, int hand, cg_line_kind kind, const char *name, uint64_t owner, double now)
{
    cg_line *line = &lines->lines[hand];
    uint32_t arrivals = line->sample.arrivals, world = line->sample.world;
    line->kind = kind;
    line->owner = owner;
    line->is_laid = line->wants_force = false;
    line->last_time = line->before_time = line->window_start = now;
    line->tardy = (cg_tardy){.count = 0};
    line->usual = kind == CG_LINE_TRACKER ? TRACKER_PERIOD : DEVICE_PERIOD;
    line->window_count = 0;
    line->sample = (cg_device_sample){.arrivals = arrivals + 1, .world = world};
    snprintf(line->sample.name, sizeof line->sample.name, "%s", name);
}

static void count(cg_line *line, double now)
{
    double gap = now - line->last_time;
    line->sample.longest = gap > line->sample.longest ? gap : line->sample.longest;
    if (line->sample.samples > 0) { // the first has none before it
        line->usual += LEARNS * (gap - line->usual);
        cg_tardy_add(&line->tardy, gap - line->usual);
    }
    line->sample.samples++;
    line->sample.number++;
    line->last_time = now;
}

// A port for the device that came and the hand that it leads.
static void fit_port(cg_lines *lines, int hand, const cg_device_packet *packet)
{
    cg_line *line = &lines->lines[hand];
    cg_feel_def def = cg_feel_def_default(packet->kind);
    def.delay = packet->delay;
    def.hand_stiffness = line->news.stiffness > 0 ? line->news.stiffness : def.hand_stiffness;
    def.port = line->news.has_port ? line->news.port : def.port;
    cg_feel_replace(lines->feel, hand, &def);
    line->device_kind = packet->kind;
    line->delay = packet->delay;
    line->stiffness = line->news.stiffness;
    line->has_port = line->news.has_port;
    line->port = line->news.port;
    line->is_laid = false;
}

// The port is the one of this device and of the hand as it is now.
static bool fits(const cg_line *line, const cg_device_packet *packet)
{
    const cg_device_news *news = &line->news;
    bool same_port = news->has_port == line->has_port && news->port.x == line->port.x && news->port.y == line->port.y &&
                     news->port.z == line->port.z;
    return packet->kind == line->device_kind && packet->delay == line->delay && news->stiffness == line->stiffness &&
           same_port;
}

bool cg_lines_hears(cg_lines *lines, const cg_device_packet *packet, uint64_t owner)
{
    cg_line *line = &lines->lines[packet->hand];
    bool is_late = (int32_t)(packet->number - line->number) <= 0;
    if (line->kind == CG_LINE_FREE) {
        return line->owner != owner || !is_late; // one that was held up must not lay the device elsewhere
    }
    bool is_its = line->kind == CG_LINE_DEVICE && line->owner == owner;
    line->sample.unread += is_its && is_late;
    return is_its && !is_late;
}

void cg_lines_note_bad(cg_lines *lines, uint64_t owner)
{
    for (int i = 0; i < CG_DEVICES_MOST_HANDS; i++) {
        cg_line *line = &lines->lines[i];
        line->sample.unread += line->kind == CG_LINE_DEVICE && line->owner == owner;
    }
}

bool cg_lines_sample(cg_lines *lines, const cg_device_packet *packet, uint64_t owner, double now, cg_feel_force *force)
{
    int hand = packet->hand;
    cg_line *line = &lines->lines[hand];
    if (!cg_lines_hears(lines, packet, owner)) {
        return false;
    }
    bool is_new = line->kind == CG_LINE_FREE;
    if (is_new) {
        begin(lines, hand, CG_LINE_DEVICE, cg_device_get(packet->kind).name, owner, now);
    }
    if (is_new || !fits(line, packet)) {
        fit_port(lines, hand, packet);
    }
    line->number = packet->number;
    line->device = packet->pose;
    line->sample.closes = packet->closes;
    line->sample.has_opening = packet->has_opening;
    line->sample.opening = packet->opening;
    count(line, now);
    lay(lines, hand);
    cg_feel_turn(lines->feel, hand, packet->pose.rotation);
    *force = cg_feel_step(lines->feel, hand, &packet->pose.position);
    return true;
}

// The hand that an instrument is named after; -1: none.
static int find_hand(const cg_lines *lines, const char *name)
{
    for (int i = 0; i < CG_DEVICES_MOST_HANDS; i++) {
        if (lines->lines[i].news.is_there && strcmp(lines->lines[i].news.name, name) == 0) {
            return i;
        }
    }
    return -1;
}

// A port for a tracker that wants force: what it says is as old as its period, so that much delay is in the loop. Its
// hand stays where it is.
static void set_force(cg_lines *lines, int hand, bool wanted)
{
    cg_line *line = &lines->lines[hand];
    if (wanted == line->wants_force) {
        return; // another port would begin with no force
    }
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    double rate = line->sample.health.rate, period = rate * line->usual < 1 && rate > 0 ? 1 / rate : line->usual;
    def.delay = period < TRACKER_GONE / 5 ? period : TRACKER_GONE / 5;
    def.hand_stiffness = line->news.stiffness > 0 ? line->news.stiffness : def.hand_stiffness;
    line->wants_force = cg_feel_replace(lines->feel, hand, &def).code == CG_OK && wanted;
    line->out = (cg_feel_force){{0, 0, 0}, {0, 0, 0}};
    if (!line->wants_force) {
        line->sample.health.force = line->sample.health.stiffness = line->sample.health.limit = 0;
    }
    line->is_laid = false;
    lay(lines, hand);
}

// Kept for as long as its connection, also before it leads the hand and while it is silent.
static void ask_for_force(cg_lines *lines, int hand, uint64_t owner, bool wanted)
{
    cg_line *line = &lines->lines[hand];
    if (wanted) {
        line->asked_by = owner;
    } else if (line->asked_by == owner) {
        line->asked_by = 0;
        if (line->kind == CG_LINE_TRACKER) {
            set_force(lines, hand, false);
        }
    }
}

void cg_lines_track(cg_lines *lines, const cg_igtl_message *message, uint64_t owner, double now)
{
    int hand = find_hand(lines, message->name);
    cg_line *line = hand >= 0 ? &lines->lines[hand] : NULL;
    if (line == NULL || (line->kind != CG_LINE_FREE && (line->kind != CG_LINE_TRACKER || line->owner != owner))) {
        return;
    }
    if (message->kind == CG_IGTL_SENSOR) {
        line->sample.has_opening = line->kind == CG_LINE_TRACKER;
        line->sample.opening = message->value < 0 ? 0 : message->value > 1 ? 1 : message->value;
        return;
    }
    bool is_new = line->kind == CG_LINE_FREE;
    if (message->kind == CG_IGTL_START || message->kind == CG_IGTL_STOP) {
        ask_for_force(lines, hand, owner, message->kind == CG_IGTL_START);
        return;
    }
    if (is_new) {
        cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI); // for its scales, until it wants force
        cg_feel_replace(lines->feel, hand, &def);
        begin(lines, hand, CG_LINE_TRACKER, "tracker", owner, now);
    }
    line->before = is_new ? message->pose : line->device;
    line->before_time = line->last_time;
    count(line, now);
    // Poses that wait somewhere come together: their way took as long as it usually does, or it would be a leap.
    line->before_time = now - line->usual < line->before_time ? now - line->usual : line->before_time;
    line->device = message->pose;
    lay(lines, hand);
    if (line->sample.samples >= RHYTHM) {
        set_force(lines, hand, line->asked_by == owner);
    }
}

void cg_lines_leave(cg_lines *lines, uint64_t owner)
{
    for (int i = 0; i < CG_DEVICES_MOST_HANDS; i++) {
        cg_line *line = &lines->lines[i];
        if (line->kind == CG_LINE_TRACKER && line->owner == owner) {
            end(line);
        }
        line->asked_by = line->asked_by == owner ? 0 : line->asked_by;
    }
}

static void tick_tracker(cg_lines *lines, int hand, double now)
{
    cg_line *line = &lines->lines[hand];
    if (now - line->last_time > TRACKER_GONE) {
        end(line);
        return;
    }
    lay(lines, hand);
    cg_transform ahead =
        cg_feel_foresee(line->before, line->before_time, line->device, line->last_time, now, TRACKER_AHEAD);
    line->sample.command = cg_feel_command(lines->feel, hand, ahead);
    if (line->wants_force) {
        line->sample.device = ahead.position;
        line->out = cg_feel_step(lines->feel, hand, &ahead.position);
    }
}

void cg_lines_note_late(cg_lines *lines, double late)
{
    cg_tardy_add(&lines->loop, late);
}

// How evenly its samples come: looked at once a second, and all the time in the first.
static void look_at_time(cg_line *line, const cg_tardy *loop, double now)
{
    cg_device_health *health = &line->sample.health;
    double time = now - line->window_start;
    bool is_over = time >= WINDOW, is_first = line->window_count == 0;
    if (time > 0 && (is_over || is_first)) {
        health->rate = (line->sample.samples - line->window_count) / time;
        health->late = cg_tardy_quantile(&line->tardy, SHARE);
        health->loop_late = cg_tardy_quantile(loop, SHARE);
    }
    if (is_over) {
        line->window_start = now;
        line->window_count = line->sample.samples;
    }
}

// What its port does.
static void look_at_port(cg_device_health *health, const cg_feel *feel, int hand)
{
    cg_feel_state state = cg_feel_get_state(feel, hand);
    cg_vec3 force = state.force;
    health->force = sqrt(force.x * force.x + force.y * force.y + force.z * force.z);
    health->stiffness = state.stiffness;
    health->limit = state.limit;
    health->energy = state.energy;
    health->account = state.account;
    health->capped = (uint32_t)state.capped;
    health->withheld = (uint32_t)state.withheld;
}

void cg_lines_tick(cg_lines *lines, double now)
{
    for (int i = 0; i < CG_DEVICES_MOST_HANDS; i++) {
        cg_line *line = &lines->lines[i];
        if (line->kind == CG_LINE_FREE && now - line->last_time > FORGOTTEN) {
            line->owner = 0;
        }
        if (line->kind == CG_LINE_TRACKER) {
            tick_tracker(lines, i, now);
        } else if (line->kind == CG_LINE_DEVICE && now - line->last_time > SILENT) {
            cg_feel_step(lines->feel, i, NULL);
            if (!cg_feel_get_state(lines->feel, i).present) {
                end(line);
            }
        }
        if (line->kind != CG_LINE_FREE) {
            look_at_time(line, &lines->loop, now);
        }
        if (feels(line)) {
            look_at_port(&line->sample.health, lines->feel, i);
        }
    }
}
