// A cut along the strip that a blade sweeps.
//
//  0. Where the path bends so much that an edge is crossed twice, the edge is first split between the two places.
//  1. Every edge that crosses the strip is split there; where the crossing is near an end, that node counts as being on
//     the blade instead. Afterwards no edge crosses the strip (an edge with an end on the blade does not), hence every
//     cell lies on one side of it, and the strip is made of faces whose nodes are all on the blade.
//  2. Cells that touch the blade get the side on which their middle lies.
//  3. At each node on the blade the cells are parted that only such faces join (mesh_part.c). At the end of the strip
//  the
//     cells go around it and stay joined: there is the tip.
//  4. Second diagonals and bend links that cross the strip, or would join its two sides, go.
//
// The strip is taken as two triangles for each span of the path.
#include <math.h>

#include "base/status.h"
#include "base/vec3.h"
#include "geometry/mesh_edit.h"
#include "geometry/mesh_parts.h"

// Two crossings of an edge are one when they are nearer than twice this share of its length.
#define LEAST_APART 0.01

// Most edges that are split for bends in one cut: a path that winds more finely than the mesh is cut as far as it goes.
#define MOST_BENDS 1000

static cg_vec3 strip_corner(const cg_mesh_blade *blade, int span, int corner)
{
    // around the span: start, end, end below, start below
    int at = corner == 1 || corner == 2 ? span + 1 : span;
    return corner >= 2 ? v3_add(blade->path[at], blade->down[at]) : blade->path[at];
}

// A segment whose ends are nearer to the plane of a triangle than this share of its length lies in it: where the plane
// passed before, rounding alone says on which side a node is.
#define LYING 1e-4

// Where the segment from a to b crosses the triangle pqr, as a share of its length. Touching it counts, lying in it
// not.
static bool crosses_triangle(cg_vec3 a, cg_vec3 b, cg_vec3 p, cg_vec3 q, cg_vec3 r, double *share)
{
    const double slack = -1e-9;
    cg_vec3 normal = v3_cross(v3_sub(q, p), v3_sub(r, p));
    double above = v3_dot(normal, v3_sub(a, p)), below = v3_dot(normal, v3_sub(b, p)), area = v3_dot(normal, normal);
    double in_plane = LYING * LYING * area * v3_dot(v3_sub(b, a), v3_sub(b, a));
    if (above * below > 0 || above == below || !(area > 0) || (above * above < in_plane && below * below < in_plane)) {
        return false;
    }
    double t = above / (above - below);
    cg_vec3 x = v3_add_scaled(a, t, v3_sub(b, a));
    double u = v3_dot(normal, v3_cross(v3_sub(q, p), v3_sub(x, p))) / area;
    double v = v3_dot(normal, v3_cross(v3_sub(r, q), v3_sub(x, q))) / area;
    double w = v3_dot(normal, v3_cross(v3_sub(p, r), v3_sub(x, r))) / area;
    *share = t;
    return u >= slack && v >= slack && w >= slack;
}

static bool crosses_strip(const cg_mesh_blade *blade, cg_vec3 a, cg_vec3 b, double *share)
{
    for (int span = 0; span + 1 < blade->count; span++) {
        cg_vec3 p = strip_corner(blade, span, 0), q = strip_corner(blade, span, 1), r = strip_corner(blade, span, 2),
                s = strip_corner(blade, span, 3);
        if (crosses_triangle(a, b, p, q, r, share) || crosses_triangle(a, b, p, r, s, share)) {
            return true;
        }
    }
    return false;
}

struct box {
    cg_vec3 low, high;
};

static void include_point(struct box *box, cg_vec3 p)
{
    box->low = v3(p.x < box->low.x ? p.x : box->low.x, p.y < box->low.y ? p.y : box->low.y,
                  p.z < box->low.z ? p.z : box->low.z);
    box->high = v3(p.x > box->high.x ? p.x : box->high.x, p.y > box->high.y ? p.y : box->high.y,
                   p.z > box->high.z ? p.z : box->high.z);
}

static struct box box_of(const cg_mesh_blade *blade)
{
    struct box box = {blade->path[0], blade->path[0]};
    for (int span = 0; span + 1 < blade->count; span++) {
        for (int corner = 0; corner < 4; corner++) {
            include_point(&box, strip_corner(blade, span, corner));
        }
    }
    return box;
}

static bool may_touch(const struct box *box, cg_vec3 a, cg_vec3 b)
{
    struct box other = {a, a};
    include_point(&other, b);
    return other.low.x <= box->high.x && box->low.x <= other.high.x && other.low.y <= box->high.y &&
           box->low.y <= other.high.y && other.low.z <= box->high.z && box->low.z <= other.high.z;
}

// A cut on its way. node_work is 1 for nodes on the blade.
struct cut {
    cg_mesh *mesh;
    const cg_mesh_blade *blade;
    const cg_vec3 *places;
    struct box box;
    int looked_at;     // nodes whose node_beyond is known
    uint64_t followed; // entries of the log when keep_up was called last
};

static unsigned char sides_beyond(const struct box *box, cg_vec3 p)
{
    return (unsigned char)((p.x > box->high.x) | (p.x < box->low.x) << 1 | (p.y > box->high.y) << 2 |
                           (p.y < box->low.y) << 3 | (p.z > box->high.z) << 4 | (p.z < box->low.z) << 5);
}

// An edge whose two ends lie beyond the same side of the blade's box is far from it. Nodes that are new are looked at.
static void look_at_nodes(struct cut *cut)
{
    for (; cut->looked_at < cut->mesh->node_count; cut->looked_at++) {
        cut->mesh->node_beyond[cut->looked_at] = sides_beyond(&cut->box, cut->places[cut->looked_at]);
    }
}

static bool is_far(const struct cut *cut, int link)
{
    const int *ends = cut->mesh->links[link].ends;
    return (cut->mesh->node_beyond[ends[0]] & cut->mesh->node_beyond[ends[1]]) != 0;
}

static void keep_up(struct cut *cut)
{
    const cg_mesh *mesh = cut->mesh;
    if (cut->blade->keep_up != NULL && mesh->edit_count - cut->followed > (uint64_t)mesh->limits.edits / 4) {
        cut->blade->keep_up(cut->blade->context);
        cut->followed = mesh->edit_count;
    }
}

static bool link_crosses(const struct cut *cut, int link, double *share)
{
    const int *ends = cut->mesh->links[link].ends;
    return !is_far(cut, link) && crosses_strip(cut->blade, cut->places[ends[0]], cut->places[ends[1]], share);
}

// The share of a link that its parts have at least.
static double least_share(const struct cut *cut, int link)
{
    const int *ends = cut->mesh->links[link].ends;
    double length = v3_distance(cut->mesh->home[ends[0]], cut->mesh->home[ends[1]]);
    double share = cut->blade->snap > 0.001 ? cut->blade->snap : 0.001;
    return cut->blade->least > share * length ? cut->blade->least / length : share;
}

// Two places where a link crosses the strip, the first two that are found; false when there is only one.
static bool link_crosses_twice(const struct cut *cut, int link, double shares[2])
{
    const int *ends = cut->mesh->links[link].ends;
    cg_vec3 a = cut->places[ends[0]], b = cut->places[ends[1]];
    int count = 0;
    for (int i = 0; i < 2 * (cut->blade->count - 1) && count < 2; i++) {
        cg_vec3 p = strip_corner(cut->blade, i / 2, 0), q = strip_corner(cut->blade, i / 2, 1 + i % 2),
                r = strip_corner(cut->blade, i / 2, 2 + i % 2);
        // neighbours of the strip have their border in common: a crossing there is one
        if (crosses_triangle(a, b, p, q, r, &shares[count]) &&
            (count == 0 || fabs(shares[1] - shares[0]) > 2 * LEAST_APART)) {
            count++;
        }
    }
    return count == 2;
}

// A node so near above or below the strip that cells between the two would be flat.
static bool is_in_strip(const struct cut *cut, cg_vec3 place)
{
    double least = cut->blade->least;
    cg_vec3 reach = v3(least, least, least);
    if (!(least > 0) || !may_touch(&cut->box, v3_sub(place, reach), v3_add(place, reach))) {
        return false;
    }
    for (int i = 0; i < 2 * (cut->blade->count - 1); i++) {
        cg_vec3 p = strip_corner(cut->blade, i / 2, 0), q = strip_corner(cut->blade, i / 2, 1 + i % 2),
                r = strip_corner(cut->blade, i / 2, 2 + i % 2);
        cg_vec3 off = v3_scale(least, v3_unit_or(v3_cross(v3_sub(q, p), v3_sub(r, p)), v3_zero()));
        double share;
        if (crosses_triangle(v3_sub(place, off), v3_add(place, off), p, q, r, &share)) {
            return true;
        }
    }
    return false;
}

// True when a link is crossed twice, but between the crossings it is so near that this does not count.
static bool only_grazes(const struct cut *cut, int link, const double shares[2])
{
    const int *ends = cut->mesh->links[link].ends;
    cg_vec3 a = cut->places[ends[0]], b = cut->places[ends[1]];
    return is_in_strip(cut, v3_add_scaled(a, (shares[0] + shares[1]) / 2, v3_sub(b, a)));
}

static void mark_near_nodes(const struct cut *cut)
{
    cg_mesh *mesh = cut->mesh;
    for (int node = 0; node < mesh->node_count; node++) {
        mesh->node_work[node] = is_in_strip(cut, cut->places[node]);
    }
    for (int link = 0; link < mesh->link_count; link++) {
        double share;
        if (!is_far(cut, link) && mesh->links[link].kind == CG_LINK_STRETCH && link_crosses(cut, link, &share)) {
            double least = least_share(cut, link);
            if (share < least || share > 1 - least) {
                mesh->node_work[mesh->links[link].ends[share < 0.5 ? 0 : 1]] = 1;
            }
        }
    }
}

static cg_status split_at_bends(struct cut *cut, cg_mesh_cut_result *result)
{
    cg_mesh *mesh = cut->mesh;
    int most = MOST_BENDS;
    for (int link = 0; link < mesh->link_count && most > 0; link++) { // new links too
        double shares[2];
        int node;
        if (!is_far(cut, link) && mesh->links[link].kind == CG_LINK_STRETCH && link_crosses_twice(cut, link, shares) &&
            !only_grazes(cut, link, shares)) {
            const int *ends = mesh->links[link].ends;
            cg_status status = cg_mesh_split_edge(mesh, ends[0], ends[1], (shares[0] + shares[1]) / 2, &node);
            if (status.code == CG_FULL) {
                return status;
            }
            result->splits += status.code == CG_OK;
            most--;
            look_at_nodes(cut);
            keep_up(cut);
        }
    }
    return cg_ok();
}

static cg_status split_crossing_edges(struct cut *cut, cg_mesh_cut_result *result)
{
    cg_mesh *mesh = cut->mesh;
    int count = mesh->link_count; // new links all have an end on the blade
    for (int link = 0; link < count; link++) {
        int a = mesh->links[link].ends[0], b = mesh->links[link].ends[1], node;
        double share, shares[2];
        if (is_far(cut, link) || mesh->links[link].kind != CG_LINK_STRETCH || mesh->node_work[a] == 1 ||
            mesh->node_work[b] == 1 || !link_crosses(cut, link, &share) ||
            (link_crosses_twice(cut, link, shares) && only_grazes(cut, link, shares))) {
            continue;
        }
        cg_status status = cg_mesh_split_edge(mesh, a, b, share, &node);
        if (status.code == CG_FULL) {
            return status;
        }
        if (status.code == CG_OK) {
            mesh->node_work[node] = 1;
            result->splits++;
            look_at_nodes(cut);
            keep_up(cut);
        } else {
            mesh->node_work[share < 0.5 ? a : b] = 1; // a cell too flat to be split: past it
        }
    }
    return cg_ok();
}

// On which side of the strip a place is, 1 or 2: of the span that passes nearest to it, seen along the blade. *away is
// how far from that, squared.
static int side_of(const cg_mesh_blade *blade, cg_vec3 place, double *away)
{
    double height = 0;
    *away = HUGE_VAL;
    for (int span = 0; span + 1 < blade->count; span++) {
        cg_vec3 start = blade->path[span], along = v3_sub(blade->path[span + 1], start);
        cg_vec3 down = v3_unit_or(v3_add(blade->down[span], blade->down[span + 1]), v3_zero());
        cg_vec3 flat = v3_add_scaled(along, -v3_dot(along, down), down), d = v3_sub(place, start);
        d = v3_add_scaled(d, -v3_dot(d, down), down);
        double length = v3_dot(flat, flat), s = length > 0 ? v3_dot(d, flat) / length : 0;
        s = s < 0 ? 0 : (s > 1 ? 1 : s);
        cg_vec3 rest = v3_add_scaled(d, -s, flat);
        if (v3_dot(rest, rest) < *away) {
            *away = v3_dot(rest, rest);
            height = v3_dot(v3_cross(flat, down), d);
        }
    }
    return height >= 0 ? 1 : 2;
}

// The side of an item is that of its corner farthest from the blade, among those that are not on it: where the path
// bulges between two crossings, the middle of an item may be on the wrong side. With all corners on the blade the
// middle is all there is.
static int side_of_item(const struct cut *cut, const int *nodes, int count)
{
    cg_vec3 middle = v3_zero();
    double farthest = -1, away;
    int side = 0;
    for (int i = 0; i < count; i++) {
        middle = v3_add_scaled(middle, 1.0 / count, cut->places[nodes[i]]);
        int here = side_of(cut->blade, cut->places[nodes[i]], &away);
        if (cut->mesh->node_work[nodes[i]] != 1 && away > farthest) {
            farthest = away;
            side = here;
        }
    }
    return side != 0 ? side : side_of(cut->blade, middle, &away);
}

static int count_on_blade(const cg_mesh *mesh, const int *nodes, int count)
{
    int on_blade = 0;
    for (int i = 0; i < count; i++) {
        on_blade += mesh->node_work[nodes[i]] == 1;
    }
    return on_blade;
}

// What lies around a node on the blade.
static void find_sides_around(const struct cut *cut, int node)
{
    cg_mesh *mesh = cut->mesh;
    for (int at = mesh->first_cell[node]; at >= 0; at = mesh->next_cell[at]) {
        const int *nodes = mesh->cells[at / 4].nodes;
        if (count_on_blade(mesh, nodes, 4) >= 3) {
            mesh->cell_work[at / 4] = side_of_item(cut, nodes, 4);
        }
    }
    // For the links that no item has: the side of an end that is not on the blade, when the other one is.
    for (int at = mesh->first_link[node]; at >= 0; at = mesh->next_link[at]) {
        int other = mesh->links[at / 2].ends[1 - at % 2];
        if (mesh->links[at / 2].kind != CG_LINK_STRETCH && mesh->node_work[other] == 0) {
            double away;
            mesh->node_work[other] = 1 + side_of(cut->blade, cut->places[other], &away);
        }
    }
}

static void find_sides(const struct cut *cut)
{
    cg_mesh *mesh = cut->mesh;
    for (int node = 0; node < mesh->node_count; node++) {
        if (mesh->node_work[node] == 1) {
            find_sides_around(cut, node);
        }
    }
    for (int triangle = 0; mesh->cell_count == 0 && triangle < mesh->triangle_count; triangle++) {
        if (count_on_blade(mesh, mesh->triangles[triangle].nodes, 3) >= 2) {
            mesh->triangle_work[triangle] = side_of_item(cut, mesh->triangles[triangle].nodes, 3);
        }
    }
}

// [m] of edges on the blade that only one triangle of a skin has.
static double open_length(const cg_mesh *mesh)
{
    double sum = 0;
    for (int triangle = 0; triangle < mesh->triangle_count; triangle++) {
        const int *nodes = mesh->triangles[triangle].nodes;
        for (int corner = 0; corner < 3; corner++) {
            int a = nodes[corner], b = nodes[(corner + 1) % 3], shared = 0;
            if (mesh->node_work[a] != 1 || mesh->node_work[b] != 1) {
                continue;
            }
            for (int at = mesh->first_triangle[b]; at >= 0; at = mesh->next_triangle[at]) {
                shared += mesh->triangles[at / 3].nodes[(at % 3 + 1) % 3] == a;
            }
            sum += shared == 0 ? v3_distance(mesh->home[a], mesh->home[b]) : 0;
        }
    }
    return sum;
}

static double area_from(const cg_mesh *mesh, int first)
{
    double sum = 0;
    for (int triangle = first; triangle < mesh->triangle_count; triangle++) {
        const int *nodes = mesh->triangles[triangle].nodes;
        cg_vec3 a = mesh->home[nodes[0]];
        sum += 0.5 * v3_length(v3_cross(v3_sub(mesh->home[nodes[1]], a), v3_sub(mesh->home[nodes[2]], a)));
    }
    return sum;
}

static cg_status part_nodes(struct cut *cut, cg_mesh_cut_result *result)
{
    cg_mesh *mesh = cut->mesh;
    int count = mesh->node_count, triangles = mesh->triangle_count;
    double length = mesh->cell_count == 0 ? open_length(mesh) : 0;
    cg_status status = cg_ok();
    mesh->topology_version++;
    for (int node = 0; node < count && status.code == CG_OK; node++) {
        if (mesh->node_work[node] == 1) {
            status = cg_mesh_part_node(mesh, node, true, &result->parted);
            keep_up(cut);
        }
    }
    result->area = mesh->cell_count > 0 ? 0.5 * area_from(mesh, triangles) : 0;
    result->length = mesh->cell_count == 0 ? 0.5 * (open_length(mesh) - length) : 0;
    return status;
}

static bool is_severed(const struct cut *cut, int link)
{
    const cg_mesh *mesh = cut->mesh;
    const int *ends = mesh->links[link].ends;
    double share;
    if (link_crosses(cut, link, &share) && share > 0.001 && share < 0.999) {
        return true;
    }
    for (int end = 0; end < 2; end++) {
        int here = ends[end], there = ends[1 - end];
        if (mesh->node_work[here] == 1 &&
            (!cg_mesh_leads_inside(mesh, here, mesh->home[there]) || !cg_mesh_may_join(mesh, here, there))) {
            return true;
        }
    }
    return false;
}

static void drop_severed_links(const struct cut *cut)
{
    cg_mesh *mesh = cut->mesh;
    for (int link = mesh->link_count - 1; link >= 0; link--) {
        if (mesh->links[link].kind != CG_LINK_STRETCH && is_severed(cut, link)) {
            cg_mesh_drop_link(mesh, link);
        }
    }
}

cg_status cg_mesh_cut(cg_mesh *mesh, const cg_mesh_blade *blade, cg_mesh_cut_result *result)
{
    *result = (cg_mesh_cut_result){0};
    if (blade->count < 2 || !(blade->snap >= 0 && blade->snap <= 0.4) || !(blade->least >= 0)) {
        return cg_error(CG_BAD_INPUT, "a cut has a path of 2 points or more, snap is 0 to 0.4, least not negative");
    }
    for (int i = 0; i < blade->count; i++) {
        if (!v3_is_finite(blade->path[i]) || !v3_is_finite(blade->down[i])) {
            return cg_error(CG_BAD_INPUT, "point %d of the path of a cut is not finite", i);
        }
    }
    struct cut cut = {.mesh = mesh,
                      .blade = blade,
                      .places = blade->at_home ? mesh->home : mesh->position,
                      .box = box_of(blade),
                      .followed = mesh->edit_count};
    look_at_nodes(&cut);
    cg_status status = split_at_bends(&cut, result);
    if (status.code != CG_OK) {
        return status;
    }
    mark_near_nodes(&cut);
    status = split_crossing_edges(&cut, result);
    if (status.code != CG_OK) {
        return status;
    }
    find_sides(&cut);
    status = part_nodes(&cut, result);
    if (status.code == CG_OK) {
        look_at_nodes(&cut);
        drop_severed_links(&cut);
    }
    return status;
}
