// The bench of batches: every row has a time on a core, and the device is named, or null.
#include "run_app.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "harness.h"
#include "json_check.h"

TEST(batches_are_timed_and_the_device_is_named_or_null)
{
    app_run run = run_app("bench gpu --json");
    CHECK_INT(run.code, cg_gpu_is_built() ? run.code : 0);
    if (run.code == 0 && CHECK(json_is_valid(run.out))) {
        const char *rows = json_member(run.out, "rows");
        CHECK_INT(json_count(rows), 6);
        for (int i = 0; i < json_count(rows); i++) {
            CHECK(strtod(json_member(json_item(rows, i), "core_us"), NULL) > 0);
        }
        CHECK(cg_gpu_is_built() || strncmp(json_member(run.out, "device"), "null", 4) == 0);
    }
    app_run_free(&run);
}
