#include "cmocka_test.h"
#include "base/memory.h"

#include <stdlib.h>

TEST(test_text_is_printable)
{
	static const char *const cases[][2] = {
		{"plain.cu", "plain.cu"},
		{"gr\xc3\xbc\xc3\x9f.cu", "gr\xc3\xbc\xc3\x9f.cu"},
		{"\x1b[31mred", "?[31mred"},
		{"a\xff"
		 "b\xc3",
		 "a?b?"},
		{"\xc0\xaf", "??"},			  /* overlong */
		{"\xed\xa0\x80", "???"},		  /* a surrogate */
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}, /* four bytes */
		{"\xc2\x9b", "??"},			  /* a control character of its own */
		{"a\xe2\x80\xae.cu", "a???.cu"},	  /* from right to left */
		{"\xd8\x9c\xe2\x81\xa6", "?????"},
		{"\xe2\x80\xa6", "\xe2\x80\xa6"},	/* an ellipsis */
		{"\xef\xbf\xbe\xef\xbf\xbf", "??????"}, /* no characters */
		{"\xf0\x9f\xbf\xbf\xef\xbf\xbd", "????\xef\xbf\xbd"},
		{"a\xe2\x80\xae"
		 "cod\xe2\x81\xa9\xd8\x9c.\xe2\x80\xa8",
		 "a???cod?????.???"}, /* the direction turned and turned back; an end of a line */
		/* Not seen: U+200B, U+2060, U+FEFF, U+E0041; but a joiner in a family of four is. */
		{"a\xe2\x80\x8b"
		 "b\xe2\x81\xa0"
		 "c\xef\xbb\xbf"
		 "d\xf3\xa0\x81\x81",
		 "a???b???c???d????"},
		{"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa6",
		 "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa6"},
		{"\xe2\x80\xa7\xe2\x80\xaf", "\xe2\x80\xa7\xe2\x80\xaf"}, /* beside them */
		/* The first ones of three and of four bytes, and what they would be in one more. */
		{"\xe0\xa0\x80\xf0\x90\x80\x80", "\xe0\xa0\x80\xf0\x90\x80\x80"},
		{"\xe0\x9f\xbf\xf0\x8f\xbf\xbd", "???????"},
	};
	struct arena arena = {0};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(arena_text(&arena, cases[i][0]), cases[i][1]);
	arena_text(&arena, "the longest of them has 35 bytes...");
	arena_text(&arena, "a short one");
	assert_int_equal(arena.longest_text_bytes, 35);
	arena_free(&arena);
}

TEST(test_map)
{
	struct map map = {0};
	uint64_t key;

	assert_int_equal(map_find(&map, 0), MAP_NONE);
	for (key = 0; key < 100000; key++)
		assert_true(map_add(&map, key << 32 | (key & 7), key));
	assert_false(map_add(&map, (uint64_t)5 << 32 | 5, 1));
	map_set(&map, 0, 123);
	assert_int_equal(map_find(&map, 0), 123);
	for (key = 1; key < 100000; key++)
		assert_int_equal(map_find(&map, key << 32 | (key & 7)), key);
	assert_int_equal(map_find(&map, 9), MAP_NONE);
	map_free(&map);
}

TEST(test_arena_takes_large_texts)
{
	struct arena arena = {0};
	char *large = arena_alloc(&arena, (size_t)3 << 20), *small = arena_alloc(&arena, 1);
	size_t i;

	for (i = 0; i < (size_t)3 << 20; i++)
		assert_int_equal(large[i], 0);
	*small = 1;
	arena_free(&arena);
}

/* Correlation ids as a program leaves them that makes other calls between: three in five. That a table
 * does not pile them up is counted in tests/bench/growth_test.c. */
TEST(test_map_with_gaps)
{
	struct map map = {0};
	uint64_t key;

	for (key = 0; key < 3000000; key++)
		if (key % 5 < 3)
			map_set(&map, key, key);
	for (key = 0; key < 3000000; key++)
		assert_int_equal(map_find(&map, key), key % 5 < 3 ? key : MAP_NONE);
	map_free(&map);
}

TEST(test_reserve)
{
	size_t capacity = 0;
	int *array = memory_reserve(NULL, 5, &capacity, sizeof(*array));
	int *same = memory_reserve(array, 3, &capacity, sizeof(*array));

	assert_ptr_equal(same, array);
	assert_int_equal(capacity, 5);
	same = memory_grow(array, 4, &capacity, sizeof(*array));
	assert_ptr_equal(same, array);
	array = memory_grow(array, 5, &capacity, sizeof(*array));
	assert_int_equal(capacity, 10);
	array[9] = 1;
	array = memory_reserve(array, 11, &capacity, sizeof(*array));
	assert_int_equal(capacity, 11);
	free(array);
}

RUN_TESTS(NULL, NULL)
