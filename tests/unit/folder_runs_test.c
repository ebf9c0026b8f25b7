/* Which files of a folder are of its newest run. */
#include "cmocka_test.h"
#include "job/folder_runs.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* expected: a letter a file, 'x' where it is chosen. */
static void check(const struct folder_file *files, size_t count, const char *expected)
{
	const struct folder_file *pointers[16];
	bool *is_chosen;

	assert_int_equal(strlen(expected), count);
	for (size_t i = 0; i < count; i++)
		pointers[i] = &files[i];
	is_chosen = folder_runs_choose(pointers, count);
	for (size_t i = 0; i < count; i++)
		if (is_chosen[i] != (expected[i] == 'x'))
			fail_msg("file %zu of %s", i, expected);
	free(is_chosen);
}

static struct folder_file file_of(const char *rank, const char *traced_by, const char *run,
				  int64_t start_ns, int64_t end_ns)
{
	return (struct folder_file){.rank = (char *)rank,
				    .traced_by = (char *)traced_by,
				    .run = (char *)run,
				    .ranks = (char *)"2",
				    .boot_id = (char *)"a",
				    .start_ns = start_ns,
				    .end_ns = end_ns};
}

TEST(test_of_one_run_all_are_taken)
{
	const struct folder_file in_turn[] = {file_of(NULL, "h.1.1", NULL, 10, 20),
					      file_of(NULL, "h.1.1", NULL, 30, 40),
					      file_of("0", "h.1.1", "torchelastic:x", 50, 60),
					      file_of("1", "h.1.1", "torchelastic:x", 50, 60)};
	const struct folder_file unknown[] = {file_of(NULL, NULL, NULL, 0, 0),
					      file_of("0", NULL, NULL, 900, 901),
					      file_of("0", NULL, NULL, 1, 2)};

	check(in_turn, COUNT(in_turn), "xxxx");
	check(unknown, COUNT(unknown), "xxx");
	check(NULL, 0, "");
}

TEST(test_the_newest_run_counts)
{
	const struct folder_file files[] = {
		file_of("0", "h.1.1", "torchelastic:x", 10, 20),
		file_of("1", "h.1.1", "torchelastic:x", 10, 20),
		file_of("0", "h.2.2", "torchelastic:x", 30, 40),
		file_of(NULL, NULL, NULL, 0, 0),
	};
	/* Its rank 1 left no trace, and the old one is not taken for it. */
	check(files, COUNT(files), "..x.");
}

/* A `streamtrace run` a rank, or one a machine. */
TEST(test_a_launch_has_many_runs)
{
	const struct folder_file mpi[] = {
		file_of("0", "h.1.1", "pmix:1", 10, 20), file_of("1", "h.2.2", "pmix:1", 30, 40),
		file_of("0", "h.3.3", "pmix:2", 50, 60), file_of("1", "g.1.1", "pmix:2", 70, 80)};
	struct folder_file machines[] = {
		file_of("0", "h.1.1", "torchelastic:x", 10, 25),
		file_of("1", "g.1.1", "torchelastic:x", 30, 40),
	};

	check(mpi, COUNT(mpi), "..xx");
	/* One ended before the other began, by one clock; by two clocks nobody knows. */
	check(machines, COUNT(machines), ".x");
	machines[1].boot_id = (char *)"b";
	check(machines, COUNT(machines), "xx");
	machines[1].ranks = (char *)"4";
	check(machines, COUNT(machines), ".x");
}

/* torchrun starts the workers again. */
TEST(test_a_restart_is_another_run)
{
	const struct folder_file files[] = {
		file_of("0", "h.1.1", "torchelastic:x", 10, 20),
		file_of("1", "h.1.1", "torchelastic:x", 10, 20),
		file_of("0", "h.1.1", "torchelastic:x#1", 30, 40),
		file_of("1", "h.1.1", "torchelastic:x#1", 30, 40),
		file_of(NULL, "h.1.1", NULL, 5, 6),
	};

	check(files, COUNT(files), "..xxx");
}

RUN_TESTS(NULL, NULL)
