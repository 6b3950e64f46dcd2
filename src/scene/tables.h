// What all tables of fields need.
#ifndef CATGUT_SCENE_TABLES_H
#define CATGUT_SCENE_TABLES_H

#include <stddef.h>

#include "scene/specs.h"

#define AT(type, member) .offset = offsetof(type, member)
#define COUNT(fields) (int)(sizeof fields / sizeof fields[0])

// Farther away than this [m] nothing is placed, so that sums of lengths stay within what a thread accepts.
#define FAR 1e5

#endif
