#include "base/median.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Fewer are sorted sooner by comparing them. */
#define MANY 256

void sort_ns(int64_t *times, size_t count)
{
	struct sort_key *keys;

	if (count < MANY) {
		if (count)
			qsort(times, count, sizeof(*times), compare_times);
		return;
	}
	keys = memory_array(count, sizeof(*keys));
	for (size_t i = 0; i < count; i++)
		keys[i].key = sort_signed(times[i]);
	sort_by_key_once(keys, count);
	for (size_t i = 0; i < count; i++)
		times[i] = (int64_t)sort_signed((int64_t)keys[i].key);
	free(keys);
}

int64_t median_ns(int64_t *times, size_t count)
{
	sort_ns(times, count);
	return count ? times[count / 2] : 0;
}
