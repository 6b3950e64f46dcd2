// A task as it was read: what is to be reached, and what measures are worth.
#ifndef CATGUT_TASK_TASK_H
#define CATGUT_TASK_TASK_H

#include "catgut/task.h"
#include "scene/json.h"

typedef enum cg_goal_kind {
    CG_GOAL_NONE,    // nothing but what every recording tells
    CG_GOAL_TARGETS, // targets on a ball are touched
    CG_GOAL_LINE,    // a line is drawn or cut along
    CG_GOAL_KNOT,    // a thread has a knot
    CG_GOAL_ITEMS,   // all threads lie in a receptacle
    CG_GOAL_STITCH   // a needle goes through marks, a thread holds a wound closed
} cg_goal_kind;

// Spheres on a ball, at places that a seed chooses.
typedef struct cg_goal_targets {
    cg_vec3 centre; // [m] of the ball
    double radius;  // [m] of the ball
    int count;
    double size;    // [m] radius of a target: a tip that is nearer touches it
    cg_vec3 facing; // targets are on this side of the ball
    double spread;  // [rad] largest angle from there
} cg_goal_targets;

// When a tip counts as drawing.
typedef enum cg_drawing { CG_DRAWING_CLOSED, CG_DRAWING_CUTTING, CG_DRAWING_TOUCHING } cg_drawing;

typedef struct cg_goal_line {
    const cg_json_value *given; // as it was written; NULL: the line is what the first hand draws
    bool retrace;               // so
    double least;               // [m] that it must be long
    cg_vec3 points[CG_TASK_MOST_TARGETS];
    int count;
    int drawing;      // a cg_drawing
    double tolerance; // [m] a part of the line is followed when the tip was nearer
    cg_vec3 across;   // what lies along this does not count; zero: all does
} cg_goal_line;

typedef struct cg_goal_knot {
    const char *name;   // Rolfsen's, the common one, or its throws ("2=1=1")
    const char *thread; // NULL: the first
    double hold;        // [s] for which it must be there, with all hands open
    int count;          // threads, or parts of them, that must have it; 0: the one above
} cg_goal_knot;

// A cylinder along z, open above; `position` is the middle of its bottom.
typedef struct cg_goal_items {
    cg_vec3 position;      // [m]
    double radius, height; // [m]
} cg_goal_items;

// What is to be sewn in the first tissue of the scene; what is not given does not count. Places are those of the shape
// in which the tissue is made.
typedef struct cg_goal_stitch {
    const cg_json_value *given_marks, *given_wound; // as they were written; NULL: not given
    cg_vec3 marks[CG_TASK_MOST_TARGETS];            // [m] on the skin, to go through
    int mark_count;
    double size;       // [m] a mark is met when a hole is nearer
    int holes;         // that a thread must go through
    bool out;          // the needle must have left the tissue
    bool has_wound;    // the wound must be closed from here to there
    cg_vec3 wound[2];  // [m] along it
    double depth;      // [m] to which its lips are looked at
    double gap;        // [m] it is closed when it is open no farther
    cg_goal_knot knot; // its name is NULL when none is asked for; `hold` is that of all of this: with a knot it must
                       // be so with all hands open
} cg_goal_stitch;

typedef struct cg_goal {
    cg_goal_kind kind;
    cg_goal_targets targets;
    cg_goal_line line;
    cg_goal_knot knot;
    cg_goal_items items;
    cg_goal_stitch stitch;
} cg_goal;

// A line of the rubric: points at values, straight between them, the same beyond the first and the last.
typedef struct cg_criterion {
    int measure;
    int band_count;
    double at[CG_TASK_MOST_BANDS]; // rising
    double points[CG_TASK_MOST_BANDS];
    bool must;
    double need;        // share of its points that a must needs; 0: any
    bool is_done;       // it says how much was done; other lines say how well
    const char *advice; // NULL: that of the measure
} cg_criterion;

// What may stand elsewhere in every attempt, all of it together: as far as this and back, at random.
typedef struct cg_variation {
    const cg_json_value *threads, *shapes, *bodies, *hands; // names of the scene
    bool goal;     // what the goal speaks of goes along: targets, line, receptacle, marks and wound
    cg_vec3 shift; // [m] at most, along each axis
    double turn;   // [rad] at most, about z
    cg_vec3 about; // [m] where it turns
} cg_variation;

enum {
    CG_TASK_MOST_KNOTS = 16,
    CG_TASK_MOST_VARIATIONS = 16,
    CG_TASK_MOST_NAMES = 8, // of one kind in a variation
    CG_TASK_MOST_NAME = 60  // bytes of a name
};

typedef struct cg_mistake {
    const char *script;
    int measure;
} cg_mistake;

struct cg_task {
    cg_allocator allocator;
    cg_json_tree *tree; // strings lie in it
    uint64_t rules;     // hash of the text
    const char *title, *scene, *expert;
    const char *instructions[CG_TASK_MOST_INSTRUCTIONS];
    int instruction_count;
    double time_limit; // [s]
    double pass;       // share of all points
    cg_goal goal;
    cg_criterion criteria[CG_TASK_MOST_CRITERIA];
    int criterion_count;
    cg_variation variations[CG_TASK_MOST_VARIATIONS];
    int variation_count;
    cg_mistake mistakes[CG_TASK_MOST_MISTAKES];
    int mistake_count;
};

// Points that a value of the measure is worth, and the most that any is.
double cg_criterion_points(const cg_criterion *criterion, double value);
double cg_criterion_most(const cg_criterion *criterion);

// The next number in [0, 1) of a seed: the same on every machine.
double cg_task_draw(uint64_t *state);
// Where a seed puts the goal.
cg_goal_move cg_task_draw_goal(const cg_task *task, uint64_t seed);
// The goal, moved; and where a seed puts it; and where it was in a recorded attempt, whatever the task says today.
cg_goal cg_task_move_goal(const cg_task *task, cg_goal_move move);
cg_goal cg_task_goal(const cg_task *task, uint64_t seed);
cg_goal cg_recorded_goal(const cg_task *task, const cg_recorded_attempt *attempt);

// Places of targets under a seed, apart from each other as far as there is room.
void cg_targets_place(const cg_goal_targets *goal, uint64_t seed, cg_vec3 *targets);

#endif
