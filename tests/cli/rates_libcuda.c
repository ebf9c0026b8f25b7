/*
 * A libcuda.so.1 whose copies take known times, for the measurement of `streamtrace run`: an event
 * 2 us, a copy 3 us (in) or 4 us (out) plus its bytes at 50 or 25 bytes a ns; device 1 is half as
 * fast. RATES_LIBCUDA: "hang" never returns from cuInit, "crash" ends by a signal,
 * "no-device" has none. Where there is a CUDA_VISIBLE_DEVICES it must be "3,5".
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENT_NS 2000

static double now_ns;
static int current_device;

int cuInit(unsigned int flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuStreamCreate(void **stream, unsigned int flags);
int cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags);
int cuMemAlloc_v2(uint64_t *address, size_t bytes);
int cuMemcpyHtoDAsync_v2(uint64_t dst, const void *src, size_t bytes, void *stream);
int cuMemcpyDtoHAsync_v2(void *dst, uint64_t src, size_t bytes, void *stream);
int cuEventCreate(void **event, unsigned int flags);
int cuEventRecord(void *event, void *stream);
int cuEventSynchronize(void *event);
int cuEventElapsedTime(float *ms, void *start, void *end);

int cuInit(unsigned int flags)
{
	const char *mode = getenv("RATES_LIBCUDA"), *visible = getenv("CUDA_VISIBLE_DEVICES");

	if (mode && strcmp(mode, "hang") == 0)
		for (;;)
			pause();
	if (mode && strcmp(mode, "crash") == 0)
		abort();
	if (mode && strcmp(mode, "no-device") == 0)
		return 100;
	return flags || (visible && strcmp(visible, "3,5") != 0);
}

int cuDeviceGet(int *device, int ordinal)
{
	*device = 70 + ordinal; /* not the ordinal itself */
	return ordinal < 0 || ordinal > 1;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
	*context = &now_ns;
	current_device = device - 70;
	return 0;
}

int cuCtxSetCurrent(void *context)
{
	return context != &now_ns;
}

int cuStreamCreate(void **stream, unsigned int flags)
{
	*stream = malloc(1);
	return flags != 0;
}

int cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags)
{
	*memory = malloc(bytes);
	return flags != 0;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
	*address = 0x7000000;
	return bytes == 0;
}

static int copy(uint64_t device, const void *host, const void *stream, double ns)
{
	now_ns += ns * (current_device + 1);
	return device != 0x7000000 || !host || !stream;
}

int cuMemcpyHtoDAsync_v2(uint64_t dst, const void *src, size_t bytes, void *stream)
{
	return copy(dst, src, stream, 3000 + (double)bytes / 50);
}

int cuMemcpyDtoHAsync_v2(void *dst, uint64_t src, size_t bytes, void *stream)
{
	return copy(src, dst, stream, 4000 + (double)bytes / 25);
}

int cuEventCreate(void **event, unsigned int flags)
{
	*event = calloc(1, sizeof(double));
	return flags != 0;
}

int cuEventRecord(void *event, void *stream)
{
	now_ns += EVENT_NS;
	*(double *)event = now_ns;
	return !stream;
}

int cuEventSynchronize(void *event)
{
	return !event;
}

int cuEventElapsedTime(float *ms, void *start, void *end)
{
	*ms = (float)((*(double *)end - *(double *)start) / 1e6);
	return 0;
}
