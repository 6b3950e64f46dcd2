#define _GNU_SOURCE // ppoll, accept4

#include "haptics.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lines.h"
#include "punctual.h"

enum {
    MOST_TRACKERS = 4,
    MOST_AT_ONCE = 64 // packets that are taken before forces go out
};
static const double PERIOD = 1e-3; // [s]

// One side leaves, the other takes.
typedef struct letter_box {
    pthread_mutex_t mutex;
    bool is_told; // there is, or was, a session
    cg_device_sample samples[CG_DEVICES_MOST_HANDS];
    cg_device_news news[CG_DEVICES_MOST_HANDS];
    bool is_new[CG_DEVICES_MOST_HANDS];
} letter_box;

typedef struct tracker {
    int socket; // 0: none
    cg_igtl_stream stream;
} tracker;

struct cg_haptics {
    cg_haptics_def def;
    pthread_t thread;
    atomic_bool ends;
    letter_box boxes[CG_HAPTICS_MOST_SESSIONS]; // by session
    int device_socket, listener;                // below 0: none
    int device_port, tracker_port;
    // Of the thread.
    cg_lines *lines[CG_HAPTICS_MOST_SESSIONS]; // NULL: no device ever named that session
    tracker trackers[MOST_TRACKERS];
    uint64_t tracker_count; // that ever came
    uint64_t tracker_names[MOST_TRACKERS];
};

// A sample that waits for its force: the newest of a hand.
typedef struct waiting {
    bool is_there;
    cg_device_packet packet;
    struct sockaddr_in from;
} waiting;

static uint64_t owner_of(const struct sockaddr_in *from)
{
    return (uint64_t)ntohl(from->sin_addr.s_addr) << 16 | ntohs(from->sin_port);
}

static void close_lines(cg_lines *lines)
{
    if (lines != NULL) {
        cg_lines_close(lines);
        free(lines);
    }
}

static cg_lines *open_lines(void)
{
    cg_lines *lines = calloc(1, sizeof *lines);
    if (lines != NULL && !cg_lines_open(lines)) {
        close_lines(lines);
        return NULL;
    }
    return lines;
}

static bool was_told(letter_box *box)
{
    if (pthread_mutex_trylock(&box->mutex) != 0) {
        return false; // the next packet finds it
    }
    bool told = box->is_told;
    pthread_mutex_unlock(&box->mutex);
    return told;
}

// The lines of a session; NULL when there is none of that number.
static cg_lines *lines_of(cg_haptics *self, int session)
{
    if (session < 1 || session > CG_HAPTICS_MOST_SESSIONS) {
        return NULL;
    }
    cg_lines **lines = &self->lines[session - 1];
    if (*lines == NULL && was_told(&self->boxes[session - 1])) {
        *lines = open_lines();
    }
    return *lines;
}

static waiting *place_of(waiting newest[MOST_AT_ONCE], const waiting *w)
{
    int i = 0;
    while (newest[i].is_there &&
           (newest[i].packet.session != w->packet.session || newest[i].packet.hand != w->packet.hand)) {
        i++; // no more come at once than there is room for
    }
    return &newest[i];
}

// Packets that came too quickly one after the other count as one: only the newest of a hand gets a force. What others
// send for a hand that has its sender must not take the place of what that one sends.
static void keep_newest(cg_haptics *self, waiting newest[MOST_AT_ONCE], const waiting *w)
{
    waiting *there = place_of(newest, w);
    uint64_t owner = owner_of(&w->from);
    cg_lines *lines = lines_of(self, w->packet.session);
    if (lines == NULL || !cg_lines_hears(lines, &w->packet, owner) ||
        (there->is_there && owner_of(&there->from) != owner)) {
        return;
    }
    if (there->is_there && (int32_t)(w->packet.number - there->packet.number) <= 0) {
        lines->lines[w->packet.hand].sample.unread++;
        return;
    }
    *there = *w;
}

static void note_bad(cg_haptics *self, uint64_t owner)
{
    for (int i = 0; i < CG_HAPTICS_MOST_SESSIONS; i++) {
        if (self->lines[i] != NULL) {
            cg_lines_note_bad(self->lines[i], owner);
        }
    }
}

static void take_packets(cg_haptics *self, waiting newest[MOST_AT_ONCE])
{
    for (int i = 0; i < MOST_AT_ONCE; i++) {
        unsigned char bytes[CG_DEVICE_PACKET_BYTES + 1];
        waiting w = {.is_there = true};
        socklen_t size = sizeof w.from;
        ssize_t got =
            recvfrom(self->device_socket, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&w.from, &size);
        if (got < 0) {
            return;
        }
        if (cg_device_packet_read(&w.packet, bytes, (size_t)got)) {
            keep_newest(self, newest, &w);
        } else {
            note_bad(self, owner_of(&w.from));
        }
    }
}

static void answer(cg_haptics *self, const waiting *w)
{
    cg_feel_force force;
    unsigned char bytes[CG_FORCE_PACKET_BYTES];
    int hand = w->packet.hand;
    cg_lines *lines = self->lines[w->packet.session - 1]; // it was heard
    if (!cg_lines_sample(lines, &w->packet, owner_of(&w->from), self->def.clock(), &force)) {
        return;
    }
    cg_feel_state state = cg_feel_get_state(lines->feel, hand);
    cg_force_packet_write(bytes, hand, lines->lines[hand].is_laid, w->packet.number, force, &state);
    // A driver that went away does not hear it; that is its own affair.
    (void)sendto(self->device_socket, bytes, sizeof bytes, MSG_DONTWAIT, (const struct sockaddr *)&w->from,
                 sizeof w->from);
}

static void serve_devices(cg_haptics *self)
{
    waiting newest[MOST_AT_ONCE] = {{.is_there = false}};
    take_packets(self, newest);
    for (int i = 0; i < MOST_AT_ONCE && newest[i].is_there; i++) {
        answer(self, &newest[i]);
    }
}

static void drop_tracker(cg_haptics *self, int place)
{
    for (int i = 0; i < CG_HAPTICS_MOST_SESSIONS; i++) {
        if (self->lines[i] != NULL) {
            cg_lines_leave(self->lines[i], self->tracker_names[place]);
        }
    }
    close(self->trackers[place].socket);
    self->trackers[place].socket = 0;
}

static void welcome_tracker(cg_haptics *self)
{
    int socket = accept4(self->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), place = 0;
    while (place < MOST_TRACKERS && self->trackers[place].socket > 0) {
        place++;
    }
    if (socket > 0 && place < MOST_TRACKERS) {
        self->trackers[place].socket = socket;
        self->trackers[place].stream = (cg_igtl_stream){.size = 0};
        self->tracker_names[place] = (uint64_t)1 << 63 | ++self->tracker_count;
    } else if (socket >= 0) {
        close(socket);
    }
}

// "3:left" is the left hand of session 3, "left" that of the first.
static int split_name(char *name)
{
    char *end;
    long session = strtol(name, &end, 10);
    if (end == name || *end != ':') {
        return 1;
    }
    memmove(name, end + 1, strlen(end));
    return session >= 1 && session <= CG_HAPTICS_MOST_SESSIONS ? (int)session : 0;
}

static void track(cg_haptics *self, int place, cg_igtl_message *message)
{
    cg_lines *lines = lines_of(self, split_name(message->name));
    if (lines != NULL) {
        cg_lines_track(lines, message, self->tracker_names[place], self->def.clock());
    }
}

static void serve_tracker(cg_haptics *self, int place)
{
    tracker *t = &self->trackers[place];
    size_t room;
    unsigned char *to = cg_igtl_room(&t->stream, &room);
    ssize_t got = recv(t->socket, to, room, MSG_DONTWAIT);
    if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            drop_tracker(self, place);
        }
        return;
    }
    cg_igtl_came(&t->stream, (size_t)got);
    cg_igtl_message message;
    cg_igtl_result result;
    while ((result = cg_igtl_next(&t->stream, &message)) == CG_IGTL_MESSAGE || result == CG_IGTL_SKIPPED) {
        if (result == CG_IGTL_MESSAGE) {
            track(self, place, &message);
        }
    }
    if (result == CG_IGTL_BROKEN) {
        drop_tracker(self, place);
    }
}

// Trackers that asked for it get the force of this period. One that does not read misses some; half a message would
// spoil all that follow.
static void send_forces_of(cg_haptics *self, int session)
{
    for (int place = 0; place < MOST_TRACKERS; place++) {
        for (int hand = 0; hand < CG_DEVICES_MOST_HANDS && self->trackers[place].socket > 0; hand++) {
            const cg_line *line = &self->lines[session - 1]->lines[hand];
            if (line->kind != CG_LINE_TRACKER || !line->wants_force || line->owner != self->tracker_names[place]) {
                continue;
            }
            cg_vec3 force = line->out.force, torque = line->out.torque;
            const double numbers[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
            unsigned char bytes[CG_IGTL_FORCE_BYTES];
            char name[CG_DEVICES_NAME_BYTES + 12]; // a number, a colon and the name
            if (session > 1) {
                snprintf(name, sizeof name, "%d:%s", session, line->news.name);
            } else {
                snprintf(name, sizeof name, "%s", line->news.name);
            }
            cg_igtl_write_force(bytes, name, numbers);
            ssize_t sent = send(self->trackers[place].socket, bytes, sizeof bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent < 0 ? errno != EAGAIN && errno != EINTR : sent != (ssize_t)sizeof bytes) {
                drop_tracker(self, place);
            }
        }
    }
}

static void send_forces(cg_haptics *self)
{
    for (int session = 1; session <= CG_HAPTICS_MOST_SESSIONS; session++) {
        if (self->lines[session - 1] != NULL) {
            send_forces_of(self, session);
        }
    }
}

// Takes news and leaves samples; not now, when the other side is at it.
static void exchange(letter_box *box, cg_lines *lines)
{
    if (pthread_mutex_trylock(&box->mutex) != 0) {
        return;
    }
    for (int i = 0; i < CG_DEVICES_MOST_HANDS; i++) {
        if (box->is_new[i]) {
            cg_lines_tell(lines, i, &box->news[i]);
            box->is_new[i] = false;
        }
        box->samples[i] = lines->lines[i].sample;
    }
    pthread_mutex_unlock(&box->mutex);
}

static void wait_for_sockets(cg_haptics *self, double until)
{
    struct pollfd sockets[2 + MOST_TRACKERS] = {{.fd = self->device_socket, .events = POLLIN},
                                                {.fd = self->listener, .events = POLLIN}};
    for (int i = 0; i < MOST_TRACKERS; i++) {
        int socket = self->trackers[i].socket;
        sockets[2 + i] = (struct pollfd){.fd = socket > 0 ? socket : -1, .events = POLLIN};
    }
    double left = until - self->def.clock();
    left = left > 0 ? left : 0;
    struct timespec time = {.tv_sec = 0, .tv_nsec = (long)(left < PERIOD ? left * 1e9 : PERIOD * 1e9)};
    if (ppoll(sockets, 2 + MOST_TRACKERS, &time, NULL) <= 0) {
        return;
    }
    if (sockets[0].revents != 0) {
        serve_devices(self);
    }
    if (sockets[1].revents != 0) {
        welcome_tracker(self);
    }
    for (int i = 0; i < MOST_TRACKERS; i++) {
        if (sockets[2 + i].revents != 0) {
            serve_tracker(self, i);
        }
    }
}

static void tick(cg_haptics *self, double now, double late)
{
    for (int i = 0; i < CG_HAPTICS_MOST_SESSIONS; i++) {
        if (self->lines[i] != NULL) {
            cg_lines_note_late(self->lines[i], late);
            cg_lines_tick(self->lines[i], now);
        }
    }
}

static void *work(void *context)
{
    cg_haptics *self = context;
    cg_be_punctual(); // it does little in a period and sleeps for the rest of it
    double next = self->def.clock() + PERIOD;
    while (!atomic_load(&self->ends)) {
        wait_for_sockets(self, next);
        double now = self->def.clock();
        if (now >= next) {
            tick(self, now, now - next);
            send_forces(self);
            next = next + PERIOD > now ? next + PERIOD : now + PERIOD; // what was missed is not made up for
        }
        for (int i = 0; i < CG_HAPTICS_MOST_SESSIONS; i++) {
            if (self->lines[i] != NULL) {
                exchange(&self->boxes[i], self->lines[i]);
            }
        }
    }
    return NULL;
}

// A socket on the loopback; -1 when that cannot be. *port becomes the one it has.
static int listen_on(int kind, int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof address;
    int yes = 1, made = socket(AF_INET, kind | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (made < 0) {
        return -1;
    }
    if (kind == SOCK_STREAM) {
        setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    }
    if (bind(made, (const struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(made, (struct sockaddr *)&address, &size) != 0 ||
        (kind == SOCK_STREAM && listen(made, MOST_TRACKERS) != 0)) {
        close(made);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return made;
}

static bool open_sockets(cg_haptics *self, FILE *err)
{
    self->device_socket = self->listener = -1;
    if (self->def.device_port >= 0) {
        self->device_port = self->def.device_port;
        self->device_socket = listen_on(SOCK_DGRAM, &self->device_port);
        if (self->device_socket < 0) {
            fprintf(err, "devices cannot be heard on UDP port %d: %s\n", self->def.device_port, strerror(errno));
            return false;
        }
    }
    if (self->def.tracker_port >= 0) {
        self->tracker_port = self->def.tracker_port;
        self->listener = listen_on(SOCK_STREAM, &self->tracker_port);
        if (self->listener < 0) {
            fprintf(err, "trackers cannot be heard on TCP port %d: %s\n", self->def.tracker_port, strerror(errno));
            return false;
        }
    }
    return true;
}

static void close_sockets(cg_haptics *self)
{
    for (int i = 0; i < MOST_TRACKERS; i++) {
        if (self->trackers[i].socket > 0) {
            close(self->trackers[i].socket);
        }
    }
    if (self->device_socket >= 0) {
        close(self->device_socket);
    }
    if (self->listener >= 0) {
        close(self->listener);
    }
}

static bool start_thread(cg_haptics *self)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool started = pthread_create(&self->thread, NULL, work, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void give_back(cg_haptics *self)
{
    close_sockets(self);
    for (int i = 0; i < CG_HAPTICS_MOST_SESSIONS; i++) {
        close_lines(self->lines[i]);
        pthread_mutex_destroy(&self->boxes[i].mutex);
    }
    free(self);
}

cg_haptics *cg_haptics_create(const cg_haptics_def *def, FILE *err)
{
    cg_haptics *self = calloc(1, sizeof *self);
    if (self == NULL) {
        fputs("no memory for devices\n", err);
        return NULL;
    }
    self->def = *def;
    for (int i = 0; i < CG_HAPTICS_MOST_SESSIONS; i++) {
        pthread_mutex_init(&self->boxes[i].mutex, NULL);
    }
    self->lines[0] = open_lines();
    if (!open_sockets(self, err) || self->lines[0] == NULL || !start_thread(self)) {
        give_back(self);
        return NULL;
    }
    return self;
}

void cg_haptics_destroy(cg_haptics *haptics)
{
    if (haptics == NULL) {
        return;
    }
    atomic_store(&haptics->ends, true);
    pthread_join(haptics->thread, NULL);
    give_back(haptics);
}

int cg_haptics_device_port(const cg_haptics *haptics)
{
    return haptics->device_port;
}

int cg_haptics_tracker_port(const cg_haptics *haptics)
{
    return haptics->tracker_port;
}

void cg_haptics_read(cg_haptics *haptics, int session, int hand, cg_device_sample *sample)
{
    letter_box *box = &haptics->boxes[session - 1];
    pthread_mutex_lock(&box->mutex);
    *sample = box->samples[hand];
    pthread_mutex_unlock(&box->mutex);
}

void cg_haptics_tell(cg_haptics *haptics, int session, int hand, const cg_device_news *news)
{
    letter_box *box = &haptics->boxes[session - 1];
    pthread_mutex_lock(&box->mutex);
    box->news[hand] = *news;
    box->is_new[hand] = box->is_told = true;
    pthread_mutex_unlock(&box->mutex);
}
