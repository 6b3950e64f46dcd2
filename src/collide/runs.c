#include "collide/runs.h"

#include <assert.h>

// Layout

// Room for `count` spheres, and for reading four at a time.
static void spheres_layout(cg_spheres *spheres, int count, bool with_motion, cg_arena *arena)
{
    count = (count + 3) / 4 * 4;
    float **arrays[8] = {&spheres->x,  &spheres->y,  &spheres->z,  &spheres->radius,
                         &spheres->ux, &spheres->uy, &spheres->uz, &spheres->spread};
    for (int i = 0; i < (with_motion ? 8 : 4); i++) {
        *arrays[i] = cg_arena_push_array(arena, float, count);
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
    spheres_layout(&runs->near, runs->run_capacity, with_motion, arena);
    runs->near_runs = cg_arena_push_array(arena, int, runs->run_capacity);
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

// The boxes around all finite points and displacements.
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

// Bounding sphere of each segment. A number that is not finite anywhere makes the sum of all not finite.
static void fill_slots(cg_runs *runs, const cg_chain *chain, const cg_vec3 *moves, int first_slot)
{
    cg_spheres *slots = &runs->slots;
    double scale = 1 / runs->unit, half = 0.5 * scale;
    int segments = chain->count - 1, count = (segments + CG_RUN_LENGTH - 1) / CG_RUN_LENGTH * CG_RUN_LENGTH;
    for (int i = 0; i < segments; i++) {
        cg_vec3 a = v3_sub(chain->points[i], runs->middle), b = v3_sub(chain->points[i + 1], runs->middle);
        cg_vec3 centre = v3_scale(half, v3_add(a, b));
        double radius = half * v3_distance(a, b) + scale * chain->radius;
        double sum = centre.x + centre.y + centre.z + radius;
        int slot = first_slot + i;
        slots->x[slot] = (float)centre.x;
        slots->y[slot] = (float)centre.y;
        slots->z[slot] = (float)centre.z;
        slots->radius[slot] = (float)radius;
        if (moves) {
            cg_vec3 ua = v3_sub(moves[i], runs->mean_move), ub = v3_sub(moves[i + 1], runs->mean_move);
            cg_vec3 move = v3_scale(half, v3_add(ua, ub));
            double spread = half * v3_distance(ua, ub);
            sum += move.x + move.y + move.z + spread;
            slots->ux[slot] = (float)move.x;
            slots->uy[slot] = (float)move.y;
            slots->uz[slot] = (float)move.z;
            slots->spread[slot] = (float)spread;
        }
        if (sum - sum != 0) {
            set_empty(slots, slot);
        }
    }
    for (int i = segments; i < count; i++) {
        set_empty(slots, first_slot + i);
    }
}

static float sum_of_eight(const float *values)
{
    four sum = four_at(values) + four_at(values + 4);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static float largest_of_eight(const float *values)
{
    float largest = values[0];
    for (int k = 1; k < 8; k++) {
        largest = values[k] > largest ? values[k] : largest;
    }
    return largest;
}

// The largest distance of eight points from (x, y, z). Comparisons drop those that are not a number.
static float farthest_of_eight(const float *x, const float *y, const float *z, const float centre[3])
{
    float squared = 0;
    for (int half = 0; half < 8; half += 4) {
        four dx = four_at(x + half) - four_of(centre[0]), dy = four_at(y + half) - four_of(centre[1]);
        four dz = four_at(z + half) - four_of(centre[2]), dd = dx * dx + dy * dy + dz * dz;
        for (int k = 0; k < 4; k++) {
            squared = dd[k] > squared ? dd[k] : squared;
        }
    }
    return sqrtf(squared);
}

// The mean of those of eight spheres that are not empty; their number.
static int mean_of_used(const cg_spheres *below, int first, float centre[3], float move[3])
{
    int used = 0;
    for (int k = 0; k < 3; k++) {
        centre[k] = move[k] = 0;
    }
    for (int k = first; k < first + 8; k++) {
        if (below->x[k] == below->x[k]) {
            used++;
            centre[0] += below->x[k];
            centre[1] += below->y[k];
            centre[2] += below->z[k];
            if (below->ux) {
                move[0] += below->ux[k];
                move[1] += below->uy[k];
                move[2] += below->uz[k];
            }
        }
    }
    for (int k = 0; k < 3 && used > 0; k++) {
        centre[k] /= (float)used;
        move[k] /= (float)used;
    }
    return used;
}

// The sphere around eight spheres of the level below, those that are not empty. Empty ones have a radius, a
// displacement and a spread of zero, which enlarge nothing but a spread that is then a little too large.
static void enclose_eight(cg_spheres *above, int i, const cg_spheres *below)
{
    int first = 8 * i;
    float centre[3] = {sum_of_eight(below->x + first) * 0.125f, sum_of_eight(below->y + first) * 0.125f,
                       sum_of_eight(below->z + first) * 0.125f};
    float move[3] = {0, 0, 0};
    if (below->ux) {
        move[0] = sum_of_eight(below->ux + first) * 0.125f;
        move[1] = sum_of_eight(below->uy + first) * 0.125f;
        move[2] = sum_of_eight(below->uz + first) * 0.125f;
    }
    if (centre[0] != centre[0] && mean_of_used(below, first, centre, move) == 0) {
        set_empty(above, i);
        return;
    }
    above->x[i] = centre[0];
    above->y[i] = centre[1];
    above->z[i] = centre[2];
    above->radius[i] = farthest_of_eight(below->x + first, below->y + first, below->z + first, centre) +
                       largest_of_eight(below->radius + first);
    if (above->ux) {
        above->ux[i] = move[0];
        above->uy[i] = move[1];
        above->uz[i] = move[2];
        above->spread[i] = farthest_of_eight(below->ux + first, below->uy + first, below->uz + first, move) +
                           largest_of_eight(below->spread + first);
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

int cg_straight_runs(const cg_chain *chain, int run, double straightness)
{
    int first = CG_RUN_LENGTH * run, last = first + CG_RUN_LENGTH;
    last = last < chain->count - 1 ? last : chain->count - 1;
    cg_vec3 axis = v3_unit_or(v3_sub(chain->points[last], chain->points[first]), v3_zero());
    if (!(straightness > 0) || !run_goes_along(chain, run, axis, straightness)) {
        return 0;
    }
    return last < chain->count - 1 && run_goes_along(chain, run + 1, axis, straightness) ? 2 : 1;
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
        if (rule != NULL) {
            fill_first_far(runs, &chains[c], first_slot, rule);
        }
        for (int r = first_run; rule != NULL && r < runs->first_run[c + 1]; r++) {
            runs->straight_runs[r] = cg_straight_runs(&chains[c], r - first_run, rule->straightness);
        }
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

// Who is told, and of what.
typedef struct visit {
    float reach;
    bool skip_straight;
    cg_slot_pair_visitor *tell;
    void *context;
    long tests;
} visit;

// Slot i against the slots of run h, from slot `from` on.
static inline __attribute__((always_inline)) void visit_slots(const cg_runs *runs, visit *v, const sphere_probe *probe,
                                                              int i, int h, bool is_moving)
{
    int from = CG_RUN_LENGTH * h, end = from + CG_RUN_LENGTH;
    if (runs->first_far[i] > from && runs->chain_of[h] == runs->chain_of[i / CG_RUN_LENGTH]) {
        from = runs->first_far[i];
    }
    for (int j = from & ~3; j < end; j += 4) {
        int bits = probe_four(probe, &runs->slots, j, is_moving);
        v->tests += 4;
        while (bits != 0) {
            int k = j + take_bit(&bits);
            if (k >= from) {
                v->tell(v->context, i, k);
            }
        }
    }
}

static bool holds_nothing(const cg_runs *runs, int g, int h, bool skip_straight)
{
    return runs->chain_of[g] == runs->chain_of[h] && ((skip_straight && h - g < runs->straight_runs[g]) ||
                                                      runs->first_far[CG_RUN_LENGTH * g] >= CG_RUN_LENGTH * (h + 1));
}

long cg_runs_visit_two(const cg_runs *runs, int g, int h, float reach, bool skip_straight, cg_slot_pair_visitor *tell,
                       void *context)
{
    visit v = {reach, skip_straight, tell, context, 0};
    if (holds_nothing(runs, g, h, skip_straight)) {
        return 0;
    }
    for (int i = CG_RUN_LENGTH * g; i < CG_RUN_LENGTH * (g + 1); i++) {
        sphere_probe probe = probe_of(&runs->slots, i, reach, false);
        // The run as a whole: the first lane of four.
        if (probe_four(&probe, &runs->runs, h & ~3, false) >> (h & 3) & 1) {
            visit_slots(runs, &v, &probe, i, h, false);
        }
    }
    return v.tests;
}

static void copy_sphere(cg_spheres *to, int i, const cg_spheres *from, int k, bool is_moving)
{
    to->x[i] = from->x[k];
    to->y[i] = from->y[k];
    to->z[i] = from->z[k];
    to->radius[i] = from->radius[k];
    if (is_moving) {
        to->ux[i] = from->ux[k];
        to->uy[i] = from->uy[k];
        to->uz[i] = from->uz[k];
        to->spread[i] = from->spread[k];
    }
}

// Lists the runs from g on that are near run g, and returns their number.
static inline __attribute__((always_inline)) int list_near_runs(cg_runs *runs, visit *v, int g, bool is_moving)
{
    sphere_probe probe = probe_of(&runs->runs, g, v->reach, is_moving);
    int block = g / CG_RUN_LENGTH, blocks = (runs->run_count + CG_RUN_LENGTH - 1) / CG_RUN_LENGTH, count = 0;
    for (int b = block & ~3; b < blocks; b += 4) {
        int near_blocks = probe_four(&probe, &runs->blocks, b, is_moving);
        v->tests += 4;
        while (near_blocks != 0) {
            int c = b + take_bit(&near_blocks);
            for (int h = CG_RUN_LENGTH * c; c >= block && h < CG_RUN_LENGTH * (c + 1); h += 4) {
                int bits = probe_four(&probe, &runs->runs, h, is_moving);
                v->tests += 4;
                while (bits != 0) {
                    int k = h + take_bit(&bits);
                    if (k >= g && !holds_nothing(runs, g, k, v->skip_straight)) {
                        copy_sphere(&runs->near, count, &runs->runs, k, is_moving);
                        runs->near_runs[count++] = k;
                    }
                }
            }
        }
    }
    for (int k = count; k < (count + 3) / 4 * 4; k++) {
        runs->near.x[k] = NAN;
    }
    return count;
}

static inline __attribute__((always_inline)) void visit_all(cg_runs *runs, visit *v, bool is_moving)
{
    for (int g = 0; g < runs->run_count; g++) {
        int count = list_near_runs(runs, v, g, is_moving);
        for (int i = CG_RUN_LENGTH * g; count > 0 && i < CG_RUN_LENGTH * (g + 1); i++) {
            sphere_probe probe = probe_of(&runs->slots, i, v->reach, is_moving);
            for (int n = 0; n < count; n += 4) {
                int bits = probe_four(&probe, &runs->near, n, is_moving);
                v->tests += 4;
                while (bits != 0) {
                    visit_slots(runs, v, &probe, i, runs->near_runs[n + take_bit(&bits)], is_moving);
                }
            }
        }
    }
}

long cg_runs_visit(cg_runs *runs, double reach, bool skip_straight, cg_slot_pair_visitor *tell, void *context)
{
    visit v = {cg_runs_reach(runs, reach), skip_straight, tell, context, 0};
    if (runs->is_moving) {
        visit_all(runs, &v, true);
    } else {
        visit_all(runs, &v, false);
    }
    return v.tests;
}
