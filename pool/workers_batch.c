#include <catgut/workers_batch.h>
#include <stdlib.h>

// The work of one world: one piece, which knows its number.
typedef struct place {
    cg_work work;
    cg_worlds_piece *piece;
    void *context;
    size_t number;
} place;

struct cg_workers_batch {
    cg_workers *workers;
    place *places;
};

bool cg_workers_batch_create(cg_workers *workers, size_t world_count, cg_workers_batch **out)
{
    cg_workers_batch *runs = calloc(1, sizeof *runs);
    *out = NULL;
    if (runs == NULL) {
        return false;
    }
    runs->workers = workers;
    runs->places = calloc(world_count > 0 ? world_count : 1, sizeof *runs->places);
    if (runs->places == NULL) {
        free(runs);
        return false;
    }
    *out = runs;
    return true;
}

void cg_workers_batch_destroy(cg_workers_batch *runs)
{
    if (runs != NULL) {
        free(runs->places);
        free(runs);
    }
}

static void run(void *context, size_t count, cg_worlds_piece *piece, void *work)
{
    const cg_workers_batch *runs = context;
    cg_workers_run(runs->workers, count, piece, work);
}

static void do_place(void *context, size_t number)
{
    const place *one = context;
    (void)number; // there is one
    one->piece(one->context, one->number);
}

static void begin(void *context, cg_worlds_piece *piece, void *work, size_t number)
{
    const cg_workers_batch *runs = context;
    place *one = &runs->places[number];
    *one = (place){.piece = piece, .context = work, .number = number};
    one->work = (cg_work){.piece = do_place, .context = one, .count = 1};
    if (runs->workers == NULL) {
        do_place(one, 0);
        return;
    }
    cg_workers_begin(runs->workers, &one->work);
}

static void wait_for(void *context, size_t number)
{
    const cg_workers_batch *runs = context;
    if (runs->workers != NULL) {
        cg_workers_wait(runs->workers, &runs->places[number].work);
    }
}

cg_worlds_runner cg_workers_batch_runner(cg_workers_batch *runs)
{
    return (cg_worlds_runner){.run = run, .begin = begin, .wait = wait_for, .context = runs};
}
