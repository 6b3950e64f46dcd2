// The tables of fields of soft tissue.
#include "scene/tables.h"

// Longest side of a tissue [m]: more cannot be meant, and would overflow the number of nodes.
#define LONGEST 10

static const char *const model_words[] = {"lattice", "skin", "sheet", NULL}; // as cg_tissue_model
static const char *const solver_words[] = {"implicit", "quasi-static", "runge-kutta", "neumann",
                                           NULL};                       // as cg_tissue_solver
static const char *const wound_words[] = {"straight", "ellipse", NULL}; // as cg_wound_kind, from 1 on

// clang-format off
static const cg_scene_field layer_fields[] = {
    {.name = "material", .kind = CG_SCENE_TEXT, AT(cg_layer_spec, material), .low = 1, .high = 60,
     .text = "tissue from the catalogue, such as `skin`; the fields below override it. Their values when not given are "
             "those without it"},
    {.name = "thickness", .kind = CG_SCENE_QUANTITY, AT(cg_layer_spec, thickness), .unit = "m", .low = 1e-6,
     .high = LONGEST, .preset = "\"5 mm\"", .text = "of a layer of a pad, of a sheet or of a skin"},
    {.name = "youngs_modulus", .kind = CG_SCENE_QUANTITY, AT(cg_layer_spec, young), .unit = "Pa", .low = 1,
     .high = 1e12, .preset = "\"100 kPa\"", .text = "E of the material"},
    {.name = "density", .kind = CG_SCENE_QUANTITY, AT(cg_layer_spec, density), .unit = "kg/m3", .low = 1, .high = 1e5,
     .preset = "\"1.1 g/cm3\"", .text = "of the material"},
    {.name = "strength", .kind = CG_SCENE_QUANTITY, AT(cg_layer_spec, strength), .unit = "Pa", .low = 0, .high = 1e12,
     .preset = "0", .text = "pull that it bears; 0: any. Near an edge a thread shears the tissue before it at half of this"},
    {.name = "stiffening", .kind = CG_SCENE_QUANTITY, AT(cg_layer_spec, stiffening), .unit = "", .low = 0, .high = 1e6,
     .preset = "0", .text = "a link stretched by the strain e pulls 1 + stiffening e^2 times as hard"},
    {.name = "toughness", .kind = CG_SCENE_QUANTITY, AT(cg_layer_spec, toughness), .unit = "J/m2", .low = 0,
     .high = 1e9, .preset = "\"150 J/m2\"", .text = "work that a blade does for each area that it lays open"},
    {.name = "tear_resistance", .kind = CG_SCENE_QUANTITY, AT(cg_layer_spec, tear_resistance), .unit = "N/m", .low = 0,
     .high = 1e9, .preset = "0", .text = "pull of a thread, for each length of it inside, that tears the tissue 5 mm from an "
     "edge; it goes with the square root of that distance. 0: it never tears"},
    {.name = "region", .kind = CG_SCENE_INTEGER, AT(cg_layer_spec, region), .low = 0, .high = 2e9, .preset = "0",
     .text = "of a volume: the number that the file gives to cells of this material; cells of other numbers are of the "
             "first layer"},
};
const cg_scene_type cg_type_layer = {
    .name = "a layer", .text = "What a layer of tissue is made of.", .fields = layer_fields,
    .field_count = COUNT(layer_fields)};

static const cg_scene_field wound_fields[] = {
    {.name = "kind", .kind = CG_SCENE_WORD, AT(cg_wound_spec, kind), .words = wound_words, .required = true,
     .text = "a slit, or an ellipse in which skin is missing"},
    {.name = "length", .kind = CG_SCENE_QUANTITY, AT(cg_wound_spec, length), .unit = "m", .low = 1e-5, .high = LONGEST,
     .required = true, .text = "along x; shorter than the pad"},
    {.name = "width", .kind = CG_SCENE_QUANTITY, AT(cg_wound_spec, width), .unit = "m", .low = 0, .high = LONGEST,
     .preset = "0", .text = "of an ellipse at its middle; narrower than the pad"},
    {.name = "depth", .kind = CG_SCENE_QUANTITY, AT(cg_wound_spec, depth), .unit = "m", .low = 1e-6, .high = LONGEST,
     .required = true, .text = "from the top; a pad that is thicker stays whole below"},
};
const cg_scene_type cg_type_wound = {
    .name = "a wound", .text = "A wound in the middle of a pad, along x.", .fields = wound_fields,
    .field_count = COUNT(wound_fields)};

static const cg_scene_field pad_fields[] = {
    {.name = "length", .kind = CG_SCENE_QUANTITY, AT(cg_pad_spec, length), .unit = "m", .low = 1e-5, .high = LONGEST,
     .preset = "\"40 mm\"", .text = "along x"},
    {.name = "width", .kind = CG_SCENE_QUANTITY, AT(cg_pad_spec, width), .unit = "m", .low = 1e-5, .high = LONGEST,
     .preset = "\"30 mm\"", .text = "along y"},
    {.name = "wound", .kind = CG_SCENE_OBJECT, AT(cg_pad_spec, wound), .type = &cg_type_wound,
     .text = "none when not given"},
    {.name = "tension", .kind = CG_SCENE_QUANTITY, AT(cg_pad_spec, tension), .unit = "", .low = 0, .high = 1,
     .preset = "0", .text = "strain along y at which the pad is held at its rim: by it a wound gapes"},
};
const cg_scene_type cg_type_pad = {
    .name = "a pad", .text = "Layers of skin on a table, the top at z = 0 of the tissue.", .fields = pad_fields,
    .field_count = COUNT(pad_fields)};

static const cg_scene_field vessel_fields[] = {
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_vessel_spec, radius), .unit = "m", .low = 1e-5,
     .high = LONGEST, .required = true, .text = "outer radius"},
    {.name = "wall", .kind = CG_SCENE_QUANTITY, AT(cg_vessel_spec, wall), .unit = "m", .low = 1e-6, .high = LONGEST,
     .required = true, .text = "thickness of the wall, less than the radius"},
    {.name = "length", .kind = CG_SCENE_QUANTITY, AT(cg_vessel_spec, length), .unit = "m", .low = 1e-5,
     .high = LONGEST, .required = true, .text = "along x"},
    {.name = "gap", .kind = CG_SCENE_QUANTITY, AT(cg_vessel_spec, gap), .unit = "m", .low = 0, .high = LONGEST,
     .preset = "0", .text = "severed in the middle, the halves this far apart; 0: whole"},
    {.name = "slit", .kind = CG_SCENE_QUANTITY, AT(cg_vessel_spec, slit), .unit = "m", .low = 0, .high = LONGEST,
     .preset = "0", .text = "the wall is open on top, along x, over this length in the middle, at most 0.9 of the "
                            "vessel's; not with a gap"},
    {.name = "slit_width", .kind = CG_SCENE_QUANTITY, AT(cg_vessel_spec, slit_width), .unit = "m", .low = 0,
     .high = LONGEST, .preset = "0", .text = "how far the slit gapes in its middle, at most the radius; 0: its lips "
                                             "lie on each other"},
};
const cg_scene_type cg_type_vessel = {
    .name = "a vessel", .text = "A tube with a wall, along x.", .fields = vessel_fields,
    .field_count = COUNT(vessel_fields)};

static const cg_scene_field lattice_fields[] = {
    {.name = "size", .kind = CG_SCENE_VECTOR, AT(cg_lattice_spec, size), .unit = "m", .low = 1e-5, .high = LONGEST,
     .required = true, .text = "along x, y and z"},
};
const cg_scene_type cg_type_lattice = {
    .name = "a lattice", .text = "A block of nodes linked along the axes and both diagonals of each face.",
    .fields = lattice_fields, .field_count = COUNT(lattice_fields)};

static const cg_scene_field grid_fields[] = {
    {.name = "length", .kind = CG_SCENE_QUANTITY, AT(cg_grid_spec, length), .unit = "m", .low = 1e-5, .high = LONGEST,
     .required = true, .text = "along x"},
    {.name = "width", .kind = CG_SCENE_QUANTITY, AT(cg_grid_spec, width), .unit = "m", .low = 1e-5, .high = LONGEST,
     .required = true, .text = "along y"},
    {.name = "ball_position", .kind = CG_SCENE_VECTOR, AT(cg_grid_spec, ball_position), .unit = "m", .low = -1e3,
     .high = 1e3, .preset = "[0, 0, 0]", .text = "with the Neumann solver: the centre of a ball that it lies on"},
    {.name = "ball_radius", .kind = CG_SCENE_QUANTITY, AT(cg_grid_spec, ball_radius), .unit = "m", .low = 0,
     .high = 1e3, .preset = "0", .text = "on which its nodes lie; 0: there is no ball"},
    {.name = "floor", .kind = CG_SCENE_QUANTITY, AT(cg_grid_spec, floor), .unit = "m", .low = -1e3, .high = 1e3,
     .text = "with the Neumann solver: height of a floor on which its nodes lie; none when not given"},
};
const cg_scene_type cg_type_grid = {
    .name = "a grid", .text = "A flat sheet.", .fields = grid_fields, .field_count = COUNT(grid_fields)};

static const cg_scene_field mesh_fields[] = {
    {.name = "file", .kind = CG_SCENE_TEXT, AT(cg_mesh_spec, file), .low = 1, .high = 200, .required = true,
     .text = "triangles from a file: `.obj`, `.stl` or `.wrl`; groups that are named `top`, `bottom`, `rim` or `groove` "
             "(`g` in OBJ, `DEF` in VRML) are these parts of its surface, all else is the top"},
    {.name = "unit", .kind = CG_SCENE_QUANTITY, AT(cg_mesh_spec, unit), .unit = "m", .low = 1e-9, .high = 1e3,
     .preset = "\"1 m\"", .text = "length of 1 in the file, such as `\"1 mm\"`"},
};
const cg_scene_type cg_type_mesh = {
    .name = "a mesh", .text = "A surface of triangles from a file.", .fields = mesh_fields,
    .field_count = COUNT(mesh_fields)};

static const cg_scene_field held_fields[] = {
    {.name = "low", .kind = CG_SCENE_VECTOR, AT(cg_held_spec, low), .unit = "m", .low = -1e3, .high = 1e3,
     .required = true, .text = "least coordinates"},
    {.name = "high", .kind = CG_SCENE_VECTOR, AT(cg_held_spec, high), .unit = "m", .low = -1e3, .high = 1e3,
     .required = true, .text = "greatest coordinates"},
};
const cg_scene_type cg_type_held = {
    .name = "a box that is held", .text = "Nodes in it do not move; coordinates of the file, in metres after its unit.",
    .fields = held_fields, .field_count = COUNT(held_fields)};

static const cg_scene_field volume_fields[] = {
    {.name = "file", .kind = CG_SCENE_TEXT, AT(cg_volume_spec, file), .low = 1, .high = 200, .required = true,
     .text = "tetrahedra: Gmsh 1, 2 and 4.1, VTK (legacy and XML), Medit, TetGen (the `.ele` file), Abaqus; told by what "
             "is in it"},
    {.name = "unit", .kind = CG_SCENE_QUANTITY, AT(cg_volume_spec, unit), .unit = "m", .low = 1e-9, .high = 1e3,
     .preset = "\"1 m\"", .text = "length of 1 in the file, such as `\"1 mm\"`"},
    {.name = "held", .kind = CG_SCENE_OBJECT, AT(cg_volume_spec, held), .type = &cg_type_held,
     .text = "nodes in this box do not move, unless `fix_bottom` is false"},
};
const cg_scene_type cg_type_volume = {
    .name = "a volume", .text = "Tetrahedra from a file.", .fields = volume_fields, .field_count = COUNT(volume_fields)};

static const cg_scene_field piece_fields[] = {
    {.name = "centre", .kind = CG_SCENE_VECTOR, AT(cg_piece_spec, centre), .unit = "m", .low = -1e3, .high = 1e3,
     .required = true, .text = "in coordinates of the file, in metres after its unit"},
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_piece_spec, radius), .unit = "m", .low = 1e-6, .high = LONGEST,
     .text = "of a ball"},
    {.name = "half", .kind = CG_SCENE_VECTOR, AT(cg_piece_spec, half), .unit = "m", .low = 0, .high = LONGEST,
     .text = "half the sides of a box"},
};
const cg_scene_type cg_type_piece = {
    .name = "a piece", .text = "A ball or a box of a surface; where it is cut off it is held.", .fields = piece_fields,
    .field_count = COUNT(piece_fields), .one_of = {"radius", "half"}};

static const cg_scene_field fill_fields[] = {
    {.name = "file", .kind = CG_SCENE_TEXT, AT(cg_fill_spec, file), .low = 1, .high = 200, .required = true,
     .text = "a closed surface: OBJ, STL, VRML, PLY, VTK; a label map: NRRD, NIfTI, MetaImage; or the outside of what "
             "`volume` reads"},
    {.name = "label", .kind = CG_SCENE_INTEGER, AT(cg_fill_spec, label), .low = 0, .high = 2e9, .preset = "0",
     .text = "of a label map: only this one is inside; 0: all"},
    {.name = "unit", .kind = CG_SCENE_QUANTITY, AT(cg_fill_spec, unit), .unit = "m", .low = 1e-9, .high = 1e3,
     .text = "length of 1 in the file, such as `\"1 mm\"`; this or `size` must be given"},
    {.name = "size", .kind = CG_SCENE_QUANTITY, AT(cg_fill_spec, size), .unit = "m", .low = 1e-5, .high = LONGEST,
     .text = "that the longest side of the whole gets"},
    {.name = "nodes", .kind = CG_SCENE_INTEGER, AT(cg_fill_spec, nodes), .low = 20, .high = CG_SCENE_NODES,
     .preset = "2000", .text = "wanted, within about 3 %"},
    {.name = "spacing", .kind = CG_SCENE_QUANTITY, AT(cg_fill_spec, spacing), .unit = "m", .low = 1e-6, .high = 1,
     .text = "of the lattice, in place of `nodes`"},
    {.name = "piece", .kind = CG_SCENE_OBJECT, AT(cg_fill_spec, piece), .type = &cg_type_piece,
     .text = "only this of it is filled, and held where it is cut off"},
    {.name = "held", .kind = CG_SCENE_OBJECT, AT(cg_fill_spec, held), .type = &cg_type_held,
     .text = "nodes in this box do not move, unless `fix_bottom` is false"},
};
const cg_scene_type cg_type_fill = {
    .name = "a filling", .text = "A surface from a file, filled with tetrahedra.", .fields = fill_fields,
    .field_count = COUNT(fill_fields), .exclusive = {{"unit", "size"}, {"nodes", "spacing"}}};

static const cg_scene_field tissue_fields[] = {
    {.name = "name", .kind = CG_SCENE_TEXT, AT(cg_tissue_spec, name), .low = 1, .high = 60,
     .text = "how inputs and results call it; `tissue-1`, `tissue-2`, ... when not given"},
    {.name = "pad", .kind = CG_SCENE_OBJECT, AT(cg_tissue_spec, pad), .type = &cg_type_pad,
     .text = "it is a pad of skin"},
    {.name = "vessel", .kind = CG_SCENE_OBJECT, AT(cg_tissue_spec, vessel), .type = &cg_type_vessel,
     .text = "it is a tube"},
    {.name = "box", .kind = CG_SCENE_OBJECT, AT(cg_tissue_spec, box), .type = &cg_type_lattice,
     .text = "it is a block"},
    {.name = "grid", .kind = CG_SCENE_OBJECT, AT(cg_tissue_spec, grid), .type = &cg_type_grid,
     .text = "it is a flat sheet"},
    {.name = "mesh", .kind = CG_SCENE_OBJECT, AT(cg_tissue_spec, mesh), .type = &cg_type_mesh,
     .text = "it is a surface from a file"},
    {.name = "volume", .kind = CG_SCENE_OBJECT, AT(cg_tissue_spec, volume), .type = &cg_type_volume,
     .text = "it is tetrahedra from a file"},
    {.name = "fill", .kind = CG_SCENE_OBJECT, AT(cg_tissue_spec, fill), .type = &cg_type_fill,
     .text = "it is a surface from a file, filled"},
    {.name = "position", .kind = CG_SCENE_VECTOR, AT(cg_tissue_spec, position), .unit = "m", .low = -1e3, .high = 1e3,
     .preset = "[0, 0, 0]", .text = "where the middle of its shape is; of a pad or box the middle of its top"},
    {.name = "rotation", .kind = CG_SCENE_OBJECT, AT(cg_tissue_spec, rotation), .type = &cg_type_rotation,
     .text = "how it is turned"},
    {.name = "spacing", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, spacing), .unit = "m", .low = 1e-6, .high = 1,
     .preset = "\"2 mm\"", .text = "distance of nodes, about"},
    {.name = "layers", .kind = CG_SCENE_OBJECTS, AT(cg_tissue_spec, layers), .type = &cg_type_layer, .low = 1,
     .high = CG_TISSUE_MOST_LAYERS, .text = "from the top; one for all but a pad, and of a volume one for each region; 5 mm of silicone when not given"},
    {.name = "model", .kind = CG_SCENE_WORD, AT(cg_tissue_spec, model), .words = model_words,
     .text = "how forces are made: a volume of springs, a surface under tension, or a sheet that resists bending. When "
             "not given a grid is a sheet, a mesh a skin, all else a lattice; of a pad, box or vessel a skin is its "
             "surface alone; nothing else is possible for them"},
    {.name = "solver", .kind = CG_SCENE_WORD, AT(cg_tissue_spec, solver), .words = solver_words,
     .preset = "\"implicit\"", .text = "how it moves: with inertia and stable, without inertia, explicit, or a grid as cloth of "
     "equal springs"},
    {.name = "friction", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, friction), .unit = "", .low = 0, .high = 100,
     .preset = "0.3", .text = "coefficient of friction; with a shape the geometric mean counts"},
    {.name = "damping", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, damping), .unit = "s", .low = 0, .high = 100,
     .preset = "\"2 ms\"", .text = "a link resists with damping times its stiffness times its rate"},
    {.name = "drag", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, drag), .unit = "1/s", .low = 0, .high = 1e6,
     .preset = "5", .text = "force per mass and velocity"},
    {.name = "home", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, home), .unit = "", .low = 0, .high = 1e3,
     .preset = "0.1", .text = "of a skin: stiffness of the springs that draw nodes home, as a share of what its edges "
                              "give a node"},
    {.name = "pre_length", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, pre_length), .unit = "", .low = 0.1,
     .high = 2, .preset = "0.8", .text = "of a skin: natural length of an edge as a share of its length as made"},
    {.name = "most_stretch", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, most_stretch), .unit = "", .low = 0,
     .high = 1e3, .preset = "1.5", .text = "of a skin or sheet: longer links, in natural lengths, are drawn together; 1 "
                                           "or more, or 0: none"},
    {.name = "pressure", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, pressure), .unit = "Pa", .low = 0, .high = 1e9,
     .preset = "0", .text = "how firmly a closed surface keeps its volume, per share of volume; 0: not"},
    {.name = "bond_strength", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, bond_strength), .unit = "Pa", .low = 0,
     .high = 1e9, .preset = "0", .text = "cut surfaces that come together, such as the ends of a severed vessel or the "
                                         "lips of a wound, stick where they touch, up to this pull or shear; 0: nothing "
                                         "sticks. Needs `max_contacts` and the implicit solver"},
    {.name = "pierce_force", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, pierce_force), .unit = "N", .low = 0,
     .high = 1e3, .preset = "0", .text = "a needle with a taper point whose tip presses harder goes through the "
     "surface, in or out; 0: never. Needs `max_contacts`, the implicit solver, and cells or a closed skin"},
    {.name = "pierce_cut", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, pierce_cut), .unit = "N", .low = 0,
     .high = 1e3, .preset = "0", .text = "what it takes a needle to go on inside"},
    {.name = "pierce_drag", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, pierce_drag), .unit = "N/m", .low = 0,
     .high = 1e6, .preset = "0", .text = "friction along what of a needle is inside"},
    {.name = "thread_grip", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, thread_grip), .unit = "N", .low = 0,
     .high = 1e3, .preset = "0", .text = "force that it takes a thread to slide through a hole that its needle made, "
     "where it is not bent round anything"},
    {.name = "tear_force", .kind = CG_SCENE_QUANTITY, AT(cg_tissue_spec, tear_force), .unit = "N", .low = 0,
     .high = 1e3, .preset = "0", .text = "pull of a thread on a bite that tears, wherever the edge is; 0: as "
     "`tear_resistance` of the layers says"},
    {.name = "fix_rim", .kind = CG_SCENE_FLAG, AT(cg_tissue_spec, fix_rim), .preset = "false",
     .text = "the rim of a pad or grid, or of a mesh whose file names it, or the ends of a vessel, do not move"},
    {.name = "fix_bottom", .kind = CG_SCENE_FLAG, AT(cg_tissue_spec, fix_bottom), .preset = "true",
     .text = "the bottom of a pad or box, or of a mesh whose file names it, or what of a volume is held or cut off, "
             "does not move"},
    {.name = "iterations", .kind = CG_SCENE_INTEGER, AT(cg_tissue_spec, iterations), .low = 1, .high = 1000,
     .preset = "10", .text = "most of the solver in a step"},
    {.name = "max_nodes", .kind = CG_SCENE_INTEGER, AT(cg_tissue_spec, max_nodes), .low = 0, .high = CG_SCENE_NODES,
     .preset = "0", .text = "room for nodes that edits add; 0: half as many again"},
};
const cg_scene_type cg_type_tissue = {
    .name = "a tissue", .text = "Soft tissue: nodes with mass, linked by springs, inside a surface of triangles.",
    .fields = tissue_fields, .field_count = COUNT(tissue_fields),
    .one_of = {"pad", "vessel", "box", "grid", "mesh", "volume", "fill"}};
// clang-format on

cg_tissue_spec cg_tissue_spec_default(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    return (cg_tissue_spec){.solver = (int)def.solver,
                            .spacing = def.spacing,
                            .friction = def.friction,
                            .damping = def.damping,
                            .drag = def.drag,
                            .home = def.home,
                            .pre_length = def.pre_length,
                            .most_stretch = def.most_stretch,
                            .pressure = def.pressure,
                            .bond_strength = def.bond_strength,
                            .pierce_force = def.pierce_force,
                            .pierce_cut = def.pierce_cut,
                            .pierce_drag = def.pierce_drag,
                            .thread_grip = def.thread_grip,
                            .tear_force = def.tear_force,
                            .fix_rim = def.fix_rim,
                            .fix_bottom = def.fix_bottom,
                            .iterations = def.iterations,
                            .max_nodes = def.max_nodes};
}

cg_pad_spec cg_pad_spec_default(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    return (cg_pad_spec){.length = def.size.x, .width = def.size.y};
}

cg_mesh_spec cg_mesh_spec_default(void)
{
    return (cg_mesh_spec){.unit = 1};
}

cg_volume_spec cg_volume_spec_default(void)
{
    return (cg_volume_spec){.unit = 1};
}

cg_fill_spec cg_fill_spec_default(void)
{
    return (cg_fill_spec){.nodes = 2000};
}

cg_layer_spec cg_layer_spec_default(void)
{
    cg_tissue_layer layer = cg_tissue_def_default().layers[0];
    return (cg_layer_spec){.thickness = layer.thickness,
                           .young = layer.material.young,
                           .density = layer.material.density,
                           .strength = layer.material.strength,
                           .stiffening = layer.material.stiffening,
                           .toughness = layer.material.toughness,
                           .tear_resistance = layer.material.tear_resistance};
}
