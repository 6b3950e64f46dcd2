// How far a wound gapes: the surface inside it, cut by a plane. See stitch.h.
#include <math.h>

#include "base/vec3.h"
#include "geometry/closest.h"
#include "geometry/triangle.h"
#include "suture/stitch.h"

typedef struct cut_plane {
    cg_vec3 point, along;
} cut_plane;

// A stretch of the cut.
typedef struct cut {
    cg_vec3 ends[2];
} cut;

static double height_of(const cut_plane *plane, cg_vec3 x)
{
    return v3_dot(plane->along, v3_sub(x, plane->point));
}

// Where the plane cuts the edge a b; false when it does not.
static bool cut_edge(const cut_plane *plane, cg_vec3 a, cg_vec3 b, cg_vec3 *at)
{
    double before = height_of(plane, a), behind = height_of(plane, b);
    if ((before < 0) == (behind < 0)) {
        return false;
    }
    *at = v3_add_scaled(a, before / (before - behind), v3_sub(b, a));
    return true;
}

static void corners_of(const cg_mesh *mesh, int triangle, cg_vec3 corners[3])
{
    for (int k = 0; k < 3; k++) {
        corners[k] = mesh->position[mesh->triangles[triangle].nodes[k]];
    }
}

static bool cut_triangle(const cg_mesh *mesh, const cut_plane *plane, int triangle, cut *found)
{
    cg_vec3 corners[3];
    int count = 0;
    corners_of(mesh, triangle, corners);
    for (int k = 0; k < 3 && count < 2; k++) {
        count += cut_edge(plane, corners[k], corners[(k + 1) % 3], &found->ends[count]);
    }
    return count == 2;
}

// The side that a part of the wound faces: across the plane's normal and the way out of the skin.
static bool faces(const cg_mesh *mesh, int triangle, cg_vec3 across, double sign)
{
    cg_vec3 corners[3];
    corners_of(mesh, triangle, corners);
    return mesh->triangles[triangle].side == CG_SIDE_GROOVE && sign * v3_dot(triangle_normal(corners), across) > 0;
}

static bool is_at_node_of_wound(const cg_mesh *mesh, int triangle)
{
    for (int k = 0; k < 3; k++) {
        int node = mesh->triangles[triangle].nodes[k];
        for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
            if (mesh->triangles[at / 3].side == CG_SIDE_GROOVE) {
                return true;
            }
        }
    }
    return false;
}

// The way out of the skin near the wound: the sum over the top of a pad; of a vessel, whose outside faces all ways,
// over what lies at its slit.
static cg_vec3 way_up(const cg_mesh *mesh)
{
    cg_vec3 up = v3_zero();
    for (int t = 0; t < mesh->triangle_count; t++) {
        cg_mesh_side side = mesh->triangles[t].side;
        if (side == CG_SIDE_TOP || (side == CG_SIDE_OUTER && is_at_node_of_wound(mesh, t))) {
            cg_vec3 corners[3];
            corners_of(mesh, t, corners);
            up = v3_add(up, triangle_normal(corners));
        }
    }
    return v3_unit_or(up, v3(0, 0, 1));
}

// True for the edge from corner k of a triangle of the wound when the other triangle at it is of the skin.
static bool is_top_edge(const cg_mesh *mesh, int triangle, int k)
{
    const int *nodes = mesh->triangles[triangle].nodes;
    int a = nodes[k], b = nodes[(k + 1) % 3];
    for (int at = mesh->first_triangle[a]; at >= 0; at = mesh->next_triangle[at]) {
        const cg_mesh_triangle *other = &mesh->triangles[at / 3];
        bool has_b = other->nodes[0] == b || other->nodes[1] == b || other->nodes[2] == b;
        if (has_b && (other->side == CG_SIDE_TOP || other->side == CG_SIDE_OUTER)) {
            return true;
        }
    }
    return false;
}

// The edge of a lip at the top, in the plane.
static bool find_top(const cg_mesh *mesh, const cut_plane *plane, cg_vec3 across, double sign, cg_vec3 *top)
{
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *nodes = mesh->triangles[t].nodes;
        for (int k = 0; k < 3 && faces(mesh, t, across, sign); k++) {
            cg_vec3 a = mesh->position[nodes[k]], b = mesh->position[nodes[(k + 1) % 3]];
            if (is_top_edge(mesh, t, k) && cut_edge(plane, a, b, top)) {
                return true;
            }
        }
    }
    return false;
}

// What of a cut is above a height along `up`; false when nothing is.
static bool keep_above(cut *one, cg_vec3 up, double height)
{
    double over[2] = {v3_dot(up, one->ends[0]) - height, v3_dot(up, one->ends[1]) - height};
    for (int k = 0; k < 2; k++) {
        if (over[k] < 0 && over[1 - k] > 0) {
            double share = over[k] / (over[k] - over[1 - k]);
            one->ends[k] = v3_add_scaled(one->ends[k], share, v3_sub(one->ends[1 - k], one->ends[k]));
        }
    }
    return over[0] > 0 || over[1] > 0;
}

// The lips as they are looked at.
typedef struct lips {
    const cg_mesh *mesh;
    cut_plane plane;
    cg_vec3 up, across;
    double heights[2]; // along `up`: each lip counts above its own
} lips;

static bool cut_lip(const lips *l, int triangle, int side, cut *found)
{
    return faces(l->mesh, triangle, l->across, side == 0 ? 1 : -1) &&
           cut_triangle(l->mesh, &l->plane, triangle, found) && keep_above(found, l->up, l->heights[side]);
}

static double nearest_to(const lips *l, const cut *one)
{
    double least = HUGE_VAL;
    for (int t = 0; t < l->mesh->triangle_count; t++) {
        cut other;
        if (cut_lip(l, t, 1, &other)) {
            double squared =
                cg_closest_segments(one->ends[0], one->ends[1], other.ends[0], other.ends[1]).squared_distance;
            least = fmin(least, sqrt(squared));
        }
    }
    return least;
}

// [m] The skin so far beside an edge is what the edge is compared with.
static const double BESIDE = 5e-3;

// The height of the skin beside the top of a lip, along `up`; false when the plane does not cut it there.
static bool find_beside(const lips *l, int side, cg_vec3 top, double *height)
{
    cg_vec3 away = side == 0 ? v3_neg(l->across) : l->across;
    bool found = false;
    for (int t = 0; t < l->mesh->triangle_count; t++) {
        cut one;
        cg_mesh_side part = l->mesh->triangles[t].side;
        if ((part != CG_SIDE_TOP && part != CG_SIDE_OUTER) || !cut_triangle(l->mesh, &l->plane, t, &one)) {
            continue;
        }
        double from = v3_dot(away, v3_sub(one.ends[0], top)) - BESIDE;
        double to = v3_dot(away, v3_sub(one.ends[1], top)) - BESIDE;
        if ((from < 0) != (to < 0)) {
            cg_vec3 place = v3_add_scaled(one.ends[0], from / (from - to), v3_sub(one.ends[1], one.ends[0]));
            double here = v3_dot(l->up, place);
            *height = !found || here > *height ? here : *height; // of a vessel, not its far wall
            found = true;
        }
    }
    return found;
}

static void find_rise(const lips *l, const cg_vec3 tops[2], cg_wound_gap *gap)
{
    double heights[2];
    gap->has_rise = find_beside(l, 0, tops[0], &heights[0]) && find_beside(l, 1, tops[1], &heights[1]);
    if (gap->has_rise) {
        gap->rise = 0.5 * (v3_dot(l->up, tops[0]) - heights[0] + v3_dot(l->up, tops[1]) - heights[1]);
    }
}

cg_wound_gap cg_wound_gap_of(const cg_mesh *mesh, cg_vec3 point, cg_vec3 along, double depth)
{
    lips l = {.mesh = mesh, .plane = {point, v3_unit_or(along, v3(1, 0, 0))}, .up = way_up(mesh)};
    cg_vec3 tops[2];
    double least = HUGE_VAL;
    l.across = v3_cross(l.up, l.plane.along);
    bool has_tops = find_top(mesh, &l.plane, l.across, 1, &tops[0]) && find_top(mesh, &l.plane, l.across, -1, &tops[1]);
    for (int side = 0; side < 2; side++) {
        l.heights[side] = has_tops ? v3_dot(l.up, tops[side]) - depth : -HUGE_VAL;
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        cut one;
        if (cut_lip(&l, t, 0, &one)) {
            least = fmin(least, nearest_to(&l, &one));
        }
    }
    bool is_there = least < HUGE_VAL;
    cg_wound_gap gap = {.is_there = is_there,
                        .least = is_there ? least : -1,
                        .top = has_tops ? v3_distance(tops[0], tops[1]) : -1,
                        .step = has_tops ? fabs(v3_dot(l.up, v3_sub(tops[0], tops[1]))) : -1};
    if (has_tops) {
        find_rise(&l, tops, &gap);
    }
    return gap;
}
