/* What each driver call means for watched memory. */
#ifndef STREAMTRACE_FIRST_USE_ROLES_H
#define STREAMTRACE_FIRST_USE_ROLES_H

#include <stdbool.h>

#include "api/functions.h"

enum role {
	ROLE_NONE,
	ROLE_COPY,
	ROLE_OTHER_COPY, /* copies of unknown ranges: 2D, 3D, batches, and graph launches */
	ROLE_LAUNCH,
	ROLE_WRITE, /* a memset */
	ROLE_STREAM_WAIT,
	ROLE_EVENT_WAIT,
	ROLE_DEVICE_WAIT,
	ROLE_STREAM_QUERY, /* a query that succeeds tells the host as much as a wait */
	ROLE_EVENT_QUERY,
	ROLE_EVENT_RECORD,
	ROLE_PIN,
	ROLE_UNPIN,
	ROLE_USE, /* may use host memory: managed memory, mapping */
};

/* The role of a function. Compares names: ask once for each function. Any thread. */
enum role role_of(const struct function_info *info);
/* Whether only the watch for races asks for it. */
bool role_is_of_races(enum role role);

#endif
