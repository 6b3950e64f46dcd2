// Room for one more: sessions are given back when their owners went, or do nothing while others are here or wait; their
// worlds rest and go on when the owner returns. Whoever finds no room waits in the order of coming.
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "room_inside.h"

static const double SWEEP = 0.25;         // [s] from one look to the next
static const double GRACE = 60;           // [s] for an owner whose connection broke, or who opens the page anew
static const double GRACE_WANTED = 2;     // [s] the same while somebody waits
static const double MOST_REST = 4 * 3600; // [s] that a world rests
static const double MOST_REST_BYTES = 512e6;
static const double WORD = 5; // [s] from one word to those who wait to the next, at least when their place is new

// Worlds that rest

void cg_room_free_rests(cg_room *room)
{
    for (int i = 0; i < CG_ROOM_MOST_KEPT; i++) {
        cg_host_kept_free(&room->rests[i].kept);
    }
}

static void forget_rest(cg_rest *rest)
{
    cg_host_kept_free(&rest->kept);
    *rest = (cg_rest){.since = 0};
}

static cg_rest *find_rest(cg_room *room, const char *key)
{
    for (int i = 0; i < CG_ROOM_MOST_KEPT && key[0] != '\0'; i++) {
        if (strcmp(room->rests[i].key, key) == 0) {
            return &room->rests[i];
        }
    }
    return NULL;
}

// The one that has rested longest; *bytes is what all have, *free_one a place that has none.
static cg_rest *oldest_rest(cg_room *room, double *bytes, cg_rest **free_one)
{
    cg_rest *oldest = NULL;
    *bytes = 0;
    *free_one = NULL;
    for (int i = 0; i < CG_ROOM_MOST_KEPT; i++) {
        cg_rest *rest = &room->rests[i];
        if (rest->key[0] == '\0') {
            *free_one = rest;
            continue;
        }
        *bytes += (double)cg_host_kept_size(&rest->kept);
        oldest = oldest == NULL || rest->since < oldest->since ? rest : oldest;
    }
    return oldest;
}

static void add_rest(cg_room *room, const char *key, const cg_host_kept *kept, double now)
{
    double bytes;
    cg_rest *free_one, *same = find_rest(room, key);
    if (same != NULL) {
        forget_rest(same);
    }
    cg_rest *oldest = oldest_rest(room, &bytes, &free_one);
    while (oldest != NULL && (free_one == NULL || bytes + (double)cg_host_kept_size(kept) > MOST_REST_BYTES)) {
        forget_rest(oldest);
        oldest = oldest_rest(room, &bytes, &free_one);
    }
    *free_one = (cg_rest){.kept = *kept, .since = now};
    snprintf(free_one->key, sizeof free_one->key, "%s", key);
}

// The queue

void cg_room_leave_queue(cg_room *room, int client)
{
    room->visitors[client].is_waiting = false;
}

static int first_in_queue(const cg_room *room)
{
    int first = -1;
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        const cg_visitor *visitor = &room->visitors[i];
        if (visitor->is_waiting && (first < 0 || visitor->turn < room->visitors[first].turn)) {
            first = i;
        }
    }
    return first;
}

static int place_in_queue(const cg_room *room, int client)
{
    int place = 1;
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        place += room->visitors[i].is_waiting && room->visitors[i].turn < room->visitors[client].turn;
    }
    return place;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// [s] after which so many sessions are given back at the latest if nobody does anything; 0: not known.
static double reckon_wait(cg_room *room, int place, double now)
{
    double waits[CG_ROOM_SEATS];
    int count = 0;
    for (int i = 1; i < CG_ROOM_SEATS; i++) {
        const cg_seat *seat = &room->seats[i];
        if (seat->state == CG_SEAT_LIVE && seat->key[0] != '\0') {
            double idle = room->def.serve->idle_seconds - (now - seat->stirred);
            double gone = GRACE_WANTED - (now - seat->left);
            double wait = seat->members > 0 ? idle : gone;
            waits[count++] = wait > 1 ? wait : 1;
        } else if (seat->state == CG_SEAT_ENDING || seat->state == CG_SEAT_ENDED) {
            waits[count++] = 1;
        }
    }
    qsort(waits, (size_t)count, sizeof waits[0], compare);
    return place <= count ? waits[place - 1] : 0;
}

static void tell_place(cg_room *room, int client, double now)
{
    cg_visitor *visitor = &room->visitors[client];
    int place = place_in_queue(room, client);
    double seconds = reckon_wait(room, place, now);
    char text[256], when[96] = "";
    if (seconds > 0) {
        snprintf(when, sizeof when, " If nobody there goes on it is your turn in %.0f %s.",
                 seconds < 90 ? seconds : seconds / 60, seconds < 90 ? "s" : "min");
    }
    snprintf(text, sizeof text, "All %d places to work are taken. You are number %d in the queue.%s", room->most_seats,
             place, when);
    visitor->place = (uint32_t)place;
    cg_message message = {.kind = CG_MESSAGE_queue,
                          .as.queue = {.place = (uint32_t)place, .seconds = (float)seconds, .message = text}};
    cg_room_say(room, client, &message);
}

static void wait_for_seat(cg_room *room, int client)
{
    cg_visitor *visitor = &room->visitors[client];
    if (!visitor->is_waiting) {
        visitor->is_waiting = true;
        visitor->turn = ++room->turns;
        visitor->since = cg_room_now(room);
        tell_place(room, client, cg_room_now(room));
    }
}

static bool is_anybody_waiting(const cg_room *room)
{
    return first_in_queue(room) >= 0;
}

// Seats

// [bytes] that the process has in memory; 0 where that is not told.
static double resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long long whole = 0, here = 0;
    if (file == NULL) {
        return 0;
    }
    bool good = fscanf(file, "%lld %lld", &whole, &here) == 2;
    fclose(file);
    return good ? (double)here * (double)sysconf(_SC_PAGESIZE) : 0;
}

static int find_free_seat(const cg_room *room)
{
    double most = room->def.serve->most_memory;
    if (cg_room_live_seats(room) >= room->most_seats || (most > 0 && resident() > most)) {
        return -1;
    }
    for (int i = 1; i <= room->most_seats; i++) {
        if (room->seats[i].state == CG_SEAT_FREE) {
            return i;
        }
    }
    return -1;
}

static int find_own_seat(const cg_room *room, const char *key)
{
    for (int i = 1; i < CG_ROOM_SEATS && key[0] != '\0'; i++) {
        if (room->seats[i].state == CG_SEAT_LIVE && strcmp(room->seats[i].key, key) == 0) {
            return i;
        }
    }
    return -1;
}

// One that nobody owns and nobody is in, as the first is before anybody came.
static int find_idle_seat(const cg_room *room)
{
    for (int i = 1; i < CG_ROOM_SEATS; i++) {
        const cg_seat *seat = &room->seats[i];
        if (seat->state == CG_SEAT_LIVE && seat->key[0] == '\0' && seat->members == 0) {
            return i;
        }
    }
    return -1;
}

static void own(cg_room *room, int number, const cg_visitor *visitor)
{
    cg_seat *seat = &room->seats[number];
    memcpy(seat->key, visitor->key, sizeof seat->key);
    memcpy(seat->name, visitor->name, sizeof seat->name);
}

bool cg_room_enter_own(cg_room *room, int client, const void *said, size_t size)
{
    const cg_visitor *visitor = &room->visitors[client];
    cg_rest *rest = find_rest(room, visitor->key);
    int first = first_in_queue(room), seat = find_own_seat(room, visitor->key);
    bool is_turn = first < 0 || first == client;
    if (seat < 0 && rest == NULL && is_turn) {
        seat = find_idle_seat(room);
    }
    if (seat < 0 && is_turn) {
        seat = find_free_seat(room);
        if (seat >= 0 && !cg_room_open_seat(room, seat, rest != NULL ? &rest->kept : NULL)) {
            seat = -1;
        } else if (seat >= 0 && rest != NULL) {
            forget_rest(rest);
        }
    }
    if (seat < 0) {
        wait_for_seat(room, client);
        return false;
    }
    own(room, seat, visitor);
    cg_room_send_to(room, client, seat, said, size);
    return true;
}

// No more is told to a seat but that it ends; those who are there go to the lobby.
static void give_back(cg_room *room, int number, bool keeps, const char *why)
{
    cg_seat *seat = &room->seats[number];
    pthread_mutex_lock(&room->lock);
    if (keeps) {
        cg_room_append(&seat->inbox, -1, CG_ROOM_KEEP, NULL, 0);
    }
    seat->state = CG_SEAT_ENDING;
    seat->due = 0;
    pthread_mutex_unlock(&room->lock);
    cg_message message = {.kind = CG_MESSAGE_queue, .as.queue = {.place = 0, .message = why}};
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        if (room->visitors[i].is_here && room->visitors[i].said_hello && room->visitors[i].seat == number) {
            cg_room_send_to(room, i, 0, NULL, 0);
            cg_room_say(room, i, &message);
        }
    }
}

static void look_at(cg_room *room, int number, double now, bool is_wanted)
{
    cg_seat *seat = &room->seats[number];
    bool is_owned = seat->key[0] != '\0';
    pthread_mutex_lock(&room->lock);
    bool is_busy = seat->is_busy, has_failed = !seat->is_running && seat->why[0] != '\0' && seat->host == NULL;
    int others = cg_room_live_seats(room) - 1;
    pthread_mutex_unlock(&room->lock);
    seat->stirred = is_busy ? now : seat->stirred;
    if (has_failed) {
        give_back(room, number, false, "the session could not begin");
    } else if (seat->members == 0 && now - seat->left > (is_wanted ? GRACE_WANTED : GRACE)) {
        if (is_owned || number > 1) { // the first is there for those who name none
            give_back(room, number, is_owned, "");
        }
    } else if (is_owned && seat->members > 0 && (is_wanted || others > 0) &&
               now - seat->stirred > room->def.serve->idle_seconds) {
        give_back(room, number, true,
                  "Nobody did anything here for a while: your world rests, and goes on when you do.");
    }
}

// A session that ended leaves its place, and its world where that is to be taken up again.
static void clear_seat(cg_room *room, cg_seat *seat, double now)
{
    const cg_serve_def *serve = room->def.serve;
    pthread_mutex_lock(&room->lock);
    bool is_kept = seat->is_kept;
    cg_host_kept kept = seat->kept;
    seat->is_kept = false;
    seat->kept = (cg_host_kept){.scene = NULL};
    seat->state = CG_SEAT_FREE;
    seat->why[0] = '\0';
    pthread_mutex_unlock(&room->lock);
    if (is_kept && seat->key[0] != '\0') {
        add_rest(room, seat->key, &kept, now);
    } else if (is_kept) {
        cg_host_kept_free(&kept);
    }
    serve->close_desk(serve->desks, seat->number);
    seat->key[0] = seat->name[0] = '\0';
}

void cg_room_sweep(cg_room *room, double now)
{
    bool is_wanted = is_anybody_waiting(room), has_word = now >= room->next_word;
    room->next_sweep = now + SWEEP;
    for (int i = 1; i < CG_ROOM_SEATS; i++) {
        cg_seat *seat = &room->seats[i];
        pthread_mutex_lock(&room->lock);
        cg_seat_state state = seat->state;
        bool has_news = seat->inbox.size > 0;
        pthread_mutex_unlock(&room->lock);
        if (state == CG_SEAT_LIVE) {
            look_at(room, i, now, is_wanted);
        } else if (state == CG_SEAT_ENDED && !has_news) {
            clear_seat(room, seat, now);
        }
    }
    for (int i = 0; i < CG_ROOM_MOST_KEPT; i++) {
        if (room->rests[i].key[0] != '\0' && now - room->rests[i].since > MOST_REST) {
            forget_rest(&room->rests[i]);
        }
    }
    int first;
    while ((first = first_in_queue(room)) >= 0 && cg_room_enter_own(room, first, NULL, 0)) {
    }
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        const cg_visitor *visitor = &room->visitors[i];
        if (visitor->is_waiting && (has_word || (int)visitor->place != place_in_queue(room, i))) {
            tell_place(room, i, now);
        }
    }
    room->next_word = has_word ? now + WORD : room->next_word;
}

void cg_room_tell_sessions(cg_room *room, int client, uint32_t request)
{
    cg_wire_session_state states[CG_ROOM_SEATS];
    char scenes[CG_ROOM_SEATS][sizeof room->seats[0].scene_name];
    cg_message message = {.kind = CG_MESSAGE_sessions};
    cg_wire_sessions *told = &message.as.sessions;
    double now = cg_room_now(room);
    uint32_t count = 0;
    for (int i = 1; i < CG_ROOM_SEATS; i++) {
        const cg_seat *seat = &room->seats[i];
        pthread_mutex_lock(&room->lock);
        bool is_there = seat->state == CG_SEAT_LIVE;
        double total = seat->total;
        memcpy(scenes[count], seat->scene_name, sizeof scenes[count]);
        pthread_mutex_unlock(&room->lock);
        if (is_there) {
            states[count] = (cg_wire_session_state){.session = (uint32_t)i,
                                                    .name = seat->name,
                                                    .scene = scenes[count],
                                                    .clients = (uint16_t)seat->members,
                                                    .is_own = room->visitors[client].seat == i,
                                                    .processor = total,
                                                    .idle = now - seat->stirred};
            count++;
        }
    }
    told->request = request;
    told->sessions.items = states;
    told->sessions.count = count;
    told->most = (uint32_t)room->most_seats;
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        told->waiting += room->visitors[i].is_waiting;
    }
    for (int i = 0; i < CG_ROOM_MOST_KEPT; i++) {
        told->kept += room->rests[i].key[0] != '\0';
    }
    cg_room_say(room, client, &message);
    cg_message done = {.kind = CG_MESSAGE_done, .as.done = {.request = request}};
    cg_room_say(room, client, &done);
}
