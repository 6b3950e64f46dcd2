#include "base/status.h"

#include <string.h>

#include "harness.h"

TEST(ok_has_code_and_empty_message)
{
    cg_status status = cg_ok();
    CHECK_INT(status.code, CG_OK);
    CHECK_STR(status.message, "");
}

TEST(error_formats_like_printf)
{
    cg_status status = cg_error(CG_BAD_INPUT, "radius is %g, above %d expected", -0.5, 0);
    CHECK_INT(status.code, CG_BAD_INPUT);
    CHECK_STR(status.message, "radius is -0.5, above 0 expected");
}

// Lengths around the size of the message: all of it where it fits, a visible cut and a terminator where not.
TEST(long_messages_are_cut_and_terminated)
{
    char text[400];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    const int room = (int)sizeof cg_ok().message - 1;
    for (int length = room - 3; length <= room + 100; length++) {
        cg_status status = cg_error(CG_FULL, "%.*s", length, text);
        CHECK_INT(status.code, CG_FULL);
        const char *end = memchr(status.message, '\0', sizeof status.message);
        if (!CHECK(end != NULL)) {
            return;
        }
        CHECK_INT(end - status.message, length < room ? length : room);
        CHECK((strstr(status.message, "...") != NULL) == (length > room));
    }
}

TEST(every_code_has_its_own_name)
{
    for (int a = CG_OK; a <= CG_MISMATCH; a++) {
        CHECK(strcmp(cg_code_name((cg_code)a), "unknown") != 0);
        for (int b = CG_OK; b < a; b++) {
            CHECK(strcmp(cg_code_name((cg_code)a), cg_code_name((cg_code)b)) != 0);
        }
    }
    CHECK_STR(cg_code_name(CG_BAD_INPUT), "bad_input");
    CHECK_STR(cg_code_name((cg_code)(CG_MISMATCH + 1)), "unknown");
}
