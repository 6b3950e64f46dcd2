// The tables of fields of constraints.
#include "scene/constraint_specs.h"
#include "scene/tables.h"

static const char *const kind_words[] = {
    "point", "hinge", "tangent", "stretch", "slide", "rod", NULL};               // in the order
                                                                                 // of cg_constraint_kind
static const char *const way_words[] = {"unknown", "eliminated", "dense", NULL}; // as cg_structure_multipliers
static const char *const end_words[] = {"start", "finish", NULL};                // as cg_end

// clang-format off
static const cg_scene_field solver_fields[] = {
    {.name = "multipliers", .kind = CG_SCENE_WORD, AT(cg_solver_spec, multipliers), .words = way_words,
     .preset = "\"unknown\"", .text = "forces of constraints are unknowns beside the velocities, or eliminated into a dense "
             "system of their own; `dense` puts everything into one dense matrix, which is slow"},
    {.name = "residual", .kind = CG_SCENE_QUANTITY, AT(cg_solver_spec, residual), .unit = "N s", .low = 0, .high = 1,
     .above_low = true, .preset = "1e-12", .text = "norm of the equations of motion at which a step is done"},
    {.name = "violation", .kind = CG_SCENE_QUANTITY, AT(cg_solver_spec, violation), .unit = "", .low = 0, .high = 1,
     .above_low = true, .preset = "1e-12", .text = "the same of the constraints, each on its own level"},
    {.name = "iterations", .kind = CG_SCENE_INTEGER, AT(cg_solver_spec, iterations), .low = 1, .high = 63,
     .preset = "20", .text = "most of Newton's method in a step"},
    {.name = "keep_factors", .kind = CG_SCENE_FLAG, AT(cg_solver_spec, keep_factors), .preset = "true",
     .text = "factor once a step, and again only where that converges slowly"},
    {.name = "project_places", .kind = CG_SCENE_FLAG, AT(cg_solver_spec, project_places), .preset = "true",
     .text = "after each step places are brought onto the constraints"},
    {.name = "project_velocities", .kind = CG_SCENE_FLAG, AT(cg_solver_spec, project_velocities), .preset = "true",
     .text = "and velocities"},
};
const cg_scene_type cg_type_solver = {
    .name = "a solver", .text = "How the equations of a step are solved.", .fields = solver_fields,
    .field_count = COUNT(solver_fields)};

static const cg_scene_field spline_fields[] = {
    {.name = "thread", .kind = CG_SCENE_TEXT, AT(cg_spline_spec, thread), .low = 1, .high = 60, .required = true,
     .text = "which thread"},
    {.name = "control_points", .kind = CG_SCENE_INTEGER, AT(cg_spline_spec, control_points), .low = 4, .high = 1000,
     .required = true, .text = "of its spline; threads that are not listed have 20"},
};
const cg_scene_type cg_type_spline = {
    .name = "a spline", .text = "How a thread of the constraints is divided.", .fields = spline_fields,
    .field_count = COUNT(spline_fields)};

static const cg_scene_field site_fields[] = {
    {.name = "body", .kind = CG_SCENE_TEXT, AT(cg_site_spec, body), .low = 1, .high = 60, .text = "a free body"},
    {.name = "thread", .kind = CG_SCENE_TEXT, AT(cg_site_spec, thread), .low = 1, .high = 60, .text = "a thread"},
    {.name = "tissue", .kind = CG_SCENE_TEXT, AT(cg_site_spec, tissue), .low = 1, .high = 60,
     .text = "a sheet; the point of its surface that is nearest to the place"},
    {.name = "arc", .kind = CG_SCENE_QUANTITY, AT(cg_site_spec, arc), .unit = "m", .low = 0, .high = FAR,
     .preset = "0", .text = "of a thread: length from its start; beyond its finish: that"},
    {.name = "place", .kind = CG_SCENE_VECTOR, AT(cg_site_spec, place), .unit = "m", .low = -FAR, .high = FAR,
     .text = "of a body or tissue: where it is taken hold of; the position of the joint when not given"},
};
const cg_scene_type cg_type_site = {
    .name = "a site", .text = "Where a joint takes hold.", .fields = site_fields, .field_count = COUNT(site_fields),
    .one_of = {"body", "thread", "tissue"}};

static const cg_scene_field joint_fields[] = {
    {.name = "kind", .kind = CG_SCENE_WORD, AT(cg_joint_spec, kind), .words = kind_words, .required = true,
     .text = "`point`: two points stay together (a fixed point, a ball joint); `hinge`: bodies turn about an axis; "
             "`tangent`: that of a thread keeps its direction; `stretch`: and its length; `slide`: a thread passes "
             "through a point, which slides along it; `rod`: two points keep their distance"},
    {.name = "between", .kind = CG_SCENE_OBJECTS, AT(cg_joint_spec, between), .type = &cg_type_site, .low = 1, .high = 2,
     .required = true, .text = "one site, joined to space, or two"},
    {.name = "position", .kind = CG_SCENE_VECTOR, AT(cg_joint_spec, position), .unit = "m", .low = -FAR, .high = FAR,
     .text = "where the joint is in the beginning; when not given, where its thread is"},
    {.name = "axis", .kind = CG_SCENE_VECTOR, AT(cg_joint_spec, axis), .unit = "", .low = -1e6, .high = 1e6,
     .preset = "[0, 1, 0]", .text = "of a hinge, in the beginning"},
    {.name = "index", .kind = CG_SCENE_INTEGER, AT(cg_joint_spec, index), .low = 1, .high = 3,
     .text = "3, 2 or 1: held on the level of places, velocities or accelerations; that of the constraints when not "
             "given"},
    {.name = "hand", .kind = CG_SCENE_TEXT, AT(cg_joint_spec, hand), .low = 1, .high = 60,
     .text = "the point in space goes where this hand goes"},
};
const cg_scene_type cg_type_joint = {
    .name = "a joint", .text = "A constraint.", .fields = joint_fields, .field_count = COUNT(joint_fields)};

static const cg_scene_field touching_fields[] = {
    {.name = "first", .kind = CG_SCENE_TEXT, AT(cg_touching_spec, first), .low = 1, .high = 60, .required = true,
     .text = "a thread"},
    {.name = "second", .kind = CG_SCENE_TEXT, AT(cg_touching_spec, second), .low = 1, .high = 60, .required = true,
     .text = "another, or the same: one with itself"},
};
const cg_scene_type cg_type_touching = {
    .name = "a contact", .text = "Two threads of the constraints that touch each other, without friction.",
    .fields = touching_fields, .field_count = COUNT(touching_fields)};

static const cg_scene_field sewing_fields[] = {
    {.name = "thread", .kind = CG_SCENE_TEXT, AT(cg_sewing_spec, thread), .low = 1, .high = 60, .required = true,
     .text = "the thread that pierces"},
    {.name = "tip", .kind = CG_SCENE_WORD, AT(cg_sewing_spec, tip), .words = end_words, .preset = "\"start\"",
     .text = "with which end"},
    {.name = "tissue", .kind = CG_SCENE_TEXT, AT(cg_sewing_spec, tissue), .low = 1, .high = 60, .required = true,
     .text = "the sheet that is pierced"},
    {.name = "threshold", .kind = CG_SCENE_QUANTITY, AT(cg_sewing_spec, threshold), .unit = "N", .low = 0, .high = 1e6,
     .above_low = true, .required = true, .text = "contact force at which it is"},
};
const cg_scene_type cg_type_sewing = {
    .name = "a stitch of constraints", .text = "An end of a thread that pierces a sheet when it presses hard enough, and slides through "
                                "the hole from then on.",
    .fields = sewing_fields, .field_count = COUNT(sewing_fields)};

static const cg_scene_field constraints_fields[] = {
    {.name = "index", .kind = CG_SCENE_INTEGER, AT(cg_constraints_spec, index), .low = 1, .high = 3, .preset = "3",
     .text = "of all joints that do not say it themselves"},
    {.name = "solver", .kind = CG_SCENE_OBJECT, AT(cg_constraints_spec, solver), .type = &cg_type_solver,
     .text = "how the equations are solved"},
    {.name = "splines", .kind = CG_SCENE_OBJECTS, AT(cg_constraints_spec, splines), .type = &cg_type_spline, .low = 0,
     .high = CG_SCENE_SPLINES, .text = "how threads are divided"},
    {.name = "joints", .kind = CG_SCENE_OBJECTS, AT(cg_constraints_spec, joints), .type = &cg_type_joint, .low = 0,
     .high = CG_SCENE_JOINTS, .text = "the constraints themselves"},
    {.name = "contacts", .kind = CG_SCENE_OBJECTS, AT(cg_constraints_spec, contacts), .type = &cg_type_touching, .low = 0,
     .high = CG_SCENE_SPLINE_CONTACTS, .text = "threads that touch"},
    {.name = "stitches", .kind = CG_SCENE_OBJECTS, AT(cg_constraints_spec, stitches), .type = &cg_type_sewing, .low = 0,
     .high = CG_STRUCTURE_MOST_STITCHINGS, .text = "ends of threads that pierce"},
};
const cg_scene_type cg_type_constraints = {
    .name = "constraints", .text = "Threads, bodies and sheets that are joined, and move as one system of equations: all "
                                   "that is named here. Threads are splines then, straight at rest. Needs SuiteSparse.",
    .fields = constraints_fields, .field_count = COUNT(constraints_fields)};
// clang-format on

cg_constraints_spec cg_constraints_spec_default(void)
{
    return (cg_constraints_spec){.index = cg_structure_def_default().index};
}

cg_solver_spec cg_solver_spec_default(void)
{
    cg_structure_def def = cg_structure_def_default();
    return (cg_solver_spec){.multipliers = (int)def.multipliers,
                            .residual = def.residual,
                            .violation = def.violation,
                            .iterations = def.iterations,
                            .keep_factors = def.keep_factors,
                            .project_places = def.project_places,
                            .project_velocities = def.project_velocities};
}

cg_joint_spec cg_joint_spec_default(void)
{
    return (cg_joint_spec){.axis = {0, 1, 0}};
}
