// Rows of a tissue with shapes: made from what was found, once the other forces of the step are known, and what they
// did. The law of the forces is in law.h.
#include "laws/press.h"

#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "base/within.h"
#include "laws/law.h"

// Contacts that look for the nearest of the last step, when their triangle had none, are these many at most.
enum { MOST_SEARCHED = 64 };

typedef struct finding {
    cg_press_set *set;
    const cg_press_shapes *shapes;
    double time_step;
    int old; // place in `before`
} finding;

// A point of a triangle that may touch.
typedef struct place {
    int shape, triangle;
    int kind; // of a feature (collide/skin_contacts.h)
    double weights[3];
    cg_shape_distance at;
    double part; // of the full stiffness
} place;

static cg_vec3 weigh(const cg_vec3 *values, const int nodes[3], const double weights[3])
{
    cg_vec3 sum = v3_scale(weights[0], values[nodes[0]]);
    sum = v3_add_scaled(sum, weights[1], values[nodes[1]]);
    return v3_add_scaled(sum, weights[2], values[nodes[2]]);
}

// The traction of the last step here: of the same place, or of the nearest contact with the same shape.
static cg_vec3 traction_before(finding *f, const cg_touch *press)
{
    const cg_press_set *set = f->set;
    while (f->old < set->before_count && press_order(&set->before[f->old]) < press_order(press)) {
        f->old++;
    }
    if (f->old < set->before_count && press_order(&set->before[f->old]) == press_order(press)) {
        return set->before[f->old].traction;
    }
    cg_vec3 traction = v3_zero();
    double nearest = INFINITY;
    for (int i = 0; i < set->before_count && set->before_count <= MOST_SEARCHED; i++) {
        double away = v3_distance(set->before[i].point[0], press->point[0]);
        if (press_shape(&set->before[i]) == press_shape(press) && away < nearest) {
            nearest = away;
            traction = set->before[i].traction;
        }
    }
    return traction;
}

static bool is_fixed(const cg_mesh *mesh, const int nodes[3], const double weights[3])
{
    for (int k = 0; k < 3; k++) {
        if (weights[k] > 1e-9 && !mesh->fixed[nodes[k]]) {
            return false;
        }
    }
    return true;
}

// Adds press and row of a place, unless it opens or has not closed, or nothing there can give way.
static void add_press(finding *f, const place *p)
{
    cg_press_set *set = f->set;
    const cg_tissue *tissue = set->tissue;
    const int *nodes = tissue->mesh->triangles[p->triangle].nodes;
    cg_vec3 n = p->at.normal;
    cg_vec3 way = v3_sub(press_carried(&f->shapes->moving[p->shape], p->at.surface), p->at.surface);
    cg_vec3 relative = v3_sub(v3_scale(f->time_step, weigh(tissue->velocity, nodes, p->weights)), way);
    cg_contact_law law = {.thickness = set->surface->thickness,
                          .distance = p->at.distance,
                          .part = p->part,
                          .growth = 1,
                          .facing = 1,
                          .friction = sqrt(set->surface->friction * f->shapes->friction[p->shape]),
                          .normal = n,
                          .relative = relative,
                          .urge = v3_sub(cg_contact_urge(tissue, nodes, p->weights), way),
                          .way = way};
    if (cg_contact_is_open(&law) || is_fixed(tissue->mesh, nodes, p->weights) || set->count == set->found.capacity) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        law.stiffness += p->weights[k] * cg_tissue_node_stiffness(tissue, nodes[k]);
    }
    cg_touch *press = &set->presses[set->count];
    cg_tissue_row *row = &set->rows[set->count++];
    *press = (cg_touch){.kind = CG_PRESS_ROW,
                        .pair = cg_press_pair(set, p->shape, 8 * p->triangle + p->kind),
                        .weights = {{p->weights[0], p->weights[1], p->weights[2]}},
                        .point = {p->at.point, v3_add_scaled(p->at.point, -law.distance, n)},
                        .axes = {n},
                        .radius = law.thickness,
                        .gap = law.distance,
                        .friction = law.friction};
    press->part = law.part;
    press->growth = press->facing = 1;
    law.traction = press->traction = traction_before(f, press);
    *row = (cg_tissue_row){.count = 3,
                           .own_count = 3,
                           .nodes = {nodes[0], nodes[1], nodes[2]},
                           .weights = {p->weights[0], p->weights[1], p->weights[2]}};
    cg_contact_fill_row(&law, row);
}

// Nodes that no triangle before had, the middle by as much as it is nearer than they are, and the closest point by as
// much as it is nearer than all of these. The closest point wanders with every small turn of the triangle, which the
// matrix does not know; the less it carries, the less the tissue trembles.
static void add_triangle(finding *f, const cg_surface_contact *contact)
{
    cg_press_set *set = f->set;
    const int *nodes = set->tissue->mesh->triangles[contact->triangle].nodes;
    const cg_moving_shape *shape = &f->shapes->moving[contact->shape];
    double nearest = INFINITY;
    for (int k = 0; k < 3; k++) {
        cg_vec3 corner = set->tissue->mesh->position[nodes[k]];
        cg_shape_distance at = cg_shape_distance_point(&shape->shape, &shape->before, corner);
        place p = {contact->shape, contact->triangle, CG_SKIN_NODE + k, {k == 0, k == 1, k == 2}, at, 1};
        nearest = p.at.distance < nearest ? p.at.distance : nearest;
        if (set->marks[nodes[k]] != contact->shape) {
            set->marks[nodes[k]] = contact->shape;
            add_press(f, &p);
        }
    }
    const double third[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    cg_vec3 middle = weigh(set->tissue->mesh->position, nodes, third);
    cg_shape_distance at = cg_shape_distance_point(&shape->shape, &shape->before, middle);
    double part = within((nearest - at.distance) / set->surface->thickness, 0, 1);
    if (part > 0) {
        add_press(
            f, &(place){contact->shape, contact->triangle, CG_PRESS_MIDDLE, {third[0], third[1], third[2]}, at, part});
        nearest = at.distance;
    }
    part = within((nearest - contact->distance) / set->surface->thickness, 0, 1);
    if (part > 0) {
        const double *w = contact->weights;
        at = (cg_shape_distance){contact->distance, 0, contact->point, contact->surface, contact->normal};
        add_press(f, &(place){contact->shape, contact->triangle, CG_PRESS_CLOSEST, {w[0], w[1], w[2]}, at, part});
    }
}

// Makes the rows, once the other forces of the step are known.
static void make_rows(void *context)
{
    cg_press_set *set = context;
    finding f = {.set = set, .shapes = set->shapes, .time_step = set->tissue->time_step};
    for (int i = 0; i < set->found.count; i++) {
        const int *nodes = set->tissue->mesh->triangles[set->found.items[i].triangle].nodes;
        set->marks[nodes[0]] = set->marks[nodes[1]] = set->marks[nodes[2]] = -1;
    }
    for (int i = 0; i < set->found.count; i++) {
        add_triangle(&f, &set->found.items[i]);
    }
    set->pusher.list = (cg_row_list){.rows = set->rows, .count = set->count};
}

void cg_press_find(cg_press_set *set, const cg_press_shapes *shapes)
{
    if (cg_press_look(set, shapes)) {
        set->pusher = (cg_tissue_pusher){.push = make_rows, .context = set, .keeps_awake = true};
        cg_tissue_add_pusher(set->tissue, &set->pusher);
    }
}

// What a press did, and the traction it goes on with.
static void note_press(cg_press_set *set, int index)
{
    cg_touch *press = &set->presses[index];
    cg_row_side side = {set->start, set->tissue->mesh->position};
    press->force = cg_tissue_row_force(&set->rows[index], &side, NULL);
    press->traction = cg_contact_traction(press->force, press->axes[0], press->friction);
}

void cg_press_note(cg_press_set *set)
{
    assert(set->count <= set->found.capacity);
    for (int i = 0; i < set->count; i++) {
        note_press(set, i);
    }
}
