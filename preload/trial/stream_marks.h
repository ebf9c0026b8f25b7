/*
 * Marks behind the work of the program's streams, for a block of memory that is to be given out again: once the marks are reached,
 * nothing uses the block any longer.
 *
 * Work is noted by the runtime's calls. Only work that was noted after the block was given out can use it, so other streams need
 * no mark; and a stream whose last work has a mark already shares that.
 *
 * A mark in the legacy default stream is a barrier between all blocking streams. It is made only behind work that the program
 * put there, and before the next work in another stream: so it brings no order that the program does not have. A barrier
 * at any moment is made where nothing else covers the work: page->has_unseen_work, and per-thread default streams of other
 * threads. Non-blocking streams that only the driver's API or a statically linked cudart knows are not seen; libraries join
 * theirs to the stream that they were given.
 *
 * A stream that is destroyed leaves a mark behind its work. Any thread.
 */
#ifndef STREAMTRACE_TRIAL_STREAM_MARKS_H
#define STREAMTRACE_TRIAL_STREAM_MARKS_H

#include "trial/trial.h"

enum {
	MARK_STREAMS_MOST = 64 /* an event takes 1 us: with more streams nothing would be won */
};

/* Marks, by their numbers. Owns a share of each until stream_marks_release(). */
struct mark_set {
	uint16_t marks[MARK_STREAMS_MOST];
	uint32_t count;
};

/* Note streams: after they were made, before they are destroyed. */
void stream_marks_made(CUstream stream);
void stream_marks_ends(CUstream stream);

/* Whether stream_marks_before() must be called before work is put into the stream. Costs one load. */
bool stream_marks_are_due(CUstream stream);
void stream_marks_before(CUstream stream);
/* Notes work that was put into the stream. Asks the driver for the context at most. */
void stream_marks_note(CUstream stream);

/* The moment, in numbers of noted work. */
uint64_t stream_marks_now(void);

/* Marks all work that was noted after the moment. TRIAL_REFUSAL_COUNT: done, and the caller has the set; otherwise why it cannot
 * be done. May wait until a stream has room. */
enum trial_refusal stream_marks_take(uint64_t since, struct mark_set *set);
/* Whether all marks are reached. */
bool stream_marks_are_reached(const struct mark_set *set);
/* Waits for all marks. False: the driver reports an error. */
bool stream_marks_wait(const struct mark_set *set);
void stream_marks_release(struct mark_set *set);

/* Forgets the streams of a context that was destroyed; its marks count as reached. */
void stream_marks_forget(CUcontext context);

#endif
