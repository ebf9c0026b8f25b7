#include "cmocka_test.h"
#include "base/median.h"
#include "base/memory.h"
#include "base/search.h"
#include "base/sort.h"

#include <stdlib.h>

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Keys within [least, least + range], sorted, and checked against what sorting means. */
static void check(size_t count, uint64_t least, uint64_t range)
{
	struct sort_key *keys = memory_array(count, sizeof(*keys));
	uint64_t *elements = memory_array(count, sizeof(*elements)), state = 88172645463325252u;
	struct room room = {0};
	size_t i;

	for (i = 0; i < count; i++) {
		elements[i] = least + (range == UINT64_MAX ? next_random(&state)
							   : next_random(&state) % (range + 1));
		keys[i] = (struct sort_key){elements[i], (uint32_t)i};
	}
	sort_by_key(keys, count, &room);
	for (i = 0; i < count; i++) {
		assert_int_equal(keys[i].key, elements[keys[i].index]);
		if (i > 0 && keys[i].key == keys[i - 1].key)
			assert_true(keys[i].index > keys[i - 1].index);
		else if (i > 0)
			assert_true(keys[i].key > keys[i - 1].key);
	}
	sort_elements(elements, sizeof(*elements), keys, count);
	for (i = 0; i < count; i++)
		assert_int_equal(elements[i], keys[i].key);
	room_free(&room);
	free(keys);
	free(elements);
}

TEST(test_sorts_any_range)
{
	static const uint64_t ranges[] = {
		0, 1, 2047, 2048, 1 << 22, (uint64_t)1 << 40, INT64_MAX, UINT64_MAX - 1};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		check(0, 0, ranges[i]);
		check(1, 7, ranges[i]);
		check(2, 0, ranges[i]);
		check(5000, 0, ranges[i]);
		check(3000, UINT64_MAX - ranges[i], ranges[i]);
	}
	check(3000, 0, UINT64_MAX);
}

/* Elements of three bytes, which are no number's size: one round through all, and some that stay. */
TEST(test_moves_elements_of_any_size)
{
	char elements[] = "aA-bB-cC-dD-eE-";
	struct sort_key keys[] = {{1, 3}, {2, 0}, {3, 2}, {4, 4}, {5, 1}};

	sort_elements(elements, 3, keys, 5);
	assert_string_equal(elements, "dD-aA-cC-eE-bB-");
}

static int compare_signed(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Few and many, and times before zero. */
TEST(test_sorts_times)
{
	static const size_t counts[] = {0, 1, 2, 511, 512, 5000};
	uint64_t random = 88172645463325252u;

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		int64_t *times = memory_array(counts[i], sizeof(*times));
		int64_t *expected = memory_array(counts[i], sizeof(*times));

		for (size_t j = 0; j < counts[i]; j++)
			times[j] = expected[j] =
				j == 7 ? INT64_MIN : (int64_t)next_random(&random) >> (j % 60);
		qsort(expected, counts[i], sizeof(*expected), compare_signed);
		assert_int_equal(median_ns(times, counts[i]),
				 counts[i] ? expected[counts[i] / 2] : 0);
		for (size_t j = 0; j < counts[i]; j++)
			assert_int_equal(times[j], expected[j]);
		free(times);
		free(expected);
	}
}

/* As a loop over all finds it, of each count, place and first index. */
TEST(test_search)
{
	const int values[] = {1, 3, 3, 3, 5, 8, 8, 9};

	for (size_t count = 0; count <= 8; count++)
		for (int wanted = 0; wanted <= 10; wanted++)
			for (size_t first = 0; first <= count; first++) {
				size_t found = first;

				while (found < count && values[found] < wanted)
					found++;
				assert_int_equal(search_from(first, count, i, values[i] < wanted),
						 found);
				if (first == 0)
					assert_int_equal(search(count, i, values[i] < wanted),
							 found);
			}
	assert_int_equal(search_from(1, 0, i, values[i] < 9), 1);
}

RUN_TESTS(NULL, NULL)
