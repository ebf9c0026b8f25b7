/*
 * Packs records into the bytes of a block of calls (facts/call_blocks.h), some 6 bytes a call, and
 * notes: what only the writer can turn into rows.
 *
 *	packer_begin(packer, memory, bytes);
 *	while (... && packer_add(packer, record))
 *		...
 *	packer_end(packer);
 *
 * Any thread, in signal handlers too: no lock, no allocation, no system call. A packer and its
 * memory belong to one thread at a time.
 */
#ifndef STREAMTRACE_PRELOAD_PACK_H
#define STREAMTRACE_PRELOAD_PACK_H

#include "facts/call_blocks.h"
#include "recorder/pool.h"
#include "recorder/record.h"

#include <stdbool.h>
#include <string.h>

/* A note. Notes fill the memory from its end downwards; the first is at the highest address. */
struct packed_note {
	uint64_t value;
	uint32_t number;
	uint16_t function;
	uint16_t kind; /* enum packed_note_kind */
};

enum packed_note_kind {
	/* A new shape. value: address of its site's atom or 0; number: enum record_has;
	 * function. */
	PACKED_SHAPE,
	/* A new set of arguments. value: its atom's address. */
	PACKED_ARGUMENTS,
	/* The cost of recording a call. value: outside_ns << 32 | inside_ns; number: entry_ns. */
	PACKED_TOOL_COST,
	/* The call at position `number` has the serial `value`. Noted for the first call, and for
	 * each call that follows a record of another kind. */
	PACKED_SERIAL,
	/* A record of another kind than a call: the next PACKED_OTHER_NOTES notes are its bytes. */
	PACKED_OTHER
};

#define PACKED_OTHER_NOTES (RECORD_BYTES / sizeof(struct packed_note))

struct packed {
	struct pool_piece piece;
	uint32_t bytes; /* of the whole memory */
	/* record_bytes: of the calls in records; note_count: of the notes at the memory's end. */
	uint32_t calls, record_bytes, note_count;
	uint32_t shape_count, argument_count;
	uint32_t backward;			      /* calls during which the clock was set
						       * back */
	uint32_t least_correlation, most_correlation; /* of the calls' correlation ids; 0: none has
						       * one */
	int64_t last_start_ns;			      /* of the last call packed */
	uint8_t records[];
};

/* The address above the first note; notes are read downwards. */
static inline const struct packed_note *packed_notes_begin(const struct packed *packed)
{
	return (const void *)((const uint8_t *)packed + packed->bytes);
}

/* The note after this one; after NULL, the first. NULL: no more. */
static inline const struct packed_note *packed_next_note(const struct packed *packed,
							 const struct packed_note *note)
{
	const struct packed_note *begin = packed_notes_begin(packed);

	if (!note)
		note = begin;
	else if (note->kind == PACKED_OTHER)
		note -= PACKED_OTHER_NOTES;
	note--;
	return begin - note > packed->note_count ? NULL : note;
}

/* The record stored with a PACKED_OTHER note. */
static inline struct record packed_other(const struct packed_note *note)
{
	struct record record;

	memcpy(&record, note - PACKED_OTHER_NOTES, sizeof(record));
	return record;
}

struct packer_shape {
	struct atom *site;
	uint32_t has;
	uint16_t function;
	uint64_t values[CALL_BLOCK_FIELDS];
};

#define PACKER_SLOTS 1024 /* a power of two, 4 or more slots a shape or set of arguments */

struct packer {
	struct pool_piece piece;
	struct packed *packed;
	uint8_t *at;		      /* where the next call's bytes go */
	struct packed_note *notes;    /* the last note so far */
	uint64_t end_ns, correlation; /* of the last call; 0: none yet */
	bool is_serial_due;	      /* the next call gets a PACKED_SERIAL */
	struct packer_shape shapes[CALL_BLOCK_SHAPES_MOST];
	struct atom *arguments[CALL_BLOCK_ARGUMENTS_MOST];
	uint16_t shape_slots[PACKER_SLOTS], argument_slots[PACKER_SLOTS]; /* hash tables: index + 1,
									   * 0: empty */
};

/* Starts to fill the memory. bytes: its size, a multiple of 16. */
void packer_begin(struct packer *packer, struct packed *memory, uint32_t bytes);

/* Packs one record. False: the record does not fit, and nothing was added. An empty memory takes
 * any record. */
bool packer_add(struct packer *packer, const struct record *record);

/* Completes the head of the memory: now its records can be read. Call before any other use of the
 * memory. */
void packer_end(struct packer *packer);

#endif
