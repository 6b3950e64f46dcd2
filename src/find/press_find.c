// Where a tissue and shapes touch in a step, and the rows that this gives.
//
// The law of the forces is in laws/law.h.
#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "base/within.h"
#include "find/press.h"

// [shortest link] How far a shape may press into tissue in one step. Much more, and the linear step is wrong. Where the
// surface is nearer than its thickness d the law is (d/D)^2 times as firm, and a shape may press by so much less, down
// to this share: else one that is told to go where it cannot would press without bound.
static const double MOST_PRESS = 0.3, LEAST_PRESS = 1.0 / 64;
// Nodes may go this many times as far as their velocities say...
static const double HASTE = 1.5;
// [thickness] ...and this much farther before a search has to be repeated.
static const double MARGIN = 1;

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

// Shortens the way of shapes that would press too far into the tissue in one step.
static void ease_shapes(const cg_press_set *set)
{
    const cg_press_shapes *shapes = set->shapes;
    for (int i = 0; i < set->found.count; i++) {
        const cg_surface_contact *contact = &set->found.items[i];
        cg_vec3 way = v3_sub(press_carried(&shapes->moving[contact->shape], contact->surface), contact->surface);
        double nearer = v3_dot(way, contact->normal), room = contact->gap > 0 ? contact->gap : 0;
        double near = contact->distance / set->surface->thickness;
        room += MOST_PRESS * within(near * fabs(near), LEAST_PRESS, 1) * set->tissue->springs.shortest;
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

bool cg_press_look(cg_press_set *set, const cg_press_shapes *shapes)
{
    assert(shapes->count >= 0);
    cg_tissue *tissue = set->tissue;
    take_over(set);
    set->is_near = false;
    set->shapes = shapes;
    set->found.count = set->found.lost = 0;
    if (shapes->count == 0 || tissue->solver != CG_TISSUE_IMPLICIT || is_idle(tissue, shapes) ||
        !cg_tissue_surface_follow_tree(set->surface)) {
        return false;
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
    }
    return set->is_near;
}
