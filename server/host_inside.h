// The inside of the host: host.c keeps worlds and clients, drivers.c knows who has the hands, kept.c lets a world rest,
// clock.c the time, orders.c does what they ask for, player.c shows recordings, past.c keeps what just happened,
// leads.c has the hands that devices lead, device_report.c tells how these do, training.c watches attempts at tasks,
// measured.c has their recordings measured.
#ifndef CATGUT_SERVER_HOST_INSIDE_H
#define CATGUT_SERVER_HOST_INSIDE_H

#include "catgut/script.h"
#include "catgut/session.h"
#include "catgut/view.h"
#include "host.h"

enum {
    CG_HOST_SNAPSHOTS = 16,
    CG_HOST_MOST_SNAPSHOTS = 64,
    CG_HOST_MOST_HANDS = 64,
    CG_HOST_PENDING = 64,
    CG_HOST_MOST_ADVANCE = 100000
};

// An operate whose operations wait for a step.
typedef struct cg_pending {
    uint32_t request;
    uint64_t step; // the last of its operations is applied before this step
} cg_pending;

typedef struct cg_host_client {
    bool here;   // there is a connection
    bool joined; // its hello was accepted
    bool may_control;
    bool is_guest, came_as_guest; // it only looks; it did when it came
    bool asked, was_given;        // the hands
    char name[64];                // as it said
    uint32_t number;              // from 1, never used again
    uint32_t acknowledged;
    cg_pending pending[CG_HOST_PENDING];
    int pending_count;
    double measured_at;                             // [s] when it last asked for what is measured; 0: never
    double measures_left;                           // that it may ask for at once
    cg_session_state *snapshots[CG_HOST_SNAPSHOTS]; // its own: what others keep does not take their places
} cg_host_client;

// Steps that a client asked for.
typedef struct cg_advance {
    int client;
    uint32_t request;
    uint32_t left; // 0: none
} cg_advance;

// How the world's clock keeps up with the real one.
typedef struct cg_pace {
    double last;                      // [s] when it was looked at
    double owed;                      // [s] simulated time that is due
    double behind;                    // [s] given up
    double factor;                    // simulated seconds a second
    double real_time;                 // as it was in the last window
    double window_start, window_time; // [s] real, simulated
    bool slow;                        // clients were told
    double step_seconds;              // in the present frame interval
    int steps;                        // in the present frame interval
} cg_pace;

// A recording that is shown.
typedef struct cg_player {
    cg_recording *recording; // NULL: none
    size_t frame;            // that is shown
    double time;             // [s] where it stands
    double speed;
    uint64_t noted_step;   // operations before this step were noted
    size_t next_operation; // that was not
    size_t named_frame;    // plus one; 0: the knots of none were named
} cg_player;

// An attempt at a task that is under way.
typedef struct cg_trying {
    cg_attempt *attempt; // NULL: none
    int client;          // who began it; it ends with the connection
    uint64_t number;     // in the logbook
    bool by_script;      // then it ends with the script
    cg_attempt_state told;
} cg_trying;

// Work that takes long.
typedef struct cg_host_piece cg_host_piece;

// Bytes of its own.
typedef struct cg_host_bytes {
    unsigned char *bytes;
    size_t size;
} cg_host_bytes;

// A hand that a device leads, or may lead.
typedef struct cg_led_hand {
    bool is_here;      // the device
    bool leads;        // it led the last step
    uint32_t arrivals; // of the device, when it was looked at
    uint32_t number;   // of its sample that the last step had
    cg_vec3 device;    // [m] where it was for the last step
    uint32_t state;    // of the world in which the following were told
    bool closed;       // by its button
    bool has_opening;  // it was told to the jaws
    double opening;
} cg_led_hand;

// What clients know of a device.
typedef struct cg_told_device {
    bool is_here;
    uint32_t arrivals;
} cg_told_device;

// What frames have as the driver of a hand that a device leads.
#define CG_HOST_DEVICE UINT32_MAX

struct cg_host {
    cg_host_def def;
    cg_host_client clients[CG_HOST_MOST_CLIENTS];
    uint32_t next_number;

    char scene_name[256];
    cg_scene *scene;
    cg_session *session;
    cg_session_view *view;
    uint32_t generation;

    int mode; // CG_CHOICE_mode_...
    int lockstep_client;
    cg_advance advance;
    cg_pace pace;
    cg_player player;
    cg_trying trying;
    int pieces;        // of work that others do and that were not taken back
    double torn_until; // [s] of the world: no other tear that begins is told before
    uint32_t torn_in;  // the state of the world in which that was told
    bool recording;    // is written
    char recording_name[256];
    bool script; // was running when it was looked at
    int script_step;
    int drivers[CG_HOST_MOST_HANDS]; // client + 1; 0: nobody
    cg_led_hand led[CG_DEVICES_MOST_HANDS];
    bool is_resting;     // no steps are made
    uint32_t rests;      // how often they ended or began
    uint32_t told_world; // the number that devices know
    cg_told_device told_devices[CG_DEVICES_MOST_HANDS];
    double next_look, next_report; // [s] at devices, and of how they do

    cg_host_bytes before; // a recording of what was before the world went to another state, or ended; empty: nothing

    uint64_t frame_number;
    double next_frame, last_frame, last_naming; // [s]
    uint64_t named_step;
    uint64_t told_refused; // refusals that clients know of
    bool fresh;            // something changed that a frame should show at once
    unsigned char *bytes;  // of the message that is being written
    size_t room;
};

// How an order went: fault 0 is done.
typedef struct cg_answer {
    int fault;
    bool silent; // nothing is to be said, or it was said already
    char why[CG_HOST_WHY_BYTES];
} cg_answer;

cg_answer cg_answer_done(void);
cg_answer cg_answer_silent(void);
__attribute__((format(printf, 2, 3))) cg_answer cg_answer_fault(int fault, const char *format, ...);

// host.c
// Sends a message to one client that said hello, or to all (client -1).
void cg_host_send(cg_host *host, int client, const cg_message *message);
void cg_host_send_event(cg_host *host, int kind, const char *text);
// mishaps.c: after a step, what broke or tore in it.
void cg_host_tell_mishaps(cg_host *host);
void cg_host_send_world(cg_host *host, int client);
// Offers the present frame to all; returns its size in host->bytes, 0 when there is none.
size_t cg_host_publish(cg_host *host);
// Takes a scene over and makes its world; on failure the scene is freed and nothing else changes. `same` when it is the
// present scene made anew: then snapshots and drivers stay.
cg_answer cg_host_begin_world(cg_host *host, cg_scene *scene, const char *name, bool skip_inputs, bool same);
// Client -1: nobody.
void cg_host_set_driver(cg_host *host, int hand, int client);
uint64_t cg_host_steps(const cg_host *host);
// Ends the present world and all that goes on in it; the host needs another one, or ends too.
void cg_host_end_world(cg_host *host);
void cg_host_end_recording(cg_host *host);
cg_answer cg_host_start_recording(cg_host *host, const char *name);
// Takes a scene over, makes its world and records it; clients are not told. `scene` may be the present one. `taken` has
// room for 256 bytes and gets the name of the recording. *begun is true when there is another world now.
cg_answer cg_host_record_world(cg_host *host, cg_scene *scene, const char *scene_name, const char *name, char *taken,
                               bool *begun);
// The clock starts anew, with nothing owed.
void cg_host_restart_clock(cg_host *host);
// States that all clients keep.
int cg_host_snapshot_count(const cg_host *host);

// past.c
// A new world keeps its last minutes.
void cg_host_begin_past(cg_host *host);
// Keeps what happened in the present world, which is about to go to another state or to end.
void cg_host_keep_before(cg_host *host);
void cg_host_forget_before(cg_host *host);
cg_answer cg_host_save_past(cg_host *host, int client, const cg_message *message);

// leads.c
// Another one for another world, or another state of it: hands are elsewhere.
uint32_t cg_host_state_number(const cg_host *host);
// Samples of devices become operations of the coming step.
void cg_host_lead_hands(cg_host *host);
// Devices are told what a step did.
void cg_host_tell_devices(cg_host *host);
// No step is made: devices are told when that, or the world, is new.
void cg_host_rest_devices(cg_host *host);
bool cg_host_is_led(const cg_host *host, int hand);

// drivers.c
cg_answer cg_host_take_hand(cg_host *host, int client, const cg_message *message);
cg_answer cg_host_leave_hand(cg_host *host, int client, const cg_message *message);
cg_answer cg_host_ask_hands(cg_host *host, int client, const cg_message *message);
cg_answer cg_host_give_hands(cg_host *host, int client, const cg_message *message);

// device_report.c
// Tells clients how devices do, when that is due; returns when it wants to be called again [s].
double cg_host_report_devices(cg_host *host, double now);

// lessons.c
cg_answer cg_host_run_script(cg_host *host, int client, const cg_message *message);
cg_answer cg_host_start_lesson(cg_host *host, int client, const cg_message *message);
cg_answer cg_host_stop_script(cg_host *host, int client, const cg_message *message);
// Starts a script in the world that is there.
cg_answer cg_host_start_script(cg_host *host, const char *text, size_t size, const char *name);

// measured.c
// Answers when that is measured.
cg_answer cg_host_measure(cg_host *host, int client, const cg_wire_ask_training *asked);
// Has an attempt scored that has ended, and tells who did it.
void cg_host_score(cg_host *host, void *ended, const cg_trying *trying);
// Takes back what is done; `tell` says whether to tell those who wait.
void cg_host_take_measured(cg_host *host, bool tell);

// training.c
void cg_host_send_training(cg_host *host, int client, uint32_t request, int kind, const char *json, size_t size);
// `state` is running, finished, interrupted or failed.
void cg_host_tell_attempt(cg_host *host, const cg_trying *trying, const char *state, const char *why);
cg_answer cg_host_ask_training(cg_host *host, int client, const cg_message *message);
cg_answer cg_host_begin_attempt(cg_host *host, int client, const cg_message *message);
cg_answer cg_host_end_attempt(cg_host *host, int client, const cg_message *message);
// Looks, after a step, how the attempt fares that is under way, and ends it when it is over.
void cg_host_follow_attempt(cg_host *host);
// The attempt that is under way ends unfinished: its world or its client goes. Its recording must have ended.
void cg_host_drop_attempt(cg_host *host);

// orders.c
// Reads a scene of the list; `listed`, if not NULL, is its name there.
cg_answer cg_host_load_listed(cg_host *host, const char *name, cg_scene **scene, const char **listed);
// A recording that is shown makes way for a world.
void cg_host_leave_recording(cg_host *host);
cg_answer cg_host_not_while_watching(const cg_host *host);
cg_answer cg_host_carry_out(cg_host *host, int client, const cg_message *message);

// player.c
cg_answer cg_player_open(cg_host *host, const char *name);
cg_answer cg_player_seek(cg_host *host, uint64_t step);
cg_answer cg_player_branch(cg_host *host);
// Where the recording begins; one of what just happened does so in the middle of a world.
uint64_t cg_player_first_step(cg_host *host);
void cg_player_close(cg_host *host);
// Goes on by so many real seconds.
void cg_player_run(cg_host *host, double seconds);
// Fills in the frame that is shown.
cg_status cg_player_frame(cg_host *host, cg_message *message);

#endif
