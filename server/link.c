#define _GNU_SOURCE

#include "link.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Bytes that grow.
typedef struct store {
    unsigned char *bytes;
    size_t size, room;
} store;

// Before each entry of the inward queue.
typedef struct news_head {
    uint32_t size;
    int16_t client;
    int16_t news;
} news_head;

// Before each entry of an outward queue: the head of the entry, then room for that of the WebSocket, then the bytes.
typedef struct answer_head {
    uint32_t size;
    int32_t close_code;
} answer_head;

typedef struct slot {
    bool taken;
    bool flooded;
    double rate;
    int session;      // whose frames it sees
    uint64_t first;   // the first of them that it may see
    unsigned entered; // how many sessions it entered
    store out;        // answers that wait, written by the simulation
    store sending;    // answers that are being sent, read by the sockets
    size_t sent;      // bytes of `sending` that are done with
    int out_count;    // in `out`
    size_t small;     // bytes in `out` of messages that are not large
} slot;

typedef struct frame_store {
    cg_link_frame frame;
    store store;
} frame_store;

// The frames of a session.
typedef struct picture {
    frame_store frames[3];
    int writing, ready, reading; // which of them
    bool is_ready;               // the one handed over is newer than the one that is read
    uint64_t count;              // that were published
} picture;

struct cg_link {
    pthread_mutex_t mutex;
    pthread_cond_t said;
    void (*wake)(void *context);
    void *context;
    bool ending, nudged;
    store in;    // what clients said
    store taken; // what the simulation works on
    slot slots[CG_HOST_MOST_CLIENTS];
    picture pictures[CG_LINK_MOST_SESSIONS];
};

// Room for more bytes at the end; NULL when there is no memory.
static unsigned char *extend(store *to, size_t more)
{
    if (to->size + more > to->room) {
        size_t room = 2 * (to->size + more);
        unsigned char *larger = realloc(to->bytes, room);
        if (larger == NULL) {
            return NULL;
        }
        to->bytes = larger;
        to->room = room;
    }
    unsigned char *added = to->bytes + to->size;
    to->size += more;
    return added;
}

// A store that was large once does not stay so.
static void clear(store *of)
{
    of->size = 0;
    if (of->room > 65536) {
        free(of->bytes);
        *of = (store){0};
    }
}

cg_link *cg_link_create(void (*wake)(void *context), void *context)
{
    cg_link *link = calloc(1, sizeof *link);
    if (link == NULL) {
        return NULL;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&link->mutex, NULL);
    pthread_cond_init(&link->said, &attributes);
    pthread_condattr_destroy(&attributes);
    link->wake = wake;
    link->context = context;
    for (int i = 0; i < CG_LINK_MOST_SESSIONS; i++) {
        link->pictures[i].ready = 1;
        link->pictures[i].reading = 2;
    }
    return link;
}

void cg_link_destroy(cg_link *link)
{
    if (link == NULL) {
        return;
    }
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        free(link->slots[i].out.bytes);
        free(link->slots[i].sending.bytes);
    }
    for (int i = 0; i < 3 * CG_LINK_MOST_SESSIONS; i++) {
        free(link->pictures[i / 3].frames[i % 3].store.bytes);
    }
    free(link->in.bytes);
    free(link->taken.bytes);
    pthread_cond_destroy(&link->said);
    pthread_mutex_destroy(&link->mutex);
    free(link);
}

// The socket thread

static bool post(cg_link *link, cg_news news, int client, const void *bytes, size_t size)
{
    news_head head = {.size = (uint32_t)size, .client = (int16_t)client, .news = (int16_t)news};
    bool small = news != CG_NEWS_SAY || link->in.size + size <= CG_LINK_MOST_IN_BYTES;
    unsigned char *place = small ? extend(&link->in, sizeof head + size) : NULL;
    if (place != NULL) {
        memcpy(place, &head, sizeof head);
        if (size > 0) {
            memcpy(place + sizeof head, bytes, size);
        }
        pthread_cond_signal(&link->said);
    }
    return place != NULL;
}

int cg_link_connect(cg_link *link)
{
    int client = 0;
    pthread_mutex_lock(&link->mutex);
    while (client < CG_HOST_MOST_CLIENTS && link->slots[client].taken) {
        client++;
    }
    if (client < CG_HOST_MOST_CLIENTS && post(link, CG_NEWS_JOIN, client, NULL, 0)) {
        slot *place = &link->slots[client];
        place->taken = true;
        place->flooded = false;
        place->rate = 1e9;
        place->session = 0;
        place->first = UINT64_MAX; // it has entered none
        place->entered = 0;
        place->sent = 0;
        place->sending.size = 0;
    } else {
        client = -1;
    }
    pthread_mutex_unlock(&link->mutex);
    return client;
}

bool cg_link_say(cg_link *link, int client, const void *bytes, size_t size)
{
    pthread_mutex_lock(&link->mutex);
    bool good = post(link, CG_NEWS_SAY, client, bytes, size);
    pthread_mutex_unlock(&link->mutex);
    return good;
}

void cg_link_disconnect(cg_link *link, int client)
{
    pthread_mutex_lock(&link->mutex);
    clear(&link->slots[client].sending);
    link->slots[client].sent = 0;
    post(link, CG_NEWS_LEAVE, client, NULL, 0);
    pthread_mutex_unlock(&link->mutex);
}

bool cg_link_next_answer(cg_link *link, int client, cg_link_answer *answer)
{
    slot *place = &link->slots[client];
    if (place->sent == place->sending.size) {
        pthread_mutex_lock(&link->mutex);
        clear(&place->sending);
        store empty = place->sending;
        place->sending = place->out;
        place->out = empty;
        place->out_count = 0;
        place->small = 0;
        place->sent = 0;
        pthread_mutex_unlock(&link->mutex);
    }
    if (place->sent == place->sending.size) {
        return false;
    }
    answer_head head;
    unsigned char *entry = place->sending.bytes + place->sent;
    memcpy(&head, entry, sizeof head);
    *answer = (cg_link_answer){
        .bytes = entry + sizeof head + CG_LINK_HEAD_BYTES, .size = head.size, .close_code = head.close_code};
    place->sent += sizeof head + CG_LINK_HEAD_BYTES + head.size;
    return true;
}

bool cg_link_has_answer(cg_link *link, int client)
{
    pthread_mutex_lock(&link->mutex);
    bool has = link->slots[client].sent < link->slots[client].sending.size || link->slots[client].out.size > 0;
    pthread_mutex_unlock(&link->mutex);
    return has;
}

bool cg_link_is_flooded(cg_link *link, int client)
{
    pthread_mutex_lock(&link->mutex);
    bool flooded = link->slots[client].flooded;
    pthread_mutex_unlock(&link->mutex);
    return flooded;
}

double cg_link_rate(cg_link *link, int client)
{
    pthread_mutex_lock(&link->mutex);
    double rate = link->slots[client].rate;
    pthread_mutex_unlock(&link->mutex);
    return rate;
}

cg_link_frame *cg_link_newest_frame(cg_link *link, int client, unsigned *entered)
{
    pthread_mutex_lock(&link->mutex);
    const slot *place = &link->slots[client];
    picture *of = &link->pictures[place->session];
    if (of->is_ready) {
        int read = of->reading;
        of->reading = of->ready;
        of->ready = read;
        of->is_ready = false;
    }
    cg_link_frame *frame = &of->frames[of->reading].frame;
    frame = frame->number >= place->first ? frame : NULL;
    *entered = place->entered;
    pthread_mutex_unlock(&link->mutex);
    return frame;
}

void cg_link_end(cg_link *link)
{
    pthread_mutex_lock(&link->mutex);
    link->ending = true;
    pthread_cond_signal(&link->said);
    pthread_mutex_unlock(&link->mutex);
}

bool cg_link_is_ending(cg_link *link)
{
    pthread_mutex_lock(&link->mutex);
    bool ending = link->ending;
    pthread_mutex_unlock(&link->mutex);
    return ending;
}

// Those that simulate

void cg_link_nudge(cg_link *link)
{
    pthread_mutex_lock(&link->mutex);
    link->nudged = true;
    pthread_cond_signal(&link->said);
    pthread_mutex_unlock(&link->mutex);
}

void cg_link_enter(cg_link *link, int client, int session)
{
    pthread_mutex_lock(&link->mutex);
    slot *place = &link->slots[client];
    place->session = session;
    place->first = link->pictures[session].count + 1;
    place->entered++;
    pthread_mutex_unlock(&link->mutex);
}

static void wait_for_news(cg_link *link, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    long long nanoseconds = until.tv_nsec + (long long)(seconds * 1e9);
    until.tv_sec += (time_t)(nanoseconds / 1000000000);
    until.tv_nsec = (long)(nanoseconds % 1000000000);
    int code = 0;
    while (link->in.size == 0 && !link->ending && !link->nudged && code == 0) {
        code = pthread_cond_timedwait(&link->said, &link->mutex, &until);
    }
}

void cg_link_receive(cg_link *link, double seconds,
                     void (*take)(void *context, cg_news news, int client, const void *bytes, size_t size),
                     void *context)
{
    pthread_mutex_lock(&link->mutex);
    if (seconds > 0) {
        wait_for_news(link, seconds < 1 ? seconds : 1);
    }
    link->nudged = false;
    clear(&link->taken);
    store said = link->in;
    link->in = link->taken;
    link->taken = said;
    pthread_mutex_unlock(&link->mutex);
    for (size_t at = 0; at < said.size;) {
        news_head head;
        memcpy(&head, said.bytes + at, sizeof head);
        at += sizeof head;
        take(context, (cg_news)head.news, head.client, said.bytes + at, head.size);
        at += head.size;
    }
}

void cg_link_release(cg_link *link, int client)
{
    pthread_mutex_lock(&link->mutex);
    clear(&link->slots[client].out);
    link->slots[client].out_count = 0;
    link->slots[client].small = 0;
    link->slots[client].taken = false;
    pthread_mutex_unlock(&link->mutex);
}

static void put_answer(cg_link *link, int client, int close_code, const void *bytes, size_t size)
{
    slot *place = &link->slots[client];
    answer_head head = {.size = (uint32_t)size, .close_code = close_code};
    pthread_mutex_lock(&link->mutex);
    bool room = place->small <= CG_LINK_MOST_OUT_BYTES && place->out.size <= CG_LINK_MOST_OUT_LARGE &&
                place->out_count < CG_LINK_MOST_OUT_MESSAGES;
    unsigned char *entry =
        room && !place->flooded ? extend(&place->out, sizeof head + CG_LINK_HEAD_BYTES + size) : NULL;
    if (entry != NULL) {
        memcpy(entry, &head, sizeof head);
        memcpy(entry + sizeof head + CG_LINK_HEAD_BYTES, bytes, size);
        place->out_count++;
        place->small += size <= CG_LINK_LARGE_BYTES ? sizeof head + CG_LINK_HEAD_BYTES + size : 0;
    } else {
        place->flooded = true;
    }
    pthread_mutex_unlock(&link->mutex);
    link->wake(link->context);
}

void cg_link_send(cg_link *link, int client, const void *bytes, size_t size)
{
    put_answer(link, client, 0, bytes, size);
}

void cg_link_hang_up(cg_link *link, int client, int code, const char *reason)
{
    put_answer(link, client, code, reason, strlen(reason));
}

void cg_link_publish(cg_link *link, int session, const void *bytes, size_t size, const uint32_t *acknowledged)
{
    picture *of = &link->pictures[session];
    frame_store *to = &of->frames[of->writing]; // the session's alone
    to->store.size = 0;
    unsigned char *place = extend(&to->store, CG_LINK_HEAD_BYTES + size);
    if (place == NULL) {
        return; // the frame is missed
    }
    memcpy(place + CG_LINK_HEAD_BYTES, bytes, size);
    to->frame.bytes = place + CG_LINK_HEAD_BYTES;
    to->frame.size = size;
    to->frame.number = of->count + 1; // counted by the session alone
    memcpy(to->frame.acknowledged, acknowledged, sizeof to->frame.acknowledged);
    pthread_mutex_lock(&link->mutex);
    of->count++;
    int written = of->writing;
    of->writing = of->ready;
    of->ready = written;
    of->is_ready = true;
    pthread_mutex_unlock(&link->mutex);
    link->wake(link->context);
}

void cg_link_set_rate(cg_link *link, int client, double rate)
{
    pthread_mutex_lock(&link->mutex);
    link->slots[client].rate = rate;
    pthread_mutex_unlock(&link->mutex);
}
