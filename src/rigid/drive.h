// A drive: rigid bodies that are led together, as the shaft and the two jaws of a tool, or one alone, as a probe.
//
// They have seven unknowns in common: where their frame is, how it is turned, and how far it is open. Springs of
// limited force lead the frame and the opening; what touches any of the bodies acts on all seven. With x0, R0, q0 at
// the start of a step, and of its contacts the force F, the torque T about the frame and the force Q on the opening,
//
//     x = x0 + c + g (p + F)          R = (c_r + g_r (p_r + T)) R0          q = q0 + c_q + g_q (p_q + Q),
//
// (t) the rotation by a vector t. Whoever leads it says how far each would coast (c), what pulls there (p) and how far
// a force leads beyond that (g): g = 1 / (m/h^2 + s) for a mass on springs and dampers that fall by s for each metre.
// The step is implicit in all of them, so nothing that is held is too stiff, and at rest a pull is what contacts carry,
// to the bit: that is how jaws hold with their force and not with about their force.
//
// Body 0 stands still in the frame, and one alone opens nothing. The others open to both sides, by half of the opening
// each: along an axis of the frame [m], or about it, through a hinge [rad]. A contact of a body at r, with unit vector
// n, then moves the opening by
//
//     b n . (a x (r - hinge))   or   b n . a,      b = -1/2, 0 or 1/2 by body.
//
// The frame is known by body 0, and the opening by the other two: only their poses are kept. Bodies of a drive do not
// touch each other.
#ifndef CATGUT_RIGID_DRIVE_H
#define CATGUT_RIGID_DRIVE_H

#include "rigid/rigid.h"

enum { CG_DRIVE_BODIES = 3 };

// How one of the unknowns is led in a step.
typedef struct cg_lead {
    double coast;
    double pull;
    double give;
} cg_lead;

typedef struct cg_drive {
    // as it was made
    cg_rigid *bodies[CG_DRIVE_BODIES];
    int count;                            // of them: one, or all
    cg_transform closed[CG_DRIVE_BODIES]; // of the bodies in the frame, when it is closed
    bool is_hinged;
    cg_vec3 axis;  // unit, in the frame
    cg_vec3 hinge; // [m] in the frame

    // of the coming step, said by who leads it
    cg_vec3 coast, pull; // [m], [N]
    double give;         // [m/N]
    cg_vec3 turn_coast, turn_pull;
    double turn_give;
    cg_lead open;

    // found by contacts
    cg_transform start; // of the frame
    double start_opening;
    cg_vec3 force, torque; // [N], [N m] about the frame
    double opening_force;  // [N] or [N m]
    double sides[2];       // of that, what each of the two bodies that open has
} cg_drive;

// By how much a body goes with the opening: -1/2, 0 or 1/2.
static inline double cg_drive_share(int body)
{
    return body == 0 ? 0.0 : (body == 1 ? -0.5 : 0.5);
}

// Where the frame is, by where its first body is.
cg_transform cg_drive_frame(const cg_drive *drive);
// How far it is open.
double cg_drive_opening(const cg_drive *drive);
// Where a body is when the frame is there and so far open.
cg_transform cg_drive_place(const cg_drive *drive, int body, cg_transform frame, double opening);
// Puts all bodies there, at rest.
void cg_drive_put(cg_drive *drive, cg_transform frame, double opening);

// By how much the opening moves a point of a body, for each metre or radian.
cg_vec3 cg_drive_opens(const cg_drive *drive, int body, cg_vec3 point);
// The number of a body in its drive.
int cg_drive_number(const cg_drive *drive, const cg_rigid *body);

// Starts a step where it is.
void cg_drive_begin_step(cg_drive *drive);
// Where all pulls and the forces on its bodies lead: sets their targets.
void cg_drive_respond(cg_drive *drive);

#endif
