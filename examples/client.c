// Drives a simulation that `catgut serve` runs: connects, says hello, makes 200 steps in lockstep and prints where the
// first thread is then. Plain sockets; the WebSocket part is what such a small client needs of it and no more.
//
//     catgut serve              prints http://127.0.0.1:8765/
//     client 8765               in another terminal; client 8765 3 drives session 3
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <catgut/catgut.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// A message of ours is never larger than this; frames of large scenes may be.
enum { ROOM = 4 * 1024 * 1024 };

static unsigned char received[ROOM];
static double room[ROOM / 2]; // for the lists of a message

static int fail(const char *what)
{
    fprintf(stderr, "client: %s\n", what);
    return 1;
}

static int read_all(int server, void *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = read(server, (char *)to + done, size - done);
        if (got <= 0) {
            return 0;
        }
        done += (size_t)got;
    }
    return 1;
}

static int write_all(int server, const void *from, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = write(server, (const char *)from + done, size - done);
        if (put <= 0) {
            return 0;
        }
        done += (size_t)put;
    }
    return 1;
}

// Asks for a WebSocket. A client that checks who answers would compare Sec-WebSocket-Accept too.
static int shake_hands(int server, int port)
{
    char text[512];
    int size = snprintf(text, sizeof text,
                        "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Key: Y2F0Z3V0IGV4YW1wbGUhIQ==\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Protocol: " CG_PROTOCOL_NAME "\r\n\r\n",
                        port);
    if (!write_all(server, text, (size_t)size)) {
        return 0;
    }
    // byte by byte, so that nothing behind the head is taken
    size_t got = 0;
    while (got < sizeof text - 1 && read_all(server, text + got, 1)) {
        text[++got] = '\0';
        if (got >= 4 && memcmp(text + got - 4, "\r\n\r\n", 4) == 0) {
            return strstr(text, " 101 ") != NULL;
        }
    }
    return 0;
}

// Sends a message as one binary frame. Clients must mask what they send; a mask of zeros changes nothing.
static int send_message(int server, const cg_message *message)
{
    unsigned char bytes[8 + 1024];
    size_t size = cg_message_encode(message, bytes + 8, sizeof bytes - 8);
    bytes[0] = 0x82;
    if (size < 126) {
        memmove(bytes + 6, bytes + 8, size);
        bytes[1] = (unsigned char)(0x80 | size);
        memset(bytes + 2, 0, 4);
        return size > 0 && write_all(server, bytes, 6 + size);
    }
    bytes[1] = 0x80 | 126;
    bytes[2] = (unsigned char)(size >> 8);
    bytes[3] = (unsigned char)size;
    memset(bytes + 4, 0, 4);
    return write_all(server, bytes, 8 + size);
}

// Waits for the next message; pings and the like are passed over.
static int receive_message(int server, cg_message *message)
{
    unsigned char head[8];
    for (;;) {
        if (!read_all(server, head, 2)) {
            return 0;
        }
        unsigned long long size = head[1] & 127;
        int more = size == 126 ? 2 : size == 127 ? 8 : 0;
        int opcode = head[0] & 15;
        if (more > 0) {
            size = 0;
            if (!read_all(server, head, (size_t)more)) {
                return 0;
            }
            for (int i = 0; i < more; i++) {
                size = size << 8 | head[i];
            }
        }
        if (size > sizeof received || !read_all(server, received, (size_t)size)) {
            return 0;
        }
        if (opcode == 2) {
            return cg_message_decode(message, received, (size_t)size, room, sizeof room);
        }
    }
}

// Sends an order and waits for its answer. *step and tip are those of the last frame that came before it.
static int order(int server, const cg_message *message, uint64_t *step, float tip[3])
{
    cg_message answer;
    if (!send_message(server, message)) {
        return fail("the server hung up");
    }
    while (receive_message(server, &answer)) {
        if (answer.kind == CG_MESSAGE_error) {
            return fail(answer.as.error.message);
        }
        if (answer.kind == CG_MESSAGE_frame && answer.as.frame.threads.count > 0) {
            const cg_value_floats *positions = &answer.as.frame.threads.items[0].positions;
            *step = answer.as.frame.step;
            memcpy(tip, positions->items + positions->count - 3, 3 * sizeof *tip);
        }
        int answered = answer.as.request == message->as.request;
        if (answered && (answer.kind == CG_MESSAGE_done || answer.kind == CG_MESSAGE_welcome)) {
            return 0;
        }
    }
    return fail("the server hung up");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        printf(
            "usage: client PORT [SESSION [KEY]], where \"catgut serve\" listens; the first session, unless another is\n"
            "named\n");
        return 0;
    }
    int port = atoi(argv[1]);
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof address) != 0) {
        return fail("nobody serves there");
    }
    if (!shake_hands(server, port)) {
        return fail("that is no catgut");
    }
    cg_message messages[4];
    memset(messages, 0, sizeof messages);
    messages[0].kind = CG_MESSAGE_hello;
    messages[0].as.hello.version = CG_PROTOCOL_VERSION;
    messages[0].as.hello.name = "example";
    messages[0].as.hello.session = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    messages[0].as.hello.key = argc > 3 ? argv[3] : "";
    messages[1].kind = CG_MESSAGE_lockstep;
    messages[1].as.lockstep.on = 1;
    messages[2].kind = CG_MESSAGE_reset;
    messages[3].kind = CG_MESSAGE_advance;
    messages[3].as.advance.steps = 200;

    uint64_t step = 0;
    float tip[3] = {0, 0, 0};
    int code = 0;
    for (uint32_t i = 0; i < 4 && code == 0; i++) {
        messages[i].as.request = i + 1;
        code = order(server, &messages[i], &step, tip);
    }
    if (code == 0) {
        printf("after %llu steps the first thread ends at (%.2f, %.2f, %.2f) mm\n", (unsigned long long)step,
               1e3 * (double)tip[0], 1e3 * (double)tip[1], 1e3 * (double)tip[2]);
    }
    close(server);
    return code;
}
