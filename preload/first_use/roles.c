#include "first_use/roles.h"

#include <stddef.h>
#include <string.h>

enum role role_of(const struct function_info *info)
{
	static const struct {
		const char *class;
		enum role role;
	} roles[] = {
		{"copy", ROLE_COPY},
		{"graph-launch", ROLE_OTHER_COPY},
		{"launch", ROLE_LAUNCH},
		{"set", ROLE_WRITE},
		{"stream-sync", ROLE_STREAM_WAIT},
		{"event-sync", ROLE_EVENT_WAIT},
		{"device-sync", ROLE_DEVICE_WAIT},
		{"event-record", ROLE_EVENT_RECORD},
		{"host-alloc", ROLE_PIN},
		{"register", ROLE_PIN},
		{"host-free", ROLE_UNPIN},
		{"unregister", ROLE_UNPIN},
		{"managed", ROLE_USE},
	};

	if (!strncmp(info->name, "cuMemcpy2D", 10) || !strncmp(info->name, "cuMemcpy3D", 10) ||
	    !strncmp(info->name, "cuMemcpyBatch", 13))
		return ROLE_OTHER_COPY;
	if (!strcmp(info->name, "cuCtxDestroy") || !strcmp(info->name, "cuDevicePrimaryCtxReset"))
		return ROLE_LEAVE;
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (!strcmp(info->class, roles[i].class))
			return roles[i].role;
	return ROLE_NONE;
}
