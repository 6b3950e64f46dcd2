#include "room_inside.h"
#include "secret.h"

#include <stdlib.h>
#include <string.h>

double cg_room_now(const cg_room *room)
{
    return room->def.serve->clock();
}

int cg_room_live_seats(const cg_room *room)
{
    int count = 0;
    for (int i = 1; i < CG_ROOM_SEATS; i++) {
        count += room->seats[i].state != CG_SEAT_FREE;
    }
    return count;
}

// Telling

bool cg_room_append(cg_room_store *to, int client, int what, const void *bytes, size_t size)
{
    int head[3] = {client, what, (int)size};
    size_t whole = to->size + sizeof head + size;
    if (whole > to->room) {
        unsigned char *larger = realloc(to->bytes, 2 * whole);
        if (larger == NULL) {
            return false;
        }
        to->bytes = larger;
        to->room = 2 * whole;
    }
    memcpy(to->bytes + to->size, head, sizeof head);
    if (size > 0) {
        memcpy(to->bytes + to->size + sizeof head, bytes, size);
    }
    to->size = whole;
    return true;
}

bool cg_room_tell(cg_room *room, int seat, int client, int what, const void *bytes, size_t size)
{
    pthread_mutex_lock(&room->lock);
    bool good = cg_room_append(&room->seats[seat].inbox, client, what, bytes, size);
    pthread_mutex_unlock(&room->lock);
    return good;
}

void cg_room_say(const cg_room *room, int client, const cg_message *message)
{
    unsigned char bytes[32 * 1024];
    size_t size = cg_message_encode(message, bytes, sizeof bytes);
    if (size > 0) {
        cg_link_send(room->def.link, client, bytes, size);
    }
}

static void refuse(const cg_room *room, int client, uint32_t request, int fault, const char *why)
{
    cg_message message = {.kind = CG_MESSAGE_error,
                          .as.error = {.request = request, .code = (uint16_t)fault, .message = why}};
    cg_room_say(room, client, &message);
}

// Who is where

void cg_room_send_to(cg_room *room, int client, int to, const void *said, size_t size)
{
    cg_visitor *visitor = &room->visitors[client];
    cg_seat *seat = &room->seats[to];
    cg_seat *from = visitor->seat >= 0 ? &room->seats[visitor->seat] : NULL;
    cg_room_leave_queue(room, client);
    if (from != NULL && from->state == CG_SEAT_LIVE) { // what ends lets nobody go
        visitor->moves++;
        cg_room_tell(room, from->number, client, CG_ROOM_GO, &to, sizeof to);
    }
    if (from != NULL) {
        from->members--;
        from->left = cg_room_now(room);
    }
    cg_coming coming = {.moves = visitor->moves,
                        .is_guest = to == 0 || (seat->key[0] != '\0' && !cg_is_secret(seat->key, visitor->key))};
    seat->members++;
    seat->stirred = cg_room_now(room);
    visitor->seat = to;
    cg_room_tell(room, to, client, CG_ROOM_COME, &coming, sizeof coming);
    cg_room_tell(room, to, client, CG_NEWS_SAY, visitor->hello, visitor->hello_size);
    if (size > 0) {
        cg_room_tell(room, to, client, CG_NEWS_SAY, said, size);
    }
}

// Goes to a session by its number. The first is made anew when it is not there.
static bool enter(cg_room *room, int client, uint32_t session, uint32_t request, const void *said, size_t size)
{
    bool is_there = session >= 1 && session < CG_ROOM_SEATS && room->seats[session].state == CG_SEAT_LIVE;
    bool is_made =
        !is_there && session == 1 && room->seats[1].state == CG_SEAT_FREE && cg_room_open_seat(room, 1, NULL);
    if (!is_there && !is_made) {
        char why[96];
        snprintf(why, sizeof why, "there is no session %u now", session);
        refuse(room, client, request, CG_CHOICE_fault_not_found, why);
        return false;
    }
    cg_room_send_to(room, client, (int)session, said, size);
    return true;
}

static void copy_text(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from);
}

static void take_hello(cg_room *room, int client, const void *bytes, size_t size)
{
    cg_visitor *visitor = &room->visitors[client];
    const char *token = room->def.serve->token;
    cg_message message;
    bool is_hello = cg_message_decode(&message, bytes, size, NULL, 0) && message.kind == CG_MESSAGE_hello &&
                    message.as.hello.version == CG_PROTOCOL_VERSION && message.as.request != 0;
    visitor->said_hello = true;
    visitor->seat = -1;
    visitor->hello = malloc(size > 0 ? size : 1);
    if (visitor->hello == NULL) {
        cg_link_hang_up(room->def.link, client, 1011, "no memory");
        return;
    }
    memcpy(visitor->hello, bytes, size);
    visitor->hello_size = size;
    uint32_t session = 0;
    if (is_hello) {
        const cg_wire_hello *hello = &message.as.hello;
        copy_text(visitor->key, sizeof visitor->key, strlen(hello->key) < CG_ROOM_KEY_BYTES ? hello->key : "");
        copy_text(visitor->name, sizeof visitor->name, hello->name);
        visitor->may_control = token == NULL || cg_is_secret(token, hello->token);
        session = hello->session > 0 || visitor->may_control ? hello->session : 1; // without the token it may look on
    }
    // What is no hello is told so by the host of the lobby.
    if (session == 0 || !enter(room, client, session, message.as.request, NULL, 0)) {
        cg_room_send_to(room, client, 0, NULL, 0);
    }
}

static void leave(cg_room *room, int client)
{
    cg_visitor *visitor = &room->visitors[client];
    cg_room_leave_queue(room, client);
    if (visitor->said_hello && visitor->seat >= 0) {
        cg_seat *seat = &room->seats[visitor->seat];
        seat->members--;
        seat->left = cg_room_now(room);
        cg_room_tell(room, visitor->seat, client, CG_NEWS_LEAVE, NULL, 0);
    } else {
        cg_link_release(room->def.link, client);
    }
    free(visitor->hello);
    *visitor = (cg_visitor){.moves = visitor->moves, .seat = -1};
}

// Orders that need a world. Everything else the lobby answers too.
static bool needs_world(const cg_message *message)
{
    switch (message->kind) {
    case CG_MESSAGE_hello:
    case CG_MESSAGE_list_scenes:
    case CG_MESSAGE_list_recordings:
    case CG_MESSAGE_ask_training:
    case CG_MESSAGE_ping:
    case CG_MESSAGE_ask_hands:
    case CG_MESSAGE_give_hands:
        return false;
    case CG_MESSAGE_watch:
        return message->as.watch.rate > 0;
    default:
        return true;
    }
}

// Whoever says this does something.
static bool stirs(cg_message_kind kind)
{
    return kind != CG_MESSAGE_ping && kind != CG_MESSAGE_watch && kind != CG_MESSAGE_list_scenes &&
           kind != CG_MESSAGE_list_recordings && kind != CG_MESSAGE_ask_training && kind != CG_MESSAGE_list_sessions;
}

// In the lobby: whoever needs a world gets one with its order, or waits for one.
static void take_wish(cg_room *room, int client, const cg_message *message, const void *bytes, size_t size)
{
    const cg_visitor *visitor = &room->visitors[client];
    bool is_watch = message->kind == CG_MESSAGE_watch;
    if (!visitor->may_control) {
        refuse(room, client, message->as.request, CG_CHOICE_fault_not_allowed, "orders need the token of the server");
    } else if (!cg_room_enter_own(room, client, bytes, size)) {
        if (is_watch) { // how many frames it wants is known when there are some
            cg_room_tell(room, 0, client, CG_NEWS_SAY, bytes, size);
        } else {
            refuse(room, client, message->as.request, CG_CHOICE_fault_full,
                   "all sessions are taken; you are in the queue");
        }
    }
}

static void take_enter(cg_room *room, int client, const cg_message *message, const void *bytes, size_t size)
{
    uint32_t session = message->as.enter.session;
    if (session > 0) {
        enter(room, client, session, message->as.request, bytes, size);
    } else {
        take_wish(room, client, message, bytes, size);
    }
}

static void hear(cg_room *room, int client, const void *bytes, size_t size)
{
    cg_visitor *visitor = &room->visitors[client];
    cg_message message;
    bool is_one = cg_message_decode(&message, bytes, size, NULL, 0) && message.kind < CG_MESSAGE_FROM_SERVER &&
                  message.as.request != 0;
    if (visitor->seat < 0) {
        return; // it is on its way out
    }
    if (is_one && message.kind == CG_MESSAGE_list_sessions) {
        if (visitor->may_control) {
            cg_room_tell_sessions(room, client, message.as.request);
        } else {
            refuse(room, client, message.as.request, CG_CHOICE_fault_not_allowed,
                   "orders need the token of the server");
        }
        return;
    }
    if (is_one && message.kind == CG_MESSAGE_enter) {
        take_enter(room, client, &message, bytes, size);
        return;
    }
    if (is_one && visitor->seat == 0 && needs_world(&message)) {
        take_wish(room, client, &message, bytes, size);
        return;
    }
    cg_seat *seat = &room->seats[visitor->seat];
    seat->stirred = is_one && stirs(message.kind) ? cg_room_now(room) : seat->stirred;
    cg_room_tell(room, visitor->seat, client, CG_NEWS_SAY, bytes, size);
}

static void take_news(void *context, cg_news news, int client, const void *bytes, size_t size)
{
    cg_room *room = context;
    cg_visitor *visitor = &room->visitors[client];
    switch (news) {
    case CG_NEWS_JOIN:
        *visitor = (cg_visitor){.is_here = true, .moves = visitor->moves, .seat = -1};
        break;
    case CG_NEWS_SAY:
        if (visitor->said_hello) {
            hear(room, client, bytes, size);
        } else {
            take_hello(room, client, bytes, size);
        }
        break;
    case CG_NEWS_LEAVE:
        leave(room, client);
        break;
    }
}

// The room

bool cg_room_open_seat(cg_room *room, int number, cg_host_kept *kept)
{
    const cg_serve_def *serve = room->def.serve;
    cg_seat *seat = &room->seats[number];
    if (!serve->open_desk(serve->desks, number, &seat->files, &seat->training)) {
        return false;
    }
    seat->key[0] = seat->name[0] = seat->scene_name[0] = seat->why[0] = '\0';
    seat->members = 0;
    seat->left = seat->stirred = cg_room_now(room);
    pthread_mutex_lock(&room->lock);
    seat->used = room->floor;
    seat->total = seat->due = 0;
    seat->is_busy = false;
    seat->is_kept = kept != NULL;
    if (kept != NULL) {
        seat->kept = *kept;
        *kept = (cg_host_kept){.scene = NULL};
    }
    seat->state = CG_SEAT_LIVE;
    pthread_mutex_unlock(&room->lock);
    return true;
}

cg_room *cg_room_create(const cg_room_def *def, FILE *err)
{
    char why[CG_HOST_WHY_BYTES] = "no memory for sessions";
    cg_room *room = calloc(1, sizeof *room);
    if (room == NULL) {
        fprintf(err, "%s\n", why);
        return NULL;
    }
    room->def = *def;
    room->most_seats = def->serve->most_sessions;
    room->lanes = cg_workers_count(def->workers);
    pthread_mutex_init(&room->lock, NULL);
    for (int i = 0; i < CG_ROOM_SEATS; i++) {
        room->seats[i].room = room;
        room->seats[i].number = i;
        room->seats[i].work = (cg_work){.piece = cg_room_piece, .context = &room->seats[i], .count = 1};
    }
    // The lobby, and the first session, which may have a recording to begin.
    bool good = cg_room_open_seat(room, 0, NULL) && cg_room_open_seat(room, 1, NULL) &&
                cg_seat_begin(&room->seats[0], why) && cg_seat_begin(&room->seats[1], why) &&
                (def->serve->record == NULL || cg_host_record(room->seats[1].host, def->serve->record, why));
    if (!good) {
        fprintf(err, "%s\n", why);
        cg_room_destroy(room);
        return NULL;
    }
    return room;
}

void cg_room_run(cg_room *room)
{
    cg_link *link = room->def.link;
    while (!cg_link_is_ending(link)) {
        pthread_mutex_lock(&room->lock);
        cg_room_dispatch(room, NULL, NULL);
        double next = cg_room_next(room);
        room->planned = next;
        pthread_mutex_unlock(&room->lock);
        next = room->next_sweep < next ? room->next_sweep : next;
        cg_link_receive(link, next - cg_room_now(room), take_news, room);
        if (cg_room_now(room) >= room->next_sweep) {
            cg_room_sweep(room, cg_room_now(room));
        }
    }
    pthread_mutex_lock(&room->lock);
    room->is_ending = true;
    pthread_mutex_unlock(&room->lock);
    for (int i = 0; i < CG_ROOM_SEATS; i++) {
        if (room->seats[i].was_begun) {
            cg_workers_wait(room->def.workers, &room->seats[i].work);
        }
    }
}

void cg_room_destroy(cg_room *room)
{
    const cg_serve_def *serve = room->def.serve;
    for (int i = 0; i < CG_ROOM_SEATS; i++) {
        cg_seat *seat = &room->seats[i];
        cg_seat_end(seat);
        if (seat->state != CG_SEAT_FREE) {
            serve->close_desk(serve->desks, i);
        }
        cg_host_kept_free(&seat->kept);
        free(seat->inbox.bytes);
        free(seat->taken.bytes);
    }
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        free(room->visitors[i].hello);
    }
    cg_room_free_rests(room);
    pthread_mutex_destroy(&room->lock);
    free(room);
}
