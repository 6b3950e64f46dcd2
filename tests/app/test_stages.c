// What frames cost, by category: nothing is lost between stages and categories, frames have 30 ms, and the file says
// so.
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/run_app.h"
#include "harness.h"
#include "support/stages.h"

#define SCENE CATGUT_SOURCE_DIR "/scenes/hanging.json"

TEST(every_stage_has_a_category_and_the_total_is_their_sum)
{
    cg_stage_log log = {0};
    cg_world_stats stats = {.working_contacts = 3};
    for (int stage = 0; stage < CG_STAGE_COUNT; stage++) {
        stats.stage_seconds[stage] = 1e-6 * (1 << stage);
        CHECK(cg_stage_cost((cg_stage)stage) != CG_COST_TOTAL);
    }
    for (int step = 1; step <= 13; step++) { // two frames of six steps, and one more step
        stats.working_contacts = step;
        cg_stage_log_add(&log, &stats, step * 5e-3);
    }
    CHECK_INT(log.count, 3);
    for (int frame = 0; frame < 3; frame++) {
        double sum = 0, steps = frame < 2 ? 6 : 1;
        for (int c = CG_COST_TOTAL + 1; c < CG_COST_COUNT; c++) {
            sum += log.frames[frame][c];
        }
        CHECK_NEAR(log.frames[frame][CG_COST_TOTAL], steps * 1e-6 * ((1 << CG_STAGE_COUNT) - 1), 1e-15);
        CHECK_NEAR(sum, log.frames[frame][CG_COST_TOTAL], 1e-15);
        CHECK_INT(log.contacts[frame], frame < 2 ? 6 * (frame + 1) : 13);
    }
    CHECK_NEAR(log.frames[0][CG_COST_FORCES], 6e-6 * (1 << CG_STAGE_ASSEMBLE), 1e-15);
    CHECK_NEAR(log.frames[0][CG_COST_MESH], 6e-6 * (1 << CG_STAGE_TISSUE), 1e-15);
    cg_stage_log_free(&log);
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    if (file && text) {
        text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
        fclose(file);
    }
    return text;
}

// The same run with and without the timers ends in the same state.
TEST(a_run_writes_its_stages_as_a_table_or_a_plot)
{
    char folder[64], words[512], path[128], plain[4096];
    make_scratch(folder);
    app_run run = run_app("run " SCENE " --seconds 0.095");
    CHECK_INT(run.code, 0);
    snprintf(plain, sizeof plain, "%s", strstr(run.out, "state hash"));
    app_run_free(&run);
    snprintf(path, sizeof path, "%s/stages.csv", folder);
    snprintf(words, sizeof words, "run " SCENE " --seconds 0.095 --stages %s", path);
    run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK_STR(run.err, "");
    CHECK_STR(strstr(run.out, "state hash"), plain);
    app_run_free(&run);
    char *text = read_all(path);
    CHECK(strncmp(text, "frame,time,contacts,total_ms,integration_ms,", 44) == 0);
    int lines = 0;
    for (const char *at = text; *at; at++) {
        lines += *at == '\n';
    }
    CHECK_INT(lines, 1 + 4); // 95 ms are three frames and a bit
    free(text);
    unlink(path);
    snprintf(path, sizeof path, "%s/stages.svg", folder);
    snprintf(words, sizeof words, "run " SCENE " --seconds 0.095 --stages %s", path);
    run = run_app(words);
    CHECK_INT(run.code, 0);
    app_run_free(&run);
    text = read_all(path);
    CHECK(strstr(text, "thread integration") != NULL && strstr(text, "</svg>") != NULL);
    free(text);
    unlink(path);
    remove_scratch(folder);
    run = run_app("run " SCENE " --stages /dev/null/x.csv");
    CHECK_INT(run.code, 2);
    CHECK(strstr(run.err, "/dev/null/x.csv: cannot be written") != NULL);
    app_run_free(&run);
}
