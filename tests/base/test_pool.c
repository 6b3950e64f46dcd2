#include "base/pool.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "harness.h"

typedef struct item {
    int name;
    double weight;
} item;

static cg_pool made(int capacity)
{
    cg_allocator allocator = cg_memory_default();
    cg_pool pool;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_pool_init(&pool, &arena, capacity, sizeof(item));
    size_t bytes = cg_arena_used(&arena);
    cg_arena_init(&arena, cg_memory_take(&allocator, bytes), bytes);
    cg_pool_init(&pool, &arena, capacity, sizeof(item));
    return pool;
}

static void end(cg_pool *pool)
{
    cg_allocator allocator = cg_memory_default();
    cg_memory_give(&allocator, pool->items); // the first piece of the arena
}

TEST(zero_and_wild_handles_name_nothing)
{
    cg_pool pool = made(3);
    CHECK(cg_pool_get(&pool, (cg_handle){0, 0}) == NULL);
    CHECK(cg_pool_get(&pool, (cg_handle){1, 0}) == NULL);
    CHECK(cg_pool_get(&pool, (cg_handle){1, 1}) == NULL);
    CHECK(cg_pool_get(&pool, (cg_handle){4, 1}) == NULL);
    CHECK(cg_pool_get(&pool, (cg_handle){UINT_MAX, UINT_MAX}) == NULL);
    CHECK(!cg_pool_give(&pool, (cg_handle){2, 0}));
    CHECK(cg_pool_first(&pool) == NULL);
    end(&pool);
}

TEST(a_full_pool_refuses)
{
    cg_pool pool = made(2);
    cg_handle a, b, c = {7, 7};
    item *first = cg_pool_take(&pool, &a);
    first->weight = 3;
    CHECK(cg_pool_take(&pool, &b) != NULL);
    CHECK(cg_pool_take(&pool, &c) == NULL);
    CHECK(c.index == 0 && c.generation == 0);
    CHECK(cg_pool_give(&pool, a));
    item *again = cg_pool_take(&pool, &c);
    CHECK(again == first && again->weight == 0);
    CHECK(c.index == a.index && c.generation != a.generation);
    CHECK(cg_pool_get(&pool, a) == NULL); // the old handle does not find the new item
    CHECK(!cg_pool_give(&pool, a));
    CHECK(cg_pool_get(&pool, c) == again);
    CHECK_INT(pool.count, 2);
    end(&pool);
}

TEST(a_pool_of_nothing_is_always_full)
{
    cg_arena arena;
    _Alignas(64) unsigned char memory[64];
    cg_arena_init(&arena, memory, sizeof memory);
    cg_pool pool;
    cg_pool_init(&pool, &arena, 0, sizeof(item));
    cg_handle handle;
    CHECK(cg_pool_take(&pool, &handle) == NULL);
    CHECK(cg_pool_first(&pool) == NULL);
}

TEST(a_place_with_no_generation_left_is_not_used_again)
{
    cg_pool pool = made(2);
    pool.places[0].generation = UINT_MAX - 1;
    cg_handle a, b;
    cg_pool_take(&pool, &a);
    CHECK(a.generation == UINT_MAX);
    CHECK(cg_pool_give(&pool, a));
    cg_pool_take(&pool, &b);
    CHECK_INT(b.index, 2);
    CHECK(cg_pool_take(&pool, &b) == NULL);
    end(&pool);
}

// The oracle: a plain list of names and handles in the order of creation.
enum { PLACES = 13, LIVES = 20000 };

typedef struct record {
    cg_handle handle;
    int name;
} record;

static void check_order(const cg_pool *pool, const record *list, int count)
{
    int i = 0;
    bool agrees = pool->count == count;
    for (item *it = cg_pool_first(pool); it != NULL && i < count; it = cg_pool_next(pool, it), i++) {
        cg_handle handle = cg_pool_handle_of(pool, it);
        agrees = agrees && it->name == list[i].name && cg_pool_get(pool, list[i].handle) == it;
        agrees = agrees && handle.index == list[i].handle.index && handle.generation == list[i].handle.generation;
        agrees = agrees && (i + 1 < count || cg_pool_next(pool, it) == NULL);
    }
    CHECK(agrees && i == count);
}

TEST(items_are_visited_in_the_order_of_creation)
{
    cg_pool pool = made(PLACES);
    static record dead[LIVES];
    record list[PLACES];
    int count = 0, dead_count = 0;
    uint64_t random = 5;
    for (int life = 0; life < LIVES; life++) {
        if (test_random_int(&random, 0, 1) == 1) {
            cg_handle handle;
            item *it = cg_pool_take(&pool, &handle);
            CHECK((it == NULL) == (count == PLACES));
            if (it != NULL) {
                it->name = life;
                list[count++] = (record){handle, life};
            }
        } else if (count > 0) {
            int victim = test_random_int(&random, 0, count - 1);
            dead[dead_count++] = list[victim];
            CHECK(cg_pool_give(&pool, list[victim].handle));
            memmove(&list[victim], &list[victim + 1], (size_t)(count - victim - 1) * sizeof list[0]);
            count--;
        }
        check_order(&pool, list, count);
    }
    for (int i = 0; i < dead_count; i++) {
        CHECK(cg_pool_get(&pool, dead[i].handle) == NULL);
    }
    end(&pool);
}

TEST(the_same_calls_give_the_same_handles)
{
    cg_pool a = made(PLACES), b = made(PLACES);
    cg_handle held[PLACES];
    int count = 0;
    uint64_t random = 9;
    for (int i = 0; i < 1000; i++) {
        cg_handle other;
        if (count < PLACES && test_random_int(&random, 0, 1) == 1) {
            cg_pool_take(&a, &held[count]);
            cg_pool_take(&b, &other);
            CHECK(other.index == held[count].index && other.generation == held[count].generation);
            count++;
        } else if (count > 0) {
            int victim = test_random_int(&random, 0, count - 1);
            CHECK(cg_pool_give(&a, held[victim]) && cg_pool_give(&b, held[victim]));
            held[victim] = held[--count];
        }
    }
    end(&a);
    end(&b);
}
