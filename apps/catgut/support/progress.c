#define _POSIX_C_SOURCE 200809L

#include "support/progress.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static const double FIRST_AFTER = 1.0, EVERY = 0.2; // [s]

double cg_wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cg_progress cg_progress_begin(FILE *err)
{
    cg_progress progress = {.begun = cg_wall_clock()};
    progress.err = err == stderr && isatty(fileno(stderr)) ? err : NULL;
    progress.next = progress.begun + FIRST_AFTER;
    return progress;
}

void cg_progress_show(cg_progress *progress, double done, double total)
{
    if (!progress->err) {
        return;
    }
    double now = cg_wall_clock();
    if (now < progress->next) {
        return;
    }
    progress->next = now + EVERY;
    progress->shown = true;
    double pace = done / (now - progress->begun);
    fprintf(progress->err, "\r%.2f s of %.2f s simulated, %.1f times real time, %.0f s left\x1b[K", done, total, pace,
            pace > 0 ? (total - done) / pace : 0);
    fflush(progress->err);
}

void cg_progress_end(cg_progress *progress)
{
    if (progress->shown) {
        fputs("\r\x1b[K", progress->err);
        fflush(progress->err);
    }
    progress->shown = false;
}

static volatile sig_atomic_t interrupted;
static struct sigaction before_interrupt, before_terminate;

static void note_interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL); // who asks twice does not want to wait
}

void cg_interrupts_begin(void)
{
    interrupted = 0;
    struct sigaction action = {.sa_handler = note_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before_interrupt);
    sigaction(SIGTERM, &action, &before_terminate);
}

bool cg_was_interrupted(void)
{
    return interrupted != 0;
}

void cg_interrupts_end(void)
{
    sigaction(SIGINT, &before_interrupt, NULL);
    sigaction(SIGTERM, &before_terminate, NULL);
}
