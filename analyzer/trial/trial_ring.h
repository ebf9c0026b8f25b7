/* What a copy of pageable memory takes that goes through the pinned ring, for the prediction. Any thread. */
#ifndef STREAMTRACE_TRIAL_RING_H
#define STREAMTRACE_TRIAL_RING_H

#include "detectors/doubt.h"
#include "detectors/instance.h"
#include "replay/observed.h"

/* As apply of struct detector: each copy runs at the rate of pinned memory, and its call takes as long as a core takes to
 * copy the data into the ring. A change of the source can save that, and more: so this is not the finding's own fix. */
void trial_ring_apply(const struct observed *observed, const struct instance *instances,
		      size_t count, enum doubt doubt, struct edits *edits);

#endif
