// A suture thread: a chain of vertices that stretches, bends and twists as an elastic rod.
#ifndef CATGUT_THREAD_H
#define CATGUT_THREAD_H

#include <stdbool.h>

#include "catgut/api.h"
#include "catgut/math.h"

CG_API_BEGIN

// Names a thread in a world. Zero-initialised, it names none.
typedef struct cg_thread_id {
    unsigned index;      // place in the pool, plus one
    unsigned generation; // tells a new thread from an old one at the same place
} cg_thread_id;

// Write this into a stiffness or the linear density of a definition to derive it from the material and the radius.
#define CG_FROM_MATERIAL (-1.0)

// What holds one end of a thread.
typedef enum cg_end_kind {
    CG_END_FREE,   // nothing
    CG_END_PINNED, // the end vertex is held; the thread turns freely about it
    CG_END_CLAMPED // the end vertex is held, and so are direction and turn
} cg_end_kind;

// Which end of a thread.
typedef enum cg_end { CG_START = 0, CG_FINISH = 1 } cg_end;

// How an end is held. Pinned and clamped ends follow `position`; clamped ends follow `direction` and `turn` too.
typedef struct cg_end_hold {
    cg_end_kind kind;  // what it may still do
    cg_vec3 position;  // [m] where the end vertex is held
    cg_vec3 direction; // tangent at the end, along growing arc length; made unit length; zero: as the thread lies
    double turn;       // [rad] turn of the end about its tangent since it was clamped; may pass 2 pi
} cg_end_hold;

// What carries a thread's motion from step to step.
typedef enum cg_inertia {
    CG_TRUE_MASS, // implicit, with the mass of the thread; to second order while it is left alone
    CG_LOW_MASS   // no inertia: the thread creeps towards equilibrium against its drag
} cg_inertia;

// What a thread is inside. For all else it is vertices with a radius: hands, shapes, names of knots, recordings.
typedef enum cg_thread_model {
    CG_THREAD_KIRCHHOFF,   // an elastic rod, implicit: all fields below
    CG_THREAD_MASS_SPRING, // points with springs and dampers, explicit: `springs`, radius, friction and drag
    CG_THREAD_CHAIN        // rigid links without mass that follow what leads them: `links`, radius
} cg_thread_model;

// A mass-spring thread: all segments get the mean rest length, all vertices the same mass. The defaults are the
// published ones for a cord of 0.5 m, 10 mm thick, in 20 to 50 points. docs/other-threads.md
typedef struct cg_spring_options {
    int forces;              // 1: springs and dampers along it; 2: and torsional springs; 3: and torsional dampers;
                             // 4: and swivel dampers; 5: and springs that grow with the square of the strain
    double point_mass;       // [kg] of a vertex, above 0
    double linear_spring;    // [N] at a strain of 1, above 0
    double quadratic_spring; // [N] at a strain of 1, above 0; for 5 alone
    double linear_damper;    // [N s/m] 0 or more
    double torsional_spring; // [N m] at an angle of pi, 0 or more
    double torsional_damper; // [N m s] 0 or more
    double swivel_damper;    // [N s] 0 or more
    bool sine_directions;    // directions across as long as the formulas make them: larger steps, no damping straight
    bool as_printed;         // dampers with the printed sign: they add energy; for comparison alone
    double shortest;         // of a segment that a hand or hold pulls at, in rest lengths; 0.1 to 1
    double longest;          // the same, 1 to 10
    double repulsion_spring; // [N/m] of contacts, 0 or more
    double repulsion_damper; // [N s/m] of contacts, 0 or more
    double margin;           // [radii] that contacts are moved apart by beyond touching, 0 to 1
    int sub_steps;           // of a step of the world, up to 10000; 0: as many as are stable
} cg_spring_options;

// A chain of links.
typedef struct cg_link_options {
    bool dynamic;  // nodes fly under gravity between steps; else they only follow
    double carry;  // 0 to 1: share of a neighbour's correction that goes back to a node's velocity, while it flies
    double margin; // [radii] that contacts are moved apart by beyond touching, 0 to 1
} cg_link_options;

// Spacing that follows what the thread does: after each step segments are split where the thread bends or touches
// threads, and merged where it does neither. Vertices then get other numbers from step to step; arc lengths at rest
// stay: cg_thread_vertex_at, cg_thread_arcs. Vertices that are held, or have an added mass, are never taken out.
typedef struct cg_spacing {
    bool follow;      // whether it does; the rest is only looked at then
    double fine;      // [m] of segments where the thread touches a thread, at most 1.25 times so long; 0: one radius
    double coarse;    // [m] longest segment anywhere, at least `fine`; 0: 16 times `fine`
    int max_vertices; // room for so many, vertex_count to 1000000; 0: 1000 more than vertex_count
} cg_spacing;

// By which law a thread slides through the holes that it goes through (docs/suturing.md).
typedef enum cg_slip_law {
    CG_SLIP_CAPSTAN, // pulls on both sides differ by the friction that the bend makes, solved with all else
    CG_SLIP_NEEDLE,  // by the force along it: how the VTE text moves a vertex of a mesh on a needle (B.1.2)
    CG_SLIP_TENSION, // by the difference of tensions and the force along it: on a suture (B.1.3, B.1.4)
    CG_SLIP_PORTAL   // no thread in the tissue: a spring joins the vertices at both holes of a bite (MicroSim 3.5.2)
} cg_slip_law;

// The numbers are only looked at by the laws of needle and tension.
typedef struct cg_slip {
    cg_slip_law law;  // CG_SLIP_CAPSTAN
    double per_force; // [m/N] of thread that goes through in a step, for a force; above 0, at most 1
    double per_turn;  // [m/N] likewise, for the force along the thread of CG_SLIP_TENSION; 0 to 1
    double friction;  // [N] that every hole holds back, beside the grip of its stitch; 0 or more
} cg_slip;

// Everything that makes a thread. Start from cg_thread_def_default. Arrays are copied.
typedef struct cg_thread_def {
    int vertex_count;           // at least 2
    const cg_vec3 *positions;   // [m] vertex_count points of the start shape
    const double *rest_lengths; // [m] vertex_count - 1 lengths above 0, or NULL: taken from the rest or start shape
    const cg_vec3 *rest_shape;  // [m] vertex_count points of the unloaded shape, or NULL: naturally straight

    double radius;         // [m] above 0
    double youngs_modulus; // [Pa] above 0
    double poisson_ratio;  // -1 to 0.5
    double density;        // [kg/m3] above 0

    double stretch_stiffness; // EA [N] above 0, or CG_FROM_MATERIAL
    double bend_stiffness;    // EI [N m2] 0 or more, or CG_FROM_MATERIAL
    double twist_stiffness;   // GJ [N m2] 0 or more, or CG_FROM_MATERIAL
    double linear_density;    // [kg/m] above 0, or CG_FROM_MATERIAL

    double friction;     // coefficient of friction, 0 or more; between two threads the geometric mean counts
    double drag;         // [1/s] 0 or more: force per mass and velocity; above 0 for CG_LOW_MASS
    double damping_time; // [s] 0 or more: stress from the rate of strain, as a share of the elastic one
    cg_inertia inertia;  // with mass or without

    cg_end_hold ends[2]; // [CG_START], [CG_FINISH]; the positions are ignored here: an end is held where it starts
    cg_spacing spacing;  // zero: vertices stay as they are
    cg_slip slip;        // zero: by the capstan law

    cg_thread_model model;     // CG_THREAD_KIRCHHOFF
    cg_spring_options springs; // of a mass-spring thread; others have no rest shape, clamp or spacing that follows
    cg_link_options links;     // of a chain

    // Breaking, of a Kirchhoff thread that has parts for it (cg_world_reserve_parts). Pull and bending moment of a
    // section count together against its strength; bending takes no more of it than the yielding section does.
    double breaking_force; // [N] straight pull that breaks it; 0: it never breaks
    double yield_share;    // stress at which it yields over that at which it breaks, 0 to 0.9

    // Memory, of a Kirchhoff thread: bent beyond its yield moment it keeps what is beyond as a bend at rest.
    double yield_moment; // [N m] 0: it springs back from every bend; CG_FROM_MATERIAL: from the two above
} cg_thread_def;

// Elastic and other energies of a thread [J].
typedef struct cg_thread_energy {
    double kinetic, stretch, bend, twist, gravity; // each by itself; the sum is kept without drag and damping
} cg_thread_energy;

// What one wants to know of a thread at a glance.
typedef struct cg_thread_summary {
    int vertex_count;   // 2 or more; 0 for a bad id
    double rest_length; // [m]
    double length;      // [m]
    double max_stretch; // largest (length / rest length - 1) of a segment
    double max_tension; // [N] largest pull in a segment; negative when all are pushed
    double torque;      // [N m] largest magnitude of the twisting moment
} cg_thread_summary;

// Radius 0.11 mm of nylon (3-0), light air drag, naturally straight, both ends free.
cg_thread_def cg_thread_def_default(void);

CG_API_END

#endif
