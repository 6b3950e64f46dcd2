// A driver of a force-feedback device for `catgut serve --devices PORT`. In place of hardware it has the simulated Omni
// of the library in the hand of a simulated person, who goes down 10 mm, closes the jaws, and draws up 15 mm; replace
// cg_practice_read and cg_practice_write by the calls of your device. Prints the greatest force along an axis that it
// was sent.
//
//     catgut serve --devices 9876     in one terminal
//     device 9876 0                   in another: leads the first hand of the scene; device 9876 3:0 that of session 3
//     device 9876 0 -                 the same, but the person does what lines of the input say, until these end:
//                                     height [mm] above where it began, and how far the jaws are open, 0 to 1
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <catgut/catgut.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLE_BYTES = 60, FORCE_BYTES = 48, MOST_SILENCE = 5, MILLISECONDS = 3000 };

// What the person wants: how high to be [m], and how far the jaws are open.
typedef struct wish {
    double height, opening;
} wish;

static cg_vec3 vec(double x, double y, double z)
{
    cg_vec3 v = {x, y, z};
    return v;
}

// Little-endian, as everything in the packets is.
static void put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (unsigned char)(value >> 8 * i);
    }
}

static void put_f32(unsigned char *at, double value)
{
    float rounded = (float)value;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    put_u32(at, bits);
}

static double get_f32(const unsigned char *at)
{
    uint32_t bits = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// docs/feel.md has the packet.
static void write_sample(unsigned char bytes[SAMPLE_BYTES], int session, int hand, uint32_t number, cg_vec3 place,
                         double opening)
{
    memset(bytes, 0, SAMPLE_BYTES);
    memcpy(bytes, "cgdv", 4);
    bytes[4] = 1; // version
    bytes[6] = (unsigned char)hand;
    bytes[7] = CG_DEVICE_OMNI;
    put_u32(bytes + 8, number);
    put_u32(bytes + 12, 2 | (uint32_t)session << 16); // the opening is given; whose hand it is
    put_f32(bytes + 16, place.x);
    put_f32(bytes + 20, place.y);
    put_f32(bytes + 24, place.z);
    put_f32(bytes + 40, 1); // not turned
    put_f32(bytes + 44, opening);
}

// The newest force that came; returns 0 when none did.
static int read_force(int server, cg_vec3 *force)
{
    unsigned char bytes[FORCE_BYTES + 1];
    int came = 0;
    while (recv(server, bytes, sizeof bytes, MSG_DONTWAIT) == FORCE_BYTES) {
        if (memcmp(bytes, "cgfo", 4) == 0 && bytes[4] == 1) {
            *force = vec(get_f32(bytes + 12), get_f32(bytes + 16), get_f32(bytes + 20));
            came = 1;
        }
    }
    return came;
}

static void sleep_until(struct timespec *next)
{
    next->tv_nsec += 1000000;
    if (next->tv_nsec >= 1000000000) {
        next->tv_nsec -= 1000000000;
        next->tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
}

// The greatest force along an axis.
static double greatest(double most, cg_vec3 force)
{
    double forces[6] = {force.x, -force.x, force.y, -force.y, force.z, -force.z};
    for (int i = 0; i < 6; i++) {
        most = forces[i] > most ? forces[i] : most;
    }
    return most;
}

// A grasp: down, close, draw up. False when it is over.
static int play_grasp(int time, wish *person)
{
    double down = time < 1000 ? 0.01 * time / 1000 : 0.01;
    double up = time < 1500 ? 0 : time < 2500 ? 0.015 * (time - 1500) / 1000 : 0.015;
    person->height = up - down;
    person->opening = time < 1200 ? 1 : 0;
    return time < MILLISECONDS;
}

// Goes to what the last line said, at 20 mm/s. False when there are no more lines.
static int follow_lines(wish *person)
{
    static wish said;
    static int has_begun; // with the first line
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    char line[128];
    if (poll(&input, 1, has_begun ? 0 : -1) > 0) {
        double height, opening;
        has_begun = 1;
        if (fgets(line, sizeof line, stdin) == NULL) {
            return 0;
        }
        if (sscanf(line, "%lf %lf", &height, &opening) == 2) {
            said.height = 1e-3 * height;
            said.opening = opening < 0 ? 0 : opening > 1 ? 1 : opening;
        }
    }
    double way = said.height - person->height, most = 20e-6;
    person->height += way > most ? most : way < -most ? -most : way;
    person->opening = said.opening;
    return 1;
}

static double drive(int server, int session, int hand, cg_practice *practice, int by_lines)
{
    struct timespec next;
    double most = 0;
    int silent = 0;
    wish person = {0, 1};
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int i = 0; by_lines ? follow_lines(&person) : play_grasp(i, &person); i++) {
        unsigned char sample[SAMPLE_BYTES];
        cg_vec3 force = vec(0, 0, 0);
        write_sample(sample, session, hand, (uint32_t)i + 1, cg_practice_read(practice), person.opening);
        send(server, sample, sizeof sample, 0);
        silent = read_force(server, &force) ? 0 : silent + 1;
        if (silent == 0) {
            cg_practice_write(practice, force);
        } else if (silent > MOST_SILENCE) { // nobody answers: no force
            cg_practice_write(practice, vec(0, 0, 0));
        }
        most = greatest(most, force);
        cg_practice_step(practice, vec(0, 0, person.height));
        sleep_until(&next);
    }
    return most;
}

int main(int count, char **words)
{
    if (count != 3 && count != 4) {
        puts("device PORT [SESSION:]HAND [-]: leads a hand of a simulation that catgut serve --devices PORT runs; of "
             "the\n"
             "first session unless another is named");
        return 0;
    }
    const char *colon = strchr(words[2], ':');
    int session = colon != NULL ? atoi(words[2]) : 1, hand = atoi(colon != NULL ? colon + 1 : words[2]);
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)atoi(words[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int server = socket(AF_INET, SOCK_DGRAM, 0);
    cg_practice_def def = cg_practice_def_default();
    cg_practice *practice = NULL;
    if (server < 0 || connect(server, (const struct sockaddr *)(const void *)&address, sizeof address) != 0 ||
        cg_practice_create(&def, vec(0, 0, 0), &practice).code != CG_OK) {
        fprintf(stderr, "device: cannot begin\n");
        return 1;
    }
    setvbuf(stdin, NULL, _IONBF, 0); // poll must see the lines that wait
    printf("greatest force %.3f N\n", drive(server, session, hand, practice, count == 4));
    cg_practice_destroy(practice);
    close(server);
    return 0;
}
