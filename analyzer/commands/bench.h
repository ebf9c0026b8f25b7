/*
 * Times copies, and work with host memory, on a GPU of this machine. measure.h runs it in a child process.
 * One thread.
 */
#ifndef STREAMTRACE_BENCH_H
#define STREAMTRACE_BENCH_H

#include "model/rates.h"

/* Sets numbers[], whose units model/rates.h gives. A number that could not be measured is 0. The first device that
 * the driver shows must be the GPU with the uuid; if that device is another GPU, all numbers are 0. The function
 * leaves device memory and the driver in use: call it only in a process that ends afterwards. */
void bench_run(const char *uuid, double numbers[RATES_NUMBERS]);

#endif
