// Threads as text: what is read, and what is said about files that are not right.
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/polyline.h"

static char *message;

static bool read_bytes(const char *text, size_t size, cg_polylines *threads)
{
    free(message);
    size_t message_size;
    FILE *err = open_memstream(&message, &message_size);
    FILE *in = tmpfile();
    fwrite(text, 1, size, in);
    rewind(in);
    bool good = cg_polylines_read(in, "f.txt", threads, err);
    fclose(in);
    fclose(err);
    return good;
}

static bool read_threads(const char *text, cg_polylines *threads)
{
    return read_bytes(text, strlen(text), threads);
}

TEST(threads_comments_and_blank_lines)
{
    cg_polylines threads;
    CHECK(read_threads(
        "# first\n\n0 0 0\n1 0 0 # end\n# between, the thread goes on\n2.5e-1 -1 +3\r\n\n\n\t0 1 0\n1 1 1", &threads));
    CHECK_INT(threads.thread_count, 2);
    CHECK_INT(threads.point_count, 5);
    CHECK_INT(threads.starts[0], 0);
    CHECK_INT(threads.starts[1], 3);
    CHECK_INT(threads.starts[2], 5);
    CHECK_NEAR(threads.points[2].x, 0.25, 0);
    CHECK_NEAR(threads.points[2].y, -1, 0);
    CHECK_NEAR(threads.points[2].z, 3, 0);
    CHECK_NEAR(threads.points[4].z, 1, 0);
    cg_polylines_free(&threads);
}

typedef struct bad_file {
    const char *text, *message;
} bad_file;

TEST(mistakes_are_placed_and_named)
{
    static const bad_file files[] = {
        {"", "f.txt:1:1: found the end of the file, expected a point: x y z\n"},
        {"# only a comment\n", "f.txt:2:1: found the end of the file, expected a point: x y z\n"},
        {"1 2\n", "f.txt:1:4: found the end of the line, expected the z coordinate, a finite number of metres\n"},
        {"1 2 3\n4 x 6\n", "f.txt:2:3: found \"x\", expected the y coordinate, a finite number of metres\n"},
        {"1 2 3 4\n", "f.txt:1:7: found \"4\", expected the end of the line\n"},
        {"1 2 nan\n", "f.txt:1:5: found \"nan\", expected the z coordinate, a finite number of metres\n"},
        {"inf 2 3\n", "f.txt:1:1: found \"inf\", expected the x coordinate, a finite number of metres\n"},
        {"1 2 1e999\n", "f.txt:1:5: found \"1e999\", expected a coordinate of at most 1e6 m\n"},
        {"0x1 2 3\n", "f.txt:1:1: found \"0x1\", expected the x coordinate, a finite number of metres\n"},
        {"1,2,3\n", "f.txt:1:1: found \"1,2,3\", expected the x coordinate, a finite number of metres\n"},
        {"0 0 0\n1 0 0\n\n5 5 5\n", "f.txt:4:1: found a thread of one point, expected two points or more\n"},
        {"  1\t2  z\x01\x80\n", "f.txt:1:8: found \"z??\", expected the z coordinate, a finite number of metres\n"},
        {"1 2 3e\n", "f.txt:1:5: found \"3e\", expected the z coordinate, a finite number of metres\n"},
    };
    for (int i = 0; i < (int)(sizeof files / sizeof files[0]); i++) {
        cg_polylines threads;
        CHECK(!read_threads(files[i].text, &threads));
        CHECK_STR(message, files[i].message);
        CHECK(threads.points == NULL && threads.starts == NULL && threads.thread_count == 0);
    }
}

TEST(zero_bytes_and_long_lines_are_refused)
{
    cg_polylines threads;
    CHECK(!read_bytes("1 2 3\0\n4 5 6\n", 13, &threads));
    CHECK_STR(message, "f.txt:1:6: found a zero byte, expected text\n");
    char *text = malloc(6000);
    memset(text, ' ', 6000);
    CHECK(!read_bytes(text, 6000, &threads));
    CHECK_STR(message, "f.txt:1:4097: found a longer line, expected at most 4096 bytes in a line\n");
    memset(text, '#', 4096);
    text[4096] = '\n';
    memcpy(text + 4097, "0 0 0\n1 1 1\n", 12);
    CHECK(read_bytes(text, 4109, &threads));
    cg_polylines_free(&threads);
    free(text);
}

TEST(too_many_points_and_threads_are_refused)
{
    size_t line = strlen("0 0 0\n");
    size_t count = CG_POLYLINE_MAX_POINTS + 1;
    char *text = malloc(count * line + 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + i * line, "0 0 0\n", line);
    }
    cg_polylines threads;
    CHECK(!read_bytes(text, count * line, &threads));
    CHECK_STR(message, "f.txt:1000001:1: found one point more, expected at most 1000000 points in a file\n");
    CHECK(read_bytes(text, (count - 1) * line, &threads));
    CHECK_INT(threads.point_count, CG_POLYLINE_MAX_POINTS);
    cg_polylines_free(&threads);
    free(text);

    line = strlen("0 0 0\n1 1 1\n\n");
    count = CG_POLYLINE_MAX_THREADS + 1;
    text = malloc(count * line + 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + i * line, "0 0 0\n1 1 1\n\n", line);
    }
    CHECK(!read_bytes(text, count * line, &threads));
    CHECK_STR(message, "f.txt:30001:1: found one thread more, expected at most 10000 threads in a file\n");
    CHECK(read_bytes(text, (count - 1) * line, &threads));
    CHECK_INT(threads.thread_count, CG_POLYLINE_MAX_THREADS);
    cg_polylines_free(&threads);
    free(text);
}

TEST(random_bytes_never_crash_the_reader)
{
    uint64_t random = 11;
    static const char alphabet[] = "0123456789+-.eE #\n\n\n  \tnaix\r";
    int runs = test_count(3000, 100000);
    for (int run = 0; run < runs; run++) {
        char text[120];
        int size = test_random_int(&random, 0, 119);
        for (int i = 0; i < size; i++) {
            bool any = test_random_int(&random, 0, 30) == 0;
            text[i] = any ? (char)test_random_int(&random, 0, 255)
                          : alphabet[test_random_int(&random, 0, (int)sizeof alphabet - 2)];
        }
        cg_polylines threads;
        if (read_bytes(text, (size_t)size, &threads)) {
            CHECK(threads.thread_count > 0 && threads.starts[threads.thread_count] == threads.point_count);
            cg_polylines_free(&threads);
        } else {
            CHECK(strncmp(message, "f.txt:", 6) == 0 && strstr(message, ", expected ") != NULL);
        }
    }
}
