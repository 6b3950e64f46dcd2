// The law of contact as a row. See laws/law.h.
#include "laws/law.h"

#include <assert.h>

#include "base/vec3.h"
#include "base/within.h"

// k over the stiffness of the nodes. Softer: the gap at rest is small under load. Stiffer: more iterations, and light
// things that lie on tissue rattle instead of sliding.
static const double FIRMNESS = 2;
// k_t over k.
static const double GRIP = 10;
// Distances are not taken for smaller than this share of the thickness, so that slopes stay bounded...
static const double LEAST_DISTANCE = 0.2;
// ...and a contact does not foresee more than this approach in a step, as a share of what is left.
static const double MOST_APPROACH = 0.5;
// Motions away count from this share of what is left of the thickness: small ones come and go, and a chord that takes
// them for granted swings.
static const double STEADY = 0.5;
// Nodes go this much farther than each would if its neighbours stood still.
static const double GIVING = 2;

cg_vec3 cg_contact_urge(const cg_tissue *tissue, const int nodes[3], const double weights[3])
{
    cg_vec3 sum = v3_zero();
    for (int k = 0; k < 3; k++) {
        if (weights[k] != 0) {
            sum = v3_add_scaled(sum, GIVING * weights[k], cg_tissue_node_urge(tissue, nodes[k]));
        }
    }
    return sum;
}

bool cg_contact_is_open(const cg_contact_law *law)
{
    assert(law->thickness > 0);
    double d = law->thickness, distance = law->distance, expected = distance + v3_dot(law->normal, law->relative);
    bool is_kept = distance < d && distance + v3_dot(law->normal, law->urge) < d;
    return !(expected < (distance < d ? d : CG_CONTACT_CLOSES * d)) && !is_kept;
}

// Adds friction to a row that has its normal force; `load` is the normal force that is expected.
static void add_friction(const cg_contact_law *law, double load, double spring, cg_tissue_row *row)
{
    cg_vec3 n = law->normal, slip = v3_add_scaled(law->relative, -v3_dot(n, law->relative), n);
    cg_vec3 held = v3_scale(load, v3_add_scaled(law->traction, -v3_dot(law->traction, n), n));
    cg_vec3 trial = v3_add_scaled(held, -spring, slip);
    double most = law->friction * load, size = v3_length(trial);
    cg_vec3 force = trial;
    row->across = spring;
    if (size > most) {
        force = v3_scale(most / size, trial);
        row->across = most / (v3_length(slip) + most / spring);
    }
    // That force acts at the expected slip; the row begins where the tissue stands still and the shape alone moves.
    cg_vec3 unmoved = v3_scale(-1, v3_add_scaled(law->way, -v3_dot(law->way, n), n));
    force = v3_add_scaled(force, -row->across, v3_sub(unmoved, slip));
    row->force = v3_add(row->force, force);
}

// The law of the force over k d, by how much d is larger than D, as a share of D.
static double force_at(const cg_contact_law *law, double closeness)
{
    return closeness * (1 + law->stiffening * closeness);
}

// [m] the distance at the end of the step that the chord leads to.
static double chord_end(const cg_contact_law *law, double now, double expected)
{
    double d = law->thickness;
    double end = within(expected, now * (1 - MOST_APPROACH), d);
    if (end > now) {
        return end - now < STEADY * (d - now) ? now : end;
    }
    return now - end > law->calm * now ? end + law->calm * now : now;
}

void cg_contact_fill_row(const cg_contact_law *law, cg_tissue_row *row)
{
    assert(law->thickness > 0 && law->stiffness > 0);
    cg_vec3 n = law->normal;
    double d = law->thickness, distance = law->distance, expected = distance + v3_dot(n, law->relative);
    double whole = law->stiffness * FIRMNESS * law->part, stiffness = whole * law->facing;
    double now = within(distance, LEAST_DISTANCE * d, d), end = chord_end(law, now, expected);
    double before = d / now - 1, after = d / end - 1;
    double most = force_at(law, before > after ? before : after);
    double slope = stiffness * d * d / (now * end) * (1 + law->stiffening * (before + after));
    // The part grows as it comes nearer: as much more stiffness.
    slope += law->part < 1 ? stiffness / law->part * law->growth * most : 0;
    double unmoved = distance - v3_dot(n, law->way), begins = stiffness * d * force_at(law, before);
    row->normal = n;
    // So does what faces the other better; what it is now it stays while nothing moves.
    row->along = slope + (law->facing < 1 ? law->turning * whole * d * most : 0);
    row->across = 0;
    row->force = v3_scale(begins - slope * (unmoved - now), n);
    if (law->friction > 0) {
        double load = stiffness * d * force_at(law, after);
        add_friction(law, load < begins ? load : begins, GRIP * stiffness * (1 + law->stiffening * before), row);
    }
}

cg_vec3 cg_contact_traction(cg_vec3 force, cg_vec3 normal, double friction)
{
    double normal_force = v3_dot(force, normal);
    if (!(normal_force > 0)) {
        return v3_zero();
    }
    cg_vec3 across = v3_add_scaled(force, -normal_force, normal);
    double most = friction * normal_force, size = v3_length(across);
    double share = size > most ? most / size : 1;
    return v3_scale(share / normal_force, across);
}
