// What a session looks like, as messages of the protocol: the scene, how its threads are divided, and frames.
//
//     cg_message frame;
//     cg_status status = cg_view_frame(view, &frame); // good until the next call on the view
//     size_t size = cg_message_encode(&frame, bytes, sizeof bytes);
#ifndef CATGUT_VIEW_H
#define CATGUT_VIEW_H

#include "catgut/api.h"
#include "catgut/protocol.h"
#include "catgut/recording.h"
#include "catgut/session.h"

CG_API_BEGIN

// Looks at a session. Made by cg_view_create.
typedef struct cg_session_view cg_session_view;

// Contacts and bites of a frame, at most.
enum { CG_VIEW_MOST_CONTACTS = 512, CG_VIEW_MOST_BITES = 64 };

// Makes a view; session and scene must live as long as it. `allocator` NULL is malloc. It takes memory when made, and
// again when a thread has more vertices, or a tissue more nodes, than ever before.
cg_status cg_view_create(const cg_session *session, const cg_scene *scene, const cg_allocator *allocator,
                         cg_session_view **view);
// Ends a view. NULL is allowed.
void cg_view_destroy(cg_session_view *view);

// Fills in what the scene consists of: title, duration [s], time step [s], threads, shapes, hands and tissues.
void cg_view_scene(cg_session_view *view, cg_message *message);
// Says who drives a hand, for frames to come; 0: nobody.
void cg_view_set_driver(cg_session_view *view, int hand, uint32_t client);
// Fills in how a thread is divided now; false when there is no such thread, or no memory.
bool cg_view_topology(cg_session_view *view, int thread, cg_message *message);
// The next thread, from `from` on, whose division changed since cg_view_topology last told it; -1 when there is none.
// Looked for by cg_view_frame.
int cg_view_changed_thread(const cg_session_view *view, int from);
// Fills in the surface of a tissue; false when there is no such tissue, or no memory.
bool cg_view_surface(cg_session_view *view, int tissue, cg_message *message);
// Fills in what changed of the surface since it was told last, when that is known and less than half of it; false
// otherwise: then cg_view_surface tells the whole.
bool cg_view_surface_change(cg_session_view *view, int tissue, cg_message *message);
// The next tissue, from `from` on, whose surface changed since it was told last; -1 when there is none.
int cg_view_changed_tissue(const cg_session_view *view, int from);
// Fills in the world as it is: all of a frame that a session knows. What only a server knows is left zero.
cg_status cg_view_frame(cg_session_view *view, cg_message *message);
// Fills in a moment of a recording instead, as far as it was recorded; shapes, and hands where they were not recorded,
// are shown as the session has them, or where noted operations told them to be.
cg_status cg_view_recorded(cg_session_view *view, const cg_recorded_frame *recorded, cg_message *message);
// For moments of a recording: takes note of one of its operations, so that shapes and camera, and hands where it does
// not hold what they did, are shown where they were last told to be. NULL forgets all of them.
void cg_view_note(cg_session_view *view, const cg_operation *operation);
// Names the knots in the threads as they are now; later frames carry them. True when one changed since the last call;
// *thread, if not NULL, is the first such thread. Takes a fraction of a millisecond for each thread.
bool cg_view_name_knots(cg_session_view *view, int *thread);
// Names the knots in the threads of a moment of a recording; later frames carry them. Throws are told when moments come
// in the order in which they were recorded, close to each other.
void cg_view_name_recorded(cg_session_view *view, const cg_recorded_frame *recorded);
// Forgets the knots: what comes next does not follow from what was before.
void cg_view_forget_knots(cg_session_view *view);

CG_API_END
#endif
