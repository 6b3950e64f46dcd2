// Batches on the calling thread.
#include "gpu/backend.h"

#include "base/status.h"

typedef struct processor {
    cg_gpu_order order;
    unsigned long long touched;
} processor;

static cg_status processor_open(const cg_gpu_def *def, void **state, char *name, size_t size)
{
    processor *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a processor's batches");
    }
    made->order = (cg_gpu_order){def->order, def->lanes > 0 ? def->lanes : 1};
    snprintf(name, size, "this processor, one thread");
    *state = made;
    return cg_ok();
}

static void processor_close(void *state)
{
    free(state);
}

static cg_status processor_take(void *state, size_t bytes, void **memory)
{
    (void)state;
    *memory = calloc(1, bytes);
    return *memory != NULL ? cg_ok() : cg_error(CG_OUT_OF_MEMORY, "no memory for a batch: %zu bytes", bytes);
}

static void processor_give(void *state, void *memory)
{
    (void)state;
    free(memory);
}

static cg_status processor_copy(void *state, void *to, const void *from, size_t bytes)
{
    (void)state;
    memcpy(to, from, bytes);
    return cg_ok();
}

static cg_status run(processor *state, const cg_gpu_view *view, int steps, const cg_gpu_hand *hand, cg_gpu_held *held)
{
    // Each run has an order of its own.
    state->order.seed += state->order.seed != 0;
    return view->is_float ? cg_gpu_run_float(view, steps, &state->order, hand, held)
                          : cg_gpu_run_double(view, steps, &state->order, hand, held);
}

static cg_status processor_step(void *state, const cg_gpu_view *view, int steps)
{
    return run(state, view, steps, NULL, NULL);
}

static cg_status processor_touch(void *state, const cg_gpu_view *view, const cg_gpu_hand *hand, cg_gpu_held *held)
{
    processor *own = state;
    held->step = own->touched;
    cg_status status = run(own, view, 1, hand, held);
    own->touched = held->step;
    return status;
}

static cg_status processor_wait(void *state)
{
    (void)state;
    return cg_ok();
}

const cg_gpu_backend cg_gpu_processor = {
    .open = processor_open,
    .close = processor_close,
    .take = processor_take,
    .give = processor_give,
    .write = processor_copy,
    .read = processor_copy,
    .copy = processor_copy,
    .step = processor_step,
    .touch = processor_touch,
    .wait = processor_wait,
};
