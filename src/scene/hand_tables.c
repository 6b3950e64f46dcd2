// The tables of fields of hands and their instruments.
#include "catgut/hand.h"
#include "scene/tables.h"

const char *const cg_scene_tool_words[CG_TOOL_COUNT + 1] = {
#define CG_TOOL(name, NAME, number, what, message, does, close, open, key, drawing) [number] = #name,
#include "catgut/tools.def"
#undef CG_TOOL
};
const char *const cg_scene_grasp_words[CG_GRASP_COUNT + 1] = {"fixed", "jaws", "triangle", "arms", NULL};

// clang-format off
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
    {.name = "width", .kind = CG_SCENE_QUANTITY, AT(cg_scalpel_spec, width), .unit = "m", .low = 0, .high = 0.05,
     .preset = "\"2.7 mm\"", .text = "from the edge to the back of the blade; 0: the edge alone, without a body"},
};
const cg_scene_type cg_type_scalpel = {
    .name = "a scalpel", .text = "A straight edge that cuts; its tip is where the hand is.", .fields = scalpel_fields,
    .field_count = COUNT(scalpel_fields)};

static const cg_scene_field hook_fields[] = {
    {.name = "radius", .kind = CG_SCENE_QUANTITY, AT(cg_hook_spec, radius), .unit = "m", .low = 1e-9, .high = 0.1,
     .preset = "\"0.5 mm\"", .text = "what is nearer to the tip is burnt"},
    {.name = "power", .kind = CG_SCENE_QUANTITY, AT(cg_hook_spec, power), .unit = "W", .low = 0, .high = 1000,
     .preset = "\"30 W\"", .text = "heat that it brings"},
    {.name = "length", .kind = CG_SCENE_QUANTITY, AT(cg_hook_spec, length), .unit = "m", .low = 0, .high = 0.05,
     .preset = "\"2.4 mm\"", .text = "of its foot, from the tip; 0: the tip alone, without a body"},
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
    {.name = "tool", .kind = CG_SCENE_WORD, AT(cg_hand_spec, tool), .words = cg_scene_tool_words, .listed = "tools.md#tools", .preset = "\"grasper\"",
     .text = "what it carries at first; `hand_tool` changes it"},
    {.name = "grasp", .kind = CG_SCENE_WORD, AT(cg_hand_spec, grasp), .words = cg_scene_grasp_words,
     .preset = "\"fixed\"",
     .text = "how a grasper holds: `jaws` by two jaws that touch, `fixed` what is in its reach, in its own frame; "
             "`triangle` likewise what crosses the open triangle of its jaws, `arms` what lies between them; other tools "
             "take no notice"},
    {.name = "grip", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, grip), .unit = "N", .low = 0, .high = 1e6,
     .preset = "\"5 N\"", .text = "with which each jaw presses; 0: tissue never slips out of a grasper without jaws"},
    {.name = "jaw_friction", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, jaw_friction), .unit = "", .low = 0,
     .high = 100, .preset = "0.8", .text = "coefficient of the jaws; with what they hold the geometric mean counts"},
    {.name = "port", .kind = CG_SCENE_VECTOR, AT(cg_hand_spec, port), .unit = "m", .low = -FAR, .high = FAR,
     .text = "point that its shaft always passes, as at a port of the abdominal wall; of its turns only the roll counts "
             "then"},
    {.name = "scope", .kind = CG_SCENE_QUANTITY, AT(cg_hand_spec, scope), .unit = "rad", .low = -1.5708,
     .high = 1.5708,
     .text = "its tool is a laparoscope that looks aside by this angle, towards -y of the hand's frame; 0 looks along its "
             "shaft"},
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
// clang-format on

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
    cg_hand_def def = cg_hand_def_default();
    return (cg_scalpel_spec){.edge = def.edge, .width = def.blade_width};
}

cg_hook_spec cg_hook_spec_default(void)
{
    cg_hand_def def = cg_hand_def_default();
    return (cg_hook_spec){.radius = def.hook_radius, .power = def.hook_power, .length = def.hook_length};
}
