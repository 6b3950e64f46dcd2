#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cg_status cg_ok(void)
{
    return (cg_status){.code = CG_OK, .message = ""};
}

cg_status cg_error(cg_code code, const char *format, ...)
{
    cg_status status = {.code = code, .message = ""};
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(status.message, sizeof status.message, format, arguments);
    va_end(arguments);
    if (length < 0) {
        status.message[0] = '\0';
    } else if ((size_t)length >= sizeof status.message) {
        memcpy(status.message + sizeof status.message - sizeof "...", "...", sizeof "...");
    }
    return status;
}

const char *cg_code_name(cg_code code)
{
    switch (code) {
    case CG_OK:
        return "ok";
    case CG_BAD_INPUT:
        return "bad_input";
    case CG_BAD_HANDLE:
        return "bad_handle";
    case CG_OUT_OF_MEMORY:
        return "out_of_memory";
    case CG_FULL:
        return "full";
    case CG_MISMATCH:
        return "mismatch";
    }
    return "unknown";
}
