// label: golden
#include "base/archive.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { VERTICES = 5, TWISTS = 7, BUFFER = 1024 };
static const uint64_t VERSION = 3;

typedef enum mood { CALM, TENSE, TORN } mood;

// Something with a field of every kind.
typedef struct creature {
    uint64_t steps;
    int signed_number;
    mood mood;
    bool is_held;
    double turn;
    double twists[TWISTS];
    cg_vec3 force;
    cg_vec3 positions[VERTICES];
    cg_quat rotation;
    unsigned char name[11];
    size_t vertex_count;
} creature;

static void visit(cg_archive *archive, creature *c)
{
    cg_archive_count(archive, c->vertex_count, "vertices");
    cg_archive_u64(archive, &c->steps);
    cg_archive_int(archive, &c->signed_number, INT_MIN, INT_MAX);
    int mood_number = (int)c->mood;
    cg_archive_int(archive, &mood_number, CALM, TORN);
    c->mood = (mood)mood_number;
    cg_archive_bool(archive, &c->is_held);
    cg_archive_double(archive, &c->turn);
    cg_archive_doubles(archive, c->twists, TWISTS);
    cg_archive_vec3(archive, &c->force);
    cg_archive_vec3s(archive, c->positions, VERTICES);
    cg_archive_quat(archive, &c->rotation);
    cg_archive_bytes(archive, c->name, sizeof c->name);
}

static creature made(uint64_t seed)
{
    creature c;
    memset(&c, 0, sizeof c);
    c.vertex_count = VERTICES;
    c.steps = test_random_bits(&seed);
    c.signed_number = test_random_int(&seed, INT_MIN, INT_MAX);
    c.mood = (mood)test_random_int(&seed, CALM, TORN);
    c.is_held = test_random_int(&seed, 0, 1) == 1;
    c.turn = test_random(&seed, -9, 9);
    for (int i = 0; i < TWISTS; i++) {
        c.twists[i] = ldexp(test_random(&seed, -1, 1), test_random_int(&seed, -1000, 1000));
    }
    c.twists[0] = -0.0;
    c.twists[1] = DBL_MAX;
    c.force = (cg_vec3){1, -2, test_random(&seed, 0, 1)};
    for (int i = 0; i < VERTICES; i++) {
        c.positions[i] = (cg_vec3){test_random(&seed, -1, 1), test_random(&seed, -1, 1), test_random(&seed, -1, 1)};
    }
    c.rotation = (cg_quat){test_random(&seed, -1, 1), 0.5, -0.5, 0.25};
    for (size_t i = 0; i < sizeof c.name; i++) {
        c.name[i] = (unsigned char)test_random_int(&seed, 0, 255);
    }
    return c;
}

static size_t measured(creature *c)
{
    cg_archive archive = cg_archive_to_measure();
    cg_archive_begin(&archive, VERSION);
    visit(&archive, c);
    CHECK_INT(cg_archive_end(&archive).code, CG_OK);
    return cg_archive_size(&archive);
}

static uint64_t hashed(creature *c)
{
    cg_archive archive = cg_archive_to_hash();
    cg_archive_begin(&archive, VERSION);
    visit(&archive, c);
    CHECK_INT(cg_archive_end(&archive).code, CG_OK);
    return cg_archive_hash(&archive);
}

static cg_status saved(creature *c, unsigned char *bytes, size_t size)
{
    cg_archive archive = cg_archive_to_save(bytes, size);
    cg_archive_begin(&archive, VERSION);
    visit(&archive, c);
    return cg_archive_end(&archive);
}

static cg_status read_by(cg_archive archive, creature *c, uint64_t version)
{
    cg_archive_begin(&archive, version);
    visit(&archive, c);
    return cg_archive_end(&archive);
}

static cg_status loaded(creature *c, const unsigned char *bytes, size_t size)
{
    return read_by(cg_archive_to_load(bytes, size), c, VERSION);
}

static bool same(const creature *a, const creature *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

TEST(what_was_saved_is_loaded_to_the_bit)
{
    unsigned char bytes[BUFFER];
    for (uint64_t seed = 1; seed <= 100; seed++) {
        creature first = made(seed), second = made(seed + 1000);
        CHECK(!same(&first, &second));
        size_t size = measured(&first);
        CHECK_INT(size, CG_ARCHIVE_HEADER_SIZE + 8 * (1 + 1 + 1 + 1 + 1 + 1 + TWISTS + 3 + 3 * VERTICES + 4) + 11);
        CHECK_INT(saved(&first, bytes, size).code, CG_OK);
        CHECK_INT(loaded(&second, bytes, size).code, CG_OK);
        CHECK(same(&first, &second));
        CHECK_HASH(hashed(&second), hashed(&first));
    }
}

TEST(a_larger_buffer_is_fine)
{
    unsigned char bytes[BUFFER];
    memset(bytes, 0x77, sizeof bytes);
    creature first = made(1), second = made(2);
    CHECK_INT(saved(&first, bytes, sizeof bytes).code, CG_OK);
    CHECK_INT(bytes[measured(&first)], 0x77); // nothing is written behind the end
    CHECK_INT(loaded(&second, bytes, sizeof bytes).code, CG_OK);
    CHECK(same(&first, &second));
}

TEST(too_small_a_buffer_is_refused_and_says_what_is_needed)
{
    unsigned char bytes[BUFFER];
    creature c = made(1);
    size_t size = measured(&c);
    for (size_t room = 0; room < size; room++) {
        memset(bytes, 0x77, sizeof bytes);
        cg_status status = saved(&c, bytes, room);
        CHECK_INT(status.code, CG_BAD_INPUT);
        CHECK_INT(bytes[room], 0x77);
        char needed[96];
        snprintf(needed, sizeof needed, "the buffer has %zu bytes, the state needs %zu", room, size);
        CHECK_STR(status.message, needed);
    }
    cg_status status = saved(&c, NULL, 0);
    CHECK_INT(status.code, CG_BAD_INPUT);
}

TEST(reading_stops_at_every_cut)
{
    unsigned char bytes[BUFFER];
    creature c = made(1);
    size_t size = measured(&c);
    saved(&c, bytes, size);
    for (size_t cut = 0; cut < size; cut++) {
        creature other = made(2), before = made(2);
        CHECK_INT(loaded(&other, bytes, cut).code, CG_BAD_INPUT);
        CHECK(same(&other, &before)); // the header tells before anything is taken
    }
    creature other = made(2);
    CHECK_INT(loaded(&other, NULL, 0).code, CG_BAD_INPUT);
}

TEST(every_flipped_bit_is_noticed)
{
    unsigned char bytes[BUFFER];
    creature c = made(1);
    size_t size = measured(&c);
    saved(&c, bytes, size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        creature other = made(2), before = made(2);
        CHECK(loaded(&other, bytes, size).code != CG_OK);
        CHECK(same(&other, &before));
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    creature other = made(2);
    CHECK_INT(loaded(&other, bytes, size).code, CG_OK);
}

TEST(another_version_is_a_mismatch)
{
    unsigned char bytes[BUFFER];
    creature c = made(1);
    saved(&c, bytes, sizeof bytes);
    cg_status status = read_by(cg_archive_to_load(bytes, sizeof bytes), &c, VERSION + 1);
    CHECK_INT(status.code, CG_MISMATCH);
    CHECK_STR(status.message, "the saved state has version 3, this program reads version 4");
}

TEST(another_shape_is_a_mismatch_that_a_check_finds_without_writing)
{
    unsigned char bytes[BUFFER];
    creature c = made(1);
    saved(&c, bytes, sizeof bytes);
    creature other = made(2);
    other.vertex_count = 6;
    creature before = other;
    cg_status status = read_by(cg_archive_to_check(bytes, sizeof bytes), &other, VERSION);
    CHECK_INT(status.code, CG_MISMATCH);
    CHECK_STR(status.message, "the saved state has 5 vertices, the present one has 6");
    CHECK(same(&other, &before));
    CHECK_INT(loaded(&other, bytes, sizeof bytes).code, CG_MISMATCH);
    CHECK_INT(other.vertex_count, 6);
    other.vertex_count = 5;
    before = other;
    CHECK_INT(read_by(cg_archive_to_check(bytes, sizeof bytes), &other, VERSION).code, CG_OK);
    CHECK(same(&other, &before)); // a check that ends well has written nothing either
}

// A number out of its range, in bytes that are otherwise in order.
TEST(numbers_out_of_range_are_refused)
{
    unsigned char bytes[BUFFER];
    creature c = made(1), other = made(2);
    c.mood = (mood)(TORN + 1);
    saved(&c, bytes, sizeof bytes);
    mood before = other.mood;
    CHECK_INT(read_by(cg_archive_to_check(bytes, sizeof bytes), &other, VERSION).code, CG_BAD_INPUT);
    CHECK_INT(loaded(&other, bytes, sizeof bytes).code, CG_BAD_INPUT);
    CHECK_INT(other.mood, before);
}

// The walk asks for more or for less than was saved, although no count says so.
TEST(a_walk_of_another_length_is_a_mismatch)
{
    unsigned char bytes[BUFFER];
    double values[4] = {1, 2, 3, 4};
    cg_archive archive = cg_archive_to_save(bytes, sizeof bytes);
    cg_archive_begin(&archive, VERSION);
    cg_archive_doubles(&archive, values, 3);
    CHECK_INT(cg_archive_end(&archive).code, CG_OK);
    for (size_t count = 0; count <= 4; count++) {
        double read[4] = {9, 9, 9, 9};
        archive = cg_archive_to_load(bytes, sizeof bytes);
        cg_archive_begin(&archive, VERSION);
        cg_archive_doubles(&archive, read, count);
        CHECK_INT(cg_archive_end(&archive).code, count == 3 ? CG_OK : CG_MISMATCH);
        CHECK(read[3] == 9);
    }
    unsigned char name[40];
    archive = cg_archive_to_load(bytes, sizeof bytes);
    cg_archive_begin(&archive, VERSION);
    cg_archive_bytes(&archive, name, sizeof name);
    CHECK(!cg_archive_is_ok(&archive));
}

TEST(the_hash_sees_every_field)
{
    creature plain = made(1);
    uint64_t hash = hashed(&plain);
    enum { FIELDS = 11 };
    for (int field = 0; field < FIELDS; field++) {
        creature c = made(1);
        c.steps += field == 0;
        c.signed_number ^= field == 1;
        c.mood = field == 2 ? (mood)(((int)c.mood + 1) % 3) : c.mood;
        c.is_held = field == 3 ? !c.is_held : c.is_held;
        c.turn += field == 4;
        c.twists[TWISTS - 1] *= field == 5 ? -1 : 1;
        c.force.y += field == 6;
        c.positions[VERTICES - 1].z += field == 7 ? 1e-15 : 0;
        c.rotation.w += field == 8;
        c.name[10] ^= field == 9;
        c.vertex_count += field == 10;
        CHECK(hashed(&c) != hash);
    }
    creature c = made(1);
    c.twists[0] = +0.0; // was -0
    CHECK_HASH(hashed(&c), hash);
}

// The layout is part of the format: these bytes were written down by hand from the description in the header.
TEST(bytes_are_little_endian_without_gaps)
{
    unsigned char bytes[64];
    uint64_t word = 0x0102030405060708u;
    double one = -1.5; // 0xbff8000000000000
    unsigned char letters[3] = {'a', 'b', 'c'};
    cg_archive archive = cg_archive_to_save(bytes, sizeof bytes);
    cg_archive_begin(&archive, 2);
    cg_archive_bytes(&archive, letters, 3);
    cg_archive_u64(&archive, &word);
    cg_archive_double(&archive, &one);
    CHECK_INT(cg_archive_end(&archive).code, CG_OK);
    CHECK_INT(cg_archive_size(&archive), 32 + 19);
    static const unsigned char header[24] = {'c', 'a', 't', 'g', 'u', 't', '\r', '\n', 2, 0, 0, 0,
                                             0,   0,   0,   0,   19,  0,   0,    0,    0, 0, 0, 0};
    static const unsigned char payload[19] = {'a', 'b', 'c', 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0xf8, 0xbf};
    CHECK(memcmp(bytes, header, sizeof header) == 0);
    CHECK(memcmp(bytes + 32, payload, sizeof payload) == 0);
}

TEST(numbers_that_are_not_finite_are_refused)
{
    static const double bad[] = {(double)INFINITY, -(double)INFINITY, (double)NAN};
    for (int n = 0; n < 3; n++) {
        creature c = made(5), other = made(6), kept = other;
        c.positions[VERTICES - 1].y = bad[n];
        size_t size = measured(&c);
        unsigned char *bytes = malloc(size);
        CHECK_INT(saved(&c, bytes, size).code, CG_OK);
        CHECK_INT(read_by(cg_archive_to_check(bytes, size), &other, VERSION).code, CG_BAD_INPUT);
        CHECK_INT(memcmp(&other, &kept, sizeof other), 0);
        free(bytes);
    }
}

TEST(lists_may_change_their_length)
{
    unsigned char bytes[256];
    double values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, loaded[8] = {0};
    cg_archive save = cg_archive_to_save(bytes, sizeof bytes);
    cg_archive_begin(&save, VERSION);
    CHECK_INT(cg_archive_length(&save, 5, 8), 5);
    cg_archive_doubles(&save, values, 5);
    CHECK_INT(cg_archive_end(&save).code, CG_OK);
    for (int most = 4; most <= 8; most++) {
        cg_archive load = cg_archive_to_load(bytes, sizeof bytes);
        cg_archive_begin(&load, VERSION);
        int length = cg_archive_length(&load, 2, most);
        CHECK_INT(length, most >= 5 ? 5 : 0);
        cg_archive_doubles(&load, loaded, (size_t)length);
        CHECK_INT(cg_archive_end(&load).code, most >= 5 ? CG_OK : CG_MISMATCH);
    }
    CHECK_NEAR(loaded[4], 5, 0);
}
