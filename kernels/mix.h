/*
 * GPU kernels that do a chosen amount of integer arithmetic on each element. `rounds` alone sets
 * how long they run, so that a pipeline can balance them against its copies. Every GPU computes the
 * same results.
 */
#ifndef STREAMTRACE_KERNELS_MIX_H
#define STREAMTRACE_KERNELS_MIX_H

#include <stddef.h>
#include <stdint.h>

/* Stores in[i], mixed `rounds` times, in out[i] for each i < count. Both are device arrays of
 * `count` elements; out may be in. Any grid and block work (the kernel strides). */
__global__ void mix_elements(uint32_t *out, const uint32_t *in, size_t count, int rounds);

/* Adds to *total the number of i < count whose value, mixed `rounds` times, is at most `limit`.
 * *total is on the device; set it to 0 before. Any grid and block work. */
__global__ void mix_count(uint32_t *total, uint32_t count, int rounds, uint32_t limit);

#endif
