/*
 * States what a trace lacks, one row for each loss. One thread.
 */
#ifndef STREAMTRACE_NOT_SEEN_H
#define STREAMTRACE_NOT_SEEN_H

#include "findings/failures.h"
#include "model/model.h"

struct not_seen {
	char *what, *why; /* one line each */
};

/* Zero-initialize it, and free it by not_seen_free(). */
struct not_seen_list {
	struct not_seen *items;
	size_t count;
};

/* Appends one row. Takes over both texts, which must be malloc'ed. */
void not_seen_add(struct not_seen_list *list, char *what, char *why);

/* Frees the rows and their texts. The struct stays the caller's. */
void not_seen_free(struct not_seen_list *list);

/* Appends rows for what was lost or not recorded: losses, operations without a time or a call,
 * features that were off, and a trace without an end. failed: failures_find() of the trace. */
void not_seen_collect(struct not_seen_list *list, const struct trace *trace,
		      const struct failed_calls *failed);

/* Appends rows for memory accesses of kernels that the model could not see. whole: the run that the
 * model's trace may be a sample of. */
void not_seen_reach(struct not_seen_list *list, const struct model *model,
		    const struct trace *whole);

/* One line that tells why nothing ran on a device, if the trace has calls and all of them failed.
 * The caller frees it. NULL: a call succeeded, an operation ran, or there are no calls. */
char *not_seen_failure(const struct trace *trace);

/* Why the trace has neither calls nor GPU operations, as the end of a sentence. The caller frees it. NULL: it has
 * some. */
char *not_seen_nothing(const struct trace *trace);

#endif
