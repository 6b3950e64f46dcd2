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
    letter_box box;
    int device_socket, listener; // below 0: none
    int device_port, tracker_port;
    // Of the thread.
    cg_lines lines;
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

// Packets that came too quickly one after the other count as one: only the newest of a hand gets a force. What others
// send for a hand that has its sender must not take the place of what that one sends.
static void keep_newest(cg_haptics *self, waiting newest[CG_DEVICES_MOST_HANDS], const waiting *w)
{
    waiting *there = &newest[w->packet.hand];
    uint64_t owner = owner_of(&w->from);
    if (!cg_lines_hears(&self->lines, &w->packet, owner) || (there->is_there && owner_of(&there->from) != owner)) {
        return;
    }
    if (there->is_there && (int32_t)(w->packet.number - there->packet.number) <= 0) {
        self->lines.lines[w->packet.hand].sample.unread++;
        return;
    }
    *there = *w;
}

static void take_packets(cg_haptics *self, waiting newest[CG_DEVICES_MOST_HANDS])
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
            cg_lines_note_bad(&self->lines, owner_of(&w.from));
        }
    }
}

static void answer(cg_haptics *self, const waiting *w)
{
    cg_feel_force force;
    unsigned char bytes[CG_FORCE_PACKET_BYTES];
    int hand = w->packet.hand;
    if (!cg_lines_sample(&self->lines, &w->packet, owner_of(&w->from), self->def.clock(), &force)) {
        return;
    }
    cg_feel_state state = cg_feel_get_state(self->lines.feel, hand);
    cg_force_packet_write(bytes, hand, self->lines.lines[hand].is_laid, w->packet.number, force, &state);
    // A driver that went away does not hear it; that is its own affair.
    (void)sendto(self->device_socket, bytes, sizeof bytes, MSG_DONTWAIT, (const struct sockaddr *)&w->from,
                 sizeof w->from);
}

static void serve_devices(cg_haptics *self)
{
    waiting newest[CG_DEVICES_MOST_HANDS] = {{.is_there = false}};
    take_packets(self, newest);
    for (int i = 0; i < CG_DEVICES_MOST_HANDS; i++) {
        if (newest[i].is_there) {
            answer(self, &newest[i]);
        }
    }
}

static void drop_tracker(cg_haptics *self, int place)
{
    cg_lines_leave(&self->lines, self->tracker_names[place]);
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
            cg_lines_track(&self->lines, &message, self->tracker_names[place], self->def.clock());
        }
    }
    if (result == CG_IGTL_BROKEN) {
        drop_tracker(self, place);
    }
}

// Trackers that asked for it get the force of this period. One that does not read misses some; half a message would
// spoil all that follow.
static void send_forces(cg_haptics *self)
{
    for (int place = 0; place < MOST_TRACKERS; place++) {
        for (int hand = 0; hand < CG_DEVICES_MOST_HANDS && self->trackers[place].socket > 0; hand++) {
            const cg_line *line = &self->lines.lines[hand];
            if (line->kind != CG_LINE_TRACKER || !line->wants_force || line->owner != self->tracker_names[place]) {
                continue;
            }
            cg_vec3 force = line->out.force, torque = line->out.torque;
            const double numbers[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
            unsigned char bytes[CG_IGTL_FORCE_BYTES];
            cg_igtl_write_force(bytes, line->news.name, numbers);
            ssize_t sent = send(self->trackers[place].socket, bytes, sizeof bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent < 0 ? errno != EAGAIN && errno != EINTR : sent != (ssize_t)sizeof bytes) {
                drop_tracker(self, place);
            }
        }
    }
}

// Takes news and leaves samples; not now, when the other side is at it.
static void exchange(cg_haptics *self)
{
    letter_box *box = &self->box;
    if (pthread_mutex_trylock(&box->mutex) != 0) {
        return;
    }
    for (int i = 0; i < CG_DEVICES_MOST_HANDS; i++) {
        if (box->is_new[i]) {
            cg_lines_tell(&self->lines, i, &box->news[i]);
            box->is_new[i] = false;
        }
        box->samples[i] = self->lines.lines[i].sample;
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

static void *work(void *context)
{
    cg_haptics *self = context;
    cg_be_punctual(); // it does little in a period and sleeps for the rest of it
    double next = self->def.clock() + PERIOD;
    while (!atomic_load(&self->ends)) {
        wait_for_sockets(self, next);
        double now = self->def.clock();
        if (now >= next) {
            cg_lines_note_late(&self->lines, now - next);
            cg_lines_tick(&self->lines, now);
            send_forces(self);
            next = next + PERIOD > now ? next + PERIOD : now + PERIOD; // what was missed is not made up for
        }
        exchange(self);
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

cg_haptics *cg_haptics_create(const cg_haptics_def *def, FILE *err)
{
    cg_haptics *self = calloc(1, sizeof *self);
    if (self == NULL) {
        fputs("no memory for devices\n", err);
        return NULL;
    }
    self->def = *def;
    pthread_mutex_init(&self->box.mutex, NULL);
    if (!open_sockets(self, err) || !cg_lines_open(&self->lines) || !start_thread(self)) {
        close_sockets(self);
        cg_lines_close(&self->lines);
        pthread_mutex_destroy(&self->box.mutex);
        free(self);
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
    close_sockets(haptics);
    cg_lines_close(&haptics->lines);
    pthread_mutex_destroy(&haptics->box.mutex);
    free(haptics);
}

int cg_haptics_device_port(const cg_haptics *haptics)
{
    return haptics->device_port;
}

int cg_haptics_tracker_port(const cg_haptics *haptics)
{
    return haptics->tracker_port;
}

void cg_haptics_read(cg_haptics *haptics, int hand, cg_device_sample *sample)
{
    pthread_mutex_lock(&haptics->box.mutex);
    *sample = haptics->box.samples[hand];
    pthread_mutex_unlock(&haptics->box.mutex);
}

void cg_haptics_tell(cg_haptics *haptics, int hand, const cg_device_news *news)
{
    pthread_mutex_lock(&haptics->box.mutex);
    haptics->box.news[hand] = *news;
    haptics->box.is_new[hand] = true;
    pthread_mutex_unlock(&haptics->box.mutex);
}
