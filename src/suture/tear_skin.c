// Tears in a skin (tear.h, geometry/mesh_open.h).
//
// A skin has no inside that could be cut, so its tears go by steps of about an edge: the surface is split and parted on
// both sides of the tissue from the holes on, and the groove gets its walls. The first step is made at once, the next
// ones when the span would have gone so far; until then the holes stay where they are. Holes are nodes.
#include <math.h>

#include "base/vec3.h"
#include "geometry/triangle.h"
#include "suture/tear.h"

// [grains] from one step of a tear to the next.
static const double STRIDE = 1;
// [strides] What is left before the edge and no farther is torn at once.
static const double LAST = 1.5;

cg_vec3 cg_tear_skin_way(const cg_mesh *mesh, int triangle, cg_vec3 way)
{
    // the way by the two sides of the triangle and its normal, as they are now, and the same of those at home
    const int *n = mesh->triangles[triangle].nodes;
    const cg_vec3 *x = mesh->position, *home = mesh->home;
    cg_vec3 a = v3_sub(x[n[1]], x[n[0]]), b = v3_sub(x[n[2]], x[n[0]]), normal = v3_cross(a, b);
    double square = v3_dot(normal, normal);
    cg_vec3 a_home = v3_sub(home[n[1]], home[n[0]]), b_home = v3_sub(home[n[2]], home[n[0]]);
    cg_vec3 up = v3_unit_or(v3_cross(a_home, b_home), v3_zero());
    if (!(square > 0)) {
        return v3_zero();
    }
    double s = v3_dot(normal, v3_cross(way, b)) / square, t = v3_dot(normal, v3_cross(a, way)) / square;
    double out = v3_dot(normal, way) / sqrt(square);
    return v3_unit_or(v3_add_scaled(v3_add(v3_scale(s, a_home), v3_scale(t, b_home)), out, up), v3_zero());
}

cg_vec3 cg_tear_skin_normal(const cg_tissue *tissue, const cg_mesh_point *point, cg_vec3 direction)
{
    const cg_mesh *mesh = tissue->mesh;
    int node = cg_tissue_node_of_point(tissue, point);
    const cg_mesh_point at = node >= 0 ? cg_tissue_point_of_node(tissue, node, direction) : *point;
    const int *n = mesh->triangles[at.triangle].nodes;
    const cg_vec3 corners[3] = {mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]]};
    return v3_unit_or(triangle_normal(corners), v3_zero());
}

// Makes a hole that is at no node one. Where that splits triangles the other hole may have lost its own: whoever keeps
// it has followed, and the next step sees it there.
static cg_tear_outcome pierce(cg_tissue *tissue, cg_mesh_point holes[2], int k)
{
    uint64_t edits = tissue->mesh->edit_count;
    if (!cg_tissue_pierce_skin(tissue, &holes[k], false)) {
        return CG_TEAR_STUCK;
    }
    bool is_split = edits != tissue->mesh->edit_count;
    holes[1 - k].triangle = is_split ? -1 : holes[1 - k].triangle;
    return is_split ? CG_TEAR_PIERCED : CG_TEAR_GOES_ON;
}

// The nodes that the holes are; CG_TEAR_STUCK when the mesh is full or they are one.
static cg_tear_outcome find_nodes(cg_tissue *tissue, cg_mesh_point holes[2], int nodes[2])
{
    cg_tear_outcome outcome = CG_TEAR_GOES_ON;
    for (int k = 0; k < 2 && outcome == CG_TEAR_GOES_ON; k++) {
        if (cg_tissue_node_of_point(tissue, &holes[k]) < 0) {
            outcome = pierce(tissue, holes, k);
        }
        nodes[k] = outcome == CG_TEAR_GOES_ON ? cg_tissue_node_of_point(tissue, &holes[k]) : -1;
    }
    return outcome == CG_TEAR_GOES_ON && nodes[0] == nodes[1] ? CG_TEAR_STUCK : outcome;
}

static void begin_way(cg_tear *tear, const cg_span *span)
{
    tear->track[0] = tear->track[1] = *span;
    tear->count = 2;
    tear->fixed = 1;
}

static cg_mesh_section section_of(const cg_mesh *mesh, const int nodes[2], cg_vec3 way, double advance)
{
    cg_vec3 start = mesh->home[nodes[0]];
    cg_vec3 along = v3_unit_or(v3_sub(mesh->home[nodes[1]], start), v3_zero());
    cg_vec3 ahead = v3_unit_or(v3_add_scaled(way, -v3_dot(way, along), along), v3_zero());
    return (cg_mesh_section){start, along, ahead, advance};
}

static cg_tear_outcome hold(cg_tear *tear, const cg_tissue *tissue)
{
    tear->is_running = false;
    tear->full = cg_tear_parts_of(tissue->mesh);
    return CG_TEAR_STUCK;
}

// [m2] between two spans, which may be of other lengths: in a lip they become shorter.
static double swept(const cg_span *from, const cg_span *to)
{
    cg_vec3 span = v3_sub(from->ends[1], from->ends[0]);
    cg_vec3 one = v3_sub(to->ends[0], from->ends[0]), other = v3_sub(to->ends[1], from->ends[0]);
    return 0.5 * (v3_length(v3_cross(span, other)) + v3_length(v3_cross(other, one)));
}

cg_tear_outcome cg_tear_skin_go_on(cg_tear *tear, cg_tissue *tissue, const cg_pulled_bite *bite,
                                   const cg_tear_ahead *ahead, double time_step, cg_mesh_point holes[2])
{
    const cg_mesh *mesh = tissue->mesh;
    double stride = STRIDE * tissue->grain;
    int nodes[2];
    bool is_first = !tear->is_running;
    if (tear->count != 2 || is_first) {
        begin_way(tear, &bite->home);
    }
    tear->is_running = true;
    tear->full = 0;
    tear->track[1] = cg_tear_shift(&tear->track[1], v3_scale(CG_TEAR_SPEED * time_step, bite->way));
    double gone = cg_tear_way_between(&tear->track[0], &tear->track[1]);
    if (!is_first && gone < stride && gone < ahead->farthest) {
        return CG_TEAR_GOES_ON;
    }
    cg_tear_outcome found = find_nodes(tissue, holes, nodes);
    if (found != CG_TEAR_GOES_ON) {
        tear->is_running = !is_first; // a first step is still one when the holes are nodes
        return found == CG_TEAR_PIERCED ? found : hold(tear, tissue);
    }
    bool is_last = ahead->farthest < LAST * stride;
    double advance = is_last ? ahead->farthest + stride : stride;
    const cg_mesh_section section = section_of(mesh, nodes, bite->way, advance);
    cg_skin_tear torn = cg_tissue_tear_skin(tissue, &section, nodes);
    if (torn == CG_SKIN_HOLDS) {
        return hold(tear, tissue);
    }
    const cg_span next = torn == CG_SKIN_TORN ? (cg_span){{mesh->home[nodes[0]], mesh->home[nodes[1]]}}
                                              : cg_tear_shift(&bite->home, v3_scale(ahead->mean, bite->way));
    double length = cg_tear_way_between(&bite->home, &next);
    tear->length += length;
    tear->area += swept(&bite->home, &next);
    begin_way(tear, &next);
    if (torn == CG_SKIN_TORN_OUT) {
        return CG_TEAR_THROUGH;
    }
    holes[0] = cg_tissue_point_of_node(tissue, nodes[0], v3_neg(section.along));
    holes[1] = cg_tissue_point_of_node(tissue, nodes[1], section.along);
    return CG_TEAR_GOES_ON;
}
