/* Ranges against a plain array with one value a byte. */
#include "cmocka_test.h"
#include "model/ranges.h"

#define BYTES 200
#define SETS  20000

static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* What an iteration over [start, end) gives, written as one value a byte. Ranges come in order and
 * do not overlap. */
static void read_back(const struct ranges *ranges, uint64_t start, uint64_t end,
		      uint32_t values[BYTES])
{
	const struct range *range;
	uint64_t cursor = 0, until = 0;

	while ((range = ranges_next(ranges, start, end, &cursor))) {
		assert_true(range->start >= until && range->start < range->end);
		assert_true(range->start < end && range->end > start);
		until = range->end;
		for (uint64_t i = range->start; i < range->end; i++)
			values[i] = range->value;
	}
}

TEST(test_new_value_wins)
{
	struct ranges ranges = {0};
	const struct range *range;
	uint64_t cursor = 0;

	ranges_set(&ranges, 10, 40, 1);
	ranges_set(&ranges, 20, 30, 2); /* in the middle: 1 keeps both ends */
	assert_null(ranges_next(&ranges, 0, 10, &cursor));
	range = ranges_next(&ranges, 5, 40, &cursor);
	assert_int_equal(range->start, 10);
	assert_int_equal(range->end, 20);
	assert_int_equal(range->value, 1);
	range = ranges_next(&ranges, 5, 40, &cursor);
	assert_int_equal(range->start, 20);
	assert_int_equal(range->value, 2);
	range = ranges_next(&ranges, 5, 40, &cursor);
	assert_int_equal(range->start, 30);
	assert_int_equal(range->end, 40);
	assert_int_equal(range->value, 1);
	assert_null(ranges_next(&ranges, 5, 40, &cursor));
	ranges_free(&ranges);
}

TEST(test_against_bytes)
{
	uint32_t expected[BYTES] = {0};
	struct ranges ranges = {0};
	unsigned int random = 20261120;

	for (uint32_t i = 1; i <= SETS; i++) {
		uint64_t start = next_random(&random) % BYTES, from = next_random(&random) % BYTES;
		uint64_t most = i % 2 ? 8 : BYTES, to = from + 1 + next_random(&random) % BYTES;
		uint64_t end = start + 1 + next_random(&random) % most;
		uint32_t values[BYTES] = {0};

		end = end < BYTES ? end : BYTES;
		to = to < BYTES ? to : BYTES;
		ranges_set(&ranges, start, end, i);
		for (uint64_t k = start; k < end; k++)
			expected[k] = i;
		read_back(&ranges, from, to, values);
		for (uint64_t k = from; k < to; k++)
			assert_int_equal(values[k], expected[k]);
	}
	/* Nodes are used again: there are never more ranges than bytes. */
	assert_in_range(ranges.count, 1, BYTES + 2);
	ranges_free(&ranges);
}

RUN_TESTS(NULL, NULL)
