#include "thread/rest.h"

#include <assert.h>
#include <math.h>

#include "base/trig.h"
#include "base/vec3.h"

static const double MOST_TURN = 3; // [rad]

cg_vec3 cg_rest_turn(const cg_thread *thread, int joint)
{
    assert(thread->has_rest_shape && joint > 0 && joint < thread->segment_count);
    cg_vec3 ahead = thread->rest_ahead[joint];
    double across = sqrt(ahead.x * ahead.x + ahead.y * ahead.y), angle = cg_atan2(across, ahead.z);
    double scale = across > 0 ? angle / across : 0.0;
    return v3(scale * ahead.x, scale * ahead.y, 0);
}

void cg_rest_set_turn(cg_thread *thread, int joint, cg_vec3 turn)
{
    assert(thread->has_rest_shape && joint > 0 && joint < thread->segment_count);
    double whole = v3_length(turn), angle = whole < MOST_TURN ? whole : MOST_TURN, sine, cosine;
    cg_sincos(angle, &sine, &cosine);
    double scale = whole > 0 ? sine / whole : 0.0;
    thread->rest_ahead[joint] = v3(scale * turn.x, scale * turn.y, cosine);
    thread->rest_behind[joint] = v3(-scale * turn.x, -scale * turn.y, cosine);
}
