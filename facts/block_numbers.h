/*
 * The numbers in blocks (schema.sql: call_blocks): 7 bits a byte, lowest bits first.
 *
 * Bytes that are read are untrusted: no function reads beyond them, and any number may come out. No
 * allocation, no locks.
 */
#ifndef STREAMTRACE_BLOCK_NUMBERS_H
#define STREAMTRACE_BLOCK_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_NUMBER_BYTES 10 /* the most that a number takes */

/* Maps a signed difference to an unsigned number, a small one if the difference is small: 0, -1, 1,
 * -2, ... to 0, 1, 2, 3, ... block_unfold() is the inverse. */
static inline uint64_t block_fold(uint64_t difference)
{
	return difference << 1 ^ -(difference >> 63);
}

static inline uint64_t block_unfold(uint64_t folded)
{
	return folded >> 1 ^ -(folded & 1);
}

/* Writes a number at `at`, where the caller has BLOCK_NUMBER_BYTES of room. Returns the position
 * after the number. */
static inline uint8_t *block_put(uint8_t *at, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*at++ = (uint8_t)(value | 0x80);
	*at++ = (uint8_t)value;
	return at;
}

/* Bytes being read. at: the next byte; end: one past the last; is_damaged is only ever set. */
struct block_bytes {
	const uint8_t *at, *end;
	bool is_damaged;
};

/* Reads a number. If the bytes end within the number, or it is too long, sets is_damaged and
 * returns 0. */
static inline uint64_t block_number(struct block_bytes *bytes)
{
	uint64_t value = 0;

	for (int shift = 0; shift < 64 && bytes->at < bytes->end; shift += 7) {
		const uint8_t byte = *bytes->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	bytes->is_damaged = true;
	return 0;
}

/* Reads a number that must be at most `most`; otherwise sets is_damaged and returns 0. */
static inline uint64_t block_count(struct block_bytes *bytes, uint64_t most)
{
	const uint64_t count = block_number(bytes);

	if (count <= most)
		return count;
	bytes->is_damaged = true;
	return 0;
}

#endif
