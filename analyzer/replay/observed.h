/*
 * What was observed of a run: its model, its schedule, and what each call waited for.
 *
 * Findings are made from it; nothing changes it, and any thread may read it. If memory runs out,
 * the program ends.
 */
#ifndef STREAMTRACE_OBSERVED_H
#define STREAMTRACE_OBSERVED_H

#include "model/model.h"
#include "replay/host_gaps.h"
#include "replay/observed/evidence.h"
#include "replay/timeline.h"

struct observed {
	const struct model *model;
	const struct timeline *timeline; /* NULL: the run is not replayed */
	const struct evidence *evidence;
	struct host_gaps host_gaps;
};

/* Builds all from the model, and takes the model over: observed_free() frees it, too. The model's
 * trace must outlive the result. */
struct observed observed_build(struct model *model);

/* Like observed_build(), without the timeline: the run cannot be replayed. */
struct observed observed_build_waits(struct model *model);

/* Frees the gaps, the evidence, the timeline and the model, but not *observed. */
void observed_free(const struct observed *observed);

#endif
