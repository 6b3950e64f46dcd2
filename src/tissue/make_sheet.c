// Surfaces without cells: a flat grid, and the triangles of a caller.
//
// A grid of a x b under plane stress: springs in a plane give Poisson's ratio 1/3, C11 = 3 mu, C12 = C44 = mu with
// mu = 3/8 E h, h the thickness. Both diagonals of a quad have k = mu (a^2 + b^2) / (2 a b), a link along a has
// mu (3 b / a - a / b), half of it from each quad beside it (a small stiffness at least, where sides are above 1.7 :
// 1). Links over one node resist bending: a spring across two spans that meet at the angle t is shortened by a t^2 / 4,
// which costs what a plate of stiffness D = E h^3 / (12 (1 - 1/9)) costs at t = 1 rad with k = 16 D b / a^3.
//
// A cloth of the Neumann solver has equal springs: along the axes, and one diagonal in each quad, such that they meet
// at every second node, column plus row odd. Squares of it are as stiff as those of a sheet but at the border.
//
// In a skin of triangles an edge of length L has k = E h (A1 + A2) / (L L0), A the areas beside it, L0 its natural
// length; in a lattice of equilateral triangles that is E exactly.
#include <math.h>

#include "base/status.h"
#include "base/vec3.h"
#include "tissue/make_parts.h"

// --- the grid ---

struct grid {
    int nx, ny;       // quads
    double a, b;      // [m] of a quad
    double thickness; // [m]
    const cg_tissue_material *material;
    bool is_cloth; // of the Neumann solver
};

static int node_at(const struct grid *grid, int i, int j)
{
    return j * (grid->nx + 1) + i;
}

// One quad: two triangles, the diagonals changing from quad to quad so that no direction is favoured.
static bool add_quad(cg_mesh *mesh, const struct grid *grid, int i, int j)
{
    double a = grid->a, b = grid->b, mu = 0.375 * grid->material->young * grid->thickness;
    double mass = grid->material->density * grid->thickness * a * b / 2;
    double diagonal = mu * (a * a + b * b) / (2 * a * b);
    int q[4] = {node_at(grid, i, j), node_at(grid, i + 1, j), node_at(grid, i + 1, j + 1), node_at(grid, i, j + 1)};
    int turn = (i + j + grid->is_cloth) % 2;
    int first[3] = {q[turn], q[1 + turn], q[(2 + turn) % 4]};
    int second[3] = {q[turn], q[(2 + turn) % 4], q[(3 + turn) % 4]};
    if (cg_mesh_add_triangle(mesh, first, -1, mass, CG_SIDE_TOP) < 0 ||
        cg_mesh_add_triangle(mesh, second, -1, mass, CG_SIDE_TOP) < 0) {
        return false;
    }
    if (grid->is_cloth) {
        return true; // its springs are alike
    }
    int across = cg_mesh_add_link(mesh, q[1 - turn], q[3 - turn], CG_LINK_SHEAR);
    if (across < 0) {
        return false;
    }
    mesh->links[across].own = diagonal;
    mesh->links[cg_mesh_find_link(mesh, q[turn], q[2 + turn])].own = diagonal;
    for (int side = 0; side < 4; side++) {
        double ratio = side % 2 == 0 ? b / a : a / b;
        double share = fmax(3 * ratio - 1 / ratio, CG_MAKE_LEAST_AXIS);
        mesh->links[cg_mesh_find_link(mesh, q[side], q[(side + 1) % 4])].own += mu * share / 2;
    }
    return true;
}

static bool add_bend(cg_mesh *mesh, const struct grid *grid, int from, int to, double span, double width)
{
    double h = grid->thickness, plate = grid->material->young * h * h * h * 9 / 96;
    int link = cg_mesh_add_link(mesh, from, to, CG_LINK_BEND);
    if (link < 0) {
        return false;
    }
    mesh->links[link].own = 16 * plate * width / (span * span * span);
    return true;
}

static bool fill_grid(cg_mesh *mesh, const struct grid *grid, const cg_tissue_def *def)
{
    for (int j = 0; j <= grid->ny; j++) {
        for (int i = 0; i <= grid->nx; i++) {
            int node = cg_mesh_add_node(
                mesh, v3(def->size.x * ((double)i / grid->nx - 0.5), def->size.y * ((double)j / grid->ny - 0.5), 0));
            mesh->fixed[node] = def->fix_rim && (i == 0 || i == grid->nx || j == 0 || j == grid->ny);
        }
    }
    bool is_whole = true;
    for (int at = 0; at < grid->nx * grid->ny; at++) {
        is_whole = is_whole && add_quad(mesh, grid, at % grid->nx, at / grid->nx);
    }
    for (int k = 0; k < mesh->link_count && grid->is_cloth; k++) {
        mesh->links[k].own = CG_MAKE_CLOTH_SHARE * grid->material->young * grid->thickness;
    }
    for (int at = 0; at < (grid->nx + 1) * (grid->ny + 1) && !grid->is_cloth; at++) {
        int i = at % (grid->nx + 1), j = at / (grid->nx + 1);
        if (i + 2 <= grid->nx) {
            is_whole = is_whole && add_bend(mesh, grid, at, node_at(grid, i + 2, j), grid->a, grid->b);
        }
        if (j + 2 <= grid->ny) {
            is_whole = is_whole && add_bend(mesh, grid, at, node_at(grid, i, j + 2), grid->b, grid->a);
        }
    }
    return is_whole;
}

cg_status cg_make_grid(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh)
{
    struct grid grid = {.nx = cg_make_steps(def->size.x, def->spacing),
                        .ny = cg_make_steps(def->size.y, def->spacing),
                        .thickness = def->layers[0].thickness,
                        .material = &def->layers[0].material,
                        .is_cloth = def->solver == CG_TISSUE_NEUMANN};
    grid.a = def->size.x / grid.nx;
    grid.b = def->size.y / grid.ny;
    double x = grid.nx, y = grid.ny, nodes = (x + 1) * (y + 1);
    cg_status status = cg_make_room(def, allocator, nodes, 6 * nodes, 0, 2 * x * y, mesh);
    if (status.code != CG_OK) {
        return status;
    }
    status = cg_make_finish(def, fill_grid(*mesh, &grid, def), mesh);
    double mass = grid.material->density * grid.thickness * def->size.x * def->size.y / nodes;
    for (int i = 0; status.code == CG_OK && grid.is_cloth && i < (*mesh)->node_count; i++) {
        (*mesh)->mass[i] = mass; // and equal masses
    }
    return status;
}

// --- the skin ---

// Most triangles at a node: whoever looks for a neighbour looks at all of them.
#define MOST_AT_A_NODE 1000

static int triangles_at(const cg_mesh *mesh, int node)
{
    int count = 0;
    for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
        count++;
    }
    return count;
}

static bool is_passed(const cg_mesh *mesh, int from, int to)
{
    for (int at = mesh->first_triangle[from]; at >= 0; at = mesh->next_triangle[at]) {
        if (mesh->triangles[at / 3].nodes[(at % 3 + 1) % 3] == to) {
            return true;
        }
    }
    return false;
}

static cg_status check_skin(const cg_tissue_def *def)
{
    if (def->node_count < 3 || def->node_count > CG_MAKE_MOST_NODES || def->nodes == NULL) {
        return cg_error(CG_BAD_INPUT, "a mesh has 3 to %d nodes", CG_MAKE_MOST_NODES);
    }
    if (def->triangle_count < 1 || def->triangle_count > 2 * CG_MAKE_MOST_NODES || def->triangles == NULL) {
        return cg_error(CG_BAD_INPUT, "a mesh has 1 to %d triangles", 2 * CG_MAKE_MOST_NODES);
    }
    if (def->model == CG_TISSUE_SKIN && !(def->pre_length > 0 && def->pre_length <= 2)) {
        return cg_error(CG_BAD_INPUT, "pre_length is %g; it must be above 0 and at most 2", def->pre_length);
    }
    for (int triangle = 0; triangle < def->triangle_count && def->sides != NULL; triangle++) {
        if (cg_mesh_side_name(def->sides[triangle]) == NULL) {
            return cg_error(CG_BAD_INPUT, "triangle %d: its side is %d; it must be 0 to %d", triangle,
                            def->sides[triangle], CG_SIDE_COUNT - 1);
        }
    }
    for (int node = 0; node < def->node_count; node++) {
        if (!v3_is_finite(def->nodes[node])) {
            return cg_error(CG_BAD_INPUT, "node %d: a number is not finite", node);
        }
    }
    return cg_ok();
}

// Nodes get their number when the first triangle uses them; node_work says which, plus one.
static int number_of(cg_mesh *mesh, const cg_tissue_def *def, int *numbers, int node)
{
    if (numbers[node] == 0) {
        numbers[node] = cg_mesh_add_node(mesh, def->nodes[node]) + 1;
    }
    return numbers[node] - 1;
}

static double area_of(const cg_mesh *mesh, const int nodes[3])
{
    cg_vec3 a = mesh->home[nodes[0]], b = mesh->home[nodes[1]], c = mesh->home[nodes[2]];
    return v3_length(v3_cross(v3_sub(b, a), v3_sub(c, a))) / 2;
}

bool cg_make_add_membrane(cg_mesh *mesh, const cg_make_membrane *membrane, const int nodes[3], cg_mesh_side side)
{
    double volume = area_of(mesh, nodes) * membrane->thickness;
    if (cg_mesh_add_triangle(mesh, nodes, -1, membrane->material.density * volume, side) < 0) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        cg_mesh_link *link = &mesh->links[cg_mesh_find_link(mesh, nodes[i], nodes[(i + 1) % 3])];
        double length = v3_distance(mesh->home[nodes[i]], mesh->home[nodes[(i + 1) % 3]]);
        link->rest = membrane->natural * length;
        link->own += membrane->material.young * volume / (length * link->rest);
    }
    return true;
}

static cg_status add_skin_triangle(cg_mesh *mesh, const cg_tissue_def *def, int *numbers, int triangle)
{
    const int *corners = def->triangles[triangle];
    for (int i = 0; i < 3; i++) {
        if (corners[i] < 0 || corners[i] >= def->node_count) {
            return cg_error(CG_BAD_INPUT, "triangle %d: there is no node %d", triangle, corners[i]);
        }
        if (corners[i] == corners[(i + 1) % 3]) {
            return cg_error(CG_BAD_INPUT, "triangle %d: node %d is there twice", triangle, corners[i]);
        }
    }
    int nodes[3];
    for (int i = 0; i < 3; i++) {
        nodes[i] = number_of(mesh, def, numbers, corners[i]);
        if (triangles_at(mesh, nodes[i]) >= MOST_AT_A_NODE) {
            return cg_error(CG_BAD_INPUT, "triangle %d: node %d has more than %d triangles", triangle, corners[i],
                            MOST_AT_A_NODE);
        }
    }
    if (!(area_of(mesh, nodes) > 0)) {
        return cg_error(CG_BAD_INPUT, "triangle %d: it has no area", triangle);
    }
    for (int i = 0; i < 3; i++) {
        if (is_passed(mesh, nodes[i], nodes[(i + 1) % 3])) {
            return cg_error(CG_BAD_INPUT,
                            "triangle %d: the edge from node %d to %d is that of another triangle, in the same "
                            "direction; expected two triangles at an edge, seen from the same side",
                            triangle, corners[i], corners[(i + 1) % 3]);
        }
    }
    if (cg_mesh_find_triangle(mesh, nodes) >= 0) {
        return cg_error(CG_BAD_INPUT, "triangle %d: another one has the same nodes", triangle);
    }
    const cg_make_membrane membrane = {def->layers[0].material, def->layers[0].thickness,
                                       def->model == CG_TISSUE_SKIN ? def->pre_length : 1};
    cg_mesh_side side = def->sides != NULL ? (cg_mesh_side)def->sides[triangle] : CG_SIDE_TOP;
    if (!cg_make_add_membrane(mesh, &membrane, nodes, side)) {
        return cg_error(CG_FULL, "the mesh of a tissue does not fit its own limits");
    }
    bool is_fixed =
        def->sides != NULL && ((def->fix_rim && side == CG_SIDE_RIM) || (def->fix_bottom && side == CG_SIDE_BOTTOM));
    for (int i = 0; i < 3; i++) {
        mesh->fixed[nodes[i]] = mesh->fixed[nodes[i]] || is_fixed;
    }
    return cg_ok();
}

cg_status cg_make_skin(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh)
{
    cg_status status = check_skin(def);
    if (status.code != CG_OK) {
        return status;
    }
    double nodes = def->node_count, triangles = def->triangle_count;
    status = cg_make_room(def, allocator, nodes, 3 * triangles, 0, triangles, mesh);
    if (status.code != CG_OK) {
        return status;
    }
    cg_mesh *made = *mesh;
    int *numbers = made->node_work;
    for (int triangle = 0; triangle < def->triangle_count && status.code == CG_OK; triangle++) {
        status = add_skin_triangle(made, def, numbers, triangle);
    }
    if (status.code != CG_OK) {
        cg_mesh_destroy(made);
        *mesh = NULL;
        return status;
    }
    return cg_make_finish(def, true, mesh);
}
