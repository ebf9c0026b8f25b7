/*
 * Lists of lower limits of a time: a limit is the end of a marked operation plus a distance. Times
 * that differ by a constant share a list. For marked_paths.h; one thread.
 */
#ifndef STREAMTRACE_PATH_LISTS_H
#define STREAMTRACE_PATH_LISTS_H

#include "base/vector.h"
#include "replay/schedule/marked_paths.h"

#define PATH_NO_LIST UINT32_MAX

/* A time: that of the list plus offset_ns. */
struct path_time {
	uint32_t list;
	int64_t offset_ns;
};

struct path_list {
	uint32_t first, count; /* in items */
};

struct path_lists {
	size_t mark_count;
	const int64_t *ends_ns; /* the caller's: when the marked operations end in this replay */
	/* By mark, then by origin (a mark; behind the marks: the beginning): the longest way from
	 * the origin's end to the mark's start, through any other marks; INT64_MIN: none. */
	int64_t *longest_ns;
	VECTOR(struct marked_path) items;
	VECTOR(struct path_list) lists;
};

/* Initializes *lists, which must be zeroed. List 0 is that of the origin of everything: `origin`,
 * or MARKED_BEGIN. Free by path_lists_free(). */
void path_lists_begin(struct path_lists *lists, size_t mark_count, const int64_t *ends_ns,
		      uint32_t origin);
void path_lists_free(struct path_lists *lists);

/* The time when the marked operation ends. */
struct path_time path_lists_end_of(struct path_lists *lists, uint32_t mark);

/* The later of both times. */
struct path_time path_lists_later(struct path_lists *lists, struct path_time a, struct path_time b);

/* The marked operation starts at `time`: stores its paths, at most MARKED_PATHS_MOST, and returns
 * how many. */
size_t path_lists_reach(struct path_lists *lists, uint32_t mark, struct path_time time,
			struct marked_path *paths);

/* Like path_lists_reach(), for the start of something that is not a marked operation. */
size_t path_lists_take(struct path_lists *lists, struct path_time time, struct marked_path *paths);

#endif
