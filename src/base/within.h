// A number kept within bounds.
#ifndef CATGUT_BASE_WITHIN_H
#define CATGUT_BASE_WITHIN_H

static inline double within(double value, double low, double high)
{
    return value < low ? low : (value > high ? high : value);
}

#endif
