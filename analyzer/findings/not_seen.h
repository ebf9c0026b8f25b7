/*
 * States what a trace lacks, one row for each loss. One thread.
 */
#ifndef STREAMTRACE_NOT_SEEN_H
#define STREAMTRACE_NOT_SEEN_H

#include "findings/analysis.h"
#include "model/model.h"

/* Appends one row. Takes over both texts, which must be malloc'ed. */
void not_seen_add(struct analysis *analysis, char *what, char *why);

/* Appends to analysis->not_seen rows for losses, untimed and unmatched operations, missing device
 * records and a trace without an end. analysis_free() frees the rows. */
void not_seen_collect(struct analysis *analysis, const struct trace *trace);

/* Appends rows for memory accesses of kernels that the model could not see. */
void not_seen_reach(struct analysis *analysis, const struct model *model);

/* If no call succeeded: a line that tells why nothing ran on a device, to be freed; otherwise
 * NULL. */
char *not_seen_failure(const struct trace *trace);

#endif
