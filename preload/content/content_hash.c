#include "content/content_hash.h"

#include <string.h>

/* Digits of pi: words that no content is likely to hold. */
static const uint64_t secrets[] = {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0,
				   0x082efa98ec4e6c89};

#define LANES 4

struct state {
	uint64_t lanes[LANES];
};

static inline uint64_t word_at(const uint8_t *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* Both halves of the product, folded. */
static inline uint64_t multiply(uint64_t a, uint64_t b)
{
	const unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline void begin(struct state *state)
{
	memcpy(state->lanes, secrets, sizeof(secrets));
}

/* The lanes do not wait for each other. */
static inline void add_line(struct state *state, const uint8_t *line)
{
	for (int i = 0; i < LANES; i++)
		state->lanes[i] = multiply(word_at(line + 16 * i) ^ secrets[i],
					   word_at(line + 16 * i + 8) ^ state->lanes[i]);
}

static inline uint64_t end(const struct state *state)
{
	uint64_t hash = secrets[0];

	for (int i = 0; i < LANES; i++)
		hash = multiply(hash ^ state->lanes[i], secrets[i] | 1);
	return multiply(hash, secrets[1] | 1);
}

size_t content_line_count(uint64_t bytes)
{
	const uint64_t lines = bytes / CONTENT_LINE_BYTES / CONTENT_LINES_MOST;

	return lines < CONTENT_LINES_LEAST  ? CONTENT_LINES_LEAST
	       : lines > CONTENT_LINES_MOST ? CONTENT_LINES_MOST
					    : (size_t)lines;
}

/* At most 16 bytes: a word from the front and one from the back, which may overlap; below 8 halves of
 * them, below 4 bytes. */
static uint64_t hash_short(const uint8_t *at, uint64_t bytes)
{
	uint64_t first = 0, last = 0;

	if (bytes >= 8) {
		first = word_at(at);
		last = word_at(at + bytes - 8);
	} else if (bytes >= 4) {
		memcpy(&first, at, 4);
		memcpy(&last, at + bytes - 4, 4);
	} else if (bytes) {
		first = at[0] | (uint64_t)at[bytes / 2] << 8 | (uint64_t)at[bytes - 1] << 16;
	}
	return multiply(multiply(first ^ secrets[0], last ^ secrets[1]) ^ bytes, secrets[2] | 1);
}

uint64_t content_hash(const void *memory, uint64_t bytes)
{
	const uint8_t *at = memory;
	uint8_t last[CONTENT_LINE_BYTES] = {0};
	struct state state;

	if (bytes <= 16)
		return hash_short(at, bytes);
	begin(&state);
	state.lanes[0] ^= bytes; /* the last line is filled up with zeros */
	for (; bytes >= CONTENT_LINE_BYTES; bytes -= CONTENT_LINE_BYTES, at += CONTENT_LINE_BYTES)
		add_line(&state, at);
	memcpy(last, at, bytes);
	add_line(&state, last);
	return end(&state);
}

uint64_t content_hash_lines(const void *memory, uint64_t bytes, size_t lines)
{
	const uint8_t *at = memory;
	struct state state;
	uint64_t step;

	if (bytes <= lines * CONTENT_LINE_BYTES)
		return content_hash(memory, bytes);
	begin(&state);
	step = (bytes - CONTENT_LINE_BYTES) / (lines - 1);
	for (size_t i = 0; i + 1 < lines; i++)
		add_line(&state, at + i * step);
	add_line(&state, at + bytes - CONTENT_LINE_BYTES);
	return end(&state);
}
