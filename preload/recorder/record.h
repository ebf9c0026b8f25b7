/*
 * The record of one call in its thread's ring: two cache lines.
 *
 * Written by the thread that made the call, read by the writer thread. Times are ns of
 * CLOCK_REALTIME. The program's addresses and handles are plain numbers and are never followed.
 * Atoms live as long as the process.
 */
#ifndef STREAMTRACE_RECORD_H
#define STREAMTRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct atom;

enum record_kind {
	/* A complete call. */
	RECORD_CALL,
	/* A further correlation id of the call whose record follows in this ring. */
	RECORD_CORRELATION,
	/* A graph node. Made by the call whose record follows in this ring, or by a call without a
	 * record (serial RECORD_NO_CALL). object: the node's id, src: the id of the node that it is
	 * a clone of, correlation: the graph's id, result: the node's CUgraphNodeType. */
	RECORD_GRAPH_NODE,
	/* An edge of a graph. object: the id of the node that it leads from, src: of the node that
	 * it leads to, size_bytes: its kind, as in graph_edges, numbers: its from_port. */
	RECORD_GRAPH_EDGE,
	/* A host function ran on this thread from start_ns to end_ns. object: the function's
	 * address as a word of modules.h, stream: the stream of the call that enqueued, captured or
	 * added the function, correlation: that call's id. */
	RECORD_HOST_FUNCTION,
	/* The tracer did extra work on this thread from start_ns to end_ns, for the call whose
	 * record precedes. */
	RECORD_OVERHEAD,
	/* An NVTX range was pushed, started or ended on this thread: a union range_record. */
	RECORD_RANGE_PUSH,
	RECORD_RANGE_START,
	RECORD_RANGE_END,
	/* The thread read a clock right after a call that took 2 us or more. start_ns: when;
	 * object: the return address of the clock's function, as a word of modules.h. */
	RECORD_CLOCK_READ,
	/* A call of NCCL. function: enum collective_operation, copy_kind: ncclDataType_t, result:
	 * root, peer or -1, object: the communicator's id or 0, dst: its number in the communicator
	 * or -1, src: its group's id or 0. */
	RECORD_COLLECTIVE,
	/* The end of a group of NCCL calls, by the call from start_ns to end_ns. object: the
	 * group's id. */
	RECORD_COLLECTIVE_GROUP,
	/* A communicator of NCCL, or new facts about it. object: its id. The other fields are 0
	 * unless known: src: the unique id, start_ns and end_ns: when the communicator was made and
	 * destroyed, result: rank (-1: unknown), numbers: ranks + 1, context: device + 1. */
	RECORD_COMMUNICATOR,
	/* In watch mode: a step began on this thread at start_ns, and the one before ended. object: its number,
	 * copy_kind: enum watch_steps_by of facts/watch_page.h, size_bytes: what the thread has ever read from storage,
	 * numbers: how often it was ever preempted. */
	RECORD_STEP
};

#define RECORD_NO_CALL UINT64_MAX /* a serial that no call has */

/* Bits of record.has; 23 bits are free. */
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

/* True if the clock was set back during the call. A short call may seem to end up to 1 us before
 * its start otherwise, since its two times can come from different readings of the clock. */
static inline bool record_is_backward(int64_t start_ns, int64_t end_ns)
{
	return end_ns < start_ns && start_ns - end_ns > 1000;
}

#define RECORD_BYTES	  128 /* two cache lines */
#define RECORD_FREE_BYTES 12  /* bytes at the end of a record, free for new fields */

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
	uint32_t has;		/* bits of enum record_has */
	struct atom *site;	/* ATOM_STACK, or NULL */
	struct atom *arguments; /* of a launch: ATOM_ARGUMENTS, or NULL */
	/* The call's number in its thread: ties correlations to the call even if other calls were
	 * lost. */
	uint64_t serial;
	/* The tracer's cost of this call, measured in one call of some 64 (call_cost.h): outside of
	 * start_ns..end_ns; in CUPTI's callbacks inside these times; in CUPTI's callbacks at
	 * entries of driver calls. */
	uint32_t tool_outside_ns, tool_inside_ns, tool_entry_ns;
	/* A hash. Of a launch: of its arguments that are not pointers; of a copy: of what it
	 * carried (content.h). 0: not known. */
	uint32_t numbers;
	uint32_t context; /* CUPTI's id of the thread's context; 0: unknown, or given by the
			   * operations */
	/* A named member, so that copying a record also copies a union range_record completely. */
	uint8_t unused[RECORD_FREE_BYTES];
};

_Static_assert(sizeof(struct record) == RECORD_BYTES &&
		       offsetof(struct record, unused) == RECORD_BYTES - RECORD_FREE_BYTES,
	       "a record is two cache lines, and so much of them is free");

#define RANGE_TEXT_BYTES 80 /* of a name stored in the record itself */

/* The fields of a range's record. The end of a range has only id and time_ns. */
struct range_fields {
	uint16_t text_bytes; /* length of text; 0: `name` has the text, or there is none */
	uint8_t kind;	     /* as in struct record: enum record_kind */
	bool has_color;
	uint32_t color; /* ARGB */
	int64_t time_ns;
	uint64_t id;	     /* unique in the process */
	struct atom *domain; /* ATOM_TEXT; NULL: the default domain */
	struct atom *name;   /* ATOM_TEXT, or NULL */
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
