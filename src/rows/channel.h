// Needles in tissue, as the world keeps them: find/channel.h says where they are, laws/guide.h what holds them.
#ifndef CATGUT_ROWS_CHANNEL_H
#define CATGUT_ROWS_CHANNEL_H

#include "base/pool.h"

// Points of a channel (find/channel.h), and channels of a world. Names of points: those of the list, and that of the
// tip.
enum { CG_CHANNEL_MOST_POINTS = 24, CG_CHANNEL_NAMES = CG_CHANNEL_MOST_POINTS + 1, CG_MOST_CHANNELS = 8 };

// A point of tissue that a needle goes through.
typedef struct cg_channel_point {
    int name;          // its own while it is there: rows are found again by it
    int skin;          // number among the tissues
    int triangle;      // of a hole in the surface; -1: it is inside
    int cell;          // of a point inside; -1: it is a hole
    double weights[4]; // of the corners
    bool inward;       // of a hole: towards the tip the needle is inside
} cg_channel_point;

// A needle in tissue.
typedef struct cg_channel {
    bool is_used;
    cg_handle body;                                  // in the world
    int rigid;                                       // in the set; -1: it is not there
    cg_channel_point points[CG_CHANNEL_MOST_POINTS]; // from its end to its tip
    int count;
    bool is_inside;          // the tip
    cg_channel_point tip;    // where the tip is in the tissue, then
    uint64_t hidden;         // parts that touch no surface, a bit each
    double tip_force;        // [N] by which the tip pressed on a surface in the last step
    uint64_t entries, exits; // surfaces that the tip has gone through so far, in and out
    uint64_t forced;         // of these, found behind it without a force above the threshold; and ends that came back
                             // out beside the hole of their thread
} cg_channel;

#endif
