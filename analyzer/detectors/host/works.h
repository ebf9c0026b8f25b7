/*
 * The host's work between two calls of a thread while no GPU is busy, before most calls of one line:
 * what other threads could do ahead. What host-bound, host-work, loader-empty and file-read share.
 * Any thread.
 */
#ifndef STREAMTRACE_WORKS_H
#define STREAMTRACE_WORKS_H

#include "detectors/detector.h"
#include "replay/idle_pieces.h"

/* Which works a detector takes. */
struct works_wanted {
	/* Asked once for each call, at the first piece of idle time before it. */
	bool (*is_wanted)(const void *context, const struct idle_piece *piece);
	/* The line of the work before the call. */
	struct host_place (*place)(const void *context, const struct trace_call *call);
	/* A number of that line; NULL: the line of the call, of whose calls most must have work
	 * before them. */
	uint32_t (*line)(const void *context, const struct trace_call *call);
	const void *context;
};

/* Adds an instance for each work, with struct host_work (workers.h). Works of SEQUENCE_WORK_NS and
 * more count, before most calls of a line, and at least REPEAT_LEAST_TIMES of them. No result came
 * back from the GPU since the work before; if one did, the work is counted as doubtful. */
void works_find(const struct observed *observed, const struct works_wanted *wanted,
		struct instances *found);

/* For struct detector: apply, three ways, and assume. */
void works_edit_all(const struct observed *observed, const struct instance *instances, size_t count,
		    enum doubt doubt, struct edits *edits);
bool works_by_one(const struct observed *observed, const struct instance *instances, size_t count,
		  struct edits *edits);
bool works_by_two(const struct observed *observed, const struct instance *instances, size_t count,
		  struct edits *edits);
bool works_by_four(const struct observed *observed, const struct instance *instances, size_t count,
		   struct edits *edits);
void works_assume(const struct instance *instances, size_t count, char *text, size_t size);

#define WORKS_WAYS                                                                                 \
	{                                                                                          \
		{"with 1 worker", works_by_one}, {"with 2 workers", works_by_two},                 \
		{                                                                                  \
			"with 4 workers", works_by_four                                            \
		}                                                                                  \
	}

#endif
