// The rows of a pass: touches that are found, rows that laws add, and the forces that both go on with.
#include <assert.h>

#include "find/search.h"

#include "find/skin_rows.h"
#include "island/island.h"
#include "laws/guide.h"
#include "laws/joint.h"

// Multiply-adds by vertex for assembling and factoring, and by touch, in each pass.
enum { WORK_OF_VERTEX = 2000, WORK_OF_TOUCH = 1000 };

void cg_touch_search(cg_touch_set *set)
{
    assert(set->problem.solved < 0 && "no forces are being found meanwhile");
    cg_contact_rule rule = contact_rule_default();
    cg_touch_turn_over(set);
    set->search.searches++;
    cg_touch_find_between_threads(set, &rule);
    cg_touch_make_room(set, set->cast.joint_count);
    cg_touch_find_joints(set);
    if (set->cast.part_count > 0) {
        cg_touch_find_at_parts(set, &rule);
    }
    set->rows.guides = set->rows.channel_rows = 0;
    if (set->islands.on_skin) {
        cg_touch_find_skins(set, CG_TOUCH_REACH);
        cg_touch_make_room(set, cg_touch_most_rows(set));
        cg_touch_find_channels(set);
    }
    cg_touch_inherit(set);
    set->stats.touches = set->rows.count - set->cast.joint_count - set->rows.channel_rows;
    set->stats.work += WORK_OF_TOUCH * (int64_t)set->rows.count;
    for (int c = 0; c < set->cast.thread_count; c++) {
        set->stats.work += WORK_OF_VERTEX * (int64_t)set->cast.threads[c]->vertex_count;
    }
}

void cg_touch_find(cg_touch_set *set)
{
    set->search.ahead = false;
    cg_touch_look_at_bodies(set);
    cg_touch_search(set);
}
