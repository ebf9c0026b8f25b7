/*
 * A finding (analysis.h) from when its instances are gathered until it is in the analysis. detect.c
 * weighs it.
 */
#ifndef STREAMTRACE_FINDING_H
#define STREAMTRACE_FINDING_H

#include "findings/analysis.h"
#include "findings/gather.h"

struct retimed;

/* One finding from the instances of a group, not weighed. Its times are those of the run, the
 * evidence's since origin_ns. */
struct finding finding_make(const struct observed *observed, const struct detector *detector,
			    const struct gathered *group, int64_t origin_ns);

/* Whether it is one of host waits that are below 5 us a time, as is what the fix saves: such a wait
 * is no longer than the call itself. */
bool finding_is_brief(const struct finding *finding);

void finding_free(struct finding *finding);

/* Whether so much is too little of the run to be listed: below 0.5 %. */
bool finding_is_short(const struct analysis *analysis, int64_t saved_ns);

/* The analysis takes it over. */
void finding_add(struct analysis *analysis, struct finding finding);

/* Fills in the measured price of a weighed finding; the model is the trace's. */
void finding_add_price(struct finding *finding, const struct model *model);

/* Its instances and its evidence, from the replayed run back to the trace, but for their times. */
void finding_bring_back(struct finding *finding, const struct trace *trace,
			const struct retimed *retimed);

/* Whether that is a line of it. */
bool finding_is_at(const struct finding *finding, const struct site *site);

/* The one that is shown, of the same detector, that has the finding's first line; or NULL. */
struct finding *finding_same(struct analysis *analysis, const struct finding *finding);

/* The fix of a line applies to all that happens there: adds the instances of `by`. */
void finding_extend(struct finding *finding, const struct finding *by);

#endif
