// The examples of examples/ run and print what theory says, not what they happened to print once.
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/catgut.h"
#include "harness.h"

// Runs an example and keeps its first words; false when it does not end well.
static bool run_example(const char *name, char *words, size_t room)
{
    char command[512];
    snprintf(command, sizeof command, "'%s/examples/%s' 2>&1", CATGUT_BINARY_DIR, name);
    FILE *out = popen(command, "r");
    size_t size = out ? fread(words, 1, room - 1, out) : 0;
    words[size] = '\0';
    return out && pclose(out) == 0;
}

TEST(first_hangs_straight_down)
{
    char words[256];
    double seconds, depth;
    CHECK(run_example("first", words, sizeof words));
    CHECK_INT(sscanf(words, "after %lf s the tip hangs %lf mm below the hand", &seconds, &depth), 2);
    CHECK_NEAR(seconds, 5, 1e-9);
    CHECK_NEAR(depth, 100, 0.02); // ten centimetres; its own weight stretches it by far less
}

TEST(pull_feels_the_stiffness_times_the_stretch)
{
    char words[1024];
    CHECK(run_example("pull", words, sizeof words));
    cg_thread_def def = cg_thread_def_default();
    double force = def.youngs_modulus * acos(-1) * def.radius * def.radius * 0.01;
    static const double pulled[4] = {0.5, 1, 1, 1};
    char *line = strtok(words, "\n");
    for (int i = 0; i < 4; i++, line = strtok(NULL, "\n")) {
        double seconds, longer, left, right;
        if (!CHECK(line != NULL) ||
            !CHECK_INT(sscanf(line, "%lf s: longer by %lf mm, left hand %lf N, right hand %lf N", &seconds, &longer,
                              &left, &right),
                       4)) {
            return;
        }
        CHECK_NEAR(longer, pulled[i], 0.006);
        CHECK_NEAR(right, pulled[i] * force, 0.01 * force);
        CHECK_NEAR(left, -right, 0.01 * force);
    }
    double percent = 0, tension = 0;
    CHECK_INT(line ? sscanf(line, "stretched by %lf %%, tension at most %lf N", &percent, &tension) : 0, 2);
    CHECK_NEAR(percent, 1, 0.01);
    CHECK_NEAR(tension, force, 0.01 * force);
}

TEST(tissue_passes_the_pull_of_the_hand_on_to_the_table)
{
    char words[1024];
    CHECK(run_example("tissue", words, sizeof words));
    double lifted = 0, felt = 0, table = 0, weight = 0, seconds;
    int nodes = 0, lines = 0;
    for (char *line = strtok(words, "\n"); line; line = strtok(NULL, "\n")) {
        lines += sscanf(line, "%lf s: %d nodes lifted by %lf mm, the hand feels %lf N", &seconds, &nodes, &lifted,
                        &felt) == 4;
        sscanf(line, "the table feels %lf N; the pad weighs %lf N", &table, &weight);
    }
    CHECK_INT(lines, 4);
    CHECK(nodes >= 3 && lifted > 0.5 && lifted < 3 && felt < -0.1);
    CHECK_NEAR(weight, 9.81 * 1100 * 0.03 * 0.02 * 0.004, 0.002); // 1.1 g/cm3
    CHECK_NEAR(table, -felt - weight, 0.002);
}

TEST(snapshot_finds_the_same_future)
{
    char words[256];
    CHECK(run_example("snapshot", words, sizeof words));
    CHECK_STR(words, "restored at the same state, the same future\nthe state moved on: yes\n");
}

TEST(record_is_read_back_and_repeats)
{
    char words[1024];
    CHECK(run_example("record", words, sizeof words));
    CHECK(strstr(words, "200 steps, last hash agrees\n") != NULL);
    CHECK(strstr(words, "a second run ends in the same state\n") != NULL);
    // The tip starts level, falls, and stays within the length of the thread.
    int lines = 0;
    double before = 1;
    for (char *line = strtok(words, "\n"); line; line = strtok(NULL, "\n")) {
        double seconds, x, z;
        if (sscanf(line, "%lf s: tip at %lf mm, %lf mm high", &seconds, &x, &z) == 3) {
            CHECK_NEAR(seconds, 0.064 * lines, 1e-9);
            CHECK(sqrt(x * x + z * z) < 80.2 && z < before);
            before = z;
            lines++;
        }
    }
    CHECK_INT(lines, 4);
}
