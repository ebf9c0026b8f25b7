/*
 * Copies between host and device that brought nothing: what they carried was there already, or
 * nothing read it.
 *
 * Follows what is known of the content of device memory, operation by operation in the order in
 * which they were enqueued: by the hashes of what copies carried (calls.numbers in
 * preload/schema.sql), and by what each operation reads and writes (model/accesses.h). Linear in
 * the operations, but for the logarithm of the ranges.
 */
#ifndef STREAMTRACE_TRANSFERS_H
#define STREAMTRACE_TRANSFERS_H

#include "base/vector.h"
#include "detectors/copies/contents.h"
#include "model/model.h"

enum transfer_kind {
	TRANSFER_AGAIN, /* a copy before it had brought the same bytes to the same place */
	TRANSFER_BACK,	/* they had been copied from there to the host */
	TRANSFER_UNUSED /* a copy after it overwrote them before anything read them */
};

struct transfer {
	const struct trace_operation *copy; /* it need not have been made */
	/* Of the kinds: the copy before it, to the device; the copy to the host; the copy after it. */
	const struct trace_operation *other;
	enum transfer_kind kind;
	enum content_proof proof; /* that the bytes are the same; of an unused one PROOF_WHOLE */
	bool is_through_host;	  /* back: from the memory that the copy to the host wrote */
	/* A kernel of which it is not known what it writes, or reads, was enqueued in between. */
	bool is_unseen;
	uint32_t group; /* of the copies of one call site to one place, of one size */
};

struct transfer_group {
	uint32_t line; /* which call site's, of those with copies */
	/* With lines that are equal and are not all they have, of which all bytes were compared. */
	uint32_t equal, different;
	uint32_t copies;	/* to the device, from the second on */
	uint32_t again, unused; /* transfers of those kinds, but for unseen ones; back: again */
};

typedef VECTOR(struct transfer) transfer_vector;

struct transfers {
	transfer_vector all;
	VECTOR(struct transfer_group) groups;
};

/* Where only lines were compared, pairs of the same group of which all bytes were compared say
 * whether lines tell: then they prove it, or it is not there. Where there are none, those of other
 * groups of the call site make it likely. None where the trace has no hashes or no arguments of
 * launches. */
void transfers_find(const struct model *model, struct transfers *transfers);
void transfers_free(struct transfers *transfers);

#endif
