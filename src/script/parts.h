// Parts of a script are written out before it is read: each `do` becomes the lines of its part, with values in place of
// parameters. What comes out is read as any other script, and knows of every byte where it stands in the script.
#ifndef CATGUT_SCRIPT_PARTS_H
#define CATGUT_SCRIPT_PARTS_H

#include "script/script.h"

// A line that was written out.
typedef struct cg_written_line {
    size_t start; // in the text
    int line;     // of the script, from 1
    bool mirrored;
    cg_script_trail trail;
} cg_written_line;

// A script with its parts written out, without its comments.
typedef struct cg_written {
    char *text;
    size_t size;
    int *columns;           // of each byte, and of the end, in its line of the script
    cg_written_line *lines; // one more than there are: the end
    int line_count;
} cg_written;

// True when a line of the text defines a part or does one.
bool cg_script_has_parts(const char *text, size_t size);
// Writes the parts of a script out. To be given back, also behind a failure, which *error has with its place.
cg_status cg_script_write_out(const char *text, size_t size, const cg_allocator *allocator, cg_written *written,
                              cg_scene_error *error);
// Gives it back. One of zeros is allowed.
void cg_script_give_written(const cg_allocator *allocator, cg_written *written);

// Says behind an error in a part which lines did it.
void cg_script_tell_trail(const cg_script_trail *trail, cg_scene_error *error);

#endif
