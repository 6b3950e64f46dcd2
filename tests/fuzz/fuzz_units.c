// libFuzzer target: a letter that chooses the unit, then any text as a quantity.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/catalogue.h"
#include "scene/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const units[] = {"m",    "kg",   "s",   "rad", "N",    "Pa", "kg/m3",
                                        "kg/m", "m/s2", "1/s", "N m", "N m2", ""};
    if (size == 0) {
        return 0;
    }
    const char *unit = units[data[0] % (sizeof units / sizeof units[0])];
    char *text = malloc(size);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    double value;
    char message[64] = "", suggestion[16];
    bool fine = cg_units_read(text, unit, &value, message, sizeof message);
    if (fine ? !isfinite(value) : message[0] == '\0') {
        abort();
    }
    cg_dimension dimension;
    cg_units_dimension(text, &dimension);
    cg_suture suture;
    // looking for a suggestion is slow beside all else
    cg_catalogue_find(text, &suture, suggestion, data[0] >= 0xF0 ? sizeof suggestion : 0);
    free(text);
    return 0;
}
