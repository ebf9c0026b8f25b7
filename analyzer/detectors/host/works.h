/*
 * The host's work between two calls of a thread while no GPU is busy, before most calls of one line:
 * what other threads could do ahead. What host-bound, host-work, loader-empty and file-read share.
 * Any thread.
 */
#ifndef STREAMTRACE_WORKS_H
#define STREAMTRACE_WORKS_H

#include "detectors/detector.h"
#include "replay/idle_pieces.h"

/* What others could do of the work before a call. */
struct work_part {
	struct host_place place; /* the line of the work */
	uint32_t line;		 /* the same number for each gap of the line */
	/* What stays with the thread: in all, and with the GPU idle. */
	int64_t kept_ns, kept_idle_ns;
	int64_t garbage_ns; /* of the rest, Python collected garbage */
};

/* Which works a detector takes. */
struct works_wanted {
	/* Asked once for each call, at the first piece of idle time before it. *part is zeros. */
	bool (*is_wanted)(const void *context, const struct idle_piece *piece,
			  struct work_part *part);
	/* Looks told the line. False: the work's line is the call's, of whose calls most must have work
	 * before them. */
	bool is_seen;
	bool is_of_others; /* the thread waits for others that do this work (struct host_work) */
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

/* Of works with is_of_others. */
#define WORKS_WAYS_OF_OTHERS                                                                       \
	{                                                                                          \
		{"with twice as many workers", works_by_two},                                      \
		{                                                                                  \
			"with four times as many workers", works_by_four                           \
		}                                                                                  \
	}

#endif
