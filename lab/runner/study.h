// One case of a data experiment: its scene built into a session, driven step by step, and looked at by formulas.
#ifndef CATGUT_RUNNER_STUDY_H
#define CATGUT_RUNNER_STUDY_H

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "runner/expression.h"
#include "scene/json.h"

enum { CG_STUDY_WATCHES = 8 };

// What is made of a formula while the case runs.
typedef struct cg_watch_sum {
    const cg_json_value *rule;
    double sum, from;
    int count;
    double last_time, last_value, first, latest; // of zero crossings
    int crossings;
} cg_watch_sum;

typedef struct cg_study {
    const char *file; // of the experiment, for messages
    const cg_json_value *root;
    cg_report *report;
    cg_names names;
    cg_formula_scope scope;

    cg_scene *scene;
    cg_session *session;
    cg_thread_id thread; // the first one, which formulas speak of
    cg_vec3 *start, *before;
    int count;
    int step;
    double last_move; // [m] largest motion of a vertex in the last step
    cg_watch_sum watches[CG_STUDY_WATCHES];
    int watch_count;
    void (*before_step)(struct cg_study *study, void *context); // for plots; may be NULL
    void *context;
} cg_study;

// Points the scope at the names and the world of the study.
void cg_study_begin(cg_study *study, const char *file, const cg_json_value *root, cg_report *report);
// A member of an object; NULL when there is none, or no object.
const cg_json_value *cg_study_find(const cg_json_value *object, const char *name);
// The value of a number or formula; NAN for null. Trouble is said in the report, with its line.
double cg_study_value(cg_study *study, const cg_json_value *value);
// The same of a member; `otherwise` when there is none.
double cg_study_member(cg_study *study, const cg_json_value *object, const char *name, double otherwise);
// Sets names from an object of formulas, one after the other.
void cg_study_let(cg_study *study, const cg_json_value *object);
// The text with {name} and {name:.3f} replaced by numbers; %g without a format.
void cg_study_words(cg_study *study, const char *text, char *words, size_t room);
bool cg_study_is_well(const cg_study *study);

// Builds the scene, makes the steps that "until" asks for, and sets the names of "watch". The world stays until the
// end.
bool cg_study_run(cg_study *study);
// Frees the world of the case; names stay.
void cg_study_end(cg_study *study);

#endif
