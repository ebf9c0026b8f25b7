/* Which process of streamtrace-mpi reads which file. */
#include "cmocka_test.h"
#include "mpi/file_shares.h"

#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void check(const uint64_t *bytes, size_t count, unsigned processes, const unsigned *expected)
{
	unsigned *process_of = spread_files(bytes, count, processes);

	for (size_t i = 0; i < count; i++)
		if (process_of[i] != expected[i])
			fail_msg("file %zu is read by %u, not by %u", i, process_of[i],
				 expected[i]);
	free(process_of);
}

/* The 9 first, then each to the one that has least: 9 | 5, 3, 2 | 4, 4. */
TEST(test_the_largest_first)
{
	const uint64_t bytes[] = {2, 4, 3, 9, 4, 5};

	check(bytes, COUNT(bytes), 3, (const unsigned[]){1, 2, 1, 0, 2, 1});
	check(bytes, COUNT(bytes), 1, (const unsigned[COUNT(bytes)]){0});
}

TEST(test_files_without_a_size_are_spread_too)
{
	const uint64_t bytes[4] = {0};
	const uint64_t huge[3] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};

	check(bytes, COUNT(bytes), 2, (const unsigned[]){0, 1, 0, 1});
	check(huge, COUNT(huge), 2, (const unsigned[]){0, 1, 0});
	check(NULL, 0, 3, NULL);
}

TEST(test_no_process_has_much_more)
{
	enum { FILES = 1000, PROCESSES = 7, LARGEST = 5000 };
	uint64_t bytes[FILES], has[PROCESSES] = {0}, all = 0;
	unsigned *process_of;

	for (size_t i = 0; i < FILES; i++)
		all += bytes[i] = i * 2654435761 % LARGEST;
	process_of = spread_files(bytes, FILES, PROCESSES);
	for (size_t i = 0; i < FILES; i++)
		has[process_of[i]] += bytes[i];
	for (size_t i = 0; i < PROCESSES; i++)
		assert_true(has[i] < all / PROCESSES + LARGEST);
	free(process_of);
}

RUN_TESTS(NULL, NULL)
