#include "catgut/version.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

_Static_assert(sizeof CG_VERSION == sizeof TEXT(CG_VERSION_MAJOR) "." TEXT(CG_VERSION_MINOR) "." TEXT(CG_VERSION_PATCH),
               "the text and the numbers are changed together");

const char *cg_version(void)
{
    return TEXT(CG_VERSION_MAJOR) "." TEXT(CG_VERSION_MINOR) "." TEXT(CG_VERSION_PATCH);
}
