#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "harness.h"

// An allocator that starts its blocks `offset` bytes off and counts them, as a user's might.
typedef struct counting {
    size_t offset;
    size_t asked;
    int taken, given;
    bool refuses;
    unsigned char *block;
} counting;

static void *counting_allocate(void *context, size_t bytes)
{
    counting *c = context;
    c->asked = bytes;
    if (c->refuses) {
        return NULL;
    }
    c->taken++;
    c->block = malloc(bytes + c->offset);
    if (c->block == NULL) {
        return NULL;
    }
    memset(c->block, 0xa5, bytes + c->offset);
    return c->block + c->offset;
}

static void counting_release(void *context, void *memory)
{
    counting *c = context;
    c->given++;
    CHECK(memory == c->block + c->offset);
    free(c->block);
}

static bool all_zero(const void *memory, size_t bytes)
{
    const unsigned char *byte = memory;
    for (size_t i = 0; i < bytes; i++) {
        if (byte[i] != 0) {
            return false;
        }
    }
    return true;
}

TEST(blocks_are_aligned_and_zero_whatever_the_allocator_returns)
{
    for (size_t offset = 0; offset < 64; offset++) {
        counting c = {.offset = offset};
        cg_allocator allocator = {counting_allocate, counting_release, &c};
        const size_t bytes = 1 + offset * 7;
        unsigned char *block = cg_memory_take(&allocator, bytes);
        if (!CHECK(block != NULL)) {
            return;
        }
        CHECK((uintptr_t)block % CG_MEMORY_ALIGNMENT == 0);
        CHECK(all_zero(block, bytes));
        memset(block, 0xff, bytes); // the address sanitizer sees it when this is not ours
        cg_memory_give(&allocator, block);
        CHECK_INT(c.taken, 1);
        CHECK_INT(c.given, 1);
    }
}

TEST(functions_left_null_mean_malloc)
{
    cg_allocator none = {NULL, NULL, NULL};
    cg_allocator standard = cg_memory_default();
    CHECK(cg_memory_is_usable(&none));
    CHECK(cg_memory_is_usable(&standard));
    cg_allocator half = {counting_allocate, NULL, NULL};
    CHECK(!cg_memory_is_usable(&half));
    void *a = cg_memory_take(&none, 0);
    void *b = cg_memory_take(&standard, 1000);
    CHECK(a != NULL && b != NULL);
    CHECK(all_zero(b, 1000));
    cg_memory_give(&standard, a);
    cg_memory_give(&none, b);
    cg_memory_give(&none, NULL);
}

TEST(no_room_gives_null)
{
    counting c = {.refuses = true};
    cg_allocator allocator = {counting_allocate, counting_release, &c};
    CHECK(cg_memory_take(&allocator, 100) == NULL);
    CHECK(c.asked >= 100);
    c.asked = 0;
    CHECK(cg_memory_take(&allocator, SIZE_MAX) == NULL);
    CHECK(cg_memory_take(&allocator, SIZE_MAX - 8) == NULL);
    CHECK_INT(c.asked, 0); // a size that would wrap around never reaches the allocator
}

TEST(products_that_are_too_large_are_noticed)
{
    size_t product = 0;
    CHECK(cg_memory_multiply(0, SIZE_MAX, &product) && product == 0);
    CHECK(cg_memory_multiply(SIZE_MAX, 0, &product) && product == 0);
    CHECK(cg_memory_multiply(SIZE_MAX, 1, &product) && product == SIZE_MAX);
    CHECK(cg_memory_multiply(123456, 789, &product) && product == 97406784);
    CHECK(!cg_memory_multiply(SIZE_MAX / 2 + 1, 2, &product) && product == SIZE_MAX);
    CHECK(!cg_memory_multiply(SIZE_MAX, SIZE_MAX, &product));
}

// ---- arena

typedef struct rope {
    double *lengths;
    char *marks;
    cg_vec3 *positions;
} rope;

static void lay_out(cg_arena *arena, rope *r, int count)
{
    r->lengths = cg_arena_push_array(arena, double, count - 1);
    r->marks = cg_arena_push_array(arena, char, count);
    r->positions = cg_arena_push_array(arena, cg_vec3, count);
}

TEST(one_layout_measures_and_carves)
{
    cg_allocator allocator = cg_memory_default();
    for (int count = 1; count < 40; count++) {
        rope r;
        cg_arena arena;
        cg_arena_init(&arena, NULL, 0);
        CHECK(cg_arena_is_measuring(&arena));
        lay_out(&arena, &r, count);
        CHECK(r.lengths == NULL && r.marks == NULL && r.positions == NULL);
        size_t bytes = cg_arena_used(&arena);

        cg_arena_init(&arena, cg_memory_take(&allocator, bytes), bytes);
        CHECK(!cg_arena_is_measuring(&arena));
        memset(arena.memory, 0x5a, bytes);
        lay_out(&arena, &r, count);
        CHECK_INT(cg_arena_used(&arena), bytes);
        CHECK((uintptr_t)r.lengths % 64 == 0 && (uintptr_t)r.marks % 64 == 0 && (uintptr_t)r.positions % 64 == 0);
        CHECK(all_zero(r.lengths, (size_t)(count - 1) * sizeof(double)));
        CHECK(all_zero(r.marks, (size_t)count));
        CHECK(all_zero(r.positions, (size_t)count * sizeof(cg_vec3)));
        CHECK((unsigned char *)(r.lengths + count - 1) <= (unsigned char *)r.marks);
        CHECK((unsigned char *)(r.marks + count) <= (unsigned char *)r.positions);
        CHECK((unsigned char *)(r.positions + count) <= arena.memory + bytes);
        cg_memory_give(&allocator, arena.memory);
    }
}

TEST(rewinding_gives_back_and_keeps_the_high_water)
{
    cg_allocator allocator = cg_memory_default();
    cg_arena arena;
    cg_arena_init(&arena, cg_memory_take(&allocator, 1024), 1024);
    char *kept = cg_arena_push_array(&arena, char, 10);
    size_t mark = cg_arena_mark(&arena);
    char *first = cg_arena_push_array(&arena, char, 200);
    memset(first, 1, 200);
    CHECK_INT(cg_arena_used(&arena), 64 + 256);
    cg_arena_rewind(&arena, mark);
    CHECK_INT(cg_arena_used(&arena), 64);
    char *second = cg_arena_push_array(&arena, char, 100);
    CHECK(second == first && second == kept + 64);
    CHECK(all_zero(second, 100));
    CHECK_INT(arena.high_water, 64 + 256);
    CHECK(cg_arena_push(&arena, 0, 8) != NULL);
    CHECK_INT(cg_arena_used(&arena), 64 + 128);
    CHECK(cg_arena_push(&arena, 1024 - 192, 1) != NULL); // to the last byte
    CHECK_INT(cg_arena_used(&arena), 1024);
#ifdef NDEBUG // with assertions on, this ends the program
    CHECK(cg_arena_push(&arena, 1, 1) == NULL);
    CHECK(cg_arena_push(&arena, SIZE_MAX, 2) == NULL);
    CHECK_INT(cg_arena_used(&arena), 1024);
#endif
    cg_memory_give(&allocator, arena.memory);
}

TEST(measuring_too_much_sticks_at_the_largest_size)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_arena_push(&arena, 10, 10);
    cg_arena_push(&arena, SIZE_MAX / 4, 8);
    CHECK(cg_arena_used(&arena) == SIZE_MAX);
    cg_arena_push(&arena, 10, 10);
    CHECK(cg_arena_used(&arena) == SIZE_MAX);
    cg_allocator allocator = cg_memory_default();
    CHECK(cg_memory_take(&allocator, cg_arena_used(&arena)) == NULL);
    cg_arena_init(&arena, NULL, 0);
    for (int i = 0; i < 8; i++) {
        cg_arena_push(&arena, SIZE_MAX / 6, 1); // no single piece is too large, the sum is
    }
    CHECK(cg_arena_used(&arena) == SIZE_MAX);
}

TEST(an_array_that_cannot_grow_stays_as_it_is)
{
    counting c = {.offset = 8};
    cg_allocator allocator = {counting_allocate, counting_release, &c};
    cg_allocator plain = cg_memory_default();
    void *array = cg_memory_take(&plain, 4);
    memcpy(array, "abc", 4);
    CHECK(cg_memory_grow(&plain, &array, 3, 1000));
    CHECK_STR(array, "abc"); // the rest is zero
    CHECK(all_zero((char *)array + 3, 997));
    cg_memory_give(&plain, array);

    array = NULL;
    CHECK(cg_memory_grow(&allocator, &array, 0, 4));
    memcpy(array, "xyz", 4);
    void *before = array;
    c.refuses = true;
    CHECK(!cg_memory_grow(&allocator, &array, 4, 1000));
    CHECK(array == before);
    CHECK_STR(array, "xyz");
    cg_memory_give(&allocator, array);
    CHECK_INT(c.given, 1);
}
