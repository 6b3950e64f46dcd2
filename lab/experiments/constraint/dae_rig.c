#include "experiments/constraint/dae_rig.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "constraint/bspline.h"

cg_dae *cg_dae_rig_open(const cg_dae_def *def, cg_report *report)
{
    cg_dae *dae = NULL;
    cg_dae_rig_good(cg_dae_create(def, &dae), report);
    return dae;
}

bool cg_dae_rig_good(cg_status status, cg_report *report)
{
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
    }
    return status.code == CG_OK;
}

bool cg_dae_rig_steps(cg_dae *dae, int count, cg_report *report)
{
    for (int i = 0; i < count; i++) {
        bool is_good = cg_dae_rig_good(cg_dae_step(dae), report);
        if (is_good && cg_dae_get_stats(dae).wants_prepare) {
            is_good = cg_dae_rig_good(cg_dae_prepare(dae), report);
        }
        if (!is_good) {
            return false;
        }
    }
    if (cg_dae_get_stats(dae).failed_steps > 0) {
        cg_report_trouble(report, "%d steps could not be made", (int)cg_dae_get_stats(dae).failed_steps);
        return false;
    }
    return true;
}

void cg_dae_rig_add(cg_report *report, const char *name, double published, double expected, double measured,
                    double tolerance, const char *unit)
{
    cg_report_add(
        report,
        (cg_quantity){
            .published = published, .expected = expected, .measured = measured, .tolerance = tolerance, .unit = unit},
        "%s", name);
}

bool cg_dae_rig_chain(cg_dae *dae, int links, double length, int index, cg_report *report)
{
    for (int i = 0; i < links; i++) {
        cg_dae_rigid_def box = cg_dae_rigid_def_box(v3(length, length / 5, length / 5), 1000);
        box.position = v3(length * (i + 0.5), 0, 0);
        box.unit_index = index;
        int body;
        if (!cg_dae_rig_good(cg_dae_add_rigid(dae, &box, &body), report) ||
            !cg_dae_rig_good(cg_dae_add_ball(dae, i - 1, i, v3(length * i, 0, 0), index), report)) {
            return false;
        }
    }
    return cg_dae_rig_good(cg_dae_prepare(dae), report);
}

bool cg_dae_rig_loop(cg_dae *dae, double mass_damping, int *hinge, cg_report *report)
{
    double r = 0.1;
    const cg_vec3 corners[4] = {{0, 0, 0}, {r, 0, 0}, {r, 0, -r}, {0, 0, -r}};
    bool is_good = true;
    for (int i = 0; i < 4 && is_good; i++) {
        cg_dae_rigid_def bar = cg_dae_rigid_def_box(i % 2 == 0 ? v3(r, 0.01, 0.02) : v3(0.02, 0.01, r), 1000);
        bar.position = v3_scale(0.5, v3_add(corners[i], corners[(i + 1) % 4]));
        bar.mass_damping = mass_damping;
        int body;
        is_good = cg_dae_rig_good(cg_dae_add_rigid(dae, &bar, &body), report);
    }
    *hinge = 4; // after the four quaternions
    cg_vec3 axis = v3(0, 1, 0);
    is_good = is_good && cg_dae_rig_good(cg_dae_add_hinge(dae, -1, 0, v3(r / 2, 0, 0.05), axis, 3), report);
    for (int i = 0; i < 4 && is_good; i++) {
        is_good = cg_dae_rig_good(cg_dae_add_hinge(dae, i, (i + 1) % 4, corners[(i + 1) % 4], axis, 3), report);
    }
    return is_good && cg_dae_rig_good(cg_dae_prepare(dae), report);
}

cg_tissue_def cg_dae_rig_sheet_def(int nodes, double side, bool fix_rim)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_GRID;
    def.model = CG_TISSUE_SHEET;
    def.size = v3(side, side, 0);
    def.spacing = side / (nodes - 1);
    def.layer_count = 1;
    def.layers[0] = (cg_tissue_layer){1e-3, {.young = 1e5, .density = 1000}};
    def.fix_rim = fix_rim;
    def.fix_bottom = false;
    return def;
}

static cg_vec3 middle_of(const cg_mesh *mesh, int triangle)
{
    const int *nodes = mesh->triangles[triangle].nodes;
    cg_vec3 sum = v3_add(mesh->position[nodes[0]], v3_add(mesh->position[nodes[1]], mesh->position[nodes[2]]));
    return v3_scale(1 / 3.0, sum);
}

static bool add_thread(cg_dae_rig_sewing *sewing, int controls, cg_vec3 middle, double below, cg_report *report)
{
    cg_spline_def def = cg_spline_def_default();
    def.control_count = controls;
    def.mass_damping = 2;
    def.stiffness_damping = 1e-3;
    if (below < 0) { // one that pierces is as stiff as a needle
        def.radius = 0.5e-3;
        def.length = 0.05;
    }
    cg_vec3 *points = calloc((size_t)controls, sizeof *points);
    double span = def.length / cg_bspline_spans(controls);
    for (int i = 0; points && i < controls; i++) {
        points[i] = v3(middle.x, middle.y, (i - 1) * span - below);
    }
    def.controls = points;
    bool is_good = points && cg_dae_rig_good(cg_dae_add_spline(sewing->dae, &def, &sewing->thread), report);
    free(points);
    sewing->top = v3(middle.x, middle.y, def.length - below);
    cg_rows hold = {CG_ROW_MEET,
                    {is_good ? cg_dae_on_spline(sewing->dae, sewing->thread, cg_bspline_last(controls), 0)
                             : cg_dae_given(v3_zero()),
                     cg_dae_given(sewing->top)},
                    0};
    return is_good && cg_dae_rig_good(cg_dae_add_rows(sewing->dae, &hold, 3, &sewing->hold), report);
}

static int middle_triangle(const cg_mesh *mesh)
{
    int best = 0;
    for (int i = 1; i < mesh->triangle_count; i++) {
        best = v3_length(middle_of(mesh, i)) < v3_length(middle_of(mesh, best)) ? i : best;
    }
    return best;
}

// The sheet, and the thread whose lower end is `below` under it.
static bool begin_sewing(cg_dae_rig_sewing *sewing, const cg_dae_def *def, int controls, int nodes, double below,
                         cg_report *report)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue_def sheet = cg_dae_rig_sheet_def(nodes, 5e-3 * (nodes - 1), true);
    cg_tissue *tissue = NULL;
    *sewing = (cg_dae_rig_sewing){.abscissa = -1, .dae = cg_dae_rig_open(def, report)};
    if (!sewing->dae || !cg_dae_rig_good(cg_tissue_create(&sheet, &allocator, &tissue), report)) {
        return false;
    }
    sewing->triangle = middle_triangle(tissue->mesh);
    cg_vec3 middle = middle_of(tissue->mesh, sewing->triangle);
    bool is_good = cg_dae_rig_good(cg_dae_add_sheet(sewing->dae, tissue->mesh, 2, 2e-3, &sewing->sheet), report) &&
                   add_thread(sewing, controls, middle, below, report);
    cg_tissue_destroy(tissue);
    return is_good;
}

bool cg_dae_rig_sew(cg_dae_rig_sewing *sewing, const cg_dae_def *def, int controls, int nodes, bool has_stitch,
                    cg_report *report)
{
    const double below = 0.06, weights[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0};
    bool is_good = begin_sewing(sewing, def, controls, nodes, below, report);
    double u = CG_BSPLINE_FIRST + below / 0.2 * cg_bspline_spans(controls);
    if (is_good && has_stitch) {
        is_good = cg_dae_rig_good(cg_dae_add_stitch(sewing->dae, sewing->thread, u, sewing->sheet, sewing->triangle,
                                                    weights, 3, &sewing->abscissa),
                                  report);
    }
    return is_good && cg_dae_rig_good(cg_dae_prepare(sewing->dae), report);
}

bool cg_dae_rig_sew_above(cg_dae_rig_sewing *sewing, const cg_dae_def *def, int controls, int nodes, double above,
                          cg_report *report)
{
    if (!begin_sewing(sewing, def, controls, nodes, -above, report)) {
        return false;
    }
    double last = cg_bspline_last(controls);
    return cg_dae_rig_good(cg_dae_add_direction(sewing->dae, sewing->thread, last, v3(0, 0, 1), 3), report);
}

void cg_dae_rig_draw(const cg_dae_rig_sewing *sewing, double time)
{
    cg_vec3 speed = v3(0.03, 0, 0.05);
    cg_dae_drive(sewing->dae, sewing->hold, v3_add_scaled(sewing->top, time, speed), speed, v3_zero());
}
