/*
 * What was observed of a run: its model, its schedule, and what each call waited for.
 *
 * Findings are made of it, and nothing changes it. Any thread may read it. Building never fails: out of
 * memory ends the program.
 */
#ifndef STREAMTRACE_OBSERVED_H
#define STREAMTRACE_OBSERVED_H

#include "model/model.h"
#include "replay/observed/evidence.h"
#include "replay/timeline.h"

struct observed {
	const struct model *model;
	const struct timeline *timeline; /* NULL: the run is not replayed */
	const struct evidence *evidence;
};

/* Takes over the model. */
struct observed observed_build(struct model *model);

/* The same without the timeline. */
struct observed observed_build_waits(struct model *model);

void observed_free(const struct observed *observed);

#endif
