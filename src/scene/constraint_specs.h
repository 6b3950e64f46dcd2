// The constraints of a scene as they were written; specs.h has everything else.
#ifndef CATGUT_SCENE_CONSTRAINT_SPECS_H
#define CATGUT_SCENE_CONSTRAINT_SPECS_H

#include "catgut/structure.h"
#include "scene/fields.h"

enum { CG_SCENE_JOINTS = CG_STRUCTURE_MOST_CONSTRAINTS, CG_SCENE_SPLINES = 64, CG_SCENE_SPLINE_CONTACTS = 8 };

typedef struct cg_constraints_spec {
    int index;
    const cg_json_value *solver, *splines, *joints, *contacts, *stitches;
} cg_constraints_spec;

typedef struct cg_solver_spec {
    int multipliers;            // a cg_structure_multipliers
    double residual, violation; // [N s], mixed
    int iterations;
    bool keep_factors, project_places, project_velocities;
} cg_solver_spec;

typedef struct cg_spline_spec {
    const char *thread;
    int control_points;
} cg_spline_spec;

typedef struct cg_site_spec {
    const char *body, *thread, *tissue;
    double arc;    // [m]
    cg_vec3 place; // [m]
} cg_site_spec;

typedef struct cg_joint_spec {
    int kind; // a cg_constraint_kind
    const cg_json_value *between;
    cg_vec3 position, axis; // [m], direction
    int index;              // 0 when not given
    const char *hand;
} cg_joint_spec;

typedef struct cg_touching_spec {
    const char *first, *second;
} cg_touching_spec;

typedef struct cg_sewing_spec {
    const char *thread, *tissue;
    int tip;          // a cg_end
    double threshold; // [N]
} cg_sewing_spec;

extern const cg_scene_type cg_type_constraints, cg_type_solver, cg_type_spline, cg_type_joint, cg_type_site,
    cg_type_touching, cg_type_sewing;

// The presets of the fields.
cg_constraints_spec cg_constraints_spec_default(void);
cg_solver_spec cg_solver_spec_default(void);
cg_joint_spec cg_joint_spec_default(void);

#endif
