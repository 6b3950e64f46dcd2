#include "gpu/setup.h"

#include "base/status.h"

static const double SIDE = 0.5, CLOTH_MASS = 0.2, GRAVITY = 9.81;

static cg_status take(cg_gpu_setup *setup, int nodes)
{
    setup->nodes = nodes;
    setup->places = calloc((size_t)nodes, sizeof *setup->places);
    setup->fixed = calloc((size_t)nodes, 1);
    if (setup->places == NULL || setup->fixed == NULL) {
        cg_setup_free(setup);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a world of %d nodes", nodes);
    }
    return cg_ok();
}

void cg_setup_free(cg_gpu_setup *setup)
{
    free(setup->places);
    free(setup->fixed);
    setup->places = NULL;
    setup->fixed = NULL;
}

cg_status cg_setup_cloth(int columns, int rows, double step, cg_gpu_setup *setup)
{
    *setup = (cg_gpu_setup){0};
    cg_cloth_law *law = &setup->law.cloth;
    double a = SIDE / (columns - 1), b = SIDE / (rows - 1);
    int hand = columns * rows - 1;
    *law = (cg_cloth_law){.columns = columns,
                          .rows = rows,
                          .odd = 1,
                          .across = a,
                          .along = b,
                          .slant = sqrt(a * a + b * b),
                          .stiffness = 50,
                          .mass = CLOTH_MASS / (columns * rows),
                          .step = step,
                          .damping = 0.001,
                          .drag = 0.5,
                          .most_stretch = 1.1,
                          .gravity = v3(0, 0, -GRAVITY),
                          .ball = v3(0, 0.1, -0.25),
                          .ball_radius = 0.1,
                          .friction = 0.3,
                          .has_fixed = 1,
                          .hand = hand,
                          .hand_spring = 20,
                          .hand_damper = 0.05,
                          .is_turned = 1};
    cg_status status = take(setup, columns * rows);
    for (int i = 0; i < setup->nodes && status.code == CG_OK; i++) {
        setup->places[i] = v3(a * (i % columns) - SIDE / 2, b * (i / columns) - SIDE / 2, 0);
    }
    if (status.code == CG_OK) {
        setup->fixed[0] = setup->fixed[columns - 1] = 1;
        law->hand_place = setup->places[hand];
    }
    return status;
}

cg_status cg_setup_hung_cloth(int columns, int rows, double step, cg_gpu_setup *setup)
{
    cg_status status = cg_setup_cloth(columns, rows, step, setup);
    for (int i = 0; i < setup->nodes && status.code == CG_OK; i++) {
        double down = setup->places[i].y + SIDE / 2;
        setup->places[i] = v3(setup->places[i].x, 0.1 * down, -down);
    }
    setup->law.cloth.ball_radius = 0;
    setup->law.cloth.hand = -1;
    return status;
}

cg_status cg_setup_springs(int points, int model, double step, cg_gpu_setup *setup)
{
    *setup = (cg_gpu_setup){0};
    double l = SIDE / (points - 1), m = 0.05, h = step;
    // Each with a share of the largest explicit step, w^2 h^2 + 2 g h <= 4 (cg_mass_spring_largest_step).
    setup->law.springs = (cg_spring_law){.points = points,
                                         .model = model,
                                         .mass = m,
                                         .rest_length = l,
                                         .linear_spring = 0.25 * l * m / (h * h),
                                         .quadratic_spring = 2.5 * l * m / (h * h),
                                         .linear_damper = 0.05 * m / h,
                                         .torsional_spring = 0.1 * l * l * m / (h * h),
                                         .torsional_damper = 0.01 * l * l * m / h,
                                         .swivel_damper = 0.01 * l * m / h,
                                         .step = step,
                                         .drag = 0.1,
                                         .gravity = v3(0, 0, -GRAVITY),
                                         .radius = 0.001,
                                         .floor = -2,
                                         .has_floor = 1,
                                         .friction = 0.3,
                                         .hand = points - 1,
                                         .hand_spring = 200,
                                         .hand_damper = 1};
    cg_status status = take(setup, points);
    for (int i = 0; i < points && status.code == CG_OK; i++) {
        setup->places[i] = v3(l * i, 0, 0);
    }
    if (status.code == CG_OK) {
        setup->fixed[0] = 1;
        setup->law.springs.hand_place = setup->places[points - 1];
    }
    return status;
}

cg_status cg_setup_rod(int vertices, int passes, bool all_passes, double step, cg_gpu_setup *setup)
{
    *setup = (cg_gpu_setup){0};
    double radius = 0.15e-3, young = 2e9, length = 1e-3, pi = 3.14159265358979323846, area = pi * radius * radius;
    setup->law.rod = (cg_rod_law){.vertices = vertices,
                                  .passes = passes,
                                  .all_passes = all_passes,
                                  .is_held = 1,
                                  .length = length,
                                  .stretch = young * area,
                                  .bend = young * area * radius * radius / 4,
                                  .mass = 1100 * area * length,
                                  .step = step,
                                  .drag = 1,
                                  .gravity = v3(0, 0, -GRAVITY),
                                  .push = v3(0, 2e-4, 0)};
    cg_status status = take(setup, vertices);
    for (int i = 0; i < vertices && status.code == CG_OK; i++) {
        setup->places[i] = v3(length * i, 0, 0);
    }
    return status;
}

cg_status cg_setup_batch(cg_gpu *gpu, const cg_gpu_setup *setup, cg_gpu_kind kind, int worlds, bool is_float,
                         cg_batch **batch)
{
    const cg_cloth_law *cloth = &setup->law.cloth;
    cg_batch_def def = {.kind = kind, .is_float = is_float, .worlds = worlds, .points = setup->nodes};
    def.passes = kind == CG_GPU_RODS ? setup->law.rod.passes : 0;
    def.columns = kind == CG_GPU_CLOTH ? cloth->columns : 0;
    def.rows = kind == CG_GPU_CLOTH ? cloth->rows : 0;
    cg_status status = cg_batch_make(gpu, &def, batch);
    size_t count = (size_t)worlds, nodes = (size_t)setup->nodes;
    cg_gpu_law *laws = calloc(count, sizeof *laws);
    cg_vec3 *places = calloc(count * nodes, sizeof *places);
    unsigned char *fixed = calloc(count * nodes, 1);
    if (status.code == CG_OK && (laws == NULL || places == NULL || fixed == NULL)) {
        status = cg_error(CG_OUT_OF_MEMORY, "no memory for %d worlds", worlds);
    }
    for (size_t k = 0; k < count && status.code == CG_OK; k++) {
        laws[k] = setup->law;
        memcpy(places + k * nodes, setup->places, nodes * sizeof *places);
        memcpy(fixed + k * nodes, setup->fixed, nodes);
    }
    if (status.code == CG_OK) {
        status = cg_batch_set(*batch, NULL, &(cg_batch_values){.laws = laws, .places = places, .fixed = fixed});
    }
    free(laws);
    free(places);
    free(fixed);
    if (status.code != CG_OK) {
        cg_batch_destroy(*batch);
        *batch = NULL;
    }
    return status;
}
