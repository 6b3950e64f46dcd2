// The manual page catgut(1), made from the table of commands: it says what the help pages say.
#ifndef CATGUT_SUPPORT_MANUAL_H
#define CATGUT_SUPPORT_MANUAL_H

#include <stdio.h>

#include "app.h"

// Writes the page in the language of man(7).
void cg_manual_write(const cg_command *const *commands, int count, FILE *out);

#endif
