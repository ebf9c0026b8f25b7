/*
 * libstrace_try.so: makes the fixes of a trial in a running program (facts/trial_page.h).
 *
 * `streamtrace try` preloads this library alone, without libstrace.so. Its wrappers (trial_calls.c) have the names of
 * cudart's functions, by the list of api/calls.def. A fix of a call is made where the call returns to a site of the
 * page, by a module of its own:
 *
 *	pinned_ring.h   a pageable copy to the device goes through pinned memory, and the call does not wait
 *	held_free.h     cudaFree() keeps the block for a later cudaMalloc(), behind marks (stream_marks.h)
 *	pinned_place.h  a copy uses memory that is registered where it is, and the host waits at its first touch (guards.h)
 *	dropped_wait.h  a synchronize returns at once, and streams and queries wait instead
 *	prefetch.h      managed memory goes to the device before a launch, and its kernel does not fault for it
 *	run_fixes.h     what is set once for each device
 *	turns.h         fixes switched off and on in a run, whose turns are measured
 *	results.h       hashes of what was copied to the host, to compare runs
 *	planned.h       which site a call belongs to
 *
 * What a fix cannot do, the real call does, and the site says why (facts/trial_refusals.def). Own work asks the
 * driver, so the program's last error stays. A lock is held for short work, and never over a call that may wait for
 * the device, but for the ends of turns. A signal handler or another library that calls CUDA inside own work gets the real call at once.
 * Nothing is printed; a forked child begins anew.
 */
#ifndef STREAMTRACE_TRIAL_H
#define STREAMTRACE_TRIAL_H

#include "api/functions.h"
#include "api/resolve.h"
#include "facts/trial_page.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stddef.h>

/* A call of the program. A field is 0 where the call has no such argument. */
struct trial_call {
	uintptr_t caller; /* the return address */
	enum cudart cudart;
	enum function function;
	CUstream
		stream; /* never 0: the default streams are CU_STREAM_LEGACY and CU_STREAM_PER_THREAD */
	void *dst;	/* of a copy; of a release, what is released */
	const void *src;
	size_t bytes;
	enum cudaMemcpyKind kind;
	bool is_flat; /* a copy of consecutive bytes */
	bool waits;   /* that returns only after a copy to the host is done */
	void **made;  /* where the call stores the stream or the memory that it makes */
	const void *
		kernel; /* of a launch: a handle for __cudaLaunchKernel(), else the host's function */
	void **arguments; /* of a launch: their addresses */
	cudaError_t result;
	/* Between the two halves of a wrapper. */
	int result_number; /* of results_number() */
	CUcontext context; /* that cudaDeviceReset() destroys */
	struct trial_site *
		place_site; /* of pinned_place_enter(): the call is of the site, and its memory registered */
	bool is_in_place; /* likewise, of any site */
	uint64_t
		place_changes; /* 1 plus the changes of places by other threads so far; 0: not counted yet */
	bool was_calling; /* trial_is_calling before the call */
};

/* NULL: no trial. Set in the constructor. */
extern struct trial_page *trial_page;

/* Of this process; trial_applies() asks. */
extern _Atomic bool trial_is_applying;

/* Whether fixes are made now: false in the control, too. */
static inline bool trial_applies(void)
{
	return trial_page && atomic_load_explicit(&trial_is_applying, memory_order_relaxed);
}

/* Whether fixes are made at some time of the run: what they need to know is noted all the time. */
static inline bool trial_may_apply(void)
{
	return trial_page && (trial_page->applies || trial_page->turn_calls);
}

/* Begins and ends own work on this thread. False: it has begun already, or there is no trial; then do nothing. */
bool trial_begin(void);
void trial_end(void);

/* Whether this thread has called CUDA. */
extern __thread bool trial_has_called __attribute__((tls_model("initial-exec")));
/* Whether this thread is in a real call: a signal handler must not ask the driver then. */
extern __thread bool trial_is_calling __attribute__((tls_model("initial-exec")));

/* Note that a CUDA call begins or has returned. Call between trial_begin() and trial_end(). */
void trial_note_entry(void);
void trial_note_return(void);

/* Notes that work is being enqueued, or has been: the first time ends the start-up. */
void trial_note_work(void);
bool trial_has_begun(void);

/* Whether this process was the first of the run to call CUDA. */
bool trial_is_first_process(void);

/* CLOCK_MONOTONIC in ns. */
int64_t trial_now_ns(void);

/* Raises *most to the value, if that is more. */
void trial_raise(_Atomic uint64_t *most, uint64_t value);

/* The real function of this name. NULL: there is none. */
#define TRIAL_REAL(cudart, name) ((__typeof__(&(name)))trial_real(cudart, SYMBOL_##name))
void *trial_real(enum cudart cudart, enum symbol symbol);

/* Whether a real call has returned, in which the runtime loads the driver. Before that the driver must not be asked: it
 * can be found while another thread is still loading it, and its functions cannot be called then. */
bool trial_has_driver(void);
void trial_note_driver(void);

/* Waits for the current context's device, at most 2 s: a program may have work there that needs what the host does next. False: it
 * still works, or cannot be asked. */
bool trial_wait_for_device(void);

/* The current context; NULL: none, or no driver. */
CUcontext trial_context(void);

/* Registers what a forked child does before it goes on. Call in a constructor, at most TRIAL_FORK_HANDLERS times. */
enum { TRIAL_FORK_HANDLERS = 10 };
void trial_after_fork(void (*reset)(void));

#endif
