// catgut fill: tetrahedra inside the surface of a file.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "app.h"
#include "catgut/fill.h"
#include "scene/units.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/organ_shape.h"
#include "support/out_file.h"
#include "support/scene_files.h"
#include "support/surface_file.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_fill = {
    .name = "fill",
    .usage = "FILE OUT [--nodes N] [--spacing L] [--unit L] [--size L] [--ball PLACE] [--force] [--json]\n       "
             "catgut fill --make SHAPE",
    .summary = "fill the surface of a mesh file with tetrahedra",
    .help =
        "FILE is a closed surface, or nearly: OBJ, STL, VRML, PLY, VTK; or the outside of a volume of Gmsh, VTK, "
        "Medit,\n"
        "TetGen or Abaqus. OUT becomes a file of Gmsh 2.2, in units of FILE. Exit codes: 0 done; 2 the file cannot be\n"
        "read or filled; then the spacing that would do is named where one would.\n\n"
        "  --nodes N     wanted, within about 3 %, 20 to 200000; 2000 when not given\n"
        "  --spacing L   of the lattice instead, such as \"2 mm\"\n"
        "  --unit L      length of 1 in FILE, such as \"1 mm\"; 1 m when not given\n"
        "  --size L      length of the longest side instead\n"
        "  --ball PLACE  only what is in a ball: \"x y z r\" in units of FILE\n"
        "  --force       write over a file that is no mesh of catgut\n"
        "  --make SHAPE  print the surface of an organ as OBJ instead, made by formulas, in mm: liver or tongue\n"
        "  --json        print one JSON object: nodes, cells, spacing [m], angles [rad], volume [m3], ...\n\n"
        "Example:\n"
        "  catgut fill liver.obj liver.msh --unit \"1 cm\" --nodes 2500\n",
    .run = run,
};

// What the words say.
typedef struct fill_order {
    const char *nodes, *spacing, *unit, *size, *ball, *make;
    bool force, as_json;
    const char *paths[2];
    double scale; // [m] of 1 in the file
    cg_fill_def def;
} fill_order;

static bool read_length(const char *name, const char *text, double *length, FILE *err)
{
    char why[160];
    if (text == NULL) {
        return true;
    }
    if (!cg_units_read(text, "m", length, why, sizeof why)) {
        fprintf(err, "catgut fill: %s: %s\n", name, why);
        return false;
    }
    if (!(*length > 0)) {
        fprintf(err, "catgut fill: %s: found %g m; expected a length above 0\n", name, *length);
        return false;
    }
    return true;
}

static bool read_order(fill_order *order, FILE *err)
{
    double nodes = 2000, unit = 0;
    bool is_whole = order->nodes == NULL || (cg_read_number(order->nodes, &nodes) && nodes == floor(nodes));
    if (!is_whole || nodes < 20 || nodes > 200000) {
        fprintf(err, "catgut fill: --nodes: found \"%s\"; expected 20 to 200000\n", order->nodes);
        return false;
    }
    if ((order->nodes != NULL && order->spacing != NULL) || (order->unit != NULL && order->size != NULL)) {
        fputs("catgut fill: --nodes and --spacing, and --unit and --size, exclude each other\n", err);
        return false;
    }
    order->def = cg_fill_def_default();
    order->def.nodes = order->spacing != NULL ? 0 : (int)nodes;
    order->scale = 1;
    if (!read_length("--spacing", order->spacing, &order->def.spacing, err) ||
        !read_length("--unit", order->unit, &order->scale, err) || !read_length("--size", order->size, &unit, err)) {
        return false;
    }
    order->scale = unit > 0 ? -unit : order->scale; // a size: when the surface is known
    return true;
}

static bool read_ball(fill_order *order, FILE *err)
{
    double x[4];
    char rest;
    if (order->ball == NULL) {
        return true;
    }
    if (sscanf(order->ball, "%lf %lf %lf %lf %c", &x[0], &x[1], &x[2], &x[3], &rest) != 4 || !(x[3] > 0)) {
        fprintf(err, "catgut fill: --ball: found \"%s\"; expected \"x y z r\", the radius above 0\n", order->ball);
        return false;
    }
    order->def.piece = CG_FILL_BALL;
    order->def.centre = (cg_vec3){order->scale * x[0], order->scale * x[1], order->scale * x[2]};
    order->def.radius = order->scale * x[3];
    return true;
}

static void scale(fill_order *order, cg_surface *surface)
{
    if (order->scale < 0) {
        order->scale = -order->scale / cg_surface_extent(surface);
    }
    for (int i = 0; i < surface->node_count; i++) {
        cg_vec3 *p = &surface->nodes[i];
        *p = (cg_vec3){order->scale * p->x, order->scale * p->y, order->scale * p->z};
    }
}

static void print_report(const cg_volume *volume, const cg_fill_report *r, const char *path, FILE *out)
{
    const double degrees = 57.29577951308232;
    cg_vec3 size = {r->high.x - r->low.x, r->high.y - r->low.y, r->high.z - r->low.z};
    fprintf(out, "%s: %d nodes, %d cells, spacing %.3g m, angles %.1f to %.1f degrees\n", path, volume->node_count,
            volume->cell_count, r->spacing, degrees * volume->least_angle, degrees * volume->most_angle);
    fprintf(out,
            "  the surface is %.3g x %.3g x %.3g m, 5 %% of it thinner than %.3g m; %.3g of its %.3g m3 are filled "
            "(%.1f %%)\n",
            size.x, size.y, size.z, r->thickness, r->volume, r->source_volume,
            100 * (r->volume / r->source_volume - 1));
    fprintf(out, "  the cells' outside is within %.3g m (%.2f spacings) of it", r->farthest, r->farthest / r->spacing);
    fprintf(out, r->far_share > 0.01 ? "; %.1f %% are farther than a spacing\n" : "\n", 100 * r->far_share);
    if (r->doubled_triangles + r->turned_triangles + r->turned_parts > 0) {
        fprintf(out, "  put right: %d doubled triangles, %d turned ones, %d parts that were inside out\n",
                r->doubled_triangles, r->turned_triangles, r->turned_parts);
    }
    if (r->left_out_parts + r->split_hinges > 0) {
        fprintf(out, "  left out: %d crumbs; split: %d nodes where the outside touched itself\n", r->left_out_parts,
                r->split_hinges);
    }
    if (r->thickness < 2 * r->spacing) {
        fprintf(out, "  thin for this spacing: %.2f spacings; a spacing of %.3g m has 2\n", r->thickness / r->spacing,
                0.5 * r->thickness);
    }
    double longest = fmax(size.x, fmax(size.y, size.z));
    if (longest < 1e-3 || longest > 1) {
        fprintf(out, "  is the unit right? An organ is 1 mm to 1 m long, this is %.3g m (--unit, --size)\n", longest);
    }
}

static void print_json(const cg_volume *volume, const cg_fill_report *r, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_number_member(&json, "nodes", volume->node_count);
    cg_json_number_member(&json, "cells", volume->cell_count);
    cg_json_number_member(&json, "spacing", r->spacing);
    cg_json_number_member(&json, "least_angle", volume->least_angle);
    cg_json_number_member(&json, "most_angle", volume->most_angle);
    cg_json_number_member(&json, "volume", r->volume);
    cg_json_number_member(&json, "source_volume", r->source_volume);
    cg_json_number_member(&json, "thickness", r->thickness);
    cg_json_number_member(&json, "farthest", r->farthest);
    cg_json_number_member(&json, "far_share", r->far_share);
    cg_json_number_member(&json, "doubled_triangles", r->doubled_triangles);
    cg_json_number_member(&json, "turned_triangles", r->turned_triangles);
    cg_json_number_member(&json, "turned_parts", r->turned_parts);
    cg_json_number_member(&json, "left_out_parts", r->left_out_parts);
    cg_json_number_member(&json, "split_hinges", r->split_hinges);
    cg_json_number_member(&json, "tries", r->tries);
    cg_json_end_object(&json);
}

static bool write_volume(const cg_volume *volume, const fill_order *order, FILE *err)
{
    char why[CG_OUT_WHY_BYTES], *text;
    size_t size;
    cg_out_file to;
    cg_status status = cg_volume_write(volume, order->scale, &text, &size);
    if (status.code != CG_OK) {
        fprintf(err, "catgut fill: %s\n", status.message);
        return false;
    }
    bool good = cg_out_open(&to, order->paths[1], CG_OUT_MESH, order->force, why);
    if (!good) {
        fprintf(err, "%s: %s\n", order->paths[1], why);
    } else if (fwrite(text, 1, size, to.file) != size || !cg_out_finish(&to)) {
        fprintf(err, "%s: cannot be written\n", order->paths[1]);
        cg_out_abandon(&to, false);
        good = false;
    }
    cg_volume_free_text(volume, text);
    return good;
}

static bool fill(fill_order *order, cg_surface *surface, FILE *out, FILE *err)
{
    cg_volume *volume;
    cg_fill_report report;
    scale(order, surface);
    if (!read_ball(order, err)) {
        return false;
    }
    cg_status status = cg_fill(surface, &order->def, &volume, &report);
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", order->paths[0], status.message);
        return false;
    }
    bool good = write_volume(volume, order, err);
    if (good && order->as_json) {
        print_json(volume, &report, out);
    } else if (good) {
        print_report(volume, &report, order->paths[1], out);
    }
    cg_volume_free(volume);
    return good;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    fill_order order = {0};
    cg_scene_error error;
    cg_surface *surface;
    const cg_option options[] = {
        {.name = "--nodes", .value = &order.nodes}, {.name = "--spacing", .value = &order.spacing},
        {.name = "--unit", .value = &order.unit},   {.name = "--size", .value = &order.size},
        {.name = "--ball", .value = &order.ball},   {.name = "--force", .flag = &order.force},
        {.name = "--make", .value = &order.make},   {.name = "--json", .flag = &order.as_json}};
    cg_arguments arguments = {.command = "fill",
                              .options = options,
                              .option_count = (int)(sizeof options / sizeof options[0]),
                              .max_words = 2,
                              .words = order.paths};
    if (!cg_arguments_read(&arguments, count, words, err) || !read_order(&order, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (order.make != NULL) {
        bool is_known = arguments.word_count == 0 && cg_organ_write(order.make, out);
        if (!is_known) {
            fprintf(err, "catgut fill: --make: found \"%s\"; expected liver or tongue, alone\n", order.make);
        }
        return is_known ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
    }
    if (arguments.word_count < 2) {
        fputs("catgut fill: which file, and where to? See \"catgut help fill\"\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    if (!cg_surface_load(order.paths[0], CG_SURFACE_TOLD, &surface, &error)) {
        cg_scene_error_print(&error, err);
        return CG_EXIT_BAD_INPUT;
    }
    bool good = fill(&order, surface, out, err);
    cg_surface_free(surface);
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}
