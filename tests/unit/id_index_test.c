/* Ids to indexes: by a table and by a sorted array, and of equal ids the first. */
#include "trace/id_index.h"

#include "cmocka_test.h"

enum { COUNT = 5000, MORE = 50 };

static uint32_t ids[COUNT], indexes[COUNT], more_ids[MORE], more_indexes[MORE];

static size_t find_slowly(uint32_t id)
{
	for (size_t i = 0; i < COUNT && id; i++)
		if (ids[i] == id)
			return indexes[i];
	for (size_t i = 0; i < MORE && id; i++)
		if (more_ids[i] == id)
			return more_indexes[i];
	return ID_NONE;
}

/* Ids are 0 (none) or least, least + step, ..., some twice. */
static void check(uint32_t least, uint32_t step, bool is_table)
{
	const struct ids arrays[] = {{ids, indexes, COUNT}, {more_ids, more_indexes, MORE}};
	struct id_index index;

	for (uint32_t i = 0; i < COUNT; i++) {
		ids[i] = i % 11 ? least + i * 2477 % COUNT / 2 * step : 0;
		indexes[i] = i;
	}
	for (uint32_t i = 0; i < MORE; i++) {
		more_ids[i] = i ? least + i * 97 * step : 0;
		more_indexes[i] = COUNT + i;
	}
	id_index_build(&index, arrays, 2);
	assert_int_equal(index.places != NULL, is_table);
	for (uint32_t i = 0; i < COUNT + 2; i++)
		for (uint32_t by = 0; by < 2; by++) {
			const uint32_t id = least - 1 + i * step + by;

			assert_int_equal(id_index_find(&index, id), find_slowly(id));
		}
	assert_int_equal(id_index_find(&index, 0), ID_NONE);
	assert_int_equal(id_index_find(&index, UINT64_MAX), ID_NONE);
	id_index_free(&index);
}

TEST(test_few_gaps)
{
	check(1, 1, true);
	check(UINT32_MAX - 3 * COUNT, 2, true);
}

TEST(test_many_gaps)
{
	check(1, 50, false);
	check(7, UINT32_MAX / COUNT / 2, false);
}

TEST(test_one_and_none)
{
	const uint32_t id = UINT32_MAX, zero = 0, place = 3;
	struct id_index index;

	id_index_build(&index, &(struct ids){&id, &place, 1}, 1);
	assert_int_equal(id_index_find(&index, id), place);
	assert_int_equal(id_index_find(&index, id - 1), ID_NONE);
	id_index_free(&index);
	id_index_build(&index, &(struct ids){&zero, &place, 1}, 1);
	assert_int_equal(id_index_find(&index, 0), ID_NONE);
	id_index_free(&index);
}

RUN_TESTS(NULL, NULL)
