#include "experiments/tissue_rig.h"

#include <math.h>

cg_tissue_def cg_block_def(double x, double y, double z, double spacing)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(x, y, 0);
    def.layers[0] = (cg_tissue_layer){z, {.young = 100e3, .density = 1000}};
    def.spacing = spacing;
    def.fix_bottom = false;
    def.iterations = 100; // on the way to rest these are well spent
    return def;
}

cg_tissue *cg_rig_make_tissue(const cg_tissue_def *def, cg_report *report)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    cg_status status = cg_tissue_create(def, &allocator, &tissue);
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
    }
    return tissue;
}

bool cg_rig_settle_tissue(cg_tissue *tissue, double time_step, cg_vec3 gravity, int most, cg_report *report)
{
    for (int step = 0; step < most; step++) {
        cg_tissue_step(tissue, time_step, gravity);
        if (tissue->asleep) {
            return true;
        }
    }
    cg_report_trouble(report, "no rest after %d steps", most);
    return false;
}

double cg_rig_along(cg_vec3 v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

cg_vec3 cg_rig_reaction(const cg_tissue *tissue, int axis, double from)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        if (cg_rig_along(tissue->mesh->home[i], axis) > from) {
            sum = v3_add(sum, tissue->reaction[i]);
        }
    }
    return sum;
}

int cg_rig_node_at(const cg_tissue *tissue, cg_vec3 home)
{
    int best = 0;
    for (int i = 1; i < tissue->mesh->node_count; i++) {
        bool nearer = v3_distance(tissue->mesh->home[i], home) < v3_distance(tissue->mesh->home[best], home);
        best = nearer ? i : best;
    }
    return best;
}

double cg_rig_widest_gap(const cg_tissue *tissue)
{
    const cg_mesh *mesh = tissue->mesh;
    double widest = 0;
    for (int i = 0; i < mesh->node_count; i++) {
        for (int j = i + 1; j < mesh->node_count; j++) {
            if (v3_distance(mesh->home[i], mesh->home[j]) < 1e-9) {
                widest = fmax(widest, v3_distance(mesh->position[i], mesh->position[j]));
            }
        }
    }
    return widest;
}
