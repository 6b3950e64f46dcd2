// Equal shares. A piece of work steps one session for a few milliseconds, or for one step where that is dearer, and
// then hands its lane to the session that has used least processor time so far. One that wants less than its share has
// always used least, so it goes first whenever it wants to, and keeps up with the clock; those that want more share
// what is left. Who rested does not get back what it did not use: it begins a little below the others.
#define _POSIX_C_SOURCE 200809L // clock_gettime

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "room_inside.h"

static const double SLICE = 3e-3;    // [s] of processor time in one turn; a step may take it beyond
static const double CREDIT = 0.03;   // [s] that one who rested is ahead of the others
static const double TOGETHER = 2e-3; // [s] steps in so much time are made in one turn where many want turns
static const double FAR_AWAY = 3600; // [s]

static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// What hosts ask of those around them

static void send_to(void *context, int client, const void *bytes, size_t size)
{
    cg_link_send(((cg_seat *)context)->room->def.link, client, bytes, size);
}

static void publish(void *context, const void *bytes, size_t size, const uint32_t *acknowledged)
{
    const cg_seat *seat = context;
    cg_link_publish(seat->room->def.link, seat->number, bytes, size, acknowledged);
}

static void hang_up(void *context, int client, int code, const char *reason)
{
    cg_link_hang_up(((cg_seat *)context)->room->def.link, client, code, reason);
}

static void set_rate(void *context, int client, double rate)
{
    cg_link_set_rate(((cg_seat *)context)->room->def.link, client, rate);
}

static bool is_ending(void *context)
{
    return cg_link_is_ending(((cg_seat *)context)->room->def.link);
}

static void read_device(void *context, int hand, cg_device_sample *sample)
{
    cg_seat *seat = context;
    cg_haptics_read(seat->room->def.haptics, seat->number, hand, sample);
    seat->has_device = seat->has_device || sample->is_here;
}

static void tell_device(void *context, int hand, const cg_device_news *news)
{
    const cg_seat *seat = context;
    cg_haptics_tell(seat->room->def.haptics, seat->number, hand, news);
}

static bool work_later(void *context, void *piece)
{
    const cg_seat *seat = context;
    return cg_later_add(seat->room->def.later, seat->number, piece);
}

static void *take_done(void *context)
{
    const cg_seat *seat = context;
    return cg_later_take(seat->room->def.later, seat->number);
}

// Nobody works in the lobby: there is nothing in its world.
static bool load_nothing(void *context, const char *name, cg_scene **scene, char *why)
{
    static const char text[] = "{}";
    cg_scene_error error;
    (void)context;
    (void)name;
    cg_status status = cg_scene_read(text, sizeof text - 1, "", NULL, NULL, scene, &error);
    snprintf(why, CG_HOST_WHY_BYTES, "%s", error.message);
    return status.code == CG_OK;
}

// Hosts

bool cg_seat_begin(cg_seat *seat, char *why)
{
    const cg_serve_def *serve = seat->room->def.serve;
    bool is_lobby = seat->number == 0, has_devices = seat->room->def.haptics != NULL && !is_lobby;
    cg_host_def def = {.files = seat->files,
                       .training = seat->training,
                       .program = serve->program,
                       .token = serve->token,
                       .frame_rate = serve->frame_rate,
                       .most_bytes = CG_PROTOCOL_MOST_CLIENT_BYTES,
                       .most_messages = serve->most_messages,
                       .session = (uint32_t)seat->number,
                       .generation = seat->generation,
                       .is_paused = is_lobby,
                       .clock = serve->clock,
                       .name_knots = !is_lobby,
                       .context = seat,
                       .send = send_to,
                       .publish = publish,
                       .hang_up = hang_up,
                       .set_rate = set_rate,
                       .work_later = work_later,
                       .take_done = take_done,
                       .is_ending = is_ending,
                       .read_device = has_devices ? read_device : NULL,
                       .tell_device = has_devices ? tell_device : NULL};
    if (is_lobby) {
        def.files.load_scene = load_nothing;
    }
    seat->host = cg_host_create(&def, is_lobby ? "" : serve->scene, why);
    if (seat->host != NULL && seat->is_kept) {
        seat->is_kept = false;
        if (!cg_host_take_up(seat->host, &seat->kept)) {
            snprintf(seat->why, sizeof seat->why, "your world could not be taken up as it was; it begins anew");
        }
    }
    return seat->host != NULL;
}

static void tell_no_device(const cg_seat *seat)
{
    const cg_device_news none = {.is_there = false};
    bool may_have = seat->room->def.haptics != NULL && seat->number > 0;
    for (int hand = 0; may_have && hand < CG_DEVICES_MOST_HANDS; hand++) {
        cg_haptics_tell(seat->room->def.haptics, seat->number, hand, &none);
    }
}

void cg_seat_end(cg_seat *seat)
{
    if (seat->host != NULL) {
        seat->generation = cg_host_generation(seat->host);
        cg_host_destroy(seat->host);
        seat->host = NULL;
        seat->is_over = false;
        tell_no_device(seat);
    }
    for (size_t at = 0; at < seat->deferred.size;) { // who went before it came here went nevertheless
        int head[3];
        memcpy(head, seat->deferred.bytes + at, sizeof head);
        at += sizeof head + (size_t)head[2];
        if (head[1] == CG_NEWS_LEAVE) {
            cg_link_release(seat->room->def.link, head[0]);
        }
    }
    free(seat->deferred.bytes);
    seat->deferred = (cg_room_store){.bytes = NULL};
}

// News

static bool has_world(const cg_seat *seat)
{
    return seat->host != NULL && !seat->is_over;
}

static void come(cg_seat *seat, int client, const cg_coming *coming)
{
    cg_link *link = seat->room->def.link;
    if (seat->host == NULL) {
        cg_link_hang_up(link, client, 1011, seat->why);
        return;
    }
    if (seat->is_over) {
        return; // it is in the lobby again
    }
    cg_link_enter(link, client, seat->number);
    cg_host_join(seat->host, client, coming->is_guest);
    if (seat->why[0] != '\0') {
        cg_message message = {.kind = CG_MESSAGE_error,
                              .as.error = {.code = CG_CHOICE_fault_failed, .message = seat->why}};
        cg_room_say(seat->room, client, &message);
        seat->why[0] = '\0';
    }
}

// It has left here: the other seat, which may wait for that, takes it.
static void let_go(cg_seat *seat, int client, int to)
{
    cg_room *room = seat->room;
    if (has_world(seat)) {
        cg_host_leave(seat->host, client);
    }
    pthread_mutex_lock(&room->lock);
    room->left[client]++;
    room->seats[to].is_woken = true;
    pthread_mutex_unlock(&room->lock);
    cg_link_nudge(room->def.link);
}

static void keep(cg_seat *seat)
{
    cg_host_kept kept;
    bool is_kept = has_world(seat) && cg_host_keep(seat->host, &kept);
    if (is_kept) {
        seat->is_over = true;
        pthread_mutex_lock(&seat->room->lock);
        seat->kept = kept;
        seat->is_kept = true;
        pthread_mutex_unlock(&seat->room->lock);
    }
}

static void take(cg_seat *seat, int client, int what, const void *bytes, size_t size)
{
    int to;
    cg_coming coming;
    switch (what) {
    case CG_ROOM_COME:
        memcpy(&coming, bytes, sizeof coming);
        come(seat, client, &coming);
        break;
    case CG_ROOM_GO:
        memcpy(&to, bytes, sizeof to);
        let_go(seat, client, to);
        break;
    case CG_NEWS_SAY:
        if (has_world(seat)) {
            cg_host_receive(seat->host, client, bytes, size);
        }
        break;
    case CG_NEWS_LEAVE:
        if (has_world(seat)) {
            cg_host_leave(seat->host, client);
        }
        cg_link_release(seat->room->def.link, client);
        break;
    case CG_ROOM_KEEP:
        keep(seat);
        break;
    default:
        break;
    }
}

// A client that has not left where it was is not here yet, and what it said waits with it.
static bool is_early(cg_seat *seat, const uint32_t left[CG_HOST_MOST_CLIENTS], uint64_t *early, int client, int what,
                     const void *bytes, size_t size)
{
    cg_coming coming;
    if (what == CG_ROOM_COME) {
        memcpy(&coming, bytes, sizeof coming);
        *early |= (int32_t)(left[client] - coming.moves) < 0 ? (uint64_t)1 << client : 0;
    }
    return client >= 0 && (*early >> client & 1) != 0 && cg_room_append(&seat->deferred, client, what, bytes, size);
}

static void take_all(cg_seat *seat, const cg_room_store *said, const uint32_t left[CG_HOST_MOST_CLIENTS],
                     uint64_t *early)
{
    for (size_t at = 0; at < said->size;) {
        int head[3]; // as cg_room_append writes it
        memcpy(head, said->bytes + at, sizeof head);
        const unsigned char *bytes = said->bytes + at + sizeof head;
        at += sizeof head + (size_t)head[2];
        if (!is_early(seat, left, early, head[0], head[1], bytes, (size_t)head[2])) {
            take(seat, head[0], head[1], bytes, (size_t)head[2]);
        }
    }
}

// True when the seat is to end: then all that it is told was taken.
static bool take_news(cg_seat *seat)
{
    cg_room *room = seat->room;
    uint32_t left[CG_HOST_MOST_CLIENTS];
    uint64_t early = 0;
    pthread_mutex_lock(&room->lock);
    cg_room_store said = seat->inbox;
    seat->inbox = seat->taken;
    seat->taken = said;
    seat->is_woken = false;
    bool is_ending_seat = seat->state == CG_SEAT_ENDING;
    bool any = said.size > 0 || seat->deferred.size > 0;
    if (any) {
        memcpy(left, room->left, sizeof left);
    }
    pthread_mutex_unlock(&room->lock);
    if (!any) {
        return is_ending_seat;
    }
    cg_room_store before = seat->deferred;
    seat->deferred = (cg_room_store){.bytes = NULL};
    take_all(seat, &before, left, &early);
    take_all(seat, &seat->taken, left, &early);
    seat->taken.size = 0;
    free(before.bytes);
    return is_ending_seat;
}

// Turns

// [s] when it wants to run again. *spent is the processor time of this turn [s]; *ends: it ends with this turn, or
// waits to.
static double run_turn(cg_seat *seat, double *spent, bool *ends)
{
    const cg_room *room = seat->room;
    double begun = processor_time(), next;
    if (seat->host == NULL && seat->why[0] == '\0' && seat->state == CG_SEAT_LIVE && !cg_seat_begin(seat, seat->why)) {
        tell_no_device(seat);
    }
    do {
        *ends = take_news(seat);
        double now = cg_room_now(room);
        next = has_world(seat) && !*ends ? cg_host_run(seat->host, now) : now + FAR_AWAY;
        *spent = processor_time() - begun;
    } while (*spent < SLICE && next <= cg_room_now(room) && !cg_link_is_ending(room->def.link));
    if (*ends && seat->host != NULL) {
        cg_host_settle(seat->host);
    }
    if (*ends && cg_later_count(room->def.later, seat->number) == 0) {
        cg_seat_end(seat);
    } else if (*ends) {
        next = cg_room_now(room) + 0.01; // what is measured comes back to this host
    }
    return next;
}

static bool is_runnable(const cg_seat *seat, double now)
{
    bool is_there = seat->state == CG_SEAT_LIVE || seat->state == CG_SEAT_ENDING;
    return is_there && !seat->is_running && (seat->due <= now || seat->inbox.size > 0 || seat->is_woken);
}

static double standing(const cg_room *room, const cg_seat *seat)
{
    return seat->used > room->floor - CREDIT ? seat->used : room->floor - CREDIT;
}

// The seat whose turn it is; NULL: none.
static cg_seat *choose(cg_room *room, double now)
{
    cg_seat *found = NULL;
    double least = 0;
    bool any = false;
    for (int i = 0; i < CG_ROOM_SEATS; i++) {
        cg_seat *seat = &room->seats[i];
        bool runnable = is_runnable(seat, now);
        if (!runnable && !seat->is_running) {
            continue;
        }
        double used = standing(room, seat);
        least = !any || used < least ? used : least;
        any = true;
        if (runnable && (found == NULL || used < standing(room, found))) {
            found = seat;
        }
    }
    room->floor = any && least > room->floor ? least : room->floor;
    return found;
}

void cg_room_dispatch(cg_room *room, const cg_seat *own, bool *own_goes_on)
{
    double now = cg_room_now(room);
    cg_seat *seat;
    while (!room->is_ending && room->active < room->lanes && (seat = choose(room, now)) != NULL) {
        room->active++;
        seat->used = standing(room, seat);
        seat->is_running = true;
        if (seat == own) {
            *own_goes_on = true;
            continue;
        }
        if (seat->was_begun) {
            cg_workers_wait(room->def.workers, &seat->work); // its last piece has only to return
        }
        seat->was_begun = true;
        cg_workers_begin(room->def.workers, &seat->work);
    }
}

double cg_room_next(const cg_room *room)
{
    double now = cg_room_now(room), next = now + 1;
    for (int i = 0; i < CG_ROOM_SEATS; i++) {
        const cg_seat *seat = &room->seats[i];
        bool is_there = seat->state == CG_SEAT_LIVE || seat->state == CG_SEAT_ENDING;
        bool waits = is_there && !seat->is_running && seat->due > now;
        next = waits && seat->due < next ? seat->due : next;
    }
    return next;
}

// What a turn came to; under the lock.
static void settle(cg_seat *seat, double spent, double next, bool is_ending_seat)
{
    cg_room *room = seat->room;
    bool many = cg_room_live_seats(room) > room->lanes && !seat->has_device;
    double soonest = cg_room_now(room) + (many ? TOGETHER : 0);
    seat->used += spent;
    seat->total += spent;
    seat->due = next < soonest ? (next <= cg_room_now(room) ? next : soonest) : next;
    seat->is_busy = seat->has_device || (has_world(seat) && cg_host_is_busy(seat->host));
    seat->has_device = false;
    if (has_world(seat)) {
        snprintf(seat->scene_name, sizeof seat->scene_name, "%s", cg_host_scene_name(seat->host));
    }
    if (is_ending_seat && seat->host == NULL) {
        seat->state = CG_SEAT_ENDED;
    }
    seat->is_running = false;
    room->active--;
}

void cg_room_piece(void *context, size_t number)
{
    cg_seat *seat = context;
    cg_room *room = seat->room;
    (void)number;
    for (bool goes_on = true; goes_on;) {
        double spent;
        bool is_ending_seat;
        double next = run_turn(seat, &spent, &is_ending_seat);
        goes_on = false;
        pthread_mutex_lock(&room->lock);
        settle(seat, spent, next, is_ending_seat);
        cg_room_dispatch(room, seat, &goes_on);
        bool nudges = !goes_on && (seat->due < room->planned || seat->state == CG_SEAT_ENDED);
        pthread_mutex_unlock(&room->lock);
        if (nudges) {
            cg_link_nudge(room->def.link);
        }
    }
}
