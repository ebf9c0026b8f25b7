#include "base/median.h"

#include <stdlib.h>

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void sort_ns(int64_t *times, size_t count)
{
	if (count)
		qsort(times, count, sizeof(*times), compare_times);
}

int64_t median_ns(int64_t *times, size_t count)
{
	sort_ns(times, count);
	return count ? times[count / 2] : 0;
}
