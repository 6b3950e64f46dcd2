// A suture passer: a sharp shaft with an eye behind its tip. Closed it holds the end of a thread there, on its way into
// tissue or out of it; open it lets go.
//
// The shaft is a needle (rigid/needle) that the hand leads by its drive, as a grasper leads one that it holds
// (hand_needle.c), from the beginning to the end of the hand. So it pierces, drags and is felt as needles are
// (suture/pierce.h). Its tip is at the hand's position, the shaft along +z, and the eye beside it on the side of +x. It
// is bent by 0.1 rad over its length, the least that a needle is: 0.75 mm in the middle.
#ifndef CATGUT_SUTURE_PASSER_H
#define CATGUT_SUTURE_PASSER_H

#include "catgut/needle.h"
#include "find/channel.h"

// Its shaft as a needle, and where the axes of that are in the frame of the hand.
cg_needle cg_passer_needle(void);
cg_transform cg_passer_pose(const cg_needle *needle);
// [m] The eye in the frame of the hand.
cg_vec3 cg_passer_eye(void);

// Whether a point of a needle [m] is one of an eye: before its middle.
bool cg_passer_is_eye(const cg_rigid *needle, cg_vec3 place);

// What an eye did in a step.
typedef enum cg_eye_event { CG_EYE_STAYED, CG_EYE_WENT_ON, CG_EYE_WENT_BACK } cg_eye_event;

// Goes through the holes of a needle as its eye at `place` [m] does: *behind is how many of them the eye has gone
// through, from the end of the needle on. One that it went through by more than `margin` [m] is *hole, and counted; one
// at a time.
cg_eye_event cg_passer_follow(const cg_touch_set *set, const cg_channel *channel, cg_vec3 place, double margin,
                              int *behind, cg_channel_point *hole);
// Moves a hole of a needle to where a thread in its eye, of this radius [m], goes through the surface beside the shaft.
void cg_passer_make_room(const cg_touch_set *set, const cg_rigid *needle, cg_vec3 eye, double radius,
                         cg_channel_point *hole);
// Whether a hole of a thread is the one beside a hole of a needle.
bool cg_passer_is_beside(const cg_touch_set *set, const cg_rigid *needle, const cg_channel_point *hole,
                         const cg_channel_point *of_thread, double radius);

#endif
