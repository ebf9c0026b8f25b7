#include "trial/trial_ring.h"

#include "base/thresholds.h"

void trial_ring_apply(const struct observed *observed, const struct instance *instances,
		      size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	const double bytes_per_ns = doubt == DOUBT_KEEP	   ? PACK_SLOW_BYTES_PER_NS
				    : doubt == DOUBT_WEIGH ? PACK_BYTES_PER_NS
							   : FILL_FASTEST_BYTES_PER_NS;

	edits->pinned_end = doubt == DOUBT_KEEP	   ? RATE_SLOWEST
			    : doubt == DOUBT_WEIGH ? RATE_LIKELY
						   : RATE_FASTEST;
	for (size_t i = 0; i < count; i++) {
		const struct trace_operation *copy = instances[i].operation;

		edits_pin(edits, model, copy);
		edits_drop_wait(edits, model, instances[i].call);
		edits_set_call_time(edits, model, instances[i].call,
				    (int64_t)((double)copy->form->size_bytes / bytes_per_ns));
	}
}
