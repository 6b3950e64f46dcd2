// A spline through given points. At knot k it is (c[k] + 4 c[k + 1] + c[k + 2]) / 6, and its second derivative there
// c[k] - 2 c[k + 1] + c[k + 2]. Without bending at the ends c[1] and c[n - 2] are the end points themselves, so that
// what is left is a system of three diagonals for the control points between them.
#include "base/vec3.h"
#include "constraint/structure.h"

void cg_spline_fit(const cg_vec3 *points, int control_count, cg_vec3 *controls, double *work)
{
    int last = control_count - 2; // the control point at the last knot
    controls[1] = points[0];
    controls[last] = points[last - 1];
    // forwards: c[k] = controls[k] - work[k] c[k + 1]
    work[1] = 0;
    for (int k = 2; k < last; k++) {
        double pivot = 4 - work[k - 1];
        work[k] = 1 / pivot;
        controls[k] = v3_scale(1 / pivot, v3_sub(v3_scale(6, points[k - 1]), controls[k - 1]));
    }
    for (int k = last - 1; k > 1; k--) {
        controls[k] = v3_add_scaled(controls[k], -work[k], controls[k + 1]);
    }
    controls[0] = v3_sub(v3_scale(2, controls[1]), controls[2]);
    controls[last + 1] = v3_sub(v3_scale(2, controls[last]), controls[last - 1]);
}
