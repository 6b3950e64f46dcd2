// Points: each line of the rubric alone, their sum, and what to do better.
#include <stdio.h>
#include <string.h>

#include "task/task.h"

static const double ROUNDING = 1e-9; // [points] of sums

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

// Of two lines the one to speak of: a must that failed first, then what cost more; the earlier one when both are alike.
static bool is_worse(const cg_score_line *a, const cg_score_line *b)
{
    return a->failed != b->failed ? a->failed : a->most - a->worth > b->most - b->worth;
}

static cg_score_line look_at(const cg_criterion *criterion, const cg_measures *measures)
{
    const cg_measured *got = &measures->of[criterion->measure];
    double worth = got->known ? cg_criterion_points(criterion, got->value) : 0, most = cg_criterion_most(criterion);
    return (cg_score_line){.measure = criterion->measure,
                           .got = *got,
                           .worth = worth,
                           .most = most,
                           .must = criterion->must,
                           .failed = criterion->must && (!(worth > 0) || worth < criterion->need * most - ROUNDING),
                           .advice = criterion->advice != NULL ? criterion->advice
                                                               : cg_measure_get_info(criterion->measure)->advice};
}

// How much was done, 0 to 1: 1 where no line says.
static double share_done(const cg_task *task, const cg_score *score)
{
    double worth = 0, most = 0;
    for (int i = 0; i < score->line_count; i++) {
        worth += task->criteria[i].is_done ? score->lines[i].worth : 0;
        most += task->criteria[i].is_done ? score->lines[i].most : 0;
    }
    return most > 0 ? worth / most : 1;
}

// Points of lines that are of time, or of those that are not; *most is what they could be.
static double add_points(cg_score *score, const cg_task *task, bool of_time, double share, double *most)
{
    double points = 0;
    *most = 0;
    for (int i = 0; i < score->line_count; i++) {
        cg_score_line *line = &score->lines[i];
        if ((line->measure == CG_MEASURE_time) == of_time) {
            line->points = task->criteria[i].is_done ? line->worth : line->worth * share;
            points += line->points;
            *most += line->most;
        }
    }
    return points;
}

cg_score cg_task_score(const cg_task *task, const cg_measures *measures)
{
    cg_score score = {.line_count = task->criterion_count, .worst = -1, .passed = true};
    double most, most_of_time;
    for (int i = 0; i < task->criterion_count; i++) {
        cg_score_line *line = &score.lines[i];
        *line = look_at(&task->criteria[i], measures);
        score.passed = score.passed && !line->failed;
        bool cost = line->worth < line->most - ROUNDING;
        if (cost && (score.worst < 0 || is_worse(line, &score.lines[score.worst]))) {
            score.worst = i;
        }
    }
    double share = share_done(task, &score);
    score.points = add_points(&score, task, false, share, &most);
    score.pass_points = task->pass * most;
    score.passed = score.passed && score.points >= score.pass_points - ROUNDING;
    score.points += add_points(&score, task, true, score.passed ? share : 0, &most_of_time);
    score.most = most + most_of_time;
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
