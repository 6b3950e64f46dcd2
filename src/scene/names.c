// Names of threads and of rigid shapes: given or made, each once.
#include <stdio.h>
#include <string.h>

#include "scene/reader.h"

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
    return hash;
}

// The place in the table where the name is or would be.
static const char **name_slot(cg_scene_names *names, const char *name)
{
    uint32_t slot = hash_of(name) % names->room;
    while (names->slots[slot] != NULL && strcmp(names->slots[slot], name) != 0) {
        slot = (slot + 1) % names->room;
    }
    return &names->slots[slot];
}

// Makes room for one more. The old table goes with the scene.
static bool grow(cg_scene_reader *reader, cg_scene_names *names)
{
    if (2 * ((uint32_t)names->count + 1) <= names->room) {
        return true;
    }
    cg_scene_names larger = {.count = names->count, .room = names->room > 0 ? 2 * names->room : 16};
    larger.slots = cg_scene_take(reader, larger.room, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < names->room; i++) {
        if (names->slots[i] != NULL) {
            *name_slot(&larger, names->slots[i]) = names->slots[i];
        }
    }
    *names = larger;
    return true;
}

bool cg_scene_is_new_name(cg_scene_reader *reader, cg_scene_names *names, const cg_json_value *at, const char *what,
                          const char *name)
{
    if (!grow(reader, names)) {
        return false;
    }
    const char **slot = name_slot(names, name);
    if (*slot != NULL) {
        return cg_error_at_value(reader->error, at, "found a second %s named \"%s\"; expected every name once", what,
                                 name);
    }
    *slot = name;
    names->count++;
    return true;
}

bool cg_scene_choose_name(cg_scene_reader *reader, cg_scene_names *names, const cg_json_value *object, const char *what,
                          int number, const char **name)
{
    const cg_json_value *at = cg_json_find(object, "name");
    if (at == NULL) {
        char *made = cg_scene_take(reader, 24, 1);
        if (made == NULL) {
            return false;
        }
        snprintf(made, 24, "%s-%d", what, number);
        *name = made;
        at = object;
    } else {
        *name = at->as.string;
    }
    for (const char *c = *name; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7F) {
            return cg_error_at_value(reader->error, at, "found a control character in a name; expected text");
        }
    }
    return cg_scene_is_new_name(reader, names, at, what, *name);
}
