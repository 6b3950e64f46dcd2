// Training: tasks read from files, measures of what was done, and scores that say what cost points.
//
// Measures come from the frames and events of a recording alone, never from the physics: a recording of an older
// program is scored as one of today. An attempt that is under way is watched by the same code.
//
//     cg_task *task;
//     cg_status status = cg_task_read(text, size, "square-knot.json", NULL, &task, &error);
//     cg_measures measures;
//     status = cg_measure_recording(recording, task, NULL, &measures);
//     cg_score score = cg_task_score(task, &measures); // points, what each measure cost and when, advice
#ifndef CATGUT_TASK_H
#define CATGUT_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catgut/api.h"
#include "catgut/knot.h"
#include "catgut/recording.h"
#include "catgut/scene.h"
#include "catgut/session.h"
#include "catgut/status.h"

CG_API_BEGIN

// Measures, one for each line of measures.def.
typedef enum cg_measure {
#define CG_MEASURE(id, unit, better, text, advice) CG_MEASURE_##id,
#include "catgut/measures.def"
#undef CG_MEASURE
    CG_MEASURE_COUNT // how many there are
} cg_measure;

// What is known of a measure, whoever did the task.
typedef struct cg_measure_info {
    const char *name;      // as in task files
    const char *unit;      // SI; empty for counts and shares
    bool higher_is_better; // else lower is
    const char *text;      // what it is, for people
    const char *advice;    // what to do when it cost points
} cg_measure_info;

// About a measure; NULL for a bad number.
const cg_measure_info *cg_measure_get_info(int measure);
// The measure of that name; -1 when there is none.
int cg_measure_find(const char *name);

// One measure of an attempt.
typedef struct cg_measured {
    bool known;   // false: the recording or the task does not tell it
    double value; // in the unit of the measure
    double at;    // [s] when it went wrong most, from the start of the recording; -1: at no one moment
} cg_measured;

// All measures of an attempt.
typedef struct cg_measures {
    cg_measured of[CG_MEASURE_COUNT]; // by cg_measure
    double begin, end;                // [s] from the first motion to the end of the task
    bool is_over;                     // the recording tells that the task came to its end
    cg_knot_report knot;              // at the end; all zero where the task asks for none
} cg_measures;

// A task: what is to be done in which scene, and what that is worth. Made by cg_task_read.
typedef struct cg_task cg_task;

// Limits of a task.
enum {
    CG_TASK_MOST_TARGETS = 64,      // targets, or points of a line
    CG_TASK_MOST_CRITERIA = 32,     // lines of the rubric
    CG_TASK_MOST_BANDS = 8,         // bands of one of them
    CG_TASK_MOST_INSTRUCTIONS = 16, // sentences
    CG_TASK_MOST_MISTAKES = 8       // scripts that fail
};

// Reads and checks a task (docs/training.md has the format). `name` is what errors call it. On failure *task is NULL
// and *error says what and where. `allocator` NULL is malloc.
cg_status cg_task_read(const char *text, size_t size, const char *name, const cg_allocator *allocator, cg_task **task,
                       cg_scene_error *error);
// Ends a task. NULL is allowed.
void cg_task_free(cg_task *task);

// A number made from the text of the task: another one when anything in it was edited.
uint64_t cg_task_rules(const cg_task *task);
// One line about the task.
const char *cg_task_title(const cg_task *task);
// The name of its scene.
const char *cg_task_scene(const cg_task *task);
// The sentences of the briefing; NULL behind the last.
const char *cg_task_instruction(const cg_task *task, int index);
// [s] after which an attempt is over.
double cg_task_time_limit(const cg_task *task);
// The name of the script that does it well; NULL when there is none.
const char *cg_task_expert(const cg_task *task);
// A script that fails, and the measure that must show it; false behind the last.
bool cg_task_mistake(const cg_task *task, int index, const char **script, int *measure);
// The targets under a seed: places [m] that the task chooses anew for each. Returns how many, 0 for tasks without.
int cg_task_targets(const cg_task *task, uint64_t seed, cg_vec3 targets[CG_TASK_MOST_TARGETS]);

// What stands elsewhere in an attempt than its scene says, as its seed draws it: the member "moves" of the scene and a
// comma, to be put behind the first brace of its text, so that the recording carries it too. Returns its length without
// the zero at its end, 0 when nothing does; `text` may be NULL.
size_t cg_task_write_moves(const cg_task *task, uint64_t seed, char *text, size_t room);

// What a task shows of its goal in the scene, under a seed.
typedef struct cg_task_marks {
    int target_count;                      // of targets on a ball; 0: it has none
    cg_vec3 targets[CG_TASK_MOST_TARGETS]; // [m] their middles
    double target_size;                    // [m] radius of a target
    int line_count;                        // corners of the line to follow; 0: none, or one that a hand draws first
    cg_vec3 line[CG_TASK_MOST_TARGETS];    // [m]
    double line_tolerance;                 // [m] within which it counts as followed
    bool has_dish;                         // items are to come into a cylinder along z
    cg_vec3 dish;                          // [m] middle of its bottom
    double dish_radius, dish_height;       // [m]
    const char *knot;                      // that the thread shall have; NULL: none is asked for
} cg_task_marks;

// The marks of a task under a seed.
cg_task_marks cg_task_get_marks(const cg_task *task, uint64_t seed);

// Measures a recording, with the seed and the end that its events tell; `task` NULL: without what only a task knows.
// Frames are read once, in order.
cg_status cg_measure_recording(cg_recording *recording, const cg_task *task, const cg_allocator *allocator,
                               cg_measures *measures);

// What one line of the rubric gave.
typedef struct cg_score_line {
    int measure;        // a cg_measure
    cg_measured got;    // what was measured
    double points;      // given
    double most;        // that could be had
    double worth;       // points that the value alone is worth; fewer are given while less was done
    bool must;          // the task cannot be passed without points here
    bool failed;        // a must that was missing
    const char *advice; // of the task, or of the measure
} cg_score_line;

// A score: the sum of its lines, and the one thing to do better.
typedef struct cg_score {
    int line_count;                             // lines of the rubric
    cg_score_line lines[CG_TASK_MOST_CRITERIA]; // in the order of the rubric
    double points, most;                        // sums
    double pass_points;                         // needed to pass, without those of time
    bool passed;                                // enough points without those of time, and none of the musts missing
    int worst;                                  // the line that cost most, a must that failed before others; -1: none
} cg_score;

// Scores measures by the rubric of a task. A measure that is not known gives no points. Lines that say how well
// something was done give points in the share in which it was done, so nothing done has none; those of time are given
// when the task is passed without them.
cg_score cg_task_score(const cg_task *task, const cg_measures *measures);
// Says in one sentence what to do better, with the second where it showed.
void cg_score_advice(const cg_score *score, char *text, size_t room);

// How an intracorporeal suture ended, by the rules of FLS.
typedef struct cg_fls_result {
    double time;      // [s] from the first touch to the last
    double deviation; // [m] of entry and exit from their dots, summed
    double gap;       // [m] that the slit is open
    int knot;         // 0 secure, 1 slips, 2 comes open
    bool avulsed;     // the drain was torn from its block
} cg_fls_result;

// Points of FLS: 600 less seconds, 10 for each millimetre of deviation and of gap, and 10 or 20 for a knot that slips
// or comes open; never below 0; 0 beyond 600 s and for an avulsed drain.
double cg_fls_points(const cg_fls_result *result);
// The same with 100 for the published proficiency: 112 s without any error.
double cg_fls_normalised(const cg_fls_result *result);

// An attempt that is under way: it sets the targets of the seed, tells the recording what is attempted, and sees when
// it is over. Made by cg_attempt_create.
typedef struct cg_attempt cg_attempt;

// How an attempt fares.
typedef struct cg_attempt_state {
    bool over;                // nothing more counts
    bool reached;             // by the goal; false when time ran out
    double time;              // [s] since the first motion, of targets the first touch
    int target_count;         // targets or items of the task
    uint64_t reached_targets; // bit i: target i was touched and is gone, or item i is where it belongs
} cg_attempt_state;

// Begins an attempt in a session that has made no step; its recording must be under way already to be told. The name is
// that by which the task is found again. Task and session must live as long as the attempt.
cg_status cg_attempt_create(const cg_task *task, const char *name, uint64_t seed, cg_session *session,
                            const cg_allocator *allocator, cg_attempt **attempt);
// Ends it. NULL is allowed.
void cg_attempt_destroy(cg_attempt *attempt);
// Looks at the session; call it after every step. Takes memory now and then, so it is no part of the step.
cg_attempt_state cg_attempt_look(cg_attempt *attempt);

// Measures an attempt as it is now. What only surfaces of tissue and operations tell is not known here: edges of the
// wound, what was torn, the view.
cg_status cg_attempt_measure(cg_attempt *attempt, cg_measures *measures);
// What an attempt has seen so far, to go back to beside a state of its session. Made by cg_attempt_keep.
typedef struct cg_attempt_past cg_attempt_past;
// Copies it.
cg_status cg_attempt_keep(const cg_attempt *attempt, cg_attempt_past **past);
// Takes it back, in this attempt or another one of the same task and seed: CG_MISMATCH otherwise. The session has to be
// brought to the same moment. On failure nothing changes.
cg_status cg_attempt_return(cg_attempt *attempt, const cg_attempt_past *past);
// Gives it back. NULL is allowed.
void cg_attempt_past_free(cg_attempt_past *past);

// How the goal of a task was moved: turned about the z axis, then shifted.
typedef struct cg_goal_move {
    cg_vec3 shift; // [m]
    double turn;   // [rad]
} cg_goal_move;

// What a recording tells of the attempt in it: the name of the task (empty: none), and the seed.
typedef struct cg_recorded_attempt {
    char task[80];     // the name
    uint64_t seed;     // of its targets, and of what varies
    bool varied;       // the seed moved things; false for recordings made before tasks varied
    bool goal_told;    // with where the goal was; else the seed draws it by the task as it is now
    cg_goal_move goal; // where
    uint64_t rules;    // cg_task_rules of the task then; 0: not told
    bool over;         // it came to its end
    uint64_t end_step; // steps made by then
    bool reached;      // by the goal
} cg_recorded_attempt;

// Looks through the events of a recording.
cg_recorded_attempt cg_recording_attempt(cg_recording *recording);
// The marks of a task where they were in a recorded attempt.
cg_task_marks cg_recorded_marks(const cg_task *task, const cg_recorded_attempt *attempt);

CG_API_END

#endif
