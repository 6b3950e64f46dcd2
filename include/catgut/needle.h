// Needles: a curved rod with a point at one end and a thread swaged to the other.
//
// A needle is an arc of a circle about the origin O of its axes, in the plane y = 0. With r the radius of the circle
// and a the angle from the tip, its middle line is at
//
//     P(a) = T cos a + r sin a t,      T = (r, 0, 0) the tip, t = (0, 0, 1) the tangent there,
//
// up to a = arc, where the thread leaves it.
#ifndef CATGUT_NEEDLE_H
#define CATGUT_NEEDLE_H

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/rigid.h"
#include "catgut/status.h"
#include "catgut/thread.h"
#include "catgut/world.h"

CG_API_BEGIN

// What its point is like: how it goes through tissue.
typedef enum cg_needle_point {
    CG_POINT_TAPER,          // round, parts tissue
    CG_POINT_CUTTING,        // three edges, one on the inner side of the curve
    CG_POINT_REVERSE_CUTTING // three edges, one on the outer side of the curve
} cg_needle_point;

// A needle. Start from cg_needle_default.
typedef struct cg_needle {
    double arc;            // [rad] how far it goes round: 0.1 to 6
    double radius;         // [m] of the circle of its middle line, above 0
    double diameter;       // [m] of its wire, above 0, at most the radius
    double point_length;   // [m] along the arc, from the tip to where it has its full diameter; 0 or more
    cg_needle_point point; // its kind
    int pieces;            // capsules that it is made of, 4 to CG_RIGID_MOST_PARTS
} cg_needle;

// Half a circle of 17 mm of wire of 0.6 mm, taper point, 16 pieces.
cg_needle cg_needle_default(void);
// CG_BAD_INPUT where a field is out of its range.
cg_status cg_needle_check(const cg_needle *needle);
// [kg/m3] Of the steel that needles are made of, recalled: 7700 to 8000.
#define CG_NEEDLE_STEEL 7900.0
// The needle whose arc, wire and point fit the nodes [m] of a mesh best, 12 of them or more (docs/needle.md), and where
// its axes are among them. A zero allocator is malloc and free. CG_BAD_INPUT when they look like no needle.
cg_status cg_needle_fit(const cg_vec3 *points, int count, const cg_allocator *allocator, cg_needle *needle,
                        cg_transform *pose);
// [m] Along its middle line.
double cg_needle_length(const cg_needle *needle);
// [kg] Of wire of this density [kg/m3], the point a cone.
double cg_needle_mass(const cg_needle *needle, double density);

// The point of the middle line at an angle [rad] from the tip, in the axes of the needle.
cg_vec3 cg_needle_place(const cg_needle *needle, double angle);
// The direction from the tip to the other end there, unit.
cg_vec3 cg_needle_tangent(const cg_needle *needle, double angle);
// The angle of the point of the middle line that is nearest to a point in the axes of the needle, 0 to arc.
double cg_needle_angle(const cg_needle *needle, cg_vec3 point);
// Its capsules, from the tip on, thinner at the point; returns how many. Joints lie a little outside the circle.
int cg_needle_parts(const cg_needle *needle, cg_rigid_part parts[CG_RIGID_MOST_PARTS]);

// The rotation of gimbal angles [rad]: about the fixed axes z, then x, then y, R = Ry(y) Rx(x) Rz(z).
cg_quat cg_needle_gimbal(double z, double x, double y);
// And back: angles[0..2] about z, x and y, with x from -pi/2 to pi/2; where x is there, z is 0.
void cg_needle_gimbal_angles(cg_quat rotation, double angles[3]);

// The needle that a body was made as (cg_rigid_def); false when it is none.
bool cg_rigid_get_needle(const cg_world *world, cg_rigid_id id, cg_needle *needle);
// Where a needle of the world is, and which way it points.
typedef struct cg_needle_state {
    cg_vec3 tip;           // [m] the outermost point
    cg_vec3 tip_direction; // unit, the way that it pierces
    cg_vec3 end;           // [m] of the middle line, where a thread is swaged
    cg_vec3 end_direction; // unit, the way that the thread leaves it
    cg_vec3 centre;        // [m] of its circle
    cg_vec3 axis;          // unit, of its circle: the needle pierces by turning about it, right-handed
} cg_needle_state;
// False when the body is no needle.
bool cg_rigid_get_needle_state(const cg_world *world, cg_rigid_id id, cg_needle_state *state);

// Fastens the end of a thread to a point [m] of a body, in the axes that the body was made with (of a needle:
// cg_needle_place(needle, needle.arc)), by a hinge. The end must be there to 0.1 mm, and is exactly there from the next
// step on: what one pulls the other feels. Near the joint the two do not touch. Between steps only, at most 16 in a
// world; needs contacts.
cg_status cg_thread_swage(cg_world *world, cg_thread_id thread, cg_end end, cg_rigid_id body, cg_vec3 point);
// Cuts the thread off.
cg_status cg_thread_unswage(cg_world *world, cg_thread_id thread, cg_end end);
// How an end is fastened.
typedef struct cg_swage_info {
    cg_rigid_id body; // to which
    cg_vec3 point;    // [m] of the body
    double apart;     // [m] from there to the end of the thread
    cg_vec3 force;    // [N] of the thread on the body, in the last step
} cg_swage_info;
// False when that end is not fastened.
bool cg_thread_get_swage(const cg_world *world, cg_thread_id thread, cg_end end, cg_swage_info *info);

CG_API_END
#endif
