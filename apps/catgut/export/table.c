#include "export/table.h"

#include <math.h>
#include <string.h>

#include "support/cell.h"

void cg_table_begin(const cg_table *table, FILE *out)
{
    for (int i = 0; i < table->count; i++) {
        fprintf(out, i > 0 ? ",%s" : "%s", table->columns[i].name);
    }
    fputc('\n', out);
}

cg_row cg_row_begin(FILE *out)
{
    return (cg_row){.out = out};
}

static void next_cell(cg_row *row)
{
    if (row->cells++ > 0) {
        fputc(',', row->out);
    }
}

void cg_row_end(cg_row *row, const cg_table *table)
{
    cg_row_empty(row, table->count - row->cells);
    fputc('\n', row->out);
}

void cg_row_number(cg_row *row, double value)
{
    double shown = value == 0 ? 0 : value; // no "-0"
    next_cell(row);
    if (isfinite(value)) {
        fprintf(row->out, (double)(float)shown == shown ? "%.9g" : "%.17g", shown);
    }
}

void cg_row_time(cg_row *row, double value)
{
    next_cell(row);
    fprintf(row->out, "%.12g", value);
}

void cg_row_integer(cg_row *row, uint64_t value)
{
    next_cell(row);
    fprintf(row->out, "%llu", (unsigned long long)value);
}

void cg_row_vector(cg_row *row, cg_vec3 value)
{
    cg_row_number(row, value.x);
    cg_row_number(row, value.y);
    cg_row_number(row, value.z);
}

void cg_row_name(cg_row *row, const char *name)
{
    next_cell(row);
    if (name) {
        cg_cell_write(name, row->out);
    }
}

void cg_row_empty(cg_row *row, int cells)
{
    for (int i = 0; i < cells; i++) {
        next_cell(row);
    }
}
