// Tables as comma-separated values. A table is a list of columns, from which its first line and what its data package
// says of it are made, and rows that have a cell for each of them, empty where nothing is known.
#ifndef CATGUT_EXPORT_TABLE_H
#define CATGUT_EXPORT_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "catgut/math.h"
#include "support/package.h"

// The columns of a table, and what it is.
typedef struct cg_table {
    const char *what; // a sentence
    const cg_column *columns;
    int count;
} cg_table;

// A row in the making; cells are written in the order of the columns.
typedef struct cg_row {
    FILE *out;
    int cells; // written so far
} cg_row;

void cg_table_begin(const cg_table *table, FILE *out);
cg_row cg_row_begin(FILE *out);
// Fills up with empty cells and ends the line.
void cg_row_end(cg_row *row, const cg_table *table);
// A number with as many digits as it takes to read the same value back: 9 for what is a float (recordings hold floats),
// 17 for others. One that is not finite leaves its cell empty.
void cg_row_number(cg_row *row, double value);
// A time [s], to the picosecond: sums of time steps are off by less.
void cg_row_time(cg_row *row, double value);
void cg_row_integer(cg_row *row, uint64_t value);
void cg_row_vector(cg_row *row, cg_vec3 value);
// A name (support/cell.h); NULL leaves its cell empty.
void cg_row_name(cg_row *row, const char *name);
void cg_row_empty(cg_row *row, int cells);

#endif
