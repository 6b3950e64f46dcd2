// One picture of both simulations.
#include <string.h>

#include "show/show.h"
#include "support/special.h"
#include "support/svg.h"
#include "support/tube.h"
#include "support/vector.h"

static const double WIDTH = 1280, HEIGHT = 720;
static const char *const GREY = "#6b717b";
static const cg_rgb PALE = {0.74, 0.83, 0.91}, BLUE = {0.12, 0.42, 0.70}, DEEP = {0.07, 0.24, 0.48};
static const cg_rgb CREAM = {0.99, 0.93, 0.70};

static void heading(FILE *out, double x, double y, const char *title, const char *line1, const char *line2)
{
    cg_svg_text(out, x, y, (cg_text_style){.size = 21, .weight = 600}, title);
    cg_svg_text(out, x, y + 24, (cg_text_style){.size = 14, .fill = GREY}, line1);
    cg_svg_text(out, x, y + 43, (cg_text_style){.size = 14, .fill = GREY}, line2);
}

// The jaw of a needle driver that holds an end: a steel block whose face is at (x, y), pointing to `side` (-1 or 1).
static void jaw(FILE *out, double x, double y, double side, double half)
{
    double length = 2.6 * half, left = side > 0 ? x - length : x;
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" fill=\"url(#steel)\"", left,
            y - half, length, 2 * half);
    fputs(" stroke=\"#3d434c\" stroke-width=\"1\"/>\n", out);
    for (int i = 1; i < 5; i++) {
        double at = left + length * i / 5;
        fprintf(out, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#5b626d\" stroke-width=\"0.8\" opacity=\"0.55\"/>\n", at,
                y - half + 2, y + half - 2);
    }
}

static void definitions(FILE *out)
{
    fputs("<defs><linearGradient id=\"steel\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">", out);
    fputs("<stop offset=\"0\" stop-color=\"#c9ced6\"/><stop offset=\"0.35\" stop-color=\"#f4f6f8\"/>", out);
    fputs("<stop offset=\"1\" stop-color=\"#868d98\"/></linearGradient></defs>\n", out);
}

static void draw_trace(FILE *out, const cg_show_fall *fall, const cg_tube_camera *camera)
{
    fputs("<path d=\"", out);
    for (int i = 0; i < CG_SHOW_TRACE; i++) {
        cg_vec3 p = cg_camera_project(camera, fall->trace[i]);
        fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M', p.x, p.y);
    }
    fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.1\" opacity=\"0.55\"/>\n", cg_hue_code(CG_VERMILION));
}

static void draw_exact_rest(FILE *out, const cg_show_fall *fall, const cg_tube_camera *camera)
{
    fputs("<path d=\"", out);
    for (int i = 0; i < CG_SHOW_VERTICES; i++) {
        cg_vec3 p = cg_camera_project(
            camera, vec(fall->length * fall->exact_shape[i][0], 0, fall->length * fall->exact_shape[i][1]));
        fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M', p.x, p.y);
    }
    fputs("\" fill=\"none\" stroke=\"#ffd36b\" stroke-width=\"1.6\" stroke-dasharray=\"6 6\"/>\n", out);
}

static void draw_fall(FILE *out, const cg_show_fall *fall)
{
    cg_tube_camera camera = cg_camera_of_view(CG_VIEW_Y);
    camera.scale = 2480;
    camera.x = 96;
    camera.y = 178;
    draw_trace(out, fall, &camera);
    for (int k = 0; k < CG_SHOW_FLASHES; k++) {
        double share = (double)k / (CG_SHOW_FLASHES - 1);
        // Every fourth vertex makes a smooth curve of this, and a smaller file.
        enum { STRIDE = 4, KEPT = (CG_SHOW_VERTICES - 1) / STRIDE + 1 };
        cg_vec3 kept[KEPT];
        for (int i = 0; i < KEPT; i++) {
            kept[i] = fall->flashes[k][i * STRIDE];
        }
        cg_tubes tubes = {0};
        cg_tubes_add(
            &tubes, &camera, kept, KEPT,
            (cg_tube_look){.colour = cg_rgb_mix(PALE, BLUE, share), .radius = 1.9, .opacity = 1, .roundness = 1});
        cg_tubes_draw(&tubes, out);
        cg_vec3 tip = cg_camera_project(&camera, fall->flashes[k][CG_SHOW_VERTICES - 1]);
        cg_vec3 before = cg_camera_project(&camera, fall->flashes[k][CG_SHOW_VERTICES - 12]);
        cg_vec3 out_of_tip = vec_scale(15, vec_unit(vec_sub(vec(tip.x, tip.y, 0), vec(before.x, before.y, 0))));
        if (k % 2 == 0) {
            char label[32];
            snprintf(label, sizeof label, "%.2f s", k * fall->flash_interval);
            double lower = out_of_tip.y > 8 ? 8 : 4;
            cg_svg_text(out, tip.x + out_of_tip.x, tip.y + out_of_tip.y + lower,
                        (cg_text_style){.size = 12, .fill = GREY, .anchor = out_of_tip.y > 11 ? "middle" : "start"},
                        label);
        }
    }
    cg_tubes tubes = {0};
    cg_tubes_add(&tubes, &camera, fall->rest, CG_SHOW_VERTICES,
                 (cg_tube_look){.colour = DEEP, .radius = 3.4, .opacity = 1, .roundness = 1});
    cg_tubes_draw(&tubes, out);
    draw_exact_rest(out, fall, &camera);
    cg_vec3 rest_tip = cg_camera_project(&camera, fall->rest[CG_SHOW_VERTICES - 1]);
    cg_svg_text(out, rest_tip.x - 10, rest_tip.y + 16, (cg_text_style){.size = 13, .weight = 600, .anchor = "end"},
                "at rest");
    jaw(out, camera.x + 6, camera.y, 1, 17);
    char label[32];
    double bar = cg_scale_bar_length(camera.scale, 130, label, sizeof label);
    cg_svg_scale_bar(out, 60, HEIGHT - 34, bar, label);
}

// An arrow around the thread that says which way the jaw turns.
static void turn_arrow(FILE *out, double x, double y)
{
    fprintf(out, "<path d=\"M%.1f %.1fa7 17 0 1 1 0.1 -22\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>\n", x,
            y + 11, cg_hue_code(CG_VERMILION));
    fprintf(out, "<path d=\"M%.1f %.1fl-6.5 -1.2l3.6 -5.2z\" fill=\"%s\"/>\n", x + 3.2, y - 8.5,
            cg_hue_code(CG_VERMILION));
}

static void draw_stage(FILE *out, const cg_show_stage *stage, double length, double left, double y)
{
    cg_tube_camera camera = cg_camera_around(10, 16);
    camera.scale = 2020;
    camera.x = left;
    camera.y = y;
    // Centred: both jaws move when the ends approach. The slight turn of the camera is undone for the axis.
    cg_vec3 finish = cg_camera_project(&camera, stage->points[CG_SHOW_VERTICES - 1]);
    cg_vec3 straight = cg_camera_project(&camera, vec(length, 0, 0));
    camera.x += (straight.x - finish.x) / 2;
    camera.y += (y - finish.y) / 2;
    cg_tubes tubes = {0};
    cg_tubes_add(&tubes, &camera, stage->points, CG_SHOW_VERTICES,
                 (cg_tube_look){.colour = BLUE,
                                .radius = 5,
                                .opacity = 1,
                                .roundness = 1,
                                .directors = stage->directors,
                                .line_colour = CREAM});
    cg_tubes_draw(&tubes, out);
    cg_vec3 start = cg_camera_project(&camera, stage->points[0]);
    finish = cg_camera_project(&camera, stage->points[CG_SHOW_VERTICES - 1]);
    jaw(out, start.x + 3, start.y, 1, 13);
    jaw(out, finish.x - 3, finish.y, -1, 13);
}

static void draw_twist(FILE *out, const cg_show_twist *twist)
{
    static const double rows[CG_SHOW_STAGES] = {196, 292, 428, 598};
    for (int k = 0; k < CG_SHOW_STAGES; k++) {
        const cg_show_stage *stage = &twist->stages[k];
        draw_stage(out, stage, twist->length, 818, rows[k]);
        char label[64];
        snprintf(label, sizeof label, "%.1f turns", stage->turns);
        cg_svg_text(out, 700, rows[k] - 6, (cg_text_style){.size = 13, .weight = 600}, label);
        if (stage->approach > 0) {
            snprintf(label, sizeof label, "%.0f %% closer", 100 * stage->approach);
        } else {
            snprintf(label, sizeof label, "straight");
        }
        cg_svg_text(out, 700, rows[k] + 12, (cg_text_style){.size = 13, .fill = GREY}, label);
    }
    turn_arrow(out, 1264, 206);
}

void cg_show_draw(const cg_show_fall *fall, const cg_show_twist *twist, FILE *out)
{
    char line[160];
    cg_svg_begin(out, WIDTH, HEIGHT, "What a suture thread does",
                 "A suture thread falls, swings and comes to rest; another is twisted into a coil");
    definitions(out);
    heading(out, 52, 56, "Let go", "20 cm of 3-0 nylon, clamped at one end, a flash every 30 ms;",
            "dark: at rest after the swing. Dashes: exact elastica. Thin line: way of the tip.");
    snprintf(line, sizeof line, "At %.2f turns it leaves its line (theory: %.2f). The painted lines show the twist.",
             twist->buckling_turns, twist->exact_buckling_turns);
    heading(out, 700, 56, "Twisted", "The same thread between two jaws; the right one is turned.", line);
    fprintf(out, "<path d=\"M664 40V%.0f\" stroke=\"#e2dfd8\" stroke-width=\"1.2\"/>\n", HEIGHT - 40);
    draw_fall(out, fall);
    draw_twist(out, twist);
    cg_svg_text(out, WIDTH - 24, HEIGHT - 16, (cg_text_style){.size = 11.5, .fill = "#9aa0a8", .anchor = "end"},
                "drawn thicker than it is; made by catgut show");
    cg_svg_end(out);
}
