/* Ids with gaps, and ids that there are none of: beside, between and far from them. */
#include "cmocka_test.h"
#include "trace/id_index.h"

#include <stdlib.h>

enum { COUNT = 1000, LEAST = 50, STEP = 7 };

static void test_ids_and_others(void **state)
{
	const uint64_t last = LEAST + (uint64_t)(COUNT - 1) * STEP;
	struct sort_key *ids = malloc(COUNT * sizeof(*ids));
	struct id_index index;

	assert_non_null(ids);
	for (uint32_t i = 0; i < COUNT; i++)
		ids[i] = (struct sort_key){LEAST + (uint64_t)i * STEP, 10 * i};
	id_index_build(&index, ids, COUNT);
	for (uint64_t id = 0; id <= 2 * last; id++) {
		const bool is_there = id >= LEAST && id <= last && (id - LEAST) % STEP == 0;

		assert_int_equal(id_index_find(&index, id),
				 is_there ? (id - LEAST) / STEP * 10 : ID_NONE);
	}
	assert_int_equal(id_index_find(&index, UINT64_MAX), ID_NONE);
	id_index_free(&index);
}

static void test_no_ids(void **state)
{
	struct id_index index;

	id_index_build(&index, NULL, 0);
	assert_int_equal(id_index_find(&index, 0), ID_NONE);
	id_index_free(&index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_ids_and_others),
					   cmocka_unit_test(test_no_ids)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
