// Plots of measured points against a theory's curve, written as SVG.
#ifndef CATGUT_SUPPORT_PLOT_H
#define CATGUT_SUPPORT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "support/package.h"
#include "support/svg.h"

typedef enum cg_series_kind {
    CG_SERIES_LINE,   // a curve: theory
    CG_SERIES_DASHES, // a broken curve: a second theory, a limit
    CG_SERIES_POINTS, // marks: what was measured
    CG_SERIES_RINGS   // open marks: what others published
} cg_series_kind;

// Points that belong together. Points that are not finite, or not above 0 on a logarithmic axis, break a line.
typedef struct cg_series {
    char label[72]; // in the legend; empty: not there
    cg_series_kind kind;
    cg_hue hue;
    int count, capacity;
    double (*points)[2];
} cg_series;

enum { CG_PLOT_MAX_SERIES = 16 };

typedef struct cg_plot {
    char name[48]; // ending of the file's name; empty for the only plot
    char title[112], subtitle[176];
    char x_label[72], y_label[72]; // with units
    bool log_x, log_y;
    bool same_scale; // one unit is as long on both axes: for shapes
    bool from_zero;  // the y axis starts at 0
    bool whole_x;    // x counts something: whole numbers only
    int series_count;
    cg_series series[CG_PLOT_MAX_SERIES];
} cg_plot;

// An empty plot. Free it when done.
cg_plot cg_plot_make(const char *title, const char *x_label, const char *y_label);
void cg_plot_free(cg_plot *plot);

// Starts a series; the points that follow belong to it. Returns its number.
int cg_plot_add_series(cg_plot *plot, cg_series_kind kind, cg_hue hue, const char *label);
void cg_plot_add_point(cg_plot *plot, int series, double x, double y);

// Draws the plot. A point of a line without neighbours is a dot; marks that would lie on another one stand beside it,
// and of two lines that are the same the upper one has gaps.
void cg_plot_write(const cg_plot *plot, FILE *out);
// Writes the points of all series as a table, and what its columns are for its data package, as long as the plot stays.
void cg_plot_write_csv(const cg_plot *plot, FILE *out);
void cg_plot_write_rows(const cg_plot *plot, FILE *out); // without the names of the columns
enum { CG_PLOT_COLUMNS = 4 };
void cg_plot_columns(const cg_plot *plot, cg_column columns[CG_PLOT_COLUMNS], char units[2][32]);

#endif
