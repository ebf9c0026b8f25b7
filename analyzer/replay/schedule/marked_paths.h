/*
 * How some marked operations of a replay depend on each other's ends: for each marked operation the
 * marked operations before it, and how long after their ends it starts at the earliest.
 *
 *	start(k) = max over its paths of end(from) + distance_ns
 *
 * A distance is the longest way through the replay's schedule that passes no other marked
 * operation: calls, work of the host, operations, their lags, and waits for room on an engine as in
 * this replay. A path is left out if other paths imply it, however long the marked operations take.
 * A distance may be negative, for work that was running before the end where the path begins. Times
 * are ns.
 */
#ifndef STREAMTRACE_MARKED_PATHS_H
#define STREAMTRACE_MARKED_PATHS_H

#include "replay/edits/edits.h"

struct timeline; /* timeline_private.h */

/* The most paths to one operation. If there are more, those stay that came last in this replay. */
#define MARKED_PATHS_MOST 4

/* Instead of the index of a marked operation: the replay's beginning. */
#define MARKED_BEGIN UINT32_MAX

struct marked_path {
	uint32_t from; /* index among the marked operations, or MARKED_BEGIN */
	int64_t distance_ns;
};

struct marked_paths {
	struct marked_path *paths;
	/* count + 2 indexes in paths: where the paths to each marked operation begin, where those
	 * to the replay's end begin, and the number of all paths. */
	uint32_t *first;
	int64_t *starts_ns, *ends_ns; /* of the marked operations, since the replay's beginning */
	size_t count;
	int64_t end_ns; /* duration of the replay */
};

/* The marked operations. */
struct marks {
	const uint32_t *operations; /* indexes in trace.operations, each once */
	size_t count;
	/* The marked operations are part of a longer sequence. Then the first stands for everything
	 * before its end and gets no path, and work after the last one does not count. */
	bool is_part;
	/* By mark: paths go on through the marked operation, with its duration, and no path begins
	 * at its end. NULL: false for all. */
	const bool *are_passed;
};

/* Fills in *paths for a replay with these edits (timeline_replay()); free it by
 * marked_paths_free(). False: the replay failed, or the trace has several windows; there is then
 * nothing to free. Any thread. */
bool timeline_marked_paths(const struct timeline *timeline, const struct edits *edits,
			   struct marks marks, struct marked_paths *paths);
void marked_paths_free(struct marked_paths *paths);

#endif
