// Devices that are known, and how stiff a spring they bear.
//
// A spring K that is computed from samples of period T and acts after a further delay d lags behind what it is computed
// from by T/2 + d on average. It brings energy K (T/2 + d) v^2 into a motion of velocity v, which the damping b of the
// mechanics must take out: K < b / (T/2 + d) (Colgate and Schenkel for d = 0). Where no sheet has b it is K T/2 for the
// stiffness that is recommended at 1 kHz: the device is then taken to bear just that.
#include <string.h>

#include "feel/feel.h"

static const double SHEET_PERIOD = 1e-3; // [s] for which stiffness is recommended
// Of the limit: what quantised positions and friction that differs from axis to axis take.
static const double MARGIN = 0.8;

static const char LIMITS[] =
    "greatest force and stiffness as CHAI3D 3.2 allows them; lasting force, friction, resolution, mass and arms from "
    "the maker's sheet; damping K T/2";
static const char OMNI_LIMITS[] = "no sheet was found: the limits of the Omni; pivots at a port";

static const cg_device_def DEVICES[CG_DEVICE_COUNT] = {
    [CG_DEVICE_OMNI] = {"omni", LIMITS, 3.3, 0.88, 700, 0.35, 0.26, 0.055e-3, 0.045, {1260, 2310, 1020}, 0, false},
    [CG_DEVICE_TOUCH] = {"touch", LIMITS, 3.3, 0.88, 400, 0.2, 0.26, 0.055e-3, 0.045, {1260, 2310, 1020}, 0, false},
    [CG_DEVICE_DESKTOP] =
        {"desktop", LIMITS, 7.9, 1.75, 1000, 0.5, 0.06, 0.023e-3, 0.045, {1860, 2350, 1480}, 0, false},
    [CG_DEVICE_VLI] = {"vli", OMNI_LIMITS, 3.3, 0.88, 700, 0.35, 0.26, 0.055e-3, 0.045, {1260, 2310, 1020}, 0, true},
    [CG_DEVICE_LAPIE] =
        {"lapie", OMNI_LIMITS, 3.3, 0.88, 700, 0.35, 0.26, 0.055e-3, 0.045, {1260, 2310, 1020}, 0, true},
};

cg_device_def cg_device_get(cg_device_kind kind)
{
    bool known = kind >= 0 && kind < CG_DEVICE_COUNT;
    return DEVICES[known ? kind : CG_DEVICE_OMNI];
}

bool cg_device_find(const char *name, cg_device_kind *kind)
{
    for (int i = 0; i < CG_DEVICE_COUNT; i++) {
        if (strcmp(DEVICES[i].name, name) == 0) {
            *kind = (cg_device_kind)i;
            return true;
        }
    }
    return false;
}

double cg_device_stiffness(const cg_device_def *device, double period, double delay)
{
    double shortest = period > SHEET_PERIOD ? period : SHEET_PERIOD;
    double passive = device->damping / (0.5 * shortest + delay);
    return MARGIN * (passive < device->max_stiffness ? passive : device->max_stiffness);
}
