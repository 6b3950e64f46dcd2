// label: once
// docs/measures.md names every measure with its unit and its sentence, as the list has them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/task.h"
#include "harness.h"

TEST(every_measure_is_documented)
{
    static char text[200000];
    FILE *file = fopen(CATGUT_SOURCE_DIR "/docs/measures.md", "rb");
    if (!CHECK(file != NULL)) {
        return;
    }
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        const cg_measure_info *info = cg_measure_get_info(i);
        char row[600];
        snprintf(row, sizeof row, "| `%s` | %s | %s | %s |", info->name, info->unit,
                 info->higher_is_better ? "higher" : "lower", info->text);
        if (!CHECK(strstr(text, row) != NULL)) {
            printf("missing: %s\n", row);
        }
        CHECK_INT(cg_measure_find(info->name), i);
    }
    CHECK_INT(cg_measure_find("nothing"), -1);
    CHECK(cg_measure_get_info(-1) == NULL && cg_measure_get_info(CG_MEASURE_COUNT) == NULL);
}
