/*
 * CUPTI: which operations the device ran, and which driver call each belongs to.
 *
 * libcupti is loaded at run time, never linked: cupti/library.c says which. CUPTI writes into
 * buffers of ours, from the heap, which the writer thread reads. No call into CUPTI is made while
 * a lock of ours is held. Times are CUPTI's, ns of CLOCK_REALTIME.
 *
 * Nothing here fails for the program: without libcupti, or after an error in it, device operations
 * are missing from the trace, and status.h says why.
 */
#ifndef STREAMTRACE_CUPTI_SOURCE_H
#define STREAMTRACE_CUPTI_SOURCE_H

#include "store/store.h"

#include <stdbool.h>

/* Subscribes and enables what schema.sql has tables for. On a program's thread, inside cuInit or
 * before it; only the first call does anything. */
void cupti_source_start(void);

/* Without a file: stops what was or will be started, because nobody would empty CUPTI's buffers.
 * Writer thread. */
void cupti_source_stop(void);

/* The program goes on without waiting for us any longer, and may tear CUDA down: the writer makes no more
 * call into CUPTI, but for one that it is in. Any thread, async-signal-safe. */
void cupti_source_close(void);

/* Whether CUPTI records, or is paused. */
bool cupti_source_is_on(void);

/* Between windows: switches off CUPTI's records of operations, and its callbacks for calls that
 * matter only where they are recorded; or on again. Writer thread. */
void cupti_source_pause(bool is_paused);

/* In a forked child: where CUPTI was started in the parent it must not be touched again. */
void cupti_source_after_fork(void);

struct cupti_flush {
	bool is_last; /* everything, complete or not */
	/* Called once when there is something, before it is stored: CUDA is initialized by then. */
	void (*has_records)(void);
	/* Called now and then: true when the rest is to be counted, not stored. */
	bool (*is_late)(void);
	/* Called after each buffer: many of them take seconds, and the rings fill meanwhile. */
	void (*after_buffer)(void);
};

/* Moves what CUPTI has into the file. Writer thread. */
void cupti_source_flush(struct store *store, const struct cupti_flush *flush);

/* The metadata keys cupti, cupti_version and managed_memory. Writer thread. */
void cupti_source_describe(struct store *store);

#endif
