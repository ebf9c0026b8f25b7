/*
 * Splits a demangled C++ name into its parts. The only file that knows where a name's return type,
 * template arguments and parameters begin and end. Takes time proportional to the length, allocates
 * nothing and cannot fail. Any thread.
 */
#ifndef STREAMTRACE_NAME_PARTS_H
#define STREAMTRACE_NAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>

/* Of a name with more parts, the last ones are kept. */
#define MOST_PARTS 12

/* The characters [start, end) of somebody else's text. */
struct slice {
	const char *start, *end;
};

/* One name between "::". Slices point into the name. */
struct part {
	struct slice name;
	struct slice arguments; /* of its template, without < and >; empty: none */
	bool is_function;	/* parameters follow */
	bool is_local;		/* {lambda(int)#1}, operator(), (anonymous namespace) */
};

struct parts {
	struct part items[MOST_PARTS];
	int count;
};

size_t slice_length(struct slice slice);

/* Whether the slice equals the text, or begins with it. */
bool slice_is(struct slice slice, const char *text);
bool slice_begins(struct slice slice, const char *text);

/* The slice without blanks at both ends. */
struct slice slice_trim(struct slice slice);

/* True for letters, digits, _ and $. */
bool name_is_word(char c);

/* Fills in *parts: the parts of the name in the slice, without its return type and parameters.
 * There is at least one part, which may be empty. */
void name_read(struct slice slice, struct parts *parts);

/* The end of the template argument that begins at `at`: the comma behind it, or `end`. */
const char *name_argument_end(const char *at, const char *end);

/* The position behind the bracket that closes the bracket at `at`; `end` if none does. */
const char *name_skip_brackets(const char *at, const char *end);

#endif
