#include "catgut/pull.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "trial/strands.h"
#include "world/world.h"

static const double STEP = 0.5e-3;     // [s] knots hold the same at 0.25 to 1 ms (docs/contact.md)
static const double DRAG = 1000;       // [1/s] what slips is slowed by friction, not by its mass
static const double REST = 0.02;       // [s] before the pull: what the hands let go of comes to rest
static const double GATHER = 0.01;     // [s] until the pull has its speed
static const double GAUGE = 4e-3;      // [s] time constant of what is read as the pull
static const double TAUT = 0.02;       // [N] from this pull on slip is counted
static const double FAILED = 1.8e-3;   // [m] of slip: what knot studies count as failed, of 3-0
static const double FAILED_RADII = 16; // and of thicker threads
static const double STRONG = 500e6;    // [Pa] what sutures bear in a knot: 18.9 N of 3-0 polypropylene (Naleway)
static const double TIGHT = 15;        // [radii] that a strand has in a throw that is drawn well, for each wrap
static const double MOST_STRAIN = 0.2; // of a thread that stretches before it bears that
enum { CONTACTS = 400 };

typedef struct pull {
    cg_world *world;
    cg_thread_id threads[2];
    int ends[2];     // vertex that is pulled
    cg_vec3 from[2]; // [m] where they are held in the beginning
    cg_vec3 way;     // unit, from the second to the first
    double taut;     // [m] distance of the ends that takes more than their legs and all that lies in the knot
    double loose;    // [m] of both strands in the knot that drawing it tight gives free, which is no slip
    double zero;     // [m] distance without stretch from which slip counts; negative: it does not yet
    double gauge;    // [N]
    double apart;    // [m] how far the ends were told to go
} pull;

cg_pull_def cg_pull_def_default(cg_thread_id thread)
{
    return (cg_pull_def){.thread = thread, .speed = 0.04};
}

double cg_pull_holding_force(const cg_pull_result *result)
{
    return result->outcome == CG_PULL_NO_KNOT ? 0 : result->force;
}

// --- the copy ---

static cg_thread_def def_of(const cg_strand *strand)
{
    const cg_thread *t = strand->thread;
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = strand->count;
    def.positions = t->shape.position + strand->first;
    def.rest_lengths = t->rest_length + strand->first;
    def.rest_shape = t->has_rest_shape ? def.positions : NULL; // its own one follows
    def.radius = t->radius;
    def.stretch_stiffness = t->stretch_stiffness;
    def.bend_stiffness = t->bend_stiffness;
    def.twist_stiffness = t->twist_stiffness;
    def.linear_density = t->linear_density;
    def.friction = t->friction;
    def.drag = fmax(t->drag, DRAG);
    def.damping_time = t->damping_time;
    def.inertia = t->inertia;
    def.breaking_force = t->breaking_force;
    def.yield_share = t->yield_share;
    def.yield_moment = t->yield_moment;
    return def;
}

#define COPY(field, number) memcpy(copy->field, t->field + strand->first, (size_t)(number) * sizeof *copy->field)

// What the definition does not tell: the shape at rest, and how the material lies.
static void copy_material(const cg_strand *strand, cg_thread *copy)
{
    const cg_thread *t = strand->thread;
    if (t->has_rest_shape) {
        COPY(rest_ahead, strand->count);
        COPY(rest_behind, strand->count);
    }
    if (t->twisting && copy->twisting) {
        COPY(shape.director, strand->count - 1);
        COPY(shape.reference_twist, strand->count);
        COPY(shape.angle, strand->count - 1);
        COPY(shape.torque, strand->count);
    }
}

static cg_status copy_strand(pull *p, int k, const cg_strand *strand)
{
    cg_thread_def def = def_of(strand);
    cg_status status = cg_world_add_thread(p->world, &def, &p->threads[k]);
    if (status.code != CG_OK) {
        return status;
    }
    copy_material(strand, cg_world_find_thread(p->world, p->threads[k]));
    p->ends[k] = strand->pulled_last ? strand->count - 1 : 0;
    p->from[k] = def.positions[p->ends[k]];
    status = cg_thread_hold(p->world, p->threads[k], p->ends[k], p->from[k]);
    bool breaks = status.code == CG_OK && def.breaking_force > 0;
    return breaks ? cg_world_reserve_parts(p->world, p->threads[k], 1) : status;
}

// How long the two strands are, and how much of it a knot of these throws does not need.
static void measure(const cg_strand strands[2], const cg_knot_report *knot, pull *p)
{
    int wraps = 0;
    for (int i = 0; i < knot->throw_count; i++) {
        wraps += knot->throws[i].wraps;
    }
    for (int k = 0; k < 2; k++) {
        p->taut += strands[k].leg + strands[k].knotted;
        p->loose += fmax(0, strands[k].knotted - TIGHT * wraps * strands[k].thread->radius);
    }
    p->zero = -1;
}

static cg_status make_copy(const cg_world *world, const cg_strand strands[2], pull *p)
{
    cg_world_def def = world->def;
    def.time_step = STEP;
    def.gravity = v3_zero();
    def.max_contacts = CONTACTS;
    def.max_threads = 4;
    def.max_shapes = def.max_hands = def.max_tissues = def.max_rigids = 0;
    def.clock = NULL;
    cg_status status = cg_world_create(&def, &p->world);
    for (int k = 0; k < 2 && status.code == CG_OK; k++) {
        status = copy_strand(p, k, &strands[k]);
    }
    p->way = v3_unit_or(v3_sub(p->from[0], p->from[1]), v3(1, 0, 0));
    return status;
}

// --- the pull ---

static double stretch_of(const pull *p)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const cg_thread *thread = cg_world_find_thread(p->world, p->threads[k]);
        for (int i = 0; i < thread->segment_count; i++) {
            sum += thread->shape.length[i] - thread->rest_length[i];
        }
    }
    return sum;
}

static cg_vec3 end_of(const pull *p, int k)
{
    return cg_thread_positions(p->world, p->threads[k], NULL)[p->ends[k]];
}

static double distance_of(const pull *p)
{
    return v3_distance(end_of(p, 0), end_of(p, 1)) - stretch_of(p);
}

// [m] 0 until the legs are taut and what lies loosely in the knot is used up.
static double slip_of(const pull *p)
{
    return p->zero >= 0 ? fmax(0, distance_of(p) - p->zero) : 0;
}

static double pull_of(const pull *p)
{
    double first = v3_dot(cg_thread_hold_force(p->world, p->threads[0], p->ends[0]), p->way);
    double second = v3_dot(cg_thread_hold_force(p->world, p->threads[1], p->ends[1]), p->way);
    return 0.5 * (first - second);
}

static void step(pull *p)
{
    for (int k = 0; k < 2; k++) {
        cg_vec3 to = v3_add_scaled(p->from[k], (k == 0 ? 0.5 : -0.5) * p->apart, p->way);
        cg_thread_hold(p->world, p->threads[k], p->ends[k], to);
    }
    cg_world_step(p->world);
}

static void read_gauge(pull *p)
{
    p->gauge += STEP / GAUGE * (pull_of(p) - p->gauge);
    if (p->zero < 0 && (p->gauge >= TAUT || distance_of(p) >= p->taut)) {
        p->zero = fmin(p->taut, distance_of(p) + p->loose);
    }
}

static bool has_broken(const cg_world *world)
{
    const cg_thread_break *breaks;
    return cg_world_breaks(world, &breaks) > 0;
}

static void run(pull *p, const cg_pull_def *def, double slip, double enough, cg_pull_result *result)
{
    for (double time = 0; time < REST; time += STEP) {
        step(p);
    }
    p->gauge = pull_of(p);
    int most = (int)fmin(CG_PULL_MOST_STEPS, 4 * (p->taut + slip) / (def->speed * STEP));
    result->outcome = CG_PULL_STUCK;
    for (int n = 0; n < most && result->outcome == CG_PULL_STUCK; n++) {
        double pulled = pull_of(p);
        p->apart += def->speed * STEP * fmin(1, n * STEP / GATHER);
        step(p);
        if (has_broken(p->world)) {
            result->outcome = CG_PULL_BROKE; // at what it had come to, which the gauge has not yet
            result->force = fmax(result->force, pulled);
            break;
        }
        read_gauge(p);
        result->seconds += STEP;
        result->force = fmax(result->force, p->gauge);
        result->slip = slip_of(p);
        result->outcome = p->gauge >= enough ? CG_PULL_HELD : result->slip >= slip ? CG_PULL_SLIPPED : CG_PULL_STUCK;
    }
}

static cg_status check_def(const cg_pull_def *def)
{
    bool good =
        def->speed > 0 && def->speed <= 1 && def->slip >= 0 && def->slip <= 1 && def->enough >= 0 && def->enough <= 1e6;
    return good ? cg_ok()
                : cg_error(CG_BAD_INPUT,
                           "a pull at %g m/s until a slip of %g m or %g N; expected above 0 and at most 1 "
                           "m/s, 0 to 1 m, 0 to 1e6 N",
                           def->speed, def->slip, def->enough);
}

// [N] What the thread bears in a knot.
static double strength_of(const cg_thread *thread)
{
    double section = CG_PI * thread->radius * thread->radius;
    return fmin(STRONG * section, MOST_STRAIN * thread->stretch_stiffness);
}

cg_status cg_pull_test(const cg_world *world, const cg_pull_def *def, cg_pull_result *result)
{
    *result = (cg_pull_result){.outcome = CG_PULL_NO_KNOT};
    cg_strand strands[2];
    bool found = false;
    cg_status status = check_def(def);
    status = status.code == CG_OK ? cg_strands_find(world, def, &result->knot, strands, &found) : status;
    if (status.code != CG_OK || !found) {
        return status;
    }
    pull p = {0};
    status = make_copy(world, strands, &p);
    if (status.code == CG_OK) {
        measure(strands, &result->knot, &p);
        const cg_thread *thread = strands[0].thread;
        double slip = def->slip > 0 ? def->slip : fmax(FAILED, FAILED_RADII * thread->radius);
        run(&p, def, slip, def->enough > 0 ? def->enough : strength_of(thread), result);
    }
    cg_world_destroy(p.world);
    return status;
}

// --- in words ---

static const char PREFIX[] = "pull test: ";
static const char *const OUTCOMES[] = {"no knot", "slipped", "broke", "held", "stuck"};
enum { OUTCOME_COUNT = sizeof OUTCOMES / sizeof OUTCOMES[0] };

const char *cg_pull_outcome_word(cg_pull_outcome outcome)
{
    return (int)outcome >= 0 && (int)outcome < OUTCOME_COUNT ? OUTCOMES[outcome] : "unknown";
}

void cg_pull_tell(const cg_pull_result *result, char *text, int room)
{
    const cg_knot_report *knot = &result->knot;
    snprintf(text, (size_t)room, "%s%s at %.4g N, slip %.4g mm; knot %s, throws %s%s%s", PREFIX,
             cg_pull_outcome_word(result->outcome), cg_pull_holding_force(result), 1e3 * result->slip, knot->name,
             knot->throws_text[0] ? knot->throws_text : "none", knot->common[0] ? ", " : "", knot->common);
}

static bool take(const char **text, const char *word)
{
    size_t length = strlen(word);
    bool is_there = strncmp(*text, word, length) == 0;
    *text += is_there ? length : 0;
    return is_there;
}

static bool take_number(const char **text, double *value)
{
    size_t length;
    if (cg_number_scan(*text, strlen(*text), &length) != CG_NUMBER_FINE || !cg_number_value(*text, length, 0, value)) {
        return false;
    }
    *text += length;
    return true;
}

// Up to the next comma, or the end.
static bool take_name(const char **text, char *name, size_t room)
{
    size_t length = strcspn(*text, ",");
    if (length == 0 || length >= room) {
        return false;
    }
    memcpy(name, *text, length);
    name[length] = '\0';
    *text += length;
    return true;
}

bool cg_pull_read(const char *text, cg_pull_result *result)
{
    *result = (cg_pull_result){0};
    cg_knot_report *knot = &result->knot;
    bool known = false;
    if (!take(&text, PREFIX)) {
        return false;
    }
    for (int k = 0; k < OUTCOME_COUNT && !known; k++) {
        known = take(&text, OUTCOMES[k]);
        result->outcome = (cg_pull_outcome)k;
    }
    double slip = 0;
    bool good = known && take(&text, " at ") && take_number(&text, &result->force) && take(&text, " N, slip ") &&
                take_number(&text, &slip) && take(&text, " mm; knot ") &&
                take_name(&text, knot->name, sizeof knot->name) && take(&text, ", throws ") &&
                take_name(&text, knot->throws_text, sizeof knot->throws_text);
    result->slip = 1e-3 * slip;
    if (strcmp(knot->throws_text, "none") == 0) {
        knot->throws_text[0] = '\0';
    }
    return good && (*text == '\0' ||
                    (take(&text, ", ") && take_name(&text, knot->common, sizeof knot->common) && *text == '\0'));
}
