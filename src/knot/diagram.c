#include "knot/diagram.h"

void cg_diagram_layout(cg_diagram *diagram, int room, cg_arena *arena)
{
    diagram->room = room;
    diagram->crossing_count = 0;
    diagram->loose = 0;
    diagram->mate = cg_arena_push_array(arena, int, 4 * room);
    diagram->out = cg_arena_push_array(arena, unsigned char, 4 * room);
    diagram->chain = cg_arena_push_array(arena, int, 2 * room);
    diagram->face = cg_arena_push_array(arena, int, 4 * room);
    diagram->edge_of_face = cg_arena_push_array(arena, int, 4 * room + 2);
    diagram->cost = cg_arena_push_array(arena, int, 4 * room + 2);
    diagram->came_by = cg_arena_push_array(arena, int, 4 * room + 2);
    diagram->queue = cg_arena_push_array(arena, int, 8 * room + 8);
    diagram->mark = cg_arena_push_array(arena, unsigned char, 4 * room);
    diagram->run = cg_arena_push_array(arena, int, 2 * room);
    diagram->way = cg_arena_push_array(arena, int, 4 * room + 2);
    diagram->renumber = cg_arena_push_array(arena, int, room);
    diagram->random = 1;
    diagram->operations = 0;
    diagram->budget = 1LL << 60;
}

static void join(cg_diagram *d, int a, int b)
{
    d->mate[a] = b;
    d->mate[b] = a;
}

// The half-edges of a pass by which the thread comes and goes. The strand above runs from 3 to 1 when the sign is +.
static int slot_in(const cg_picture *picture, const cg_pass *pass)
{
    int slot = !pass->over ? 0 : (picture->sign[pass->crossing] > 0 ? 3 : 1);
    return 4 * pass->crossing + slot;
}

bool cg_diagram_from_picture(cg_diagram *diagram, const cg_picture *picture)
{
    diagram->loose = 0;
    diagram->crossing_count = 0;
    if (picture->crossing_count > diagram->room) {
        return false;
    }
    diagram->crossing_count = picture->crossing_count;
    for (int c = 0; c < picture->chain_count; c++) {
        int first = picture->first_pass[c], end = picture->first_pass[c + 1];
        diagram->loose += first == end;
        for (int i = first; i < end; i++) {
            const cg_pass *pass = &picture->passes[i], *next = &picture->passes[i + 1 < end ? i + 1 : first];
            int in = slot_in(picture, pass), out = in ^ 2;
            diagram->out[in] = 0;
            diagram->out[out] = 1;
            join(diagram, out, slot_in(picture, next));
            int strand = 2 * pass->crossing + pass->over;
            diagram->chain[strand] = c;
        }
    }
    return true;
}

int cg_diagram_sign(const cg_diagram *diagram, int crossing)
{
    const unsigned char *out = diagram->out + 4 * crossing;
    return out[2] == out[1] ? 1 : -1;
}

// Who comes to a crossing by half-edge h and keeps the face at the left hand goes on by this one.
static int turn_left(int h)
{
    return (h & ~3) | ((h + 3) & 3);
}

void cg_diagram_find_faces(cg_diagram *diagram)
{
    int count = 4 * diagram->crossing_count;
    diagram->face_count = 0;
    for (int h = 0; h < count; h++) {
        diagram->face[h] = -1;
    }
    for (int h = 0; h < count; h++) {
        if (diagram->face[h] >= 0) {
            continue;
        }
        diagram->edge_of_face[diagram->face_count] = h;
        for (int walk = h; diagram->face[walk] < 0; walk = turn_left(diagram->mate[walk])) {
            diagram->face[walk] = diagram->face_count;
        }
        diagram->face_count++;
    }
    diagram->operations += count;
}

// Gathers the crossings that can be reached from each other: part[c] becomes the number of the piece.
static int label_pieces(cg_diagram *d, int *part)
{
    int pieces = 0;
    for (int c = 0; c < d->crossing_count; c++) {
        part[c] = -1;
    }
    for (int c = 0; c < d->crossing_count; c++) {
        if (part[c] >= 0) {
            continue;
        }
        int count = 0;
        d->queue[count++] = c;
        part[c] = pieces;
        while (count > 0) {
            int now = d->queue[--count];
            for (int k = 0; k < 4; k++) {
                int other = d->mate[4 * now + k] >> 2;
                if (part[other] < 0) {
                    part[other] = pieces;
                    d->queue[count++] = other;
                }
            }
        }
        pieces++;
    }
    return pieces;
}

bool cg_diagram_is_sound(cg_diagram *diagram)
{
    int n = diagram->crossing_count;
    for (int h = 0; h < 4 * n; h++) {
        int m = diagram->mate[h];
        if (m < 0 || m >= 4 * n || m == h || diagram->mate[m] != h || diagram->out[h] == diagram->out[m] ||
            diagram->out[h] == diagram->out[h ^ 2]) {
            return false;
        }
    }
    cg_diagram_find_faces(diagram);
    int pieces = label_pieces(diagram, diagram->renumber);
    return diagram->face_count == n + 2 * pieces; // V - E + F = 2 with E = 2 V
}

// Two edges between the same two faces: the knot is a sum. The edges must not be the same one.
static bool split_once(cg_diagram *d)
{
    int count = 4 * d->crossing_count;
    cg_diagram_find_faces(d);
    for (int h = 0; h < count; h++) {
        if (!d->out[h]) {
            continue;
        }
        int left = d->face[h], right = d->face[d->mate[h]];
        for (int walk = turn_left(d->mate[h]); walk != h; walk = turn_left(d->mate[walk])) {
            d->operations++;
            // A circle through both faces cuts both edges; the thread goes out by one and in by the other, so the same
            // face is at its left on both.
            if (left != right && d->out[walk] && d->face[d->mate[walk]] == right) {
                int in = d->mate[h], other_in = d->mate[walk];
                join(d, h, other_in);
                join(d, walk, in);
                return true;
            }
        }
    }
    return false;
}

int cg_diagram_split(cg_diagram *diagram, int *part)
{
    while (split_once(diagram)) {
    }
    return label_pieces(diagram, part);
}

void cg_diagram_piece(const cg_diagram *diagram, const int *part, int piece, cg_diagram *to)
{
    int count = 0;
    for (int c = 0; c < diagram->crossing_count; c++) {
        to->renumber[c] = part[c] == piece ? count++ : -1;
    }
    to->crossing_count = count;
    to->loose = 0;
    for (int c = 0; c < diagram->crossing_count; c++) {
        int n = to->renumber[c];
        if (n < 0) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            int m = diagram->mate[4 * c + k];
            to->mate[4 * n + k] = 4 * to->renumber[m >> 2] + (m & 3);
            to->out[4 * n + k] = diagram->out[4 * c + k];
        }
        for (int k = 0; k < 2; k++) {
            to->chain[2 * n + k] = diagram->chain[2 * c + k];
        }
    }
}
