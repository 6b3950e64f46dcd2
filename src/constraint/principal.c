// Principal axes by Jacobi's rotations: each makes one entry beside the diagonal vanish.
#include <math.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "constraint/structure.h"

// Sweeps over the three entries; the method converges quadratically, so a few are enough.
enum { SWEEPS = 12 };

// The rotation in the plane of axes p and q after which entry (p, q) is zero: the one by the smaller angle.
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0) {
        return;
    }
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        double pk = a[p][k], qk = a[q][k], kp = v[k][p], kq = v[k][q];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
        v[k][p] = c * kp - s * kq;
        v[k][q] = s * kp + c * kq;
    }
    a[p][q] = a[q][p] = 0;
}

cg_vec3 cg_principal_axes(cg_mat3 inertia, cg_quat *axes)
{
    double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int row = 0; row < 3; row++) {
        cg_vec3 entries = m3_row(inertia, row);
        a[row][0] = entries.x, a[row][1] = entries.y, a[row][2] = entries.z;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        rotate(a, v, 0, 1);
        rotate(a, v, 0, 2);
        rotate(a, v, 1, 2);
    }
    // Products of rotations: the columns of v are right-handed.
    *axes = quat_normalise(quat_from_mat3(
        m3_from_rows(v3(v[0][0], v[0][1], v[0][2]), v3(v[1][0], v[1][1], v[1][2]), v3(v[2][0], v[2][1], v[2][2]))));
    return v3(a[0][0], a[1][1], a[2][2]);
}
