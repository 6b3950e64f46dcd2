// Tools with two jaws on a shaft: three rigid bodies that a drive leads (rigid/drive.h). The rod of a probe is a shaft
// without jaws, whose tip is where the hand is.
//
// In the frame of the hand the middle of the jaws is at the origin, they open along y, and the shaft is along +z. Each
// jaw is two rails beside each other and a thicker arm between them that go back to the hinge, all round rods (the
// seeds' lozenges) that meet the other jaw in one plane: a jaw of boxes was tried, whose edges are so fine that steps
// on tissue end unfinished. The arm ends before the tip, so that the tips reach what lies on a table. Blades have their
// rails behind each other. The opening is counted at the middle of the jaws.
//
// A spring draws the opening to where it is told, at most with the force F of the tool. At rest each jaw then presses
// with F at that middle: with the lever L of the hinge, F L about it. Jaws that are told to be closed and press on
// something are drawn TRAVEL beyond, where the spring has all of F, so that they do so on the finest thread too; jaws
// that press on nothing stop where they meet.
#ifndef CATGUT_TOOL_JAWS_H
#define CATGUT_TOOL_JAWS_H

#include "base/archive.h"
#include "catgut/hand.h"
#include "rigid/drive.h"

// What a tool looks like [m].
typedef struct cg_jaws_shape {
    double length, width, thickness; // of each jaw: along z, x and y
    double rail;                     // radius of the rails
    double aside;                    // how far each blade is from the middle along x; 0: they are jaws
    double overlap;                  // by which blades have passed each other when they are closed
    double hinge;                    // from the middle of the jaws along z; 0: they move straight
    double opening;                  // between the middles of the jaws, wide open
    double shaft_radius, shaft_length;
    bool has_ratchet;
} cg_jaws_shape;

// Of a tool; NULL for one that has no jaws.
const cg_jaws_shape *cg_jaws_shape_of(cg_hand_tool tool, cg_hand_grasp grasp);

typedef struct cg_jaws {
    const cg_jaws_shape *shape;       // NULL: it has no jaws, and is a rod or solid (solid.h)
    cg_rigid bodies[CG_DRIVE_BODIES]; // shaft, and the jaws at -y and +y
    cg_rigid_part parts[CG_TOOL_MOST_PARTS];
    cg_drive drive;

    // state, beside the poses of the bodies
    double goal;    // 0 to 1: opening that it was told
    double told;    // on its way there
    double force;   // [N] with which the jaws close
    double speed;   // of the opening of the drive, in the last step
    double felt[2]; // [N] with which each jaw pressed in the last step
    bool is_latched;
} cg_jaws;

// Makes the tool in place, open, with its frame there. Bodies and parts point into it: it must not be copied.
void cg_jaws_make(cg_jaws *jaws, const cg_jaws_shape *shape, const cg_hand_def *def, cg_transform frame);
void cg_jaws_make_rod(cg_jaws *jaws, const cg_hand_def *def, cg_transform frame);
// A body of the tool about the point of the frame where `drive.closed` has it.
void cg_jaws_make_body(cg_jaws *jaws, int number, cg_rigid_part *parts, int count, double friction);
void cg_jaws_set(cg_jaws *jaws, double opening, double force);
// How far it is open, 0 to 1.
double cg_jaws_opening(const cg_jaws *jaws);
// Says how the opening is led in the coming step; a rod has none.
void cg_jaws_lead(cg_jaws *jaws, double time_step);
// Once the bodies are where they go.
void cg_jaws_feel(cg_jaws *jaws, double time_step);
// `bodies` and `has_jaws` are of the tool of the state, whatever it is now.
void cg_jaws_visit_state(cg_archive *archive, cg_jaws *jaws, int bodies, bool has_jaws);
// Whether a state that was loaded can be.
bool cg_jaws_are_sound(const cg_jaws *jaws);

#endif
