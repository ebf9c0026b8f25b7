/*
 * Statements, calls and blocks of C, C++ and CUDA, as far as brackets and a few words tell: no types, no
 * macros, no templates. What is not understood is refused. Any thread.
 */
#ifndef STREAMTRACE_SYNTAX_H
#define STREAMTRACE_SYNTAX_H

#include "rewrite/code.h"

#define CALL_ARGUMENTS 12

/* Longer ones are not understood: what looks through them may take the square of that. */
#define STATEMENT_MOST_BYTES (8 << 10)
#define FUNCTION_MOST_BYTES  (128 << 10)

/* A call NAME(A, B) or a launch NAME<<<A, B>>>(C, D). */
struct code_call {
	struct piece name, whole; /* whole: from the name to the closing bracket */
	struct piece arguments[CALL_ARGUMENTS];
	size_t count;
	/* Of a launch: between <<< and >>>; else the count is 0. */
	struct piece configuration[CALL_ARGUMENTS];
	size_t configuration_count;
};

/* Reads the call whose name begins at the position. False: it is none, or has too many arguments. */
bool call_read(const struct code *code, size_t name, struct code_call *call);

/* Finds the call of the function, or with NULL the launch of a kernel, in the statement that has the line;
 * line: a piece of code_line(). Sets *why to what is wrong, if false: it is not there, or not once. */
bool call_find(const struct code *code, struct piece line, const char *function,
	       struct code_call *call, const char **why);

/* A statement up to its semicolon, and what stands before it without braces. */
struct statement {
	struct piece piece;   /* without guards */
	size_t guarded_start; /* with them */
	struct piece guards
		[4]; /* "if (...)", "else", "for (...)", outermost first; the words and brackets */
	size_t guard_count;
};

/* The statement with the position. False: it is none that ends with a semicolon. */
bool statement_at(const struct code *code, size_t at, struct statement *statement);

/* Whether the statement is the call alone, NAME(...); or W(NAME(...)); with a macro or function around it.
 * *wrapper: the piece of W; empty: there is none. */
bool statement_is_call(const struct code *code, const struct statement *statement,
		       const struct code_call *call, struct piece *wrapper);

enum block_kind {
	BLOCK_FUNCTION, /* of a function or lambda */
	BLOCK_LOOP,	/* for, while or do */
	BLOCK_CHOICE,	/* if, else, switch, try, catch */
	BLOCK_PLAIN,	/* braces alone */
	BLOCK_OTHER	/* of a class, an initializer or what is not understood */
};

/* The innermost braces around the position: the position of their '{'; CODE_NONE: there are none. */
uint32_t block_around(const struct code *code, size_t at);

enum block_kind block_kind(const struct code *code, uint32_t open);

/* The piece of the innermost loop around the position within its function: from its word to its end, also of
 * a loop without braces. False: there is none. */
bool loop_around(const struct code *code, size_t at, struct piece *loop);

/* The function around the position, from the bracket of its parameters to its last brace. False: there is
 * none, or it has lines of the preprocessor (#if) or goto, or the position is in braces of another kind. */
bool function_around(const struct code *code, size_t at, struct piece *function);

/* Whether the braces `open` are around the position, or CODE_NONE. */
bool block_has(const struct code *code, uint32_t open, size_t at);

#endif
