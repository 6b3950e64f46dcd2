// Words that only some may know.
#ifndef CATGUT_SERVER_SECRET_H
#define CATGUT_SERVER_SECRET_H

#include <stdbool.h>

// Whether a word is the right one. Takes as long whether or not it is, so that time tells nothing about it.
bool cg_is_secret(const char *right, const char *word);

#endif
