/*
 * Makes and changes findings (analysis.h), until they are in the analysis. detect.c weighs them.
 * One thread.
 */
#ifndef STREAMTRACE_FINDING_H
#define STREAMTRACE_FINDING_H

#include "findings/analysis.h"
#include "findings/gather.h"

struct retimed;

/* Makes a finding from a group's instances, not weighed yet. Its times are the run's; those of its
 * evidence count from origin_ns. Free by finding_free(), or give it to finding_add(). */
struct finding finding_make(const struct observed *observed, const struct detector *detector,
			    const struct gathered *group, int64_t origin_ns);

/* Whether it is of host waits that each take less than 5 us, as does what the fix saves: such a
 * wait is no longer than the call itself. */
bool finding_is_brief(const struct finding *finding);

void finding_free(struct finding *finding);

/* Whether saved_ns is too little of the run to be listed: below 0.5 %. */
bool finding_is_short(const struct analysis *analysis, int64_t saved_ns);

/* Adds the finding to the analysis, which takes it over. */
void finding_add(struct analysis *analysis, struct finding finding);

/* Sets the measured price of a weighed finding. model: of the trace. */
void finding_add_price(struct finding *finding, const struct model *model);

/* Changes the pointers of its instances and evidence from the replayed run back to the trace; times
 * stay. */
void finding_bring_back(struct finding *finding, const struct trace *trace,
			const struct retimed *retimed);

/* Whether the site is one of the finding's lines. */
bool finding_is_at(const struct finding *finding, const struct site *site);

/* The shown finding of the same detector that has the finding's first line; or NULL. */
struct finding *finding_same(struct analysis *analysis, const struct finding *finding);

/* Adds the instances of `by` to the finding: the fix of a line applies to all that happens
 * there. */
void finding_extend(struct finding *finding, const struct finding *by);

#endif
