/*
 * Repeated sequences in texts, a symbol a letter.
 */
#include "cmocka_test.h"
#include "model/repeats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

/* "FIRST..END/PERIOD " each, in *text. */
static void find_in(const char *letters, size_t least, char *text, size_t size)
{
	static uint64_t symbols[MOST];
	size_t length = strlen(letters), count;
	struct repeat *found;

	for (size_t i = 0; i < length; i++)
		symbols[i] = (uint64_t)letters[i];
	found = repeats_find(symbols, length, least, &count);
	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		snprintf(text + strlen(text), size - strlen(text), "%zu..%zu/%zu ", found[i].first,
			 found[i].end, found[i].period);
	free(found);
}

static void expect(const char *letters, size_t least, const char *expected)
{
	char text[256];

	find_in(letters, least, text, sizeof(text));
	assert_string_equal(text, expected);
}

TEST(test_none)
{
	expect("", 2, "");
	expect("abc", 2, "");
	expect("abcdefabcdef", 3, "");
}

TEST(test_one)
{
	expect("abcdefabcdefabcdef", 3, "0..18/6 ");
	/* Other things before and behind, and a copy that is cut. */
	expect("xyzabcdefabcdefabcdefabcw", 3, "3..24/6 ");
	expect("aaaaaaaa", 4, "0..8/1 ");
	expect("xabababababy", 4, "1..11/2 ");
}

/* A part that repeats in each copy of a longer one: the longer one is found. */
TEST(test_one_in_another)
{
	expect("ababababqrababababqrababababqr", 3, "0..30/10 ");
	expect("ababababqrababababst", 3, "0..8/2 10..18/2 ");
}

TEST(test_two)
{
	expect("abcdabcdabcdxefghefghefgh", 3, "0..12/4 13..25/4 ");
}

/* Every position of every period up to 40, behind a text without repeats. */
TEST(test_all_periods)
{
	for (size_t period = 1; period <= 40; period++)
		for (size_t copies = 3; copies <= 6; copies++) {
			static uint64_t symbols[MOST];
			struct repeat *found;
			size_t count, n = 0;

			while (n < 25) {
				symbols[n] = 1000 + n;
				n++;
			}
			for (size_t i = 0; i < period * copies; i++)
				symbols[n++] = i % period;
			symbols[n++] = 2000;
			found = repeats_find(symbols, n, 3, &count);
			if (period * copies < 4 + period) {
				free(found);
				continue; /* too short to be seen */
			}
			assert_int_equal(count, 1);
			assert_int_equal(found[0].first, 25);
			assert_int_equal(found[0].end, 25 + period * copies);
			assert_int_equal(found[0].period, period);
			free(found);
		}
}

RUN_TESTS(NULL, NULL)
