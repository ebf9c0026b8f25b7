/* Extents against a plain array with one value a byte. */
#include "cmocka_test.h"
#include "model/extents.h"

#define BYTES 200
#define SETS  20000

static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* What an iteration over [start, end) gives, written as one value a byte. Extents come in order and
 * do not overlap. */
static void read_back(const struct extents *extents, uint64_t start, uint64_t end,
		      uint32_t values[BYTES])
{
	const struct extent *extent;
	uint64_t cursor = 0, until = 0;

	while ((extent = extents_next(extents, start, end, &cursor))) {
		assert_true(extent->start >= until && extent->start < extent->end);
		assert_true(extent->start < end && extent->end > start);
		assert_true(extent->value);
		until = extent->end;
		for (uint64_t i = extent->start; i < extent->end; i++)
			values[i] = extent->value;
	}
}

TEST(test_new_value_wins)
{
	struct extents extents = {0};
	const struct extent *extent;
	uint64_t cursor = 0;

	extents_set(&extents, 10, 40, 1);
	extents_set(&extents, 20, 30, 2); /* in the middle: 1 keeps both ends */
	assert_null(extents_next(&extents, 0, 10, &cursor));
	extent = extents_next(&extents, 5, 40, &cursor);
	assert_int_equal(extent->start, 10);
	assert_int_equal(extent->end, 20);
	assert_int_equal(extent->value, 1);
	extent = extents_next(&extents, 5, 40, &cursor);
	assert_int_equal(extent->start, 20);
	assert_int_equal(extent->value, 2);
	extent = extents_next(&extents, 5, 40, &cursor);
	assert_int_equal(extent->start, 30);
	assert_int_equal(extent->end, 40);
	assert_int_equal(extent->value, 1);
	assert_null(extents_next(&extents, 5, 40, &cursor));
	extents_free(&extents);
}

TEST(test_against_bytes)
{
	uint32_t expected[BYTES] = {0};
	struct extents extents = {0};
	unsigned int random = 20261120;

	for (uint32_t i = 1; i <= SETS; i++) {
		uint64_t start = next_random(&random) % BYTES, from = next_random(&random) % BYTES;
		uint64_t most = i % 2 ? 8 : BYTES, to = from + 1 + next_random(&random) % BYTES;
		uint64_t end = start + 1 + next_random(&random) % most;
		uint32_t values[BYTES] = {0}, value = i % 5 ? i : 0;

		end = end < BYTES ? end : BYTES;
		to = to < BYTES ? to : BYTES;
		extents_set(&extents, start, end, value);
		for (uint64_t k = start; k < end; k++)
			expected[k] = value;
		read_back(&extents, from, to, values);
		for (uint64_t k = from; k < to; k++)
			assert_int_equal(values[k], expected[k]);
	}
	/* Nodes are used again: there are never more extents than bytes. */
	assert_in_range(extents.count, 1, BYTES + 2);
	extents_free(&extents);
}

RUN_TESTS(NULL, NULL)
