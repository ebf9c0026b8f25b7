#include "replay/schedule/replay_pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* So many choices of streams are remembered, the last ones that were taken. */
enum { MOST_KEPT = 8 };

/* What operations need in some streams: where they and their host functions are says which. */
struct kept_needs {
	struct needs *needs; /* NULL: nothing is kept here or, with users, one finds them */
	uint32_t *streams;   /* as in struct edits; NULL: those of the trace */
	uint8_t *are_gone;   /* host functions with EDIT_TO_THREAD; NULL: none */
	size_t users;
	uint64_t taken; /* the last time, counted in takes */
};

/* So many ends are remembered, the last ones. */
enum { MOST_ENDS = 512 };

struct known_end {
	struct edits_key key;
	int64_t end_ns;
};

struct replay_pool {
	pthread_mutex_t lock;
	pthread_cond_t is_found;
	struct replay_memory *unused;
	struct kept_needs kept[MOST_KEPT];
	uint64_t takes; /* so far */
	struct known_end ends[MOST_ENDS];
	size_t end_count; /* so far, with those that are forgotten */
};

static void forget_needs(struct kept_needs *kept)
{
	needs_free(kept->needs);
	free(kept->streams);
	free(kept->are_gone);
	*kept = (struct kept_needs){0};
}

struct replay_pool *replay_pool_create(void)
{
	struct replay_pool *pool = memory_array(1, sizeof(*pool));

	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->is_found, NULL);
	return pool;
}

void replay_pool_rest(struct replay_pool *pool)
{
	while (pool->unused) {
		struct replay_memory *memory = pool->unused;

		pool->unused = memory->next;
		schedule_free(&memory->schedule);
		schedule_changes_free(&memory->changes);
		schedule_memory_free(&memory->run);
		room_free(&memory->ends);
		room_free(&memory->given);
		free(memory);
	}
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

static bool is_gone(const struct edits *edits, size_t function)
{
	return edits && edits->host_functions[function] & EDIT_TO_THREAD;
}

static bool is_of(const struct kept_needs *kept, const struct model *model,
		  const struct edits *edits)
{
	const uint32_t *streams = edits ? edits->streams : NULL;
	size_t functions = model->trace->host_function_count;

	if ((!kept->needs && !kept->users) || !kept->streams != !streams ||
	    (streams && memcmp(kept->streams, streams, model->operation_count * sizeof(*streams))))
		return false;
	for (size_t i = 0; i < functions; i++)
		if (is_gone(edits, i) != (kept->are_gone && kept->are_gone[i]))
			return false;
	return true;
}

/* What it is of, before it is found. */
static void note_edits(struct kept_needs *kept, const struct model *model,
		       const struct edits *edits)
{
	size_t functions = model->trace->host_function_count;

	if (edits && edits->streams) {
		kept->streams = memory_array(model->operation_count, sizeof(*kept->streams));
		memcpy(kept->streams, edits->streams,
		       model->operation_count * sizeof(*kept->streams));
	}
	kept->are_gone = memory_array(functions, sizeof(*kept->are_gone));
	for (size_t i = 0; i < functions; i++)
		kept->are_gone[i] = is_gone(edits, i);
}

static struct kept_needs *find_kept(struct replay_pool *pool, const struct model *model,
				    const struct edits *edits)
{
	for (size_t i = 0; i < MOST_KEPT; i++)
		if (is_of(&pool->kept[i], model, edits))
			return &pool->kept[i];
	return NULL;
}

/* A place for needs with these edits, of the unused one that was taken longest ago; NULL: all are in use. */
static struct kept_needs *make_place(struct replay_pool *pool, const struct model *model,
				     const struct edits *edits)
{
	struct kept_needs *place = NULL;

	for (size_t i = 0; i < MOST_KEPT; i++)
		if (!pool->kept[i].users && (!place || pool->kept[i].taken < place->taken))
			place = &pool->kept[i];
	if (!place)
		return NULL;
	forget_needs(place);
	note_edits(place, model, edits);
	return place;
}

static struct needs *find_needs(const struct timeline *timeline, const struct edits *edits)
{
	return needs_find(timeline, edits,
			  timeline->model->trace->stream_count + (edits ? edits->added.count : 0));
}

/* With the lock, which it gives back while it finds them; users keep the place. */
static void fill_place(const struct timeline *timeline, struct kept_needs *place,
		       const struct edits *edits)
{
	struct replay_pool *pool = timeline->pool;
	struct needs *needs;

	pthread_mutex_unlock(&pool->lock);
	needs = find_needs(timeline, edits);
	pthread_mutex_lock(&pool->lock);
	place->needs = needs;
	pthread_cond_broadcast(&pool->is_found);
}

const struct needs *replay_pool_take_needs(const struct timeline *timeline,
					   const struct edits *edits)
{
	const struct model *model = timeline->model;
	struct replay_pool *pool = timeline->pool;
	const struct needs *needs = NULL;
	struct kept_needs *kept;
	bool is_new;

	pthread_mutex_lock(&pool->lock);
	kept = find_kept(pool, model, edits);
	is_new = !kept;
	if (is_new)
		kept = make_place(pool, model, edits);
	if (kept) {
		kept->users++;
		kept->taken = ++pool->takes;
		if (is_new)
			fill_place(timeline, kept, edits);
		while (!kept->needs)
			pthread_cond_wait(&pool->is_found, &pool->lock);
		needs = kept->needs;
	}
	pthread_mutex_unlock(&pool->lock);
	return needs ? needs : find_needs(timeline, edits);
}

void replay_pool_return_needs(const struct timeline *timeline, const struct needs *needs)
{
	struct replay_pool *pool = timeline->pool;
	bool is_kept = false;

	pthread_mutex_lock(&pool->lock);
	for (size_t i = 0; i < MOST_KEPT && !is_kept; i++) {
		is_kept = pool->kept[i].needs == needs;
		pool->kept[i].users -= is_kept;
	}
	pthread_mutex_unlock(&pool->lock);
	if (!is_kept)
		needs_free((struct needs *)needs);
}

void replay_pool_free(struct replay_pool *pool)
{
	replay_pool_rest(pool);
	for (size_t i = 0; i < MOST_KEPT; i++)
		forget_needs(&pool->kept[i]);
	pthread_cond_destroy(&pool->is_found);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

static struct known_end *find_end(struct replay_pool *pool, struct edits_key key)
{
	size_t count = pool->end_count < MOST_ENDS ? pool->end_count : MOST_ENDS;

	for (size_t i = 0; i < count; i++)
		if (pool->ends[i].key.first == key.first && pool->ends[i].key.second == key.second)
			return &pool->ends[i];
	return NULL;
}

bool replay_pool_find_end(const struct timeline *timeline, struct edits_key key, int64_t *end_ns)
{
	struct replay_pool *pool = timeline->pool;
	const struct known_end *end;

	pthread_mutex_lock(&pool->lock);
	end = find_end(pool, key);
	if (end)
		*end_ns = end->end_ns;
	pthread_mutex_unlock(&pool->lock);
	return end;
}

void replay_pool_note_end(const struct timeline *timeline, struct edits_key key, int64_t end_ns)
{
	struct replay_pool *pool = timeline->pool;

	pthread_mutex_lock(&pool->lock);
	if (!find_end(pool, key))
		pool->ends[pool->end_count++ % MOST_ENDS] = (struct known_end){key, end_ns};
	pthread_mutex_unlock(&pool->lock);
}
