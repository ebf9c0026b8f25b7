/* Between a replay and the paths through it (marked_paths.h). One thread. */
#ifndef STREAMTRACE_MARKED_TRAIL_H
#define STREAMTRACE_MARKED_TRAIL_H

#include "replay/schedule/marked_paths.h"
#include "replay/schedule/schedule_run.h"

/* A replay that has run. */
struct marked_replay {
	const struct schedule *schedule;
	const struct schedule_changes *changes; /* NULL: none */
	const struct schedule_trail *trail;
	const int64_t *ends_ns;	 /* by task */
	const task_index *tasks; /* of the marked operations */
	int64_t end_ns;
};

/* paths: zeros. */
void marked_paths_find(const struct marked_replay *replay, struct marks marks,
		       struct marked_paths *paths);

#endif
