// The tables of fields are the one place that says what a scene may hold: here those of the whole and of stitches, and
// the list of all types. Those of threads, of what is hard, of hands, of tissue and of constraints have files of their
// own.
#include "scene/tables.h"

#include "catgut/adhesion.h"
#include "catgut/suture.h"
#include "catgut/world.h"
#include "scene/constraint_specs.h"

// clang-format off
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

static const cg_scene_field adhesion_fields[] = {
    {.name = "thread", .kind = CG_SCENE_TEXT, AT(cg_adhesion_spec, thread), .low = 1, .high = 60, .required = true,
     .text = "name of the thread, one whose spacing does not follow and that cannot be cut"},
    {.name = "tissue", .kind = CG_SCENE_TEXT, AT(cg_adhesion_spec, tissue), .low = 1, .high = 60, .required = true,
     .text = "name of the tissue"},
    {.name = "from", .kind = CG_SCENE_QUANTITY, AT(cg_adhesion_spec, def.from), .unit = "m", .low = 0, .high = 1e5,
     .preset = "\"0 m\"", .text = "where the stretch that sticks begins, along the thread"},
    {.name = "to", .kind = CG_SCENE_QUANTITY, AT(cg_adhesion_spec, def.to), .unit = "m", .low = 0, .high = 1e5,
     .preset = "\"0 m\"", .text = "where it ends; 0: where the thread does"},
    {.name = "strength", .kind = CG_SCENE_QUANTITY, AT(cg_adhesion_spec, def.strength), .unit = "N/m", .low = 0,
     .high = 1e6, .above_low = true, .preset = "\"30 N/m\"", .text = "most that it bears, by length of the thread"},
    {.name = "reach", .kind = CG_SCENE_QUANTITY, AT(cg_adhesion_spec, def.reach), .unit = "m", .low = 0, .high = 1,
     .above_low = true, .preset = "\"0.2 mm\"",
     .text = "how far it is drawn out when it bears that; at five times as much it is gone"},
};
const cg_scene_type cg_type_adhesion = {
    .name = "an adhesion", .text = "A stretch of a thread that sticks to tissue until it is teased away from it.",
    .fields = adhesion_fields, .field_count = COUNT(adhesion_fields)};

static const cg_scene_field move_fields[] = {
    {.name = "threads", .kind = CG_SCENE_TEXTS, AT(cg_move_spec, threads), .low = 0, .high = CG_SCENE_MOVES,
     .text = "names of threads that stand elsewhere"},
    {.name = "shapes", .kind = CG_SCENE_TEXTS, AT(cg_move_spec, shapes), .low = 0, .high = CG_SCENE_MOVES,
     .text = "the same of rigid shapes"},
    {.name = "bodies", .kind = CG_SCENE_TEXTS, AT(cg_move_spec, bodies), .low = 0, .high = CG_SCENE_MOVES,
     .text = "the same of rigid bodies"},
    {.name = "hands", .kind = CG_SCENE_TEXTS, AT(cg_move_spec, hands), .low = 0, .high = CG_SCENE_MOVES,
     .text = "the same of hands"},
    {.name = "shift", .kind = CG_SCENE_VECTOR, AT(cg_move_spec, shift), .unit = "m", .low = -1e3, .high = 1e3,
     .preset = "[0, 0, 0]", .text = "how far, behind the turn"},
    {.name = "turn", .kind = CG_SCENE_QUANTITY, AT(cg_move_spec, turn), .unit = "rad", .low = -100, .high = 100,
     .preset = "0", .text = "turn about z"},
    {.name = "about", .kind = CG_SCENE_VECTOR, AT(cg_move_spec, about), .unit = "m", .low = -1e3, .high = 1e3,
     .preset = "[0, 0, 0]", .text = "the place about which they turn"},
};
const cg_scene_type cg_type_move = {
    .name = "a move", .text = "Things that stand elsewhere than where they are written, all together: the attempt at a task "
    "writes moves into its scene, as its seed draws them.",
    .fields = move_fields, .field_count = COUNT(move_fields)};

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
    {.name = "linear_contact", .kind = CG_SCENE_QUANTITY, AT(cg_scene_spec, linear_contact), .unit = "N/m", .low = 0,
     .high = 1e9, .preset = "\"0 N/m\"",
     .text = "above 0, for comparison: threads touch tissue as in MicroSim, by spheres at their vertices and a linear "
             "force without friction that is this firm"},
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
    {.name = "adhesions", .kind = CG_SCENE_OBJECTS, AT(cg_scene_spec, adhesions), .type = &cg_type_adhesion, .low = 0,
     .high = CG_SCENE_ADHESIONS, .text = "threads that stick to tissue"},
    {.name = "constraints", .kind = CG_SCENE_OBJECT, AT(cg_scene_spec, constraints), .type = &cg_type_constraints,
     .text = "threads, bodies and sheets that are joined"},
    {.name = "moves", .kind = CG_SCENE_OBJECTS, AT(cg_scene_spec, moves), .type = &cg_type_move, .low = 0,
     .high = CG_SCENE_MOVES, .text = "things that stand elsewhere than where they are written"},
    {.name = "inputs", .kind = CG_SCENE_INPUTS, AT(cg_scene_spec, inputs), .low = 0, .high = 1e6,
     .text = "timed operations, as in an input file"},
};
const cg_scene_type cg_type_scene = {
    .name = "a scene", .text = "The whole file.", .fields = scene_fields, .field_count = COUNT(scene_fields)};
// clang-format on

const cg_scene_type *const cg_scene_types[] = {
    &cg_type_scene,    &cg_type_newton,  &cg_type_thread,     &cg_type_follow,   &cg_type_shape,       &cg_type_line,
    &cg_type_circle,   &cg_type_helix,   &cg_type_knot,       &cg_type_rotation, &cg_type_end,         &cg_type_clamp,
    &cg_type_mass,     &cg_type_rigid,   &cg_type_body,       &cg_type_part,     &cg_type_arc,         &cg_type_swage,
    &cg_type_sphere,   &cg_type_capsule, &cg_type_half_space, &cg_type_box,      &cg_type_hand,        &cg_type_probe,
    &cg_type_scalpel,  &cg_type_hook,    &cg_type_tissue,     &cg_type_layer,    &cg_type_pad,         &cg_type_wound,
    &cg_type_vessel,   &cg_type_lattice, &cg_type_grid,       &cg_type_mesh,     &cg_type_volume,      &cg_type_held,
    &cg_type_fill,     &cg_type_piece,   &cg_type_springs,    &cg_type_links,    &cg_type_constraints, &cg_type_solver,
    &cg_type_spline,   &cg_type_joint,   &cg_type_site,       &cg_type_touching, &cg_type_sewing,      &cg_type_stitch,
    &cg_type_adhesion, &cg_type_move,
};
const int cg_scene_type_count = COUNT(cg_scene_types);

cg_stitch_spec cg_stitch_spec_default(void)
{
    cg_stitch_def def = cg_stitch_def_default();
    return (cg_stitch_spec){.friction = def.friction, .grip = def.grip};
}

cg_adhesion_spec cg_adhesion_spec_default(void)
{
    return (cg_adhesion_spec){.def = cg_adhesion_def_default()};
}

cg_move_spec cg_move_spec_default(void)
{
    return (cg_move_spec){.threads = NULL};
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
