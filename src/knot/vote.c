#include "knot/vote.h"

#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "knot/throws.h"

cg_status cg_knot_check_points(const cg_vec3 *points, int count, int least)
{
    if (!points || count < least) {
        return cg_error(CG_BAD_INPUT, "found a thread of %d points, expected at least %d", points ? count : 0, least);
    }
    for (int i = 0; i < count; i++) {
        if (!v3_is_finite(points[i]) || fabs(points[i].x) > 1e9 || fabs(points[i].y) > 1e9 || fabs(points[i].z) > 1e9) {
            return cg_error(CG_BAD_INPUT, "point %d of the thread is not finite, or farther than 1e9 m", i);
        }
    }
    return cg_ok();
}

// The reading that most others agree with, the straight closure before others. Returns its number, -1 for none.
static int vote(const cg_reading *readings, int count, int *agreeing)
{
    static const int order[CG_CLOSURE_COUNT] = {CG_CLOSURE_STRAIGHT, CG_CLOSURE_RADIAL, CG_CLOSURE_VIEWER,
                                                CG_CLOSURE_VIEWER_2, CG_CLOSURE_VIEWER_3};
    int best = -1;
    *agreeing = 0;
    for (int k = 0; k < CG_CLOSURE_COUNT; k++) {
        int i = count == CG_CLOSURE_COUNT ? order[k] : k;
        if (i >= count || !readings[i].readable) {
            continue;
        }
        int same = 0;
        for (int j = 0; j < count; j++) {
            same += cg_readings_agree(&readings[i], &readings[j]);
        }
        // A reading that could not be named in full agrees with none but itself: worth less than any other.
        if (best < 0 || same > *agreeing || (!readings[best].complete && readings[i].complete)) {
            best = i;
            *agreeing = same;
        }
    }
    return best;
}

const cg_reading *cg_readings_tell(const cg_reading *readings, int count, cg_knot_report *report)
{
    memset(report, 0, sizeof *report);
    int best = vote(readings, count, &report->agreeing);
    report->ways = count;
    if (best < 0) {
        cg_reading none = {.determinant = UINT64_MAX};
        cg_reading_tell(&none, report);
        return NULL;
    }
    cg_reading_tell(&readings[best], report);
    report->certain = report->agreeing == count;
    for (int i = 0; i < count; i++) {
        report->certain = report->certain && readings[i].proven;
    }
    return &readings[best];
}
