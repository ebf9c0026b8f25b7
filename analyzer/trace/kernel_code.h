/* What the kernels of a trace use, from the PTX in the files of the program. One thread. */
#ifndef STREAMTRACE_TRACE_KERNEL_CODE_H
#define STREAMTRACE_TRACE_KERNEL_CODE_H

#include "base/memory.h"
#include "ptx/kernel_search.h"

struct trace;

struct trace_kernels {
	const char **names; /* the trace's texts */
	struct kernel_answer *answers;
	size_t count;
	struct map by_name; /* from the address of a name to its index */
};

/* Frees trace->kernels. */
void kernel_code_free(struct trace *trace);

#endif
