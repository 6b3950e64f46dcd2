// Names of threads and of rigid shapes: given or made, each once.
#include <stdint.h>
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
    uint32_t slot = hash_of(name) % CG_SCENE_NAME_SLOTS;
    while (names->slots[slot] != NULL && strcmp(names->slots[slot], name) != 0) {
        slot = (slot + 1) % CG_SCENE_NAME_SLOTS;
    }
    return &names->slots[slot];
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
    const char **slot = name_slot(names, *name);
    if (*slot != NULL) {
        return cg_error_at_value(reader->error, at, "found a second %s named \"%s\"; expected every name once", what,
                                 *name);
    }
    *slot = *name;
    return true;
}
