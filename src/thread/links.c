// The chain of links; links.h says what it is.
#include "thread/links.h"

#include <math.h>

#include "base/trig.h"
#include "base/vec3.h"

// Passes of following between two held ends, and of Newton's method after them.
enum { MOST_FOLLOWS = 8, MOST_NEWTON = 30 };
// [links] A chain with less slack counts as taut: it is laid straight.
static const double LEAST_SLACK = 1e-9;
// [links] Newton's method ends below this error, and has failed above the other.
static const double EXACT = 1e-14, GOOD = 1e-12;
// [links] Far from the origin places are not told apart as finely as EXACT asks for: an error below this that does not
// get smaller is rounding, and more passes would only shuffle it.
static const double ROUNDING = 1e-13;
// [links] Below this error Newton's method finds the nearest shape by itself.
static const double NEARLY = 0.3;
static const double PI = 3.14159265358979323846;
// Most parts of a motion. A hand that jumps farther takes the chain along in longer ones.
enum { MOST_PARTS = 1000 };

// [m] The largest error of the links between two nodes.
static double error_between(const cg_links *links, int first, int last)
{
    double worst = 0;
    for (int i = first; i < last; i++) {
        double error = fabs(v3_distance(links->position[i], links->position[i + 1]) - links->length);
        worst = error > worst ? error : worst;
    }
    return worst;
}

double cg_links_error(const cg_links *links)
{
    return error_between(links, 0, links->nodes - 1);
}

// Puts node `i` a link away from `leader`, on the line between where they are.
static void follow(cg_links *links, int leader, int i)
{
    cg_vec3 way = v3_sub(links->position[i], links->position[leader]);
    cg_vec3 along = v3_unit_or(way, v3(0, 0, -1)); // a node on its leader falls
    links->position[i] = v3_add_scaled(links->position[leader], links->length, along);
}

// Nodes from `leader` (itself left alone) to `last`, in either direction.
static void follow_to(cg_links *links, int leader, int last)
{
    int step = last > leader ? 1 : -1;
    for (int i = leader; i != last; i += step) {
        follow(links, i, i + step);
    }
}

// What is to become 0 for link i: half the difference of squares, whose slopes are the link's way.
static double link_row(const cg_links *links, int i, cg_vec3 *way)
{
    *way = v3_sub(links->position[i + 1], links->position[i]);
    return 0.5 * (v3_dot(*way, *way) - links->length * links->length);
}

// One pass of Newton's method: the smallest motion of the nodes between `first` and `last`, which stand, that makes the
// links between them right. Thomas's algorithm on J J^T, with J's rows the ways of the links.
static void make_exact(cg_links *links, int first, int last)
{
    int count = last - first;
    double *pull = links->row, *factor = links->slope, least = 1e-12 * links->length * links->length;
    cg_vec3 way, before = v3_zero();
    for (int k = 0; k < count; k++) {
        double error = link_row(links, first + k, &way), square = v3_dot(way, way);
        double diagonal = (k > 0 ? square : 0) + (k + 1 < count ? square : 0);
        double beside = k > 0 ? -v3_dot(before, way) : 0;
        double pivot = diagonal - (k > 0 ? beside * beside * factor[k - 1] : 0);
        factor[k] = 1 / (pivot > least ? pivot : least);
        pull[k] = -error - (k > 0 ? beside * factor[k - 1] * pull[k - 1] : 0);
        links->before[k] = way;
        before = way;
    }
    for (int k = count - 1; k >= 0; k--) {
        double ahead = k + 1 < count ? -v3_dot(links->before[k], links->before[k + 1]) * pull[k + 1] : 0;
        pull[k] = (pull[k] - ahead) * factor[k];
    }
    for (int k = 1; k < count; k++) {
        cg_vec3 *x = &links->position[first + k];
        *x = v3_add_scaled(v3_add_scaled(*x, pull[k - 1], links->before[k - 1]), -pull[k], links->before[k]);
    }
}

// Half the turn from one link to the next on a regular arc of `count` links whose ends are `apart` links from each
// other: apart = sin(count h) / sin(h), which falls while h grows from 0 to pi / count.
static double arc_of(int count, double apart)
{
    double low = 0, high = PI / count;
    for (int k = 0; k < 60; k++) {
        double h = 0.5 * (low + high);
        bool too_straight = cg_sin(count * h) > apart * cg_sin(h);
        low = too_straight ? h : low;
        high = too_straight ? high : h;
    }
    return 0.5 * (low + high);
}

// A stretch that is straight though it has slack does not know where to bend: it is laid as an arc.
static void lay_arc(cg_links *links, int first, int last)
{
    cg_vec3 start = links->position[first], end = links->position[last];
    cg_vec3 along = v3_unit_or(v3_sub(end, start), v3(1, 0, 0)), bulge = v3_any_normal(along);
    int count = last - first;
    double h = arc_of(count, v3_distance(start, end) / links->length);
    for (int k = 0; k + 1 < count; k++) {
        double sine, cosine;
        cg_sincos((count - 1 - 2 * k) * h, &sine, &cosine);
        cg_vec3 way = v3_add_scaled(v3_scale(cosine, along), sine, bulge);
        links->position[first + k + 1] = v3_add_scaled(links->position[first + k], links->length, way);
    }
}

static void newton_between(cg_links *links, int first, int last)
{
    double error = error_between(links, first, last), before = HUGE_VAL;
    for (int pass = 0; pass < MOST_NEWTON && error > EXACT * links->length; pass++) {
        if (error < ROUNDING * links->length && error > 0.5 * before) {
            return;
        }
        make_exact(links, first, last);
        before = error;
        error = error_between(links, first, last);
    }
}

// Two nodes whose places are given: what is between them follows both.
static void follow_between(cg_links *links, int first, int last)
{
    cg_vec3 start = links->position[first], end = links->position[last];
    for (int pass = 0; pass < MOST_FOLLOWS; pass++) {
        links->position[last] = end;
        follow_to(links, last, first);
        links->position[first] = start;
        follow_to(links, first, last);
    }
    links->position[last] = end;
    newton_between(links, first, last);
    if (!(error_between(links, first, last) < GOOD * links->length)) {
        lay_arc(links, first, last);
        newton_between(links, first, last);
    }
}

// Moves two held nodes by what they are too far from each other, or, with one link between them, too near; the second
// by the rest of the first's share. Returns by how much [m].
static double bring_together(cg_links *links, int first, int last, double share)
{
    cg_vec3 *a = &links->position[first], *b = &links->position[last];
    double excess = v3_distance(*a, *b) - links->length * (last - first);
    if (!(excess > 0 || last == first + 1)) {
        return 0;
    }
    cg_vec3 along = v3_unit_or(v3_sub(*b, *a), v3_zero());
    *a = v3_add_scaled(*a, share * excess, along);
    *b = v3_add_scaled(*b, (share - 1) * excess, along);
    return fabs(excess);
}

// Held nodes that ask for more than the links between them have, or stand on one link, give way alike, and in the end
// towards the first.
static void give_way(cg_links *links, const cg_link_hold *holds, int hold_count)
{
    double most = HUGE_VAL;
    for (int pass = 0; pass <= MOST_FOLLOWS && most > ROUNDING * links->length; pass++) {
        most = 0;
        for (int k = 0; k + 1 < hold_count; k++) {
            double share = pass < MOST_FOLLOWS ? 0.5 : 0;
            double moved = bring_together(links, holds[k].node, holds[k + 1].node, share);
            most = moved > most ? moved : most;
        }
    }
}

static void lay_straight(cg_links *links, int first, int last)
{
    cg_vec3 start = links->position[first];
    cg_vec3 along = v3_unit_or(v3_sub(links->position[last], start), v3(1, 0, 0));
    for (int i = first + 1; i <= last; i++) {
        links->position[i] = v3_add_scaled(start, links->length * (i - first), along);
    }
}

// Nodes that are nearly right go the least way to where they are.
static void mend_between(cg_links *links, int first, int last)
{
    bool is_near = error_between(links, first, last) < NEARLY * links->length;
    for (int i = first; i <= last && is_near; i++) {
        links->kept[i] = links->position[i];
    }
    if (is_near) {
        newton_between(links, first, last);
    }
    if (!is_near || !(error_between(links, first, last) < GOOD * links->length)) {
        for (int i = first; i <= last && is_near; i++) {
            links->position[i] = links->kept[i];
        }
        follow_between(links, first, last);
    }
}

// Makes one part of the motion, whose held nodes have been moved.
static void follow_holds(cg_links *links, const cg_link_hold *holds, int hold_count,
                         void (*fit)(cg_links *links, int first, int last))
{
    give_way(links, holds, hold_count);
    for (int k = 0; k + 1 < hold_count; k++) {
        int first = holds[k].node, last = holds[k + 1].node;
        double slack = links->length * (last - first) - v3_distance(links->position[first], links->position[last]);
        if (slack < LEAST_SLACK * links->length) {
            lay_straight(links, first, last);
        } else {
            fit(links, first, last);
        }
    }
    follow_to(links, holds[0].node, 0);
    follow_to(links, holds[hold_count - 1].node, links->nodes - 1);
}

void cg_links_mend(cg_links *links, const cg_link_hold *holds, int hold_count)
{
    if (hold_count > 0) {
        follow_holds(links, holds, hold_count, mend_between);
        return;
    }
    int middle = links->nodes / 2;
    follow_to(links, middle, 0);
    follow_to(links, middle, links->nodes - 1);
}

void cg_links_follow(cg_links *links, cg_link_hold *holds, int hold_count, double most_part)
{
    double farthest = 0;
    for (int k = 0; k < hold_count; k++) {
        farthest = fmax(farthest, v3_distance(holds[k].target, links->position[holds[k].node]));
    }
    int parts = farthest > most_part * MOST_PARTS ? MOST_PARTS : (int)ceil(farthest / most_part);
    for (int part = 0; part < parts; part++) {
        for (int k = 0; k < hold_count; k++) {
            cg_vec3 *x = &links->position[holds[k].node];
            *x = v3_add_scaled(*x, 1.0 / (parts - part), v3_sub(holds[k].target, *x));
        }
        follow_holds(links, holds, hold_count, follow_between);
    }
    for (int k = 0; k < hold_count; k++) {
        holds[k].lack = v3_sub(holds[k].target, links->position[holds[k].node]);
    }
}

void cg_links_fly(cg_links *links, cg_vec3 *velocity, cg_vec3 target, cg_vec3 acceleration, double carry,
                  double time_step)
{
    for (int i = 0; i < links->nodes; i++) {
        links->before[i] = links->position[i];
        velocity[i] = v3_add_scaled(velocity[i], time_step, acceleration);
        links->position[i] = v3_add_scaled(links->position[i], time_step, velocity[i]);
    }
    links->position[0] = target;
    cg_vec3 corrected = v3_zero(); // how far the neighbour ahead was put right
    for (int i = 1; i < links->nodes; i++) {
        cg_vec3 free = links->position[i];
        follow(links, i - 1, i);
        velocity[i] = v3_scale(1 / time_step, v3_sub(links->position[i], links->before[i]));
        corrected = v3_sub(links->position[i], free);
        if (i > 1) {
            velocity[i - 1] = v3_add_scaled(velocity[i - 1], -carry / time_step, corrected);
        }
    }
    velocity[0] = v3_scale(1 / time_step, v3_sub(links->position[0], links->before[0]));
}
