// The objects of a scene as they were written: what the tables of fields read into. scene.c makes threads from them.
#ifndef CATGUT_SCENE_SPECS_H
#define CATGUT_SCENE_SPECS_H

#include "catgut/adhesion.h"
#include "catgut/hand.h"
#include "catgut/thread.h"
#include "catgut/tissue.h"
#include "scene/fields.h"

// Limits of a whole scene: what a thread costs grows with its vertices, and a text of a few bytes can ask for many.
enum {
    CG_SCENE_VERTICES = 200000, // of all threads
    CG_SCENE_THREADS = 10000,   // as many as a world can have
    CG_SCENE_SHAPES = 1000,     // the same for rigid shapes
    CG_SCENE_BODIES = 64,       // rigid bodies that move
    CG_SCENE_STITCHES = 64,     // stitches
    CG_SCENE_ADHESIONS = 64,    // adhesions
    CG_SCENE_HANDS = 64,        // the same for hands
    CG_SCENE_MOVES = 64,        // moves, and names in one of them
    CG_SCENE_TISSUES = 16,      // fewer than a world can have: each is much work
    CG_SCENE_NODES = 200000,    // of all tissues
    CG_SCENE_KNOTS = 100,       // laying a knot takes milliseconds
    CG_SCENE_FILES = 64,        // the scene and what it includes
    CG_SCENE_NESTING = 8        // includes inside includes
};

typedef struct cg_scene_spec {
    const char *schema, *title, *description;
    double duration, time_step; // [s]
    cg_vec3 gravity;            // [m/s2]
    bool coast, friction_torque;
    double linear_contact;
    int max_contacts;
    const cg_json_value *newton, *include, *threads, *shapes, *bodies, *hands, *tissues, *stitches, *adhesions,
        *constraints, *moves, *inputs;
} cg_scene_spec;

typedef struct cg_move_spec {
    const cg_json_value *threads, *shapes, *bodies, *hands; // names
    cg_vec3 shift;                                          // [m]
    double turn;                                            // [rad]
    cg_vec3 about;                                          // [m]
} cg_move_spec;

typedef struct cg_newton_spec {
    int passes;
    double tolerance; // [m]
    bool line_search;
} cg_newton_spec;

typedef struct cg_thread_spec {
    const char *name, *suture;
    double radius, diameter;                                                   // [m]
    double youngs_modulus, poisson_ratio, density;                             // [Pa], 1, [kg/m3]
    double stretch_stiffness, bend_stiffness, twist_stiffness, linear_density; // [N], [N m2], [N m2], [kg/m]
    double drag, damping_time;                                                 // [1/s], [s]
    double friction;
    int inertia; // a cg_inertia
    const cg_json_value *shape;
    int vertices;
    double spacing; // [m]
    const cg_json_value *follow;
    cg_scene_choice rest, ends[2];
    const cg_json_value *masses;
    int model; // a cg_thread_model
    const cg_json_value *springs, *links;
    int cuts;
    bool breaks;
    double breaking_force, yield_share; // [N], 1
    bool memory;
    double packet_radius;                 // [m]
    int slip;                             // cg_slip_law
    double slip_per_force, slip_per_turn; // [m/N]
    double slip_friction;                 // [N]
} cg_thread_spec;

typedef struct cg_follow_spec {
    double fine, coarse; // [m]
    int max_vertices;
} cg_follow_spec;

// Words of the field "rest".
enum { CG_REST_STRAIGHT, CG_REST_AS_PLACED };

typedef struct cg_shape_spec {
    const cg_json_value *line, *points;
    const char *file;
    const cg_json_value *circle, *helix, *knot;
} cg_shape_spec;

typedef struct cg_line_spec {
    cg_vec3 from, to; // [m]
} cg_line_spec;

typedef struct cg_circle_spec {
    cg_vec3 centre, axis, towards; // [m], directions
    double radius, angle;          // [m], [rad]
} cg_circle_spec;

typedef struct cg_helix_spec {
    cg_vec3 centre, axis, towards; // [m], directions
    double radius, pitch, turns;   // [m], [m], 1
} cg_helix_spec;

typedef struct cg_knot_spec {
    int kind;                // a cg_curve_kind less one: the first of those is no knot
    int strand;              // 0 when not given: a knot in one thread
    double loop_radius, gap; // [m]
    double tail, free_tail;  // [m]
    bool mirror;
    cg_vec3 position; // [m]
    const cg_json_value *rotation;
} cg_knot_spec;

typedef struct cg_stitch_spec {
    const char *thread, *tissue;
    const cg_json_value *points;
    double friction, grip; // [1], [N]
} cg_stitch_spec;

typedef struct cg_adhesion_spec {
    const char *thread, *tissue;
    cg_adhesion_def def; // without the two
} cg_adhesion_spec;

typedef struct cg_rotation_spec {
    cg_vec3 axis;
    double angle; // [rad]
} cg_rotation_spec;

typedef struct cg_rigid_spec {
    const char *name;
    const cg_json_value *sphere, *capsule, *half_space, *box;
    cg_vec3 position; // [m]
    const cg_json_value *rotation;
    double friction;
} cg_rigid_spec;

typedef struct cg_body_spec {
    const char *name;
    const cg_json_value *parts, *arc;
    const char *needle;
    const cg_json_value *needle_mesh;
    int pieces; // of a needle
    const cg_json_value *swage;
    bool driven;
    double mass;      // [kg]
    cg_vec3 position; // [m]
    const cg_json_value *rotation;
    cg_vec3 velocity, spin; // [m/s], [rad/s]
    double friction;
} cg_body_spec;

typedef struct cg_arc_spec {
    double radius, thickness; // [m]
    double angle;             // [rad]
    int pieces;
} cg_arc_spec;

typedef struct cg_swage_spec {
    const char *thread;
    int end; // a cg_end
} cg_swage_spec;

typedef struct cg_hand_spec {
    const char *name;
    cg_vec3 position; // [m]
    const cg_json_value *rotation;
    double mass, stiffness, damping;   // [kg], [N/m], [N s/m]
    double max_force;                  // [N]
    double turn_stiffness, max_torque; // [N m/rad], [N m]
    double reach, jaw_length;          // [m]
    int tool;                          // a cg_hand_tool
    double grip, jaw_friction;         // [N], 1
    int grasp;                         // a cg_hand_grasp
    cg_vec3 port;                      // [m]
    double scope;                      // [rad]
    const cg_json_value *probe, *scalpel, *hook;
} cg_hand_spec;

typedef struct cg_probe_spec {
    double radius, length; // [m]
    double friction;
} cg_probe_spec;

typedef struct cg_scalpel_spec {
    cg_vec3 edge; // [m]
    double width; // [m]
} cg_scalpel_spec;

typedef struct cg_hook_spec {
    double radius, power; // [m], [W]
    double length;        // [m]
} cg_hook_spec;

typedef struct cg_tissue_spec {
    const char *name;
    const cg_json_value *pad, *vessel, *box, *grid, *mesh, *volume, *fill;
    int model, solver; // a cg_tissue_model, a cg_tissue_solver
    cg_vec3 position;  // [m]
    const cg_json_value *rotation, *layers;
    double spacing; // [m]
    double friction;
    double damping, drag; // [s], [1/s]
    double home, pre_length, most_stretch;
    double pressure;      // [Pa]
    double bond_strength; // [Pa]
    double pierce_force;  // [N]
    double pierce_cut;    // [N]
    double pierce_drag;   // [N/m]
    double thread_grip;   // [N]
    double tear_force;    // [N]
    bool fix_rim, fix_bottom;
    int iterations, max_nodes;
} cg_tissue_spec;

typedef struct cg_layer_spec {
    const char *material;
    double thickness;      // [m]
    double young, density; // [Pa], [kg/m3]
    double strength;       // [Pa]
    double stiffening;
    double toughness;       // [J/m2]
    double tear_resistance; // [N/m]
    int region;
} cg_layer_spec;

typedef struct cg_pad_spec {
    double length, width; // [m]
    const cg_json_value *wound;
    double tension;
} cg_pad_spec;

typedef struct cg_wound_spec {
    int kind;                    // a cg_wound_kind less one: the first of those is no wound
    double length, width, depth; // [m]
} cg_wound_spec;

typedef struct cg_vessel_spec {
    double radius, wall, length, gap, slit, slit_width; // [m]
} cg_vessel_spec;

typedef struct cg_lattice_spec {
    cg_vec3 size; // [m]
} cg_lattice_spec;

typedef struct cg_grid_spec {
    cg_vec3 ball_position;
    double ball_radius, floor;
    double length, width; // [m]
} cg_grid_spec;

typedef struct cg_volume_spec {
    const char *file;
    double unit; // [m] of a coordinate of the file
    const cg_json_value *held;
} cg_volume_spec;

typedef struct cg_held_spec {
    cg_vec3 low, high; // [m]
} cg_held_spec;

typedef struct cg_fill_spec {
    const char *file;
    int label;         // of a label map; 0: all
    double unit, size; // [m] of a coordinate of the file, of the longest side; 0: not given
    int nodes;
    double spacing; // [m] 0: as nodes say
    const cg_json_value *piece, *held;
} cg_fill_spec;

typedef struct cg_piece_spec {
    cg_vec3 centre, half; // [m]
    double radius;        // [m]
} cg_piece_spec;

typedef struct cg_mesh_spec {
    const char *file;
    double unit; // [m] of a coordinate of the file
} cg_mesh_spec;

typedef struct cg_sphere_spec {
    double radius; // [m]
} cg_sphere_spec;

typedef struct cg_capsule_spec {
    double radius, half_length; // [m]
} cg_capsule_spec;

typedef struct cg_box_spec {
    cg_vec3 half_extents; // [m]
} cg_box_spec;

typedef struct cg_end_spec {
    const cg_json_value *clamped;
} cg_end_spec;

typedef struct cg_clamp_spec {
    cg_vec3 direction;
    double turn; // [rad]
} cg_clamp_spec;

typedef struct cg_mass_spec {
    int vertex;
    double mass; // [kg]
} cg_mass_spec;

// What the instruments of hands are called, in the order of cg_hand_tool; NULL behind the last.
extern const char *const cg_scene_tool_words[CG_TOOL_COUNT + 1];
extern const char *const cg_scene_grasp_words[CG_GRASP_COUNT + 1]; // the same of cg_hand_grasp

extern const cg_scene_type cg_type_scene, cg_type_newton, cg_type_thread, cg_type_follow, cg_type_shape, cg_type_line,
    cg_type_circle, cg_type_helix, cg_type_knot, cg_type_rotation, cg_type_end, cg_type_clamp, cg_type_mass,
    cg_type_rigid, cg_type_body, cg_type_part, cg_type_arc, cg_type_swage, cg_type_sphere, cg_type_capsule,
    cg_type_half_space, cg_type_box, cg_type_hand, cg_type_probe, cg_type_scalpel, cg_type_hook, cg_type_tissue,
    cg_type_layer, cg_type_pad, cg_type_wound, cg_type_vessel, cg_type_lattice, cg_type_grid, cg_type_mesh,
    cg_type_volume, cg_type_held, cg_type_fill, cg_type_piece, cg_type_springs, cg_type_links, cg_type_stitch,
    cg_type_adhesion, cg_type_move;

// The presets of the fields.
cg_scene_spec cg_scene_spec_default(void);
cg_newton_spec cg_newton_spec_default(void);
cg_thread_spec cg_thread_spec_default(void);
cg_circle_spec cg_circle_spec_default(void);
cg_helix_spec cg_helix_spec_default(void);
cg_knot_spec cg_knot_spec_default(void);
cg_rigid_spec cg_rigid_spec_default(void);
cg_body_spec cg_body_spec_default(void);
cg_arc_spec cg_arc_spec_default(void);
cg_stitch_spec cg_stitch_spec_default(void);
cg_adhesion_spec cg_adhesion_spec_default(void);
cg_move_spec cg_move_spec_default(void);
cg_hand_spec cg_hand_spec_default(void);
cg_probe_spec cg_probe_spec_default(void);
cg_scalpel_spec cg_scalpel_spec_default(void);
cg_hook_spec cg_hook_spec_default(void);
cg_tissue_spec cg_tissue_spec_default(void);
cg_layer_spec cg_layer_spec_default(void);
cg_pad_spec cg_pad_spec_default(void);
cg_mesh_spec cg_mesh_spec_default(void);
cg_volume_spec cg_volume_spec_default(void);
cg_fill_spec cg_fill_spec_default(void);

// Reads a rotation; none when `value` is NULL.
bool cg_scene_read_rotation(const cg_json_value *value, cg_quat *rotation, cg_scene_error *error);
// False, with the error at the member "axis", when that has no length.
bool cg_scene_has_direction(const cg_json_value *object, cg_vec3 axis, cg_scene_error *error);

#endif
