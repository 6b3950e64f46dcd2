// Tissues that touch tissue: worlds, and an independent look at whether anything crosses.
#ifndef CATGUT_TESTS_MEET_RIG_H
#define CATGUT_TESTS_MEET_RIG_H

#include <math.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "geometry/triangle.h"
#include "harness.h"

static inline cg_world *meet_world(cg_vec3 gravity)
{
    cg_world *world;
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 100;
    def.gravity = gravity;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    return world;
}

static inline cg_tissue_id meet_add(cg_world *world, const cg_tissue_def *def)
{
    cg_tissue_id id;
    CHECK_STR(cg_world_add_tissue(world, def, &id).message, "");
    return id;
}

static inline cg_tissue_def meet_pad(double x, double y, double z)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(x, y, 0);
    def.layers[0].thickness = z;
    def.friction = 0.4;
    return def;
}

// A triangle of the world and its box.
typedef struct meet_face {
    cg_vec3 corners[3], low, high;
    int tissue, nodes[3];
} meet_face;

enum { MEET_MOST_FACES = 6000 };

static inline int meet_faces(const cg_world *world, const cg_tissue_id *tissues, int count, meet_face *faces)
{
    int found = 0;
    for (int k = 0; k < count; k++) {
        const cg_vec3 *x = cg_tissue_positions(world, tissues[k], NULL);
        for (int t = 0; t < cg_tissue_triangle_count(world, tissues[k]) && found < MEET_MOST_FACES; t++, found++) {
            meet_face *face = &faces[found];
            cg_tissue_get_triangle(world, tissues[k], t, face->nodes, NULL);
            face->tissue = k;
            for (int c = 0; c < 3; c++) {
                cg_vec3 p = face->corners[c] = x[face->nodes[c]];
                face->low = c == 0 ? p : v3(fmin(face->low.x, p.x), fmin(face->low.y, p.y), fmin(face->low.z, p.z));
                face->high = c == 0 ? p : v3(fmax(face->high.x, p.x), fmax(face->high.y, p.y), fmax(face->high.z, p.z));
            }
        }
    }
    return found;
}

static inline bool meet_share_a_node(const meet_face *a, const meet_face *b)
{
    for (int i = 0; i < 9 && a->tissue == b->tissue; i++) {
        if (a->nodes[i / 3] == b->nodes[i % 3]) {
            return true;
        }
    }
    return false;
}

// How many pairs of triangles without a common node have a point in common: looks at all pairs.
static inline int meet_crossings(const cg_world *world, const cg_tissue_id *tissues, int count)
{
    static meet_face faces[MEET_MOST_FACES];
    int found = meet_faces(world, tissues, count, faces), crossings = 0;
    for (int i = 0; i < found; i++) {
        const meet_face *a = &faces[i];
        for (int k = i + 1; k < found; k++) {
            const meet_face *b = &faces[k];
            bool boxes_meet = a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
                              b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
            if (boxes_meet && !meet_share_a_node(a, b)) {
                crossings += cg_triangles_meet(a->corners, b->corners);
            }
        }
    }
    return crossings;
}

static inline bool meet_is_finite(const cg_world *world, const cg_tissue_id *tissues, int count)
{
    bool finite = true;
    for (int k = 0; k < count; k++) {
        int nodes;
        const cg_vec3 *x = cg_tissue_positions(world, tissues[k], &nodes);
        const cg_vec3 *v = cg_tissue_velocities(world, tissues[k], NULL);
        for (int i = 0; i < nodes; i++) {
            finite = finite && v3_is_finite(x[i]) && v3_is_finite(v[i]);
        }
    }
    return finite;
}

// What must hold after every step.
typedef struct meet_watch {
    int crossings, inverted;
    bool is_finite;
    double most_force; // [N] of a contact
} meet_watch;

static inline void meet_look(const cg_world *world, const cg_tissue_id *tissues, int count, meet_watch *w)
{
    w->crossings += meet_crossings(world, tissues, count);
    w->is_finite = w->is_finite && meet_is_finite(world, tissues, count);
    for (int k = 0; k < count; k++) {
        w->inverted += cg_tissue_get_summary(world, tissues[k]).inverted_cells;
    }
    cg_contact_info contact;
    if (cg_tissue_contact_count(world, tissues[0]) > 0 && cg_tissue_get_contact(world, tissues[0], 0, &contact)) {
        w->most_force = fmax(w->most_force, v3_length(contact.force));
    }
}

#endif
