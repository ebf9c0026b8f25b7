#include "cupti/buffers.h"

#include <pthread.h>
#include <stdlib.h>

/* CUPTI advises 1 to 10 MB; since 13.0 each thread has a buffer. */
#define BUFFER_BYTES  ((size_t)2 << 20)
#define DISCARD_BYTES ((size_t)64 << 10)

/* 1 GB of unread records: the writer cannot keep up. */
#define MOST_BUFFERS 512

/* A buffer's descriptor lies just before its records, where completion finds it. */
#define HEADER_BYTES 64
_Static_assert(sizeof(struct activity_buffer) <= HEADER_BYTES,
	       "descriptor fits before the records");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct activity_buffer *free_buffers, *oldest, **newest = &oldest;
static int buffer_count;

/* Used when memory has run out; records that two threads write there at once are lost. */
static uint8_t last_resort[HEADER_BYTES + DISCARD_BYTES] __attribute__((aligned(HEADER_BYTES)));

static struct activity_buffer *buffer_create(size_t bytes, bool is_discard)
{
	uint8_t *memory = aligned_alloc(HEADER_BYTES, HEADER_BYTES + bytes);
	struct activity_buffer *buffer = (void *)memory;

	if (!memory)
		return NULL;
	*buffer = (struct activity_buffer){.is_discard = is_discard,
					   .records = memory + HEADER_BYTES};
	return buffer;
}

static struct activity_buffer *buffer_reuse(bool *may_create)
{
	struct activity_buffer *buffer;

	pthread_mutex_lock(&lock);
	buffer = free_buffers;
	if (buffer)
		free_buffers = buffer->next;
	*may_create = !buffer && buffer_count < MOST_BUFFERS;
	buffer_count += *may_create;
	pthread_mutex_unlock(&lock);
	return buffer;
}

static void buffer_uncount(void)
{
	pthread_mutex_lock(&lock);
	buffer_count--;
	pthread_mutex_unlock(&lock);
}

uint8_t *activity_buffers_request(size_t *bytes)
{
	bool may_create;
	struct activity_buffer *buffer = buffer_reuse(&may_create);

	if (may_create) {
		buffer = buffer_create(BUFFER_BYTES, false);
		if (!buffer)
			buffer_uncount();
	}
	*bytes = BUFFER_BYTES;
	if (buffer)
		return buffer->records;
	*bytes = DISCARD_BYTES;
	buffer = buffer_create(DISCARD_BYTES, true);
	return buffer ? buffer->records : last_resort + HEADER_BYTES;
}

struct activity_buffer *activity_buffers_complete(uint8_t *records, size_t valid_bytes)
{
	struct activity_buffer *buffer = (void *)(records - HEADER_BYTES);

	if (records == last_resort + HEADER_BYTES)
		*buffer = (struct activity_buffer){.is_discard = true, .records = records};
	buffer->valid_bytes = valid_bytes;
	if (buffer->is_discard)
		return buffer;
	buffer->next = NULL;
	pthread_mutex_lock(&lock);
	*newest = buffer;
	newest = &buffer->next;
	pthread_mutex_unlock(&lock);
	return NULL;
}

struct activity_buffer *activity_buffers_take(void)
{
	struct activity_buffer *all;

	pthread_mutex_lock(&lock);
	all = oldest;
	oldest = NULL;
	newest = &oldest;
	pthread_mutex_unlock(&lock);
	return all;
}

void activity_buffers_give_back(struct activity_buffer *buffer)
{
	if (buffer->is_discard) {
		if (buffer->records != last_resort + HEADER_BYTES)
			free(buffer);
		return;
	}
	pthread_mutex_lock(&lock);
	buffer->next = free_buffers;
	free_buffers = buffer;
	pthread_mutex_unlock(&lock);
}

void activity_buffers_after_fork(void)
{
	pthread_mutex_init(&lock, NULL);
}
