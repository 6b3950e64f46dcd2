// The tables of fields of threads: how they lie, how they are held and what they are made of. model_tables.c has those
// of other models.
#include "base/trig.h"
#include "scene/tables.h"

static const char *const inertia_words[] = {"true", "low_mass", NULL};
static const char *const slip_words[] = {"capstan", "needle", "tension", "portal", NULL}; // as cg_slip_law
static const char *const model_words[] = {"kirchhoff", "mass-spring", "chain", NULL};     // as cg_thread_model
static const char *const rest_words[] = {"straight", "as placed", NULL};
static const char *const knot_words[] = {"overhand", "figure-eight", "reef", "granny", "thief",
                                         "grief",    "surgeon",      "slip", NULL}; // as cg_curve_kind_name says
static const char *const end_words[] = {"free", "pinned", "clamped", NULL};         // in the order of cg_end_kind

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
    {.name = "slip", .kind = CG_SCENE_WORD, AT(cg_thread_spec, slip), .words = slip_words, .preset = "\"capstan\"",
     .text = "by which law it slides through holes: by friction and bend, solved with all else, or by those of the VTE "
             "text for a needle and for a suture, step by step, or by MicroSim's springs from hole to hole"},
    {.name = "slip_per_force", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, slip_per_force), .unit = "m/N",
     .low = 0, .high = 1, .above_low = true, .preset = "\"20 um/N\"",
     .text = "of thread that goes through in a step, for a force; by `needle` and `tension`"},
    {.name = "slip_per_turn", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, slip_per_turn), .unit = "m/N", .low = 0,
     .high = 1, .preset = "0", .text = "likewise for the force along the thread, by `tension`"},
    {.name = "slip_friction", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, slip_friction), .unit = "N", .low = 0,
     .high = 1e6, .preset = "0",
     .text = "that every hole holds back, beside the grip of its stitch; by `needle` and `tension`"},
    {.name = "cuts", .kind = CG_SCENE_INTEGER, AT(cg_thread_spec, cuts), .low = 0, .high = 100, .preset = "0",
     .text = "how often it may be cut; its parts are called NAME-2, NAME-3 and so on"},
    {.name = "breaks", .kind = CG_SCENE_FLAG, AT(cg_thread_spec, breaks), .preset = "false",
     .text = "whether it breaks where pull and bending are too much for it: `cuts` times, at least once"},
    {.name = "breaking_force", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, breaking_force), .unit = "N", .low = 1e-9,
     .high = 1e9, .text = "of a straight pull, for a thread that breaks or has a memory; from the suture when not "
                           "given"},
    {.name = "yield_share", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, yield_share), .unit = "", .low = 0,
     .high = 0.9, .preset = "0.5", .text = "stress at which it yields over that at which it breaks: how much of its "
                                           "strength bending can take"},
    {.name = "rest", .kind = CG_SCENE_WORD_OR_OBJECT, AT(cg_thread_spec, rest), .words = rest_words,
     .type = &cg_type_shape, .preset = "\"straight\"", .text = "the shape without load, with as many vertices"},
    {.name = "packet_radius", .kind = CG_SCENE_QUANTITY, AT(cg_thread_spec, packet_radius), .unit = "m", .low = 1e-6,
     .high = FAR, .text = "instead of `rest`: without load it is bent all along like the loops in which it lay in its "
                          "packet; at least as long as its segments"},
    {.name = "memory", .kind = CG_SCENE_FLAG, AT(cg_thread_spec, memory), .preset = "false",
     .text = "whether it stays bent where it is bent beyond the moment at which it yields, which `breaking_force` and "
             "`yield_share` give"},
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
    .exclusive = {{"radius", "diameter"}, {"vertices", "spacing"}, {"rest", "packet_radius"}}};
// clang-format on

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
                            .yield_share = def.yield_share,
                            .slip_per_force = 2e-5,
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
