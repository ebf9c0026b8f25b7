#include "activity_buffers.h"

#include <pthread.h>
#include <stdlib.h>

/* 1 GB of records that the writer has not come to: the file cannot keep up. */
#define MOST_BUFFERS 512

/* The buffer's descriptor lies right before its records, so that completion finds it. */
#define HEADER_BYTES 64
_Static_assert(sizeof(struct activity_buffer) <= HEADER_BYTES,
	       "descriptor fits before the records");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct activity_buffer *free_buffers, *oldest, **newest = &oldest;
static int buffer_count;
static uint8_t discard_buffer[ACTIVITY_BUFFER_BYTES] __attribute__((aligned(64)));

uint8_t *activity_buffers_request(void)
{
	struct activity_buffer *buffer;
	uint8_t *memory;

	pthread_mutex_lock(&lock);
	buffer = free_buffers;
	if (buffer)
		free_buffers = buffer->next;
	else if (buffer_count < MOST_BUFFERS)
		buffer_count++;
	else
		buffer = (void *)discard_buffer;
	pthread_mutex_unlock(&lock);
	if (buffer == (void *)discard_buffer)
		return discard_buffer;
	if (buffer)
		return buffer->records;
	memory = aligned_alloc(HEADER_BYTES, HEADER_BYTES + ACTIVITY_BUFFER_BYTES);
	if (!memory)
		return discard_buffer;
	buffer = (void *)memory;
	buffer->records = memory + HEADER_BYTES;
	return buffer->records;
}

int activity_buffers_complete(uint8_t *records, size_t valid_bytes)
{
	struct activity_buffer *buffer = (void *)(records - HEADER_BYTES);

	if (records == discard_buffer)
		return 0;
	buffer->valid_bytes = valid_bytes;
	buffer->next = NULL;
	pthread_mutex_lock(&lock);
	*newest = buffer;
	newest = &buffer->next;
	pthread_mutex_unlock(&lock);
	return 1;
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
	pthread_mutex_lock(&lock);
	buffer->next = free_buffers;
	free_buffers = buffer;
	pthread_mutex_unlock(&lock);
}
