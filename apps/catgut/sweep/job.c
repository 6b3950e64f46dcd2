// What `catgut sweep` and `catgut-sweep-mpi` do alike.
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "support/out_file.h"
#include "support/progress.h"
#include "support/scene_files.h"
#include "sweep/sweep.h"

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

bool cg_sweep_job_begin(cg_sweep_job *job, FILE *err)
{
    cg_scene_error error;
    char why[CG_OUT_WHY_BYTES];
    job->is_csv = ends_in(job->out, ".csv");
    int length = snprintf(job->store, sizeof job->store, "%s%s", job->out, job->is_csv ? ".rows" : "");
    if (length < 0 || length >= (int)sizeof job->store) {
        fprintf(err, "catgut sweep: the name of the table is too long\n");
        return false;
    }
    if (job->is_csv && !cg_out_may_write(job->out, CG_OUT_CSV, job->force, why)) {
        fprintf(err, "catgut sweep: %s: %s\n", job->out, why);
        return false;
    }
    if (!cg_sweep_load(job->design, &job->sweep, &error)) {
        cg_scene_error_print(&error, err);
        return false;
    }
    job->table = cg_sweep_table_open(job->store, &job->sweep, err);
    if (job->table == NULL) {
        cg_sweep_free(&job->sweep);
        return false;
    }
    job->begun_with = cg_sweep_table_done(job->table);
    job->begun = job->told = cg_wall_clock();
    if (job->begun_with > 0) {
        fprintf(err, "%s: %lld of %lld runs are done already\n", job->store, (long long)job->begun_with,
                (long long)job->sweep.row_count);
    }
    return true;
}

int64_t cg_sweep_job_take(cg_sweep_job *job)
{
    while (job->next < job->sweep.row_count) {
        int64_t row = job->next++;
        if (!cg_sweep_table_has(job->table, row)) {
            return row;
        }
    }
    return -1;
}

// How far it is, every five seconds, and what is left if runs go on taking as long.
static void tell(cg_sweep_job *job, FILE *err)
{
    double now = cg_wall_clock();
    int64_t done = cg_sweep_table_done(job->table);
    if (now - job->told < 5) {
        return;
    }
    job->told = now;
    double each = (now - job->begun) / (double)(done - job->begun_with);
    fprintf(err, "%lld of %lld runs, %.0f s left\n", (long long)done, (long long)job->sweep.row_count,
            each * (double)(job->sweep.row_count - done));
    fflush(err);
}

bool cg_sweep_job_put(cg_sweep_job *job, const cg_sweep_result *result, FILE *err)
{
    bool good = cg_sweep_table_add(job->table, result, err);
    if (good) {
        tell(job, err);
    }
    return good;
}

static bool write_csv(cg_sweep_job *job, FILE *err)
{
    cg_out_file file;
    char why[CG_OUT_WHY_BYTES];
    if (!cg_out_open(&file, job->out, CG_OUT_CSV, job->force, why)) {
        fprintf(err, "catgut sweep: %s: %s\n", job->out, why);
        return false;
    }
    if (!cg_sweep_table_write(job->table, job->plain, file.file) || !cg_out_finish(&file)) {
        cg_out_abandon(&file, false);
        fprintf(err, "catgut sweep: %s could not be written\n", job->out);
        return false;
    }
    return true;
}

int cg_sweep_job_end(cg_sweep_job *job, FILE *out, FILE *err)
{
    int64_t done = cg_sweep_table_done(job->table), all = job->sweep.row_count;
    bool whole = done == all;
    bool good = !whole || !job->is_csv || write_csv(job, err);
    cg_sweep_table_close(job->table);
    cg_sweep_free(&job->sweep);
    if (whole && good && job->is_csv) {
        unlink(job->store);
    }
    if (!whole) {
        fprintf(err, "%s: %lld of %lld runs are done; the same command goes on\n", job->store, (long long)done,
                (long long)all);
        return CG_EXIT_BAD_RESULT;
    }
    if (good) {
        fprintf(out, "%s: %lld runs\n", job->out, (long long)all);
    }
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_RESULT;
}

// A word as the shell reads it.
static void write_quoted(const char *word, FILE *out)
{
    fputc('\'', out);
    for (const char *c = word; *c != '\0'; c++) {
        fputs(*c == '\'' ? "'\\''" : "", out);
        if (*c != '\'') {
            fputc(*c, out);
        }
    }
    fputc('\'', out);
}

void cg_sweep_write_slurm(const char *design, const char *out_path, FILE *out)
{
    fputs("#!/bin/bash\n"
          "#SBATCH --job-name=catgut-sweep\n"
          "#SBATCH --ntasks=16\n"
          "#SBATCH --cpus-per-task=1\n"
          "#SBATCH --time=12:00:00\n"
          "#SBATCH --requeue\n"
          "# Rows are handed out as ranks are free, on any number of machines. A job that was ended goes on where it "
          "was:\n"
          "# submit it again. The first rank writes the table, in a folder that all machines see.\n"
          "set -eu\n"
          "export OMPI_MCA_mpi_yield_when_idle=1\n"
          "srun --mpi=pmix catgut-sweep-mpi ",
          out);
    write_quoted(design, out);
    fputs(" -o ", out);
    write_quoted(out_path, out);
    fputs("\n", out);
}
