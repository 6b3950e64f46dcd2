#include "knot/determinant.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"

static const uint64_t PRIMES[3] = {2147483647, 2147483629, 2147483587};

enum {
    FIRST_CROSSING_ROOM = 256, // grows fourfold when a picture needs more
    MOST_CROSSINGS = 4096,     // a matrix of 128 MB; no thread that a hand makes comes near
    MOST_DIRECTIONS = 40       // then the thread touches itself
};

static uint64_t power_modulo(uint64_t base, uint64_t exponent, uint64_t prime)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) {
            result = result * base % prime;
        }
        base = base * base % prime;
    }
    return result;
}

// The determinant of the leading n x n part of a matrix with `stride` numbers a row, modulo a prime. Gauss.
static uint64_t determinant_modulo(uint64_t *m, int n, int stride, uint64_t prime)
{
    uint64_t product = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        while (pivot < n && m[(size_t)pivot * (size_t)stride + (size_t)k] == 0) {
            pivot++;
        }
        if (pivot == n) {
            return 0;
        }
        uint64_t *top = m + (size_t)k * (size_t)stride, *other = m + (size_t)pivot * (size_t)stride;
        if (pivot != k) {
            for (int j = k; j < n; j++) {
                uint64_t kept = top[j];
                top[j] = other[j];
                other[j] = kept;
            }
            product = prime - product;
        }
        product = product * top[k] % prime;
        uint64_t inverse = power_modulo(top[k], prime - 2, prime);
        for (int i = k + 1; i < n; i++) {
            uint64_t *row = m + (size_t)i * (size_t)stride;
            if (row[k]) {
                uint64_t factor = prime - row[k] * inverse % prime;
                for (int j = k; j < n; j++) {
                    row[j] = (row[j] + factor * top[j]) % prime;
                }
            }
        }
    }
    return product;
}

// The rows of the crossings modulo a prime. An arc runs from one pass under to the next; arc 0 holds the start.
static void fill_rows(const cg_picture *picture, uint64_t *m, int stride, uint64_t prime)
{
    int c = picture->crossing_count, arc = 0;
    memset(m, 0, (size_t)c * (size_t)stride * sizeof *m);
    for (int i = 0; i < 2 * c; i++) {
        const cg_pass *pass = &picture->passes[i];
        uint64_t *row = m + (size_t)pass->crossing * (size_t)stride;
        if (pass->over) {
            row[arc] = (row[arc] + 2) % prime;
        } else {
            row[arc] = (row[arc] + prime - 1) % prime;
            arc = arc + 1 == c ? 0 : arc + 1;
            row[arc] = (row[arc] + prime - 1) % prime;
        }
    }
}

uint64_t cg_picture_determinant(const cg_picture *picture, uint64_t *work)
{
    int c = picture->crossing_count, stride = c + 1;
    if (c < 3) {
        return 1;
    }
    uint64_t remainder[3];
    for (int k = 0; k < 3; k++) {
        fill_rows(picture, work, stride, PRIMES[k]);
        remainder[k] = determinant_modulo(work, c - 1, stride, PRIMES[k]);
    }
    // Chinese remainders: value = r0 + p0 h with h = (r1 - r0) / p0 modulo p1, between 0 and p0 p1 < 2^62.
    uint64_t p0 = PRIMES[0], p1 = PRIMES[1], p2 = PRIMES[2];
    uint64_t h = (remainder[1] + p1 - remainder[0] % p1) % p1 * power_modulo(p0 % p1, p1 - 2, p1) % p1;
    uint64_t value = remainder[0] + p0 * h, product = p0 * p1;
    // The sign of the matrix means nothing: a value in the upper half is a negative one.
    bool negative = value > product / 2;
    uint64_t size = negative ? product - value : value;
    uint64_t expected = negative ? (p2 - size % p2) % p2 : size % p2;
    return expected == remainder[2] ? size : CG_DETERMINANT_HUGE;
}

// Memory for a picture of given chains, and its matrix.
typedef struct desk {
    void *memory;
    cg_picture picture;
    uint64_t *matrix;
} desk;

static bool set_up(desk *d, const cg_allocator *allocator, int segments, int crossings, int chains, bool with_matrix)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    for (int round = 0; round < 2; round++) {
        cg_picture_layout(&d->picture, segments, crossings, chains, &arena);
        size_t cells = with_matrix ? (size_t)crossings * (size_t)(crossings + 1) : 1;
        d->matrix = (uint64_t *)cg_arena_push(&arena, cells, sizeof(uint64_t));
        if (round == 0) {
            size_t bytes = cg_arena_used(&arena);
            d->memory = cg_memory_take(allocator, bytes);
            if (!d->memory) {
                return false;
            }
            cg_arena_init(&arena, d->memory, bytes);
        }
    }
    return true;
}

static cg_status check_chain(const cg_point_chain *chain)
{
    if (chain->count < (chain->closed ? 3 : 2)) {
        return cg_error(CG_BAD_INPUT, "found a thread of %d points, expected at least %d", chain->count,
                        chain->closed ? 3 : 2);
    }
    for (int i = 0; i < chain->count; i++) {
        if (!v3_is_finite(chain->points[i])) {
            return cg_error(CG_BAD_INPUT, "point %d of the thread is not finite", i);
        }
    }
    return cg_ok();
}

// Draws the chains from the first direction that shows them clearly, with as much room as it takes. Gives the memory
// back unless all is well.
static cg_status draw(desk *d, const cg_allocator *allocator, const cg_point_chain *chains, int chain_count,
                      bool with_matrix)
{
    int segments = 2;
    for (int i = 0; i < chain_count; i++) {
        cg_status status = check_chain(&chains[i]);
        if (status.code != CG_OK) {
            return status;
        }
        segments += chains[i].count + 1;
    }
    for (int room = FIRST_CROSSING_ROOM; room <= MOST_CROSSINGS; room *= 4) {
        if (!set_up(d, allocator, segments, room, chain_count, with_matrix)) {
            return cg_error(CG_OUT_OF_MEMORY, "no memory for a picture of %d crossings", room);
        }
        cg_picture_answer answer = CG_PICTURE_UNCLEAR;
        for (int i = 0; i < MOST_DIRECTIONS && answer == CG_PICTURE_UNCLEAR; i++) {
            answer = cg_picture_draw(&d->picture, chains, chain_count, cg_picture_direction(i));
        }
        if (answer == CG_PICTURE_CLEAR) {
            return cg_ok();
        }
        cg_memory_give(allocator, d->memory);
        if (answer == CG_PICTURE_UNCLEAR) {
            return cg_error(CG_BAD_INPUT, "the thread touches itself: over and under cannot be told");
        }
    }
    return cg_error(CG_BAD_INPUT, "the thread has more than %d crossings", MOST_CROSSINGS);
}

static cg_status determinant_of(cg_point_chain chain, const cg_allocator *allocator, uint64_t *determinant)
{
    cg_allocator usual = cg_memory_default();
    allocator = allocator ? allocator : &usual;
    desk d;
    cg_status status = draw(&d, allocator, &chain, 1, true);
    if (status.code == CG_OK) {
        *determinant = cg_picture_determinant(&d.picture, d.matrix);
        cg_memory_give(allocator, d.memory);
    }
    return status;
}

cg_status cg_knot_determinant(const cg_vec3 *points, int count, const cg_allocator *allocator, uint64_t *determinant)
{
    return determinant_of((cg_point_chain){points, count, false}, allocator, determinant);
}

cg_status cg_knot_determinant_closed(const cg_vec3 *points, int count, const cg_allocator *allocator,
                                     uint64_t *determinant)
{
    return determinant_of((cg_point_chain){points, count, true}, allocator, determinant);
}

cg_status cg_knot_linking(cg_point_chain first, cg_point_chain second, const cg_allocator *allocator, int *linking)
{
    cg_allocator usual = cg_memory_default();
    allocator = allocator ? allocator : &usual;
    cg_point_chain chains[2] = {first, second};
    desk d;
    cg_status status = draw(&d, allocator, chains, 2, false);
    if (status.code != CG_OK) {
        return status;
    }
    // A crossing of both threads is met once in each.
    int sum = 0;
    const cg_picture *picture = &d.picture;
    for (int i = picture->first_pass[0]; i < picture->first_pass[1]; i++) {
        int crossing = picture->passes[i].crossing;
        for (int j = picture->first_pass[1]; j < picture->first_pass[2]; j++) {
            sum += picture->passes[j].crossing == crossing ? picture->sign[crossing] : 0;
        }
    }
    *linking = sum / 2;
    cg_memory_give(allocator, d.memory);
    return cg_ok();
}
