// Scenes and recordings on disk, for the server.
#ifndef CATGUT_SUPPORT_SERVE_FILES_H
#define CATGUT_SUPPORT_SERVE_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "host.h"
#include "support/record_file.h"

enum { CG_SERVE_MOST_SCENES = 200, CG_SERVE_MOST_RECORDINGS = 1000 };

// Zero-initialise.
typedef struct cg_serve_files {
    char folder[4096];     // of the scenes that come with the program; empty: none
    char recordings[4096]; // folder
    const char *record;    // a file that the next recording goes to, whatever its name; NULL: none
    bool force;            // write over what is no recording
    cg_wire_scene_name scenes[CG_SERVE_MOST_SCENES];
    char *paths[CG_SERVE_MOST_SCENES]; // of the same
    int scene_count;
    bool borrows_scenes; // from another
    int session;         // whose they are; it stands in the names of recordings, so that no two have the same
    cg_wire_recording_name found[CG_SERVE_MOST_RECORDINGS];
    int found_count;
    cg_record_writer writer;
    cg_codec codec;              // of what is kept in memory
    cg_record_reader readers[2]; // that what is shown goes on while another is opened
    // Where the recording of an attempt is, which clients call "attempt:" and its number; NULL: there are none.
    bool (*find_attempt)(void *context, uint64_t number, char *path, size_t room, char *why);
    void *attempts; // its context
} cg_serve_files;

// Looks for scenes: the one that `scene` names first, by path or name (may be NULL), then those that come with the
// program. Returns the name of the one to begin with; NULL, with a sentence to `err`, when it cannot be read or there
// is none at all.
const char *cg_serve_files_begin(cg_serve_files *files, const char *scene, const char *recordings, FILE *err);
// The same scenes and folders for another session. The first must outlive it.
void cg_serve_files_copy(cg_serve_files *files, const cg_serve_files *from, int session);
void cg_serve_files_end(cg_serve_files *files);
cg_host_files cg_serve_files_table(cg_serve_files *files);

#endif
