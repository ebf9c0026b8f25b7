/*
 * CUPTI: which operations the device ran, and which driver call made each.
 *
 * libcupti is loaded at run time, never linked (cupti/cupti_library.h). CUPTI writes into buffers
 * of ours from the heap, which the writer thread reads. CUPTI is never called with a lock of ours
 * held. Times are CUPTI's, ns of CLOCK_REALTIME.
 *
 * Nothing here fails for the program: without libcupti, or after an error in it, device operations
 * are missing from the trace, and status.h has the reason.
 */
#ifndef STREAMTRACE_CUPTI_SOURCE_H
#define STREAMTRACE_CUPTI_SOURCE_H

#include "store/store.h"

#include <stdbool.h>

/* Subscribes, and enables records for all tables of schema.sql. Call on a program's thread, in
 * cuInit() or before it; further calls do nothing. */
void cupti_source_start(void);

/* For watch mode, whose program runs without CUPTI, but for some steps. cupti_source_leave_out(): call when the
 * tracing starts, on a thread of the program: leaves CUDA's own frames out of stacks, and its calls into itself out
 * of the records. cupti_source_attach() subscribes and enables records like cupti_source_start(); false: CUPTI is
 * not there, or another one has subscribed. cupti_source_detach() stores what CUPTI has, and ends all that
 * cupti_source_attach() began; after that it may be called again. The last two on the writer thread. */
void cupti_source_leave_out(void);
bool cupti_source_attach(void);
struct cupti_flush;
void cupti_source_detach(struct store *store, const struct cupti_flush *flush);

/* Call if there is no file: stops CUPTI, now or as soon as CUPTI has started, because nobody would
 * empty its buffers. Writer thread. */
void cupti_source_stop(void);

/* Call when the program goes on without waiting for us any longer, and may tear CUDA down: the
 * writer makes no further call into CUPTI, but may still be in one. Any thread;
 * async-signal-safe. */
void cupti_source_close(void);

/* True: CUPTI records, or is paused. */
bool cupti_source_is_on(void);

/* is_paused: disables CUPTI's records of operations, and callbacks that matter only inside windows.
 * False: enables them again. Writer thread. */
void cupti_source_pause(bool is_paused);

/* Call in a forked child: if the parent had started CUPTI, the child never calls CUPTI. */
void cupti_source_after_fork(void);

struct cupti_flush {
	bool is_last; /* flush all, also incomplete records */
	/* Called once in a flush, before its first record is stored; not without records. CUDA is
	 * initialized then. */
	void (*has_records)(void);
	/* Called before each buffer. True: count its records as lost, do not store them. */
	bool (*is_late)(void);
	/* Called after each buffer: many take seconds, and the rings fill meanwhile. */
	void (*after_buffer)(void);
};

/* Stores the records that CUPTI has, and the streams of listener.h. All members of *flush must be
 * set. Writer thread. */
void cupti_source_flush(struct store *store, const struct cupti_flush *flush);

/* Stores the metadata keys cupti, cupti_version, managed_memory and launch_arguments, the last two
 * only while CUPTI is on. Writer thread. */
void cupti_source_describe(struct store *store);

#endif
