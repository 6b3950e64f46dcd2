#define _POSIX_C_SOURCE 200809L // nanosleep

// catgut-sweep-mpi: a sweep on the ranks of MPI, a program of its own so that catgut links no MPI.
//
//     mpirun -n 16 catgut-sweep-mpi DESIGN -o TABLE [--plain] [--force]
//
// The first rank has the table and gives rows out: every rank asks for one when it is free, so that slow machines get
// fewer. Alone it runs them itself; with others it runs rows on a thread of its own, between which it answers. When a
// rank dies MPI ends the job, and the same command goes on: what is in the table is done.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <catgut/workers.h>

#include "app.h"
#include "support/arguments.h"
#include "sweep/sweep.h"

enum { TAG_RESULT = 1, TAG_ROW = 2 };

// The row that the first rank runs itself, beside its answers.
typedef struct own_row {
    const cg_sweep *sweep;
    cg_sweep_result *result;
    int64_t row; // -1: none
    cg_work work;
} own_row;

static void run_own(void *context, size_t number)
{
    own_row *own = context;
    (void)number;
    cg_sweep_run(own->sweep, own->row, own->result);
}

static void begin_own(own_row *own, cg_workers *workers, cg_sweep_job *job)
{
    own->row = cg_sweep_job_take(job);
    if (own->row >= 0) {
        own->work = (cg_work){.piece = run_own, .context = own, .count = 1};
        cg_workers_begin(workers, &own->work);
    }
}

// A rank asks with the result of its last row, whose number is -1 the first time, and gets the next: -1 when all are
// given.
static bool answer(cg_sweep_job *job, cg_sweep_result *result, int *waiting)
{
    MPI_Status from;
    MPI_Recv(result, (int)sizeof *result, MPI_BYTE, MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, &from);
    bool good = result->row < 0 || cg_sweep_job_put(job, result, stderr);
    long long row = good ? cg_sweep_job_take(job) : -1;
    *waiting -= row < 0;
    MPI_Send(&row, 1, MPI_LONG_LONG, from.MPI_SOURCE, TAG_ROW, MPI_COMM_WORLD);
    return good;
}

static void rest(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
}

static bool lead(cg_sweep_job *job, int ranks, cg_sweep_result *result, cg_sweep_result *own_result)
{
    cg_workers *workers;
    own_row own = {.sweep = &job->sweep, .result = own_result};
    int waiting = ranks - 1;
    bool good = cg_workers_create(1, &workers);
    if (!good) {
        fputs("catgut-sweep-mpi: the system has no more threads\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, CG_EXIT_BAD_RESULT);
    }
    begin_own(&own, workers, job);
    while (waiting > 0 || own.row >= 0) {
        int asked = 0;
        if (waiting > 0) {
            MPI_Iprobe(MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, &asked, MPI_STATUS_IGNORE);
        }
        if (asked) {
            good = answer(job, result, &waiting) && good;
        } else if (own.row >= 0 && cg_workers_is_done(workers, &own.work)) {
            cg_workers_wait(workers, &own.work);
            good = cg_sweep_job_put(job, own_result, stderr) && good;
            begin_own(&own, workers, job);
        } else {
            rest();
        }
    }
    cg_workers_destroy(workers);
    return good;
}

static void follow(const cg_sweep *sweep, cg_sweep_result *result)
{
    long long row;
    memset(result, 0, sizeof *result);
    result->row = -1;
    for (;;) {
        MPI_Send(result, (int)sizeof *result, MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
        MPI_Recv(&row, 1, MPI_LONG_LONG, 0, TAG_ROW, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (row < 0) {
            return;
        }
        cg_sweep_run(sweep, row, result);
    }
}

static int run_lead(cg_sweep_job *job, int ranks)
{
    cg_sweep_result *results = calloc(2, sizeof *results);
    // The others read the design once they know that there is a table for it.
    int fine = results != NULL && cg_sweep_job_begin(job, stderr);
    MPI_Bcast(&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int code = CG_EXIT_BAD_INPUT;
    if (fine) {
        bool good = lead(job, ranks, &results[0], &results[1]);
        code = cg_sweep_job_end(job, stdout, stderr);
        code = good ? code : CG_EXIT_BAD_RESULT;
    }
    free(results);
    return code;
}

static int run_follow(cg_sweep_job *job)
{
    cg_scene_error error;
    cg_sweep_result *result = malloc(sizeof *result);
    int fine;
    MPI_Bcast(&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!fine) {
        free(result);
        return CG_EXIT_BAD_INPUT;
    }
    if (result == NULL || !cg_sweep_load(job->design, &job->sweep, &error)) {
        fprintf(stderr, "catgut-sweep-mpi: a rank cannot read %s: %s\n", job->design,
                result ? error.message : "no memory");
        MPI_Abort(MPI_COMM_WORLD, CG_EXIT_BAD_INPUT);
        free(result);
        return CG_EXIT_BAD_INPUT;
    }
    follow(&job->sweep, result);
    cg_sweep_free(&job->sweep);
    free(result);
    return CG_EXIT_DONE;
}

int main(int count, char **words)
{
    cg_sweep_job job = {0};
    int rank, ranks, level;
    const cg_option list[] = {{.name = "-o", .value = &job.out},
                              {.name = "--plain", .flag = &job.plain},
                              {.name = "--force", .flag = &job.force}};
    cg_arguments arguments = {
        .command = "sweep-mpi", .options = list, .option_count = 3, .max_words = 1, .words = &job.design};
    MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int code = CG_EXIT_BAD_INPUT;
    bool fine = cg_arguments_read(&arguments, count - 1, words + 1, stderr);
    if (fine && (job.design == NULL || job.out == NULL)) {
        fputs("usage: catgut-sweep-mpi DESIGN -o TABLE [--plain] [--force]\n", stderr);
        fine = false;
    }
    if (fine) {
        code = rank == 0 ? run_lead(&job, ranks) : run_follow(&job);
    }
    MPI_Finalize();
    return code;
}
