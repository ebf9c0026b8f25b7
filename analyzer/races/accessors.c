#include "races/accessors.h"

#include "base/thresholds.h"
#include "base/vector.h"
#include "model/extents.h"

/* Of one piece of memory, one a stream; those behind it are forgotten. */
#define ACCESSORS_MOST 16

/* 0 is none. */
struct entry {
	struct accessor accessor;
	uint32_t next;
};

struct accessors {
	struct accessors_user user;
	struct extents writers, readers; /* values: the first of some entries */
	VECTOR(struct entry) entries;
};

struct accessors *accessors_create(struct accessors_user user)
{
	struct accessors *accessors = memory_array(1, sizeof(*accessors));

	accessors->user = user;
	*vector_add(&accessors->entries) = (struct entry){0};
	return accessors;
}

void accessors_free(struct accessors *accessors)
{
	extents_free(&accessors->writers);
	extents_free(&accessors->readers);
	vector_free(&accessors->entries);
	free(accessors);
}

static void each_in(const struct accessors *accessors, const struct extents *extents,
		    uint64_t start, uint64_t end,
		    void (*take)(void *context, const struct accessor *accessor), void *context)
{
	const struct extent *extent;
	uint64_t cursor = 0;
	uint32_t last = 0;
	int pieces = 0;

	while ((extent = extents_next(extents, start, end, &cursor)) && ++pieces <= PIECES_MOST) {
		if (extent->value == last)
			continue;
		last = extent->value;
		for (uint32_t i = last; i; i = accessors->entries.items[i].next)
			take(context, &accessors->entries.items[i].accessor);
	}
}

void accessors_each(const struct accessors *accessors, uint64_t start, uint64_t end,
		    void (*take)(void *context, const struct accessor *accessor), void *context)
{
	each_in(accessors, &accessors->writers, start, end, take, context);
	each_in(accessors, &accessors->readers, start, end, take, context);
}

/* Those that conflict with `now`, or that are remembered beside it. */
struct visit {
	struct accessors *accessors;
	const struct accessor *now;
	bool keeps_all;
	uint32_t first; /* of the list that is made */
	int count;
};

static void take_conflict(void *context, const struct accessor *before)
{
	const struct visit *visit = context;
	const struct accessors_user *user = &visit->accessors->user;

	if (before->stream != visit->now->stream)
		user->take(user->context, before, visit->now);
}

static void keep_accessor(void *context, const struct accessor *before)
{
	struct visit *visit = context;
	const struct accessors_user *user = &visit->accessors->user;
	const struct accessor kept = *before;

	if (before->stream == visit->now->stream || visit->count == ACCESSORS_MOST ||
	    (!visit->keeps_all && !user->is_unordered(user->context, before, visit->now)))
		return;
	for (uint32_t i = visit->first; i; i = visit->accessors->entries.items[i].next)
		if (visit->accessors->entries.items[i].accessor.stream == kept.stream)
			return;
	visit->count++;
	*vector_add(&visit->accessors->entries) = (struct entry){kept, visit->first};
	visit->first = (uint32_t)visit->accessors->entries.count - 1;
}

/* has_now: `now` is one of those who are remembered. */
static void put_accessor(struct accessors *accessors, struct extents *extents, uint64_t start,
			 uint64_t end, const struct accessor *now, bool has_now, bool keeps_all)
{
	struct visit visit = {.accessors = accessors, .now = now, .keeps_all = keeps_all};

	each_in(accessors, extents, start, end, keep_accessor, &visit);
	if (has_now) {
		*vector_add(&accessors->entries) = (struct entry){*now, visit.first};
		visit.first = (uint32_t)accessors->entries.count - 1;
	}
	extents_set(extents, start, end, visit.first);
}

void accessors_enter(struct accessors *accessors, uint64_t start, uint64_t end,
		     const struct accessor *now)
{
	struct visit visit = {.accessors = accessors, .now = now};

	each_in(accessors, &accessors->writers, start, end, take_conflict, &visit);
	if (now->is_written) {
		each_in(accessors, &accessors->readers, start, end, take_conflict, &visit);
		put_accessor(accessors, &accessors->writers, start, end, now, true, false);
		put_accessor(accessors, &accessors->readers, start, end, now, false, false);
	} else {
		put_accessor(accessors, &accessors->readers, start, end, now, true, true);
	}
}

void accessors_forget(struct accessors *accessors, uint64_t start, uint64_t end)
{
	extents_set(&accessors->writers, start, end, 0);
	extents_set(&accessors->readers, start, end, 0);
}
