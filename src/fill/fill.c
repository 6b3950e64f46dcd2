// Filling: a spacing is looked for that gives as many nodes as are wanted, and what comes out is measured against the
// surface. What is not good enough is refused, with the spacing that would do where one would.
#include "catgut/fill.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "fill/fill_parts.h"
#include "mesh_files/volume.h"

#define MOST_LATTICE 4e6   // points
#define WALL_SPACINGS 1.25 // a wall thinner than this many spacings falls apart
#define WORST_VOLUME 0.1   // share of the volume that may be missing
#define NODES_OFF 0.03     // share of the nodes that may be too many or too few
#define SHEET 1e-4         // volume over area and size below which an open surface is a sheet
enum { MOST_NODES = 200000, MOST_TRIES = 10, PLACES = 2000 };

cg_fill_def cg_fill_def_default(void)
{
    return (cg_fill_def){.nodes = 2000};
}

// --- the piece ---

bool cg_fill_is_in_piece(const cg_fill_def *def, cg_vec3 p)
{
    cg_vec3 d = v3_sub(p, def->centre);
    if (def->piece == CG_FILL_BOX) {
        return fabs(d.x) < def->half.x && fabs(d.y) < def->half.y && fabs(d.z) < def->half.z;
    }
    return def->piece == CG_FILL_ALL || v3_dot(d, d) < def->radius * def->radius;
}

double cg_fill_leave_piece(const cg_fill_def *def, cg_vec3 p, cg_vec3 q)
{
    if (def->piece == CG_FILL_ALL || cg_fill_is_in_piece(def, q)) {
        return 2;
    }
    cg_vec3 from = v3_sub(p, def->centre), way = v3_sub(q, p);
    if (def->piece == CG_FILL_BALL) {
        double a = v3_dot(way, way), b = v3_dot(from, way), c = v3_dot(from, from) - def->radius * def->radius;
        return (-b + sqrt(fmax(b * b - a * c, 0))) / a;
    }
    const double at[3] = {from.x, from.y, from.z}, step[3] = {way.x, way.y, way.z};
    const double half[3] = {def->half.x, def->half.y, def->half.z};
    double share = 1;
    for (int k = 0; k < 3; k++) {
        if (step[k] != 0 && fabs(at[k] + step[k]) > half[k]) {
            share = fmin(share, ((step[k] > 0 ? half[k] : -half[k]) - at[k]) / step[k]);
        }
    }
    return share;
}

// --- the definition ---

static bool is_length(double value)
{
    return value >= 1e-9 && value <= 1e6;
}

static cg_status check_def(const cg_fill_def *def)
{
    if (!cg_memory_is_usable(&def->allocator)) {
        return cg_error(CG_BAD_INPUT, "an allocator needs both functions or none");
    }
    if ((unsigned)def->piece > CG_FILL_BALL) {
        return cg_error(CG_BAD_INPUT, "piece of a filling is none of the list");
    }
    if (def->nodes != 0 && (def->nodes < 20 || def->nodes > MOST_NODES)) {
        return cg_error(CG_BAD_INPUT, "nodes of a filling is %d; it must be 20 to %d, or 0 with a spacing", def->nodes,
                        MOST_NODES);
    }
    if (def->nodes == 0 && !is_length(def->spacing)) {
        return cg_error(CG_BAD_INPUT, "spacing of a filling is %g m; it must be above 0 where nodes is 0",
                        def->spacing);
    }
    bool has_size =
        def->piece == CG_FILL_ALL || (def->piece == CG_FILL_BALL && is_length(def->radius)) ||
        (def->piece == CG_FILL_BOX && is_length(def->half.x) && is_length(def->half.y) && is_length(def->half.z));
    if (!has_size || !(v3_dot(def->centre, def->centre) < 1e12)) {
        return cg_error(CG_BAD_INPUT, "the piece of a filling needs a centre within 1e6 m, and a size above 0");
    }
    return cg_ok();
}

// --- looking for the spacing ---

struct search {
    const cg_fill_def *def;
    const cg_fill_tree *tree;
    const cg_fill_shape *shape;
    double volume, area, factor; // nodes are 2 volume / h^3 + factor area / h^2
    double low, high;            // spacings that gave too many, too few
    bool counts_volume;          // by the lattice: the surface is open, or only a piece of it is filled
    int tries;
};

static double spacing_for(const struct search *search, double nodes)
{
    double low = 1e-12, high = 1e9;
    for (int step = 0; step < 200; step++) {
        double h = sqrt(low * high);
        if (2 * search->volume / (h * h * h) + search->factor * search->area / (h * h) > nodes) {
            low = h;
        } else {
            high = h;
        }
    }
    return sqrt(low * high);
}

// The finest spacing whose lattice is small enough.
static double finest_spacing(const struct search *search, double from)
{
    double h = from;
    while (cg_fill_lattice_points(search->shape, search->def, h) > MOST_LATTICE) {
        h *= 1.05;
    }
    return h;
}

static cg_status no_memory(void)
{
    return cg_error(CG_OUT_OF_MEMORY, "no memory for a filling");
}

static cg_status too_fine(double finest)
{
    return cg_error(CG_BAD_INPUT,
                    "a filling as fine as that needs more than %.0f points of a lattice; a spacing of %.3g m would do",
                    MOST_LATTICE, finest);
}

static cg_status fill_once(struct search *search, double h, cg_fill_cells *cells)
{
    search->tries++;
    if (!cg_fill_stuff(search->tree, search->def, h, cells)) {
        return no_memory();
    }
    if (cells->cell_count > 0 && !cg_fill_tidy(cells)) {
        cg_fill_cells_clear(cells);
        return no_memory();
    }
    return cg_ok();
}

// What the next try learns from this one.
static void learn(struct search *search, const cg_fill_cells *cells, double h, int wanted)
{
    if (cells->node_count > wanted) {
        search->low = fmax(search->low, h);
    } else {
        search->high = fmin(search->high, h);
    }
    if (search->counts_volume && cells->inside_volume > 0) {
        search->volume = cells->inside_volume;
    }
    double rest = cells->node_count - 2 * search->volume / (h * h * h);
    search->factor = cells->node_count > 0 ? fmax(0.02, rest * h * h / search->area) : 2 * search->factor;
}

static cg_status search_spacing(struct search *search, cg_fill_cells *cells, double *spacing)
{
    int wanted = search->def->nodes, best_off = INT_MAX;
    double best = 0;
    bool is_narrow = false;
    cg_status status = cg_ok();
    for (int try = 0; try < MOST_TRIES && !is_narrow; try++) {
        double h = spacing_for(search, wanted);
        h = h > search->low && h < search->high ? h : 0.5 * (search->low + search->high);
        double finest = finest_spacing(search, h);
        if (finest > h && try > 0) {
            cg_fill_cells_clear(cells);
            return too_fine(finest);
        }
        cg_fill_cells_clear(cells);
        *spacing = finest;
        status = fill_once(search, finest, cells);
        int off = abs(cells->node_count - wanted);
        if (status.code != CG_OK || off <= NODES_OFF * wanted) {
            return status;
        }
        best = off < best_off ? finest : best;
        best_off = off < best_off ? off : best_off;
        learn(search, cells, finest, wanted);
        is_narrow = search->high < 1.003 * search->low; // flat sides on rows of the lattice: the number jumps
    }
    if (*spacing != best) {
        cg_fill_cells_clear(cells);
        *spacing = best;
        status = fill_once(search, best, cells);
    }
    return status;
}

// --- measuring ---

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : (x > y ? 1 : 0);
}

// Place number `index` of some `PLACES` that lie evenly over a surface: `pass` is its area so far, in places.
struct places {
    const cg_fill_shape *shape;
    int triangle, index;
    double area; // of the triangles before
};

// The next place, and the normal of its triangle by area; false behind the last.
static bool next_place(struct places *places, cg_vec3 *place, cg_vec3 *normal)
{
    const cg_fill_shape *shape = places->shape;
    double step = shape->area / PLACES, at = (places->index + 0.5) * step;
    for (; places->triangle < shape->triangle_count; places->triangle++) {
        const int *n = shape->triangles[places->triangle];
        cg_vec3 a = shape->points[n[0]], b = shape->points[n[1]], c = shape->points[n[2]];
        *normal = v3_scale(0.5, v3_cross(v3_sub(b, a), v3_sub(c, a)));
        double area = v3_length(*normal);
        if (at < places->area + area) {
            // spread over the triangle by the binary digits of the number, turned round, and by thirds
            double u = 0, v = 0, half = 0.5, third = 1.0 / 3;
            for (int i = places->index; i > 0; i /= 2, half *= 0.5) {
                u += half * (i % 2);
            }
            for (int i = places->index; i > 0; i /= 3, third /= 3) {
                v += third * (i % 3);
            }
            double root = sqrt(u);
            *place = v3_add(v3_scale(1 - root, a), v3_add(v3_scale(root * (1 - v), b), v3_scale(root * v, c)));
            places->index++;
            return true;
        }
        places->area += area;
    }
    return false;
}

// What 5 % of the surface have less of behind them.
static double thickness_of(const cg_fill_tree *tree)
{
    double depths[PLACES + 1];
    int count = 0;
    struct places places = {.shape = tree->shape};
    cg_vec3 place, normal, size = v3_sub(tree->shape->high, tree->shape->low);
    double least = 1e-6 * v3_length(size);
    while (count < PLACES && next_place(&places, &place, &normal)) {
        double depth = cg_fill_ray(tree, place, v3_unit_or(v3_neg(normal), v3(1, 0, 0)), least);
        if (depth > 0) {
            depths[count++] = depth;
        }
    }
    qsort(depths, (size_t)count, sizeof *depths, compare_doubles);
    return count > 0 ? depths[count / 20] : 0;
}

static bool measure_distance(const cg_fill_tree *source, const cg_fill_def *def, const cg_volume *volume,
                             cg_fill_report *report)
{
    cg_surface *outside;
    cg_fill_shape shape = {0};
    cg_fill_tree tree = {0};
    if (cg_volume_outside(volume, &outside).code != CG_OK) {
        return false;
    }
    bool good = cg_fill_clean(outside, &volume->allocator, &shape);
    cg_surface_free(outside);
    if (good && !cg_fill_tree_make(&shape, &tree)) {
        cg_fill_shape_clear(&shape);
        good = false;
    }
    if (!good) {
        return false;
    }
    struct places places = {.shape = source->shape};
    cg_vec3 place, normal;
    int count = 0, far = 0;
    while (next_place(&places, &place, &normal)) {
        if (cg_fill_is_in_piece(def, place)) {
            double distance = sqrt(cg_fill_nearest(&tree, place, HUGE_VAL));
            report->farthest = fmax(report->farthest, distance);
            far += distance > report->spacing;
            count++;
        }
    }
    report->far_share = count > 0 ? (double)far / count : 0;
    cg_fill_tree_clear(&tree);
    cg_fill_shape_clear(&shape);
    return true;
}

// --- judging ---

static cg_status refuse(const cg_fill_report *report, const char *what)
{
    double would_do = report->thickness / WALL_SPACINGS;
    if (would_do > 0 && would_do < report->spacing) {
        return cg_error(
            CG_BAD_INPUT,
            "%s at a spacing of %.3g m: 5 %% of the surface are thinner than %.3g m; a spacing of %.3g m would do",
            what, report->spacing, report->thickness, would_do);
    }
    return cg_error(CG_BAD_INPUT, "%s at a spacing of %.3g m; a spacing of %.3g m may do", what, report->spacing,
                    0.5 * report->spacing);
}

static cg_status encloses_nothing(const cg_fill_def *def)
{
    return cg_error(CG_BAD_INPUT, "the surface encloses nothing%s",
                    def->piece == CG_FILL_ALL ? ": an open sheet cannot be filled" : " in the piece");
}

static cg_status judge(const cg_fill_def *def, const cg_fill_cells *cells, const cg_fill_report *report)
{
    char what[160];
    if (cells->cell_count == 0) {
        bool is_piece = def->piece != CG_FILL_ALL && !(cells->inside_volume > 0);
        return report->parts > 0 && !is_piece ? refuse(report, "the filling has no cells") : encloses_nothing(def);
    }
    if (cells->node_count > MOST_NODES) {
        return cg_error(CG_BAD_INPUT, "the filling has %d nodes at a spacing of %.3g m; at most %d are allowed",
                        cells->node_count, report->spacing, MOST_NODES);
    }
    double off = fabs(report->volume - report->source_volume) / report->source_volume;
    if (off > WORST_VOLUME) {
        snprintf(what, sizeof what, "the filling has %.3g m3 of the surface's %.3g m3, %.0f %% off", report->volume,
                 report->source_volume, 100 * off);
        return refuse(report, what);
    }
    int parts = report->parts > 1 ? report->parts : 1;
    if (def->piece == CG_FILL_ALL && cells->large_parts > parts) {
        snprintf(what, sizeof what, "the filling falls into %d parts, the surface has %d", cells->large_parts, parts);
        return refuse(report, what);
    }
    if (cells->hinges > 0) {
        snprintf(what, sizeof what, "the filling's outside touches itself along %d edges", cells->hinges);
        return refuse(report, what);
    }
    return cg_ok();
}

// --- the whole ---

static double volume_of(const cg_fill_cells *cells)
{
    double six = 0;
    for (int i = 0; i < cells->cell_count; i++) {
        const int *n = cells->cells[i];
        cg_vec3 a = cells->nodes[n[0]];
        six += v3_dot(v3_cross(v3_sub(cells->nodes[n[1]], a), v3_sub(cells->nodes[n[2]], a)),
                      v3_sub(cells->nodes[n[3]], a));
    }
    return six / 6;
}

static void report_cells(const struct search *search, const cg_fill_cells *cells, cg_fill_report *report)
{
    report->tries = search->tries;
    report->volume = volume_of(cells);
    report->source_volume = search->counts_volume ? cells->inside_volume : search->shape->volume;
    report->undecided = cells->undecided;
    report->left_out_parts = cells->left_out_parts;
    report->split_hinges = cells->split_hinges;
}

static cg_status keep(const cg_fill_cells *cells, const cg_fill_tree *tree, const cg_fill_def *def, cg_volume **volume,
                      cg_fill_report *report)
{
    cg_volume *made = cg_volume_make(&def->allocator, cells->node_count, cells->cell_count, def->piece != CG_FILL_ALL);
    if (made == NULL) {
        return no_memory();
    }
    memcpy(made->nodes, cells->nodes, (size_t)cells->node_count * sizeof *made->nodes);
    memcpy(made->cells, cells->cells, (size_t)cells->cell_count * sizeof *made->cells);
    if (made->cut != NULL) {
        memcpy(made->cut, cells->cut, (size_t)cells->node_count * sizeof *made->cut);
    }
    made->node_count = cells->node_count;
    made->cell_count = cells->cell_count;
    if (!cg_volume_describe(made) || !measure_distance(tree, def, made, report)) {
        cg_volume_free(made);
        return no_memory();
    }
    *volume = made;
    return cg_ok();
}

static cg_status fill_shape(const cg_fill_shape *shape, const cg_fill_tree *tree, const cg_fill_def *def,
                            cg_volume **volume, cg_fill_report *report)
{
    cg_fill_cells cells = {.allocator = &def->allocator};
    cg_vec3 size = v3_sub(shape->high, shape->low);
    bool counts = shape->open_edges > 0 || def->piece != CG_FILL_ALL || !(shape->volume > 0);
    double volume_first = shape->volume > 0 ? shape->volume : 0.5 * size.x * size.y * size.z;
    double sides = 2 * (def->half.x + def->half.y + def->half.z), ball = 4.2 * def->radius * def->radius * def->radius;
    if (def->piece != CG_FILL_ALL) {
        volume_first = fmin(volume_first, def->piece == CG_FILL_BALL ? ball : sides * sides * sides / 27);
    }
    struct search search = {.def = def,
                            .tree = tree,
                            .shape = shape,
                            .volume = fmax(volume_first, 1e-30),
                            .area = shape->area,
                            .factor = 0.6,
                            .high = 1e9,
                            .counts_volume = counts};
    cg_status status;
    report->spacing = def->spacing;
    if (def->nodes > 0) {
        status = search_spacing(&search, &cells, &report->spacing);
    } else if (finest_spacing(&search, def->spacing) > def->spacing) {
        return too_fine(finest_spacing(&search, def->spacing));
    } else {
        status = fill_once(&search, def->spacing, &cells);
    }
    if (status.code == CG_OK) {
        report_cells(&search, &cells, report);
        status = judge(def, &cells, report);
    }
    if (status.code == CG_OK) {
        status = keep(&cells, tree, def, volume, report);
    }
    cg_fill_cells_clear(&cells);
    return status;
}

cg_status cg_fill(const cg_surface *surface, const cg_fill_def *def, cg_volume **volume, cg_fill_report *report)
{
    cg_fill_report local;
    cg_fill_shape shape;
    cg_fill_tree tree;
    report = report != NULL ? report : &local;
    *report = (cg_fill_report){0};
    *volume = NULL;
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    if (!cg_fill_clean(surface, &def->allocator, &shape)) {
        return no_memory();
    }
    report->low = shape.low;
    report->high = shape.high;
    report->doubled_triangles = shape.doubled;
    report->turned_triangles = shape.turned;
    report->turned_parts = shape.turned_parts;
    report->parts = shape.solids;
    double size = v3_length(v3_sub(shape.high, shape.low));
    if (shape.triangle_count > 0 && shape.open_edges > 0 && fabs(shape.volume) < SHEET * shape.area * size) {
        status = encloses_nothing(def);
    } else if (shape.triangle_count == 0) {
        status = cg_error(CG_BAD_INPUT, "the surface has no triangle that is not doubled: nothing can be filled");
    } else if (!cg_fill_tree_make(&shape, &tree)) {
        status = no_memory();
    } else {
        report->thickness = thickness_of(&tree);
        status = fill_shape(&shape, &tree, def, volume, report);
        cg_fill_tree_clear(&tree);
    }
    cg_fill_shape_clear(&shape);
    return status;
}
