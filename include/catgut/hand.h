// A hand: it goes where it is told, and carries a tool: a grasper that, while closed, holds a stretch of thread or a
// patch of tissue in its own frame; a probe; a scalpel; or a cautery hook.
//
// A hand is commanded by poses, at any rate; between them its command moves evenly. It follows its command as a small
// mass on a spring and a damper of limited force, solved together with the thread it holds: a hand that is told to be
// somewhere else at once, or to pull harder than it may, lags behind. While it holds a stretch it turns the thread's
// direction too, with limited torque. Where the world has friction torque it turns the material about the thread as
// well, however hard that twists it; elsewhere the thread rolls between its fingers.
//
// Each node of a patch of tissue is drawn to where the hand takes it, together with no more than the most that the hand
// pulls. The hand is then where the patch is. Two jaws with the grip N hold it by friction, with at most 2 mu N; pulled
// harder it slides, with that force, and slips out.
//
// A grasper whose `grasp` is jaws, a needle driver, forceps and scissors have two jaws on a shaft, three rigid bodies
// that touch whatever the world has contacts for. The jaws close with a force; what lies between them is held by
// contacts with friction alone, and slips when it is pulled harder. Closing and opening the hand closes and opens them,
// and cg_hand_set_jaws says how far and how hard.
//
// Any other grasper has no body: it does not push threads, tissues or shapes away, only what it holds touches them. A
// probe is a rigid rod that touches whatever the world has contacts for. What it touches acts on the hand,
// which lags and turns away under it and cannot be pushed through.
//
// A scalpel and a hook have a blade or a foot, a neck and a handle that touch as jaws do. While the hand is closed the
// edge and the tip of a scalpel go into tissue that they press on and cut it, and the edge parts threads; the toughness
// of what is cut acts on the hand. The tip of a hook burns what is near it. All other sides push, and all of them while
// the hand is open. Made with a blade_width or hook_length of 0 they are an edge and a tip without a body, which pass
// through whatever they do not cut or burn.
#ifndef CATGUT_HAND_H
#define CATGUT_HAND_H

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/rigid.h"
#include "catgut/status.h"
#include "catgut/thread.h"
#include "catgut/world.h"

CG_API_BEGIN

// What a hand carries. The tip is at the hand's position, or the middle of the jaws; the handle along +z of its frame.
// Jaws open along its y. The tools of tools.def: CG_TOOL_GRASPER and so on.
typedef enum cg_hand_tool {
#define CG_TOOL(name, NAME, number, what, message, does, close, open, key, drawing) CG_TOOL_##NAME = number,
#include "catgut/tools.def"
#undef CG_TOOL
    CG_TOOL_COUNT // how many there are
} cg_hand_tool;

// How a grasper holds.
typedef enum cg_hand_grasp {
    CG_GRASP_FIXED,    // what is in its reach when it closes, in its own frame; it has no body
    CG_GRASP_JAWS,     // by two jaws that touch
    CG_GRASP_TRIANGLE, // as fixed, but what crosses the open triangle between hinge and tips of its jaws
    CG_GRASP_ARMS,     // as fixed, but the vertices in the box between its arms
    CG_GRASP_COUNT     // how many there are
} cg_hand_grasp;

// Most vertices that one hand holds. Where vertices lie so dense that more are in the jaw, it holds the nearest ones.
#define CG_HAND_MOST_VERTICES 64

// Everything that makes a hand. Start from cg_hand_def_default.
typedef struct cg_hand_def {
    cg_transform pose; // where it begins, and its first command
    double mass;       // [kg] above 0, at most 100
    double stiffness;  // [N/m] of the spring to its command, above 0, at most 1e9
    double damping;    // [N s/m] of the damper beside it, 0 to 1e9
    double max_force;  // [N] most that spring and damper pull, above 0; never more than stretches the thread by 15 %
    double turn_stiffness; // [N m/rad] 0 to 1e6: how firmly the direction of a held stretch is kept
    double max_torque;     // [N m] most that it is turned with, above 0
    double reach;          // [m] above 0, at most 1: how near the surface of a thread or tissue must be to be grasped
    double jaw_length; // [m] 0 to 1: length of the stretch, or width of the patch, that is held; two vertices at least
    cg_hand_tool tool; // what it carries at first (cg_hand_set_tool)
    double grip;       // [N] 0 to 1e6: with which each jaw presses; 0: tissue never slips out of a fixed grasper
    double jaw_friction; // 0 to 100: coefficient of the jaws; with a tissue the geometric mean counts
    double rod_radius;   // [m] of a probe, above 0, at most 0.1
    double rod_length;   // [m] of a probe, from the middle of one round end to that of the other, 0 to 1
    double rod_friction; // 0 to 100: coefficient of a probe; with a thread or tissue the geometric mean counts
    cg_vec3 edge;        // [m] of a scalpel, in the hand's frame: from the tip to the other end; up to 0.1, not zero
    double blade_width;  // [m] of a scalpel, 0 to 0.05: from the edge to its back; 0: the edge alone, without a body
    double hook_radius;  // [m] of a hook, above 0, at most 0.1: what is nearer to the tip is burnt
    double hook_power;   // [W] of a hook, 0 to 1000: heat that it brings
    double hook_length;  // [m] of a hook, 0 to 0.05: its foot, from the tip; 0: the tip alone, without a body
    cg_hand_grasp grasp; // of a grasper; needle drivers, forceps and scissors always have jaws
    bool has_port;       // its tool goes through a port: of the turns that it is told only the roll counts
    cg_vec3 port;        // [m] that the shaft passes: the tool points from there to the hand's position
} cg_hand_def;

// A hand of 20 g at the origin, 1000 N/m, critically damped, 10 N, 50 mN m/rad, 20 mN m, reach 3 mm, jaw 4 mm. It
// carries a grasper of 5 N with the friction 0.8; a probe would be 1.5 mm thick in the radius and 80 mm long (friction
// 0.2), an edge 8 mm along z on a blade of 2.7 mm, a hook 0.5 mm with 30 W and a foot of 2.4 mm.
cg_hand_def cg_hand_def_default(void);

// What a hand does, as the last step left it.
typedef struct cg_hand_state {
    cg_transform command; // where it is told to be now, on its way to the last pose it was given
    cg_transform pose;    // where it is
    cg_vec3 velocity;     // [m/s]
    cg_vec3 spin;         // [rad/s]
    double lag;           // [m] from the command to the hand
    cg_vec3 force;        // [N] of what it holds or its probe touches, on the hand; zero when there is nothing
    cg_vec3 torque;       // [N m] the same, about the hand's position
    bool closed;          // with or without something in it
    cg_thread_id thread;  // what it holds; names none when it holds nothing
    int first_vertex;     // of the stretch
    int vertex_count;     // of the stretch; 0 when it holds no thread
    cg_tissue_id tissue;  // what it holds; names none when it holds no tissue
    int node_count;       // of the patch; 0 when it holds no tissue
    cg_hand_tool tool;    // what it carries
    double grip;          // [N] with which each jaw presses on tissue now
    double slip_speed;    // [m/s] of the tissue in the jaws
    bool is_slipping;     // tissue slid in the jaws in the last step
    bool has_slipped;     // the tissue it held slid out; until it opens
    double edge_inside;   // [m] of the edge of a scalpel that is in tissue
    double cut_area;      // [m2] that it laid open since it was taken, one side
    bool has_jaws;        // its tool has two jaws that touch
    double opening;       // of the jaws, 0 (closed) to 1; 0 for a tool that has none
    double opening_told;  // how far it is told to be open, 0 to 1
    double jaw_forces[2]; // [N] with which each jaw presses, at the middle of its length
    bool is_latched;      // a ratchet keeps it closed until it is opened by more than half
    double insertion;     // [m] from its port to its position; 0 for a hand that has none
    cg_rigid_id body;     // the needle that a grasper without jaws holds; names none when it holds none
} cg_hand_state;

// Adds a hand; between steps only. One whose tool has a body is refused where that would be in something.
cg_status cg_world_add_hand(cg_world *world, const cg_hand_def *def, cg_hand_id *id);
// Removes a hand; it lets go, and its id becomes invalid.
cg_status cg_world_remove_hand(cg_world *world, cg_hand_id id);
// True while the id names a hand of this world.
bool cg_hand_is_valid(const cg_world *world, cg_hand_id id);

// Tells a hand where to be: its command goes there evenly and arrives `time` [s] from now, 0 to 1000. With 0 it is
// there at the end of the next step. A program that sends poses every 16 ms says 0.016.
cg_status cg_hand_move(cg_world *world, cg_hand_id id, cg_transform pose, double time);
// Closes a hand. A grasper then holds a stretch of the nearest thread within its reach, or the needle that is nearer
// (in worlds with contacts); when there is none, a patch of the nearest tissue there; or nothing. Refused, and the hand
// stays open, when that stretch is held already: by another hand, a hold or an end that is pinned or clamped. A scalpel
// cuts and a hook burns from now on; a probe does nothing.
cg_status cg_hand_close(cg_world *world, cg_hand_id id);
// Opens a hand; what it held is free.
cg_status cg_hand_open(cg_world *world, cg_hand_id id);
// Opens or closes the jaws of a hand's tool: `opening` from 0 (closed) to 1 (wide open), `force` [N] up to which each
// jaw presses, 0: the grip of its definition. They take a tenth of a second from one end to the other. Refused for a
// tool without jaws. To close a hand is to set them to 0, to open it to 1.
cg_status cg_hand_set_jaws(cg_world *world, cg_hand_id id, double opening, double force);
// How many parts the body of a hand's tool has; 0 when it has none, and for a bad id.
int cg_hand_get_part_count(const cg_world *world, cg_hand_id id);
// One of them, and where it is now in the world; false for a bad id or index. `*jaw` (may be NULL) becomes 0 for the
// shaft, or the rod of a probe, 1 and 2 for the jaws; of a scalpel or hook 1 for the blade or foot, 2 for the neck.
bool cg_hand_get_part(const cg_world *world, cg_hand_id id, int index, cg_rigid_part *part, int *jaw);
// The most parts of a tool.
#define CG_TOOL_MOST_PARTS 7
// What a tool with jaws looks like when its hand has that pose and it is so far open: writes the shapes into `parts`,
// with their poses in the world, and into `jaws` 0 for the shaft, 1 and 2 for the jaws. Returns how many; 0 for a tool
// that has no jaws.
int cg_tool_get_parts(cg_hand_tool tool, cg_hand_grasp grasp, cg_transform pose, double opening,
                      cg_rigid_part parts[CG_TOOL_MOST_PARTS], int jaws[CG_TOOL_MOST_PARTS]);
// Puts another tool into a hand. It opens; what it held is free. One with a body is refused where that would be in
// something; nothing changes then.
cg_status cg_hand_set_tool(cg_world *world, cg_hand_id id, cg_hand_tool tool);
// What a laparoscope in a hand would see: it stands at the hand's position, looks along its shaft turned by `angle`
// [rad] (0: straight on, 0.52: an angled scope of 30 degrees) towards -y of the hand's frame, and rolls with it. The
// target is `distance` [m] away. False for a bad id, or numbers that are not finite.
bool cg_hand_get_scope(const cg_world *world, cg_hand_id id, double angle, double distance, cg_camera *camera);
// How a hand was made; false for a bad id.
bool cg_hand_get_def(const cg_world *world, cg_hand_id id, cg_hand_def *def);
// What a hand does now; all zero for a bad id.
cg_hand_state cg_hand_get_state(const cg_world *world, cg_hand_id id);

CG_API_END

#endif
