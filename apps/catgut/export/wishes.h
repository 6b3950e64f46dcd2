// What the words of "catgut export" ask for.
#ifndef CATGUT_EXPORT_WISHES_H
#define CATGUT_EXPORT_WISHES_H

#include "export/poses.h"
#include "support/tube.h"

typedef enum cg_export_format {
    CG_EXPORT_CSV,
    CG_EXPORT_VTK,
    CG_EXPORT_GLB,
    CG_EXPORT_SVG,
    CG_EXPORT_FORMATS
} cg_export_format;
extern const char *const cg_export_format_names[CG_EXPORT_FORMATS];

// What of VTK, and which table.
typedef enum cg_export_vtk { CG_EXPORT_SERIES, CG_EXPORT_ONE_SHAPE, CG_EXPORT_ONE_INSIDE } cg_export_vtk;
typedef enum cg_export_table { CG_EXPORT_POINTS, CG_EXPORT_HANDS, CG_EXPORT_RUN, CG_EXPORT_SUTURES } cg_export_table;

typedef struct cg_export_wishes {
    const char *in;
    char out[4096]; // the file to write, "-" for the standard output; of a series its stem
    cg_export_format format;
    cg_export_vtk vtk;
    cg_export_table table;
    size_t every;
    double moments[CG_POSE_MOST_MOMENTS]; // [s] the shapes nearest to these
    size_t moment_count;                  // 0: all times
    size_t poses;                         // 0: as usual for the format
    size_t points;                        // of each thread, evenly along it at rest; 0: the vertices it has
    const char *thread;                   // NULL: all
    cg_view view;
    bool frame_all;
    double radius; // [m] 0: as the file says
    double thicker;
    bool tension, cells, as_recorded, json, force;
} cg_export_wishes;

// False, with a sentence to `err`, for words that cannot be followed.
bool cg_export_read_wishes(cg_export_wishes *w, int count, char **words, FILE *err);

#endif
