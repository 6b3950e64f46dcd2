#include "support/multiples.h"

#include <math.h>

static const double WIDTH = 150, HEIGHT = 104, GAP = 34, LEFT = 62, TOP = 92, RIGHT = 24, BOTTOM = 64; // [px]
enum { COLUMNS = 5 };

typedef struct frame {
    double x, y;       // [px] of the upper left corner
    double last, most; // highest number and value of all
} frame;

static double px(const frame *f, double number)
{
    return f->x + WIDTH * (f->last > 1 ? (number - 1) / (f->last - 1) : 0.5);
}

static double py(const frame *f, double value)
{
    return f->y + HEIGHT * (1 - value / f->most);
}

static void draw_curve(const frame *f, const cg_small_plot *plot, const char *colour, double width, FILE *out)
{
    for (int i = 0; i < plot->count; i++) {
        fprintf(out, i > 0 ? "L%.1f %.1f" : "<path d=\"M%.1f %.1f", px(f, plot->points[i][0]),
                py(f, plot->points[i][1]));
    }
    if (plot->count > 0) {
        fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%g\"/>\n", colour, width);
    }
}

static void draw_marks(const frame *f, const cg_small_plot *plot, FILE *out)
{
    for (int i = 0; i < plot->count; i++) {
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>\n", px(f, plot->points[i][0]),
                py(f, plot->points[i][1]), cg_hue_code(CG_BLUE));
    }
}

static void draw_axes(const frame *f, bool leftmost, bool lowest, FILE *out)
{
    cg_text_style small = {.size = 10, .fill = "#6b717b"};
    char text[24];
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#c9ccd1\"/>\n",
            f->x, f->y, WIDTH, HEIGHT);
    small.anchor = "end";
    for (int i = 0; i <= 2 && leftmost; i++) {
        snprintf(text, sizeof text, "%g", f->most * i / 2);
        cg_svg_text(out, f->x - 6, py(f, f->most * i / 2) + 3.5, small, text);
    }
    small.anchor = "middle";
    if (lowest) {
        cg_svg_text(out, px(f, 1), f->y + HEIGHT + 14, small, "1");
        if (f->last > 1) {
            snprintf(text, sizeof text, "%g", f->last);
            cg_svg_text(out, px(f, f->last), f->y + HEIGHT + 14, small, text);
        }
    }
}

static frame frame_of(const cg_small_plot *plots, int count, double highest)
{
    frame f = {.last = 1, .most = highest};
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < plots[i].count; k++) {
            f.last = fmax(f.last, plots[i].points[k][0]);
        }
    }
    return f;
}

void cg_multiples_write(const cg_plot *like, const cg_small_plot *plots, int count, double highest, FILE *out)
{
    int columns = count < COLUMNS ? count : COLUMNS, rows = (count + COLUMNS - 1) / COLUMNS;
    double width = LEFT + columns * (WIDTH + GAP) - GAP + RIGHT, height = TOP + rows * (HEIGHT + GAP) - GAP + BOTTOM;
    width = fmax(width, 420);
    frame f = frame_of(plots, count, highest);
    char seen[300];
    snprintf(seen, sizeof seen,
             "%d small plots of %s over %s with the same axes, one for each curve, all others in grey", count,
             like->y_label, like->x_label);
    cg_svg_begin(out, width, height, like->title, seen);
    cg_svg_text(out, LEFT, 34, (cg_text_style){.size = 18, .weight = 600}, like->title);
    snprintf(seen, sizeof seen, "%s, by %s", like->y_label, like->x_label);
    cg_svg_text(out, LEFT, 56, (cg_text_style){.size = 12, .fill = "#6b717b"}, seen);
    for (int i = 0; i < count; i++) {
        f.x = LEFT + i % COLUMNS * (WIDTH + GAP);
        f.y = TOP + (double)(i / COLUMNS) * (HEIGHT + GAP);
        draw_axes(&f, i % COLUMNS == 0, i + COLUMNS >= count, out);
        for (int k = 0; k < count; k++) {
            draw_curve(&f, &plots[k], "#e3e1db", 1, out);
        }
        draw_curve(&f, &plots[i], cg_hue_code(CG_BLUE), 2, out);
        draw_marks(&f, &plots[i], out);
        cg_svg_text(out, f.x, f.y - 6, (cg_text_style){.size = 11, .weight = 600}, plots[i].label);
        cg_svg_text(out, f.x + 6, f.y + HEIGHT - 6, (cg_text_style){.size = 10, .fill = "#6b717b"}, plots[i].note);
    }
    cg_svg_end(out);
}
