// Names in tables: the one rule of all that we write.
#ifndef CATGUT_SUPPORT_CELL_H
#define CATGUT_SUPPORT_CELL_H

#include <stdio.h>

// Writes a name as a cell: in quotes where it has commas, quotes, ends of lines or blanks at its ends. A spreadsheet
// computes a text that begins with = + - or @: such a name gets the ' in front by which spreadsheets mark a text.
void cg_cell_write(const char *name, FILE *out);

#endif
