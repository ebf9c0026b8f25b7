/*
 * Workers: threads or processes that do the host's work before a line's calls ahead of the thread
 * that makes the calls. Which worker does which work, and how many workers pay. Any thread.
 */
#ifndef STREAMTRACE_WORKERS_H
#define STREAMTRACE_WORKERS_H

#include "detectors/doubt.h"
#include "detectors/instance.h"
#include "replay/observed.h"

/* The detail of an instance (instance.h): the host's own work before the instance's call. */
struct host_work {
	const struct trace_call *since;	 /* the thread's call before the work */
	const struct trace_call *before; /* the line's call before, in the same thread */
	int64_t idle_ns;		 /* no GPU was busy during what others could do of it */
	int64_t kept_ns;		 /* the thread does this much of it in any case */
	int64_t garbage_ns;		 /* of the rest, Python collected garbage */
	/* Works of one line and thread with the same number form a run: no result came back between
	 * the first and the last that any of them can have needed. */
	uint32_t run;
	/* How many workers the line's low end, its estimate and its high end assume; at least 1. If
	 * is_of_others: how many times as many as there are now. */
	uint32_t fewest, usual, most;
	uint32_t line;	   /* the same number for works of one line */
	bool is_of_others; /* the thread waits: workers that there are do this work */
};

/* Adds the edits for work that is done ahead by `usual` workers, or by `most` with DOUBT_DROP, or by
 * `fewest` with DOUBT_KEEP, but never by more than at_most. Of n workers each begins its next work when
 * the thread has taken the work n places before in the run, because only then is a buffer free. The
 * first works of a run begin when the call before the run has returned. A wait for workers ends as if
 * it had begun with the wait n - 1 places before: n times as many workers deliver n times as often.
 * instances: sorted by start, with a struct host_work each. observed->timeline must not be NULL. */
void workers_edit(const struct observed *observed, const struct instance *instances, size_t count,
		  enum doubt doubt, size_t at_most, struct edits *edits);

/* Sets fewest, usual and most of all instances of each line, by replays. most: what saves most, of 1,
 * 2, 4 and so on up to one for each work, and up to what the machine has room for (host_room.h). usual:
 * the fewest that save WORKERS_SHARE of that. fewest: half of those, if the machine has room for twice
 * as many, else for as many as that: of two processors one may be the other half of a core. They stay
 * 1 if the run cannot be replayed, and for lines behind which the GPU is idle for less than FOLD_SHARE
 * of the run. is_seen: looks found what the thread did. If not, they also stay 1 where one worker saves
 * less than FOLD_SHARE, because the thread already works ahead of the GPU, unless the GPU is idle for
 * WORKERS_IDLE_SHARE of the run all the same. The instances must have 1 in all three. */
void workers_choose(const struct observed *observed, bool is_seen, struct instances *found);

#endif
