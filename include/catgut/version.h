// Which catgut this is. Until version 1.0 a change of the second number may change calls.
#ifndef CATGUT_VERSION_H
#define CATGUT_VERSION_H

#include "catgut/api.h"

CG_API_BEGIN

// The first number: changes of it may break programs.
#define CG_VERSION_MAJOR 0
// The second: before 1.0, the same.
#define CG_VERSION_MINOR 1
// The third: mends.
#define CG_VERSION_PATCH 0
// All three as text, of the headers that a program is compiled with.
#define CG_VERSION "0.1.0"

// The same of the library that the program runs with, which may be another than CG_VERSION where it is shared.
const char *cg_version(void);

CG_API_END

#endif
