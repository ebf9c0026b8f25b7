/*
 * A C++ name as its source spells it, taken apart. The only file that knows where such a name's
 * return type, template arguments and parameters begin and end. Time is proportional to the length.
 */
#ifndef STREAMTRACE_NAME_PARTS_H
#define STREAMTRACE_NAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>

/* Of a longer name the last ones are kept. */
#define MOST_PARTS 12

struct slice {
	const char *start, *end;
};

/* One name between "::". */
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

/* Letters, digits, _ and $. */
bool name_is_word(char c);

/* Splits a name, with its return type and parameters, which are left out. There is at least one
 * part, which may be empty. */
void name_read(struct slice slice, struct parts *parts);

/* The end of the argument that begins at `at`: a comma or end. */
const char *name_argument_end(const char *at, const char *end);

/* Behind the bracket that closes the one at `at`, or end. */
const char *name_skip_brackets(const char *at, const char *end);

#endif
