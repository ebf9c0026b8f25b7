#include "first_use/roles.h"

#include <stddef.h>
#include <string.h>

bool role_is_of_races(enum role role)
{
	return role == ROLE_STREAM_QUERY || role == ROLE_EVENT_QUERY;
}

enum role role_of(const struct function_info *info)
{
	static const enum role roles[CLASS_COUNT] = {
		[CLASS_COPY] = ROLE_COPY,
		[CLASS_GRAPH_LAUNCH] = ROLE_OTHER_COPY,
		[CLASS_LAUNCH] = ROLE_LAUNCH,
		[CLASS_SET] = ROLE_WRITE,
		[CLASS_STREAM_SYNC] = ROLE_STREAM_WAIT,
		[CLASS_EVENT_SYNC] = ROLE_EVENT_WAIT,
		[CLASS_DEVICE_SYNC] = ROLE_DEVICE_WAIT,
		[CLASS_STREAM_QUERY] = ROLE_STREAM_QUERY,
		[CLASS_EVENT_QUERY] = ROLE_EVENT_QUERY,
		[CLASS_EVENT_RECORD] = ROLE_EVENT_RECORD,
		[CLASS_HOST_ALLOC] = ROLE_PIN,
		[CLASS_REGISTER] = ROLE_PIN,
		[CLASS_HOST_FREE] = ROLE_UNPIN,
		[CLASS_UNREGISTER] = ROLE_UNPIN,
		[CLASS_MANAGED] = ROLE_USE,
	};

	if (!strncmp(info->name, "cuMemcpy2D", 10) || !strncmp(info->name, "cuMemcpy3D", 10) ||
	    !strncmp(info->name, "cuMemcpyBatch", 13))
		return ROLE_OTHER_COPY;
	return roles[info->class];
}
