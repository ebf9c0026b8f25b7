/*
 * CUPTI's activity API. Records wait in a heap by the time at which they are complete, go from
 * there into buffers that the tracer gave, and buffers go back in a flush.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cupti_internal.h"

/* One row a kind of record. Every layout has a multiple of 8 bytes. */
static const size_t record_sizes[CUPTI_ACTIVITY_KIND_COUNT] = {
	[CUPTI_ACTIVITY_KIND_MEMCPY] = sizeof(CUpti_ActivityMemcpy6),
	[CUPTI_ACTIVITY_KIND_MEMSET] = sizeof(CUpti_ActivityMemset4),
	[CUPTI_ACTIVITY_KIND_DEVICE] = sizeof(CUpti_ActivityDevice5),
	[CUPTI_ACTIVITY_KIND_CONTEXT] = sizeof(CUpti_ActivityContext3),
	[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL] = sizeof(CUpti_ActivityKernel10),
	[CUPTI_ACTIVITY_KIND_OVERHEAD] = sizeof(CUpti_ActivityOverhead3),
	[CUPTI_ACTIVITY_KIND_CUDA_EVENT] = sizeof(CUpti_ActivityCudaEvent2),
	[CUPTI_ACTIVITY_KIND_STREAM] = sizeof(CUpti_ActivityStream),
	[CUPTI_ACTIVITY_KIND_SYNCHRONIZATION] = sizeof(CUpti_ActivitySynchronization2),
	[CUPTI_ACTIVITY_KIND_MEMORY2] = sizeof(CUpti_ActivityMemory4),
	[CUPTI_ACTIVITY_KIND_MEMORY_POOL] = sizeof(CUpti_ActivityMemoryPool3),
	[CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER] = sizeof(CUpti_ActivityUnifiedMemoryCounter3),
	[CUPTI_ACTIVITY_KIND_GRAPH_TRACE] = sizeof(CUpti_ActivityGraphTrace2),
	[CUPTI_ACTIVITY_KIND_ENVIRONMENT] = sizeof(CUpti_ActivityEnvironment),
};

struct pending {
	uint64_t complete_ns, sequence;
	CUpti_Activity *record;
};

/* A buffer of the tracer's, known by its address from the request on. */
struct buffer {
	struct buffer *next;
	uint8_t *data;
	size_t size, used, records, max_records;
	bool is_ours; /* from the request until it is handed back */
};

/* Guards the heap. */
static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pending *heap;
static size_t heap_count, heap_capacity;
static uint64_t next_sequence;

/* Guards the buffers, and is held over the tracer's buffer callbacks. */
static pthread_mutex_t delivery_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool is_delivering;
static struct buffer *buffers;
static struct buffer **current; /* slots that are filled in turn */
static size_t current_count, next_current;

static CUpti_BuffersCallbackRequestFunc on_request;
static CUpti_BuffersCallbackCompleteFunc on_complete;
static atomic_bool kind_is_enabled[CUPTI_ACTIVITY_KIND_COUNT];

static bool is_before(const struct pending *a, const struct pending *b)
{
	if (a->complete_ns != b->complete_ns)
		return a->complete_ns < b->complete_ns;
	return a->sequence < b->sequence;
}

static void heap_push(struct pending pending)
{
	size_t at = heap_count++;

	if (at == heap_capacity) {
		heap_capacity = heap_capacity ? heap_capacity * 2 : 1024;
		heap = realloc(heap, heap_capacity * sizeof(*heap));
		if (!heap)
			fake_cuda_abort("out of memory");
	}
	for (; at && is_before(&pending, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = pending;
}

static struct pending heap_pop(void)
{
	const struct pending first = heap[0];
	const struct pending last = heap[--heap_count];
	size_t at = 0;

	for (size_t child; (child = 2 * at + 1) < heap_count; at = child) {
		if (child + 1 < heap_count && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (!is_before(&heap[child], &last))
			break;
		heap[at] = heap[child];
	}
	heap[at] = last;
	return first;
}

static struct buffer *buffer_find(const uint8_t *data)
{
	struct buffer *buffer = buffers;

	while (buffer && buffer->data != data)
		buffer = buffer->next;
	return buffer;
}

/* Forgets what was at that address: the tracer may give memory that it freed and got again. */
static void buffer_forget(const uint8_t *data)
{
	struct buffer **link = &buffers;
	struct buffer *buffer;

	while ((buffer = *link) && buffer->data != data)
		link = &buffer->next;
	if (!buffer)
		return;
	if (buffer->is_ours)
		fake_cuda_abort("the buffer at %p was given before", (const void *)data);
	*link = buffer->next;
	free(buffer);
}

static struct buffer *buffer_request(void)
{
	struct buffer *buffer = calloc(1, sizeof(*buffer));
	struct buffer **link = &buffers;

	if (!buffer)
		fake_cuda_abort("out of memory");
	fake_cuda_forbid_calls(true);
	on_request(&buffer->data, &buffer->size, &buffer->max_records);
	fake_cuda_forbid_calls(false);
	if (!buffer->data || (uintptr_t)buffer->data % 8 ||
	    buffer->size < sizeof(CUpti_ActivityKernel10))
		fake_cuda_abort("the buffer at %p of %zu bytes cannot hold records",
				(void *)buffer->data, buffer->size);
	buffer_forget(buffer->data);
	buffer->is_ours = true;
	while (*link)
		link = &(*link)->next;
	*link = buffer; /* they go back in the order in which they came */
	return buffer;
}

static size_t number_from(const char *variable, size_t otherwise)
{
	const char *wanted = getenv(variable);

	return wanted ? strtoul(wanted, NULL, 10) : otherwise;
}

/* The slot in `current` for the next record. Several are all requested at once. */
static struct buffer **slot_next(void)
{
	if (!current) {
		current_count = number_from("FAKE_BUFFERS_AT_ONCE", 1);
		current = calloc(current_count, sizeof(*current));
		if (!current)
			fake_cuda_abort("out of memory");
	}
	for (size_t i = 0; current_count > 1 && i < current_count; i++)
		if (!current[i])
			current[i] = buffer_request();
	return &current[next_current++ % current_count];
}

static void buffer_add(const CUpti_Activity *record)
{
	const size_t size = record_sizes[record->kind];
	struct buffer **slot = slot_next();

	if (!*slot || (*slot)->used + size > (*slot)->size ||
	    ((*slot)->max_records && (*slot)->records == (*slot)->max_records))
		*slot = buffer_request();
	memcpy((*slot)->data + (*slot)->used, record, size);
	(*slot)->used += size;
	(*slot)->records++;
}

static void add_unknown_records(void)
{
	static size_t left = SIZE_MAX;
	const CUpti_ActivityEnvironment unknown = {.kind = CUPTI_ACTIVITY_KIND_ENVIRONMENT};

	if (left == SIZE_MAX)
		left = number_from("FAKE_UNKNOWN_RECORDS", 0);
	for (; left; left--)
		buffer_add((const CUpti_Activity *)&unknown);
}

/* An operation that a forced flush takes before it is done has no times yet. */
static void clear_times(CUpti_Activity *record)
{
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		((CUpti_ActivityKernel10 *)record)->start = 0;
		((CUpti_ActivityKernel10 *)record)->end = 0;
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		((CUpti_ActivityMemcpy6 *)record)->start = 0;
		((CUpti_ActivityMemcpy6 *)record)->end = 0;
		break;
	case CUPTI_ACTIVITY_KIND_MEMSET:
		((CUpti_ActivityMemset4 *)record)->start = 0;
		((CUpti_ActivityMemset4 *)record)->end = 0;
		break;
	case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
		((CUpti_ActivityGraphTrace2 *)record)->start = 0;
		((CUpti_ActivityGraphTrace2 *)record)->end = 0;
		break;
	default:
		break;
	}
}

/* Moves records from the heap into buffers: the complete ones, or all. Wants the delivery lock. */
static void retire(bool is_forced)
{
	const uint64_t until_ns = fake_cuda_now_ns();
	struct pending pending;
	bool is_due;

	add_unknown_records();
	for (;;) {
		pthread_mutex_lock(&heap_lock);
		is_due = heap_count && (is_forced || heap[0].complete_ns <= until_ns);
		if (is_due)
			pending = heap_pop();
		pthread_mutex_unlock(&heap_lock);
		if (!is_due)
			return;
		if (pending.complete_ns > until_ns)
			clear_times(pending.record);
		buffer_add(pending.record);
		free(pending.record);
	}
}

/* The nodes of a graph have no records while graphs are recorded as a whole. */
static bool is_hidden_node(const CUpti_Activity *record)
{
	if (!atomic_load(&kind_is_enabled[CUPTI_ACTIVITY_KIND_GRAPH_TRACE]))
		return false;
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		return ((const CUpti_ActivityKernel10 *)record)->graphNodeId != 0;
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		return ((const CUpti_ActivityMemcpy6 *)record)->graphNodeId != 0;
	case CUPTI_ACTIVITY_KIND_MEMSET:
		return ((const CUpti_ActivityMemset4 *)record)->graphNodeId != 0;
	default:
		return false;
	}
}

void activity_record(const void *record, uint64_t complete_ns)
{
	const CUpti_ActivityKind kind = ((const CUpti_Activity *)record)->kind;
	struct pending pending = {.complete_ns = complete_ns};

	if (!atomic_load(&kind_is_enabled[kind]) || is_hidden_node(record))
		return;
	if (!on_request)
		fake_cuda_abort("activity kind %d is enabled, and no buffer callback is registered",
				(int)kind);
	pending.record = malloc(record_sizes[kind]);
	if (!pending.record)
		fake_cuda_abort("out of memory");
	memcpy(pending.record, record, record_sizes[kind]);
	pthread_mutex_lock(&heap_lock);
	pending.sequence = next_sequence++;
	heap_push(pending);
	pthread_mutex_unlock(&heap_lock);
	/* A flush in another thread does this work too: the program does not wait for it. */
	if (!pthread_mutex_trylock(&delivery_lock)) {
		retire(false);
		pthread_mutex_unlock(&delivery_lock);
	}
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
					   CUpti_BuffersCallbackCompleteFunc complete)
{
	if (!request || !complete)
		return CUPTI_ERROR_INVALID_PARAMETER;
	on_request = request;
	on_complete = complete;
	return CUPTI_SUCCESS;
}

static CUptiResult set_kind(CUpti_ActivityKind kind, bool is_enabled)
{
	if (fake_cuda_is_down())
		return CUPTI_ERROR_NOT_INITIALIZED;
	if (kind <= CUPTI_ACTIVITY_KIND_INVALID || kind >= CUPTI_ACTIVITY_KIND_COUNT)
		return CUPTI_ERROR_INVALID_KIND;
	atomic_store(&kind_is_enabled[kind], is_enabled);
	return CUPTI_SUCCESS;
}

bool cupti_fake_records(CUpti_ActivityKind kind)
{
	return atomic_load(&kind_is_enabled[kind]);
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
	return set_kind(kind, true);
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
	return set_kind(kind, false);
}

static struct {
	atomic_bool is_on;
	atomic_uint come, free_count;
} held;

unsigned int cupti_fake_hold_flushes(unsigned int free_count)
{
	atomic_store(&held.free_count, free_count);
	atomic_store(&held.is_on, true);
	return atomic_load(&held.come);
}

static void hold_flush(void)
{
	unsigned int number;

	if (!atomic_load(&held.is_on))
		return;
	number = atomic_fetch_add(&held.come, 1);
	while (number >= atomic_load(&held.free_count))
		usleep(1000);
}

/* Once the driver is down nothing comes any more: a tracer that flushes that late loses records. */
CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
	static atomic_size_t failed;

	if (fake_cuda_is_down()) {
		atomic_fetch_add(&held.come, 1);
		return CUPTI_ERROR_NOT_INITIALIZED;
	}
	if (!on_complete)
		fake_cuda_abort("cuptiActivityFlushAll before cuptiActivityRegisterCallbacks");
	if (is_delivering)
		fake_cuda_abort("cuptiActivityFlushAll inside a buffer callback");
	if (atomic_fetch_add(&failed, 1) < number_from("FAKE_FLUSH_ERRORS", 0))
		return CUPTI_ERROR_UNKNOWN;
	pthread_mutex_lock(&delivery_lock);
	is_delivering = true;
	retire(flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	for (struct buffer *buffer = buffers; buffer; buffer = buffer->next) {
		if (!buffer->is_ours)
			continue;
		buffer->is_ours = false;
		fake_cuda_forbid_calls(true);
		on_complete(NULL, 0, buffer->data, buffer->size, buffer->used);
		fake_cuda_forbid_calls(false);
	}
	for (size_t i = 0; i < current_count; i++)
		current[i] = NULL;
	is_delivering = false;
	pthread_mutex_unlock(&delivery_lock);
	hold_flush();
	return CUPTI_SUCCESS;
}

/* The tracer may read a buffer in the callback that hands it back, or later in another thread. */
static void check_handed_back(const uint8_t *data, size_t size)
{
	const struct buffer *buffer;

	if (!is_delivering)
		pthread_mutex_lock(&delivery_lock);
	buffer = buffer_find(data);
	if (!buffer || buffer->is_ours || buffer->used != size)
		fake_cuda_abort("%zu bytes at %p were not handed back", size, (const void *)data);
	if (!is_delivering)
		pthread_mutex_unlock(&delivery_lock);
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t size, CUpti_Activity **record)
{
	size_t at = 0;

	if (!buffer || !record)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (!*record)
		check_handed_back(buffer, size);
	else if ((uint8_t *)*record < buffer || (uint8_t *)*record >= buffer + size)
		fake_cuda_abort("the record at %p is not in this buffer", (void *)*record);
	else
		at = (size_t)((uint8_t *)*record - buffer) + record_sizes[(*record)->kind];
	if (at >= size)
		return CUPTI_ERROR_MAX_LIMIT_REACHED;
	*record = (CUpti_Activity *)(buffer + at);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream_id,
					      size_t *dropped)
{
	static atomic_bool is_told;
	if (!dropped)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*dropped = atomic_exchange(&is_told, true) ? 0 : number_from("FAKE_DROPPED_RECORDS", 0);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute attribute, size_t *size, void *value)
{
	return size && value ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult
cuptiActivityConfigureUnifiedMemoryCounter(CUpti_ActivityUnifiedMemoryCounterConfig *config,
					   uint32_t count)
{
	const char *wanted = getenv("FAKE_MANAGED");

	if (!config || !count)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (wanted && !strcmp(wanted, "refused"))
		return CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED;
	return CUPTI_SUCCESS;
}
