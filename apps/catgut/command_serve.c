// catgut serve: the simulator for browsers and other programs.
#define _GNU_SOURCE

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "app.h"
#include "catgut/version.h"
#include "gate.h"
#include "serve.h"
#include "support/arguments.h"
#include "support/folder.h"
#include "support/progress.h"
#include "support/serve_desks.h"

enum { MOST_CORES = 1024 };
static const double MEGABYTE = 1e6; // [bytes]

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_serve = {
    .name = "serve",
    .usage = "[SCENE] [--port N] [--bind ADDRESS] [--token WORD] [--rate N] [--messages N]\n"
             "             [--record FILE] [--force] [--recordings FOLDER] [--logbook FILE]\n"
             "             [--devices PORT] [--trackers PORT]\n"
             "             [--sessions N] [--memory MB] [--cores N] [--idle MINUTES]",
    .summary = "simulate in the browser",
    .help =
        "Prints its address and serves until Ctrl-C. docs/protocol.md tells programs how to talk to it.\n\n"
        "  SCENE                 the scene to begin with, a file or a name (\"catgut list scenes\"); default overhand\n"
        "  --scene SCENE         the same\n"
        "  --port N              default 8765, or the next one that is free; 0 takes any\n"
        "  --bind ADDRESS        default 127.0.0.1, which only this machine can reach\n"
        "  --token WORD          what clients must know to give orders; needed when others can reach the server,\n"
        "                        and made up when it is not given\n"
        "  --rate N              frames a second, 1 to 1000; default 60\n"
        "  --messages N          messages a second that one client may send, 10 to 1000000; default 4000\n"
        "  --record FILE         record from the start\n"
        "  --force               let --record write over a file that is no recording\n"
        "  --recordings FOLDER   where clients record to; default recordings\n"
        "  --logbook FILE        where attempts at tasks are noted (\"catgut help progress\"); default\n"
        "                        catgut/progress.db in $XDG_DATA_HOME or ~/.local/share\n"
        "  --sessions N          worlds at once, 1 to 64, each for somebody who works; default 16. Who comes when all\n"
        "                        are taken waits in a queue\n"
        "  --memory MB           no further world begins while the program has more memory; default three quarters of\n"
        "                        the machine's\n"
        "  --cores N             worlds that are stepped at the same time; default the cores of the machine\n"
        "  --idle MINUTES        after which a world that nobody touches is given back, while others are here or\n"
        "                        wait; default 5. It goes on when its owner comes back\n"
        "  --devices PORT        hear force-feedback devices on this UDP port of this machine (docs/feel.md)\n"
        "  --trackers PORT       hear tracked instruments that speak OpenIGTLink on this TCP port of this machine\n\n"
        "Examples:\n"
        "  catgut serve\n"
        "  catgut serve pad --port 9000\n"
        "  catgut serve my-scene.json\n",
    .run = run,
    .listed = "scenes",
};

// The words of the command line.
typedef struct serve_options {
    const char *scene, *port, *bind, *token, *rate, *messages, *record, *recordings, *logbook, *devices, *trackers;
    const char *sessions, *memory, *cores, *idle;
    bool force;
} serve_options;

static bool read_options(serve_options *options, int count, char **words, FILE *err)
{
    const cg_option list[] = {
        {.name = "--scene", .value = &options->scene},       {.name = "--port", .value = &options->port},
        {.name = "--bind", .value = &options->bind},         {.name = "--token", .value = &options->token},
        {.name = "--rate", .value = &options->rate},         {.name = "--messages", .value = &options->messages},
        {.name = "--record", .value = &options->record},     {.name = "--recordings", .value = &options->recordings},
        {.name = "--logbook", .value = &options->logbook},   {.name = "--devices", .value = &options->devices},
        {.name = "--trackers", .value = &options->trackers}, {.name = "--force", .flag = &options->force},
        {.name = "--sessions", .value = &options->sessions}, {.name = "--memory", .value = &options->memory},
        {.name = "--cores", .value = &options->cores},       {.name = "--idle", .value = &options->idle},
    };
    const char *scene = NULL;
    cg_arguments arguments = {.command = "serve",
                              .options = list,
                              .option_count = (int)(sizeof list / sizeof list[0]),
                              .max_words = 1,
                              .words = &scene};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return false;
    }
    if (scene != NULL && options->scene != NULL) {
        fprintf(err, "catgut serve: found two scenes, \"%s\" and \"%s\"; expected one\n", scene, options->scene);
        return false;
    }
    options->scene = scene != NULL ? scene : options->scene;
    return true;
}

static bool read_port(const char *name, const char *word, int otherwise, int *port, FILE *err)
{
    double number = otherwise;
    if (word != NULL &&
        (!cg_read_number(word, &number) || !(number >= 0 && number <= 65535) || number != (double)(int)number)) {
        fprintf(err, "catgut serve: found %s \"%s\", expected 0 to 65535\n", name, word);
        return false;
    }
    *port = (int)number;
    return true;
}

static bool read_rate(const char *name, const char *word, double least, double most, double *rate, FILE *err)
{
    if (word != NULL && (!cg_read_number(word, rate) || !(*rate >= least && *rate <= most))) {
        fprintf(err, "catgut serve: found %s \"%s\", expected %.0f to %.0f\n", name, word, least, most);
        return false;
    }
    return true;
}

// How much of the machine sessions may take.
static bool read_bounds(const serve_options *options, cg_serve_def *def, FILE *err)
{
    double pages = (double)sysconf(_SC_PHYS_PAGES), page = (double)sysconf(_SC_PAGESIZE);
    double sessions = CG_SERVE_DEFAULT_SESSIONS, cores = (double)sysconf(_SC_NPROCESSORS_ONLN), idle = 5;
    double memory = pages > 0 && page > 0 ? 0.75 * pages * page / MEGABYTE : 0;
    cores = cores >= 1 && cores <= MOST_CORES ? cores : 1;
    if (!read_rate("--sessions", options->sessions, 1, CG_SERVE_MOST_SESSIONS, &sessions, err) ||
        !read_rate("--memory", options->memory, 16, 1e7, &memory, err) ||
        !read_rate("--cores", options->cores, 1, MOST_CORES, &cores, err) ||
        !read_rate("--idle", options->idle, 0, 1e5, &idle, err)) {
        return false;
    }
    def->most_sessions = (int)sessions;
    def->most_memory = memory * MEGABYTE;
    def->most_cores = (int)cores;
    def->idle_seconds = 60 * idle;
    return true;
}

static bool read_numbers(const serve_options *options, cg_serve_def *def, FILE *err)
{
    def->frame_rate = 60;
    double messages = CG_SERVE_DEFAULT_MESSAGES;
    if (!read_port("--port", options->port, CG_SERVE_DEFAULT_PORT, &def->port, err) ||
        !read_port("--devices", options->devices, -1, &def->device_port, err) ||
        !read_port("--trackers", options->trackers, -1, &def->tracker_port, err) ||
        !read_rate("--rate", options->rate, 1, 1000, &def->frame_rate, err) ||
        !read_rate("--messages", options->messages, 10, 1000000, &messages, err)) {
        return false;
    }
    def->most_messages = (uint32_t)messages;
    return read_bounds(options, def, err);
}

// A token that nobody can guess.
static bool make_token(char token[33], FILE *err)
{
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        fputs("catgut serve: the machine has no random numbers; give a --token\n", err);
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    }
    return true;
}

static bool choose_token(const serve_options *options, cg_serve_def *def, char made[33], FILE *err)
{
    def->token = options->token;
    if (options->token != NULL && (options->token[0] == '\0' || strlen(options->token) > 1000)) {
        fputs("catgut serve: found an empty or very long --token, expected 1 to 1000 bytes\n", err);
        return false;
    }
    if (options->token == NULL && !cg_gate_is_loopback(def->bind)) {
        def->token = made;
        return make_token(made, err);
    }
    return true;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    serve_options options = {.bind = "127.0.0.1", .recordings = "recordings"};
    cg_serve_def def = {.clock = cg_wall_clock, .is_ending = cg_was_interrupted, .program = "catgut " CG_VERSION};
    char token[33];
    if (!read_options(&options, count, words, err) || !read_numbers(&options, &def, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    def.bind = options.bind;
    if (!cg_gate_is_address(def.bind) && strcmp(def.bind, "localhost") != 0) {
        fprintf(err, "catgut serve: found --bind \"%s\", expected an address in numbers, or localhost\n", def.bind);
        return CG_EXIT_BAD_INPUT;
    }
    if (!cg_may_be_folder(options.recordings)) {
        fprintf(err, "catgut serve: found --recordings \"%s\", a file; expected a folder\n", options.recordings);
        return CG_EXIT_BAD_INPUT;
    }
    cg_desks *desks = calloc(1, sizeof *desks);
    if (desks == NULL || !choose_token(&options, &def, token, err)) {
        free(desks);
        return CG_EXIT_BAD_INPUT;
    }
    def.scene = cg_serve_files_begin(&desks->files, options.scene, options.recordings, err);
    bool good = false;
    if (def.scene != NULL) {
        def.open_desk = cg_desks_open;
        def.close_desk = cg_desks_close;
        def.desks = desks;
        def.record = options.record != NULL ? "" : NULL;
        desks->record = options.record;
        desks->logbook = options.logbook;
        desks->files.force = options.force;
        cg_interrupts_begin();
        good = cg_serve(&def, out, err);
        cg_interrupts_end();
    }
    cg_serve_files_end(&desks->files);
    free(desks);
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}
