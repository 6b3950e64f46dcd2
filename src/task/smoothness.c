#include "task/smoothness.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "base/logarithm.h"
#include "base/memory.h"
#include "base/trig.h"

// What SPARC is defined with.
enum { PADDING = 4 };                       // doublings of the number of samples
static const double HIGHEST_FREQUENCY = 10; // [Hz]
static const double LEAST_AMPLITUDE = 0.05; // share of that at 0

// Fourier

void cg_fourier_turns(double *turns, int count)
{
    for (int k = 0; k < count / 2; k++) {
        double sine, cosine;
        cg_sincos(2 * CG_PI * k / count, &sine, &cosine);
        turns[2 * k] = cosine;
        turns[2 * k + 1] = -sine;
    }
}

// Numbers in the order of their places read backwards, bit by bit.
static void reverse_order(double *numbers, int count)
{
    for (int i = 0, other = 0; i < count; i++) {
        if (i < other) {
            for (int part = 0; part < 2; part++) {
                double kept = numbers[2 * i + part];
                numbers[2 * i + part] = numbers[2 * other + part];
                numbers[2 * other + part] = kept;
            }
        }
        int bit = count >> 1;
        for (; bit > 0 && (other & bit) != 0; bit >>= 1) {
            other ^= bit;
        }
        other |= bit;
    }
}

void cg_fourier(double *numbers, int count, const double *turns)
{
    assert(count > 0 && (count & (count - 1)) == 0);
    reverse_order(numbers, count);
    for (int half = 1; half < count; half *= 2) {
        int stride = count / (2 * half);
        for (int start = 0; start < count; start += 2 * half) {
            for (int k = 0; k < half; k++) {
                double *a = &numbers[2 * (start + k)], *b = &numbers[2 * (start + k + half)];
                const double *turn = &turns[2 * k * stride];
                double real = b[0] * turn[0] - b[1] * turn[1], imaginary = b[0] * turn[1] + b[1] * turn[0];
                b[0] = a[0] - real;
                b[1] = a[1] - imaginary;
                a[0] += real;
                a[1] += imaginary;
            }
        }
    }
}

// SPARC

static int padded_count(int count)
{
    int padded = 1;
    while (padded < count) {
        padded *= 2;
    }
    return padded << PADDING;
}

// Amplitudes over that of the largest, which for a speed is the one at 0.
static double arc_length(const double *numbers, int count, double interval)
{
    double step = 1 / (interval * count); // [Hz] from bin to bin
    double most = fabs(numbers[0]);
    int last = 0, highest = (int)(HIGHEST_FREQUENCY / step);
    highest = highest < count / 2 ? highest : count / 2;
    for (int i = 0; i <= highest; i++) {
        double amplitude = sqrt(numbers[2 * i] * numbers[2 * i] + numbers[2 * i + 1] * numbers[2 * i + 1]);
        last = amplitude >= LEAST_AMPLITUDE * most ? i : last;
    }
    double length = 0, before = 1;
    for (int i = 1; i <= last; i++) {
        double amplitude = sqrt(numbers[2 * i] * numbers[2 * i] + numbers[2 * i + 1] * numbers[2 * i + 1]) / most;
        double along = 1.0 / last, up = amplitude - before;
        length += sqrt(along * along + up * up);
        before = amplitude;
    }
    return length;
}

static double largest(const double *speed, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = speed[i] > most ? speed[i] : most;
    }
    return most;
}

bool cg_sparc(const double *speed, int count, double interval, const cg_allocator *allocator, double *sparc)
{
    if (count < 3 || count > (1 << 24) || !(interval > 0) || !(largest(speed, count) > 0)) {
        return false;
    }
    int padded = padded_count(count);
    double *numbers = cg_memory_take(allocator, 3 * (size_t)padded * sizeof *numbers);
    if (numbers == NULL) {
        return false;
    }
    double *turns = numbers + 2 * (size_t)padded;
    for (int i = 0; i < count; i++) {
        numbers[2 * i] = speed[i];
    }
    cg_fourier_turns(turns, padded);
    cg_fourier(numbers, padded, turns);
    *sparc = -arc_length(numbers, padded, interval);
    cg_memory_give(allocator, numbers);
    return true;
}

// Jerk

bool cg_log_jerk(const double *speed, int count, double interval, double *log_jerk)
{
    double peak = largest(speed, count), sum = 0, duration = count * interval;
    if (count < 3 || !(interval > 0) || !(peak > 0)) {
        return false;
    }
    for (int i = 1; i + 1 < count; i++) {
        double jerk = (speed[i + 1] - 2 * speed[i] + speed[i - 1]) / (interval * interval);
        sum += jerk * jerk * interval;
    }
    if (!(sum > 0)) {
        return false;
    }
    *log_jerk = -cg_log(duration * duration * duration / (peak * peak) * sum);
    return true;
}
