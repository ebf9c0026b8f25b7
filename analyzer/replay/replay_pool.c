#include "replay/replay_pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

struct replay_pool {
	pthread_mutex_t lock;
	struct replay_memory *unused;
	struct needs *needs; /* NULL: not found yet */
};

struct replay_pool *replay_pool_create(void)
{
	struct replay_pool *pool = memory_array(1, sizeof(*pool));

	pthread_mutex_init(&pool->lock, NULL);
	return pool;
}

void replay_pool_rest(struct replay_pool *pool)
{
	while (pool->unused) {
		struct replay_memory *memory = pool->unused;

		pool->unused = memory->next;
		schedule_free(&memory->schedule);
		schedule_memory_free(&memory->run);
		room_free(&memory->ends);
		room_free(&memory->given);
		free(memory);
	}
}

void replay_pool_free(struct replay_pool *pool)
{
	replay_pool_rest(pool);
	needs_free(pool->needs);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

struct replay_memory *replay_pool_take(const struct timeline *timeline)
{
	struct replay_pool *pool = timeline->pool;
	struct replay_memory *memory;

	pthread_mutex_lock(&pool->lock);
	memory = pool->unused;
	if (memory)
		pool->unused = memory->next;
	pthread_mutex_unlock(&pool->lock);
	return memory ? memory : memory_array(1, sizeof(*memory));
}

void replay_pool_return(const struct timeline *timeline, struct replay_memory *memory)
{
	struct replay_pool *pool = timeline->pool;

	pthread_mutex_lock(&pool->lock);
	memory->next = pool->unused;
	pool->unused = memory;
	pthread_mutex_unlock(&pool->lock);
}

const struct needs *replay_pool_needs(const struct timeline *timeline)
{
	struct replay_pool *pool = timeline->pool;
	const struct needs *needs;

	pthread_mutex_lock(&pool->lock);
	if (!pool->needs)
		pool->needs = needs_find(timeline, NULL, timeline->model->trace->stream_count);
	needs = pool->needs;
	pthread_mutex_unlock(&pool->lock);
	return needs;
}
