// A glTF file in the making: glb.c fills the arrays from poses, glb_document.c describes them as JSON.
#ifndef CATGUT_EXPORT_GLB_PARTS_H
#define CATGUT_EXPORT_GLB_PARTS_H

#include "export/formats.h"
#include "export/glb_steel.h"
#include "export/resample.h"
#include "export/surface_mesh.h"

enum {
    CG_GLB_FLOAT = 5126,
    CG_GLB_UNSIGNED_INT = 5125,
    CG_GLB_VERTEX_DATA = 34962,
    CG_GLB_INDEX_DATA = 34963,
    CG_GLB_NO_TARGET = 0
};

// One array of the binary data.
typedef struct cg_glb_accessor {
    size_t offset, count; // [bytes], items
    int width;            // numbers in an item: 1, 3 or 4
    int component, target;
    bool has_bounds;
    float low[4], high[4];
} cg_glb_accessor;

// A thread or tissue as it goes through the poses; of a tissue that is cut, the poses in which it has one surface.
typedef struct cg_glb_tube {
    int thread, points;
    int tissue;              // -1: it is a thread
    int stretch;             // of a tissue: how many surfaces it had before
    cg_surface_mesh surface; // of a tissue
    uint64_t version;        // of that surface
    size_t from, to;         // poses in which it is shown: the first, and the one behind the last
    size_t base;             // accessor of its positions in the first of them; normals and indices follow
    size_t *targets;         // per pose: accessor of its differences of positions; those of normals follow
    size_t times;            // accessors of its animation: times of its poses, and weights
    size_t shown_times;      // and when it comes and goes, and its scales then; 0: it is shown all the time
    size_t vertices;
    cg_vec3 across;
    cg_vec3 *last;                        // the points it had last
    float *base_positions, *base_normals; // of the first pose
    float *positions, *normals;           // of the present one
} cg_glb_tube;

typedef struct cg_glb_scene {
    const cg_poses *poses;
    const cg_glb_look *look;
    size_t pose_count;
    double *times;
    cg_resample *resamples; // per thread
    cg_glb_tube *tubes;
    int tube_count, tube_room;
    cg_glb_rigids rigids;
    double size; // [bytes] of the arrays
    cg_glb_accessor *accessors;
    size_t accessor_count;
    unsigned char *bytes, *end; // end: behind the last byte written
    FILE *err;
} cg_glb_scene;

// Adds an array: floats, less those of `minus` where it is given, and corners of triangles.
void cg_glb_add_floats(cg_glb_scene *s, const float *values, const float *minus, size_t count, int width, int target,
                       bool has_bounds);
void cg_glb_add_indices(cg_glb_scene *s, const uint32_t *indices, size_t count);
// When poses are shown, from the first one of all on.
void cg_glb_fill_times(const cg_glb_scene *s, size_t from, size_t to, float *times);

// Bodies and tools: room for their arrays, added to `bytes`, and how many these are; their meshes, where a pose is the
// first one with them; their motion. False when memory ran out.
size_t cg_glb_rigids_room(const cg_glb_rigids *rigids, size_t pose_count, double *bytes);
bool cg_glb_add_rigids(cg_glb_scene *s, const cg_pose *pose, size_t key);
bool cg_glb_move_rigids(cg_glb_scene *s);

// Writes the JSON of a file whose arrays are all there.
void cg_glb_write_document(const cg_glb_scene *s, FILE *out);

#endif
