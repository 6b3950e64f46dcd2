// A hand whose tool goes through a port: a point that its shaft always passes. Of the six ways of a hand four are left:
// where the tip is, which is how far the tool is inside and how it stands, and how it is rolled about its shaft.
//
// The command says where the tip goes and how the tool is turned; of that turn the roll counts. The rest is the
// smallest further turn that leads the shaft, +z of the frame, from the tip to the port. The port bears any force
// across the shaft: what touches the tool moves its tip, against the spring of the hand, and the shaft follows.
#include "base/transform.h"
#include "tool/hand.h"

// [m] A tip this near to the port keeps its direction.
static const double NEAREST = 1e-3;

cg_quat cg_hand_through_port(const cg_hand *hand, cg_vec3 tip, cg_quat rotation)
{
    cg_vec3 way = v3_sub(hand->def.port, tip);
    double length = v3_length(way);
    if (!hand->def.has_port || !(length > NEAREST)) {
        return rotation;
    }
    cg_quat turn = quat_between(quat_rotate(rotation, v3(0, 0, 1)), v3_scale(1 / length, way));
    return quat_normalise(quat_multiply(turn, rotation));
}

double cg_hand_insertion(const cg_hand *hand)
{
    return hand->def.has_port ? v3_distance(hand->def.port, hand->pose.position) : 0;
}
