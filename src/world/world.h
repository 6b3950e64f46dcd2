// What a world is made of. The step itself is in step.c.
#ifndef CATGUT_WORLD_WORLD_H
#define CATGUT_WORLD_WORLD_H

#include "base/pool.h"
#include "catgut/suture.h"
#include "catgut/world.h"
#include "find/search.h"
#include "island/island.h"
#include "laws/beads.h"
#include "laws/bond.h"
#include "laws/fibre.h"
#include "laws/meet.h"
#include "laws/plane.h"
#include "laws/press.h"
#include "solve/structure.h"
#include "suture/tear.h"
#include "thread/thread.h"
#include "tissue/tissue.h"
#include "tool/blade.h"
#include "tool/burn.h"
#include "tool/hand.h"

// A place of the pool of threads.
typedef struct cg_thread_slot {
    cg_thread *thread;
    unsigned root; // the same for a thread and all its parts, and for no others that ever were
    bool is_part;  // was made for what is cut off
    bool is_spare; // nothing was cut off for it yet: memory only
    bool is_led;   // by a structure: the world's step does not know it
} cg_thread_slot;

// A place of the pool of tissues.
typedef struct cg_tissue_slot {
    cg_tissue *tissue;
    cg_tissue_def def;             // without arrays
    cg_tissue_surface *surface;    // as others touch it; NULL without contacts, as are press, meet and skin
    cg_press_set *press;           // where shapes press it
    cg_bond_set *bonds;            // NULL where nothing sticks
    cg_world *world;               // that it is in
    cg_meet_body *meet;            // where it meets tissue
    cg_skin *skin;                 // where threads and free bodies touch it
    bool is_led;                   // by a structure: the world's step does not know it, and it touches nothing
    double torn_length, torn_area; // [m], [m2] by threads so far
} cg_tissue_slot;

// Most ends of threads that are swaged to bodies.
enum { CG_WORLD_MOST_SWAGES = 16 };
enum { CG_WORLD_MOST_BREAKS = 32 };
// Vertices that stick to tissue; all may stick to one.
enum { CG_WORLD_MOST_FIBRES = CG_SKIN_MOST_FIBRES };
// Bites that can be torn at a time.
enum { CG_WORLD_MOST_TEARS = 32 };

// The end of a thread that is swaged to a body (swages.c).
typedef struct cg_swage {
    cg_handle thread;
    int end; // a cg_end
    cg_handle body;
    cg_vec3 point; // [m] in the axes of the body, about its centre of mass
    int holes;     // of an eye (passers.c): that it has gone through, from the end of its needle on
} cg_swage;

// Guides of all needles together.
enum { CG_WORLD_MOST_GUIDES = CG_MOST_CHANNELS * CG_CHANNEL_MOST_POINTS };

struct cg_world {
    cg_world_def def;
    void *pool_memory;
    cg_pool threads; // of cg_thread_slot
    unsigned roots;  // threads that were made so far
    cg_pool shapes;  // of cg_rigid
    cg_pool rigids;  // of cg_rigid that were made with parts
    cg_pool hands;   // of cg_hand
    cg_pool tissues; // of cg_tissue_slot
    cg_swage swages[CG_WORLD_MOST_SWAGES];
    int swage_count;
    cg_thread_break breaks[CG_WORLD_MOST_BREAKS]; // of the last step
    int break_count;
    cg_tear tears[CG_WORLD_MOST_TEARS];       // of bites; anchors name them by their places
    cg_tissue_tear torn[CG_WORLD_MOST_TEARS]; // of the last step
    int torn_count;
    cg_channel channels[CG_MOST_CHANNELS]; // of needles in tissue; those that are used keep their places
    void *touch_room;                      // memory of contacts; NULL while there was no need of any
    void *touch_memory;                    // the same, or NULL: without contacts, or before the first thread or tool
    cg_touch_set touches;                  // usable when touch_memory is there
    void *bead_memory;                     // NULL without threads of springs or links, or without contacts
    cg_beads beads;                        // usable when bead_memory is there
    cg_meet_set *meets;                    // of tissues with tissues; NULL without contacts or tissues
    cg_press_shapes press_shapes;          // within a step
    cg_rigid **listed_shapes;              // within a step
    cg_bond_set **bond_sets;               // of all tissues that can stick, in order of creation
    int bond_set_count;
    cg_fibre *fibres; // by which threads stick to tissue, in the order they were made; NULL: there never were any
    int fibre_count;
    cg_plane_contact *planes; // the seed's contacts of threads with tissue; NULL: threads touch tissue by our own law
    int plane_count;
    const cg_structure_functions *structure_functions; // those that made the structure
    void *structure;                                   // NULL: none
    cg_camera camera;                                  // nothing in a step depends on it
    double time;                                       // [s] simulated
    cg_world_stats stats;
};

// world.c: what may be said of a world
cg_status cg_world_check_time_step(double time_step);
cg_status cg_world_check_gravity(cg_vec3 gravity);
cg_status cg_world_check_newton(int passes, double tolerance);

// The thread of a handle, or NULL.
cg_thread *cg_world_find_thread(const cg_world *world, cg_thread_id id);

// Lays the contacts out anew for the threads there are. Touches of before are kept.
cg_status cg_world_fit_touches(cg_world *world);
// Takes the memory for that, when there is not enough, without contacts beginning.
cg_status cg_world_take_touch_room(cg_world *world);
// Lists the threads anew for the contacts, which are forgotten.
void cg_world_list_touch_threads(cg_world *world);
// Lists the rigid bodies anew for the contacts, which are kept.
void cg_world_list_touch_rigids(cg_world *world);
// Lists the tissues anew for the contacts.
void cg_world_list_touch_skins(cg_world *world);
// Tissues have come or gone: contacts with them are forgotten, too.
void cg_world_forget_skins(cg_world *world);

// hands.c
// Hands that hold a thread let go of it.
void cg_world_let_go_of(cg_world *world, cg_handle thread);
void cg_world_let_go_of_tissue(cg_world *world, cg_handle tissue);
// Hands go on by a step: commands, hands that hold nothing, and grips of those that do.
void cg_world_move_hands(cg_world *world, const cg_step_context *context);
// Once the threads have moved: where hands that hold one are, and what they feel.
void cg_world_feel_hands(cg_world *world, const cg_step_context *context);
// Before and after vertices are put in or taken out: hands keep what they hold.
void cg_world_note_hands(cg_world *world);
void cg_world_find_hands(cg_world *world);
// Whether a snapshot is of a world with the same threads, tissues and all else; changes nothing. What the numbers in it
// say is looked at when it is restored.
cg_status cg_world_check_snapshot(cg_world *world, const void *bytes, size_t size);
// Finds the threads and tissues that hands hold, after a snapshot was loaded.
void cg_world_hands_after_load(cg_world *world);
// Hands that hold this needle let go of it.
void cg_world_let_go_of_body(cg_world *world, const cg_rigid *body);

// tools.c: scalpels and hooks
void cg_world_use_tools(cg_world *world);
// A blade leaves the tissue that it is in, if there is one.
void cg_world_end_cut(cg_world *world, cg_hand *hand);

// slicing.c: an edge that went so far in this step parts threads that it passed through, and bonds.
void cg_world_slice(cg_world *world, cg_edge before, cg_edge after);

// jaws.c: tools that touch
bool cg_world_has_tools(const cg_world *world);
// Lists the bodies of all of them; returns how many. There are at most CG_DRIVE_BODIES * max_hands.
int cg_world_list_tools(const cg_world *world, cg_rigid **list);
// Adds room for the bodies of any tools that the hands may carry.
void cg_world_add_room_for_tools(const cg_world *world, cg_touch_room *room);
// Whose tool a body is, and which of its bodies; false when it is none.
bool cg_world_name_tool(const cg_world *world, const cg_rigid *body, cg_hand_id *hand, int *jaw);
// Whether nothing is where such a tool of a hand would be.
cg_status cg_world_check_room_for_tool(const cg_world *world, const cg_hand *hand, const cg_jaws *jaws);

// step.c: ends the time of a stage and starts that of the next.
void cg_world_stage_done(cg_world *world, cg_stage stage, double *since);
// passes.c: threads go their way of this step; false when something stopped them short of it.
bool cg_world_move_threads(cg_world *world, const cg_step_context *context, double *since);
// models.c: threads of springs and links
// Lays their contacts out anew.
cg_status cg_world_fit_models(cg_world *world);
// Threads have come or gone: their contacts know those of all contacts.
void cg_world_list_bead_threads(cg_world *world);
// They go their way of this step, while all else stands; then they stand. False when something stopped one.
bool cg_world_move_models(cg_world *world, const cg_step_context *context, double *since);
// energy.c: takes back velocity where a step that nothing drives has won energy.
void cg_world_limit_energy(cg_world *world, const cg_step_context *context);
// True when an island that nothing drives has more energy in its present shapes alone than it had at the start.
bool cg_world_wins_energy(cg_world *world, const cg_step_context *context, int head);

// Splits and merges the segments of threads whose spacing follows.
void cg_world_follow(cg_world *world);
// break.c: the last stage of a step parts threads where pull and bending are too much for them.
void cg_world_break_threads(cg_world *world);

// tearing.c: before that, threads tear the tissue that they pull at too hard.
void cg_world_tear_tissues(cg_world *world);
// Home of a tissue has moved: the ways of its tears begin anew.
void cg_world_forget_tear_ways(cg_world *world, const cg_tissue_slot *slot);
// freed.c: a thread came free between two arc lengths [m]; what of it is clear of tissue by now touches it again.
void cg_world_free_thread(cg_thread *thread, double from, double to);
void cg_world_see_freed(cg_world *world);
void cg_world_visit_tears(cg_archive *archive, cg_world *world);
bool cg_world_tears_are_sound(const cg_world *world);

// parts.c: all places of threads, in the order of creation, spare ones among them
// The most vertices that a thread at a place can have, also when it is not there yet; 0 when there will be none.
int cg_world_thread_room(const cg_world *world, int place);
// Threads that are there.
int cg_world_count_threads(const cg_world *world);
// A thread is gone: so are the places that were kept for its parts, unless another part lives.
void cg_world_drop_spares(cg_world *world, unsigned root);
// Memory for anchors of all parts of a thread, so that each can keep its own; takes none when there is.
cg_status cg_world_make_anchors_for_parts(cg_world *world, const cg_thread *thread);
// Whether it can be cut, or was.
bool cg_world_has_parts(const cg_world *world, const cg_thread_slot *slot);
void cg_world_visit_threads(cg_archive *archive, cg_world *world);
void cg_world_destroy_threads(cg_world *world);

// Threads that the world moves, in the order of creation: for (slot = first; slot; slot = next). Spare ones and those
// of a structure are left out.
cg_thread_slot *cg_world_first_thread(const cg_world *world);
cg_thread_slot *cg_world_next_thread(const cg_world *world, const cg_thread_slot *slot);

// The tissue of a handle, or NULL.
cg_tissue *cg_world_find_tissue(const cg_world *world, cg_tissue_id id);
// tissues.c
// CG_BAD_INPUT when the tissue moves by an explicit solver, for which the time step is far too long.
cg_status cg_world_check_explicit(const cg_tissue *tissue, double time_step);
cg_status cg_world_check_step_of_tissues(const cg_world *world, double time_step);
// Their part in the step
void cg_world_predict_tissues(cg_world *world, const cg_step_context *context);
void cg_world_finish_tissues(cg_world *world);
// Puts a tissue that is made into the world, with its contacts; destroys it when that fails.
cg_status cg_world_place_tissue(cg_world *world, cg_tissue *tissue, const cg_tissue_def *def, cg_tissue_id *id);
// cuts.c: what keeps numbers of nodes or triangles follows edits of the mesh
void cg_world_watch_edits(void *slot, uint64_t from, bool is_lost);
// An edge that someone carries has moved in this step: it goes on cutting the tissue it is in, or begins with the first
// one that it comes near to.
void cg_world_sweep_blade(cg_world *world, cg_blade *blade, cg_edge before, cg_edge after);
void cg_world_end_blade(cg_world *world, cg_blade *blade);
// A hot tip has moved in this step: it burns the tissues that it is near to, which share its power by
// mass and nearness. Returns what it did to all of them.
cg_burn_result cg_world_sweep_hook(cg_world *world, const cg_burn *burn);
// shapes.c: a step begins, and shapes are to go where they were told.
void cg_world_aim_shapes(cg_world *world);
// Lists them; returns how many. There are at most max_shapes.
int cg_world_list_shapes(const cg_world *world, cg_rigid **list);
// True when the surface of a tissue is nearer to a shape than so many of its contact thicknesses (below 0: when it is
// that deep inside), or the middle of the shape is in a tissue with cells.
bool cg_world_tissue_meets(const cg_world *world, const cg_shape *shape, const cg_transform *pose, double thicknesses);
// What the shape of that number in the list is called; false for a bad number.
bool cg_world_name_shape(const cg_world *world, int number, cg_shape_id *shape);
// rigids.c: bodies that were made with parts
// Lists those that are free, or those that are not; returns how many.
int cg_world_list_rigids(const cg_world *world, bool free, cg_rigid **list);
// The id of a body in the list; names none when it is not in the pool of bodies.
cg_rigid_id cg_world_name_rigid(const cg_world *world, const cg_rigid *body);
// The id of the body at a place of the pool; names none when there is none.
cg_rigid_id cg_world_rigid_at(const cg_world *world, int place);
// In a world without contacts: they go their way of this step.
void cg_world_move_rigids(cg_world *world, const cg_step_context *context);
// Once all motion of the step is made.
void cg_world_finish_rigids(cg_world *world);
// passers.c: suture passers; the shaft of one belongs to its hand from the beginning to the end
cg_status cg_world_add_passer(cg_world *world, cg_hand *hand);
void cg_world_remove_passer(cg_world *world, cg_hand *hand);
bool cg_world_has_passer(const cg_world *world);
cg_status cg_world_close_passer(cg_world *world, cg_hand *hand);
void cg_world_open_passer(cg_world *world, const cg_hand *hand);
// What it holds, of the state of its hand.
void cg_world_tell_passer(const cg_world *world, const cg_hand *hand, cg_hand_state *state);
// What is in the eye of a needle; NULL: nothing, or it has none.
cg_swage *cg_world_eye_of(const cg_world *world, const cg_rigid *body);
// Once the needle has been followed; and what its thread touches.
bool cg_world_follow_eye(cg_world *world, const cg_channel *channel, const cg_rigid *body, cg_swage *eye);
void cg_world_hide_eye(const cg_channel *channel, cg_thread *thread, int end);
// piercing.c: the channel of a needle, NULL while it is in no tissue; and a hole goes to a thread or back.
cg_channel *cg_world_channel_of(const cg_world *world, cg_handle body);
bool cg_world_hand_over(cg_world *world, cg_thread *thread, int end, cg_channel_point *hole);
void cg_world_hand_back(cg_world *world, cg_thread *thread, int end);
// swages.c: threads that are fastened to bodies
// Lists them for the contacts; those whose thread or body is gone are dropped.
void cg_world_list_swages(cg_world *world);
void cg_world_visit_swages(cg_archive *archive, cg_world *world);
// Names an item of a pool in a state, by its order of creation.
cg_handle cg_world_visit_item(cg_archive *archive, const cg_pool *pool, cg_handle handle);
bool cg_world_is_swaged(const cg_world *world, cg_handle thread);
// A thread was cut: what is fastened to its far end is fastened to the part.
void cg_world_part_swages(cg_world *world, cg_handle whole, cg_handle part);
// Whether those that were loaded can be.
bool cg_world_swages_are_sound(const cg_world *world);
// piercing.c: needles in tissue
// Tells the contacts of them; those whose needle is gone are dropped.
void cg_world_list_channels(cg_world *world);
// Takes memory for the anchors of threads that needles may draw into tissue; between steps.
cg_status cg_world_ready_swaged(cg_world *world);
// Before a step: which ends of threads follow needles, and what of them touches no tissue since their needle is at a
// hole. It follows from the state, whatever was edited or restored before.
void cg_world_hide_swaged(cg_world *world);
// After the motion of a step: needles go through surfaces, or out of them.
void cg_world_pierce(cg_world *world);
// skin_holes.c: what needles and threads do to the mesh of a skin
// The last hole of a channel was just made: the skin is split there.
void cg_world_split_hole(cg_world *world, cg_channel *channel);
// After needles have moved: holes through which nothing goes any more heal, once nothing is near them.
void cg_world_heal_skins(cg_world *world);
// The mesh of a tissue was edited; a tissue goes.
void cg_world_follow_channels(const cg_tissue_slot *edited, const cg_mesh_numbers *numbers);
void cg_world_drop_channels(cg_world *world, const cg_tissue_slot *slot);
bool cg_world_channels_are_sound(const cg_world *world);
void cg_world_visit_channels(cg_archive *archive, cg_world *world);
// sutures.c: the number of a tissue among those of the contacts
int cg_world_tissue_number(const cg_world *world, const cg_tissue_slot *wanted);
// The other way round; NULL when there are fewer.
cg_tissue_slot *cg_world_tissue_at(const cg_world *world, int number);
// presses.c: tissue that touches shapes
bool cg_world_has_presses(const cg_world *world);
// Shapes have come or gone.
void cg_world_forget_presses(cg_world *world);
// Notes the shapes and their ways, at the start of a step.
void cg_world_note_shapes(cg_world *world);
// Shortens the ways of shapes as the tissues ask.
void cg_world_ease_shapes(cg_world *world);
// Once the tissues have moved: limits the motion of tissues and shapes to what is safe.
void cg_world_limit_presses(cg_world *world);
// Once the threads have moved: shapes get their loads. `has_moved`: tissue has moved before the threads, and goes back
// as far as these did not let the shapes go.
void cg_world_finish_presses(cg_world *world, bool has_moved);
// Where threads may touch tissue these move first. Once all have moved: the share of the motion of tissues and shapes
// that is safe.
double cg_world_check_presses(cg_world *world);
// Once the tissues have moved: limits their motion to what is safe for them.
void cg_world_limit_meets(cg_world *world);
// Lays the contacts of tissues with tissues out anew for the tissues there are.
cg_status cg_world_fit_meets(cg_world *world);
// bonds.c: tissue that sticks
// Takes memory for the bonds of a tissue that can stick.
cg_status cg_world_make_bonds(cg_world *world, cg_tissue *tissue, const cg_tissue_surface *surface,
                              const cg_tissue_def *def, cg_bond_set **bonds);
// Lists the sets anew: a tissue has come or gone.
void cg_world_list_bonds(cg_world *world);
// Before a tissue goes: what sticks to it lets go.
void cg_world_drop_bonds(cg_world *world, cg_tissue_slot *slot);
// Once all other pushers of the step are known.
void cg_world_begin_bonds(cg_world *world);
// Once all motion of the step is made.
void cg_world_finish_bonds(cg_world *world);
// The mesh of a tissue was edited; a piece of one was moved to another.
void cg_world_follow_bonds(cg_world *world, const cg_tissue_slot *edited, uint64_t from, bool is_lost);
void cg_world_part_bonds(cg_world *world, cg_tissue_slot *from, cg_tissue_slot *to, const int *number);
// sutures.c: anchors of threads
// The mesh of a tissue was edited: anchors get the numbers that its triangles have now (NULL: nobody knows), or stay
// where they are on what is there now.
void cg_world_follow_anchors(const cg_tissue_slot *edited, const cg_mesh_numbers *numbers);
bool cg_world_is_stitched(const cg_world *world, const cg_tissue_slot *slot);
// Before a tissue goes: threads are free of it.
void cg_world_drop_anchors(cg_world *world, const cg_tissue_slot *slot);
// Whether all anchors are in a tissue that is there.
bool cg_world_anchors_are_sound(const cg_world *world);
// planes.c: threads on tissue as the seed has them
// Most vertices that can touch at once.
enum { CG_WORLD_MOST_PLANES = 1000 };
// Before adhesions begin, and after they have finished.
void cg_world_begin_planes(cg_world *world, const cg_step_context *context);
void cg_world_finish_planes(cg_world *world);
// The mesh of a tissue was edited: what touched triangles that are gone is forgotten.
void cg_world_follow_planes(const cg_tissue_slot *edited, const cg_mesh_numbers *numbers);
// A thread or a tissue has gone, and what touched it.
void cg_world_drop_loose_planes(cg_world *world);
void cg_world_visit_planes(cg_archive *archive, cg_world *world);
bool cg_world_planes_are_sound(const cg_world *world);

// adhesion.c: threads that stick to tissue
// Before threads begin their step; and once all motion of it is made, when those that were drawn too far break.
void cg_world_begin_adhesions(cg_world *world, const cg_step_context *context);
void cg_world_finish_adhesions(cg_world *world);
// The mesh of a tissue was edited: what sticks to triangles that are gone lets go.
void cg_world_follow_adhesions(const cg_tissue_slot *edited, const cg_mesh_numbers *numbers);
// A thread or a tissue has gone, and what stuck to it.
void cg_world_drop_loose_adhesions(cg_world *world);
// Whether the thread sticks to anything, or anything to the tissue; either may be NULL.
bool cg_world_has_adhesions(const cg_world *world, const cg_thread_slot *thread, const cg_tissue_slot *tissue);
void cg_world_visit_adhesions(cg_archive *archive, cg_world *world);
bool cg_world_adhesions_are_sound(const cg_world *world);
// structures.c: bodies that are joined by constraints
// They go their way of this step; bodies then have it as their target.
void cg_world_move_structure(cg_world *world, const cg_step_context *context);
void cg_world_visit_structure(cg_archive *archive, cg_world *world);
cg_status cg_world_structure_after_load(cg_world *world);
// The world ends: what belongs to the structure is the world's again.
void cg_world_destroy_structure(cg_world *world);
// CG_BAD_INPUT when the tissue belongs to the structure.
cg_status cg_world_check_tissue_is_own(const cg_world *world, cg_tissue_id id);
// Tissues that the world moves, in the order of creation.
cg_tissue_slot *cg_world_first_tissue(const cg_world *world);
cg_tissue_slot *cg_world_next_tissue(const cg_world *world, const cg_tissue_slot *slot);

#endif
