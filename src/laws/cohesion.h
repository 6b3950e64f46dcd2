// The law of what sticks and is drawn apart, a cohesive zone in one number: by the opening e it bears, with its
// strength S and its stiffness k,
//
//     k e up to S, at e0 = S/k;   S up to CG_BOND_PLATEAU e0;   from there falling to 0 at CG_BOND_END e0.
//
// The largest opening so far counts: what has been drawn farther is softer below it, for good. The plateau lets
// neighbours share a load, whichever of them is drawn first; the fall lets a row of them open like a zip rather than
// burst. To draw it apart takes COHESION_WORK S e0.
#ifndef CATGUT_LAWS_COHESION_H
#define CATGUT_LAWS_COHESION_H

#include <stdbool.h>

#define CG_BOND_PLATEAU 3
#define CG_BOND_END 5
// 1/2 up to e0, the plateau, and half of the fall.
#define COHESION_WORK (0.5 + (CG_BOND_PLATEAU - 1) + 0.5 * (CG_BOND_END - CG_BOND_PLATEAU))

typedef struct cg_cohesion {
    double strength;  // [N] S
    double stiffness; // [N/m] k
} cg_cohesion;

// [N] what it bears at an opening [m] when it was never drawn farther.
static inline double cohesion_bears(cg_cohesion law, double opening)
{
    double first = law.strength / law.stiffness, end = CG_BOND_END * first, fall = CG_BOND_PLATEAU * first;
    if (opening <= first) {
        return law.stiffness * opening;
    }
    return opening <= fall ? law.strength : (opening < end ? law.strength * (end - opening) / (end - fall) : 0);
}

// [N/m] what is left of the stiffness once it was drawn so far.
static inline double cohesion_left(cg_cohesion law, double worst)
{
    return worst > law.strength / law.stiffness ? cohesion_bears(law, worst) / worst : law.stiffness;
}

static inline bool cohesion_holds(cg_cohesion law, double worst)
{
    return worst < CG_BOND_END * law.strength / law.stiffness;
}

// [N] the most that it will ever bear, once it was drawn so far.
static inline double cohesion_strength_left(cg_cohesion law, double worst)
{
    return worst > law.strength / law.stiffness ? cohesion_bears(law, worst) : law.strength;
}

#endif
