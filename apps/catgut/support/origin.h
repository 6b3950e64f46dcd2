// Where results come from: which program made them, on which machine, when, from what. Nothing of it is in a state.
#ifndef CATGUT_SUPPORT_ORIGIN_H
#define CATGUT_SUPPORT_ORIGIN_H

#include <stddef.h>
#include <time.h>

#include "support/sha256.h"

// What a result was made from: names of files without their folders, and their hashes. Empty: not known, or none.
typedef struct cg_origin {
    char recording[128], recording_hash[CG_SHA256_TEXT];
    char scene[128], scene_hash[CG_SHA256_TEXT]; // the text of the scene, without what it includes
    char recorded_by[256];                       // the program that recorded
} cg_origin;

// The commit that the program was built from, "+changed" behind it where files differed; "unknown" outside of a
// checkout.
const char *cg_program_commit(void);
// "catgut 0.1.0, commit 4727d05d2e1f, motion 13, state 5"; lives as long as the program.
const char *cg_program_words(void);
// The processor, the compiler and how the program was built.
void cg_describe_machine(char *text, size_t size);
// The time of now in UTC as ISO 8601, or that of the environment's SOURCE_DATE_EPOCH.
void cg_time_now(char text[32]);
// Seconds since 1970 in that form.
void cg_time_text(time_t when, char text[32]);
// A path without its folders: what may be written of it.
const char *cg_path_name(const char *path);

#endif
