// JSON as text: values printed, and set in a text by JSON pointers (RFC 6901).
#ifndef CATGUT_SWEEP_TEXT_H
#define CATGUT_SWEEP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/json.h"

// A value as JSON; false when there is no room.
bool cg_json_print(const cg_json_value *value, char *text, size_t room);
// The text of an object in memory to be freed, with other values where `pointers` lead: a place of a list that is
// there, or a member of an object that is there, which may be new. NULL, with the pointer that leads nowhere in *bad
// (-1: no memory).
char *cg_json_set(const cg_json_value *root, const char *const *pointers, const char *const *values, int count,
                  size_t *size, int *bad);
// A number made of another one and bytes.
uint64_t cg_text_mix(uint64_t key, const char *text, size_t size);

#endif
