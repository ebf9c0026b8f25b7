/* The tokens of a PTX text. Any thread. */
#ifndef STREAMTRACE_PTX_TOKENS_H
#define STREAMTRACE_PTX_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_token_kind {
	PTX_END,   /* of the text, or the text is damaged */
	PTX_WORD,  /* a name, number, register, directive, or an opcode with all its parts */
	PTX_MARK,  /* one character: punctuation */
	PTX_STRING /* with its quotes */
};

struct ptx_token {
	const char *start; /* in the text */
	size_t length;
	enum ptx_token_kind kind;
};

/* Set at and end to the text; [at, end) is what is still to be read. */
struct ptx_tokens {
	const char *at, *end;
};

/* Leaves out spaces and comments. */
struct ptx_token ptx_next(struct ptx_tokens *tokens);

/* Skips the rest of the line. */
void ptx_skip_line(struct ptx_tokens *tokens);

/* Skips what is left of a statement, with its ';'. False: the text ends before. */
bool ptx_skip_statement(struct ptx_tokens *tokens);

/* Skips what is left of a block whose '{' was read, with its '}'. False: the text ends before. */
bool ptx_skip_block(struct ptx_tokens *tokens);

static inline bool ptx_is_mark(struct ptx_token token, char mark)
{
	return token.kind == PTX_MARK && *token.start == mark;
}

bool ptx_is_word(struct ptx_token token, const char *word);

/* Whether the token begins like this. */
bool ptx_begins(struct ptx_token token, const char *word);

/* A word that can be a name: not a number, nor a directive. */
bool ptx_is_name(struct ptx_token token);

/* Of a name. Two names have the same hash by accident only. */
uint64_t ptx_hash(uint64_t seed, struct ptx_token name);

/* The number that the word is; 0: it is none. */
uint64_t ptx_number(struct ptx_token word);

#endif
