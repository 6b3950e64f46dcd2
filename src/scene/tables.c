// The tables of fields: the one place that says what a scene may hold.
#include "base/trig.h"
#include "catgut/hand.h"
#include "catgut/needle.h"
#include "catgut/rigid.h"
#include "catgut/suture.h"
#include "catgut/world.h"
#include "scene/constraint_specs.h"
#include "scene/specs.h"

#define AT(type, member) .offset = offsetof(type, member)
#define COUNT(fields) (int)(sizeof fields / sizeof fields[0])

// Farther away than this [m] nothing is placed, so that sums of lengths stay within what a thread accepts.
#define FAR 1e5

static const char *const inertia_words[] = {"true", "low_mass", NULL};
static const char *const model_words[] = {"kirchhoff", "mass-spring", "chain", NULL}; // as cg_thread_model
static const char *const rest_words[] = {"straight", "as placed", NULL};
static const char *const knot_words[] = {"overhand", "figure-eight", "reef", "granny", "thief",
                                         "grief",    "surgeon",      "slip", NULL}; // as cg_curve_kind_name says
static const char *const end_words[] = {"free", "pinned", "clamped", NULL};         // in the order of cg_end_kind
const char *const cg_scene_tool_words[CG_TOOL_COUNT + 1] = {"grasper",       "probe",   "scalpel",  "hook",
                                                            "needle_driver", "forceps", "scissors", NULL};
const char *const cg_scene_grasp_words[CG_GRASP_COUNT + 1] = {"fixed", "jaws", NULL};

// clang-format off
static const cg_scene_field line_fields[] = {
    {.name = "from", .kind = CG_SCENE_VECTOR, AT(cg_line_spec, from), .unit = "m", .low = -FAR, .high = FAR,
     .required = true, .text = "where the thread starts"},
    {.name = "to", .kind = CG_SCENE_VECTOR, AT(cg_line_spec, to), .unit = "m", .low = -FAR, .high = FAR,
     .required = true, .text = "where it ends"},
};
const cg_scene_type cg_type_line = {
    .name = "a line", .text = "A straight piece.", .fields = line_fields, .field_count = COUNT(line_fields)};

static const cg_scene_field circle_fields[] = {
    {.name = "centre", .kind = CG_SCENE_VECTOR, AT(cg_circle_spec, centre), .unit = "m", .low = -FAR, .high = FAR,
     .preset = "[0, 0, 0]", .text = "the middle"},
    {.name = "axis", .kind = CG_SCENE_VECTOR, AT(cg_circle_spec, axis), .unit = "", .low = -1e6, .high = 1e6,
     .preset = "[0, 0, 1]", .text = "direction across the circle; the thread runs by the right-hand rule"},
    {.name = "towards", .kind = CG_SCENE_VECTOR, AT(cg_circle_spec, towards), .unit = "", .low = -1e6, .high = 1e6,
     .preset = "[0, 0, 0]", .text = "direction from the middle to the first vertex; zero: any across the axis"},
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_circle_spec, radius), .unit = "m", .low = 0, .high = 1e3,
     .above_low = true, .required = true, .text = "radius of the circle"},
    {.name = "angle", .kind = CG_SCENE_QUANTITY, AT(cg_circle_spec, angle), .unit = "rad", .low = -1e4, .high = 1e4,
     .preset = "\"360 deg\"", .text = "how far it goes round; negative: the other way"},
};
const cg_scene_type cg_type_circle = {
    .name = "a circle", .text = "An arc of a circle.", .fields = circle_fields, .field_count = COUNT(circle_fields)};

static const cg_scene_field helix_fields[] = {
    {.name = "centre", .kind = CG_SCENE_VECTOR, AT(cg_helix_spec, centre), .unit = "m", .low = -FAR, .high = FAR,
     .preset = "[0, 0, 0]", .text = "where the axis starts"},
    {.name = "axis", .kind = CG_SCENE_VECTOR, AT(cg_helix_spec, axis), .unit = "", .low = -1e6, .high = 1e6,
     .preset = "[0, 0, 1]", .text = "direction in which it climbs"},
    {.name = "towards", .kind = CG_SCENE_VECTOR, AT(cg_helix_spec, towards), .unit = "", .low = -1e6, .high = 1e6,
     .preset = "[0, 0, 0]", .text = "direction from the axis to the first vertex; zero: any across the axis"},
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_helix_spec, radius), .unit = "m", .low = 0, .high = 1e3,
     .above_low = true, .required = true, .text = "distance from the axis"},
    {.name = "pitch", .kind = CG_SCENE_QUANTITY, AT(cg_helix_spec, pitch), .unit = "m", .low = 0, .high = 10,
     .required = true, .text = "climb of one turn"},
    {.name = "turns", .kind = CG_SCENE_QUANTITY, AT(cg_helix_spec, turns), .unit = "", .low = -1e4, .high = 1e4,
     .required = true, .text = "how often it goes round; negative: a left-handed helix"},
};
const cg_scene_type cg_type_helix = {
    .name = "a helix", .text = "A coil.", .fields = helix_fields, .field_count = COUNT(helix_fields)};

static const cg_scene_field rotation_fields[] = {
    {.name = "axis", .kind = CG_SCENE_VECTOR, AT(cg_rotation_spec, axis), .unit = "", .low = -1e6, .high = 1e6,
     .required = true, .text = "direction about which it is turned, by the right-hand rule"},
    {.name = "angle", .kind = CG_SCENE_QUANTITY, AT(cg_rotation_spec, angle), .unit = "rad", .low = -1e4, .high = 1e4,
     .required = true, .text = "by how much"},
};
const cg_scene_type cg_type_rotation = {
    .name = "a rotation", .text = "A turn about an axis, before anything is shifted to its position.",
    .fields = rotation_fields, .field_count = COUNT(rotation_fields)};

static const cg_scene_field knot_fields[] = {
    {.name = "kind", .kind = CG_SCENE_WORD, AT(cg_knot_spec, kind), .words = knot_words, .required = true,
     .text = "which knot"},
    {.name = "strand", .kind = CG_SCENE_INTEGER, AT(cg_knot_spec, strand), .low = 1, .high = 2,
     .text = "which strand of a knot in two threads this one is; the other thread says the same knot and the other "
             "strand. Without it the knot is tied in one thread, round a loop"},
    {.name = "mirror", .kind = CG_SCENE_FLAG, AT(cg_knot_spec, mirror), .preset = "false",
     .text = "the mirror image; without it the first throw is right-handed"},
    {.name = "loop_radius", .kind = CG_SCENE_QUANTITY, AT(cg_knot_spec, loop_radius), .unit = "m", .low = 0,
     .high = 100, .preset = "0", .text = "of the loop of a knot in one thread; 0: as small as is smooth"},
    {.name = "gap", .kind = CG_SCENE_QUANTITY, AT(cg_knot_spec, gap), .unit = "m", .low = 0, .high = 1, .preset = "0",
     .text = "least distance between the axes of strands, a diameter or more; 0: three diameters"},
    {.name = "tail", .kind = CG_SCENE_QUANTITY, AT(cg_knot_spec, tail), .unit = "m", .low = 0, .high = 100,
     .preset = "\"20 mm\"", .text = "straight piece at each end"},
    {.name = "free_tail", .kind = CG_SCENE_QUANTITY, AT(cg_knot_spec, free_tail), .unit = "m", .low = 0, .high = 100,
     .preset = "0", .text = "the same at the ends of two threads that are not pulled; 0: as long as the others"},
    {.name = "position", .kind = CG_SCENE_VECTOR, AT(cg_knot_spec, position), .unit = "m", .low = -FAR, .high = FAR,
     .preset = "[0, 0, 0]", .text = "where its middle is"},
    {.name = "rotation", .kind = CG_SCENE_OBJECT, AT(cg_knot_spec, rotation), .type = &cg_type_rotation,
     .text = "how it is turned; without it the knot lies near the plane z = 0, its tails along x"},
};
const cg_scene_type cg_type_knot = {
    .name = "a knot", .text = "A knot, loosely laid, for hands to pull tight.", .fields = knot_fields,
    .field_count = COUNT(knot_fields)};

static const cg_scene_field shape_fields[] = {
    {.name = "line", .kind = CG_SCENE_OBJECT, AT(cg_shape_spec, line), .type = &cg_type_line,
     .text = "a straight piece"},
    {.name = "points", .kind = CG_SCENE_POINTS, AT(cg_shape_spec, points), .unit = "m", .low = 2,
     .high = CG_SCENE_VERTICES, .text = "corners of a polyline"},
    {.name = "file", .kind = CG_SCENE_TEXT, AT(cg_shape_spec, file), .low = 1, .high = 200,
     .text = "corners from a file of lines `x y z` in metres; `#` starts a comment"},
    {.name = "circle", .kind = CG_SCENE_OBJECT, AT(cg_shape_spec, circle), .type = &cg_type_circle,
     .text = "an arc of a circle"},
    {.name = "helix", .kind = CG_SCENE_OBJECT, AT(cg_shape_spec, helix), .type = &cg_type_helix, .text = "a coil"},
    {.name = "knot", .kind = CG_SCENE_OBJECT, AT(cg_shape_spec, knot), .type = &cg_type_knot,
     .text = "a loose knot with tails"},
};
const cg_scene_type cg_type_shape = {
    .name = "a shape", .text = "Where a thread lies. Exactly one of these.", .fields = shape_fields,
    .field_count = COUNT(shape_fields), .exactly_one = true};

static const cg_scene_field clamp_fields[] = {
    {.name = "direction", .kind = CG_SCENE_VECTOR, AT(cg_clamp_spec, direction), .unit = "", .low = -1e6, .high = 1e6,
     .preset = "[0, 0, 0]", .text = "tangent at the end, from start to finish of the thread; zero: as the thread lies"},
    {.name = "turn", .kind = CG_SCENE_QUANTITY, AT(cg_clamp_spec, turn), .unit = "rad", .low = -1e6, .high = 1e6,
     .preset = "0", .text = "turn of the end about its tangent"},
};
const cg_scene_type cg_type_clamp = {
    .name = "a clamp", .text = "Holds place, direction and turn of an end.", .fields = clamp_fields,
    .field_count = COUNT(clamp_fields)};

static const cg_scene_field end_fields[] = {
    {.name = "clamped", .kind = CG_SCENE_OBJECT, AT(cg_end_spec, clamped), .type = &cg_type_clamp, .required = true,
     .text = "a clamp with its direction and turn"},
};
const cg_scene_type cg_type_end = {
    .name = "an end", .text = "An end that is clamped in a certain way.", .fields = end_fields,
    .field_count = COUNT(end_fields)};

static const cg_scene_field mass_fields[] = {
    {.name = "vertex", .kind = CG_SCENE_INTEGER, AT(cg_mass_spec, vertex), .low = -CG_SCENE_VERTICES,
     .high = CG_SCENE_VERTICES - 1, .required = true, .text = "from 0; -1 is the last vertex, -2 the one before it"},
    {.name = "mass", .kind = CG_SCENE_QUANTITY, AT(cg_mass_spec, mass), .unit = "kg", .low = 0, .high = 1e6,
     .required = true, .text = "in addition to the mass of the thread"},
};
const cg_scene_type cg_type_mass = {
    .name = "a mass", .text = "A bead on a vertex.", .fields = mass_fields, .field_count = COUNT(mass_fields)};

static const cg_scene_field follow_fields[] = {
    {.name = "fine", .kind = CG_SCENE_QUANTITY, AT(cg_follow_spec, fine), .unit = "m", .low = 1e-8, .high = FAR,
     .text = "of segments where the thread touches a thread, at most 1.25 times so long; one radius when not given"},
    {.name = "coarse", .kind = CG_SCENE_QUANTITY, AT(cg_follow_spec, coarse), .unit = "m", .low = 1e-8, .high = FAR,
     .text = "longest segment anywhere, at least `fine`; 16 times `fine` when not given"},
    {.name = "max_vertices", .kind = CG_SCENE_INTEGER, AT(cg_follow_spec, max_vertices), .low = 2,
     .high = CG_SCENE_VERTICES, .text = "room for so many; 1000 more than at the start when not given"},
};
const cg_scene_type cg_type_follow = {
    .name = "a spacing that follows", .text = "Segments are split where the thread bends or touches threads, and "
    "merged where it does neither. `{}` for the usual lengths.", .fields = follow_fields,
    .field_count = COUNT(follow_fields)};

static const cg_scene_field thread_fields[] = {
    {.name = "name", .kind = CG_SCENE_TEXT, AT(cg_thread_spec, name), .low = 1, .high = 60,
     .text = "how inputs and results call it; `thread-1`, `thread-2`, ... when not given"},
    {.name = "suture", .kind = CG_SCENE_TEXT, AT(cg_thread_spec, suture), .low = 1, .high = 60,
     .text = "size and material from the catalogue, such as `3-0 nylon`; the fields below override it"},
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, radius), .unit = "m", .low = 1e-9, .high = 1,
     .preset = "\"0.11 mm\"", .text = "radius of the thread"},
    {.name = "diameter", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, diameter), .unit = "m", .low = 2e-9, .high = 2,
     .text = "instead of the radius"},
    {.name = "youngs_modulus", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, youngs_modulus), .unit = "Pa",
     .low = 1e-3, .high = 1e15, .preset = "\"2.5 GPa\"", .text = "E of the material"},
    {.name = "poisson_ratio", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, poisson_ratio), .unit = "", .low = -1,
     .high = 0.5, .above_low = true, .preset = "0.4", .text = "of the material"},
    {.name = "density", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, density), .unit = "kg/m3", .low = 1e-3,
     .high = 1e6, .preset = "\"1.14 g/cm3\"", .text = "of the material"},
    {.name = "stretch_stiffness", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, stretch_stiffness), .unit = "N",
     .low = 1e-12, .high = 1e15, .text = "EA; from the material when not given"},
    {.name = "bend_stiffness", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, bend_stiffness), .unit = "N m2", .low = 0,
     .high = 1e15, .text = "EI; from the material when not given"},
    {.name = "twist_stiffness", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, twist_stiffness), .unit = "N m2",
     .low = 0, .high = 1e15, .text = "GJ; from the material when not given"},
    {.name = "linear_density", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, linear_density), .unit = "kg/m",
     .low = 1e-15, .high = 1e15, .text = "mass per length; from the material when not given"},
    {.name = "drag", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, drag), .unit = "1/s", .low = 0, .high = 1e9,
     .preset = "10", .text = "force per mass and velocity"},
    {.name = "damping_time", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, damping_time), .unit = "s", .low = 0,
     .high = 1e6, .preset = "0", .text = "stress from the rate of strain, as a share of the elastic one"},
    {.name = "friction", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, friction), .unit = "", .low = 0, .high = 100,
     .preset = "0.2", .text = "coefficient of friction; between two threads the geometric mean counts"},
    {.name = "inertia", .kind = CG_SCENE_WORD, AT(cg_thread_spec, inertia), .words = inertia_words,
     .preset = "\"true\"", .text = "with its mass, or creeping towards rest against its drag (which is then above 0)"},
    {.name = "shape", .kind = CG_SCENE_OBJECT, AT(cg_thread_spec, shape), .type = &cg_type_shape, .required = true,
     .text = "where the thread lies at the start"},
    {.name = "vertices", .kind = CG_SCENE_INTEGER, AT(cg_thread_spec, vertices), .low = 2, .high = CG_SCENE_VERTICES,
     .text = "how many, evenly along the shape"},
    {.name = "spacing", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, spacing), .unit = "m", .low = 1e-9, .high = FAR,
     .text = "greatest distance of vertices along the shape, instead of their number; without both, points and files "
             "are taken as they are, knots get a vertex every diameter, other shapes one every ten and at most 1001"},
    {.name = "follow", .kind = CG_SCENE_OBJECT, AT(cg_thread_spec, follow), .type = &cg_type_follow,
     .text = "vertices come and go with what the thread does; when not given they stay"},
    {.name = "cuts", .kind = CG_SCENE_INTEGER, AT(cg_thread_spec, cuts), .low = 0, .high = 100, .preset = "0",
     .text = "how often it may be cut; its parts are called NAME-2, NAME-3 and so on"},
    {.name = "rest", .kind = CG_SCENE_WORD_OR_OBJECT, AT(cg_thread_spec, rest), .words = rest_words,
     .type = &cg_type_shape, .preset = "\"straight\"", .text = "the shape without load, with as many vertices"},
    {.name = "start", .kind = CG_SCENE_WORD_OR_OBJECT, AT(cg_thread_spec, ends[CG_START]), .words = end_words,
     .type = &cg_type_end, .preset = "\"free\"", .text = "how the first vertex is held"},
    {.name = "finish", .kind = CG_SCENE_WORD_OR_OBJECT, AT(cg_thread_spec, ends[CG_FINISH]), .words = end_words,
     .type = &cg_type_end, .preset = "\"free\"", .text = "how the last vertex is held"},
    {.name = "masses", .kind = CG_SCENE_OBJECTS, AT(cg_thread_spec, masses), .type = &cg_type_mass, .low = 0,
     .high = 10000, .text = "beads on vertices"},
    {.name = "model", .kind = CG_SCENE_WORD, AT(cg_thread_spec, model), .words = model_words,
     .preset = "\"kirchhoff\"", .text = "what it is inside: an elastic rod, points with springs, or a chain of links"},
    {.name = "springs", .kind = CG_SCENE_OBJECT, AT(cg_thread_spec, springs), .type = &cg_type_springs,
     .text = "of a mass-spring thread: its masses, springs and dampers; `{}` for the published ones"},
    {.name = "links", .kind = CG_SCENE_OBJECT, AT(cg_thread_spec, links), .type = &cg_type_links,
     .text = "of a chain: how it moves"},
};
const cg_scene_type cg_type_thread = {
    .name = "a thread", .text = "A suture thread.", .fields = thread_fields, .field_count = COUNT(thread_fields),
    .exclusive = {"radius", "diameter", "vertices", "spacing"}};

static const cg_scene_field sphere_fields[] = {
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_sphere_spec, radius), .unit = "m", .low = 1e-9, .high = FAR,
     .required = true, .text = "radius of the sphere"},
};
const cg_scene_type cg_type_sphere = {
    .name = "a sphere", .text = "A ball about its position.", .fields = sphere_fields,
    .field_count = COUNT(sphere_fields)};

static const cg_scene_field capsule_fields[] = {
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_capsule_spec, radius), .unit = "m", .low = 1e-9, .high = FAR,
     .required = true, .text = "of the rod and its ends"},
    {.name = "half_length", .kind = CG_SCENE_QUANTITY, AT(cg_capsule_spec, half_length), .unit = "m", .low = 0,
     .high = FAR, .required = true, .text = "from the middle to the centre of each round end"},
};
const cg_scene_type cg_type_capsule = {
    .name = "a capsule", .text = "A rod with round ends, along z: a post, a tube.", .fields = capsule_fields,
    .field_count = COUNT(capsule_fields)};

const cg_scene_type cg_type_half_space = {
    .name = "a half space", .text = "Everything below z = 0, as a table. It has no fields: `{}`.", .fields = NULL,
    .field_count = 0};

static const cg_scene_field box_fields[] = {
    {.name = "half_extents", .kind = CG_SCENE_VECTOR, AT(cg_box_spec, half_extents), .unit = "m", .low = 1e-9,
     .high = FAR, .required = true, .text = "from the middle to the faces, along x, y and z"},
};
const cg_scene_type cg_type_box = {
    .name = "a box", .text = "A block.", .fields = box_fields, .field_count = COUNT(box_fields)};

static const cg_scene_field rigid_fields[] = {
    {.name = "name", .kind = CG_SCENE_TEXT, AT(cg_rigid_spec, name), .low = 1, .high = 60,
     .text = "how inputs call it; `shape-1`, `shape-2`, ... when not given"},
    {.name = "sphere", .kind = CG_SCENE_OBJECT, AT(cg_rigid_spec, sphere), .type = &cg_type_sphere,
     .text = "it is a ball"},
    {.name = "capsule", .kind = CG_SCENE_OBJECT, AT(cg_rigid_spec, capsule), .type = &cg_type_capsule,
     .text = "it is a rod with round ends"},
    {.name = "half_space", .kind = CG_SCENE_OBJECT, AT(cg_rigid_spec, half_space), .type = &cg_type_half_space,
     .text = "it is a table without end"},
    {.name = "box", .kind = CG_SCENE_OBJECT, AT(cg_rigid_spec, box), .type = &cg_type_box, .text = "it is a block"},
    {.name = "position", .kind = CG_SCENE_VECTOR, AT(cg_rigid_spec, position), .unit = "m", .low = -FAR, .high = FAR,
     .preset = "[0, 0, 0]", .text = "where its middle, or the surface of the half space, is"},
    {.name = "rotation", .kind = CG_SCENE_OBJECT, AT(cg_rigid_spec, rotation), .type = &cg_type_rotation,
     .text = "how it is turned"},
    {.name = "friction", .kind = CG_SCENE_QUANTITY, AT(cg_rigid_spec, friction), .unit = "", .low = 0, .high = 100,
     .preset = "0.2", .text = "coefficient of friction; with a thread or a tissue the geometric mean counts"},
};
const cg_scene_type cg_type_rigid = {
    .name = "a rigid shape", .text = "Something hard that threads touch. It stands, or goes where inputs move it.",
    .fields = rigid_fields, .field_count = COUNT(rigid_fields),
    .one_of = {"sphere", "capsule", "half_space", "box"}};

static const cg_scene_field part_fields[] = {
    {.name = "sphere", .kind = CG_SCENE_OBJECT, AT(cg_rigid_spec, sphere), .type = &cg_type_sphere,
     .text = "it is a ball"},
    {.name = "capsule", .kind = CG_SCENE_OBJECT, AT(cg_rigid_spec, capsule), .type = &cg_type_capsule,
     .text = "it is a rod with round ends"},
    {.name = "box", .kind = CG_SCENE_OBJECT, AT(cg_rigid_spec, box), .type = &cg_type_box,
     .text = "it is a block, a little round at its edges"},
    {.name = "position", .kind = CG_SCENE_VECTOR, AT(cg_rigid_spec, position), .unit = "m", .low = -FAR, .high = FAR,
     .preset = "[0, 0, 0]", .text = "where its middle is in the axes of the body"},
    {.name = "rotation", .kind = CG_SCENE_OBJECT, AT(cg_rigid_spec, rotation), .type = &cg_type_rotation,
     .text = "how it is turned there"},
};
const cg_scene_type cg_type_part = {
    .name = "a part", .text = "A part of a rigid body.", .fields = part_fields, .field_count = COUNT(part_fields),
    .one_of = {"sphere", "capsule", "box"}};

static const cg_scene_field arc_fields[] = {
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_arc_spec, radius), .unit = "m", .low = 1e-6, .high = FAR,
     .required = true, .text = "of the circle"},
    {.name = "thickness", .kind = CG_SCENE_QUANTITY, AT(cg_arc_spec, thickness), .unit = "m", .low = 1e-6, .high = FAR,
     .required = true, .text = "of the rod: its diameter"},
    {.name = "angle", .kind = CG_SCENE_QUANTITY, AT(cg_arc_spec, angle), .unit = "rad", .low = 0.01, .high = 6.28,
     .preset = "\"180 deg\"", .text = "how far it goes round"},
    {.name = "pieces", .kind = CG_SCENE_INTEGER, AT(cg_arc_spec, pieces), .low = 4, .high = CG_RIGID_MOST_PARTS,
     .preset = "16", .text = "straight capsules that it is made of"},
};
const cg_scene_type cg_type_arc = {
    .name = "an arc", .text = "A curved rod, as a needle is: about the origin of the body, from x on towards z.",
    .fields = arc_fields, .field_count = COUNT(arc_fields)};

static const char *const swage_words[] = {"start", "finish", NULL};
static const cg_scene_field swage_fields[] = {
    {.name = "thread", .kind = CG_SCENE_TEXT, AT(cg_swage_spec, thread), .low = 1, .high = 60, .required = true,
     .text = "name of a thread of the scene"},
    {.name = "end", .kind = CG_SCENE_WORD, AT(cg_swage_spec, end), .words = swage_words, .preset = "\"start\"",
     .text = "which end of it"},
};
const cg_scene_type cg_type_swage = {
    .name = "a swage", .text = "A thread is fastened to the end of a needle by a hinge: the needle is put where the "
                               "thread ends.",
    .fields = swage_fields, .field_count = COUNT(swage_fields)};

static const cg_scene_field body_fields[] = {
    {.name = "name", .kind = CG_SCENE_TEXT, AT(cg_body_spec, name), .low = 1, .high = 60,
     .text = "what it is called; `body-1`, `body-2`, ... when not given"},
    {.name = "parts", .kind = CG_SCENE_OBJECTS, AT(cg_body_spec, parts), .type = &cg_type_part, .low = 1,
     .high = CG_RIGID_MOST_PARTS, .text = "what it is made of"},
    {.name = "arc", .kind = CG_SCENE_OBJECT, AT(cg_body_spec, arc), .type = &cg_type_arc,
     .text = "it is a curved rod"},
    {.name = "needle", .kind = CG_SCENE_TEXT, AT(cg_body_spec, needle), .low = 1, .high = 40,
     .text = "it is a needle of the catalogue (`catgut list needles`): in the plane y = 0 of its axes, about their "
             "origin, its tip at +x, its thread behind +z"},
    {.name = "needle_mesh", .kind = CG_SCENE_OBJECT, AT(cg_body_spec, needle_mesh), .type = &cg_type_mesh,
     .text = "it is the needle that a mesh looks like: the arc, wire and point that fit it best; where and how it is "
             "turned in the file does not matter"},
    {.name = "pieces", .kind = CG_SCENE_INTEGER, AT(cg_body_spec, pieces), .low = 4, .high = CG_RIGID_MOST_PARTS,
     .preset = "16", .text = "capsules that a needle is made of"},
    {.name = "swage", .kind = CG_SCENE_OBJECT, AT(cg_body_spec, swage), .type = &cg_type_swage,
     .text = "the thread of a needle; without a rotation the needle is turned so that the thread leaves it straight"},
    {.name = "driven", .kind = CG_SCENE_FLAG, AT(cg_body_spec, driven), .preset = "false",
     .text = "it stands, or goes where a program moves it, instead of moving freely"},
    {.name = "mass", .kind = CG_SCENE_QUANTITY, AT(cg_body_spec, mass), .unit = "kg", .low = 1e-9, .high = 1e6,
     .preset = "\"1 g\"", .text = "of the whole, spread evenly over its parts; a needle has its own when none is given"},
    {.name = "position", .kind = CG_SCENE_VECTOR, AT(cg_body_spec, position), .unit = "m", .low = -FAR, .high = FAR,
     .preset = "[0, 0, 0]", .text = "where the origin of its axes is"},
    {.name = "rotation", .kind = CG_SCENE_OBJECT, AT(cg_body_spec, rotation), .type = &cg_type_rotation,
     .text = "how it is turned"},
    {.name = "velocity", .kind = CG_SCENE_VECTOR, AT(cg_body_spec, velocity), .unit = "m/s", .low = -1000, .high = 1000,
     .preset = "[0, 0, 0]", .text = "of its centre of mass at the start"},
    {.name = "spin", .kind = CG_SCENE_VECTOR, AT(cg_body_spec, spin), .unit = "rad/s", .low = -1e5, .high = 1e5,
     .preset = "[0, 0, 0]", .text = "how fast it turns at the start, in the axes of the world"},
    {.name = "friction", .kind = CG_SCENE_QUANTITY, AT(cg_body_spec, friction), .unit = "", .low = 0, .high = 100,
     .preset = "0.2", .text = "coefficient of friction; with anything else the geometric mean counts"},
};
const cg_scene_type cg_type_body = {
    .name = "a body", .text = "Something hard with a mass. It falls, tumbles and lies.",
    .fields = body_fields, .field_count = COUNT(body_fields),
    .exclusive = {"swage", "position"}, .one_of = {"parts", "arc", "needle", "needle_mesh"}};

static const cg_scene_field probe_fields[] = {
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_probe_spec, radius), .unit = "m", .low = 1e-9, .high = 0.1,
     .preset = "\"1.5 mm\"", .text = "half its thickness"},
    {.name = "length", .kind = CG_SCENE_QUANTITY, AT(cg_probe_spec, length), .unit = "m", .low = 0, .high = 1,
     .preset = "\"80 mm\"", .text = "from the middle of one round end to that of the other"},
    {.name = "friction", .kind = CG_SCENE_QUANTITY, AT(cg_probe_spec, friction), .unit = "", .low = 0, .high = 100,
     .preset = "0.2", .text = "coefficient of friction; with a thread or tissue the geometric mean counts"},
};
const cg_scene_type cg_type_probe = {
    .name = "a probe", .text = "A rigid rod with round ends: its tip is where the hand is, its axis +z of the hand's frame.",
    .fields = probe_fields, .field_count = COUNT(probe_fields)};

static const cg_scene_field scalpel_fields[] = {
    {.name = "edge", .kind = CG_SCENE_VECTOR, AT(cg_scalpel_spec, edge), .unit = "m", .low = -0.1, .high = 0.1,
     .preset = "[0, 0, \"8 mm\"]", .text = "from the tip to the other end of the edge, in the frame of the hand"},
};
const cg_scene_type cg_type_scalpel = {
    .name = "a scalpel", .text = "A straight edge that cuts; its tip is where the hand is.", .fields = scalpel_fields,
    .field_count = COUNT(scalpel_fields)};

static const cg_scene_field hook_fields[] = {
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_hook_spec, radius), .unit = "m", .low = 1e-9, .high = 0.1,
     .preset = "\"0.5 mm\"", .text = "what is nearer to the tip is burnt"},
    {.name = "power", .kind = CG_SCENE_QUANTITY, AT(cg_hook_spec, power), .unit = "W", .low = 0, .high = 1000,
     .preset = "\"30 W\"", .text = "heat that it brings"},
};
const cg_scene_type cg_type_hook = {
    .name = "a hook", .text = "A tip that burns tissue away; it is where the hand is.", .fields = hook_fields,
    .field_count = COUNT(hook_fields)};

static const cg_scene_field hand_fields[] = {
    {.name = "name", .kind = CG_SCENE_TEXT, AT(cg_hand_spec, name), .low = 1, .high = 60,
     .text = "how inputs and scripts call it; `hand-1`, `hand-2`, ... when not given"},
    {.name = "position", .kind = CG_SCENE_VECTOR, AT(cg_hand_spec, position), .unit = "m", .low = -FAR, .high = FAR,
     .preset = "[0, 0, 0]", .text = "where it begins"},
    {.name = "rotation", .kind = CG_SCENE_OBJECT, AT(cg_hand_spec, rotation), .type = &cg_type_rotation,
     .text = "how it is turned there"},
    {.name = "mass", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, mass), .unit = "kg", .low = 1e-9, .high = 100,
     .preset = "\"20 g\"", .text = "what its command has to move"},
    {.name = "stiffness", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, stiffness), .unit = "N/m", .low = 1e-9,
     .high = 1e9, .preset = "1000", .text = "of the spring that draws it to its command"},
    {.name = "damping", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, damping), .unit = "N s/m", .low = 0, .high = 1e9,
     .preset = "9", .text = "of the damper beside that spring"},
    {.name = "max_force", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, max_force), .unit = "N", .low = 1e-9,
     .high = 1e6, .preset = "\"10 N\"", .text = "most that both pull; a hand that would need more lags behind"},
    {.name = "turn_stiffness", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, turn_stiffness), .unit = "N m/rad",
     .low = 0, .high = 1e6, .preset = "0.05", .text = "how firmly the direction of the held stretch is kept"},
    {.name = "max_torque", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, max_torque), .unit = "N m", .low = 1e-12,
     .high = 1e6, .preset = "0.02", .text = "most that turns it"},
    {.name = "reach", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, reach), .unit = "m", .low = 1e-9, .high = 1,
     .preset = "\"3 mm\"", .text = "how near the surface of a thread must be to be grasped"},
    {.name = "jaw_length", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, jaw_length), .unit = "m", .low = 0, .high = 1,
     .preset = "\"4 mm\"", .text = "length of the stretch, or width of the patch, that is held"},
    {.name = "tool", .kind = CG_SCENE_WORD, AT(cg_hand_spec, tool), .words = cg_scene_tool_words, .preset = "\"grasper\"",
     .text = "what it carries at first; `hand_tool` changes it"},
    {.name = "grasp", .kind = CG_SCENE_WORD, AT(cg_hand_spec, grasp), .words = cg_scene_grasp_words,
     .preset = "\"fixed\"",
     .text = "how a grasper holds: `jaws` by two jaws that touch, `fixed` what is in its reach, in its own frame; needle "
             "drivers, forceps and scissors have jaws"},
    {.name = "grip", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, grip), .unit = "N", .low = 0, .high = 1e6,
     .preset = "\"5 N\"", .text = "with which each jaw presses; 0: tissue never slips out of a grasper without jaws"},
    {.name = "jaw_friction", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, jaw_friction), .unit = "", .low = 0,
     .high = 100, .preset = "0.8", .text = "coefficient of the jaws; with what they hold the geometric mean counts"},
    {.name = "probe", .kind = CG_SCENE_OBJECT, AT(cg_hand_spec, probe), .type = &cg_type_probe,
     .text = "the probe, when it takes one"},
    {.name = "scalpel", .kind = CG_SCENE_OBJECT, AT(cg_hand_spec, scalpel), .type = &cg_type_scalpel,
     .text = "the scalpel, when it takes one"},
    {.name = "hook", .kind = CG_SCENE_OBJECT, AT(cg_hand_spec, hook), .type = &cg_type_hook,
     .text = "the cautery hook, when it takes one"},
};
const cg_scene_type cg_type_hand = {
    .name = "a hand", .text = "Inputs, scripts and people move it. It carries a tool, and holds or cuts while closed.",
    .fields = hand_fields, .field_count = COUNT(hand_fields)};

static const cg_scene_field newton_fields[] = {
    {.name = "passes", .kind = CG_SCENE_INTEGER, AT(cg_newton_spec, passes), .low = 1, .high = 100, .preset = "12",
     .text = "most linearisations of one step"},
    {.name = "tolerance", .kind = CG_SCENE_QUANTITY, AT(cg_newton_spec, tolerance), .unit = "m", .low = 0, .high = 1,
     .preset = "0", .text = "passes end when the last one moved every vertex by less; 0: by size of the thread"},
    {.name = "line_search", .kind = CG_SCENE_FLAG, AT(cg_newton_spec, line_search), .preset = "false",
     .text = "each pass is shortened until it lowers the energy of the step"},
};
const cg_scene_type cg_type_newton = {
    .name = "newton", .text = "How a step is solved.", .fields = newton_fields, .field_count = COUNT(newton_fields)};

static const cg_scene_field stitch_fields[] = {
    {.name = "thread", .kind = CG_SCENE_TEXT, AT(cg_stitch_spec, thread), .low = 1, .high = 60, .required = true,
     .text = "name of the thread, one whose spacing follows"},
    {.name = "tissue", .kind = CG_SCENE_TEXT, AT(cg_stitch_spec, tissue), .low = 1, .high = 60, .required = true,
     .text = "name of the tissue"},
    {.name = "points", .kind = CG_SCENE_POINTS, AT(cg_stitch_spec, points), .unit = "m", .low = 1,
     .high = CG_STITCH_MOST_POINTS, .required = true,
     .text = "where the thread goes through the surface, in its order, as both are at the start; straight on between"},
    {.name = "friction", .kind = CG_SCENE_QUANTITY, AT(cg_stitch_spec, friction), .unit = "", .low = 0, .high = 10,
     .preset = "0.15", .text = "coefficient between thread and tissue"},
    {.name = "grip", .kind = CG_SCENE_QUANTITY, AT(cg_stitch_spec, grip), .unit = "N", .low = 0, .high = 1e6,
     .preset = "\"0 N\"", .text = "force that it takes to slide where the thread is not bent round anything"},
};
const cg_scene_type cg_type_stitch = {
    .name = "a laid stitch", .text = "A thread that goes through tissue, is held there and slides with friction.",
    .fields = stitch_fields, .field_count = COUNT(stitch_fields)};

static const cg_scene_field scene_fields[] = {
    {.name = "$schema", .kind = CG_SCENE_TEXT, AT(cg_scene_spec, schema), .low = 0, .high = 1000,
     .text = "for editors: where `scene.schema.json` is; not looked at"},
    {.name = "title", .kind = CG_SCENE_TEXT, AT(cg_scene_spec, title), .low = 0, .high = 200, .preset = "\"\"",
     .text = "one line about what the scene shows"},
    {.name = "description", .kind = CG_SCENE_TEXT, AT(cg_scene_spec, description), .low = 0, .high = 4000,
     .preset = "\"\"", .text = "more about it"},
    {.name = "duration", .kind = CG_SCENE_QUANTITY, AT(cg_scene_spec, duration), .unit = "s", .low = 0, .high = 1e6,
     .above_low = true, .preset = "\"1 s\"", .text = "how long a run is meant to last"},
    {.name = "time_step", .kind = CG_SCENE_QUANTITY, AT(cg_scene_spec, time_step), .unit = "s", .low = 1e-7,
     .high = 0.1, .preset = "\"1 ms\"", .text = "length of a step"},
    {.name = "gravity", .kind = CG_SCENE_VECTOR, AT(cg_scene_spec, gravity), .unit = "m/s2", .low = -1e5, .high = 1e5,
     .preset = "[0, 0, -9.81]", .text = "acceleration of everything"},
    {.name = "newton", .kind = CG_SCENE_OBJECT, AT(cg_scene_spec, newton), .type = &cg_type_newton,
     .text = "how a step is solved"},
    {.name = "max_contacts", .kind = CG_SCENE_INTEGER, AT(cg_scene_spec, max_contacts), .low = 0, .high = 400,
     .preset = "200", .text = "contacts that can carry force at once; 0: threads feel neither themselves, each other nor "
             "rigid shapes, and tissues no shapes and no tissues"},
    {.name = "coast", .kind = CG_SCENE_FLAG, AT(cg_scene_spec, coast), .preset = "true",
     .text = "of scenes of older versions; has no effect"},
    {.name = "friction_torque", .kind = CG_SCENE_FLAG, AT(cg_scene_spec, friction_torque), .preset = "false",
     .text = "with contacts: friction acts at the surface of threads and turns them about their tangents"},
    {.name = "include", .kind = CG_SCENE_TEXTS, AT(cg_scene_spec, include), .low = 0, .high = CG_SCENE_FILES,
     .text = "other scene files, whose threads come before those of this one"},
    {.name = "threads", .kind = CG_SCENE_OBJECTS, AT(cg_scene_spec, threads), .type = &cg_type_thread, .low = 0,
     .high = CG_SCENE_THREADS, .text = "the threads"},
    {.name = "shapes", .kind = CG_SCENE_OBJECTS, AT(cg_scene_spec, shapes), .type = &cg_type_rigid, .low = 0,
     .high = CG_SCENE_SHAPES, .text = "rigid shapes that threads touch"},
    {.name = "bodies", .kind = CG_SCENE_OBJECTS, AT(cg_scene_spec, bodies), .type = &cg_type_body, .low = 0,
     .high = CG_SCENE_BODIES, .text = "rigid bodies that move"},
    {.name = "hands", .kind = CG_SCENE_OBJECTS, AT(cg_scene_spec, hands), .type = &cg_type_hand, .low = 0,
     .high = CG_SCENE_HANDS, .text = "the hands; when not given `left` and `right`, beside the origin"},
    {.name = "tissues", .kind = CG_SCENE_OBJECTS, AT(cg_scene_spec, tissues), .type = &cg_type_tissue, .low = 0,
     .high = CG_SCENE_TISSUES, .text = "soft tissue"},
    {.name = "stitches", .kind = CG_SCENE_OBJECTS, AT(cg_scene_spec, stitches), .type = &cg_type_stitch, .low = 0,
     .high = CG_SCENE_STITCHES, .text = "threads that are laid through tissue"},
    {.name = "constraints", .kind = CG_SCENE_OBJECT, AT(cg_scene_spec, constraints), .type = &cg_type_constraints,
     .text = "threads, bodies and sheets that are joined"},
    {.name = "inputs", .kind = CG_SCENE_INPUTS, AT(cg_scene_spec, inputs), .low = 0, .high = 1e6,
     .text = "timed operations, as in an input file"},
};
const cg_scene_type cg_type_scene = {
    .name = "a scene", .text = "The whole file.", .fields = scene_fields, .field_count = COUNT(scene_fields)};
// clang-format on

const cg_scene_type *const cg_scene_types[] = {
    &cg_type_scene,       &cg_type_newton,  &cg_type_thread,     &cg_type_follow,   &cg_type_shape,   &cg_type_line,
    &cg_type_circle,      &cg_type_helix,   &cg_type_knot,       &cg_type_rotation, &cg_type_end,     &cg_type_clamp,
    &cg_type_mass,        &cg_type_rigid,   &cg_type_body,       &cg_type_part,     &cg_type_arc,     &cg_type_swage,
    &cg_type_sphere,      &cg_type_capsule, &cg_type_half_space, &cg_type_box,      &cg_type_hand,    &cg_type_probe,
    &cg_type_scalpel,     &cg_type_hook,    &cg_type_tissue,     &cg_type_layer,    &cg_type_pad,     &cg_type_wound,
    &cg_type_vessel,      &cg_type_lattice, &cg_type_grid,       &cg_type_mesh,     &cg_type_springs, &cg_type_links,
    &cg_type_constraints, &cg_type_solver,  &cg_type_spline,     &cg_type_joint,    &cg_type_site,    &cg_type_touching,
    &cg_type_sewing,      &cg_type_stitch,
};
const int cg_scene_type_count = COUNT(cg_scene_types);

cg_stitch_spec cg_stitch_spec_default(void)
{
    cg_stitch_def def = cg_stitch_def_default();
    return (cg_stitch_spec){.friction = def.friction, .grip = def.grip};
}

cg_scene_spec cg_scene_spec_default(void)
{
    cg_world_def def = cg_world_def_default();
    return (cg_scene_spec){.title = "",
                           .description = "",
                           .duration = 1,
                           .time_step = def.time_step,
                           .gravity = def.gravity,
                           .coast = true,
                           .friction_torque = def.friction_torque,
                           .max_contacts = def.max_contacts};
}

cg_newton_spec cg_newton_spec_default(void)
{
    cg_world_def def = cg_world_def_default();
    return (cg_newton_spec){def.newton_passes, def.newton_tolerance, def.line_search};
}

cg_thread_spec cg_thread_spec_default(void)
{
    cg_thread_def def = cg_thread_def_default();
    return (cg_thread_spec){.radius = def.radius,
                            .youngs_modulus = def.youngs_modulus,
                            .poisson_ratio = def.poisson_ratio,
                            .density = def.density,
                            .stretch_stiffness = def.stretch_stiffness,
                            .bend_stiffness = def.bend_stiffness,
                            .twist_stiffness = def.twist_stiffness,
                            .linear_density = def.linear_density,
                            .drag = def.drag,
                            .damping_time = def.damping_time,
                            .friction = def.friction,
                            .inertia = (int)def.inertia};
}

cg_circle_spec cg_circle_spec_default(void)
{
    return (cg_circle_spec){.axis = {0, 0, 1}, .angle = 2 * CG_PI};
}

cg_helix_spec cg_helix_spec_default(void)
{
    return (cg_helix_spec){.axis = {0, 0, 1}};
}

cg_knot_spec cg_knot_spec_default(void)
{
    return (cg_knot_spec){.tail = 20e-3};
}

cg_body_spec cg_body_spec_default(void)
{
    cg_rigid_def def = cg_rigid_def_default();
    return (cg_body_spec){.pieces = cg_needle_default().pieces, .mass = def.mass, .friction = def.friction};
}

cg_arc_spec cg_arc_spec_default(void)
{
    return (cg_arc_spec){.angle = CG_PI, .pieces = 16};
}

cg_rigid_spec cg_rigid_spec_default(void)
{
    return (cg_rigid_spec){.friction = cg_shape_def_default().friction};
}

cg_hand_spec cg_hand_spec_default(void)
{
    cg_hand_def def = cg_hand_def_default();
    return (cg_hand_spec){.mass = def.mass,
                          .stiffness = def.stiffness,
                          .damping = def.damping,
                          .max_force = def.max_force,
                          .turn_stiffness = def.turn_stiffness,
                          .max_torque = def.max_torque,
                          .reach = def.reach,
                          .jaw_length = def.jaw_length,
                          .tool = (int)def.tool,
                          .grip = def.grip,
                          .grasp = (int)def.grasp,
                          .jaw_friction = def.jaw_friction};
}

cg_probe_spec cg_probe_spec_default(void)
{
    cg_hand_def def = cg_hand_def_default();
    return (cg_probe_spec){.radius = def.rod_radius, .length = def.rod_length, .friction = def.rod_friction};
}

cg_scalpel_spec cg_scalpel_spec_default(void)
{
    return (cg_scalpel_spec){.edge = cg_hand_def_default().edge};
}

cg_hook_spec cg_hook_spec_default(void)
{
    cg_hand_def def = cg_hand_def_default();
    return (cg_hook_spec){.radius = def.hook_radius, .power = def.hook_power};
}
