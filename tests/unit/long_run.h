/*
 * A long run in memory, made call by call: what a sample is taken of. Times are ns.
 *
 * Calls must be added in the order of their starts, operations in the order of theirs. A line of the
 * program is a site; all of a line's calls have one form.
 */
#ifndef STREAMTRACE_LONG_RUN_H
#define STREAMTRACE_LONG_RUN_H

#include "trace/trace.h"

enum long_run_function { LONG_RUN_LAUNCH, LONG_RUN_SYNC, LONG_RUN_FUNCTIONS };

#define LONG_RUN_LINES	 8192
#define LONG_RUN_STREAMS 3 /* all non-blocking */
#define LONG_RUN_NAMES	 128

struct long_run {
	struct trace trace;
	struct trace_function functions[LONG_RUN_FUNCTIONS];
	struct trace_stream streams[LONG_RUN_STREAMS];
	struct trace_site sites[LONG_RUN_LINES];
	struct trace_call_form call_forms[LONG_RUN_FUNCTIONS][LONG_RUN_LINES];
	struct trace_operation_form operation_forms[LONG_RUN_STREAMS][LONG_RUN_NAMES];
	char names[LONG_RUN_NAMES][8];
};

/* Freed with long_run_free(). There is room for so many calls and as many operations. */
struct long_run *long_run_make(size_t calls);
void long_run_free(struct long_run *run);

/* Its index. */
uint32_t long_run_call(struct long_run *run, enum long_run_function function, uint32_t line,
		       int64_t start_ns, int64_t end_ns);

/* A kernel of the call; name: below LONG_RUN_NAMES. */
void long_run_kernel(struct long_run *run, uint32_t call, uint32_t stream, uint32_t name,
		     int64_t start_ns, int64_t end_ns);

/* An iteration of 1000 ns for the launch, kernel_ns, 1000 ns until the wait returns and then work_ns of
 * the host's own. The device has nothing to do where the next one begins, which is returned. */
int64_t long_run_iteration(struct long_run *run, uint32_t line, uint32_t name, int64_t start_ns,
			   int64_t kernel_ns, int64_t work_ns);

#endif
