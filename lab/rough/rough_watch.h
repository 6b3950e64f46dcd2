// One world under rough hands, watched from outside: what passed through what, what got stuck, what was told.
#ifndef CATGUT_LAB_ROUGH_WATCH_H
#define CATGUT_LAB_ROUGH_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "rough/rough_world.h"

// [s] of CPU after which a world is given up: a jam in which every step is long would hold up all others.
#define CG_ROUGH_MOST_SECONDS 40

typedef struct cg_rough_result {
    char trouble[200]; // why the world could not be made; empty when it could
    cg_rough_kind kind;
    int stitches;
    bool has_scissors;
    int steps, unfinished;
    int last_unfinished; // in the last tenth of a second
    int crossings;       // of threads with each other, themselves, needles and tools
    double crossed_at;   // [s] the first of them; -1: none
    char crossed[64];    // what they were
    double deepest;      // [m] of a thread in tissue where no hole of it leads in
    double told_pull;    // largest pull told of a segment, over the breaking pull
    double longest_step; // [s] of CPU: a figure, not judged
    double step_seconds; // [s] of CPU, all
    bool gave_up;        // it took more than CG_ROUGH_MOST_SECONDS
    int lost, recovered; // contacts without room; steps with numbers that were not finite
    double hands_left;   // [m] from the farthest hand to where it was led
} cg_rough_result;

// Runs world `number` of a seed.
void cg_rough_watch(cg_rough_result *result, uint64_t seed, int number, cg_rough_times times);

#endif
