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
#include "sockets.h"

static const double GOODBYE_SECONDS = 0.3; // for clients to hear that the server ends

// The simulation and what it works with.
typedef struct simulation {
    const cg_serve_def *def;
    cg_link *link;
    cg_host *host;
    cg_haptics *haptics; // NULL: no devices are heard
    cg_later *later;     // what takes long
    pthread_t thread;
} simulation;

static void send_to(void *context, int client, const void *bytes, size_t size)
{
    cg_link_send(((simulation *)context)->link, client, bytes, size);
}

static void publish(void *context, const void *bytes, size_t size, const uint32_t *acknowledged)
{
    cg_link_publish(((simulation *)context)->link, bytes, size, acknowledged);
}

static void hang_up(void *context, int client, int code, const char *reason)
{
    cg_link_hang_up(((simulation *)context)->link, client, code, reason);
}

static void set_rate(void *context, int client, double rate)
{
    cg_link_set_rate(((simulation *)context)->link, client, rate);
}

static bool is_ending(void *context)
{
    return cg_link_is_ending(((simulation *)context)->link);
}

static void read_device(void *context, int hand, cg_device_sample *sample)
{
    cg_haptics_read(((simulation *)context)->haptics, hand, sample);
}

static void tell_device(void *context, int hand, const cg_device_news *news)
{
    cg_haptics_tell(((simulation *)context)->haptics, hand, news);
}

static bool work_later(void *context, void *piece)
{
    return cg_later_add(((simulation *)context)->later, piece);
}

static void *take_done(void *context)
{
    return cg_later_take(((simulation *)context)->later);
}

static void take_news(void *context, cg_news news, int client, const void *bytes, size_t size)
{
    simulation *self = context;
    switch (news) {
    case CG_NEWS_JOIN:
        cg_host_join(self->host, client);
        break;
    case CG_NEWS_SAY:
        cg_host_receive(self->host, client, bytes, size);
        break;
    case CG_NEWS_LEAVE:
        cg_host_leave(self->host, client);
        cg_link_release(self->link, client);
        break;
    }
}

// Take, step, publish, wait: physics never waits for a socket.
static void *simulate(void *context)
{
    simulation *self = context;
    double next = 0;
    while (!cg_link_is_ending(self->link)) {
        double wait = next - self->def->clock();
        cg_link_receive(self->link, wait, take_news, self);
        next = cg_host_run(self->host, self->def->clock());
    }
    return NULL;
}

// Signals go to the thread with the sockets, which looks after them.
static bool start_thread(simulation *self)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool started = pthread_create(&self->thread, NULL, simulate, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static bool make_host(simulation *self, FILE *err)
{
    const cg_serve_def *def = self->def;
    char why[CG_HOST_WHY_BYTES] = "";
    cg_host_def host = {.files = def->files,
                        .training = def->training,
                        .program = def->program,
                        .token = def->token,
                        .frame_rate = def->frame_rate,
                        .most_bytes = CG_PROTOCOL_MOST_CLIENT_BYTES,
                        .most_messages = def->most_messages,
                        .clock = def->clock,
                        .name_knots = true,
                        .context = self,
                        .send = send_to,
                        .publish = publish,
                        .hang_up = hang_up,
                        .set_rate = set_rate,
                        .work_later = work_later,
                        .take_done = take_done,
                        .is_ending = is_ending,
                        .read_device = self->haptics != NULL ? read_device : NULL,
                        .tell_device = self->haptics != NULL ? tell_device : NULL};
    self->host = cg_host_create(&host, def->scene, why);
    if (self->host == NULL || (def->record != NULL && !cg_host_record(self->host, def->record, why))) {
        fprintf(err, "%s\n", why);
        cg_host_destroy(self->host);
        return false;
    }
    return true;
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
    bool good = self.link != NULL && self.later != NULL && hear_devices(&self, err) && make_host(&self, err);
    if (good) {
        cg_sockets_attach(sockets, self.link);
        good = start_thread(&self);
        if (good) {
            tell_addresses(def, cg_sockets_port(sockets), out);
            good = serve(&self, sockets);
        }
        cg_later_end(self.later); // what somebody did is scored and noted
        cg_host_destroy(self.host);
    }
    cg_later_end(self.later);
    cg_later_free(self.later);
    cg_haptics_destroy(self.haptics);
    cg_sockets_destroy(sockets, GOODBYE_SECONDS);
    cg_link_destroy(self.link);
    return good;
}
