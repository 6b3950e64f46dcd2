// Points: each line of the rubric alone, their sum, and what to do better.
#include <stdio.h>
#include <string.h>

#include "task/task.h"

double cg_criterion_most(const cg_criterion *criterion)
{
    double first = criterion->points[0], last = criterion->points[criterion->band_count - 1];
    return first > last ? first : last;
}

double cg_criterion_points(const cg_criterion *criterion, double value)
{
    const double *at = criterion->at, *points = criterion->points;
    int last = criterion->band_count - 1;
    if (value <= at[0]) {
        return points[0];
    }
    for (int i = 1; i <= last; i++) {
        if (value <= at[i]) {
            double share = (value - at[i - 1]) / (at[i] - at[i - 1]);
            return points[i - 1] + share * (points[i] - points[i - 1]);
        }
    }
    return value > at[last] ? points[last] : 0; // 0 for what is no number
}

static bool is_failed_must(const cg_score_line *line)
{
    return line->must && !(line->points > 0);
}

// Of two lines the one to speak of: a must that failed first, then what cost more; the earlier one when both are alike.
static bool is_worse(const cg_score_line *a, const cg_score_line *b)
{
    bool a_failed = is_failed_must(a), b_failed = is_failed_must(b);
    return a_failed != b_failed ? a_failed : a->most - a->points > b->most - b->points;
}

cg_score cg_task_score(const cg_task *task, const cg_measures *measures)
{
    cg_score score = {.line_count = task->criterion_count, .worst = -1, .passed = true};
    for (int i = 0; i < task->criterion_count; i++) {
        const cg_criterion *criterion = &task->criteria[i];
        const cg_measured *got = &measures->of[criterion->measure];
        cg_score_line *line = &score.lines[i];
        *line = (cg_score_line){.measure = criterion->measure,
                                .got = *got,
                                .points = got->known ? cg_criterion_points(criterion, got->value) : 0,
                                .most = cg_criterion_most(criterion),
                                .must = criterion->must,
                                .advice = criterion->advice != NULL ? criterion->advice
                                                                    : cg_measure_get_info(criterion->measure)->advice};
        score.points += line->points;
        score.most += line->most;
        score.passed = score.passed && !is_failed_must(line);
        bool cost = line->points < line->most - 1e-9;
        if (cost && (score.worst < 0 || is_worse(line, &score.lines[score.worst]))) {
            score.worst = i;
        }
    }
    score.pass_points = task->pass * score.most;
    score.passed = score.passed && score.points >= score.pass_points;
    return score;
}

void cg_score_advice(const cg_score *score, char *text, size_t room)
{
    if (score->worst < 0) {
        snprintf(text, room, "Nothing cost a point.");
        return;
    }
    const cg_score_line *line = &score->lines[score->worst];
    if (line->got.known && line->got.at >= 0) {
        snprintf(text, room, "%s (at %.1f s)", line->advice, line->got.at);
    } else {
        snprintf(text, room, "%s", line->advice);
    }
}

// FLS

enum { FLS_MOST_SECONDS = 600, FLS_PROFICIENT_SECONDS = 112, FLS_POINTS_A_MILLIMETRE = 10, FLS_POINTS_A_KNOT = 10 };

double cg_fls_points(const cg_fls_result *result)
{
    if (result->avulsed || !(result->time <= FLS_MOST_SECONDS)) {
        return 0;
    }
    double points = FLS_MOST_SECONDS - result->time;
    points -= FLS_POINTS_A_MILLIMETRE * 1e3 * (result->deviation + result->gap);
    points -= FLS_POINTS_A_KNOT * result->knot;
    return points > 0 ? points : 0;
}

double cg_fls_normalised(const cg_fls_result *result)
{
    return 100 * cg_fls_points(result) / (FLS_MOST_SECONDS - FLS_PROFICIENT_SECONDS);
}
