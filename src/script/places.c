// Names, places and conditions of scripts; the grammar is in read.c.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/vec3.h"
#include "scene/json.h"
#include "script/reader.h"

// A length [m] beyond this is a mistake of a unit.
static const double MOST_LENGTH = 1000;

// Names

typedef struct name_source {
    const char *what;
    int (*count)(const cg_scene *);
    const char *(*name)(const cg_scene *, int);
} name_source;

static const name_source THREADS = {"thread", cg_scene_thread_count, cg_scene_thread_name};
static const name_source SHAPES = {"shape", cg_scene_shape_count, cg_scene_shape_name};
static const name_source TISSUES = {"tissue", cg_scene_tissue_count, cg_scene_tissue_name};
static const name_source BODIES = {"body", cg_scene_body_count, cg_scene_body_name};
static const name_source HANDS = {"hand", cg_scene_hand_count, cg_scene_hand_name};

enum { MOST_CANDIDATES = 64 };

// The place of a name in the scene; -1 when it is none.
static int find_name(const cg_script_reader *reader, const name_source *source, const char *name)
{
    int count = reader->scene != NULL ? source->count(reader->scene) : 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(source->name(reader->scene, i), name) == 0) {
            return i;
        }
    }
    return reader->scene != NULL ? -1 : 0;
}

static bool complain_of_name(const cg_script_reader *reader, const name_source *source)
{
    const cg_word *word = &reader->words.word;
    const char *candidates[MOST_CANDIDATES];
    int count = source->count(reader->scene);
    count = count < MOST_CANDIDATES ? count : MOST_CANDIDATES;
    for (int i = 0; i < count; i++) {
        candidates[i] = source->name(reader->scene, i);
    }
    const char *nearest = cg_nearest_word(word->text, candidates, count);
    return cg_scene_error_at(reader->words.error, word->line, word->column,
                             "there is no %s \"%.60s\" in the scene%s%s%s", source->what, word->text,
                             nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
                             nearest != NULL ? "\"?" : "");
}

static bool read_name_in_quotes(cg_script_reader *reader, const name_source *source, int *index)
{
    if (reader->words.word.kind != CG_WORD_TEXT) {
        char expected[64];
        snprintf(expected, sizeof expected, "the name of a %s in quotes", source->what);
        return cg_words_complain(&reader->words, expected);
    }
    *index = find_name(reader, source, reader->words.word.text);
    return *index >= 0 ? cg_words_next(&reader->words) : complain_of_name(reader, source);
}

bool cg_script_read_thread(cg_script_reader *reader, int *thread)
{
    *thread = 0;
    if (!cg_words_is(&reader->words, "thread")) {
        return cg_words_complain(&reader->words, "\"thread\", or thread and its name in quotes");
    }
    if (reader->scene != NULL && cg_scene_thread_count(reader->scene) == 0) {
        return cg_words_complain(&reader->words, "no thread: the scene has none");
    }
    return cg_words_next(&reader->words) &&
           (reader->words.word.kind != CG_WORD_TEXT || read_name_in_quotes(reader, &THREADS, thread));
}

bool cg_script_read_tissue(cg_script_reader *reader, int *tissue)
{
    *tissue = 0;
    if (!cg_words_is(&reader->words, "tissue")) {
        return cg_words_complain(&reader->words, "\"tissue\", or tissue and its name in quotes");
    }
    if (reader->scene != NULL && cg_scene_tissue_count(reader->scene) == 0) {
        return cg_words_complain(&reader->words, "no tissue: the scene has none");
    }
    return cg_words_next(&reader->words) &&
           (reader->words.word.kind != CG_WORD_TEXT || read_name_in_quotes(reader, &TISSUES, tissue));
}

bool cg_script_read_hand(cg_script_reader *reader, int *hand)
{
    bool quoted;
    if (!cg_words_take(&reader->words, "hand", &quoted)) {
        return false;
    }
    if (quoted) {
        return read_name_in_quotes(reader, &HANDS, hand);
    }
    if (reader->words.word.kind != CG_WORD_NAME) {
        return cg_words_complain(&reader->words, "the name of a hand");
    }
    *hand = find_name(reader, &HANDS, reader->words.word.text);
    return *hand >= 0 ? cg_words_next(&reader->words) : complain_of_name(reader, &HANDS);
}

// Places

// Behind a share and "of": thread, or body and its name.
static bool read_shared(cg_script_reader *reader, cg_place *place)
{
    bool body;
    if (!cg_words_take(&reader->words, "body", &body)) {
        return false;
    }
    place->base = body ? CG_PLACE_BODY : CG_PLACE_SHARE;
    return body ? read_name_in_quotes(reader, &BODIES, &place->index) : cg_script_read_thread(reader, &place->index);
}

// Behind a length and "from": knot towards start of thread, or end.
static bool read_tail(cg_script_reader *reader, cg_place *place)
{
    cg_words *words = &reader->words;
    bool start;
    if (!(place->amount >= 0)) {
        return cg_words_complain(words, "\"along\": a length from a knot is 0 or more");
    }
    if (!cg_words_expect(words, "from") || !cg_words_expect(words, "knot") || !cg_words_expect(words, "towards") ||
        !cg_words_take(words, "start", &start)) {
        return false;
    }
    if (!start && !cg_words_is(words, "end")) {
        return cg_words_complain(words, "\"start\" or \"end\"");
    }
    if (!start && !cg_words_next(words)) {
        return false;
    }
    place->base = CG_PLACE_TAIL;
    place->towards_start = start;
    return cg_words_expect(words, "of") && cg_script_read_thread(reader, &place->index);
}

static bool read_share_or_length(cg_script_reader *reader, cg_place *place)
{
    cg_words ahead = reader->words;
    // "0.3 of thread" and "30 % of thread" are shares, "12 mm along thread" is a length.
    cg_scene_error ignored;
    double share;
    ahead.error = &ignored;
    if (cg_words_quantity(&ahead, "", &share) && cg_words_is(&ahead, "of")) {
        if (!(share >= 0 && share <= 1)) {
            return cg_words_complain(&reader->words, "a share of the thread or body from 0 to 1");
        }
        ahead.error = reader->words.error;
        reader->words = ahead;
        place->amount = share;
        return cg_words_expect(&reader->words, "of") && read_shared(reader, place);
    }
    place->base = CG_PLACE_LENGTH;
    cg_word at = reader->words.word;
    if (!cg_words_quantity(&reader->words, "m", &place->amount)) {
        return false;
    }
    if (!(place->amount >= -MOST_LENGTH && place->amount <= MOST_LENGTH)) {
        return cg_scene_error_at(reader->words.error, at.line, at.column, "found %g m; expected at most %g m",
                                 place->amount, MOST_LENGTH);
    }
    if (cg_words_is(&reader->words, "from")) {
        return read_tail(reader, place);
    }
    return cg_words_expect(&reader->words, "along") && cg_script_read_thread(reader, &place->index);
}

// The number of a mark, from 1.
static bool read_mark(cg_script_reader *reader, cg_vec3 *mark)
{
    cg_words *words = &reader->words;
    int most = reader->marks != NULL ? reader->marks->count : CG_SESSION_MOST_MARKS;
    double number = words->word.number;
    if (words->word.kind != CG_WORD_NUMBER) {
        return cg_words_complain(words, "the number of a mark");
    }
    if (!(number >= 1 && number <= most) || number != (double)(int)number) {
        return cg_scene_error_at(words->error, words->word.line, words->word.column,
                                 "found mark %g; expected a whole number, 1 to %d, the marks of the task", number,
                                 most);
    }
    *mark = reader->marks != NULL ? reader->marks->points[(int)number - 1] : v3_zero();
    return cg_words_next(words);
}

// Behind "between": the middle of two marks.
static bool read_middle(cg_script_reader *reader, cg_vec3 *middle)
{
    cg_words *words = &reader->words;
    cg_vec3 one, other;
    if (!cg_words_expect(words, "mark") || !read_mark(reader, &one) || !cg_words_expect(words, "and") ||
        !cg_words_expect(words, "mark") || !read_mark(reader, &other)) {
        return false;
    }
    *middle = v3_scale(0.5, v3_add(one, other));
    return true;
}

static bool read_base(cg_script_reader *reader, cg_place *place)
{
    static const struct {
        const char *name;
        double share;
    } ends[] = {{"start", 0}, {"middle", 0.5}, {"end", 1}};
    cg_words *words = &reader->words;
    if (cg_words_is(words, "(")) {
        place->base = CG_PLACE_POINT;
        return cg_words_vector(words, "m", &place->offset);
    }
    if (words->word.kind == CG_WORD_NUMBER || cg_words_is(words, "-")) {
        return read_share_or_length(reader, place);
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (cg_words_is(words, ends[i].name)) {
            place->amount = ends[i].share;
            return cg_words_next(words) && cg_words_expect(words, "of") && read_shared(reader, place);
        }
    }
    if (cg_words_is(words, "shape")) {
        place->base = CG_PLACE_SHAPE;
        return cg_words_next(words) && read_name_in_quotes(reader, &SHAPES, &place->index);
    }
    if (cg_words_is(words, "mark")) { // marks do not move
        place->base = CG_PLACE_POINT;
        return cg_words_next(words) && read_mark(reader, &place->offset);
    }
    if (cg_words_is(words, "between")) {
        place->base = CG_PLACE_POINT;
        return cg_words_next(words) && read_middle(reader, &place->offset);
    }
    if (words->word.kind != CG_WORD_NAME) {
        return cg_words_complain(words, "a place such as (1, 0, 2) mm, end of thread, 0.3 of thread or left");
    }
    place->base = CG_PLACE_HAND;
    return cg_script_read_hand(reader, &place->index);
}

// Behind a vector and "of": the hand in whose axes it is said. A place has those of one hand alone.
static bool read_own(cg_script_reader *reader, cg_place *place, double sign, cg_vec3 offset)
{
    cg_word at = reader->words.word;
    int hand;
    if (!cg_script_read_hand(reader, &hand)) {
        return false;
    }
    if (place->has_own && place->own_hand != hand) {
        return cg_scene_error_at(reader->words.error, at.line, at.column,
                                 "found the axes of a second hand; expected those of one in a place");
    }
    place->has_own = true;
    place->own_hand = hand;
    place->own_offset = v3_add_scaled(place->own_offset, sign, offset);
    return true;
}

bool cg_script_read_place(cg_script_reader *reader, cg_place *place)
{
    *place = (cg_place){.base = CG_PLACE_POINT};
    if (!read_base(reader, place)) {
        return false;
    }
    while (cg_words_is(&reader->words, "+") || cg_words_is(&reader->words, "-")) {
        double sign = cg_words_is(&reader->words, "+") ? 1 : -1;
        cg_vec3 offset;
        if (!cg_words_next(&reader->words) || !cg_words_vector(&reader->words, "m", &offset)) {
            return false;
        }
        bool own;
        if (!cg_words_take(&reader->words, "of", &own) || (own && !read_own(reader, place, sign, offset))) {
            return false;
        }
        place->offset = own ? place->offset : v3_add_scaled(place->offset, sign, offset);
    }
    return true;
}

// Conditions

bool cg_script_read_limit(cg_script_reader *reader, const char *unit, cg_condition *condition)
{
    assert(unit != NULL);
    condition->below = cg_words_is(&reader->words, "below");
    if (!condition->below && !cg_words_is(&reader->words, "above")) {
        return cg_words_complain(&reader->words, "\"above\" or \"below\"");
    }
    return cg_words_next(&reader->words) && cg_words_quantity(&reader->words, unit, &condition->limit);
}

// Behind "thread is".
static bool read_parted(cg_script_reader *reader, cg_condition *condition)
{
    condition->kind = CG_CONDITION_PARTED;
    condition->negated = cg_words_is(&reader->words, "whole");
    if (!condition->negated && !cg_words_is(&reader->words, "parted")) {
        return cg_words_complain(&reader->words, "\"parted\" or \"whole\"");
    }
    return cg_words_next(&reader->words);
}

// Behind a thread that touches or leaves.
static bool read_touch(cg_script_reader *reader, cg_condition *condition)
{
    cg_words *words = &reader->words;
    condition->kind = CG_CONDITION_TOUCH;
    condition->negated = cg_words_is(words, "leaves");
    if (!condition->negated && !cg_words_is(words, "touches")) {
        return cg_words_complain(words, "\"touches\", \"leaves\" or \"is\"");
    }
    bool itself;
    if (!cg_words_next(words) || !cg_words_take(words, "itself", &itself)) {
        return false;
    }
    if (itself) {
        condition->other = condition->thread;
        return true;
    }
    if (cg_words_is(words, "shape")) {
        return cg_words_next(words) && read_name_in_quotes(reader, &SHAPES, &condition->shape);
    }
    if (!cg_words_is(words, "thread")) {
        return cg_words_complain(words, "\"itself\", thread \"...\" or shape \"...\"");
    }
    return cg_script_read_thread(reader, &condition->other);
}

static bool read_of_thread(cg_script_reader *reader, cg_condition *condition)
{
    bool is;
    if (!cg_script_read_thread(reader, &condition->thread) || !cg_words_take(&reader->words, "is", &is)) {
        return false;
    }
    return is ? read_parted(reader, condition) : read_touch(reader, condition);
}

// Behind the hand.
static bool read_held(cg_script_reader *reader, cg_condition *condition)
{
    static const char *const kinds[] = {"nothing", "thread", "tissue", "body"}; // as cg_held_kind
    cg_words *words = &reader->words;
    condition->kind = CG_CONDITION_HELD;
    if (!cg_words_expect(words, "holds")) {
        return false;
    }
    for (int k = 0; k < 4; k++) {
        if (cg_words_is(words, kinds[k])) {
            condition->held = (cg_held_kind)k;
            return cg_words_next(words);
        }
    }
    return cg_words_complain(words, "\"thread\", \"tissue\", \"body\" or \"nothing\"");
}

enum { FORCE, LAG, OPENING, GAP, STEP, TEAR, HOLES, TURNS, MEASURE_COUNT };
static const char *const MEASURES[MEASURE_COUNT] = {"force", "lag", "opening", "gap", "step", "tear", "holes", "turns"};

static int measure_of(const cg_words *words)
{
    for (int k = 0; k < MEASURE_COUNT; k++) {
        if (cg_words_is(words, MEASURES[k])) {
            return k;
        }
    }
    return -1;
}

// Whether the next word, which begins a condition, names a hand.
static bool is_hand(const cg_script_reader *reader)
{
    const cg_word *word = &reader->words.word;
    bool is_word = word->kind == CG_WORD_NAME && measure_of(&reader->words) < 0;
    return is_word && (cg_words_is(&reader->words, "hand") || find_name(reader, &HANDS, word->text) >= 0);
}

// Behind "gap of" or "step of".
static bool read_wound(cg_script_reader *reader, cg_condition *condition, cg_condition_kind kind)
{
    cg_words *words = &reader->words;
    condition->kind = kind;
    return cg_script_read_tissue(reader, &condition->tissue) && cg_words_expect(words, "at") &&
           cg_script_read_place(reader, &condition->places[0]) && cg_words_expect(words, "along") &&
           cg_words_direction(words, &condition->along) && cg_script_read_limit(reader, "m", condition);
}

// Behind one of MEASURES and "of".
static bool read_measure(cg_script_reader *reader, cg_condition *condition, int measure)
{
    static const cg_condition_kind kinds[] = {CG_CONDITION_FORCE, CG_CONDITION_LAG, CG_CONDITION_OPENING};
    static const char *const units[] = {"N", "m", ""};
    bool stitches = false;
    if (measure == GAP || measure == STEP) {
        return read_wound(reader, condition, measure == GAP ? CG_CONDITION_GAP : CG_CONDITION_STEP);
    }
    if (measure == TEAR) {
        condition->kind = CG_CONDITION_TORN;
        return cg_script_read_tissue(reader, &condition->tissue) && cg_script_read_limit(reader, "m", condition);
    }
    if (measure == HOLES) {
        condition->kind = CG_CONDITION_HOLES;
        return cg_script_read_thread(reader, &condition->thread) && cg_script_read_limit(reader, "", condition);
    }
    if (measure == TURNS) {
        condition->kind = CG_CONDITION_TURNS;
        return cg_script_read_thread(reader, &condition->thread) && cg_words_expect(&reader->words, "around") &&
               cg_script_read_hand(reader, &condition->hand) && cg_script_read_limit(reader, "", condition);
    }
    condition->kind = kinds[measure];
    if (measure == FORCE && !cg_words_take(&reader->words, "stitches", &stitches)) {
        return false;
    }
    if (stitches) {
        condition->kind = CG_CONDITION_ANCHORS;
        return cg_script_read_limit(reader, "N", condition);
    }
    return cg_script_read_hand(reader, &condition->hand) && cg_script_read_limit(reader, units[measure], condition);
}

bool cg_script_read_condition(cg_script_reader *reader, cg_condition *condition)
{
    cg_words *words = &reader->words;
    *condition = (cg_condition){.kind = CG_CONDITION_NEVER, .shape = -1};
    if (cg_words_is(words, "thread")) {
        return read_of_thread(reader, condition);
    }
    if (cg_words_is(words, "distance")) {
        condition->kind = CG_CONDITION_DISTANCE;
        return cg_words_next(words) && cg_words_expect(words, "from") &&
               cg_script_read_place(reader, &condition->places[0]) && cg_words_expect(words, "to") &&
               cg_script_read_place(reader, &condition->places[1]) && cg_script_read_limit(reader, "m", condition);
    }
    if (is_hand(reader)) {
        return cg_script_read_hand(reader, &condition->hand) && read_held(reader, condition);
    }
    int measure = measure_of(words);
    if (measure < 0) {
        return cg_words_complain(words,
                                 "a condition: force of, lag of, opening of, gap of, step of, tear of, holes of, "
                                 "turns of, distance from, thread touches, thread is, or a hand that holds");
    }
    return cg_words_next(words) && cg_words_expect(words, "of") && read_measure(reader, condition, measure);
}

bool cg_script_read_until(cg_script_reader *reader, cg_condition *condition)
{
    bool until;
    condition->kind = CG_CONDITION_NEVER;
    return cg_words_take(&reader->words, "until", &until) && (!until || cg_script_read_condition(reader, condition));
}
