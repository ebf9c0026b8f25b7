/*
 * What CUPTI alone costs: a client that asks for the records that libstrace.so asks for, and throws them
 * away. Preloaded by call_cost.py and frameworks/cost.py: what libstrace.so adds beyond it is its own.
 */
#include <cupti.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)2 << 20)
#define SPARE_MOST   64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *spare[SPARE_MOST];
static size_t spare_count;

/* preload/cupti/source.c has the reasons. */
static const CUpti_ActivityKind kinds[] = {
	CUPTI_ACTIVITY_KIND_DEVICE,   CUPTI_ACTIVITY_KIND_CONTEXT,
	CUPTI_ACTIVITY_KIND_STREAM,   CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
	CUPTI_ACTIVITY_KIND_MEMCPY,   CUPTI_ACTIVITY_KIND_MEMCPY2,
	CUPTI_ACTIVITY_KIND_MEMSET,   CUPTI_ACTIVITY_KIND_MEMORY2,
	CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_MEMORY_POOL,
};

static void CUPTIAPI on_request(uint8_t **buffer, size_t *bytes, size_t *most_records)
{
	pthread_mutex_lock(&lock);
	*buffer = spare_count ? spare[--spare_count] : NULL;
	pthread_mutex_unlock(&lock);
	if (!*buffer)
		*buffer = aligned_alloc(64, BUFFER_BYTES);
	*bytes = *buffer ? BUFFER_BYTES : 0;
	*most_records = 0;
}

static void CUPTIAPI on_complete(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
				 size_t valid_bytes)
{
	(void)context, (void)stream, (void)bytes, (void)valid_bytes;
	pthread_mutex_lock(&lock);
	if (spare_count < SPARE_MOST) {
		spare[spare_count++] = buffer;
		buffer = NULL;
	}
	pthread_mutex_unlock(&lock);
	free(buffer);
}

/* As the tracer's writer does. */
static void *flush(void *unused)
{
	for (;;) {
		usleep(100000);
		cuptiActivityFlushAll(0);
	}
	return unused;
}

static __attribute__((constructor)) void start(void)
{
	pthread_t thread;
	CUptiResult result = cuptiActivityRegisterCallbacks(on_request, on_complete);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && !result; i++)
		result = cuptiActivityEnable(kinds[i]);
	if (result || pthread_create(&thread, NULL, flush, NULL))
		fprintf(stderr, "cupti_floor: CUPTI could not be started: %d\n", (int)result);
}
