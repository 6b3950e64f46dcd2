#include "constraint/lu.h"

#include <math.h>
#include <stddef.h>

static double *row_of(const cg_lu *lu, int row)
{
    return lu->matrix + (size_t)row * (size_t)lu->count;
}

static double find_pivot(const cg_lu *lu, int from, int *row, int *column)
{
    double largest = -1;
    for (int i = from; i < lu->count; i++) {
        const double *entries = row_of(lu, i);
        for (int j = from; j < lu->count; j++) {
            if (fabs(entries[j]) > largest) {
                largest = fabs(entries[j]);
                *row = i;
                *column = j;
            }
        }
    }
    return largest;
}

static void swap_rows(cg_lu *lu, int a, int b)
{
    double *first = row_of(lu, a), *second = row_of(lu, b);
    for (int j = 0; j < lu->count; j++) {
        double kept = first[j];
        first[j] = second[j];
        second[j] = kept;
    }
    int name = lu->rows[a];
    lu->rows[a] = lu->rows[b];
    lu->rows[b] = name;
}

static void swap_columns(cg_lu *lu, int a, int b)
{
    for (int i = 0; i < lu->count; i++) {
        double *entries = row_of(lu, i), kept = entries[a];
        entries[a] = entries[b];
        entries[b] = kept;
    }
    int name = lu->columns[a];
    lu->columns[a] = lu->columns[b];
    lu->columns[b] = name;
}

bool cg_lu_factor(cg_lu *lu, double smallest)
{
    double first = 0;
    for (int i = 0; i < lu->count; i++) {
        lu->rows[i] = lu->columns[i] = i;
    }
    for (int k = 0; k < lu->count; k++) {
        int row = k, column = k;
        double pivot = find_pivot(lu, k, &row, &column);
        first = k == 0 ? pivot : first;
        if (!(pivot > smallest * first)) {
            return false;
        }
        if (row != k) {
            swap_rows(lu, k, row);
        }
        if (column != k) {
            swap_columns(lu, k, column);
        }
        const double *top = row_of(lu, k);
        double inverse = 1 / top[k];
        for (int i = k + 1; i < lu->count; i++) {
            double *entries = row_of(lu, i), share = entries[k] * inverse;
            entries[k] = share;
            for (int j = k + 1; share != 0 && j < lu->count; j++) {
                entries[j] -= share * top[j];
            }
        }
    }
    return true;
}

void cg_lu_solve(const cg_lu *lu, double *b)
{
    for (int i = 0; i < lu->count; i++) {
        const double *entries = row_of(lu, i);
        double sum = b[lu->rows[i]];
        for (int j = 0; j < i; j++) {
            sum -= entries[j] * lu->work[j];
        }
        lu->work[i] = sum;
    }
    for (int i = lu->count - 1; i >= 0; i--) {
        const double *entries = row_of(lu, i);
        double sum = lu->work[i];
        for (int j = i + 1; j < lu->count; j++) {
            sum -= entries[j] * lu->work[j];
        }
        lu->work[i] = sum / entries[i];
    }
    for (int i = 0; i < lu->count; i++) {
        b[lu->columns[i]] = lu->work[i];
    }
}
