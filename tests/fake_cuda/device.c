#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "device.h"

/* Busy time of an engine. Neighbours that touch are one, so the list stays short. */
struct busy {
	struct busy *next;
	struct span span;
};

/* What passes on a clock of our own between two looks at it. */
enum { OWN_CLOCK_STEP_NS = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct busy *engines[ENGINE_COUNT];
static struct CUstream_st null_stream = {.id = FAKE_NULL_STREAM_ID,
					 .flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL};
static struct CUstream_st *streams = &null_stream;
static struct CUevent_st *events;
static _Thread_local struct CUstream_st *thread_stream;

struct CUctx_st device_context = {.id = FAKE_CONTEXT_ID};

void device_lock(void)
{
	pthread_mutex_lock(&lock);
}

void device_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

static _Atomic uint64_t own_clock_ns; /* 0: the clock is CLOCK_REALTIME */
static _Thread_local bool moves_own_clock;

uint64_t fake_cuda_now_ns(void)
{
	struct timespec now;

	if (atomic_load(&own_clock_ns))
		return atomic_fetch_add(&own_clock_ns, moves_own_clock ? OWN_CLOCK_STEP_NS : 0);
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void fake_cuda_use_own_clock(void)
{
	atomic_store(&own_clock_ns, fake_cuda_now_ns());
	moves_own_clock = true;
}

bool fake_cuda_has_own_clock(void)
{
	return atomic_load(&own_clock_ns) != 0;
}

uint64_t device_now_ns(void)
{
	return fake_cuda_now_ns();
}

static void set_own_clock_forward(uint64_t time_ns)
{
	uint64_t now_ns = atomic_load(&own_clock_ns);

	while (now_ns < time_ns && !atomic_compare_exchange_weak(&own_clock_ns, &now_ns, time_ns))
		;
}

void device_sleep_until(uint64_t time_ns)
{
	const struct timespec until = {.tv_sec = (time_t)(time_ns / 1000000000),
				       .tv_nsec = (long)(time_ns % 1000000000)};

	if (atomic_load(&own_clock_ns)) {
		set_own_clock_forward(time_ns);
		return;
	}
	while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		fake_cuda_abort("out of memory");
	return memory;
}

struct CUstream_st *device_stream(cudaStream_t handle, bool per_thread)
{
	struct CUstream_st *stream;

	if (handle == cudaStreamLegacy || (!handle && !per_thread))
		return &null_stream;
	if (handle == cudaStreamPerThread || !handle) {
		if (!thread_stream)
			thread_stream =
				device_stream_create(CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT, 0);
		return thread_stream;
	}
	for (stream = streams; stream; stream = stream->next)
		if (stream == handle && stream != &null_stream)
			return stream;
	fake_cuda_abort("stream %p does not exist", (void *)handle);
}

struct CUstream_st *device_stream_create(CUpti_ActivityStreamFlag flag, int priority)
{
	static uint32_t next_id = 13; /* real drivers start there */
	struct CUstream_st *stream = allocate(sizeof(*stream));

	*stream = (struct CUstream_st){
		.next = streams, .id = next_id++, .priority = priority, .flag = flag};
	streams = stream;
	return stream;
}

void device_stream_destroy(struct CUstream_st *stream)
{
	struct CUstream_st **link = &streams;

	if (stream == &null_stream || stream == thread_stream)
		fake_cuda_abort("a default stream cannot be destroyed");
	while (*link != stream)
		link = &(*link)->next;
	*link = stream->next;
	free(stream);
}

static uint64_t blocking_tail_ns(void)
{
	uint64_t tail_ns = 0;

	for (const struct CUstream_st *stream = streams; stream; stream = stream->next)
		if (stream->flag != CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING)
			tail_ns = later(tail_ns, stream->tail_ns);
	return tail_ns;
}

uint64_t device_drained_ns(const struct CUstream_st *stream)
{
	return stream == &null_stream ? blocking_tail_ns() : stream->tail_ns;
}

uint64_t device_ready_ns(const struct CUstream_st *stream)
{
	uint64_t ready_ns = later(device_now_ns(), device_drained_ns(stream));

	if (stream->flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING)
		return ready_ns;
	return later(ready_ns, null_stream.tail_ns);
}

uint64_t device_idle_ns(void)
{
	uint64_t idle_ns = 0;

	for (const struct CUstream_st *stream = streams; stream; stream = stream->next)
		idle_ns = later(idle_ns, stream->tail_ns);
	return idle_ns;
}

/* Takes the engine's first gap of that length at or after ready_ns. */
static struct span reserve(struct busy **head, uint64_t ready_ns, uint64_t duration_ns)
{
	struct span span = {.start_ns = ready_ns, .end_ns = ready_ns + duration_ns};
	const uint64_t now_ns = device_now_ns();
	struct busy **link = head;
	struct busy *previous = NULL;
	struct busy *busy;

	while (*head && (*head)->span.end_ns < now_ns) {
		busy = *head;
		*head = busy->next;
		free(busy);
	}
	for (; (busy = *link) && busy->span.start_ns < span.end_ns; link = &busy->next) {
		previous = busy;
		if (busy->span.end_ns > span.start_ns)
			span = (struct span){.start_ns = busy->span.end_ns,
					     .end_ns = busy->span.end_ns + duration_ns};
	}
	if (previous && previous->span.end_ns == span.start_ns) {
		previous->span.end_ns = span.end_ns;
		return span;
	}
	busy = allocate(sizeof(*busy));
	*busy = (struct busy){.next = *link, .span = span};
	*link = busy;
	return span;
}

struct span device_run(struct CUstream_st *stream, enum engine engine, uint64_t duration_ns)
{
	struct span span = {.start_ns = device_ready_ns(stream)};

	span.end_ns = span.start_ns + duration_ns;
	if (engine != ENGINE_NONE)
		span = reserve(&engines[engine], span.start_ns, duration_ns);
	stream->tail_ns = span.end_ns;
	return span;
}

struct CUevent_st *device_event_create(bool has_timing)
{
	static uint32_t next_id = 1;
	struct CUevent_st *event = allocate(sizeof(*event));

	*event = (struct CUevent_st){.next = events, .id = next_id++, .has_timing = has_timing};
	events = event;
	return event;
}

struct CUevent_st *device_event(cudaEvent_t handle)
{
	for (struct CUevent_st *event = events; event; event = event->next)
		if (event == handle)
			return event;
	fake_cuda_abort("event %p does not exist", (void *)handle);
}

void device_event_destroy(struct CUevent_st *event)
{
	struct CUevent_st **link = &events;

	while (*link != event)
		link = &(*link)->next;
	*link = event->next;
	free(event);
}

void device_event_record(struct CUevent_st *event, struct CUstream_st *stream)
{
	static uint64_t last_sync_id;

	event->sync_id = ++last_sync_id;
	event->stream_id = stream->id;
	event->time_ns = device_ready_ns(stream);
	/* A record in the legacy stream is a barrier as any operation there. */
	stream->tail_ns = event->time_ns;
}
