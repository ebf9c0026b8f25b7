/* Finds the paths (marked_paths.h) through a replay that has run. One thread. */
#ifndef STREAMTRACE_MARKED_TRAIL_H
#define STREAMTRACE_MARKED_TRAIL_H

#include "replay/schedule/marked_paths.h"
#include "replay/schedule/schedule_run.h"

/* A replay that has run. Everything belongs to the caller. */
struct marked_replay {
	const struct schedule *schedule;
	const struct schedule_changes *changes; /* NULL: none */
	const struct schedule_trail *trail;
	const int64_t *ends_ns;	 /* by task */
	const task_index *tasks; /* by mark, as marks.operations: the operation's task */
	int64_t end_ns;		 /* when the replay ends */
};

/* Fills in *paths, which must be zeroed; free it by marked_paths_free(). */
void marked_paths_find(const struct marked_replay *replay, struct marks marks,
		       struct marked_paths *paths);

#endif
