// The words of a script: names, numbers, texts and marks, each with its place; and quantities made of them.
#ifndef CATGUT_SCRIPT_WORDS_H
#define CATGUT_SCRIPT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "catgut/math.h"
#include "catgut/scene.h"
#include "script/parts.h"

typedef enum cg_word_kind {
    CG_WORD_NAME,   // letters, digits, '_' and '-', beginning with a letter
    CG_WORD_NUMBER, // as in JSON, with a sign or without
    CG_WORD_TEXT,   // "between quotes"
    CG_WORD_MARK,   // one of ( ) , ; : + - % /
    CG_WORD_END_OF_LINE,
    CG_WORD_END_OF_FILE
} cg_word_kind;

enum { CG_WORD_ROOM = 260 };

typedef struct cg_word {
    cg_word_kind kind;
    int line, column;
    char text[CG_WORD_ROOM]; // without quotes
    double number;
    const cg_written_line *from; // the line that it stands in when parts were written out, else NULL
} cg_word;

// Reads words one after the other. `word` is the one that comes next.
typedef struct cg_words {
    const char *text;
    size_t size, at;
    int line, column;          // of `at`
    const cg_written *written; // where the text was written out from; NULL: it is the script itself
    cg_word word;
    double radius, length; // [m] what "radii", "lengths" and forces in "MPa" are counted in
    double needle;         // [m] what "needle_radii" are; 0: there is no needle
    cg_scene_error *error;
} cg_words;

// Begins with the first word of a text. False, with the error filled, when it is none.
bool cg_words_begin(cg_words *words, const char *text, size_t size, cg_scene_error *error);
// The same with a text that was written out, and with the last line of one.
bool cg_words_begin_written(cg_words *words, const cg_written *written, cg_scene_error *error);
bool cg_words_begin_line(cg_words *words, const cg_written *written, cg_scene_error *error);
// Goes to the next word; false when it is none.
bool cg_words_next(cg_words *words);

// True for what names are made of.
bool cg_words_is_name_part(char c);
// True when the next word is this name or mark.
bool cg_words_is(const cg_words *words, const char *name);
// Takes the next word if it is this one; *taken says whether. False only when the word behind it is no word.
bool cg_words_take(cg_words *words, const char *name, bool *taken);
// Takes the next word, which must be this one.
bool cg_words_expect(cg_words *words, const char *name);
// Complains about the next word. Returns false.
bool cg_words_complain(const cg_words *words, const char *expected);

// A number with a unit: "0.3 s", "20 deg", "4 radii", "0.1 lengths" or "0.5 needle_radii" for a length, "50 MPa" for
// a force: so much over the section of the thread. `unit` is its SI unit, "" for a pure number.
bool cg_words_quantity(cg_words *words, const char *unit, double *value);
// An angle that turns the other way where the script is mirrored.
bool cg_words_mirrored_angle(cg_words *words, double *value);
// "(1, 0, 2) mm", or "(0, 0, 1)" when `unit` is ""; "(2 + 7, 0, 0) mm" too. Where the script is mirrored y changes its
// sign.
bool cg_words_vector(cg_words *words, const char *unit, cg_vec3 *value);
// A direction, made unit length.
bool cg_words_direction(cg_words *words, cg_vec3 *value);
// The axis of a circle, made unit length: where the script is mirrored, that of the same circle as the mirror shows it.
bool cg_words_axis(cg_words *words, cg_vec3 *value);

#endif
