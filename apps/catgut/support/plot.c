#include "support/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cell.h"

static const double WIDTH = 880, HEIGHT = 580;
static const double LEFT = 92, RIGHT = 36, BOTTOM = 70;
static const char *const GREY = "#6b717b";
static const char *const FAINT = "#e7e5e0";

cg_plot cg_plot_make(const char *title, const char *x_label, const char *y_label)
{
    cg_plot plot = {0};
    snprintf(plot.title, sizeof plot.title, "%s", title);
    snprintf(plot.x_label, sizeof plot.x_label, "%s", x_label);
    snprintf(plot.y_label, sizeof plot.y_label, "%s", y_label);
    return plot;
}

void cg_plot_free(cg_plot *plot)
{
    for (int i = 0; i < plot->series_count; i++) {
        free(plot->series[i].points);
    }
    *plot = (cg_plot){0};
}

int cg_plot_add_series(cg_plot *plot, cg_series_kind kind, cg_hue hue, const char *label)
{
    if (plot->series_count == CG_PLOT_MAX_SERIES) {
        return CG_PLOT_MAX_SERIES - 1;
    }
    cg_series *series = &plot->series[plot->series_count];
    *series = (cg_series){.kind = kind, .hue = hue};
    snprintf(series->label, sizeof series->label, "%s", label);
    return plot->series_count++;
}

void cg_plot_add_point(cg_plot *plot, int series_index, double x, double y)
{
    cg_series *series = &plot->series[series_index];
    if (series->count == series->capacity) {
        int capacity = series->capacity ? 2 * series->capacity : 32;
        double(*larger)[2] = realloc(series->points, (size_t)capacity * sizeof *larger);
        if (!larger) {
            return; // a plot with a point missing is better than none
        }
        series->points = larger;
        series->capacity = capacity;
    }
    series->points[series->count][0] = x;
    series->points[series->count][1] = y;
    series->count++;
}

// One axis: from a value to a place on the picture.
typedef struct axis {
    double low, high; // of the data, logarithms on a logarithmic axis
    double first_px, last_px;
    bool log;
    bool whole; // whole numbers only
} axis;

static double axis_value(const axis *a, double value)
{
    return a->log ? log10(value) : value;
}

static double axis_px(const axis *a, double value)
{
    return a->first_px + (axis_value(a, value) - a->low) / (a->high - a->low) * (a->last_px - a->first_px);
}

static bool can_show(const cg_plot *plot, const double point[2])
{
    return isfinite(point[0]) && isfinite(point[1]) && (!plot->log_x || point[0] > 0) && (!plot->log_y || point[1] > 0);
}

static void widen(axis *a, double value)
{
    a->low = fmin(a->low, axis_value(a, value));
    a->high = fmax(a->high, axis_value(a, value));
}

// Room around the data, and something sensible when there is none.
static void settle_range(axis *a, bool from_zero)
{
    if (!(a->low <= a->high)) {
        a->low = 0;
        a->high = 1;
    }
    if (a->high - a->low < 1e-12 * fmax(1e-12, fabs(a->high))) {
        double margin = a->log || a->whole || a->high == 0 ? 0.5 : 0.1 * fabs(a->high);
        a->low -= margin;
        a->high += margin;
    }
    double margin = 0.06 * (a->high - a->low);
    bool keep_zero = !a->log && (from_zero || a->low == 0) && a->low >= 0;
    a->low = keep_zero ? 0 : a->low - margin;
    a->high += margin;
}

// Stretches the axis whose pixels show less, so that shapes keep their proportions.
static void equalise(axis *x, axis *y)
{
    double per_x = (x->high - x->low) / fabs(x->last_px - x->first_px);
    double per_y = (y->high - y->low) / fabs(y->last_px - y->first_px);
    axis *shorter = per_x < per_y ? x : y;
    double unit = fmax(per_x, per_y);
    double middle = (shorter->low + shorter->high) / 2;
    double half = unit * fabs(shorter->last_px - shorter->first_px) / 2;
    shorter->low = middle - half;
    shorter->high = middle + half;
}

static void find_ranges(const cg_plot *plot, axis *x, axis *y)
{
    *x = (axis){.low = INFINITY, .high = -INFINITY, .log = plot->log_x, .whole = plot->whole_x};
    *y = (axis){.low = INFINITY, .high = -INFINITY, .log = plot->log_y};
    for (int i = 0; i < plot->series_count; i++) {
        for (int k = 0; k < plot->series[i].count; k++) {
            const double *point = plot->series[i].points[k];
            if (can_show(plot, point)) {
                widen(x, point[0]);
                widen(y, point[1]);
            }
        }
    }
    settle_range(x, false);
    settle_range(y, plot->from_zero);
}

static void tick_text(char *text, size_t size, double value, double step)
{
    if (fabs(value) < 1e-9 * step) {
        value = 0;
    }
    snprintf(text, size, "%.6g", value);
}

static void draw_tick(FILE *out, const axis *a, bool vertical, double value, const char *text, const axis *other)
{
    double at = axis_px(a, value);
    if (vertical) {
        fprintf(out, "<path d=\"M%.2f %.2fH%.2f\" stroke=\"%s\"/>\n", other->first_px, at, other->last_px, FAINT);
        cg_svg_text(out, other->first_px - 10, at + 4.5, (cg_text_style){.size = 13, .fill = GREY, .anchor = "end"},
                    text);
    } else {
        fprintf(out, "<path d=\"M%.2f %.2fV%.2f\" stroke=\"%s\"/>\n", at, other->first_px, other->last_px, FAINT);
        cg_svg_text(out, at, other->first_px + 21, (cg_text_style){.size = 13, .fill = GREY, .anchor = "middle"}, text);
    }
}

static void linear_ticks(FILE *out, const axis *a, bool vertical, const axis *other)
{
    double range = a->high - a->low;
    double step = cg_round_step(range / (vertical ? 4.5 : 6));
    step = a->whole && step < 1 ? 1 : step;
    for (double index = ceil(a->low / step - 1e-9); index * step <= a->high + 1e-9 * range; index += 1) {
        char text[32];
        tick_text(text, sizeof text, index * step, step);
        draw_tick(out, a, vertical, index * step, text, other);
    }
}

// "0.01", "20", or, on an axis with powers of ten that would get long, 10 with a raised exponent.
static void decade_text(char *text, size_t size, int leading, int decade, bool raise)
{
    static const char *const raised[10] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                           "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    int digits = decade < 0 ? -decade : decade;
    if (!raise || digits > 99 || (decade == 0 && leading == 1)) {
        snprintf(text, size, "%g", leading * pow(10, decade));
        return;
    }
    char front[16] = "";
    if (leading != 1) {
        snprintf(front, sizeof front, "%d\u00b7", leading);
    }
    snprintf(text, size, "%s10%s%s%s", front, decade < 0 ? "\u207b" : "", digits > 9 ? raised[digits / 10] : "",
             raised[digits % 10]);
}

// 1, 2 and 5 in every decade when there are few decades, else powers of ten, and not more than fit.
static void logarithmic_ticks(FILE *out, const axis *a, bool vertical, const axis *other)
{
    bool few = a->high - a->low < 2.2, raise = a->low <= -4 || a->high >= 4;
    int stride = 1 + (int)((a->high - a->low) / 9);
    for (int decade = (int)floor(a->low); decade <= (int)ceil(a->high); decade++) {
        static const int leading[3] = {1, 2, 5};
        for (int i = 0; i < (few ? 3 : 1); i++) {
            double value = leading[i] * pow(10, decade);
            if (log10(value) < a->low || log10(value) > a->high || decade % stride != 0) {
                continue;
            }
            char text[48];
            decade_text(text, sizeof text, leading[i], decade, raise);
            draw_tick(out, a, vertical, value, text, other);
        }
    }
}

static void draw_axes(FILE *out, const cg_plot *plot, const axis *x, const axis *y)
{
    (x->log ? logarithmic_ticks : linear_ticks)(out, x, false, y);
    (y->log ? logarithmic_ticks : linear_ticks)(out, y, true, x);
    fprintf(out, "<path d=\"M%.2f %.2fV%.2fH%.2f\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.25\"/>\n", x->first_px,
            y->last_px, y->first_px, x->last_px, GREY);
    cg_svg_text(out, (x->first_px + x->last_px) / 2, HEIGHT - 20, (cg_text_style){.size = 14, .anchor = "middle"},
                plot->x_label);
    cg_svg_text(out, 26, (y->first_px + y->last_px) / 2, (cg_text_style){.size = 14, .anchor = "middle", .turn = 90},
                plot->y_label);
}

static void draw_mark(FILE *out, const cg_series *series, double px, double py)
{
    const char *code = cg_hue_code(series->hue);
    bool open = series->kind == CG_SERIES_RINGS;
    char paint[96];
    snprintf(paint, sizeof paint, "fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\"", open ? "#fdfcfa" : code,
             open ? code : "#fdfcfa", open ? "2" : "1.5");
    // The shape says the same as the colour, for prints in grey.
    switch (series->hue) {
    case CG_VERMILION:
        fprintf(out, "<path d=\"M%.2f %.2fl6 10.4h-12z\" %s/>\n", px, py - 6.9, paint);
        break;
    case CG_GREEN:
        fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"9.6\" height=\"9.6\" %s/>\n", px - 4.8, py - 4.8, paint);
        break;
    case CG_PURPLE:
        fprintf(out, "<path d=\"M%.2f %.2fl6.2 6.2l-6.2 6.2l-6.2 -6.2z\" %s/>\n", px, py - 6.2, paint);
        break;
    case CG_INK:
    case CG_BLUE:
    case CG_ORANGE:
    case CG_SKY:
    case CG_HUE_COUNT:
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5.2\" %s/>\n", px, py, paint);
        break;
    }
}

static const char *dash_of(const cg_series *series)
{
    return series->kind == CG_SERIES_DASHES ? " stroke-dasharray=\"7 5\"" : "";
}

// Whether a line that is drawn before this one is the same, within what can be seen.
static bool lies_on_another(const cg_plot *plot, const cg_series *series, const axis *x, const axis *y)
{
    for (const cg_series *other = plot->series; other < series; other++) {
        bool same = other->kind == series->kind && other->count == series->count && series->count > 1;
        for (int i = 0; i < series->count && same; i++) {
            const double *a = series->points[i], *b = other->points[i];
            same = can_show(plot, a) == can_show(plot, b) &&
                   (!can_show(plot, a) || (fabs(axis_px(x, a[0]) - axis_px(x, b[0])) < 1.5 &&
                                           fabs(axis_px(y, a[1]) - axis_px(y, b[1])) < 1.5));
        }
        if (same) {
            return true;
        }
    }
    return false;
}

static bool is_alone(const cg_plot *plot, const cg_series *series, int i)
{
    return can_show(plot, series->points[i]) && (i == 0 || !can_show(plot, series->points[i - 1])) &&
           (i + 1 == series->count || !can_show(plot, series->points[i + 1]));
}

static void draw_line(FILE *out, const cg_plot *plot, const cg_series *series, const axis *x, const axis *y)
{
    fputs("<path d=\"", out);
    bool pen_down = false;
    for (int i = 0; i < series->count; i++) {
        if (!can_show(plot, series->points[i])) {
            pen_down = false;
            continue;
        }
        fprintf(out, "%c%.2f %.2f", pen_down ? 'L' : 'M', axis_px(x, series->points[i][0]),
                axis_px(y, series->points[i][1]));
        pen_down = true;
    }
    bool gaps = series->kind == CG_SERIES_LINE && lies_on_another(plot, series, x, y);
    fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.2\" stroke-linejoin=\"round\"%s/>\n",
            cg_hue_code(series->hue), gaps ? " stroke-dasharray=\"9 9\"" : dash_of(series));
    for (int i = 0; i < series->count; i++) {
        if (is_alone(plot, series, i)) {
            draw_mark(out, series, axis_px(x, series->points[i][0]), axis_px(y, series->points[i][1]));
        }
    }
}

static bool is_line(const cg_series *series)
{
    return series->kind == CG_SERIES_LINE || series->kind == CG_SERIES_DASHES;
}

// How many marks of the series before this one, and of its points before this one, lie at the same place: it stands so
// many places beside them.
static int marks_below(const cg_plot *plot, const cg_series *series, int point, const axis *x, const axis *y)
{
    double px = axis_px(x, series->points[point][0]), py = axis_px(y, series->points[point][1]);
    int count = 0;
    for (const cg_series *other = plot->series; other <= series; other++) {
        int points = other == series ? point : other->count;
        for (int i = 0; i < points && other->kind == series->kind; i++) {
            const double *p = other->points[i];
            count += can_show(plot, p) && hypot(axis_px(x, p[0]) - px, axis_px(y, p[1]) - py) < 2.5;
        }
    }
    return count > 4 ? 4 : count;
}

static void draw_series(FILE *out, const cg_plot *plot, const cg_series *series, const axis *x, const axis *y)
{
    if (is_line(series)) {
        draw_line(out, plot, series, x, y);
        return;
    }
    for (int k = 0; k < series->count; k++) {
        if (can_show(plot, series->points[k])) {
            double aside = 9.0 * marks_below(plot, series, k, x, y);
            draw_mark(out, series, axis_px(x, series->points[k][0]) + aside, axis_px(y, series->points[k][1]));
        }
    }
}

// Rows of marks and names under the title; returns where the next thing may start.
static double draw_legend(FILE *out, const cg_plot *plot, double top)
{
    const double size = 13, row_height = 22;
    double x = LEFT, y = top;
    bool any = false;
    for (int i = 0; i < plot->series_count; i++) {
        const cg_series *series = &plot->series[i];
        if (series->label[0] == '\0') {
            continue;
        }
        double width = 34 + cg_svg_text_width(series->label, size) + 22;
        if (any && x + width > WIDTH - RIGHT + 22) {
            x = LEFT;
            y += row_height;
        }
        any = true;
        if (is_line(series)) {
            fprintf(out, "<path d=\"M%.2f %.2fh26\" stroke=\"%s\" stroke-width=\"2.2\"%s/>\n", x, y,
                    cg_hue_code(series->hue), dash_of(series));
        } else {
            draw_mark(out, series, x + 13, y);
        }
        cg_svg_text(out, x + 34, y + 4.5, (cg_text_style){.size = size}, series->label);
        x += width;
    }
    return any ? y + row_height : top;
}

// What is to be seen, in words.
static void describe(const cg_plot *plot, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%s over %s", plot->y_label, plot->x_label);
    for (int i = 0; i < plot->series_count && length < size; i++) {
        const cg_series *series = &plot->series[i];
        if (series->label[0] != '\0') {
            length += (size_t)snprintf(text + length, size - length, "%s %s, %d points", i > 0 ? ";" : ":",
                                       series->label, series->count);
        }
    }
}

void cg_plot_write_csv(const cg_plot *plot, FILE *out)
{
    fputs("series,kind,x,y\n", out);
    cg_plot_write_rows(plot, out);
}

void cg_plot_write_rows(const cg_plot *plot, FILE *out)
{
    static const char *const kinds[] = {"line", "dashes", "points", "rings"};
    for (int i = 0; i < plot->series_count; i++) {
        const cg_series *series = &plot->series[i];
        for (int k = 0; k < series->count; k++) {
            cg_cell_write(series->label, out);
            fprintf(out, ",%s", kinds[series->kind]);
            for (int n = 0; n < 2; n++) {
                fprintf(out, isfinite(series->points[k][n]) ? ",%.17g" : ",", series->points[k][n]);
            }
            fputc('\n', out);
        }
    }
}

// The unit of a label stands in brackets at its end.
static void unit_of(const char *label, char unit[32])
{
    const char *open = strrchr(label, '['), *end = open ? strchr(open, ']') : NULL;
    snprintf(unit, 32, "%.*s", end ? (int)(end - open - 1) : 1, end ? open + 1 : "1");
}

void cg_plot_columns(const cg_plot *plot, cg_column columns[CG_PLOT_COLUMNS], char units[2][32])
{
    unit_of(plot->x_label, units[0]);
    unit_of(plot->y_label, units[1]);
    columns[0] = (cg_column){"series", "string", NULL, "the curve, as the legend calls it"};
    columns[1] = (cg_column){"kind", "string", NULL, "how it is drawn: line, dashes, points or rings"};
    columns[2] = (cg_column){"x", "number", units[0], plot->x_label};
    columns[3] = (cg_column){"y", "number", units[1], plot->y_label};
}

void cg_plot_write(const cg_plot *plot, FILE *out)
{
    char seen[512];
    describe(plot, seen, sizeof seen);
    cg_svg_begin(out, WIDTH, HEIGHT, plot->title, seen);
    cg_svg_text(out, LEFT, 40, (cg_text_style){.size = 20, .weight = 600}, plot->title);
    double next = 64;
    if (plot->subtitle[0]) {
        cg_svg_text(out, LEFT, 63, (cg_text_style){.size = 13.5, .fill = GREY}, plot->subtitle);
        next = 88;
    }
    next = draw_legend(out, plot, next);

    axis x, y;
    find_ranges(plot, &x, &y);
    x.first_px = LEFT;
    x.last_px = WIDTH - RIGHT;
    y.first_px = HEIGHT - BOTTOM;
    y.last_px = next;
    if (plot->same_scale) {
        equalise(&x, &y);
    }
    draw_axes(out, plot, &x, &y);
    // Lines lie below open marks, and those below full ones.
    static const cg_series_kind order[] = {CG_SERIES_DASHES, CG_SERIES_LINE, CG_SERIES_RINGS, CG_SERIES_POINTS};
    for (int layer = 0; layer < 4; layer++) {
        for (int i = 0; i < plot->series_count; i++) {
            if (plot->series[i].kind == order[layer]) {
                draw_series(out, plot, &plot->series[i], &x, &y);
            }
        }
    }
    cg_svg_end(out);
}
