/*
 * What a value may be. Rows of environment.def and of the command line's options have one of these:
 * the program that reads the value checks it, and the manual is written from it.
 */
#ifndef STREAMTRACE_CHECK_H
#define STREAMTRACE_CHECK_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct check {
	const char *words; /* "now|paused": one of these. NULL: no list */
	long least, most;  /* a whole number from least to most. Both 0: not a number */
	bool has_fields;   /* a file name, not empty, with the fields of output_name.def */
};

#define CHECK_NONE                                                                                 \
	{                                                                                          \
		0                                                                                  \
	}
#define CHECK_ONE_OF(list)                                                                         \
	{                                                                                          \
		.words = (list)                                                                    \
	}
#define CHECK_RANGE(low, high)                                                                     \
	{                                                                                          \
		.least = (low), .most = (high)                                                     \
	}
#define CHECK_OUTPUT_NAME                                                                          \
	{                                                                                          \
		.has_fields = true                                                                 \
	}
/* Words for off and on in turn: the position of a word decides. */
#define CHECK_FLAG CHECK_ONE_OF("0|1|no|yes|off|on|false|true")

/* The position of value among the words; -1: it is none of them. */
static inline int check_word(const struct check *check, const char *value)
{
	size_t length = strlen(value);
	const char *word = check->words;

	for (int i = 0; word; i++) {
		size_t word_length = strcspn(word, "|");

		if (word_length == length && !strncmp(word, value, length))
			return i;
		word = word[word_length] ? word + word_length + 1 : NULL;
	}
	return -1;
}

/* Changes errno. */
static inline bool check_number(const struct check *check, const char *value, long *number)
{
	char *end;

	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	*number = strtol(value, &end, 10);
	return !*end && !errno && *number >= check->least && *number <= check->most;
}

static inline bool check_passes(const struct check *check, const char *value)
{
	long number;

	if (check->words)
		return check_word(check, value) >= 0;
	if (check->has_fields)
		return *value;
	return !check->most || check_number(check, value, &number);
}

#endif
