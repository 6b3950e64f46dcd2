#include "constraint/suturing.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "constraint/bspline.h"

// [1] The abscissa counts as away from an end from here on.
#define AWAY 1e-2
// [radii] A new stitch is where the tip touched, about a radius before the end of the axis; so far it may be.
#define CAP 3

cg_status cg_suturing_begin(cg_suturing *suturing, cg_dae *dae, int thread, double u, int sheet, double threshold)
{
    if (!(threshold > 0 && threshold < 1e30)) {
        return cg_error(CG_BAD_INPUT, "the threshold of a stitch is %g N; it must be above 0", threshold);
    }
    *suturing = (cg_suturing){.thread = thread, .sheet = sheet, .threshold = threshold, .tip = u, .abscissa = -1};
    cg_status status = cg_dae_add_abscissa(dae, thread, u, &suturing->own);
    return status.code == CG_OK ? cg_dae_add_tip_contact(dae, thread, u, sheet, &suturing->pair) : status;
}

static double least_weight(const cg_dae_contact *contact)
{
    return fmin(contact->weights[0], fmin(contact->weights[1], contact->weights[2]));
}

// The contact whose triangle the tip is over.
static const cg_dae_contact *contact_under(const cg_suturing *suturing, const cg_dae *dae)
{
    const cg_dae_contact *contacts, *best = NULL;
    int count = cg_dae_get_contacts(dae, &contacts);
    for (int k = 0; k < count; k++) {
        bool is_its = contacts[k].pair == suturing->pair;
        if (is_its && (!best || least_weight(&contacts[k]) > least_weight(best))) {
            best = &contacts[k];
        }
    }
    return best;
}

// Whether it presses hard enough, and where.
static void look_at_tip(cg_suturing *suturing, const cg_dae *dae)
{
    double force = cg_dae_contact_force(dae, suturing->pair);
    bool is_due = force > suturing->threshold && !cg_dae_tip_leaves(dae, suturing->pair);
    const cg_dae_contact *tip = is_due ? contact_under(suturing, dae) : NULL;
    if (tip) {
        suturing->force = force;
        suturing->triangle = tip->triangle;
        memcpy(suturing->weights, tip->weights, sizeof suturing->weights);
        suturing->wish = CG_SUTURING_WILL_PIERCE;
    }
}

// Whether the hole has left the thread.
static void look_at_hole(cg_suturing *suturing, const cg_dae *dae)
{
    double u = cg_dae_place(dae, cg_dae_first_unknown(dae, suturing->abscissa));
    const cg_spline *spline = cg_dae_spline(dae, suturing->thread);
    double last = cg_bspline_last(spline->control_count), cap = CAP * spline->radius / spline->span_length;
    double inside = fmin(u - CG_BSPLINE_FIRST, last - u);
    suturing->is_through = suturing->is_through || inside > AWAY;
    suturing->wish = inside < (suturing->is_through ? 0 : -cap) ? CG_SUTURING_WILL_END : CG_SUTURING_GOES_ON;
}

void cg_suturing_look(cg_suturing *suturing, const cg_dae *dae)
{
    suturing->wish = CG_SUTURING_GOES_ON;
    (suturing->abscissa < 0 ? look_at_tip : look_at_hole)(suturing, dae);
}

static cg_status pierce(cg_suturing *suturing, cg_dae *dae)
{
    cg_status status =
        cg_dae_stitch(dae, suturing->own, suturing->tip, suturing->sheet, suturing->triangle, suturing->weights, 3);
    if (status.code != CG_OK) {
        return status;
    }
    suturing->abscissa = suturing->own;
    suturing->is_through = false;
    suturing->made++;
    cg_dae_switch_contact(dae, suturing->pair, false);
    status = cg_dae_prepare(dae);
    if (status.code == CG_OK) {
        cg_dae_project(dae); // mostly by the abscissa, which has no mass
    }
    return status;
}

static cg_status let_go(cg_suturing *suturing, cg_dae *dae)
{
    cg_dae_release_abscissa(dae, suturing->abscissa);
    suturing->abscissa = -1;
    suturing->ended++;
    cg_dae_let_tip_leave(dae, suturing->pair);
    return cg_dae_prepare(dae);
}

cg_status cg_suturing_act(cg_suturing *suturing, cg_dae *dae)
{
    int wish = (int)suturing->wish;
    suturing->wish = CG_SUTURING_GOES_ON;
    return wish == CG_SUTURING_WILL_PIERCE ? pierce(suturing, dae)
           : wish == CG_SUTURING_WILL_END  ? let_go(suturing, dae)
                                           : cg_ok();
}

cg_status cg_suturing_follow(cg_suturing *suturing, cg_dae *dae)
{
    cg_suturing_look(suturing, dae);
    return cg_suturing_act(suturing, dae);
}

double cg_suturing_way(const cg_suturing *suturing, const cg_dae *dae)
{
    if (suturing->abscissa < 0) {
        return NAN;
    }
    double u = cg_dae_place(dae, cg_dae_first_unknown(dae, suturing->abscissa));
    return (u - CG_BSPLINE_FIRST) * cg_dae_spline(dae, suturing->thread)->span_length;
}
