/*
 * Finds copies to the device that were useless: the device had the bytes already, or nothing read
 * them. Any thread.
 *
 * Follows the content of device memory, operation by operation in the order of enqueueing. The
 * evidence is hashes of copies (calls.numbers in preload/schema.sql), and the extents that each
 * operation reads and writes (model/accesses.h). Takes time linear in the operations, times the
 * logarithm of the extents.
 */
#ifndef STREAMTRACE_TRANSFERS_H
#define STREAMTRACE_TRANSFERS_H

#include "base/vector.h"
#include "detectors/copies/contents.h"
#include "model/model.h"

enum transfer_kind {
	TRANSFER_AGAIN, /* an earlier copy had brought the same bytes to the same place */
	TRANSFER_BACK,	/* the bytes had been copied from the same place to the host before */
	TRANSFER_MOVED, /* the bytes had been copied from another place on the device to the host
			 * before, and no kernel was enqueued since (host_trips.h) */
	TRANSFER_UNUSED /* a later copy or set overwrote the bytes before anything read them */
};

struct transfer {
	const struct trace_operation *copy; /* the useless copy */
	/* By kind: the earlier copy to the device; the copy to the host (BACK, MOVED); the later
	 * copy or set. */
	const struct trace_operation *other;
	enum transfer_kind kind;
	enum content_proof proof; /* how surely the bytes are equal; PROOF_WHOLE for
				   * TRANSFER_UNUSED */
	bool is_through_host;	  /* BACK, MOVED: the useless copy read the host memory that the
				   * copy to the host wrote; else false */
	/* MOVED: the host had what the copy to the host brought, as far as it was compared. */
	bool is_held;
	/* Between both copies, an operation was enqueued whose accesses are unknown. */
	bool is_unseen;
	uint32_t group; /* index in groups */
};

/* The copies of one call site to one place, of one size. */
struct transfer_group {
	uint32_t line; /* number of the call site */
	/* Pairs of copies with equal lines whose bytes were all compared: how many pairs were
	 * equal, and how many differed. Copies so small that they are only lines do not count. */
	uint32_t equal, different;
	uint32_t copies;	/* copies to the device, without the first */
	uint32_t again, unused; /* transfers of these kinds without is_unseen; TRANSFER_BACK and
				 * TRANSFER_MOVED count as again */
};

typedef VECTOR(struct transfer) transfer_vector;

struct transfers {
	transfer_vector all;
	VECTOR(struct transfer_group) groups;
};

/* Finds all useless copies; *transfers must be zeros before. If only lines of two copies were
 * compared, pairs of the same group whose bytes were all compared decide: the transfer counts as
 * proved if these were equal, and is dropped otherwise. Without such pairs, equal pairs of the call
 * site's other groups make it PROOF_LIKELY. Finds nothing if the trace has no hashes or no launch
 * arguments. Free by transfers_free(). */
void transfers_find(const struct model *model, struct transfers *transfers);
void transfers_free(struct transfers *transfers);

#endif
