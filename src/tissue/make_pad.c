// A pad: layers of cubes cut into tetrahedra, its top at z = 0, its middle below the origin, with or without a wound
// along x.
//
// The wound is a slit in the plane y = 0: the nodes inside it are there twice, once for the cubes on each side. For an
// ellipse the two lips are moved apart, to half the width g(x) of the ellipse at the top and to nothing at the depth of
// the wound, and everything beside them is pressed together towards the rim: y -> g + y (1 - g / Y), Y the half size.
// So the lips follow the ellipse without stairs.
//
// A pad under tension is first made as it would be without: shorter along y by the strain, thicker by a third of it
// (what the free top does at Poisson's ratio 1/4 when x is held). Lengths, stiffness and mass are of that shape; then
// home is stretched to the size asked for, where the rim holds it.
#include <math.h>

#include "base/status.h"
#include "base/vec3.h"
#include "tissue/make_parts.h"

#define MOST_SECTIONS (CG_TISSUE_MOST_LAYERS + 1)

// Planes of the lattice along one axis: sections, each divided evenly.
struct planes {
    int section_count;
    double breaks[MOST_SECTIONS + 1]; // [m] ascending
    int steps[MOST_SECTIONS];
};

struct pad {
    struct planes x, y, z;
    int nx, ny, nz;           // cubes along each axis
    int slit_first, slit_end; // planes of x between which nodes are doubled; equal: no wound
    int slit_middle;          // plane of y
    int slit_bottom;          // plane of z above which they are; -1: all the way
    double half_size_y;
    const cg_tissue_def *def;
};

static int plane_count(const struct planes *planes)
{
    int count = 0;
    for (int section = 0; section < planes->section_count; section++) {
        count += planes->steps[section];
    }
    return count;
}

// [m] where plane `index` is.
static double plane_at(const struct planes *planes, int index)
{
    int section = 0;
    while (section < planes->section_count - 1 && index > planes->steps[section]) {
        index -= planes->steps[section];
        section++;
    }
    double low = planes->breaks[section], high = planes->breaks[section + 1];
    return index == planes->steps[section] ? high : low + (high - low) * index / planes->steps[section];
}

static void divide(struct planes *planes, double spacing)
{
    for (int section = 0; section < planes->section_count; section++) {
        planes->steps[section] = cg_make_steps(planes->breaks[section + 1] - planes->breaks[section], spacing);
    }
}

static void plan_across(struct pad *pad)
{
    const cg_tissue_def *def = pad->def;
    double x = def->size.x / 2, y = def->size.y / 2, end = def->wound_length / 2;
    if (def->wound == CG_WOUND_NONE) {
        pad->x = (struct planes){.section_count = 1, .breaks = {-x, x}};
        pad->y = (struct planes){.section_count = 1, .breaks = {-y, y}};
    } else {
        pad->x = (struct planes){.section_count = 3, .breaks = {-x, -end, end, x}};
        pad->y = (struct planes){.section_count = 2, .breaks = {-y, 0, y}};
    }
    divide(&pad->x, def->spacing);
    divide(&pad->y, def->spacing);
    if (def->wound != CG_WOUND_NONE) {
        pad->x.steps[1] = pad->x.steps[1] < 2 ? 2 : pad->x.steps[1];
        pad->slit_first = pad->x.steps[0];
        pad->slit_end = pad->slit_first + pad->x.steps[1];
        pad->slit_middle = pad->y.steps[0];
    }
}

// Borders of layers from the bottom up, and the depth of the wound unless a border is near it.
static void plan_depth(struct pad *pad)
{
    const cg_tissue_def *def = pad->def;
    double total = 0, near = 0.35 * def->spacing;
    for (int layer = 0; layer < def->layer_count; layer++) {
        total += def->layers[layer].thickness;
    }
    struct planes *z = &pad->z;
    int count = 0;
    double at = -total, depth = -def->wound_depth;
    bool has_depth = def->wound == CG_WOUND_NONE || depth < -total + near;
    for (int layer = def->layer_count - 1; layer >= 0; layer--) {
        double top = layer == 0 ? 0 : at + def->layers[layer].thickness;
        z->breaks[count++] = at;
        if (!has_depth && depth > at + near && depth < top - near) {
            z->breaks[count++] = depth;
            has_depth = true;
        }
        at = top;
    }
    z->breaks[count] = 0;
    z->section_count = count;
    // A cube that is flat is too soft across, one that is tall too stiff (make_cube.c): 0.64 to 1.28 of the spacing is
    // where both are least wrong.
    for (int section = 0; section < count; section++) {
        double height = z->breaks[section + 1] - z->breaks[section];
        z->steps[section] = cg_make_steps(height + 0.22 * def->spacing, def->spacing);
    }
    pad->slit_bottom = -1;
    if (def->wound != CG_WOUND_NONE && !(depth < -total + near)) {
        // the border nearest to the depth, below the top
        double best = HUGE_VAL;
        for (int section = 0, plane = 0; section < count; plane += z->steps[section++]) {
            if (fabs(z->breaks[section] - depth) < best) {
                best = fabs(z->breaks[section] - depth);
                pad->slit_bottom = plane;
            }
        }
    }
}

static bool is_doubled(const struct pad *pad, int i, int j, int k)
{
    return pad->slit_end > pad->slit_first && j == pad->slit_middle && i > pad->slit_first && i < pad->slit_end &&
           k > pad->slit_bottom;
}

static int node_at(const struct pad *pad, int i, int j, int k, bool is_below)
{
    if (is_below && is_doubled(pad, i, j, k)) {
        int width = pad->slit_end - pad->slit_first - 1;
        return (pad->nx + 1) * (pad->ny + 1) * (pad->nz + 1) + (k - pad->slit_bottom - 1) * width + i -
               pad->slit_first - 1;
    }
    return (k * (pad->ny + 1) + j) * (pad->nx + 1) + i;
}

// [m] half the opening of the wound.
static double half_opening(const struct pad *pad, double x, double z)
{
    const cg_tissue_def *def = pad->def;
    double along = 2 * x / def->wound_length;
    if (def->wound != CG_WOUND_ELLIPSE || !(fabs(along) < 1)) {
        return 0;
    }
    double bottom = pad->slit_bottom < 0 ? -HUGE_VAL : plane_at(&pad->z, pad->slit_bottom);
    double down = pad->slit_bottom < 0 ? 0 : z / bottom;
    return down < 1 ? def->wound_width / 2 * sqrt(1 - along * along) * (1 - down * down) : 0;
}

static cg_vec3 place_of(const struct pad *pad, int i, int j, int k, bool is_below)
{
    double x = plane_at(&pad->x, i), y = plane_at(&pad->y, j), z = plane_at(&pad->z, k);
    double opening = half_opening(pad, x, z);
    double away = opening + fabs(y) * (1 - opening / pad->half_size_y);
    if (opening > 0 && (y != 0 || is_doubled(pad, i, j, k))) {
        y = y < 0 || (y == 0 && is_below) ? -away : away;
    }
    double tension = pad->def->tension;
    return v3(x, y / (1 + tension), z / (1 - tension / 3));
}

static void add_node(cg_mesh *mesh, const struct pad *pad, int i, int j, int k, bool is_below)
{
    const cg_tissue_def *def = pad->def;
    int node = cg_mesh_add_node(mesh, place_of(pad, i, j, k, is_below));
    bool is_rim = i == 0 || i == pad->nx || j == 0 || j == pad->ny;
    mesh->fixed[node] = (is_rim && (def->fix_rim || def->tension > 0)) || (k == 0 && def->fix_bottom);
}

static void add_nodes(cg_mesh *mesh, const struct pad *pad)
{
    for (int k = 0; k <= pad->nz; k++) {
        for (int j = 0; j <= pad->ny; j++) {
            for (int i = 0; i <= pad->nx; i++) {
                add_node(mesh, pad, i, j, k, false);
            }
        }
    }
    for (int k = pad->slit_bottom + 1; k <= pad->nz; k++) {
        for (int i = pad->slit_first + 1; i < pad->slit_end; i++) {
            add_node(mesh, pad, i, pad->slit_middle, k, true);
        }
    }
}

static int layer_at(const cg_tissue_def *def, double z)
{
    double bottom = 0;
    for (int layer = 0; layer < def->layer_count - 1; layer++) {
        bottom -= def->layers[layer].thickness;
        if (z > bottom) {
            return layer;
        }
    }
    return def->layer_count - 1;
}

static bool add_cubes(cg_mesh *mesh, const struct pad *pad)
{
    for (int k = 0; k < pad->nz; k++) {
        int layer = layer_at(pad->def, (plane_at(&pad->z, k) + plane_at(&pad->z, k + 1)) / 2);
        for (int at = 0; at < pad->nx * pad->ny; at++) {
            int i = at % pad->nx, j = at / pad->nx;
            cg_make_cube cube = {
                .parity = (i + j + k) % 2, .layer = layer, .material = &pad->def->layers[layer].material};
            for (int corner = 0; corner < 8; corner++) {
                cube.corner[corner] =
                    node_at(pad, i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2), j < pad->slit_middle);
            }
            if (!cg_make_add_cube(mesh, &cube)) {
                return false;
            }
        }
    }
    return true;
}

static cg_mesh_side side_of(const cg_mesh *mesh, const int nodes[3], void *context)
{
    (void)mesh;
    const struct pad *pad = context;
    int row = pad->nx + 1, layer = row * (pad->ny + 1), first_double = layer * (pad->nz + 1);
    int width = pad->slit_end - pad->slit_first - 1;
    int at_top = 0, at_bottom = 0, at_side[4] = {0, 0, 0, 0};
    for (int corner = 0; corner < 3; corner++) {
        int node = nodes[corner], i, j, k;
        if (node < first_double) {
            i = node % row, j = node / row % (pad->ny + 1), k = node / layer;
        } else {
            i = pad->slit_first + 1 + (node - first_double) % width, j = pad->slit_middle;
            k = pad->slit_bottom + 1 + (node - first_double) / width;
        }
        at_top += k == pad->nz;
        at_bottom += k == 0;
        at_side[0] += i == 0;
        at_side[1] += i == pad->nx;
        at_side[2] += j == 0;
        at_side[3] += j == pad->ny;
    }
    if (at_top == 3 || at_bottom == 3) {
        return at_top == 3 ? CG_SIDE_TOP : CG_SIDE_BOTTOM;
    }
    bool is_rim = at_side[0] == 3 || at_side[1] == 3 || at_side[2] == 3 || at_side[3] == 3;
    return is_rim ? CG_SIDE_RIM : CG_SIDE_GROOVE;
}

static cg_status room_for(const struct pad *pad, const cg_allocator *allocator, cg_mesh **mesh)
{
    double x = pad->nx, y = pad->ny, z = pad->nz;
    double along = x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z;
    double faces = x * y * (z + 1) + x * (y + 1) * z + (x + 1) * y * z;
    double width = pad->slit_end - pad->slit_first, height = pad->nz - pad->slit_bottom;
    double doubled = width > 0 ? (width - 1) * height : 0;
    return cg_make_room(pad->def, allocator, (x + 1) * (y + 1) * (z + 1) + doubled,
                        along + faces + 3 * (width + 1) * (height + 1), 5 * x * y * z,
                        4 * (x * y + y * z + z * x + width * height), mesh);
}

cg_status cg_make_pad(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh)
{
    struct pad pad = {.def = def, .half_size_y = def->size.y / 2};
    plan_across(&pad);
    plan_depth(&pad);
    pad.nx = plane_count(&pad.x);
    pad.ny = plane_count(&pad.y);
    pad.nz = plane_count(&pad.z);
    cg_status status = room_for(&pad, allocator, mesh);
    if (status.code != CG_OK) {
        return status;
    }
    add_nodes(*mesh, &pad);
    bool is_whole = add_cubes(*mesh, &pad) && cg_mesh_add_surface(*mesh, side_of, &pad);
    // from the shape without tension to the one that the rim holds
    for (int node = 0; node < (*mesh)->node_count; node++) {
        cg_vec3 *home = &(*mesh)->home[node];
        home->y *= 1 + def->tension;
        home->z *= 1 - def->tension / 3;
    }
    return cg_make_finish(def, is_whole, mesh);
}
