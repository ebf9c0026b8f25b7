#include "content/content_hash.h"

#include <cpuid.h>
#include <stdbool.h>
#include <string.h>

/* Digits of pi: words unlikely in any content. */
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

/* Both halves of the product, combined. */
static inline uint64_t multiply_halves(uint64_t a, uint64_t b)
{
	const unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline void begin_hash(struct state *state)
{
	memcpy(state->lanes, secrets, sizeof(secrets));
}

/* The lanes are independent of each other, so that they run in parallel. */
static inline void add_line(struct state *state, const uint8_t *line)
{
	for (int i = 0; i < LANES; i++)
		state->lanes[i] = multiply_halves(word_at(line + 16 * i) ^ secrets[i],
						  word_at(line + 16 * i + 8) ^ state->lanes[i]);
}

static inline uint64_t end_hash(const struct state *state)
{
	uint64_t hash = secrets[0];

	for (int i = 0; i < LANES; i++)
		hash = multiply_halves(hash ^ state->lanes[i], secrets[i] | 1);
	return multiply_halves(hash, secrets[1] | 1);
}

size_t content_line_count(uint64_t bytes)
{
	const uint64_t lines = bytes / CONTENT_LINE_BYTES / CONTENT_LINES_MOST;

	return lines < CONTENT_LINES_LEAST  ? CONTENT_LINES_LEAST
	       : lines > CONTENT_LINES_MOST ? CONTENT_LINES_MOST
					    : (size_t)lines;
}

static bool can_flush;

void content_hash_initialize(void)
{
	unsigned int a, b, c, d;

	can_flush = __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_CLFLUSHOPT;
}

/* Flushes a line from all caches. */
static inline void flush_line(const uint8_t *line)
{
	__asm__ volatile("clflushopt %0" : : "m"(*line));
}

/* Memory is read at this many places at once: one core then reads 10 to 12 GB/s, of one place 7. */
#define PLACES 4

static inline __attribute__((always_inline)) void take_line(struct state *state,
							    const uint8_t *line, bool is_flushed)
{
	add_line(state, line);
	if (is_flushed)
		flush_line(line);
}

static inline __attribute__((always_inline)) uint64_t hash_all(const uint8_t *at, uint64_t bytes,
							       bool is_flushed)
{
	const uint64_t part = bytes / PLACES / CONTENT_LINE_BYTES * CONTENT_LINE_BYTES;
	uint8_t last[CONTENT_LINE_BYTES] = {0};
	struct state state;

	begin_hash(&state);
	state.lanes[0] ^= bytes; /* makes buffers differ whose last line was filled up with zeros */
	for (uint64_t i = 0; i < part; i += CONTENT_LINE_BYTES)
		for (int place = 0; place < PLACES; place++)
			take_line(&state, at + place * part + i, is_flushed);
	at += PLACES * part;
	bytes -= PLACES * part;
	for (; bytes >= CONTENT_LINE_BYTES; bytes -= CONTENT_LINE_BYTES, at += CONTENT_LINE_BYTES)
		take_line(&state, at, is_flushed);
	memcpy(last, at, bytes);
	add_line(&state, last);
	return end_hash(&state);
}

uint64_t content_hash(const void *memory, uint64_t bytes)
{
	return hash_all(memory, bytes, false);
}

uint64_t content_hash_in_passing(const void *memory, uint64_t bytes)
{
	return can_flush ? hash_all(memory, bytes, true) : hash_all(memory, bytes, false);
}

uint64_t content_hash_lines(const void *memory, uint64_t bytes, size_t lines)
{
	const uint8_t *at = memory;
	struct state state;
	uint64_t step;

	if (bytes <= lines * CONTENT_LINE_BYTES)
		return content_hash(memory, bytes);
	begin_hash(&state);
	step = (bytes - CONTENT_LINE_BYTES) / (lines - 1);
	for (size_t i = 0; i + 1 < lines; i++)
		add_line(&state, at + i * step);
	add_line(&state, at + bytes - CONTENT_LINE_BYTES);
	return end_hash(&state);
}
