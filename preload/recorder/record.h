/*
 * What one call leaves in its thread's ring: two cache lines, no pointer into the program.
 *
 * Written by the thread that made the call, read by the writer thread. Times are ns of
 * CLOCK_REALTIME; addresses and handles are kept as numbers and never followed. The call site is an
 * atom, which lasts as long as the process.
 */
#ifndef STREAMTRACE_RECORD_H
#define STREAMTRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct atom;

enum record_kind {
	/* A call; complete. */
	RECORD_CALL,
	/* A further correlation id of the call whose record follows in this ring. */
	RECORD_CORRELATION,
	/* A graph node, made by the call whose record follows in this ring, or with RECORD_NO_CALL
	 * by a call without a record. object: its id, src: the id of the node it was cloned from,
	 * correlation: its graph, result: its CUgraphNodeType. */
	RECORD_GRAPH_NODE,
	/* A host function ran on this thread from start_ns to end_ns. object: its word of modules.h, stream:
	 * where it was enqueued, correlation: of the call that enqueued, captured or added it. */
	RECORD_HOST_FUNCTION,
	/* The tracer was busy on this thread from start_ns to end_ns, after the call before. */
	RECORD_OVERHEAD,
	/* An NVTX range was pushed, was started, or ended, on this thread: union range_record. */
	RECORD_RANGE_PUSH,
	RECORD_RANGE_START,
	RECORD_RANGE_END,
	/* The thread read a clock right after a call of READ_AFTER_NS or longer. start_ns: when; object: the
	 * word of modules.h behind the call of the clock's function. */
	RECORD_CLOCK_READ,
	/* A call of NCCL. function: enum collective_operation, copy_kind: ncclDataType_t, result: root, peer or -1,
	 * object: the communicator's id or 0, dst: its number there or -1, src: its group's id or 0. */
	RECORD_COLLECTIVE,
	/* The end of a group of such calls, by the call from start_ns to end_ns. object: its id. */
	RECORD_COLLECTIVE_GROUP,
	/* A communicator of NCCL, or what is newly known of it. object: its id; and where they are known, src: its
	 * unique id, start_ns and end_ns: when it was made and destroyed, else 0; result: rank, else -1; numbers:
	 * ranks + 1, context: device + 1. */
	RECORD_COMMUNICATOR
};

#define RECORD_NO_CALL UINT64_MAX /* in place of a serial */

/* Bits of record.has, of which 23 are free. */
enum record_has {
	RECORD_HAS_STREAM = 1 << 0,
	RECORD_HAS_OBJECT = 1 << 1,
	RECORD_HAS_DST = 1 << 2,
	RECORD_HAS_SRC = 1 << 3,
	RECORD_HAS_SIZE = 1 << 4,
	RECORD_HAS_COPY_KIND = 1 << 5,
	RECORD_HAS_CORRELATION = 1 << 6,
	RECORD_IS_PER_THREAD = 1 << 7, /* a _ptsz or _ptds symbol */
	RECORD_HAS_TOOL = 1 << 8
};

/* Whether the clock was set back during the call. A short one can seem to end up to a microsecond
 * before it began otherwise, where its two times come from different readings of the clock. */
static inline bool record_is_backward(int64_t start_ns, int64_t end_ns)
{
	return end_ns < start_ns && start_ns - end_ns > 1000;
}

#define RECORD_BYTES	  128 /* two cache lines */
#define RECORD_FREE_BYTES 12  /* of them, at its end: for new fields */

struct record {
	_Alignas(64) uint16_t function; /* enum function of functions.h */
	uint8_t kind;			/* enum record_kind */
	uint8_t copy_kind;		/* cudaMemcpyKind */
	int32_t result;
	int64_t start_ns;
	int64_t end_ns;
	uint64_t stream;
	uint64_t object;
	uint64_t dst;
	uint64_t src;
	uint64_t size_bytes;
	uint32_t correlation;
	uint32_t has;		/* enum record_has */
	struct atom *site;	/* of kind ATOM_STACK, or NULL */
	struct atom *arguments; /* of a launch, of kind ATOM_ARGUMENTS, or NULL */
	/* Of the call in its thread: ties correlations to it even when calls were lost. */
	uint64_t serial;
	/* What recording this call took, of a call in some 64 (recorder.h): outside of start_ns and
	 * end_ns, inside of them in CUPTI's callbacks, and in those at the entry of driver calls. */
	uint32_t tool_outside_ns, tool_inside_ns, tool_entry_ns;
	/* Of a launch: of what its arguments are besides pointers; of a copy: of what it carried
	 * (content.h); 0: not seen. */
	uint32_t numbers;
	uint32_t context; /* CUPTI's id of the thread's; 0: not known, or the operations say it */
	/* A member, so that a copy of a record that is a range's (union range_record) has them. */
	uint8_t unused[RECORD_FREE_BYTES];
};

_Static_assert(sizeof(struct record) == RECORD_BYTES &&
		       offsetof(struct record, unused) == RECORD_BYTES - RECORD_FREE_BYTES,
	       "a record is two cache lines, and so much of them is free");

#define RANGE_TEXT_BYTES 80 /* of a name that is in the record itself */

/* What the record of a range has instead; a range's end has its id and time_ns alone. */
struct range_fields {
	uint16_t text_bytes; /* of text; 0: `name` has it, or it has none */
	uint8_t kind;	     /* as in struct record */
	bool has_color;
	uint32_t color; /* ARGB */
	int64_t time_ns;
	uint64_t id;	     /* in the process */
	struct atom *domain; /* of kind ATOM_TEXT; NULL: the default domain */
	struct atom *name;   /* likewise, or NULL */
	char text[RANGE_TEXT_BYTES];
};

union range_record {
	struct record record;
	struct range_fields fields;
};

_Static_assert(sizeof(union range_record) == RECORD_BYTES &&
		       offsetof(struct range_fields, kind) == offsetof(struct record, kind),
	       "the record of a range is a record");

#endif
