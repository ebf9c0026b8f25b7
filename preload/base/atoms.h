/*
 * Atoms: sequences of 64-bit words, each distinct sequence stored once: call stacks, Python frames,
 * NVTX texts, the arguments of launches.
 *
 *	struct atom *atom = atom_intern(&(struct atom_text){words, count, ATOM_TEXT}, ATOM_ADD);
 *
 * Any thread may add, signal handlers too: there is no lock, and memory comes from anonymous
 * mappings, never from the program's heap. An atom keeps its address until the process ends; nobody
 * frees it. The table is bounded: atom_intern() returns NULL once it is full.
 */
#ifndef STREAMTRACE_ATOMS_H
#define STREAMTRACE_ATOMS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At most this many atoms, in at most 32 MB. A launch site takes two atoms, some 500 bytes. */
#define ATOMS_LIMIT 65536
/* How many of the ATOMS_LIMIT only ATOM_ADD_LAST may use. Once an ATOM_ADD has failed,
 * stack/sites.c stores stacks in them that have only the innermost frames. */
#define ATOMS_LAST 4096

enum atom_kind {
	ATOM_KEY,	   /* the innermost frames, which each call reads (sites.h) */
	ATOM_STACK,	   /* words: frame_count return addresses with the numbers of their modules
			    * (modules.h), then the addresses of atoms of Python frames */
	ATOM_PYTHON_FRAME, /* struct python_frame (python_frames.h) */
	ATOM_LAYOUT,	   /* a kernel's parameters (launch_arguments.c) */
	ATOM_ARGUMENTS,	   /* a launch's arguments (launch_arguments.h) */
	ATOM_TEXT,	   /* an NVTX text: ends in one zero byte or more */
	ATOM_MODULE	   /* struct module (modules.h) */
};

/* How much of the table atom_intern() may fill: ATOM_ADD all but the last ATOMS_LAST atoms,
 * ATOM_ADD_LAST these, too, ATOM_ADD_SPARE half. An ATOM_ADD_SPARE that fails leaves
 * atoms_are_full() as it was. */
enum atom_add { ATOM_ADD, ATOM_ADD_LAST, ATOM_ADD_SPARE };

/* What identifies an atom; two atoms differ in at least one of these fields. */
struct atom_text {
	const uint64_t *words;
	uint16_t count;
	uint8_t kind;
	uint8_t frame_count;
};

struct atom {
	uint64_t hash;
	uint16_t count;		 /* number of words */
	uint8_t kind;		 /* enum atom_kind */
	uint8_t frame_count;	 /* of an ATOM_KEY or ATOM_STACK: native frames */
	uint32_t row_generation; /* the store that row_id belongs to (struct store); the writer sets
				  * both. After a fork the new store has another generation */
	int64_t row_id;
	_Atomic(struct atom *) stack; /* of an ATOM_KEY: the call site's ATOM_STACK; NULL until
				       * known */
	/* Of an ATOM_KEY, written by stack/places.c: the key that is foreseen after it, or NULL; and the walk_generation
	 * (stack/walk.h) in which the key itself is exact. */
	_Atomic(struct atom *) follower;
	_Atomic uint32_t exact_generation;
	uint64_t words[];
};

/* Returns the atom with this text, adding it if it is new. Copies the words. NULL: no room. Leaves
 * errno alone. */
struct atom *atom_intern(const struct atom_text *text, enum atom_add add);

/* A stack that was looked at from outside, added as ATOM_ADD_SPARE. NULL: no room, which is counted (LOSS_LOOKED_STACK). */
struct atom *atom_intern_looked(const uint64_t *words, int count, int frame_count);

extern _Atomic bool atoms_full;

/* True once an ATOM_ADD has found the table full; later ATOM_ADDs fail, too. Any thread. */
static inline bool atoms_are_full(void)
{
	return atomic_load_explicit(&atoms_full, memory_order_relaxed);
}

#endif
