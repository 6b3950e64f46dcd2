// Where a tissue and shapes touch in a step, and the rows that this gives.
//
// The law of the forces is in law.h.
#include <math.h>

#include "base/vec3.h"
#include "contact/law.h"
#include "contact/press.h"

// [shortest link] How far a shape may press into tissue in one step. Much more, and the linear step is wrong. Where the
// surface is nearer than its thickness d the law is (d/D)^2 times as firm, and a shape may press by so much less, down
// to this share: else one that is told to go where it cannot would press without bound.
static const double MOST_PRESS = 0.3, LEAST_PRESS = 1.0 / 64;
// Nodes may go this many times as far as their velocities say...
static const double HASTE = 1.5;
// [thickness] ...and this much farther before a search has to be repeated.
static const double MARGIN = 1;
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

static cg_vec3 carried(const cg_moving_shape *shape, cg_vec3 point)
{
    return transform_point(shape->after, transform_point_back(shape->before, point));
}

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
    cg_vec3 way = v3_sub(carried(&f->shapes->moving[p->shape], p->at.surface), p->at.surface);
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
    *press = (cg_touch){.pair = cg_press_pair(set, p->shape, 8 * p->triangle + p->kind),
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
    double part = law_within((nearest - at.distance) / set->surface->thickness, 0, 1);
    if (part > 0) {
        add_press(
            f, &(place){contact->shape, contact->triangle, CG_PRESS_MIDDLE, {third[0], third[1], third[2]}, at, part});
        nearest = at.distance;
    }
    part = law_within((nearest - contact->distance) / set->surface->thickness, 0, 1);
    if (part > 0) {
        const double *w = contact->weights;
        at = (cg_shape_distance){contact->distance, 0, contact->point, contact->surface, contact->normal};
        add_press(f, &(place){contact->shape, contact->triangle, CG_PRESS_CLOSEST, {w[0], w[1], w[2]}, at, part});
    }
}

static void take_over(cg_press_set *set)
{
    cg_touch *last = set->before;
    bool is_same = set->version == set->tissue->mesh->topology_version;
    set->before = set->presses;
    set->before_count = is_same ? set->count : 0;
    set->presses = last;
    set->count = 0;
    set->version = set->tissue->mesh->topology_version;
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

// Shortens the way of shapes that would press too far into the tissue in one step.
static void ease_shapes(const cg_press_set *set)
{
    const cg_press_shapes *shapes = set->shapes;
    for (int i = 0; i < set->found.count; i++) {
        const cg_surface_contact *contact = &set->found.items[i];
        cg_vec3 way = v3_sub(carried(&shapes->moving[contact->shape], contact->surface), contact->surface);
        double nearer = v3_dot(way, contact->normal), room = contact->gap > 0 ? contact->gap : 0;
        double near = contact->distance / set->surface->thickness;
        room += MOST_PRESS * law_within(near * fabs(near), LEAST_PRESS, 1) * set->tissue->springs.shortest;
        double *share = &shapes->way[contact->shape];
        *share = nearer * *share > room ? room / nearer : *share;
    }
}

static bool is_standing(const cg_moving_shape *shape)
{
    const cg_transform *a = &shape->before, *b = &shape->after;
    return a->position.x == b->position.x && a->position.y == b->position.y && a->position.z == b->position.z &&
           a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->rotation.w == b->rotation.w;
}

static bool is_idle(const cg_tissue *tissue, const cg_press_shapes *shapes)
{
    bool idle = tissue->asleep;
    for (int k = 0; k < shapes->count && idle; k++) {
        idle = is_standing(&shapes->moving[k]);
    }
    return idle;
}

// Drops what cannot change: a pad that is fixed to the table on which it lies.
static void drop_standing(cg_press_set *set)
{
    const cg_tissue *tissue = set->tissue;
    int kept = 0;
    for (int i = 0; i < set->found.count; i++) {
        const cg_surface_contact *contact = &set->found.items[i];
        bool stands = is_standing(&set->shapes->moving[contact->shape]);
        for (int k = 0; k < 3 && stands; k++) {
            int node = tissue->mesh->triangles[contact->triangle].nodes[k];
            cg_vec3 way = v3_sub(tissue->target[node], tissue->mesh->position[node]);
            stands = tissue->mesh->fixed[node] && v3_dot(way, way) == 0;
        }
        if (!stands) {
            set->found.items[kept++] = *contact;
        }
    }
    set->found.count = kept;
}

// Where all other nodes start is asked rarely; the tissue's own solve knows it (cg_springs.place).
static void note_starts(cg_press_set *set)
{
    const cg_mesh *mesh = set->tissue->mesh;
    for (int i = 0; i < set->found.count; i++) {
        const int *nodes = mesh->triangles[set->found.items[i].triangle].nodes;
        for (int k = 0; k < 3; k++) {
            set->start[nodes[k]] = mesh->position[nodes[k]];
        }
    }
}

void cg_press_find(cg_press_set *set, const cg_press_shapes *shapes)
{
    cg_tissue *tissue = set->tissue;
    take_over(set);
    set->is_near = false;
    set->shapes = shapes;
    set->found.count = set->found.lost = 0;
    if (shapes->count == 0 || tissue->solver != CG_TISSUE_IMPLICIT || is_idle(tissue, shapes) ||
        !cg_tissue_surface_follow_tree(set->surface)) {
        return;
    }
    cg_motion_rule look = set->rule;
    look.max_looks = 0; // how far it is safe is asked later, when the motion is known
    set->reach = HASTE * tissue->time_step * cg_tissue_fastest(tissue) + MARGIN * set->surface->thickness;
    cg_surface_contacts_find(&set->surface->tree, set->surface->thickness, &look, shapes->moving, shapes->count,
                             set->reach, &set->found);
    drop_standing(set);
    if (set->found.count > 0) {
        set->is_near = true;
        note_starts(set);
        ease_shapes(set);
        set->pusher = (cg_tissue_pusher){.push = make_rows, .context = set, .keeps_awake = true};
        cg_tissue_add_pusher(tissue, &set->pusher);
    }
}
