// Pass moves; see knot/diagram.h.
//
// A run is a stretch of thread between two edges e0 and e1 that passes over (or under) at every crossing between them.
// Without the run, its edges no longer separate faces: in a search over faces they cost nothing to cross, every other
// edge costs one. If there is a way from e0 to e1 that costs less than the run has crossings, the run is laid along it.
#include <string.h>

#include "knot/diagram.h"

static void join(cg_diagram *d, int a, int b)
{
    d->mate[a] = b;
    d->mate[b] = a;
}

static bool is_over(int h)
{
    return h & 1;
}

static uint64_t next_random(cg_diagram *d)
{
    d->random = d->random * 6364136223846793005u + 1442695040888963407u;
    return d->random >> 33;
}

// Takes crossings marked -1 in `renumber` out of the arrays. Nothing may be joined to them any more.
static void compact(cg_diagram *d)
{
    int count = 0;
    for (int c = 0; c < d->crossing_count; c++) {
        if (d->renumber[c] >= 0) {
            d->renumber[c] = count++;
        }
    }
    for (int c = 0; c < d->crossing_count; c++) {
        int n = d->renumber[c];
        if (n < 0) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            int m = d->mate[4 * c + k];
            d->mate[4 * n + k] = 4 * d->renumber[m >> 2] + (m & 3);
            d->out[4 * n + k] = d->out[4 * c + k];
        }
        for (int k = 0; k < 2; k++) {
            d->chain[2 * n + k] = d->chain[2 * c + k];
        }
    }
    d->operations += d->crossing_count;
    d->crossing_count = count;
}

// Takes one strand of a crossing out: the other one goes straight through. `h` is a half-edge of the other one.
static void close_up(cg_diagram *d, int h)
{
    int a = d->mate[h], b = d->mate[h ^ 2];
    if (a == (h ^ 2)) {
        d->loose++;
    } else {
        join(d, a, b);
    }
}

// A run: the crossings it passes, and the half-edges outside it at both ends.
typedef struct run_ends {
    int count;       // crossings passed
    int before;      // the half-edge that e0 leaves from
    int after;       // the half-edge that e1 comes to
    bool over;       // passes over
    bool all_around; // the whole closed strand passes only over, or only under
} run_ends;

// The run that begins at half-edge `in`, by which the thread enters. False when the run begins earlier.
static bool find_run(cg_diagram *d, int in, run_ends *run)
{
    bool over = is_over(in);
    int before = d->mate[in];
    run->over = over;
    run->before = before;
    run->count = 0;
    run->all_around = false;
    if (is_over(before) == over) {
        // Part of a longer run, unless the whole strand is one: then it is found from its lowest half-edge.
        int walk = in;
        do {
            walk = d->mate[walk ^ 2];
            d->operations++;
            if (is_over(walk) != over || walk < in) {
                return false;
            }
        } while (walk != in);
        run->all_around = true;
    }
    int walk = in;
    do {
        d->run[run->count++] = walk;
        walk = d->mate[walk ^ 2];
    } while (is_over(walk) == over && walk != in);
    run->after = walk;
    d->operations += run->count;
    return true;
}

// A strand that lies above, or below, everything: it can be taken away whole. Crossings with itself count once.
static void lift_off(cg_diagram *d, const run_ends *run)
{
    for (int c = 0; c < d->crossing_count; c++) {
        d->renumber[c] = 0;
    }
    for (int i = 0; i < run->count; i++) {
        int h = d->run[i];
        d->renumber[h >> 2] = -1;
        close_up(d, (h & ~3) | ((h + 1) & 3));
    }
    d->loose++;
    compact(d);
}

// Faces by their distance from e0, until one at e1 is reached. Returns the cost, or -1 when it would be above `most`.
static int search(cg_diagram *d, const run_ends *run, int most, bool stir, int *target)
{
    int e0 = run->before, e1 = d->mate[run->after];
    for (int f = 0; f < d->face_count; f++) {
        d->cost[f] = -1;
    }
    // A queue of two levels: faces at the present cost are taken from the front, those one dearer are added at the end.
    // Edges of the run cost nothing, so what they lead to is gone through at once.
    int head = 0, tail = 0;
    const int starts[2] = {d->face[e0], d->face[d->mate[e0]]};
    for (int i = 0; i < 2; i++) {
        if (d->cost[starts[i]] < 0) {
            d->cost[starts[i]] = 0;
            d->came_by[starts[i]] = -1;
            d->queue[tail++] = starts[i];
        }
    }
    int goal0 = d->face[e1], goal1 = d->face[d->mate[e1]];
    for (int level = 0; level <= most; level++) {
        int end = tail;
        // All that the free edges lead to belongs to this level too.
        for (int i = head; i < end; i++) {
            int first = d->edge_of_face[d->queue[i]], walk = first;
            do {
                int other = d->face[d->mate[walk]];
                d->operations++;
                if (d->mark[walk] && d->cost[other] < 0) {
                    d->cost[other] = level;
                    d->came_by[other] = walk;
                    d->queue[tail++] = other;
                    end = tail;
                }
                walk = (d->mate[walk] & ~3) | ((d->mate[walk] + 3) & 3);
            } while (walk != first);
        }
        for (int i = head; i < end; i++) {
            if (d->queue[i] == goal0 || d->queue[i] == goal1) {
                *target = d->queue[i];
                return level;
            }
        }
        for (int i = end - 1; stir && i > head; i--) {
            int j = head + (int)(next_random(d) % (uint64_t)(i - head + 1)), kept = d->queue[i];
            d->queue[i] = d->queue[j];
            d->queue[j] = kept;
        }
        for (int i = head; i < end; i++) {
            int first = d->edge_of_face[d->queue[i]], walk = first;
            do {
                int other = d->face[d->mate[walk]];
                d->operations++;
                if (d->cost[other] < 0) {
                    d->cost[other] = level + 1;
                    d->came_by[other] = walk;
                    d->queue[tail++] = other;
                }
                walk = (d->mate[walk] & ~3) | ((d->mate[walk] + 3) & 3);
            } while (walk != first);
        }
        head = end;
        if (head == tail) {
            break;
        }
    }
    return -1;
}

// The edges that cost something, from e0 to e1: each given by the half-edge whose left face is the one come from.
static int trace_way(cg_diagram *d, int target)
{
    int count = 0;
    for (int f = target; d->came_by[f] >= 0; f = d->face[d->came_by[f]]) {
        int h = d->came_by[f];
        if (!d->mark[h]) {
            d->way[count++] = h;
        }
    }
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        int kept = d->way[i];
        d->way[i] = d->way[j];
        d->way[j] = kept;
    }
    return count;
}

// Puts a crossing upon the edge of half-edge h, at which the run passes from the left of one who leaves by h to the
// right. Returns the half-edge by which the run comes in; it goes out at the opposite one.
static int put_crossing(cg_diagram *d, int c, int h, bool over, int run_chain)
{
    int far = d->mate[h], back = over ? 0 : 1; // the half-edge of the new crossing that looks to h
    int to_h = 4 * c + back, to_far = to_h ^ 2, left = 4 * c + ((back + 3) & 3), right = left ^ 2;
    d->chain[2 * c + !over] = d->chain[2 * (h >> 2) + (h & 1)];
    d->chain[2 * c + over] = run_chain;
    d->out[to_far] = d->out[h];
    d->out[to_h] = !d->out[h];
    d->out[left] = 0;
    d->out[right] = 1;
    join(d, h, to_h);
    join(d, far, to_far);
    return left;
}

// Lays the run along way[0 .. count). Its old crossings are used again for the new ones once they are free, so the move
// needs room for as many more as the way has.
static void lay_along(cg_diagram *d, const run_ends *run, int count)
{
    int n = d->crossing_count, before = run->before, after = run->after;
    int chain = d->chain[2 * (d->run[0] >> 2) + run->over];
    for (int c = 0; c < n + count; c++) {
        d->renumber[c] = 0;
    }
    for (int i = 0; i < count; i++) {
        int in = put_crossing(d, n + i, d->way[i], run->over, chain);
        join(d, before, in);
        before = in ^ 2;
    }
    join(d, before, after);
    d->crossing_count = n + count;
    for (int i = 0; i < run->count; i++) {
        int h = d->run[i];
        d->renumber[h >> 2] = -1;
        close_up(d, (h & ~3) | ((h + 1) & 3));
    }
    compact(d);
}

// Tries to move the run that begins at `in`. True when the diagram changed. Faces must be up to date.
static bool move_run(cg_diagram *d, int in, bool stir)
{
    run_ends run;
    if (!find_run(d, in, &run)) {
        return false;
    }
    if (run.all_around) {
        lift_off(d, &run);
        return true;
    }
    int most = stir ? run.count : run.count - 1;
    if (d->crossing_count + most > d->room) {
        return false;
    }
    memset(d->mark, 0, 4 * (size_t)d->crossing_count);
    for (int i = 0; i < run.count; i++) {
        int h = d->run[i];
        d->mark[h] = d->mark[d->mate[h]] = d->mark[h ^ 2] = d->mark[d->mate[h ^ 2]] = 1;
    }
    int target = -1, cost = search(d, &run, most, stir, &target);
    if (cost < 0) {
        return false;
    }
    lay_along(d, &run, trace_way(d, target));
    return true;
}

// One try for every run. True when a crossing was removed.
static bool sweep(cg_diagram *d, bool stir)
{
    int start_count = d->crossing_count;
    cg_diagram_find_faces(d);
    for (int h = 0; h < 4 * d->crossing_count && d->operations < d->budget; h++) {
        if (!d->out[h] && move_run(d, h, stir)) {
            cg_diagram_find_faces(d);
            if (!stir) {
                h = -1; // numbers have changed
            }
        }
    }
    return d->crossing_count < start_count;
}

void cg_diagram_simplify(cg_diagram *diagram, int rounds)
{
    for (int round = 0; diagram->operations < diagram->budget; round++) {
        while (sweep(diagram, false) && diagram->operations < diagram->budget) {
        }
        if (round >= rounds || diagram->crossing_count < 3) {
            break;
        }
        if (sweep(diagram, true)) {
            round = -1;
        }
    }
}
