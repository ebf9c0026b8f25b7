#include "cupti/late_devices.h"

#include "base/loaded.h"
#include "cupti/activity.h"
#include "cupti/cupti_library.h"

#include <cuda.h>

#include <stdbool.h>
#include <string.h>

#define NAME_BYTES 256

/* Under their names in the library: cuda.h has macros for newer versions. */
#define LATE_FUNCTIONS(X)                                                                          \
	X(count, "cuDeviceGetCount", CUresult (*)(int *))                                          \
	X(get, "cuDeviceGet", CUresult (*)(CUdevice *, int))                                       \
	X(name, "cuDeviceGetName", CUresult (*)(char *, int, CUdevice))                            \
	X(uuid, "cuDeviceGetUuid_v2", CUresult (*)(CUuuid *, CUdevice))                            \
	X(attribute, "cuDeviceGetAttribute", CUresult (*)(int *, CUdevice_attribute, CUdevice))    \
	X(memory, "cuDeviceTotalMem_v2", CUresult (*)(size_t *, CUdevice))                         \
	X(state, "cuDevicePrimaryCtxGetState", CUresult (*)(CUdevice, unsigned int *, int *))      \
	X(retain, "cuDevicePrimaryCtxRetain", CUresult (*)(CUcontext *, CUdevice))                 \
	X(release, "cuDevicePrimaryCtxRelease_v2", CUresult (*)(CUdevice))

struct late_driver {
#define MEMBER(member, symbol, type) __typeof__((type)NULL) member;
	LATE_FUNCTIONS(MEMBER)
#undef MEMBER
};

static bool find_functions(struct late_driver *driver)
{
	bool is_whole = true;

#define FIND(member, symbol, type)                                                                 \
	driver->member = (type)loaded_symbol("libcuda.so", symbol, NULL);                          \
	is_whole &= driver->member != NULL;
	LATE_FUNCTIONS(FIND)
#undef FIND
	return is_whole;
}

/* 0: not known. */
static uint32_t attribute_of(const struct late_driver *driver, CUdevice device,
			     CUdevice_attribute attribute)
{
	int value = 0;

	return !driver->attribute(&value, attribute, device) && value > 0 ? (uint32_t)value : 0;
}

#define ATTRIBUTE(name) attribute_of(driver, device, CU_DEVICE_ATTRIBUTE_##name)

static void store_device_of(struct store *store, const struct late_driver *driver, CUdevice device,
			    int ordinal)
{
	char name[NAME_BYTES] = "unknown";
	struct activity_losses losses = {0};
	CUpti_ActivityDevice5 record = {
		.kind = CUPTI_ACTIVITY_KIND_DEVICE,
		.id = (uint32_t)ordinal,
		.name = name,
		.computeCapabilityMajor = ATTRIBUTE(COMPUTE_CAPABILITY_MAJOR),
		.computeCapabilityMinor = ATTRIBUTE(COMPUTE_CAPABILITY_MINOR),
		.numMemcpyEngines = ATTRIBUTE(ASYNC_ENGINE_COUNT),
		.numMultiprocessors = ATTRIBUTE(MULTIPROCESSOR_COUNT),
		.numThreadsPerWarp = ATTRIBUTE(WARP_SIZE),
		.maxBlocksPerMultiprocessor = ATTRIBUTE(MAX_BLOCKS_PER_MULTIPROCESSOR),
		.maxSharedMemoryPerMultiprocessor = ATTRIBUTE(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
		.maxRegistersPerMultiprocessor = ATTRIBUTE(MAX_REGISTERS_PER_MULTIPROCESSOR),
		/* As CUPTI: kHz, bits, two transfers a cycle. */
		.globalMemoryBandwidth = UINT64_C(2) * ATTRIBUTE(MEMORY_CLOCK_RATE) *
					 ATTRIBUTE(GLOBAL_MEMORY_BUS_WIDTH) / 8,
	};
	size_t bytes = 0;

	if (record.numThreadsPerWarp)
		record.maxWarpsPerMultiprocessor =
			ATTRIBUTE(MAX_THREADS_PER_MULTIPROCESSOR) / record.numThreadsPerWarp;
	driver->name(name, sizeof(name), device);
	driver->uuid(&record.uuid, device);
	if (!driver->memory(&bytes, device))
		record.globalMemorySize = bytes;
	activity_store(store, (const CUpti_Activity *)&record, 0, &losses);
}

/* The context is there, so that this makes none; the program can end it meanwhile, and then it is ours, and goes. */
static void store_context_of(struct store *store, const struct late_driver *driver, CUdevice device,
			     int ordinal)
{
	CUpti_ActivityContext3 record = {.kind = CUPTI_ACTIVITY_KIND_CONTEXT,
					 .deviceId = (uint32_t)ordinal};
	struct activity_losses losses = {0};
	uint32_t null_stream_id;
	CUcontext context;

	if (driver->retain(&context, device))
		return;
	if (!cupti.cuptiGetContextId(context, &record.contextId) &&
	    !cupti.cuptiGetStreamIdEx(context, NULL, 0, &null_stream_id)) {
		record.nullStreamId = (__typeof__(record.nullStreamId))null_stream_id;
		activity_store(store, (const CUpti_Activity *)&record, 0, &losses);
	}
	driver->release(device);
}

void late_devices_store(struct store *store)
{
	struct late_driver driver;
	int count = 0;

	if (!find_functions(&driver) || driver.count(&count))
		return;
	for (int ordinal = 0; ordinal < count; ordinal++) {
		unsigned int flags;
		CUdevice device;
		int is_active;

		if (driver.get(&device, ordinal) || driver.state(device, &flags, &is_active) ||
		    !is_active)
			continue;
		store_device_of(store, &driver, device, ordinal);
		store_context_of(store, &driver, device, ordinal);
	}
}
