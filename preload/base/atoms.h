/*
 * Distinct strings of words, each kept once: call stacks, the Python frames that are in them, and
 * the arguments of launches.
 *
 * The table is only ever added to, by any thread and also in a signal handler: no lock, and memory
 * comes from anonymous mappings, never from the program's heap. An atom stays at its address until
 * the process ends. The table is bounded: atom_intern() gives NULL once it is full.
 */
#ifndef STREAMTRACE_ATOMS_H
#define STREAMTRACE_ATOMS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* And 32 MB. A launch site takes two, some 500 bytes. */
#define ATOMS_LIMIT 65536
/* Of them, left to ATOM_ADD_LAST: what a full table falls back to. */
#define ATOMS_LAST 4096

enum atom_kind {
	ATOM_KEY,	   /* what a call can afford to see of its stack */
	ATOM_STACK,	   /* words: frame_count return addresses with the numbers of their modules
			    * (modules.h), then atoms of Python frames */
	ATOM_PYTHON_FRAME, /* struct python_frame (python_frames.h) */
	ATOM_LAYOUT,	   /* of a kernel's parameters (launch_arguments.c) */
	ATOM_ARGUMENTS,	   /* of a launch (launch_arguments.h) */
	ATOM_TEXT,	   /* of NVTX: it ends in one zero byte or more */
	ATOM_MODULE	   /* struct module (modules.h) */
};

/* ATOM_ADD_SPARE: only while half of the room is free, and without it the table is not yet full. */
enum atom_add { ATOM_ADD, ATOM_ADD_LAST, ATOM_ADD_SPARE };

/* What an atom is found by. */
struct atom_text {
	const uint64_t *words;
	uint16_t count;
	uint8_t kind;
	uint8_t frame_count;
};

struct atom {
	uint64_t hash;
	uint16_t count; /* of words */
	uint8_t kind;
	uint8_t frame_count;
	uint32_t row_generation; /* the writer's, with row_id: the process that gave the id */
	int64_t row_id;
	_Atomic(struct atom *) stack; /* of an ATOM_KEY: what it stands for, NULL at first */
	uint64_t words[];
};

/* The atom of the text, added if need be; NULL: no room. Leaves errno alone. */
struct atom *atom_intern(const struct atom_text *text, enum atom_add add);

extern _Atomic bool atoms_full;

/* Whether ATOM_ADD has failed: it will do so again. */
static inline bool atoms_are_full(void)
{
	return atomic_load_explicit(&atoms_full, memory_order_relaxed);
}

#endif
