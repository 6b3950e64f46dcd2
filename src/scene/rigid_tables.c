// The tables of fields of what is hard: rigid shapes, and bodies that move.
#include "base/trig.h"
#include "catgut/needle.h"
#include "catgut/rigid.h"
#include "catgut/shape.h"
#include "scene/tables.h"

// clang-format off
static const cg_scene_field rotation_fields[] = {
    {.name = "axis", .kind = CG_SCENE_VECTOR, AT(cg_rotation_spec, axis), .unit = "", .low = -1e6, .high = 1e6,
     .required = true, .text = "direction about which it is turned, by the right-hand rule"},
    {.name = "angle", .kind = CG_SCENE_QUANTITY, AT(cg_rotation_spec, angle), .unit = "rad", .low = -1e4, .high = 1e4,
     .required = true, .text = "by how much"},
};
const cg_scene_type cg_type_rotation = {
    .name = "a rotation", .text = "A turn about an axis, before anything is shifted to its position.",
    .fields = rotation_fields, .field_count = COUNT(rotation_fields)};

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
    .exclusive = {{"swage", "position"}}, .one_of = {"parts", "arc", "needle", "needle_mesh"}};
// clang-format on

cg_rigid_spec cg_rigid_spec_default(void)
{
    return (cg_rigid_spec){.friction = cg_shape_def_default().friction};
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
