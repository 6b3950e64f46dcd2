// Rigid bodies in the problem of contacts. Those that are led go where they are told, whatever pushes them. A free one
// has six unknowns, so that forces at two of its points see each other by mass and inertia alone: with a the arm of a
// touch and n one of its axes,
//
//     Q += s s' (n . n' h^2 / m  +  (a x n) . h^2 I^-1 (a' x n')),      s the sign of the side.
//
// Bodies of a drive (rigid/drive.h) have seven unknowns in common, so that a force on one moves the others too: h^2/m
// and h^2 I^-1 are what the drive gives, a is the arm from its frame, and g_q o o' is added, with o how far the opening
// moves a point along n.
#include <assert.h>

#include "base/transform.h"
#include "laws/body.h"
#include "linalg/wide.h"
#include "rigid/drive.h"

static bool is_there(const cg_touch_set *set, int body, int feature)
{
    bool is_body = body < set->cast.rigid_count && feature <= CG_TIP_FEATURE;
    return is_body && cg_feature_part(feature) < cg_rigid_part_count(set->cast.rigids[body]);
}

// Where the point of a body that is now at `point` stands in another pose.
static cg_vec3 carried(const cg_rigid *body, cg_vec3 point, const cg_transform *pose)
{
    return transform_point(*pose, transform_point_back(body->now, point));
}

// To first order for a free one: a wheel that rolls comes no nearer to the ground.
static cg_vec3 motion(const cg_touch_set *set, const cg_site *site)
{
    const cg_rigid *body = set->cast.rigids[site->body];
    return body->is_free ? cg_rigid_motion_at(body, site->point)
                         : v3_sub(carried(body, site->point, &body->target), site->point);
}

static cg_vec3 moved(const cg_touch_set *set, const cg_site *site)
{
    const cg_rigid *body = set->cast.rigids[site->body];
    return body->is_free ? cg_rigid_moved_at(body, site->point)
                         : v3_sub(site->point, carried(body, site->point, &body->start));
}

static double bend(const cg_touch_set *set, const cg_site *site)
{
    const cg_rigid *body = set->cast.rigids[site->body];
    return body->is_free ? cg_rigid_bend_at(body, site->point) : 0.0;
}

// What is led feels the forces of all islands, and no island asks what it feels: it is told when all are solved.
static bool takes_forces(const cg_touch_set *set, int number)
{
    return set->problem.solved < 0 ||
           (number >= set->cast.first_free && is_solved(set, set->cast.thread_count + number - set->cast.first_free));
}

static void clear(cg_touch_set *set)
{
    for (int k = 0; k < set->cast.rigid_count; k++) {
        if (!takes_forces(set, k)) {
            continue;
        }
        set->cast.rigids[k]->force = set->cast.rigids[k]->torque = v3_zero();
    }
}

static void push(cg_touch_set *set, const cg_site *site, cg_vec3 force)
{
    assert(site->body >= 0 && site->body < set->cast.rigid_count);
    cg_rigid *body = set->cast.rigids[site->body];
    if (!takes_forces(set, site->body)) {
        return;
    }
    cg_vec3 arm = v3_sub(site->point, body->now.position);
    body->force = v3_add(body->force, force);
    body->torque = v3_add(body->torque, v3_cross(arm, force));
}

static bool leads_drive(const cg_rigid *body)
{
    return body->drive != NULL && body->drive->bodies[0] == body;
}

static void respond(cg_touch_set *set)
{
    for (int k = set->cast.first_free; k < set->cast.rigid_count; k++) {
        if (leads_drive(set->cast.rigids[k]) && takes_forces(set, k)) { // all of a drive is in one island
            cg_drive_respond(set->cast.rigids[k]->drive);
        } else if (set->cast.rigids[k]->drive == NULL && takes_forces(set, k)) {
            cg_rigid_respond(set->cast.rigids[k]);
        }
    }
}

// How far a force moves what it acts on.
typedef struct give {
    cg_vec3 centre;  // about which it turns
    double shift;    // [m/N]
    cg_mat3 turning; // [rad/(N m)]
    double opening;
} give;

static give give_of(const cg_rigid *body)
{
    const cg_drive *drive = body->drive;
    if (drive == NULL) {
        double shift = body->time_step * body->time_step / (body->mass * cg_rigid_slowness(body));
        return (give){body->now.position, shift, body->turning, 0};
    }
    double turn = drive->turn_give;
    return (give){cg_drive_frame(drive).position, drive->give, m3_diagonal(turn, turn, turn), drive->open.give};
}

static void put_column(double rows[3][4], int column, cg_vec3 v)
{
    rows[0][column] = v.x;
    rows[1][column] = v.y;
    rows[2][column] = v.z;
}

static cg_rigid_point point_at(const cg_rigid *body, const cg_touch *touch, int side, const give *gives)
{
    cg_rigid_point point = {.sign = side == 0 ? 1.0 : -1.0};
    cg_vec3 arm = v3_sub(touch->point[side], gives->centre), opens = v3_zero();
    if (body->drive != NULL) {
        opens = cg_drive_opens(body->drive, cg_drive_number(body->drive, body), touch->point[side]);
    }
    for (int k = 0; k < 3; k++) {
        point.lever[k] = v3_cross(arm, touch->axes[k]);
        put_column(point.axes, k, touch->axes[k]);
        put_column(point.turned, k, m3_apply(gives->turning, point.lever[k]));
        point.opens[k] = v3_dot(opens, touch->axes[k]);
    }
    return point;
}

// Whether a side of a touch is on the body, or on one that is led with it.
static bool is_on(const cg_touch_set *set, const cg_touch *touch, int side, const cg_rigid *body)
{
    int number = touch_body(touch, side, CG_BODY_RIGID);
    const cg_rigid *other = number >= 0 ? set->cast.rigids[number] : NULL;
    return other != NULL && (other == body || (body->drive != NULL && other->drive == body->drive));
}

// The points of one body in the problem, or those of a drive.
static int gather_points(const cg_touch_set *set, const cg_rigid *body, const give *gives)
{
    int count = 0;
    for (int w = 0; w < set->problem.working_count; w++) {
        const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        for (int side = 0; side < 2; side++) {
            if (is_on(set, touch, side, body)) {
                const cg_rigid *here = set->cast.rigids[touch_body(touch, side, CG_BODY_RIGID)];
                set->problem.rigid_points[count] = point_at(here, touch, side, gives);
                set->problem.rigid_points[count++].touch = w;
            }
        }
    }
    return count;
}

// v . n for each of three vectors n that stand side by side.
#define DOTS(v, n) ((v).x * QUAD((n)[0]) + (v).y * QUAD((n)[1]) + (v).z * QUAD((n)[2]))

// Adds how a force at `b` moves `a`, and the other way round where they are two.
static void add_blocks(cg_touch_set *set, const cg_rigid_point *a, const cg_rigid_point *b, const give *gives)
{
    size_t columns = 3 * (size_t)set->problem.working_count;
    const cg_vec3 *of_a = set->rows.touches[set->problem.working[a->touch]].axes;
    size_t first_row = 3 * (size_t)a->touch, first_column = 3 * (size_t)b->touch;
    for (size_t i = 0; i < 3; i++) {
        quad moves = gives->shift * DOTS(of_a[i], b->axes) + DOTS(a->lever[i], b->turned);
        moves = a->sign * b->sign * (moves + gives->opening * a->opens[i] * QUAD(b->opens));
        double *row = set->problem.coupling + (first_row + i) * columns + first_column;
        double *column = set->problem.coupling + first_column * columns + first_row + i;
        for (int k = 0; k < 3; k++) {
            row[k] += moves[k];
            if (a != b) {
                column[(size_t)k * columns] += moves[k];
            }
        }
    }
}

static void couple(cg_touch_set *set)
{
    assert(set->problem.working_count <= set->room.touches);
    for (int k = set->cast.first_free; k < set->cast.rigid_count; k++) {
        const cg_rigid *body = set->cast.rigids[k];
        if (body->drive != NULL && !leads_drive(body)) {
            continue;
        }
        give gives = give_of(body);
        int count = gather_points(set, body, &gives);
        for (int a = 0; a < count; a++) {
            for (int b = a; b < count; b++) {
                add_blocks(set, &set->problem.rigid_points[a], &set->problem.rigid_points[b], &gives);
            }
        }
    }
}

const cg_body_verbs cg_rigid_verbs = {.is_there = is_there,
                                      .motion = motion,
                                      .moved = moved,
                                      .bend = bend,
                                      .clear = clear,
                                      .push = push,
                                      .respond = respond,
                                      .couple = couple};
