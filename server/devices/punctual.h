// Threads that have to wake in time.
#ifndef CATGUT_SERVER_PUNCTUAL_H
#define CATGUT_SERVER_PUNCTUAL_H

// The calling thread wakes in time where the machine allows it: before all threads that only compute, and without the
// 50 us by which the kernel gathers timers. For threads that sleep most of the time.
void cg_be_punctual(void);

#endif
