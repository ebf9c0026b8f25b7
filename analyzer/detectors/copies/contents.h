/*
 * What is known of the content of device memory: what each range of it got last, by the hashes of copies
 * (facts/content.h).
 *
 * Zero-initialize a struct contents, contents_begin() it; free with contents_free(). Operations are indexes
 * in trace.operations.
 */
#ifndef STREAMTRACE_CONTENTS_H
#define STREAMTRACE_CONTENTS_H

#include "base/vector.h"
#include "model/ranges.h"

#include <stdbool.h>

#define CONTENT_NO_OPERATION UINT32_MAX

struct content {
	uint64_t start, end; /* [start, end) */
	uint32_t sent;	     /* the copy that brought it, or CONTENT_NO_OPERATION */
	uint32_t fetched;    /* a copy of it to the host, or CONTENT_NO_OPERATION */
	uint32_t hash;	     /* of it; 0: not known */
	uint32_t lines;	     /* the hash of its lines, where that is known, too; else 0 */
	uint32_t
		whole; /* of all bytes, when they were hashed last, since when the lines are the same; or 0 */
	uint32_t group;			      /* transfers.c's, as the next three */
	uint32_t unseen_writes, unseen_reads; /* so many, when it was copied */
	bool is_read;
};

struct contents {
	struct ranges known;	    /* values: indexes in all */
	VECTOR(struct content) all; /* 0 is none */
};

/* Whether two contents are the same. */
enum content_proof {
	PROOF_NONE,    /* they are not, or it is not known */
	PROOF_AGAINST, /* they are not, though their lines are */
	PROOF_LINES,   /* their lines are */
	PROOF_LIKELY,  /* likewise, again and again, and all bytes of others that the same line copied */
	PROOF_WHOLE    /* all bytes are, or could not change */
};

void contents_begin(struct contents *contents);

/* The content of exactly this range, or NULL. Good until the next contents_set(). */
struct content *contents_at(struct contents *contents, uint64_t start, uint64_t end);

/* Of what is there and what a copy with this hash brings. */
enum content_proof contents_compare(const struct content *before, uint32_t hash);

/* From now on `now` is what its range has. before: what exactly this range had, of which proof says whether
 * it is the same; or NULL, and PROOF_NONE. */
void contents_set(struct contents *contents, struct content now, const struct content *before,
		  enum content_proof proof);

/* Nothing is known of [start, end) any more. */
void contents_forget(struct contents *contents, uint64_t start, uint64_t end);

void contents_free(struct contents *contents);

#endif
