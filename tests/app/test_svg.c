// Plots and drawings: well-formed whatever they are fed, and what was put in can be found.
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/xml_check.h"
#include "harness.h"
#include "support/plot.h"
#include "support/tube.h"

static char *plot_text(const cg_plot *plot)
{
    static char *text;
    static size_t size;
    FILE *out = open_memstream(&text, &size);
    cg_plot_write(plot, out);
    fclose(out);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

TEST(the_judge_refuses_bad_xml)
{
    const char *const bad[] = {
        "<a>",          "<a></b>",        "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&</a>",           "<a/><b/>", "text",
        "<a b=\"<\"/>", "<a><b></a></b>", "< a/>",    "<a x=\"nan\"/>",       "<a x=\"1\"y=\"2\"/>"};
    for (int i = 0; i < 12; i++) {
        CHECK(xml_fault(bad[i], NULL) != NULL);
    }
    int elements;
    CHECK(xml_fault("<?xml version=\"1.0\"?>\n<a x=\"1\"><b/>&lt;t</a>\n", &elements) == NULL);
    CHECK_INT(elements, 2);
}

TEST(a_plot_is_well_formed_and_complete)
{
    cg_plot plot = cg_plot_make("Title <&> \"quoted\"", "x \u00b5", "y");
    snprintf(plot.subtitle, sizeof plot.subtitle, "subtitle & more");
    int line = cg_plot_add_series(&plot, CG_SERIES_LINE, CG_BLUE, "theory");
    int marks = cg_plot_add_series(&plot, CG_SERIES_POINTS, CG_SKY, "measured");
    for (int i = 0; i < 100; i++) {
        cg_plot_add_point(&plot, line, i, sin(0.1 * i));
    }
    for (int i = 0; i < 7; i++) {
        cg_plot_add_point(&plot, marks, 10 * i, sin(i));
    }
    char *text = plot_text(&plot);
    const char *fault = xml_fault(text, NULL);
    CHECK_STR(fault ? fault : "", "");
    CHECK_INT(count_of(text, "<circle"), 8); // seven and one in the legend
    CHECK(strstr(text, "Title &lt;&amp;&gt; &quot;quoted&quot;") != NULL);
    CHECK(strstr(text, ">theory</text>") != NULL);
    free(text);
    cg_plot_free(&plot);
}

TEST(points_that_cannot_be_shown_are_left_out)
{
    cg_plot plot = cg_plot_make("", "", "");
    plot.log_x = plot.log_y = true;
    int marks = cg_plot_add_series(&plot, CG_SERIES_POINTS, CG_BLUE, "");
    const double values[] = {NAN, INFINITY, 0, -1, 1, 10};
    for (int i = 0; i < 6; i++) {
        cg_plot_add_point(&plot, marks, values[i], values[i]);
    }
    char *text = plot_text(&plot);
    CHECK(xml_fault(text, NULL) == NULL);
    CHECK_INT(count_of(text, "<circle"), 2);
    free(text);
    cg_plot_free(&plot);
}

TEST(odd_plots_are_still_well_formed)
{
    for (int kind = 0; kind < 5; kind++) {
        for (int shape = 0; shape < 8; shape++) {
            cg_plot plot = cg_plot_make("odd", "x", "y");
            plot.log_x = shape & 1;
            plot.log_y = shape & 2;
            plot.same_scale = shape & 4;
            int line = cg_plot_add_series(&plot, CG_SERIES_LINE, CG_INK, "line");
            int ring = cg_plot_add_series(&plot, CG_SERIES_RINGS, CG_GREEN, "ring");
            for (int i = 0; i < kind; i++) { // none, one, two equal ones, very far apart
                double value = kind == 4 ? pow(10, 60 * i - 90) : 3;
                cg_plot_add_point(&plot, line, value, value);
                cg_plot_add_point(&plot, ring, value, value);
            }
            char *text = plot_text(&plot);
            const char *fault = xml_fault(text, NULL);
            CHECK_STR(fault ? fault : "", "");
            CHECK(strlen(text) < 60000);
            free(text);
            cg_plot_free(&plot);
        }
    }
}

TEST(more_series_than_fit_do_no_harm)
{
    cg_plot plot = cg_plot_make("many", "x", "y");
    for (int i = 0; i < 40; i++) {
        int series = cg_plot_add_series(&plot, CG_SERIES_LINE, CG_BLUE, "one of many with a long name");
        cg_plot_add_point(&plot, series, i, i);
        cg_plot_add_point(&plot, series, i + 1, 2 * i);
    }
    CHECK_INT(plot.series_count, CG_PLOT_MAX_SERIES);
    char *text = plot_text(&plot);
    CHECK(xml_fault(text, NULL) == NULL);
    free(text);
    cg_plot_free(&plot);
}

TEST(the_nearer_thread_is_drawn_later)
{
    cg_tube_camera camera = cg_camera_of_view(CG_VIEW_Z);
    camera.scale = 100;
    cg_vec3 low[2] = {{-1, 0, 0}, {1, 0, 0}}, high[2] = {{0, -1, 1}, {0, 1, 1}};
    cg_tube_look red = {.colour = {1, 0, 0}, .radius = 3, .opacity = 1},
                 green = {.colour = {0, 1, 0}, .radius = 3, .opacity = 1};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    cg_tubes tubes = {0};
    CHECK(cg_tubes_add(&tubes, &camera, high, 2, green)); // added first, yet it lies above
    CHECK(cg_tubes_add(&tubes, &camera, low, 2, red));
    cg_tubes_draw(&tubes, out);
    fclose(out);
    CHECK(xml_fault(text, NULL) == NULL);
    const char *horizontal = strstr(text, "M-100"), *vertical = strstr(text, "M0.00 ");
    CHECK(horizontal && vertical && horizontal < vertical);
    free(text);
}

TEST(cameras_look_where_they_say)
{
    cg_vec3 point = {1, 2, 3};
    cg_tube_camera camera = cg_camera_of_view(CG_VIEW_X);
    cg_vec3 seen = cg_camera_project(&camera, point);
    CHECK_NEAR(seen.x, 2, 0);
    CHECK_NEAR(seen.y, -3, 0);
    camera = cg_camera_of_view(CG_VIEW_Y);
    seen = cg_camera_project(&camera, point);
    CHECK_NEAR(seen.x, 1, 0);
    CHECK_NEAR(seen.y, -3, 0);
    camera = cg_camera_of_view(CG_VIEW_Z);
    seen = cg_camera_project(&camera, point);
    CHECK_NEAR(seen.x, 1, 0);
    CHECK_NEAR(seen.y, -2, 0);
    camera = cg_camera_of_view(CG_VIEW_ISO);
    seen = cg_camera_project(&camera, point);
    CHECK_NEAR(seen.x * seen.x + seen.y * seen.y + seen.z * seen.z, 14, 1e-12); // a rotation keeps lengths
    seen = cg_camera_project(&camera, (cg_vec3){0, 0, 1});
    CHECK(seen.y < 0); // up is up
}

TEST(a_fitted_camera_shows_everything)
{
    cg_vec3 points[50];
    uint64_t random = 7;
    for (int i = 0; i < 50; i++) {
        points[i] = (cg_vec3){test_random(&random, -3, 5), test_random(&random, 0, 0.1), test_random(&random, 7, 9)};
    }
    cg_tube_camera camera = cg_camera_of_view(CG_VIEW_ISO);
    cg_camera_fit(&camera, points, 50, 20, 30, 400, 300);
    for (int i = 0; i < 50; i++) {
        cg_vec3 seen = cg_camera_project(&camera, points[i]);
        CHECK(seen.x > 19.999 && seen.x < 420.001 && seen.y > 29.999 && seen.y < 330.001);
    }
}

TEST(scale_bars_have_round_names)
{
    char label[32];
    CHECK_NEAR(cg_scale_bar_length(1000, 130, label, sizeof label), 100, 1e-9);
    CHECK_STR(label, "10 cm");
    CHECK_NEAR(cg_scale_bar_length(24800, 130, label, sizeof label), 124, 1e-9);
    CHECK_STR(label, "5 mm");
    CHECK_NEAR(cg_scale_bar_length(1e6, 130, label, sizeof label), 100, 1e-9);
    CHECK_STR(label, "100 \xc2\xb5m");
    CHECK_NEAR(cg_scale_bar_length(130, 130, label, sizeof label), 130, 1e-9);
    CHECK_STR(label, "1 m");
}
