#include "base/median.h"

#include "base/sort.h"

#include <stdlib.h>

/* Fewer times sort faster by comparison. */
#define MANY_TIMES 512

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Unsigned numbers in the order of the signed ones. */
static uint64_t biased_ns(int64_t time_ns)
{
	return (uint64_t)time_ns ^ UINT64_C(1) << 63;
}

static void sort_many(int64_t *times, size_t count)
{
	struct sort_key *keys = memory_array(count, sizeof(*keys));
	struct room room = {0};

	for (size_t i = 0; i < count; i++)
		keys[i].key = biased_ns(times[i]);
	sort_by_key(keys, count, &room);
	for (size_t i = 0; i < count; i++)
		times[i] = (int64_t)(keys[i].key ^ UINT64_C(1) << 63);
	room_free(&room);
	free(keys);
}

void sort_ns(int64_t *times, size_t count)
{
	if (count >= MANY_TIMES)
		sort_many(times, count);
	else if (count)
		qsort(times, count, sizeof(*times), compare_times);
}

int64_t median_ns(int64_t *times, size_t count)
{
	sort_ns(times, count);
	return count ? times[count / 2] : 0;
}

static void swap_values(double *a, double *b)
{
	double kept = *a;

	*a = *b;
	*b = kept;
}

double nth_of(double *values, size_t count, size_t n)
{
	size_t first = 0, end = count;

	while (end - first > 1) {
		double pivot = values[first + (end - first) / 2];
		size_t below = first, above = end; /* smaller before, larger from there on */

		for (size_t i = first; i < above;)
			if (values[i] < pivot)
				swap_values(&values[i++], &values[below++]);
			else if (values[i] > pivot)
				swap_values(&values[i], &values[--above]);
			else
				i++;
		if (n >= below && n < above)
			break;
		first = n < below ? first : above;
		end = n < below ? below : end;
	}
	return values[n];
}
