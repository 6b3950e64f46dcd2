// Structures (catgut/structure.h) as systems of this room: what they are made of, and the table of functions by which
// worlds use them.
//
//     cg_use_structures(cg_constraint_structures()); // before the first world is made
#ifndef CATGUT_CONSTRAINT_STRUCTURE_H
#define CATGUT_CONSTRAINT_STRUCTURE_H

#include "constraint/suturing.h"
#include "solve/structure.h"

const cg_structure_functions *cg_constraint_structures(void);

// Sheets that a structure can have.
enum { CG_STRUCTURE_MOST_TISSUES = 16 };

// What belongs to a structure: the body of the system, and the one of the world that shows it.
typedef struct cg_structure_spline {
    cg_thread *thread;
    int body;
    int holds[2]; // constraints of its ends; -1: free
} cg_structure_spline;

typedef struct cg_structure_body {
    cg_rigid *rigid;
    int body;
    cg_quat axes; // from its principal axes, which the system has, to those of the body
} cg_structure_body;

typedef struct cg_structure_sheet {
    cg_tissue *tissue;
    int body;
} cg_structure_sheet;

// What was made of a constraint of the definition.
typedef struct cg_structure_joint {
    int first;      // its first constraint in the system
    bool has_point; // that one holds a point
    cg_hand_id hand;
    cg_vec3 local; // [m] of a site that a hand leads: in the axes of the hand
} cg_structure_joint;

typedef struct cg_structure {
    cg_allocator allocator;
    cg_structure_finder finder;
    cg_dae *dae;
    cg_structure_spline *splines;
    cg_structure_body *bodies;
    cg_structure_sheet sheets[CG_STRUCTURE_MOST_TISSUES];
    cg_structure_joint *joints;
    int spline_count, body_count, sheet_count, joint_count;
    cg_suturing suturings[CG_STRUCTURE_MOST_STITCHINGS];
    int suturing_count;
    int points, most_points; // control points and nodes: how many there are, and may be
    int lasting;             // constraints that are always there; those of stitches come behind them
    // stitches in the order of their constraints
    int stitches[CG_STRUCTURE_MOST_STITCHINGS];
    int stitch_count;
    bool is_stuck; // it could not be made ready: it stands still
} cg_structure;

// structure_make.c
cg_status cg_structure_make(const cg_structure_def *def, const cg_structure_finder *finder,
                            const cg_step_context *context, const cg_allocator *allocator, void **structure);
void cg_structure_destroy(void *structure);
// Abscissa of an arc length at rest, within the spline.
double cg_structure_abscissa(const cg_spline *spline, double arc);

// structure_sites.c: what the constraints of a definition become. The bodies are there.
cg_status cg_structure_add_constraints(cg_structure *structure, const cg_structure_def *def);
cg_status cg_structure_hold_ends(cg_structure *structure, int index);

// structure_step.c
cg_status cg_structure_make_ready(void *structure);
void cg_structure_step(void *structure, const cg_step_context *context);
// Threads, bodies and tissues of the world go where those of the system are.
void cg_structure_show(const cg_structure *structure);

// structure_state.c
void cg_structure_visit_state(cg_archive *archive, void *structure);
cg_status cg_structure_after_load(void *structure);

// spline_fit.c: control points of the spline that passes through as many points less two, without bending at its ends;
// `work` has room for as many numbers as there are control points.
void cg_spline_fit(const cg_vec3 *points, int control_count, cg_vec3 *controls, double *work);

// principal.c: axes about which a body turns by itself, as the rotation from them to its own, and the moments of
// inertia [kg m2] about them.
cg_vec3 cg_principal_axes(cg_mat3 inertia, cg_quat *axes);

#endif
