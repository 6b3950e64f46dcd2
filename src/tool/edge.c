// Where the edge of a blade is in a tissue.
//
// The edge is looked at in samples a quarter of a grain apart. One inside a cell is at home where its weights there
// say. One outside, but near, is at home at the nearest point of the surface, and as far off it as it is now: so the
// edge is known a little beyond the surface too, and a strip that it sweeps goes all the way through. Between the lips
// of a cut it is on them: there the two lips are one at home, and a cut that gapes goes on where it was.
//
// The edge at home is taken as straight between the first sample that is known and the last one.
#include <math.h>

#include "geometry/triangle.h"
#include "tool/blade.h"

// [grains] between samples, and how far from the surface a sample is known.
static const double SAMPLE_STEP = 0.25;
static const double REACH = 0.5;

typedef struct box {
    cg_vec3 low, high;
} box;

static box box_around(const cg_vec3 *points, int count)
{
    box b = {points[0], points[0]};
    for (int i = 1; i < count; i++) {
        cg_vec3 p = points[i];
        b.low = v3(p.x < b.low.x ? p.x : b.low.x, p.y < b.low.y ? p.y : b.low.y, p.z < b.low.z ? p.z : b.low.z);
        b.high = v3(p.x > b.high.x ? p.x : b.high.x, p.y > b.high.y ? p.y : b.high.y, p.z > b.high.z ? p.z : b.high.z);
    }
    return b;
}

static bool meets(const box *b, const cg_vec3 *places, const int *nodes, int count)
{
    const box *a = b;
    cg_vec3 points[4];
    for (int i = 0; i < count; i++) {
        points[i] = places[nodes[i]];
    }
    box other = box_around(points, count);
    return other.low.x <= a->high.x && a->low.x <= other.high.x && other.low.y <= a->high.y &&
           a->low.y <= other.high.y && other.low.z <= a->high.z && a->low.z <= other.high.z;
}

cg_edge_near cg_edge_find_near(const cg_tissue *tissue, cg_edge before, cg_edge after, bool was_in)
{
    const cg_mesh *mesh = tissue->mesh;
    const cg_vec3 ends[4] = {before.tip, before.heel, after.tip, after.heel};
    box way = box_around(ends, 4);
    double reach = REACH * tissue->grain;
    way.low = v3_sub(way.low, v3(reach, reach, reach));
    way.high = v3_add(way.high, v3(reach, reach, reach));
    cg_edge_near near = {0};
    for (int t = 0; t < mesh->triangle_count; t++) {
        if (meets(&way, mesh->position, mesh->triangles[t].nodes, 3)) {
            mesh->triangle_label[near.triangles++] = t;
        }
    }
    for (int c = 0; c < mesh->cell_count && (was_in || near.triangles > 0); c++) {
        if (meets(&way, mesh->position, mesh->cells[c].nodes, 4)) {
            mesh->cell_label[near.cells++] = c;
        }
    }
    return near;
}

// A sample: where it is at home, and how it is there.
typedef struct sample {
    bool is_known, is_inside;
    cg_vec3 home;
    double height; // [m] over the nearest triangle, when it is not inside
    int cell, triangle;
    double weights[4];
} sample;

static cg_vec3 normal_of(const cg_vec3 *places, const int *n)
{
    cg_vec3 across = v3_cross(v3_sub(places[n[1]], places[n[0]]), v3_sub(places[n[2]], places[n[0]]));
    return v3_unit_or(across, v3_zero());
}

// A node on a lip: of a volume it has a triangle that a cut laid open, of a skin another node was made from it.
static bool is_on_lip(const cg_mesh *mesh, int node)
{
    for (int at = mesh->first_triangle[node]; at >= 0 && mesh->cell_count > 0; at = mesh->next_triangle[at]) {
        if (mesh->triangles[at / 3].side == CG_SIDE_GROOVE) {
            return true;
        }
    }
    for (int i = 0; i < mesh->node_count && mesh->cell_count == 0; i++) {
        cg_vec3 d = v3_sub(mesh->home[i], mesh->home[node]);
        if (i != node && v3_dot(d, d) == 0) {
            return true;
        }
    }
    return false;
}

// The nearest point is between the lips: on one of them, or on the border of one.
static bool is_between_lips(const cg_mesh *mesh, const sample *s)
{
    const cg_mesh_triangle *t = &mesh->triangles[s->triangle];
    int at_border = 0, on_lip = 0;
    for (int i = 0; i < 3; i++) {
        if (s->weights[i] > 1e-9) {
            at_border++;
            on_lip += is_on_lip(mesh, t->nodes[i]);
        }
    }
    return t->side == CG_SIDE_GROOVE || (at_border < 3 && on_lip == at_border);
}

// A way from a triangle, as it is at home: along its edges and its normal.
static cg_vec3 way_at_home(const cg_mesh *mesh, const int *n, cg_vec3 way)
{
    cg_vec3 a = v3_sub(mesh->position[n[1]], mesh->position[n[0]]),
            b = v3_sub(mesh->position[n[2]], mesh->position[n[0]]), c = v3_cross(a, b);
    cg_vec3 home_a = v3_sub(mesh->home[n[1]], mesh->home[n[0]]), home_b = v3_sub(mesh->home[n[2]], mesh->home[n[0]]);
    double square = v3_dot(c, c);
    if (!(square > 0)) {
        return v3_zero();
    }
    cg_vec3 at_home = v3_scale(v3_dot(v3_cross(way, b), c) / square, home_a);
    at_home = v3_add_scaled(at_home, v3_dot(v3_cross(a, way), c) / square, home_b);
    return v3_add_scaled(at_home, v3_dot(way, c) / sqrt(square), normal_of(mesh->home, n));
}

static void look_at_surface(const cg_tissue *tissue, const cg_edge_near *near, cg_vec3 place, sample *s)
{
    const cg_mesh *mesh = tissue->mesh;
    double reach = REACH * tissue->grain, nearest = reach * reach;
    cg_vec3 way = v3_zero();
    for (int k = 0; k < near->triangles; k++) {
        const int *n = mesh->triangles[mesh->triangle_label[k]].nodes;
        const cg_vec3 corners[3] = {mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]]};
        cg_triangle_closest closest = cg_closest_point_triangle(place, corners);
        if (closest.squared_distance < nearest) {
            nearest = closest.squared_distance;
            s->is_known = true;
            s->triangle = mesh->triangle_label[k];
            s->weights[0] = closest.weights[0];
            s->weights[1] = closest.weights[1];
            s->weights[2] = closest.weights[2];
            way = v3_sub(place, closest.on_triangle);
        }
    }
    if (s->is_known) {
        const int *n = mesh->triangles[s->triangle].nodes;
        cg_vec3 normal = normal_of(mesh->position, n);
        s->height = v3_dot(way, normal);
        if (is_between_lips(mesh, s)) { // of a skin the height counts
            way = mesh->cell_count > 0 ? v3_zero() : v3_scale(s->height, normal);
        }
        s->home = way_at_home(mesh, n, way);
        for (int i = 0; i < 3; i++) {
            s->home = v3_add_scaled(s->home, s->weights[i], mesh->home[n[i]]);
        }
    }
}

static sample look(const cg_tissue *tissue, const cg_edge_near *near, cg_vec3 place)
{
    const cg_mesh *mesh = tissue->mesh;
    sample s = {.home = v3_zero(), .cell = -1, .triangle = -1};
    for (int k = 0; k < near->cells && !s.is_inside; k++) {
        int cell = mesh->cell_label[k];
        if (cg_mesh_is_in_cell(mesh, cell, place, s.weights)) {
            s.is_known = s.is_inside = true;
            s.cell = cell;
            for (int i = 0; i < 4; i++) {
                s.home = v3_add_scaled(s.home, s.weights[i], mesh->home[mesh->cells[cell].nodes[i]]);
            }
        }
    }
    if (!s.is_inside) {
        look_at_surface(tissue, near, place, &s);
    }
    return s;
}

// A sample stands for the length of edge around it; one at an end of the edge for half.
static void note_inside(const cg_tissue *tissue, const sample *s, double length, cg_edge_place *place)
{
    const cg_mesh *mesh = tissue->mesh;
    cg_edge_sample *made = &place->samples[place->sample_count++];
    const int *nodes = s->is_inside ? mesh->cells[s->cell].nodes : mesh->triangles[s->triangle].nodes;
    int layer = s->is_inside ? mesh->cells[s->cell].layer % CG_TISSUE_MOST_LAYERS : 0, count = s->is_inside ? 4 : 3;
    *made = (cg_edge_sample){.nodes = {-1, -1, -1, -1}, .tear = tissue->toughness[layer] * length};
    for (int i = 0; i < count; i++) {
        made->nodes[i] = nodes[i];
        made->weights[i] = s->weights[i];
    }
    place->inside += length;
}

void cg_edge_locate(const cg_tissue *tissue, const cg_edge_near *near, cg_edge edge, cg_edge_place *place)
{
    cg_vec3 along = v3_sub(edge.heel, edge.tip);
    double length = v3_length(along), wanted = ceil(length / (SAMPLE_STEP * tissue->grain));
    int steps = wanted < CG_EDGE_MOST - 1 ? (int)wanted : CG_EDGE_MOST - 1;
    steps = steps < 1 ? 1 : steps;
    *place = (cg_edge_place){0};
    sample before = {0};
    bool is_skin = tissue->mesh->cell_count == 0;
    for (int k = 0; k <= steps; k++) {
        sample s = look(tissue, near, v3_add_scaled(edge.tip, (double)k / steps, along));
        if (s.is_known) {
            place->ruling.tip = place->is_near ? place->ruling.tip : s.home;
            place->ruling.top = s.home;
            place->ruling.has_tip = place->ruling.has_tip || k == 0;
            place->is_near = true;
        }
        if (s.is_inside) {
            note_inside(tissue, &s, (k == 0 || k == steps ? 0.5 : 1) * length / steps, place);
        }
        if (is_skin && s.is_known && before.is_known && (s.height < 0) != (before.height < 0)) {
            note_inside(tissue, &s, tissue->thickness, place); // it passes the skin here
        }
        before = s;
    }
}
