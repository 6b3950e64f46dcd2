// The fields of threads that are no Kirchhoff threads. They are read over the defaults of a cg_thread_def.
#include "scene/tables.h"

// clang-format off
static const cg_scene_field spring_fields[] = {
    {.name = "forces", .kind = CG_SCENE_INTEGER, AT(cg_spring_options, forces), .low = 1, .high = 5, .preset = "4",
     .text = "1: springs and dampers along it; 2: and against bending; 3: with dampers; 4: and across; 5: and springs "
             "that grow with the square of the strain"},
    {.name = "point_mass", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, point_mass), .unit = "kg", .low = 1e-15,
     .high = 1e6, .preset = "\"50 g\"", .text = "of each vertex"},
    {.name = "linear_spring", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, linear_spring), .unit = "N",
     .low = 1e-12, .high = 1e15, .preset = "\"800 N\"", .text = "pull of a segment at a strain of 1"},
    {.name = "quadratic_spring", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, quadratic_spring), .unit = "N",
     .low = 1e-12, .high = 1e15, .preset = "\"400 kN\"", .text = "the same, of forces 5"},
    {.name = "linear_damper", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, linear_damper), .unit = "N s/m",
     .low = 0, .high = 1e12, .preset = "1", .text = "against the rate of a segment's length"},
    {.name = "torsional_spring", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, torsional_spring), .unit = "N m",
     .low = 0, .high = 1e12, .preset = "10", .text = "moment of a joint at an angle of pi"},
    {.name = "torsional_damper", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, torsional_damper), .unit = "N m s",
     .low = 0, .high = 1e12, .preset = "0.05", .text = "against the rate of a joint's angle"},
    {.name = "swivel_damper", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, swivel_damper), .unit = "N s",
     .low = 0, .high = 1e12, .preset = "0.2", .text = "against motion out of a joint's plane"},
    {.name = "sine_directions", .kind = CG_SCENE_FLAG, AT(cg_spring_options, sine_directions), .preset = "false",
     .text = "forces of joints fade with the sine of the angle, as the formulas are printed: longer steps are stable"},
    {.name = "as_printed", .kind = CG_SCENE_FLAG, AT(cg_spring_options, as_printed), .preset = "false",
     .text = "dampers of joints with the printed sign, by which they add energy; for comparison alone"},
    {.name = "shortest", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, shortest), .unit = "", .low = 0.1, .high = 1,
     .preset = "0.9", .text = "of a segment where a hand or hold pulls, in rest lengths"},
    {.name = "longest", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, longest), .unit = "", .low = 1, .high = 10,
     .preset = "1.1", .text = "the same"},
    {.name = "repulsion_spring", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, repulsion_spring), .unit = "N/m",
     .low = 0, .high = 1e12, .preset = "100", .text = "of contacts"},
    {.name = "repulsion_damper", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, repulsion_damper), .unit = "N s/m",
     .low = 0, .high = 1e12, .preset = "5", .text = "of contacts"},
    {.name = "margin", .kind = CG_SCENE_QUANTITY, AT(cg_spring_options, margin), .unit = "", .low = 0, .high = 1,
     .preset = "0.02", .text = "that contacts are moved apart by beyond touching, in radii"},
    {.name = "sub_steps", .kind = CG_SCENE_INTEGER, AT(cg_spring_options, sub_steps), .low = 0, .high = 10000,
     .preset = "0", .text = "of a step of the world; 0: as many as are stable"},
};
const cg_scene_type cg_type_springs = {
    .name = "springs", .text = "Masses, springs and dampers of a mass-spring thread.", .fields = spring_fields,
    .field_count = COUNT(spring_fields)};

static const cg_scene_field link_fields[] = {
    {.name = "dynamic", .kind = CG_SCENE_FLAG, AT(cg_link_options, dynamic), .preset = "false",
     .text = "nodes fly under gravity; else they only follow what leads them"},
    {.name = "carry", .kind = CG_SCENE_QUANTITY, AT(cg_link_options, carry), .unit = "", .low = 0, .high = 1,
     .preset = "0.9", .text = "share of a neighbour's correction that a flying node gets back"},
    {.name = "margin", .kind = CG_SCENE_QUANTITY, AT(cg_link_options, margin), .unit = "", .low = 0, .high = 1,
     .preset = "0.02", .text = "that contacts are moved apart by beyond touching, in radii"},
};
const cg_scene_type cg_type_links = {
    .name = "links", .text = "How a chain of links moves.", .fields = link_fields, .field_count = COUNT(link_fields)};
// clang-format on
