// The thread is cut into equal parts by length. For each the shortest segment of all poses is kept; the density of
// places is its inverse, and the places are where the sum of the density, from the start on, is a whole number.
#include "export/resample.h"

#include <math.h>
#include <stdlib.h>

#include "support/vector.h"

static double length_of(const cg_vec3 *points, int count)
{
    double length = 0;
    for (int i = 0; i + 1 < count; i++) {
        length += vec_distance(points[i], points[i + 1]);
    }
    return length;
}

static int bin_at(double share)
{
    int bin = (int)(share * CG_RESAMPLE_BINS);
    return bin < 0 ? 0 : bin < CG_RESAMPLE_BINS ? bin : CG_RESAMPLE_BINS - 1;
}

void cg_resample_look(cg_resample *resample, const cg_vec3 *points, int count)
{
    double whole = length_of(points, count), from = 0;
    for (int b = 0; resample->most == 0 && b < CG_RESAMPLE_BINS; b++) {
        resample->finest[b] = 1;
    }
    resample->fewest = resample->most == 0 || count < resample->fewest ? count : resample->fewest;
    resample->most = count > resample->most ? count : resample->most;
    for (int i = 0; i + 1 < count && whole > 0; i++) {
        double share = vec_distance(points[i], points[i + 1]) / whole;
        for (int b = bin_at(from); b <= bin_at(from + share); b++) {
            resample->finest[b] = fminf(resample->finest[b], (float)share);
        }
        from += share;
    }
}

// No finer than a part: segments that are pushed together to nothing would ask for any number of places.
static double density_at(const cg_resample *resample, int bin)
{
    return 1.0 / fmax((double)resample->finest[bin], 0.25 / CG_RESAMPLE_BINS);
}

bool cg_resample_end(cg_resample *resample)
{
    if (resample->fewest == resample->most) {
        return true;
    }
    double all = 0;
    for (int b = 0; b < CG_RESAMPLE_BINS; b++) {
        all += density_at(resample, b) / CG_RESAMPLE_BINS;
    }
    int segments = (int)ceil(all);
    resample->count = segments + 1;
    resample->shares = calloc((size_t)resample->count, sizeof *resample->shares);
    if (!resample->shares) {
        return false;
    }
    double sum = 0;
    int place = 1;
    for (int b = 0; b < CG_RESAMPLE_BINS; b++) {
        double here = density_at(resample, b) / CG_RESAMPLE_BINS;
        for (; place < segments && place * all / segments <= sum + here; place++) {
            resample->shares[place] = (b + (place * all / segments - sum) / here) / CG_RESAMPLE_BINS;
        }
        sum += here;
    }
    for (; place <= segments; place++) {
        resample->shares[place] = 1;
    }
    return true;
}

void cg_resample_points(const cg_resample *resample, const cg_vec3 *points, int count, cg_vec3 *out)
{
    double whole = length_of(points, count), from = 0, length = vec_distance(points[0], points[1]);
    int segment = 0;
    for (int k = 0; k < resample->count; k++) {
        double at = resample->shares[k] * whole;
        for (; segment + 2 < count && at > from + length;) {
            from += length;
            segment++;
            length = vec_distance(points[segment], points[segment + 1]);
        }
        double share = length > 0 ? fmin(fmax((at - from) / length, 0), 1) : 0;
        cg_vec3 way = vec_sub(points[segment + 1], points[segment]);
        out[k] = k + 1 == resample->count ? points[count - 1] : vec_add(points[segment], vec_scale(share, way));
    }
}
