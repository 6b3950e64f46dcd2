// The formats that shapes can be written in. Each function returns false, with a sentence to `err`, when a pose cannot
// be read or memory runs out; whether the bytes arrived in the file is for the caller to ask.
#ifndef CATGUT_EXPORT_FORMATS_H
#define CATGUT_EXPORT_FORMATS_H

#include "export/poses.h"
#include "support/tube.h"

// A table: time,step,thread,vertex,x,y,z in seconds and metres, a line for each vertex of each pose.
bool cg_export_csv(const cg_poses *poses, FILE *out, FILE *err);

// The same of hands: what they carry, where they are, how far their jaws are open and press, what they feel.
bool cg_export_hands_csv(const cg_poses *poses, FILE *out, FILE *err);

// One pose as VTK XML PolyData: a polyline for each thread; arc length [m], thread and, where it is known, tension [N]
// at each point.
bool cg_export_vtp(const cg_poses *poses, const cg_pose *pose, FILE *out, FILE *err);
// A series: STEM_0000.vtp and so on, and STEM.pvd that names them with their times. Writes the files itself, or none
// when one of them may not be written over (support/out_file.h).
bool cg_export_vtk_series(const cg_poses *poses, const char *stem, bool force, FILE *err);
// The names of its files; false when there is no room for one.
bool cg_vtk_series_name(const char *stem, char *path, size_t room);
bool cg_vtk_part_name(const char *stem, size_t place, size_t count, char *path, size_t room);

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
