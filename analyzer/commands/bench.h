/*
 * Copies and host memory on a GPU of this machine, timed: what measure.h runs in a child process.
 * One thread.
 */
#ifndef STREAMTRACE_BENCH_H
#define STREAMTRACE_BENCH_H

#include "model/rates.h"

/* Fills in numbers, with zeros where nothing came of it. The first device that the driver shows
 * must be the GPU with the uuid; none: all are zeros. Leaves the driver in use: for a process that
 * ends then. */
void bench_run(const char *uuid, double numbers[RATES_NUMBERS]);

#endif
