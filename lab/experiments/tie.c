// Procedures with instruments, each over variations that are drawn from a seed: suture, friction, time step, where the
// tools begin, and what the thread lies around; of the stitch wound, skin, pad and needle. A script ties by contacts
// and friction alone and says itself what went wrong. A row tells what came of a variation; what is asked for is nine
// in ten of them.
//
// SEED is that of the variations that judge; scripts were adjusted on others (docs/knots.md).
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "experiments/experiment.h"
#include "experiments/tie_rig.h"
#include "rough/draw.h"

static void run(cg_report *report);
static bool has_part(const char *part);

const cg_experiment cg_experiment_tie = {
    .name = "tie",
    .summary =
        "knots and a stitch tied with instruments, over sutures, frictions, steps, pegs, wounds, needles and pads "
        "drawn from a seed",
    .source = "18 of 20 variations are asked for; --long ties them, else one of each is begun",
    .run = run,
    .parts = "square, surgeon's or stitch, and behind a second / variations of it: stitch/3, stitch/1-10",
    .has_part = has_part,
    .is_drawn = true,
};

static const uint64_t SEED = 22;
enum { VARIATIONS = 20 };
enum { TOLD = 96 };          // bytes about what is varied
enum { MOST_SECONDS = 150 }; // a stitch takes 70, a throw of it that is done again 9
static const double PI = 3.14159265358979323846;

typedef struct variation {
    cg_draw random;
    char suture[48];
    double friction, time_step; // [s]
    double peg;                 // [mm] radius of what it is tied around
    double wound;               // [mm] how wide the wound is
    double skin;                // [kPa] Young's modulus of the skin around it
    const char *needle;         // of the catalogue
    double across, along, fat;  // [mm] the pad: across the wound, along it, and how thick the fat below the skin is
    cg_vec3 start;              // [mm] of the tool, beside where the scene has it; of the needle, half of that
} variation;

// A procedure: what is run, how its scene is varied, what must come of it, and which of its steps the short version
// must get to: of knots until the tail is caught in the turn, of the stitch until the driver has the needle.
typedef struct procedure {
    const char *name, *scene, *script;
    void (*vary)(cg_tie_text *scene, const variation *v);
    void (*tell)(const variation *v, char text[TOLD]); // what is varied beside thread and step
    const char *throws;
    int begun;
} procedure;

static double draw(variation *v, double low, double high)
{
    return cg_draw_between(&v->random, low, high);
}

// What is drawn by a later version is drawn last: what a seed had before stays as it is.
static variation draw_variation(uint64_t seed, int number)
{
    static const char *const sizes[] = {"2-0", "3-0", "4-0", "5-0"};
    static const char *const materials[] = {"nylon", "silk", "polypropylene"};
    static const char *const needles[] = {"round 18", "round 22", "round 26"}; // half circles for 4-0 to 2-0
    variation v = {.random = cg_draw_begin(seed, number)};
    const char *size = sizes[(int)draw(&v, 0, 4)], *material = materials[(int)draw(&v, 0, 3)];
    snprintf(v.suture, sizeof v.suture, "%s %s", size, material);
    v.friction = draw(&v, 0.2, 0.4);
    v.time_step = draw(&v, 0.5e-3, 2e-3);
    v.peg = draw(&v, 2.5, 3.4);
    v.start = (cg_vec3){draw(&v, -3, 3), draw(&v, -3, 3), draw(&v, -3, 3)};
    v.wound = draw(&v, 2, 6);
    v.skin = draw(&v, 160, 240);
    v.needle = needles[(int)draw(&v, 0, 3)];
    v.across = draw(&v, 70, 84);
    v.along = draw(&v, 24, 32);
    v.fat = draw(&v, 5, 7);
    return v;
}

static void vary_thread(cg_tie_text *scene, const variation *v)
{
    cg_tie_put(scene, "3-0 nylon", "%s", v->suture);
    cg_tie_put(scene, "\"drag\"", "\"friction\": %.4f, \"drag\"", v->friction);
    cg_tie_put(scene, "\"gravity\"", "\"time_step\": \"%.5f ms\", \"gravity\"", 1e3 * v->time_step);
}

// The thread around a peg of another radius, and the banks beside it as near as they were: half a millimetre.
static void vary_peg(cg_tie_text *scene, const variation *v)
{
    enum { PARTS = 12 };
    static const double STANDING = 75, TAIL = 34, SPACING = 0.5, BANK = 6, DOWN = 4.5; // [mm]
    double around = v->peg + 0.207, way = STANDING; // a polygon around the peg, with room for 2-0
    char text[2048];
    int used = snprintf(text, sizeof text, "\"points\": [[0, \"%.4f mm\", \"%g mm\"]", -around, STANDING);
    for (int i = 0; i <= PARTS; i++) {
        double angle = PI * i / PARTS;
        used += snprintf(text + used, sizeof text - (size_t)used, ", [0, \"%.4f mm\", \"%.4f mm\"]",
                         -around * cos(angle), -around * sin(angle));
        way += i > 0 && i <= PARTS / 2 ? 2 * around * sin(0.5 * PI / PARTS) : 0;
    }
    snprintf(text + used, sizeof text - (size_t)used, ", [0, \"%.4f mm\", \"%.4f mm\"],", around + TAIL * cos(PI / 6),
             TAIL * sin(PI / 6));
    cg_tie_put_span(scene, "\"points\"", "\"17 mm\"],", text);
    cg_tie_put(scene, "\"vertex\": 160, \"target\": [0, 0, \"-3.13 mm\"]",
               "\"vertex\": %d, \"target\": [0, 0, \"%.4f mm\"]", (int)floor(way / SPACING + 0.5), -around);
    cg_tie_put(scene, "\"radius\": \"2.95 mm\"", "\"radius\": \"%.4f mm\"", v->peg);
    double aside = sqrt((v->peg + BANK + 0.58) * (v->peg + BANK + 0.58) - DOWN * DOWN);
    cg_tie_put(scene, "\"-8.4 mm\"", "\"%.4f mm\"", -aside);
    cg_tie_put(scene, "\"8.4 mm\"", "\"%.4f mm\"", aside);
    cg_tie_put(scene, "[0, \"-3.13 mm\", \"56 mm\"]", "[0, \"%.4f mm\", \"56 mm\"]", -around);
    cg_tie_put(scene, "[\"25 mm\", \"5 mm\", \"28 mm\"]", "[\"%.4f mm\", \"%.4f mm\", \"%.4f mm\"]", 25 + v->start.x,
               5 + v->start.y, 28 + v->start.z);
    vary_thread(scene, v);
}

// A wound that gapes more or less in a skin that is softer or stiffer, on a pad of another size, and another needle
// that lies elsewhere with its thread: the middle of its circle where that of the scene is, 6.9392 mm from its end, or
// up to 1.5 mm beside it.
static void vary_wound(cg_tie_text *scene, const variation *v)
{
    static const double OWN_RADIUS = 6.9392; // [mm] of the needle in the scene
    cg_needle_kind kind;
    if (!cg_needle_catalogue_find(v->needle, &kind, NULL, 0)) {
        snprintf(scene->why, CG_TIE_WHY, "there is no needle %s", v->needle);
        return;
    }
    double x = 0.5 * v->start.x + OWN_RADIUS - 1e3 * cg_needle_kind_needle(&kind).radius, y = 0.5 * v->start.y;
    cg_tie_put(scene, "\"round 22\"", "\"%s\"", v->needle);
    cg_tie_put(scene, "\"width\": \"76 mm\"", "\"width\": \"%.4f mm\"", v->across);
    cg_tie_put(scene, "\"length\": \"26 mm\"", "\"length\": \"%.4f mm\"", v->along);
    cg_tie_put(scene, "\"thickness\": \"6 mm\"", "\"thickness\": \"%.4f mm\"", v->fat);
    cg_tie_put(scene, "\"width\": \"3 mm\"", "\"width\": \"%.4f mm\"", v->wound);
    cg_tie_put(scene, "\"200 kPa\"", "\"%.4f kPa\"", v->skin);
    cg_tie_put(scene, "[\"-6.9392 mm\", \"-15.5 mm\"", "[\"%.4f mm\", \"%.4f mm\"", x - OWN_RADIUS, -15.5 + y);
    cg_tie_put(scene, "[\"-22.3 mm\", \"-129.1 mm\"", "[\"%.4f mm\", \"%.4f mm\"", -22.3 + x, -129.1 + y);
    vary_thread(scene, v);
}

// What the row of a variation says about what is tied around, and of a stitch about its needle and pad.
static void tell_peg(const variation *v, char text[TOLD])
{
    snprintf(text, TOLD, "peg %.2f mm", v->peg);
}

static void tell_wound(const variation *v, char text[TOLD])
{
    snprintf(text, TOLD, "wound %.2f mm, needle %s, pad %.0f x %.0f mm, fat %.1f mm", v->wound, v->needle, v->across,
             v->along, v->fat);
}

static const procedure PROCEDURES[] = {
    {"square", "instrument-tie", "instrument-square", vary_peg, tell_peg, "1=1", 4},
    {"surgeon's", "instrument-tie", "instrument-surgeon", vary_peg, tell_peg, "2=1", 4},
    {"stitch", "interrupted-stitch", "interrupted-stitch", vary_wound, tell_wound, "2=1=1=1", 1},
};
enum { PROCEDURE_COUNT = sizeof PROCEDURES / sizeof *PROCEDURES };

// Steps until the script is over or, in the short version, has come far enough.
static cg_script_state play(cg_session *session, int enough)
{
    int most = (int)(MOST_SECONDS / cg_session_time_step(session));
    cg_script_state state = cg_session_get_script(session);
    for (int n = 0; n < most && state.phase == CG_SCRIPT_RUNNING && (enough == 0 || state.step <= enough); n++) {
        cg_session_step(session);
        state = cg_session_get_script(session);
    }
    return state;
}

// Whether all is as asked for but what the knot holds: that is a column of its row. Scripts ask for it in their last
// line, when gap and throws are known to be right.
static bool is_only_weak(const cg_script_state *state)
{
    return state->phase == CG_SCRIPT_FAILED && strstr(state->error.message, "pull test: ") != NULL;
}

static cg_pull_result load(cg_session *session)
{
    cg_pull_result result = {.outcome = CG_PULL_NO_KNOT};
    cg_session_pull_test(session, 0, &result);
    return result;
}

// What came of one, as a row: the throws that are there, simulated time, what they hold, steps that could not be made
// whole, contacts for which there was no room; behind a failure the script's own words.
static bool tie_one(cg_report *report, const procedure *p, int number)
{
    static cg_tie_text scene;
    cg_tie_run one;
    variation v = draw_variation(report->seed != 0 ? report->seed : SEED, number);
    cg_tie_read(&scene, p->scene);
    p->vary(&scene, &v);
    bool tied = false;
    if (!cg_tie_open(&one, &scene, p->script)) {
        cg_report_trouble(report, "%s", one.why);
    } else {
        cg_script_state state = play(one.session, report->thorough ? 0 : p->begun);
        cg_world_stats stats = cg_world_get_stats(cg_session_world(one.session));
        cg_pull_result pull = report->thorough ? load(one.session) : (cg_pull_result){.outcome = CG_PULL_NO_KNOT};
        bool is_done = state.phase == CG_SCRIPT_DONE || is_only_weak(&state);
        tied = report->thorough ? is_done && strcmp(pull.knot.throws_text, p->throws) == 0
                                : state.phase == CG_SCRIPT_RUNNING;
        char told[TOLD];
        p->tell(&v, told);
        cg_report_check(report, 1, tied, 1, "1",
                        "%s %d: %s, friction %.2f, %.2f ms, %s: %s, %.2f s, %.3g N, %d unfinished, %d lost%s%s",
                        p->name, number + 1, v.suture, v.friction, 1e3 * v.time_step, told,
                        pull.knot.throws_text[0] != '\0' ? pull.knot.throws_text : "-",
                        cg_world_time(cg_session_world(one.session)), cg_pull_holding_force(&pull),
                        (int)stats.unfinished_steps, (int)stats.lost_contacts, tied ? "" : "; ",
                        tied ? "" : state.error.message);
    }
    cg_tie_close(&one);
    return tied;
}

// What is asked for: variations of procedures, counted from 0.
typedef struct choice {
    int procedure, end_procedure;
    int first, end;
} choice;

// Reads "stitch", "stitch/3" or "stitch/1-10"; false when there is no such part.
static bool read_part(const char *part, choice *c)
{
    size_t name = strcspn(part, "/");
    for (int k = 0; k < PROCEDURE_COUNT; k++) {
        if (strlen(PROCEDURES[k].name) == name && strncmp(PROCEDURES[k].name, part, name) == 0) {
            c->procedure = k;
            c->end_procedure = k + 1;
            if (part[name] == '\0') {
                return true;
            }
            int read = 0, first, last;
            if (sscanf(part + name, "/%d%n", &first, &read) != 1) {
                return false;
            }
            last = first;
            const char *rest = part + name + read;
            if (*rest != '\0' && (sscanf(rest, "-%d%n", &last, &read) != 1 || rest[read] != '\0')) {
                return false;
            }
            c->first = first - 1;
            c->end = last;
            return first >= 1 && first <= last && last <= VARIATIONS;
        }
    }
    return false;
}

static bool has_part(const char *part)
{
    choice c;
    return read_part(part, &c);
}

static void run(cg_report *report)
{
    choice c = {.end_procedure = PROCEDURE_COUNT, .end = report->thorough ? VARIATIONS : 1};
    if (report->part != NULL && !read_part(report->part, &c)) {
        cg_report_trouble(report, "there is no part %s", report->part);
    }
    for (int k = c.procedure; k < c.end_procedure; k++) {
        int tied = 0;
        for (int i = c.first; i < c.end; i++) {
            tied += tie_one(report, &PROCEDURES[k], i);
        }
        cg_report_check(report, c.end - c.first, tied, 0.1, "1", "%s: %s, of %d", PROCEDURES[k].name,
                        report->thorough ? "tied" : "begun", c.end - c.first);
    }
}
