#include "replay/schedule/replay_bases.h"

#include "base/thresholds.h"
#include "replay/schedule/replay_pool.h"

#include <pthread.h>
#include <stdlib.h>

/* Bases that are kept, and the last choices of streams, which are remembered. */
enum { MOST_BASES = 16, MOST_SEEN = 64 };

struct kept_base {
	struct edits_key key;
	struct replay_base *base; /* NULL: a thread makes it */
	size_t users;
	uint64_t taken; /* the last time, counted in takes */
};

struct replay_bases {
	pthread_mutex_t lock;
	pthread_cond_t is_made;
	struct kept_base kept[MOST_BASES];
	size_t count;
	uint64_t takes; /* so far */
	struct edits_key seen[MOST_SEEN];
	size_t seen_count; /* so far, with those that are forgotten */
};

struct replay_bases *replay_bases_create(void)
{
	struct replay_bases *bases = memory_array(1, sizeof(*bases));

	pthread_mutex_init(&bases->lock, NULL);
	pthread_cond_init(&bases->is_made, NULL);
	return bases;
}

static void forget_base(const struct timeline *timeline, struct replay_bases *bases, size_t index)
{
	struct replay_base *base = bases->kept[index].base;
	const struct needs *needs = replay_base_needs(base);

	replay_base_free(base);
	replay_pool_return_needs(timeline, needs);
	bases->kept[index] = bases->kept[--bases->count];
}

static void free_unused(const struct timeline *timeline, struct replay_bases *bases)
{
	for (size_t i = bases->count; i-- > 0;)
		if (!bases->kept[i].users)
			forget_base(timeline, bases, i);
}

void replay_bases_rest(const struct timeline *timeline)
{
	pthread_mutex_lock(&timeline->bases->lock);
	free_unused(timeline, timeline->bases);
	pthread_mutex_unlock(&timeline->bases->lock);
}

void replay_bases_free(const struct timeline *timeline, struct replay_bases *bases)
{
	free_unused(timeline, bases);
	pthread_cond_destroy(&bases->is_made);
	pthread_mutex_destroy(&bases->lock);
	free(bases);
}

static bool is_same(struct edits_key a, struct edits_key b)
{
	return a.first == b.first && a.second == b.second;
}

static struct kept_base *find_base(struct replay_bases *bases, struct edits_key key)
{
	for (size_t i = 0; i < bases->count; i++)
		if (is_same(bases->kept[i].key, key))
			return &bases->kept[i];
	return NULL;
}

/* Whether it came before; from now on it has. */
static bool has_come(struct replay_bases *bases, struct edits_key key)
{
	size_t count = bases->seen_count < MOST_SEEN ? bases->seen_count : MOST_SEEN;

	for (size_t i = 0; i < count; i++)
		if (is_same(bases->seen[i], key))
			return true;
	bases->seen[bases->seen_count++ % MOST_SEEN] = key;
	return false;
}

static bool are_too_many(const struct replay_bases *bases)
{
	size_t tasks = 0;

	for (size_t i = 0; i < bases->count; i++)
		tasks += bases->kept[i].base ? replay_base_task_count(bases->kept[i].base) : 0;
	return bases->count == MOST_BASES || (bases->count > 2 && tasks > REPLAY_MOST_TASKS);
}

/* The one that nobody has and that was taken longest ago; count: all are in use. */
static size_t find_oldest(const struct replay_bases *bases)
{
	size_t oldest = bases->count;

	for (size_t i = 0; i < bases->count; i++)
		if (!bases->kept[i].users &&
		    (oldest == bases->count || bases->kept[i].taken < bases->kept[oldest].taken))
			oldest = i;
	return oldest;
}

/* A place for one more; NULL: all are in use. */
static struct kept_base *make_place(const struct timeline *timeline, struct edits_key key)
{
	struct replay_bases *bases = timeline->bases;

	while (are_too_many(bases)) {
		size_t oldest = find_oldest(bases);

		if (oldest == bases->count)
			break;
		forget_base(timeline, bases, oldest);
	}
	if (bases->count == MOST_BASES)
		return NULL;
	bases->kept[bases->count] = (struct kept_base){.key = key};
	return &bases->kept[bases->count++];
}

/* With the lock, which it gives back while it makes it. */
static struct kept_base *add_base(const struct timeline *timeline, const struct edits *edits,
				  struct edits_key key)
{
	struct replay_bases *bases = timeline->bases;
	struct kept_base *kept = make_place(timeline, key);
	struct replay_base *base;

	if (!kept)
		return NULL;
	kept->users = 1;
	pthread_mutex_unlock(&bases->lock);
	base = replay_base_create(timeline, replay_pool_take_needs(timeline, edits), edits);
	pthread_mutex_lock(&bases->lock);
	/* Others may have moved it. */
	kept = find_base(bases, key);
	kept->users--;
	kept->base = base;
	pthread_cond_broadcast(&bases->is_made);
	return kept;
}

const struct replay_base *replay_bases_take(const struct timeline *timeline,
					    const struct edits *edits)
{
	struct edits_key key = edits_base_key_of(edits, timeline->model);
	struct replay_bases *bases = timeline->bases;
	const struct replay_base *base = NULL;
	struct kept_base *kept;

	pthread_mutex_lock(&bases->lock);
	while ((kept = find_base(bases, key)) && !kept->base)
		pthread_cond_wait(&bases->is_made, &bases->lock);
	if (!kept && (!edits->streams || has_come(bases, key)))
		kept = add_base(timeline, edits, key);
	if (kept) {
		kept->users++;
		kept->taken = ++bases->takes;
		base = kept->base;
	}
	pthread_mutex_unlock(&bases->lock);
	return base;
}

void replay_bases_return(const struct timeline *timeline, const struct replay_base *base)
{
	struct replay_bases *bases = timeline->bases;

	pthread_mutex_lock(&bases->lock);
	for (size_t i = 0; i < bases->count; i++)
		bases->kept[i].users -= bases->kept[i].base == base;
	pthread_mutex_unlock(&bases->lock);
}
