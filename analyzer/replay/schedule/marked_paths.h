/*
 * How operations of a replay depend on each other's ends: for each marked one the marked ones before it, and
 * how long after their ends it starts at the earliest.
 *
 *	start(k) = max over its paths of end(from) + distance_ns
 *
 * A distance is the longest way through the replay's schedule that passes no other marked operation: calls,
 * work of the host, operations, their lags, and the waits for room on an engine as they were in this replay.
 * A path that another one implies, whatever the marked operations take, is left out. Distances may be
 * negative: of what was under way before the operation that the path comes from.
 */
#ifndef STREAMTRACE_MARKED_PATHS_H
#define STREAMTRACE_MARKED_PATHS_H

#include "replay/edits/edits.h"

struct timeline; /* timeline_private.h */

/* The most of one operation: of more those stay that came last in this replay. */
#define MARKED_PATHS_MOST 4

/* Instead of an index of a marked operation: the replay's beginning. */
#define MARKED_BEGIN UINT32_MAX

struct marked_path {
	uint32_t from; /* index in the marked operations, or MARKED_BEGIN */
	int64_t distance_ns;
};

struct marked_paths {
	struct marked_path *paths;
	uint32_t *
		first; /* count + 2: the paths to each marked operation, then those to the replay's end */
	int64_t *starts_ns, *ends_ns; /* of the marked operations, since the replay's beginning */
	size_t count;
	int64_t end_ns; /* of the replay */
};

/* Which operations, and from where on. */
struct marks {
	const uint32_t *operations; /* indexes in trace.operations, each once */
	size_t count;
	/* The marked operations are a part of a longer row: the first stands for all that was before its
	 * end, which has no path to it, and what comes behind the last does not count. */
	bool is_part;
	/* By mark: paths go on through it, with what it took; none begins at its end. NULL: none is like that. */
	const bool *are_passed;
};

/* In a replay with these edits (timeline_replay()); freed with marked_paths_free(). False: it could not be
 * run, or the trace has several windows. */
bool timeline_marked_paths(const struct timeline *timeline, const struct edits *edits,
			   struct marks marks, struct marked_paths *paths);
void marked_paths_free(struct marked_paths *paths);

#endif
