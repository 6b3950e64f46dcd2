// Tissues that threads and needles are thrown at and dragged over, and what must never be.
#ifndef CATGUT_TESTS_CONTACT_SKIN_RIG_H
#define CATGUT_TESTS_CONTACT_SKIN_RIG_H

#include <math.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "geometry/triangle.h"
#include "grounds.h"
#include "harness.h"

static inline cg_tissue_def tissue_of(ground kind)
{
    static const ground_size SIZE = {16e-3, 12e-3, 10e-3, 2e-3, 16e-3};
    return ground_def(kind, &SIZE);
}

// How many triangles the segments between points cross. All pairs; far ones by a glance.
static inline int crossings_of(const cg_world *world, cg_tissue_id tissue, const cg_vec3 *x, int points)
{
    const cg_vec3 *y = cg_tissue_positions(world, tissue, NULL);
    int count = 0, triangles = cg_tissue_triangle_count(world, tissue);
    for (int t = 0; t < triangles; t++) {
        int n[3];
        cg_tissue_get_triangle(world, tissue, t, n, NULL);
        const cg_vec3 corners[3] = {y[n[0]], y[n[1]], y[n[2]]};
        double size = fmax(v3_distance(corners[0], corners[1]), v3_distance(corners[0], corners[2]));
        for (int i = 0; i + 1 < points; i++) {
            double near = size + v3_distance(x[i], x[i + 1]);
            cg_vec3 away = v3_sub(x[i], corners[0]);
            if (v3_dot(away, away) <= near * near) {
                count += !(cg_closest_segment_triangle(x[i], x[i + 1], corners).squared_distance > 0);
            }
        }
    }
    return count;
}

static inline bool all_finite(const cg_vec3 *x, int count)
{
    bool good = true;
    for (int i = 0; i < count; i++) {
        good = good && v3_is_finite(x[i]);
    }
    return good;
}

// A hand that holds a thread of this radius there, as strong as the thread is.
static inline cg_hand_id add_holding_hand(cg_world *world, double radius, cg_vec3 place)
{
    double share = fmin(1, radius * radius / (0.11e-3 * 0.11e-3));
    cg_hand_def def = cg_hand_def_default();
    cg_hand_id hand = {0};
    def.pose.position = place;
    def.mass = 0.02 * share;
    def.stiffness = 400 * share;
    def.damping = 5 * share;
    def.max_force = 2 * share;
    def.turn_stiffness *= share;
    def.max_torque *= share;
    def.jaw_length = 0;
    CHECK_STR(cg_world_add_hand(world, &def, &hand).message, "");
    CHECK_STR(cg_hand_close(world, hand).message, "");
    CHECK(cg_hand_get_state(world, hand).vertex_count > 0);
    return hand;
}

// Contacts with tissue that carry something.
static inline int contacts_with_tissue(const cg_world *world)
{
    int count = 0;
    for (int i = 0; i < cg_world_contact_count(world); i++) {
        cg_contact_info contact;
        cg_world_get_contact(world, i, &contact);
        count += contact.threads[0].index != 0 && contact.triangles[1] >= 0 && v3_length(contact.force) > 0;
    }
    return count;
}

#endif
