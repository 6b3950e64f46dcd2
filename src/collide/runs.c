#include "collide/runs.h"

#include <assert.h>

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_bits __attribute__((vector_size(16)));
typedef int64_t two_bits __attribute__((vector_size(16)));

static four load(const float *from)
{
    return (four){from[0], from[1], from[2], from[3]};
}

static four all_of(float value)
{
    return (four){value, value, value, value};
}

// Bit k is set where lane k of the answer of a comparison is true.
static int bits_of(four_bits answer)
{
    two_bits halves = (two_bits)answer;
    if ((halves[0] | halves[1]) == 0) {
        return 0;
    }
    return (answer[0] & 1) | (answer[1] & 2) | (answer[2] & 4) | (answer[3] & 8);
}

// Inlined into both forms of the loop below, so that a still scene pays nothing for motion.
static inline __attribute__((always_inline)) int near_four(const cg_spheres *others, int one, const cg_spheres *all,
                                                           int first, float reach, bool is_moving)
{
    four x = load(all->x + first) - all_of(others->x[one]);
    four y = load(all->y + first) - all_of(others->y[one]);
    four z = load(all->z + first) - all_of(others->z[one]);
    four limit = load(all->radius + first) + all_of(others->radius[one] + reach);
    if (is_moving) {
        four ux = load(all->ux + first) - all_of(others->ux[one]);
        four uy = load(all->uy + first) - all_of(others->uy[one]);
        four uz = load(all->uz + first) - all_of(others->uz[one]);
        four uu = ux * ux + uy * uy + uz * uz;
        four u = {sqrtf(uu[0]), sqrtf(uu[1]), sqrtf(uu[2]), sqrtf(uu[3])};
        limit += u + load(all->spread + first) + all_of(others->spread[one]);
    }
    return bits_of((four_bits)(x * x + y * y + z * z < limit * limit));
}

int cg_spheres_near(const cg_spheres *others, int one, const cg_spheres *all, int first, float reach, bool is_moving)
{
    return is_moving ? near_four(others, one, all, first, reach, true)
                     : near_four(others, one, all, first, reach, false);
}

// Layout

static void spheres_layout(cg_spheres *spheres, int count, bool with_motion, cg_arena *arena)
{
    spheres->count = (count + 7) / 8 * 8;
    float **arrays[8] = {&spheres->x,  &spheres->y,  &spheres->z,  &spheres->radius,
                         &spheres->ux, &spheres->uy, &spheres->uz, &spheres->spread};
    for (int i = 0; i < (with_motion ? 8 : 4); i++) {
        *arrays[i] = cg_arena_push_array(arena, float, spheres->count);
    }
}

void cg_runs_layout(cg_runs *runs, int max_chains, int max_segments, bool with_motion, cg_arena *arena)
{
    *runs = (cg_runs){.chain_capacity = max_chains};
    int run_capacity = max_segments / CG_RUN_LENGTH + max_chains;
    runs->run_capacity = (run_capacity + CG_RUN_LENGTH - 1) / CG_RUN_LENGTH * CG_RUN_LENGTH;
    runs->is_moving = with_motion;
    runs->first_run = cg_arena_push_array(arena, int, max_chains + 1);
    runs->chain_of = cg_arena_push_array(arena, int, runs->run_capacity);
    runs->straight_runs = cg_arena_push_array(arena, int, runs->run_capacity);
    runs->first_far = cg_arena_push_array(arena, int, runs->run_capacity *CG_RUN_LENGTH);
    spheres_layout(&runs->slots, runs->run_capacity * CG_RUN_LENGTH, with_motion, arena);
    spheres_layout(&runs->runs, runs->run_capacity, with_motion, arena);
    spheres_layout(&runs->blocks, runs->run_capacity / CG_RUN_LENGTH, with_motion, arena);
}

// Filling

static void set_empty(cg_spheres *spheres, int i)
{
    spheres->x[i] = spheres->y[i] = spheres->z[i] = NAN;
    spheres->radius[i] = 0;
    if (spheres->ux) {
        spheres->ux[i] = spheres->uy[i] = spheres->uz[i] = spheres->spread[i] = 0;
    }
}

// The largest distance along an axis of any finite point from the first one, and of any finite displacement.
typedef struct extent {
    cg_vec3 low, high, move_low, move_high;
} extent;

static void widen(cg_vec3 *low, cg_vec3 *high, cg_vec3 p)
{
    low->x = p.x < low->x ? p.x : low->x;
    low->y = p.y < low->y ? p.y : low->y;
    low->z = p.z < low->z ? p.z : low->z;
    high->x = p.x > high->x ? p.x : high->x;
    high->y = p.y > high->y ? p.y : high->y;
    high->z = p.z > high->z ? p.z : high->z;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double widest(cg_vec3 low, cg_vec3 high)
{
    return larger(larger(high.x - low.x, high.y - low.y), high.z - low.z);
}

static extent measure(const cg_chain *chains, const cg_vec3 *const *moves, int count)
{
    cg_vec3 top = v3(INFINITY, INFINITY, INFINITY), bottom = v3_neg(top);
    extent e = {top, bottom, top, bottom};
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < chains[c].count; i++) {
            cg_vec3 p = chains[c].points[i], u = moves ? moves[c][i] : v3_zero();
            if (v3_is_finite(p) && v3_is_finite(u)) {
                widen(&e.low, &e.high, p);
                widen(&e.move_low, &e.move_high, u);
            }
        }
    }
    return e;
}

// A sphere of doubles on its way to single precision.
typedef struct sphere {
    cg_vec3 centre, move;
    double radius, spread;
} sphere;

static void set_sphere(cg_spheres *spheres, int i, const sphere *s)
{
    spheres->x[i] = (float)s->centre.x;
    spheres->y[i] = (float)s->centre.y;
    spheres->z[i] = (float)s->centre.z;
    spheres->radius[i] = (float)s->radius;
    if (spheres->ux) {
        spheres->ux[i] = (float)s->move.x;
        spheres->uy[i] = (float)s->move.y;
        spheres->uz[i] = (float)s->move.z;
        spheres->spread[i] = (float)s->spread;
    }
}

static sphere sphere_at(const cg_spheres *spheres, int i)
{
    sphere s = {v3(spheres->x[i], spheres->y[i], spheres->z[i]), v3_zero(), spheres->radius[i], 0};
    if (spheres->ux) {
        s.move = v3(spheres->ux[i], spheres->uy[i], spheres->uz[i]);
        s.spread = spheres->spread[i];
    }
    return s;
}

// The sphere around eight spheres of the level below, those that are not empty.
static void enclose_eight(cg_spheres *above, int i, const cg_spheres *below)
{
    sphere around = {v3_zero(), v3_zero(), 0, 0};
    int used = 0;
    for (int k = 8 * i; k < 8 * i + 8; k++) {
        if (below->x[k] == below->x[k]) {
            sphere s = sphere_at(below, k);
            around.centre = v3_add(around.centre, s.centre);
            around.move = v3_add(around.move, s.move);
            used++;
        }
    }
    if (used == 0) {
        set_empty(above, i);
        return;
    }
    around.centre = v3_scale(1.0 / used, around.centre);
    around.move = v3_scale(1.0 / used, around.move);
    for (int k = 8 * i; k < 8 * i + 8; k++) {
        if (below->x[k] == below->x[k]) {
            sphere s = sphere_at(below, k);
            around.radius = larger(around.radius, v3_distance(s.centre, around.centre) + s.radius);
            if (above->ux) {
                around.spread = larger(around.spread, v3_distance(s.move, around.move) + s.spread);
            }
        }
    }
    set_sphere(above, i, &around);
}

static void fill_slots(cg_runs *runs, const cg_chain *chain, const cg_vec3 *moves, int first_slot)
{
    double scale = 1 / runs->unit;
    int segments = chain->count - 1, slots = (segments + CG_RUN_LENGTH - 1) / CG_RUN_LENGTH * CG_RUN_LENGTH;
    for (int i = 0; i < slots; i++) {
        cg_vec3 a = i < segments ? chain->points[i] : v3(NAN, 0, 0);
        cg_vec3 b = i < segments ? chain->points[i + 1] : v3(NAN, 0, 0);
        cg_vec3 ua = moves && i < segments ? moves[i] : v3_zero();
        cg_vec3 ub = moves && i < segments ? moves[i + 1] : v3_zero();
        if (!v3_is_finite(a) || !v3_is_finite(b) || !v3_is_finite(ua) || !v3_is_finite(ub)) {
            set_empty(&runs->slots, first_slot + i);
            continue;
        }
        sphere s = {v3_scale(scale, v3_sub(v3_scale(0.5, v3_add(a, b)), runs->middle)), v3_zero(),
                    scale * (0.5 * v3_distance(a, b) + chain->radius), 0};
        if (moves) {
            s.move = v3_scale(scale, v3_sub(v3_scale(0.5, v3_add(ua, ub)), runs->mean_move));
            s.spread = scale * 0.5 * v3_distance(ua, ub);
        }
        set_sphere(&runs->slots, first_slot + i, &s);
    }
}

static void fill_first_far(cg_runs *runs, const cg_chain *chain, int first_slot, const cg_neighbour_rule *rule)
{
    int segments = chain->count - 1, far = 0;
    for (int i = 0; i < segments; i++) {
        far = far > i + 2 ? far : i + 2;
        while (far < segments && are_near_by_arc(chain, i, far, rule)) {
            far++;
        }
        runs->first_far[first_slot + i] = first_slot + far;
    }
}

// True when every segment of the run goes at least `share` of its rest length along `axis`.
static bool run_goes_along(const cg_chain *chain, int run, cg_vec3 axis, double share)
{
    int last = CG_RUN_LENGTH * (run + 1) < chain->count - 1 ? CG_RUN_LENGTH * (run + 1) : chain->count - 1;
    for (int i = CG_RUN_LENGTH * run; i < last; i++) {
        double along = v3_dot(v3_sub(chain->points[i + 1], chain->points[i]), axis);
        if (!(along > share * (chain->arc[i + 1] - chain->arc[i]) * (1 + 1e-9))) {
            return false;
        }
    }
    return true;
}

// A piece whose segments all go along one axis for `straightness` of their rest length or more: any two of its segments
// are farther apart along that axis than straightness times the arc between them, so the piece holds no pair.
static void fill_straight_runs(cg_runs *runs, const cg_chain *chain, int first_run, int run_count, double straightness)
{
    enum { MOST = 4 };
    for (int r = 0; r < run_count; r++) {
        int last = CG_RUN_LENGTH * (r + 1) < chain->count - 1 ? CG_RUN_LENGTH * (r + 1) : chain->count - 1;
        cg_vec3 chord = v3_sub(chain->points[last], chain->points[CG_RUN_LENGTH * r]);
        cg_vec3 axis = v3_unit_or(chord, v3_zero());
        int straight = 0;
        while (straightness > 0 && straight < MOST && r + straight < run_count &&
               run_goes_along(chain, r + straight, axis, straightness)) {
            straight++;
        }
        runs->straight_runs[first_run + r] = straight;
    }
}

static bool count_runs(cg_runs *runs, const cg_chain *chains, int count)
{
    runs->run_count = 0;
    if (count > runs->chain_capacity) {
        return false;
    }
    for (int c = 0; c < count; c++) {
        runs->first_run[c] = runs->run_count;
        int needed = (chains[c].count - 1 + CG_RUN_LENGTH - 1) / CG_RUN_LENGTH;
        if (needed > runs->run_capacity - runs->run_count) {
            runs->run_count = 0;
            return false;
        }
        for (int r = 0; r < needed; r++) {
            runs->chain_of[runs->run_count++] = c;
        }
    }
    runs->first_run[count] = runs->run_count;
    return true;
}

bool cg_runs_build(cg_runs *runs, const cg_chain *chains, const cg_vec3 *const *moves, int count,
                   const cg_neighbour_rule *rule, double least_unit)
{
    assert(!moves || runs->slots.ux);
    runs->is_moving = moves != NULL;
    bool fits = count_runs(runs, chains, count);
    runs->slot_count = CG_RUN_LENGTH * runs->run_count;
    extent e = measure(chains, moves, fits ? count : 0);
    runs->middle = v3_scale(0.5, v3_add(e.low, e.high));
    runs->mean_move = v3_scale(0.5, v3_add(e.move_low, e.move_high));
    runs->unit = larger(0.5 * larger(widest(e.low, e.high), widest(e.move_low, e.move_high)), least_unit);
    for (int c = 0; c < count && fits; c++) {
        int first_run = runs->first_run[c], first_slot = CG_RUN_LENGTH * first_run;
        fill_slots(runs, &chains[c], moves ? moves[c] : NULL, first_slot);
        fill_first_far(runs, &chains[c], first_slot, rule);
        fill_straight_runs(runs, &chains[c], first_run, runs->first_run[c + 1] - first_run, rule->straightness);
    }
    int padded = (runs->run_count + CG_RUN_LENGTH - 1) / CG_RUN_LENGTH * CG_RUN_LENGTH;
    for (int r = 0; r < padded; r++) {
        if (r < runs->run_count) {
            enclose_eight(&runs->runs, r, &runs->slots);
        } else {
            set_empty(&runs->runs, r);
        }
    }
    int blocks = padded / CG_RUN_LENGTH, padded_blocks = (blocks + 3) / 4 * 4;
    for (int b = 0; b < padded_blocks; b++) {
        if (b < blocks) {
            enclose_eight(&runs->blocks, b, &runs->runs);
        } else {
            set_empty(&runs->blocks, b);
        }
    }
    return fits;
}

// Visiting

float cg_runs_reach(const cg_runs *runs, double reach)
{
    return (float)(reach / runs->unit) + CG_RUN_SLACK;
}

long cg_runs_visit_two(const cg_runs *runs, int g, int h, float reach, bool skip_straight, cg_slot_pair_visitor *visit,
                       void *context)
{
    bool is_one_chain = runs->chain_of[g] == runs->chain_of[h];
    if (is_one_chain && skip_straight && h - g < runs->straight_runs[g]) {
        return 0;
    }
    int end = CG_RUN_LENGTH * (h + 1);
    long tests = 0;
    for (int i = CG_RUN_LENGTH * g; i < CG_RUN_LENGTH * (g + 1); i++) {
        if (runs->slots.x[i] != runs->slots.x[i]) {
            continue;
        }
        int from = CG_RUN_LENGTH * h;
        if (is_one_chain && runs->first_far[i] > from) {
            from = runs->first_far[i];
        }
        for (int j = from & ~3; j < end; j += 4) {
            int bits = cg_spheres_near(&runs->slots, i, &runs->slots, j, reach, runs->is_moving);
            tests += 4;
            for (int k = 0; bits != 0; k++, bits >>= 1) {
                if ((bits & 1) && j + k >= from) {
                    visit(context, i, j + k);
                }
            }
        }
    }
    return tests;
}

static long visit_blocks(const cg_runs *runs, int b, int c, float reach, bool skip_straight,
                         cg_slot_pair_visitor *visit, void *context)
{
    long tests = 0;
    for (int g = CG_RUN_LENGTH * b; g < CG_RUN_LENGTH * (b + 1) && g < runs->run_count; g++) {
        int from = b == c ? g : CG_RUN_LENGTH * c;
        for (int h = from & ~3; h < CG_RUN_LENGTH * (c + 1); h += 4) {
            int bits = cg_spheres_near(&runs->runs, g, &runs->runs, h, reach, runs->is_moving);
            tests += 4;
            for (int k = 0; bits != 0; k++, bits >>= 1) {
                if ((bits & 1) && h + k >= from) {
                    tests += cg_runs_visit_two(runs, g, h + k, reach, skip_straight, visit, context);
                }
            }
        }
    }
    return tests;
}

long cg_runs_visit(const cg_runs *runs, double reach, bool skip_straight, cg_slot_pair_visitor *visit, void *context)
{
    float limit = cg_runs_reach(runs, reach);
    int blocks = (runs->run_count + CG_RUN_LENGTH - 1) / CG_RUN_LENGTH;
    long tests = 0;
    for (int b = 0; b < blocks; b++) {
        for (int c = b & ~3; c < blocks; c += 4) {
            int bits = cg_spheres_near(&runs->blocks, b, &runs->blocks, c, limit, runs->is_moving);
            tests += 4;
            for (int k = 0; bits != 0; k++, bits >>= 1) {
                if ((bits & 1) && c + k >= b) {
                    tests += visit_blocks(runs, b, c + k, limit, skip_straight, visit, context);
                }
            }
        }
    }
    return tests;
}
