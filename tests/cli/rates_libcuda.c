/*
 * A libcuda.so.1 whose copies take known times, for what `streamtrace` measures: an event 2 us, a
 * copy 3 us (in) or 4 us (out) plus its bytes at 50 or 25 bytes a ns. It has two GPUs, of which
 * CUDA_VISIBLE_DEVICES must name one by its uuid, all zeros but for the last digit: 1, or 2, which
 * is half as fast. Where it names both, a copy from one to the other takes 6 us plus its bytes at 200 bytes a
 * ns once each has access to the other, and at 20 before. RATES_LIBCUDA: "hang" never returns from cuInit, "crash" ends by a signal,
 * "no-device" has none, "other-device" has one of another uuid, of "apart" ones none can reach the other.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENT_NS 2000

static double now_ns;
static int current_device;
static bool is_both;
static int contexts[2], *current = contexts;
static bool has_access[2];

int cuInit(unsigned int flags);
int cuDeviceGetUuid_v2(unsigned char uuid[16], int device);
int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned int flags);
int cuMemHostUnregister(void *memory);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuDeviceCanAccessPeer(int *can, int device, int other);
int cuCtxEnablePeerAccess(void *context, unsigned int flags);
int cuMemcpyPeerAsync(uint64_t dst, void *dst_context, uint64_t src, void *src_context,
		      size_t bytes, void *stream);
int cuStreamCreate(void **stream, unsigned int flags);
int cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags);
int cuMemAlloc_v2(uint64_t *address, size_t bytes);
int cuMemcpyHtoDAsync_v2(uint64_t dst, const void *src, size_t bytes, void *stream);
int cuMemcpyDtoHAsync_v2(void *dst, uint64_t src, size_t bytes, void *stream);
int cuEventCreate(void **event, unsigned int flags);
int cuEventRecord(void *event, void *stream);
int cuEventSynchronize(void *event);
int cuEventElapsedTime(float *ms, void *start, void *end);

static bool is_mode(const char *name)
{
	const char *mode = getenv("RATES_LIBCUDA");

	return mode && strcmp(mode, name) == 0;
}

int cuInit(unsigned int flags)
{
	static const char known[] = "GPU-00000000-0000-0000-0000-00000000000";
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");

	if (is_mode("hang"))
		for (;;)
			pause();
	if (is_mode("crash"))
		abort();
	is_both = visible && strcmp(visible, "GPU-00000000-0000-0000-0000-000000000001,"
					     "GPU-00000000-0000-0000-0000-000000000002") == 0;
	if (is_both)
		return flags != 0;
	if (is_mode("no-device") || !visible || strlen(visible) != sizeof(known) ||
	    strncmp(visible, known, sizeof(known) - 1) != 0)
		return 100;
	current_device = visible[sizeof(known) - 1] - '1';
	return flags || current_device < 0 || current_device > 1;
}

int cuDeviceGet(int *device, int ordinal)
{
	*device = 70 + ordinal; /* not the ordinal itself */
	return ordinal < 0 || ordinal > is_both;
}

int cuDeviceGetUuid_v2(unsigned char uuid[16], int device)
{
	memset(uuid, 0, 16);
	uuid[15] = (unsigned char)(is_mode("other-device") ? 9 : current_device + device - 69);
	return device < 70 || device > 71;
}

/* A millisecond, and one for 10 MB. */
int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned int flags)
{
	usleep((unsigned int)(1000 + bytes / 10000));
	return !memory || flags;
}

int cuMemHostUnregister(void *memory)
{
	return !memory;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
	*context = &contexts[device - 70];
	return device < 70 || device > 71;
}

int cuCtxSetCurrent(void *context)
{
	current = context;
	return !context;
}

int cuDeviceCanAccessPeer(int *can, int device, int other)
{
	*can = device != other && !is_mode("apart");
	return 0;
}

int cuCtxEnablePeerAccess(void *context, unsigned int flags)
{
	has_access[current - contexts] = true;
	return context == current || flags;
}

int cuMemcpyPeerAsync(uint64_t dst, void *dst_context, uint64_t src, void *src_context,
		      size_t bytes, void *stream)
{
	now_ns += 6000 + (double)bytes / (has_access[0] && has_access[1] ? 200 : 20);
	return !dst || dst_context != &contexts[1] || !src || src_context != &contexts[0] ||
	       !stream;
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
