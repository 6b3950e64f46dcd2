// Threads that are no Kirchhoff threads: springs (mass_spring.h) and chains of links (links.h).
//
// They have no compliance: nobody can ask how a force at one place moves another within a step. So they move by
// themselves, before all that is implicit, and then stand for the rest of the step: others touch them as they touch a
// fixed shape, and what those push with acts on them in the next step. For all else they are threads: positions,
// velocities, holds, grips and state are those of cg_thread.
//
//     begin      notes where the thread is; it is done for the passes of Kirchhoff threads
//     advance    a part of the step, without contacts: src/laws/beads.h has those
//     finish     its velocities
//
// Within a step thread->velocity is that of its start, as grips need it; model->velocity is that of now.
#ifndef CATGUT_THREAD_MODEL_H
#define CATGUT_THREAD_MODEL_H

#include "thread/links.h"
#include "thread/mass_spring.h"
#include "thread/thread.h"

typedef struct cg_model {
    cg_thread_model kind;
    cg_spring_options springs;
    cg_link_options link_options;
    cg_mass_spring_def law; // of springs
    cg_links links;         // of a chain; its places are those of the thread

    // within a step
    cg_vec3 *velocity; // per vertex
    cg_vec3 *force;    // per vertex, for work
    double *lightness; // [1/kg] per vertex of springs: how an impulse moves it, with what grips it; 0 where it is held
    cg_vec3 *before;   // per vertex: where it was before the part that is being made
    bool *stands;      // per vertex of springs: its way in this part was not free, and it leads as what is held does
    cg_vec3 *goal;     // per vertex of a chain that is led: where it goes in this step
    cg_link_hold *led; // of a chain, in order of vertices
    int led_count;
    double share;    // of the step that is made
    int stops;       // parts of this step that were cut short, because the way was not free
    bool is_taut;    // contacts leave no way for what leads the chain, in this step
    bool is_stopped; // the thread did not get where it was to go
} cg_model;

cg_status cg_model_check_def(const cg_thread_def *def);
// Gives a thread that was made its model, if it has one: false without memory.
bool cg_model_create(cg_thread *thread, const cg_thread_def *def);

static inline bool cg_thread_has_springs(const cg_thread *thread)
{
    return thread->model != NULL && thread->model->kind == CG_THREAD_MASS_SPRING;
}

static inline bool cg_thread_is_chain(const cg_thread *thread)
{
    return thread->model != NULL && thread->model->kind == CG_THREAD_CHAIN;
}

// True when nothing but the model moves this vertex: forces and contacts may.
static inline bool cg_model_is_free(const cg_thread *thread, int vertex)
{
    return !thread->held[vertex];
}

void cg_model_begin_step(cg_thread *thread);
void cg_model_finish_step(cg_thread *thread, const cg_step_context *context);
// Sub-steps that a mass-spring thread needs in this time [s].
int cg_model_sub_steps(const cg_thread *thread, double time);
// [m] How far the farthest vertex may go in this time [s] of the step that is left, roughly.
double cg_model_reach(cg_thread *thread, const cg_step_context *context, double time);

// springs.c
// A sub-step (2.3), (2.4) of so many seconds, with grips, holds and limits of lengths.
void cg_springs_advance(cg_thread *thread, const cg_step_context *context, double time);
// What springs, dampers, gravity, drag, pushes and contacts with others do to each vertex [N], in model->force.
void cg_springs_find_forces(cg_thread *thread, const cg_step_context *context);

// chain.c
// Notes what leads the chain and where that goes.
void cg_chain_begin(cg_thread *thread, const cg_step_context *context);
// Moves on by this share of the ways that are left, and makes all links exact.
void cg_chain_follow(cg_thread *thread, double share);
// Makes all links exact where the leaders are: after contacts have moved nodes.
void cg_chain_mend(cg_thread *thread);
// The nodes fly, in this time [s]; and, once they have followed, have the velocities of their ways since
// model->before, with a share of their neighbour's correction; without a time none.
void cg_chain_fly(cg_thread *thread, const cg_step_context *context, double time);
void cg_chain_land(cg_thread *thread, double time);

// propagate.c: force propagation along the thread (Shi 2008, 4.2)
// A segment is kept between these lengths [m] wherever a hand or hold pulls.
typedef struct cg_length_limits {
    double shortest, longest;
    const cg_vec3 *were; // NULL, or places: a segment that was longer or shorter there may be so again
} cg_length_limits;
// Those of one segment.
cg_length_limits cg_length_limits_at(const cg_length_limits *limits, int segment);
// Spreads the force [N] of a hand at a vertex towards one end (`step` 1 or -1): `expected` are the places to which all
// would go without. Where a segment stays within its limits (condition A) nothing goes on. Else (B) the part along it,
// (4.1), goes on to the next vertex, and the part across it, (4.2), stays. Adds what each vertex gets to `force`, and
// returns how many segments it passed.
int cg_propagate_force(const cg_length_limits *limits, int vertices, const cg_vec3 *position, const cg_vec3 *expected,
                       int vertex, int step, cg_vec3 pull, cg_vec3 *force);
// Makes the segments from a vertex to the vertex `last` as long as the limits allow: each vertex is placed after the
// one before it, and along the segment both then go no farther apart, by an impulse between them (model->lightness).
void cg_propagate_lengths(cg_thread *thread, const cg_length_limits *limits, int vertex, int last);

// spring_lengths.c
cg_length_limits cg_springs_limits(const cg_thread *thread);
// Condition C: from each hand in turn, towards both ends, or up to what is held; last from what is held.
void cg_springs_limit_lengths(cg_thread *thread);
// Vertices from first to last, held ones too, go this share of their way in this part and then stand.
void cg_springs_stand(cg_thread *thread, int first, int last, double share);
// Keeps the lengths of a thread that hands or holds pull at after others moved it, as far as they were kept before the
// part. What is held or stands leads, and all else follows, a hand too; a stretch between two that lead which has no
// such way stands with them.
void cg_springs_keep_lengths(cg_thread *thread);
// True when vertices stand in this part where no segment is at its longest: where one is, the thread is taut, and it is
// a pull that does not go on; elsewhere a motion was lost.
bool cg_springs_stand_slack(const cg_thread *thread);

// [J], [N]
double cg_model_stretch_energy(const cg_thread *thread, const cg_vec3 *position);
double cg_model_bend_energy(const cg_thread *thread, const cg_vec3 *position);
double cg_model_tension(const cg_thread *thread, int segment);

#endif
