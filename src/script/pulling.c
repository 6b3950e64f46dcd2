#include "script/pulling.h"

#include <assert.h>

#include "base/status.h"
#include "operation/fields.h"

const cg_thread_slot *cg_next_part(const cg_world *world, const cg_thread_slot *slot, unsigned root)
{
    const cg_thread_slot *s = slot == NULL ? cg_world_first_thread(world) : cg_world_next_thread(world, slot);
    while (s != NULL && s->root != root) {
        s = cg_world_next_thread(world, s);
    }
    return s;
}

bool cg_are_two_threads(const cg_world *world)
{
    const cg_thread_slot *first = cg_world_first_thread(world);
    const cg_thread_slot *second = first != NULL ? cg_world_next_thread(world, first) : NULL;
    return second != NULL && second->root != first->root && cg_world_count_threads(world) == CG_KNOT_MAX_THREADS;
}

// A thread that was cut has its knot in one of its parts: the first that has throws is loaded.
static cg_status test_parts(const cg_world *world, cg_thread_id id, cg_pull_result *result)
{
    const cg_thread_slot *whole = cg_pool_get(&world->threads, (cg_handle){id.index, id.generation});
    if (whole == NULL) {
        return cg_error(CG_BAD_HANDLE, "the thread is gone");
    }
    cg_status status = cg_ok();
    result->outcome = CG_PULL_NO_KNOT;
    for (const cg_thread_slot *s = cg_next_part(world, NULL, whole->root);
         s != NULL && status.code == CG_OK && result->outcome == CG_PULL_NO_KNOT;
         s = cg_next_part(world, s, whole->root)) {
        cg_handle handle = cg_pool_handle_of(&world->threads, s);
        cg_pull_def def = cg_pull_def_default((cg_thread_id){handle.index, handle.generation});
        status = cg_pull_test(world, &def, result);
    }
    return status;
}

cg_status cg_pull_test_at(const cg_world *world, int thread, cg_pull_result *result, char text[CG_PULL_TEXT])
{
    assert(result != NULL && text != NULL);
    cg_thread_id id = cg_operation_thread(world, thread < 0 ? 0 : thread);
    cg_pull_def def = cg_pull_def_default(id);
    def.other = cg_operation_thread(world, 1);
    bool both = thread < 0 && cg_are_two_threads(world) && def.other.index != 0;
    cg_status status = both ? cg_pull_test(world, &def, result) : test_parts(world, id, result);
    text[0] = '\0';
    if (status.code == CG_OK) {
        cg_pull_tell(result, text, CG_PULL_TEXT);
    }
    return status;
}
