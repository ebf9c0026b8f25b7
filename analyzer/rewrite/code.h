/*
 * A source file in memory, with what is no code blanked out, and its brackets matched.
 *
 *	struct code code;
 *	if (code_make(&code, text, length, is_python)) ... code.mask ... code.partner[i] ...
 *	code_free(&code);
 *
 * Positions are bytes from the start of the file; a piece is [start, end). Any thread.
 */
#ifndef STREAMTRACE_CODE_H
#define STREAMTRACE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer files are not rewritten. */
#define CODE_MOST_BYTES (1 << 20)

#define CODE_NONE UINT32_MAX

struct piece {
	size_t start, end;
};

static inline bool piece_has(struct piece piece, size_t at)
{
	return piece.start <= at && at < piece.end;
}

struct code {
	const char *text; /* ends with a 0 */
	/* The text with blanks for comments, for what strings contain and for lines of the
	 * preprocessor, of which the '#' stays unless it is a #pragma. Newlines stay where no string
	 * or comment of several lines has them. */
	char *mask;
	size_t length;
	uint32_t *partner; /* of a bracket: the other one; CODE_NONE: no bracket */
	uint32_t *outer;   /* the innermost bracket that is open there; CODE_NONE: none */
	bool is_python;
};

/* Makes *code of the text, which must outlive it. False: the text is no UTF-8, has characters that are
 * not safe to print (base/printable.h), is longer than CODE_MOST_BYTES, or its brackets do not match; *code is empty
 * then. */
bool code_make(struct code *code, const char *text, size_t length, bool is_python);

/* Frees what code_make() allocated; an empty *code has nothing. */
void code_free(struct code *code);

/* The piece of a line, counted from 1, without its newline. False: there is no such line. */
bool code_line(const struct code *code, int line, struct piece *piece);

/* The first position from `at` up to `end` that is no blank or newline of the mask; end: there is none. */
size_t code_skip(const struct code *code, size_t at, size_t end);

/* The position behind the last character before `at`, down to `start`, that is no blank or newline. */
size_t code_skip_back(const struct code *code, size_t at, size_t start);

/* The piece without blanks at its ends. */
struct piece code_trim(const struct code *code, struct piece piece);

/* Whether c can be in a name. */
bool code_is_name(char c);

/* The end of the name that the position is in; the position itself, if it is in none. */
size_t code_name_end(const struct code *code, size_t at);

/* Whether the word stands at the position of the mask, and no longer one. */
bool code_is_word(const struct code *code, size_t at, const char *word);

/* The next such word in the piece; piece.end: there is none. */
size_t code_find_word(const struct code *code, struct piece piece, const char *word);

/* Whether both pieces have the same code, blanks aside. */
bool code_is_same(const struct code *code, struct piece a, struct piece b);

/* Whether the piece's code is the text, blanks of the piece aside. */
bool code_reads(const struct code *code, struct piece piece, const char *text);

#endif
