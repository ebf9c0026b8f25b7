/*
 * Contents: what is known about the content of device memory, from the hashes of copies
 * (facts/content.h): what each range got last.
 *
 * Zero-initialize a struct contents and call contents_begin(); free it by contents_free().
 * Operations are indexes in trace.operations. One thread.
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
	uint32_t hash;	     /* its hash; 0: unknown */
	uint32_t lines;	     /* the hash of its lines, if both hashes are known; otherwise 0 */
	/* The last hash of all bytes, if the lines have not changed since; otherwise 0. */
	uint32_t whole;
	uint32_t group;			      /* for transfers.c, like the next three */
	uint32_t unseen_writes, unseen_reads; /* their numbers when it was copied */
	bool is_read;
};

struct contents {
	struct ranges known;	    /* values: indexes in all */
	VECTOR(struct content) all; /* item 0: none */
};

/* How surely two contents are equal. */
enum content_proof {
	PROOF_NONE,    /* different, or unknown */
	PROOF_AGAINST, /* different, though their lines are equal */
	PROOF_LINES,   /* equal lines */
	PROOF_LIKELY,  /* equal lines many times, and whole equal copies at the same call site */
	PROOF_WHOLE    /* all bytes are equal, or could not change */
};

void contents_begin(struct contents *contents);

/* The content of exactly this range, or NULL. Valid until the next contents_set(). */
struct content *contents_at(struct contents *contents, uint64_t start, uint64_t end);

/* How surely a copy with this hash brings the content that is there. */
enum content_proof contents_compare(const struct content *before, uint32_t hash);

/* Records `now` as the content of its range. before: the former content of exactly this range, or
 * NULL; proof: how surely both are equal (PROOF_NONE if before is NULL). */
void contents_set(struct contents *contents, struct content now, const struct content *before,
		  enum content_proof proof);

/* Forgets the content of [start, end). */
void contents_forget(struct contents *contents, uint64_t start, uint64_t end);

void contents_free(struct contents *contents);

#endif
