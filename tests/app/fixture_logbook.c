// Writes attempts into a logbook, one after the other, until it is killed, and tells the number of each one that it has
// finished. For test_logbook.c.
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <time.h>

#include "training/logbook.h"

int main(int argc, char **argv)
{
    char why[CG_LOGBOOK_WHY] = "";
    cg_logbook *book = NULL;
    if (argc != 2 || !cg_logbook_open(argv[1], &book, why)) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    for (;;) {
        static cg_score score = {.points = 70, .most = 100, .worst = -1};
        static cg_measures measures;
        const struct timespec pause = {.tv_nsec = 1000000};
        int64_t attempt;
        if (!cg_logbook_begin(book, "ann", "square-knot", 1, &attempt, why)) {
            break;
        }
        for (int i = 0; i < CG_MEASURE_COUNT; i++) {
            measures.of[i] = (cg_measured){.known = true, .value = (double)attempt + i, .at = -1};
        }
        nanosleep(&pause, NULL); // time in which an attempt is under way
        if (!cg_logbook_finish(book, attempt, &score, &measures, NULL, why)) {
            break;
        }
        printf("%lld\n", (long long)attempt);
        fflush(stdout);
    }
    fprintf(stderr, "%s\n", why);
    return 1;
}
