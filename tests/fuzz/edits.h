/*
 * Databases that somebody changed: an input says what is done to a valid one, cell by cell, so that a few bytes
 * reach what flipped bits of a file hardly do. One thread.
 */
#ifndef STREAMTRACE_TESTS_FUZZ_EDITS_H
#define STREAMTRACE_TESTS_FUZZ_EDITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of an input. */
struct input {
	const uint8_t *bytes;
	size_t size;
};

/* The next byte; 0 at the end. */
uint8_t input_byte(struct input *input);
uint64_t input_number(struct input *input, int bytes);

struct pattern;

/* A valid database to begin with: the bytes of a file, which stay the caller's. Never freed. */
struct pattern *pattern_make(const void *bytes, size_t size);

/* The database with the edits that the input says; malloc'ed. */
unsigned char *pattern_change(struct pattern *pattern, struct input input, size_t *size);

#endif
