/*
 * Finds copies between host and device that were useless: what they carried was there already, or
 * nothing read it. One thread.
 *
 * Follows the content of device memory, operation by operation in the order of enqueueing: by
 * hashes of copies (calls.numbers in preload/schema.sql), and by what each operation reads and
 * writes (model/accesses.h). Takes time linear in the operations, times the logarithm of the
 * ranges.
 */
#ifndef STREAMTRACE_TRANSFERS_H
#define STREAMTRACE_TRANSFERS_H

#include "base/vector.h"
#include "detectors/copies/contents.h"
#include "model/model.h"

enum transfer_kind {
	TRANSFER_AGAIN, /* an earlier copy had brought the same bytes to the same place */
	TRANSFER_BACK,	/* the bytes had been copied from there to the host before */
	TRANSFER_UNUSED /* a later copy overwrote them before anything read them */
};

struct transfer {
	const struct trace_operation *copy; /* the useless copy */
	/* By kind: the earlier copy to the device; the copy to the host; the later copy. */
	const struct trace_operation *other;
	enum transfer_kind kind;
	enum content_proof proof; /* how surely the bytes are equal; PROOF_WHOLE for
				   * TRANSFER_UNUSED */
	bool is_through_host;	  /* only TRANSFER_BACK: it read the memory that the copy to the
				   * host wrote */
	/* In between, a kernel was enqueued whose accesses are unknown. */
	bool is_unseen;
	uint32_t group; /* index in groups: copies of one call site to one place, of one size */
};

struct transfer_group {
	uint32_t line; /* number of its call site */
	/* Of pairs whose lines were equal and all bytes compared (not only lines exist): how many
	 * were equal, and how many differed. */
	uint32_t equal, different;
	uint32_t copies;	/* copies to the device, from the second on */
	uint32_t again, unused; /* transfers of these kinds (BACK counts as again), without those
				 * with is_unseen */
};

typedef VECTOR(struct transfer) transfer_vector;

struct transfers {
	transfer_vector all;
	VECTOR(struct transfer_group) groups;
};

/* Finds all. If only lines were compared, pairs of the same group whose bytes were all compared
 * decide whether lines prove equality: if so the transfer counts as proved, otherwise it is
 * dropped. Without such pairs, those of the call site's other groups make it likely. Finds nothing
 * if the trace has no hashes or no launch arguments. Free by transfers_free(). */
void transfers_find(const struct model *model, struct transfers *transfers);
void transfers_free(struct transfers *transfers);

#endif
