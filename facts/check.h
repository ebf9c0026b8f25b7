/*
 * The allowed values of environment variables (environment.def) and of the command line's options:
 * each row has a struct check. The program that reads a value checks the value by this struct, and
 * the manual is written from the same struct.
 */
#ifndef STREAMTRACE_CHECK_H
#define STREAMTRACE_CHECK_H

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check {
	const char *words; /* "now|paused": one of these words. NULL: no list */
	long least, most;  /* a whole number from least to most, both included. Both 0: not a
			    * number */
	bool has_fields;   /* a nonempty file name, which may have the fields of output_name.def */
	bool is_signal;	   /* a signal that a program can handle, and that is not raised by a
			    * fault */
	bool is_span;	   /* two whole numbers, such as "100:110"; the second one must be larger */
};

#define CHECK_NONE                                                                                 \
	{                                                                                          \
		0                                                                                  \
	}
#define CHECK_ONE_OF(list)                                                                         \
	{                                                                                          \
		.words = (list)                                                                    \
	}
#define CHECK_BETWEEN(low, high)                                                                   \
	{                                                                                          \
		.least = (low), .most = (high)                                                     \
	}
#define CHECK_OUTPUT_NAME                                                                          \
	{                                                                                          \
		.has_fields = true                                                                 \
	}
#define CHECK_SIGNAL                                                                               \
	{                                                                                          \
		.is_signal = true                                                                  \
	}
#define CHECK_SPAN                                                                                 \
	{                                                                                          \
		.is_span = true                                                                    \
	}
/* Words for off and on alternate: an odd position means on. */
#define CHECK_FLAG CHECK_ONE_OF("0|1|no|yes|off|on|false|true")

/* The position of `value` among the words of the check, from 0; -1: not among them, or the check
 * has no words. */
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

/* Reads a whole number into *number. False: not a number, or out of range; *number is then
 * undefined. Changes errno. */
static inline bool check_number(const struct check *check, const char *value, long *number)
{
	char *end;

	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	*number = strtol(value, &end, 10);
	return !*end && !errno && *number >= check->least && *number <= check->most;
}

/* The number of the signal called "USR2", "SIGUSR2" or "12"; 0: unknown or unusable. Unusable are
 * SIGKILL, SIGSTOP and two signals of glibc, which cannot have handlers, and faults, whose handlers
 * cannot return. */
static inline int check_signal(const char *name)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT};
	static const struct check between = CHECK_BETWEEN(1, NSIG - 1);
	const char *word = strncmp(name, "SIG", 3) ? name : name + 3;
	long number = 0;

	if (!check_number(&between, name, &number))
		for (number = NSIG - 1; number > 0; number--)
			if (sigabbrev_np((int)number) && !strcmp(sigabbrev_np((int)number), word))
				break;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		if (number == faults[i])
			return 0;
	if (number == SIGKILL || number == SIGSTOP || sigaction((int)number, NULL, NULL))
		return 0;
	return (int)number;
}

/* Reads "100:110". False: it is not like that; the numbers are then undefined. Changes errno. */
static inline bool check_span(const char *value, long *from, long *until)
{
	static const struct check number = CHECK_BETWEEN(0, LONG_MAX);
	const char *colon = strchr(value, ':');
	char first[24];

	if (!colon || (size_t)(colon - value) >= sizeof(first))
		return false;
	memcpy(first, value, (size_t)(colon - value));
	first[colon - value] = '\0';
	return check_number(&number, first, from) && check_number(&number, colon + 1, until) &&
	       *from < *until;
}

/* Writes into text[size] what follows "the value must be ", and returns text. argument: the
 * manual's name for the value. */
static inline const char *check_expects(const struct check *check, const char *argument, char *text,
					size_t size)
{
	if (check->words)
		snprintf(text, size, "one of %s", check->words);
	else if (check->has_fields)
		snprintf(text, size, "a name that is not empty");
	else if (check->is_signal)
		snprintf(text, size, "a signal that a program handles, such as USR2");
	else if (check->is_span)
		snprintf(text, size, "two numbers such as 100:110");
	else if (check->most)
		snprintf(text, size, "a number from %ld to %ld", check->least, check->most);
	else
		snprintf(text, size, "%s", argument);
	return text;
}

/* Whether the check allows the value. Any value passes CHECK_NONE. May change errno. */
static inline bool check_passes(const struct check *check, const char *value)
{
	long number, until;

	if (check->words)
		return check_word(check, value) >= 0;
	if (check->has_fields)
		return *value;
	if (check->is_signal)
		return check_signal(value) > 0;
	if (check->is_span)
		return check_span(value, &number, &until);
	return !check->most || check_number(check, value, &number);
}

#endif
