// What the parts of the reader of scripts share: read.c has the grammar and reads lines, places.c names,
// places and conditions, acts.c what hands do. Each function reads on from the present word, and is false when
// it complained.
#ifndef CATGUT_SCRIPT_READER_H
#define CATGUT_SCRIPT_READER_H

#include "script/script.h"
#include "script/words.h"

typedef struct cg_script_reader {
    cg_words words;
    const cg_scene *scene;        // NULL: any name will do
    const cg_script_marks *marks; // NULL: any number will do
    cg_script *script;
    int open_repeats[CG_SCRIPT_NESTING]; // places in the list of lines
    int depth;
} cg_script_reader;

// thread, or thread "name"; tissue, or tissue "name"
bool cg_script_read_thread(cg_script_reader *reader, int *thread);
bool cg_script_read_tissue(cg_script_reader *reader, int *tissue);
// A hand by its bare name, or hand "name"
bool cg_script_read_hand(cg_script_reader *reader, int *hand);
bool cg_script_read_place(cg_script_reader *reader, cg_place *place);
bool cg_script_read_condition(cg_script_reader *reader, cg_condition *condition);
// above QUANTITY, or below QUANTITY
bool cg_script_read_limit(cg_script_reader *reader, const char *unit, cg_condition *condition);
// [until condition]
bool cg_script_read_until(cg_script_reader *reader, cg_condition *condition);
bool cg_script_read_time(cg_script_reader *reader, double *time);
bool cg_script_read_action(cg_script_reader *reader, cg_action *action);

#endif
