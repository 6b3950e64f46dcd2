// The constraints of a structure: sites become parts, kinds become rows.
#include <math.h>

#include "base/quat.h"
#include "base/status.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "constraint/structure.h"
#include "geometry/triangle.h"

// [m] Points that a constraint holds together may be this far apart in the beginning: the first step closes it.
#define APART 1e-6

// --- sites ---

static bool is_space(const cg_constraint_site *site)
{
    return site->thread.index == 0 && site->body.index == 0 && site->tissue.index == 0;
}

static const cg_structure_spline *spline_at(const cg_structure *structure, const cg_constraint_site *site)
{
    const cg_thread *thread = structure->finder.thread(structure->finder.world, site->thread);
    for (int i = 0; thread != NULL && i < structure->spline_count; i++) {
        if (structure->splines[i].thread == thread) {
            return &structure->splines[i];
        }
    }
    return NULL;
}

// The body of the system; -1: the site is no rigid body.
static int body_at(const cg_structure *structure, const cg_constraint_site *site)
{
    const cg_rigid *rigid = structure->finder.body(structure->finder.world, site->body);
    for (int i = 0; rigid != NULL && i < structure->body_count; i++) {
        if (structure->bodies[i].rigid == rigid) {
            return structure->bodies[i].body;
        }
    }
    return -1;
}

static cg_part thread_part(const cg_structure *structure, const cg_constraint_site *site, int order)
{
    const cg_structure_spline *at = spline_at(structure, site);
    double u = cg_structure_abscissa(cg_dae_spline(structure->dae, at->body), site->arc);
    return cg_dae_on_spline(structure->dae, at->body, u, order);
}

static cg_part tissue_part(const cg_structure *structure, const cg_constraint_site *site, cg_vec3 place)
{
    const cg_tissue *tissue = structure->finder.tissue(structure->finder.world, site->tissue);
    cg_triangle_closest nearest = {.squared_distance = INFINITY};
    int triangle = 0, body = 0;
    for (int i = 0; i < structure->sheet_count; i++) {
        body = structure->sheets[i].tissue == tissue ? structure->sheets[i].body : body;
    }
    for (int t = 0; t < tissue->mesh->triangle_count; t++) {
        cg_vec3 corners[3];
        for (int c = 0; c < 3; c++) {
            corners[c] = tissue->mesh->position[tissue->mesh->triangles[t].nodes[c]];
        }
        cg_triangle_closest found = cg_closest_point_triangle(place, corners);
        if (found.squared_distance < nearest.squared_distance) {
            nearest = found;
            triangle = t;
        }
    }
    return cg_dae_nodes(structure->dae, body, tissue->mesh->triangles[triangle].nodes, nearest.weights);
}

// A site that needs no other to know where it is.
static bool knows_place(const cg_constraint_site *site)
{
    return site->thread.index != 0 || site->has_place;
}

static cg_part part_at(const cg_structure *structure, const cg_constraint_site *site, cg_vec3 place)
{
    cg_vec3 own = site->has_place ? site->place : place;
    int body = body_at(structure, site);
    return site->thread.index != 0   ? thread_part(structure, site, 0)
           : site->tissue.index != 0 ? tissue_part(structure, site, own)
           : body >= 0               ? cg_dae_point_at(structure->dae, body, own)
                                     : cg_dae_given(own);
}

// Both parts of a constraint: the one that knows its place first.
static cg_status both_parts(const cg_structure *structure, const cg_constraint_def *def, cg_part parts[2])
{
    int first = knows_place(&def->sites[0]) ? 0 : 1;
    if (!knows_place(&def->sites[first])) {
        return cg_error(CG_BAD_INPUT, "a constraint has no place; expected one for one of its two sites");
    }
    parts[first] = part_at(structure, &def->sites[first], v3_zero());
    cg_vec3 place = cg_dae_part_place(structure->dae, &parts[first]);
    parts[1 - first] = part_at(structure, &def->sites[1 - first], place);
    return cg_ok();
}

// --- kinds ---

static cg_status add_rows(cg_structure *structure, cg_rows rows, int index)
{
    int ignored;
    return cg_dae_add_rows(structure->dae, &rows, index, &ignored);
}

static cg_status add_point(cg_structure *structure, const cg_constraint_def *def, int index)
{
    cg_part parts[2];
    cg_status status = both_parts(structure, def, parts);
    if (status.code != CG_OK) {
        return status;
    }
    double apart =
        v3_distance(cg_dae_part_place(structure->dae, &parts[0]), cg_dae_part_place(structure->dae, &parts[1]));
    if (!(apart <= APART)) {
        return cg_error(CG_BAD_INPUT, "the sites of a constraint are %g mm apart; expected the same place",
                        1e3 * apart);
    }
    return add_rows(structure, (cg_rows){CG_ROW_MEET, {parts[0], parts[1]}, 0}, index);
}

static cg_status add_rod(cg_structure *structure, const cg_constraint_def *def, int index)
{
    cg_part parts[2];
    cg_status status = both_parts(structure, def, parts);
    if (status.code != CG_OK) {
        return status;
    }
    double length =
        v3_distance(cg_dae_part_place(structure->dae, &parts[0]), cg_dae_part_place(structure->dae, &parts[1]));
    if (!(length > APART)) {
        return cg_error(CG_BAD_INPUT, "a rod is %g m long; expected two places apart from each other", length);
    }
    return add_rows(structure, (cg_rows){CG_ROW_DISTANCE, {parts[0], parts[1]}, length}, index);
}

static cg_status add_hinge(cg_structure *structure, const cg_constraint_def *def, int index)
{
    const cg_constraint_site *sites = def->sites;
    int bodies[2] = {body_at(structure, &sites[0]), body_at(structure, &sites[1])};
    bool is_fine = bodies[0] >= 0 && (bodies[1] >= 0 || is_space(&sites[1]));
    const cg_constraint_site *placed = sites[0].has_place ? &sites[0] : &sites[1];
    if (!is_fine || !placed->has_place || !(v3_length(def->axis) > 0)) {
        return cg_error(CG_BAD_INPUT, "a hinge needs a body, another one or space, a place and an axis");
    }
    return cg_dae_add_hinge(structure->dae, bodies[0], bodies[1], placed->place, def->axis, index);
}

static cg_status add_tangent(cg_structure *structure, const cg_constraint_def *def, int index)
{
    const cg_structure_spline *at = spline_at(structure, &def->sites[0]);
    if (at == NULL) {
        return cg_error(CG_BAD_INPUT, "a tangent is held of a thread; expected one as the first site");
    }
    cg_part tangent = thread_part(structure, &def->sites[0], 1);
    cg_vec3 now = cg_dae_part_place(structure->dae, &tangent);
    if (def->kind == CG_CONSTRAINT_STRETCH) {
        return add_rows(structure, (cg_rows){CG_ROW_MEET, {tangent, cg_dae_given(now)}, 0}, index);
    }
    double u = cg_structure_abscissa(cg_dae_spline(structure->dae, at->body), def->sites[0].arc);
    return cg_dae_add_direction(structure->dae, at->body, u, now, index);
}

static cg_status add_slide(cg_structure *structure, const cg_constraint_def *def, int index)
{
    const cg_structure_spline *at = spline_at(structure, &def->sites[0]);
    if (at == NULL) {
        return cg_error(CG_BAD_INPUT, "what slides is a thread; expected one as the first site");
    }
    double u = cg_structure_abscissa(cg_dae_spline(structure->dae, at->body), def->sites[0].arc);
    int abscissa;
    cg_status status = cg_dae_add_abscissa(structure->dae, at->body, u, &abscissa);
    if (status.code != CG_OK) {
        return status;
    }
    cg_part slides = cg_dae_sliding(structure->dae, at->body, abscissa, 0);
    cg_constraint_site other = def->sites[1];
    other.has_place = false; // it is where the thread is
    cg_part point = part_at(structure, &other, cg_dae_part_place(structure->dae, &slides));
    return add_rows(structure, (cg_rows){CG_ROW_MEET, {slides, point}, 0}, index);
}

// --- hands ---

// Where the part in space of a joint is.
static cg_status follow_hand(cg_structure *structure, cg_structure_joint *joint)
{
    cg_transform pose;
    cg_vec3 place;
    if (!joint->has_point || !cg_dae_given_place(structure->dae, joint->first, &place)) {
        return cg_error(CG_BAD_INPUT, "a hand leads a point in space; this constraint has none");
    }
    if (!structure->finder.hand(structure->finder.world, joint->hand, &pose)) {
        return cg_error(CG_BAD_HANDLE, "hand id (%u, %u) names no hand of this world", joint->hand.index,
                        joint->hand.generation);
    }
    joint->local = transform_point_back(pose, place);
    return cg_ok();
}

// --- all of them ---

static cg_status add_constraint(cg_structure *structure, const cg_constraint_def *def, int usual)
{
    int index = def->index != 0 ? def->index : usual;
    cg_structure_joint *joint = &structure->joints[structure->joint_count];
    *joint = (cg_structure_joint){.first = cg_dae_constraint_count(structure->dae), .hand = def->hand};
    joint->has_point =
        def->kind == CG_CONSTRAINT_POINT || def->kind == CG_CONSTRAINT_HINGE || def->kind == CG_CONSTRAINT_SLIDE;
    cg_status status = cg_error(CG_BAD_INPUT, "constraint kind %d is none", (int)def->kind);
    switch (def->kind) {
    case CG_CONSTRAINT_POINT:
        status = add_point(structure, def, index);
        break;
    case CG_CONSTRAINT_HINGE:
        status = add_hinge(structure, def, index);
        break;
    case CG_CONSTRAINT_TANGENT:
    case CG_CONSTRAINT_STRETCH:
        status = add_tangent(structure, def, index);
        break;
    case CG_CONSTRAINT_SLIDE:
        status = add_slide(structure, def, index);
        break;
    case CG_CONSTRAINT_ROD:
        status = add_rod(structure, def, index);
        break;
    }
    if (status.code == CG_OK && def->hand.index != 0) {
        status = follow_hand(structure, joint);
    }
    structure->joint_count += status.code == CG_OK;
    return status;
}

cg_status cg_structure_add_constraints(cg_structure *structure, const cg_structure_def *def)
{
    cg_status status = cg_ok();
    for (int i = 0; status.code == CG_OK && i < def->constraint_count; i++) {
        status = add_constraint(structure, &def->constraints[i], def->index);
    }
    return status;
}

cg_status cg_structure_hold_ends(cg_structure *structure, int index)
{
    cg_status status = cg_ok();
    for (int i = 0; status.code == CG_OK && i < 2 * structure->spline_count; i++) {
        cg_structure_spline *spline = &structure->splines[i / 2];
        const cg_thread *thread = spline->thread;
        const cg_end_hold *hold = &thread->ends[i % 2].hold;
        double arc = i % 2 == CG_START ? 0 : thread->arc[thread->vertex_count - 1];
        double u = cg_structure_abscissa(cg_dae_spline(structure->dae, spline->body), arc);
        if (hold->kind == CG_END_FREE) {
            continue;
        }
        cg_part end = cg_dae_on_spline(structure->dae, spline->body, u, 0);
        cg_rows rows = {CG_ROW_MEET, {end, cg_dae_given(hold->position)}, 0};
        status = cg_dae_add_rows(structure->dae, &rows, index, &spline->holds[i % 2]);
        if (status.code == CG_OK && hold->kind == CG_END_CLAMPED) {
            cg_part tangent = cg_dae_on_spline(structure->dae, spline->body, u, 1);
            cg_vec3 along = v3_unit_or(hold->direction, cg_dae_part_place(structure->dae, &tangent));
            status = cg_dae_add_direction(structure->dae, spline->body, u, along, index);
        }
    }
    return status;
}
