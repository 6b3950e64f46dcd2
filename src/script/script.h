// A script as it was read: lines to be done one after the other, each made of actions that begin together.
#ifndef CATGUT_SCRIPT_SCRIPT_H
#define CATGUT_SCRIPT_SCRIPT_H

#include "catgut/operation.h"
#include "catgut/script.h"

// What a script may have; more is refused with a place.
enum {
    CG_SCRIPT_BYTES = 256 * 1024,
    CG_SCRIPT_LINES = 4096,
    CG_SCRIPT_ACTIONS = 8192,
    CG_SCRIPT_STEPS = 256,
    CG_SCRIPT_NESTING = 8, // repeats and tries inside each other, and parts
    CG_SCRIPT_TURNS = 1000 // of one repeat or try
};

typedef enum cg_place_base {
    CG_PLACE_POINT,  // the offset alone
    CG_PLACE_SHARE,  // a share of a thread's length from its start
    CG_PLACE_LENGTH, // a length along a thread, from its end when negative
    CG_PLACE_TAIL,   // a length from a knot along a tail, from the touch of the thread with itself next to that end
    CG_PLACE_SHAPE,  // the position of a rigid shape
    CG_PLACE_HAND,   // where a hand is
    CG_PLACE_BODY    // a share of the way along the parts of a rigid body
} cg_place_base;

// A place that is looked up in every step.
typedef struct cg_place {
    cg_place_base base;
    int index;          // of thread, shape, hand or body
    double amount;      // share, or length [m]
    bool towards_start; // of a length from a knot
    cg_vec3 offset;     // [m]
    bool has_own;       // something is said in the axes of a tool:
    int own_hand;
    cg_vec3 own_offset; // [m]
} cg_place;

typedef enum cg_action_kind {
    CG_ACTION_MOVE,   // to a place, in a straight line
    CG_ACTION_SHIFT,  // by a vector
    CG_ACTION_CIRCLE, // about an axis through a place, drifting by a vector
    CG_ACTION_WRAP,   // about the shaft of the tool of another hand
    CG_ACTION_TURN,   // on the spot
    CG_ACTION_LEVEL,  // on the spot, to no rotation
    CG_ACTION_CLOSE,
    CG_ACTION_OPEN,
    CG_ACTION_TAKE, // a tool
    CG_ACTION_JAWS  // to an opening
} cg_action_kind;

// What one hand does.
typedef struct cg_action {
    cg_action_kind kind;
    int line, column;
    int hand;
    cg_place place; // goal of a move, centre of a circle
    cg_vec3 shift;  // [m] of a shift, drift of a circle
    int other;      // hand that a wrap goes around, or in whose axes a shift is said; -1: those of the world
    bool has_radius, has_ahead;
    double radius;     // [m] from the shaft at the end of a wrap, and
    double ahead;      // [m] from the middle of the jaws towards the tips; else as it was
    cg_vec3 axis;      // of a circle, unit
    double angle;      // [rad] of a circle or wrap
    cg_vec3 turn_axis; // unit
    double turn;       // [rad] of the hand itself on its way
    double time;       // [s]
    cg_hand_tool tool; // that it takes
    double opening;    // of its jaws
    double force;      // [N] of its jaws

    // while it is under way
    cg_transform start;
    cg_vec3 centre; // of a circle, when it began
    cg_vec3 way;    // [m] of a shift, in the axes of the world
    cg_vec3 arm;    // of a wrap, when it began: from the middle of the jaws, in their axes
} cg_action;

typedef enum cg_condition_kind {
    CG_CONDITION_NEVER,
    CG_CONDITION_FORCE,    // of a hand, above or below
    CG_CONDITION_LAG,      // the same for its lag
    CG_CONDITION_TOUCH,    // thread and itself, another one or a shape
    CG_CONDITION_DISTANCE, // between two places, above or below
    CG_CONDITION_HELD,     // a hand holds thread, tissue, a body or nothing
    CG_CONDITION_OPENING,  // of the jaws of a hand, above or below
    CG_CONDITION_GAP,      // of a wound, above or below
    CG_CONDITION_STEP,     // by which one lip of a wound is higher than the other, above or below
    CG_CONDITION_ANCHORS,  // the largest force of a thread on tissue at an anchor, above or below
    CG_CONDITION_TORN,     // how far threads have torn a tissue, above or below
    CG_CONDITION_TURNS,    // of a thread around the tool of a hand, above or below
    CG_CONDITION_HOLES,    // that a thread and its parts go through, above or below
    CG_CONDITION_PARTED,   // a thread was cut or broke
    CG_CONDITION_THROWS,   // as a knot, by the notation of its throws
    CG_CONDITION_HOLDS,    // the knot holds so much in a pull test, above or below; of an expect alone, too
    CG_CONDITION_KNOT      // a thread, or two, have a knot of that name; of an expect alone: naming takes memory
} cg_condition_kind;

// What a hand may be asked to hold.
typedef enum cg_held_kind { CG_HELD_NOTHING, CG_HELD_THREAD, CG_HELD_TISSUE, CG_HELD_BODY } cg_held_kind;

typedef struct cg_condition {
    cg_condition_kind kind;
    bool below;   // true when the number is below the limit, else above
    bool negated; // holds when it does not
    double limit; // [N] or [m], or a number
    int hand;
    int tissue;         // of a tear, a gap or a step,
    cg_vec3 along;      // unit: the way of its wound
    int thread, other;  // of turns, of holes, of a parting or a touch; other thread, or
    int shape;          // -1: it is a thread
    cg_place places[2]; // of a distance; the first of a gap or a step
    cg_held_kind held;
    char knot[72]; // Rolfsen's name or a common one; the notation of throws
} cg_condition;

// The lines that do the part that a line is in, and the parts that those are in, the outermost first.
typedef struct cg_script_trail {
    int lines[CG_SCRIPT_NESTING];
    int depth;
} cg_script_trail;

typedef enum cg_line_kind {
    CG_LINE_STEP,   // a new step: `number`
    CG_LINE_ACT,    // actions, until all are over or the condition holds
    CG_LINE_EDIT,   // a tissue is cut, a piece of it separated, or what sticks merged: `edit`
    CG_LINE_LOOK,   // the camera stands at the first of `places` and looks at the second
    CG_LINE_EXPECT, // the condition holds, or the script fails
    CG_LINE_WAIT,   // `time`, or until the condition holds for at most `time`
    CG_LINE_REPEAT, // up to `number` times what stands before its end
    CG_LINE_TRY,    // up to `number` times what stands before its end, as long as that fails
    CG_LINE_AGAIN,  // what stands from here to the end of the try in line `partner` is done only after a failure
    CG_LINE_END     // of the repeat or try in line `partner`
} cg_line_kind;

typedef struct cg_line {
    cg_line_kind kind;
    int line, column;
    cg_script_trail trail;
    int first_action, action_count;
    cg_condition condition;
    double time;            // [s] of a wait
    bool go_on;             // a wait that is over without its condition is no failure
    int number;             // of the step; most turns of a repeat
    cg_operation_kind edit; // cut, separate or merge
    int tissue;             // of an edit
    cg_place places[2];     // where a cut begins and ends; where the piece is that is separated; of the camera
    cg_vec3 down;           // [m] of a cut: how far the blade reaches
    int partner;            // the other end of a repeat or try, as a place in the list of lines
    int again;              // of a try: the place of its `again`; 0: it has none

    char reason[120]; // why something is tried again

    // while it is under way
    int turns; // of a repeat or try, made
} cg_line;

typedef struct cg_script_step {
    char name[80];
    char text[256];
} cg_script_step;

typedef struct cg_script {
    cg_allocator allocator;
    char name[128]; // what errors call it
    cg_line *lines;
    int line_count;
    cg_action *actions;
    int action_count;
    cg_script_step *steps;
    int step_count;

    // while it runs
    cg_script_phase phase;
    int at;         // line that is done now
    int step;       // number of the step, from 1
    double begun;   // [s] when the line began
    bool under_way; // the line has begun
    int pulls;      // pull tests that were made
    cg_scene_error error;
} cg_script;

// Places that scripts of a session go to as `mark 1`, `mark 2`, ...
typedef struct cg_script_marks {
    cg_vec3 points[CG_SESSION_MOST_MARKS]; // [m]
    int count;
} cg_script_marks;

// Reads a script; names are looked up in the scene unless that is NULL, marks in `marks` unless that is. On failure
// *error says where.
cg_status cg_script_read(const char *text, size_t size, const char *name, const cg_scene *scene,
                         const cg_script_marks *marks, const cg_allocator *allocator, cg_script **script,
                         cg_scene_error *error);
// Whether it is where a script can be, and its lines name what is there: asserted at every step.
bool cg_script_is_sound(const cg_script *script);
// Gives it back. NULL is allowed.
void cg_script_free(cg_script *script);

// What a running script may do: apply an operation, and tell that it came to a step.
typedef struct cg_script_world {
    const cg_world *world;
    cg_status (*apply)(void *context, const cg_operation *operation);
    void (*tell)(void *context, const cg_script_step *step);
    void *context;
    void (*note)(void *context, const char *text); // what a recording has as an event
} cg_script_world;

// Does what comes before the world's next step. Only `expect` of knots takes memory, and gives it back.
void cg_script_advance(cg_script *script, const cg_script_world *world);

#endif
