// The energies of a spline thread at one point, as functions of a = p', b = p'' and theta', with all derivatives.
#ifndef CATGUT_CONSTRAINT_SPLINE_STRAIN_H
#define CATGUT_CONSTRAINT_SPLINE_STRAIN_H

#include "base/mat3.h"
#include "constraint/spline_thread.h"

// An energy [J] and its derivatives by a and b.
typedef struct cg_strain {
    double energy;
    cg_vec3 by_a, by_b;
    cg_mat3 by_aa, by_ab, by_bb; // by_ab: row of a, column of b
} cg_strain;

// EA/2 (|a|/l - 1)^2 l w; of a alone.
cg_strain cg_strain_stretch(double stretch, double length, double weight, cg_vec3 a);

// EI/2 |a x b|^2 / |a|^6 l w.
cg_strain cg_strain_bend(double bend, double length, double weight, cg_vec3 a, cg_vec3 b);

// Not an energy: the twist m per u of the carried frame, m0 included.
cg_strain cg_strain_frame_twist(const cg_spline_frame *frame, cg_vec3 a, cg_vec3 b);

// The frame carried on to a and b.
cg_spline_frame cg_strain_carry(const cg_spline_frame *frame, cg_vec3 a, cg_vec3 b);

#endif
