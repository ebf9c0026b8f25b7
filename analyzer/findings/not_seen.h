/*
 * What a trace does not have, in words: every loss is one row.
 */
#ifndef STREAMTRACE_NOT_SEEN_H
#define STREAMTRACE_NOT_SEEN_H

#include "findings/analysis.h"
#include "model/model.h"

/* Appends one row. Takes over both texts, which are malloc'ed. */
void not_seen_add(struct analysis *analysis, char *what, char *why);

/* Appends to analysis->not_seen the losses, the untimed and the unmatched operations, missing
 * device records and a trace that did not end. analysis_free() frees the rows. */
void not_seen_collect(struct analysis *analysis, const struct trace *trace);

/* Appends what kernels reach and the model could not see. */
void not_seen_reach(struct analysis *analysis, const struct model *model);

/* Why nothing ran on a device when no call succeeded: one line, malloc'ed, or NULL. */
char *not_seen_failure(const struct trace *trace);

#endif
