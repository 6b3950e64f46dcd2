#include "laws/plane.h"

#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "geometry/triangle.h"

// Triangles that a sphere can overlap at once, of those that are looked at.
enum { MOST_NEAR = 64 };
// A contact that is relocated walks over so many triangles at most in a step.
enum { MOST_WALK = 64 };

cg_vec3 cg_plane_force(const cg_plane_contact *contact, double stiffness, cg_vec3 x)
{
    double above = v3_dot(contact->normal, v3_sub(x, contact->origin));
    return v3_scale(-stiffness * above, contact->normal);
}

static void corners_of(const cg_mesh *mesh, int triangle, cg_vec3 corners[3])
{
    for (int k = 0; k < 3; k++) {
        corners[k] = mesh->position[mesh->triangles[triangle].nodes[k]];
    }
}

static cg_triangle_closest closest_on(const cg_mesh *mesh, int triangle, cg_vec3 x)
{
    cg_vec3 corners[3];
    corners_of(mesh, triangle, corners);
    return cg_closest_point_triangle(x, corners);
}

// A thread is never inside: where its axis has come to lie behind a triangle the plane still faces outwards.
static void lay(const cg_mesh *mesh, int triangle, cg_vec3 x, double radius, cg_plane_contact *contact)
{
    cg_vec3 corners[3];
    corners_of(mesh, triangle, corners);
    cg_triangle_closest closest = cg_closest_point_triangle(x, corners);
    cg_vec3 out = v3_cross(v3_sub(corners[1], corners[0]), v3_sub(corners[2], corners[0]));
    cg_vec3 normal = v3_unit_or(v3_sub(x, closest.on_triangle), v3_unit_or(out, v3(0, 0, 1)));
    contact->triangle = triangle;
    for (int k = 0; k < 3; k++) {
        contact->weights[k] = closest.weights[k];
    }
    contact->normal = v3_dot(normal, out) < 0 ? v3_scale(-1, normal) : normal;
    contact->origin = v3_add_scaled(closest.on_triangle, radius, contact->normal);
}

bool cg_plane_find(const cg_tissue_surface *surface, cg_vec3 x, double radius, cg_plane_contact *contact)
{
    assert(radius > 0);
    const cg_mesh *mesh = surface->tissue->mesh;
    const cg_vec3 ends[2] = {x, x};
    cg_triangle_pair items[MOST_NEAR];
    cg_triangle_list near = {.items = items, .capacity = MOST_NEAR};
    cg_sphere_tree_find_near(&surface->tree, ends, NULL, radius, &near);
    double nearest = radius * radius;
    int found = -1;
    for (int i = 0; i < near.count; i++) {
        double squared = closest_on(mesh, items[i].a, x).squared_distance;
        if (squared < nearest) {
            nearest = squared;
            found = items[i].a;
        }
    }
    if (found >= 0) {
        lay(mesh, found, x, radius, contact);
    }
    return found >= 0;
}

// The nearest of those that share a corner with the triangle, itself among them.
static int nearest_beside(const cg_mesh *mesh, int triangle, cg_vec3 x, double *squared)
{
    int nearest = triangle;
    for (int corner = 0; corner < 3; corner++) {
        int node = mesh->triangles[triangle].nodes[corner];
        for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
            double here = closest_on(mesh, at / 3, x).squared_distance;
            if (here < *squared) {
                *squared = here;
                nearest = at / 3;
            }
        }
    }
    return nearest;
}

double cg_plane_relocate(const cg_mesh *mesh, cg_vec3 x, double radius, cg_plane_contact *contact)
{
    int triangle = contact->triangle;
    double squared = closest_on(mesh, triangle, x).squared_distance;
    for (int walk = 0; walk < MOST_WALK; walk++) {
        int next = nearest_beside(mesh, triangle, x, &squared);
        if (next == triangle) {
            break;
        }
        triangle = next;
    }
    lay(mesh, triangle, x, radius, contact);
    return sqrt(squared);
}

void cg_plane_grip(cg_plane_contact *contact, double stiffness, cg_thread *thread, double time_step)
{
    assert(time_step > 0);
    int vertex = contact->vertex;
    cg_vec3 coasts = v3_add_scaled(thread->shape.position[vertex], time_step, thread->velocity[vertex]);
    contact->grip = (cg_thread_grip){.first = vertex,
                                     .count = 1,
                                     .force = cg_plane_force(contact, stiffness, coasts),
                                     .along = stiffness,
                                     .axis = contact->normal,
                                     .next = thread->grips};
    thread->grips = &contact->grip;
}
