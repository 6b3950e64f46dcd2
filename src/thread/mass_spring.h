// The mass-spring thread (Shi 2008, chapters 2 and 4): points joined by springs and dampers, moved by explicit steps.
//
// Words, as in thread.h: vertex i, segment i from vertex i to i + 1, joint i at vertex i between segments i - 1 and i.
//
// Forces, each on its own in mass_spring.c:
//   linear spring     k (l - r) / r along the segment; squared, with its sign, in model 5
//   linear damper     against the rate of the segment's length
//   torsional spring  against the angle between the segments of a joint
//   torsional damper  against the rate of that angle
//   swivel damper     against what is left: motion of the joint's ends out of its plane
//
// Two things in the source are not as it says itself, and both ways are here. Its dampers are printed with the sign
// that adds energy: `as_printed` keeps it, for comparison alone. Its directions t and s are called unit vectors, but
// the formulas give them the length sin(angle), which makes dampers vanish on a straight thread, and longer steps
// possible.
#ifndef CATGUT_THREAD_MASS_SPRING_H
#define CATGUT_THREAD_MASS_SPRING_H

#include <stdbool.h>

#include "catgut/math.h"

typedef struct cg_mass_spring_def {
    int model;               // 1 to 5: which of the forces act
    double mass;             // [kg] of a vertex
    double rest_length;      // [m] of a segment
    double linear_spring;    // [N] at a strain of 1
    double quadratic_spring; // [N] at a strain of 1, model 5
    double linear_damper;    // [N s/m]
    double torsional_spring; // [N m] at an angle of pi
    double torsional_damper; // [N m s]
    double swivel_damper;    // [N s]
    bool sine_directions;    // t and s as long as the formulas make them, not unit length
    bool as_printed;         // torsional and swivel dampers with the printed sign: they add energy
} cg_mass_spring_def;

// Table 4.1 of the source: 0.5 m in `vertices` points.
cg_mass_spring_def cg_mass_spring_def_table(int model, int vertices);

// [s] The largest stable step of a thread whose joints bend by at most `most_bend` [rad] and whose segments are
// strained by at most `most_strain`. Explicit steps with damping, w^2 h^2 + 2 g h <= 4 for the stiffest wave, w^2 and g
// of springs and dampers bounded apart. Joints matter only for sine_directions.
double cg_mass_spring_largest_step(const cg_mass_spring_def *def, double most_bend, double most_strain);

// Adds the forces [N] at these places and velocities to `force`; springs between `held` vertices alone, which move
// nothing, are left out; with NULL none are.
void cg_mass_spring_add_forces(const cg_mass_spring_def *def, int vertices, const cg_vec3 *position,
                               const cg_vec3 *velocity, const bool *held, cg_vec3 *force);

// [J] Of the linear springs, and of the torsional ones (as if t had unit length).
double cg_mass_spring_stretch_energy(const cg_mass_spring_def *def, int vertices, const cg_vec3 *position);
double cg_mass_spring_bend_energy(const cg_mass_spring_def *def, int vertices, const cg_vec3 *position);

// [N] Pull of a segment: spring and damper.
double cg_mass_spring_pull(const cg_mass_spring_def *def, const cg_vec3 *position, const cg_vec3 *velocity,
                           int segment);

// A step (2.3), (2.4): `force` is what acts from outside, gravity included, and is used up. Held vertices stay; with
// `held` NULL there are none.
void cg_mass_spring_step(const cg_mass_spring_def *def, int vertices, cg_vec3 *position, cg_vec3 *velocity,
                         cg_vec3 *force, const bool *held, double time_step);

#endif
