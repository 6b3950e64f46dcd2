// Diagrams of closed braids: what tests compute polynomials of.
#ifndef CATGUT_TESTS_KNOT_BRAIDS_H
#define CATGUT_TESTS_KNOT_BRAIDS_H

#include <stdbool.h>

#include "knot/diagram.h"

// Follows the threads and numbers them.
static void number_threads(cg_diagram *d)
{
    int chain = 0;
    for (int s = 0; s < 2 * d->crossing_count; s++) {
        d->chain[s] = -1;
    }
    for (int s = 0; s < 2 * d->crossing_count; s++) {
        if (d->chain[s] >= 0) {
            continue;
        }
        int start = 4 * (s / 2) + (s & 1), walk = d->out[start] ? start ^ 2 : start;
        start = walk;
        do {
            int strand = 2 * (walk >> 2) + (walk & 1);
            d->chain[strand] = chain;
            walk = d->mate[walk ^ 2];
        } while (walk != start);
        chain++;
    }
}

// The diagram of a closed braid. False when it does not fit. Chains are numbered.
static bool diagram_from_braid(cg_diagram *diagram, const signed char *letters, int count, int strands)
{
    enum { MOST_STRANDS = 16 };
    int top[MOST_STRANDS], bottom[MOST_STRANDS];
    if (count > diagram->room || strands > MOST_STRANDS) {
        return false;
    }
    for (int i = 0; i < strands; i++) {
        top[i] = bottom[i] = -1;
    }
    diagram->crossing_count = count;
    diagram->loose = 0;
    for (int c = 0; c < count; c++) {
        bool positive = letters[c] > 0;
        int left = (positive ? letters[c] : -letters[c]) - 1;
        // Strands run upwards; half-edges counterclockwise from the lower end of the strand below.
        int lower_left = 4 * c + (positive ? 3 : 0), lower_right = 4 * c + (positive ? 0 : 1);
        const int ends[2] = {lower_left, lower_right};
        for (int k = 0; k < 2; k++) {
            diagram->out[ends[k]] = 0;
            diagram->out[ends[k] ^ 2] = 1;
            if (top[left + k] < 0) {
                bottom[left + k] = ends[k];
            } else {
                diagram->mate[top[left + k]] = ends[k];
                diagram->mate[ends[k]] = top[left + k];
            }
        }
        top[left] = lower_right ^ 2;
        top[left + 1] = lower_left ^ 2;
    }
    for (int i = 0; i < strands; i++) {
        if (top[i] < 0) {
            diagram->loose++;
        } else {
            diagram->mate[top[i]] = bottom[i];
            diagram->mate[bottom[i]] = top[i];
        }
    }
    number_threads(diagram);
    return true;
}

#endif
