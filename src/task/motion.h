// What can be said of the way of a tip: points [m] in order of time.
#ifndef CATGUT_TASK_MOTION_H
#define CATGUT_TASK_MOTION_H

#include "catgut/math.h"

// A hand stands still below the first speed [m/s], and has begun to move above the second.
#define CG_STILL_SPEED 5e-3
#define CG_MOVING_SPEED 10e-3

// [m] sum of the ways from point to point.
double cg_path_length(const cg_vec3 *points, int count);
// [m3] of the ellipsoid in which points spread evenly would have the same covariances: 4/3 pi sqrt(125 det C).
double cg_working_volume(const cg_vec3 *points, int count);
// Mean speeds [m/s] between points that are `interval` [s] apart: count - 1 of them.
void cg_speeds(const cg_vec3 *points, int count, double interval, double *speed);
// How often the speed went from standing still to moving.
int cg_movement_count(const double *speed, int count);

// The nearest point of a broken line to a point, when what lies along `across` (a unit vector, or zero) does not count.
// Returns the distance [m]; *along, if not NULL, becomes the length [m] of the line up to there.
double cg_line_distance(const cg_vec3 *line, int count, cg_vec3 across, cg_vec3 point, double *along);

#endif
