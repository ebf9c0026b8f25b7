/*
 * Whose work a host thread's time was: chains of waiting threads, followed to their end.
 *
 *	host_chains_each(chains, thread_id, span, piece, context); // like host_record_each()
 *
 * The program's thread is the one that runs the program's own code and makes the CUDA calls, the most
 * of several; if none does both, the one with the most looks at own code. A framework's thread serves
 * it: it enqueues work, has no own code on any stack, and where looks found it waiting it mostly waited
 * for a thread, or outside of the program while the program's thread waited for a thread.
 *
 * Inference:
 * - A framework's thread that waits for a thread, or that nobody looked at, waits for work from the
 *   program's thread. That one's time explains the wait.
 * - A framework's thread at work while the program's thread waits for a thread works for the line
 *   that waits. So do other threads without own code, but not where the line's frames say that it
 *   waits for a worker (host_frames.def), or compiles.
 * - A line that waits for a thread with own code is the end of the chain. So is one that waits for
 *   nobody known: HOST_AWAITING, if there are threads that serve the line's, which it may wait for.
 *
 * Everything is const after host_chains_create(); any thread may read it. Times are the trace's ns.
 */
#ifndef STREAMTRACE_HOST_CHAIN_H
#define STREAMTRACE_HOST_CHAIN_H

#include "model/host_record.h"

struct host_chains;

/* NULL if record is NULL. The record must outlive the result. Free by host_chains_free(), which takes
 * NULL, too. */
struct host_chains *host_chains_create(const struct host_record *record);
void host_chains_free(struct host_chains *chains);

/* The program's thread if this thread serves it, otherwise this one; chains NULL: this one. */
uint32_t host_chains_head(const struct host_chains *chains, uint32_t thread_id);

/* Whether the thread is the program's thread, or serves it. */
bool host_chains_has(const struct host_chains *chains, uint32_t thread_id);

/* Like host_record_each(), with the ends of the thread's chains in place of its pieces: of HOST_SEEN
 * `state` is what was done, by any thread, and `at` the look that tells the line for which. */
void host_chains_each(const struct host_chains *chains, uint32_t thread_id, struct span span,
		      host_piece_function piece, void *context);

#endif
