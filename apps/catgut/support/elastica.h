// Exact shapes of bent and hanging rods, from the theory of the elastica (B bending stiffness, w weight per length).
#ifndef CATGUT_SUPPORT_ELASTICA_H
#define CATGUT_SUPPORT_ELASTICA_H

// Where the free end of a rod of length 1, clamped horizontally at the origin, comes to rest.
typedef struct cg_tip {
    double angle; // [rad] slope below the horizontal
    double drop;  // downwards, as a share of the length
    double draw;  // towards the clamp, as a share of the length
} cg_tip;

// Dead load P across the rod at its tip; a = P L^2 / B above 0.
cg_tip cg_elastica_tip_load(double a);
// Own weight; b = w L^3 / B above 0. `shape` may be NULL; otherwise it gets `count` points (x along, y up) at equal
// steps of arc length from the clamp to the tip.
cg_tip cg_elastica_own_weight(double b, double (*shape)[2], int count);

// A clamped-free column pushed beyond its buckling load until its tip leans by `angle` [rad], 0 < angle < pi.
typedef struct cg_buckled {
    double load;   // over the buckling load
    double height; // of the tip above the clamp, as a share of the length
    double sway;   // of the tip sideways, as a share of the length
} cg_buckled;
cg_buckled cg_elastica_buckled(double angle);

// A chain of length 1 between two points of equal height at distance d, 0 < d < 1.
typedef struct cg_catenary {
    double scale;   // a; also the horizontal pull over the weight of the chain
    double sag;     // of the middle
    double tension; // largest, over the weight of the chain
    double slope;   // [rad] at the ends
} cg_catenary;
cg_catenary cg_catenary_of_span(double d);

// A long rod under tension T and torque M, bent into a local helix (m = M / sqrt(B T), 0 < m < 2).
typedef struct cg_helix {
    double angle;      // [rad] largest, between the tangent and the axis
    double shortening; // of the ends, in units of sqrt(B / T)
    double writhe;     // [rad] turn of the ends that is not twist
} cg_helix;
cg_helix cg_localised_helix(double m);
// Cosine of the angle between tangent and axis at arc length s from the middle, in units of sqrt(B / T).
double cg_localised_helix_cosine(double m, double s);

#endif
