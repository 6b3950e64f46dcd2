// Work done by another thread: all of it, in order, and none of it lost when it ends.
#include <stdlib.h>

#include "harness.h"
#include "later.h"

typedef struct piece {
    int number, result;
} piece;

static void square(void *context)
{
    piece *one = context;
    one->result = one->number * one->number;
}

static piece *make(int number)
{
    piece *one = malloc(sizeof *one);
    *one = (piece){.number = number, .result = -1};
    return one;
}

TEST(pieces_come_back_done_and_in_order)
{
    enum { COUNT = 1000 };
    cg_later *later = cg_later_create(square);
    int added = 0, taken = 0;
    while (later != NULL && taken < COUNT) {
        piece *next = added < COUNT ? make(added) : NULL;
        if (next != NULL && cg_later_add(later, 3, next)) {
            added++;
        } else {
            free(next);
        }
        piece *done = cg_later_take(later, 3);
        if (done != NULL) {
            CHECK_INT(done->number, taken);
            CHECK_INT(done->result, taken * taken);
            taken++;
            free(done);
        }
        CHECK_INT(cg_later_count(later, 3), added - taken);
    }
    CHECK_INT(taken, COUNT);
    cg_later_end(later);
    cg_later_free(later);
}

TEST(what_was_added_is_done_before_it_ends)
{
    cg_later *later = cg_later_create(square);
    int added = 0;
    for (piece *one = make(0); later != NULL; one = make(added)) {
        if (!cg_later_add(later, 3, one)) { // there is no more room
            free(one);
            break;
        }
        added++;
    }
    CHECK_INT(added, CG_LATER_MOST);
    cg_later_end(later);
    CHECK(!cg_later_add(later, 3, &added)); // nor after its end
    for (int i = 0; i < added; i++) {
        piece *done = cg_later_take(later, 3);
        if (CHECK(done != NULL)) {
            CHECK_INT(done->result, i * i);
        }
        free(done);
    }
    CHECK(cg_later_take(later, 3) == NULL);
    cg_later_free(later);
}
