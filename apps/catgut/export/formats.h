// The formats that shapes can be written in. Each function returns false, with a sentence to `err`, when a pose cannot
// be read or memory runs out; whether the bytes arrived in the file is for the caller to ask.
#ifndef CATGUT_EXPORT_FORMATS_H
#define CATGUT_EXPORT_FORMATS_H

#include "export/recording_poses.h"
#include "export/table.h"
#include "support/tube.h"

struct cg_vtk_file; // export/vtk_file.h

// The tables, as what they are made of says.
extern const cg_table cg_table_of_points, cg_table_of_hands, cg_table_of_run, cg_table_of_sutures;
bool cg_export_csv(const cg_poses *poses, FILE *out, FILE *err);
bool cg_export_hands_csv(const cg_poses *poses, FILE *out, FILE *err);
// Of a recording: `poses` are some of its own. The run is that of its second run.
bool cg_export_run_csv(const cg_poses *poses, cg_recording_poses *recording, FILE *out, FILE *err);
bool cg_export_sutures_csv(const cg_poses *poses, cg_recording_poses *recording, FILE *out, FILE *err);

// One pose as VTK XML PolyData: lines of threads, bodies and tools, surfaces of tissues, and what is known at points.
bool cg_export_vtp(const cg_poses *poses, const cg_pose *pose, FILE *out, FILE *err);
// The cells of all tissues at the pose fetched last as an unstructured grid, from the second run of the recording.
bool cg_export_vtu(const cg_poses *poses, const cg_pose *pose, cg_recording_poses *recording, FILE *out, FILE *err);
// Program, recording and scene as words of a VTK file.
void cg_vtk_add_origin(struct cg_vtk_file *vtk, const cg_origin *origin);

// Files for all poses, and one that names them.
typedef struct cg_vtk_series {
    const char *stem; // STEM.pvd, and the folder STEM
    size_t count;     // of the poses
    bool cells;       // those of tissues, too
    bool force;
    cg_recording_poses *recording; // for cells
} cg_vtk_series;
// Writes the files itself, or none when one of them may not be written over (support/out_file.h).
bool cg_export_vtk_series(const cg_poses *poses, const cg_vtk_series *series, FILE *err);
// The names of its files; false when there is no room for one.
bool cg_vtk_series_name(const cg_vtk_series *series, char *path, size_t room);
bool cg_vtk_part_name(const cg_vtk_series *series, size_t place, bool cells, char *path, size_t room);

// What a tube looks like in glTF.
typedef struct cg_glb_look {
    size_t max_poses; // 1 or more: key poses, equally spaced; each but the first is a morph target
    int sides;        // 3 to 64: corners of the tube
    double thicker;   // above 0: factor on the radius
} cg_glb_look;

// glTF 2.0 in one binary file: a tube for each thread, moved by morph targets.
bool cg_export_glb(const cg_poses *poses, const cg_glb_look *look, FILE *out, FILE *err);

// The colour of a thread in pictures and meshes.
cg_rgb cg_export_colour(int thread);
// The colour of a side of a tissue.
cg_rgb cg_export_skin(int side);

// How a strip of poses is drawn.
typedef struct cg_strip_look {
    size_t max_poses; // 1 or more: panels, equally spaced
    cg_view view;
    double thicker; // above 0: factor on the radius
    bool frame_all; // everything is in the picture; otherwise, where there is tissue, that and what is around it
} cg_strip_look;

// A picture: one panel for each pose, all at the same scale.
bool cg_export_svg(const cg_poses *poses, const cg_strip_look *look, FILE *out, FILE *err);

#endif
