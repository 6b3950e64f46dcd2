// Where bodies touch: the tip of a thread and triangles, edges and edges.
#include <math.h>

#include "base/status.h"
#include "base/vec3.h"
#include "constraint/bspline.h"
#include "constraint/contact_work.h"
#include "geometry/closest.h"

// How far beyond a triangle's rim its plane still counts, in weights.
#define RIM 0.05
// [radii] A thread is on the side of a sheet on which it is so far from its end.
#define INWARDS 4
// Edges of one thread this near along it are no contact.
enum { NEIGHBOURS = 4 };

static cg_status add_pair(cg_dae *dae, cg_dae_pair pair, int *number)
{
    if (dae->pair_count == CG_DAE_PAIRS_MOST) {
        return cg_error(CG_FULL, "there are %d pairs of bodies that touch already", CG_DAE_PAIRS_MOST);
    }
    pair.is_on = true;
    *number = dae->pair_count;
    dae->pairs[dae->pair_count++] = pair;
    dae->is_prepared = false;
    return cg_ok();
}

static bool is_kind(const cg_dae *dae, int body, cg_dae_body_kind kind)
{
    return body >= 0 && body < dae->body_count && dae->bodies[body].kind == kind;
}

cg_status cg_dae_add_tip_contact(cg_dae *dae, int spline, double u, int sheet, int *pair)
{
    if (!is_kind(dae, spline, CG_DAE_SPLINE) || !is_kind(dae, sheet, CG_DAE_SHEET)) {
        return cg_error(CG_BAD_HANDLE, "a contact of a tip needs a spline and a sheet");
    }
    return add_pair(dae, (cg_dae_pair){.first = spline, .second = sheet, .is_tip = true, .u = u}, pair);
}

cg_status cg_dae_add_edge_contact(cg_dae *dae, int first, int second, int *pair)
{
    if (!is_kind(dae, first, CG_DAE_SPLINE) || !is_kind(dae, second, CG_DAE_SPLINE)) {
        return cg_error(CG_BAD_HANDLE, "a contact of edges needs two splines");
    }
    return add_pair(dae, (cg_dae_pair){.first = first, .second = second}, pair);
}

void cg_dae_switch_contact(cg_dae *dae, int pair, bool is_on)
{
    dae->pairs[pair].is_on = is_on;
}

// --- tip and triangle ---

static cg_vec3 node_at(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

// The distance of a point from the plane of a triangle along its normal, and the weights of its foot.
static double over_triangle(cg_vec3 point, const cg_vec3 corners[3], cg_vec3 *normal, double weights[3])
{
    cg_vec3 ab = v3_sub(corners[1], corners[0]), ac = v3_sub(corners[2], corners[0]), n = v3_cross(ab, ac);
    double square = v3_dot(n, n);
    cg_vec3 from = v3_sub(point, corners[0]);
    if (!(square > 0)) {
        weights[0] = weights[1] = weights[2] = -1;
        return 0;
    }
    weights[1] = v3_dot(v3_cross(from, ac), n) / square;
    weights[2] = v3_dot(v3_cross(ab, from), n) / square;
    weights[0] = 1 - weights[1] - weights[2];
    *normal = v3_scale(1 / sqrt(square), n);
    return v3_dot(from, *normal);
}

static bool is_inside(const double weights[3])
{
    return weights[0] > -RIM && weights[1] > -RIM && weights[2] > -RIM;
}

static void corners_of(const cg_dae *dae, const cg_dae_pair *pair, int triangle, const double *x, cg_vec3 corners[3])
{
    const cg_dae_body *sheet = &dae->bodies[pair->second];
    for (int c = 0; c < 3; c++) {
        corners[c] = node_at(x + sheet->first + CG_NODE_UNKNOWNS * sheet->sheet.triangles[triangle][c]);
    }
}

static cg_vec3 place_of(const cg_part *part, const double *x)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < part->node_count; i++) {
        sum = v3_add_scaled(sum, part->weights[i], node_at(x + part->nodes[i]));
    }
    return sum;
}

static cg_vec3 tip_at(const cg_dae *dae, const cg_dae_pair *pair, const double *x)
{
    cg_part tip = cg_dae_on_spline(dae, pair->first, pair->u, 0);
    return place_of(&tip, x);
}

// On which side of a plane the thread of a tip is, a little way from its end.
static double side_of_thread(const cg_dae *dae, const cg_dae_pair *pair, cg_vec3 on_plane, cg_vec3 normal,
                             const double *x)
{
    const cg_spline *spline = &dae->bodies[pair->first].spline;
    double way = fmin(INWARDS * spline->radius / spline->span_length, 0.5);
    cg_part inner = cg_dae_on_spline(dae, pair->first, pair->u + (pair->u > CG_BSPLINE_FIRST ? -way : way), 0);
    return v3_dot(normal, v3_sub(place_of(&inner, x), on_plane)) < 0 ? -1 : 1;
}

// How far the tip is out of the sheet, on the side of its thread; above a radius where nothing is under it.
static double way_out(const cg_dae *dae, const cg_dae_pair *pair)
{
    double least = INFINITY, out = INFINITY;
    cg_vec3 tip = tip_at(dae, pair, dae->x);
    for (int t = 0; t < dae->bodies[pair->second].sheet.triangle_count; t++) {
        cg_vec3 corners[3], normal = v3_zero();
        double weights[3];
        corners_of(dae, pair, t, dae->x, corners);
        double distance = over_triangle(tip, corners, &normal, weights);
        if (is_inside(weights) && fabs(distance) < least) {
            least = fabs(distance);
            out = distance * side_of_thread(dae, pair, corners[0], normal, dae->x);
        }
    }
    return out;
}

void cg_dae_let_tip_leave(cg_dae *dae, int number)
{
    cg_dae_pair *pair = &dae->pairs[number];
    pair->is_on = pair->leaves = true;
    pair->thickness = -INFINITY;
    cg_dae_follow_leaving(dae);
}

bool cg_dae_tip_leaves(const cg_dae *dae, int number)
{
    return dae->pairs[number].leaves;
}

void cg_dae_follow_leaving(cg_dae *dae)
{
    for (int k = 0; k < dae->pair_count; k++) {
        cg_dae_pair *pair = &dae->pairs[k];
        if (pair->leaves) {
            double radius = dae->bodies[pair->first].spline.radius;
            pair->thickness = fmin(fmax(pair->thickness, way_out(dae, pair)), radius);
            pair->leaves = pair->thickness < radius;
        }
    }
}

// A contact with a triangle, when the tip is over it, by a rim, and near. In a dent several planes meet at the tip, and
// all of them carry: with one alone it would change from one to the next, and push to and fro.
static void try_triangle(cg_dae *dae, int number, int triangle, cg_dae_contact contact)
{
    const cg_dae_pair *pair = &dae->pairs[number];
    cg_vec3 corners[3], normal = v3_zero(), old_normal = v3_zero();
    cg_vec3 tip = place_of(&contact.parts[0], dae->x), before = place_of(&contact.parts[0], dae->x0);
    double weights[3], old_weights[3];
    corners_of(dae, pair, triangle, dae->x, corners);
    double distance = over_triangle(tip, corners, &normal, weights);
    if (!is_inside(weights) || dae->contact_count == CG_DAE_CONTACTS_MOST) {
        return;
    }
    corners_of(dae, pair, triangle, dae->x0, corners);
    double side = over_triangle(before, corners, &old_normal, old_weights) < 0 ? -1 : 1;
    side = pair->leaves ? side_of_thread(dae, pair, corners[0], old_normal, dae->x0) : side;
    contact.triangle = triangle;
    contact.normal = v3_scale(side, normal);
    contact.gap = side * distance - contact.thickness;
    for (int c = 0; c < 3; c++) {
        contact.weights[c] = weights[c];
    }
    if (contact.gap < dae->bodies[pair->first].spline.radius) {
        contact.parts[1] =
            cg_dae_nodes(dae, pair->second, dae->bodies[pair->second].sheet.triangles[triangle], contact.weights);
        dae->contacts[dae->contact_count++] = contact;
    }
}

static void find_tip(cg_dae *dae, int number)
{
    const cg_dae_pair *pair = &dae->pairs[number];
    double radius = dae->bodies[pair->first].spline.radius;
    cg_dae_contact contact = {.pair = number, .thickness = pair->leaves ? pair->thickness : radius};
    contact.parts[0] = cg_dae_on_spline(dae, pair->first, pair->u, 0);
    for (int t = 0; t < dae->bodies[pair->second].sheet.triangle_count; t++) {
        try_triangle(dae, number, t, contact);
    }
}

// --- edges ---

static double edge_abscissa(int edge)
{
    return CG_BSPLINE_FIRST + (double)edge / CG_DAE_EDGES_A_SPAN;
}

static cg_vec3 spline_point(const cg_dae *dae, int body, double u, const double *x)
{
    cg_part part = cg_dae_on_spline(dae, body, u, 0);
    return place_of(&part, x);
}

static void find_edge(cg_dae *dae, int number, int i, int j)
{
    const cg_dae_pair *pair = &dae->pairs[number];
    cg_vec3 p[2], q[2];
    for (int k = 0; k < 2; k++) {
        p[k] = spline_point(dae, pair->first, edge_abscissa(i + k), dae->x0);
        q[k] = spline_point(dae, pair->second, edge_abscissa(j + k), dae->x0);
    }
    double thickness = dae->bodies[pair->first].spline.radius + dae->bodies[pair->second].spline.radius;
    if (are_apart_along_middles(p, q, 2 * thickness)) {
        return;
    }
    cg_closest closest = cg_closest_segments(p[0], p[1], q[0], q[1]);
    double distance = sqrt(closest.squared_distance);
    if (!(distance < 2 * thickness && distance > 0) || dae->contact_count == CG_DAE_CONTACTS_MOST) {
        return;
    }
    double step = 1.0 / CG_DAE_EDGES_A_SPAN;
    cg_dae_contact *contact = &dae->contacts[dae->contact_count++];
    *contact = (cg_dae_contact){.pair = number, .triangle = -1, .thickness = thickness};
    contact->normal = v3_scale(1 / distance, v3_sub(closest.a, closest.b));
    contact->parts[0] = cg_dae_on_spline(dae, pair->first, edge_abscissa(i) + step * closest.s, 0);
    contact->parts[1] = cg_dae_on_spline(dae, pair->second, edge_abscissa(j) + step * closest.t, 0);
}

static void find_edges(cg_dae *dae, int number)
{
    const cg_dae_pair *pair = &dae->pairs[number];
    int first = CG_DAE_EDGES_A_SPAN * dae->bodies[pair->first].spline.span_count;
    int second = CG_DAE_EDGES_A_SPAN * dae->bodies[pair->second].spline.span_count;
    for (int i = 0; i < first; i++) {
        for (int j = pair->first == pair->second ? i + NEIGHBOURS : 0; j < second; j++) {
            find_edge(dae, number, i, j);
        }
    }
}

void cg_dae_find_contacts(cg_dae *dae)
{
    dae->contact_count = 0;
    for (int k = 0; k < dae->pair_count; k++) {
        if (dae->pairs[k].is_on) {
            (dae->pairs[k].is_tip ? find_tip : find_edges)(dae, k);
        }
    }
    cg_dae_measure_contacts(dae);
}

void cg_dae_measure_contacts(cg_dae *dae)
{
    for (int k = 0; k < dae->contact_count; k++) {
        cg_dae_contact *contact = &dae->contacts[k];
        cg_vec3 apart = v3_sub(place_of(&contact->parts[0], dae->x), place_of(&contact->parts[1], dae->x));
        contact->gap = v3_dot(contact->normal, apart) - contact->thickness;
    }
}
