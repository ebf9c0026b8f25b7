/* The hash of what copies carry (preload/content), and what the analyzer concludes from two of them. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "content/content_hash.h"
#include "detectors/copies/contents.h"

enum { BYTES = 70000 };

TEST(test_each_byte_counts)
{
	uint8_t memory[300] = {0};

	for (size_t bytes = 1; bytes <= sizeof(memory); bytes++) {
		const uint64_t before = content_hash(memory, bytes);

		for (size_t i = 0; i < bytes; i++) {
			memory[i] = 1;
			assert_true(content_hash(memory, bytes) != before);
			memory[i] = 0;
		}
		assert_true(content_hash(memory, bytes) == before);
		assert_true(content_hash(memory, bytes - 1) != before);
	}
}

/* Zeros of other lengths, and the same lines in another order. */
TEST(test_length_and_order_count)
{
	uint8_t memory[256] = {0};
	uint64_t first;

	assert_true(content_hash(memory, 128) != content_hash(memory, 192));
	memory[0] = 1;
	first = content_hash(memory, sizeof(memory));
	memory[0] = 0;
	memory[64] = 1;
	assert_true(content_hash(memory, sizeof(memory)) != first);
}

/* One line in 64, 8 to 64 of them. */
TEST(test_lines)
{
	assert_int_equal(content_line_count(1), 8);
	assert_int_equal(content_line_count(4096), 8);
	assert_int_equal(content_line_count(65536), 16);
	assert_int_equal(content_line_count(UINT64_C(1) << 30), 64);
}

TEST(test_in_passing)
{
	uint8_t *memory = calloc(1, BYTES);

	assert_non_null(memory);
	for (size_t i = 0; i < BYTES; i++)
		memory[i] = (uint8_t)(i * 7);
	content_hash_initialize();
	for (size_t bytes = 0; bytes < 200; bytes++)
		assert_int_equal(content_hash_in_passing(memory + 3, bytes),
				 content_hash(memory + 3, bytes));
	assert_int_equal(content_hash_in_passing(memory, BYTES), content_hash(memory, BYTES));
	free(memory);
}

/* Of 70,000 bytes 17 lines, (70000 - 64) / 16 = 4371 apart; the last one ends with the bytes. */
TEST(test_lines_are_spread)
{
	uint8_t *memory = calloc(1, BYTES);
	uint64_t before;

	assert_non_null(memory);
	before = content_hash_lines(memory, BYTES, 17);
	for (size_t i = 0; i < BYTES; i++) {
		bool is_in_line = (i % 4371 < 64 && i / 4371 < 16) || i >= BYTES - 64;

		memory[i] = 1;
		assert_int_equal(content_hash_lines(memory, BYTES, 17) != before, is_in_line);
		memory[i] = 0;
	}
	free(memory);
}

static struct content content_of(uint32_t hash, uint32_t lines, uint64_t bytes)
{
	return (struct content){.start = 1000,
				.end = 1000 + bytes,
				.hash = hash,
				.lines = lines,
				.whole = hash & CONTENT_IS_WHOLE ? hash : 0};
}

TEST(test_proofs)
{
	const uint32_t whole = CONTENT_IS_WHOLE;
	struct content lines = content_of(5, 5, 4096), known = content_of(whole | 9, 5, 4096);
	struct content small = content_of(whole | 9, 0, CONTENT_SMALL_BYTES);
	struct content nothing = content_of(0, 0, 4096);

	assert_int_equal(contents_compare(&lines, 5), PROOF_LINES);
	assert_int_equal(contents_compare(&lines, 6), PROOF_NONE);
	assert_int_equal(contents_compare(&lines, whole | 7), PROOF_LINES);
	assert_int_equal(contents_compare(&known, whole | 9), PROOF_WHOLE);
	assert_int_equal(contents_compare(&known, whole | 8), PROOF_AGAINST);
	assert_int_equal(contents_compare(&known, 5), PROOF_LINES);
	assert_int_equal(contents_compare(&known, 9), PROOF_NONE);
	assert_int_equal(contents_compare(&small, whole | 8), PROOF_NONE);
	assert_int_equal(contents_compare(&nothing, 5), PROOF_NONE);
	assert_int_equal(contents_compare(&lines, 0), PROOF_NONE);
}

static const struct content *bring(struct contents *contents, uint32_t hash)
{
	struct content *at = contents_at(contents, 1000, 5096);
	struct content before = at ? *at : (struct content){0};

	contents_set(contents, content_of(hash, 0, 4096), &before,
		     at ? contents_compare(&before, hash) : PROOF_NONE);
	return contents_at(contents, 1000, 5096);
}

/* Over copies of which the same lines were hashed all bytes are compared with those of the last time. */
TEST(test_wholes_apart)
{
	const uint32_t whole = CONTENT_IS_WHOLE;
	struct contents contents = {0};

	contents_begin(&contents);
	assert_int_equal(bring(&contents, 5)->whole, 0);
	assert_int_equal(bring(&contents, whole | 9)->whole, whole | 9);
	assert_int_equal(bring(&contents, 5)->whole, whole | 9);
	assert_int_equal(contents_compare(bring(&contents, 5), whole | 9), PROOF_WHOLE);
	assert_int_equal(contents_compare(bring(&contents, 5), whole | 8), PROOF_AGAINST);
	assert_int_equal(bring(&contents, 6)->whole, 0);
	assert_int_equal(contents_compare(bring(&contents, 6), whole | 9), PROOF_LINES);
	contents_free(&contents);
}

/* A content is that of its range as a whole: what overlaps it ends it. */
TEST(test_ranges)
{
	struct contents contents = {0};
	struct content first = {.start = 1000, .end = 2000, .hash = 5};

	contents_begin(&contents);
	contents_set(&contents, first, NULL, PROOF_NONE);
	assert_non_null(contents_at(&contents, 1000, 2000));
	assert_int_equal(contents_at(&contents, 1000, 2000)->lines, 5);
	assert_null(contents_at(&contents, 1000, 1999));
	assert_null(contents_at(&contents, 999, 2000));
	contents_forget(&contents, 1999, 3000);
	assert_null(contents_at(&contents, 1000, 2000));
	contents_free(&contents);
}

RUN_TESTS(NULL, NULL)
