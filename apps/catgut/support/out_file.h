// Files that the program writes. A file gets its name when it is whole: until then it is NAME.part, which one program
// writes at a time. What is there already is written over only when catgut made it, and a thing of the same kind.
#ifndef CATGUT_SUPPORT_OUT_FILE_H
#define CATGUT_SUPPORT_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

// What is written; the first bytes of a file tell which it is.
typedef enum cg_out_kind {
    CG_OUT_RECORDING, // and snapshots
    CG_OUT_CSV,
    CG_OUT_VTK, // .vtp, .vtu and .pvd
    CG_OUT_GLB,
    CG_OUT_SVG,
    CG_OUT_MESH,   // of Gmsh
    CG_OUT_PACKAGE // where another file came from (support/package.h)
} cg_out_kind;

// The mark of our XML files: a comment near their beginning.
#define CG_OUT_XML_MARK "<!-- made by catgut -->"

typedef struct cg_out_file {
    FILE *file;
    char path[4096], part[4096 + 8];
    bool is_direct; // a pipe or a device: it has its name already
} cg_out_file;

enum { CG_OUT_WHY_BYTES = 256 };

// True when a file may be written under this name: it is new, empty, ours and of this kind, no ordinary file at all, or
// `force` is set and it is no folder. Otherwise `why` says why not.
bool cg_out_may_write(const char *path, cg_out_kind kind, bool force, char why[CG_OUT_WHY_BYTES]);
// Begins a file; false, with a sentence in `why`, when it may not or cannot be written.
bool cg_out_open(cg_out_file *out, const char *path, cg_out_kind kind, bool force, char why[CG_OUT_WHY_BYTES]);
// Ends a file: when all its bytes arrived it gets its name. False, with errno set, when not; then its part is still
// there, for cg_out_abandon.
bool cg_out_finish(cg_out_file *out);
// Gives up a file, begun or ended badly, and takes what was written away; `keep` leaves it as NAME.part.
void cg_out_abandon(cg_out_file *out, bool keep);
// True when two names mean the same file.
bool cg_same_file(const char *a, const char *b);

#endif
