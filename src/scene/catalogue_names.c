#include "scene/catalogue_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

enum { LONGEST = 40, MOST_NAMES = 64 };

// Small letters, one blank between words, none around them; false when it is too long to be a name.
static bool tidy(const char *text, char tidied[LONGEST])
{
    size_t used = 0;
    for (const char *c = text; *c != '\0'; c++) {
        bool blank = *c == ' ' || *c == '-' || *c == '_' || *c == '\t';
        if (blank && (used == 0 || tidied[used - 1] == ' ')) {
            continue;
        }
        if (used + 1 >= LONGEST) {
            return false;
        }
        tidied[used++] = blank ? ' ' : (char)tolower((unsigned char)*c);
    }
    used -= used > 0 && tidied[used - 1] == ' ';
    tidied[used] = '\0';
    return true;
}

int cg_catalogue_match(const char *text, const char *const *names, int count, char *suggestion, size_t room)
{
    char wanted[LONGEST], tidied[MOST_NAMES][LONGEST];
    const char *listed[MOST_NAMES];
    if (room > 0) {
        suggestion[0] = '\0';
    }
    if (!tidy(text, wanted)) {
        return -1;
    }
    for (int i = 0; i < count && i < MOST_NAMES; i++) {
        tidy(names[i], tidied[i]);
        if (strcmp(wanted, tidied[i]) == 0) {
            return i;
        }
        listed[i] = tidied[i];
    }
    const char *nearest = cg_nearest_word(wanted, listed, count < MOST_NAMES ? count : MOST_NAMES);
    for (int i = 0; i < count && room > 0 && nearest != NULL; i++) {
        if (nearest == tidied[i]) {
            snprintf(suggestion, room, "%s", names[i]);
        }
    }
    return -1;
}
