// What the files of the scene reader share: the scene that is being made, and where trouble goes.
#ifndef CATGUT_SCENE_READER_H
#define CATGUT_SCENE_READER_H

#include <stdint.h>

#include "catgut/adhesion.h"
#include "catgut/catalogue.h"
#include "catgut/fill.h"
#include "catgut/hand.h"
#include "catgut/rigid.h"
#include "catgut/scene.h"
#include "catgut/structure.h"
#include "catgut/surface.h"
#include "catgut/suture.h"
#include "scene/json.h"
#include "scene/specs.h"

// A piece of memory that lives as long as the scene.
typedef struct cg_scene_block {
    struct cg_scene_block *next;
} cg_scene_block;

// A text the scene was made of.
typedef struct cg_scene_source_text {
    const char *path; // from the folder of the scene
    const char *text;
    size_t size;
} cg_scene_source_text;

typedef struct cg_scene_thread {
    const char *name;
    cg_thread_def def;
    const cg_mass_spec *masses; // vertices counted from 0
    int mass_count;
    int cuts;                      // parts that are kept for it
    int part_of;                   // place of the thread that it is kept for, plus one; 0: a thread of its own
    const cg_json_value *moved_by; // the last name in `moves` that meant it; NULL: it stands where it is written
    cg_transform move;             // all of them together
} cg_scene_thread;

// Where a text speaks of something.
typedef struct cg_scene_place {
    int source; // place in `sources`
    int line, column;
} cg_scene_place;

typedef struct cg_scene_rigid {
    const char *name;
    cg_scene_place place;
    cg_shape_def def;
} cg_scene_rigid;

typedef struct cg_scene_body {
    const char *name;
    cg_scene_place place;
    cg_rigid_def def;
    cg_needle needle; // that `def` names, if it is one
    int thread;       // that is swaged to it, -1: none; and which end of it
    cg_end end;
} cg_scene_body;

typedef struct cg_scene_stitch {
    cg_scene_place place;
    int thread, tissue; // numbers in the scene
    cg_stitch_def def;  // without the two
} cg_scene_stitch;

typedef struct cg_scene_adhesion {
    cg_scene_place place;
    int thread, tissue;  // numbers in the scene
    cg_adhesion_def def; // without the two
} cg_scene_adhesion;

typedef struct cg_scene_hand {
    const char *name;
    cg_scene_place place;
    cg_hand_def def;
    bool has_scope;
    double scope_angle; // [rad]
} cg_scene_hand;

typedef struct cg_scene_tissue {
    const char *name;
    cg_tissue_def def;
    cg_scene_place place;
    cg_fill_report fill; // of a filled one; a spacing of 0: it is none
} cg_scene_tissue;

// What a scene says about constraints.
typedef struct cg_scene_structure {
    const cg_json_value *text; // NULL: nothing
    cg_scene_place place;
    cg_structure_def def;
} cg_scene_structure;

struct cg_scene {
    cg_allocator allocator;
    cg_scene_block *blocks;
    cg_json_tree *trees[CG_SCENE_FILES]; // strings of the scene lie in them
    int tree_count;
    cg_scene_source_text sources[CG_SCENE_FILES];
    int source_count;
    size_t source_bytes;
    const char *name;  // what errors call the scene
    const char *title; // never NULL
    double duration;   // [s]
    cg_world_def world_def;
    cg_scene_thread *threads;
    int thread_count, thread_capacity;
    int vertex_count; // of all threads
    int knot_count;   // shapes of threads that are knots
    cg_scene_rigid *shapes;
    int shape_count, shape_capacity;
    cg_scene_body bodies[CG_SCENE_BODIES];
    int body_count;
    cg_scene_hand hands[CG_SCENE_HANDS];
    int hand_count;
    cg_scene_tissue tissues[CG_SCENE_TISSUES];
    int tissue_count;
    cg_scene_stitch stitches[CG_SCENE_STITCHES];
    int stitch_count;
    cg_scene_adhesion adhesions[CG_SCENE_ADHESIONS];
    int adhesion_count;
    int node_count; // of all tissues, about
    cg_scene_structure structure;
    bool hands_given; // the text says which hands there are, if only that there are none
    const cg_json_value *inputs;
    const cg_json_value *moves; // NULL: none
};

// A hash table of names, which grows: most scenes have few.
typedef struct cg_scene_names {
    const char **slots; // NULL: empty
    int count;
    uint32_t room; // of slots: 0 or a power of two, at least twice the count
} cg_scene_names;

typedef struct cg_scene_reader {
    cg_scene *scene;
    const cg_scene_files *files;
    cg_scene_error *error;
    cg_code code;                         // why it failed
    int open_files[CG_SCENE_NESTING + 1]; // places in `sources` of the files that are being read, outermost first
    int depth;                            // how many of them
    cg_scene_names thread_names, shape_names, body_names, hand_names, tissue_names;
} cg_scene_reader;

// `bytes` zeroed bytes that live as long as the scene; NULL, with the error filled, when there are none.
void *cg_scene_take(cg_scene_reader *reader, size_t count, size_t size);
// Where a value of the file that is being read is.
cg_scene_place cg_scene_place_of(const cg_scene_reader *reader, const cg_json_value *value);
// Where errors are from now on: in this source.
void cg_scene_enter_source(cg_scene_reader *reader, int source);
// Finds a file that `value` names as `path`, relative to the file that is being read. -1, with the error filled, when
// it cannot be had.
int cg_scene_open_source(cg_scene_reader *reader, const char *path, const cg_json_value *value);
// Reads a thread and adds it to the scene.
bool cg_scene_read_thread(cg_scene_reader *reader, const cg_json_value *value);
// Once all files are read: the parts that are kept for threads become threads of the list, behind all others.
bool cg_scene_add_parts(cg_scene_reader *r);
// The same for a rigid shape.
bool cg_scene_read_rigid(cg_scene_reader *reader, const cg_json_value *value);
// Reads what shape something is: the one of its fields that is given.
bool cg_scene_read_kind(cg_scene_reader *reader, const cg_rigid_spec *spec, cg_shape *shape);
// Reads a rigid body that moves and adds it to the scene.
bool cg_scene_read_body(cg_scene_reader *reader, const cg_json_value *value);
bool cg_scene_read_stitch(cg_scene_reader *reader, const cg_json_value *value);
bool cg_scene_read_adhesion(cg_scene_reader *reader, const cg_json_value *value);
// The same for a hand.
bool cg_scene_read_hand(cg_scene_reader *reader, const cg_json_value *value);
// The same for a tissue.
bool cg_scene_read_tissue(cg_scene_reader *reader, const cg_json_value *value);
// Reads the mesh file that an object of cg_type_mesh names, to be given back with cg_surface_free; NULL, with the error
// filled, when it cannot be had.
cg_surface *cg_scene_read_surface(cg_scene_reader *reader, const cg_json_value *value);
// Reads a volume of cg_type_volume, or fills a surface of cg_type_fill; it lives as long as the scene. NULL, with the
// error filled, when it cannot be had.
const cg_volume *cg_scene_read_volume(cg_scene_reader *reader, const cg_json_value *value);
const cg_volume *cg_scene_read_fill(cg_scene_reader *reader, const cg_json_value *value, cg_fill_report *report);
// Keeps the constraints of a file, which name what other files hold; reads them once all is there.
bool cg_scene_note_constraints(cg_scene_reader *reader, const cg_json_value *value);
bool cg_scene_read_constraints(cg_scene_reader *reader);
// Moves what the scene says stands elsewhere, once all is there.
bool cg_scene_read_moves(cg_scene_reader *reader);
// The two hands of a scene that does not speak of hands.
void cg_scene_add_usual_hands(cg_scene *scene);
// The name that the object gives itself, or one made of `what` ("thread") and `number`. Refused when it is taken.
// False, with an error, when there is one of that name already; then it is taken.
bool cg_scene_is_new_name(cg_scene_reader *reader, cg_scene_names *names, const cg_json_value *at, const char *what,
                          const char *name);
bool cg_scene_choose_name(cg_scene_reader *reader, cg_scene_names *names, const cg_json_value *object, const char *what,
                          int number, const char **name);

// Joins a path that the file `from` mentions to the folder of that file and takes "." and ".." out. On failure *why
// says what is wrong with it.
bool cg_scene_join_path(const char *from, const char *path, char *joined, size_t room, const char **why);

#endif
