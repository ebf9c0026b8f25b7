/*
 * What is known of a time: no earlier than so long after the end of each of a few marked operations.
 * Lists are shared by all times that differ by a constant. For marked_paths.h; one thread.
 */
#ifndef STREAMTRACE_PATH_LISTS_H
#define STREAMTRACE_PATH_LISTS_H

#include "base/vector.h"
#include "replay/schedule/marked_paths.h"

#define PATH_NO_LIST UINT32_MAX

/* The time: that of the list, and so long after it. */
struct path_time {
	uint32_t list;
	int64_t offset_ns;
};

struct path_list {
	uint32_t first, count; /* in items */
};

struct path_lists {
	size_t mark_count;
	const int64_t *ends_ns; /* of the marked operations in this replay */
	/* By mark, then by where from (the beginning is behind the marks): the longest way from that one's end
	 * to the mark's start, over any others; INT64_MIN: none. */
	int64_t *longest_ns;
	VECTOR(struct marked_path) items;
	VECTOR(struct path_list) lists;
};

/* Zeroed before. list 0 is of the one that everything comes from: `origin`, or MARKED_BEGIN. */
void path_lists_begin(struct path_lists *lists, size_t mark_count, const int64_t *ends_ns,
		      uint32_t origin);
void path_lists_free(struct path_lists *lists);

/* When the marked operation ended. */
struct path_time path_lists_end_of(struct path_lists *lists, uint32_t mark);

/* The later of both. */
struct path_time path_lists_later(struct path_lists *lists, struct path_time a, struct path_time b);

/* The marked operation starts then: its paths, at most MARKED_PATHS_MOST, go to the array; how many. */
size_t path_lists_reach(struct path_lists *lists, uint32_t mark, struct path_time time,
			struct marked_path *paths);

/* The same for what is no marked operation. */
size_t path_lists_take(struct path_lists *lists, struct path_time time, struct marked_path *paths);

#endif
