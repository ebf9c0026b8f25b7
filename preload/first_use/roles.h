/* What a driver call means to the memory that is watched. */
#ifndef STREAMTRACE_FIRST_USE_ROLES_H
#define STREAMTRACE_FIRST_USE_ROLES_H

#include "api/functions.h"

enum role {
	ROLE_NONE,
	ROLE_COPY,
	ROLE_OTHER_COPY, /* whose ranges are not known: 2D, 3D, batches; launches of graphs */
	ROLE_LAUNCH,
	ROLE_WRITE, /* a set */
	ROLE_STREAM_WAIT,
	ROLE_EVENT_WAIT,
	ROLE_DEVICE_WAIT,
	ROLE_EVENT_RECORD,
	ROLE_PIN,
	ROLE_UNPIN,
	ROLE_USE, /* of host memory, perhaps: managed memory, mapping */
};

/* Compares names: to be asked once a function. Any thread. */
enum role role_of(const struct function_info *info);

#endif
