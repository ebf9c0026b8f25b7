/* Merging jobs: in any order and in any parts the same bytes. */
#include "cmocka_test.h"
#include "job_case.h"

#include <stdlib.h>
#include <string.h>

#define RANKS 13

/* Every process of a random job, and two files that could not be read, each as a job of its own. */
static size_t make_parts(struct job **parts, uint64_t seed)
{
	size_t count = 0;

	for (int64_t rank = 0; rank < RANKS; rank++)
		parts[count++] = job_of_summary(job_case_random(rank, RANKS, seed));
	parts[count++] = job_of_unread("x.db", "is not a trace");
	parts[count++] = job_of_unread("a.db", "is truncated");
	return count;
}

/* Merges two neighbours of a random order, left or right first, until one is left. */
static struct job *merge_somehow(struct job **parts, size_t count, uint64_t *state)
{
	for (size_t i = count; i > 1; i--) {
		size_t other = job_case_below(state, i);
		struct job *part = parts[i - 1];

		parts[i - 1] = parts[other];
		parts[other] = part;
	}
	while (count > 1) {
		size_t at = job_case_below(state, count - 1);

		parts[at] = job_case_below(state, 2) ? job_merge(parts[at], parts[at + 1])
						     : job_merge(parts[at + 1], parts[at]);
		memmove(&parts[at + 1], &parts[at + 2], (count - at - 2) * sizeof(struct job *));
		count--;
	}
	return parts[0];
}

static char *bytes_of(struct job *job, size_t *size)
{
	char *error, *bytes = job_to_bytes(job, size, &error);

	assert_non_null(bytes);
	assert_null(error);
	job_free(job);
	return bytes;
}

static void check_same(struct job *job, const char *bytes, size_t size)
{
	size_t other_size;
	char *other = bytes_of(job, &other_size);

	assert_int_equal(other_size, size);
	assert_memory_equal(other, bytes, size);
	free(other);
}

TEST(test_orders)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct job *parts[RANKS + 2];
		struct job_pile pile = {0};
		uint64_t random = seed;
		size_t count = make_parts(parts, seed), size;
		char *bytes;

		for (size_t i = 0; i < count; i++)
			job_pile_add(&pile, parts[i]);
		bytes = bytes_of(job_pile_take(&pile), &size);
		for (int i = 0; i < 5; i++) {
			count = make_parts(parts, seed);
			check_same(merge_somehow(parts, count, &random), bytes, size);
		}
		free(bytes);
	}
}

/* As between machines: parts travel as bytes. */
TEST(test_bytes)
{
	struct job *parts[RANKS + 2], *whole = job_create();
	size_t count = make_parts(parts, 3), size, whole_size;
	char *bytes, *error;

	for (size_t i = 0; i < count; i++)
		whole = job_merge(whole, parts[i]);
	bytes = bytes_of(whole, &whole_size);
	make_parts(parts, 3);
	whole = job_create();
	for (size_t i = count; i-- > 0;) {
		char *part = bytes_of(parts[i], &size);
		struct job *arrived = job_from_bytes(part, size, &error);

		assert_non_null(arrived);
		whole = job_merge(whole, arrived);
		free(part);
	}
	check_same(whole, bytes, whole_size);
	free(bytes);
}

/* Bytes that are cut or changed give a job or an error, and nothing else. */
TEST(test_damaged_bytes)
{
	struct job *parts[RANKS + 2];
	size_t size, count = make_parts(parts, 5);
	uint64_t random = 5;
	char *bytes = bytes_of(merge_somehow(parts, count, &random), &size), *error;

	for (int i = 0; i < 300; i++) {
		size_t at = job_case_below(&random, size), end = i % 3 ? size : at;
		char before = bytes[at];
		struct job *job;

		bytes[at] = (char)job_case_below(&random, 256);
		job = job_from_bytes(bytes, end, &error);
		assert_true(job || error);
		job_free(job);
		free(error);
		bytes[at] = before;
	}
	free(bytes);
}

/* The first path stays, whichever way they come. */
TEST(test_twice)
{
	for (int i = 0; i < 2; i++) {
		struct summary *a = job_case_summary(3, MS), *b = job_case_summary(3, MS);
		struct job *job;

		b->trace = arena_text(&b->texts, "copy.db");
		job = i ? job_merge(job_of_summary(a), job_of_summary(b))
			: job_merge(job_of_summary(b), job_of_summary(a));
		assert_int_equal(job->member_count, 1);
		assert_int_equal(job->doubled, 1);
		assert_string_equal(job->members[0].summary->trace, "copy.db");
		job_free(job);
	}
}

/* By number, then those without a rank by host and process. */
TEST(test_members)
{
	static const int64_t ranks[] = {10, SUMMARY_NO_RANK, 2, 0};
	struct job *job = job_create();

	for (size_t i = 0; i < 4; i++)
		job = job_merge(job, job_of_summary(job_case_summary(ranks[i], MS)));
	assert_int_equal(job->member_count, 4);
	assert_int_equal(job->members[0].summary->rank, 0);
	assert_int_equal(job->members[1].summary->rank, 2);
	assert_int_equal(job->members[2].summary->rank, 10);
	assert_int_equal(job->members[3].summary->rank, SUMMARY_NO_RANK);
	job_free(job);
}

RUN_TESTS(NULL, NULL)
