/*
 * NVTX: records the ranges that the program names.
 *
 * NVTX is headers only: each module of the program has a copy. At the module's first NVTX call, the
 * copy loads the library named by the variable NVTX_INJECTION64_PATH and calls its
 * InitializeInjectionNvtx2(), which puts our functions into the copy's table. If the program starts
 * with the variable set to another library, that library stays.
 *
 *	nvtx.c         the functions that the program calls
 *	range_text.h   messages, registered strings and domains
 *	open_ranges.h  the ranges that are open on a thread
 *	step_windows.h windows that ranges open
 *
 * Runs on the program's threads: no lock, no system call, no allocation once a thread has pushed
 * its first range; errno is left alone. A range's begin and end are a record each (struct
 * range_record) in the ring of their thread; the writer joins them to a row (store/nvtx_ranges.c).
 * Before the first CUDA call there is no ring, and between windows nothing is recorded: pushed
 * ranges then wait on their thread until it is known whether they belong to a window. Ranges
 * started by nvtxRangeStart() in such times are not recorded.
 */
#ifndef STREAMTRACE_NVTX_H
#define STREAMTRACE_NVTX_H

#include <stddef.h>

/* Makes NVTX load libstrace.so from `path`, unless NVTX_INJECTION64_PATH is set. Call in the
 * constructor. */
void nvtx_ask_for_injection(const char *path);

/* Call when the program ends: records the waiting ranges of the calling thread, if
 * recorder_takes_ranges() (recorder/recorder.h). */
void nvtx_end(void);

/* Call in a forked child: drops the parent's open ranges. */
void nvtx_after_fork(void);

/* The value of metadata key `nvtx`, static; NULL: the program has not used NVTX. */
const char *nvtx_status(void);

#endif
