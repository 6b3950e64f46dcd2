// Making a cg_status. Bad input is answered with a code and one sentence that says what is wrong and where.
#ifndef CATGUT_BASE_STATUS_H
#define CATGUT_BASE_STATUS_H

#include "catgut/status.h"

// Success, with an empty message.
cg_status cg_ok(void);

// Failure. The message is formatted as by printf; one that is too long is cut and ends in "...".
cg_status cg_error(cg_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
