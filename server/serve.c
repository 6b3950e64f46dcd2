#define _DEFAULT_SOURCE // getifaddrs

#include "serve.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "gate.h"
#include "haptics.h"
#include "later.h"
#include "link.h"
#include "room.h"
#include "sockets.h"

static const double GOODBYE_SECONDS = 0.3; // for clients to hear that the server ends

// The simulation and what it works with.
typedef struct simulation {
    const cg_serve_def *def;
    cg_link *link;
    cg_haptics *haptics; // NULL: no devices are heard
    cg_later *later;     // what takes long
    cg_workers *workers; // all threads that step worlds
    cg_room *room;
    pthread_t thread; // that hears what clients say
} simulation;

static void *simulate(void *context)
{
    cg_room_run(((simulation *)context)->room);
    return NULL;
}

// Signals go to the thread with the sockets, which looks after them: no other shall get them.
static void keep_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

static bool start_thread(simulation *self)
{
    sigset_t before;
    keep_signals(&before);
    bool started = pthread_create(&self->thread, NULL, simulate, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static bool start_workers(simulation *self, FILE *err)
{
    sigset_t before;
    keep_signals(&before);
    bool started = cg_workers_create(self->def->most_cores, &self->workers);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!started) {
        fputs("catgut serve: the threads that step worlds cannot be started\n", err);
    }
    return started;
}

static bool make_room(simulation *self, FILE *err)
{
    cg_room_def room = {.serve = self->def,
                        .link = self->link,
                        .later = self->later,
                        .haptics = self->haptics,
                        .workers = self->workers};
    self->room = cg_room_create(&room, err);
    return self->room != NULL;
}

// Devices and trackers have ports of their own, when they are asked for.
static bool hear_devices(simulation *self, FILE *err)
{
    const cg_serve_def *def = self->def;
    if (def->device_port < 0 && def->tracker_port < 0) {
        return true;
    }
    cg_haptics_def haptics = {.device_port = def->device_port, .tracker_port = def->tracker_port, .clock = def->clock};
    self->haptics = cg_haptics_create(&haptics, err);
    if (self->haptics != NULL && def->device_port >= 0) {
        fprintf(err, "devices: UDP port %d of this machine\n", cg_haptics_device_port(self->haptics));
    }
    if (self->haptics != NULL && def->tracker_port >= 0) {
        fprintf(err, "trackers: TCP port %d of this machine\n", cg_haptics_tracker_port(self->haptics));
    }
    return self->haptics != NULL;
}

static void tell_address(const cg_serve_def *def, const char *name, int port, FILE *out)
{
    bool six = strchr(name, ':') != NULL;
    fprintf(out, "http://%s%s%s:%d/%s%s\n", six ? "[" : "", name, six ? "]" : "", port,
            def->token != NULL ? "#token=" : "", def->token != NULL ? def->token : "");
}

// The address of an interface that others can call, in numbers; false for the loopback, for those of the link alone,
// and for families that are not asked for.
static bool name_of_interface(const struct ifaddrs *interface, bool any_six, char name[INET6_ADDRSTRLEN])
{
    const struct sockaddr *address = interface->ifa_addr;
    if (address == NULL || (interface->ifa_flags & IFF_LOOPBACK) != 0 || (interface->ifa_flags & IFF_UP) == 0) {
        return false;
    }
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;
        return inet_ntop(AF_INET, &four->sin_addr, name, INET6_ADDRSTRLEN) != NULL;
    }
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;
    return any_six && address->sa_family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr) &&
           inet_ntop(AF_INET6, &six->sin6_addr, name, INET6_ADDRSTRLEN) != NULL;
}

// "Any address" is none to call: all that this machine has are told, those first that others can call.
static void tell_addresses(const cg_serve_def *def, int port, FILE *out)
{
    bool any_six = strcmp(def->bind, "::") == 0, any = any_six || strcmp(def->bind, "0.0.0.0") == 0;
    struct ifaddrs *interfaces = NULL;
    if (any && getifaddrs(&interfaces) == 0) {
        for (const struct ifaddrs *at = interfaces; at != NULL; at = at->ifa_next) {
            char name[INET6_ADDRSTRLEN];
            if (name_of_interface(at, any_six, name)) {
                tell_address(def, name, port, out);
            }
        }
        freeifaddrs(interfaces);
    }
    const char *loopback = any_six ? "::1" : "127.0.0.1";
    tell_address(def, any || strcmp(def->bind, "localhost") == 0 ? loopback : def->bind, port, out);
    fflush(out);
}

static bool serve(simulation *self, cg_sockets *sockets)
{
    bool good = true;
    while (good && !self->def->is_ending()) {
        good = cg_sockets_serve(sockets);
    }
    cg_link_end(self->link);
    pthread_join(self->thread, NULL);
    return good;
}

bool cg_serve(const cg_serve_def *def, FILE *out, FILE *err)
{
    simulation self = {.def = def};
    cg_sockets *sockets = cg_sockets_create(def, err);
    if (sockets == NULL) {
        return false;
    }
    self.link = cg_link_create(cg_sockets_wake, sockets);
    self.later = cg_later_create(cg_host_work);
    bool good = self.link != NULL && self.later != NULL && hear_devices(&self, err) && start_workers(&self, err) &&
                make_room(&self, err);
    if (good) {
        cg_sockets_attach(sockets, self.link);
        good = start_thread(&self);
        if (good) {
            tell_addresses(def, cg_sockets_port(sockets), out);
            good = serve(&self, sockets);
        }
        cg_later_end(self.later); // what somebody did is scored and noted
        cg_room_destroy(self.room);
    }
    cg_workers_destroy(self.workers);
    cg_later_end(self.later);
    cg_later_free(self.later);
    cg_haptics_destroy(self.haptics);
    cg_sockets_destroy(sockets, GOODBYE_SECONDS);
    cg_link_destroy(self.link);
    return good;
}
