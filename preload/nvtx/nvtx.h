/*
 * NVTX: the ranges that the program names.
 *
 * NVTX is headers: each module of the program has a copy of it, which loads the library that the variable
 * NVTX_INJECTION64_PATH names and calls its InitializeInjectionNvtx2() once, at the module's first
 * NVTX call. That puts our functions into the copy's table. A program whose variable is set when it
 * starts keeps its own library.
 *
 *	nvtx.c         the functions that the program calls
 *	range_text.h   their messages, registered strings and domains
 *	open_ranges.h  what is open on a thread
 *
 * Runs on the program's threads: no lock, no system call, no allocation once a thread has pushed its
 * first range; errno is left as it was. A range's begin and its end are a record each in the ring of their
 * thread (struct range_record); the writer makes one row of both (store/nvtx_ranges.c). Before the
 * first call into CUDA there is no ring, as a process that never calls CUDA has none: pushed ranges
 * wait on their thread, as they do between windows, until it is known whether they belong to one; ranges that
 * nvtxRangeStart() began before are not recorded.
 */
#ifndef STREAMTRACE_NVTX_H
#define STREAMTRACE_NVTX_H

#include <stddef.h>

/* Constructor: has NVTX load us from `path`, unless the variable is set. */
void nvtx_ask_for_injection(const char *path);

/* The program ends, on this thread: what waits on it goes into its ring. */
void nvtx_end(void);

/* In a forked child: the parent's ranges are not the child's. */
void nvtx_after_fork(void);

/* The metadata's `nvtx`, or NULL: the program has not used it. Static. */
const char *nvtx_status(void);

#endif
