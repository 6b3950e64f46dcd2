// A plot as files: the picture, its curves as a table beside it (NAME.curves.csv), and the package of both.
#ifndef CATGUT_SUPPORT_PLOT_FILES_H
#define CATGUT_SUPPORT_PLOT_FILES_H

#include "support/plot.h"

// Writes them; `package` says what it was made from, and gets the two files. False, with a sentence to `err`, when one
// cannot be written.
bool cg_plot_save(const cg_plot *plot, const char *path, bool force, cg_package *package, FILE *err);
// The same of what is drawn and written otherwise: `plot` gives its words.
bool cg_plot_save_drawn(const cg_plot *plot, const char *path, bool force, cg_package *package,
                        void (*draw)(const void *context, FILE *out), void (*write)(const void *context, FILE *out),
                        const void *context, FILE *err);
// Writes a file that `write` fills, when it may be written.
bool cg_save_file(const char *path, int kind, bool force, void (*write)(const void *context, FILE *out),
                  const void *context, FILE *err);

#endif
