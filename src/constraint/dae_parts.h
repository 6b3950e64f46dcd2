// What the files of the solver share.
#ifndef CATGUT_CONSTRAINT_DAE_PARTS_H
#define CATGUT_CONSTRAINT_DAE_PARTS_H

#include "constraint/contact.h"
#include "constraint/dae.h"
#include "constraint/lu.h"
#include "constraint/sparse.h"
#include "solve/lcp.h"

typedef enum cg_dae_body_kind { CG_DAE_SPLINE, CG_DAE_RIGID, CG_DAE_SHEET, CG_DAE_ABSCISSA } cg_dae_body_kind;

typedef struct cg_dae_body {
    cg_dae_body_kind kind;
    int first, count; // unknowns
    cg_spline spline;
    cg_dae_rigid_def rigid;
    cg_sheet sheet;
    int on; // abscissa: the spline
} cg_dae_body;

// A piece of a body: a span, a rigid body, a node, a spring. An abscissa has none: it has neither mass nor force.
typedef struct cg_dae_item {
    enum { CG_ITEM_SPAN, CG_ITEM_RIGID, CG_ITEM_NODE, CG_ITEM_SPRING } kind;
    int body, number;
    int count;           // unknowns
    int unknowns, slots; // where its lists begin in the pools
} cg_dae_item;

// A constraint.
typedef struct cg_dae_block {
    cg_rows rows;
    int index;
    double impulse[CG_ROWS_MOST]; // h lambda of the last step [N s]
    double last_step;             // [s] that h
    bool redundant[CG_ROWS_MOST];
    int first_row;
    int slots; // of the first span; one table of (unknowns + rows)^2 a span
} cg_dae_block;

// Two bodies that may touch (contact.h).
typedef struct cg_dae_pair {
    int first, second;
    bool is_tip; // the tip of a spline at u, and a sheet; otherwise edges of two splines
    bool is_on;
    bool touched;     // in the last step, or part of one
    bool leaves;      // a tip on its way out of a sheet
    double thickness; // [m] that it keeps then
    double u;
} cg_dae_pair;

struct cg_dae {
    cg_dae_def def;
    int body_count, body_capacity, block_count, block_capacity, unknown_count, unknown_capacity;
    cg_dae_body *bodies;
    cg_dae_block *blocks;
    double *x, *v;  // of each unknown
    double *last_a; // of the last step
    double *push;   // forces from outside
    bool *held;     // stands still: a fixed node, an abscissa that no constraint acts on
    bool is_prepared;
    cg_dae_stats stats;

    // made by cg_dae_prepare
    int row_count, item_count, size; // size: unknowns and rows
    cg_dae_item *items;

    int *unknowns, *slots; // pools
    cg_sparse matrix;      // what falls on a held unknown goes to one entry behind the last, which nobody reads
    double *x0, *v0;       // the beginning of the step
    double *residual, *solution, *check;
    double *dense_rows; // of G, for the search of redundant ones

    // contacts
    int pair_count, contact_count;
    cg_dae_pair pairs[CG_DAE_PAIRS_MOST];
    cg_dae_contact contacts[CG_DAE_CONTACTS_MOST];
    double *contact_force;   // on each unknown [N]
    double *contact_columns; // of each contact: J^-1 H^T
    double *coupling;        // H J^-1 H^T, rows CG_DAE_CONTACTS_MOST apart
    void *lcp_memory;
    cg_lcp lcp;

    // multipliers eliminated
    int inner_count, border_count;
    int *place_of;   // of each unknown and row: its place inside, or -1 - its place in the border
    int *inner_from; // of each entry of `inner`: the entry of `matrix`
    cg_sparse inner;
    double *border_columns; // inner_count x border_count: A^-1 B
    double *inner_work, *border_work;
    cg_lu border;
};

// What is assembled: a step of h, or the projection of places or velocities.
typedef enum cg_dae_task { CG_DAE_TASK_STEP, CG_DAE_TASK_POSITION, CG_DAE_TASK_VELOCITY } cg_dae_task;

// Fills residual, and the matrix of a step when asked. `late`: part.h.
void cg_dae_assemble(cg_dae *dae, cg_dae_task task, double h, double late, bool with_matrix);
// Norms of the equations of motion and of the constraints on their own levels, from the residual.
void cg_dae_norms(const cg_dae *dae, cg_dae_task task, double h, double *motion, double *rows);
// The element state and answer of one item, for others who look at single items.
void cg_dae_gather_item(const cg_dae *dae, const cg_dae_item *item, double h, cg_element_state *state);

// Factors with the present values: with `fresh` pivots between steps, with the same ones in a step.
bool cg_dae_factor(cg_dae *dae, bool fresh);
// solution = matrix^-1 residual. False when it is no solution (bad pivots).
bool cg_dae_solve(cg_dae *dae);

// Marks rows that follow from those before them, at the present places.
void cg_dae_find_redundant(cg_dae *dae);

void cg_dae_free_prepared(cg_dae *dae);

#endif
