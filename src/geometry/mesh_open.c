// A skin is parted along a way and given the walls of a groove. See mesh_open.h.
//
//  1. The triangles around each node of the way that is parted are told apart: those on the left of the way, from the
//     next node around to the one before, and those on the right.
//  2. The polygon of the way and the line that closes it is cut into triangles by its ears, in the plane of the
//  section.
//  3. Nodes are parted (mesh_part.c), and each side gets these triangles as its wall: seen from the groove.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "geometry/mesh_open.h"
#include "geometry/mesh_parts.h"

// Of the mass of the triangles at the lips that walls get.
static const double WALL_MASS = 0.2;
// [of the square of the longest side] An ear with less area is none.
static const double LEAST_EAR = 1e-3;

enum { LEFT = 1, RIGHT = 2 };

typedef struct opening {
    cg_mesh *mesh;
    const cg_mesh_way *way;
    int gap; // from this node to the next there is no edge; -1: there is one everywhere
    bool is_round;
    cg_vec3 normal;           // of the plane
    int ears[CG_WAY_MOST][3]; // triangles of the walls, by index in the way
    int ear_count;
    int parts[3][CG_WAY_MOST]; // by side: the node that it has there afterwards
} opening;

double cg_mesh_wall_stiffness(const cg_mesh_wall *wall, double length)
{
    double times = length > 0 ? wall->longest / length : 4;
    return wall->stiffness * (times < 1 ? 1 : (times > 4 ? 4 : times));
}

// --- which nodes are parted ---

static int before(const opening *o, int i)
{
    return i > 0 ? i - 1 : (o->is_round ? o->way->count - 1 : -1);
}

static int after(const opening *o, int i)
{
    return i + 1 < o->way->count ? i + 1 : (o->is_round ? 0 : -1);
}

// Both edges of the way at the node are edges of the mesh.
static bool is_parted(const opening *o, int i)
{
    bool is_at_gap = o->gap >= 0 && (i == o->gap || i == o->gap + 1);
    return before(o, i) >= 0 && after(o, i) >= 0 && !is_at_gap;
}

// --- sides ---

// The triangle that goes from a to b; -1: none.
static int triangle_left_of(const cg_mesh *mesh, int a, int b)
{
    for (int at = mesh->first_triangle[a]; at >= 0; at = mesh->next_triangle[at]) {
        if (mesh->triangles[at / 3].nodes[(at % 3 + 1) % 3] == b) {
            return at / 3;
        }
    }
    return -1;
}

static int third_of(const cg_mesh *mesh, int triangle, int a, int b)
{
    const int *n = mesh->triangles[triangle].nodes;
    return n[0] + n[1] + n[2] - a - b;
}

static bool set_side(cg_mesh *mesh, int triangle, int side)
{
    bool is_new = mesh->triangle_work[triangle] == 0;
    mesh->triangle_work[triangle] = is_new ? side : mesh->triangle_work[triangle];
    return is_new || mesh->triangle_work[triangle] == side;
}

// From one neighbour of a node around to the other, against the clock. False when the skin is open there, or another
// part of the way says otherwise.
static bool mark_fan(cg_mesh *mesh, int node, int from, int to, int side)
{
    for (int next = from, guard = 0; next != to; guard++) {
        int triangle = triangle_left_of(mesh, node, next);
        if (triangle < 0 || guard > 1000 || !set_side(mesh, triangle, side)) {
            return false;
        }
        next = third_of(mesh, triangle, node, next);
    }
    return true;
}

static bool find_sides(const opening *o)
{
    cg_mesh *mesh = o->mesh;
    memset(mesh->node_work, 0, sizeof(int) * (size_t)mesh->node_count);
    memset(mesh->triangle_work, 0, sizeof(int) * (size_t)mesh->triangle_count);
    bool is_ok = true;
    for (int i = 0; i < o->way->count && is_ok; i++) {
        int node = o->way->nodes[i];
        is_ok = mesh->node_work[node] == 0;
        mesh->node_work[node] = 1;
        int back = before(o, i), on = after(o, i);
        if (is_ok && is_parted(o, i) && back >= 0 && on >= 0) {
            int a = o->way->nodes[back], c = o->way->nodes[on];
            is_ok = mark_fan(mesh, node, c, a, LEFT) && mark_fan(mesh, node, a, c, RIGHT);
        }
    }
    return is_ok;
}

// --- walls ---

static double area_of(const opening *o, const int ear[3])
{
    const cg_vec3 *home = o->mesh->home;
    cg_vec3 a = home[o->way->nodes[ear[0]]], b = home[o->way->nodes[ear[1]]], c = home[o->way->nodes[ear[2]]];
    return 0.5 * v3_dot(o->normal, v3_cross(v3_sub(b, a), v3_sub(c, a)));
}

static double longest_of(const opening *o, const int ear[3])
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        longest = fmax(
            longest, v3_distance(o->mesh->home[o->way->nodes[ear[k]]], o->mesh->home[o->way->nodes[ear[(k + 1) % 3]]]));
    }
    return longest;
}

// Corners on its sides count: where many lie in a line, nothing may be cut off beyond them.
static bool holds_corner(const opening *o, const int *left, int count, const int ear[3], double sign)
{
    double longest = longest_of(o, ear), slack = -LEAST_EAR * longest * longest;
    for (int i = 0; i < count; i++) {
        if (left[i] == ear[0] || left[i] == ear[1] || left[i] == ear[2]) {
            continue;
        }
        bool is_in = true;
        for (int k = 0; k < 3; k++) {
            const int side[3] = {ear[k], ear[(k + 1) % 3], left[i]};
            is_in = is_in && sign * area_of(o, side) >= slack;
        }
        if (is_in) {
            return true;
        }
    }
    return false;
}

// A side that both walls would have, or that the skin has already, is one of the polygon itself.
static bool may_be_side(const opening *o, int i, int j)
{
    return (is_parted(o, i) || is_parted(o, j)) && cg_mesh_find_link(o->mesh, o->way->nodes[i], o->way->nodes[j]) < 0;
}

// The roundest ear of what is left of the polygon; -1: none.
static int choose_ear(const opening *o, const int *left, int count, double sign, int ear[3])
{
    int best = -1;
    double most = LEAST_EAR;
    for (int i = 0; i < count; i++) {
        const int at[3] = {left[(i + count - 1) % count], left[i], left[(i + 1) % count]};
        double longest = longest_of(o, at), round = sign * area_of(o, at) / (longest * longest);
        bool is_free = count == 3 || may_be_side(o, at[0], at[2]);
        if (round > most && is_free && !holds_corner(o, left, count, at, sign)) {
            most = round;
            best = i;
            memcpy(ear, at, sizeof at);
        }
    }
    return best;
}

static bool cut_ears(opening *o)
{
    int left[CG_WAY_MOST], count = o->way->count;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        left[i] = i;
        const int fan[3] = {0, i, (i + 1) % count};
        sum += area_of(o, fan);
    }
    double sign = sum > 0 ? 1 : -1;
    for (; count >= 3; count--) {
        int at = choose_ear(o, left, count, sign, o->ears[o->ear_count]);
        if (at < 0) {
            return false;
        }
        o->ear_count++;
        memmove(&left[at], &left[at + 1], sizeof(int) * (size_t)(count - at - 1));
    }
    return true;
}

// What the walls weigh is taken from the triangles at the lips of that side, which are marked by the way.
static double take_mass(opening *o, int side)
{
    cg_mesh *mesh = o->mesh;
    double sum = 0;
    for (int i = 0; i < o->way->count; i++) {
        int next = after(o, i), node = o->parts[side][i];
        int to = next >= 0 ? o->parts[side][next] : -1;
        int t = to < 0 ? -1 : (side == LEFT ? triangle_left_of(mesh, node, to) : triangle_left_of(mesh, to, node));
        if (t >= 0 && mesh->triangle_work[t] == side) {
            mesh->triangle_work[t] = side + RIGHT; // once
            sum += WALL_MASS * mesh->triangles[t].mass;
            mesh->triangles[t].mass -= WALL_MASS * mesh->triangles[t].mass;
        }
    }
    return sum;
}

static void link_wall(cg_mesh *mesh, const cg_mesh_wall *wall, int a, int b)
{
    if (cg_mesh_find_link(mesh, a, b) < 0) {
        double length = v3_distance(mesh->home[a], mesh->home[b]);
        int link = cg_mesh_new_link(mesh, a, b, CG_LINK_STRETCH);
        mesh->links[link].rest = wall->natural * length;
        mesh->links[link].own = mesh->links[link].stiffness = cg_mesh_wall_stiffness(wall, length);
    }
}

static void add_wall(opening *o, int side, const cg_mesh_wall *wall)
{
    cg_mesh *mesh = o->mesh;
    double mass = take_mass(o, side), sum = 0;
    for (int k = 0; k < o->ear_count; k++) {
        sum += fabs(area_of(o, o->ears[k]));
    }
    for (int k = 0; k < o->ear_count; k++) {
        cg_mesh_triangle made = {.cell = -1, .mass = mass * fabs(area_of(o, o->ears[k])) / sum, .side = CG_SIDE_GROOVE};
        for (int corner = 0; corner < 3; corner++) {
            made.nodes[corner] = o->parts[side][o->ears[k][side == RIGHT ? corner : 2 - corner]];
        }
        for (int corner = 0; corner < 3; corner++) {
            link_wall(mesh, wall, made.nodes[corner], made.nodes[(corner + 1) % 3]);
        }
        cg_mesh_new_triangle(mesh, &made, -1);
    }
}

// --- all of it ---

static bool has_room(const opening *o)
{
    const cg_mesh *mesh = o->mesh;
    int n = o->way->count;
    return mesh->node_count + n <= mesh->limits.nodes && mesh->link_count + 8 * n <= mesh->limits.links &&
           mesh->triangle_count + 2 * n <= mesh->limits.triangles;
}

static void part_nodes(opening *o)
{
    cg_mesh *mesh = o->mesh;
    for (int i = 0; i < o->way->count; i++) {
        int node = o->way->nodes[i], parted = 0;
        o->parts[LEFT][i] = o->parts[RIGHT][i] = node;
        if (is_parted(o, i) && cg_mesh_part_node(mesh, node, true, &parted).code == CG_OK && parted == 1) {
            bool is_left = mesh->triangle_work[mesh->first_triangle[node] / 3] == LEFT;
            o->parts[is_left ? RIGHT : LEFT][i] = mesh->node_count - 1;
        }
    }
}

// Masses of everything near: triangles at the lips have changed theirs.
static void weigh(opening *o)
{
    cg_mesh *mesh = o->mesh;
    for (int side = LEFT; side <= RIGHT; side++) {
        for (int i = 0; i < o->way->count; i++) {
            int node = o->parts[side][i];
            cg_mesh_refresh_node(mesh, node);
            for (int at = mesh->first_link[node]; at >= 0; at = mesh->next_link[at]) {
                cg_mesh_refresh_node(mesh, mesh->links[at / 2].ends[1 - at % 2]);
            }
        }
    }
}

bool cg_mesh_open_way(cg_mesh *mesh, const cg_mesh_way *way, int seam, bool is_round, const cg_mesh_section *section,
                      const cg_mesh_wall *wall)
{
    opening o = {.mesh = mesh,
                 .way = way,
                 .gap = seam >= 0 && cg_mesh_find_link(mesh, way->nodes[seam], way->nodes[seam + 1]) < 0 ? seam : -1,
                 .is_round = is_round,
                 .normal = v3_cross(section->along, section->ahead)};
    bool is_closed = cg_mesh_find_link(mesh, way->nodes[0], way->nodes[way->count - 1]) >= 0;
    int parted = 0;
    for (int i = 0; i < way->count; i++) {
        parted += is_parted(&o, i);
    }
    if (way->count < 3 || parted == 0 || is_closed != is_round || !has_room(&o) || !find_sides(&o) || !cut_ears(&o)) {
        return false;
    }
    mesh->topology_version++;
    part_nodes(&o);
    add_wall(&o, LEFT, wall);
    add_wall(&o, RIGHT, wall);
    weigh(&o);
    return true;
}
