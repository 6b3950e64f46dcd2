#include "base/nearest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Longer words are compared by their beginning only; no name comes near this. It also bounds the work.
enum { LONGEST_COMPARED = 40 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int length_of(const char *word)
{
    const char *end = memchr(word, '\0', LONGEST_COMPARED);
    return end != NULL ? (int)(end - word) : LONGEST_COMPARED;
}

int cg_edit_distance(const char *a, const char *b)
{
    int length_a = length_of(a);
    int length_b = length_of(b);
    int cost[LONGEST_COMPARED + 1][LONGEST_COMPARED + 1];
    for (int i = 0; i <= length_a; i++) {
        cost[i][0] = i;
    }
    for (int j = 0; j <= length_b; j++) {
        cost[0][j] = j;
    }
    for (int i = 1; i <= length_a; i++) {
        for (int j = 1; j <= length_b; j++) {
            int replaced = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            cost[i][j] = least(replaced, least(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[length_a][length_b];
}

const char *cg_nearest_word(const char *word, const char *const *candidates, int count)
{
    const char *nearest = NULL;
    int smallest = 0;
    int length = length_of(word);
    for (int i = 0; i < count; i++) {
        // A beginning of a long name is meant more often than another name of the same length.
        bool beginning = length >= 3 && strncmp(word, candidates[i], (size_t)length) == 0;
        int distance = beginning ? 1 : cg_edit_distance(word, candidates[i]);
        if (!nearest || distance < smallest) {
            nearest = candidates[i];
            smallest = distance;
        }
    }
    int allowed = length < 4 ? 1 : length < 8 ? 2 : length / 3;
    return nearest && smallest <= allowed ? nearest : NULL;
}
