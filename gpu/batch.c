// Batches, whatever works for them: memory, what goes in and out, masks.
#include "gpu/backend.h"

#include "base/status.h"
#include "gpu/laws.h"

enum { MOST_WORLDS = 1000000, MOST_SIDE = 4096, PIECE_WORLDS = 256, MOST_PASSES = 100 };

struct cg_gpu {
    const cg_gpu_backend *backend;
    void *state;
    char name[160];
};

struct cg_batch {
    cg_gpu *gpu;
    cg_gpu_view view;
    void *memory;
    void *first_state; // as it was set
    cg_gpu_sizes sizes;
    void *staging; // laws or vectors of PIECE_WORLDS worlds
    bool has_laws;
};

bool cg_gpu_is_built(void)
{
    return cg_gpu_device() != NULL;
}

cg_status cg_gpu_open(const cg_gpu_def *def, cg_gpu **gpu)
{
    *gpu = NULL;
    const cg_gpu_backend *backend = def->where == CG_GPU_DEVICE ? cg_gpu_device() : &cg_gpu_processor;
    if (backend == NULL) {
        return cg_error(CG_BAD_INPUT, "this program was built without CUDA: it can use no graphics processor");
    }
    cg_gpu *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a device");
    }
    made->backend = backend;
    cg_status status = backend->open(def, &made->state, made->name, sizeof made->name);
    if (status.code != CG_OK) {
        free(made);
        return status;
    }
    *gpu = made;
    return status;
}

void cg_gpu_close(cg_gpu *gpu)
{
    if (gpu != NULL) {
        gpu->backend->close(gpu->state);
        free(gpu);
    }
}

const char *cg_gpu_name(const cg_gpu *gpu)
{
    return gpu->name;
}

static cg_status check_def(const cg_batch_def *def)
{
    if (def->worlds < 1 || def->worlds > MOST_WORLDS) {
        return cg_error(CG_BAD_INPUT, "a batch of %d worlds; it must be 1 to %d", def->worlds, MOST_WORLDS);
    }
    if (def->kind == CG_GPU_CLOTH &&
        (def->columns < 2 || def->rows < 2 || def->columns > MOST_SIDE || def->rows > MOST_SIDE)) {
        return cg_error(CG_BAD_INPUT, "a cloth of %d x %d nodes; each side has 2 to %d", def->columns, def->rows,
                        MOST_SIDE);
    }
    if (def->kind == CG_GPU_SPRINGS && (def->points < 2 || def->points > MOST_SIDE * MOST_SIDE)) {
        return cg_error(CG_BAD_INPUT, "a thread of %d points; it has 2 to %d", def->points, MOST_SIDE * MOST_SIDE);
    }
    if (def->kind == CG_GPU_RODS &&
        (def->points < 6 || def->points > MOST_SIDE || def->passes < 1 || def->passes > MOST_PASSES)) {
        return cg_error(CG_BAD_INPUT, "a rod of %d vertices, in %d passes; it has 6 to %d, and 1 to %d passes",
                        def->points, def->passes, MOST_SIDE, MOST_PASSES);
    }
    return cg_ok();
}

static size_t rounded(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static size_t scratch_of(const cg_batch_def *def, const cg_gpu_sizes *sizes)
{
    if (def->kind == CG_GPU_CLOTH) {
        cg_cloth_law law = {.columns = def->columns, .rows = def->rows};
        return (size_t)cg_cloth_scratch_vectors(&law) * sizes->vector +
               (size_t)cg_cloth_scratch_numbers(&law) * sizes->number;
    }
    if (def->kind == CG_GPU_RODS) {
        return (size_t)cg_rod_lay_out(def->points).count * sizes->number;
    }
    return 3 * (size_t)def->points * sizes->vector;
}

// One block of memory: laws, state, state as it was set, marks, scratch.
static cg_status take_memory(cg_batch *batch, const cg_batch_def *def)
{
    cg_gpu_view *view = &batch->view;
    size_t worlds = (size_t)def->worlds, nodes = (size_t)view->nodes;
    size_t law_bytes = rounded(worlds * batch->sizes.law),
           state_bytes = rounded(worlds * 2 * nodes * batch->sizes.vector);
    size_t mark_bytes = rounded(worlds * nodes);
    view->scratch_bytes = rounded(scratch_of(def, &batch->sizes));
    // rods stand side by side in groups, the last of which may not be full
    size_t rooms =
        def->kind == CG_GPU_RODS ? (worlds + CG_RODS_A_GROUP - 1) / CG_RODS_A_GROUP * CG_RODS_A_GROUP : worlds;
    cg_status status = batch->gpu->backend->take(
        batch->gpu->state, law_bytes + 2 * state_bytes + mark_bytes + rooms * view->scratch_bytes, &batch->memory);
    if (status.code == CG_OK) {
        char *at = batch->memory;
        view->laws = at;
        view->state = at + law_bytes;
        batch->first_state = at + law_bytes + state_bytes;
        view->fixed = (unsigned char *)at + law_bytes + 2 * state_bytes;
        view->scratch = at + law_bytes + 2 * state_bytes + mark_bytes;
    }
    return status;
}

cg_status cg_batch_make(cg_gpu *gpu, const cg_batch_def *def, cg_batch **batch)
{
    *batch = NULL;
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    cg_batch *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a batch");
    }
    made->gpu = gpu;
    made->sizes = def->is_float ? cg_gpu_sizes_float() : cg_gpu_sizes_double();
    made->view =
        (cg_gpu_view){.kind = def->kind, .is_float = def->is_float, .worlds = def->worlds, .passes = def->passes + 1};
    made->view.nodes = def->kind == CG_GPU_CLOTH ? def->columns * def->rows : def->points;
    size_t piece = def->worlds < PIECE_WORLDS ? (size_t)def->worlds : PIECE_WORLDS;
    size_t most = 2 * (size_t)made->view.nodes * made->sizes.vector;
    made->staging = malloc(piece * (most > made->sizes.law ? most : made->sizes.law));
    status = made->staging != NULL ? take_memory(made, def) : cg_error(CG_OUT_OF_MEMORY, "no memory for a batch");
    if (status.code != CG_OK) {
        free(made->staging);
        free(made);
        return status;
    }
    *batch = made;
    return status;
}

void cg_batch_destroy(cg_batch *batch)
{
    if (batch != NULL) {
        batch->gpu->backend->give(batch->gpu->state, batch->memory);
        free(batch->staging);
        free(batch);
    }
}

int cg_batch_nodes(const cg_batch *batch)
{
    return batch->view.nodes;
}

// The next worlds that a mask names, at most PIECE_WORLDS: their first, and how many.
static int next_piece(const cg_batch *batch, const unsigned char *mask, int *first)
{
    int worlds = batch->view.worlds, count = 0;
    while (*first < worlds && mask != NULL && !mask[*first]) {
        ++*first;
    }
    while (*first + count < worlds && count < PIECE_WORLDS && (mask == NULL || mask[*first + count])) {
        count++;
    }
    return count;
}

// What all kinds have.
typedef struct common_law {
    int nodes, hand;
    double mass, step;
} common_law;

static common_law common_of(cg_gpu_kind kind, const cg_gpu_law *law)
{
    switch (kind) {
    case CG_GPU_CLOTH:
        return (common_law){law->cloth.columns * law->cloth.rows, law->cloth.hand, law->cloth.mass, law->cloth.step};
    case CG_GPU_SPRINGS:
        return (common_law){law->springs.points, law->springs.hand, law->springs.mass, law->springs.step};
    case CG_GPU_RODS:
    default:
        return (common_law){law->rod.vertices, -1, law->rod.mass, law->rod.step};
    }
}

static cg_status check_law(const cg_batch *batch, const cg_batch_values *values, int world)
{
    const cg_gpu_view *view = &batch->view;
    const cg_gpu_law *law = &values->laws[world];
    common_law common = common_of(view->kind, law);
    if (common.nodes != view->nodes || common.hand >= common.nodes) {
        return cg_error(CG_BAD_INPUT, "world %d has %d nodes and a hand at %d; the batch was made for %d", world,
                        common.nodes, common.hand, view->nodes);
    }
    if (!(common.mass > 0 && common.step > 0 && common.mass < 1e12 && common.step < 1e3)) {
        return cg_error(CG_BAD_INPUT, "world %d has nodes of %g kg and steps of %g s; both must be above 0", world,
                        common.mass, common.step);
    }
    if (view->kind == CG_GPU_RODS &&
        (law->rod.passes < 1 || law->rod.passes >= view->passes || !(law->rod.length > 0))) {
        return cg_error(CG_BAD_INPUT, "world %d has segments of %g m and %d passes; the batch was made for %d", world,
                        law->rod.length, law->rod.passes, view->passes - 1);
    }
    return cg_ok();
}

static cg_status set_laws(cg_batch *batch, const cg_batch_values *values, int first, int count)
{
    for (int k = 0; k < count; k++) {
        cg_status status = check_law(batch, values, first + k);
        if (status.code != CG_OK) {
            return status;
        }
        cg_gpu_numbers numbers;
        cg_gpu_flatten(batch->view.kind, &values->laws[first + k], &numbers);
        void *law = (char *)batch->staging + (size_t)k * batch->sizes.law;
        memset(law, 0, batch->sizes.law);
        (batch->view.is_float ? cg_gpu_put_law_float : cg_gpu_put_law_double)(batch->view.kind, &numbers, law);
    }
    return batch->gpu->backend->write(batch->gpu->state, (char *)batch->view.laws + (size_t)first * batch->sizes.law,
                                      batch->staging, (size_t)count * batch->sizes.law);
}

// Of one world: places or velocities.
static cg_status set_vectors(cg_batch *batch, const cg_vec3 *vectors, int world, int half)
{
    size_t nodes = (size_t)batch->view.nodes, bytes = nodes * batch->sizes.vector;
    const cg_gpu_number *from = &vectors[(size_t)world * nodes].x;
    (batch->view.is_float ? cg_gpu_put_vectors_float : cg_gpu_put_vectors_double)(from, nodes, batch->staging);
    size_t at = (2 * (size_t)world + (size_t)half) * bytes;
    cg_status status =
        batch->gpu->backend->write(batch->gpu->state, (char *)batch->view.state + at, batch->staging, bytes);
    return status.code != CG_OK ? status
                                : batch->gpu->backend->copy(batch->gpu->state, (char *)batch->first_state + at,
                                                            (char *)batch->view.state + at, bytes);
}

static cg_status set_piece(cg_batch *batch, const cg_batch_values *values, int first, int count)
{
    cg_status status = values->laws != NULL ? set_laws(batch, values, first, count) : cg_ok();
    for (int world = first; world < first + count && status.code == CG_OK; world++) {
        if (values->places != NULL) {
            status = set_vectors(batch, values->places, world, 0);
        }
        if (values->velocities != NULL && status.code == CG_OK) {
            status = set_vectors(batch, values->velocities, world, 1);
        }
    }
    size_t nodes = (size_t)batch->view.nodes;
    if (values->fixed != NULL && status.code == CG_OK) {
        status = batch->gpu->backend->write(batch->gpu->state, batch->view.fixed + (size_t)first * nodes,
                                            values->fixed + (size_t)first * nodes, (size_t)count * nodes);
    }
    return status;
}

cg_status cg_batch_set(cg_batch *batch, const unsigned char *mask, const cg_batch_values *values)
{
    cg_status status = cg_ok();
    int first = 0, count;
    while (status.code == CG_OK && (count = next_piece(batch, mask, &first)) > 0) {
        status = set_piece(batch, values, first, count);
        first += count;
    }
    batch->has_laws = batch->has_laws || (mask == NULL && values->laws != NULL);
    return status;
}

cg_status cg_batch_step(cg_batch *batch, int steps)
{
    if (!batch->has_laws) {
        return cg_error(CG_BAD_INPUT, "a batch steps before all its worlds have laws");
    }
    return steps > 0 ? batch->gpu->backend->step(batch->gpu->state, &batch->view, steps) : cg_ok();
}

cg_status cg_batch_touch(cg_batch *batch, const cg_gpu_hand *hand, cg_gpu_held *held)
{
    if (!batch->has_laws || batch->view.worlds != 1 || batch->view.kind == CG_GPU_RODS) {
        return cg_error(CG_BAD_INPUT, "a hand touches a batch of one world that has a law, and no rod");
    }
    return batch->gpu->backend->touch(batch->gpu->state, &batch->view, hand, held);
}

static cg_status read_world(cg_batch *batch, int world, int half, cg_vec3 *to)
{
    size_t nodes = (size_t)batch->view.nodes, bytes = nodes * batch->sizes.vector;
    const char *from = (const char *)batch->view.state + (2 * (size_t)world + (size_t)half) * bytes;
    cg_status status = batch->gpu->backend->read(batch->gpu->state, batch->staging, from, bytes);
    if (status.code == CG_OK) {
        (batch->view.is_float ? cg_gpu_get_vectors_float : cg_gpu_get_vectors_double)(batch->staging, nodes, &to->x);
    }
    return status;
}

cg_status cg_batch_read(cg_batch *batch, int first, int count, cg_vec3 *places, cg_vec3 *velocities)
{
    if (first < 0 || count < 0 || first > batch->view.worlds - count) {
        return cg_error(CG_BAD_INPUT, "worlds %d to %d of a batch of %d", first, first + count - 1, batch->view.worlds);
    }
    cg_status status = cg_ok();
    size_t nodes = (size_t)batch->view.nodes;
    for (int k = 0; k < count && status.code == CG_OK; k++) {
        if (places != NULL) {
            status = read_world(batch, first + k, 0, places + (size_t)k * nodes);
        }
        if (velocities != NULL && status.code == CG_OK) {
            status = read_world(batch, first + k, 1, velocities + (size_t)k * nodes);
        }
    }
    return status;
}

static cg_status read_number(cg_batch *batch, const void *from, double *number)
{
    float coarse = 0;
    void *to = batch->view.is_float ? (void *)&coarse : (void *)number;
    cg_status status = batch->gpu->backend->read(batch->gpu->state, to, from, batch->sizes.number);
    *number = batch->view.is_float ? (double)coarse : *number;
    return status;
}

cg_status cg_batch_passes(cg_batch *batch, int world, double *all, double *most)
{
    const cg_gpu_view *view = &batch->view;
    if (view->kind != CG_GPU_RODS || world < 0 || world >= view->worlds) {
        return cg_error(CG_BAD_INPUT, "world %d is no rod of this batch", world);
    }
    size_t group = (size_t)(world / CG_RODS_A_GROUP), slot = (size_t)(world % CG_RODS_A_GROUP);
    size_t state = (size_t)cg_rod_lay_out(view->nodes).state, row = CG_RODS_A_GROUP * batch->sizes.number;
    const char *rods = (const char *)view->scratch + group * CG_RODS_A_GROUP * view->scratch_bytes;
    const char *at = rods + slot * batch->sizes.number + state * row;
    cg_status status = read_number(batch, at + CG_ROD_ALL_PASSES * row, all);
    return status.code == CG_OK ? read_number(batch, at + CG_ROD_MOST_PASSES * row, most) : status;
}

cg_status cg_batch_wait(cg_batch *batch)
{
    return batch->gpu->backend->wait(batch->gpu->state);
}

cg_status cg_batch_reset(cg_batch *batch, const unsigned char *mask)
{
    cg_status status = cg_ok();
    size_t bytes = 2 * (size_t)batch->view.nodes * batch->sizes.vector;
    int first = 0, count;
    while (status.code == CG_OK && (count = next_piece(batch, mask, &first)) > 0) {
        status = batch->gpu->backend->copy(batch->gpu->state, (char *)batch->view.state + (size_t)first * bytes,
                                           (char *)batch->first_state + (size_t)first * bytes, (size_t)count * bytes);
        first += count;
    }
    return status;
}
