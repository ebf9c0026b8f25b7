#include "commands/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const struct library_symbol symbols[] = {
	{"cuInit", offsetof(struct driver, init)},
	{"cuDeviceGet", offsetof(struct driver, device_get)},
	{"cuDevicePrimaryCtxRetain", offsetof(struct driver, context_retain)},
	{"cuCtxSetCurrent", offsetof(struct driver, context_set)},
	{"cuStreamCreate", offsetof(struct driver, stream_create)},
	{"cuMemHostAlloc", offsetof(struct driver, host_alloc)},
	{"cuMemAlloc_v2", offsetof(struct driver, device_alloc)},
	{"cuMemcpyHtoDAsync_v2", offsetof(struct driver, copy_in)},
	{"cuMemcpyDtoHAsync_v2", offsetof(struct driver, copy_out)},
	{"cuEventCreate", offsetof(struct driver, event_create)},
	{"cuEventRecord", offsetof(struct driver, event_record)},
	{"cuEventSynchronize", offsetof(struct driver, event_synchronize)},
	{"cuEventElapsedTime", offsetof(struct driver, event_elapsed)},
	{"cuDeviceGetUuid_v2", offsetof(struct driver, device_uuid)},
	{"cuMemHostRegister_v2", offsetof(struct driver, pin)},
	{"cuMemHostUnregister", offsetof(struct driver, unpin)},
	{"cuDeviceCanAccessPeer", offsetof(struct driver, can_reach)},
	{"cuCtxEnablePeerAccess", offsetof(struct driver, enable_peer)},
	{"cuMemcpyPeerAsync", offsetof(struct driver, copy_peer)},
};

bool driver_find_symbols(void *library, const struct library_symbol *wanted, size_t count,
			 void *functions)
{
	for (size_t i = 0; i < count; i++) {
		void *symbol = dlsym(library, wanted[i].name);

		if (!symbol)
			return false;
		memcpy((char *)functions + wanted[i].offset, &symbol, sizeof(symbol));
	}
	return true;
}

bool driver_load(struct driver *driver)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

	return library &&
	       driver_find_symbols(library, symbols, sizeof(symbols) / sizeof(*symbols), driver);
}

bool driver_is_device(const struct driver *driver, int device, const char *uuid)
{
	unsigned char bytes[16];
	char text[40] = "";

	if (driver->device_uuid(bytes, device))
		return false;
	for (size_t i = 0, used = 0; i < sizeof(bytes); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%02x",
					 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
					 bytes[i]);
	return strlen(uuid) > 4 && strcmp(uuid + 4, text) == 0;
}
