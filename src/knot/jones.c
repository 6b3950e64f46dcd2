// The Jones polynomial by adding crossings one after the other; see knot/polynomial.h.
#include <string.h>

#include "knot/polynomial.h"

enum {
    MOST_OPEN = 12,                              // open ends at any time
    MOST_STATES = 132,                           // the ways to pair them without crossings: a Catalan number
    TABLE_SIZE = 512,                            // hash table of states
    SPAN = 6 * CG_POLYNOMIAL_MAX_CROSSINGS + 17, // powers of A from -(3 c + 8) to 3 c + 8
    MIDDLE = SPAN / 2
};

void cg_polynomial_layout(cg_polynomial_work *work, cg_arena *arena)
{
    for (int i = 0; i < 2; i++) {
        work->keys[i] = cg_arena_push_array(arena, uint64_t, MOST_STATES);
        work->values[i] = cg_arena_push_array(arena, int64_t, MOST_STATES * SPAN);
    }
    work->slots = cg_arena_push_array(arena, int, TABLE_SIZE);
    work->matrix = cg_arena_push_array(arena, uint64_t, CG_POLYNOMIAL_MAX_CROSSINGS * CG_POLYNOMIAL_MAX_CROSSINGS);
    work->arc = cg_arena_push_array(arena, int, 4 * CG_POLYNOMIAL_MAX_CROSSINGS);
}

// The part of the diagram added so far.
typedef struct frontier {
    int count;
    int open[MOST_OPEN + 4];                    // half-edges whose mates are not yet added
    int place[4 * CG_POLYNOMIAL_MAX_CROSSINGS]; // per half-edge: where in `open`, or -1
    bool added[CG_POLYNOMIAL_MAX_CROSSINGS];
} frontier;

// The sums so far: one polynomial per pairing of the open ends.
typedef struct states {
    int count;
    uint64_t *keys;
    int64_t *values;
} states;

// The next crossing: the one with most edges to the part so far.
static int choose(const cg_diagram *d, const frontier *f)
{
    int best = -1, best_edges = -1;
    for (int c = 0; c < d->crossing_count; c++) {
        int edges = 0;
        for (int k = 0; k < 4 && !f->added[c]; k++) {
            edges += f->added[d->mate[4 * c + k] >> 2];
        }
        if (!f->added[c] && edges > best_edges) {
            best = c;
            best_edges = edges;
        }
    }
    return best;
}

static int64_t *find_state(states *s, int *slots, uint64_t key)
{
    uint64_t hash = (key * 0x9E3779B97F4A7C15u) >> 40;
    for (;;) {
        int *slot = &slots[hash % TABLE_SIZE];
        if (*slot == 0) {
            if (s->count == MOST_STATES) {
                return NULL;
            }
            s->keys[s->count++] = key;
            *slot = s->count;
            int64_t *values = s->values + (size_t)(s->count - 1) * SPAN;
            memset(values, 0, SPAN * sizeof *values);
            return values;
        }
        if (s->keys[*slot - 1] == key) {
            return s->values + (size_t)(*slot - 1) * SPAN;
        }
        hash++;
    }
}

// One power of A in (-A^2 - A^-2)^loops.
typedef struct term {
    int offset, weight;
} term;

// to += A^shift (-A^2 - A^-2)^loops from, for up to two loops. The span holds all powers that occur.
static void add_shifted(int64_t *to, const int64_t *from, int shift, int loops)
{
    static const term terms[3][3] = {{{0, 1}, {0, 0}, {0, 0}}, {{-2, -1}, {2, -1}, {0, 0}}, {{-4, 1}, {0, 2}, {4, 1}}};
    for (int k = 0; k < 3 && terms[loops][k].weight != 0; k++) {
        int offset = shift + terms[loops][k].offset;
        uint64_t weight = (uint64_t)terms[loops][k].weight;
        int first = offset < 0 ? -offset : 0, last = offset > 0 ? SPAN - offset : SPAN;
        for (int i = first; i < last; i++) {
            to[i + offset] = (int64_t)((uint64_t)to[i + offset] + weight * (uint64_t)from[i]);
        }
    }
}

// How the four half-edges of the crossing to add hang on: entry k tells the item that half-edge k is glued to, or -1.
// The items are the open ends 0 .. count - 1 and after them the half-edges of the crossing themselves.
typedef struct gluing {
    int to[4];
    int kept[MOST_OPEN + 4]; // items that stay open, in their new order
    int kept_count;
} gluing;

static gluing plan(const cg_diagram *d, const frontier *f, int c)
{
    gluing g = {.kept_count = 0};
    bool closed[MOST_OPEN + 4] = {false};
    for (int k = 0; k < 4; k++) {
        int m = d->mate[4 * c + k];
        if (m >> 2 == c) {
            g.to[k] = f->count + (m & 3);
        } else {
            g.to[k] = f->added[m >> 2] ? f->place[m] : -1;
        }
        if (g.to[k] >= 0) {
            closed[g.to[k]] = closed[f->count + k] = true;
        }
    }
    for (int i = 0; i < f->count + 4; i++) {
        if (!closed[i]) {
            g.kept[g.kept_count++] = i;
        }
    }
    return g;
}

// Joins two items that are ends of arcs; counts a loop when they are ends of the same one.
static int glue(int *partner, int a, int b)
{
    if (partner[a] == b) {
        return 1;
    }
    int x = partner[a], y = partner[b];
    partner[x] = y;
    partner[y] = x;
    return 0;
}

// The pairing after a crossing was resolved in one of two ways (0: 0-3 and 1-2, weight 1/A; 1: 0-1 and 2-3, weight A).
static uint64_t resolve(uint64_t key, int count, const gluing *g, int which, int *loops)
{
    int partner[MOST_OPEN + 4], place[MOST_OPEN + 4];
    for (int i = 0; i < count; i++) {
        partner[i] = (int)(key >> (4 * i)) & 15;
    }
    static const int mates[2][4] = {{3, 2, 1, 0}, {1, 0, 3, 2}};
    for (int k = 0; k < 4; k++) {
        partner[count + k] = count + mates[which][k];
    }
    *loops = 0;
    for (int k = 0; k < 4; k++) {
        // An edge from the crossing to itself is glued once.
        if (g->to[k] >= 0 && !(g->to[k] >= count && g->to[k] - count < k)) {
            *loops += glue(partner, count + k, g->to[k]);
        }
    }
    for (int i = 0; i < g->kept_count; i++) {
        place[g->kept[i]] = i;
    }
    uint64_t result = 0;
    for (int i = 0; i < g->kept_count; i++) {
        result |= (uint64_t)place[partner[g->kept[i]]] << (4 * i);
    }
    return result;
}

static bool add_crossing(const cg_diagram *d, cg_polynomial_work *work, frontier *f, int c, states *from, states *to)
{
    gluing g = plan(d, f, c);
    if (g.kept_count > MOST_OPEN) {
        return false;
    }
    to->count = 0;
    memset(work->slots, 0, TABLE_SIZE * sizeof *work->slots);
    for (int s = 0; s < from->count; s++) {
        for (int which = 0; which < 2; which++) {
            int loops;
            uint64_t key = resolve(from->keys[s], f->count, &g, which, &loops);
            int64_t *values = find_state(to, work->slots, key);
            if (!values) {
                return false;
            }
            add_shifted(values, from->values + (size_t)s * SPAN, which == 0 ? -1 : 1, loops);
        }
    }
    int open[MOST_OPEN + 4];
    for (int i = 0; i < g.kept_count; i++) {
        open[i] = g.kept[i] < f->count ? f->open[g.kept[i]] : 4 * c + g.kept[i] - f->count;
    }
    f->added[c] = true;
    f->count = g.kept_count;
    for (int i = 0; i < f->count; i++) {
        f->open[i] = open[i];
        f->place[open[i]] = i;
    }
    return true;
}

// Times (-A^3)^-w, without the powers that do not occur; t = A^-4 for knots, A^-2 for links.
static void normalise(const int64_t *bracket, int writhe, int step, cg_polynomial *jones)
{
    long long sign = writhe & 1 ? -1 : 1;
    int shift = -3 * writhe, first = -1, last = -1;
    jones->low = jones->count = 0;
    // Powers of A from the highest down are powers of t from the lowest up.
    for (int i = SPAN - 1; i >= 0; i--) {
        if (bracket[i] != 0) {
            first = first < 0 ? i : first;
            last = i;
        }
    }
    if (first < 0) {
        return;
    }
    jones->count = (first - last) / step + 1;
    jones->low = -(first - MIDDLE + shift) / step;
    for (int k = 0; k < jones->count; k++) {
        jones->coefficient[k] = sign * bracket[first - k * step];
    }
}

bool cg_polynomial_jones(const cg_diagram *diagram, cg_polynomial_work *work, cg_polynomial *jones)
{
    if (diagram->crossing_count > CG_POLYNOMIAL_MAX_CROSSINGS) {
        return false;
    }
    frontier f = {0};
    states sides[2];
    for (int i = 0; i < 2; i++) {
        sides[i] = (states){0, work->keys[i], work->values[i]};
    }
    // Nothing yet: the empty pairing, weight one.
    sides[0].count = 1;
    sides[0].keys[0] = 0;
    memset(sides[0].values, 0, SPAN * sizeof(int64_t));
    sides[0].values[MIDDLE] = 1;
    int side = 0, writhe = 0;
    for (int done = 0; done < diagram->crossing_count; done++) {
        int c = choose(diagram, &f);
        if (!add_crossing(diagram, work, &f, c, &sides[side], &sides[1 - side])) {
            return false;
        }
        side = 1 - side;
        writhe += diagram->chain[2 * c] == diagram->chain[2 * c + 1] ? cg_diagram_sign(diagram, c) : 0;
    }
    // One loop must count 1, not -A^2 - A^-2: divide once, or leave one loose strand out; then multiply for the others.
    int64_t bracket[SPAN], scratch[SPAN];
    memcpy(bracket, sides[side].values, sizeof bracket);
    int loops = diagram->loose;
    if (diagram->crossing_count == 0) {
        loops--;
    } else {
        // Division of p by -A^2 - A^-2 from below: p[i] = -q[i + 2] - q[i - 2].
        memset(scratch, 0, sizeof scratch);
        for (int i = 0; i + 4 < SPAN; i++) {
            int64_t carried = i >= 2 ? scratch[i - 2] : 0;
            scratch[i + 2] = (int64_t)(0 - (uint64_t)bracket[i] - (uint64_t)carried);
        }
        memcpy(bracket, scratch, sizeof bracket);
    }
    for (; loops > 0; loops--) {
        memset(scratch, 0, sizeof scratch);
        add_shifted(scratch, bracket, 0, 1);
        memcpy(bracket, scratch, sizeof bracket);
    }
    bool is_link = diagram->loose > 1 || (diagram->loose == 1 && diagram->crossing_count > 0);
    for (int c = 0; c < diagram->crossing_count; c++) {
        is_link =
            is_link || diagram->chain[2 * c] != diagram->chain[0] || diagram->chain[2 * c + 1] != diagram->chain[0];
    }
    normalise(bracket, writhe, is_link ? 2 : 4, jones);
    return jones->count <= CG_POLYNOMIAL_ROOM;
}
