// A scripted procedure, opened with some words of its scene changed: for experiments that vary it and benches that time
// it.
#ifndef CATGUT_EXPERIMENTS_TIE_RIG_H
#define CATGUT_EXPERIMENTS_TIE_RIG_H

#include "catgut/catgut.h"

enum { CG_TIE_TEXT = 16384, CG_TIE_WHY = 320 };

// The text of a scene while it is changed. `why` is empty as long as all went well.
typedef struct cg_tie_text {
    char text[CG_TIE_TEXT];
    char why[CG_TIE_WHY];
} cg_tie_text;

// Reads a scene of the shipped ones by its name.
void cg_tie_read(cg_tie_text *scene, const char *name);
// Puts words in the place of others, which must be there.
void cg_tie_put(cg_tie_text *scene, const char *words, const char *form, ...) __attribute__((format(printf, 3, 4)));
// Puts a text in the place of all from some words up to the first others behind them, both included.
void cg_tie_put_span(cg_tie_text *scene, const char *from, const char *to, const char *text);

typedef struct cg_tie_run {
    cg_scene *scene;
    cg_session *session;
    char why[CG_TIE_WHY]; // it could not be opened; empty when it could
} cg_tie_run;

// Opens the scene and starts a script of the shipped ones; to be closed also when that went wrong.
bool cg_tie_open(cg_tie_run *run, const cg_tie_text *scene, const char *script);
void cg_tie_close(cg_tie_run *run);

#endif
