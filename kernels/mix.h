/*
 * Elementwise arithmetic of a chosen amount: how long it runs is set by `rounds` alone, so that a
 * pipeline can balance it against its copies. Integers only: every GPU computes the same result.
 */
#ifndef STREAMTRACE_KERNELS_MIX_H
#define STREAMTRACE_KERNELS_MIX_H

#include <stddef.h>
#include <stdint.h>

/* out[i] = in[i] mixed `rounds` times, for i < count. Any grid and block will do (it strides); out
 * and in may be the same array. Two device arrays of `count` elements. */
__global__ void mix_elements(uint32_t *out, const uint32_t *in, size_t count, int rounds);

/* Adds to *total how many i < count are at most `limit` once mixed `rounds` times. Any grid and
 * block; *total is on the device, and 0 before. */
__global__ void mix_count(uint32_t *total, uint32_t count, int rounds, uint32_t limit);

#endif
