#include "base/median.h"

#include <stdlib.h>

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int64_t median_ns(int64_t *times, size_t count)
{
	if (!count)
		return 0;
	qsort(times, count, sizeof(*times), compare_times);
	return times[count / 2];
}
