#include "task/sewing.h"

#include <math.h>
#include <string.h>

#include "base/transform.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "geometry/mesh.h"
#include "task/watch.h"
#include "task/wound.h"

// Jaws that lose a needle for less than this [s] while they are told to be closed hold it still: contacts come and go.
static const double GRIP_PAUSE = 0.2;
// Two holes are the same when their homes are nearer than this [m].
static const double SAME_PLACE = 5e-5;

bool cg_is_skin(int side)
{
    return side == CG_SIDE_TOP || side == CG_SIDE_OUTER;
}

void cg_sewing_begin(cg_sewing *sewing, const cg_goal_stitch *goal)
{
    *sewing =
        (cg_sewing){.goal = goal, .anchor_force_at = -1, .regrasp_at = -1, .drop_at = -1, .torn_at = -1, .out_at = -1};
    for (int i = 0; i < CG_SEEN_NEEDLES; i++) {
        sewing->needles[i].lost_at = sewing->needles[i].arc_off_at = -1;
    }
}

// Holding

// Which hands hold it: those whose jaws press, and those that did just now and are closed.
static uint32_t sure_holders(cg_sewn_needle *needle, uint32_t pressing, uint32_t closed, double time)
{
    uint32_t holders = pressing;
    for (int i = 0; i < 32; i++) {
        uint32_t bit = UINT32_C(1) << i;
        if ((pressing & bit) != 0) {
            needle->seen_at[i] = time;
        } else if ((needle->held_by & closed & bit) != 0 && time - needle->seen_at[i] < GRIP_PAUSE) {
            holders |= bit;
        }
    }
    return holders;
}

static bool is_in_tissue(const cg_sewing_moment *moment, int body)
{
    bool any = false;
    for (int i = 0; i < moment->hole_count; i++) {
        any = any || (!moment->holes[i].is_of_thread && moment->holes[i].owner == body);
    }
    return any;
}

static void count_first(int *count, double *first, double time)
{
    *first = *count == 0 ? time : *first;
    *count += 1;
}

// A needle that a hand takes after others had it was grasped again. One that nothing held, no tissue either, was
// dropped when a hand takes it again: laying it down at the end is none.
static void see_holders(cg_sewing *sewing, cg_sewn_needle *needle, const cg_seen_needle *seen, bool in_tissue,
                        uint32_t closed, double time)
{
    uint32_t now = sure_holders(needle, seen->held_by, closed, time), taken = now & ~needle->held_by;
    if (taken != 0 && needle->was_held) {
        count_first(&sewing->regrasps, &sewing->regrasp_at, time);
    }
    if (taken != 0 && needle->lost_at >= 0) {
        count_first(&sewing->drops, &sewing->drop_at, needle->lost_at);
    }
    bool is_lost = now == 0 && !in_tissue && needle->was_held;
    needle->lost_at = !is_lost ? -1 : needle->lost_at < 0 ? time : needle->lost_at;
    needle->was_held = needle->was_held || now != 0;
    needle->held_by = now;
}

// Following the arc

// A needle that turns about the middle of its circle stays on the circle that it lay on when its tip went in.
static void see_arc(cg_sewn_needle *needle, const cg_seen_needle *seen, double time)
{
    cg_vec3 tip = transform_point(seen->pose, v3(seen->is.radius, 0, 0));
    if (seen->is.is_inside && !needle->was_inside) {
        needle->centre = seen->pose.position;
        needle->axis = transform_vector(seen->pose, v3(0, 1, 0));
    }
    needle->was_inside = seen->is.is_inside;
    if (!seen->is.is_inside) {
        return;
    }
    cg_vec3 from = v3_sub(tip, needle->centre);
    double aside = v3_dot(from, needle->axis), out = v3_length(v3_add_scaled(from, -aside, needle->axis));
    double off = sqrt(aside * aside + (out - seen->is.radius) * (out - seen->is.radius));
    if (off > needle->arc_deviation || needle->arc_off_at < 0) {
        needle->arc_deviation = off;
        needle->arc_off_at = time;
    }
}

// Bites

// [rad] between the needle at a hole and the surface in which the hole is.
static double angle_at(const cg_seen_needle *needle, const cg_recorded_hole *hole)
{
    double sine, cosine;
    cg_sincos(hole->arc / needle->is.radius, &sine, &cosine);
    cg_vec3 way = transform_vector(needle->pose, v3(-sine, 0, cosine));
    double up = fabs(v3_dot(way, hole->normal)), along = v3_length(v3_cross(way, hole->normal));
    return cg_atan2(up, along);
}

static cg_bite *find_bite(cg_sewing *sewing, const cg_recorded_hole *hole)
{
    for (int i = sewing->bite_count - 1; i >= 0; i--) {
        cg_bite *bite = &sewing->bites[i];
        if (!bite->withdrawn && bite->hole.owner == hole->owner && bite->hole.tissue == hole->tissue &&
            bite->hole.inward == hole->inward && v3_distance(bite->hole.home, hole->home) < SAME_PLACE) {
            return bite;
        }
    }
    return NULL;
}

static void see_needle_hole(cg_sewing *sewing, const cg_sewing_moment *moment, const cg_seen_needle *needle,
                            const cg_recorded_hole *hole, double time)
{
    cg_bite *bite = find_bite(sewing, hole);
    if (bite == NULL && sewing->bite_count < CG_SEEN_BITES) {
        bite = &sewing->bites[sewing->bite_count++];
        *bite = (cg_bite){.made_at = time, .angle = angle_at(needle, hole), .edge = -1};
        if (moment->surfaces != NULL && hole->tissue < moment->surface_count) {
            bite->edge = cg_wound_edge_distance(&moment->surfaces[hole->tissue], hole);
        }
    }
    if (bite != NULL) {
        bite->hole = *hole;
        bite->is_there = true;
    }
}

// A hole that the needle has left was given up when it left by its tip.
static void see_left_holes(cg_sewing *sewing, const cg_seen_needle *needle, const bool *was_there)
{
    for (int i = 0; i < sewing->bite_count; i++) {
        cg_bite *bite = &sewing->bites[i];
        if (bite->hole.owner == needle->is.body && was_there[i] && !bite->is_there) {
            bite->withdrawn = bite->hole.arc < 0.5 * needle->is.radius * needle->is.arc;
        }
    }
}

static void see_holes(cg_sewing *sewing, const cg_sewing_moment *moment, const cg_seen_needle *needle, double time)
{
    bool was_there[CG_SEEN_BITES] = {false};
    for (int i = 0; i < sewing->bite_count; i++) {
        cg_bite *bite = &sewing->bites[i];
        was_there[i] = bite->is_there;
        bite->is_there = bite->is_there && bite->hole.owner != needle->is.body;
    }
    for (int i = 0; i < moment->hole_count; i++) {
        const cg_recorded_hole *hole = &moment->holes[i];
        if (!hole->is_of_thread && hole->owner == needle->is.body) {
            see_needle_hole(sewing, moment, needle, hole, time);
            sewing->pierced = true;
        }
    }
    see_left_holes(sewing, needle, was_there);
}

// Threads

static void see_anchors(cg_sewing *sewing, const cg_sewing_moment *moment, double time)
{
    sewing->anchor_count = 0;
    sewing->tension = 0;
    for (int i = 0; i < moment->hole_count; i++) {
        const cg_recorded_hole *hole = &moment->holes[i];
        if (!hole->is_of_thread) {
            continue;
        }
        double force = v3_length(hole->force);
        sewing->anchor_count++;
        sewing->tension = fmax(sewing->tension, fmax(hole->tension[0], hole->tension[1]));
        if (force > sewing->anchor_force || sewing->anchor_force_at < 0) {
            sewing->anchor_force = force;
            sewing->anchor_force_at = time;
        }
    }
}

static void see_surface(cg_sewing *sewing, const cg_sewing_moment *moment)
{
    if (moment->surfaces == NULL || moment->surface_count < 1) {
        return;
    }
    uint64_t version = moment->surfaces[0].version + 1;
    sewing->torn = sewing->torn || (sewing->first_version != 0 && version != sewing->first_version);
    sewing->first_version = sewing->first_version == 0 ? version : sewing->first_version;
}

// [m2] What was torn since the first moment. Tissue comes apart in pairs of surfaces. What comes off for good is a
// tissue of its own, with its share of the wound that its mother had at first: only both together tell.
static double torn_area(const cg_sewing *sewing)
{
    static const double ROUNDING = 1e-12; // what a wound has more as the sum of two
    double more = 0;
    for (int i = 0; i < CG_SEEN_TISSUES; i++) {
        more += sewing->seen[i].now - sewing->seen[i].first;
    }
    return more > ROUNDING ? 0.5 * more : 0;
}

// What is open of each surface; it is looked at anew only when the surface has changed. A tissue that comes later is a
// part of another: nothing of it was there at first.
static void see_torn(cg_sewing *sewing, const cg_sewing_moment *moment, double time)
{
    bool is_later = sewing->has_surfaces;
    sewing->has_cut = sewing->has_cut || moment->cuts;
    for (int i = 0; moment->surfaces != NULL && i < moment->surface_count && i < CG_SEEN_TISSUES; i++) {
        cg_seen_surface *seen = &sewing->seen[i];
        const cg_recorded_surface *surface = &moment->surfaces[i];
        if (surface->node_count == 0 || seen->version == surface->version + 1) {
            continue;
        }
        seen->now = cg_wound_area(surface);
        seen->first = seen->version == 0 && !is_later ? seen->now : seen->first;
        seen->version = surface->version + 1;
        sewing->has_surfaces = true;
    }
    sewing->torn_at = sewing->torn_at < 0 && torn_area(sewing) > 0 ? time : sewing->torn_at;
}

// The picture of the page is 32 degrees high: what is within half of that of its middle is in view however wide it is.
static bool is_in_view(const cg_camera *camera, cg_vec3 place)
{
    static const double COSINE = 0.96126169593831886; // of 16 degrees
    cg_vec3 look = v3_sub(camera->target, camera->position), there = v3_sub(place, camera->position);
    return v3_dot(look, there) >= COSINE * v3_length(look) * v3_length(there);
}

static void see_view(cg_sewing *sewing, const cg_sewing_moment *moment, double time)
{
    bool is_out = false;
    for (int i = 0; i < moment->needle_count && moment->has_camera; i++) {
        const cg_seen_needle *needle = &moment->needles[i];
        is_out = is_out || !is_in_view(&moment->camera, transform_point(needle->pose, v3(needle->is.radius, 0, 0)));
        sewing->has_view = true;
    }
    if (is_out) {
        sewing->out += sewing->last < time ? time - sewing->last : 0;
        sewing->out_at = sewing->out_at < 0 ? time : sewing->out_at;
    }
    sewing->last = time;
}

void cg_sewing_see(cg_sewing *sewing, const cg_sewing_moment *moment, uint32_t closed, double time)
{
    see_torn(sewing, moment, time);
    if (!moment->known) {
        return;
    }
    sewing->known = true;
    sewing->has_needle = sewing->has_needle || moment->needle_count > 0;
    see_surface(sewing, moment);
    see_view(sewing, moment, time);
    for (int i = 0; i < moment->needle_count; i++) {
        const cg_seen_needle *seen = &moment->needles[i];
        see_holders(sewing, &sewing->needles[i], seen, is_in_tissue(moment, seen->is.body), closed, time);
        see_arc(&sewing->needles[i], seen, time);
        see_holes(sewing, moment, seen, time);
    }
    see_anchors(sewing, moment, time);
}

// Goals

double cg_sewing_off_mark(const cg_sewing *sewing, cg_vec3 mark, int *bite)
{
    double nearest = -1;
    for (int i = 0; i < sewing->bite_count; i++) {
        const cg_bite *one = &sewing->bites[i];
        double off = v3_distance(one->hole.home, mark);
        if (!one->withdrawn && cg_is_skin(one->hole.side) && (nearest < 0 || off < nearest)) {
            nearest = off;
            *bite = i;
        }
    }
    return nearest;
}

uint64_t cg_sewing_marks_reached(const cg_sewing *sewing)
{
    uint64_t reached = 0;
    for (int i = 0; sewing->goal != NULL && i < sewing->goal->mark_count; i++) {
        int bite;
        double off = cg_sewing_off_mark(sewing, sewing->goal->marks[i], &bite);
        reached |= (uint64_t)(off >= 0 && off <= sewing->goal->size) << i;
    }
    return reached;
}

bool cg_sewing_is_sewn(const cg_sewing *sewing)
{
    const cg_goal_stitch *goal = sewing->goal;
    bool is_in = false;
    for (int i = 0; i < sewing->bite_count; i++) {
        is_in = is_in || sewing->bites[i].is_there;
    }
    uint64_t all = goal->mark_count >= 64 ? UINT64_MAX : ((uint64_t)1 << goal->mark_count) - 1;
    return sewing->known && sewing->anchor_count >= goal->holes && !(goal->out && is_in) &&
           (cg_sewing_marks_reached(sewing) & all) == all;
}

// Measures

static void measure_handling(const cg_sewing *sewing, cg_measures *measures)
{
    double off = 0, at = -1;
    for (int i = 0; i < CG_SEEN_NEEDLES; i++) {
        const cg_sewn_needle *needle = &sewing->needles[i];
        if (needle->arc_off_at >= 0 && needle->arc_deviation >= off) {
            off = needle->arc_deviation;
            at = needle->arc_off_at;
        }
    }
    if (at >= 0) {
        cg_measure_set(measures, CG_MEASURE_arc_deviation, off, at);
    }
    cg_measure_set(measures, CG_MEASURE_regrasps, sewing->regrasps, sewing->regrasp_at);
    cg_measure_set(measures, CG_MEASURE_needle_drops, sewing->drops, sewing->drop_at);
}

// Keeps what is lowest.
static void lower(cg_measures *measures, cg_measure which, double value, double at)
{
    if (!measures->of[which].known || value < measures->of[which].value) {
        cg_measure_set(measures, which, value, at);
    }
}

static void raise(cg_measures *measures, cg_measure which, double value, double at)
{
    if (!measures->of[which].known || value > measures->of[which].value) {
        cg_measure_set(measures, which, value, at);
    }
}

// Angles, and how far from the edge of the wound: of the skin how wide a bite is, of a lip how deep.
static void measure_bites(const cg_sewing *sewing, cg_measures *measures)
{
    double before = -1; // distance from the edge of the hole of the skin that began the stitch
    for (int i = 0; i < sewing->bite_count; i++) {
        const cg_bite *bite = &sewing->bites[i];
        if (bite->withdrawn) {
            continue;
        }
        bool skin = cg_is_skin(bite->hole.side);
        lower(measures, bite->hole.inward ? CG_MEASURE_entry_angle : CG_MEASURE_exit_angle, bite->angle, bite->made_at);
        if (bite->edge < 0) {
            continue;
        }
        lower(measures, skin ? CG_MEASURE_bite_width : CG_MEASURE_bite_depth, bite->edge, bite->made_at);
        if (skin && before >= 0) {
            raise(measures, CG_MEASURE_bite_asymmetry, fabs(bite->edge - before), bite->made_at);
            before = -1;
        } else if (skin) {
            before = bite->edge;
        }
    }
}

static bool is_on_a_mark(const cg_goal_stitch *goal, const cg_bite *bite)
{
    bool any = false;
    for (int i = 0; i < goal->mark_count; i++) {
        any = any || v3_distance(goal->marks[i], bite->hole.home) <= goal->size;
    }
    return any;
}

static void measure_marks(const cg_sewing *sewing, cg_measures *measures)
{
    const cg_goal_stitch *goal = sewing->goal;
    int met = 0, missed = 0;
    double missed_at = -1;
    for (int i = 0; i < goal->mark_count; i++) {
        int bite = -1;
        double off = cg_sewing_off_mark(sewing, goal->marks[i], &bite);
        met += off >= 0 && off <= goal->size;
        if (off >= 0) {
            raise(measures, CG_MEASURE_mark_deviation, off, sewing->bites[bite].made_at);
        }
    }
    for (int i = 0; i < sewing->bite_count; i++) {
        const cg_bite *bite = &sewing->bites[i];
        if (cg_is_skin(bite->hole.side) && !is_on_a_mark(goal, bite)) {
            count_first(&missed, &missed_at, bite->made_at);
        }
    }
    double share = (double)met / goal->mark_count;
    cg_measure_set(measures, CG_MEASURE_targets_reached, share, share < 1 ? measures->end : -1);
    cg_measure_set(measures, CG_MEASURE_misses, missed, missed_at);
}

// Where the middles of stitches lie along the wound, and the widest way between neighbours.
static void measure_spacing(const cg_sewing *sewing, cg_measures *measures)
{
    cg_vec3 along = v3_unit_or(v3_sub(sewing->goal->wound[1], sewing->goal->wound[0]), v3(1, 0, 0));
    double places[CG_SEEN_BITES], first = 0;
    int count = 0, skin = 0;
    for (int i = 0; i < sewing->bite_count; i++) {
        const cg_bite *bite = &sewing->bites[i];
        if (bite->withdrawn || !cg_is_skin(bite->hole.side)) {
            continue;
        }
        double place = v3_dot(along, bite->hole.home);
        if (skin++ % 2 == 0) {
            first = place;
            continue;
        }
        double middle = 0.5 * (first + place);
        int at = count++;
        for (; at > 0 && places[at - 1] > middle; at--) {
            places[at] = places[at - 1];
        }
        places[at] = middle;
    }
    for (int i = 1; i < count; i++) {
        raise(measures, CG_MEASURE_stitch_spacing, places[i] - places[i - 1], -1);
    }
}

static void measure_torn(const cg_sewing *sewing, cg_measures *measures)
{
    if (sewing->has_surfaces && !sewing->has_cut) {
        cg_measure_set(measures, CG_MEASURE_tissue_torn, torn_area(sewing), sewing->torn_at);
    }
}

void cg_sewing_measure(const cg_sewing *sewing, cg_measures *measures)
{
    measure_torn(sewing, measures);
    if (!sewing->known) {
        return;
    }
    if (sewing->has_view) {
        cg_measure_set(measures, CG_MEASURE_out_of_view, sewing->out, sewing->out_at);
    }
    if (sewing->has_needle) {
        measure_handling(sewing, measures);
        measure_bites(sewing, measures);
    }
    if (sewing->anchor_force_at >= 0) {
        cg_measure_set(measures, CG_MEASURE_anchor_force, sewing->anchor_force, sewing->anchor_force_at);
        cg_measure_set(measures, CG_MEASURE_stitch_tension, sewing->tension, measures->end);
    }
    if (sewing->goal != NULL && sewing->goal->mark_count > 0) {
        measure_marks(sewing, measures);
    }
    if (sewing->goal != NULL && sewing->goal->has_wound) {
        measure_spacing(sewing, measures);
    }
}

void cg_sewing_measure_fls(const cg_sewing *sewing, cg_measures *measures)
{
    const cg_goal_stitch *goal = sewing->goal;
    bool is_known = measures->of[CG_MEASURE_wound_gap].known && measures->of[CG_MEASURE_knot_right].known;
    if (!is_known || goal->mark_count == 0) {
        return;
    }
    bool is_right = measures->of[CG_MEASURE_knot_right].value > 0;
    cg_fls_result result = {.time = measures->of[CG_MEASURE_time].value,
                            .gap = measures->of[CG_MEASURE_wound_gap].value,
                            .knot = is_right                         ? 0
                                    : measures->knot.throw_count > 0 ? 1
                                                                     : 2,
                            .avulsed = sewing->torn};
    for (int i = 0; i < goal->mark_count; i++) {
        int bite;
        double off = cg_sewing_off_mark(sewing, goal->marks[i], &bite);
        if (off < 0) {
            return; // nothing was sewn
        }
        result.deviation += off;
    }
    cg_measure_set(measures, CG_MEASURE_fls_score, cg_fls_normalised(&result), -1);
}
