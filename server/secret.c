#include "secret.h"

#include <string.h>

bool cg_is_secret(const char *right, const char *word)
{
    size_t length = strlen(right), given = strlen(word);
    unsigned different = given != length;
    for (size_t i = 0; i < length; i++) {
        different |= (unsigned)(unsigned char)right[i] ^ (unsigned)(unsigned char)(i < given ? word[i] : 0);
    }
    return different == 0;
}
