// Any bytes as a task file: refused with a place, or a task whose scores are finite.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "catgut/task.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cg_task *task;
    cg_scene_error error;
    cg_status status = cg_task_read((const char *)data, size, "fuzz.json", NULL, &task, &error);
    assert((status.code == CG_OK) == (task != NULL));
    if (task == NULL) {
        assert(error.message[0] != '\0' && error.line >= 1 && error.column >= 1);
        return 0;
    }
    static cg_measures measures;
    cg_vec3 targets[CG_TASK_MOST_TARGETS];
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        measures.of[i] = (cg_measured){.known = true, .value = (double)i - 5, .at = i};
    }
    cg_score score = cg_task_score(task, &measures);
    assert(score.points >= 0 && score.points <= score.most);
    cg_task_targets(task, size, targets);
    cg_task_free(task);
    return 0;
}
