// Threads of points, from text and from bytes, given to the recogniser of knots or to the tracker: any answer is right
// that is one of its answers and that a second look repeats.
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/knot.h"
#include "support/polyline.h"

enum { MOST_POINTS = 150 }; // more only takes longer

static void require(bool good)
{
    if (!good) {
        abort();
    }
}

static void check_report(const cg_knot_report *report)
{
    require(memchr(report->name, 0, sizeof report->name) && report->name[0]);
    require(memchr(report->common, 0, sizeof report->common) && memchr(report->throws_text, 0, 40));
    require(report->throw_count >= 0 && report->throw_count <= CG_KNOT_MAX_THROWS);
    require(report->agreeing >= 0 && report->agreeing <= report->ways);
    require(!report->certain || strcmp(report->name, "unknown") != 0);
}

static void follow(const cg_knot_thread *thread)
{
    cg_knot_tracker *tracker;
    if (cg_knot_tracker_create(MOST_POINTS, NULL, &tracker).code != CG_OK) {
        return;
    }
    for (int i = 0; i < 12; i++) {
        cg_knot_report report;
        if (cg_knot_tracker_update(tracker, thread->points, thread->count - i / 8, &report).code == CG_OK) {
            check_report(&report);
        }
    }
    cg_knot_tracker_destroy(tracker);
}

// The table of knots is computed anew for every look, which takes most of the time: so one thing is tried at a time.
static void name(const cg_knot_thread *threads, int count)
{
    int kind = threads[0].count % 3;
    if (kind == 0) {
        follow(&threads[0]);
        return;
    }
    cg_knot_report first, second;
    cg_status status = cg_knot_identify(threads, count, NULL, &first);
    if (status.code == CG_OK) {
        check_report(&first);
    } else {
        require(status.code == CG_BAD_INPUT && status.message[0]);
    }
    if (kind == 1) {
        require(status.code == cg_knot_identify(threads, count, NULL, &second).code);
        require(memcmp(&first, &second, sizeof first) == 0);
    }
}

static void try_text(const uint8_t *data, size_t size)
{
    FILE *in = fmemopen((void *)(uintptr_t)data, size, "rb"), *err = fopen("/dev/null", "w");
    cg_polylines found;
    if (in && err && cg_polylines_read(in, "points", &found, err)) {
        cg_knot_thread threads[2] = {{0}};
        int count = found.thread_count < 2 ? found.thread_count : 2;
        for (int i = 0; i < count; i++) {
            threads[i].points = found.points + found.starts[i];
            threads[i].count = found.starts[i + 1] - found.starts[i];
        }
        if (found.starts[count] <= MOST_POINTS) {
            name(threads, count);
        }
        cg_polylines_free(&found);
    }
    if (in) {
        fclose(in);
    }
    if (err) {
        fclose(err);
    }
}

// Coordinates on a small grid, where everything meets, or as the bytes of doubles.
static void try_bytes(const uint8_t *data, size_t size, unsigned flags)
{
    cg_vec3 points[MOST_POINTS];
    size_t width = flags & 1 ? 8 : 1, count = size / (3 * width);
    count = count < MOST_POINTS ? count : MOST_POINTS;
    for (size_t i = 0; i < 3 * count; i++) {
        double value = (double)(int8_t)data[i * width];
        if (flags & 1) {
            memcpy(&value, data + 8 * i, 8);
        }
        double *to = i % 3 == 0 ? &points[i / 3].x : i % 3 == 1 ? &points[i / 3].y : &points[i / 3].z;
        *to = value;
    }
    int split = flags & 2 ? (int)count / 2 : (int)count;
    cg_knot_thread threads[2] = {
        {.points = points, .count = split, .closed = flags & 4, .pull = (cg_knot_pull)(flags >> 4 & 1)},
        {.points = points + split,
         .count = (int)count - split,
         .closed = flags & 8,
         .pull = (cg_knot_pull)(flags >> 5)},
    };
    name(threads, flags & 2 ? 2 : 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    if (data[0] & 0x80) {
        try_bytes(data + 1, size - 1, data[0] & 0x3f);
    } else {
        try_text(data, size);
    }
    return 0;
}
