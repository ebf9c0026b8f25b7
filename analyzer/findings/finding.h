/*
 * Makes and changes findings (analysis.h). detect.c weighs them, and returns them. One thread at a
 * time for each finding.
 */
#ifndef STREAMTRACE_FINDING_H
#define STREAMTRACE_FINDING_H

#include "findings/analysis.h"
#include "findings/gather.h"

struct retimed;

/* Makes a finding from a group's instances, which are copied. The finding is not weighed yet. Times
 * are those of the observed run; evidence counts from origin_ns. Free the finding by
 * finding_free(), or give it to finding_add(). */
struct finding finding_make(const struct observed *observed, const struct detector *detector,
			    const struct gathered *group, int64_t origin_ns);

/* Whether the finding is of host waits that last less than 5 us on average, and the fix saves less
 * than 5 us for each: such a wait is no longer than the call itself. Call after weighing. */
bool finding_is_brief(const struct finding *finding);

/* Whether the host was blocked in it. */
bool finding_is_wait(const struct finding *finding);

/* Frees what the finding owns. The struct stays the caller's. */
void finding_free(struct finding *finding);

/* Whether saved_ns is too little to be listed: below 0.5 % of the untraced run. */
bool finding_is_short(const struct analysis *analysis, int64_t saved_ns);

/* Adds the finding to the list, which takes it over. Pointers into the list are invalid
 * afterwards. */
void finding_add(struct findings *findings, struct finding finding);

/* Adds to the fix what the finding's saving assumes of it, where the detector tells that. Call once,
 * with all instances in the finding. */
void finding_add_assumed(struct finding *finding);

/* Sets measured_price of a weighed finding, if the detector can tell it. model: of the trace. */
void finding_add_price(struct finding *finding, const struct model *model);

/* Changes the pointers of the finding's instances and evidence from the replayed run to the trace.
 * Times stay those of the replay. */
void finding_bring_back(struct finding *finding, const struct trace *trace,
			const struct retimed *retimed);

/* Whether both are of one detector, and the first line of `other` is a line of the finding. If the
 * finding has only some copies of that line by their sizes, `other` must be of such copies. */
bool finding_has_line(const struct finding *finding, const struct finding *other);

/* The first finding of the list that is not folded and for which finding_has_line() is true. NULL: there
 * is none. */
struct finding *finding_same(struct findings *findings, const struct finding *finding);

/* Adds copies of the instances and lines of `by` to the finding: the fix of a line applies to all
 * that happens there. `by` stays the caller's. */
void finding_extend(struct finding *finding, const struct finding *by);

#endif
