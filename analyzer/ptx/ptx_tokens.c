#include "ptx/ptx_tokens.h"

#include "base/mix.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* At the end of a comment that is not closed the text ends. */
static void skip_space(struct ptx_tokens *tokens)
{
	while (tokens->at < tokens->end) {
		const char *at = tokens->at;

		if (isspace((unsigned char)*at)) {
			tokens->at++;
			continue;
		}
		if (*at != '/' || at + 1 == tokens->end || (at[1] != '/' && at[1] != '*'))
			return;
		if (at[1] == '/') {
			ptx_skip_line(tokens);
			continue;
		}
		at = memmem(at + 2, (size_t)(tokens->end - at - 2), "*/", 2);
		tokens->at = at ? at + 2 : tokens->end;
	}
}

void ptx_skip_line(struct ptx_tokens *tokens)
{
	const char *line = memchr(tokens->at, '\n', (size_t)(tokens->end - tokens->at));

	tokens->at = line ? line + 1 : tokens->end;
}

/* ".shared::cta" is one word. */
static const char *word_end(const char *at, const char *end)
{
	for (;;) {
		while (at < end && is_word_character(*at))
			at++;
		if (end - at < 3 || at[0] != ':' || at[1] != ':' || !is_word_character(at[2]))
			return at;
		at += 2;
	}
}

struct ptx_token ptx_next(struct ptx_tokens *tokens)
{
	struct ptx_token token = {.kind = PTX_END};
	const char *close;

	skip_space(tokens);
	token.start = tokens->at;
	if (tokens->at == tokens->end)
		return token;
	if (is_word_character(*tokens->at)) {
		token.kind = PTX_WORD;
		tokens->at = word_end(tokens->at, tokens->end);
	} else if (*tokens->at == '"') {
		close = memchr(tokens->at + 1, '"', (size_t)(tokens->end - tokens->at - 1));
		if (!close) {
			tokens->at = tokens->end;
			return token;
		}
		token.kind = PTX_STRING;
		tokens->at = close + 1;
	} else {
		token.kind = PTX_MARK;
		tokens->at++;
	}
	token.length = (size_t)(tokens->at - token.start);
	return token;
}

bool ptx_skip_block(struct ptx_tokens *tokens)
{
	for (size_t depth = 1; depth;) {
		struct ptx_token token = ptx_next(tokens);

		if (token.kind == PTX_END)
			return false;
		depth += ptx_is_mark(token, '{');
		depth -= ptx_is_mark(token, '}');
	}
	return true;
}

bool ptx_skip_statement(struct ptx_tokens *tokens)
{
	for (;;) {
		struct ptx_token token = ptx_next(tokens);

		if (token.kind == PTX_END || (ptx_is_mark(token, '{') && !ptx_skip_block(tokens)))
			return false;
		if (ptx_is_mark(token, ';'))
			return true;
	}
}

bool ptx_is_word(struct ptx_token token, const char *word)
{
	return token.kind == PTX_WORD && token.length == strlen(word) &&
	       !memcmp(token.start, word, token.length);
}

bool ptx_begins(struct ptx_token token, const char *word)
{
	const size_t length = strlen(word);

	return token.kind == PTX_WORD && token.length >= length &&
	       !memcmp(token.start, word, length);
}

bool ptx_is_name(struct ptx_token token)
{
	return token.kind == PTX_WORD && *token.start != '.' &&
	       !isdigit((unsigned char)*token.start);
}

uint64_t ptx_hash(uint64_t seed, struct ptx_token name)
{
	uint64_t hash = mix(seed, name.length);

	for (size_t i = 0; i < name.length; i += sizeof(uint64_t)) {
		const size_t left = name.length - i;
		uint64_t word = 0;

		memcpy(&word, name.start + i, left < sizeof(word) ? left : sizeof(word));
		hash = mix(hash, word);
	}
	return mix(hash, 0);
}

uint64_t ptx_number(struct ptx_token word)
{
	char digits[24];

	if (word.kind != PTX_WORD || word.length >= sizeof(digits) ||
	    !isdigit((unsigned char)*word.start))
		return 0;
	memcpy(digits, word.start, word.length);
	digits[word.length] = '\0';
	return strtoull(digits, NULL, 0);
}
