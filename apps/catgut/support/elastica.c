#include "support/elastica.h"

#include <math.h>
#include <stddef.h>

#include "support/special.h"

// The load that bends the tip down to `angle`, less the wanted one. With k^2 = (1 + sin angle) / 2 and
// sin phi = 1 / (k sqrt 2) the arc length integral becomes sqrt(a) = K(k) - F(phi, k).
static double tip_load_excess(double angle, const void *wanted)
{
    double k = sqrt((1 + sin(angle)) / 2);
    double phi = asin(fmin(1, sqrt(0.5) / k));
    return cg_elliptic_k(k) - cg_elliptic_f_incomplete(phi, k) - sqrt(*(const double *)wanted);
}

cg_tip cg_elastica_tip_load(double a)
{
    double angle = cg_find_root(tip_load_excess, &a, 0, CG_PI / 2 - 1e-7);
    double k = sqrt((1 + sin(angle)) / 2);
    double phi = asin(fmin(1, sqrt(0.5) / k));
    double along = cg_elliptic_e(k) - cg_elliptic_e_incomplete(phi, k);
    return (cg_tip){.angle = angle, .drop = 1 - 2 * along / sqrt(a), .draw = 1 - sqrt(2 * sin(angle) / a)};
}

// State of the heavy rod, integrated from the free end (u = 0) to the clamp (u = 1).
typedef struct heavy_state {
    double angle, bend, x, y;
} heavy_state;

static heavy_state heavy_rate(double u, heavy_state s, double b)
{
    return (heavy_state){.angle = s.bend, .bend = -b * u * cos(s.angle), .x = cos(s.angle), .y = sin(s.angle)};
}

static heavy_state heavy_add(heavy_state s, heavy_state rate, double h)
{
    return (heavy_state){s.angle + h * rate.angle, s.bend + h * rate.bend, s.x + h * rate.x, s.y + h * rate.y};
}

static heavy_state heavy_step(double u, heavy_state s, double b, double h)
{
    heavy_state k1 = heavy_rate(u, s, b);
    heavy_state k2 = heavy_rate(u + h / 2, heavy_add(s, k1, h / 2), b);
    heavy_state k3 = heavy_rate(u + h / 2, heavy_add(s, k2, h / 2), b);
    heavy_state k4 = heavy_rate(u + h, heavy_add(s, k3, h), b);
    s = heavy_add(s, k1, h / 6);
    s = heavy_add(s, k2, h / 3);
    s = heavy_add(s, k3, h / 3);
    return heavy_add(s, k4, h / 6);
}

enum { HEAVY_STEPS = 2000 };

static double heavy_angle_at_clamp(double tip_angle, const void *load)
{
    double b = *(const double *)load;
    heavy_state s = {.angle = tip_angle};
    for (int i = 0; i < HEAVY_STEPS; i++) {
        s = heavy_step((double)i / HEAVY_STEPS, s, b, 1.0 / HEAVY_STEPS);
    }
    return s.angle;
}

cg_tip cg_elastica_own_weight(double b, double (*shape)[2], int count)
{
    // From the tip the unknown is the tip's own slope, and the slope at the clamp grows with it: shooting cannot miss.
    double angle = cg_find_root(heavy_angle_at_clamp, &b, 0, CG_PI / 2);
    heavy_state s = {.angle = angle};
    heavy_state path[HEAVY_STEPS + 1];
    path[0] = s;
    for (int i = 0; i < HEAVY_STEPS; i++) {
        s = heavy_step((double)i / HEAVY_STEPS, s, b, 1.0 / HEAVY_STEPS);
        path[i + 1] = s;
    }
    for (int i = 0; shape && i < count; i++) {
        double place = HEAVY_STEPS * (1 - (double)i / (count - 1));
        int below = (int)fmin(place, HEAVY_STEPS - 1);
        double part = place - below;
        shape[i][0] = s.x - (path[below].x * (1 - part) + path[below + 1].x * part);
        shape[i][1] = -(s.y - (path[below].y * (1 - part) + path[below + 1].y * part));
    }
    return (cg_tip){.angle = angle, .drop = s.y, .draw = 1 - s.x};
}

cg_buckled cg_elastica_buckled(double angle)
{
    double k = sin(angle / 2);
    double first = cg_elliptic_k(k), second = cg_elliptic_e(k);
    double ratio = 2 * first / CG_PI;
    return (cg_buckled){.load = ratio * ratio, .height = 2 * second / first - 1, .sway = 2 * k / first};
}

static double catenary_excess(double x, const void *span)
{
    return sinh(x) / x - 1 / *(const double *)span;
}

cg_catenary cg_catenary_of_span(double d)
{
    double x = cg_find_root(catenary_excess, &d, 1e-6, 50);
    double scale = d / (2 * x);
    return (cg_catenary){
        .scale = scale,
        .sag = scale * (cosh(x) - 1),
        .tension = scale * cosh(x),
        .slope = atan(sinh(x)),
    };
}

cg_helix cg_localised_helix(double m)
{
    return (cg_helix){
        .angle = acos(m * m / 2 - 1),
        .shortening = 4 * sqrt(1 - m * m / 4),
        .writhe = 4 * acos(m / 2),
    };
}

double cg_localised_helix_cosine(double m, double s)
{
    double narrowness = 1 - m * m / 4;
    double hyperbolic = cosh(sqrt(narrowness) * s);
    return 1 - 2 * narrowness / (hyperbolic * hyperbolic);
}
