#include "support/plot_files.h"

#include <errno.h>
#include <string.h>

#include "support/out_file.h"

bool cg_save_file(const char *path, int kind, bool force, void (*write)(const void *context, FILE *out),
                  const void *context, FILE *err)
{
    char why[CG_OUT_WHY_BYTES];
    cg_out_file out;
    if (!cg_out_open(&out, path, (cg_out_kind)kind, force, why)) {
        fprintf(err, "%s: %s\n", path, why);
        return false;
    }
    write(context, out.file);
    if (!cg_out_finish(&out)) {
        fprintf(err, "%s: cannot be written in full (%s)\n", path, strerror(errno));
        cg_out_abandon(&out, false);
        return false;
    }
    return true;
}

static void write_picture(const void *plot, FILE *out)
{
    cg_plot_write(plot, out);
}

static void write_curves(const void *plot, FILE *out)
{
    cg_plot_write_csv(plot, out);
}

bool cg_plot_save_drawn(const cg_plot *plot, const char *path, bool force, cg_package *package,
                        void (*draw)(const void *context, FILE *out), void (*write)(const void *context, FILE *out),
                        const void *context, FILE *err)
{
    char curves[4096 + 16], units[2][32];
    cg_column columns[CG_PLOT_COLUMNS];
    size_t length = strlen(path);
    bool svg = length > 4 && strcmp(path + length - 4, ".svg") == 0;
    snprintf(curves, sizeof curves, "%.*s.curves.csv", (int)(svg ? length - 4 : length), path);
    if (!cg_package_may_write(path, force, err) || !cg_save_file(path, CG_OUT_SVG, force, draw, context, err) ||
        !cg_save_file(curves, CG_OUT_CSV, force, write, context, err)) {
        return false;
    }
    cg_plot_columns(plot, columns, units);
    cg_package_file(package, path, plot->title, NULL, 0);
    cg_package_file(package, curves, "the curves of the plot", columns, CG_PLOT_COLUMNS);
    return cg_package_write(package, path, force, err);
}

bool cg_plot_save(const cg_plot *plot, const char *path, bool force, cg_package *package, FILE *err)
{
    return cg_plot_save_drawn(plot, path, force, package, write_picture, write_curves, plot, err);
}
