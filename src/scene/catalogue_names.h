// Names of a catalogue as people write them.
#ifndef CATGUT_SCENE_CATALOGUE_NAMES_H
#define CATGUT_SCENE_CATALOGUE_NAMES_H

#include <stddef.h>

// The place of a name in the list; case, extra blanks and hyphens do not matter. -1 when there is none: then
// `suggestion` (room for `room` bytes; may be NULL with room 0) becomes the nearest one, or "".
int cg_catalogue_match(const char *text, const char *const *names, int count, char *suggestion, size_t room);

#endif
