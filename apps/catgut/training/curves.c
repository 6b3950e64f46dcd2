#include "training/curves.h"

#include <stdlib.h>
#include <string.h>

static bool has_room(void **items, int count, int *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    int wanted = *room > 0 ? 2 * *room : 16;
    void *larger = realloc(*items, (size_t)wanted * size);
    if (larger == NULL) {
        return false;
    }
    *items = larger;
    *room = wanted;
    return true;
}

static cg_curve_group *group_of(cg_curves *curves, const cg_logged *attempt)
{
    for (int i = curves->count - 1; i >= 0; i--) {
        if (strcmp(curves->groups[i].trainee, attempt->trainee) == 0 &&
            strcmp(curves->groups[i].task, attempt->task) == 0) {
            return &curves->groups[i];
        }
    }
    if (!has_room((void **)&curves->groups, curves->count, &curves->room, sizeof *curves->groups)) {
        return NULL;
    }
    cg_curve_group *group = &curves->groups[curves->count++];
    *group = (cg_curve_group){0};
    snprintf(group->trainee, sizeof group->trainee, "%s", attempt->trainee);
    snprintf(group->task, sizeof group->task, "%s", attempt->task);
    return group;
}

static bool add(void *context, const cg_logged *logged)
{
    cg_curves *curves = context;
    cg_curve_group *group = group_of(curves, logged);
    if (group == NULL || !has_room((void **)&group->attempts, group->count, &group->room, sizeof *group->attempts)) {
        curves->failed = true;
        return false;
    }
    cg_curve_attempt *attempt = &group->attempts[group->count++];
    *attempt = (cg_curve_attempt){.id = logged->id,
                                  .seed = logged->seed,
                                  .started = logged->started,
                                  .finished = strcmp(logged->state, "finished") == 0,
                                  .running = strcmp(logged->state, "running") == 0,
                                  .passed = logged->passed,
                                  .points = logged->points,
                                  .most = logged->most,
                                  .seconds = logged->seconds};
    snprintf(attempt->worst, sizeof attempt->worst, "%s", logged->worst != NULL ? logged->worst : "");
    return true;
}

static int compare_groups(const void *a, const void *b)
{
    const cg_curve_group *one = a, *other = b;
    int order = strcmp(one->trainee, other->trainee);
    return order != 0 ? order : strcmp(one->task, other->task);
}

bool cg_curves_read(cg_curves *curves, cg_logbook *book, const char *trainee, const char *task,
                    char why[CG_LOGBOOK_WHY])
{
    if (!cg_logbook_each(book, trainee, task, add, curves, why)) {
        return false;
    }
    if (curves->failed) {
        snprintf(why, CG_LOGBOOK_WHY, "no memory left");
        return false;
    }
    if (curves->count > 0) {
        qsort(curves->groups, (size_t)curves->count, sizeof *curves->groups, compare_groups);
    }
    return true;
}

void cg_curves_free(cg_curves *curves)
{
    for (int i = 0; i < curves->count; i++) {
        free(curves->groups[i].attempts);
    }
    free(curves->groups);
}

cg_curve_summary cg_curve_summarise(const cg_curve_group *group)
{
    cg_curve_summary summary = {0};
    for (int i = 0; i < group->count; i++) {
        const cg_curve_attempt *attempt = &group->attempts[i];
        if (!attempt->finished) {
            continue;
        }
        double share = attempt->most > 0 ? attempt->points / attempt->most : 0;
        if (summary.finished == 0) {
            summary.first = share;
            summary.first_seconds = attempt->seconds;
        }
        summary.best = share > summary.best ? share : summary.best;
        summary.last = share;
        summary.last_seconds = attempt->seconds;
        summary.passed += attempt->passed;
        summary.finished++;
    }
    return summary;
}

const char *cg_curve_state(const cg_curve_attempt *attempt)
{
    return attempt->finished ? "finished" : attempt->running ? "running" : "interrupted";
}
