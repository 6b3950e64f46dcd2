// The way of a plane through a skin, at home. See mesh_open.h.
//
// From a node the plane goes on through the side opposite to it of one of its triangles. Where that is near an end of
// the side, the way goes to that node; else the side is split, and the new node is linked with the old one. Of both
// ways from a node the one is taken that turns least; of the first node, the one that is ahead.
#include <math.h>

#include "base/vec3.h"
#include "geometry/mesh_edit.h"
#include "geometry/mesh_open.h"

// [of an edge] Crossings nearer to a node go through it: less makes thin triangles, more a rough way.
static const double SNAP = 0.3;
// [of its length] A part of a way that gains less has turned.
static const double LEAST_GAIN = 0.1;

// Where the plane leaves a triangle of a node.
typedef struct crossing {
    int ends[2];
    double share; // of the way from the first to the second
    cg_vec3 place;
} crossing;

static cg_vec3 normal_of(const cg_mesh_section *section)
{
    return v3_cross(section->along, section->ahead);
}

static double ahead_of(const cg_mesh_section *section, cg_vec3 place)
{
    return v3_dot(section->ahead, v3_sub(place, section->start));
}

static int index_of(const cg_mesh_way *way, int node)
{
    for (int i = 0; i < way->count; i++) {
        if (way->nodes[i] == node) {
            return i;
        }
    }
    return -1;
}

static bool crosses(const cg_mesh *mesh, const cg_mesh_section *section, int a, int b, crossing *found)
{
    cg_vec3 normal = normal_of(section), p = mesh->home[a], q = mesh->home[b];
    double above = v3_dot(normal, v3_sub(p, section->start)), below = v3_dot(normal, v3_sub(q, section->start));
    if (above * below > 0 || above == below) {
        return false;
    }
    double t = above / (above - below);
    t = t < SNAP ? 0 : (t > 1 - SNAP ? 1 : t);
    *found = (crossing){{a, b}, t, v3_add_scaled(p, t, v3_sub(q, p))};
    return true;
}

// The crossing that turns least from a direction, and leads to no node of the way but the one that is wanted.
static bool find_next(const cg_mesh *mesh, const cg_mesh_section *section, const cg_mesh_way *way, cg_vec3 direction,
                      int wanted, crossing *best)
{
    int node = way->nodes[way->count - 1];
    double most = -HUGE_VAL;
    for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
        const int *n = mesh->triangles[at / 3].nodes;
        int a = n[(at % 3 + 1) % 3], b = n[(at % 3 + 2) % 3];
        crossing c;
        if (wanted >= 0 && (a == wanted || b == wanted) && way->count > 1) {
            *best = (crossing){{a, b}, a == wanted ? 0 : 1, mesh->home[wanted]};
            return true;
        }
        if (!crosses(mesh, section, a, b, &c)) {
            continue;
        }
        int to = c.share == 0 ? a : (c.share == 1 ? b : -1);
        double turn = v3_dot(direction, v3_unit_or(v3_sub(c.place, mesh->home[node]), v3_zero()));
        if ((to < 0 || index_of(way, to) < 0) && turn > most) {
            most = turn;
            *best = c;
        }
    }
    return most > -0.9; // straight back is where it came from
}

static bool take_step(cg_mesh *mesh, cg_mesh_way *way, const crossing *c)
{
    int node = c->ends[c->share > 0.5];
    if (way->count == CG_WAY_MOST ||
        (c->share > 0 && c->share < 1 &&
         cg_mesh_split_edge(mesh, c->ends[0], c->ends[1], c->share, &node).code != CG_OK)) {
        return false;
    }
    way->nodes[way->count++] = node;
    return true;
}

static cg_vec3 direction_of(const cg_mesh *mesh, const cg_mesh_section *section, const cg_mesh_way *way)
{
    int n = way->count;
    return n > 1 ? v3_unit_or(v3_sub(mesh->home[way->nodes[n - 1]], mesh->home[way->nodes[n - 2]]), v3_zero())
                 : section->ahead;
}

// What comes next on a way.
static cg_walk_end look_on(const cg_mesh *mesh, const cg_mesh_section *section, const cg_mesh_way *way, crossing *c)
{
    if (!find_next(mesh, section, way, direction_of(mesh, section, way), -1, c)) {
        return CG_WALK_LOST;
    }
    cg_vec3 part = v3_sub(c->place, mesh->home[way->nodes[way->count - 1]]);
    return v3_dot(section->ahead, part) < LEAST_GAIN * v3_length(part) ? CG_WALK_TURNED : CG_WALK_ARRIVED;
}

// A way that ends where the surface turns has turned: nothing is left before it.
cg_walk_end cg_mesh_walk_ahead(cg_mesh *mesh, const cg_mesh_section *section, cg_mesh_way *way)
{
    int first = way->count;
    crossing c = {{0}, 0, {0, 0, 0}};
    cg_walk_end end = look_on(mesh, section, way, &c);
    while (end == CG_WALK_ARRIVED &&
           (way->count < first + 2 || ahead_of(section, mesh->home[way->nodes[way->count - 1]]) < section->advance)) {
        end = take_step(mesh, way, &c) ? look_on(mesh, section, way, &c) : CG_WALK_LOST;
    }
    return end;
}

cg_walk_end cg_mesh_walk_to(cg_mesh *mesh, const cg_mesh_section *section, int node, cg_mesh_way *way)
{
    while (way->nodes[way->count - 1] != node) {
        crossing c = {{0}, 0, {0, 0, 0}};
        if (!find_next(mesh, section, way, direction_of(mesh, section, way), node, &c) || !take_step(mesh, way, &c)) {
            return CG_WALK_LOST;
        }
    }
    return CG_WALK_ARRIVED;
}
