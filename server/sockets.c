#define _GNU_SOURCE

#include "sockets.h"

#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "gate.h"
#include "headers.h"
#include "ports.h"

enum {
    BODY_PIECE = 16 * 1024,     // of a file, sent at a time
    HELLO_SECONDS = 10,         // from the connection to its first message
    CLOSE_SECONDS = 20,         // for a client to take its goodbye; also where this thread stalls for seconds
    TICK_MICROSECONDS = 200000, // from one look at clients and signals to the next
    MOST_SOCKETS = 256,
    MOST_HEADER_BYTES = 4096
};

_Static_assert(CG_LINK_HEAD_BYTES >= LWS_PRE, "messages need more free bytes before them");

// One WebSocket. libwebsockets gives it to us zeroed.
typedef struct client {
    struct lws *wsi;
    int slot;
    bool here;  // has a slot
    bool spoke; // said something already
    double begun;
    double allowance, refilled; // messages it may still send; when that was reckoned
    unsigned char *message;     // being received
    size_t message_size, message_room;
    unsigned entered;  // the session that it had frames of, as the link counts
    uint64_t frame;    // the last one sent of it
    double frame_time; // when
    int close_code;    // above 0: to be closed
    bool is_closing;   // the goodbye is on its way
    const char *reason;
} client;

// One request for a file.
typedef struct request {
    const unsigned char *next, *end;
} request;

struct cg_sockets {
    struct lws_context *context;
    struct lws_vhost *vhost;
    cg_link *link;
    double (*clock)(void);
    double most_messages; // [1/s] from one client, and at once
    bool open;            // others than loopback can reach us
    int port;
    bool ending;
    client *clients[CG_HOST_MOST_CLIENTS];
    lws_sorted_usec_list_t tick;
};

static int serve_page(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);
static int serve_client(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);

static int serve_old_page(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);

// A page that was open when the server was replaced shows its person the reason for which it was closed.
#define OLD_PAGE "catgut.7"
static const char RELOAD[] = "the program is newer than this page: reload the page";

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = serve_page, .per_session_data_size = sizeof(request)},
    {.name = CG_PROTOCOL_NAME,
     .callback = serve_client,
     .per_session_data_size = sizeof(client),
     .rx_buffer_size = 65536},
    {.name = OLD_PAGE, .callback = serve_old_page},
    {.name = NULL},
};

static cg_sockets *sockets_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

// HTTP

static bool host_is_ours(struct lws *wsi, char *host, size_t room)
{
    const cg_sockets *sockets = sockets_of(wsi);
    return cg_header(wsi, WSI_TOKEN_HOST, host, room) != NULL &&
           cg_gate_host_is_ours(host, sockets->port, sockets->open);
}

static int send_status(struct lws *wsi, unsigned code, const char *text)
{
    return lws_return_http_status(wsi, code, text) != 0 || lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

// How an answer begins. One that nothing changed says nothing of a length: 0 would be the file's.
static bool begin_answer(struct lws *wsi, const cg_asset *sent, const char *type, bool known, unsigned char **at,
                         unsigned char *end)
{
    if (known) {
        return lws_add_http_header_status(wsi, HTTP_STATUS_NOT_MODIFIED, at, end) == 0;
    }
    lws_filepos_t size = (lws_filepos_t)(sent->end - sent->bytes);
    return lws_add_http_common_headers(wsi, HTTP_STATUS_OK, type, size, at, end) == 0;
}

// Sends a file, compressed where that is taken, or says that nothing changed since it was sent. What has a name of its
// own for every state may be kept for ever.
static int send_file(struct lws *wsi, request *self, const cg_asset *asset)
{
    char tag[CG_ASSET_TAG_BYTES];
    const cg_asset *small = cg_takes_gzip(wsi) ? cg_asset_compressed(asset) : NULL;
    const cg_asset *sent = small != NULL ? small : asset;
    const char *caching = cg_asset_is_fixed(asset) ? "public, max-age=31536000, immutable" : "no-cache";
    cg_asset_tag(sent, tag);
    bool known = cg_is_known(wsi, tag);
    unsigned char buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer;
    if (!begin_answer(wsi, sent, asset->type, known, &at, end) || cg_add_header(wsi, "etag:", tag, &at, end) != 0 ||
        cg_add_header(wsi, "cache-control:", caching, &at, end) != 0 ||
        (small != NULL && cg_add_header(wsi, "content-encoding:", "gzip", &at, end) != 0) ||
        !cg_add_safe_headers(wsi, &at, end) || lws_finalize_write_http_header(wsi, start, &at, end) != 0) {
        return -1;
    }
    if (known) {
        return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
    }
    self->next = sent->bytes;
    self->end = sent->end;
    lws_callback_on_writable(wsi);
    return 0;
}

static int begin_request(struct lws *wsi, request *self, const char *path)
{
    char host[128];
    if (!host_is_ours(wsi, host, sizeof host)) {
        return send_status(wsi, HTTP_STATUS_FORBIDDEN, "this server does not go by that name");
    }
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0) {
        return send_status(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET");
    }
    const cg_asset *asset = cg_asset_find(path);
    if (asset == NULL) {
        return send_status(wsi, HTTP_STATUS_NOT_FOUND, "there is no such file");
    }
    return send_file(wsi, self, asset);
}

static int go_on_with_request(struct lws *wsi, request *self)
{
    unsigned char piece[LWS_PRE + BODY_PIECE];
    size_t left = (size_t)(self->end - self->next), size = left < BODY_PIECE ? left : BODY_PIECE;
    if (self->next == NULL) {
        return 0;
    }
    memcpy(piece + LWS_PRE, self->next, size);
    self->next += size;
    bool last = self->next == self->end;
    if (lws_write(wsi, piece + LWS_PRE, size, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0) {
        return -1;
    }
    if (last) {
        self->next = NULL;
        return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
    }
    lws_callback_on_writable(wsi);
    return 0;
}

// A connection that wants to become a WebSocket: 0 when it may, 1 when it was told why not.
static int confirm_upgrade(struct lws *wsi, const char *to)
{
    char host[128], origin[160], path[32], subprotocol[64];
    unsigned code = 0;
    const char *why = "";
    const char *from = cg_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    bool has_origin = lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0;
    if (!host_is_ours(wsi, host, sizeof host)) {
        code = HTTP_STATUS_FORBIDDEN;
        why = "this server does not go by that name";
    } else if (has_origin && (from == NULL || !cg_gate_origin_is_ours(from, host))) {
        code = HTTP_STATUS_FORBIDDEN;
        why = "pages from elsewhere are not let in";
    } else if (strcmp(to, "websocket") != 0 || cg_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) == NULL ||
               strcmp(path, "/ws") != 0) {
        code = HTTP_STATUS_NOT_FOUND;
        why = "the WebSocket is at /ws";
    } else if (cg_header(wsi, WSI_TOKEN_PROTOCOL, subprotocol, sizeof subprotocol) == NULL ||
               (strcmp(subprotocol, CG_PROTOCOL_NAME) != 0 && strcmp(subprotocol, OLD_PAGE) != 0)) {
        code = HTTP_STATUS_BAD_REQUEST;
        why = "expected the subprotocol " CG_PROTOCOL_NAME;
    }
    if (code == 0) {
        return 0;
    }
    return lws_return_http_status(wsi, code, why) != 0 ? -1 : 1;
}

static int serve_page(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size)
{
    (void)size;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return begin_request(wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return go_on_with_request(wsi, user);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return confirm_upgrade(wsi, in);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: // a WebSocket without our subprotocol
        return -1;
    case LWS_CALLBACK_HTTP_BODY: // nobody wants one
        return -1;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: {
        cg_sockets *sockets = sockets_of(wsi);
        for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
            if (sockets->clients[i] != NULL) {
                lws_callback_on_writable(sockets->clients[i]->wsi);
            }
        }
        return 0;
    }
    default:
        return 0;
    }
}

// WebSocket

// The connection ends as soon as the client takes that, and soon even when it does not.
static void end_client(client *self, int code, const char *reason)
{
    if (self->close_code == 0) {
        self->close_code = code;
        self->reason = reason;
        lws_set_timeout(self->wsi, PENDING_TIMEOUT_USER_REASON_BASE, CLOSE_SECONDS);
        lws_callback_on_writable(self->wsi);
    }
}

// Ends the connection; libwebsockets sends the reason and waits a moment for the client to agree. What the client said
// before it heard of it is still read, and left alone: closing on unread bytes would swallow the reason.
static int close_now(struct lws *wsi, client *self, int code, const char *reason)
{
    self->is_closing = true;
    lws_close_reason(wsi, (enum lws_close_status)code, (unsigned char *)(uintptr_t)reason, strlen(reason));
    return -1;
}

static int begin_client(struct lws *wsi, client *self)
{
    cg_sockets *sockets = sockets_of(wsi);
    int slot = sockets->ending ? -1 : cg_link_connect(sockets->link);
    if (slot < 0) {
        return close_now(wsi, self, 1013, "too many clients");
    }
    *self = (client){.wsi = wsi, .slot = slot, .here = true, .begun = sockets->clock()};
    self->allowance = sockets->most_messages;
    self->refilled = self->begun;
    sockets->clients[slot] = self;
    return 0;
}

static void leave_client(cg_sockets *sockets, client *self)
{
    free(self->message);
    self->message = NULL;
    if (self->here) {
        self->here = false;
        sockets->clients[self->slot] = NULL;
        cg_link_disconnect(sockets->link, self->slot);
    }
}

// Messages a second, with some at once.
static bool is_within_rate(cg_sockets *sockets, client *self)
{
    double now = sockets->clock();
    self->allowance += (now - self->refilled) * sockets->most_messages;
    self->refilled = now;
    if (self->allowance > sockets->most_messages) {
        self->allowance = sockets->most_messages;
    }
    self->allowance -= 1;
    return self->allowance >= 0;
}

// Adds a piece to the message that is being received; false when it becomes too large.
static bool gather(client *self, const void *piece, size_t size)
{
    size_t whole = self->message_size + size;
    if (whole > CG_PROTOCOL_MOST_CLIENT_BYTES) {
        return false;
    }
    if (whole > self->message_room) {
        unsigned char *larger = realloc(self->message, 2 * whole);
        if (larger == NULL) {
            return false;
        }
        self->message = larger;
        self->message_room = 2 * whole;
    }
    if (size > 0) {
        memcpy(self->message + self->message_size, piece, size);
    }
    self->message_size = whole;
    return true;
}

// Ends the connection when it can be written to next. Not at once: libwebsockets may read on before it writes, sees
// that the connection ends, and closes it without the reason.
static int refuse(client *self, int code, const char *reason)
{
    end_client(self, code, reason);
    return 0;
}

static int receive(struct lws *wsi, client *self, const void *piece, size_t size)
{
    cg_sockets *sockets = sockets_of(wsi);
    if (self->close_code != 0 || self->is_closing) {
        return 0; // it is on its way out
    }
    if (!lws_frame_is_binary(wsi)) {
        return refuse(self, 1003, "binary messages only");
    }
    if (!gather(self, piece, size)) {
        return refuse(self, 1009, "the message is too large");
    }
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0) {
        return 0;
    }
    if (!is_within_rate(sockets, self)) {
        return refuse(self, 1008, "too many messages a second");
    }
    bool taken = cg_link_say(sockets->link, self->slot, self->message, self->message_size);
    self->spoke = true;
    self->message_size = 0;
    if (self->message_room > 65536) {
        free(self->message);
        self->message = NULL;
        self->message_room = 0;
    }
    return taken ? 0 : refuse(self, 1013, "too much is waiting already");
}

// True when this client should get the newest frame now.
static bool wants_frame(const cg_sockets *sockets, const client *self, const cg_link_frame *frame)
{
    double rate = cg_link_rate(sockets->link, self->slot);
    return frame->number > self->frame && self->spoke && rate > 0 &&
           (sockets->clock() - self->frame_time) * rate >= 0.9;
}

static int send_next(struct lws *wsi, client *self)
{
    cg_sockets *sockets = sockets_of(wsi);
    cg_link_answer answer;
    if (self->close_code != 0) {
        return close_now(wsi, self, self->close_code, self->reason);
    }
    if (cg_link_is_flooded(sockets->link, self->slot)) {
        return close_now(wsi, self, CG_CLOSE_SLOW, "answers were not taken");
    }
    if (cg_link_next_answer(sockets->link, self->slot, &answer)) {
        if (answer.close_code != 0) {
            self->is_closing = true;
            lws_close_reason(wsi, (enum lws_close_status)answer.close_code, answer.bytes, answer.size);
            return -1;
        }
        if (lws_write(wsi, answer.bytes, answer.size, LWS_WRITE_BINARY) < (int)answer.size) {
            return -1;
        }
        lws_callback_on_writable(wsi);
        return 0;
    }
    unsigned entered;
    cg_link_frame *frame = cg_link_newest_frame(sockets->link, self->slot, &entered);
    if (entered != self->entered) {
        self->entered = entered;
        self->frame = 0;
    }
    if (cg_link_has_answer(sockets->link, self->slot)) {
        lws_callback_on_writable(wsi); // it came just now and goes first
        return 0;
    }
    if (frame == NULL || !wants_frame(sockets, self, frame)) {
        return 0;
    }
    uint64_t missed = self->frame > 0 ? frame->number - self->frame - 1 : 0;
    cg_frame_address(frame->bytes, frame->acknowledged[self->slot], (uint32_t)missed);
    self->frame = frame->number;
    self->frame_time = sockets->clock();
    return lws_write(wsi, frame->bytes, frame->size, LWS_WRITE_BINARY) < (int)frame->size ? -1 : 0;
}

static int serve_client(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size)
{
    client *self = user;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        return begin_client(wsi, self);
    case LWS_CALLBACK_RECEIVE:
        return receive(wsi, self, in, size);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return self->is_closing ? 0 : send_next(wsi, self);
    case LWS_CALLBACK_CLOSED:
        leave_client(sockets_of(wsi), self);
        return 0;
    default:
        return 0;
    }
}

static int serve_old_page(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size)
{
    (void)user;
    (void)in;
    (void)size;
    if (reason == LWS_CALLBACK_ESTABLISHED) {
        lws_callback_on_writable(wsi);
    } else if (reason == LWS_CALLBACK_SERVER_WRITEABLE) {
        lws_close_reason(wsi, (enum lws_close_status)CG_CLOSE_VERSION, (unsigned char *)(uintptr_t)RELOAD,
                         sizeof RELOAD - 1);
        return -1;
    }
    return 0;
}

// The event loop

static void look_around(lws_sorted_usec_list_t *tick)
{
    cg_sockets *sockets = lws_container_of(tick, cg_sockets, tick);
    double now = sockets->clock();
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        client *self = sockets->clients[i];
        if (self == NULL) {
            continue;
        }
        if (!self->spoke && now - self->begun > HELLO_SECONDS) {
            end_client(self, CG_CLOSE_NO_HELLO, "hello did not come");
        } else if (cg_link_is_flooded(sockets->link, i)) {
            end_client(self, CG_CLOSE_SLOW, "answers were not taken");
        }
    }
    lws_sul_schedule(sockets->context, 0, &sockets->tick, look_around, TICK_MICROSECONDS);
}

static struct lws_vhost *listen_on(cg_sockets *sockets, const char *address, int port)
{
    struct lws_context_creation_info info = {0};
    info.port = port;
    info.iface = address;
    info.protocols = protocols;
    info.vhost_name = "catgut";
    info.options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    // Without this an IPv4 address is taken for no address at all, and everybody could connect.
    info.options |= strchr(address, ':') == NULL ? LWS_SERVER_OPTION_DISABLE_IPV6 : 0;
    info.keepalive_timeout = 10;
    info.timeout_secs = 10;
    return lws_create_vhost(sockets->context, &info);
}

static bool make_context(cg_sockets *sockets)
{
    static const lws_retry_bo_t idle = {.secs_since_valid_ping = 30, .secs_since_valid_hangup = 60};
    struct lws_context_creation_info info = {0};
    lws_set_log_level(0, NULL); // what people should know is said by us
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    info.user = sockets;
    info.fd_limit_per_thread = MOST_SOCKETS;
    info.max_http_header_data = MOST_HEADER_BYTES;
    info.max_http_header_pool = 64;
    info.timeout_secs = 10;
    info.retry_and_idle_policy = &idle;
    info.server_string = "catgut";
    sockets->context = lws_create_context(&info);
    return sockets->context != NULL;
}

cg_sockets *cg_sockets_create(const cg_serve_def *def, FILE *err)
{
    cg_sockets *sockets = calloc(1, sizeof *sockets);
    if (sockets == NULL || !make_context(sockets)) {
        fprintf(err, "catgut serve: no memory for sockets\n");
        free(sockets);
        return NULL;
    }
    sockets->clock = def->clock;
    sockets->most_messages = def->most_messages;
    sockets->open = !cg_gate_is_loopback(def->bind);
    const char *address = strcmp(def->bind, "localhost") == 0 ? "127.0.0.1" : def->bind;
    int port = cg_find_port(address, def->port, err);
    if (port >= 0) {
        sockets->vhost = listen_on(sockets, address, port);
    }
    if (sockets->vhost == NULL) {
        if (port >= 0) {
            fprintf(err, "catgut serve: cannot listen on %s port %d\n", def->bind, port);
        }
        lws_context_destroy(sockets->context);
        free(sockets);
        return NULL;
    }
    sockets->port = lws_get_vhost_listen_port(sockets->vhost);
    lws_sul_schedule(sockets->context, 0, &sockets->tick, look_around, TICK_MICROSECONDS);
    return sockets;
}

int cg_sockets_port(const cg_sockets *sockets)
{
    return sockets->port;
}

void cg_sockets_attach(cg_sockets *sockets, cg_link *link)
{
    sockets->link = link;
}

void cg_sockets_wake(void *sockets)
{
    lws_cancel_service(((cg_sockets *)sockets)->context);
}

bool cg_sockets_serve(cg_sockets *sockets)
{
    return lws_service(sockets->context, 0) >= 0;
}

void cg_sockets_destroy(cg_sockets *sockets, double seconds)
{
    double until = sockets->clock() + seconds;
    bool anyone = true;
    sockets->ending = true;
    while (anyone && sockets->clock() < until) {
        anyone = false;
        for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
            if (sockets->clients[i] != NULL) {
                anyone = true;
                end_client(sockets->clients[i], 1001, "the server ends");
            }
        }
        if (anyone && !cg_sockets_serve(sockets)) {
            break;
        }
    }
    lws_context_destroy(sockets->context);
    free(sockets);
}
