#include "support/cell.h"

#include <stdbool.h>
#include <string.h>

void cg_cell_write(const char *name, FILE *out)
{
    size_t length = strlen(name);
    bool computed = length > 0 && strchr("=+-@\t\r", name[0]) != NULL;
    bool quoted = strpbrk(name, ",\"\r\n") != NULL || (length > 0 && (name[0] == ' ' || name[length - 1] == ' '));
    fputs(quoted ? "\"" : "", out);
    fputs(computed ? "'" : "", out);
    for (const char *at = name; *at; at++) {
        if (*at == '"') {
            fputc('"', out);
        }
        fputc(*at, out);
    }
    if (quoted) {
        fputc('"', out);
    }
}
