// A test program that must not pass: test_harness.c starts it to see that the harness can fail.
#include "harness.h"

#include <math.h>
#include <stddef.h>

TEST(passing)
{
    CHECK(true);
}

TEST(false_condition)
{
    CHECK(1 + 1 == 3);
}

TEST(far_value)
{
    CHECK_NEAR(1.0, 1.1, 0.01);
}

TEST(not_a_number)
{
    CHECK_NEAR((double)NAN, (double)NAN, INFINITY);
}

TEST(other_integer)
{
    CHECK_INT(5, 6);
}

TEST(other_text)
{
    CHECK_STR("knot", "nought");
}

TEST(missing_text)
{
    CHECK_STR(NULL, "nought");
}

TEST(other_hash)
{
    CHECK_HASH(0x0123456789abcdefu, 0x0123456789abcdeeu);
}

TEST(two_golden)
{
    CHECK_GOLDEN(0x0123456789abcdefu);
    CHECK_GOLDEN(2);
}

TEST(no_check)
{
}

TEST(skipping)
{
    test_skip("as asked");
}

TEST(failed_then_skipped)
{
    CHECK(false);
    test_skip("too late");
}

TEST(fault_that_shows)
{
    CHECK(true);
    KNOWN_FAULT("one and one make three");
    CHECK(true);
    CHECK(1 + 1 == 3);
}

TEST(fault_that_is_mended)
{
    KNOWN_FAULT("one and one make three");
    CHECK(1 + 1 == 2);
}

TEST(fault_without_a_check)
{
    KNOWN_FAULT("nothing was looked at");
}

TEST(fault_behind_a_failure)
{
    CHECK(false);
    KNOWN_FAULT("one and one make three");
    CHECK(1 + 1 == 3);
}
