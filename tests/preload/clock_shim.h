/* See clock_shim.c. The program looks the function up with dlsym(): it may run without the shim. */
#ifndef CLOCK_SHIM_H
#define CLOCK_SHIM_H

#include <stdint.h>

void clock_shim_set(int64_t ahead_ns);

/* CLOCK_MONOTONIC, for the tracer's writer alone. */
void clock_shim_set_writer(int64_t ahead_ns);

#endif
