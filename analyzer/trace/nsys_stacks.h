/*
 * The call stacks of an export of Nsight Systems: of CUDA calls, of samples, of calls of the C
 * library, and of Python samples. Each has an id of its own there; equal stacks have one number here.
 * One thread.
 *
 *	struct nsys_stacks stacks = {.database = database};
 *
 *	nsys_stacks_read(&stacks);
 *	stack = nsys_stacks_find(&stacks, NSYS_SAMPLE, id);
 *	nsys_stacks_free(&stacks);
 */
#ifndef STREAMTRACE_TRACE_NSYS_STACKS_H
#define STREAMTRACE_TRACE_NSYS_STACKS_H

#include "base/memory.h"
#include "trace/database.h"

/* Whose ids: rows of CUDA_CALLCHAINS, COMPOSITE_EVENTS, OSRT_CALLCHAINS, NVTX_EVENTS. */
enum nsys_stack_source {
	NSYS_CUDA_CALL,
	NSYS_SAMPLE,
	NSYS_OS_CALL,
	NSYS_PYTHON_SAMPLE,
	NSYS_STACK_SOURCES
};

#define NSYS_NO_STACK 0 /* others count from 1 */

struct nsys_stacks {
	struct database *database;
	struct map by_id[NSYS_STACK_SOURCES]; /* stack */
	struct map running;		      /* Python samples of threads that ran, by id */
	struct map by_hash;		      /* stack; NSYS_NO_STACK: it cannot be read */
	struct map callers; /* by stack with frames in CUDA's libraries: the stack below these */
	size_t count;
};

/* Reads all stacks of the chosen process, and fills the temporary tables host_frames and
 * host_python_frames (theirs_as_ours.sql). Memory is linear in the stacks' number. A failure is kept
 * in the database's error. */
void nsys_stacks_read(struct nsys_stacks *stacks);
void nsys_stacks_free(struct nsys_stacks *stacks);

/* NSYS_NO_STACK: there is none, or none that could be read. */
static inline size_t nsys_stacks_find(const struct nsys_stacks *stacks,
				      enum nsys_stack_source source, int64_t id)
{
	const size_t stack = map_find(&stacks->by_id[source], (uint64_t)id);

	return stack == MAP_NONE ? NSYS_NO_STACK : stack;
}

/* The stack of the code that called CUDA. NSYS_NO_STACK: the stack has no frame in CUDA's libraries, or
 * none below. */
static inline size_t nsys_stacks_caller(const struct nsys_stacks *stacks, size_t stack)
{
	const size_t caller = map_find(&stacks->callers, stack);

	return caller == MAP_NONE ? NSYS_NO_STACK : caller;
}

#endif
