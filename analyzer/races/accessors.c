#include "races/accessors.h"

#include "base/thresholds.h"
#include "base/vector.h"
#include "model/extents.h"

#include <stdlib.h>

/* Of one piece of memory, one a stream; those behind it are forgotten. */
enum { ACCESSORS_MOST = 16 };

/* Entries that are kept before any is removed. */
enum { ENTRIES_LEAST = 1 << 14 };

/* 0 is none. */
struct entry {
	struct accessor accessor;
	uint32_t next;
};

struct accessors {
	struct accessors_user user;
	struct extents writers, readers; /* values: the first of some entries */
	VECTOR(struct entry) entries;
	size_t most_entries; /* Once entries has more, those that no extent refers to are removed. */
};

struct accessors *accessors_create(struct accessors_user user)
{
	struct accessors *accessors = memory_array(1, sizeof(*accessors));

	accessors->user = user;
	accessors->most_entries = ENTRIES_LEAST;
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

/* While the entries that stay are moved. */
struct moving {
	VECTOR(struct entry) entries;
	uint32_t *moved; /* by index of a list's first entry: its new index; 0: not moved */
};

static uint32_t move_list(const struct accessors *accessors, struct moving *moving, uint32_t first)
{
	if (moving->moved[first])
		return moving->moved[first];
	moving->moved[first] = (uint32_t)moving->entries.count;
	for (uint32_t i = first; i; i = accessors->entries.items[i].next) {
		struct entry entry = accessors->entries.items[i];

		entry.next = entry.next ? (uint32_t)moving->entries.count + 1 : 0;
		*vector_add(&moving->entries) = entry;
	}
	return moving->moved[first];
}

static void move_lists(const struct accessors *accessors, struct moving *moving,
		       struct extents *extents)
{
	const struct extent *extent;
	uint64_t cursor = 0;

	while ((extent = extents_next(extents, 0, UINT64_MAX, &cursor)))
		extents_set(extents, extent->start, extent->end,
			    move_list(accessors, moving, extent->value));
}

/* Removes the entries of lists that no extent has any more: each access makes a new list. */
static void drop_unused(struct accessors *accessors)
{
	struct moving moving = {
		.moved = memory_array(accessors->entries.count, sizeof(*moving.moved))};

	*vector_add(&moving.entries) = (struct entry){0};
	move_lists(accessors, &moving, &accessors->writers);
	move_lists(accessors, &moving, &accessors->readers);
	free(moving.moved);
	vector_free(&accessors->entries);
	vector_move(&moving.entries, accessors->entries.items, accessors->entries.count);
	accessors->entries.capacity = accessors->entries.count;
	accessors->most_entries = 2 * accessors->entries.count > ENTRIES_LEAST
					  ? 2 * accessors->entries.count
					  : ENTRIES_LEAST;
}

size_t accessors_remembered(const struct accessors *accessors)
{
	return accessors->entries.count - 1;
}

void accessors_enter(struct accessors *accessors, uint64_t start, uint64_t end,
		     const struct accessor *now)
{
	struct visit visit = {.accessors = accessors, .now = now};

	if (accessors->entries.count > accessors->most_entries)
		drop_unused(accessors);
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
