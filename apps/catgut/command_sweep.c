// catgut sweep: runs a design of many runs and writes one table.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <catgut/workers.h>

#include "app.h"
#include "support/arguments.h"
#include "support/progress.h"
#include "sweep/sweep.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_sweep = {
    .name = "sweep",
    .usage = "DESIGN -o TABLE [--workers N] [--plain] [--force] [--slurm]",
    .summary = "run a scene many times, with other fields, seeds and scripts",
    .help =
        "DESIGN is a JSON file (docs/sweeps.md): a scene or task, fields of the scene by JSON pointer with all their\n"
        "values (grid) or the bounds between which they are drawn (random), seeds, scripts. One row a run.\n\n"
        "  -o TABLE           a file of SQLite, or CSV when it ends in .csv (rows in order of their number)\n"
        "  --workers N        runs at once; default 1\n"
        "  --plain            CSV without the columns of host and seconds, which differ from run to run\n"
        "  --force            write over a .csv that is no table of ours\n"
        "  --slurm            print a job file that runs the design on many machines, and run nothing\n\n"
        "Ended in the middle, the same command goes on where it was: no finished row is lost. catgut-sweep-mpi takes "
        "the\n"
        "same words and hands rows to the ranks of MPI.\n\n"
        "Examples:\n"
        "  catgut sweep friction.json -o friction.csv --workers 2\n"
        "  mpirun -n 16 catgut-sweep-mpi friction.json -o friction.csv\n"
        "  catgut sweep friction.json -o friction.csv --slurm > job.sh && sbatch job.sh\n",
    .run = run,
};

// Runs at once: pieces take rows until there is none.
typedef struct shared {
    cg_sweep_job *job;
    pthread_mutex_t lock;
    bool failed;
    FILE *err;
} shared;

static void run_rows(void *context, size_t number)
{
    shared *all = context;
    cg_sweep_result *result = malloc(sizeof *result);
    (void)number;
    pthread_mutex_lock(&all->lock);
    while (result != NULL && !all->failed && !cg_was_interrupted()) {
        int64_t row = cg_sweep_job_take(all->job);
        if (row < 0) {
            break;
        }
        pthread_mutex_unlock(&all->lock);
        cg_sweep_run(&all->job->sweep, row, result);
        pthread_mutex_lock(&all->lock);
        // A run that was broken off is none.
        all->failed = all->failed || (!cg_was_interrupted() && !cg_sweep_job_put(all->job, result, all->err));
    }
    all->failed = all->failed || result == NULL;
    pthread_mutex_unlock(&all->lock);
    free(result);
}

static bool run_all(cg_sweep_job *job, int workers, FILE *err)
{
    cg_workers *pool;
    shared all = {.job = job, .err = err};
    if (!cg_workers_create(workers - 1, &pool)) {
        fputs("catgut sweep: the system has no more threads\n", err);
        return false;
    }
    pthread_mutex_init(&all.lock, NULL);
    cg_workers_run(pool, (size_t)workers, run_rows, &all);
    pthread_mutex_destroy(&all.lock);
    cg_workers_destroy(pool);
    return !all.failed;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    cg_sweep_job job = {0};
    const char *workers = NULL;
    bool slurm = false;
    double number = 1;
    const cg_option list[] = {
        {.name = "-o", .value = &job.out},       {.name = "--workers", .value = &workers},
        {.name = "--plain", .flag = &job.plain}, {.name = "--force", .flag = &job.force},
        {.name = "--slurm", .flag = &slurm},
    };
    cg_arguments arguments = {.command = "sweep",
                              .options = list,
                              .option_count = (int)(sizeof list / sizeof list[0]),
                              .max_words = 1,
                              .words = &job.design};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (job.design == NULL || job.out == NULL) {
        fputs("catgut sweep: expected a design and -o with the name of a table\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    if (workers != NULL &&
        (!cg_read_number(workers, &number) || !(number >= 1 && number <= 1024) || number != (double)(int)number)) {
        fprintf(err, "catgut sweep: found --workers \"%s\", expected 1 to 1024\n", workers);
        return CG_EXIT_BAD_INPUT;
    }
    if (slurm) {
        cg_sweep_write_slurm(job.design, job.out, out);
        return CG_EXIT_DONE;
    }
    if (!cg_sweep_job_begin(&job, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    cg_interrupts_begin();
    bool good = run_all(&job, (int)number, err);
    cg_interrupts_end();
    int code = cg_sweep_job_end(&job, out, err);
    return good ? code : CG_EXIT_BAD_RESULT;
}
