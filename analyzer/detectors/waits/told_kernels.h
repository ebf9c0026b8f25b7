/*
 * What a loop's steps tell their kernels: the arguments that are numbers (trace_call.numbers). One
 * thread.
 */
#ifndef STREAMTRACE_TOLD_KERNELS_H
#define STREAMTRACE_TOLD_KERNELS_H

#include "base/memory.h"
#include "base/vector.h"

#include <stdbool.h>
#include <stdint.h>

/* What a step tells its kernels, beside the step before it, which launched the same ones. */
enum told {
	TOLD_SAME, /* the same, but for few kernels; or what a count tells */
	/* A value that was read, as it is or after the host's arithmetic: kernels could read it on
	 * the device. */
	TOLD_VALUE,
	TOLD_ANEW, /* something else, which a value that was read may decide */
};

struct told_kernel {
	const char *name; /* as in struct trace_operation_form */
	uint64_t numbers; /* as in struct trace_call_form */
};
typedef VECTOR(struct told_kernel) told_kernel_vector;

/* The steps between the reads of a line. Starts with zeros. */
struct told_line {
	told_kernel_vector kernels; /* of the last step */
	uint64_t last;		    /* a hash of what the last step told */
	size_t run;		    /* how often the loop began again */
};

/* Of all lines. Starts with zeros; free by told_kernels_free(). */
struct told_kernels {
	struct map kernels; /* names to what their parameters are */
	struct map
		counted; /* what a line's step told to what the step behind it told, and in which run */
};

/* Takes the line's next step, whose kernels it swaps with those of the line's step before. line_id: any
 * number of the line. read_bytes: the size of what the line reads. is_same: the step enqueued the same
 * as the one before. If false, the loop has begun again, and the result is TOLD_ANEW. */
enum told told_kernels_take(struct told_kernels *told, struct told_line *line, size_t line_id,
			    told_kernel_vector *kernels, uint64_t read_bytes, bool is_same);

void told_kernels_free(struct told_kernels *told);

#endif
