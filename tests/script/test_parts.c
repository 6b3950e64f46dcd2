// Parts of scripts: what comes out of them, compared with the same lines written by hand; what the mirror does to
// motions; what is refused and where; and that nothing small becomes large without bounds.
#include <math.h>
#include <stdio.h>

#include "catgut/script.h"
#include "same_script.h"
#include "session/session_rig.h"

// Two hands, of which the second has a tool to wind around, and a thread.
static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"max_contacts\": 20, \"threads\": [{\"name\": \"cord\", \"radius\": \"0.5 mm\", "
    "\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"40 mm\", 0, 0]}}, \"vertices\": 21, \"start\": "
    "\"clamped\"}], \"shapes\": [{\"name\": \"ball\", \"sphere\": {\"radius\": \"3 mm\"}, \"position\": [\"20 mm\", 0, "
    "\"-6 mm\"]}], \"hands\": [{\"name\": \"left\", \"position\": [0, 0, \"10 mm\"]}, {\"name\": \"right\", "
    "\"position\": [\"40 mm\", 0, \"10 mm\"], \"hook\": {\"length\": 0}}]}";

static cg_script *read_script(const cg_scene *scene, const char *text)
{
    cg_script *script;
    cg_scene_error error;
    if (!CHECK_STR(cg_script_read(text, strlen(text), "s", scene, NULL, NULL, &script, &error).message, "")) {
        printf("    %s\n", text);
    }
    return script;
}

static void check_same(const char *with_parts, const char *by_hand)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_script *a = read_script(scene, with_parts), *b = read_script(scene, by_hand);
    if (a != NULL && b != NULL && !CHECK_INT(first_difference(a, b), -1)) {
        printf("    %s\n    %s\n", with_parts, by_hand);
    }
    cg_script_free(a);
    cg_script_free(b);
    cg_scene_free(scene);
}

TEST(a_part_is_its_lines_with_values)
{
    check_same("part \"take\" with when, who, far # {nobody} asks here\n"
               "    step \"take {when}\": \"It takes the end {when}, # and all.\"\n"
               "\n"
               "    {who} move by ({far}, 0, 1.{far}) mm in 1 s # {far}\n"
               "    expect knot \"{when}\" in thread\n"
               "end\n"
               "do \"take\" with \"3_1#m5_1\", left, 5\n"
               "wait 1 s\n"
               "  do \"take\" with \"again\", \"right\", \"7\" # a comment\n",
               "step \"take 3_1#m5_1\": \"It takes the end 3_1#m5_1, # and all.\"\n"
               "left move by (5, 0, 1.5) mm in 1 s\nexpect knot \"3_1#m5_1\" in thread\nwait 1 s\n"
               "step \"take again\": \"It takes the end again, # and all.\"\n"
               "right move by (7, 0, 1.7) mm in 1 s\nexpect knot \"again\" in thread\n");
}

TEST(a_part_may_be_empty_and_values_whole_lines)
{
    check_same("part \"nothing\"\nend\npart \"one\" with line\n{line}\nend\n"
               "do \"nothing\"\ndo \"one\" with \"left open\"\ndo \"one\" with \"\"\ndo \"nothing\" mirrored",
               "left open");
}

// The first line of a part that goes on, blocks inside of it, and a hand whose name would begin another line.
TEST(blocks_and_lines_that_go_on_stay_inside_of_a_part)
{
    check_same(
        "part \"twice\" with times, why\n  try {times} times: \"{why}\"\n    left open;\n\n"
        "      right move to end of thread in 1 s until force of right above 1 N\n    repeat 2 times\n"
        "      wait 1 s\n    end\n  again\n    right open\n  end\nend\n"
        "repeat 3 times\n  do \"twice\" with 4, \"It slipped.\"\nend\nwait 2 s",
        "repeat 3 times\ntry 4 times: \"It slipped.\"\nleft open; right move to end of thread in 1 s until force "
        "of right above 1 N\nrepeat 2 times\nwait 1 s\nend\nagain\nright open\nend\nend\nwait 2 s");
}

TEST(numbers_of_a_vector_may_be_sums)
{
    check_same("part \"there\" with x\nleft move to ({x} + 2.8, 1 - {x}, -1 + 2 - 4) mm in 1 s\nend\n"
               "do \"there\" with 7\ndo \"there\" with -7\n",
               "left move to (9.8, -6, -3) mm in 1 s\nleft move to (-4.2, 8, -3) mm in 1 s\n");
}

#define EVERYTHING                                                                                                     \
    "left move to (1, 2, 3) mm - (4, 5, 6) mm + (7, -8, 9) mm of right turning 20 deg about (0.1, 0.2, 0.3) in 1 s\n"  \
    "left move by (0, 2.7, -1) mm of right in 1 s; right turn -30 deg about (1, 0, 0) in 1 s\n"                        \
    "left circle 40 deg around end of thread + (0, 1, 0) mm about (1, 2, 3) moving (3, 2, 1) mm in 1 s\n"              \
    "left wrap 90 deg around right at 3 mm to 2 mm behind in 1 s until distance from (0, 3, 0) mm to right above 1 "   \
    "m\n"                                                                                                              \
    "look from (0, -100, 50) mm at middle of thread + (0, 1, 0) mm\n"                                                  \
    "left turn back in 1 s\nleft move to mark 3 in 1 s\nleft move to between mark 1 and mark 2 + (1, 1, 1) mm in 1 "   \
    "s\n"                                                                                                              \
    "left move to 3 mm along thread in 1 s\nexpect force of left above 1 N\n"

#define MIRRORED                                                                                                       \
    "left move to (1, -2, 3) mm - (4, -5, 6) mm + (7, 8, 9) mm of right turning -20 deg about (0.1, -0.2, 0.3) in 1 "  \
    "s\n"                                                                                                              \
    "left move by (0, -2.7, -1) mm of right in 1 s; right turn 30 deg about (1, 0, 0) in 1 s\n"                        \
    "left circle 40 deg around end of thread + (0, -1, 0) mm about (-1, 2, -3) moving (3, -2, 1) mm in 1 s\n"          \
    "left wrap -90 deg around right at 3 mm to 2 mm behind in 1 s until distance from (0, -3, 0) mm to right above 1 " \
    "m\nlook from (0, 100, 50) mm at middle of thread + (0, -1, 0) mm\n"                                               \
    "left turn back in 1 s\nleft move to mark 3 in 1 s\nleft move to between mark 1 and mark 2 + (1, -1, 1) mm in 1 "  \
    "s\nleft move to 3 mm along thread in 1 s\nexpect force of left above 1 N\n"

TEST(a_mirrored_part_is_what_one_would_write_by_hand)
{
    check_same("part \"all\"\n" EVERYTHING "end\ndo \"all\" mirrored\ndo \"all\"\n", MIRRORED EVERYTHING);
}

TEST(a_wound_and_a_cut_are_mirrored_too)
{
    static const char one[] = "part \"all\"\nexpect gap of tissue at (1, 2, 3) mm along (1, 2, 0) below 1 mm\n"
                              "cut tissue from (0, 1, 0) mm to (0, 2, 0) mm down (0, 1, -1) mm\nend\n"
                              "do \"all\" mirrored";
    static const char other[] = "expect gap of tissue at (1, -2, 3) mm along (1, -2, 0) below 1 mm\n"
                                "cut tissue from (0, -1, 0) mm to (0, -2, 0) mm down (0, -1, -1) mm";
    cg_script *a = read_script(NULL, one), *b = read_script(NULL, other);
    CHECK_INT(first_difference(a, b), -1);
    cg_script_free(a);
    cg_script_free(b);
}

TEST(parts_do_parts_and_mirrored_twice_is_not_mirrored)
{
    check_same("part \"go\" with hand, y\n  {hand} move by (1, {y}, 0) mm in 1 s\nend\n"
               "part \"both\" with y\n  do \"go\" with left, \"{y}\"\n  do \"go\" mirrored with right, \"{y}.5\"\nend\n"
               "part \"all\"\n  do \"both\" with 1\n  wait 1 s\n  do \"both\" mirrored with 2\nend\n"
               "do \"all\"\ndo \"all\" mirrored",
               "left move by (1, 1, 0) mm in 1 s\nright move by (1, -1.5, 0) mm in 1 s\nwait 1 s\n"
               "left move by (1, -2, 0) mm in 1 s\nright move by (1, 2.5, 0) mm in 1 s\n"
               "left move by (1, -1, 0) mm in 1 s\nright move by (1, 1.5, 0) mm in 1 s\nwait 1 s\n"
               "left move by (1, 2, 0) mm in 1 s\nright move by (1, -2.5, 0) mm in 1 s\n");
}

// Where a script leaves the left hand.
static cg_transform end_of(const char *script)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_scene_error error;
    CHECK_STR(cg_session_run_script(session, script, strlen(script), "s", &error).message, "");
    for (int i = 0; i < 1000 && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING; i++) {
        cg_session_step(session);
    }
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    cg_transform end = cg_hand_get_state(cg_session_world(session), cg_session_hand(session, 0)).command;
    cg_session_destroy(session);
    cg_scene_free(scene);
    return end;
}

// Both hands begin in the mirror: what one does and what its image does stay each other's image. That of a turn about
// (x, y, z) is about (-x, y, -z).
TEST(hands_go_as_the_mirror_shows)
{
#define MOTION                                                                                                         \
    "part \"all\"\n"                                                                                                   \
    "left move by (3, 4, 5) mm turning 50 deg about (1, 2, 3) in 20 ms\n"                                              \
    "right turn 35 deg about (2, 1, 0) in 20 ms\nwait 0.3 s\n"                                                         \
    "left circle 70 deg around (5, 6, 7) mm about (1, -2, 1) moving (0, 3, 1) mm in 20 ms\n"                           \
    "left wrap 100 deg around right at 11 mm in 20 ms\nleft move by (1, 2, 3) mm of right in 20 ms\nend\n"
    cg_transform a = end_of(MOTION "do \"all\""), b = end_of(MOTION "do \"all\" mirrored");
    CHECK(fabs(a.position.y) > 1e-3);
    CHECK_NEAR(a.position.x, b.position.x, 1e-9);
    CHECK_NEAR(a.position.y, -b.position.y, 1e-9);
    CHECK_NEAR(a.position.z, b.position.z, 1e-9);
    CHECK_NEAR(a.rotation.x, -b.rotation.x, 1e-12);
    CHECK_NEAR(a.rotation.y, b.rotation.y, 1e-12);
    CHECK_NEAR(a.rotation.z, -b.rotation.z, 1e-12);
    CHECK_NEAR(a.rotation.w, b.rotation.w, 1e-12);
#undef MOTION
}

#define PART "part \"go\" with hand, y\n  {hand} move by (1, {y}, 0) mm in 1 s\nend\n"

TEST(mistakes_get_the_place_in_the_part_and_the_line_that_does_it)
{
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } cases[] = {
        {PART "do \"go\" with lefft, 1", 2, 3,
         "no hand \"lefft\" in the scene; did you mean \"left\"? (done by line 4)"},
        {PART "do \"go\" with left, x", 2, 22, "found \"x\"; expected a number (done by line 4)"},
        {"part \"go\" with a\n  left move by ({a}, 0, 0) mm on 1 s\nend\n\ndo \"go\" with 123.4567", 2, 31,
         "found \"on\"; expected \"in\" (done by line 5)"},
        {PART "part \"two\"\n  do \"go\" with left, 1\n\n  do \"go\" with left, x\nend\nwait 1 s\ndo \"two\"", 2, 22,
         "expected a number (done by line 7, by line 10)"},
        {PART "do \"goo\" with left, 1", 4, 4, "there is no part \"goo\" before this line; did you mean \"go\"?"},
        {"do \"go\"\n" PART, 1, 4, "there is no part \"go\" before this line"},
        {PART "do go with left, 1", 4, 4, "the name of a part in quotes"},
        {PART "do \"go\" with left", 4, 9, "found 1 value for part \"go\"; expected 2"},
        {PART "do \"go\"", 4, 8, "found 0 values for part \"go\"; expected 2"},
        {PART "do \"go\" with left, 1, 2", 4, 9, "found 3 values"},
        {PART "do \"go\" with left, (1", 4, 20, "a value: a text in quotes, a word or a number"},
        {PART "do \"go\" with left, 1 mirrored", 4, 22, "found \"mirrored\"; expected the end of the line"},
        {PART "do \"go\" with left, \"1; 2\"", 2, 22, "found the value \"1; 2\" outside of quotes; expected none with"},
        {PART "do \"go\" with left, \"1 # 2\"", 2, 22, "none with # or ; (done by line 4)"},
        {PART "do \"go\" with \"try 2 times #\", 1", 2, 3, "outside of quotes"},
        {PART "do \"go\" with try, 1", 2, 3, "a line that a value gives another first word or end"},
        {"part \"a\" with x\n  e{x}\nend\ndo \"a\" with nd", 2, 3, "another first word"},
        {"part \"a\" with x\nleft open; {x}\nend\ndo \"a\" with \"\"\nright open", 2, 1, "another first word or end"},
        {"part \"a\" with x\n  wait {y} s\nend\ndo \"a\" with 1", 2, 8,
         "part \"a\" has no parameter \"y\"; did you mean \"x\"? (done by line 4)"},
        {"part \"a\" with side\n  wait {sdie} s\nend\ndo \"a\" with 1", 2, 8, "did you mean \"side\"?"},
        {"part \"a\" with x\n  wait {x s\nend\ndo \"a\" with 1", 2, 8, "a second brace"},
        {"part \"a\" with x\n  wait {x s # }\nend\ndo \"a\" with 1", 2, 8, "a second brace"},
        {"part \"a\"\n  do \"a\"\nend\ndo \"a\"", 2, 6, "found \"a\"; expected a part that is defined before the one"},
        {"part \"a\"\n  do \"b\"\nend\npart \"b\"\n  do \"a\"\nend\ndo \"b\"", 2, 6, "is defined before the one that "},
        {"part \"a\"\nwait 1 s", 1, 1, "a part without an end; expected \"end\""},
        {"part \"a\"\nrepeat 2 times\nwait 1 s\nend\n", 1, 1, "a part without an end"},
        {"part \"a\"\nwait 1 s\nend end\ndo \"a\"", 3, 1, "more than \"end\""},
        {"part \"a\"\nwait 1 s\nend\nend\ndo \"a\"", 4, 1, "the end of nothing"},
        {"part \"a\"\n  part \"b\"\n  end\nend", 2, 3, "a part inside of a part"},
        {"part \"a\"\nleft open\nagain\nend\ntry 2 times\ndo \"a\"\nend", 3, 1, "in the part that has its try"},
        {"part \"a\"\nleft open;\nend\ndo \"a\"\nend", 1, 1, "the part \"a\", which no line does"},
        {"part \"a\"\nleft opne\nend\nwait 1 s", 1, 1, "which no line does; expected do \"a\" behind it"},
        {"part \"a\"\nend\npart \"a\"\nend\ndo \"a\"", 3, 6, "a name that no other part has"},
        {"part a\nend\ndo \"a\"", 1, 6, "the name of the part in quotes"},
        {"part \"\"\nend\ndo \"\"", 1, 6, "the name of the part in quotes"},
        {"part \"a\" with\nend", 1, 14, "found the end of the line; expected the name of a parameter"},
        {"part \"a\" with x, x\nend", 1, 18, "another parameter"},
        {"part \"a\" with a, b, c, d, e, f, g, h, i\nend", 1, 39, "at most 8"},
        {"part \"a\" with \"x\"\nend", 1, 15, "the name of a parameter"},
        {"part \"a\" of x\nend", 1, 10, "found \"of\"; expected the end of the line"},
        {"part \"a\"\nwait 1 s\nend\nleft open; do \"a\"\ndo \"a\"", 4, 12, "there is no hand \"do\""},
        {"part \"a\"\nend\ndo \"a\"\nleft move to (1 + , 0, 0) mm in 1 s", 4, 19, "found \",\"; expected a number"},
        {"part \"a\"\nend\ndo \"a\"\nwait 1 s @\n", 4, 10, "a character that no script has"},
        {"part \"a\"\nend\ndo \"a\"\nrepeat 2 times\n\n", 4, 1, "a repeat without an end"},
        {"part \"a\"\nend\ndo \"a\"\n\nleft open;\n\n", 7, 1,
         "found the end of the script; expected the name of a hand"},
    };
    cg_scene *scene = rig_scene(SCENE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cg_scene_error error;
        cg_status status = cg_script_check(cases[i].text, strlen(cases[i].text), "a.script", scene, NULL, &error);
        bool placed = error.line == cases[i].line && error.column == cases[i].column;
        if (!CHECK_INT(status.code, CG_BAD_INPUT) || !CHECK(placed) || !CHECK(strstr(error.message, cases[i].words))) {
            printf("    %s\n    %d:%d: %s\n", cases[i].text, error.line, error.column, error.message);
        }
    }
    cg_scene_free(scene);
}

TEST(a_part_that_fails_says_which_line_did_it)
{
    static const char script[] = "part \"grab\" with who\n  step \"grab\"\n  {who} close\nend\n"
                                 "wait 1 ms\ndo \"grab\" with left\n";
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_scene_error error;
    CHECK_STR(cg_session_run_script(session, script, strlen(script), "s", &error).message, "");
    for (int i = 0; i < 10; i++) {
        cg_session_step(session);
    }
    cg_script_state state = cg_session_get_script(session);
    CHECK_INT(state.phase, CG_SCRIPT_FAILED);
    CHECK_INT(state.error.line, 3);
    CHECK_INT(state.error.column, 3);
    CHECK_STR(state.error.message, "step \"grab\": the hand closed on nothing: no thread, needle or tissue was in its "
                                   "reach (done by line 6)");
    cg_session_destroy(session);
    cg_scene_free(scene);
}

static void check_refused(const char *text, size_t size, int line, const char *words)
{
    cg_scene_error error;
    CHECK_INT(cg_script_check(text, size, "a", NULL, NULL, &error).code, CG_BAD_INPUT);
    if (!CHECK_INT(error.line, line) || !CHECK(strstr(error.message, words) != NULL)) {
        printf("    %d:%d: %s\n", error.line, error.column, error.message);
    }
}

// Ten times ten times ... of a line: as many as a script may have, and no more.
static size_t write_powers(char *text, size_t room, const char *line, int times, int levels)
{
    size_t used = (size_t)snprintf(text, room, "part \"0\"\n%s\nend\n", line);
    for (int level = 1; level <= levels; level++) {
        used += (size_t)snprintf(text + used, room - used, "part \"%d\"\n", level);
        for (int i = 0; i < times; i++) {
            used += (size_t)snprintf(text + used, room - used, "do \"%d\"\n", level - 1);
        }
        used += (size_t)snprintf(text + used, room - used, "end\n");
    }
    return used + (size_t)snprintf(text + used, room - used, "do \"%d\"\n", levels);
}

TEST(limits_hold_for_what_comes_out)
{
    size_t room = 300 * 1024;
    char *text = malloc(room);
    CHECK_INT(
        cg_script_check(text, write_powers(text, room, "wait 1 s", 16, 3), "a", NULL, NULL, &(cg_scene_error){0}).code,
        CG_OK); // 4096 lines
    check_refused(text, write_powers(text, room, "wait 1 s", 17, 3), 2,
                  "no more lines than there are already (done by");
    check_refused(text, write_powers(text, room, "left open; right open; a open", 14, 3), 2, "no more actions than");
    check_refused(text, write_powers(text, room, "step \"a\"", 17, 2), 2, "no more steps than there are already");
    check_refused(text, write_powers(text, room, "wait 1 s", 30, 5), 23, "when parts are written out");
    // Nothing, or a comment, done ever so often: each line that is read counts.
    check_refused(text, write_powers(text, room, "", 100, 7), 71, "when parts are written out");
    check_refused(text, write_powers(text, room, "# nothing at all", 20, 6), 2, "when parts are written out");
    check_refused(text, write_powers(text, room, "wait 1 s", 1, 8), 5, "fewer parts inside each other");
    CHECK_INT(
        cg_script_check(text, write_powers(text, room, "wait 1 s", 1, 7), "a", NULL, NULL, &(cg_scene_error){0}).code,
        CG_OK);
    // Nine repeats, of which a part brings one.
    check_refused(text,
                  write_powers(text, room,
                               "repeat 2 times\nrepeat 2 times\nrepeat 2 times\nrepeat 2 times\nrepeat "
                               "2 times\nrepeat 2 times\nrepeat 2 times\nrepeat 2 times\nrepeat 2 "
                               "times\nend\nend\nend\nend\nend\nend\nend\nend\nend",
                               1, 1),
                  10, "fewer repeats and tries inside each other (done by");
    size_t used = 0;
    for (int i = 0; i < 65; i++) {
        used += (size_t)snprintf(text + used, room - used, "part \"%d\"\nend\n", i);
    }
    check_refused(text, used, 129, "no more than 64 parts");
    free(text);
}

// A value of 250 bytes in a line that has it a thousand times.
TEST(values_make_no_script_of_any_length)
{
    size_t room = 64 * 1024, used = 0;
    char *text = malloc(room), value[251];
    memset(value, 'a', 250);
    value[250] = '\0';
    used += (size_t)snprintf(text, room, "part \"long\" with x\nstep \"");
    for (int i = 0; i < 5000; i++) {
        used += (size_t)snprintf(text + used, room - used, "{x}");
    }
    used += (size_t)snprintf(text + used, room - used, "\"\nend\ndo \"long\" with \"%s\"\n", value);
    check_refused(text, used, 2, "found more than 262144 bytes when parts are written out");
    free(text);
}

// Memory runs out at every place in turn, and none is lost: all that was taken is given back.
typedef struct short_memory {
    int left, held;
} short_memory;

static void *take_some(void *context, size_t bytes)
{
    short_memory *memory = context;
    memory->held += memory->left > 0;
    return memory->left-- > 0 ? malloc(bytes) : NULL;
}

static void give_some(void *context, void *block)
{
    ((short_memory *)context)->held -= block != NULL;
    free(block);
}

TEST(a_script_with_parts_is_refused_without_memory)
{
    static const char text[] = "part \"a\"\nleft open\nend\ndo \"a\"";
    cg_status status = {.code = CG_OUT_OF_MEMORY};
    int most = 0;
    while (status.code != CG_OK && most < 100) {
        short_memory memory = {.left = most++};
        cg_allocator allocator = {.allocate = take_some, .release = give_some, .context = &memory};
        cg_scene_error error;
        status = cg_script_check(text, strlen(text), "a", NULL, &allocator, &error);
        CHECK(status.code == CG_OK || status.code == CG_OUT_OF_MEMORY);
        CHECK_INT(memory.held, 0);
    }
    CHECK(most > 4 && most < 100);
}

// Each of these makes a script one that cannot be; a sound one is sound again without it.
TEST(a_script_that_was_corrupted_is_not_sound)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_script *s =
        read_script(scene, "step \"a\"\nleft close\nrepeat 2 times\nwait 0.1 s\nend\ntry 2 times\nleft open\n"
                           "again\nwait 0.2 s\nend\n");
    if (s == NULL) {
        return;
    }
    const int unlike = 10000;
    int *const places[] = {&s->at,
                           &s->step,
                           &s->lines[0].number,
                           &s->lines[1].first_action,
                           &s->lines[1].action_count,
                           &s->lines[2].partner,
                           &s->lines[2].turns,
                           &s->lines[4].partner,
                           &s->lines[5].partner,
                           &s->lines[7].partner,
                           &s->lines[9].partner};
    CHECK_INT(s->lines[2].kind, CG_LINE_REPEAT);
    CHECK_INT(s->lines[5].kind, CG_LINE_TRY);
    CHECK_INT(s->lines[7].kind, CG_LINE_AGAIN);
    CHECK_INT(s->lines[9].kind, CG_LINE_END);
    CHECK(cg_script_is_sound(s));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            int kept = *places[i];
            *places[i] = sign * unlike;
            CHECK(!cg_script_is_sound(s));
            *places[i] = kept;
        }
    }
    s->lines[3].time = -1;
    CHECK(!cg_script_is_sound(s));
    s->lines[3].time = 0.1;
    s->lines[4].kind = CG_LINE_WAIT; // the repeat has no end
    CHECK(!cg_script_is_sound(s));
    s->lines[4].kind = CG_LINE_END;
    s->pulls = -1;
    CHECK(!cg_script_is_sound(s));
    s->pulls = 0;
    CHECK(cg_script_is_sound(s));
    cg_script_free(s);
    cg_scene_free(scene);
}
