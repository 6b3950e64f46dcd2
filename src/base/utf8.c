#include "base/utf8.h"

int cg_utf8_length(const char *at, const char *end)
{
    const unsigned char *c = (const unsigned char *)at;
    ptrdiff_t room = end - at;
    if (c[0] < 0x80) {
        return 1;
    }
    int length = c[0] >= 0xF0 ? 4 : c[0] >= 0xE0 ? 3 : 2;
    if (c[0] < 0xC2 || c[0] > 0xF4 || room < length) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool detour = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
    bool surrogate = c[0] == 0xED && c[1] >= 0xA0, beyond = c[0] == 0xF4 && c[1] >= 0x90;
    return detour || surrogate || beyond ? 0 : length;
}

bool cg_utf8_is_valid(const char *text, size_t size)
{
    for (const char *at = text, *end = text + size; at < end;) {
        int length = cg_utf8_length(at, end);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}
