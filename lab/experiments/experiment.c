#include "experiments/experiment.h"

#include <stdarg.h>
#include <stdlib.h>

#include "rough/draw.h"

double cg_quantity_error(const cg_quantity *quantity)
{
    double difference = fabs(quantity->measured - quantity->expected);
    return quantity->expected == 0 ? difference : difference / fabs(quantity->expected);
}

bool cg_quantity_passes(const cg_quantity *quantity)
{
    return cg_quantity_error(quantity) <= quantity->tolerance; // false when one of them is not a number
}

void cg_report_free(cg_report *report)
{
    for (int i = 0; i < report->plot_count; i++) {
        cg_plot_free(&report->plots[i]);
    }
    free(report->plots);
    free(report->quantities);
    *report = (cg_report){0};
}

bool cg_report_passes(const cg_report *report)
{
    bool all = report->quantity_count > 0 && report->trouble[0] == '\0';
    for (int i = 0; i < report->quantity_count; i++) {
        all = all && cg_quantity_passes(&report->quantities[i]);
    }
    return all;
}

static void add_quantity(cg_report *report, cg_quantity quantity, const char *name_format, va_list arguments)
{
    vsnprintf(quantity.name, sizeof quantity.name, name_format, arguments);
    if (report->quantity_count == report->quantity_capacity) {
        int capacity = report->quantity_capacity ? 2 * report->quantity_capacity : 16;
        cg_quantity *larger = realloc(report->quantities, (size_t)capacity * sizeof *larger);
        if (!larger) {
            cg_report_trouble(report, "no memory left");
            return;
        }
        report->quantities = larger;
        report->quantity_capacity = capacity;
    }
    report->quantities[report->quantity_count++] = quantity;
}

void cg_report_add(cg_report *report, cg_quantity quantity, const char *name_format, ...)
{
    va_list arguments;
    va_start(arguments, name_format);
    add_quantity(report, quantity, name_format, arguments);
    va_end(arguments);
}

void cg_report_check(cg_report *report, double expected, double measured, double tolerance, const char *unit,
                     const char *name_format, ...)
{
    cg_quantity quantity = {
        .published = CG_UNPUBLISHED, .expected = expected, .measured = measured, .tolerance = tolerance, .unit = unit};
    va_list arguments;
    va_start(arguments, name_format);
    add_quantity(report, quantity, name_format, arguments);
    va_end(arguments);
}

int cg_report_add_plot(cg_report *report, const char *title, const char *x_label, const char *y_label)
{
    if (report->plot_count == report->plot_capacity) {
        int capacity = report->plot_capacity ? 2 * report->plot_capacity : 4;
        cg_plot *larger = realloc(report->plots, (size_t)capacity * sizeof *larger);
        if (!larger) {
            fputs("catgut: no memory left\n", stderr);
            exit(1);
        }
        report->plots = larger;
        report->plot_capacity = capacity;
    }
    report->plots[report->plot_count] = cg_plot_make(title, x_label, y_label);
    return report->plot_count++;
}

void cg_report_trouble(cg_report *report, const char *format, ...)
{
    if (report->trouble[0]) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->trouble, sizeof report->trouble, format, arguments);
    va_end(arguments);
}

double cg_report_draw(uint64_t seed, int place, double low, double high)
{
    uint64_t x = cg_draw_begin(seed, place).state;
    return low + (high - low) * ((double)(x >> 11) * 0x1p-53);
}
