// What the experiments of src/constraint share: structures that they build, and steps with their troubles told.
#ifndef CATGUT_EXPERIMENTS_CONSTRAINT_DAE_RIG_H
#define CATGUT_EXPERIMENTS_CONSTRAINT_DAE_RIG_H

#include "constraint/dae.h"
#include "experiments/experiment.h"
#include "tissue/tissue.h"

// NULL, and the report says why, when it cannot be made. Destroy by cg_dae_destroy.
cg_dae *cg_dae_rig_open(const cg_dae_def *def, cg_report *report);
// Says in the report what went wrong; true when nothing did.
bool cg_dae_rig_good(cg_status status, cg_report *report);
// Steps; false, and the report says so, when one failed. Prepares anew where a step asks for it.
bool cg_dae_rig_steps(cg_dae *dae, int count, cg_report *report);

// Adds a quantity that should be `expected` within `tolerance` (0 expected: at most so much).
void cg_dae_rig_add(cg_report *report, const char *name, double published, double expected, double measured,
                    double tolerance, const char *unit);

// Boxes of length x length/5 x length/5 and 1000 kg/m3 in a row along x, joined by balls, the first to the room.
bool cg_dae_rig_chain(cg_dae *dae, int links, double length, int index, cg_report *report);
// Four bars in a square, 0.1 m, with hinges, that hangs by a point above its upper bar. *hinge: the constraint to the
// room.
bool cg_dae_rig_loop(cg_dae *dae, double mass_damping, int *hinge, cg_report *report);

// A grid of nodes x nodes over side x side [m], 1 mm thick, 100 kPa; rim fixed or not.
cg_tissue_def cg_dae_rig_sheet_def(int nodes, double side, bool fix_rim);

// Thread and sheet: a thread of 0.2 m that stands upright in the middle of a sheet, its upper end held.
typedef struct cg_dae_rig_sewing {
    cg_dae *dae;
    int sheet, thread;
    int abscissa; // -1: no stitch
    int hold;     // the constraint of the upper end
    cg_vec3 top;  // where it began [m]
    int triangle; // where the thread passes
} cg_dae_rig_sewing;

bool cg_dae_rig_sew(cg_dae_rig_sewing *sewing, const cg_dae_def *def, int controls, int nodes, bool has_stitch,
                    cg_report *report);
// The same without a stitch and with a thread as stiff as a needle, whose lower end is above the sheet; its upper end
// is held in direction too. Not yet prepared.
bool cg_dae_rig_sew_above(cg_dae_rig_sewing *sewing, const cg_dae_def *def, int controls, int nodes, double above,
                          cg_report *report);
// Draws the upper end up and aside at 50 and 30 mm/s: where it is after `time`, from the beginning.
void cg_dae_rig_draw(const cg_dae_rig_sewing *sewing, double time);

#endif
