#include "knot/reader.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "knot/straighten.h"

enum {
    MOST_DIRECTIONS = 12, // tried for a clear picture
    EXTRA_POINTS = 2      // a closure adds one at each end
};

static const double FAR = 4; // how far a closure carries the ends, in radii of the thread

void cg_reader_layout(cg_reader *reader, int point_room, int crossing_room, cg_arena *arena)
{
    reader->point_room = point_room;
    reader->crossing_room = crossing_room;
    cg_picture_layout(&reader->picture, point_room + EXTRA_POINTS + 4, crossing_room, 2, arena);
    // A move lays its new crossings down before it takes the old ones up.
    cg_diagram_layout(&reader->diagram, 2 * crossing_room + 16, arena);
    cg_diagram_layout(&reader->piece, crossing_room + 16, arena);
    cg_polynomial_layout(&reader->polynomials, arena);
    reader->points = cg_arena_push_array(arena, cg_vec3, point_room + EXTRA_POINTS);
    reader->part = cg_arena_push_array(arena, int, 2 * crossing_room + 16);
}

void cg_reader_start(cg_reader *reader)
{
    reader->budget = 20000000;
    reader->stir_rounds = 6;
}

void *cg_reader_take(cg_reader *reader, int point_room, int crossing_room, const cg_allocator *allocator)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_reader_layout(reader, point_room, crossing_room, &arena);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(allocator, bytes);
    if (memory) {
        cg_arena_init(&arena, memory, bytes);
        cg_reader_layout(reader, point_room, crossing_room, &arena);
        cg_reader_start(reader);
    }
    return memory;
}

// A ball around the thread.
typedef struct ball {
    cg_vec3 centre;
    double radius;
} ball;

static ball ball_around(const cg_vec3 *points, int count)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < count; i++) {
        sum = v3_add(sum, points[i]);
    }
    ball b = {v3_scale(1.0 / count, sum), 0};
    double most = 0;
    for (int i = 0; i < count; i++) {
        cg_vec3 out = v3_sub(points[i], b.centre);
        double square = v3_dot(out, out);
        most = square > most ? square : most;
    }
    b.radius = sqrt(most);
    return b;
}

// The way an end points, from its last piece of thread: a twentieth of the radius, so that one short or bent segment
// does not decide.
static cg_vec3 way_of_end(const cg_vec3 *points, int count, bool last, double piece)
{
    int end = last ? count - 1 : 0, step = last ? -1 : 1, i = end + step;
    while (i + step >= 0 && i + step < count && v3_distance(points[i], points[end]) < piece) {
        i += step;
    }
    return v3_unit_or(v3_sub(points[end], points[i]), v3(1, 0, 0));
}

// Copies the thread and adds what the closure asks for.
static void prepare(cg_reader *r, const cg_vec3 *points, int count, bool closed, cg_closure closure)
{
    bool carried = !closed && closure >= CG_CLOSURE_STRAIGHT;
    int shift = carried ? 1 : 0;
    for (int i = 0; i < count; i++) {
        r->points[i + shift] = points[i];
    }
    cg_dropped dropped = {0};
    r->count = cg_chain_drop_repeats(r->points + shift, count, closed, &dropped) + shift;
    r->picture.margin = 4 * dropped.farthest; // two strands may both have moved
    r->may_hide = dropped.longest_run > 1;
    if (!carried) {
        return;
    }
    ball b = ball_around(points, count);
    for (int k = 0; k < 2; k++) {
        cg_vec3 end = points[k ? count - 1 : 0], out = v3_sub(end, b.centre);
        cg_vec3 way =
            closure == CG_CLOSURE_RADIAL ? v3_unit_or(out, v3(1, 0, 0)) : way_of_end(points, count, k, 0.05 * b.radius);
        cg_vec3 far_point = v3_add_scaled(end, FAR * b.radius, way);
        r->points[k ? r->count : 0] = far_point;
    }
    r->count++;
}

// A carried end must not lie behind the thread as the viewer sees it: the way from there to the viewer would lead back
// through the knot.
static bool viewer_sees_ends(const cg_reader *r, cg_vec3 direction)
{
    ball b = ball_around(r->points + 1, r->count - 2);
    for (int k = 0; k < 2; k++) {
        cg_vec3 out = v3_sub(r->points[k ? r->count - 1 : 0], b.centre);
        double ahead = v3_dot(out, direction);
        double aside = v3_dot(out, out) - ahead * ahead;
        if (ahead < 0 && aside < 1.1 * b.radius * b.radius) {
            return false;
        }
    }
    return true;
}

// The order of passes, crossings numbered as they are met.
static uint64_t code_of(cg_reader *r)
{
    const cg_picture *p = &r->picture;
    for (int i = 0; i < p->crossing_count; i++) {
        r->part[i] = -1;
    }
    cg_hash hash = cg_hash_begin();
    cg_hash_add_u64(&hash, (uint64_t)p->crossing_count);
    int met = 0;
    for (int c = 0; c < p->chain_count; c++) {
        cg_hash_add_u64(&hash, (uint64_t)p->first_pass[c]);
    }
    for (int i = 0; i < 2 * p->crossing_count; i++) {
        const cg_pass *pass = &p->passes[i];
        if (r->part[pass->crossing] < 0) {
            r->part[pass->crossing] = met++;
        }
        uint64_t word = (uint64_t)r->part[pass->crossing] * 4 + (pass->over ? 2 : 0) + (p->sign[pass->crossing] > 0);
        cg_hash_add_u64(&hash, word);
    }
    return cg_hash_end(&hash);
}

static cg_picture_answer draw_clearly(cg_reader *r, bool closed, cg_closure closure)
{
    bool carried = !closed && closure >= CG_CLOSURE_STRAIGHT;
    cg_point_chain chain = {r->points, r->count, closed};
    // Directions 0, 1, 2 belong to the viewers; a viewer whose picture is unclear steps aside only a little.
    for (int i = 0; i < MOST_DIRECTIONS; i++) {
        cg_vec3 direction = cg_picture_direction(carried || closed ? i : (int)closure);
        if (!carried && !closed && i > 0) {
            direction = v3_add_scaled(direction, 0.04, cg_picture_direction(20 + i));
        }
        if (carried && !viewer_sees_ends(r, v3_unit_or(direction, v3(0, 0, 1)))) {
            continue;
        }
        cg_picture_answer answer = cg_picture_draw(&r->picture, &chain, 1, direction);
        if (answer != CG_PICTURE_UNCLEAR) {
            return answer;
        }
    }
    return CG_PICTURE_UNCLEAR;
}

bool cg_reader_draw(cg_reader *reader, const cg_vec3 *points, int count, bool closed, cg_closure closure,
                    bool straighten, cg_reading *reading)
{
    memset(reading, 0, sizeof *reading);
    reading->determinant = UINT64_MAX;
    if (count < 2 || count > reader->point_room) {
        return false;
    }
    prepare(reader, points, count, closed, closure);
    if (straighten && !closed) {
        cg_vec3 *chain = reader->points;
        cg_chains_straighten(&chain, &reader->count, 1, reader->picture.margin, 5 * reader->budget);
    }
    if (reader->count < (closed ? 3 : 2)) {
        // All points in one place: nothing to see, no knot.
        reader->picture.crossing_count = 0;
        reader->picture.chain_count = 1;
        reader->picture.first_pass[0] = reader->picture.first_pass[1] = 0;
        reading->code = code_of(reader);
        return true;
    }
    if (draw_clearly(reader, closed, closure) != CG_PICTURE_CLEAR) {
        return false;
    }
    reading->code = code_of(reader);
    return true;
}

// Adds a part, in the order of the table, mirror images after the others.
static void note_factor(cg_table_match match, cg_reading *reading)
{
    cg_factor factor = {.knot = match.knot, .mirror = match.mirror};
    if (match.knot >= 0 && cg_table_entry_at(match.knot)->strands == 2) {
        factor.half_turns = cg_table_entry_at(match.knot)->crossings;
    }
    if (reading->factor_count == CG_READING_FACTORS) {
        reading->complete = reading->proven = false;
        return;
    }
    int i = reading->factor_count++;
    for (; i > 0; i--) {
        const cg_factor *before = &reading->factor[i - 1];
        if (before->knot < factor.knot || (before->knot == factor.knot && before->mirror <= factor.mirror)) {
            break;
        }
        reading->factor[i] = *before;
    }
    reading->factor[i] = factor;
}

// Names one piece. `whole` collects the Jones polynomial of the sum.
static void read_piece(cg_reader *r, cg_diagram *piece, cg_polynomial *whole, cg_reading *reading)
{
    cg_polynomial jones, alexander;
    bool computed = cg_polynomial_jones(piece, &r->polynomials, &jones) &&
                    cg_polynomial_alexander(piece, &r->polynomials, &alexander);
    if (!computed) {
        reading->complete = reading->proven = false;
        whole->count = 0;
        return;
    }
    if (whole->count > 0 && !cg_polynomial_multiply(whole, &jones, whole)) {
        whole->count = 0;
    }
    if (jones.count == 1 && jones.low == 0 && alexander.count == 1) {
        reading->proven = reading->proven && piece->crossing_count <= CG_TABLE_UNKNOT_CROSSINGS;
        return;
    }
    cg_table_match match = cg_table_find(&jones, &alexander);
    reading->complete = reading->complete && match.knot >= 0;
    reading->proven = reading->proven && match.knot >= 0 && piece->crossing_count <= CG_TABLE_PROVEN_CROSSINGS;
    note_factor(match, reading);
}

static void read_diagram(cg_reader *r, int rounds, cg_reading *reading)
{
    cg_diagram *d = &r->diagram;
    uint64_t code = reading->code;
    memset(reading, 0, sizeof *reading);
    reading->code = code;
    reading->determinant = UINT64_MAX;
    reading->readable = cg_diagram_from_picture(d, &r->picture);
    if (!reading->readable) {
        return;
    }
    d->random = 1;
    d->operations = 0;
    d->budget = r->budget;
    cg_diagram_simplify(d, rounds);
    reading->crossings = d->crossing_count;
    reading->complete = true;
    reading->proven = !r->may_hide;
    cg_polynomial whole = {0, 1, {1}};
    int pieces = cg_diagram_split(d, r->part);
    for (int i = 0; i < pieces; i++) {
        cg_diagram_piece(d, r->part, i, &r->piece);
        read_piece(r, &r->piece, &whole, reading);
    }
    if (whole.count > 0) {
        reading->determinant = cg_polynomial_size_at_minus_one(&whole);
        reading->lean = 2 * whole.low + whole.count - 1;
        cg_polynomial reversed;
        cg_polynomial_reverse(&whole, &reversed);
        reading->palindromic = cg_polynomial_equal(&whole, &reversed);
    }
}

void cg_reader_read(cg_reader *reader, cg_reading *reading)
{
    read_diagram(reader, 0, reading);
    if (reading->readable && !reading->proven) {
        read_diagram(reader, reader->stir_rounds, reading);
    }
}

bool cg_readings_agree(const cg_reading *a, const cg_reading *b)
{
    if (!a->readable || !b->readable || a->factor_count != b->factor_count || a->complete != b->complete) {
        return false;
    }
    for (int i = 0; i < a->factor_count; i++) {
        if (a->factor[i].knot != b->factor[i].knot || a->factor[i].mirror != b->factor[i].mirror) {
            return false;
        }
    }
    return a->complete || (a->determinant == b->determinant && a->lean == b->lean);
}
