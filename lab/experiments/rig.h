// The test rig that all experiments share: one rod in a world of its own, with loads that stay on it.
#ifndef CATGUT_EXPERIMENTS_RIG_H
#define CATGUT_EXPERIMENTS_RIG_H

#include <stdbool.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"

// A rod and the world it is tested in. Start from cg_rod_default.
typedef struct cg_rod {
    int vertex_count;
    double length;         // [m]
    double bend;           // B = EI [N m2]
    double twist;          // C = GJ [N m2]
    double stretch;        // EA [N]
    double linear_density; // [kg/m]

    cg_end_kind start, finish;
    cg_vec3 start_direction, finish_direction; // of clamps; zero: as the rod lies
    const cg_vec3 *positions;                  // [m] NULL: straight from the origin along x
    double squeeze;                            // rest lengths are longer than the start's by this share

    cg_inertia inertia;
    double drag;         // [1/s] for CG_TRUE_MASS
    double sluggishness; // for CG_LOW_MASS: resistance to one step's motion, in units of B / L^4 per length. Small:
                         // a Newton step towards equilibrium. About the stiffness of a mode (pi^4 and more): the mode
                         // moves by a part of itself.
    double time_step;    // [s]
    cg_vec3 gravity;     // [m/s2]
    int passes;
    bool line_search;
} cg_rod;

// 0.2 m of 3-0 nylon, all but inextensible, 200 vertices, both ends free, no gravity, made to seek equilibrium.
cg_rod cg_rod_default(void);

enum { CG_RIG_MAX_LOADS = 8 };

typedef struct cg_rig {
    cg_rod rod;
    cg_world *world;
    cg_thread_id thread;
    cg_report *report;
    int load_count;
    struct {
        bool is_moment;
        int place; // vertex of a force, segment of a moment
        cg_vec3 value;
    } loads[CG_RIG_MAX_LOADS];
    cg_vec3 *before;  // positions before the last step
    double last_move; // [m] largest motion of a vertex in the last step
} cg_rig;

// Sets a rod up. On failure the report says why and the rig must not be used. Close it in either case.
bool cg_rig_open(cg_rig *rig, const cg_rod *rod, cg_report *report);
void cg_rig_close(cg_rig *rig);

const cg_vec3 *cg_rig_points(const cg_rig *rig);
cg_vec3 cg_rig_tip(const cg_rig *rig);

// Loads that act in every step from now on.
void cg_rig_clear_loads(cg_rig *rig);
void cg_rig_push(cg_rig *rig, int vertex, cg_vec3 force);
void cg_rig_push_moment(cg_rig *rig, int segment, cg_vec3 moment);
// Turns a clamped end to `turn` [rad].
void cg_rig_turn_end(cg_rig *rig, cg_end end, double turn);

void cg_rig_step(cg_rig *rig);
// Steps until no vertex moves by more than `share` of the length in a step. Says so in the report, and returns false,
// when `most` steps were not enough.
bool cg_rig_settle(cg_rig *rig, double share, int most);

// The factor by which a small disturbance grows from step to step, once the fastest one has outgrown the others: above
// 1 means unstable. Only the directions with a 1 in `directions` are looked at. The disturbance must be in the start
// shape.
double cg_rig_growth(cg_rig *rig, cg_vec3 directions);

// Where the growth factors of several loads pass 1, by a parabola; near is a first guess.
double cg_critical_load(const double *loads, const double *factors, int count, double near);

// Mean tension [N] of all segments, mean torque [N m] of all inner vertices.
double cg_rig_mean_tension(const cg_rig *rig);
double cg_rig_mean_torque(const cg_rig *rig);

// Zero crossings of a signal given sample by sample, interpolated.
typedef struct cg_crossings {
    double last_time, last_value;
    double first, latest; // times of the first and the latest crossing
    int count;
    bool started;
} cg_crossings;
void cg_crossings_add(cg_crossings *crossings, double time, double value);
// Twice the mean time between crossings; NaN with fewer than two.
double cg_crossings_period(const cg_crossings *crossings);

#endif
