// The desk of the server: what clients say comes in as bytes, what they are told goes out as bytes, and between them is
// a session that is stepped as the clock or a client asks. No sockets, no threads, no files: those who own them hand in
// functions, and tests hand in their own.
#ifndef CATGUT_SERVER_HOST_H
#define CATGUT_SERVER_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catgut/protocol.h"
#include "catgut/recording.h"
#include "catgut/scene.h"
#include "catgut/task.h"
#include "devices.h"

enum {
    CG_HOST_MOST_CLIENTS = 64,
    CG_HOST_WHY_BYTES = 512 // room for a reason
};

// Why a connection is closed, besides the codes of WebSocket itself.
enum { CG_CLOSE_BAD_MESSAGE = 4000, CG_CLOSE_NO_HELLO = 4001, CG_CLOSE_VERSION = 4002, CG_CLOSE_SLOW = 4008 };

// Where scenes and recordings are. Functions that can fail write a sentence into `why`, CG_HOST_WHY_BYTES long.
typedef struct cg_host_files {
    void *context; // handed to all of them
    // What can be chosen; the names stay as long as the host.
    const cg_wire_scene_name *(*list_scenes)(void *context, int *count);
    // Reads a scene; the host frees it.
    bool (*load_scene)(void *context, const char *name, cg_scene **scene, char *why);
    // Reads a script; the host frees the text. The name comes from a client.
    char *(*read_script)(void *context, const char *name, size_t *size, char *why);
    // What can be opened; good until the next call.
    const cg_wire_recording_name *(*list_recordings)(void *context, int *count);
    // Opens a recording; the name comes from a client. The one that is shown stays open until the next is: two at most.
    cg_recording *(*open_recording)(void *context, const char *name, char *why);
    void (*close_recording)(void *context, cg_recording *recording);
    // Makes a place to write to, one at a time; an empty name asks for a new one. `name_taken` has room for 256 bytes.
    bool (*begin_recording)(void *context, const char *name, cg_recorder_def *def, char *name_taken, char *why);
    cg_codec codec; // squeezes what is kept in memory; zero: nothing does
    // `status` is what ending it said.
    bool (*end_recording)(void *context, cg_status status, char *why);
} cg_host_files;

// What an attempt at a task is made of.
typedef struct cg_host_plan {
    const cg_task *task;    // stays until the attempt ends
    const char *task_name;  // as long
    cg_scene *scene;        // the host takes it over
    const char *scene_name; // as long as the task
    const char *script;     // what the hands do; NULL: a person does it. As long as the task
    size_t script_size;     // [bytes]
    const char *script_name;
    uint64_t number; // of the attempt in the logbook
} cg_host_plan;

// Who knows tasks and keeps the logbook. Names come from clients. Functions that can fail write a sentence into `why`,
// CG_HOST_WHY_BYTES long. All zero: this server has no tasks.
typedef struct cg_host_training {
    void *context; // handed to all of them
    // One JSON object, to be freed by the host; NULL on failure. What must be measured for it (result, way) is asked
    // for by another thread where there is one, one after the other.
    char *(*tell)(void *context, const cg_wire_ask_training *asked, size_t *size, char *why);
    // Would an attempt begin? The one that is under way stays.
    bool (*check)(void *context, const cg_wire_begin_attempt *asked, char *why);
    // Begins an attempt, one at a time; the next recording that is begun is of it.
    bool (*begin)(void *context, const cg_wire_begin_attempt *asked, cg_host_plan *plan, char *why);
    // Ends it, after its recording, and leaves it as interrupted.
    void (*drop)(void *context);
    // Ends it, after its recording; what is returned is to be scored. NULL, with a sentence, when it cannot be.
    void *(*finish)(void *context, char *why);
    // Scores and notes it, and frees what finish returned; by another thread where there is one.
    bool (*score)(void *ended, char *why);
} cg_host_training;

// Everything that makes a host.
typedef struct cg_host_def {
    cg_host_files files;
    cg_host_training training;
    const char *program;    // who serves
    const char *token;      // what clients must know to give orders; NULL: nothing
    double frame_rate;      // [1/s]
    uint32_t most_bytes;    // of a message, as told to clients
    uint32_t most_messages; // [1/s] as told to clients
    uint32_t session;       // as told to clients
    uint32_t generation;    // of the world before its first
    bool is_paused;         // at first
    bool name_knots;        // look for knots a few times a second
    double (*clock)(void);  // [s] for the cost of steps

    void *context; // handed to the functions below
    // Sends a message to one client; it must arrive.
    void (*send)(void *context, int client, const void *bytes, size_t size);
    // Offers a frame to all that watch; `acknowledged` has an entry for each client.
    void (*publish)(void *context, const void *bytes, size_t size, const uint32_t *acknowledged);
    // Ends a connection after what was sent before has gone out.
    void (*hang_up)(void *context, int client, int code, const char *reason);
    // A client wants so many frames a second; 0: none.
    void (*set_rate)(void *context, int client, double rate);
    // Has cg_host_work done with a piece by another thread, and hands back the oldest that is done (NULL: none yet).
    // False when there are too many. Both NULL: work that takes long is done at once.
    bool (*work_later)(void *context, void *piece);
    void *(*take_done)(void *context);
    // True when the program is to end: long work stops. Also asked by the thread that does such work.
    bool (*is_ending)(void *context);
    // The newest sample of the device of a hand, and what a step did to that hand; NULL: there are no devices.
    void (*read_device)(void *context, int hand, cg_device_sample *sample);
    void (*tell_device)(void *context, int hand, const cg_device_news *news);
} cg_host_def;

typedef struct cg_host cg_host;

// Makes a host and the world of its first scene. NULL, with a reason, on failure.
cg_host *cg_host_create(const cg_host_def *def, const char *scene, char *why);
// Ends it; a recording is finished. What was begun by work_later must be done.
void cg_host_destroy(cg_host *host);
// Starts to record as the order start_recording does. False with a reason.
bool cg_host_record(cg_host *host, const char *name, char *why);

// A connection came; its place is 0 to CG_HOST_MOST_CLIENTS - 1 and free. A guest only looks and asks, until those who
// work here give it the hands.
void cg_host_join(cg_host *host, int client, bool is_guest);
// It said something.
void cg_host_receive(cg_host *host, int client, const void *bytes, size_t size);
// It went.
void cg_host_leave(cg_host *host, int client);

// Does what is due at `now` [s], at most one step, and returns when it wants to be called again: at once when that time
// is over.
double cg_host_run(cg_host *host, double now);

// Counts its worlds, from that of its definition on.
uint32_t cg_host_generation(const cg_host *host);
// Takes back what was begun by work_later and is done, and tells those who wait for it; cg_host_run does so too.
void cg_host_settle(cg_host *host);
// Something moves that nobody has to drive: a script, a recording, steps that were asked for.
bool cg_host_is_busy(const cg_host *host);
// The scene that is there, or the recording that is shown; stays until the host is called again.
const char *cg_host_scene_name(const cg_host *host);

// Does a piece of work that takes long; by any thread.
void cg_host_work(void *piece);

// A world that rests; zero: none.
typedef struct cg_host_kept {
    cg_scene *scene;
    char name[256];
    unsigned char *bytes; // of a snapshot
    size_t size;
    unsigned char *before; // a recording of what had happened
    size_t before_size;
    bool was_running, is_shown; // is_shown: a recording of that name, at `step`
    uint64_t step;
} cg_host_kept;

// Takes out of a host what another needs to go on; it can only be destroyed after that. False when that cannot be: then
// it is as it was.
bool cg_host_keep(cg_host *host, cg_host_kept *kept);
// A new host goes on with what was kept, which is used up. False when it begins anew: its parts had changed too much.
bool cg_host_take_up(cg_host *host, cg_host_kept *kept);
size_t cg_host_kept_size(const cg_host_kept *kept); // [bytes]
void cg_host_kept_free(cg_host_kept *kept);

#endif
