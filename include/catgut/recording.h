// Recordings: what went into a world and what came out, as bytes that can be replayed to the bit, watched and scored.
//
// A recording carries its scene, every operation with its step, shapes to look at (frames), whole states to start from
// (keys), state hashes, and events. It is a row of chunks, each with its own checksum, so one that was cut off in the
// middle can be read up to there. docs/recording.md has the bytes. The library neither reads nor writes files, and does
// not compress: the caller gives a place to write to and, if wanted, a codec.
#ifndef CATGUT_RECORDING_H
#define CATGUT_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include "catgut/api.h"
#include "catgut/hand.h"
#include "catgut/operation.h"
#include "catgut/scene.h"
#include "catgut/status.h"
#include "catgut/world.h"

CG_API_BEGIN

// Writes a recording while a world is stepped. Made by cg_recorder_create.
typedef struct cg_recorder cg_recorder;
// A recording that is being read. Made by cg_recording_open.
typedef struct cg_recording cg_recording;

// Squeezes chunks. Both functions return the bytes written, or 0 when it cannot be done in `room` bytes.
typedef struct cg_codec {
    uint32_t id; // kept in the recording, at most 65535; 0 means none, 1 zstd
    size_t (*squeeze)(void *context, const void *from, size_t size, void *to, size_t room); // needed to write
    size_t (*expand)(void *context, const void *from, size_t size, void *to, size_t room);  // needed to read
    void *context;                                                                          // handed to both
} cg_codec;

// Everything that makes a recorder. Start from cg_recorder_def_default.
typedef struct cg_recorder_def {
    // Takes bytes, in order. Returning false ends the recording; cg_recorder_status then says so.
    bool (*write)(void *context, const void *bytes, size_t size);
    void *context;          // handed to write
    cg_codec codec;         // zero: none
    int frame_every;        // steps from frame to frame, 1 or more
    int hash_every;         // steps from state hash to state hash, 1 or more
    int key_every;          // steps from key to key, 1 or more
    const char *program;    // who records, for people; at most 255 bytes are kept; NULL: nobody
    cg_allocator allocator; // for the recorder; used when it is made and finished only
} cg_recorder_def;

// Frames every 16 steps, hashes every 64 (a hash costs about as much as a step), keys every 4096; no codec, no place to
// write to.
cg_recorder_def cg_recorder_def_default(void);

// Starts a recording of a world that was just built from a scene: writes the head, the scene and the first frame. The
// scene and the definition are not needed afterwards.
cg_status cg_recorder_create(const cg_recorder_def *def, const cg_scene *scene, const cg_world *world,
                             cg_recorder **recorder);
// Starts a recording in the middle of a world: the first frame, hash and key are those of the present state, at the
// step that the world has reached. All threads and tissues of the scene must be there still. Between steps only.
cg_status cg_recorder_create_here(const cg_recorder_def *def, const cg_scene *scene, const cg_world *world,
                                  cg_recorder **recorder);
// Notes an operation; call it for each one that is applied, before the step it applies to. Its own step number is not
// looked at: it belongs to the step that comes next.
void cg_recorder_note_operation(cg_recorder *recorder, const cg_operation *operation);
// Notes a step that was just made: frame, hash and key where they are due. Allocates nothing.
void cg_recorder_note_step(cg_recorder *recorder, const cg_world *world);
// Notes that something happened at the present step; the text is for people, at most 255 bytes of it are kept.
void cg_recorder_note_event(cg_recorder *recorder, const char *text);
// How the recording goes: the first trouble, or CG_OK.
cg_status cg_recorder_status(const cg_recorder *recorder);
// Writes what is left, with a last frame and hash, and ends the recording. A NULL world leaves these two out; a NULL
// recorder is allowed. Tells the first trouble of the whole recording.
cg_status cg_recorder_finish(cg_recorder *recorder, const cg_world *world);

// Writes one moment alone: a recording whose only frame, hash and key are those of the present state, at the step the
// world has reached. It carries its scene, so it can be read without any other file. All threads and tissues of the
// scene must be there still. Between steps only.
cg_status cg_recorder_snapshot(const cg_recorder_def *def, const cg_scene *scene, const cg_world *world);

// What is connected with what in the surface of a tissue at one moment. All zero where the recording does not say it,
// as older ones do not: then it is that of the scene inside.
typedef struct cg_recorded_surface {
    uint64_t version;           // of the topology: while it stays, all of this stays
    int node_count;             // of the whole tissue, as many as there are positions
    const float *homes;         // x y z of each node [m]: where it was made, in the frame of the tissue's shape
    int triangle_count;         // of the surface
    const int32_t *corners;     // three nodes of each triangle, counter-clockwise from outside
    const unsigned char *sides; // of each triangle: the part of the surface, as cg_tissue_side_name calls it
} cg_recorded_surface;

// A hand at one moment.
typedef struct cg_recorded_hand {
    int hand;            // its place in the scene
    cg_hand_state state; // in single precision; without velocity, spin, node_count, cut_area and opening_told; ids have
                         // places only
} cg_recorded_hand;

// A rigid body at one moment.
typedef struct cg_recorded_body {
    int body;          // its place in the scene
    cg_transform pose; // as cg_rigid_get_pose, in single precision
} cg_recorded_body;

// A needle at one moment; bodies say where it is.
typedef struct cg_recorded_needle {
    int body;         // its place among the bodies of the scene
    double radius;    // [m] of its circle
    double arc;       // [rad] how far it goes round
    bool is_inside;   // its tip is in a tissue
    double depth;     // [m] of it that is inside
    double tip_force; // [N] by which its tip presses on a surface
} cg_recorded_needle;

// A hole in the surface of a tissue, that a needle or a thread goes through.
typedef struct cg_recorded_hole {
    bool is_of_thread; // a thread goes through (an anchor); else a needle
    int owner;         // place of the thread, or of the needle among the bodies
    int tissue;        // place of the tissue
    int triangle;      // of its surface
    double weights[3]; // of the corners of the triangle
    int side;          // the part of the surface, as cg_tissue_side_name calls it
    cg_vec3 home;      // [m] where the hole would be in the shape in which the tissue was made
    cg_vec3 normal;    // unit, outwards, of the surface there in that shape
    double arc;        // [m] from the start of the thread, or the tip of the needle
    bool inward;       // of a needle: towards its tip it is inside
    cg_vec3 force;     // [N] on the tissue
    double tension[2]; // [N] of the thread before and behind; 0 of a needle
} cg_recorded_hole;

// What both jaws of a tool press on at one moment: places, -1 for none.
typedef struct cg_recorded_grip {
    int hand;                 // its place
    int thread, tissue, body; // held between both jaws
} cg_recorded_grip;

// The shapes of all threads and tissues at one moment, what the hands did, where rigid bodies were, and what needles,
// stitches and jaws held. The arrays belong to the recording and change with the next call on it.
typedef struct cg_recorded_frame {
    uint64_t step;                       // steps made
    double time;                         // [s]
    int thread_count;                    // as when the recording began
    const int *vertex_counts;            // per thread, not always as many; 0 for one that was removed
    const float *const *vertices;        // per thread: x y z of each vertex [m]
    int tissue_count;                    // as when the recording began; more when tissues came since
    const int *node_counts;              // per tissue, not always as many; 0 for one that is not there
    const float *const *nodes;           // per tissue: x y z of each node [m]
    const cg_recorded_surface *surfaces; // per tissue
    int hand_count;                      // -1 where the recording does not say it, as older ones do not
    const cg_recorded_hand *hands;       // those that are there
    int body_count;                      // -1 where the recording does not say it, as older ones do not
    const cg_recorded_body *bodies;      // those that are there
    int needle_count;                    // -1 where the recording does not say it; then there are no holes and grips
    const cg_recorded_needle *needles;   // those that are there
    int hole_count;                      // 0 or more
    const cg_recorded_hole *holes;       // of needles, then of threads in order
    int grip_count;                      // 0 or more
    const cg_recorded_grip *grips;       // of hands whose tools have jaws that hold something
    double error;                        // [m] a coordinate is off by at most this, and the rounding to a float
} cg_recorded_frame;

// What the head of a recording says. Texts live as long as the recording is open.
typedef struct cg_recording_info {
    const char *program; // who recorded
    int format_version;  // of the file, 1 to 5
    int state_version;   // CG_SNAPSHOT_VERSION of the program that recorded: what hashes and keys are
    int motion_version;  // CG_MOTION_VERSION of that program
    double time_step;    // [s] when the recording began
    int frame_every;     // steps from frame to frame
    int hash_every;      // steps from hash to hash
    int key_every;       // steps from key to key
    int thread_count;    // when the recording began
    int tissue_count;    // when the recording began
} cg_recording_info;

// A thread as it was when the recording began. The name lives as long as the recording is open.
typedef struct cg_recorded_thread {
    const char *name; // as in the scene
    int vertex_count; // at least 2; the most it can have, when its spacing follows
    double radius;    // [m]
} cg_recorded_thread;

// A tissue as it was when the recording began. The name lives as long as the recording is open. What is connected with
// what, frames say.
typedef struct cg_recorded_tissue {
    const char *name;   // as in the scene
    int max_node_count; // at least 1: the most nodes that it can have
} cg_recorded_tissue;

// True when the bytes begin as a recording does, of whatever version.
bool cg_recording_begins(const void *bytes, size_t size);
// Opens a recording. The bytes must stay as long as it is open; the codec is copied, NULL is none; `allocator` NULL is
// malloc. A damaged one opens too, up to the damage, when its head is whole: cg_recording_damage then says what is
// wrong. CG_MISMATCH for another version of the format.
cg_status cg_recording_open(const void *bytes, size_t size, const cg_codec *codec, const cg_allocator *allocator,
                            cg_recording **recording);
// Closes a recording. NULL is allowed.
void cg_recording_close(cg_recording *recording);
// What is wrong with the bytes; empty when they are whole.
const char *cg_recording_damage(const cg_recording *recording);
// What its head says.
cg_recording_info cg_recording_get_info(const cg_recording *recording);
// CG_MISMATCH, with all versions in its sentence, for a recording of a program whose states or motion were others: its
// frames can be watched, it cannot be run again.
cg_status cg_recording_check_versions(const cg_recording *recording);
// One of its threads; false for a bad index.
bool cg_recording_thread(const cg_recording *recording, int index, cg_recorded_thread *thread);
// One of its tissues; false for a bad index.
bool cg_recording_tissue(const cg_recording *recording, int index, cg_recorded_tissue *tissue);
// Steps that the readable part covers.
uint64_t cg_recording_step_count(const cg_recording *recording);

// The scene inside, ready to build: its text and what it included.
cg_status cg_recording_scene(const cg_recording *recording, const cg_allocator *allocator, cg_scene **scene,
                             cg_scene_error *error);
// Operations in order of steps. Those at cg_recording_step_count or later were never followed by a step.
size_t cg_recording_operation_count(const cg_recording *recording);
// One of them; false for a bad index. Going forward is cheapest, here and below.
bool cg_recording_operation(const cg_recording *recording, size_t index, cg_operation *operation);
// State hashes in order of steps.
size_t cg_recording_hash_count(const cg_recording *recording);
// One of them, with the number of steps made when it was taken; false for a bad index.
bool cg_recording_hash(const cg_recording *recording, size_t index, uint64_t *step, uint64_t *hash);
// Events in order of steps.
size_t cg_recording_event_count(const cg_recording *recording);
// One of them; false for a bad index. The text stays until the next call of this function.
bool cg_recording_event(const cg_recording *recording, size_t index, uint64_t *step, const char **text);
// Frames in order of steps.
size_t cg_recording_frame_count(const cg_recording *recording);
// One of them.
cg_status cg_recording_frame(cg_recording *recording, size_t index, cg_recorded_frame *frame);
// The last key at or before a step: a snapshot for cg_world_restore, good until the next call of this function. False
// when there is none.
bool cg_recording_key(cg_recording *recording, uint64_t at_or_before, uint64_t *step, const void **bytes, size_t *size);

CG_API_END
#endif
