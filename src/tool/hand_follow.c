// What a hand holds of a tissue, when blades and other tools change which nodes there are. A node that a cut doubles is
// held on the side that keeps its number.
#include "geometry/mesh_edit.h"
#include "tool/hand.h"

bool cg_hand_close_ranks(cg_hand *hand)
{
    int count = 0;
    for (int k = 0; k < hand->patch_count; k++) {
        if (hand->patch[k] >= 0) {
            hand->patch[count] = hand->patch[k];
            hand->local[count++] = hand->local[k];
        }
    }
    hand->patch_count = count;
    if (count == 0) {
        cg_hand_let_go(hand);
    }
    return count > 0;
}

bool cg_hand_follow_patch(cg_hand *hand, const cg_mesh *mesh, uint64_t from)
{
    if (!cg_mesh_follow_nodes(mesh, from, hand->patch, hand->patch_count)) {
        cg_hand_let_go(hand);
        return false;
    }
    return cg_hand_close_ranks(hand);
}

void cg_hand_follow_piece(cg_hand *hand, const int *number, cg_handle other)
{
    int gone = 0;
    for (int k = 0; k < hand->patch_count; k++) {
        gone += number[hand->patch[k]] < 0;
    }
    bool goes = 2 * gone > hand->patch_count;
    for (int k = 0; k < hand->patch_count; k++) {
        int now = number[hand->patch[k]];
        hand->patch[k] = goes ? (now < 0 ? -1 - now : -1) : now;
    }
    hand->tissue = goes ? other : hand->tissue;
    cg_hand_close_ranks(hand);
}
