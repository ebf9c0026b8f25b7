/*
 * Which parameters a kernel has, asked of the driver. On any thread; the driver may lock.
 */
#ifndef STREAMTRACE_KERNEL_LAYOUT_H
#define STREAMTRACE_KERNEL_LAYOUT_H

#include <cuda.h>

#include <stdint.h>

struct atom;

/* A parameter of a layout, in one word: its index, how many of its bytes come before the first word
 * that is aligned on the device, its size, and where it lies in a buffer of them all. */
#define PARAMETER_WORD(index, first, size, offset)                                                 \
	((uint64_t)(index) << 48 | (uint64_t)(first) << 32 | (uint64_t)(size) << 16 |              \
	 (uint64_t)(offset))
#define PARAMETER_INDEX(word)  ((size_t)((word) >> 48))
#define PARAMETER_FIRST(word)  ((size_t)((word) >> 32 & 0xffff))
#define PARAMETER_SIZE(word)   ((size_t)((word) >> 16 & 0xffff))
#define PARAMETER_OFFSET(word) ((size_t)((word)&0xffff))

/* An atom of kind ATOM_LAYOUT, a word each parameter. NULL: it has none, or more than 4 KB of them,
 * the driver does not say, or there is no room (counted). errno is left as it was. */
struct atom *kernel_layout_ask(CUfunction function);

/* "on", or why the driver does not say; NULL: it was not asked yet. */
const char *kernel_layout_status(void);

#endif
