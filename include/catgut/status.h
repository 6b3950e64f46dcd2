// How a call went. Bad input never asserts: it comes back as a status with a sentence a person can act on.
#ifndef CATGUT_STATUS_H
#define CATGUT_STATUS_H

#include "catgut/api.h"

CG_API_BEGIN

// What kind of trouble a status reports.
typedef enum cg_code {
    CG_OK = 0,        // done
    CG_BAD_INPUT,     // a value is missing, not finite or out of range
    CG_BAD_HANDLE,    // the handle names nothing that lives in this world
    CG_OUT_OF_MEMORY, // the allocator returned nothing
    CG_FULL,          // a pool of fixed size has no place left
    CG_MISMATCH       // a snapshot belongs to another world or another version
} cg_code;

// The result of a call. The message is empty when the code is CG_OK.
typedef struct cg_status {
    cg_code code;      // CG_OK when all went well
    char message[184]; // a sentence for people
} cg_status;

// One word for a code, for logs.
const char *cg_code_name(cg_code code);

CG_API_END

#endif
