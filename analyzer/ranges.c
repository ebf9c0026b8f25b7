#include "ranges.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* Index of the first range that ends after the address. */
static size_t first_after(const struct ranges *ranges, uint64_t address)
{
	size_t low = 0, high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->items[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct ranges *ranges, size_t at, struct range range)
{
	ranges->items = memory_grow(ranges->items, ranges->count, &ranges->capacity,
				    sizeof(*ranges->items));
	memmove(&ranges->items[at + 1], &ranges->items[at],
		(ranges->count - at) * sizeof(*ranges->items));
	ranges->items[at] = range;
	ranges->count++;
}

static void erase(struct ranges *ranges, size_t at, size_t count)
{
	memmove(&ranges->items[at], &ranges->items[at + count],
		(ranges->count - at - count) * sizeof(*ranges->items));
	ranges->count -= count;
}

void ranges_set(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t value)
{
	size_t at = first_after(ranges, start), covered = 0;

	/* One that begins before keeps its front, and its back if it reaches beyond. */
	if (at < ranges->count && ranges->items[at].start < start) {
		struct range old = ranges->items[at];

		ranges->items[at].end = start;
		at++;
		if (old.end > end)
			insert(ranges, at, (struct range){end, old.end, old.value});
	}
	while (at + covered < ranges->count && ranges->items[at + covered].end <= end)
		covered++;
	if (at + covered < ranges->count && ranges->items[at + covered].start < end)
		ranges->items[at + covered].start = end;
	if (covered) {
		ranges->items[at] = (struct range){start, end, value};
		erase(ranges, at + 1, covered - 1);
	} else {
		insert(ranges, at, (struct range){start, end, value});
	}
}

const struct range *ranges_next(const struct ranges *ranges, uint64_t start, uint64_t end,
				size_t *place)
{
	/* One past the index of the range returned last; 0 at the beginning. */
	size_t at = *place ? *place : first_after(ranges, start);

	if (at >= ranges->count || ranges->items[at].start >= end)
		return NULL;
	*place = at + 1;
	return &ranges->items[at];
}

void ranges_free(struct ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct ranges){0};
}
