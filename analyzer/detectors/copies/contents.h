/*
 * Contents: what the last copy to or from each extent of device memory tells of the extent's bytes,
 * by the copies' hashes (facts/content.h). A hash is of all bytes, or of sampled lines of 64 bytes.
 *
 * Zero-initialize a struct contents and call contents_begin(); free it by contents_free().
 * Operations are indexes in trace.operations. One thread.
 */
#ifndef STREAMTRACE_CONTENTS_H
#define STREAMTRACE_CONTENTS_H

#include "base/vector.h"
#include "model/extents.h"

#include <stdbool.h>

#define CONTENT_NO_OPERATION UINT32_MAX

struct content {
	uint64_t start, end; /* [start, end) */
	uint32_t sent;	     /* the copy that brought the bytes, or CONTENT_NO_OPERATION */
	uint32_t fetched;    /* a copy of the bytes to the host, or CONTENT_NO_OPERATION */
	uint32_t hash;	     /* the hash of the last copy; 0: unknown */
	uint32_t lines;	     /* the hash of the lines; 0: unknown */
	/* The last hash of all bytes, if the lines have not changed since; otherwise 0. */
	uint32_t whole;
	/* Only for transfers.c: the copy's group; how many operations with unknown writes and reads
	 * came before the copy; whether anything has read the bytes since. */
	uint32_t group;
	uint32_t unseen_writes, unseen_reads;
	bool is_read;
};

struct contents {
	struct extents known;	    /* values: indexes in all */
	VECTOR(struct content) all; /* item 0 stands for "unknown" */
};

/* How surely two contents are equal. */
enum content_proof {
	PROOF_NONE,    /* different, or unknown */
	PROOF_AGAINST, /* different, though their lines are equal */
	PROOF_LINES,   /* equal lines */
	PROOF_LIKELY,  /* equal lines many times, and whole equal copies at the same call site */
	PROOF_WHOLE    /* all bytes are equal, or could not change */
};

/* Call once, before any other function. */
void contents_begin(struct contents *contents);

/* The content of exactly [start, end), or NULL. Valid until the next contents_set(). */
struct content *contents_at(struct contents *contents, uint64_t start, uint64_t end);

/* How surely a copy to the extent of *before, with this hash, brings the same bytes. hash 0 means
 * unknown. Never PROOF_LIKELY: transfers.c decides that. */
enum content_proof contents_compare(const struct content *before, uint32_t hash);

/* Records a copy of `now` as the content of its extent; sets .lines and .whole itself. before: the
 * former content of exactly this extent, or NULL. proof: how surely both are equal; PROOF_NONE if
 * before is NULL. */
void contents_set(struct contents *contents, struct content now, const struct content *before,
		  enum content_proof proof);

/* Forgets the content of [start, end). */
void contents_forget(struct contents *contents, uint64_t start, uint64_t end);

void contents_free(struct contents *contents);

#endif
