/*
 * Splits a demangled C++ name into its parts. The only file that knows where a name's return type,
 * template arguments and parameters begin and end. Takes time proportional to the length. Any
 * thread.
 */
#ifndef STREAMTRACE_NAME_PARTS_H
#define STREAMTRACE_NAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>

/* Of a name with more parts, the last ones are kept. */
#define MOST_PARTS 12

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
bool slice_is(struct slice slice, const char *text);
bool slice_begins(struct slice slice, const char *text);
struct slice slice_trim(struct slice slice);

/* True for letters, digits, _ and $. */
bool name_is_word(char c);

/* Splits a name, leaving out its return type and parameters. Gives at least one part, maybe
 * empty. */
void name_read(struct slice slice, struct parts *parts);

/* The end of the template argument that begins at `at`: a comma, or `end`. */
const char *name_argument_end(const char *at, const char *end);

/* The position after the bracket that closes the one at `at`; `end` if there is none. */
const char *name_skip_brackets(const char *at, const char *end);

#endif
