// The touches of a pass as state of the world.
#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "find/skin.h"
#include "island/island.h"
#include "laws/body.h"
#include "laws/guide.h"

static void visit_pair(cg_archive *archive, cg_segment_pair *pair)
{
    int *numbers[3] = {&pair->chain_a, &pair->segment_a, &pair->chain_b};
    for (int i = 0; i < 3; i++) {
        cg_archive_int(archive, numbers[i], 0, CG_BODY_KINDS * CG_CHAINS_OF_KIND - 1);
    }
    cg_archive_int(archive, &pair->segment_b, 0, 1 << 30); // features of tissue go that far
}

// True when the bodies and features of a touch are there, and forces move its first side. A loaded one may name any.
static bool is_there(const cg_touch_set *set, const cg_touch *touch)
{
    for (int side = 0; side < 2; side++) {
        cg_site site = touch_site(touch, side);
        if (!cg_body_kinds[site.kind]->is_there(set, site.body, site.feature)) {
            return false;
        }
    }
    return touch_mover(set, touch, 0) >= 0;
}

// And whether its numbers are such as a step leaves: one with others gives nothing to the next step.
static bool is_sound(const cg_touch_set *set, const cg_touch *touch)
{
    const double most_force = 1e12, rounding = 1e-6;
    cg_vec3 normal = touch->axes[0];
    // Its own radius is known when it is found again: no more than that of a thread.
    int thread = touch_thread(touch, 0);
    double radius = thread >= 0 ? set->cast.threads[thread]->radius : 1.0;
    return fabs(v3_dot(normal, normal) - 1) < rounding &&
           v3_dot(touch->force, touch->force) <= most_force * most_force &&
           v3_dot(touch->drift, touch->drift) <= radius * radius;
}

static void drop_lost_touches(cg_touch_set *set)
{
    int kept = 0;
    for (int i = 0; i < set->rows.count; i++) {
        if (is_there(set, &set->rows.touches[i]) && is_sound(set, &set->rows.touches[i])) {
            set->rows.touches[kept++] = set->rows.touches[i];
        }
    }
    set->rows.count = kept;
}

// What the next search starts from: pairs and forces for the warm start, normals for the continuity of directions.
void cg_touch_visit_state(cg_archive *archive, cg_touch_set *set)
{
    int touches = cg_archive_length(archive, set->rows.count, set->rows.most);
    for (int i = 0; i < touches; i++) {
        visit_pair(archive, &set->rows.touches[i].pair);
        set->rows.touches[i].kind = cg_touch_kind_of(&set->rows.touches[i].pair);
        cg_archive_vec3(archive, &set->rows.touches[i].axes[0]);
        cg_archive_vec3(archive, &set->rows.touches[i].force);
        cg_archive_vec3(archive, &set->rows.touches[i].drift);
        cg_archive_bool(archive, &set->rows.touches[i].working);
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        set->rows.count = touches;
        for (int k = 0; k < set->cast.skin_count; k++) {
            cg_skin_forget(set->cast.skins[k]);
        }
    }
}

void cg_touch_after_load(cg_touch_set *set)
{
    assert(set->rows.count <= set->rows.most);
    drop_lost_touches(set);
    cg_touch_find_row_axes(set);
}
